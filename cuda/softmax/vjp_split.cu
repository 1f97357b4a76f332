/* Split rows: the VJPs of softmax, log_softmax and masked_softmax (row/split.h): y, g and dx are
 * (rows, cols). Two launches, both of a block a chunk, read y and g:
 *
 *   softmax_vjp_split_chunks  what a chunk adds to its row's sum: part, (rows, pieces)
 *   softmax_vjp_split_out     dx: a block adds up its row's parts and writes its chunk
 *
 * A thread takes a chunk by steps (row/split_steps.h); where VEC (y, g and dx are 16-byte
 * aligned and cols is a multiple of 4), every chunk is aligned too. */
#include "../collective/block_sum.h"
#include "../lang/dependent_launch.h"
#include "vjp_slices.h"

/*@ predicate split_in{L}(float *y, float *g, integer n, integer vec) =
      0 < n <= IDX_LIM && pull_in(y,g,n) && perm_r(y,n) && perm_r(g,n) &&
      (vec != 0 ==> n % 4 == 0 && aligned16(y) && aligned16(g));
    logic real PullTo{L}(integer op, float *y, float *g, integer vec, integer i) =
      PullSum(op,y,g,StepAt(vec,i));
    lemma pull_to_frame{L1,L2}: \forall integer op, float *y, *g, integer vec, i, n;
      StepAt(vec,i) <= n ==> Same{L1,L2}(y,n) ==> Same{L1,L2}(g,n) ==>
      PullTo{L1}(op,y,g,vec,i) == PullTo{L2}(op,y,g,vec,i);
    // what one element adds, and four
    logic real PullAt{L}(integer op, float *y, float *g, integer k) = PullPart(op,y[k],g[k]);
    logic real PullFour{L}(integer op, float *y, float *g, integer k) =
      PullAt(op,y,g,k) + PullAt(op,y,g,k+1) + PullAt(op,y,g,k+2) + PullAt(op,y,g,k+3);
    lemma pull_next{L}: \forall integer op, float *y, *g, integer k, m; 0 <= k ==>
      behind(k,1,m) ==> PullSum(op,y,g,m) == PullSum(op,y,g,k) + PullAt(op,y,g,k);
    lemma pull_fours{L}: \forall integer op, float *y, *g, integer k, m; 0 <= k ==>
      behind(k,4,m) ==> PullSum(op,y,g,m) == PullSum(op,y,g,k) + PullFour(op,y,g,k); */

/* What step i adds to the sum. */
/*@ requires split_in(y,g,n,vec) && split_step(vec,i,n);
    assigns \nothing;
    ensures \result == PullTo(op,y,g,vec,i+1) - PullTo(op,y,g,vec,i); */
DEV float split_part(int op, int vec, idx i, const float *y, const float *g GHOST_PARAMS(idx n))
{
  //@ assert to: behind(StepAt(vec,i), vec != 0 ? 4 : 1, StepAt(vec,i+1));
  if (vec) {
    float four = pull_four(op, LD4(y + 4 * i), LD4(g + 4 * i));
    //@ assert four: four == PullFour(op,y,g,StepAt(vec,i));
    return four;
  }
  return pull_part(op, LDG(y + i), LDG(g + i));
}

/*@ requires block && split_in(y,g,n,vec);
    requires \valid(acc + (0 .. BDIM-1)) && SumR(acc, 0, BDIM) == 0.0;
    requires \separated(acc + (0 .. BDIM-1), y + (0 .. n-1));
    requires \separated(acc + (0 .. BDIM-1), g + (0 .. n-1));
    assigns acc[0 .. BDIM-1];
    ensures SumR(acc, 0, BDIM) == PullSum{Pre}(op,y,g,n); */
DEV void split_add_all(PER_THREAD(float, acc), int op, int vec, idx n, const float *y,
                       const float *g)
{
  idx steps = split_steps(vec, n);
  /*@ loop invariant 0 <= k0 <= steps + BDIM;
      loop invariant SumR(acc, 0, BDIM) == PullTo{Pre}(op,y,g,vec,lesser(k0,steps));
      loop assigns k0, acc[0 .. BDIM-1];
      loop variant steps - k0; */
  UNROLL_BY(4)
  for (idx k0 = 0; k0 < steps; k0 += BDIM) {
    /*@ loop invariant 0 <= t <= BDIM;
        loop invariant SumR(acc, 0, BDIM) == PullTo{Pre}(op,y,g,vec,lesser(k0 + t,steps));
        loop assigns t, acc[0 .. BDIM-1];
        loop variant BDIM - t; */
    EACH_THREAD(t)
      if (k0 + t < steps) {
        //@ assert same: Same{Pre,Here}(y,n) && Same{Pre,Here}(g,n);
        //@ assert step: split_step(vec, k0 + t, n);
        float p = split_part(op, vec, k0 + t, y, g GHOST_ARGS(n));
        //@ assert from: PullTo(op,y,g,vec,k0 + t) == PullTo{Pre}(op,y,g,vec,k0 + t);
        //@ assert to: PullTo(op,y,g,vec,k0 + t + 1) == PullTo{Pre}(op,y,g,vec,k0 + t + 1);
        //@ assert part: p == PullTo{Pre}(op,y,g,vec,k0 + t + 1) - PullTo{Pre}(op,y,g,vec,k0 + t);
        AT(acc, t) += p;
        //@ assert only{LoopCurrent,Here}(acc, t, BDIM);
        //@ assert acc[t] == \at(acc[t],LoopCurrent) + p;
      }
  }
}

/* What n elements add to the sum, for all threads. */
/*@ requires block && split_in(y,g,n,vec);
    assigns \nothing;
    ensures \result == PullSum{Pre}(op,y,g,n); */
DEV float split_sum(int op, int vec, idx n, const float *y, const float *g)
{
  SHARED(float, s, 32);
  PRIVATE(float, acc);
  /*@ loop invariant 0 <= t <= BDIM && zeros(&acc[0], t);
      loop assigns t, acc[0 .. BDIM-1];
      loop variant BDIM - t; */
  EACH_THREAD(t) AT(acc, t) = 0.0f;
  //@ assert SumR(&acc[0], 0, BDIM) == 0.0;
  //@ assert Same{Pre,Here}(y,n) && Same{Pre,Here}(g,n);
  //@ assert PullSum{Pre}(op,y,g,n) == PullSum(op,y,g,n);
  split_add_all(acc, op, vec, n, y, g);
  return block_sum(acc, s);
}

/* ---- first launch: chunks ---- */

/*@ // part has what pieces 0 .. k-1 of a row add, which add up to the row's sum; the same of row r
    // of a tensor; of rows 0 .. rows-1
    predicate pieces_row{L0,L}(float *part, integer op, float *y, float *g, integer cols,
                               integer chunk, integer k) =
      \forall integer p; 0 <= p < k ==> \at(part[p],L) == PullPiece{L0}(op,y,g,p,cols,chunk);
    predicate pieces_at{L0,L}(float *part, integer op, float *y, float *g, integer cols,
                              integer chunk, integer pieces, integer r, integer k) =
      \forall integer p; 0 <= p < k ==> \at(part[ix(r,pieces,p)],L) ==
        PullPiece{L0}(op,y+ix(r,cols,0),g+ix(r,cols,0),p,cols,chunk);
    predicate pieces_rows{L0,L}(float *part, integer op, float *y, float *g, integer cols,
                                integer chunk, integer pieces, integer rows) =
      \forall integer r, p; 0 <= r < rows ==> 0 <= p < pieces ==> \at(part[ix(r,pieces,p)],L) ==
        PullPiece{L0}(op,y+ix(r,cols,0),g+ix(r,cols,0),p,cols,chunk);
    lemma pieces_add{L0,L}: \forall integer k, float *part, integer op, float *y, *g, integer cols,
      chunk; 0 <= k ==> 0 < cols ==>
      (\forall integer p; 0 <= p < k ==> \at(part[p],L) ==
        PullUpTo{L0}(op,y,g,p+1,cols,chunk) - PullUpTo{L0}(op,y,g,p,cols,chunk)) ==>
      Sum{L}(part,k) == PullUpTo{L0}(op,y,g,k,cols,chunk);
    lemma pieces_all{L}: \forall float *part, integer op, float *y, *g, integer cols, chunk, pieces;
      row_split(cols,chunk,pieces) ==> pieces_row{L,L}(part,op,y,g,cols,chunk,pieces) ==>
      Sum(part,pieces) == PullSum(op,y,g,cols);
    lemma pieces_row_frame{L1,L2}: \forall float *part, integer op, float *y, *g, integer cols,
      chunk, pieces; Same{L1,L2}(part,pieces) ==> Same{L1,L2}(y,cols) ==> Same{L1,L2}(g,cols) ==>
      pieces_row{L1,L1}(part,op,y,g,cols,chunk,pieces) ==>
      pieces_row{L2,L2}(part,op,y,g,cols,chunk,pieces);
    predicate pull_split{L}(float *y, float *g, float *part, integer rows, integer cols,
                            integer chunk, integer pieces, integer vec) =
      0 <= rows && row_split(cols,chunk,pieces) && reads(y,ix(rows,cols,0)) &&
      reads(g,ix(rows,cols,0)) && reads(part,ix(rows,pieces,0)) &&
      (vec != 0 ==> cols % 4 == 0 && aligned16(y) && aligned16(g)); */

/* Piece p of row r. */
/*@ requires block && split_piece_of(r,p,rows,cols,chunk,pieces);
    requires pull_split(y,g,part,rows,cols,chunk,pieces,vec) && writes(part,ix(rows,pieces,0));
    requires apart(y,ix(rows,cols,0),part,ix(rows,pieces,0));
    requires apart(g,ix(rows,cols,0),part,ix(rows,pieces,0));
    assigns part[ix(r,pieces,p)];
    ensures part[ix(r,pieces,p)] ==
      PullPiece{Pre}(op,y+ix(r,cols,0),g+ix(r,cols,0),p,cols,chunk); */
DEV void chunk_nth(int op, int vec, idx r, idx p, idx rows, idx cols, idx chunk, idx pieces,
                   const float *y, const float *g, float *part)
{
  row_piece w = split_find(r, p, rows, cols, chunk, pieces GHOST_ARGS(vec));
  idx to = at2(rows, pieces, r, p);
  //@ assert perm_all: perm_r(y,ix(rows,cols,0)) && perm_r(g,ix(rows,cols,0));
  //@ assert perm_in: perm_r(y+w.at,w.n) && perm_r(g+w.at,w.n);
  //@ assert in: split_in(y+w.at,g+w.at,w.n,vec);
  float sum = split_sum(op, vec, w.n, y + w.at, g + w.at);
  //@ assert sum: sum == PullSum{Pre}(op,y+w.at,g+w.at,w.n);
  /*@ assert shift: sum ==
        PullPiece{Pre}(op,y+ix(r,cols,0),g+ix(r,cols,0),p,cols,chunk); */
  //@ assert may: perm_w(part,ix(rows,pieces,0)) && 0 <= to < ix(rows,pieces,0);
  block_put(sum, part + to);
}

/*@ requires block && 0 < rows && pull_split(y,g,part,rows,cols,chunk,pieces,VEC);
    requires writes(part,ix(rows,pieces,0)) && ix(rows,pieces,0) <= BLOCKS;
    requires apart(y,ix(rows,cols,0),part,ix(rows,pieces,0));
    requires apart(g,ix(rows,cols,0),part,ix(rows,pieces,0));
    assigns part[0 .. ix(rows,pieces,0)-1];
    ensures pieces_rows{Pre,Post}(part,OP,y,g,cols,chunk,pieces,rows); */
TEMPLATE(int OP, int VEC)
KERNEL void softmax_vjp_split_chunks(CONSTANTS(int OP, int VEC) idx rows, idx cols, idx chunk,
                                     idx pieces, const float *RESTRICT y, const float *RESTRICT g,
                                     float *RESTRICT part)
{
  /*@ loop invariant 0 <= r <= rows;
      loop invariant pieces_rows{Pre,Here}(part,OP,y,g,cols,chunk,pieces,r);
      loop assigns r, part[0 .. ix(rows,pieces,0)-1];
      loop variant rows - r; */
  BROWS(r, rows, pieces) {
    //@ assert inside: 0 <= ix(r,cols,0) && ix(r,cols,0) + cols <= ix(rows,cols,0);
    /*@ loop invariant 0 <= p <= pieces;
        loop invariant pieces_rows{Pre,Here}(part,OP,y,g,cols,chunk,pieces,r);
        loop invariant pieces_at{Pre,Here}(part,OP,y,g,cols,chunk,pieces,r,p);
        loop assigns p, part[0 .. ix(rows,pieces,0)-1];
        loop variant pieces - p; */
    BCOLS(p, pieces) {
      //@ assert all: Same{Pre,Here}(y,ix(rows,cols,0)) && Same{Pre,Here}(g,ix(rows,cols,0));
      //@ assert row_y: Same{Pre,Here}(y+ix(r,cols,0),cols);
      //@ assert row_g: Same{Pre,Here}(g+ix(r,cols,0),cols);
      /*@ assert its: PullPiece(OP,y+ix(r,cols,0),g+ix(r,cols,0),p,cols,chunk) ==
            PullPiece{Pre}(OP,y+ix(r,cols,0),g+ix(r,cols,0),p,cols,chunk); */
      chunk_nth(OP, VEC, r, p, rows, cols, chunk, pieces, y, g, part);
      /*@ assert new: rd(part,ix(r,pieces,p)) ==
            PullPiece{Pre}(OP,y+ix(r,cols,0),g+ix(r,cols,0),p,cols,chunk); */
      //@ assert old: pieces_at{Pre,Here}(part,OP,y,g,cols,chunk,pieces,r,p);
    }
  }
}

/* ---- second launch: out ---- */

/*@ predicate split_out{L}(float *dx, float *y, float *g, integer n, integer vec) =
      split_in(y,g,n,vec) && \valid(dx + (0 .. n-1)) && apart(y,n,dx,n) && apart(g,n,dx,n) &&
      (vec != 0 ==> aligned16(dx));
    predicate put_step{L0,L}(float *dx, integer op, integer adds, integer vec, float *y, float *g,
                             real s, integer i) =
      \forall integer c; step_W(vec,i,c) ==> \at(dx[c],L) == PulledOne{L0}(op,adds,y,g,dx,s,c);
    lemma put_step_frame{L1,L2,L}: \forall float *dx, integer op, adds, vec, float *y, *g, real s,
      integer i, n; split_step(vec,i,n) ==> Same{L2,L1}(y,n) ==> Same{L2,L1}(g,n) ==>
      left_row{L2,L1}(dx,StepAt(vec,i),n) ==> put_step{L1,L}(dx,op,adds,vec,y,g,s,i) ==>
      put_step{L2,L}(dx,op,adds,vec,y,g,s,i); */
/* Step i of dx. */
/*@ requires split_out(dx,y,g,n,vec) && split_step(vec,i,n);
    requires \forall integer k; step_W(vec,i,k) ==> R(dx+k) && W(dx+k);
    assigns dx[StepAt(vec,i) .. StepAt(vec,i+1)-1];
    ensures put_step{Pre,Post}(dx,op,adds,vec,y,g,s,i); */
DEV void split_put(int op, int adds, int vec, idx i, float s, const float *RESTRICT y,
                   const float *RESTRICT g, float *RESTRICT dx GHOST_PARAMS(idx n))
{
  if (vec) {
    float4 d = pull_vec(op, LD4(y + 4 * i), LD4(g + 4 * i), s);
    ST4(dx + 4 * i, adds ? plus4(LD4(dx + 4 * i), d) : d);
    //@ assert x: rd(dx,4*i) == PulledOne{Pre}(op,adds,y,g,dx,s,4*i);
    //@ assert y: rd(dx,4*i+1) == PulledOne{Pre}(op,adds,y,g,dx,s,4*i+1);
    //@ assert z: rd(dx,4*i+2) == PulledOne{Pre}(op,adds,y,g,dx,s,4*i+2);
    //@ assert w: rd(dx,4*i+3) == PulledOne{Pre}(op,adds,y,g,dx,s,4*i+3);
  } else {
    float d = pull_one(op, LDG(y + i), LDG(g + i), s);
    STG(dx + i, adds ? LDG(dx + i) + d : d);
    //@ assert one: rd(dx,i) == PulledOne{Pre}(op,adds,y,g,dx,s,i);
  }
}

/*@ requires block && split_out(dx,y,g,n,vec) && perm(dx,n);
    assigns dx[0 .. n-1];
    ensures pulled_row{Pre,Post}(dx, op, adds, y, g, s, n); */
DEV void split_put_all(int op, int adds, int vec, idx n, float s, const float *RESTRICT y,
                       const float *RESTRICT g, float *RESTRICT dx)
{
  idx steps = split_steps(vec, n);
  /*@ loop invariant 0 <= k0 <= steps + BDIM;
      loop invariant pulled_row{Pre,Here}(dx, op, adds, y, g, s, StepAt(vec,lesser(k0,steps)));
      loop invariant left_row{Pre,Here}(dx, StepAt(vec,lesser(k0,steps)), n);
      loop assigns k0, dx[0 .. n-1];
      loop variant steps - k0; */
  UNROLL_BY(4)
  for (idx k0 = 0; k0 < steps; k0 += BDIM) {
    /*@ loop invariant 0 <= t <= BDIM;
        loop invariant pulled_row{Pre,Here}(dx, op, adds, y, g, s,
                                            StepAt(vec,lesser(k0 + t,steps)));
        loop invariant left_row{Pre,Here}(dx, StepAt(vec,lesser(k0 + t,steps)), n);
        loop assigns t, dx[0 .. n-1];
        loop variant BDIM - t; */
    EACH_THREAD(t)
      if (k0 + t < steps) {
        //@ assert same: Same{Pre,Here}(y,n) && Same{Pre,Here}(g,n);
        //@ assert step: split_step(vec, k0 + t, n);
        //@ assert perm: perm_r(dx,n) && perm_w(dx,n);
        //@ assert rest: left_row{Pre,Here}(dx, StepAt(vec,k0 + t), n);
        split_put(op, adds, vec, k0 + t, s, y, g, dx GHOST_ARGS(n));
        //@ assert step_put: put_step{LoopCurrent,Here}(dx, op, adds, vec, y, g, s, k0 + t);
        //@ assert put: put_step{Pre,Here}(dx, op, adds, vec, y, g, s, k0 + t);
        //@ assert old: pulled_row{Pre,Here}(dx, op, adds, y, g, s, StepAt(vec,k0 + t));
        //@ assert new: pulled_row{Pre,Here}(dx, op, adds, y, g, s, StepAt(vec,k0 + t + 1));
        //@ assert left: left_row{Pre,Here}(dx, StepAt(vec,k0 + t + 1), n);
      }
  }
}

/*@ predicate spread_in{L}(float *y, float *g, float *dx, float *part, integer rows, integer cols,
                           integer chunk, integer pieces, integer vec) =
      pull_split(y,g,part,rows,cols,chunk,pieces,vec) && pull_tensors(y,g,dx,rows,cols,vec) &&
      apart(part,ix(rows,pieces,0),dx,ix(rows,cols,0)); */

/* The sum of row r, of what its pieces have: log_softmax's parts are its g. */
/*@ requires block && 0 <= r < rows && pull_split(y,g,part,rows,cols,chunk,pieces,vec);
    requires pieces_row{Pre,Pre}(part+ix(r,pieces,0),op,y+ix(r,cols,0),g+ix(r,cols,0),cols,chunk,
                                 pieces);
    assigns \nothing;
    ensures \result == PullSum{Pre}(op,y+ix(r,cols,0),g+ix(r,cols,0),cols); */
DEV float split_whole(idx r, idx rows, idx pieces,
                      const float *part GHOST_PARAMS(int op, int vec, idx cols, idx chunk,
                                                     const float *y, const float *g))
{
  idx q = at2(rows, pieces, r, 0);
  //@ assert next: ix(r+1,pieces,0) == q + pieces && ix(r+1,pieces,0) <= ix(rows,pieces,0);
  //@ assert perm: perm_r(part,ix(rows,pieces,0));
  //@ assert perm_row: perm_r(part+q,pieces);
  //@ assert all: Sum(part+q,pieces) == PullSum(op,y+ix(r,cols,0),g+ix(r,cols,0),cols);
  return split_sum(LOG, 0, pieces, part + q, part + q);
}

/* Piece p of row r. */
/*@ requires block && split_piece_of(r,p,rows,cols,chunk,pieces);
    requires spread_in(y,g,dx,part,rows,cols,chunk,pieces,vec);
    requires pieces_row{Pre,Pre}(part+ix(r,pieces,0),op,y+ix(r,cols,0),g+ix(r,cols,0),cols,chunk,
                                 pieces);
    assigns dx[0 .. ix(rows,cols,0)-1];
    ensures spread_row{Pre,Post}(op,adds,y,g,dx,cols,r,PieceAt(p,cols,chunk),
                                 PieceAt(p+1,cols,chunk));
    ensures same_rows{Pre,Post}(dx,cols,r) && rows_left{Pre,Post}(dx,cols,r+1,rows);
    ensures cells_same{Pre,Post}(dx,cols,r,0,PieceAt(p,cols,chunk));
    ensures cells_same{Pre,Post}(dx,cols,r,PieceAt(p+1,cols,chunk),cols); */
DEV void split_out_nth(int op, int adds, int vec, idx r, idx p, idx rows, idx cols, idx chunk,
                       idx pieces, const float *part, const float *RESTRICT y,
                       const float *RESTRICT g, float *RESTRICT dx)
{
  row_piece w = split_find(r, p, rows, cols, chunk, pieces GHOST_ARGS(vec));
  float sum = split_whole(r, rows, pieces, part GHOST_ARGS(op, vec, cols, chunk, y, g));
  //@ assert perm_all: perm_r(y,ix(rows,cols,0)) && perm_r(g,ix(rows,cols,0));
  //@ assert perm_dx: perm_r(dx,ix(rows,cols,0)) && perm_w(dx,ix(rows,cols,0));
  //@ assert perm_in: perm_r(y+w.at,w.n) && perm_r(g+w.at,w.n);
  //@ assert perm_out: perm_r(dx+w.at,w.n) && perm_w(dx+w.at,w.n);
  //@ assert out: split_out(dx+w.at,y+w.at,g+w.at,w.n,vec);
  /*@ assert below: \forall integer q, c; 0 <= q < r ==> 0 <= c < cols ==>
        0 <= ix(q,cols,c) < ix(r,cols,0); */
  /*@ assert above: \forall integer q, c; r < q < rows ==> 0 <= c < cols ==>
        ix(r,cols,0) + cols <= ix(q,cols,c) < ix(rows,cols,0); */
  //@ assert cell: \forall integer c; ix(r,cols,c) == ix(r,cols,0) + c;
  //@ ghost L0: ;
  split_put_all(op, adds, vec, w.n, sum, y + w.at, g + w.at, dx + w.at);
  //@ assert same: same_rows{L0,Here}(dx,cols,r);
  //@ assert left: rows_left{L0,Here}(dx,cols,r+1,rows);
  //@ assert to: cells_same{L0,Here}(dx,cols,r,0,PieceAt(p,cols,chunk));
  //@ assert behind: cells_same{L0,Here}(dx,cols,r,PieceAt(p+1,cols,chunk),cols);
  //@ assert put: pulled_row{L0,Here}(dx+w.at,op,adds,y+w.at,g+w.at,sum,w.n);
  //@ assert places: \forall integer c; behind(w.at,c-PieceAt(p,cols,chunk),ix(r,cols,c));
  /*@ assert cells: pulled_cells{L0,Here}(dx,op,adds,y,g,sum,cols,r,PieceAt(p,cols,chunk),
        PieceAt(p+1,cols,chunk)); */
}

/*@ requires block && 0 < rows && spread_in(y,g,dx,part,rows,cols,chunk,pieces,VEC);
    requires ix(rows,pieces,0) <= BLOCKS;
    requires pieces_rows{Pre,Pre}(part,OP,y,g,cols,chunk,pieces,rows);
    assigns dx[0 .. ix(rows,cols,0)-1];
    ensures pull_rows{Pre,Post}(OP,accumulate,y,g,dx,cols,rows); */
TEMPLATE(int OP, int VEC)
KERNEL void softmax_vjp_split_out(CONSTANTS(int OP, int VEC) int accumulate, idx rows, idx cols,
                                  idx chunk, idx pieces, const float *part, const float *RESTRICT y,
                                  const float *RESTRICT g, float *RESTRICT dx)
{
  await_launches();
  /*@ loop invariant 0 <= r <= rows;
      loop invariant pull_rows{Pre,Here}(OP,accumulate,y,g,dx,cols,r);
      loop invariant rows_left{Pre,Here}(dx,cols,r,rows);
      loop assigns r, dx[0 .. ix(rows,cols,0)-1];
      loop variant rows - r; */
  BROWS(r, rows, pieces) {
    //@ assert row: 0 <= ix(r,cols,0) && ix(r,cols,0) + cols <= ix(rows,cols,0);
    //@ assert part_row: 0 <= ix(r,pieces,0) && ix(r,pieces,0) + pieces <= ix(rows,pieces,0);
    /*@ assert parts: pieces_row{Pre,Pre}(part+ix(r,pieces,0),OP,y+ix(r,cols,0),g+ix(r,cols,0),cols,
                                          chunk,pieces); */
    /*@ loop invariant 0 <= p <= pieces;
        loop invariant pull_rows{Pre,Here}(OP,accumulate,y,g,dx,cols,r);
        loop invariant rows_left{Pre,Here}(dx,cols,r+1,rows);
        loop invariant spread_row{Pre,Here}(OP,accumulate,y,g,dx,cols,r,0,PieceAt(p,cols,chunk));
        loop invariant cells_same{Pre,Here}(dx,cols,r,PieceAt(p,cols,chunk),cols);
        loop assigns p, dx[0 .. ix(rows,cols,0)-1];
        loop variant pieces - p; */
    BCOLS(p, pieces) {
      //@ assert all_y: Same{Pre,Here}(y,ix(rows,cols,0));
      //@ assert all_g: Same{Pre,Here}(g,ix(rows,cols,0));
      //@ assert all_parts: Same{Pre,Here}(part,ix(rows,pieces,0));
      //@ assert same_y: Same{Pre,Here}(y+ix(r,cols,0),cols);
      //@ assert same_g: Same{Pre,Here}(g+ix(r,cols,0),cols);
      //@ assert same_part: Same{Pre,Here}(part+ix(r,pieces,0),pieces);
      //@ assert to: 0 <= PieceAt(p,cols,chunk) <= PieceAt(p+1,cols,chunk) <= cols;
      //@ assert old_y: Same{Here,Pre}(y+ix(r,cols,0),cols);
      //@ assert old_g: Same{Here,Pre}(g+ix(r,cols,0),cols);
      /*@ assert old_dx: cells_same{Here,Pre}(dx,cols,r,PieceAt(p,cols,chunk),
                                              PieceAt(p+1,cols,chunk)); */
      split_out_nth(OP, accumulate, VEC, r, p, rows, cols, chunk, pieces, part, y, g, dx);
      /*@ assert value: spread_row{LoopCurrent,Here}(OP,accumulate,y,g,dx,cols,r,
            PieceAt(p,cols,chunk),PieceAt(p+1,cols,chunk)); */
      /*@ assert new: spread_row{Pre,Here}(OP,accumulate,y,g,dx,cols,r,PieceAt(p,cols,chunk),
            PieceAt(p+1,cols,chunk)); */
      /*@ assert before: spread_row{Pre,Here}(OP,accumulate,y,g,dx,cols,r,0,
            PieceAt(p,cols,chunk)); */
      //@ assert old: pull_rows{Pre,Here}(OP,accumulate,y,g,dx,cols,r);
    }
    //@ assert whole: PieceAt(pieces,cols,chunk) == cols;
    //@ assert pulled: pulled_at{Pre,Here}(OP,accumulate,y,g,dx,cols,r);
  }
}

#ifndef __FRAMAC__
/* -------------------------------------------------- launcher */
#include "launch.h"

template <int OP, int VEC>
static void launch_split(const pm_exec *ex, int accumulate, int64_t rows, int64_t cols, float *part,
                         const float *y, const float *g, float *dx)
{
  idx chunk = split_chunk(rows, cols), pieces = split_chunks(rows, cols), blocks = rows * pieces;
  LAUNCH((softmax_vjp_split_chunks<OP, VEC>), blocks, SPLIT_BLOCK, ex->stream, rows, cols, chunk,
         pieces, y, g, part);
  LAUNCH_AFTER((softmax_vjp_split_out<OP, VEC>), blocks, SPLIT_BLOCK, ex->stream, accumulate, rows,
               cols, chunk, pieces, (const float *)part, y, g, dx);
}

extern "C" void LAUNCHER(softmax_vjp_split)(const pm_exec *ex, int op, int vec, int accumulate,
                                            int64_t rows, int64_t cols, float *part, const float *y,
                                            const float *g, float *dx)
{
#define RUN(OP)                                                        \
  do {                                                                 \
    if (vec)                                                           \
      launch_split<OP, 1>(ex, accumulate, rows, cols, part, y, g, dx); \
    else                                                               \
      launch_split<OP, 0>(ex, accumulate, rows, cols, part, y, g, dx); \
  } while (0)
  WITH_OP(RUN, op);
#undef RUN
}
#endif
