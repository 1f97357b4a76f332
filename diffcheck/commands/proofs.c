#include "proofs.h"

#include <jansson.h>
#include <string.h>

/* A C string literal: one JSON array of the files of proofs/results/ and docs/results/measured.json. */
static const char RESULTS[] =
#include "proof_results.h"
    ;

static json_t *results(void)
{
  static json_t *all;
  if (!all)
    all = json_loads(RESULTS, 0, NULL);
  return all;
}

static void add(proof_count *c, const json_t *entry)
{
  c->proven += (int)json_integer_value(json_object_get(entry, "proven"));
  c->goals += (int)json_integer_value(json_object_get(entry, "goals"));
}

proof_count proofs_of(const char *function)
{
  proof_count c = {0, 0};
  const json_t *file;
  size_t i;
  json_array_foreach(results(), i, file)
      add(&c, json_object_get(json_object_get(file, "functions"), function));
  return c;
}

/* "ref/softmax.c" is of family softmax, and so is all of the folder "cuda/softmax/". */
static int of_family(const char *source, const char *family)
{
  const char *name = source ? strchr(source, '/') : NULL;
  size_t n = strlen(family);
  return name && strncmp(name + 1, family, n) == 0 && strchr("./_@", name[1 + n]) != NULL;
}

proof_count proofs_in(const char *reading, const char *family)
{
  static const char *const KINDS[] = {"functions", "lemmas"};
  proof_count c = {0, 0};
  const json_t *file;
  size_t i;
  json_array_foreach(results(), i, file)
  {
    const char *of = json_string_value(json_object_get(file, "reading"));
    if (!of || strcmp(of, reading) != 0 ||
        !of_family(json_string_value(json_object_get(file, "source")), family))
      continue;
    for (int k = 0; k < 2; k++) {
      const char *name;
      json_t *entry, *all = json_object_get(file, KINDS[k]);
      json_object_foreach(all, name, entry) add(&c, entry);
    }
  }
  return c;
}

const char *proofs_theorem(const char *table, const char *op, const char *what)
{
  const json_t *file;
  size_t i;
  json_array_foreach(results(), i, file)
  {
    const json_t *row = json_object_get(json_object_get(file, table), op);
    const char *s = json_string_value(json_object_get(row, what));
    if (s)
      return s;
  }
  return "";
}

proof_run proofs_measured(const char *op)
{
  proof_run run = {0};
  const json_t *file;
  size_t i;
  json_array_foreach(results(), i, file)
  {
    const json_t *row = json_object_get(json_object_get(file, "measured"), op);
    if (!row)
      continue;
    run.verdict = json_string_value(json_object_get(row, "verdict"));
    run.cases = (int)json_integer_value(json_object_get(row, "cases"));
    run.compared = (int)json_integer_value(json_object_get(row, "compared"));
    run.ratio = json_number_value(json_object_get(row, "ratio"));
    run.device = json_string_value(json_object_get(file, "device"));
    run.date = json_string_value(json_object_get(file, "date"));
    run.commit = json_string_value(json_object_get(file, "commit"));
  }
  return run;
}
