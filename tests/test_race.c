/* Data races on the watched simulator (cuda/sim/race.h): kernels of racing.cpp, with one and without. */
#include "helpers.h"

#include <string.h>

#include "../cuda/launch.h"
#include "racing.h"

static float *memory;

static void set_up(void)
{
  memory = pm_sim.alloc(64 * 4 * sizeof *memory);
  ck_assert_ptr_nonnull(memory);
  memset(memory, 0, 64 * 4 * sizeof *memory);
}

static void tear_down(void) { pm_sim.free(memory); }

/* Runs the kernels one after another; of some, the last may start early. */
static const char *after(const char *first, const char *second, int early, int blocks)
{
  racing_run(first, (unsigned)blocks, memory);
  if (second)
    (early ? racing_run_early : racing_run)(second, (unsigned)blocks, memory);
  return racing_end();
}

static const struct {
  const char *kernel;
  int blocks;
  const char *race; /* in the words for it; NULL: there is none */
} CASES[] = {
    {"own", 4, NULL},
    {"one_cell", 1, "race in byte 0 of a tensor or workspace of 1024"},
    {"read_all", 1, "race in byte 0 of a tensor or workspace of 1024"},
    {"read_then_write", 4, NULL},
    {"no_barrier", 1, "race in byte"},
    {"warp_only", 1, "with no barrier between"},
    {"within_warp", 2, NULL},
    {"next_block", 1, NULL},
    {"next_block", 2, "nothing orders blocks of a launch"},
    {"counted", 4, NULL},
    {"counted_and_read", 1, "race in byte 0 of a tensor or workspace of 1024"},
    {"bytes", 4, NULL},
    {"shared_phases", 4, NULL},
    {"shared_next_phase", 1, "race in shared memory"},
    {"cluster_barrier", 4, NULL},
    {"cluster_exchange_orders_nothing_else", 2, "nothing orders blocks of a launch"},
};

/* Under every order of threads and blocks: a race is one whether or not it shows. */
START_TEST(a_race_is_found_and_nothing_else)
{
  for (uint64_t seed = 0; seed < 6; seed++) {
    pm_sim.shuffle(seed);
    const char *words = after(CASES[_i].kernel, NULL, 0, CASES[_i].blocks);
    if (!CASES[_i].race)
      ck_assert_msg(!words, "%s: %s", CASES[_i].kernel, words);
    else
      ck_assert_msg(words && strstr(words, CASES[_i].race), "%s: %s", CASES[_i].kernel,
                    words ? words : "no race");
  }
}
END_TEST

START_TEST(both_accesses_are_named_by_their_lines)
{
  pm_sim.shuffle(0);
  const char *words = after("next_block", NULL, 0, 2);
  ck_assert_ptr_nonnull(words);
  ck_assert_ptr_nonnull(strstr(words, "thread 0 of block 0 wrote at tests/racing.cpp:"));
  ck_assert_ptr_nonnull(strstr(words, "thread 0 of block 1 reads at tests/racing.cpp:"));
}
END_TEST

START_TEST(a_launch_comes_after_the_one_before)
{
  ck_assert_ptr_null(after("own", "read_then_write", 0, 2));
}
END_TEST

START_TEST(a_launch_that_may_start_early_has_to_wait)
{
  const char *words = after("own", "own", 1, 2);
  ck_assert_ptr_nonnull(words);
  ck_assert_ptr_nonnull(strstr(words, "of a launch that it has not waited for"));
  ck_assert_ptr_null(after("own", "waits", 1, 2));
}
END_TEST

/* What the one before has not waited for may be under way as well. */
START_TEST(early_launches_in_a_row)
{
  racing_run("own", 2, memory);
  racing_run_early("shared_phases", 2, memory + 128);
  racing_run_early("own", 2, memory);
  ck_assert_ptr_nonnull(racing_end());
  racing_run("own", 2, memory);
  racing_run("shared_phases", 2, memory + 128);
  racing_run_early("own", 2, memory);
  ck_assert_ptr_null(racing_end());
}
END_TEST

START_TEST(what_was_synchronised_is_over)
{
  ck_assert_ptr_null(after("own", NULL, 0, 2));
  racing_run_early("own", 2, memory);
  ck_assert_ptr_null(racing_end());
}
END_TEST

/* Memory that is handed out again has no history. */
START_TEST(freed_memory_is_forgotten)
{
  float *p = pm_sim.alloc(64 * sizeof *p);
  racing_run("own", 1, p);
  pm_sim.free(p);
  racing_run_early("own", 1, memory);
  ck_assert_ptr_null(racing_end());
}
END_TEST

/* A thread's own variables are no shared memory. */
START_TEST(other_memory_is_not_looked_at)
{
  static float elsewhere[64];
  racing_run("one_cell", 1, elsewhere);
  ck_assert_ptr_null(racing_end());
}
END_TEST

int main(void)
{
  Suite *s = suite_create("race");
  TCase *t = tcase_create("races");
  suite_add_tcase(s, t);
  tcase_add_checked_fixture(t, set_up, tear_down);
  tcase_add_loop_test(t, a_race_is_found_and_nothing_else, 0, (int)(sizeof CASES / sizeof *CASES));
  tcase_add_test(t, both_accesses_are_named_by_their_lines);
  tcase_add_test(t, a_launch_comes_after_the_one_before);
  tcase_add_test(t, a_launch_that_may_start_early_has_to_wait);
  tcase_add_test(t, early_launches_in_a_row);
  tcase_add_test(t, what_was_synchronised_is_over);
  tcase_add_test(t, freed_memory_is_forgotten);
  tcase_add_test(t, other_memory_is_not_looked_at);
  return aid_main(s);
}
