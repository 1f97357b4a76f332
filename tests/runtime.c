#include "runtime.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

/* A size that no machine has is an error to the runtime, and none to AddressSanitizer. */
const char *__asan_default_options(void);
const char *__asan_default_options(void) { return "allocator_may_return_null=1"; }

static const char *const BACKENDS[N_BACKENDS] = {"ref", "sim", "shadow:sim"};

pmr_context opened(int backend)
{
  pmr_context c = NULL;
  OK(pmr_open(BACKENDS[backend], &c));
  return c;
}

void closed(pmr_context c)
{
  int64_t handles, bytes;
  OK(pmr_usage(c, &handles, &bytes));
  ck_assert_int_eq(handles, 0);
  ck_assert_int_eq(bytes, 0);
  OK(pmr_close(c));
}

pmr_tensor f32(pmr_context c, const float *x, int rank, ...)
{
  int64_t shape[PMR_RANK];
  pmr_tensor t = NULL;
  va_list args;
  va_start(args, rank);
  for (int i = 0; i < rank; i++)
    shape[i] = va_arg(args, int);
  va_end(args);
  OK(pmr_from_host(c, PMR_F32, rank, shape, x, &t));
  return t;
}

pmr_tensor i64(pmr_context c, const int64_t *x, int64_t n)
{
  pmr_tensor t = NULL;
  OK(pmr_from_host(c, PMR_I64, 1, &n, x, &t));
  return t;
}

pmr_tensor op1(pmr_context c, const char *op, pmr_tensor a, pmr_tensor b, const pmr_attr *attrs)
{
  pmr_tensor in[2] = {a, b}, y = NULL;
  OK(pmr_call(c, op, in, b ? 2 : 1, attrs, &y, 1));
  return y;
}

void is(pmr_tensor t, const float *want, int64_t n)
{
  float got[64];
  ck_assert_int_le(n, 64);
  OK(pmr_to_host(t, PMR_F32, got, n));
  for (int64_t i = 0; i < n; i++)
    ck_assert_msg(got[i] == want[i] || (isnan(got[i]) && isnan(want[i])), "[%d] is %.9g, not %.9g",
                  (int)i, (double)got[i], (double)want[i]);
}

void grad_is(pmr_tensor t, const float *want, int64_t n)
{
  pmr_tensor g = NULL;
  OK(pmr_grad(t, &g));
  is(g, want, n);
  OK(pmr_release(g));
}

void no_memory_anywhere(int backend, pmr_status (*work)(pmr_context c))
{
  int n = 0;
  for (int going = 1; going; n++) {
    int64_t handles, bytes;
    pmr_context c = NULL;
    allocation_fail(n);
    pmr_status s = pmr_open(BACKENDS[backend], &c);
    s = s ? s : work(c);
    going = allocation_failed();
    allocation_fail(-1);
    if (going) {
      ck_assert_msg(s == PMR_NO_MEMORY, "allocation %d: %s: %s", n, pmr_status_name(s),
                    pmr_error());
      ck_assert_text(pmr_error(), "no memory");
    } else
      OK(s);
    if (!c)
      continue;
    OK(pmr_usage(c, &handles, &bytes));
    ck_assert_int_eq(handles, 0);
    ck_assert_int_eq(bytes, 0);
    OK(work(c)); /* the context is as good as before */
    closed(c);
  }
  ck_assert_int_gt(n, 10);
}
