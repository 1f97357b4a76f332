/* Shared-memory row buffer filled by cp.async in two commit groups: a row in slots of four cells,
 * while the next row arrives there. Slot j0 + t, where j0 == mul(j, BDIM), is slot j of thread t,
 * from arrival to departure: no barrier guards it, and the next row's may arrive in it as soon as
 * it is free. A thread's slots are two batches, the early ones and the late ones, each of which
 * is sent for and waited for as a whole.
 *
 *   LAUNCH_ROW_BUFFER(kernel, grid, block, cols, stream, ...)   LAUNCH of a kernel of such rows
 *   ROW_BUFFER(v, n)        the slots, slots j < n of each thread the early ones;
 *                           ROW_BUFFER_PARAM(v) as a
 *                      parameter
 *   BUFFER_FETCH4(v, p, j, j0, t)     the slot = the four floats at p, 16-byte aligned, and
 *   BUFFER_FETCH1(v, i, p, j, j0, t)  cell i of it = *p, once that is waited for
 *   BUFFER_SET1(v, i, u, j, j0, t)    cell i of it = u, at once
 *   BUFFER_LOAD(v, j, j0, t)          the slot
 *   BUFFER_STORE(v, u, j, j0, t)        the slot = u
 *   buffer_send(EARLY or LATE)       what was fetched since the last is that batch
 *   buffer_wait_but_newest()         for all batches but the one sent last
 *   buffer_wait_all()                for all that was fetched, sent or not
 * A batch is fetched in the order of the slots, all threads' slot j before slot j + 1: that no
 * slot is read, and none fetched into, while a copy into it is on its way shows in that. */
#ifndef PM_LANG_ROW_BUFFER_H
#define PM_LANG_ROW_BUFFER_H
#include "async_copy.h"

#define BUFFER_COLS 57856  /* elements of a row, at most: 227 KiB less 1 */
#define BUFFER_VEC4S 14472 /* of such a row, wherever it begins */
#define EARLY 0
#define LATE 1

#ifdef __FRAMAC__
extern int slots_;        /* slots that the launch gave the block */
extern int early_slots_;  /* of a thread */
extern int early_, late_; /* of each batch: WAY_.. */
extern int newest_;       /* the batch sent last */
extern int fetched_;      /* of a batch that is not sent: no cell from this one on was fetched */
enum { WAY_NONE, WAY_OPEN, WAY_SENT };
#define ROW_BUFFER(v, n)     \
  float v[4 * BUFFER_VEC4S]; \
  buffer_begin_(n)
#define ROW_BUFFER_PARAM(v) float *v
#define BUFFER_FETCH4(v, p, j, j0, t) \
  buffer_fetch4_(v + buffer_at_(j, j0, t), p, j, buffer_at_(j, j0, t))
#define BUFFER_FETCH1(v, i, p, j, j0, t) \
  buffer_fetch1_(v + buffer_at_(j, j0, t) + (i), p, j, buffer_at_(j, j0, t) + (i))
#define BUFFER_SET1(v, i, u, j, j0, t) \
  buffer_set1_(v + buffer_at_(j, j0, t) + (i), u, j, buffer_at_(j, j0, t) + (i))
#define BUFFER_LOAD(v, j, j0, t) buffer_take_(v + buffer_at_(j, j0, t), j, buffer_at_(j, j0, t))
#define BUFFER_STORE(v, u, j, j0, t) \
  buffer_put_(v + buffer_at_(j, j0, t), u, j, buffer_at_(j, j0, t))

/*@ // slot j of thread t
    predicate slot_at{L}(integer j, integer j0, integer t) =
      block && 0 <= t < bdim_ && 0 <= j && j0 == mul(j,bdim_) && 0 <= j0 && j0 + t < slots_ &&
      slots_ <= BUFFER_VEC4S;
    // no copy is on its way into cells from number c on of slots j of the threads
    predicate slot_free{L}(integer j, integer c) =
      j < early_slots_ ? early_ == WAY_NONE || (early_ == WAY_OPEN && fetched_ <= c)
                       : late_ == WAY_NONE || (late_ == WAY_OPEN && fetched_ <= c);
    // nor has one of the other batch begun that is not sent
    predicate slot_open{L}(integer j, integer c) = slot_free{L}(j,c) &&
      (j < early_slots_ ? late_ : early_) != WAY_OPEN;
    // copies into cells below number c
    predicate slot_began{L0,L}(integer j, integer c) = \at(fetched_,L) == c &&
      (j < \at(early_slots_,L) ? \at(early_,L) == WAY_OPEN && \at(late_,L) == \at(late_,L0)
                        : \at(late_,L) == WAY_OPEN && \at(early_,L) == \at(early_,L0)); */
/*@ requires 0 <= n;
    assigns early_slots_, early_, late_;
    ensures early_slots_ == n && early_ == WAY_NONE && late_ == WAY_NONE; */
void buffer_begin_(int n);
/*@ requires slot_at(j,j0,t); assigns \nothing; ensures \result == 4*(j0+t); */
int buffer_at_(int j, int j0, int t);
/*@ requires \valid(d + (0 .. 3)) && \valid_read(p + (0 .. 3)) && aligned16(p);
    requires R(p) && R(p+1) && R(p+2) && R(p+3) && slot_open(j,c);
    assigns d[0 .. 3], early_, late_, fetched_;
    ensures slot_began{Pre,Post}(j,c+4) && d[0] == \old(p[0]) && d[1] == \old(p[1]);
    ensures d[2] == \old(p[2]) && d[3] == \old(p[3]); */
void buffer_fetch4_(float *d, const float *p, int j, int c);
/*@ requires \valid(d) && \valid_read(p) && R(p) && slot_open(j,c);
    assigns *d, early_, late_, fetched_;
    ensures slot_began{Pre,Post}(j,c+1) && *d == \old(*p); */
void buffer_fetch1_(float *d, const float *p, int j, int c);
/*@ requires \valid(d) && slot_open(j,c);
    assigns *d, early_, late_, fetched_;
    ensures slot_began{Pre,Post}(j,c+1) && *d == u; */
void buffer_set1_(float *d, float u, int j, int c);
/*@ requires \valid_read(d + (0 .. 3)) && slot_free(j,c);
    assigns \nothing;
    ensures \result.x == d[0] && \result.y == d[1] && \result.z == d[2] && \result.w == d[3]; */
float4 buffer_take_(const float *d, int j, int c);
/*@ requires \valid(d + (0 .. 3)) && slot_free(j,c);
    assigns d[0 .. 3];
    ensures d[0] == u.x && d[1] == u.y && d[2] == u.z && d[3] == u.w; */
void buffer_put_(float *d, float4 u, int j, int c);
/*@ requires batch == EARLY || batch == LATE;
    requires (batch == EARLY ? late_ : early_) != WAY_OPEN;
    assigns early_, late_, newest_;
    ensures newest_ == batch;
    ensures early_ == (batch == EARLY ? WAY_SENT : \old(early_));
    ensures late_ == (batch == EARLY ? \old(late_) : WAY_SENT); */
void buffer_send(int batch);
/*@ requires early_ != WAY_OPEN && late_ != WAY_OPEN;
    assigns early_, late_;
    ensures early_ == (newest_ == EARLY ? \old(early_) : WAY_NONE);
    ensures late_ == (newest_ == EARLY ? WAY_NONE : \old(late_)); */
void buffer_wait_but_newest(void);
/*@ assigns early_, late_; ensures early_ == WAY_NONE && late_ == WAY_NONE; */
void buffer_wait_all(void);
#else
DEV void buffer_send(int) { copy_send(); }
DEV void buffer_wait_but_newest() { copy_wait_but<1>(); }
DEV void buffer_wait_all() { copy_wait(); }
#define ROW_BUFFER(v, n) DYNAMIC(float, v)
#define ROW_BUFFER_PARAM(v) float *v
#define BUFFER_AT_(v, j, j0, t) ((v) + ((void)(j), 4 * ((j0) + (t))))
#define BUFFER_FETCH4(v, p, j, j0, t) copy_async4(BUFFER_AT_(v, j, j0, t), p)
#define BUFFER_FETCH1(v, i, p, j, j0, t) copy_async(BUFFER_AT_(v, j, j0, t) + (i), p)
#define BUFFER_SET1(v, i, u, j, j0, t) ST(BUFFER_AT_(v, j, j0, t) + (i), u)
#define BUFFER_LOAD(v, j, j0, t) LD4(BUFFER_AT_(v, j, j0, t))
#define BUFFER_STORE(v, u, j, j0, t) STS4(BUFFER_AT_(v, j, j0, t), u)
/* Wherever a row of so many begins: it leaves up to 31 cells before it. */
static inline int64_t buffer_vec4s_at_most(int64_t cols) { return (cols + 34) / 4; }
#define LAUNCH_ROW_BUFFER(kernel, grid, block, cols, stream, ...) \
  LAUNCH_SHARED(kernel, grid, block, 16 * buffer_vec4s_at_most(cols), stream, __VA_ARGS__)
#endif
#endif
