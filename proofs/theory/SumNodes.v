(* The nodes of sums in spec/pair.h and in ref/ are bounds,
 of any program that FloatSum.v's `summed`
   describes: sums by trees of a height, sums of products rounded or fused, sums by index. *)
Require Import Reals Lra Psatz List Permutation ZArith Lia.
From Theory Require Import Sums Round Nodes FloatSum.
Import ListNotations.
Open Scope R_scope.

(* ---------------------------------------------------------------- the nodes, as in spec/pair.h *)
Definition p_sum ar sv sa se h : err_pair :=
  ErrPair sv (p_range ar sa (se + p_gam (a_u ar) h * (sa + se))).
Definition p_dot ar sv sa n h : err_pair :=
  p_sum ar sv sa (p_gam (a_u ar) 1 * sa + n * a_eta ar) h.
(* ref/gather.h: at most h roundings, and fewer than there are terms *)
Definition e_scat ar abs (terms : Z) : R :=
  p_e (p_sum ar abs abs 0 (if Rlt_dec (IZR (terms - 1)) (a_h ar) then IZR (terms - 1) else a_h ar)).
(* ref/matmul.h *)
Definition e_scaled_dot ar alpha dot abs (n : Z) h : R :=
  if Req_EM_T alpha 1 then p_e (p_dot ar dot abs (IZR n) h)
  else p_e (p_mul ar (ErrPair alpha 0) (p_dot ar dot abs (IZR n) h)).

(* e^512 is below vacuous: what is left of gam where it says nothing *)
Lemma exp_512 : exp 512 <= vacuous.
Proof.
  replace 512 with (INR 512 * 1) by (rewrite INR_IZR_INZ; simpl; ring).
  assert (E : forall n, exp (INR n * 1) <= 3 ^ n).
  { induction n; [ simpl; rewrite Rmult_0_l, exp_0; lra |].
    rewrite S_INR, Rmult_plus_distr_r, exp_plus. simpl pow. rewrite Rmult_comm.
    apply Rmult_le_compat; auto using Rlt_le, exp_pos. rewrite Rmult_1_l. apply exp_le_3. }
  eapply Rle_trans; [ apply E |]. rewrite pow_IZR. unfold vacuous. apply IZR_le.
  apply Zle_bool_imp_le. reflexivity.
Qed.
Lemma pow_exp u n : 0 <= u -> (1 + u) ^ n <= exp (INR n * u).
Proof.
  intro U. induction n; [ simpl; rewrite Rmult_0_l, exp_0; lra |].
  rewrite S_INR, Rmult_plus_distr_r, Rmult_1_l, exp_plus. simpl pow. rewrite Rmult_comm.
  apply Rmult_le_compat; auto; try lra. apply pow_le. lra.
  destruct (Req_dec u 0) as [->|Z]; [ rewrite exp_0; lra |].
  apply Rlt_le, exp_ineq1. lra.
Qed.

Section SumNodes.
Variables (e_min prec : Z) (ar : arithmetic).
Hypothesis declared : declares e_min prec ar.

(* what H says of h roundings *)
Definition height_of (h : nat) (H : R) : Prop := INR h <= H /\ INR h * a_u ar <= 512.
Lemma height_bounds h H : height_of h H -> (1 + a_u ar) ^ h <= 1 + p_gam (a_u ar) H.
Proof.
  intros [L M]. assert (U := u_pos e_min prec ar declared). unfold p_gam.
  destruct (Rle_dec H 0) as [Z|Z].
  - destruct h; [ simpl; lra |]. rewrite S_INR in L. generalize (pos_INR h). lra.
  - destruct (Rlt_dec (H * a_u ar) 1) as [S|S].
    + assert (INR h * a_u ar <= H * a_u ar) by (apply Rmult_le_compat_r; lra).
      eapply Rle_trans; [ apply pow_gam; lra |]. apply Rplus_le_compat_l, gam_mono; try lra.
      apply pos_INR.
    + eapply Rle_trans; [ apply pow_exp; lra |].
      assert (exp (INR h * a_u ar) <= exp 512); [| generalize exp_512; lra ].
      destruct (Rle_lt_or_eq_dec _ _ M) as [K|K]; [ now apply Rlt_le, exp_increasing | rewrite K;
        lra ].
Qed.

(* the node and the format of what comes out *)
Lemma p_sum_carries h H f k l s a : height_of h H -> summed e_min prec ar h f k l s a ->
  let p := p_sum ar (sum_values l) (sizes l) (errors l) H in
  p_e p < vacuous -> exists x, s = Some x /\ Rabs (x - sum_values l) <= p_e p /\
    Rabs x <= sizes l + p_e p /\ (f = true -> in_format e_min prec x).
Proof.
  intros Hh S p L. unfold p, p_sum in *. cbn [p_v p_e] in *. destruct (range_below _ _ _ L)
    as [-> [B V]].
  assert (G := height_bounds h H Hh). assert (Z := p_gam_pos e_min prec ar declared H).
  assert (E0 := summed_errors _ _ _ declared _ _ _ _ _ _ S). assert (S0 := sizes_pos l).
  assert (W : (1 + a_u ar) ^ h * (sizes l + errors l) <= (1 + p_gam (a_u ar) H)
    * (sizes l + errors l))
    by (apply Rmult_le_compat_r; lra).
  assert (V2 : 0 <= p_gam (a_u ar) H * (sizes l + errors l)) by (apply Rmult_le_pos; lra).
  destruct (summed_bounded _ _ _ declared _ _ _ _ _ _ S)
    as [x [-> [F [_ [_ [B1 [B2 [B3 B4]]]]]]]]; try lra.
  exists x. split; [ easy |].
  assert (K : 0 <= INR k * a_eta ar)
    by (apply Rmult_le_pos; [ apply pos_INR | apply Rlt_le, (a_eta_pos e_min prec ar declared) ]).
  assert (Q : 0 <= (1 + a_u ar) ^ h - 1).
  { generalize (pow_R1_Rle (1 + a_u ar) h). generalize (u_pos e_min prec ar declared). lra. }
  assert (Q2 := Rmult_le_pos _ _ Q K).
  repeat split; try lra. exact F.
Qed.
Theorem p_sum_stands h H f k l s a : height_of h H -> summed e_min prec ar h f k l s a ->
  stands (p_sum ar (sum_values l) (sizes l) (errors l) H) (sum_values l) s.
Proof.
  intros Hh S L. split; [ easy |]. destruct (p_sum_carries h H f k l s a Hh S L) as [x [-> [X _]]].
  now exists x.
Qed.

(* ---- sums of products ---- *)

(* the terms of a dot product: exact products, and the rounding of each *)
Definition products (l : list R) : list term :=
  map (fun v => (v, p_gam (a_u ar) 1 * Rabs v + a_eta ar)) l.
Lemma products_errors l :
  errors (products l) = p_gam (a_u ar) 1 * sizes (products l) + INR (length l) * a_eta ar.
Proof.
  unfold errors, sizes, products. induction l; simpl map; simpl total_of.
  - simpl. ring.
  - rewrite IHl. cbn [length]. rewrite S_INR. cbn [fst snd]. ring.
Qed.
Lemma u_gam_1 : a_u ar <= p_gam (a_u ar) 1.
Proof.
  apply (u_le_gam e_min prec ar declared); [ lra |]. exact (few_1 e_min prec ar declared).
Qed.
(* x y, rounded *)
Lemma product_rounded h x y c : c = fl e_min prec ar (x * y) ->
  summed e_min prec ar h true 0 (products (x * y :: nil)) c (size_of c).
Proof.
  intro C. apply s_product with (x := Some (x * y)); [ | easy | intros z Z; injection Z as <-;
    exact C ].
  intros z Z _. injection Z as <-. exists (x * y). split; [ easy |]. unfold Rminus.
  rewrite Rplus_opp_r, Rabs_R0.
  assert (a_u ar * Rabs (x * y) <= p_gam (a_u ar) 1 * Rabs (x * y))
    by (apply Rmult_le_compat_r; [ apply Rabs_pos | apply u_gam_1 ]). lra.
Qed.
(* x y, exact: what a fused multiply-add adds *)
Lemma product_exact h x y :
  summed e_min prec ar h false 1 (products (x * y :: nil)) (Some (x * y)) (Rabs (x * y)).
Proof.
  apply (s_fused e_min prec ar h _ _ (Some (x * y))). intros _. exists (x * y). split; [ easy |].
  unfold Rminus.
  rewrite Rplus_opp_r, Rabs_R0. generalize (p_gam_pos e_min prec ar declared 1)
    (Rabs_pos (x * y)); intros.
  assert (0 <= p_gam (a_u ar) 1 * Rabs (x * y)) by now apply Rmult_le_pos. lra.
Qed.
(* a fused multiply-add: one more rounding of what has been added up *)
Theorem fused_step h k l x y s a c : summed e_min prec ar h true k l s a ->
  of1 (fun z => eq (fl e_min prec ar (x * y + z))) s c ->
  summed e_min prec ar (S h) true 0 (products (x * y :: nil) ++ l) c (size_of c).
Proof.
  intros S C. eapply s_round with (s := joined (Some (x * y)) s).
  - eapply s_plus; [ apply product_exact | exact S | apply joined_beside ].
  - intros t T. destruct s as [z|]; [| discriminate ]. injection T as <-.
    symmetry. now apply C.
Qed.
Theorem p_dot_stands h H f k l s a : height_of h H -> summed e_min prec ar h f k (products l) s a ->
  let v := sum_values (products l) in
  stands (p_dot ar v (sizes (products l)) (INR (length l)) H) v s.
Proof.
  intros Hh S v. unfold p_dot. rewrite <- products_errors. exact (p_sum_stands h H f k _ s a Hh S).
Qed.

(* alpha times a dot product *)
Theorem e_scaled_dot_bounds h H f k l s a alpha c n : height_of h H -> n = Z.of_nat (length l) ->
  summed e_min prec ar h f k (products l) s a ->
  (if Req_EM_T alpha 1 then c = s else of2 (muls e_min prec ar) (Some alpha) s c) ->
  let v := sum_values (products l) in
  let e := e_scaled_dot ar alpha v (sizes (products l)) n H in
  e < vacuous -> exists x, c = Some x /\ Rabs (x - alpha * v) <= e.
Proof.
  intros Hh -> S C v e. unfold e, e_scaled_dot. rewrite <- INR_IZR_INZ.
  assert (T := p_dot_stands h H f k l s a Hh S). cbv zeta in T. fold v in T.
  destruct (Req_EM_T alpha 1) as [->|_]; intro L.
  - subst. destruct (T L) as [_ [x [-> X]]]. exists x. split; [ easy |]. now rewrite Rmult_1_l.
  - destruct (p_mul_stands e_min prec ar declared _ _ _ _ _ _ (exact_stands alpha) T c C L)
      as [_ X]. exact X.
Qed.

(* ---- sums by index ---- *)

(* the terms that reach an element; the others are blanks *)
Theorem e_scat_bounds t (v : nat -> R) (c : nat -> flnum) blank x :
  (forall i, exists y, c i = Some y /\ in_format e_min prec y /\ y = v i) ->
  (forall i, blank i = true -> v i = 0) -> comes_to e_min prec ar c t x ->
  height_of (tree_height t) (a_h ar) ->
  let l := map (fun i => (v i, 0)) (left_over blank t) in
  let e := e_scat ar (sizes l) (Z.of_nat (length l)) in
  e < vacuous -> exists y, x = Some y /\ Rabs (y - sum_values l) <= e.
Proof.
  intros Hc Hz Ht [H1 H2] l e. unfold e, e_scat.
  assert (C : forall i, carries e_min prec (v i) 0 (c i)).
  { intros i _. destruct (Hc i) as [y [-> [F ->]]]. exists (v i). repeat split; auto.
    unfold Rminus. rewrite Rplus_opp_r, Rabs_R0. lra. }
  assert (Z : forall i, blank i = true -> c i = Some 0).
  { intros i I. destruct (Hc i) as [y [-> [_ ->]]]. now rewrite (Hz i I). }
  assert (B : 0 <= a_big ar) by (generalize declared; intros [_ [_ [_ [_ [_ B]]]]]; lra).
  assert (S := sparse_summed e_min prec ar v (fun _ => 0) c C blank Z B t x Ht). fold l in S.
  assert (E : errors l = 0).
  { unfold errors, l. clear. induction (left_over blank t) as [|i r IH]; [ easy |].
    simpl. rewrite IH. apply Rplus_0_l. }
  set (h := Nat.min (tree_height t) (Nat.pred (length (left_over blank t)))) in *.
  set (H := if Rlt_dec (IZR (Z.of_nat (length l) - 1)) (a_h ar)
            then IZR (Z.of_nat (length l) - 1) else a_h ar).
  assert (L : length l = length (left_over blank t)) by (unfold l; now rewrite map_length).
  intro V. destruct (Nat.eq_dec (length l) 0) as [N|N].
  - assert (S0 : exists y, x = Some y /\ y = 0).
    { exists 0. split; [| easy ]. eapply nothing_left; eauto.
      rewrite N in L. symmetry in L. now apply length_zero_iff_nil. }
    destruct S0 as [y [-> ->]]. exists 0. split; [ easy |]. unfold p_sum in *. cbn [p_e] in *.
    destruct (range_below _ _ _ V) as [-> _]. apply length_zero_iff_nil in N. rewrite N.
    unfold sum_values, sizes. simpl. rewrite Rminus_0_r, Rabs_R0. lra.
  - assert (HH : height_of h H).
    { split.
      - unfold H. assert (INR h <= IZR (Z.of_nat (length l) - 1)).
        { rewrite INR_IZR_INZ. apply IZR_le. unfold h. rewrite <- L. lia. }
        assert (INR h <= INR (tree_height t)) by (apply le_INR; unfold h; lia).
        destruct (Rlt_dec (IZR (Z.of_nat (length l) - 1)) (a_h ar)); lra.
      - eapply Rle_trans; [| exact H2 ].
        apply Rmult_le_compat_r; [ apply Rlt_le, (u_pos e_min prec ar declared) |].
        apply le_INR. unfold h. lia. }
    assert (T := p_sum_stands h H true 0 l x _ HH S). unfold p_sum in *. cbn [p_v p_e] in *.
    rewrite E in T. destruct (T V) as [_ R]. exact R.
Qed.
End SumNodes.
