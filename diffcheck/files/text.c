#include "text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../engine/engine.h"

enum { TEXT_DIMS = 18 * DC_RANK };

void text_wrap(const char *text, int indent, int first, int width)
{
  int at = first;
  while (*text) {
    int n = (int)strcspn(text, " ");
    if (at > indent && at + 1 + n > width) {
      putchar('\n');
      at = 0;
    }
    if (at < indent)
      at += printf("%*s", indent - at, "");
    else if (at > indent)
      at += printf(" ");
    at += printf("%.*s", n, text);
    text += n;
    text += strspn(text, " ");
  }
  putchar('\n');
}

static void dims(const dc_op *op, const dc_tensor *t, int swapped, const char *comma, char *text)
{
  strcpy(text, "(");
  for (int d = 0; d < t->rank; d++) {
    if (d)
      strcat(text, comma);
    strcat(text, op->dim[t->dim[swapped && d >= t->rank - 2 ? 2 * t->rank - 3 - d : d]]);
  }
  strcat(text, ")");
}

char *text_shape(const dc_op *op, int tensor, char *text)
{
  const dc_tensor *t = &op->tensor[tensor];
  char other[TEXT_DIMS];
  if (op->glue->layout[tensor])
    return strcpy(text, op->glue->layout[tensor]);
  dims(op, t, 0, ", ", text);
  if (t->swap >= 0) {
    dims(op, t, 1, ", ", other);
    sprintf(text + strlen(text), ", or %s where %s=1", other, op->attr[t->swap]);
  }
  return text;
}

char *text_signature(const dc_op *op, char *text)
{
  char shape[TEXT_DIMS];
  text[0] = 0;
  for (int t = 0; t < op->n_in + op->n_out; t++) {
    if (t == op->n_in)
      strcat(text, " ->");
    if (op->glue->layout[t])
      snprintf(shape, sizeof shape, "%s", op->glue->layout[t]);
    else
      dims(op, &op->tensor[t], 0, ",", shape);
    snprintf(text + strlen(text), TEXT_SIGNATURE - strlen(text), "%s%s%s", t ? " " : "",
             op->tensor[t].name, shape);
  }
  return text;
}

const char *text_level(pm_level level)
{
  static const char *const text[] = {"checked", "proven: memory", "proven: value",
                                     "proven: value, races"};
  return text[level];
}

char *text_real(double value, char *text)
{
  int precision = 1;
  do
    snprintf(text, TEXT_REAL, "%.*g", precision, value);
  while (strtof(text, NULL) != (float)value && ++precision <= 9);
  return text;
}

/* Bytes of the UTF-8 character that stands there and may be shown; 0: none does. */
static int shown(const unsigned char *p)
{
  int n = *p < 0x80 ? 1 : *p >= 0xc2 && *p < 0xe0 ? 2 : *p >= 0xe0 && *p < 0xf0 ? 3 : 4;
  if (*p < ' ' || *p == 127 || (*p >= 0x80 && *p < 0xc2) || *p > 0xf4)
    return 0;
  for (int i = 1; i < n; i++)
    if (p[i] >> 6 != 2)
      return 0;
  return *p == 0xc2 && p[1] < 0xa0 ? 0 : n; /* U+0080 to U+009F are controls too */
}

void text_visible(FILE *out, const char *text)
{
  static const char NAMED[] = "\a\b\t\n\v\f\r", AS[] = "abtnvfr";
  for (const unsigned char *p = (const unsigned char *)text; *p;) {
    int n = shown(p);
    if (n)
      p += fwrite(p, 1, (size_t)n, out) == (size_t)n ? n : (int)strlen((const char *)p);
    else if (*p < ' ' && strchr(NAMED, *p))
      fprintf(out, "\\%c", AS[strchr(NAMED, *p++) - NAMED]);
    else
      fprintf(out, "\\x%02x", *p++);
  }
}

enum { NEAR_WORD = 32 };

static int least(int a, int b) { return a < b ? a : b; }

/* Letters to insert, remove, change or exchange with the next one, until a is b. */
static int apart(const char *a, const char *b)
{
  int d[NEAR_WORD + 1][NEAR_WORD + 1], m = (int)strlen(a), n = (int)strlen(b);
  for (int i = 0; i <= m; i++)
    for (int j = 0; j <= n; j++) {
      if (i == 0 || j == 0) {
        d[i][j] = i + j;
        continue;
      }
      d[i][j] =
          least(d[i - 1][j - 1] + (a[i - 1] != b[j - 1]), 1 + least(d[i - 1][j], d[i][j - 1]));
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        d[i][j] = least(d[i][j], d[i - 2][j - 2] + 1);
    }
  return d[m][n];
}

char *text_hint(const char *typed, const char *list, char *text)
{
  static const char BETWEEN[] = " ,";
  char word[NEAR_WORD + 1];
  size_t length = strlen(typed);
  int most = length < 4 ? 1 : length < 8 ? 2 : 3;
  text[0] = 0;
  if (length < 2 || length > NEAR_WORD)
    return text;
  for (list += strspn(list, BETWEEN); *list; list += strspn(list, BETWEEN)) {
    size_t n = strcspn(list, BETWEEN);
    snprintf(word, sizeof word, "%.*s", (int)n, list);
    list += n;
    if (n > NEAR_WORD || strcmp(word, "or") == 0)
      continue;
    int d = apart(typed, word);
    if (d <= most) {
      snprintf(text, TEXT_HINT, "; did you mean %s?", word);
      most = d - 1;
    }
  }
  return text;
}

char *text_unknown(const char *op, char *text)
{
  char hint[TEXT_HINT], *names = NULL;
  size_t size = 0;
  FILE *f = open_memstream(&names, &size);
  for (int i = 0; f && i < dc_n_ops(); i++)
    fprintf(f, " %s", dc_op_at(i)->name);
  if (f)
    fclose(f);
  text_hint(op, names ? names : "", hint);
  snprintf(text, TEXT_UNKNOWN, "op '%.80s': unknown%s%s `diffcheck list` names them", op, hint,
           *hint ? "" : ";");
  free(names);
  return text;
}
