/* A context waits for its own work alone: on a GPU on which nothing happens before somebody waits (tests/late.h), and
 * on one where there is one (PM_CUDA_LIB names its library). */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "late.h"
#include "runtime.h"

enum { ON_SIM, ON_GPU, DEVICES, N = 4 };

static const float ONE[N] = {1, 2, 3, 4}, OTHER[N] = {0, -1, 5, 2};
static const float ONE_TWICE[N] = {2, 4, 6, 8}, OTHER_TWICE[N] = {0, -2, 10, 4};

static context *inside(pmr_context h)
{
  context *c;
  OK(in_begin(h, &c));
  in_end(c, PMR_OK);
  return c;
}

static pmr_context late(void)
{
  pmr_context c;
  OK(pmr_open("sim", &c));
  late_stand_in(inside(c));
  return c;
}

/* NULL: there is no GPU here; PM_TEST_GPU says that there must be. */
static pmr_context on(int device)
{
  pmr_context c = NULL;
  if (device == ON_SIM)
    return late();
  ck_assert_msg(!pmr_open("cuda", &c) || !getenv("PM_TEST_GPU"), "%s", pmr_error());
  return c;
}

static int left(pmr_context c) { return late_left(inside(c)); }

START_TEST(for_its_own_work)
{
  pmr_context a = late(), b = late();
  pmr_tensor x = f32(a, ONE, 1, N), y = op1(a, "add", x, x, NULL);
  pmr_tensor u = f32(b, OTHER, 1, N), v = op1(b, "add", u, u, NULL);
  ck_assert(left(a) == 2 && left(b) == 2 && late_waits == 0);
  is(v, OTHER_TWICE, N);
  ck_assert(left(a) == 2 && left(b) == 0);
  OK(pmr_sync(b));
  OK(pmr_release(u));
  OK(pmr_release(v));
  ck_assert(left(a) == 2);
  OK(pmr_sync(a));
  ck_assert(left(a) == 0);
  is(y, ONE_TWICE, N);
  closed(b); /* memory that is given back waits for all, as it does on a GPU */
  ck_assert(late_syncs == 0);
  OK(pmr_release(x));
  OK(pmr_release(y));
  closed(a);
}
END_TEST

/* Memory that is written anew while what reads it has yet to run; and memory that is given up then, and had again. */
START_TEST(in_order)
{
  float x0[N];
  pmr_context c = on(_i);
  if (!c)
    return;
  memcpy(x0, ONE, sizeof x0);
  pmr_tensor x = f32(c, x0, 1, N), y = op1(c, "add", x, x, NULL), z;
  memcpy(x0, OTHER, sizeof x0);
  OK(pmr_put(x, PMR_F32, x0, N));
  memset(x0, 0, sizeof x0);
  z = op1(c, "add", x, x, NULL);
  OK(pmr_release(x));
  x = f32(c, x0, 1, N); /* in the same memory, where there is one stream */
  ck_assert(_i == ON_GPU || (left(c) == 5 && late_waits == 0));
  is(y, ONE_TWICE, N);
  is(z, OTHER_TWICE, N);
  is(x, x0, N);
  ck_assert_int_eq(late_syncs, 0);
  OK(pmr_release(x));
  OK(pmr_release(y));
  OK(pmr_release(z));
  closed(c);
}
END_TEST

/* A session's runs, as launches one by one and as graphs, and the uploads between them: nobody waits. */
START_TEST(sessions)
{
  pmr_session s;
  pmr_graph_info g;
  if (_i)
    setenv("PROOFMARK_GRAPH", "0", 1);
  pmr_context c = late();
  pmr_tensor x = f32(c, ONE, 1, N), y, z;
  OK(pmr_session_begin(c));
  y = op1(c, "add", x, x, NULL);
  z = op1(c, "mul", y, y, NULL);
  OK(pmr_session_end(c, &s));
  late_waits = 0;
  for (int i = 0; i < 3; i++) {
    OK(pmr_put(x, PMR_F32, i == 2 ? OTHER : ONE, N));
    OK(pmr_session_run(s));
    OK(pmr_session_graph(s, &g));
    ck_assert_msg(g.graph == !_i, "%s", g.why);
  }
  ck_assert(late_waits == 0 && late_syncs == 0 && left(c) == 3 + (_i ? 9 : 6));
  is(y, OTHER_TWICE, N);
  is(z, (const float[]){0, 4, 100, 16}, N);
  OK(pmr_session_release(s));
  OK(pmr_release(x));
  OK(pmr_release(y));
  OK(pmr_release(z));
  closed(c);
}
END_TEST

/* Targets that are good, and bad ones, with nothing read back and nobody waited for. */
START_TEST(indices)
{
  static const int64_t good[2] = {1, 3}, bad[2] = {1, 4};
  pmr_context c = late();
  pmr_tensor x = f32(c, ONE, 2, 1, N), t = i64(c, good, 1), y;
  y = op1(c, "cross_entropy", x, t, NULL);
  OK(pmr_put(t, PMR_I64, &bad[1], 1));
  pmr_tensor z = NULL;
  ck_assert(late_waits == 0 && late_syncs == 0);
  FAILS(PMR_INVALID, "target[0] is 4", pmr_call(c, "cross_entropy", PMR_IN(x, t), NULL, &z, 1));
  double loss;
  OK(pmr_item(y, &loss));
  ck_assert(loss > 2.4 && loss < 2.5); /* by the target that was there then */
  OK(pmr_release(x));
  OK(pmr_release(t));
  OK(pmr_release(y));
  closed(c);
}
END_TEST

/* A larger workspace: the smaller one goes when the context's own launches have had it. */
START_TEST(the_workspace_moves)
{
  enum { FEW = 120000, MORE = 10 * FEW };
  static float x0[MORE];
  pmr_context a = late(), b = late();
  for (int i = 0; i < MORE; i++)
    x0[i] = 1;
  pmr_tensor u = f32(b, ONE, 1, N), v = op1(b, "add", u, u, NULL);
  pmr_tensor x = f32(a, x0, 1, FEW), y = f32(a, x0, 1, MORE);
  pmr_tensor p = op1(a, "sum", x, NULL, NULL);
  ck_assert_int_eq(late_waits, 0);
  pmr_tensor q = op1(a, "sum", y, NULL, NULL);
  ck_assert_msg(late_waits == 1 && late_syncs == 0, "%d waits, %d syncs", late_waits, late_syncs);
  is(p, (const float[]){FEW}, 1);
  is(q, (const float[]){MORE}, 1);
  is(v, ONE_TWICE, N);
  pmr_tensor all[] = {x, y, p, q};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    OK(pmr_release(all[i]));
  OK(pmr_release(u));
  OK(pmr_release(v));
  closed(a);
  closed(b);
}
END_TEST

/* ---- threads ---- */

typedef struct job {
  pmr_tensor t;
  pmr_status s;
  float got[N];
} job;

static void *fetch(void *arg)
{
  job *j = arg;
  j->s = pmr_to_host(j->t, PMR_F32, j->got, N);
  return NULL;
}

/* While one context waits for its work another launches, copies and waits for its own. */
START_TEST(beside_one_that_waits)
{
  pmr_context a = late(), b = late();
  pthread_t id;
  pmr_tensor x = f32(a, ONE, 1, N);
  job j = {.t = op1(a, "add", x, x, NULL)};
  late_hold(inside(a));
  ck_assert_int_eq(pthread_create(&id, NULL, fetch, &j), 0);
  for (int i = 0; i < 20; i++) {
    pmr_tensor u = f32(b, OTHER, 1, N), v = op1(b, "add", u, u, NULL);
    is(v, OTHER_TWICE, N);
    OK(pmr_put(u, PMR_F32, ONE, N));
    OK(pmr_sync(b));
    OK(pmr_release(u));
    OK(pmr_release(v));
  }
  closed(b);
  late_let_go();
  pthread_join(id, NULL);
  ck_assert(!j.s && memcmp(j.got, ONE_TWICE, sizeof ONE_TWICE) == 0);
  OK(pmr_release(x));
  OK(pmr_release(j.t));
  closed(a);
}
END_TEST

/* One thread computes, another has what it made, and releases it: the context is the same. */
START_TEST(handed_over)
{
  pthread_t id;
  pmr_context c = on(_i);
  if (!c)
    return;
  pmr_tensor x = f32(c, ONE, 1, N);
  job j = {.t = op1(c, "add", x, x, NULL)};
  OK(pmr_release(x));
  ck_assert_int_eq(pthread_create(&id, NULL, fetch, &j), 0);
  pthread_join(id, NULL);
  ck_assert(!j.s && memcmp(j.got, ONE_TWICE, sizeof ONE_TWICE) == 0);
  OK(pmr_release(j.t));
  closed(c);
}
END_TEST

typedef struct own {
  pmr_context c;
  float by;
  int bad;
} own;

static void *turns(void *arg)
{
  own *o = arg;
  for (int i = 0; i < 50 && !o->bad; i++) {
    float x0[N] = {o->by, (float)i, o->by + (float)i, 1}, got[N] = {0};
    pmr_tensor x = NULL, y = NULL;
    const int64_t n = N;
    o->bad = pmr_from_host(o->c, PMR_F32, 1, &n, x0, &x) ||
             pmr_call(o->c, "add", PMR_IN(x, x), NULL, &y, 1) || pmr_release(x) ||
             pmr_to_host(y, PMR_F32, got, N) || pmr_release(y);
    for (int k = 0; k < N; k++)
      o->bad |= got[k] != 2 * x0[k];
  }
  return NULL;
}

/* A context for each thread. */
START_TEST(contexts_beside_each_other)
{
  enum { THREADS = 4 };
  pthread_t id[THREADS];
  own o[THREADS];
  for (int i = 0; i < THREADS; i++) {
    o[i] = (own){on(_i), (float)(100 * i), 0};
    if (!o[i].c)
      return;
  }
  for (int i = 0; i < THREADS; i++)
    ck_assert_int_eq(pthread_create(&id[i], NULL, turns, &o[i]), 0);
  for (int i = 0; i < THREADS; i++) {
    pthread_join(id[i], NULL);
    ck_assert_msg(!o[i].bad, "%s", pmr_error());
    closed(o[i].c);
  }
}
END_TEST

/* ---- errors, and the rest ---- */

START_TEST(it_fails)
{
  pmr_context c = late();
  pmr_tensor x = f32(c, ONE, 1, N), y = op1(c, "add", x, x, NULL);
  float got[N] = {7};
  late_fails = true;
  FAILS(PMR_DEVICE, "upload on sim: it is late", pmr_put(x, PMR_F32, OTHER, N));
  FAILS(PMR_DEVICE, "download on sim: it is late", pmr_to_host(y, PMR_F32, got, N));
  FAILS(PMR_DEVICE, "sync on sim: it is late", pmr_sync(c));
  ck_assert(got[0] == 7);
  late_fails = false;
  is(y, ONE_TWICE, N);
  OK(pmr_release(x));
  OK(pmr_release(y));
  closed(c);
}
END_TEST

/* A context that goes while its work has yet to run, with a graph in it; the other's stays where it is. */
START_TEST(closed_at_work)
{
  pmr_session s;
  pmr_context a = late(), b = late();
  pmr_tensor x = f32(a, ONE, 1, N), u = f32(b, ONE, 1, N);
  OK(pmr_session_begin(a));
  pmr_tensor y = op1(a, "add", x, x, NULL);
  OK(pmr_session_end(a, &s));
  OK(pmr_session_run(s));
  ck_assert_int_eq(left(a), 3);
  OK(pmr_release(y));
  OK(pmr_close(a));
  is(u, ONE, N);
  OK(pmr_release(u));
  closed(b);
}
END_TEST

/* Kernels of others need not be on our stream: with them, as before, it is the device that is waited for. */
START_TEST(kernels_of_others)
{
  char library[4200], text[4400];
  pmr_context c = late();
  pmr_tensor x = f32(c, ONE, 1, N), y;
  aid_program(library, sizeof library, "tests/kernels/plain.so");
  snprintf(text, sizeof text,
           "kernel: mine\nop: relu\nlibrary: %s\ncall: relu_by_four(y, a, i64 n)\n", library);
  const char *file = aid_path("mine.kernel");
  aid_write(file, text, strlen(text));
  OK(pmr_kernels(c, file));
  ck_assert(left(c) == 0 && late_syncs == 0);
  OK(pmr_put(x, PMR_F32, OTHER, N));
  ck_assert(left(c) == 0 && late_syncs > 0);
  y = op1(c, "relu", x, NULL, NULL);
  is(y, (const float[]){0, 0, 5, 2}, N);
  OK(pmr_release(x));
  OK(pmr_release(y));
  closed(c);
}
END_TEST

/* More than the page-locked memory that they go through (cuda/host/staging.h), there and back, and between them a
 * kernel that must have had all of it. */
START_TEST(large_copies)
{
  enum { MANY = 3400001 };
  static float to[MANY], back[MANY];
  pmr_context c = on(_i);
  if (!c)
    return;
  for (int64_t i = 0; i < MANY; i++)
    to[i] = (float)(i % 16777213);
  pmr_tensor x = f32(c, to, 1, MANY), y = op1(c, "add", x, x, NULL);
  OK(pmr_to_host(y, PMR_F32, back, MANY));
  for (int64_t i = 0; i < MANY; i++)
    if (back[i] != 2 * to[i])
      ck_abort_msg("[%d] is %.9g", (int)i, (double)back[i]);
  OK(pmr_release(x));
  OK(pmr_release(y));
  closed(c);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("runtime_streams");
  TCase *t = tcase_create("streams");
  tcase_set_timeout(t, 60);
  suite_add_tcase(s, t);
  tcase_add_test(t, for_its_own_work);
  tcase_add_loop_test(t, in_order, 0, DEVICES);
  tcase_add_loop_test(t, sessions, 0, 2);
  tcase_add_test(t, indices);
  tcase_add_test(t, the_workspace_moves);
  tcase_add_test(t, beside_one_that_waits);
  tcase_add_loop_test(t, handed_over, 0, DEVICES);
  tcase_add_loop_test(t, contexts_beside_each_other, 0, DEVICES);
  tcase_add_test(t, it_fails);
  tcase_add_test(t, closed_at_work);
  tcase_add_test(t, kernels_of_others);
  tcase_add_loop_test(t, large_copies, 0, DEVICES);
  return aid_main(s);
}
