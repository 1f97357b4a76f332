/* A GPU on which nothing happens before somebody waits for it: the simulator, with streams whose launches, copies and
 * graphs run when that stream is waited for, or the device is. It knows add, mul, sum and cross_entropy. */
#ifndef TESTS_LATE_H
#define TESTS_LATE_H
#include "../runtime/internal.h"

/* Of a context of the simulator's, in place of its device. */
void late_stand_in(context *c);
/* How much is on the stream of a context and has not run. */
int late_left(const context *c);
extern int late_syncs; /* how often somebody waited for the device */
extern int late_waits; /* for a stream, or downloaded from it */
/* Who waits for that context's stream waits until it is let go. */
void late_hold(const context *c);
void late_let_go(void);
/* Uploads, downloads and waits for streams fail from now on, or no more. */
extern bool late_fails;
#endif
