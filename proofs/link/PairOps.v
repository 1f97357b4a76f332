(* The nodes of spec/pair.h, in WP's words, are bounds: one theorem a node. What WP proves of
   ref/pair.c
   is that its functions return these. The premises are what a kernel computes (theory/Nodes). *)
Require Import Reals Lra Psatz ZArith Lia.
From Theory Require Import Round Nodes NodesOfFunctions Meaning ActivationOps PairMeaning.
Open Scope R_scope.

Section PairNodes.
Variables (e_min prec : Z) (ar : W_arith).
Hypothesis declared : declares e_min prec (the_arith ar).
(* the pair that WP speaks of stands for the kernel's number c beside the real number r *)
Definition bounds (a : W_pair) (r : R) (c : flnum) : Prop := stands (the_pair a) r c.
Ltac by_node lemma := unfold bounds; intros;
  match goal with |- stands (the_pair (?f _ _)) _ _ => unfold f
                | |- stands (the_pair (?f _)) _ _ => unfold f
                | |- stands (the_pair (?f _ _ _)) _ _ => unfold f
                | |- stands (the_pair (?f _ _ _ _)) _ _ => unfold f end;
  rewrite the_of; eapply lemma; eauto.

Theorem node_exact r : bounds (L_p_make r 0) r (Some r).
Proof. apply exact_stands. Qed.
Theorem node_const r : bounds (L_p_const ar r) r (fl e_min prec (the_arith ar) r).
Proof. by_node p_const_stands. Qed.
Theorem node_neg a r x : bounds a r x -> bounds (L_p_neg a) (- r) (option_map Ropp x).
Proof. by_node p_neg_stands. Qed.
(* e0 is an error that is carried, w the roundings after it *)
Theorem node_rnd v e0 w r c : 0 <= w ->
  (e0 < vacuous -> v = r /\ exists x, Rabs (x - r) <= e0 /\ made (the_arith ar) w x c) ->
  bounds (L_p_rnd ar v e0 w) r c.
Proof. by_node p_rnd_stands. Qed.
Theorem node_widen a r c x : 0 <= x -> bounds a r c -> bounds (L_p_widen ar a x) r c.
Proof. by_node p_widen_stands. Qed.
Theorem node_add a b r s x y c : bounds a r x -> bounds b s y ->
  of2 (adds e_min prec (the_arith ar)) x y c -> bounds (L_p_add ar a b) (r + s) c.
Proof. by_node p_add_stands. Qed.
Theorem node_sub a b r s x y c : bounds a r x -> bounds b s y ->
  of2 (subs e_min prec (the_arith ar)) x y c -> bounds (L_p_sub ar a b) (r - s) c.
Proof. by_node p_sub_stands. Qed.
Theorem node_mul a b r s x y c : bounds a r x -> bounds b s y ->
  of2 (muls e_min prec (the_arith ar)) x y c -> bounds (L_p_mul ar a b) (r * s) c.
Proof. by_node p_mul_stands. Qed.
Theorem node_fused a b d r s t x y z c : bounds a r x -> bounds b s y -> bounds d t z ->
  of3 (fuses e_min prec (the_arith ar)) x y z c ->
  bounds (L_p_add ar (L_p_mul ar a b) d) (r * s + t) c.
Proof.
  unfold bounds, L_p_add, L_p_mul. rewrite !the_of. intros.
    now apply (p_fused_stands e_min prec _ declared
    (the_pair a) (the_pair b) (the_pair d) r s t x y z).
Qed.
(* in any association *)
Theorem node_mul3 a b d r s t x y z c : bounds a r x -> bounds b s y -> bounds d t z ->
  of3 (muls3 e_min prec (the_arith ar)) x y z c -> bounds (L_p_mul3 ar a b d) (r * s * t) c.
Proof. by_node p_mul3_stands. Qed.
(* a quotient, or where w >= 2 a product with a rounded inverse *)
Theorem node_quo a b w r s x y c : 1 <= w -> few (the_arith ar) w -> bounds a r x -> bounds b s y ->
  of2 (divs e_min prec (the_arith ar) w) x y c -> bounds (L_p_quo ar a b w) (r / s) c.
Proof. by_node p_quo_stands. Qed.
(* functions within k units in the last place *)
Definition ulps (k : R) (f : R -> R) (x c : flnum) : Prop :=
  few (the_arith ar) (2 * k + 1) /\ of1 (fun x => in_ulps e_min prec (the_arith ar) k (f x)) x c.
Theorem node_exp a r x c : bounds a r x -> ulps (W_arith'k_exp ar) exp x c ->
  bounds (L_p_exp ar a) (exp r) c.
Proof. intros P [K F]. revert P F. by_node p_exp_stands. Qed.
Theorem node_expm1 a r x c : bounds a r x -> ulps (W_arith'k_expm1 ar) L_Expm1 x c ->
  bounds (L_p_expm1 ar a) (L_Expm1 r) c.
Proof. intros P [K F]. revert P F. by_node p_expm1_stands. Qed.
Theorem node_log a r x c : bounds a r x -> ulps (W_arith'k_log ar) ln x c ->
  bounds (L_p_log ar a) (ln r) c.
Proof. intros P [K F]. revert P F. by_node p_log_stands. Qed.
Theorem node_log1p a r x c : bounds a r x -> ulps (W_arith'k_log1p ar) L_Log1p x c ->
  bounds (L_p_log1p ar a) (L_Log1p r) c.
Proof. intros P [K F]. revert P F. by_node p_log1p_stands. Qed.
Theorem node_erf a r x c : bounds a r x -> ulps (W_arith'k_erf ar) L_Erf x c ->
  bounds (L_p_erf ar a) (L_Erf r) c.
Proof. intros P [K F]. revert P F. by_node p_erf_stands. Qed.
Theorem node_sigmoid a r x c : bounds a r x -> ulps (W_arith'k_sigmoid ar) L_Sigmoid x c ->
  bounds (L_p_sigmoid ar a) (L_Sigmoid r) c.
Proof. intros P [K F]. revert P F. by_node p_sigmoid_stands. Qed.
Theorem node_softplus a r x c : bounds a r x -> ulps (W_arith'k_softplus ar) L_Softplus x c ->
  bounds (L_p_softplus ar a) (L_Softplus r) c.
Proof. intros P [K F]. revert P F. by_node p_softplus_stands. Qed.
Theorem node_sin a r x c : bounds a r x -> ulps (W_arith'k_sin ar) sin x c ->
  bounds (L_p_sin ar a) (sin r) c.
Proof. intros P [K F]. revert P F. by_node p_sin_stands. Qed.
Theorem node_cos a r x c : bounds a r x -> ulps (W_arith'k_cos ar) cos x c ->
  bounds (L_p_cos ar a) (cos r) c.
Proof. intros P [K F]. revert P F. by_node p_cos_stands. Qed.
Theorem node_sqrt a r x c : bounds a r x -> ulps 0 sqrt x c -> bounds (L_p_sqrt ar a) (sqrt r) c.
Proof. intros P [K F]. revert P F. by_node p_sqrt_stands. Qed.
(* within k units, and exactly 1 or -1 where p_saturated says so *)
Theorem node_tanh a r x c : bounds a r x -> few (the_arith ar) (2 * W_arith'k_tanh ar + 1) ->
  of1 (tanh_of e_min prec (the_arith ar)) x c -> bounds (L_p_tanh ar a) (W_tanh r) c.
Proof. rewrite tanh_is. by_node p_tanh_stands. Qed.
End PairNodes.
