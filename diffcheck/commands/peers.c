#include <jansson.h>
#include <libgen.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench.h"
#include "../report/report.h"

/* peers.py: $PM_PEERS, or beside the sources of the program's checkout, or here. */
static bool script(char path[PATH_MAX])
{
  static const char *const PLACES[] = {"%s/peers.py", "%s/../diffcheck/commands/peers.py"};
  char self[PATH_MAX] = "";
  const char *named = getenv("PM_PEERS");
  if (named && *named)
    return snprintf(path, PATH_MAX, "%s", named) < PATH_MAX;
  if (readlink("/proc/self/exe", self, sizeof self - 1) <= 0)
    return false;
  char *folder = dirname(self);
  for (size_t i = 0; i < sizeof PLACES / sizeof PLACES[0]; i++)
    if (snprintf(path, PATH_MAX, PLACES[i], folder) < PATH_MAX && access(path, R_OK) == 0)
      return true;
  return false;
}

json_t *bench_size_json(const dc_case *c)
{
  const dc_op *op = c->op;
  json_t *size = json_object();
  for (int d = 0; d < op->n_dims; d++)
    json_object_set_new(size, op->dim[d], json_integer(c->size[d]));
  for (int a = 0; a < op->n_attrs; a++)
    json_object_set_new(size, op->attr[a],
                        dc_attr_is_integer(op, a) ? json_integer((json_int_t)c->attr[a])
                                                  : json_real(c->attr[a]));
  return size;
}

static json_t *question(const bench_row *row, int n)
{
  json_t *all = json_array();
  for (int i = 0; i < n; i++)
    if (row[i].first)
      json_array_append_new(all, json_pack("{s:s, s:o}", "op", row[i].c.op->name, "size",
                                           bench_size_json(&row[i].c)));
  return all;
}

/* The child's standard output as JSON; NULL when it is none. */
static json_t *ask(const char *path, const json_t *what, bool compile)
{
  const char *python = getenv("PM_PYTHON");
  char *text = json_dumps(what, JSON_COMPACT), *command = NULL, quoted[PATH_MAX + 16];
  json_t *answer = NULL;
  if (text && report_quote(path, quoted, sizeof quoted) &&
      asprintf(&command, "%s %s '%s'%s 2>/dev/null", python && *python ? python : "python3", quoted,
               text, compile ? " --compile" : "") > 0) {
    FILE *f = popen(command, "r");
    if (f) {
      answer = json_loadf(f, 0, NULL);
      pclose(f);
    }
  }
  free(command);
  free(text);
  return answer;
}

static double number(const json_t *object, const char *key)
{
  const json_t *value = json_object_get(object, key);
  return json_is_number(value) ? json_number_value(value) : NAN;
}

bool bench_ask_peers(bench_row *row, int n, bool compile, bench_peers *out, char why[DC_TEXT])
{
  char path[PATH_MAX];
  const char *version;
  size_t k = 0;
  if (!script(path)) {
    snprintf(why, DC_TEXT, "peers.py is neither beside the program nor in $PM_PEERS");
    return false;
  }
  json_t *what = question(row, n), *answer = ask(path, what, compile);
  const json_t *rows = json_object_get(answer, "rows");
  json_decref(what);
  version = json_string_value(json_object_get(answer, "torch"));
  if (!version) {
    snprintf(why, DC_TEXT, "python3 cannot run PyTorch on a GPU here");
    json_decref(answer);
    return false;
  }
  snprintf(out->torch, sizeof out->torch, "%s", version);
  out->copy_GBs = number(answer, "copy_GBs");
  out->f32_TFs = number(answer, "f32_TFs");
  for (int i = 0; i < n; i++) {
    if (!row[i].first)
      continue;
    const json_t *answered = json_array_get(rows, k++);
    const char *error = json_string_value(json_object_get(answered, "error"));
    row[i].eager_us = number(answered, "eager_us");
    row[i].compiled_us = number(answered, "compiled_us");
    snprintf(row[i].peer_why, sizeof row[i].peer_why, "%s", error ? error : "");
  }
  json_decref(answer);
  return true;
}
