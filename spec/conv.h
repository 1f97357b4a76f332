/* Convolutions. A tensor of cells is (batch, groups, in, cells) and one of outputs (batch, groups,
 * out, outs), by the windows w: channels of a group meet through kernels k, (groups, out, in, taps).
 * The sides are 0, that of cells, and 1, that of outputs. A convolution reads side 0 and writes side
 * 1; what it does backwards, for a gradient or as a transposed convolution, reads side 1 and writes
 * side 0, by the same text. A line is one channel of one image. */
#ifndef SPEC_CONV_H
#define SPEC_CONV_H
#include "window.h"

typedef struct conv_shape {
  window w;
  idx batch, groups, in, out; /* in, out: channels of a group */
} conv_shape;

/*@ logic integer Other(integer side) = side != 0 ? 0 : 1;
    logic integer Channels(integer side, conv_shape c) = side != 0 ? c.out : c.in;
    logic integer Length(integer side, conv_shape c) = side != 0 ? c.w.outs : c.w.cells;
    logic integer ChannelCount(integer side, conv_shape c) = ix(c.groups,Channels(side,c),0);
    logic integer LineCount(integer side, conv_shape c) =
      ix(ix(c.batch,c.groups,0),Channels(side,c),0);
    logic integer Elements(integer side, conv_shape c) =
      ix(LineCount(side,c),Length(side,c),0);
    logic integer Kernels(conv_shape c) = ix(ix(c.groups,c.out,0),c.in,0);
    logic integer Weights(conv_shape c) = ix(Kernels(c),c.w.taps,0);
    predicate SideFits(integer side, conv_shape c) =
      0 <= Channels(side,c) && 0 <= Length(side,c) && ChannelCount(side,c) <= IDX_LIM &&
      LineCount(side,c) <= IDX_LIM && Elements(side,c) <= IDX_LIM &&
      ix(Channels(side,c),c.w.taps,0) <= IDX_LIM && ix(c.batch,Length(side,c),0) <= IDX_LIM;
    predicate ConvShape(conv_shape c) =
      Placed(c.w) && 0 <= c.batch && 1 <= c.groups && ix(c.batch,c.groups,0) <= IDX_LIM &&
      SideFits(0,c) && SideFits(1,c) && Kernels(c) <= IDX_LIM && Weights(c) <= IDX_LIM;

    // where the line of channel a of group g of image n begins; of group q of them all
    logic integer LineAt(integer side, conv_shape c, integer q, integer a) =
      ix(ix(q,Channels(side,c),a),Length(side,c),0);
    // where the kernel of group g begins by which channel a, written, gets channel b, read from
    // `side`
    logic integer KernelAt(integer side, conv_shape c, integer g, integer a, integer b) =
      ix(side != 0 ? ix(ix(g,c.out,b),c.in,a) : ix(ix(g,c.out,a),c.in,b), c.w.taps, 0);

    // along the last m axes: cell j without its last m indices; the output that reads it by tap u;
    // -1 where there is none
    logic integer CellRest(window w, integer j, integer m) =
      m <= 0 ? j : quo(CellRest(w,j,m-1), w.size[w.rank-m]);
    // the output along an axis that reads place r - pad by its first tap
    logic integer Turn(integer out, integer s, integer r) =
      r < 0 || rem(r,s) != 0 || quo(r,s) < 0 || out <= quo(r,s) ? -1 : quo(r,s);
    logic integer TurnOf(window w, integer j, integer u, integer m) =
      Turn(w.out[w.rank-m], w.stride[w.rank-m],
           rem(CellRest(w,j,m-1),w.size[w.rank-m]) + w.pad[w.rank-m]
           - ix(rem(TapRest(w,u,m-1),w.kernel[w.rank-m]),w.dilation[w.rank-m],0));
    logic integer Target(window w, integer j, integer u, integer m) =
      m <= 0 ? 0
      : Target(w,j,u,m-1) < 0 || TurnOf(w,j,u,m) < 0 ? -1
      : ix(TurnOf(w,j,u,m), Outs(w,m-1), Target(w,j,u,m-1));
    logic integer Reader(window w, integer j, integer u) =
      w.outs <= 0 ? -1 : Target(w,j,u,w.rank);
    // of the line that is read from `side`, the element that meets element i of what is written by
    // tap u; -1: none
    logic integer Meet(integer side, window w, integer i, integer u) =
      side != 0 ? Reader(w,i,u) : Cell(w,i,u);

    logic real ConvTerm(integer abs, real v, real k) = abs != 0 ? \abs(rmul(v,k)) : rmul(v,k);
    // element i of a line: the sum over the first n taps, from k+p on, of their products with the
    // line from z+o on
    logic real ConvTaps{L}(integer abs, integer side, scalar *z, integer o, scalar *k, integer p,
                           window w, integer i, integer n) =
      n <= 0 ? 0.0
      : ConvTaps{L}(abs,side,z,o,k,p,w,i,n-1)
        + (Meet(side,w,i,n-1) < 0 ? 0.0 : ConvTerm(abs,z[o+Meet(side,w,i,n-1)],k[p+n-1]));
    // of channel a of group q of all images, over the first n channels of the group
    logic real ConvSum{L}(integer abs, integer side, scalar *z, scalar *k, conv_shape c, integer q,
                          integer a, integer i, integer n) =
      n <= 0 ? 0.0
      : ConvSum{L}(abs,side,z,k,c,q,a,i,n-1)
        + ConvTaps{L}(abs,side,z,LineAt(side,c,q,n-1),k,KernelAt(side,c,rem(q,c.groups),a,n-1),c.w,
                      i,c.w.taps);
    // of element e of all that is written; the channel that it is in
    logic real ConvAt{L}(integer abs, integer side, scalar *z, scalar *k, conv_shape c, integer e) =
      ConvSum{L}(abs,side,z,k,c,
                 quo(quo(e,Length(Other(side),c)),Channels(Other(side),c)),
                 rem(quo(e,Length(Other(side),c)),Channels(Other(side),c)),
                 rem(e,Length(Other(side),c)),Channels(side,c));
    logic integer ChannelOf(integer side, conv_shape c, integer e) =
      rem(quo(e,Length(side,c)),ChannelCount(side,c));

    // The gradient of a weight, of tap u: the sum over the first n outputs of the line from g+p on,
    // each times the cell that it reads by this tap of the line from x+o on
    logic real ConvMeets{L}(integer abs, scalar *x, integer o, scalar *g, integer p, window w,
                            integer u, integer n) =
      n <= 0 ? 0.0
      : ConvMeets{L}(abs,x,o,g,p,w,u,n-1)
        + (Cell(w,n-1,u) < 0 ? 0.0 : ConvTerm(abs,x[o+Cell(w,n-1,u)],g[p+n-1]));
    // of channels i and o of group p, over the first n images
    logic real WeightSum{L}(integer abs, scalar *x, scalar *g, conv_shape c, integer p, integer o,
                            integer i, integer u, integer n) =
      n <= 0 ? 0.0
      : WeightSum{L}(abs,x,g,c,p,o,i,u,n-1)
        + ConvMeets{L}(abs,x,LineAt(0,c,ix(n-1,c.groups,p),i),g,LineAt(1,c,ix(n-1,c.groups,p),o),
                       c.w,u,c.w.outs);
    // of element e of the kernels
    logic real WeightAt{L}(integer abs, scalar *x, scalar *g, conv_shape c, integer e) =
      WeightSum{L}(abs,x,g,c,quo(quo(quo(e,c.w.taps),c.in),c.out),
                   rem(quo(quo(e,c.w.taps),c.in),c.out),rem(quo(e,c.w.taps),c.in),
                   rem(e,c.w.taps),c.batch);

    // The gradient of a bias: the sum over the line from g+o on, and over channel a of a side in
    // the first n images
    logic real LineSum{L}(integer abs, scalar *g, integer o, integer n) =
      n <= 0 ? 0.0
      : LineSum{L}(abs,g,o,n-1) + (abs != 0 ? \abs(g[o+n-1]) : g[o+n-1]);
    logic integer ChannelAt(integer side, conv_shape c, integer n, integer a) =
      ix(ix(n,ChannelCount(side,c),a),Length(side,c),0);
    logic real BiasSum{L}(integer abs, integer side, scalar *g, conv_shape c, integer a,
                          integer n) =
      n <= 0 ? 0.0
      : BiasSum{L}(abs,side,g,c,a,n-1) + LineSum{L}(abs,g,ChannelAt(side,c,n-1,a),Length(side,c));
    lemma turn_range: \forall integer n, s, r;
      Turn(n,s,r) == -1 || 0 <= Turn(n,s,r) < n;
    lemma target_range: \forall integer m, j, u, window w;
      Target(w,j,u,m) == -1 || 0 <= Target(w,j,u,m) < Outs(w,m);
    lemma outs_pos: \forall integer m, window w; m <= w.rank ==> Windowed(w) ==> 1 <= Outs(w,m);
    lemma outs_grow: \forall integer n, m, window w; 0 <= m <= n <= w.rank ==> Windowed(w) ==>
      Outs(w,m) <= Outs(w,n);
    lemma meet_range: \forall integer side, i, u, window w; Placed(w) ==>
      Meet(side,w,i,u) == -1 || 0 <= Meet(side,w,i,u) < (side != 0 ? w.outs : w.cells);
    lemma run_inside: \forall integer l, m, n; 0 <= l < m ==> 0 <= n ==>
      0 <= ix(l,n,0) && ix(l,n,0) + n <= ix(m,n,0);
    lemma line_inside: \forall integer side, q, a, conv_shape c; ConvShape(c) ==>
      0 <= q < ix(c.batch,c.groups,0) ==> 0 <= a < Channels(side,c) ==>
      0 <= LineAt(side,c,q,a) && LineAt(side,c,q,a) + Length(side,c) <= Elements(side,c);
    lemma kernel_inside: \forall integer side, g, a, b, conv_shape c; ConvShape(c) ==>
      0 <= g < c.groups ==> 0 <= a < Channels(Other(side),c) ==> 0 <= b < Channels(side,c) ==>
      0 <= KernelAt(side,c,g,a,b) && KernelAt(side,c,g,a,b) + c.w.taps <= Weights(c);
    lemma ix_nested: \forall integer a, b, n; ix(ix(a,b,0),n,0) == ix(a,ix(b,n,0),0);
    lemma lines_all: \forall integer side, conv_shape c;
      LineCount(side,c) == ix(c.batch,ChannelCount(side,c),0);
    lemma channel_line: \forall integer side, n, a, conv_shape c;
      0 <= n < c.batch ==> 0 <= a < ChannelCount(side,c) ==>
      0 <= ix(n,ChannelCount(side,c),a) < LineCount(side,c);
    lemma channel_inside: \forall integer side, n, a, conv_shape c; ConvShape(c) ==>
      0 <= n < c.batch ==> 0 <= a < ChannelCount(side,c) ==>
      0 <= ChannelAt(side,c,n,a) && ChannelAt(side,c,n,a) + Length(side,c) <= Elements(side,c);
    lemma conv_taps_same{L1,L2}: \forall integer n, i, o, p, size, count, abs, side, scalar *z, *k,
      window w; Placed(w) ==> n <= w.taps ==> 0 <= o ==> 0 <= p ==>
      o + (side != 0 ? w.outs : w.cells) <= size ==> p + w.taps <= count ==>
      Same{L1,L2}(z,size) ==> Same{L1,L2}(k,count) ==>
      ConvTaps{L1}(abs,side,z,o,k,p,w,i,n) == ConvTaps{L2}(abs,side,z,o,k,p,w,i,n);
    lemma conv_line_same{L1,L2}: \forall integer b, q, a, i, abs, side, scalar *z, *k, conv_shape c;
      ConvShape(c) ==> 0 <= q < ix(c.batch,c.groups,0) ==> 0 <= a < Channels(Other(side),c) ==>
      0 <= b < Channels(side,c) ==> Same{L1,L2}(z,Elements(side,c)) ==>
      Same{L1,L2}(k,Weights(c)) ==>
      ConvTaps{L1}(abs,side,z,LineAt(side,c,q,b),k,KernelAt(side,c,rem(q,c.groups),a,b),c.w,i,
                   c.w.taps) ==
      ConvTaps{L2}(abs,side,z,LineAt(side,c,q,b),k,KernelAt(side,c,rem(q,c.groups),a,b),c.w,i,
                   c.w.taps);
    lemma conv_sum_of{L1,L2}: \forall integer n, q, a, i, abs, side, scalar *z, *k, conv_shape c;
      (\forall integer b; 0 <= b < n ==>
        ConvTaps{L1}(abs,side,z,LineAt(side,c,q,b),k,KernelAt(side,c,rem(q,c.groups),a,b),c.w,i,
                     c.w.taps) ==
        ConvTaps{L2}(abs,side,z,LineAt(side,c,q,b),k,KernelAt(side,c,rem(q,c.groups),a,b),c.w,i,
                     c.w.taps)) ==>
      ConvSum{L1}(abs,side,z,k,c,q,a,i,n) == ConvSum{L2}(abs,side,z,k,c,q,a,i,n);
    lemma conv_sum_same{L1,L2}: \forall integer n, q, a, i, abs, side, scalar *z, *k, conv_shape c;
      ConvShape(c) ==> 0 <= q < ix(c.batch,c.groups,0) ==> 0 <= a < Channels(Other(side),c) ==>
      n <= Channels(side,c) ==> Same{L1,L2}(z,Elements(side,c)) ==> Same{L1,L2}(k,Weights(c)) ==>
      ConvSum{L1}(abs,side,z,k,c,q,a,i,n) == ConvSum{L2}(abs,side,z,k,c,q,a,i,n);
    lemma element_inside: \forall integer side, e, conv_shape c; ConvShape(c) ==>
      0 <= e < Elements(side,c) ==> 0 < Channels(side,c) && 0 < Length(side,c) &&
      0 <= quo(quo(e,Length(side,c)),Channels(side,c)) < ix(c.batch,c.groups,0) &&
      0 <= rem(quo(e,Length(side,c)),Channels(side,c)) < Channels(side,c) &&
      0 <= rem(e,Length(side,c)) < Length(side,c);
    lemma conv_at_same{L1,L2}: \forall integer e, abs, side, scalar *z, *k, conv_shape c;
      ConvShape(c) ==> 0 <= e < Elements(Other(side),c) ==>
      Same{L1,L2}(z,Elements(side,c)) ==> Same{L1,L2}(k,Weights(c)) ==>
      ConvAt{L1}(abs,side,z,k,c,e) == ConvAt{L2}(abs,side,z,k,c,e);
    lemma conv_meets_same{L1,L2}: \forall integer n, u, o, p, size, count, abs, scalar *x, *g,
      window w; Placed(w) ==> n <= w.outs ==> 0 <= o ==> 0 <= p ==>
      o + w.cells <= size ==> p + w.outs <= count ==>
      Same{L1,L2}(x,size) ==> Same{L1,L2}(g,count) ==>
      ConvMeets{L1}(abs,x,o,g,p,w,u,n) == ConvMeets{L2}(abs,x,o,g,p,w,u,n);
    lemma weight_line_same{L1,L2}: \forall integer n, p, o, i, u, abs, scalar *x, *g, conv_shape c;
      ConvShape(c) ==> 0 <= p < c.groups ==> 0 <= o < c.out ==> 0 <= i < c.in ==>
      0 <= n < c.batch ==> Same{L1,L2}(x,Elements(0,c)) ==> Same{L1,L2}(g,Elements(1,c)) ==>
      ConvMeets{L1}(abs,x,LineAt(0,c,ix(n,c.groups,p),i),g,LineAt(1,c,ix(n,c.groups,p),o),c.w,u,
                    c.w.outs) ==
      ConvMeets{L2}(abs,x,LineAt(0,c,ix(n,c.groups,p),i),g,LineAt(1,c,ix(n,c.groups,p),o),c.w,u,
                    c.w.outs);
    lemma weight_sum_of{L1,L2}: \forall integer m, p, o, i, u, abs, scalar *x, *g, conv_shape c;
      (\forall integer n; 0 < n <= m ==>
        ConvMeets{L1}(abs,x,LineAt(0,c,ix(n-1,c.groups,p),i),g,LineAt(1,c,ix(n-1,c.groups,p),o),
                      c.w,u,c.w.outs) ==
        ConvMeets{L2}(abs,x,LineAt(0,c,ix(n-1,c.groups,p),i),g,LineAt(1,c,ix(n-1,c.groups,p),o),
                      c.w,u,c.w.outs)) ==>
      WeightSum{L1}(abs,x,g,c,p,o,i,u,m) == WeightSum{L2}(abs,x,g,c,p,o,i,u,m);
    lemma weight_sum_same{L1,L2}: \forall integer n, p, o, i, u, abs, scalar *x, *g, conv_shape c;
      ConvShape(c) ==> 0 <= p < c.groups ==> 0 <= o < c.out ==> 0 <= i < c.in ==>
      n <= c.batch ==> Same{L1,L2}(x,Elements(0,c)) ==> Same{L1,L2}(g,Elements(1,c)) ==>
      WeightSum{L1}(abs,x,g,c,p,o,i,u,n) == WeightSum{L2}(abs,x,g,c,p,o,i,u,n);
    lemma weight_inside: \forall integer e, conv_shape c; ConvShape(c) ==>
      0 <= e < Weights(c) ==> 0 < c.in && 0 < c.out &&
      0 <= quo(quo(quo(e,c.w.taps),c.in),c.out) < c.groups &&
      0 <= rem(quo(quo(e,c.w.taps),c.in),c.out) < c.out &&
      0 <= rem(quo(e,c.w.taps),c.in) < c.in && 0 <= rem(e,c.w.taps) < c.w.taps;
    lemma weight_at_same{L1,L2}: \forall integer e, abs, scalar *x, *g, conv_shape c;
      ConvShape(c) ==> 0 <= e < Weights(c) ==>
      Same{L1,L2}(x,Elements(0,c)) ==> Same{L1,L2}(g,Elements(1,c)) ==>
      WeightAt{L1}(abs,x,g,c,e) == WeightAt{L2}(abs,x,g,c,e);
    lemma line_sum_same{L1,L2}: \forall integer n, o, size, abs, scalar *g; 0 <= o ==>
      o + n <= size ==> Same{L1,L2}(g,size) ==>
      LineSum{L1}(abs,g,o,n) == LineSum{L2}(abs,g,o,n);
    lemma bias_line_same{L1,L2}: \forall integer n, a, abs, side, scalar *g, conv_shape c;
      ConvShape(c) ==> 0 <= a < ChannelCount(side,c) ==> 0 <= n < c.batch ==>
      Same{L1,L2}(g,Elements(side,c)) ==>
      LineSum{L1}(abs,g,ChannelAt(side,c,n,a),Length(side,c)) ==
      LineSum{L2}(abs,g,ChannelAt(side,c,n,a),Length(side,c));
    lemma bias_sum_of{L1,L2}: \forall integer m, a, abs, side, scalar *g, conv_shape c;
      (\forall integer n; 0 <= n < m ==>
        LineSum{L1}(abs,g,ChannelAt(side,c,n,a),Length(side,c)) ==
        LineSum{L2}(abs,g,ChannelAt(side,c,n,a),Length(side,c))) ==>
      BiasSum{L1}(abs,side,g,c,a,m) == BiasSum{L2}(abs,side,g,c,a,m);
    lemma bias_sum_same{L1,L2}: \forall integer n, a, abs, side, scalar *g, conv_shape c;
      ConvShape(c) ==> 0 <= a < ChannelCount(side,c) ==> n <= c.batch ==>
      Same{L1,L2}(g,Elements(side,c)) ==>
      BiasSum{L1}(abs,side,g,c,a,n) == BiasSum{L2}(abs,side,g,c,a,n);
*/
#endif
