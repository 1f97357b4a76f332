/* Partial sums of split channels: how blocks that have parts of them (part.h) leave sums, add up
 * what the blocks of the launch before left, and store vectors of a tensor (n, channels, size). */
#ifndef PM_BATCH_NORM_PART_STORE_H
#define PM_BATCH_NORM_PART_STORE_H
#include "part.h"

/*@ predicate batch_tensor{L}(float *x, integer n, integer channels, integer size, integer V,
                              integer aligned) =
      reads(x,batch_all(n,channels,size)) && (aligned != 0 ==> aligned16(x) && size == 4*V); */

/* Cell (c, p) of out becomes v; in the kernel nothing else changes. */
/*@ requires block && 0 <= c < channels && 0 <= p < parts && writes(out,ix(channels,parts,0));
    requires apart(x,batch_all(n,channels,size),out,ix(channels,parts,0));
    requires squares != 0 ==> apart(sums,ix(channels,parts,0),out,ix(channels,parts,0));
    assigns out[ix(c,parts,p)];
    ensures out[ix(c,parts,p)] == v && Same{Pre,Post}(out,ix(c,parts,p));
    ensures Same{Pre,Post}(x,batch_all(n,channels,size));
    ensures squares != 0 ==> Same{Pre,Post}(sums,ix(channels,parts,0)); */
DEV void batch_leave(float v, idx channels, idx parts, idx c, idx p,
                     float *RESTRICT out GHOST_PARAMS(int squares, idx n, idx size, const float *x,
                                                      const float *sums))
{
  idx to = at2(channels, parts, c, p);
  block_put(v, out + to);
}

/* What the parts of the block's channel add up to, for all threads. */
/*@ requires block && batch_ok(b) && 0 < parts && reads(part,ix(b.channels,parts,0));
    assigns \nothing;
    ensures \result == SumR{Pre}(part,ix(b.c,parts,0),ix(b.c+1,parts,0)); */
DEV float batch_sum(batch_part b, idx parts, const float *RESTRICT part)
{
  //@ assert 0 <= ix(b.c,parts,0) && ix(b.c,parts,0) + parts == ix(b.c+1,parts,0);
  //@ assert ix(b.c+1,parts,0) <= ix(b.channels,parts,0);
  idx from = at2(b.channels, parts, b.c, 0);
  return batch_total(from, from + parts, part);
}

/*@ // what a thread writes for vector j of row i of channel c
    predicate batch_W(integer channels, integer size, integer c, integer i, integer j, integer k) =
      ix(ix(i,channels,c),size,4*j) <= k < ix(ix(i,channels,c),size,4*j) + lesser(4,size-4*j);
    predicate batch_vec_W(integer r, integer size, integer j, integer k) =
      4*j <= k - ix(r,size,0) < lesser(4*j+4,size);
    lemma vec_W: \forall integer channels, size, c, i, j, k; batch_W(channels,size,c,i,j,k) ==>
      batch_vec_W(ix(i,channels,c),size,j,k);
    lemma race_vec: \forall integer r, s, j, l, size, k; 0 <= j ==> 0 <= l ==> 0 < size ==>
      (r != s || j != l) ==> batch_vec_W(r,size,j,k) ==> !batch_vec_W(s,size,l,k);
    lemma race_batch: \forall integer channels, size, c, i, j, d, k, l, o; 0 <= c < channels ==>
      0 <= d < channels ==> 0 <= j ==> 0 <= l ==> 0 < size ==>
      (c != d || i != k || j != l) ==> batch_W(channels,size,c,i,j,o) ==>
      !batch_W(channels,size,d,k,l,o); */

/*@ requires batch_ok(b) && 0 <= w.row < b.n && 0 <= w.col < b.V;
    requires \valid(y + (0 .. batch_all(b.n,b.channels,b.size)-1));
    requires aligned != 0 ==> aligned16(y) && b.size == 4*b.V;
    requires \forall integer k; batch_W(b.channels,b.size,b.c,w.row,w.col,k) ==> W(y+k);
    assigns y[batch_row(b,w)+4*w.col .. batch_row(b,w)+4*w.col+batch_have(b,w)-1];
    ensures y[batch_row(b,w)+4*w.col] == v.x;
    ensures 4*w.col+1 < b.size ==> y[batch_row(b,w)+4*w.col+1] == v.y;
    ensures 4*w.col+2 < b.size ==> y[batch_row(b,w)+4*w.col+2] == v.z;
    ensures 4*w.col+3 < b.size ==> y[batch_row(b,w)+4*w.col+3] == v.w; */
DEV void batch_store(batch_part b, batch_at w, int aligned, float4 v, float *RESTRICT y)
{
  idx o = batch_offset(b, w);
  int have = batch_elements(b, w, aligned);
  //@ assert o == ix(ix(w.row,b.channels,b.c),b.size,4*w.col);
  //@ assert aligned != 0 ==> have == 4;
  if (aligned)
    store4_streaming(y + o, v);
  else
    STG(y + o, v.x);
  if (!aligned && 1 < have)
    STG(y + o + 1, v.y);
  if (!aligned && 2 < have)
    STG(y + o + 2, v.z);
  if (!aligned && 3 < have)
    STG(y + o + 3, v.w);
}

/*@ predicate batch_puts{L}(batch_part b, float *y, integer aligned) =
      \valid(y + (0 .. batch_all(b.n,b.channels,b.size)-1)) &&
      perm_w(y,batch_all(b.n,b.channels,b.size)) &&
      (aligned != 0 ==> aligned16(y) && b.size == 4*b.V);
    predicate batch_apart{L}(batch_part b, float *x, float *y) =
      apart(x,batch_all(b.n,b.channels,b.size),y,batch_all(b.n,b.channels,b.size));
    // where none of the outputs lies over an input or another
    predicate batch_over{L}(float *a, integer k, float *y, float *mean, float *rstd, integer all,
                            integer channels) =
      apart(a,k,y,all) && apart(a,k,mean,channels) && apart(a,k,rstd,channels);
    predicate batch_outs{L}(float *y, float *mean, float *rstd, integer all, integer channels) =
      apart(y,all,mean,channels) && apart(y,all,rstd,channels) &&
      apart(mean,channels,rstd,channels); */
#endif
