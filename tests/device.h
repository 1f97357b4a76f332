/* Tensors on the simulator, and what a call must say, for the suites of the families. */
#ifndef TESTS_DEVICE_H
#define TESTS_DEVICE_H
#include "../cuda/launch.h"
#include "helpers.h"

#define POISON 12345.0f

/* n floats on the simulator, all of them x. */
float *filled(int n, float x);
/* n floats with few zeros among their digits, so that another order of a sum has other bits; of another
 * `from` they are others. */
float *numbered(int n, int from);
/* The call was taken, and all of it ran. */
void done(pm_status s);
/* None of the n floats was written. */
int poisoned(const float *p, int n);
/* The call was refused with a message that has both parts. */
void refused_with(pm_status s, const char *part, const char *and);

/* An input, an output and a workspace for one small call. */
enum { DEVICE_N = 64 };
typedef struct device {
  float *x, *y, *work; /* (DEVICE_N) each; x is 0, 1, 2, .., y is POISON */
  pm_exec ex;
} device;
device device_begin(void);
void device_end(device *d);
/* y begins with these, and nothing behind them was written. */
int device_is(const float *y, int n, const float *want);
/* refused_with, and y is untouched. */
void device_refused(const device *d, pm_status s, const char *part, const char *and);
#endif
