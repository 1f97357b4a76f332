/* Allocations that fail when a test says so; every suite is linked with them in place of C's. */
#ifndef TESTS_ALLOCATION_H
#define TESTS_ALLOCATION_H
#include <stdint.h>

/* From here on allocation number n of this thread, counted from 0, fails, and no other; n < 0: none. */
void allocation_fail(int64_t n);
/* Whether it came to that one. */
int allocation_failed(void);
#endif
