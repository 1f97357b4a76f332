/* A ring of stages in a block's dynamic shared memory, filled by cp.async: while one is at work,
 * what the others take next arrives there. A stage is cells of four floats. Cell j0 + t of one,
 * where j0 == mul(j, BDIM), is cell j of thread t throughout: no barrier guards it, and what
 * comes next may arrive in it as soon as it was taken.
 *
 *   ASYNC_RING(v, depth, room)   `depth` stages, RING_MOST at most, of `room` cells each;
 *                      ASYNC_RING_PARAM(v) as a parameter
 *   RING_FETCH4(v, s, room, p, j, j0, t)      cell j of stage s, whose turn it is, = the four
 *                                             floats
 *                      at p, 16-byte aligned, and
 *   RING_FETCH1(v, s, room, i, p, j, j0, t)   element i of it = *p, once that is waited for
 *   RING_BLANK1(v, s, room, i, j, j0, t)      element i = 0
 *   RING_LOAD(v, s, room, j, j0, t)           the cell
 *   ring_send(s)       what was fetched since the last is the stage's; the next one has its turn
 *   ring_wait(s, depth)   for what was sent for stage s, whose turn it is, all stages having been
 *                      sent
 *   THREADS_AND_BLOCKS(n, m)   THREADS_AT_MOST(n) of a KERNEL of which m blocks are to fit side by
 *                      side
 * A stage is fetched in the order of its cells, all threads' cell j before cell j + 1: that no cell
 * is read, and none fetched into, while a copy into it is on its way shows in that. */
#ifndef PM_LANG_ASYNC_RING_H
#define PM_LANG_ASYNC_RING_H
#include "async_copy.h"
#include "shared_size.h"

enum { RING_MOST = 2, RING_BLOCK = 512 /* threads of a block, at most */ };

#ifdef __FRAMAC__
extern int turn_cells_; /* that the launch gave the block */
extern int turn_depth_; /* stages */
extern int turn_room_;  /* cells of each */
extern int turn_;       /* the stage that has its turn */
extern int turns_sent_; /* stages that were sent so far, up to all of them */
extern int turn_way_;   /* whether something may be on its way there that was sent */
extern int
    turn_fetched_; /* of what is not sent: no element of the stage from this one on was fetched */
/* A cell is four elements of an array that has SHARED_VEC4S cells for each stage. */
#define ASYNC_RING(v, depth, room)       \
  float v[4 * RING_MOST * SHARED_VEC4S]; \
  ring_begin_(depth, room)
#define ASYNC_RING_PARAM(v) float *v
#define THREADS_AND_BLOCKS(n, m)
#define RING_FETCH4(v, s, room, p, j, j0, t) \
  ring_fetch4_(v + ring_cell_(s, room, j, j0, t), p, s, 4 * ((j0) + (t)))
#define RING_FETCH1(v, s, room, i, p, j, j0, t) \
  ring_fetch1_(v + ring_cell_(s, room, j, j0, t) + (i), p, s, 4 * ((j0) + (t)) + (i))
#define RING_BLANK1(v, s, room, i, j, j0, t) \
  ring_blank1_(v + ring_cell_(s, room, j, j0, t) + (i), s, 4 * ((j0) + (t)) + (i))
#define RING_LOAD(v, s, room, j, j0, t) \
  ring_take_(v + ring_cell_(s, room, j, j0, t), s, 4 * ((j0) + (t)))

/*@ // stage s has its turn, and no copy is on its way into its elements from number i on
    predicate turn_free{L}(integer s, integer i) =
      turn_ == s && turn_way_ == 0 && turn_fetched_ <= i;
    // what the launch gave is for so many stages
    predicate turn_stages{L}(integer depth, integer room) =
      1 <= turn_depth_ <= RING_MOST && turn_depth_ == depth && turn_room_ == room &&
      0 <= room <= SHARED_VEC4S && 0 <= turn_ < turn_depth_ && 0 <= turns_sent_ <= turn_depth_;
    // all stages were sent, this one longest ago
    predicate turns_sent{L}(integer s) = turn_ == s && turns_sent_ == turn_depth_ && turn_way_ == 1;
    logic integer turn_next(integer s, integer depth) = s + 1 < depth ? s + 1 : 0;
    // the cells of stage s
    logic float *turn_cells(float *v, integer s) = v + 4*SHARED_VEC4S*s; */
/*@ requires 1 <= depth <= RING_MOST && 0 <= room &&
      ix(depth,room,0) <= turn_cells_ <= SHARED_VEC4S;
    assigns turn_depth_, turn_room_, turn_, turns_sent_, turn_way_, turn_fetched_;
    ensures turn_stages(depth,room) && turns_sent_ == 0;
    ensures turn_ == 0 && turn_way_ == 0 && turn_fetched_ == 0; */
void ring_begin_(int depth, int room);
/*@ requires turn_stages(turn_depth_,room) && s == turn_ && 0 <= t < bdim_ && 0 <= j;
    requires j0 == mul(j,bdim_) && 0 <= j0 && j0 + t < room;
    assigns \nothing;
    ensures 0 <= \result <= 4*RING_MOST*SHARED_VEC4S - 4 &&
      \result == 4*SHARED_VEC4S*s + 4*(j0+t); */
int ring_cell_(int s, int room, int j, int j0, int t);
/*@ requires \valid(d + (0 .. 3)) && \valid_read(p + (0 .. 3)) && aligned16(p) && turn_free(s,i);
    requires R(p) && R(p+1) && R(p+2) && R(p+3);
    assigns d[0 .. 3], turn_fetched_;
    ensures d[0] == \old(p[0]) && d[1] == \old(p[1]) && d[2] == \old(p[2]);
    ensures d[3] == \old(p[3]) && turn_fetched_ == i + 4; */
void ring_fetch4_(float *d, const float *p, int s, int i);
/*@ requires \valid(d) && \valid_read(p) && R(p) && turn_free(s,i);
    assigns *d, turn_fetched_;
    ensures *d == \old(*p) && turn_fetched_ == i + 1; */
void ring_fetch1_(float *d, const float *p, int s, int i);
/*@ requires \valid(d) && turn_free(s,i);
    assigns *d, turn_fetched_;
    ensures *d == 0.0 && turn_fetched_ == i + 1; */
void ring_blank1_(float *d, int s, int i);
/*@ requires \valid_read(d + (0 .. 3)) && turn_free(s,i);
    assigns \nothing;
    ensures \result.x == d[0] && \result.y == d[1] && \result.z == d[2] && \result.w == d[3]; */
float4 ring_take_(const float *d, int s, int i);
/*@ requires s == turn_ && turn_way_ == 0 && 0 <= turns_sent_ <= turn_depth_ <= RING_MOST;
    assigns turn_, turns_sent_, turn_way_, turn_fetched_;
    ensures turn_ == turn_next(s,turn_depth_) && turn_fetched_ == 0;
    ensures turns_sent_ == (\old(turns_sent_) < turn_depth_ ? \old(turns_sent_) + 1 : turn_depth_);
    ensures turn_way_ == (turns_sent_ < turn_depth_ ? 0 : 1); */
void ring_send(int s);
/*@ requires turns_sent(s) && depth == turn_depth_;
    assigns turn_way_;
    ensures turn_way_ == 0; */
void ring_wait(int s, int depth);
#else
#define ASYNC_RING(v, depth, room) DYNAMIC(float4, v)
#define ASYNC_RING_PARAM(v) float4 *v
#define THREADS_AND_BLOCKS(n, m) __launch_bounds__(n, m)
#define RING_AT_(v, s, room, j, j0, t) (&(v)[(void)(j), (s) * (room) + (j0) + (t)].x)
#define RING_FETCH4(v, s, room, p, j, j0, t) copy_async4(RING_AT_(v, s, room, j, j0, t), p)
#define RING_FETCH1(v, s, room, i, p, j, j0, t) copy_async(RING_AT_(v, s, room, j, j0, t) + (i), p)
#define RING_BLANK1(v, s, room, i, j, j0, t) ST(RING_AT_(v, s, room, j, j0, t) + (i), 0.0f)
#define RING_LOAD(v, s, room, j, j0, t) LD4(RING_AT_(v, s, room, j, j0, t))
DEV void ring_send(int) { copy_send(); }
/* A batch of every other stage was sent behind it. */
DEV void ring_wait(int, int depth)
{
  if (depth == 1)
    copy_wait_but<0>();
  else
    copy_wait_but<1>();
}
#endif
#endif
