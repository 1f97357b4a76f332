/* The checker as a library, for programs and other languages: what ops there are, drawn cases of them, the
 * proven reference and its error bound, and the verdict on outputs that a kernel gave. docs/python.md has the
 * Python that stands on it.
 *
 * Nothing here prints, exits or aborts. Functions give a status; dcl_error() has the words, for the thread
 * that called. On an error nothing is written to what the caller passed. Strings and data that a function gives
 * are the library's: of the catalogue they last, of a case they last as long as it does. Threads may work on
 * different cases at the same time, and on one as long as nobody frees it.
 *
 * Numbers in text have a point: where a program sets LC_NUMERIC to a locale that has none, they are refused.
 *
 * Tensors are row-major and dense. Elements of an op's floating-point tensors are float32, of its index tensors
 * int64, on the host. */
#ifndef LIBDIFFCHECK_H
#define LIBDIFFCHECK_H
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define DCL_API __attribute__((visibility("default")))
#define DCL_VERSION \
  1 /* grows with every change that a caller compiled before it does not survive */

enum {
  DCL_RANK = 8,    /* of a tensor */
  DCL_OUTPUTS = 6, /* of an op */
  DCL_SHAPE = 400,
  DCL_LINE = 1024, /* room that a replay line needs */
  DCL_TEXT = 4096  /* room that a verdict's text needs */
};

typedef enum {
  DCL_OK = 0,
  DCL_INVALID, /* an argument: the message names it, its value and the rule */
  DCL_TOO_BIG, /* the case takes more memory than the limit */
  DCL_NO_MEMORY
} dcl_status;

typedef enum {
  DCL_F32,
  DCL_F64,
  DCL_F16,
  DCL_BF16,
  DCL_I8,
  DCL_I16,
  DCL_I32,
  DCL_I64,
  DCL_U8,
  DCL_U16,
  DCL_U32,
  DCL_U64,
  DCL_BOOL
} dcl_dtype;

typedef struct dcl_case_handle *dcl_case;

DCL_API int dcl_version(void);       /* DCL_VERSION of the library that is loaded */
DCL_API const char *dcl_error(void); /* of this thread's last call that failed; "" before */

/* ---- the catalogue ---- */

typedef struct dcl_op {
  const char *name, *family;
  const char *forward; /* of a gradient, the op that it is of; else its own name */
  const char *meaning; /* "y = e^a" */
  const char *policy;  /* NaN, infinities, zeros: what is asked, in words */
  const char
      *classes; /* a letter an output: E exact, R rounded correctly, U, S, C within a bound */
  int is_vjp, n_in, n_out, n_sizes, n_attrs;
  int has_values; /* has floating-point inputs beside a cotangent: classes of values mean something */
} dcl_op;

typedef struct dcl_tensor { /* inputs first, then outputs */
  const char *name;
  char shape[DCL_SHAPE]; /* "(rows, cols)" */
  dcl_dtype dtype;       /* DCL_F32 or DCL_I64 */
} dcl_tensor;

typedef struct dcl_attr {
  const char *name;
  int whole; /* a whole number, or a float32 number */
  double usual, least, most;
} dcl_attr;

DCL_API int dcl_n_ops(void);
/* Of the op of that number, 0 to dcl_n_ops() - 1. */
DCL_API dcl_status dcl_op_about(int op, dcl_op *out);
/* Of the op of that number its tensor t, its attribute a. */
DCL_API dcl_status dcl_tensor_about(int op, int t, dcl_tensor *out);
DCL_API dcl_status dcl_attr_about(int op, int a, dcl_attr *out);
/* The name of its size s; *told: whether the shape of some input says it, so that a kernel need not be told. */
DCL_API dcl_status dcl_size_about(int op, int s, const char **name, int *told);
/* The classes of drawn values, "uniform", "offset", ..; NULL where there is none of that number. */
DCL_API const char *dcl_values_name(int i);

/* ---- cases: sizes, attributes, and inputs ---- */

/* Case number `index` of an op under a seed: the same everywhere. fixed: "key=value" fields, with blanks or commas
 * between, of what is not to be drawn (sizes, attributes, values=CLASS, cotangent=CLASS, indices=, accumulate=,
 * misaligned=, types=TENSOR:TYPE:TENSOR:TYPE.., gap=TENSOR:N:TENSOR:N..; and strided=TENSOR:TENSOR.. has gaps
 * drawn that else are 0: of tensors of two sizes, elements between a row and the next), or NULL. One case in 100 is
 * large, and one in 8 of an extent that kernels stumble over. */
DCL_API dcl_status dcl_case_draw(const char *op, const char *fixed, uint64_t seed, int64_t index,
                                 dcl_case *out);
/* The case of a line that dcl_case_line wrote, or that diffcheck printed. */
DCL_API dcl_status dcl_case_read(const char *line, dcl_case *out);

typedef struct dcl_array {
  dcl_dtype dtype;
  int rank;
  int64_t shape[DCL_RANK];
  const void *data; /* NULL: there is none, of an output that is not to be judged */
} dcl_array;

/* The caller's inputs, all of the op's in its order; copied. Floating-point ones are float32, float16, bfloat16, or
 * float64 that hold float32 numbers; indices integers; a mask may be bool or integers. An op on rows takes any rank,
 * and is over the last axis. set: attributes, and sizes that no input has, as fields like those above; for ops on
 * any axis also axis=K, axes=K:K:.. and shape=N:N:.. */
DCL_API dcl_status dcl_case_given(const char *op, const dcl_array *in, int n_in, const char *set,
                                  dcl_case *out);
DCL_API void dcl_case_free(dcl_case c); /* NULL: nothing */

typedef struct dcl_case_info {
  int op;              /* its number */
  uint64_t seed;       /* of drawn inputs */
  unsigned misaligned; /* bit t: tensor t is to begin an element past a 16-byte boundary */
  int accumulate;      /* a gradient that is to be added to what the outputs hold */
  const char *values, *cotangent; /* classes */
} dcl_case_info;
DCL_API dcl_status dcl_case_about(dcl_case c, dcl_case_info *out);
DCL_API dcl_status dcl_case_size(dcl_case c, int s, int64_t *out);
DCL_API dcl_status dcl_case_attr(dcl_case c, int a, double *out);
/* The shape of tensor t; its elements, of an output what is added to, or NULL. */
DCL_API dcl_status dcl_case_tensor(dcl_case c, int t, int *rank, int64_t shape[DCL_RANK],
                                   const void **data);
/* The type that its elements are to have where a kernel takes them, by types=; the data above are float32 or int64 all
 * the same, of values that it has. */
DCL_API dcl_status dcl_case_type(dcl_case c, int t, dcl_dtype *out);
/* The elements that are to lie between two of its rows where a kernel takes them, by strided= and gap=; 0: none. */
DCL_API dcl_status dcl_case_gap(dcl_case c, int t, int *out);
/* One line that says the case, and that `diffcheck replay` takes; of given inputs only their sizes are in it. */
DCL_API dcl_status dcl_case_line(dcl_case c, char text[DCL_LINE]);

/* ---- reference and verdict ---- */

/* Whether arith says an arithmetic: else DCL_INVALID, and dcl_error() what is wrong with it. */
DCL_API dcl_status dcl_arith_check(const char *arith);

/* Every element of every output over the reals, and how far from it a kernel of that arithmetic may be: want[o]
 * and bound[o] have room for the elements of output o. A bound of 0: bits must be equal, and want is then the
 * float32 that is right; infinity: nothing can be said. arith: as --arith has it, NULL: "cuda". bound may be NULL. */
DCL_API dcl_status dcl_case_eval(dcl_case c, const char *arith, double *const *want,
                                 double *const *bound);

typedef enum { DCL_PASS, DCL_FAIL, DCL_SUSPECT } dcl_outcome;

typedef struct dcl_verdict {
  dcl_outcome outcome; /* DCL_SUSPECT: most elements are vacuous */
  int64_t elements, failed;
  int64_t vacuous; /* elements whose bound is so wide that it says nothing */
  /* The first element that fails and is the worst of them, or the largest error: output -1 where there is none. */
  int output;
  int64_t index; /* flat, row-major */
  double got, want, error, bound;
  char text[DCL_TEXT]; /* what `diffcheck judge` prints, and cut at this length */
} dcl_verdict;

/* Judges outputs, n_got of them, which is all of the op's; each has the shape of its output, but for axes of size 1,
 * or is its elements in one axis. Types are floating-point. blind: whether the text is to say which wrong answers
 * would have passed, which takes several times as long. */
DCL_API dcl_status dcl_case_judge(dcl_case c, const char *arith, const dcl_array *got, int n_got,
                                  int blind, dcl_verdict *out);

/* ---- a kernel that the caller has, run on drawn cases ---- */

typedef struct dcl_buffer {
  dcl_dtype
      dtype; /* what its elements are of: types= in options.fixed, or as the catalogue has it */
  int rank;
  int64_t shape[DCL_RANK], elements;
  int64_t stride; /* of a tensor of two axes: elements from one row's begin to the next one's */
  void *data;     /* of an input: to be read alone */
} dcl_buffer;

/* One call. What it points to lasts until the kernel returns. */
typedef struct dcl_call {
  int op, n_in, n_out;
  const int64_t *size;        /* in the order of dcl_size_about, */
  const double *attr;         /* and of dcl_attr_about */
  int accumulate;             /* 1: a gradient that is to be added to what its outputs hold */
  const dcl_buffer *in, *out; /* in the op's order */
} dcl_call;

/* Reads the inputs, writes every element of every output, and nothing else; 0, or a number that says why it could not,
 * which is a failure of the case. It must return: no longjmp, no exception. */
typedef int (*dcl_kernel)(void *user, const dcl_call *call);

typedef struct dcl_options {
  uint64_t seed;
  int64_t cases, first; /* cases number first .. first + cases - 1, which dcl_case_draw gives too */
  /* As dcl_case_draw has it; accumulate=0 is for a kernel that adds to nothing, strided= for one that heeds
   * dcl_buffer.stride. */
  const char *fixed;
  const char *line;  /* or this one case, of a replay line, and no fixed; NULL: drawn ones */
  const char *arith; /* as --arith has it; NULL: "cuda" */
  int unordered;     /* 1: its bits may change from run to run; each run is then judged */
  int failures;      /* it stops after so many failing cases */
  int tries;         /* that making a failing case small may take; 0: it is as it was drawn */
  double seconds;    /* it draws no more after so long; 0: no limit */
  /* Whether the kernel may be called on such a case, 0: no; no buffer has data then. NULL: it takes any. */
  int (*takes)(void *user, const dcl_call *call);
} dcl_options;

enum { DCL_FAILURES = 4 /* kept, of all that there are */, DCL_SAID = 1200 };

typedef struct dcl_failure {
  char line
      [DCL_LINE]; /* the case, made small: for options.line, dcl_case_read, `diffcheck replay` */
  char found[DCL_LINE]; /* as it was drawn */
  /* "bound", "bits", "kind": an element is wrong; "red-zone": it wrote past a tensor; "input-changed"; "stale": what
   * it gives depends on what the outputs held; "order": it gives other bits when it runs again; "other-data": it was
   * right, and then wrong on other data at the same addresses; "launch": it did not return 0 */
  const char *kind;
  char what[DCL_SAID]; /* in words, with the element */
} dcl_failure;

typedef struct dcl_report {
  dcl_outcome
      outcome; /* DCL_FAIL: a case failed, or none was run; DCL_SUSPECT: `why` says of what the cases say
                        * too little */
  int64_t cases, skipped, failed; /* run; not taken; of those run */
  int64_t runs, elements, vacuous;
  double worst; /* largest error/bound; infinite: of a bit that is wrong; -1: nothing was judged */
  char worst_line[DCL_LINE]; /* of which case */
  int n_failures;
  dcl_failure failure[DCL_FAILURES];
  char why[DCL_SAID];  /* or "" */
  char text[DCL_TEXT]; /* all of this in lines, cut at this length */
} dcl_report;

/* What most want: seed 1, 200 cases from 0 on, an end at the first failure, 300 tries. */
DCL_API void dcl_usual(dcl_options *out);

/* Runs a kernel on cases of an op, in this process and thread, and judges it. Each case runs three times in fresh
 * memory over two patterns of poison, and then on other data of the same sizes at the same addresses. Around every
 * tensor are red zones; they and the inputs are compared afterwards. Tensors begin at 256 bytes, or an element past
 * that where the case says misaligned=. A kernel that writes further off than some hundred bytes, crashes or hangs
 * takes the caller along: `diffcheck run --kernel` runs it in a process of its own.
 *
 * options NULL: as dcl_usual has them. The status says whether this could be done; the verdict is out->outcome. */
DCL_API dcl_status dcl_run(const char *op, const dcl_options *options, dcl_kernel kernel,
                           void *user, dcl_report *out);

#ifdef __cplusplus
}
#endif
#endif
