/* What the launches of parts.cu leave: the sums of channels, cut into parts, then y,
 * the mean and rstd of each channel. */
#ifndef PM_BATCH_NORM_PART_SPEC_H
#define PM_BATCH_NORM_PART_SPEC_H
#include "part_store.h"

/*@ // about what a launch adds up a channel, and to what: its elements, or their squares
    logic real ChanCenter{L}(integer squares, float *x, integer channels, integer size, integer c,
                             integer n) =
      squares == 0 ? 0.0 : ChanMean(x,channels,size,c,n);
    logic real ChanTotal{L}(integer squares, float *x, integer channels, integer size, integer c,
                            integer n) =
      ChanNorm(squares,x,ChanCenter(squares,x,channels,size,c,n),channels,size,c,n);
    // what the parts before p add up to
    logic real BeforePart{L}(integer squares, float *x, integer n, integer channels, integer size,
                             integer V, integer chunk, integer c, integer p) =
      Before(squares,x,ChanCenter(squares,x,channels,size,c,n),channels,size,c,V,
             part_at(n,V,chunk,p));
    // cell (c, p) is the sum of part p, the cells before it those of the parts before it
    predicate part_is{L0,L}(integer squares, float *x, float *out, integer n, integer channels,
                            integer size, integer V, integer chunk, integer parts, integer c,
                            integer p) =
      \at(out[ix(c,parts,p)],L) == BeforePart{L0}(squares,x,n,channels,size,V,chunk,c,p+1) -
                                   BeforePart{L0}(squares,x,n,channels,size,V,chunk,c,p);
    predicate parts_are{L0,L}(integer squares, float *x, float *out, integer n, integer channels,
                              integer size, integer V, integer chunk, integer parts, integer c,
                              integer p) =
      SumR{L}(out,ix(c,parts,0),ix(c,parts,p)) ==
        BeforePart{L0}(squares,x,n,channels,size,V,chunk,c,p);
    // a channel's cells add up to its sum; those of the channels before `to` do
    predicate chan_total{L0,L}(integer squares, float *x, float *out, integer n, integer channels,
                               integer size, integer parts, integer c) =
      SumR{L}(out,ix(c,parts,0),ix(c+1,parts,0)) == ChanTotal{L0}(squares,x,channels,size,c,n);
    predicate chan_totals{L0,L}(integer squares, float *x, float *out, integer n, integer channels,
                                integer size, integer parts, integer to) =
      \forall integer c; 0 <= c < to ==>
        chan_total{L0,L}(squares,x,out,n,channels,size,parts,c);
    lemma center_frame{L1,L2}: \forall integer squares, float *x, integer channels, size, c, n;
      SameChan{L1,L2}(x,channels,size,c,n) ==>
      ChanCenter{L1}(squares,x,channels,size,c,n) == ChanCenter{L2}(squares,x,channels,size,c,n);
    lemma total_frame{L1,L2}: \forall integer squares, float *x, integer channels, size, c, n;
      SameChan{L1,L2}(x,channels,size,c,n) ==>
      ChanTotal{L1}(squares,x,channels,size,c,n) == ChanTotal{L2}(squares,x,channels,size,c,n);
    lemma part_at_range: \forall integer n, V, chunk, p; 0 <= p ==> 0 < chunk ==> 0 <= n ==>
      0 <= V ==> 0 <= part_at(n,V,chunk,p) <= ix(n,V,0);
    lemma before_part_m{L1,L2}: \forall integer squares, float *x, real m, integer n, channels,
      size, V, chunk, c, p; 0 < size ==> 0 < V ==> 0 < chunk ==> 0 <= n ==> 0 <= p ==>
      SameChan{L1,L2}(x,channels,size,c,n) ==>
      Before{L1}(squares,x,m,channels,size,c,V,part_at(n,V,chunk,p)) ==
      Before{L2}(squares,x,m,channels,size,c,V,part_at(n,V,chunk,p));
    lemma before_part_chan{L1,L2}: \forall integer squares, float *x, integer n, channels, size, V,
      chunk, c, p; 0 < size ==> 0 < V ==> 0 < chunk ==> 0 <= n ==> 0 <= p ==>
      SameChan{L1,L2}(x,channels,size,c,n) ==>
      BeforePart{L1}(squares,x,n,channels,size,V,chunk,c,p) ==
      BeforePart{L2}(squares,x,n,channels,size,V,chunk,c,p);
    lemma before_part_frame{L1,L2}: \forall integer squares, float *x, integer n, channels, size, V,
      chunk, c, p; batch_sizes(n,channels,size,V) ==> 0 <= c < channels ==> 0 < chunk ==>
      0 <= p ==> Same{L1,L2}(x,batch_all(n,channels,size)) ==>
      BeforePart{L1}(squares,x,n,channels,size,V,chunk,c,p) ==
      BeforePart{L2}(squares,x,n,channels,size,V,chunk,c,p);
    lemma part_at_0: \forall integer n, V, chunk; 0 <= n ==> 0 <= V ==> part_at(n,V,chunk,0) == 0;
    lemma part_at_end: \forall integer n, V, chunk, parts; parts_ok(n,V,chunk,parts) ==>
      part_at(n,V,chunk,parts) == ix(n,V,0);
    lemma before_part_0{L}: \forall integer squares, float *x, integer n, channels, size, V, chunk,
      c; batch_sizes(n,channels,size,V) ==>
      BeforePart(squares,x,n,channels,size,V,chunk,c,0) == 0.0;
    lemma before_part_end{L}: \forall integer squares, float *x, integer n, channels, size, V,
      chunk, parts, c; batch_sizes(n,channels,size,V) ==> parts_ok(n,V,chunk,parts) ==>
      BeforePart(squares,x,n,channels,size,V,chunk,c,parts) ==
      ChanTotal(squares,x,channels,size,c,n);
    lemma parts_0{L0,L}: \forall integer squares, float *x, *out, integer n, channels, size, V,
      chunk, parts, c; batch_sizes(n,channels,size,V) ==>
      parts_are{L0,L}(squares,x,out,n,channels,size,V,chunk,parts,c,0);
    lemma part_frame{L0,L1,L2}: \forall integer squares, float *x, *out, integer n, channels, size,
      V, chunk, parts, c, p; batch_sizes(n,channels,size,V) ==> 0 <= c < channels ==>
      0 < chunk ==> 0 <= p ==> Same{L0,L1}(x,batch_all(n,channels,size)) ==>
      part_is{L1,L2}(squares,x,out,n,channels,size,V,chunk,parts,c,p) ==>
      part_is{L0,L2}(squares,x,out,n,channels,size,V,chunk,parts,c,p);
    lemma cells_frame{L1,L2}: \forall float *a, integer parts, c, p; 0 <= c ==> 0 <= p ==>
      0 <= parts ==> Same{L1,L2}(a,ix(c,parts,p)) ==>
      SumR{L1}(a,ix(c,parts,0),ix(c,parts,p)) == SumR{L2}(a,ix(c,parts,0),ix(c,parts,p));
    lemma cells_next{L}: \forall float *a, integer parts, c, p; 0 <= p ==>
      SumR{L}(a,ix(c,parts,0),ix(c,parts,p+1)) ==
      SumR{L}(a,ix(c,parts,0),ix(c,parts,p)) + \at(a[ix(c,parts,p)],L);
    predicate follows(integer q, integer p) = q == p + 1;
    lemma parts_next{L0,L1,L2}: \forall integer squares, float *x, *out, integer n, channels, size,
      V, chunk, parts, c, p, q; follows(q,p) ==> 0 <= c ==> 0 <= p ==> 0 <= parts ==>
      parts_are{L0,L1}(squares,x,out,n,channels,size,V,chunk,parts,c,p) ==>
      Same{L1,L2}(out,ix(c,parts,p)) ==>
      part_is{L0,L2}(squares,x,out,n,channels,size,V,chunk,parts,c,p) ==>
      parts_are{L0,L2}(squares,x,out,n,channels,size,V,chunk,parts,c,q);
    lemma parts_end{L0,L}: \forall integer squares, float *x, *out, integer n, channels, size, V,
      chunk, parts, c; batch_sizes(n,channels,size,V) ==> parts_ok(n,V,chunk,parts) ==>
      parts_are{L0,L}(squares,x,out,n,channels,size,V,chunk,parts,c,parts) ==>
      chan_total{L0,L}(squares,x,out,n,channels,size,parts,c);
    lemma totals_next{L0,L}: \forall integer squares, float *x, *out, integer n, channels, size,
      parts, to; chan_totals{L0,L}(squares,x,out,n,channels,size,parts,to) ==>
      chan_total{L0,L}(squares,x,out,n,channels,size,parts,to) ==>
      chan_totals{L0,L}(squares,x,out,n,channels,size,parts,to+1);
    lemma total_kept{L0,L1,L2}: \forall integer squares, float *x, *out, integer n, channels, size,
      parts, c, k; 0 <= c ==> 0 < parts ==> ix(c+1,parts,0) <= k ==> Same{L1,L2}(out,k) ==>
      chan_total{L0,L1}(squares,x,out,n,channels,size,parts,c) ==>
      chan_total{L0,L2}(squares,x,out,n,channels,size,parts,c);
    lemma totals_kept{L0,L1,L2}: \forall integer squares, float *x, *out, integer n, channels, size,
      parts, to, k; 0 < parts ==> ix(to,parts,0) <= k ==> Same{L1,L2}(out,k) ==>
      chan_totals{L0,L1}(squares,x,out,n,channels,size,parts,to) ==>
      chan_totals{L0,L2}(squares,x,out,n,channels,size,parts,to);
    // of the state that a function begins with, for that of the kernel
    lemma cells_of{L1,L2}: \forall float *a, integer parts, channels, c; 0 <= c < channels ==>
      0 < parts ==> Same{L1,L2}(a,ix(channels,parts,0)) ==>
      SumR{L1}(a,ix(c,parts,0),ix(c+1,parts,0)) == SumR{L2}(a,ix(c,parts,0),ix(c+1,parts,0));
    lemma chan_of{L1,L2}: \forall integer squares, float *x, integer n, channels, size, c;
      0 < size ==> 0 <= c < channels ==> Same{L1,L2}(x,batch_all(n,channels,size)) ==>
      ChanTotal{L1}(squares,x,channels,size,c,n) == ChanTotal{L2}(squares,x,channels,size,c,n);
    lemma total_of{L1,L2}: \forall integer squares, float *x, *sums, integer n, channels, size,
      parts, c; 0 < size ==> 0 <= c < channels ==> 0 < parts ==>
      Same{L1,L2}(x,batch_all(n,channels,size)) ==> Same{L1,L2}(sums,ix(channels,parts,0)) ==>
      chan_totals{L1,L1}(squares,x,sums,n,channels,size,parts,channels) ==>
      chan_total{L2,L2}(squares,x,sums,n,channels,size,parts,c);
*/

/*@ // vector j of row i of channel c is put; only that is
    predicate vector_is{L0,L}(float *x, float *y, integer channels, integer size, integer c,
                              integer i, integer j, real m, real r, real gamma, real beta) =
      \forall integer k; batch_W(channels,size,c,i,j,k) ==>
        \at(y[k],L) == Shifted(rd{L0}(x,k),m,r,gamma,beta);
    predicate only_vector{L1,L2}(float *y, integer channels, integer size, integer c, integer i,
                                 integer j) =
      \forall integer k; !batch_W(channels,size,c,i,j,k) ==> \at(y[k],L1) == \at(y[k],L2);
    // vectors lo .. hi-1 of channel c are put, and all others as they were
    predicate put_vectors{L0,L}(float *x, float *y, integer n, integer channels, integer size,
                                integer V, integer c, integer lo, integer hi, real m, real r,
                                real gamma, real beta) =
      \forall integer i, j, k; 0 <= i < n ==> 0 <= j < V ==> lo <= ix(i,V,j) < hi ==>
        batch_W(channels,size,c,i,j,k) ==>
        \at(y[k],L) == Shifted(rd{L0}(x,k),m,r,gamma,beta);
    predicate rest_same{L1,L2}(float *y, integer n, integer channels, integer size, integer V,
                               integer c, integer lo, integer hi) =
      \forall integer d, i, j, k; 0 <= d < channels ==> 0 <= i < n ==> 0 <= j < V ==>
        d != c || ix(i,V,j) < lo || hi <= ix(i,V,j) ==> batch_W(channels,size,d,i,j,k) ==>
        \at(y[k],L1) == \at(y[k],L2);
    lemma vector_inside: \forall integer n, channels, size, c, i, j, k; 0 <= c < channels ==>
      0 <= i < n ==> 0 <= j ==> 0 < size ==> batch_W(channels,size,c,i,j,k) ==>
      0 <= k < batch_all(n,channels,size);
    lemma vectors_apart: \forall integer i, j, k, l, V; 0 <= j < V ==> 0 <= l < V ==>
      ix(i,V,j) != ix(k,V,l) ==> i != k || j != l;
    lemma only_same{L1,L2}: \forall float *y, integer channels, size, c, i, j, d, k, l, e;
      0 <= c < channels ==> 0 <= d < channels ==> 0 <= j ==> 0 <= l ==> 0 < size ==>
      (c != d || i != k || j != l) ==> only_vector{L1,L2}(y,channels,size,c,i,j) ==>
      batch_W(channels,size,d,k,l,e) ==> \at(y[e],L1) == \at(y[e],L2);
    lemma only_rest{L1,L2}: \forall float *y, integer n, channels, size, V, c, i, j, v;
      0 <= c < channels ==> 0 <= j < V ==> 0 < size ==> ix(i,V,j) == v ==>
      only_vector{L1,L2}(y,channels,size,c,i,j) ==>
      rest_same{L1,L2}(y,n,channels,size,V,c,v,v+1);
    lemma put_vector{L0,L}: \forall float *x, *y, integer n, channels, size, V, c, i, j, v, real m,
      r, gamma, beta; 0 <= i < n ==> 0 <= j < V ==> ix(i,V,j) == v ==>
      vector_is{L0,L}(x,y,channels,size,c,i,j,m,r,gamma,beta) ==>
      put_vectors{L0,L}(x,y,n,channels,size,V,c,v,v+1,m,r,gamma,beta);
    lemma put_none{L0,L}: \forall float *x, *y, integer n, channels, size, V, c, v, real m, r,
      gamma, beta; put_vectors{L0,L}(x,y,n,channels,size,V,c,v,v,m,r,gamma,beta);
    lemma rest_none{L}: \forall float *y, integer n, channels, size, V, c, lo, hi;
      rest_same{L,L}(y,n,channels,size,V,c,lo,hi);
    lemma put_join{L0,L1,L2}: \forall float *x, *y, integer n, channels, size, V, c, lo, v, hi,
      real m, r, gamma, beta; 0 <= c < channels ==>
      rest_same{L1,L2}(y,n,channels,size,V,c,v,hi) ==>
      put_vectors{L0,L1}(x,y,n,channels,size,V,c,lo,v,m,r,gamma,beta) ==>
      put_vectors{L0,L2}(x,y,n,channels,size,V,c,v,hi,m,r,gamma,beta) ==>
      put_vectors{L0,L2}(x,y,n,channels,size,V,c,lo,hi,m,r,gamma,beta);
    lemma rest_join{L0,L1,L2}: \forall float *y, integer n, channels, size, V, c, lo, v, hi;
      lo <= v <= hi ==> rest_same{L0,L1}(y,n,channels,size,V,c,lo,v) ==>
      rest_same{L1,L2}(y,n,channels,size,V,c,v,hi) ==>
      rest_same{L0,L2}(y,n,channels,size,V,c,lo,hi);
    lemma put_of{L0,L1,L2}: \forall float *x, *y, integer n, channels, size, V, c, lo, hi, real m,
      r, gamma, beta; 0 <= c < channels ==> 0 < size ==>
      Same{L0,L1}(x,batch_all(n,channels,size)) ==>
      put_vectors{L1,L2}(x,y,n,channels,size,V,c,lo,hi,m,r,gamma,beta) ==>
      put_vectors{L0,L2}(x,y,n,channels,size,V,c,lo,hi,m,r,gamma,beta);
    lemma put_then{L0,L1,L2}: \forall float *x, *y, integer n, channels, size, V, c, lo, hi, real m,
      r, gamma, beta; 0 <= c < channels ==> 0 < size ==>
      Same{L1,L2}(y,batch_all(n,channels,size)) ==>
      put_vectors{L0,L1}(x,y,n,channels,size,V,c,lo,hi,m,r,gamma,beta) ==>
      put_vectors{L0,L2}(x,y,n,channels,size,V,c,lo,hi,m,r,gamma,beta);
    lemma rest_then{L0,L1,L2}: \forall float *y, integer n, channels, size, V, c, lo, hi;
      0 < size ==> Same{L1,L2}(y,batch_all(n,channels,size)) ==>
      rest_same{L0,L1}(y,n,channels,size,V,c,lo,hi) ==>
      rest_same{L0,L2}(y,n,channels,size,V,c,lo,hi);
    // the part of a channel that is put, with the channel's own numbers
    predicate chan_put{L0,L}(float *x, float *gamma, float *beta, float *y, integer n,
                             integer channels, integer size, integer V, real eps, integer c,
                             integer lo, integer hi) =
      put_vectors{L0,L}(x,y,n,channels,size,V,c,lo,hi,ChanMean{L0}(x,channels,size,c,n),
                        ChanRstd{L0}(x,channels,size,c,n,eps),rd{L0}(gamma,c),rd{L0}(beta,c));
    predicate chans_put{L0,L}(float *x, float *gamma, float *beta, float *y, integer n,
                              integer channels, integer size, integer V, real eps, integer to) =
      \forall integer c; 0 <= c < to ==>
        chan_put{L0,L}(x,gamma,beta,y,n,channels,size,V,eps,c,0,ix(n,V,0));
    lemma put_kept{L0,L1,L2}: \forall float *x, *y, integer n, channels, size, V, c, d, lo, hi,
      from, to, real m, r, gamma, beta; 0 <= d < c ==> c < channels ==>
      rest_same{L1,L2}(y,n,channels,size,V,c,from,to) ==>
      put_vectors{L0,L1}(x,y,n,channels,size,V,d,lo,hi,m,r,gamma,beta) ==>
      put_vectors{L0,L2}(x,y,n,channels,size,V,d,lo,hi,m,r,gamma,beta);
    lemma chan_kept{L0,L1,L2}: \forall float *x, *gamma, *beta, *y, integer n, channels, size, V,
      c, d, lo, hi, from, to, real eps; 0 <= d < c ==> c < channels ==>
      rest_same{L1,L2}(y,n,channels,size,V,c,from,to) ==>
      chan_put{L0,L1}(x,gamma,beta,y,n,channels,size,V,eps,d,lo,hi) ==>
      chan_put{L0,L2}(x,gamma,beta,y,n,channels,size,V,eps,d,lo,hi);
    lemma chans_kept{L0,L1,L2}: \forall float *x, *gamma, *beta, *y, integer n, channels, size, V,
      c, lo, hi, real eps; 0 <= c < channels ==>
      rest_same{L1,L2}(y,n,channels,size,V,c,lo,hi) ==>
      chans_put{L0,L1}(x,gamma,beta,y,n,channels,size,V,eps,c) ==>
      chans_put{L0,L2}(x,gamma,beta,y,n,channels,size,V,eps,c);
    lemma chans_next{L0,L}: \forall float *x, *gamma, *beta, *y, integer n, channels, size, V, c,
      real eps; chans_put{L0,L}(x,gamma,beta,y,n,channels,size,V,eps,c) ==>
      chan_put{L0,L}(x,gamma,beta,y,n,channels,size,V,eps,c,0,ix(n,V,0)) ==>
      chans_put{L0,L}(x,gamma,beta,y,n,channels,size,V,eps,c+1);
    lemma var_frame{L1,L2}: \forall float *x, integer channels, size, c, n;
      SameChan{L1,L2}(x,channels,size,c,n) ==>
      ChanVar{L1}(x,channels,size,c,n) == ChanVar{L2}(x,channels,size,c,n);
    lemma chan_mean_frame{L1,L2}: \forall float *x, integer channels, size, c, n;
      SameChan{L1,L2}(x,channels,size,c,n) ==>
      ChanMean{L1}(x,channels,size,c,n) == ChanMean{L2}(x,channels,size,c,n);
    lemma chan_rstd_frame{L1,L2}: \forall float *x, integer channels, size, c, n, real eps;
      SameChan{L1,L2}(x,channels,size,c,n) ==>
      ChanRstd{L1}(x,channels,size,c,n,eps) == ChanRstd{L2}(x,channels,size,c,n,eps);
    lemma chan_put_of{L0,L1,L2}: \forall float *x, *gamma, *beta, *y, integer n, channels, size, V,
      c, lo, hi, real eps; 0 <= c < channels ==> 0 < size ==>
      Same{L0,L1}(x,batch_all(n,channels,size)) ==> Same{L0,L1}(gamma,channels) ==>
      Same{L0,L1}(beta,channels) ==>
      chan_put{L1,L2}(x,gamma,beta,y,n,channels,size,V,eps,c,lo,hi) ==>
      chan_put{L0,L2}(x,gamma,beta,y,n,channels,size,V,eps,c,lo,hi);
    // the mean and rstd of the channels before `to`
    predicate stats_of{L0,L}(float *x, float *mean, float *rstd, integer n, integer channels,
                             integer size, real eps, integer c) =
      \at(mean[c],L) == ChanMean{L0}(x,channels,size,c,n) &&
      \at(rstd[c],L) == ChanRstd{L0}(x,channels,size,c,n,eps);
    predicate stats_are{L0,L}(float *x, float *mean, float *rstd, integer n, integer channels,
                              integer size, real eps, integer to) =
      \forall integer c; 0 <= c < to ==> \at(mean[c],L) == ChanMean{L0}(x,channels,size,c,n) &&
        \at(rstd[c],L) == ChanRstd{L0}(x,channels,size,c,n,eps);
    lemma stats_chan{L0,L1,L2}: \forall float *x, *mean, *rstd, integer n, channels, size, c,
      real eps; SameChan{L0,L1}(x,channels,size,c,n) ==>
      stats_of{L1,L2}(x,mean,rstd,n,channels,size,eps,c) ==>
      stats_of{L0,L2}(x,mean,rstd,n,channels,size,eps,c);
    lemma stats_from{L0,L1,L2}: \forall float *x, *mean, *rstd, integer n, channels, size, c,
      real eps; 0 <= c < channels ==> 0 < size ==> Same{L0,L1}(x,batch_all(n,channels,size)) ==>
      stats_of{L1,L2}(x,mean,rstd,n,channels,size,eps,c) ==>
      stats_of{L0,L2}(x,mean,rstd,n,channels,size,eps,c);
    lemma stats_kept{L0,L1,L2}: \forall float *x, *mean, *rstd, integer n, channels, size, to,
      real eps; Same{L1,L2}(mean,to) ==> Same{L1,L2}(rstd,to) ==>
      stats_are{L0,L1}(x,mean,rstd,n,channels,size,eps,to) ==>
      stats_are{L0,L2}(x,mean,rstd,n,channels,size,eps,to);
    lemma stats_next{L0,L}: \forall float *x, *mean, *rstd, integer n, channels, size, c, real eps;
      stats_are{L0,L}(x,mean,rstd,n,channels,size,eps,c) ==>
      stats_of{L0,L}(x,mean,rstd,n,channels,size,eps,c) ==>
      stats_are{L0,L}(x,mean,rstd,n,channels,size,eps,c+1);
    predicate inputs_same{L1,L2}(float *x, float *gamma, float *beta, float *sums, float *squares,
                                 integer n, integer channels, integer size, integer parts) =
      Same{L1,L2}(x,batch_all(n,channels,size)) && Same{L1,L2}(gamma,channels) &&
      Same{L1,L2}(beta,channels) && Same{L1,L2}(sums,ix(channels,parts,0)) &&
      Same{L1,L2}(squares,ix(channels,parts,0));
    lemma inputs_here{L}: \forall float *x, *gamma, *beta, *sums, *squares, integer n, channels,
      size, parts; inputs_same{L,L}(x,gamma,beta,sums,squares,n,channels,size,parts);
    lemma inputs_join{L0,L1,L2}: \forall float *x, *gamma, *beta, *sums, *squares, integer n,
      channels, size, parts;
      inputs_same{L0,L1}(x,gamma,beta,sums,squares,n,channels,size,parts) ==>
      inputs_same{L1,L2}(x,gamma,beta,sums,squares,n,channels,size,parts) ==>
      inputs_same{L0,L2}(x,gamma,beta,sums,squares,n,channels,size,parts);
    // what the spec says of y
    predicate batch_y{L0,L}(float *x, float *gamma, float *beta, float *y, integer n,
                            integer channels, integer size, real eps) =
      \forall integer c, i, s; 0 <= c < channels ==> 0 <= i < n ==> 0 <= s < size ==>
        \at(y[ix(ix(i,channels,c),size,s)],L) ==
          Shifted(rd{L0}(x,ix(ix(i,channels,c),size,s)),ChanMean{L0}(x,channels,size,c,n),
                  ChanRstd{L0}(x,channels,size,c,n,eps),rd{L0}(gamma,c),rd{L0}(beta,c));
    predicate quarter(integer s, integer j) = 4*j <= s < 4*j + 4;
    lemma quarter_quo: \forall integer s; 0 <= s ==> quarter(s,quo(s,4));
    lemma in_vector: \forall integer channels, size, c, i, j, s; quarter(s,j) ==> 0 <= s < size ==>
      batch_W(channels,size,c,i,j,ix(ix(i,channels,c),size,s));
    lemma in_channel: \forall integer i, n, j, V; 0 <= i < n ==> 0 <= j < V ==>
      0 <= ix(i,V,j) < ix(n,V,0);
    lemma quo_vector: \forall integer channels, size, c, i, s; 0 <= s < size ==>
      batch_W(channels,size,c,i,quo(s,4),ix(ix(i,channels,c),size,s));
    lemma chan_y_at{L0,L}: \forall float *x, *y, integer n, channels, size, V, c, i, j, k, real m,
      r, gamma, beta; 0 <= i < n ==> 0 <= j < V ==>
      put_vectors{L0,L}(x,y,n,channels,size,V,c,0,ix(n,V,0),m,r,gamma,beta) ==>
      batch_W(channels,size,c,i,j,k) ==> \at(y[k],L) == Shifted(rd{L0}(x,k),m,r,gamma,beta);
    lemma chan_y{L0,L}: \forall float *x, *y, integer n, channels, size, V, c, i, s, real m, r,
      gamma, beta; 0 <= i < n ==> 0 <= s < size <= 4*V ==>
      put_vectors{L0,L}(x,y,n,channels,size,V,c,0,ix(n,V,0),m,r,gamma,beta) ==>
      batch_W(channels,size,c,i,quo(s,4),ix(ix(i,channels,c),size,s)) &&
      \at(y[ix(ix(i,channels,c),size,s)],L) ==
        Shifted(rd{L0}(x,ix(ix(i,channels,c),size,s)),m,r,gamma,beta);
    lemma chan_put_y{L0,L}: \forall float *x, *gamma, *beta, *y, integer n, channels, size, V, c,
      i, s, real eps; 0 <= i < n ==> 0 <= s < size <= 4*V ==>
      chan_put{L0,L}(x,gamma,beta,y,n,channels,size,V,eps,c,0,ix(n,V,0)) ==>
      \at(y[ix(ix(i,channels,c),size,s)],L) ==
          Shifted(rd{L0}(x,ix(ix(i,channels,c),size,s)),ChanMean{L0}(x,channels,size,c,n),
                  ChanRstd{L0}(x,channels,size,c,n,eps),rd{L0}(gamma,c),rd{L0}(beta,c));
    lemma chans_put_y{L0,L}: \forall float *x, *gamma, *beta, *y, integer n, channels, size, V, c,
      i, s, to, real eps; 0 <= c < to ==> 0 <= i < n ==> 0 <= s < size <= 4*V ==>
      chans_put{L0,L}(x,gamma,beta,y,n,channels,size,V,eps,to) ==>
      chan_put{L0,L}(x,gamma,beta,y,n,channels,size,V,eps,c,0,ix(n,V,0)) &&
      \at(y[ix(ix(i,channels,c),size,s)],L) ==
          Shifted(rd{L0}(x,ix(ix(i,channels,c),size,s)),ChanMean{L0}(x,channels,size,c,n),
                  ChanRstd{L0}(x,channels,size,c,n,eps),rd{L0}(gamma,c),rd{L0}(beta,c));
    lemma chans_y{L0,L}: \forall float *x, *gamma, *beta, *y, integer n, channels, size, V,
      real eps; batch_sizes(n,channels,size,V) ==>
      chans_put{L0,L}(x,gamma,beta,y,n,channels,size,V,eps,channels) ==>
      batch_y{L0,L}(x,gamma,beta,y,n,channels,size,eps);
*/
#endif
