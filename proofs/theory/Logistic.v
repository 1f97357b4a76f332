(* sigmoid as kernels compute it: a function of its own, 1/(1 + exp(-a)), or e/(1 + e) with e = exp
   a
   below 0. p_logistic (ref/activation.h) is a bound for all three. *)
Require Import Reals Lra Psatz ZArith Lia.
From Theory Require Import Scalar Round Nodes NodesOfFunctions.
Open Scope R_scope.

Definition p_logistic ar a : err_pair :=
  p_widen ar (p_rnd ar (sigmoid a) 0 (Rmax (2 * k_sigmoid ar + 1) (2 * k_exp ar + 3)))
    (if Rlt_dec (p_e (p_exp ar (ErrPair (- a) 0))) vacuous then 0 else sigmoid a).
(* 1 - sigmoid; sigmoid is computed as 1 where exp(-a) is lost beside 1 *)
Definition p_logistic_rest ar a : err_pair :=
  if Rle_dec 20 a then if Rle_dec (exp (- a)) (/ 4 * a_u ar)
    then ErrPair (1 - sigmoid a) (exp (- a)) else p_sub ar (ErrPair 1 0) (p_logistic ar a)
  else p_sub ar (ErrPair 1 0) (p_logistic ar a).

Lemma abs_both x m : Rabs x <= m -> - m <= x <= m.
Proof. intro H. generalize (Rle_abs x) (Rle_abs (- x)). rewrite Rabs_Ropp. lra. Qed.

Section Logistic.
Variables (e_min prec : Z) (ar : arithmetic).
Hypothesis declared : declares e_min prec ar.
Let rn := rnd e_min prec.
(* 1 is a number of the format, and 1 more than the largest number rounds to it *)
Definition ordinary : Prop := in_format e_min prec 1 /\ a_eta ar <= a_u ar /\
  rnd e_min prec (1 + a_big ar) <= a_big ar.
Hypothesis format : ordinary.
Let ulps_k := 2 * k_exp ar + 1.
Hypothesis k_pos : 0 <= k_exp ar.
Hypothesis k_small : ulps_k * a_u ar <= / 4.

(* a kernel's exp x: a number of the format, not negative, finite where its error lets it *)
Definition exp_of (x : R) (c : flnum) : Prop := in_ulps e_min prec ar (k_exp ar) (exp x) c /\
  forall y, c = Some y -> 0 <= y /\ y <= a_big ar /\ in_format e_min prec y /\
    within_ulps e_min prec (k_exp ar) (exp x) y.
(* 1/(1 + y), where 1/infinity is 0 *)
Definition inverse_of_more (e c : flnum) : Prop :=
  match e with
  | None => c = Some 0
  | Some y => match fl e_min prec ar (1 + y) with
              | None => c = Some 0 | Some d => c = fl e_min prec ar (1 / d) end
  end.
Inductive logistic_of (a : R) : flnum -> Prop :=
  | by_sigmoid c : in_ulps e_min prec ar (k_sigmoid ar) (sigmoid a) c -> logistic_of a c
  | by_inverse e c : exp_of (- a) e -> inverse_of_more e c -> logistic_of a c
  | by_quotient y d c : a <= 0 -> exp_of a (Some y) -> fl e_min prec ar (1 + y) = Some d ->
      c = fl e_min prec ar (y / d) -> logistic_of a c.

Lemma ulps_k_pos : 1 <= ulps_k.
Proof. unfold ulps_k. lra. Qed.
Lemma exp_err x y : within_ulps e_min prec (k_exp ar) (exp x) y ->
  Rabs (y - exp x) <= ulps_k * (a_u ar * exp x + a_eta ar).
Proof.
  intro H. generalize declared; intros [Hp [U [_ [E _]]]]. generalize ulps_k_pos (exp_pos x);
    intros.
  eapply Rle_trans; [ apply (within_ulps_err e_min prec Hp (k_exp ar)); [ unfold ulps_k in *;
    lra | exact H ] |].
  fold ulps_k. apply Rmult_le_compat_l; [ lra |]. rewrite Rabs_pos_eq by lra.
  apply Rplus_le_compat; [| easy ]. apply Rmult_le_compat_r; lra.
Qed.
(* 1 + y is rounded to at least 1, without an underflow *)
Lemma more_rounded y : 0 <= y -> y <= a_big ar -> in_format e_min prec y ->
  fl e_min prec ar (1 + y) = Some (rn (1 + y)) /\ 1 <= rn (1 + y) /\
  Rabs (rn (1 + y) - (1 + y)) <= a_u ar * (1 + y).
Proof.
  intros Y B F. generalize declared format; intros [Hp [U [_ [_ [Fb _]]]]] [F1 [_ Fm]].
  assert (L : 1 <= rn (1 + y)).
  { apply Rle_trans with (rn 1); [ right; symmetry; now apply rnd_exact |].
    apply (rnd_mono e_min prec Hp). lra. }
  assert (M : rn (1 + y) <= a_big ar).
  { eapply Rle_trans; [| exact Fm ]. apply (rnd_mono e_min prec Hp); lra. }
  split; [| split; [ easy |]].
  - unfold fl. fold rn. destruct (Rle_dec (Rabs (rn (1 + y))) (a_big ar)) as [|N]; [ easy |].
    elim N. rewrite Rabs_pos_eq; lra.
  - eapply Rle_trans; [ apply (add_err e_min prec Hp 1 y F1 F) |]. rewrite Rabs_pos_eq by lra.
    apply Rmult_le_compat_r; lra.
Qed.
Lemma k_2_small : (ulps_k + 1 + 1) * a_u ar < 1.
Proof. generalize (u_small e_min prec ar declared). lra. Qed.
Lemma p_gam_more w : ulps_k + 1 + 1 <= w -> w * a_u ar < 1 ->
  gam (a_u ar) (ulps_k + 1 + 1) <= p_gam (a_u ar) w.
Proof.
  intros W F. generalize (u_pos e_min prec ar declared) ulps_k_pos; intros U K.
  rewrite p_gam_is by lra. apply gam_mono; lra.
Qed.

(* 1/(1 + y) of a y that is near e *)
Lemma inverse_err e y : 0 < e -> 0 <= y -> in_format e_min prec y -> y <= a_big ar ->
  Rabs (y - e) <= ulps_k * (a_u ar * e + a_eta ar) ->
  Rabs (rn (1 / rn (1 + y)) - 1 / (1 + e)) <=
    gam (a_u ar) (ulps_k + 1 + 1) * (1 / (1 + e)) + a_eta ar.
Proof.
  intros E Y F B H. destruct (more_rounded y Y B F) as [_ [D1 D]]. set (d := rn (1 + y)) in *.
  generalize (u_pos e_min prec ar declared) (u_small e_min prec ar declared) ulps_k_pos format
    k_2_small.
  intros U S K [_ [Eu _]] K2. set (u := a_u ar) in *. set (s := 1 / (1 + e)).
  assert (T : Rabs (1 + y - (1 + e)) <= ulps_k * u * (1 + e)).
  { replace (1 + y - (1 + e)) with (y - e) by ring. eapply Rle_trans; [ exact H |].
    rewrite Rmult_assoc. apply Rmult_le_compat_l; lra. }
  apply abs_both in T. apply abs_both in D.
  assert (Ku : 0 <= ulps_k * u) by (apply Rmult_le_pos; lra).
  assert (P : 0 < (1 - u) * (1 - ulps_k * u)) by (apply Rmult_lt_0_compat; lra).
  assert (Dlow : (1 - u) * (1 - ulps_k * u) * (1 + e) <= d).
  { apply Rle_trans with ((1 - u) * (1 + y)); [| lra ]. rewrite Rmult_assoc.
    apply Rmult_le_compat_l; lra. }
  assert (Dhigh : d <= (1 + u) * (1 + ulps_k * u) * (1 + e)).
  { apply Rle_trans with ((1 + u) * (1 + y)); [ lra |]. rewrite Rmult_assoc.
    apply Rmult_le_compat_l; lra. }
  assert (Sp : 0 < s) by (unfold s; apply Rdiv_lt_0_compat; lra).
  assert (Es : s * (1 + e) = 1) by (unfold s; field; lra).
  assert (G1 := gam_pos u (Rlt_le _ _ U) (ulps_k + 1)).
  assert (Up : 1 / d <= (1 + gam u (ulps_k + 1)) * s).
  { apply Rle_trans with (s * / ((1 - u) * (1 - ulps_k * u))).
    - apply (Rmult_le_reg_r d); [ lra |]. replace (1 / d * d) with 1 by (field; lra).
      apply Rle_trans with (s * / ((1 - u) * (1 - ulps_k * u)) * ((1 - u) * (1 - ulps_k * u) * (1 +
        e))).
      + replace (s * / ((1 - u) * (1 - ulps_k * u)) * ((1 - u) * (1 - ulps_k * u) * (1 + e)))
          with (s * (1 + e)) by (field; lra). lra.
      + apply Rmult_le_compat_l; [| easy ]. apply Rmult_le_pos; [ lra |].
        now apply Rlt_le, Rinv_0_lt_compat.
    - rewrite Rmult_comm. apply Rmult_le_compat_r; [ lra |].
      rewrite gam_inv by lra. apply Rinv_le_contravar; [ lra |]. nra. }
  assert (Low : (1 - gam u (ulps_k + 1)) * s <= 1 / d).
  { assert (G := gam_ge u (Rlt_le _ _ U) (ulps_k + 1)).
    apply Rle_trans with ((1 - u) * (1 - ulps_k * u) * s).
    - apply Rmult_le_compat_r; [ lra |]. nra.
    - apply (Rmult_le_reg_r d); [ lra |]. replace (1 / d * d) with 1 by (field; lra).
      apply Rle_trans with ((1 - u) * (1 - ulps_k * u) * s * ((1 + u) * (1 + ulps_k * u) * (1 +
        e))).
      + apply Rmult_le_compat_l; [| easy ]. apply Rmult_le_pos; lra.
      + replace ((1 - u) * (1 - ulps_k * u) * s * ((1 + u) * (1 + ulps_k * u) * (1 + e)))
          with ((1 - u * u) * (1 - (ulps_k * u) * (ulps_k * u)) * (s * (1 + e))) by ring.
        rewrite Es. assert (0 <= u * u <= 1) by nra.
        assert (0 <= (ulps_k * u) * (ulps_k * u) <= 1) by nra.
        generalize dependent (u * u). generalize dependent ((ulps_k * u) * (ulps_k * u)). intros.
          nra. }
  assert (R := rnd_err_in_A e_min prec ar declared (1 / d)). fold rn in R.
  assert (Dp : 0 < 1 / d) by (apply Rdiv_lt_0_compat; lra).
    rewrite (Rabs_pos_eq (1 / d)) in R by lra.
  assert (Q : Rabs (1 / d - s) <= gam u (ulps_k + 1) * s) by (apply Rabs_le; lra).
  assert (C := gam_compose u (Rlt_le _ _ U) (ulps_k + 1) 1). assert (G0 := gam_1 u (Rlt_le _ _ U)).
  assert (M : u * (1 / d) <= u * ((1 + gam u (ulps_k + 1)) * s)) by (apply Rmult_le_compat_l; lra).
  assert (N : ((1 + gam u (ulps_k + 1)) * (1 + u)) * s <= (1 + gam u (ulps_k + 1 + 1)) * s).
  { apply Rmult_le_compat_r; [ lra |]. eapply Rle_trans; [| apply C; lra ].
    apply Rmult_le_compat_l; lra. }
  generalize (Rabs_triang (rn (1 / d) - 1 / d) (1 / d - s)).
  replace (rn (1 / d) - 1 / d + (1 / d - s)) with (rn (1 / d) - s) by ring. fold u in R. lra.
Qed.
(* y/(1 + y) of a y that is near e *)
Lemma quotient_err e y : 0 < e -> 0 <= y -> in_format e_min prec y -> y <= a_big ar ->
  Rabs (y - e) <= ulps_k * (a_u ar * e + a_eta ar) ->
  Rabs (rn (y / rn (1 + y)) - e / (1 + e)) <=
    gam (a_u ar) (ulps_k + 1 + 1) * (e / (1 + e)) + (ulps_k + 1 + 1) * a_eta ar.
Proof.
  intros E Y F B H. destruct (more_rounded y Y B F) as [_ [D1 D]]. set (d := rn (1 + y)) in *.
  generalize (u_pos e_min prec ar declared) (u_small e_min prec ar declared) ulps_k_pos k_2_small
    (a_eta_pos e_min prec ar declared).
  intros U S K K2 Eta. set (u := a_u ar) in *. set (s := e / (1 + e)).
  apply abs_both in D. set (p := y / (1 + y)).
  assert (Ku : 0 <= ulps_k * u) by (apply Rmult_le_pos; lra).
  assert (Sp : 0 < s) by (unfold s; apply Rdiv_lt_0_compat; lra).
  assert (Pp : 0 <= p) by (unfold p; apply Rmult_le_pos; [ lra | apply Rlt_le, Rinv_0_lt_compat;
    lra ]).
  (* the quotient of exact numbers *)
  assert (A : Rabs (p - s) <= ulps_k * u * s + ulps_k * a_eta ar).
  { unfold p, s. replace (y / (1 + y) - e / (1 + e)) with ((y - e) * / (1 + y) * / (1 + e)) by
    (field; lra).
    assert (I1 : 0 < / (1 + y) <= 1).
    { split; [ apply Rinv_0_lt_compat; lra |]. rewrite <- Rinv_1 at 2. apply Rinv_le_contravar;
      lra. }
    assert (I2 : 0 < / (1 + e) <= 1).
    { split; [ apply Rinv_0_lt_compat; lra |]. rewrite <- Rinv_1 at 2. apply Rinv_le_contravar;
      lra. }
    rewrite !Rabs_mult, (Rabs_pos_eq (/ (1 + y))), (Rabs_pos_eq (/ (1 + e))) by lra.
    apply Rle_trans with (ulps_k * (u * e + a_eta ar) * 1 * / (1 + e)).
    - apply Rmult_le_compat_r; [ lra |]. apply Rmult_le_compat; try lra; apply Rabs_pos.
    - unfold Rdiv. assert (ulps_k * a_eta ar * / (1 + e) <= ulps_k * a_eta ar * 1).
      { apply Rmult_le_compat_l; [ apply Rmult_le_pos |]; lra. } lra. }
  apply abs_both in A.
  (* with the rounded divisor *)
  assert (Tp : 0 < 1 + y) by lra.
  assert (G1 : gam u 1 = / (1 - u) - 1) by (rewrite <- (Rmult_1_l u) at 2;
    rewrite <- gam_inv by lra; ring).
  assert (G0 := gam_ge u (Rlt_le _ _ U) 1).
  assert (Up : y / d <= (1 + gam u 1) * p).
  { rewrite G1. unfold p. replace ((1 + (/ (1 - u) - 1)) * (y / (1 + y))) with (y * / ((1 - u) * (1
    + y))) by (field; lra).
    unfold Rdiv. apply Rmult_le_compat_l; [ easy |]. apply Rinv_le_contravar;
      [ apply Rmult_lt_0_compat |]; lra. }
  assert (Low : (1 - gam u 1) * p <= y / d).
  { apply Rle_trans with ((1 - u) * p). apply Rmult_le_compat_r; lra. unfold p.
    replace ((1 - u) * (y / (1 + y))) with (y * ((1 - u) / (1 + y))) by (field; lra).
    unfold Rdiv at 2. apply Rmult_le_compat_l; [ easy |]. apply (Rmult_le_reg_r d); [ lra |].
    rewrite Rinv_l by lra. apply Rle_trans with ((1 - u) / (1 + y) * ((1 + u) * (1 + y))).
    - apply Rmult_le_compat_l; [| lra ]. apply Rmult_le_pos;
      [ lra | apply Rlt_le, Rinv_0_lt_compat; lra ].
    - replace ((1 - u) / (1 + y) * ((1 + u) * (1 + y))) with (1 - u * u) by (field; lra). nra. }
  assert (Dp : 0 <= y / d) by (apply Rmult_le_pos; [ easy | apply Rlt_le, Rinv_0_lt_compat; lra ]).
  assert (R := rnd_err_in_A e_min prec ar declared (y / d)). fold rn u in R.
    rewrite (Rabs_pos_eq (y / d)) in R by lra.
  assert (C := gam_compose u (Rlt_le _ _ U) 1 1). assert (Cu := gam_1 u (Rlt_le _ _ U)).
  replace (1 + 1) with 2 in C by ring.
  assert (Q : Rabs (y / d - p) <= gam u 1 * p) by (apply Rabs_le; lra).
  assert (M : u * (y / d) <= u * ((1 + gam u 1) * p)) by (apply Rmult_le_compat_l; lra).
  assert (N : ((1 + gam u 1) * (1 + u)) * p <= (1 + gam u 2) * p).
  { apply Rmult_le_compat_r; [ lra |]. eapply Rle_trans; [| apply C; lra ].
    apply Rmult_le_compat_l; lra. }
  assert (X : Rabs (rn (y / d) - p) <= gam u 2 * p + a_eta ar).
  { generalize (Rabs_triang (rn (y / d) - y / d) (y / d - p)).
    replace (rn (y / d) - y / d + (y / d - p)) with (rn (y / d) - p) by ring. lra. }
  (* together *)
  assert (G2 : 0 <= gam u 2 <= 4 * u).
  { split; [ apply gam_pos; lra |]. unfold gam. apply (Rmult_le_reg_r (1 - 2 * u)); [ lra |].
    replace (2 * u / (1 - 2 * u) * (1 - 2 * u)) with (2 * u) by (field; lra). nra. }
  assert (Z : gam u 2 * p <= gam u 2 * (s + ulps_k * u * s) + a_eta ar).
  { apply Rle_trans with (gam u 2 * (s + (ulps_k * u * s + ulps_k * a_eta ar))).
    - apply Rmult_le_compat_l; lra.
    - assert (gam u 2 * (ulps_k * a_eta ar) <= a_eta ar); [| lra ].
      apply Rle_trans with (4 * u * (ulps_k * a_eta ar)).
      + apply Rmult_le_compat_r; [ apply Rmult_le_pos; lra | lra ].
      + replace (4 * u * (ulps_k * a_eta ar)) with (4 * (ulps_k * u) * a_eta ar) by ring.
        rewrite <- (Rmult_1_l (a_eta ar)) at 2. apply Rmult_le_compat_r; lra. }
  assert (V : (1 + ulps_k * u) * (1 + gam u 2) * s <= (1 + gam u (ulps_k + 1 + 1)) * s).
  { apply Rmult_le_compat_r; [ lra |]. replace (ulps_k + 1 + 1) with (ulps_k + 2) by ring.
    eapply Rle_trans; [| apply gam_compose; lra ]. apply Rmult_le_compat_r; [ lra |].
    generalize (gam_ge u (Rlt_le _ _ U) ulps_k). lra. }
  generalize (Rabs_triang (rn (y / d) - p) (p - s)).
  replace (rn (y / d) - p + (p - s)) with (rn (y / d) - s) by ring.
  assert (A' : Rabs (p - s) <= ulps_k * u * s + ulps_k * a_eta ar) by (apply Rabs_le; lra). lra.
Qed.

Theorem p_logistic_stands a c : few ar (Rmax (2 * k_sigmoid ar + 1) (2 * k_exp ar + 3)) ->
  0 <= 2 * k_sigmoid ar + 1 -> logistic_of a c -> stands (p_logistic ar a) (sigmoid a) c.
Proof.
  set (w := Rmax (2 * k_sigmoid ar + 1) (2 * k_exp ar + 3)). intros W Ks L. unfold p_logistic.
    fold w.
  set (m := if Rlt_dec (p_e (p_exp ar (ErrPair (- a) 0))) vacuous then 0 else sigmoid a).
  assert (Sp : 0 < sigmoid a) by (unfold sigmoid; apply Rdiv_lt_0_compat;
    [ lra | apply one_exp_pos ]).
  generalize (u_pos e_min prec ar declared) (a_eta_pos e_min prec ar declared) ulps_k_pos;
    intros U E K.
  assert (M : 0 <= m) by (unfold m; destruct (Rlt_dec (p_e (p_exp ar (ErrPair (- a) 0))) vacuous);
    lra).
  apply (widened_stands e_min prec ar declared); [ easy | easy |]. intros _. split; [ easy |].
  exists (sigmoid a). split; [ unfold Rminus; rewrite Rplus_opp_r, Rabs_R0; lra |].
  rewrite (Rabs_pos_eq (sigmoid a)) by lra. intro R.
  assert (Wk : ulps_k + 1 + 1 <= w) by (unfold ulps_k, w;
    generalize (Rmax_r (2 * k_sigmoid ar + 1) (2 * k_exp ar + 3)); lra).
  assert (Gw := p_gam_more w Wk (proj2 W)).
  assert (Eta : a_eta ar <= (ulps_k + 1 + 1) * a_eta ar) by nra.
  assert (EtaW : (ulps_k + 1 + 1) * a_eta ar <= w * a_eta ar) by (apply Rmult_le_compat_r; lra).
  assert (GS : gam (a_u ar) (ulps_k + 1 + 1) * sigmoid a <= p_gam (a_u ar) w * sigmoid a)
    by (apply Rmult_le_compat_r; lra).
  assert (Finite : forall x, Rabs (rn x - sigmoid a) <= p_gam (a_u ar) w * sigmoid a + w * a_eta ar
    + m ->
    fl e_min prec ar x = Some (rn x)).
  { intros x H. unfold fl. fold rn. destruct (Rle_dec (Rabs (rn x)) (a_big ar)) as [|N]; [ easy |].
    elim N. generalize (abs_within (rn x) (sigmoid a)). rewrite (Rabs_pos_eq (sigmoid a)) by lra.
      lra. }
  destruct L as [c H|e c [H1 H2] H|y d c Na [_ H2] Hd ->].
  - assert (Ww : 2 * k_sigmoid ar + 1 <= w) by apply Rmax_l.
    assert (F : few ar (2 * k_sigmoid ar + 1)).
    { split; [ easy |]. eapply Rle_lt_trans; [| apply W ]. apply Rmult_le_compat_r; lra. }
    assert (G : p_gam (a_u ar) (2 * k_sigmoid ar + 1) <= p_gam (a_u ar) w).
    { destruct (Req_dec (2 * k_sigmoid ar + 1) 0) as [Z|Z].
      - unfold p_gam at 1. destruct (Rle_dec (2 * k_sigmoid ar + 1) 0); [| lra ].
        apply (p_gam_pos e_min prec ar declared).
      - rewrite !p_gam_is by (try apply F; try apply W; lra). apply gam_mono; try apply W; lra. }
    assert (GS' : p_gam (a_u ar) (2 * k_sigmoid ar + 1) * sigmoid a <= p_gam (a_u ar) w * sigmoid a)
      by (apply Rmult_le_compat_r; lra).
    assert (Ew : (2 * k_sigmoid ar + 1) * a_eta ar <= w * a_eta ar) by (apply Rmult_le_compat_r;
      lra).
    destruct (ulps_made e_min prec ar declared _ _ _ F H) as [y [C Y]];
      rewrite (Rabs_pos_eq (sigmoid a)) in * by lra.
    + lra.
    + exists y. split; [ easy | lra ].
  - assert (S1 : sigmoid a = 1 / (1 + exp (- a))) by reflexivity.
    destruct e as [y|].
    + destruct (H2 y eq_refl) as [Y [B [F V]]]. destruct (more_rounded y Y B F) as [Dd _].
      cbn [inverse_of_more] in H. rewrite Dd in H.
      assert (X := inverse_err (exp (- a)) y (exp_pos _) Y F B (exp_err _ _ V)). rewrite <- S1 in X.
      exists (rn (1 / rn (1 + y))). split; [| lra ]. rewrite H. apply Finite. lra.
    + cbn [inverse_of_more] in H. exists 0. split; [ easy |].
      assert (Mv : m = sigmoid a).
      { unfold m. destruct (Rlt_dec (p_e (p_exp ar (ErrPair (- a) 0))) vacuous) as [N|]; [| easy ].
        exfalso. unfold p_exp in N. cbn [p_v p_e] in N.
        destruct (Rlt_dec 0 vacuous) as [_|V]; [| generalize vacuous_pos; lra ]. unfold p_rnd in N.
          cbn [p_v p_e] in N.
        destruct (range_below _ _ _ N) as [_ [B _]]. replace (- a + 0) with (- a) in B by ring.
        replace (exp (- a) - exp (- a)) with 0 in B by ring. rewrite (Rabs_pos_eq (exp (- a))) in B
          by (apply Rlt_le, exp_pos). destruct H1 as [y [C _]]; [| easy ]. fold ulps_k in B.
            fold ulps_k.
        rewrite (Rabs_pos_eq (exp (- a))) by (apply Rlt_le, exp_pos).
          rewrite p_gam_is in B by (generalize k_2_small; lra).
        assert (ulps_k * a_u ar * exp (- a) <= gam (a_u ar) ulps_k * exp (- a)).
        { apply Rmult_le_compat_r; [ apply Rlt_le, exp_pos |].
          apply gam_ge; generalize k_2_small; lra. } lra. }
      replace (0 - sigmoid a) with (- sigmoid a) by ring.
        rewrite Rabs_Ropp, (Rabs_pos_eq (sigmoid a)) by lra.
      assert (0 <= p_gam (a_u ar) w * sigmoid a)
        by (apply Rmult_le_pos; [ apply (p_gam_pos e_min prec ar declared) | lra ]). lra.
  - destruct (H2 y eq_refl) as [Y [B [F V]]]. destruct (more_rounded y Y B F) as [Dd _].
    rewrite Dd in Hd. injection Hd as <-.
    assert (S1 : sigmoid a = exp a / (1 + exp a)).
    { unfold sigmoid. rewrite exp_Ropp. generalize (exp_pos a); intro. field. lra. }
    assert (X := quotient_err (exp a) y (exp_pos _) Y F B (exp_err _ _ V)). rewrite <- S1 in X.
    exists (rn (y / rn (1 + y))). split; [| lra ]. apply Finite. lra.
Qed.
End Logistic.

(* fl (1 - y) of a computed sigmoid y, which is exactly 1 where exp(-a) is lost beside 1 *)
Theorem p_logistic_rest_stands e_min prec ar a s c : declares e_min prec ar ->
  stands (p_logistic ar a) (sigmoid a) s ->
  (20 <= a -> exp (- a) <= / 4 * a_u ar -> s = Some 1) ->
  of1 (fun y => subs e_min prec ar 1 y) s c -> stands (p_logistic_rest ar a) (1 - sigmoid a) c.
Proof.
  intros D H S C.
  assert (K : stands (p_sub ar (ErrPair 1 0) (p_logistic ar a)) (1 - sigmoid a) c).
  { apply (p_sub_stands e_min prec ar D _ _ _ _ (Some 1) s); [ apply exact_stands | easy |].
    intros x y X Y. injection X as <-. now apply C. }
  unfold p_logistic_rest. destruct (Rle_dec 20 a) as [T|]; [| exact K ].
  destruct (Rle_dec (exp (- a)) (/ 4 * a_u ar)) as [U|]; [| exact K ]. intros _. cbn [p_v p_e].
  split; [ easy |]. exists 0. split.
  - rewrite (C 1 (S T U)). unfold subs. rewrite Rminus_diag_eq by easy.
    replace (Some 0) with (Some (rnd e_min prec 0)) by (now rewrite rnd_0).
    apply (fl_finite e_min prec ar D 0 (a_big ar)).
    + apply (big_format e_min prec ar D).
    + lra.
    + rewrite Rabs_R0. destruct D as [_ [_ [_ [_ [_ B]]]]]. lra.
  - replace (0 - (1 - sigmoid a)) with (- (1 - sigmoid a)) by ring. rewrite Rabs_Ropp.
    generalize (exp_pos (- a)); intro E. assert (0 <= 1 - sigmoid a <= exp (- a));
      [| rewrite Rabs_pos_eq; lra ].
    unfold sigmoid. replace (1 - 1 / (1 + exp (- a))) with (exp (- a) * / (1 + exp (- a))) by
      (field; lra).
    assert (0 < / (1 + exp (- a)) <= 1).
    { split; [ apply Rinv_0_lt_compat; lra |]. rewrite <- Rinv_1 at 2. apply Rinv_le_contravar;
      lra. }
    nra.
Qed.
