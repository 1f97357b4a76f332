#include "sim.h"

#include <stdarg.h>
#include <stdio.h>

#include "fiber.h"
#include "graph.h"
#include "launched.h"
#include "race.h"
#include "rest.h"

uint3 threadIdx, blockIdx;
dim3 blockDim(0, 0, 0), gridDim(0, 0, 0);

namespace {

enum { WARPS = PM_SIM_THREADS / 32, SEGMENTS = 16, GAP = 64 };
enum { MOST = PM_SIM_CLUSTER * PM_SIM_THREADS }; /* threads of a cluster */
enum state { NEW, READY, AT_BLOCK, AT_WARP, AT_CLUSTER, LEFT };

struct thread_state {
  uint3 id;
  state at;
  int line;        /* of the wait it is in */
  int fiber;       /* whose stack it lives on, once it has waited */
  int segments;    /* shared arrays reached so far */
  unsigned parity; /* which exchange buffer is next */
  bool arrived;    /* at the cluster's barrier, and has not waited yet */
  unsigned phase;  /* of that barrier, when it arrived */
  pm_sim_::race_clock clock;
};

struct segment {
  size_t offset, bytes;
};

struct block_state {
  uint3 index;
  uint32_t poison;
  thread_state thread[PM_SIM_THREADS];
  int n; /* threads */
  int n_left;
  int at_block, line, yes; /* how many wait at __syncthreads, where, and how many voted */
  int voted;               /* result of the last vote */
  int at_warp[WARPS], warp_line[WARPS];
  uint64_t exchange[WARPS][2][32];
  segment seg[SEGMENTS];
  int n_seg;
  size_t used; /* of the shared memory, gaps included */
};

/* The blocks that run together: one, unless the launch asks for clusters. Thread t of block b
 * goes by the number b PM_SIM_THREADS + t among them. */
struct cluster_state {
  block_state block[PM_SIM_CLUSTER];
  int n;           /* blocks */
  int ready[MOST]; /* a ring of thread numbers */
  int head, n_ready;
  int arrived; /* at the barrier of all threads */
  unsigned phase;
};

cluster_state cluster;
block_state *blk; /* of the current thread */
int running;      /* its number in the block */
int fibers;       /* made so far */
int idle[MOST], n_idle;
int current_fiber;
void (*kernel_body)(const void *);
const void *kernel_arg;
size_t dynamic_bytes, static_bytes;
uint64_t random_state;
uint64_t seed_now;
bool failed, resting;
char message[480];
enum { ARENA = (PM_SIM_SHARED + (SEGMENTS + 1) * GAP + 255) / 256 * 256 };
alignas(256) unsigned char arenas[PM_SIM_CLUSTER][ARENA];

int number_of(const block_state *b) { return (int)(b - cluster.block); }
unsigned char *arena_of(const block_state *b) { return arenas[number_of(b)]; }

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

thread_state *thread_of(int number)
{
  return &cluster.block[number / PM_SIM_THREADS].thread[number % PM_SIM_THREADS];
}

/* Thread t of block b. */
void make_ready(block_state *b, int t)
{
  b->thread[t].at = READY;
  int end = cluster.head + cluster.n_ready++;
  cluster.ready[end % MOST] = number_of(b) * PM_SIM_THREADS + t;
}

/* The number of the next thread to run, or -1 where none is ready. */
int take_ready()
{
  if (!cluster.n_ready || failed)
    return -1;
  int *first = &cluster.ready[cluster.head % MOST];
  if (seed_now) {
    int *other = &cluster.ready[(cluster.head + (int)draw_below((unsigned)cluster.n_ready)) % MOST];
    int t = *other;
    *other = *first;
    *first = t;
  }
  cluster.head = (cluster.head + 1) % MOST;
  cluster.n_ready--;
  return *first;
}

int first_lane(int t) { return t & ~31; }
int end_lane(int t) { return first_lane(t) + 32 < blk->n ? first_lane(t) + 32 : blk->n; }

/* No thread is ready and some of the block wait: say why. */
void report_deadlock()
{
  int left = blk->n_left;
  blockIdx = blk->index;
  for (int t = 0; t < blk->n && !failed; t++) {
    const thread_state *th = &blk->thread[t];
    if (th->at == AT_BLOCK)
      fail("block (%u,%u,%u): thread %d waits at a barrier, line %d, that %d threads never reach%s",
           blockIdx.x, blockIdx.y, blockIdx.z, t, th->line, blk->n - blk->at_block,
           left ? ": some have left the kernel" : "");
    else if (th->at == AT_WARP)
      fail("block (%u,%u,%u): thread %d waits at a warp exchange, line %d, that some of its warp "
           "never reach",
           blockIdx.x, blockIdx.y, blockIdx.z, t, th->line);
    else if (th->at == AT_CLUSTER)
      fail("block (%u,%u,%u): thread %d waits for its cluster, line %d, of which some never arrive",
           blockIdx.x, blockIdx.y, blockIdx.z, t, th->line);
  }
}

void enter(int number)
{
  blk = &cluster.block[number / PM_SIM_THREADS];
  running = number % PM_SIM_THREADS;
  threadIdx = blk->thread[running].id;
  pm_sim_::race_thread = &blk->thread[running].clock;
  blockIdx = blk->index;
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
  } else if (thread_of(t)->fiber == from) { /* its own turn again */
    enter(t);
  } else if (thread_of(t)->fiber >= 0) {
    current_fiber = thread_of(t)->fiber;
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
    kernel_body(kernel_arg);
    blk->thread[running].at = LEFT;
    blk->n_left++;
    int next = take_ready();
    if (next < 0) {
      current_fiber = -1;
      fiber_end(-1);
    } else if (thread_of(next)->fiber >= 0) {
      idle[n_idle++] = current_fiber;
      current_fiber = thread_of(next)->fiber;
      enter(next);
      fiber_end(current_fiber);
    } else
      enter(next);
  }
}

/* Block number `at` of the grid is block b of the cluster. */
void set_up(block_state *b, uint64_t at, uint64_t turn)
{
  b->index = uint3{(unsigned)(at % gridDim.x), (unsigned)(at / gridDim.x % gridDim.y),
                   (unsigned)(at / gridDim.x / gridDim.y)};
  b->poison = 0x7fa5a5a5u ^ ((uint32_t)(turn * 0x9e3779b1u) >> 12); /* bit 22 is 0: signalling */
  b->n = (int)(blockDim.x * blockDim.y * blockDim.z);
  b->n_left = b->at_block = b->yes = b->n_seg = 0;
  b->used = GAP;
  for (int w = 0; w * 32 < b->n; w++) b->at_warp[w] = 0;
  for (int t = 0; t < b->n; t++) {
    thread_state *th = &b->thread[t];
    unsigned u = (unsigned)t;
    th->id = uint3{u % blockDim.x, u / blockDim.x % blockDim.y, u / (blockDim.x * blockDim.y)};
    th->fiber = -1;
    th->segments = 0;
    th->parity = 0;
    th->arrived = false;
    th->clock = {};
    th->clock.launch = pm_sim_::race_launches();
    th->clock.block = (uint32_t)at;
    th->clock.thread = u;
    make_ready(b, t);
  }
  if (b->n % 32) /* what an absent lane holds is undefined */
    memset(b->exchange[b->n / 32], 0xa5, sizeof b->exchange[0]);
}

/* Blocks `at` .. of the grid, as many as a cluster has, of which this is number `turn`. */
void run_cluster(uint64_t at, uint64_t turn)
{
  cluster.head = cluster.n_ready = cluster.arrived = 0;
  cluster.phase = 0;
  pm_sim_::race_shared();
  for (int b = 0; b < cluster.n; b++)
    set_up(&cluster.block[b], at + (unsigned)b, turn * (unsigned)cluster.n + (unsigned)b);
  n_idle = 0;
  for (int f = fibers; f > 0; f--) idle[n_idle++] = f - 1;
  start_on_idle(-1, take_ready());
  for (int b = 0; b < cluster.n; b++) {
    blk = &cluster.block[b];
    if (!failed && blk->n_left < blk->n)
      report_deadlock();
    sim_unpoison(arena_of(blk), ARENA);
  }
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

bool within_limits(dim3 grid, dim3 block, unsigned blocks, size_t bytes)
{
  uint64_t threads = (uint64_t)block.x * block.y * block.z;
  if (!grid.x || !grid.y || !grid.z || grid.x > 0x7fffffffu || grid.y > 65535 || grid.z > 65535)
    fail("launch: grid (%u,%u,%u): must be 1 .. 2^31-1, 1 .. 65535, 1 .. 65535", grid.x, grid.y,
         grid.z);
  else if (!block.x || !block.y || !block.z || block.x > 1024 || block.y > 1024 || block.z > 64 ||
           threads > PM_SIM_THREADS)
    fail("launch: block (%u,%u,%u): must hold 1 .. 1024 threads", block.x, block.y, block.z);
  else if (blocks != 1 &&
           (blocks > PM_SIM_CLUSTER || !blocks || grid.x % blocks || grid.y != 1 || grid.z != 1))
    fail("launch: clusters of %u blocks in a grid (%u,%u,%u): must be at most %d, whole ones, in x",
         blocks, grid.x, grid.y, grid.z, PM_SIM_CLUSTER);
  else if (bytes > PM_SIM_SHARED)
    fail("launch: %zu bytes of shared memory: must be at most %d", bytes, PM_SIM_SHARED);
  return !failed;
}

void fill_poison(unsigned char *at, size_t bytes)
{
  for (size_t i = 0; i + 4 <= bytes; i += 4) memcpy(at + i, &blk->poison, 4);
  for (size_t i = bytes & ~(size_t)3; i < bytes; i++) at[i] = 0xa5;
}

} // namespace

void fiber_main() { run_threads(); }

namespace pm_sim_ {

void launch(dim3 grid, dim3 block, unsigned in_cluster, size_t bytes, int how, launch_body body,
            const kernel_call *call)
{
  if (call)
    note_launch(*call);
  if (failed || resting || !within_limits(grid, block, in_cluster, bytes))
    return;
  if (call && !fulfils(*call, {grid.x, block.x, in_cluster, bytes, how}, message, sizeof message)) {
    failed = true;
    return;
  }
  const written w = {grid, block, in_cluster, bytes, how, body, NULL};
  if (!writing)
    run(w);
  else if (!write_down(w))
    fail("no memory to write a launch down");
}

void run(const written &w)
{
  const dim3 grid = w.grid;
  const unsigned in_cluster = w.in_cluster;
  const int how = w.how;
  if (failed)
    return;
  race_launch(in_cluster, how & AHEAD);
  race_own_as(arenas, sizeof arenas, true);
  race_watch = how & WATCHED;
  gridDim = grid;
  blockDim = w.block;
  dynamic_bytes = w.bytes;
  static_bytes = 0;
  kernel_body = w.body.call;
  kernel_arg = w.body.at;
  cluster.n = (int)in_cluster;
  /* Clusters in the order i -> (step i + start) mod clusters: a permutation, as step and clusters
   * are coprime. */
  uint64_t clusters = (uint64_t)grid.x * grid.y * grid.z / in_cluster;
  uint64_t step = 1, at = 0;
  if (seed_now && clusters > 1) {
    at = draw() % clusters;
    do step = draw() % clusters;
    while (gcd(step, clusters) != 1);
  }
  for (uint64_t i = 0; i < clusters && !failed; i++) {
    run_cluster(at * in_cluster, i);
    at = (unsigned __int128)at + step >= clusters ? at + step - clusters : at + step;
  }
  race_watch = false;
}

void await_launches() { race_thread->awaited = true; }

static int atomics;
static bool watched;
void atomic_begin(const void *p, size_t bytes)
{
  if (race_watch)
    race_access(p, bytes, true, true, __builtin_return_address(0));
  if (!atomics++)
    watched = race_watch;
  race_watch = false;
}
void atomic_end()
{
  if (!--atomics)
    race_watch = watched;
}

void race_found(const char *words) { fail("%s", words); }

void wait_for(wait kind, int line)
{
  int me = running;
  thread_state *th = &blk->thread[me];
  int w = me / 32;
  int *count = kind == BLOCK ? &blk->at_block : &blk->at_warp[w];
  int *where = kind == BLOCK ? &blk->line : &blk->warp_line[w];
  int first = kind == BLOCK ? 0 : first_lane(me);
  int end = kind == BLOCK ? blk->n : end_lane(me);
  if (*count && *where != line)
    fail("block (%u,%u,%u): threads wait at different %s, lines %d and %d (thread %d)", blockIdx.x,
         blockIdx.y, blockIdx.z, kind == BLOCK ? "barriers" : "warp exchanges", *where, line, me);
  *where = line;
  if (++*count == end - first && !failed) { /* the last one: all go on */
    *count = 0;
    for (int t = first; t < end; t++)
      kind == BLOCK ? blk->thread[t].clock.barriers++ : blk->thread[t].clock.warps++;
    if (kind == BLOCK) {
      blk->voted = blk->yes;
      blk->yes = 0;
    }
    for (int t = first; t < end; t++)
      if (t != me)
        make_ready(blk, t);
    if (!seed_now)
      return;
    make_ready(blk, me); /* the last to come need not be the first to go */
  } else {
    th->at = kind == BLOCK ? AT_BLOCK : AT_WARP;
    th->line = line;
  }
  th->fiber = current_fiber;
  leave_for_next();
}

void cluster_arrive(int line, bool exchange)
{
  thread_state *th = &blk->thread[running];
  if (th->arrived)
    fail("block (%u,%u,%u): thread %d arrives twice at its cluster's barrier, line %d", blockIdx.x,
         blockIdx.y, blockIdx.z, running, line);
  th->arrived = true;
  th->phase = cluster.phase;
  (exchange ? th->clock.sent : th->clock.arrived)++;
  if (++cluster.arrived < cluster.n * blk->n)
    return;
  cluster.arrived = 0;
  cluster.phase++;
  for (int b = 0; b < cluster.n; b++)
    for (int t = 0; t < blk->n; t++)
      if (cluster.block[b].thread[t].at == AT_CLUSTER)
        make_ready(&cluster.block[b], t);
}

void cluster_wait(int line, bool exchange)
{
  thread_state *th = &blk->thread[running];
  if (!th->arrived)
    fail("block (%u,%u,%u): thread %d waits for its cluster, line %d, and has not arrived",
         blockIdx.x, blockIdx.y, blockIdx.z, running, line);
  th->arrived = false;
  (exchange ? th->clock.got : th->clock.waited)++;
  if (th->phase != cluster.phase && !failed)
    return;
  th->at = AT_CLUSTER;
  th->line = line;
  th->fiber = current_fiber;
  leave_for_next();
}

/* On a GPU a block that has not begun, or has left, has no shared memory to write into. */
void *peer(void *p, unsigned rank, int line)
{
  size_t at = (size_t)(static_cast<unsigned char *>(p) - arena_of(blk));
  block_state *to = rank < (unsigned)cluster.n ? &cluster.block[rank] : blk;
  bool there = rank < (unsigned)cluster.n && to->n_left < to->n && at < to->used;
  if (!there)
    fail(
        "block (%u,%u,%u): thread %d writes to block %u of its cluster, line %d, which has no such "
        "shared memory now",
        blockIdx.x, blockIdx.y, blockIdx.z, running, rank, line);
  if (there && race_watch)
    race_exchanged(arena_of(to) + at);
  return there ? arena_of(to) + at : p;
}

int vote(int predicate, int line)
{
  blk->yes += predicate != 0;
  wait_for(BLOCK, line);
  return blk->voted;
}

uint64_t *exchange(unsigned *lane)
{
  thread_state *th = &blk->thread[running];
  *lane = (unsigned)running & 31;
  th->parity ^= 1;
  return blk->exchange[running / 32][th->parity];
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
  thread_state *th = &blk->thread[running];
  size_t want = dynamic ? dynamic_bytes : bytes;
  int i = th->segments++;
  if (i < blk->n_seg) {
    if (blk->seg[i].bytes != want)
      fail("block (%u,%u,%u): threads reach different shared arrays", blockIdx.x, blockIdx.y,
           blockIdx.z);
    return arena_of(blk) + blk->seg[i].offset;
  }
  size_t room = (want + GAP - 1) / GAP * GAP + GAP;
  size_t total = want;
  for (int k = 0; k < blk->n_seg; k++) total += blk->seg[k].bytes;
  if (i >= SEGMENTS || total > PM_SIM_SHARED || (!dynamic && bytes > PM_SIM_STATIC_SHARED)) {
    fail("shared memory: %zu bytes in %d arrays: must be at most %d in %d (48 KiB static)", total,
         i + 1, PM_SIM_SHARED, SEGMENTS);
    wait_for(BLOCK, 0);
  }
  blk->seg[blk->n_seg++] = segment{blk->used, want};
  unsigned char *at = arena_of(blk) + blk->used;
  fill_poison(at, want);
  sim_poison(at + want, room - want);
  blk->used += room;
  return at;
}

} // namespace pm_sim_

extern "C" {

void pm_sim_seed(uint64_t seed)
{
  seed_now = seed;
  random_state = seed;
}

void pm_sim_rest(int rests) { resting = rests != 0; }

int pm_sim_failed(void) { return failed; }

const char *pm_sim_take_error(void)
{
  if (!failed)
    return NULL;
  failed = false;
  return message;
}
}
