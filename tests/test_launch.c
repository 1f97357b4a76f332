/* The launchers' argument checks on the simulator, every op and every argument: a broken rule is
 * an error that names the argument, and no output is touched. */
#include "helpers.h"

#include <stdio.h>
#include <string.h>

#include "../diffcheck/engine/engine.h"

enum {
  SIDE = 8,
  ROOM = 4 * SIDE * SIDE * SIDE * 4
}; /* a buffer holds four times what a tensor needs */

typedef struct call {
  const dc_op *op;
  int64_t size[DC_DIMS];
  double attr[DC_ATTRS];
  int accumulate;
  char *base[DC_TENSORS];
  void *t[DC_TENSORS];
  char *work;
  pm_exec ex;
} call;

static void poison(call *c)
{
  for (int o = c->op->n_in; o < c->op->n_in + c->op->n_out; o++)
    memset(c->base[o], 0x5a, ROOM);
}

static int n_tensors(const dc_op *op) { return op->n_in + op->n_out; }

/* Of that variant, or of whichever runs unasked. */
static size_t workspace(const call *c, const char *variant)
{
  int64_t size[DC_DIMS + DC_ATTRS] = {0};
  char name[128];
  dc_case k;
  dc_case_init(&k, c->op);
  memcpy(k.size, c->size, sizeof k.size);
  memcpy(k.attr, c->attr, sizeof k.attr);
  dc_kernel_size(&k, size);
  snprintf(name, sizeof name, variant ? "%s:%s" : "%s", c->op->name, variant);
  return pm_sim.workspace(name, size);
}

/* Whether no tensor of these sizes has fewer than 2 elements, unless it is a scalar, or more than a
 * quarter of a buffer holds. */
static int fits(const dc_op *op, const int64_t *size, const double *attr)
{
  for (int t = 0; t < n_tensors(op); t++) {
    int64_t n = dc_count(op, t, size, attr);
    if (n < (op->tensor[t].rank ? 2 : 1) || n > ROOM / 32)
      return 0;
  }
  return 1;
}

/* Flags as they are by default, with which no tensor is left out. */
static int flags_set(const dc_op *op, const double *attr)
{
  for (int a = 0; a < op->n_attrs; a++)
    if (op->glue->attr[a] == DC_ATTR_FLAG && attr[a] != op->glue->attr_default[a])
      return 0;
  return 1;
}

/* Sides of SIDE, or a case that the op draws where its sizes hang together. */
static void good_sizes(call *c)
{
  const dc_op *op = c->op;
  dc_fixed f;
  dc_case k;
  dc_fixed_init(&f);
  for (int d = 0; d < op->n_dims; d++)
    c->size[d] = SIDE;
  memcpy(c->attr, op->glue->attr_default, sizeof c->attr);
  for (int i = 0; op->glue->draw && i < 2000; i++) {
    dc_case_draw(&k, op, &f, 1, i, 0);
    if (!fits(op, k.size, k.attr) || !flags_set(op, k.attr))
      continue;
    memcpy(c->size, k.size, sizeof c->size);
    memcpy(c->attr, k.attr, sizeof c->attr);
    break;
  }
  ck_assert_msg(fits(op, c->size, c->attr) || op->n_dims > 3, "%s: no small case", op->name);
  ck_assert_msg(!op->glue->check || !op->glue->check(c->size, c->attr), "%s: no good case",
                op->name);
}

/* A call in which nothing is wrong. Index tensors hold zeros. */
static call begin(const dc_op *op)
{
  call c;
  memset(&c, 0, sizeof c);
  c.op = op;
  ck_assert_int_eq(pm_sim.init(), PM_OK);
  good_sizes(&c);
  for (int t = 0; t < n_tensors(op); t++) {
    c.t[t] = c.base[t] = pm_sim.alloc(ROOM);
    ck_assert_ptr_nonnull(c.base[t]);
    memset(c.base[t], 0, ROOM);
  }
  poison(&c);
  c.ex.work_bytes = workspace(&c, NULL);
  ck_assert_uint_le(c.ex.work_bytes, 1 << 20);
  c.ex.work = c.work = pm_sim.alloc(1 << 20);
  return c;
}

static void end(call *c)
{
  for (int t = 0; t < n_tensors(c->op); t++)
    pm_sim.free(c->base[t]);
  pm_sim.free(c->work);
}

static pm_status launch(call *c)
{
  dc_args a = {.size = c->size, .attr = c->attr, .accumulate = c->accumulate};
  memcpy(a.t, c->t, sizeof a.t);
  pm_status s = c->op->glue->launch(&pm_sim, &c->ex, &a);
  pm_status after = pm_sim.sync();
  ck_assert_msg(after == PM_OK, "%s: %s", c->op->name, pm_sim.error());
  return s;
}

static int touched(const call *c)
{
  for (int o = c->op->n_in; o < n_tensors(c->op); o++)
    for (int i = 0; i < ROOM; i++)
      if (c->base[o][i] != 0x5a)
        return 1;
  return 0;
}

/* The call is refused, the words hold both parts, nothing was written and nothing was run. */
static void refused(call *c, const char *part, const char *and)
{
  c->ex.ran = NULL;
  poison(c);
  pm_status s = launch(c);
  ck_assert_msg(s == PM_BAD_ARGUMENT, "%s: status %d where %s was wrong", c->op->name, (int)s,
                part);
  ck_assert_text(pm_sim.error(), c->op->name);
  ck_assert_text(pm_sim.error(), part);
  ck_assert_text(pm_sim.error(), and);
  ck_assert_msg(!touched(c), "%s: an output was touched although %s was wrong", c->op->name, part);
  ck_assert_ptr_null(c->ex.ran);
}

START_TEST(a_good_call_runs)
{
  const dc_op *op = dc_op_at(_i);
  call c = begin(op);
  ck_assert_msg(launch(&c) == PM_OK, "%s: %s", op->name, pm_sim.error());
  ck_assert_ptr_nonnull(c.ex.ran);
  ck_assert(touched(&c));
  end(&c);
}
END_TEST

START_TEST(sizes)
{
  const dc_op *op = dc_op_at(_i);
  call c = begin(op);
  for (int d = 0; d < op->n_dims; d++) {
    const int64_t good = c.size[d];
    if (op->glue->draw && good == 1) /* perhaps of an axis that is not there */
      continue;
    static const int64_t negative[] = {-1, INT64_MIN};
    for (int k = 0; k < 2; k++) {
      char value[32];
      c.size[d] = negative[k];
      snprintf(value, sizeof value, "%lld", (long long)negative[k]);
      /* an axis is named by the launcher's argument, shape[i] or kernel[i] */
      const int axis = strpbrk(op->dim[d], "0123456789") != NULL;
      refused(&c, !axis ? op->dim[d] : *op->dim[d] == 'k' ? "kernel[" : "shape[", value);
    }
    static const int64_t huge[] = {INT64_MAX, INT64_MAX / SIDE + 1, (int64_t)1 << 60};
    for (int k = 0; k < 3; k++) {
      c.size[d] = huge[k];
      refused(&c, "", op->glue->check ? "" : "2^60-1");
    }
    c.size[d] = good;
  }
  end(&c);
}
END_TEST

START_TEST(null_pointers)
{
  const dc_op *op = dc_op_at(_i);
  call c = begin(op);
  for (int t = 0; t < n_tensors(op); t++) {
    char name[32];
    c.t[t] = NULL;
    snprintf(name, sizeof name, "%s = NULL", op->tensor[t].name);
    refused(&c, name, "");
    c.t[t] = c.base[t];
  }
  end(&c);
}
END_TEST

START_TEST(misaligned_pointers)
{
  const dc_op *op = dc_op_at(_i);
  call c = begin(op);
  for (int t = 0; t < n_tensors(op); t++) {
    int element = op->tensor[t].dtype == DC_I64 ? 8 : 4;
    for (int by = 1; by < element; by++) {
      c.t[t] = c.base[t] + by;
      refused(&c, op->tensor[t].name, "aligned");
    }
    c.t[t] = c.base[t];
  }
  end(&c);
}
END_TEST

/* Every output against every other tensor: the same address, its last element, its first. */
START_TEST(overlapping_pointers)
{
  const dc_op *op = dc_op_at(_i);
  call c = begin(op);
  for (int o = op->n_in; o < n_tensors(op); o++)
    for (int t = 0; t < n_tensors(op); t++) {
      if (t == o)
        continue;
      int in_place = op->glue->replaces[o - op->n_in] == t + 1; /* all of it */
      int64_t bytes = dc_count(op, t, c.size, c.attr) * (op->tensor[t].dtype == DC_I64 ? 8 : 4);
      int64_t own = dc_count(op, o, c.size, c.attr) * 4;
      int64_t at[] = {0, bytes - 4, -(own - 4)};
      for (int k = in_place; k < 3; k++) {
        c.t[t] = c.base[t] + ROOM / 2;
        c.t[o] = (char *)c.t[t] + at[k];
        refused(&c, op->tensor[o].name, "overlap");
        c.t[t] = c.base[t];
        c.t[o] = c.base[o];
      }
    }
  end(&c);
}
END_TEST

START_TEST(flags)
{
  const dc_op *op = dc_op_at(_i);
  call c = begin(op);
  for (int a = 0; a < op->n_attrs; a++)
    if (op->glue->attr[a] == DC_ATTR_FLAG) {
      double good = c.attr[a];
      c.attr[a] = 2;
      refused(&c, op->attr[a], "0 or 1");
      c.attr[a] = -1;
      refused(&c, op->attr[a], "0 or 1");
      c.attr[a] = good;
    }
  if (op->is_vjp) {
    c.accumulate = 2;
    refused(&c, "accumulate", "0 or 1");
    c.accumulate = -1;
    refused(&c, "accumulate", "0 or 1");
  }
  c.accumulate = 0;
  ck_assert_int_eq(launch(&c), PM_OK);
  end(&c);
}
END_TEST

START_TEST(unknown_variant)
{
  const dc_op *op = dc_op_at(_i);
  call c = begin(op);
  c.ex.variant = "no_such_variant";
  refused(&c, "no_such_variant", "one of");
  c.ex.variant = "";
  refused(&c, "variant", "one of");
  end(&c);
}
END_TEST

START_TEST(workspace_is_checked)
{
  const dc_op *op = dc_op_at(_i);
  call c = begin(op);
  size_t bytes = c.ex.work_bytes;
  if (bytes) {
    c.ex.work_bytes = bytes - 1;
    refused(&c, "work_bytes", "at least");
    c.ex.work_bytes = 0;
    refused(&c, "work_bytes", "at least");
    c.ex.work_bytes = bytes;
    c.ex.work = NULL;
    refused(&c, "work = NULL", "");
    c.ex.work = c.work + 8;
    refused(&c, "work", "16");
    c.ex.work = c.base[op->n_in];
    refused(&c, "work", "overlap");
    c.ex.work = c.work;
  } else {
    c.ex.work = NULL; /* an op that needs none asks for none */
  }
  ck_assert_msg(launch(&c) == PM_OK, "%s: %s", op->name, pm_sim.error());
  end(&c);
}
END_TEST

START_TEST(no_exec)
{
  const dc_op *op = dc_op_at(_i);
  call c = begin(op);
  dc_args a = {.size = c.size, .attr = c.attr};
  memcpy(a.t, c.t, sizeof a.t);
  ck_assert_int_eq(op->glue->launch(&pm_sim, NULL, &a), PM_BAD_ARGUMENT);
  ck_assert_text(pm_sim.error(), "exec");
  ck_assert(!touched(&c));
  end(&c);
}
END_TEST

/* Every dim at 0 by itself; where a tensor has no element its pointer may be NULL. */
START_TEST(empty)
{
  const dc_op *op = dc_op_at(_i);
  call c = begin(op);
  for (int d = 0; d < op->n_dims; d++) {
    const int64_t good = c.size[d];
    c.size[d] = 0;
    if (op->glue->check && op->glue->check(c.size, c.attr)) {
      c.size[d] = good;
      continue;
    }
    for (int t = 0; t < n_tensors(op); t++)
      c.t[t] = dc_count(op, t, c.size, c.attr) ? c.base[t] : NULL;
    ck_assert_msg(launch(&c) == PM_OK, "%s, %s = 0: %s", op->name, op->dim[d], pm_sim.error());
    c.size[d] = good;
  }
  end(&c);
}
END_TEST

/* Each row of the kernel table by name: it runs, or says under which condition it would. With
 * tensors that start one element late the launcher still finds a row that runs. */
START_TEST(variants)
{
  const dc_op *op = dc_op_at(_i);
  call c = begin(op);
  int rows = 0, ran = 0;
  for (int late = 0; late < 2; late++) {
    for (int t = 0; t < n_tensors(op); t++)
      c.t[t] = c.base[t] + (late && op->tensor[t].dtype == DC_F32 ? 4 : 0);
    for (int k = 0; k < pm_sim.n_kernels; k++) {
      const pm_kernel *row = &pm_sim.kernels[k];
      if (strcmp(row->op, op->name) != 0)
        continue;
      rows++;
      c.ex.variant = row->variant;
      c.ex.work_bytes = workspace(&c, row->variant);
      ck_assert_uint_le(c.ex.work_bytes, 1 << 20);
      c.ex.ran = NULL;
      poison(&c);
      pm_status s = launch(&c);
      if (s == PM_OK) {
        ck_assert_str_eq(c.ex.ran, row->variant);
        ran++;
      } else {
        ck_assert_msg(s == PM_UNSUITED, "%s %s: %s", op->name, row->variant, pm_sim.error());
        ck_assert_text(pm_sim.error(), row->when);
        ck_assert_text(pm_sim.error(), row->variant);
        ck_assert(!touched(&c));
      }
    }
    c.ex.variant = NULL;
    c.ex.work_bytes = workspace(&c, NULL);
    ck_assert_msg(launch(&c) == PM_OK, "%s: %s", op->name, pm_sim.error());
  }
  ck_assert_int_ge(rows, 2);
  ck_assert_int_ge(ran, 1);
  end(&c);
}
END_TEST

/* Kernel rows are complete: known op, a condition in words, a declaration that can be asked. */
START_TEST(kernel_table)
{
  for (int k = 0; k < pm_sim.n_kernels; k++) {
    const pm_kernel *row = &pm_sim.kernels[k];
    int64_t size[DC_DIMS + DC_ATTRS];
    pm_arith a = {0};
    ck_assert_msg(dc_op_find(row->op) != NULL, "row of an unknown op %s", row->op);
    ck_assert(row->variant && row->variant[0] && row->when && row->when[0]);
    for (int i = 0; i < DC_DIMS + DC_ATTRS; i++)
      size[i] = i >= dc_op_find(row->op)->n_dims ? 0 : i < 3 ? 1000 : 1;
    if (row->declare)
      row->declare(size, &a);
    ck_assert_msg(a.k_exp >= 0 && a.k_tanh >= 0 && a.alpha >= 0 && a.height[0] >= 0 &&
                      a.height[1] >= 0 && a.height[0] <= 1e9 && a.height[1] <= 1e9,
                  "%s %s declares nonsense", row->op, row->variant);
    for (int j = 0; j < k; j++)
      ck_assert(strcmp(row->op, pm_sim.kernels[j].op) != 0 ||
                strcmp(row->variant, pm_sim.kernels[j].variant) != 0);
  }
  ck_assert_int_ge(pm_sim.n_kernels, dc_n_ops());
}
END_TEST

int main(void)
{
  Suite *s = suite_create("launch");
  TCase *t = tcase_create("arguments");
  int n = dc_n_ops();
  suite_add_tcase(s, t);
  tcase_add_loop_test(t, a_good_call_runs, 0, n);
  tcase_add_loop_test(t, sizes, 0, n);
  tcase_add_loop_test(t, null_pointers, 0, n);
  tcase_add_loop_test(t, misaligned_pointers, 0, n);
  tcase_add_loop_test(t, overlapping_pointers, 0, n);
  tcase_add_loop_test(t, flags, 0, n);
  tcase_add_loop_test(t, unknown_variant, 0, n);
  tcase_add_loop_test(t, workspace_is_checked, 0, n);
  tcase_add_loop_test(t, no_exec, 0, n);
  tcase_add_loop_test(t, empty, 0, n);
  tcase_add_loop_test(t, variants, 0, n);
  tcase_add_test(t, kernel_table);
  return aid_main(s);
}
