/* cp.async with values: what Frama-C knows of cells (async_copy.h) in a unit that includes this:
 * which four floats a cell has. It is four elements of an array of floats, from 4 (j0 + t) on.
 * The other readings are those of async_copy.h. */
#ifndef PM_LANG_ASYNC_COPY_VALUES_H
#define PM_LANG_ASYNC_COPY_VALUES_H
#include "async_copy.h"

#ifdef __FRAMAC__
#undef CELLS_PARAM
#undef CELL_FETCH4
#undef CELL_FETCH1
#undef CELL_BLANK1
#undef CELL_TAKE
#define CELLS_PARAM(v) float *v
#define CELL_FETCH4(v, p, j, j0, t) held_fetch4_(v + held_(j, j0, t), p)
#define CELL_FETCH1(v, i, p, j, j0, t) held_fetch1_(v + held_(j, j0, t) + (i), p)
#define CELL_BLANK1(v, i, j, j0, t) held_blank1_(v + held_(j, j0, t) + (i))
#define CELL_TAKE(v, j, j0, t) held_take_(v + held_(j, j0, t))
/*@ requires block && j0 == mul(j,bdim_) && 0 <= j0 && 0 <= t < bdim_;
    assigns \nothing;
    ensures \result == 4*(j0+t); */
int held_(int j, int j0, int t);
/*@ requires \valid(d + (0 .. 3)) && \valid_read(p + (0 .. 3)) && aligned16(p);
    requires R(p) && R(p+1) && R(p+2) && R(p+3);
    assigns d[0 .. 3], pending_;
    ensures pending_ == 1 && d[0] == \old(p[0]) && d[1] == \old(p[1]);
    ensures d[2] == \old(p[2]) && d[3] == \old(p[3]); */
void held_fetch4_(float *d, const float *p);
/*@ requires \valid(d) && \valid_read(p) && R(p);
    assigns *d, pending_;
    ensures pending_ == 1 && *d == \old(*p); */
void held_fetch1_(float *d, const float *p);
/*@ requires \valid(d); assigns *d; ensures *d == 0.0; */
void held_blank1_(float *d);
/*@ requires \valid_read(d + (0 .. 3)) && pending_ == 0;
    assigns \nothing;
    ensures \result.x == d[0] && \result.y == d[1] && \result.z == d[2] && \result.w == d[3]; */
float4 held_take_(const float *d);
#endif
#endif
