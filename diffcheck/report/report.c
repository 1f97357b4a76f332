#include "report.h"

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../files/replay.h"

const report_format *report_find(const char *name)
{
  static const report_format *const ALL[] = {&report_text,  &report_tap,  &report_junit,
                                             &report_jsonl, &report_html, &report_sarif};
  for (size_t i = 0; i < sizeof ALL / sizeof ALL[0]; i++)
    if (strcmp(name, ALL[i]->name) == 0)
      return ALL[i];
  return NULL;
}

report_totals report_total(const report *r)
{
  report_totals t = {0};
  for (int i = 0; i < r->n_results; i++) {
    const dc_result *x = &r->result[i];
    t.passed += x->outcome == DC_PASS;
    t.failed += x->outcome == DC_FAIL;
    t.suspect += x->outcome == DC_SUSPECT;
    t.cases += x->cases;
    t.runs += x->runs;
    t.elements += x->elements;
    t.vacuous += x->vacuous;
  }
  return t;
}

const char *report_verdict(dc_outcome o)
{
  return o == DC_PASS ? "pass" : o == DC_FAIL ? "FAIL" : "suspect";
}

static bool exact(char cls) { return cls == 'E' || cls == 'R'; }

char *report_op(const report *r, const dc_result *result, char *text)
{
  const char *kernel = r->kernels && result->n_variants ? result->variant[0].variant : "";
  snprintf(text, REPORT_TEXT, "%s%s%s", result->op->name, *kernel ? "/" : "", kernel);
  return text;
}

char *report_ratio(const dc_result *result, char *text)
{
  bool only_bits = true;
  for (const char *c = result->op->classes; *c; c++)
    only_bits &= exact(*c);
  if (result->worst.output < 0 || result->elements == 0)
    strcpy(text, "-");
  else if (isinf(result->worst.ratio))
    strcpy(text, "inf");
  else if (only_bits)
    strcpy(text, "exact");
  else
    snprintf(text, REPORT_TEXT, result->worst.ratio >= 1000 ? "%.1e" : "%.3f", result->worst.ratio);
  return text;
}

char *report_not_run(const dc_result *result, char *text)
{
  size_t at = 0;
  text[0] = 0;
  for (int k = 0; k < result->n_variants && result->cases > 0; k++)
    if (result->variant[k].cases == 0 && at + 40 < REPORT_TEXT)
      at += (size_t)snprintf(text + at, REPORT_TEXT - at, "%s%.32s", at ? ", " : "",
                             result->variant[k].variant);
  return text;
}

char *report_vacuous(const dc_result *result, char *text)
{
  double share = result->elements ? 100.0 * (double)result->vacuous / (double)result->elements : 0;
  if (result->vacuous == 0)
    strcpy(text, "0");
  else
    snprintf(text, REPORT_TEXT, share < 0.1 ? "<0.1%%" : "%.1f%%", share);
  return text;
}

char *report_index(const char *tensor, int rank, const int64_t *shape, int64_t index, char *text)
{
  const size_t room = REPORT_NAME;
  int64_t at[DC_RANK] = {0};
  size_t n = (size_t)snprintf(text, room, "%s", tensor);
  for (int d = rank - 1; d >= 0; d--) {
    at[d] = shape[d] > 0 ? index % shape[d] : 0;
    index = shape[d] > 0 ? index / shape[d] : 0;
  }
  for (int d = 0; d < rank && n < room; d++)
    n += (size_t)snprintf(text + n, room - n, "%c%" PRId64 "%s", d ? ',' : '[', at[d],
                          d == rank - 1 ? "]" : "");
  return text;
}

char *report_element_name(const dc_case *c, const dc_worst *w, char *text)
{
  int64_t shape[DC_RANK];
  int t = c->op->n_in + w->output, rank = dc_shape(c->op, t, c->size, c->attr, shape);
  return report_index(c->op->tensor[t].name, rank, shape, w->index, text);
}

char *report_element(const dc_failure *f, char *text)
{
  const dc_worst *w = &f->worst;
  char name[REPORT_NAME];
  text[0] = 0;
  if (w->output < 0)
    return text;
  report_element_name(&f->c, w, name);
  if (f->fault == DC_BITS_DIFFER || !(w->bound > 0) || !isfinite(w->want) || !isfinite(w->got))
    snprintf(text, REPORT_TEXT, "%s = %.9g, must be %.9g", name, w->got, w->want);
  else
    snprintf(text, REPORT_TEXT,
             "%s = %.9g, must lie within %.2g of %.9g: off by %.2g, %.3g times the bound", name,
             w->got, w->bound, w->want, w->err, w->ratio);
  return text;
}

/* In $'..', which shells read since POSIX 2024: a control character is then seen, and is data. */
static bool quote_controls(const char *text, char *out, size_t room)
{
  size_t n = 0;
  if (room < 8)
    return false;
  n += (size_t)sprintf(out, "$'");
  for (; *text; text++) {
    unsigned char c = (unsigned char)*text;
    if (n + 8 > room)
      return false;
    n += (size_t)sprintf(out + n,
                         c < ' ' || c == 127      ? "\\%03o"
                         : c == '\'' || c == '\\' ? "\\%c"
                                                  : "%c",
                         c);
  }
  strcpy(out + n, "'");
  return true;
}

bool report_quote(const char *text, char *out, size_t room)
{
  static const char SAFE[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                             "_-./=,:+@%";
  size_t n = 0;
  for (const char *p = text; *p; p++)
    if ((unsigned char)*p < ' ' || *p == 127)
      return quote_controls(text, out, room);
  bool plain = *text && text[strspn(text, SAFE)] == 0;
  if (!plain && n < room)
    out[n++] = '\'';
  for (; *text; text++) {
    if (n + 6 > room)
      return false;
    if (*text == '\'' && !plain) {
      memcpy(out + n, "'\\''", 4);
      n += 4;
    } else
      out[n++] = *text;
  }
  if (n + 2 > room)
    return false;
  if (!plain)
    out[n++] = '\'';
  out[n] = 0;
  return true;
}

char *report_replay(const report *r, const dc_case *c, char *text)
{
  char line[REPLAY_TEXT];
  snprintf(text, REPORT_TEXT, "diffcheck replay '%s'%.6000s", replay_write(c, line), r->inputs);
  return text;
}

void report_xml(FILE *out, const char *text)
{
  static const struct {
    char c;
    const char *as;
  } NAMED[] = {{'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}, {'\'', "&#39;"}};
  for (; *text; text++) {
    size_t i = 0;
    while (i < 5 && NAMED[i].c != *text)
      i++;
    if (i < 5)
      fputs(NAMED[i].as, out);
    else if (*text == '\n' || *text == '\t')
      fprintf(out, "&#%d;", *text);
    else
      fputc((unsigned char)*text >= ' ' && (unsigned char)*text < 127 ? *text : '?', out);
  }
}

json_t *report_json(const char *text)
{
  json_t *value = json_string(text);
  char *plain = value ? NULL : strdup(text);
  if (value || !plain)
    return value;
  for (char *p = plain; *p; p++)
    if ((unsigned char)*p >= 127)
      *p = '?';
  value = json_string(plain);
  free(plain);
  return value;
}
