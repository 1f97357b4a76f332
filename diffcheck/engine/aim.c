/* Cases for a variant: drawn at random, shapes that one alone suits come by too rarely, and where
 * they do the simulator may pass it over for another. So of DC_TURNS cases two are each variant's, one
 * for its vectors and one for whatever else it takes. Which, and what is drawn, hangs on the case's
 * number alone. */
#include "worker.h"

enum {
  SOME = 64,   /* tries at an extent, which few variants suit */
  MOST = 4000, /* tries; the rarest shapes come once in some hundreds */
  PATIENCE = 20000
};
_Static_assert(2 * DC_VARIANTS + DC_EXTENT_TURNS <= DC_TURNS, "two turns a variant");

static int suits(const dc_options *o, const dc_case *c, const char *variant)
{
  if (o->foreign)
    return o->foreign->suits(o->foreign, c);
  for (int b = 0; b < o->n_backends; b++)
    if (o->backend[b] == &pm_sim && o->worker[b])
      return dc_worker_suits(o->worker[b], c, variant);
  return dc_suits(c, variant);
}

/* Draws under other numbers, of the same parity: `accumulate` is the number's. Of those that suit the
 * variant the first with fours as wanted (-1: any), or else the first. 0: none suits. */
static int draw_for(dc_case *c, const dc_op *op, const dc_options *o, int64_t index, dc_extent e,
                    const char *variant, int fours)
{
  int found = 0, most = e.kind == DC_USUAL ? MOST : SOME;
  for (int64_t k = 0, spent = 0; k < most && spent < PATIENCE; k++) {
    dc_case x;
    spent += dc_case_draw_to(&x, op, &o->fixed, o->seed, index + (k << 40), e);
    if (dc_case_check(&x, o->limit_bytes, NULL) || !suits(o, &x, variant))
      continue;
    int right = fours < 0 || dc_case_fours(&x) == fours;
    if (!found || right)
      *c = x;
    found = 1;
    if (right)
      break;
  }
  if (found)
    snprintf(c->variant, sizeof c->variant, "%s", variant);
  return found;
}

void dc_case_aim(dc_case *c, const dc_op *op, const dc_options *o, int64_t index)
{
  const char *name[DC_VARIANTS], *only = o->fixed.variant;
  const dc_extent usual = {.kind = DC_USUAL};
  int64_t turn = dc_turn(index);
  int n = dc_variants(o, op, name), sim = 0, aimed = 0;
  for (int b = 0; b < o->n_backends; b++)
    sim |= strcmp(o->backend[b]->name, "sim") == 0 || strcmp(o->backend[b]->name, "cpu") == 0;
  dc_extent e = dc_extent_of(index, o->large, sim);
  if (o->huge && index == o->first + o->cases - 1)
    e = (dc_extent){.kind = DC_PAST};
  else if (only[0] && e.kind != DC_LARGE)
    aimed = (e.kind != DC_USUAL && draw_for(c, op, o, index, e, only, -1)) ||
            draw_for(c, op, o, index, usual, only, -1);
  else if (n > 1 && turn < 2 * n && e.kind == DC_USUAL)
    aimed = draw_for(c, op, o, index, usual, name[turn / 2], (int)((turn + index / DC_TURNS) & 1));
  if (!aimed)
    dc_case_draw_to(c, op, &o->fixed, o->seed, index, e);
}
