/* Inside the engine: what an op's glue supplies, slices of a problem, random numbers. */
#ifndef DIFFCHECK_ENGINE_H
#define DIFFCHECK_ENGINE_H
#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../ref/pair.h"
#include "clock.h"
#include "diffcheck.h"

/* ---- glue: one const dc_glue dc_glue_NAME an op, in diffcheck/ops/FAMILY.c ---- */

typedef struct dc_call { /* a reference or bound call: tensors by position in dc_op.tensor */
  const int64_t *size;
  const double *attr;
  int64_t from;                  /* of a cut op: the first dim's index at which the slice begins */
  const double *x[DC_TENSORS];   /* floating-point inputs */
  const int64_t *ix[DC_TENSORS]; /* index inputs */
  double *room;                  /* dc_glue.room numbers, for what is computed on the way */
} dc_call;

typedef struct dc_args { /* a launch: device pointers by position */
  const int64_t *size;
  const double *attr;
  int accumulate;
  const int *gap; /* of each tensor, as dc_case has it; NULL: none has any */
  void *t[DC_TENSORS];
} dc_args;

typedef struct dc_rng {
  uint64_t state;
} dc_rng;

/* What the sizes of a case are for. */
typedef enum {
  DC_USUAL, /* about warps, blocks and tiles, primes, now and then a 0 */
  DC_LARGE, /* a huge row or column */
  DC_FAR,   /* one dim past what a grid's dimension counts, the others next to nothing */
  DC_MANY,  /* a sum of many blocks, the last of them not full */
  DC_WIDTH, /* a row as long as a model's */
  DC_ODD,   /* an odd row of 513 to 1023 elements */
  DC_PAST   /* more than 2^31 elements */
} dc_extent_kind;
typedef struct dc_extent {
  dc_extent_kind kind;
  int which;   /* how many of its kind come before it in a run */
  int sim;     /* the simulator takes part, whose time is short */
  int at;      /* which of the dims; -1: what the kind says */
  int64_t far; /* DC_FAR: a dim past this */
} dc_extent;

/* A real is an f32 number, a flag 0 or 1, an integer anything within its range. */
typedef enum { DC_ATTR_REAL, DC_ATTR_FLAG, DC_ATTR_INTEGER } dc_attr_kind;

/* What an input's drawn values are brought into, for an op that is about no others. NaN stays. */
typedef enum {
  DC_ANY,
  DC_POSITIVE,     /* >= -0 in three cases of four; as drawn in the fourth */
  DC_NOT_NEGATIVE, /* >= 0 */
  DC_PROBABILITY,  /* [-0, 1] */
  DC_UNIT,         /* [-1, 1] */
  DC_MASK,         /* 0 or not: of what is drawn all is made 0, none, stretches, or one in two */
  DC_SMALL_WHOLE   /* 0, 1, .., 8 */
} dc_domain;

enum { DC_KINK_LIST = 4 }; /* kinks that an op names, beside 0 */

/* Of what a kernel may declare beyond IEEE arithmetic, what has a part in an op (ease.c). */
enum {
  DC_DIVIDES = 1,  /* has quotients: of class R it is one */
  DC_ROOTS = 2,    /* likewise, square roots */
  DC_EXPS = 4,     /* is exp of input 0 */
  DC_LOGS = 8,     /* output 0 is a logarithm and more, or a mean of such */
  DC_FACTORS = 16, /* is a matrix product: of the last input and the others */
  DC_PLAIN = 32,   /* has a sum of input elements inside of it, as they are */
  DC_SHIFTS =
      64 /* takes exp(x - m), m the maximum of a row of input 0, where input 1, if it is a mask, is 0 */
};

struct dc_glue {
  const char *policy;
  unsigned uses;
  void (*reference)(const dc_call *c, double *const *y);
  void (*bound)(const dc_call *c, arith A, double *const *e); /* NULL: all of class E, R */
  /* The bound where a variance is joined of parts; divide: ulps of a quotient. NULL: there is none. */
  void (*joined)(const dc_call *c, arith A, double divide, double *const *e);
  /* Numbers that the reference, or the bound, writes beside its outputs; NULL: none. */
  int64_t (*room)(const int64_t *size);
  pm_status (*launch)(const pm_backend *b, pm_exec *ex, const dc_args *a);
  /* Most terms that are added up into one element of an output; NULL: 1. Where an output is a sum
   * of what are sums themselves, those are output 0's and the outer sum is output 1's: `trees` then
   * says in words what the two heights are of. */
  int64_t (*terms)(const int64_t *size, const double *attr, int output);
  const char *trees[2];
  /* After the inputs are drawn: makes input 0 what the op is about (a softmax). NULL: as drawn. */
  void (*adjust)(const int64_t *size, float *const *f);
  /* The same where attributes have a say in it. */
  void (*settle)(const int64_t *size, const double *attr, float *const *f);
  dc_attr_kind attr[DC_ATTRS];
  double attr_default[DC_ATTRS];
  /* What an attribute may be. Both 0: any finite real, an integer from 0 to 2^53. An infinity as a
   * limit is itself allowed. */
  double attr_least[DC_ATTRS], attr_most[DC_ATTRS];
  /* The four hooks of an op whose sizes and attributes hang together; NULL where they do not.
   * shape: the shape of a tensor, in place of the catalogue's; returns the rank.
   * check: why these sizes and attributes are refused (in dc_why's words), or NULL. It is asked
   *   before any shape; sizes are >= 0 and attributes in their ranges by then.
   * draw: all sizes, and any attributes (those it leaves NaN are drawn by their kind), to an
   *   extent: what the hook adds of its own is for DC_USUAL. What check refuses is drawn again: a
   *   rule that random numbers often meet needs no draw hook.
   * simpler: turns a case into its candidate number k = 0, 1, .. of a simpler one, for the
   *   shrinker, which tries smaller sizes and default attributes by itself; 0: there is no k-th. */
  int (*shape)(const dc_op *op, int tensor, const int64_t *size, const double *attr,
               int64_t *shape);
  const char *(*check)(const int64_t *size, const double *attr);
  void (*draw)(dc_rng *r, dc_extent e, int64_t *size, double *attr);
  int (*simpler)(int k, int64_t *size, double *attr);
  /* Of the user's tensors and of axis, axes and shape: sets sizes and attributes (-1 and NaN where
   * nobody has yet), and the shape of each output; returns why not (in dc_why's words), or NULL.
   * NULL hook: the files' shapes are the catalogue's. */
  const char *(*view)(dc_view *v, int64_t *size, double *attr);
  /* In place of dc_glue.reduced's dim: the axis of its input that is summed over; -1: none. */
  int (*summed)(const int64_t *size, const double *attr, int output);
  int complex_last; /* the last axis of its largest tensor is real and imaginary parts, one number */
  const char *layout[DC_TENSORS]; /* a shape hook's shapes in words, "(d[p0], d[p1], ..)" */
  dc_domain domain[DC_TENSORS];   /* of inputs */
  /* Where the op has a kink, 0 apart: plants them among the values; returns how many. */
  int (*kinks)(const double *attr, float list[DC_KINK_LIST]);
  /* For finite differences: input t is kept this far from 0 and from every kink (0: anywhere);
   * then smooth moves the inputs (in f64) off what is left, ties between two of them say. */
  double away[DC_TENSORS];
  void (*smooth)(const int64_t *size, const double *attr, double *const *x);
  /* By output: 1 + the input whose place it may take, 0 where it must be apart from all of them. */
  int replaces[DC_OUTPUTS];
  /* Indices run over dim index_dim; where `within` is set they are never out of its range. */
  int index_dim, within;
  int loose; /* a NaN or an infinity of the reference is met by either */
  int cut;   /* the first dim can be cut: slices of it are problems of their own */
  int row_sum; /* each row of input 0 is divided by a sum of its exponentials, in which -Inf has no part */
  /* 1: linear in its floating-point inputs together; 2: in each of them. One that has quotients
   * (DC_DIVIDES) is a mean of its terms, and exact where they are a power of two. */
  int linear;
  int added; /* 1 + the input that is added to what is so in each of the others; 0: there is none */
  int64_t far; /* of DC_FAR: what a dim goes past, tiles being counted by a grid; 0: DC_GRID */
  struct {
    int input, dim;      /* dim is summed over, and absent from the output; input holds the terms */
  } reduced[DC_OUTPUTS]; /* by output; dim -1 where the output is no sum */
};
#define DC_NO_SUM                                          \
  {                                                        \
    {0, -1}, {0, -1}, {0, -1}, {0, -1}, {0, -1}, { 0, -1 } \
  }

#define OP(name, ...) extern const dc_glue dc_glue_##name;
#include "../../spec/ops.def"
#undef OP

/* Reads one row of the catalogue; 0, or -1 where a string is malformed. */
int dc_op_parse(dc_op *op, const char *inputs, const char *outputs, const char *dims,
                const char *attrs);

/* ---- errors ---- */
__attribute__((format(printf, 3, 4))) dc_status dc_fail(dc_error *err, dc_status s,
                                                        const char *format, ...);

/* Why a case is refused, for dc_glue.check: formatted into a buffer of this thread. */
__attribute__((format(printf, 1, 2))) const char *dc_why(const char *format, ...);

/* ---- random numbers (draw.c) ---- */
void dc_rng_seed(dc_rng *r, uint64_t seed, uint64_t stream);
uint64_t dc_rng_next(dc_rng *r);
int64_t dc_rng_below(dc_rng *r, int64_t n); /* 0 .. n-1; n >= 1 */
double dc_rng_uniform(dc_rng *r);           /* [-1, 1) */
void dc_fill_values(dc_rng *r, dc_values v, int64_t n, float *x);
void dc_fill_indices(dc_rng *r, dc_indices v, int64_t limit, int64_t n, int64_t *x);
/* DC_KINKS with an op's own kinks. */
void dc_fill_kinks(dc_rng *r, const float *kink, int n_kinks, int64_t n, float *x);
/* DC_MINUS_INF, of rows of so many elements: of most of them some is -Inf and some is not. */
void dc_fill_minus_inf(dc_rng *r, int64_t n, int64_t row, float *x);
/* Brings n values into a domain. */
void dc_confine(dc_domain d, int64_t n, float *x);

/* ---- dc_glue.view of the ops that have one (views.c): the forward op, then its VJP ---- */
const char *dc_view_concat(dc_view *v, int64_t *size, double *attr);     /* axis=K */
const char *dc_view_concat_vjp(dc_view *v, int64_t *size, double *attr); /* axis=K,na=N */
const char *dc_view_slice(dc_view *v, int64_t *size, double *attr);      /* axis=K,start=N,len=N */
const char *dc_view_slice_vjp(dc_view *v, int64_t *size, double *attr);  /* axis=K,start=N,n=N */
const char *dc_view_reduce(dc_view *v, int64_t *size, double *attr);  /* axis=K: sum, mean, max */
const char *dc_view_spread(dc_view *v, int64_t *size, double *attr);  /* axis=K,n=N: their VJPs */
const char *dc_view_max_vjp(dc_view *v, int64_t *size, double *attr); /* axis=K */
const char *dc_view_permute(dc_view *v, int64_t *size, double *attr); /* axes=K:K:.. */
const char *dc_view_permute_vjp(dc_view *v, int64_t *size, double *attr);
const char *dc_view_swap(dc_view *v, int64_t *size, double *attr); /* depth=N */
const char *dc_view_swap_vjp(dc_view *v, int64_t *size, double *attr);
const char *dc_view_broadcast(dc_view *v, int64_t *size, double *attr);     /* shape=N:N:.. */
const char *dc_view_broadcast_vjp(dc_view *v, int64_t *size, double *attr); /* shape of x */

/* ---- sizes (extent.c, draw_case.c), for draw hooks too ---- */
enum { DC_GRID = 65535 }; /* blocks of a grid in y and z */
/* What case number `index` is for; `sim`: the simulator takes part. */
dc_extent dc_extent_of(int64_t index, int large, int sim);
enum { DC_TURNS = 32, DC_EXTENT_TURNS = 4 };
/* Cases take DC_TURNS turns, in a mixed order: the last DC_EXTENT_TURNS are for extents but
 * DC_USUAL, the first for variants (aim.c). */
int64_t dc_turn(int64_t index);
/* An extent's sizes: those of `kind`, which is not DC_USUAL, and what is small beside them. */
void dc_draw_extent(dc_rng *r, dc_extent e, int n, int64_t *size);
/* What hangs on the op: which of its dims, how far. */
void dc_extent_suit(const dc_op *op, dc_extent *e);
/* Classes that show a fault there, in place of those that the case has. */
void dc_extent_classes(dc_rng *r, dc_extent e, dc_case *c);
/* n sizes as most ops have them. */
void dc_draw_sizes(dc_rng *r, dc_extent e, int n, int64_t *size);
/* Rows and columns as those, now and then a length that kernels have an instance for (cuda/lang/full_row.h), or
 * rows so long that they are split (cuda/row/split.h); a draw hook. */
void dc_draw_rows(dc_rng *r, dc_extent e, int64_t *size, double *attr);
/* A rank from 0 to DC_RANK and the sizes of its axes, size[rank] .. size[DC_RANK - 1] being 1. */
int dc_draw_rank(dc_rng *r, dc_extent e, int64_t *size);
/* A size of interest that is not large: 1 .. 33. */
int64_t dc_draw_small(dc_rng *r);
/* A scale factor: often a power of two, else anything moderate. */
double dc_draw_real(dc_rng *r, int integers);

/* ---- slices (problem.c): reference and bounds in pieces, so that no case is held in f64 whole.
 * An op that cannot be cut is one slice. ---- */
typedef struct dc_slice {
  int64_t size[DC_DIMS], from;                  /* from: of the first dim */
  int64_t first[DC_TENSORS], count[DC_TENSORS]; /* of each tensor: flat offset, elements */
  double *x[DC_TENSORS];                        /* inputs in f64 */
  double *y[DC_OUTPUTS];                        /* reference */
  double *own[DC_OUTPUTS];  /* the reference's own error; NULL for classes E and R */
  double *e[DC_OUTPUTS];    /* bound, by dc_slice_bound */
  double *half[DC_OUTPUTS]; /* room for dc_slice_half; NULL where no output is a sum */
  double *room;             /* dc_call's */
  pm_arith declared;        /* of the bound */
  int into; /* sums of a += may begin with what is there, as those of kernels that are not ours do */
  double *flushed[DC_OUTPUTS]; /* the reference where inputs are flushed; NULL: none is to be */
  double *mem, *more;
  size_t cap, more_cap;
} dc_slice;
int64_t dc_n_slices(const dc_problem *p);
dc_status dc_slice_load(dc_slice *s, const dc_problem *p, int64_t k, dc_error *err);
dc_call dc_slice_call(const dc_slice *s, const dc_problem *p);
/* declared NULL: what is undeclared (ease.c). */
dc_status dc_slice_bound(dc_slice *s, const dc_problem *p, const pm_arith *declared, dc_error *err);
/* Slice k, loaded and bounded, of the outputs of a kernel of that arithmetic: each is of float32 at f[o] or, that being
 * NULL, of doubles at d[o], and adds to v[o]; one that is at neither is passed over. */
dc_status dc_slice_judge(dc_slice *s, const dc_problem *p, int64_t k, const pm_arith *declared,
                         float *const *f, double *const *d, dc_verdict *v, dc_error *err);
/* dc_allowed of every element: of the whole outputs. e NULL: the reference alone. */
dc_status dc_allow(const dc_problem *p, const pm_arith *declared, double *const *want,
                   double *const *e, dc_error *err);
/* Output o of the slice with the second half of its terms left out; NULL where it is no sum. */
const double *dc_slice_half(dc_slice *s, const dc_problem *p, int o);
/* Likewise, with all terms but the last. */
const double *dc_slice_but_last(dc_slice *s, const dc_problem *p, int o);
void dc_slice_band(const dc_slice *s, const dc_problem *p, int o, dc_band *b);
void dc_slice_free(dc_slice *s);
/* What is around element `index` (flat) of the output that b is a slice of and whose shape this is; the kernel gave
 * f, the whole of it, or, f being NULL, d. */
void dc_around_make(const dc_band *b, int rank, const int64_t *shape, int64_t index, const float *f,
                    const double *d, dc_around *out);

/* Of the summation tree behind an output: the third's is the second's. */
static inline double dc_height(const pm_arith *a, int output) { return a->height[output > 0]; }

/* Element i alone. */
static inline dc_band dc_band_one(const dc_band *b, int64_t i)
{
  dc_band one = *b;
  one.first += i;
  one.count = 1;
  one.v += i;
  one.e = b->e ? b->e + i : NULL;
  one.old = b->old ? b->old + i : NULL;
  one.flushed = b->flushed ? b->flushed + i : NULL;
  return one;
}

/* How far the share of element i may be off: what is added to old[i], where there is that. */
static inline double dc_share_error(const dc_band *b, int64_t i)
{
  const double nu = b->into * 0x1p-24;
  return b->e[i] + (b->old && nu > 0 ? nu / (1 - nu) * fabs((double)b->old[i]) : 0);
}

float dc_rounded_once(double a, double b); /* a + b, to f32 (verdict.c) */

static inline const dc_tensor *dc_out(const dc_op *op, int o) { return &op->tensor[op->n_in + o]; }
static inline int64_t dc_room(const dc_op *op, const int64_t *size)
{
  return op->glue->room ? op->glue->room(size) : 0;
}
static inline int dc_bounded(char cls) { return cls != 'E' && cls != 'R'; }
static inline int dc_is_cotangent(const dc_op *op, int t)
{
  return op->is_vjp && t < op->n_in && strcmp(op->tensor[t].name, "g") == 0;
}
int dc_index_tensor(const dc_op *op); /* the input of indices; -1: none */
int dc_has_values(const dc_op *op);   /* has floating-point inputs besides the cotangent */
/* The arithmetic of that row of the kernel table at the case's sizes. */
pm_arith dc_declared(const dc_case *c, const pm_backend *b, const char *variant);
/* Whether every attribute is within its range. */
dc_status dc_case_attrs(const dc_case *c, dc_error *err);
/* What a case takes, about: the product of the dims, or the elements of all tensors for an op
 * that draws its own sizes. */
double dc_work(const dc_case *c);
/* How many times the time of a small case a launch of this one may take. */
double dc_patience(const dc_case *c);
/* Sizes, then integer attributes, as the kernel table takes them. */
void dc_kernel_size(const dc_case *c, int64_t size[DC_DIMS + DC_ATTRS]);

/* ---- one case (check.c, calculus.c) ---- */
typedef struct dc_lab { /* what checking needs, kept between cases */
  const dc_options *o;
  dc_memory *memory[DC_BACKENDS];
  dc_slice slice;
  float *buf;               /* outputs, */
  double *wide;             /* and those of f64 */
  size_t buf_cap, wide_cap; /* bytes */
  const dc_op
      *lost; /* the adjoint identity's other op, when it died of it: it is not asked again */
} dc_lab;
dc_status dc_lab_open(dc_lab *l, const dc_options *o, dc_error *err);
dc_status dc_lab_close(dc_lab *l, dc_error *err); /* workers that end, end in order */
/* Names of an op's variants, of all back ends, each once; returns how many. */
int dc_variants(const dc_options *o, const dc_op *op, const char *name[DC_VARIANTS]);

/* Whether the simulator's launcher takes the case and that variant can run on it. Nothing runs. */
int dc_suits(const dc_case *c, const char *variant);
/* Workspace bytes of the case, of that variant; NULL or "": of whichever runs unasked. */
size_t dc_workspace(const pm_backend *b, const dc_case *c, const char *variant);
/* dc_case_draw, to an extent. */
int dc_case_draw_to(dc_case *c, const dc_op *op, const dc_fixed *fixed, uint64_t seed,
                    int64_t index, dc_extent e);
/* Case number `index` of a run: what dc_case_draw draws, or a case for one of the op's n variants,
 * drawn again until it suits that one, which alone runs on it (aim.c). */
void dc_case_aim(dc_case *c, const dc_op *op, const dc_options *o, int64_t index);

/* What one case showed. fault DC_NO_FAULT: nothing wrong. */
typedef struct dc_finding {
  dc_fault fault;
  char backend[12], variant[32], what[DC_TEXT];
  char habit[DC_TEXT]; /* of a wrong number: for what kernel it would be right (dc_habit); or "" */
  dc_verdict verdict;
  dc_around around; /* of the worst element, where one is wrong */
  dc_guards guards;
  unsigned variants; /* bit i: row i of dc_variants ran */
  int ran, weak;     /* variants run; null guards that got through */
  int64_t runs, exact, adjoint, differences, compared;
} dc_finding;
/* full: null guards and counters; 0: only whether it fails, for the shrinker. */
dc_status dc_check_case(dc_lab *l, const dc_case *c, int full, dc_finding *f, dc_error *err);
/* <Jv, w> against <v, J'w> with a back end's outputs on the exact integers of p's case. */
dc_status dc_check_adjoint(dc_lab *l, int backend, const dc_problem *p, dc_finding *f,
                           dc_error *err);
/* The reference VJP against central differences of the reference; p's op is a VJP. */
dc_status dc_check_difference(const dc_problem *p, dc_finding *f, dc_error *err);

/* The smallest failing case near c that the tries allow; f is its finding. Returns the tries. */
int dc_shrink(dc_lab *l, dc_case *c, dc_finding *f, int tries);

#endif
