#include "sim.h"

#include <stdarg.h>
#include <stdio.h>

#include "fiber.h"

uint3 threadIdx, blockIdx;
dim3 blockDim(0, 0, 0), gridDim(0, 0, 0);

namespace {

enum { WARPS = PM_SIM_THREADS / 32, SEGMENTS = 16, GAP = 64 };
enum state { NEW, READY, AT_BLOCK, AT_WARP, LEFT };

struct thread_state {
  uint3 id;
  state at;
  int line;        /* of the wait it is in */
  int fiber;       /* whose stack it lives on, once it has waited */
  int segments;    /* shared arrays reached so far */
  unsigned parity; /* which exchange buffer is next */
};

struct segment {
  size_t offset, bytes;
};

struct block_state {
  thread_state thread[PM_SIM_THREADS];
  int n;                     /* threads */
  int ready[PM_SIM_THREADS]; /* a ring of thread numbers */
  int head, n_ready, n_left;
  int at_block, line, yes; /* how many wait at __syncthreads, where, and how many voted */
  int voted;               /* result of the last vote */
  int at_warp[WARPS], warp_line[WARPS];
  uint64_t exchange[WARPS][2][32];
  segment seg[SEGMENTS];
  int n_seg;
  size_t used; /* of the shared memory, gaps included */
};

block_state blk;
int running; /* the current thread's number */
int fibers;  /* made so far */
int idle[PM_SIM_THREADS], n_idle;
int current_fiber;
void (*kernel_body)(const void *);
const void *kernel_arg;
size_t dynamic_bytes, static_bytes;
uint32_t poison;
uint64_t random_state;
uint64_t seed_now;
bool failed;
char message[256];
alignas(256) unsigned char arena[PM_SIM_SHARED + (SEGMENTS + 1) * GAP];

uint64_t draw()
{
  random_state += 0x9e3779b97f4a7c15u;
  uint64_t z = random_state;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

/* A number below n, for small n. */
unsigned draw_below(unsigned n) { return (unsigned)(((draw() >> 32) * n) >> 32); }

[[gnu::format(printf, 1, 2)]] void fail(const char *format, ...)
{
  if (failed)
    return;
  failed = true;
  va_list args;
  va_start(args, format);
  vsnprintf(message, sizeof message, format, args);
  va_end(args);
}

void make_ready(int t)
{
  blk.thread[t].at = READY;
  int end = blk.head + blk.n_ready++;
  blk.ready[end % PM_SIM_THREADS] = t;
}

/* The next thread to run, or -1 where none is ready. */
int take_ready()
{
  if (!blk.n_ready || failed)
    return -1;
  int *first = &blk.ready[blk.head % PM_SIM_THREADS];
  if (seed_now) {
    int *other = &blk.ready[(blk.head + (int)draw_below((unsigned)blk.n_ready)) % PM_SIM_THREADS];
    int t = *other;
    *other = *first;
    *first = t;
  }
  blk.head = (blk.head + 1) % PM_SIM_THREADS;
  blk.n_ready--;
  return *first;
}

int first_lane(int t) { return t & ~31; }
int end_lane(int t) { return first_lane(t) + 32 < blk.n ? first_lane(t) + 32 : blk.n; }

/* No thread is ready and some wait: say why. */
void report_deadlock()
{
  int left = blk.n_left;
  for (int t = 0; t < blk.n && !failed; t++) {
    const thread_state *th = &blk.thread[t];
    if (th->at == AT_BLOCK)
      fail("block (%u,%u,%u): thread %d waits at a barrier, line %d, that %d threads never reach%s",
           blockIdx.x, blockIdx.y, blockIdx.z, t, th->line, blk.n - blk.at_block,
           left ? ": some have left the kernel" : "");
    else if (th->at == AT_WARP)
      fail("block (%u,%u,%u): thread %d waits at a warp exchange, line %d, that some of its warp "
           "never reach",
           blockIdx.x, blockIdx.y, blockIdx.z, t, th->line);
  }
}

void enter(int t)
{
  running = t;
  threadIdx = blk.thread[t].id;
}

/* Starts thread t on an idle stack; without memory for one the launch ends. */
void start_on_idle(int from, int t)
{
  int f = n_idle ? idle[--n_idle] : fibers++;
  current_fiber = f;
  enter(t);
  if (fiber_start(from, f))
    return;
  fibers = f;
  fail("launch: no memory for the stack of thread %d", t);
  if (from >= 0)
    fiber_switch(from, -1);
}

/* Leaves the current fiber, which holds a waiting thread, for the next ready thread; without one
 * for the launch, which then sees that the block is stuck. */
void leave_for_next()
{
  int t = take_ready();
  int from = current_fiber;
  if (t < 0) {
    current_fiber = -1;
    fiber_switch(from, -1);
  } else if (blk.thread[t].fiber == from) { /* its own turn again */
    enter(t);
  } else if (blk.thread[t].fiber >= 0) {
    current_fiber = blk.thread[t].fiber;
    enter(t);
    fiber_switch(from, current_fiber);
  } else { /* a thread that has not begun: an idle fiber picks it up */
    start_on_idle(from, t);
  }
}

/* Runs threads to their end on the current fiber: one that never waits costs a call. */
void run_threads()
{
  for (;;) {
    int t = running;
    kernel_body(kernel_arg);
    blk.thread[t].at = LEFT;
    blk.n_left++;
    int next = take_ready();
    if (next < 0) {
      current_fiber = -1;
      fiber_end(-1);
    } else if (blk.thread[next].fiber >= 0) {
      idle[n_idle++] = current_fiber;
      current_fiber = blk.thread[next].fiber;
      enter(next);
      fiber_end(current_fiber);
    } else
      enter(next);
  }
}

void run_block()
{
  blk.head = blk.n_ready = blk.n_left = blk.at_block = blk.yes = blk.n_seg = 0;
  blk.used = GAP;
  for (int w = 0; w * 32 < blk.n; w++) blk.at_warp[w] = 0;
  for (int t = 0; t < blk.n; t++) {
    thread_state *th = &blk.thread[t];
    unsigned u = (unsigned)t;
    th->id = uint3{u % blockDim.x, u / blockDim.x % blockDim.y, u / (blockDim.x * blockDim.y)};
    th->fiber = -1;
    th->segments = 0;
    th->parity = 0;
    make_ready(t);
  }
  if (blk.n % 32) /* what an absent lane holds is undefined */
    memset(blk.exchange[blk.n / 32], 0xa5, sizeof blk.exchange[0]);
  n_idle = 0;
  for (int f = fibers; f > 0; f--) idle[n_idle++] = f - 1;
  start_on_idle(-1, take_ready());
  if (!failed && blk.n_left < blk.n)
    report_deadlock();
  sim_unpoison(arena, sizeof arena);
}

uint64_t gcd(uint64_t a, uint64_t b)
{
  while (b) {
    uint64_t r = a % b;
    a = b;
    b = r;
  }
  return a;
}

bool within_limits(dim3 grid, dim3 block, size_t bytes)
{
  uint64_t threads = (uint64_t)block.x * block.y * block.z;
  if (!grid.x || !grid.y || !grid.z || grid.x > 0x7fffffffu || grid.y > 65535 || grid.z > 65535)
    fail("launch: grid (%u,%u,%u): must be 1 .. 2^31-1, 1 .. 65535, 1 .. 65535", grid.x, grid.y,
         grid.z);
  else if (!block.x || !block.y || !block.z || block.x > 1024 || block.y > 1024 || block.z > 64 ||
           threads > PM_SIM_THREADS)
    fail("launch: block (%u,%u,%u): must hold 1 .. 1024 threads", block.x, block.y, block.z);
  else if (bytes > PM_SIM_SHARED)
    fail("launch: %zu bytes of shared memory: must be at most %d", bytes, PM_SIM_SHARED);
  return !failed;
}

void fill_poison(unsigned char *at, size_t bytes)
{
  for (size_t i = 0; i + 4 <= bytes; i += 4) memcpy(at + i, &poison, 4);
  for (size_t i = bytes & ~(size_t)3; i < bytes; i++) at[i] = 0xa5;
}

} // namespace

void fiber_main() { run_threads(); }

namespace pm_sim_ {

void launch(dim3 grid, dim3 block, size_t bytes, void (*body)(const void *), const void *arg)
{
  if (failed || !within_limits(grid, block, bytes))
    return;
  gridDim = grid;
  blockDim = block;
  dynamic_bytes = bytes;
  static_bytes = 0;
  kernel_body = body;
  kernel_arg = arg;
  blk.n = (int)(block.x * block.y * block.z);
  /* Blocks in the order i -> (step i + start) mod blocks: a permutation, as step and blocks are
   * coprime. */
  uint64_t blocks = (uint64_t)grid.x * grid.y * grid.z;
  uint64_t step = 1, at = 0;
  if (seed_now && blocks > 1) {
    at = draw() % blocks;
    do step = draw() % blocks;
    while (gcd(step, blocks) != 1);
  }
  for (uint64_t i = 0; i < blocks && !failed; i++) {
    blockIdx = uint3{(unsigned)(at % grid.x), (unsigned)(at / grid.x % grid.y),
                     (unsigned)(at / grid.x / grid.y)};
    poison = 0x7fa5a5a5u ^ ((uint32_t)(i * 0x9e3779b1u) >> 12); /* bit 22 stays 0: signalling */
    run_block();
    at = (unsigned __int128)at + step >= blocks ? at + step - blocks : at + step;
  }
}

void wait_for(wait kind, int line)
{
  int me = running;
  thread_state *th = &blk.thread[me];
  int w = me / 32;
  int *count = kind == BLOCK ? &blk.at_block : &blk.at_warp[w];
  int *where = kind == BLOCK ? &blk.line : &blk.warp_line[w];
  int first = kind == BLOCK ? 0 : first_lane(me);
  int end = kind == BLOCK ? blk.n : end_lane(me);
  if (*count && *where != line)
    fail("block (%u,%u,%u): threads wait at different %s, lines %d and %d (thread %d)", blockIdx.x,
         blockIdx.y, blockIdx.z, kind == BLOCK ? "barriers" : "warp exchanges", *where, line, me);
  *where = line;
  if (++*count == end - first && !failed) { /* the last one: all go on */
    *count = 0;
    if (kind == BLOCK) {
      blk.voted = blk.yes;
      blk.yes = 0;
    }
    for (int t = first; t < end; t++)
      if (t != me)
        make_ready(t);
    if (!seed_now)
      return;
    make_ready(me); /* the last to come need not be the first to go */
  } else {
    th->at = kind == BLOCK ? AT_BLOCK : AT_WARP;
    th->line = line;
  }
  th->fiber = current_fiber;
  leave_for_next();
}

int vote(int predicate, int line)
{
  blk.yes += predicate != 0;
  wait_for(BLOCK, line);
  return blk.voted;
}

uint64_t *exchange(unsigned *lane)
{
  thread_state *th = &blk.thread[running];
  *lane = (unsigned)running & 31;
  th->parity ^= 1;
  return blk.exchange[running / 32][th->parity];
}

unsigned lanes() { return (unsigned)(end_lane(running) - first_lane(running)); }

bool full_mask(unsigned mask, int line)
{
  if (mask == ~0u)
    return true;
  fail("line %d: warp mask %#x: must be the full mask", line, mask);
  wait_for(WARP, line);
  return false;
}

void *shared(size_t bytes, bool dynamic)
{
  thread_state *th = &blk.thread[running];
  size_t want = dynamic ? dynamic_bytes : bytes;
  int i = th->segments++;
  if (i < blk.n_seg) {
    if (blk.seg[i].bytes != want)
      fail("block (%u,%u,%u): threads reach different shared arrays", blockIdx.x, blockIdx.y,
           blockIdx.z);
    return arena + blk.seg[i].offset;
  }
  size_t room = (want + GAP - 1) / GAP * GAP + GAP;
  size_t total = want;
  for (int k = 0; k < blk.n_seg; k++) total += blk.seg[k].bytes;
  if (i >= SEGMENTS || total > PM_SIM_SHARED || (!dynamic && bytes > PM_SIM_STATIC_SHARED)) {
    fail("shared memory: %zu bytes in %d arrays: must be at most %d in %d (48 KiB static)", total,
         i + 1, PM_SIM_SHARED, SEGMENTS);
    wait_for(BLOCK, 0);
  }
  blk.seg[blk.n_seg++] = segment{blk.used, want};
  unsigned char *at = arena + blk.used;
  fill_poison(at, want);
  sim_poison(at + want, room - want);
  blk.used += room;
  return at;
}

} // namespace pm_sim_

extern "C" {

void pm_sim_seed(uint64_t seed)
{
  seed_now = seed;
  random_state = seed;
}

int pm_sim_failed(void) { return failed; }

const char *pm_sim_take_error(void)
{
  if (!failed)
    return NULL;
  failed = false;
  return message;
}
}
