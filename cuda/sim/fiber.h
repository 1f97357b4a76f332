/* Stacks to run threads on, and the switch between them. Fibers are numbered from 0; -1 is the
 * stack of the caller of the launch. x86-64 switches in a dozen instructions; elsewhere, or under
 * PM_SIM_UCONTEXT, ucontext does it. AddressSanitizer is told of every switch. */
#ifndef PM_SIM_FIBER_H
#define PM_SIM_FIBER_H
#include <stddef.h>

void fiber_main();                      /* what a started fiber runs; never returns */
bool fiber_start(int from, int to);     /* on a fresh stack; false where there is no memory */
void fiber_switch(int from, int to);    /* to where `to` left off */
[[noreturn]] void fiber_end(int to);    /* the same, and the stack left behind is free */
void sim_poison(void *p, size_t bytes); /* an access is an error, where ASan is on */
void sim_unpoison(void *p, size_t bytes);
#endif
