/* What a run draws, by the faults that it finds: each is one of a kind that was found in a kernel of
 * somebody's, is planted in what the reference gives, and must show in 19 of 20 seeds at the least,
 * each a run as it is by default. No kernel runs: a case that cannot show the fault is passed over, of
 * one that can the reference is taken, the fault planted, and the verdict asked. */
#include "fake_backend.h"
#include "helpers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../diffcheck/commands/cli.h"
#include "../diffcheck/commands/huge.h"
#include "../diffcheck/engine/engine.h"

enum { SEEDS = 20, LEAST = 19, GRID = 65535 };

/* ---- one case and a planted fault ---- */

typedef struct outcome {
  const dc_problem *p;
  float *y[DC_OUTPUTS];
} outcome;

/* Changes what a right kernel gave; arg is the fault's. */
typedef void plant(outcome *x, int64_t arg);

/* Whether the verdict refuses the case's outputs once the fault is in them. */
static int refused(const dc_case *c, plant *fault, int64_t arg)
{
  dc_problem p;
  dc_error err = {""};
  dc_verdict v;
  double *ref[DC_OUTPUTS] = {NULL}, *e[DC_OUTPUTS] = {NULL};
  outcome x = {.p = &p};
  const dc_op *op = c->op;
  ck_assert_msg(dc_problem_make(&p, c, &err) == DC_OK, "%s", err.text);
  for (int o = 0; o < op->n_out; o++) {
    size_t n = (size_t)p.count[op->n_in + o] + 1;
    ck_assert_ptr_nonnull(ref[o] = malloc(n * sizeof(double)));
    ck_assert_ptr_nonnull(e[o] = calloc(n, sizeof(double)));
    ck_assert_ptr_nonnull(x.y[o] = malloc(n * sizeof(float)));
  }
  ck_assert_msg(dc_reference(&p, ref, &err) == DC_OK, "%s", err.text);
  if (op->glue->bound)
    ck_assert_msg(dc_bound(&p, NULL, e, &err) == DC_OK, "%s", err.text);
  for (int o = 0; o < op->n_out; o++)
    for (int64_t i = 0; i < p.count[op->n_in + o]; i++)
      x.y[o][i] = (float)ref[o][i];
  fault(&x, arg);
  dc_verdict_init(&v);
  for (int o = 0; o < op->n_out; o++) {
    const float *old = p.f[op->n_in + o];
    for (int64_t i = 0; old && i < p.count[op->n_in + o]; i++)
      x.y[o][i] = (float)((double)old[i] + x.y[o][i]);
    dc_band b = {.cls = op->classes[o],
                 .output = o,
                 .count = p.count[op->n_in + o],
                 .v = ref[o],
                 .e = dc_bounded(op->classes[o]) ? e[o] : NULL,
                 .old = old,
                 .exact = p.exact && dc_bounded(op->classes[o]),
                 .tame = p.tame,
                 .loose = op->glue->loose};
    dc_judge(&b, x.y[o], &v);
  }
  for (int o = 0; o < op->n_out; o++) {
    free(ref[o]);
    free(e[o]);
    free(x.y[o]);
  }
  dc_problem_free(&p);
  return v.failed > 0;
}

/* ---- the faults ---- */

/* Rows of an output from `most` on are left as they were, poisoned. */
static void past_rows(outcome *x, int64_t most)
{
  int64_t shape[DC_RANK], n = x->p->count[x->p->c.op->n_in];
  dc_shape(x->p->c.op, x->p->c.op->n_in, x->p->c.size, x->p->c.attr, shape);
  for (int64_t i = most * (n / shape[0]); i < n; i++)
    x->y[0][i] = 16417332;
}

/* The column `most` and those after it. */
static void past_columns(outcome *x, int64_t most)
{
  int64_t shape[DC_RANK], n = x->p->count[x->p->c.op->n_in];
  dc_shape(x->p->c.op, x->p->c.op->n_in, x->p->c.size, x->p->c.attr, shape);
  for (int64_t i = 0; i < n; i++)
    if (i % shape[1] >= most)
      x->y[0][i] = 16417332;
}

/* A row of the source is found by 16 bits of its number. */
static void short_index(outcome *x, int64_t bits)
{
  const dc_problem *p = x->p;
  int64_t rows = p->c.size[0], cols = p->c.size[1];
  for (int64_t i = 0; i < p->count[1]; i++) {
    int64_t at = p->ix[1][i] & (((int64_t)1 << bits) - 1);
    for (int64_t c = 0; c < cols && p->ix[1][i] >= 0 && p->ix[1][i] < rows; c++)
      x->y[0][i * cols + c] = p->f[0][at * cols + c];
  }
}

/* The last element of each row is never loaded: its neighbour's result stands there. */
static void no_tail(outcome *x, int64_t arg)
{
  int64_t shape[DC_RANK], n = x->p->count[x->p->c.op->n_in];
  int rank = dc_shape(x->p->c.op, x->p->c.op->n_in, x->p->c.size, x->p->c.attr, shape);
  int64_t row = shape[rank - 1];
  (void)arg;
  for (int64_t i = row - 1; row > 1 && i < n; i += row)
    x->y[0][i] = x->y[0][i - 1];
}

/* Online softmax, a tile or a thread at a time: where the first has nothing but -Inf, exp(-Inf + Inf). */
static void first_tile(outcome *x, int64_t tile)
{
  int64_t rows = x->p->c.size[0], cols = x->p->c.size[1];
  for (int64_t r = 0; r < rows; r++) {
    const float *row = x->p->f[0] + r * cols;
    int64_t at = 0;
    while (at < cols && row[at] == -INFINITY)
      at++;
    for (int64_t c = 0; at >= tile && at < cols && c < cols; c++)
      x->y[0][r * cols + c] = NAN;
  }
}

static void one_lane(outcome *x, int64_t lanes)
{
  int64_t rows = x->p->c.size[0], cols = x->p->c.size[1];
  for (int64_t r = 0; r < rows; r++)
    for (int64_t l = 0; l < lanes && l + lanes < cols; l++) {
      int64_t at = l;
      while (at < cols && x->p->f[0][r * cols + at] == -INFINITY)
        at += lanes;
      for (int64_t c = 0; at >= cols && c < cols; c++)
        x->y[0][r * cols + c] = NAN;
    }
}

/* The second stage leaves out the last block of the sum. */
static void last_block(outcome *x, int64_t block)
{
  int64_t n = x->p->count[0];
  double gone = 0, scale = strcmp(x->p->c.op->name, "mean") == 0 ? (double)n : 1;
  for (int64_t i = (n - 1) / block * block; i < n; i++)
    gone += x->p->f[0][i];
  x->y[0][0] = (float)(x->y[0][0] - gone / scale);
}

/* Of sums over rows: of dbeta, the last output of layer_norm_vjp. */
static void last_rows(outcome *x, int64_t block)
{
  int64_t rows = x->p->c.size[0], cols = x->p->c.size[1];
  for (int64_t c = 0; c < cols; c++) {
    double gone = 0;
    for (int64_t r = (rows - 1) / block * block; r < rows; r++)
      gone += x->p->f[4][r * cols + c];
    x->y[2][c] = (float)(x->y[2][c] - gone);
  }
}

/* A square on the way is infinite. */
static void by_square(outcome *x, int64_t arg)
{
  (void)arg;
  for (int64_t i = 0; i < x->p->count[0]; i++)
    if (isinf(x->p->f[0][i] * x->p->f[0][i]))
      x->y[0][i] = INFINITY;
}

/* The search for the largest begins at -10^arg; a shift by which nothing is left begins there. */
static void begins_at(outcome *x, int64_t arg)
{
  float low = (float)-pow(10, (double)arg);
  for (int64_t i = 0; i < x->p->count[1]; i++)
    x->y[0][i] = isnan(x->y[0][i]) || x->y[0][i] > low ? x->y[0][i] : low;
}

/* Anything finite above 2^arg is not a number. */
static void too_large(outcome *x, int64_t arg)
{
  for (int64_t i = 0; i < x->p->count[0]; i++)
    if (isfinite(x->p->f[0][i]) && fabsf(x->p->f[0][i]) > ldexpf(1, (int)arg))
      x->y[0][i] = NAN;
}

/* ---- which cases may show them ---- */

static int holds_minus_inf(const dc_case *c, int64_t cols)
{
  return c->size[0] > 0 && c->size[1] > cols &&
         ((int)c->values == dc_values_find("minus_inf") || c->values == DC_SPECIAL);
}
static int far_0(const dc_case *c, int64_t a) { return c->size[0] > a && dc_work(c) > 0; }
static int far_1(const dc_case *c, int64_t a) { return c->size[1] > a && dc_work(c) > 0; }
static int far_2(const dc_case *c, int64_t a) { return c->size[2] > a && dc_work(c) > 0; }
static int wide_1(const dc_case *c, int64_t a) { return c->size[1] == a && c->size[0] > 0; }
static int wide_0(const dc_case *c, int64_t a) { return c->size[0] == a; }
static int odd(const dc_case *c, int64_t a)
{
  (void)a;
  return c->size[1] > 512 && c->size[1] < 1024 && c->size[1] % 2 && c->size[0] > 0;
}
static int tiled(const dc_case *c, int64_t a) { return holds_minus_inf(c, a); }
static int blocks(const dc_case *c, int64_t a) { return c->size[0] > 32 * a && dc_work(c) > 0; }
static int large_values(const dc_case *c, int64_t a)
{
  (void)a;
  return (int)c->values == dc_values_find("huge") || c->values == DC_WIDE;
}

static const struct {
  const char *op, *what;
  int (*may)(const dc_case *c, int64_t arg);
  plant *fault;
  int64_t may_arg, arg;
  int alone; /* the simulator takes no part: cases that are too long for it */
} FAULTS[] = {
    {"gather_rows", "rows past a grid's", far_2, past_rows, GRID, GRID, 0},
    {"gather_rows", "an index of 16 bits", far_0, short_index, GRID + 2, 16, 0},
    {"scatter_add_rows", "rows past a grid's", far_0, past_rows, GRID, GRID, 0},
    {"gather", "elements past a grid's", far_1, past_rows, GRID, GRID, 0},
    {"gather_rows", "columns past a grid's", far_1, past_columns, GRID, GRID, 0},
    {"transpose2d", "65535 tiles of 16 rows", far_0, past_columns, 16 * GRID, 16 * GRID, 1},
    {"transpose2d", "65535 tiles of 32 rows", far_0, past_columns, 32 * GRID, 32 * GRID, 1},
    {"transpose2d", "65535 tiles of 32 columns", far_1, past_rows, 32 * GRID, 32 * GRID, 1},
    {"transpose2d_vjp", "65535 tiles of 16 columns", far_1, past_columns, 16 * GRID, 16 * GRID, 1},
    {"transpose2d", "rows past a grid's", far_0, past_columns, GRID, GRID, 0},
    {"softmax", "an odd row's tail", odd, no_tail, 0, 0, 0},
    {"layer_norm", "an odd row's tail", odd, no_tail, 0, 0, 0},
    {"add_bias", "an odd row's tail", odd, no_tail, 0, 0, 0},
    {"softmax", "a first tile of -Inf", tiled, first_tile, 64, 64, 0},
    {"softmax", "a first tile of -Inf", tiled, first_tile, 128, 128, 0},
    {"log_softmax", "a first tile of -Inf", tiled, first_tile, 256, 256, 0},
    {"softmax", "a first tile of -Inf", tiled, first_tile, 1024, 1024, 0},
    {"softmax", "a thread with nothing but -Inf", tiled, one_lane, 256, 256, 0},
    {"sum", "the last block of 1024", blocks, last_block, 1024, 1024, 0},
    {"sum", "the last block of 256", blocks, last_block, 256, 256, 0},
    {"mean", "the last block of 1024", blocks, last_block, 1024, 1024, 0},
    {"layer_norm_vjp", "the last block of 64 rows", blocks, last_rows, 64, 64, 0},
    {"abs", "a square on the way", large_values, by_square, 0, 0, 0},
    {"max_axis", "the largest from -1e30 on", large_values, begins_at, 0, 30, 0},
    {"sub", "finite values above 2^40", large_values, too_large, 0, 40, 0},
    {"relu", "finite values above 2^120", large_values, too_large, 0, 120, 0},
    {"softmax", "rows of 768 alone", wide_1, no_tail, 768, 0, 0},
    {"layer_norm", "rows of 1600 alone", wide_1, no_tail, 1600, 0, 0},
    {"rms_norm", "rows of 3072 alone", wide_1, no_tail, 3072, 0, 0},
    {"softmax", "rows of 4096 alone", wide_1, no_tail, 4096, 0, 0},
    {"rms_norm", "rows of 5120 alone", wide_1, no_tail, 5120, 0, 0},
    {"add_bias", "rows of 11008 alone", wide_1, no_tail, 11008, 0, 0},
    {"gather_rows", "rows of 14336 alone", wide_1, no_tail, 14336, 0, 0},
    {"softmax", "rows of 32000 alone", wide_1, no_tail, 32000, 0, 0},
    {"log_softmax", "rows of 50257 alone", wide_1, no_tail, 50257, 0, 0},
    {"softmax", "rows of 128256 alone", wide_1, no_tail, 128256, 0, 0},
    {"gelu", "4096 elements alone", wide_0, no_tail, 4096, 0, 0},
};
enum { N_FAULTS = sizeof FAULTS / sizeof *FAULTS };

static dc_options by_default(int alone)
{
  dc_options o;
  dc_options_init(&o);
  o.backend[0] = alone ? fake_backend(0, FAKE_HONEST) : &pm_sim;
  o.n_backends = 1;
  return o;
}

static int seeds_that_find(int k)
{
  const dc_op *op = dc_op_find(FAULTS[k].op);
  dc_options o = by_default(FAULTS[k].alone);
  int found = 0;
  for (o.seed = 1; o.seed <= SEEDS; o.seed++)
    for (int64_t i = 0; i < o.cases; i++) {
      dc_case c;
      dc_case_aim(&c, op, &o, i);
      if (!FAULTS[k].may(&c, FAULTS[k].may_arg) || !refused(&c, FAULTS[k].fault, FAULTS[k].arg))
        continue;
      found++;
      break;
    }
  return found;
}

START_TEST(nearly_every_seed_finds_it)
{
  int found = seeds_that_find(_i);
  if (getenv("PM_DRAWS")) /* the table, whatever it says */
    printf("%-18s %-32s %2d of %d\n", FAULTS[_i].op, FAULTS[_i].what, found, SEEDS);
  else
    ck_assert_msg(found >= LEAST, "%s: %s: found by %d of %d seeds", FAULTS[_i].op, FAULTS[_i].what,
                  found, SEEDS);
}
END_TEST

static void nothing(outcome *x, int64_t arg) { (void)x, (void)arg; }

/* The verdict is not what finds them: with nothing planted the same cases pass. */
START_TEST(what_is_right_passes)
{
  for (int k = 0; k < N_FAULTS; k++) {
    dc_options o = by_default(FAULTS[k].alone);
    int some = 0;
    for (int64_t i = 0; i < o.cases && !some; i++) {
      dc_case c;
      dc_case_aim(&c, dc_op_find(FAULTS[k].op), &o, i);
      if (!FAULTS[k].may(&c, FAULTS[k].may_arg))
        continue;
      some = 1;
      ck_assert_msg(!refused(&c, nothing, 0), "%s, case %d", FAULTS[k].op, (int)i);
    }
    ck_assert_msg(some, "%s: %s: no case", FAULTS[k].op, FAULTS[k].what);
  }
}
END_TEST

/* ---- extents ---- */

/* In 200 cases every op has been to each of its extents, and its large dims are cheap. */
START_TEST(a_run_goes_everywhere)
{
  static const int64_t width[] = {768, 1600, 3072, 4096, 5120, 11008, 14336, 32000, 50257, 128256};
  const dc_op *op = dc_op_at(_i);
  const int even = !strncmp(op->name, "rope", 4); /* halves: an odd one is odd */
  dc_options o = by_default(1);
  int met[10] = {0}, far = 0, odd_row = 0, special = 0;
  for (int64_t i = 0; i < o.cases; i++) {
    dc_case c;
    int64_t longest = 0, most = 0;
    dc_case_aim(&c, op, &o, i);
    for (int d = 0; d < op->n_dims; d++) {
      longest = c.size[d] > longest ? c.size[d] : longest;
      for (int w = 0; w < 10; w++)
        met[w] |= c.size[d] == width[w] + (even && width[w] % 2);
      odd_row += c.size[d] > 512 && c.size[d] < 1024 && (c.size[d] % 2 || (even && c.size[d] % 4));
    }
    far += longest > GRID;
    for (int t = 0; t < op->n_in + op->n_out; t++)
      most = dc_count(op, t, c.size, c.attr) > most ? dc_count(op, t, c.size, c.attr) : most;
    ck_assert_int_le(most, 5 << 20);
    special += c.values == DC_HUGE || c.values == DC_MINUS_INF;
  }
  for (int w = 0; w < 10; w++)
    ck_assert_msg(met[w], "%s: no width of %d", op->name, (int)width[w]);
  ck_assert_int_ge(far, 5);
  ck_assert_int_ge(odd_row, 4);
  if (dc_has_values(op))
    ck_assert_int_ge(special, 4);
}
END_TEST

/* A size that is fixed and a long one beside it would be too much: then none is long. */
START_TEST(what_is_fixed_stays_affordable)
{
  dc_options o = by_default(0);
  o.fixed.size[0] = 100000;
  for (int64_t i = 0; i < o.cases; i++) {
    dc_case c;
    dc_case_aim(&c, dc_op_find("softmax"), &o, i);
    ck_assert_int_eq(c.size[0], 100000);
    ck_assert_int_lt(c.size[1], 1 << 16);
  }
}
END_TEST

/* ---- past 2^31 elements ---- */

START_TEST(the_huge_case)
{
  const dc_op *op = dc_op_at(_i);
  for (uint64_t seed = 1; seed <= SEEDS; seed++) {
    dc_options o = by_default(1);
    dc_error err = {""};
    dc_case c;
    int64_t most = 0;
    o.seed = seed;
    o.huge = 1;
    dc_case_aim(&c, op, &o, o.cases - 1);
    ck_assert_msg(dc_case_check(&c, 0, &err) == DC_OK, "%s", err.text);
    for (int t = 0; t < op->n_in + op->n_out; t++)
      most = dc_count(op, t, c.size, c.attr) > most ? dc_count(op, t, c.size, c.attr) : most;
    ck_assert_int_gt(most, (int64_t)1 << 31);
    ck_assert_int_lt(most, ((int64_t)1 << 31) + ((int64_t)1 << 28));
    ck_assert_int_eq(c.accumulate, 0);
    dc_case_aim(&c, op, &o, o.cases - 2); /* one, no more */
    for (int t = 0; t < op->n_in + op->n_out; t++)
      ck_assert_int_lt(dc_count(op, t, c.size, c.attr), 1 << 24);
  }
}
END_TEST

/* Where it cannot run it is refused, with the reason, before anything is written. */
START_TEST(the_huge_case_is_refused)
{
  const char *out = aid_path("report.txt");
  aid_refused("--huge", "--backend cuda", "run", "add", "--huge", "--backend", "sim", "-o", out,
              (char *)NULL);
  aid_refused("--huge", "takes no value", "run", "add", "--huge=1", (char *)NULL);
  FILE *f = fopen(out, "r");
  ck_assert_ptr_null(f);
  session s; /* a device without memory */
  session_init(&s);
  s.options.huge = 1;
  s.op[0] = dc_op_find("ones");
  s.n_ops = s.found.n = 1;
  s.found.list[0] = fake_backend(0, FAKE_NO_MEMORY);
  s.options.backend[0] = s.found.list[0];
  s.options.n_backends = 1;
  ck_assert_int_eq(huge_check(&s), EXIT_ERROR);
  ck_assert_uint_eq(s.options.limit_bytes, (size_t)4 << 30);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("draws");
  TCase *t = tcase_create("faults");
  suite_add_tcase(s, t);
  tcase_set_timeout(t, 600); /* of a shared machine */
  tcase_add_loop_test(t, nearly_every_seed_finds_it, 0, N_FAULTS);
  tcase_add_test(t, what_is_right_passes);
  t = tcase_create("extents");
  suite_add_tcase(s, t);
  tcase_set_timeout(t, 600); /* of a shared machine */
  tcase_add_loop_test(t, a_run_goes_everywhere, 0, dc_n_ops());
  tcase_add_test(t, what_is_fixed_stays_affordable);
  tcase_add_loop_test(t, the_huge_case, 0, dc_n_ops());
  tcase_add_test(t, the_huge_case_is_refused);
  return aid_main(s);
}
