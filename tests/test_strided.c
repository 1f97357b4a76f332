/* Tensors whose rows lie apart: kernels that are told by how much (tests/kernels/strided.c), what is found of those
 * that do not heed it, lines, programs, and what is refused. */
#include "helpers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../diffcheck/engine/engine.h"
#include "../diffcheck/engine/rows.h"
#include "../diffcheck/files/replay.h"

static const char *library(void)
{
  static char path[4096];
  return aid_program(path, sizeof path, "tests/kernels/strided.so");
}

#define KERNEL(call) "--kernel", library(), "--call", call
#define QUICK "-q", "--cases", "24"
#define ROWS "i32 rows, i32 cols"
#define STYLE(n) "softmax(strided y, strided x, " ROWS ", i32 " #n ", i32 y.stride, i32 x.stride)"

static const struct {
  int status;
  const char *op, *call, *says;
} CALLS[] = {
    {0, "softmax", STYLE(0), "1 passed"},
    {1, "softmax", STYLE(1), "what memory held before"},
    {1, "softmax", STYLE(2), "written between the rows of y: 0 past the last element of row 0"},
    {1, "softmax", STYLE(3), "written between the rows of x: "},
    {1, "softmax", STYLE(4), "must lie within"},
    {0, "softmax", "softmax(y, strided x, " ROWS ", i32 0, i32 cols, i32 x.stride)", "1 passed"},
    {0, "softmax", "softmax(y, strided x, " ROWS ", i32 0, i32 y.stride, i32 x.stride)",
     "1 passed"},
    {1, "softmax", "softmax(y, strided x, " ROWS ", i32 0, i32 x.stride, i32 x.stride)",
     "1 failed"},
    {0, "add_bias", "add_bias(inout strided x, b, " ROWS ", i64 x.stride)", "1 passed"},
    {1, "add_bias", "add_bias(inout strided x, b, " ROWS ", i64 min(cols, x.stride))", "1 failed"},
    {0, "softmax_vjp",
     "softmax_vjp(strided dx, strided y, strided g, " ROWS
     ", i32 accumulate, i32 dx.stride, i32 y.stride, i32 g.stride)",
     "1 passed"},
    {0, "softmax_vjp",
     "softmax_vjp(zeroed strided dx, y, strided g, " ROWS
     ", i32 1, i32 dx.stride, i32 cols, i32 g.stride)",
     "1 passed"},
    {0, "softmax_vjp",
     "softmax_vjp(inout strided dx, y, g, " ROWS ", i32 1, i32 dx.stride, i32 cols, i32 cols)",
     "1 passed"},
    {1, "softmax_vjp",
     "softmax_vjp(inout strided dx, y, g, " ROWS ", i32 0, i32 dx.stride, i32 cols, i32 cols)",
     "must lie within"},
    {0, "transpose2d",
     "transpose_uint16_t(strided bf16 y, strided bf16 x, " ROWS ", i64 y.stride, i64 x.stride)",
     "1 passed"},
    {1, "transpose2d",
     "transpose_uint16_t(strided bf16 y, strided bf16 x, " ROWS
     ", i64 rows, i64 x.stride + 0*y.stride)",
     "1 failed"},
    {0, "transpose2d",
     "transpose_double(strided f64 y, strided f64 x, " ROWS ", i64 y.stride, i64 x.stride)",
     "1 passed"},
    {0, "masked_softmax", "masked(y, x, strided u8 mask, " ROWS ", i64 mask.stride)", "1 passed"},
    {1, "masked_softmax", "masked(y, x, strided bool mask, " ROWS ", i64 min(cols, mask.stride))",
     "1 failed"},
};

START_TEST(what_is_said_of_a_kernel)
{
  char *out = NULL, *err = NULL;
  int rc =
      aid_run(&out, &err, "diffcheck", "run", CALLS[_i].op, QUICK, KERNEL(CALLS[_i].call), NULL);
  ck_assert_msg(rc == CALLS[_i].status, "%s: exit %d: %s%s", CALLS[_i].call, rc, out, err);
  ck_assert_text(out, CALLS[_i].says);
  free(out);
  free(err);
}
END_TEST

/* What is between the rows is a signalling NaN, once, and a number, once. */
START_TEST(on_the_simulator)
{
  static const char SOURCE[] =
      "__global__ void kernel(float *y, const float *x, int rows, int cols, int ys, int xs)\n"
      "{\n"
      "  for (int c = threadIdx.x; c < cols; c += blockDim.x)\n"
      "    y[c * ys + blockIdx.x] = x[blockIdx.x * xs + c MORE];\n"
      "}\n";
  for (int wrong = 0; wrong < 2; wrong++) {
    char text[512];
    const char *path = aid_path(wrong ? "wrong.cu" : "right.cu");
    snprintf(text, sizeof text, "#define MORE %s\n%s", wrong ? "+ (c + 1 == cols)" : "", SOURCE);
    aid_write(path, text, strlen(text));
    char *out =
        OUTPUT(wrong, "run", "transpose2d", "-q", "--cases", "20", "--where",
               "rows > 0 && rows < 500 && cols < 2000", "--source", path, "--launch",
               "kernel<<<rows, 32>>>(strided y, strided x, " ROWS ", i32 y.stride, i32 x.stride)",
               "--set", "gap=x:2");
    ck_assert_text(out, wrong ? "1 failed" : "1 passed");
    free(out);
  }
}
END_TEST

START_TEST(a_file_of_kernels)
{
  char text[9000];
  const char *path = aid_path("mine.kernel");
  snprintf(
      text, sizeof text,
      "kernel: mine\nop: softmax\nlibrary: %s\ncall: " STYLE(0) "\nwhere: x.stride %% 4 == 0\n",
      library());
  aid_write(path, text, strlen(text));
  char *out = OUTPUT(0, "run", "-q", "--cases", "60", "--kernels", path);
  ck_assert_text(out, "1 passed");
  free(out);
}
END_TEST

START_TEST(a_line_replays)
{
  char line[8192], program[4096], *err;
  char *out = OUTPUT(1, "run", "softmax", QUICK, KERNEL(STYLE(2)));
  const char *from = strstr(out, "diffcheck replay '");
  ck_assert_ptr_nonnull(from);
  ck_assert_text(from, " gap=y:1 ");
  aid_program(program, sizeof program, "diffcheck");
  snprintf(line, sizeof line, "exec '%s'%.*s", program, (int)strcspn(from + 9, "\n"), from + 9);
  free(out);
  ck_assert_int_eq(aid_run(&out, &err, "sh", "-c", line, NULL), 1);
  ck_assert_text(out, "written between the rows of y");
  free(out);
  free(err);
#define LINE "softmax rows=2 cols=3 seed=1"
  free(OUTPUT(0, "replay", LINE " gap=x:7", KERNEL(STYLE(0))));
  free(OUTPUT(0, "replay", LINE " gap=x:1", KERNEL(STYLE(2)))); /* y has no gap there */
  free(OUTPUT(1, "replay", LINE " gap=x:1:y:3", KERNEL(STYLE(2))));
  REFUSED("rows of x lie apart in the case", "strided x, and pass x.stride", "replay",
          LINE " gap=x:1", "--backend", "sim");
  REFUSED("rows of x lie apart", "its call must say strided x", "run", "softmax", "--set",
          "gap=x:1", "--backend", "sim");
  REFUSED("rows of x lie apart", "", "run", "softmax", "--set", "strided=x", "--backend", "sim");
  REFUSED("rows of y lie apart", "", "run", "softmax", "--set", "gap=y:1",
          KERNEL("softmax(y, strided x, " ROWS ", i32 0, i32 cols, i32 x.stride)"));
  REFUSED("gap", "nothing is drawn here", "eval", "softmax", "x.npy", "--set", "gap=x:3");
  REFUSED("strided", "nothing is drawn here", "eval", "softmax", "x.npy", "--set", "strided=x");
}
END_TEST

static const struct {
  const char *gap, *part, *and;
} LINES[] = {{"gap=x", "gap=x", "TENSOR:N"},
             {"gap=x:", "gap=x:", "TENSOR:N"},
             {"gap=x:-1", "gap=-1", "from 0"},
             {"gap=x:9999999999999999999999999", "TENSOR:N", ""},
             {"gap=x:1048577", "gap=1048577", "1048576"},
             {"gap=z:1", "no tensor z", "layer_norm"},
             {"gap=mean:1", "mean is no tensor of rows", ""},
             {"gap=x:1:x:2", "gap", "twice"},
             {"strided=x", "'strided'", "takes"}};

START_TEST(lines_that_make_no_sense)
{
  char line[200];
  snprintf(line, sizeof line, "layer_norm rows=2 cols=3 %s seed=1", LINES[_i].gap);
  REFUSED(LINES[_i].part, LINES[_i].and, "replay", line, "--backend", "sim");
}
END_TEST

static const struct {
  const char *op, *call, *part, *and;
} NO_CALLS[] = {
    {"softmax", "softmax(strided y, x, " ROWS ")", "rows of y are apart", "i32 y.stride"},
    {"softmax", "softmax(y, x, " ROWS ", i32 z.stride)", "z.stride is unknown", "x.stride"},
    {"softmax", "softmax(y, x, strided x, i32 x.stride)", "x", "as strided and as dense"},
    {"softmax", "softmax(y, strided stream, x)", "no tensor of that name", ""},
    {"softmax", "softmax(y, bf16 strided x, i32 x.stride)", "no tensor of that name", ""},
    {"softmax", "softmax(y, strided, x)", "no tensor of that name", ""},
    {"add_bias", "add_bias(y, x, strided b, " ROWS ")", "b", "is no tensor of rows"},
    {"add_bias", "add_bias(y, x, b, i32 b.stride)", "b.stride is unknown", ""},
    {"matmul", "matmul(c, strided a, b, i32 a.stride)", "a", "is no tensor of rows"},
};

START_TEST(calls_that_make_no_sense)
{
  REFUSED(NO_CALLS[_i].part, NO_CALLS[_i].and, "run", NO_CALLS[_i].op, KERNEL(NO_CALLS[_i].call));
}
END_TEST

START_TEST(a_program_shows_it)
{
  const char *path = aid_path("fault.py");
  char *out;
  free(OUTPUT(1, "replay", "-q", "--shrink", "0",
              "softmax rows=3 cols=5 gap=x:2:y:6 misaligned=1 seed=3", KERNEL(STYLE(4)), "--script",
              path));
  ck_assert_int_eq(aid_run(&out, NULL, aid_numpy(), path, NULL), 1);
  ck_assert_text(out, "3 of 15 elements are wrong");
  free(out);
  char *text = aid_read(path, NULL), *style = strstr(text, "ctypes.c_int32(4)");
  ck_assert_ptr_nonnull(style);
  style[strlen("ctypes.c_int32(")] = '0';
  aid_write(path, text, strlen(text));
  free(text);
  ck_assert_int_eq(aid_run(&out, NULL, aid_numpy(), path, NULL), 0);
  ck_assert_text(out, "0 of 15 elements are wrong");
  free(out);
}
END_TEST

START_TEST(a_cuda_program_shows_it)
{
  static const char SOURCE[] =
      "#include <cuda_runtime.h>\n"
      "#ifdef RIGHT\n"
      "#define MORE 0\n"
      "#else\n"
      "#define MORE 1\n"
      "#endif\n"
      "__global__ void kernel(float *y, const float *x, int rows, int cols, int ys, int xs)\n"
      "{\n"
      "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
      "  if (i < rows * cols)\n"
      "    y[i % cols * ys + i / cols] = x[i / cols * xs + i % cols] + (i == 4) * MORE;\n"
      "}\n";
  const char *source = aid_path("turn.cu"), *path = aid_path("fault.cu"),
             *program = aid_path("fault");
  char fake[4200], *out, *err;
  aid_program(fake, sizeof fake, "../tests/host_cuda");
  if (access(fake, R_OK) != 0) /* of build/asan */
    aid_program(fake, sizeof fake, "../../tests/host_cuda");
  aid_write(source, SOURCE, strlen(SOURCE));
  free(OUTPUT(1, "replay", "-q", "--shrink", "0", "transpose2d rows=3 cols=5 gap=x:2:y:6 seed=3",
              "--source", source, "--launch",
              "kernel<<<rows * cols / 64 + 1, 64>>>(strided y, strided x, " ROWS
              ", i32 y.stride, i32 x.stride)",
              "--script", path));
  for (int right = 0; right < 2; right++) {
    int status = aid_run(NULL, &err, "g++", "-x", "c++", "-std=c++17", "-Wall", "-Werror",
                         right ? "-DRIGHT" : "-DWRONG", "-I", fake, "-o", program, path, NULL);
    ck_assert_msg(status == 0, "%s", err);
    free(err);
    ck_assert_int_eq(aid_run(&out, NULL, program, NULL), right ? 0 : 1);
    ck_assert_text(out, right ? "y: 0 of 15 elements are wrong" : "y: 1 of 15 elements are wrong");
    free(out);
  }
}
END_TEST

/* Of every op those tensors that the catalogue has as (rows, cols), and no drawn case is another one for it. */
START_TEST(cases_have_gaps)
{
  int n = 0;
  for (int i = 0; i < dc_n_ops(); i++) {
    const dc_op *op = dc_op_at(i);
    dc_fixed plain, f;
    dc_fixed_init(&plain);
    dc_fixed_init(&f);
    for (int t = 0; t < op->n_in + op->n_out; t++) {
      const dc_tensor *x = &op->tensor[t];
      const int rows = x->rank == 2 && strcmp(op->dim[x->dim[0]], "rows") == 0 &&
                       strcmp(op->dim[x->dim[1]], "cols") == 0;
      if (rows && !op->glue->shape)
        ck_assert_msg(dc_has_rows(op, t), "%s %s", op->name, x->name);
      f.strided |= (unsigned)dc_has_rows(op, t) << t;
    }
    for (int64_t k = 0; f.strided && k < 60; k++) {
      dc_case c, dense, again;
      dc_error err = {""};
      char line[REPLAY_TEXT];
      dc_case_draw(&dense, op, &plain, 1, k, 100);
      dc_case_draw(&c, op, &f, 1, k, 100);
      ck_assert_msg(!dc_case_check(&c, 0, &err), "%s", err.text);
      ck_assert_msg(!replay_read(replay_write(&c, line), &again, NULL, &err), "%s: %s", line,
                    err.text);
      ck_assert_msg(dc_case_same(&c, &again), "%s", line);
      for (int t = 0; t < op->n_in + op->n_out; t++) {
        const int64_t count = dc_count(op, t, c.size, c.attr), placed = dc_rows_placed(&c, t);
        ck_assert(c.gap[t] == 0 || dc_has_rows(op, t));
        ck_assert(placed >= count && (c.gap[t] > 0 || placed == count));
        n += c.gap[t] > 0;
        c.gap[t] = 0;
      }
      ck_assert(dc_case_same(&c, &dense));
    }
  }
  ck_assert_int_gt(n, 1000);
}
END_TEST

START_TEST(sizes_that_overflow)
{
  dc_case c;
  dc_error err = {""};
  dc_case_init(&c, dc_op_find("softmax"));
  c.size[0] = (int64_t)1 << 50;
  c.size[1] = 1;
  c.gap[0] = DC_GAP;
  ck_assert_int_eq(dc_case_check(&c, 0, &err), DC_TOO_BIG);
  ck_assert_text(err.text, "x overflows");
  c.gap[0] = DC_GAP + 1;
  ck_assert_int_eq(dc_case_check(&c, 0, &err), DC_INVALID);
  ck_assert_text(err.text, "gap of x");
  c.gap[0] = -1;
  ck_assert_int_eq(dc_case_check(&c, 0, &err), DC_INVALID);
  dc_case_init(&c, dc_op_find("relu"));
  c.gap[0] = 1;
  ck_assert_int_eq(dc_case_check(&c, 0, &err), DC_INVALID);
  ck_assert_text(err.text, "no tensor of rows");
}
END_TEST

int main(void)
{
  Suite *s = suite_create("strided");
  TCase *t = tcase_create("strided");
  suite_add_tcase(s, t);
  tcase_set_timeout(t, 300);
  tcase_add_loop_test(t, what_is_said_of_a_kernel, 0, sizeof CALLS / sizeof CALLS[0]);
  tcase_add_test(t, on_the_simulator);
  tcase_add_test(t, a_file_of_kernels);
  tcase_add_test(t, a_line_replays);
  tcase_add_loop_test(t, lines_that_make_no_sense, 0, sizeof LINES / sizeof LINES[0]);
  tcase_add_loop_test(t, calls_that_make_no_sense, 0, sizeof NO_CALLS / sizeof NO_CALLS[0]);
  tcase_add_test(t, a_program_shows_it);
  tcase_add_test(t, a_cuda_program_shows_it);
  tcase_add_test(t, cases_have_gaps);
  tcase_add_test(t, sizes_that_overflow);
  return aid_main(s);
}
