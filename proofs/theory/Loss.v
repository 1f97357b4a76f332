(* Cross entropy of a softmax, and the mean squared error, with their gradients. *)
Require Import Reals Lra Psatz Arith Lia FunctionalExtensionality.
From Coquelicot Require Import Coquelicot.
From Theory Require Import Sums Vjp Softmax.
Open Scope R_scope.

(* ------------------------------------- cross-entropy on softmax, class c *)
Definition cross_entropy n c (x : nat -> R) (_ : nat) := - log_softmax n x c.
Definition cross_entropy_vjp n c (x dy : nat -> R) (j : nat) : R :=
  dy O * (softmax n x j - (if Nat.eqb j c then 1 else 0)).
Theorem cross_entropy_is_vjp n c : (c < n)%nat ->
  is_vjp 1 (sz1 n) 1 (fun _ => True) (fun x => cross_entropy n c (x O)) (fun x dy _ => cross_entropy_vjp n c (x O) dy).
Proof.
  intros Hc g g' t0 _ Hg. assert (Hn : (0 < n)%nat) by lia. set (x := g t0 O).
  exists (fun _ => bsum n (fun k => softmax n x k * g' O k) - g' O c). split.
  - intros i Hi. apply (is_derive_ext (fun t => ln (sumexp n (g t O)) - g t O c)).
    intro t; unfold cross_entropy, log_softmax. change (ln (sumexp n (g t O)) - g t O c = - (g t O c - ln (sumexp n (g t O)))). ring.
    apply D_minus. apply (D_lse n (fun t => g t O)); auto. apply Hg; auto.
  - intro dy. sum1. sum1. unfold sz1, cross_entropy_vjp. fold x.
    rewrite <- (bsum_one n c (fun j => g' O j) Hc), <- bsum_minus, <- bsum_scal.
    apply bsum_ext; intros; ring.
Qed.

(* ----------------------------------------------------------------------- mse *)
Definition mse n (x t : nat -> R) (_ : nat) := / INR n * bsum n (fun i => (x i - t i) * (x i - t i)).
Definition mse_vjp n (x : args) (dy : nat -> R) (a j : nat) : R :=
  match a with O => dy O * (2 / INR n * (x 0%nat j - x 1%nat j)) | _ => - (dy O * (2 / INR n * (x 0%nat j - x 1%nat j))) end.
Theorem mse_is_vjp n : is_vjp 2 (sz1 n) 1 (fun _ => True) (fun x => mse n (x 0%nat) (x 1%nat)) (mse_vjp n).
Proof.
  intros g g' t0 _ Hg.
  exists (fun _ => / INR n * bsum n (fun i => 2 * (g t0 0%nat i - g t0 1%nat i) * (g' 0%nat i - g' 1%nat i))). split.
  - intros i _. eapply D_eq. apply D_mult. apply D_cst.
    apply (bsum_derive n (fun t i => (g t 0%nat i - g t 1%nat i) * (g t 0%nat i - g t 1%nat i))
             (fun i => 2 * (g t0 0%nat i - g t0 1%nat i) * (g' 0%nat i - g' 1%nat i))).
    intros k Hk. eapply D_eq. apply D_mult; apply D_minus; apply Hg; auto. cbv beta. ring. cbv beta. ring.
  - intro dy. simpl. unfold sz1, mse_vjp. rewrite !Rplus_0_l, <- bsum_plus, <- !bsum_scal.
    apply bsum_ext; intros; unfold Rdiv; ring.
Qed.
