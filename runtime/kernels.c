/* Kernels of others, in place of ours: which a file describes, which steps they are for, and their launch. */
#include "kernels.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../diffcheck/engine/arith.h"
#include "../diffcheck/engine/engine.h"
#include "../diffcheck/files/replay.h"
#include "../diffcheck/foreign/foreign.h"
#include "../diffcheck/foreign/source.h"
#include "../diffcheck/report/judged.h"

struct other {
  foreign *f;
  dc_fixed fixed; /* sizes and attributes that it has no other values of */
  dc_arith arith;
  int64_t ran, left;
  other *next;
};

/* ---- from a file ---- */

/* What a step gives: float32 and int64, each tensor in its place and with its rows one behind the other. */
static dc_status can_stand_in(const dc_foreign *f, dc_error *err)
{
  const dc_op *op = f->op;
  for (int t = 0; t < op->n_in + op->n_out; t++) {
    const char *name = op->tensor[t].name;
    if (f->type[t])
      return dc_fail(err, DC_INVALID,
                     "%s is of another type there: a step's tensors are float32, and indices int64",
                     name);
    if (t < op->n_in && (f->inout >> t & 1))
      return dc_fail(err, DC_INVALID, "it may change its input %s, which others of a program read",
                     name);
  }
  for (int o = 0; o < op->n_out; o++)
    if (f->place[o] >= 0)
      return dc_fail(err, DC_INVALID, "%s takes the place of an input there",
                     op->tensor[op->n_in + o].name);
  if (f->accumulate == 1)
    return dc_fail(
        err, DC_INVALID,
        "it adds to what its outputs hold, and a step's hold nothing: 'zeroed' has them cleared");
  return DC_OK;
}

static dc_status memory_is(const context *c, const description *d, dc_error *err)
{
  const char *on = strcmp(d->on, "cuda") == 0 ? "cuda" : "sim";
  if (d->source[0] &&
      strcmp(on, "sim") == 0) /* such a library needs symbols that a program must export */
    return dc_fail(err, DC_INVALID,
                   "source: on the simulator, plain CUDA runs in diffcheck run --source alone");
  if (strcmp(c->device->name, on) == 0)
    return DC_OK;
  return dc_fail(err, DC_INVALID, "on: %s: back end %s runs on %s", d->on[0] ? d->on : "cpu",
                 c->name, c->device->name);
}

/* Under the device's lock: libraries are loaded, and their own beginnings run. */
static dc_status load(const context *c, const description *d, other *x, dc_error *err)
{
  const dc_op *op = dc_op_find(d->op);
  char path[PATH_MAX];
  dc_error note = {""};
  dc_fixed_init(&x->fixed);
  dc_status s = foreign_new(d, &x->f, err);
  s = s ? s : memory_is(c, d, err);
  s = s ? s : can_stand_in(foreign_kernel(x->f), err);
  if (!s && d->set[0])
    s = replay_fix("set", d->set, op, &x->fixed, &note, err);
  if (!s)
    s = dc_arith_read("arith", d->arith[0] ? d->arith : JUDGED_FOREIGN, JUDGED_FOREIGN, &x->arith,
                      err);
  s = s ? s : foreign_build(x->f, source_headers(path), err);
  const bool device = strcmp(c->device->name, "cuda") == 0;
  return s ? s : foreign_load(x->f, device ? c->device : NULL, err);
}

/* All from there on. */
static void drop(other **from)
{
  while (*from) {
    other *x = *from;
    *from = x->next;
    foreign_free(x->f);
    free(x);
  }
}

static other *kernel_for(const context *c, const char *op)
{
  for (other *x = c->others; x; x = x->next)
    if (strcmp(foreign_kernel(x->f)->op->name, op) == 0)
      return x;
  return NULL;
}

/* All that the file has, or none of it. */
static pmr_status take(context *c, const char *file)
{
  description *list = NULL;
  char doing[PMR_TEXT];
  dc_error err = {""};
  other **end = &c->others, **last;
  int n = 0;
  pmr_status r = in_checker_status(description_load(file, &list, &n, &err), "kernels: ", &err);
  while (*end)
    end = &(*end)->next;
  last = end;
  for (int i = 0; i < n && !r; i++) {
    const description *d = &list[i];
    const other *is = kernel_for(c, d->op);
    other *x = is ? NULL : calloc(1, sizeof *x);
    if (is)
      r = in_fail(PMR_INVALID, "kernels: %.200s: %s is a second one of %s, which has %s", file,
                  d->kernel, d->op, foreign_description(is->f)->kernel);
    else if (!x)
      r = in_fail(PMR_NO_MEMORY, "kernels: no memory for %s of %s", d->kernel, d->op);
    else {
      *last = x;
      last = &x->next;
      snprintf(doing, sizeof doing, "kernels: %.200s: %s of %s: ", file, d->kernel, d->op);
      r = in_checker_status(load(c, d, x, &err), doing, &err);
    }
  }
  if (r)
    drop(end);
  free(list);
  return r;
}

pmr_status kernels_open(context *c)
{
  const char *file = getenv("PROOFMARK_KERNELS");
  if (!file || !*file || !c->device)
    return PMR_OK;
  in_device_lock();
  pmr_status s = take(c, file);
  in_device_unlock();
  return s;
}

void kernels_close(context *c) { drop(&c->others); }

pmr_status pmr_kernels(pmr_context h, const char *file)
{
  context *c;
  if (!file)
    return in_fail(PMR_INVALID, "kernels: the file is NULL: it must be a path of descriptions");
  pmr_status s = in_begin(h, &c);
  if (s)
    return s;
  if (!c->device)
    return in_end(c, in_fail(PMR_INVALID,
                             "kernels: back end %s runs none: open sim, cuda or shadow", c->name));
  s = in_wait(c, "kernels"); /* on other streams they would not wait for what is on ours */
  if (s)
    return in_end(c, s);
  in_device_lock();
  s = take(c, file);
  in_device_unlock();
  return in_end(c, s);
}

pmr_status pmr_kernel_about(pmr_context h, int i, pmr_kernel_info *out)
{
  context *c;
  int n = 0;
  if (!out)
    return in_fail(PMR_INVALID, "out is NULL: it must point to a pmr_kernel_info");
  pmr_status s = in_begin(h, &c);
  if (s)
    return s;
  const other *x = c->others;
  for (; x && n != i; x = x->next)
    n++;
  if (!x)
    return in_end(c, in_fail(PMR_INVALID, "kernel %d: there are %d", i, n));
  const description *d = foreign_description(x->f);
  *out = (pmr_kernel_info){.ran = x->ran, .left = x->left};
  snprintf(out->op, sizeof out->op, "%s", d->op);
  snprintf(out->kernel, sizeof out->kernel, "%s", d->kernel);
  return in_end(c, PMR_OK);
}

/* ---- a step ---- */

static bool has_values(const other *x, const dc_case *k)
{
  for (int i = 0; i < k->op->n_dims; i++)
    if (x->fixed.size[i] >= 0 && x->fixed.size[i] != k->size[i])
      return false;
  for (int i = 0; i < k->op->n_attrs; i++)
    if (!isnan(x->fixed.attr[i]) && x->fixed.attr[i] != k->attr[i])
      return false;
  return true;
}

static bool takes(const other *x, const dc_case *k)
{
  const dc_foreign *f = foreign_kernel(x->f);
  return has_values(x, k) && f->suits(f, k);
}

other *kernels_for_case(const context *c, const dc_case *k)
{
  other *x = kernel_for(c, k->op->name);
  return x && takes(x, k) ? x : NULL;
}

other *kernels_of(context *c, const step *s)
{
  other *x = kernel_for(c, s->c.op->name);
  if (!x)
    return NULL;
  dc_case k = s->c;
  k.misaligned = in_misaligned(s);
  if (takes(x, &k)) {
    x->ran++;
    return x;
  }
  x->left++;
  return NULL;
}

const char *kernels_file(const other *x) { return foreign_description(x->f)->file; }

size_t kernels_workspace(const other *x, const dc_case *k)
{
  const dc_foreign *f = foreign_kernel(x->f);
  return (f->workspace(f, k) + 15) / 16 * 16;
}

static pmr_status clear(const context *c, const pm_exec *ex, int64_t n, void *at, const char *what)
{
  pm_exec on = {.stream = ex->stream};
  return in_device_status(c, c->device->zeros(&on, n, at), what);
}

pmr_status kernels_launch(const context *c, const other *x, pm_exec *ex, const dc_args *a,
                          const dc_case *k)
{
  const dc_foreign *f = foreign_kernel(x->f);
  const dc_op *op = k->op;
  pmr_status r = PMR_OK;
  for (int o = 0; o < op->n_out && !r; o++) {
    const int t = op->n_in + o;
    if (f->zeroed >> t & 1)
      r = clear(c, ex, dc_count(op, t, k->size, k->attr), a->t[t], op->name);
  }
  if (!r && (f->zeroed >> (op->n_in + op->n_out) & 1))
    r = clear(c, ex, (int64_t)(ex->work_bytes / sizeof(float)), ex->work, op->name);
  if (r)
    return r;
  pm_status s = f->launch(f, f->b, ex, a);
  if (s != PM_OK && *foreign_trouble())
    return in_fail(PMR_INVALID, "%s, kernel %s: %.400s", op->name,
                   foreign_description(x->f)->kernel, foreign_trouble());
  return in_device_status(c, s, op->name);
}

pm_arith kernels_declared(const other *x, const dc_case *k)
{
  pm_arith a;
  dc_undeclared(k->op, k->size, k->attr, &a);
  dc_arith_at(&x->arith, k->op, k->size, k->attr, &a);
  return a;
}
