(* conv and conv_transpose of spec/conv.h, by groups, over a batch and with a bias: the VJP of each is what the
   other does, as Reader finds the outputs that Cell says read a cell. *)
Require Import Reals Lra Psatz ZArith Lia Arith.
From Coquelicot Require Import Coquelicot.
From Theory Require Import Sums Vjp Linear Conv Rows Layout Meaning Memory MoveOps WindowOps.
Open Scope R_scope.

Definition batch_of (c : W_conv_shape) : nat := Z.to_nat (W_conv_shape'batch c).
Definition groups_of (c : W_conv_shape) : nat := Z.to_nat (W_conv_shape'groups c).
Definition in_of (c : W_conv_shape) : nat := Z.to_nat (W_conv_shape'in c).
Definition out_of (c : W_conv_shape) : nat := Z.to_nat (W_conv_shape'out c).

(* the element at e of four nested indices *)
Lemma nested a b c d e : (e < a * (b * (c * d)))%nat -> exists n g o t, (n < a)%nat /\ (g < b)%nat /\ (o < c)%nat /\
  (t < d)%nat /\ e = (((n * b + g) * c + o) * d + t)%nat.
Proof.
  intro H. destruct (flat_index a (b * (c * d)) e H) as [n [r [Hn [Hr [-> _]]]]].
  destruct (flat_index b (c * d) r Hr) as [g [s [Hg [Hs [-> _]]]]].
  destruct (flat_index c d s Hs) as [o [t [Ho [Ht [-> _]]]]]. exists n, g, o, t. repeat split; auto. ring.
Qed.

Lemma first_at u v i : memory (tensors2 u v) (W_shift (ptr 0) (Z.of_nat i)) = u i.
Proof. exact (mem_at (tensors2 u v) 0 i). Qed.
Lemma second_at u v i : memory (tensors2 u v) (W_shift (ptr 1) (Z.of_nat i)) = v i.
Proof. exact (mem_at (tensors2 u v) 1 i). Qed.

Section Shape.
Variables (c : W_conv_shape) (M : W_addr -> R).
Hypothesis shaped : P_ConvShape c.
Definition shape_all : args -> nat -> R := conv_all (groups_of c) (in_of c) (out_of c) (cells_of (W_conv_shape'w c))
  (outs_of (W_conv_shape'w c)) (taps_of (W_conv_shape'w c)) (reads (W_conv_shape'w c)) (read_from (W_conv_shape'w c)).
Definition shape_transpose : args -> nat -> R := conv_transpose_all (groups_of c) (in_of c) (out_of c)
  (cells_of (W_conv_shape'w c)) (outs_of (W_conv_shape'w c)) (taps_of (W_conv_shape'w c)) (reads (W_conv_shape'w c))
  (read_from (W_conv_shape'w c)).
Lemma shape_counts : W_conv_shape'batch c = Z.of_nat (batch_of c) /\ W_conv_shape'groups c = Z.of_nat (groups_of c) /\
  W_conv_shape'in c = Z.of_nat (in_of c) /\ W_conv_shape'out c = Z.of_nat (out_of c) /\ P_Placed (W_conv_shape'w c).
Proof.
  assert (H := shaped). unfold P_ConvShape, P_SideFits in H. cbv zeta in H.
  change (L_Channels 0 c) with (W_conv_shape'in c) in H. change (L_Channels 1 c) with (W_conv_shape'out c) in H.
  unfold batch_of, groups_of, in_of, out_of. rewrite !Z2Nat.id; tauto || lia.
Qed.
Lemma line_place side q a : L_LineAt side c (Z.of_nat q) (Z.of_nat a) = Z.of_nat (if Z.eq_dec side 0
  then (q * in_of c + a) * cells_of (W_conv_shape'w c) else (q * out_of c + a) * outs_of (W_conv_shape'w c)).
Proof.
  destruct shape_counts as [_ [_ [I [O W]]]]. destruct (placed_counts _ W) as [N [T _]].
  unfold L_LineAt, L_Channels, L_Length. destruct (Z.eq_dec side 0).
  - rewrite I, N, ix_is. change 0%Z with (Z.of_nat 0). rewrite ix_is. lia.
  - rewrite O, T, ix_is. change 0%Z with (Z.of_nat 0). rewrite ix_is. lia.
Qed.
Lemma kernel_place side g a b : L_KernelAt side c (Z.of_nat g) (Z.of_nat a) (Z.of_nat b) =
  Z.of_nat ((if Z.eq_dec side 0 then (g * out_of c + a) * in_of c + b else (g * out_of c + b) * in_of c + a) *
    taps_of (W_conv_shape'w c)).
Proof.
  destruct shape_counts as [_ [_ [I [O W]]]]. destruct (placed_counts _ W) as [_ [_ [K _]]].
  unfold L_KernelAt. rewrite I, O, K. destruct (Z.eq_dec side 0); change 0%Z with (Z.of_nat 0); rewrite !ix_is;
      f_equal; ring.
Qed.
(* an element of the outputs, by a convolution *)
Lemma conv_at_is z k (x w : nat -> R) e : (e < batch_of c * (groups_of c * (out_of c * outs_of (W_conv_shape'w
    c))))%nat ->
  (forall i, M (W_shift z (Z.of_nat i)) = x i) -> (forall i, M (W_shift k (Z.of_nat i)) = w i) ->
  L_ConvAt M 0 0 z k c (Z.of_nat e) = shape_all (both_of x w) e.
Proof.
  intros He Hx Hw. destruct (nested _ _ _ _ _ He) as [n [g [o [t [Hn [Hg [Ho [Ht ->]]]]]]]].
  unfold shape_all. rewrite conv_all_at by assumption. destruct shape_counts as [_ [G [I [O W]]]].
  destruct (placed_counts _ W) as [_ [T [_ K0]]].
  unfold L_ConvAt. cbv zeta. change (L_Other 0) with 1%Z. change (L_Length 1 c) with (W_window'outs (W_conv_shape'w
      c)).
  change (L_Channels 1 c) with (W_conv_shape'out c). change (L_Channels 0 c) with (W_conv_shape'in c).
  rewrite T, O, !quo_is, !rem_is by lia. rewrite (dm_div _ _ t Ht), (dm_mod _ _ t Ht), (dm_div _ _ o Ho), (dm_mod _
      _ o Ho).
  unfold L_ConvSum. fold (in_of c). apply bsum_ext; intros b _.
  rewrite line_place, G, rem_is, (dm_mod n _ g Hg), kernel_place by lia. destruct (Z.eq_dec 0 0) as [_|N]; [| now
      contradiction N ].
  unfold L_ConvTaps. fold (taps_of (W_conv_shape'w c)). apply bsum_ext; intros u _.
  change (L_Meet 0 (W_conv_shape'w c)) with (L_Cell (W_conv_shape'w c)). rewrite cell_read.
  destruct (reads (W_conv_shape'w c) t u) eqn:E; [| reflexivity ]. rewrite (cell_is _ t u E), <- !Nat2Z.inj_add,
      Hx, Hw.
  unfold L_ConvTerm, L_rmul, if_, both_of. destruct (Z.eq_dec 0 0) as [_|N]; [| now contradiction N ]. do 2
      f_equal. ring.
Qed.
(* a cell, by a transposed convolution *)
Lemma conv_back_is z k (y w : nat -> R) e : (e < batch_of c * (groups_of c * (in_of c * cells_of (W_conv_shape'w
    c))))%nat ->
  (forall i, M (W_shift z (Z.of_nat i)) = y i) -> (forall i, M (W_shift k (Z.of_nat i)) = w i) ->
  L_ConvAt M 0 1 z k c (Z.of_nat e) = shape_transpose (both_of y w) e.
Proof.
  intros He Hy Hw. destruct (nested _ _ _ _ _ He) as [n [g [a [v [Hn [Hg [Ha [Hv ->]]]]]]]].
  unfold shape_transpose. rewrite conv_transpose_all_at by assumption. destruct shape_counts as [_ [G [I [O W]]]].
  destruct (placed_counts _ W) as [N [_ [_ K0]]].
  unfold L_ConvAt. cbv zeta. change (L_Other 1) with 0%Z. change (L_Length 0 c) with (W_window'cells
      (W_conv_shape'w c)).
  change (L_Channels 1 c) with (W_conv_shape'out c). change (L_Channels 0 c) with (W_conv_shape'in c).
  rewrite N, I, !quo_is, !rem_is by lia. rewrite (dm_div _ _ v Hv), (dm_mod _ _ v Hv), (dm_div _ _ a Ha), (dm_mod _
      _ a Ha).
  unfold L_ConvSum. fold (out_of c). apply bsum_ext; intros o _.
  rewrite (by_reader (W_conv_shape'w c) (fun t u => both_of y w 0%nat (((n * groups_of c + g) * out_of c + o) *
    outs_of (W_conv_shape'w c) + t)%nat * both_of y w 1%nat (((g * out_of c + o) * in_of c + a) *
    taps_of (W_conv_shape'w c) + u)%nat) v W Hv).
  rewrite line_place, G, rem_is, (dm_mod n _ g Hg), kernel_place by lia. destruct (Z.eq_dec 1 0) as [F|_]; [
      discriminate F |].
  unfold L_ConvTaps. fold (taps_of (W_conv_shape'w c)). apply bsum_ext; intros u _.
  change (L_Meet 1 (W_conv_shape'w c)) with (L_Reader (W_conv_shape'w c)).
  destruct (Z_lt_dec _ 0) as [_|R0]; [ reflexivity |]. set (r := L_Reader _ _ _) in *.
  rewrite <- (Z2Nat.id r) at 1 by lia. rewrite <- !Nat2Z.inj_add, Hy, Hw.
  unfold L_ConvTerm, L_rmul, both_of. destruct (Z.eq_dec 0 0) as [_|F]; [| now contradiction F ]. do 2 f_equal. ring.
Qed.
(* the gradient of a weight *)
Lemma weight_at_is z k (x y : nat -> R) g o a u : (g < groups_of c)%nat -> (o < out_of c)%nat -> (a < in_of c)%nat ->
  (u < taps_of (W_conv_shape'w c))%nat ->
  (forall i, M (W_shift z (Z.of_nat i)) = x i) -> (forall i, M (W_shift k (Z.of_nat i)) = y i) ->
  L_WeightAt_2_ M 0 z k c (Z.of_nat (((g * out_of c + o) * in_of c + a) * taps_of (W_conv_shape'w c) + u)) =
  meet_all (batch_of c) (groups_of c) (in_of c) (out_of c) (cells_of (W_conv_shape'w c)) (outs_of (W_conv_shape'w c))
    (reads (W_conv_shape'w c)) (read_from (W_conv_shape'w c)) x y g o a u.
Proof.
  intros Hg Ho Ha Hu Hx Hy. destruct shape_counts as [_ [G [I [O W]]]]. destruct (placed_counts _ W) as [_ [_ [K
      K0]]].
  unfold L_WeightAt_2_. cbv zeta. rewrite K, I, O, !quo_is, !rem_is by lia.
  rewrite (dm_div _ _ u Hu), (dm_mod _ _ u Hu), (dm_div _ _ a Ha), (dm_mod _ _ a Ha), (dm_div _ _ o Ho), (dm_mod _
      _ o Ho).
  unfold L_WeightSum, meet_all. fold (batch_of c). apply bsum_ext; intros n _. rewrite G, ix_is, !line_place.
  destruct (Z.eq_dec 0 0) as [_|N]; [| now contradiction N ]. destruct (Z.eq_dec 1 0) as [N|_]; [ discriminate N |].
  unfold L_ConvMeets. fold (outs_of (W_conv_shape'w c)). apply bsum_ext; intros t _. rewrite cell_read.
  destruct (reads (W_conv_shape'w c) t u) eqn:E; [| reflexivity ]. rewrite (cell_is _ t u E), <- !Nat2Z.inj_add,
      Hx, Hy.
  unfold L_ConvTerm, L_rmul, if_. destruct (Z.eq_dec 0 0) as [_|N]; [| now contradiction N ]. rewrite Rmult_comm.
      do 2 f_equal. ring.
Qed.
(* of a bias, and which an element has *)
Definition side_channels (side : Z) : nat := if Z.eq_dec side 0 then in_of c else out_of c.
Definition side_length (side : Z) : nat :=
  if Z.eq_dec side 0 then cells_of (W_conv_shape'w c) else outs_of (W_conv_shape'w c).
Lemma sides_are side : L_ChannelCount side c = Z.of_nat (groups_of c * side_channels side) /\
  L_Length side c = Z.of_nat (side_length side).
Proof.
  destruct shape_counts as [_ [G [I [O W]]]]. destruct (placed_counts _ W) as [N [T _]].
  unfold L_ChannelCount, L_Channels, L_Length, side_channels, side_length. rewrite G, I, O, N, T.
  destruct (Z.eq_dec side 0); change 0%Z with (Z.of_nat 0); rewrite ix_is; (split; [ f_equal; ring | reflexivity ]).
Qed.
Lemma bias_at_is side z (g : nat -> R) a : (forall i, M (W_shift z (Z.of_nat i)) = g i) ->
  L_BiasSum M 0 side z c (Z.of_nat a) (W_conv_shape'batch c) = bsum (batch_of c) (fun n => bsum (side_length side)
      (fun t =>
    g ((n * (groups_of c * side_channels side) + a) * side_length side + t)%nat)).
Proof.
  intro Hg. destruct (sides_are side) as [C L]. unfold L_BiasSum. fold (batch_of c). apply bsum_ext; intros n _.
  unfold L_LineSum, L_ChannelAt. rewrite C, L, Nat2Z.id, ix_is. match goal with |- context [L_ix ?i ?n 0] => change
      (L_ix i n 0) with (L_ix i n (Z.of_nat 0)) end.
  rewrite ix_is.
  apply bsum_ext; intros t _. destruct (Z.eq_dec 0 0) as [_|N]; [| now contradiction N ].
  rewrite <- Nat2Z.inj_add, Hg. f_equal. ring.
Qed.
Lemma bias_place_is side e : (0 < side_length side)%nat -> (0 < side_channels side)%nat ->
  L_ChannelOf side c (Z.of_nat e) = Z.of_nat (bias_place (groups_of c) (side_channels side) (side_length side) e).
Proof.
  intros L0 C0. destruct (sides_are side) as [C L]. unfold L_ChannelOf, bias_place. rewrite C, L, quo_is.
  apply rem_is. assert (H := shaped). unfold P_ConvShape in H. cbv zeta in H. unfold groups_of. nia.
Qed.
Lemma side_elements side : Z.to_nat (L_Elements side c) = (batch_of c * (groups_of c * (side_channels side *
    side_length side)))%nat.
Proof.
  destruct shape_counts as [B [G [I [O W]]]]. destruct (sides_are side) as [_ L]. unfold L_Elements, L_LineCount.
      rewrite L, B, G.
  replace (L_Channels side c) with (Z.of_nat (side_channels side))
    by (unfold L_Channels, side_channels; destruct (Z.eq_dec side 0); congruence).
  change 0%Z with (Z.of_nat 0). rewrite !ix_is, Nat2Z.id. ring.
Qed.
Lemma weights_are : Z.to_nat (L_Weights c) = (groups_of c * (out_of c * in_of c * taps_of (W_conv_shape'w c)))%nat.
Proof.
  destruct shape_counts as [_ [G [I [O W]]]]. destruct (placed_counts _ W) as [_ [_ [K _]]]. unfold L_Weights,
      L_Kernels.
  rewrite G, I, O, K. change 0%Z with (Z.of_nat 0). rewrite !ix_is, Nat2Z.id. ring.
Qed.
End Shape.

(* what is read from `side`, the weights, and the bias of what is written to `other` *)
Definition conv_sz (side other : Z) (c : W_conv_shape) (a : nat) : nat := match a with O => Z.to_nat (L_Elements
    side c)
  | S O => Z.to_nat (L_Weights c) | _ => Z.to_nat (L_ChannelCount other c) end.
Theorem conv_vjp_correct c : P_ConvShape c ->
  is_vjp 3 (conv_sz 0 1 c) (Z.to_nat (L_Elements 1 c)) (fun _ => True)
    (fun x e => L_ConvAt (memory x) 0 0 (ptr 0) (ptr 1) c (Z.of_nat e) +
       memory x (W_shift (ptr 2) (L_ChannelOf 1 c (Z.of_nat e))))
    (fun x dy a e => match a with
       | O => L_ConvAt (memory (tensors2 dy (x 1%nat))) 0 1 (ptr 0) (ptr 1) c (Z.of_nat e)
       | S O => L_WeightAt_2_ (memory (tensors2 (x 0%nat) dy)) 0 (ptr 0) (ptr 1) c (Z.of_nat e)
       | _ => L_BiasSum (memory (fun _ => dy)) 0 1 (ptr 0) c (Z.of_nat e) (W_conv_shape'batch c) end).
Proof.
  intro H. destruct (shape_counts c H) as [_ [G [_ [_ W]]]]. set (w := W_conv_shape'w c) in *.
  assert (V := conv_bias_is_vjp (batch_of c) (groups_of c) (in_of c) (out_of c) (cells_of w) (outs_of w) (taps_of w)
    (reads w) (read_from w) (fun t u => read_below w t u W)).
  apply (is_vjp_sz _ _ (conv_sz 0 1 c) _ (Z.to_nat (L_Elements 1 c))) in V.
  2: { intros [|[|[|a]]] Ha; [| | | lia ]; unfold conv_sz, biased_sz; cbn [Nat.eqb].
    - rewrite (side_elements c H). reflexivity.
    - rewrite (weights_are c H). reflexivity.
    - destruct (sides_are c H 1) as [-> _]. now rewrite Nat2Z.id. }
  2: { rewrite (side_elements c H). reflexivity. }
  eapply is_vjp_ext; [ | | exact V ]; clear V.
  - intros x e He. rewrite (side_elements c H) in He. change (side_channels c 1) with (out_of c) in He.
    change (side_length c 1) with (outs_of w) in He.
    rewrite (conv_at_is c _ H _ _ (x 0%nat) (x 1%nat)) by (assumption || (intro; apply mem_at)).
    rewrite (bias_place_is c H) by (change (side_length c 1) with (outs_of w); change (side_channels c 1) with
        (out_of c); nia).
    rewrite mem_at. reflexivity.
  - intros x dy a e _ Ha He. destruct a as [|[|[|a]]]; [| | | lia ]; unfold conv_sz in He; unfold biased_vjp; cbn
      [Nat.eqb].
    + rewrite (side_elements c H) in He. rewrite conv_all_vjp_at by exact He. symmetry.
      apply (conv_back_is c _ H _ _ dy (x 1%nat)); [ exact He | apply first_at | apply second_at ].
    + rewrite (weights_are c H) in He. replace (groups_of c * (out_of c * in_of c * taps_of (W_conv_shape'w c)))%nat
        with (groups_of c * (out_of c * (in_of c * taps_of w)))%nat in He by (unfold w; ring).
      destruct (nested _ _ _ _ _ He) as [g [o [i [u [Hg [Ho [Hi [Hu ->]]]]]]]].
      rewrite conv_all_weights by assumption. symmetry.
      apply (weight_at_is c _ H); assumption || apply first_at || apply second_at.
    + destruct (sides_are c H 1) as [C _]. rewrite C, Nat2Z.id in He.
      rewrite channel_sum by exact He. symmetry. apply (bias_at_is c _ H). intro. exact (mem_at (fun _ => dy) 0 _).
Qed.
Theorem conv_transpose_vjp_correct c : P_ConvShape c ->
  is_vjp 3 (conv_sz 1 0 c) (Z.to_nat (L_Elements 0 c)) (fun _ => True)
    (fun x e => L_ConvAt (memory x) 0 1 (ptr 0) (ptr 1) c (Z.of_nat e) +
       memory x (W_shift (ptr 2) (L_ChannelOf 0 c (Z.of_nat e))))
    (fun x dy a e => match a with
       | O => L_ConvAt (memory (tensors2 dy (x 1%nat))) 0 0 (ptr 0) (ptr 1) c (Z.of_nat e)
       | S O => L_WeightAt_2_ (memory (tensors2 dy (x 0%nat))) 0 (ptr 0) (ptr 1) c (Z.of_nat e)
       | _ => L_BiasSum (memory (fun _ => dy)) 0 0 (ptr 0) c (Z.of_nat e) (W_conv_shape'batch c) end).
Proof.
  intro H. destruct (shape_counts c H) as [_ [G [_ [_ W]]]]. set (w := W_conv_shape'w c) in *.
  assert (V := conv_transpose_bias_is_vjp (batch_of c) (groups_of c) (in_of c) (out_of c) (cells_of w) (outs_of w)
    (taps_of w) (reads w) (read_from w) (fun t u => read_below w t u W)).
  apply (is_vjp_sz _ _ (conv_sz 1 0 c) _ (Z.to_nat (L_Elements 0 c))) in V.
  2: { intros [|[|[|a]]] Ha; [| | | lia ]; unfold conv_sz, biased_sz; cbn [Nat.eqb].
    - rewrite (side_elements c H). reflexivity.
    - rewrite (weights_are c H). reflexivity.
    - destruct (sides_are c H 0) as [-> _]. now rewrite Nat2Z.id. }
  2: { rewrite (side_elements c H). reflexivity. }
  eapply is_vjp_ext; [ | | exact V ]; clear V.
  - intros x e He. rewrite (side_elements c H) in He. change (side_channels c 0) with (in_of c) in He.
    change (side_length c 0) with (cells_of w) in He.
    rewrite (conv_back_is c _ H _ _ (x 0%nat) (x 1%nat)) by (assumption || (intro; apply mem_at)).
    rewrite (bias_place_is c H) by (change (side_length c 0) with (cells_of w); change (side_channels c 0) with
        (in_of c); nia).
    rewrite mem_at. reflexivity.
  - intros x dy a e _ Ha He. destruct a as [|[|[|a]]]; [| | | lia ]; unfold conv_sz in He; unfold biased_vjp; cbn
      [Nat.eqb].
    + rewrite (side_elements c H) in He. rewrite conv_transpose_all_vjp_at by exact He. symmetry.
      apply (conv_at_is c _ H _ _ dy (x 1%nat)); [ exact He | apply first_at | apply second_at ].
    + rewrite (weights_are c H) in He. replace (groups_of c * (out_of c * in_of c * taps_of (W_conv_shape'w c)))%nat
        with (groups_of c * (out_of c * (in_of c * taps_of w)))%nat in He by (unfold w; ring).
      destruct (nested _ _ _ _ _ He) as [g [o [i [u [Hg [Ho [Hi [Hu ->]]]]]]]].
      rewrite conv_transpose_all_weights by assumption. symmetry.
      apply (weight_at_is c _ H); assumption || apply first_at || apply second_at.
    + destruct (sides_are c H 0) as [C _]. rewrite C, Nat2Z.id in He.
      rewrite channel_sum by exact He. symmetry. apply (bias_at_is c _ H). intro. exact (mem_at (fun _ => dy) 0 _).
Qed.
