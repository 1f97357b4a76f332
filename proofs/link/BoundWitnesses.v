(* Of a linked theorem of an error bound an instance, as in Witnesses: in f32, of what a kernel computes that
   rounds each step to the nearest number. *)
Require Import Reals Lra Psatz ZArith Lia.
From Flocq Require Import Core.
From Theory Require Import Round Nodes NodesOfFunctions Compose Binary32 Meaning PairMeaning PairOps BoundOps.
Open Scope R_scope.

(* f32 as diffcheck declares it, in WP's words *)
Definition wp32 : W_arith := W_arith'mk (/ 16777216) (bpow radix2 (-150)) largest32
  2 1 1 1 2 2 4 4 2 2 2 2.25 0 0.
Lemma wp32_is : the_arith wp32 = f32.
Proof. reflexivity. Qed.
(* what a kernel computes for an expression without a call: every step rounded *)
Definition then2 (f : R -> R -> flnum) (a b : flnum) : flnum :=
  match a, b with Some x, Some y => f x y | _, _ => None end.
Fixpoint stepwise (e : expression) : flnum :=
  let fl := fl (-149) 24 f32 in match e with
  | E_exactly r => Some r
  | E_const r => fl r
  | E_neg a => option_map Ropp (stepwise a)
  | E_add a b => then2 (fun x y => fl (x + y)) (stepwise a) (stepwise b)
  | E_sub a b => then2 (fun x y => fl (x - y)) (stepwise a) (stepwise b)
  | E_mul a b => then2 (fun x y => fl (x * y)) (stepwise a) (stepwise b)
  | E_mul3 a b d => then2 (fun x y => fl (x * y)) (then2 (fun x y => fl (x * y)) (stepwise a) (stepwise b))
      (stepwise d)
  | E_quo _ a b => then2 (fun x y => fl (x / y)) (stepwise a) (stepwise b)
  | _ => None
  end.
(* sums, differences, products and quotients *)
Fixpoint basic (e : expression) : Prop := match e with
  | E_exactly _ | E_const _ => True
  | E_neg a => basic a
  | E_add a b | E_sub a b | E_mul a b => basic a /\ basic b
  | E_mul3 a b d => basic a /\ basic b /\ basic d
  | E_quo w a b => w = 1 /\ basic a /\ basic b
  | _ => False
  end.
Lemma then_of2 (P : R -> R -> flnum -> Prop) f a b : (forall x y, P x y (f x y)) -> of2 P a b (then2 f a b).
Proof. intros H x y -> ->. apply H. Qed.
Lemma stepwise_may e : basic e -> may (-149) 24 wp32 none e (stepwise e).
Proof.
  unfold may. rewrite wp32_is.
  induction e; cbn [basic stepwise]; intro B; try contradiction; try (now constructor);
    try (destruct B as [B C]; econstructor; [ now auto | now auto | now apply then_of2 ]).
  - constructor. auto.
  - destruct B as [B [C D]]. econstructor; [ now auto | now auto | now auto |].
    intros x y z -> -> ->. left. intros t E. cbn. now rewrite E.
  - destruct B as [-> [B C]]. econstructor; [ lra | unfold few; cbn; lra | now auto | now auto |].
    apply then_of2. intros x y. now left.
Qed.
Ltac is_basic := cbn; repeat split; exact I.
Definition witness_axpy_bound := axpy_bound (-149) 24 wp32 f32_declares 2 3 4 _
  (stepwise_may (axpy_text 2 3 4) ltac:(is_basic)).
Definition witness_div_vjp_bound := div_vjp_bound (-149) 24 wp32 f32_declares 2 3 4 _
  (stepwise_may (div_vjp_text 2 3 4) ltac:(is_basic)).
Definition witness_rsqrt_vjp_bound := rsqrt_vjp_bound (-149) 24 wp32 f32_declares 2 3 _
  (stepwise_may (rsqrt_vjp_text 2 3) ltac:(is_basic)).
Definition witness_reciprocal_vjp_bound := reciprocal_vjp_bound (-149) 24 wp32 f32_declares 2 3 _
  (stepwise_may (reciprocal_vjp_text 2 3) ltac:(is_basic)).
Definition witness_sigmoid_vjp_bound := sigmoid_vjp_bound (-149) 24 wp32 f32_declares 2 3 _
  (stepwise_may (sigmoid_vjp_text 2 3) ltac:(is_basic)).
Definition witness_sgd_step_bound := sgd_step_bound (-149) 24 wp32 f32_declares 2 3 4 _
  (stepwise_may (sgd_text 2 3 4) ltac:(is_basic)).
Definition witness_first_moment_bound := first_moment_bound (-149) 24 wp32 f32_declares 2 3 4 _
  (stepwise_may (first_text 2 3 4) ltac:(is_basic)).
Definition witness_second_moment_bound := second_moment_bound (-149) 24 wp32 f32_declares 2 3 4 _
  (stepwise_may (second_text 2 3 4) ltac:(is_basic)).
(* the nearest number is within any number of ulps *)
Lemma nearest_in_ulps k f : 0 <= k -> in_ulps (-149) 24 f32 k f (Some (rnd (-149) 24 f)).
Proof.
  intros K _. exists (rnd (-149) 24 f). split; [ reflexivity |].
  assert (W := rnd_within_ulps (-149) 24 (proj1 f32_declares) f). unfold within_ulps in *.
  assert (U : 0 <= ulp_of (-149) 24 f) by apply ulp_ge_0.
  apply (Rle_trans _ _ _ W). apply Rmult_le_compat_r; [ exact U | lra ].
Qed.
Definition witness_ulps_bound := ulps_bound (-149) 24 wp32 f32_declares 1 2 _
  ltac:(unfold few; cbn; lra) (nearest_in_ulps 1 2 ltac:(lra)).
Definition witness_rsqrt_bound := rsqrt_bound (-149) 24 wp32 f32_declares 2 _
  ltac:(unfold few; cbn; lra) (nearest_in_ulps 2 (L_Rsqrt 2) ltac:(lra)).
