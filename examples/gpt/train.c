/* Training: text, batches of it, steps as a session, the curve of the loss. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "gpt.h"

/* ---- text ---- */

enum { TEXT_MOST = 1 << 30 };

static int append_file(const char *path, text *t)
{
  FILE *f = fopen(path, "rb");
  if (!f)
    return gpt_refuse("%s: %s", path, strerror(errno));
  int status = 0;
  for (int64_t room = t->n; !status && !feof(f);) {
    if (t->n == room) {
      room = room ? 2 * room : 1 << 16;
      uint8_t *more = room <= TEXT_MOST ? realloc(t->byte, (size_t)room) : NULL;
      if (!more) {
        status = gpt_refuse("%s: no room for it: texts may have 2^30 bytes in all", path);
        break;
      }
      t->byte = more;
    }
    t->n += (int64_t)fread(t->byte + t->n, 1, (size_t)(room - t->n), f);
    if (ferror(f))
      status = gpt_refuse("%s: %s", path, strerror(errno));
  }
  fclose(f);
  return status;
}

int text_read(const char *const *path, int n, text *out)
{
  int status = 0;
  *out = (text){.byte = NULL};
  for (int i = 0; i < n && !status; i++)
    status = append_file(path[i], out);
  out->learned = out->n / 10 * 9;
  return status;
}

/* SplitMix64 (Steele, Lea, Flood, 2014), the place being how often it has been called. */
uint64_t gpt_random(int64_t seed, int64_t place)
{
  uint64_t z = (uint64_t)seed * 0xD1342543DE82EF95u + ((uint64_t)place + 1) * 0x9E3779B97F4A7C15u;
  z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
  z = (z ^ z >> 27) * 0x94D049BB133111EBu;
  return z ^ z >> 31;
}

/* ---- a step ---- */

typedef struct trainer {
  gpt *g;
  const text *t;
  const training *o;
  pmr_tensor x, y, place, mask, loss;
  int64_t *token, *next; /* (batch context), on the host */
  pmr_session step;      /* NULL until the first one has been computed */
  twin *twin;            /* NULL: nothing is compared */
} trainer;

/* A row: the tokens from there on, and those that follow each of them. */
static void row(trainer *r, int64_t i, int64_t from)
{
  for (int64_t j = 0; j < r->g->k.context; j++) {
    r->token[i * r->g->k.context + j] = r->t->byte[from + j];
    r->next[i * r->g->k.context + j] = r->t->byte[from + j + 1];
  }
}

static pmr_status put(trainer *r)
{
  const int64_t n = r->o->batch * r->g->k.context;
  pmr_status s = pmr_put(r->x, PMR_I64, r->token, n);
  return s ? s : pmr_put(r->y, PMR_I64, r->next, n);
}

static pmr_status loss_of(trainer *r, pmr_tensor *loss)
{
  const pass p = {.batch = r->o->batch,
                  .seq = r->g->k.context,
                  .token = r->x,
                  .place = r->place,
                  .mask = r->mask};
  return gpt_loss(r->g, &p, r->y, loss);
}

/* AdamW's corrections of its moments, which begin as 0. */
static const double BETA1 = 0.9, BETA2 = 0.95;
static double correction(double beta, int64_t step) { return 1 / (1 - pow(beta, (double)step)); }

static pmr_status update(trainer *r)
{
  gpt *g = r->g;
  pmr_status s = pmr_no_grad(g->c, 1);
  for (int i = 0; i < g->n && !s; i++) {
    const weight *w = &g->w[i];
    pmr_tensor d = NULL, out[3] = {w->p, w->m, w->v};
    if (!w->rank)
      continue;
    s = pmr_grad(w->p, &d);
    if (!s) /* as usual, matrices decay, and neither biases nor the scales of norms */
      s = pmr_call(g->c, "adamw_step", PMR_IN(w->p, d, w->m, w->v),
                   PMR_ATTRS({"lr", r->o->rate}, {"beta1", BETA1}, {"beta2", BETA2},
                             {"weight_decay", w->rank == 2 ? r->o->decay : 0},
                             {"c1", correction(BETA1, g->step)},
                             {"c2", correction(BETA2, g->step)}),
                   out, 3);
    if (d)
      pmr_release(d);
    s = s ? s : pmr_zero_grad(w->p);
  }
  pmr_status off = pmr_no_grad(g->c, 0);
  return s ? s : off;
}

/* The first step: it is written down as it is computed. */
static pmr_status first(trainer *r)
{
  pmr_status s = pmr_session_begin(r->g->c);
  if (s)
    return s;
  s = loss_of(r, &r->loss);
  s = s ? s : pmr_backward(r->loss, NULL);
  s = s ? s : update(r);
  if (!s)
    return pmr_session_end(r->g->c, &r->step);
  pmr_session_end(r->g->c, NULL); /* leaves the words alone */
  return s;
}

static pmr_status again(trainer *r)
{
  pmr_status s = pmr_session_attr(r->step, "adamw_step", "c1", correction(BETA1, r->g->step));
  s = s ? s : pmr_session_attr(r->step, "adamw_step", "c2", correction(BETA2, r->g->step));
  return s ? s : pmr_session_run(r->step);
}

static pmr_status learn(trainer *r, double *loss)
{
  const int64_t places = r->t->learned - r->g->k.context;
  for (int64_t i = 0; i < r->o->batch; i++)
    row(r, i, (int64_t)(gpt_random(r->o->seed, r->g->step * r->o->batch + i) % (uint64_t)places));
  pmr_status s = put(r);
  if (!s && r->twin)
    s = twin_take(r->twin, r->g);
  r->g->step++;
  s = s ? s : r->step ? again(r) : first(r);
  s = s ? s : pmr_item(r->loss, loss);
  if (!s && r->twin)
    s = twin_compare(r->twin, r->token, r->next, r->g->step, *loss);
  return s;
}

/* What is said of steps that are one launch each. */
static const char *as_a_graph(const trainer *r)
{
  pmr_graph_info g;
  return r->step && !pmr_session_graph(r->step, &g) && g.graph ? ", a step one launch" : "";
}

/* The loss on what is kept back, over rows that stand as far apart as they can. */
static pmr_status kept_back(trainer *r, double *loss)
{
  enum { BATCHES = 4 };
  const int64_t places = r->t->n - r->t->learned - r->g->k.context, rows = BATCHES * r->o->batch;
  pmr_status s = pmr_no_grad(r->g->c, 1);
  *loss = 0;
  for (int64_t b = 0; b < BATCHES && !s; b++) {
    pmr_tensor y = NULL;
    double one = 0;
    for (int64_t i = 0; i < r->o->batch; i++)
      row(r, i, r->t->learned + (b * r->o->batch + i) * places / rows);
    s = put(r);
    s = s ? s : loss_of(r, &y);
    s = s ? s : pmr_item(y, &one);
    if (y)
      pmr_release(y);
    *loss += one / BATCHES;
  }
  pmr_status off = pmr_no_grad(r->g->c, 0);
  return s ? s : off;
}

/* ---- the curve ---- */

typedef struct point {
  double step, loss;
} point;

static void line(FILE *f, const point *p, int64_t n, const char *colour, double from, double to,
                 double most)
{
  fprintf(f, "<polyline fill=\"none\" stroke=\"%s\" points=\"", colour);
  for (int64_t i = 0; i < n; i++)
    fprintf(f, "%s%.2f,%.2f", i ? " " : "", 60 + 560 * (p[i].step - from) / (to - from + 1e-9),
            340 - 310 * p[i].loss / most);
  fprintf(f, "\"/>\n");
}

static int write_curve(const char *path, const point *loss, int64_t n, const point *kept, int64_t m)
{
  double most = 1;
  FILE *f = fopen(path, "w");
  if (!f)
    return gpt_refuse("%s: %s", path, strerror(errno));
  for (int64_t i = 0; i < n; i++)
    most = fmax(most, ceil(loss[i].loss));
  for (int64_t i = 0; i < m; i++)
    most = fmax(most, ceil(kept[i].loss));
  const double from = loss[0].step, to = loss[n - 1].step;
  fprintf(f, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"640\" height=\"400\" "
             "font-family=\"sans-serif\" font-size=\"12\">\n"
             "<rect width=\"640\" height=\"400\" fill=\"white\"/>\n"
             "<path d=\"M60,30 V340 H620\" fill=\"none\" stroke=\"black\"/>\n");
  for (int i = 0; i <= 4; i++)
    fprintf(f,
            "<text x=\"52\" y=\"%.2f\" text-anchor=\"end\">%.4g</text>\n"
            "<text x=\"%d\" y=\"358\" text-anchor=\"middle\">%.4g</text>\n",
            344 - 310 * i / 4.0, most * i / 4, 60 + 140 * i, from + (to - from) * i / 4);
  line(f, loss, n, "steelblue", from, to, most);
  line(f, kept, m, "firebrick", from, to, most);
  fprintf(f, "<text x=\"340\" y=\"385\" text-anchor=\"middle\">step; loss in nats a byte: "
             "<tspan fill=\"steelblue\">of each batch</tspan>, "
             "<tspan fill=\"firebrick\">of what is kept back</tspan></text>\n</svg>\n");
  const int bad = ferror(f);
  return fclose(f) || bad ? gpt_refuse("%s: could not be written", path) : 0;
}

/* ---- all of it ---- */

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static pmr_status prepare(trainer *r)
{
  const int64_t n = r->o->batch * r->g->k.context;
  pmr_status s = PMR_OK;
  r->token = calloc((size_t)n, sizeof *r->token);
  r->next = calloc((size_t)n, sizeof *r->next);
  if (!r->token || !r->next)
    return gpt_no_memory("a batch");
  s = pmr_from_host(r->g->c, PMR_I64, 1, &n, r->token, &r->x);
  s = s ? s : pmr_from_host(r->g->c, PMR_I64, 1, &n, r->next, &r->y);
  s = s ? s : gpt_mask(r->g, r->g->k.context, &r->mask);
  if (!s && r->g->k.positions == LEARNED)
    s = gpt_places(r->g, r->o->batch, r->g->k.context, &r->place);
  for (int i = 0; i < r->g->n && !s; i++)
    if (r->g->w[i].rank)
      s = pmr_requires_grad(r->g->w[i].p, 1);
  return s;
}

static void end(trainer *r)
{
  pmr_tensor held[] = {r->x, r->y, r->place, r->mask, r->loss};
  if (r->step)
    pmr_session_release(r->step);
  for (size_t i = 0; i < sizeof held / sizeof *held; i++)
    if (held[i])
      pmr_release(held[i]);
  for (int i = 0; i < r->g->n; i++)
    if (r->g->w[i].p)
      pmr_requires_grad(r->g->w[i].p, 0);
  free(r->token);
  free(r->next);
}

static pmr_status steps(trainer *r, point *loss, point *kept, int64_t *m)
{
  const training *o = r->o;
  pmr_status s = PMR_OK;
  double since = now();
  int64_t tokens = 0;
  for (int64_t i = 0; i < o->steps && !s; i++) {
    s = learn(r, &loss[i].loss);
    loss[i].step = (double)r->g->step;
    tokens += o->batch * r->g->k.context;
    if (s || ((i + 1) % o->every && i + 1 < o->steps))
      continue;
    const double a_second = (double)tokens / (now() - since + 1e-9);
    s = kept_back(r, &kept[*m].loss);
    kept[(*m)++].step = (double)r->g->step;
    if (!s)
      printf("step %" PRId64 ": loss %.4f, of what is kept back %.4f; %.0f tokens a second%s\n",
             r->g->step, loss[i].loss, kept[*m - 1].loss, a_second, as_a_graph(r));
    fflush(stdout);
    since = now();
    tokens = 0;
  }
  return s;
}

int gpt_train(gpt *g, const text *t, const training *o)
{
  twin w = {.steps = 0};
  trainer r = {.g = g, .t = t, .o = o, .twin = o->compare ? &w : NULL};
  const int64_t least = 20 * (g->k.context + 1);
  if (t->n < least)
    return gpt_refuse("the text has %" PRId64 " bytes, must have at least %" PRId64
                      ", 20 times the context and one more: give more, or a smaller --context",
                      t->n, least);
  point *loss = calloc((size_t)o->steps, sizeof *loss),
        *kept = calloc((size_t)o->steps, sizeof *kept);
  int64_t m = 0;
  pmr_status s = loss && kept ? prepare(&r) : gpt_no_memory("the curve");
  if (!s && r.twin)
    s = twin_open(g, o->batch, r.twin);
  s = s ? s : steps(&r, loss, kept, &m);
  int status = gpt_status(s);
  if (!status && o->curve)
    status = write_curve(o->curve, loss, o->steps, kept, m);
  if (r.twin)
    twin_close(r.twin);
  end(&r);
  free(loss);
  free(kept);
  return status;
}
