/* owned.h as Frama-C reads it, first half, in place of the loops and the permissions of kernel_framac.h:
 * who runs, and who owns what. Included by kernel_framac.h. */
#ifndef PM_LANG_OWNED_FRAMAC_H
#define PM_LANG_OWNED_FRAMAC_H

/* Who runs: thread mt_ of block mb_; of the grid's threads, number mb_ and GRID. The two are declared by
 * parameters alone and begin in the head of a loop, whose variable alone has the name that they are made
 * of: no access to an output type-checks where nobody runs, or on behalf of another variable. */
#define EACH_THREAD(t) for (int t = 0; t < BDIM; t++)
#define EACH_OWNER(t) for (int t##_lane_ = 0, t = 0; t < BDIM; t++)
#define IN_THREAD_OF(t) , mb_, t + t##_lane_
#define PHASE_OF(t, own) for (int ph_ = (own), t##_lane_ = 0, t = 0; t < BDIM; t++)
#define PHASE_FN , idx mt_, int ph_
#define IN_PHASE , mt_, ph_
#define IN_PHASE_OF(t) , t + t##_lane_, ph_
#define BLOCK_FN , idx mb_
#define IN_BLOCK , mb_
#define BROWS(i, m, n) for (idx i##_brow_of_ = (n), i = bcover_(m, n); i < (m); i++)
#define IN_BLOCK_OF(i) , block_(i, i##_brow_of_)
#define IN_ONE_BLOCK , one_block_()
#define GRID (-1)
#define NOBODY (-1)
#define THREAD_FN , idx mb_, idx mt_
#define IN_THREAD , mb_, mt_
#define EACH_GRID_THREAD(g) for (idx g##_grid_ = 0, g = 0; g < GSIZE; g++)
#define IN_GRID_THREAD(g) , g + g##_grid_, GRID
#define GROWS(r, m, n) for (idx r##_row_of_ = (n), r = cover_(m, n); r < (m); r++)
#define GCOLS(c, n) for (idx c##_col_of_ = (n), c = 0; c < (n); c++)
#define IN_GRID(r, c) , grid_(r, r##_row_of_, c, c##_col_of_), GRID
/*@ requires n == cols && 0 <= r && 0 <= c < n && ix(r,n,c) < gsize_;
    assigns \nothing;
    ensures \result == ix(r,n,c); */
idx grid_(idx r, idx n, idx c, idx cols);
/*@ requires n == 1; assigns \nothing; ensures \result == i; */
idx block_(idx i, idx n);
/*@ requires blocks_ == 1; assigns \nothing; ensures \result == 0; */
idx one_block_(void);

#ifndef PROVE_LAUNCHERS
/*@ axiomatic Own {
      logic integer own_b(float *p) reads \nothing;
      logic integer own_t(float *p) reads \nothing;
    } */
#endif
/*@ axiomatic OwnShared {
      predicate is_shared(float *s, integer n) reads \nothing; // SHARED has made these n cells
      logic integer own_in(float *p, integer ph) reads \nothing; // in a phase: a thread, or NOBODY
    } */
#ifndef PROVE_LAUNCHERS
/*@ // nobody writes p in this launch; thread t of block b alone touches it
    predicate R(float *p) = own_b(p) == NOBODY;
    predicate owner(float *p, integer b, integer t) = own_b(p) == b && own_t(p) == t; */
#endif
/*@ // a tensor of n elements that is written: its memory, its owners come by themselves
    predicate held{L}(float *y, integer n) = 0 <= n <= IDX_LIM && \valid(y + (0 .. n-1)); */
#define W(p) owner(p, mb_, mt_)
#define W_BY(p, t) owner(p, mb_, t)
#define W_ROW(y, n) has_row(y, n, team, mb_, first_) /* owned_rows.h */
#define SOME_W(p) (!R(p))
/* Shared memory. The head of a phase says whose the cells of an array are in it, and what it says has a
 * number of its own each time. */
#define IS_SHARED(s, n) is_shared(s, n)
#define WS(p) own_in(p, ph_) == mt_
#define RS(p) shown(p, mt_, ph_)
/*@ predicate shown(float *p, integer t, integer ph) =
      own_in(p,ph) == NOBODY || own_in(p,ph) == t; */
/*@ requires is_shared(s,n); assigns \nothing;
    ensures \forall integer k; 0 <= k < n ==> own_in(s+k,\result) == 32*k; */
int leaders_(float *s, int n); /* cell k is of warp k's first thread */
/*@ requires is_shared(s,n); assigns \nothing;
    ensures \forall integer k; 0 <= k < n ==> own_in(s+k,\result) == NOBODY; */
int shown_(float *s, int n); /* all may read */
#endif
