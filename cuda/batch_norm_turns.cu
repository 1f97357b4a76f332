/* batch_norm where clusters of blocks (cluster.h) take turns at channels: x, y are
 * (n, channels, size), the other tensors (channels). A block's share of a channel
 * (batch_norm_shares.h) waits in its shared memory, and so may that of the cluster's next channel
 * (turns.h): a vector that is written makes room for one that is yet to come. */
#include "batch_norm_shift.h"
#include "batch_norm_walk.h"
#include "mail_sums.h"
#include "turns.h"

#define TURNS_CHANNELS 0x3fffffff /* so that an int counts a block's sums */

/*@ // cells for `kept` vectors in the stage that has its turn
    predicate turn_room{L}(cell_ *v, integer stage, integer room, integer kept) =
      \valid(v + (0 .. ROOM-1)) && turn_stages(turn_depth_,room) && turn_ == stage &&
      turn_way_ == 0 && kept <= room; */

/* ---- what is on its way ---- */

/* `have` elements into cell j of lane t. */
/*@ requires block && 0 <= t < BDIM && 0 <= j && k0 == mul(j,bdim_) && 0 <= k0 && k0 + t < room;
    requires turn_room(cells,stage,room,room) && turn_fetched_ <= 4*(k0+t) && 1 <= have <= 4;
    requires \valid_read(x + (0 .. have-1)) && R(x) && (1 < have ==> R(x+1));
    requires (2 < have ==> R(x+2)) && (3 < have ==> R(x+3));
    requires aligned != 0 ==> have == 4 && aligned16(x);
    assigns cells[0 .. ROOM-1], turn_fetched_;
    ensures turn_fetched_ == 4*(k0+t) + 4; */
DEV void turn_fetch_have(LANE_TURNS(cells), int stage, int room, int j, int k0, int t, int have,
                         int aligned, const float *RESTRICT x)
{
  if (aligned) {
    TURN_FETCH4(cells, stage, room, x, j, k0, t);
  } else {
    TURN_FETCH1(cells, stage, room, 0, x, j, k0, t);
    if (1 < have)
      TURN_FETCH1(cells, stage, room, 1, x + 1, j, k0, t);
    else
      TURN_BLANK1(cells, stage, room, 1, j, k0, t);
    if (2 < have)
      TURN_FETCH1(cells, stage, room, 2, x + 2, j, k0, t);
    else
      TURN_BLANK1(cells, stage, room, 2, j, k0, t);
    if (3 < have)
      TURN_FETCH1(cells, stage, room, 3, x + 3, j, k0, t);
    else
      TURN_BLANK1(cells, stage, room, 3, j, k0, t);
  }
}

/* Vector w of the channel that begins at element `chan` into cell j of lane t. */
/*@ requires block && 0 <= t < BDIM && 0 <= j && k0 == mul(j,bdim_) && 0 <= k0 && k0 + t < room;
    requires turn_room(cells,stage,room,room) && turn_fetched_ <= 4*(k0+t);
    requires batch_ok(b) && walk_in(b,w) && chan == ix(b.c,b.size,0) && batch_in(b,x,aligned);
    assigns cells[0 .. ROOM-1], turn_fetched_;
    ensures turn_fetched_ == 4*(k0+t) + 4; */
DEV void turn_fetch_one(LANE_TURNS(cells), int stage, int room, int j, int k0, int t, batch_part b,
                        batch_walk w, idx chan, int aligned, const float *RESTRICT x)
{
  const idx o = walk_offset(w, chan GHOST_ARGS(b));
  const int have = walk_elements(b, w, aligned);
  //@ assert 0 <= o && o + have <= batch_all(b.n,b.channels,b.size);
  //@ assert aligned != 0 ==> aligned16(x+o);
  turn_fetch_have(cells, stage, room, j, k0, t, have, aligned, x + o);
}

/*@ requires block && walk_ok(b) && step_of(b,s) && share_at(b,0,kept,j,k0);
    requires whole != 0 ==> k0 + BDIM <= kept;
    requires turn_room(cells,stage,room,kept) && turn_fetched_ <= 4*k0;
    requires chan == ix(b.c,b.size,0) && batch_in(b,x,aligned);
    requires \valid(w + (0 .. BDIM-1)) && walks_at(w,0,BDIM,b.lo+k0,s);
    assigns cells[0 .. ROOM-1], w[0 .. BDIM-1], turn_fetched_;
    ensures walks_at(w,0,BDIM,b.lo+k0+BDIM,s) && turn_fetched_ <= 4*(k0+BDIM); */
DEV void turn_fetch_all(LANE_TURNS(cells), LANE(batch_walk, w), int stage, int room, batch_part b,
                        walk_step s, idx chan, int j, int k0, int whole, int kept, int aligned,
                        const float *RESTRICT x)
{
  /*@ loop invariant 0 <= t <= BDIM && turn_fetched_ <= 4*(k0+t);
      loop invariant walks_at(w,0,t,b.lo+k0+BDIM,s);
      loop invariant walks_at(w,t,BDIM,b.lo+k0,s);
      loop assigns t, cells[0 .. ROOM-1], w[0 .. BDIM-1], turn_fetched_;
      loop variant BDIM - t; */
  LANES(t) {
    //@ assert walk_at(w[t],b.lo+k0+t,s.V,s.pitch);
    //@ assert k0 + t < kept ==> walk_in(b,w[t]);
    if (whole || k0 + t < kept)
      turn_fetch_one(cells, stage, room, j, k0, t, b, AT(w, t), chan, aligned, x);
    //@ assert walk_at(w[t],b.lo+k0+t,s.V,s.pitch);
    AT(w, t) = walk_next(AT(w, t), s GHOST_ARGS(b, b.lo + k0 + t));
    //@ assert walk_at(w[t],b.lo+k0+BDIM+t,s.V,s.pitch);
    //@ assert walks_at(w,0,t,b.lo+k0+BDIM,s);
    //@ assert walks_at(w,t+1,BDIM,b.lo+k0,s);
  }
}

/* The share of a channel is on its way into the stage whose turn it is. */
/*@ requires block && walk_ok(b) && step_of(b,s) && share_range(b,0,kept);
    requires turn_room(cells,stage,room,kept) && turn_fetched_ <= 0;
    requires chan == ix(b.c,b.size,0) && batch_in(b,x,aligned);
    requires \valid_read(begin + (0 .. BDIM-1)) && walks_at(begin,0,BDIM,b.lo,s);
    assigns cells[0 .. ROOM-1], turn_fetched_; */
DEV void turn_fetch(LANE_TURNS(cells), LANE(batch_walk, begin), int stage, int room, batch_part b,
                    walk_step s, idx chan, int kept, int aligned, const float *RESTRICT x)
{
  PRIVATE(batch_walk, w);
  const int rounds = kept / BDIM;
  int k0 = 0, j = 0;
  walk_again(w, begin GHOST_ARGS(b.lo, s));
  //@ assert 0 < rounds ==> rounds * bdim_ <= kept;
  //@ assert 0 < rounds ==> mul(rounds,bdim_) <= kept;
  /*@ loop invariant 0 <= j <= k0 && k0 == mul(j,bdim_);
      loop invariant k0 <= kept || k0 == 0;
      loop invariant j <= rounds || j == 0;
      loop invariant walks_at(&w[0],0,BDIM,b.lo+k0,s) && turn_fetched_ <= 4*k0;
      loop assigns j, k0, cells[0 .. ROOM-1], w[0 .. BDIM-1], turn_fetched_;
      loop variant rounds - j; */
  UNROLL_BY(4)
  for (; j < rounds; j++, k0 += BDIM) {
    //@ assert mul(j+1,bdim_) == k0 + bdim_ && mul(j+1,bdim_) <= mul(rounds,bdim_);
    turn_fetch_all(cells, w, stage, room, b, s, chan, j, k0, 1, kept, aligned, x);
  }
  if (k0 < kept)
    turn_fetch_all(cells, w, stage, room, b, s, chan, j, k0, 0, kept, aligned, x);
}

/* The same part of channel c. */
/*@ requires walk_ok(b) && 0 <= c < b.channels;
    assigns \nothing;
    ensures walk_ok(\result) && \result.n == b.n && \result.channels == b.channels;
    ensures \result.size == b.size && \result.V == b.V && \result.c == c;
    ensures \result.lo == b.lo && \result.hi == b.hi; */
DEV batch_part turn_part(batch_part b, idx c)
{
  b.c = c;
  return b;
}

/* The first shares, of channels c, c + clusters, .., one for each stage. */
/*@ requires block && walk_ok(b) && step_of(b,s) && share_range(b,0,kept) && kept <= room;
    requires 0 < clusters <= TURNS_CHANNELS && 1 <= depth <= TURNS_MOST && depth == turn_depth_;
    requires \valid(cells + (0 .. ROOM-1)) && turn_stages(depth,room) && turns_sent_ == 0;
    requires turn_free(0,0) && turn_fetched_ == 0 && batch_in(b,x,aligned);
    requires 0 <= c <= TURNS_CHANNELS;
    requires \valid_read(begin + (0 .. BDIM-1)) && walks_at(begin,0,BDIM,b.lo,s);
    assigns cells[0 .. ROOM-1], turn_fetched_, turn_, turns_sent_, turn_way_;
    ensures turns_sent(0) && turn_fetched_ == 0; */
DEV void turns_fetch(LANE_TURNS(cells), LANE(batch_walk, begin), int depth, int room, batch_part b,
                     walk_step s, idx c, idx clusters, int kept, int aligned,
                     const float *RESTRICT x)
{
  idx ahead = c;
  /*@ loop invariant 0 <= i <= depth && turns_sent_ == i && turn_fetched_ == 0;
      loop invariant 0 <= ahead <= TURNS_CHANNELS + i*TURNS_CHANNELS;
      loop invariant turn_ == turn_next(i-1,depth) && turn_way_ == (i < depth ? 0 : 1);
      loop assigns i, ahead, cells[0 .. ROOM-1], turn_fetched_, turn_, turns_sent_,
                   turn_way_;
      loop variant depth - i; */
  UNROLL
  for (int i = 0; i < depth; i++) {
    if (ahead < b.channels) {
      const batch_part q = turn_part(b, ahead);
      //@ assert step_of(q,s) && batch_in(q,x,aligned);
      turn_fetch(cells, begin, i, room, q, s, walk_chan(q), kept, aligned, x);
    }
    turn_send(i);
    ahead += clusters;
  }
}

/* ---- sums ---- */

/* What vector w, which is cell j of lane t, adds to a lane's sum of elements, or of their squares
 * about m. */
/*@ requires block && 0 <= t < BDIM && 0 <= j && k0 == mul(j,bdim_) && 0 <= k0 && k0 + t < room;
    requires turn_room(cells,stage,room,room) && turn_fetched_ == 0;
    requires batch_ok(b) && walk_in(b,w) && (aligned != 0 ==> b.size == 4*b.V);
    assigns \nothing; */
DEV float turn_term(LANE_TURNS(cells), int stage, int room, int j, int k0, int t, batch_part b,
                    batch_walk w, int squares, int aligned, float m)
{
  float4 u = TURN_TAKE(cells, stage, room, j, k0, t);
  if (squares)
    u = part_about(walk_elements(b, w, aligned), u, m);
  return norm_four(squares, u);
}

/* The vectors k0 + t below `kept` are added to acc, or their squares about m. */
/*@ requires block && walk_ok(b) && step_of(b,s) && share_at(b,0,kept,j,k0);
    requires whole != 0 ==> k0 + BDIM <= kept;
    requires turn_room(cells,stage,room,kept) && turn_fetched_ == 0;
    requires aligned != 0 ==> b.size == 4*b.V;
    requires \valid(acc + (0 .. BDIM-1));
    requires \valid(w + (0 .. BDIM-1)) && walks_at(w,0,BDIM,b.lo+k0,s);
    assigns acc[0 .. BDIM-1], w[0 .. BDIM-1];
    ensures walks_at(w,0,BDIM,b.lo+k0+BDIM,s); */
DEV void turn_add_all(LANE(float, acc), LANE_TURNS(cells), LANE(batch_walk, w), int stage, int room,
                      batch_part b, walk_step s, int j, int k0, int whole, int kept, int squares,
                      int aligned, float m)
{
  /*@ loop invariant 0 <= t <= BDIM;
      loop invariant walks_at(w,0,t,b.lo+k0+BDIM,s);
      loop invariant walks_at(w,t,BDIM,b.lo+k0,s);
      loop assigns t, acc[0 .. BDIM-1], w[0 .. BDIM-1];
      loop variant BDIM - t; */
  LANES(t) {
    //@ assert walk_at(w[t],b.lo+k0+t,s.V,s.pitch);
    //@ assert k0 + t < kept ==> walk_in(b,w[t]);
    if (whole || k0 + t < kept)
      AT(acc, t) += turn_term(cells, stage, room, j, k0, t, b, AT(w, t), squares, aligned, m);
    //@ assert walk_at(w[t],b.lo+k0+t,s.V,s.pitch);
    AT(w, t) = walk_next(AT(w, t), s GHOST_ARGS(b, b.lo + k0 + t));
    //@ assert walk_at(w[t],b.lo+k0+BDIM+t,s.V,s.pitch);
    //@ assert walks_at(w,0,t,b.lo+k0+BDIM,s);
    //@ assert walks_at(w,t+1,BDIM,b.lo+k0,s);
  }
}

/* Each lane's sum over the share, or of the squares about m. */
/*@ requires block && walk_ok(b) && step_of(b,s) && share_range(b,0,kept);
    requires turn_room(cells,stage,room,kept) && turn_fetched_ == 0;
    requires aligned != 0 ==> b.size == 4*b.V;
    requires \valid(acc + (0 .. BDIM-1));
    requires \valid_read(begin + (0 .. BDIM-1)) && walks_at(begin,0,BDIM,b.lo,s);
    assigns acc[0 .. BDIM-1]; */
DEV void turn_add(LANE(float, acc), LANE_TURNS(cells), LANE(batch_walk, begin), int stage, int room,
                  batch_part b, walk_step s, int kept, int squares, int aligned, float m)
{
  PRIVATE(batch_walk, w);
  const int rounds = kept / BDIM;
  int k0 = 0, j = 0;
  share_zero(acc);
  walk_again(w, begin GHOST_ARGS(b.lo, s));
  //@ assert 0 < rounds ==> rounds * bdim_ <= kept;
  //@ assert 0 < rounds ==> mul(rounds,bdim_) <= kept;
  /*@ loop invariant 0 <= j <= k0 && k0 == mul(j,bdim_);
      loop invariant k0 <= kept || k0 == 0;
      loop invariant j <= rounds || j == 0;
      loop invariant walks_at(&w[0],0,BDIM,b.lo+k0,s);
      loop assigns j, k0, acc[0 .. BDIM-1], w[0 .. BDIM-1];
      loop variant rounds - j; */
  UNROLL_BY(4)
  for (; j < rounds; j++, k0 += BDIM) {
    //@ assert mul(j+1,bdim_) == k0 + bdim_ && mul(j+1,bdim_) <= mul(rounds,bdim_);
    turn_add_all(acc, cells, w, stage, room, b, s, j, k0, 1, kept, squares, aligned, m);
  }
  if (k0 < kept)
    turn_add_all(acc, cells, w, stage, room, b, s, j, k0, 0, kept, squares, aligned, m);
}

/* ---- y ---- */

/* Vector w, in whose cell the one of the channel `later` begins to arrive. */
/*@ requires block && 0 <= t < BDIM && 0 <= j && k0 == mul(j,bdim_) && 0 <= k0 && k0 + t < room;
    requires turn_room(cells,stage,room,room) && turn_fetched_ <= 4*(k0+t);
    requires walk_ok(b) && walk_in(b,w) && batch_in(b,x,aligned);
    requires fetches != 0 ==> 0 <= later < b.channels && later_chan == ix(later,b.size,0);
    assigns cells[0 .. ROOM-1], turn_fetched_;
    ensures turn_fetched_ <= 4*(k0+t) + 4; */
DEV float4 turn_swap(LANE_TURNS(cells), int stage, int room, int j, int k0, int t, batch_part b,
                     batch_walk w, int fetches, idx later, idx later_chan, int aligned,
                     const float *RESTRICT x)
{
  const float4 u = TURN_TAKE(cells, stage, room, j, k0, t);
  if (fetches) {
    const batch_part q = turn_part(b, later);
    //@ assert walk_in(q,w);
    //@ assert batch_in(q,x,aligned);
    turn_fetch_one(cells, stage, room, j, k0, t, q, w, later_chan, aligned, x);
  }
  return u;
}

/* Vector w of y. */
/*@ requires block && 0 <= t < BDIM && 0 <= j && k0 == mul(j,bdim_) && 0 <= k0 && k0 + t < room;
    requires turn_room(cells,stage,room,room) && turn_fetched_ <= 4*(k0+t);
    requires walk_ok(b) && walk_in(b,w) && chan == ix(b.c,b.size,0);
    requires fetches != 0 ==> 0 <= later < b.channels && later_chan == ix(later,b.size,0);
    requires batch_in(b,x,aligned) && batch_puts(b,y,aligned);
    assigns cells[0 .. ROOM-1], turn_fetched_, y[0 .. batch_all(b.n,b.channels,b.size)-1];
    ensures turn_fetched_ <= 4*(k0+t) + 4; */
DEV void turn_put_one(LANE_TURNS(cells), int stage, int room, int j, int k0, int t, batch_part b,
                      batch_walk w, idx chan, int fetches, idx later, idx later_chan, int aligned,
                      share_shift k, const float *RESTRICT x, float *RESTRICT y)
{
  const float4 u =
      turn_swap(cells, stage, room, j, k0, t, b, w, fetches, later, later_chan, aligned, x);
  walk_store(b, w, chan, aligned, share_shifts(u, k), y);
}

/*@ requires block && walk_ok(b) && step_of(b,s) && share_at(b,0,kept,j,k0);
    requires whole != 0 ==> k0 + BDIM <= kept;
    requires turn_room(cells,stage,room,kept) && turn_fetched_ <= 4*k0;
    requires chan == ix(b.c,b.size,0);
    requires fetches != 0 ==> 0 <= later < b.channels && later_chan == ix(later,b.size,0);
    requires batch_in(b,x,aligned) && batch_puts(b,y,aligned);
    requires \valid(w + (0 .. BDIM-1)) && walks_at(w,0,BDIM,b.lo+k0,s);
    assigns cells[0 .. ROOM-1], w[0 .. BDIM-1], turn_fetched_,
            y[0 .. batch_all(b.n,b.channels,b.size)-1];
    ensures walks_at(w,0,BDIM,b.lo+k0+BDIM,s) && turn_fetched_ <= 4*(k0+BDIM); */
DEV void turn_put_all(LANE_TURNS(cells), LANE(batch_walk, w), int stage, int room, batch_part b,
                      walk_step s, idx chan, int fetches, idx later, idx later_chan, int j, int k0,
                      int whole, int kept, int aligned, share_shift k, const float *RESTRICT x,
                      float *RESTRICT y)
{
  /*@ loop invariant 0 <= t <= BDIM && turn_fetched_ <= 4*(k0+t);
      loop invariant walks_at(w,0,t,b.lo+k0+BDIM,s);
      loop invariant walks_at(w,t,BDIM,b.lo+k0,s);
      loop assigns t, cells[0 .. ROOM-1], w[0 .. BDIM-1], turn_fetched_,
                   y[0 .. batch_all(b.n,b.channels,b.size)-1];
      loop variant BDIM - t; */
  LANES(t) {
    //@ assert walk_at(w[t],b.lo+k0+t,s.V,s.pitch);
    //@ assert k0 + t < kept ==> walk_in(b,w[t]);
    if (whole || k0 + t < kept)
      turn_put_one(cells, stage, room, j, k0, t, b, AT(w, t), chan, fetches, later, later_chan,
                   aligned, k, x, y);
    //@ assert walk_at(w[t],b.lo+k0+t,s.V,s.pitch);
    AT(w, t) = walk_next(AT(w, t), s GHOST_ARGS(b, b.lo + k0 + t));
    //@ assert walk_at(w[t],b.lo+k0+BDIM+t,s.V,s.pitch);
    //@ assert walks_at(w,0,t,b.lo+k0+BDIM,s);
    //@ assert walks_at(w,t+1,BDIM,b.lo+k0,s);
  }
}

/* The block's share of y, while that of the channel `later`, if there is one, begins to arrive. */
/*@ requires block && walk_ok(b) && step_of(b,s) && share_range(b,0,kept);
    requires turn_room(cells,stage,room,kept) && turn_fetched_ == 0;
    requires 0 <= later <= 3*TURNS_CHANNELS;
    requires batch_in(b,x,aligned) && batch_puts(b,y,aligned);
    requires \valid_read(begin + (0 .. BDIM-1)) && walks_at(begin,0,BDIM,b.lo,s);
    assigns cells[0 .. ROOM-1], turn_fetched_,
            y[0 .. batch_all(b.n,b.channels,b.size)-1]; */
DEV void turn_put(LANE_TURNS(cells), LANE(batch_walk, begin), int stage, int room, batch_part b,
                  walk_step s, idx later, int kept, int aligned, share_shift k,
                  const float *RESTRICT x, float *RESTRICT y)
{
  PRIVATE(batch_walk, w);
  const int rounds = kept / BDIM, fetches = later < b.channels;
  const idx chan = walk_chan(b), later_chan = fetches ? walk_chan(turn_part(b, later)) : 0;
  int k0 = 0, j = 0;
  walk_again(w, begin GHOST_ARGS(b.lo, s));
  //@ assert 0 < rounds ==> rounds * bdim_ <= kept;
  //@ assert 0 < rounds ==> mul(rounds,bdim_) <= kept;
  /*@ loop invariant 0 <= j <= k0 && k0 == mul(j,bdim_);
      loop invariant k0 <= kept || k0 == 0;
      loop invariant j <= rounds || j == 0;
      loop invariant walks_at(&w[0],0,BDIM,b.lo+k0,s) && turn_fetched_ <= 4*k0;
      loop assigns j, k0, cells[0 .. ROOM-1], w[0 .. BDIM-1], turn_fetched_,
                   y[0 .. batch_all(b.n,b.channels,b.size)-1];
      loop variant rounds - j; */
  UNROLL_BY(4)
  for (; j < rounds; j++, k0 += BDIM) {
    //@ assert mul(j+1,bdim_) == k0 + bdim_ && mul(j+1,bdim_) <= mul(rounds,bdim_);
    turn_put_all(cells, w, stage, room, b, s, chan, fetches, later, later_chan, j, k0, 1, kept,
                 aligned, k, x, y);
  }
  if (k0 < kept)
    turn_put_all(cells, w, stage, room, b, s, chan, fetches, later, later_chan, j, k0, 0, kept,
                 aligned, k, x, y);
}

/* ---- a channel, a block, the grid ---- */

/*@ // the block's mailbox before a turn of the cluster's sums
    predicate turn_mail{L}(mailbox *box, integer rank, integer in_cluster, integer turn) =
      \valid(box) && mail_cells(box) && mail_ok(rank,in_cluster) && mail_of(mail_cluster_,rank) &&
      0 <= turn <= 2*TURNS_CHANNELS && mail_at(turn); */

/* The sums of a block's share, or of the squares about m, over the cluster. */
/*@ requires block && walk_ok(b) && step_of(b,s) && share_range(b,0,kept);
    requires turn_room(cells,stage,room,kept) && turn_fetched_ == 0;
    requires turn_mail(box,rank,in_cluster,turn) && (aligned != 0 ==> b.size == 4*b.V);
    requires \valid_read(begin + (0 .. BDIM-1)) && walks_at(begin,0,BDIM,b.lo,s);
    assigns box->warps[0 .. MAIL_CELLS-1], put_, got_;
    ensures mail_at(turn+1); */
DEV float turn_sums(LANE_TURNS(cells), LANE(batch_walk, begin), mailbox *box, int turn, int rank,
                    int in_cluster, int stage, int room, batch_part b, walk_step s, int kept,
                    int squares, int aligned, float m)
{
  PRIVATE(float, acc);
  PRIVATE(float, none);
  turn_add(acc, cells, begin, stage, room, b, s, kept, squares, aligned, m);
  share_zero(none);
  mail_put(box, turn, rank, in_cluster, acc, none);
  return mail_sums(box, turn, in_cluster).x;
}

/* What a block does of b's channel, its stage being the one whose turn it is, as the block's sums
 * number `turn` and the one after it. */
/*@ requires block && walk_ok(b) && step_of(b,s) && share_range(b,0,kept) && kept <= room;
    requires \valid(cells + (0 .. ROOM-1)) && turn_stages(depth,room) && turns_sent(stage);
    requires turn_fetched_ == 0 && 0 <= later <= 3*TURNS_CHANNELS;
    requires turn_mail(box,rank,in_cluster,turn) && turn < 2*TURNS_CHANNELS;
    requires share_tensors(b,aligned,x,gamma,beta,y,mean,rstd);
    requires chans_apart(x,gamma,beta,y,mean,rstd,batch_all(b.n,b.channels,b.size),b.channels);
    requires \valid_read(begin + (0 .. BDIM-1)) && walks_at(begin,0,BDIM,b.lo,s);
    assigns cells[0 .. ROOM-1], turn_fetched_, turn_, turns_sent_, turn_way_,
            box->warps[0 .. MAIL_CELLS-1], put_, got_,
            y[0 .. batch_all(b.n,b.channels,b.size)-1], mean[0 .. b.channels-1],
            rstd[0 .. b.channels-1];
    ensures turns_sent(turn_next(stage,depth)) && turn_fetched_ == 0 && mail_at(turn+2); */
DEV void batch_turn(LANE_TURNS(cells), LANE(batch_walk, begin), mailbox *box, int stage, int depth,
                    int room, int turn, int rank, int in_cluster, batch_part b, walk_step s,
                    idx later, int kept, int aligned, float eps, const float *RESTRICT x,
                    const float *RESTRICT gamma, const float *RESTRICT beta, float *RESTRICT y,
                    float *RESTRICT mean, float *RESTRICT rstd)
{
  share_shift k;
  k.gamma = LDG(gamma + b.c);
  k.beta = LDG(beta + b.c);
  turn_wait(stage, depth);
  k.m = batch_mean(turn_sums(cells, begin, box, turn, rank, in_cluster, stage, room, b, s, kept, 0,
                             aligned, 0.0f),
                   b.n, b.size);
  k.r = batch_rstd(turn_sums(cells, begin, box, turn + 1, rank, in_cluster, stage, room, b, s, kept,
                             1, aligned, k.m),
                   b.n, b.size, eps);
  turn_put(cells, begin, stage, room, b, s, later, kept, aligned, k, x, y);
  turn_send(stage);
  share_stats(rank, b, k, mean, rstd GHOST_ARGS(x, gamma, beta, y));
}

/* Channels b.c, b.c + clusters, .., of which as many as there are stages are on their way. */
/*@ requires block && walk_ok(b) && step_of(b,s) && share_range(b,0,kept) && kept <= room;
    requires b.channels <= TURNS_CHANNELS && 0 < clusters <= TURNS_CHANNELS;
    requires \valid(cells + (0 .. ROOM-1)) && turn_stages(depth,room) && turns_sent(0);
    requires turn_fetched_ == 0 && turn_mail(box,rank,in_cluster,0);
    requires share_tensors(b,aligned,x,gamma,beta,y,mean,rstd);
    requires chans_apart(x,gamma,beta,y,mean,rstd,batch_all(b.n,b.channels,b.size),b.channels);
    requires \valid_read(begin + (0 .. BDIM-1)) && walks_at(begin,0,BDIM,b.lo,s);
    assigns cells[0 .. ROOM-1], turn_fetched_, turn_, turns_sent_, turn_way_,
            box->warps[0 .. MAIL_CELLS-1], put_, got_,
            y[0 .. batch_all(b.n,b.channels,b.size)-1], mean[0 .. b.channels-1],
            rstd[0 .. b.channels-1]; */
DEV void turns_do(LANE_TURNS(cells), LANE(batch_walk, begin), mailbox *box, int depth, int room,
                  int rank, int in_cluster, batch_part b, walk_step s, idx clusters, int kept,
                  int aligned, float eps, const float *RESTRICT x, const float *RESTRICT gamma,
                  const float *RESTRICT beta, float *RESTRICT y, float *RESTRICT mean,
                  float *RESTRICT rstd)
{
  const idx ahead = depth < 2 ? clusters : 2 * clusters;
  int turn = 0, stage = 0;
  /*@ loop invariant b.c <= c <= b.channels + clusters && 0 <= turn <= 2*c;
      loop invariant turns_sent(stage) && turn_stages(depth,room) && turn_fetched_ == 0;
      loop invariant mail_at(turn);
      loop assigns c, turn, stage, cells[0 .. ROOM-1], turn_fetched_, turn_,
                   turns_sent_, turn_way_, box->warps[0 .. MAIL_CELLS-1], put_, got_,
                   y[0 .. batch_all(b.n,b.channels,b.size)-1], mean[0 .. b.channels-1],
                   rstd[0 .. b.channels-1];
      loop variant b.channels - c; */
  for (idx c = b.c; c < b.channels; c += clusters) {
    const batch_part q = turn_part(b, c);
    //@ assert step_of(q,s);
    //@ assert share_tensors(q,aligned,x,gamma,beta,y,mean,rstd);
    batch_turn(cells, begin, box, stage, depth, room, turn, rank, in_cluster, q, s, c + ahead, kept,
               aligned, eps, x, gamma, beta, y, mean, rstd);
    turn += 2;
    stage = stage + 1 < depth ? stage + 1 : 0;
  }
}

/* Block `rank` of the cluster that does channels b.c, b.c + clusters, .. */
/*@ requires block && walk_ok(b) && b.channels <= TURNS_CHANNELS && 0 < clusters <= TURNS_CHANNELS;
    requires mail_ok(rank,p.in_cluster) && 0 <= p.kept;
    requires ix(depth,p.kept,0) <= turn_cells_ <= ROOM && 1 <= depth <= TURNS_MOST;
    requires share_tensors(b,aligned,x,gamma,beta,y,mean,rstd);
    requires chans_apart(x,gamma,beta,y,mean,rstd,batch_all(b.n,b.channels,b.size),b.channels);
    assigns turn_depth_, turn_room_, turn_, turns_sent_, turn_way_, turn_fetched_, joined_, put_,
            got_, mail_cluster_,
            y[0 .. batch_all(b.n,b.channels,b.size)-1], mean[0 .. b.channels-1],
            rstd[0 .. b.channels-1]; */
DEV void batch_turns_block(share_plan p, batch_part b, int rank, idx clusters, int depth,
                           int aligned, float eps, const float *RESTRICT x,
                           const float *RESTRICT gamma, const float *RESTRICT beta,
                           float *RESTRICT y, float *RESTRICT mean, float *RESTRICT rstd)
{
  TURNS(cells, depth, p.kept);
  MAILBOX(box);
  PRIVATE(batch_walk, begin);
  const int vectors = (int)(b.hi - b.lo), kept = vectors < p.kept ? vectors : p.kept;
  const walk_step s = walk_step_of(b);
  mail_open(box, rank);
  walk_begin(begin, b, s, 0);
  turns_fetch(cells, begin, depth, p.kept, b, s, b.c, clusters, kept, aligned, x);
  mail_join(box);
  turns_do(cells, begin, box, depth, p.kept, rank, p.in_cluster, b, s, clusters, kept, aligned, eps,
           x, gamma, beta, y, mean, rstd);
}

/* x, y: (n, channels, size); V = ceil(size / 4). p.kept is p.share. */
/*@ requires share_call(p,n,channels,size,V) && ix(channels,size,0) <= WALK_PITCH;
    requires 0 < clusters <= channels <= TURNS_CHANNELS && ix(clusters,p.in_cluster,0) <= BLOCKS;
    requires 1 <= DEPTH <= TURNS_MOST && ix(DEPTH,p.kept,0) <= turn_cells_ <= ROOM;
    requires batch_tensor(x,n,channels,size,V,VEC) && reads(gamma,channels) && reads(beta,channels);
    requires writes(y,batch_all(n,channels,size)) && (VEC != 0 ==> aligned16(y));
    requires writes(mean,channels) && writes(rstd,channels);
    requires chans_apart(x,gamma,beta,y,mean,rstd,batch_all(n,channels,size),channels);
    assigns turn_depth_, turn_room_, turn_, turns_sent_, turn_way_, turn_fetched_, joined_, put_,
            got_, mail_cluster_, y[0 .. batch_all(n,channels,size)-1], mean[0 .. channels-1],
            rstd[0 .. channels-1]; */
TEMPLATE(int VEC, int DEPTH)
KERNEL void THREADS_AND_BLOCKS(TURNS_BLOCK, DEPTH)
    batch_turns(CONSTANTS(int VEC, int DEPTH) share_plan p, idx clusters, idx n, idx channels,
                idx size, idx V, float eps, const float *RESTRICT x, const float *RESTRICT gamma,
                const float *RESTRICT beta, float *RESTRICT y, float *RESTRICT mean,
                float *RESTRICT rstd)
{
  /*@ loop invariant 0 <= k <= clusters;
      loop assigns k, turn_depth_, turn_room_, turn_, turns_sent_, turn_way_, turn_fetched_, joined_,
                   put_, got_, mail_cluster_,
                   y[0 .. batch_all(n,channels,size)-1], mean[0 .. channels-1],
                   rstd[0 .. channels-1];
      loop variant clusters - k; */
  BROWS(k, clusters, p.in_cluster) {
    /*@ loop invariant 0 <= rank <= p.in_cluster;
        loop assigns rank, turn_depth_, turn_room_, turn_, turns_sent_, turn_way_, turn_fetched_,
                     joined_, put_, got_, mail_cluster_, y[0 .. batch_all(n,channels,size)-1],
                     mean[0 .. channels-1], rstd[0 .. channels-1];
        loop variant p.in_cluster - rank; */
    BCOLS(rank, p.in_cluster) {
      const batch_part b = share_of(p, n, channels, size, V, k, (int)rank);
      //@ assert share_tensors(b,VEC,x,gamma,beta,y,mean,rstd);
      batch_turns_block(p, b, (int)rank, clusters, DEPTH, VEC, eps, x, gamma, beta, y, mean, rstd);
    }
  }
}

#ifndef __FRAMAC__
/* -------------------------------------------------- launcher */
#include "batch_norm_launch.h"

template <int VEC, int DEPTH>
static void launch_turns(void *stream, share_plan p, const batch_call *t)
{
  const int bytes = 16 * DEPTH * p.kept;
  const idx room = clusters_at_once((batch_turns<VEC, DEPTH>), p.in_cluster, p.block, bytes);
  const idx clusters = t->channels < room ? t->channels : room;
  LAUNCH_CLUSTERS((batch_turns<VEC, DEPTH>), p.in_cluster, clusters * p.in_cluster, p.block, bytes,
                  stream, p, clusters, t->n, t->channels, t->size, (t->size + 3) / 4, t->eps, t->x,
                  t->gamma, t->beta, t->y, t->mean, t->rstd);
}

extern "C" void LAUNCHER(batch_turns)(const pm_exec *ex, int vec, int depth, share_plan p,
                                      const batch_call *t)
{
  if (depth == 2) {
    if (vec)
      launch_turns<1, 2>(ex->stream, p, t);
    else
      launch_turns<0, 2>(ex->stream, p, t);
  } else if (vec)
    launch_turns<1, 1>(ex->stream, p, t);
  else
    launch_turns<0, 1>(ex->stream, p, t);
}
#endif
