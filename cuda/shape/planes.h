/* Batched transpose, by shared-memory tiles or by vectors: x is (planes, rows, cols), y (planes,
 * cols, rows). */
#ifndef PM_SHAPE_PLANES_H
#define PM_SHAPE_PLANES_H
#include "vec4_laws.h"
#include "../../spec/shape.h"

/*@ // `plane` elements a plane; what lies in plane q behind its first element
    predicate planes_size{L}(float *y, float *x, integer planes, integer plane, integer rows,
                             integer cols) =
      0 < rows <= IDX_LIM && 0 < cols <= IDX_LIM && 0 <= planes && plane == ix(rows,cols,0) &&
      plane == ix(cols,rows,0) && reads(x,ix(planes,plane,0)) && writes(y,ix(planes,plane,0)) &&
      apart(x,ix(planes,plane,0),y,ix(planes,plane,0));
    // y is x transposed, or y + that
    predicate turned{L0,L}(float *y, float *x, integer adds, integer rows, integer cols) =
      \forall integer c, r; 0 <= c < cols ==> 0 <= r < rows ==> \at(y[ix(c,rows,r)],L) ==
        plus(adds, \at(y[ix(c,rows,r)],L0), \at(x[ix(r,cols,c)],L0));
    predicate kept{L0,L}(float *y, integer n) =
      \forall integer k; 0 <= k < n ==> \at(y[k],L) == \at(y[k],L0);
    lemma turned_kept{L0,L1,L2}: \forall float *y, *x, integer adds, rows, cols;
      turned{L0,L1}(y,x,adds,rows,cols) ==> kept{L1,L2}(y,ix(cols,rows,0)) ==>
      turned{L0,L2}(y,x,adds,rows,cols);
    lemma kept_turned{L0,L1,L2}: \forall float *y, *x, integer adds, rows, cols;
      kept{L0,L1}(y,ix(cols,rows,0)) ==> kept{L0,L1}(x,ix(rows,cols,0)) ==>
      turned{L1,L2}(y,x,adds,rows,cols) ==> turned{L0,L2}(y,x,adds,rows,cols);
    lemma kept_kept{L0,L1,L2}: \forall float *y, integer n;
      kept{L0,L1}(y,n) ==> kept{L1,L2}(y,n) ==> kept{L0,L2}(y,n);
    lemma plane_order: \forall integer p, q, plane; 0 <= plane ==> q < p ==>
      ix(q,plane,0) + plane <= ix(p,plane,0);
    lemma plane_quad: \forall integer p, plane, q; plane == 4*q ==> ix(p,plane,0) == 4*ix(p,q,0);
    lemma plane_end: \forall integer p, planes, plane; 0 <= p < planes ==> 0 <= plane ==>
      0 <= ix(p,plane,0) && ix(p,plane,0) + plane <= ix(planes,plane,0); */

/*@ predicate turn_size{L}(float *y, float *x, integer rows, integer cols) =
      0 < rows <= IDX_LIM && 0 < cols <= IDX_LIM && reads(x,ix(rows,cols,0)) &&
      0 <= ix(cols,rows,0) <= IDX_LIM && \valid(y + (0 .. ix(cols,rows,0)-1)) &&
      apart(x,ix(rows,cols,0),y,ix(cols,rows,0)); */

/* ---- vec4: a thread turns a 4x4 square in registers; a block 32 x 8 of them, so that a warp
 * reads whole 128-byte lines and writes whole 64-byte halves of them ---- */
#define SQUARES_DOWN 32
#define SQUARES_ACROSS 8

/*@ // every cell but rows 4i .. 4i+3 of columns from .. to-1 of x is as it was
    predicate left{L0,L}(float *y, integer R, integer C, integer i, integer from, integer to) =
      \forall integer c, r; 0 <= c < 4*C ==> 0 <= r < 4*R ==>
        (c < from || to <= c || r < 4*i || 4*i + 4 <= r) ==>
        \at(y[ix(c,4*R,r)],L) == \at(y[ix(c,4*R,r)],L0);
    // rows 4i .. 4i+3 of column c of x are in place; of columns 4j .. 4j+3
    predicate column_done{L0,L}(float *y, float *x, integer adds, integer R, integer C, integer i,
                                integer c) =
      \forall integer r; in4(r,i) ==> \at(y[ix(c,4*R,r)],L) ==
        plus(adds, \at(y[ix(c,4*R,r)],L0), \at(x[ix(r,4*C,c)],L0));
    predicate square_done{L0,L}(float *y, float *x, integer adds, integer R, integer C, integer i,
                                integer j) =
      \forall integer c, r; in4(c,j) ==> in4(r,i) ==> \at(y[ix(c,4*R,r)],L) ==
        plus(adds, \at(y[ix(c,4*R,r)],L0), \at(x[ix(r,4*C,c)],L0));
    // all squares before (i,j), in order of rows, and nothing else
    predicate squares_done{L0,L}(float *y, float *x, integer adds, integer R, integer C, integer i,
                                 integer j) =
      \forall integer c, r; 0 <= c < 4*C ==> 0 <= r < 4*R ==>
        \at(y[ix(c,4*R,r)],L) == (r < 4*i || (r < 4*i+4 && c < 4*j)
          ? plus(adds, \at(y[ix(c,4*R,r)],L0), \at(x[ix(r,4*C,c)],L0))
          : \at(y[ix(c,4*R,r)],L0));
    predicate own4(float *y, integer o) =
      R(y+o) && R(y+o+1) && R(y+o+2) && R(y+o+3) && W(y+o) && W(y+o+1) && W(y+o+2) && W(y+o+3);
    predicate square_W(integer i, integer j, integer R, integer k) =
      quad_W(4*j,i,R,k) || quad_W(4*j+1,i,R,k) || quad_W(4*j+2,i,R,k) || quad_W(4*j+3,i,R,k);
    lemma race_square: \forall integer i, j, e, f, R, k; 0 <= i < R ==> 0 <= e < R ==>
      (i != e || j != f) ==> square_W(i,j,R,k) ==> !square_W(e,f,R,k);
    lemma quad_range: \forall integer c, i, R, m; 0 <= i < R ==> 0 <= c < m ==>
      0 <= 4*ix(c,R,i) && 4*ix(c,R,i) + 4 <= 4*ix(m,R,0);
    // v is in place, or added, in row c of y from 4i on
    predicate placed{L0,L}(float *y, float4 v, integer adds, integer R, integer c, integer i) =
      \at(y[ix(c,4*R,4*i)],L) == plus(adds, \at(y[ix(c,4*R,4*i)],L0), v.x) &&
      \at(y[ix(c,4*R,4*i+1)],L) == plus(adds, \at(y[ix(c,4*R,4*i+1)],L0), v.y) &&
      \at(y[ix(c,4*R,4*i+2)],L) == plus(adds, \at(y[ix(c,4*R,4*i+2)],L0), v.z) &&
      \at(y[ix(c,4*R,4*i+3)],L) == plus(adds, \at(y[ix(c,4*R,4*i+3)],L0), v.w);
    predicate column4{L}(float4 v, float *x, integer C, integer i, integer c) =
      v.x == x[ix(4*i,4*C,c)] && v.y == x[ix(4*i+1,4*C,c)] && v.z == x[ix(4*i+2,4*C,c)] &&
      v.w == x[ix(4*i+3,4*C,c)];
    predicate holds4{L}(float4 v, float *y, integer o) =
      v.x == y[o] && v.y == y[o+1] && v.z == y[o+2] && v.w == y[o+3]; */

/* Rows 4i .. 4i+3 of column c of x, which v holds, to row c of y. */
/*@ requires turn_size(y,x,4*R,4*C) && aligned16(y) && 0 <= i < R && 0 <= c < 4*C;
    requires to == 4*ix(c,R,i) && to + 4 <= ix(4*C,4*R,0) && own4(y,to);
    requires adds != 0 ==> holds4(old, y, to);
    assigns y[to .. to+3];
    ensures placed{Pre,Post}(y, v, adds, R, c, i);
    ensures left{Pre,Post}(y, R, C, i, c, c+1); */
DEV void store_turned(idx to, float4 v, int adds, float4 old,
                      float *RESTRICT y GHOST_PARAMS(idx R, idx C, idx i, idx c, const float *x))
{
  //@ assert ix(c,4*R,4*i) == to && ix(c,4*R,4*i+1) == to + 1;
  //@ assert ix(c,4*R,4*i+2) == to + 2 && ix(c,4*R,4*i+3) == to + 3;
  ST4(y + to, adds ? plus4(old, v) : v);
}

/*@ requires adds != 0 ==> aligned16(y + to) && \valid_read(y + (to .. to+3)) && own4(y,to);
    assigns \nothing;
    ensures adds != 0 ==> holds4(\result, y, to); */
DEV float4 load_old(int adds, const float *y, idx to)
{
  float4 old = {0, 0, 0, 0};
  if (adds)
    old = LD4(y + to);
  return old;
}

/* Rows 4i .. 4i+3, columns 4j .. 4j+3 of x, (4R, 4C); accumulate adds to y. */
/*@ requires turn_size(y,x,4*R,4*C) && aligned16(x) && aligned16(y) && 0 <= i < R && 0 <= j < C;
    requires \forall integer k; square_W(i,j,R,k) ==> R(y+k) && W(y+k);
    assigns y[0 .. ix(4*C,4*R,0)-1];
    ensures square_done{Pre,Post}(y, x, accumulate, R, C, i, j);
    ensures left{Pre,Post}(y, R, C, i, 4*j, 4*j+4); */
DEV void transpose_square(idx i, idx j, idx R, idx C, int accumulate, const float *RESTRICT x,
                          float *RESTRICT y)
{
  idx from0 = at2(4 * R, 4 * C, 4 * i, 4 * j), from1 = at2(4 * R, 4 * C, 4 * i + 1, 4 * j);
  idx from2 = at2(4 * R, 4 * C, 4 * i + 2, 4 * j), from3 = at2(4 * R, 4 * C, 4 * i + 3, 4 * j);
  idx to0 = at2(4 * C, 4 * R, 4 * j, 4 * i), to1 = at2(4 * C, 4 * R, 4 * j + 1, 4 * i);
  idx to2 = at2(4 * C, 4 * R, 4 * j + 2, 4 * i), to3 = at2(4 * C, 4 * R, 4 * j + 3, 4 * i);
  /*@ assert from0 == 4*ix(4*i,C,j) && from1 == 4*ix(4*i+1,C,j) &&
             from2 == 4*ix(4*i+2,C,j) && from3 == 4*ix(4*i+3,C,j); */
  /*@ assert to0 == 4*ix(4*j,R,i) && to1 == 4*ix(4*j+1,R,i) &&
             to2 == 4*ix(4*j+2,R,i) && to3 == 4*ix(4*j+3,R,i); */
  //@ assert ix(4*R,4*C,0) == 4*ix(4*R,C,0) && ix(4*C,4*R,0) == 4*ix(4*C,R,0);
  //@ assert from0 < from1 < from2 < from3 && from3 + 4 <= ix(4*R,4*C,0);
  //@ assert to0 + 4 <= to1 && to1 + 4 <= to2 && to2 + 4 <= to3 && to3 + 4 <= ix(4*C,4*R,0);
  //@ assert aligned16(y+to0) && aligned16(y+to1) && aligned16(y+to2) && aligned16(y+to3);
  //@ assert own4(y,to0) && own4(y,to1) && own4(y,to2) && own4(y,to3);
  //@ assert aligned16(x+from0) && aligned16(x+from1) && aligned16(x+from2) && aligned16(x+from3);
  //@ assert 0 <= from0 && from0 + 4 <= ix(4*R,4*C,0) && 0 <= from1 && from1 + 4 <= ix(4*R,4*C,0);
  //@ assert 0 <= from2 && from2 + 4 <= ix(4*R,4*C,0) && 0 <= from3 && from3 + 4 <= ix(4*R,4*C,0);
  //@ assert \valid_read(x + (from0 .. from0+3)) && \valid_read(x + (from1 .. from1+3));
  //@ assert \valid_read(x + (from2 .. from2+3)) && \valid_read(x + (from3 .. from3+3));
  //@ assert ix(4*i,4*C,4*j+1) == from0 + 1 && ix(4*i+1,4*C,4*j+1) == from1 + 1;
  //@ assert ix(4*i+2,4*C,4*j+1) == from2 + 1 && ix(4*i+3,4*C,4*j+1) == from3 + 1;
  //@ assert ix(4*i,4*C,4*j+2) == from0 + 2 && ix(4*i+1,4*C,4*j+2) == from1 + 2;
  //@ assert ix(4*i+2,4*C,4*j+2) == from2 + 2 && ix(4*i+3,4*C,4*j+2) == from3 + 2;
  //@ assert ix(4*i,4*C,4*j+3) == from0 + 3 && ix(4*i+1,4*C,4*j+3) == from1 + 3;
  //@ assert ix(4*i+2,4*C,4*j+3) == from2 + 3 && ix(4*i+3,4*C,4*j+3) == from3 + 3;
  float4 a = LD4(x + from0), b = LD4(x + from1), c = LD4(x + from2), d = LD4(x + from3);
  float4 p = {a.x, b.x, c.x, d.x}, q = {a.y, b.y, c.y, d.y};
  float4 r = {a.z, b.z, c.z, d.z}, s = {a.w, b.w, c.w, d.w};
  //@ assert column4{Pre}(p, x, C, i, 4*j) && column4{Pre}(q, x, C, i, 4*j+1);
  //@ assert column4{Pre}(r, x, C, i, 4*j+2) && column4{Pre}(s, x, C, i, 4*j+3);
  float4 p0 = load_old(accumulate, y, to0), q0 = load_old(accumulate, y, to1);
  float4 r0 = load_old(accumulate, y, to2), s0 = load_old(accumulate, y, to3);
  store_turned(to0, p, accumulate, p0, y GHOST_ARGS(R, C, i, 4 * j, x));
  //@ assert accumulate != 0 ==> holds4(s0, y, to3);
  //@ assert left{Pre,Here}(y, R, C, i, 4*j, 4*j+1);
  //@ assert placed{Pre,Here}(y, p, accumulate, R, 4*j, i);
  store_turned(to1, q, accumulate, q0, y GHOST_ARGS(R, C, i, 4 * j + 1, x));
  //@ assert accumulate != 0 ==> holds4(s0, y, to3);
  //@ assert left{Pre,Here}(y, R, C, i, 4*j, 4*j+2);
  //@ assert placed{Pre,Here}(y, p, accumulate, R, 4*j, i);
  //@ assert placed{Pre,Here}(y, q, accumulate, R, 4*j+1, i);
  store_turned(to2, r, accumulate, r0, y GHOST_ARGS(R, C, i, 4 * j + 2, x));
  //@ assert accumulate != 0 ==> holds4(s0, y, to3);
  //@ assert left{Pre,Here}(y, R, C, i, 4*j, 4*j+3);
  //@ assert placed{Pre,Here}(y, p, accumulate, R, 4*j, i);
  //@ assert placed{Pre,Here}(y, q, accumulate, R, 4*j+1, i);
  //@ assert placed{Pre,Here}(y, r, accumulate, R, 4*j+2, i);
  store_turned(to3, s, accumulate, s0, y GHOST_ARGS(R, C, i, 4 * j + 3, x));
  //@ assert left{Pre,Here}(y, R, C, i, 4*j, 4*j+4);
  //@ assert placed{Pre,Here}(y, p, accumulate, R, 4*j, i);
  //@ assert placed{Pre,Here}(y, q, accumulate, R, 4*j+1, i);
  //@ assert placed{Pre,Here}(y, r, accumulate, R, 4*j+2, i);
  //@ assert placed{Pre,Here}(y, s, accumulate, R, 4*j+3, i);
  //@ assert column_done{Pre,Here}(y, x, accumulate, R, C, i, 4*j);
  //@ assert column_done{Pre,Here}(y, x, accumulate, R, C, i, 4*j+1);
  //@ assert column_done{Pre,Here}(y, x, accumulate, R, C, i, 4*j+2);
  //@ assert column_done{Pre,Here}(y, x, accumulate, R, C, i, 4*j+3);
}

/* What is granted stands here element by element, as a plane is part of a tensor. */
/*@ requires 0 < 4*R <= IDX_LIM && 0 < 4*C <= IDX_LIM && aligned16(x) && aligned16(y);
    requires 0 <= ix(4*R,4*C,0) <= IDX_LIM && ix(4*C,4*R,0) == ix(4*R,4*C,0);
    requires \valid_read(x + (0 .. ix(4*R,4*C,0)-1)) && \valid(y + (0 .. ix(4*C,4*R,0)-1));
    requires \separated(x + (0 .. ix(4*R,4*C,0)-1), y + (0 .. ix(4*C,4*R,0)-1));
    requires \forall integer k; 0 <= k < ix(4*R,4*C,0) ==> R(x+k);
    requires \forall integer k; 0 <= k < ix(4*C,4*R,0) ==> R(y+k) && W(y+k);
    requires BDIM == SQUARES_DOWN * SQUARES_ACROSS;
    requires ix((R+SQUARES_DOWN-1)/SQUARES_DOWN,(C+SQUARES_ACROSS-1)/SQUARES_ACROSS,0) <= PER;
    assigns y[0 .. ix(4*C,4*R,0)-1];
    ensures turned{Pre,Post}(y, x, accumulate, 4*R, 4*C); */
DEV void transpose_squares(idx R, idx C, int accumulate, const float *RESTRICT x,
                           float *RESTRICT y PLANE_FN)
{
  //@ assert turn_size(y,x,4*R,4*C) && writes(y,ix(4*C,4*R,0));
  /*@ loop invariant 0 <= i <= R;
      loop invariant squares_done{Pre,Here}(y, x, accumulate, R, C, i, 0);
      loop assigns i, y[0 .. ix(4*C,4*R,0)-1];
      loop variant R - i; */
  GTILE_ROWS(i, R, C, SQUARES_DOWN, SQUARES_ACROSS) {
    /*@ loop invariant 0 <= j <= C;
        loop invariant squares_done{Pre,Here}(y, x, accumulate, R, C, i, j);
        loop assigns j, y[0 .. ix(4*C,4*R,0)-1];
        loop variant C - j; */
    GTILE_COLS(j, C, SQUARES_ACROSS) {
      /*@ assert ix(4*C,4*R,0) == 4*ix(4*C,R,0) && \forall integer c; 0 <= c < 4*C ==>
            0 <= 4*ix(c,R,i) && 4*ix(c,R,i) + 4 <= ix(4*C,4*R,0); */
      transpose_square(i, j, R, C, accumulate, x, y);
    }
  }
}

/* 16 R C elements a plane, `per` blocks a plane. */
/*@ requires planes_size(y,x,planes,plane,4*R,4*C) && aligned16(x) && aligned16(y);
    requires 0 < per && ix(planes,per,0) <= BLOCKS && BDIM == SQUARES_DOWN * SQUARES_ACROSS;
    requires ix((R+SQUARES_DOWN-1)/SQUARES_DOWN,(C+SQUARES_ACROSS-1)/SQUARES_ACROSS,0) <= per;
    assigns y[0 .. ix(planes,plane,0)-1];
    ensures \forall integer q; 0 <= q < planes ==>
      turned{Pre,Post}(y + ix(q,plane,0), x + ix(q,plane,0), accumulate, 4*R, 4*C);
    ensures accumulate == 0 ==> \forall integer q; 0 <= q < planes ==>
      Transposed{Post,Pre}(y + ix(q,plane,0), x + ix(q,plane,0), 4*R, 4*C); */
KERNEL void transpose_vec4(idx planes, idx plane, idx per, idx R, idx C, int accumulate,
                           const float *RESTRICT x, float *RESTRICT y)
{
  //@ assert 0 < plane && plane == 4*ix(4*R,C,0);
  /*@ loop invariant 0 <= p <= planes;
      loop invariant \forall integer q; 0 <= q < p ==>
        turned{Pre,Here}(y + ix(q,plane,0), x + ix(q,plane,0), accumulate, 4*R, 4*C);
      loop invariant \forall integer q; p <= q < planes ==>
        kept{Pre,Here}(y + ix(q,plane,0), plane);
      loop assigns p, y[0 .. ix(planes,plane,0)-1];
      loop variant planes - p; */
  GPLANES(p, planes, per) {
    idx at = at2(planes, plane, p, 0);
    //@ assert at == 4*ix(p,ix(4*R,C,0),0) && 0 <= at && at + plane <= ix(planes,plane,0);
    //@ assert aligned16(x+at) && aligned16(y+at);
    //@ ghost P0: ;
    transpose_squares(R, C, accumulate, x + at, y + at IN_PLANE);
    /*@ assert \forall integer q; 0 <= q < planes ==> q != p ==>
          kept{P0,Here}(y + ix(q,plane,0), plane); */
    //@ assert turned{P0,Here}(y + at, x + at, accumulate, 4*R, 4*C);
    //@ assert kept{Pre,P0}(y + at, plane);
    //@ assert kept{Pre,P0}(x + at, plane);
    //@ assert turned{Pre,Here}(y + at, x + at, accumulate, 4*R, 4*C);
  }
}

/* ---- tile: any shape, through a tile of shared memory; its rows are one word longer, so that
 * neither rows nor columns meet in one bank ---- */
#define TILE 32
#define PITCH 33
/*@ predicate load_W(integer ty, integer tx, integer k) = k == ix(ty,PITCH,tx);
    predicate store_R(integer ty, integer tx, integer k) = k == ix(tx,PITCH,ty);
    lemma tile_size: ix(TILE,PITCH,0) == TILE*PITCH;
    lemma race_load: \forall integer ty, tx, uy, ux, k; 0 <= tx < TILE ==> 0 <= ux < TILE ==>
      (ty != uy || tx != ux) ==> load_W(ty,tx,k) ==> !load_W(uy,ux,k);
    // the threads before (ty,tx) have loaded square (i,j) of x, where x has it
    predicate loaded{L0,L}(float *tile, float *x, integer rows, integer cols, integer i, integer j,
                           integer ty, integer tx) =
      \forall integer e, f; 0 <= e < TILE ==> 0 <= f < TILE ==> i + e < rows ==> j + f < cols ==>
        (e < ty || (e == ty && f < tx)) ==>
        \at(tile[ix(e,PITCH,f)],L) == \at(x[ix(i+e,cols,j+f)],L0);
    // of that square, row j + ty of y up to i + tx and the rows before; no other cell of y
    predicate stored{L0,L}(float *y, float *x, integer adds, integer rows, integer cols, integer i,
                           integer j, integer ty, integer tx) =
      \forall integer c, r; 0 <= c < cols ==> 0 <= r < rows ==>
        \at(y[ix(c,rows,r)],L) == (j <= c && i <= r < i + TILE &&
                                      (c < j + ty || (c == j + ty && r < i + tx))
          ? plus(adds, \at(y[ix(c,rows,r)],L0), \at(x[ix(r,cols,c)],L0))
          : \at(y[ix(c,rows,r)],L0));
    // all tiles before (i,j), in order of rows, and nothing else
    predicate tiles_done{L0,L}(float *y, float *x, integer adds, integer rows, integer cols,
                               integer i, integer j) =
      \forall integer c, r; 0 <= c < cols ==> 0 <= r < rows ==>
        \at(y[ix(c,rows,r)],L) == (r < TILE*i || (r < TILE*i + TILE && c < TILE*j)
          ? plus(adds, \at(y[ix(c,rows,r)],L0), \at(x[ix(r,cols,c)],L0))
          : \at(y[ix(c,rows,r)],L0)); */

/*@ requires turn_size(y,x,rows,cols) && 0 <= i < rows && 0 <= j < cols;
    requires 0 <= ty < TILE && 0 <= tx < TILE && \valid(tile + (0 .. TILE*PITCH-1));
    requires \forall integer k; load_W(ty,tx,k) ==> W(tile+k);
    assigns tile[ix(ty,PITCH,tx)];
    ensures i + ty < rows && j + tx < cols ==>
      tile[ix(ty,PITCH,tx)] == \old(x[ix(i+ty,cols,j+tx)]); */
DEV void transpose_load(float *tile, idx i, idx j, idx rows, idx cols, const float *RESTRICT x,
                        int ty, int tx PHASE_FN GHOST_PARAMS(const float *y))
{
  if (i + ty < rows && j + tx < cols)
    ST(&tile[at2(TILE, PITCH, ty, tx)], LDG(x + at2(rows, cols, i + ty, j + tx)));
}

/*@ requires turn_size(y,x,rows,cols) && 0 <= i && 0 <= j && i + tx < rows && j + ty < cols;
    requires 0 <= ty < TILE && 0 <= tx < TILE && \valid(tile + (0 .. TILE*PITCH-1));
    requires \forall integer k; store_R(ty,tx,k) ==> R(tile+k);
    requires \forall integer k; cell_W(j+ty,i+tx,rows,k) ==> R(y+k) && W(y+k);
    assigns y[ix(j+ty,rows,i+tx)];
    ensures y[ix(j+ty,rows,i+tx)] ==
      plus(adds, \old(y[ix(j+ty,rows,i+tx)]), \old(tile[ix(tx,PITCH,ty)])); */
DEV void transpose_store(float *tile, idx i, idx j, idx rows, idx cols, int adds, float *RESTRICT y,
                         int ty, int tx PHASE_FN GHOST_PARAMS(const float *x))
{
  idx to = at2(cols, rows, j + ty, i + tx);
  float v = LD(&tile[at2(TILE, PITCH, tx, ty)]);
  STG(y + to, adds ? LDG(y + to) + v : v);
}

/*@ requires turn_size(y,x,rows,cols) && writes(y,ix(cols,rows,0)) && perm(tile,TILE*PITCH);
    requires 0 <= i < rows && 0 <= j < cols && \valid(tile + (0 .. TILE*PITCH-1));
    requires \separated(tile + (0 .. TILE*PITCH-1), x + (0 .. ix(rows,cols,0)-1));
    requires \separated(tile + (0 .. TILE*PITCH-1), y + (0 .. ix(cols,rows,0)-1));
    assigns tile[0 .. TILE*PITCH-1], y[0 .. ix(cols,rows,0)-1];
    ensures stored{Pre,Post}(y, x, adds, rows, cols, i, j, TILE, 0); */
DEV void transpose_block(float *tile, idx i, idx j, idx rows, idx cols, int adds,
                         const float *RESTRICT x, float *RESTRICT y)
{
  /*@ loop invariant 0 <= ty <= TILE;
      loop invariant loaded{Pre,Here}(tile, x, rows, cols, i, j, ty, 0);
      loop assigns ty, tile[0 .. TILE*PITCH-1];
      loop variant TILE - ty; */
  PHASE_ROWS(ty, TILE, TILE) {
    /*@ loop invariant 0 <= tx <= TILE;
        loop invariant loaded{Pre,Here}(tile, x, rows, cols, i, j, ty, tx);
        loop assigns tx, tile[0 .. TILE*PITCH-1];
        loop variant TILE - tx; */
    THREAD_COLS(tx, TILE) transpose_load(tile, i, j, rows, cols, x, ty, tx IN_PHASE GHOST_ARGS(y));
  }
  /*@ loop invariant 0 <= ty <= TILE;
      loop invariant stored{Pre,Here}(y, x, adds, rows, cols, i, j, ty, 0);
      loop invariant loaded{Pre,Here}(tile, x, rows, cols, i, j, TILE, 0);
      loop assigns ty, y[0 .. ix(cols,rows,0)-1];
      loop variant TILE - ty; */
  PHASE_ROWS(ty, TILE, TILE) {
    /*@ loop invariant 0 <= tx <= TILE;
        loop invariant stored{Pre,Here}(y, x, adds, rows, cols, i, j, ty, tx);
        loop invariant loaded{Pre,Here}(tile, x, rows, cols, i, j, TILE, 0);
        loop assigns tx, y[0 .. ix(cols,rows,0)-1];
        loop variant TILE - tx; */
    THREAD_COLS(tx, TILE)
      if (i + tx < rows && j + ty < cols) {
        //@ assert tile[ix(tx,PITCH,ty)] == rd{Pre}(x,ix(i+tx,cols,j+ty));
        transpose_store(tile, i, j, rows, cols, adds, y, ty, tx IN_PHASE GHOST_ARGS(x));
        /*@ assert y[ix(j+ty,rows,i+tx)] == plus(adds, rd{Pre}(y,ix(j+ty,rows,i+tx)),
                                                 rd{Pre}(x,ix(i+tx,cols,j+ty))); */
      }
  }
}

/*@ requires 0 < rows <= IDX_LIM && 0 < cols <= IDX_LIM && 0 <= ix(rows,cols,0) <= IDX_LIM;
    requires ix(cols,rows,0) == ix(rows,cols,0) && perm(tile,TILE*PITCH);
    requires \valid_read(x + (0 .. ix(rows,cols,0)-1)) && \valid(y + (0 .. ix(cols,rows,0)-1));
    requires \separated(x + (0 .. ix(rows,cols,0)-1), y + (0 .. ix(cols,rows,0)-1));
    requires \forall integer k; 0 <= k < ix(rows,cols,0) ==> R(x+k);
    requires \forall integer k; 0 <= k < ix(cols,rows,0) ==> R(y+k) && W(y+k);
    requires \valid(tile + (0 .. TILE*PITCH-1));
    requires \separated(tile + (0 .. TILE*PITCH-1), x + (0 .. ix(rows,cols,0)-1));
    requires \separated(tile + (0 .. TILE*PITCH-1), y + (0 .. ix(cols,rows,0)-1));
    requires 0 < down && rows <= TILE*down <= rows + TILE - 1;
    requires 0 < across && cols <= TILE*across <= cols + TILE - 1 && ix(down,across,0) <= PER;
    assigns tile[0 .. TILE*PITCH-1], y[0 .. ix(cols,rows,0)-1];
    ensures turned{Pre,Post}(y, x, adds, rows, cols); */
DEV void transpose_tiles(float *tile, idx rows, idx cols, idx down, idx across, int adds,
                         const float *RESTRICT x, float *RESTRICT y PLANE_FN)
{
  //@ assert turn_size(y,x,rows,cols) && writes(y,ix(cols,rows,0));
  /*@ loop invariant 0 <= i <= down;
      loop invariant tiles_done{Pre,Here}(y, x, adds, rows, cols, i, 0);
      loop assigns i, tile[0 .. TILE*PITCH-1], y[0 .. ix(cols,rows,0)-1];
      loop variant down - i; */
  PROWS(i, down, across) {
    /*@ loop invariant 0 <= j <= across;
        loop invariant tiles_done{Pre,Here}(y, x, adds, rows, cols, i, j);
        loop assigns j, tile[0 .. TILE*PITCH-1], y[0 .. ix(cols,rows,0)-1];
        loop variant across - j; */
    PCOLS(j, across) transpose_block(tile, i * TILE, j * TILE, rows, cols, adds, x, y);
  }
}

/* rows * cols elements a plane, down * across blocks a plane. */
/*@ requires planes_size(y,x,planes,plane,rows,cols);
    requires 0 < down && rows <= TILE*down <= rows + TILE - 1;
    requires 0 < across && cols <= TILE*across <= cols + TILE - 1;
    requires 0 < per && ix(down,across,0) <= per && ix(planes,per,0) <= BLOCKS;
    assigns y[0 .. ix(planes,plane,0)-1];
    ensures \forall integer q; 0 <= q < planes ==>
      turned{Pre,Post}(y + ix(q,plane,0), x + ix(q,plane,0), adds, rows, cols);
    ensures adds == 0 ==> \forall integer q; 0 <= q < planes ==>
      Transposed{Post,Pre}(y + ix(q,plane,0), x + ix(q,plane,0), rows, cols); */
KERNEL void transpose_tile(idx planes, idx plane, idx per, idx rows, idx cols, idx down, idx across,
                           int adds, const float *RESTRICT x, float *RESTRICT y)
{
  //@ assert 0 < plane;
  /*@ loop invariant 0 <= p <= planes;
      loop invariant \forall integer q; 0 <= q < p ==>
        turned{Pre,Here}(y + ix(q,plane,0), x + ix(q,plane,0), adds, rows, cols);
      loop invariant \forall integer q; p <= q < planes ==>
        kept{Pre,Here}(y + ix(q,plane,0), plane);
      loop assigns p, y[0 .. ix(planes,plane,0)-1];
      loop variant planes - p; */
  GPLANES(p, planes, per) {
    SHARED(float, tile, TILE *PITCH);
    idx at = at2(planes, plane, p, 0);
    //@ assert 0 <= at && at + plane <= ix(planes,plane,0);
    //@ ghost P0: ;
    transpose_tiles(tile, rows, cols, down, across, adds, x + at, y + at IN_PLANE);
    /*@ assert \forall integer q; 0 <= q < planes ==> q != p ==>
          kept{P0,Here}(y + ix(q,plane,0), plane); */
    //@ assert turned{P0,Here}(y + at, x + at, adds, rows, cols);
    //@ assert kept{Pre,P0}(y + at, plane);
    //@ assert kept{Pre,P0}(x + at, plane);
    //@ assert turned{Pre,Here}(y + at, x + at, adds, rows, cols);
  }
}
#endif
