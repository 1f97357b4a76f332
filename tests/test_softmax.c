/* The softmax family on the simulator: arguments, and rows at the ends of what is possible. What
 * holds of every op's arguments is in test_launch.c. */
#include "device.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { COLS = 8, LONG = 20000 };
static const char *const variants[] = {"warp", "regs", "shared"};
enum { VARIANTS = sizeof variants / sizeof *variants };

typedef pm_status forward(pm_exec *ex, int64_t rows, int64_t cols, const float *x, float *y);

static int near(float got, double want)
{
  return isnan(want) ? isnan(got) : got == want || fabs(got - want) <= fabs(want) * 0x1p-21;
}

/* One row through every variant; y[c] is close to want[c]. */
static void row_gives(forward *op, const float *x, const double *want)
{
  device d = device_begin();
  memcpy(d.x, x, COLS * sizeof *x);
  for (int v = 0; v < VARIANTS; v++) {
    d.ex.variant = variants[v];
    ck_assert_int_eq(op(&d.ex, 1, COLS, d.x, d.y), PM_OK);
    for (int c = 0; c < COLS; c++)
      ck_assert_msg(near(d.y[c], want[c]), "%s: y[%d] = %g, not %g", variants[v], c, d.y[c],
                    want[c]);
    ck_assert(d.y[COLS] == POISON);
  }
  device_end(&d);
}

/* The same under a mask. */
static void masked_gives(const float *x, const float *mask, const double *want)
{
  device d = device_begin();
  memcpy(d.x, x, COLS * sizeof *x);
  memcpy(d.work, mask, COLS * sizeof *x);
  for (int v = 0; v < VARIANTS; v++) {
    d.ex.variant = variants[v];
    ck_assert_int_eq(pm_sim.masked_softmax(&d.ex, 1, COLS, d.x, d.work, d.y), PM_OK);
    for (int c = 0; c < COLS; c++)
      ck_assert_msg(near(d.y[c], want[c]), "%s: y[%d] = %g, not %g", variants[v], c, d.y[c],
                    want[c]);
    ck_assert(d.y[COLS] == POISON);
  }
  device_end(&d);
}

START_TEST(arguments)
{
  device d = device_begin();
  pm_exec *ex = &d.ex;
  device_refused(&d, pm_sim.log_softmax(ex, -1, 4, d.x, d.y), "rows = -1", ">= 0");
  device_refused(&d, pm_sim.log_softmax(ex, 4, -1, d.x, d.y), "cols = -1", ">= 0");
  device_refused(&d, pm_sim.log_softmax(ex, 2, 4, NULL, d.y), "log_softmax: x", "NULL");
  device_refused(&d, pm_sim.masked_softmax(ex, 2, 4, d.x, NULL, d.y), "masked_softmax: mask",
                 "NULL");
  device_refused(&d, pm_sim.masked_softmax(ex, 2, 4, d.x, d.y + 4, d.y), "y", "mask");
  device_refused(&d, pm_sim.masked_softmax(ex, (int64_t)1 << 31, (int64_t)1 << 31, d.x, d.x, d.y),
                 "rows", "2^60-1");
  device_refused(&d, pm_sim.log_softmax_vjp(ex, 2, 2, 4, d.x, d.x, d.y), "accumulate = 2",
                 "0 or 1");
  device_refused(&d, pm_sim.masked_softmax_vjp(ex, 0, 2, 4, d.x, d.y, d.y), "dx", "g");
  ck_assert_int_eq(pm_sim.log_softmax(ex, 0, 4, NULL, NULL), PM_OK);
  ck_assert_int_eq(pm_sim.masked_softmax(ex, 3, 0, NULL, NULL, NULL), PM_OK);
  ck_assert_int_eq(pm_sim.masked_softmax_vjp(ex, 1, 0, INT64_MAX, NULL, NULL, NULL), PM_OK);
  ck_assert(device_is(d.y, 0, NULL));
  device_end(&d);
}
END_TEST

/* Rows of one element more than a block holds: as many as have 2^31 - 1 pieces, of which there are four a
 * row, have a workspace; with one more no variant is left. Nothing is where the tensors should be. */
START_TEST(too_many_rows)
{
  enum { WIDE = 57857, PIECES = 4, WORDS = 2 };
  int64_t most = 0x7fffffff / PIECES, more[] = {most + 1, WIDE};
  const float *x = (const float *)((uintptr_t)1 << 50), *b = (const float *)((uintptr_t)1 << 51);
  float *y = (float *)((uintptr_t)1 << 52);
  char words[64];
  device d = device_begin();
  pm_exec *ex = &d.ex;
  for (int v = 0; v < 2; v++) {
    device_refused(&d, pm_sim.softmax(ex, most + 1, WIDE, x, y), "softmax: rows = 536870912",
                   "cols = 57857 a call takes at most 536870911");
    device_refused(&d, pm_sim.log_softmax(ex, most + 1, WIDE, x, y), "rows = 536870912", "at most");
    device_refused(&d, pm_sim.masked_softmax(ex, most + 1, WIDE, x, b, y), "rows = 536870912",
                   "at most");
    device_refused(&d, pm_sim.softmax_vjp(ex, 0, most + 1, WIDE, x, b, y), "rows = 536870912",
                   "at most");
    ex->work_bytes = 0, ex->work = NULL; /* and none is needed */
  }
  ck_assert_uint_eq(pm_sim.workspace("softmax", more), 0);
  ck_assert_ptr_null(ex->ran);
  ex->variant = "split";
  ck_assert_int_eq(pm_sim.softmax(ex, most + 1, WIDE, x, y), PM_UNSUITED);
  ck_assert_text(pm_sim.error(), "fewer than 2^31 pieces");
  ex->variant = NULL;
  more[0] = most;
  snprintf(words, sizeof words, "to %lld bytes", (long long)most * PIECES * WORDS * 4);
  ck_assert_uint_eq(pm_sim.workspace("softmax", more), (size_t)most * PIECES * WORDS * 4);
  device_refused(&d, pm_sim.softmax(ex, most, WIDE, x, y), "work = NULL", words);
  ck_assert_uint_eq(pm_sim.workspace("softmax", (int64_t[]){INT64_MAX, INT64_MAX}), 0);
  ck_assert_int_eq(pm_sim.sync(), PM_OK);
  device_end(&d);
}
END_TEST

START_TEST(one_column)
{
  static const float any[] = {0, -5, 3e38f, -3e38f, 1e-40f};
  device d = device_begin();
  memcpy(d.x, any, sizeof any);
  ck_assert_int_eq(pm_sim.softmax(&d.ex, 5, 1, d.x, d.y), PM_OK);
  ck_assert(device_is(d.y, 5, (float[]){1, 1, 1, 1, 1}));
  ck_assert_int_eq(pm_sim.log_softmax(&d.ex, 5, 1, d.x, d.y), PM_OK);
  ck_assert(device_is(d.y, 5, (float[]){0, 0, 0, 0, 0}));
  d.work[1] = d.work[3] = 1;
  ck_assert_int_eq(pm_sim.masked_softmax(&d.ex, 5, 1, d.x, d.work, d.y), PM_OK);
  ck_assert(device_is(d.y, 5, (float[]){1, 0, 1, 0, 1}));
  device_end(&d);
}
END_TEST

START_TEST(equal_and_offset_rows)
{
  float x[COLS];
  double log_of[COLS], want[COLS], sum = 0;
  for (int c = 0; c < COLS; c++)
    x[c] = -3e38f, want[c] = 1.0 / COLS, log_of[c] = -log(COLS);
  row_gives(pm_sim.softmax, x, want);
  row_gives(pm_sim.log_softmax, x, log_of);
  for (int c = 0; c < COLS; c++)
    sum += exp(c);
  for (int c = 0; c < COLS; c++) { /* the offset is lost without a trace, not with the fractions */
    x[c] = (float)(1 << 23) + (float)c;
    want[c] = exp(c) / sum;
    log_of[c] = c - log(sum);
  }
  row_gives(pm_sim.softmax, x, want);
  row_gives(pm_sim.log_softmax, x, log_of);
}
END_TEST

#define I INFINITY
START_TEST(infinities)
{
  double nan[COLS], low[COLS] = {-I, -log(2), -I, -I, -I, -log(2), -I, -I};
  for (int c = 0; c < COLS; c++)
    nan[c] = NAN;
  row_gives(pm_sim.log_softmax, (float[]){-I, 7, -I, -I, -I, 7, -I, -I}, low);
  row_gives(pm_sim.softmax, (float[]){-I, 7, -I, -I, -I, 7, -I, -I},
            (double[]){0, .5, 0, 0, 0, .5, 0, 0});
  row_gives(pm_sim.log_softmax, (float[]){-I, -I, -I, -I, -I, -I, -I, -I}, nan);
  row_gives(pm_sim.softmax, (float[]){-I, -I, -I, -I, -I, -I, -I, -I}, nan);
  row_gives(pm_sim.log_softmax, (float[]){0, 1, 2, I, 4, 5, 6, 7}, nan);
  row_gives(pm_sim.log_softmax, (float[]){0, 1, 2, NAN, 4, 5, 6, 7}, nan);
  row_gives(pm_sim.log_softmax, (float[]){-3e38f, 3e38f, 0, 0, 0, 0, 0, 0},
            (double[]){-I, 0, -3e38f, -3e38f, -3e38f, -3e38f, -3e38f, -3e38f});
}
END_TEST

/* What is blocked neither counts nor shows. */
START_TEST(masks)
{
  static const float half[COLS] = {1, 0, -1, 0x1p-149f, NAN, -0.0f, I, -I};
  static const float all[COLS] = {1, 1, 1, 1, 1, 1, 1, 1}, none[COLS] = {0};
  static const double two[COLS] = {0, .5, 0, 0, 0, .5, 0, 0}, zeros[COLS] = {0};
  masked_gives((float[]){9, 4, 9, 9, 9, 4, 9, 9}, half, two);
  masked_gives((float[]){I, 4, NAN, -I, FLT_MAX, 4, -NAN, I}, half, two);
  masked_gives((float[]){I, -3e38f, 3e38f, -I, NAN, -3e38f, 0, I}, half, two);
  masked_gives((float[]){1, 2, 3, 4, 5, 6, 7, 8}, all, zeros);
  masked_gives((float[]){I, -I, NAN, I, NAN, -I, I, 0}, all, zeros);
  masked_gives((float[]){-I, -I, -I, -I, -I, -I, -I, -I}, all, zeros);
  masked_gives((float[]){5, 5, 5, 5, 5, 5, 5, 5}, none,
               (double[]){.125, .125, .125, .125, .125, .125, .125, .125});
  /* open elements that are all -Inf, or one that is NaN or +Inf: NaN where open, 0 where blocked */
  masked_gives((float[]){1, -I, 1, 1, 1, -I, 1, 1}, half, (double[]){0, NAN, 0, 0, 0, NAN, 0, 0});
  masked_gives((float[]){1, NAN, 1, 1, 1, 3, 1, 1}, half, (double[]){0, NAN, 0, 0, 0, NAN, 0, 0});
  masked_gives((float[]){1, I, 1, 1, 1, 3, 1, 1}, half, (double[]){0, NAN, 0, 0, 0, NAN, 0, 0});
  masked_gives((float[]){1, -I, 1, 1, 1, 3, 1, 1}, half, (double[]){0, 0, 0, 0, 0, 1, 0, 0});
}
END_TEST

/* A NaN of x with the bits that a kernel marks blocked elements by. */
START_TEST(no_nan_is_a_mask)
{
  static const uint32_t bits[] = {0x7fc0b10c, 0xffc0b10c, 0x7fc00000, 0x7fffffff, 0x7f800001};
  float x[COLS] = {0}, mask[COLS] = {1};
  double want[COLS] = {0};
  for (int c = 1; c < COLS; c++)
    want[c] = NAN;
  for (size_t i = 0; i < sizeof bits / sizeof *bits; i++) {
    memcpy(&x[3], &bits[i], sizeof bits[i]);
    masked_gives(x, mask, want);
  }
}
END_TEST

START_TEST(gradients)
{
  static const float half[] = {0, .5f, 0, 0, 0, .5f, 0, 0}, ones[] = {1, 1, 1, 1, 1, 1, 1, 1};
  static const float hostile[] = {NAN, 4, I, -I, NAN, 8, NAN, I};
  device d = device_begin();
  for (int v = 0; v < VARIANTS; v++) {
    d.ex.variant = variants[v];
    memcpy(d.x, half, sizeof half);
    memcpy(d.work, hostile, sizeof hostile);
    ck_assert_int_eq(pm_sim.masked_softmax_vjp(&d.ex, 0, 1, COLS, d.x, d.work, d.y), PM_OK);
    ck_assert(device_is(d.y, COLS, (float[]){0, -1, 0, 0, 0, 1, 0, 0}));
    ck_assert_int_eq(pm_sim.masked_softmax_vjp(&d.ex, 1, 1, COLS, d.x, d.work, d.y), PM_OK);
    ck_assert(device_is(d.y, COLS, (float[]){0, -2, 0, 0, 0, 2, 0, 0}));
    memset(d.x, 0, sizeof half); /* a row that is blocked throughout */
    ck_assert_int_eq(pm_sim.masked_softmax_vjp(&d.ex, 0, 1, COLS, d.x, d.work, d.y), PM_OK);
    ck_assert(device_is(d.y, COLS, (float[]){0, 0, 0, 0, 0, 0, 0, 0}));
    /* e^y is 1, 0 and 0: what the others' cotangents add up to is taken from the first alone */
    memcpy(d.x, (float[]){0, -I, -200, -I, -I, -I, -I, -I}, sizeof half);
    memcpy(d.work, ones, sizeof ones);
    ck_assert_int_eq(pm_sim.log_softmax_vjp(&d.ex, 0, 1, COLS, d.x, d.work, d.y), PM_OK);
    ck_assert(device_is(d.y, COLS, (float[]){-7, 1, 1, 1, 1, 1, 1, 1}));
  }
  device_end(&d);
}
END_TEST

/* A row beyond the registers; two of three elements are blocked. */
START_TEST(long_rows)
{
  float *x = filled(LONG, 3), *mask = filled(LONG, 1), *y = filled(LONG, POISON);
  float *work = filled(64, POISON);
  pm_exec ex = {.work = work, .work_bytes = 64 * sizeof *work};
  int opens = 0;
  for (int c = 0; c < LONG; c += 3, opens++)
    mask[c] = 0;
  for (int c = 1; c < LONG; c += 3)
    x[c] = NAN;
  for (int v = 0; v < 3; v++) {
    ex.variant = (const char *[]){"shared", "split", "cluster"}[v];
    ck_assert_int_eq(pm_sim.masked_softmax(&ex, 1, LONG, x, mask, y), PM_OK);
    for (int c = 0; c < LONG; c++)
      ck_assert(c % 3 ? y[c] == 0 : near(y[c], 1.0 / opens));
  }
  pm_sim.free(work);
  pm_sim.free(x);
  pm_sim.free(mask);
  pm_sim.free(y);
}
END_TEST

/* Rows under a mask that are split, of so many pieces that a lane has a whole batch of vectors, aligned
 * and not: what is open in the last row are the first element of a piece, beside others that are -Inf,
 * and the last of the row; in the row before it, one that is -Inf; in all others nothing. */
START_TEST(split_masks)
{
  enum { ROWS = 22, MOST = 3 * 16384, PIECE = 4096, WORDS = 2 * ROWS * MOST / PIECE };
  float *x = filled(ROWS * MOST, -I), *mask = filled(ROWS * MOST, 1);
  float *y = filled(ROWS * MOST, POISON), *work = filled(WORDS, POISON);
  pm_exec ex = {.variant = "split", .work = work, .work_bytes = WORDS * sizeof *work};
  for (int n = MOST - 1; n <= MOST; n++) {
    int row = (ROWS - 1) * n, first = row + PIECE, last = ROWS * n - 1;
    x[last] = x[first] = 3;
    x[first + 2] = NAN;
    mask[last] = mask[first] = mask[first + 1] = mask[first - 1] = mask[row - 1] = 0;
    ck_assert_int_eq(pm_sim.masked_softmax(&ex, ROWS, n, x, mask, y), PM_OK);
    for (int c = 0; c < ROWS * n; c++)
      ck_assert_msg(c == row - 1 ? isnan(y[c]) : y[c] == (c == last || c == first ? 0.5f : 0),
                    "n = %d: y[%d] = %g", n, c, (double)y[c]);
    mask[last] = mask[first] = mask[first + 1] = mask[first - 1] = mask[row - 1] = 1;
    x[last] = x[first] = x[first + 2] = -I;
  }
  pm_sim.free(x);
  pm_sim.free(mask);
  pm_sim.free(y);
  pm_sim.free(work);
}
END_TEST

/* The widest row of each size of block in shared memory, of which a lane has the most slots: what is
 * open are the last elements, which are in the last of them. */
START_TEST(widest_rows)
{
  enum { WIDEST = 57856, LAST = 3 };
  float *x = filled(WIDEST, 3), *mask = filled(WIDEST, 1), *y = filled(WIDEST, POISON);
  float *work = filled(64, POISON);
  pm_exec ex = {.variant = "shared", .work = work, .work_bytes = 64 * sizeof *work};
  for (int n = 1024; n <= WIDEST; n = n == 32768 ? WIDEST : 2 * n) {
    for (int c = n - LAST; c < n; c++)
      mask[c] = 0;
    ck_assert_int_eq(pm_sim.masked_softmax(&ex, 1, n, x, mask, y), PM_OK);
    for (int c = 0; c < n; c++)
      ck_assert(c < n - LAST ? y[c] == 0 : near(y[c], 1.0 / LAST));
    for (int c = n - LAST; c < n; c++)
      mask[c] = 1;
  }
  pm_sim.free(work);
  pm_sim.free(x);
  pm_sim.free(mask);
  pm_sim.free(y);
}
END_TEST

/* Rows that fill the registers of a block (cuda/lang/full_row.h), and rows a vector shorter or longer: all of
 * it is in the last element, or in that and one of another vector. */
START_TEST(whole_rows)
{
  enum { MOST = 8192 + 4 };
  float *x = filled(MOST, -1000), *mask = filled(MOST, 1), *y = filled(MOST + 1, POISON);
  pm_exec ex = {.variant = "regs"};
  for (int whole = 1024; whole <= 8192; whole *= 2)
    for (int n = whole - 4; n <= whole + 4; n += 4)
      for (int twice = 0; twice < 2; twice++) {
        int at[] = {n - 1, twice ? n / 4 : n - 1};
        float each = 1.0f / (float)(1 + twice);
        for (int i = 0; i < 2; i++)
          x[at[i]] = 3, mask[at[i]] = 0;
        ck_assert_int_eq(pm_sim.softmax(&ex, 1, n, x, y), PM_OK);
        for (int c = 0; c < n; c++)
          ck_assert(y[c] == (c == at[0] || c == at[1] ? each : 0));
        ck_assert_int_eq(pm_sim.log_softmax(&ex, 1, n, x, y), PM_OK);
        for (int c = 0; c < n; c++)
          ck_assert(near(y[c], (double)(x[c] - 3) + log(each)));
        ck_assert_int_eq(pm_sim.masked_softmax(&ex, 1, n, y, mask, x), PM_OK);
        for (int c = 0; c < n; c++)
          ck_assert(x[c] == (c == at[0] || c == at[1] ? each : 0));
        ck_assert(y[n] == POISON);
        for (int c = 0; c < MOST; c++)
          x[c] = -1000, mask[c] = 1, y[c] = POISON;
      }
  pm_sim.free(x);
  pm_sim.free(mask);
  pm_sim.free(y);
}
END_TEST

/* A row in the registers of a cluster's blocks: what is not -Inf are the last element and one of another
 * block, at most. */
START_TEST(cluster_rows)
{
  enum { MOST = 16384 + 4, WORK = 64 };
  float *x = filled(MOST, -I), *y = filled(MOST + 1, POISON), *work = filled(WORK, 0);
  pm_exec ex = {.variant = "cluster", .work = work, .work_bytes = WORK * sizeof *work};
  for (int n = MOST - 3; n <= MOST; n++) {
    int at[] = {n - 1, n / 3};
    ck_assert_int_eq(pm_sim.softmax(&ex, 1, n, x, y), PM_OK);
    for (int c = 0; c < n; c++)
      ck_assert(isnan(y[c]));
    x[at[0]] = x[at[1]] = 3;
    ck_assert_int_eq(pm_sim.softmax(&ex, 1, n, x, y), PM_OK);
    for (int c = 0; c < n; c++)
      ck_assert(y[c] == (c == at[0] || c == at[1] ? .5f : 0));
    ck_assert_int_eq(pm_sim.log_softmax(&ex, 1, n, x, y), PM_OK);
    for (int c = 0; c < n; c++)
      ck_assert(near(y[c], c == at[0] || c == at[1] ? -log(2) : -I));
    ck_assert(y[n] == POISON);
    x[at[0]] = x[at[1]] = -I;
    for (int c = 0; c < n; c++)
      y[c] = POISON;
  }
  pm_sim.free(x);
  pm_sim.free(y);
  pm_sim.free(work);
}
END_TEST

/* The same under a mask: what is open are those two and one that is -Inf; the others, NaN all, count for
 * nothing. Where none of the three is above -Inf there is nothing to divide by. */
START_TEST(cluster_masked_rows)
{
  enum { MOST = 16384 + 4, WORK = 64 };
  float *x = filled(MOST, NAN), *mask = filled(MOST, 1), *y = filled(MOST + 1, POISON);
  float *work = filled(WORK, 0);
  pm_exec ex = {.variant = "cluster", .work = work, .work_bytes = WORK * sizeof *work};
  for (int n = MOST - 3; n <= MOST; n++) {
    const int at = n - 1, other = n / 3, low = n / 2;
    ck_assert_int_eq(pm_sim.masked_softmax(&ex, 1, n, x, mask, y), PM_OK);
    for (int c = 0; c < n; c++)
      ck_assert(y[c] == 0);
    x[at] = x[other] = x[low] = -I;
    mask[at] = mask[other] = mask[low] = 0;
    ck_assert_int_eq(pm_sim.masked_softmax(&ex, 1, n, x, mask, y), PM_OK);
    for (int c = 0; c < n; c++)
      ck_assert(c == at || c == other || c == low ? isnan(y[c]) : y[c] == 0);
    x[at] = x[other] = 3;
    ck_assert_int_eq(pm_sim.masked_softmax(&ex, 1, n, x, mask, y), PM_OK);
    for (int c = 0; c < n; c++)
      ck_assert(y[c] == (c == at || c == other ? .5f : 0));
    x[other] = I;
    ck_assert_int_eq(pm_sim.masked_softmax(&ex, 1, n, x, mask, y), PM_OK);
    for (int c = 0; c < n; c++)
      ck_assert(mask[c] == 0 ? isnan(y[c]) : y[c] == 0);
    ck_assert(y[n] == POISON);
    x[at] = x[other] = x[low] = NAN;
    mask[at] = mask[other] = mask[low] = 1;
    for (int c = 0; c < n; c++)
      y[c] = POISON;
  }
  pm_sim.free(x);
  pm_sim.free(mask);
  pm_sim.free(y);
  pm_sim.free(work);
}
END_TEST

/* And their gradients: the weights are halves, of the last element and one of another block; the others'
 * cotangents count for nothing under a mask, whatever they are. */
START_TEST(cluster_gradients)
{
  enum { MOST = 16384 + 4, WORK = 64 };
  float *y = filled(MOST, 0), *g = filled(MOST, 2), *dx = filled(MOST + 1, POISON);
  float *work = filled(WORK, 0);
  pm_exec ex = {.variant = "cluster", .work = work, .work_bytes = WORK * sizeof *work};
  for (int n = MOST - 3; n <= MOST; n++) {
    const int at = n - 1, other = n / 3;
    for (int c = 0; c < n; c++)
      y[c] = c == at || c == other ? .5f : 0, g[c] = c == at ? 4 : 2;
    for (int adds = 0; adds < 2; adds++) {
      ck_assert_int_eq(pm_sim.softmax_vjp(&ex, adds, 1, n, y, g, dx), PM_OK);
      for (int c = 0; c < n; c++)
        ck_assert(dx[c] == (c == at ? .5f : c == other ? -.5f : 0) * (float)(1 + adds));
    }
    for (int c = 0; c < n; c++)
      g[c] = c == at ? 4 : c == other ? 2 : NAN;
    for (int adds = 0; adds < 2; adds++) {
      ck_assert_int_eq(pm_sim.masked_softmax_vjp(&ex, adds, 1, n, y, g, dx), PM_OK);
      for (int c = 0; c < n; c++)
        ck_assert(dx[c] == (c == at ? .5f : c == other ? -.5f : 0) * (float)(1 + adds));
    }
    for (int c = 0; c < n; c++)
      y[c] = c == at ? 0 : -I, g[c] = 1;
    for (int adds = 0; adds < 2; adds++) {
      ck_assert_int_eq(pm_sim.log_softmax_vjp(&ex, adds, 1, n, y, g, dx), PM_OK);
      for (int c = 0; c < n; c++)
        ck_assert(dx[c] == (float)((c == at ? 1 - n : 1) * (1 + adds)));
    }
    ck_assert(dx[n] == POISON);
  }
  pm_sim.free(y);
  pm_sim.free(g);
  pm_sim.free(dx);
  pm_sim.free(work);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("softmax");
  TCase *t = tcase_create("softmax");
  suite_add_tcase(s, t);
  tcase_set_timeout(t, 60);
  tcase_add_test(t, arguments);
  tcase_add_test(t, too_many_rows);
  tcase_add_test(t, one_column);
  tcase_add_test(t, equal_and_offset_rows);
  tcase_add_test(t, infinities);
  tcase_add_test(t, masks);
  tcase_add_test(t, no_nan_is_a_mask);
  tcase_add_test(t, gradients);
  tcase_add_test(t, long_rows);
  tcase_add_test(t, split_masks);
  tcase_add_test(t, widest_rows);
  tcase_add_test(t, whole_rows);
  tcase_add_test(t, cluster_rows);
  tcase_add_test(t, cluster_masked_rows);
  tcase_add_test(t, cluster_gradients);
  return aid_main(s);
}
