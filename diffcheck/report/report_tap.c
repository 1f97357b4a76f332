/* Test Anything Protocol, version 14: a test point an op, a YAML block under those that fail. */
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>

#include "report.h"

/* A JSON string is a YAML double-quoted scalar. */
static void scalar(const report *r, const char *indent, const char *key, const char *text)
{
  json_t *value = report_json(text);
  char *quoted = value ? json_dumps(value, JSON_ENCODE_ANY) : NULL;
  fprintf(r->out, "  %s%s: %s\n", indent, key, quoted ? quoted : "~");
  free(quoted);
  json_decref(value);
}

static void begin(const report *r) { fprintf(r->out, "TAP version 14\n1..%d\n", r->n_ops); }

static void op(const report *r, const dc_result *x)
{
  char text[REPORT_TEXT];
  fprintf(r->out, "%s %d - %s\n", x->outcome == DC_PASS ? "ok" : "not ok", r->n_results,
          report_op(r, x, text));
  fprintf(r->out, "  ---\n  cases: %" PRId64 "\n  elements: %" PRId64 "\n  vacuous: %" PRId64 "\n",
          x->cases, x->elements, x->vacuous);
  scalar(r, "", "worst", report_ratio(x, text));
  scalar(r, "", "verdict", report_verdict(x->outcome));
  if (report_not_run(x, text)[0])
    scalar(r, "", "not_run", text);
  if (x->suspicion[0])
    scalar(r, "", "reason", x->suspicion);
  if (x->n_failures)
    fprintf(r->out, "  failures:\n");
  for (int k = 0; k < x->n_failures; k++) {
    const dc_failure *f = &x->failure[k];
    scalar(r, "  - ", "message", f->what);
    scalar(r, "    ", "backend", f->backend);
    if (report_element(f, text)[0])
      scalar(r, "    ", "element", text);
    scalar(r, "    ", "replay", report_replay(r, &f->c, text));
  }
  fprintf(r->out, "  ...\n");
  fflush(r->out);
}

static void end(const report *r)
{
  if (r->stopped)
    fprintf(r->out, "Bail out! %s\n", r->stopped);
}

const report_format report_tap = {"tap", begin, op, end};
