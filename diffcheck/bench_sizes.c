/* What bench times when no size is given. */
#include <stdio.h>
#include <string.h>

#include "bench.h"
#include "replay.h"

enum { MANY = 1 << 26 };

/* Of ops over more than n elements; in the order of the catalogue's families. */
static const char *const SIZES[] = {
    "add_bias rows=8192 cols=8192",
    "add_bias_vjp rows=8192 cols=8192",
    "sum_axis outer=8192 n=4096 inner=1",
    "sum_axis outer=8192 n=50257 inner=1",
    "sum_axis outer=65536 n=64 inner=1",
    "sum_axis outer=1 n=8192 inner=8192",
    "sum_axis outer=256 n=512 inner=512",
    "sum_axis_vjp outer=8192 n=8192 inner=1",
    "sum_axis_vjp outer=1 n=8192 inner=8192",
    "mean_axis outer=8192 n=4096 inner=1",
    "mean_axis outer=1 n=8192 inner=8192",
    "mean_axis_vjp outer=8192 n=8192 inner=1",
    "mean_axis_vjp outer=1 n=8192 inner=8192",
    "max_axis outer=8192 n=4096 inner=1",
    "max_axis outer=8192 n=50257 inner=1",
    "max_axis outer=1 n=8192 inner=8192",
    "max_axis_vjp outer=8192 n=4096 inner=1",
    "max_axis_vjp outer=1 n=8192 inner=8192",
    "softmax rows=8192 cols=1024",
    "softmax rows=8192 cols=4096",
    "softmax rows=8192 cols=50257",
    "softmax rows=65536 cols=64",
    "softmax_vjp rows=8192 cols=1024",
    "softmax_vjp rows=8192 cols=4096",
    "softmax_vjp rows=8192 cols=50257",
    "softmax_vjp rows=65536 cols=64",
    "layer_norm rows=8192 cols=1024",
    "layer_norm rows=8192 cols=4096",
    "layer_norm rows=8192 cols=50257",
    "layer_norm rows=65536 cols=64",
    "layer_norm_vjp rows=8192 cols=1024",
    "layer_norm_vjp rows=8192 cols=4096",
    "layer_norm_vjp rows=8192 cols=50257",
    "layer_norm_vjp rows=65536 cols=64",
    "rms_norm rows=8192 cols=1024",
    "rms_norm rows=8192 cols=4096",
    "rms_norm rows=8192 cols=50257",
    "rms_norm rows=65536 cols=64",
    "rms_norm_vjp rows=8192 cols=1024",
    "rms_norm_vjp rows=8192 cols=4096",
    "rms_norm_vjp rows=8192 cols=50257",
    "rms_norm_vjp rows=65536 cols=64",
    "cross_entropy rows=8192 cols=1024",
    "cross_entropy rows=8192 cols=4096",
    "cross_entropy rows=8192 cols=50257",
    "cross_entropy rows=65536 cols=64",
    "cross_entropy_vjp rows=8192 cols=1024",
    "cross_entropy_vjp rows=8192 cols=4096",
    "cross_entropy_vjp rows=8192 cols=50257",
    "cross_entropy_vjp rows=65536 cols=64",
    "cross_entropy_grad rows=8192 cols=1024",
    "cross_entropy_grad rows=8192 cols=4096",
    "cross_entropy_grad rows=8192 cols=50257",
    "cross_entropy_grad rows=65536 cols=64",
    "log_softmax rows=8192 cols=1024",
    "log_softmax rows=8192 cols=4096",
    "log_softmax rows=8192 cols=50257",
    "log_softmax rows=65536 cols=64",
    "log_softmax_vjp rows=8192 cols=1024",
    "log_softmax_vjp rows=8192 cols=4096",
    "log_softmax_vjp rows=8192 cols=50257",
    "log_softmax_vjp rows=65536 cols=64",
    "masked_softmax rows=8192 cols=1024",
    "masked_softmax rows=8192 cols=4096",
    "masked_softmax rows=8192 cols=50257",
    "masked_softmax rows=65536 cols=64",
    "masked_softmax_vjp rows=8192 cols=1024",
    "masked_softmax_vjp rows=8192 cols=4096",
    "masked_softmax_vjp rows=8192 cols=50257",
    "masked_softmax_vjp rows=65536 cols=64",
    "batch_norm n=1 channels=256 size=50176",
    "batch_norm n=32 channels=256 size=3136",
    "batch_norm n=1 channels=64 size=1048576",
    "batch_norm_vjp n=1 channels=256 size=50176",
    "batch_norm_vjp n=32 channels=256 size=3136",
    "batch_norm_vjp n=1 channels=64 size=1048576",
    "transpose2d rows=8192 cols=8192",
    "transpose2d_vjp rows=8192 cols=8192",
    "permute rank=3 d0=256 d1=512 d2=512 p0=0 p1=2 p2=1",
    "permute rank=3 d0=256 d1=512 d2=512 p0=1 p1=2 p2=0",
    "permute rank=3 d0=256 d1=512 d2=512 p0=2 p1=0 p2=1",
    "permute rank=4 d0=16 d1=2048 d2=16 d3=128 p0=0 p1=2 p2=1 p3=3",
    "permute rank=4 d0=64 d1=64 d2=128 d3=128 p0=3 p1=2 p2=1 p3=0",
    "permute_vjp rank=3 d0=256 d1=512 d2=512 p0=2 p1=0 p2=1",
    "swap_adjacent rank=3 d0=256 d1=512 d2=512 depth=1",
    "swap_adjacent_vjp rank=3 d0=256 d1=512 d2=512 depth=1",
    "broadcast_to rank=2 x0=1 x1=8192 d0=8192 d1=8192",
    "broadcast_to rank=2 x0=8192 x1=1 d0=8192 d1=8192",
    "broadcast_to rank=4 x0=1 x1=256 x2=1 x3=1 d0=32 d1=256 d2=64 d3=128",
    "broadcast_to_vjp rank=2 x0=1 x1=8192 d0=8192 d1=8192",
    "broadcast_to_vjp rank=2 x0=8192 x1=1 d0=8192 d1=8192",
    "broadcast_to_vjp rank=4 x0=1 x1=256 x2=1 x3=1 d0=32 d1=256 d2=64 d3=128",
    "matmul m=4096 k=4096 n=4096",
    "matmul m=4096 k=4096 n=4096 tb=1",
    "matmul m=4096 k=4096 n=4096 ta=1",
    "matmul m=1 k=4096 n=4096",
    "matmul_vjp m=4096 k=4096 n=4096",
    "gather_rows rows=50257 cols=1024 k=16384",
    "gather_rows_vjp rows=50257 cols=1024 k=16384",
    "scatter_add_rows rows=50257 cols=1024 k=16384",
    "scatter_add_rows_vjp rows=50257 cols=1024 k=16384",
    "gather_row rows=50257 cols=1024",
    "gather_row_vjp rows=50257 cols=1024",
    "scatter_add_row rows=50257 cols=1024",
    "scatter_add_row_vjp rows=50257 cols=1024",
    "gather n=67108864 k=16777216",
    "gather_vjp n=67108864 k=16777216",
    "scatter_add n=67108864 k=16777216",
    "scatter_add_vjp n=67108864 k=16777216",
    "concat outer=8192 na=4096 nb=4096 inner=1",
    "concat outer=1 na=4096 nb=4096 inner=8192",
    "concat_vjp outer=8192 na=4096 nb=4096 inner=1",
    "slice outer=8192 n=16384 inner=1 len=8192 start=4096",
    "slice_vjp outer=8192 n=8192 inner=1 len=4096 start=2048",
    "write_rows rows=8192 cols=8192 k=64 start=4096",
    "write_rows_vjp rows=8192 cols=8192 k=64 start=4096",
};

bool bench_size(const dc_op *op, int k, char *line)
{
  int found = 0;
  for (size_t i = 0; i < sizeof SIZES / sizeof SIZES[0]; i++) {
    if (strcspn(SIZES[i], " ") != strlen(op->name) ||
        strncmp(SIZES[i], op->name, strlen(op->name)) != 0)
      continue;
    if (found++ == k) {
      snprintf(line, REPLAY_TEXT, "%s", SIZES[i]);
      return true;
    }
  }
  if (found || k > 0 || op->n_dims != 1)
    return false;
  snprintf(line, REPLAY_TEXT, "%s %s=%d", op->name, op->dim[0], MANY);
  return true;
}
