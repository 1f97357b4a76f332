#include "device.h"

#include <string.h>

float *filled(int n, float x)
{
  ck_assert_int_eq(pm_sim.init(), PM_OK);
  float *p = pm_sim.alloc((size_t)n * sizeof *p);
  ck_assert_ptr_nonnull(p);
  for (int i = 0; i < n; i++)
    p[i] = x;
  return p;
}

float *numbered(int n, int from)
{
  float *p = filled(n + !n, 0);
  for (int i = 0; i < n; i++)
    p[i] = (float)(((from + i) * 7919 + 13) % 1009 - 504) / 37.0f;
  return p;
}

void done(pm_status s)
{
  ck_assert_msg(s == PM_OK, "%s", pm_sim.error());
  ck_assert_int_eq(pm_sim.sync(), PM_OK);
}

int poisoned(const float *p, int n)
{
  for (int i = 0; i < n; i++)
    if (p[i] != POISON)
      return 0;
  return 1;
}

void refused_with(pm_status s, const char *part, const char *and)
{
  ck_assert_int_eq(s, PM_BAD_ARGUMENT);
  ck_assert_text(pm_sim.error(), part);
  ck_assert_text(pm_sim.error(), and);
}

device device_begin(void)
{
  device d = {filled(DEVICE_N, 0), filled(DEVICE_N, POISON), filled(DEVICE_N, 0), {0}};
  for (int i = 0; i < DEVICE_N; i++)
    d.x[i] = (float)i;
  d.ex.work = d.work;
  d.ex.work_bytes = DEVICE_N * sizeof(float);
  return d;
}

void device_end(device *d)
{
  pm_sim.free(d->x);
  pm_sim.free(d->y);
  pm_sim.free(d->work);
}

int device_is(const float *y, int n, const float *want)
{
  for (int i = 0; i < n; i++)
    if (y[i] != want[i])
      return 0;
  return poisoned(y + n, DEVICE_N - n);
}

void device_refused(const device *d, pm_status s, const char *part, const char *and)
{
  refused_with(s, part, and);
  ck_assert(device_is(d->y, 0, NULL));
}
