(* Derivatives in closed form of functions of one real number, and their stable forms. *)
Require Import Reals Lra Psatz Arith List Lia FunctionalExtensionality.
From Coquelicot Require Import Coquelicot.
Open Scope R_scope.

(* ---------- forward definitions (same text as the ACSL logic functions) *)
Definition sigmoid (x : R) : R := 1 / (1 + exp (- x)).
Definition sigmoid_d (x : R) : R := sigmoid x * (1 - sigmoid x).

Definition tanh_e (x : R) : R := (exp x - exp (- x)) / (exp x + exp (- x)).
Definition tanh_d (x : R) : R := 1 - tanh_e x * tanh_e x.

Definition silu (x : R) : R := x * sigmoid x.
Definition silu_d (x : R) : R := sigmoid x * (1 + x * (1 - sigmoid x)).

Definition gelu_c : R := sqrt (2 / PI).
Definition gelu_u (x : R) : R := gelu_c * (x + 0.044715 * (x * x * x)).
Definition gelu (x : R) : R := 0.5 * x * (1 + tanh_e (gelu_u x)).
Definition gelu_d (x : R) : R :=
  0.5 * (1 + tanh_e (gelu_u x))
  + 0.5 * x * (1 - tanh_e (gelu_u x) * tanh_e (gelu_u x))
      * (gelu_c * (1 + 3 * 0.044715 * (x * x))).

Definition softplus (x : R) : R := ln (1 + exp x).
Definition softplus_d (x : R) : R := sigmoid x.
Definition softplus_stable (x : R) : R := Rmax x 0 + ln (1 + exp (- Rabs x)).

Definition safe_log (eps x : R) : R := ln (softplus x + eps).
Definition safe_log_d (eps x : R) : R := sigmoid x / (softplus x + eps).

Definition relu (x : R) : R := Rmax x 0.
Definition relu_d (x : R) : R := if Rlt_dec 0 x then 1 else 0.
Definition abs_d (x : R) : R := if Rlt_dec 0 x then 1 else if Rlt_dec x 0 then -1 else 0.

Lemma one_exp_pos x : 0 < 1 + exp x.
Proof. generalize (exp_pos x); lra. Qed.

Lemma exp_sum_pos x : 0 < exp x + exp (- x).
Proof. generalize (exp_pos x) (exp_pos (- x)); lra. Qed.

Lemma sigmoid_correct x : is_derive sigmoid x (sigmoid_d x).
Proof.
  unfold sigmoid_d, sigmoid. generalize (one_exp_pos (- x)); intro H.
  auto_derive; [ lra | field; lra ].
Qed.

Lemma tanh_correct x : is_derive tanh_e x (tanh_d x).
Proof.
  unfold tanh_d, tanh_e. generalize (exp_sum_pos x); intro H.
  auto_derive; [ lra | field; lra ].
Qed.

Lemma tanh_e_is_tanh x : tanh_e x = tanh x.
Proof.
  unfold tanh_e, tanh, sinh, cosh. generalize (exp_sum_pos x); intro; field; lra.
Qed.

(* the exponential form an implementation without tanh() may use *)
Lemma tanh_via_sigmoid x : tanh_e x = 2 * sigmoid (2 * x) - 1.
Proof.
  unfold tanh_e, sigmoid.
  replace (- (2 * x)) with (- x + - x) by ring. rewrite exp_plus.
  assert (E : exp x * exp (- x) = 1) by (rewrite <- exp_plus; replace (x + - x) with 0 by ring; apply exp_0).
  generalize (exp_pos x) (exp_pos (- x)); intros P Q.
  assert (exp x = / exp (- x)) as -> by (field_simplify_eq; lra).
  assert (0 < exp (-x) * exp (-x)) by (apply Rmult_lt_0_compat; lra).
  field; repeat split; try nra.
Qed.

Lemma silu_correct x : is_derive silu x (silu_d x).
Proof.
  unfold silu, silu_d.
  evar_last.
  apply (is_derive_mult (fun x => x) sigmoid).
  apply (is_derive_id x). apply sigmoid_correct. intros; apply Rmult_comm.
  unfold plus, mult, one; simpl; unfold sigmoid_d. unfold one; simpl. ring.
Qed.

Lemma gelu_correct x : is_derive gelu x (gelu_d x).
Proof.
  unfold gelu, gelu_d.
  assert (Hu : is_derive gelu_u x (gelu_c * (1 + 3 * 0.044715 * (x * x)))).
  { unfold gelu_u. auto_derive; [ easy | ring ]. }
  assert (Ht : is_derive (fun x => tanh_e (gelu_u x)) x
                ((gelu_c * (1 + 3 * 0.044715 * (x * x))) * tanh_d (gelu_u x))).
  { apply (is_derive_comp tanh_e gelu_u). apply tanh_correct. exact Hu. }
  evar_last.
  apply (is_derive_mult (fun x => 0.5 * x) (fun x => 1 + tanh_e (gelu_u x))).
  - apply (is_derive_scal (fun x => x)). apply is_derive_id.
  - apply (is_derive_plus (fun _ => 1) (fun x => tanh_e (gelu_u x))).
    apply is_derive_const. exact Ht.
  - intros; apply Rmult_comm.
  - unfold plus, mult, zero, one; simpl. unfold tanh_d, one; simpl. ring.
Qed.

Lemma softplus_correct x : is_derive softplus x (softplus_d x).
Proof.
  unfold softplus, softplus_d, sigmoid. generalize (one_exp_pos x) (one_exp_pos (- x)); intros H K.
  auto_derive; [ lra | ].
  assert (E : exp x * exp (- x) = 1) by (rewrite <- exp_plus; replace (x + - x) with 0 by ring; apply exp_0).
  field_simplify_eq; [ nra | lra ].
Qed.

Lemma softplus_stable_eq x : softplus_stable x = softplus x.
Proof.
  unfold softplus_stable, softplus.
  destruct (Rle_lt_dec 0 x) as [H|H].
  - rewrite Rmax_left, Rabs_right by lra.
    rewrite <- (ln_exp x) at 1.
    rewrite <- ln_mult; [| apply exp_pos | apply one_exp_pos].
    f_equal. rewrite Rmult_plus_distr_l, <- exp_plus.
    replace (x + - x) with 0 by ring. rewrite exp_0. ring.
  - rewrite Rmax_right, Rabs_left by lra. rewrite Ropp_involutive. ring.
Qed.

Lemma softplus_pos x : 0 < softplus x.
Proof.
  unfold softplus. rewrite <- ln_1. apply ln_increasing; generalize (exp_pos x); lra.
Qed.

Lemma safe_log_correct eps x : 0 <= eps -> is_derive (safe_log eps) x (safe_log_d eps x).
Proof.
  intro He. unfold safe_log, safe_log_d.
  generalize (softplus_pos x); intro Hp.
  evar_last.
  apply (is_derive_comp ln (fun x => softplus x + eps)).
  - apply is_derive_Reals. apply derivable_pt_lim_ln. lra.
  - apply (is_derive_plus softplus (fun _ => eps)). apply softplus_correct. apply is_derive_const.
  - unfold scal, plus, zero; simpl. unfold mult; simpl. unfold softplus_d. field. lra.
Qed.

Lemma recip_correct x : x <> 0 -> is_derive (fun x => 1 / x) x (- (1 / (x * x))).
Proof. intro H. auto_derive; [ easy | field; easy ]. Qed.

Lemma sqrt_correct x : 0 < x -> is_derive sqrt x (1 / (2 * sqrt x)).
Proof. intro H. generalize (sqrt_lt_R0 _ H); intro. auto_derive; [ easy | field; lra ]. Qed.

Lemma rsqrt_correct x : 0 < x -> is_derive (fun x => 1 / sqrt x) x (- (1/2) * (1 / sqrt x) / x).
Proof.
  intro H. generalize (sqrt_lt_R0 _ H) (sqrt_sqrt x (Rlt_le _ _ H)); intros P Q.
  evar_last.
  - apply (is_derive_div (fun _ => 1) sqrt); [ apply is_derive_const | apply sqrt_correct; easy | lra ].
  - unfold zero; simpl.
    replace (- (1 / 2) * (1 / sqrt x) / x) with (- (1 / 2) * (1 / sqrt x) / (sqrt x * sqrt x)) by (rewrite Q; reflexivity).
    field. lra.
Qed.

Lemma ln_correct x : 0 < x -> is_derive ln x (1 / x).
Proof. intro H. auto_derive; [ easy | field; lra ]. Qed.

Lemma exp_correct x : is_derive exp x (exp x).
Proof. auto_derive; [ easy | ring ]. Qed.

Lemma abs_correct x : x <> 0 -> is_derive Rabs x (abs_d x).
Proof.
  intro H. evar_last. apply is_derive_Rabs. apply is_derive_id. easy.
  unfold abs_d, one; simpl. unfold one; simpl.
  destruct (Rlt_dec 0 x) as [P|P]; [ rewrite sign_eq_1 by easy; ring |].
  destruct (Rlt_dec x 0) as [Q|Q]; [ rewrite sign_eq_m1 by easy; ring | lra ].
Qed.

Lemma relu_correct x : x <> 0 -> is_derive relu x (relu_d x).
Proof.
  intro H. unfold relu_d. destruct (Rlt_dec 0 x) as [P|P].
  - apply (is_derive_ext_loc (fun x => x)); [| apply (is_derive_id x)].
    assert (L := open_gt 0 x P). revert L. apply filter_imp. intros y Hy. unfold relu. rewrite Rmax_left; lra.
  - apply (is_derive_ext_loc (fun x => 0)); [| apply (is_derive_const 0 x)].
    assert (P' : x < 0) by lra.
    assert (L := open_lt 0 x P'). revert L. apply filter_imp. intros y Hy. unfold relu. rewrite Rmax_right; lra.
Qed.
