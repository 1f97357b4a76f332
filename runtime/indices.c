/* Indices that an op must have in range. Kernels that meet another write nothing, and say so in a word that somebody
 * must wait for; so it is looked for before. What the host writes is looked at while the host has it: only of what
 * nobody has seen is the device asked, once for each time it was written. */
#include <stdlib.h>
#include <string.h>

#include "../diffcheck/engine/engine.h"
#include "internal.h"

enum { EACH = sizeof(int64_t) };

static void widen(seen *w, int64_t x)
{
  w->least = x < w->least ? x : w->least;
  w->most = x > w->most ? x : w->most;
}

static bool known(const storage *s)
{
  return s->seen.end > s->seen.from && s->seen.version == s->version;
}

static int64_t at_index(const char *from, size_t i)
{
  int64_t x;
  memcpy(&x, from + i * EACH, EACH); /* the program's bytes, which may lie anywhere */
  return x;
}

void in_written(storage *s, size_t at, const void *from, size_t bytes)
{
  const bool was = known(s);
  s->version++;
  if (bytes == 0)
    s->seen.version += was;
  if (!s->indices || bytes == 0 || at % EACH || bytes % EACH)
    return; /* of parts of numbers nothing is known */
  const int64_t first = at_index(from, 0);
  seen w = {s->version, at, at + bytes, first, first};
  for (size_t i = 1; i < bytes / EACH; i++)
    widen(&w, at_index(from, i));
  if (was && s->seen.from <= at && w.end <= s->seen.end) { /* those beside it are as they were */
    if (s->seen.from < at || w.end < s->seen.end) {
      widen(&w, s->seen.least);
      widen(&w, s->seen.most);
    }
    w.from = s->seen.from;
    w.end = s->seen.end;
  }
  s->seen = w;
}

void in_unknown(storage *s) { s->seen = (seen){.end = 0}; }

/* From the device, where all of them may be in range. */
static pmr_status look(context *c, const step *s, int t, int64_t limit)
{
  const thing *x = s->t[t];
  int64_t *ix = NULL;
  pmr_status r = in_fetch(c, x, s->c.op->name, (void **)&ix);
  if (r)
    return r;
  seen w = {x->s->version, x->from, x->from + (size_t)x->count * EACH, ix[0], ix[0]};
  for (int64_t i = 0; !r && i < x->count; i++) {
    widen(&w, ix[i]);
    if (ix[i] < 0 || ix[i] >= limit)
      r = in_fail(PMR_INVALID, "%s: %s[%lld] is %lld, must be from 0 to %lld", s->c.op->name,
                  s->c.op->tensor[t].name, (long long)i, (long long)ix[i], (long long)limit - 1);
  }
  free(ix);
  if (!r)
    x->s->seen = w;
  return r;
}

pmr_status in_indices(context *c, const step *s)
{
  const dc_op *op = s->c.op;
  const int t = op->glue->within ? dc_index_tensor(op) : -1;
  const int64_t limit = s->c.size[op->glue->index_dim];
  if (t < 0 || !s->t[t]->count)
    return PMR_OK;
  const thing *x = s->t[t];
  const seen *w = &x->s->seen;
  if (known(x->s) && w->from <= x->from && x->from + (size_t)x->count * EACH <= w->end &&
      w->least >= 0 && w->most < limit)
    return PMR_OK;
  return look(c, s, t, limit);
}
