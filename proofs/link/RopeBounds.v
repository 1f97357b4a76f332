(* The bounds of rope's elements in ref/rope.h, in WP's words, are bounds: of every angle that a kernel
   may have, every number that it may compute. *)
Require Import Reals Lra Psatz ZArith Lia.
From Theory Require Import Scalar Round Nodes NodesOfFunctions Compose Meaning PairMeaning PairOps BoundOps.
Open Scope R_scope.

Section Rope.
Variables (e_min prec : Z) (ar : W_arith).
Hypothesis declared : declares e_min prec (the_arith ar).
(* an angle, not rounded to the format, that is off by at most what the bound says *)
Definition is_rope_angle (t w : R) (c : flnum) : Prop :=
  stands (the_pair (L_p_rope_angle ar t w)) t c.
Definition rope_first_text a b := E_sub (E_mul (E_exactly a) (E_apply F_cos (E_given 0)))
  (E_mul (E_exactly b) (E_apply F_sin (E_given 0))).
Definition rope_second_text a b := E_add (E_mul (E_exactly b) (E_apply F_cos (E_given 0)))
  (E_mul (E_exactly a) (E_apply F_sin (E_given 0))).
Lemma rope_angle_given t w c : Rabs (c - t) <= 4 * W_arith'alpha ar * W_arith'u ar * Rabs t * w ->
  is_rope_angle t w (Some c).
Proof. intros H _. split; [ reflexivity |]. exists c. now split. Qed.
Theorem rope_first_bound a b t w angle c : is_rope_angle t w angle ->
  may e_min prec ar (fun _ => angle) (rope_first_text a b) c ->
  within_bound (L_e_rope_first ar a b (L_p_rope_angle ar t w)) (L_RopeFirst a b t) c.
Proof.
  intros T H. apply (may_within e_min prec ar declared _ _ _ _ _ (fun _ : nat => T)) in H.
  cbv [L_e_rope_first L_p_sub L_p_mul L_p_cos L_p_sin] in *. rewrite ?the_of. exact H.
Qed.
Theorem rope_second_bound a b t w angle c : is_rope_angle t w angle ->
  may e_min prec ar (fun _ => angle) (rope_second_text a b) c ->
  within_bound (L_e_rope_second ar a b (L_p_rope_angle ar t w)) (L_RopeSecond a b t) c.
Proof.
  intros T H. apply (may_within e_min prec ar declared _ _ _ _ _ (fun _ : nat => T)) in H.
  cbv [L_e_rope_second L_p_add L_p_mul L_p_cos L_p_sin] in *. rewrite ?the_of. exact H.
Qed.
End Rope.
