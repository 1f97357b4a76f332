/* --huge: one case past 2^31 elements an op. */
#ifndef DIFFCHECK_HUGE_H
#define DIFFCHECK_HUGE_H
#include "session.h"

/* After session_open: whether every op's huge case can run here, and room for it in the options.
 * EXIT_PASS, or EXIT_ERROR after a message that says what it would take. */
int huge_check(session *s);
#endif
