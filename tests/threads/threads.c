/* The runtime under ThreadSanitizer (`make threads`): many threads on one context, on contexts of their
 * own, on one that is closed under them; on the reference, and on a device that, as the simulator, has
 * state which only one thread at a time may touch. The simulator itself changes stacks, which this
 * sanitizer does not follow: the device here is one in plain C, in its place. */
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define pm_sim pm_sim_elsewhere /* where it is a constant */
#include "cuda/launch.h"
#undef pm_sim
#include "runtime/proofmark.h"

enum { THREADS = 6, TURNS = 40, N = 4 };

/* ---- the device ---- */

static int64_t touched; /* by every call: a race where two of them may run at once */

static pm_status fine(void)
{
  touched++;
  return PM_OK;
}
static const char *no_words(void) { return ""; }
static void *get(size_t bytes)
{
  touched++;
  return malloc(bytes);
}
static void give(void *p)
{
  touched++;
  free(p);
}
static pm_status copy(void *to, const void *from, size_t bytes)
{
  memcpy(to, from, bytes);
  return fine();
}
static void *no_stream(int i)
{
  (void)i;
  return NULL;
}
static size_t no_work(const char *op, const int64_t *size)
{
  (void)op, (void)size;
  return 0;
}

static pm_status add(pm_exec *ex, int64_t n, const float *a, const float *b, float *y)
{
  (void)ex;
  for (int64_t i = 0; i < n; i++)
    y[i] = a[i] + b[i];
  return fine();
}
static pm_status mul(pm_exec *ex, int64_t n, const float *a, const float *b, float *y)
{
  (void)ex;
  for (int64_t i = 0; i < n; i++)
    y[i] = a[i] * b[i];
  return fine();
}
static pm_status mul_vjp(pm_exec *ex, int accumulate, int64_t n, const float *a, const float *b,
                         const float *g, float *da, float *db)
{
  (void)accumulate;
  mul(ex, n, g, b, da);
  return mul(ex, n, g, a, db);
}
static pm_status sum(pm_exec *ex, int64_t n, const float *x, float *y)
{
  (void)ex;
  *y = 0;
  for (int64_t i = 0; i < n; i++)
    *y += x[i];
  return fine();
}
static pm_status sum_vjp(pm_exec *ex, int accumulate, int64_t n, const float *g, float *dx)
{
  (void)ex, (void)accumulate;
  for (int64_t i = 0; i < n; i++)
    dx[i] = *g;
  return fine();
}
static pm_status ones(pm_exec *ex, int64_t n, float *y)
{
  const float one = 1;
  return sum_vjp(ex, 0, n, &one, y);
}

/* Of one row, whose index is in range. */
static pm_status cross_entropy(pm_exec *ex, int64_t rows, int64_t cols, const float *x,
                               const int64_t *target, float *loss)
{
  double all = 0;
  (void)ex;
  if (rows != 1 || *target < 0 || *target >= cols)
    return PM_DEVICE;
  for (int64_t i = 0; i < cols; i++)
    all += exp((double)x[i] - (double)x[*target]);
  *loss = (float)log(all);
  return fine();
}

/* Streams, which a context's own calls may touch, and those of others may not. */
typedef struct own {
  pm_stream is;
  int64_t touched;
} own;
static pm_stream *make(void)
{
  touched++;
  return calloc(1, sizeof(own));
}
static void drop(pm_stream *s)
{
  touched++;
  free(s);
}
static pm_status wait_for(pm_stream *s)
{
  ((own *)s)->touched++;
  return PM_OK;
}
static pm_status copy_on(pm_stream *s, void *to, const void *from, size_t bytes)
{
  memcpy(to, from, bytes);
  return wait_for(s);
}
static const pm_streams streams = {make, drop, wait_for, copy_on, copy_on};

extern pm_backend pm_sim;
pm_backend pm_sim = {.name = "sim",
                     .init = fine,
                     .device = no_words,
                     .error = no_words,
                     .alloc = get,
                     .free = give,
                     .upload = copy,
                     .download = copy,
                     .stream = no_stream,
                     .sync = fine,
                     .workspace = no_work,
                     .add = add,
                     .mul = mul,
                     .mul_vjp = mul_vjp,
                     .sum = sum,
                     .sum_vjp = sum_vjp,
                     .ones = ones,
                     .cross_entropy = cross_entropy};

/* ---- the threads ---- */

typedef struct job {
  pmr_context c;
  pmr_tensor shared, target;
  int bad;
} job;

/* x x, summed and swept; the tensor that all have is kept, viewed, read and given up again. */
static int turn(const job *j)
{
  static const float x0[N] = {1, 2, 3, 4};
  const int64_t n = N;
  float got[N] = {0};
  pmr_tensor x = NULL, y = NULL, z = NULL, g = NULL, v = NULL;
  int bad = pmr_from_host(j->c, PMR_F32, 1, &n, x0, &x) || pmr_requires_grad(x, 1) ||
            pmr_call(j->c, "mul", PMR_IN(x, x), NULL, &y, 1) ||
            pmr_call(j->c, "sum", PMR_IN(y), NULL, &z, 1) || pmr_backward(z, NULL) ||
            pmr_grad(x, &g) || pmr_to_host(g, PMR_F32, got, N) || got[3] != 8 ||
            pmr_retain(j->shared) || pmr_rows(j->shared, 1, 2, &v) ||
            pmr_to_host(v, PMR_F32, got, 2) || got[1] != 3 || pmr_release(j->shared);
  pmr_tensor all[] = {x, y, z, g, v};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    bad |= all[i] && pmr_release(all[i]);
  return bad;
}

/* Targets that all write, good ones and bad: a call finds one or the other, and says which. */
static int index_turn(const job *j, int turn)
{
  const int64_t to = turn % 3 == 0 ? 7 : turn % 2;
  pmr_tensor row = NULL, y = NULL;
  int bad = pmr_put(j->target, PMR_I64, &to, 1) != PMR_OK ||
            pmr_reshape(j->shared, 2, (const int64_t[]){1, N}, &row) != PMR_OK;
  pmr_status s =
      bad ? PMR_OK : pmr_call(j->c, "cross_entropy", PMR_IN(row, j->target), NULL, &y, 1);
  bad |= s && (s != PMR_INVALID || !strstr(pmr_error(), "[0] is 7, must be from 0 to 3"));
  return bad | (row && pmr_release(row)) | (y && pmr_release(y));
}

static void *turns(void *arg)
{
  job *j = arg;
  for (int i = 0; i < TURNS && !j->bad; i++)
    j->bad = turn(j) || index_turn(j, i);
  return NULL;
}

/* Until the context is gone, which must be all that goes wrong. */
static void *until_closed(void *arg)
{
  job *j = arg;
  float got[N];
  pmr_status s;
  while ((s = pmr_to_host(j->shared, PMR_F32, got, N)) == PMR_OK)
    ;
  j->bad = s != PMR_HANDLE;
  return NULL;
}

static int open_job(const char *backend, job *j)
{
  static const float x0[N] = {1, 2, 3, 4};
  const int64_t n = N;
  *j = (job){.bad = 0};
  return pmr_open(backend, &j->c) || pmr_from_host(j->c, PMR_F32, 1, &n, x0, &j->shared) ||
         pmr_from_host(j->c, PMR_I64, 1, (const int64_t[]){1}, (const int64_t[]){0}, &j->target);
}

/* All of `work` at once, on one context or on one each; how many went wrong. */
static int together(const char *backend, int apart, void *work(void *))
{
  pthread_t id[THREADS];
  job j[THREADS];
  int bad = 0, closing = work == until_closed;
  for (int i = 0; i < THREADS; i++)
    if (apart || i == 0)
      bad += open_job(backend, &j[i]);
    else
      j[i] = j[0];
  for (int i = 0; i < THREADS; i++)
    bad += pthread_create(&id[i], NULL, work, &j[i]) != 0;
  for (int i = 0; closing && i < (apart ? THREADS : 1); i++)
    bad += pmr_close(j[i].c) != PMR_OK;
  for (int i = 0; i < THREADS; i++) {
    pthread_join(id[i], NULL);
    bad += j[i].bad;
  }
  for (int i = 0; !closing && i < (apart ? THREADS : 1); i++)
    bad += pmr_free(j[i].shared) != PMR_OK || pmr_free(j[i].target) != PMR_OK ||
           pmr_close(j[i].c) != PMR_OK;
  return bad;
}

int main(void)
{
  static const char *const backends[] = {"ref", "sim", "shadow:sim"};
  int bad = 0;
  for (int own_streams = 0; own_streams < 2; own_streams++) {
    pm_sim.streams = own_streams ? &streams : NULL;
    for (int b = 0; b < 3; b++)
      for (int apart = 0; apart < 2; apart++)
        bad += together(backends[b], apart, turns) + together(backends[b], apart, until_closed);
  }
  printf("threads: %d threads on each of 3 back ends, with streams of their own and without, on "
         "one context and on their own: %d went wrong\n",
         THREADS, bad);
  return bad != 0;
}
