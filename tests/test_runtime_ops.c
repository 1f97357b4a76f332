/* Every op of the catalogue through the runtime, by name: as the reference gives it on ref, within its
 * bound on the simulator, and on the tape; then what is refused. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../diffcheck/engine/engine.h"
#include "runtime.h"

enum { CASES = 12, MOST = 1 << 12 };

/* A case of the op that is small and tame; 0 where there is none under that number. */
static int drawn(const dc_op *op, int64_t i, dc_case *c, dc_problem *p)
{
  dc_fixed f;
  dc_error err = {""};
  dc_fixed_init(&f);
  f.values = DC_UNIFORM;
  f.cotangent = DC_UNIFORM;
  f.indices = DC_IX_RANDOM;
  f.accumulate = 0;
  f.misaligned = 0;
  dc_case_draw(c, op, &f, 7, i, 0);
  int64_t n = 0;
  for (int t = 0; t < op->n_in + op->n_out; t++) {
    int64_t count = dc_count(op, t, c->size, c->attr);
    n = count < 0 || count > MOST ? MOST + 1 : n + count;
  }
  if (n > MOST)
    return 0;
  ck_assert_msg(dc_problem_make(p, c, &err) == DC_OK, "%s", err.text);
  return 1;
}

/* The problem's inputs as tensors, in the catalogue's shapes. */
static void inputs(pmr_context c, const dc_problem *p, pmr_tensor in[DC_TENSORS])
{
  const dc_op *op = p->c.op;
  for (int t = 0; t < op->n_in; t++) {
    int64_t shape[DC_RANK];
    int rank = dc_shape(op, t, p->c.size, p->c.attr, shape);
    const void *x = p->ix[t] ? (const void *)p->ix[t] : (const void *)p->f[t];
    OK(pmr_from_host(c, p->ix[t] ? PMR_I64 : PMR_F32, rank, shape, x, &in[t]));
  }
}

static int has(const dc_op *op, const char *dim)
{
  for (int d = 0; d < op->n_dims; d++)
    if (strcmp(op->dim[d], dim) == 0)
      return 1;
  return 0;
}

/* Sizes and attributes in the words of a call: an op on a view is told the axis, the axes, the shape. */
static void attributes(const dc_case *k, pmr_attr *list)
{
  const dc_op *op = k->op;
  const int axes = has(op, "d0"), wide = has(op, "x0"), along = op->glue->view && has(op, "outer");
  for (int a = 0; a < op->n_attrs; a++)
    if (axes && !wide && op->attr[a][0] == 'p') {
      if (a <= (int)k->attr[0])
        *list++ = (pmr_attr){"axes", k->attr[a]};
    } else if (!axes || strcmp(op->attr[a], "rank") != 0)
      *list++ = (pmr_attr){op->attr[a], k->attr[a]};
  for (int d = 0; d < op->n_dims && !axes; d++)
    *list++ = (pmr_attr){op->dim[d], (double)k->size[d]};
  if (along)
    *list++ = (pmr_attr){"axis", 1};
  if (wide) {
    int64_t shape[DC_RANK];
    int rank = dc_shape(op, 1, k->size, k->attr, shape);
    for (int i = 0; i < rank; i++)
      *list++ = (pmr_attr){"shape", (double)shape[i]};
  }
  *list = (pmr_attr){NULL, 0};
}

enum { LIST = DC_DIMS + DC_ATTRS + DC_RANK + 2 };

/* Outputs against the reference, and on ref against its bits. */
static void judged(const dc_problem *p, float *const *got, int bits)
{
  const dc_op *op = p->c.op;
  double *none[DC_OUTPUTS] = {NULL};
  float *want[DC_OUTPUTS] = {NULL};
  dc_error err = {""};
  dc_slice s = {.mem = NULL};
  dc_verdict v[DC_OUTPUTS];
  for (int o = 0; o < op->n_out; o++) {
    dc_verdict_init(&v[o]);
    want[o] = malloc((size_t)p->count[op->n_in + o] * 4 + 4);
  }
  for (int64_t k = 0; k < dc_n_slices(p); k++)
    ck_assert_int_eq(dc_slice_judge(&s, p, k, NULL, got, none, v, &err), DC_OK);
  dc_slice_free(&s);
  ck_assert_int_eq(dc_eval(&p->c, NULL, NULL, want, &err), DC_OK);
  for (int o = 0; o < op->n_out; o++) {
    ck_assert_msg(v[o].failed == 0, "%s: output %d: %lld elements are wrong", op->name, o,
                  (long long)v[o].failed);
    if (bits)
      ck_assert_mem_eq(got[o], want[o], (size_t)p->count[op->n_in + o] * 4);
    free(want[o]);
  }
}

static void one_case(pmr_context c, const dc_problem *p, int bits)
{
  const dc_op *op = p->c.op;
  pmr_tensor in[DC_TENSORS] = {NULL}, out[DC_OUTPUTS] = {NULL};
  pmr_attr attrs[LIST];
  float *got[DC_OUTPUTS] = {NULL};
  inputs(c, p, in);
  attributes(&p->c, attrs);
  ck_assert_msg(pmr_call(c, op->name, in, op->n_in, attrs, out, op->n_out) == PMR_OK, "%s",
                pmr_error());
  for (int o = 0; o < op->n_out; o++) {
    int64_t shape[DC_RANK], own[PMR_RANK], n = p->count[op->n_in + o];
    int rank, want_rank = dc_shape(op, op->n_in + o, p->c.size, p->c.attr, shape);
    got[o] = malloc((size_t)n * 4 + 4);
    OK(pmr_to_host(out[o], PMR_F32, got[o], n));
    OK(pmr_about(out[o], NULL, &rank, own));
    ck_assert_msg(rank == want_rank, "%s: output %d has rank %d, not %d", op->name, o, rank,
                  want_rank);
    for (int i = 0; i < rank; i++)
      ck_assert_int_eq(own[i], shape[i]);
    OK(pmr_free(out[o]));
  }
  judged(p, got, bits);
  for (int o = 0; o < op->n_out; o++)
    free(got[o]);
  for (int t = 0; t < op->n_in; t++)
    OK(pmr_free(in[t]));
}

/* Number _i of the catalogue. */
START_TEST(every_op_by_name)
{
  const dc_op *op = dc_op_at(_i);
  for (int b = 0; b < N_BACKENDS; b++) {
    pmr_context c = opened(b);
    int done = 0;
    for (int64_t i = 0; i < 200 && done < CASES; i++) {
      dc_case k;
      dc_problem p;
      if (!drawn(op, i, &k, &p))
        continue;
      one_case(c, &p, b == 0);
      dc_problem_free(&p);
      done++;
    }
    ck_assert_int_eq(done, CASES);
    closed(c);
  }
}
END_TEST

/* ---- each of them on the tape ---- */

static int gradient(const dc_op *op, const dc_op *vjp, int t)
{
  char name[20];
  snprintf(name, sizeof name, "d%s", op->tensor[t].name);
  return dc_tensor_find(vjp, name);
}

/* The VJP called by name, of the same values: a sweep must give its bits. */
static void as_called(pmr_context c, const dc_op *vjp, const dc_problem *p, pmr_tensor *in,
                      pmr_tensor *out, pmr_tensor g)
{
  const dc_op *op = p->c.op;
  pmr_tensor from[DC_TENSORS] = {NULL}, d[DC_OUTPUTS] = {NULL};
  pmr_attr attrs[LIST];
  dc_case k;
  dc_case_init(&k, vjp);
  for (int i = 0; i < vjp->n_dims; i++)
    for (int j = 0; j < op->n_dims; j++)
      if (strcmp(vjp->dim[i], op->dim[j]) == 0)
        k.size[i] = p->c.size[j];
  for (int i = 0; i < vjp->n_attrs; i++)
    for (int j = 0; j < op->n_attrs; j++)
      if (strcmp(vjp->attr[i], op->attr[j]) == 0)
        k.attr[i] = p->c.attr[j];
  for (int v = 0; v < vjp->n_in; v++) {
    int t = dc_tensor_find(op, vjp->tensor[v].name);
    from[v] = strcmp(vjp->tensor[v].name, "g") == 0 ? g : t < op->n_in ? in[t] : out[t - op->n_in];
  }
  attributes(&k, attrs);
  OK(pmr_no_grad(c, 1));
  ck_assert_msg(pmr_call(c, vjp->name, from, vjp->n_in, attrs, d, vjp->n_out) == PMR_OK, "%s",
                pmr_error());
  OK(pmr_no_grad(c, 0));
  for (int t = 0; t < op->n_in; t++) {
    static float want[MOST], got[MOST];
    int o = gradient(op, vjp, t) - vjp->n_in;
    pmr_tensor swept = NULL;
    if (o < 0)
      continue;
    OK(pmr_grad(in[t], &swept));
    OK(pmr_to_host(swept, PMR_F32, got, p->count[t]));
    OK(pmr_to_host(d[o], PMR_F32, want, p->count[t]));
    ck_assert_msg(memcmp(got, want, (size_t)p->count[t] * 4) == 0, "%s: d%s", op->name,
                  op->tensor[t].name);
    OK(pmr_release(swept));
  }
  for (int o = 0; o < vjp->n_out; o++)
    OK(pmr_release(d[o]));
}

static void on_tape(pmr_context c, const dc_op *vjp, const dc_problem *p)
{
  const dc_op *op = p->c.op;
  pmr_tensor in[DC_TENSORS] = {NULL}, out[DC_OUTPUTS] = {NULL}, g = NULL;
  pmr_attr attrs[LIST];
  int64_t shape[PMR_RANK];
  int rank;
  inputs(c, p, in);
  attributes(&p->c, attrs);
  for (int t = 0; t < op->n_in; t++)
    if (gradient(op, vjp, t) >= 0)
      OK(pmr_requires_grad(in[t], 1));
  ck_assert_msg(pmr_call(c, op->name, in, op->n_in, attrs, out, op->n_out) == PMR_OK, "%s",
                pmr_error());
  OK(pmr_about(out[0], NULL, &rank, shape));
  OK(pmr_randn(c, 5, rank, shape, &g));
  ck_assert_msg(pmr_backward(out[0], g) == PMR_OK, "%s", pmr_error());
  as_called(c, vjp, p, in, out, g);
  for (int o = 0; o < op->n_out; o++)
    OK(pmr_release(out[o]));
  for (int t = 0; t < op->n_in; t++)
    OK(pmr_free(in[t]));
  OK(pmr_free(g));
}

START_TEST(every_vjp_on_the_tape)
{
  const dc_op *vjp = dc_op_at(_i);
  if (!vjp->is_vjp)
    return;
  const dc_op *op = dc_op_find(vjp->forward);
  for (int b = 0; b < N_BACKENDS; b++) {
    pmr_context c = opened(b);
    int done = 0;
    for (int64_t i = 0; i < 200 && done < CASES / 2; i++) {
      dc_case k;
      dc_problem p;
      if (!drawn(op, i, &k, &p))
        continue;
      on_tape(c, vjp, &p);
      dc_problem_free(&p);
      done++;
    }
    ck_assert_int_gt(done, 0);
    closed(c);
  }
}
END_TEST

START_TEST(names)
{
  int n = 0;
  for (; pmr_op_name(n); n++)
    ck_assert_str_eq(pmr_op_name(n), dc_op_at(n)->name);
  ck_assert_int_eq(n, dc_n_ops());
  ck_assert_ptr_null(pmr_op_name(-1));
}
END_TEST

/* Ranks beyond the catalogue's: rows over several axes, reductions along any. */
START_TEST(more_axes)
{
  static const float x[8] = {1, 2, 3, 4, 5, 6, 7, 8}, ones[2] = {1, 1}, none[2] = {0, 0};
  static const float sums[4] = {4, 6, 12, 14}, turned[8] = {1, 5, 2, 6, 3, 7, 4, 8};
  static const float wide[8] = {1, 1, 1, 1, 1, 1, 1, 1};
  pmr_context c = opened(_i);
  int64_t shape[PMR_RANK];
  int rank;
  pmr_tensor t = f32(c, x, 3, 2, 2, 2), gamma = f32(c, ones, 1, 2), beta = f32(c, none, 1, 2), y;
  y = op1(c, "sum_axis", t, NULL, PMR_ATTRS({"axis", 1}));
  is(y, sums, 4);
  OK(pmr_about(y, NULL, &rank, shape));
  ck_assert(rank == 2 && shape[0] == 2 && shape[1] == 2);
  OK(pmr_free(y));
  y = op1(c, "permute", t, NULL, PMR_ATTRS({"axes", 1}, {"axes", 2}, {"axes", 0}));
  is(y, turned, 8);
  OK(pmr_free(y));
  y = op1(c, "broadcast_to", gamma, NULL, PMR_ATTRS({"shape", 4}, {"shape", 2}));
  is(y, wide, 8);
  OK(pmr_free(y));
  y = NULL;
  OK(pmr_call(c, "layer_norm", PMR_IN(t, gamma, beta), PMR_ATTRS({"eps", 1e-5}), &y, 1));
  OK(pmr_about(y, NULL, &rank, shape));
  ck_assert(rank == 3 && shape[2] == 2);
  OK(pmr_free(y));
  OK(pmr_free(t));
  OK(pmr_free(gamma));
  OK(pmr_free(beta));
  closed(c);
}
END_TEST

START_TEST(in_place)
{
  static const float p[3] = {1, 2, 3}, g[3] = {2, 2, -4}, want[3] = {0, 1, 5};
  static const float rows[6] = {0, 0, 0, 1, 2, 3};
  pmr_context c = opened(_i);
  pmr_tensor x = f32(c, p, 1, 3), d = f32(c, g, 1, 3), y = x, cache, row, over;
  OK(pmr_call(c, "sgd_step", PMR_IN(x, d), PMR_ATTRS({"lr", 0.5}), &y, 1));
  ck_assert_ptr_eq(y, x);
  is(x, want, 3);
  OK(pmr_zeros(c, 2, (const int64_t[]){2, 3}, &cache));
  row = f32(c, p, 2, 1, 3);
  y = cache;
  OK(pmr_call(c, "write_rows", PMR_IN(cache, row), PMR_ATTRS({"start", 1}), &y, 1));
  is(cache, rows, 6);
  FAILS(PMR_INVALID, "start",
        pmr_call(c, "write_rows", PMR_IN(cache, row), PMR_ATTRS({"start", 2}), &y, 1));
  y = x;
  FAILS(PMR_INVALID, "y overlaps the input a", pmr_call(c, "add", PMR_IN(x, d), NULL, &y, 1));
  y = d;
  FAILS(PMR_INVALID, "q overlaps the input g", pmr_call(c, "sgd_step", PMR_IN(x, d), NULL, &y, 1));
  pmr_tensor three, low;
  OK(pmr_zeros(c, 2, (const int64_t[]){3, 3}, &three));
  OK(pmr_rows(three, 0, 2, &low));
  OK(pmr_rows(three, 1, 2, &over));
  y = over;
  FAILS(PMR_INVALID, "it may be all of it, or none",
        pmr_call(c, "write_rows", PMR_IN(low, row), PMR_ATTRS({"start", 1}), &y, 1));
  y = row;
  FAILS(PMR_INVALID, "y has the shape (1, 3), must have (2, 3)",
        pmr_call(c, "write_rows", PMR_IN(cache, row), PMR_ATTRS({"start", 1}), &y, 1));
  pmr_tensor twice[3] = {x, x, NULL}, m, v;
  OK(pmr_zeros(c, 1, (const int64_t[]){3}, &m));
  OK(pmr_zeros(c, 1, (const int64_t[]){3}, &v));
  FAILS(PMR_INVALID, "m_next overlaps",
        pmr_call(c, "adam_step", PMR_IN(x, d, m, v), NULL, twice, 3));
  twice[0] = twice[1] = m;
  FAILS(PMR_INVALID, "add_vjp: db overlaps the output da",
        pmr_call(c, "add_vjp", PMR_IN(x), NULL, twice, 2));
  is(cache, rows, 6);
  is(x, want, 3);
  pmr_tensor all[] = {x, d, cache, row, over, m, v, three, low};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    OK(pmr_release(all[i]));
  closed(c);
}
END_TEST

/* A tensor of one back end in a call on another, wherever one can stand: by name, and nothing is written. */
START_TEST(of_two_back_ends)
{
  static const float x0[4] = {1, 2, 3, 4};
  pmr_context c = opened(_i / N_BACKENDS), d = opened(_i % N_BACKENDS);
  pmr_tensor a = f32(c, x0, 2, 2, 2), b = f32(d, x0, 2, 2, 2), y = NULL, into = f32(d, x0, 2, 2, 2);
  OK(pmr_requires_grad(a, 1));
  FAILS(PMR_HANDLE, "matmul: b is of another context",
        pmr_call(c, "matmul", PMR_IN(a, b), NULL, &y, 1));
  FAILS(PMR_HANDLE, "matmul: a is of another context",
        pmr_call(d, "matmul", PMR_IN(a, b), NULL, &y, 1));
  OK(pmr_no_grad(c, 1));
  FAILS(PMR_HANDLE, "is of another context", pmr_call(c, "neg", PMR_IN(a), NULL, &into, 1));
  OK(pmr_no_grad(c, 0));
  ck_assert_ptr_null(y);
  pmr_attention one = {.heads = 1};
  pmr_tensor x;
  OK(pmr_reshape(a, 3, (const int64_t[]){1, 2, 2}, &x));
  FAILS(PMR_HANDLE, "is of another context",
        pmr_multi_head_attention(c, &one, x, NULL, a, a, a, a, b, &y));
  FAILS(PMR_HANDLE, "is of another context",
        pmr_multi_head_attention(c, &one, x, NULL, a, b, a, a, NULL, &y));
  OK(pmr_release(x));
  y = op1(c, "neg", a, NULL, NULL);
  FAILS(PMR_HANDLE, "is of another context", pmr_backward(y, b));
  is(into, x0, 4);
  OK(pmr_release(a));
  OK(pmr_release(b));
  OK(pmr_release(y));
  OK(pmr_release(into));
  closed(c);
  closed(d);
}
END_TEST

START_TEST(refused)
{
  static const float x[6] = {1, 2, 3, 4, 5, 6};
  static const int64_t out_of_range[2] = {0, 3}, size = 6;
  pmr_context c = opened(_i);
  pmr_tensor a = f32(c, x, 2, 2, 3), b = f32(c, x, 2, 3, 2), n = f32(c, x, 1, 6), y = NULL, h;
  pmr_tensor t = i64(c, out_of_range, 2);
  OK(pmr_from_host(c, PMR_F64, 1, &size, (const double[6]){0}, &h));
  FAILS(PMR_INVALID, "op 'soft_max'", pmr_call(c, "soft_max", PMR_IN(a), NULL, &y, 1));
  FAILS(PMR_INVALID, "op '(null)'", pmr_call(c, NULL, PMR_IN(a), NULL, &y, 1));
  FAILS(PMR_INVALID, "softmax: 2 inputs", pmr_call(c, "softmax", PMR_IN(a, a), NULL, &y, 1));
  FAILS(PMR_INVALID, "add: shape (3, 2): b", pmr_call(c, "add", PMR_IN(a, b), NULL, &y, 1));
  FAILS(PMR_INVALID, "b of matmul", pmr_call(c, "matmul", PMR_IN(a, a), NULL, &y, 1));
  FAILS(PMR_INVALID, "softmax: x is f64", pmr_call(c, "softmax", PMR_IN(h), NULL, &y, 1));
  FAILS(PMR_INVALID, "target is f32", pmr_call(c, "cross_entropy", PMR_IN(a, n), NULL, &y, 1));
  FAILS(PMR_INVALID, "cross_entropy: target[1] is 3, must be from 0 to 2",
        pmr_call(c, "cross_entropy", PMR_IN(a, t), NULL, &y, 1));
  FAILS(PMR_INVALID, "'slope' is none",
        pmr_call(c, "relu", PMR_IN(a), PMR_ATTRS({"slope", 1}), &y, 1));
  FAILS(PMR_INVALID, "lo", pmr_call(c, "clamp", PMR_IN(a), PMR_ATTRS({"lo", 2}, {"hi", 1}), &y, 1));
  FAILS(PMR_INVALID, "c is NaN", pmr_call(c, "scale", PMR_IN(a), PMR_ATTRS({"c", NAN}), &y, 1));
  FAILS(PMR_INVALID, "c is given twice",
        pmr_call(c, "scale", PMR_IN(a), PMR_ATTRS({"c", 1}, {"c", 1}), &y, 1));
  FAILS(PMR_INVALID, "ta is 2, must be 0 or 1",
        pmr_call(c, "matmul", PMR_IN(a, b), PMR_ATTRS({"ta", 2}), &y, 1));
  FAILS(PMR_INVALID, "n is 7, and shape has 2",
        pmr_call(c, "zeros", NULL, 0, PMR_ATTRS({"shape", 2}, {"n", 7}), &y, 1));
  FAILS(PMR_INVALID, "give it as an attribute", pmr_call(c, "zeros", NULL, 0, NULL, &y, 1));
  FAILS(PMR_INVALID, "rank is 3, and 2 from its axes",
        pmr_call(c, "permute", PMR_IN(a), PMR_ATTRS({"rank", 3}, {"axes", 1}, {"axes", 0}), &y, 1));
  FAILS(PMR_INVALID, "p0 is 0, and 1 from its axes",
        pmr_call(c, "permute", PMR_IN(a), PMR_ATTRS({"p0", 0}, {"axes", 1}, {"axes", 0}), &y, 1));
  FAILS(PMR_INVALID, "len is missing", pmr_call(c, "slice", PMR_IN(a), NULL, &y, 1));
  FAILS(PMR_INVALID, "axis=2: must be",
        pmr_call(c, "sum_axis", PMR_IN(a), PMR_ATTRS({"axis", 2}), &y, 1));
  FAILS(PMR_INVALID, "2 outputs are asked for",
        pmr_call(c, "softmax", PMR_IN(a), NULL, (pmr_tensor[2]){NULL}, 2));
  FAILS(PMR_INVALID, "0 outputs", pmr_call(c, "softmax", PMR_IN(a), NULL, NULL, 1));
  FAILS(PMR_HANDLE, "softmax: x is NULL", pmr_call(c, "softmax", PMR_IN(y), NULL, &y, 1));
  pmr_tensor given = h;
  FAILS(PMR_INVALID, "y is f64", pmr_call(c, "softmax", PMR_IN(a), NULL, &given, 1));
  given = t;
  FAILS(PMR_INVALID, "y is i64", pmr_call(c, "softmax", PMR_IN(a), NULL, &given, 1));
  ck_assert_ptr_null(y);
  pmr_tensor all[] = {a, b, n, t, h};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    OK(pmr_free(all[i]));
  closed(c);
}
END_TEST

static pmr_status work(pmr_context c)
{
  static const float x[6] = {1, 2, 3, 4, 5, 6};
  static const int64_t shape[2] = {2, 3};
  pmr_tensor a = NULL, y[3] = {NULL}, g = NULL, b = NULL;
  pmr_status s = pmr_from_host(c, PMR_F32, 2, shape, x, &a);
  s = s ? s : pmr_ones(c, 1, &shape[1], &g);
  s = s ? s : pmr_zeros(c, 1, &shape[1], &b);
  s = s ? s : pmr_call(c, "layer_norm", PMR_IN(a, g, b), NULL, y, 3);
  pmr_tensor all[] = {a, y[0], y[1], y[2], g, b};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    if (all[i] && pmr_release(all[i]))
      return PMR_HANDLE;
  return s;
}

START_TEST(no_memory) { no_memory_anywhere(_i, work); }
END_TEST

int main(void)
{
  Suite *s = suite_create("runtime_ops");
  TCase *t = tcase_create("ops");
  tcase_set_timeout(t, 120);
  suite_add_tcase(s, t);
  tcase_add_loop_test(t, every_op_by_name, 0, dc_n_ops());
  tcase_add_loop_test(t, every_vjp_on_the_tape, 0, dc_n_ops());
  tcase_add_test(t, names);
  tcase_add_loop_test(t, more_axes, 0, N_BACKENDS);
  tcase_add_loop_test(t, in_place, 0, N_BACKENDS);
  tcase_add_loop_test(t, of_two_back_ends, 0, N_BACKENDS * N_BACKENDS);
  tcase_add_loop_test(t, refused, 0, N_BACKENDS);
  tcase_add_loop_test(t, no_memory, 0, N_BACKENDS);
  return aid_main(s);
}
