/* A session on a GPU is one graph: its launches, captured once, run as one. A step whose attributes are set from run to
 * run, as an optimizer's are, is captured anew when they have changed: such steps are parts of their own, so that those
 * between them stay as they are. Whatever goes wrong with a capture, the steps can run one after the other. */
#include "graph.h"

#include <stdio.h>
#include <string.h>

#include "../diffcheck/engine/engine.h"

enum {
  TRIES = 2
}; /* of a capture: a kernel that was not loaded yet may be in the way of the first */

static void say(graph *g, const char *doing, const char *what)
{
  snprintf(g->why, sizeof g->why, "%s%.160s", doing, what);
}

/* Why the steps run one after the other, whatever they are; NULL: they need not. */
static const char *no_graphs(const context *c)
{
  if (!c->device || !c->device->graphs || c->device->rest)
    return "no GPU computes";
  if (c->shadow)
    return "in a shadow each step is looked at by itself";
  if (c->others)
    return "kernels of others run, which need not be on the stream that is captured";
  return c->no_graphs ? "PROOFMARK_GRAPH=0" : NULL;
}

/* ---- parts: steps that change, and those between them ---- */

static int64_t part_end(const step *s, int64_t n, int64_t from)
{
  int64_t end = from + 1;
  while (end < n && s[end].changes == s[from].changes)
    end++;
  return end;
}

static int64_t count_parts(const step *s, int64_t n)
{
  int64_t parts = 0;
  for (int64_t i = 0; i < n; i = part_end(s, n, i))
    parts++;
  return parts;
}

static bool any_stale(const step *s, int64_t from, int64_t end)
{
  while (from < end && !s[from].stale)
    from++;
  return from < end;
}

/* ---- under the device's lock ---- */

static void forget(const context *c, graph *g)
{
  if (g->at)
    c->device->graphs->drop(g->at);
  g->at = NULL;
}

/* What is allocated before a capture, as nothing can be during it; *all: every step is captured. */
static bool prepare(context *c, graph *g, step *s, int64_t n, bool *all)
{
  *all = !g->at || g->work != c->work;
  for (int64_t i = 0; i < n; i++) {
    if (!*all && !s[i].stale) /* it had its own before */
      continue;
    s[i].work = dc_workspace(c->device, &s[i].c, NULL);
    if (!in_workspace(c, s[i].work)) {
      say(g, "", "no memory for its workspace");
      return false;
    }
  }
  *all |= g->work != c->work;
  g->work = c->work;
  if (!g->at)
    g->at = c->device->graphs->make((int)count_parts(s, n));
  if (!g->at)
    say(g, "", "no memory for a graph");
  return g->at != NULL;
}

static bool capture(const context *c, graph *g, step *s, int64_t n, int part)
{
  const pm_graphs *graphs = c->device->graphs;
  void *const stream = in_stream(c);
  const char *ran;
  pm_status r = graphs->begin(stream);
  if (r != PM_OK) {
    say(g, "", c->device->error());
    return false;
  }
  for (int64_t i = 0; i < n && r == PM_OK; i++) {
    r = in_launch(c, &s[i], s[i].work, &ran);
    g->other |= r == PM_OK && ran && s[i].variant && strcmp(s[i].variant, ran) != 0;
    s[i].variant = r == PM_OK ? ran : NULL;
  }
  if (r != PM_OK) {
    say(g, "capture: ", c->device->error());
    graphs->end(stream, NULL, 0);
    return false;
  }
  if (graphs->end(stream, g->at, part) != PM_OK) {
    say(g, "", c->device->error());
    return false;
  }
  for (int64_t i = 0; i < n; i++)
    s[i].stale = false;
  g->captured += n;
  return true;
}

/* Whether what is to be launched is as the steps are now. A kernel that comes in place of another may have clusters of
 * another size, which CUDA does not see when it updates a graph: then there is a new one. */
static bool current(context *c, graph *g, step *s, int64_t n)
{
  bool all, any = false;
  g->other = false;
  if (!prepare(c, g, s, n, &all))
    return false;
  for (int64_t i = 0, end, part = 0; i < n; i = end, part++) {
    end = part_end(s, n, i);
    if (!all && !any_stale(s, i, end))
      continue;
    any = true;
    if (!capture(c, g, s + i, end - i, (int)part))
      return false;
  }
  if (g->other) {
    forget(c, g);
    return current(c, g, s, n);
  }
  if (!any || c->device->graphs->ready(g->at) == PM_OK)
    return true;
  say(g, "", c->device->error());
  return false;
}

/* ---- a run ---- */

static void note(context *c, const step *s, int64_t n)
{
  c->steps += (uint64_t)n;
  for (int64_t i = 0; i < n; i++)
    for (int o = 0; o < s[i].c.op->n_out; o++)
      s[i].t[s[i].c.op->n_in + o]->s->version++;
}

pmr_status graph_run(context *c, graph *g, step *s, int64_t n, bool *ran)
{
  const char *no = no_graphs(c);
  pmr_status r = PMR_OK;
  *ran = g->ran = false;
  if (no)
    say(g, "", no);
  else if (g->failures < TRIES)
    say(g, "", "it failed");
  if (no || g->failures >= TRIES || n > INT32_MAX)
    return PMR_OK;
  for (int64_t i = 0; i < n && !r; i++) /* no step makes indices: they are what they will be */
    r = in_indices(c, &s[i]);
  if (r)
    return r;
  in_device_lock();
  if (current(c, g, s, n)) {
    g->failures = 0;
    *ran = true;
    r = in_device_status(c, c->device->graphs->launch(in_stream(c), g->at), "session");
    g->ran = !r;
  } else {
    g->failures++;
    forget(c, g);
  }
  in_device_unlock();
  if (!r && *ran)
    note(c, s, n);
  return r;
}

void graph_changed(context *c, graph *g, step *s)
{
  if (!s->changes) /* it becomes part of another part */
    graph_drop(c, g);
  s->changes = s->stale = true;
}

void graph_drop(context *c, graph *g)
{
  if (!g->at)
    return;
  in_device_lock();
  forget(c, g);
  in_device_unlock();
}
