(* Sums over what a kernel has computed: number i stands for a pair and a real value, and the
   numbers are added in any order by a tree within the declared height. `added_up` says so of the
   program, whatever the numbers stand for; any tree of additions fulfils it (tree_added_up). *)
Require Import Reals Lra Psatz List Permutation ZArith Lia.
From Theory Require Import Sums Round Nodes FloatSum SumNodes NormNodes.
Import ListNotations.
Open Scope R_scope.

(* f i over the i of a list *)
Fixpoint sum_over (l : list nat) (f : nat -> R) : R :=
  match l with nil => 0 | i :: r => f i + sum_over r f end.
Lemma total_over g (t : nat -> term) l : total_of g (map t l) = sum_over l (fun i => g (t i)).
Proof. induction l; simpl; [ easy | now rewrite IHl ]. Qed.
Lemma sum_over_ext l f g : (forall i, In i l -> f i = g i) -> sum_over l f = sum_over l g.
Proof.
  induction l as [|i l IH]; simpl; intro H; [ easy |]. rewrite (H i), IH; auto.
Qed.
Lemma sum_over_app l k f : sum_over (l ++ k) f = sum_over l f + sum_over k f.
Proof. induction l; simpl; [ ring | rewrite IHl; ring ]. Qed.
Lemma sum_over_pos l f : (forall i, In i l -> 0 <= f i) -> 0 <= sum_over l f.
Proof.
  induction l as [|i l IH]; simpl; intro H; [ lra |].
  generalize (H i (or_introl eq_refl)) (IH (fun j J => H j (or_intror J))). lra.
Qed.
Lemma sum_over_term l f i : (forall j, In j l -> 0 <= f j) -> In i l -> f i <= sum_over l f.
Proof.
  induction l as [|j l IH]; simpl; intros H I; [ easy |].
  assert (P := sum_over_pos l f (fun j J => H j (or_intror J))).
  destruct I as [->|I]; [ lra |]. generalize (H j (or_introl eq_refl)) (IH (fun j J => H j
    (or_intror J)) I). lra.
Qed.
(* the i < n that are chosen *)
Definition chosen (b : nat -> bool) (n : nat) : list nat := filter b (seq 0 n).
Lemma sum_over_chosen b n f : sum_over (chosen b n) f = bsum n (fun i => if_ (b i) (f i)).
Proof.
  unfold chosen. induction n; [ easy |]. rewrite seq_S, filter_app, sum_over_app, IHn. simpl.
  destruct (b n); simpl; ring.
Qed.
Lemma sum_over_all n f : sum_over (seq 0 n) f = bsum n f.
Proof. induction n; [ easy |]. rewrite seq_S, sum_over_app, IHn. simpl. ring. Qed.

Section PairSums.
Variables (e_min prec : Z) (ar : arithmetic).
Hypothesis declared : declares e_min prec ar.

Definition a_number (c : flnum) : Prop := forall y, c = Some y -> in_format e_min prec y.
(* s is the sum of the terms, by a tree within the declared height H *)
Definition adds_to (H : R) (l : list term) (s : flnum) : Prop :=
  exists h f k a, height_of ar h H /\ summed e_min prec ar h f k l s a.
(* s is what a program adds up of the numbers c i *)
Definition added_up (H : R) (l : list nat) (c : nat -> flnum) (s : flnum) : Prop :=
  forall v e, (forall i, In i l -> carries e_min prec (v i) (e i) (c i)) ->
    adds_to H (map (fun i => (v i, e i)) l) s.
(* of products: x i is exact, and rounded before it is added or not *)
Definition products_added (H : R) (l : list nat) (x : nat -> flnum) (s : flnum) : Prop :=
  forall v e, (forall i, In i l -> e i < vacuous -> exists z, x i = Some z /\
      Rabs (z - v i) + (a_u ar * Rabs z + a_eta ar) <= e i) ->
    adds_to H (map (fun i => (v i, e i)) l) s.

Lemma adds_to_stands H l s : adds_to H l s ->
  stands (p_sum ar (sum_values l) (sizes l) (errors l) H) (sum_values l) s.
Proof.
  intros [h [f [k [a [Hh S]]]]]. exact (p_sum_stands e_min prec ar declared h H f k l s a Hh S).
Qed.
(* of a sum that is not vacuous no term is *)
Lemma terms_below H l (p : nat -> err_pair) : (forall i, In i l -> 0 <= p_e (p i)) ->
  let t := map (fun i => (p_v (p i), p_e (p i))) l in
  p_e (p_sum ar (sum_values t) (sizes t) (errors t) H) < vacuous ->
  forall i, In i l -> p_e (p i) < vacuous.
Proof.
  intros P t L i I. unfold p_sum in L. cbn [p_e] in L. destruct (range_below _ _ _ L) as [_ [_ V]].
  assert (E : errors t = sum_over l (fun i => p_e (p i))) by apply total_over.
  assert (Q := sum_over_term l (fun i => p_e (p i)) i P I). cbv beta in Q. rewrite <- E in Q.
  assert (0 <= p_gam (a_u ar) H * (sizes t + errors t)); [| lra ].
  apply Rmult_le_pos; [ apply (p_gam_pos e_min prec ar declared) |].
  generalize (sizes_pos t) (P i I). lra.
Qed.
Lemma terms_stand H l (p : nat -> err_pair) (r : nat -> R) s :
  (forall i, In i l -> 0 <= p_e (p i)) ->
  (forall i, In i l -> p_e (p i) < vacuous -> p_v (p i) = r i) ->
  adds_to H (map (fun i => (p_v (p i), p_e (p i))) l) s ->
  stands (p_sum ar (sum_over l (fun i => p_v (p i))) (sum_over l (fun i => Rabs (p_v (p i))))
    (sum_over l (fun i => p_e (p i))) H) (sum_over l r) s.
Proof.
  intros P V S. assert (T := adds_to_stands _ _ _ S).
  assert (B := terms_below H l p P). cbv zeta in B. unfold sum_values, sizes, errors in *.
  rewrite !total_over in T, B. cbn [fst snd] in T, B. intro L.
  destruct (T L) as [_ [y [-> Y]]]. cbn [p_v p_sum].
  assert (E : sum_over l (fun i => p_v (p i)) = sum_over l r)
    by (apply sum_over_ext; intros i I; apply V; auto).
  split; [ easy |]. exists y. split; [ easy |]. now rewrite <- E.
Qed.

(* numbers that stand for pairs *)
Theorem pairs_summed H l p r c s : (forall i, In i l -> in_stands e_min prec (p i) (r i) (c i)) ->
  added_up H l c s ->
  stands (p_sum ar (sum_over l (fun i => p_v (p i))) (sum_over l (fun i => Rabs (p_v (p i))))
    (sum_over l (fun i => p_e (p i))) H) (sum_over l r) s.
Proof.
  intros C S. apply terms_stand.
  - intros i I. exact (stands_pos _ _ _ (proj1 (C i I))).
  - intros i I L. exact (proj1 (proj1 (C i I) L)).
  - apply (S (fun i => p_v (p i)) (fun i => p_e (p i))). intros i I.
    now apply (stands_carries e_min prec (p i) (r i)), C.
Qed.
(* where no value is below 0 *)
Theorem positive_pairs_summed H l p r c s : (forall i, In i l -> 0 <= p_v (p i)) ->
  (forall i, In i l -> in_stands e_min prec (p i) (r i) (c i)) -> added_up H l c s ->
  stands (p_sum ar (sum_over l (fun i => p_v (p i))) (sum_over l (fun i => p_v (p i)))
    (sum_over l (fun i => p_e (p i))) H) (sum_over l r) s.
Proof.
  intros P C S. assert (T := pairs_summed H l p r c s C S).
  rewrite (sum_over_ext l (fun i => Rabs (p_v (p i))) (fun i => p_v (p i))) in T; [ easy |].
  intros i I. now apply Rabs_pos_eq, P.
Qed.
(* products of numbers that stand for pairs, each rounded or not *)
Theorem product_pairs_summed H l (p q : nat -> err_pair) (r t : nat -> R) (a b x : nat -> flnum) s :
  (forall i, In i l -> stands (p i) (r i) (a i)) ->
  (forall i, In i l -> stands (q i) (t i) (b i)) ->
  (forall i, In i l -> of2 (fun y z c => c = Some (y * z)) (a i) (b i) (x i)) ->
  products_added H l x s ->
  let m := fun i => p_mul ar (p i) (q i) in
  stands (p_sum ar (sum_over l (fun i => p_v (m i))) (sum_over l (fun i => Rabs (p_v (m i))))
    (sum_over l (fun i => p_e (m i))) H) (sum_over l (fun i => r i * t i)) s.
Proof.
  intros A B X S m.
  assert (K : forall i, In i l -> stands (m i) (r i * t i) (match a i, b i with
    | Some y, Some z => fl e_min prec ar (y * z) | _, _ => None end)).
  { intros i I. apply (p_mul_stands e_min prec ar declared _ _ _ _ (a i) (b i));
      [ now apply A | now apply B |]. intros y z -> ->. reflexivity. }
  apply (terms_stand H l m).
  - intros i I. exact (stands_pos _ _ _ (K i I)).
  - intros i I L. exact (proj1 (K i I L)).
  - apply (S (fun i => p_v (m i)) (fun i => p_e (m i))). intros i I L.
    unfold m, p_mul, p_rnd in *. cbn [p_v p_e] in *. destruct (range_below _ _ _ L) as [-> [_ V]].
    generalize (p_gam_pos e_min prec ar declared 1) (a_eta_pos e_min prec ar declared)
      (p_cross_pos (p i) (q i) _ _ _ _ (A i I) (B i I)) (Rabs_pos (p_v (p i) * p_v (q i))); intros.
    assert (0 <= p_gam (a_u ar) 1 * (Rabs (p_v (p i) * p_v (q i)) + p_cross (p i) (q i)))
      by (apply Rmult_le_pos; lra).
    destruct (p_cross_bounds (p i) (q i) _ _ _ _ (A i I) (B i I))
      as [-> [-> [y [z [Y [Z [_ [_ K2]]]]]]]];
      [ lra |].
    exists (y * z). split; [ exact (X i I y z Y Z) |].
    assert (G := u_gam_1 e_min prec ar declared). assert (U := u_pos e_min prec ar declared).
    assert (N := near_abs (y * z) (r i * t i)).
    assert (a_u ar * Rabs (y * z) <= p_gam (a_u ar) 1 * (Rabs (r i * t i) + p_cross (p i) (q i)))
      by (apply Rmult_le_compat; auto using Rabs_pos; lra).
    lra.
Qed.

(* ---- what fulfils the premise ---- *)

(* a tree of additions over the numbers of l, each once, and over others that are 0 *)
Theorem tree_added_up h H l blank c t s : comes_to e_min prec ar c t s ->
  (tree_height t <= h)%nat ->
  height_of ar h H -> (forall i, blank i = true -> c i = Some 0) ->
  Permutation (left_over blank t) l -> added_up H l c s.
Proof.
  intros T Th Hh Z P v e C.
  set (e' := fun i => if in_dec Nat.eq_dec i l then e i else vacuous).
  assert (C' : forall i, carries e_min prec (v i) (e' i) (c i)).
  { intro i. unfold e'. destruct (in_dec Nat.eq_dec i l); [ now apply C |].
    intro L. lra. }
  assert (B : 0 <= a_big ar) by (generalize declared; intros [_ [_ [_ [_ [_ B]]]]]; lra).
  assert (S := sparse_summed e_min prec ar v e' c C' blank Z B t s T).
  exists h, true, 0%nat, (size_of s). split; [ easy |].
  eapply s_order.
  - eapply summed_higher; [| exact S ]. lia.
  - replace (map (fun i => (v i, e i)) l) with (map (fun i => (v i, e' i)) l).
    + now apply Permutation_map.
    + apply map_ext_in. intros i I. unfold e'. now destruct (in_dec Nat.eq_dec i l).
Qed.
End PairSums.
