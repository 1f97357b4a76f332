/* What the ops with heads share: their first three sizes, which sizes are drawn, what is asked of a result. */
#ifndef DIFFCHECK_HEADS_H
#define DIFFCHECK_HEADS_H
#include "glue.h"

enum { BATCH, HEADS, KV_HEADS };

#define POLICY_ATTENTION                                                                  \
  POLICY_LOOSE " A row in which all keys are blocked is 0, and its lse -Inf. A key that " \
               "is blocked takes no part; where k or v is not finite there, nothing is asked."

static inline const char *check_groups(const int64_t *size, const double *attr)
{
  (void)attr;
  int64_t heads = size[HEADS], kv_heads = size[KV_HEADS];
  if (kv_heads ? heads % kv_heads != 0 : heads != 0)
    return dc_why("heads = %lld must be a multiple of kv_heads = %lld", (long long)heads,
                  (long long)kv_heads);
  return NULL;
}

static inline int64_t one_of(dc_rng *r, const int64_t *list, int n)
{
  return list[dc_rng_below(r, n)];
}
#define ONE_OF(r, ...) \
  one_of(r, (const int64_t[]){__VA_ARGS__}, (int)(sizeof((const int64_t[]){__VA_ARGS__}) / 8))

/* Groups of 1, 2, 8 and others; lengths about tiles of 64 and 128, more queries than keys and fewer;
 * head dimensions of models, 1, and odd ones. `most` products at most. */
static inline void draw_groups(dc_rng *r, int64_t *size)
{
  size[BATCH] = ONE_OF(r, 1, 1, 2, 3);
  size[KV_HEADS] = ONE_OF(r, 1, 1, 1, 2, 3);
  size[HEADS] = size[KV_HEADS] * ONE_OF(r, 1, 1, 1, 2, 4, 8);
}

static inline int64_t draw_length(dc_rng *r)
{
  return ONE_OF(r, 1, 1, 2, 3, 7, 16, 17, 31, 33, 63, 64, 65, 127, 128, 129);
}

static inline int64_t draw_width(dc_rng *r)
{
  return ONE_OF(r, 1, 2, 3, 4, 7, 16, 33, 64, 64, 64, 80, 127, 128, 128, 130, 256);
}

static inline int64_t cost(const int64_t *size, int from, int to)
{
  int64_t n = 1;
  for (int i = from; i < to; i++)
    n *= size[i];
  return n;
}

#endif
