/* Where the taps of a window are (spec/window.h). */
#ifndef REF_WINDOW_H
#define REF_WINDOW_H
#include "walk.h"
#include "../spec/window.h"

/* The cell that tap u of output t reads; -1 where that is padding. */
/*@ requires Placed(w) && Windowed(w) && 0 <= t && 0 <= u;
    terminates \true;
    assigns \nothing;
    ensures \result == Cell(w,t,u) && -1 <= \result < w.cells;
*/
idx window_cell(window w, idx t, idx u);
#endif
