/* What the kernels of attention are given, and which pairs of a query and a key are open.
 *
 * q, y, g, dq are (lead, nq, d), k, v, dk, dv (lead / group, nk, d), lse and delta (lead, nq), where
 * lead counts the query heads of all batches: head h reads KV head h / group. The mask is (nq, nk). */
#ifndef PM_ATTENTION_PROBLEM_H
#define PM_ATTENTION_PROBLEM_H
#include "../lang/async_copy.h"
#include "../math/elementary.h"
#include "../math/neg_inf.h"

#define MEMBER __device__ __forceinline__ /* DEV of a member */

struct attention {
  const float *q, *k, *v, *mask; /* mask: NULL where there is none */
  idx lead, group, nq, nk, d;
  idx last;    /* query i sees no key behind i + last */
  float scale; /* 1 / sqrt(d) */
  int causal;
};

/* Where a kernel has all that it needs in 32 bits, its row numbers are ints. */
template <bool SMALL> struct row_number {
  typedef idx type;
};
template <> struct row_number<true> {
  typedef int type;
};

DEV int is_open(const struct attention &a, idx query, idx key)
{
  return key < a.nk && query < a.nq && key <= query + a.last &&
         (!a.mask || a.mask[query * a.nk + key] == 0.0f);
}

/* Whether any key is open to a query. */
DEV int is_seen(const struct attention &a, idx query)
{
  const idx n = query + a.last < a.nk ? query + a.last + 1 : a.nk;
  if (!a.mask)
    return n > 0;
  for (idx key = 0; key < n; key++)
    if (a.mask[query * a.nk + key] == 0.0f)
      return 1;
  return 0;
}

/* larger: NaN where either is. in_place: v, but what is computed from it stays where it stands: ptxas
 * takes comparisons out of a branch that few tiles take, and makes them for all. */
#ifdef PM_SIM
DEV float larger(float a, float b) { return a > b || a != a ? a : b; }
template <class T> DEV T in_place(T v) { return v; }
#else
DEV float larger(float a, float b) { return pm_at_least(a, b); }
template <class T> DEV T in_place(T v)
{
  if (sizeof v == 4)
    asm volatile("" : "+r"(*(int *)&v));
  else
    asm volatile("" : "+l"(*(idx *)&v));
  return v;
}
#endif
#endif
