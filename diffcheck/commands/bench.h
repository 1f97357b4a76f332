/* diffcheck bench, in parts: what is timed (bench.c), and PyTorch's times (peers.c). */
#ifndef DIFFCHECK_BENCH_H
#define DIFFCHECK_BENCH_H
#include <jansson.h>
#include <stdbool.h>

#include "../engine/diffcheck.h"

typedef struct bench_row {
  dc_case c;                    /* op, sizes, attributes */
  char variant[32];             /* that ran */
  double us;                    /* median; NaN where it could not run */
  double copy_us;               /* a plain copy, or read, that moves as many bytes */
  double bytes, flops;          /* that the op cannot do without */
  bool reads;                   /* it writes next to nothing */
  double eager_us, compiled_us; /* PyTorch; NaN where not measured */
  bool first;                   /* of its case: later rows are its other variants */
  char why[DC_TEXT];            /* us is NaN */
  char peer_why[DC_TEXT];       /* PyTorch, or torch.compile, could not be timed; else "" */
} bench_row;

typedef struct bench_peers {
  char torch[64]; /* version; "" when there is no PyTorch */
  double copy_GBs, f32_TFs;
} bench_peers;

/* Case number k that an op is timed on by default, as a replay line of REPLAY_TEXT bytes; false when
 * there is no k-th. An op over n elements is timed at 64 Mi without being named anywhere. */
bool bench_size(const dc_op *op, int k, char *line);

/* Sizes and attributes by name. */
json_t *bench_size_json(const dc_case *c);

/* Runs peers.py over the first rows of the cases and fills in what they have of PyTorch.
 * False when there is no PyTorch, no GPU for it, or no script; `why` says which. */
bool bench_ask_peers(bench_row *row, int n, bool compile, bench_peers *out, char why[DC_TEXT]);
#endif
