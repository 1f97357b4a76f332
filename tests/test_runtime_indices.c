/* Indices out of range, however they came to where they are: said before anything is written, and without a look at
 * the device where the host has written them. On a device that counts what is read from it. */
#include <pthread.h>
#include <string.h>

#include "../runtime/internal.h"
#include "runtime.h"

enum { ROWS = 4, COLS = 3, COUNTED = N_BACKENDS, ALL };

static pm_backend counting;
static int reads;
static bool spoils; /* an upload */

static pm_status download(void *to, const void *from, size_t bytes)
{
  reads++;
  return pm_sim.download(to, from, bytes);
}
static pm_status upload(void *to, const void *from, size_t bytes)
{
  return spoils ? PM_DEVICE : pm_sim.upload(to, from, bytes);
}

static context *inside(pmr_context h)
{
  context *c;
  OK(in_begin(h, &c));
  in_end(c, PMR_OK);
  return c;
}

static pmr_context on(int backend)
{
  pmr_context c = opened(backend == COUNTED ? 1 : backend);
  if (backend == COUNTED) {
    counting = pm_sim;
    counting.rest = NULL;
    counting.download = download;
    counting.upload = upload;
    inside(c)->device = &counting;
  }
  return c;
}

typedef struct losses {
  pmr_context c;
  int counts;
  pmr_tensor x, t, y; /* scores; targets; where the loss goes */
} losses;

static const int64_t GOOD[ROWS] = {0, 2, 1, 2}, BAD[ROWS] = {0, 2, 3, 2};

static void begin(losses *l, int backend)
{
  static const float x0[ROWS * COLS] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 1};
  l->c = on(backend);
  l->counts = backend == COUNTED;
  l->x = f32(l->c, x0, 2, ROWS, COLS);
  l->t = i64(l->c, GOOD, ROWS);
  l->y = op1(l->c, "cross_entropy", l->x, l->t, NULL);
}

static void end(losses *l)
{
  OK(pmr_release(l->x));
  OK(pmr_release(l->t));
  OK(pmr_release(l->y));
  closed(l->c);
}

/* The loss of the first rows of x by these targets: right, after so many reads. */
static void right(losses *l, pmr_tensor t, int64_t rows, int read)
{
  pmr_tensor x, y = NULL;
  OK(pmr_rows(l->x, 0, rows, &x));
  reads = 0;
  ck_assert_msg(pmr_call(l->c, "cross_entropy", PMR_IN(x, t), NULL, &y, 1) == PMR_OK, "%s",
                pmr_error());
  ck_assert_int_eq(reads, l->counts ? read : 0);
  OK(pmr_release(x));
  OK(pmr_release(y));
}

/* Refused by these words, and what was to be written is as it was. */
static void wrong(losses *l, pmr_tensor t, int64_t rows, const char *words)
{
  float before, after;
  pmr_tensor x;
  OK(pmr_rows(l->x, 0, rows, &x));
  OK(pmr_to_host(l->y, PMR_F32, &before, 1));
  FAILS(PMR_INVALID, words, pmr_call(l->c, "cross_entropy", PMR_IN(x, t), NULL, &l->y, 1));
  OK(pmr_to_host(l->y, PMR_F32, &after, 1));
  ck_assert(before == after);
  OK(pmr_release(x));
}

static const char TWO[] = "cross_entropy: target[2] is 3, must be from 0 to 2";

START_TEST(uploaded)
{
  losses l;
  pmr_tensor t;
  begin(&l, _i);
  right(&l, l.t, ROWS, 0);
  t = i64(l.c, BAD, ROWS);
  wrong(&l, t, ROWS, TWO);
  OK(pmr_release(t));
  t = i64(l.c, (const int64_t[ROWS]){0, -1, 0, 0}, ROWS);
  wrong(&l, t, ROWS, "cross_entropy: target[1] is -1, must be from 0 to 2");
  OK(pmr_release(t));
  const int32_t narrow[ROWS] = {2, 2, 0, 3};
  OK(pmr_from_host(l.c, PMR_I64, 1, (const int64_t[]){ROWS}, GOOD, &t));
  OK(pmr_put(t, PMR_I32, narrow, ROWS));
  wrong(&l, t, ROWS, "target[3] is 3, must");
  OK(pmr_release(t));
  end(&l);
}
END_TEST

/* Whatever the host writes over them, whole or in part. */
START_TEST(in_place)
{
  losses l;
  pmr_buffer b, few;
  begin(&l, _i);
  OK(pmr_put(l.t, PMR_I64, BAD, ROWS));
  wrong(&l, l.t, ROWS, TWO);
  OK(pmr_put(l.t, PMR_I64, GOOD, ROWS));
  right(&l, l.t, ROWS, 0);
  OK(pmr_to_buffer(l.t, &b));
  OK(pmr_buffer_write(b, 16, &(int64_t){3}, 8));
  wrong(&l, l.t, ROWS, TWO);
  OK(pmr_buffer_write(b, 16, &(int64_t){1}, 8)); /* of the others the worst is taken */
  right(&l, l.t, ROWS, 1);
  right(&l, l.t, ROWS, 0);
  OK(pmr_buffer_write(b, 0, &(int64_t){1}, 8));
  right(&l, l.t, ROWS, 0);
  OK(pmr_buffer_write(b, 17, &(char){1}, 1)); /* target[2] is 257 */
  wrong(&l, l.t, ROWS, "target[2] is 257, must be from 0 to 2");
  OK(pmr_buffer_write(b, 17, &(char){0}, 1));
  right(&l, l.t, ROWS, 1);
  OK(pmr_buffer_write(b, 12, &(char[12]){[8] = 1}, 12)); /* half of target[1], and target[2] */
  wrong(&l, l.t, ROWS, "target[2] is 4294967296, must");
  OK(pmr_buffer_write(b, 12, &(char[12]){0}, 12));
  right(&l, l.t, ROWS, 1);
  OK(pmr_buffer_write(b, 3, NULL, 0)); /* nothing */
  right(&l, l.t, ROWS, 0);
  OK(pmr_buffer_new(l.c, PMR_I64, 2, &few));
  OK(pmr_buffer_put(few, PMR_I64, (const int64_t[]){1, 3}, 2));
  OK(pmr_buffer_write_rows(b, 2, 1, few));
  wrong(&l, l.t, ROWS, "target[3] is 3, must");
  OK(pmr_buffer_zero(few));
  OK(pmr_buffer_write_rows(b, 2, 1, few));
  right(&l, l.t, ROWS, 1);
  OK(pmr_buffer_write_rows(b, 1, 0, few));
  right(&l, l.t, ROWS, 0);
  OK(pmr_buffer_zero(b));
  right(&l, l.t, ROWS, 0);
  OK(pmr_buffer_release(few));
  OK(pmr_buffer_release(b));
  end(&l);
}
END_TEST

/* Of a text's tokens some rows, and a bad one beside them, in them, and not any more. */
START_TEST(views)
{
  losses l;
  pmr_tensor all, part, other, again;
  pmr_buffer b, view;
  int64_t token[2 * ROWS] = {0, 1, 2, 0, 1, 2, 0, 1};
  begin(&l, _i);
  all = i64(l.c, token, 2 * ROWS);
  OK(pmr_rows(all, 0, ROWS, &part));
  OK(pmr_rows(all, ROWS, 2, &other));
  OK(pmr_to_buffer(all, &b));
  right(&l, part, ROWS, 0);
  right(&l, other, 2, 0);
  OK(pmr_buffer_view(b, ROWS + 1, 1, &view));
  OK(pmr_buffer_put(view, PMR_I64, (const int64_t[]){9}, 1));
  right(&l, part, ROWS, 1); /* the bad one is in the other */
  right(&l, part, ROWS, 0);
  wrong(&l, other, 2, "target[1] is 9, must be from 0 to 2");
  right(&l, part, ROWS, 0);
  OK(pmr_buffer_release(view));
  OK(pmr_of_buffer(b, 1, (const int64_t[]){2 * ROWS}, &again));
  OK(pmr_put(again, PMR_I64, token, 2 * ROWS));
  right(&l, other, 2, 0);
  right(&l, part, ROWS, 0);
  OK(pmr_buffer_write(b, 17, &(char){1}, 1)); /* of part, of which nothing is known then */
  OK(pmr_buffer_view(b, ROWS, ROWS, &view));
  OK(pmr_buffer_put(view, PMR_I64, token, ROWS));
  right(&l, other, 2, 0);
  wrong(&l, part, ROWS, "target[2] is 258, must");
  OK(pmr_buffer_write(b, 17, &(char){0}, 1));
  OK(pmr_buffer_release(view));
  right(&l, part, ROWS, 1);
  OK(pmr_release(all));
  OK(pmr_release(again));
  OK(pmr_buffer_release(b));
  right(&l, part, ROWS, 0); /* which holds the memory */
  OK(pmr_release(part));
  OK(pmr_release(other));
  end(&l);
}
END_TEST

/* Copies are writes of the host's, too. */
START_TEST(copies)
{
  losses l;
  pmr_tensor t;
  pmr_buffer b, c, d;
  begin(&l, _i);
  OK(pmr_to_buffer(l.t, &b));
  OK(pmr_buffer_clone(b, &c));
  OK(pmr_buffer_cast(c, PMR_F32, &d));
  OK(pmr_buffer_release(c));
  OK(pmr_buffer_cast(d, PMR_I64, &c));
  OK(pmr_of_buffer(c, 1, (const int64_t[]){ROWS}, &t));
  right(&l, t, ROWS, 0);
  OK(pmr_buffer_put(d, PMR_I64, BAD, ROWS));
  OK(pmr_release(t));
  OK(pmr_buffer_release(c));
  OK(pmr_buffer_cast(d, PMR_I64, &c));
  OK(pmr_of_buffer(c, 1, (const int64_t[]){ROWS}, &t));
  wrong(&l, t, ROWS, TWO);
  OK(pmr_release(t));
  OK(pmr_buffer_release(b));
  OK(pmr_buffer_release(c));
  OK(pmr_buffer_release(d));
  end(&l);
}
END_TEST

/* Written by nobody whom the runtime saw, as a kernel that made indices would: then they are read, once. */
START_TEST(by_the_device)
{
  losses l;
  thing *t;
  begin(&l, COUNTED);
  OK(in_thing(inside(l.c), l.t, A_TENSOR, "t", &t));
  memcpy(t->s->at, BAD, sizeof BAD);
  t->s->version++;
  wrong(&l, l.t, ROWS, TWO);
  memcpy(t->s->at, GOOD, sizeof GOOD);
  t->s->version++;
  right(&l, l.t, ROWS, 1);
  right(&l, l.t, ROWS, 0);
  end(&l);
}
END_TEST

/* An upload that went wrong has written nothing, or some. */
START_TEST(an_upload_fails)
{
  losses l;
  begin(&l, COUNTED);
  OK(pmr_put(l.t, PMR_I64, BAD, ROWS));
  spoils = true;
  ck_assert_int_eq(pmr_put(l.t, PMR_I64, GOOD, ROWS), PMR_DEVICE);
  spoils = false;
  wrong(&l, l.t, ROWS, TWO);
  OK(pmr_put(l.t, PMR_I64, GOOD, ROWS));
  right(&l, l.t, ROWS, 0);
  end(&l);
}
END_TEST

/* A run of a session reads nothing back and allocates nothing, and refuses before its first step. */
START_TEST(in_a_session)
{
  losses l;
  pmr_session s;
  pmr_tensor z, g;
  float before, after;
  begin(&l, _i);
  OK(pmr_requires_grad(l.x, 1));
  OK(pmr_session_begin(l.c));
  z = op1(l.c, "cross_entropy", l.x, l.t, NULL);
  OK(pmr_backward(z, NULL));
  OK(pmr_grad(l.x, &g));
  OK(pmr_session_end(l.c, &s));
  for (int i = 0; i < 3; i++) {
    OK(pmr_put(l.t, PMR_I64, GOOD, ROWS));
    reads = 0;
    if (l.counts && i) /* a graph is captured in the first */
      allocation_fail(0);
    pmr_status r = pmr_session_run(s);
    int allocated = allocation_failed();
    allocation_fail(-1);
    OK(r);
    ck_assert(!reads && !allocated);
  }
  OK(pmr_to_host(z, PMR_F32, &before, 1));
  OK(pmr_put(l.t, PMR_I64, BAD, ROWS));
  FAILS(PMR_INVALID, "target[2] is 3, must be from 0 to 2", pmr_session_run(s));
  OK(pmr_to_host(z, PMR_F32, &after, 1));
  ck_assert(before == after);
  OK(pmr_put(l.t, PMR_I64, GOOD, ROWS));
  OK(pmr_session_run(s));
  OK(pmr_session_release(s));
  OK(pmr_release(z));
  OK(pmr_release(g));
  end(&l);
}
END_TEST

/* ---- threads ---- */

enum { THREADS = 4, TURNS = 100 };

typedef struct job {
  losses *l;
  int writes, bad;
} job;

/* One writes good and bad targets by turns: the others are refused, by the bad one's words, or are not. */
static void *turns(void *arg)
{
  job *j = arg;
  for (int i = 0; i < TURNS && !j->bad; i++)
    if (j->writes)
      j->bad = pmr_put(j->l->t, PMR_I64, i % 2 ? GOOD : BAD, ROWS) != PMR_OK;
    else {
      pmr_tensor y = NULL;
      pmr_status s = pmr_call(j->l->c, "cross_entropy", PMR_IN(j->l->x, j->l->t), NULL, &y, 1);
      float v = 0;
      j->bad = s ? s != PMR_INVALID || !strstr(pmr_error(), TWO)
                 : pmr_to_host(y, PMR_F32, &v, 1) || !(v > 0) || pmr_release(y);
    }
  return NULL;
}

START_TEST(threads)
{
  losses l;
  pthread_t id[THREADS];
  job j[THREADS];
  begin(&l, _i);
  for (int i = 0; i < THREADS; i++) {
    j[i] = (job){&l, i == 0, 0};
    ck_assert_int_eq(pthread_create(&id[i], NULL, turns, &j[i]), 0);
  }
  for (int i = 0; i < THREADS; i++) {
    pthread_join(id[i], NULL);
    ck_assert_int_eq(j[i].bad, 0);
  }
  right(&l, l.t, ROWS, 0);
  end(&l);
}
END_TEST

static pmr_status work(pmr_context c)
{
  static const float x0[6] = {1, 2, 3, 4, 5, 6};
  pmr_tensor x = NULL, t = NULL, y = NULL;
  pmr_status s = pmr_from_host(c, PMR_F32, 2, (const int64_t[]){2, 3}, x0, &x);
  s = s ? s : pmr_from_host(c, PMR_I64, 1, (const int64_t[]){2}, BAD, &t);
  s = s ? s : pmr_call(c, "cross_entropy", PMR_IN(x, t), NULL, &y, 1);
  s = s ? s : pmr_put(t, PMR_I64, &BAD[2], 2);
  if (!s && pmr_call(c, "cross_entropy", PMR_IN(x, t), NULL, &y, 1) == PMR_NO_MEMORY)
    s = PMR_NO_MEMORY;
  if ((x && pmr_release(x)) || (t && pmr_release(t)) || (y && pmr_release(y)))
    return PMR_HANDLE;
  return s;
}

START_TEST(no_memory) { no_memory_anywhere(_i, work); }
END_TEST

int main(void)
{
  Suite *s = suite_create("runtime_indices");
  TCase *t = tcase_create("indices");
  tcase_set_timeout(t, 60);
  suite_add_tcase(s, t);
  tcase_add_loop_test(t, uploaded, 0, ALL);
  tcase_add_loop_test(t, in_place, 0, ALL);
  tcase_add_loop_test(t, views, 0, ALL);
  tcase_add_loop_test(t, copies, 0, ALL);
  tcase_add_test(t, by_the_device);
  tcase_add_test(t, an_upload_fails);
  tcase_add_loop_test(t, in_a_session, 0, ALL);
  tcase_add_loop_test(t, threads, 0, ALL);
  tcase_add_loop_test(t, no_memory, 0, N_BACKENDS);
  return aid_main(s);
}
