/* Contexts: which back end computes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../diffcheck/commands/backends.h"
#include "kernels.h"
#include "session.h"

/* The simulator runs the threads of one launch at a time. */
static pthread_mutex_t device = PTHREAD_MUTEX_INITIALIZER;
void in_device_lock(void) { pthread_mutex_lock(&device); }
void in_device_unlock(void) { pthread_mutex_unlock(&device); }

static void read_catalogue(void) { dc_op_at(0); }

const char *pmr_op_name(int i)
{
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, read_catalogue); /* threads find it read */
  const dc_op *op = dc_op_at(i);
  return op ? op->name : NULL;
}

pmr_status in_device_status(const context *c, pm_status s, const char *doing)
{
  if (s == PM_OK)
    return PMR_OK;
  return in_fail(s == PM_DEVICE      ? PMR_DEVICE
                 : s == PM_NO_DEVICE ? PMR_NO_DEVICE
                                     : PMR_INVALID,
                 "%s on %s: %s", doing, c->name, c->device->error());
}

pmr_status in_checker_status(dc_status s, const char *doing, const dc_error *err)
{
  if (!s)
    return PMR_OK;
  return in_fail(s == DC_NO_MEMORY || s == DC_TOO_BIG ? PMR_NO_MEMORY : PMR_INVALID, "%s%.400s",
                 doing, err->text);
}

void *in_stream(const context *c) { return c->stream ? c->stream->at : c->device->stream(0); }

pmr_status in_wait(context *c, const char *doing)
{
  if (c->stream && !c->others)
    return in_device_status(c, c->device->streams->wait(c->stream), doing);
  in_device_lock();
  pmr_status s = in_device_status(c, c->device->sync(), doing);
  in_device_unlock();
  return s;
}

/* One of them, or both where either will do: cuda first. */
static pmr_status find_device(context *c, bool cuda, bool sim)
{
  dc_error why = {""};
  const pm_backend *b = NULL;
  pm_status s = PM_NO_DEVICE;
  in_device_lock();
  if (cuda && (b = backends_cuda(&why)) != NULL && (s = b->init()) != PM_OK)
    snprintf(why.text, sizeof why.text, "%.200s", b->error());
  if (s != PM_OK && sim && (s = pm_sim.init()) == PM_OK)
    b = &pm_sim;
  if (s == PM_OK) {
    c->device = b;
    snprintf(c->device_name, sizeof c->device_name, "%s", b->device());
    c->stream = b->streams ? b->streams->make() : NULL;
  }
  in_device_unlock();
  if (s == PM_OK && b->streams && !c->stream)
    return in_fail(PMR_NO_MEMORY, "no memory on %s for a stream", c->name);
  return s == PM_OK ? PMR_OK
                    : in_fail(PMR_NO_DEVICE, "back end cuda: no GPU to run on: %s", why.text);
}

static pmr_status choose(context *c, const char *name)
{
  static const struct {
    const char *name;
    bool cuda, sim, shadow;
  } rows[] = {{"ref", false, false, false},      {"sim", false, true, false},
              {"cuda", true, false, false},      {"shadow", true, true, true},
              {"shadow:sim", false, true, true}, {"shadow:cuda", true, false, true}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (strcmp(name, rows[i].name) == 0) {
      c->name = rows[i].name;
      snprintf(c->device_name, sizeof c->device_name, "reference");
      pmr_status s =
          rows[i].cuda || rows[i].sim ? find_device(c, rows[i].cuda, rows[i].sim) : PMR_OK;
      return !s && rows[i].shadow ? in_shadow_open(c) : s;
    }
  return in_fail(PMR_INVALID,
                 "back end '%.40s': must be ref, sim, cuda, shadow, shadow:sim or shadow:cuda",
                 name);
}

static void drop_stream(context *c)
{
  if (c->stream)
    c->device->streams->drop(c->stream);
}

pmr_status pmr_open(const char *backend, pmr_context *out)
{
  const char *asked = getenv("PROOFMARK_BACKEND");
  if (!out)
    return in_fail(PMR_INVALID, "out is NULL: it must point to a pmr_context");
  context *c = calloc(1, sizeof *c);
  if (!c)
    return in_fail(PMR_NO_MEMORY, "no memory for a context");
  pthread_mutex_init(&c->lock, NULL);
  const char *graphs = getenv("PROOFMARK_GRAPH");
  c->no_graphs = graphs && strcmp(graphs, "0") == 0;
  pmr_op_name(0);
  pmr_status s = choose(c, backend ? backend : asked && *asked ? asked : "ref");
  if (!s)
    s = kernels_open(c);
  if (!s)
    s = in_register(c);
  if (!s) {
    *out = c->handle;
    return PMR_OK;
  }
  kernels_close(c);
  in_shadow_close(c);
  drop_stream(c);
  pthread_mutex_destroy(&c->lock);
  free(c);
  return s;
}

pmr_status pmr_close(pmr_context h)
{
  context *c;
  pmr_status s = in_unregister(h, &c);
  if (s)
    return s;
  session_free(c, c->recording);
  for (uint32_t i = 0; i < c->n_things; i++)
    if (c->things[i]) {
      thing *t = c->things[i];
      int owners = t->owners;
      in_forget_handle(c, t);
      while (owners--)
        in_drop(c, t);
    }
  if (c->device)
    s = in_wait(c, "closing");
  in_device_lock();
  if (c->work)
    c->device->free(c->work);
  in_free_kept(c);
  drop_stream(c);
  in_device_unlock();
  kernels_close(c);
  in_shadow_close(c);
  pthread_mutex_destroy(&c->lock);
  free(c->things);
  free(c);
  return s;
}

pmr_status pmr_backend(pmr_context h, const char **name, const char **device_name)
{
  context *c;
  pmr_status s = in_begin(h, &c);
  if (s)
    return s;
  if (name)
    *name = c->name;
  if (device_name)
    *device_name = c->device_name;
  return in_end(c, PMR_OK);
}

pmr_status pmr_sync(pmr_context h)
{
  context *c;
  pmr_status s = in_begin(h, &c);
  if (s)
    return s;
  if (c->device)
    s = in_wait(c, "sync");
  return in_end(c, s);
}

pmr_status pmr_usage(pmr_context h, int64_t *handles, int64_t *bytes)
{
  context *c;
  pmr_status s = in_begin(h, &c);
  if (s)
    return s;
  if (handles)
    *handles = c->handles;
  if (bytes)
    *bytes = (int64_t)c->bytes;
  return in_end(c, PMR_OK);
}
