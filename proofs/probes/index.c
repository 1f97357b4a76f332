/* Wrong instances of the index algebra: each must fail to prove, each control must prove. */
#include "../../ref/ref.h"
#include "../../spec/matmul.h"
/*@ check lemma probe_false: \false;
    check lemma probe_ix: ix(2,3,1) == 6;
    check lemma probe_ix_order: ix(1,3,2) < ix(0,3,4);
    check lemma probe_ixt: ixt(1,2,3,1,2) == 4;
    check lemma control_ix: ix(2,3,1) == 7;
    check lemma control_ixt: ixt(1,2,3,1,2) == 5;
*/
