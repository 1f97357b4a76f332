#include "text.h"

#include <stdio.h>
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
    strcat(text, op->dim[t->dim[swapped ? t->rank - 1 - d : d]]);
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
