/* Launchers as Frama-C reads them, with -DPROVE_LAUNCHERS: a launch calls the kernel's function under its
 * contract, with the grid that it is given. Included by kernel_framac.h.
 *
 * Owners of cells are each launch's own: a contract says of each array once who owns it, and arrays with
 * owners overlap nothing, which is asked of a launch by `apart`. So there are such owners for every launch
 * (SOUNDNESS.md, Owners of cells), whatever an earlier one had; here each clause about them holds. */
#ifndef PM_LANG_LAUNCH_FRAMAC_H
#define PM_LANG_LAUNCH_FRAMAC_H

#define LAUNCH(kernel, grid, block, stream, ...) \
  (launch_on_(grid, block, stream), kernel(__VA_ARGS__))

#define LAUNCH_OF(kernel, constants, grid, block, stream, ...) \
  (launch_on_(grid, block, stream), kernel(BARE_ constants, __VA_ARGS__))
#define BARE_(...) __VA_ARGS__

/*@ requires 0 < grid <= 0x7fffffff && 0 < block <= MAXB;
    assigns bdim_, blocks_, gsize_;
    ensures bdim_ == block && blocks_ == grid && gsize_ == grid * block; */
void launch_on_(unsigned grid, int block, void *stream);

/*@ predicate R(float *p) = \true;
    predicate owner(float *p, integer b, integer t) = \true; */
#ifdef PM_OWNED
/*@ predicate has_row(float *y, integer n, integer lanes, integer b, integer first) = \true; */
#else
/*@ predicate W(float *p) = \true; */
#endif
#endif
