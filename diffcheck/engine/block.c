/* The block on the device, and one launch on it. Of a kernel that dies here the process dies: in a
 * worker the checker goes on. */
#include "worker.h"

#include <stdlib.h>
#include <string.h>
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
  if (k->late)
    k->b->free(k->late);
  k->at = k->late = NULL;
  k->cap = k->late_cap = 0;
}

enum { BUSY_BYTES = 32 << 20, BUSY_READS = 16, LATE_MOST = 256 << 20 };

/* Brings it there behind work that the stream is still busy with, over numbers that are none: a kernel
 * that somebody launches on another stream than the one it was given finds those. */
static pm_status upload_late(const dc_block *k, const char *before, char *none, size_t bytes)
{
  memset(none, 0xff, bytes);
  pm_status s = k->b->upload(k->late, before, bytes);
  if (s == PM_OK)
    s = k->b->upload(k->at, none, bytes);
  for (int i = 0; i < BUSY_READS && s == PM_OK; i++)
    s = k->b->copy_bytes(NULL, k->late, BUSY_BYTES);
  return s == PM_OK ? k->b->copy_bytes(k->at, k->late, bytes) : s;
}

/* Stream 0 is the one that copy_bytes works on. */
static pm_status upload(dc_block *k, const dc_order *o, const char *before)
{
  const size_t bytes = o->l.bytes, room = bytes < BUSY_BYTES ? BUSY_BYTES : bytes;
  if (!k->foreign || o->stream != 0 || !k->b->stream(0) || !k->b->copy_bytes || bytes > LATE_MOST)
    return k->b->upload(k->at, before, bytes);
  if (k->late_cap < room) {
    if (k->late)
      k->b->free(k->late);
    k->late = k->b->alloc(room);
    k->late_cap = k->late ? room : 0;
  }
  char *none = k->late ? malloc(bytes ? bytes : 1) : NULL;
  pm_status s = none ? upload_late(k, before, none, bytes) : k->b->upload(k->at, before, bytes);
  free(none);
  return s;
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
  dc_args args = {.size = o->size, .attr = o->attr, .accumulate = o->accumulate, .gap = o->gap};
  *a = (dc_answer){.step = DC_STEP_DONE};
  if (grow(k, o->l.bytes)) {
    a->step = DC_STEP_ALLOC;
    return;
  }
  pm_status s = upload(k, o, before);
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
