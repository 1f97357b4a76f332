/* Models in files: weights under the names, and in the layout, that GPT-2's have; AdamW's moments beside them. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpt.h"
#include "safetensors.h"

enum { PARTS = 3 }; /* of a weight: itself, and its moments */
static const char *const PREFIX[PARTS] = {"", "adam.m.", "adam.v."};

static pmr_tensor *part_of(weight *w, int part)
{
  return part == 0 ? &w->p : part == 1 ? &w->m : &w->v;
}

/* ---- saved ---- */

typedef struct saving {
  gpt *g;
  pmr_tensor *t; /* in the order of the file */
  const st_tensor *list;
  pmr_status s;
} saving;

static int give(void *with, size_t i, void *to)
{
  saving *k = with;
  k->s = pmr_to_host(k->t[i], PMR_F32, to, k->list[i].count);
  return k->s != PMR_OK;
}

static size_t list_all(gpt *g, saving *k, st_tensor *list, char (*name)[2 * NAME])
{
  size_t n = 0;
  for (int part = 0; part < PARTS; part++)
    for (int i = 0; i < g->n; i++) {
      weight *w = &g->w[i];
      if (!w->rank)
        continue;
      snprintf(name[n], sizeof name[n], "%s%s", PREFIX[part], w->name);
      list[n] = (st_tensor){.name = name[n], .dtype = "F32", .rank = w->rank, .count = w->size[0]};
      list[n].shape[0] = w->size[0];
      list[n].shape[1] = w->size[1];
      if (w->rank == 2)
        list[n].count *= w->size[1];
      k->t[n++] = *part_of(w, part);
    }
  return n;
}

int gpt_save(gpt *g, const char *path)
{
  const size_t most = (size_t)(PARTS * g->n);
  char(*name)[2 * NAME] = malloc(most * sizeof *name), words[3][24], message[ST_MESSAGE];
  st_tensor *list = calloc(most, sizeof *list);
  saving k = {.g = g, .t = calloc(most, sizeof(pmr_tensor)), .list = list};
  int status = 2;
  snprintf(words[0], sizeof words[0], "%" PRId64, g->k.heads);
  snprintf(words[1], sizeof words[1], "%" PRId64, g->k.context);
  snprintf(words[2], sizeof words[2], "%" PRId64, g->step);
  const st_meta meta[] = {
      {"format", "pt"}, {"heads", words[0]}, {"context", words[1]}, {"step", words[2]}};
  if (name && list && k.t) {
    size_t n = list_all(g, &k, list, name);
    int bad = st_write(path, list, n, meta, sizeof meta / sizeof *meta, give, &k, message);
    status = k.s ? gpt_status(k.s) : bad ? gpt_refuse("%s", message) : 0;
  } else
    gpt_refuse("%s: no memory to save it", path);
  free(name);
  free(list);
  free(k.t);
  return status;
}

/* ---- loaded ---- */

typedef struct loading {
  gpt *g;
  st_file *f;
  const char *path, *prefix; /* of every weight's name: "", or "transformer." */
} loading;

static const st_tensor *find(const loading *l, const char *part, const char *name)
{
  char full[3 * NAME];
  snprintf(full, sizeof full, "%s%s%s", part, l->prefix, name);
  return st_find(l->f, full);
}

/* A whole number of the file's strings; -1: it has none; -2: refused. */
static int64_t number(const loading *l, const char *key, int64_t least)
{
  const char *s = st_string(l->f, key);
  char *end;
  if (!s)
    return -1;
  const long long v = strtoll(s, &end, 10);
  if (end == s || *end || v < least || v >= INT64_C(1) << 53) {
    gpt_refuse("%s: its %s is '%.40s', must be a whole number from %" PRId64 " on", l->path, key, s,
               least);
    return -2;
  }
  return v;
}

/* One size of a matrix that must be there; 0: refused. */
static int64_t size_of(const loading *l, const char *name, int axis)
{
  const st_tensor *t = find(l, "", name);
  if (t && t->rank == 2 && t->shape[axis] > 0 && t->shape[axis] <= GPT_MOST)
    return t->shape[axis];
  gpt_refuse("%s: must have a matrix '%s'", l->path, name);
  return 0;
}

/* The shape of the model, which is that of its weights. */
static int shape_of(const loading *l, int64_t heads, int64_t context, shape *k)
{
  char name[NAME];
  *k = (shape){.vocab = size_of(l, "wte.weight", 0)};
  if (!k->vocab || !(k->width = size_of(l, "wte.weight", 1)))
    return 2;
  for (; k->layers <= MOST_LAYERS; k->layers++) {
    snprintf(name, sizeof name, "h.%d.ln_1.weight", (int)k->layers);
    if (!find(l, "", name))
      break;
  }
  const int64_t said = number(l, "heads", 1), room = number(l, "context", 1);
  if (said == -2 || room == -2)
    return 2;
  if (said > 0 && heads > 0 && said != heads)
    return gpt_refuse("%s: says that it has %" PRId64 " heads, not those of --heads %" PRId64,
                      l->path, said, heads);
  k->heads = said > 0 ? said : heads;
  if (k->heads < 1 || k->heads > k->width || k->width % k->heads)
    return gpt_refuse("%s: give --heads: its width, %" PRId64
                      ", is a multiple of that, and the file does not say it",
                      l->path, k->width);
  const int64_t out = size_of(l, "h.0.attn.c_attn.weight", 1);
  const int64_t up = size_of(l, "h.0.mlp.c_fc.weight", 1);
  k->hidden = size_of(l, "h.0.mlp.c_proj.weight", 0);
  if (!out || !up || !k->hidden)
    return 2;
  k->kv_heads = (out / (k->width / k->heads) - k->heads) / 2;
  k->positions = find(l, "", "wpe.weight") ? LEARNED : ROPE;
  k->norm = find(l, "", "h.0.ln_1.bias") ? LAYER_NORM : RMS_NORM;
  k->mlp = up == 2 * k->hidden ? SWIGLU : GELU;
  k->context = k->positions == LEARNED ? size_of(l, "wpe.weight", 0)
               : context > 0           ? context
               : room > 0              ? room
                                       : GPT_CONTEXT;
  if (!k->context)
    return 2;
  if (context > 0 && context != k->context)
    return gpt_refuse("%s: has learned %" PRId64 " positions, not --context %" PRId64, l->path,
                      k->context, context);
  const char *why = gpt_shape_wrong(k);
  return why ? gpt_refuse("%s: %s", l->path, why) : 0;
}

static int dtype_of(const st_tensor *t, pmr_dtype *out)
{
  static const struct {
    const char *name;
    pmr_dtype d;
  } all[] = {{"F32", PMR_F32}, {"F16", PMR_F16}, {"BF16", PMR_BF16}, {"F64", PMR_F64}};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    if (strcmp(t->dtype, all[i].name) == 0) {
      *out = all[i].d;
      return 1;
    }
  return 0;
}

static int fetch(const loading *l, const st_tensor *t, void **out)
{
  char message[ST_MESSAGE];
  *out = malloc(t->bytes + 1);
  if (!*out)
    return gpt_refuse("%s: no memory for '%s'", l->path, t->name);
  return st_read(l->f, t, *out, message) ? gpt_refuse("%s", message) : 0;
}

static int load_part(const loading *l, weight *w, int part)
{
  const st_tensor *t = find(l, PREFIX[part], w->name);
  pmr_tensor *to = part_of(w, part);
  pmr_dtype d;
  void *data = NULL;
  int status = gpt_status(pmr_zeros(l->g->c, w->rank, w->size, to));
  if (status || (!t && part && l->g->step == 0))
    return status;
  if (!t)
    return gpt_refuse("%s: has no '%s%s%s'", l->path, PREFIX[part], l->prefix, w->name);
  if (t->rank != w->rank || memcmp(t->shape, w->size, (size_t)w->rank * sizeof *w->size) != 0)
    return gpt_refuse("%s: '%s' must have the shape (%" PRId64 "%s%.0" PRId64 ")", l->path, t->name,
                      w->size[0], w->rank == 2 ? ", " : "", w->rank == 2 ? w->size[1] : 0);
  if (!dtype_of(t, &d))
    return gpt_refuse("%s: '%s' is %s, must be F32, F16, BF16 or F64", l->path, t->name, t->dtype);
  status = fetch(l, t, &data);
  if (!status)
    status = gpt_status(pmr_put(*to, d, data, t->count));
  free(data);
  return status;
}

/* A second matrix for the logits, which GPT-2 has not: it may be there when it is the first one again. */
static int check_head(const loading *l, const st_tensor *head)
{
  const st_tensor *wte = find(l, "", "wte.weight");
  void *a = NULL, *b = NULL;
  int status = fetch(l, head, &a);
  if (!status)
    status = fetch(l, wte, &b);
  if (!status && (strcmp(head->dtype, wte->dtype) != 0 || head->bytes != wte->bytes ||
                  memcmp(a, b, wte->bytes) != 0))
    status = gpt_refuse("%s: '%s' is not 'wte.weight' again: this model has one matrix for both",
                        l->path, head->name);
  free(a);
  free(b);
  return status;
}

/* Whether this is h.N.attn.bias or .masked_bias: causal masks, which old files of GPT-2 have, and no weights. */
static int is_mask(const char *name)
{
  int n = 0;
  return sscanf(name, "h.%*d.attn.%n", &n) == 0 && n &&
         (strcmp(name + n, "bias") == 0 || strcmp(name + n, "masked_bias") == 0);
}

/* All that stands in the file must be known: else it is of another kind of model. */
static int check_rest(const loading *l)
{
  const st_tensor *t;
  for (size_t i = 0; (t = st_at(l->f, i)); i++) {
    int known = 0;
    for (int w = 0; w < l->g->n && !known; w++)
      for (int part = 0; part < PARTS && !known; part++)
        known = l->g->w[w].rank && find(l, PREFIX[part], l->g->w[w].name) == t;
    const size_t skip = strlen(l->prefix);
    if (strcmp(t->name, "lm_head.weight") == 0) {
      if (check_head(l, t))
        return 2;
    } else if (!known && !(strncmp(t->name, l->prefix, skip) == 0 && is_mask(t->name + skip)))
      return gpt_refuse("%s: '%.100s' is no weight of such a model", l->path, t->name);
  }
  return 0;
}

int gpt_load(gpt *g, pmr_context c, const char *path, int64_t heads, int64_t context)
{
  char message[ST_MESSAGE];
  loading l = {.g = g, .path = path, .prefix = ""};
  shape k;
  if (st_open(path, &l.f, message))
    return gpt_refuse("%s", message);
  if (st_find(l.f, "transformer.wte.weight"))
    l.prefix = "transformer.";
  int status = shape_of(&l, heads, context, &k);
  if (!status)
    status = gpt_status(gpt_plan(g, c, &k));
  if (!status) {
    const int64_t step = number(&l, "step", 0);
    g->step = step > 0 ? step : 0;
    status = step == -2 ? 2 : check_rest(&l);
  }
  for (int i = 0; !status && i < g->n; i++)
    for (int part = 0; part < PARTS && !status && g->w[i].rank; part++)
      status = load_part(&l, &g->w[i], part);
  st_close(l.f);
  return status;
}
