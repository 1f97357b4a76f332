(* The bound of linear, in WP's words, is a bound of any program that adds up the products, each
   rounded or fused, and the bias, in any order by a tree within the declared height. *)
Require Import Reals Lra Psatz List ZArith Lia.
From Theory Require Import Sums Round Nodes FloatSum SumNodes Meaning PairMeaning PairOps BoundOps.
Open Scope R_scope.

Section LinearBounds.
Variables (e_min prec : Z) (ar : W_arith).
Hypothesis declared : declares e_min prec (the_arith ar).
(* c is what some tree of height H adds the products f 0 .. f (n-1) and b up to *)
Definition biased_sum (H : R) (n : nat) (f : nat -> R) (b : R) (c : flnum) : Prop :=
  exists h k fused a, height_of (the_arith ar) h H /\
    summed e_min prec (the_arith ar) h fused k
      (products (the_arith ar) (map f (seq 0 n)) ++ (b, 0) :: nil) c a.
Lemma total_of_products g n f : total_of g (products (the_arith ar) (map f (seq 0 n))) =
  bsum n (fun i => g (f i, p_gam (a_u (the_arith ar)) 1 * Rabs (f i) + a_eta (the_arith ar))).
Proof.
  unfold products. induction n; [ easy |].
  rewrite seq_S, !map_app, total_app, IHn. simpl. ring.
Qed.

Theorem linear_bound M x w b rows fan_in out r o c : (0 <= fan_in)%Z ->
  biased_sum (W_arith'h ar) (Z.to_nat fan_in)
    (fun i => M (W_shift x (L_ixt 0 rows fan_in r (Z.of_nat i))) *
              M (W_shift w (L_ixt 1 fan_in out (Z.of_nat i) o))) (M (W_shift b o)) c ->
  within_bound (L_LinearBound M ar x w b rows fan_in out r o)
    (L_Linear M x w b rows fan_in out r o) c.
Proof.
  intros N [h [k [fused [a [Hh S]]]]].
  assert (T := p_sum_stands e_min prec (the_arith ar) declared h (W_arith'h ar) fused k _ c a Hh S).
  apply stands_within in T. unfold errors in T. rewrite total_app in T.
  fold (errors (products (the_arith ar)
    (map (fun i => M (W_shift x (L_ixt 0 rows fan_in r (Z.of_nat i))) *
      M (W_shift w (L_ixt 1 fan_in out (Z.of_nat i) o))) (seq 0 (Z.to_nat fan_in))))) in T.
  rewrite products_errors, map_length, seq_length, INR_IZR_INZ, Z2Nat.id in T by exact N.
  unfold sum_values, sizes in T. rewrite !total_app, !total_of_products in T.
  cbn [total_of fst snd] in T. rewrite !Rplus_0_r in T.
  replace (L_Linear M x w b rows fan_in out r o) with
    (bsum (Z.to_nat fan_in) (fun i => M (W_shift x (L_ixt 0 rows fan_in r (Z.of_nat i))) *
      M (W_shift w (L_ixt 1 fan_in out (Z.of_nat i) o))) + M (W_shift b o))
    by (unfold L_Linear, L_MatMul, L_rmul, L_MatDot; ring).
  exact T.
Qed.
End LinearBounds.
