/* What the suites of the runtime share. */
#ifndef TESTS_RUNTIME_H
#define TESTS_RUNTIME_H
#include "../runtime/proofmark.h"
#include "allocation.h"
#include "helpers.h"

#define OK(call) ck_assert_msg((call) == PMR_OK, "%s", pmr_error())
#define FAILS(status, part, call)      \
  do {                                 \
    ck_assert_int_eq(call, status);    \
    ck_assert_text(pmr_error(), part); \
  } while (0)

/* Back ends that every machine has. */
enum { N_BACKENDS = 3 };
pmr_context opened(int backend);
/* Closes it; no handle and no byte may be left in it. */
void closed(pmr_context c);

/* A tensor of up to three axes, the first of size 0 ending them. */
pmr_tensor f32(pmr_context c, const float *x, int rank, ...);
pmr_tensor i64(pmr_context c, const int64_t *x, int64_t n);
/* One output of an op with one or two inputs; b may be NULL. */
pmr_tensor op1(pmr_context c, const char *op, pmr_tensor a, pmr_tensor b, const pmr_attr *attrs);
/* Its elements are these. */
void is(pmr_tensor t, const float *want, int64_t n);
/* Its gradient's are, and it is given back. */
void grad_is(pmr_tensor t, const float *want, int64_t n);

/* Runs work once for each allocation that it comes to, which fails: it must say so, and leave
 * nothing; then it runs without. It may assert nothing (libcheck allocates). */
void no_memory_anywhere(int backend, pmr_status (*work)(pmr_context c));
#endif
