/* A worker, seen from the checker: a process that owns a back end and launches what it is told, so that
 * a kernel that dies takes nothing with it but that process. It shares two images of the block with
 * the checker, and never sees what is expected. */
#include "worker.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

enum { IMAGE = 1 << 20, HIGH_FD = 16 }; /* the least image; above what a worker's are moved to */
#define FAREWELL 10.0                   /* seconds that a process may take to go */
#define CLOSED 5.0                      /* .. when it has closed its connection already */
#define GLANCE 0.1                      /* .. and what most answers take at most */

struct dc_worker {
  dc_worker_how how;
  pid_t pid;             /* 0: none */
  int socket;            /* -1 with it */
  int control, image[2]; /* memory files, as long as the worker's handle is there */
  dc_control *shared;    /* is mapped */
  char *before, *after;  /* are mapped, of `cap` bytes each, or NULL */
  size_t cap;
  uint64_t number; /* of the last order */
  double hurry;
  char device[DC_TEXT];
};

static int memory_file(const char *name)
{
  int fd = memfd_create(name, MFD_CLOEXEC);
  int high = fd < 0 ? -1 : fcntl(fd, F_DUPFD_CLOEXEC, HIGH_FD);
  if (fd >= 0)
    close(fd);
  return high;
}

dc_worker *dc_worker_new(const dc_worker_how *how, dc_error *err)
{
  dc_worker *w = calloc(1, sizeof *w);
  if (!w) {
    dc_fail(err, DC_NO_MEMORY, "no memory for a worker");
    return NULL;
  }
  *w = (dc_worker){.how = *how, .socket = -1, .control = -1, .image = {-1, -1}};
  w->control = memory_file("control");
  w->image[0] = memory_file("before");
  w->image[1] = memory_file("after");
  if (w->control >= 0 && w->image[0] >= 0 && w->image[1] >= 0 &&
      ftruncate(w->control, sizeof *w->shared) == 0) {
    void *at = mmap(NULL, sizeof *w->shared, PROT_READ | PROT_WRITE, MAP_SHARED, w->control, 0);
    w->shared = at == MAP_FAILED ? NULL : at;
  }
  if (!w->shared) {
    dc_fail(err, DC_NO_MEMORY, "a worker's memory cannot be had: %s", strerror(errno));
    dc_worker_free(w);
    return NULL;
  }
  return w;
}

/* ---- its end ---- */

static void how_it_died(int status, char what[DC_TEXT])
{
  if (WIFSIGNALED(status)) {
    int s = WTERMSIG(status);
    const char *name = sigabbrev_np(s);
    snprintf(what, DC_TEXT, "was killed by SIG%s (%s)", name ? name : "?", strsignal(s));
  } else
    snprintf(what, DC_TEXT, "ended with status %d", WEXITSTATUS(status));
}

/* Takes the process off the list, and what it started too; waits as long for it to go by itself,
 * then kills it. Returns the status of waitpid; -1: it had to be killed. */
static int reap(dc_worker *w, double patience)
{
  const double until = dc_now() + patience;
  const struct timespec nap = {.tv_nsec = 200000};
  siginfo_t info = {.si_pid = 0};
  int status = 0, by_itself;
  while (waitid(P_PID, (id_t)w->pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && !info.si_pid &&
         dc_now() < until)
    nanosleep(&nap, NULL);
  by_itself = info.si_pid == w->pid;
  kill(-w->pid, SIGKILL); /* while the process, even if dead, still holds the group's number */
  kill(w->pid, SIGKILL);
  while (waitpid(w->pid, &status, 0) < 0 && errno == EINTR)
    ;
  close(w->socket);
  w->socket = -1;
  w->pid = 0;
  if (!(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL))
    by_itself = 1; /* it was about to go */
  return by_itself ? status : -1;
}

dc_status dc_worker_end(dc_worker *w, dc_error *err)
{
  char what[DC_TEXT];
  if (!w->pid)
    return DC_OK;
  shutdown(w->socket, SHUT_RDWR);
  int status = reap(w, FAREWELL);
  if (status == 0 || status == -1) /* a device that is slow to give back is no fault */
    return DC_OK;
  how_it_died(status, what);
  return dc_fail(err, DC_NO_DEVICE,
                 "a worker %s when its work was done: a kernel may have damaged its process", what);
}

void dc_worker_free(dc_worker *w)
{
  if (!w)
    return;
  if (w->pid)
    reap(w, 0);
  if (w->before)
    munmap(w->before, w->cap);
  if (w->after)
    munmap(w->after, w->cap);
  if (w->shared)
    munmap(w->shared, sizeof *w->shared);
  for (int i = 0; i < 3; i++) {
    int fd = i < 2 ? w->image[i] : w->control;
    if (fd >= 0)
      close(fd);
  }
  free(w);
}

/* ---- its beginning ---- */

/* The process, with nothing of ours open but what it needs: in a session of its own, which a key pressed
 * at the terminal does not reach; what a kernel prints goes to standard error. */
static int spawn(dc_worker *w, int socket)
{
  posix_spawn_file_actions_t files;
  posix_spawnattr_t attr;
  if (posix_spawn_file_actions_init(&files))
    return ENOMEM;
  int e = posix_spawnattr_init(&attr);
  if (e) {
    posix_spawn_file_actions_destroy(&files);
    return e;
  }
  e = posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSID);
  const int from[] = {socket, w->control, w->image[0], w->image[1]};
  if (!e)
    e = posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
  if (!e)
    e = fcntl(2, F_GETFD) < 0
            ? posix_spawn_file_actions_addopen(&files, 2, "/dev/null", O_WRONLY, 0)
            : 0;
  if (!e)
    e = posix_spawn_file_actions_adddup2(&files, 2, 1);
  for (int i = 0; i < 4 && !e; i++)
    e = posix_spawn_file_actions_adddup2(&files, from[i], DC_FD_SOCKET + i);
  if (!e)
    e = posix_spawn_file_actions_addclosefrom_np(&files, DC_FD_END);
  if (!e)
    e = posix_spawn(&w->pid, w->how.path, &files, &attr, w->how.argv, environ);
  if (e)
    w->pid = 0;
  posix_spawnattr_destroy(&attr);
  posix_spawn_file_actions_destroy(&files);
  return e;
}

/* Seconds for which the worker has wanted a processor and others had it; 0 where the system does not say. */
static double starved(const dc_worker *w)
{
  unsigned long long ns = 0;
  char path[64];
  snprintf(path, sizeof path, "/proc/%ld/schedstat", (long)w->pid);
  FILE *f = fopen(path, "re");
  if (f && fscanf(f, "%*u %llu", &ns) != 1)
    ns = 0;
  if (f)
    fclose(f);
  return (double)ns / 1e9;
}

/* One message of that size: 1; 0: none in time; -1: the other side is gone; -2: something else. On a busy
 * machine a slow kernel is no endless one: what the worker waited for a processor is not its own time. */
static int hear(dc_worker *w, void *message, size_t size, double seconds)
{
  const double until = dc_now() + seconds;
  double before = -1; /* starved till then, asked of the system when an answer takes long */
  for (;;) {
    double left = until - dc_now();
    if (before < 0 && left > GLANCE)
      left = GLANCE;
    else if (before >= 0 && left <= 0)
      left += starved(w) - before;
    struct pollfd p = {.fd = w->socket, .events = POLLIN};
    int n = poll(&p, 1, left > 1e6 ? 1000000000 : left > 0 ? (int)(left * 1e3) + 1 : 0);
    if (n == 0 && before < 0)
      before = starved(w);
    else if (n == 0 && left <= 0)
      return 0;
    if (n <= 0)
      continue;
    ssize_t got = recv(w->socket, message, size, MSG_TRUNC);
    if (got < 0 && (errno == EINTR || errno == EAGAIN))
      continue;
    if (got <= 0)
      return -1;
    return (size_t)got == size ? 1 : -2;
  }
}

static dc_status not_begun(dc_worker *w, const char *why, dc_error *err)
{
  char command[DC_TEXT] = "";
  for (char *const *arg = w->how.argv; *arg; arg++)
    snprintf(command + strlen(command), sizeof command - strlen(command), " %.60s", *arg);
  return dc_fail(err, DC_NO_DEVICE, "a worker,%s, cannot be started: %s", command, why);
}

dc_status dc_worker_begin(dc_worker *w, char device[DC_TEXT], dc_error *err)
{
  dc_hello hello = {.word = 0};
  char what[DC_TEXT];
  int ends[2], high[2];
  if (!w->pid) {
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends))
      return not_begun(w, strerror(errno), err);
    for (int i = 0; i < 2; i++) {
      high[i] = fcntl(ends[i], F_DUPFD_CLOEXEC, HIGH_FD);
      close(ends[i]);
    }
    int e = high[0] < 0 || high[1] < 0 ? EMFILE : spawn(w, high[1]);
    if (high[1] >= 0)
      close(high[1]);
    w->socket = high[0];
    if (e) {
      if (high[0] >= 0)
        close(high[0]);
      w->socket = -1;
      return not_begun(w, strerror(e), err);
    }
    int heard = hear(w, &hello, sizeof hello, w->how.begin);
    if (heard != 1 || hello.word != DC_WORD) {
      int status = reap(w, heard == -1 ? FAREWELL : 0);
      if (heard == 0)
        snprintf(what, sizeof what, "no answer within %.3g s", w->how.begin);
      else if (status == -1)
        snprintf(what, sizeof what, "it does not speak as a worker does");
      else
        how_it_died(status, what);
      return not_begun(w, what, err);
    }
    hello.text[sizeof hello.text - 1] = 0;
    memcpy(w->device, hello.text, sizeof w->device);
    if (hello.status != PM_OK) {
      reap(w, FAREWELL);
      return dc_fail(err, DC_NO_DEVICE, "%s", hello.text);
    }
  }
  if (device)
    memcpy(device, w->device, DC_TEXT);
  return DC_OK;
}

int dc_worker_pid(const dc_worker *w) { return w->pid; }

/* ---- its work ---- */

int dc_worker_images(dc_worker *w, size_t bytes, char **before, char **after)
{
  if (bytes > w->cap) {
    size_t cap = bytes < IMAGE ? IMAGE : (bytes + bytes / 4 + IMAGE - 1) / IMAGE * IMAGE;
    char **at[2] = {&w->before, &w->after};
    for (int i = 0; i < 2; i++) {
      if (*at[i])
        munmap(*at[i], w->cap);
      void *p = ftruncate(w->image[i], (off_t)cap) == 0
                    ? mmap(NULL, cap, PROT_READ | PROT_WRITE, MAP_SHARED, w->image[i], 0)
                    : MAP_FAILED;
      *at[i] = p == MAP_FAILED ? NULL : p;
    }
    w->cap = w->before && w->after ? cap : 0;
  }
  *before = w->before;
  *after = w->after;
  return w->cap ? 0 : -1;
}

void dc_worker_hurry(dc_worker *w, double seconds) { w->hurry = seconds; }

dc_status dc_worker_rest(dc_worker *w, dc_error *err)
{
  for (int i = 0; i < 2; i++) {
    char **at = i ? &w->after : &w->before;
    if (*at)
      munmap(*at, w->cap);
    *at = NULL;
    if (ftruncate(w->image[i], 0)) /* a worker that maps what is gone does so anew */
      return dc_fail(err, DC_NO_MEMORY, "a worker's memory cannot be given back: %s",
                     strerror(errno));
  }
  w->cap = 0;
  w->hurry = 0;
  return w->how.lasting ? DC_OK : dc_worker_end(w, err);
}

/* The name of the variant that a dead worker was at, by the address that it left. */
static void name_left(const dc_worker *w, const pm_backend *b, char ran[DC_NAME])
{
  const char *const left = *(const char *const volatile *)&w->shared->ex.ran;
  ran[0] = 0;
  for (int i = 0; left && i < b->n_kernels && i < w->shared->n && i < DC_CONTROL_ROWS; i++)
    if (w->shared->variant[i] == left) {
      snprintf(ran, DC_NAME, "%s", b->kernels[i].variant);
      return;
    }
}

static int sane(const dc_answer *a)
{
  return (unsigned)a->step < DC_N_STEPS && memchr(a->ran, 0, sizeof a->ran) &&
         memchr(a->error, 0, sizeof a->error);
}

/* One try. *killed: the process ended by SIGKILL, which no kernel does to itself. */
static dc_fault try_once(dc_worker *w, const dc_ask *q, double seconds, dc_answer *a, int *killed,
                         dc_error *why)
{
  dc_reply r = {.word = 0};
  char what[DC_TEXT];
  *killed = 0;
  if (dc_worker_begin(w, NULL, why))
    return DC_NO_WORKER;
  int heard = send(w->socket, q, sizeof *q, MSG_NOSIGNAL) == (ssize_t)sizeof *q
                  ? hear(w, &r, sizeof r, seconds)
                  : -1;
  if (heard == 1 && r.word == DC_WORD && r.number == q->number && sane(&r.answer)) {
    *a = r.answer;
    if (a->spoilt) /* it goes by itself */
      reap(w, FAREWELL);
    return DC_NO_FAULT;
  }
  int status = reap(w, heard == -1 ? CLOSED : 0);
  if (heard == 0) {
    dc_fail(why, DC_OK, "no answer within %.3g s", seconds);
    return DC_HANG;
  }
  if (status == -1)
    snprintf(what, sizeof what,
             heard == -1 ? "closed its connection to the checker"
                         : "wrote into its connection to the checker");
  else
    how_it_died(status, what);
  *killed = status != -1 && WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
  dc_fail(why, DC_OK, "the kernel's process %s", what);
  return DC_CRASH;
}

dc_fault dc_worker_run(dc_worker *w, const pm_backend *b, const dc_order *o, double scale,
                       dc_answer *a, dc_error *why)
{
  const double most = w->hurry > 0 && w->hurry < w->how.seconds ? w->hurry : w->how.seconds;
  dc_ask q = {.word = DC_WORD, .op = -1, .images = w->cap, .order = *o};
  dc_fault f = DC_CRASH;
  q.order.op = NULL;
  for (int i = 0; i < dc_n_ops() && q.op < 0; i++)
    if (dc_op_at(i) == o->op)
      q.op = i;
  *a = (dc_answer){.step = DC_STEP_DONE};
  if (q.op < 0) {
    dc_fail(why, DC_INVALID, "%s: is in no worker's catalogue", o->op->name);
    return DC_NO_WORKER;
  }
  for (int i = 0, killed = 1; i < 2 && killed; i++) { /* once more: killed from outside, it seems */
    q.number = ++w->number;
    memset(&w->shared->ex, 0, sizeof w->shared->ex);
    f = try_once(w, &q, most * scale, a, &killed, why);
  }
  if (f == DC_CRASH || f == DC_HANG)
    name_left(w, b, a->ran);
  return f;
}

int dc_worker_suits(dc_worker *w, const dc_case *c, const char *variant)
{
  dc_order o = {
      .wish = DC_WISH_SUITS, .op = c->op, .accumulate = c->accumulate, .misaligned = c->misaligned};
  dc_answer a;
  dc_error why;
  memcpy(o.size, c->size, sizeof o.size);
  memcpy(o.attr, c->attr, sizeof o.attr);
  snprintf(o.variant, sizeof o.variant, "%s", variant);
  dc_fault f = dc_worker_run(w, &pm_sim, &o, dc_patience(c), &a, &why);
  return f != DC_NO_FAULT || a.step == DC_STEP_DONE;
}
