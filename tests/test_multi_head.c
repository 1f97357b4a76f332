/* multi_head_attention on the simulator: it is matmul, swap_adjacent, sdpa, swap_adjacent, matmul to the bit, and its
 * gradient theirs; empty dims, what is not finite, and what is refused. What holds of every op's arguments is in
 * test_launch.c. */
#include "device.h"

#include <math.h>
#include <string.h>

typedef struct dims {
  int batch, heads, kv_heads, n, width, d, causal, masked;
} dims;

/* Arrays of a call: tensors that end with poison, all of them freed together. */
enum { MOST = 48 };
typedef struct arrays {
  float *p[MOST];
  int n;
} arrays;

static float *keep(arrays *a, float *p)
{
  ck_assert_int_lt(a->n, MOST);
  return a->p[a->n++] = p;
}
static float *out_of(arrays *a, int n) { return keep(a, filled(n + 1, POISON)); }
static float *in_of(arrays *a, int n, int from)
{
  float *x = keep(a, numbered(n, from));
  for (int i = 0; i < n; i++)
    x[i] /= 64;
  return x;
}
static void drop(arrays *a)
{
  for (int i = 0; i < a->n; i++)
    pm_sim.free(a->p[i]);
}

static void same(dims d, const char *name, const float *got, const float *want, int n)
{
  for (int i = 0; i < n; i++)
    ck_assert_msg(memcmp(got + i, want + i, sizeof *got) == 0,
                  "%d x %d(%d) x %d x %d x %d: %s[%d] = %a, must be %a", d.batch, d.heads,
                  d.kv_heads, d.n, d.width, d.d, name, i, (double)got[i], (double)want[i]);
  ck_assert(poisoned(got + n, 1));
}

static pm_exec with_work(arrays *a, const char *op, const int64_t *size)
{
  pm_exec ex = {.work_bytes = pm_sim.workspace(op, size)};
  ex.work = keep(a, filled((int)(ex.work_bytes / sizeof(float)) + 1, NAN));
  return ex;
}

/* What one call reads, and what it writes. */
typedef struct call {
  dims s;
  int x, q, k, wq, wk, lse; /* elements of the tensors like these */
  const float *in[6];       /* x, wq, wk, wv, wo, mask */
  float *y, *kept[5];       /* q, k, v, o, lse */
  const float *g;
} call;

#define SIZES(s) s.batch, s.heads, s.kv_heads, s.n, s.width, s.d, s.causal, s.masked
#define OF_SDPA(s) s.batch, s.heads, s.kv_heads, s.n, s.n, s.d, s.causal, s.masked

static void heads_of(dims s, int heads, const float *x, float *y)
{
  pm_exec ex = {.variant = NULL};
  done(pm_sim.swap_adjacent(&ex, 4, (int64_t[]){s.batch, s.n, heads, s.d}, 1, x, y));
}
static void side_by_side(dims s, int heads, const float *x, float *y)
{
  pm_exec ex = {.variant = NULL};
  done(pm_sim.swap_adjacent(&ex, 4, (int64_t[]){s.batch, heads, s.n, s.d}, 1, x, y));
}
static void product(int m, int k, int n, int ta, int tb, const float *a, const float *b, float *c)
{
  pm_exec ex = {.variant = NULL};
  done(pm_sim.matmul(&ex, m, k, n, ta, tb, 1, a, b, c));
}

static void forward(call *c, arrays *a)
{
  const dims s = c->s;
  const int rows = s.batch * s.n, hd = s.heads * s.d, kvd = s.kv_heads * s.d;
  const int64_t size[] = {s.batch, s.heads, s.kv_heads, s.n, s.width, s.d};
  float *flat = out_of(a, c->q), *q = out_of(a, c->q), *k = out_of(a, c->k), *v = out_of(a, c->k),
        *o = out_of(a, c->q), *lse = out_of(a, c->lse), *y = out_of(a, c->x);
  pm_exec ex = with_work(a, "multi_head_attention", size), any = {.variant = NULL};
  done(pm_sim.multi_head_attention(&ex, SIZES(s), c->in[0], c->in[1], c->in[2], c->in[3], c->in[4],
                                   c->in[5], c->y, c->kept[0], c->kept[1], c->kept[2], c->kept[3],
                                   c->kept[4]));
  product(rows, s.width, hd, 0, 0, c->in[0], c->in[1], flat);
  heads_of(s, s.heads, flat, q);
  product(rows, s.width, kvd, 0, 0, c->in[0], c->in[2], flat);
  heads_of(s, s.kv_heads, flat, k);
  product(rows, s.width, kvd, 0, 0, c->in[0], c->in[3], flat);
  heads_of(s, s.kv_heads, flat, v);
  done(pm_sim.sdpa(&any, OF_SDPA(s), q, k, v, c->in[5], o, lse));
  side_by_side(s, s.heads, o, flat);
  product(rows, hd, s.width, 0, 0, flat, c->in[4], y);
  same(s, "q", c->kept[0], q, c->q);
  same(s, "k", c->kept[1], k, c->k);
  same(s, "v", c->kept[2], v, c->k);
  same(s, "o", c->kept[3], o, c->q);
  same(s, "lse", c->kept[4], lse, c->lse);
  same(s, "y", c->y, y, c->x);
}

/* add: also += to what is there, which is the sum's last term. */
static void backward(const call *c, int add, float *const *got, arrays *a)
{
  static const char *const name[] = {"dx", "dwq", "dwk", "dwv", "dwo"};
  const dims s = c->s;
  const int rows = s.batch * s.n, hd = s.heads * s.d, kvd = s.kv_heads * s.d;
  const int64_t size[] = {s.batch, s.heads, s.kv_heads, s.n, s.width, s.d},
                of_sdpa[] = {s.batch, s.heads, s.kv_heads, s.n, s.n, s.d};
  const int count[] = {c->x, c->wq, c->wk, c->wk, c->wq},
            heads[] = {s.heads, s.kv_heads, s.kv_heads};
  float *want[5], *flat = out_of(a, c->q), *go = out_of(a, c->q),
                  *part[] = {out_of(a, c->q), out_of(a, c->k), out_of(a, c->k)},
                  *share = out_of(a, c->x);
  for (int i = 0; i < 5; i++)
    want[i] = out_of(a, count[i]);
  product(rows, s.width, hd, 0, 1, c->g, c->in[4], flat);
  heads_of(s, s.heads, flat, go);
  pm_exec any = with_work(a, "sdpa_vjp", of_sdpa);
  done(pm_sim.sdpa_vjp(&any, 0, OF_SDPA(s), c->kept[0], c->kept[1], c->kept[2], c->in[5],
                       c->kept[3], c->kept[4], go, part[0], part[1], part[2]));
  side_by_side(s, s.heads, c->kept[3], flat);
  product(hd, rows, s.width, 1, 0, flat, c->g, want[4]);
  for (int i = 0; i < 3; i++) {
    const int cols = i ? kvd : hd;
    side_by_side(s, heads[i], part[i], flat);
    product(s.width, rows, cols, 1, 0, c->in[0], flat, want[1 + i]);
    product(rows, cols, s.width, 0, 1, flat, c->in[1 + i], i ? share : want[0]);
    for (int j = 0; i && j < c->x; j++)
      want[0][j] = share[j] + want[0][j];
  }
  for (int i = 0; i < 5; i++)
    for (int j = 0; add && j < count[i]; j++)
      want[i][j] = got[i][j] + want[i][j];
  pm_exec ex = with_work(a, "multi_head_attention_vjp", size);
  done(pm_sim.multi_head_attention_vjp(&ex, add, SIZES(s), c->in[0], c->in[1], c->in[2], c->in[3],
                                       c->in[4], c->in[5], c->kept[0], c->kept[1], c->kept[2],
                                       c->kept[3], c->kept[4], c->g, got[0], got[1], got[2], got[3],
                                       got[4]));
  for (int i = 0; i < 5; i++)
    same(s, name[i], got[i], want[i], count[i]);
}

static void composed(dims s)
{
  const int rows = s.batch * s.n, hd = s.heads * s.d, kvd = s.kv_heads * s.d;
  arrays a = {.n = 0}, t = {.n = 0}, u = {.n = 0};
  call c = {
      s,      rows * s.width, rows * hd, rows * kvd, s.width * hd, s.width * kvd, rows * s.heads,
      {NULL}, NULL,           {NULL},    NULL};
  float *mask = in_of(&a, s.n * s.n, 3);
  for (int i = 0; i < s.n * s.n; i++)
    mask[i] = i % 3 == 1;
  c.in[0] = in_of(&a, c.x, 1), c.in[1] = in_of(&a, c.wq, 5), c.in[2] = in_of(&a, c.wk, 7);
  c.in[3] = in_of(&a, c.wk, 9), c.in[4] = in_of(&a, c.wq, 2), c.in[5] = s.masked ? mask : NULL;
  c.g = in_of(&a, c.x, 4);
  c.y = out_of(&a, c.x), c.kept[0] = out_of(&a, c.q), c.kept[1] = out_of(&a, c.k);
  c.kept[2] = out_of(&a, c.k), c.kept[3] = out_of(&a, c.q), c.kept[4] = out_of(&a, c.lse);
  float *got[] = {out_of(&a, c.x), out_of(&a, c.wq), out_of(&a, c.wk), out_of(&a, c.wk),
                  out_of(&a, c.wq)};
  forward(&c, &t);
  backward(&c, 0, got, &t);
  backward(&c, 1, got, &u);
  drop(&a), drop(&t), drop(&u);
}

START_TEST(as_its_parts)
{
  static const dims size[] = {{1, 1, 1, 1, 1, 1, 0, 0},     {2, 4, 2, 5, 12, 3, 1, 0},
                              {1, 2, 1, 17, 8, 4, 0, 1},    {3, 3, 3, 2, 7, 5, 1, 1},
                              {1, 2, 2, 65, 128, 64, 1, 0}, {2, 8, 1, 3, 20, 16, 0, 0}};
  for (size_t i = 0; i < sizeof size / sizeof *size; i++)
    composed(size[i]);
}
END_TEST

/* One head of one column: k and v are x, all rows alike, so that o is x. */
START_TEST(by_hand)
{
  device d = device_begin();
  float x[] = {2, 2}, one = 1, w = 3;
  done(pm_sim.multi_head_attention(&d.ex, 1, 1, 1, 2, 1, 1, 0, 0, x, &one, &one, &one, &w, NULL,
                                   d.y, d.y + 2, d.y + 4, d.y + 6, d.y + 8, d.y + 10));
  ck_assert(d.y[0] == 6 && d.y[1] == 6 && d.y[4] == 2 && d.y[8] == 2 && d.y[9] == 2);
  ck_assert(fabsf(d.y[10] - (4 + logf(2))) < 1e-5f && poisoned(d.y + 12, DEVICE_N - 12));
  device_end(&d);
}
END_TEST

/* Of no head, or heads of no column, y is 0; of no row the weights' gradients are. */
START_TEST(nothing)
{
  device d = device_begin();
  done(pm_sim.multi_head_attention(&d.ex, 1, 0, 0, 2, 3, 4, 0, 0, d.x, NULL, NULL, NULL, NULL, NULL,
                                   d.y, NULL, NULL, NULL, NULL, NULL));
  ck_assert(device_is(d.y, 6, (float[6]){0}));
  device_end(&d);
  d = device_begin();
  done(pm_sim.multi_head_attention(&d.ex, 1, 1, 1, 2, 0, 1, 0, 0, NULL, NULL, NULL, NULL, NULL,
                                   NULL, NULL, d.y, d.y + 2, d.y + 4, d.y + 6, d.y + 8));
  ck_assert(d.y[0] == 0 && d.y[7] == 0 && d.y[8] == logf(2) && poisoned(d.y + 10, 1));
  device_end(&d);
  d = device_begin();
  done(pm_sim.multi_head_attention_vjp(&d.ex, 0, 0, 1, 1, 2, 2, 1, 0, 0, NULL, d.x, d.x, d.x, d.x,
                                       NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, d.y, d.y + 2,
                                       d.y + 4, d.y + 6));
  ck_assert(device_is(d.y, 8, (float[8]){0}));
  device_end(&d);
}
END_TEST

START_TEST(refusals)
{
  device d = device_begin();
  const int64_t half = (int64_t)1 << 31, many[] = {half, 1, 1, half, 1, 1};
  float *x = d.x, *y = d.y;
#define FORWARD(batch, heads, kv_heads, n, width, size, wo, ...)                                   \
  pm_sim.multi_head_attention(&d.ex, batch, heads, kv_heads, n, width, size, 0, 0, x, x, x, x, wo, \
                              NULL, __VA_ARGS__)
  device_refused(&d, FORWARD(-1, 1, 1, 1, 1, 1, x, y, y + 1, y + 2, y + 3, y + 4, y + 5),
                 "batch = -1", ">= 0");
  device_refused(&d, FORWARD(1, 3, 2, 1, 1, 1, x, y, y + 1, y + 2, y + 3, y + 4, y + 5),
                 "heads = 3", "kv_heads = 2");
  device_refused(&d, FORWARD(1, 3, 0, 1, 1, 1, x, y, y + 1, y + 2, y + 3, y + 4, y + 5),
                 "heads = 3", "kv_heads = 0");
  device_refused(&d, FORWARD(half, 1, 1, half, 1, 1, x, y, y + 1, y + 2, y + 3, y + 4, y + 5),
                 "batch*n", "2^60-1");
  device_refused(&d, FORWARD(1, 1, 1, 1, 1, 1, NULL, y, y + 1, y + 2, y + 3, y + 4, y + 5),
                 "wo = NULL", "");
  device_refused(&d, FORWARD(1, 1, 1, 2, 1, 1, x, y, y + 1, y + 4, y + 6, y + 8, y + 10), "y", "q");
  device_refused(&d, FORWARD(1, 1, 1, 2, 1, 1, y + 9, y, y + 2, y + 4, y + 6, y + 8, y + 10), "wo",
                 "o");
  device_refused(&d,
                 pm_sim.multi_head_attention(&d.ex, 1, 1, 1, 1, 1, 1, 2, 0, x, x, x, x, x, NULL, y,
                                             y + 1, y + 2, y + 3, y + 4, y + 5),
                 "causal = 2", "");
  device_refused(&d,
                 pm_sim.multi_head_attention(&d.ex, 1, 1, 1, 1, 1, 1, 0, 1, x, x, x, x, x, NULL, y,
                                             y + 1, y + 2, y + 3, y + 4, y + 5),
                 "mask = NULL", "");
  device_refused(&d,
                 pm_sim.multi_head_attention_vjp(&d.ex, 0, 1, 1, 1, 1, 1, 1, 0, 0, x, x, x, x, x,
                                                 NULL, x, x, x, x, x, y + 4, y, y + 1, y + 2, y + 3,
                                                 y + 4),
                 "g", "dwo");
  ck_assert_uint_gt(pm_sim.workspace("multi_head_attention", many), SIZE_MAX / 16);
  ck_assert_uint_gt(pm_sim.workspace("multi_head_attention_vjp", many), SIZE_MAX / 16);
  device_refused(&d, FORWARD(1, 4, 4, 17, 1, 1, x, y, y, y, y, y, y), "work", "");
  device_end(&d);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("multi_head");
  TCase *t = tcase_create("multi_head");
  suite_add_tcase(s, t);
  tcase_set_timeout(t, 60);
  tcase_add_test(t, as_its_parts);
  tcase_add_test(t, by_hand);
  tcase_add_test(t, nothing);
  tcase_add_test(t, refusals);
  return aid_main(s);
}
