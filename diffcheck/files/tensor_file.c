#include "tensor_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "safetensors.h"
#include "zip.h"

enum { HEAD = 9, LISTED = 400 };

struct tensor_file {
  const char *chosen; /* NAME, or NULL */
  char path[TENSOR_FILE_PATH];
  FILE *f;
  enum { NPY, NPZ, SAFETENSORS } kind;
  unsigned char head[HEAD];
  size_t n_head;
  zip zip;
  safetensors safe;
};

/* Where ":NAME" begins: the whole is a file, or the longest part that is one; NULL: it has no name. */
static const char *colon(const char *named)
{
  char path[TENSOR_FILE_PATH];
  const char *first = strchr(named, ':');
  if (!first || access(named, F_OK) == 0)
    return NULL;
  for (const char *at = named + strlen(named); at > first; at--) {
    if (at[-1] != ':' || at - 1 - named >= TENSOR_FILE_PATH)
      continue;
    memcpy(path, named, (size_t)(at - 1 - named));
    path[at - 1 - named] = 0;
    if (access(path, F_OK) == 0)
      return at - 1;
  }
  return NULL;
}

static bool know(tensor_file *x, char *message)
{
  const unsigned char *b = x->head;
  size_t n = x->n_head = fread(x->head, 1, HEAD, x->f);
  if (ferror(x->f))
    return file_fail(message, "%s", strerror(errno));
  if (n == 0)
    return file_fail(message, "is empty: must be .npy, .npz or safetensors");
  if (memcmp(b, "\x93NUMPY", n < 6 ? n : 6) == 0) {
    x->kind = NPY;
    return !x->chosen ||
           file_fail(message, ":%.100s: a .npy file holds one tensor, without a name", x->chosen);
  }
  if (n >= 4 && (memcmp(b, "PK\3\4", 4) == 0 || memcmp(b, "PK\5\6", 4) == 0)) {
    x->kind = NPZ;
    return zip_open(x->f, &x->zip, message);
  }
  if (n == HEAD && b[HEAD - 1] == '{') {
    x->kind = SAFETENSORS;
    return safetensors_open(x->f, &x->safe, message);
  }
  return file_fail(message, "must begin as .npy does (\\x93NUMPY), as .npz (PK), or as safetensors "
                            "(eight bytes of length, then '{')");
}

char *tensor_file_path(const char *named, char path[TENSOR_FILE_PATH])
{
  const char *at = colon(named);
  snprintf(path, TENSOR_FILE_PATH, "%.*s", at ? (int)(at - named) : TENSOR_FILE_PATH, named);
  return path;
}

tensor_file *tensor_file_open(const char *named, char *message)
{
  tensor_file *x = calloc(1, sizeof *x);
  const char *at = colon(named);
  bool good = x && strlen(named) < sizeof x->path;
  if (!good)
    file_fail(message, x ? "the name is longer than %zu bytes" : "no memory", sizeof x->path - 1);
  else {
    x->chosen = at ? at + 1 : NULL;
    tensor_file_path(named, x->path);
    good = (x->f = fopen(x->path, "rb")) ? know(x, message)
                                         : file_fail(message, "%s", strerror(errno));
  }
  if (good)
    return x;
  file_in(x && x->path[0] ? x->path : named, message);
  tensor_file_close(x);
  return NULL;
}

void tensor_file_close(tensor_file *x)
{
  if (!x)
    return;
  zip_close(&x->zip);
  safetensors_close(&x->safe);
  if (x->f)
    fclose(x->f);
  free(x);
}

bool tensor_file_is_set(const tensor_file *x) { return x->kind != NPY && !x->chosen; }

/* ---- the tensors of a set, by name ---- */

static int members(const tensor_file *x) { return x->kind == NPZ ? x->zip.n : x->safe.n; }

/* The length of member i's name; 0: it is no tensor. Of an .npz without ".npy". */
static size_t name_of(const tensor_file *x, int i, const char **name)
{
  *name = x->kind == NPZ ? x->zip.member[i].name : x->safe.tensor[i].name;
  size_t n = strlen(*name);
  if (x->kind == SAFETENSORS)
    return n;
  return n > 4 && strcmp(*name + n - 4, ".npy") == 0 ? n - 4 : 0;
}

static int find(const tensor_file *x, const char *wanted)
{
  const char *name;
  for (int i = 0; i < members(x); i++) {
    size_t n = name_of(x, i, &name);
    if (n > 0 && n == strlen(wanted) && memcmp(name, wanted, n) == 0)
      return i;
  }
  return -1;
}

/* The only tensor; -1: there are several, or none. */
static int only(const tensor_file *x)
{
  const char *name;
  int found = -1;
  for (int i = 0; i < members(x); i++)
    if (name_of(x, i, &name) > 0) {
      if (found >= 0)
        return -1;
      found = i;
    }
  return found;
}

/* "it has a, b, c and 12 more" */
static char *list(const tensor_file *x, char text[LISTED])
{
  const char *name;
  int shown = 0, all = 0;
  size_t at = 0;
  text[0] = 0;
  for (int i = 0; i < members(x); i++) {
    size_t n = name_of(x, i, &name);
    if (n == 0)
      continue;
    all++;
    if (shown + 1 == all && at + n + 60 < LISTED) {
      at += (size_t)sprintf(text + at, "%s%.*s", shown ? ", " : "it has ", (int)n, name);
      shown++;
    }
  }
  if (all == 0)
    sprintf(text, "it has no tensor%s",
            x->kind == NPZ && members(x) > 0 ? ": no member is a .npy file" : "");
  else if (shown < all)
    sprintf(text + at, "%s%d %s", shown ? " and " : "it has ", all - shown,
            shown ? "more" : "tensors");
  return text;
}

static int which(const tensor_file *x, const dc_op *op, int t, bool alone, char *message)
{
  const char *name, *own = op->tensor[t].name;
  char names[LISTED];
  int i = find(x, x->chosen ? x->chosen : own);
  if (i < 0 && !x->chosen && alone && (i = only(x)) >= 0) {
    size_t n = name_of(x, i, &name);
    for (int k = 0; k < op->n_in + op->n_out; k++)
      if (strlen(op->tensor[k].name) == n && memcmp(op->tensor[k].name, name, n) == 0)
        i = -1; /* it says itself that it is another one */
  }
  if (i < 0 && x->chosen)
    file_fail(message, "tensor '%.100s' is not in the file: %s", x->chosen, list(x, names));
  else if (i < 0)
    file_fail(message, "%s of %s: no tensor '%s' is in the file: %s; name one as FILE:NAME", own,
              op->name, own, list(x, names));
  return i;
}

bool tensor_file_take(tensor_file *x, const dc_op *op, int t, bool alone, int64_t max_bytes,
                      npy *out, char *message)
{
  byte_source s;
  bool good;
  if (x->kind == NPY) {
    source_file(&s, x->f, x->head, x->n_head);
    good = npy_take(&s, max_bytes, out, message);
    return good || file_in(x->path, message);
  }
  int i = which(x, op, t, alone, message);
  if (i < 0)
    return file_in(x->path, message);
  if (x->kind == NPZ) {
    const zip_member *m = &x->zip.member[i];
    good = source_member(&s, x->f, m->data, m->packed, m->size, m->deflated, m->crc, message);
    if (good) {
      good = npy_take(&s, max_bytes, out, message);
      source_close(&s);
    }
    good = good || file_in(m->name, message);
  } else
    good = safetensors_take(x->f, &x->safe.tensor[i], max_bytes, out, message) ||
           file_in(x->safe.tensor[i].name, message);
  return good || file_in(x->path, message);
}
