#include "graph.h"

#include <stdlib.h>

struct pm_graph {
  int parts;
  pm_sim_::written *part[]; /* (parts), each the first of its launches */
};

namespace pm_sim_ {

bool writing;

namespace {
written *first, **last = &first; /* what is written down now */

void forget(written *w)
{
  while (w) {
    written *next = w->next;
    free(w);
    w = next;
  }
}
} // namespace

bool write_down(const written &w)
{
  enum { ALIGNED = alignof(max_align_t) };
  const size_t head = (sizeof w + ALIGNED - 1) / ALIGNED * ALIGNED;
  written *copy = w.body.bytes ? (written *)malloc(head + w.body.bytes) : NULL;
  if (!copy)
    return false;
  *copy = w;
  copy->body.at = memcpy((char *)copy + head, w.body.at, w.body.bytes);
  *last = copy;
  last = &copy->next;
  return true;
}

pm_graph *graph_make(int parts)
{
  pm_graph *g = (pm_graph *)calloc(1, sizeof *g + (size_t)parts * sizeof *g->part);
  if (g)
    g->parts = parts;
  return g;
}

void graph_begin() { writing = true; }

bool graph_end(pm_graph *g, int part)
{
  const bool good = writing && !pm_sim_failed();
  if (good && g) {
    forget(g->part[part]);
    g->part[part] = first;
  } else
    forget(first);
  first = NULL;
  last = &first;
  writing = false;
  return good;
}

void graph_launch(const pm_graph *g)
{
  for (int i = 0; i < g->parts; i++)
    for (const written *w = g->part[i]; w; w = w->next) run(*w);
}

void graph_drop(pm_graph *g)
{
  for (int i = 0; g && i < g->parts; i++) forget(g->part[i]);
  free(g);
}

} // namespace pm_sim_
