/* The catalogue, cases and their limits, what is drawn, the lines that replay a case, and one
 * evaluation of each kind by hand. */
#include "helpers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../diffcheck/engine/engine.h"
#include "../diffcheck/files/replay.h"

/* ---- catalogue ---- */

START_TEST(every_row_is_well_formed)
{
  ck_assert_int_gt(dc_n_ops(), 0);
  for (int i = 0; i < dc_n_ops(); i++) {
    const dc_op *op = dc_op_at(i);
    ck_assert_msg(op->n_out >= 1, "row %d of spec/ops.def is malformed", i);
    ck_assert_int_eq((int)strlen(op->classes), op->n_out);
    ck_assert_int_eq((int)strspn(op->classes, "ERUSC"), op->n_out);
    ck_assert_ptr_eq(dc_op_find(op->name), op);
    ck_assert_ptr_nonnull(dc_op_find(op->forward));
    ck_assert_ptr_nonnull(op->glue->reference);
    ck_assert_ptr_nonnull(op->glue->launch);
    ck_assert_int_eq(op->glue->bound != NULL, strpbrk(op->classes, "USC") != NULL);
    ck_assert(dc_op_policy(op) && dc_op_policy(op)[0]);
    if (op->is_vjp)
      ck_assert_int_ge(dc_tensor_find(op, "g"), 0);
    for (int j = 0; j < i; j++)
      ck_assert_str_ne(dc_op_at(j)->name, op->name);
  }
  ck_assert_ptr_null(dc_op_find("no_such_op"));
  ck_assert_ptr_null(dc_op_find(NULL));
  ck_assert_ptr_null(dc_op_at(-1));
  ck_assert_ptr_null(dc_op_at(dc_n_ops()));
}
END_TEST

START_TEST(malformed_rows_are_refused)
{
  static const char *const bad[][4] = {
      {"a:f(n)", "", "n", ""},
      {"a:f(n)", "y:f(q)", "n", ""},
      {"a:f(n", "y:f(n)", "n", ""},
      {"a:f8(n)", "y:f(n)", "n", ""},
      {"a(n)", "y:f(n)", "n", ""},
      {":f(n)", "y:f(n)", "n", ""},
      {"a:f(n@t)", "y:f(n)", "n", "t"},
      {"a:f(n*m@q)", "y:f(n)", "n m", "t"},
      {"a:f(n)", "y:f(n)", "a_name_of_sixteen", ""},
      {"a:f(n)", "t:f(n) u:f(n) v:f(n) w:f(n) x:f(n) y:f(n) z:f(n)", "n", ""},
      {"a:f(n,n,n,n,n,n,n,n,n)", "y:f(n)", "n", ""},
      {"a:f(n)", "y:f(n)", "a b c d e f g h i j k l m n o p q r s t u", ""},
      {"a:f(n)", "y:f(n)", "n",
       "a b c d e f g h i j k l m n o p q r s t u v w x y z A B C D E F G H"},
      {"a:f(n) b:f(n) c:f(n) d:f(n) e:f(n) f:f(n) g:f(n) h:f(n) i:f(n) j:f(n) k:f(n) l:f(n) m:f(n)",
       "u:f(n) v:f(n) w:f(n) x:f(n) y:f(n) z:f(n)", "n", ""},
  };
  dc_op op;
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    memset(&op, 0, sizeof op);
    ck_assert_msg(dc_op_parse(&op, bad[i][0], bad[i][1], bad[i][2], bad[i][3]) == -1,
                  "accepted: \"%s\" \"%s\"", bad[i][0], bad[i][1]);
  }
  memset(&op, 0, sizeof op);
  ck_assert_int_eq(dc_op_parse(&op, "a:f(m*k@ta) i:i64(k)", "y:f()", "m k", "ta"), 0);
  ck_assert_int_eq(op.n_in, 2);
  ck_assert_int_eq(op.tensor[0].swap, 0);
  ck_assert_int_eq(op.tensor[1].dtype, DC_I64);
  ck_assert_int_eq(op.tensor[2].rank, 0);
  memset(&op, 0, sizeof op);
  ck_assert_int_eq(
      dc_op_parse(&op, "p:f(n) g:f(n) m:f(n) v:f(n) w:f(n)", "q:f(n) r:f(n) s:f(n)", "n", ""), 0);
  ck_assert_int_eq(op.n_out, 3);
}
END_TEST

START_TEST(shapes)
{
  const dc_op *op = dc_op_find("matmul");
  int64_t size[DC_DIMS] = {2, 3, 5}, shape[DC_RANK];
  double plain[DC_ATTRS] = {0, 0, 1}, both[DC_ATTRS] = {1, 1, 1};
  ck_assert_int_eq(dc_shape(op, 0, size, plain, shape), 2);
  ck_assert(shape[0] == 2 && shape[1] == 3);
  dc_shape(op, 0, size, both, shape);
  ck_assert(shape[0] == 3 && shape[1] == 2);
  dc_shape(op, 1, size, both, shape);
  ck_assert(shape[0] == 5 && shape[1] == 3);
  dc_shape(op, 2, size, both, shape);
  ck_assert(shape[0] == 2 && shape[1] == 5);
  ck_assert_int_eq(dc_count(op, 2, size, both), 10);
  op = dc_op_find("sum");
  ck_assert_int_eq(dc_count(op, 1, size, plain), 1);
  int64_t huge[] = {INT64_MAX, 2, 0, 0}, none[] = {INT64_MAX, 0, 0, 0}, less[] = {-1, 2, 0, 0};
  op = dc_op_find("softmax");
  ck_assert_int_eq(dc_count(op, 0, huge, plain), -1);
  ck_assert_int_eq(dc_count(op, 0, none, plain), 0);
  ck_assert_int_eq(dc_count(op, 0, less, plain), -1);
}
END_TEST

/* ---- limits of a case ---- */

static dc_case good(const char *name)
{
  dc_case c;
  dc_case_init(&c, dc_op_find(name));
  for (int d = 0; d < c.op->n_dims; d++)
    c.size[d] = 3;
  return c;
}

static void bad_case(const dc_case *c, dc_status status, const char *part)
{
  dc_error err = {""};
  dc_problem p;
  ck_assert_int_eq(dc_case_check(c, 1 << 30, &err), status);
  ck_assert_text(err.text, part);
  if (status == DC_INVALID) {
    ck_assert_int_eq(dc_problem_make(&p, c, &err), status);
    dc_result r;
    dc_options o;
    dc_options_init(&o);
    o.backend[0] = &pm_sim;
    o.n_backends = 1;
    ck_assert_int_eq(pm_sim.init(), PM_OK);
    ck_assert_int_eq(dc_run_case(c, &o, &r, &err), status);
  }
}

START_TEST(case_limits)
{
  dc_case c = good("matmul");
  ck_assert_int_eq(dc_case_check(&c, 0, NULL), DC_OK);
  c.size[1] = -2;
  bad_case(&c, DC_INVALID, "k is -2");
  c = good("matmul");
  c.attr[0] = 2;
  bad_case(&c, DC_INVALID, "ta is 2");
  c.attr[0] = NAN;
  bad_case(&c, DC_INVALID, "ta");
  c = good("matmul");
  c.attr[2] = NAN;
  bad_case(&c, DC_INVALID, "alpha");
  c.attr[2] = INFINITY;
  bad_case(&c, DC_INVALID, "alpha");
  c.attr[2] = 0.1; /* no f32 number: kernel and reference would differ */
  bad_case(&c, DC_INVALID, "alpha");
  c = good("softmax");
  c.values = DC_N_VALUES;
  bad_case(&c, DC_INVALID, "values");
  c = good("softmax_vjp");
  c.cotangent = (dc_values)-1;
  bad_case(&c, DC_INVALID, "values");
  c = good("gather_rows");
  c.indices = DC_N_INDICES;
  bad_case(&c, DC_INVALID, "indices");
  c = good("softmax");
  c.accumulate = 1;
  bad_case(&c, DC_INVALID, "accumulate is 1");
  c = good("softmax_vjp");
  c.accumulate = 2;
  bad_case(&c, DC_INVALID, "accumulate is 2");
  c.accumulate = 1;
  ck_assert_int_eq(dc_case_check(&c, 0, NULL), DC_OK);
  c.misaligned = 1 << 3;
  bad_case(&c, DC_INVALID, "misaligned");
  c = good("softmax");
  c.size[0] = c.size[1] = (int64_t)1 << 40;
  bad_case(&c, DC_TOO_BIG, "softmax");
  c.size[0] = c.size[1] = (int64_t)1 << 20;
  bad_case(&c, DC_TOO_BIG, "limit");
  c.op = NULL;
  ck_assert_int_eq(dc_case_check(&c, 0, NULL), DC_INVALID);
}
END_TEST

/* ---- drawing ---- */

enum { DRAWN = 3000 };

START_TEST(the_same_seed_gives_the_same_case)
{
  dc_fixed f;
  int apart = 0;
  dc_fixed_init(&f);
  for (int i = 0; i < 200; i++) {
    const dc_op *op = dc_op_at(i % dc_n_ops());
    dc_case a, b, other;
    dc_case_draw(&a, op, &f, 7, i, 100);
    dc_case_draw(&b, op, &f, 7, i, 100);
    dc_case_draw(&other, op, &f, 8, i, 100);
    ck_assert(dc_case_same(&a, &b));
    apart += !dc_case_same(&a, &other);
    if (i % 10 == 0) {
      dc_problem p, q;
      ck_assert_int_eq(dc_problem_make(&p, &a, NULL), DC_OK);
      ck_assert_int_eq(dc_problem_make(&q, &b, NULL), DC_OK);
      for (int t = 0; t < op->n_in; t++)
        if (p.f[t])
          ck_assert_int_eq(memcmp(p.f[t], q.f[t], (size_t)p.count[t] * 4), 0);
        else
          ck_assert_int_eq(memcmp(p.ix[t], q.ix[t], (size_t)p.count[t] * 8), 0);
      dc_problem_free(&p);
      dc_problem_free(&q);
    }
  }
  ck_assert_int_eq(apart, 200);
}
END_TEST

/* Everything hostile turns up, for every op: sizes 0, 1, around warps and blocks,
 * primes, large; every class of values; odd addresses; = and +=. */
START_TEST(draws_cover)
{
  const dc_op *op = dc_op_at(_i);
  dc_fixed f;
  int values[DC_N_VALUES] = {0}, cotangents[DC_N_VALUES] = {0}, indices[DC_N_INDICES] = {0};
  int zero = 0, one = 0, warp = 0, block = 0, long_row = 0, large = 0, late = 0, adds = 0;
  dc_fixed_init(&f);
  for (int i = 0; i < DRAWN; i++) {
    dc_case c;
    dc_case_draw(&c, op, &f, 1, i, 100);
    ck_assert_int_eq(dc_case_check(&c, (size_t)4 << 30, NULL), DC_OK);
    for (int d = 0; d < op->n_dims; d++) {
      zero += c.size[d] == 0;
      one += c.size[d] == 1;
      warp += c.size[d] >= 31 && c.size[d] <= 33;
      block += c.size[d] >= 127 && c.size[d] <= 129;
      long_row += c.size[d] >= 1023 && c.size[d] <= 1025;
      large += c.size[d] > 65535;
    }
    values[c.values]++;
    cotangents[c.cotangent]++;
    indices[c.indices]++;
    if (dc_index_tensor(op) >= 0 && c.indices == DC_IX_EMPTY) {
      int t = dc_index_tensor(op); /* a single index points into nothing instead */
      ck_assert_int_eq(op->tensor[t].rank ? dc_count(op, t, c.size, c.attr) : c.size[0], 0);
    }
    late += c.misaligned != 0;
    adds += c.accumulate;
  }
  ck_assert_msg(zero > 20 && one > 50 && warp > 50 && block > 20 && long_row > 20,
                "%s: %d sizes of 0, %d of 1, %d about 32, %d about 128, %d about 1024", op->name,
                zero, one, warp, block, long_row);
  ck_assert_int_ge(large, 8);
  ck_assert_int_gt(late, DRAWN / 10);
  if (op->is_vjp)
    ck_assert(adds > DRAWN / 3 && adds < 2 * DRAWN / 3);
  else
    ck_assert_int_eq(adds, 0);
  int only_g = 1, has_index = 0;
  for (int t = 0; t < op->n_in; t++) {
    only_g &= op->tensor[t].dtype == DC_I64 || dc_is_cotangent(op, t);
    has_index |= op->tensor[t].dtype == DC_I64;
  }
  for (int v = 0; v < DC_N_VALUES; v++)
    if (v != DC_ONES && !only_g)
      ck_assert_msg(values[v] > 20, "%s: values %s", op->name, dc_values_name((dc_values)v));
  static const dc_values asked[] = {DC_UNIFORM, DC_TAIL, DC_WIDE, DC_SPECIAL, DC_INTEGERS};
  for (int v = 0; op->is_vjp && v < 5; v++)
    ck_assert_int_gt(cotangents[asked[v]], 20);
  ck_assert_int_eq(cotangents[DC_ONES], 0); /* would hide a cotangent that is ignored */
  for (int v = 0; has_index && v < DC_N_INDICES; v++)
    ck_assert_msg(indices[v] > 20, "%s: indices %s", op->name, dc_indices_name((dc_indices)v));
}
END_TEST

START_TEST(values_are_what_they_are_called)
{
  enum { N = 4096 };
  static float x[N];
  for (int v = 0; v < DC_N_VALUES; v++) {
    dc_rng r;
    int nan = 0, inf = 0, integer = 0, subnormal = 0, zero = 0, minus = 0, repeated = 0, tiny = 0;
    int huge = 0, above = 0;
    dc_rng_seed(&r, 5, 6);
    dc_fill_values(&r, (dc_values)v, N, x);
    for (int i = 0; i < N; i++) {
      nan += isnan(x[i]) != 0;
      inf += isinf(x[i]) != 0;
      integer += x[i] == rintf(x[i]) && fabsf(x[i]) <= 8;
      subnormal += fpclassify(x[i]) == FP_SUBNORMAL;
      zero += x[i] == 0;
      minus += signbit(x[i]) != 0;
      repeated += i > 0 && x[i] == x[0];
      tiny += fabsf(x[i]) < 0x1p-20f;
      huge += fabsf(x[i]) > 0x1p20f;
      above += isfinite(x[i]) && fabsf(x[i]) >= 0x1p40f;
    }
    ck_assert_int_eq(nan > 0, v == DC_SPECIAL);
    ck_assert_int_eq(inf > 0, v == DC_SPECIAL || v == DC_MINUS_INF);
    ck_assert_int_eq(above == N, v == DC_HUGE);
    ck_assert_int_eq(above > 0, v == DC_HUGE);
    ck_assert_int_eq(integer == N, v == DC_INTEGERS || v == DC_ONES || v == DC_ZEROS);
    ck_assert_int_eq(subnormal > N / 2, v == DC_SUBNORMAL);
    ck_assert_int_eq(zero == N, v == DC_ZEROS);
    if (v == DC_UNIFORM || v == DC_ZEROS || v == DC_TAIL || v == DC_WIDE || v == DC_INTEGERS)
      ck_assert(minus > N / 4 && minus < 3 * N / 4);
    if (v == DC_EQUAL)
      ck_assert_int_eq(repeated, N - 1);
    if (v == DC_TIES)
      ck_assert(repeated > N / 6 && repeated < N - 1);
    if (v == DC_WIDE)
      ck_assert(tiny > N / 10 && huge > N / 10);
    if (v == DC_OFFSET)
      ck_assert(fabsf(x[0] - 1e4f) <= 1 && fabsf(x[1] - 1e4f) <= 1 && x[0] != x[1]);
  }
}
END_TEST

START_TEST(indices_are_what_they_are_called)
{
  enum { N = 600, LIMIT = 40 };
  static int64_t x[N];
  for (int v = 0; v < DC_N_INDICES; v++)
    for (int64_t limit = 0; limit <= LIMIT; limit += LIMIT) {
      dc_rng r;
      int outside = 0, up = 1, down = 1, least = 0, most = 0;
      int64_t highest = 0;
      dc_rng_seed(&r, 9, 9);
      dc_fill_indices(&r, (dc_indices)v, limit, N, x);
      for (int i = 0; i < N; i++) {
        outside += x[i] < 0 || x[i] >= limit;
        up &= i == 0 || x[i] >= x[i - 1];
        down &= i == 0 || x[i] <= x[i - 1];
        least |= x[i] == INT64_MIN;
        most |= x[i] == INT64_MAX;
        highest = x[i] > highest ? x[i] : highest;
      }
      if (limit == 0) { /* nothing to point at: all of them are out of range */
        ck_assert_int_eq(outside, N);
        continue;
      }
      ck_assert_int_eq(outside > 0, v == DC_IX_OUTSIDE);
      ck_assert_int_eq(least && most, v == DC_IX_OUTSIDE);
      ck_assert_int_eq(up && !down, v == DC_IX_SORTED);
      ck_assert_int_eq(down && !up, v == DC_IX_REVERSED);
      ck_assert_int_eq(up && down, v == DC_IX_EQUAL);
      ck_assert(v != DC_IX_DUPLICATED || highest <= 2);
      ck_assert(v == DC_IX_DUPLICATED || v == DC_IX_EQUAL || highest > LIMIT / 2);
    }
}
END_TEST

START_TEST(what_is_fixed_is_obeyed)
{
  const dc_op *op = dc_op_find("matmul_vjp");
  static const float mine[6];
  dc_fixed f;
  dc_fixed_init(&f);
  f.size[1] = 77;
  f.attr[2] = 0.25;
  f.values = DC_WIDE;
  f.cotangent = DC_TIES;
  f.accumulate = 1;
  f.misaligned = 2;
  f.given[1] = mine;
  strcpy(f.variant, "tiled");
  for (int i = 0; i < 50; i++) {
    dc_case c;
    dc_case_draw(&c, op, &f, 3, i, 10);
    ck_assert_int_eq(c.size[1], 77);
    ck_assert_double_eq(c.attr[2], 0.25);
    ck_assert_int_eq(c.values, DC_WIDE);
    ck_assert_int_eq(c.cotangent, DC_TIES);
    ck_assert_int_eq(c.accumulate, 1);
    ck_assert_int_eq(c.misaligned, 2);
    ck_assert_ptr_eq(c.given[1], mine);
    ck_assert_str_eq(c.variant, "tiled");
  }
}
END_TEST

/* ---- replay lines ---- */

START_TEST(replay_round_trip)
{
  const dc_op *op = dc_op_at(_i);
  dc_fixed f;
  dc_fixed_init(&f);
  for (int i = 0; i < 300; i++) {
    char line[REPLAY_TEXT];
    dc_error err = {""};
    dc_case c, back;
    dc_case_draw(&c, op, &f, 11, i, 50);
    if (i % 3 == 0)
      strcpy(c.variant, "scalar");
    if (i % 5 == 0) {
      c.keep_lo[0] = i;
      c.keep_hi[0] = i + 7;
    }
    replay_write(&c, line);
    ck_assert_msg(replay_read(line, &back, NULL, &err) == DC_OK, "%s: %s", line, err.text);
    ck_assert_msg(dc_case_same(&c, &back), "%s", line);
  }
}
END_TEST

START_TEST(replay_refused)
{
  static const char *const bad[][2] = {
      {"", "op"},
      {"no_such_op n=3", "no_such_op"},
      {"softmax rows", "rows"},
      {"softmax rows=3 cols=x", "cols"},
      {"softmax rows=-1 cols=3", "rows"},
      {"softmax rows=99999999999999999999 cols=3", "rows"},
      {"softmax rows=3 cols=2 depth=4", "depth"},
      {"softmax rows=3 cols=2 values=hot", "hot"},
      {"gather_rows rows=3 cols=2 k=2 indices=hot", "hot"},
      {"softmax rows=3 cols=2 seed=x", "seed"},
      {"softmax rows=3 cols=2 seed=-1", "seed"},
      {"softmax rows=3 cols=2 accumulate=1", "accumulate"},
      {"softmax_vjp rows=3 cols=2 accumulate=2", "accumulate"},
      {"softmax rows=3 cols=2 misaligned=999", "misaligned"},
      {"softmax rows=3 cols=2 keep=z:1:2", "z"},
      {"softmax rows=3 cols=2 keep=x:5:2", "keep"},
      {"matmul m=1 k=1 n=1 ta=2", "ta"},
      {"matmul m=1 k=1 n=1 alpha=nan", "alpha"},
      {"matmul m=1 k=1 n=1 alpha=", "alpha"},
      {"matmul m=1 k=1 n=1 alpha=1e39", "alpha"},
      {"softmax rows=3 cols=2 rows=3", "rows is given twice"},
      {"softmax rows=3 cols=2 seed=1 seed=2", "seed is given twice"},
      {"softmax rows=3 cols=2 keep=x:1:2 keep=x:1:2", "keep is given twice"},
      {"softmax rows=3 cols=2 values=zero", "did you mean zeros?"},
  };
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    dc_error err = {""};
    dc_case c = good("sum"), before = c;
    ck_assert_msg(replay_read(bad[i][0], &c, NULL, &err) == DC_INVALID, "accepted: %s", bad[i][0]);
    ck_assert_text(err.text, bad[i][1]);
    ck_assert_int_eq(memcmp(&c, &before, sizeof c), 0);
  }
}
END_TEST

/* What is written with few decimals is no float32, as a rule: the nearest one is taken. */
START_TEST(replay_rounds)
{
  dc_error err = {""}, note = {""};
  dc_case c;
  ck_assert_int_eq(replay_read("scale n=3 c=0.1", &c, &note, &err), DC_OK);
  ck_assert_double_eq(c.attr[0], (double)0.1f);
  ck_assert_text(note.text, "c=0.1 is taken as 0.100000001");
  note.text[0] = 0;
  ck_assert_int_eq(replay_read("scale n=3 c=0.5", &c, &note, &err), DC_OK);
  ck_assert_str_eq(note.text, "");
}
END_TEST

/* ---- one evaluation ---- */

START_TEST(evaluates_by_hand)
{
  static const float a[] = {1, 2, 3, 4, 5, 6}, b[] = {1, 0, -1, 2, 1, 1}, old[] = {10, 20, 30};
  static const int64_t at[] = {1, -1, 1};
  float c[6] = {0}, *out[DC_OUTPUTS] = {c, NULL};
  dc_error err = {""};
  dc_case k = good("matmul");
  const pm_backend *const by[] = {NULL, &pm_sim};
  ck_assert_int_eq(pm_sim.init(), PM_OK);
  for (int i = 0; i < 2; i++) {
    k = good("matmul"); /* (2,3) (3,2) */
    k.size[0] = k.size[2] = 2;
    k.attr[2] = 2;
    k.given[0] = a;
    k.given[1] = b;
    ck_assert_int_eq(dc_eval(&k, by[i], NULL, out, &err), DC_OK);
    ck_assert(c[0] == 4 && c[1] == 14 && c[2] == 10 && c[3] == 32);

    k = good("gather_rows"); /* x (3,2), three indices, one outside */
    k.size[1] = 2;
    k.given[0] = a;
    k.given[1] = at;
    ck_assert_int_eq(dc_eval(&k, by[i], NULL, out, &err), DC_OK);
    ck_assert(c[0] == 3 && c[1] == 4 && c[2] == 0 && c[3] == 0 && c[4] == 3 && c[5] == 4);

    const float *olds[DC_OUTPUTS] = {old, NULL};
    float g = 5;
    k = good("sum_vjp");
    k.given[0] = &g;
    k.accumulate = 1;
    ck_assert_int_eq(dc_eval(&k, by[i], olds, out, &err), DC_OK);
    ck_assert(c[0] == 15 && c[1] == 25 && c[2] == 35);

    static const float row[] = {0, -INFINITY, 0}, none[] = {-INFINITY, -INFINITY, -INFINITY};
    k = good("softmax");
    k.size[0] = 1;
    k.given[0] = row;
    ck_assert_int_eq(dc_eval(&k, by[i], NULL, out, &err), DC_OK);
    ck_assert(c[0] == 0.5f && c[1] == 0 && c[2] == 0.5f);
    k.given[0] = none; /* a row of -Inf is NaN */
    ck_assert_int_eq(dc_eval(&k, by[i], NULL, out, &err), DC_OK);
    ck_assert(isnan(c[0]) && isnan(c[1]) && isnan(c[2]));
  }
}
END_TEST

START_TEST(evaluation_refused)
{
  float y[4], *out[DC_OUTPUTS] = {y, NULL};
  dc_error err = {""};
  dc_case k = good("softmax");
  k.size[0] = -1;
  ck_assert_int_eq(dc_eval(&k, NULL, NULL, out, &err), DC_INVALID);
  ck_assert_text(err.text, "rows");
}
END_TEST

int main(void)
{
  Suite *s = suite_create("case");
  TCase *t = tcase_create("catalogue");
  suite_add_tcase(s, t);
  tcase_add_test(t, every_row_is_well_formed);
  tcase_add_test(t, malformed_rows_are_refused);
  tcase_add_test(t, shapes);
  t = tcase_create("cases");
  suite_add_tcase(s, t);
  tcase_add_test(t, case_limits);
  tcase_add_test(t, the_same_seed_gives_the_same_case);
  tcase_add_loop_test(t, draws_cover, 0, dc_n_ops());
  tcase_add_test(t, values_are_what_they_are_called);
  tcase_add_test(t, indices_are_what_they_are_called);
  tcase_add_test(t, what_is_fixed_is_obeyed);
  t = tcase_create("replay");
  suite_add_tcase(s, t);
  tcase_add_loop_test(t, replay_round_trip, 0, dc_n_ops());
  tcase_add_test(t, replay_refused);
  tcase_add_test(t, replay_rounds);
  t = tcase_create("eval");
  suite_add_tcase(s, t);
  tcase_add_test(t, evaluates_by_hand);
  tcase_add_test(t, evaluation_refused);
  return aid_main(s);
}
