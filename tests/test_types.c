/* Kernels of other types than float32 and int64 (tests/kernels/types.c): halves, doubles, masks in bytes, indices of 32
 * bits; which of them pass, what is said of them, and what is refused. */
#include "helpers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../diffcheck/engine/engine.h"
#include "../diffcheck/engine/types.h"
#include "../diffcheck/files/replay.h"

static const char *library(void)
{
  static char path[4096];
  return aid_program(path, sizeof path, "tests/kernels/types.so");
}

#define KERNEL(call) "--kernel", library(), "--call", call
#define QUICK "-q", "--cases", "48"

/* ---- kernels ---- */

#define ROWS "i32 rows, i32 cols"
#define NORM "f32 eps, i32 rows, i32 cols"
static const struct {
  int status;
  const char *op, *call, *says, *more[2];
} CALLS[] = {
    {0, "softmax", "softmax_bf16(bf16 y, bf16 x, " ROWS ", i32 0)", "1 passed", {NULL}},
    {1, "softmax", "softmax_bf16(bf16 y, bf16 x, " ROWS ", i32 1)", "must lie within", {NULL}},
    {1, "softmax", "softmax_bf16(bf16 y, bf16 x, " ROWS ", i32 2)", "must lie within", {NULL}},
    {0, "softmax", "softmax_f16(f16 y, f16 x, " ROWS ", i32 0)", "1 passed", {NULL}},
    {1, "softmax", "softmax_f16(f16 y, f16 x, " ROWS ", i32 1)", "must lie within", {NULL}},
    {1, "softmax", "softmax_f16(f16 y, f16 x, " ROWS ", i32 2)", "must lie within", {NULL}},
    /* the other type, and none */
    {1, "softmax", "softmax_bf16(f16 y, f16 x, " ROWS ", i32 0)", "1 failed", {NULL}},
    {1, "softmax", "softmax_bf16(y, x, " ROWS ", i32 0)", "1 failed", {NULL}},
    {0, "sum", "sum_bf16(bf16 y, bf16 x, i64 n, i32 0)", "1 passed", {NULL}},
    {1, "sum", "sum_bf16(bf16 y, bf16 x, i64 n, i32 1)", "must", {NULL}},
    {1, "sum", "sum_bf16(bf16 y, bf16 x, i64 n, i32 2)", "must", {NULL}},
    {1, "sum", "sum_bf16(bf16 y, bf16 x, i64 n, i32 3)", "1 failed", {NULL}},
    {1, "sum", "sum_bf16(bf16 y, bf16 x, i64 n, i32 4)", "byte 0 past the end of y", {NULL}},
    {1, "sum", "sum_bf16(bf16 y, bf16 x, i64 n, i32 5)", "x was changed at element 2", {NULL}},
    {0, "sum", "sum_f16(f16 y, f16 x, i64 n, i32 0)", "1 passed", {NULL}},
    {1, "sum", "sum_f16(f16 y, f16 x, i64 n, i32 2)", "must", {NULL}},
    {1, "sum", "sum_f16(f16 y, f16 x, i64 n, i32 3)", "1 failed", {NULL}},
    /* beyond 65504 */
    {0, "sum", "sum_f16(f16 y, f16 x, i64 n, i32 0)", "1 passed", {"--set", "values=offset,n=99"}},
    {1,
     "sum",
     "sum_f16(f16 y, f16 x, i64 n, i32 6)",
     "must be inf",
     {"--set", "values=offset,n=99"}},
    {0, "scale", "scale_f16(f16 y, f16 a, f32 c, i64 n, i32 0)", "1 passed", {NULL}},
    {1, "scale", "scale_f16(f16 y, f16 a, f32 c, i64 n, i32 1)", "must be", {NULL}},
    {0,
     "scale",
     "scale_f16(f16 y, f16 a, f32 c, i64 n, i32 0)",
     "1 passed",
     {"--set", "values=huge,c=2.5"}},
    {1,
     "scale",
     "scale_f16(f16 y, f16 a, f32 c, i64 n, i32 6)",
     "must be",
     {"--set", "values=huge,c=2.5"}},
    {1, "scale", "scale_f16(f16 y, f16 a, f32 c, i64 n, i32 3)", "what memory held before", {NULL}},
    {0, "scale", "scale_bf16(bf16 y, bf16 a, f32 c, i64 n, i32 0)", "1 passed", {NULL}},
    {1, "scale", "scale_bf16(bf16 y, bf16 a, f32 c, i64 n, i32 1)", "must be", {NULL}},
    {1, "scale", "scale_bf16(bf16 y, bf16 a, f32 c, i64 n, i32 3)", "memory held before", {NULL}},
    /* mixed: statistics and parameters of f32 */
    {0,
     "layer_norm",
     "layer_norm_bf16(bf16 y, mean, rstd, bf16 x, gamma, beta, " NORM ", i32 0)",
     "1 passed",
     {"--where", "rows > 0 && cols > 0"}},
    {1,
     "layer_norm",
     "layer_norm_bf16(bf16 y, mean, rstd, bf16 x, gamma, beta, " NORM ", i32 1)",
     "y: ",
     {"--where", "rows > 0 && cols > 0"}},
    {1,
     "layer_norm",
     "layer_norm_bf16(bf16 y, mean, rstd, bf16 x, gamma, beta, " NORM ", i32 2)",
     "1 failed",
     {"--where", "rows > 0 && cols > 0"}},
    {0,
     "layer_norm",
     "layer_norm_f16(f16 y, mean, f32 rstd, f16 x, gamma, beta, " NORM ", i32 0)",
     "1 passed",
     {"--where", "rows > 0 && cols > 0"}},
    /* added to what is there, and rounded once */
    {0,
     "scale_vjp",
     "scale_vjp_bf16(bf16 da, bf16 g, f32 c, i64 n, i32 accumulate, i32 0)",
     "1 passed",
     {NULL}},
    {1,
     "scale_vjp",
     "scale_vjp_bf16(bf16 da, bf16 g, f32 c, i64 n, i32 accumulate, i32 1)",
     "must be",
     {NULL}},
    {0,
     "scale_vjp",
     "scale_vjp_f16(inout f16 da, f16 g, f32 c, i64 n, i32 1, i32 0)",
     "1 passed",
     {NULL}},
    {0,
     "scale_vjp",
     "scale_vjp_bf16(zeroed bf16 da, bf16 g, f32 c, i64 n, i32 1, i32 0)",
     "1 passed",
     {NULL}},
    {0, "add", "add_into_bf16(inout bf16 a, bf16 b, i64 n)", "1 passed", {NULL}},
    {0, "add", "add_into_f16(inout f16 a, f16 b, i64 n)", "1 passed", {NULL}},
    /* doubles, and what is promised of them */
    {0, "mul", "mul_f64(f64 y, f64 a, f64 b, i64 n, i32 0)", "1 passed", {NULL}},
    {0, "mul", "mul_f64(f64 y, f64 a, f64 b, i64 n, i32 1)", "1 passed", {NULL}},
    {1, "mul", "mul_f64(f64 y, f64 a, f64 b, i64 n, i32 2)", "must be", {NULL}},
    {1, "mul", "mul_f64(f64 y, f64 a, f64 b, i64 n, i32 3)", "what memory held before", {NULL}},
    {0, "sum", "sum_f64(f64 y, f64 x, i64 n, i32 0)", "1 passed", {NULL}},
    {0, "sum", "sum_f64(f64 y, f64 x, i64 n, i32 1)", "1 passed", {NULL}},
    {1, "sum", "sum_f64(f64 y, f64 x, i64 n, i32 3)", "must", {NULL}},
    {1, "sum", "sum_f64(y, f64 x, i64 n, i32 0)", "past the end of y", {NULL}},
    /* a mask of 0 and 1, and of 0 and anything */
    {0, "masked_softmax", "masked_softmax(y, x, bool mask, " ROWS ", i32 0)", "1 passed", {NULL}},
    {0, "masked_softmax", "masked_softmax(y, x, bool mask, " ROWS ", i32 1)", "1 passed", {NULL}},
    {0, "masked_softmax", "masked_softmax(y, x, u8 mask, " ROWS ", i32 0)", "1 passed", {NULL}},
    {1, "masked_softmax", "masked_softmax(y, x, u8 mask, " ROWS ", i32 1)", "must", {NULL}},
    /* indices at the limits of 32 bits */
    {0,
     "gather",
     "gather_bf16(bf16 y, bf16 x, i32 idx, i32 n, i32 k, i32 0)",
     "1 passed",
     {"--set", "indices=outside"}},
    {1,
     "gather",
     "gather_bf16(bf16 y, bf16 x, i32 idx, i32 n, i32 k, i32 1)",
     "1 failed",
     {"--set", "indices=outside"}},
    {1,
     "gather",
     "gather_bf16(bf16 y, bf16 x, i32 idx, i32 n, i32 k, i32 2)",
     "the kernel's process ",
     {"--set", "indices=outside"}},
};

START_TEST(what_is_said_of_a_kernel)
{
  char *out = NULL, *err = NULL;
  const char *const *m = CALLS[_i].more;
  int rc = aid_run(&out, &err, "diffcheck", "run", CALLS[_i].op, QUICK, KERNEL(CALLS[_i].call),
                   m[0], m[0] ? m[1] : NULL, NULL);
  ck_assert_msg(rc == CALLS[_i].status, "%s: exit %d: %s%s", CALLS[_i].call, rc, out, err);
  ck_assert_text(out, CALLS[_i].says);
  free(out);
  free(err);
}
END_TEST

/* A right kernel passes in each class of values, and most of what it gives is looked at. */
START_TEST(right_in_each_class)
{
  char set[64];
  const char *name = dc_values_name((dc_values)_i);
  snprintf(set, sizeof set, "values=%s", name);
  free(OUTPUT(0, "run", "softmax", "-q", "--cases", "16", "--set", set,
              KERNEL("softmax_bf16(bf16 y, bf16 x, " ROWS ", i32 0)")));
  free(OUTPUT(0, "run", "softmax", "-q", "--cases", "16", "--set", set,
              KERNEL("softmax_f16(f16 y, f16 x, " ROWS ", i32 0)")));
  free(OUTPUT(0, "run", "scale", "-q", "--cases", "16", "--set", set,
              KERNEL("scale_f16(f16 y, f16 a, f32 c, i64 n, i32 0)")));
}
END_TEST

START_TEST(on_the_simulator)
{
  static const char SOURCE[] = "#include <cuda_runtime.h>\n"
                               "__global__ void kernel(double *y, const double *a, int n)\n"
                               "{\n"
                               "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                               "  if (i < n)\n"
                               "    y[i] = -a[i];\n"
                               "}\n";
  const char *path = aid_path("wide.cu");
  aid_write(path, SOURCE, strlen(SOURCE));
#define LAUNCH(call)                                                                         \
  "run", "neg", "-q", "--cases", "20", "--where", "n < 20000", "--source", path, "--launch", \
      "kernel<<<n / 64 + 1, 64>>>(" call ", i32 n)"
  free(OUTPUT(0, LAUNCH("f64 y, f64 a")));
  free(OUTPUT(1, LAUNCH("y, a")));
}
END_TEST

/* ---- lines ---- */

START_TEST(a_line_replays)
{
  char line[8192], program[4096], *err;
  char *out =
      OUTPUT(1, "run", "softmax", QUICK, KERNEL("softmax_bf16(bf16 y, bf16 x, " ROWS ", i32 1)"));
  const char *from = strstr(out, "diffcheck replay '");
  ck_assert_ptr_nonnull(from);
  ck_assert_text(from, " types=x:bf16:y:bf16 ");
  aid_program(program, sizeof program, "diffcheck");
  snprintf(line, sizeof line, "exec '%s'%.*s", program, (int)strcspn(from + 9, "\n"), from + 9);
  free(out);
  ck_assert_int_eq(aid_run(&out, &err, "sh", "-c", line, NULL), 1);
  ck_assert_text(out, "1 failed");
  free(out);
  free(err);
  /* where it does not say the types the call does; others than the call's are no case of that kernel */
#define LINE "softmax rows=2 cols=3 seed=1"
  free(OUTPUT(0, "replay", LINE, KERNEL("softmax_bf16(bf16 y, bf16 x, " ROWS ", i32 0)")));
  REFUSED("types: y of the case is f32", "the kernel's is bf16", "replay", LINE " types=x:bf16",
          KERNEL("softmax_bf16(bf16 y, bf16 x, " ROWS ", i32 0)"));
  REFUSED("types: x of the case is f16", "the kernel's is f32", "replay", LINE " types=x:f16",
          "--backend", "sim");
  REFUSED("types: x of the case is f16", "the kernel's is bf16", "run", "softmax", "--set",
          "types=x:f16:y:bf16", KERNEL("softmax_bf16(bf16 y, bf16 x, " ROWS ", i32 0)"));
  REFUSED("types", "nothing is drawn here", "eval", "softmax", "x.npy", "--set", "types=x:f16");
}
END_TEST

/* The program that shows a fault has the bits of halves, and says what is wrong of doubles by all their digits. A right
 * kernel passes it. */
static const struct {
  const char *line, *call, *says;
} PROGRAMS[] = {
    {"softmax rows=2 cols=5 seed=3 misaligned=1", "softmax_bf16(bf16 y, bf16 x, " ROWS ", i32 1)",
     "y[3] = 0.25, must lie within 0.000977 of 0.251863903"},
    {"softmax rows=2 cols=5 seed=3 misaligned=3", "softmax_f16(f16 y, f16 x, " ROWS ", i32 1)",
     "y[0] = 0.109436035, must lie within"},
    {"scale n=6 c=2.5 values=huge seed=4", "scale_f16(f16 y, f16 a, f32 c, i64 n, i32 6)",
     "y[0] = -65504, must lie within 0 of -inf"},
    {"mul n=6 seed=4", "mul_f64(f64 y, f64 a, f64 b, i64 n, i32 2)",
     "y[0] = -0.54279305418530555, must lie within"},
    {"masked_softmax rows=3 cols=7 seed=5", "masked_softmax(y, x, u8 mask, " ROWS ", i32 1)",
     "must lie within 0 of 0"},
    {"gather n=5 k=9 indices=reversed seed=7",
     "gather_bf16(bf16 y, bf16 x, i32 idx, i32 n, i32 k, i32 3)", "must lie within"},
};

START_TEST(a_program_shows_it)
{
  const char *path = aid_path("fault.py");
  const char *python = aid_run(NULL, NULL, "python3", "-c", "import numpy", NULL) == 0
                           ? "python3"
                           : "/usr/bin/python3";
  char *out;
  free(OUTPUT(1, "replay", "-q", "--shrink", "0", PROGRAMS[_i].line, KERNEL(PROGRAMS[_i].call),
              "--script", path));
  ck_assert_int_eq(aid_run(&out, NULL, python, path, NULL), 1);
  ck_assert_text(out, PROGRAMS[_i].says);
  free(out);
  char *text = aid_read(path, NULL), *last = strrchr(text, '('), *style = text;
  for (char *at = text; (at = strstr(at, "ctypes.c_int32(")) != NULL; at++)
    style = at + strlen("ctypes.c_int32("); /* the call's last number */
  ck_assert(style != text && last > style);
  *style = '0';
  aid_write(path, text, strlen(text));
  free(text);
  ck_assert_int_eq(aid_run(&out, NULL, python, path, NULL), 0);
  free(out);
}
END_TEST

START_TEST(a_cuda_program_shows_it)
{
  static const char SOURCE[] = "#include <cuda_runtime.h>\n"
                               "#ifdef RIGHT\n"
                               "#define MORE 0\n"
                               "#else\n"
                               "#define MORE 1\n"
                               "#endif\n"
                               "__global__ void kernel(TYPE *y, const TYPE *a, int n)\n"
                               "{\n"
                               "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                               "  if (i < n)\n"
                               "    y[i] = FLIPPED(a[i]) + (i == 2) * MORE;\n"
                               "}\n";
  static const struct {
    const char *how, *launch, *says;
  } ALL[] = {{"#define TYPE double\n#define FLIPPED(x) -(x)\n", "f64 y, f64 a", "y[2] = "},
             {"#define TYPE unsigned short\n#define FLIPPED(x) ((x) ^ 0x8000)\n", "f16 y, f16 a",
              "y[2] = "},
             {"#define TYPE unsigned short\n#define FLIPPED(x) ((x) ^ 0x8000)\n", "bf16 y, bf16 a",
              "y[2] = "}};
  const char *source = aid_path("flip.cu"), *path = aid_path("fault.cu"),
             *program = aid_path("fault");
  char text[2048], launch[100], fake[4200], *out, *err;
  aid_program(fake, sizeof fake, "../tests/host_cuda");
  if (access(fake, R_OK) != 0) /* of build/asan */
    aid_program(fake, sizeof fake, "../../tests/host_cuda");
  snprintf(text, sizeof text, "%s%s", ALL[_i].how, SOURCE);
  snprintf(launch, sizeof launch, "kernel<<<n / 64 + 1, 64>>>(%s, i32 n)", ALL[_i].launch);
  aid_write(source, text, strlen(text));
  free(OUTPUT(1, "replay", "-q", "--shrink", "0", "neg n=7 seed=5", "--source", source, "--launch",
              launch, "--script", path));
  for (int right = 0; right < 2; right++) {
    int status = aid_run(NULL, &err, "g++", "-x", "c++", "-std=c++17", "-Wall", "-Werror",
                         right ? "-DRIGHT" : "-DWRONG", "-I", fake, "-o", program, path, NULL);
    ck_assert_msg(status == 0, "%s", err);
    free(err);
    ck_assert_int_eq(aid_run(&out, NULL, program, NULL), right ? 0 : 1);
    ck_assert_text(out, right ? "y: 0 of 7 elements are wrong" : ALL[_i].says);
    free(out);
  }
}
END_TEST

static const struct {
  const char *types, *part, *and;
} LINES[] = {{"x", "types=x", "TENSOR:TYPE"},
             {"x:bf16:", "types=x:bf16:", ""},
             {"x:bf16:y", "types=x:bf16:y", "TENSOR:TYPE"},
             {":bf16", "types=:bf16", "TENSOR:TYPE"},
             {"z:bf16", "no tensor z", "gather"},
             {"x:f8", "f8 must be", "bf16"},
             {"x:i32", "x holds numbers", "f64"},
             {"x:u8", "x holds numbers", "f64"},
             {"idx:u8", "idx holds indices", "i32"},
             {"x:f16:x:f16", "types", "twice"},
             {"x:f16 types=y:f16", "types", "twice"}};

START_TEST(lines_that_make_no_sense)
{
  char line[200];
  dc_case c;
  dc_error err = {""};
  snprintf(line, sizeof line, "gather n=2 k=3 types=%s", LINES[_i].types);
  const dc_status status = replay_read(line, &c, NULL, &err);
  if (!LINES[_i].and[0]) { /* a colon more is none the worse */
    ck_assert_msg(status == DC_OK, "%s", err.text);
    ck_assert_int_eq(c.type[0], DC_TYPE_BF16);
    return;
  }
  ck_assert_int_eq(status, DC_INVALID);
  ck_assert_text(err.text, LINES[_i].part);
  ck_assert_text(err.text, LINES[_i].and);
}
END_TEST

/* All that a line can say of types reads back. */
START_TEST(a_line_reads_back)
{
  char text[REPLAY_TEXT];
  dc_case c, again;
  dc_error err = {""};
  dc_rng r;
  dc_rng_seed(&r, 5, 5);
  for (int i = 0; i < 20 * dc_n_ops(); i++) {
    dc_case_init(&c, dc_op_at(i % dc_n_ops()));
    for (int t = 0; t < c.op->n_in + c.op->n_out; t++) {
      const dc_type type = (dc_type)dc_rng_below(&r, DC_N_TYPES);
      const int listed = c.op->tensor[t].dtype == DC_I64 ? DC_TYPE_I64 : DC_TYPE_F32;
      if (!dc_type_refuses(c.op, t, type) && (int)type != listed)
        c.type[t] = (unsigned char)type;
    }
    replay_write(&c, text);
    ck_assert_msg(replay_read(text, &again, NULL, &err) == DC_OK, "%s: %s", text, err.text);
    ck_assert_msg(dc_case_same(&c, &again), "%s", text);
  }
}
END_TEST

/* ---- calls ---- */

#define CALLED(op, call, part, and) REFUSED(part, and, "run", op, QUICK, KERNEL(call))

START_TEST(calls_that_make_no_sense)
{
  CALLED("softmax", "softmax_bf16(bf16 y, f8 x)", "'f8 x'", "no tensor of that name");
  CALLED("softmax", "softmax_bf16(bf16 y, bf16 z)", "'bf16 z'", "x, y");
  CALLED("softmax", "softmax_bf16(bf16 y, bf16)", "'bf16'", "no tensor of that name");
  CALLED("softmax", "softmax_bf16(bf16 y, i32 x)", "'x'", "holds numbers");
  CALLED("softmax", "softmax_bf16(bf16 y, u8 x)", "'x'", "holds numbers");
  CALLED("softmax", "softmax_bf16(bf16 y, bf16 x, x)", "'x'", "two types");
  CALLED("masked_softmax", "f(y, x, i32 mask)", "'mask'", "must be bool, u8");
  CALLED("masked_softmax", "f(bool y, x, mask)", "'y'", "holds numbers");
  CALLED("gather", "gather_bf16(y, x, f32 idx)", "'idx'", "i64 or i32");
  CALLED("gather", "gather_bf16(y, x, u8 idx)", "'idx'", "i64 or i32");
}
END_TEST

/* The caller's tensor has numbers that the type does not have. */
START_TEST(a_tensor_of_other_numbers)
{
  const int64_t shape[] = {1, 3};
  const float x[] = {1, 1.25f, 1.001f}, y[] = {1, 1.25f, -2};
#define SOFTMAX KERNEL("softmax_bf16(bf16 y, bf16 x, " ROWS ", i32 0)")
  const char *file = aid_tensor("x.npy", NPY_F4, 2, shape, x);
  char *err, *out;
  ck_assert_int_eq(
      aid_run(&out, &err, "diffcheck", "run", "softmax", "-q", "--input", file, SOFTMAX, NULL), 2);
  ck_assert_text(err, "x[2] is no number that bf16 has");
  free(err);
  free(out);
  file = aid_tensor("x.npy", NPY_F4, 2, shape, y);
  free(OUTPUT(0, "run", "softmax", "-q", "--input", file, SOFTMAX));
}
END_TEST

/* ---- numbers ---- */

/* Each of 65536 bit patterns is what it is stored from; between two of them the nearer, or the even one. */
START_TEST(halves_are_rounded)
{
  const dc_type type = _i ? DC_TYPE_BF16 : DC_TYPE_F16;
  for (uint32_t w = 0; w < 0x10000; w++) {
    const uint16_t bits = (uint16_t)w, next = (uint16_t)(w + 1);
    uint16_t back;
    float x, y;
    dc_type_load(type, &bits, 1, &x);
    dc_type_load(type, &next, 1, &y);
    dc_type_store(type, &x, 1, &back);
    if (isnan(x)) {
      ck_assert_int_eq(back & 0x7fff, (bits & 0x7fff) | (_i ? 0x40 : 0x200));
      continue;
    }
    ck_assert_int_eq(back, bits);
    ck_assert_int_eq(dc_type_misfit(type, &x, 1), -1);
    if (!isfinite(x) || !isfinite(y) || (w & 0x7fff) == 0x7fff || w == 0xffff)
      continue;
    const double middle = ((double)x + (double)y) / 2, least = (double)fabsf(y - x) * 0x1p-8;
    const double far = copysign(least, (double)x); /* away from 0 */
    uint16_t (*const of)(double) = _i ? dc_brain_of : dc_half_of;
    ck_assert_int_eq(of(middle), bits & 1 ? next : bits);
    ck_assert_int_eq(of(middle + far), next);
    ck_assert_int_eq(of(middle - far), bits);
  }
}
END_TEST

/* What is drawn is brought to what the type has, and neither loses its digits nor its kind. */
START_TEST(values_are_fitted)
{
  static const float DRAWN[] = {1e6f,     -3e38f,   FLT_MAX,   -FLT_MAX, 1e-40f, 0x1p-149f,
                                0x1p-20f, INFINITY, -INFINITY, 0.1f,     -0.0f,  65519.9f};
  enum { N = sizeof DRAWN / sizeof *DRAWN };
  float x[N];
  for (int type = DC_TYPE_F16; type <= DC_TYPE_BF16; type++) {
    memcpy(x, DRAWN, sizeof x);
    dc_type_fit((dc_type)type, x, N);
    ck_assert_int_eq(dc_type_misfit((dc_type)type, x, N), -1);
    for (int i = 0; i < N; i++) {
      ck_assert_int_eq(isfinite(x[i]), isfinite(DRAWN[i]));
      ck_assert_int_eq(signbit(x[i]) != 0, signbit(DRAWN[i]) != 0);
    }
  }
  x[0] = 1e-40f;
  dc_type_fit(DC_TYPE_F16, x, 1); /* subnormal there too */
  ck_assert(x[0] > 0 && x[0] < 0x1p-14f);
  const float mask[] = {0, -0.0f, NAN, 1e-30f, 1, -5};
  float u[6], b[6];
  memcpy(u, mask, sizeof mask);
  memcpy(b, mask, sizeof mask);
  dc_type_fit(DC_TYPE_U8, u, 6);
  dc_type_fit(DC_TYPE_BOOL, b, 6);
  for (int i = 0; i < 6; i++) {
    ck_assert_float_eq(b[i], i < 2 ? 0 : 1);
    ck_assert(i < 2 ? u[i] == 0 : u[i] >= 1 && u[i] <= 255);
  }
  int64_t ix[] = {INT64_MIN, INT64_MAX, -1, INT32_MIN, INT32_MAX};
  dc_type_fit(DC_TYPE_I32, ix, 5);
  ck_assert(ix[0] == INT32_MIN && ix[1] == INT32_MAX && ix[2] == -1 && ix[3] == INT32_MIN);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("types");
  TCase *t = tcase_create("kernels");
  suite_add_tcase(s, t);
  tcase_set_timeout(t, 120);
  tcase_add_loop_test(t, what_is_said_of_a_kernel, 0, (int)(sizeof CALLS / sizeof *CALLS));
  tcase_add_loop_test(t, right_in_each_class, 0, DC_ONES + 1);
  tcase_add_test(t, on_the_simulator);
  t = tcase_create("lines");
  suite_add_tcase(s, t);
  tcase_set_timeout(t, 120);
  tcase_add_test(t, a_line_replays);
  tcase_add_loop_test(t, a_program_shows_it, 0, (int)(sizeof PROGRAMS / sizeof *PROGRAMS));
  tcase_add_loop_test(t, a_cuda_program_shows_it, 0, 3);
  tcase_add_loop_test(t, lines_that_make_no_sense, 0, (int)(sizeof LINES / sizeof *LINES));
  tcase_add_test(t, a_line_reads_back);
  t = tcase_create("calls");
  suite_add_tcase(s, t);
  tcase_set_timeout(t, 120);
  tcase_add_test(t, calls_that_make_no_sense);
  tcase_add_test(t, a_tensor_of_other_numbers);
  t = tcase_create("numbers");
  suite_add_tcase(s, t);
  tcase_add_loop_test(t, halves_are_rounded, 0, 2);
  tcase_add_test(t, values_are_fitted);
  return aid_main(s);
}
