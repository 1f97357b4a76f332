(* The nodes of ref/norm_pair.h are bounds: of the mean, of 1 / sqrt(mean square + eps), of what is
   normalized, and of the gradients. MeanSquare.v has the mean square. *)
From Flocq Require Import Core.
Require Import Reals Lra Psatz List Permutation ZArith Lia.
From Theory Require Import Sums Round Nodes NodesOfFunctions FloatSum SumNodes MeanSquare.
Import ListNotations.
Open Scope R_scope.

(* ---------------------------------------------------------------- the nodes,
 as in ref/norm_pair.h *)
Definition p_center ar (centered : Z) total_sq abs (n : Z) : err_pair :=
  if Z.eq_dec centered 0 then ErrPair 0 0
  else p_quo ar (p_sum ar total_sq abs 0 (a_h ar)) (p_count ar n) 2.
Definition p_off ar (centered : Z) x m : err_pair :=
  if Z.eq_dec centered 0 then ErrPair x 0 else p_sub ar (ErrPair x 0) m.
Definition p_normed ar (centered : Z) x m r gamma beta : err_pair :=
  if Z.eq_dec centered 0 then p_mul3 ar (p_off ar centered x m) r (ErrPair gamma 0)
  else p_add ar (p_mul3 ar (p_off ar centered x m) r (ErrPair gamma 0)) (ErrPair beta 0).
Definition p_pulled_hat ar (centered : Z) g gamma x m r : err_pair :=
  p_mul3 ar (p_mul ar (ErrPair g 0) (ErrPair gamma 0)) (p_off ar centered x (ErrPair m 0))
    (ErrPair r 0).
Definition p_mean_pulled ar (centered : Z) total_sq abs (n : Z) : err_pair :=
  if Z.eq_dec centered 0 then ErrPair 0 0
  else p_quo ar (p_dot ar total_sq abs (IZR n) (a_h ar)) (p_count ar n) 2.
Definition p_mean_hat ar value abs error (n : Z) : err_pair :=
  p_quo ar (p_sum ar value abs error (a_h ar)) (p_count ar n) 2.
Definition p_hat ar (centered : Z) g x m r : err_pair :=
  p_mul3 ar (ErrPair g 0) (p_off ar centered x (ErrPair m 0)) (ErrPair r 0).


(* a + b + c, rounded up to three times, times r *)
Definition p_spread ar a b c r : err_pair :=
  let v := p_v a + p_v b + p_v c in
  p_rnd ar (v * r)
    (p_cross (p_sum ar v (Rabs (p_v a) + Rabs (p_v b) + Rabs (p_v c)) (p_e a + p_e b + p_e c) 3)
       (ErrPair r 0)) 3.
Definition p_norm_dx ar centered g gamma x m r a b : err_pair :=
  p_spread ar (p_mul ar (ErrPair g 0) (ErrPair gamma 0)) (p_neg a)
    (p_neg (p_mul3 ar (p_off ar centered x (ErrPair m 0)) (ErrPair r 0) b)) r.

Section NormNodes.
Variables (e_min prec : Z) (ar : arithmetic).
Hypothesis declared : declares e_min prec ar.

(* the sum of numbers without errors, by any tree of height h *)
Lemma plain_sum_stands h n (x : nat -> R) a s : height_of ar h (a_h ar) ->
  summed e_min prec ar h true 0 (map (fun i => (x i, 0)) (seq 0 n)) s a ->
  stands (p_sum ar (bsum n x) (bsum n (fun i => Rabs (x i))) 0 (a_h ar)) (bsum n x) s.
Proof.
  intros H S.
  assert (E1 : sum_values (map (fun i => (x i, 0)) (seq 0 n)) = bsum n x) by now apply sum_of_list.
  assert (E2 : sizes (map (fun i => (x i, 0)) (seq 0 n)) = bsum n (fun i => Rabs (x i)))
    by now apply sum_of_list.
  assert (E3 : errors (map (fun i => (x i, 0)) (seq 0 n)) = 0).
  { unfold errors. rewrite (sum_of_list n (fun _ => 0)) by easy. apply bsum_0. }
  assert (T := p_sum_stands e_min prec ar declared h (a_h ar) true 0 _ s a H S).
  now rewrite E1, E2, E3 in T.
Qed.

(* the mean, which is that sum divided by n or multiplied by its rounded inverse *)
Theorem p_center_stands h n (x : nat -> R) a s c y : height_of ar h (a_h ar) ->
  summed e_min prec ar h true 0 (map (fun i => (x i, 0)) (seq 0 n)) s a ->
    divisor_of e_min prec ar n c ->
  of2 (divs e_min prec ar 2) s c y ->
  stands (p_center ar 1 (bsum n x) (bsum n (fun i => Rabs (x i))) (Z.of_nat n))
    (bsum n x / INR n) y.
Proof.
  intros H S C Y. unfold p_center. destruct (Z.eq_dec 1 0); [ discriminate |].
  apply (p_quo_stands e_min prec ar declared _ _ _ _ s c 2 y); auto.
  - lra.
  - exact (few_2 e_min prec ar declared).
  - now apply (plain_sum_stands h n x a).
  - now apply (p_count_stands e_min prec ar declared).
Qed.

(* ---- the row statistics of layer_norm (and of a channel of batch_norm), and of rms_norm ---- *)

(* n is far below the largest number and the inverse of the least *)
Definition moderate (n : nat) : Prop :=
  2 * INR n * bpow radix2 (e_min + prec) <= 1 /\ 2 * INR n <= a_big ar /\
  INR n * a_eta ar <= 1 /\ 4 * (a_u ar) * a_big ar < vacuous.
(* from the computed deviations dev to 1 / sqrt(their mean square + eps): the squares rounded or
 fused
   and added in a tree of height h, divided by n or multiplied by its rounded inverse *)
Definition rooted (n h : nat) eps (dev : nat -> flnum) (total_sq cnt quo shifted root : flnum)
  : Prop :=
  (forall y, (forall i, (i < n)%nat -> dev i = Some (y i)) ->
    exists a, summed e_min prec ar h true 0 (products ar (map (fun i => y i * y i) (seq 0 n)))
      total_sq a) /\
  divisor_of e_min prec ar n cnt /\ of2 (divs e_min prec ar 2) total_sq cnt quo /\
  of1 (fun q c => c = fl e_min prec ar (q + eps)) quo shifted /\
  of1 (fun t c => in_ulps e_min prec ar (k_rsqrt ar) (inv_root t 0) c) shifted root.

Section Row.
Variables (n h : nat) (x : nat -> R) (d eps w : R) (mean : flnum) (dev : nat -> flnum).
Variables (total_sq cnt quo shifted root : flnum).
Hypothesis some_n : (0 < n)%nat.
Hypothesis numbers : forall i, in_format e_min prec (x i).
Hypothesis eps_above : 0 < eps.
Hypothesis eps_number : in_format e_min prec eps.
Hypothesis moderate_n : moderate n.
Hypothesis few_w : (w + 1) * a_u ar <= / 2.
Hypothesis few_root : few ar (2 * k_rsqrt ar + 1).
Hypothesis program : rooted n h eps dev total_sq cnt quo shifted root.

Lemma rstd_by r a c m : INR h + 1 + 2 + a <= w -> 0 <= r -> 0 <= a ->
  (1 + r) * (1 + r) <= 1 + gam (a_u ar) a ->
  (forall i, Rabs (rnd e_min prec (x i - c) - (x i - c)) <= r * Rabs (x i - c)) ->
  square_sum n x c = square_sum n x m + INR n * ((c - m) * (c - m)) -> Rabs (c - m) <= d ->
  (forall i, dev i = fl e_min prec ar (x i - c)) ->
  stands (p_rstd ar (square_sum n x m / INR n) d eps (Z.of_nat n) w)
    (inv_root (square_sum n x m / INR n) eps) root.
Proof.
  intros W R0 A0 R2 RD SQ CM DV. unfold p_rstd. rewrite <- INR_IZR_INZ.
  assert (N : 1 <= INR n) by (replace 1 with (INR 1) by reflexivity; apply le_INR; lia).
  assert (U := u_pos e_min prec ar declared). 
  set (v := square_sum n x m / INR n).
  set (w' := if Rle_dec (INR n * a_u ar) 1 then w else w + 1).
  assert (V : 0 <= v).
  { apply Rmult_le_pos; [ apply square_sum_pos | apply Rlt_le, Rinv_0_lt_compat; lra ]. }
  assert (E : a + (INR h + 1) + (if Rle_dec (INR n * a_u ar) 1 then 0 else 1) + 2 <= w')
    by (unfold w'; destruct (Rle_dec (INR n * a_u ar) 1); lra).
  assert (F : w' * a_u ar <= / 2).
  { unfold w'. destruct (Rle_dec (INR n * a_u ar) 1); [| exact few_w ]. lra. }
  assert (Z0 : 0 <= (c - m) * (c - m)) by apply Rle_0_sqr.
  assert (ZD : (c - m) * (c - m) <= d * d).
  { replace ((c - m) * (c - m)) with (Rabs (c - m) * Rabs (c - m))
      by (rewrite <- Rabs_mult; apply Rabs_pos_eq, Rle_0_sqr).
    apply Rmult_le_compat; auto using Rabs_pos. }
  assert (S : bsum n (fun i => (x i - c) * (x i - c)) = INR n * (v + (c - m) * (c - m))).
  { change (bsum n (fun i => (x i - c) * (x i - c))) with (square_sum n x c). rewrite SQ.
    unfold v. field. lra. }
  unfold p_rstd_of at 1. destruct (Rlt_dec d vacuous) as [D|]; [| apply vacuous_stands ].
  destruct (Rle_dec (IZR (Z.of_nat n) * p_high ar v d eps w') (a_big ar)) as [B|];
    [| apply vacuous_stands ].
  rewrite <- INR_IZR_INZ in B.
  destruct program as [PS [PC [PQ [PE PR]]]].
  assert (DS : forall i, (i < n)%nat -> dev i = Some (rnd e_min prec (x i - c))).
  { intros i I. rewrite DV. apply (fl_is e_min prec ar).
    eapply (dev_fits e_min prec ar declared n h (fun i => rnd e_min prec (x i - c))
      (fun i => x i - c) r a v
      ((c - m) * (c - m)) d eps w'); eauto. }
  destruct (PS _ DS) as [a' PA].
  assert (T := p_rstd_stands_of_parts e_min prec ar declared n h (fun i => rnd e_min prec (x i -
    c)) (fun i => x i - c) r a v
    ((c - m) * (c - m)) d eps w' total_sq cnt quo some_n RD A0 R2 S V Z0 ZD eps_above E F B
      moderate_n
    (ex_intro _ a' PA) PC PQ shifted root eps_number PE PR few_root).
  unfold p_rstd_of in T. rewrite <- INR_IZR_INZ in T.
  destruct (Rlt_dec d vacuous); [| contradiction ].
  destruct (Rle_dec (INR n * p_high ar v d eps w') (a_big ar)); [| contradiction ]. exact T.
Qed.
Lemma two_roundings : (1 + (a_u ar)) * (1 + (a_u ar)) <= 1 + gam (a_u ar) 2.
Proof.
  assert (U := u_pos e_min prec ar declared). assert (U4 := u_small e_min prec ar declared).
  generalize (pow_gam (a_u ar) (Rlt_le _ _ U) 2). simpl. replace (1 + 1) with 2 by ring.
  lra.
Qed.
(* about a computed mean, which is a number within d of the row's *)
Theorem p_rstd_stands : INR h + 5 <= w ->
  (d < vacuous -> exists c, mean = Some c /\ in_format e_min prec c /\
    Rabs (c - bsum n x / INR n) <= d) ->
  (forall i, of1 (fun c y => y = fl e_min prec ar (x i - c)) mean (dev i)) ->
  let v := square_sum n x (bsum n x / INR n) / INR n in
  stands (p_rstd ar v d eps (Z.of_nat n) w) (inv_root v eps) root.
Proof.
  intros W M DV v. destruct (Rlt_dec d vacuous) as [D|D].
  - destruct (M D) as [c [-> [CF CM]]]. unfold v.
    assert (N : 1 <= INR n) by (replace 1 with (INR 1) by reflexivity; apply le_INR; lia).
    assert (U := u_pos e_min prec ar declared). 
    apply (rstd_by (a_u ar) 2 c); try lra; auto using two_roundings.
    + intro i. now apply (sub_err_in_ar e_min prec ar declared).
    + apply about_the_mean. field. lra.
    + intro i. now apply DV.
  - intro L. unfold p_rstd, p_rstd_of in L. destruct (Rlt_dec d vacuous); [ contradiction |].
    simpl in L. lra.
Qed.
(* about 0 *)
Theorem p_rstd_uncentered_stands : INR h + 3 <= w -> d = 0 -> (forall i, dev i = Some (x i)) ->
  (forall i, Rabs (x i) <= a_big ar) ->
  let v := square_sum n x 0 / INR n in
  stands (p_rstd ar v d eps (Z.of_nat n) w) (inv_root v eps) root.
Proof.
  intros W Z DV BX v. unfold v.
  apply (rstd_by 0 0 0); try lra.
  - rewrite gam_0. lra.
  - intro i. rewrite Rminus_0_r, (rnd_exact e_min prec (x i)) by apply numbers.
    unfold Rminus. rewrite Rplus_opp_r, Rabs_R0. lra.
  - rewrite Z. unfold Rminus. rewrite Rplus_opp_r, Rabs_R0. lra.
  - intro i. rewrite DV, Rminus_0_r. unfold fl. rewrite (rnd_exact e_min prec (x i))
      by apply numbers.
    destruct (Rle_dec (Rabs (x i)) (a_big ar)) as [|K]; [ easy |]. now elim K.
Qed.
End Row.

(* ---- what is normalized, and the gradients ---- *)

(* x - m, or x itself *)
Definition deviation (centered : Z) x (m c : flnum) : Prop :=
  if Z.eq_dec centered 0 then c = Some x else of2 (subs e_min prec ar) (Some x) m c.
Definition center_of (centered : Z) (m : R) : R := if Z.eq_dec centered 0 then 0 else m.
Theorem p_off_stands centered x pm m cm c : stands pm m cm -> deviation centered x cm c ->
  stands (p_off ar centered x pm) (x - center_of centered m) c.
Proof.
  intros M C. unfold p_off, deviation, center_of in *. destruct (Z.eq_dec centered 0).
  - subst. rewrite Rminus_0_r. apply exact_stands.
  - eapply (p_sub_stands e_min prec ar declared); [ apply exact_stands | exact M | exact C ].
Qed.
(* (x - m) r gamma in any association, and beta added *)
Theorem p_normed_stands centered x pm m cm pr r cr gamma beta dev prod c :
  stands pm m cm -> stands pr r cr -> deviation centered x cm dev ->
  of3 (muls3 e_min prec ar) dev cr (Some gamma) prod ->
  (if Z.eq_dec centered 0 then c = prod else of2 (adds e_min prec ar) prod (Some beta) c) ->
  stands (p_normed ar centered x pm pr gamma beta)
    ((x - center_of centered m) * r * gamma + (if Z.eq_dec centered 0 then 0 else beta)) c.
Proof.
  intros M R DV P C.
  assert (T : stands (p_mul3 ar (p_off ar centered x pm) pr (ErrPair gamma 0))
    ((x - center_of centered m) * r * gamma) prod).
  { eapply (p_mul3_stands e_min prec ar declared);
      [ eapply p_off_stands; eauto | exact R | apply exact_stands | exact P ]. }
  unfold p_normed. destruct (Z.eq_dec centered 0).
  - subst. now rewrite Rplus_0_r.
  - eapply (p_add_stands e_min prec ar declared); [ exact T | apply exact_stands | exact C ].
Qed.
(* over the mean and the rstd that the forward op gave: (g gamma) (x - m) r in any association *)
Theorem p_pulled_hat_stands centered g gamma x m r pulled dev c :
  of2 (muls e_min prec ar) (Some g) (Some gamma) pulled -> deviation centered x (Some m) dev ->
  of3 (muls3 e_min prec ar) pulled dev (Some r) c ->
  stands (p_pulled_hat ar centered g gamma x m r) (g * gamma * (x - center_of centered m) * r) c.
Proof.
  intros G DV C. eapply (p_mul3_stands e_min prec ar declared); [| | apply exact_stands | exact C ].
  - eapply (p_mul_stands e_min prec ar declared);
      [ apply exact_stands | apply exact_stands | exact G ].
  - eapply p_off_stands; [ apply exact_stands | exact DV ].
Qed.
Theorem p_hat_stands centered g x m r dev c : deviation centered x (Some m) dev ->
  of3 (muls3 e_min prec ar) (Some g) dev (Some r) c ->
  stands (p_hat ar centered g x m r) (g * (x - center_of centered m) * r) c.
Proof.
  intros DV C. eapply (p_mul3_stands e_min prec ar declared);
    [ apply exact_stands | | apply exact_stands | exact C ].
  eapply p_off_stands; [ apply exact_stands | exact DV ].
Qed.
(* means of products, and of terms that carry errors *)
Theorem p_mean_pulled_stands h l n f k s a c y : height_of ar h (a_h ar) -> length l = n ->
  summed e_min prec ar h f k (products ar l) s a -> divisor_of e_min prec ar n c ->
  of2 (divs e_min prec ar 2) s c y ->
  stands (p_mean_pulled ar 1 (sum_values (products ar l)) (sizes (products ar l)) (Z.of_nat n))
    (sum_values (products ar l) / INR n) y.
Proof.
  intros H L S C Y. unfold p_mean_pulled. destruct (Z.eq_dec 1 0); [ discriminate |].
  rewrite <- INR_IZR_INZ. subst n.
  eapply (p_quo_stands e_min prec ar declared); [ lra | exact (few_2 e_min prec ar declared)
    | | | exact Y ].
  - now apply (p_dot_stands e_min prec ar declared h (a_h ar) f k l s a).
  - now apply (p_count_stands e_min prec ar declared).
Qed.
Theorem p_mean_hat_stands h l n f k s a c y : height_of ar h (a_h ar) ->
  summed e_min prec ar h f k l s a -> divisor_of e_min prec ar n c ->
  of2 (divs e_min prec ar 2) s c y ->
  stands (p_mean_hat ar (sum_values l) (sizes l) (errors l) (Z.of_nat n)) (sum_values l / INR n) y.
Proof.
  intros H S C Y. unfold p_mean_hat.
  eapply (p_quo_stands e_min prec ar declared); [ lra | exact (few_2 e_min prec ar declared)
    | | | exact Y ].
  - now apply (p_sum_stands e_min prec ar declared h (a_h ar) f k l s a).
  - now apply (p_count_stands e_min prec ar declared).
Qed.
(* the pair's number is one of the format *)
Definition in_stands (p : err_pair) (r : R) (c : flnum) : Prop :=
  stands p r c /\ forall y, c = Some y -> in_format e_min prec y.
Lemma stands_carries p r c : in_stands p r c -> carries e_min prec (p_v p) (p_e p) c.
Proof.
  intros [S F] L. destruct (S L) as [-> [y [-> Y]]]. exists y. repeat split; auto.
Qed.
(* a, b and c in any order of addition, and then times r *)
Theorem p_spread_stands pa pb pc a b c ca cb cc f s m r y : in_stands pa a ca ->
  in_stands pb b cb ->
  in_stands pc c cc ->
  summed e_min prec ar 3 f 0 ((p_v pa, p_e pa) :: (p_v pb, p_e pb) :: (p_v pc, p_e pc) :: nil)
    s m ->
  of2 (muls e_min prec ar) s (Some r) y -> stands (p_spread ar pa pb pc r) ((a + b + c) * r) y.
Proof.
  intros A B C S Y. assert (U4 := u_small e_min prec ar declared).
  assert (U := u_pos e_min prec ar declared).
  unfold p_spread. cbv zeta. apply (p_rnd_stands e_min prec ar declared); [ lra |]. intro L.
  set (l := (p_v pa, p_e pa) :: (p_v pb, p_e pb) :: (p_v pc, p_e pc) :: nil) in *.
  assert (EV : sum_values l = p_v pa + p_v pb + p_v pc) by (unfold sum_values; simpl; ring).
  assert (ES : sizes l = Rabs (p_v pa) + Rabs (p_v pb) + Rabs (p_v pc)) by (unfold sizes; simpl;
    ring).
  assert (EE : errors l = p_e pa + p_e pb + p_e pc) by (unfold errors; simpl; ring).
  assert (H3 : height_of ar 3 3).
  { split; [ simpl; lra |]. replace (INR 3) with 3 by (simpl; ring). lra. }
  assert (T := p_sum_stands e_min prec ar declared 3 3 f 0 l s m H3 S). rewrite EV, ES, EE in T.
  destruct (p_cross_bounds _ _ _ _ _ _ T (exact_stands r) L) as [_ [_ [x [z [X [Z [_ [_ K]]]]]]]].
  assert (V : p_e (p_sum ar (p_v pa + p_v pb + p_v pc)
    (Rabs (p_v pa) + Rabs (p_v pb) + Rabs (p_v pc)) (p_e pa + p_e pb + p_e pc) 3) < vacuous).
  { unfold p_cross in L. destruct (Rlt_dec (p_e (p_sum _ _ _ _ 3)) vacuous); [ easy | lra ]. }
  assert (E0 : p_e pa < vacuous /\ p_e pb < vacuous /\ p_e pc < vacuous).
  { assert (P1 := stands_pos _ _ _ (proj1 A)). assert (P2 := stands_pos _ _ _ (proj1 B)).
    assert (P3 := stands_pos _ _ _ (proj1 C)). unfold p_sum in V. cbn [p_e] in V.
    destruct (range_below _ _ _ V) as [W1 [_ W]].
    assert (0 <= p_gam (a_u ar) 3 * (Rabs (p_v pa) + Rabs (p_v pb) + Rabs (p_v pc) +
      (p_e pa + p_e pb + p_e pc))).
    { apply Rmult_le_pos; [ apply (p_gam_pos e_min prec ar declared) |].
      generalize (Rabs_pos (p_v pa)) (Rabs_pos (p_v pb)) (Rabs_pos (p_v pc)). lra. }
    repeat split; lra. }
  destruct E0 as [Ea [Eb Ec]].
  assert (Va := proj1 (proj1 A Ea)). assert (Vb := proj1 (proj1 B Eb)).
  assert (Vc := proj1 (proj1 C Ec)). rewrite Va, Vb, Vc in *. split; [ easy |].
  injection Z as <-. exists (x * r). split; [ exact K |]. rewrite (Y x r X eq_refl).
  apply (fl_made e_min prec ar declared); [ lra |]. split; lra.
Qed.
End NormNodes.
