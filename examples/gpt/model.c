/* The model: weights, and the forward pass, which the tape of the runtime takes back. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpt.h"

/* ---- calls whose results go together ---- */

static pmr_tensor take(scope *f, pmr_status s, pmr_tensor t)
{
  f->s = s;
  if (s)
    return NULL;
  return f->t[f->n++] = t;
}

static int stopped(scope *f)
{
  if (!f->s && f->n == (int)(sizeof f->t / sizeof *f->t))
    f->s = gpt_no_memory("more results of one scope");
  return f->s != PMR_OK;
}

pmr_tensor scope_call(const char *file, int line, scope *f, const char *op, const pmr_tensor *in,
                      int n_in, const pmr_attr *attrs)
{
  pmr_tensor y = NULL;
  if (stopped(f))
    return NULL;
  pmr_status s = pmr_call_at(file, line, f->c, op, in, n_in, attrs, &y, 1);
  return take(f, s, y);
}

pmr_tensor scope_view(const char *file, int line, scope *f, pmr_tensor t, int rank,
                      const int64_t *size)
{
  pmr_tensor y = NULL;
  if (stopped(f))
    return NULL;
  pmr_status s = pmr_reshape_at(file, line, t, rank, size, &y);
  return take(f, s, y);
}

pmr_status scope_end(scope *f, pmr_tensor result, pmr_tensor *out)
{
  for (int i = 0; i < f->n; i++)
    if (f->s || f->t[i] != result)
      pmr_release(f->t[i]);
  f->n = 0;
  if (!f->s && out)
    *out = result;
  return f->s;
}

/* ---- weights ---- */

const char *gpt_shape_wrong(const shape *k)
{
  static char why[160];
  const int64_t d = k->heads ? k->width / k->heads : 0;
  *why = 0;
  if (k->layers < 1 || k->layers > MOST_LAYERS)
    snprintf(why, sizeof why, "%" PRId64 " layers: must be from 1 to %d", k->layers, MOST_LAYERS);
  else if (k->heads < 1 || k->width % k->heads)
    snprintf(why, sizeof why, "width %" PRId64 ": must be a multiple of the %" PRId64 " heads",
             k->width, k->heads);
  else if (k->kv_heads < 1 || k->heads % k->kv_heads)
    snprintf(why, sizeof why, "%" PRId64 " heads: must be a multiple of those of keys, %" PRId64,
             k->heads, k->kv_heads);
  else if (k->positions == ROPE && d % 2)
    snprintf(why, sizeof why, "a head of %" PRId64 ": must be even for rope", d);
  else if (k->context < 1 || k->context > TOKENS_MOST)
    snprintf(why, sizeof why, "a context of %" PRId64 ": must be from 1 to %d", k->context,
             TOKENS_MOST);
  else if (k->vocab < BYTES)
    snprintf(why, sizeof why, "%" PRId64 " tokens: must be %d at least, the bytes", k->vocab,
             BYTES);
  return *why ? why : NULL;
}

int gpt_layer(int64_t layer, int which) { return LAYERS + (int)layer * PER_LAYER + which; }

static void plan(weight *w, const char *name, int64_t rows, int64_t cols, double deviation,
                 float begin)
{
  snprintf(w->name, sizeof w->name, "%s", name);
  w->rank = cols ? 2 : 1;
  w->size[0] = rows;
  w->size[1] = cols;
  w->deviation = deviation;
  w->begin = begin;
}

static void plan_layer(weight *w, const shape *k, int64_t layer)
{
  const int64_t out = k->width / k->heads * (k->heads + 2 * k->kv_heads);
  const int64_t up = k->mlp == SWIGLU ? 2 * k->hidden : k->hidden;
  /* as GPT-2: what is added to the stream begins smaller, the more there is of it */
  const double usual = 0.02, added = 0.02 / sqrt(2 * (double)k->layers);
  const struct {
    int which;
    const char *name;
    int64_t rows, cols;
    double deviation;
    float begin;
  } all[] = {{LN1_W, "ln_1.weight", k->width, 0, 0, 1},
             {LN1_B, "ln_1.bias", k->norm == LAYER_NORM ? k->width : 0, 0, 0, 0},
             {ATTN_W, "attn.c_attn.weight", k->width, out, usual, 0},
             {ATTN_B, "attn.c_attn.bias", out, 0, 0, 0},
             {PROJ_W, "attn.c_proj.weight", k->width, k->width, added, 0},
             {PROJ_B, "attn.c_proj.bias", k->width, 0, 0, 0},
             {LN2_W, "ln_2.weight", k->width, 0, 0, 1},
             {LN2_B, "ln_2.bias", k->norm == LAYER_NORM ? k->width : 0, 0, 0, 0},
             {FC_W, "mlp.c_fc.weight", k->width, up, usual, 0},
             {FC_B, "mlp.c_fc.bias", up, 0, 0, 0},
             {DOWN_W, "mlp.c_proj.weight", k->hidden, k->width, added, 0},
             {DOWN_B, "mlp.c_proj.bias", k->width, 0, 0, 0}};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    char name[NAME];
    snprintf(name, sizeof name, "h.%d.%s", (int)layer, all[i].name);
    if (all[i].rows)
      plan(&w[all[i].which], name, all[i].rows, all[i].cols, all[i].deviation, all[i].begin);
  }
}

pmr_status gpt_plan(gpt *g, pmr_context c, const shape *k)
{
  *g = (gpt){.c = c, .k = *k, .n = gpt_layer(k->layers, 2)};
  g->w = calloc((size_t)g->n, sizeof *g->w);
  if (!g->w)
    return gpt_no_memory("the list of weights");
  plan(&g->w[WTE], "wte.weight", k->vocab, k->width, 0.02, 0);
  if (k->positions == LEARNED)
    plan(&g->w[WPE], "wpe.weight", k->context, k->width, 0.02, 0);
  for (int64_t i = 0; i < k->layers; i++)
    plan_layer(&g->w[gpt_layer(i, 0)], k, i);
  plan(&g->w[g->n - 2], "ln_f.weight", k->width, 0, 0, 1);
  if (k->norm == LAYER_NORM)
    plan(&g->w[g->n - 1], "ln_f.bias", k->width, 0, 0, 0);
  return PMR_OK;
}

static pmr_status begin_weight(const gpt *g, weight *w, int64_t stream)
{
  scope f = {.c = g->c};
  pmr_status s;
  if (w->deviation > 0) {
    pmr_tensor z = NULL;
    f.s = pmr_randn(g->c, stream, w->rank, w->size, &z);
    if (!f.s)
      f.t[f.n++] = z;
    pmr_tensor y = CALL(&f, "scale", PMR_IN(z), PMR_ATTRS({"c", w->deviation}));
    s = scope_end(&f, y, &w->p);
  } else
    s = w->begin != 0 ? pmr_ones(g->c, w->rank, w->size, &w->p)
                      : pmr_zeros(g->c, w->rank, w->size, &w->p);
  s = s ? s : pmr_zeros(g->c, w->rank, w->size, &w->m);
  return s ? s : pmr_zeros(g->c, w->rank, w->size, &w->v);
}

pmr_status gpt_begin(gpt *g, int64_t seed)
{
  pmr_status s = PMR_OK;
  for (int i = 0; i < g->n && !s; i++)
    if (g->w[i].rank)
      s = begin_weight(g, &g->w[i], seed * 4096 + i);
  return s;
}

static void let_go(pmr_tensor *t)
{
  if (*t)
    pmr_release(*t);
  *t = NULL;
}

void gpt_free(gpt *g)
{
  for (int i = 0; g->w && i < g->n; i++) {
    let_go(&g->w[i].p);
    let_go(&g->w[i].m);
    let_go(&g->w[i].v);
  }
  free(g->w);
  g->w = NULL;
}

/* ---- keys and values of the tokens so far ---- */

pmr_status cache_open(gpt *g, int64_t room, cache *out)
{
  const shape *k = &g->k;
  const int64_t size[4] = {1, k->kv_heads, room, k->width / k->heads};
  pmr_status s = PMR_OK;
  *out = (cache){.room = room};
  for (int64_t i = 0; i < k->layers && !s; i++) {
    s = pmr_zeros(g->c, 4, size, &out->k[i]);
    s = s ? s : pmr_zeros(g->c, 4, size, &out->v[i]);
  }
  return s;
}

void cache_close(cache *k)
{
  for (int i = 0; i < MOST_LAYERS; i++) {
    let_go(&k->k[i]);
    let_go(&k->v[i]);
  }
}

/* The vectors of one token, one a head, to their place: row `len` of each head's rows. */
static pmr_status append(const gpt *g, const cache *past, pmr_tensor to, pmr_tensor heads)
{
  const int64_t d = g->k.width / g->k.heads, n = g->k.kv_heads;
  pmr_tensor all = NULL, each = NULL, row = NULL;
  pmr_status s = pmr_reshape(to, 2, (const int64_t[]){n * past->room, d}, &all);
  s = s ? s : pmr_reshape(heads, 2, (const int64_t[]){n, d}, &each);
  for (int64_t h = 0; h < n && !s; h++) {
    s = pmr_rows(each, h, 1, &row);
    s = s ? s
          : pmr_call(g->c, "write_rows", PMR_IN(all, row),
                     PMR_ATTRS({"start", (double)(h * past->room + past->len)}), &all, 1);
    let_go(&row);
  }
  let_go(&each);
  let_go(&all);
  return s;
}

/* ---- the forward pass ---- */

static pmr_tensor weight_of(const gpt *g, int64_t layer, int which)
{
  return g->w[gpt_layer(layer, which)].p;
}

static pmr_tensor affine(scope *f, const gpt *g, int64_t layer, int which, pmr_tensor x)
{
  pmr_tensor y = CALL(f, "matmul", PMR_IN(x, weight_of(g, layer, which)), NULL);
  return CALL(f, "add_bias", PMR_IN(y, weight_of(g, layer, which + 1)), NULL);
}

static pmr_tensor norm(scope *f, const gpt *g, int at, pmr_tensor x)
{
  if (g->k.norm == RMS_NORM)
    return CALL(f, "rms_norm", PMR_IN(x, g->w[at].p), PMR_ATTRS({"affine", 1}));
  return CALL(f, "layer_norm", PMR_IN(x, g->w[at].p, g->w[at + 1].p), NULL);
}

/* Columns from .. from + n - 1. */
static pmr_tensor columns(scope *f, pmr_tensor x, int64_t from, int64_t n)
{
  return CALL(f, "slice", PMR_IN(x),
              PMR_ATTRS({"axis", 1}, {"start", (double)from}, {"len", (double)n}));
}

/* Heads first .. first + n - 1 of (batch seq, heads d), as (batch, n, seq, d); turned, where that says
 * where they stand. */
static pmr_tensor heads_of(scope *f, const gpt *g, const pass *p, pmr_tensor x, int64_t first,
                           int64_t n, int turned)
{
  const int64_t d = g->k.width / g->k.heads;
  pmr_tensor y = columns(f, x, first * d, n * d);
  y = VIEW(f, y, p->batch, p->seq, n, d);
  if (turned && g->k.positions == ROPE) {
    const int64_t half = d / 2;
    pmr_tensor none = CALL(f, "zeros", NULL, 0, PMR_ATTRS({"shape", (double)half}));
    y = CALL(f, "rope", PMR_IN(y, none),
             PMR_ATTRS({"table", 0}, {"pos_offset", p->past ? (double)p->past->len : 0}));
  }
  return CALL(f, "permute", PMR_IN(y),
              PMR_ATTRS({"axes", 0}, {"axes", 2}, {"axes", 1}, {"axes", 3}));
}

static pmr_tensor next_token(scope *f, const gpt *g, const pass *p, int64_t layer, pmr_tensor q,
                             pmr_tensor k, pmr_tensor v)
{
  const cache *past = p->past;
  const int64_t d = g->k.width / g->k.heads;
  if (!f->s)
    f->s = append(g, past, past->k[layer], k);
  if (!f->s)
    f->s = append(g, past, past->v[layer], v);
  q = VIEW(f, q, 1, g->k.heads, d);
  return CALL(f, "decode_sdpa", PMR_IN(q, past->k[layer], past->v[layer]),
              PMR_ATTRS({"len", (double)(past->len + 1)}));
}

static pmr_tensor attention(scope *f, const gpt *g, const pass *p, int64_t layer, pmr_tensor x)
{
  const shape *s = &g->k;
  pmr_tensor y = affine(f, g, layer, ATTN_W, x);
  pmr_tensor q = heads_of(f, g, p, y, 0, s->heads, 1);
  pmr_tensor k = heads_of(f, g, p, y, s->heads, s->kv_heads, 1);
  pmr_tensor v = heads_of(f, g, p, y, s->heads + s->kv_heads, s->kv_heads, 0);
  if (p->past)
    y = next_token(f, g, p, layer, q, k, v);
  else {
    y = CALL(f, "sdpa", PMR_IN(q, k, v, p->mask), PMR_ATTRS({"causal", 1}, {"masked", 0}));
    y = CALL(f, "permute", PMR_IN(y),
             PMR_ATTRS({"axes", 0}, {"axes", 2}, {"axes", 1}, {"axes", 3}));
  }
  y = VIEW(f, y, p->batch * p->seq, s->width);
  return affine(f, g, layer, PROJ_W, y);
}

static pmr_tensor mlp(scope *f, const gpt *g, int64_t layer, pmr_tensor x)
{
  pmr_tensor y = affine(f, g, layer, FC_W, x);
  if (g->k.mlp == SWIGLU) {
    pmr_tensor gate = columns(f, y, 0, g->k.hidden), up = columns(f, y, g->k.hidden, g->k.hidden);
    gate = CALL(f, "silu", PMR_IN(gate), NULL);
    y = CALL(f, "mul", PMR_IN(gate, up), NULL);
  } else
    y = CALL(f, "gelu", PMR_IN(y), NULL);
  return affine(f, g, layer, DOWN_W, y);
}

static pmr_status block(const gpt *g, const pass *p, int64_t layer, pmr_tensor x, pmr_tensor *out)
{
  scope f = {.c = g->c};
  pmr_tensor y = norm(&f, g, gpt_layer(layer, LN1_W), x);
  y = attention(&f, g, p, layer, y);
  x = CALL(&f, "add", PMR_IN(x, y), NULL);
  y = norm(&f, g, gpt_layer(layer, LN2_W), x);
  y = mlp(&f, g, layer, y);
  y = CALL(&f, "add", PMR_IN(x, y), NULL);
  return scope_end(&f, y, out); /* the tape has what it needs of the rest */
}

static pmr_status embed(const gpt *g, const pass *p, pmr_tensor *out)
{
  scope f = {.c = g->c};
  pmr_tensor x = CALL(&f, "gather_rows", PMR_IN(g->w[WTE].p, p->token), NULL);
  if (g->k.positions == LEARNED) {
    pmr_tensor at = CALL(&f, "gather_rows", PMR_IN(g->w[WPE].p, p->place), NULL);
    x = CALL(&f, "add", PMR_IN(x, at), NULL);
  }
  return scope_end(&f, x, out);
}

pmr_status gpt_forward(const gpt *g, const pass *p, pmr_tensor *logits)
{
  pmr_tensor x = NULL, y = NULL;
  pmr_status s = embed(g, p, &x);
  for (int64_t i = 0; i < g->k.layers && !s; i++) {
    s = block(g, p, i, x, &y);
    let_go(&x);
    x = y;
    y = NULL;
  }
  scope f = {.c = g->c, .s = s};
  y = norm(&f, g, g->n - 2, x);
  y = CALL(&f, "matmul", PMR_IN(y, g->w[WTE].p), PMR_ATTRS({"tb", 1}));
  s = scope_end(&f, y, logits);
  let_go(&x);
  if (!s && p->past)
    p->past->len++;
  return s;
}

pmr_status gpt_loss(const gpt *g, const pass *p, pmr_tensor next, pmr_tensor *loss)
{
  pmr_tensor logits = NULL;
  scope f = {.c = g->c};
  f.s = gpt_forward(g, p, &logits);
  if (!f.s)
    f.t[f.n++] = logits;
  pmr_tensor y = CALL(&f, "cross_entropy", PMR_IN(logits, next), NULL);
  return scope_end(&f, y, loss);
}

/* ---- what a pass needs beside its tokens ---- */

pmr_status gpt_mask(const gpt *g, int64_t seq, pmr_tensor *out)
{
  return pmr_zeros(g->c, 2, (const int64_t[]){seq, seq}, out);
}

pmr_status gpt_places(const gpt *g, int64_t batch, int64_t seq, pmr_tensor *out)
{
  const int64_t n = batch * seq;
  int64_t *place = malloc((size_t)n * sizeof *place);
  if (!place)
    return gpt_no_memory("positions");
  for (int64_t i = 0; i < n; i++)
    place[i] = i % seq;
  pmr_status s = pmr_from_host(g->c, PMR_I64, 1, &n, place, out);
  free(place);
  return s;
}
