(* Functions of one or two numbers applied to every element of a tensor. *)
Require Import Reals Lra Psatz Arith Lia FunctionalExtensionality.
From Coquelicot Require Import Coquelicot.
From Theory Require Import Sums Vjp.
Open Scope R_scope.

Definition map1 (f : R -> R) (x : args) i := f (x 0%nat i).
Definition map1_vjp (df : R -> R) (x : args) (dy : nat -> R) (_ j : nat) := dy j * df (x 0%nat j).
Theorem unary_is_vjp n (D : R -> Prop) f df : (forall x, D x -> is_derive f x (df x)) ->
  is_vjp 1 (sz1 n) n (fun x => forall k, (k < n)%nat -> D (x 0%nat k)) (map1 f) (map1_vjp df).
Proof.
  intros H g g' t0 HP Hg. exists (fun i => g' 0%nat i * df (g t0 0%nat i)). split.
  - intros i Hi. apply (is_derive_comp f (fun t => g t 0%nat i)); [ apply H, HP; exact Hi | apply Hg; auto ].
  - intro dy. simpl. rewrite Rplus_0_l. apply bsum_ext; intros. unfold map1_vjp. ring.
Qed.
Definition add_vjp (_ : args) (dy : nat -> R) (_ j : nat) := dy j.
Theorem add_is_vjp n : is_vjp 2 (sz1 n) n (fun _ => True) (fun x i => x 0%nat i + x 1%nat i) add_vjp.
Proof.
  intros g g' t0 _ Hg. exists (fun i => g' 0%nat i + g' 1%nat i). split.
  - intros i Hi. apply D_plus; apply Hg; auto.
  - intro dy. simpl. rewrite Rplus_0_l. unfold sz1. rewrite <- bsum_plus. apply bsum_ext; intros. unfold add_vjp. ring.
Qed.
Definition mul_vjp (x : args) (dy : nat -> R) (a j : nat) := match a with O => dy j * x 1%nat j | _ => dy j * x 0%nat j end.
Theorem mul_is_vjp n : is_vjp 2 (sz1 n) n (fun _ => True) (fun x i => x 0%nat i * x 1%nat i) mul_vjp.
Proof.
  intros g g' t0 _ Hg. exists (fun i => g' 0%nat i * g t0 1%nat i + g t0 0%nat i * g' 1%nat i). split.
  - intros i Hi. apply D_mult; apply Hg; auto.
  - intro dy. simpl. rewrite Rplus_0_l. unfold sz1. rewrite <- bsum_plus. apply bsum_ext; intros. unfold mul_vjp. ring.
Qed.
