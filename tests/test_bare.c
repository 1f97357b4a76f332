/* Bare kernels on a GPU, whose compiler, driver and memory are fakes here that run on the host: from a .cu
 * through nvcc, and from a .ptx, .cubin or .fatbin through the driver. */
#include "helpers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define QUICK "-q", "--cases", "12", "--on", "cuda", "--where", "n < 20000"
#define LAUNCH "negate<<<n / 64 + 1, 64>>>(y, a, i32 n)"

static const char SOURCE[] =
    "#include <cuda_runtime.h>\n"
    "template <int SIGN> __global__ void times(float *y, const float *x, int n)\n"
    "{\n"
    "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "  if (i < n) y[i] = SIGN * x[i];\n"
    "}\n"
    "__global__ void negate(float *y, const float *x, int n)\n"
    "{\n"
    "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "  if (i < n) y[i] = -x[i];\n"
    "}\n";

static const char *written(const char *name, const char *text)
{
  const char *path = aid_path(name);
  aid_write(path, text, strlen(text));
  return path;
}

/* nvcc is the host's compiler with a host's cuda_runtime.h, and says what it does not understand as nvcc does:
 * FILE(LINE): error: .. */
static void begin(void)
{
  char host[4300], path[4200], script[9000];
  setenv("PM_CUDA_LIB", aid_program(path, sizeof path, "tests/libfake_cuda.so"), 1);
  setenv("PM_CUDA_DRIVER", aid_program(path, sizeof path, "tests/libfake_driver.so"), 1);
  aid_program(host, sizeof host, "../tests/host_cuda");
  if (access(host, R_OK) != 0) /* of build/asan */
    aid_program(host, sizeof host, "../../tests/host_cuda");
  snprintf(script, sizeof script,
           "#!/bin/bash\n"
           "kept=()\n"
           "for w in \"$@\"; do case $w in -arch=sm_90|-Xcompiler|--fast) ;; *) kept+=(\"$w\");; "
           "esac; done\n"
           "[[ \" $* \" != *' -arch=sm_90 '* || $1 != --fast ]] && exit 9\n"
           "g++ -x c++ -fPIC -I '%s' \"${kept[@]}\" 2>&1 | sed -E 's/^([^:]*):([0-9]+):[0-9]+: "
           "error/\\1(\\2): error/'\n"
           "exit ${PIPESTATUS[0]}\n",
           host);
  char command[4400];
  const char *compiler = written("nvcc", script);
  ck_assert_int_eq(chmod(compiler, 0700), 0);
  snprintf(command, sizeof command, "%s --fast", compiler); /* an option of the caller's */
  setenv("PM_NVCC", command, 1);
}

START_TEST(from_source)
{
  const char *source = written("k.cu", SOURCE);
  char *out = OUTPUT(0, "run", "neg", QUICK, "--source", source, "--launch", LAUNCH);
  ck_assert_text(out, "1 passed");
  free(out);
  free(OUTPUT(0, "run", "neg", QUICK, "--source", source, "--launch",
              "times<-1><<<n / 64 + 1, dim3(64, 1), 100000>>>(y, a, i32 n)"));
  out = OUTPUT(1, "run", "neg", QUICK, "--source", source, "--launch",
               "times<1><<<n / 64 + 1, 64>>>(y, a, i32 n)");
  ck_assert_text(out, "FAIL neg on cuda");
  ck_assert_text(out, "--on cuda");
  free(out);
  /* what the device has not is in the failure, and no launch */
  out = OUTPUT(1, "run", "neg", QUICK, "--source", source, "--launch",
               "negate<<<n / 64 + 1, 64, 300000>>>(y, a, i32 n)");
  ck_assert_text(out, "shared memory: invalid argument");
  ck_assert_text(out, "300000 bytes");
  free(out);
}
END_TEST

#define FROM(file, launch, part, and) \
  REFUSED(part, and, "run", "neg", QUICK, "--source", file, "--launch", launch)

START_TEST(sources_that_do_not_compile)
{
  const char *source = written("k.cu", SOURCE);
  char text[1000];
  snprintf(text, sizeof text, "%s\nint bad = nothing;\n", SOURCE);
  FROM(written("bad.cu", text), LAUNCH, "bad.cu: does not compile", "line 13");
  FROM(source, "negated<<<n, 64>>>(y, a, i32 n)", "does not compile", "negated");
  FROM(source, "negate<<<n, 64>>>(y, a, i64 n)", "argument 3 of negate is i64", "takes i32");
  FROM(source, "negate<<<n, 64>>>(y, a)", "2 arguments are given", "takes 3");
  FROM("/no/such.cu", LAUNCH, "/no/such.cu", "No such file");
  setenv("PM_NVCC", "/no/such/nvcc", 1);
  FROM(source, LAUNCH, "/no/such/nvcc cannot be run", "PM_NVCC");
  begin();
  setenv("PM_CUDA_LIB", "/no/such/libpm_cuda.so", 1);
  FROM(source, LAUNCH, "libpm_cuda.so", "nvcc builds it");
}
END_TEST

START_TEST(compiled)
{
  static const char *const NAMES[] = {"k.ptx", "k.cubin", "k.fatbin"};
  const char *file = written(NAMES[_i], "other\n_Z6negatePfPKfi\n_ZN4mine5twiceIfEEvPfPKfi\n");
  char *out = OUTPUT(0, "run", "neg", QUICK, "--source", file, "--launch", LAUNCH);
  ck_assert_text(out, "1 passed");
  free(out);
  free(OUTPUT(0, "run", "neg", QUICK, "--source", file, "--launch",
              "_Z6negatePfPKfi<<<n / 64 + 1, 64, 100000>>>(y, a, i32 n)"));
  out = OUTPUT(1, "run", "neg", QUICK, "--source", file, "--launch",
               "mine::twice<float><<<n / 64 + 1, 64>>>(y, a, i32 n)");
  ck_assert_text(out, "must be -");
  free(out);
  out = OUTPUT(1, "run", "neg", QUICK, "--source", file, "--launch",
               "negate<<<n / 2048 + 1, 2048>>>(y, a, i32 n)");
  ck_assert_text(out, "the launch: invalid argument (2048 threads");
  free(out);
  out = OUTPUT(1, "run", "neg", QUICK, "--source", file, "--launch",
               "negate<<<n / 64 + 1, 64, 300000>>>(y, a, i32 n)");
  ck_assert_text(out, "shared memory: invalid argument");
  free(out);
}
END_TEST

START_TEST(modules_that_are_none)
{
  const char *file = written("k.ptx", "other\n_Z6negatePfPKfi\n"),
             *damaged = written("d.cubin", "damaged\n");
  FROM(file, "negated<<<n, 64>>>(y, a, i32 n)", "has no kernel 'negated'",
       "has other, negate(float*");
  FROM(file, "negate<<<n, 64>>>(y, a, i64 n)", "argument 3 of negate has 8 bytes", "takes 4");
  FROM(file, "negate<<<n, 64>>>(y, a)", "2 arguments are given", "takes more");
  FROM(file, "negate<<<n, 64>>>(y, a, i32 n, i32 n)", "4 arguments are given", "takes fewer");
  FROM(damaged, LAUNCH, "d.cubin: cannot be loaded", "image is invalid");
  FROM("/no/such.ptx", LAUNCH, "/no/such.ptx", "No such file");
  REFUSED("k.ptx", "runs on cuda alone", "run", "neg", "-q", "--source", file, "--launch", LAUNCH);
  setenv("PM_CUDA_DRIVER", "/no/such/libcuda.so", 1);
  FROM(file, LAUNCH, "/no/such/libcuda.so", "driver");
  char other[4200];
  setenv("PM_CUDA_DRIVER", aid_program(other, sizeof other, "tests/libfake_cuda.so"), 1);
  FROM(file, LAUNCH, "has no cuModuleLoad", "12.4");
}
END_TEST

/* The program that shows the fault is one for a GPU, from what there is a source of. */
START_TEST(shown_by_a_program)
{
  const char *source = written("k.cu", SOURCE), *program = aid_path("fault.cu");
  free(OUTPUT(1, "replay", "-q", "--shrink", "0", "neg n=7 seed=5", "--on", "cuda", "--source",
              source, "--launch", "times<1><<<1, 64>>>(y, a, i32 n)", "--script", program));
  char *text = aid_read(program, NULL);
  ck_assert_text(text, "cudaLaunchKernel(&times<1>");
  free(text);
  char *err;
  ck_assert_int_eq(aid_run(NULL, &err, "diffcheck", "replay", "-q", "--shrink", "0",
                           "neg n=7 seed=5", "--on", "cuda", "--source",
                           written("k.ptx", "twice\n"), "--launch", "twice<<<1, 64>>>(y, a, i32 n)",
                           "--script", program, NULL),
                   2);
  ck_assert_text(err, "needs its source");
  free(err);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("bare");
  TCase *t = tcase_create("bare");
  suite_add_tcase(s, t);
  tcase_set_timeout(t, 300);
  tcase_add_checked_fixture(t, begin, NULL);
  tcase_add_test(t, from_source);
  tcase_add_test(t, sources_that_do_not_compile);
  tcase_add_loop_test(t, compiled, 0, 3);
  tcase_add_test(t, modules_that_are_none);
  tcase_add_test(t, shown_by_a_program);
  return aid_main(s);
}
