/* What judge says, as a page and as SARIF. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "html.h"
#include "judged.h"
#include "sarif.h"

/* Outputs are files in their order, or one file has them all. */
static const char *path_of(const char *const *file, int output)
{
  return file[1] ? file[output] : file[0];
}

static void outputs(const judged *j, FILE *out)
{
  const dc_op *op = j->c->op;
  fputs(
      "<div class=\"wide\"><table>\n<thead><tr><th scope=\"col\">output</th>"
      "<th scope=\"col\">elements</th><th scope=\"col\">failed</th><th scope=\"col\">vacuous</th>",
      out);
  for (int k = 0; k < JUDGED_WRONGS; k++)
    fprintf(out, "<th scope=\"col\">%s</th>", judged_wrong(k));
  fputs("</tr></thead>\n<tbody>\n", out);
  for (int o = 0; o < op->n_out; o++) {
    const dc_verdict *v = &j->verdict[o];
    if (!j->got[o].f && !j->got[o].d)
      continue;
    fputs("<tr><th scope=\"row\">", out);
    html_text(out, op->tensor[op->n_in + o].name);
    fprintf(out, "</th><td>%" PRId64 "</td><td%s>%" PRId64 "</td><td>%" PRId64 "</td>", v->elements,
            v->failed ? " class=\"wrong\"" : "", v->failed, v->vacuous);
    for (int k = 0; k < JUDGED_WRONGS; k++)
      fprintf(out, "<td>%" PRId64 "</td>", j->blind[o][k]);
    fputs("</tr>\n", out);
  }
  fputs("</tbody></table></div>\n<p class=\"dim\">The last columns: at how many elements a wrong "
        "answer of that kind would have passed, on this data.</p>\n",
        out);
}

int judged_sarif(const judged *j, const char *const *file, FILE *out)
{
  const dc_worst *w = &j->all.worst;
  char message[2 * REPORT_TEXT];
  json_t *results = json_array();
  snprintf(message, sizeof message, "%s%s%s", j->outcome == DC_SUSPECT ? j->why : j->worst,
           j->habit[0] ? "; " : "", j->habit);
  const bool kind = !isfinite(w->got) || !isfinite(w->want);
  const sarif_finding one = {.rule = j->outcome == DC_SUSPECT ? "suspect"
                                     : kind                   ? "kind"
                                     : w->bound > 0           ? "bound"
                                                              : "bits",
                             .level = j->outcome == DC_SUSPECT ? "warning" : "error",
                             .message = message,
                             .at = {.file = w->output < 0 ? file[0] : path_of(file, w->output)},
                             .logical = j->c->op->name};
  if (j->outcome != DC_PASS)
    sarif_add(results, &one);
  return sarif_write(out, results, "diffcheck judge", NULL);
}

int judged_html(const judged *j, const char *const *file, FILE *out)
{
  const dc_op *op = j->c->op;
  char *text = NULL, title[120];
  size_t size = 0;
  FILE *f = open_memstream(&text, &size);
  if (f)
    judged_tell(j, f);
  if (!f || fclose(f) != 0)
    return -1;
  snprintf(title, sizeof title, "%.40s: %s", op->name, report_verdict(j->outcome));
  html_begin(out, title, j->outcome);
  html_facts(out, 1);
  html_fact(out, "meaning", op->meaning);
  for (int i = 0; file[i]; i++)
    html_fact(out, i ? "" : "judged", file[i]);
  html_facts(out, 0);
  fputs("<h2>Outputs</h2>\n", out);
  outputs(j, out);
  for (int o = 0; o < op->n_out; o++)
    if (j->around[o].rank > 0) {
      const char *name = op->tensor[op->n_in + o].name;
      fputs("<h2>Around the worst element of ", out);
      html_text(out, name);
      fputs("</h2>\n", out);
      html_around(out, name, &j->around[o]);
    }
  fputs("<h2>In words</h2>\n<pre>", out);
  for (char *rest = NULL, *line = strtok_r(text, "\n", &rest); line;
       line = strtok_r(NULL, "\n", &rest)) {
    html_text(out, line);
    fputc('\n', out);
  }
  fputs("</pre>\n", out);
  html_end(out);
  free(text);
  return 0;
}
