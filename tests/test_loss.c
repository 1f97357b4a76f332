/* Losses on the simulator: the rules of their arguments, targets that only the device can see, and
 * corner values by hand. */
#include "../diffcheck/engine/engine.h"
#include "device.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 3000, WIDE = 600, ROOM = 16384 };
/* of the gradients, and beside each one of the loss alone */
static const char *const VARIANTS[] = {"warp", "regs", "shared"};
static const char *const ALONE[] = {"warp", "regs", "online"};

static pm_exec ex;
static float *x, *y, *dx, *g;
static int64_t *target;
static int *status;

static void setup(void)
{
  x = filled(ROOM, 0);
  y = filled(1, POISON);
  dx = filled(ROOM, POISON);
  g = filled(1, 1);
  target = pm_sim.alloc(ROWS * sizeof *target);
  status = pm_sim.alloc(sizeof *status);
  memset(target, 0, ROWS * sizeof *target);
  *status = 0;
  for (int i = 0; i < ROOM; i++)
    x[i] = (float)(i * 7 % 13) / 4;
  ex =
      (pm_exec){.work = filled(ROOM, POISON), .work_bytes = ROOM * sizeof(float), .status = status};
}

static void teardown(void)
{
  void *all[] = {x, y, dx, g, target, status, ex.work};
  for (int i = 0; i < 7; i++)
    pm_sim.free(all[i]);
}

static int untouched(void) { return poisoned(dx, ROOM) && *y == POISON; }

static void refused(pm_status s, const char *part, const char *and)
{
  refused_with(s, part, and);
  ck_assert_int_eq(pm_sim.sync(), PM_OK);
  ck_assert(untouched());
  ck_assert_int_eq(*status, 0);
}

/* All three ops at once. */
static void all(int64_t rows, int64_t cols, int v)
{
  ex.variant = ALONE[v];
  done(pm_sim.cross_entropy(&ex, rows, cols, x, target, y));
  ex.variant = VARIANTS[v];
  done(pm_sim.cross_entropy_vjp(&ex, 0, rows, cols, x, target, g, dx));
  done(pm_sim.cross_entropy_grad(&ex, rows, cols, x, target, y, dx));
}

START_TEST(arguments)
{
  refused(pm_sim.mse_loss(&ex, -1, x, x, y), "n = -1", ">= 0");
  refused(pm_sim.mse_loss(&ex, 4, x, NULL, y), "t = NULL", "16 bytes");
  refused(pm_sim.mse_loss_vjp(&ex, 2, 4, x, x, g, dx, dx + 4), "accumulate = 2", "0 or 1");
  refused(pm_sim.mse_loss_vjp(&ex, 0, 4, x, x, g, dx, dx + 3), "da", "overlap");
  refused(pm_sim.cross_entropy(&ex, -2, 3, x, target, y), "rows = -2", ">= 0");
  refused(pm_sim.cross_entropy(&ex, 2, 0, x, target, y), "cols = 0", "where there are rows");
  refused(pm_sim.cross_entropy_vjp(&ex, 0, 2, 3, x, NULL, g, dx), "target = NULL", "16 bytes");
  refused(pm_sim.cross_entropy_vjp(&ex, 0, 2, 3, x, target, NULL, dx), "g = NULL", "4 bytes");
  refused(pm_sim.cross_entropy_grad(&ex, (int64_t)1 << 31, (int64_t)1 << 31, x, target, y, dx),
          "rows*cols", "2^60-1");
  refused(pm_sim.cross_entropy_grad(&ex, 2, 3, x, target, dx + 2, dx), "loss", "overlap");
  ex.status = (int *)(void *)y;
  refused(pm_sim.cross_entropy(&ex, 2, 3, x, target, y), "loss", "overlaps status");
  ex.status = (int *)(void *)((char *)status + 1);
  refused(pm_sim.cross_entropy(&ex, 2, 3, x, target, y), "status", "aligned to 4 bytes");
  ex.status = status;
  ex.work_bytes = 4;
  refused(pm_sim.cross_entropy(&ex, 2, 3, x, target, y), "work_bytes = 4", "at least");
}
END_TEST

/* No variant is left for as many pieces of rows as a grid has not; nothing is where the tensors should
 * be. The loss alone takes any number. */
START_TEST(too_many_rows)
{
  const int64_t rows = (int64_t)1 << 29, cols = 57857;
  const float *far = (const float *)((uintptr_t)1 << 50);
  const int64_t *classes = (const int64_t *)((uintptr_t)1 << 51);
  float *to = (float *)((uintptr_t)1 << 52), *work = ex.work;
  ex.work = (void *)((uintptr_t)1 << 53);
  ex.work_bytes = pm_sim.workspace("cross_entropy_grad", (int64_t[]){rows, cols});
  refused(pm_sim.cross_entropy_grad(&ex, rows, cols, far, classes, y, to),
          "cross_entropy_grad: rows = 536870912", "cols = 57857 a call takes at most 536870911");
  refused(pm_sim.cross_entropy_vjp(&ex, 0, rows, cols, far, classes, g, to),
          "cross_entropy_vjp: rows = 536870912", "at most 536870911");
  ck_assert_ptr_null(ex.ran);
  ex.work = work;
}
END_TEST

/* One target among many, in whatever block looks at it. */
START_TEST(targets_out_of_range)
{
  static const int64_t bad[] = {-1, 5, INT64_MIN, INT64_MAX};
  static const int at[] = {300, 1023, 1024, ROWS - 1}; /* 300: a lane's second */
  for (int v = 0; v < 3; v++)
    for (int i = 0; i < 4; i++) {
      target[at[i]] = bad[i];
      *status = 0;
      all(ROWS, 5, v);
      ck_assert(untouched());
      ck_assert_int_eq(*status, PM_BAD_ARGUMENT);
      ex.status = NULL;
      all(ROWS, 5, v);
      ck_assert(untouched());
      ex.status = status;
      target[at[i]] = 4;
    }
}
END_TEST

/* Good targets leave the word alone: one call after another may share it. */
START_TEST(status_is_kept)
{
  all(3, 4, 0);
  ck_assert_int_eq(*status, 0);
  *status = 77;
  all(3, 4, 0);
  ck_assert_int_eq(*status, 77);
  ck_assert(*y != POISON);
}
END_TEST

START_TEST(mean_of_none)
{
  done(pm_sim.mse_loss(&ex, 0, NULL, NULL, y));
  ck_assert(isnan(*y));
  *y = POISON;
  done(pm_sim.cross_entropy(&ex, 0, 5, NULL, NULL, y));
  ck_assert(isnan(*y));
  done(pm_sim.cross_entropy(&ex, 0, 0, NULL, NULL, y));
  *y = POISON;
  done(pm_sim.cross_entropy_grad(&ex, 0, 5, NULL, NULL, y, NULL));
  ck_assert(isnan(*y));
  done(pm_sim.cross_entropy_vjp(&ex, 0, 0, 5, NULL, NULL, g, NULL));
  done(pm_sim.mse_loss_vjp(&ex, 0, 0, NULL, NULL, g, NULL, NULL));
}
END_TEST

/* dx of the fused op is that of the VJP for g = 1, bit for bit, and its loss is the loss, but for the
 * variants that add up otherwise. */
START_TEST(fused)
{
  float loss, *both = malloc(ROOM * sizeof *both);
  const int64_t shape[][2] = {{7, 1}, {100, 37}, {3, WIDE}, {2, 5000}};
  for (int v = 0; v < 3; v++)
    for (int i = 0; i < 4; i++) {
      int64_t rows = shape[i][0], cols = shape[i][1];
      if (v == 0 && cols > 512)
        continue;
      ex.variant = VARIANTS[v];
      for (int r = 0; r < rows; r++)
        target[r] = r * 31 % cols;
      done(pm_sim.cross_entropy_grad(&ex, rows, cols, x, target, y, dx));
      loss = *y;
      memcpy(both, dx, ROOM * sizeof *both);
      ex.variant = ALONE[v];
      done(pm_sim.cross_entropy(&ex, rows, cols, x, target, y));
      ck_assert(v == 0 ? *y == loss : fabsf(*y - loss) <= 1e-6f * loss);
      ex.variant = VARIANTS[v];
      done(pm_sim.cross_entropy_vjp(&ex, 0, rows, cols, x, target, g, dx));
      ck_assert_int_eq(memcmp(both, dx, (size_t)(rows * cols) * sizeof *dx), 0);
    }
  free(both);
}
END_TEST

static void row(int64_t cols, float a, float b, int v)
{
  float loss;
  for (int c = 0; c < cols; c++)
    x[c] = c == 0 ? a : b;
  target[0] = 0;
  ex.variant = ALONE[v];
  done(pm_sim.cross_entropy(&ex, 1, cols, x, target, y));
  loss = *y;
  ex.variant = VARIANTS[v];
  done(pm_sim.cross_entropy_grad(&ex, 1, cols, x, target, y, dx));
  ck_assert(*y == loss || (isnan(*y) && isnan(loss)));
}

START_TEST(corners)
{
  for (int v = 0; v < 3; v++) {
    row(1, 5, 0, v); /* one class is certain */
    ck_assert(*y == 0 && dx[0] == 0);
    row(4, 1e4f, 1e4f, v); /* all alike, far from 0 */
    ck_assert(fabsf(*y - logf(4)) < 1e-6f && dx[0] == -0.75f && dx[3] == 0.25f);
    row(4, 3e38f, -3e38f, v); /* certain */
    ck_assert(*y == 0 && dx[0] == 0 && dx[1] == 0);
    row(3, -1e30f, 1e30f, v); /* next to impossible */
    ck_assert(*y == 2e30f && dx[0] == -1 && dx[1] == 0.5f);
    row(3, -INFINITY, 1, v); /* impossible */
    ck_assert(*y == INFINITY && dx[0] == -1 && dx[2] == 0.5f);
    row(3, 1, -INFINITY, v); /* the others are */
    ck_assert(*y == 0 && dx[0] == 0 && dx[2] == 0);
    row(3, -INFINITY, -INFINITY, v);
    ck_assert(isnan(*y) && isnan(dx[0]) && isnan(dx[2]));
    row(3, 1, INFINITY, v);
    ck_assert(isnan(*y) && isnan(dx[0]));
    row(3, NAN, 0, v);
    ck_assert(isnan(*y) && isnan(dx[1]));
  }
}
END_TEST

/* Rows in the registers of a cluster's blocks, of equal elements: the classes are the last element and
 * one of another block. */
START_TEST(cluster_rows)
{
  enum { MOST = 16384 + 4, WORK = 1024 };
  float *row = filled(2 * MOST, 2), *d = filled(2 * MOST + 1, POISON);
  float *before = ex.work, *work = filled(WORK, POISON);
  ex.variant = "cluster";
  ex.work = work;
  ex.work_bytes = WORK * sizeof *work;
  for (int n = MOST - 3; n <= MOST; n++) {
    int64_t at[] = {n - 1, n / 3};
    memcpy(target, at, sizeof at);
    for (int adds = 0; adds < 2; adds++) {
      done(pm_sim.cross_entropy_vjp(&ex, adds, 2, n, row, target, g, d));
      for (int i = 0; i < 2 * n; i++) {
        float want = (1.0f / (float)n - (i % n == at[i / n] ? 1 : 0)) / 2;
        ck_assert(fabsf(d[i] - (float)(adds + 1) * want) <= 1e-6f * fabsf(want));
      }
    }
    done(pm_sim.cross_entropy_grad(&ex, 2, n, row, target, y, d));
    ck_assert(fabsf(*y - logf((float)n)) <= 1e-5f);
    ck_assert(d[2 * n] == POISON);
    for (int i = 0; i < 2 * MOST; i++)
      d[i] = POISON;
    target[1] = n;
    *y = POISON;
    *status = 0;
    done(pm_sim.cross_entropy_grad(&ex, 2, n, row, target, y, d));
    ck_assert(*y == POISON && poisoned(d, 2 * MOST + 1));
    ck_assert_int_eq(*status, PM_BAD_ARGUMENT);
  }
  ex.work = before;
  pm_sim.free(row);
  pm_sim.free(d);
  pm_sim.free(work);
}
END_TEST

START_TEST(squares)
{
  float a[] = {1, 2, 3, 4, 5}, t[] = {1, 0, 3, 7, 5};
  memcpy(x, a, sizeof a);
  memcpy(x + 8, t, sizeof t);
  done(pm_sim.mse_loss(&ex, 5, x, x + 8, y));
  ck_assert(*y == 13.0f / 5);
  done(pm_sim.mse_loss_vjp(&ex, 0, 5, x, x + 8, g, dx, dx + 8));
  for (int i = 0; i < 5; i++)
    ck_assert(dx[i] == 0.4f * (a[i] - t[i]) && dx[8 + i] == -dx[i]);
}
END_TEST

/* The checker draws no target out of range, and takes none from the user. */
START_TEST(targets_of_the_checker)
{
  dc_case c;
  dc_error err;
  dc_problem p;
  int64_t given[] = {0, 3};
  dc_case_init(&c, dc_op_find("cross_entropy"));
  c.size[0] = 2;
  c.size[1] = 3;
  c.given[1] = given;
  ck_assert_int_eq(dc_problem_make(&p, &c, &err), DC_INVALID);
  ck_assert_text(err.text, "target[1] is 3");
  ck_assert_text(err.text, "from 0 to 2");
  given[1] = -1;
  ck_assert_int_eq(dc_problem_make(&p, &c, &err), DC_INVALID);
  given[1] = 2;
  ck_assert_int_eq(dc_problem_make(&p, &c, &err), DC_OK);
  dc_problem_free(&p);
  c.given[1] = NULL;
  c.indices = DC_IX_OUTSIDE;
  for (c.seed = 0; c.seed < 50; c.seed++) {
    ck_assert_int_eq(dc_problem_make(&p, &c, &err), DC_OK);
    dc_problem_free(&p);
  }
  c.size[1] = 0;
  ck_assert_int_eq(dc_problem_make(&p, &c, &err), DC_INVALID);
  ck_assert_text(err.text, "cols is 0");
}
END_TEST

int main(void)
{
  Suite *s = suite_create("loss");
  TCase *t = tcase_create("loss");
  tcase_add_checked_fixture(t, setup, teardown);
  tcase_set_timeout(t, 240);
  tcase_add_test(t, arguments);
  tcase_add_test(t, too_many_rows);
  tcase_add_test(t, targets_out_of_range);
  tcase_add_test(t, status_is_kept);
  tcase_add_test(t, mean_of_none);
  tcase_add_test(t, fused);
  tcase_add_test(t, corners);
  tcase_add_test(t, cluster_rows);
  tcase_add_test(t, squares);
  tcase_add_test(t, targets_of_the_checker);
  suite_add_tcase(s, t);
  return aid_main(s);
}
