/* A report that `run --format jsonl` wrote, read back: what it found, as the formats take it. */
#ifndef DIFFCHECK_REPORT_READ_H
#define DIFFCHECK_REPORT_READ_H
#include <jansson.h>

#include "report.h"

typedef struct report_part {
  const char *path;
  const char *version, *date, *command, *inputs, *plan;
  uint64_t seed;
  int64_t cases;     /* of an op, of all shards */
  int shard, shards; /* 1/1 of a report that is whole */
  bool kernels;
  int n_backends;
  pm_backend backend[DC_BACKENDS]; /* their names */
  char device[DC_BACKENDS][DC_TEXT];
  int n_ops;
  dc_result *result; /* n_ops of them, in the order of the file */
  report_source *source;
  json_t *lines; /* hold every text above */
} report_part;

/* Reads the file; false: `err` names it, the line, and what is wrong. Nothing of it is believed: ops, cases and
 * tensors are looked up, numbers are within their ranges. report_part_free it in either case. */
bool report_part_read(const char *path, report_part *out, dc_error *err);
void report_part_free(report_part *p);
#endif
