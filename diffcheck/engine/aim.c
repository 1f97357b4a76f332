/* Cases for a variant: drawn at random, shapes that one alone suits come by too rarely, and where
 * they do the simulator may pass it over for another. So of TURNS cases two are each variant's, one
 * for its vectors and one for whatever else it takes. Which, and what is drawn, hangs on the case's
 * number alone. */
#include "worker.h"

enum {
  TURNS = 32,  /* half of them are some variant's where an op has eight, as many as may be */
  STEP = 13,   /* coprime to TURNS: turns of a variant are spread over them */
  MOST = 2000, /* tries; the rarest shapes come once in some hundreds */
  PATIENCE = 20000
};
_Static_assert(2 * DC_VARIANTS <= TURNS, "two turns a variant");

static int suits(const dc_options *o, const dc_case *c, const char *variant)
{
  for (int b = 0; b < o->n_backends; b++)
    if (o->backend[b] == &pm_sim && o->worker[b])
      return dc_worker_suits(o->worker[b], c, variant);
  return dc_suits(c, variant);
}

/* Draws under other numbers, of the same parity: `accumulate` is the number's. Of those that suit the
 * variant the first with fours as wanted (-1: any), or else the first. 0: none suits. */
static int draw_for(dc_case *c, const dc_op *op, const dc_options *o, int64_t index,
                    const char *variant, int fours)
{
  int found = 0;
  for (int64_t k = 0, spent = 0; k < MOST && spent < PATIENCE; k++) {
    dc_case x;
    spent += dc_case_draw(&x, op, &o->fixed, o->seed, index + (k << 40), 0);
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
  int64_t turn = (uint64_t)index * STEP % TURNS;
  int n = dc_variants(o, op, name), is_large = o->large > 0 && index % o->large == o->large - 1;
  int fours = (int)((turn + index / TURNS) & 1);
  int aimed = 0;
  if (only[0] && !is_large)
    aimed = draw_for(c, op, o, index, only, -1);
  else if (n > 1 && turn < 2 * n && !is_large)
    aimed = draw_for(c, op, o, index, name[turn / 2], fours);
  if (!aimed)
    dc_case_draw(c, op, &o->fixed, o->seed, index, o->large);
}
