/* Inside the runtime. A context's lock is held from in_begin to in_end: all below is under it. */
#ifndef PM_RUNTIME_INTERNAL_H
#define PM_RUNTIME_INTERNAL_H
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "../diffcheck/engine/diffcheck.h"
#include "proofmark.h"

typedef struct context context;
typedef struct thing thing;
typedef struct node node;
typedef struct shadow shadow;
typedef struct session session;

/* What is known of the indices in a part of some memory: they were from least to most when it had that version. */
typedef struct seen {
  uint64_t version;
  size_t from, end; /* bytes; none: nothing is known */
  int64_t least, most;
} seen;

/* Memory of the device, or of the host where the reference computes. */
typedef struct storage {
  int refs;
  char *at;
  size_t bytes, room;   /* bytes of room are in use */
  struct storage *next; /* of those that are kept for later */
  uint64_t version;     /* of its contents: another after each write in place */
  bool indices;         /* it is of i64 */
  seen seen;
  uint64_t noted_by; /* the session that is written down and uses it */
  int64_t note;      /* its place there */
} storage;

typedef enum { A_BUFFER, A_TENSOR, A_SESSION } kind;

/* A buffer, a tensor or a session. It lives while a handle or the tape refers to it. */
struct thing {
  kind kind;
  int owners; /* of its handle; 0: it has none, or had one */
  int refs;   /* owners, and what inside of the runtime refers to it */
  uint32_t index, generation;
  storage *s;
  pmr_dtype dtype;
  size_t from; /* bytes into the storage */
  int64_t count;
  int is_view;
  int rank; /* of a tensor */
  int64_t shape[PMR_RANK];
  int leaf;      /* keeps gradients */
  node *made_by; /* what has it on the tape; NULL: nothing */
  int output;    /* which output of that */
  thing *grad;
  thing *sum;        /* during a sweep: the gradient so far */
  thing *next_swept; /* leaves that have one */
  session *plan;     /* of a session */
};

typedef struct saved {
  thing *t;
  uint64_t version;
} saved;

/* A call on the tape. It holds what its VJP reads, the inputs that gradients go to, and, where the context keeps
 * inputs, all of them. */
struct node {
  int refs;
  node *before, *after; /* on the tape */
  const dc_op *op, *vjp;
  int64_t size[DC_DIMS];
  double attr[DC_ATTRS];
  saved value[DC_TENSORS];  /* by the op's tensors; t NULL: it is not held */
  thing *input[DC_TENSORS]; /* a gradient goes there; NULL: none does */
  thing *sum;               /* during a sweep: the cotangent so far */
  node *next;               /* of those to be freed */
  const char *file;
  int line;
};

struct context {
  pthread_mutex_t lock;
  pmr_context handle;
  const pm_backend *device; /* NULL: the reference computes */
  pm_stream *stream;        /* its own; NULL: its work is on stream 0, which others have too */
  shadow *shadow;           /* NULL: nothing is compared */
  struct other *others;     /* kernels in place of ours */
  const char *name;
  char device_name[DC_TEXT];
  thing **things; /* by index; NULL: free */
  uint32_t n_things, room, first_free;
  int64_t handles;
  size_t bytes;
  void *work; /* of kernels */
  size_t work_bytes;
  uint64_t steps;
  bool no_graphs;     /* PROOFMARK_GRAPH=0 */
  node *last;         /* of the tape */
  session *recording; /* steps are written down there; NULL: they are not */
  int no_grad;
  bool keep_inputs;
  storage *kept; /* the device's memory that nobody has */
  node *dead;    /* to be freed */
  bool reaping;
};

/* ---- errors and handles (handle.c) ---- */
__attribute__((format(printf, 2, 3))) pmr_status in_fail(pmr_status s, const char *format, ...);
const char *in_kind(kind k);
/* The context, locked. */
pmr_status in_begin(pmr_context handle, context **c);
/* A buffer or tensor, in its context, locked; `what` names the argument. */
pmr_status in_begin_thing(const void *handle, kind k, const char *what, context **c, thing **out);
pmr_status in_end(context *c, pmr_status s); /* returns s */
pmr_status in_register(context *c);          /* gives it its handle */
/* Takes the context from its handle, once no call is in progress. */
pmr_status in_unregister(pmr_context h, context **c);
/* The thing behind a handle; that of another context is an error. */
pmr_status in_thing(context *c, const void *handle, kind k, const char *what, thing **out);
pmr_status in_make_handle(context *c, thing *t); /* t has its first owner then */
void in_forget_handle(context *c, thing *t);
void *in_handle(const context *c, const thing *t);
/* Gives t its handle, in the pmr_buffer or pmr_tensor at out; where s or that is an error, drops it. */
pmr_status in_give(context *c, pmr_status s, thing *t, void *out);

/* ---- contexts (context.c) ---- */
/* Devices have one user at a time, whatever the context: who launches, or has memory. Streams of their own are waited
 * for, and copied on, without it. */
void in_device_lock(void);
void in_device_unlock(void);
pmr_status in_device_status(const context *c, pm_status s, const char *doing);
/* Where its launches go, on a device. */
void *in_stream(const context *c);
/* Waits for the work of the context, and where it has a stream of its own for no other's; not under the device's lock.
 * Kernels of others need not be on that stream: with such it waits for the device. */
pmr_status in_wait(context *c, const char *doing);
/* Of the checker; what is said begins with `doing`: "shadow: ", or nothing. */
pmr_status in_checker_status(dc_status s, const char *doing, const dc_error *err);

/* ---- memory (storage.c) ---- */
pmr_status in_storage(context *c, size_t bytes, const char *what, storage **out); /* as it comes */
void in_free_kept(context *c); /* under the device's lock */
void in_storage_drop(context *c, storage *s);
pmr_status in_upload(context *c, storage *s, size_t at, const void *from, size_t bytes);
pmr_status in_download(context *c, const storage *s, size_t at, void *to, size_t bytes);
/* A thing with one reference, over this storage, of which it takes one. NULL: no memory. */
thing *in_thing_over(kind k, storage *s, pmr_dtype d, size_t from, int64_t count);
/* The same over new memory, which holds anything: it is written whole before it is read. */
pmr_status in_new(context *c, kind k, pmr_dtype d, int64_t count, const char *what, thing **out);
void in_drop(context *c, thing *t); /* one reference less; NULL is none */
void in_drop_node(context *c, node *n);
pmr_status in_bytes(pmr_dtype d, int64_t count, size_t *bytes);
pmr_status in_count(int rank, const int64_t *shape, const char *what, int64_t *count);
void in_shape(thing *t, int rank, const int64_t *shape);
/* Everything of t, in host memory of its own (free it). */
pmr_status in_fetch(context *c, const thing *t, const char *what, void **out);

/* ---- conversions (convert.c) ---- */
/* -1, or the first element that the type cannot hold; then `to` is untouched from there on. */
int64_t in_convert(pmr_dtype from, const void *x, pmr_dtype to, void *y, int64_t n);
pmr_status in_convert_all(pmr_dtype from, const void *x, pmr_dtype to, void *y, int64_t n,
                          const char *what);

/* All elements, from and to the host (buffer.c). */
pmr_status in_put(context *c, thing *t, pmr_dtype dtype, const void *data, int64_t count,
                  const char *what);
pmr_status in_get(context *c, const thing *t, pmr_dtype dtype, void *data, int64_t count,
                  const char *what);
/* One owner more, one less. */
pmr_status in_retain(const void *h, kind k, const char *what);
pmr_status in_release(const void *h, kind k, const char *what, bool alone);

/* An attribute as a case holds it: a real one rounded to f32 (call.c). */
pmr_status in_attr(const dc_op *op, int attr, double value, double *out);

/* ---- steps (step.c) ---- */
typedef struct step {
  dc_case c;
  thing *t[DC_TENSORS]; /* every tensor of the op */
  const char *file;     /* who asked for it */
  int line;
  bool changes;        /* of a session: an attribute was set since it was written down */
  bool stale;          /* and is another than when it was captured */
  const char *variant; /* that was captured; NULL: none was */
  size_t work;         /* bytes of workspace that it was captured with */
} step;
/* 1: it begins off 16 bytes, which a vector may not. */
unsigned in_off_vector(const thing *t);
/* Bit t: tensor t does. */
unsigned in_misaligned(const step *s);
/* Computes the outputs, on the back end, and in its shadow on the reference. */
pmr_status in_step(context *c, const step *s);
/* Under the device's lock: a workspace of at least so many bytes; false: there is no memory. And the launch alone,
 * of our kernel, with so many bytes of it; *ran: which one. */
bool in_workspace(context *c, size_t bytes);
pm_status in_launch(const context *c, const step *s, size_t bytes, const char **ran);

/* ---- indices (indices.c) ---- */
/* The host writes that there: another version, of which it is known what it is. And: a write may have failed. */
void in_written(storage *s, size_t at, const void *from, size_t bytes);
void in_unknown(storage *s);
/* Whether the indices of a step are in range, where its op must have them so. */
pmr_status in_indices(context *c, const step *s);

/* ---- the tape (tape.c) ---- */
/* Puts a call on it: in are its inputs, out its outputs. */
pmr_status in_record(context *c, const step *s, thing *const *in, thing *const *out);
/* Whether the call would be recorded, and if so whether a gradient can go through it. */
pmr_status in_recordable(const context *c, const dc_op *op, thing *const *in, bool *record);
/* Refuses a call's tensor that was written in place since; `what` of the call needs it. */
pmr_status in_as_it_was(const node *n, int t, const char *what);
/* A reverse sweep from t. Without a visitor it adds to gradients; else these stay as they are, and it is shown each
 * call that has a cotangent, which n->sum is, before what it gives to those before it. */
typedef pmr_status in_visitor(context *c, const node *n, void *arg);
pmr_status in_sweep(context *c, thing *t, thing *cotangent, in_visitor *visit, void *arg);
/* Whether t may be written in place. */
pmr_status in_writable(const context *c, const thing *t, const char *what);

/* ---- shadow (shadow.c) ---- */
pmr_status in_shadow_open(context *c);
void in_shadow_close(context *c);
#endif
