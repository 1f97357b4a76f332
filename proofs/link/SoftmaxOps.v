(* spec/softmax.h, of one row: it is the textbook softmax, though it is stated with the shift by the
   row's maximum, and its VJPs, stated over the output y, are the gradients. *)
Require Import Reals Lra Psatz ZArith Lia Arith.
From Coquelicot Require Import Coquelicot.
From Theory Require Import Sums Vjp Softmax Meaning Memory.
Open Scope R_scope.

Theorem softmax_is_textbook x n i : (0 < n)%nat ->
  L_Softmax (memory x) (ptr 0) (Z.of_nat n) (Z.of_nat i) = exp (x 0%nat i) / bsum n (fun k => exp (x 0%nat k)).
Proof.
  intro Hn. unfold L_Softmax, L_rdiv, L_SumExp. set (m := L_RowMax _ _ _). rewrite Nat2Z.id, mem_at.
  rewrite (bsum_ext n _ (fun k => exp (x 0%nat k - m))) by (intros; now rewrite mem_at).
  change (exp (x 0%nat i) / _) with (softmax n (x 0%nat) i). rewrite <- (softmax_stable_eq n m) by assumption.
  unfold softmax_stable. f_equal. f_equal. ring.
Qed.
Theorem log_softmax_is_textbook x n i : (0 < n)%nat ->
  L_LogSoftmax (memory x) (ptr 0) (Z.of_nat n) (Z.of_nat i) = ln (exp (x 0%nat i) / bsum n (fun k => exp (x 0%nat k))).
Proof.
  intro Hn. unfold L_LogSoftmax, L_SumExp. cbv zeta. set (m := L_RowMax _ _ _). rewrite Nat2Z.id, mem_at.
  rewrite (bsum_ext n _ (fun k => exp (x 0%nat k - m))) by (intros; now rewrite mem_at).
  change (ln _) with (ln (softmax n (x 0%nat) i)) at 2. rewrite <- log_softmax_eq, <- (log_softmax_stable_eq n m) by assumption.
  ring.
Qed.
(* element k is open under the mask b *)
Definition opened (b : nat -> R) (k : nat) : bool := if Req_EM_T (b k) 0 then true else false.
Theorem masked_softmax_is_textbook x b n i : (i < n)%nat ->
  L_MaskedSoftmax (memory (tensors2 x b)) (ptr 0) (ptr 1) (Z.of_nat n) (Z.of_nat i) =
  if_ (opened b i) (exp (x i) / bsum n (fun k => if_ (opened b k) (exp (x k)))).
Proof.
  intro Hi. unfold L_MaskedSoftmax, L_rdiv, L_OpenSumExp. cbv zeta. set (m := L_OpenMax _ _ _ _).
  rewrite Nat2Z.id, !mem_at. change (if_ (opened b i) _) with (masked_softmax n (opened b) x i).
  rewrite <- (masked_softmax_stable_eq n (opened b) m) by assumption.
  rewrite (bsum_ext n _ (fun k => if_ (opened b k) (exp (x k - m)))).
  2: { intros k _. rewrite !mem_at. unfold L_open_exp, opened, tensors2. destruct (Req_EM_T (b k) 0); reflexivity. }
  unfold L_if_open, opened, tensors2. destruct (Req_EM_T (b i) 0); [| reflexivity ]. simpl. f_equal. f_equal. ring.
Qed.

Theorem softmax_vjp_correct n : (0 < n)%nat ->
  is_vjp 1 (sz1 n) n (fun _ => True)
    (fun x i => L_Softmax (memory x) (ptr 0) (Z.of_nat n) (Z.of_nat i))
    (fun x dy _ j => L_SoftmaxVjp
       (memory (tensors2 (fun k => L_Softmax (memory x) (ptr 0) (Z.of_nat n) (Z.of_nat k)) dy))
       (ptr 0) (ptr 1) (Z.of_nat n) (Z.of_nat j)).
Proof.
  intro Hn. eapply is_vjp_ext; [ | | exact (softmax_is_vjp n Hn) ].
  - intros x i _. now rewrite softmax_is_textbook.
  - intros x dy a k _ _ _. cbv beta. unfold L_SoftmaxVjp, L_rmul, L_RowDot, softmax_vjp.
    rewrite Nat2Z.id, !mem_at. unfold tensors2. rewrite softmax_is_textbook by assumption.
    change (exp (x 0%nat k) / _) with (softmax n (x 0%nat) k). f_equal.
    rewrite (bsum_ext n (fun i => dy i * _) (fun i => memory (tensors2 (fun k0 => L_Softmax (memory x) (ptr 0) (Z.of_nat n)
      (Z.of_nat k0)) dy) (W_shift (ptr 1) (Z.of_nat i)) * memory (tensors2 (fun k0 => L_Softmax (memory x) (ptr 0) (Z.of_nat n)
      (Z.of_nat k0)) dy) (W_shift (ptr 0) (Z.of_nat i)))).
    unfold tensors2. ring. intros i _. rewrite !mem_at. unfold tensors2. now rewrite softmax_is_textbook.
Qed.
Theorem log_softmax_vjp_correct n : (0 < n)%nat ->
  is_vjp 1 (sz1 n) n (fun _ => True)
    (fun x i => L_LogSoftmax (memory x) (ptr 0) (Z.of_nat n) (Z.of_nat i))
    (fun x dy _ j => L_LogSoftmaxVjp
       (memory (tensors2 (fun k => L_LogSoftmax (memory x) (ptr 0) (Z.of_nat n) (Z.of_nat k)) dy))
       (ptr 0) (ptr 1) (Z.of_nat n) (Z.of_nat j)).
Proof.
  intro Hn. eapply is_vjp_ext; [ | | exact (log_softmax_is_vjp n Hn) ].
  - intros x i _. rewrite log_softmax_is_textbook by assumption. now apply log_softmax_eq.
  - intros x dy a k _ _ _. cbv beta. unfold L_LogSoftmaxVjp, L_rmul, L_Sum, log_softmax_vjp.
    rewrite Nat2Z.id, !mem_at, vector_at. unfold tensors2. rewrite log_softmax_is_textbook by assumption.
    change (exp (x 0%nat k) / _) with (softmax n (x 0%nat) k).
    assert (P : 0 < softmax n (x 0%nat) k).
    { unfold softmax, Rdiv. apply Rmult_lt_0_compat; [ apply exp_pos |]. apply Rinv_0_lt_compat. now apply sumexp_pos. }
    rewrite exp_ln by exact P. ring.
Qed.
Theorem masked_softmax_vjp_correct n b :
  is_vjp 1 (sz1 n) n (fun _ => True)
    (fun x i => L_MaskedSoftmax (memory (tensors2 (x 0%nat) b)) (ptr 0) (ptr 1) (Z.of_nat n) (Z.of_nat i))
    (fun x dy _ j => L_MaskedSoftmaxVjp
       (memory (tensors2 (fun k => L_MaskedSoftmax (memory (tensors2 (x 0%nat) b)) (ptr 0) (ptr 1) (Z.of_nat n) (Z.of_nat k)) dy))
       (ptr 0) (ptr 1) (Z.of_nat n) (Z.of_nat j)).
Proof.
  eapply is_vjp_ext; [ | | exact (masked_softmax_is_vjp n (opened b)) ].
  - intros x i Hi. now rewrite masked_softmax_is_textbook.
  - intros x dy a k _ _ Hk. cbv beta. unfold L_MaskedSoftmaxVjp, L_rmul, L_LiveDot, masked_softmax_vjp.
    rewrite Nat2Z.id, !mem_at. cbn [tensors2]. rewrite masked_softmax_is_textbook by exact Hk.
    change (if_ (opened b k) _) with (masked_softmax n (opened b) (x 0%nat) k).
    match goal with |- context [bsum n (fun k0 : nat => L_if_live _ _)] =>
      rewrite (bsum_ext n (fun k0 : nat => L_if_live _ _) (fun i => dy i * masked_softmax n (opened b) (x 0%nat) i)) end.
    + unfold L_if_live. destruct (Req_EM_T _ 0) as [E|E]; [ rewrite E; ring | ring ].
    + intros i Hi. rewrite !mem_at. cbn [tensors2]. rewrite masked_softmax_is_textbook by exact Hi.
      change (if_ (opened b i) _) with (masked_softmax n (opened b) (x 0%nat) i).
      unfold L_if_live. destruct (Req_EM_T _ 0) as [E|E]; [ rewrite E; ring | reflexivity ].
Qed.
