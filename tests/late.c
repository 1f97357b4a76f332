#include "late.h"

#include <stdlib.h>
#include <string.h>

#include "runtime.h"

int late_syncs, late_waits;
bool late_fails;

typedef enum { ADD, MUL, SUM, CROSS_ENTROPY, COPY, GRAPH } what;

typedef struct work {
  what is;
  int64_t n, cols;
  const float *a, *b;
  const int64_t *target;
  float *y;
  pm_exec ex;
  void *to;
  char *bytes;
  pm_graph *g;
  struct work *next;
} work;

typedef struct line {
  pm_stream is; /* first: a pm_stream is one */
  work *first;
  struct line *next;
} line;

static line *lines;
static void *capturing;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of all of this */
static pthread_cond_t gone = PTHREAD_COND_INITIALIZER;
static const pm_stream *held;

static line *line_at(const void *at)
{
  line *l = lines;
  while (l && l->is.at != at)
    l = l->next;
  if (!l)
    abort(); /* a launch on no stream that was made */
  return l;
}

static void put(line *l, work w)
{
  work **end = &l->first, *copy = malloc(sizeof *copy);
  if (!copy)
    abort();
  *copy = w;
  copy->next = NULL;
  while (*end)
    end = &(*end)->next;
  *end = copy;
}

static pm_status later(work w)
{
  pthread_mutex_lock(&lock);
  put(line_at(w.ex.stream), w);
  pthread_mutex_unlock(&lock);
  return PM_OK;
}

static void run(work *w)
{
  pm_status s = PM_OK;
  w->ex.stream = NULL;
  if (w->is == ADD)
    s = pm_sim.add(&w->ex, w->n, w->a, w->b, w->y);
  else if (w->is == MUL)
    s = pm_sim.mul(&w->ex, w->n, w->a, w->b, w->y);
  else if (w->is == SUM)
    s = pm_sim.sum(&w->ex, w->n, w->a, w->y);
  else if (w->is == CROSS_ENTROPY)
    s = pm_sim.cross_entropy(&w->ex, w->n, w->cols, w->a, w->target, w->y);
  else if (w->is == GRAPH)
    s = pm_sim.graphs->launch(NULL, w->g);
  else
    memcpy(w->to, w->bytes, (size_t)w->n);
  if (s != PM_OK || pm_sim.sync() != PM_OK)
    abort();
  free(w->bytes);
  free(w);
}

static void run_all(line *l)
{
  while (l->first) {
    work *w = l->first;
    l->first = w->next;
    run(w);
  }
}

static void run_everything(void)
{
  for (line *l = lines; l; l = l->next)
    run_all(l);
}

/* ---- the back end ---- */

/* What is written down is checked and chosen now; else now too, on a device at rest, which keeps nothing. */
#define LAUNCH(is, call, ...)               \
  if (ex->stream == capturing && capturing) \
    return pm_sim.call;                     \
  pthread_mutex_lock(&lock);                \
  pm_sim.rest(1);                           \
  pm_status s = pm_sim.call;                \
  pm_sim.rest(0);                           \
  pthread_mutex_unlock(&lock);              \
  return s ? s : later((work){is, .ex = *ex, __VA_ARGS__})

static pm_status add(pm_exec *ex, int64_t n, const float *a, const float *b, float *y)
{
  LAUNCH(ADD, add(ex, n, a, b, y), .n = n, .a = a, .b = b, .y = y);
}
static pm_status mul(pm_exec *ex, int64_t n, const float *a, const float *b, float *y)
{
  LAUNCH(MUL, mul(ex, n, a, b, y), .n = n, .a = a, .b = b, .y = y);
}
static pm_status sum(pm_exec *ex, int64_t n, const float *a, float *y)
{
  LAUNCH(SUM, sum(ex, n, a, y), .n = n, .a = a, .y = y);
}
static pm_status cross_entropy(pm_exec *ex, int64_t rows, int64_t cols, const float *x,
                               const int64_t *target, float *loss)
{
  LAUNCH(CROSS_ENTROPY, cross_entropy(ex, rows, cols, x, target, loss), .n = rows, .cols = cols,
         .a = x, .target = target, .y = loss);
}

static pm_status sync(void)
{
  pthread_mutex_lock(&lock);
  late_syncs++;
  run_everything();
  pthread_mutex_unlock(&lock);
  return PM_OK;
}

/* As cudaFree does. */
static void release(void *p)
{
  pthread_mutex_lock(&lock);
  run_everything();
  pthread_mutex_unlock(&lock);
  pm_sim.free(p);
}

static pm_status none(void *to, const void *from, size_t bytes)
{
  (void)to, (void)from, (void)bytes;
  abort(); /* past the stream */
}

static const char *words(void) { return late_fails ? "it is late" : pm_sim.error(); }

/* ---- streams ---- */

static pm_stream *make(void)
{
  line *l = calloc(1, sizeof *l);
  if (!l)
    abort();
  pthread_mutex_lock(&lock);
  l->is.at = l;
  l->next = lines;
  lines = l;
  pthread_mutex_unlock(&lock);
  return &l->is;
}

static void drop(pm_stream *s)
{
  pthread_mutex_lock(&lock);
  line **p = &lines, *l = line_at(s->at);
  if (l->first)
    abort(); /* nobody waited */
  while (*p != l)
    p = &(*p)->next;
  *p = l->next;
  free(l);
  pthread_mutex_unlock(&lock);
}

static pm_status wait_for(pm_stream *s)
{
  pthread_mutex_lock(&lock);
  late_waits++;
  while (held == s)
    pthread_cond_wait(&gone, &lock);
  if (!late_fails)
    run_all(line_at(s->at));
  pthread_mutex_unlock(&lock);
  return late_fails ? PM_DEVICE : PM_OK;
}

static pm_status upload(pm_stream *s, void *to, const void *from, size_t bytes)
{
  work w = {.is = COPY, .n = (int64_t)bytes, .to = to, .bytes = malloc(bytes + 1)};
  if (late_fails || !w.bytes) {
    free(w.bytes);
    return PM_DEVICE;
  }
  if (bytes)
    memcpy(w.bytes, from, bytes);
  w.ex.stream = s->at;
  return later(w);
}

static pm_status download(pm_stream *s, void *to, const void *from, size_t bytes)
{
  pm_status r = wait_for(s);
  if (r == PM_OK && bytes)
    memcpy(to, from, bytes);
  return r;
}

/* ---- graphs ---- */

static pm_status begin(void *stream)
{
  capturing = stream;
  return pm_sim.graphs->begin(NULL);
}
static pm_status end(void *stream, pm_graph *g, int part)
{
  if (capturing != stream || !stream)
    abort();
  capturing = NULL;
  return pm_sim.graphs->end(NULL, g, part);
}
static pm_status launch(void *stream, pm_graph *g)
{
  return later((work){.is = GRAPH, .g = g, .ex.stream = stream});
}
static void drop_graph(pm_graph *g)
{
  sync(); /* it may be on its way */
  late_syncs--;
  pm_sim.graphs->drop(g);
}

void late_stand_in(context *c)
{
  static pm_backend late;
  static pm_graphs graphs;
  static const pm_streams streams = {make, drop, wait_for, upload, download};
  late = pm_sim;
  graphs = *pm_sim.graphs;
  graphs.begin = begin;
  graphs.end = end;
  graphs.launch = launch;
  graphs.drop = drop_graph;
  late.rest = NULL;
  late.graphs = &graphs;
  late.streams = &streams;
  late.upload = none;
  late.download = none;
  late.free = release;
  late.sync = sync;
  late.error = words;
  late.add = add;
  late.mul = mul;
  late.sum = sum;
  late.cross_entropy = cross_entropy;
  c->device = &late;
  c->stream = make();
}

int late_left(const context *c)
{
  int n = 0;
  pthread_mutex_lock(&lock);
  for (const work *w = line_at(c->stream->at)->first; w; w = w->next)
    n++;
  pthread_mutex_unlock(&lock);
  return n;
}

void late_hold(const context *c)
{
  pthread_mutex_lock(&lock);
  held = c->stream;
  pthread_mutex_unlock(&lock);
}

void late_let_go(void)
{
  pthread_mutex_lock(&lock);
  held = NULL;
  pthread_cond_broadcast(&gone);
  pthread_mutex_unlock(&lock);
}
