/* Multistage ring of shared memory filled by bulk copies (TMA) with mbarriers: rows arrive while
 * one is at work: STAGE_COUNT stages of two parts, each with `room` cells, a multiple of 4.
 * Stages take turns: the one that was sent for longest ago is waited for, taken, and makes room
 * for what is fetched next, by one thread, with copies of whole vectors that an `arrival`
 * (cluster_exchange.h) counts.
 *
 *   BULK_RING(v, room)    the cells; BULK_RING_PARAM(v) as a parameter
 *   ARRIVALS(on)       an arrival for each stage; `arrival *on` as a parameter
 *   BY_THREAD(t) f(..);  by thread t of the block alone
 *   BULK_RING_OPEN(on)    by one thread, before it fetches; bulk_ring_meet(), a barrier of the block,
 *                         comes
 *                      behind it before anyone waits
 *   BULK_COPY(v, p, n, part, room, on)      cells 0 .. n-1 of part `part` = p[0 .. n-1], 16-byte
 *                      aligned and of whole vectors, once they are waited for: parts 2s and 2s + 1
 *                      are stage s, whose turn it is
 *   BULK_SET(v, u, part, room, c)           cell c = u, likewise
 *   BULK_SEND(on, s)  by the same thread: that is all; the next stage has its turn
 *   BULK_WAIT(on, s, round)   by all threads, for what was fetched into stage s, whose turn it is,
 *                             and
 *                      which had an even number of rounds before (round 0) or an odd one (1)
 *   BULK_LOAD(v, part, room, lead, j0, t)   cell lead + j0 + t
 * A part is fetched in the order of its cells, and behind a barrier of the block that comes
 * after it was taken, that of exchange_put (collective/cluster_sum.h): that no cell is read, and
 * none fetched into, while a copy into it is on its way, and none fetched into that another
 * thread may read, shows in that. */
#ifndef PM_LANG_BULK_RING_H
#define PM_LANG_BULK_RING_H
#include "cluster_exchange.h"

enum {
  STAGE_COUNT = 3,
  STAGE_ROOM = 6664, /* of a part, at most */
  STAGE_CELLS = 2 * STAGE_COUNT * STAGE_ROOM
};

#ifdef __FRAMAC__
extern int stage_cells_; /* that the launch gave the block */
extern int stage_room_;  /* of a part */
extern int stage_;       /* whose turn it is */
extern int stage_way_;   /* what is on its way there: WAY_.. */
extern int stage_round_; /* of what is on its way there: the number of its rounds before, mod 2 */
extern int stages_sent_; /* so far, up to all of them */
extern int stages_met_;  /* whether all threads know of the arrivals */
extern int
    stage_taken_; /* turns that the block had put (cluster_exchange.h) when a cell was last read */
/* Of a stage that is not sent: no cell of this part from this one on was fetched. */
extern int stage_part_, stage_cell_;
enum { WAY_NONE, WAY_OPEN, WAY_SENT };
typedef int arrival;
#define BULK_RING(v, room) \
  float v[STAGE_CELLS];    \
  bulk_ring_begin_(room)
#define BULK_RING_PARAM(v) float *v
#define ARRIVALS(on) arrival on[STAGE_COUNT]
#define BY_THREAD(t) by_thread_(t);
#define BULK_RING_OPEN(on) bulk_ring_open_()
#define BULK_COPY(v, p, n, part, room, on) stage_copy_(v + stage_at_(part, room, 0), p, n, part)
#define BULK_SET(v, u, part, room, c) stage_set_(v + stage_at_(part, room, c), u, part, c)
#define BULK_SEND(on, s) stage_send_(s)
#define BULK_WAIT(on, s, round) stage_wait_(s, round)
#define BULK_LOAD(v, part, room, lead, j0, t) \
  stage_take_(v + stage_at_(part, room, (lead) + (t) + (j0)), part)

/*@ // the stage that has its turn, of which this is a part
    predicate stage_part{L}(integer part) =
      0 <= stage_ < STAGE_COUNT && 2*stage_ <= part <= 2*stage_ + 1;
    // it may be fetched into: nobody reads it
    predicate stage_left{L} = stages_sent_ < STAGE_COUNT || stage_taken_ < put_;
    // and no copy is on its way into cells of a part from number c on
    predicate stage_open{L}(integer part, integer c) = stage_part{L}(part) && stage_left{L} &&
      (stage_way_ == WAY_NONE || (stage_way_ == WAY_OPEN &&
        (stage_part_ < part || (stage_part_ == part && stage_cell_ <= c))));
    // all stages are on their way, this one since longest
    predicate stages_sent{L}(integer s, integer round) = 0 <= s < STAGE_COUNT && stage_ == s &&
      stages_sent_ == STAGE_COUNT && stage_way_ == WAY_SENT && stages_met_ == 1 &&
      stage_round_ == round && 0 <= round <= 1;
    // where a part has cell c: it has room for STAGE_ROOM here
    logic integer stage_cell(integer part, integer c) = part*STAGE_ROOM + c;
    logic integer stage_next(integer s) = s + 1 < STAGE_COUNT ? s + 1 : 0;
    logic integer stage_round(integer s, integer round) =
      s + 1 < STAGE_COUNT ? round : 1 - round; */
/*@ requires 0 <= room <= STAGE_ROOM && room % 4 == 0 && 2*STAGE_COUNT*room <= stage_cells_;
    assigns stage_room_;
    ensures stage_room_ == room; */
void bulk_ring_begin_(int room);
/*@ requires 0 <= t < bdim_; assigns \nothing; */
void by_thread_(int t);
/*@ assigns stage_, stage_way_, stage_round_, stages_sent_, stages_met_, stage_taken_;
    ensures stage_ == 0 && stage_taken_ == -1 && stage_way_ == WAY_NONE;
    ensures stage_round_ == 0 && stages_sent_ == 0 && stages_met_ == 0; */
void bulk_ring_open_(void);
/*@ assigns stages_met_; ensures stages_met_ == 1; */
void bulk_ring_meet(void);
/*@ requires 0 <= c < room && room == stage_room_ && room <= STAGE_ROOM && stage_part(part);
    assigns \nothing;
    ensures 0 <= \result < STAGE_CELLS - (room - c - 1) && \result == stage_cell(part,c); */
int stage_at_(int part, int room, int c);
/*@ requires 0 < n <= stage_room_ && n % 4 == 0 && \valid(d + (0 .. n-1)) && aligned16(p);
    requires \valid_read(p + (0 .. n-1)) && perm_r(p,n) && stage_open(part,0);
    requires \separated(d + (0 .. n-1), p + (0 .. n-1));
    assigns d[0 .. n-1], stage_way_, stage_part_, stage_cell_;
    ensures \forall integer i; 0 <= i < n ==> d[i] == p[i];
    ensures stage_way_ == WAY_OPEN && stage_part_ == part && stage_cell_ == n; */
void stage_copy_(float *d, const float *p, int n, int part);
/*@ requires \valid(d) && stage_open(part,c);
    assigns *d, stage_way_, stage_part_, stage_cell_;
    ensures stage_way_ == WAY_OPEN && stage_part_ == part && stage_cell_ == c + 1 && *d == u; */
void stage_set_(float *d, float u, int part, int c);
/*@ requires s == stage_ && stage_way_ != WAY_SENT && 0 <= stage_ < STAGE_COUNT && stage_left;
    requires 0 <= stages_sent_ <= STAGE_COUNT && 0 <= stage_round_ <= 1;
    assigns stage_, stage_way_, stage_round_, stages_sent_;
    ensures stage_ == stage_next(s);
    ensures stages_sent_ == (\old(stages_sent_) < STAGE_COUNT ? \old(stages_sent_) + 1
                                                              : STAGE_COUNT);
    ensures stage_round_ == (\old(stages_sent_) < STAGE_COUNT ? \old(stage_round_)
                                                              : stage_round(s,\old(stage_round_)));
    ensures stage_way_ == (stages_sent_ < STAGE_COUNT ? WAY_NONE : WAY_SENT); */
void stage_send_(int s);
/*@ requires stages_sent(s,round);
    assigns stage_way_;
    ensures stage_way_ == WAY_NONE; */
void stage_wait_(int s, int round);
/*@ requires \valid_read(d) && stage_part(part) && stage_way_ == WAY_NONE;
    requires stages_sent_ == STAGE_COUNT;
    assigns stage_taken_;
    ensures \result == *d && stage_taken_ == put_; */
float stage_take_(const float *d, int part);
#else
#define BULK_RING(v, room) DYNAMIC(float, v)
#define BULK_RING_PARAM(v) float *v
#define ARRIVALS(on) SHARED(arrival, on, STAGE_COUNT)
#define BY_THREAD(t) if (TID_ == (t))
#define BULK_RING_OPEN(on) \
  for (int i_ = 0; i_ < STAGE_COUNT; i_++) arrival_open((on) + i_)
DEV void bulk_ring_meet() { __syncthreads(); }
#define BULK_COPY(v, p, n, part, room, on) copy_bulk((v) + (part) * (room), p, n, (on) + (part) / 2)
#define BULK_SET(v, u, part, room, c) ST((v) + (part) * (room) + (c), u)
#define BULK_SEND(on, s) arrival_close((on) + (s))
#define BULK_WAIT(on, s, round) arrival_await((on) + (s), round)
#define BULK_LOAD(v, part, room, lead, j0, t) LD((v) + (part) * (room) + (lead) + (t) + (j0))
static inline int64_t stage_bytes(int64_t room) { return 4 * 2 * STAGE_COUNT * room; }
#endif
#endif
