/* Handles, and the words of errors. A handle is a number: whose context (a slot), which thing of it,
 * and a generation that no other thing of this process has had for 2^32 of them. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

_Static_assert(sizeof(void *) == 8, "a handle takes 64 bits");

enum { SLOTS = 255, INDEX_BITS = 24, THE_CONTEXT = (1 << INDEX_BITS) - 1 };

static struct {
  pthread_mutex_t lock;
  pthread_cond_t idle;
  struct {
    context *c;
    uint32_t generation;
    int users; /* calls in progress */
    bool closing;
  } slot[SLOTS];
  uint32_t generations;
} all = {.lock = PTHREAD_MUTEX_INITIALIZER, .idle = PTHREAD_COND_INITIALIZER};

static _Thread_local char words[PMR_TEXT];

const char *pmr_error(void) { return words; }

const char *pmr_status_name(pmr_status s)
{
  static const char *const names[] = {"ok",        "invalid", "handle",   "in-use",   "no-memory",
                                      "no-device", "device",  "gradient", "diverged", "file"};
  return (unsigned)s < sizeof names / sizeof *names ? names[s] : "?";
}

const char *in_kind(kind k)
{
  static const char *const names[] = {"buffer", "tensor", "session"};
  return names[k];
}

pmr_status in_fail(pmr_status s, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  vsnprintf(words, sizeof words, format, args);
  va_end(args);
  return s;
}

static void *handle(uint32_t generation, unsigned slot, uint32_t index)
{
  return (void *)((uintptr_t)generation << 32 | (uintptr_t)slot << INDEX_BITS | index);
}

static unsigned slot_of(const void *h) { return (uintptr_t)h >> INDEX_BITS & 255; }
static uint32_t index_of(const void *h) { return (uintptr_t)h & THE_CONTEXT; }
static uint32_t generation_of(const void *h) { return (uint32_t)((uintptr_t)h >> 32); }

/* Never 0, so that no handle is NULL. */
static uint32_t new_generation(void)
{
  if (++all.generations == 0)
    all.generations = 1;
  return all.generations;
}

static pmr_status stale(const void *h, const char *what)
{
  if (!h)
    return in_fail(PMR_HANDLE, "%s is NULL: it must be a handle", what);
  return in_fail(PMR_HANDLE, "%s: there is no such handle: it was released or never made", what);
}

static pmr_status begin(const void *h, const char *what, bool whole, context **c)
{
  unsigned slot = slot_of(h);
  pthread_mutex_lock(&all.lock);
  bool good = h && slot < SLOTS && all.slot[slot].c && !all.slot[slot].closing &&
              (index_of(h) == THE_CONTEXT) == whole &&
              (!whole || generation_of(h) == all.slot[slot].generation);
  if (good) {
    *c = all.slot[slot].c;
    all.slot[slot].users++;
  }
  pthread_mutex_unlock(&all.lock);
  if (!good)
    return stale(h, what);
  pthread_mutex_lock(&(*c)->lock);
  return PMR_OK;
}

pmr_status in_begin(pmr_context h, context **c) { return begin(h, "context", true, c); }

pmr_status in_end(context *c, pmr_status s)
{
  unsigned slot = slot_of(c->handle);
  pthread_mutex_unlock(&c->lock);
  pthread_mutex_lock(&all.lock);
  if (--all.slot[slot].users == 0)
    pthread_cond_broadcast(&all.idle);
  pthread_mutex_unlock(&all.lock);
  return s;
}

pmr_status in_register(context *c)
{
  unsigned slot = 0;
  pthread_mutex_lock(&all.lock);
  while (slot < SLOTS && all.slot[slot].c)
    slot++;
  if (slot < SLOTS) {
    all.slot[slot].c = c;
    all.slot[slot].generation = new_generation();
    all.slot[slot].closing = false;
    c->handle = handle(all.slot[slot].generation, slot, THE_CONTEXT);
  }
  pthread_mutex_unlock(&all.lock);
  return slot < SLOTS ? PMR_OK
                      : in_fail(PMR_NO_MEMORY, "%d contexts are open: close one of them", SLOTS);
}

pmr_status in_unregister(pmr_context h, context **c)
{
  unsigned slot = slot_of(h);
  pthread_mutex_lock(&all.lock);
  if (!h || slot >= SLOTS || !all.slot[slot].c || all.slot[slot].closing ||
      index_of(h) != THE_CONTEXT || generation_of(h) != all.slot[slot].generation) {
    pthread_mutex_unlock(&all.lock);
    return stale(h, "context");
  }
  all.slot[slot].closing = true;
  while (all.slot[slot].users > 0)
    pthread_cond_wait(&all.idle, &all.lock);
  *c = all.slot[slot].c;
  all.slot[slot].c = NULL;
  pthread_mutex_unlock(&all.lock);
  return PMR_OK;
}

pmr_status in_thing(context *c, const void *h, kind k, const char *what, thing **out)
{
  uint32_t i = index_of(h);
  if (h && slot_of(h) != slot_of(c->handle))
    return in_fail(PMR_HANDLE, "%s is of another context: all of a call must be of one", what);
  if (!h || i >= c->n_things || !c->things[i] || c->things[i]->generation != generation_of(h))
    return stale(h, what);
  if (c->things[i]->kind != k)
    return in_fail(PMR_HANDLE, "%s must be a %s, and is a %s", what, in_kind(k),
                   in_kind(c->things[i]->kind));
  *out = c->things[i];
  return PMR_OK;
}

pmr_status in_begin_thing(const void *h, kind k, const char *what, context **c, thing **out)
{
  pmr_status s = begin(h, what, false, c);
  if (s)
    return s;
  s = in_thing(*c, h, k, what, out);
  return s ? in_end(*c, s) : PMR_OK;
}

pmr_status in_make_handle(context *c, thing *t)
{
  uint32_t i = c->first_free;
  while (i < c->n_things && c->things[i])
    i++;
  if (i == c->room) {
    uint32_t room = c->room ? 2 * c->room : 64;
    thing **more = room < THE_CONTEXT ? realloc(c->things, room * sizeof *more) : NULL;
    if (!more)
      return in_fail(PMR_NO_MEMORY, "no memory for a handle beside %u", c->n_things);
    c->things = more;
    c->room = room;
  }
  if (i == c->n_things)
    c->n_things++;
  c->first_free = i + 1;
  c->things[i] = t;
  c->handles++;
  t->owners = 1;
  t->index = i;
  pthread_mutex_lock(&all.lock);
  t->generation = new_generation();
  pthread_mutex_unlock(&all.lock);
  return PMR_OK;
}

void in_forget_handle(context *c, thing *t)
{
  c->things[t->index] = NULL;
  c->handles--;
  t->owners = 0;
  if (t->index < c->first_free)
    c->first_free = t->index;
}

void *in_handle(const context *c, const thing *t)
{
  return handle(t->generation, slot_of(c->handle), t->index);
}

pmr_status in_give(context *c, pmr_status s, thing *t, void *out)
{
  if (!s)
    s = in_make_handle(c, t);
  if (s)
    in_drop(c, t);
  else {
    void *h = in_handle(c, t);
    memcpy(out, &h, sizeof h);
  }
  return s;
}
