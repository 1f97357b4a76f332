/* Block a row, in registers: softmax and log_softmax (row/regs.h): x and y are (rows, cols).
 * softmax.cu says when. */
#define ONE_WARP 1 /* see collective/block_sum.h */
#include "regs_row.h"
#include "../lang/full_row.h"
#include "contract.h"

/* One row. */
/*@ requires row_fits(K,n) && row_in(x,n,aligned);
    requires \valid(y + (0 .. n-1)) && has_row(y,n,BDIM,mb_,0);
    requires (aligned != 0 ==> aligned16(y)) && apart(x,n,y,n);
    assigns y[0 .. n-1];
    ensures \forall integer c; 0 <= c < n ==> y[c] == SoftOne{Pre}(logs,x,n,c); */
DEV void soft_row(int logs, int K, int aligned, int n, const float *RESTRICT x,
                  float *RESTRICT y BLOCK_FN)
{
  BLOCK_TEAM;
  PRIVATEK(float4, v);
  float m, s, t;
  row_load_all(v, K, n, aligned, x);
  //@ assert Same{Pre,Here}(x,n);
  m = soft_max(v, K, n, aligned, x);
  //@ assert m == RowMax{Pre}(x,n);
  soft_keep_all(v, K, logs, m GHOST_ARGS(n, x));
  //@ assert Same{Pre,Here}(x,n);
  s = soft_sum(v, K, logs, n, aligned GHOST_ARGS(m, x));
  //@ assert s == SumExp{Pre}(x,m,n) && s > 0.0;
  t = soft_closing(logs, s);
  //@ ghost L0: ;
  soft_store_all(v, K, logs, n, aligned, t, y IN_TEAM GHOST_ARGS(m, x));
  //@ assert Same{Pre,L0}(x,n);
  /*@ assert here: \forall integer c; 0 <= c < n ==>
        y[c] == Put(logs,Kept(logs,\at(x[c],Pre),m),t); */
  /*@ assert one: \forall integer c; 0 <= c < n ==>
        Put(logs,Kept(logs,\at(x[c],Pre),m),t) == SoftOne{Pre}(logs,x,n,c); */
}

/* Block r does row r, with K vectors a thread. LOGS: log_softmax; VEC: both tensors are 16-byte
 * aligned and cols a multiple of 4; WHOLE: threads of a block that the row fills, or 0. For 4
 * vectors that are not aligned nvcc takes 40 registers by itself, and 56 where it is to fit two
 * blocks on a processor: 99 us for 123 at 8192 x 4095. */
/*@ requires row_fits(K,cols) && 0 <= rows <= IDX_LIM && ix(rows,1,0) <= BLOCKS;
    requires reads(x,ix(rows,cols,0)) && own_rows(y,rows,cols);
    requires apart(x,ix(rows,cols,0),y,ix(rows,cols,0));
    requires VEC != 0 ==> cols % 4 == 0 && aligned16(x) && aligned16(y);
    requires whole_row(WHOLE,K,cols);
    assigns y[0 .. ix(rows,cols,0)-1];
    ensures soft_rows{Pre,Post}(LOGS,x,y,cols,rows); */
TEMPLATE(int LOGS, int K, int VEC, int WHOLE)
KERNEL void WHOLE_THREADS(WHOLE, 2048, 512, VEC || K > 4 ? 0 : 2)
    softmax_regs(CONSTANTS(int LOGS, int K, int VEC, int WHOLE) idx rows, int cols,
                 const float *RESTRICT x, float *RESTRICT y)
{
  WHOLE_ROW(WHOLE, K, cols);
  /*@ loop invariant 0 <= r <= rows;
      loop invariant soft_rows{Pre,Here}(LOGS,x,y,cols,r);
      loop assigns r, y[0 .. ix(rows,cols,0)-1];
      loop variant rows - r; */
  BROWS(r, rows, 1) {
    //@ ghost L0: ;
    idx o = at2(rows, cols, r, 0);
    //@ assert 0 <= o && o + cols <= ix(rows,cols,0);
    //@ assert VEC != 0 ==> cols == 4*(cols/4) && ix(r,4*(cols/4),0) == 4*ix(r,cols/4,0);
    //@ assert VEC != 0 ==> o % 4 == 0;
    //@ assert VEC != 0 ==> aligned16(x+o) && aligned16(y+o);
    //@ assert all: Same{Pre,Here}(x,ix(rows,cols,0));
    //@ assert row: Same{Pre,Here}(x+o,cols);
    //@ assert perm_all: perm_r(x,ix(rows,cols,0));
    //@ assert perm_row: perm_r(x+o,cols);
    //@ assert owners: dealt_row(y+o,cols,BDIM,r,0);
    //@ assert mine: has_row(y+o,cols,BDIM,r,0);
    //@ assert in: row_in(x+o,cols,VEC);
    //@ assert max: RowMax(x+o,cols) == RowMax{Pre}(x+o,cols);
    /*@ assert sum: SumExp(x+o,RowMax(x+o,cols),cols) ==
          SumExp{Pre}(x+o,RowMax{Pre}(x+o,cols),cols); */
    soft_row(LOGS, K, VEC, cols, x + o, y + o IN_BLOCK_OF(r));
    //@ assert here: \forall integer c; 0 <= c < cols ==> y[o+c] == SoftOne{L0}(LOGS,x+o,cols,c);
    //@ assert value: \forall integer c; 0 <= c < cols ==> y[o+c] == SoftOne{Pre}(LOGS,x+o,cols,c);
    //@ assert cell: \forall integer c; 0 <= c < cols ==> y[ix(r,cols,c)] == y[o+c];
    /*@ assert new: \forall integer c; 0 <= c < cols ==>
          y[ix(r,cols,c)] == SoftOne{Pre}(LOGS,x+ix(r,cols,0),cols,c); */
    //@ assert old: same_rows{L0,Here}(y,cols,r);
    //@ assert rows: soft_rows{Pre,Here}(LOGS,x,y,cols,r+1);
  }
}

#if !defined __FRAMAC__ || defined PROVE_LAUNCHERS
/* -------------------------------------------------- launchers */
#include "launch.h"

void LAUNCHER(softmax_regs)(const pm_exec *ex, int logs, int k, int vec, int block, int64_t rows,
                            int64_t cols, const float *x, float *y)
{
  int w = (int)cols;
  unsigned blocks = (unsigned)rows;
  //@ assert grid: blocks == rows && w == cols && ix(rows,1,0) == rows;
  //@ assert fits: mul(4,block) == 4*block && mul(8,block) == 8*block && mul(k,block) == k*block;
  if (logs) {
#define RUN(K, VEC, WHOLE) \
  LAUNCH_OF(softmax_regs, (1, K, VEC, WHOLE), blocks, block, ex->stream, rows, w, x, y)
    WITH_WHOLE(RUN, k, vec, block, cols)
#undef RUN
  } else {
#define RUN(K, VEC, WHOLE) \
  LAUNCH_OF(softmax_regs, (0, K, VEC, WHOLE), blocks, block, ex->stream, rows, w, x, y)
    WITH_WHOLE(RUN, k, vec, block, cols)
#undef RUN
  }
}
#endif
