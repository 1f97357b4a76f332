(* The real Fourier transform of n points: n/2 + 1 complex numbers, and back. The inverse gives the
   points again; the VJP of each is the other, but for the weights of the frequencies. *)
Require Import Reals Lra Psatz Arith Lia ZArith.
From Coquelicot Require Import Coquelicot.
From Theory Require Import Sums Vjp Linear.
Open Scope R_scope.

Section Fourier.
Variable n : nat.
Definition bins : nat := S (n / 2).
Definition turn (j k : nat) : R := 2 * PI * (INR j * INR k / INR n).
(* real parts, then imaginary parts *)
Definition rfft (x : args) i : R :=
  if Nat.ltb i bins then bsum n (fun j => x 0%nat j * cos (turn j i))
  else - bsum n (fun j => x 0%nat j * sin (turn j (i - bins))).
(* frequency 0, and n/2 where n is even, stands for itself; another for two *)
Definition weight (k : nat) : R := if (Nat.eqb k 0 || Nat.eqb (2 * k) n)%bool then 1 else 2.
(* arguments: 0 = real parts, 1 = imaginary parts *)
Definition irfft (x : args) j : R :=
  bsum bins (fun k => weight k * (x 0%nat k * cos (turn j k) - x 1%nat k * sin (turn j k))) / INR n.

Definition rfft_vjp (_ : args) (dy : nat -> R) (_ j : nat) : R :=
  bsum bins (fun k => dy k * cos (turn j k) - dy (bins + k)%nat * sin (turn j k)).
Definition irfft_vjp (_ : args) (dy : nat -> R) (a k : nat) : R :=
  match a with
  | O => weight k / INR n * bsum n (fun j => dy j * cos (turn j k))
  | _ => - (weight k / INR n * bsum n (fun j => dy j * sin (turn j k)))
  end.
Theorem rfft_is_vjp : is_vjp 1 (sz1 n) (bins + bins) (fun _ => True) rfft rfft_vjp.
Proof.
  eapply is_vjp_ext; [ | | exact (affine_is_vjp 1 (sz1 n) (bins + bins)
    (fun _ i j => if Nat.ltb i bins then cos (turn j i) else - sin (turn j (i - bins)))
      (fun _ => 0)) ].
  - intros x i Hi. unfold affine, rfft, sz1. cbn [bsum]. rewrite Rplus_0_l, Rplus_0_r.
    destruct (Nat.ltb i bins); [ apply bsum_ext; intros; ring |].
    replace (- bsum n (fun j => x 0%nat j * sin (turn j (i - bins))))
      with (-1 * bsum n (fun j => x 0%nat j * sin (turn j (i - bins)))) by ring.
    rewrite <- bsum_scal. apply bsum_ext; intros; ring.
  - intros x dy a j _ _ Hj. unfold transposed, rfft_vjp. rewrite bsum_add, <- bsum_plus.
      apply bsum_ext; intros k Hk.
    destruct (Nat.ltb_spec k bins); [| lia ]. destruct (Nat.ltb_spec (bins + k) bins); [ lia |].
    replace (bins + k - bins)%nat with k by lia. ring.
Qed.
Theorem irfft_is_vjp : is_vjp 2 (sz1 bins) n (fun _ => True) irfft irfft_vjp.
Proof.
  eapply is_vjp_ext; [ | | exact (affine_is_vjp 2 (sz1 bins) n
    (fun a j k => match a with O => weight k / INR n * cos (turn j k)
      | _ => - (weight k / INR n * sin (turn j k)) end)
    (fun _ => 0)) ].
  - intros x j Hj. unfold affine, irfft, sz1. cbn [bsum]. rewrite Rplus_0_l, Rplus_0_r,
      <- bsum_plus. unfold Rdiv.
    rewrite <- bsum_scal_r. apply bsum_ext; intros; ring.
  - intros x dy a k _ _ _. unfold transposed, irfft_vjp. destruct a.
    + rewrite <- bsum_scal. apply bsum_ext; intros; ring.
    + rewrite (Ropp_mult_distr_l (weight k / INR n)), <- bsum_scal. apply bsum_ext; intros; ring.
Qed.
(* ... which are the transforms themselves *)
Theorem rfft_vjp_is_irfft x dy a j : (0 < n)%nat -> rfft_vjp x dy a j =
  INR n * irfft (fun b k => match b with O => dy k / weight k | _ => dy (bins + k)%nat / weight k
    end) j.
Proof.
  intro Hn. assert (N : INR n <> 0) by (apply not_0_INR; lia). unfold rfft_vjp, irfft.
  rewrite (bsum_ext bins (fun k => weight k * _) (fun k => dy k * cos (turn j k)
    - dy (bins + k)%nat * sin (turn j k))).
  - field. exact N.
  - intros k _. assert (weight k <> 0) by (unfold weight; destruct (_ || _)%bool; lra). field.
      assumption.
Qed.
Theorem irfft_vjp_is_rfft x dy k : (k < bins)%nat ->
  irfft_vjp x dy 0 k = weight k / INR n * rfft (fun _ => dy) k /\
  irfft_vjp x dy 1 k = weight k / INR n * rfft (fun _ => dy) (bins + k).
Proof.
  intro Hk. unfold irfft_vjp, rfft. destruct (Nat.ltb_spec k bins); [| lia ].
  destruct (Nat.ltb_spec (bins + k) bins); [ lia |]. replace (bins + k - bins)%nat with k by lia.
    split; ring.
Qed.

(* The inverse. The cosines of k phi add up to 0 over k < n when n phi is a whole number of turns.
  *)
Lemma cosines phi m : 2 * sin (phi / 2) * bsum m (fun k => cos (INR k * phi)) =
  sin ((INR m - 1 / 2) * phi) + sin (phi / 2).
Proof.
  induction m.
  - cbn [bsum]. replace ((INR 0 - 1 / 2) * phi) with (- (phi / 2)) by (simpl; field).
      rewrite sin_neg. ring.
  - cbn [bsum]. rewrite Rmult_plus_distr_l, IHm, S_INR.
    replace ((INR m - 1 / 2) * phi) with (INR m * phi - phi / 2) by field.
    replace ((INR m + 1 - 1 / 2) * phi) with (INR m * phi + phi / 2) by field.
    rewrite sin_minus, sin_plus. ring.
Qed.
Lemma sin_turns x (z : Z) : sin (2 * PI * IZR z + x) = sin x.
Proof.
  assert (P : forall m y, sin (2 * PI * INR m + y) = sin y).
  { intros m y. rewrite <- (sin_period y m). f_equal. ring. }
  destruct (Z.le_gt_cases 0 z) as [H|H].
  - rewrite <- (Z2Nat.id z H), <- INR_IZR_INZ. apply P.
  - rewrite <- (P (Z.to_nat (- z)) (2 * PI * IZR z + x)). f_equal. rewrite INR_IZR_INZ, Z2Nat.id,
      opp_IZR by lia. ring.
Qed.
Lemma cos_turns x (z : Z) : cos (2 * PI * IZR z + x) = cos x.
Proof.
  rewrite !cos_sin. replace (PI / 2 + (2 * PI * IZR z + x)) with (2 * PI * IZR z + (PI / 2 + x))
    by ring. apply sin_turns.
Qed.
Definition apart (d : Z) (k : nat) : R := cos (INR k * (2 * PI * IZR d / INR n)).
Lemma all_cosines d : (0 < n)%nat -> (- Z.of_nat n < d < Z.of_nat n)%Z ->
  bsum n (apart d) = if Z.eq_dec d 0 then INR n else 0.
Proof.
  intros Hn Hd. assert (N : 0 < INR n) by now apply lt_0_INR. unfold apart. destruct (Z.eq_dec d 0)
    as [->|D].
  - rewrite (bsum_ext n _ (fun _ => 1)); [ rewrite bsum_const; ring |]. intros k _.
    replace (INR k * (2 * PI * 0 / INR n)) with 0 by (field; lra). apply cos_0.
  - set (phi := 2 * PI * IZR d / INR n).
    assert (S0 : sin (phi / 2) <> 0).
    { intro E. destruct (sin_eq_0_0 _ E) as [z Hz].
      assert (Q : IZR d = IZR z * INR n).
      { apply (Rmult_eq_reg_l (PI / INR n)); [| unfold Rdiv;
        apply Rmult_integral_contrapositive_currified;
          [ apply PI_neq0 | apply Rinv_neq_0_compat; lra ] ].
        replace (PI / INR n * IZR d) with (phi / 2) by (unfold phi; field; lra). rewrite Hz. field.
          lra. }
      rewrite INR_IZR_INZ, <- mult_IZR in Q. apply eq_IZR in Q.
      assert (z = 0 \/ z <= -1 \/ 1 <= z)%Z as [->|[C|C]] by lia; [ lia | nia | nia ]. }
    assert (E := cosines phi n).
    replace ((INR n - 1 / 2) * phi) with (2 * PI * IZR d + - (phi / 2)) in E by (unfold phi; field;
      lra).
    rewrite sin_turns, sin_neg in E. apply (Rmult_eq_reg_l (2 * sin (phi / 2))); [ lra |].
    apply Rmult_integral_contrapositive_currified; [ lra | exact S0 ].
Qed.
Lemma apart_back d k : (0 < n)%nat -> (k <= n)%nat -> apart d (n - k) = apart d k.
Proof.
  intros Hn Hk. assert (N : 0 < INR n) by now apply lt_0_INR. unfold apart.
    rewrite minus_INR by exact Hk.
  replace ((INR n - INR k) * (2 * PI * IZR d / INR n)) with (2 * PI * IZR d + - (INR k * (2 * PI *
    IZR d / INR n)))
    by (field; lra).
  now rewrite cos_turns, cos_neg.
Qed.
Lemma bsum_first m f : bsum (S m) f = f 0%nat + bsum m (fun k => f (S k)).
Proof. change (S m) with (1 + m)%nat. rewrite bsum_add. simpl. ring. Qed.
Lemma bsum_backwards m f : bsum m f = bsum m (fun k => f (m - 1 - k)%nat).
Proof.
  induction m; [ reflexivity |]. rewrite (bsum_first m (fun k => f (S m - 1 - k)%nat)). cbn [bsum].
    rewrite IHm.
  replace (S m - 1 - 0)%nat with m by lia. rewrite Rplus_comm. f_equal. apply bsum_ext;
    intros k Hk. f_equal. lia.
Qed.
(* frequencies k and n - k are one *)
Lemma folded f : (0 < n)%nat -> (forall k, (k <= n)%nat -> f (n - k)%nat = f k) ->
  bsum bins (fun k => weight k * f k) = bsum n f.
Proof.
  intros Hn Hf. unfold bins. set (m := (n / 2)%nat). assert (Hm := Nat.div_mod n 2 ltac:(lia)).
    fold m in Hm.
  assert (Hr := Nat.mod_upper_bound n 2 ltac:(lia)).
  assert (W : forall k, (0 < k)%nat -> (2 * k <> n)%nat -> weight k = 2).
  { intros k H1 H2. unfold weight. destruct (Nat.eqb_spec k 0); [ lia |].
    destruct (Nat.eqb_spec (2 * k) n); [ lia | reflexivity ]. }
  rewrite bsum_first. replace (weight 0) with 1 by reflexivity.
  destruct (Nat.eq_dec (n mod 2) 0) as [E|E].
  - (* n = 2 m *)
    destruct m as [|p]; [ lia |]. rewrite E in Hm. cbn [bsum].
    replace (weight (S p)) with 1 by (unfold weight; destruct (Nat.eqb_spec (2 * S p) n);
      [ now rewrite Bool.orb_true_r | lia ]).
    rewrite (bsum_ext p _ (fun k => f (S k) + f (n - S k)%nat)) by (intros k Hk; rewrite W,
      Hf by lia; ring).
    rewrite bsum_plus. replace (bsum n f) with (bsum (S p + S p) f) by (f_equal; lia).
    rewrite bsum_add, bsum_first, (bsum_first p (fun i => f (S p + i)%nat)).
    rewrite (bsum_backwards p (fun k => f (S p + S k)%nat)).
    rewrite (bsum_ext p (fun k => f (S p + S (p - 1 - k))%nat) (fun k => f (n - S k)%nat))
      by (intros k Hk; f_equal; lia).
    replace (S p + 0)%nat with (S p) by lia. ring.
  - (* n = 2 m + 1 *)
    rewrite (bsum_ext m _ (fun k => f (S k) + f (n - S k)%nat)) by (intros k Hk; rewrite W,
      Hf by lia; ring).
    rewrite bsum_plus. replace (bsum n f) with (bsum (S m + m) f) by (f_equal; lia).
    rewrite bsum_add, bsum_first.
    rewrite (bsum_backwards m (fun k => f (S m + k)%nat)).
    rewrite (bsum_ext m (fun k => f (S m + (m - 1 - k))%nat) (fun k => f (n - S k)%nat))
      by (intros k Hk; f_equal; lia).
    ring.
Qed.
Theorem irfft_of_rfft x j : (0 < n)%nat -> (j < n)%nat ->
  irfft (fun a k => rfft x (match a with O => k | _ => bins + k end)%nat) j = x 0%nat j.
Proof.
  intros Hn Hj. assert (N : 0 < INR n) by now apply lt_0_INR. unfold irfft.
  rewrite (bsum_ext bins _ (fun k => bsum n (fun l => x 0%nat l * (weight k * apart (Z.of_nat j -
    Z.of_nat l) k)))).
  - rewrite bsum_swap.
    rewrite (bsum_ext n _ (fun l => (if Nat.eqb l j then 1 else 0) * (x 0%nat l * INR n))).
    + rewrite (bsum_one n j (fun l => x 0%nat l * INR n)) by exact Hj. field. lra.
    + intros l Hl. rewrite bsum_scal, folded by (try (intros; apply apart_back); assumption).
      rewrite all_cosines by lia. destruct (Z.eq_dec _ _), (Nat.eqb_spec l j); try lia; ring.
  - intros k Hk. unfold rfft. destruct (Nat.ltb_spec k bins); [| lia ].
      destruct (Nat.ltb_spec (bins + k) bins); [ lia |].
    replace (bins + k - bins)%nat with k by lia.
    rewrite (bsum_ext n (fun l => x 0%nat l * (weight k * _))
      (fun l => weight k * (x 0%nat l * cos (turn l k) * cos (turn j k)
      + x 0%nat l * sin (turn l k) * sin (turn j k)))).
    + rewrite bsum_scal, bsum_plus, !bsum_scal_r. ring.
    + intros l _. unfold apart. rewrite minus_IZR, <- !INR_IZR_INZ.
      replace (INR k * (2 * PI * (INR j - INR l) / INR n)) with (turn j k - turn l k)
        by (unfold turn; field; lra).
      rewrite cos_minus. ring.
Qed.
(* the imaginary parts of the frequencies that stand for themselves play no part *)
Theorem irfft_ignores x y j : (0 < n)%nat -> (forall k, x 0%nat k = y 0%nat k) ->
  (forall k, weight k = 2 -> x 1%nat k = y 1%nat k) -> irfft x j = irfft y j.
Proof.
  intros Hn H0 H1. unfold irfft. f_equal. apply bsum_ext; intros k Hk. rewrite H0.
  destruct (Nat.eqb_spec k 0) as [->|A].
  - replace (turn j 0) with 0 by (unfold turn; simpl; unfold Rdiv; ring). rewrite sin_0. ring.
  - destruct (Nat.eqb_spec (2 * k) n) as [B|B].
    + replace (sin (turn j k)) with 0; [ ring |]. symmetry. apply sin_eq_0_1. exists (Z.of_nat j).
      rewrite <- INR_IZR_INZ. unfold turn. rewrite <- B, mult_INR. simpl (INR 2). field.
      apply not_0_INR. exact A.
    + rewrite H1; [ reflexivity |]. unfold weight. destruct (Nat.eqb_spec k 0); [ lia |].
      destruct (Nat.eqb_spec (2 * k) n); [ lia | reflexivity ].
Qed.
End Fourier.
