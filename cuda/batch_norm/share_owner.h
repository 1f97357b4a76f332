/* What blocks leave that have shares of channels of batch_norm: cluster k of `clusters` has the
 * channels k, k + clusters, ..; a block of it the vectors lo .. hi-1 of each, and the first
 * block of a cluster leaves their statistics. */
#ifndef PM_BATCH_NORM_SHARE_OWNER_H
#define PM_BATCH_NORM_SHARE_OWNER_H
#include "part_spec.h"

/*@ // the tensors that a block reads, in two states
    predicate chan_inputs{L1,L2}(float *x, float *gamma, float *beta, integer n, integer channels,
                                 integer size) =
      Same{L1,L2}(x,batch_all(n,channels,size)) && Same{L1,L2}(gamma,channels) &&
      Same{L1,L2}(beta,channels);
    lemma chan_inputs_join{L0,L1,L2}: \forall float *x, *gamma, *beta, integer n, channels, size;
      chan_inputs{L0,L1}(x,gamma,beta,n,channels,size) ==>
      chan_inputs{L1,L2}(x,gamma,beta,n,channels,size) ==>
      chan_inputs{L0,L2}(x,gamma,beta,n,channels,size);
    // what is left of channel c
    predicate share_left{L0,L}(float *x, float *gamma, float *beta, float *y, float *mean,
                               float *rstd, integer n, integer channels, integer size, integer V,
                               real eps, integer c, integer lo, integer hi, integer rank) =
      chan_put{L0,L}(x,gamma,beta,y,n,channels,size,V,eps,c,lo,hi) &&
      (rank == 0 ==> stats_of{L0,L}(x,mean,rstd,n,channels,size,eps,c));
    // of all else nothing is written
    predicate stats_else{L1,L2}(float *mean, float *rstd, integer channels, integer c,
                                integer rank) =
      \forall integer d; 0 <= d < channels ==> rank != 0 || d != c ==>
        \at(mean[d],L1) == \at(mean[d],L2) && \at(rstd[d],L1) == \at(rstd[d],L2);
    predicate share_else{L1,L2}(float *y, float *mean, float *rstd, integer n, integer channels,
                                integer size, integer V, integer c, integer lo, integer hi,
                                integer rank) =
      rest_same{L1,L2}(y,n,channels,size,V,c,lo,hi) &&
      stats_else{L1,L2}(mean,rstd,channels,c,rank);
    lemma share_left_from{L0,L1,L2}: \forall float *x, *gamma, *beta, *y, *mean, *rstd, integer n,
      channels, size, V, real eps, integer c, lo, hi, rank; 0 <= c < channels ==> 0 < size ==>
      chan_inputs{L0,L1}(x,gamma,beta,n,channels,size) ==>
      share_left{L1,L2}(x,gamma,beta,y,mean,rstd,n,channels,size,V,eps,c,lo,hi,rank) ==>
      share_left{L0,L2}(x,gamma,beta,y,mean,rstd,n,channels,size,V,eps,c,lo,hi,rank);
    lemma share_else_from{L0,L1,L2}: \forall float *y, *mean, *rstd, integer n, channels, size, V,
      c, lo, hi, rank; 0 < size ==> Same{L0,L1}(y,batch_all(n,channels,size)) ==>
      Same{L0,L1}(mean,channels) ==> Same{L0,L1}(rstd,channels) ==>
      share_else{L1,L2}(y,mean,rstd,n,channels,size,V,c,lo,hi,rank) ==>
      share_else{L0,L2}(y,mean,rstd,n,channels,size,V,c,lo,hi,rank);
    lemma share_left_on{L0,L1,L2}: \forall float *x, *gamma, *beta, *y, *mean, *rstd, integer n,
      channels, size, V, real eps, integer d, c, lo, hi, from, to, rank, other;
      0 <= d < channels ==> d != c ==> share_else{L1,L2}(y,mean,rstd,n,channels,size,V,c,from,to,
        other) ==>
      share_left{L0,L1}(x,gamma,beta,y,mean,rstd,n,channels,size,V,eps,d,lo,hi,rank) ==>
      share_left{L0,L2}(x,gamma,beta,y,mean,rstd,n,channels,size,V,eps,d,lo,hi,rank);

    // the cluster's channels below `to`
    predicate owned_left{L0,L}(float *x, float *gamma, float *beta, float *y, float *mean,
                               float *rstd, integer n, integer channels, integer size, integer V,
                               real eps, integer lo, integer hi, integer rank, integer k,
                               integer clusters, integer to) =
      \forall integer c; 0 <= c < channels ==> c < to ==> rem(c,clusters) == k ==>
        share_left{L0,L}(x,gamma,beta,y,mean,rstd,n,channels,size,V,eps,c,lo,hi,rank);
    predicate owned_y_else{L1,L2}(float *y, integer n, integer channels, integer size, integer V,
                                  integer lo, integer hi, integer k, integer clusters) =
      \forall integer d, i, j, e; 0 <= d < channels ==> 0 <= i < n ==> 0 <= j < V ==>
        rem(d,clusters) != k || ix(i,V,j) < lo || hi <= ix(i,V,j) ==>
        batch_W(channels,size,d,i,j,e) ==> \at(y[e],L1) == \at(y[e],L2);
    predicate owned_stats_else{L1,L2}(float *mean, float *rstd, integer channels, integer rank,
                                      integer k, integer clusters) =
      \forall integer d; 0 <= d < channels ==> rank != 0 || rem(d,clusters) != k ==>
        \at(mean[d],L1) == \at(mean[d],L2) && \at(rstd[d],L1) == \at(rstd[d],L2);
    predicate owned_else{L1,L2}(float *y, float *mean, float *rstd, integer n, integer channels,
                                integer size, integer V, integer lo, integer hi, integer rank,
                                integer k, integer clusters) =
      owned_y_else{L1,L2}(y,n,channels,size,V,lo,hi,k,clusters) &&
      owned_stats_else{L1,L2}(mean,rstd,channels,rank,k,clusters);
    lemma owned_none{L0,L}: \forall float *x, *gamma, *beta, *y, *mean, *rstd, integer n, channels,
      size, V, real eps, integer lo, hi, rank, k, clusters; 0 <= k < clusters ==>
      owned_left{L0,L}(x,gamma,beta,y,mean,rstd,n,channels,size,V,eps,lo,hi,rank,k,clusters,k);
    lemma owned_left_on{L0,L1,L2}: \forall float *x, *gamma, *beta, *y, *mean, *rstd, integer n,
      channels, size, V, real eps, integer lo, hi, rank, k, clusters, c;
      share_else{L1,L2}(y,mean,rstd,n,channels,size,V,c,lo,hi,rank) ==>
      owned_left{L0,L1}(x,gamma,beta,y,mean,rstd,n,channels,size,V,eps,lo,hi,rank,k,clusters,c) ==>
      owned_left{L0,L2}(x,gamma,beta,y,mean,rstd,n,channels,size,V,eps,lo,hi,rank,k,clusters,c);
    // where a cluster's channel c follows, and `to` the next of it
    predicate owned_next(integer to, integer c, integer k, integer clusters) =
      0 <= c && 0 < clusters && to == c + clusters && rem(c,clusters) == k;
    lemma next_owned: \forall integer c, clusters, k; 0 <= c ==> 0 < clusters ==>
      rem(c,clusters) == k ==> rem(c+clusters,clusters) == k;
    lemma alone_owned: \forall integer c, d, to, k, clusters; owned_next(to,c,k,clusters) ==>
      c <= d < to ==> rem(d,clusters) == k ==> d == c;
    lemma owned_left_next{L0,L}: \forall float *x, *gamma, *beta, *y, *mean, *rstd, integer n,
      channels, size, V, real eps, integer lo, hi, rank, k, clusters, c, to;
      owned_next(to,c,k,clusters) ==>
      owned_left{L0,L}(x,gamma,beta,y,mean,rstd,n,channels,size,V,eps,lo,hi,rank,k,clusters,c) ==>
      share_left{L0,L}(x,gamma,beta,y,mean,rstd,n,channels,size,V,eps,c,lo,hi,rank) ==>
      owned_left{L0,L}(x,gamma,beta,y,mean,rstd,n,channels,size,V,eps,lo,hi,rank,k,clusters,to);
    lemma owned_else_here{L}: \forall float *y, *mean, *rstd, integer n, channels, size, V, lo, hi,
      rank, k, clusters; owned_else{L,L}(y,mean,rstd,n,channels,size,V,lo,hi,rank,k,clusters);
    lemma owned_else_on{L0,L1,L2}: \forall float *y, *mean, *rstd, integer n, channels, size, V, lo,
      hi, rank, k, clusters, c; rem(c,clusters) == k ==>
      owned_else{L0,L1}(y,mean,rstd,n,channels,size,V,lo,hi,rank,k,clusters) ==>
      share_else{L1,L2}(y,mean,rstd,n,channels,size,V,c,lo,hi,rank) ==>
      owned_else{L0,L2}(y,mean,rstd,n,channels,size,V,lo,hi,rank,k,clusters);
    lemma owned_from{L0,L1,L2}: \forall float *x, *gamma, *beta, *y, *mean, *rstd, integer n,
      channels, size, V, real eps, integer lo, hi, rank, k, clusters, to; 0 < size ==>
      chan_inputs{L0,L1}(x,gamma,beta,n,channels,size) ==>
      owned_left{L1,L2}(x,gamma,beta,y,mean,rstd,n,channels,size,V,eps,lo,hi,rank,k,clusters,to) ==>
      owned_left{L0,L2}(x,gamma,beta,y,mean,rstd,n,channels,size,V,eps,lo,hi,rank,k,clusters,to);
    lemma owned_end{L0,L}: \forall float *x, *gamma, *beta, *y, *mean, *rstd, integer n, channels,
      size, V, real eps, integer lo, hi, rank, k, clusters, to; channels <= to ==>
      owned_left{L0,L}(x,gamma,beta,y,mean,rstd,n,channels,size,V,eps,lo,hi,rank,k,clusters,to) ==>
      owned_left{L0,L}(x,gamma,beta,y,mean,rstd,n,channels,size,V,eps,lo,hi,rank,k,clusters,
                       channels);
    lemma owned_else_from{L0,L1,L2}: \forall float *y, *mean, *rstd, integer n, channels, size, V,
      lo, hi, rank, k, clusters; 0 < size ==> Same{L0,L1}(y,batch_all(n,channels,size)) ==>
      Same{L0,L1}(mean,channels) ==> Same{L0,L1}(rstd,channels) ==>
      owned_else{L1,L2}(y,mean,rstd,n,channels,size,V,lo,hi,rank,k,clusters) ==>
      owned_else{L0,L2}(y,mean,rstd,n,channels,size,V,lo,hi,rank,k,clusters);
    // where each cluster has one channel
    lemma rem_self: \forall integer c, n; 0 <= c < n ==> rem(c,n) == c;
    lemma owned_alone{L0,L}: \forall float *x, *gamma, *beta, *y, *mean, *rstd, integer n, channels,
      size, V, real eps, integer lo, hi, rank, c;
      share_left{L0,L}(x,gamma,beta,y,mean,rstd,n,channels,size,V,eps,c,lo,hi,rank) ==>
      owned_left{L0,L}(x,gamma,beta,y,mean,rstd,n,channels,size,V,eps,lo,hi,rank,c,channels,
                       channels);
    lemma else_alone{L1,L2}: \forall float *y, *mean, *rstd, integer n, channels, size, V, lo, hi,
      rank, c; 0 <= c < channels ==>
      share_else{L1,L2}(y,mean,rstd,n,channels,size,V,c,lo,hi,rank) ==>
      owned_else{L1,L2}(y,mean,rstd,n,channels,size,V,lo,hi,rank,c,channels);

    // a cluster's blocks below `rank` have left the vectors below `to` of its channels
    predicate cluster_left{L0,L}(float *x, float *gamma, float *beta, float *y, float *mean,
                                 float *rstd, integer n, integer channels, integer size, integer V,
                                 real eps, integer to, integer rank, integer k,
                                 integer clusters) =
      0 < rank ==> owned_left{L0,L}(x,gamma,beta,y,mean,rstd,n,channels,size,V,eps,0,to,0,k,
                                    clusters,channels);
    lemma put_before{L0,L1,L2}: \forall float *x, *gamma, *beta, *y, integer n, channels, size, V,
      real eps, integer c, lo, hi, k, clusters; 0 <= c < channels ==>
      owned_y_else{L1,L2}(y,n,channels,size,V,lo,hi,k,clusters) ==>
      chan_put{L0,L1}(x,gamma,beta,y,n,channels,size,V,eps,c,0,lo) ==>
      chan_put{L0,L2}(x,gamma,beta,y,n,channels,size,V,eps,c,0,lo);
    lemma cluster_left_on{L0,L1,L2}: \forall float *x, *gamma, *beta, *y, *mean, *rstd, integer n,
      channels, size, V, real eps, integer lo, hi, rank, k, clusters; 0 <= rank ==>
      owned_else{L1,L2}(y,mean,rstd,n,channels,size,V,lo,hi,rank,k,clusters) ==>
      cluster_left{L0,L1}(x,gamma,beta,y,mean,rstd,n,channels,size,V,eps,lo,rank,k,clusters) ==>
      cluster_left{L0,L2}(x,gamma,beta,y,mean,rstd,n,channels,size,V,eps,lo,rank,k,clusters);
    lemma share_left_join{L0,L}: \forall float *x, *gamma, *beta, *y, *mean, *rstd, integer n,
      channels, size, V, real eps, integer c, lo, hi, rank;
      share_left{L0,L}(x,gamma,beta,y,mean,rstd,n,channels,size,V,eps,c,0,lo,0) ==>
      share_left{L0,L}(x,gamma,beta,y,mean,rstd,n,channels,size,V,eps,c,lo,hi,rank) ==>
      share_left{L0,L}(x,gamma,beta,y,mean,rstd,n,channels,size,V,eps,c,0,hi,0);
    lemma cluster_left_next{L0,L}: \forall float *x, *gamma, *beta, *y, *mean, *rstd, integer n,
      channels, size, V, real eps, integer lo, hi, rank, k, clusters; 0 <= rank ==>
      (rank == 0 ==> lo == 0) ==>
      cluster_left{L0,L}(x,gamma,beta,y,mean,rstd,n,channels,size,V,eps,lo,rank,k,clusters) ==>
      owned_left{L0,L}(x,gamma,beta,y,mean,rstd,n,channels,size,V,eps,lo,hi,rank,k,clusters,
                       channels) ==>
      owned_left{L0,L}(x,gamma,beta,y,mean,rstd,n,channels,size,V,eps,0,hi,0,k,clusters,
                       channels);
    // the clusters below k have left theirs
    predicate clusters_left{L0,L}(float *x, float *gamma, float *beta, float *y, float *mean,
                                  float *rstd, integer n, integer channels, integer size,
                                  integer V, real eps, integer k, integer clusters) =
      \forall integer c; 0 <= c < channels ==> rem(c,clusters) < k ==>
        chan_put{L0,L}(x,gamma,beta,y,n,channels,size,V,eps,c,0,ix(n,V,0)) &&
        stats_of{L0,L}(x,mean,rstd,n,channels,size,eps,c);
    lemma put_others{L0,L1,L2}: \forall float *x, *gamma, *beta, *y, integer n, channels, size, V,
      real eps, integer c, from, to, lo, hi, k, clusters; 0 <= c < channels ==>
      rem(c,clusters) != k ==> owned_y_else{L1,L2}(y,n,channels,size,V,lo,hi,k,clusters) ==>
      chan_put{L0,L1}(x,gamma,beta,y,n,channels,size,V,eps,c,from,to) ==>
      chan_put{L0,L2}(x,gamma,beta,y,n,channels,size,V,eps,c,from,to);
    lemma clusters_left_on{L0,L1,L2}: \forall float *x, *gamma, *beta, *y, *mean, *rstd, integer n,
      channels, size, V, real eps, integer lo, hi, rank, k, clusters;
      owned_else{L1,L2}(y,mean,rstd,n,channels,size,V,lo,hi,rank,k,clusters) ==>
      clusters_left{L0,L1}(x,gamma,beta,y,mean,rstd,n,channels,size,V,eps,k,clusters) ==>
      clusters_left{L0,L2}(x,gamma,beta,y,mean,rstd,n,channels,size,V,eps,k,clusters);
    predicate next_cluster(integer m, integer k) = m == k + 1;
    lemma clusters_left_next{L0,L}: \forall float *x, *gamma, *beta, *y, *mean, *rstd, integer n,
      channels, size, V, real eps, integer m, k, clusters; next_cluster(m,k) ==>
      clusters_left{L0,L}(x,gamma,beta,y,mean,rstd,n,channels,size,V,eps,k,clusters) ==>
      owned_left{L0,L}(x,gamma,beta,y,mean,rstd,n,channels,size,V,eps,0,ix(n,V,0),0,k,clusters,
                       channels) ==>
      clusters_left{L0,L}(x,gamma,beta,y,mean,rstd,n,channels,size,V,eps,m,clusters);
    lemma clusters_put{L0,L}: \forall float *x, *gamma, *beta, *y, *mean, *rstd, integer n,
      channels, size, V, real eps, integer clusters; 0 < clusters ==>
      clusters_left{L0,L}(x,gamma,beta,y,mean,rstd,n,channels,size,V,eps,clusters,clusters) ==>
      chans_put{L0,L}(x,gamma,beta,y,n,channels,size,V,eps,channels);
    lemma clusters_stats{L0,L}: \forall float *x, *gamma, *beta, *y, *mean, *rstd, integer n,
      channels, size, V, real eps, integer clusters; 0 < clusters ==>
      clusters_left{L0,L}(x,gamma,beta,y,mean,rstd,n,channels,size,V,eps,clusters,clusters) ==>
      stats_are{L0,L}(x,mean,rstd,n,channels,size,eps,channels); */
#endif
