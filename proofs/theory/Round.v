(* Rounding to nearest even, subnormal numbers included, and what it can change: Flocq's format FLT
   of precision prec and least exponent e_min. binary32 is (-149, 24), binary64 is (-1074, 53). No
   overflow here: rnd is the rounding without a largest number. *)
Require Import Reals Lra Psatz ZArith Lia.
From Flocq Require Import Core Relative Plus_error.
Open Scope R_scope.

(* the relative error of m roundings in a row *)
Definition gam (u m : R) : R := m * u / (1 - m * u).

Section Rounding.
Variables e_min prec : Z.
Hypothesis prec_positive : (0 < prec)%Z.

Definition rnd (x : R) : R := round radix2 (FLT_exp e_min prec) ZnearestE x.
Definition in_format (x : R) : Prop := generic_format radix2 (FLT_exp e_min prec) x.
Definition unit_of : R := bpow radix2 (- prec).        (* unit roundoff *)
Definition eta_of : R := bpow radix2 (e_min - 1).       (* half of the smallest subnormal *)
Definition ulp_of (x : R) : R := ulp radix2 (FLT_exp e_min prec) x.
(* y is f rounded, and then up to k units in the last place of f away *)
Definition within_ulps (k f y : R) : Prop := Rabs (y - f) <= (k + / 2) * ulp_of f.

Local Instance prec_above_0 : Prec_gt_0 prec := prec_positive.

Lemma bpow_up e : bpow radix2 (e + 1) = 2 * bpow radix2 e.
Proof. rewrite bpow_plus. change (bpow radix2 1) with 2. ring. Qed.
Lemma bpow_down e : bpow radix2 (e - 1) = / 2 * bpow radix2 e.
Proof. unfold Zminus. rewrite bpow_plus. change (bpow radix2 (- (1))) with (/ 2). ring. Qed.

Lemma unit_pos : 0 < unit_of.
Proof. apply bpow_gt_0. Qed.
Lemma unit_half : unit_of <= / 2.
Proof.
  unfold unit_of. apply Rle_trans with (bpow radix2 (-1)). apply bpow_le. lia. simpl. lra.
Qed.
Lemma eta_pos : 0 < eta_of.
Proof. apply bpow_gt_0. Qed.

Lemma rnd_in_format x : in_format (rnd x).
Proof. exact (generic_format_round radix2 (FLT_exp e_min prec) ZnearestE x). Qed.
Lemma rnd_exact x : in_format x -> rnd x = x.
Proof. intro H. exact (round_generic radix2 (FLT_exp e_min prec) ZnearestE x H). Qed.
Lemma format_0 : in_format 0.
Proof. apply generic_format_0. Qed.
Lemma format_opp x : in_format x -> in_format (- x).
Proof. apply generic_format_opp. Qed.
Lemma rnd_0 : rnd 0 = 0.
Proof. apply rnd_exact, format_0. Qed.
Lemma rnd_opp x : rnd (- x) = - rnd x.
Proof. apply round_NE_opp. Qed.
Lemma rnd_mono x y : x <= y -> rnd x <= rnd y.
Proof. intro H. exact (round_le radix2 (FLT_exp e_min prec) ZnearestE x y H). Qed.
(* what is not above a number of the format is not above it when rounded *)
Lemma rnd_le m x : in_format m -> Rabs x <= m -> Rabs (rnd x) <= m.
Proof. intros F H. exact (abs_round_le_generic radix2 (FLT_exp e_min prec) ZnearestE x m F H). Qed.
Lemma rnd_nearest x f : in_format f -> Rabs (rnd x - x) <= Rabs (f - x).
Proof. intro F. exact (proj2 (round_N_pt radix2 (FLT_exp e_min prec) _ x) f F). Qed.
Lemma rnd_twice x : Rabs (rnd x) <= 2 * Rabs x.
Proof.
  generalize (rnd_nearest x 0 format_0) (Rabs_triang (rnd x - x) x).
  replace (rnd x - x + x) with (rnd x) by ring. replace (0 - x) with (- x) by ring.
  rewrite Rabs_Ropp. lra.
Qed.

(* either a relative error, or an absolute one of a subnormal result *)
Lemma rnd_split x : exists d e, Rabs d <= unit_of /\ Rabs e <= eta_of /\ d * e = 0 /\
  rnd x = x * (1 + d) + e.
Proof.
  destruct (error_N_FLT radix2 e_min prec prec_positive (fun x => negb (Z.even x)) x)
    as [d [e [D [E [Z F]]]]].
  exists d, e. repeat split; auto.
  - eapply Rle_trans; [ exact D |]. right. rewrite bpow_up. fold unit_of. field.
  - eapply Rle_trans; [ exact E |]. right. unfold eta_of. now rewrite bpow_down.
Qed.
(* the same in two cases *)
Lemma rnd_cases x : Rabs (rnd x - x) <= unit_of * Rabs x \/
  Rabs (rnd x - x) <= eta_of.
Proof.
  destruct (rnd_split x) as [d [e [D [E [Z F]]]]]. rewrite F.
  replace (x * (1 + d) + e - x) with (d * x + e) by ring.
  destruct (Rmult_integral _ _ Z) as [H|H]; subst.
  - right. now replace (0 * x + e) with e by ring.
  - left. rewrite Rplus_0_r, Rabs_mult. apply Rmult_le_compat_r; [ apply Rabs_pos | easy ].
Qed.
Lemma rnd_err x : Rabs (rnd x - x) <= unit_of * Rabs x + eta_of.
Proof.
  assert (0 <= unit_of * Rabs x) by (apply Rmult_le_pos;
    [ apply Rlt_le, unit_pos | apply Rabs_pos ]).
  generalize eta_pos. destruct (rnd_cases x); lra.
Qed.

(* a sum or difference of two numbers of the format underflows without an error *)
Lemma add_err a b : in_format a -> in_format b ->
  Rabs (rnd (a + b) - (a + b)) <= unit_of * Rabs (a + b).
Proof.
  intros A B.
  destruct (FLT_plus_error_N_ex radix2 e_min prec (prec_gt_0_ := prec_positive)
    (fun x => negb (Z.even x)) a b A B) as [d [D E]].
  change (rnd (a + b) = (a + b) * (1 + d)) in E. rewrite E.
  replace ((a + b) * (1 + d) - (a + b)) with (d * (a + b)) by ring. rewrite Rabs_mult.
  apply Rmult_le_compat_r; [ apply Rabs_pos |]. eapply Rle_trans; [ exact D |].
  replace (u_ro radix2 prec) with unit_of
    by (unfold u_ro; rewrite bpow_up; fold unit_of; field).
  generalize unit_pos; intro P. apply (Rmult_le_reg_r (1 + unit_of)); [ lra |].
  unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. nra.
Qed.
Lemma sub_err a b : in_format a -> in_format b ->
  Rabs (rnd (a - b) - (a - b)) <= unit_of * Rabs (a - b).
Proof. intros A B. apply add_err; [ easy | now apply format_opp ]. Qed.

(* units in the last place *)
Lemma ulp_cases f : ulp_of f <= 2 * (unit_of * Rabs f) \/ ulp_of f <= 2 * eta_of.
Proof.
  destruct (Rle_or_lt (bpow radix2 (e_min + prec - 1)) (Rabs f)) as [H|H].
  - left. eapply Rle_trans; [ apply (ulp_FLT_le radix2 e_min prec f H) |]. right.
    unfold Zminus. rewrite Z.add_comm, bpow_up. fold unit_of. ring.
  - right. unfold ulp_of. rewrite ulp_FLT_small.
    + right. unfold eta_of. rewrite bpow_down. field.
    + exact prec_positive.
    + eapply Rlt_le_trans; [ exact H |]. apply bpow_le. lia.
Qed.
(* k units in the last place are 2k + 1 roundings *)
Lemma within_ulps_err k f y : 0 <= 2 * k + 1 -> within_ulps k f y ->
  Rabs (y - f) <= (2 * k + 1) * (unit_of * Rabs f + eta_of).
Proof.
  intros K H. eapply Rle_trans; [ exact H |].
  replace (k + / 2) with ((2 * k + 1) * / 2) by field. rewrite Rmult_assoc.
  apply Rmult_le_compat_l; [ easy |].
  assert (0 <= unit_of * Rabs f) by (apply Rmult_le_pos;
    [ apply Rlt_le, unit_pos | apply Rabs_pos ]).
  generalize eta_pos. destruct (ulp_cases f); lra.
Qed.
Lemma rnd_within_ulps x : within_ulps 0 x (rnd x).
Proof.
  unfold within_ulps. rewrite Rplus_0_l.
  exact (error_le_half_ulp radix2 (FLT_exp e_min prec) (fun x => negb (Z.even x)) x).
Qed.
End Rounding.

(* the algebra of gam *)
Section Gam.
Variable u : R.
Hypothesis u_pos : 0 <= u.

Lemma gam_inv m : m * u < 1 -> 1 + gam u m = / (1 - m * u).
Proof. intro H. unfold gam. field. lra. Qed.
Lemma gam_0 : gam u 0 = 0.
Proof. unfold gam. rewrite Rmult_0_l, Rminus_0_r. field. Qed.
Lemma gam_ge m : 0 <= m -> m * u < 1 -> m * u <= gam u m.
Proof.
  intros M H. unfold gam. assert (P : 0 <= m * u) by now apply Rmult_le_pos.
  apply (Rmult_le_reg_r (1 - m * u)); [ lra |].
  replace (m * u / (1 - m * u) * (1 - m * u)) with (m * u) by (field; lra). nra.
Qed.
Lemma gam_pos m : 0 <= m -> m * u < 1 -> 0 <= gam u m.
Proof. intros M H. generalize (gam_ge m M H) (Rmult_le_pos _ _ M u_pos). lra. Qed.
Lemma gam_mono m n : 0 <= m -> m <= n -> n * u < 1 -> gam u m <= gam u n.
Proof.
  intros M N H. assert (P : m * u <= n * u) by now apply Rmult_le_compat_r.
  apply (Rplus_le_reg_l 1). rewrite !gam_inv by lra. apply Rinv_le_contravar; lra.
Qed.
(* m roundings, then n *)
Lemma gam_compose m n : 0 <= m -> 0 <= n -> (m + n) * u < 1 ->
  (1 + gam u m) * (1 + gam u n) <= 1 + gam u (m + n).
Proof.
  intros M N H. assert (P := Rmult_le_pos _ _ M u_pos). assert (Q := Rmult_le_pos _ _ N u_pos).
  assert (S : m * u < 1) by lra. assert (T : n * u < 1) by lra.
  rewrite !gam_inv by easy. rewrite <- Rinv_mult. apply Rinv_le_contravar; nra.
Qed.
Lemma gam_1 : u < 1 -> 1 + u <= 1 + gam u 1.
Proof. intro H. generalize (gam_ge 1). lra. Qed.
Lemma power_gam q n : (u < 1 -> 0 <= q <= 1 + gam u 1) -> INR n * u < 1 ->
  q ^ n <= 1 + gam u (INR n).
Proof.
  intro Q. induction n; intro H.
  - simpl INR. rewrite gam_0. simpl. lra.
  - rewrite S_INR in *. assert (N := pos_INR n).
    assert (P : 0 <= INR n * u) by now apply Rmult_le_pos.
    destruct Q as [Q L]; [ lra |].
    eapply Rle_trans; [| apply (gam_compose (INR n) 1); lra ]. simpl pow.
    rewrite Rmult_comm. apply Rmult_le_compat; auto.
    + now apply pow_le.
    + apply IHn. lra.
Qed.
Lemma pow_gam n : INR n * u < 1 -> (1 + u) ^ n <= 1 + gam u (INR n).
Proof. apply power_gam. intro H. split; [ lra | now apply gam_1 ]. Qed.
Lemma inv_pow_gam n : INR n * u < 1 -> (/ (1 - u)) ^ n <= 1 + gam u (INR n).
Proof.
  apply power_gam. intro H. split.
  - apply Rlt_le, Rinv_0_lt_compat. lra.
  - rewrite (gam_inv 1), Rmult_1_l by lra. apply Rle_refl.
Qed.
End Gam.

(* the two formats in use *)
Lemma unit_binary32 : unit_of 24 = / 16777216.
Proof. unfold unit_of. simpl. lra. Qed.
Lemma unit_binary64 : unit_of 53 = / 9007199254740992.
Proof. unfold unit_of. simpl. lra. Qed.

(* a number of k units, that is of k roundings, as gam and eta count them *)
Lemma within_ulps_gam e_min prec k f y : (0 < prec)%Z -> 0 <= 2 * k + 1 ->
  (2 * k + 1) * unit_of prec < 1 -> within_ulps e_min prec k f y ->
  Rabs (y - f) <= gam (unit_of prec) (2 * k + 1) * Rabs f + (2 * k + 1) * eta_of e_min.
Proof.
  intros P K H W. eapply Rle_trans; [ exact (within_ulps_err e_min prec P k f y K W) |].
  rewrite Rmult_plus_distr_l. apply Rplus_le_compat_r. rewrite <- Rmult_assoc.
  apply Rmult_le_compat_r; [ apply Rabs_pos |].
  apply gam_ge; [ apply Rlt_le, unit_pos | easy | easy ].
Qed.
