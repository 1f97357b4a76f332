#include "html.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "../files/text.h"

/* Colours by name, so that a dark page is another list of them; bars and marks are printed too. */
static const char STYLE[] =
    ":root{--ink:#1b1f24;--dim:#59636e;--paper:#fff;--line:#d5dae0;--soft:#f4f6f8;--bar:#cfe3f8;"
    "--bad:#b3261e;--badbar:#f8d3cf;--good:#1a6e3c;--doubt:#8a5a00;color-scheme:light dark}\n"
    "@media screen and (prefers-color-scheme:dark){:root{--ink:#e3e8ee;--dim:#9aa6b2;"
    "--paper:#14181d;--line:#343c45;--soft:#1c2229;--bar:#1f4468;--bad:#ff8a80;--badbar:#5c211d;"
    "--good:#6fd195;--doubt:#e8b44f}}\n"
    "*{box-sizing:border-box}\n"
    "body{margin:0;background:var(--paper);color:var(--ink);"
    "font:15px/1.5 system-ui,-apple-system,\"Segoe UI\",\"DejaVu Sans\",sans-serif}\n"
    "main{max-width:76rem;margin:0 auto;padding:1.5rem 1.5rem 4rem}\n"
    "h1{font-size:1.5rem;margin:.5rem 0 1rem}\n"
    "h2{font-size:1.15rem;margin:2.5rem 0 .5rem}\n"
    "h3{font-size:1rem;margin:0 0 .25rem}\n"
    "p{margin:.25rem 0 .75rem;max-width:60rem}\n"
    ".dim,caption,dt{color:var(--dim)}\n"
    "dl{display:grid;grid-template-columns:max-content 1fr;gap:.1rem 1rem;margin:0}\n"
    "dd{margin:0;overflow-wrap:anywhere}\n"
    "table{border-collapse:collapse;font-variant-numeric:tabular-nums}\n"
    ".wide{overflow-x:auto}\n"
    "th,td{padding:.2rem .6rem;border-bottom:1px solid var(--line);text-align:right;"
    "white-space:nowrap}\n"
    "th{font-weight:600;background:var(--soft)}\n"
    "th:first-child,td:first-child,.left{text-align:left}\n"
    "tbody th{background:none;font-weight:400}\n"
    "td.bar{min-width:4.5rem;background:linear-gradient(90deg,var(--bar) var(--r),transparent 0)}\n"
    "td.bar.wrong{background:linear-gradient(90deg,var(--badbar) var(--r),transparent 0)}\n"
    ".wrong,.FAIL{color:var(--bad);font-weight:600}\n"
    ".pass{color:var(--good)}\n"
    ".suspect{color:var(--doubt);font-weight:600}\n"
    "tr.it{background:var(--soft);outline:2px solid var(--bad);outline-offset:-2px}\n"
    "article{border:1px solid var(--line);border-left:4px solid var(--bad);border-radius:4px;"
    "padding:1rem;margin:1rem 0;break-inside:avoid}\n"
    "pre{background:var(--soft);border:1px solid var(--line);border-radius:4px;padding:.5rem "
    ".75rem;"
    "margin:.25rem 0 .75rem;white-space:pre-wrap;overflow-wrap:anywhere;"
    "font:13px/1.5 ui-monospace,\"DejaVu Sans Mono\",monospace}\n"
    ".sides{display:flex;flex-wrap:wrap;gap:1rem 2rem;margin:.5rem 0 1rem}\n"
    "caption{text-align:left;padding-bottom:.25rem}\n"
    "a{color:inherit}\n"
    "@media print{*{print-color-adjust:exact;-webkit-print-color-adjust:exact}body{font-size:9pt}"
    "main{max-width:none;padding:0}.wide{overflow:visible}th,td{padding:.1rem .3rem}}\n";

void html_text(FILE *out, const char *text)
{
  char *seen = NULL;
  size_t size = 0;
  FILE *f = open_memstream(&seen, &size);
  if (f)
    text_visible(f, text);
  if (f && fclose(f) == 0)
    for (const char *p = seen; *p; p++)
      switch (*p) {
      case '&':
        fputs("&amp;", out);
        break;
      case '<':
        fputs("&lt;", out);
        break;
      case '>':
        fputs("&gt;", out);
        break;
      case '"':
        fputs("&quot;", out);
        break;
      case '\'':
        fputs("&#39;", out);
        break;
      default:
        fputc(*p, out);
      }
  free(seen);
}

void html_begin(FILE *out, const char *verdict, dc_outcome outcome)
{
  fputs(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
      "style-src 'unsafe-inline'\">\n"
      "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n<title>diffcheck: ",
      out);
  html_text(out, verdict);
  fprintf(out, "</title>\n<style>\n%s</style>\n</head>\n<body>\n<main>\n<h1>diffcheck: <span ",
          STYLE);
  fprintf(out, "class=\"%s\">", report_verdict(outcome));
  html_text(out, verdict);
  fputs("</span></h1>\n", out);
}

void html_end(FILE *out) { fputs("</main>\n</body>\n</html>\n", out); }

void html_facts(FILE *out, int begin) { fputs(begin ? "<dl>\n" : "</dl>\n", out); }

void html_fact(FILE *out, const char *term, const char *value)
{
  fputs("<dt>", out);
  html_text(out, term);
  fputs("</dt><dd>", out);
  html_text(out, value);
  fputs("</dd>\n", out);
}

void html_verdict(FILE *out, dc_outcome outcome)
{
  fprintf(out, "<span class=\"%s\">%s</span>", report_verdict(outcome), report_verdict(outcome));
}

void html_bar(FILE *out, const char *text, double share, int wrong)
{
  if (share >= 0)
    fprintf(out, "<td class=\"bar%s\" style=\"--r:%.1f%%\">", wrong ? " wrong" : "",
            100 * (share < 1 ? share : 1));
  else
    fputs(wrong ? "<td class=\"wrong\">" : "<td>", out);
  html_text(out, text);
  fputs("</td>", out);
}

void html_command(FILE *out, const char *text)
{
  fputs("<pre>", out);
  html_text(out, text);
  fputs("</pre>\n", out);
}

void html_file(FILE *out, const char *name, const char *bytes, size_t n)
{
  static const char SIGNS[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  fputs("<a download=\"", out);
  html_text(out, name);
  fputs("\" href=\"data:text/plain;base64,", out);
  for (size_t i = 0; i < n; i += 3) {
    unsigned word = 0;
    for (size_t k = 0; k < 3; k++)
      word = word << 8 | (i + k < n ? (unsigned char)bytes[i + k] : 0u);
    for (size_t k = 0; k < 4; k++)
      fputc(i + k <= n ? SIGNS[word >> (18 - 6 * k) & 63] : '=', out);
  }
  fputs("\">", out);
  html_text(out, name);
  fputs("</a>", out);
}

/* A NaN has no sign here. */
static void real(FILE *out, double x, int digits)
{
  if (isnan(x))
    fputs("nan", out);
  else
    fprintf(out, "%.*g", digits, x);
}

static void row(FILE *out, const dc_near *x, bool it)
{
  char text[40];
  double err = x->want == x->got ? 0 : fabs(x->got - x->want);
  bool asked = x->bound < INFINITY;
  double ratio = x->wrong ? INFINITY : x->bound > 0 && asked ? err / x->bound : 0;
  fprintf(out, "<tr%s><th scope=\"row\">%" PRId64 "</th><td>", it ? " class=\"it\"" : "", x->at);
  real(out, x->want, 9);
  fputs(x->wrong ? "</td><td class=\"wrong\">" : "</td><td>", out);
  real(out, x->got, 9);
  fputs("</td><td>", out);
  real(out, err, 3);
  fputs("</td>", out);
  if (asked)
    fprintf(out, "<td>%.3g</td>", x->bound);
  else
    fputs("<td>any</td>", out);
  if (asked && x->bound > 0 && isfinite(err))
    snprintf(text, sizeof text, "%.3g", err / x->bound);
  else
    snprintf(text, sizeof text, "%s", x->wrong ? "wrong" : asked ? "0" : "-");
  html_bar(out, text, asked ? ratio : -1, x->wrong);
  fputs("</tr>\n", out);
}

static void along(FILE *out, const char *tensor, const dc_around *a, int axis)
{
  fputs("<table><caption>", out);
  html_text(out, tensor);
  for (int d = 0; d < a->rank; d++) {
    fputs(d ? ", " : " [", out);
    if (d == axis)
      fputs("&middot;", out);
    else
      fprintf(out, "%" PRId64, a->near[d][DC_REACH].at);
  }
  fprintf(out, "], along axis %d</caption>\n<thead><tr><th scope=\"col\">at</th>", axis);
  fputs("<th scope=\"col\">want</th><th scope=\"col\">got</th><th scope=\"col\">error</th>"
        "<th scope=\"col\">bound</th><th scope=\"col\">err/bound</th></tr></thead>\n<tbody>\n",
        out);
  for (int k = 0; k <= 2 * DC_REACH; k++)
    if (a->near[axis][k].at >= 0)
      row(out, &a->near[axis][k], k == DC_REACH);
  fputs("</tbody></table>\n", out);
}

static bool has_more(const dc_around *a, int axis)
{
  for (int k = 0; k <= 2 * DC_REACH; k++)
    if (k != DC_REACH && a->near[axis][k].at >= 0)
      return true;
  return false;
}

void html_around(FILE *out, const char *tensor, const dc_around *a)
{
  int shown = 0;
  if (a->rank == 0)
    return;
  fputs("<div class=\"sides\">\n", out);
  for (int axis = 0; axis < a->rank; axis++)
    if (has_more(a, axis)) {
      along(out, tensor, a, axis);
      shown++;
    }
  if (!shown) /* it is alone */
    along(out, tensor, a, a->rank - 1);
  fputs("</div>\n", out);
}
