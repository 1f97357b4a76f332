/* The part of the vocabulary's test (vocabulary.cu) about what is on its way: copies into shared memory,
 * words between the blocks of a cluster, launches that start early. */
#ifndef PM_TESTS_VOCABULARY_COPIES_H
#define PM_TESTS_VOCABULARY_COPIES_H
#include "../cuda/collective/cluster_gather.h"
#include "../cuda/lang/async_ring.h"
#include "../cuda/lang/bulk_ring.h"
#include "../cuda/lang/dependent_launch.h"
#include "../cuda/lang/row_buffer.h"
#include "../cuda/lang/shared_in_order.h"
#include "vocabulary.h"

/* ---------------------------------------------------------------- copies on their way */
KERNEL void REGISTERS_AT_MOST(64) cells(const float *x, unsigned seed, float *o)
{
  CELL_ARRAYS;
  CELLS(v, 0);
  PLAIN_CELLS(u, 1);
  for (int j = 0; j < 4; j++)
    EACH_THREAD (t) {
      const float *p = x + 4 * (j * BDIM + t);
      hold_up(seed, j);
      if (j < 2)
        CELL_FETCH4(v, p, j, j * BDIM, t);
      else if (j == 2) {
        CELL_FETCH1(v, 0, p, j, j * BDIM, t);
        CELL_FETCH1(v, 2, p + 2, j, j * BDIM, t);
        CELL_BLANK1(v, 1, j, j * BDIM, t);
        CELL_BLANK1(v, 3, j, j * BDIM, t);
      } else
        CELL_BLANK4(v, j, j * BDIM, t);
      PLAIN_STORE(u, LD4(p), j, j * BDIM, t);
    }
  copy_wait();
  for (int j = 0; j < 4; j++)
    EACH_THREAD (t) {
      ST4(o + 4 * (j * BDIM + t), CELL_TAKE(v, j, j * BDIM, t));
      ST4(o + 4 * ((4 + j) * BDIM + t), PLAIN_LOAD(u, j, j * BDIM, t));
    }
}
static void cells_of_threads(unsigned seed)
{
  LAUNCH_CELLS(2, cells, 1, B, 0, in, seed, out);
  must_be(32 * B, [](int i) {
    int j = i / 4 / B;
    return j < 2 || (j == 2 && i % 2 == 0) ? i + 1 : j < 4 ? 0 : i - 16 * B + 1;
  });
}
/* row r of the tests below is of 8 B elements, from 8 B r on */
KERNEL void buffered_rows(int rows, const float *x, unsigned seed, float *o)
{
  ROW_BUFFER(v, 1);
  for (int r = 0; r < rows; r++) {
    const float *p = x + 8 * BDIM * r;
    EACH_THREAD (t)
      BUFFER_FETCH4(v, p + 4 * t, 0, 0, t);
    buffer_send(EARLY);
    hold_up(seed, r);
    EACH_THREAD (t) {
      for (int i = 0; i < 3; i++)
        BUFFER_FETCH1(v, i, p + 4 * (BDIM + t) + i, 1, BDIM, t);
      BUFFER_SET1(v, 3, (float)r, 1, BDIM, t);
    }
    buffer_send(LATE);
    buffer_wait_but_newest();
    EACH_THREAD (t)
      ST4(o + 8 * BDIM * r + 4 * t, BUFFER_LOAD(v, 0, 0, t));
    EACH_THREAD (t)
      BUFFER_STORE(v, make_float4(1, 2, 3, 4), 0, 0, t);
    buffer_wait_all();
    EACH_THREAD (t)
      ST4(o + 8 * BDIM * r + 4 * (BDIM + t),
          plus4(BUFFER_LOAD(v, 1, BDIM, t), BUFFER_LOAD(v, 0, 0, t)));
  }
}
static void row_buffer(unsigned seed)
{
  LAUNCH_ROW_BUFFER(buffered_rows, 1, B, 8 * B, 0, 8, in, seed, out);
  must_be(64 * B, [](int i) {
    int late = i / (4 * B) % 2;
    return late && i % 4 == 3 ? i / (8 * B) + 4 : i + 1 + late * (i % 4 + 1);
  });
}
DEV void ring_row(ASYNC_RING_PARAM(v), int s, const float *p, unsigned seed)
{
  const int room = 2 * BDIM;
  hold_up(seed, s);
  EACH_THREAD (t)
    RING_FETCH4(v, s, room, p + 4 * t, 0, 0, t);
  EACH_THREAD (t) {
    for (int i = 0; i < 3; i++)
      RING_FETCH1(v, s, room, i, p + 4 * (BDIM + t) + i, 1, BDIM, t);
    RING_BLANK1(v, s, room, 3, 1, BDIM, t);
  }
}
KERNEL void THREADS_AND_BLOCKS(B, 1)
    ring_rows(int depth, int rows, const float *x, unsigned seed, float *o)
{
  ASYNC_RING(v, depth, 2 * BDIM);
  for (int s = 0; s < depth; s++) {
    ring_row(v, s, x + 8 * BDIM * s, seed);
    ring_send(s);
  }
  for (int r = 0; r < rows; r++) {
    const int s = r % depth;
    ring_wait(s, depth);
    EACH_THREAD (t) {
      ST4(o + 8 * BDIM * r + 4 * t, RING_LOAD(v, s, 2 * BDIM, 0, 0, t));
      ST4(o + 8 * BDIM * r + 4 * (BDIM + t), RING_LOAD(v, s, 2 * BDIM, 1, BDIM, t));
    }
    if (r + depth < rows)
      ring_row(v, s, x + 8 * BDIM * (r + depth), seed);
    ring_send(s);
  }
}
static void ring_of(int depth, unsigned seed)
{
  LAUNCH_SHARED(ring_rows, 1, B, 16 * 2 * B * depth, 0, depth, 9, in, seed, out);
  must_be(72 * B, [](int i) { return i / (4 * B) % 2 && i % 4 == 3 ? 0 : i + 1; });
}
static void async_ring_1(unsigned seed) { ring_of(1, seed); }
static void async_ring_2(unsigned seed) { ring_of(2, seed); }
/* Three stages; thread t of each fetches what its neighbour takes, behind a barrier. */
KERNEL void groups(int rows, const float *x, unsigned seed, float *o)
{
  DYNAMIC(float, ring);
  for (int r = 0; r < 2; r++) {
    copy_async4(ring + 4 * (r * BDIM + TID_), x + 4 * (r * BDIM + TID_));
    copy_send();
  }
  for (int r = 0; r < rows; r++) {
    hold_up(seed, r);
    copy_wait_but<1>();
    __syncthreads();
    int next = (TID_ + 1) % BDIM;
    float *mine = ring + 4 * (r % 3 * BDIM + TID_), *other = ring + 4 * (r % 3 * BDIM + next);
    float4 v = load4_in_order(other);
    __syncthreads();
    store_in_order(mine + 1, 7.0f); /* behind the neighbour's load, before this one's own */
    v.y = load4_in_order(mine).y;
    ST4(o + 4 * (r * BDIM + next), v);
    if (r + 2 < rows)
      copy_async4(ring + 4 * ((r + 2) % 3 * BDIM + TID_), x + 4 * ((r + 2) * BDIM + TID_));
    copy_send();
  }
}
static void copy_groups(unsigned seed)
{
  LAUNCH_SHARED(groups, 1, B, 3 * 16 * B, 0, 9, in, seed, out);
  must_be(36 * B, [](int i) { return i % 4 == 1 ? 7 : i + 1; });
}
enum { ROOM = B + 4 };
/* part 0: a row and four cells more, part 1: its second half again */
DEV void bulk_row(BULK_RING_PARAM(v), arrival *on, int r, const float *x)
{
  const int s = r % STAGE_COUNT;
  BULK_COPY(v, x + B * r, B, 2 * s, ROOM, on);
  for (int c = B; c < ROOM; c++)
    BULK_SET(v, (float)(c + r), 2 * s, ROOM, c);
  BULK_COPY(v, x + B * r + B / 2, B / 2, 2 * s + 1, ROOM, on);
  BULK_SEND(on, s);
}
DEV void bulk_begin(BULK_RING_PARAM(v), arrival *on, const float *x)
{
  BULK_RING_OPEN(on);
  for (int r = 0; r < STAGE_COUNT; r++)
    bulk_row(v, on, r, x);
}
KERNEL void bulk_rows(int rows, const float *x, unsigned seed, float *o)
{
  BULK_RING(v, ROOM);
  ARRIVALS(on);
  BY_THREAD(0) bulk_begin(v, on, x);
  bulk_ring_meet();
  for (int r = 0; r < rows; r++) {
    const int s = r % STAGE_COUNT;
    BULK_WAIT(on, s, r / STAGE_COUNT & 1);
    hold_up(seed, r);
    EACH_THREAD (t) {
      STG(o + 2 * BDIM * r + t, BULK_LOAD(v, 2 * s, ROOM, 4, 0, t));
      if (t < B / 2)
        STG(o + 2 * BDIM * r + BDIM + t, BULK_LOAD(v, 2 * s + 1, ROOM, 0, 0, t));
    }
    PHASE (t)
      hold_up(seed, 100 + r);
    if (r + STAGE_COUNT < rows)
      BY_THREAD(0) bulk_row(v, on, r + STAGE_COUNT, x);
  }
}
static void bulk_ring(unsigned seed)
{
  LAUNCH_SHARED(bulk_rows, 1, B, stage_bytes(ROOM), 0, 20, in, seed, out);
  must_be(40 * B, [](int i) {
    int r = i / (2 * B), c = i % (2 * B) + 4;
    if (c >= B + 4)
      return c - 4 - B < B / 2 ? B * r + B / 2 + c - 4 - B + 1 : 0;
    return c < B ? B * r + c + 1 : c + r;
  });
}

/* ---------------------------------------------------------------- clusters and launches */
KERNEL void exchanged(int in_cluster, int turns, unsigned seed, float *o)
{
  EXCHANGE(box);
  const int rank = (int)(blockIdx.x % (unsigned)in_cluster);
  exchange_open(box, rank);
  hold_up(seed, 1000);
  exchange_join(box);
  for (int turn = 0; turn < turns; turn++) {
    PHASE (t)
      hold_up(seed, turn); /* behind the turn before */
    EACH_THREAD (t)
      if (t < in_cluster)
        exchange_post(box, turn, rank, t,
                      make_float2((float)(100 * turn + rank), (float)(blockIdx.x + 1)));
    exchange_expect(box, turn, in_cluster);
    hold_up(seed, 100 + turn);
    exchange_await(box, turn);
    EACH_THREAD (t) {
      float sum = 0;
      for (int k = 0; k < in_cluster; k++)
        sum += (float)(k + 1) * exchange_get(box, turn, k).x + exchange_get(box, turn, k).y;
      STG(o + (turn * (int)gridDim.x + (int)blockIdx.x) * BDIM + t, sum);
    }
  }
}
template <int IN_CLUSTER> static void exchange(unsigned seed)
{
  LAUNCH_CLUSTERS(exchanged, IN_CLUSTER, 16, 64, 0, 0, IN_CLUSTER, 12, seed, out);
  must_be(12 * 16 * 64, [](int i) {
    int turn = i / 1024, first = i / 64 % 16 / IN_CLUSTER * IN_CLUSTER, sum = 0;
    for (int k = 0; k < IN_CLUSTER; k++)
      sum += (k + 1) * (100 * turn + k) + first + k + 1;
    return sum;
  });
}
KERNEL void slow_write(const float *x, float *o)
{
  others_may_start();
  hold_up_all();
  EACH_GRID_THREAD (g)
    STG(o + g, LDG(x + g));
}
KERNEL void read_after(float *o)
{
  await_launches();
  EACH_GRID_THREAD (g)
    STG(o + 4096 + g, LDG(o + GSIZE - 1 - g));
}
static void await_launch(unsigned)
{
  LAUNCH(slow_write, 4, B, 0, in, out);
  LAUNCH_AFTER(read_after, 4, B, 0, out);
  must_be(4096 + 4 * B, [](int i) {
    return i < 4 * B ? i + 1 : i < 4096 ? 0 : 4 * B - (i - 4096);
  });
}
#endif
