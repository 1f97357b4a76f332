/* Targets out of range: then no output is written, and no host waits to know. An op with a gradient
 * looks at all targets in its first launch (targets.cu), which leaves a flag a block in the
 * workspace: the launch after it writes no gradient where one is set. A loss depends on what the
 * rows leave: in place of a loss, or of a sum of losses, REFUSED. */
#ifndef PM_LOSS_TARGETS_H
#define PM_LOSS_TARGETS_H
#include "../lang/vote.h"
#ifndef __FRAMAC__
#include "../launch.h"
#endif

/* No loss is negative: log s >= 0, as one term of s is exp(0), and x[target] <= m. */
#define REFUSED -1.0f

/* *status says that an argument is bad. Whoever finds so writes the same, and nobody reads it. */
#ifdef __FRAMAC__
/*@ requires \valid(status); assigns *status; */
void refuse_status(int *status);
#else
DEV void refuse_status(int *status) { *status = PM_BAD_ARGUMENT; }
#endif

/*@ // one of flags i, i + 32, .. below k is set
    predicate flagged{L}(float *bad, integer i, integer k) =
      \exists integer f; 0 <= f < k && f % 32 == i && bad[f] != 0.0;
    predicate flags_in{L}(float *bad, integer n) =
      0 <= n <= 0x7fffff00 && \valid_read(bad + (0 .. n-1)) && perm_r(bad,n);
    predicate flags_seen{L}(int *seen, integer t, float *bad, integer n) =
      \forall integer u; 0 <= u < t ==>
        (seen[u] == 0 || seen[u] == 1) && (seen[u] != 0 <==> flagged(bad,u % 32,n));
    // no target is out of range
    predicate clear{L}(float *bad, integer n) =
      \forall integer f; 0 <= f < n ==> bad[f] == 0.0;
    lemma mod_mod: \forall integer t; 0 <= t ==> (t % 32) % 32 == t % 32 && 0 <= t % 32 <= t;
    lemma mod_next: \forall integer k, i, f; 0 <= i < 32 ==> 0 <= k <= f < k + 32 ==>
      k % 32 == i ==> f % 32 == i ==> f == k;
    lemma flags_same{L}: \forall int *seen, float *bad, integer t, n, u; 0 <= u < t ==>
      flags_seen(seen,t,bad,n) ==> seen[u] == seen[u % 32];
    lemma flag_next{L}: \forall float *bad, integer i, k; 0 <= i < 32 ==> 0 <= k ==>
      k % 32 == i ==> (flagged(bad,i,k+32) <==> flagged(bad,i,k) || bad[k] != 0.0); */
/* Whether one of flags i, i + 32, .. of n is set. */
/*@ requires 0 <= i < 32 && flags_in(bad,n);
    assigns \nothing;
    ensures \result == 0 || \result == 1;
    ensures \result != 0 <==> flagged(bad,i,n); */
DEV int flag_set(int i, int n, const float *bad)
{
  int seen = 0;
  /*@ loop invariant 0 <= k < n + 32 && k % 32 == i && (seen == 0 || seen == 1);
      loop invariant seen != 0 <==> flagged(bad,i,k < n ? k : n);
      loop assigns k, seen;
      loop variant n - k; */
  UNROLL_BY(4)
  for (int k = i; k < n; k += 32)
    if (LDG(bad + k) != 0.0f)
      seen = 1;
  return seen;
}

/* Whether any of n flags is set. */
/*@ requires block && flags_in(bad,n);
    assigns \nothing;
    ensures \result == 0 <==> clear(bad,n); */
DEV int targets_refused(int n, const float *bad)
{
  PRIVATE(int, seen);
  /*@ loop invariant 0 <= t <= BDIM && flags_seen(&seen[0],t,bad,n);
      loop assigns t, seen[0 .. BDIM-1];
      loop variant BDIM - t; */
  EACH_THREAD(t) AT(seen, t) = flag_set(t % 32, n, bad);
  //@ assert flags_seen(&seen[0],BDIM,bad,n);
  //@ assert any: \forall integer f; 0 <= f < n ==> bad[f] != 0.0 ==> flagged(bad,f % 32,n);
  //@ assert one: \forall integer f; 0 <= f < n ==> bad[f] != 0.0 ==> seen[f % 32] != 0;
  return warp_or(seen);
}

#ifndef __FRAMAC__
/* ---- host ---- */

enum {
  TARGETS_EACH = 1024, /* targets of a block, at least */
  TARGETS_FLAGS = 128  /* blocks, at most: a warp reads all their flags */
};

typedef struct target_flags {
  const float *bad; /* (n): not 0 where a block has found a target out of range */
  int n;
} target_flags;

static inline int64_t targets_each(int64_t rows)
{
  int64_t each = rows / TARGETS_FLAGS + 1;
  return each < TARGETS_EACH ? (int64_t)TARGETS_EACH : each;
}

static inline int targets_blocks(int64_t rows)
{
  return rows > 0 ? (int)((rows - 1) / targets_each(rows) + 1) : 0;
}

/* Block b looks at targets b*each .. and sets bad[b]. */
extern "C" target_flags LAUNCHER(cross_entropy_targets)(void *stream, int64_t rows, int64_t cols,
                                                        const int64_t *target, float *bad,
                                                        int *status);
#endif
#endif
