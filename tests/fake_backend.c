#include "fake_backend.h"

#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static fake_fault fault[2];
static uint64_t schedule;
static size_t work_bytes(const char *op, const int64_t *size);

static pm_status begin(int me, pm_exec *ex, fake_fault unless)
{
  if (fault[me] == FAKE_REFUSES && unless == FAKE_REFUSES)
    return PM_BAD_ARGUMENT;
  if (fault[me] == FAKE_UNSUITED && unless == FAKE_REFUSES)
    return PM_UNSUITED;
  ex->ran = fault[me] == FAKE_NAMELESS ? "phantom" : "plain";
  return PM_OK;
}

static int spoilt;

static void loop(void)
{
  for (volatile int i = 0;; i = !i)
    ;
}

/* Once: the file says that it was. */
static void killed_once(void)
{
  const char *path = getenv("PM_FAKE_ONCE");
  int fd = path ? open(path, O_CREAT | O_EXCL | O_WRONLY, 0600) : -1;
  if (fd >= 0)
    raise(SIGKILL);
}

static void fork_twice(void)
{
  pid_t child = fork();
  if (child == 0)
    _exit(0);
  fork(); /* both go on */
}

/* What the kernel's process does beside its work. */
static void misbehave(fake_fault f, int64_t n)
{
  static const char nonsense[] = "nonsense";
  enum { CONNECTION = 3 };
  if (f == FAKE_KILLED_ONCE)
    killed_once();
  else if (f == FAKE_PRINTS) {
    puts("a kernel prints");
    fflush(stdout);
  } else if (f == FAKE_FORKS)
    fork_twice();
  else if (f == FAKE_READS)
    while (getchar() != EOF)
      ;
  if (n < 5)
    return;
  if (f == FAKE_SEGFAULTS)
    raise(SIGSEGV);
  else if (f == FAKE_ABORTS)
    abort();
  else if (f == FAKE_EXITS)
    exit(0);
  else if (f == FAKE_LOOPS)
    loop();
  else if (f == FAKE_STOPS)
    raise(SIGSTOP);
  else if (f == FAKE_KILLED)
    raise(SIGKILL);
  else if (f == FAKE_WRITES && write(CONNECTION, nonsense, sizeof nonsense) < 0)
    abort();
  else if (f == FAKE_CLOSES) {
    close(CONNECTION);
    loop();
  } else if (f == FAKE_SPOILS)
    spoilt = 1;
}

static pm_status add(int me, pm_exec *ex, int64_t n, const float *a, const float *b, float *y)
{
  fake_fault f = fault[me];
  pm_status s = begin(me, ex, FAKE_REFUSES);
  float extra = 0;
  if (s != PM_OK)
    return s;
  misbehave(f, n);
  if (f == FAKE_READS_OUTPUT && n > 0 && !isnan(y[0]))
    extra = 1;
  if (f == FAKE_READS_WORK && !isnan(*(float *)ex->work))
    extra = 1;
  if (f == FAKE_UNORDERED && schedule == 2)
    extra = 1;
  if (f == FAKE_MISALIGNED && (uintptr_t)a % 16 != 0)
    extra = 1;
  for (int64_t i = 0; f == FAKE_CLEARS_FIRST && i < n; i++)
    y[i] = 0;
  for (int64_t i = 0; i < n; i++) {
    y[i] = a[i] + b[i];
    if (extra != 0)
      y[i] += extra;
    if (f == FAKE_NAN_LOST && isnan(y[i]))
      y[i] = 0;
  }
  if (f == FAKE_LAST_BIT && n >= 5)
    y[n - 1] = nextafterf(y[n - 1], 1e9f);
  if (f == FAKE_WRITES_PAST)
    y[n] = 1;
  if (f == FAKE_WRITES_BEFORE)
    y[-1] = 1;
  if (f == FAKE_CHANGES_INPUT && n > 0)
    ((float *)(uintptr_t)b)[0] = 12345;
  return PM_OK;
}

static pm_status add_vjp(int me, pm_exec *ex, int accumulate, int64_t n, const float *g, float *da,
                         float *db)
{
  pm_status s = begin(me, ex, FAKE_HONEST);
  int adds = accumulate && fault[me] != FAKE_ASSIGNS;
  for (int64_t i = 0; i < n; i++) {
    da[i] = adds ? da[i] + g[i] : g[i];
    db[i] = adds ? db[i] + g[i] : g[i];
  }
  return s;
}

static pm_status add_bias(int me, pm_exec *ex, int64_t rows, int64_t cols, const float *x,
                          const float *b, float *y)
{
  pm_status s = begin(me, ex, FAKE_HONEST);
  for (int64_t i = 0; i < rows * cols; i++)
    y[i] = x[i] + b[i % cols];
  if (fault[me] == FAKE_CORNER && rows > 2 && cols > 3)
    y[2 * cols + 3] += 1;
  return s;
}

static pm_status sum(int me, pm_exec *ex, int64_t n, const float *x, float *y)
{
  fake_fault f = fault[me];
  pm_status s = begin(me, ex, FAKE_HONEST);
  float t = 0;
  int64_t most = f == FAKE_LAST_TERM && n >= 6 ? n - 1 : n;
  for (int64_t i = 0; i < most; i++)
    t += x[f == FAKE_OTHER_ORDER ? n - 1 - i : i];
  y[0] = f == FAKE_NAN ? NAN : t;
  return s;
}

static pm_status transpose(int me, pm_exec *ex, int accumulate, int64_t rows, int64_t cols,
                           const float *x, float *y)
{
  pm_status s = begin(me, ex, FAKE_HONEST);
  for (int64_t r = 0; r < rows; r++)
    for (int64_t c = 0; c < cols; c++) {
      float v = x[r * cols + c], *to = &y[c * rows + r];
      *to = accumulate ? *to + v : v;
    }
  return s;
}

static pm_status transpose2d(int me, pm_exec *ex, int64_t rows, int64_t cols, const float *x,
                             float *y)
{
  if (fault[me] != FAKE_TRANSPOSES_NOT)
    return transpose(me, ex, 0, rows, cols, x, y);
  memcpy(y, x, (size_t)(rows * cols) * sizeof *y);
  return begin(me, ex, FAKE_HONEST);
}

/* The gradients that have no row here: the engine asks for them, for the adjoint identity. */
static pm_status add_bias_vjp(pm_exec *ex, int accumulate, int64_t m, int64_t n, const float *g,
                              float *dx, float *db)
{
  (void)ex, (void)accumulate, (void)m, (void)n, (void)g, (void)dx, (void)db;
  return PM_UNSUITED;
}

static pm_status sum_vjp(pm_exec *ex, int accumulate, int64_t n, const float *g, float *dx)
{
  (void)ex, (void)accumulate, (void)n, (void)g, (void)dx;
  return PM_UNSUITED;
}

static const pm_kernel rows[] = {
    {"add", "plain", "always", PM_CHECKED, NULL},
    {"add_vjp", "plain", "always", PM_CHECKED, NULL},
    {"add_bias", "plain", "always", PM_CHECKED, NULL},
    {"sum", "plain", "always", PM_CHECKED, NULL},
    {"transpose2d", "plain", "always", PM_CHECKED, NULL},
    {"transpose2d_vjp", "plain", "always", PM_CHECKED, NULL},
};

static void leave_badly(void) { _exit(3); }

static pm_status init(void)
{
  if (fault[0] == FAKE_DIES_AT_START)
    abort();
  if (fault[0] == FAKE_LEAVES_BADLY)
    atexit(leave_badly);
  return fault[0] == FAKE_NO_DEVICE ? PM_NO_DEVICE : PM_OK;
}
static const char *device(void) { return "a fake"; }
static const char *error(void) { return "the fake says no"; }
static void *stream(int i)
{
  (void)i;
  return NULL;
}
static int watching;
static void shuffle(uint64_t seed)
{
  schedule = seed;
  watching = 0;
}
static void shuffle_watched(uint64_t seed)
{
  schedule = seed;
  watching = 1;
}
static size_t work_bytes(const char *op, const int64_t *size)
{
  if (fault[0] == FAKE_PLANS_BADLY && strcmp(op, "add") == 0 && size[0] >= 5)
    abort();
  return strcmp(op, "add") == 0 ? 64 : 0;
}

/* The members that know which of the two they belong to. */
#define FAKE(me)                                                                                 \
  static pm_status add_##me(pm_exec *ex, int64_t n, const float *a, const float *b, float *y)    \
  {                                                                                              \
    return add(me, ex, n, a, b, y);                                                              \
  }                                                                                              \
  static pm_status add_vjp_##me(pm_exec *ex, int acc, int64_t n, const float *g, float *da,      \
                                float *db)                                                       \
  {                                                                                              \
    return add_vjp(me, ex, acc, n, g, da, db);                                                   \
  }                                                                                              \
  static pm_status add_bias_##me(pm_exec *ex, int64_t m, int64_t n, const float *x,              \
                                 const float *b, float *y)                                       \
  {                                                                                              \
    return add_bias(me, ex, m, n, x, b, y);                                                      \
  }                                                                                              \
  static pm_status sum_##me(pm_exec *ex, int64_t n, const float *x, float *y)                    \
  {                                                                                              \
    return sum(me, ex, n, x, y);                                                                 \
  }                                                                                              \
  static pm_status transpose2d_##me(pm_exec *ex, int64_t m, int64_t n, const float *x, float *y) \
  {                                                                                              \
    return transpose2d(me, ex, m, n, x, y);                                                      \
  }                                                                                              \
  static pm_status transpose2d_vjp_##me(pm_exec *ex, int acc, int64_t m, int64_t n,              \
                                        const float *g, float *dx)                               \
  {                                                                                              \
    return transpose(me, ex, acc, n, m, g, dx);                                                  \
  }                                                                                              \
  static pm_status sync_##me(void)                                                               \
  {                                                                                              \
    return fault[me] == FAKE_SYNC_FAILS || spoilt || (watching && fault[me] == FAKE_RACES)       \
               ? PM_DEVICE                                                                       \
               : PM_OK;                                                                          \
  }                                                                                              \
  static void *alloc_##me(size_t bytes)                                                          \
  {                                                                                              \
    return fault[me] == FAKE_NO_MEMORY ? NULL : aligned_alloc(256, (bytes + 256) / 256 * 256);   \
  }                                                                                              \
  static pm_status upload_##me(void *to, const void *from, size_t bytes)                         \
  {                                                                                              \
    memcpy(to, from, bytes);                                                                     \
    return fault[me] == FAKE_UPLOAD_FAILS ? PM_DEVICE : PM_OK;                                   \
  }                                                                                              \
  static pm_status download_##me(void *to, const void *from, size_t bytes)                       \
  {                                                                                              \
    memcpy(to, from, bytes);                                                                     \
    return fault[me] == FAKE_DOWNLOAD_FAILS ? PM_DEVICE : PM_OK;                                 \
  }
FAKE(0)
FAKE(1)

#define MEMBERS(me, called, shuffles, watcher, on)                                                 \
  {                                                                                                \
    .name = called, .kernels = rows, .n_kernels = (int)(sizeof rows / sizeof *rows), .init = init, \
    .device = device, .error = error, .alloc = alloc_##me, .free = free, .upload = upload_##me,    \
    .download = download_##me, .stream = stream, .sync = sync_##me, .shuffle = shuffles,           \
    .watched = watcher, .streams = on, .workspace = work_bytes, .add = add_##me,                   \
    .add_vjp = add_vjp_##me, .add_bias = add_bias_##me, .sum = sum_##me,                           \
    .transpose2d = transpose2d_##me, .transpose2d_vjp = transpose2d_vjp_##me,                      \
    .add_bias_vjp = add_bias_vjp, .sum_vjp = sum_vjp                                               \
  }

const pm_backend *fake_backend(int which, fake_fault f)
{
  static const pm_backend watchers[2] = {MEMBERS(0, "fake", shuffle_watched, NULL, NULL),
                                         MEMBERS(1, "other", shuffle_watched, NULL, NULL)};
  static const pm_backend fakes[2] = {MEMBERS(0, "fake", shuffle, &watchers[0], NULL),
                                      MEMBERS(1, "other", shuffle, &watchers[1], NULL)};
  fault[which] = f;
  return &fakes[which];
}
