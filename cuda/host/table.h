/* What each family's .cu gives the back end beside its launchers: the rows of the kernel table,
 * in order of preference, and the workspace of its ops. */
#ifndef PM_HOST_TABLE_H
#define PM_HOST_TABLE_H
#include "check.h"
#include "../lang/kernel.h"

typedef struct pm_family {
  const pm_kernel *rows;
  int n;
  size_t (*workspace)(const char *op, const int64_t *size); /* NULL: no op needs any */
} pm_family;

#define PM_FAMILIES(F) \
  F(elementwise)       \
  F(activation)        \
  F(bias)              \
  F(reduce)            \
  F(softmax)           \
  F(loss)              \
  F(norm)              \
  F(batch_norm)        \
  F(shape)             \
  F(broadcast)         \
  F(matmul)            \
  F(linear)            \
  F(ffn)               \
  F(rope)              \
  F(attention) F(multi_head) F(pool) F(conv) F(spectral) F(gather) F(random) F(slice) F(optimizer)
#define PM_DECLARE_FAMILY(f) ENTRY const pm_family LAUNCHER(family_##f);
PM_FAMILIES(PM_DECLARE_FAMILY)
#undef PM_DECLARE_FAMILY

/*@ requires 0 <= a && 0 < b;
    assigns \nothing;
    ensures \result == a / b + (a % b != 0 ? 1 : 0) && 0 <= \result <= a; */
static inline int64_t divide_up(int64_t a, int64_t b) { return a / b + (a % b != 0); }

#pragma GCC visibility push(hidden)
/*@ // bit i is set
    predicate suits(integer suited, integer i) = i == 0 ? suited % 2 == 1 :
      i == 1 ? suited / 2 % 2 == 1 : i == 2 ? suited / 4 % 2 == 1 : i == 3 ? suited / 8 % 2 == 1 :
      i == 4 ? suited / 16 % 2 == 1 : i == 5 ? suited / 32 % 2 == 1 : i == 6 ? suited / 64 % 2 == 1 :
      i == 7 && suited / 128 % 2 == 1; */
/* The variant of c->op that runs: the one asked for or else the first that is suited; bit i of
 * `suited` speaks of the op's row i. Sets ex->ran. -1 where c->status tells why none runs. */
/*@ requires \valid(c) && \valid(ex);
    assigns c->status;
    assigns ex->ran;
    ensures worse(c->status,\old(c->status)) && -1 <= \result < 8;
    ensures \result < 0 ? c->status != PM_OK : suits(suited,\result); */
int pm_pick(pm_check *c, pm_exec *ex, const pm_kernel *rows, int n, unsigned suited);
/* Blocks for that many threads; an error where a grid cannot have as many. */
/*@ requires \valid(c) && 0 < block && (c->status == PM_OK ==> 0 <= threads);
    assigns c->status;
    ensures worse(c->status,\old(c->status)) && 0 <= \result <= 0x7fffffff;
    ensures 0 < \result ==> c->status == PM_OK && 0 < threads <= \result * block;
    ensures c->status == PM_OK ==> 0 < threads ==> 0 < \result; */
unsigned pm_blocks(pm_check *c, int64_t threads, int block);
/* c->status, or what the runtime says of the launches just made. */
/*@ requires \valid_read(c); assigns \nothing;
    ensures worse(\result,c->status); */
pm_status pm_launched(const pm_check *c);
#pragma GCC visibility pop
#ifdef __FRAMAC__
#define PM_TABLE(rows) NULL, 0 /* the prover reads no strings */
#else
#define PM_TABLE(rows) rows, (int)(sizeof rows / sizeof *rows)
#endif
#define PM_PICK(c, ex, rows, suited) pm_pick(c, ex, PM_TABLE(rows), suited)

/* The last line of a family's .cu. */
#ifdef __FRAMAC__
#define PM_FAMILY(f, rows, workspace) ENTRY const pm_family LAUNCHER(family_##f)
#else
#define PM_FAMILY(f, rows, workspace) \
  ENTRY const pm_family LAUNCHER(family_##f) = {rows, (int)(sizeof rows / sizeof *rows), workspace}
#endif
#endif
