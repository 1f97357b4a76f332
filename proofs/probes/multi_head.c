/* Wrong instances of multi_head's vocabulary: each must fail to prove, each control must prove. */
#include "../../ref/multi_head.h"
/*@ check lemma probe_cell: \forall view V; cell(V,0,0) == 0;
    check lemma probe_turned: \forall view V; Turned(V).turned == 1;
    check lemma probe_in_heads: InHeads(1,2,3,4).heads == 1;
    check lemma probe_rows: \forall view V; ViewRows(V) == ViewCols(V);
    check lemma probe_size: \forall view V; 0 <= ViewSize(V);
    check lemma probe_dot{L}: \forall scalar *a, *b, view A, B; ViewDot{L}(a,A,b,B,0,0,0) == 1.0;
    check lemma probe_view_dot: \forall arith A, real dot, abs, more, integer n;
      e_view_dot(A,dot,abs,more,n) == more;
    check lemma control_flat: cell(Flat(2,3),1,2) == 5;
    check lemma control_turned: \forall view V, integer i, j; cell(Turned(V),i,j) == cell(V,j,i);
    check lemma control_dot{L}: \forall scalar *a, *b, view A, B; ViewDot{L}(a,A,b,B,0,0,0) == 0.0;
    check lemma control_view_dot: \forall arith A, real dot, abs, more, integer n;
      VACUOUS <= p_dot_off(A,dot,abs,more,n,n).e ==> e_view_dot(A,dot,abs,more,n) == VACUOUS;
*/
