/* How much dynamic shared memory a block can have. */
#ifndef PM_LANG_SHARED_SIZE_H
#define PM_LANG_SHARED_SIZE_H

enum { SHARED_VEC4S = 14144 /* vectors of four floats, at most */ };
#endif
