/* The nodes of spec/pair.h, and the bounds of ref/ that are formulas of them, that theorems of
 * proofs/link are about (as carrier.c does for the ops). */
#include "ref/ref.h"
#include "ref/pair.h"
#include "ref/elementwise.h"
#include "ref/activation.h"
#include "ref/optimizer.h"
#include "ref/norm_pair.h"
#include "ref/matmul.h"
#include "ref/linear.h"
#include "ref/gather.h"
#include "ref/softmax.h"
#include "ref/loss.h"
#include "ref/rope.h"
#include "spec/reduce.h"
/*@ axiomatic Met {
      predicate met(real x) reads \nothing;
      predicate met_pair(pair p) reads \nothing;
    }
    lemma carrier{L}: \forall arith A, pair p, q, t, scalar *v, *w, *o, int64_t *g, real a, b, c, d, x, y, z, r, s, l,
        integer m, n, k, i, j;
      met_pair(p_const(A,a)) && met_pair(p_neg(p)) && met_pair(p_add(A,p,q)) &&
      met_pair(p_sub(A,p,q)) && met_pair(p_mul(A,p,q)) && met_pair(p_mul3(A,p,q,t)) &&
      met_pair(p_quo(A,p,q,a)) && met_pair(p_exp(A,p)) && met_pair(p_tanh(A,p)) &&
      met_pair(p_sqrt(A,p)) && met_pair(p_log(A,p)) && met_pair(p_log1p(A,p)) &&
      met_pair(p_expm1(A,p)) && met_pair(p_erf(A,p)) && met_pair(p_sigmoid(A,p)) &&
      met(SumAbs(v,n)) &&
      met(ColSumAbs(v,n,i,m)) && met(AxisSumAbs(v,n,m,i,j,k)) &&
      met_pair(p_softplus(A,p)) && met_pair(p_sin(A,p)) && met_pair(p_cos(A,p)) &&
      met(e_axpy(A,a,b,c)) && met(e_div_vjp(A,a,b,c)) && met(e_rsqrt(A,a)) &&
      met(e_rsqrt_vjp(A,a,b)) && met(e_reciprocal_vjp(A,a,b)) &&
      met(e_ulps(A,a,b)) && met(e_sigmoid(A,a)) && met(e_sigmoid_vjp(A,a,b)) &&
      met(e_tanh_vjp(A,a,b)) && met(e_softplus_vjp(A,a,b)) && met(e_silu(A,a)) &&
      met(e_silu_vjp(A,a,b)) && met(e_safe_log(A,a,b)) && met(e_safe_log_vjp(A,a,b,c)) &&
      met(e_gelu(A,a)) && met(e_gelu_vjp(A,a,b)) &&
      met(e_sgd_step(A,a,b,c)) && met_pair(p_first_moment(A,a,b,c)) &&
      met_pair(p_second_moment(A,a,b,c)) && met_pair(p_decayed(A,a,b,c)) &&
      met(e_adam_step(A,p,b,c,d,x,y,z,r,s,l)) && met(SgdStep(a,b,c)) &&
      met(AdamStep(a,b,c,d,x,y,z,r,s,l)) && met(AdamwStep(a,b,c,d,x,y,z,r,s,l,a)) &&
      met_pair(p_sum(A,a,b,c,d)) && met_pair(p_dot(A,a,b,c,d)) && met_pair(p_count(A,n)) &&
      met_pair(p_center(A,m,a,b,n)) && met_pair(p_rstd(A,a,b,c,n,d)) && met_pair(p_off(A,m,a,p)) &&
      met_pair(p_normed(A,m,a,p,q,b,c)) && met_pair(p_pulled_hat(A,m,a,b,c,d,x)) &&
      met_pair(p_mean_pulled(A,m,a,b,n)) && met_pair(p_mean_hat(A,a,b,c,n)) &&
      met_pair(p_spread(A,p,q,t,a)) && met_pair(p_norm_dx(A,m,a,b,c,d,x,p,q)) &&
      met_pair(p_hat(A,m,a,b,c,d)) && met(e_scaled_dot(A,a,b,c,n,d)) && met(e_scat(A,a,n)) &&
      met(LinearBound(A,v,w,o,n,m,k,i,j)) && met(MatMulBound(A,a,m,n,b,v,w,i,j,k,m,n)) &&
      met(BatMulBound(A,a,m,n,b,v,w,i,j,k,m,n,i)) &&
      met(SoftmaxBound(A,v,n,i)) && met(SoftmaxVjpBound(A,v,w,n,i)) &&
      met(LogSoftmaxBound(A,v,n,i)) && met(LogSoftmaxVjpBound(A,v,w,n,i)) &&
      met(MaskedSoftmaxBound(A,v,w,n,i)) && met(MaskedSoftmaxVjpBound(A,v,w,n,i)) &&
      met(MseBound(A,v,w,n)) && met(e_mse_vjp(A,a,b,c,d)) && met(CrossEntropyBound(A,v,g,n,m)) &&
      met(RowGradientBound(A,v,n,k,a,b,i)) && met_pair(p_rope_angle(A,a,b)) &&
      met(e_rope_first(A,a,b,p)) && met(e_rope_second(A,a,b,p));
*/
