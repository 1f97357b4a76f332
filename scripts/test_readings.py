"""The self-test of lint_readings.py: in a small tree of its own, whatever could let the readings part must be
refused, with the rule and the name."""
import lint_readings
from lint_readings import LOCK, Files, Lint

GOOD = {
    "Makefile": "SIMFLAGS = -std=c++17 -DPM_SIM\nNVFLAGS = -arch=sm_90\n",
    "proofs/units": """
cuda/toy/sum.h   functions  cvc4  8  -DPROVE_SUM
cuda/toy/toy.cu  functions  cvc4  8
ref/math.c  trusted
""",
    "cuda/lang/kernel.h": """
#ifndef KERNEL_H
#define KERNEL_H
#include <stdint.h>
#ifdef __FRAMAC__
#define KERNEL
#define DEV static
#define PHASE(t) for (int ph_ = 0, t = 0; t < bdim_; t++)
extern int bdim_;
/*@ predicate mine(integer k) = 0 <= k; */
/*@ requires \\valid_read(p); assigns \\nothing; ensures \\result == *p; */
float LDG(const float *p);
/*@ requires \\valid(p); assigns *p; ensures *p == v; */
void STG(float *p, float v);
#else
#ifdef PM_SIM
#include "../sim/sim.h"
#else
#include <cuda_runtime.h>
#endif
#define KERNEL static __global__
#define DEV static __device__
#define PHASE(t) for (int t = threadIdx.x, once_ = 1; once_; once_ = 0, __syncthreads())
DEV float LDG(const float *p) { return *p; }
DEV void STG(float *p, float v) { *p = v; }
#endif
#endif
""",
    "cuda/sim/sim.h": "static inline void __syncthreads() { wait(); }\n",
    "cuda/toy/sum.h": """
#ifndef SUM_H
#define SUM_H
#include "../lang/kernel.h"
#define LANES 32
#ifdef PROVE_SUM
/*@ lemma helps: \\true; */
#endif
/*@ predicate said(integer k) = 0 < k; */
/*@ requires 0 <= n; assigns \\nothing; */
DEV float sum(const float *x, int n)
#if defined(__FRAMAC__) && !defined(PROVE_SUM)
    ;
#else
{
  return n < LANES ? LDG(x + n) : 0.0f;
}
#endif
#endif
""",
    "cuda/toy/toy.cu": """
#include "blocks.h"
#include "sum.h"
#define TWICE(v) ((v) + (v))
/*@ requires 0 <= k; assigns *y; */
DEV void one(float *y, float v, int k)
{
  STG(y + k, TWICE(v));
}
/*@ requires 0 <= n; assigns *y; */
KERNEL void toy(int n, const float *x, float *y)
{
  /*@ loop assigns t, *y; */
  PHASE(t) if (t < n) one(y, sum(x, n), t);
}
#ifndef __FRAMAC__
static void launch(int n, const float *x, float *y) { toy<<<1, n>>>(n, x, y); }
#endif
""",
    "ref/math.c": "#include <math.h>\ndouble ref_exp(double x) { return exp(x); }\n",
    "ref/toy.c": "/*@ assigns \\nothing; */\nint ref_toy(int n) { return n; }\n",
}
PLACES = [("cuda/lang/*", "*", ""), ("cuda/sim/sim.h", "*", "")]
LISTS = (PLACES, {"cuda/toy/sum.h": "sum"}, {}, {"PROVE_SUM": ""})
TOY, SUM, LANG = "cuda/toy/toy.cu", "cuda/toy/sum.h", "cuda/lang/kernel.h"
STORE = "  STG(y + k, TWICE(v));\n"
PLANTED = [  # rule, a word of the message, file, what to replace, by what
    ("inside", "one", TOY, STORE, "#ifndef __FRAMAC__\n  STG(y, v);\n#endif\n" + STORE),
    ("equal", "one", TOY, STORE, "#ifdef __FRAMAC__\n" + STORE + "#endif\n"),
    ("equal", "one", TOY, STORE, "#ifdef PM_SIM\n  STG(y, v);\n#endif\n" + STORE),
    ("equal", "one", TOY, STORE, "#if defined(__CUDACC__) && 1\n  STG(y, v);\n#endif\n" + STORE),
    ("equal", "one", TOY, STORE, "#ifdef __cplusplus\n  STG(y, v);\n#endif\n" + STORE),
    ("equal", "one", TOY, STORE, "#if __cplusplus > 201402L\n  STG(y, v);\n#endif\n" + STORE),
    ("test", "__CUDA_ARCH__", TOY, STORE, "#ifdef __CUDA_ARCH__\n  STG(y, v);\n#endif\n" + STORE),
    ("test", "__has_include", TOY, STORE, "#if __has_include(<cuda.h>)\n  STG(y, v);\n#endif\n" + STORE),
    ("test", "include_next", TOY, '#include "sum.h"', '#include_next "sum.h"'),
    ("test", "macro says", TOY, '#include "sum.h"', '#define WHERE "sum.h"\n#include WHERE'),
    ("test", "push_macro", TOY, "#define TWICE", '#pragma push_macro("STG")\n#define TWICE'),
    ("test", "digraph", TOY, "#define TWICE", "%:define TWICE"),
    ("test", "C++ read differently", TOY, "k, TWICE(v)", 'k, TWICE(v + R"(x)"[0])'),
    ("equal", "sum", SUM, "  return n", "#ifdef BLOCKS_H\n  return 1.0f;\n#endif\n  return n"),
    ("equal", "one", TOY, "float v, int k)", "float v,\n#ifdef __FRAMAC__\n int k)\n#else\n short k)\n#endif"),
    ("inside", "one", TOY, "/*@ requires 0 <= k; assigns *y; */\nDEV",
     "/*@ requires 0 <= k; assigns *y; */\n#ifdef __FRAMAC__\n/*@ ensures \\true; */\n#endif\nDEV"),
    ("equal", "toy", TOY, "  PHASE(t) if (t < n)", "#ifdef __FRAMAC__\n#define LIMIT 1\n#else\n#define LIMIT n\n"
     "#endif\n  PHASE(t) if (t < LIMIT)"),
    ("equal", "TWICE", TOY, "#define TWICE(v) ((v) + (v))",
     "#ifdef __FRAMAC__\n#define TWICE(v) ((v) + (v))\n#else\n#define TWICE(v) (v)\n#endif"),
    ("equal", "one", TOY, "/*@ requires 0 <= k;", "#ifndef __FRAMAC__\n#define k 0\n#endif\n/*@ requires 0 <= k;"),
    ("alone", "bound", TOY, "#define TWICE", "#ifdef __FRAMAC__\nenum { bound = 4 };\n#endif\n#define TWICE"),
    ("alone", "more.h", TOY, "#define TWICE", '#ifdef __FRAMAC__\n#include "more.h"\n#endif\n#define TWICE'),
    ("unread", "extra", TOY, "static void launch", "DEV void extra(float *y) { STG(y, 0.0f); }\nstatic void launch"),
    ("unread", "fast", TOY, "static void launch", '#include "fast.h"\nstatic void launch'),
    ("hidden", "STG", TOY, "#define TWICE", "#define STG(p, v) (*(p) = (v))\n#define TWICE"),
    ("hidden", "threadIdx", TOY, "static void launch", "#define threadIdx blockIdx\nstatic void launch"),
    ("hidden", "PHASE", TOY, "#define TWICE", "#undef PHASE\n#define TWICE"),
    ("hidden", "LDG", TOY, "static void launch",
     "static float LDG(float *p, int k) { return p[k]; }\nstatic void launch"),
    ("hidden", "return", TOY, "#define TWICE", "#define return return 0 *\n#define TWICE"),
    ("hidden", "ONE_WARP", TOY, '#include "sum.h"', '#define ONE_WARP (x + 1)\n#include "sum.h"'),
    ("word", "__LINE__", TOY, "k, TWICE(v)", "k, TWICE(v + __LINE__)"),
    ("word", "'a'", TOY, "k, TWICE(v)", "k, TWICE(v + sizeof('a'))"),
    ("word", "<limits.h>", TOY, '#include "sum.h"', '#include <limits.h>\n#include "sum.h"'),
    ("equal", "another order", TOY, "#define TWICE(v) ((v) + (v))", "#define MAP_F f\n#ifdef __FRAMAC__\n"
     "#define MAP_G 1\n#define MAP_F g\n#define MAP_F f\n#else\n#define MAP_F g\n#define MAP_G 1\n#endif\n"
     "#define TWICE(v) ((v) + (v))"),
    # the unit's own reading is what is proven: another context in the .cu, or another -D, is no proof
    ("equal", "sum", TOY, '#include "sum.h"', '#define n 3\n#include "sum.h"'),
    ("equal", "sum", SUM, "  return n", "#ifndef PROVE_SUM\n  if (n) return 1.0f;\n#endif\n  return n"),
    ("contract", "sum", SUM, "/*@ requires 0 <= n;",
     "#ifdef PROVE_SUM\n/*@ requires n == 0; */\n#endif\n/*@ requires 0 <= n;"),
    ("contract", "said", SUM, "/*@ predicate said(integer k) = 0 < k; */",
     "#ifdef PROVE_SUM\n/*@ predicate said(integer k) = \\false; */\n#else\n"
     "/*@ predicate said(integer k) = 0 < k; */\n#endif"),
    ("test", "LANES", "proofs/units", "-DPROVE_SUM", "-DPROVE_SUM -DLANES=1"),
    ("test", "-DSTG", "proofs/units", "-DPROVE_SUM", "-DPROVE_SUM -DSTG=share_"),
    ("test", "FAST", "Makefile", "-arch=sm_90", "-arch=sm_90 -DFAST"),
    ("test", "-include", "Makefile", "-arch=sm_90", "-arch=sm_90 -include fast.h"),
    # the vocabulary
    ("lock", "PHASE", LANG, "once_ = 0, __syncthreads()", "once_ = 0"),
    ("lock", "LDG", LANG, "return *p;", "return p[1];"),
    ("lock", "LDG", LANG, "requires \\valid_read(p);", ""),
    ("lock", "STG", LANG, "DEV void STG(float *p, float v) { *p = v; }",
     "#ifdef PM_SIM\nDEV void STG(float *p, float v) { *p = v; }\n#else\nDEV void STG(float *p, float v) {}\n#endif"),
    ("lock", "mine", LANG, "= 0 <= k;", "= \\true;"),
    ("lock", "__syncthreads", "cuda/sim/sim.h", "wait();", ""),
    ("lock", "LDI", LANG, "DEV float LDG", "DEV int LDI(const int *p) { return *p; }\nDEV float LDG"),
    ("lock", "PHASE", LOCK, "__syncthreads ( )", ""),
    ("place", "no reading differs in cuda/toy/sum.h", SUM, "#if defined(__FRAMAC__) && !defined(PROVE_SUM)", "#if 0"),
    ("equal", "ref_toy", "ref/toy.c", "return n;", "\n#ifdef __FRAMAC__\n return n;\n#else\n return 0;\n#endif\n"),
]


def errors_of(texts):
    lint = Lint(Files(texts), *LISTS)
    lint.check()
    lint_readings.compare_lock(lint)
    return lint.errors


def self_test():
    good = dict(GOOD, **{"cuda/toy/more.h": "\n", "cuda/toy/fast.h": "static __global__ void fast(float *y) {}\n",
                         "cuda/toy/blocks.h": "#define BLOCKS_H\n"})
    lint = Lint(Files(good), *LISTS)
    lint.check()
    good[LOCK] = lint.locked()
    errors = errors_of(good)
    if errors:
        raise SystemExit("readings self-test: complains of good text: %s" % errors)
    for rule, word, path, old, new in PLANTED:
        if old not in good[path]:
            raise SystemExit("readings self-test: %s has no %s" % (path, old))
        errors = errors_of(dict(good, **{path: good[path].replace(old, new, 1)}))
        if not any(": %s: " % rule in e and word in e for e in errors):
            raise SystemExit("readings self-test: %s: not found in: %s\n%s" % (rule, new, "\n".join(errors)))
    print("readings self-test: %d faults planted, %d found" % (len(PLANTED), len(PLANTED)))
