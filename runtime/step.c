/* One step: an op on tensors of the context's, by its back end. */
#include <stdlib.h>
#include <string.h>

#include "../diffcheck/engine/engine.h"
#include "kernels.h"
#include "session.h"
#include "shadow.h"

/* ---- on the reference ---- */

static pmr_status on_reference(const step *s)
{
  const dc_op *op = s->c.op;
  dc_case c = s->c;
  dc_error err = {""};
  float *out[DC_OUTPUTS] = {NULL};
  for (int t = 0; t < op->n_in; t++)
    c.given[t] = s->t[t]->s->at + s->t[t]->from;
  for (int o = 0; o < op->n_out; o++)
    out[o] = (float *)(void *)(s->t[op->n_in + o]->s->at + s->t[op->n_in + o]->from);
  return in_checker_status(dc_eval(&c, NULL, NULL, out, &err), "", &err);
}

/* ---- on a device ---- */

bool in_workspace(context *c, size_t bytes)
{
  if (bytes <= c->work_bytes)
    return true;
  void *more = c->device->alloc(bytes);
  if (!more)
    return false;
  if (c->work) { /* kernels that use it may be running yet */
    if (c->stream && !c->others)
      c->device->streams->wait(c->stream);
    else
      c->device->sync();
    c->device->free(c->work);
  }
  c->work = more;
  c->work_bytes = bytes;
  return true;
}

/* its: in place of ours, or NULL */
static pmr_status workspace(context *c, const dc_case *k, const other *its, size_t *bytes)
{
  *bytes = its ? kernels_workspace(its, k) : dc_workspace(c->device, k, NULL);
  if (in_workspace(c, *bytes))
    return PMR_OK;
  return in_fail(PMR_NO_MEMORY, "%s: no memory on %s for its workspace of %zu bytes", k->op->name,
                 c->name, *bytes);
}

unsigned in_off_vector(const thing *t) { return ((uintptr_t)t->s->at + t->from) % 16 != 0; }

/* Kernels read vectors where they can, so that an address is part of what a case is. */
unsigned in_misaligned(const step *s)
{
  unsigned bits = 0;
  for (int t = 0; t < s->c.op->n_in + s->c.op->n_out; t++)
    bits |= in_off_vector(s->t[t]) << t;
  return bits;
}

static dc_args arguments(const context *c, const step *s, size_t bytes, pm_exec *ex)
{
  dc_args a = {.size = s->c.size, .attr = s->c.attr, .gap = s->c.gap};
  *ex = (pm_exec){.stream = in_stream(c), .work = c->work, .work_bytes = bytes};
  for (int t = 0; t < s->c.op->n_in + s->c.op->n_out; t++)
    a.t[t] = s->t[t]->s->at + s->t[t]->from;
  return a;
}

pm_status in_launch(const context *c, const step *s, size_t bytes, const char **ran)
{
  pm_exec ex;
  const dc_args a = arguments(c, s, bytes, &ex);
  const pm_status r = s->c.op->glue->launch(c->device, &ex, &a);
  *ran = ex.ran;
  return r;
}

static pmr_status launch_other(const context *c, const step *s, const other *its, size_t bytes,
                               const char **ran)
{
  pm_exec ex;
  const dc_args a = arguments(c, s, bytes, &ex);
  const pmr_status r = kernels_launch(c, its, &ex, &a, &s->c);
  *ran = ex.ran;
  return r;
}

/* look: what went wrong is told as this step's. */
static pmr_status on_device(context *c, const step *s, bool look, const other **its,
                            const char **ran)
{
  const dc_op *op = s->c.op;
  const pm_backend *b = c->device;
  size_t bytes;
  pmr_status r = in_indices(c, s);
  if (r)
    return r;
  *its = kernels_of(c, s);
  in_device_lock();
  r = workspace(c, &s->c, *its, &bytes);
  if (!r)
    r = *its ? launch_other(c, s, *its, bytes, ran)
             : in_device_status(c, in_launch(c, s, bytes, ran), op->name);
  if (!r && b->rest) /* the simulator, which alone can rest, is done and says what went wrong */
    r = in_device_status(c, b->sync(), op->name);
  in_device_unlock();
  return r || b->rest || !look ? r : in_wait(c, op->name); /* a GPU is waited for later */
}

pmr_status in_step(context *c, const step *s)
{
  const dc_op *op = s->c.op;
  const char *ran = NULL;
  const other *its = NULL;
  dc_error err = {""};
  void *before[DC_TENSORS] = {NULL};
  dc_status st = dc_case_check(&s->c, 0, &err);
  if (st)
    return in_checker_status(st, "", &err);
  c->steps++;
  bool look = c->shadow && shadow_wants(c->shadow, op, c->steps);
  pmr_status r = look ? shadow_before(c, s, before) : PMR_OK;
  if (!r)
    r = c->device ? on_device(c, s, look, &its, &ran) : on_reference(s);
  if (!r)
    for (int o = 0; o < op->n_out; o++)
      s->t[op->n_in + o]->s->version++;
  if (!r && look)
    r = shadow_after(c, s, its, ran, before);
  if (!r && c->recording)
    r = session_note(c->recording, s);
  for (int t = 0; t < op->n_in; t++)
    free(before[t]);
  return r;
}
