/* Layers: what takes several ops, in one call. Each of them is a step of its own: on the tape, in a session, and
 * in the shadow of the reference. */
#include "internal.h"

/* What a layer does for its caller; after the first step that fails nothing is done, and tensors are NULL. */
typedef struct layer {
  pmr_context c;
  const char *file;
  int line;
  pmr_status s;
} layer;

static void drop(pmr_tensor t)
{
  if (t)
    pmr_release(t);
}

/* An op's first output; the inputs remain the caller's. */
static pmr_tensor step_of(layer *l, const char *name, const pmr_tensor *in, int n_in,
                          const pmr_attr *attrs)
{
  pmr_tensor y = NULL;
  if (!l->s)
    l->s = pmr_call_at(l->file, l->line, l->c, name, in, n_in, attrs, &y, 1);
  return y;
}

/* t in another shape; t is dropped where it was made on the way. */
static pmr_tensor shaped(layer *l, pmr_tensor t, int made, int rank, const int64_t *shape)
{
  pmr_tensor y = NULL;
  if (!l->s)
    l->s = pmr_reshape_at(l->file, l->line, t, rank, shape, &y);
  if (made)
    drop(t);
  return y;
}

#define SHAPE(...) \
  (int)(sizeof((int64_t[]){__VA_ARGS__}) / sizeof(int64_t)), (int64_t[]) { __VA_ARGS__ }

/* The second and third axis in each other's place. */
static pmr_tensor turned(layer *l, pmr_tensor t)
{
  pmr_tensor y = step_of(l, "permute", PMR_IN(t),
                         PMR_ATTRS({"axes", 0}, {"axes", 2}, {"axes", 1}, {"axes", 3}));
  drop(t);
  return y;
}

/* ---- multi-head attention ---- */

/* x (batch, n, width), keys of (batch, m, from); heads of d elements. */
typedef struct attention {
  int64_t batch, n, width, m, from, heads, kv_heads, d, out;
} attention;

static const char op[] = "multi_head_attention";

/* t is f32, of that many axes, and of these sizes but for -1, which are set. */
static pmr_status is_of(const char *name, pmr_tensor t, int rank, int64_t *const *size)
{
  pmr_dtype dtype;
  int64_t shape[PMR_RANK];
  int there;
  pmr_status s = t ? pmr_about(t, &dtype, &there, shape)
                   : in_fail(PMR_INVALID, "%s: %s is NULL: it must be a tensor", op, name);
  if (!s && (dtype != PMR_F32 || there != rank))
    s = in_fail(PMR_INVALID, "%s: %s has %d axes: it must be f32, of %d axes", op, name, there,
                rank);
  for (int a = 0; a < rank && !s; a++)
    if (*size[a] < 0)
      *size[a] = shape[a];
    else if (*size[a] != shape[a])
      s = in_fail(PMR_INVALID, "%s: size %d of %s is %lld: it must be %lld", op, a, name,
                  (long long)shape[a], (long long)*size[a]);
  return s;
}
#define IS(name, t, ...)                                                        \
  is_of(name, t, (int)(sizeof((int64_t *[]){__VA_ARGS__}) / sizeof(int64_t *)), \
        (int64_t *const[]){__VA_ARGS__})

/* How many heads; what the shapes of x and wq say of their size; every other tensor must agree. */
static pmr_status attention_of(const pmr_attention *how, const pmr_tensor *t, attention *a)
{
  int64_t queries = -1, values;
  if (!how || how->heads < 1 || how->kv_heads < 0)
    return in_fail(PMR_INVALID, "%s: heads is %lld and kv_heads %lld: there must be 1 or more", op,
                   how ? (long long)how->heads : 0, how ? (long long)how->kv_heads : 0);
  *a = (attention){-1, -1, -1, -1, -1, how->heads, how->kv_heads ? how->kv_heads : how->heads,
                   0,  -1};
  if (a->heads % a->kv_heads != 0)
    return in_fail(PMR_INVALID, "%s: heads is %lld: it must be a multiple of kv_heads, %lld", op,
                   (long long)a->heads, (long long)a->kv_heads);
  pmr_status s = IS("x", t[0], &a->batch, &a->n, &a->width);
  if (!s)
    s = IS("source", t[1], &a->batch, &a->m, &a->from);
  if (!s)
    s = IS("wq", t[2], &a->width, &queries);
  if (!s && queries % a->heads != 0)
    s = in_fail(PMR_INVALID, "%s: wq has %lld columns: they must be a multiple of heads, %lld", op,
                (long long)queries, (long long)a->heads);
  if (s)
    return s;
  a->d = queries / a->heads;
  values = a->kv_heads * a->d; /* at most the columns of wq */
  s = IS("wk", t[3], &a->from, &values);
  if (!s)
    s = IS("wv", t[4], &a->from, &values);
  if (!s)
    s = IS("wo", t[5], &queries, &a->out);
  if (!s && t[6])
    s = IS("mask", t[6], &a->n, &a->m);
  return s;
}

/* x w, of rows (batch n): as (batch, heads, n, d). */
static pmr_tensor projected(layer *l, const attention *a, pmr_tensor rows, pmr_tensor w, int64_t n,
                            int64_t heads)
{
  pmr_tensor y = step_of(l, "matmul", PMR_IN(rows, w), NULL);
  return turned(l, shaped(l, y, 1, SHAPE(a->batch, n, heads, a->d)));
}

/* The heads of softmax(q k' / sqrt(d)) v, side by side: (batch n, heads d). */
static pmr_tensor attended(layer *l, const attention *a, const pmr_attention *how, pmr_tensor x,
                           pmr_tensor source, const pmr_tensor *t)
{
  pmr_tensor q = projected(l, a, x, t[2], a->n, a->heads);
  pmr_tensor k = projected(l, a, source, t[3], a->m, a->kv_heads);
  pmr_tensor v = projected(l, a, source, t[4], a->m, a->kv_heads), mask = t[6];
  if (!l->s && !mask)
    l->s = pmr_zeros(l->c, SHAPE(a->n, a->m), &mask);
  pmr_tensor y = step_of(l, "sdpa", PMR_IN(q, k, v, mask),
                         PMR_ATTRS({"causal", how->causal != 0}, {"masked", t[6] != NULL}));
  drop(q), drop(k), drop(v);
  if (!t[6])
    drop(mask);
  return shaped(l, turned(l, y), 1, SHAPE(a->batch * a->n, a->heads * a->d));
}

pmr_status pmr_multi_head_attention_at(const char *file, int line, pmr_context c,
                                       const pmr_attention *how, pmr_tensor x, pmr_tensor source,
                                       pmr_tensor wq, pmr_tensor wk, pmr_tensor wv, pmr_tensor wo,
                                       pmr_tensor mask, pmr_tensor *out)
{
  const pmr_tensor t[] = {x, source ? source : x, wq, wk, wv, wo, mask};
  layer l = {c, file, line, PMR_OK};
  attention a;
  if (!out)
    return in_fail(PMR_INVALID, "out is NULL: it must point to a pmr_tensor");
  l.s = attention_of(how, t, &a);
  if (l.s)
    return l.s;
  pmr_tensor rows = shaped(&l, x, 0, SHAPE(a.batch * a.n, a.width));
  pmr_tensor keys = source ? shaped(&l, source, 0, SHAPE(a.batch * a.m, a.from)) : rows;
  pmr_tensor heads = attended(&l, &a, how, rows, keys, t);
  pmr_tensor y = step_of(&l, "matmul", PMR_IN(heads, wo), NULL);
  drop(heads), drop(rows);
  if (source)
    drop(keys);
  y = shaped(&l, y, 1, SHAPE(a.batch, a.n, a.out));
  if (!l.s)
    *out = y;
  return l.s;
}
