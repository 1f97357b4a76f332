(* Bounds of attention whose inputs are off themselves (ref/attention.h, p_dot_off and p_score): of the
   numbers that a kernel is given nothing is known but how far they are from the exact ones. *)
Require Import Reals Lra Psatz List ZArith Lia.
From Theory Require Import Sums Round Nodes SumNodes PairSums RowVjpNodes.
Open Scope R_scope.

(* ---------------------------------------------------------------- the nodes, as in ref/ *)
Definition p_dot_off ar dot abs more n h : err_pair :=
  ErrPair dot (p_e (p_dot ar dot (abs + more) n h) + more).
Definition p_score ar scale dot abs more n h : err_pair :=
  p_mul ar (p_rnd ar scale 0 2) (p_dot_off ar dot abs more n h).

Section AttentionNodes.
Variables (e_min prec : Z) (ar : arithmetic).
Hypothesis declared : declares e_min prec ar.
Let gamma_pos := p_gam_pos e_min prec ar declared.

(* x is a number that the pair stands for *)
Definition lies_in (p : err_pair) (x : R) : Prop := 0 <= p_e p /\ (p_e p < vacuous ->
  Rabs (x - p_v p) <= p_e p).

Lemma cross_is_pos p q x y : lies_in p x -> lies_in q y -> 0 <= p_cross p q.
Proof.
  intros [P _] [Q _]. unfold p_cross. generalize vacuous_pos (Rabs_pos (p_v p)) (Rabs_pos (p_v q)).
  intros. destruct (Rlt_dec (p_e p) vacuous); [ destruct (Rlt_dec (p_e q) vacuous) |]; try lra.
  generalize (Rmult_le_pos (Rabs (p_v p)) (p_e q)) (Rmult_le_pos (Rabs (p_v q)) (p_e p))
    (Rmult_le_pos (p_e p) (p_e q)). lra.
Qed.
Lemma cross_covers p q x y : lies_in p x -> lies_in q y -> p_cross p q < vacuous ->
  Rabs (x * y - p_v p * p_v q) <= p_cross p q.
Proof.
  intros [P X] [Q Y]. unfold p_cross. destruct (Rlt_dec (p_e p) vacuous) as [A|]; [| lra ].
  destruct (Rlt_dec (p_e q) vacuous) as [B|]; [| lra ]. intros _. specialize (X A). specialize (Y B).
  replace (x * y - p_v p * p_v q) with
    (p_v p * (y - p_v q) + p_v q * (x - p_v p) + (x - p_v p) * (y - p_v q)) by ring.
  eapply Rle_trans; [ apply Rabs_triang |]. apply Rplus_le_compat.
  - eapply Rle_trans; [ apply Rabs_triang |]. rewrite !Rabs_mult.
    apply Rplus_le_compat; apply Rmult_le_compat_l; auto using Rabs_pos.
  - rewrite Rabs_mult. apply Rmult_le_compat; auto using Rabs_pos.
Qed.

(* the exact dot product of what the pairs stand for, and the sum of its terms' magnitudes *)
Lemma sum_of_pos n (f : nat -> R) : (forall i, (i < n)%nat -> 0 <= f i) -> 0 <= bsum n f.
Proof.
  induction n; simpl; intro H; [ lra |]. generalize (IHn (fun i I => H i (Nat.lt_lt_succ_r _ _ I)))
    (H n (Nat.lt_succ_diag_r n)). lra.
Qed.
Lemma dot_moves n (p q : nat -> err_pair) (x y : nat -> R) :
  (forall i, (i < n)%nat -> lies_in (p i) (x i)) -> (forall i, (i < n)%nat -> lies_in (q i) (y i)) ->
  bsum n (fun i => p_cross (p i) (q i)) < vacuous ->
  Rabs (bsum n (fun i => x i * y i) - bsum n (fun i => p_v (p i) * p_v (q i))) <=
    bsum n (fun i => p_cross (p i) (q i)) /\
  bsum n (fun i => Rabs (x i * y i)) <=
    bsum n (fun i => Rabs (p_v (p i) * p_v (q i))) + bsum n (fun i => p_cross (p i) (q i)).
Proof.
  induction n; simpl; intros X Y L; [ unfold Rminus; rewrite Rplus_opp_r, Rabs_R0; lra |].
  assert (P := cross_is_pos _ _ _ _ (X n (Nat.lt_succ_diag_r n)) (Y n (Nat.lt_succ_diag_r n))).
  assert (Q : 0 <= bsum n (fun i => p_cross (p i) (q i))).
  { apply sum_of_pos. intros i I. eapply cross_is_pos; [ apply X | apply Y ]; lia. }
  destruct IHn as [A B]; [ intros; apply X; lia | intros; apply Y; lia | lra |].
  assert (C := cross_covers _ _ _ _ (X n (Nat.lt_succ_diag_r n)) (Y n (Nat.lt_succ_diag_r n))).
  assert (C1 : Rabs (x n * y n - p_v (p n) * p_v (q n)) <= p_cross (p n) (q n)) by (apply C; lra).
  split.
  - match goal with |- Rabs (?a + ?b - (?c + ?d)) <= _ =>
      replace (a + b - (c + d)) with ((a - c) + (b - d)) by ring end.
    eapply Rle_trans; [ apply Rabs_triang |]. lra.
  - generalize (abs_within (x n * y n) (p_v (p n) * p_v (q n))). lra.
Qed.

(* p_dot grows with the magnitudes *)
Lemma p_dot_grows v w a b n h : 0 <= a <= b -> 0 <= n ->
  p_e (p_dot ar v b n h) < vacuous -> p_e (p_dot ar w a n h) <= p_e (p_dot ar v b n h).
Proof.
  intros [A L] N. unfold p_dot, p_sum. cbn [p_e]. intro V. destruct (range_below _ _ _ V)
    as [-> [B V2]].
  assert (G1 := gamma_pos 1). assert (G := gamma_pos h).
  assert (E := a_eta_pos e_min prec ar declared). assert (0 <= n * a_eta ar)
    by (apply Rmult_le_pos; lra).
  assert (S : p_gam (a_u ar) 1 * a <= p_gam (a_u ar) 1 * b) by (apply Rmult_le_compat_l; lra).
  assert (T : p_gam (a_u ar) h * (a + (p_gam (a_u ar) 1 * a + n * a_eta ar)) <=
    p_gam (a_u ar) h * (b + (p_gam (a_u ar) 1 * b + n * a_eta ar)))
    by (apply Rmult_le_compat_l; lra).
  unfold p_range. destruct (Rle_dec _ (a_big ar)) as [|K]; [| elim K; lra ].
  destruct (Rlt_dec _ vacuous) as [|K2]; [ lra | elim K2; lra ].
Qed.
Lemma p_dot_pos v a n h : 0 <= a -> 0 <= n -> 0 <= p_e (p_dot ar v a n h).
Proof.
  intros A N. unfold p_dot, p_sum. cbn [p_e]. assert (G1 := gamma_pos 1). assert (G := gamma_pos h).
  assert (E := a_eta_pos e_min prec ar declared).
  assert (0 <= n * a_eta ar) by (apply Rmult_le_pos; lra).
  assert (0 <= p_gam (a_u ar) 1 * a) by (apply Rmult_le_pos; lra).
  assert (0 <= p_gam (a_u ar) h * (a + (p_gam (a_u ar) 1 * a + n * a_eta ar)))
    by (apply Rmult_le_pos; lra).
  apply range_pos. lra.
Qed.

(* what is computed of some numbers within p_dot of these stands for the dot product of the pairs *)
Theorem dot_off_stands n h k (p q : nat -> err_pair) (x y : nat -> R) c : 0 <= k ->
  (forall i, (i < n)%nat -> lies_in (p i) (x i)) -> (forall i, (i < n)%nat -> lies_in (q i) (y i)) ->
  let dot := bsum n (fun i => p_v (p i) * p_v (q i)) in
  let abs := bsum n (fun i => Rabs (p_v (p i) * p_v (q i))) in
  let more := bsum n (fun i => p_cross (p i) (q i)) in
  let given := bsum n (fun i => x i * y i) in
  stands (p_dot ar given (bsum n (fun i => Rabs (x i * y i))) k h) given c ->
  stands (p_dot_off ar dot abs more k h) dot c.
Proof.
  intros K X Y dot abs more given S. unfold p_dot_off. intro L. cbn [p_v p_e] in *.
  split; [ easy |].
  assert (M0 : 0 <= more).
  { apply sum_of_pos. intros i I. eapply cross_is_pos; [ apply X | apply Y ]; lia. }
  assert (A0 : 0 <= abs) by (apply sum_of_pos; intros; apply Rabs_pos).
  assert (D0 := p_dot_pos dot (abs + more) k h ltac:(lra) K).
  destruct (dot_moves n p q x y X Y) as [M A]; [ fold more; lra |].
  fold more dot abs given in M, A.
  assert (G0 : 0 <= bsum n (fun i => Rabs (x i * y i))) by (apply sum_of_pos; intros;
    apply Rabs_pos).
  assert (D := p_dot_grows dot given _ (abs + more) k h (conj G0 A) K ltac:(lra)).
  destruct S as [_ [z [-> Z]]]; [ lra |]. exists z. split; [ easy |].
  replace (z - dot) with ((z - given) + (given - dot)) by ring.
  eapply Rle_trans; [ apply Rabs_triang |]. lra.
Qed.
(* that it is so of products, rounded or fused, in a tree within the height *)
Corollary dot_of_pairs_stands n (p q : nat -> err_pair) (x y : nat -> R) c :
  (forall i, (i < n)%nat -> lies_in (p i) (x i)) -> (forall i, (i < n)%nat -> lies_in (q i) (y i)) ->
  dot_of e_min prec ar n x y c ->
  stands (p_dot_off ar (bsum n (fun i => p_v (p i) * p_v (q i)))
    (bsum n (fun i => Rabs (p_v (p i) * p_v (q i)))) (bsum n (fun i => p_cross (p i) (q i)))
    (INR n) (a_h ar)) (bsum n (fun i => p_v (p i) * p_v (q i))) c.
Proof.
  intros X Y S. apply (dot_off_stands n (a_h ar) (INR n) p q x y c (pos_INR n) X Y).
  exact (p_dot_row_stands e_min prec ar declared n x y c S).
Qed.

(* A score: wherever a kernel puts the scale, what holds of the numbers that it is given, its result
   being within p_score of them, holds of the pairs. *)
Theorem score_of_pairs_stands n h k scale (p q : nat -> err_pair) (x y : nat -> R) c : 0 <= k ->
  (forall i, (i < n)%nat -> lies_in (p i) (x i)) -> (forall i, (i < n)%nat -> lies_in (q i) (y i)) ->
  let dot := bsum n (fun i => p_v (p i) * p_v (q i)) in
  let abs := bsum n (fun i => Rabs (p_v (p i) * p_v (q i))) in
  let more := bsum n (fun i => p_cross (p i) (q i)) in
  let given := bsum n (fun i => x i * y i) in
  stands (p_score ar scale given (bsum n (fun i => Rabs (x i * y i))) 0 k h) (scale * given) c ->
  stands (p_score ar scale dot abs more k h) (scale * dot) c.
Proof.
  intros K X Y dot abs more given S L.
  assert (M0 : 0 <= more).
  { apply sum_of_pos. intros i I. eapply cross_is_pos; [ apply X | apply Y ]; lia. }
  assert (A0 : 0 <= abs) by (apply sum_of_pos; intros; apply Rabs_pos).
  assert (G0 : 0 <= bsum n (fun i => Rabs (x i * y i))) by (apply sum_of_pos; intros;
    apply Rabs_pos).
  set (ga := bsum n (fun i => Rabs (x i * y i))) in *.
  assert (D0 := p_dot_pos dot (abs + more) k h ltac:(lra) K).
  assert (E0 := p_dot_pos given (ga + 0) k h ltac:(lra) K).
  assert (U := u_pos e_min prec ar declared). assert (Eta := a_eta_pos e_min prec ar declared).
  assert (G2 := gamma_pos 2). assert (G1 := gamma_pos 1).
  (* the scale's pair *)
  assert (C0 : 0 <= p_e (p_rnd ar scale 0 2)).
  { unfold p_rnd. cbn [p_e]. apply range_pos. generalize (Rabs_pos scale). intros.
    assert (0 <= p_gam (a_u ar) 2 * (Rabs scale + 0)) by (apply Rmult_le_pos; lra). lra. }
  set (s := p_rnd ar scale 0 2) in *. assert (Sv : p_v s = scale) by reflexivity.
  set (e := p_e (p_dot ar dot (abs + more) k h)) in *.
  set (e' := p_e (p_dot ar given (ga + 0) k h)) in *.
  assert (Pe : p_e (p_score ar scale dot abs more k h) = p_range ar (Rabs (scale * dot))
    (p_cross s (ErrPair dot (e + more)) + p_gam (a_u ar) 1 *
      (Rabs (scale * dot) + p_cross s (ErrPair dot (e + more))) + 1 * a_eta ar)) by reflexivity.
  assert (Pe' : p_e (p_score ar scale given ga 0 k h) = p_range ar (Rabs (scale * given))
    (p_cross s (ErrPair given (e' + 0)) + p_gam (a_u ar) 1 *
      (Rabs (scale * given) + p_cross s (ErrPair given (e' + 0))) + 1 * a_eta ar)) by reflexivity.
  rewrite Pe in L. destruct (range_below _ _ _ L) as [Eq [B V]]. rewrite Eq in Pe.
  assert (Cp : 0 <= p_cross s (ErrPair dot (e + more))).
  { unfold p_cross. cbn [p_v p_e]. generalize vacuous_pos (Rabs_pos (p_v s)) (Rabs_pos dot). intros.
    destruct (Rlt_dec (p_e s) vacuous); [ destruct (Rlt_dec (e + more) vacuous) |]; try lra.
    generalize (Rmult_le_pos (Rabs (p_v s)) (e + more)) (Rmult_le_pos (Rabs dot) (p_e s))
      (Rmult_le_pos (p_e s) (e + more)). lra. }
  assert (Gp : 0 <= p_gam (a_u ar) 1 * (Rabs (scale * dot) + p_cross s (ErrPair dot (e + more))))
    by (apply Rmult_le_pos; [ lra | generalize (Rabs_pos (scale * dot)); lra ]).
  assert (Cv : p_cross s (ErrPair dot (e + more)) < vacuous) by lra.
  assert (Ci : p_e s < vacuous /\ e + more < vacuous /\ p_cross s (ErrPair dot (e + more)) =
    Rabs scale * (e + more) + Rabs dot * p_e s + p_e s * (e + more)).
  { unfold p_cross in *. cbn [p_v p_e] in *. rewrite Sv in *.
    destruct (Rlt_dec (p_e s) vacuous); [| lra ]. destruct (Rlt_dec (e + more) vacuous); [| lra ].
    auto. }
  destruct Ci as [Cs [Ce Ci]].
  destruct (dot_moves n p q x y X Y) as [M A]; [ fold more; lra |].
  fold more dot abs given ga in M, A.
  assert (D : e' <= e) by (apply p_dot_grows; [ lra | easy | unfold e in *; lra ]).
  assert (Ci' : p_cross s (ErrPair given (e' + 0)) =
    Rabs scale * e' + Rabs given * p_e s + p_e s * e').
  { unfold p_cross. cbn [p_v p_e]. rewrite Sv, Rplus_0_r.
    destruct (Rlt_dec (p_e s) vacuous); [| lra ]. destruct (Rlt_dec e' vacuous); [ easy | lra ]. }
  assert (Gd : Rabs given <= Rabs dot + more) by (generalize (abs_within given dot); lra).
  assert (T1 : p_cross s (ErrPair given (e' + 0)) + Rabs scale * more <=
    p_cross s (ErrPair dot (e + more))).
  { rewrite Ci, Ci'. generalize (Rabs_pos scale); intro.
    assert (Rabs scale * e' <= Rabs scale * e) by (apply Rmult_le_compat_l; lra).
    assert (p_e s * e' <= p_e s * e) by (apply Rmult_le_compat_l; lra).
    assert (Rabs given * p_e s <= (Rabs dot + more) * p_e s) by (apply Rmult_le_compat_r; lra).
    lra. }
  assert (T2 : Rabs (scale * given) <= Rabs (scale * dot) + Rabs scale * more).
  { rewrite !Rabs_mult, <- Rmult_plus_distr_l. apply Rmult_le_compat_l; auto using Rabs_pos. }
  assert (Cq : 0 <= p_cross s (ErrPair given (e' + 0))).
  { rewrite Ci'. generalize (Rmult_le_pos (Rabs scale) e' (Rabs_pos _) E0)
      (Rmult_le_pos (Rabs given) (p_e s) (Rabs_pos _) C0) (Rmult_le_pos (p_e s) e' C0 E0). lra. }
  assert (T3 : p_gam (a_u ar) 1 * (Rabs (scale * given) + p_cross s (ErrPair given (e' + 0))) <=
    p_gam (a_u ar) 1 * (Rabs (scale * dot) + p_cross s (ErrPair dot (e + more))))
    by (apply Rmult_le_compat_l; lra).
  assert (Sm : 0 <= Rabs scale * more) by (apply Rmult_le_pos; auto using Rabs_pos).
  assert (W : p_e (p_score ar scale given ga 0 k h) <=
    p_e (p_score ar scale dot abs more k h) - Rabs scale * more /\
    p_e (p_score ar scale given ga 0 k h) < vacuous).
  { rewrite Pe, Pe'. unfold p_range. destruct (Rle_dec _ (a_big ar)) as [|N]; [| elim N; lra ].
    destruct (Rlt_dec _ vacuous) as [|N2]; [ lra | elim N2; lra ]. }
  destruct W as [W V2]. split; [ easy |].
  destruct (S V2) as [_ [z [-> Z]]]. exists z. split; [ easy |].
  replace (z - scale * dot) with ((z - scale * given) + scale * (given - dot)) by ring.
  eapply Rle_trans; [ apply Rabs_triang |]. rewrite (Rabs_mult scale).
  assert (Rabs scale * Rabs (given - dot) <= Rabs scale * more)
    by (apply Rmult_le_compat_l; auto using Rabs_pos).
  lra.
Qed.
End AttentionNodes.
