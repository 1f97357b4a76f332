#include "requiring.h"

#include "../cuda/sim/sim.h"

namespace {
typedef int64_t idx;
struct walk {
  int n;
  idx size[8], step[8];
};
} // namespace

template <int LOGS, int K, int VEC, int WHOLE>
static void softmax_regs(idx, int, const float *, float *)
{
}
template <int LOGS, int VEC> static void softmax_shared(idx, idx, int, const float *, float *) {}
static void permute_walk_scalar(walk, idx, idx, int, const float *, float *) {}
static void add_bias_scalar(idx, idx) {}
static void of_nobody(int) {}

const char *require_softmax_regs(unsigned grid, unsigned block, int64_t rows, int cols,
                                 const float *x, float *y)
{
  SIM_LAUNCH((softmax_regs<0, 4, 1, 0>), grid, block, 1, 0, 0, rows, cols, x, y);
  return pm_sim_take_error();
}

const char *require_softmax_shared(unsigned grid, unsigned block, size_t bytes, int64_t rows,
                                   int cols, const float *x, float *y)
{
  SIM_LAUNCH((softmax_shared<0, 0>), grid, block, 1, bytes, 0, grid, rows, cols, x, y);
  return pm_sim_take_error();
}

const char *require_walk(unsigned grid, int axes, const int64_t *size, const int64_t *step,
                         int64_t rows, int64_t len, const float *x, float *y)
{
  walk w = {axes, {}, {}};
  for (int i = 0; i < axes; i++)
    w.size[i] = size[i], w.step[i] = step[i];
  SIM_LAUNCH(permute_walk_scalar, grid, 32, 1, 0, 0, w, rows, len, 0, x, y);
  return pm_sim_take_error();
}

const char *require_others(unsigned grid, int64_t rows)
{
  SIM_LAUNCH(add_bias_scalar, grid, 32, 1, 0, 0, rows, rows);
  return pm_sim_take_error();
}

const char *require_unknown(unsigned grid)
{
  SIM_LAUNCH(of_nobody, grid, 32, 1, 0, 0, 0);
  return pm_sim_take_error();
}
