(* The mean square of ref/norm_pair.h and its inverse root are bounds.
 A row x of n numbers has the real mean m and the mean
   square v about it; a kernel's own mean is d off, and since
   sum (x - c)^2 = sum (x - m)^2 + n (c - m)^2, that enters its mean square by d^2 and upwards. *)
From Flocq Require Import Core Relative.
Require Import Reals Lra Psatz List Permutation ZArith Lia.
From Theory Require Import Sums Round Nodes NodesOfFunctions FloatSum SumNodes.
Import ListNotations.
Open Scope R_scope.

(* ---------------------------------------------------------------- the nodes,
 as in ref/norm_pair.h *)
Definition inv_root (v eps : R) : R := 1 / sqrt (v + eps).
Definition p_count ar (n : Z) : err_pair :=
  if Rle_dec (IZR n * a_u ar) 1 then ErrPair (IZR n) 0 else p_const ar (IZR n).
Definition p_up ar v d w : R := d * d + p_gam (a_u ar) w * (v + d * d) + 4 * a_eta ar.
Definition p_down ar v w : R := p_gam (a_u ar) w * v + 4 * a_eta ar.
Definition p_high ar v d eps w : R := (v + p_up ar v d w + eps) * (1 + a_u ar).
Definition p_low ar v eps w : R := (v - p_down ar v w + eps) * (1 - a_u ar).
Definition p_rstd_of ar v d eps (n : Z) w : err_pair :=
  if Rlt_dec d vacuous then if Rle_dec (IZR n * p_high ar v d eps w) (a_big ar) then
  if Rlt_dec 0 (p_low ar v eps w) then
    p_mono ar (inv_root v eps) (inv_root (p_high ar v d eps w) 0) (inv_root (p_low ar v eps w) 0)
      (k_rsqrt ar)
  else ErrPair 0 vacuous else ErrPair 0 vacuous else ErrPair 0 vacuous.
Definition p_rstd ar v d eps (n : Z) w : err_pair :=
  p_rstd_of ar v d eps n (if Rle_dec (IZR n * a_u ar) 1 then w else w + 1).

(* ---------------------------------------------------------------- errors g relative, e absolute *)
Definition off (g e x y : R) : Prop := Rabs (y - x) <= g * x + e.
Lemma off_then g e g' e' x y z : 0 <= x -> 0 <= g' -> off g e x y ->
  Rabs (z - y) <= g' * Rabs y + e' -> off ((1 + g) * (1 + g') - 1) ((1 + g') * e + e') x z.
Proof.
  unfold off. intros X G H K.
  assert (Y : Rabs y <= x + (g * x + e)).
  { generalize (near_abs y x). rewrite (Rabs_pos_eq x X). lra. }
  assert (Z := split_abs z y x).
  assert (g' * Rabs y <= g' * (x + (g * x + e))) by now apply Rmult_le_compat_l. lra.
Qed.
Lemma off_weaker g e g' e' x y : 0 <= x -> g <= g' -> e <= e' -> off g e x y -> off g' e' x y.
Proof. unfold off. intros X G E H. assert (g * x <= g' * x) by now apply Rmult_le_compat_r. lra.
Qed.
Lemma off_scaled g e x y c : 0 <= c -> off g e x y -> off g (c * e) (c * x) (c * y).
Proof.
  unfold off. intros C H. replace (c * y - c * x) with (c * (y - x)) by ring.
  rewrite Rabs_mult, (Rabs_pos_eq c C).
  assert (c * Rabs (y - x) <= c * (g * x + e)) by now apply Rmult_le_compat_l. lra.
Qed.

(* ---------------------------------------------------------------- sums about a center *)
Definition square_sum (n : nat) (x : nat -> R) (c : R) : R := bsum n (fun i => (x i - c)
  * (x i - c)).
Lemma square_sum_pos n x c : 0 <= square_sum n x c.
Proof. apply bsum_nonneg. intro i. apply Rle_0_sqr. Qed.
Theorem about_the_mean n x c m : INR n * m = bsum n x ->
  square_sum n x c = square_sum n x m + INR n * ((c - m) * (c - m)).
Proof.
  intro M. unfold square_sum.
  rewrite (bsum_ext n _ (fun i => (x i - m) * (x i - m) + (2 * (m - c) * x i + (c * c - m * m))))
    by (intros; ring).
  rewrite bsum_plus, bsum_plus, bsum_scal, bsum_const, <- M. ring.
Qed.
Lemma bsum_le n f g : (forall i, (i < n)%nat -> f i <= g i) -> bsum n f <= bsum n g.
Proof. induction n; simpl; intro H; [ lra |]. assert (K := H n (Nat.lt_succ_diag_r n)).
assert (bsum n f <= bsum n g) by (apply IHn; intros; apply H; lia). lra. Qed.
Lemma bsum_abs n f : Rabs (bsum n f) <= bsum n (fun i => Rabs (f i)).
Proof.
  induction n; simpl; [ rewrite Rabs_R0; lra |]. generalize (Rabs_triang (bsum n f) (f n)). lra.
Qed.
Lemma bsum_part n f i : (i < n)%nat -> (forall j, 0 <= f j) -> f i <= bsum n f.
Proof.
  intros H P. induction n; [ lia |]. simpl. destruct (Nat.eq_dec i n) as [->|E].
  - generalize (bsum_nonneg n f P). lra.
  - assert (i < n)%nat by lia. generalize (P n). specialize (IHn H0). lra.
Qed.
Lemma sum_of_list n (f : nat -> R) (g : R * R -> R) (t : nat -> R * R) : (forall i, g (t i) = f i)
  ->
  total_of g (map t (seq 0 n)) = bsum n f.
Proof.
  intro H. induction n; [ easy |].
  rewrite seq_S, map_app, total_app, IHn. simpl. rewrite H. ring.
Qed.

Section MeanSquareNode.
Variables (e_min prec : Z) (ar : arithmetic).
Hypothesis declared : declares e_min prec ar.
Let one_u : R := a_u ar.

Lemma fl_is x : Rabs (rnd e_min prec x) <= a_big ar -> fl e_min prec ar x = Some (rnd e_min prec x).
Proof. intro H. unfold fl. destruct (Rle_dec (Rabs (rnd e_min prec x)) (a_big ar));
  [ easy | lra ]. Qed.
Lemma fl_in_format x y : fl e_min prec ar x = Some y -> in_format e_min prec y.
Proof.
  unfold fl. destruct (Rle_dec (Rabs (rnd e_min prec x)) (a_big ar)); [| discriminate ].
  intro H. injection H as <-. apply rnd_in_format, (proj1 declared).
Qed.
Lemma sub_err_in_ar x y : in_format e_min prec x -> in_format e_min prec y ->
  Rabs (rnd e_min prec (x - y) - (x - y)) <= one_u * Rabs (x - y).
Proof.
  intros X Y. eapply Rle_trans; [ apply sub_err; auto; apply (proj1 declared) |].
  apply Rmult_le_compat_r; [ apply Rabs_pos | apply (proj1 (proj2 declared)) ].
Qed.
Lemma add_err_in_ar x y : in_format e_min prec x -> in_format e_min prec y ->
  Rabs (rnd e_min prec (x + y) - (x + y)) <= one_u * Rabs (x + y).
Proof.
  intros X Y. eapply Rle_trans; [ apply add_err; auto; apply (proj1 declared) |].
  apply Rmult_le_compat_r; [ apply Rabs_pos | apply (proj1 (proj2 declared)) ].
Qed.

(* n as a divisor: n itself where it has no more digits than the arithmetic, else n rounded *)
Definition divisor_of (n : nat) (c : flnum) : Prop :=
  c = if Rle_dec (INR n * one_u) 1 then Some (INR n) else fl e_min prec ar (INR n).
Theorem p_count_stands n c : divisor_of n c -> stands (p_count ar (Z.of_nat n)) (INR n) c.
Proof.
  intros ->. unfold p_count. rewrite <- INR_IZR_INZ. fold one_u. destruct (Rle_dec (INR n * one_u)
    1).
  - apply exact_stands.
  - exact (p_const_stands e_min prec ar declared (INR n)).
Qed.

(* ---- the mean square ---- *)

Let grow (m : R) : R := 1 + gam one_u m.
Section MeanSquare.
Variables (n h : nat) (dev off_center : nat -> R) (r a v z d eps w : R) (total_sq cnt quo : flnum).
Let more : R := if Rle_dec (INR n * one_u) 1 then 0 else 1.
(* dev i: the computed x i - c, r relative off, which is worth a roundings of its square;
   z = (c - m)^2, not above d^2 *)
Hypothesis some_elements : (0 < n)%nat.
Hypothesis devs : forall i, Rabs (dev i - off_center i) <= r * Rabs (off_center i).
Hypothesis r_pos : 0 <= r.
Hypothesis a_pos : 0 <= a.
Hypothesis r_twice : (1 + r) * (1 + r) <= grow a.
Hypothesis spread_about : bsum n (fun i => off_center i * off_center i) = INR n * (v + z).
Hypothesis v_pos : 0 <= v.
Hypothesis z_pos : 0 <= z.
Hypothesis z_below : z <= d * d.
Hypothesis eps_pos : 0 < eps.
Hypothesis enough : a + (INR h + 1) + more + 2 <= w.
Hypothesis few_enough : w * one_u <= / 2.
Hypothesis high_fits : INR n * p_high ar v d eps w <= a_big ar.
(* n is far below what can be represented, and so is its inverse *)
Hypothesis n_small : 2 * INR n * bpow radix2 (e_min + prec) <= 1 /\ 2 * INR n <= a_big ar /\
  INR n * a_eta ar <= 1 /\ 4 * one_u * a_big ar < vacuous.

Lemma rs_u : 0 < one_u. Proof. exact (u_pos e_min prec ar declared). Qed.
Lemma rs_u4 : one_u <= / 4. Proof. exact (u_small e_min prec ar declared). Qed.
Lemma rs_eta : 0 < a_eta ar. Proof. exact (a_eta_pos e_min prec ar declared). Qed.
Lemma rs_n : 1 <= INR n. Proof. replace 1 with (INR 1) by reflexivity. apply le_INR. lia. Qed.
Lemma rs_more : 0 <= more. Proof. unfold more. destruct (Rle_dec (INR n * one_u) 1); lra. Qed.
Lemma rs_w : 3 <= w. Proof. generalize (pos_INR h) rs_more. lra. Qed.
Lemma grow_mono x y : 0 <= x -> x <= y -> y <= w -> grow x <= grow y.
Proof.
  intros. unfold grow. apply Rplus_le_compat_l, gam_mono; auto. apply Rlt_le, rs_u.
  assert (y * one_u <= w * one_u) by (apply Rmult_le_compat_r; [ apply Rlt_le, rs_u | easy ]). lra.
Qed.
Lemma grow_ge1 x : 0 <= x -> x <= w -> 1 <= grow x.
Proof.
  intros X W. apply Rle_trans with (grow 0); [ unfold grow; rewrite gam_0; lra |].
  apply grow_mono; lra.
Qed.
Lemma grow_w : grow w <= 2.
Proof.
  unfold grow. rewrite gam_inv by lra. replace 2 with (/ / 2) by (apply Rinv_inv).
  apply Rinv_le_contravar; lra.
Qed.
Lemma grow_both x y : 0 <= x -> 0 <= y -> x + y <= w -> grow x * grow y <= grow (x + y).
Proof.
  intros X Y W. unfold grow. apply gam_compose; auto. apply Rlt_le, rs_u.
  assert ((x + y) * one_u <= w * one_u) by (apply Rmult_le_compat_r; [ apply Rlt_le,
    rs_u | easy ]). lra.
Qed.
Lemma grow_1 : 1 + one_u <= grow 1.
Proof. apply gam_1; generalize rs_u rs_u4; lra. Qed.
Lemma grow_h : (1 + one_u) ^ h <= grow (INR h).
Proof.
  apply pow_gam. apply Rlt_le, rs_u. generalize (pos_INR h) rs_more; intros.
  assert (INR h * one_u <= w * one_u) by (apply Rmult_le_compat_r; [ apply Rlt_le, rs_u | lra ]).
  lra.
Qed.
Lemma p_gam_1 : 1 + p_gam one_u 1 = grow 1.
Proof. unfold grow, one_u. rewrite p_gam_is; [ easy | lra |]. generalize rs_u4. unfold one_u. lra.
Qed.
Lemma p_gam_w : 1 + p_gam one_u w = grow w.
Proof.
  unfold grow, one_u. rewrite p_gam_is; [ easy | generalize rs_w; lra |]. fold one_u. lra.
Qed.

Let squares : R := bsum n (fun i => dev i * dev i).
Lemma squares_pos : 0 <= squares.
Proof. apply bsum_nonneg. intro i. apply Rle_0_sqr. Qed.
Lemma squares_off : off (grow a - 1) 0 (INR n * (v + z)) squares.
Proof.
  unfold off, squares. rewrite <- spread_about, <- bsum_minus, Rplus_0_r.
  eapply Rle_trans; [ apply bsum_abs |]. rewrite <- bsum_scal. apply bsum_le. intros i _.
  set (y := dev i). set (t := off_center i). assert (H := devs i). fold y t in H.
  replace (y * y - t * t) with ((y - t) * (y + t)) by ring. rewrite Rabs_mult.
  assert (Y : Rabs (y + t) <= (2 + r) * Rabs t).
  { replace (y + t) with ((y - t) + 2 * t) by ring. eapply Rle_trans; [ apply Rabs_triang |].
    rewrite Rabs_mult, (Rabs_pos_eq 2) by lra. lra. }
  apply Rle_trans with (r * Rabs t * ((2 + r) * Rabs t)).
  - apply Rmult_le_compat; auto using Rabs_pos.
  - replace (t * t) with (Rabs t * Rabs t) by (rewrite <- Rabs_mult; apply Rabs_pos_eq, Rle_0_sqr).
    replace (r * Rabs t * ((2 + r) * Rabs t)) with (((1 + r) * (1 + r) - 1) * (Rabs t * Rabs t))
      by ring.
    apply Rmult_le_compat_r; [| lra ]. apply Rmult_le_pos; apply Rabs_pos.
Qed.

Let room : R := INR n * (v + p_up ar v d w).
Lemma room_fits : room <= INR n * p_high ar v d eps w.
Proof.
  unfold room. apply Rmult_le_compat_l; [ apply pos_INR |]. unfold p_high.
  assert (0 <= v + p_up ar v d w + eps).
  { unfold p_up. fold one_u. generalize (Rle_0_sqr d) rs_eta. unfold Rsqr. intros.
    assert (0 <= p_gam one_u w * (v + d * d)) by (apply Rmult_le_pos; [| lra ];
      apply (p_gam_pos e_min prec ar declared)). lra. }
  assert (Q := Rmult_le_pos _ _ H (Rlt_le _ _ rs_u)). fold one_u. lra.
Qed.
Lemma grown_fits x : x <= grow w -> x * (INR n * (v + z)) + grow w * (INR n * a_eta ar) <= room.
Proof.
  intro X. generalize rs_n rs_eta grow_w; intros N E W.
  replace room with (INR n * ((1 + p_gam one_u w) * (v + d * d) + 4 * a_eta ar))
    by (unfold room, p_up; fold one_u; ring).
  rewrite p_gam_w. replace (x * (INR n * (v + z)) + grow w * (INR n * a_eta ar))
    with (INR n * (x * (v + z) + grow w * a_eta ar)) by ring.
  apply Rmult_le_compat_l; [ lra |]. apply Rplus_le_compat.
  - apply Rle_trans with (grow w * (v + z)); [ apply Rmult_le_compat_r; lra |].
    apply Rmult_le_compat_l; [| lra ]. generalize rs_w (grow_ge1 w). lra.
  - apply Rmult_le_compat_r; lra.
Qed.
Lemma squares_fit : squares <= a_big ar.
Proof.
  eapply Rle_trans; [| exact high_fits ]. eapply Rle_trans; [| apply room_fits ].
  generalize (pos_INR h) rs_more rs_n rs_eta; intros.
  eapply Rle_trans; [| apply (grown_fits (grow a)) ].
  - assert (SO := squares_off). unfold off in SO. assert (T := Rle_abs (squares - INR n * (v + z))).
    assert (0 <= grow w * (INR n * a_eta ar)).
    { apply Rmult_le_pos; [ generalize rs_w (grow_ge1 w); lra | apply Rmult_le_pos; lra ]. } lra.
  - apply grow_mono; lra.
Qed.
(* a deviation is in range, for its square is *)
Lemma dev_fits i : (i < n)%nat -> Rabs (dev i) <= a_big ar.
Proof.
  intro I. assert (B : 1 <= a_big ar) by (generalize declared; intros [_ [_ [_ [_ [_ B]]]]];
    exact B).
  destruct (Rle_or_lt (Rabs (dev i)) 1) as [H|H]; [ lra |].
  assert (K : dev i * dev i <= squares).
  { apply (bsum_part n (fun i => dev i * dev i)); auto. intro j. apply Rle_0_sqr. }
  assert (dev i * dev i = Rabs (dev i) * Rabs (dev i))
    by (rewrite <- Rabs_mult; symmetry; apply Rabs_pos_eq, Rle_0_sqr).
  generalize squares_fit. nra.
Qed.

Let square_terms : list R := map (fun i => dev i * dev i) (seq 0 n).
Lemma terms_values : sum_values (products ar square_terms) = squares.
Proof.
  unfold sum_values, products, square_terms. rewrite map_map. now apply sum_of_list.
Qed.
Lemma terms_sizes : sizes (products ar square_terms) = squares.
Proof.
  unfold sizes, products, square_terms. rewrite map_map. apply sum_of_list. intro i.
  apply Rabs_pos_eq,
    Rle_0_sqr.
Qed.
Lemma terms_errors : errors (products ar square_terms) = p_gam one_u 1 * squares + INR n * a_eta ar.
Proof.
  rewrite products_errors, terms_sizes. unfold square_terms. now rewrite map_length, seq_length.
Qed.

Hypothesis sums : exists s', summed e_min prec ar h true 0 (products ar square_terms) total_sq s'.
Hypothesis counts : divisor_of n cnt.
Hypothesis divides : of2 (divs e_min prec ar 2) total_sq cnt quo.

Lemma sum_off : exists s, total_sq = Some s /\ in_format e_min prec s /\
  off (grow (a + (INR h + 1)) - 1) (grow (INR h) * (INR n * a_eta ar)) (INR n * (v + z)) s.
Proof.
  destruct sums as [s' S]. generalize (pos_INR h) rs_more rs_n rs_eta rs_u squares_pos; intros.
  assert (E0 : 0 <= INR n * a_eta ar) by (apply Rmult_le_pos; lra).
  assert (Q1 : grow a * grow (INR h + 1) <= grow (a + (INR h + 1))) by (apply grow_both; lra).
  assert (Q2 : grow (INR h) * grow 1 <= grow (INR h + 1)) by (apply grow_both; lra).
  assert (Q3 : 1 <= grow (INR h)) by (apply grow_ge1; lra).
  assert (Q4 : 1 <= grow 1) by (apply grow_ge1; generalize rs_w; lra).
  assert (Q5 : 1 <= grow a) by (apply grow_ge1; lra).
  assert (Q6 : grow (INR h) <= grow w) by (apply grow_mono; lra).
  assert (Q7 : grow (a + (INR h + 1)) <= grow w) by (apply grow_mono; lra).
  assert (X : 0 <= INR n * (v + z)) by (apply Rmult_le_pos; lra).
  assert (SQ := squares_off). assert (PH := grow_h). assert (G1 := p_gam_1).
  assert (P1 : 1 <= (1 + one_u) ^ h) by (apply pow_R1_Rle; lra).
  assert (TOT : squares + (p_gam one_u 1 * squares + INR n * a_eta ar) =
    grow 1 * squares + INR n * a_eta ar) by (rewrite <- G1; ring).
  assert (M1 : (1 + one_u) ^ h * (grow 1 * squares + INR n * a_eta ar) <=
    grow (INR h + 1) * squares + grow (INR h) * (INR n * a_eta ar)).
  { apply Rle_trans with (grow (INR h) * (grow 1 * squares + INR n * a_eta ar)).
    - apply Rmult_le_compat_r; [| easy ]. assert (0 <= grow 1 * squares) by (apply Rmult_le_pos;
        lra). lra.
    - assert (grow (INR h) * grow 1 * squares <= grow (INR h + 1) * squares)
        by (apply Rmult_le_compat_r; lra). lra. }
  assert (SX : squares <= grow a * (INR n * (v + z))).
  { unfold off in SQ. generalize (Rle_abs (squares - INR n * (v + z))). lra. }
  assert (M2 : grow (INR h + 1) * squares <= grow (a + (INR h + 1)) * (INR n * (v + z))).
  { apply Rle_trans with (grow (INR h + 1) * (grow a * (INR n * (v + z)))).
    - apply Rmult_le_compat_l; [ generalize (grow_ge1 (INR h + 1)); lra | easy ].
    - rewrite <- Rmult_assoc, (Rmult_comm (grow (INR h + 1))). now apply Rmult_le_compat_r. }
  assert (M3 : grow (INR h) * (INR n * a_eta ar) <= grow w * (INR n * a_eta ar))
    by now apply Rmult_le_compat_r.
  assert (FIT := grown_fits _ Q7). assert (RF := room_fits).
  destruct (summed_bounded e_min prec ar declared _ _ _ _ _ _ S) as [s B].
  - rewrite terms_errors. destruct n_small as [_ [_ [NE V]]]. assert (SF := squares_fit).
    assert (p_gam one_u 1 <= 2 * one_u).
    { unfold one_u. rewrite p_gam_is; [| lra | generalize rs_u4; unfold one_u; lra ]. fold one_u.
      unfold gam.
      rewrite Rmult_1_l. generalize rs_u4; intro.
      apply (Rmult_le_reg_r (1 - one_u)); [ lra |]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra.
      nra. }
    assert (p_gam one_u 1 * squares <= 2 * one_u * squares) by (apply Rmult_le_compat_r; lra).
    assert (2 * one_u * squares <= 2 * one_u * a_big ar) by (apply Rmult_le_compat_l; lra).
    assert (4 <= vacuous) by (unfold vacuous; apply IZR_le; discriminate). lra.
  - rewrite terms_sizes, terms_errors. change (a_u ar) with one_u. rewrite TOT. lra.
  - destruct B as [-> [F [_ [_ [_ [_ [_ B]]]]]]]. exists s. split; [ easy |]. split;
      [ now apply F |].
    rewrite terms_values, terms_sizes, terms_errors in B. simpl INR in B.
    rewrite Rmult_0_l, !Rminus_0_r in B. change (a_u ar) with one_u in B. rewrite TOT in B.
    assert (M4 : (grow (INR h + 1) - 1) * squares <= (grow (INR h + 1) - 1) *
      (grow a * (INR n * (v + z)))).
    { apply Rmult_le_compat_l; [ generalize (grow_ge1 (INR h + 1)); lra | easy ]. }
    assert (M5 : grow a * grow (INR h + 1) * (INR n * (v + z)) <=
      grow (a + (INR h + 1)) * (INR n * (v + z))) by now apply Rmult_le_compat_r.
    assert (Z := split_abs s squares (INR n * (v + z))).
    assert (TW : p_gam one_u 1 * squares = grow 1 * squares - squares) by (rewrite <- G1; ring).
    rewrite TW in B. unfold off in *. lra.
Qed.

(* ---- the quotient by n ---- *)

Lemma normal_err x : bpow radix2 (e_min + prec - 1) <= Rabs x ->
  Rabs (rnd e_min prec x - x) <= one_u * Rabs x.
Proof.
  intro H. eapply Rle_trans.
  - exact (relative_error_N_FLT radix2 e_min prec (proj1 declared) (fun z => negb (Z.even z)) x H).
  - apply Rmult_le_compat_r; [ apply Rabs_pos |]. eapply Rle_trans;
      [| apply (proj1 (proj2 declared)) ].
    right. unfold unit_of. rewrite bpow_plus. change (bpow radix2 1) with 2. field.
Qed.
Lemma below_normal x : 1 <= 2 * INR n * x -> bpow radix2 (e_min + prec - 1) <= x.
Proof.
  intro H. apply Rle_trans with (bpow radix2 (e_min + prec)); [ apply bpow_le; lia |].
  destruct n_small as [K _]. assert (N := rs_n). generalize (bpow_gt_0 radix2 (e_min + prec));
    intro B.
  apply (Rmult_le_reg_l (2 * INR n)); lra.
Qed.
Lemma big_1 : 1 <= a_big ar.
Proof. generalize declared; intros [_ [_ [_ [_ [_ B]]]]]. exact B. Qed.
Lemma number_is : exists c, cnt = Some c /\ 1 <= c /\ c <= 2 * INR n /\
  Rabs (INR n - c) <= (grow more - 1) * c.
Proof.
  assert (C := counts). unfold divisor_of in C. unfold more, grow. generalize rs_n rs_u rs_u4;
    intros N U U4.
  destruct (Rle_dec (INR n * one_u) 1) as [L|L].
  - exists (INR n). rewrite gam_0. repeat split; auto; try lra.
    unfold Rminus. rewrite !Rplus_opp_r, Rabs_R0, Rplus_0_r, Rplus_opp_r. lra.
  - assert (E : Rabs (rnd e_min prec (INR n) - INR n) <= one_u * INR n).
    { rewrite <- (Rabs_pos_eq (INR n)) at 3 by lra. apply normal_err. rewrite Rabs_pos_eq by lra.
      apply below_normal. nra. }
    assert (E2 := Rle_abs (rnd e_min prec (INR n) - INR n)).
    assert (E3 := Rle_abs (- (rnd e_min prec (INR n) - INR n))). rewrite Rabs_Ropp in E3.
    assert (K : one_u * INR n <= / 4 * INR n) by (apply Rmult_le_compat_r; lra).
    assert (4 <= INR n).
    { apply Rnot_le_lt in L. destruct (Rle_or_lt 4 (INR n)) as [|F]; [ easy |].
      assert (INR n * one_u <= 4 * / 4); [| lra ]. apply Rmult_le_compat; lra. }
    exists (rnd e_min prec (INR n)). rewrite C, fl_is.
    + repeat split; try lra. unfold gam. rewrite Rmult_1_l, Rabs_minus_sym.
      eapply Rle_trans; [ exact E |]. replace (1 + one_u / (1 - one_u) - 1)
        with (one_u * / (1 - one_u))
        by (field; lra).
      rewrite Rmult_assoc. apply Rmult_le_compat_l; [ lra |].
      apply (Rmult_le_reg_l (1 - one_u)); [ lra |]. rewrite <- Rmult_assoc, Rinv_r,
        Rmult_1_l by lra.
      lra.
    + destruct n_small as [_ [B _]]. rewrite Rabs_pos_eq; lra.
Qed.
(* what divs allows, at s and c *)
Lemma divided s c : 1 <= c -> c <= 2 * INR n -> total_sq = Some s -> cnt = Some c -> exists y,
  in_format e_min prec y /\ Rabs (y - s / c) <= (grow 2 - 1) * Rabs (s / c) + a_eta ar /\
  (Rabs y <= a_big ar -> quo = Some y).
Proof.
  intros C C2 S K. generalize rs_u rs_u4 rs_w; intros U U4 W.
  assert (P := proj1 declared). assert (Q := Rabs_pos (s / c)).
  assert (G : 1 + (2 * one_u + one_u * one_u) <= grow 2).
  { unfold grow. generalize (pow_gam one_u (Rlt_le _ _ U) 2). simpl. replace (1 + 1) with 2 by ring.
    intro H. lra. }
  assert (A : 0 <= (grow 2 - 1 - one_u) * Rabs (s / c)) by (apply Rmult_le_pos; nra).
  destruct (divides s c S K) as [H|[_ H]].
  - exists (rnd e_min prec (s / c)). split; [ now apply rnd_in_format |]. split.
    + generalize (rnd_err_in_A e_min prec ar declared (s / c)). fold one_u. lra.
    + intro B. rewrite H. now apply fl_is.
  - assert (I0 : 0 < / c) by (apply Rinv_0_lt_compat; lra).
    assert (I1 : / c <= 1) by (rewrite <- Rinv_1; apply Rinv_le_contravar; lra).
    assert (I : Rabs (1 / c) <= a_big ar).
    { unfold Rdiv. rewrite Rmult_1_l, Rabs_pos_eq by lra. generalize big_1. lra. }
    set (t := rnd e_min prec (1 / c)) in *.
    assert (T : Rabs (t - 1 / c) <= one_u * / c).
    { unfold t. rewrite <- (Rabs_pos_eq (/ c)) by lra. replace (/ c) with (1 / c) by (unfold Rdiv;
        ring).
      apply normal_err. replace (1 / c) with (/ c) by (unfold Rdiv; ring).
      rewrite Rabs_pos_eq by lra.
      apply below_normal. apply (Rmult_le_reg_r c); [ lra |]. rewrite Rmult_assoc, Rinv_l by lra.
      lra. }
    assert (F : fl e_min prec ar (1 / c) = Some t).
    { apply fl_finite with (m := a_big ar); auto; [ apply (big_format e_min prec ar declared)
        | lra ]. }
    exists (rnd e_min prec (s * t)). split; [ now apply rnd_in_format |]. split.
    + assert (X : Rabs (s * t - s / c) <= one_u * Rabs (s / c)).
      { replace (s * t - s / c) with (s * (t - 1 / c)) by (unfold Rdiv; ring). rewrite Rabs_mult.
        unfold Rdiv. rewrite Rabs_mult, (Rabs_pos_eq (/ c)) by lra.
        assert (Rabs s * Rabs (t - 1 / c) <= Rabs s * (one_u * / c))
          by (apply Rmult_le_compat_l; [ apply Rabs_pos | easy ]). unfold Rdiv in *. lra. }
      assert (Y := rnd_err_in_A e_min prec ar declared (s * t)). fold one_u in Y.
      assert (Z := near_abs (s * t) (s / c)). assert (V := split_abs (rnd e_min prec (s * t))
        (s * t) (s / c)).
      assert (one_u * Rabs (s * t) <= one_u * ((1 + one_u) * Rabs (s / c)))
        by (apply Rmult_le_compat_l; lra).
      assert ((2 * one_u + one_u * one_u) * Rabs (s / c) <= (grow 2 - 1) * Rabs (s / c))
        by (apply Rmult_le_compat_r; lra). lra.
    + intro B. rewrite (H t F). now apply fl_is.
Qed.
Theorem mean_square_off : exists q, quo = Some q /\ in_format e_min prec q /\
  Rabs (q - (v + z)) <= p_gam one_u w * (v + z) + 4 * a_eta ar.
Proof.
  destruct sum_off as [s [S [SF SO]]]. destruct number_is as [c [C [C1 [C2 CO]]]].
  destruct (divided s c C1 C2 S C) as [y [YF [YO Y]]].
  generalize rs_n rs_eta (pos_INR h) rs_more rs_w; intros N E NH M W.
  assert (X : 0 <= v + z) by lra.
  assert (I0 : 0 < / INR n) by (apply Rinv_0_lt_compat; lra).
  assert (K1 : 1 <= grow (INR h)) by (apply grow_ge1; lra).
  assert (K2 : 1 <= grow more) by (apply grow_ge1; lra).
  assert (K3 : 1 <= grow 2) by (apply grow_ge1; lra).
  assert (K4 : grow (INR h) * grow more <= grow (INR h + more)) by (apply grow_both; lra).
  assert (K5 : grow (INR h + more) * grow 2 <= grow (INR h + more + 2)) by (apply grow_both; lra).
  assert (K6 : grow (INR h + more + 2) <= grow w) by (apply grow_mono; lra).
  assert (K7 : grow (a + (INR h + 1)) * grow more <= grow (a + (INR h + 1) + more))
    by (apply grow_both; lra).
  assert (K8 : grow (a + (INR h + 1) + more) * grow 2 <= grow (a + (INR h + 1) + more + 2))
    by (apply grow_both; lra).
  assert (K9 : grow (a + (INR h + 1) + more + 2) <= grow w) by (apply grow_mono; lra).
  assert (O1 := off_scaled _ _ _ _ (/ INR n) (Rlt_le _ _ I0) SO).
  replace (/ INR n * (INR n * (v + z))) with (v + z) in O1 by (field; lra).
  replace (/ INR n * (grow (INR h) * (INR n * a_eta ar))) with (grow (INR h) * a_eta ar)
    in O1 by (field; lra).
  assert (R1 : Rabs (s / c - / INR n * s) <= (grow more - 1) * Rabs (/ INR n * s) + 0).
  { rewrite Rplus_0_r. replace (s / c - / INR n * s) with ((INR n - c) / c * (/ INR n * s))
      by (field; lra).
    rewrite Rabs_mult. apply Rmult_le_compat_r; [ apply Rabs_pos |].
    unfold Rdiv. rewrite Rabs_mult, (Rabs_pos_eq (/ c)) by (apply Rlt_le, Rinv_0_lt_compat; lra).
    apply (Rmult_le_reg_r c); [ lra |]. rewrite Rmult_assoc, Rinv_l by lra. lra. }
  assert (O2 := off_then _ _ (grow more - 1) 0 _ _ _ X ltac:(lra) O1 R1).
  assert (O3 := off_then _ _ (grow 2 - 1) (a_eta ar) _ _ _ X ltac:(lra) O2 YO).
  assert (GW := grow_w).
  assert (L1 : grow (a + (INR h + 1)) * grow more * grow 2 <= grow w).
  { eapply Rle_trans; [| exact K9 ]. eapply Rle_trans; [| exact K8 ]. apply Rmult_le_compat_r;
      lra. }
  assert (L2 : grow (INR h) * grow more * grow 2 <= 2).
  { eapply Rle_trans; [| exact GW ]. eapply Rle_trans; [| exact K6 ]. eapply Rle_trans;
      [| exact K5 ].
    apply Rmult_le_compat_r; lra. }
  assert (O : off (grow w - 1) (4 * a_eta ar) (v + z) y).
  { eapply off_weaker; [ exact X | | | exact O3 ].
    - lra.
    - assert (grow (INR h) * grow more * grow 2 * a_eta ar <= 2 * a_eta ar)
        by (apply Rmult_le_compat_r; lra). lra. }
  assert (GP := p_gam_w). assert (Q : grow w - 1 = p_gam one_u w) by lra. rewrite Q in O.
  unfold off in O.
  exists y. split; [| easy ]. apply Y.
  assert (B := room_fits). assert (FW := grown_fits (grow w) (Rle_refl _)).
  assert (T := near_abs y (v + z)). rewrite (Rabs_pos_eq (v + z) X) in T.
  assert (H1 : Rabs y <= (1 + p_gam one_u w) * (v + d * d) + 4 * a_eta ar).
  { assert ((1 + p_gam one_u w) * (v + z) <= (1 + p_gam one_u w) * (v + d * d)); [| lra ].
    apply Rmult_le_compat_l; [| lra ]. generalize (grow_ge1 w). lra. }
  assert (H2 : v + p_up ar v d w <= room).
  { unfold room. rewrite <- (Rmult_1_l (v + p_up ar v d w)) at 1. apply Rmult_le_compat_r; [| lra ].
    unfold p_up. fold one_u. generalize (Rabs_pos y). lra. }
  unfold p_up in H2 at 1. fold one_u in H2. lra.
Qed.

(* ---- its root's inverse ---- *)

Variables (shifted root_inv : flnum).
Hypothesis eps_format : in_format e_min prec eps.
Hypothesis shifts : of1 (fun q c => c = fl e_min prec ar (q + eps)) quo shifted.
Hypothesis inverts :
  of1 (fun t c => in_ulps e_min prec ar (k_rsqrt ar) (inv_root t 0) c) shifted root_inv.
Hypothesis few_rsqrt : few ar (2 * k_rsqrt ar + 1).

Lemma inv_root_falls x y : 0 < x -> x <= y -> inv_root y 0 <= inv_root x 0.
Proof.
  intros X Y. unfold inv_root, Rdiv. rewrite !Rmult_1_l, !Rplus_0_r.
  apply Rinv_le_contravar; [ now apply sqrt_lt_R0 | now apply sqrt_le_1_alt ].
Qed.
Theorem p_rstd_stands_of_parts :
  stands (p_rstd_of ar v d eps (Z.of_nat n) w) (inv_root v eps) root_inv.
Proof.
  unfold p_rstd_of. destruct (Rlt_dec d vacuous); [| apply vacuous_stands ].
  destruct (Rle_dec _ (a_big ar)); [| apply vacuous_stands ].
  destruct (Rlt_dec 0 (p_low ar v eps w)) as [L|]; [| apply vacuous_stands ].
  destruct mean_square_off as [q [-> [QF Q]]]. generalize rs_u rs_u4 rs_eta rs_n grow_w rs_w;
    intros U U4 E N GW W.
  assert (GP := p_gam_w). assert (G1 := grow_ge1 w ltac:(lra) (Rle_refl w)).
  assert (Q1 := Rle_abs (q - (v + z))). assert (Q2 := Rle_abs (- (q - (v + z)))).
  rewrite Rabs_Ropp in Q2.
  assert (GZ : p_gam one_u w * z <= p_gam one_u w * (d * d)) by (apply Rmult_le_compat_l; lra).
  assert (GZ2 : p_gam one_u w * z <= 1 * z) by (apply Rmult_le_compat_r; lra).
  assert (HI : q + eps <= v + p_up ar v d w + eps) by (unfold p_up; fold one_u; lra).
  assert (LO : v - p_down ar v w + eps <= q + eps) by (unfold p_down; fold one_u; lra).
  assert (LP : 0 < v - p_down ar v w + eps).
  { unfold p_low in L. fold one_u in L. apply (Rmult_lt_reg_r (1 - one_u)); lra. }
  assert (AE := add_err_in_ar q eps QF eps_format). rewrite (Rabs_pos_eq (q + eps)) in AE by lra.
  assert (A1 := Rle_abs (rnd e_min prec (q + eps) - (q + eps))).
  assert (A2 := Rle_abs (- (rnd e_min prec (q + eps) - (q + eps)))). rewrite Rabs_Ropp in A2.
  assert (H1 : (q + eps) * (1 + one_u) <= p_high ar v d eps w)
    by (unfold p_high; fold one_u; apply Rmult_le_compat_r; lra).
  assert (L1 : p_low ar v eps w <= (q + eps) * (1 - one_u))
    by (unfold p_low; fold one_u; apply Rmult_le_compat_r; lra).
  assert (HB : p_high ar v d eps w <= a_big ar).
  { eapply Rle_trans; [| exact high_fits ]. rewrite <- (Rmult_1_l (p_high ar v d eps w)) at 1.
    apply Rmult_le_compat_r; lra. }
  set (t := rnd e_min prec (q + eps)) in *.
  assert (T : shifted = Some t).
  { rewrite (shifts q eq_refl). apply fl_is. fold t. rewrite Rabs_pos_eq; lra. }
  replace (inv_root v eps) with (inv_root (v + eps) 0) by (unfold inv_root; now rewrite Rplus_0_r).
  apply (p_mono_stands e_min prec ar declared (fun t => inv_root t 0) (k_rsqrt ar) (v + eps) t);
    auto.
  - apply inv_root_falls; lra.
  - apply inv_root_falls; lra.
Qed.
End MeanSquare.

End MeanSquareNode.
