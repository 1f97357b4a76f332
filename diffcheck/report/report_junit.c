/* JUnit XML: a test case an op. Written at the end, since the suite's counts come first. */
#include <inttypes.h>
#include <string.h>

#include "report.h"

static void attribute(FILE *out, const char *key, const char *value)
{
  fprintf(out, " %s=\"", key);
  report_xml(out, value);
  fputc('"', out);
}

static void begin(const report *r) { (void)r; }

static void op(const report *r, const dc_result *x)
{
  (void)r;
  (void)x;
}

static void failure(const report *r, const dc_failure *f)
{
  char text[REPORT_TEXT];
  fputs("      <failure", r->out);
  attribute(r->out, "type", dc_fault_name(f->fault));
  attribute(r->out, "message", f->what);
  fputc('>', r->out);
  report_xml(r->out, f->backend);
  report_xml(r->out, ": ");
  report_xml(r->out, report_element(f, text));
  fputc('\n', r->out);
  report_xml(r->out, report_replay(r, &f->c, text));
  fputs("</failure>\n", r->out);
}

static void testcase(const report *r, const dc_result *x)
{
  char text[REPORT_TEXT];
  fputs("    <testcase classname=\"diffcheck\"", r->out);
  attribute(r->out, "name", report_op(r, x, text));
  fprintf(r->out, " time=\"%.3f\">\n", x->seconds);
  for (int k = 0; k < x->n_failures; k++)
    failure(r, &x->failure[k]);
  if (x->outcome != DC_PASS && x->n_failures == 0) {
    fputs("      <failure", r->out);
    attribute(r->out, "type", report_verdict(x->outcome));
    attribute(r->out, "message", x->suspicion);
    fputs("/>\n", r->out);
  }
  fprintf(r->out,
          "      <system-out>cases %" PRId64 ", runs %" PRId64 ", elements %" PRId64
          ", vacuous %" PRId64 ", worst err/bound %s",
          x->cases, x->runs, x->elements, x->vacuous, report_ratio(x, text));
  if (report_not_run(x, text)[0]) {
    fputs(", variants that no case ran: ", r->out);
    report_xml(r->out, text);
  }
  fputs("</system-out>\n", r->out);
  fputs("    </testcase>\n", r->out);
}

static void end(const report *r)
{
  report_totals t = report_total(r);
  int left = r->n_ops - r->n_results;
  fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n", r->out);
  fprintf(r->out, "<testsuites tests=\"%d\" failures=\"%d\" errors=\"%d\" time=\"%.3f\">\n",
          r->n_ops, t.failed + t.suspect, left, r->seconds);
  fprintf(r->out,
          "  <testsuite name=\"diffcheck\" tests=\"%d\" failures=\"%d\" errors=\"%d\""
          " skipped=\"0\" time=\"%.3f\"",
          r->n_ops, t.failed + t.suspect, left, r->seconds);
  attribute(r->out, "timestamp", r->date);
  fputs(">\n    <properties>\n      <property name=\"command\"", r->out);
  attribute(r->out, "value", r->command);
  fprintf(r->out, "/>\n      <property name=\"seed\" value=\"%" PRIu64 "\"/>\n", r->seed);
  for (int i = 0; i < r->n_backends; i++) {
    fputs("      <property", r->out);
    attribute(r->out, "name", r->backend[i]->name);
    attribute(r->out, "value", r->device[i]);
    fputs("/>\n", r->out);
  }
  fputs("    </properties>\n", r->out);
  for (int i = 0; i < r->n_results; i++)
    testcase(r, &r->result[i]);
  if (left > 0) {
    fputs("    <testcase classname=\"diffcheck\" name=\"not checked\"><error", r->out);
    attribute(r->out, "message", r->stopped ? r->stopped : "");
    fputs("/></testcase>\n", r->out);
  }
  fputs("  </testsuite>\n</testsuites>\n", r->out);
}

const report_format report_junit = {"junit", begin, op, end};
