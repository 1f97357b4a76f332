(* Finite sums: bsum n f = f 0 + .. + f (n-1), and what it does under swapping, splitting,
   row-major flattening and differentiation. *)
Require Import Reals Lra Psatz Arith Lia FunctionalExtensionality.
From Coquelicot Require Import Coquelicot.
Open Scope R_scope.

Fixpoint bsum (n : nat) (f : nat -> R) : R :=
  match n with O => 0 | S k => bsum k f + f k end.

Lemma bsum_ext n f g : (forall i, (i < n)%nat -> f i = g i) -> bsum n f = bsum n g.
Proof. induction n; simpl; intro H; [ easy | rewrite IHn, H; auto ]. Qed.
Lemma bsum_plus n f g : bsum n (fun i => f i + g i) = bsum n f + bsum n g.
Proof. induction n; simpl; [ ring | rewrite IHn; ring ]. Qed.
Lemma bsum_minus n f g : bsum n (fun i => f i - g i) = bsum n f - bsum n g.
Proof. induction n; simpl; [ ring | rewrite IHn; ring ]. Qed.
Lemma bsum_scal n c f : bsum n (fun i => c * f i) = c * bsum n f.
Proof. induction n; simpl; [ ring | rewrite IHn; ring ]. Qed.
Lemma bsum_scal_r n c f : bsum n (fun i => f i * c) = bsum n f * c.
Proof. induction n; simpl; [ ring | rewrite IHn; ring ]. Qed.
Lemma bsum_0 n : bsum n (fun _ => 0) = 0.
Proof. induction n; simpl; [ easy | rewrite IHn; ring ]. Qed.
Lemma bsum_const n c : bsum n (fun _ => c) = INR n * c.
Proof. induction n; [ simpl; ring | rewrite S_INR; simpl; rewrite IHn; ring ]. Qed.
Lemma bsum_nonneg n f : (forall i, 0 <= f i) -> 0 <= bsum n f.
Proof. intro H; induction n; simpl; [ lra | specialize (H n); lra ]. Qed.
Lemma bsum_pos n f : (0 < n)%nat -> (forall i, 0 < f i) -> 0 < bsum n f.
Proof.
  intros Hn H. destruct n; [ lia | simpl ].
  assert (0 <= bsum n f) by (apply bsum_nonneg; intro i; specialize (H i); lra).
  specialize (H n); lra.
Qed.
(* v where c holds, else 0 *)
Definition if_ (c : bool) (v : R) : R := if c then v else 0.
Lemma if_mult c v : if_ c v = if_ c 1 * v.
Proof. destruct c; simpl; ring. Qed.
Lemma bsum_swap n m f :
  bsum n (fun i => bsum m (fun j => f i j)) = bsum m (fun j => bsum n (fun i => f i j)).
Proof. induction n; simpl; [ now rewrite bsum_0 | now rewrite IHn, <- bsum_plus ]. Qed.
Lemma bsum_add a b f : bsum (a + b) f = bsum a f + bsum b (fun i => f (a + i)%nat).
Proof.
  induction b; simpl. rewrite Nat.add_0_r; ring.
  rewrite Nat.add_succ_r; simpl; rewrite IHb; ring.
Qed.
(* row-major flattening *)
Lemma bsum_flat M N f :
  bsum (M * N) f = bsum M (fun i => bsum N (fun j => f (i * N + j)%nat)).
Proof.
  induction M; simpl; [ easy | ].
  rewrite Nat.add_comm, bsum_add, IHM. reflexivity.
Qed.
Lemma bsum_one n c (g : nat -> R) : (c < n)%nat ->
  bsum n (fun j => (if Nat.eqb j c then 1 else 0) * g j) = g c.
Proof.
  induction n; intro H; [ lia | simpl ].
  destruct (Nat.eq_dec c n) as [->|E].
  - rewrite Nat.eqb_refl. rewrite (bsum_ext _ _ (fun _ => 0)), bsum_0 by (intros i Hi; destruct (Nat.eqb_spec i n); [ lia | ring ]). ring.
  - rewrite IHn by lia. destruct (Nat.eqb_spec n c); [ lia | ring ].
Qed.
Lemma bsum_derive n (f : R -> nat -> R) f' t0 :
  (forall i, (i < n)%nat -> is_derive (fun t => f t i) t0 (f' i)) ->
  is_derive (fun t => bsum n (f t)) t0 (bsum n f').
Proof.
  induction n; simpl; intro H. apply (is_derive_const 0).
  apply (is_derive_plus (fun t => bsum n (f t)) (fun t => f t n)); auto.
Qed.

Lemma dm_div i n j : (j < n)%nat -> ((i * n + j) / n)%nat = i.
Proof. intro. rewrite Nat.div_add_l, Nat.div_small; lia. Qed.
Lemma dm_mod i n j : (j < n)%nat -> ((i * n + j) mod n)%nat = j.
Proof. intro. rewrite Nat.add_comm, Nat.mod_add, Nat.mod_small; lia. Qed.
