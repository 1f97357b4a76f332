(* The bounds of sums and means, in WP's words, are bounds of any program that adds the terms in any
   order by a tree within the declared height (FloatSum's `summed`). *)
Require Import Reals Lra Psatz List ZArith Lia.
From Theory Require Import Sums Round Nodes FloatSum SumNodes Meaning PairMeaning PairOps BoundOps.
Open Scope R_scope.

(* the terms f 0 .. f (n-1), which carry no error *)
Definition exact_terms (n : nat) (f : nat -> R) : list term := map (fun i => (f i, 0)) (seq 0 n).
Lemma total_of_terms g n f :
  total_of g (exact_terms n f) = bsum n (fun i => g (f i, 0)).
Proof.
  unfold exact_terms. induction n; [ easy |].
  rewrite seq_S, map_app, total_app, IHn. simpl. ring.
Qed.

Section SumBounds.
Variables (e_min prec : Z) (ar : W_arith).
Hypothesis declared : declares e_min prec (the_arith ar).
(* c is what some tree of height H adds the numbers f 0 .. f (n-1) up to *)
Definition adds_up (H : R) (n : nat) (f : nat -> R) (c : flnum) : Prop :=
  exists h k a b, height_of (the_arith ar) h H /\
    summed e_min prec (the_arith ar) h b k (exact_terms n f) c a.
Lemma adds_up_bounds H n f c : adds_up H n f c ->
  bounds (L_p_sum ar (bsum n f) (bsum n (fun i => Rabs (f i))) 0 H) (bsum n f) c.
Proof.
  intros [h [k [a [b [Hh S]]]]]. unfold bounds, L_p_sum. rewrite the_of.
  assert (T := p_sum_stands e_min prec (the_arith ar) declared h H b k _ c a Hh S).
  unfold sum_values, sizes, errors in T. rewrite !total_of_terms in T. cbn [fst snd] in T.
  now rewrite bsum_0 in T.
Qed.

Theorem sum_bound M x n c :
  adds_up (W_arith'h ar) (Z.to_nat n) (fun k => M (W_shift x (Z.of_nat k))) c ->
  within_bound (W_pair'e (L_p_sum ar (L_Sum M x n) (L_SumAbs M x n) 0 (W_arith'h ar)))
    (L_Sum M x n) c.
Proof. intro H. apply (stands_within (the_pair _)). now apply adds_up_bounds. Qed.
Theorem add_bias_vjp_bound M g cols i rows c :
  adds_up (W_arith'h2 ar) (Z.to_nat rows) (fun r => M (W_shift g (L_ix (Z.of_nat r) cols i))) c ->
  within_bound (W_pair'e (L_p_sum ar (L_ColSum M g cols i rows) (L_ColSumAbs M g cols i rows) 0
    (W_arith'h2 ar))) (L_ColSum M g cols i rows) c.
Proof. intro H. apply (stands_within (the_pair _)). now apply adds_up_bounds. Qed.
Theorem sum_axis_bound M x n inner o i c :
  adds_up (W_arith'h ar) (Z.to_nat n)
    (fun j => M (W_shift x (L_along n inner o (Z.of_nat j) i))) c ->
  within_bound (W_pair'e (L_p_sum ar (L_AxisSum M x n inner o i n) (L_AxisSumAbs M x n inner o i n)
    0
    (W_arith'h ar))) (L_AxisSum M x n inner o i n) c.
Proof. intro H. apply (stands_within (the_pair _)). now apply adds_up_bounds. Qed.

(* s, of which a pair stands, divided by n, which is exact *)
Lemma quotient_within p v s n c : bounds p v s ->
  of1 (fun t => divs e_min prec (the_arith ar) 1 t (IZR n)) s c ->
  within_bound (W_pair'e (L_p_quo ar p (L_p_make (IZR n) 0) 1)) (v / IZR n) c.
Proof.
  intros S D. apply (stands_within (the_pair _)).
  apply (node_quo e_min prec ar declared _ _ _ _ _ s (Some (IZR n))).
  - lra.
  - apply (few_1 e_min prec (the_arith ar) declared).
  - exact S.
  - apply exact_stands.
  - intros t y T Y. injection Y as <-. now apply D.
Qed.
Lemma mean_within H m f s n c : adds_up H m f s ->
  of1 (fun t => divs e_min prec (the_arith ar) 1 t (IZR n)) s c ->
  within_bound (W_pair'e (L_p_quo ar (L_p_sum ar (bsum m f) (bsum m (fun i => Rabs (f i))) 0 H)
    (L_p_make (IZR n) 0) 1)) (bsum m f / IZR n) c.
Proof. intro S. apply quotient_within. now apply adds_up_bounds. Qed.
Theorem mean_bound M x n s c :
  adds_up (W_arith'h ar) (Z.to_nat n) (fun k => M (W_shift x (Z.of_nat k))) s ->
  of1 (fun t => divs e_min prec (the_arith ar) 1 t (IZR n)) s c ->
  within_bound (W_pair'e (L_p_quo ar (L_p_sum ar (L_Sum M x n) (L_SumAbs M x n) 0 (W_arith'h ar))
    (L_p_make (IZR n) 0) 1)) (L_Sum M x n / IZR n) c.
Proof. apply mean_within. Qed.
Theorem mean_axis_bound M x n inner o i s c :
  adds_up (W_arith'h ar) (Z.to_nat n)
    (fun j => M (W_shift x (L_along n inner o (Z.of_nat j) i))) s ->
  of1 (fun t => divs e_min prec (the_arith ar) 1 t (IZR n)) s c ->
  within_bound (W_pair'e (L_p_quo ar (L_p_sum ar (L_AxisSum M x n inner o i n)
      (L_AxisSumAbs M x n inner o i n) 0 (W_arith'h ar)) (L_p_make (IZR n) 0) 1))
    (L_AxisSum M x n inner o i n / IZR n) c.
Proof. apply mean_within. Qed.
End SumBounds.
