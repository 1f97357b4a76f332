/* How a run is told: one format is three functions over what the run has found so far. */
#ifndef DIFFCHECK_REPORT_H
#define DIFFCHECK_REPORT_H
#include <stdbool.h>
#include <stdio.h>

#include "../engine/diffcheck.h"

/* Where a kernel is from. */
typedef struct report_source {
  const char *file; /* its own, or the one that describes it */
  int line;         /* 0: not known */
} report_source;

typedef struct report {
  FILE *out;
  bool colour;
  int width;           /* columns to fit into */
  const char *command; /* as typed */
  const char *inputs;  /* what a replay line needs after it: " --input FILE", quoted, or "" */
  const char
      *plan; /* beside seed and cases, what hangs together: alike in runs that can be merged */
  /* Writes the failing case of that result as a program of its own; or says why there is none. NULL: there is
   * none of any. */
  dc_status (*script)(const void *arg, int result, const dc_failure *f, FILE *out, dc_error *err);
  const char *(*script_ending)(const void *arg, int result);
  const void *script_arg;
  int shard, shards; /* this run has the cases of one of so many; shards 0: all of them */
  bool kernels;      /* results are of kernels that are not ours, each with a name */
  char date[32];     /* ISO 8601, UTC */
  uint64_t seed;
  int64_t cases; /* asked for, of an op */
  const pm_backend *const *backend;
  const char (*device)[DC_TEXT]; /* names, by back end */
  int n_backends;
  const char *why_no_cuda; /* "" when not wanted, or there */
  int n_ops;               /* asked for */
  const dc_result *result; /* n_results of them, finished */
  int n_results;
  const report_source *source; /* by result; NULL: kernels are ours */
  double seconds;              /* since the start */
  const char *stopped;         /* at the end: why not every op was checked, or NULL */
} report;

typedef struct report_format {
  const char *name;
  void (*begin)(const report *r);
  void (*op)(const report *r, const dc_result *result); /* as soon as an op is done */
  void (*end)(const report *r);
} report_format;

extern const report_format report_text, report_tap, report_junit, report_jsonl, report_html,
    report_sarif;
#define REPORT_FORMATS "text, tap, junit, jsonl, html or sarif"
#define REPORT_VERSION "0.1"
const report_format *report_find(const char *name); /* NULL when unknown */

/* ---- what the formats share (report.c) ---- */

typedef struct report_totals {
  int passed, failed, suspect;
  int64_t cases, runs, elements, vacuous;
} report_totals;
report_totals report_total(const report *r);

#define REPORT_TEXT 8192                  /* of the functions below; each returns text */
const char *report_verdict(dc_outcome o); /* "pass", "FAIL", "suspect" */
/* The op, or "softmax/fast" of a kernel that is not ours. */
char *report_op(const report *r, const dc_result *result, char *text);
/* The largest err/bound, "exact" where bits are compared, "-" where no element was. */
char *report_ratio(const dc_result *result, char *text);
char *report_vacuous(const dc_result *result, char *text); /* "0", "1.2%" */
/* The variants that no case ran, with commas; "" where no case was run at all. */
char *report_not_run(const dc_result *result, char *text);
/* "y[2,31]", of an element of the case, or of a tensor of this shape; text holds REPORT_NAME bytes */
#define REPORT_NAME 220
char *report_element_name(const dc_case *c, const dc_worst *w, char *text);
char *report_index(const char *tensor, int rank, const int64_t *shape, int64_t index, char *text);
/* "y[2,31] = 0.5: must lie within 3e-9 of 0.25; ..." ; "" where no element is to blame */
char *report_element(const dc_failure *f, char *text);
/* "diffcheck replay 'softmax rows=3 ...'", to paste into a shell */
char *report_replay(const report *r, const dc_case *c, char *text);
/* As text or an attribute's value of XML; characters that XML 1.0 has no form for become '?'. */
void report_xml(FILE *out, const char *text);
/* A JSON string; bytes that are not UTF-8 (of a file name) become '?'. NULL: no memory. */
struct json_t *report_json(const char *text);
/* `text` for a POSIX shell, quoted where it must be; false when room is short. */
bool report_quote(const char *text, char *out, size_t room);
#endif
