/* Rows on their way into a block's dynamic shared memory while one is at work: STAGES stages of two
 * parts, each with `room` cells. Cell j0 + t of a part, where j0 == mul(j, BDIM), is lane t's from
 * arrival to departure: no barrier guards it. Stages take turns: the one that was sent for longest
 * ago is waited for, taken, and makes room for what is fetched next.
 *
 *   STAGES(v, room)    the cells; LANE_STAGES(v) as a parameter
 *   STAGE_FETCH(v, p, part, room, j, j0, t)     cell j0 + t of part `part` = *p, once that is waited
 *                      for: parts 2s and 2s + 1 are stage s, whose turn it is
 *   STAGE_TAKE(v, part, room, j, j0, t)         that cell
 *   stage_send()       what was fetched since the last is on its way; the next stage has its turn
 *   stage_wait()       for what was fetched into the stage whose turn it is
 * A stage is fetched in the order of its cells, all lanes' cells j before cells j + 1: that none is
 * read, and none fetched into, while a copy into it is on its way shows in that. */
#ifndef PM_STAGES_H
#define PM_STAGES_H
#include "cells.h"

enum {
  STAGE_COUNT = 3,
  STAGE_ROOM = 6656, /* of a part, at most */
  STAGE_CELLS = 2 * STAGE_COUNT * STAGE_ROOM
};

#ifdef __FRAMAC__
extern int stage_cells_; /* that the launch gave the block */
extern int stage_room_;  /* of a part */
extern int stage_;       /* whose turn it is */
extern int stage_way_;   /* what is on its way there: WAY_.. */
extern int stages_sent_; /* so far, up to all of them */
/* Of a stage that is not sent: no cell of this part from this one on was fetched. */
extern int stage_part_, stage_cell_;
enum { WAY_NONE, WAY_OPEN, WAY_SENT };
#define STAGES(v, room)  \
  float v[STAGE_CELLS];  \
  stages_begin_(room)
#define LANE_STAGES(v) float *v
#define STAGE_FETCH(v, p, part, room, j, j0, t) \
  stage_fetch_(v + stage_at_(part, room, j, j0, t), p, part, j0 + t)
#define STAGE_TAKE(v, part, room, j, j0, t) stage_take_(v + stage_at_(part, room, j, j0, t), part)

/*@ // the stage that has its turn, of which this is a part
    predicate stage_part{L}(integer part) =
      0 <= stage_ < STAGE_COUNT && 2*stage_ <= part <= 2*stage_ + 1;
    // no copy is on its way into cells of a part from number c on
    predicate stage_open{L}(integer part, integer c) = stage_part{L}(part) &&
      (stage_way_ == WAY_NONE || (stage_way_ == WAY_OPEN &&
        (stage_part_ < part || (stage_part_ == part && stage_cell_ <= c))));
    // all stages are on their way, this one since longest
    predicate stages_sent{L}(integer s) = 0 <= s < STAGE_COUNT && stage_ == s &&
      stages_sent_ == STAGE_COUNT && stage_way_ == WAY_SENT;
    logic integer stage_next(integer s) = s + 1 < STAGE_COUNT ? s + 1 : 0; */
/*@ requires 0 <= room <= STAGE_ROOM && 2*STAGE_COUNT*room <= stage_cells_;
    assigns stage_room_, stage_, stage_way_, stages_sent_;
    ensures stage_room_ == room && stage_ == 0 && stage_way_ == WAY_NONE && stages_sent_ == 0; */
void stages_begin_(int room);
/*@ requires block && 0 <= t < bdim_ && 0 <= j && j0 == mul(j,bdim_) && 0 <= j0;
    requires j0 + t < room && room == stage_room_ && room <= STAGE_ROOM && stage_part(part);
    assigns \nothing;
    ensures 0 <= \result < STAGE_CELLS && \result == ix(part,room,j0+t); */
int stage_at_(int part, int room, int j, int j0, int t);
/*@ requires \valid(d) && \valid_read(p) && R(p) && stage_open(part,c);
    assigns *d, stage_way_, stage_part_, stage_cell_;
    ensures stage_way_ == WAY_OPEN && stage_part_ == part && stage_cell_ == c + 1;
    ensures *d == \old(*p); */
void stage_fetch_(float *d, const float *p, int part, int c);
/*@ requires \valid_read(d) && stage_part(part) && stage_way_ == WAY_NONE;
    assigns \nothing;
    ensures \result == *d; */
float stage_take_(const float *d, int part);
/*@ requires stage_way_ != WAY_SENT && 0 <= stage_ < STAGE_COUNT;
    requires 0 <= stages_sent_ <= STAGE_COUNT;
    assigns stage_, stage_way_, stages_sent_;
    ensures stage_ == stage_next(\old(stage_));
    ensures stages_sent_ == (\old(stages_sent_) < STAGE_COUNT ? \old(stages_sent_) + 1
                                                              : STAGE_COUNT);
    ensures stage_way_ == (stages_sent_ < STAGE_COUNT ? WAY_NONE : WAY_SENT); */
void stage_send(void);
/*@ requires stages_sent_ == STAGE_COUNT && stage_way_ != WAY_OPEN;
    assigns stage_way_;
    ensures stage_way_ == WAY_NONE; */
void stage_wait(void);
#else
#ifdef PM_SIM
DEV void stage_send() {}
DEV void stage_wait() {}
#else
DEV void stage_send() { asm volatile("cp.async.commit_group;" ::: "memory"); }
DEV void stage_wait()
{
  asm volatile("cp.async.wait_group %0;" ::"n"(STAGE_COUNT - 1) : "memory");
}
#endif
#define STAGES(v, room) DYNAMIC(float, v)
#define LANE_STAGES(v) float *v
#define STAGE_AT_(v, part, room, j, j0, t) ((v) + (part) * (room) + (t) + ((void)(j), (j0)))
#define STAGE_FETCH(v, p, part, room, j, j0, t) copy_async(STAGE_AT_(v, part, room, j, j0, t), p)
#define STAGE_TAKE(v, part, room, j, j0, t) LD(STAGE_AT_(v, part, room, j, j0, t))
static inline int64_t stage_bytes(int64_t room) { return 4 * 2 * STAGE_COUNT * room; }
#endif
#endif
