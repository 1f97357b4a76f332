/* A session as one graph: on the simulator that stands in a GPU's place, with launches that are written down
 * (cuda/sim/graph.h), and on a GPU where there is one (PM_CUDA_LIB names its library). */
#include <stdlib.h>
#include <string.h>

#include "../runtime/internal.h"
#include "net.h"

enum { ON_SIM, ON_GPU, DEVICES, STEPS = 5, N = 4 };

/* ---- a device that counts, and fails where it is told to ---- */

typedef enum { SOUND, NO_BEGIN, NO_END, NO_READY, NO_LAUNCH, NO_MAKE, NO_STEP } fault;

static pm_backend gpu;
static pm_graphs counted;
static fault fails;
static int begun, launched;
static bool writing;

static pm_status unless(fault f, pm_status s) { return fails == f ? PM_DEVICE : s; }
static pm_graph *make(int parts) { return fails == NO_MAKE ? NULL : pm_sim.graphs->make(parts); }
static pm_status begin(void *stream)
{
  begun++;
  writing = fails != NO_BEGIN;
  return writing ? pm_sim.graphs->begin(stream) : PM_DEVICE;
}
static pm_status end(void *stream, pm_graph *g, int part)
{
  writing = false;
  return unless(NO_END, pm_sim.graphs->end(stream, fails == NO_END ? NULL : g, part));
}
static pm_status ready(pm_graph *g) { return unless(NO_READY, pm_sim.graphs->ready(g)); }
static pm_status launch(void *stream, pm_graph *g)
{
  launched++;
  return fails == NO_LAUNCH ? PM_DEVICE : pm_sim.graphs->launch(stream, g);
}
static const char *words(void) { return fails ? "the fake says no" : pm_sim.error(); }
static pm_status mul(pm_exec *ex, int64_t n, const float *a, const float *b, float *y)
{
  return writing && fails == NO_STEP ? PM_DEVICE : pm_sim.mul(ex, n, a, b, y);
}

static bool otherwise; /* scale has another variant */
static pm_status scale(pm_exec *ex, int64_t n, float c, const float *a, float *y)
{
  pm_status s = pm_sim.scale(ex, n, c, a, y);
  ex->ran = otherwise ? "other" : ex->ran;
  return s;
}

static size_t scale_takes; /* as workspace */
static size_t workspace(const char *op, const int64_t *size)
{
  return strcmp(op, "scale") == 0 ? scale_takes : pm_sim.workspace(op, size);
}

static void stand_in(pmr_context h)
{
  context *c;
  gpu = pm_sim;
  gpu.rest = NULL;
  gpu.graphs = &counted;
  gpu.error = words;
  gpu.mul = mul;
  gpu.scale = scale;
  gpu.workspace = workspace;
  counted = *pm_sim.graphs;
  counted.make = make;
  counted.begin = begin;
  counted.end = end;
  counted.ready = ready;
  counted.launch = launch;
  OK(in_begin(h, &c));
  c->device = &gpu;
  in_end(c, PMR_OK);
}

/* NULL: there is no GPU here; PM_TEST_GPU says that there must be. */
static pmr_context on(int device)
{
  pmr_context c = NULL;
  if (device == ON_GPU) {
    ck_assert_msg(!pmr_open("cuda", &c) || !getenv("PM_TEST_GPU"), "%s", pmr_error());
    return c;
  }
  OK(pmr_open("sim", &c));
  stand_in(c);
  return c;
}

/* ---- x x, and its sum ---- */

typedef struct square {
  pmr_context c;
  pmr_tensor x, y, sum;
  pmr_session s;
} square;

static const float ONE[N] = {1, 2, 3, 4}, OTHER[N] = {0, -1, 5, 2};
static const float ONE_SQUARED[N] = {1, 4, 9, 16}, OTHER_SQUARED[N] = {0, 1, 25, 4};

static void square_begin(square *q, pmr_context c)
{
  *q = (square){.c = c, .x = f32(c, ONE, 1, N)};
  OK(pmr_session_begin(c));
  q->y = op1(c, "mul", q->x, q->x, NULL);
  q->sum = op1(c, "sum", q->y, NULL, NULL);
  OK(pmr_session_end(c, &q->s));
}

static void square_end(square *q)
{
  OK(pmr_session_release(q->s));
  OK(pmr_release(q->x));
  OK(pmr_release(q->y));
  OK(pmr_release(q->sum));
  closed(q->c);
}

/* A run on these, which is one launch or is not. */
static pmr_graph_info run(const square *q, const float *x, const float *want, int graph)
{
  pmr_graph_info g;
  OK(pmr_put(q->x, PMR_F32, x, N));
  OK(pmr_session_run(q->s));
  is(q->y, want, N);
  OK(pmr_session_graph(q->s, &g));
  ck_assert_int_eq(g.graph, graph);
  ck_assert_int_eq(g.why[0] == 0, graph);
  return g;
}

/* ---- tests ---- */

/* The bits of the program, with attributes that change before each run; only their steps are captured again. */
START_TEST(it_is_the_program)
{
  net a, b;
  pmr_session s;
  pmr_session_info about;
  pmr_graph_info g;
  pmr_context c = on(_i), d = c ? on(_i) : NULL;
  if (!c)
    return;
  net_begin(&a, c);
  net_begin(&b, d);
  net_learn(&a);
  OK(pmr_session_begin(b.c));
  net_learn(&b);
  OK(pmr_session_end(b.c, &s));
  OK(pmr_session_about(s, &about));
  OK(pmr_session_graph(s, &g));
  ck_assert_int_eq(g.graph, 0);
  ck_assert_str_eq(g.why, "it has not run yet");
  for (int t = 1; t < STEPS; t++) {
    net_give(&a, t);
    net_learn(&a);
    net_give(&b, t);
    net_again(&b, s);
    net_same_loss(&a, &b);
    OK(pmr_session_graph(s, &g));
    ck_assert_msg(g.graph == 1, "%s", g.why);
    ck_assert_int_eq(g.captured, about.steps + (t - 1) * NET_WEIGHTS);
    if (_i == ON_SIM) {
      ck_assert_int_eq(launched, t);
      ck_assert_int_eq(begun, 1 + t); /* parts: what learns, and the optimizer */
    }
  }
  net_same(&a, &b);
  OK(pmr_session_release(s));
  net_end(&a);
  net_end(&b);
}
END_TEST

/* Attributes of a step between others: of three parts the one in the middle; as they were: of none. */
START_TEST(what_changes_is_captured_again)
{
  static const float thrice[N] = {9, 18, 27, 36}, doubled[N] = {4, 8, 12, 16};
  pmr_context c = on(_i);
  pmr_session s;
  pmr_graph_info g;
  if (!c)
    return;
  pmr_tensor x = f32(c, ONE, 1, N), y, z;
  OK(pmr_session_begin(c));
  y = op1(c, "add", x, x, NULL);
  z = op1(c, "scale", y, NULL, PMR_ATTRS({"c", 2}));
  pmr_tensor out = op1(c, "add", z, x, NULL);
  OK(pmr_session_end(c, &s));
  for (int i = 0; i < 2; i++) {
    OK(pmr_session_run(s));
    OK(pmr_session_graph(s, &g));
    ck_assert_int_eq(g.captured, 3);
  }
  is(z, doubled, N);
  OK(pmr_session_attr(s, "scale", "c", 4.5));
  OK(pmr_session_run(s));
  is(z, thrice, N);
  OK(pmr_session_graph(s, &g));
  ck_assert_int_eq(g.captured, 6); /* parts are others */
  for (int i = 0; i < 4; i++) {
    OK(pmr_session_attr(s, "scale", "c", i < 2 ? 2 : 4.5));
    OK(pmr_session_run(s));
    is(z, i < 2 ? doubled : thrice, N);
    OK(pmr_session_graph(s, &g));
    ck_assert_int_eq(g.captured, 7 + i / 2);
    ck_assert_int_eq(g.graph, 1);
  }
  otherwise = true; /* than one kernel by another a graph is not updated */
  OK(pmr_session_attr(s, "scale", "c", 2));
  OK(pmr_session_run(s));
  is(z, doubled, N);
  OK(pmr_session_graph(s, &g));
  ck_assert_int_eq(g.captured, _i == ON_SIM ? 8 + 1 + 3 : 8 + 1);
  OK(pmr_session_release(s));
  pmr_tensor all[] = {x, y, z, out};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    OK(pmr_release(all[i]));
  closed(c);
}
END_TEST

static const void *workspace_of(pmr_context h)
{
  context *c;
  OK(in_begin(h, &c));
  const void *at = c->work;
  in_end(c, PMR_OK);
  return at;
}

/* Another step of the context needs a larger workspace than the graph's launches have. */
START_TEST(the_workspace_moves)
{
  enum { FEW = 12000, MANY = 10 * FEW };
  static float x0[MANY];
  const float want[1] = {FEW};
  pmr_context c = on(_i);
  pmr_session s;
  pmr_graph_info g;
  if (!c)
    return;
  for (int i = 0; i < MANY; i++)
    x0[i] = 1;
  pmr_tensor few = f32(c, x0, 1, FEW), many = f32(c, x0, 1, MANY), y;
  OK(pmr_session_begin(c));
  y = op1(c, "sum", few, NULL, NULL);
  OK(pmr_session_end(c, &s));
  OK(pmr_session_run(s));
  OK(pmr_session_graph(s, &g));
  ck_assert_int_eq(g.captured, 1);
  const void *before = workspace_of(c);
  OK(pmr_release(op1(c, "sum", many, NULL, NULL)));
  const bool moved = workspace_of(c) != before;
  ck_assert(moved || _i == ON_GPU); /* which may sum both with as much */
  OK(pmr_session_run(s));
  is(y, want, 1);
  OK(pmr_session_graph(s, &g));
  ck_assert_int_eq(g.graph, 1);
  ck_assert_int_eq(g.captured, moved ? 2 : 1);
  OK(pmr_release(few));
  OK(pmr_release(many));
  OK(pmr_release(y));
  OK(pmr_session_release(s));
  closed(c);
}
END_TEST

/* With another attribute a step needs a larger one: all are captured again, for all are given it. */
START_TEST(a_step_takes_more)
{
  pmr_context c = on(ON_SIM);
  pmr_session s;
  pmr_graph_info g;
  scale_takes = 64;
  pmr_tensor x = f32(c, ONE, 1, N), y, z;
  OK(pmr_session_begin(c));
  y = op1(c, "scale", x, NULL, PMR_ATTRS({"c", 2}));
  z = op1(c, "add", y, y, NULL);
  OK(pmr_session_end(c, &s));
  OK(pmr_session_attr(s, "scale", "c", 3));
  OK(pmr_session_run(s));
  scale_takes = 4096;
  OK(pmr_session_attr(s, "scale", "c", 4));
  OK(pmr_session_run(s));
  OK(pmr_session_graph(s, &g));
  ck_assert_int_eq(g.captured, 4);
  OK(pmr_release(x));
  OK(pmr_release(y));
  OK(pmr_release(z));
  OK(pmr_session_release(s));
  closed(c);
}
END_TEST

/* What a run writes is no longer what the tape's VJPs would read. */
START_TEST(the_tape_sees_it)
{
  pmr_context c = on(_i);
  pmr_session s;
  if (!c)
    return;
  pmr_tensor x = f32(c, ONE, 1, N), y, z;
  OK(pmr_requires_grad(x, 1));
  OK(pmr_session_begin(c));
  y = op1(c, "sqrt", x, NULL, NULL); /* whose VJP reads its result */
  z = op1(c, "sum", y, NULL, NULL);
  OK(pmr_session_end(c, &s));
  OK(pmr_backward(z, NULL));
  OK(pmr_session_run(s));
  FAILS(PMR_GRADIENT, "written", pmr_backward(z, NULL));
  OK(pmr_session_release(s));
  OK(pmr_release(x));
  OK(pmr_release(y));
  OK(pmr_release(z));
  closed(c);
}
END_TEST

/* Whatever goes wrong with a capture, the steps run; and after it has gone wrong twice nobody tries again. */
START_TEST(without_a_graph)
{
  static const struct {
    fault fault;
    const char *why;
  } rows[] = {{NO_BEGIN, "the fake says no"},
              {NO_END, "the fake says no"},
              {NO_READY, "the fake says no"},
              {NO_MAKE, "no memory for a graph"},
              {NO_STEP, "capture: the fake says no"}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    for (int lasting = 0; lasting < 2; lasting++) {
      square q;
      square_begin(&q, on(ON_SIM));
      fails = rows[i].fault;
      ck_assert_str_eq(run(&q, OTHER, OTHER_SQUARED, 0).why, rows[i].why);
      fails = lasting ? fails : SOUND;
      run(&q, ONE, ONE_SQUARED, !lasting);
      fails = SOUND;
      begun = 0;
      run(&q, OTHER, OTHER_SQUARED, !lasting);
      ck_assert_int_eq(begun, 0);
      square_end(&q);
    }
}
END_TEST

START_TEST(a_launch_fails)
{
  square q;
  square_begin(&q, on(ON_SIM));
  run(&q, ONE, ONE_SQUARED, 1);
  OK(pmr_put(q.x, PMR_F32, OTHER, N));
  fails = NO_LAUNCH;
  FAILS(PMR_DEVICE, "session on sim: the fake says no", pmr_session_run(q.s));
  is(q.y, ONE_SQUARED, N);
  pmr_graph_info g;
  OK(pmr_session_graph(q.s, &g));
  ck_assert(g.graph == 0 && strcmp(g.why, "it failed") == 0);
  fails = SOUND;
  run(&q, OTHER, OTHER_SQUARED, 1);
  square_end(&q);
}
END_TEST

START_TEST(step_by_step)
{
  static const char *const names[] = {"ref", "sim", "shadow:sim"};
  square q;
  pmr_context c;
  for (int i = 0; i < 3; i++) {
    OK(pmr_open(names[i], &c));
    square_begin(&q, c);
    ck_assert_text(run(&q, OTHER, OTHER_SQUARED, 0).why, "no GPU computes");
    square_end(&q);
  }
  OK(pmr_open("shadow:sim", &c));
  stand_in(c);
  square_begin(&q, c);
  ck_assert_text(run(&q, OTHER, OTHER_SQUARED, 0).why, "in a shadow");
  square_end(&q);
  setenv("PROOFMARK_GRAPH", "0", 1);
  square_begin(&q, on(ON_SIM));
  ck_assert_str_eq(run(&q, OTHER, OTHER_SQUARED, 0).why, "PROOFMARK_GRAPH=0");
  ck_assert_int_eq(begun, 0);
  FAILS(PMR_INVALID, "out is NULL", pmr_session_graph(q.s, NULL));
  FAILS(PMR_HANDLE, "", pmr_session_graph(NULL, &(pmr_graph_info){.graph = 0}));
  square_end(&q);
}
END_TEST

/* Steps that launch nothing, beside one that does. */
START_TEST(nothing_to_do)
{
  static const float doubled[N] = {2, 4, 6, 8};
  pmr_context c = on(_i);
  pmr_session s;
  if (!c)
    return;
  pmr_tensor none = f32(c, ONE, 1, 0), x = f32(c, ONE, 1, N), y, z, u;
  OK(pmr_session_begin(c));
  y = op1(c, "scale", none, NULL, PMR_ATTRS({"c", 2}));
  z = op1(c, "add", none, none, NULL);
  u = op1(c, "add", x, x, NULL);
  OK(pmr_session_end(c, &s));
  for (int i = 0; i < 3; i++) {
    OK(pmr_session_attr(s, "scale", "c", i));
    OK(pmr_session_run(s));
    is(u, doubled, N);
  }
  pmr_tensor all[] = {none, x, y, z, u};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    OK(pmr_release(all[i]));
  OK(pmr_session_release(s));
  closed(c);
}
END_TEST

/* Before anything is launched. */
START_TEST(an_index_out_of_range)
{
  static const int64_t bad[2] = {1, 4}, good[2] = {1, 3};
  float before, after;
  pmr_context c = on(_i);
  pmr_session s;
  pmr_graph_info g;
  if (!c)
    return;
  pmr_tensor x = f32(c, (const float[]){1, 2, 3, 4, 5, 6, 7, 8}, 2, 2, N), t = i64(c, good, 2), l;
  OK(pmr_session_begin(c));
  l = op1(c, "cross_entropy", x, t, NULL);
  OK(pmr_session_end(c, &s));
  OK(pmr_session_run(s));
  OK(pmr_to_host(l, PMR_F32, &before, 1));
  OK(pmr_put(t, PMR_I64, bad, 2));
  FAILS(PMR_INVALID, "[1] is 4, must be from 0 to 3", pmr_session_run(s));
  OK(pmr_session_graph(s, &g));
  ck_assert(g.graph == 0 && strcmp(g.why, "it failed") == 0);
  OK(pmr_to_host(l, PMR_F32, &after, 1));
  ck_assert(before == after);
  OK(pmr_put(t, PMR_I64, good, 2));
  OK(pmr_session_run(s));
  OK(pmr_session_graph(s, &g));
  ck_assert_int_eq(g.graph, 1);
  OK(pmr_session_release(s));
  OK(pmr_release(x));
  OK(pmr_release(t));
  OK(pmr_release(l));
  closed(c);
}
END_TEST

/* What a graph is of outlives neither its session nor its context, and both go with it in them. */
START_TEST(given_back)
{
  square q, r;
  pmr_context c = on(_i);
  if (!c)
    return;
  square_begin(&q, c);
  run(&q, OTHER, OTHER_SQUARED, 1);
  OK(pmr_release(q.x)); /* the session has it */
  OK(pmr_session_run(q.s));
  OK(pmr_session_release(q.s));
  is(q.y, OTHER_SQUARED, N);
  OK(pmr_release(q.y));
  OK(pmr_release(q.sum));
  square_begin(&r, c);
  run(&r, OTHER, OTHER_SQUARED, 1);
  OK(pmr_close(c));
}
END_TEST

static pmr_status some_work(pmr_context c)
{
  static const int64_t four = N;
  pmr_tensor x = NULL, y = NULL, z = NULL;
  pmr_session p = NULL;
  pmr_status s = pmr_from_host(c, PMR_F32, 1, &four, ONE, &x);
  s = s ? s : pmr_session_begin(c);
  const bool begins = !s;
  s = s ? s : pmr_call(c, "mul", PMR_IN(x, x), NULL, &y, 1);
  s = s ? s : pmr_call(c, "scale", PMR_IN(y), PMR_ATTRS({"c", 2}), &z, 1);
  if (begins && s)
    pmr_session_end(c, NULL);
  s = s ? s : pmr_session_end(c, &p);
  s = s ? s : pmr_session_run(p);
  s = s ? s : pmr_session_attr(p, "scale", "c", 3);
  s = s ? s : pmr_session_run(p);
  float got[N];
  s = s ? s : pmr_to_host(z, PMR_F32, got, N);
  if (!s && got[3] != 48)
    s = PMR_DIVERGED;
  if (p && pmr_session_release(p))
    return PMR_HANDLE;
  pmr_tensor all[] = {x, y, z};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    if (all[i] && pmr_release(all[i]))
      return PMR_HANDLE;
  return s;
}

/* Each allocation fails in turn: it is said, or a run was made of steps; nothing is left behind. */
START_TEST(no_memory)
{
  int going = 1, spared = 0;
  for (int n = 0; going; n++) {
    pmr_context c = on(ON_SIM);
    allocation_fail(n);
    pmr_status s = some_work(c);
    going = allocation_failed();
    allocation_fail(-1);
    ck_assert_msg(!s || (going && s == PMR_NO_MEMORY), "allocation %d: %s: %s", n,
                  pmr_status_name(s), pmr_error());
    spared += going && !s;
    OK(some_work(c));
    closed(c);
  }
  ck_assert_int_ge(spared, 3); /* those of captures */
}
END_TEST

/* The simulator itself: nothing runs while it is written down, and nothing else may be asked. */
START_TEST(what_a_gpu_refuses)
{
  float *x = pm_sim.alloc(sizeof *x), host = 0;
  pm_exec ex = {.stream = NULL};
  pm_graph *g = pm_sim.graphs->make(1);
  *x = 5;
  ck_assert_ptr_nonnull(g);
  ck_assert_int_eq(pm_sim.graphs->begin(NULL), PM_OK);
  ck_assert_int_eq(pm_sim.graphs->begin(NULL), PM_DEVICE);
  ck_assert_ptr_null(pm_sim.alloc(4));
  ck_assert_int_eq(pm_sim.sync(), PM_DEVICE);
  ck_assert_text(pm_sim.error(), "sync while launches are written down");
  ck_assert_int_eq(pm_sim.upload(x, &host, sizeof host), PM_DEVICE);
  ck_assert_int_eq(pm_sim.download(&host, x, sizeof host), PM_DEVICE);
  ck_assert_int_eq(pm_sim.graphs->launch(NULL, g), PM_DEVICE);
  ck_assert_int_eq(pm_sim.ones(&ex, 1, x), PM_OK);
  ck_assert_int_eq(pm_sim.graphs->end(NULL, g, 0), PM_OK);
  ck_assert(*x == 5);
  ck_assert_int_eq(pm_sim.graphs->end(NULL, g, 0), PM_DEVICE);
  ck_assert_int_eq(pm_sim.graphs->ready(g), PM_OK);
  ck_assert_int_eq(pm_sim.graphs->launch(NULL, g), PM_OK);
  ck_assert(*x == 1);
  pm_sim.graphs->drop(g);
  pm_sim.graphs->drop(NULL);
  pm_sim.free(x);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("runtime_graph");
  TCase *t = tcase_create("graph");
  tcase_set_timeout(t, 60);
  suite_add_tcase(s, t);
  tcase_add_loop_test(t, it_is_the_program, 0, DEVICES);
  tcase_add_loop_test(t, what_changes_is_captured_again, 0, DEVICES);
  tcase_add_loop_test(t, the_workspace_moves, 0, DEVICES);
  tcase_add_test(t, a_step_takes_more);
  tcase_add_loop_test(t, the_tape_sees_it, 0, DEVICES);
  tcase_add_test(t, without_a_graph);
  tcase_add_test(t, a_launch_fails);
  tcase_add_test(t, step_by_step);
  tcase_add_loop_test(t, nothing_to_do, 0, DEVICES);
  tcase_add_loop_test(t, an_index_out_of_range, 0, DEVICES);
  tcase_add_loop_test(t, given_back, 0, DEVICES);
  tcase_add_test(t, no_memory);
  tcase_add_test(t, what_a_gpu_refuses);
  return aid_main(s);
}
