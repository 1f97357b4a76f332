#include "description.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../engine/engine.h"
#include "module.h"
#include "words.h"

#define FIELD(name) #name, offsetof(description, name), sizeof(((description *)0)->name)
static const struct {
  const char *key;
  size_t at, room;
} KEYS[] = {{FIELD(kernel)}, {FIELD(op)},     {FIELD(library)},  {FIELD(call)},
            {FIELD(source)}, {FIELD(launch)}, {FIELD(on)},       {FIELD(where)},
            {FIELD(arith)},  {FIELD(set)},    {FIELD(unordered)}};
enum { N_KEYS = sizeof KEYS / sizeof KEYS[0] };

const char *description_key(int i) { return i < N_KEYS ? KEYS[i].key : NULL; }

char *description_value(description *d, int i, size_t *room)
{
  *room = KEYS[i].room;
  return (char *)d + KEYS[i].at;
}

char *description_write(const description *d, char *text)
{
  size_t n = 0;
  text[0] = 0;
  for (int i = 0; i < N_KEYS; i++) {
    const char *value = (const char *)d + KEYS[i].at;
    if (*value)
      n += (size_t)snprintf(text + n, DESCRIPTION_TEXT - n, "%s: %s\n", KEYS[i].key, value);
  }
  return text;
}

dc_status description_check(const char *name, const description *d, dc_error *err)
{
  const struct {
    const char *key, *value;
  } PAIRED[] = {
      {"library", d->library}, {"call", d->call}, {"source", d->source}, {"launch", d->launch}};
  if (!d->op[0])
    return dc_fail(err, DC_INVALID, "%.100s: %s: op is missing: which operation it is of", name,
                   d->kernel);
  if (!dc_op_find(d->op))
    return dc_fail(err, DC_INVALID, "%.100s: op '%.31s': unknown; `diffcheck list` names them",
                   name, d->op);
  for (int i = 0; i < 4; i++)
    if (!PAIRED[i].value[0] && PAIRED[i ^ 1].value[0])
      return dc_fail(err, DC_INVALID, "%.100s: %s: %s is missing beside %s", name, d->kernel,
                     PAIRED[i].key, PAIRED[i ^ 1].key);
  if (!d->library[0] == !d->source[0])
    return dc_fail(err, DC_INVALID,
                   "%.100s: %s: must have either library and call, or source and launch", name,
                   d->kernel);
  if (d->on[0] && strcmp(d->on, "cpu") != 0 && strcmp(d->on, "cuda") != 0)
    return dc_fail(err, DC_INVALID, "%.100s: on '%s': must be cpu or cuda", name, d->on);
  if (module_is(d->source) && strcmp(d->on, "cuda") != 0)
    return dc_fail(err, DC_INVALID,
                   "%.100s: source %.150s: is compiled for a GPU: it runs on cuda alone", name,
                   d->source);
  if (d->unordered[0] && strcmp(d->unordered, "yes") != 0 && strcmp(d->unordered, "no") != 0)
    return dc_fail(err, DC_INVALID, "%.100s: unordered '%s': must be yes or no", name,
                   d->unordered);
  return DC_OK;
}

typedef struct reader {
  const char *name, *folder;
  int line;
  description now;
  bool begun;
  description **list;
  int *n;
  dc_error *err;
} reader;

static dc_status finish(reader *r)
{
  if (!r->begun)
    return DC_OK;
  dc_status s = description_check(r->name, &r->now, r->err);
  if (s)
    return s;
  for (int i = 0; i < *r->n; i++)
    if (strcmp((*r->list)[i].kernel, r->now.kernel) == 0 &&
        strcmp((*r->list)[i].op, r->now.op) == 0)
      return dc_fail(r->err, DC_INVALID, "%.100s: kernel '%s' of %s: there is another of that name",
                     r->name, r->now.kernel, r->now.op);
  if (*r->n == DESCRIPTION_KERNELS)
    return dc_fail(r->err, DC_INVALID, "%.100s: has more than %d kernels", r->name,
                   DESCRIPTION_KERNELS);
  description *more = realloc(*r->list, (size_t)(*r->n + 1) * sizeof **r->list);
  if (!more)
    return dc_fail(r->err, DC_NO_MEMORY, "%.100s: no memory for its kernels", r->name);
  *r->list = more;
  more[(*r->n)++] = r->now;
  return DC_OK;
}

/* A path of the file's, from its folder. */
static bool placed(const reader *r, const char *value, char *to, size_t room)
{
  return snprintf(to, room, "%s%s%s", r->folder && *value != '/' ? r->folder : "",
                  r->folder && *value != '/' ? "/" : "", value) < (int)room;
}

static dc_status take(reader *r, const char *key, const char *value)
{
  const bool path = strcmp(key, "library") == 0 || strcmp(key, "source") == 0;
  if (strcmp(key, "kernel") == 0) {
    dc_status s = finish(r);
    if (s)
      return s;
    r->now = (description){.kernel = ""};
    r->begun = true;
    r->now.line = r->line;
    snprintf(r->now.file, sizeof r->now.file, "%s", r->name);
    if (value[strcspn(value, " \t=,'\"")])
      return dc_fail(r->err, DC_INVALID, "%.100s:%d: kernel '%.40s': must be one word", r->name,
                     r->line, value);
  } else if (!r->begun)
    return dc_fail(r->err, DC_INVALID, "%.100s:%d: %.40s: comes before the first kernel: NAME",
                   r->name, r->line, key);
  for (int i = 0; i < N_KEYS; i++)
    if (strcmp(key, KEYS[i].key) == 0) {
      char *to = (char *)&r->now + KEYS[i].at;
      if (*to)
        return dc_fail(r->err, DC_INVALID, "%.100s:%d: %s is given twice", r->name, r->line, key);
      if (!*value)
        return dc_fail(r->err, DC_INVALID, "%.100s:%d: %s: its value is missing", r->name, r->line,
                       key);
      if (path ? !placed(r, value, to, KEYS[i].room) : strlen(value) >= KEYS[i].room)
        return dc_fail(r->err, DC_INVALID, "%.100s:%d: %s: is longer than %zu characters", r->name,
                       r->line, key, KEYS[i].room - 1);
      if (!path)
        strcpy(to, value);
      return DC_OK;
    }
  return dc_fail(r->err, DC_INVALID,
                 "%.100s:%d: '%.40s': unknown; known: kernel, op, library, call, source, launch, "
                 "on, where, arith, set, unordered",
                 r->name, r->line, key);
}

static dc_status line(reader *r, char *text)
{
  char *colon;
  text = words_trimmed(text);
  if (!*text || *text == '#')
    return DC_OK;
  for (const char *p = text; *p; p++)
    if ((unsigned char)*p < ' ' && *p != '\t')
      return dc_fail(r->err, DC_INVALID, "%.100s:%d: has a control character: it must be text",
                     r->name, r->line);
  if (!(colon = strchr(text, ':')))
    return dc_fail(r->err, DC_INVALID, "%.100s:%d: '%.40s': a line is KEY: VALUE", r->name, r->line,
                   text);
  const char *value = colon + 1 + strspn(colon + 1, " \t");
  *colon = 0;
  while (colon > text && strchr(" \t", colon[-1]))
    *--colon = 0;
  return take(r, text, value);
}

dc_status description_read(const char *name, const char *folder, const char *text, size_t n,
                           description **list, int *n_list, dc_error *err)
{
  const int before = *n_list;
  reader r = {.name = name, .folder = folder, .list = list, .n = n_list, .err = err};
  dc_status s = DC_OK;
  char *copy = malloc(n + 1), *next = copy;
  if (!copy)
    return dc_fail(err, DC_NO_MEMORY, "%.100s: no memory for it", name);
  memcpy(copy, text, n);
  copy[n] = 0;
  if (memchr(copy, 0, n))
    s = dc_fail(err, DC_INVALID, "%.100s: has a byte 0: it must be text", name);
  while (!s && next) {
    char *at = strsep(&next, "\n");
    r.line++;
    s = line(&r, at);
  }
  if (!s)
    s = finish(&r);
  if (!s && *n_list == before)
    s = dc_fail(err, DC_INVALID, "%.100s: has no kernel: it must begin with kernel: NAME", name);
  if (s)
    *n_list = before;
  free(copy);
  return s;
}

dc_status description_load(const char *path, description **list, int *n_list, dc_error *err)
{
  char folder[DESCRIPTION_PATH];
  if (snprintf(folder, sizeof folder, "%s", path) >= (int)sizeof folder)
    return dc_fail(err, DC_INVALID, "%.100s..: the path is too long", path);
  char *slash = strrchr(folder, '/');
  if (slash)
    *slash = 0;
  size_t n;
  char *text;
  dc_status s = words_file(path, "text", DESCRIPTION_BYTES, &text, &n, err);
  if (s)
    return s;
  s = description_read(path, slash ? (*folder ? folder : "/") : NULL, text, n, list, n_list, err);
  free(text);
  return s;
}
