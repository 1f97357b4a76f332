/* Deterministic scatter-add by bucket sort, elements to a long tensor: y, (n), element r is
 * base[r] and the sum of u[i] over the i < k with index[i] = r. Two cells that neighbouring
 * indices name lie anywhere in memory, so what is added is dealt to `buckets` first, each for
 * 2^log_width elements side by side, of which a block has a list each in its shared memory:
 *   count  how many indices each bucket has
 *   place  each index goes, with its value, to its bucket's part of `entries`, in any order
 *   sum    the lists are built, in any order, and sorted before use as those of scatter_rows.h are;
 *          what is longer than LIGHT is put down in `longest`
 *   heavy  those are done as they are there, by a block each
 * Atomics decide where an entry lies and nothing else: the sums, and the order in which they are
 * made, are those of scatter_rows.h. */
#ifndef PM_GATHER_SCATTER_BUCKETS_H
#define PM_GATHER_SCATTER_BUCKETS_H
#include "scatter_rows.h"

enum {
  BUCKETS = 4096,    /* at most */
  BUCKET_BITS = 15,  /* of log_width, at most: 128 KB of shared memory */
  DEAL_BLOCK = 1024, /* threads that deal indices out */
  DEAL_EACH = 16,    /* indices of each */
  DEALT = DEAL_BLOCK * DEAL_EACH,
  LISTS_BLOCK = 512, /* threads that add up a bucket's lists */
  LISTS_EACH = 4     /* elements of each whose lists are followed at once */
};

typedef struct alignas(16) bucket_entry {
  uint32_t element;   /* of the bucket */
  uint32_t i, before; /* before: 1 + the entry before this one in its list, or 0 */
  float value;
} bucket_entry;

/* In the workspace; all words of `totals` .. `begin` are 0 before the first launch. */
typedef struct bucket_room {
  bucket_entry *entries; /* (k) */
  uint32_t *totals;      /* (buckets): indices of each */
  uint32_t *taken;       /* (buckets): of these have been placed */
  uint32_t *n_longest;   /* one word */
  uint32_t *begin;       /* (buckets + 1): a bucket's entries are begin[b] .. begin[b + 1] - 1 */
  uint32_t *longest;     /* (k / (LIGHT + 1)) */
} bucket_room;

/* This block's indices, and how many of them each bucket has; -1: none. */
DEV void count_buckets(idx n, idx k, int log_width, int buckets, const idx *RESTRICT index, int *r,
                       uint32_t *count)
{
  idx i0 = (idx)blockIdx.x * DEALT + TID_;
  for (int b = TID_; b < buckets; b += DEAL_BLOCK) count[b] = 0;
  UNROLL
  for (int j = 0; j < DEAL_EACH; j++) {
    idx i = i0 + j * DEAL_BLOCK, at = i < k ? LDI(index + i) : -1;
    r[j] = 0 <= at && at < n ? (int)at : -1;
  }
  __syncthreads();
  UNROLL
  for (int j = 0; j < DEAL_EACH; j++)
    if (r[j] >= 0)
      atomicAdd(count + (r[j] >> log_width), 1u); // lint-ok library: whole numbers
  __syncthreads();
}

KERNEL void __launch_bounds__(DEAL_BLOCK) bucket_count(idx n, idx k, int log_width, int buckets,
                                                       const idx *RESTRICT index, bucket_room room)
{
  SHARED(uint32_t, count, BUCKETS);
  int r[DEAL_EACH]; // lint-ok await: a register
  others_may_start();
  count_buckets(n, k, log_width, buckets, index, r, count); // lint-ok await: index is an input
  await_launches();
  for (int b = TID_; b < buckets; b += DEAL_BLOCK)
    if (count[b])
      atomicAdd(room.totals + b, count[b]); // lint-ok library: whole numbers
}

/* The sum of v over the threads before this one; s: 32 words. */
DEV uint32_t sum_before(uint32_t v, uint32_t *s)
{
  uint32_t own = v, w;
  for (int m = 1; m < 32; m *= 2) {
    w = __shfl_up_sync(0xffffffffu, v, (unsigned)m);
    v += TID_ % 32 >= m ? w : 0;
  }
  if (TID_ % 32 == 31)
    s[TID_ / 32] = v;
  __syncthreads();
  for (int j = 0; j < TID_ / 32; j++) v += s[j];
  return v - own;
}

/* What a block places is sorted by bucket in shared memory first, so that what goes side by side
 * into a bucket is written at once: partly written lines would leave the L2 before the rest
 * comes. */
typedef struct deal {
  float value[DEALT];
  int r[DEALT];
  uint16_t i[DEALT]; /* less the block's first */
} deal;

KERNEL void __launch_bounds__(DEAL_BLOCK)
    bucket_place(idx n, idx k, int log_width, int buckets, const idx *RESTRICT index,
                 const float *RESTRICT u, bucket_room room)
{
  DYNAMIC(deal, d);
  SHARED(uint32_t, count, BUCKETS);
  SHARED(uint32_t, base, BUCKETS); /* where a bucket's entries go, less where they lie in d */
  SHARED(uint32_t, s, 32);
  SHARED(uint32_t, s2, 32);
  SHARED(uint32_t, placed, 1);
  const int each = BUCKETS / DEAL_BLOCK, b0 = TID_ * each;
  const idx i0 = (idx)blockIdx.x * DEALT;
  int r[DEAL_EACH];
  uint32_t total[each], sum = 0, here = 0, begin, mine;
  count_buckets(n, k, log_width, buckets, index, r, count);
  UNROLL
  for (int j = 0; j < each; j++) {
    total[j] = b0 + j < buckets ? room.totals[b0 + j] : 0;
    sum += total[j];
    here += b0 + j < buckets ? count[b0 + j] : 0;
  }
  begin = sum_before(sum, s);
  mine = sum_before(here, s2);
  if (TID_ == DEAL_BLOCK - 1)
    placed[0] = mine + here;
  UNROLL
  for (int j = 0; j < each; j++) {
    int b = b0 + j;
    uint32_t n_here = b < buckets ? count[b] : 0;
    if (blockIdx.x == 0 && b < buckets)
      room.begin[b] = begin;
    if (blockIdx.x == 0 && b == buckets - 1)
      room.begin[buckets] = begin + total[j];
    if (n_here) {
      base[b] = begin - mine + atomicAdd(room.taken + b, n_here); // lint-ok library: whole numbers
      count[b] = mine;
    }
    begin += total[j];
    mine += n_here;
  }
  __syncthreads();
  UNROLL
  for (int j = 0; j < DEAL_EACH; j++)
    if (r[j] >= 0) {
      int i = TID_ + j * DEAL_BLOCK;
      uint32_t at = atomicAdd(count + (r[j] >> log_width), 1u); // lint-ok library: sorted later
      d->value[at] = LDG(u + i0 + i);
      d->r[at] = r[j];
      d->i[at] = (uint16_t)i;
    }
  __syncthreads();
  const uint32_t all = placed[0];
  for (uint32_t at = TID_; at < all; at += DEAL_BLOCK) {
    int element = d->r[at];
    bucket_entry e = {(uint32_t)element & ((1u << log_width) - 1), (uint32_t)i0 + d->i[at], 0,
                      d->value[at]};
    room.entries[base[element >> log_width] + at] = e;
  }
}

/* The sum over a list of up to FEW entries, in ascending order; its length, or FEW + 1. */
DEV int sum_few_entries(uint32_t first, const bucket_entry *entries, float *sum)
{
  uint32_t key[FEW];
  float v[FEW];
  int n = 0;
  UNROLL
  for (int j = 0; j < FEW; j++) key[j] = ~0u, v[j] = 0.0f;
  for (uint32_t at = first; at && n <= FEW; n++) {
    bucket_entry e = entries[at - 1];
    uint32_t x = e.i;
    float value = e.value;
    UNROLL
    for (int j = 0; j < FEW; j++) {
      bool less = x < key[j];
      uint32_t most = less ? key[j] : x;
      float with = less ? v[j] : value;
      key[j] = less ? x : key[j];
      v[j] = less ? value : v[j];
      x = most;
      value = with;
    }
    at = n < FEW ? e.before : 0;
  }
  *sum = v[0];
  UNROLL
  for (int j = 1; j < FEW; j++) *sum = j < n ? *sum + v[j] : *sum;
  return n;
}

/* The same over a list of up to LIGHT entries, by a warp; its length, or LIGHT + 1. */
DEV int sum_light_entries(uint32_t first, const bucket_entry *entries, float *sum)
{
  int lane = TID_ % 32, n = 0, rank = 0;
  uint32_t at = first, key = ~0u;
  float v = 0.0f, sorted = 0.0f;
  for (; at && n <= LIGHT; n++) {
    bucket_entry e = entries[at - 1];
    if (n == lane)
      key = e.i, v = e.value;
    at = n < LIGHT ? e.before : 0;
  }
  if (n > LIGHT)
    return n; // lint-ok diverge: a warp has one list
  for (int j = 0; j < n; j++) rank += __shfl_sync(0xffffffffu, key, j) < key;
  for (int j = 0; j < n; j++) {
    float other = __shfl_sync(0xffffffffu, v, j);
    if (__shfl_sync(0xffffffffu, rank, j) == lane)
      sorted = other;
  }
  *sum = __shfl_sync(0xffffffffu, sorted, 0);
  for (int j = 1; j < n; j++) *sum = *sum + __shfl_sync(0xffffffffu, sorted, j);
  return n;
}

/* y of the LISTS_EACH elements at + j LISTS_BLOCK < m of the bucket that y and base begin with; the
 * whole block comes along. */
DEV void sum_elements(int at, int m, const float *base, const uint32_t *head,
                      const bucket_entry *entries, float *y, idx r0, bucket_room room)
{
  int there[LISTS_EACH];
  uint32_t first[LISTS_EACH];
  float old[LISTS_EACH], sum[LISTS_EACH];
  bucket_entry e[LISTS_EACH];
  unsigned more = 0, longer = 0;
  UNROLL
  for (int j = 0; j < LISTS_EACH; j++) {
    there[j] = at + j * LISTS_BLOCK < m;
    first[j] = there[j] ? head[at + j * LISTS_BLOCK] : 0;
    old[j] = there[j] && base && (base != y || first[j]) ? base[at + j * LISTS_BLOCK] : 0.0f;
  }
  UNROLL
  for (int j = 0; j < LISTS_EACH; j++) {
    e[j].before = 0, e[j].value = 0.0f;
    if (first[j])
      e[j] = entries[first[j] - 1];
  }
  /* A sum of two does not depend on their order. */
  UNROLL
  for (int j = 0; j < LISTS_EACH; j++) {
    sum[j] = e[j].value;
    if (e[j].before) {
      bucket_entry q = entries[e[j].before - 1];
      sum[j] = sum[j] + q.value;
      more |= (unsigned)(q.before != 0) << j;
    }
  }
  for (unsigned left = more; left; left &= left - 1) {
    int of = __ffs((int)left) - 1;
    uint32_t list = 0;
    float s;
    UNROLL
    for (int j = 0; j < LISTS_EACH; j++) list = j == of ? first[j] : list;
    longer |= (unsigned)(sum_few_entries(list, entries, &s) > FEW) << of;
    UNROLL
    for (int j = 0; j < LISTS_EACH; j++) sum[j] = j == of ? s : sum[j];
  }
  UNROLL
  for (int j = 0; j < LISTS_EACH; j++) {
    unsigned many = __ballot_sync(0xffffffffu, longer >> j & 1);
    int mine = 1;
    for (; many; many &= many - 1) {
      int of = __ffs((int)many) - 1;
      float s = 0.0f;
      int n = sum_light_entries(__shfl_sync(0xffffffffu, first[j], of), entries, &s);
      sum[j] = TID_ % 32 == of ? s : sum[j];
      mine = TID_ % 32 == of ? n <= LIGHT : mine;
    }
    if (!mine)
      room.longest[atomicAdd(room.n_longest, 1u)] = // lint-ok library: each is done by itself
          (uint32_t)(r0 + at + j * LISTS_BLOCK);
    else if (there[j] && (first[j] || base != y))
      y[at + j * LISTS_BLOCK] = !base ? sum[j] : first[j] ? old[j] + sum[j] : old[j];
  }
}

/* Block b does bucket b. base may be NULL, or y. */
KERNEL void __launch_bounds__(LISTS_BLOCK)
    bucket_sum(idx n, int log_width, const float *base, bucket_room room, float *y)
{
  DYNAMIC(uint32_t, head);
  idx r0 = (idx)blockIdx.x << log_width;
  int m = n - r0 < 1 << log_width ? (int)(n - r0) : 1 << log_width;
  for (int r = TID_; r < m; r += LISTS_BLOCK) head[r] = 0;
  others_may_start();
  __syncthreads();
  await_launches();
  uint32_t hi = room.begin[blockIdx.x + 1];
  UNROLL_BY(4)
  for (uint32_t e = room.begin[blockIdx.x] + TID_; e < hi; e += LISTS_BLOCK) {
    uint32_t before = atomicExch(head + room.entries[e].element, e + 1); // lint-ok library: sorted
    if (before)
      room.entries[e].before = before;
  }
  __syncthreads();
  for (int at = 0; at < m; at += LISTS_EACH * LISTS_BLOCK)
    sum_elements(at + TID_, m, base ? base + r0 : NULL, head, room.entries, y + r0, r0, room);
}

KERNEL void __launch_bounds__(BLOCK)
    bucket_heavy(idx k, const float *base, const idx *RESTRICT index, const float *RESTRICT u,
                 bucket_room room, float *y)
{
  SHARED(float, part, 32);
  await_launches();
  uint32_t n = *room.n_longest;
  for (uint32_t at = blockIdx.x; at < n; at += gridDim.x) {
    idx r = room.longest[at];
    float s = sum_heavy(r, 0, k, 1, index, u, part);
    if (TID_ == 0)
      y[r] = base ? base[r] + s : s;
  }
}

/* ---- host ---- */

static inline int bucket_log_width(idx n)
{
  int log = 7; /* BLOCK */
  while ((n - 1) >> log >= BUCKETS) log++;
  return log;
}

static inline int buckets_suited(idx n, idx k)
{
  return n <= (idx)BUCKETS << BUCKET_BITS && k < UINT32_MAX;
}

static inline idx buckets_of(idx n) { return n ? ((n - 1) >> bucket_log_width(n)) + 1 : 0; }

static inline idx bucket_bytes(idx n, idx k)
{
  return 16 * k + 4 * (3 * buckets_of(n) + 2 + k / (LIGHT + 1));
}

static inline bucket_room bucket_room_in(void *work, idx n, idx k)
{
  idx buckets = buckets_of(n);
  bucket_room room;
  room.entries = (bucket_entry *)work;
  room.totals = (uint32_t *)(room.entries + k);
  room.taken = room.totals + buckets;
  room.n_longest = room.taken + buckets;
  room.begin = room.n_longest + 1;
  room.longest = room.begin + buckets + 1;
  return room;
}
#endif
