/* Thread block cluster a row: layer_norm and rms_norm (CENTERED 1 and 0) of a row cut up among a
 * cluster's blocks (cluster_slice.h): x, y are (rows, cols), gamma, beta (cols), mean, rstd
 * (rows). Cluster k does tiles k, k + clusters, .. of TILE_ROWS rows, whose sums go together.
 * gamma and beta wait in registers. The variance is taken about the mean in a second pass over
 * the registers. norm.cu says when. */
#include "cluster_tile_out.h"

/*@ // Cluster k has tiles k, k + clusters, .., the tile of rows 2p and 2p + 1 being number p.
    logic integer tile_row(integer n, integer k, integer clusters) = 2*ix(n,clusters,k);
    predicate in_tile(integer r, integer p) = r == 2*p || r == 2*p + 1;
    logic integer owner(integer r, integer clusters) = r / 2 - r / 2 / clusters * clusters;
    logic integer number(integer r, integer clusters) = r / 2 / clusters;
    lemma parts_in: \forall integer p, clusters; 0 <= p ==> 0 < clusters ==>
      0 <= p - p / clusters * clusters < clusters;
    lemma owner_in: \forall integer r, clusters; 0 <= r ==> 0 < clusters ==>
      0 <= owner(r,clusters) < clusters;
    lemma parts_are: \forall integer p, clusters;
      p == ix(p / clusters,clusters,p - p / clusters * clusters);
    lemma half_of: \forall integer r; 0 <= r ==> in_tile(r,r / 2);
    lemma half_parts: \forall integer r, clusters; 0 <= r ==>
      ix(number(r,clusters),clusters,owner(r,clusters)) == r / 2;
    lemma tile_of_row: \forall integer r, clusters; 0 <= r ==> 0 < clusters ==>
      in_tile(r,ix(number(r,clusters),clusters,owner(r,clusters)));
    lemma number_in: \forall integer r, clusters; 0 <= r ==> 0 < clusters ==>
      0 <= number(r,clusters);
    lemma owner_of: \forall integer r, n, k, clusters; 0 <= k < clusters ==> 0 <= n ==>
      in_tile(r,ix(n,clusters,k)) ==> owner(r,clusters) == k;
    // a cluster's tiles come in order
    lemma tile_before: \forall integer n, m, k, clusters; 0 < clusters ==> n < m ==>
      ix(n,clusters,k) + 1 <= ix(m,clusters,k);
    lemma tile_below: \forall integer n, m, k, clusters; 0 < clusters ==>
      ix(n,clusters,k) < ix(m,clusters,k) ==> n < m;
    lemma tile_next: \forall integer n, k, clusters;
      tile_row(n+1,k,clusters) == tile_row(n,k,clusters) + 2*clusters;

    predicate tile_starts(integer p, integer end, integer k, integer clusters) =
      p < ix(end,clusters,k);
    lemma number_below: \forall integer n, end, k, clusters; 0 < clusters ==>
      tile_starts(ix(n,clusters,k),end,k,clusters) ==> n < end;
    lemma number_starts: \forall integer r, p, rows, end, k, clusters; in_tile(r,p) ==> r < rows ==>
      rows <= tile_row(end,k,clusters) ==> tile_starts(p,end,k,clusters);
    predicate row_found(integer r, integer end, integer k, integer clusters) =
      0 <= number(r,clusters) < end && in_tile(r,ix(number(r,clusters),clusters,k));
    lemma row_is_found: \forall integer r, rows, end, k, clusters; 0 <= r < rows ==>
      0 <= k < clusters ==> owner(r,clusters) == k ==> rows <= tile_row(end,k,clusters) ==>
      row_found(r,end,k,clusters);

    // what the blocks of the grid say
    logic integer tile_turn(integer centered, integer n) = centered == 0 ? n : 2*n;
    predicate cluster_says{L}(integer k, integer clusters, integer centered, float *x, integer rows,
                              integer cols, integer width) =
      \forall integer n; 0 <= n ==> tile_row(n,k,clusters) < rows ==>
        tile_says(k,tile_turn(centered,n),centered,x,tile_row(n,k,clusters),rows,cols,width);
    predicate grid_says{L}(integer clusters, integer centered, float *x, integer rows, integer cols,
                           integer width) =
      \forall integer k; 0 <= k < clusters ==>
        cluster_says(k,clusters,centered,x,rows,cols,width);
    lemma cluster_says_frame{L1,L2}: \forall integer k, clusters, centered, float *x, integer rows,
      cols, width; 0 <= k < clusters ==> 0 < cols ==> Same{L1,L2}(x,ix(rows,cols,0)) ==>
      cluster_says{L1}(k,clusters,centered,x,rows,cols,width) ==>
      cluster_says{L2}(k,clusters,centered,x,rows,cols,width);

    // the rows of tile n of cluster k are left as they should be
    predicate tile_left{L0,L}(integer centered, integer affine, float *x, float *gamma, float *beta,
                              float *y, float *mean, float *rstd, integer rows, integer cols,
                              real eps, integer rank, integer row, integer from, integer to) =
      (row < rows ==> row_left{L0,L}(centered,affine,x,gamma,beta,y,mean,rstd,cols,eps,rank,row,
                                     from,to)) &&
      (row+1 < rows ==> row_left{L0,L}(centered,affine,x,gamma,beta,y,mean,rstd,cols,eps,rank,
                                       row+1,from,to));
    predicate tiles_left{L0,L}(integer centered, integer affine, float *x, float *gamma,
                               float *beta, float *y, float *mean, float *rstd, integer rows,
                               integer cols, real eps, integer rank, integer k, integer clusters,
                               integer end, integer from, integer to) =
      \forall integer n; 0 <= n < end ==>
        tile_left{L0,L}(centered,affine,x,gamma,beta,y,mean,rstd,rows,cols,eps,rank,
                        tile_row(n,k,clusters),from,to);
    // the rows of cluster k
    predicate owned_left{L0,L}(integer centered, integer affine, float *x, float *gamma,
                               float *beta, float *y, float *mean, float *rstd, integer rows,
                               integer cols, real eps, integer rank, integer k, integer clusters,
                               integer from, integer to) =
      \forall integer r; 0 <= r < rows ==> owner(r,clusters) == k ==>
        row_left{L0,L}(centered,affine,x,gamma,beta,y,mean,rstd,cols,eps,rank,r,from,to);
    lemma row_of_tile{L0,L}: \forall integer centered, affine, float *x, *gamma, *beta, *y, *mean,
      *rstd, integer rows, cols, real eps, integer rank, r, end, k, clusters, from, to;
      0 <= r < rows ==> row_found(r,end,k,clusters) ==>
      tiles_left{L0,L}(centered,affine,x,gamma,beta,y,mean,rstd,rows,cols,eps,rank,k,clusters,end,
                       from,to) ==>
      row_left{L0,L}(centered,affine,x,gamma,beta,y,mean,rstd,cols,eps,rank,r,from,to);
    lemma owned_tiles{L0,L}: \forall integer centered, affine, float *x, *gamma, *beta, *y, *mean,
      *rstd, integer rows, cols, real eps, integer rank, k, clusters, end, from, to;
      0 <= k < clusters ==> rows <= tile_row(end,k,clusters) ==>
      tiles_left{L0,L}(centered,affine,x,gamma,beta,y,mean,rstd,rows,cols,eps,rank,k,clusters,end,
                       from,to) ==>
      owned_left{L0,L}(centered,affine,x,gamma,beta,y,mean,rstd,rows,cols,eps,rank,k,clusters,
                       from,to);
    // of the others nothing is written
    predicate owned_else{L1,L2}(float *y, integer rows, integer cols, integer k, integer clusters,
                                integer from, integer to) =
      \forall integer r, c; 0 <= r < rows ==> 0 <= c < cols ==>
        owner(r,clusters) != k || c < from || to <= c ==>
        \at(y[ix(r,cols,c)],L1) == \at(y[ix(r,cols,c)],L2);
    predicate owned_stats_else{L1,L2}(float *v, integer rows, integer k, integer clusters,
                                      integer rank) =
      \forall integer r; 0 <= r < rows ==> rank != 0 || owner(r,clusters) != k ==>
        \at(v[r],L1) == \at(v[r],L2);
    lemma owned_else_on{L0,L1,L2}: \forall float *y, integer rows, cols, k, clusters, from, to, n;
      0 <= k < clusters ==> 0 <= n ==> owned_else{L0,L1}(y,rows,cols,k,clusters,from,to) ==>
      tile_else{L1,L2}(y,rows,cols,tile_row(n,k,clusters),from,to) ==>
      owned_else{L0,L2}(y,rows,cols,k,clusters,from,to);
    lemma owned_else_from{L0,L1,L2}: \forall float *y, integer rows, cols, k, clusters, from, to;
      Same{L0,L1}(y,ix(rows,cols,0)) ==> owned_else{L1,L2}(y,rows,cols,k,clusters,from,to) ==>
      owned_else{L0,L2}(y,rows,cols,k,clusters,from,to);
    lemma owned_stats_from{L0,L1,L2}: \forall float *v, integer rows, k, clusters, rank;
      Same{L0,L1}(v,rows) ==> owned_stats_else{L1,L2}(v,rows,k,clusters,rank) ==>
      owned_stats_else{L0,L2}(v,rows,k,clusters,rank);
    lemma owned_stats_on{L0,L1,L2}: \forall float *v, integer rows, k, clusters, rank, n;
      0 <= k < clusters ==> 0 <= n ==> owned_stats_else{L0,L1}(v,rows,k,clusters,rank) ==>
      stats_else{L1,L2}(v,rows,tile_row(n,k,clusters),rank) ==>
      owned_stats_else{L0,L2}(v,rows,k,clusters,rank);
    // a tile that is done stays so while a later one is
    predicate stats_elses{L1,L2}(integer centered, float *mean, float *rstd, integer rows,
                                 integer row, integer rank) =
      stats_else{L1,L2}(rstd,rows,row,rank) &&
      (centered != 0 ==> stats_else{L1,L2}(mean,rows,row,rank));
    lemma tiles_left_on{L0,L1,L2}: \forall integer centered, affine, float *x, *gamma, *beta, *y,
      *mean, *rstd, integer rows, cols, real eps, integer rank, k, clusters, n, from, to;
      0 <= k < clusters ==> 0 <= from ==> (from < to ==> to <= cols) ==>
      tile_else{L1,L2}(y,rows,cols,tile_row(n,k,clusters),from,to) ==>
      stats_elses{L1,L2}(centered,mean,rstd,rows,tile_row(n,k,clusters),rank) ==>
      tiles_left{L0,L1}(centered,affine,x,gamma,beta,y,mean,rstd,rows,cols,eps,rank,k,clusters,n,
                        from,to) ==>
      tiles_left{L0,L2}(centered,affine,x,gamma,beta,y,mean,rstd,rows,cols,eps,rank,k,clusters,n,
                        from,to);
    // what has arrived in another stage stays
    predicate part_of(integer part, integer stage) = part == 2*stage || part == 2*stage + 1;
    predicate other_part(integer part, integer stage) = 0 <= stage < STAGE_COUNT &&
      0 <= part < 2*STAGE_COUNT && !part_of(part,stage);
    lemma other_parts: \forall integer part, other, stage; 0 <= other < STAGE_COUNT ==>
      0 <= stage < STAGE_COUNT ==> stage != other ==> part_of(part,other) ==>
      other_part(part,stage);
    lemma slice_held_on{L1,L2}: \forall float *cells, integer part, stage, float *x, integer at, n,
      all; 0 <= at ==> n <= STAGE_ROOM - 6 ==> at + n <= all ==> other_part(part,stage) ==>
      stages_else{L1,L2}(cells,stage) ==> Same{L1,L2}(x,all) ==>
      slice_held{L1}(cells,slice_off(part,at),x,at,at+n) ==>
      slice_held{L2}(cells,slice_off(part,at),x,at,at+n);
    lemma row_held_on{L1,L2}: \forall float *cells, integer part, stage, float *x, integer r, rows,
      cols, first, n; 0 <= r ==> 0 <= first ==> (0 < n ==> first + n <= cols) ==>
      n <= STAGE_ROOM - 6 ==> other_part(part,stage) ==> stages_else{L1,L2}(cells,stage) ==>
      Same{L1,L2}(x,ix(rows,cols,0)) ==> row_held{L1}(cells,part,x,r,rows,cols,first,n) ==>
      row_held{L2}(cells,part,x,r,rows,cols,first,n);
    lemma tile_held_on{L1,L2}: \forall float *cells, integer stage, float *x, integer row, rows,
      cols, first, n, other; 0 <= row ==> 0 <= first ==> (0 < n ==> first + n <= cols) ==>
      n <= STAGE_ROOM - 6 ==> 0 <= other < STAGE_COUNT ==> 0 <= stage < STAGE_COUNT ==>
      stage != other ==> stages_else{L1,L2}(cells,stage) ==> Same{L1,L2}(x,ix(rows,cols,0)) ==>
      tile_held{L1}(cells,other,x,row,rows,cols,first,n) ==>
      tile_held{L2}(cells,other,x,row,rows,cols,first,n);
    // the three stages from this one on
    predicate tiles_held{L}(float *cells, integer stage, float *x, integer row, integer step,
                            integer rows, integer cols, integer first, integer n) =
      tile_held(cells,stage,x,row,rows,cols,first,n) &&
      tile_held(cells,stage_next(stage),x,row+step,rows,cols,first,n) &&
      tile_held(cells,stage_next(stage_next(stage)),x,row+2*step,rows,cols,first,n); */

/* A block's tiles, of which the first are on their way. */
/*@ requires slices_of(s,rows,cols,x) && s.room == stage_room_ && stages_sent(0,0);
    requires slice_outs(centered,rows,cols,y,mean,rstd) && aligned16(x);
    requires slice_apart(centered,affine,rows,cols,x,gamma,beta,y,mean,rstd);
    requires slice_of_block(s,rank,width,cols) && slice_mail(box,rank,0);
    requires tile_own(cells,scale,shift,box,centered,affine,rows,cols,x,gamma,beta,y,mean,rstd);
    requires stage_taken_ <= put_ && 0 <= mail_cluster_ < clusters <= SLICE_ROWS;
    requires first == 2*mail_cluster_ && step == 2*clusters;
    requires tiles_held(cells,0,x,first,step,rows,cols,s.first,s.n);
    requires cluster_says{Pre}(mail_cluster_,clusters,centered,x,rows,cols,width);
    requires scales_held{Pre,Pre}(centered,affine,scale,shift,gamma,beta,s.first,s.n,
                                  mul(s.each,BDIM));
    assigns cells[0 .. STAGE_CELLS-1], stage_, stage_way_, stage_round_, stage_part_, stage_cell_,
            stages_sent_, stage_taken_, box->warps[0 .. MAIL_CELLS-1], put_, got_,
            y[0 .. ix(rows,cols,0)-1], rstd[0 .. rows-1], mean[0 .. if_there(centered,rows)-1];
    ensures owned_left{Pre,Post}(centered,affine,x,gamma,beta,y,mean,rstd,rows,cols,eps,rank,
                                 mail_cluster_,clusters,s.first,s.first+s.n);
    ensures owned_else{Pre,Post}(y,rows,cols,mail_cluster_,clusters,s.first,s.first+s.n);
    ensures owned_stats_else{Pre,Post}(rstd,rows,mail_cluster_,clusters,rank);
    ensures centered != 0 ==> owned_stats_else{Pre,Post}(mean,rows,mail_cluster_,clusters,rank);
    ensures tensors_same{Pre,Post}(centered,affine,x,gamma,beta,rows,cols); */
DEV void norm_tiles(BULK_RING_PARAM(cells), arrival *on, PER_THREAD_OF(float, scale),
                    PER_THREAD_OF(float, shift), mailbox *box, idx first, idx step, int rank,
                    int centered, norm_slice s, idx rows, int cols, float eps,
                    const float *RESTRICT x, float *RESTRICT y, float *RESTRICT mean,
                    float *RESTRICT rstd GHOST_PARAMS(idx clusters, int affine, int width,
                                                      const float *gamma, const float *beta))
{
  int stage = 0, round = 0, tile = 0;
  //@ assert begin: first == tile_row(0,mail_cluster_,clusters);
  /*@ loop invariant first <= row <= rows + step && 2*tile <= row && 0 <= tile;
      loop invariant row == tile_row(tile,mail_cluster_,clusters);
      loop invariant stages_sent(stage,round);
      loop invariant mail_at(tile_turn(centered,tile));
      loop invariant taken: stage_taken_ <= put_;
      loop invariant held: tiles_held(cells,stage,x,row,step,rows,cols,s.first,s.n);
      loop invariant same: tensors_same{Pre,Here}(centered,affine,x,gamma,beta,rows,cols);
      loop invariant scales: regs_same{Pre,Here}(scale);
      loop invariant shifts: regs_same{Pre,Here}(shift);
      loop invariant left: tiles_left{Pre,Here}(centered,affine,x,gamma,beta,y,mean,rstd,rows,cols,
        eps,rank,mail_cluster_,clusters,tile,s.first,s.first+s.n);
      loop invariant else: owned_else{Pre,Here}(y,rows,cols,mail_cluster_,clusters,s.first,
                                                s.first+s.n);
      loop invariant else_r: owned_stats_else{Pre,Here}(rstd,rows,mail_cluster_,clusters,rank);
      loop invariant else_m: centered != 0 ==>
        owned_stats_else{Pre,Here}(mean,rows,mail_cluster_,clusters,rank);
      loop assigns row, stage, round, tile, cells[0 .. STAGE_CELLS-1], stage_, stage_way_,
                   stage_round_, stage_part_, stage_cell_, stages_sent_, stage_taken_,
                   box->warps[0 .. MAIL_CELLS-1], put_, got_, y[0 .. ix(rows,cols,0)-1],
                   rstd[0 .. rows-1], mean[0 .. if_there(centered,rows)-1];
      loop variant rows - row; */
  for (idx row = first; row < rows; row += step) {
    //@ assert back: tensors_same{Here,Pre}(centered,affine,x,gamma,beta,rows,cols);
    /*@ assert says_pre: tile_says{Pre}(mail_cluster_,tile_turn(centered,tile),centered,x,row,rows,
                                        cols,width); */
    /*@ assert says: tile_says(mail_cluster_,tile_turn(centered,tile),centered,x,row,rows,cols,
                               width); */
    /*@ assert scaled: scales_held{Here,Here}(centered,affine,scale,shift,gamma,beta,s.first,s.n,
                                              mul(s.each,BDIM)); */
    norm_tile(cells, on, scale, shift, box, stage, round, centered ? 2 * tile : tile, rank,
              centered, s, row, row + STAGE_COUNT * step, rows, cols, eps, x, y, mean,
              rstd GHOST_ARGS(affine, width, gamma, beta));
    //@ assert next: tile_held(cells,stage_next(stage),x,row+step,rows,cols,s.first,s.n);
    /*@ assert after: tile_held(cells,stage_next(stage_next(stage)),x,row+2*step,rows,cols,s.first,
                                s.n); */
    /*@ assert now: tile_left{LoopCurrent,Here}(centered,affine,x,gamma,beta,y,mean,rstd,rows,cols,
                                                eps,rank,row,s.first,s.first+s.n); */
    /*@ assert new: tile_left{Pre,Here}(centered,affine,x,gamma,beta,y,mean,rstd,rows,cols,eps,rank,
                                        row,s.first,s.first+s.n); */
    /*@ assert off: tile_else{LoopCurrent,Here}(y,rows,cols,tile_row(tile,mail_cluster_,clusters),
                                                s.first,s.first+s.n); */
    /*@ assert off_s: stats_elses{LoopCurrent,Here}(centered,mean,rstd,rows,
          tile_row(tile,mail_cluster_,clusters),rank); */
    /*@ assert old: tiles_left{Pre,Here}(centered,affine,x,gamma,beta,y,mean,rstd,rows,cols,eps,
                                         rank,mail_cluster_,clusters,tile,s.first,s.first+s.n); */
    //@ assert rest: owned_else{Pre,Here}(y,rows,cols,mail_cluster_,clusters,s.first,s.first+s.n);
    //@ assert rest_r: owned_stats_else{Pre,Here}(rstd,rows,mail_cluster_,clusters,rank);
    /*@ assert rest_m: centered != 0 ==>
          owned_stats_else{Pre,Here}(mean,rows,mail_cluster_,clusters,rank); */
    tile++;
    round = stage + 1 < STAGE_COUNT ? round : 1 - round;
    stage = stage + 1 < STAGE_COUNT ? stage + 1 : 0;
  }
}

/* Block `rank` of cluster k. */
/*@ requires slices_of(s,rows,cols,x) && 0 <= k < clusters <= SLICE_ROWS && 0 <= rank < ROW_CLUSTER;
    requires slice_outs(centered,rows,cols,y,mean,rstd) && aligned16(x);
    requires slice_apart(centered,affine,rows,cols,x,gamma,beta,y,mean,rstd);
    requires reads(gamma,if_there(affine,cols)) && reads(beta,if_there(centered,cols));
    requires 2*STAGE_COUNT*s.room <= stage_cells_ && slice_of_block(s,rank,width,cols);
    requires cluster_says{Pre}(k,clusters,centered,x,rows,cols,width);
    assigns stage_room_, stage_, stage_way_, stage_round_, stage_part_, stage_cell_, stages_sent_,
            stages_met_, stage_taken_, joined_, put_, got_, mail_cluster_, y[0 .. ix(rows,cols,
              0)-1],
            rstd[0 .. rows-1], mean[0 .. if_there(centered,rows)-1];
    ensures owned_left{Pre,Post}(centered,affine,x,gamma,beta,y,mean,rstd,rows,cols,eps,rank,k,
                                 clusters,s.first,s.first+s.n);
    ensures owned_else{Pre,Post}(y,rows,cols,k,clusters,s.first,s.first+s.n);
    ensures owned_stats_else{Pre,Post}(rstd,rows,k,clusters,rank);
    ensures centered != 0 ==> owned_stats_else{Pre,Post}(mean,rows,k,clusters,rank);
    ensures tensors_same{Pre,Post}(centered,affine,x,gamma,beta,rows,cols); */
DEV void norm_cluster_block(idx k, idx clusters, int rank, int centered, int affine, norm_slice s,
                            idx rows, int cols, float eps, const float *RESTRICT x,
                            const float *RESTRICT gamma, const float *RESTRICT beta,
                            float *RESTRICT y, float *RESTRICT mean,
                            float *RESTRICT rstd GHOST_PARAMS(int width))
{
  BULK_RING(cells, s.room);
  ARRIVALS(on);
  EXCHANGE(box);
  PRIVATES(float, scale);
  PRIVATES(float, shift);
  const idx step = TILE_ROWS * clusters, first = TILE_ROWS * k;
  //@ assert there: slice_outs(centered,rows,cols,y,mean,rstd);
  //@ assert own_x: off_own(x,ix(rows,cols,0),&cells[0],&box[0].warps[0]);
  //@ assert own_g: off_own(gamma,if_there(affine,cols),&cells[0],&box[0].warps[0]);
  //@ assert own_b: off_own(beta,if_there(centered,cols),&cells[0],&box[0].warps[0]);
  //@ assert own_y: off_own(y,ix(rows,cols,0),&cells[0],&box[0].warps[0]);
  //@ assert own_r: off_own(rstd,rows,&cells[0],&box[0].warps[0]);
  //@ assert own_m: off_own(mean,if_there(centered,rows),&cells[0],&box[0].warps[0]);
  //@ assert own_scale: off_own(&scale[0],SLICE_EACH*MAXB,&cells[0],&box[0].warps[0]);
  //@ assert own_shift: off_own(&shift[0],SLICE_EACH*MAXB,&cells[0],&box[0].warps[0]);
  //@ assert off_x: off_regs(x,ix(rows,cols,0),&scale[0],&shift[0]);
  //@ assert off_g: off_regs(gamma,if_there(affine,cols),&scale[0],&shift[0]);
  //@ assert off_b: off_regs(beta,if_there(centered,cols),&scale[0],&shift[0]);
  //@ assert off_y: off_regs(y,ix(rows,cols,0),&scale[0],&shift[0]);
  //@ assert off_r: off_regs(rstd,rows,&scale[0],&shift[0]);
  //@ assert off_m: off_regs(mean,if_there(centered,rows),&scale[0],&shift[0]);
  //@ assert out_x: off_outs(x,ix(rows,cols,0),centered,rows,cols,y,mean,rstd);
  //@ assert out_g: off_outs(gamma,if_there(affine,cols),centered,rows,cols,y,mean,rstd);
  //@ assert out_b: off_outs(beta,if_there(centered,cols),centered,rows,cols,y,mean,rstd);
  //@ assert out_scale: off_outs(&scale[0],SLICE_EACH*MAXB,centered,rows,cols,y,mean,rstd);
  //@ assert out_shift: off_outs(&shift[0],SLICE_EACH*MAXB,centered,rows,cols,y,mean,rstd);
  //@ assert out_cells: off_outs(&cells[0],STAGE_CELLS,centered,rows,cols,y,mean,rstd);
  //@ assert regs: scales_regs(&scale[0],&shift[0],centered,rows,cols,x,y,mean,rstd);
  /*@ assert own: tile_own(&cells[0],&scale[0],&shift[0],&box[0],centered,affine,rows,cols,x,gamma,
                           beta,y,mean,rstd); */
  exchange_begin(box, rank, k);
  BY_THREAD(0) tiles_fetch(cells, on, s, first, step, rows, cols, x);
  //@ assert ins1: tensors_same{Pre,Here}(centered,affine,x,gamma,beta,rows,cols);
  //@ assert outs1: outs_same{Pre,Here}(centered,rows,cols,y,mean,rstd);
  //@ ghost L1: ;
  slice_load(scale, affine, s, 1.0f, gamma GHOST_ARGS(cols));
  //@ assert ins2: tensors_same{Pre,Here}(centered,affine,x,gamma,beta,rows,cols);
  //@ assert outs2: outs_same{Pre,Here}(centered,rows,cols,y,mean,rstd);
  //@ assert cells1: Same{L1,Here}(&cells[0],STAGE_CELLS);
  /*@ assert scaled: slice_either{Here,Here}(&scale[0],gamma,affine,1.0,s.first,s.n,
                                             mul(s.each,BDIM)); */
  //@ ghost L2: ;
  if (centered) {
    slice_load(shift, 1, s, 0.0f, beta GHOST_ARGS(cols));
    //@ assert ins3: tensors_same{Pre,Here}(centered,affine,x,gamma,beta,rows,cols);
    //@ assert outs3: outs_same{Pre,Here}(centered,rows,cols,y,mean,rstd);
    //@ assert cells2: Same{L1,Here}(&cells[0],STAGE_CELLS);
    //@ assert scale: regs_same{L2,Here}(&scale[0]);
    //@ assert ins4: tensors_same{L2,Here}(centered,affine,x,gamma,beta,rows,cols);
    /*@ assert shifted: slice_either{Here,Here}(&shift[0],beta,centered,0.0,s.first,s.n,
                                                mul(s.each,BDIM)); */
    /*@ assert scaled2: slice_either{Here,Here}(&scale[0],gamma,affine,1.0,s.first,s.n,
                                                mul(s.each,BDIM)); */
  }
  bulk_ring_meet();
  exchange_join(box);
  //@ assert begun: tensors_same{Pre,Here}(centered,affine,x,gamma,beta,rows,cols);
  //@ assert outs: outs_same{Pre,Here}(centered,rows,cols,y,mean,rstd);
  //@ assert cells: Same{L1,Here}(&cells[0],STAGE_CELLS);
  //@ assert x: Same{L1,Here}(x,ix(rows,cols,0));
  //@ assert says: cluster_says(k,clusters,centered,x,rows,cols,width);
  /*@ assert scales: scales_held{Here,Here}(centered,affine,&scale[0],&shift[0],gamma,beta,s.first,
                                            s.n,mul(s.each,BDIM)); */
  //@ assert held0: tile_held(&cells[0],0,x,first,rows,cols,s.first,s.n);
  //@ assert held1: tile_held(&cells[0],1,x,first+step,rows,cols,s.first,s.n);
  //@ assert held2: tile_held(&cells[0],2,x,first+2*step,rows,cols,s.first,s.n);
  //@ assert next: stage_next(0) == 1 && stage_next(1) == 2;
  //@ assert held: tiles_held(&cells[0],0,x,first,step,rows,cols,s.first,s.n);
  //@ assert mail: slice_mail(&box[0],rank,0);
  //@ ghost L3: ;
  norm_tiles(cells, on, scale, shift, box, first, step, rank, centered, s, rows, cols, eps, x, y,
             mean, rstd GHOST_ARGS(clusters, affine, width, gamma, beta));
  //@ assert back: tensors_same{L3,Pre}(centered,affine,x,gamma,beta,rows,cols);
  /*@ assert left: owned_left{L3,Here}(centered,affine,x,gamma,beta,y,mean,rstd,rows,cols,eps,rank,
                                       k,clusters,s.first,s.first+s.n); */
  //@ assert else: owned_else{L3,Here}(y,rows,cols,k,clusters,s.first,s.first+s.n);
  //@ assert else_pre: owned_else{Pre,Here}(y,rows,cols,k,clusters,s.first,s.first+s.n);
}

/*@ // the rows of all clusters below k
    predicate y_left{L0,L}(integer centered, integer affine, float *x, float *gamma, float *beta,
                           float *y, integer rows, integer cols, real eps, integer k,
                           integer clusters) =
      \forall integer r, c; 0 <= r < rows ==> 0 <= c < cols ==> owner(r,clusters) < k ==>
        \at(y[ix(r,cols,c)],L) == Normed{L0}(centered,affine,x+ix(r,cols,0),gamma,beta,cols,eps,c);
    predicate rstd_left{L0,L}(integer centered, float *x, float *rstd, integer rows, integer cols,
                              real eps, integer k, integer clusters) =
      \forall integer r; 0 <= r < rows ==> owner(r,clusters) < k ==>
        \at(rstd[r],L) == Rstd{L0}(x+ix(r,cols,0),centered,cols,eps);
    predicate mean_left{L0,L}(float *x, float *mean, integer rows, integer cols, integer k,
                              integer clusters) =
      \forall integer r; 0 <= r < rows ==> owner(r,clusters) < k ==>
        \at(mean[r],L) == Mean{L0}(x+ix(r,cols,0),cols);
    predicate rows_left{L0,L}(integer centered, integer affine, float *x, float *gamma, float *beta,
                              float *y, float *mean, float *rstd, integer rows, integer cols,
                              real eps, integer k, integer clusters) =
      y_left{L0,L}(centered,affine,x,gamma,beta,y,rows,cols,eps,k,clusters) &&
      rstd_left{L0,L}(centered,x,rstd,rows,cols,eps,k,clusters) &&
      (centered != 0 ==> mean_left{L0,L}(x,mean,rows,cols,k,clusters));
    predicate owned_elses{L1,L2}(integer centered, float *y, float *mean, float *rstd, integer rows,
                                 integer cols, integer k, integer clusters, integer rank,
                                 integer from, integer to) =
      owned_else{L1,L2}(y,rows,cols,k,clusters,from,to) &&
      owned_stats_else{L1,L2}(rstd,rows,k,clusters,rank) &&
      (centered != 0 ==> owned_stats_else{L1,L2}(mean,rows,k,clusters,rank));
    lemma rows_left_on{L0,L1,L2}: \forall integer centered, affine, float *x, *gamma, *beta, *y,
      *mean, *rstd, integer rows, cols, real eps, integer k, clusters, rank, from, to;
      owned_elses{L1,L2}(centered,y,mean,rstd,rows,cols,k,clusters,rank,from,to) ==>
      rows_left{L0,L1}(centered,affine,x,gamma,beta,y,mean,rstd,rows,cols,eps,k,clusters) ==>
      rows_left{L0,L2}(centered,affine,x,gamma,beta,y,mean,rstd,rows,cols,eps,k,clusters);
    // a cluster's columns up to `to`: those of its blocks below `rank`, and the first one's
    // statistics
    predicate columns_left{L0,L}(integer centered, integer affine, float *x, float *gamma,
                                 float *beta, float *y, float *mean, float *rstd, integer rows,
                                 integer cols, real eps, integer rank, integer k,
                                 integer clusters, integer to) =
      0 < rank ==> owned_left{L0,L}(centered,affine,x,gamma,beta,y,mean,rstd,rows,cols,eps,0,k,
                                    clusters,0,to);
    lemma slice_normed_on{L0,L1,L2}: \forall integer centered, affine, float *x, *gamma, *beta, *y,
      integer rows, cols, real eps, integer r, k, clusters, from, to, end; 0 <= r < rows ==>
      end <= from ==> end <= cols ==> owned_else{L1,L2}(y,rows,cols,k,clusters,from,to) ==>
      slice_normed{L0,L1}(centered,affine,x,gamma,beta,y,cols,eps,r,0,end) ==>
      slice_normed{L0,L2}(centered,affine,x,gamma,beta,y,cols,eps,r,0,end);
    lemma row_stats_on{L0,L1,L2}: \forall integer centered, float *x, *mean, *rstd, integer rows,
      cols, real eps, integer r, k, clusters, rank; 0 <= r < rows ==> 0 < rank ==>
      owned_stats_else{L1,L2}(rstd,rows,k,clusters,rank) ==>
      (centered != 0 ==> owned_stats_else{L1,L2}(mean,rows,k,clusters,rank)) ==>
      row_stats{L0,L1}(centered,x,mean,rstd,cols,eps,r) ==>
      row_stats{L0,L2}(centered,x,mean,rstd,cols,eps,r);
    lemma columns_left_on{L0,L1,L2}: \forall integer centered, affine, float *x, *gamma, *beta, *y,
      *mean, *rstd, integer rows, cols, real eps, integer rank, k, clusters, from, to;
      0 <= rank ==> from <= cols ==>
      owned_elses{L1,L2}(centered,y,mean,rstd,rows,cols,k,clusters,rank,from,to) ==>
      columns_left{L0,L1}(centered,affine,x,gamma,beta,y,mean,rstd,rows,cols,eps,rank,k,clusters,
                          from) ==>
      columns_left{L0,L2}(centered,affine,x,gamma,beta,y,mean,rstd,rows,cols,eps,rank,k,clusters,
                          from);
    lemma columns_left_next{L0,L}: \forall integer centered, affine, float *x, *gamma, *beta, *y,
      *mean, *rstd, integer rows, cols, real eps, integer rank, k, clusters, from, to;
      0 <= rank ==> (rank == 0 ==> from == 0) ==>
      columns_left{L0,L}(centered,affine,x,gamma,beta,y,mean,rstd,rows,cols,eps,rank,k,clusters,
                         from) ==>
      owned_left{L0,L}(centered,affine,x,gamma,beta,y,mean,rstd,rows,cols,eps,rank,k,clusters,from,
                       to) ==>
      columns_left{L0,L}(centered,affine,x,gamma,beta,y,mean,rstd,rows,cols,eps,rank+1,k,clusters,
                         to);
    lemma owned_left_frame{L1,L2,L}: \forall integer centered, affine, float *x, *gamma, *beta, *y,
      *mean, *rstd, integer rows, cols, real eps, integer rank, k, clusters, from, to; 0 < cols ==>
      0 <= from ==> (from < to ==> to <= cols) ==>
      tensors_same{L1,L2}(centered,affine,x,gamma,beta,rows,cols) ==>
      owned_left{L1,L}(centered,affine,x,gamma,beta,y,mean,rstd,rows,cols,eps,rank,k,clusters,from,
                       to) ==>
      owned_left{L2,L}(centered,affine,x,gamma,beta,y,mean,rstd,rows,cols,eps,rank,k,clusters,from,
                       to);
    lemma y_left_next{L0,L}: \forall integer centered, affine, float *x, *gamma, *beta, *y, *mean,
      *rstd, integer rows, cols, real eps, integer k, m, clusters; m <= k + 1 ==>
      y_left{L0,L}(centered,affine,x,gamma,beta,y,rows,cols,eps,k,clusters) ==>
      owned_left{L0,L}(centered,affine,x,gamma,beta,y,mean,rstd,rows,cols,eps,0,k,clusters,0,
                       cols) ==>
      y_left{L0,L}(centered,affine,x,gamma,beta,y,rows,cols,eps,m,clusters);
    lemma rstd_left_next{L0,L}: \forall integer centered, affine, float *x, *gamma, *beta, *y,
      *mean,
      *rstd, integer rows, cols, real eps, integer k, m, clusters; m <= k + 1 ==>
      rstd_left{L0,L}(centered,x,rstd,rows,cols,eps,k,clusters) ==>
      owned_left{L0,L}(centered,affine,x,gamma,beta,y,mean,rstd,rows,cols,eps,0,k,clusters,0,
                       cols) ==>
      rstd_left{L0,L}(centered,x,rstd,rows,cols,eps,m,clusters);
    lemma mean_left_next{L0,L}: \forall integer centered, affine, float *x, *gamma, *beta, *y,
      *mean,
      *rstd, integer rows, cols, real eps, integer k, m, clusters; m <= k + 1 ==>
      centered != 0 ==> mean_left{L0,L}(x,mean,rows,cols,k,clusters) ==>
      owned_left{L0,L}(centered,affine,x,gamma,beta,y,mean,rstd,rows,cols,eps,0,k,clusters,0,
                       cols) ==>
      mean_left{L0,L}(x,mean,rows,cols,m,clusters);
    lemma rows_left_next{L0,L}: \forall integer centered, affine, float *x, *gamma, *beta, *y,
      *mean,
      *rstd, integer rows, cols, real eps, integer k, m, clusters; m <= k + 1 ==>
      rows_left{L0,L}(centered,affine,x,gamma,beta,y,mean,rstd,rows,cols,eps,k,clusters) ==>
      owned_left{L0,L}(centered,affine,x,gamma,beta,y,mean,rstd,rows,cols,eps,0,k,clusters,0,
                       cols) ==>
      rows_left{L0,L}(centered,affine,x,gamma,beta,y,mean,rstd,rows,cols,eps,m,clusters);
    lemma rows_left_y{L0,L}: \forall integer centered, affine, float *x, *gamma, *beta, *y, *mean,
      *rstd, integer rows, cols, real eps, integer clusters; 0 < clusters ==>
      rows_left{L0,L}(centered,affine,x,gamma,beta,y,mean,rstd,rows,cols,eps,clusters,clusters) ==>
      normed_rows{L0,L}(centered,affine,x,gamma,beta,y,cols,eps,rows);
    lemma rows_left_rstd{L0,L}: \forall integer centered, affine, float *x, *gamma, *beta, *y,
      *mean,
      *rstd, integer rows, cols, real eps, integer clusters; 0 < clusters ==>
      rows_left{L0,L}(centered,affine,x,gamma,beta,y,mean,rstd,rows,cols,eps,clusters,clusters) ==>
      rstd_rows{L0,L}(centered,x,rstd,cols,eps,rows);
    lemma rows_left_mean{L0,L}: \forall integer centered, affine, float *x, *gamma, *beta, *y,
      *mean,
      *rstd, integer rows, cols, real eps, integer clusters; 0 < clusters ==> centered != 0 ==>
      rows_left{L0,L}(centered,affine,x,gamma,beta,y,mean,rstd,rows,cols,eps,clusters,clusters) ==>
      mean_rows{L0,L}(x,mean,cols,rows); */

/* x is 16-byte aligned; width: of a slice, of which EACH BLOCK is the most. gamma is read where
 * affine, beta read and mean written where CENTERED. */
/*@ requires block && BLOCK == bdim_ && 0 < EACH <= SLICE_EACH && 0 < width <= SLICE_WIDTH;
    requires 0 < clusters <= SLICE_ROWS && ix(clusters,ROW_CLUSTER,0) <= BLOCKS;
    requires 2*STAGE_COUNT*((width+9)/4*4) <= stage_cells_ && aligned16(x);
    requires width <= mul(EACH,BLOCK) && cols <= mul(ROW_CLUSTER,width);
    requires slice_outs(CENTERED,rows,cols,y,mean,rstd) && reads(x,ix(rows,cols,0));
    requires reads(gamma,if_there(affine,cols)) && reads(beta,if_there(CENTERED,cols));
    requires slice_apart(CENTERED,affine,rows,cols,x,gamma,beta,y,mean,rstd);
    requires grid_says{Pre}(clusters,CENTERED,x,rows,cols,width);
    assigns stage_room_, stage_, stage_way_, stage_round_, stage_part_, stage_cell_, stages_sent_,
            stages_met_, stage_taken_, joined_, put_, got_, mail_cluster_, y[0 .. ix(rows,cols,
              0)-1],
            rstd[0 .. rows-1], mean[0 .. if_there(CENTERED,rows)-1];
    ensures normed_rows{Pre,Post}(CENTERED,affine,x,gamma,beta,y,cols,eps,rows);
    ensures rstd_rows{Pre,Post}(CENTERED,x,rstd,cols,eps,rows);
    ensures CENTERED != 0 ==> mean_rows{Pre,Post}(x,mean,cols,rows); */
TEMPLATE(int CENTERED, int EACH, int BLOCK)
KERNEL void THREADS_AT_MOST(BLOCK)
    norm_cluster(CONSTANTS(int CENTERED, int EACH, int BLOCK) idx clusters, int affine, idx rows,
                 int cols, int width, float eps, const float *RESTRICT x,
                 const float *RESTRICT gamma, const float *RESTRICT beta, float *RESTRICT y,
                 float *RESTRICT mean, float *RESTRICT rstd)
{
  /*@ loop invariant 0 <= k <= clusters;
      loop invariant same: tensors_same{Pre,Here}(CENTERED,affine,x,gamma,beta,rows,cols);
      loop invariant done: rows_left{Pre,Here}(CENTERED,affine,x,gamma,beta,y,mean,rstd,rows,cols,
                                               eps,k,clusters);
      loop assigns k, stage_room_, stage_, stage_way_, stage_round_, stage_part_, stage_cell_,
                   stages_sent_, stages_met_, stage_taken_, joined_, put_, got_, mail_cluster_,
                   y[0 .. ix(rows,cols,0)-1], rstd[0 .. rows-1],
                   mean[0 .. if_there(CENTERED,rows)-1];
      loop variant clusters - k; */
  BROWS(k, clusters, ROW_CLUSTER) {
    /*@ loop invariant 0 <= rank <= ROW_CLUSTER;
        loop invariant same: tensors_same{Pre,Here}(CENTERED,affine,x,gamma,beta,rows,cols);
        loop invariant done: rows_left{Pre,Here}(CENTERED,affine,x,gamma,beta,y,mean,rstd,rows,cols,
                                                 eps,k,clusters);
        loop invariant columns: columns_left{Pre,Here}(CENTERED,affine,x,gamma,beta,y,mean,rstd,
          rows,cols,eps,rank,k,clusters,slice_end(rank,width,cols));
        loop assigns rank, stage_room_, stage_, stage_way_, stage_round_, stage_part_, stage_cell_,
                     stages_sent_, stages_met_, stage_taken_, joined_, put_, got_, mail_cluster_,
                     y[0 .. ix(rows,cols,0)-1], rstd[0 .. rows-1],
                     mean[0 .. if_there(CENTERED,rows)-1];
        loop variant ROW_CLUSTER - rank; */
    BCOLS(rank, ROW_CLUSTER) {
      const norm_slice s = slice_of((int)rank, width, cols, EACH, BLOCK);
      //@ assert fits: slice_fits(s,s.n);
      //@ assert less: mul(EACH,bdim_) + bdim_ <= mul(SLICE_EACH+1,bdim_);
      //@ assert most: mul(s.each,bdim_) <= SLICE_EACH*MAXB;
      //@ assert from: 0 < s.n ==> s.first == slice_end(rank,width,cols);
      //@ assert to: 0 < s.n ==> s.first + s.n == slice_end(rank+1,width,cols);
      //@ assert some: 0 < s.n ==> slice_cut(s.first,s.first+s.n,rank,width,cols);
      //@ assert none: s.n == 0 ==> slice_end(rank,width,cols) == slice_end(rank+1,width,cols);
      //@ assert cut: slice_of_block(s,rank,width,cols);
      //@ assert of: slices_of(s,rows,cols,x);
      //@ assert back: tensors_same{Here,Pre}(CENTERED,affine,x,gamma,beta,rows,cols);
      //@ assert says: cluster_says{Pre}(k,clusters,CENTERED,x,rows,cols,width);
      //@ assert says_here: cluster_says(k,clusters,CENTERED,x,rows,cols,width);
      norm_cluster_block(k, clusters, (int)rank, CENTERED, affine, s, rows, cols, eps, x, gamma,
                         beta, y, mean, rstd GHOST_ARGS(width));
      /*@ assert else: owned_elses{LoopCurrent,Here}(CENTERED,y,mean,rstd,rows,cols,k,clusters,rank,
            slice_end(rank,width,cols),slice_end(rank+1,width,cols)); */
      /*@ assert kept: columns_left{Pre,Here}(CENTERED,affine,x,gamma,beta,y,mean,rstd,rows,cols,
        eps,
                                              rank,k,clusters,slice_end(rank,width,cols)); */
      /*@ assert here: owned_left{LoopCurrent,Here}(CENTERED,affine,x,gamma,beta,y,mean,rstd,rows,
            cols,eps,rank,k,clusters,slice_end(rank,width,cols),slice_end(rank+1,width,cols)); */
      /*@ assert left: owned_left{Pre,Here}(CENTERED,affine,x,gamma,beta,y,mean,rstd,rows,cols,eps,
            rank,k,clusters,slice_end(rank,width,cols),slice_end(rank+1,width,cols)); */
    }
    /*@ assert whole: owned_left{Pre,Here}(CENTERED,affine,x,gamma,beta,y,mean,rstd,rows,cols,eps,0,
                                           k,clusters,0,cols); */
  }
  /*@ assert all: rows_left{Pre,Here}(CENTERED,affine,x,gamma,beta,y,mean,rstd,rows,cols,eps,
                                      clusters,clusters); */
}

#ifndef __FRAMAC__
/* -------------------------------------------------- launchers */

#define RUN(EACH, BLOCK)                                                                         \
  LAUNCH_CLUSTERS((norm_cluster<CENTERED, EACH, BLOCK>), ROW_CLUSTER, ROW_CLUSTER *clusters,     \
                  BLOCK, stage_bytes(slice_room(width)), ex->stream, clusters, t->gamma != NULL, \
                  t->rows, (int)t->cols, width, t->eps, t->x, t->gamma, t->beta, t->y, t->mean,  \
                  t->rstd)

template <int CENTERED> static void launch_norm_cluster(const pm_exec *ex, const norm_call *t)
{
  const idx tiles = divide_up(t->rows, TILE_ROWS), most = row_clusters(t->cols);
  const idx clusters = tiles < most ? tiles : most;
  const int width = slice_width(t->cols);
  WITH_SLICE(RUN, t->cols);
}

extern "C" void LAUNCHER(norm_cluster)(const pm_exec *ex, const norm_call *t)
{
  if (t->mean)
    launch_norm_cluster<1>(ex, t);
  else
    launch_norm_cluster<0>(ex, t);
}
#endif
