(* Windows over cells, of spec/window.h: which cell a tap reads, in natural numbers. *)
Require Import Reals Lra Psatz ZArith Lia Arith.
From Coquelicot Require Import Coquelicot.
From Theory Require Import Sums Meaning.
Open Scope R_scope.

Definition cells_of (w : W_window) : nat := Z.to_nat (W_window'cells w).
Definition outs_of (w : W_window) : nat := Z.to_nat (W_window'outs w).
Definition taps_of (w : W_window) : nat := Z.to_nat (W_window'taps w).
(* whether tap u of output t reads a cell, and which *)
Definition reads (w : W_window) (t u : nat) : bool := Z.leb 0 (L_Cell w (Z.of_nat t) (Z.of_nat u)).
Definition read_from (w : W_window) (t u : nat) : nat := Z.to_nat (L_Cell w (Z.of_nat t) (Z.of_nat u)).

Lemma placed_counts w : P_Placed w -> W_window'cells w = Z.of_nat (cells_of w) /\
  W_window'outs w = Z.of_nat (outs_of w) /\ W_window'taps w = Z.of_nat (taps_of w) /\
  (0 < taps_of w)%nat.
Proof. unfold P_Placed, cells_of, outs_of, taps_of. cbv zeta. intro H. rewrite !Z2Nat.id by lia. lia. Qed.
Lemma cells_next w (m : nat) : L_Cells w (Z.of_nat (S m)) =
  (W_window'size w (-1 * (1 + Z.of_nat m) + W_window'rank w) * L_Cells w (Z.of_nat m))%Z.
Proof. unfold L_Cells. rewrite !Nat2Z.id. cbn [nat_rect]. unfold L_ix at 1. lia. Qed.
Lemma source_next w t u (m : nat) : let e := (-1 * (1 + Z.of_nat m) + W_window'rank w)%Z in
  let p := L_PlaceOf w t u (1 + Z.of_nat m) in let c := L_Source w t u (Z.of_nat m) in
  L_Source w t u (Z.of_nat (S m)) = if Z_lt_dec p 0 then (-1)%Z
    else if Z_le_dec (W_window'size w e) p then (-1)%Z else if Z_lt_dec c 0 then (-1)%Z
    else L_ix p (L_Cells w (Z.of_nat m)) c.
Proof. cbv zeta. unfold L_Source. now rewrite !Nat2Z.id. Qed.
Lemma source_within w t u (m : nat) : L_Source w t u (Z.of_nat m) = (-1)%Z \/
  (0 <= L_Source w t u (Z.of_nat m) < L_Cells w (Z.of_nat m))%Z.
Proof.
  induction m; [ right; unfold L_Source, L_Cells; simpl; lia |]. rewrite cells_next, source_next. cbv zeta.
  destruct (Z_lt_dec (L_PlaceOf _ _ _ _) 0) as [A|A]; [ now left |].
  destruct (Z_le_dec _ _) as [B|B]; [ now left |].
  destruct (Z_lt_dec _ 0) as [C|C]; [ now left |]. right.
  destruct IHm as [E|E]; [ rewrite E in C; lia |]. unfold L_ix. nia.
Qed.
Lemma cell_within w t u : P_Placed w -> L_Cell w t u = (-1)%Z \/ (0 <= L_Cell w t u < W_window'cells w)%Z.
Proof.
  intro H. assert (W : (0 < W_window'rank w)%Z /\ W_window'cells w = L_Cells w (W_window'rank w))
    by (unfold P_Placed in H; cbv zeta in H; tauto).
  destruct W as [R ->]. unfold L_Cell. rewrite <- (Z2Nat.id (W_window'rank w)) by lia. apply source_within.
Qed.
Lemma cell_is w t u : reads w t u = true -> L_Cell w (Z.of_nat t) (Z.of_nat u) = Z.of_nat (read_from w t u).
Proof. unfold reads, read_from. intro H. apply Z.leb_le in H. now rewrite Z2Nat.id. Qed.
Lemma no_cell_is w t u : reads w t u = false -> (L_Cell w (Z.of_nat t) (Z.of_nat u) < 0)%Z.
Proof. unfold reads. intro H. now apply Z.leb_gt in H. Qed.
Lemma read_below w t u : P_Placed w -> reads w t u = true -> (read_from w t u < cells_of w)%nat.
Proof.
  intros H E. assert (C := cell_within w (Z.of_nat t) (Z.of_nat u) H). rewrite (cell_is w t u E) in C.
  destruct (placed_counts w H) as [A _]. rewrite A in C. lia.
Qed.
(* that a tap reads cell j *)
Lemma cell_meets (A : Type) w t u j (a b : A) :
  (if Z.eq_dec (L_Cell w (Z.of_nat t) (Z.of_nat u)) (Z.of_nat j) then a else b) =
  if (reads w t u && Nat.eqb j (read_from w t u))%bool then a else b.
Proof.
  destruct (reads w t u) eqn:E; cbn [andb].
  - rewrite (cell_is w t u E). destruct (Nat.eqb_spec j (read_from w t u)), (Z.eq_dec _ _); auto; lia.
  - assert (H := no_cell_is w t u E). destruct (Z.eq_dec _ _); [ lia | reflexivity ].
Qed.
Lemma cell_read (A : Type) w t u (a b : A) :
  (if Z_lt_dec (L_Cell w (Z.of_nat t) (Z.of_nat u)) 0 then a else b) = if reads w t u then b else a.
Proof.
  destruct (reads w t u) eqn:E.
  - rewrite (cell_is w t u E). destruct (Z_lt_dec _ _); [ lia | reflexivity ].
  - assert (H := no_cell_is w t u E). destruct (Z_lt_dec _ _); [ reflexivity | lia ].
Qed.
