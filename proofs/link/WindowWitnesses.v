(* Instances, as in Witnesses.v, of the theorems about windows: along one axis four windows of two taps over
   three cells, with a cell of padding at both ends. *)
Require Import Reals Lra Psatz ZArith Lia Arith.
From Coquelicot Require Import Coquelicot.
From Theory Require Import Sums Vjp Pool Meaning Memory NormOps WindowOps PoolOps ConvOps Witnesses.
Open Scope R_scope.

Definition pairs_of_cells : W_window := W_window'mk 1 3 4 2 (fun _ => 3%Z) (fun _ => 4%Z) (fun _ => 2%Z)
  (fun _ => 1%Z) (fun _ => 1%Z) (fun _ => 1%Z).
Lemma pairs_placed : P_Placed pairs_of_cells.
Proof.
  cbv delta [P_Placed]. cbn - [L_Windows L_Cells L_Outs L_Taps P_Axis].
  change (L_Windows 3 2 1 1 1) with 4%Z. cbv delta [P_Axis]. cbv beta. repeat split; try reflexivity; lia.
Qed.
(* the largest of two cells is the second, or the one that there is *)
Lemma pairs_rise : forall l t, (l < 2)%nat -> (t < 4)%nat -> exists c,
  stands_once (reads pairs_of_cells t) (fun u => rising 0%nat (l * 3 + read_from pairs_of_cells t u)%nat) 2 c.
Proof.
  intros l t Hl Ht. exists (if Nat.eqb t 3 then 0 else 1)%nat. unfold rising.
  assert (L : l = 0%nat \/ l = 1%nat) by lia. assert (T : t = 0%nat \/ t = 1%nat \/ t = 2%nat \/ t = 3%nat) by lia.
  destruct L as [-> | ->], T as [-> | [-> | [-> | ->]]]; (split; [ cbn; lia | split; [ reflexivity |] ]);
    intros u Hu; assert (U : u = 0%nat \/ u = 1%nat) by lia; destruct U as [-> | ->];
    cbv - [INR Rlt Rle IZR]; intros R N; try discriminate R; try (exfalso; now apply N); apply lt_INR; lia.
Qed.
Definition witness_avg_pool_vjp_correct :=
  avg_pool_vjp_correct 2 pairs_of_cells pairs_placed (still two_values) no_change 0 I (at_rest two_values _ _).
Definition witness_max_pool_vjp_correct :=
  max_pool_vjp_correct 2 pairs_of_cells pairs_placed (still rising) no_change 0 pairs_rise (at_rest rising _ _).
Lemma tap_is_there : (0 <= L_MaxTap (memory rising) (ptr 0) pairs_of_cells (Z.of_nat 0) 2)%Z.
Proof. apply Z.leb_le. reflexivity. Qed.
Definition witness_max_pool_vjp_at_ties :=
  max_pool_vjp_at_ties pairs_of_cells 0 rising two_values pairs_placed tap_is_there.
Definition witness_smooth_max_pool_vjp_correct :=
  smooth_max_pool_vjp_correct 2 pairs_of_cells 3 pairs_placed ltac:(lra) (still two_values) no_change 0 I
  (at_rest two_values _ _).
(* two images of two groups, of one channel to two *)
Definition pairs_convolved : W_conv_shape := W_conv_shape'mk pairs_of_cells 2 2 1 2.
Lemma pairs_shaped : P_ConvShape pairs_convolved.
Proof.
  cbv delta [P_ConvShape P_SideFits]. cbv beta zeta. change (W_conv_shape'w pairs_convolved) with pairs_of_cells.
  repeat split; try exact pairs_placed; vm_compute; discriminate || reflexivity.
Qed.
Definition witness_conv_vjp_correct :=
  conv_vjp_correct pairs_convolved pairs_shaped (still two_values) no_change 0 I (at_rest two_values _ _).
Definition witness_conv_transpose_vjp_correct :=
  conv_transpose_vjp_correct pairs_convolved pairs_shaped (still two_values) no_change 0 I (at_rest two_values _ _).
