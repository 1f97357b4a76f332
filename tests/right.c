#include "right.h"

#include "../diffcheck/engine/arith.h"
#include "helpers.h"

#define COMPUTE(name) static void name(const dc_problem *p, dc_rng *r, float *const *out)
#define SIZE(i) (p->c.size[i])
#define IN(t) (p->f[t])
#define ATTR(i) ((float)p->c.attr[i])
#define UNUSED (void)r

static float ftz(float x) { return fabsf(x) < 0x1p-126f ? copysignf(0, x) : x; }

/* ---- sums ---- */

static float one_by_one(int64_t n, const float *x)
{
  float s = 0;
  for (int64_t i = 0; i < n; i++)
    s += x[i];
  return s;
}

static float pairwise(int64_t n, const float *x)
{
  return n == 0   ? 0
         : n == 1 ? x[0]
                  : pairwise(n / 2 + n % 2, x) + pairwise(n / 2, x + n / 2 + n % 2);
}

/* An order of 0 .. n-1. Free it. */
static int64_t *shuffled(int64_t n, dc_rng *r)
{
  int64_t *order = malloc((size_t)(n + 1) * sizeof *order);
  for (int64_t i = 0; i < n; i++)
    order[i] = i;
  for (int64_t i = n - 1; i > 0; i--) {
    int64_t k = dc_rng_below(r, i + 1), t = order[i];
    order[i] = order[k];
    order[k] = t;
  }
  return order;
}

/* An atomicAdd in global memory. */
static void atomic(float *to, float x) { *to = ftz(ftz(*to) + ftz(x)); }

COMPUTE(sum_one_by_one)
{
  UNUSED;
  out[0][0] = one_by_one(SIZE(0), IN(0));
}
COMPUTE(sum_pairwise)
{
  UNUSED;
  out[0][0] = pairwise(SIZE(0), IN(0));
}
COMPUTE(sum_atomic)
{
  int64_t *order = shuffled(SIZE(0), r);
  float s = 0;
  for (int64_t i = 0; i < SIZE(0); i++)
    atomic(&s, IN(0)[order[i]]);
  out[0][0] = s;
  free(order);
}
COMPUTE(sum_half)
{
  UNUSED;
  out[0][0] = pairwise(SIZE(0) / 2, IN(0));
}
COMPUTE(mean_pairwise)
{
  UNUSED;
  out[0][0] = pairwise(SIZE(0), IN(0)) / (float)SIZE(0);
}
COMPUTE(scatter_atomic)
{
  int64_t k = SIZE(1), *order = shuffled(k, r);
  for (int64_t i = 0; i < SIZE(0); i++)
    out[0][i] = IN(0)[i];
  for (int64_t i = 0; i < k; i++) {
    int64_t at = p->ix[1][order[i]];
    if (at >= 0 && at < SIZE(0))
      atomic(&out[0][at], IN(2)[order[i]]);
  }
  free(order);
}

/* ---- norms ---- */

typedef struct stats {
  float n, mean, square;
} stats;

static stats add_element(stats s, float x)
{
  float t = x - s.mean;
  s.n += 1;
  s.mean += t * (1 / s.n);
  s.square += t * (x - s.mean);
  return s;
}

static stats join(stats a, stats b) /* as PyTorch's layer_norm does */
{
  stats s = {.n = a.n + b.n};
  if (s.n > 0) {
    float t = b.mean - a.mean, coef = 1 / s.n, na = a.n * coef, nb = b.n * coef;
    s.mean = na * a.mean + nb * b.mean;
    s.square = a.square + b.square + t * t * a.n * nb;
  }
  return s;
}

static stats welford(int64_t n, const float *x)
{
  stats s = {0, 0, 0};
  for (int64_t i = 0; i < n; i++)
    s = add_element(s, x[i]);
  return s;
}

/* 32 lanes, each one element after another, then a tree of joins. */
static stats chan(int64_t n, const float *x)
{
  stats lane[32] = {{0, 0, 0}};
  for (int64_t i = 0; i < n; i++)
    lane[i % 32] = add_element(lane[i % 32], x[i]);
  for (int k = 16; k; k /= 2)
    for (int l = 0; l < k; l++)
      lane[l] = join(lane[l], lane[l + k]);
  return lane[0];
}

static stats two_pass(int64_t n, const float *x)
{
  stats s = {(float)n, one_by_one(n, x) / (float)n, 0};
  for (int64_t i = 0; i < n; i++)
    s.square += (x[i] - s.mean) * (x[i] - s.mean);
  return s;
}

static stats one_pass(int64_t n, const float *x)
{
  float sum = 0, square = 0;
  for (int64_t i = 0; i < n; i++) {
    sum += x[i];
    square += x[i] * x[i];
  }
  float mean = sum / (float)n;
  return (stats){(float)n, mean, fmaxf(0, square - mean * sum)};
}

static stats unbiased(int64_t n, const float *x)
{
  stats s = two_pass(n, x);
  s.square *= (float)n / (float)(n > 1 ? n - 1 : 1);
  return s;
}

static void layer_norm(const dc_problem *p, stats (*of)(int64_t, const float *), float *const *out)
{
  int64_t n = SIZE(1);
  for (int64_t k = 0; k < SIZE(0); k++) {
    const float *x = IN(0) + k * n;
    stats s = of(n, x);
    float rstd = 1 / sqrtf(s.square / (float)n + ATTR(0));
    out[1][k] = s.mean;
    out[2][k] = rstd;
    for (int64_t i = 0; i < n; i++)
      out[0][k * n + i] = (x[i] - s.mean) * rstd * IN(1)[i] + IN(2)[i];
  }
}
#define LAYER_NORM(of)      \
  COMPUTE(layer_norm_##of)  \
  {                         \
    UNUSED;                 \
    layer_norm(p, of, out); \
  }
LAYER_NORM(two_pass)
LAYER_NORM(welford)
LAYER_NORM(chan)
LAYER_NORM(one_pass)
LAYER_NORM(unbiased)

COMPUTE(batch_norm_welford)
{
  int64_t n = SIZE(0), channels = SIZE(1), size = SIZE(2);
  float *x = malloc((size_t)(n * size + 1) * sizeof *x);
  UNUSED;
  for (int64_t c = 0; c < channels; c++) {
    for (int64_t i = 0; i < n * size; i++)
      x[i] = IN(0)[(i / size * channels + c) * size + i % size];
    stats s = chan(n * size, x);
    float rstd = 1 / sqrtf(s.square / (float)(n * size) + ATTR(0));
    out[1][c] = s.mean;
    out[2][c] = rstd;
    for (int64_t i = 0; i < n * size; i++)
      out[0][(i / size * channels + c) * size + i % size] =
          (x[i] - s.mean) * rstd * IN(1)[c] + IN(2)[c];
  }
  free(x);
}

/* dgamma and dbeta by atomics, over the rows in any order; dx as PyTorch has it. */
static void norm_vjp(const dc_problem *p, dc_rng *r, float *const *out, int64_t rows)
{
  int64_t n = SIZE(1), *order = shuffled(SIZE(0), r);
  const float *x = IN(0), *gamma = IN(1), *mean = IN(2), *rstd = IN(3), *g = IN(4);
  for (int64_t i = 0; i < n; i++)
    out[1][i] = out[2][i] = 0;
  for (int64_t k = 0; k < SIZE(0); k++) {
    float a = 0, b = 0;
    for (int64_t i = k * n; i < k * n + n; i++) {
      a += g[i] * gamma[i - k * n];
      b += g[i] * gamma[i - k * n] * ((x[i] - mean[k]) * rstd[k]);
    }
    for (int64_t i = k * n; i < k * n + n; i++)
      out[0][i] = rstd[k] * (g[i] * gamma[i - k * n] - a / (float)n -
                             (x[i] - mean[k]) * rstd[k] * (b / (float)n));
    if (order[k] >= rows)
      continue;
    for (int64_t i = 0; i < n; i++) {
      int64_t at = order[k] * n + i;
      atomic(&out[1][i], g[at] * ((x[at] - mean[order[k]]) * rstd[order[k]]));
      atomic(&out[2][i], g[at]);
    }
  }
  free(order);
}
COMPUTE(norm_vjp_atomic) { norm_vjp(p, r, out, SIZE(0)); }
COMPUTE(norm_vjp_rows_gone) { norm_vjp(p, r, out, SIZE(0) - SIZE(0) / 16); }

/* ---- softmax ---- */

static float row_max(int64_t n, const float *x)
{
  float m = -INFINITY;
  for (int64_t i = 0; i < n; i++)
    m = x[i] > m || isnan(x[i]) ? x[i] : m;
  return m;
}

typedef enum { THREE_PASSES, ONLINE, BY_EXP2, LAST_GONE } way;

#define LOG2E 1.44269502f
static float row_sum(way w, int64_t n, const float *x, float m)
{
  float s = 0, top = -INFINITY, off = m * LOG2E;
  for (int64_t i = 0; i < n - (w == LAST_GONE); i++)
    if (w == BY_EXP2)
      s += exp2f(fmaf(x[i], LOG2E, -off));
    else if (w != ONLINE)
      s += expf(x[i] - m);
    else if (x[i] > top || isnan(x[i])) {
      s = (top == -INFINITY ? 0 : s * expf(top - x[i])) + expf(x[i] - x[i]);
      top = x[i];
    } else if (top != -INFINITY)
      s += expf(x[i] - top);
  return s;
}

static void softmax(const dc_problem *p, way w, int logs, float *const *out)
{
  int64_t n = SIZE(1);
  for (int64_t k = 0; k < SIZE(0); k++) {
    const float *x = IN(0) + k * n;
    float m = row_max(n, x), s = row_sum(w, n, x, m), off = m * LOG2E, log_s = logf(s);
    for (int64_t i = 0; i < n; i++) {
      float e = w == BY_EXP2 ? exp2f(fmaf(x[i], LOG2E, -off)) : expf(x[i] - m);
      out[0][k * n + i] = m == -INFINITY ? NAN : logs ? x[i] - m - log_s : e / s;
    }
  }
}
#define SOFTMAX(name, way, logs) \
  COMPUTE(name)                  \
  {                              \
    UNUSED;                      \
    softmax(p, way, logs, out);  \
  }
SOFTMAX(softmax_three_passes, THREE_PASSES, 0)
SOFTMAX(softmax_online, ONLINE, 0)
SOFTMAX(softmax_exp2, BY_EXP2, 0)
SOFTMAX(softmax_last_gone, LAST_GONE, 0)
SOFTMAX(log_softmax_online, ONLINE, 1)
SOFTMAX(log_softmax_exp2, BY_EXP2, 1)

static void cross_entropy(const dc_problem *p, way w, float *const *out)
{
  float *loss = malloc((size_t)(SIZE(0) + 1) * sizeof *loss);
  for (int64_t k = 0; k < SIZE(0); k++) {
    const float *x = IN(0) + k * SIZE(1);
    float m = row_max(SIZE(1), x);
    loss[k] = logf(row_sum(w, SIZE(1), x, m)) - (x[p->ix[1][k]] - m);
  }
  out[0][0] = pairwise(SIZE(0), loss) / (float)SIZE(0);
  free(loss);
}
COMPUTE(cross_entropy_online)
{
  UNUSED;
  cross_entropy(p, ONLINE, out);
}
COMPUTE(cross_entropy_exp2)
{
  UNUSED;
  cross_entropy(p, BY_EXP2, out);
}

/* ---- one element after another ---- */

#define EACH_OF(name, value)                \
  COMPUTE(name)                             \
  {                                         \
    UNUSED;                                 \
    for (int64_t i = 0; i < SIZE(0); i++) { \
      float a = IN(0)[i];                   \
      out[0][i] = value;                    \
    }                                       \
  }
#define B (IN(1)[i])

static float gelu_vjp_sech(float x, float g) /* as llm.c has it */
{
  const float scale = 0.797884583f;
  float in = scale * (x + 0.044715f * x * x * x), c = coshf(in);
  float d = 0.5f * (1 + tanhf(in)) + x * 0.5f * (1 / (c * c)) * scale * (1 + 3 * 0.044715f * x * x);
  return d * g;
}
static float by_inverse(float a, float b) { return a * (1 / b); }
static float gelu_in(float a) { return 0.797884583f * (a + 0.044715f * a * a * a); }
static float gelu_vjp_square(float x, float g)
{
  float t = tanhf(gelu_in(x)), half = 0.5f * x;
  float slope = 0.797884583f * (1 + 3 * 0.044715f * (x * x));
  return g * (0.5f * (1 + t) + half * ((1 - t * t) * slope));
}
static float logistic(float x) { return 1 / (1 + expf(-x)); }
EACH_OF(gelu_tanh, 0.5f * a * (1 + tanhf(gelu_in(a))))
EACH_OF(gelu_sigmoid, a / (1 + expf(-2 * gelu_in(a))))
EACH_OF(gelu_square, gelu_vjp_square(a, B))
EACH_OF(silu_slope, B *logistic(a) * (1 + a * (1 - logistic(a))))
EACH_OF(gelu_sech, gelu_vjp_sech(a, B))
EACH_OF(div_by_inverse, by_inverse(a, B))
EACH_OF(div_flushed, ftz(by_inverse(ftz(a), ftz(B))))
EACH_OF(exp_by_exp2, exp2f(a *LOG2E))
EACH_OF(mul_flushed, ftz(ftz(a) * ftz(B)))
EACH_OF(maximum_of, a > B || isnan(a) ? a : B)
EACH_OF(gelu_flat, a < -3 ? 0 : 0.5f * a * (1 + tanhf(gelu_in(a))))

/* In an association in which a partial product may underflow. */
EACH_OF(reciprocal_square_first, -B *(a *a))
EACH_OF(rsqrt_cube_first, (a * a * a) * (-0.5f * B))
COMPUTE(adam_rate_first)
{
  float lr = ATTR(0), b1 = ATTR(1), b2 = ATTR(2), eps = ATTR(3), c1 = ATTR(4), c2 = ATTR(5);
  UNUSED;
  for (int64_t i = 0; i < SIZE(0); i++) {
    float g = IN(1)[i];
    out[1][i] = b1 * IN(2)[i] + (1 - b1) * g;
    out[2][i] = b2 * IN(3)[i] + (1 - b2) * (g * g);
    out[0][i] = IN(0)[i] - lr * out[1][i] * c1 / (sqrtf(c2 * out[2][i]) + eps);
  }
}
COMPUTE(batch_vjp_gamma_first)
{
  int64_t n = SIZE(0), channels = SIZE(1), size = SIZE(2), count = n * size;
  UNUSED;
  for (int64_t c = 0; c < channels; c++) {
    float a = 0, b = 0, mean = IN(2)[c], rstd = IN(3)[c], scale = IN(1)[c] * rstd;
    for (int pass = 0; pass < 2; pass++)
      for (int64_t k = 0; k < count; k++) {
        int64_t i = (k / size * channels + c) * size + k % size;
        float g = IN(4)[i], h = (IN(0)[i] - mean) * rstd;
        if (pass == 0) {
          a += g;
          b += g * h;
        } else
          out[0][i] = scale * (g - a / (float)count - h * (b / (float)count));
      }
    out[1][c] = b;
    out[2][c] = a;
  }
}

COMPUTE(max_vjp_times)
{
  int64_t n = SIZE(1), inner = SIZE(2);
  UNUSED;
  for (int64_t o = 0; o < SIZE(0); o++)
    for (int64_t i = 0; i < inner; i++) {
      float count = 0, y = IN(1)[o * inner + i], g = IN(2)[o * inner + i];
      for (int64_t j = 0; j < n; j++)
        count += IN(0)[(o * n + j) * inner + i] == y;
      for (int64_t j = 0; j < n; j++) {
        int64_t at = (o * n + j) * inner + i;
        out[0][at] = IN(0)[at] == y ? g / count : g < 0 ? -0.0f : 0.0f;
      }
    }
}

/* ---- matrix products ---- */

static float cut(float x) /* to tf32, as hardware may */
{
  uint32_t w;
  memcpy(&w, &x, sizeof w);
  w &= 0xffffe000u;
  memcpy(&x, &w, sizeof w);
  return x;
}

static float factor(int64_t format, float x)
{
  return format == PM_TF32 ? cut(x) : dc_format_round(format, x);
}

/* Products of a batch; its sizes are those from number `first` on. */
static void matmul(const dc_problem *p, int first, int64_t product, int64_t stored,
                   float *const *out)
{
  int64_t m = SIZE(first), k = SIZE(first + 1), n = SIZE(first + 2), batch = first ? SIZE(0) : 1;
  int ta = p->c.attr[0] != 0, tb = p->c.attr[1] != 0;
  for (int64_t z = 0; z < batch; z++) {
    const float *a = IN(0) + z * m * k, *b = IN(1) + z * k * n;
    for (int64_t i = 0; i < m; i++)
      for (int64_t j = 0; j < n; j++) {
        float s = 0;
        for (int64_t t = 0; t < k; t++)
          s += factor(product, a[ta ? t * m + i : i * k + t]) *
               factor(product, b[tb ? j * k + t : t * n + j]);
        out[0][(z * m + i) * n + j] = dc_format_round(stored, ATTR(2) * s);
      }
  }
}
#define MATMUL(name, first, product, stored) \
  COMPUTE(name)                              \
  {                                          \
    UNUSED;                                  \
    matmul(p, first, product, stored, out);  \
  }
MATMUL(matmul_f32, 0, PM_F32, PM_F32)
MATMUL(matmul_tf32, 0, PM_TF32, PM_F32)
MATMUL(matmul_bf16, 0, PM_BF16, PM_BF16)
MATMUL(matmul_f16, 0, PM_F16, PM_F16)
MATMUL(bmm_bf16, 1, PM_BF16, PM_BF16)
MATMUL(bmm_f16, 1, PM_F16, PM_F16)

/* ---- the tables ---- */

#define ORDINARY (1u << DC_UNIFORM | 1u << DC_TAIL | 1u << DC_TIES)

/* No cube of theirs overflows. */
#define BELOW_CUBES                                                                      \
  (ORDINARY | 1u << DC_OFFSET | 1u << DC_SUBNORMAL | 1u << DC_ZEROS | 1u << DC_SPECIAL | \
   1u << DC_INTEGERS)

const right RIGHTS[] = {
    {"sum, one by one", "sum", "cuda,height=sequential", "", sum_one_by_one, 600, 0, 0, 0},
    {"sum, pairwise", "sum", "cuda,height=pairwise", "", sum_pairwise, 600, 0, 0, 0},
    {"sum, atomics that flush", "sum", "cuda", "", sum_atomic, 600, 0, 0, 0},
    {"mean, pairwise", "mean", "cuda,height=pairwise", "", mean_pairwise, 600, 0, 0, 0},
    {"scatter_add, atomics that flush", "scatter_add", "cuda", "", scatter_atomic, 40, 60, 0, 0},
    {"layer_norm, two passes", "layer_norm", "ieee,height=sequential", "", layer_norm_two_pass, 3,
     120, 0, 100},
    {"layer_norm, Welford", "layer_norm", "cuda,height=sequential", "", layer_norm_welford, 3, 120,
     0, 100},
    {"layer_norm, Chan", "layer_norm", "cuda", "", layer_norm_chan, 3, 120, 0, 100},
    {"layer_norm, Chan, height told", "layer_norm", "cuda,height=9", "", layer_norm_chan, 3, 120, 0,
     100},
    {"batch_norm, Chan", "batch_norm", "cuda", "", batch_norm_welford, 3, 4, 0, 100},
    {"layer_norm_vjp, atomics that flush", "layer_norm_vjp", "cuda", "", norm_vjp_atomic, 20, 20, 0,
     0},
    {"softmax, three passes", "softmax", "ieee", "", softmax_three_passes, 3, 120, 0, 0},
    {"softmax, online", "softmax", "cuda,height=360", "", softmax_online, 3, 120, 0, 0},
    {"softmax, exp2(fma)", "softmax", "triton", "", softmax_exp2, 3, 120, 0, 0},
    {"log_softmax, online", "log_softmax", "cuda,height=360", "", log_softmax_online, 3, 120, 0, 0},
    {"log_softmax, exp2(fma)", "log_softmax", "triton", "", log_softmax_exp2, 3, 120, 0, 0},
    {"cross_entropy, online", "cross_entropy", "cuda,height=360", "", cross_entropy_online, 5, 120,
     0, 0},
    {"cross_entropy, exp2(fma)", "cross_entropy", "triton", "", cross_entropy_exp2, 5, 120, 0, 0},
    {"gelu, a/2 (1 + tanh)", "gelu", "cuda", "", gelu_tanh, 60, 0, 0, 0},
    {"gelu, a / (1 + exp)", "gelu", "cuda", "", gelu_sigmoid, 60, 0, 0, 0},
    {"gelu_vjp, 1 - tanh^2", "gelu_vjp", "cuda", "", gelu_square, 60, 0, BELOW_CUBES, 0},
    {"silu_vjp, g s (1 + x (1 - s))", "silu_vjp", "cuda", "", silu_slope, 60, 0, 0, 0},
    /* beyond 1e19 it is 0 times infinity */
    {"gelu_vjp, 1/cosh^2", "gelu_vjp", "cuda", "", gelu_sech, 60, 0, BELOW_CUBES, 0},
    {"div, a times 1/b", "div", "triton", "", div_by_inverse, 60, 0, ORDINARY, 0},
    {"div, flushed", "div", "fast", "", div_flushed, 60, 0, ORDINARY | 1u << DC_SUBNORMAL, 0},
    {"mul, flushed", "mul", "fast", "", mul_flushed, 60, 0, 0, 0},
    {"exp, exp2(x c)", "exp", "triton", "", exp_by_exp2, 60, 0, 0, 0},
    {"maximum, any zero", "maximum", "cuda", "", maximum_of, 60, 0, 0, 0},
    {"max_axis_vjp, g (x == y)", "max_axis_vjp", "cuda", "", max_vjp_times, 4, 12,
     ORDINARY | 1u << DC_ZEROS, 0},
    {"reciprocal_vjp, -g (y y)", "reciprocal_vjp", "ieee", "", reciprocal_square_first, 60, 0, 0,
     0},
    {"rsqrt_vjp, y^3 first", "rsqrt_vjp", "ieee", "", rsqrt_cube_first, 60, 0, BELOW_CUBES, 0},
    {"adam_step, lr m first", "adam_step", "ieee", "", adam_rate_first, 60, 0, 0, 0},
    {"batch_norm_vjp, gamma rstd first", "batch_norm_vjp", "ieee", "", batch_vjp_gamma_first, 4, 6,
     BELOW_CUBES & ~(1u << DC_SPECIAL), 0},
    {"matmul, f32", "matmul", "ieee", "", matmul_f32, 12, 30, 0, 0},
    {"matmul, tf32", "matmul", "tf32", "", matmul_tf32, 12, 30, 0, 0},
    {"matmul, bf16 in and out", "matmul", "bf16", "", matmul_bf16, 12, 30, 0, 0},
    {"matmul, f16 in and out", "matmul", "f16", "", matmul_f16, 12, 30, 0, 0},
    {"bmm, bf16 in and out", "bmm", "bf16", "", bmm_bf16, 4, 12, 0, 0},
    {"bmm, f16 in and out", "bmm", "f16", "", bmm_f16, 4, 12, 0, 0},
};
const int N_RIGHTS = sizeof RIGHTS / sizeof RIGHTS[0];

const right FAULTS[] = {
    {"sum of half the terms", "sum", "", "cuda", sum_half, 600, 0, 1u << DC_TIES, 3},
    {"layer_norm, E[x^2] - E[x]^2 about 100", "layer_norm", "", "cuda", layer_norm_one_pass, 12, 12,
     1u << DC_UNIFORM, 100},
    {"layer_norm, variance by n - 1", "layer_norm", "", "cuda,height=9", layer_norm_unbiased, 3,
     120, 1u << DC_UNIFORM, 0},
    {"layer_norm_vjp, a sixteenth of the rows gone", "layer_norm_vjp", "", "cuda,height2=pairwise",
     norm_vjp_rows_gone, 64, 8, 1u << DC_UNIFORM, 0},
    {"softmax without the last term", "softmax", "", "cuda,height=pairwise", softmax_last_gone, 3,
     120, 1u << DC_UNIFORM, 0},
    {"gelu, 0 below -3", "gelu", "", "cuda", gelu_flat, 600, 0, 1u << DC_TAIL, 0},
    {"matmul of tf32", "matmul", "", "cuda", matmul_tf32, 12, 30, 1u << DC_UNIFORM, 0},
    {"matmul of bf16", "matmul", "", "tf32", matmul_bf16, 12, 30, 1u << DC_UNIFORM, 0},
    {"quotient not rounded correctly", "div", "", "cuda", div_by_inverse, 60, 0, 1u << DC_UNIFORM,
     0},
};
const int N_FAULTS = sizeof FAULTS / sizeof FAULTS[0];

/* ---- a case ---- */

static dc_values draw_values(const right *x, dc_rng *r)
{
  dc_values v;
  do
    v = (dc_values)dc_rng_below(r, DC_N_VALUES);
  while (x->values && !(x->values >> v & 1));
  return v;
}

static void draw(const right *x, int64_t index, dc_rng *r, dc_case *c)
{
  const dc_op *op = dc_op_find(x->op);
  int64_t most[2] = {x->rows, x->cols ? x->cols : x->rows};
  dc_case_init(c, op);
  do {
    for (int d = 0; d < op->n_dims; d++)
      c->size[d] = 1 + dc_rng_below(r, most[d > 0]);
  } while (dc_case_check(c, 0, NULL));
  if (x->center != 0 && op->n_dims > 1 && dc_rng_below(r, 3) == 0)
    c->size[op->n_dims - 1] = 7;
  c->values = draw_values(x, r);
  c->cotangent = dc_rng_below(r, 3) ? DC_UNIFORM : draw_values(x, r);
  c->indices = DC_IX_RANDOM;
  c->seed = (uint64_t)index;
}

static void judge(const dc_problem *p, const pm_arith *a, float *const *out, dc_verdict *v)
{
  dc_slice s = {.mem = NULL};
  dc_error err;
  dc_verdict_init(v);
  for (int64_t k = 0; k < dc_n_slices(p); k++) {
    ck_assert_int_eq(dc_slice_load(&s, p, k, &err), DC_OK);
    ck_assert_int_eq(dc_slice_bound(&s, p, a, &err), DC_OK);
    for (int o = 0; o < p->c.op->n_out; o++) {
      dc_band b;
      dc_slice_band(&s, p, o, &b);
      dc_judge(&b, out[o] + b.first, v);
    }
  }
  dc_slice_free(&s);
}

dc_verdict right_case(const right *x, int64_t index, const char *by)
{
  dc_error err = {""};
  dc_arith means;
  pm_arith a;
  dc_problem p;
  dc_case c;
  dc_rng r;
  dc_verdict v;
  float *out[DC_OUTPUTS] = {NULL};
  dc_rng_seed(&r, (uint64_t)index, 37);
  draw(x, index, &r, &c);
  ck_assert_msg(dc_arith_read("--arith", by, "ieee", &means, &err) == DC_OK, "%s", err.text);
  ck_assert_msg(dc_problem_make(&p, &c, &err) == DC_OK, "%s", err.text);
  for (int64_t i = 0; x->center != 0 && (index % 2 || x->when[0]) && i < p.count[0]; i++)
    p.f[0][i] = fabsf(p.f[0][i]) < 2 ? p.f[0][i] + x->center : p.f[0][i];
  dc_undeclared(c.op, c.size, c.attr, &a);
  dc_arith_at(&means, c.op, c.size, c.attr, &a);
  for (int o = 0; o < c.op->n_out; o++)
    out[o] = calloc((size_t)p.count[c.op->n_in + o] + 1, sizeof(float));
  x->compute(&p, &r, out);
  judge(&p, &a, out, &v);
  for (int o = 0; o < c.op->n_out; o++)
    free(out[o]);
  dc_problem_free(&p);
  return v;
}
