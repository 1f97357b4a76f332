/* Ctrl-C, and whatever else ends the program from outside. */
#ifndef DIFFCHECK_INTERRUPT_H
#define DIFFCHECK_INTERRUPT_H
#include <stdbool.h>

/* From here on SIGINT, SIGTERM and SIGHUP end the program at once, with status 128 + signal: no
 * output file is touched or left half written, and the terminal is as it was. */
void interrupt_watch(void);
/* The first signal is left to whoever asks `interrupted`; it is taken half a second later all the
 * same, whatever the program is at. */
void interrupt_wait(void);
int interrupted(void); /* 0, or the exit status */
#endif
