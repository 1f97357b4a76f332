/* A back end on the host, in plain C, honest or with one planted fault: what the engine must see.
 * It has kernels for add, add_vjp, add_bias, sum, transpose2d and transpose2d_vjp, one row each. */
#ifndef TESTS_FAKE_BACKEND_H
#define TESTS_FAKE_BACKEND_H
#include "../cuda/launch.h"

typedef enum {
  FAKE_HONEST,
  FAKE_LAST_BIT,      /* add: the last element is one step off where n >= 5 */
  FAKE_CORNER,        /* add_bias: element (2, 3) is wrong */
  FAKE_LAST_TERM,     /* sum leaves out its last term where n >= 6 */
  FAKE_OTHER_ORDER,   /* sum goes backwards: right, and other bits */
  FAKE_NAN_LOST,      /* add gives 0 for NaN */
  FAKE_NAN,           /* sum gives NaN */
  FAKE_MISALIGNED,    /* add is wrong where a is not 16-byte aligned */
  FAKE_ASSIGNS,       /* add_vjp: = for += */
  FAKE_WRITES_PAST,   /* add writes y[n] */
  FAKE_WRITES_BEFORE, /* add writes y[-1] */
  FAKE_CHANGES_INPUT, /* add changes b[0] */
  FAKE_READS_OUTPUT,  /* add lets y's old contents into the result */
  FAKE_READS_WORK,    /* add lets the workspace into the result */
  FAKE_CLEARS_FIRST,  /* add writes zeros to y before it reads a */
  FAKE_UNORDERED,     /* add depends on the schedule */
  FAKE_REFUSES,       /* add: PM_BAD_ARGUMENT */
  FAKE_UNSUITED,      /* add: PM_UNSUITED */
  FAKE_NAMELESS,      /* add runs a variant without a row */
  FAKE_SYNC_FAILS,
  FAKE_RACES, /* seen by the one that watches */
  FAKE_UPLOAD_FAILS,
  FAKE_DOWNLOAD_FAILS,
  FAKE_NO_MEMORY,
  FAKE_TRANSPOSES_NOT, /* transpose2d copies */
  /* add, where n >= 5: what ends a process, or a worker's part in it */
  FAKE_SEGFAULTS,
  FAKE_ABORTS,
  FAKE_EXITS,       /* with status 0, as if all were well */
  FAKE_LOOPS,       /* without end */
  FAKE_STOPS,       /* SIGSTOP */
  FAKE_WRITES,      /* into its connection to the checker */
  FAKE_CLOSES,      /* that connection, and loops */
  FAKE_SPOILS,      /* the device: every launch fails from then on, in that process */
  FAKE_KILLED,      /* SIGKILL, each time */
  FAKE_PLANS_BADLY, /* aborts when it is asked for its workspace */
  /* add: odd, and honest */
  FAKE_KILLED_ONCE, /* SIGKILL, until a file of the name in PM_FAKE_ONCE is there */
  FAKE_PRINTS,      /* to standard output */
  FAKE_FORKS,       /* a child that it does not wait for, and one that goes on as it does itself */
  FAKE_READS,       /* standard input to its end */
  /* init */
  FAKE_NO_DEVICE,
  FAKE_NO_STREAM, /* beside its two */
  FAKE_DIES_AT_START,
  FAKE_LEAVES_BADLY, /* ends with status 3 when its work is done */
  FAKE_N
} fake_fault;

/* Two of them, to run beside each other; the fault holds until the next call for the same one. */
const pm_backend *fake_backend(int which, fake_fault fault);
#endif
