/* diffcheck list --launches: which kernels the launchers start, variant by variant, as the resting
 * simulator is told. Cases are drawn, so of sizes that no case has nothing is said. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../engine/engine.h"
#include "launches.h"

/* Cases: until each variant suited so many, or so many are drawn. */
enum { KERNELS = 48, SUITED = 400, CASES = 60000, SPENT = 2000000 };

typedef struct row {
  const char *variant;
  const char *kernel[KERNELS];
  int n, suited;
} row;

static int by_name(const void *a, const void *b)
{
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static int by_variant(const void *a, const void *b)
{
  return strcmp(((const row *)a)->variant, ((const row *)b)->variant);
}

static void add(row *r, const char *kernel)
{
  for (int i = 0; i < r->n; i++)
    if (strcmp(r->kernel[i], kernel) == 0)
      return;
  if (r->n < KERNELS)
    r->kernel[r->n++] = kernel;
}

static int fewest(const row *rows, int n)
{
  int least = SUITED;
  for (int v = 0; v < n; v++)
    least = rows[v].suited < least ? rows[v].suited : least;
  return least;
}

/* Each variant is asked what it starts for a case. */
static void ask(const dc_case *c, const dc_options *o, row *rows, int n)
{
  if (dc_case_check(c, o->limit_bytes, NULL))
    return;
  for (int v = 0; v < n; v++) {
    pm_sim.launched();
    if (!dc_suits(c, rows[v].variant))
      continue;
    rows[v].suited++;
    for (const char *const *k = pm_sim.launched(); *k; k++)
      add(&rows[v], *k);
  }
}

/* Cases of an op, small and large, and the same with each of their sizes 0. */
static void draw(const dc_op *op, const dc_options *o, row *rows, int n)
{
  for (int64_t i = 0, spent = 0; i < CASES && spent < SPENT && fewest(rows, n) < SUITED; i++) {
    dc_case c;
    spent += dc_case_draw(&c, op, &o->fixed, o->seed, i, 4);
    ask(&c, o, rows, n);
    for (int d = 0; d < op->n_dims; d++) {
      dc_case none = c;
      none.size[d] = 0;
      ask(&none, o, rows, n);
    }
  }
}

void list_launches(void)
{
  dc_options o;
  dc_options_init(&o);
  o.backend[o.n_backends++] = &pm_sim;
  for (int i = 0; i < dc_n_ops(); i++) {
    const dc_op *op = dc_op_at(i);
    const char *name[DC_VARIANTS];
    row rows[DC_VARIANTS] = {{0}};
    int n = dc_variants(&o, op, name);
    for (int v = 0; v < n; v++)
      rows[v].variant = name[v];
    draw(op, &o, rows, n);
    qsort(rows, (size_t)n, sizeof *rows, by_variant);
    for (int v = 0; v < n; v++) {
      qsort(rows[v].kernel, (size_t)rows[v].n, sizeof *rows[v].kernel, by_name);
      printf("%s %s", op->name, rows[v].variant);
      for (int k = 0; k < rows[v].n; k++)
        printf(" %s", rows[v].kernel[k]);
      puts("");
    }
  }
}
