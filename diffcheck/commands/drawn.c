#include "drawn.h"

#include <stdio.h>
#include <string.h>

#include "../engine/engine.h"
#include "../files/text.h"

void explain_drawn(const dc_op *op, int indent, int width)
{
  char text[400] = "values ";
  for (int v = 0; v < DC_N_VALUES; v++)
    if (v != DC_ONES) /* the shrinker's */
      snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s", v ? ", " : "",
               dc_values_name((dc_values)v));
  if (dc_has_values(op) || op->is_vjp)
    text_wrap(text, indent, 0, width);
  text_wrap(op->glue->cut
                ? "past 2^31 elements (run --huge) the reference goes slice by slice"
                : "past 2^31 elements (run --huge) the reference is held in float64 whole",
            indent, 0, width);
}
