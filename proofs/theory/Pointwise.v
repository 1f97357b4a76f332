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

(* What is left to show of a function of one or of two numbers: its derivative, and that its VJP is a
   multiple of g. *)
Theorem map1_is_vjp n (D : R -> Prop) (f : R -> R) (v : R -> R -> R) :
  (forall a, D a -> is_derive f a (v a 1)) -> (forall a g, v a g = g * v a 1) ->
  is_vjp 1 (sz1 n) n (fun x => forall k, (k < n)%nat -> D (x 0%nat k))
    (fun x i => f (x 0%nat i)) (fun x dy _ j => v (x 0%nat j) (dy j)).
Proof.
  intros H L. apply (is_vjp_ext 1 (sz1 n) n _ (map1 f) _ (map1_vjp (fun a => v a 1))).
  - reflexivity.
  - intros x dy a k _ _ _. unfold map1_vjp. symmetry. apply L.
  - now apply unary_is_vjp.
Qed.
Definition derives2 (f : R -> R -> R) (a b da db : R) : Prop := forall (p q : R -> R) (t0 p' q' : R),
  p t0 = a -> q t0 = b -> is_derive p t0 p' -> is_derive q t0 q' ->
  is_derive (fun t => f (p t) (q t)) t0 (da * p' + db * q').
Theorem map2_is_vjp n (D : R -> R -> Prop) (f : R -> R -> R) (va vb : R -> R -> R -> R) :
  (forall a b, D a b -> derives2 f a b (va a b 1) (vb a b 1)) ->
  (forall a b g, va a b g = g * va a b 1) -> (forall a b g, vb a b g = g * vb a b 1) ->
  is_vjp 2 (sz1 n) n (fun x => forall k, (k < n)%nat -> D (x 0%nat k) (x 1%nat k))
    (fun x i => f (x 0%nat i) (x 1%nat i))
    (fun x dy a j => match a with O => va (x 0%nat j) (x 1%nat j) (dy j)
                                | _ => vb (x 0%nat j) (x 1%nat j) (dy j) end).
Proof.
  intros H La Lb g g' t0 HP Hg.
  exists (fun i => va (g t0 0%nat i) (g t0 1%nat i) 1 * g' 0%nat i + vb (g t0 0%nat i) (g t0 1%nat i) 1 * g' 1%nat i).
  split.
  - intros i Hi. apply (H _ _ (HP i Hi)); auto; apply Hg; auto.
  - intro dy. simpl. rewrite Rplus_0_l. unfold sz1. rewrite <- bsum_plus. apply bsum_ext; intros i _.
    rewrite (La _ _ (dy i)), (Lb _ _ (dy i)). ring.
Qed.

(* A function has the derivative of another that it equals around the point. *)
Lemma derive_near (f h : R -> R) (a d : R) : locally a (fun y => h y = f y) -> is_derive h a d -> is_derive f a d.
Proof. apply is_derive_ext_loc. Qed.
Lemma below_is_open a c : a < c -> locally a (fun y : R => y < c).
Proof. apply (open_lt c a). Qed.
Lemma above_is_open a c : c < a -> locally a (fun y : R => c < y).
Proof. apply (open_gt c a). Qed.
Lemma curve_below (p q : R -> R) (t0 p' q' : R) : is_derive p t0 p' -> is_derive q t0 q' -> p t0 < q t0 ->
  locally t0 (fun t => p t < q t).
Proof.
  intros Hp Hq H. assert (C : continuous (fun t => q t - p t) t0).
  { apply (ex_derive_continuous (fun t => q t - p t)). eexists. apply (D_minus q p t0 q' p' Hq Hp). }
  assert (P : 0 < q t0 - p t0) by lra.
  specialize (C _ (open_gt 0 _ P)). unfold filtermap in C. revert C. apply filter_imp. intros t Ht. lra.
Qed.
