/* What a kernel's contract requires is asked of its launch on the simulator: each kind of requirement is
 * met, and broken, and a launch that breaks one does not run. */
#include "helpers.h"

#include <string.h>

#include "../cuda/launch.h"
#include "requiring.h"

enum { ROWS = 3, COLS = 64, N = ROWS * COLS };
static _Alignas(16) float x[N + 4], y[N + 4];

static void fails_with(const char *words, const char *expected)
{
  ck_assert_ptr_nonnull(words);
  ck_assert_msg(strncmp(words, expected, strlen(expected)) == 0, "'%s' where '%s' was due", words,
                expected);
}

START_TEST(what_a_contract_asks_for_is_no_error)
{
  ck_assert_ptr_null(require_softmax_regs(ROWS, 32, ROWS, COLS, x, y));
  ck_assert_ptr_null(require_softmax_regs(ROWS + 1, 256, ROWS, COLS, x, y));
  ck_assert_ptr_null(require_softmax_shared(ROWS, 32, 16 * (COLS + 34) / 4, ROWS, COLS, x, y));
}
END_TEST

START_TEST(the_words_name_kernel_conjunct_and_values)
{
  const char *words = require_softmax_regs(ROWS, 256, ROWS, 9000, x, y);
  ck_assert_str_eq(words,
                   "softmax_regs: requires row_fits(K, cols): 0 < cols <= 4 * mul(K, bdim_): "
                   "K=4 cols=9000 bdim_=256");
}
END_TEST

START_TEST(a_grid_too_small)
{
  fails_with(require_softmax_regs(ROWS - 1, 32, ROWS, COLS, x, y),
             "softmax_regs: requires ix(rows, 1, 0) <= blocks_: rows=3 blocks_=2");
}
END_TEST

START_TEST(another_number_of_threads)
{
  fails_with(require_softmax_regs(ROWS, 48, ROWS, COLS, x, y),
             "softmax_regs: requires row_fits(K, cols): bdim_ % 32 == 0: bdim_=48");
}
END_TEST

START_TEST(addresses)
{
  fails_with(
      require_softmax_regs(ROWS, 32, ROWS, COLS, x + 1, y),
      "softmax_regs: requires VEC != 0 ==> cols % 4 == 0 && aligned16(x) && aligned16(y): VEC != 0 "
      "==> aligned16(x): VEC=1");
  fails_with(require_softmax_regs(ROWS, 32, ROWS, COLS, x, x + COLS),
             "softmax_regs: requires apart(x, ix(rows, cols, 0), y, ix(rows, cols, 0)): ");
  fails_with(require_softmax_regs(ROWS, 32, ROWS, COLS, x, NULL),
             "softmax_regs: requires own_rows(y, rows, cols): ");
}
END_TEST

START_TEST(a_size_beyond_64_bits)
{
  fails_with(require_softmax_regs(ROWS, 256, INT64_MAX / 8, 4096, x, y), "softmax_regs: requires ");
}
END_TEST

/* Where the tensors are known, what a contract speaks of lies in one of them. */
START_TEST(memory_of_no_tensor)
{
  pm_sim.extent(x, sizeof *x * N);
  pm_sim.extent(y, sizeof *y * (N - 1));
  const char *words = require_softmax_regs(ROWS, 32, ROWS, COLS, x, y);
  pm_sim.extent(NULL, 0);
  fails_with(words, "softmax_regs: requires own_rows(y, rows, cols): "
                    "\\valid(y + (0 .. ix(rows, cols, 0) - 1)): rows=3 cols=64");
  ck_assert_ptr_null(require_softmax_regs(ROWS, 32, ROWS, COLS, x, y));
}
END_TEST

START_TEST(shared_memory_too_small)
{
  fails_with(require_softmax_shared(ROWS, 32, 16 * (COLS / 4), ROWS, COLS, x, y),
             "softmax_shared: requires slots_fit(n): ");
}
END_TEST

/* Of a walk: 3 rows of 64, which lie as they come or in steps that leave the tensor. */
START_TEST(a_struct_and_a_quantifier)
{
  const int64_t size[1] = {ROWS}, step[1] = {COLS}, back[1] = {-COLS};
  pm_sim.extent(x, sizeof *x * N);
  pm_sim.extent(y, sizeof *y * N);
  const char *fine = require_walk(N, 1, size, step, ROWS, COLS, x, y);
  ck_assert_ptr_null(fine);
  fails_with(
      require_walk(N, 1, size, back, ROWS, COLS, x, y),
      "permute_walk_scalar: requires walk_size(y, x, w, rows, len, 1, m): \\forall integer d;");
  fails_with(require_walk(N, 1, size, (const int64_t[]){COLS + 1}, ROWS, COLS, x, y),
             "permute_walk_scalar: requires walk_size(y, x, w, rows, len, 1, m): \\valid_read(");
  pm_sim.extent(NULL, 0);
}
END_TEST

START_TEST(parameters_that_the_contract_has_not)
{
  fails_with(require_others(1, 1),
             "add_bias_scalar: launched with (ll) and 0 constants; its contract");
}
END_TEST

START_TEST(names_of_what_was_launched)
{
  pm_sim.launched();
  ck_assert_ptr_null(require_unknown(1));
  require_softmax_regs(ROWS, 32, ROWS, COLS, x, y);
  require_softmax_regs(ROWS, 32, ROWS, COLS, x, y);
  const char *const *k = pm_sim.launched();
  ck_assert_str_eq(k[0], "of_nobody");
  ck_assert_str_eq(k[1], "softmax_regs");
  ck_assert_ptr_null(k[2]);
  ck_assert_ptr_null(pm_sim.launched()[0]);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("requires");
  TCase *t = tcase_create("requires");
  suite_add_tcase(s, t);
  tcase_add_test(t, what_a_contract_asks_for_is_no_error);
  tcase_add_test(t, the_words_name_kernel_conjunct_and_values);
  tcase_add_test(t, a_grid_too_small);
  tcase_add_test(t, another_number_of_threads);
  tcase_add_test(t, addresses);
  tcase_add_test(t, a_size_beyond_64_bits);
  tcase_add_test(t, memory_of_no_tensor);
  tcase_add_test(t, shared_memory_too_small);
  tcase_add_test(t, a_struct_and_a_quantifier);
  tcase_add_test(t, parameters_that_the_contract_has_not);
  tcase_add_test(t, names_of_what_was_launched);
  return aid_main(s);
}
