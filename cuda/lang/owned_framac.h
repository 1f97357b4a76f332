/* owned.h as Frama-C reads it, first half, in place of the loops and the permissions of kernel_framac.h:
 * who runs, and who owns what. Included by kernel_framac.h. */
#ifndef PM_LANG_OWNED_FRAMAC_H
#define PM_LANG_OWNED_FRAMAC_H

/* Who runs: thread mt_ of block mb_; of the grid's threads, number mb_ and GRID. The two are declared by
 * parameters alone and begin in the head of a loop, whose variable alone has the name that they are made
 * of: no access to an output type-checks where nobody runs, or on behalf of another variable. */
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

/*@ axiomatic Own {
      logic integer own_b(float *p) reads \nothing;
      logic integer own_t(float *p) reads \nothing;
    }
    // nobody writes p in this launch; thread t of block b alone touches it
    predicate R(float *p) = own_b(p) == NOBODY;
    predicate owner(float *p, integer b, integer t) = own_b(p) == b && own_t(p) == t;
    // a tensor of n elements that is written: its memory, its owners come by themselves
    predicate held{L}(float *y, integer n) = 0 <= n <= IDX_LIM && \valid(y + (0 .. n-1)); */
#define W(p) owner(p, mb_, mt_)
#endif
