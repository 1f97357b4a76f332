/* Split channels, a block each (part.h), in three launches: batch_norm: x, y are (n, channels,
 * size), the other tensors (channels). Three launches: what a block sums it leaves in the
 * workspace, (channels, parts), and every block of the next launch adds up its channel's parts,
 * all in the same order. Sums; squares about the mean; y. */
#include "part_out.h"

/* The mean that the sums of the channel's parts give, where `squares`; else 0. */
/*@ requires block && batch_ok(b) && 0 < parts;
    requires squares != 0 ==> reads(sums,ix(b.channels,parts,0));
    assigns \nothing;
    ensures squares == 0 ==> \result == 0.0;
    ensures squares != 0 ==> \result ==
      rdiv(SumR{Pre}(sums,ix(b.c,parts,0),ix(b.c+1,parts,0)), (real)ix(b.n,b.size,0)); */
DEV float batch_center(int squares, batch_part b, idx parts, const float *RESTRICT sums)
{
  float m = 0.0f;
  //@ assert 0 < ix(b.n,b.size,0);
  if (squares)
    m = batch_mean(batch_sum(b, parts, sums), b.n, b.size);
  return m;
}

/* Cell (c, p) of out: the sum of part p of channel c, or where `squares` that of the squares about
 * the mean. */
/*@ requires block && batch_sizes(n,channels,size,V) && parts_ok(n,V,chunk,parts);
    requires 0 <= c < channels && 0 <= p < parts && batch_tensor(x,n,channels,size,V,aligned);
    requires writes(out,ix(channels,parts,0));
    requires apart(x,batch_all(n,channels,size),out,ix(channels,parts,0));
    requires squares != 0 ==> reads(sums,ix(channels,parts,0)) &&
      apart(sums,ix(channels,parts,0),out,ix(channels,parts,0)) &&
      chan_total{Pre,Pre}(0,x,sums,n,channels,size,parts,c);
    assigns out[0 .. ix(channels,parts,0)-1];
    ensures Same{Pre,Post}(x,batch_all(n,channels,size));
    ensures squares != 0 ==> Same{Pre,Post}(sums,ix(channels,parts,0));
    ensures Same{Pre,Post}(out,ix(c,parts,p));
    ensures part_is{Pre,Post}(squares,x,out,n,channels,size,V,chunk,parts,c,p); */
DEV void batch_sum_part(int squares, int aligned, idx n, idx channels, idx size, idx V, idx chunk,
                        idx parts, idx c, idx p, const float *RESTRICT x,
                        const float *RESTRICT sums, float *RESTRICT out)
{
  batch_part b = batch_part_of(n, channels, size, V, chunk, c, p GHOST_ARGS(parts));
  //@ assert 0 <= ix(c,parts,p) < ix(channels,parts,0);
  float m = batch_center(squares, b, parts, sums);
  //@ assert squares != 0 ==> m == ChanMean(x,channels,size,c,n);
  //@ assert m == ChanCenter(squares,x,channels,size,c,n);
  float v = batch_range(b, squares, aligned, m, x);
  /*@ assert v == BeforePart{Pre}(squares,x,n,channels,size,V,chunk,c,p+1) -
                  BeforePart{Pre}(squares,x,n,channels,size,V,chunk,c,p); */
  batch_leave(v, channels, parts, c, p, out GHOST_ARGS(squares, n, size, x, sums));
}

/* out: (channels, parts). The parts' sums, or where SQUARES those of the squares about the mean,
 * which `sums`, left by such a launch, give. */
/*@ requires block && batch_sizes(n,channels,size,V) && parts_ok(n,V,chunk,parts);
    requires ix(channels,parts,0) <= BLOCKS && batch_tensor(x,n,channels,size,V,VEC);
    requires writes(out,ix(channels,parts,0));
    requires apart(x,batch_all(n,channels,size),out,ix(channels,parts,0));
    requires SQUARES != 0 ==> reads(sums,ix(channels,parts,0)) &&
      apart(sums,ix(channels,parts,0),out,ix(channels,parts,0)) &&
      chan_totals{Pre,Pre}(0,x,sums,n,channels,size,parts,channels);
    assigns out[0 .. ix(channels,parts,0)-1];
    ensures chan_totals{Pre,Post}(SQUARES,x,out,n,channels,size,parts,channels); */
TEMPLATE(int SQUARES, int VEC)
KERNEL void batch_norm_parts_sums(CONSTANTS(int SQUARES, int VEC) idx n, idx channels, idx size,
                                  idx V, idx chunk, idx parts, const float *RESTRICT x,
                                  const float *RESTRICT sums, float *RESTRICT out)
{
  /*@ loop invariant 0 <= c <= channels;
      loop invariant Same{Pre,Here}(x,batch_all(n,channels,size));
      loop invariant SQUARES != 0 ==> Same{Pre,Here}(sums,ix(channels,parts,0));
      loop invariant chan_totals{Pre,Here}(SQUARES,x,out,n,channels,size,parts,c);
      loop assigns c, out[0 .. ix(channels,parts,0)-1];
      loop variant channels - c; */
  BROWS(c, channels, parts) {
    //@ assert parts_are{Pre,Here}(SQUARES,x,out,n,channels,size,V,chunk,parts,c,0);
    /*@ loop invariant 0 <= p <= parts;
        loop invariant Same{Pre,Here}(x,batch_all(n,channels,size));
        loop invariant SQUARES != 0 ==> Same{Pre,Here}(sums,ix(channels,parts,0));
        loop invariant chan_totals{Pre,Here}(SQUARES,x,out,n,channels,size,parts,c);
        loop invariant parts_are{Pre,Here}(SQUARES,x,out,n,channels,size,V,chunk,parts,c,p);
        loop assigns p, out[0 .. ix(channels,parts,0)-1];
        loop variant parts - p; */
    BCOLS(p, parts) {
      //@ assert 0 <= ix(c,parts,0) <= ix(c,parts,p) < ix(channels,parts,0);
      //@ assert SQUARES != 0 ==> chan_total{Here,Here}(0,x,sums,n,channels,size,parts,c);
      batch_sum_part(SQUARES, VEC, n, channels, size, V, chunk, parts, c, p, x, sums, out);
      //@ assert Same{LoopCurrent,Here}(out,ix(c,parts,p));
      //@ assert Same{Pre,Here}(x,batch_all(n,channels,size));
      //@ assert SQUARES != 0 ==> Same{LoopCurrent,Here}(sums,ix(channels,parts,0));
      //@ assert SQUARES != 0 ==> Same{Pre,Here}(sums,ix(channels,parts,0));
      //@ assert part_is{Pre,Here}(SQUARES,x,out,n,channels,size,V,chunk,parts,c,p);
      //@ assert follows(p+1,p) && 0 <= ix(c,parts,p);
      //@ assert parts_are{Pre,Here}(SQUARES,x,out,n,channels,size,V,chunk,parts,c,p+1);
      //@ assert chan_totals{Pre,Here}(SQUARES,x,out,n,channels,size,parts,c);
    }
    //@ assert parts_are{Pre,Here}(SQUARES,x,out,n,channels,size,V,chunk,parts,c,parts);
    //@ assert chan_total{Pre,Here}(SQUARES,x,out,n,channels,size,parts,c);
  }
}

/*@ predicate batch_ins{L}(float *x, float *gamma, float *beta, float *sums, float *squares,
                           float *y, float *mean, float *rstd, integer n, integer channels,
                           integer size, integer parts) =
      batch_over(x,batch_all(n,channels,size),y,mean,rstd,batch_all(n,channels,size),channels) &&
      batch_over(gamma,channels,y,mean,rstd,batch_all(n,channels,size),channels) &&
      batch_over(beta,channels,y,mean,rstd,batch_all(n,channels,size),channels) &&
      batch_over(sums,ix(channels,parts,0),y,mean,rstd,batch_all(n,channels,size),channels) &&
      batch_over(squares,ix(channels,parts,0),y,mean,rstd,batch_all(n,channels,size),channels); */
/* mean[c] = m and rstd[c] = r, by the first block of a channel. */
/*@ requires block && 0 <= c < channels && writes(mean,channels) && writes(rstd,channels);
    requires batch_ins(x,gamma,beta,sums,squares,y,mean,rstd,n,channels,size,parts);
    requires batch_outs(y,mean,rstd,batch_all(n,channels,size),channels);
    assigns mean[0 .. channels-1], rstd[0 .. channels-1];
    ensures first != 0 ==> mean[c] == m && rstd[c] == r;
    ensures first == 0 ==> mean[c] == \old(mean[c]) && rstd[c] == \old(rstd[c]);
    ensures Same{Pre,Post}(mean,c);
    ensures Same{Pre,Post}(rstd,c);
    ensures Same{Pre,Post}(y,batch_all(n,channels,size));
    ensures Same{Pre,Post}(x,batch_all(n,channels,size));
    ensures Same{Pre,Post}(gamma,channels);
    ensures Same{Pre,Post}(beta,channels);
    ensures Same{Pre,Post}(sums,ix(channels,parts,0));
    ensures Same{Pre,Post}(squares,ix(channels,parts,0)); */
DEV void batch_stats(int first, idx c, float m, float r, float *RESTRICT mean,
                     float *RESTRICT rstd GHOST_PARAMS(idx n, idx channels, idx size, idx parts,
                                                       const float *x, const float *gamma,
                                                       const float *beta, const float *sums,
                                                       const float *squares, const float *y))
{
  if (first) {
    block_put(m, mean + c);
    block_put(r, rstd + c);
  }
}

/* The block's vectors of y; the inputs and other outputs stay. */
/*@ requires block && batch_ok(b) && batch_in(b,x,aligned) && b.lo < b.hi;
    requires batch_puts(b,y,aligned) && batch_apart(b,x,y);
    requires batch_ins(x,gammas,betas,sums,squares,y,mean,rstd,b.n,b.channels,b.size,parts);
    requires batch_outs(y,mean,rstd,batch_all(b.n,b.channels,b.size),b.channels);
    assigns y[0 .. batch_all(b.n,b.channels,b.size)-1];
    ensures put_vectors{Pre,Post}(x,y,b.n,b.channels,b.size,b.V,b.c,b.lo,b.hi,m,r,gamma,beta);
    ensures rest_same{Pre,Post}(y,b.n,b.channels,b.size,b.V,b.c,b.lo,b.hi);
    ensures Same{Pre,Post}(x,batch_all(b.n,b.channels,b.size));
    ensures Same{Pre,Post}(gammas,b.channels);
    ensures Same{Pre,Post}(betas,b.channels);
    ensures Same{Pre,Post}(sums,ix(b.channels,parts,0));
    ensures Same{Pre,Post}(squares,ix(b.channels,parts,0));
    ensures Same{Pre,Post}(mean,b.channels);
    ensures Same{Pre,Post}(rstd,b.channels); */
DEV void batch_put_alone(batch_part b, int aligned, float m, float r, float gamma, float beta,
                         const float *RESTRICT x,
                         float *RESTRICT y GHOST_PARAMS(idx parts, const float *gammas,
                                                        const float *betas, const float *sums,
                                                        const float *squares, const float *mean,
                                                        const float *rstd))
{
  batch_put_range(b, aligned, m, r, gamma, beta, x, y);
}

/* Part p of channel c of y, and by the first the channel's mean and rstd. */
/*@ requires block && batch_sizes(n,channels,size,V) && parts_ok(n,V,chunk,parts);
    requires 0 <= c < channels && 0 <= p < parts && batch_tensor(x,n,channels,size,V,aligned);
    requires reads(gamma,channels) && reads(beta,channels);
    requires reads(sums,ix(channels,parts,0)) && reads(squares,ix(channels,parts,0));
    requires chan_total{Pre,Pre}(0,x,sums,n,channels,size,parts,c);
    requires chan_total{Pre,Pre}(1,x,squares,n,channels,size,parts,c);
    requires writes(y,batch_all(n,channels,size)) && writes(mean,channels) && writes(rstd,channels);
    requires aligned != 0 ==> aligned16(y);
    requires batch_ins(x,gamma,beta,sums,squares,y,mean,rstd,n,channels,size,parts);
    requires batch_outs(y,mean,rstd,batch_all(n,channels,size),channels);
    assigns y[0 .. batch_all(n,channels,size)-1], mean[0 .. channels-1], rstd[0 .. channels-1];
    ensures inputs_same{Pre,Post}(x,gamma,beta,sums,squares,n,channels,size,parts);
    ensures Same{Pre,Post}(mean,c);
    ensures Same{Pre,Post}(rstd,c);
    ensures chan_put{Pre,Post}(x,gamma,beta,y,n,channels,size,V,eps,c,part_at(n,V,chunk,p),
                               part_at(n,V,chunk,p+1));
    ensures rest_same{Pre,Post}(y,n,channels,size,V,c,part_at(n,V,chunk,p),
                                part_at(n,V,chunk,p+1));
    ensures p == 0 ==> stats_of{Pre,Post}(x,mean,rstd,n,channels,size,eps,c);
    ensures p != 0 ==> mean[c] == \old(mean[c]) && rstd[c] == \old(rstd[c]); */
DEV void batch_put_part(int aligned, idx n, idx channels, idx size, idx V, idx chunk, idx parts,
                        idx c, idx p, float eps, const float *RESTRICT x,
                        const float *RESTRICT gamma, const float *RESTRICT beta,
                        const float *RESTRICT sums, const float *RESTRICT squares,
                        float *RESTRICT y, float *RESTRICT mean, float *RESTRICT rstd)
{
  batch_part b = batch_part_of(n, channels, size, V, chunk, c, p GHOST_ARGS(parts));
  //@ assert batch_in(b,x,aligned);
  //@ assert batch_puts(b,y,aligned) && batch_apart(b,x,y);
  float m = batch_center(1, b, parts, sums);
  //@ assert m == ChanMean{Pre}(x,channels,size,c,n);
  float r = batch_rstd(batch_sum(b, parts, squares), n, size, eps);
  //@ assert r == ChanRstd{Pre}(x,channels,size,c,n,eps);
  batch_put_alone(b, aligned, m, r, LDG(gamma + c), LDG(beta + c), x,
                  y GHOST_ARGS(parts, gamma, beta, sums, squares, mean, rstd));
  /*@ assert chan_put{Pre,Here}(x,gamma,beta,y,n,channels,size,V,eps,c,part_at(n,V,chunk,p),
                                part_at(n,V,chunk,p+1)); */
  //@ assert mean[c] == \at(mean[c],Pre) && rstd[c] == \at(rstd[c],Pre);
  //@ ghost L1: ;
  batch_stats(p == 0, c, m, r, mean,
              rstd GHOST_ARGS(n, channels, size, parts, x, gamma, beta, sums, squares, y));
  //@ assert inputs_same{Pre,L1}(x,gamma,beta,sums,squares,n,channels,size,parts);
  //@ assert inputs_same{L1,Here}(x,gamma,beta,sums,squares,n,channels,size,parts);
}

/* y, and by the first block of each channel its mean and rstd, of what the launches of
 * batch_norm_parts_sums left. */
/*@ requires block && batch_sizes(n,channels,size,V) && parts_ok(n,V,chunk,parts);
    requires ix(channels,parts,0) <= BLOCKS && batch_tensor(x,n,channels,size,V,VEC);
    requires reads(gamma,channels) && reads(beta,channels);
    requires reads(sums,ix(channels,parts,0)) && reads(squares,ix(channels,parts,0));
    requires chan_totals{Pre,Pre}(0,x,sums,n,channels,size,parts,channels);
    requires chan_totals{Pre,Pre}(1,x,squares,n,channels,size,parts,channels);
    requires writes(y,batch_all(n,channels,size)) && writes(mean,channels) && writes(rstd,channels);
    requires VEC != 0 ==> aligned16(y);
    requires batch_ins(x,gamma,beta,sums,squares,y,mean,rstd,n,channels,size,parts);
    requires batch_outs(y,mean,rstd,batch_all(n,channels,size),channels);
    assigns y[0 .. batch_all(n,channels,size)-1], mean[0 .. channels-1], rstd[0 .. channels-1];
    ensures batch_y{Pre,Post}(x,gamma,beta,y,n,channels,size,eps);
    ensures stats_are{Pre,Post}(x,mean,rstd,n,channels,size,eps,channels); */
TEMPLATE(int VEC)
KERNEL void batch_norm_parts_out(CONSTANTS(int VEC) idx n, idx channels, idx size, idx V, idx chunk,
                                 idx parts, float eps, const float *RESTRICT x,
                                 const float *RESTRICT gamma, const float *RESTRICT beta,
                                 const float *RESTRICT sums, const float *RESTRICT squares,
                                 float *RESTRICT y, float *RESTRICT mean, float *RESTRICT rstd)
{
  /*@ loop invariant 0 <= c <= channels;
      loop invariant inputs_same{Pre,Here}(x,gamma,beta,sums,squares,n,channels,size,parts);
      loop invariant chans_put{Pre,Here}(x,gamma,beta,y,n,channels,size,V,eps,c);
      loop invariant stats_are{Pre,Here}(x,mean,rstd,n,channels,size,eps,c);
      loop assigns c, y[0 .. batch_all(n,channels,size)-1], mean[0 .. channels-1],
                   rstd[0 .. channels-1];
      loop variant channels - c; */
  BROWS(c, channels, parts) {
    /*@ loop invariant 0 <= p <= parts;
        loop invariant inputs_same{Pre,Here}(x,gamma,beta,sums,squares,n,channels,size,parts);
        loop invariant chans_put{Pre,Here}(x,gamma,beta,y,n,channels,size,V,eps,c);
        loop invariant chan_put{Pre,Here}(x,gamma,beta,y,n,channels,size,V,eps,c,0,
                                          part_at(n,V,chunk,p));
        loop invariant stats_are{Pre,Here}(x,mean,rstd,n,channels,size,eps,c);
        loop invariant 0 < p ==> stats_of{Pre,Here}(x,mean,rstd,n,channels,size,eps,c);
        loop assigns p, y[0 .. batch_all(n,channels,size)-1], mean[0 .. channels-1],
                     rstd[0 .. channels-1];
        loop variant parts - p; */
    BCOLS(p, parts) {
      //@ assert Same{Pre,Here}(x,batch_all(n,channels,size));
      //@ assert Same{Pre,Here}(sums,ix(channels,parts,0));
      //@ assert Same{Pre,Here}(squares,ix(channels,parts,0));
      //@ assert chan_total{Here,Here}(0,x,sums,n,channels,size,parts,c);
      //@ assert chan_total{Here,Here}(1,x,squares,n,channels,size,parts,c);
      batch_put_part(VEC, n, channels, size, V, chunk, parts, c, p, eps, x, gamma, beta, sums,
                     squares, y, mean, rstd);
      /*@ assert inputs_same{LoopCurrent,Here}(x,gamma,beta,sums,squares,n,channels,size,parts); */
      //@ assert inputs_same{Pre,Here}(x,gamma,beta,sums,squares,n,channels,size,parts);
      //@ assert Same{LoopCurrent,Here}(mean,c);
      //@ assert Same{LoopCurrent,Here}(rstd,c);
      /*@ assert rest_same{LoopCurrent,Here}(y,n,channels,size,V,c,part_at(n,V,chunk,p),
                                             part_at(n,V,chunk,p+1)); */
      //@ assert chans_put{Pre,Here}(x,gamma,beta,y,n,channels,size,V,eps,c);
      /*@ assert chan_put{LoopCurrent,Here}(x,gamma,beta,y,n,channels,size,V,eps,c,
                                            part_at(n,V,chunk,p),part_at(n,V,chunk,p+1)); */
      /*@ assert chan_put{Pre,Here}(x,gamma,beta,y,n,channels,size,V,eps,c,
                                    part_at(n,V,chunk,p),part_at(n,V,chunk,p+1)); */
      /*@ assert chan_put{Pre,Here}(x,gamma,beta,y,n,channels,size,V,eps,c,0,
                                    part_at(n,V,chunk,p+1)); */
      //@ assert stats_are{Pre,Here}(x,mean,rstd,n,channels,size,eps,c);
      /*@ assert p == 0 ==>
            stats_of{LoopCurrent,Here}(x,mean,rstd,n,channels,size,eps,c); */
      //@ assert p == 0 ==> stats_of{Pre,Here}(x,mean,rstd,n,channels,size,eps,c);
      /*@ assert p != 0 ==>
            mean[c] == \at(mean[c],LoopCurrent) && rstd[c] == \at(rstd[c],LoopCurrent); */
      //@ assert p != 0 ==> stats_of{Pre,Here}(x,mean,rstd,n,channels,size,eps,c);
      //@ assert stats_of{Pre,Here}(x,mean,rstd,n,channels,size,eps,c);
    }
    /*@ assert chan_put{Pre,Here}(x,gamma,beta,y,n,channels,size,V,eps,c,0,
                                  part_at(n,V,chunk,parts)); */
    //@ assert part_at(n,V,chunk,parts) == ix(n,V,0);
    //@ assert chan_put{Pre,Here}(x,gamma,beta,y,n,channels,size,V,eps,c,0,ix(n,V,0));
    //@ assert chans_put{Pre,Here}(x,gamma,beta,y,n,channels,size,V,eps,c+1);
    //@ assert stats_are{Pre,Here}(x,mean,rstd,n,channels,size,eps,c+1);
  }
  //@ assert chans_put{Pre,Here}(x,gamma,beta,y,n,channels,size,V,eps,channels);
}

#ifndef __FRAMAC__
/* -------------------------------------------------- launchers */
#include "launch.h"

template <int VEC> static void launch_batch(const pm_exec *ex, const batch_call *t)
{
  unsigned blocks = (unsigned)(t->channels * t->parts);
  idx V = (t->size + 3) / 4;
  LAUNCH((batch_norm_parts_sums<0, VEC>), blocks, t->block, ex->stream, t->n, t->channels, t->size,
         V, t->chunk, t->parts, t->x, (const float *)NULL, t->sums);
  LAUNCH((batch_norm_parts_sums<1, VEC>), blocks, t->block, ex->stream, t->n, t->channels, t->size,
         V, t->chunk, t->parts, t->x, t->sums, t->squares);
  LAUNCH((batch_norm_parts_out<VEC>), blocks, t->block, ex->stream, t->n, t->channels, t->size, V,
         t->chunk, t->parts, t->eps, t->x, t->gamma, t->beta, t->sums, t->squares, t->y, t->mean,
         t->rstd);
}

extern "C" void LAUNCHER(batch_norm_parts)(const pm_exec *ex, int vec, const batch_call *t)
{
  if (vec)
    launch_batch<1>(ex, t);
  else
    launch_batch<0>(ex, t);
}
#endif
