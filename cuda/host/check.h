/* Argument checks of the launchers: each names the argument, its value and the rule.
 *
 * A launcher fills one pm_check, argument by argument. The first broken rule wins and its words
 * are kept for pm_backend.error (one buffer a thread); pm_checked() then compares every output
 * with every other buffer and gives the status. Nothing is launched before it says PM_OK.
 *
 *   pm_check c = pm_begin("softmax", ex);
 *   pm_size(&c, "rows", rows);
 *   pm_size(&c, "cols", cols);
 *   int64_t n = pm_times(&c, "rows", rows, "cols", cols);
 *   pm_in(&c, "x", x, n, sizeof *x);
 *   pm_out(&c, "y", y, n, sizeof *y);
 *   if (pm_checked(&c)) return c.status;
 *
 * Host code alone: compiled once by nvcc and once for the simulator. */
#ifndef PM_HOST_CHECK_H
#define PM_HOST_CHECK_H
#include "../lang/kernel.h"
#include "../launch.h"

#ifdef __FRAMAC__
#define PM_FORMAT(words, first)
#else
#define PM_FORMAT(words, first) __attribute__((format(printf, words, first)))
#endif
#define PM_MAX_BUFFERS 12
#define PM_MAX_RANK 8
#define PM_MAX_ELEMENTS 0x0fffffffffffffff /* 2^60 - 1: eight-byte elements stay below 2^63 bytes */

/* Hidden, so that the executable and libpm_cuda.so each use their own. */
#pragma GCC visibility push(hidden)

typedef struct pm_buffer {
  const char *name;
  uintptr_t at;
  size_t bytes;
  int writes;
} pm_buffer;

typedef struct pm_check {
  const char *op;
  const pm_exec *ex;
  pm_status status;
  int n;
  pm_buffer buffer[PM_MAX_BUFFERS];
} pm_check;

/* Records `op: ` and the formatted words as this thread's last error; returns `status`. */
/*@ assigns \nothing; ensures \result == status; */
pm_status pm_fail(pm_status status, const char *op, const char *format, ...) PM_FORMAT(3, 4);
const char *pm_error(void);
void pm_clear_error(void);

/*@ // buffer i that c has noted: n floats at p
    predicate noted{L}(pm_check *c, integer i, float *p, integer n, integer writes) =
      0 <= i < c->n && c->buffer[i].at == (uintptr_t)p && c->buffer[i].bytes == 4*n &&
      c->buffer[i].writes == writes;
    // those that c had noted
    predicate kept{K,L}(pm_check *c) = \forall integer i, float *p, integer n, writes;
      noted{K}(c,i,p,n,writes) ==> noted{L}(c,i,p,n,writes);
    // no rule that was broken before has been forgotten
    predicate worse(integer status, integer before) = status == PM_OK ==> before == PM_OK;
    // those that it has noted overlap one another only where both are inputs
    predicate lie_apart{L}(pm_check *c) =
      \forall integer i, j, float *p, *q, integer m, n, writes; i != j ==>
        noted(c,i,p,m,1) ==> noted(c,j,q,n,writes) ==> apart(p,m,q,n) && apart(q,n,p,m);
    // what it has noted ends inside of the address space
    predicate inside{L}(pm_check *c) = \valid(c) && 0 <= c->n <= PM_MAX_BUFFERS &&
      \forall integer i; 0 <= i < c->n ==> c->buffer[i].at + c->buffer[i].bytes <= UINTPTR_MAX; */
/* ex must not be NULL */
/*@ requires ex == \null || \valid_read(ex);
    assigns \nothing;
    ensures \result.n == 0 && \result.ex == ex && (\result.status == PM_OK ==> ex != \null); */
pm_check pm_begin(const char *op, const pm_exec *ex);
/* v >= 0 */
/*@ requires \valid(c); assigns c->status;
    ensures worse(c->status,\old(c->status)) && (c->status == PM_OK ==> 0 <= v); */
void pm_size(pm_check *c, const char *name, int64_t v);
/* v >= 1: there is nothing to average */
/*@ requires \valid(c); assigns c->status;
    ensures worse(c->status,\old(c->status)) && (c->status == PM_OK ==> 1 <= v); */
void pm_filled(pm_check *c, const char *name, int64_t v);
/* v is 0 or 1 */
/*@ requires \valid(c); assigns c->status;
    ensures worse(c->status,\old(c->status)) && (c->status == PM_OK ==> 0 <= v <= 1); */
void pm_flag(pm_check *c, const char *name, int v);
/* v > 0 and finite */
/*@ requires \valid(c); assigns c->status; ensures worse(c->status,\old(c->status)); */
void pm_positive(pm_check *c, const char *name, float v);
/* Attributes: any number; lo <= hi, neither NaN. */
/*@ assigns \nothing; */
static inline void pm_any(pm_check *c, const char *name, float v) { (void)c, (void)name, (void)v; }
/*@ requires \valid(c); assigns c->status; ensures worse(c->status,\old(c->status)); */
void pm_ordered(pm_check *c, const char *lo_name, float lo, const char *hi_name, float hi);
/* a * b elements, where that is at most PM_MAX_ELEMENTS; else an error, and 0. */
/*@ requires \valid(c) && (c->status == PM_OK ==> 0 <= a && 0 <= b);
    assigns c->status;
    ensures worse(c->status,\old(c->status));
    ensures c->status == PM_OK ==> \result == ix(a,b,0) && 0 <= \result <= PM_MAX_ELEMENTS; */
int64_t pm_times(pm_check *c, const char *a_name, int64_t a, const char *b_name, int64_t b);
/* The elements of a shape of `rank` sizes in host memory, each >= 0; rank from 0 to PM_MAX_RANK.
 * An error, and 0, where that is broken, or the elements are more than PM_MAX_ELEMENTS. */
int64_t pm_shape(pm_check *c, const char *rank_name, int rank, const char *name,
                 const int64_t *shape);
/* A buffer of n elements: not NULL unless n is 0, aligned to its element. Inputs may overlap one
 * another; an output may overlap nothing, an exact alias included. */
/*@ requires inside(c) && c->n < PM_MAX_BUFFERS;
    requires c->status == PM_OK ==> 0 <= n && element == sizeof(float);
    assigns c->status, c->n, c->buffer[0 .. PM_MAX_BUFFERS-1];
    ensures worse(c->status,\old(c->status)) && kept{Pre,Post}(c) && inside(c);
    ensures \old(c->n) <= c->n <= \old(c->n) + 1;
    ensures c->status == PM_OK ==> n <= PM_MAX_ELEMENTS;
    ensures c->status == PM_OK ==> 0 < n ==> noted(c,\old(c->n),p,n,0); */
void pm_in(pm_check *c, const char *name, const PM_MEMORY *p, int64_t n, size_t element);
/*@ requires inside(c) && c->n < PM_MAX_BUFFERS;
    requires c->status == PM_OK ==> 0 <= n && element == sizeof(float);
    assigns c->status, c->n, c->buffer[0 .. PM_MAX_BUFFERS-1];
    ensures worse(c->status,\old(c->status)) && kept{Pre,Post}(c) && inside(c);
    ensures \old(c->n) <= c->n <= \old(c->n) + 1;
    ensures c->status == PM_OK ==> n <= PM_MAX_ELEMENTS;
    ensures c->status == PM_OK ==> 0 < n ==> noted(c,\old(c->n),p,n,1); */
void pm_out(pm_check *c, const char *name, const PM_MEMORY *p, int64_t n, size_t element);
/* The workspace of ex: at least `bytes`, 16-byte aligned. Counts as an output. */
/*@ requires inside(c) && c->n < PM_MAX_BUFFERS && (c->status == PM_OK ==> \valid_read(c->ex));
    assigns c->status, c->n, c->buffer[0 .. PM_MAX_BUFFERS-1];
    ensures worse(c->status,\old(c->status)) && kept{Pre,Post}(c) && inside(c);
    ensures \old(c->n) <= c->n <= \old(c->n) + 1;
    ensures c->status == PM_OK ==> 0 < bytes ==>
      bytes <= \old(c->ex->work_bytes) && aligned16(\old(c->ex->work)) &&
      (bytes % 4 == 0 ==> noted(c,\old(c->n),\old(c->ex->work),bytes/4,1)); */
void pm_work(pm_check *c, size_t bytes);
/* The status word of ex, where the caller wants one. Counts as an output. */
void pm_status_word(pm_check *c);
/*@ requires inside(c);
    assigns c->status;
    ensures \result == c->status && worse(c->status,\old(c->status));
    ensures c->status == PM_OK ==> lie_apart(c); */
pm_status pm_checked(pm_check *c);

/* The index into `names` (n of them) of the variant asked for, or -1 where none was; an unknown
 * name is an error and gives -2. */
int pm_variant(pm_check *c, const char *const *names, int n);
/* The variant asked for cannot run: PM_UNSUITED, with the row's condition in words. */
pm_status pm_unsuited(const pm_check *c, const char *variant, const char *when);

#ifdef __FRAMAC__
/*@ assigns \nothing; ensures \result != 0 ==> aligned16(p); */
int pm_aligned16(const float *p);
#else
static inline int pm_aligned16(const void *p) { return ((uintptr_t)p & 15) == 0; }
#endif

#pragma GCC visibility pop
#endif
