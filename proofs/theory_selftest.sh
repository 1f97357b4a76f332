#!/bin/bash
# theory_selftest.sh [--today N]: tampers with a copy of proofs/theory, of proofs/link and of spec/;
# theory.py must refuse each copy with a message that names the place. --today: of the faults only the
# Nth part whose turn it is.
set -uo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0 cases=0 number=0 parts=1
[ "${1:-}" = --today ] && parts=$2
export PYTHONDONTWRITEBYTECODE=1

WHY3CONFIG=$("$root/proofs/why3.sh")
export WHY3CONFIG
mkdir -p "$work/sound/proofs" "$work/sound/build" "$work/sound/ref"
cp -r "$root"/proofs/{theory,link,tools,calculus,bounds,unwitnessed} "$work/sound/proofs/"
cp -r "$root/spec" "$work/sound/"
cp "$root"/ref/*.h "$work/sound/ref/"
[ -d "$root/build/theory" ] && cp -r "$root/build/theory" "$work/sound/build/"
python3 "$work/sound/proofs/tools/theory.py" > "$work/log" 2>&1 ||
  { echo "selftest: the sound theory fails"; tail -5 "$work/log"; exit 1; }

t=$work/tree
todays() { [ $((number % parts)) = $((10#$(date +%j) % parts)) ]; }
fault() { # FILE SED: a fresh copy in $t, changed by the sed script
  number=$((number + 1))
  todays || return 0
  rm -rf "$t"
  cp -rp "$work/sound" "$t"
  sed -i "$2" "$t/$1"
  ! cmp -s "$t/$1" "$work/sound/$1" ||
    { echo "selftest: the fault for $1 changes nothing: $2"; failed=$((failed + 1)); }
}
refuse() { # what, pattern of the message, the part of theory.py that is asked
  todays || return 0
  cases=$((cases + 1))
  if out=$(python3 "$t/proofs/tools/${3:-theory.py}" 2>&1); then
    echo "selftest: $1: passed, must be refused"
    failed=$((failed + 1))
  elif ! grep -qE "$2" <<< "$out"; then
    echo "selftest: $1: refused without the message: $2"
    sed 's/^/   /' <<< "$out" | tail -5
    failed=$((failed + 1))
  fi
}

fault proofs/theory/Scalar.v 's/3 \* 0.044715/2 * 0.044715/'
refuse "a changed constant" 'Scalar.v:[0-9]+: in gelu_correct'
fault proofs/theory/Softmax.v '/^Definition softmax_vjp/,/\.$/s/(dy i - bsum n (fun k => dy k \* softmax n x k))/dy i/'
refuse "a dropped term" 'Softmax.v:[0-9]+: in softmax_is_vjp'
fault proofs/theory/Norm.v '/^Definition layer_norm_vjp/,/end\.$/s/- bsum n (fun k => dy k \* w k) \/ INR n//'
refuse "a dropped sum of a norm's gradient" 'Norm.v:[0-9]+: in layer_norm_is_vjp'
fault proofs/theory/Tape.v 's/a v k + bwd o e (a p) v k/bwd o e (a p) v k/'
refuse "gradients that are not accumulated" 'Tape.v:[0-9]+: in reverse_sweep_correct'
fault proofs/theory/Tape.v '/^Theorem reverse_sweep_correct/,/^Qed/s/^Qed\./Admitted./'
refuse "an admitted theorem" 'Tape.v:[0-9]+: Admitted is refused, in reverse_sweep_correct'
fault proofs/theory/Sums.v '$a Axiom everything : forall P : Prop, P.'
refuse "an inconsistent axiom" 'Sums.v:[0-9]+: Axiom is refused'
fault proofs/theory/Sums.v '$a Hypothesis everything : forall P : Prop, P.'
refuse "an axiom by another name" 'Sums.v:[0-9]+: outside a section this is an axiom'
fault proofs/theory/Scalar.v '/^Lemma gelu_correct/i Definition is_derive (f : R -> R) (x d : R) : Prop := True.'
refuse "a shadowed name" 'Scalar.v: the name is_derive stands in Coq.s library'
fault proofs/theory/Sums.v '$a Definition ln (x : R) : R := 0.'
refuse "a name of the library" 'Sums.v: the name ln stands in Coq.s library'
fault proofs/theory/Loss.v '$a Definition softmax (n : nat) (x : nat -> R) (i : nat) : R := 0.'
refuse "a name of another file" '(Loss|Softmax).v: softmax stands in .* too'
fault proofs/theory/Sums.v '$a Local Notation "x + y" := (Rminus x y) : R_scope.'
refuse "an operator that means another" 'Sums.v:[0-9]+: Notation is refused'
fault proofs/theory/Sums.v '$a Unset Guard Checking.'
refuse "a weakened kernel" 'Sums.v:[0-9]+: Unset is refused'
fault proofs/theory/axioms '/classic$/d'
refuse "an axiom that is not listed" 'axiom Coq.Logic.Classical_Prop.classic is used and not listed'

# the link: what changes in spec/ must be seen here
fault spec/elementwise.h '/RsqrtVjp/s/0\.5/0.25/'
refuse "a changed constant of a VJP in spec/" 'ElementwiseOps.v:[0-9]+: in rsqrt_vjp_correct'
fault spec/activation.h 's/(1\.0 + 3\.0 \* GELU_CUBIC/(1.0 + 2.0 * GELU_CUBIC/'
refuse "a changed constant of an axiom in spec/" 'in Q_gelu_d_def, an equation of spec/'
fault spec/activation.h '/logic real TanhVjp/s/1\.0 - rmul(y, y)/1.0 - y/'
refuse "a dropped factor in spec/" 'ActivationOps.v:[0-9]+: in tanh_vjp_correct'
fault spec/softmax.h '/rmul(y\[c\], g\[c\] - RowDot/s/ - RowDot/ + RowDot/'
refuse "a wrong sign in a row's VJP in spec/" 'SoftmaxOps.v:[0-9]+: in softmax_vjp_correct'
fault spec/softmax.h '/SumExp{L}(x,m,n-1) + /s/x\[n-1\] - m/x[n-1]/'
refuse "a sum without its shift in spec/" 'in L_SumExp_def, an equation of spec/'
fault spec/elementwise.h '/logic real Relu(/s/a > 0\.0 ? a/a > 0.0 ? 2.0 * a/'
refuse "a changed forward formula in spec/" "in L_Relu.def, an equation of spec/"
fault spec/real.h "s/axiom sigmoid_def.*/&\n axiom sigmoid_two: \\\\forall real x; Sigmoid(x) == 2.0;/"
refuse "an inconsistent axiom in spec/" 'in Q_sigmoid_two, an equation of spec/'
fault proofs/link/realize '/^@L_Softplus/,/^fun/s/1 + exp x/exp x/'
refuse "another function in its place" 'in Q_softplus_def, an equation of spec/'
fault proofs/calculus 's/relu_vjp_correct/relu_vjp_proven/'
refuse "a theorem that is not there" 'relu_vjp: .* states no theorem relu_vjp_proven'
fault proofs/calculus \
  '/^matmul_vjp/s/|[^|]*|[^|]*|/| linked | matmul_is_vjp |/; /^matmul_vjp/s/link.MatmulOps/theory\/Matmul/'
refuse "a restated formula that is said to be linked" 'matmul_vjp: .* states no theorem matmul_is_vjp'
fault spec/norm.h '/rmul(r, G - mean/s/ - rmul(hat, mean_hat)/ - hat/'
refuse "a missing sum of a norm's gradient in spec/" 'NormOps.v:[0-9]+: in layer_norm_vjp_correct|SumHat is in no goal'
fault spec/loss.h '/logic real MseDt/s/rmul(rmul(c,g), t - a)/rmul(rmul(c,g), a - t)/'
refuse "a wrong sign in spec/" 'LossOps.v:[0-9]+: in mse_loss_vjp_correct'
fault spec/batch_norm.h '/rmul(NormDx(g/s/dgamma,count/dbeta,count/'
refuse "a wrong sum in a channel's gradient in spec/" 'BatchNormOps.v:[0-9]+: in batch_norm_vjp_correct'
fault spec/matmul.h '/MatMul{L}(0,flip(tb)/s/flip(tb)/tb/'
refuse "a product that is not transposed in spec/" 'MatmulOps.v:[0-9]+: in matmul_vjp_correct'
fault spec/slice.h '/? g\[ix(o,ix(len,inner,0)/s/len/start/'
refuse "a row of another length in spec/" 'in L_Pad.def, an equation of spec/'
fault spec/shape.h '/ix(PermutedTo/s/Digit{L}(s,n,k,axes\[e-1\])/Digit{L}(s,n,k,e-1)/'
refuse "an index of the wrong dimension in spec/" 'in L_PermutedTo_def, an equation of spec/'
fault spec/shape.h '/back != 0 ? SwappedFrom/s/s\[d+1\], s\[d\]/s[d], s[d+1]/'
refuse "a move that is not undone in spec/" 'in L_AdjacentFrom'
fault spec/broadcast.h 's/== j ? BroadcastTerm(abs,g/== j+1 ? BroadcastTerm(abs,g/'
refuse "a sum over another element in spec/" 'in L_BroadcastSum_def, an equation of spec/'
fault spec/pool.h '/(Cell(w,t,n-1) == j && (all/s/== j/== j+1/'
refuse "a cotangent that goes to another cell in spec/" 'in L_PoolBackOf_def, an equation of spec/'
fault spec/pool.h '/x\[Cell(w,t,MaxTap{L}(x,w,t,n-1))\] < x/s/\] < x/] <= x/'
refuse "the last of the largest in spec/" 'in L_MaxTap_def, an equation of spec/'
fault spec/window.h '/w.size\[w.rank-m\] <= PlaceOf/s/<= PlaceOf/< PlaceOf/'
refuse "a window that reads a cell too many in spec/" 'in L_Source_def, an equation of spec/'
fault spec/pool_smooth.h '/rdiv(\\log(SmoothSum/s/, beta);/, 1.0);/'
refuse "a pool that is not divided in spec/" 'PoolOps.v:[0-9]+: in smooth_pool_is'
fault ref/pool.h '/AllBack{Pre}(0,g+ix(l,w.outs,0),w,j), w.taps/s/AllBack{Pre}(0,/PoolSum{Pre}(0,/'
refuse "a contract about another sum of a window" 'avg_pool_vjp: the contract in ref/ does not|avg_pool_vjp: .*PoolBack'
fault spec/spectral.h '/rdiv(rmul(BinWeight(n,k), Rfft/s/BinWeight(n,k)/2.0/'
refuse "an edge that stands for two in spec/" 'L_BinWeight is in no goal|FourierOps.v:[0-9]+: in irfft_vjp_correct'
fault spec/spectral.h '/: rmul(fold != 0 ? 2.0 : 1.0, rmul(re/s/- rmul(im/+ rmul(im/'
refuse "a wrong sign on the way back in spec/" 'in L_BackTerm.def, an equation of spec/'
fault spec/spectral.h '/back != 0 ? WeightAt(width,k,o,q)/s/? WeightAt(width,k,o,q)/? WeightAt(width,k,q,o)/'
refuse "a matrix that is not transposed in spec/" 'L_MixedAt is in no goal|FourierOps.v:[0-9]+: in mixed_back'
fault spec/spectral.h '/ComplexProduct(1, part, Column{L}(0,0,x/s/ComplexProduct(1,/ComplexProduct(0,/'
refuse "a gradient of a complex weight without its conjugate in spec/" \
  'FourierOps.v:[0-9]+: in spectral_conv1d_vjp_correct'
fault spec/conv.h '/rem(r,s) != 0/s/quo(r,s) < 0/quo(r,s) < 1/'
refuse "a first output that reads nothing in spec/" 'in L_Turn.def, an equation of spec/'
fault spec/conv.h '/logic integer TurnOf/,/;$/s/+ w.pad/- w.pad/'
refuse "an output that is looked for at another place in spec/" 'WindowOps.v:[0-9]+: in reader_by_axis'
fault spec/conv.h '/logic integer KernelAt/,/;$/s/ix(ix(g,c.out,b),c.in,a)/ix(ix(g,c.out,a),c.in,b)/'
refuse "a kernel that is not transposed in spec/" 'L_KernelAt|ConvOps.v:[0-9]+: in (kernel_place|conv_back_is)'
fault spec/conv.h '/logic real WeightAt{L}/,/;$/s/rem(quo(e,c.w.taps),c.in)/rem(quo(e,c.w.taps),c.out)/'
refuse "the gradient of another weight in spec/" 'ConvOps.v:[0-9]+: in weight_at_is'
fault spec/window.h '/logic integer Place(/,/;$/s/- w.pad/+ w.pad/'
refuse "padding of another sign in spec/" 'WindowOps.v:[0-9]+: in reader_by_axis'
fault spec/attention.h '/causal != 0 && j > i + nk - nq/s/ - nq/ + nq/'
refuse "a query that sees other keys in spec/" 'in L_Blocked.def, an equation of spec/'
fault spec/attention.h '/rdiv(.exp(Score{L}(q,k,d,j) - m), s)/s/ - m/ + m/'
refuse "a weight with another shift than the sum's in spec/" 'AttentionOps.v:[0-9]+: in attended_row_is'
fault spec/attention.h '/axiom kv_of_def/s,z / group,z % group,'
refuse "the KV head of another group in spec/" 'in Q_kv_of_def, an equation of spec/'
fault spec/attention_vjp.h '/RowDot{L}(g,v+ix(j,d,0),d) - RowDot/s/ - RowDot/ + RowDot/'
refuse "a wrong sign in the cotangent of a score in spec/" 'AttentionOps.v:[0-9]+: in score_pull_is'
fault spec/attention_vjp.h '/exp(Score{L}(q,k,d,j) - lse)/s/ - lse/ - rmul(2.0, lse)/'
refuse "a probability of another sum in spec/" 'AttentionOps.v:[0-9]+: in prob_is'
fault spec/attention_vjp.h '/axiom query_of_def/s/t % nq/t/'
refuse "a row of a group that is no query of its head in spec/" 'in Q_query_of_def, an equation of spec/'
fault spec/attention_vjp.h '/logic real PartK/,/;$/s/q\[ix(t,d,c)\])/k[ix(t,d,c)])/'
refuse "a gradient of keys that sums keys in spec/" 'AttentionOps.v:[0-9]+: in given_part_k'
fault proofs/theory/Attention.v '/^Definition rows_out_vjp/,/\.$/s/bsum rows/bsum 1/'
refuse "a gradient of keys of one query alone" 'Attention.v:[0-9]+: in rows_of_queries_is_vjp'
fault ref/attention_vjp.h 's/^\( *\)PullV{Pre}(causal/\1PullK{Pre}(causal/'
refuse "a contract that gives values the gradient of keys" 'sdpa_vjp: sdpa_vjp_correct speaks of PullV'

# the error pairs
fault proofs/theory/Round.v '/^Definition gam/s/1 - m/1 + m/'
refuse "another bound of m roundings" 'Round.v:[0-9]+: in gam_inv'
fault proofs/theory/Nodes.v '/^Definition p_add/s/p_e a + p_e b/p_e a/'
refuse "an error that a sum forgets" 'Nodes.v:[0-9]+: in p_add_stands'
fault proofs/theory/NodesOfFunctions.v \
  '/^Definition p_exp/,/\.$/s/exp (p_v a + p_e a) - exp (p_v a)/exp (p_v a) - exp (p_v a - p_e a)/'
refuse "the change of exp at its lower end" 'NodesOfFunctions.v:[0-9]+: in p_exp_stands'
fault spec/pair.h '/axiom p_rnd_def/,/;$/s/w \* A.eta/A.eta/'
refuse "one underflow for w roundings in spec/" 'in Q_p_rnd_def, an equation of spec/'
fault spec/pair.h '/axiom p_widen_def/,/;$/s/a.e + x/a.e/'
refuse "a pair that is not widened in spec/" 'in Q_p_widen_def, an equation of spec/'
fault spec/pair.h 's/#define TANH_SAT 10.0/#define TANH_SAT 9.0/'
refuse "a changed constant of tanh in spec/" 'in Q_p_saturated_def, an equation of spec/'
fault proofs/theory/PairSums.v '/^Theorem tree_added_up/,/\.$/s/(tree_height t <= h)/(h <= tree_height t)/'
refuse "a tree that is higher than declared" 'PairSums.v:[0-9]+: in tree_added_up'
fault proofs/theory/SoftmaxNodes.v '/^Definition p_probability/,/\.$/s/ 2\./ 1./'
refuse "one rounding of a product with an inverse" 'SoftmaxNodes.v:[0-9]+: in masked_softmax_bounds'
fault proofs/theory/LossNodes.v '/^Definition p_row_loss/,/\.$/s/ErrPair m 0/ErrPair (0 * m) 0/'
refuse "a loss without its shift" 'LossNodes.v:[0-9]+: in row_loss_stands'
fault proofs/theory/RowVjpNodes.v '/^Definition e_softmax_vjp/,/\.$/s/Rmax/Rmin/'
refuse "the smaller of two bounds" 'RowVjpNodes.v:[0-9]+: in softmax_vjp_bounds'
fault proofs/theory/GeluNodes.v '/^Definition p_sech2/,/\.$/s/(2 \* p_e (p_tanh ar p))/(p_e (p_tanh ar p))/'
refuse "half of the saturated error of a slope" 'GeluNodes.v:[0-9]+: in gelu_sech2_stands'
fault proofs/theory/GeluNodes.v \
  '/^Definition gelu_expanded/,/\.$/s/(E_exactly a)))\./(E_add (E_exactly 0) (E_exactly a))))./'
refuse "a rounding more than the bound has" 'GeluNodes.v:[0-9]+: in expanded_sized'

# the contracts in ref/: a theorem must be about what they promise
fault ref/activation.h '/== SiluVjp(/s/SiluVjp/SigmoidVjp/'
refuse "a contract about another function" 'silu_vjp: the contract in ref/ speaks of SigmoidVjp'
fault ref/norm.h 's/dgamma\[c\] == NormDgamma{Pre}(1,x,mean,rstd,/dgamma[c] == ColSum{Pre}(/'
refuse "a contract that names one function for two outputs" \
  'layer_norm_vjp: layer_norm_vjp_correct speaks of NormDgamma'
fault ref/elementwise.h 's/da\[i\] == QuotientDa/db[i] == QuotientDa/; s/db\[i\] == QuotientDb/da[i] == QuotientDb/'
refuse "outputs exchanged in a contract" 'div_vjp: div_vjp_correct has QuotientDa at another place'
fault proofs/calculus '/^exp_vjp/s/exp_vjp_correct/log_vjp_correct/'
refuse "a theorem about another op" 'exp_vjp: the contract in ref/ speaks of ExpVjp'
fault ref/activation.h '/axiom e_silu_def/,/;$/s/p_make(a,0.0)/p_make(1.0,0.0)/'
refuse "a changed bound of ref/" 'in Q_e_silu_def, an equation of spec/'
fault ref/softmax.h '/axiom e_log_softmax_def/,/;$/s/p_make(m,0.0)/p_make(0.0,0.0)/'
refuse "a bound of a row without its shift in ref/" 'in Q_e_log_softmax_def, an equation of spec/'
fault proofs/bounds '/^layer_norm /s/stated/linked/'
refuse "a bound that is said to be of ref/'s own text" 'proofs/bounds: layer_norm: .* states no theorem'
fault ref/activation.h '/axiom p_gelu_in_def/,/;$/s/GELU_FAR/30.0/'
refuse "a bound of gelu with another saturated part in ref/" 'in Q_p_gelu_in_def, an equation of spec/'
fault ref/activation.h '/axiom p_sech2_def/,/;$/s/2\.0 \* p_tanh/p_tanh/'
refuse "half of the saturated error of a slope in ref/" 'in Q_p_sech2_def, an equation of spec/'

# of a bound, every argument too; theory.py has the same check behind all others
fault ref/softmax.h 's/== LogSoftmaxBound{Pre}(/== SoftmaxBound{Pre}(/'
refuse "another op's bound" 'log_softmax: e_y of bound_log_softmax.* is not what log_softmax_bound speaks of'
bound() { fault "$2" "$3"; refuse "$1" "$4" contracts.py; }
bound "a bound that is not below 0" ref/softmax.h 's/== SoftmaxBound{Pre}(/>= 0.0 * SoftmaxBound{Pre}(/' \
  'softmax: e_y has no equation in bound_softmax.* softmax_bound speaks of one'
bound "a bound that only has a lower end" ref/softmax.h \
  's/\(e_dx\[ix(r,cols,c)\] \)==\( SoftmaxVjpBound\|$\)/\1>=\2/' \
  'softmax_vjp: e_dx has no equation in bound_softmax_vjp.* softmax_vjp_bound'
bound "a bound or anything else" ref/activation.h 's/e_y\[i\] == e_silu(A,\\old(a\[i\]))/& || e_y[i] >= 0.0/' \
  'silu: e_y has no equation in bound_silu'
bound "eight times the bound" ref/activation.h 's/== e_silu(A,\\old(a\[i\]))/== 8.0 * e_silu(A,\\old(a[i]))/' \
  'silu: e_y of bound_silu.* silu_bound'
bound "a bound at another argument" ref/elementwise.h \
  's/== e_axpy(A,\\old(a\[i\]),\\old(b\[i\]),c)/== e_axpy(A,\\old(b[i]),\\old(a[i]),c)/' \
  'axpy: e_y of bound_axpy.* axpy_bound'
bound "the ulps of another function" ref/activation.h \
  's/e_ulps(A,\\exp(\\old(a\[i\])),A.k_exp)/e_ulps(A,\\log(\\old(a[i])),A.k_exp)/' \
  'exp: e_y of bound_exp.* ulps_bound'
bound "the height of another tree" ref/bias.h '/e_db\[c\] ==/,/;/s/A\.h2/A.h/' \
  'add_bias_vjp: e_db of bound_add_bias_vjp.* add_bias_vjp_bound'
bound "the height of another product" ref/matmul.h '/ MatMulBound{Pre}(A,A.h2,flip/s/A\.h2/A.h/' \
  'matmul_vjp: e_db of bound_matmul_vjp.* matmul_vjp_b_bound'
bound "a window's sum of another window" ref/pool.h \
  '/e_y\[ix(l,w.outs,t)\] ==/,/;/s/PoolSum{Pre}(1,x+ix(l,w.cells,0),w,t/PoolSum{Pre}(1,x,w,t/' \
  'avg_pool: e_y of bound_avg_pool.* avg_pool_bound'
bound "a term that carries an error" ref/reduce.h 's/SumAbs{Pre}(x,n), 0\.0, A\.h).e/SumAbs{Pre}(x,n), 1.0, A.h).e/' \
  'sum: e_y of bound_sum.* sum_bound'
bound "two outputs exchanged" ref/optimizer.h \
  's/e_m\[i\] == /e_X[i] == /; s/e_v\[i\] == /e_m[i] == /; s/e_X\[i\]/e_v[i]/' \
  'adam_step: e_[mv] of bound_adam_step.* first_moment_bound'
bound "all elements but the last" ref/activation.h '/0 <= i < n ==> e_y\[i\] == e_silu/s/i < n/i < n-1/' \
  'silu: e_y of bound_silu is said of other elements'
bound "an op that computes another thing than the bound is of" ref/activation.h '/y\[i\] == Silu(/s/Silu/Gelu/' \
  'silu: e_y of bound_silu, or what it bounds'
bound "an output without a bound" ref/loss.h '/e_y\[0\] == MseBound/d' 'mse_loss: '
bound "a bound of a product, and not below 0" ref/matmul.h 's/\(e_c\[[^]]*\] \)==/\1>=/' \
  'matmul: e_c has no equation in bound_matmul'
bound "an op with a bound that has no row" proofs/bounds '/^silu |/d' 'silu: proofs/bounds does not say'
bound "another op's theorem" proofs/bounds '/^silu /s/silu_bound/sigmoid_bound/' \
  'silu: .* sigmoid_bound'
bound "a theorem that ends with another claim" proofs/link/BoundOps.v \
  '/^Theorem silu_bound/,/Proof/s/within_bound (\([^)]*\)) (\([^)]*\)) c/within_bound (\1) (\2) c \\\/ True/' \
  'silu: silu_bound does not end with within_bound|silu: e_y'
# hypotheses that cannot hold together: the theorem is proven, and says nothing
fault proofs/link/SliceOps.v '/^Theorem slice_vjp_correct/,/^  intro Hs/{
  s/(start + len <= n)%nat ->/& (n < start)%nat ->/
  s/intro Hs/intros Hs Never/}'
refuse "a hypothesis that is never true" 'Witnesses.v:[0-9]+: in witness_slice_vjp_correct'
fault proofs/link/MatmulOps.v '/^Theorem place_is/,/^  intro Hq/{s/(q < m \* n)%nat ->/& (q < 0)%nat ->/
  s/intro Hq/intros Hq Never/}'
refuse "a hypothesis that no instance proves" 'in whole_place_is.*leaves a hypothesis open'
fault proofs/link/SliceOps.v "/^Theorem copy_vjp_correct/,/^Qed/{s/fun _ => True/fun _ => False/
  s/exact (moved_is_vjp.*id n))/intros g g' t0 []/}"
refuse "a VJP on no point" 'Witnesses.v:[0-9]+: in witness_copy_vjp_correct'
fault proofs/link/Witnesses.v '/^Definition witness_copy_vjp_correct/,/\.$/d'
refuse "a theorem without an instance" 'copy_vjp: the theorem copy_vjp_correct has no instance'
fault proofs/link/Witnesses.v '/^Definition witness_copy_vjp_correct/,/\.$/s/  copy_vjp/  sum_vjp/'
refuse "an instance of another theorem" 'in whole_copy_vjp_correct'
fault proofs/unwitnessed '$a copy_vjp_correct | none yet'
refuse "a theorem that is said to have no instance, and has one" 'copy_vjp_correct has an instance'

echo "theory's self-test: $((cases - failed)) of $cases faults named"
exit $((failed > 0))
