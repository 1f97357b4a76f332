/* The engine of the checker: a case is drawn, run on the back ends, and judged element by element
 * against the reference and its error bound. A library: it prints nothing, never exits, and
 * returns every failure as a value. Command line and reports stand on top of it.
 *
 * A case is determined by its fields alone, so whoever writes them down can replay it. */
#ifndef DIFFCHECK_H
#define DIFFCHECK_H
#include <stddef.h>
#include <stdint.h>

#include "../../cuda/launch.h"

enum {
  DC_DIMS = 20,    /* of an op */
  DC_ATTRS = 33,   /* of an op */
  DC_RANK = 8,     /* of a tensor */
  DC_TENSORS = 18, /* inputs and outputs of an op */
  DC_OUTPUTS = 6,  /* of an op */
  DC_BACKENDS = 2,
  DC_VARIANTS = 14, /* of an op */
  DC_TEXT = 320     /* longest message */
};

typedef enum {
  DC_OK = 0,
  DC_INVALID, /* an argument: unknown op, bad size, attribute or class */
  DC_TOO_BIG, /* the case needs more memory than the limit */
  DC_NO_MEMORY,
  DC_NO_DEVICE,
  DC_STOPPED /* by the progress callback */
} dc_status;

typedef struct dc_error {
  char text[DC_TEXT]; /* names the argument, its value and the rule; "" when all is well */
} dc_error;

/* ---- the catalogue (catalogue.c, from spec/ops.def) ---- */

typedef enum { DC_F32, DC_I64 } dc_dtype;

/* What the elements of a tensor are of where kernels take them (types.h). */
typedef enum {
  DC_AS_LISTED, /* as the catalogue has it: float32, int64 */
  DC_TYPE_F32,
  DC_TYPE_F64,
  DC_TYPE_F16,
  DC_TYPE_BF16,
  DC_TYPE_I64,
  DC_TYPE_I32,
  DC_TYPE_U8,
  DC_TYPE_BOOL,
  DC_N_TYPES
} dc_type;

typedef struct dc_tensor {
  char name[16];
  dc_dtype dtype;
  int rank;         /* 0: a scalar; what the catalogue says: see dc_shape */
  int dim[DC_RANK]; /* indices into dc_op.dim */
  int swap;         /* index of the attribute that exchanges the two dims when 1; -1: none */
} dc_tensor;

typedef struct dc_glue dc_glue; /* what diffcheck/ops/FAMILY.c knows (engine.h) */

typedef struct dc_op {
  const char *name, *family, *forward, *classes, *meaning;
  int is_vjp;
  int n_in, n_out; /* tensor[0 .. n_in-1] are inputs, tensor[n_in .. n_in+n_out-1] outputs */
  dc_tensor tensor[DC_TENSORS];
  int n_dims, n_attrs;
  char dim[DC_DIMS][16], attr[DC_ATTRS][16];
  const dc_glue *glue;
} dc_op;

int dc_n_ops(void);
const dc_op *dc_op_at(int i);                          /* in the order of spec/ops.def */
const dc_op *dc_op_find(const char *name);             /* NULL when unknown */
int dc_tensor_find(const dc_op *op, const char *name); /* -1 when unknown */
int dc_attr_is_integer(const dc_op *op, int attr);
/* The least and the most that an attribute may be. Integers lie within DC_WHOLE on either side. */
void dc_attr_range(const dc_op *op, int attr, double *least, double *most);
#define DC_WHOLE 0x1p53 /* attributes are held as double: from here on not every integer is one */
/* Whether a case leaves out sizes of 1 and attributes at their defaults when it is written: an op
 * with a list of up to eight sizes has many that say nothing. */
int dc_is_terse(const dc_op *op);
/* NaN, infinities and the sign of zero: what is asked of this op, in words. */
const char *dc_op_policy(const dc_op *op);
/* The shape of a tensor at these sizes and attributes; returns the rank. */
int dc_shape(const dc_op *op, int tensor, const int64_t *size, const double *attr,
             int64_t shape[DC_RANK]);
/* Its element count, or -1 when that overflows. */
int64_t dc_count(const dc_op *op, int tensor, const int64_t *size, const double *attr);

/* ---- cases (case.c, draw.c) ---- */

typedef enum {
  DC_UNIFORM,   /* signed uniform in [-1, 1) */
  DC_OFFSET,    /* 1e4 + uniform */
  DC_TAIL,      /* heavy tail, as 1/x: up to 1e6 */
  DC_WIDE,      /* 2^-40 .. 2^40 */
  DC_SUBNORMAL, /* below 2^-126 */
  DC_ZEROS,     /* +0 and -0 */
  DC_TIES,      /* a few values, often repeated */
  DC_EQUAL,     /* one value throughout */
  DC_SPECIAL,   /* uniform, NaN and +-Inf planted */
  DC_INTEGERS,  /* -8 .. 8: sums and products are exact */
  DC_KINKS,     /* +-0, +-1, the op's own kinks and their neighbours, the same in every input */
  DC_HUGE,      /* finite, 2^40 and above, to FLT_MAX */
  DC_MINUS_INF, /* uniform, but -Inf here and there, in stretches, in tiles; never NaN */
  DC_ONES,      /* 1 throughout: drawn by the shrinker only */
  DC_N_VALUES
} dc_values;

typedef enum {
  DC_IX_RANDOM,
  DC_IX_DUPLICATED,
  DC_IX_SORTED,
  DC_IX_REVERSED,
  DC_IX_OUTSIDE, /* some out of range, the extremes of int64 among them */
  DC_IX_EQUAL,
  DC_IX_EMPTY, /* no index at all: the dim of the index tensor is 0; for one index, the first dim */
  DC_N_INDICES
} dc_indices;

const char *dc_values_name(dc_values v);   /* "uniform", "offset", ... */
int dc_values_find(const char *name);      /* -1 when unknown */
const char *dc_indices_name(dc_indices v); /* "random", "duplicated", ... */
int dc_indices_find(const char *name);

typedef struct dc_case {
  const dc_op *op;
  int64_t size[DC_DIMS];
  double attr[DC_ATTRS];
  dc_values values;    /* of every floating-point input but the cotangent */
  dc_values cotangent; /* of the input g of a VJP */
  dc_indices indices;  /* of every index input */
  uint64_t seed;
  unsigned misaligned; /* bit t: tensor t starts one element past a 16-byte boundary */
  int accumulate;      /* VJPs: 1 adds to outputs that hold values */
  char variant[32];    /* only this row of the kernel table; "": every suited one */
  /* A dc_type of each tensor, of kernels that are not ours: drawn inputs are values of that type, and an output may be
   * off by its rounding to it. */
  unsigned char type[DC_TENSORS];
  int gap[DC_TENSORS]; /* elements between two of a tensor's rows (rows.h); 0: none */
  /* Set by the shrinker: input t is 0 outside elements [keep_lo[t], keep_hi[t]);
   * keep_hi -1: all of it is kept. */
  int64_t keep_lo[DC_TENSORS], keep_hi[DC_TENSORS];
  /* The caller's tensors in place of drawn ones: float or int64_t, row-major, not owned. A case
   * with any of them replays only with the same files. */
  const void *given[DC_TENSORS];
} dc_case;

/* A case of this op with every field at its simplest: sizes 0, attributes at their defaults. */
void dc_case_init(dc_case *c, const dc_op *op);
/* Sizes, attributes, classes in range; no overflow; memory within limit_bytes (0: no limit). */
dc_status dc_case_check(const dc_case *c, size_t limit_bytes, dc_error *err);
/* Bytes that a run of the case takes on the host and on the device together. */
dc_status dc_case_bytes(const dc_case *c, size_t *bytes, dc_error *err);
int dc_case_same(const dc_case *a, const dc_case *b);
/* Whether kernels can take it by vectors throughout: every tensor starts on a 16-byte boundary, and
 * the last dim of the largest, ones left out, is a multiple of 4. */
int dc_case_fours(const dc_case *c);

/* The user's tensors, of any rank, for an op that is stated on a view of them: concat joins
 * (outer, na, inner) and (outer, nb, inner), whatever axis of whatever tensors that is. */
typedef struct dc_view {
  int64_t axis;     /* of axis=K; INT64_MIN: not given */
  int n_axes, n_to; /* of axes=K:K:.. and shape=N:N:..; -1: not given */
  int64_t axes[DC_RANK], to[DC_RANK];
  int rank[DC_TENSORS]; /* of inputs as the files have it, of outputs as dc_glue.view says */
  int64_t shape[DC_TENSORS][DC_RANK];
} dc_view;

/* What of a case is fixed and what is drawn. */
typedef struct dc_fixed {
  int64_t size[DC_DIMS];                                  /* -1: drawn */
  double attr[DC_ATTRS];                                  /* NaN: drawn */
  int values, cotangent, indices, accumulate, misaligned; /* -1: drawn */
  const void *given[DC_TENSORS];                          /* NULL: drawn */
  char variant[32];
  unsigned char type[DC_TENSORS]; /* as dc_case has it */
  int gap[DC_TENSORS]; /* likewise; -1: drawn of those tensors that `strided` has as a bit, */
  unsigned strided;    /* 0 of the others */
  dc_view view;        /* of ops with dc_glue.view */
} dc_fixed;
void dc_fixed_init(dc_fixed *f);
/* The case of the sizes and attributes that are fixed, of attributes else the usual values. -1, or the first
 * size that nothing fixes. */
int dc_case_fixed(dc_case *c, const dc_op *op, const dc_fixed *f);

/* Case number `index` of an op under a seed: the same numbers give the same case everywhere.
 * large: one case in this many is a large one, and one in eight goes to an extent of its own (0:
 * none). Returns how often shapes were drawn, which an op may refuse. */
int dc_case_draw(dc_case *c, const dc_op *op, const dc_fixed *fixed, uint64_t seed, int64_t index,
                 int large);

/* ---- a case's tensors, its reference and bounds (problem.c) ---- */

typedef struct dc_problem {
  dc_case c;
  int64_t count[DC_TENSORS];
  float *f[DC_TENSORS];    /* floating-point inputs; outputs: what they hold before a += */
  int64_t *ix[DC_TENSORS]; /* index inputs */
  int tame;  /* finite inputs are small enough that no partial result overflows in f32 */
  int exact; /* the op is (bi)linear and all values small integers: f32 makes no error */
} dc_problem;

/* Draws the tensors. On error p is empty. */
dc_status dc_problem_make(dc_problem *p, const dc_case *c, dc_error *err);
void dc_problem_free(dc_problem *p);

/* The reference on the whole problem: out[o] has room for output o in f64. */
dc_status dc_reference(const dc_problem *p, double *const *out, dc_error *err);
/* Bound of |kernel - reference| for a kernel of this arithmetic (NULL: undeclared, that is any
 * order of summation), reference's own error included; e[o] of outputs of class E and R is not
 * touched and may be NULL. */
dc_status dc_bound(const dc_problem *p, const pm_arith *declared, double *const *e, dc_error *err);
/* What is assumed of a kernel that declares nothing, before --arith (arith.h) says more. */
void dc_undeclared(const dc_op *op, const int64_t *size, const double *attr, pm_arith *out);

/* ---- verdict (verdict.c) ---- */

typedef struct dc_worst {
  int output;        /* which output; -1: no element was checked */
  int64_t index;     /* flat, row-major */
  double want, got;  /* the real value, and the kernel's */
  double err, bound; /* |got - want| and what it may be */
  double ratio;      /* err/bound; infinite where a bit, a NaN or an infinity is wrong */
} dc_worst;

/* One output, or a slice of it, and what is right there. */
typedef struct dc_band {
  char cls;      /* of spec/ops.def */
  int output;    /* for the report */
  int64_t first; /* flat index of element 0, for the report */
  int64_t count;
  const double *v;  /* reference */
  const double *e;  /* bound; NULL for classes E and R */
  const float *old; /* what a += adds to, else NULL */
  int exact;        /* integer tier: the bound is 0, whatever e says */
  int tame;         /* a NaN or an infinity of the reference must be met; else it is vacuous */
  int loose;        /* ... by anything that is not finite: the policy of some ops */
  /* Of an arithmetic that is not IEEE's; all 0 of one that is. */
  double ulps;    /* class R: how many a value may be off beyond its rounding */
  int64_t stored; /* pm_format of the output, or of the tensor that it is in */
  int typed;      /* it is the tensor's: half a unit is what rounding may be off, and no more */
  int wide;       /* given as doubles, which may be nearer than the float32 that is right */
  int flush, any_zero;   /* a subnormal number may be 0; the sign of a zero is free */
  double lost;           /* by a += that underflows; 0: half the smallest number */
  double into;           /* of a sum that begins with what is there: roundings of that */
  const double *flushed; /* reference of the inputs with 0 for each subnormal one; NULL: as v */
} dc_band;

typedef struct dc_verdict {
  int64_t elements, vacuous, failed;
  dc_worst worst;
} dc_verdict;

void dc_verdict_init(dc_verdict *v);
/* Judges got against the band, adding to v. Rules, per element:
 *   E, R     the bits of (float)v, or of (float)(old + v); any NaN equals any NaN;
 *   others   !(|got - v| <= e) fails; with old, v becomes old + v and e one rounding more;
 *            NaN and +-Inf in v must be met in kind;
 *   vacuous  e is infinite (>= 1.0e300), or as large as |v| with v != 0, so that it would accept an
 *            output left as it was: counted, never passed, and failed all the same where the value
 *            is outside. */
void dc_judge(const dc_band *b, const float *got, dc_verdict *v);
/* The same of values that need not be float32: under E and R such a one is right where it is as near to
 * v as (float)v is. */
void dc_judge_wide(const dc_band *b, const double *got, dc_verdict *v);
/* How far a number of that magnitude is rounded when it is stored; 0 of float32. */
double dc_stored_error(const dc_band *b, double magnitude);
/* The same as a rule over numbers, of outputs that nothing was added to: got is right where it is *want, or
 * within *e of it; *e is infinite where nothing is asked. */
void dc_allowed(const dc_band *b, int64_t i, double *want, double *e);

/* ---- null guard (guard.c) ---- */

typedef enum {
  DC_NULL_ZERO,     /* all zeros; with +=: the outputs left as they were */
  DC_NULL_CONSTANT, /* the reference's first element everywhere */
  DC_NULL_IDENTITY, /* an input of the same size, copied */
  DC_NULL_HALF,     /* the sum of half the terms */
  DC_NULL_NUDGE,    /* one element off by twice its bound */
  DC_N_NULLS
} dc_null;
const char *dc_null_name(dc_null k);

typedef struct dc_guards {
  /* absent: the wrong answer happens to be right (size 0, true zeros, every element vacuous). */
  int64_t rejected[DC_N_NULLS], accepted[DC_N_NULLS], absent[DC_N_NULLS];
} dc_guards;

/* Judges each wrong answer to the band, adding to g. identity, half: NULL where there is none.
 * scratch has room for count floats. Returns 1 when one was accepted that should not have been. */
int dc_guard(const dc_band *b, const float *identity, const double *half, float *scratch,
             dc_guards *g);

/* ---- kernels in a process of their own, which may die (worker.c, serve.c) ---- */

typedef struct dc_worker dc_worker;
typedef struct dc_worker_how {
  const char *path; /* a program that comes to dc_serve when it is given these arguments */
  char *const *argv;
  double begin;   /* seconds that it may take to begin, */
  double seconds; /* and a launch on a small case; large ones have more */
  int lasting;    /* slow to begin: one process for all ops. Else each op has its own, so that what
                     a kernel does to its process is laid to no other op */
} dc_worker_how;
/* Starts nothing yet; `how` and what it names must last. NULL: no memory. */
dc_worker *dc_worker_new(const dc_worker_how *how, dc_error *err);
/* Starts the process; device: its device's name. */
dc_status dc_worker_begin(dc_worker *w, char device[DC_TEXT], dc_error *err);
/* Has it end in order; an error where it does not. */
dc_status dc_worker_end(dc_worker *w, dc_error *err);
int dc_worker_pid(const dc_worker *w); /* 0: none runs */
void dc_worker_free(dc_worker *w);
/* The worker's main: executes what it is told until the checker is gone; the exit status, or
 * -1 where it was not started by one. b NULL: there is none, and `why_not` is passed on. */
int dc_serve(const pm_backend *b, const char *why_not);

/* ---- a kernel that is in no table: where it stands, and how it is called (diffcheck/foreign) ---- */

struct dc_args;
typedef struct dc_foreign {
  const dc_op *op;
  const pm_backend *b; /* its memory; of its table only the row with the kernel's name counts */
  /* Bit t: it may change what input t holds; the checker clears output t for it, or, where t is the
   * number of the op's tensors, the workspace. */
  unsigned inout, zeroed;
  unsigned strided;               /* bit t: it is told how far rows of tensor t are apart */
  int place[DC_OUTPUTS];          /* the input whose place output o takes; -1: it has its own */
  unsigned char type[DC_TENSORS]; /* as dc_case has it */
  int accumulate; /* 1: it adds to its outputs, 0: it does not; -1: it is told which */
  int unordered;  /* its bits may change from run to run: each run is judged */
  const void *self;
  /* Of the description alone, so that the checker answers: whether it may be called on the case, and
   * the bytes of workspace that it then wants. */
  int (*suits)(const struct dc_foreign *f, const dc_case *c);
  size_t (*workspace)(const struct dc_foreign *f, const dc_case *c);
  /* The call. Where its library is loaded, which the checker's process is not, unless it is asked to. */
  pm_status (*launch)(const struct dc_foreign *f, const pm_backend *b, pm_exec *ex,
                      const struct dc_args *a);
} dc_foreign;
/* dc_serve, of that kernel. */
int dc_serve_foreign(const dc_foreign *f, const char *why_not);

/* ---- one run on a back end (memory.c) ---- */

typedef enum {
  DC_NO_FAULT = 0,
  DC_BOUND_EXCEEDED, /* an element lies outside its bound */
  DC_BITS_DIFFER,    /* an element of class E or R, or of the integer tier, is not the right bits */
  DC_KIND_DIFFERS,   /* NaN or infinity where there is none, or none where there is one */
  DC_RED_ZONE,       /* bytes outside every tensor were written */
  DC_INPUT_CHANGED,
  DC_STALE,      /* the result depends on what the outputs or the workspace held before */
  DC_OTHER_DATA, /* it is right, and then wrong on other data at the same addresses */
  DC_UNORDERED,  /* the result depends on the schedule */
  DC_IN_PLACE,   /* the result is another one where an output takes its input's place */
  DC_ADJOINT,    /* <Jv, w> is not <v, J'w> on exact integers */
  DC_DIFFERENCE, /* the reference VJP is not the derivative of the reference */
  DC_BACKENDS_DIFFER,
  DC_LAUNCH,     /* the launcher refused a good case, or the device failed */
  DC_NO_VARIANT, /* no row of the kernel table could run */
  DC_CRASH,      /* the kernel's process died */
  DC_HANG,       /* it gave no answer in time */
  DC_NO_WORKER,  /* no process could be started: an error, no verdict */
  DC_NO_ROOM,    /* likewise: there was no memory for a kernel that is called in this process */
  DC_N_FAULTS
} dc_fault;
const char *dc_fault_name(dc_fault f); /* "bound", "bits", ... */

typedef struct dc_memory dc_memory; /* device and host memory of a back end, reused between runs */
dc_memory *dc_memory_new(const pm_backend *b);                 /* NULL: no memory */
dc_memory *dc_memory_apart(const pm_backend *b, dc_worker *w); /* launches are w's */
void dc_memory_foreign(dc_memory *m, const dc_foreign *f); /* launches are f's; NULL: b's again */
void dc_memory_free(dc_memory *m);

typedef struct dc_way { /* how to run a problem */
  const char *variant;  /* NULL: the launcher's choice */
  unsigned poison;      /* 0, 1: the pattern that outputs and workspace hold before */
  int stream;           /* 0, 1 */
  uint64_t schedule;
  int in_place;        /* outputs take the place of inputs, where dc_glue.replaces says so */
  int watched;         /* data races are faults too, where the back end can see them */
  double *const *wide; /* where outputs of f64 go, by output; NULL: there are none */
} dc_way;

/* Runs the problem once; out[o] (host) receives output o, way->wide[o] one of f64. Checks red zones and inputs.
 * *ran: the variant that ran, NULL where the variant cannot run on this case (then nothing was
 * run, and the fault is DC_NO_FAULT). why says what is wrong. */
dc_fault dc_execute(dc_memory *m, const dc_problem *p, const dc_way *way, float *const *out,
                    const char **ran, dc_error *why);

/* ---- checks of a whole case, runs, shrinking (check.c, shrink.c, run.c) ---- */

/* What is around a wrong element: along each axis of its output the element itself, in the middle, and up to
 * DC_REACH on either side of it (around.c). */
enum { DC_REACH = 3 };
typedef struct dc_near {
  int64_t at;              /* its place on that axis; -1: there is none, or it was not looked at */
  double want, got, bound; /* bound infinite: nothing is asked of it */
  int wrong;
} dc_near;
typedef struct dc_around {
  int rank; /* 0: there is nothing to show */
  dc_near near[DC_RANK][2 * DC_REACH + 1];
} dc_around;

/* What kind of values a case is about: of its inputs, of its cotangent where it has no others; DC_N_VALUES
 * where some are the caller's own. The second is its name. */
int dc_class_of(const dc_case *c);
const char *dc_class_name(int k);

typedef struct dc_failure {
  dc_fault fault;
  dc_case c;        /* shrunk, with the variant that failed; what the replay line prints */
  dc_case found;    /* as it was drawn */
  char backend[12]; /* "sim", "cuda", "ref" (the reference itself), "sim/cuda" */
  dc_worst worst;   /* of the shrunk case; output -1 where no element is to blame */
  dc_around around; /* of it */
  /* Of the case as it was drawn, around the worst element of this output; -1: no element is to blame. */
  dc_around found_around;
  int found_output;
  char what[DC_TEXT];
  int tries; /* of the shrinker */
} dc_failure;

typedef enum { DC_PASS, DC_FAIL, DC_SUSPECT } dc_outcome;

typedef struct dc_ran {
  const char *variant; /* a row of the kernel table */
  int64_t cases;       /* in which it ran, on any back end; 0: it was not checked */
  int64_t fours;       /* of those, such as dc_case_fours says */
} dc_ran;

typedef struct dc_by_class { /* of the cases of one class of values (dc_class_of) */
  int64_t cases, failed, elements, vacuous;
  double ratio; /* the largest err/bound; -1: no element was checked */
} dc_by_class;

typedef struct dc_result {
  const dc_op *op;
  dc_outcome outcome; /* DC_FAIL: a failure, or no case was run. DC_SUSPECT: nothing failed, but no
                         element was checked, most were vacuous, or a null guard accepted a wrong
                         answer */
  int64_t cases, failed;
  int64_t runs; /* kernel launches */
  int64_t elements, vacuous;
  int64_t vacuous_cases; /* cases in which most elements are vacuous */
  int64_t weak;          /* cases with a wrong answer that the bound is too wide to reject */
  dc_worst worst;        /* the largest err/bound met by a right kernel, or the failing element */
  dc_case worst_case;
  dc_by_class by_class[DC_N_VALUES + 1];
  dc_guards guards;
  int64_t exact, adjoint, differences, compared; /* cases in the integer tier, adjoint checks,
                                          finite differences, outputs compared between back ends */
  int n_variants;
  dc_ran variant[DC_VARIANTS];
  double seconds;
  int n_failures; /* kept, of `failed` */
  dc_failure failure[4];
  char suspicion[DC_TEXT]; /* why it is DC_SUSPECT, or why no case was run */
} dc_result;

typedef struct dc_options {
  const pm_backend *backend[DC_BACKENDS]; /* initialised; each case runs on all of them */
  dc_worker *worker[DC_BACKENDS];         /* that runs its kernels; NULL: this process does */
  int n_backends;
  uint64_t seed;
  int64_t cases, first; /* cases first .. first+cases-1 */
  dc_fixed fixed;
  int large;          /* one case in so many is large; 0: none, nor to any extent (extent.c) */
  int huge;           /* the last case has more than 2^31 elements */
  size_t limit_bytes; /* of a case; 0: no limit */
  int shrink_tries;   /* 0: failures are reported as found */
  double seconds;     /* an op stops drawing after so long; 0: no limit */
  int max_failures;   /* an op stops after so many; 0: 1 */
  const dc_foreign *foreign;    /* in place of what the back end, its own, launches; or NULL */
  const struct dc_arith *arith; /* in place of what kernels declare; NULL: that alone (arith.h) */
  /* Called after each case; non-zero stops the run. */
  int (*progress)(void *arg, const dc_result *so_far, const dc_case *last);
  void *arg;
} dc_options;

/* sim alone is not chosen here: n_backends is 0. seed 1, 200 cases, one large case in 100,
 * 4 GiB, 300 tries. */
void dc_options_init(dc_options *o);

/* Draws and checks o->cases cases of op. The status says whether the harness could do its work;
 * what it found is in *out. */
dc_status dc_run(const dc_op *op, const dc_options *o, dc_result *out, dc_error *err);
/* Adds what other cases of the same op showed, under the same options: *to is then as one run of all of them
 * has it. Variants go by their names. */
void dc_result_add(dc_result *to, const dc_result *from);
/* Checks one case as dc_run would: a replay. */
dc_status dc_run_case(const dc_case *c, const dc_options *o, dc_result *out, dc_error *err);

/* One evaluation, for `eval`: out[o] has room for output o. NULL back end: the reference, rounded
 * to f32. With c->accumulate old[o] is added to output o; NULL: zeros. */
dc_status dc_eval(const dc_case *c, const pm_backend *b, const float *const *old, float *const *out,
                  dc_error *err);

#endif
