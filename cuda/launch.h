/* The public face of the kernels: launchers, the kernel table, and what a back end offers.
 *
 * The same .cu text is compiled twice: by nvcc (back end "cuda", build/libpm_cuda.so) and by the
 * host compiler through cuda/sim (back end "sim"). Each exports one struct pm_backend.
 * Launchers return a status and, on error, write nothing but the message that pm_backend.error
 * returns; it names the argument, its value and the rule. They allocate nothing, start nothing
 * before every argument is checked, and do not synchronise. */
#ifndef PM_LAUNCH_H
#define PM_LAUNCH_H
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Of any type; the prover's memory is typed, and it reads launchers of float tensors. It has no names, so
 * that of the variant is some number to it, of a type that nothing else has. */
#ifdef __FRAMAC__
#define PM_MEMORY float
#define PM_NAME double
#else
#define PM_MEMORY void
#define PM_NAME const char *
#endif

typedef enum {
  PM_OK = 0,
  PM_BAD_ARGUMENT = 1, /* size, alignment, overlap, attribute: the message says which */
  PM_UNSUITED = 2,     /* the variant asked for cannot run on these sizes or addresses */
  PM_NO_DEVICE = 3,
  PM_DEVICE = 4 /* the runtime reported an error */
} pm_status;

typedef struct pm_exec {
  void *stream;    /* cudaStream_t; ignored by the simulator */
  PM_MEMORY *work; /* workspace, 16-byte aligned, of at least the op's pm_workspace bytes */
  size_t work_bytes;
  const char *variant; /* NULL: the first suited row of the kernel table */
  PM_NAME ran;         /* out: the variant that was launched */
  /* A word of the device's memory, or NULL: not wanted. Where an op's launches find an input to
   * break a rule that the launcher cannot see (a target of cross_entropy out of range), the word
   * becomes PM_BAD_ARGUMENT, in stream order, and no output is written, whether it is wanted or
   * not. Nothing else touches it: the caller clears it, and reads it when it likes. */
  int *status;
} pm_exec;

/* What a number is rounded to before it is stored, or multiplied. */
typedef enum { PM_F32, PM_TF32, PM_BF16, PM_F16, PM_N_FORMATS } pm_format;

/* The arithmetic a kernel declares, in place of a tolerance (docs/accuracy.md). */
typedef struct pm_arith {
#define ULPS(name, undeclared) double k_##name; /* ulps of its exp, tanh, ... */
#include "../spec/elementary.def"
  double alpha;     /* weight of exp's argument error: 1 for exp(x-m), 2.25 for exp2 forms */
  double height[2]; /* of the summation trees behind output 0, and behind those after it */
  /* From here on 0 is IEEE arithmetic, as ours is: docs/arith.md says what the others mean. */
  double k_div, k_sqrt;    /* ulps of quotients and roots beyond a correct rounding */
  double exp_slope;        /* ulps of exp for each unit of its argument's magnitude, beside k_exp */
  double log_error;        /* absolute error of log, beside k_log */
  double shift;            /* exp's argument is off by this times u |m|, m the row's maximum */
  int64_t stored, product; /* pm_format of the outputs; of what a matrix product multiplies */
  int64_t joined;          /* 1: a variance may be joined of those of parts (Welford, Chan) */
  int64_t flush, atomics;  /* 1: subnormal numbers may become 0: anywhere; in a sum by atomics */
  int64_t any_zero;        /* 1: the sign of a zero is free in every class */
} pm_arith;

/* What is known of a kernel's text beyond its passing every check. */
typedef enum {
  PM_CHECKED, /* no more than that */
  PM_SAFE,    /* proven: memory, overflow */
  PM_VALUE,   /* proven: the real-valued result as well */
  PM_RACES    /* proven: moreover that no two threads race (cuda/lang/owned.h) */
} pm_level;

/* How `when` begins of a variant that never runs unasked. */
#define PM_BY_NAME "only by name"

/* One row a variant. `size` holds the op's dims, then its integer attributes, in the order of
 * spec/ops.def. */
typedef struct pm_kernel {
  const char *op, *variant;
  const char *when; /* the condition under which it may run, in words */
  pm_level level;
  void (*declare)(const int64_t *size, pm_arith *out); /* fills in what it declares */
} pm_kernel;

/* LAUNCHER(op, arguments after the exec). accumulate: 0 writes the gradient, 1 adds to it. */
#define PM_LAUNCHERS(LAUNCHER)                                                                     \
  LAUNCHER(add, (pm_exec * ex, int64_t n, const float *a, const float *b, float *y))               \
  LAUNCHER(add_vjp,                                                                                \
           (pm_exec * ex, int accumulate, int64_t n, const float *g, float *da, float *db))        \
  LAUNCHER(sub, (pm_exec * ex, int64_t n, const float *a, const float *b, float *y))               \
  LAUNCHER(sub_vjp,                                                                                \
           (pm_exec * ex, int accumulate, int64_t n, const float *g, float *da, float *db))        \
  LAUNCHER(mul, (pm_exec * ex, int64_t n, const float *a, const float *b, float *y))               \
  LAUNCHER(mul_vjp, (pm_exec * ex, int accumulate, int64_t n, const float *a, const float *b,      \
                     const float *g, float *da, float *db))                                        \
  LAUNCHER(div, (pm_exec * ex, int64_t n, const float *a, const float *b, float *y))               \
  LAUNCHER(div_vjp, (pm_exec * ex, int accumulate, int64_t n, const float *a, const float *b,      \
                     const float *g, float *da, float *db))                                        \
  LAUNCHER(scale, (pm_exec * ex, int64_t n, float c, const float *a, float *y))                    \
  LAUNCHER(scale_vjp,                                                                              \
           (pm_exec * ex, int accumulate, int64_t n, float c, const float *g, float *da))          \
  LAUNCHER(axpy, (pm_exec * ex, int64_t n, float c, const float *a, const float *b, float *y))     \
  LAUNCHER(axpy_vjp, (pm_exec * ex, int accumulate, int64_t n, float c, const float *g, float *da, \
                      float *db))                                                                  \
  LAUNCHER(neg, (pm_exec * ex, int64_t n, const float *a, float *y))                               \
  LAUNCHER(neg_vjp, (pm_exec * ex, int accumulate, int64_t n, const float *g, float *da))          \
  LAUNCHER(abs, (pm_exec * ex, int64_t n, const float *a, float *y))                               \
  LAUNCHER(abs_vjp,                                                                                \
           (pm_exec * ex, int accumulate, int64_t n, const float *a, const float *g, float *da))   \
  LAUNCHER(sqrt, (pm_exec * ex, int64_t n, const float *a, float *y))                              \
  LAUNCHER(sqrt_vjp,                                                                               \
           (pm_exec * ex, int accumulate, int64_t n, const float *y, const float *g, float *da))   \
  LAUNCHER(rsqrt, (pm_exec * ex, int64_t n, const float *a, float *y))                             \
  LAUNCHER(rsqrt_vjp,                                                                              \
           (pm_exec * ex, int accumulate, int64_t n, const float *y, const float *g, float *da))   \
  LAUNCHER(reciprocal, (pm_exec * ex, int64_t n, const float *a, float *y))                        \
  LAUNCHER(reciprocal_vjp,                                                                         \
           (pm_exec * ex, int accumulate, int64_t n, const float *y, const float *g, float *da))   \
  LAUNCHER(clamp, (pm_exec * ex, int64_t n, float lo, float hi, const float *a, float *y))         \
  LAUNCHER(clamp_vjp, (pm_exec * ex, int accumulate, int64_t n, float lo, float hi,                \
                       const float *a, const float *g, float *da))                                 \
  LAUNCHER(maximum, (pm_exec * ex, int64_t n, const float *a, const float *b, float *y))           \
  LAUNCHER(maximum_vjp, (pm_exec * ex, int accumulate, int64_t n, const float *a, const float *b,  \
                         const float *g, float *da, float *db))                                    \
  LAUNCHER(minimum, (pm_exec * ex, int64_t n, const float *a, const float *b, float *y))           \
  LAUNCHER(minimum_vjp, (pm_exec * ex, int accumulate, int64_t n, const float *a, const float *b,  \
                         const float *g, float *da, float *db))                                    \
  LAUNCHER(relu, (pm_exec * ex, int64_t n, const float *a, float *y))                              \
  LAUNCHER(relu_vjp,                                                                               \
           (pm_exec * ex, int accumulate, int64_t n, const float *a, const float *g, float *da))   \
  LAUNCHER(exp, (pm_exec * ex, int64_t n, const float *a, float *y))                               \
  LAUNCHER(exp_vjp,                                                                                \
           (pm_exec * ex, int accumulate, int64_t n, const float *y, const float *g, float *da))   \
  LAUNCHER(log, (pm_exec * ex, int64_t n, const float *a, float *y))                               \
  LAUNCHER(log_vjp,                                                                                \
           (pm_exec * ex, int accumulate, int64_t n, const float *a, const float *g, float *da))   \
  LAUNCHER(sigmoid, (pm_exec * ex, int64_t n, const float *a, float *y))                           \
  LAUNCHER(sigmoid_vjp,                                                                            \
           (pm_exec * ex, int accumulate, int64_t n, const float *y, const float *g, float *da))   \
  LAUNCHER(tanh, (pm_exec * ex, int64_t n, const float *a, float *y))                              \
  LAUNCHER(tanh_vjp,                                                                               \
           (pm_exec * ex, int accumulate, int64_t n, const float *y, const float *g, float *da))   \
  LAUNCHER(softplus, (pm_exec * ex, int64_t n, const float *a, float *y))                          \
  LAUNCHER(softplus_vjp,                                                                           \
           (pm_exec * ex, int accumulate, int64_t n, const float *a, const float *g, float *da))   \
  LAUNCHER(silu, (pm_exec * ex, int64_t n, const float *a, float *y))                              \
  LAUNCHER(silu_vjp,                                                                               \
           (pm_exec * ex, int accumulate, int64_t n, const float *a, const float *g, float *da))   \
  LAUNCHER(gelu, (pm_exec * ex, int64_t n, const float *a, float *y))                              \
  LAUNCHER(gelu_vjp,                                                                               \
           (pm_exec * ex, int accumulate, int64_t n, const float *a, const float *g, float *da))   \
  LAUNCHER(safe_log, (pm_exec * ex, int64_t n, float eps, const float *a, float *y))               \
  LAUNCHER(safe_log_vjp, (pm_exec * ex, int accumulate, int64_t n, float eps, const float *a,      \
                          const float *g, float *da))                                              \
  LAUNCHER(add_bias,                                                                               \
           (pm_exec * ex, int64_t rows, int64_t cols, const float *x, const float *b, float *y))   \
  LAUNCHER(add_bias_vjp, (pm_exec * ex, int accumulate, int64_t rows, int64_t cols,                \
                          const float *g, float *dx, float *db))                                   \
  LAUNCHER(sum, (pm_exec * ex, int64_t n, const float *x, float *y))                               \
  LAUNCHER(sum_vjp, (pm_exec * ex, int accumulate, int64_t n, const float *g, float *dx))          \
  LAUNCHER(mean, (pm_exec * ex, int64_t n, const float *x, float *y))                              \
  LAUNCHER(mean_vjp, (pm_exec * ex, int accumulate, int64_t n, const float *g, float *dx))         \
  /* over the middle axis of x: pm_axis_view (view.h) sees any axis of a tensor so */              \
  LAUNCHER(sum_axis,                                                                               \
           (pm_exec * ex, int64_t outer, int64_t n, int64_t inner, const float *x, float *y))      \
  LAUNCHER(sum_axis_vjp, (pm_exec * ex, int accumulate, int64_t outer, int64_t n, int64_t inner,   \
                          const float *g, float *dx))                                              \
  LAUNCHER(mean_axis,                                                                              \
           (pm_exec * ex, int64_t outer, int64_t n, int64_t inner, const float *x, float *y))      \
  LAUNCHER(mean_axis_vjp, (pm_exec * ex, int accumulate, int64_t outer, int64_t n, int64_t inner,  \
                           const float *g, float *dx))                                             \
  LAUNCHER(max_axis,                                                                               \
           (pm_exec * ex, int64_t outer, int64_t n, int64_t inner, const float *x, float *y))      \
  LAUNCHER(max_axis_vjp, (pm_exec * ex, int accumulate, int64_t outer, int64_t n, int64_t inner,   \
                          const float *x, const float *y, const float *g, float *dx))              \
  LAUNCHER(softmax, (pm_exec * ex, int64_t rows, int64_t cols, const float *x, float *y))          \
  LAUNCHER(softmax_vjp, (pm_exec * ex, int accumulate, int64_t rows, int64_t cols, const float *y, \
                         const float *g, float *dx))                                               \
  LAUNCHER(layer_norm,                                                                             \
           (pm_exec * ex, int64_t rows, int64_t cols, float eps, const float *x,                   \
            const float *gamma, const float *beta, float *y, float *mean, float *rstd))            \
  LAUNCHER(layer_norm_vjp,                                                                         \
           (pm_exec * ex, int accumulate, int64_t rows, int64_t cols, const float *x,              \
            const float *gamma, const float *mean, const float *rstd, const float *g, float *dx,   \
            float *dgamma, float *dbeta))                                                          \
  /* where affine is 0, gamma is not read and may be NULL */                                       \
  LAUNCHER(rms_norm, (pm_exec * ex, int64_t rows, int64_t cols, int affine, float eps,             \
                      const float *x, const float *gamma, float *y, float *rstd))                  \
  LAUNCHER(rms_norm_vjp,                                                                           \
           (pm_exec * ex, int accumulate, int64_t rows, int64_t cols, int affine, const float *x,  \
            const float *gamma, const float *rstd, const float *g, float *dx, float *dgamma))      \
  LAUNCHER(mse_loss, (pm_exec * ex, int64_t n, const float *a, const float *t, float *y))          \
  LAUNCHER(mse_loss_vjp, (pm_exec * ex, int accumulate, int64_t n, const float *a, const float *t, \
                          const float *g, float *da, float *dt))                                   \
  /* each of the rows' targets is from 0 to cols - 1: else see pm_exec.status */                   \
  LAUNCHER(cross_entropy, (pm_exec * ex, int64_t rows, int64_t cols, const float *x,               \
                           const int64_t *target, float *loss))                                    \
  LAUNCHER(cross_entropy_vjp, (pm_exec * ex, int accumulate, int64_t rows, int64_t cols,           \
                               const float *x, const int64_t *target, const float *g, float *dx))  \
  LAUNCHER(cross_entropy_grad, (pm_exec * ex, int64_t rows, int64_t cols, const float *x,          \
                                const int64_t *target, float *loss, float *dx))                    \
  LAUNCHER(log_softmax, (pm_exec * ex, int64_t rows, int64_t cols, const float *x, float *y))      \
  LAUNCHER(log_softmax_vjp, (pm_exec * ex, int accumulate, int64_t rows, int64_t cols,             \
                             const float *y, const float *g, float *dx))                           \
  /* an element is blocked where its mask is not 0, NaN included */                                \
  LAUNCHER(masked_softmax, (pm_exec * ex, int64_t rows, int64_t cols, const float *x,              \
                            const float *mask, float *y))                                          \
  LAUNCHER(masked_softmax_vjp, (pm_exec * ex, int accumulate, int64_t rows, int64_t cols,          \
                                const float *y, const float *g, float *dx))                        \
  LAUNCHER(batch_norm,                                                                             \
           (pm_exec * ex, int64_t n, int64_t channels, int64_t size, float eps, const float *x,    \
            const float *gamma, const float *beta, float *y, float *mean, float *rstd))            \
  LAUNCHER(batch_norm_vjp,                                                                         \
           (pm_exec * ex, int accumulate, int64_t n, int64_t channels, int64_t size,               \
            const float *x, const float *gamma, const float *mean, const float *rstd,              \
            const float *g, float *dx, float *dgamma, float *dbeta))                               \
  LAUNCHER(transpose2d, (pm_exec * ex, int64_t rows, int64_t cols, const float *x, float *y))      \
  LAUNCHER(transpose2d_vjp,                                                                        \
           (pm_exec * ex, int accumulate, int64_t rows, int64_t cols, const float *g, float *dx))  \
  /* shapes and axes are in host memory: of x, rank of each; rank <= 8 */                          \
  LAUNCHER(permute, (pm_exec * ex, int rank, const int64_t *shape, const int64_t *axes,            \
                     const float *x, float *y))                                                    \
  LAUNCHER(permute_vjp, (pm_exec * ex, int accumulate, int rank, const int64_t *shape,             \
                         const int64_t *axes, const float *g, float *dx))                          \
  LAUNCHER(swap_adjacent, (pm_exec * ex, int rank, const int64_t *shape, int64_t depth,            \
                           const float *x, float *y))                                              \
  LAUNCHER(swap_adjacent_vjp, (pm_exec * ex, int accumulate, int rank, const int64_t *shape,       \
                               int64_t depth, const float *g, float *dx))                          \
  /* shapes are in host memory: of x, and of y; x_rank <= rank <= 8 */                             \
  LAUNCHER(broadcast_to, (pm_exec * ex, int x_rank, const int64_t *x_shape, int rank,              \
                          const int64_t *shape, const float *x, float *y))                         \
  LAUNCHER(broadcast_to_vjp, (pm_exec * ex, int accumulate, int x_rank, const int64_t *x_shape,    \
                              int rank, const int64_t *shape, const float *g, float *dx))          \
  LAUNCHER(matmul, (pm_exec * ex, int64_t m, int64_t k, int64_t n, int ta, int tb, float alpha,    \
                    const float *a, const float *b, float *c))                                     \
  LAUNCHER(matmul_vjp,                                                                             \
           (pm_exec * ex, int accumulate, int64_t m, int64_t k, int64_t n, int ta, int tb,         \
            float alpha, const float *a, const float *b, const float *g, float *da, float *db))    \
  LAUNCHER(bmm, (pm_exec * ex, int64_t batch, int64_t m, int64_t k, int64_t n, int ta, int tb,     \
                 float alpha, const float *a, const float *b, float *c))                           \
  LAUNCHER(bmm_vjp, (pm_exec * ex, int accumulate, int64_t batch, int64_t m, int64_t k, int64_t n, \
                     int ta, int tb, float alpha, const float *a, const float *b, const float *g,  \
                     float *da, float *db))                                                        \
  LAUNCHER(linear, (pm_exec * ex, int64_t rows, int64_t in, int64_t out, const float *x,           \
                    const float *w, const float *b, float *y))                                     \
  LAUNCHER(linear_vjp,                                                                             \
           (pm_exec * ex, int accumulate, int64_t rows, int64_t in, int64_t out, const float *x,   \
            const float *w, const float *g, float *dx, float *dw, float *db))                      \
  LAUNCHER(ffn, (pm_exec * ex, int64_t rows, int64_t in, int64_t hidden, int64_t out,              \
                 const float *h, const float *w1, const float *w2, float *y, float *u, float *a))  \
  LAUNCHER(ffn_vjp,                                                                                \
           (pm_exec * ex, int accumulate, int64_t rows, int64_t in, int64_t hidden, int64_t out,   \
            const float *h, const float *w1, const float *w2, const float *u, const float *a,      \
            const float *g, float *dh, float *dw1, float *dw2))                                    \
  LAUNCHER(rope,                                                                                   \
           (pm_exec * ex, int64_t batch, int64_t seq, int64_t heads, int64_t head_dim, int table,  \
            float base, int64_t pos_offset, const float *x, const float *inv_freq, float *y))      \
  LAUNCHER(rope_vjp, (pm_exec * ex, int accumulate, int64_t batch, int64_t seq, int64_t heads,     \
                      int64_t head_dim, int table, float base, int64_t pos_offset,                 \
                      const float *inv_freq, const float *g, float *dx))                           \
  /* q, y (batch, heads, nq, d), k, v (batch, kv_heads, nk, d), mask (nq, nk): not 0 blocks, as \
   * masked_softmax's, and not read where masked is 0; lse (batch, heads, nq) */  \
  LAUNCHER(sdpa, (pm_exec * ex, int64_t batch, int64_t heads, int64_t kv_heads, int64_t nq,        \
                  int64_t nk, int64_t d, int causal, int masked, const float *q, const float *k,   \
                  const float *v, const float *mask, float *y, float *lse))                        \
  /* y and lse are sdpa's; dq like q, dk and dv like k */                                          \
  LAUNCHER(sdpa_vjp,                                                                               \
           (pm_exec * ex, int accumulate, int64_t batch, int64_t heads, int64_t kv_heads,          \
            int64_t nq, int64_t nk, int64_t d, int causal, int masked, const float *q,             \
            const float *k, const float *v, const float *mask, const float *y, const float *lse,   \
            const float *g, float *dq, float *dk, float *dv))                                      \
  /* q, y (batch, heads, d), k, v (batch, kv_heads, capacity, d): of each head len keys count */   \
  LAUNCHER(decode_sdpa,                                                                            \
           (pm_exec * ex, int64_t batch, int64_t heads, int64_t kv_heads, int64_t capacity,        \
            int64_t d, int64_t len, const float *q, const float *k, const float *v, float *y))     \
  /* x, y (batch, n, width), wq (width, heads, d), wk, wv (width, kv_heads, d), wo (heads, d, \
   * width), mask (n, n) as sdpa's; q, o (batch, heads, n, d), k, v (batch, kv_heads, n, d) */    \
  LAUNCHER(multi_head_attention,                                                                   \
           (pm_exec * ex, int64_t batch, int64_t heads, int64_t kv_heads, int64_t n,               \
            int64_t width, int64_t d, int causal, int masked, const float *x, const float *wq,     \
            const float *wk, const float *wv, const float *wo, const float *mask, float *y,        \
            float *q, float *k, float *v, float *o, float *lse))                                   \
  LAUNCHER(multi_head_attention_vjp,                                                               \
           (pm_exec * ex, int accumulate, int64_t batch, int64_t heads, int64_t kv_heads,          \
            int64_t n, int64_t width, int64_t d, int causal, int masked, const float *x,           \
            const float *wq, const float *wk, const float *wv, const float *wo, const float *mask, \
            const float *q, const float *k, const float *v, const float *o, const float *lse,      \
            const float *g, float *dx, float *dwq, float *dwk, float *dwv, float *dwo))            \
  /* shape, kernel, stride, pad and dilation are in host memory: rank of each; 1 <= rank <= 8 */   \
  LAUNCHER(avg_pool, (pm_exec * ex, int64_t lines, int rank, const int64_t *shape,                 \
                      const int64_t *kernel, const int64_t *stride, const int64_t *pad,            \
                      const int64_t *dilation, const float *x, float *y))                          \
  LAUNCHER(avg_pool_vjp, (pm_exec * ex, int accumulate, int64_t lines, int rank,                   \
                          const int64_t *shape, const int64_t *kernel, const int64_t *stride,      \
                          const int64_t *pad, const int64_t *dilation, const float *g, float *dx)) \
  LAUNCHER(max_pool, (pm_exec * ex, int64_t lines, int rank, const int64_t *shape,                 \
                      const int64_t *kernel, const int64_t *stride, const int64_t *pad,            \
                      const int64_t *dilation, const float *x, float *y, float *tap))              \
  LAUNCHER(max_pool_vjp,                                                                           \
           (pm_exec * ex, int accumulate, int64_t lines, int rank, const int64_t *shape,           \
            const int64_t *kernel, const int64_t *stride, const int64_t *pad,                      \
            const int64_t *dilation, const float *tap, const float *g, float *dx))                 \
  LAUNCHER(smooth_max_pool, (pm_exec * ex, int64_t lines, int rank, const int64_t *shape,          \
                             const int64_t *kernel, const int64_t *stride, const int64_t *pad,     \
                             const int64_t *dilation, float beta, const float *x, float *y))       \
  LAUNCHER(smooth_max_pool_vjp,                                                                    \
           (pm_exec * ex, int accumulate, int64_t lines, int rank, const int64_t *shape,           \
            const int64_t *kernel, const int64_t *stride, const int64_t *pad,                      \
            const int64_t *dilation, float beta, const float *x, const float *y, const float *g,   \
            float *dx))                                                                            \
  /* in and out: channels of a group; shape: that of x along the axes */                           \
  LAUNCHER(conv, (pm_exec * ex, int64_t batch, int64_t groups, int64_t in, int64_t out, int rank,  \
                  const int64_t *shape, const int64_t *kernel, const int64_t *stride,              \
                  const int64_t *pad, const int64_t *dilation, const float *x, const float *w,     \
                  const float *b, float *y))                                                       \
  LAUNCHER(conv_vjp,                                                                               \
           (pm_exec * ex, int accumulate, int64_t batch, int64_t groups, int64_t in, int64_t out,  \
            int rank, const int64_t *shape, const int64_t *kernel, const int64_t *stride,          \
            const int64_t *pad, const int64_t *dilation, const float *x, const float *w,           \
            const float *g, float *dx, float *dw, float *db))                                      \
  LAUNCHER(conv_transpose,                                                                         \
           (pm_exec * ex, int64_t batch, int64_t groups, int64_t in, int64_t out, int rank,        \
            const int64_t *shape, const int64_t *kernel, const int64_t *stride,                    \
            const int64_t *pad, const int64_t *dilation, const int64_t *output_pad,                \
            const float *x, const float *w, const float *b, float *y))                             \
  LAUNCHER(conv_transpose_vjp,                                                                     \
           (pm_exec * ex, int accumulate, int64_t batch, int64_t groups, int64_t in, int64_t out,  \
            int rank, const int64_t *shape, const int64_t *kernel, const int64_t *stride,          \
            const int64_t *pad, const int64_t *dilation, const int64_t *output_pad,                \
            const float *x, const float *w, const float *g, float *dx, float *dw, float *db))      \
  /* x, y (rows, n), n >= 1; z (rows, n/2 + 1, 2): real and imaginary parts of the bins */         \
  LAUNCHER(rfft, (pm_exec * ex, int64_t rows, int64_t n, const float *x, float *z))                \
  LAUNCHER(rfft_vjp,                                                                               \
           (pm_exec * ex, int accumulate, int64_t rows, int64_t n, const float *g, float *dx))     \
  LAUNCHER(irfft, (pm_exec * ex, int64_t rows, int64_t n, const float *z, float *y))               \
  LAUNCHER(irfft_vjp,                                                                              \
           (pm_exec * ex, int accumulate, int64_t rows, int64_t n, const float *g, float *dz))     \
  /* x, y (grid, width), wre, wim (modes, width, width): of the mode, from, to */                  \
  LAUNCHER(spectral_conv1d, (pm_exec * ex, int64_t grid, int64_t width, int64_t modes,             \
                             const float *x, const float *wre, const float *wim, float *y))        \
  LAUNCHER(spectral_conv1d_vjp,                                                                    \
           (pm_exec * ex, int accumulate, int64_t grid, int64_t width, int64_t modes,              \
            const float *x, const float *wre, const float *wim, const float *g, float *dx,         \
            float *dwre, float *dwim))                                                             \
  LAUNCHER(gather_rows, (pm_exec * ex, int64_t rows, int64_t cols, int64_t k, const float *x,      \
                         const int64_t *idx, float *y))                                            \
  LAUNCHER(gather_rows_vjp, (pm_exec * ex, int accumulate, int64_t rows, int64_t cols, int64_t k,  \
                             const int64_t *idx, const float *g, float *dx))                       \
  LAUNCHER(scatter_add_rows, (pm_exec * ex, int64_t rows, int64_t cols, int64_t k, const float *x, \
                              const int64_t *idx, const float *u, float *y))                       \
  LAUNCHER(scatter_add_rows_vjp,                                                                   \
           (pm_exec * ex, int accumulate, int64_t rows, int64_t cols, int64_t k,                   \
            const int64_t *idx, const float *g, float *dx, float *du))                             \
  LAUNCHER(gather_row, (pm_exec * ex, int64_t rows, int64_t cols, const float *x,                  \
                        const int64_t *idx, float *y))                                             \
  LAUNCHER(gather_row_vjp, (pm_exec * ex, int accumulate, int64_t rows, int64_t cols,              \
                            const int64_t *idx, const float *g, float *dx))                        \
  LAUNCHER(scatter_add_row, (pm_exec * ex, int64_t rows, int64_t cols, const float *x,             \
                             const int64_t *idx, const float *u, float *y))                        \
  LAUNCHER(scatter_add_row_vjp, (pm_exec * ex, int accumulate, int64_t rows, int64_t cols,         \
                                 const int64_t *idx, const float *g, float *dx, float *du))        \
  LAUNCHER(gather,                                                                                 \
           (pm_exec * ex, int64_t n, int64_t k, const float *x, const int64_t *idx, float *y))     \
  LAUNCHER(gather_vjp, (pm_exec * ex, int accumulate, int64_t n, int64_t k, const int64_t *idx,    \
                        const float *g, float *dx))                                                \
  LAUNCHER(scatter_add, (pm_exec * ex, int64_t n, int64_t k, const float *x, const int64_t *idx,   \
                         const float *u, float *y))                                                \
  LAUNCHER(scatter_add_vjp, (pm_exec * ex, int accumulate, int64_t n, int64_t k,                   \
                             const int64_t *idx, const float *g, float *dx, float *du))            \
  LAUNCHER(gather_scalar, (pm_exec * ex, int64_t n, const float *x, const int64_t *idx, float *y)) \
  LAUNCHER(gather_scalar_vjp, (pm_exec * ex, int accumulate, int64_t n, const int64_t *idx,        \
                               const float *g, float *dx))                                         \
  LAUNCHER(scatter_add_scalar, (pm_exec * ex, int64_t n, const float *x, const int64_t *idx,       \
                                const float *u, float *y))                                         \
  LAUNCHER(scatter_add_scalar_vjp, (pm_exec * ex, int accumulate, int64_t n, const int64_t *idx,   \
                                    const float *g, float *dx, float *du))                         \
  LAUNCHER(rand_uniform, (pm_exec * ex, int64_t n, uint64_t seed, uint64_t offset, float *y))      \
  LAUNCHER(rand_normal, (pm_exec * ex, int64_t n, uint64_t seed, uint64_t offset, float *y))       \
  LAUNCHER(bernoulli,                                                                              \
           (pm_exec * ex, int64_t n, uint64_t seed, uint64_t offset, float p, float *y))           \
  LAUNCHER(concat, (pm_exec * ex, int64_t outer, int64_t na, int64_t nb, int64_t inner,            \
                    const float *a, const float *b, float *y))                                     \
  LAUNCHER(concat_vjp, (pm_exec * ex, int accumulate, int64_t outer, int64_t na, int64_t nb,       \
                        int64_t inner, const float *g, float *da, float *db))                      \
  LAUNCHER(slice, (pm_exec * ex, int64_t outer, int64_t n, int64_t inner, int64_t len,             \
                   int64_t start, const float *x, float *y))                                       \
  LAUNCHER(slice_vjp, (pm_exec * ex, int accumulate, int64_t outer, int64_t n, int64_t inner,      \
                       int64_t len, int64_t start, const float *g, float *dx))                     \
  LAUNCHER(write_rows, (pm_exec * ex, int64_t rows, int64_t cols, int64_t k, int64_t start,        \
                        const float *x, const float *u, float *y)) /* y may be x */                \
  LAUNCHER(write_rows_vjp, (pm_exec * ex, int accumulate, int64_t rows, int64_t cols, int64_t k,   \
                            int64_t start, const float *g, float *dx, float *du))                  \
  LAUNCHER(copy, (pm_exec * ex, int64_t n, const float *x, float *y))                              \
  LAUNCHER(copy_vjp, (pm_exec * ex, int accumulate, int64_t n, const float *g, float *dx))         \
  LAUNCHER(fill, (pm_exec * ex, int64_t n, float value, float *y))                                 \
  LAUNCHER(zeros, (pm_exec * ex, int64_t n, float *y))                                             \
  LAUNCHER(ones, (pm_exec * ex, int64_t n, float *y))                                              \
  /* q may be p, m_next m and v_next v; c1 and c2 are what pm_bias_correction gives (adam.h) */    \
  LAUNCHER(sgd_step,                                                                               \
           (pm_exec * ex, int64_t n, float lr, const float *p, const float *g, float *q))          \
  LAUNCHER(adam_step, (pm_exec * ex, int64_t n, float lr, float beta1, float beta2, float eps,     \
                       float c1, float c2, const float *p, const float *g, const float *m,         \
                       const float *v, float *q, float *m_next, float *v_next))                    \
  LAUNCHER(adamw_step, (pm_exec * ex, int64_t n, float lr, float beta1, float beta2, float eps,    \
                        float weight_decay, float c1, float c2, const float *p, const float *g,    \
                        const float *m, const float *v, float *q, float *m_next, float *v_next))

/* A stream beside the back end's two. What is on it runs one after the other, and waits for nothing that is not; calls
 * on one stream come one at a time, those on others may come meanwhile, from any thread. */
typedef struct pm_stream {
  void *at; /* for pm_exec.stream, and for graphs */
} pm_stream;
typedef struct pm_streams {
  pm_stream *(*make)(void);   /* NULL when there is no memory */
  void (*drop)(pm_stream *s); /* once its work is done; NULL is none */
  /* Waits for what is on it, and for nothing else; reports what went wrong. */
  pm_status (*wait)(pm_stream *s);
  /* On the stream. The host's bytes have been read when upload returns, and are there when download does. */
  pm_status (*upload)(pm_stream *s, void *device, const void *host, size_t bytes);
  pm_status (*download)(pm_stream *s, void *host, const void *device, size_t bytes);
} pm_streams;

/* Launches that are written down once and run again as one. From begin to end what goes to that stream (NULL: stream
 * 0) is not run but written down, with the arguments that it has then; nothing is allocated, copied or waited for
 * meanwhile. A graph has parts, which run one after the other; each can be written down anew by itself. */
typedef struct pm_graph pm_graph;
typedef struct pm_graphs {
  pm_graph *(*make)(int parts); /* NULL when there is no memory on the host */
  pm_status (*begin)(void *stream);
  /* What was written down there is that part from now on; g NULL: it is forgotten. */
  pm_status (*end)(void *stream, pm_graph *g, int part);
  pm_status (*ready)(
      pm_graph *g); /* to be launched, with its parts as they are now: all have been written */
  pm_status (*launch)(void *stream, pm_graph *g); /* as it was made ready */
  void (*drop)(pm_graph *g);                      /* it may be running; NULL is none */
} pm_graphs;

typedef struct pm_backend {
  const char *name; /* "sim" or "cuda" */
  const pm_kernel *kernels;
  int n_kernels;
  pm_status (*init)(void);      /* finds the device; PM_NO_DEVICE where there is none */
  const char *(*device)(void);  /* its name, for reports */
  const char *(*error)(void);   /* the last error of this thread, in words */
  void *(*alloc)(size_t bytes); /* NULL when there is no memory; 256-byte aligned */
  void (*free)(void *p);
  /* Over when they return; those who launched on other streams than 0 wait before. */
  pm_status (*upload)(void *device, const void *host, size_t bytes);
  pm_status (*download)(void *host, const void *device, size_t bytes);
  void *(*stream)(int i); /* one of two streams that run beside each other */
  /* Device to device, asynchronous on stream 0; `to` NULL: the bytes, whole 16-byte words of them,
   * are only read, and none of them is an empty launch. What bench compares times with. */
  pm_status (*copy_bytes)(void *to, const void *from, size_t bytes);
  pm_status (*sync)(void); /* waits for everything; reports what went wrong since the last sync */
  void (*shuffle)(uint64_t seed); /* sim: the order of threads and blocks; cuda: nothing */
  /* sim: until rest(0), launches check their arguments and pick a variant, and run nothing,
   * whatever the addresses; cuda: NULL */
  void (*rest)(int rests);
  /* sim: names of the kernels that were launched since the last call, at rest or not, each once;
   * NULL ends them; cuda: NULL */
  const char *const *(*launched)(void);
  /* sim: adds a tensor or workspace to those in which everything must lie that a kernel's contract
   * has it read or write; NULL forgets them, and any memory will do; cuda: NULL */
  void (*extent)(const void *at, size_t bytes);
  /* Median milliseconds of `reps` calls of run(arg), caches flushed between calls. */
  double (*time)(pm_status (*run)(void *arg), void *arg, int reps);
  /* Workspace bytes of an op at these sizes (kernel-table order of sizes), whichever variant runs
   * unasked; 0 for most. `op:variant`: those of a variant, which may run only when it is named. */
  size_t (*workspace)(const char *op, const int64_t *size);
  /* sim: the same device with the same bits, to which a data race is an error that sync reports
   * (cuda/sim/race.h); slower. cuda: NULL */
  const struct pm_backend *watched;
  const pm_graphs *graphs;   /* NULL: none */
  const pm_streams *streams; /* NULL: none */
#define PM_MEMBER(op, args) pm_status(*op) args;
  PM_LAUNCHERS(PM_MEMBER)
#undef PM_MEMBER
} pm_backend;

extern const pm_backend pm_sim; /* linked in */
extern const pm_backend
    pm_race; /* linked in: the simulator again, which reports data races (sim/race.h) */
extern const pm_backend pm_cuda; /* in libpm_cuda.so, found with dlopen/dlsym */

#ifdef __cplusplus
}
#endif
#endif
