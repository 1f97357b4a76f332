/* Wrong instances of the gather vocabulary: each must fail to prove, each control must prove. */
#include "../../ref/gather.h"
/*@ check lemma probe_scat{L}: \forall int64_t *index, scalar *u;
      Scat{L}(index,u,1,0,0,1) == u[ix(0,1,0)];
    check lemma probe_hits{L}: \forall int64_t *index; Hits{L}(index,0,1) == 1;
    check lemma probe_scat_error: \forall arith A, real a, integer t; e_scat(A,a,t) == 1.0;
    check lemma control_scat{L}: \forall int64_t *index, scalar *u; index[0] == 0 ==>
      Scat{L}(index,u,1,0,0,1) == u[ix(0,1,0)];
    check lemma control_hits{L}: \forall int64_t *index; index[0] == 5 ==> Hits{L}(index,5,1) == 1;
*/
