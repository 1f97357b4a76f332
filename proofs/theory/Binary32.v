(* What the theorems about error pairs ask of an arithmetic holds of f32 as diffcheck declares it:
   binary32 rounded to nearest even, and the ulps that a kernel is granted which declares none
   (spec/elementary.def). *)
Require Import Reals Lra Psatz ZArith Lia.
From Flocq Require Import Core.
From Theory Require Import Round Nodes NodesOfFunctions Logistic Compose SoftmaxNodes GeluNodes.
Open Scope R_scope.

(* (2^24 - 1) 2^104 *)
Definition largest32 : R := F2R (Float radix2 (2 ^ 24 - 1) 104).
Definition f32 : arithmetic := Arithmetic (/ 16777216) (bpow radix2 (-150)) largest32
  2 1 1 1 2 2 4 4 2 2 2 2.25 0 0.

Lemma largest32_format : in_format (-149) 24 largest32.
Proof.
  apply generic_format_FLT. apply (FLT_spec _ _ _ _ (Float radix2 (2 ^ 24 - 1) 104)); [ easy | |];
    simpl; lia.
Qed.
Lemma largest32_is : largest32 = 16777215 * bpow radix2 104.
Proof. reflexivity. Qed.
Lemma large : 1 <= bpow radix2 104.
Proof. apply (bpow_le radix2 0 104). lia. Qed.
Theorem f32_declares : declares (-149) 24 f32.
Proof.
  unfold declares, f32. cbn [a_u a_eta a_big]. repeat split.
  - rewrite unit_binary32. lra.
  - lra.
  - unfold eta_of. simpl Z.sub. lra.
  - apply largest32_format.
  - rewrite largest32_is. generalize large. lra.
Qed.
Theorem f32_ordinary : ordinary (-149) 24 f32.
Proof.
  unfold ordinary, f32. cbn [a_u a_eta a_big]. repeat split.
  - replace 1 with (bpow radix2 0) by reflexivity. apply generic_format_bpow. unfold FLT_exp. lia.
  - rewrite <- unit_binary32. unfold unit_of. apply bpow_le. lia.
  - assert (Valid_exp (FLT_exp (-149) 24)) as V by (apply FLT_exp_valid; reflexivity).
    apply (round_N_le_midp radix2 (FLT_exp (-149) 24) (fun x => negb (Z.even x)) largest32).
    + apply largest32_format.
    + rewrite succ_eq_pos by (rewrite largest32_is; assert (G := large); lra).
      assert (U := ulp_FLT_gt radix2 (-149) 24 (prec_gt_0_ := eq_refl) largest32).
      rewrite Rabs_pos_eq in U by (rewrite largest32_is; assert (G := large); lra).
      assert (L : 2 < largest32 * bpow radix2 (-24)).
      { rewrite largest32_is, Rmult_assoc, <- bpow_plus. simpl Z.add.
        apply Rlt_le_trans with (16777215 * 1); [ lra |]. apply Rmult_le_compat_l; [ lra |].
        apply (bpow_le radix2 0). lia. }
      simpl Z.opp in U. lra.
Qed.
(* the ulps are few enough for every node *)
Theorem f32_few f : few f32 (2 * ulps_of f32 f + 1).
Proof. unfold few. destruct f; simpl; lra. Qed.
(* exp is far below the least number long before its argument's error counts *)
Lemma exp_above_power n : bpow radix2 (Z.of_nat n) <= exp (INR n).
Proof.
  induction n; [ simpl; rewrite exp_0; lra |].
  rewrite Nat2Z.inj_succ, <- Z.add_1_r, bpow_up, S_INR, exp_plus, Rmult_comm.
  assert (E : 1 + 1 < exp 1) by (apply exp_ineq1; lra).
  apply Rmult_le_compat; auto using bpow_ge_0; lra.
Qed.
Theorem f32_exp_suits : exp_suits f32.
Proof.
  unfold exp_suits, f32. cbn [a_u a_eta a_big a_alpha k_exp].
  assert (E : bpow radix2 (-150) <= / 4).
  { replace (/ 4) with (bpow radix2 (-2)) by (simpl; lra). apply bpow_le. lia. }
  assert (P := bpow_gt_0 radix2 (-150)).
  assert (D : 2.25 = 9 / 4) by (unfold Rdiv; simpl Z.pow_pos; lra).
  rewrite D.
  repeat split; try (unfold few; cbn [a_u]); try lra.
  - unfold p_gam, gam. destruct (Rle_dec (2 * 2 + 1) 0); [ lra |].
    destruct (Rlt_dec ((2 * 2 + 1) * / 16777216) 1); [| lra ].
    assert (X : exp (-1000) <= bpow radix2 (-1000)).
    { assert (H := exp_above_power 1000). rewrite INR_IZR_INZ in H. simpl Z.of_nat in H.
      replace (-1000) with (- (1000)) by ring. rewrite exp_Ropp.
      change (-1000)%Z with (- (1000))%Z. rewrite bpow_opp.
      apply Rinv_le_contravar; [ apply bpow_gt_0 | exact H ]. }
    assert (Y : bpow radix2 (-1000) <= bpow radix2 (-151)) by (apply bpow_le; lia).
    replace (bpow radix2 (-150)) with (2 * bpow radix2 (-151)) by (rewrite <- bpow_up; reflexivity).
    apply Rmult_le_compat; try lra. apply Rlt_le, exp_pos.
  - rewrite largest32_is. generalize large. lra.
Qed.
Theorem f32_suits_gelu : suits_gelu 24 f32.
Proof.
  unfold suits_gelu, f32. cbn [a_u a_eta a_big].
  assert (E : bpow radix2 (-150) <= bpow radix2 (-4)) by (apply bpow_le; lia).
  change (bpow radix2 (-4)) with (/ 16) in E.
  repeat split; [ lra | exact E | | lia ]. rewrite largest32_is. generalize large. lra.
Qed.
