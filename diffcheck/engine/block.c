/* The block on the device, and one launch on it. Of a kernel that dies here the process dies: in a
 * worker the checker goes on. */
#include "worker.h"

#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#define ZONE_CLOSE(p, n) ASAN_POISON_MEMORY_REGION(p, n)
#define ZONE_OPEN(p, n) ASAN_UNPOISON_MEMORY_REGION(p, n)
#else
#define ZONE_CLOSE(p, n) ((void)(p), (void)(n))
#define ZONE_OPEN(p, n) ((void)(p), (void)(n))
#endif

/* On the simulator: what is outside of every tensor no kernel's contract may speak of, and under
 * AddressSanitizer a red zone that is so much as read is reported. */
static void zones(const dc_block *k, const dc_layout *l, int closed)
{
  size_t end = 0;
  if (k->b->extent)
    k->b->extent(NULL, 0);
  for (int i = 0; k->b->extent && closed && i < l->n; i++)
    k->b->extent(k->at + l->t[i].at, l->t[i].bytes);
  if (strcmp(k->b->name, "sim") != 0)
    return;
  for (int i = 0; i <= l->n; i++) {
    size_t to = i < l->n ? l->t[i].at : l->bytes;
    if (closed)
      ZONE_CLOSE(k->at + end, to - end);
    else
      ZONE_OPEN(k->at + end, to - end);
    if (i < l->n)
      end = l->t[i].at + l->t[i].bytes;
  }
}

static void failed(const dc_block *k, dc_step step, pm_status status, dc_answer *a)
{
  a->step = step;
  a->spoilt = status == PM_DEVICE;
  snprintf(a->error, sizeof a->error, "%s", k->b->error());
}

static int grow(dc_block *k, size_t bytes)
{
  if (bytes <= k->cap)
    return 0;
  dc_block_free(k);
  k->at = k->b->alloc(bytes);
  k->cap = k->at ? bytes : 0;
  return k->at ? 0 : -1;
}

void dc_block_free(dc_block *k)
{
  if (k->at)
    k->b->free(k->at);
  k->at = NULL;
  k->cap = 0;
}

void dc_block_alone(const dc_block *k)
{
  if (k->self && getpid() != k->self)
    _exit(DC_GONE);
}

void dc_block_run(dc_block *k, const dc_order *o, const char *before, char *after, pm_exec *ex,
                  dc_answer *a)
{
  const pm_backend *b = o->watched && k->b->watched ? k->b->watched : k->b;
  const dc_span *work = &o->l.t[o->l.n - 1];
  dc_args args = {.size = o->size, .attr = o->attr, .accumulate = o->accumulate};
  *a = (dc_answer){.step = DC_STEP_DONE};
  if (grow(k, o->l.bytes)) {
    a->step = DC_STEP_ALLOC;
    return;
  }
  pm_status s = k->b->upload(k->at, before, o->l.bytes);
  if (s != PM_OK) {
    failed(k, DC_STEP_UPLOAD, s, a);
    return;
  }
  *ex = (pm_exec){.stream = k->b->stream(o->stream),
                  .work = k->at + work->at,
                  .work_bytes = work->bytes,
                  .variant = o->variant[0] ? o->variant : NULL};
  for (int t = 0; t < o->l.n - 1; t++)
    args.t[t] = k->at + o->l.t[o->place[t]].at;
  b->shuffle(o->schedule);
  zones(k, &o->l, 1);
  s = k->foreign ? k->foreign->launch(k->foreign, b, ex, &args) : o->op->glue->launch(b, ex, &args);
  dc_block_alone(k);
  if (s != PM_OK)
    failed(k, s == PM_UNSUITED ? DC_STEP_UNSUITED : DC_STEP_LAUNCH, s, a);
  pm_status done = b->sync();
  a->spoilt |= done == PM_DEVICE;
  zones(k, &o->l, 0);
  if (ex->ran)
    snprintf(a->ran, sizeof a->ran, "%s", ex->ran);
  if (a->step == DC_STEP_DONE && done != PM_OK)
    failed(k, DC_STEP_RUN, done, a);
  if (a->step == DC_STEP_DONE && (s = k->b->download(after, k->at, o->l.bytes)) != PM_OK)
    failed(k, DC_STEP_DOWNLOAD, s, a);
}
