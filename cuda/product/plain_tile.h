/* A block's part in matmul_plain (plain.h): a tile of 16 x 16 outputs, one a thread, through tiles
 * of both operands in shared memory. */
#ifndef PM_PRODUCT_PLAIN_TILE_H
#define PM_PRODUCT_PLAIN_TILE_H
#include "../lang/owned.h"
#include "../lang/owned_cells.h"
#include "../math/fused.h"
#include "../../spec/matmul.h"
#include "../../spec/walk.h"

#define SIDE 16    /* of a tile */
#define SQUARE 256 /* its cells, and the threads of a block */

/*@ // the tile of rows from i0, columns from j0 on, cell (y,x) of which is element ix(y,SIDE,x)
    predicate in_tile(integer i, integer j, integer i0, integer j0) =
      i0 <= i < i0 + SIDE && j0 <= j < j0 + SIDE;
    // the first upto cells of s are those of the tile of A, stored by t, that it has
    predicate squared{L0,L}(float *s, float *a, integer t, integer rows, integer cols, integer i0,
                            integer j0, integer upto) =
      \forall integer i, j; 0 <= i < rows ==> 0 <= j < cols ==> in_tile(i,j,i0,j0) ==>
        ix(i-i0,SIDE,j-j0) < upto ==>
        \at(s[ix(i-i0,SIDE,j-j0)],L) == \at(a[ixt(t,rows,cols,i,j)],L0);
    // threads from .. to-1 have summed the first p products of their outputs
    predicate summed{L0,L}(float *acc, float *a, float *b, integer ta, integer tb, integer m,
                           integer k, integer n, integer i0, integer j0, integer from, integer to,
                           integer p) =
      \forall integer i, j; 0 <= i < m ==> 0 <= j < n ==> in_tile(i,j,i0,j0) ==>
        from <= ix(i-i0,SIDE,j-j0) < to ==>
        \at(acc[ix(i-i0,SIDE,j-j0)],L) == MatDot{L0}(ta,tb,a,b,m,k,n,i,j,p);
    // it matters not in which state A and B are read
    lemma summed_later{L0,L1,L}: \forall float *acc, *a, *b, integer ta, tb, m, k, n, i0, j0, from,
      to, p; Same{L0,L1}(a,ix(m,k,0)) ==> Same{L0,L1}(b,ix(k,n,0)) ==> p <= k ==>
      summed{L0,L}(acc,a,b,ta,tb,m,k,n,i0,j0,from,to,p) ==>
      summed{L1,L}(acc,a,b,ta,tb,m,k,n,i0,j0,from,to,p);
    lemma summed_before{L0,L1,L}: \forall float *acc, *a, *b, integer ta, tb, m, k, n, i0, j0, from,
      to, p; Same{L0,L1}(a,ix(m,k,0)) ==> Same{L0,L1}(b,ix(k,n,0)) ==> p <= k ==>
      summed{L1,L}(acc,a,b,ta,tb,m,k,n,i0,j0,from,to,p) ==>
      summed{L0,L}(acc,a,b,ta,tb,m,k,n,i0,j0,from,to,p);
    predicate plain_size(integer m, integer n) =
      0 <= m <= IDX_LIM && 0 <= n <= IDX_LIM && 0 <= ix(m,n,0) <= IDX_LIM;
    predicate plain_reads{L}(float *a, float *b, integer m, integer k, integer n) =
      plain_size(m,k) && plain_size(k,n) && reads(a,ix(m,k,0)) && reads(b,ix(k,n,0)); */

/*@ requires 0 <= t < SQUARE;
    assigns \nothing;
    ensures \result == quo(t,SIDE) && 0 <= \result < SIDE; */
DEV int plain_down(int t) { return t / SIDE; }

/*@ requires 0 <= t < SQUARE;
    assigns \nothing;
    ensures \result == rem(t,SIDE) && 0 <= \result < SIDE; */
DEV int plain_across(int t) { return t % SIDE; }

/*@ requires 0 <= i < m && 0 <= j < n && plain_size(m,n);
    assigns \nothing;
    ensures \result == ixt(t,m,n,i,j) && 0 <= \result < ix(m,n,0); */
DEV idx plain_at(int t, idx m, idx n, idx i, idx j)
{
  //@ assert ix(n,m,0) == ix(m,n,0);
  return t ? at2(n, m, j, i) : at2(m, n, i, j);
}

/*@ requires 0 <= y < SIDE && 0 <= x < SIDE && 0 <= i0 <= IDX_LIM && 0 <= j0 <= IDX_LIM;
    requires plain_size(rows,cols) && reads(a,ix(rows,cols,0));
    requires \valid(s + (0 .. SQUARE-1)) && WS(s+ix(y,SIDE,x));
    requires \separated(s + (0 .. SQUARE-1), a + (0 .. ix(rows,cols,0)-1));
    assigns s[ix(y,SIDE,x)];
    ensures i0 + y < rows ==> j0 + x < cols ==>
      s[ix(y,SIDE,x)] == \old(a[ixt(t,rows,cols,i0+y,j0+x)]); */
DEV void plain_load(float *s, int y, int x, idx i0, idx j0, idx rows, idx cols, int t,
                    const float *RESTRICT a PHASE_FN)
{
  idx i = i0 + y, j = j0 + x;
  //@ assert ix(SIDE,SIDE,0) == SQUARE && 0 <= ix(y,SIDE,x) < SQUARE;
  if (i < rows && j < cols)
    ST(&s[at2(SIDE, SIDE, y, x)], LDG(a + plain_at(t, rows, cols, i, j)));
}

/*@ requires plain_reads(a,b,m,k,n) && BDIM == SQUARE && IS_SHARED(tile, 2*SQUARE);
    requires 0 <= i0 <= IDX_LIM && 0 <= j0 <= IDX_LIM && 0 <= p0 <= IDX_LIM;
    requires \valid(tile + (0 .. 2*SQUARE-1));
    requires \separated(tile + (0 .. 2*SQUARE-1), a + (0 .. ix(m,k,0)-1));
    requires \separated(tile + (0 .. 2*SQUARE-1), b + (0 .. ix(k,n,0)-1));
    assigns tile[0 .. 2*SQUARE-1];
    ensures squared{Pre,Post}(tile, a, ta, m, k, i0, p0, SQUARE);
    ensures squared{Pre,Post}(tile+SQUARE, b, tb, k, n, p0, j0, SQUARE); */
DEV void plain_fill(float *tile, idx i0, idx j0, idx p0, idx m, idx k, idx n, int ta, int tb,
                    const float *RESTRICT a, const float *RESTRICT b)
{
  /*@ loop invariant 0 <= t <= BDIM;
      loop invariant squared{Pre,Here}(tile, a, ta, m, k, i0, p0, t);
      loop invariant squared{Pre,Here}(tile+SQUARE, b, tb, k, n, p0, j0, t);
      loop assigns t, tile[0 .. 2*SQUARE-1];
      loop variant BDIM - t; */
  PHASE_OF(t, pairs_(tile, SQUARE)) {
    int y = plain_down(t), x = plain_across(t);
    //@ assert t == ix(y,SIDE,x);
    plain_load(tile, y, x, i0, p0, m, k, ta, a IN_PHASE_OF(t));
    //@ assert squared{Pre,Here}(tile, a, ta, m, k, i0, p0, t+1);
    //@ assert squared{Pre,Here}(tile+SQUARE, b, tb, k, n, p0, j0, t);
    //@ assert Same{Pre,Here}(b,ix(k,n,0));
    plain_load(tile + SQUARE, y, x, p0, j0, k, n, tb, b IN_PHASE_OF(t));
    //@ assert p0 + y < k ==> j0 + x < n ==> (tile+SQUARE)[t] == rd{Pre}(b,ixt(tb,k,n,p0+y,j0+x));
    //@ assert squared{Pre,Here}(tile+SQUARE, b, tb, k, n, p0, j0, t+1);
    //@ assert squared{Pre,Here}(tile, a, ta, m, k, i0, p0, t+1);
  }
}

/* A thread's sum with the products of the tiles, whose first `depth` inner indices are there. */
/*@ requires 0 <= y < SIDE && 0 <= x < SIDE && 0 <= i0 && 0 <= j0 && i0 + y < m && j0 + x < n;
    requires 0 <= p0 && 0 <= depth <= SIDE && p0 + depth <= k;
    requires \valid_read(tile + (0 .. 2*SQUARE-1));
    requires \forall integer c; 0 <= c < 2*SQUARE ==> RS(tile+c);
    requires squared{Pre,Pre}(tile, a, ta, m, k, i0, p0, SQUARE);
    requires squared{Pre,Pre}(tile+SQUARE, b, tb, k, n, p0, j0, SQUARE);
    requires acc == MatDot(ta,tb,a,b,m,k,n,i0+y,j0+x,p0);
    assigns \nothing;
    ensures \result == MatDot(ta,tb,a,b,m,k,n,i0+y,j0+x,p0+depth); */
DEV float plain_chain(const float *tile, int y, int x, int depth,
                      float acc PHASE_FN GHOST_PARAMS(idx i0, idx j0, idx p0, idx m, idx k, idx n,
                                                      int ta, int tb, const float *a,
                                                      const float *b))
{
  //@ assert ix(SIDE,SIDE,0) == SQUARE;
  /*@ loop invariant 0 <= p <= depth;
      loop invariant acc == MatDot(ta,tb,a,b,m,k,n,i0+y,j0+x,p0+p);
      loop assigns p, acc;
      loop variant depth - p; */
  for (int p = 0; p < depth; p++) {
    //@ assert 0 <= ix(y,SIDE,p) < SQUARE && 0 <= ix(p,SIDE,x) < SQUARE;
    //@ assert tile[ix(y,SIDE,p)] == a[ixt(ta,m,k,i0+y,p0+p)];
    //@ assert (tile+SQUARE)[ix(p,SIDE,x)] == b[ixt(tb,k,n,p0+p,j0+x)];
    acc = PM_FMA(LD(&tile[at2(SIDE, SIDE, y, p)]), LD(&tile[SQUARE + at2(SIDE, SIDE, p, x)]), acc);
  }
  return acc;
}

/* A step of the inner index: SIDE of them, or what is left. */
/*@ requires plain_reads(a,b,m,k,n) && BDIM == SQUARE && IS_SHARED(tile, 2*SQUARE);
    requires 0 <= i0 <= IDX_LIM && 0 <= j0 <= IDX_LIM && 0 <= p0 && p0 + depth <= k;
    requires 0 <= depth <= SIDE && (depth == SIDE || p0 + depth == k);
    requires \valid(tile + (0 .. 2*SQUARE-1)) && \valid(acc + (0 .. SQUARE-1));
    requires \separated(tile + (0 .. 2*SQUARE-1), a + (0 .. ix(m,k,0)-1));
    requires \separated(tile + (0 .. 2*SQUARE-1), b + (0 .. ix(k,n,0)-1));
    requires \separated(tile + (0 .. 2*SQUARE-1), acc + (0 .. SQUARE-1));
    requires \separated(acc + (0 .. SQUARE-1), a + (0 .. ix(m,k,0)-1));
    requires \separated(acc + (0 .. SQUARE-1), b + (0 .. ix(k,n,0)-1));
    requires summed{Pre,Pre}(acc, a, b, ta, tb, m, k, n, i0, j0, 0, SQUARE, p0);
    assigns tile[0 .. 2*SQUARE-1], acc[0 .. SQUARE-1];
    ensures summed{Pre,Post}(acc, a, b, ta, tb, m, k, n, i0, j0, 0, SQUARE, p0+depth); */
DEV void plain_step(float *tile, PER_THREAD(float, acc), int depth, idx i0, idx j0, idx p0, idx m,
                    idx k, idx n, int ta, int tb, const float *RESTRICT a, const float *RESTRICT b)
{
  plain_fill(tile, i0, j0, p0, m, k, n, ta, tb, a, b);
  //@ assert Same{Pre,Here}(a,ix(m,k,0)) && Same{Pre,Here}(b,ix(k,n,0));
  //@ assert summed{Pre,Here}(acc, a, b, ta, tb, m, k, n, i0, j0, 0, SQUARE, p0);
  /*@ loop invariant 0 <= t <= BDIM;
      loop invariant Same{Pre,Here}(a,ix(m,k,0)) && Same{Pre,Here}(b,ix(k,n,0));
      loop invariant squared{Pre,Here}(tile, a, ta, m, k, i0, p0, SQUARE);
      loop invariant squared{Pre,Here}(tile+SQUARE, b, tb, k, n, p0, j0, SQUARE);
      loop invariant summed{Pre,Here}(acc, a, b, ta, tb, m, k, n, i0, j0, 0, t, p0+depth);
      loop invariant summed{Pre,Here}(acc, a, b, ta, tb, m, k, n, i0, j0, t, SQUARE, p0);
      loop assigns t, acc[0 .. SQUARE-1];
      loop variant BDIM - t; */
  PHASE_OF(t, shown_(tile, 2 * SQUARE)) {
    int y = plain_down(t), x = plain_across(t);
    //@ assert t == ix(y,SIDE,x);
    if (i0 + y < m && j0 + x < n) {
      //@ assert acc[t] == MatDot{Pre}(ta,tb,a,b,m,k,n,i0+y,j0+x,p0);
      /*@ assert MatDot{Pre}(ta,tb,a,b,m,k,n,i0+y,j0+x,p0) ==
                 MatDot(ta,tb,a,b,m,k,n,i0+y,j0+x,p0); */
      /*@ assert MatDot{Pre}(ta,tb,a,b,m,k,n,i0+y,j0+x,p0+depth) ==
                 MatDot(ta,tb,a,b,m,k,n,i0+y,j0+x,p0+depth); */
      AT(acc, t) =
          plain_chain(tile, y, x, depth,
                      AT(acc, t) IN_PHASE_OF(t) GHOST_ARGS(i0, j0, p0, m, k, n, ta, tb, a, b));
      //@ assert acc[t] == MatDot{Pre}(ta,tb,a,b,m,k,n,i0+y,j0+x,p0+depth);
    }
    //@ assert summed{Pre,Here}(acc, a, b, ta, tb, m, k, n, i0, j0, t+1, SQUARE, p0);
    //@ assert summed{Pre,Here}(acc, a, b, ta, tb, m, k, n, i0, j0, 0, t, p0+depth);
    /*@ assert \forall integer i, j; 0 <= i < m ==> 0 <= j < n ==> in_tile(i,j,i0,j0) ==>
          t == ix(i-i0,SIDE,j-j0) ==> i == i0+y && j == j0+x; */
    //@ assert summed{Pre,Here}(acc, a, b, ta, tb, m, k, n, i0, j0, t, t+1, p0+depth);
    //@ assert summed{Pre,Here}(acc, a, b, ta, tb, m, k, n, i0, j0, 0, t+1, p0+depth);
  }
}

/* alpha times a sum; where the inner dimension is empty 0 for any alpha. */
/*@ requires k == 0 ==> is_zero(sum);
    assigns \nothing;
    ensures \result == rmul(alpha,sum); */
DEV float plain_scaled(idx k, float alpha, float sum)
{
  //@ assert alpha * sum == rmul(alpha,sum);
  return k ? alpha * sum : 0.0f;
}

/*@ requires 0 <= i < m && 0 <= j < n && plain_size(m,n) && \valid(c + (0 .. ix(m,n,0)-1));
    requires W(c+ix(i,n,j)) && (k == 0 ==> is_zero(sum));
    assigns c[ix(i,n,j)];
    ensures c[ix(i,n,j)] == plus(accumulate, \old(c[ix(i,n,j)]), rmul(alpha,sum)); */
DEV void plain_store(idx i, idx j, idx m, idx k, idx n, int accumulate, float alpha, float sum,
                     float *c THREAD_FN)
{
  idx at = at2(m, n, i, j);
  float v = plain_scaled(k, alpha, sum);
  STG(c + at, accumulate ? LDG_OWN(c + at) + v : v);
}

/*@ // of a tile of product z the first upto threads have stored their outputs, and nothing else
    predicate plain_stored{L0,L}(float *c, float *a, float *b, integer ta, integer tb,
                                 integer accumulate, real alpha, integer m, integer k, integer n,
                                 integer z, integer i0, integer j0, integer upto) =
      \forall integer i, j; 0 <= i < m ==> 0 <= j < n ==>
        (in_tile(i,j,i0,j0) && ix(i-i0,SIDE,j-j0) < upto
          ? \at(c[ix(z,ix(m,n,0),ix(i,n,j))],L) ==
            plus(accumulate, \at(c[ix(z,ix(m,n,0),ix(i,n,j))],L0),
                 MatMul{L0}(ta,tb,alpha,a,b,m,k,n,i,j))
          : \at(c[ix(z,ix(m,n,0),ix(i,n,j))],L) == \at(c[ix(z,ix(m,n,0),ix(i,n,j))],L0)); */

/* The tile from row i0, column j0 on of c's product z, which begins at `at`, as it does in a and b.
 * What is granted of these stands here element by element, as they are parts of tensors. */
/*@ requires plain_size(m,k) && plain_size(k,n) && plain_size(m,n) && BDIM == SQUARE;
    requires 0 <= i0 <= IDX_LIM && 0 <= j0 <= IDX_LIM && 0 <= at && at + ix(m,n,0) <= IDX_LIM;
    requires at == ix(z,ix(m,n,0),0);
    requires \valid_read(a + (0 .. ix(m,k,0)-1));
    requires \forall integer e; 0 <= e < ix(m,k,0) ==> R(a+e);
    requires \valid_read(b + (0 .. ix(k,n,0)-1));
    requires \forall integer e; 0 <= e < ix(k,n,0) ==> R(b+e);
    requires \valid(c + (at .. at+ix(m,n,0)-1));
    requires \separated(c + (at .. at+ix(m,n,0)-1), a + (0 .. ix(m,k,0)-1));
    requires \separated(c + (at .. at+ix(m,n,0)-1), b + (0 .. ix(k,n,0)-1));
    requires IS_SHARED(tile, 2*SQUARE) && \valid(tile + (0 .. 2*SQUARE-1));
    requires \separated(tile + (0 .. 2*SQUARE-1), a + (0 .. ix(m,k,0)-1));
    requires \separated(tile + (0 .. 2*SQUARE-1), b + (0 .. ix(k,n,0)-1));
    requires \separated(tile + (0 .. 2*SQUARE-1), c + (at .. at+ix(m,n,0)-1));
    requires \forall integer i, j; 0 <= i < m ==> 0 <= j < n ==> in_tile(i,j,i0,j0) ==>
      W_BY(c+ix(z,ix(m,n,0),ix(i,n,j)), ix(i-i0,SIDE,j-j0));
    assigns tile[0 .. 2*SQUARE-1], c[at .. at+ix(m,n,0)-1];
    ensures plain_stored{Pre,Post}(c, a, b, ta, tb, accumulate, alpha, m, k, n, z, i0, j0,
                                   SQUARE); */
DEV void plain_block(float *tile, idx at, idx i0, idx j0, idx m, idx k, idx n, int ta, int tb,
                     int accumulate, float alpha, const float *RESTRICT a, const float *RESTRICT b,
                     float *RESTRICT c BLOCK_FN GHOST_PARAMS(idx z))
{
  PRIVATE(float, acc);
  //@ assert plain_reads(a,b,m,k,n);
  /*@ assert place: \forall integer i, j; 0 <= i < m ==> 0 <= j < n ==>
        ix(z,ix(m,n,0),ix(i,n,j)) == at + ix(i,n,j) && 0 <= ix(i,n,j) < ix(m,n,0); */
  /*@ loop invariant 0 <= t <= BDIM;
      loop invariant \forall integer l; 0 <= l < t ==> is_zero(acc[l]);
      loop assigns t, acc[0 .. SQUARE-1];
      loop variant BDIM - t; */
  EACH_THREAD(t) AT(acc, t) = 0.0f;
  //@ assert ix(SIDE,SIDE,0) == SQUARE;
  /*@ loop invariant 0 <= p0 <= k + SIDE;
      loop invariant Same{Pre,Here}(a,ix(m,k,0)) && Same{Pre,Here}(b,ix(k,n,0));
      loop invariant left: \forall integer e; at <= e < at + ix(m,n,0) ==> c[e] == \at(c[e],Pre);
      loop invariant p0 <= k ==>
        summed{Pre,Here}(&acc[0], a, b, ta, tb, m, k, n, i0, j0, 0, SQUARE, p0);
      loop invariant k <= p0 ==>
        summed{Pre,Here}(&acc[0], a, b, ta, tb, m, k, n, i0, j0, 0, SQUARE, k);
      loop assigns p0, tile[0 .. 2*SQUARE-1], acc[0 .. SQUARE-1];
      loop variant k - p0; */
  for (idx p0 = 0; p0 < k; p0 += SIDE) {
    int depth = k - p0 < SIDE ? (int)(k - p0) : SIDE;
    //@ assert summed{Here,Here}(&acc[0], a, b, ta, tb, m, k, n, i0, j0, 0, SQUARE, p0);
    plain_step(tile, acc, depth, i0, j0, p0, m, k, n, ta, tb, a, b);
    //@ assert Same{LoopCurrent,Here}(a,ix(m,k,0)) && Same{LoopCurrent,Here}(b,ix(k,n,0));
    //@ assert Same{Pre,Here}(a,ix(m,k,0)) && Same{Pre,Here}(b,ix(k,n,0));
    //@ assert summed{Pre,Here}(&acc[0], a, b, ta, tb, m, k, n, i0, j0, 0, SQUARE, p0+depth);
  }
  //@ assert summed{Pre,Here}(&acc[0], a, b, ta, tb, m, k, n, i0, j0, 0, SQUARE, k);
  /*@ loop invariant 0 <= t <= BDIM;
      loop invariant plain_stored{Pre,Here}(c, a, b, ta, tb, accumulate, alpha, m, k, n, z, i0, j0,
                                            t);
      loop assigns t, c[at .. at+ix(m,n,0)-1];
      loop variant BDIM - t; */
  EACH_OWNER(t) {
    int y = plain_down(t), x = plain_across(t);
    //@ assert t == ix(y,SIDE,x);
    if (i0 + y < m && j0 + x < n) {
      //@ assert acc[t] == MatDot{Pre}(ta,tb,a,b,m,k,n,i0+y,j0+x,k);
      //@ assert k == 0 ==> is_zero(acc[t]);
      //@ assert ix(z,ix(m,n,0),ix(i0+y,n,j0+x)) == at + ix(i0+y,n,j0+x);
      //@ assert W_BY(c+ix(z,ix(m,n,0),ix(i0+y,n,j0+x)), t);
      //@ assert W_BY(c+(at+ix(i0+y,n,j0+x)), t);
      /*@ assert c[ix(z,ix(m,n,0),ix(i0+y,n,j0+x))] ==
                 rd{Pre}(c,ix(z,ix(m,n,0),ix(i0+y,n,j0+x))); */
      plain_store(i0 + y, j0 + x, m, k, n, accumulate, alpha, AT(acc, t), c + at IN_THREAD_OF(t));
      /*@ assert c[ix(z,ix(m,n,0),ix(i0+y,n,j0+x))] ==
            plus(accumulate, rd{Pre}(c,ix(z,ix(m,n,0),ix(i0+y,n,j0+x))),
                 MatMul{Pre}(ta,tb,alpha,a,b,m,k,n,i0+y,j0+x)); */
      /*@ assert \forall integer i, j; 0 <= i < m ==> 0 <= j < n ==> i != i0+y || j != j0+x ==>
            c[ix(z,ix(m,n,0),ix(i,n,j))] ==
            \at(c[ix(z,ix(m,n,0),ix(i,n,j))],LoopCurrent); */
    }
    /*@ assert \forall integer i, j; 0 <= i < m ==> 0 <= j < n ==> in_tile(i,j,i0,j0) ==>
          t == ix(i-i0,SIDE,j-j0) ==> i == i0+y && j == j0+x; */
  }
}
#endif
