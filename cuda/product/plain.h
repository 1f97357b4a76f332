/* The product whose text is proven to the value, over the whole grid, a race being a goal that
 * fails: a block a tile (plain_tile.h). By name only: its sums are those of vector, tile and
 * tile128, so a comparison of bits is one with what is proven. */
#ifndef PM_PRODUCT_PLAIN_H
#define PM_PRODUCT_PLAIN_H
#include "plain_tile.h"
#include "../math/index_product.h"

/*@ // number of the block that has element (i,j) of product z, where a product has tall x wide
    // tiles; r is the element's row of all products together
    logic integer plain_home(integer z, integer i, integer j, integer tall, integer wide) =
      ix(ix(z,tall,quo(i,SIDE)),wide,quo(j,SIDE));
    predicate own_tiles{L}(float *c, integer rows, integer n, integer m, integer tall,
                           integer wide) =
      held(c,ix(rows,n,0)) && (\forall integer r, j; 0 <= r < rows ==> 0 <= j < n ==>
        owner(c+(ix(r,n,0)+j), plain_home(quo(r,m),rem(r,m),j,tall,wide),
              ix(rem(rem(r,m),SIDE),SIDE,rem(j,SIDE))));
    lemma quo_is: \forall integer k, u, n; 0 < n ==> 0 <= u ==> ix(u,n,0) <= k < ix(u,n,0) + n ==>
      quo(k,n) == u && rem(k,n) == k - ix(u,n,0);
    lemma batch_place: \forall integer z, m, n, i, j;
      ix(z,ix(m,n,0),ix(i,n,j)) == ix(ix(z,m,i),n,0) + j;
    lemma batch_row: \forall integer z, m, i; 0 <= z ==> 0 <= i < m ==>
      quo(ix(z,m,i),m) == z && rem(ix(z,m,i),m) == i;
    lemma batch_rows: \forall integer batch, m, n; ix(ix(batch,m,0),n,0) == ix(batch,ix(m,n,0),0);
    lemma home_of: \forall integer z, u, v, i, j, tall, wide; 0 <= u < tall ==> 0 <= v < wide ==>
      0 <= i ==> 0 <= j ==> quo(i,SIDE) < tall ==> quo(j,SIDE) < wide ==> \forall integer w;
      plain_home(w,i,j,tall,wide) == ix(ix(z,tall,u),wide,v) ==>
      w == z && quo(i,SIDE) == u && quo(j,SIDE) == v;
    lemma home_inside: \forall integer z, i, j, batch, tall, wide; 0 <= z < batch ==>
      0 <= quo(i,SIDE) < tall ==> 0 <= quo(j,SIDE) < wide ==>
      0 <= plain_home(z,i,j,tall,wide) < ix(ix(batch,tall,0),wide,0);
    lemma nth_end: \forall integer z, batch, s; 0 <= z < batch ==> 0 <= s ==>
      0 <= ix(z,s,0) && ix(z,s,0) + s <= ix(batch,s,0);
    // element e of product w, each of s elements, is none of product z's
    predicate none_of(integer z, integer w, integer s, integer e) =
      ix(w,s,e) < ix(z,s,0) || ix(z,s,0) + s <= ix(w,s,e);
    lemma nth_apart: \forall integer z, w, s, e; w != z ==> 0 <= e < s ==> none_of(z,w,s,e);
    // e is where element (i,j) of product z lies
    predicate placed_at(integer e, integer z, integer m, integer n, integer i, integer j) =
      e == ix(ix(z,m,i),n,0) + j;
    lemma tiles_row{L}: \forall float *c, integer batch, m, n, tall, wide, z, i, j;
      own_tiles(c,ix(batch,m,0),n,m,tall,wide) ==> 0 <= z < batch ==> 0 <= i < m ==> 0 <= j < n ==>
      owner(c+(ix(ix(z,m,i),n,0)+j), plain_home(z,i,j,tall,wide),
            ix(rem(i,SIDE),SIDE,rem(j,SIDE)));
    lemma tiles_cell{L}: \forall float *c, integer batch, m, n, tall, wide, z, i, j, e;
      own_tiles(c,ix(batch,m,0),n,m,tall,wide) ==> 0 <= z < batch ==> 0 <= i < m ==> 0 <= j < n ==>
      placed_at(e,z,m,n,i,j) ==>
      owner(c+e, plain_home(z,i,j,tall,wide), ix(rem(i,SIDE),SIDE,rem(j,SIDE)));
    // whose the cells are, by product, row and column
    predicate tiles_have(float *c, integer batch, integer m, integer n, integer tall,
                         integer wide) =
      \forall integer z, i, j; 0 <= z < batch ==> 0 <= i < m ==> 0 <= j < n ==>
        owner(c+ix(z,ix(m,n,0),ix(i,n,j)), plain_home(z,i,j,tall,wide),
              ix(rem(i,SIDE),SIDE,rem(j,SIDE)));
    lemma tiles_all{L}: \forall float *c, integer batch, m, n, tall, wide;
      own_tiles(c,ix(batch,m,0),n,m,tall,wide) ==> tiles_have(c,batch,m,n,tall,wide);
    // all cells of the blocks before q, and nothing else
    predicate plain_done{L0,L}(float *c, float *a, float *b, integer ta, integer tb,
                               integer accumulate, real alpha, integer batch, integer m, integer k,
                               integer n, integer tall, integer wide, integer q) =
      \forall integer z, i, j; 0 <= z < batch ==> 0 <= i < m ==> 0 <= j < n ==>
        (plain_home(z,i,j,tall,wide) < q
          ? \at(c[ix(z,ix(m,n,0),ix(i,n,j))],L) ==
            plus(accumulate, \at(c[ix(z,ix(m,n,0),ix(i,n,j))],L0),
                 BatMul{L0}(ta,tb,alpha,a,b,m,k,n,z,i,j))
          : \at(c[ix(z,ix(m,n,0),ix(i,n,j))],L) == \at(c[ix(z,ix(m,n,0),ix(i,n,j))],L0)); */

/*@ requires 0 <= k && 0 < n; assigns \nothing; ensures \result == quo(k,n); */
DEV idx plain_quo(idx k, idx n) { return k / n; }

/*@ requires 0 <= k && 0 < n; assigns \nothing; ensures \result == rem(k,n); */
DEV idx plain_rem(idx k, idx n) { return k % n; }

/* c = alpha A B, or c += it, of `batch` products; (m, n) in tall x wide tiles. */
/*@ requires 0 <= batch <= IDX_LIM && 0 < m && 0 <= k && 0 < n && BDIM == SQUARE;
    requires plain_size(m,k) && plain_size(k,n) && plain_size(m,n);
    requires reads(a,ix(batch,ix(m,k,0),0)) && reads(b,ix(batch,ix(k,n,0),0));
    requires own_tiles(c, ix(batch,m,0), n, m, tall, wide);
    requires apart(a,ix(batch,ix(m,k,0),0),c,ix(batch,ix(m,n,0),0));
    requires apart(b,ix(batch,ix(k,n,0),0),c,ix(batch,ix(m,n,0),0));
    requires 0 < tall && SIDE*(tall-1) < m <= SIDE*tall;
    requires 0 < wide && SIDE*(wide-1) < n <= SIDE*wide;
    requires 0 <= blocks && blocks == ix(ix(batch,tall,0),wide,0) && blocks <= BLOCKS;
    assigns c[0 .. ix(batch,ix(m,n,0),0)-1];
    ensures \forall integer z, i, j; 0 <= z < batch ==> 0 <= i < m ==> 0 <= j < n ==>
      c[ix(z,ix(m,n,0),ix(i,n,j))] == plus(accumulate, \old(c[ix(z,ix(m,n,0),ix(i,n,j))]),
        BatMul{Pre}(ta,tb,alpha,a,b,m,k,n,z,i,j)); */
KERNEL void matmul_plain(idx batch, idx m, idx k, idx n, idx tall, idx wide, idx blocks, int ta,
                         int tb, int accumulate, float alpha, const float *RESTRICT a,
                         const float *RESTRICT b, float *RESTRICT c)
{
  //@ assert ix(blocks,1,0) == blocks && ix(ix(batch,m,0),n,0) == ix(batch,ix(m,n,0),0);
  //@ assert ix(tall,SIDE,0) == SIDE*tall && ix(wide,SIDE,0) == SIDE*wide;
  //@ assert \forall integer i; 0 <= i < m ==> 0 <= quo(i,SIDE) < tall;
  //@ assert \forall integer j; 0 <= j < n ==> 0 <= quo(j,SIDE) < wide;
  //@ assert tiles: tiles_have(c,batch,m,n,tall,wide);
  /*@ assert apart: \forall integer z, w, e; w != z ==> 0 <= e < ix(m,n,0) ==>
        none_of(z,w,ix(m,n,0),e); */
  /*@ loop invariant 0 <= q <= blocks;
      loop invariant plain_done{Pre,Here}(c, a, b, ta, tb, accumulate, alpha, batch, m, k, n, tall,
                                          wide, q);
      loop assigns q, c[0 .. ix(batch,ix(m,n,0),0)-1];
      loop variant blocks - q; */
  BROWS(q, blocks, 1) {
    SHARED(float, tile, 2 * SQUARE);
    idx up = plain_quo(q, wide), v = plain_rem(q, wide);
    idx z = plain_quo(up, tall), u = plain_rem(up, tall);
    //@ assert q == ix(ix(z,tall,u),wide,v) && 0 <= u < tall && 0 <= v < wide;
    //@ assert 0 <= z < batch;
    idx at_a = ix_times(z, ix_times(m, k)), at_b = ix_times(z, ix_times(k, n));
    idx at_c = at2(batch, ix_times(m, n), z, 0), i0 = u * SIDE, j0 = v * SIDE;
    //@ assert at_a == Nth(z,m,k) && at_b == Nth(z,k,n) && at_c == Nth(z,m,n);
    //@ assert 0 <= at_a && at_a + ix(m,k,0) <= ix(batch,ix(m,k,0),0);
    //@ assert 0 <= at_b && at_b + ix(k,n,0) <= ix(batch,ix(k,n,0),0);
    //@ assert 0 <= at_c && at_c + ix(m,n,0) <= ix(batch,ix(m,n,0),0);
    //@ assert \forall integer e; 0 <= e < ix(m,k,0) ==> R(a+(at_a+e));
    //@ assert \forall integer e; 0 <= e < ix(k,n,0) ==> R(b+(at_b+e));
    //@ assert i0 == ix(u,SIDE,0) && j0 == ix(v,SIDE,0);
    /*@ assert in: \forall integer i, j; 0 <= i < m ==> 0 <= j < n ==> in_tile(i,j,i0,j0) ==>
          quo(i,SIDE) == u && rem(i,SIDE) == i-i0 && quo(j,SIDE) == v && rem(j,SIDE) == j-j0; */
    /*@ assert out: \forall integer i, j; 0 <= i < m ==> 0 <= j < n ==>
          quo(i,SIDE) == u ==> quo(j,SIDE) == v ==> in_tile(i,j,i0,j0); */
    /*@ assert home: \forall integer i, j; 0 <= i < m ==> 0 <= j < n ==> in_tile(i,j,i0,j0) ==>
          plain_home(z,i,j,tall,wide) == q; */
    /*@ assert away: \forall integer w, i, j; 0 <= w < batch ==> 0 <= i < m ==> 0 <= j < n ==>
          plain_home(w,i,j,tall,wide) == q ==> w == z && in_tile(i,j,i0,j0); */
    /*@ assert has: \forall integer i, j; 0 <= i < m ==> 0 <= j < n ==>
          owner(c+ix(z,ix(m,n,0),ix(i,n,j)), plain_home(z,i,j,tall,wide),
                ix(rem(i,SIDE),SIDE,rem(j,SIDE))); */
    /*@ assert inner: \forall integer i, j; 0 <= i < m ==> 0 <= j < n ==>
          0 <= ix(i,n,j) < ix(m,n,0); */
    /*@ assert elsewhere: \forall integer w, i, j; 0 <= w < batch ==> w != z ==> 0 <= i < m ==>
          0 <= j < n ==> none_of(z,w,ix(m,n,0),ix(i,n,j)); */
    /*@ assert within: \forall integer w, e; 0 <= w < batch ==> 0 <= e < ix(m,n,0) ==>
          0 <= ix(w,ix(m,n,0),e) < ix(batch,ix(m,n,0),0); */
    /*@ assert range: \forall integer w, i, j; 0 <= w < batch ==> 0 <= i < m ==> 0 <= j < n ==>
          0 <= ix(w,ix(m,n,0),ix(i,n,j)) < ix(batch,ix(m,n,0),0); */
    /*@ assert beside: \forall integer w, i, j; 0 <= w < batch ==> w != z ==> 0 <= i < m ==>
          0 <= j < n ==> none_of(z,w,ix(m,n,0),ix(i,n,j)) &&
          (ix(w,ix(m,n,0),ix(i,n,j)) < at_c ||
           at_c + ix(m,n,0) <= ix(w,ix(m,n,0),ix(i,n,j))); */
    /*@ assert thread: \forall integer i, j; 0 <= i < m ==> 0 <= j < n ==> in_tile(i,j,i0,j0) ==>
          ix(rem(i,SIDE),SIDE,rem(j,SIDE)) == ix(i-i0,SIDE,j-j0); */
    /*@ assert its: \forall integer i, j; 0 <= i < m ==> 0 <= j < n ==> in_tile(i,j,i0,j0) ==>
          owner(c+ix(z,ix(m,n,0),ix(i,n,j)), q, ix(rem(i,SIDE),SIDE,rem(j,SIDE))); */
    /*@ assert mine: \forall integer i, j; 0 <= i < m ==> 0 <= j < n ==> in_tile(i,j,i0,j0) ==>
          owner(c+ix(z,ix(m,n,0),ix(i,n,j)), q, ix(i-i0,SIDE,j-j0)); */
    //@ ghost P0: ;
    //@ assert Same{Pre,P0}(a+at_a,ix(m,k,0)) && Same{Pre,P0}(b+at_b,ix(k,n,0));
    plain_block(tile, at_c, i0, j0, m, k, n, ta, tb, accumulate, alpha, a + at_a, b + at_b,
                c IN_BLOCK_OF(q) GHOST_ARGS(z));
    /*@ assert frame: \forall integer e; 0 <= e < ix(batch,ix(m,n,0),0) ==>
          e < at_c || at_c + ix(m,n,0) <= e ==> c[e] == \at(c[e],P0); */
    /*@ assert others: \forall integer w, i, j; 0 <= w < batch ==> 0 <= i < m ==> 0 <= j < n ==>
          w != z ==> c[ix(w,ix(m,n,0),ix(i,n,j))] == \at(c[ix(w,ix(m,n,0),ix(i,n,j))],P0); */
    /*@ assert rest: \forall integer i, j; 0 <= i < m ==> 0 <= j < n ==> !in_tile(i,j,i0,j0) ==>
          c[ix(z,ix(m,n,0),ix(i,n,j))] == \at(c[ix(z,ix(m,n,0),ix(i,n,j))],P0); */
    /*@ assert same: \forall integer i, j; 0 <= i < m ==> 0 <= j < n ==>
          BatMul{Pre}(ta,tb,alpha,a,b,m,k,n,z,i,j) ==
          MatMul{P0}(ta,tb,alpha,a+at_a,b+at_b,m,k,n,i,j); */
    /*@ assert all_tile: \forall integer i, j; 0 <= i < m ==> 0 <= j < n ==>
          in_tile(i,j,i0,j0) ==> ix(i-i0,SIDE,j-j0) < SQUARE; */
    /*@ assert here: \forall integer i, j; 0 <= i < m ==> 0 <= j < n ==> in_tile(i,j,i0,j0) ==>
          c[ix(z,ix(m,n,0),ix(i,n,j))] ==
          plus(accumulate, \at(c[ix(z,ix(m,n,0),ix(i,n,j))],P0),
               BatMul{Pre}(ta,tb,alpha,a,b,m,k,n,z,i,j)); */
  }
  /*@ assert all: \forall integer z, i, j; 0 <= z < batch ==> 0 <= i < m ==> 0 <= j < n ==>
        plain_home(z,i,j,tall,wide) < blocks; */
}
#endif
