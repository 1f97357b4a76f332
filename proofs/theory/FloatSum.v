(* Floating-point sums: what any tree of additions, rounded to nearest even,
 with subnormal numbers and
   overflow, can be off by. A term is a pair (v, e): a number within e of the real v; where e is not
   below `vacuous`, nothing is known of it. `summed` says what a program may do,
     `summed_bounded` what
   comes of it. *)
From Flocq Require Import Core Relative.
Require Import Reals Lra Psatz List Permutation ZArith Lia.
From Theory Require Import Round Nodes.
Import ListNotations.
Open Scope R_scope.

(* sums over a list of terms: of sum_values, of their magnitudes, of errors *)
Definition term : Type := (R * R)%type.
Fixpoint total_of (f : term -> R) (l : list term) : R :=
  match l with nil => 0 | t :: r => f t + total_of f r end.
Definition sum_values (l : list term) : R := total_of fst l.
Definition sizes (l : list term) : R := total_of (fun t => Rabs (fst t)) l.
Definition errors (l : list term) : R := total_of snd l.

Lemma total_app f a b : total_of f (a ++ b) = total_of f a + total_of f b.
Proof. induction a; simpl; [ ring | rewrite IHa; ring ]. Qed.
Lemma total_permutation f a b : Permutation a b -> total_of f a = total_of f b.
Proof. induction 1; simpl; lra. Qed.
Lemma sizes_pos l : 0 <= sizes l.
Proof. unfold sizes. induction l; simpl; [ lra | generalize (Rabs_pos (fst a)); lra ]. Qed.
Lemma sum_values_sizes l : Rabs (sum_values l) <= sizes l.
Proof.
  unfold sum_values, sizes. induction l; simpl; [ rewrite Rabs_R0; lra |].
  generalize (Rabs_triang (fst a) (total_of fst l)). lra.
Qed.

(* the magnitude of a number; of none it does not matter *)
Definition size_of (c : flnum) : R := match c with Some x => Rabs x | None => 0 end.

Section FloatSum.
Variables (e_min prec : Z) (ar : arithmetic).
Hypothesis declared : declares e_min prec ar.
Let u : R := a_u ar.
Let half_step : R := a_eta ar.
Let P (h : nat) : R := (1 + u) ^ h.

(* c is a number of the format, within e of v *)
Definition carries (v e : R) (c : flnum) : Prop :=
  e < vacuous -> exists x, c = Some x /\ in_format e_min prec x /\ Rabs (x - v) <= e.
(* x is exact, within e of v even with y added *)
Definition exact_within (v e y : R) (x : flnum) : Prop :=
  e < vacuous -> exists z, x = Some z /\ Rabs (z - v) + y <= e.
Definition beside (x y : R) (s : flnum) : Prop := s = Some (x + y).
Definition rounds (x : R) (c : flnum) : Prop := c = fl e_min prec ar x.
(* parts of magnitude a in all, k products among them,
 are added up in a way that is worth m roundings *)
Definition blocked (m k : nat) (a x : R) (c : flnum) : Prop :=
  P m * a + INR k * half_step <= a_big ar ->
  exists y, c = Some y /\ in_format e_min prec y /\ Rabs (y - x) <= (P m - 1)
    * a + INR k * half_step.

(* summed h f k l s a: s is what a program has of the sum of the terms l;
 no term goes through more than
   h roundings. f: s is a number of the format. If not,
     s is an exact sum of what is about to be rounded,
   k products among it, as inside of a fused multiply-add or of a tensor core's block.
   a: the magnitude
   of all that s is the exact sum of. *)
Inductive summed : nat -> bool -> nat -> list term -> flnum -> R -> Prop :=
| s_none h : summed h true 0 nil (Some 0) 0
  (* a number that carries an error *)
| s_number h v e c : carries v e c -> summed h true 0 ((v, e) :: nil) c (size_of c)
  (* a product x, rounded: that is part of its error, and none of the h *)
| s_product h v e x c : (forall z, x = Some z -> exact_within v e (u * Rabs z + half_step) x) ->
    (e < vacuous -> x <> None) -> of1 rounds x c -> summed h true 0 ((v, e) :: nil) c (size_of c)
  (* a product x that is not rounded by itself: that of a fused multiply-add *)
| s_fused h v e x : exact_within v e half_step x -> summed h false 1 ((v, e) :: nil) x (size_of x)
  (* two parts side by side, not yet rounded *)
| s_plus h f f' k k' l l' s s' t a a' : summed h f k l s a -> summed h f' k' l' s' a' ->
    of2 beside s s' t -> summed h false (k + k') (l ++ l') t (a + a')
  (* one rounding: of two parts an addition, with a product a fused multiply-add,
   of many parts a block
     that is added exact_within *)
| s_round h f k l s a c : summed h f k l s a -> of1 rounds s c -> summed (S h)
  true 0 l c (size_of c)
  (* one that changes nothing, as that of x + 0 *)
| s_again h l s a c : summed h true 0 l s a -> of1 rounds s c -> summed h true 0 l c (size_of c)
  (* a block whose parts are added in some inner order *)
| s_block h m f k l s a c : summed h f k l s a -> of1 (blocked m k a) s c ->
    summed (m + h) true 0 l c (size_of c)
  (* the order does not matter *)
| s_order h f k l l' s a : summed h f k l s a -> Permutation l l' -> summed h f k l' s a.

(* ---- a sum of numbers underflows without an error ---- *)

Let sum_prec : (0 < prec)%Z := proj1 declared.
Definition on_grid (x : R) : Prop := exists m, x = IZR m * bpow radix2 e_min.

Lemma format_grid x : in_format e_min prec x -> on_grid x.
Proof.
  intro F. apply generic_format_FIX_FLT in F. destruct (FIX_format_generic _ _ _ F) as [f E G].
  exists (Fnum f). rewrite E. unfold F2R. now rewrite G.
Qed.
Lemma grid_plus x y : on_grid x -> on_grid y -> on_grid (x + y).
Proof. intros [m ->] [n ->]. exists (m + n)%Z. rewrite plus_IZR. ring. Qed.
Lemma sum_u_pos : 0 < u. Proof. exact (u_pos e_min prec ar declared). Qed.
Lemma sum_eta_pos : 0 < half_step. Proof. exact (a_eta_pos e_min prec ar declared). Qed.
Lemma grid_err x : on_grid x -> Rabs (rnd e_min prec x - x) <= u * Rabs x.
Proof.
  intros [m E]. destruct (Rle_or_lt (Rabs x) (bpow radix2 (e_min + prec))) as [H|H].
  - assert (F : in_format e_min prec x).
    { apply generic_format_FLT_FIX; [ exact sum_prec | easy |].
      apply generic_format_FIX. exists (Float radix2 m e_min); [ now rewrite E | easy ]. }
    rewrite (rnd_exact e_min prec x F). unfold Rminus. rewrite Rplus_opp_r, Rabs_R0.
    apply Rmult_le_pos; [ apply Rlt_le, sum_u_pos | apply Rabs_pos ].
  - eapply Rle_trans.
    + apply (relative_error_N_FLT radix2 e_min prec sum_prec (fun z => negb (Z.even z))).
      apply Rlt_le. eapply Rle_lt_trans; [| exact H ]. apply bpow_le. lia.
    + apply Rmult_le_compat_r; [ apply Rabs_pos |]. eapply Rle_trans;
        [| exact (proj1 (proj2 declared)) ].
      right. unfold unit_of. rewrite bpow_plus. change (bpow radix2 1) with 2. field.
Qed.

(* ---- the bound ---- *)

Lemma P_ge1 h : 1 <= P h.
Proof. apply pow_R1_Rle. generalize sum_u_pos. lra. Qed.
Lemma P_plus m h : P (m + h) = P m * P h.
Proof. apply pow_add. Qed.
Lemma grows g x : 1 <= g -> 0 <= x -> x <= g * x.
Proof. intros. rewrite <- (Rmult_1_l x) at 1. now apply Rmult_le_compat_r. Qed.
Lemma near_abs x y : Rabs x <= Rabs y + Rabs (x - y).
Proof. generalize (Rabs_triang y (x - y)). now replace (y + (x - y)) with x by ring. Qed.
Lemma split_abs x y z : Rabs (x - z) <= Rabs (x - y) + Rabs (y - z).
Proof. generalize (Rabs_triang (x - y) (y - z)). now replace (x - y + (y - z)) with (x - z)
  by ring. Qed.
Lemma error_pos e : (e < vacuous -> 0 <= e) -> 0 <= e.
Proof.
  intro H. assert (0 < vacuous) by (unfold vacuous; now apply IZR_lt).
  destruct (Rlt_or_le e vacuous); [ auto | lra ].
Qed.

Lemma summed_errors h f k l s a : summed h f k l s a -> 0 <= errors l.
Proof.
  generalize sum_eta_pos sum_u_pos; intros N U.
  unfold errors. induction 1; simpl; rewrite ?Rplus_0_r; try lra.
  - apply error_pos. intro L. destruct (H L) as [x [_ [_ E]]]. generalize (Rabs_pos (x - v)). lra.
  - apply error_pos. intro L. destruct x as [x|]; [| now elim (H0 L) ].
    destruct (H x eq_refl L) as [z [_ E]]. generalize (Rabs_pos (z - v)).
    assert (0 <= u * Rabs x) by (apply Rmult_le_pos; [ lra | apply Rabs_pos ]). lra.
  - apply error_pos. intro L. destruct (H L) as [z [_ E]]. generalize (Rabs_pos (z - v)). lra.
  - rewrite total_app. lra.
  - now rewrite <- (total_permutation snd _ _ H0).
Qed.

(* s is a real number within a program's bound, p = (1 + u)^h *)
Definition in_bound (p : R) (f : bool) (k : nat) (l : list term) (s : flnum) (a : R) : Prop :=
  exists x, s = Some x /\ let w := sizes l + errors l - INR k * half_step in
  (f = true -> in_format e_min prec x) /\ (k = 0%nat -> on_grid x) /\ (f = true -> k = 0%nat) /\
  Rabs x <= a /\ a <= p * w /\ INR k * half_step <= errors l /\
  Rabs (x - sum_values l) <= errors l - INR k * half_step + (p - 1) * w.

Lemma bounded_leaf p v e x : 1 <= p -> in_format e_min prec x -> Rabs (x - v) <= e ->
  in_bound p true 0 ((v, e) :: nil) (Some x) (Rabs x).
Proof.
  intros Hp F E. exists x. split; [ easy |]. unfold sum_values, sizes, errors. simpl.
  rewrite !Rplus_0_r, Rmult_0_l, !Rminus_0_r. generalize (near_abs x v) (Rabs_pos v)
    (Rabs_pos (x - v)); intros.
  assert (0 <= (p - 1) * (Rabs v + e)) by (apply Rmult_le_pos; lra).
  repeat split; auto; try lra. intros _. now apply format_grid.
Qed.
Lemma bounded_plus p f f' k k' l l' s s' t a a' : in_bound p f k l s a ->
  in_bound p f' k' l' s' a' ->
  of2 beside s s' t -> in_bound p false (k + k') (l ++ l') t (a + a').
Proof.
  intros [x [-> B]] [x' [-> B']] T. exists (x + x'). split; [ now apply T |].
  unfold sum_values, sizes, errors in *. rewrite !total_app, plus_INR.
  destruct B as [_ [M [_ [B1 [B2 [B3 B4]]]]]]. destruct B' as [_ [M' [_ [C1 [C2 [C3 C4]]]]]].
  repeat split; try discriminate; try lra.
  - intro K. apply grid_plus; [ apply M | apply M' ]; lia.
  - eapply Rle_trans; [ apply Rabs_triang |]. lra.
  - replace (x + x' - (total_of fst l + total_of fst l'))
      with ((x - total_of fst l) + (x' - total_of fst l')) by ring.
    eapply Rle_trans; [ apply Rabs_triang |]. lra.
Qed.
(* g - 1: the relative error of what is added up, u for one rounding *)
Lemma bounded_node p g f k l s a y : 1 <= p -> 1 <= g -> in_bound p f k l s a ->
  in_format e_min prec y -> of1 (fun x _ => Rabs (y - x) <= (g - 1) * a + INR k * half_step)
    s None ->
  in_bound (g * p) true 0 l (Some y) (Rabs y).
Proof.
  intros Hp Hg [x [-> [_ [_ [_ [B1 [B2 [B3 B4]]]]]]]] F E. specialize (E x eq_refl). cbv beta in E.
  exists y. split; [ easy |]. simpl INR. rewrite !Rmult_0_l, !Rminus_0_r.
  set (w := sizes l + errors l - INR k * half_step) in *.
  assert (K : 0 <= INR k * half_step) by (apply Rmult_le_pos; [ apply pos_INR | apply Rlt_le,
    sum_eta_pos ]).
  replace (sizes l + errors l) with (w + INR k * half_step) by (unfold w; ring).
  assert (G : (g - 1) * a <= (g - 1) * (p * w)) by (apply Rmult_le_compat_l; lra).
  assert (GP : 1 <= g * p) by nra.
  assert (GK : INR k * half_step <= g * p * (INR k * half_step)) by nra.
  repeat split; auto; try lra.
  - intros _. now apply format_grid.
  - generalize (near_abs y x). lra.
  - generalize (split_abs y x (sum_values l)). lra.
Qed.
(* room for g roundings more of s *)
Lemma bounded_room p g f k l s a : 1 <= p -> 1 <= g -> in_bound p f k l s a ->
  g * p * (sizes l + errors l) <= a_big ar -> g * a + INR k * half_step <= a_big ar.
Proof.
  intros Hp Hg [x [-> [_ [_ [_ [B1 [B2 [B3 B4]]]]]]]] R. eapply Rle_trans; [| exact R ].
  set (w := sizes l + errors l - INR k * half_step) in *.
  replace (sizes l + errors l) with (w + INR k * half_step) by (unfold w; ring).
  assert (K : 0 <= INR k * half_step) by (apply Rmult_le_pos; [ apply pos_INR | apply Rlt_le,
    sum_eta_pos ]).
  assert (g * a <= g * (p * w)) by (apply Rmult_le_compat_l; lra).
  assert (1 <= g * p) by nra. assert (INR k * half_step <= g * p * (INR k * half_step)) by nra. lra.
Qed.
Lemma bounded_round p f k l s a c : 1 <= p -> in_bound p f k l s a -> of1 rounds s c ->
  (1 + u) * p * (sizes l + errors l) <= a_big ar -> in_bound ((1 + u) * p) true 0 l c (size_of c).
Proof.
  intros Hp B H R. assert (U := sum_u_pos). assert (N := sum_eta_pos).
  assert (Q := bounded_room p (1 + u) f k l s a Hp ltac:(lra) B R).
  destruct B as [x [-> B]]. rewrite (H x eq_refl).
  assert (Z : Rabs (rnd e_min prec x - x) <= u * a + INR k * half_step).
  { destruct B as [_ [M [_ [B1 _]]]].
    assert (u * Rabs x <= u * a) by (apply Rmult_le_compat_l; lra). destruct k.
    - generalize (grid_err x (M eq_refl)). simpl. lra.
    - generalize (rnd_err_in_A e_min prec ar declared x). fold u half_step.
      assert (1 * half_step <= INR (S k) * half_step).
      { apply Rmult_le_compat_r; [ lra |]. rewrite S_INR. generalize (pos_INR k). lra. }
      lra. }
  rewrite (fl_close e_min prec ar x (u * a + INR k * half_step) Z)
    by (destruct B as [_ [_ [_ [B1 _]]]]; lra).
  eapply bounded_node with (f := f) (k := k) (s := Some x) (a := a); [ easy | lra | | |].
  - now exists x.
  - apply rnd_in_format, sum_prec.
  - intros z Hz. injection Hz as <-. lra.
Qed.

Theorem summed_bounded h f k l s a : summed h f k l s a -> errors l < vacuous ->
  P h * (sizes l + errors l) <= a_big ar -> in_bound (P h) f k l s a.
Proof.
  intro H. assert (U := sum_u_pos). assert (N := sum_eta_pos).
  induction H; intros L R.
  - exists 0. split; [ easy |]. unfold sum_values, sizes, errors. simpl. rewrite Rmult_0_l,
      Rabs_R0, !Rplus_0_r.
    repeat split; try (intros; lra); try easy.
    + intros _. apply format_0.
    + intros _. apply format_grid, format_0.
    + rewrite Rminus_0_r, Rabs_R0. lra.
  - unfold errors in L. simpl in L. rewrite Rplus_0_r in L. destruct (H L) as [x [-> [F E]]].
    apply bounded_leaf; auto. apply P_ge1.
  - assert (L' := L). unfold errors in L'. simpl in L'. rewrite Rplus_0_r in L'.
    destruct x as [x|]; [| now elim (H0 L') ].
    destruct (H x eq_refl L') as [z [Z E]]. injection Z as <-. rewrite (H1 x eq_refl).
    assert (Q := rnd_err_in_A e_min prec ar declared x). fold u half_step in Q.
    assert (E2 : Rabs (rnd e_min prec x - v) <= e) by (generalize (split_abs (rnd e_min prec x)
      x v); lra).
    unfold rounds, fl. destruct (Rle_dec (Rabs (rnd e_min prec x)) (a_big ar)) as [I|I].
    + apply bounded_leaf; auto. apply P_ge1. apply rnd_in_format, sum_prec.
    + elim I. eapply Rle_trans; [| exact R ]. unfold sizes, errors. simpl.
      generalize (P_ge1 h) (Rabs_pos v) (near_abs (rnd e_min prec x) v)
        (Rabs_pos (rnd e_min prec x - v)).
      intros. nra.
  - assert (L' := L). unfold errors in L'. simpl in L'. rewrite Rplus_0_r in L'.
    destruct (H L') as [z [-> E]]. exists z. split; [ easy |]. unfold sum_values, sizes, errors.
    simpl.
    rewrite !Rplus_0_r, !Rmult_1_l. generalize (P_ge1 h) (Rabs_pos v) (Rabs_pos (z - v))
      (near_abs z v); intros.
    repeat split; try discriminate; try lra; try nra.
  - unfold errors, sizes in *. rewrite !total_app in *.
    generalize (summed_errors _ _ _ _ _ _ H) (summed_errors _ _ _ _ _ _ H0) (sizes_pos l)
      (sizes_pos l') (P_ge1 h). unfold errors, sizes. intros.
    apply bounded_plus with (f := f) (f' := f') (s := s) (s' := s'); auto;
      [ apply IHsummed1 | apply IHsummed2 ]; nra.
  - change (P (S h)) with ((1 + u) * P h) in *.
    assert (Q : 0 <= P h * (sizes l + errors l)).
    { generalize (P_ge1 h) (sizes_pos l) (summed_errors _ _ _ _ _ _ H). intros. nra. }
    eapply bounded_round; [ apply P_ge1 | apply IHsummed; nra | exact H0 | exact R ].
  - specialize (IHsummed L R). destruct IHsummed as [x [-> B]]. rewrite (H0 x eq_refl).
    destruct B as [F B]. unfold rounds, fl. rewrite (rnd_exact e_min prec x (F eq_refl)).
    destruct B as [B1 [B2 [B3 [B4 [B5 B6]]]]]. simpl in B4. rewrite Rmult_0_l, Rminus_0_r in B4.
    destruct (Rle_dec (Rabs x) (a_big ar)) as [I|I]; [| lra ].
    exists x. split; [ easy |]. simpl. rewrite Rmult_0_l, !Rminus_0_r in *. repeat split; auto;
      try lra.
  - assert (G := P_ge1 m). assert (G2 := P_ge1 h). rewrite P_plus in *.
    assert (Q : 0 <= sizes l + errors l) by
      (generalize (sizes_pos l) (summed_errors _ _ _ _ _ _ H); lra).
    assert (Q2 := Rmult_le_pos _ _ (Rle_trans _ _ _ Rle_0_1 G2) Q).
    assert (B : in_bound (P h) f k l s a)
      by (apply IHsummed; [ easy | generalize (grows _ _ G Q2); lra ]).
    assert (M := bounded_room _ _ _ _ _ _ _ G2 G B R).
    destruct B as [x [-> B]]. destruct (H0 x eq_refl M) as [y [-> [F E]]].
    eapply bounded_node with (f := f) (k := k) (s := Some x) (a := a); auto.
    + now exists x.
    + intros z Hz. injection Hz as <-. exact E.
  - assert (E : forall g, total_of g l = total_of g l') by (intro; now apply total_permutation).
    unfold in_bound, sum_values, sizes, errors in *. rewrite <- !E in *. auto.
Qed.

Lemma summed_higher h h' f k l s a : (h <= h')%nat -> summed h f k l s a -> summed h' f k l s a.
Proof.
  intros L H. revert h' L. induction H; intros h' L.
  - apply s_none.
  - now apply s_number.
  - now apply s_product with x.
  - now apply s_fused.
  - eapply s_plus; eauto.
  - destruct h' as [|h']; [ lia |]. eapply s_round; [ apply IHsummed; lia | easy ].
  - eapply s_again; eauto.
  - replace h' with (m + (h' - m))%nat by lia. eapply s_block; [ apply IHsummed; lia | easy ].
  - eapply s_order; eauto.
Qed.

(* ---- trees of additions ---- *)

Definition joined (x y : flnum) : flnum :=
  match x, y with Some a, Some b => Some (a + b) | _, _ => None end.
Lemma joined_beside x y : of2 beside x y (joined x y).
Proof. intros a b -> ->. reflexivity. Qed.
Lemma joined_rounds x y z : of2 (adds e_min prec ar) x y z -> of1 rounds (joined x y) z.
Proof.
  intros H t T. destruct x as [a|]; [| discriminate ]. destruct y as [b|]; [| discriminate ].
  injection T as <-. now apply H.
Qed.
Theorem summed_add h h' k k' l l' x y z a b : summed h true k l x a -> summed h' true k' l' y b ->
  of2 (adds e_min prec ar) x y z -> summed (S (Nat.max h h')) true 0 (l ++ l') z (size_of z).
Proof.
  intros X Y Z. eapply s_round; [| apply joined_rounds; exact Z ].
  eapply s_plus; [ | | apply joined_beside ];
    eapply summed_higher; [ apply Nat.le_max_l | exact X | apply Nat.le_max_r | exact Y ].
Qed.

(* leaf i is term i *)
Inductive sum_tree := Term (i : nat) | Added (l r : sum_tree).
Fixpoint leaves (t : sum_tree) : list nat :=
  match t with Term i => i :: nil | Added l r => leaves l ++ leaves r end.
Fixpoint tree_height (t : sum_tree) : nat :=
  match t with Term _ => 0%nat | Added l r => S (Nat.max (tree_height l) (tree_height r)) end.
Inductive comes_to (c : nat -> flnum) : sum_tree -> flnum -> Prop :=
| comes_leaf i : comes_to c (Term i) (c i)
| comes_added l r x y z : comes_to c l x -> comes_to c r y -> of2 (adds e_min prec ar) x y z ->
    comes_to c (Added l r) z.

Section Trees.
Variables (v e : nat -> R) (c : nat -> flnum).
Hypothesis terms : forall i, carries (v i) (e i) (c i).

Theorem tree_summed t x : comes_to c t x ->
  summed (tree_height t) true 0 (map (fun i => (v i, e i)) (leaves t)) x (size_of x).
Proof.
  induction 1; simpl; [ now apply s_number |]. rewrite map_app. eapply summed_add; eauto.
Qed.
(* any order at all is a tree of height n - 1 *)
Lemma any_order_height t : (tree_height t < length (leaves t))%nat.
Proof. induction t; simpl; [ lia |]. rewrite app_length. lia. Qed.

(* A term that is 0 adds no rounding: where others are left, the height is below their number too.
 *)
Variable blank : nat -> bool.
Hypothesis blanks : forall i, blank i = true -> c i = Some 0.
Hypothesis big_pos : 0 <= a_big ar.
Definition left_over (t : sum_tree) : list nat := filter (fun i => negb (blank i)) (leaves t).
Lemma nothing_left t x : comes_to c t x -> left_over t = nil -> x = Some 0.
Proof.
  unfold left_over. induction 1; simpl; intro L.
  - destruct (blank i) eqn:Z; [ now apply blanks | discriminate ].
  - rewrite filter_app in L. destruct (app_eq_nil _ _ L) as [L1 L2].
    specialize (IHcomes_to1 L1). specialize (IHcomes_to2 L2). subst.
    rewrite (H1 0 0 eq_refl eq_refl). unfold fl. rewrite Rplus_0_r.
    rewrite (rnd_exact e_min prec 0) by apply format_0. rewrite Rabs_R0.
    destruct (Rle_dec 0 (a_big ar)); [ easy | lra ].
Qed.
Lemma one_zero l x y z k h a : summed h true 0 l x a -> y = Some 0 ->
  of2 (adds e_min prec ar) x y z \/ of2 (adds e_min prec ar) y x z -> (h <= k)%nat ->
  summed k true 0 l z (size_of z).
Proof.
  intros X -> Z K. eapply summed_higher; [ exact K |]. eapply s_again; [ exact X |].
  intros b ->. destruct Z as [Z|Z]; [ specialize (Z b 0) | specialize (Z 0 b) ]; unfold rounds.
  - rewrite <- (Rplus_0_r b). now apply Z.
  - rewrite <- (Rplus_0_l b). now apply Z.
Qed.
Theorem sparse_summed t x : comes_to c t x ->
  summed (Nat.min (tree_height t) (Nat.pred (length (left_over t)))) true 0
    (map (fun i => (v i, e i)) (left_over t)) x (size_of x).
Proof.
  intro H. induction H; cbn [tree_height].
  - unfold left_over. simpl. destruct (blank i) eqn:Z; simpl.
    + rewrite (blanks i Z). simpl. rewrite Rabs_R0. apply s_none.
    + now apply s_number.
  - assert (E : left_over (Added l r) = left_over l ++ left_over r) by apply filter_app.
    rewrite E, map_app, app_length.
    assert (NL := nothing_left l x H). assert (NR := nothing_left r y H0).
    destruct (left_over l) as [|i li]; [| destruct (left_over r) as [|j lj] ]; cbn [length] in *.
    + cbn [map app]. eapply one_zero; [ exact IHcomes_to2 | now apply NL | now right |].
      rewrite Nat.add_0_l. lia.
    + rewrite app_nil_r. eapply one_zero; [ exact IHcomes_to1 | now apply NR | now left |].
      rewrite Nat.add_0_r. lia.
    + eapply summed_higher; [| eapply summed_add; eauto ]. lia.
Qed.
End Trees.
End FloatSum.
