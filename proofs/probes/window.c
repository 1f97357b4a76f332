/* Wrong instances of windows: each must fail to prove, each control must prove. */
#include "../../ref/window.h"
/*@ check lemma probe_windows: Windows(5,2,2,0,1) == 3;
    check lemma probe_windows_past: Windows(1,3,1,0,1) == 1;
    check lemma probe_windows_empty: Windows(0,1,1,0,1) == 1;
    check lemma probe_place: \forall window w; w.stride[0] == 2 ==> w.dilation[0] == 3 ==>
      w.pad[0] == 1 ==> Place(w,0,4,1) == 11;
    check lemma control_windows: Windows(5,2,2,0,1) == 2;
    check lemma control_windows_past: Windows(1,3,1,0,1) == 0;
    check lemma control_windows_empty: Windows(0,1,1,0,1) == 0;
    check lemma control_place: \forall window w; w.stride[0] == 2 ==> w.dilation[0] == 3 ==>
      w.pad[0] == 1 ==> Place(w,0,4,1) == 10;
*/
