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

(* ---------- the mean of the cross entropies of the rows of a matrix, row r being of class c r *)
Definition mean_cross_entropy nr n (c : nat -> nat) (x : nat -> R) (_ : nat) :=
  bsum nr (fun r => cross_entropy n (c r) (fun k => x (r * n + k)%nat) O) / INR nr.
Definition mean_cross_entropy_vjp nr n (c : nat -> nat) (x dy : nat -> R) (q : nat) : R :=
  dy O / INR nr * (softmax n (fun k => x (q / n * n + k)%nat) (q mod n)%nat - (if Nat.eqb (q mod n) (c (q / n)%nat) then 1 else 0)).
Theorem mean_cross_entropy_is_vjp nr n c : (forall r, (r < nr)%nat -> (c r < n)%nat) ->
  is_vjp 1 (sz1 (nr * n)) 1 (fun _ => True) (fun x => mean_cross_entropy nr n c (x O))
    (fun x dy _ => mean_cross_entropy_vjp nr n c (x O) dy).
Proof.
  intros Hc g g' t0 _ Hg. set (x := g t0 O).
  set (d := fun r => bsum n (fun k => softmax n (fun k => x (r * n + k)%nat) k * g' O (r * n + k)%nat) - g' O (r * n + c r)%nat).
  assert (In : forall r k, (r < nr)%nat -> (k < n)%nat -> (r * n + k < nr * n)%nat) by (intros; nia).
  exists (fun _ => bsum nr d * / INR nr). split.
  - intros i Hi. eapply D_eq. apply D_mult; [| apply D_cst ].
    apply (bsum_derive nr (fun t r => cross_entropy n (c r) (fun k => g t O (r * n + k)%nat) O) d).
    + intros r Hr. assert (Hn : (0 < n)%nat) by (specialize (Hc r Hr); lia).
      apply (is_derive_ext (fun t => ln (sumexp n (fun k => g t O (r * n + k)%nat)) - g t O (r * n + c r)%nat)).
      intro t; unfold cross_entropy, log_softmax. over_reals. ring.
      apply D_minus; [| apply Hg; [ auto | apply In; auto ] ].
      apply (D_lse n (fun t k => g t O (r * n + k)%nat) (fun k => g' O (r * n + k)%nat) t0 Hn).
      intros k Hk. apply Hg; [ auto | now apply In ].
    + cbv beta. ring.
  - intro dy. cbn [bsum]. rewrite !Rplus_0_l. unfold sz1, mean_cross_entropy_vjp. fold x. rewrite bsum_flat.
    transitivity (bsum nr (fun r => dy O / INR nr * d r)); [ rewrite bsum_scal; unfold Rdiv; ring |].
    apply bsum_ext; intros r Hr. unfold d. rewrite <- (bsum_one n (c r) (fun k => g' O (r * n + k)%nat)) by auto.
    rewrite <- bsum_minus, <- bsum_scal. apply bsum_ext; intros k Hk. rewrite (dm_div r n k Hk), (dm_mod r n k Hk). ring.
Qed.
