/* The report as SARIF: what failed, where that kernel is from, how to see it again. Written at the end. */
#include <string.h>

#include "../files/replay.h"
#include "sarif.h"

static void begin(const report *r) { (void)r; }

static void op(const report *r, const dc_result *x)
{
  (void)r;
  (void)x;
}

static void failure(const report *r, const dc_failure *f, report_source at, json_t *results)
{
  char logical[80], element[REPORT_TEXT], replay[REPORT_TEXT], found[REPLAY_TEXT];
  char message[REPORT_TEXT + 2 * DC_TEXT];
  snprintf(logical, sizeof logical, "%s%s%s", f->c.op->name, f->c.variant[0] ? "/" : "",
           f->c.variant);
  report_element(f, element);
  snprintf(message, sizeof message, "%s on %s: %s%s%.4000s", logical, f->backend, f->what,
           *element ? ". " : "", element);
  const sarif_finding one = {.rule = dc_fault_name(f->fault),
                             .level = "error",
                             .message = message,
                             .at = at,
                             .logical = logical,
                             .replay = report_replay(r, &f->c, replay),
                             .found = replay_write(&f->found, found)};
  sarif_add(results, &one);
}

static void end(const report *r)
{
  json_t *results = json_array();
  for (int i = 0; i < r->n_results; i++) {
    char name[REPORT_TEXT], ours[120];
    const dc_result *x = &r->result[i];
    report_source at = {.file = ours};
    snprintf(ours, sizeof ours, "cuda/%s/%s.cu", x->op->family, x->op->family);
    if (r->source)
      at = r->source[i];
    for (int k = 0; k < x->n_failures; k++)
      failure(r, &x->failure[k], at, results);
    if (x->suspicion[0]) {
      const sarif_finding one = {.rule = x->outcome == DC_SUSPECT ? "suspect" : "not-checked",
                                 .level = x->outcome == DC_SUSPECT ? "warning" : "error",
                                 .message = x->suspicion,
                                 .at = at,
                                 .logical = report_op(r, x, name)};
      sarif_add(results, &one);
    }
  }
  if (sarif_write(r->out, results, r->command, r->stopped))
    fputs("{\"error\":\"no memory for the report\"}\n", r->out);
}

const report_format report_sarif = {"sarif", begin, op, end};
