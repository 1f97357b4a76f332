#include "arith.h"

#include "../files/replay.h"
#include "../files/text.h"

void arith_show(const dc_case *c, const dc_arith *means, const char *typed, int width)
{
  char value[DC_ARITH_TEXT], size[REPLAY_TEXT];
  const char *name, *words;
  pm_arith a;
  dc_undeclared(c->op, c->size, c->attr, &a);
  dc_arith_at(means, c->op, c->size, c->attr, &a);
  printf("  %s, at %s:\n", typed, replay_size(c->op, c->size, c->attr, size));
  for (int k = 0; (name = dc_arith_key(k, &a, value, &words)); k++) {
    int at = printf("  %-10s %-9s ", name, value);
    text_wrap(words, at, at, width);
  }
  puts("  Profiles:");
  for (int i = 0; (name = dc_arith_profile(i, &words)); i++) {
    int at = printf("  %-10s ", name);
    text_wrap(words, at, at, width);
  }
}
