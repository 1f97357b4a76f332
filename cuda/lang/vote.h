/* Votes: __syncthreads_or and __any_sync, whether any thread says so. Three readings, as in
 * kernel.h; outside PHASE and EACH_THREAD.
 *   block_or(v)   whether v of any thread of the block is not 0; a barrier
 *   warp_or(v)    the same, of the lane's warp: where all warps have the same */
#ifndef PM_LANG_VOTE_H
#define PM_LANG_VOTE_H
#include "kernel.h"

#ifdef __FRAMAC__
/*@ predicate any_set{L}(int *v) = \exists integer t; 0 <= t < bdim_ && v[t] != 0;
    predicate none_set{L}(int *v, integer n) = \forall integer t; 0 <= t < n ==> v[t] == 0;
    predicate warps_same{L}(int *v) = \forall integer t; 0 <= t < bdim_ ==> v[t] == v[t % 32]; */
/*@ requires block && \valid_read(v + (0 .. bdim_-1));
    assigns \nothing;
    ensures \result != 0 <==> any_set(v); */
int block_or(const int *v);
/*@ requires block && \valid_read(v + (0 .. bdim_-1)) && warps_same(v);
    assigns \nothing;
    ensures \result != 0 <==> any_set(v); */
int warp_or(const int *v);
#else
DEV int block_or(int v) { return __syncthreads_or(v); }
DEV int warp_or(int v) { return __any_sync(0xffffffffu, v); }
#endif
#endif
