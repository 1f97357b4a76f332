(* The matrix product of bf16 parts (cuda/product/fast.h) is within the bound of a sum of products
   whose tree has height 2.25 min(k, 64) + 4 + (chunks of 64).

   A factor is three parts, x = h + m + l; of the nine products of parts six are added, smallest
   first, in blocks: of what a block adds, the old sum included, each cuts what an f32 has no
   room for. Chunks of at most 64 inner indices are then added by rounded additions, from 0. Factors
   have been multiplied by 2^16, so that no part underflows. *)
Require Import Reals Lra Psatz List ZArith Lia.
From Flocq Require Import Core.
From Theory Require Import Sums Round Nodes FloatSum SumNodes.
Import ListNotations.
Open Scope R_scope.

Definition u0 : R := / 16777216.
Definition w0 : R := / 256.
Lemma u0_is : u0 = w0 * w0 * w0. Proof. unfold u0, w0. field. Qed.

(* ---- sums of lists ---- *)
Fixpoint lsum (l : list R) : R := match l with nil => 0 | x :: r => x + lsum r end.
Definition labs (l : list R) : R := lsum (map Rabs l).
Lemma lsum_app l k : lsum (l ++ k) = lsum l + lsum k.
Proof. induction l; simpl; [ ring | rewrite IHl; ring ]. Qed.
Lemma labs_app l k : labs (l ++ k) = labs l + labs k.
Proof. unfold labs. now rewrite map_app, lsum_app. Qed.
Lemma labs_pos l : 0 <= labs l.
Proof. induction l; unfold labs in *; simpl; [ lra | generalize (Rabs_pos a); lra ]. Qed.
Lemma lsum_abs l : Rabs (lsum l) <= labs l.
Proof.
  induction l; unfold labs in *; simpl; [ rewrite Rabs_R0; lra |].
  eapply Rle_trans; [ apply Rabs_triang |]. lra.
Qed.
Lemma lsum_scaled {A} (f g : A -> R) c l : (forall x, In x l -> f x <= c * g x) ->
  lsum (map f l) <= c * lsum (map g l).
Proof.
  induction l as [|x l IH]; simpl; intro H; [ lra |].
  generalize (H x (or_introl eq_refl)) (IH (fun y I => H y (or_intror I))). lra.
Qed.

(* ---- blocks ---- *)
Section Blocks.
Variable loss : R. (* what underflow takes of a block, at most *)
Hypothesis loss_pos : 0 <= loss.

(* one node that cuts *)
Definition cuts (m : nat) : R := (1 + 2 * u0) ^ m.
Lemma cuts_ge1 m : 1 <= cuts m.
Proof. apply pow_R1_Rle. unfold u0. lra. Qed.
Lemma cuts_plus m n : cuts (m + n) = cuts m * cuts n.
Proof. apply pow_add. Qed.

(* from d, blocks are added one after another: each has as many nodes as it blocks_add *)
Inductive blocks_add : R -> list (list R) -> R -> Prop :=
| blocks_none d : blocks_add d nil d
| blocks_block d b bs y x :
    Rabs (y - (d + lsum b)) <= (cuts (S (length b)) - 1) * (Rabs d + labs b) + loss ->
    blocks_add y bs x -> blocks_add d (b :: bs) x.

Definition nodes (bs : list (list R)) : nat := (length (concat bs) + length bs)%nat.
Lemma nodes_cons b bs : nodes (b :: bs) = (S (length b) + nodes bs)%nat.
Proof. unfold nodes. simpl. rewrite app_length. lia. Qed.

Lemma blocks_err d bs x : blocks_add d bs x ->
  Rabs (x - (d + lsum (concat bs))) <=
    (cuts (nodes bs) - 1) * (Rabs d + labs (concat bs)) +
    INR (length bs) * (cuts (nodes bs) * loss).
Proof.
  induction 1 as [d|d b bs y x B A IH].
  - unfold nodes. simpl. replace (d - (d + 0)) with 0 by ring. rewrite Rabs_R0. unfold cuts, labs.
    simpl. lra.
  - rewrite nodes_cons, cuts_plus. cbn [concat length]. rewrite lsum_app, labs_app, S_INR.
    set (p := cuts (S (length b))) in *. set (q := cuts (nodes bs)) in *.
    set (T := lsum (concat bs)) in *. set (A0 := labs (concat bs)) in *.
    assert (p1 : 1 <= p) by apply cuts_ge1. assert (q1 : 1 <= q) by apply cuts_ge1.
    assert (Z := labs_pos (concat bs)). fold A0 in Z. assert (Zb := labs_pos b).
    assert (Y : Rabs y <= p * (Rabs d + labs b) + loss).
    { replace y with ((y - (d + lsum b)) + (d + lsum b)) by ring.
      eapply Rle_trans; [ apply Rabs_triang |].
      assert (Rabs (d + lsum b) <= Rabs d + labs b).
      { eapply Rle_trans; [ apply Rabs_triang |]. generalize (lsum_abs b). lra. } lra. }
    replace (x - (d + (lsum b + T))) with ((x - (y + T)) + (y - (d + lsum b))) by ring.
    eapply Rle_trans; [ apply Rabs_triang |].
    assert (N := pos_INR (length bs)). set (n := INR (length bs)) in *.
    assert (D := Rabs_pos d).
    assert (K1 : (q - 1) * (Rabs y + A0) <= (q - 1) * (p * (Rabs d + labs b) + loss + A0))
      by (apply Rmult_le_compat_l; lra).
    assert (K2 : 0 <= (q - 1) * (p - 1) * A0).
    { repeat apply Rmult_le_pos; lra. }
    assert (K3 : 0 <= n * (q * loss) * (p - 1)).
    { repeat apply Rmult_le_pos; lra. }
    assert (K4 : 0 <= (p - 1) * (q * loss)).
    { repeat apply Rmult_le_pos; lra. }
    assert (K5 : 0 <= (p - 1) * A0) by (apply Rmult_le_pos; lra).
    nra.
Qed.

Lemma blocks_app bs bs' : forall d x, blocks_add d (bs ++ bs') x ->
  exists y, blocks_add d bs y /\ blocks_add y bs' x.
Proof.
  induction bs as [|b bs IH]; simpl; intros d x H.
  - exists d. split; [ constructor | easy ].
  - inversion H as [|? ? ? y ? B A]; subst. destruct (IH _ _ A) as [z [Z1 Z2]].
    exists z. split; [| easy ]. econstructor; eauto.
Qed.

(* three groups, the smallest first: what comes early passes through all *)
Lemma blocks_groups b2 b1 b0 x : blocks_add 0 (b2 ++ b1 ++ b0) x ->
  let N0 := nodes b0 in let N1 := (N0 + nodes b1)%nat in let N2 := (N1 + nodes b2)%nat in
  let n := INR (length (b2 ++ b1 ++ b0)) in
  Rabs (x - (lsum (concat b2) + lsum (concat b1) + lsum (concat b0))) <=
    (cuts N0 - 1) * labs (concat b0) + (cuts N1 - 1) * labs (concat b1) +
    (cuts N2 - 1) * labs (concat b2)
    + n * (cuts N2 * loss).
Proof.
  intro H. destruct (blocks_app _ _ _ _ H) as [x2 [H2 H']]. destruct (blocks_app _ _ _ _ H')
    as [x1 [H1 H0]]. clear H H'. cbv zeta. rewrite !app_length, !plus_INR, !cuts_plus.
  assert (E2 := blocks_err _ _ _ H2). assert (E1 := blocks_err _ _ _ H1).
  assert (E0 := blocks_err _ _ _ H0). clear H0 H1 H2. rewrite Rabs_R0 in E2.
  set (A0 := labs (concat b0)) in *. set (A1 := labs (concat b1)) in *.
  set (A2 := labs (concat b2)) in *.
  assert (Z0 : 0 <= A0) by apply labs_pos. assert (Z1 : 0 <= A1) by apply labs_pos.
  assert (Z2 : 0 <= A2) by apply labs_pos.
  assert (S1 := lsum_abs (concat b1)). assert (S2 := lsum_abs (concat b2)). fold A1 in S1.
  fold A2 in S2.
  set (T0 := lsum (concat b0)) in *. set (T1 := lsum (concat b1)) in *.
  set (T2 := lsum (concat b2)) in *.
  assert (n0 := pos_INR (length b0)). assert (n1 := pos_INR (length b1)).
  assert (n2 := pos_INR (length b2)). set (m0 := INR (length b0)) in *.
  set (m1 := INR (length b1)) in *. set (m2 := INR (length b2)) in *.
  assert (q0 := cuts_ge1 (nodes b0)). assert (q1 := cuts_ge1 (nodes b1)).
  assert (q2 := cuts_ge1 (nodes b2)). set (p0 := cuts (nodes b0)) in *.
  set (p1 := cuts (nodes b1)) in *.
  set (p2 := cuts (nodes b2)) in *.
  assert (X2 : Rabs x2 <= p2 * A2 + m2 * (p2 * loss)).
  { replace x2 with ((x2 - (0 + T2)) + T2) by ring. eapply Rle_trans; [ apply Rabs_triang |]. lra. }
  assert (X1 : Rabs x1 <= p1 * (Rabs x2 + A1) + m1 * (p1 * loss)).
  { replace x1 with ((x1 - (x2 + T1)) + (x2 + T1)) by ring.
    eapply Rle_trans; [ apply Rabs_triang |]. generalize (Rabs_triang x2 T1). lra. }
  replace (x - (T2 + T1 + T0)) with
    ((x - (x1 + T0)) + (x1 - (x2 + T1)) + (x2 - (0 + T2))) by ring.
  eapply Rle_trans; [ apply Rabs_triang |].
  eapply Rle_trans; [ apply Rplus_le_compat_r, Rabs_triang |].
  assert (B0 : (p0 - 1) * (Rabs x1 + A0) <=
    (p0 - 1) * (p1 * (p2 * A2 + m2 * (p2 * loss) + A1) + m1 * (p1 * loss) + A0)).
  { apply Rmult_le_compat_l; [ lra |].
    assert (p1 * (Rabs x2 + A1) <= p1 * (p2 * A2 + m2 * (p2 * loss) + A1))
      by (apply Rmult_le_compat_l; lra). lra. }
  assert (B1 : (p1 - 1) * (Rabs x2 + A1) <= (p1 - 1) * (p2 * A2 + m2 * (p2 * loss) + A1))
    by (apply Rmult_le_compat_l; lra).
  assert (Q1 : p0 <= p0 * p1) by nra. assert (Q2 : p0 * p1 <= p0 * p1 * p2).
  { assert (0 <= p0 * p1) by nra. nra. }
  assert (C0 : m0 * (p0 * loss) <= m0 * (p0 * p1 * p2 * loss)).
  { apply Rmult_le_compat_l; [ lra |]. apply Rmult_le_compat_r; lra. }
  assert (C1 : m1 * (p0 * p1 * loss) <= m1 * (p0 * p1 * p2 * loss)).
  { apply Rmult_le_compat_l; [ lra |]. apply Rmult_le_compat_r; lra. }
  ring_simplify in B0. ring_simplify in B1. ring_simplify in C0. ring_simplify in C1.
  ring_simplify. nra.
Qed.
End Blocks.

(* ---- parts ---- *)
Record three_parts := Parts { hi : R; mid : R; low : R }.
Definition whole s := hi s + mid s + low s.
Definition splits s : Prop :=
  Rabs (hi s) <= (1 + w0) * Rabs (whole s) /\ Rabs (mid s) <= w0 * (1 + w0) * Rabs (whole s) /\
  Rabs (low s) <= w0 * w0 * Rabs (whole s).
(* x rounded to bf16, then what is left, then what is left of that, exactly *)
Lemma split_of x h m : Rabs (x - h) <= w0 * Rabs x -> Rabs (x - h - m) <= w0 * Rabs (x - h) ->
  let s := Parts h m (x - h - m) in whole s = x /\ splits s.
Proof.
  intros H M s. assert (W : whole s = x) by (unfold whole, s; simpl; ring).
  split; [ easy |]. unfold splits. rewrite W. unfold s. simpl.
  assert (w : 0 <= w0) by (unfold w0; lra).
  assert (H1 : Rabs h <= Rabs x + Rabs (x - h)).
  { replace h with (x + - (x - h)) at 1 by ring. eapply Rle_trans; [ apply Rabs_triang |].
    rewrite Rabs_Ropp. lra. }
  assert (M1 : Rabs m <= Rabs (x - h) + Rabs (x - h - m)).
  { replace m with ((x - h) + - (x - h - m)) at 1 by ring. eapply Rle_trans;
      [ apply Rabs_triang |]. rewrite Rabs_Ropp. lra. }
  assert (X := Rmult_le_compat_l _ _ _ w H). repeat split; nra.
Qed.

Definition products_of (f g : three_parts -> R) (l : list (three_parts * three_parts)) : list R :=
  map (fun p => f (fst p) * g (snd p)) l.
Definition true_product (p : three_parts * three_parts) : R := whole (fst p) * whole (snd p).
Definition true_products l := map true_product l.
Definition good (p : three_parts * three_parts) : Prop := splits (fst p) /\ splits (snd p).

Lemma products_abs f g a b l : 0 <= a -> 0 <= b -> Forall good l ->
  (forall s, splits s -> Rabs (f s) <= a * Rabs (whole s)) ->
  (forall s, splits s -> Rabs (g s) <= b * Rabs (whole s)) ->
  labs (products_of f g l) <= a * b * labs (true_products l).
Proof.
  intros A B G F1 G1. unfold labs, products_of, true_products. rewrite !map_map. apply lsum_scaled.
  intros p I. rewrite Forall_forall in G. destruct (G p I) as [S1 S2]. unfold true_product.
  rewrite !Rabs_mult. replace (a * b * (Rabs (whole (fst p)) * Rabs (whole (snd p))))
    with (a * Rabs (whole (fst p)) * (b * Rabs (whole (snd p)))) by ring.
  apply Rmult_le_compat; auto using Rabs_pos.
Qed.
Lemma hi_size s : splits s -> Rabs (hi s) <= (1 + w0) * Rabs (whole s). Proof. now intros []. Qed.
Lemma mid_size s : splits s -> Rabs (mid s) <= w0 * (1 + w0) * Rabs (whole s).
Proof. now intros [_ []]. Qed.
Lemma low_size s : splits s -> Rabs (low s) <= w0 * w0 * Rabs (whole s).
Proof. now intros [_ []]. Qed.

(* the three products that are left out *)
Lemma left_out l : Forall good l ->
  Rabs (lsum (products_of hi low l) + lsum (products_of mid mid l) + lsum (products_of low hi l) +
        (lsum (products_of hi mid l) + lsum (products_of mid hi l)) + lsum (products_of hi hi l) -
        lsum (true_products l)) <= (2 * (1 + w0) + w0) * u0 * labs (true_products l).
Proof.
  intro G.
  assert (E : lsum (true_products l) - (lsum (products_of hi low l) + lsum (products_of mid mid l) +
    lsum (products_of low hi l) + (lsum (products_of hi mid l) + lsum (products_of mid hi l)) +
    lsum (products_of hi hi l)) = lsum (products_of mid low l) + lsum (products_of low mid l) +
    lsum (products_of low low l)).
  { clear G. unfold true_products, products_of. induction l as [|p l IH]; simpl; [ ring |].
    unfold true_product at 1, whole. lra. }
  rewrite Rabs_minus_sym, E. assert (W : 0 <= w0) by (unfold w0; lra).
  assert (W1 : 0 <= w0 * (1 + w0)) by (unfold w0; lra).
  assert (W2 : 0 <= w0 * w0) by (unfold w0; lra).
  assert (A := products_abs _ _ _ _ l W1 W2 G mid_size low_size).
  assert (B := products_abs _ _ _ _ l W2 W1 G low_size mid_size).
  assert (C := products_abs _ _ _ _ l W2 W2 G low_size low_size).
  generalize (lsum_abs (products_of mid low l)) (lsum_abs (products_of low mid l))
    (lsum_abs (products_of low low l)); intros.
  eapply Rle_trans; [ apply Rabs_triang |].
  eapply Rle_trans; [ apply Rplus_le_compat_r, Rabs_triang |].
  rewrite u0_is. lra.
Qed.

(* ---- a chunk ---- *)
(* in blocks of 16, the last may be short *)
Definition in_blocks (bs : list (list R)) (l : list R) : Prop :=
  concat bs = l /\ (16 * length bs <= length l + 15)%nat.
Definition chunk t (l : list (three_parts * three_parts)) (x : R) : Prop :=
  exists b20 b11 b02 b10 b01 b00,
    in_blocks b20 (products_of low hi l) /\ in_blocks b11 (products_of mid mid l) /\
    in_blocks b02 (products_of hi low l) /\ in_blocks b10 (products_of mid hi l) /\
    in_blocks b01 (products_of hi mid l) /\ in_blocks b00 (products_of hi hi l) /\
    blocks_add t 0 ((b20 ++ b11 ++ b02) ++ (b10 ++ b01) ++ b00) x.

Lemma cuts_gam m : (m <= 416)%nat -> cuts m - 1 <= 2.0002 * u0 * INR m.
Proof.
  intro M. apply le_INR in M. replace (INR 416) with 416 in M by (rewrite INR_IZR_INZ; reflexivity).
  assert (Z := pos_INR m). assert (U : 0 < u0) by (unfold u0; lra).
  assert (A : cuts m <= (1 + u0) ^ (2 * m)).
  { unfold cuts. rewrite pow_mult. apply pow_incr. unfold u0. lra. }
  assert (B : INR (2 * m) = 2 * INR m) by (rewrite mult_INR; simpl; ring).
  assert (C : INR (2 * m) * u0 <= / 20000) by (rewrite B; unfold u0; lra).
  assert (D : (1 + u0) ^ (2 * m) <= 1 + gam u0 (INR (2 * m))) by (apply pow_gam; lra).
  assert (E : gam u0 (INR (2 * m)) <= 2.0002 * u0 * INR m).
  { unfold gam. rewrite B in *. set (y := 2 * INR m * u0) in *.
    assert (Y : 0 <= y) by (unfold y; apply Rmult_le_pos; lra).
    apply (Rmult_le_reg_r (1 - y)); [ lra |]. replace (y / (1 - y) * (1 - y)) with y
      by (field; lra).
    replace (2.0002 * u0 * INR m) with (1.0001 * y) by (unfold y; lra). nra. }
  lra.
Qed.

Lemma concat_app3 (a b c : list (list R)) : concat (a ++ b ++ c) = concat a ++ concat b ++ concat c.
Proof. now rewrite !concat_app. Qed.

Theorem chunk_err t l x : 0 <= t -> (length l <= 64)%nat -> Forall good l -> chunk t l x ->
  Rabs (x - lsum (true_products l)) <=
    (2.25 * INR (length l) + 3.99) * u0 * labs (true_products l) + 25 * t.
Proof.
  intros T K G [b20 [b11 [b02 [b10 [b01 [b00 [I20 [I11 [I02 [I10 [I01 [I00 A]]]]]]]]]]]].
  assert (L : forall f g, length (products_of f g l) = length l)
    by (intros; unfold products_of; apply map_length).
  destruct I20 as [C20 N20]. destruct I11 as [C11 N11]. destruct I02 as [C02 N02].
  destruct I10 as [C10 N10]. destruct I01 as [C01 N01]. destruct I00 as [C00 N00].
  rewrite L in *.
  assert (E := blocks_groups t T _ _ _ _ A). cbv zeta in E. clear A.
  rewrite !concat_app3, !concat_app in E.
  rewrite C20, C11, C02, C10, C01, C00 in E. rewrite !lsum_app, !labs_app in E.
  set (n0 := nodes b00) in *. set (n1 := (n0 + nodes (b10 ++ b01))%nat) in *.
  set (n2 := (n1 + nodes (b20 ++ b11 ++ b02))%nat) in *.
  assert (M0 : (16 * n0 <= 17 * length l + 15)%nat).
  { unfold n0, nodes. rewrite C00, L. lia. }
  assert (M1 : (16 * n1 <= 3 * (17 * length l + 15))%nat).
  { unfold n1, nodes. rewrite concat_app, !app_length, C10, C01, !L. lia. }
  assert (M2 : (16 * n2 <= 6 * (17 * length l + 15))%nat).
  { unfold n2, nodes. rewrite concat_app3, !app_length, C20, C11, C02, !L. lia. }
  assert (Q0 := cuts_gam n0 ltac:(lia)). assert (Q1 := cuts_gam n1 ltac:(lia)).
  assert (Q2 := cuts_gam n2 ltac:(lia)).
  assert (Len : (length ((b20 ++ b11 ++ b02) ++ (b10 ++ b01) ++ b00) <= 24)%nat)
    by (rewrite !app_length; lia).
  apply le_INR in M0, M1, M2, Len. rewrite !mult_INR, !plus_INR, !mult_INR in *.
  set (k := INR (length l)) in *.
  replace (INR 16) with 16 in * by (rewrite INR_IZR_INZ; reflexivity).
  replace (INR 17) with 17 in * by (rewrite INR_IZR_INZ; reflexivity).
  replace (INR 15) with 15 in * by (rewrite INR_IZR_INZ; reflexivity).
  replace (INR 24) with 24 in * by (rewrite INR_IZR_INZ; reflexivity).
  replace (INR 3) with 3 in * by (rewrite INR_IZR_INZ; reflexivity).
  replace (INR 6) with 6 in * by (rewrite INR_IZR_INZ; reflexivity).
  assert (k0 : 0 <= k) by apply pos_INR.
  assert (k64 : k <= 64).
  { apply le_INR in K. replace (INR 64) with 64 in K by (rewrite INR_IZR_INZ; reflexivity). easy. }
  assert (W : 0 <= w0) by (unfold w0; lra).
  assert (V0 : 0 <= 1 + w0) by lra. assert (V1 : 0 <= w0 * (1 + w0)) by (unfold w0; lra).
  assert (V2 : 0 <= w0 * w0) by (unfold w0; lra).
  assert (S20 := products_abs _ _ _ _ l V2 V0 G low_size hi_size).
  assert (S11 := products_abs _ _ _ _ l V1 V1 G mid_size mid_size).
  assert (S02 := products_abs _ _ _ _ l V0 V2 G hi_size low_size).
  assert (S10 := products_abs _ _ _ _ l V1 V0 G mid_size hi_size).
  assert (S01 := products_abs _ _ _ _ l V0 V1 G hi_size mid_size).
  assert (S00 := products_abs _ _ _ _ l V0 V0 G hi_size hi_size).
  assert (O := left_out l G). set (S := labs (true_products l)) in *.
  assert (S0 : 0 <= S) by apply labs_pos.
  assert (U : 0 < u0) by (unfold u0; lra).
  (* what the groups come to, over u0 S *)
  assert (G0 : (cuts n0 - 1) * labs (products_of hi hi l) <=
    2.0002 * u0 * INR n0 * ((1 + w0) * (1 + w0) * S)).
  { apply Rmult_le_compat; auto using labs_pos. generalize (cuts_ge1 n0). lra. }
  assert (Y1 : 0 <= labs (products_of mid hi l) + labs (products_of hi mid l))
    by (generalize (labs_pos (products_of mid hi l)) (labs_pos (products_of hi mid l)); lra).
  assert (Y2 : 0 <= labs (products_of low hi l) + (labs (products_of mid mid l) +
      labs (products_of hi low l)))
    by (generalize (labs_pos (products_of low hi l)) (labs_pos (products_of mid mid l))
        (labs_pos (products_of hi low l)); lra).
  assert (p1 : 0 <= cuts n1 - 1) by (generalize (cuts_ge1 n1); lra).
  assert (p2 : 0 <= cuts n2 - 1) by (generalize (cuts_ge1 n2); lra).
  assert (G1 : (cuts n1 - 1) * (labs (products_of mid hi l) + labs (products_of hi mid l)) <=
    2.0002 * u0 * INR n1 * (2 * (w0 * (1 + w0) * (1 + w0)) * S))
    by (apply Rmult_le_compat; [ easy | easy | easy | lra ]).
  assert (G2 : (cuts n2 - 1) * (labs (products_of low hi l) + (labs (products_of mid mid l) +
      labs (products_of hi low l))) <=
    2.0002 * u0 * INR n2 * ((w0 * w0) * (2 * (1 + w0) + (1 + w0) * (1 + w0)) * S))
    by (apply Rmult_le_compat; [ easy | easy | easy | lra ]).
  assert (uS : 0 <= u0 * S) by (apply Rmult_le_pos; lra).
  assert (H0 : INR n0 * (u0 * S) <= (17 * k + 15) / 16 * (u0 * S))
    by (apply Rmult_le_compat_r; lra).
  assert (H1 : INR n1 * (u0 * S) <= 3 * ((17 * k + 15) / 16) * (u0 * S))
    by (apply Rmult_le_compat_r; lra).
  assert (H2 : INR n2 * (u0 * S) <= 6 * ((17 * k + 15) / 16) * (u0 * S))
    by (apply Rmult_le_compat_r; lra).
  assert (kS : 0 <= k * (u0 * S)) by (apply Rmult_le_pos; lra).
  assert (PT : INR (length ((b20 ++ b11 ++ b02) ++ (b10 ++ b01) ++ b00)) * (cuts n2 * t) <= 25 * t).
  { assert (cuts n2 <= 1.001).
    { assert (INR n2 <= 416) by lra.
      assert (2.0002 * u0 * INR n2 <= 0.001) by (unfold u0; lra). lra. }
    assert (cuts n2 * t <= 1.001 * t) by (apply Rmult_le_compat_r; lra).
    assert (0 <= cuts n2 * t) by (apply Rmult_le_pos; [ generalize (cuts_ge1 n2); lra | lra ]).
    eapply Rle_trans; [ apply Rmult_le_compat_r; [ easy | exact Len ] |]. lra. }
  replace (x - lsum (true_products l)) with
    ((x - (lsum (products_of low hi l) +
      (lsum (products_of mid mid l) + lsum (products_of hi low l))
      + (lsum (products_of mid hi l) + lsum (products_of hi mid l)) + lsum (products_of hi hi l))) +
     (lsum (products_of hi low l) + lsum (products_of mid mid l) + lsum (products_of low hi l) +
        (lsum (products_of hi mid l) + lsum (products_of mid hi l)) + lsum (products_of hi hi l) -
        lsum (true_products l))) by ring.
  eapply Rle_trans; [ apply Rabs_triang |]. unfold w0 in *. lra.
Qed.

(* ---- the chunks, one after another ---- *)
Inductive chained : R -> list R -> R -> Prop :=
| chained_none y : chained y nil y
| chained_add y x xs y' z : Rabs (y' - (y + x)) <= u0 * Rabs (y + x) -> chained y' xs z ->
    chained y (x :: xs) z.
Lemma chained_err y xs z : chained y xs z ->
  Rabs (z - (y + lsum xs)) <= ((1 + u0) ^ length xs - 1) * (Rabs y + labs xs).
Proof.
  induction 1 as [y|y x xs y' z A C IH].
  - unfold labs. simpl. replace (y - (y + 0)) with 0 by ring. rewrite Rabs_R0. lra.
  - simpl lsum. unfold labs. cbn [map lsum length pow]. fold (labs xs).
    assert (q1 : 1 <= (1 + u0) ^ length xs) by (apply pow_R1_Rle; unfold u0; lra).
    set (q := (1 + u0) ^ length xs) in *. assert (Z := labs_pos xs).
    assert (T := Rabs_triang y x). assert (U : 0 < u0) by (unfold u0; lra).
    assert (Y : Rabs y' <= (1 + u0) * Rabs (y + x)).
    { replace y' with ((y' - (y + x)) + (y + x)) by ring. eapply Rle_trans;
        [ apply Rabs_triang |]. lra. }
    replace (z - (y + (x + lsum xs))) with ((z - (y' + lsum xs)) + (y' - (y + x))) by ring.
    eapply Rle_trans; [ apply Rabs_triang |]. assert (N := Rabs_pos (y + x)).
    assert (K : (q - 1) * (Rabs y' + labs xs) <= (q - 1) * ((1 + u0) * Rabs (y + x) + labs xs))
      by (apply Rmult_le_compat_l; lra).
    assert (K2 : 0 <= q * u0 * labs xs) by (repeat apply Rmult_le_pos; lra).
    assert (K3 : ((1 + u0) * q - 1) * Rabs (y + x) <= ((1 + u0) * q - 1) * (Rabs y + Rabs x)).
    { apply Rmult_le_compat_l; [ nra | easy ]. }
    nra.
Qed.

Definition block_loss : R := bpow radix2 (-148).
Definition unscale : R := bpow radix2 (-32). (* the scale of two factors, undone *)

(* what a thread of fast.h has: chunks and their sums, of at most K inner indices each *)
Definition fast_sum (K : nat) (cs : list (list (three_parts * three_parts) * R)) (z : R) : Prop :=
  (K <= 64)%nat /\
  Forall (fun c => (1 <= length (fst c) <= K)%nat /\ Forall good (fst c) /\
    chunk block_loss (fst c) (snd c)) cs /\
  match cs with nil => False | c :: r => chained (snd c) (map snd r) z end.
Definition terms_of (cs : list (list (three_parts * three_parts) * R)) : list R :=
  concat (map (fun c => true_products (fst c)) cs).
Definition fast_height (K : nat) (cs : list (list (three_parts * three_parts) * R)) : R :=
  2.25 * INR K + 4 + INR (length cs).

Lemma chunks_err K cs : (K <= 64)%nat ->
  Forall (fun c => (1 <= length (fst c) <= K)%nat /\ Forall good (fst c) /\
    chunk block_loss (fst c) (snd c)) cs ->
  let e := (2.25 * INR K + 3.99) * u0 in
  (length cs <= length (terms_of cs))%nat /\
  Rabs (lsum (map snd cs) - lsum (terms_of cs)) <=
    e * labs (terms_of cs) + INR (length cs) * (25 * block_loss) /\
  labs (map snd cs) <= (1 + e) * labs (terms_of cs) + INR (length cs) * (25 * block_loss).
Proof.
  intros K64 F e. assert (T : 0 <= block_loss) by apply bpow_ge_0.
  assert (U : 0 < u0) by (unfold u0; lra). assert (k0 := pos_INR K).
  induction F as [|c cs [[L1 L2] [G C]] F [IH1 [IH2 IH3]]].
  - unfold terms_of, labs. simpl.
    repeat split; [ lia | rewrite Rminus_0_r, Rabs_R0; lra | lra ].
  - unfold terms_of in *. simpl map in *. simpl concat. simpl lsum. unfold labs in *.
    cbn [map lsum]. rewrite map_app, lsum_app, lsum_app. fold (labs (true_products (fst c))).
    set (r := concat (map (fun c => true_products (fst c)) cs)) in *. cbn [length].
    rewrite S_INR, app_length.
    assert (V : length (true_products (fst c)) = length (fst c))
      by (unfold true_products; apply map_length).
    assert (E := chunk_err block_loss (fst c) (snd c) T ltac:(lia) G C).
    assert (Z := labs_pos (true_products (fst c))). set (S := labs (true_products (fst c))) in *.
    assert (E' : (2.25 * INR (length (fst c)) + 3.99) * u0 * S <= e * S).
    { apply Rmult_le_compat_r; [ easy |]. unfold e. apply Rmult_le_compat_r; [ lra |].
      apply le_INR in L2. lra. }
    assert (A := lsum_abs (true_products (fst c))). fold S in A.
    split; [| split ].
    + lia.
    + replace (snd c + lsum (map snd cs) - (lsum (true_products (fst c)) + lsum r)) with
        ((snd c - lsum (true_products (fst c))) + (lsum (map snd cs) - lsum r)) by ring.
      eapply Rle_trans; [ apply Rabs_triang |]. lra.
    + assert (Rabs (snd c) <= (1 + e) * S + 25 * block_loss).
      { replace (snd c) with
          ((snd c - lsum (true_products (fst c))) + lsum (true_products (fst c))) by ring.
        eapply Rle_trans; [ apply Rabs_triang |]. lra. }
      lra.
Qed.

Lemma gam_slope u m : m * u < 1 -> gam u m = m * u * (1 + gam u m).
Proof. intro H. unfold gam. field. lra. Qed.
Lemma gam_mono_u u v m : 0 <= m -> u <= v -> m * v < 1 -> gam u m <= gam v m.
Proof.
  intros M L H. assert (m * u <= m * v) by now apply Rmult_le_compat_l.
  apply (Rplus_le_reg_l 1). rewrite !gam_inv by lra. apply Rinv_le_contravar; lra.
Qed.

Lemma fast_sum_err K cs z : fast_sum K cs z ->
  let H := fast_height K cs in H * u0 < 1 ->
  (1 <= length (terms_of cs))%nat /\
  Rabs (z - lsum (terms_of cs)) <= gam u0 H * labs (terms_of cs) +
    (1 + gam u0 H) * (INR (length cs) * (25 * block_loss)).
Proof.
  intros [K64 [F C]] H HU. destruct (chunks_err K cs K64 F) as [N [E1 E2]].
  destruct cs as [|c cs]; [ easy |]. split; [ simpl in N; lia |].
  assert (U : 0 < u0) by (unfold u0; lra). assert (T : 0 <= block_loss) by apply bpow_ge_0.
  assert (Q := chained_err _ _ _ C). rewrite map_length in Q. unfold H, fast_height in *. clear H.
  change (snd c + lsum (map snd cs)) with (lsum (map snd (c :: cs))) in Q.
  change (Rabs (snd c) + labs (map snd cs)) with (labs (map snd (c :: cs))) in Q.
  change (length (c :: cs)) with (S (length cs)) in *. rewrite S_INR in *.
  set (n := INR (length cs)) in *. assert (n0 : 0 <= n) by apply pos_INR.
  assert (k0 := pos_INR K). set (k := INR K) in *.
  set (L := lsum (terms_of (c :: cs))) in *. set (S := labs (terms_of (c :: cs))) in *.
  set (X := lsum (map snd (c :: cs))) in *. set (A := labs (map snd (c :: cs))) in *.
  assert (S0 : 0 <= S) by apply labs_pos.
  set (e := (2.25 * k + 3.99) * u0) in *. set (tt := (n + 1) * (25 * block_loss)) in *.
  assert (tt0 : 0 <= tt) by (unfold tt; apply Rmult_le_pos; lra).
  assert (e0 : 0 <= e) by (unfold e; apply Rmult_le_pos; lra).
  assert (q1 : 1 <= (1 + u0) ^ length cs) by (apply pow_R1_Rle; lra).
  assert (q2 : (1 + u0) ^ length cs <= 1 + gam u0 n) by (apply pow_gam; fold n; nra).
  set (q := (1 + u0) ^ length cs) in *.
  assert (R1 : 1 + e <= 1 + gam u0 (2.25 * k + 4)).
  { assert (G := gam_ge u0 ltac:(lra) (2.25 * k + 4) ltac:(lra) ltac:(nra)). unfold e. nra. }
  assert (R2 := gam_compose u0 ltac:(lra) n (2.25 * k + 4) ltac:(lra) ltac:(lra) ltac:(nra)).
  assert (R3 := gam_mono u0 ltac:(lra) (n + (2.25 * k + 4)) (2.25 * k + 4 + (n + 1)) ltac:(lra)
    ltac:(lra) HU).
  set (g := gam u0 (2.25 * k + 4 + (n + 1))) in *.
  assert (R4 : q * (1 + e) <= 1 + g).
  { eapply Rle_trans; [ apply Rmult_le_compat; [ lra | lra | exact q2 | exact R1 ] |]. lra. }
  assert (R5 : q <= 1 + g) by nra.
  replace (z - L) with ((z - X) + (X - L)) by ring. eapply Rle_trans; [ apply Rabs_triang |].
  assert (B : (q - 1) * A <= (q - 1) * ((1 + e) * S + tt)) by (apply Rmult_le_compat_l; lra).
  assert (D : q * (1 + e) * S <= (1 + g) * S) by (apply Rmult_le_compat_r; lra).
  assert (D2 : q * tt <= (1 + g) * tt) by (apply Rmult_le_compat_r; lra).
  lra.
Qed.

Section Stands.
Variable ar : arithmetic.
Hypothesis declared : declares (-149) 24 ar.

Lemma u0_unit : u0 <= a_u ar.
Proof. rewrite <- (unit_binary32) at 1. exact (proj1 (proj2 declared)). Qed.

(* the sum, scaled back: r is nearest to it *)
Theorem fast_product_stands K cs z r : fast_sum K cs z ->
  Rabs (r - unscale * z) <= eta_of (-149) ->
  let H := fast_height K cs in H * a_u ar < 1 ->
  let v := unscale * lsum (terms_of cs) in
  stands (p_dot ar v (unscale * labs (terms_of cs)) (INR (length (terms_of cs))) H) v (Some r).
Proof.
  intros F N H HA v V. split; [ easy |]. exists r. split; [ easy |].
  assert (U := u0_unit). assert (Up : 0 < u0) by (unfold u0; lra).
  assert (k0 := pos_INR K). assert (c0 := pos_INR (length cs)).
  assert (H4 : 4 + INR (length cs) <= H) by (unfold H, fast_height; lra).
  assert (HU : H * u0 < 1).
  { eapply Rle_lt_trans; [ apply Rmult_le_compat_l; [ lra | exact U ] | exact HA ]. }
  destruct (fast_sum_err K cs z F HU) as [n1 E]. fold H in E. apply le_INR in n1. simpl INR in n1.
  assert (M : (length cs <= length (terms_of cs))%nat)
    by (destruct F as [K64 [Q _]]; apply (chunks_err K cs K64 Q)).
  apply le_INR in M. unfold p_dot, p_sum in *. cbn [p_e] in *.
  destruct (range_below _ _ _ V) as [-> _]. clear V.
  set (n := INR (length (terms_of cs))) in *. set (m := INR (length cs)) in *.
  set (L := lsum (terms_of cs)) in *. assert (S0 := labs_pos (terms_of cs)).
  set (S := labs (terms_of cs)) in *.
  assert (B0 : 0 < unscale) by apply bpow_gt_0.
  assert (E0 : 0 < eta_of (-149)) by apply eta_pos.
  assert (EA : eta_of (-149) <= a_eta ar) by (destruct declared as [_ [_ [_ [D _]]]]; exact D).
  assert (G1 := p_gam_pos (-149) 24 ar declared 1).
  assert (G : gam u0 H <= p_gam (a_u ar) H).
  { rewrite (p_gam_is ar H) by lra. apply gam_mono_u; lra. }
  assert (g0 := gam_pos u0 ltac:(lra) H ltac:(lra) HU).
  assert (Sl := gam_slope u0 H HU). set (g := gam u0 H) in *.
  (* underflow in blocks is below the rounding of products *)
  assert (TT : 25 * (unscale * block_loss) <= u0 * eta_of (-149)).
  { unfold unscale, block_loss. rewrite <- bpow_plus. replace u0 with (bpow radix2 (-24))
      by (unfold u0; simpl; lra).
    unfold eta_of. rewrite <- bpow_plus.
    apply Rle_trans with (bpow radix2 5 * bpow radix2 (-32 + -148)).
    - apply Rmult_le_compat_r; [ apply bpow_ge_0 | simpl; lra ].
    - rewrite <- bpow_plus. apply bpow_le. lia. }
  assert (W : (1 + g) * (m * (25 * (unscale * block_loss))) <= g * (n * eta_of (-149))).
  { rewrite Sl at 2.
    assert (m * (25 * (unscale * block_loss)) <= m * (u0 * eta_of (-149)))
      by (apply Rmult_le_compat_l; lra).
    assert (m * (u0 * eta_of (-149)) <= H * n * (u0 * eta_of (-149))).
    { apply Rmult_le_compat_r; [ apply Rmult_le_pos; lra | nra ]. }
    replace (H * u0 * (1 + g) * (n * eta_of (-149)))
      with ((1 + g) * (H * n * (u0 * eta_of (-149)))) by ring.
    apply Rmult_le_compat_l; lra. }
  assert (Y : unscale * Rabs (z - L) <= unscale * (g * S + (1 + g) * (m * (25 * block_loss))))
    by (apply Rmult_le_compat_l; lra).
  assert (X : Rabs (r - v) <= eta_of (-149) + (g * (unscale * S) + g * (n * eta_of (-149)))).
  { unfold v. replace (r - unscale * L) with ((r - unscale * z) + unscale * (z - L)) by ring.
    eapply Rle_trans; [ apply Rabs_triang |].
    rewrite (Rabs_mult unscale), (Rabs_pos_eq unscale) by lra.
    lra. }
  assert (bS : 0 <= unscale * S) by (apply Rmult_le_pos; lra).
  assert (nE : n * eta_of (-149) <= n * a_eta ar) by (apply Rmult_le_compat_l; lra).
  assert (n1E : eta_of (-149) <= n * eta_of (-149)) by nra.
  assert (J1 : 0 <= p_gam (a_u ar) 1 * (unscale * S)) by (apply Rmult_le_pos; lra).
  assert (J2 : g * (unscale * S + n * eta_of (-149)) <= p_gam (a_u ar) H *
    (unscale * S + (p_gam (a_u ar) 1 * (unscale * S) + n * a_eta ar))).
  { apply Rmult_le_compat; lra || (assert (0 <= n * eta_of (-149)) by nra; lra). }
  lra.
Qed.

(* alpha times it *)
Theorem fast_product_bounds K cs z r alpha c : fast_sum K cs z ->
  Rabs (r - unscale * z) <= eta_of (-149) -> fast_height K cs * a_u ar < 1 ->
  (if Req_EM_T alpha 1 then c = Some r else of2 (muls (-149) 24 ar) (Some alpha) (Some r) c) ->
  let v := unscale * lsum (terms_of cs) in
  let e := e_scaled_dot ar alpha v (unscale * labs (terms_of cs)) (Z.of_nat (length (terms_of cs)))
    (fast_height K cs) in
  e < vacuous -> exists x, c = Some x /\ Rabs (x - alpha * v) <= e.
Proof.
  intros F N HA C v e. unfold e, e_scaled_dot. rewrite <- INR_IZR_INZ.
  assert (T := fast_product_stands K cs z r F N HA). fold v in T.
  destruct (Req_EM_T alpha 1) as [->|_]; intro L.
  - subst. destruct (T L) as [_ [x [-> X]]]. exists x. split; [ easy |]. now rewrite Rmult_1_l.
  - destruct (p_mul_stands (-149) 24 ar declared _ _ _ _ _ _ (exact_stands alpha) T c C L)
      as [_ X]. exact X.
Qed.
End Stands.
