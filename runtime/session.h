/* Sessions, to the rest of the runtime. */
#ifndef PM_RUNTIME_SESSION_H
#define PM_RUNTIME_SESSION_H
#include "internal.h"

/* Writes down a step that was computed. */
pmr_status session_note(session *p, const step *s);
/* NULL is none. */
void session_free(context *c, session *p);
#endif
