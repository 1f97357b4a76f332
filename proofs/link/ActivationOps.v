(* The VJPs of spec/activation.h are those of its forward formulas, on every tensor of n elements. *)
Require Import Reals Lra Psatz.
From Coquelicot Require Import Coquelicot.
From Theory Require Import Sums Vjp Pointwise Scalar Meaning ElementwiseOps.
Open Scope R_scope.

(* WP's tanh is the library's *)
Lemma tanh_is x : W_tanh x = tanh x.
Proof. unfold W_tanh, W_sinh, W_cosh, tanh, sinh, cosh. generalize (exp_sum_pos x); intro. field. lra. Qed.
Lemma derive_tanh x : is_derive W_tanh x (1 - W_tanh x * W_tanh x).
Proof.
  apply (is_derive_ext tanh_e). intro t. now rewrite tanh_is, tanh_e_is_tanh.
  rewrite !tanh_is, <- !tanh_e_is_tanh. apply tanh_correct.
Qed.

Theorem exp_vjp_correct : vjp_of_y everywhere exp L_of_exp_vjp.
Proof. op1; cbv [L_of_exp_vjp]; try ring. eapply D_eq. apply exp_correct. ring. Qed.
Theorem log_vjp_correct : vjp_of_a (fun a => 0 < a) ln L_of_log_vjp.
Proof. op1; cbv [L_of_log_vjp]; try (unfold Rdiv; ring). now apply ln_correct. Qed.
Theorem sigmoid_vjp_correct : vjp_of_y everywhere L_Sigmoid L_SigmoidVjp.
Proof. op1; cbv [L_SigmoidVjp L_rmul]; try ring. eapply D_eq. apply sigmoid_correct. unfold sigmoid_d, sigmoid, L_Sigmoid. ring. Qed.
Theorem tanh_vjp_correct : vjp_of_y everywhere W_tanh L_TanhVjp.
Proof. op1; cbv [L_TanhVjp L_rmul]; try ring. eapply D_eq. apply derive_tanh. ring. Qed.
Theorem softplus_vjp_correct : vjp_of_a everywhere L_Softplus L_SoftplusVjp.
Proof. op1; cbv [L_SoftplusVjp L_rmul]; try ring. eapply D_eq. apply softplus_correct. unfold softplus_d, sigmoid, L_Sigmoid. ring. Qed.
Theorem silu_vjp_correct : vjp_of_a everywhere L_Silu L_SiluVjp.
Proof.
  op1; cbv [L_SiluVjp L_SiluD L_rmul]; try ring. eapply D_eq. apply silu_correct.
  unfold silu_d, sigmoid, L_Sigmoid. ring.
Qed.
Theorem gelu_vjp_correct : vjp_of_a everywhere L_Gelu L_GeluVjp.
Proof.
  op1; cbv [L_GeluVjp L_GeluD L_rmul]; try ring.
  assert (Hu : is_derive L_GeluIn a (0.79788456080286535588 * (1 + 3 * 0.044715 * (a * a)))).
  { unfold L_GeluIn. auto_derive; [ easy | ring ]. }
  eapply D_eq. apply D_mult. apply D_mult; [ apply D_cst | apply (is_derive_id a) ].
  apply D_plus; [ apply D_cst |]. apply (is_derive_comp W_tanh L_GeluIn). apply derive_tanh. exact Hu.
  unfold scal, one; simpl. unfold mult, one; simpl. ring.
Qed.
Theorem safe_log_vjp_correct eps : 0 <= eps ->
  vjp_of_a everywhere (fun a => L_SafeLog a eps) (fun a g => L_SafeLogVjp a g eps).
Proof.
  intro He. op1; cbv [L_SafeLogVjp L_rmul L_rdiv]; try (unfold Rdiv; ring).
  apply (is_derive_ext (safe_log eps)).
  - intro t. unfold safe_log, L_SafeLog, softplus, L_Softplus. f_equal. over_reals. ring.
  - eapply D_eq. now apply safe_log_correct. unfold safe_log_d, sigmoid, softplus, L_Sigmoid, L_Softplus.
    generalize (softplus_pos a); unfold softplus; intro. field.
    split; [| lra ]. generalize (exp_pos (- a)); lra.
Qed.
