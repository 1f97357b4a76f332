/* Inside the engine: one launch as it is told to whoever owns the device, which is this process or a
 * worker (worker.c asks, serve.c answers, block.c launches in either). */
#ifndef DIFFCHECK_WORKER_H
#define DIFFCHECK_WORKER_H
#include "engine.h"

enum { DC_NAME = 32 }; /* of a variant */
/* In the words of a run that came to something which the simulator has not (cuda/sim/plain.h). */
#define DC_UNKNOWN "not known to the simulator"

typedef struct dc_span {
  size_t at, bytes;
} dc_span;

typedef struct dc_layout {
  dc_span t[DC_TENSORS + 1]; /* in the block: tensors, then the workspace */
  int n;
  size_t bytes; /* of the block */
} dc_layout;

/* Launchers and plans are a kernel's text as well, and may die as it does. */
typedef enum { DC_WISH_LAUNCH, DC_WISH_SUITS, DC_WISH_WORKSPACE } dc_wish;

typedef struct dc_order {
  dc_wish wish;
  const dc_op *op;
  int64_t size[DC_DIMS];
  double attr[DC_ATTRS];
  int accumulate, stream, watched;
  unsigned misaligned;
  uint64_t schedule;
  char variant[DC_NAME]; /* "": the launcher's choice */
  dc_layout l;
  int place[DC_TENSORS]; /* the span that a tensor is in: another's, of an in-place run; */
  int gap[DC_TENSORS];   /* between its rows there */
} dc_order;

typedef enum {
  DC_STEP_DONE,
  DC_STEP_UNSUITED,
  DC_STEP_ALLOC, /* from here on: where it went wrong */
  DC_STEP_UPLOAD,
  DC_STEP_LAUNCH,
  DC_STEP_RUN,
  DC_STEP_DOWNLOAD,
  DC_N_STEPS
} dc_step;

typedef struct dc_answer {
  dc_step step;
  size_t bytes;        /* of the workspace */
  int spoilt;          /* the device failed, and may go on failing */
  char ran[DC_NAME];   /* "": no name was left */
  char error[DC_TEXT]; /* the back end's words */
} dc_answer;

/* ---- the block on the device (block.c) ---- */

typedef struct dc_block {
  const pm_backend *b;
  char *at;
  size_t cap;
  char *late; /* of a kernel that is not ours: what its inputs are copied from, in stream order */
  size_t late_cap;
  const dc_foreign *foreign; /* what is launched, or NULL: the back end's own */
  int self; /* of a worker: its process, which alone may go on behind a launch; 0: not asked */
} dc_block;

enum {
  DC_GONE = 70,
  DC_CONFUSED
}; /* exit statuses: nobody is there to answer, or what is asked makes no sense */
/* Ends a copy of the process that a kernel has made: what they share is the worker's to write. */
void dc_block_alone(const dc_block *k);
/* Brings `before` to the device, launches, and brings all of it back into `after`. ex is the caller's,
 * so that it shows what was launched even if this never returns. */
void dc_block_run(dc_block *k, const dc_order *o, const char *before, char *after, pm_exec *ex,
                  dc_answer *a);
void dc_block_free(dc_block *k);

/* ---- a worker, seen from the checker (worker.c) ---- */

/* Images of a block of that size, which the worker sees too: it may read `before`, and writes `after`. 0,
 * or -1 where there is no memory. */
int dc_worker_images(dc_worker *w, size_t bytes, char **before, char **after);
/* Carries out the order in the worker of b, in one that is started now if there is none. DC_NO_FAULT: it
 * answered. DC_CRASH, DC_HANG: it did not; a->ran says what was launched, if that is known. DC_NO_WORKER:
 * none can be had. scale: how many times the time of a small case it may take. */
dc_fault dc_worker_run(dc_worker *w, const pm_backend *b, const dc_order *o, double scale,
                       dc_answer *a, dc_error *why);
/* dc_suits, of the simulator's worker. Where that dies of it, yes: the case is to be run. */
int dc_worker_suits(dc_worker *w, const dc_case *c, const char *variant);
/* From here on a launch may take no more than that many seconds (0: as long as was said). */
void dc_worker_hurry(dc_worker *w, double seconds);
/* Gives the images back; the worker too goes, unless it is a lasting one. */
dc_status dc_worker_rest(dc_worker *w, dc_error *err);

/* ---- what the two say to each other: whole messages on a socket ---- */

/* Where a worker finds what the checker has opened for it. */
enum { DC_FD_SOCKET = 3, DC_FD_CONTROL, DC_FD_BEFORE, DC_FD_AFTER, DC_FD_END };
enum { DC_CONTROL_ROWS = 4000 };
#define DC_WORD 0x70726f6f666d6b31u /* begins every message: of this version */

typedef struct dc_control { /* shared memory */
  pm_exec ex;               /* of the launch that is running */
  int n;
  const char *variant[DC_CONTROL_ROWS]; /* by row of the kernel table: addresses in the worker */
} dc_control;

typedef struct dc_hello {
  uint64_t word;
  pm_status status;
  char text[DC_TEXT]; /* the device's name, or why there is none */
} dc_hello;

typedef struct dc_ask {
  uint64_t word, number;
  int op;        /* in the catalogue */
  size_t images; /* bytes of each */
  dc_order order;
} dc_ask;

typedef struct dc_reply {
  uint64_t word, number;
  dc_answer answer;
} dc_reply;
#endif
