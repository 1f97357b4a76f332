(* Softmax and log-softmax of a row, their VJPs, and that a shift of the row (by its maximum, as it
   is computed) changes neither. *)
Require Import Reals Lra Psatz Arith Lia FunctionalExtensionality.
From Coquelicot Require Import Coquelicot.
From Theory Require Import Sums Vjp.
Open Scope R_scope.

(* ------------------------------------------------------------------ softmax *)
Definition sumexp n (x : nat -> R) : R := bsum n (fun k => exp (x k)).
Definition softmax n (x : nat -> R) (i : nat) : R := exp (x i) / sumexp n x.
Definition softmax_stable n (c : R) (x : nat -> R) (i : nat) : R :=
  exp (x i - c) / bsum n (fun k => exp (x k - c)).
Lemma sumexp_pos n x : (0 < n)%nat -> 0 < sumexp n x.
Proof. intro H. apply bsum_pos; [ easy | intro; apply exp_pos ]. Qed.
Theorem softmax_stable_eq n c x i : (0 < n)%nat -> softmax_stable n c x i = softmax n x i.
Proof.
  intro Hn. unfold softmax_stable, softmax.
  rewrite (bsum_ext n _ (fun k => exp (- c) * exp (x k))) by (intros; rewrite <- exp_plus; f_equal; ring).
  rewrite bsum_scal. fold (sumexp n x). replace (x i - c) with (- c + x i) by ring. rewrite exp_plus.
  generalize (exp_pos (- c)) (sumexp_pos n x Hn). intros. unfold Rdiv. field. split; lra.
Qed.
Definition softmax_vjp n (x dy : nat -> R) (i : nat) : R :=
  softmax n x i * (dy i - bsum n (fun k => dy k * softmax n x k)).
Lemma D_sumexp n (g : R -> nat -> R) g' t0 :
  (forall k, (k < n)%nat -> is_derive (fun t => g t k) t0 (g' k)) ->
  is_derive (fun t => sumexp n (g t)) t0 (bsum n (fun k => g' k * exp (g t0 k))).
Proof. intro H. apply (bsum_derive n (fun t k => exp (g t k))). intros i Hi. apply D_exp; auto. Qed.
Theorem softmax_is_vjp n : (0 < n)%nat ->
  is_vjp 1 (sz1 n) n (fun _ => True) (fun x => softmax n (x O)) (fun x dy _ => softmax_vjp n (x O) dy).
Proof.
  intros Hn g g' t0 _ Hg. set (x := g t0 O). set (S' := bsum n (fun k => softmax n x k * g' O k)).
  exists (fun i => softmax n x i * (g' O i - S')). split.
  - intros i Hi. eapply D_eq. apply D_div. apply D_exp. apply Hg; auto.
    apply (D_sumexp n (fun t => g t O) (g' O)). intros; apply Hg; auto.
    generalize (sumexp_pos n (g t0 O) Hn); lra.
    cbv beta; fold x. unfold S', softmax. rewrite (bsum_ext n (fun k => _ / _ * _) (fun k => / sumexp n x * (g' O k * exp (x k)))) by (intros; unfold Rdiv; ring).
    rewrite bsum_scal. generalize (sumexp_pos n x Hn); intro. field. lra.
  - intro dy. sum1. unfold sz1, softmax_vjp. fold x. set (T := bsum n (fun k => dy k * softmax n x k)).
    transitivity (bsum n (fun i => dy i * softmax n x i * g' O i) - T * S').
    + unfold T. rewrite <- bsum_scal_r, <- bsum_minus. apply bsum_ext; intros; ring.
    + unfold S'. rewrite <- bsum_scal, <- bsum_minus. apply bsum_ext; intros; ring.
Qed.

(* -------------------------------------------------------------- log-softmax *)
Definition log_softmax n (x : nat -> R) i := x i - ln (sumexp n x).
Definition log_softmax_vjp n (x dy : nat -> R) i := dy i - softmax n x i * bsum n dy.
Lemma log_softmax_eq n x i : (0 < n)%nat -> log_softmax n x i = ln (softmax n x i).
Proof.
  intro Hn. unfold log_softmax, softmax, Rdiv. rewrite ln_mult, ln_exp, ln_Rinv; auto using exp_pos, sumexp_pos.
  apply Rinv_0_lt_compat; now apply sumexp_pos.
Qed.
Lemma D_lse n (g : R -> nat -> R) g' t0 : (0 < n)%nat ->
  (forall k, (k < n)%nat -> is_derive (fun t => g t k) t0 (g' k)) ->
  is_derive (fun t => ln (sumexp n (g t))) t0 (bsum n (fun k => softmax n (g t0) k * g' k)).
Proof.
  intros Hn H. eapply D_eq. apply D_ln. apply (D_sumexp n g g' t0 H). now apply sumexp_pos.
  unfold softmax. unfold Rdiv. rewrite <- bsum_scal_r. apply bsum_ext; intros; ring.
Qed.
Theorem log_softmax_is_vjp n : (0 < n)%nat ->
  is_vjp 1 (sz1 n) n (fun _ => True) (fun x => log_softmax n (x O)) (fun x dy _ => log_softmax_vjp n (x O) dy).
Proof.
  intros Hn g g' t0 _ Hg. set (x := g t0 O).
  exists (fun i => g' O i - bsum n (fun k => softmax n x k * g' O k)). split.
  - intros i Hi. apply D_minus. apply Hg; auto. apply (D_lse n (fun t => g t O)); auto.
  - intro dy. sum1. unfold sz1, log_softmax_vjp. fold x. set (S' := bsum n (fun k => softmax n x k * g' O k)).
    transitivity (bsum n (fun i => dy i * g' O i) - bsum n dy * S').
    + rewrite <- bsum_scal_r, <- bsum_minus. apply bsum_ext; intros; ring.
    + unfold S'. rewrite <- bsum_scal, <- bsum_minus. apply bsum_ext; intros; ring.
Qed.

(* ------------------------------------ softmax of the open elements of a row, 0 at the blocked ones *)
Definition open_sumexp n (o : nat -> bool) (x : nat -> R) : R := bsum n (fun k => if_ (o k) (exp (x k))).
Definition masked_softmax n (o : nat -> bool) (x : nat -> R) (i : nat) : R :=
  if_ (o i) (exp (x i) / open_sumexp n o x).
Definition masked_softmax_vjp n o (x dy : nat -> R) (i : nat) : R :=
  masked_softmax n o x i * (dy i - bsum n (fun k => dy k * masked_softmax n o x k)).
Lemma open_sumexp_pos n o x i : (i < n)%nat -> o i = true -> 0 < open_sumexp n o x.
Proof.
  intros Hi Ho. unfold open_sumexp.
  assert (N : forall k, 0 <= if_ (o k) (exp (x k))) by (intro k; destruct (o k); simpl; [ left; apply exp_pos | lra ]).
  induction n; [ lia |]. simpl. destruct (Nat.eq_dec i n) as [->|E].
  - rewrite Ho. simpl. generalize (bsum_nonneg n _ N) (exp_pos (x n)). lra.
  - generalize (N n) (IHn ltac:(lia)). lra.
Qed.
Theorem masked_softmax_stable_eq n o c x i : (i < n)%nat ->
  if_ (o i) (exp (x i - c) / bsum n (fun k => if_ (o k) (exp (x k - c)))) = masked_softmax n o x i.
Proof.
  intro Hi. unfold masked_softmax. destruct (o i) eqn:Ho; [| reflexivity ]. simpl.
  rewrite (bsum_ext n _ (fun k => exp (- c) * if_ (o k) (exp (x k)))).
  2: { intros k _. destruct (o k); simpl; [ rewrite <- exp_plus; f_equal; ring | ring ]. }
  rewrite bsum_scal. fold (open_sumexp n o x). replace (x i - c) with (- c + x i) by ring. rewrite exp_plus.
  generalize (exp_pos (- c)) (open_sumexp_pos n o x i Hi Ho). intros. field. split; lra.
Qed.
Theorem masked_softmax_is_vjp n o :
  is_vjp 1 (sz1 n) n (fun _ => True) (fun x => masked_softmax n o (x O)) (fun x dy _ => masked_softmax_vjp n o (x O) dy).
Proof.
  intros g g' t0 _ Hg. set (x := g t0 O). set (S' := bsum n (fun k => masked_softmax n o x k * g' O k)).
  exists (fun i => masked_softmax n o x i * (g' O i - S')). split.
  - intros i Hi. unfold masked_softmax at 1 2. destruct (o i) eqn:Ho; simpl.
    2: { eapply D_eq; [ apply D_cst | ring ]. }
    assert (P := open_sumexp_pos n o x i Hi Ho).
    assert (DS : is_derive (fun t => open_sumexp n o (g t O)) t0 (bsum n (fun k => if_ (o k) (g' O k * exp (x k))))).
    { apply (bsum_derive n (fun t k => if_ (o k) (exp (g t O k)))). intros k Hk. destruct (o k); simpl.
      apply D_exp. apply Hg; auto. apply D_cst. }
    eapply D_eq. apply D_div. apply D_exp. apply Hg; auto. exact DS. fold x. lra.
    cbv beta. fold x. unfold S'. rewrite (bsum_ext n (fun k => masked_softmax n o x k * _) (fun k => / open_sumexp n o x * if_ (o k) (g' O k * exp (x k)))).
    rewrite bsum_scal. field. lra.
    intros k _. unfold masked_softmax, Rdiv. destruct (o k); simpl; ring.
  - intro dy. sum1. unfold sz1, masked_softmax_vjp. fold x. set (T := bsum n (fun k => dy k * masked_softmax n o x k)).
    transitivity (bsum n (fun i => dy i * masked_softmax n o x i * g' O i) - T * S').
    + unfold T. rewrite <- bsum_scal_r, <- bsum_minus. apply bsum_ext; intros; ring.
    + unfold S'. rewrite <- bsum_scal, <- bsum_minus. apply bsum_ext; intros; ring.
Qed.

(* the shifted logarithm, as it is computed *)
Theorem log_softmax_stable_eq n c x i : (0 < n)%nat ->
  x i - c - ln (bsum n (fun k => exp (x k - c))) = log_softmax n x i.
Proof.
  intro Hn. unfold log_softmax.
  rewrite (bsum_ext n _ (fun k => exp (- c) * exp (x k))) by (intros; rewrite <- exp_plus; f_equal; ring).
  rewrite bsum_scal. fold (sumexp n x).
  rewrite ln_mult, ln_exp; auto using exp_pos, sumexp_pos. ring.
Qed.
