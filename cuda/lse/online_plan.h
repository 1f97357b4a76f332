/* What online.h has in common with the host's side of its ops. */
#ifndef PM_LSE_ONLINE_PLAN_H
#define PM_LSE_ONLINE_PLAN_H

enum { ONCE_BLOCK = 256, ONCE_AHEAD = 4 /* vectors that a thread has in flight */ };
#endif
