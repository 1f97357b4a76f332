/* A worker's side: it maps what the checker shares with it, and launches what it is told. */
#include "worker.h"

#include <errno.h>
#include <linux/capability.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

typedef struct server {
  dc_block block;
  dc_control *control;
  char *before, *after; /* of `images` bytes each; `before` is for reading alone */
  size_t images;
} server;

static int tell(const void *message, size_t size)
{
  return send(DC_FD_SOCKET, message, size, MSG_NOSIGNAL) == (ssize_t)size ? 0 : -1;
}

/* The next order: 1; 0: the checker has done with us; -1: nonsense. */
static int next(dc_ask *q)
{
  ssize_t got;
  do
    got = recv(DC_FD_SOCKET, q, sizeof *q, MSG_TRUNC);
  while (got < 0 && errno == EINTR);
  if (got <= 0)
    return 0;
  return got == sizeof *q && q->word == DC_WORD && q->op >= 0 && q->op < dc_n_ops() ? 1 : -1;
}

static void *map(int fd, size_t bytes, int mode)
{
  void *p = mmap(NULL, bytes, mode, MAP_SHARED, fd, 0);
  return p == MAP_FAILED ? NULL : p;
}

static int map_images(server *s, size_t bytes)
{
  if (bytes == s->images)
    return 0;
  if (s->before)
    munmap(s->before, s->images);
  if (s->after)
    munmap(s->after, s->images);
  s->before = map(DC_FD_BEFORE, bytes, PROT_READ);
  s->after = map(DC_FD_AFTER, bytes, PROT_READ | PROT_WRITE);
  s->images = bytes;
  return s->before && s->after ? 0 : -1;
}

static int open_shared(server *s)
{
  s->control = map(DC_FD_CONTROL, sizeof *s->control, PROT_READ | PROT_WRITE);
  if (!s->control)
    return -1;
  const pm_backend *b = s->block.b;
  s->control->n = b->n_kernels < DC_CONTROL_ROWS ? b->n_kernels : DC_CONTROL_ROWS;
  for (int i = 0; i < s->control->n; i++)
    s->control->variant[i] = b->kernels[i].variant;
  return 0;
}

/* Answers one order. 0: and goes on; else there is nobody to answer, or no sense in it. */
static int answer(server *s, dc_ask *q, int *spoilt)
{
  dc_reply r = {.word = DC_WORD, .number = q->number};
  dc_order *o = &q->order;
  o->op = dc_op_at(q->op);
  if (o->wish == DC_WISH_LAUNCH) {
    if (map_images(s, q->images))
      return DC_CONFUSED;
    dc_block_run(&s->block, o, s->before, s->after, &s->control->ex, &r.answer);
  } else {
    dc_case c;
    dc_case_init(&c, o->op);
    memcpy(c.size, o->size, sizeof c.size);
    memcpy(c.attr, o->attr, sizeof c.attr);
    c.accumulate = o->accumulate;
    c.misaligned = o->misaligned;
    if (o->wish == DC_WISH_WORKSPACE)
      r.answer.bytes = dc_workspace(s->block.b, &c, o->variant);
    else if (!dc_suits(&c, o->variant))
      r.answer.step = DC_STEP_UNSUITED;
  }
  dc_block_alone(&s->block);
  *spoilt = r.answer.spoilt;
  return tell(&r, sizeof r) ? DC_GONE : 0;
}

/* Answers orders until the checker is gone, or the device is spoilt. */
static int serve(server *s)
{
  dc_ask q;
  int status = 0, spoilt = 0, more = 1;
  while (!status && !spoilt && (more = next(&q)) > 0)
    status = answer(s, &q, &spoilt);
  dc_block_free(&s->block);
  return more < 0 ? DC_CONFUSED : status;
}

/* The checker's memory holds what is expected, and it lets no process in that may not trace it: even one of
 * the administrator's loses the right to. */
static void lose_sight(void)
{
  struct __user_cap_header_struct h = {.version = _LINUX_CAPABILITY_VERSION_3};
  struct __user_cap_data_struct d[_LINUX_CAPABILITY_U32S_3];
  prctl(PR_CAPBSET_DROP, CAP_SYS_PTRACE);
  if (syscall(SYS_capget, &h, d) != 0)
    return;
  const unsigned bit = 1u << CAP_SYS_PTRACE;
  d[0].effective &= ~bit;
  d[0].permitted &= ~bit;
  d[0].inheritable &= ~bit;
  syscall(SYS_capset, &h, d);
}

static int begin(const pm_backend *b, const dc_foreign *f, const char *why_not)
{
  const struct rlimit no_core = {1, 1}; /* 1, unlike 0, holds where cores go to a program too */
  dc_hello hello = {.word = DC_WORD, .status = PM_NO_DEVICE};
  server s = {.block = {.b = b, .foreign = f, .self = getpid()}};
  int type;
  if (getsockopt(DC_FD_SOCKET, SOL_SOCKET, SO_TYPE, &type, &(socklen_t){sizeof type}) ||
      type != SOCK_SEQPACKET)
    return -1;
  prctl(PR_SET_PDEATHSIG, SIGKILL); /* if the checker died before, the socket has ended */
  setrlimit(RLIMIT_CORE, &no_core);
  if (f)
    lose_sight();
  if (b)
    hello.status = b->init();
  if (b && hello.status == PM_OK && open_shared(&s))
    return DC_CONFUSED;
  snprintf(hello.text, sizeof hello.text, "%s",
           !b                      ? why_not
           : hello.status == PM_OK ? b->device()
                                   : b->error());
  if (tell(&hello, sizeof hello))
    return DC_GONE;
  return hello.status == PM_OK ? serve(&s) : 0;
}

int dc_serve(const pm_backend *b, const char *why_not) { return begin(b, NULL, why_not); }

int dc_serve_foreign(const dc_foreign *f, const char *why_not)
{
  return begin(f ? f->b : NULL, f, why_not);
}
