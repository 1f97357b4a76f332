/* A step's loss once more on the reference, from the weights that the device has, and how far rounding may bring the
 * two apart. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "gpt.h"

pmr_status twin_open(const gpt *g, int64_t batch, twin *out)
{
  pmr_context c;
  const int64_t n = batch * g->k.context;
  pmr_status s = pmr_open("ref", &c);
  if (s)
    return s;
  *out = (twin){.p = {.batch = batch, .seq = g->k.context}};
  s = gpt_plan(&out->g, c, &g->k);
  out->g.c = c;
  s = s ? s : pmr_backend(g->c, &out->device, NULL);
  s = s ? s : pmr_keep_inputs(c, 1);
  int64_t *none = s ? NULL : calloc((size_t)n, sizeof *none);
  if (!s && !none)
    s = gpt_no_memory("a batch on the reference");
  s = s ? s : pmr_from_host(c, PMR_I64, 1, &n, none, &out->p.token);
  s = s ? s : pmr_from_host(c, PMR_I64, 1, &n, none, &out->next);
  s = s ? s : gpt_mask(&out->g, g->k.context, &out->p.mask);
  if (!s && g->k.positions == LEARNED)
    s = gpt_places(&out->g, batch, g->k.context, &out->p.place);
  for (int i = 0; i < g->n && !s; i++) {
    weight *w = &out->g.w[i];
    if (!w->rank)
      continue;
    s = pmr_zeros(c, w->rank, w->size, &w->p);
    s = s ? s : pmr_requires_grad(w->p, 1);
  }
  free(none);
  return s;
}

void twin_close(twin *w)
{
  if (w->steps)
    printf("compared with the reference: %" PRId64
           " steps, apart by %.2g of the first-order bound at most\n",
           w->steps, w->most);
  free(w->g.w);
  if (w->g.c)
    pmr_close(w->g.c); /* with all that is in it */
}

pmr_status twin_take(twin *w, const gpt *g)
{
  pmr_status s = pmr_no_grad(w->g.c, 1);
  for (int i = 0; i < g->n && !s; i++) {
    const weight *x = &g->w[i];
    if (!x->rank)
      continue;
    const int64_t n = x->size[0] * (x->rank == 2 ? x->size[1] : 1);
    float *p = malloc((size_t)n * sizeof *p);
    s = p ? pmr_to_host(x->p, PMR_F32, p, n) : gpt_no_memory("weights on the host");
    s = s ? s : pmr_put(w->g.w[i].p, PMR_F32, p, n);
    free(p);
  }
  pmr_status off = pmr_no_grad(w->g.c, 0);
  return s ? s : off;
}

pmr_status twin_compare(twin *w, const int64_t *token, const int64_t *next, int64_t step,
                        double loss)
{
  const int64_t n = w->p.batch * w->p.seq;
  pmr_tensor y = NULL;
  pmr_propagated r;
  double own = 0;
  pmr_status s = pmr_put(w->p.token, PMR_I64, token, n);
  s = s ? s : pmr_put(w->next, PMR_I64, next, n);
  s = s ? s : gpt_loss(&w->g, &w->p, w->next, &y);
  s = s ? s : pmr_item(y, &own);
  s = s ? s : pmr_error_bound(y, NULL, &r);
  if (y)
    pmr_release(y);
  if (s)
    return s;
  const double most = r.device + r.reference, by = fabs(loss - own);
  printf("step %" PRId64
         ": %.9g on %s, %.9g on the reference: apart by %.2g, to first order %.2g at "
         "most; %.2g of it\n",
         step, loss, w->device, own, by, most, by / most);
  w->steps++;
  w->most = fmax(w->most, by / most);
  if (by <= most) /* not so where a number is NaN */
    return PMR_OK;
  gpt_refuse("step %" PRId64
             ": the loss on %s is further from the reference's than the first-order "
             "bound",
             step, w->device);
  return gpt_apart();
}
