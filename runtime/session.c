/* Sessions: steps that are written down while they are computed, their memory planned by liveness, and
 * then computed again and again without an allocation. */
#include "session.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graph.h"

/* Memory that some step uses. */
typedef struct use {
  uint64_t version;    /* which only steps that are written down change */
  int64_t first, last; /* steps */
  bool made;           /* the first of them writes all of it */
  bool kept;           /* somebody has it beside the session: it stays where it is */
  size_t bytes, at;    /* else: in the arena */
} use;

struct session {
  uint64_t id;
  step *step;
  use *use;
  int64_t steps, step_room, uses, use_room;
  int64_t spoilt; /* a step that used what something else had written meanwhile; -1: none */
  size_t planned, unplanned;
  graph graph; /* of them, where there is a GPU */
};

/* As the device's memory is, so that kernels see the same addresses modulo 16. */
enum { ALIGNED = 256 };

void session_free(context *c, session *p)
{
  if (!p)
    return;
  graph_drop(c, &p->graph);
  for (int64_t i = 0; i < p->steps; i++)
    for (int t = 0; t < p->step[i].c.op->n_in + p->step[i].c.op->n_out; t++)
      in_drop(c, p->step[i].t[t]);
  free(p->step);
  free(p->use);
  free(p);
}

/* ---- written down ---- */

static bool grow(void *list, int64_t n, int64_t *room, size_t each)
{
  void *old, *more;
  int64_t twice = *room ? 2 * *room : 64;
  if (n < *room)
    return true;
  memcpy(&old, list, sizeof old);
  if (twice > (int64_t)((size_t)PTRDIFF_MAX / each) || !(more = realloc(old, (size_t)twice * each)))
    return false;
  memcpy(list, &more, sizeof more);
  *room = twice;
  return true;
}

/* How often the step has written to this memory. */
static uint64_t writes(const step *s, const storage *to)
{
  uint64_t n = 0;
  for (int o = 0; o < s->c.op->n_out; o++)
    n += s->t[s->c.op->n_in + o]->s == to;
  return n;
}

static pmr_status note_use(session *p, const step *s, int t)
{
  storage *m = s->t[t]->s;
  uint64_t before = m->version - writes(s, m);
  if (m->noted_by != p->id) {
    if (!grow(&p->use, p->uses, &p->use_room, sizeof *p->use))
      return in_fail(PMR_NO_MEMORY, "%s: no memory to write it down", s->c.op->name);
    p->use[p->uses] = (use){.version = before,
                            .first = p->steps,
                            .made = before == 0 && t >= s->c.op->n_in,
                            .bytes = m->bytes};
    m->noted_by = p->id;
    m->note = p->uses++;
  }
  use *u = &p->use[m->note];
  if (u->last < p->steps && u->version != before && p->spoilt < 0)
    p->spoilt = p->steps;
  u->last = p->steps;
  return PMR_OK;
}

pmr_status session_note(session *p, const step *s)
{
  int n = s->c.op->n_in + s->c.op->n_out;
  if (!grow(&p->step, p->steps, &p->step_room, sizeof *p->step))
    return in_fail(PMR_NO_MEMORY, "%s: no memory to write it down", s->c.op->name);
  for (int t = 0; t < n; t++) {
    pmr_status r = note_use(p, s, t);
    if (r)
      return r;
  }
  for (int t = 0; t < n; t++) {
    p->use[s->t[t]->s->note].version = s->t[t]->s->version;
    s->t[t]->refs++;
  }
  p->step[p->steps++] = *s;
  return PMR_OK;
}

pmr_status pmr_session_begin(pmr_context h)
{
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  static uint64_t ids;
  context *c;
  pmr_status s = in_begin(h, &c);
  if (s)
    return s;
  if (c->recording)
    return in_end(c, in_fail(PMR_IN_USE, "session_begin: steps are written down already, since the "
                                         "last one: pmr_session_end ends that"));
  session *p = calloc(1, sizeof *p);
  if (!p)
    return in_end(c, in_fail(PMR_NO_MEMORY, "no memory for a session"));
  pthread_mutex_lock(&lock);
  p->id = ++ids;
  pthread_mutex_unlock(&lock);
  p->spoilt = -1;
  snprintf(p->graph.why, sizeof p->graph.why, "it has not run yet");
  c->recording = p;
  return in_end(c, PMR_OK);
}

/* ---- the plan ---- */

static void keep(session *p, const thing *t)
{
  if (t && t->s->noted_by == p->id)
    p->use[t->s->note].kept = true;
}

/* What a handle leads to, its gradient too, and what holds values from before. */
static void find_kept(const context *c, session *p)
{
  for (uint32_t i = 0; i < c->n_things; i++)
    if (c->things[i]) {
      keep(p, c->things[i]);
      keep(p, c->things[i]->grad);
    }
  for (int64_t i = 0; i < p->uses; i++)
    p->use[i].kept |= !p->use[i].made;
}

static size_t aligned(size_t bytes) { return (bytes + ALIGNED - 1) / ALIGNED * ALIGNED; }

static int larger(const void *a, const void *b)
{
  const use *x = *(use *const *)a, *y = *(use *const *)b;
  if (x->bytes != y->bytes)
    return x->bytes < y->bytes ? 1 : -1;
  return (x->first > y->first) - (x->first < y->first);
}

static int lower(const void *a, const void *b)
{
  const use *x = *(use *const *)a, *y = *(use *const *)b;
  return (x->at > y->at) - (x->at < y->at);
}

/* The largest first, each at the lowest place that is free during all of its life; beside holds n. */
static void place(session *p, use **order, int64_t n, use **beside)
{
  for (int64_t i = 0; i < n; i++) {
    use *u = order[i];
    int64_t m = 0;
    for (int64_t k = 0; k < i; k++)
      if (order[k]->first <= u->last && u->first <= order[k]->last)
        beside[m++] = order[k];
    qsort(beside, (size_t)m, sizeof *beside, lower);
    u->at = 0;
    for (int64_t k = 0; k < m && u->at + aligned(u->bytes) > beside[k]->at; k++)
      if (beside[k]->at + aligned(beside[k]->bytes) > u->at)
        u->at = beside[k]->at + aligned(beside[k]->bytes);
    if (u->at + aligned(u->bytes) > p->planned)
      p->planned = u->at + aligned(u->bytes);
    p->unplanned += aligned(u->bytes);
  }
}

static pmr_status plan(session *p)
{
  use **list = malloc((size_t)(2 * p->uses + 1) * sizeof *list);
  int64_t n = 0;
  if (!list)
    return in_fail(PMR_NO_MEMORY, "no memory for the plan of a session");
  for (int64_t i = 0; i < p->uses; i++)
    if (!p->use[i].kept)
      list[n++] = &p->use[i];
  qsort(list, (size_t)n, sizeof *list, larger);
  place(p, list, n, list + p->uses);
  free(list);
  return PMR_OK;
}

/* The tensors of the steps, in the arena where they are the session's own. */
static pmr_status settle(context *c, session *p, storage *arena)
{
  for (int64_t i = 0; i < p->steps; i++)
    for (int t = 0; t < p->step[i].c.op->n_in + p->step[i].c.op->n_out; t++) {
      thing *x = p->step[i].t[t];
      const use *u = &p->use[x->s->note];
      if (u->kept)
        continue;
      thing *y = in_thing_over(A_TENSOR, arena, x->dtype, u->at + x->from, x->count);
      if (!y)
        return PMR_NO_MEMORY; /* and the session goes, with those that are moved and those that are not */
      in_shape(y, x->rank, x->shape);
      p->step[i].t[t] = y;
      in_drop(c, x);
    }
  return PMR_OK;
}

static pmr_status finish(context *c, session *p, thing **out)
{
  storage *arena = NULL;
  if (p->spoilt >= 0)
    return in_fail(
        PMR_INVALID,
        "session: step %lld, %s (%s:%d), reads or writes what the program has written since an "
        "earlier step, which a session would not do again",
        (long long)p->spoilt + 1, p->step[p->spoilt].c.op->name, p->step[p->spoilt].file,
        p->step[p->spoilt].line);
  if (p->steps == 0)
    return in_fail(PMR_INVALID, "session: no step was computed since pmr_session_begin");
  find_kept(c, p);
  pmr_status s = plan(p);
  if (!s)
    s = in_storage(c, p->planned, "session", &arena);
  if (s)
    return s;
  thing *t = in_thing_over(A_SESSION, arena, PMR_U8, 0, (int64_t)p->planned);
  s = t ? settle(c, p, arena) : PMR_NO_MEMORY;
  in_storage_drop(c, arena);
  if (s)
    in_drop(c, t);
  else {
    t->plan = p;
    *out = t;
  }
  return s;
}

pmr_status pmr_session_end(pmr_context h, pmr_session *out)
{
  context *c;
  thing *t = NULL;
  pmr_status s = in_begin(h, &c);
  if (s)
    return s;
  if (!c->recording)
    return in_end(c, in_fail(PMR_INVALID, "session_end: pmr_session_begin was not called"));
  session *p = c->recording;
  c->recording = NULL;
  if (out)
    s = finish(c, p, &t);
  if (s || !out)
    session_free(c, p);
  return in_end(c, s || !out ? s : in_give(c, PMR_OK, t, out));
}

/* ---- computed again ---- */

pmr_status pmr_session_run(pmr_session h)
{
  context *c;
  thing *t;
  bool ran = false;
  pmr_status s = in_begin_thing(h, A_SESSION, "session", &c, &t);
  if (s)
    return s;
  session *p = t->plan;
  if (c->recording)
    s = in_fail(PMR_IN_USE,
                "session_run: a session cannot be part of another, and steps are written "
                "down: pmr_session_end ends that");
  else
    s = graph_run(c, &p->graph, p->step, p->steps, &ran);
  for (int64_t i = 0; i < p->steps && !s && !ran; i++)
    s = in_step(c, &p->step[i]);
  return in_end(c, s);
}

/* The case of a step with that attribute: what the catalogue allows, and tensors of the shapes that they have. */
static pmr_status other_attr(const step *s, int attr, double value, dc_case *out)
{
  const dc_op *op = s->c.op;
  dc_error err = {""};
  *out = s->c;
  out->attr[attr] = value;
  if (dc_case_check(out, 0, &err))
    return in_fail(PMR_INVALID, "%.400s", err.text);
  for (int t = 0; t < op->n_in + op->n_out; t++) {
    int64_t now[DC_RANK], then[DC_RANK];
    int rank = dc_shape(op, t, s->c.size, s->c.attr, now);
    if (rank != dc_shape(op, t, out->size, out->attr, then) ||
        memcmp(now, then, (size_t)rank * sizeof *now) != 0)
      return in_fail(PMR_INVALID,
                     "%s: with %s %g its %s would have another shape, which a session keeps",
                     op->name, op->attr[attr], value, op->tensor[t].name);
  }
  return PMR_OK;
}

/* All of the steps are looked at before the first is changed. */
static pmr_status set_attr(context *c, session *p, const dc_op *op, int attr, double value)
{
  dc_case changed;
  int64_t n = 0;
  for (int64_t i = 0; i < p->steps; i++)
    if (p->step[i].c.op == op) {
      pmr_status s = other_attr(&p->step[i], attr, value, &changed);
      if (s)
        return s;
      n++;
    }
  if (n == 0)
    return in_fail(PMR_INVALID, "session_attr: no step of the session is %s", op->name);
  for (int64_t i = 0; i < p->steps; i++)
    if (p->step[i].c.op == op && p->step[i].c.attr[attr] != value) {
      p->step[i].c.attr[attr] = value;
      graph_changed(c, &p->graph, &p->step[i]);
    }
  return PMR_OK;
}

pmr_status pmr_session_attr(pmr_session h, const char *name, const char *attr, double value)
{
  context *c;
  thing *t;
  int at = 0;
  pmr_status s = in_begin_thing(h, A_SESSION, "session", &c, &t);
  if (s)
    return s;
  const dc_op *op = dc_op_find(name);
  while (op && attr && at < op->n_attrs && strcmp(attr, op->attr[at]) != 0)
    at++;
  if (!op)
    s = in_fail(PMR_INVALID, "session_attr: op '%.40s': there is no such op in spec/ops.def",
                name ? name : "(null)");
  else if (!attr || at == op->n_attrs)
    s = in_fail(PMR_INVALID, "session_attr: %s: '%.40s' is none of its attributes", op->name,
                attr ? attr : "(null)");
  else
    s = in_attr(op, at, value, &value);
  return in_end(c, s ? s : set_attr(c, t->plan, op, at, value));
}

pmr_status pmr_session_about(pmr_session h, pmr_session_info *out)
{
  context *c;
  thing *t;
  if (!out)
    return in_fail(PMR_INVALID, "out is NULL: it must point to a pmr_session_info");
  pmr_status s = in_begin_thing(h, A_SESSION, "session", &c, &t);
  if (s)
    return s;
  *out = (pmr_session_info){t->plan->steps, (int64_t)t->plan->planned, (int64_t)t->plan->unplanned};
  return in_end(c, PMR_OK);
}

pmr_status pmr_session_graph(pmr_session h, pmr_graph_info *out)
{
  context *c;
  thing *t;
  if (!out)
    return in_fail(PMR_INVALID, "out is NULL: it must point to a pmr_graph_info");
  pmr_status s = in_begin_thing(h, A_SESSION, "session", &c, &t);
  if (s)
    return s;
  const graph *g = &t->plan->graph;
  *out = (pmr_graph_info){.graph = g->ran, .captured = g->captured};
  snprintf(out->why, sizeof out->why, "%s", g->ran ? "" : g->why);
  return in_end(c, PMR_OK);
}

pmr_status pmr_session_release(pmr_session h) { return in_release(h, A_SESSION, "session", false); }
