/* Distributed shared memory: st.async and mbarrier between the blocks of a cluster (cluster.h)
 * that reduce again and again: no barrier of theirs, which would wait until what the threads have
 * stored in global memory has arrived there. Three readings, as in kernel.h;
 * collective/cluster_sum.h has the sums.
 *
 *   EXCHANGE(box)      its cells in shared memory: exchange_open(box, rank) as early as
 *                      may be, by the block `rank` of the cluster, exchange_join(box) before the
 *                      first round, then for turn = 0, 1, ..:
 *   exchange_post(box, turn, at, rank, v)
 *                      v goes into cell `at` of the round of block `rank`; block k of the cluster
 *                      has cell k. Behind a barrier that comes after the round before
 *   exchange_expect(box, turn, in_cluster)
 *                      once all were posted: each has in_cluster cells to come
 *   exchange_await(box, turn)
 *                      waits until all are there. That they are says nothing of what else the
 *                      others wrote
 *   exchange_get(box, turn, k)
 *                      what block k put
 * A kernel whose blocks' words are known beforehand opens with exchange_begin(box, rank, k)
 * instead, k the number of the cluster: what a block posts must be what its contract defines as
 * Came, and that comes. An exchange has MAIL_WARPS cells for the sums over the block's own warps
 * in each half, for two sums; round t has half t % 2.
 *   arrival            in shared memory, what copies of whole vectors make known: one thread does
 *                      arrival_open(a), then for round = 0, 1, ..: copy_bulk(d, p, floats, a) for a
 *                      shared d, 16-byte aligned both, and arrival_close(a); others, past a barrier
 *                      behind the opening, arrival_await(a, round) */
#ifndef PM_LANG_CLUSTER_EXCHANGE_H
#define PM_LANG_CLUSTER_EXCHANGE_H
#include "cluster.h"

enum { MAIL_WARPS = MAXB / 32, MAIL_CELLS = 4 * MAIL_WARPS };

#ifdef __FRAMAC__
typedef struct {
  float x, y;
} float2;
typedef struct mailbox {
  float warps[MAIL_CELLS];
} mailbox;
extern int joined_, put_, got_; /* whether the block may put; turns that it put, that it got */
extern idx mail_cluster_;       /* the number of the block's cluster, for what comes */
/*@ axiomatic Mail {
      // a thread of a block of cluster k may put this pair into this cell of that block in a turn
      predicate MW(integer k, integer at, integer rank, integer turn, real a, real b)
        reads \nothing;
      // what comes from block `at` of cluster k in a turn, the first number or the second
      logic real Came(integer k, integer second, integer turn, integer at) reads \nothing;
    }
    predicate mail_may(integer k, integer rank, integer turn, real a, real b) =
      \forall integer d; MW(k,rank,d,turn,a,b);
    predicate mail_of(integer k, integer rank) = \forall integer turn, real a, b;
      mail_may(k,rank,turn,a,b);
    predicate mail_says(integer k, integer rank) = \forall integer turn;
      mail_may(k,rank,turn,Came(k,0,turn,rank),Came(k,1,turn,rank));
    // the cells of both halves, for the first sum and for the second
    predicate mail_cells(mailbox *box) =
      perm(&box->warps[0],MAIL_WARPS) && perm(&box->warps[MAIL_WARPS],MAIL_WARPS) &&
      perm(&box->warps[2*MAIL_WARPS],MAIL_WARPS) && perm(&box->warps[3*MAIL_WARPS],MAIL_WARPS); */
#define EXCHANGE(box) \
  mailbox box[1];     \
  exchange_box_(box)
/*@ assigns \nothing; ensures mail_cells(box); */
void exchange_box_(mailbox *box);
/*@ requires 0 <= rank < CLUSTER_MOST;
    assigns joined_, put_, got_, mail_cluster_;
    ensures joined_ == 0 && put_ == 0 && got_ == 0 && mail_cluster_ < 0;
    ensures mail_of(mail_cluster_,rank); */
void exchange_open(mailbox *box, int rank);
/*@ requires 0 <= rank < CLUSTER_MOST && 0 <= k;
    assigns joined_, put_, got_, mail_cluster_;
    ensures joined_ == 0 && put_ == 0 && got_ == 0 && mail_cluster_ == k && mail_says(k,rank); */
void exchange_begin(mailbox *box, int rank, idx k);
/*@ requires joined_ == 0; assigns joined_; ensures joined_ == 1; */
void exchange_join(mailbox *box);
/*@ requires joined_ == 1 && put_ == turn && got_ == turn && 0 <= rank < CLUSTER_MOST;
    requires 0 <= at < CLUSTER_MOST && MW(mail_cluster_,at,rank,turn,v.x,v.y);
    assigns \nothing; */
void exchange_post(mailbox *box, int turn, int at, int rank, float2 v);
/*@ requires joined_ == 1 && put_ == turn && got_ == turn && 0 < in_cluster <= CLUSTER_MOST;
    assigns put_;
    ensures put_ == turn + 1; */
void exchange_expect(mailbox *box, int turn, int in_cluster);
/*@ requires put_ == turn + 1 && got_ == turn; assigns got_; ensures got_ == turn + 1; */
void exchange_await(mailbox *box, int turn);
/*@ requires got_ == turn + 1 && put_ == turn + 1 && 0 <= k < CLUSTER_MOST;
    assigns \nothing;
    ensures \result.x == Came(mail_cluster_,0,turn,k);
    ensures \result.y == Came(mail_cluster_,1,turn,k); */
float2 exchange_get(const mailbox *box, int turn, int k);
#else
#define EXCHANGE(box) SHARED(mailbox, box, 1)
typedef unsigned long long arrival; /* a barrier in hardware, which counts bytes */

/* A turn uses one half of it: who still reads what came in the turn before is not disturbed, and
 * who is a turn ahead does not take part in this one's count. Two turns ahead nobody can be. */
typedef struct mailbox {
  unsigned long long arrived[2]; /* barriers that count the bytes of a turn */
  float2 blocks[2 * CLUSTER_MOST];
  float warps[MAIL_CELLS];
} mailbox;

#ifdef PM_SIM
DEV void arrival_open(arrival *) {}
DEV void copy_bulk(float *d, const float *p, int floats, arrival *)
{
  for (int i = 0; i < floats; i += 4) ST4(d + i, LD4(p + i));
}
DEV void arrival_close(arrival *) {}
DEV void arrival_await(arrival *, int) {}
DEV void exchange_open(mailbox *, int) { pm_sim_::cluster_arrive(__LINE__); }
DEV void exchange_join(mailbox *) { pm_sim_::cluster_wait(__LINE__); }
DEV void exchange_post(mailbox *box, int turn, int at, int rank, float2 v)
{
  at += (turn & 1) * CLUSTER_MOST;
  *static_cast<float2 *>(pm_sim_::peer(box->blocks + at, (unsigned)rank, __LINE__)) = v;
}
DEV void exchange_expect(mailbox *, int, int) { pm_sim_::cluster_arrive(__LINE__, true); }
DEV void exchange_await(mailbox *, int) { pm_sim_::cluster_wait(__LINE__, true); }
#else
DEV void arrival_open(arrival *a)
{
  unsigned at = (unsigned)__cvta_generic_to_shared(a);
  asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(at) : "memory");
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}
DEV void copy_bulk(float *d, const float *p, int floats, arrival *a)
{
  unsigned to = (unsigned)__cvta_generic_to_shared(d), at = (unsigned)__cvta_generic_to_shared(a);
  asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], %1;" ::"r"(at), "r"(4 * floats)
               : "memory");
  asm volatile(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::
          "r"(to),
      "l"(p), "r"(4 * floats), "r"(at)
      : "memory");
}
DEV void arrival_close(arrival *a)
{
  unsigned at = (unsigned)__cvta_generic_to_shared(a);
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(at) : "memory");
}
DEV void barrier_await(const void *p, int round)
{
  unsigned at = (unsigned)__cvta_generic_to_shared(p), there = 0;
  while (!there)
    asm volatile("{\n .reg .pred p;\n"
                 " mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n selp.u32 %0, 1, 0, p;\n}"
                 : "=r"(there)
                 : "r"(at), "r"(round & 1)
                 : "memory");
}
DEV void arrival_await(arrival *a, int round) { barrier_await(a, round); }
DEV void exchange_open(mailbox *box, int)
{
  unsigned at = (unsigned)__cvta_generic_to_shared(box->arrived);
  if (TID_ == 0) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(at) : "memory");
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(at + 8) : "memory");
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
}
DEV void exchange_join(mailbox *)
{
  asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
}
/* Not the cluster's own barrier: that waits until the stores to global memory have arrived. */
DEV void exchange_post(mailbox *box, int turn, int at, int rank, float2 v)
{
  const int half = turn & 1;
  unsigned cell = (unsigned)__cvta_generic_to_shared(box->blocks + half * CLUSTER_MOST + at);
  unsigned bar = (unsigned)__cvta_generic_to_shared(box->arrived + half);
  asm volatile("mapa.shared::cluster.u32 %0, %0, %1;" : "+r"(cell) : "r"(rank));
  asm volatile("mapa.shared::cluster.u32 %0, %0, %1;" : "+r"(bar) : "r"(rank));
  asm volatile(
      "st.async.shared::cluster.mbarrier::complete_tx::bytes.v2.f32 [%0], {%1, %2}, [%3];" ::"r"(
          cell),
      "f"(v.x), "f"(v.y), "r"(bar)
      : "memory");
}
DEV void exchange_expect(mailbox *box, int turn, int pairs)
{
  unsigned at = (unsigned)__cvta_generic_to_shared(box->arrived + (turn & 1));
  if (TID_ == 0)
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(at), "r"(8 * pairs)
                 : "memory");
}
DEV void exchange_await(mailbox *box, int turn)
{
  barrier_await(box->arrived + (turn & 1), turn >> 1);
}
#endif
DEV float2 exchange_get(const mailbox *box, int turn, int k)
{
  return box->blocks[(turn & 1) * CLUSTER_MOST + k];
}
DEV void exchange_begin(mailbox *box, int rank, idx) { exchange_open(box, rank); }
#endif

/* Additions above a thread's part. */
static inline double exchange_height(int in_cluster) { return 5 + 5 + in_cluster - 1; }
#endif
