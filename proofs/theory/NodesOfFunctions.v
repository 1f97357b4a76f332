(* The nodes of the elementary functions (spec/pair.h) are bounds, for a kernel whose functions are
   within k units in the last place; tanh is exactly 1 or -1 where p_saturated says so. *)
Require Import Reals Lra Psatz ZArith Lia.
From Coquelicot Require Import Coquelicot.
From Theory Require Import Scalar Round Nodes.
Open Scope R_scope.

Definition expm1 (x : R) : R := exp x - 1.
Definition log1p (x : R) : R := ln (1 + x).
(* spec/ gives no definition of Erf; here it is the integral *)
Definition erf_density (t : R) : R := exp (- (t * t)).
Definition erf (x : R) : R := 2 / sqrt PI * RInt erf_density 0 x.

Definition p_exp ar a : err_pair :=
  if Rlt_dec (p_e a) vacuous
  then p_rnd ar (exp (p_v a)) (exp (p_v a + p_e a) - exp (p_v a)) (2 * k_exp ar + 1)
  else ErrPair 0 vacuous.
Definition p_mono ar v low high k : err_pair :=
  p_rnd ar v (Rmax (Rabs (high - v)) (Rabs (low - v))) (2 * k + 1).
(* an increasing function of all numbers *)
Definition p_rising ar (f : R -> R) k a : err_pair :=
  if Rlt_dec (p_e a) vacuous
  then p_mono ar (f (p_v a)) (f (p_v a - p_e a)) (f (p_v a + p_e a)) k else ErrPair 0 vacuous.
Definition p_tail (a : err_pair) : R := 2 * exp (-2 * (Rabs (p_v a) - p_e a)).
Definition p_saturated ar a : bool :=
  if Rlt_dec (p_e a) vacuous then if Rle_dec 10 (Rabs (p_v a) - p_e a) then
  if Rle_dec (p_tail a) (/ 4 * a_u ar) then true else false else false else false.
Definition p_tanh ar a : err_pair :=
  if p_saturated ar a then ErrPair (tanh (p_v a)) (p_tail a) else p_rising ar tanh (k_tanh ar) a.
Definition p_sqrt ar a : err_pair :=
  if Rlt_dec (p_e a) vacuous then if Rle_dec 0 (p_v a - p_e a)
    then p_mono ar (sqrt (p_v a)) (sqrt (p_v a - p_e a)) (sqrt (p_v a + p_e a)) 0
    else ErrPair 0 vacuous else ErrPair 0 vacuous.
(* of a number that is computed from squares, and so never below 0 (ref/optimizer.h) *)
Definition p_root ar a : err_pair :=
  if Rlt_dec (p_e a) vacuous
  then p_mono ar (sqrt (p_v a)) (sqrt (Rmax 0 (p_v a - p_e a))) (sqrt (p_v a + p_e a)) 0
  else ErrPair 0 vacuous.
Definition p_log ar a : err_pair :=
  if Rlt_dec (p_e a) vacuous then if Rlt_dec 0 (p_v a - p_e a)
    then p_mono ar (ln (p_v a)) (ln (p_v a - p_e a)) (ln (p_v a + p_e a)) (k_log ar)
    else ErrPair 0 vacuous else ErrPair 0 vacuous.
Definition p_log1p ar a : err_pair :=
  if Rlt_dec (p_e a) vacuous then if Rlt_dec (-1) (p_v a - p_e a)
    then p_mono ar (log1p (p_v a)) (log1p (p_v a - p_e a)) (log1p (p_v a + p_e a)) (k_log1p ar)
    else ErrPair 0 vacuous else ErrPair 0 vacuous.
Definition p_expm1 ar : err_pair -> err_pair := p_rising ar expm1 (k_expm1 ar).
Definition p_sigmoid ar : err_pair -> err_pair := p_rising ar sigmoid (k_sigmoid ar).
Definition p_softplus ar : err_pair -> err_pair := p_rising ar softplus (k_softplus ar).
Definition p_erf ar : err_pair -> err_pair := p_rising ar erf (k_erf ar).
Definition p_sin ar a : err_pair :=
  if Rlt_dec (p_e a) vacuous then p_rnd ar (sin (p_v a)) (Rmin (p_e a) 2) (2 * k_sin ar + 1)
  else ErrPair 0 vacuous.
Definition p_cos ar a : err_pair :=
  if Rlt_dec (p_e a) vacuous then p_rnd ar (cos (p_v a)) (Rmin (p_e a) 2) (2 * k_cos ar + 1)
  else ErrPair 0 vacuous.

(* ---------------------------------------------------------------- increasing functions *)
Lemma sigmoid_rises x y : x <= y -> sigmoid x <= sigmoid y.
Proof.
  intro H. unfold sigmoid. generalize (one_exp_pos (- x)) (one_exp_pos (- y)); intros X Y.
  apply Rmult_le_compat_l; [ lra |]. apply Rinv_le_contravar; [ easy |]. apply Rplus_le_compat_l.
  destruct (Rle_lt_or_eq_dec _ _ H) as [L | ->]; [| apply Rle_refl ]. apply Rlt_le, exp_increasing.
    lra.
Qed.
Lemma exp_rises x y : x <= y -> exp x <= exp y.
Proof.
  intro H. destruct (Rle_lt_or_eq_dec _ _ H) as [L | ->]; [| apply Rle_refl ].
  now apply Rlt_le, exp_increasing.
Qed.
Lemma ln_rises x y : 0 < x -> x <= y -> ln x <= ln y.
Proof.
  intros P H. destruct (Rle_lt_or_eq_dec _ _ H) as [L | ->]; [| apply Rle_refl ].
  now apply Rlt_le, ln_increasing.
Qed.
Lemma softplus_rises x y : x <= y -> softplus x <= softplus y.
Proof.
  intro H. unfold softplus. apply ln_rises; [ apply one_exp_pos |]. generalize (exp_rises x y H).
    lra.
Qed.
Lemma expm1_rises x y : x <= y -> expm1 x <= expm1 y.
Proof. intro H. unfold expm1. generalize (exp_rises x y H). lra. Qed.
(* tanh x = 1 - 2/(exp 2x + 1) *)
Lemma tanh_by_exp x : tanh x = 1 - 2 / (exp (2 * x) + 1).
Proof.
  unfold tanh, sinh, cosh. replace (2 * x) with (x + x) by ring. rewrite exp_plus, exp_Ropp.
  generalize (exp_pos x); intro P. assert (0 < exp x * exp x) by now apply Rmult_lt_0_compat.
  field. repeat split; lra.
Qed.
Lemma tanh_rises x y : x <= y -> tanh x <= tanh y.
Proof.
  intro H. rewrite !tanh_by_exp. generalize (exp_pos (2 * x)) (exp_rises (2 * x) (2 * y));
    intros P Q.
  assert (/ (exp (2 * y) + 1) <= / (exp (2 * x) + 1)) by (apply Rinv_le_contravar; lra). lra.
Qed.
Lemma tanh_odd x : tanh (- x) = - tanh x.
Proof.
  unfold tanh, sinh, cosh. rewrite Ropp_involutive. generalize (exp_pos x) (exp_pos (- x)); intros.
  field. lra.
Qed.
Lemma tanh_near_1 x : 0 <= 1 - tanh x <= 2 * exp (-2 * x).
Proof.
  rewrite tanh_by_exp. generalize (exp_pos (2 * x)); intro P.
  replace (-2 * x) with (- (2 * x)) by ring. rewrite exp_Ropp.
  assert (0 < / (exp (2 * x) + 1)) by (apply Rinv_0_lt_compat; lra).
  assert (/ (exp (2 * x) + 1) <= / exp (2 * x)) by (apply Rinv_le_contravar; lra). lra.
Qed.
Lemma erf_rises x y : x <= y -> erf x <= erf y.
Proof.
  intro H. assert (C : forall a b, ex_RInt erf_density a b).
  { intros a b. apply (ex_RInt_continuous erf_density). intros t _.
    apply (ex_derive_continuous erf_density). unfold erf_density. auto_derive. easy. }
  unfold erf. apply Rmult_le_compat_l.
  - apply Rlt_le, Rdiv_lt_0_compat; [ lra | apply sqrt_lt_R0, PI_RGT_0 ].
  - assert (K := RInt_Chasles erf_density 0 x y (C 0 x) (C x y)). unfold plus in K. simpl in K.
    rewrite <- K. assert (0 <= RInt erf_density x y); [| lra ].
    apply RInt_ge_0; auto. intros. apply Rlt_le, exp_pos.
Qed.
(* sin and cos change by no more than their argument, and by 2 *)
Lemma sin_changes x y : Rabs (sin x - sin y) <= Rmin (Rabs (x - y)) 2.
Proof.
  apply Rmin_glb.
  - destruct (MVT_gen sin y x cos) as [c [_ ->]].
    + intros. apply is_derive_Reals, derivable_pt_lim_sin.
    + intros. apply continuity_sin.
    + rewrite Rabs_mult. generalize (COS_bound c) (Rabs_pos (x - y)); intros [Lo Hi] C.
      assert (Rabs (cos c) <= 1) by (apply Rabs_le; lra).
      apply (Rmult_le_compat_r _ _ _ C) in H. lra.
  - generalize (SIN_bound x) (SIN_bound y); intros. apply Rabs_le. lra.
Qed.
Lemma cos_changes x y : Rabs (cos x - cos y) <= Rmin (Rabs (x - y)) 2.
Proof.
  rewrite !cos_sin. eapply Rle_trans; [ apply sin_changes |].
  replace (PI / 2 + x - (PI / 2 + y)) with (x - y) by ring. apply Rle_refl.
Qed.

(* ---------------------------------------------------------------- soundness *)
Section Functions.
Variables (e_min prec : Z) (ar : arithmetic).
Hypothesis declared : declares e_min prec ar.

Theorem p_exp_stands p r a c : few ar (2 * k_exp ar + 1) -> stands p r a ->
  of1 (fun x => in_ulps e_min prec ar (k_exp ar) (exp x)) a c -> stands (p_exp ar p) (exp r) c.
Proof.
  intros F P H. unfold p_exp. destruct (Rlt_dec (p_e p) vacuous) as [L|]; [| apply vacuous_stands ].
  destruct (P L) as [-> [x [-> X]]]. apply (p_rnd_stands e_min prec ar declared); [ apply F |].
    intros _.
  split; [ easy |]. exists (exp x). split; [| now apply (ulps_made e_min prec ar declared), H ].
  assert (U : x - r <= p_e p) by (generalize (Rle_abs (x - r)); lra).
  assert (V : - (x - r) <= p_e p) by (generalize (Rle_abs (- (x - r))); rewrite Rabs_Ropp; lra).
  assert (E0 : 0 <= p_e p) by (generalize (Rabs_pos (x - r)); lra).
  assert (up : exp x <= exp (r + p_e p)) by (apply exp_rises; lra).
  assert (down : exp (r - p_e p) <= exp x) by (apply exp_rises; lra).
  apply Rabs_le. split; [| lra ].
  (* the slope is larger above *)
  assert (C : exp r * 2 <= exp (r + p_e p) + exp (r - p_e p)).
  { replace (exp (r - p_e p)) with (exp r * / exp (p_e p)) by (rewrite <- exp_Ropp, <- exp_plus;
    reflexivity).
    rewrite exp_plus. rewrite <- Rmult_plus_distr_l. apply Rmult_le_compat_l;
      [ apply Rlt_le, exp_pos |].
    generalize (exp_pos (p_e p)); intro P0. apply (Rmult_le_reg_r (exp (p_e p))); [ easy |].
    rewrite Rmult_plus_distr_r, Rinv_l by lra. generalize (pow2_ge_0 (exp (p_e p) - 1)). simpl.
      lra. }
  lra.
Qed.

Lemma abs_between low x high : low <= x -> x <= high -> Rabs x <= Rmax (Rabs high) (Rabs low).
Proof.
  intros L H. unfold Rabs at 1. destruct (Rcase_abs x).
  - eapply Rle_trans; [| apply Rmax_r ]. rewrite Rabs_left1 by lra. lra.
  - eapply Rle_trans; [| apply Rmax_l ]. rewrite Rabs_pos_eq by lra. lra.
Qed.
(* a function within k units of f, which increases from low to high through f r *)
Theorem p_mono_stands (f : R -> R) k r x c low high : few ar (2 * k + 1) -> low <= f x -> f x <=
  high ->
  in_ulps e_min prec ar k (f x) c -> stands (p_mono ar (f r) low high k) (f r) c.
Proof.
  intros F L H C. apply (p_rnd_stands e_min prec ar declared); [ apply F |]. intros _.
  split; [ easy |]. exists (f x). split; [| now apply (ulps_made e_min prec ar declared) ].
  apply abs_between; lra.
Qed.
Lemma ends x r e : Rabs (x - r) <= e -> r - e <= x /\ x <= r + e.
Proof.
  intro H. generalize (Rle_abs (x - r)) (Rle_abs (- (x - r))). rewrite Rabs_Ropp. lra.
Qed.
Theorem p_rising_stands (f : R -> R) k p r a c : (forall x y, x <= y -> f x <= f y) -> few ar (2 *
  k + 1) ->
  stands p r a -> of1 (fun x => in_ulps e_min prec ar k (f x)) a c -> stands (p_rising ar f k p) (f
    r) c.
Proof.
  intros M F P H. unfold p_rising. destruct (Rlt_dec (p_e p) vacuous) as [L|];
    [| apply vacuous_stands ].
  destruct (P L) as [-> [x [-> X]]]. destruct (ends _ _ _ X). apply (p_mono_stands f k r x); auto.
Qed.
Theorem p_expm1_stands p r a c : few ar (2 * k_expm1 ar + 1) -> stands p r a ->
  of1 (fun x => in_ulps e_min prec ar (k_expm1 ar) (expm1 x)) a c -> stands (p_expm1 ar p) (expm1
    r) c.
Proof. apply p_rising_stands, expm1_rises. Qed.
Theorem p_sigmoid_stands p r a c : few ar (2 * k_sigmoid ar + 1) -> stands p r a ->
  of1 (fun x => in_ulps e_min prec ar (k_sigmoid ar) (sigmoid x)) a c ->
  stands (p_sigmoid ar p) (sigmoid r) c.
Proof. apply p_rising_stands, sigmoid_rises. Qed.
Theorem p_softplus_stands p r a c : few ar (2 * k_softplus ar + 1) -> stands p r a ->
  of1 (fun x => in_ulps e_min prec ar (k_softplus ar) (softplus x)) a c ->
  stands (p_softplus ar p) (softplus r) c.
Proof. apply p_rising_stands, softplus_rises. Qed.

Theorem p_erf_stands p r a c : few ar (2 * k_erf ar + 1) -> stands p r a ->
  of1 (fun x => in_ulps e_min prec ar (k_erf ar) (erf x)) a c -> stands (p_erf ar p) (erf r) c.
Proof. apply p_rising_stands, erf_rises. Qed.

Lemma k_0 : few ar (2 * 0 + 1).
Proof. replace (2 * 0 + 1) with 1 by ring. apply (few_1 e_min prec ar declared). Qed.
Theorem p_sqrt_stands p r a c : stands p r a ->
  of1 (fun x => in_ulps e_min prec ar 0 (sqrt x)) a c -> stands (p_sqrt ar p) (sqrt r) c.
Proof.
  intros P H. unfold p_sqrt. destruct (Rlt_dec (p_e p) vacuous) as [L|]; [| apply vacuous_stands ].
  destruct (Rle_dec 0 (p_v p - p_e p)) as [Z|]; [| apply vacuous_stands ].
  destruct (P L) as [V [x [-> X]]]. rewrite V in *. destruct (ends _ _ _ X).
  apply (p_mono_stands sqrt 0 r x); auto using k_0; now apply sqrt_le_1_alt.
Qed.
(* the kernel's argument is not below 0 *)
Theorem p_root_stands p r a c : stands p r a -> (forall x, a = Some x -> 0 <= x) ->
  of1 (fun x => in_ulps e_min prec ar 0 (sqrt x)) a c -> stands (p_root ar p) (sqrt r) c.
Proof.
  intros P N H. unfold p_root. destruct (Rlt_dec (p_e p) vacuous) as [L|];
    [| apply vacuous_stands ].
  destruct (P L) as [V [x [-> X]]]. rewrite V in *. destruct (ends _ _ _ X).
  apply (p_mono_stands sqrt 0 r x); auto using k_0; apply sqrt_le_1_alt; auto.
  apply Rmax_lub; auto.
Qed.
Theorem p_log_stands p r a c : few ar (2 * k_log ar + 1) -> stands p r a ->
  of1 (fun x => in_ulps e_min prec ar (k_log ar) (ln x)) a c -> stands (p_log ar p) (ln r) c.
Proof.
  intros F P H. unfold p_log. destruct (Rlt_dec (p_e p) vacuous) as [L|]; [| apply vacuous_stands ].
  destruct (Rlt_dec 0 (p_v p - p_e p)) as [Z|]; [| apply vacuous_stands ].
  destruct (P L) as [V [x [-> X]]]. rewrite V in *. destruct (ends _ _ _ X).
  apply (p_mono_stands ln (k_log ar) r x); auto; apply ln_rises; lra.
Qed.
Theorem p_log1p_stands p r a c : few ar (2 * k_log1p ar + 1) -> stands p r a ->
  of1 (fun x => in_ulps e_min prec ar (k_log1p ar) (log1p x)) a c -> stands (p_log1p ar p) (log1p
    r) c.
Proof.
  intros F P H. unfold p_log1p. destruct (Rlt_dec (p_e p) vacuous) as [L|];
    [| apply vacuous_stands ].
  destruct (Rlt_dec (-1) (p_v p - p_e p)) as [Z|]; [| apply vacuous_stands ].
  destruct (P L) as [V [x [-> X]]]. rewrite V in *. destruct (ends _ _ _ X).
  apply (p_mono_stands log1p (k_log1p ar) r x); auto; unfold log1p; apply ln_rises; lra.
Qed.
(* a function that changes by no more than its argument, and by no more than 2 *)
Lemma turning_stands f k p r a c : (forall x y, Rabs (f x - f y) <= Rmin (Rabs (x - y)) 2) ->
  few ar (2 * k + 1) -> stands p r a -> of1 (fun x => in_ulps e_min prec ar k (f x)) a c ->
  stands (if Rlt_dec (p_e p) vacuous then p_rnd ar (f (p_v p)) (Rmin (p_e p) 2) (2 * k + 1)
    else ErrPair 0 vacuous) (f r) c.
Proof.
  intros C F P H. destruct (Rlt_dec (p_e p) vacuous) as [L|]; [| apply vacuous_stands ].
  destruct (P L) as [-> [x [-> X]]]. apply (p_rnd_stands e_min prec ar declared); [ apply F |].
  intros _. split; [ easy |]. exists (f x).
  split; [| now apply (ulps_made e_min prec ar declared), H ].
  eapply Rle_trans; [ apply C |]. now apply Rle_min_compat_r.
Qed.
Theorem p_sin_stands p r a c : few ar (2 * k_sin ar + 1) -> stands p r a ->
  of1 (fun x => in_ulps e_min prec ar (k_sin ar) (sin x)) a c -> stands (p_sin ar p) (sin r) c.
Proof. exact (turning_stands sin (k_sin ar) p r a c sin_changes). Qed.
Theorem p_cos_stands p r a c : few ar (2 * k_cos ar + 1) -> stands p r a ->
  of1 (fun x => in_ulps e_min prec ar (k_cos ar) (cos x)) a c -> stands (p_cos ar p) (cos r) c.
Proof. exact (turning_stands cos (k_cos ar) p r a c cos_changes). Qed.

(* a kernel's tanh: within k units, and exactly 1 or -1 where the real one is within u/4 of it *)
Definition tanh_of (x : R) (c : flnum) : Prop :=
  in_ulps e_min prec ar (k_tanh ar) (tanh x) c /\
  (10 <= Rabs x -> 2 * exp (-2 * Rabs x) <= / 4 * a_u ar -> c = Some (if Rlt_dec 0 x then 1 else
    -1)).
Lemma p_saturated_true p : p_saturated ar p = true ->
  p_e p < vacuous /\ 10 <= Rabs (p_v p) - p_e p /\ p_tail p <= / 4 * a_u ar.
Proof.
  unfold p_saturated. destruct (Rlt_dec (p_e p) vacuous); [| easy ].
  destruct (Rle_dec 10 (Rabs (p_v p) - p_e p)); [| easy ].
  destruct (Rle_dec (p_tail p) (/ 4 * a_u ar)); easy.
Qed.
Theorem p_saturated_exact p r x c : p_saturated ar p = true -> p_v p = r -> Rabs (x - r) <= p_e p ->
  tanh_of x c -> c = Some (if Rlt_dec 0 r then 1 else -1).
Proof.
  intros U <- X [_ H]. destruct (p_saturated_true p U) as [_ [T S]]. unfold p_tail in S.
    assert (Y := abs_within (p_v p) x).
  rewrite Rabs_minus_sym in Y. rewrite H.
  - destruct (ends _ _ _ X). unfold Rabs in T. destruct (Rcase_abs (p_v p));
      destruct (Rlt_dec 0 x); destruct (Rlt_dec 0 (p_v p)); auto; lra.
  - lra.
  - eapply Rle_trans; [| exact S ]. apply Rmult_le_compat_l; [ lra |]. apply exp_rises. lra.
Qed.
Lemma tanh_tail r m : m <= Rabs r ->
  Rabs ((if Rlt_dec 0 r then 1 else -1) - tanh r) <= 2 * exp (-2 * m).
Proof.
  intro M. assert (E : exp (-2 * Rabs r) <= exp (-2 * m)) by (apply exp_rises; lra).
  destruct (Rlt_dec 0 r) as [Z|Z].
  - rewrite (Rabs_pos_eq r) in E by lra. generalize (tanh_near_1 r). intro. rewrite Rabs_pos_eq;
    lra.
  - rewrite (Rabs_left1 r) in E by lra. generalize (tanh_near_1 (- r)). rewrite tanh_odd. intro.
    rewrite Rabs_left1; lra.
Qed.
Theorem p_tanh_stands p r a c : few ar (2 * k_tanh ar + 1) -> stands p r a -> of1 tanh_of a c ->
  stands (p_tanh ar p) (tanh r) c.
Proof.
  intros F P H. assert (K : stands (p_rising ar tanh (k_tanh ar) p) (tanh r) c).
  { apply (p_rising_stands tanh _ p r a); auto using tanh_rises. intros x X. apply (H x X). }
  unfold p_tanh. destruct (p_saturated ar p) eqn:U; [| exact K ].
  destruct (p_saturated_true p U) as [L [T S]].
  destruct (P L) as [V [x [-> X]]]. intros _. cbn [p_v p_e]. split; [ now rewrite V |].
  exists (if Rlt_dec 0 r then 1 else -1). split.
  - apply (p_saturated_exact p r x); try easy. now apply H.
  - unfold p_tail. rewrite V. apply tanh_tail. generalize (Rabs_pos (x - r)). lra.
Qed.
End Functions.
