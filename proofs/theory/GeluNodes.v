(* gelu on error pairs, as ref/activation.h has it, is a bound. The argument of tanh is
   S a (1 + C a a) there; a kernel may also compute S (a + C a a a). In both only numbers of one
   sign are added and multiplied, so that |v| + e grows by factors and by subnormals: no less in the
   first than in the second. From |a| = 20 on tanh is 1 or -1, whatever becomes of its argument. *)
Require Import Reals Lra Psatz ZArith Lia.
From Flocq Require Import Core.
From Theory Require Import Scalar Round Nodes NodesOfFunctions Compose.
Open Scope R_scope.

Definition gelu_scale : R := 0.79788456080286535588.
Definition gelu_cubic : R := 0.044715.
Definition gelu_arg (a : R) : R := gelu_scale * (a + gelu_cubic * a * a * a).
Definition gelu_rise (a : R) : R := gelu_scale * (1 + 3 * gelu_cubic * a * a).

(* ---------------------------------------------------------------- as in ref/activation.h *)
Definition p_gelu_in ar a : err_pair :=
  if Rlt_dec (Rabs a) 20
  then p_mul3 ar (p_const ar gelu_scale) (ErrPair a 0)
    (p_add ar (ErrPair 1 0) (p_mul3 ar (p_const ar gelu_cubic) (ErrPair a 0) (ErrPair a 0)))
  else ErrPair (gelu_arg a) (/ 2 * Rabs (gelu_arg a)).
Definition p_gelu_tanh ar a : err_pair :=
  p_mul3 ar (ErrPair (1 / 2) 0) (ErrPair a 0)
    (p_add ar (ErrPair 1 0) (p_tanh ar (p_gelu_in ar a))).
Definition p_gelu_sigmoid ar a : err_pair :=
  p_quo ar (ErrPair a 0) (p_add ar (ErrPair 1 0)
    (p_exp ar (ErrPair (-2 * p_v (p_gelu_in ar a)) (2 * p_e (p_gelu_in ar a))))) 2.
Definition p_gelu_worse ar a : R := if Rlt_dec (p_e (p_gelu_sigmoid ar a)) vacuous
  then Rmax (p_e (p_gelu_tanh ar a)) (p_e (p_gelu_sigmoid ar a)) else p_e (p_gelu_tanh ar a).
Definition e_gelu ar a : R :=
  p_range ar (Rabs a) (p_gelu_worse ar a + (2 * k_exp ar + 2) * a_eta ar * Rabs a).
Definition p_sech2 ar p : err_pair :=
  if p_saturated ar p
  then ErrPair (1 - p_v (p_tanh ar p) * p_v (p_tanh ar p)) (2 * p_e (p_tanh ar p))
  else let q := p_sub ar (ErrPair 1 0) (p_mul ar (p_tanh ar p) (p_tanh ar p)) in
    p_rnd ar (p_v q) (p_e q) 2.
Definition p_gelu_slope ar a : err_pair :=
  p_mul ar (p_const ar gelu_scale) (p_add ar (ErrPair 1 0)
    (p_mul3 ar (p_mul ar (ErrPair 3 0) (p_const ar gelu_cubic)) (ErrPair a 0) (ErrPair a 0))).
Definition p_gelu_rest ar a : err_pair :=
  if p_saturated ar (p_gelu_in ar a)
  then ErrPair (1 / 2 * a * p_v (p_sech2 ar (p_gelu_in ar a)) * p_v (p_gelu_slope ar a))
    (Rabs (1 / 2 * a * p_v (p_gelu_slope ar a)) * p_e (p_sech2 ar (p_gelu_in ar a)))
  else p_mul3 ar (p_mul ar (ErrPair (1 / 2) 0) (ErrPair a 0)) (p_sech2 ar (p_gelu_in ar a))
    (p_gelu_slope ar a).
Definition p_gelu_d ar a : err_pair :=
  p_add ar (p_mul ar (ErrPair (1 / 2) 0) (p_add ar (ErrPair 1 0) (p_tanh ar (p_gelu_in ar a))))
    (p_gelu_rest ar a).

(* ---------------------------------------------------------------- what a kernel evaluates *)
(* S (a + C a a a), products from the left *)
Definition gelu_expanded a : expression := E_mul (E_const gelu_scale) (E_add (E_exactly a)
  (E_mul (E_mul (E_mul (E_const gelu_cubic) (E_exactly a)) (E_exactly a)) (E_exactly a))).
(* S a (1 + C a a), each product in any association *)
Definition gelu_factored a : expression := E_mul3 (E_const gelu_scale) (E_exactly a)
  (E_add (E_exactly 1) (E_mul3 (E_const gelu_cubic) (E_exactly a) (E_exactly a))).
Definition gelu_slope_text a : expression := E_mul (E_const gelu_scale) (E_add (E_exactly 1)
  (E_mul3 (E_mul (E_exactly 3) (E_const gelu_cubic)) (E_exactly a) (E_exactly a))).

Section Gelu.
Variables (e_min prec : Z) (ar : arithmetic).
Hypothesis declared : declares e_min prec ar.
(* an arithmetic that is not too coarse, and not finer than exp(-300) *)
Definition suits_gelu : Prop := a_u ar <= / 16 /\ a_eta ar <= / 16 /\ 2048 <= a_big ar /\
  (prec <= 290)%Z.
Hypothesis suits : suits_gelu.
Definition nothing (i : nat) : flnum := None.
Let u_positive := u_pos e_min prec ar declared.
Let eta_positive := a_eta_pos e_min prec ar declared.

(* ---------------------------------------------------------------- magnitudes |v| + e *)
Let g1 := 1 + p_gam (a_u ar) 1.
Let g2 := 1 + p_gam (a_u ar) 2.
Let tiny := a_eta ar.
Lemma factors : 1 <= g1 /\ g1 * g1 <= g2 /\ g1 <= 16 / 15 /\ g2 <= 8 / 7 /\ 0 < tiny <= / 16.
Proof.
  destruct suits as [U [E _]]. unfold g1, g2, tiny. rewrite !p_gam_is by lra.
  generalize (gam_compose (a_u ar) (Rlt_le _ _ u_positive) 1 1). replace (1 + 1) with 2 by ring.
  intro C. assert (G := gam_pos (a_u ar) (Rlt_le _ _ u_positive) 1).
  split; [ lra | split; [ apply C; lra |]]. rewrite !gam_inv by lra. split; [| split; [| easy ]].
  - replace (16 / 15) with (/ (15 / 16)) by lra. apply Rinv_le_contravar; lra.
  - replace (8 / 7) with (/ (7 / 8)) by lra. apply Rinv_le_contravar; lra.
Qed.
(* p has the value v and the magnitude m, both in range *)
Definition sized p v m : Prop := p = ErrPair v (m - Rabs v) /\ Rabs v <= m /\ m <= 2048.
Lemma vacuous_large : 2048 < vacuous.
Proof. unfold vacuous. apply IZR_lt. reflexivity. Qed.
Lemma sized_rnd v m w : 0 <= w -> Rabs v <= m -> (1 + p_gam (a_u ar) w) * m + w * tiny <= 2048 ->
  sized (p_rnd ar v (m - Rabs v) w) v ((1 + p_gam (a_u ar) w) * m + w * tiny).
Proof.
  intros W V B. destruct suits as [_ [_ [Big _]]].
  generalize vacuous_large (Rabs_pos v); intros L P.
  assert (G := p_gam_pos e_min prec ar declared w).
  assert (0 <= p_gam (a_u ar) w * m) by (apply Rmult_le_pos; lra).
  assert (0 <= w * tiny) by (apply Rmult_le_pos; unfold tiny; lra).
  split; [| split; [ lra | easy ]]. unfold p_rnd. f_equal. fold tiny. unfold p_range.
  replace (Rabs v + (m - Rabs v)) with m by ring.
  destruct (Rle_dec _ (a_big ar)); [| lra ]. destruct (Rlt_dec _ vacuous); [ ring | lra ].
Qed.
Lemma sized_exact v : Rabs v <= 2048 -> sized (ErrPair v 0) v (Rabs v).
Proof. intro H. split; [ f_equal; ring | lra ]. Qed.
Lemma sized_const c : g1 * Rabs c + 1 * tiny <= 2048 ->
  sized (p_const ar c) c (g1 * Rabs c + 1 * tiny).
Proof.
  intro B. unfold p_const. replace 0 with (Rabs c - Rabs c) by ring.
  apply sized_rnd; [ lra | lra | exact B ].
Qed.
Lemma sized_cross p q v w m n : sized p v m -> sized q w n ->
  p_cross p q = m * n - Rabs (v * w) /\ Rabs (v * w) <= m * n.
Proof.
  intros [-> [V M]] [-> [W N]]. generalize vacuous_large (Rabs_pos v) (Rabs_pos w); intros L P Q.
  unfold p_cross. cbn [p_v p_e]. rewrite Rabs_mult. split.
  - destruct (Rlt_dec _ vacuous); [| lra ]. destruct (Rlt_dec _ vacuous); [ ring | lra ].
  - apply Rmult_le_compat; lra.
Qed.
Lemma sized_mul p q v w m n : sized p v m -> sized q w n -> g1 * (m * n) + 1 * tiny <= 2048 ->
  sized (p_mul ar p q) (v * w) (g1 * (m * n) + 1 * tiny).
Proof.
  intros P Q B. destruct (sized_cross p q v w m n P Q) as [C D]. unfold p_mul. rewrite C.
  destruct P as [-> _], Q as [-> _]. cbn [p_v p_e]. apply sized_rnd; [ lra | exact D | exact B ].
Qed.
Lemma sized_add p q v w m n : sized p v m -> sized q w n -> Rabs (v + w) = Rabs v + Rabs w ->
  g1 * (m + n) + 1 * tiny <= 2048 -> sized (p_add ar p q) (v + w) (g1 * (m + n) + 1 * tiny).
Proof.
  intros [-> [V M]] [-> [W N]] A B. unfold p_add. cbn [p_v p_e].
  replace (m - Rabs v + (n - Rabs w)) with (m + n - Rabs (v + w)) by (rewrite A; ring).
  apply sized_rnd; [ lra | lra | exact B ].
Qed.
Lemma sized_mul3 p q t v w z m n k : sized p v m -> sized q w n -> sized t z k ->
  m * n <= 2048 -> m * k <= 2048 -> n * k <= 2048 ->
  g2 * (m * n * k) + 2 * tiny + tiny * (m + n + k) <= 2048 ->
  sized (p_mul3 ar p q t) (v * w * z) (g2 * (m * n * k) + 2 * tiny + tiny * (m + n + k)).
Proof.
  intros P Q T B1 B2 B3 B. destruct suits as [_ [_ [Big _]]].
  generalize vacuous_large factors; intros L [G1 [_ [_ [_ [E _]]]]].
  destruct (sized_cross p q v w m n P Q) as [C D].
  assert (Mag : forall a b c, sized a b c -> p_mag a = c)
    by (intros a b c [-> _]; unfold p_mag; cbn [p_v p_e]; ring).
  unfold p_mul3. cbv zeta. rewrite (Mag p v m P), (Mag q w n Q), (Mag t z k T), C.
  destruct (Rle_dec (m * n) (a_big ar)); [| lra ]. destruct (Rle_dec (m * k) (a_big ar)); [| lra ].
  destruct (Rle_dec (n * k) (a_big ar)); [| lra ].
  assert (PQ : sized (ErrPair (v * w) (m * n - Rabs (v * w))) (v * w) (m * n)) by easy.
  destruct (sized_cross _ t _ z _ k PQ T) as [C2 D2].
  destruct P as [-> [V M]], Q as [-> [W N]], T as [-> [Z K]]. cbn [p_v p_e] in *. rewrite C2.
  generalize (Rabs_pos v) (Rabs_pos w) (Rabs_pos z) (Rabs_pos (v * w * z)); intros.
  assert (0 <= tiny * (m + n + k)) by (apply Rmult_le_pos; lra).
  assert (R := sized_rnd (v * w * z) (m * n * k) 2). fold g2 in R.
  destruct R as [-> [R1 R2]]; [ lra | exact D2 | lra |].
  split; [| split; [ lra | exact B ]]. unfold p_widen. cbn [p_v p_e]. f_equal. unfold p_range.
  fold tiny. destruct (Rle_dec _ (a_big ar)); [| lra ].
  destruct (Rlt_dec _ vacuous); [ ring | lra ].
Qed.

(* ---------------------------------------------------------------- the argument of tanh *)
Lemma product_within x y m n : 0 <= x <= m -> 0 <= y <= n -> 0 <= x * y <= m * n.
Proof. intros. split; [ apply Rmult_le_pos | apply Rmult_le_compat ]; lra. Qed.
Section Near.
Variable a : R.
Hypothesis below_20 : Rabs a < 20.
Let b := Rabs a.
Let mS := g1 * gelu_scale + 1 * tiny.
Let mC := g1 * gelu_cubic + 1 * tiny.
Let k1 := g1 * (mC * b) + 1 * tiny.
Let k2 := g1 * (k1 * b) + 1 * tiny.
Let k3 := g1 * (k2 * b) + 1 * tiny.
Let k4 := g1 * (b + k3) + 1 * tiny.
Let k5 := g1 * (mS * k4) + 1 * tiny.
Let b1 := g2 * (mC * b * b) + 2 * tiny + tiny * (mC + b + b).
Let b2 := g1 * (1 + b1) + 1 * tiny.
Let b3 := g2 * (mS * b * b2) + 2 * tiny + tiny * (mS + b + b2).

Lemma b_range : 0 <= b <= 20.
Proof. unfold b. generalize (Rabs_pos a). lra. Qed.
Lemma scales : 0 <= mS <= 0.95 /\ 0 <= mC <= / 8.
Proof.
  destruct factors as [A [_ [B [_ E]]]]. unfold mS, mC, gelu_scale, gelu_cubic. lra.
Qed.
Lemma expanded_range : 0 <= k1 <= 3 /\ 0 <= k2 <= 65 /\ 0 <= k3 <= 1390 /\ 0 <= k4 <= 1510 /\
  0 <= k5 <= 2048.
Proof.
  destruct factors as [A [_ [B [_ E]]]]. destruct scales as [S C]. assert (R := b_range).
  assert (G : 0 <= g1 <= 16 / 15) by lra.
  assert (K1 : 0 <= k1 <= 3).
  { generalize (product_within _ _ _ _ G (product_within _ _ _ _ C R)). unfold k1. lra. }
  assert (K2 : 0 <= k2 <= 65).
  { generalize (product_within _ _ _ _ G (product_within _ _ _ _ K1 R)). unfold k2. lra. }
  assert (K3 : 0 <= k3 <= 1390).
  { generalize (product_within _ _ _ _ G (product_within _ _ _ _ K2 R)). unfold k3. lra. }
  assert (K4 : 0 <= k4 <= 1510).
  { assert (T : 0 <= b + k3 <= 1410) by lra.
    generalize (product_within _ _ _ _ G T). unfold k4. lra. }
  generalize (product_within _ _ _ _ G (product_within _ _ _ _ S K4)). unfold k5. lra.
Qed.
Lemma factored_range : 0 <= b1 <= 61 /\ 0 <= b2 <= 67 /\ 0 <= b3 <= 2048 /\ b * b2 <= 1340.
Proof.
  destruct factors as [A [_ [B [D E]]]]. destruct scales as [S C]. assert (R := b_range).
  assert (G : 0 <= g1 <= 16 / 15) by lra.
  assert (H : 0 <= g2 <= 8 / 7) by (destruct factors as [_ [? _]]; nra).
  assert (E0 : 0 <= tiny <= / 16) by lra.
  assert (B1 : 0 <= b1 <= 61).
  { assert (T : 0 <= mC + b + b <= 41) by lra.
    generalize (product_within _ _ _ _ H (product_within _ _ _ _ (product_within _ _ _ _ C R) R))
      (product_within _ _ _ _ E0 T). unfold b1. lra. }
  assert (B2 : 0 <= b2 <= 67).
  { assert (T : 0 <= 1 + b1 <= 62) by lra.
    generalize (product_within _ _ _ _ G T). unfold b2. lra. }
  assert (T : 0 <= mS + b + b2 <= 88) by lra.
  generalize (product_within _ _ _ _ H (product_within _ _ _ _ (product_within _ _ _ _ S R) B2))
    (product_within _ _ _ _ E0 T) (product_within _ _ _ _ R B2). unfold b3. lra.
Qed.
Lemma expanded_no_more : k5 <= b3.
Proof.
  destruct factors as [A [A2 [B [_ E]]]]. destruct scales as [S C]. assert (R := b_range).
  assert (L1 : g1 * g1 * (mC * b * b) + 2 * tiny + tiny * (mC + b + b) <= b1).
  { unfold b1. assert (0 <= mC * b * b) by (repeat apply Rmult_le_pos; lra).
    assert (g1 * g1 * (mC * b * b) <= g2 * (mC * b * b)) by now apply Rmult_le_compat_r. lra. }
  set (l1 := g1 * g1 * (mC * b * b) + 2 * tiny + tiny * (mC + b + b)) in *.
  assert (L2 : g1 * (1 + l1) + 1 * tiny <= b2).
  { unfold b2. assert (g1 * (1 + l1) <= g1 * (1 + b1)) by (apply Rmult_le_compat_l; lra). lra. }
  assert (P1 : 0 <= l1).
  { unfold l1. assert (0 <= g1 * g1 * (mC * b * b)) by (repeat apply Rmult_le_pos; lra).
    assert (0 <= tiny * (mC + b + b)) by (apply Rmult_le_pos; lra). lra. }
  set (l2 := g1 * (1 + l1) + 1 * tiny) in *.
  assert (P2 : 1 <= l2) by (unfold l2; assert (0 <= g1 * l1) by (apply Rmult_le_pos; lra); lra).
  assert (L3 : g1 * g1 * (mS * b * l2) + 2 * tiny + tiny * (mS + b + 1) <= b3).
  { unfold b3. assert (P : 0 <= mS * b) by (apply Rmult_le_pos; lra).
    assert (mS * b * l2 <= mS * b * b2) by now apply Rmult_le_compat_l.
    assert (0 <= mS * b * l2) by (apply Rmult_le_pos; lra).
    assert (g1 * g1 * (mS * b * l2) <= g2 * (mS * b * b2))
      by (apply Rmult_le_compat; try apply Rmult_le_pos; lra).
    assert (tiny * (mS + b + 1) <= tiny * (mS + b + b2)) by (apply Rmult_le_compat_l; lra). lra. }
  eapply Rle_trans; [| exact L3 ]. apply Rge_le, Rminus_ge, Rle_ge.
  replace (g1 * g1 * (mS * b * l2) + 2 * tiny + tiny * (mS + b + 1) - k5) with
    (mS * g1 * g1 * b * (g1 - 1) + mS * tiny * g1 * g1 * g1 * b * (1 + mC) +
     mS * tiny * g1 * g1 * b + mS * tiny * g1 * g1 * g1 * b * b * (2 - g1) +
     tiny * (2 + b - mS * (g1 + g1 * g1 - 1)))
    by (unfold k5, k4, k3, k2, k1, l2, l1; ring).
  assert (0 <= g1 * g1 <= 16 / 15 * (16 / 15)) by (apply product_within; split; lra).
  assert (0 <= mS * (g1 + g1 * g1 - 1) <= 0.95 * 2) by (apply product_within; split; lra).
  repeat apply Rplus_le_le_0_compat; repeat apply Rmult_le_pos; lra.
Qed.
Lemma same_sign x y : 0 <= y -> Rabs (x + y * x) = Rabs x + Rabs (y * x).
Proof.
  intro Y. replace (x + y * x) with ((1 + y) * x) by ring.
  rewrite !Rabs_mult, (Rabs_pos_eq y), (Rabs_pos_eq (1 + y)) by lra. ring.
Qed.
Lemma scale_abs : Rabs gelu_scale = gelu_scale /\ Rabs gelu_cubic = gelu_cubic.
Proof. unfold gelu_scale, gelu_cubic. split; apply Rabs_pos_eq; lra. Qed.
Lemma constants_sized : sized (p_const ar gelu_scale) gelu_scale mS /\
  sized (p_const ar gelu_cubic) gelu_cubic mC.
Proof.
  destruct scale_abs as [S C]. destruct scales as [M N]. unfold mS, mC in *.
  assert (X := sized_const gelu_scale). assert (Y := sized_const gelu_cubic). rewrite S in X.
  rewrite C in Y. split; [ apply X | apply Y ]; lra.
Qed.
Lemma input_sized : sized (ErrPair a 0) a b.
Proof. apply sized_exact. lra. Qed.
Ltac stays m := apply (Rle_trans _ m); [ apply Rle_refl | lra ].
Lemma expanded_sized pairs : sized (pair_of_expression ar pairs (gelu_expanded a)) (gelu_arg a) k5.
Proof.
  destruct constants_sized as [S C]. assert (I := input_sized).
  destruct expanded_range as [K1 [K2 [K3 [K4 K5]]]]. cbn [gelu_expanded pair_of_expression].
  apply (sized_mul _ _ _ _ mS k4); [ exact S | | stays k5 ].
  apply (sized_add _ _ _ _ b k3); [ exact I | | | stays k4 ].
  - apply (sized_mul _ _ _ _ k2 b); [| exact I | stays k3 ].
    apply (sized_mul _ _ _ _ k1 b); [| exact I | stays k2 ].
    apply (sized_mul _ _ _ _ mC b); [ exact C | exact I | stays k1 ].
  - apply same_sign. unfold gelu_cubic. nra.
Qed.
Lemma factored_sized : sized (p_gelu_in ar a) (gelu_scale * a * (1 + gelu_cubic * a * a)) b3.
Proof.
  destruct constants_sized as [S C]. assert (I := input_sized).
  destruct scales as [M N]. assert (R := b_range).
  destruct factored_range as [B1 [B2 [B3 B4]]]. unfold p_gelu_in.
  destruct (Rlt_dec (Rabs a) 20) as [_|]; [| easy ].
  assert (P : forall x y m n, 0 <= x <= m -> 0 <= y <= n -> m * n <= 2048 -> x * y <= 2048)
    by (intros x y m n X Y L; generalize (product_within _ _ _ _ X Y); lra).
  apply (sized_mul3 _ _ _ _ _ _ mS b b2); [ exact S | exact I | | | | lra | stays b3 ].
  - assert (O : sized (ErrPair 1 0) 1 1)
      by (rewrite <- (Rabs_pos_eq 1) at 3 by lra; apply sized_exact; rewrite Rabs_pos_eq; lra).
    apply (sized_add _ _ _ _ 1 b1); [ exact O | | | stays b2 ].
    + apply (sized_mul3 _ _ _ _ _ _ mC b b); [ exact C | exact I | exact I | | | | stays b1 ];
        eapply P; eauto; lra.
    + assert (0 <= gelu_cubic * a * a) by (unfold gelu_cubic; nra).
      rewrite !(Rabs_pos_eq) by lra. easy.
  - eapply P; eauto; lra.
  - eapply P; eauto; lra.
Qed.
Lemma no_less p q r c : stands p r c -> p_v p = p_v q -> p_e p <= p_e q -> stands q r c.
Proof.
  intros H V E L. destruct H as [H [y [C Y]]]; [ lra |]. split; [ congruence |]. exists y.
  split; [ easy | lra ].
Qed.
(* x is what a kernel may compute of the argument *)
Definition is_gelu_arg (x : flnum) : Prop := may_be e_min prec ar nothing (gelu_expanded a) x \/
  may_be e_min prec ar nothing (gelu_factored a) x.
Lemma gelu_arg_is : gelu_scale * a * (1 + gelu_cubic * a * a) = gelu_arg a.
Proof. unfold gelu_arg. ring. Qed.
Theorem gelu_arg_stands x : is_gelu_arg x -> stands (p_gelu_in ar a) (gelu_arg a) x.
Proof.
  assert (G : forall i, stands (ErrPair 0 vacuous) 0 (nothing i)) by (intro; apply vacuous_stands).
  intros [H|H]; apply (composition e_min prec ar declared _ _ _ _ _ G) in H.
  - apply (no_less _ _ _ _ H).
    + destruct factored_sized as [-> _]. cbn [p_v]. rewrite gelu_arg_is. cbn. unfold gelu_arg. ring.
    + destruct (expanded_sized (fun _ => ErrPair 0 vacuous)) as [E _].
      rewrite E. destruct factored_sized as [-> _].
      cbn [p_e]. rewrite gelu_arg_is. generalize expanded_no_more. lra.
  - cbn [real_value gelu_factored] in H. rewrite gelu_arg_is in H. unfold p_gelu_in.
    destruct (Rlt_dec (Rabs a) 20); [ exact H | easy ].
Qed.
End Near.

(* ---------------------------------------------------------------- tanh of it *)
(* y is within half of the argument *)
Definition half_near a (y : R) : Prop := Rabs (y - gelu_arg a) <= / 2 * Rabs (gelu_arg a).
(* t is the tanh that a kernel has of the argument that it computed of a. From 20 on that is within
   half of the real one, or an infinity, of which tanh is 1 or -1: a premise *)
Definition is_gelu_tanh a (t : flnum) : Prop := few ar (2 * k_tanh ar + 1) /\
  (Rabs a < 20 -> exists x, is_gelu_arg a x /\ of1 (tanh_of e_min prec ar) x t) /\
  (20 <= Rabs a -> t = Some (if Rlt_dec 0 a then 1 else -1) \/
    exists y, half_near a y /\ tanh_of e_min prec ar y t).
Lemma far_arg a : 20 <= Rabs a -> 300 <= Rabs (gelu_arg a) /\
  (if Rlt_dec 0 (gelu_arg a) then 1 else -1) = (if Rlt_dec 0 a then 1 else -1).
Proof.
  intro A.
  assert (P : 15 <= gelu_scale * (1 + gelu_cubic * a * a)).
  { unfold gelu_scale, gelu_cubic.
    assert (20 * 20 <= Rabs a * Rabs a) by (apply Rmult_le_compat; lra).
    rewrite <- Rabs_mult, Rabs_pos_eq in H by nra. lra. }
  assert (E : gelu_arg a = a * (gelu_scale * (1 + gelu_cubic * a * a))) by (unfold gelu_arg; ring).
  set (m := gelu_scale * (1 + gelu_cubic * a * a)) in *. rewrite E. split.
  - rewrite Rabs_mult, (Rabs_pos_eq m) by lra. replace 300 with (20 * 15) by ring.
    apply Rmult_le_compat; lra.
  - destruct (Rlt_dec 0 a); destruct (Rlt_dec 0 (a * m)); auto; exfalso; nra.
Qed.
Lemma far_tail : 2 * exp (-300) <= / 4 * a_u ar.
Proof.
  generalize suits declared; intros [_ [_ [_ P]]] [_ [U _]].
  assert (B : / 2 ^ 290 <= a_u ar).
  { eapply Rle_trans; [| exact U ]. unfold unit_of.
    apply Rle_trans with (bpow radix2 (- (290))); [| apply bpow_le; lia ].
    rewrite bpow_opp. right. f_equal. rewrite <- (IZR_Zpower radix2 290) by lia.
    rewrite pow_IZR. reflexivity. }
  assert (E : exp (-300) <= / 2 ^ 300).
  { replace (-300) with (- (300)) by ring. rewrite exp_Ropp.
    apply Rinv_le_contravar; [ apply pow_lt; lra |].
    replace 300 with (INR 300) by (rewrite INR_IZR_INZ; reflexivity).
    rewrite <- (Rmult_1_r (INR 300)), <- Rpower_pow by lra. unfold Rpower. apply exp_rises.
    apply Rmult_le_compat_l; [ apply pos_INR |]. rewrite <- (ln_exp 1). apply ln_rises; [ lra |].
    generalize (exp_ineq1 1). lra. }
  replace (2 ^ 300) with (2 ^ 290 * 2 ^ 10) in E by (rewrite <- pow_add; reflexivity).
  rewrite Rinv_mult in E. assert (0 < / 2 ^ 290) by (apply Rinv_0_lt_compat, pow_lt; lra). lra.
Qed.
Lemma far_tanh a t : is_gelu_tanh a t -> 20 <= Rabs a -> t = Some (if Rlt_dec 0 a then 1 else -1).
Proof.
  intros [_ [_ H]] A. destruct (H A) as [E|[y [Y [_ T]]]]; [ exact E |].
  destruct (far_arg a A) as [M S]. unfold half_near in Y. assert (B := abs_within (gelu_arg a) y).
  rewrite Rabs_minus_sym in B. rewrite <- S, T.
  - f_equal. destruct (ends _ _ _ Y). unfold Rabs in *.
    destruct (Rcase_abs (gelu_arg a)); destruct (Rlt_dec 0 y); destruct (Rlt_dec 0 (gelu_arg a));
      auto; lra.
  - lra.
  - eapply Rle_trans; [| exact far_tail ]. apply Rmult_le_compat_l; [ lra |]. apply exp_rises. lra.
Qed.
Lemma far_saturated a : 20 <= Rabs a -> / 2 * Rabs (gelu_arg a) < vacuous ->
  p_saturated ar (p_gelu_in ar a) = true.
Proof.
  intros A V. destruct (far_arg a A) as [F _]. unfold p_gelu_in.
  destruct (Rlt_dec (Rabs a) 20); [ lra |]. unfold p_saturated, p_tail. cbn [p_v p_e].
  destruct (Rlt_dec _ vacuous); [| easy ]. destruct (Rle_dec 10 _); [| lra ].
  destruct (Rle_dec _ (/ 4 * a_u ar)) as [|N]; [ easy |]. elim N.
  eapply Rle_trans; [| exact far_tail ]. apply Rmult_le_compat_l; [ lra |]. apply exp_rises. lra.
Qed.
(* the pair of tanh stands for t; where it is saturated, t is exact *)
Theorem gelu_tanh_stands a t : is_gelu_tanh a t ->
  stands (p_tanh ar (p_gelu_in ar a)) (tanh (gelu_arg a)) t.
Proof.
  intro H. assert (Far := far_tanh a t H). destruct H as [F [N _]].
  destruct (Rlt_dec (Rabs a) 20) as [L|L].
  - destruct (N L) as [x [X T]]. apply (p_tanh_stands e_min prec ar declared _ _ x); auto.
    now apply gelu_arg_stands.
  - assert (A : 20 <= Rabs a) by lra. rewrite (Far A). destruct (far_arg a A) as [M S].
    unfold p_tanh. destruct (p_saturated ar (p_gelu_in ar a)) eqn:U.
    + intros _. unfold p_gelu_in. destruct (Rlt_dec (Rabs a) 20); [ easy |]. unfold p_tail.
      cbn [p_v p_e]. split; [ easy |]. eexists. split; [ reflexivity |]. rewrite <- S.
      apply tanh_tail. lra.
    + unfold p_rising. destruct (Rlt_dec _ vacuous) as [V|]; [| apply vacuous_stands ].
      rewrite far_saturated in U; [ easy | easy |]. unfold p_gelu_in in V.
      destruct (Rlt_dec (Rabs a) 20); easy.
Qed.
Lemma saturated_tanh a t : is_gelu_tanh a t -> p_saturated ar (p_gelu_in ar a) = true ->
  t = Some 1 \/ t = Some (-1).
Proof.
  intros H U. assert (Far := far_tanh a t H). destruct H as [F [N _]].
  destruct (Rlt_dec (Rabs a) 20) as [L|L].
  - destruct (N L) as [x [X T]]. destruct (p_saturated_true ar _ U) as [V _].
    destruct (gelu_arg_stands a L x X V) as [W [y [-> Y]]].
    rewrite (p_saturated_exact e_min prec ar _ _ y t U W Y) by now apply T.
    destruct (Rlt_dec 0 (gelu_arg a)); auto.
  - rewrite Far by lra. destruct (Rlt_dec 0 a); auto.
Qed.

(* ---------------------------------------------------------------- gelu *)
Definition gelu_text a : expression := E_mul3 (E_exactly (1 / 2)) (E_exactly a)
  (E_add (E_exactly 1) (E_given 0)).
Definition gelu_sigmoid_text a : expression := E_quo 2 (E_exactly a)
  (E_add (E_exactly 1) (E_apply F_exp (E_given 0))).
Definition gelu_at a : R := 1 / 2 * a * (1 + tanh (gelu_arg a)).
Hypothesis k_exp_pos : 0 <= k_exp ar.
Lemma e_gelu_no_less a : e_gelu ar a < vacuous -> p_e (p_gelu_tanh ar a) <= e_gelu ar a /\
  (p_e (p_gelu_sigmoid ar a) < vacuous -> p_e (p_gelu_sigmoid ar a) <= e_gelu ar a).
Proof.
  intro L. unfold e_gelu in *. destruct (range_below ar _ _ L) as [-> _].
  assert (0 <= (2 * k_exp ar + 2) * a_eta ar * Rabs a).
  { apply Rmult_le_pos; [ apply Rmult_le_pos; lra | apply Rabs_pos ]. }
  unfold p_gelu_worse. destruct (Rlt_dec _ vacuous); [| lra ].
  generalize (Rmax_l (p_e (p_gelu_tanh ar a)) (p_e (p_gelu_sigmoid ar a)))
    (Rmax_r (p_e (p_gelu_tanh ar a)) (p_e (p_gelu_sigmoid ar a))). lra.
Qed.
Lemma inputs_stand p r c : stands p r c -> forall i : nat, stands p r c.
Proof. easy. Qed.
Theorem gelu_bounds a t c : is_gelu_tanh a t -> may_be e_min prec ar (fun _ => t) (gelu_text a) c ->
  stands (ErrPair (gelu_at a) (e_gelu ar a)) (gelu_at a) c.
Proof.
  intros T H L. cbn [p_v p_e] in *. destruct (e_gelu_no_less a L) as [M _].
  apply (composition e_min prec ar declared _ _ _ _ _ (inputs_stand _ _ _ (gelu_tanh_stands a t T)))
    in H.
  destruct (H (Rle_lt_trans _ _ _ M L)) as [_ [y [-> Y]]]. split; [ easy |]. exists y.
  split; [ easy | exact (Rle_trans _ _ _ Y M) ].
Qed.
(* a/(1 + exp(-2 x)), where no exp overflows; from 20 on x may be infinite *)
Theorem gelu_sigmoid_bounds a x c : Rabs a < 20 -> is_gelu_arg a x ->
  p_e (p_gelu_sigmoid ar a) < vacuous ->
  may_be e_min prec ar (fun _ => option_map (Rmult (-2)) x) (gelu_sigmoid_text a) c ->
  stands (ErrPair (gelu_at a) (e_gelu ar a)) (gelu_at a) c.
Proof.
  intros N X V H L. cbn [p_v p_e] in *. destruct (e_gelu_no_less a L) as [_ M]. specialize (M V).
  assert (G := gelu_arg_stands a N x X).
  assert (D : stands (ErrPair (-2 * p_v (p_gelu_in ar a)) (2 * p_e (p_gelu_in ar a)))
    (-2 * gelu_arg a) (option_map (Rmult (-2)) x)).
  { intro K. cbn [p_v p_e] in *. assert (P := stands_pos _ _ _ G).
    destruct G as [-> [y [-> Y]]]; [ lra |]. split; [ easy |]. exists (-2 * y).
    split; [ easy |]. replace (-2 * y - -2 * gelu_arg a) with (-2 * (y - gelu_arg a)) by ring.
    rewrite Rabs_mult, (Rabs_left (-2)) by lra. lra. }
  apply (composition e_min prec ar declared _ _ _ _ _ (inputs_stand _ _ _ D)) in H.
  destruct (H V) as [_ [y [-> Y]]]. split; [ easy |]. exists y. split; [ easy |].
  replace (gelu_at a) with (a / (1 + exp (-2 * gelu_arg a))); [ exact (Rle_trans _ _ _ Y M) |].
  unfold gelu_at. rewrite tanh_by_exp. replace (-2 * gelu_arg a) with (- (2 * gelu_arg a)) by ring.
  rewrite exp_Ropp. generalize (exp_pos (2 * gelu_arg a)). intro. field. lra.
Qed.

(* ---------------------------------------------------------------- its derivative *)
(* 1 - t^2, t^2 rounded or not *)
Inductive less_own_square (t d : flnum) : Prop :=
  | rounded_square q : of1 (fun y => muls e_min prec ar y y) t q ->
      of1 (fun y => subs e_min prec ar 1 y) q d -> less_own_square t d
  | fused_square : of1 (fun y d => d = fl e_min prec ar (1 - y * y)) t d -> less_own_square t d.
Lemma less_own_square_may t d : less_own_square t d -> may_be e_min prec ar (fun _ => t)
  (E_sub (E_exactly 1) (E_mul (E_given 0) (E_given 0))) d.
Proof.
  intros [q Q D|D].
  - apply (may_sub _ _ _ _ _ _ (Some 1) q); [ apply may_exactly | |].
    + apply (may_mul _ _ _ _ _ _ t t); try apply (may_given _ _ _ (fun _ => t)).
      intros x y -> Y. injection Y as <-. now apply Q.
    + intros x y X Y. injection X as <-. now apply D.
  - apply (may_fuse_from _ _ _ _ _ _ _ t t (Some 1)); try apply (may_given _ _ _ (fun _ => t));
      [ apply may_exactly |].
    intros x y z -> Y Z. injection Y as <-. injection Z as <-.
    unfold fuses. rewrite (D x eq_refl). f_equal. ring.
Qed.
(* roundings that are allowed for and not made *)
Lemma again_rounded p r c w : 0 <= w -> stands p r c -> stands (p_rnd ar (p_v p) (p_e p) w) r c.
Proof.
  intros W H. apply (p_rnd_stands e_min prec ar declared); [ easy |]. intro L.
  destruct (H L) as [V [y [-> Y]]]. split; [ easy |]. exists y. split; [ easy |]. intros _.
  exists y. split; [ easy |]. unfold Rminus. rewrite Rplus_opp_r, Rabs_R0.
  apply Rplus_le_le_0_compat; apply Rmult_le_pos; try lra; [| apply Rabs_pos ].
  apply (p_gam_pos e_min prec ar declared).
Qed.
Lemma tanh_no_more x : Rabs (tanh x) <= 1.
Proof.
  rewrite tanh_by_exp. generalize (exp_pos (2 * x)); intro P.
  assert (I : 0 < / (exp (2 * x) + 1)) by (apply Rinv_0_lt_compat; lra).
  assert (/ (exp (2 * x) + 1) <= / 1) by (apply Rinv_le_contravar; lra).
  rewrite Rinv_1 in *. apply Rabs_le. lra.
Qed.
Lemma fl_0 : fl e_min prec ar 0 = Some 0.
Proof.
  replace (Some 0) with (Some (rnd e_min prec 0)) by (f_equal; apply rnd_0).
  apply (fl_finite e_min prec ar declared 0 (a_big ar));
    [ apply (big_format e_min prec ar declared) | lra |].
  rewrite Rabs_R0. destruct suits as [_ [_ [B _]]]. lra.
Qed.
Lemma saturated_sech2 a t d : in_format e_min prec 1 -> is_gelu_tanh a t -> less_own_square t d ->
  p_saturated ar (p_gelu_in ar a) = true -> d = Some 0.
Proof.
  intros One T H U. assert (F1 : fl e_min prec ar 1 = Some 1).
  { replace (Some 1) with (Some (rnd e_min prec 1)) by (f_equal; now apply rnd_exact).
    apply (fl_finite e_min prec ar declared 1 1); [ easy | | rewrite Rabs_R1; lra ].
    destruct suits as [_ [_ [B _]]]. lra. }
  assert (Y : exists y, t = Some y /\ y * y = 1).
  { destruct (saturated_tanh a t T U); [ exists 1 | exists (-1) ]; split; easy || ring. }
  destruct Y as [y [-> Y]]. destruct H as [q Q D|D].
  - specialize (Q y eq_refl). unfold muls in Q. rewrite Y, F1 in Q.
    rewrite (D 1 Q). unfold subs. rewrite Rminus_diag_eq by easy. apply fl_0.
  - rewrite (D y eq_refl), Y, Rminus_diag_eq by easy. apply fl_0.
Qed.
Theorem gelu_sech2_stands a t d : in_format e_min prec 1 -> is_gelu_tanh a t ->
  less_own_square t d ->
  stands (p_sech2 ar (p_gelu_in ar a)) (1 - tanh (gelu_arg a) * tanh (gelu_arg a)) d.
Proof.
  intros One T H. assert (S := gelu_tanh_stands a t T). unfold p_sech2.
  destruct (p_saturated ar (p_gelu_in ar a)) eqn:U.
  - assert (Z := saturated_sech2 a t d One T H U). intro L. cbn [p_v p_e] in *. assert (P := stands_pos _ _ _ S).
    destruct S as [V [y [Y B]]]; [ lra |]. rewrite V. split; [ easy |]. exists 0. split; [ easy |].
    set (r := tanh (gelu_arg a)) in *.
    assert (Q : y * y = 1).
    { destruct (saturated_tanh a t T U) as [E|E]; rewrite E in Y; injection Y as <-; ring. }
    assert (R : Rabs r <= 1) by apply tanh_no_more.
    assert (A : Rabs y = 1).
    { destruct (saturated_tanh a t T U) as [E|E]; rewrite E in Y; injection Y as <-;
        [ apply Rabs_R1 | rewrite Rabs_left; lra ]. }
    replace (0 - (1 - r * r)) with (- ((y - r) * (y + r))) by (ring_simplify; rewrite <- Q; ring).
    rewrite Rabs_Ropp, Rabs_mult, Rmult_comm. generalize (Rabs_triang y r). intro.
    apply Rmult_le_compat; auto using Rabs_pos; lra.
  - apply less_own_square_may in H.
    apply (composition e_min prec ar declared _ _ _ _ _ (inputs_stand _ _ _ S)) in H.
    apply again_rounded; [ lra | exact H ].
Qed.
(* 0 where 1 - t^2 is, whatever the slope, which may be infinite there; else in any association *)
Definition is_gelu_rise (h d s r : flnum) : Prop :=
  d = Some 0 /\ r = Some 0 \/ d <> Some 0 /\ of3 (muls3 e_min prec ar) h d s r.
Lemma gelu_rise_product h d s r : is_gelu_rise h d s r -> of3 (muls3 e_min prec ar) h d s r.
Proof.
  intros [[-> ->]|[_ H]]; [| exact H ]. intros x y z _ Y _. injection Y as <-. left.
  intros q Q. rewrite Rmult_0_r, fl_0 in Q. injection Q as <-. now rewrite Rmult_0_l, fl_0.
Qed.
Lemma gelu_slope_value a : p_v (p_gelu_slope ar a) = gelu_rise a.
Proof.
  unfold p_gelu_slope, p_mul, p_add, p_mul3, p_const, p_rnd, p_widen, gelu_rise. cbn [p_v p_e].
  repeat (destruct (Rle_dec _ (a_big ar)); cbn [p_v p_e]); ring.
Qed.
Theorem gelu_rest_stands a t d s h r : in_format e_min prec 1 -> is_gelu_tanh a t ->
  less_own_square t d -> stands (p_gelu_slope ar a) (gelu_rise a) s ->
  stands (p_mul ar (ErrPair (1 / 2) 0) (ErrPair a 0)) (1 / 2 * a) h -> is_gelu_rise h d s r ->
  stands (p_gelu_rest ar a)
    (1 / 2 * a * (1 - tanh (gelu_arg a) * tanh (gelu_arg a)) * gelu_rise a) r.
Proof.
  intros One T D S H R. assert (Sd := gelu_sech2_stands a t d One T D). unfold p_gelu_rest.
  destruct (p_saturated ar (p_gelu_in ar a)) eqn:U.
  - assert (Z := saturated_sech2 a t d One T D U).
    assert (E : r = Some 0) by (destruct R as [[_ E]|[N _]]; [ exact E | now elim N ]).
    assert (L : p_e (p_sech2 ar (p_gelu_in ar a)) < vacuous).
    { unfold p_sech2, p_tanh. rewrite U. cbn [p_e].
      destruct (p_saturated_true ar _ U) as [_ [_ L]]. destruct suits as [B _].
      generalize vacuous_large. lra. }
    destruct (Sd L) as [V [y [Y B]]]. rewrite Z in Y. injection Y as <-.
    intros _. cbn [p_v p_e]. rewrite gelu_slope_value, V. split; [ easy |]. exists 0.
    split; [ exact E |].
    set (q := 1 - tanh (gelu_arg a) * tanh (gelu_arg a)) in *.
    replace (0 - 1 / 2 * a * q * gelu_rise a) with (1 / 2 * a * gelu_rise a * (0 - q)) by ring.
    rewrite Rabs_mult. apply Rmult_le_compat_l; [ apply Rabs_pos | exact B ].
  - exact (p_mul3_stands e_min prec ar declared _ _ _ _ _ _ _ _ _ r H Sd S
      (gelu_rise_product h d s r R)).
Qed.
Definition gelu_vjp_text g : expression := E_mul (E_add (E_mul (E_exactly (1 / 2))
  (E_add (E_exactly 1) (E_given 0))) (E_given 1)) (E_exactly g).
Definition gelu_d_at a : R := 1 / 2 * (1 + tanh (gelu_arg a)) +
  1 / 2 * a * (1 - tanh (gelu_arg a) * tanh (gelu_arg a)) * gelu_rise a.
Theorem gelu_vjp_bounds a g t d s h r c : in_format e_min prec 1 -> is_gelu_tanh a t ->
  less_own_square t d -> may_be e_min prec ar nothing (gelu_slope_text a) s ->
  may_be e_min prec ar nothing (E_mul (E_exactly (1 / 2)) (E_exactly a)) h ->
  is_gelu_rise h d s r ->
  may_be e_min prec ar (fun i => match i with O => t | _ => r end) (gelu_vjp_text g) c ->
  stands (p_mul ar (p_gelu_d ar a) (ErrPair g 0)) (gelu_d_at a * g) c.
Proof.
  intros One T D S H R C. assert (N : forall i, stands (ErrPair 0 vacuous) 0 (nothing i))
    by (intro; apply vacuous_stands).
  assert (St := gelu_tanh_stands a t T).
  apply (composition e_min prec ar declared _ _ _ _ _ N) in S.
  apply (composition e_min prec ar declared _ _ _ _ _ N) in H.
  assert (Sr := gelu_rest_stands a t d s h r One T D S H R).
  assert (G : forall i, stands
    (match i with O => p_tanh ar (p_gelu_in ar a) | _ => p_gelu_rest ar a end)
    (match i with O => tanh (gelu_arg a)
      | _ => 1 / 2 * a * (1 - tanh (gelu_arg a) * tanh (gelu_arg a)) * gelu_rise a end)
    (match i with O => t | _ => r end)).
  { intros [|i]; [ exact St | exact Sr ]. }
  apply (composition e_min prec ar declared _ _ _ _ _ G) in C. exact C.
Qed.
End Gelu.
