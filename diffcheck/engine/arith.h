/* What is declared of a kernel's arithmetic in words: a profile, then keys (docs/arith.md). */
#ifndef DIFFCHECK_ENGINE_ARITH_H
#define DIFFCHECK_ENGINE_ARITH_H
#include "diffcheck.h"

enum { DC_ARITH_KEYS = 40, DC_ARITH_TEXT = 48 };

typedef struct dc_arith {
  int profile;    /* its number; 0: ieee */
  uint64_t given; /* bit k: key k has a value, the profile's or the user's */
  double value[DC_ARITH_KEYS];
  int shape[2]; /* of height and height2: in what way its value is one */
} dc_arith;

/* "triton,height=pairwise,exp=2": a profile first, if any (else that of `otherwise`), then keys, each once,
 * which take the place of the profile's. An error names `argument`, the key, its value and the rule; *out is
 * then untouched. */
dc_status dc_arith_read(const char *argument, const char *text, const char *otherwise,
                        dc_arith *out, dc_error *err);

/* More keys, in place of those that *x has. */
dc_status dc_arith_add(const char *argument, const char *text, dc_arith *x, dc_error *err);

/* Whether that key has a value, the profile's or the user's. */
int dc_arith_given(const dc_arith *x, const char *key);

/* At these sizes. *a holds what the kernel's row declares, or dc_undeclared; any profile but ieee puts its own
 * in place of that, keys in place of both. */
void dc_arith_at(const dc_arith *x, const dc_op *op, const int64_t *size, const double *attr,
                 pm_arith *a);

/* Makes *a the looser of the two in each respect: a bound of it holds of kernels of either. 0: they round to other
 * formats, of which none is looser than another in all that it says; *a is as it was. */
int dc_arith_join(pm_arith *a, const pm_arith *b);

int dc_arith_n_profiles(void);
/* The name of a profile; *words: what it is of. NULL: there is no such one. */
const char *dc_arith_profile(int i, const char **words);
/* The name of a key; its value in a, as it is written, and what it means. NULL: there is no such one. */
const char *dc_arith_key(int k, const pm_arith *a, char value[DC_ARITH_TEXT], const char **words);

/* Of outputs (f, or where it is NULL d) that are not right by what is declared: for what kernel, another in one
 * respect, they would be, and how that is declared; "" where none is known. Returns text (DC_HABIT bytes). */
enum { DC_HABIT = 200 };
char *dc_habit(const dc_problem *p, const pm_arith *declared, float *const *f, double *const *d,
               char *text);

/* A format's unit roundoff, half its smallest subnormal, its largest number; and a number rounded to it. */
double dc_format_u(int64_t format);
double dc_format_eta(int64_t format);
double dc_format_half(int64_t format, double x); /* half a unit in the last place of x */
double dc_format_big(int64_t format);
float dc_format_round(int64_t format, double x);
#endif
