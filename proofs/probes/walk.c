/* Wrong instances of mixed radix: each must fail to prove, each control must prove. */
#include "../../ref/walk.h"
/*@ check lemma probe_quo: quo(7,3) == 3;
    check lemma probe_rem: rem(7,3) == 2;
    check lemma probe_count{L}: \forall idx *s; Count{L}(s,0) == 0;
    check lemma probe_digit{L}: \forall idx *s; s[0] == 5 ==> Digit{L}(s,1,7,0) == 1;
    check lemma control_quo: quo(7,3) == 2;
    check lemma control_rem: rem(7,3) == 1;
    check lemma control_count{L}: \forall idx *s; Count{L}(s,0) == 1;
    check lemma control_digit{L}: \forall idx *s; s[0] == 5 ==> Digit{L}(s,1,7,0) == 2;
*/
