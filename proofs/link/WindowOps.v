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

(* The other way: the output that reads a cell by a tap. Reader of spec/conv.h finds it, axis by axis. *)
Lemma positive_quo a b : (0 <= a)%Z -> (0 < b)%Z -> L_quo a b = (a / b)%Z.
Proof. intros. unfold L_quo. now apply Z.quot_div_nonneg. Qed.
Lemma positive_rem a b : (0 <= a)%Z -> (0 < b)%Z -> L_rem a b = (a mod b)%Z.
Proof. intros. unfold L_rem. now apply Z.rem_mod_nonneg. Qed.
Lemma turn_within out s r : L_Turn out s r = (-1)%Z \/ (0 <= L_Turn out s r < out)%Z.
Proof.
  unfold L_Turn. destruct (Z.eq_dec _ _); [| now left ]. destruct (Z_lt_dec r 0); [ now left |].
  destruct (Z_lt_dec _ 0); [ now left |]. destruct (Z_le_dec out _); [ now left | right; lia ].
Qed.
Lemma turn_is out s d r : (0 < s)%Z -> (0 <= d < out)%Z -> L_Turn out s r = d <-> r = (d * s)%Z.
Proof.
  intros Hs Hd. unfold L_Turn, L_quo, L_rem. split.
  - assert (E := Z.quot_rem' r s). destruct (Z.eq_dec _ _); [| lia ]. destruct (Z_lt_dec r 0); [ lia |].
    destruct (Z_lt_dec _ 0); [ lia |]. destruct (Z_le_dec out _); [ lia |]. intros <-. lia.
  - intros ->. rewrite Z.rem_mul, Z.quot_mul by lia. destruct (Z.eq_dec 0 0) as [_|N]; [| lia ].
    destruct (Z_lt_dec (d * s) 0); [ nia |]. destruct (Z_lt_dec d 0); [ lia |]. destruct (Z_le_dec out d); lia.
Qed.
Definition axis_at (w : W_window) (m : nat) : Z := (-1 * (1 + Z.of_nat m) + W_window'rank w)%Z.
Lemma outs_next w (m : nat) : L_Outs w (Z.of_nat (S m)) = (W_window'out w (axis_at w m) * L_Outs w (Z.of_nat m))%Z.
Proof. unfold L_Outs. rewrite !Nat2Z.id. cbn [nat_rect]. unfold L_ix at 1, axis_at. lia. Qed.
Lemma out_rest_next w t (m : nat) : L_OutRest w t (Z.of_nat (S m)) =
  L_quo (L_OutRest w t (Z.of_nat m)) (W_window'out w (axis_at w m)).
Proof. unfold L_OutRest. now rewrite !Nat2Z.id. Qed.
Lemma cell_rest_next w t (m : nat) : L_CellRest w t (Z.of_nat (S m)) =
  L_quo (L_CellRest w t (Z.of_nat m)) (W_window'size w (axis_at w m)).
Proof. unfold L_CellRest. now rewrite !Nat2Z.id. Qed.
Lemma target_next w j u (m : nat) : let p := L_TurnOf w j u (1 + Z.of_nat m) in
  let c := L_Target_2_ w j u (Z.of_nat m) in L_Target_2_ w j u (Z.of_nat (S m)) =
  if Z_lt_dec p 0 then (-1)%Z else if Z_lt_dec c 0 then (-1)%Z else L_ix p (L_Outs w (Z.of_nat m)) c.
Proof. cbv zeta. unfold L_Target_2_. now rewrite !Nat2Z.id. Qed.
Lemma target_within w j u (m : nat) : L_Target_2_ w j u (Z.of_nat m) = (-1)%Z \/
  (0 <= L_Target_2_ w j u (Z.of_nat m) < L_Outs w (Z.of_nat m))%Z.
Proof.
  induction m; [ right; unfold L_Target_2_, L_Outs; simpl; lia |]. rewrite outs_next, target_next. cbv zeta.
  destruct (Z_lt_dec _ 0) as [A|A]; [ now left |]. destruct (Z_lt_dec _ 0) as [C|C]; [ now left |]. right.
  destruct IHm as [E|E]; [ rewrite E in C; lia |].
  assert (U : L_TurnOf w j u (1 + Z.of_nat m) = (-1)%Z \/
    (0 <= L_TurnOf w j u (1 + Z.of_nat m) < W_window'out w (axis_at w m))%Z) by apply turn_within.
  unfold L_ix. nia.
Qed.
Lemma two_digits n a b c d : (0 <= b < n)%Z -> (0 <= d < n)%Z -> (a * n + b = c * n + d)%Z -> a = c /\ b = d.
Proof. intros. assert (a = c) by nia. subst. lia. Qed.
Lemma reader_by_axis w t j u (m : nat) : P_Placed w -> (Z.of_nat m <= W_window'rank w)%Z -> (0 <= t)%Z -> (0 <=
    j)%Z ->
  (0 < L_Outs w (Z.of_nat m))%Z -> (0 < L_Cells w (Z.of_nat m))%Z ->
  L_OutRest w t (Z.of_nat m) = (t / L_Outs w (Z.of_nat m))%Z /\
  L_CellRest w j (Z.of_nat m) = (j / L_Cells w (Z.of_nat m))%Z /\
  (L_Source w t u (Z.of_nat m) = (j mod L_Cells w (Z.of_nat m))%Z <->
   L_Target_2_ w j u (Z.of_nat m) = (t mod L_Outs w (Z.of_nat m))%Z).
Proof.
  intros W Hm Ht Hj. induction m as [|m IHm].
  { intros _ _. change (L_Outs w (Z.of_nat 0)) with 1%Z. change (L_Cells w (Z.of_nat 0)) with 1%Z.
    change (L_Source w t u (Z.of_nat 0)) with 0%Z. change (L_Target_2_ w j u (Z.of_nat 0)) with 0%Z.
    rewrite !Z.div_1_r, !Z.mod_1_r. now repeat split. }
  rewrite outs_next, cells_next. fold (axis_at w m). set (e := axis_at w m).
  assert (E : (0 <= W_window'out w e /\ 0 <= W_window'size w e /\ 0 < W_window'stride w e)%Z).
  { unfold P_Placed in W. cbv zeta in W. destruct W as [_ W]. specialize (W e).
    unfold P_Axis in W. unfold e, axis_at in *. assert (0 <= -1 * (1 + Z.of_nat m) + W_window'rank w)%Z by lia.
    assert (-1 * (1 + Z.of_nat m) + W_window'rank w < W_window'rank w)%Z by lia. intuition lia. }
  destruct E as [Eo [Es Ed]]. intros Ho Hc.
  destruct IHm as [A [B C]]; [ lia | nia | nia |].
  assert (S := source_within w t u m). assert (T := target_within w j u m).
  set (O := L_Outs w (Z.of_nat m)) in *. set (N := L_Cells w (Z.of_nat m)) in *.
  assert (O0 : (0 < O)%Z) by nia. assert (N0 : (0 < N)%Z) by nia.
  set (out := W_window'out w e) in *. set (size := W_window'size w e) in *.
  assert (out0 : (0 < out)%Z) by nia. assert (size0 : (0 < size)%Z) by nia.
  assert (TO := Z.div_pos t O Ht O0). assert (JN := Z.div_pos j N Hj N0).
  rewrite out_rest_next, cell_rest_next, A, B. fold e out size. rewrite !positive_quo, !Zdiv.Zdiv_Zdiv by lia.
  rewrite (Z.mul_comm out O), (Z.mul_comm size N). split; [ reflexivity |]. split; [ reflexivity |].
  rewrite !Z.rem_mul_r by lia. rewrite source_next, target_next. cbv zeta.
  assert (P : L_PlaceOf w t u (1 + Z.of_nat m) = (((t / O) mod out) * W_window'stride w e +
    (L_ix (L_rem (L_TapRest w u (Z.of_nat m)) (W_window'kernel w e)) (W_window'dilation w e) 0 - W_window'pad w
        e))%Z).
  { unfold L_PlaceOf, L_Place. cbv zeta. change (Z.opp 1) with (-1)%Z. fold (axis_at w m). fold e out. replace (-1
      + (1 + Z.of_nat m))%Z with (Z.of_nat m) by lia.
    rewrite A, positive_rem by lia. unfold L_ix at 1. lia. }
  assert (Q : L_TurnOf w j u (1 + Z.of_nat m) = L_Turn out (W_window'stride w e) ((j / N) mod size -
    (L_ix (L_rem (L_TapRest w u (Z.of_nat m)) (W_window'kernel w e)) (W_window'dilation w e) 0 - W_window'pad w e))).
  { unfold L_TurnOf. cbv zeta. change (Z.opp 1) with (-1)%Z. fold (axis_at w m). fold e out size. replace (-1 + (1
      + Z.of_nat m))%Z with (Z.of_nat m) by lia.
    rewrite B, positive_rem by lia. f_equal. lia. }
  fold (axis_at w m). fold e size. rewrite P, Q. set (D := (L_ix _ _ 0 - W_window'pad w e)%Z).
  set (dt := ((t / O) mod out)%Z). set (dj := ((j / N) mod size)%Z).
  assert (Dt := Z.mod_pos_bound (t / O) out out0). assert (Dj := Z.mod_pos_bound (j / N) size size0).
  assert (Mt := Z.mod_pos_bound t O O0). assert (Mj := Z.mod_pos_bound j N N0). fold dt in Dt. fold dj in Dj.
  assert (X := turn_is out (W_window'stride w e) dt (dj - D) Ed Dt). assert (Y := turn_within out (W_window'stride
      w e) (dj - D)).
  set (turn := L_Turn _ _ _) in *. unfold L_ix. fold O N. split.
  - destruct (Z_lt_dec _ 0); [ nia |]. destruct (Z_le_dec size _); [ nia |]. destruct (Z_lt_dec _ 0); [ nia |].
    intro H. destruct S as [S|S]; [ lia |].
    destruct (two_digits N (dt * W_window'stride w e + D) (L_Source w t u (Z.of_nat m)) dj (j mod N)) as [H1 H2]; [
        lia | lia | lia |].
    assert (H3 : turn = dt) by (apply X; lia). apply C in H2. rewrite H3, H2.
    destruct (Z_lt_dec dt 0); [ lia |]. destruct (Z_lt_dec _ 0); lia.
  - destruct (Z_lt_dec turn 0); [ nia |]. destruct (Z_lt_dec _ 0); [ nia |].
    intro H. destruct T as [T|T]; [ lia |].
    destruct (two_digits O turn (L_Target_2_ w j u (Z.of_nat m)) dt (t mod O)) as [H1 H2]; [ lia | lia | lia |].
    apply X in H1. apply C in H2. rewrite H2. replace (dt * W_window'stride w e + D)%Z with dj by lia.
    destruct (Z_lt_dec dj 0); [ lia |]. destruct (Z_le_dec size dj); [ lia |]. destruct (Z_lt_dec _ 0); lia.
Qed.
Lemma reader_is w t j u : P_Placed w -> (0 <= t < W_window'outs w)%Z -> (0 <= j < W_window'cells w)%Z ->
  L_Cell w t u = j <-> L_Reader w j u = t.
Proof.
  intros W Ht Hj. assert (W' := W). unfold P_Placed in W'. cbv zeta in W'.
  destruct W' as [[[[[[[[[[[Ec Eo] _] Hr] _] _] _] _] _] _] _] _].
  unfold L_Cell, L_Reader. destruct (Z_le_dec _ 0); [ lia |]. rewrite Ec in Hj. rewrite Eo in Ht.
  rewrite <- (Z2Nat.id (W_window'rank w)) in * by lia.
  destruct (reader_by_axis w t j u (Z.to_nat (W_window'rank w)) W) as [_ [_ R]]; try lia.
  now rewrite (Z.mod_small j), (Z.mod_small t) in R by lia.
Qed.
Lemma reader_within w j u : P_Placed w -> L_Reader w j u = (-1)%Z \/ (0 <= L_Reader w j u < W_window'outs w)%Z.
Proof.
  intro W. unfold P_Placed in W. cbv zeta in W. destruct W as [[[[[[[[[[[_ Eo] _] Hr] _] _] _] _] _] _] _] _].
  unfold L_Reader. destruct (Z_le_dec _ 0); [ now left |]. rewrite Eo.
  rewrite <- (Z2Nat.id (W_window'rank w)) by lia. apply target_within.
Qed.
(* so a sum over all outputs and taps that read cell j has one term for each tap *)
Lemma by_reader w (f : nat -> nat -> R) j : P_Placed w -> (j < cells_of w)%nat ->
  bsum (outs_of w) (fun t => bsum (taps_of w) (fun u => if_ (reads w t u && Nat.eqb j (read_from w t u)) (f t u))) =
  bsum (taps_of w) (fun u => if Z_lt_dec (L_Reader w (Z.of_nat j) (Z.of_nat u)) 0 then 0
    else f (Z.to_nat (L_Reader w (Z.of_nat j) (Z.of_nat u))) u).
Proof.
  intros W Hj. destruct (placed_counts w W) as [Ec [Eo _]]. rewrite bsum_swap. apply bsum_ext; intros u _.
  assert (M : forall t, (t < outs_of w)%nat -> if_ (reads w t u && Nat.eqb j (read_from w t u)) (f t u) =
    if Z.eq_dec (L_Reader w (Z.of_nat j) (Z.of_nat u)) (Z.of_nat t) then f t u else 0).
  { intros t Ht. unfold if_. rewrite <- cell_meets.
    assert (R := reader_is w (Z.of_nat t) (Z.of_nat j) (Z.of_nat u) W ltac:(lia) ltac:(lia)).
    destruct (Z.eq_dec _ _), (Z.eq_dec (L_Reader _ _ _) _); tauto || reflexivity. }
  rewrite (bsum_ext (outs_of w) _ _ M). destruct (reader_within w (Z.of_nat j) (Z.of_nat u) W) as [R|R].
  - rewrite R. destruct (Z_lt_dec (-1) 0); [| lia ]. rewrite (bsum_ext _ _ (fun _ => 0)), bsum_0; auto.
    intros t _. destruct (Z.eq_dec _ _); [ lia | reflexivity ].
  - destruct (Z_lt_dec _ 0); [ lia |]. set (r := Z.to_nat _).
    rewrite <- (bsum_one (outs_of w) r (fun t => f t u)) by (unfold r; lia).
    apply bsum_ext; intros t _. destruct (Nat.eqb_spec t r) as [->|N], (Z.eq_dec _ _) as [E|E]; unfold r in *; try
        ring; lia.
Qed.
