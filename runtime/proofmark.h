/* Proofmark's runtime: buffers, tensors, a tape, and every op of spec/ops.def by name, on the proven
 * reference, on the simulator of the kernels, on the GPU, or on one of these in the shadow of the
 * reference. docs/runtime.md has a first program.
 *
 * Every function gives a status; pmr_error() has the words, for the thread that called. On an error
 * outputs are untouched and the context stays usable. Nothing here prints, exits or aborts.
 *
 * Handles are numbers in a pointer's clothes: they are looked up and never followed, so that one
 * which was released, or is of another context, is an error and no crash. Threads may share a
 * context: its calls run one at a time. The prefix is pmr_: pm_ is the kernels' (cuda/launch.h has
 * a pm_status and a PM_F32 of its own). */
#ifndef PROOFMARK_H
#define PROOFMARK_H
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
  PMR_OK = 0,
  PMR_INVALID,   /* an argument: the message names it, its value and the rule */
  PMR_HANDLE,    /* released, never made, or of another context */
  PMR_IN_USE,    /* freed or written while something else needs it */
  PMR_NO_MEMORY, /* on the host or on the device */
  PMR_NO_DEVICE, /* the back end has none here */
  PMR_DEVICE,    /* the device reports an error */
  PMR_GRADIENT,  /* there is none: not asked for, spoilt in place, or the op has no VJP */
  PMR_DIVERGED,  /* shadow: an element is outside of its bound */
  PMR_FILE       /* a file could not be written */
} pmr_status;

typedef enum { PMR_F32, PMR_I32, PMR_I64, PMR_U8, PMR_F16, PMR_BF16, PMR_F64 } pmr_dtype;

typedef struct pmr_context_handle *pmr_context;
typedef struct pmr_buffer_handle *pmr_buffer;
typedef struct pmr_tensor_handle *pmr_tensor;
typedef struct pmr_session_handle *pmr_session;

enum { PMR_RANK = 8, PMR_TEXT = 512 };

const char *pmr_error(void);               /* of this thread's last call that failed; "" before */
const char *pmr_status_name(pmr_status s); /* "invalid", "in-use", ... */
const char *pmr_dtype_name(pmr_dtype d);   /* "f32", ... */
size_t pmr_dtype_bytes(pmr_dtype d);       /* of one element; 0 of no dtype */

/* ---- contexts ---- */

/* "ref", "sim", "cuda", "shadow" (cuda, or sim where there is no GPU, in the shadow of ref),
 * "shadow:sim" or "shadow:cuda". NULL: what PROOFMARK_BACKEND says, or else "ref". */
pmr_status pmr_open(const char *backend, pmr_context *out);
/* Waits for calls in progress, then releases all that is the context's, whoever refers to it. */
pmr_status pmr_close(pmr_context c);
/* Names that last as long as the context; either may be NULL. */
pmr_status pmr_backend(pmr_context c, const char **name, const char **device);
/* Waits for the device; says what went wrong on it. */
pmr_status pmr_sync(pmr_context c);
/* What is held now: handles that are live, and bytes of the device's memory. */
pmr_status pmr_usage(pmr_context c, int64_t *handles, int64_t *bytes);

/* ---- buffers: elements of one type in the device's memory ---- */

/* Bytes go to a GPU and back through page-locked memory of the back end's: yours may be any, and is yours again when
 * the call returns. */

/* count elements, zeros. */
pmr_status pmr_buffer_new(pmr_context c, pmr_dtype dtype, int64_t count, pmr_buffer *out);
/* Elements first .. first + count - 1 in the memory of b, which lives as long as the view does. */
pmr_status pmr_buffer_view(pmr_buffer b, int64_t first, int64_t count, pmr_buffer *out);
/* Elements first, first + stride, .., count of them. A stride of 1 is a view; another is refused, or
 * copied where copy is 1. */
pmr_status pmr_buffer_slice(pmr_buffer b, int64_t first, int64_t count, int64_t stride, int copy,
                            pmr_buffer *out);
pmr_status pmr_buffer_clone(pmr_buffer b, pmr_buffer *out);
/* A copy in another type, each element correctly rounded (pmr_buffer_put says how). */
pmr_status pmr_buffer_cast(pmr_buffer b, pmr_dtype dtype, pmr_buffer *out);
pmr_status pmr_buffer_zero(pmr_buffer b);
/* The elements of rows, of which one has cols elements, over those of b from row start on. */
pmr_status pmr_buffer_write_rows(pmr_buffer b, int64_t cols, int64_t start, pmr_buffer rows);
/* Bytes as they are, from the byte offset on. */
pmr_status pmr_buffer_write(pmr_buffer b, size_t offset, const void *bytes, size_t n);
pmr_status pmr_buffer_read(pmr_buffer b, size_t offset, void *bytes, size_t n);
/* All elements, of that type on the host: to a floating-point type the nearest, ties to even, beyond
 * its range infinite; to an integer type what is before the point, and what it cannot hold, NaN
 * too, is refused with the element, and nothing is written. */
pmr_status pmr_buffer_put(pmr_buffer b, pmr_dtype dtype, const void *data, int64_t count);
pmr_status pmr_buffer_get(pmr_buffer b, pmr_dtype dtype, void *data, int64_t count);
/* One more, and one less, that needs the handle. With the last the memory goes, unless a view or a
 * tensor has it. */
pmr_status pmr_buffer_retain(pmr_buffer b);
pmr_status pmr_buffer_release(pmr_buffer b);
/* The memory itself: refused (PMR_IN_USE) while a view, a tensor or another owner refers to it. */
pmr_status pmr_buffer_free(pmr_buffer b);
typedef struct pmr_buffer_info {
  pmr_dtype dtype;
  int64_t count;
  int owners;  /* of this handle */
  int is_view; /* of another buffer's or a tensor's memory */
  int sharers; /* handles and saved values in this memory, this one too */
} pmr_buffer_info;
pmr_status pmr_buffer_about(pmr_buffer b, pmr_buffer_info *out);

/* ---- tensors: a shape over memory, and a place on the tape ---- */

/* Copies data, row-major, of that type. Ops take f32, and i64 for indices. */
pmr_status pmr_from_host(pmr_context c, pmr_dtype dtype, int rank, const int64_t *shape,
                         const void *data, pmr_tensor *out);
/* All elements, converted as pmr_buffer_get does. */
pmr_status pmr_to_host(pmr_tensor t, pmr_dtype dtype, void *data, int64_t count);
/* The same, of a matrix (rows, cols), column after column. */
pmr_status pmr_to_host_transposed(pmr_tensor t, pmr_dtype dtype, void *data, int64_t count);
pmr_status pmr_item(pmr_tensor t, double *value); /* of a tensor of one element */
/* New values, in place: refused where the tape has the old ones' history. */
pmr_status pmr_put(pmr_tensor t, pmr_dtype dtype, const void *data, int64_t count);
/* f32; the generator's numbers are the same on every back end (docs/random.md). */
pmr_status pmr_zeros(pmr_context c, int rank, const int64_t *shape, pmr_tensor *out);
pmr_status pmr_ones(pmr_context c, int rank, const int64_t *shape, pmr_tensor *out);
pmr_status pmr_rand(pmr_context c, int64_t stream, int rank, const int64_t *shape, pmr_tensor *out);
pmr_status pmr_randn(pmr_context c, int64_t stream, int rank, const int64_t *shape,
                     pmr_tensor *out);
/* The memory of a buffer as a tensor, and a tensor's as a buffer: shared, not copied. */
pmr_status pmr_of_buffer(pmr_buffer b, int rank, const int64_t *shape, pmr_tensor *out);
pmr_status pmr_to_buffer(pmr_tensor t, pmr_buffer *out);
pmr_status pmr_about(pmr_tensor t, pmr_dtype *dtype, int *rank, int64_t shape[PMR_RANK]);
pmr_status pmr_retain(pmr_tensor t);
pmr_status pmr_release(pmr_tensor t);
pmr_status pmr_free(pmr_tensor t); /* as pmr_buffer_free: refused while the tape needs it, too */

/* Views: no copy, and on the tape. */
pmr_status pmr_reshape_at(const char *file, int line, pmr_tensor t, int rank, const int64_t *shape,
                          pmr_tensor *out);
/* Entries start .. start + len - 1 of the first axis. */
pmr_status pmr_rows_at(const char *file, int line, pmr_tensor t, int64_t start, int64_t len,
                       pmr_tensor *out);
#define pmr_reshape(...) pmr_reshape_at(__FILE__, __LINE__, __VA_ARGS__)
#define pmr_rows(...) pmr_rows_at(__FILE__, __LINE__, __VA_ARGS__)
/* The same memory, with no history. */
pmr_status pmr_detach(pmr_tensor t, pmr_tensor *out);

/* ---- every op of spec/ops.def, by name ---- */

/* An attribute of the op; or one of its sizes, where no input has it; or axis, or one entry each of
 * axes and shape (docs/diffcheck.md, --set). Reals are rounded to f32. */
typedef struct pmr_attr {
  const char *name; /* NULL ends the list */
  double value;
} pmr_attr;

/* in: the op's inputs, in its order. attrs: NULL, or a list; what it does not name has its default.
 * out: its outputs, the first n_out of them. One that is NULL is made; one that is a tensor is
 * written to, and may be an input where the op says so (sgd_step's q may be p).
 * file and line are the caller's: they must last as long as the context (a literal does). */
pmr_status pmr_call_at(const char *file, int line, pmr_context c, const char *op,
                       const pmr_tensor *in, int n_in, const pmr_attr *attrs, pmr_tensor *out,
                       int n_out);
#define pmr_call(...) pmr_call_at(__FILE__, __LINE__, __VA_ARGS__)
/* pmr_call(c, "matmul", PMR_IN(a, b), PMR_ATTRS({"tb", 1}), &y, 1) */
#define PMR_IN(...)                  \
  (const pmr_tensor[]){__VA_ARGS__}, \
      (int)(sizeof((const pmr_tensor[]){__VA_ARGS__}) / sizeof(pmr_tensor))
#define PMR_ATTRS(...)       \
  (const pmr_attr[])         \
  {                          \
    __VA_ARGS__, { NULL, 0 } \
  }

/* ---- layers: several ops in one call, each a step of its own on the tape and in the shadow ---- */

typedef struct pmr_attention {
  int64_t heads, kv_heads; /* kv_heads 0: as many; else heads is a multiple of it */
  int causal;              /* 1: query i sees the keys j <= i + m - n */
} pmr_attention;
/* Multi-head attention (Vaswani et al., 2017): y = the heads of softmax(q k' / sqrt(d)) v, side by side, times
 * wo, with q = x wq, k = source wk, v = source wv. x (batch, n, width), source (batch, m, from), NULL: x;
 * wq (width, heads d), wk and wv (from, kv_heads d), wo (heads d, out), mask (n, m), not 0 where a key is blocked,
 * or NULL; y (batch, n, out). A query all of whose keys are blocked gives zeros. Steps: matmul, permute, sdpa. */
pmr_status pmr_multi_head_attention_at(const char *file, int line, pmr_context c,
                                       const pmr_attention *how, pmr_tensor x, pmr_tensor source,
                                       pmr_tensor wq, pmr_tensor wk, pmr_tensor wv, pmr_tensor wo,
                                       pmr_tensor mask, pmr_tensor *out);
#define pmr_multi_head_attention(...) pmr_multi_head_attention_at(__FILE__, __LINE__, __VA_ARGS__)

/* How an op is called; NULL where there is none of that number. Lasts. */
const char *pmr_op_name(int i);

/* ---- the tape ---- */

/* A tensor made by nobody's op (f32) keeps gradients from now on, or no more. */
pmr_status pmr_requires_grad(pmr_tensor t, int on);
/* Calls between on = 1 and its on = 0 are not on the tape; they nest. */
pmr_status pmr_no_grad(pmr_context c, int on);
/* Calls on the tape hold all of their inputs from now on, or no more: pmr_error_bound reads them. Without it they hold
 * what their VJPs read, which takes less memory. */
pmr_status pmr_keep_inputs(pmr_context c, int on);
/* Adds the gradient of t to that of every tensor that keeps one. cotangent: of t's shape; NULL: 1,
 * where t has one element. A graph may be swept again: it adds again. */
pmr_status pmr_backward(pmr_tensor t, pmr_tensor cotangent);
/* The gradient as it stands, which no later sweep changes. */
pmr_status pmr_grad(pmr_tensor t, pmr_tensor *out);
pmr_status pmr_zero_grad(pmr_tensor t);

/* What rounding can have done to a number at the end of a graph, to first order. */
typedef struct pmr_propagated {
  /* How far it may be from the real value: computed by kernels of that arithmetic, and by the
   * reference, each element of which is rounded to f32. */
  double device, reference;
  int64_t calls, elements; /* that were summed over */
  int64_t unbounded;       /* elements of which no bound says anything: then device is infinite */
  char op[32];             /* the call that device has most from, */
  double share;            /* how much, and where it was made */
  const char *file;
  int line;
} pmr_propagated;
/* Of t, one element, made by calls on the tape: the sum, over these calls and the elements of their results, of
 * |cotangent| times what that element may be off where its inputs are right, which is the proven bound of the op, from
 * the inputs' values as they are. Cotangents are the back end's; gradients stay as they are. arith: NULL, what our
 * kernels declare (of those that may run the largest; of others' kernels that run in their place, theirs); or in the
 * words of docs/arith.md. Two computations from the same values of leaves differ, to first order, by the sum of their
 * bounds at most. Of first order: products of errors are left out, as are the roundings of the cotangents. At a kink
 * (relu at 0, equal maxima) the slope is that of one side, so nothing is promised where values lie as near to one as
 * they may be off. What has no history on the tape is taken to be exact, and indices to be the same. Refused while
 * steps are written down, where a call does not hold an input (pmr_keep_inputs), and where one was written in place
 * since. */
pmr_status pmr_error_bound(pmr_tensor t, const char *arith, pmr_propagated *out);

/* ---- sessions: steps written down once, and computed many times ---- */

/* From now on every step of the context is computed and written down: calls, the steps of sweeps, the
 * optimizer's. */
pmr_status pmr_session_begin(pmr_context c);
/* Those steps, as a session. Tensors and gradients that are held then, by their handles, stay where
 * they are: the session reads and writes them. All other memory is planned, by who is needed when, and
 * allocated once. Attributes (pmr_session_attr has others) and addresses are those that were written
 * down. What the program itself wrote between two steps, as by pmr_put, would not be written again: such
 * steps are refused. out NULL: the steps are forgotten. */
pmr_status pmr_session_end(pmr_context c, pmr_session *out);
/* All of its steps, on what its tensors hold now (pmr_put gives them other values): nothing is
 * allocated, and nothing is on the tape. On cuda its launches
 * are captured as one graph when it first runs, and a run is one launch; steps whose attributes have changed since are
 * captured again before it. In a shadow, with kernels of others, where PROOFMARK_GRAPH is 0 when the context is opened,
 * and where a capture fails, the steps are computed one after the other, to the same bits. */
pmr_status pmr_session_run(pmr_session s);
/* From now on every step of that op, "adamw_step" or "cross_entropy_vjp", has this attribute ("c1"), rounded
 * to f32 where it is real. Refused, and no step is changed, where no step is of the op, or where one cannot
 * have it: out of the attribute's range, or a tensor would have another shape. */
pmr_status pmr_session_attr(pmr_session s, const char *op, const char *attr, double value);
typedef struct pmr_session_info {
  int64_t steps;
  int64_t planned;   /* bytes of memory of its own */
  int64_t unplanned; /* what the same tensors would take, each with memory of its own */
} pmr_session_info;
pmr_status pmr_session_about(pmr_session s, pmr_session_info *out);
typedef struct pmr_graph_info {
  int64_t graph;      /* 1: the last run was one launch of a graph */
  int64_t captured;   /* steps that were captured, in all runs so far */
  char why[PMR_TEXT]; /* if the last run was not one launch, why not; else "" */
} pmr_graph_info;
pmr_status pmr_session_graph(pmr_session s, pmr_graph_info *out);
pmr_status pmr_session_release(pmr_session s);

/* ---- kernels of others, in place of ours ---- */

/* From now on the kernels that this file describes (docs/your-kernel.md: library and call, on a GPU also source and
 * launch) run in place of ours, each for its op, on the steps on which they may (where:, set:); ours run on the others.
 * Their pointers are to the device's memory: `on: cuda` on cuda, else the host's, on sim. Refused, with the reason, and
 * none is taken: tensors of other types than float32 and int64, one that writes to an input or adds to an output, a
 * second kernel of an op. They run in this process: one that writes elsewhere takes it along. In the shadow they are
 * held to the arithmetic that the file declares. PROOFMARK_KERNELS=FILE does this in every context with a device. */
pmr_status pmr_kernels(pmr_context c, const char *file);
typedef struct pmr_kernel_info {
  char op[32], kernel[32]; /* its name in the file */
  int64_t ran, left;       /* steps that it ran, steps of its op that ours did */
} pmr_kernel_info;
/* Of kernel i, counted from 0 in the order in which they came; PMR_INVALID behind the last. */
pmr_status pmr_kernel_about(pmr_context c, int i, pmr_kernel_info *out);

/* ---- shadow ---- */

/* Which steps are looked at, and what comes of it. All 0: every step, and the first one that is wrong
 * ends the call with PMR_DIVERGED; what it made is dropped. */
typedef struct pmr_shadow {
  int64_t every;      /* one step in so many; 0: each */
  const char *ops;    /* names with blanks between; NULL: all ops, the VJPs too */
  double seconds;     /* the reference's time; after it no step is looked at; 0: no limit */
  int go_on;          /* 1: is noted, and the program goes on with what the device gave */
  const char *folder; /* one that is there: the case is written to it; NULL: no file is written */
} pmr_shadow;
/* In place of what PROOFMARK_SHADOW said when the context was opened: every=N, ops=A+B, seconds=X,
 * go_on=1, folder=NAME, with commas between. */
pmr_status pmr_shadow_set(pmr_context c, const pmr_shadow *o);

/* An element outside of its bound; or of an input, which the step has changed. */
typedef struct pmr_finding {
  char op[32], tensor[16], variant[32]; /* variant: the row of the kernel table */
  int64_t step;                         /* the context's steps count from 1 */
  int64_t element;                      /* flat, row-major */
  double value, want, bound;            /* bound 0: every bit counts */
  const char *file;                     /* who called the op, or for a VJP the op that it is of */
  int line;
  char replay[PMR_TEXT]; /* a command; with files, where a folder was set */
} pmr_finding;
typedef struct pmr_shadow_report {
  int64_t steps, looked_at, diverged;
  pmr_finding first;
} pmr_shadow_report;
/* Of a context that was opened as shadow. */
pmr_status pmr_shadow_about(pmr_context c, pmr_shadow_report *out);

#ifdef __cplusplus
}
#endif
#endif
