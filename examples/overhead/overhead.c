/* What the runtime costs beside the kernels: a call on the tape and off it, beside the bare launch; a sweep; and a
 * training in the shadow that looks at one step in 100, beside one without. Host time, of calls that need not wait.
 *
 *   PROOFMARK_BACKEND=cuda overhead [CALLS [STEPS]]
 *
 * Exit status: 0; 1 where a figure is beyond what it is to be; 2 where something else went wrong. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "runtime/internal.h"

#define OK(call)                                      \
  do {                                                \
    if (call) {                                       \
      fprintf(stderr, "overhead: %s\n", pmr_error()); \
      exit(2);                                        \
    }                                                 \
  } while (0)

enum { ROWS = 64, IN = 64, HIDDEN = 128, OUT = 10, WEIGHTS = 4, EVERY = 100, ROUNDS = 5 };
static const double MOST_US = 5, MOST_RATIO = 2;

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double least(double a, double b) { return a < b ? a : b; }

/* ---- a call ---- */

/* Seconds that a chain of scale takes, each of one element, as the host sees it; sweep: and its way back. All of its
 * tensors are held to the end, as the tape would hold them. */
static double chain(pmr_context c, int calls, int taped, double *sweep)
{
  pmr_tensor *t = calloc((size_t)calls + 1, sizeof *t);
  if (!t)
    exit(2);
  OK(pmr_ones(c, 1, (const int64_t[]){1}, &t[0]));
  OK(pmr_requires_grad(t[0], taped));
  OK(pmr_sync(c));
  double start = now();
  for (int i = 0; i < calls; i++)
    OK(pmr_call(c, "scale", PMR_IN(t[i]), NULL, &t[i + 1], 1));
  const double took = now() - start;
  OK(pmr_sync(c));
  if (sweep) {
    start = now();
    OK(pmr_backward(t[calls], NULL));
    *sweep = now() - start;
    OK(pmr_sync(c));
  }
  for (int i = 0; i <= calls; i++)
    OK(pmr_release(t[i]));
  free(t);
  return took;
}

/* The launcher by itself, on the context's stream; 0 where the reference computes. */
static double bare(pmr_context h, int calls)
{
  context *c;
  pmr_tensor x;
  thing *t;
  double took = 0;
  OK(pmr_ones(h, 1, (const int64_t[]){1}, &x));
  OK(in_begin(h, &c));
  OK(in_thing(c, x, A_TENSOR, "x", &t));
  if (c->device) {
    pm_exec ex = {.stream = in_stream(c)};
    float *at = (float *)(void *)(t->s->at + t->from), *to;
    storage *s;
    OK(in_storage(c, sizeof *to, "overhead", &s));
    to = (float *)(void *)s->at;
    const double start = now();
    for (int i = 0; i < calls; i++)
      OK(in_device_status(c, c->device->scale(&ex, 1, 1, at, to), "scale"));
    took = now() - start;
    in_storage_drop(c, s);
  }
  in_end(c, PMR_OK);
  OK(pmr_sync(h));
  OK(pmr_release(x));
  return took;
}

/* ---- a training ---- */

typedef struct net {
  pmr_tensor x, y, w[WEIGHTS], m[WEIGHTS], v[WEIGHTS];
} net;

static void net_begin(pmr_context c, net *k)
{
  static const int64_t shape[WEIGHTS][2] = {{HIDDEN, IN}, {HIDDEN}, {OUT, HIDDEN}, {OUT}};
  int64_t y[ROWS];
  for (int i = 0; i < ROWS; i++)
    y[i] = i * 7 % OUT;
  OK(pmr_randn(c, 9, 2, (const int64_t[]){ROWS, IN}, &k->x));
  OK(pmr_from_host(c, PMR_I64, 1, (const int64_t[]){ROWS}, y, &k->y));
  for (int i = 0; i < WEIGHTS; i++) {
    const int rank = i % 2 ? 1 : 2;
    OK(pmr_randn(c, i, rank, shape[i], &k->w[i]));
    OK(pmr_zeros(c, rank, shape[i], &k->m[i]));
    OK(pmr_zeros(c, rank, shape[i], &k->v[i]));
    OK(pmr_requires_grad(k->w[i], 1));
  }
}

static void learn(pmr_context c, net *k)
{
  pmr_tensor h[4] = {NULL};
  OK(pmr_call(c, "linear", PMR_IN(k->x, k->w[0], k->w[1]), NULL, &h[0], 1));
  OK(pmr_call(c, "gelu", PMR_IN(h[0]), NULL, &h[1], 1));
  OK(pmr_call(c, "linear", PMR_IN(h[1], k->w[2], k->w[3]), NULL, &h[2], 1));
  OK(pmr_call(c, "cross_entropy", PMR_IN(h[2], k->y), NULL, &h[3], 1));
  OK(pmr_backward(h[3], NULL));
  for (int i = 0; i < 4; i++)
    OK(pmr_release(h[i]));
  OK(pmr_no_grad(c, 1));
  for (int i = 0; i < WEIGHTS; i++) {
    pmr_tensor g, out[3] = {k->w[i], k->m[i], k->v[i]};
    OK(pmr_grad(k->w[i], &g));
    OK(pmr_call(c, "adamw_step", PMR_IN(k->w[i], g, k->m[i], k->v[i]), PMR_ATTRS({"lr", 0.001}),
                out, 3));
    OK(pmr_release(g));
    OK(pmr_zero_grad(k->w[i]));
  }
  OK(pmr_no_grad(c, 0));
}

/* Seconds a step of a training on that back end, of which the shadow, if there is one, looks at few. */
static double training(const char *backend, int steps, int64_t *looked_at)
{
  pmr_context c;
  net k;
  OK(pmr_open(backend, &c));
  if (looked_at)
    OK(pmr_shadow_set(c, &(pmr_shadow){.every = EVERY}));
  net_begin(c, &k);
  learn(c, &k);
  OK(pmr_sync(c));
  const double start = now();
  for (int i = 0; i < steps; i++)
    learn(c, &k);
  OK(pmr_sync(c));
  const double t = (now() - start) / steps;
  pmr_shadow_report r;
  if (looked_at) {
    OK(pmr_shadow_about(c, &r));
    *looked_at = r.looked_at;
  }
  OK(pmr_close(c));
  return t;
}

int main(int argc, char **argv)
{
  const int calls = argc > 1 ? atoi(argv[1]) : 20000, steps = argc > 2 ? atoi(argv[2]) : 500;
  const char *name, *device;
  char shadowed[64];
  double on = INFINITY, off = INFINITY, launch = INFINITY, back = INFINITY, sweep;
  double plain = INFINITY, watched = INFINITY;
  int64_t looked_at = 0;
  pmr_context c;
  if (calls < 1 || steps < 1) {
    fprintf(stderr, "overhead: CALLS and STEPS must be whole numbers from 1 on\n");
    return 2;
  }
  OK(pmr_open(NULL, &c));
  OK(pmr_backend(c, &name, &device));
  for (int i = 0; i < ROUNDS; i++) {
    on = least(on, chain(c, calls, 1, &sweep) / calls);
    back = least(back, sweep / calls);
    off = least(off, chain(c, calls, 0, NULL) / calls);
    launch = least(launch, bare(c, calls) / calls);
  }
  printf("back end %s (%s), the least of %d rounds of %d calls of scale, one element\n", name,
         device, ROUNDS, calls);
  printf("bare launch    %7.2f us\n", 1e6 * launch);
  printf("call, no tape  %7.2f us\n", 1e6 * off);
  printf("call, on tape  %7.2f us: the tape takes %.2f us, to be below %g\n", 1e6 * on,
         1e6 * (on - off), MOST_US);
  printf("sweep          %7.2f us a call\n", 1e6 * back);
  int beyond = !(1e6 * (on - off) < MOST_US);
  if (strcmp(name, "sim") == 0 || strcmp(name, "cuda") == 0) {
    snprintf(shadowed, sizeof shadowed, "shadow:%s", name);
    for (int i = 0; i < ROUNDS; i++) {
      plain = least(plain, training(name, steps, NULL));
      watched = least(watched, training(shadowed, steps, &looked_at));
    }
    printf(
        "a training's step, %d rows, %d to %d to %d: %.1f us; in the shadow, one in %d looked at "
        "(%lld): %.1f us, %.2f times as much, to be below %g\n",
        ROWS, IN, HIDDEN, OUT, 1e6 * plain, EVERY, (long long)looked_at, 1e6 * watched,
        watched / plain, MOST_RATIO);
    beyond |= !(watched < MOST_RATIO * plain);
  }
  OK(pmr_close(c));
  return beyond;
}
