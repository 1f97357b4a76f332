#include "sarif.h"

#include <stdlib.h>
#include <string.h>

static const struct {
  const char *id, *text;
} RULES[] = {
    {"bound", "An element lies outside its error bound."},
    {"bits", "An element has not the bits that are right."},
    {"kind", "NaN or infinity where there is none, or none where there is one."},
    {"red-zone", "Bytes outside every tensor were written."},
    {"input-changed", "An input was changed."},
    {"stale", "The result depends on what the outputs or the workspace held before."},
    {"other-data", "The result is right, and then wrong on other data at the same addresses."},
    {"order", "The result depends on the schedule."},
    {"in-place", "The result is another one where an output takes its input's place."},
    {"adjoint", "The gradient is not the transposed derivative, on exact integers."},
    {"difference", "The reference gradient is not the derivative of the reference."},
    {"back-ends", "Two back ends give different bits."},
    {"launch", "The launcher refused a good case, or the device failed."},
    {"no-variant", "No variant of the kernel can run on the case."},
    {"crash", "The kernel's process died."},
    {"hang", "The kernel gave no answer in time."},
    {"not-checked", "No case was run."},
    {"suspect", "Nothing failed, but what was checked does not show that the kernel is right."},
};
enum { N_RULES = sizeof RULES / sizeof RULES[0] };

static int rule_index(const char *id)
{
  for (int i = 0; i < N_RULES; i++)
    if (strcmp(RULES[i].id, id) == 0)
      return i;
  return -1;
}

/* A path as a URI reference; relative ones stay so. NULL: no memory. */
static json_t *uri(const char *path)
{
  static const char SAFE[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/";
  char *text = malloc(3 * strlen(path) + 8), *at = text;
  json_t *value;
  if (!text)
    return NULL;
  if (*path == '/')
    at += sprintf(at, "file://");
  while (strncmp(path, "./", 2) == 0)
    path += 2 + strspn(path + 2, "/");
  for (; *path; path++)
    at += sprintf(at, strchr(SAFE, *path) ? "%c" : "%%%02X", (unsigned char)*path);
  *at = 0;
  value = json_string(text);
  free(text);
  return value;
}

static json_t *location(const sarif_finding *f)
{
  json_t *all = json_object();
  if (f->at.file) {
    json_t *where = json_pack("{s:{s:o}}", "artifactLocation", "uri", uri(f->at.file));
    if (where && *f->at.file != '/')
      json_object_set_new(json_object_get(where, "artifactLocation"), "uriBaseId",
                          json_string("%SRCROOT%"));
    if (where && f->at.line > 0)
      json_object_set_new(where, "region", json_pack("{s:i}", "startLine", f->at.line));
    json_object_set_new(all, "physicalLocation", where);
  }
  json_object_set_new(
      all, "logicalLocations",
      json_pack("[{s:o, s:s}]", "fullyQualifiedName", report_json(f->logical), "kind", "function"));
  return all;
}

void sarif_add(json_t *results, const sarif_finding *f)
{
  json_t *x = json_pack("{s:s, s:i, s:s, s:{s:o}, s:[o]}", "ruleId", f->rule, "ruleIndex",
                        rule_index(f->rule), "level", f->level, "message", "text",
                        report_json(f->message), "locations", location(f));
  json_t *more = json_object();
  if (f->replay) {
    json_object_set_new(x, "partialFingerprints",
                        json_pack("{s:o}", "replay/v1", report_json(f->replay)));
    json_object_set_new(more, "replay", report_json(f->replay));
  }
  if (f->found)
    json_object_set_new(more, "found", report_json(f->found));
  json_object_set_new(x, "properties", more);
  json_array_append_new(results, x);
}

int sarif_write(FILE *out, json_t *results, const char *command, const char *stopped)
{
  json_t *rules = json_array(), *notes = json_array();
  for (int i = 0; i < N_RULES; i++)
    json_array_append_new(rules, json_pack("{s:s, s:{s:s}}", "id", RULES[i].id, "shortDescription",
                                           "text", RULES[i].text));
  if (stopped)
    json_array_append_new(notes, json_pack("{s:s, s:{s:o}}", "level", "error", "message", "text",
                                           report_json(stopped)));
  json_t *log =
      json_pack("{s:s, s:s, s:[{s:{s:{s:s, s:s, s:o}}, s:[{s:o, s:b, s:o}], s:o}]}", "$schema",
                "https://json.schemastore.org/sarif-2.1.0.json", "version", "2.1.0", "runs", "tool",
                "driver", "name", "diffcheck", "version", REPORT_VERSION, "rules", rules,
                "invocations", "commandLine", report_json(command), "executionSuccessful", !stopped,
                "toolExecutionNotifications", notes, "results", results);
  char *text = log ? json_dumps(log, JSON_INDENT(1)) : NULL;
  json_decref(log);
  if (!text)
    return -1;
  fprintf(out, "%s\n", text);
  free(text);
  return 0;
}
