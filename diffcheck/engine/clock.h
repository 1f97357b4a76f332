/* The clock that limits and reports count by. */
#ifndef DIFFCHECK_CLOCK_H
#define DIFFCHECK_CLOCK_H

double dc_now(void); /* seconds, from some fixed point on */

#endif
