(* Positions in a tensor of any rank. Its shape is s 0 .. s (n-1); the element at the indices
   i 0 .. i (n-1) is at the position whose digits they are, in mixed radix. *)
Require Import Arith Lia.

Fixpoint dims_count (s : nat -> nat) n := match n with O => 1 | S d => dims_count s d * s d end.
Fixpoint dims_index (s : nat -> nat) n k d : nat :=
  match n with O => 0 | S m => if Nat.eqb d m then k mod s m else dims_index s m (k / s m) d end.
Fixpoint dims_at (s : nat -> nat) n (i : nat -> nat) : nat :=
  match n with O => 0 | S d => dims_at s d i * s d + i d end.

Lemma dims_at_ext s s' n i i' : (forall d, d < n -> s d = s' d /\ i d = i' d)
  -> dims_at s n i = dims_at s' n i'.
Proof.
  induction n; intro H; [ reflexivity |]. simpl. rewrite IHn by (intros; apply H; lia).
  destruct (H n) as [-> ->]; [ lia | reflexivity ].
Qed.
Lemma dims_at_below s n i : (forall d, d < n -> i d < s d) -> dims_at s n i < dims_count s n.
Proof.
  induction n; intro H; simpl; [ lia |]. assert (A := IHn ltac:(intros; apply H; lia)).
  assert (B := H n ltac:(lia)). nia.
Qed.
Lemma dims_below s n k m : k < dims_count s n * m -> m <> 0 -> k / m < dims_count s n.
Proof. intros H M. apply Nat.div_lt_upper_bound; [ exact M | nia ]. Qed.
Lemma dims_index_below s n k d : k < dims_count s n -> d < n -> dims_index s n k d < s d.
Proof.
  revert k. induction n; intros k Hk Hd; [ lia |]. simpl in *. assert (s n <> 0) by nia.
  destruct (Nat.eqb_spec d n) as [->|E]; [ now apply Nat.mod_upper_bound |].
  apply IHn; [ now apply dims_below | lia ].
Qed.
Lemma dims_at_index s n k : k < dims_count s n -> dims_at s n (dims_index s n k) = k.
Proof.
  revert k. induction n; intros k Hk; simpl in *; [ lia |]. assert (s n <> 0) by nia.
  rewrite Nat.eqb_refl.
  rewrite (dims_at_ext s s n _ (dims_index s n (k / s n))).
  - rewrite IHn by now apply dims_below. rewrite (Nat.mul_comm (k / s n)). symmetry.
      now apply Nat.div_mod.
  - intros d Hd. split; auto. destruct (Nat.eqb_spec d n); [ lia | reflexivity ].
Qed.
Lemma dims_index_at s n i d : (forall e, e < n -> i e < s e)
  -> d < n -> dims_index s n (dims_at s n i) d = i d.
Proof.
  revert d. induction n; intros d Hi Hd; [ lia |]. simpl. assert (B := Hi n ltac:(lia)).
  destruct (Nat.eqb_spec d n) as [->|E].
  - rewrite Nat.add_comm, Nat.mod_add, Nat.mod_small; lia.
  - rewrite Nat.div_add_l, Nat.div_small, Nat.add_0_r by lia. apply IHn; [ intros; apply Hi;
      lia | lia ].
Qed.
