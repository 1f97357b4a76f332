/* The runtime under ThreadSanitizer (`make threads`): many threads on one context, on contexts of their
 * own, on one that is closed under them; on the reference, and on a device that, as the simulator, has
 * state which only one thread at a time may touch. The simulator itself changes stacks, which this
 * sanitizer does not follow: the device here is one in plain C, in its place. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuda/launch.h"
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

const pm_backend pm_sim = {.name = "sim",
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
                           .ones = ones};

/* ---- the threads ---- */

typedef struct job {
  pmr_context c;
  pmr_tensor shared;
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

static void *turns(void *arg)
{
  job *j = arg;
  for (int i = 0; i < TURNS && !j->bad; i++)
    j->bad = turn(j);
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
  return pmr_open(backend, &j->c) || pmr_from_host(j->c, PMR_F32, 1, &n, x0, &j->shared);
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
    bad += pmr_free(j[i].shared) != PMR_OK || pmr_close(j[i].c) != PMR_OK;
  return bad;
}

int main(void)
{
  static const char *const backends[] = {"ref", "sim", "shadow:sim"};
  int bad = 0;
  for (int b = 0; b < 3; b++)
    for (int apart = 0; apart < 2; apart++)
      bad += together(backends[b], apart, turns) + together(backends[b], apart, until_closed);
  printf("threads: %d threads on each of 3 back ends, on one context and on their own: %d went "
         "wrong\n",
         THREADS, bad);
  return bad != 0;
}
