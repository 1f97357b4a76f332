/* The functions of spec/ that theorems of proofs/link are about. WP writes the goal below with all
 * of their definitions; link.py takes these, and nobody proves the goal. A function that is another
 * one with its arguments moved about is not named there: those get a name here. */
#include "ref/ref.h"
#include "spec/elementwise.h"
#include "spec/activation.h"
#include "spec/softmax.h"
#include "spec/reduce.h"
#include "spec/norm.h"
#include "spec/loss.h"
#include "spec/gather.h"
#include "spec/batch_norm.h"
#include "spec/matmul.h"
#include "spec/linear.h"
#include "spec/ffn.h"
#include "spec/shape.h"
#include "spec/broadcast.h"
#include "spec/slice.h"
#include "spec/rope.h"
#include "spec/pool.h"
#include "spec/pool_smooth.h"
#include "spec/spectral.h"
#include "spec/conv.h"
#include "spec/attention.h"
#include "spec/attention_vjp.h"
/*@ axiomatic Named {
      logic real of_plus(real a, real b) reads \nothing;
      axiom of_plus_is: \forall real a, b; of_plus(a,b) == Plus(a,b);
      logic real of_neg(real a) reads \nothing;
      axiom of_neg_is: \forall real a; of_neg(a) == Neg(a);
      logic real of_times(real a, real b) reads \nothing;
      axiom of_times_is: \forall real a, b; of_times(a,b) == Times(a,b);
      logic real of_times_da(real a, real b, real g) reads \nothing;
      axiom of_times_da_is: \forall real a, b, g; of_times_da(a,b,g) == TimesDa(a,b,g);
      logic real of_times_db(real a, real b, real g) reads \nothing;
      axiom of_times_db_is: \forall real a, b, g; of_times_db(a,b,g) == TimesDb(a,b,g);
      logic real of_scaled(real a, real c) reads \nothing;
      axiom of_scaled_is: \forall real a, c; of_scaled(a,c) == Scaled(a,c);
      logic real of_quotient(real a, real b) reads \nothing;
      axiom of_quotient_is: \forall real a, b; of_quotient(a,b) == Quotient(a,b);
      logic real of_quotient_da(real a, real b, real g) reads \nothing;
      axiom of_quotient_da_is: \forall real a, b, g; of_quotient_da(a,b,g) == QuotientDa(a,b,g);
      logic real of_axpy_da(real g, real c) reads \nothing;
      axiom of_axpy_da_is: \forall real g, c; of_axpy_da(g,c) == AxpyDa(g,c);
      logic real of_sqrt(real a) reads \nothing;
      axiom of_sqrt_is: \forall real a; of_sqrt(a) == Sqrt(a);
      logic real of_reciprocal(real a) reads \nothing;
      axiom of_reciprocal_is: \forall real a; of_reciprocal(a) == Reciprocal(a);
      logic real of_exp_vjp(real y, real g) reads \nothing;
      axiom of_exp_vjp_is: \forall real y, g; of_exp_vjp(y,g) == ExpVjp(y,g);
      logic real of_log_vjp(real a, real g) reads \nothing;
      axiom of_log_vjp_is: \forall real a, g; of_log_vjp(a,g) == LogVjp(a,g);
      logic real of_first(real a) reads \nothing;
      axiom of_first_is: \forall real a; of_first(a) == First(a);
    }
    axiomatic Met { predicate met(real x) reads \nothing; }
    lemma carrier{L}: \forall scalar *x, *y, *z, *u, int64_t *t, *s,
        real a, b, c, d, integer n, m, k, i, j, window w, conv_shape h;
      met(of_plus(a,b)) && met(Minus(a,b)) && met(of_neg(a)) && met(of_times(a,b)) &&
      met(of_times_da(a,b,c)) && met(of_times_db(a,b,c)) && met(of_scaled(a,b)) && met(of_first(a)) &&
      met(Abs(a)) && met(AbsVjp(a,b)) && met(Clamp(a,b,c)) && met(ClampVjp(a,b,c,d)) &&
      met(Maximum(a,b)) && met(Minimum(a,b)) && met(IfLarger(a,b,c)) && met(IfSmaller(a,b,c)) &&
      met(of_quotient(a,b)) && met(of_quotient_da(a,b,c)) && met(QuotientDb(a,b,c)) &&
      met(Axpy(a,b,c)) && met(of_axpy_da(a,b)) && met(of_sqrt(a)) && met(SqrtVjp(a,b)) &&
      met(Rsqrt(a)) && met(RsqrtVjp(a,b)) && met(of_reciprocal(a)) && met(ReciprocalVjp(a,b)) &&
      met(Relu(a)) && met(ReluVjp(a,b)) &&
      met(of_exp_vjp(a,b)) && met(of_log_vjp(a,b)) && met(Sigmoid(a)) && met(SigmoidVjp(a,b)) &&
      met(\tanh(a)) && met(TanhVjp(a,b)) && met(Softplus(a)) && met(SoftplusVjp(a,b)) &&
      met(Silu(a)) && met(SiluVjp(a,b)) && met(Gelu(a)) && met(GeluVjp(a,b)) &&
      met(SafeLog(a,b)) && met(SafeLogVjp(a,b,c)) &&
      met(Softmax(x,n,i)) && met(SoftmaxVjp(x,y,n,i)) && met(LogSoftmax(x,n,i)) &&
      met(LogSoftmaxVjp(x,y,n,i)) && met(MaskedSoftmax(x,y,n,i)) && met(MaskedSoftmaxVjp(x,y,n,i)) &&
      met(Sum(x,n)) && met(ColSum(x,n,i,m)) && met(AxisSum(x,n,m,k,i,j)) && met(AxisMax(x,n,m,k,i,j)) &&
      met(TieShare(a,b,c,n)) && met(Ties(x,a,n,m,k,i,j)) &&
      met(Mse(x,y,n)) && met(MseDa(a,b,c,d)) && met(MseDt(a,b,c,d)) &&
      met(CrossEntropy(x,t,n,m)) && met(RowGradient(x,n,k,a,i)) &&
      met(Mean(x,n)) && met(Rstd(x,m,n,a)) && met(Normed(m,k,x,y,z,n,a,i)) &&
      met(NormVjp(m,k,x,y,a,b,z,n,i)) && met(NormDgamma(m,x,y,z,u,n,i,k)) &&
      met(Gather(x,t,n,m,i,j)) && met(Pick(x,t,n,i)) && met(Put(t,n,a)) && met(ScatSum(n,t,x,m,i,j,k)) &&
      met(Shifted(a,b,c,d,a)) && met(ChanMean(x,n,m,k,i)) && met(ChanRstd(x,n,m,k,i,a)) &&
      met(BatchDx(a,b,c,d,a,b,c,d)) && met(ChanHat(x,y,a,b,n,m,k,i)) && met(ChanSum(x,n,m,k,i)) &&
      met(MatMul(n,m,a,x,y,k,i,j,k,i)) && met(MatMulVjpA(n,a,x,y,k,i,j,k,i)) &&
      met(MatMulVjpB(n,a,x,y,k,i,j,k,i)) && met(ixt(n,m,k,i,j)) &&
      met(BatMul(n,m,a,x,y,k,i,j,k,i,j)) && met(BatMulVjpA(n,a,x,y,k,i,j,k,i,j)) &&
      met(BatMulVjpB(n,a,x,y,k,i,j,k,i,j)) &&
      met(Linear(x,y,z,n,m,k,i,j)) &&
      met(Ffn(x,y,z,n,m,k,i,j,n)) && met(FfnHidden(x,y,n,m,k,i,j)) &&
      met(FfnDh(x,y,z,u,n,m,k,i,j,n)) && met(FfnDw1(x,y,z,u,n,m,k,i,j,n)) &&
      Transposed{L,L}(x,y,n,m) && met(PermutedFrom(t,s,n,k,i)) && met(PermutedTo(t,s,n,k,i)) &&
      met(CountPermuted(t,s,n)) && met(Count(t,n)) && met(AdjacentFrom(t,n,m,k,i)) &&
      met(BroadcastFrom(t,n,s,m,k,i)) && met(BroadcastSum(n,t,m,s,k,x,i,j)) &&
      met(Concat(x,y,n,m,k,i,j)) && met(Slice(x,n,m,k,i,j)) && met(Pad(x,n,m,k,i,j)) &&
      met(WriteRows(x,y,n,m,k,i,j)) && met(ZeroRows(x,n,m,k,i,j)) &&
      met(Rope(n,m,a,k,x,y,i,j,n,m,k)) &&
      met(PoolSum(n,x,w,i,j)) && met(PoolBack(n,m,x,y,w,i,j)) && met(MaxTap(x,w,i,j)) && met(Cell(w,i,j)) &&
      met(SmoothPool(a,x,w,i)) && met(SmoothBack(a,x,y,z,w,i,j)) && Placed(w) &&
      met(Rfft(n,x,m,k,i,j)) && met(IrfftVjp(n,x,m,k,i,j)) && met(Irfft(x,n,i)) && met(RfftVjp(x,n,i)) &&
      met(SpectralConv(x,y,z,n,m,k,i,j)) && met(SpectralDx(x,y,z,n,m,k,i,j)) &&
      met(SpectralDw(n,x,y,m,k,i,j,n)) && met(Spectrum(n)) &&
      ConvShape(h) && met(ConvAt(n,m,x,y,h,i)) && met(ChannelOf(n,h,i)) && met(WeightAt(n,x,y,h,i)) &&
      met(BiasSum(n,m,x,h,i,j)) && met(kv_of(n,m)) && met(group_of(n,m)) &&
      met(Sdpa(n,m,u,k,i,x,y,z,j,n,m)) && met(SdpaLse(n,m,u,k,i,x,y,j,n)) &&
      met(SdpaVjpQ(n,m,u,k,i,x,y,z,x,y,z,j,n,m)) && met(PullK(n,m,u,k,i,x,y,z,x,y,z,j,n,m,k)) &&
      met(PullV(n,m,u,k,i,x,y,z,u,j,n,m,k));
*/
