#include "check.h"

#ifndef __FRAMAC__
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static __thread char message[512];

pm_status pm_fail(pm_status status, const char *op, const char *format, ...)
{
  va_list args;
  int n = snprintf(message, sizeof message, "%s: ", op);
  va_start(args, format);
  if (n >= 0 && (size_t)n < sizeof message)
    vsnprintf(message + n, sizeof message - (size_t)n, format, args);
  va_end(args);
  return status;
}

const char *pm_error(void) { return message; }

void pm_clear_error(void) { message[0] = 0; }

#define FAIL(...) (c->status = pm_fail(PM_BAD_ARGUMENT, c->op, __VA_ARGS__))
#define overflows __builtin_mul_overflow
#define ADDRESS(p) ((uintptr_t)(p))
#define ADDRESSES(c)
#else
#define FAIL(...) (c->status = PM_BAD_ARGUMENT)
/*@ requires \valid(n); assigns *n; ensures \result == 0 ==> *n == ix(a,b,0); */
int overflows(int64_t a, int64_t b, int64_t *n);
/*@ // of two buffers the addresses are others
    predicate elsewhere{L}(pm_check *c, integer i, integer j) =
      c->buffer[i].at + c->buffer[i].bytes <= c->buffer[j].at ||
      c->buffer[j].at + c->buffer[j].bytes <= c->buffer[i].at; */
#define ADDRESS(p) address_(p)
/*@ assigns \nothing; ensures \result == (uintptr_t)p && (\result % 16 == 0 ==> aligned16(p)); */
uintptr_t address_(const float *p);
#define ADDRESSES(c) addresses_(c)
/*@ assigns \nothing;
    ensures \forall integer i, j, float *p, *q, integer m, n, one, other; noted(c,i,p,m,one) ==>
      noted(c,j,q,n,other) ==> elsewhere(c,i,j) ==> apart(p,m,q,n) && apart(q,n,p,m); */
void addresses_(const pm_check *c);
#endif
#define LARGEST 0x1.fffffep127f

pm_check pm_begin(const char *op, const pm_exec *ex)
{
  pm_check fresh = {op, ex, PM_OK, 0, {{NULL, 0, 0, 0}}}, *c = &fresh;
  if (!ex)
    FAIL("exec = NULL: must point to a pm_exec");
  return fresh;
}

void pm_size(pm_check *c, const char *name, int64_t v)
{
  if (c->status == PM_OK && v < 0)
    FAIL("%s = %" PRId64 ": must be >= 0", name, v);
}

void pm_filled(pm_check *c, const char *name, int64_t v)
{
  if (c->status == PM_OK && v < 1)
    FAIL("%s = %" PRId64 ": must be >= 1", name, v);
}

void pm_flag(pm_check *c, const char *name, int v)
{
  if (c->status == PM_OK && v != 0 && v != 1)
    FAIL("%s = %d: must be 0 or 1", name, v);
}

void pm_ordered(pm_check *c, const char *lo_name, float lo, const char *hi_name, float hi)
{
  if (c->status == PM_OK && !(lo <= hi))
    FAIL("%s = %g, %s = %g: must be numbers with %s <= %s", lo_name, (double)lo, hi_name,
         (double)hi, lo_name, hi_name);
}

void pm_positive(pm_check *c, const char *name, float v)
{
  if (c->status == PM_OK && !(v > 0 && v <= LARGEST))
    FAIL("%s = %g: must be > 0 and finite", name, (double)v);
}

int64_t pm_times(pm_check *c, const char *a_name, int64_t a, const char *b_name, int64_t b)
{
  int64_t n;
  if (c->status != PM_OK)
    return 0;
  if (overflows(a, b, &n) || n > PM_MAX_ELEMENTS) {
    FAIL("%s*%s = %" PRId64 "*%" PRId64 ": must be at most 2^60-1 elements", a_name, b_name, a, b);
    return 0;
  }
  return n;
}

#ifndef __FRAMAC__
int64_t pm_shape(pm_check *c, const char *rank_name, int rank, const char *name,
                 const int64_t *shape)
{
  int64_t n = 1;
  int empty = 0, over = 0;
  if (c->status == PM_OK && (rank < 0 || rank > PM_MAX_RANK))
    FAIL("%s = %d: must be from 0 to %d", rank_name, rank, PM_MAX_RANK);
  else if (c->status == PM_OK && rank > 0 && !shape)
    FAIL("%s = NULL: must point to %d sizes", name, rank);
  for (int d = 0; c->status == PM_OK && d < rank; d++) {
    if (shape[d] < 0)
      FAIL("%s[%d] = %" PRId64 ": must be >= 0", name, d, shape[d]);
    empty = empty || shape[d] == 0;
    over = over || __builtin_mul_overflow(n, shape[d], &n) || n > PM_MAX_ELEMENTS;
  }
  if (c->status == PM_OK && over && !empty)
    FAIL("%s has %d sizes whose product must be at most 2^60-1 elements", name, rank);
  return c->status != PM_OK || empty ? 0 : n;
}
#endif

/*@ requires inside(c) && c->n < PM_MAX_BUFFERS && 0 < align && c->status == PM_OK;
    assigns c->status, c->n, c->buffer[0 .. PM_MAX_BUFFERS-1];
    ensures inside(c) && kept{Pre,Post}(c) && \old(c->n) <= c->n <= \old(c->n) + 1;
    ensures c->status == PM_OK ==> align == 16 ==> aligned16(p);
    ensures \forall integer n; c->status == PM_OK ==> 0 < bytes == 4*n ==>
      noted(c,\old(c->n),p,n,writes); */
static void add_buffer(pm_check *c, const char *name, const PM_MEMORY *p, size_t bytes,
                       size_t align, int writes)
{
  if (!p && bytes)
    FAIL("%s = NULL: must point to %zu bytes", name, bytes);
  else if (ADDRESS(p) % align)
    FAIL("%s = %p: must be aligned to %zu bytes", name, p, align);
  else if (bytes > UINTPTR_MAX - ADDRESS(p))
    FAIL("%s = %p: %zu bytes must end inside the address space", name, p, bytes);
  else if (bytes && c->n < PM_MAX_BUFFERS) {
    pm_buffer *b = &c->buffer[c->n++];
    b->name = name;
    b->at = ADDRESS(p);
    b->bytes = bytes;
    b->writes = writes;
  }
}

/*@ requires inside(c) && c->n < PM_MAX_BUFFERS;
    requires c->status == PM_OK ==> 0 <= n && element == sizeof(float);
    assigns c->status, c->n, c->buffer[0 .. PM_MAX_BUFFERS-1];
    ensures inside(c) && kept{Pre,Post}(c) && \old(c->n) <= c->n <= \old(c->n) + 1;
    ensures worse(c->status,\old(c->status)) && (c->status == PM_OK ==> n <= PM_MAX_ELEMENTS);
    ensures c->status == PM_OK ==> 0 < n ==> noted(c,\old(c->n),p,n,writes); */
static void add_tensor(pm_check *c, const char *name, const PM_MEMORY *p, int64_t n, size_t element,
                       int writes)
{
  if (c->status != PM_OK)
    return;
  if (n > PM_MAX_ELEMENTS)
    FAIL("%s: %" PRId64 " elements: must be at most 2^60-1", name, n);
  else
    add_buffer(c, name, p, (size_t)n * element, element, writes);
}

void pm_in(pm_check *c, const char *name, const PM_MEMORY *p, int64_t n, size_t element)
{
  add_tensor(c, name, p, n, element, 0);
}

void pm_out(pm_check *c, const char *name, const PM_MEMORY *p, int64_t n, size_t element)
{
  add_tensor(c, name, p, n, element, 1);
}

void pm_work(pm_check *c, size_t bytes)
{
  if (c->status != PM_OK || !bytes)
    return;
  if (!c->ex->work)
    FAIL("work = NULL: must point to %zu bytes", bytes);
  else if (c->ex->work_bytes < bytes)
    FAIL("work_bytes = %zu: must be at least %zu", c->ex->work_bytes, bytes);
  else
    add_buffer(c, "work", c->ex->work, bytes, 16, 1);
}

#ifndef __FRAMAC__
void pm_status_word(pm_check *c)
{
  if (c->status == PM_OK && c->ex->status)
    add_buffer(c, "status", c->ex->status, sizeof(int), sizeof(int), 1);
}

#endif

pm_status pm_checked(pm_check *c)
{
  /*@ loop invariant 0 <= i <= c->n && worse(c->status,\at(c->status,Pre));
      loop invariant c->status == PM_OK ==> \forall integer k, l; 0 <= k < i ==> 0 <= l < c->n ==>
        k != l ==> c->buffer[k].writes != 0 ==> c->buffer[l].writes == 0 || k <= l ==>
        elsewhere(c,k,l);
      loop assigns i, c->status;
      loop variant c->n - i; */
  for (int i = 0; i < c->n && c->status == PM_OK; i++)
    /*@ loop invariant 0 <= j <= c->n && worse(c->status,\at(c->status,LoopEntry));
        loop invariant c->status == PM_OK ==> \forall integer l; 0 <= l < j ==> i != l ==>
          c->buffer[i].writes != 0 ==> c->buffer[l].writes == 0 || i <= l ==> elsewhere(c,i,l);
        loop assigns j, c->status;
        loop variant c->n - j; */
    for (int j = 0; j < c->n && c->status == PM_OK; j++) {
      const pm_buffer *a = &c->buffer[i], *b = &c->buffer[j];
      if (i == j || !a->writes || (b->writes && j < i))
        continue;
      if (a->at < b->at + b->bytes && b->at < a->at + a->bytes)
        FAIL("%s = %p (%zu bytes) overlaps %s = %p (%zu bytes): must not overlap", a->name,
             (void *)a->at, a->bytes, b->name, (void *)b->at, b->bytes);
    }
  ADDRESSES(c);
  return c->status;
}

#ifndef __FRAMAC__
int pm_variant(pm_check *c, const char *const *names, int n)
{
  char known[160] = "";
  size_t used = 0;
  if (c->status != PM_OK)
    return -2;
  if (!c->ex->variant)
    return -1;
  for (int i = 0; i < n; i++) {
    int w;
    if (!strcmp(c->ex->variant, names[i]))
      return i;
    w = snprintf(known + used, sizeof known - used, "%s%s", i ? ", " : "", names[i]);
    used += w > 0 && (size_t)w < sizeof known - used ? (size_t)w : 0;
  }
  FAIL("variant = \"%.80s\": must be one of %s", c->ex->variant, known);
  return -2;
}

pm_status pm_unsuited(const pm_check *c, const char *variant, const char *when)
{
  return pm_fail(PM_UNSUITED, c->op, "variant = \"%s\": needs %s", variant, when);
}
#endif
