/* Grid plan of a sum over a vector: from its length alone. A first launch leaves a sum a block in
 * the workspace, a second, of one block, adds those up. Where one block is enough there is one
 * launch. */
#ifndef PM_SUM_PLAN_H
#define PM_SUM_PLAN_H
#include "../lang/kernel.h"

enum { SUM_BLOCK = 256, SUM_MOST_BLOCKS = 4224 }; /* 32 blocks for each of 132 processors */

/* Vectors of a block: whole rounds of its threads, few enough blocks to be added up by one. */
/*@ logic integer SumRounds(integer chunk) = (chunk + SUM_BLOCK - 1) / SUM_BLOCK * SUM_BLOCK;
    logic integer SumChunk(integer V) =
      V <= 16*SUM_BLOCK ? (0 < V ? V : 1) :
      SumRounds(V/SUM_MOST_BLOCKS + 1 < 4*SUM_BLOCK ? 4*SUM_BLOCK : V/SUM_MOST_BLOCKS + 1);
    logic integer SumBlocks(integer V, integer chunk) = V <= chunk ? 1 : (V - 1) / chunk + 1; */
/*@ requires 0 <= V <= IDX_LIM;
    assigns \nothing;
    ensures \result == SumChunk(V) && 0 < \result <= V + SUM_BLOCK;
    ensures V < SUM_MOST_BLOCKS*\result; */
static inline idx sum_chunk(idx V)
{
  idx chunk = V / SUM_MOST_BLOCKS + 1;
  if (V <= 16 * SUM_BLOCK)
    return V > 0 ? V : 1;
  chunk = chunk < 4 * SUM_BLOCK ? 4 * SUM_BLOCK : chunk;
  return (chunk + SUM_BLOCK - 1) / SUM_BLOCK * SUM_BLOCK;
}

/*@ requires 0 <= V <= IDX_LIM && 0 < chunk <= IDX_LIM && V < SUM_MOST_BLOCKS*chunk;
    assigns \nothing;
    ensures \result == SumBlocks(V,chunk) && 1 <= \result <= SUM_MOST_BLOCKS;
    ensures ix(\result-1,chunk,0) <= V <= ix(\result,chunk,0) <= V + chunk; */
static inline idx sum_n_blocks(idx V, idx chunk)
{
  //@ assert whole: (V - 1) / chunk * chunk <= V - 1 || V == 0;
  //@ assert rest: V - 1 < ((V - 1) / chunk + 1) * chunk;
  /*@ assert few: SUM_MOST_BLOCKS <= (V - 1) / chunk ==>
        SUM_MOST_BLOCKS*chunk <= (V - 1) / chunk * chunk; */
  //@ assert one: ix(0,chunk,0) == 0 && ix(1,chunk,0) == chunk;
  //@ assert at: ix((V - 1) / chunk,chunk,0) == (V - 1) / chunk * chunk;
  //@ assert next: ix((V - 1) / chunk + 1,chunk,0) == ix((V - 1) / chunk,chunk,0) + chunk;
  return V <= chunk ? 1 : (V - 1) / chunk + 1;
}

/* Additions above an element: in its vector, along its thread, the first to 0, after it the
 * rest's rounds, then 5 across the warp and 3 across the block's 8 warps. */
static inline double sum_block_height(idx vectors, idx rest)
{
  idx rounds = vectors / SUM_BLOCK + (vectors % SUM_BLOCK != 0);
  idx more = rest / SUM_BLOCK + (rest % SUM_BLOCK != 0);
  return (double)(rounds ? 2 + rounds - 1 + more : more ? more - 1 : 0) + 8;
}

static inline double sum_height(idx n)
{
  idx V = n / 4, chunk = sum_chunk(V), blocks = sum_n_blocks(V, chunk);
  double height = sum_block_height(chunk < V ? chunk : V, n - 4 * V);
  return blocks == 1 ? height : height + sum_block_height(blocks / 4, blocks % 4);
}

/* Sums that the first launch leaves, 0 where there is no other. */
/*@ requires 0 <= n <= IDX_LIM;
    assigns \nothing;
    ensures 0 <= \result <= SUM_MOST_BLOCKS;
    ensures SumBlocks(n/4,SumChunk(n/4)) != 1 ==> \result == SumBlocks(n/4,SumChunk(n/4)); */
static inline idx sum_parts(idx n)
{
  idx V = n / 4, blocks = sum_n_blocks(V, sum_chunk(V));
  return blocks == 1 ? 0 : blocks;
}
#endif
