(* The bounds of cross entropy and of its gradient, in WP's words, are bounds of any program that
   theory/LossNodes speaks of. *)
Require Import Reals Lra Psatz List ZArith Lia FunctionalExtensionality.
From Theory Require Import Sums Max Softmax Loss Round Nodes NodesOfFunctions FloatSum SumNodes
  NormNodes RowNodes PairSums SoftmaxNodes LossNodes Meaning ActivationOps LossOps PairMeaning
  PairOps BoundOps RowBounds.
Open Scope R_scope.

(* row r of a matrix that begins at x *)
Definition matrix_row (M : W_addr -> R) (x : W_addr) (n r : nat) (k : nat) : R :=
  entries_at M x (r * n + k).
Definition row_start (x : W_addr) (n r : nat) : W_addr :=
  W_shift x (L_ix (Z.of_nat r) (Z.of_nat n) 0).
Lemma row_from M x n r : entries_at M (row_start x n r) = matrix_row M x n r.
Proof.
  apply functional_extensionality. intro k. unfold entries_at, matrix_row, row_start.
  rewrite ix_row. unfold entries_at, W_shift. simpl. do 2 f_equal. lia.
Qed.

Section LossBounds.
Variables (e_min prec : Z) (ar : W_arith).
Hypothesis declared : declares e_min prec (the_arith ar).
Hypothesis suits : exp_suits (the_arith ar).
Hypothesis few_log : few (the_arith ar) (2 * W_arith'k_log ar + 1).

Lemma loss_pair_at M x n r t : (0 < n)%nat ->
  the_pair (L_RowLossPair M ar (row_start x n r) (Z.of_nat n) (Z.of_nat t)) =
  row_loss_pair (the_arith ar) n (matrix_row M x n r) t.
Proof.
  intro N. unfold L_RowLossPair, L_p_row_loss. cbv zeta.
  rewrite max_at, exp_value_at, exp_error_at, row_from by exact N.
  change (M (W_shift (row_start x n r) (Z.of_nat t))) with (entries_at M (row_start x n r) t).
  rewrite row_from. unfold L_p_sub, L_p_log, L_p_sum. now rewrite !the_of.
Qed.
Lemma loss_at M x n r t : (0 < n)%nat ->
  L_RowLoss M (row_start x n r) (Z.of_nat n) (Z.of_nat t) =
  cross_entropy n t (matrix_row M x n r) 0.
Proof.
  intro N. unfold L_RowLoss, cross_entropy. cbv zeta.
  change (M (W_shift (row_start x n r) (Z.of_nat t))) with (entries_at M (row_start x n r) t).
  rewrite max_at, sum_exp_at, row_from by exact N.
  rewrite <- (log_softmax_stable_eq n (row_max (pred n) (matrix_row M x n r))) by exact N. ring.
Qed.
(* row r is of class c r *)
Theorem cross_entropy_bound M I x p nr n c (loss : nat -> flnum) s cnt y : classes I p c nr ->
  (forall r, (r < nr)%nat -> (c r < n)%nat) ->
  (forall r, (r < nr)%nat ->
    row_loss_of e_min prec (the_arith ar) n (matrix_row M x n r) (c r) (loss r)) ->
  added_up e_min prec (the_arith ar) (W_arith'h2 ar) (seq 0 nr) loss s ->
  is_count e_min prec (the_arith ar) nr cnt ->
  of2 (divs e_min prec (the_arith ar) 2) s cnt y ->
  within_bound (L_CrossEntropyBound M I ar x p (Z.of_nat nr) (Z.of_nat n))
    (L_CrossEntropy M I x p (Z.of_nat nr) (Z.of_nat n)) y.
Proof.
  intros K C L S N Y.
  assert (T := cross_entropy_bounds e_min prec _ declared suits few_log nr n c (entries_at M x) loss
    s
    cnt y C L S N Y).
  cbv zeta in T. apply stands_within in T.
  unfold L_CrossEntropyBound, L_CrossEntropy, L_p_mean, L_LossValue, L_LossError, L_LossSum, L_rdiv.
  rewrite !count_is, !Nat2Z.id.
  assert (P : forall r, (r < nr)%nat -> (0 < n)%nat) by (intros r R; specialize (C r R); lia).
  rewrite (bsum_ext nr (fun r => L_RowLoss M _ _ _)
    (fun r => cross_entropy n (c r) (matrix_row M x n r) 0))
    by (intros r R; rewrite K by exact R; apply loss_at; eauto).
  rewrite (bsum_ext nr (fun r => W_pair'v _)
    (fun r => p_v (row_loss_pair (the_arith ar) n (matrix_row M x n r) (c r))))
    by (intros r R; rewrite K by exact R; rewrite <- loss_pair_at by eauto; reflexivity).
  rewrite (bsum_ext nr (fun r => W_pair'e _)
    (fun r => p_e (row_loss_pair (the_arith ar) n (matrix_row M x n r) (c r))))
    by (intros r R; rewrite K by exact R; rewrite <- loss_pair_at by eauto; reflexivity).
  unfold L_p_quo, L_p_sum. rewrite !the_of, number_at. exact T.
Qed.
Theorem cross_entropy_vjp_bound M x nr n cl g r c y : (r < nr)%nat -> (c < n)%nat ->
  row_gradient_of e_min prec (the_arith ar) n (matrix_row M x n r) (cl r) nr g c y ->
  within_bound (L_RowGradientBound M ar (row_start x n r) (Z.of_nat n) (Z.of_nat (cl r)) g
      (W_real_of_int (Z.of_nat nr)) (Z.of_nat c))
    (L_RowGradient M (row_start x n r) (Z.of_nat n) (Z.of_nat (cl r))
      (L_rdiv g (W_real_of_int (Z.of_nat nr))) (Z.of_nat c)) y.
Proof.
  intros R C G.
  assert (T := cross_entropy_vjp_bounds e_min prec _ declared suits nr n cl (entries_at M x)
    (fun _ => g) r c y R C G).
  apply stands_within in T. unfold mean_cross_entropy_vjp in T.
  rewrite (dm_div r n c C), (dm_mod r n c C) in T.
  change (fun k => entries_at M x (r * n + k)%nat) with (matrix_row M x n r) in T.
  assert (N : (0 < n)%nat) by lia. set (m := row_max (pred n) (matrix_row M x n r)).
  rewrite <- (softmax_stable_eq n m) in T by exact N.
  unfold L_RowGradientBound, L_RowGradient, L_Softmax, L_e_row_gradient, L_p_probability, L_rmul,
    L_rdiv, L_OneHot. cbv zeta.
  rewrite !shifted_at, max_at, exp_value_at, exp_error_at, sum_exp_at, row_from,
    count_is by exact N.
  fold m. unfold L_p_mul3, L_p_quo, L_p_sum, L_p_shifted_exp.
  unfold row_gradient_pair, p_row_gradient in T. cbv zeta in T. fold m in T.
  destruct (Nat.eqb_spec c (cl r)) as [E|E].
  - destruct (Z.eq_dec (Z.of_nat (cl r)) (Z.of_nat c)) as [_|F]; [| exfalso; lia ].
    destruct (Z.eq_dec (Z.of_nat c) (Z.of_nat (cl r))) as [_|F]; [| exfalso; lia ].
    cbn [Z.eq_dec] in *. destruct (Z.eq_dec 1 0); [ easy |].
    unfold L_p_sub. rewrite !the_of, number_at.
    match goal with |- within_bound _ (_ * ?s) _ => match s with ?a + _ * _ =>
      replace s with (a - 1) by ring end end. exact T.
  - destruct (Z.eq_dec (Z.of_nat (cl r)) (Z.of_nat c)) as [F|_]; [ exfalso; lia |].
    destruct (Z.eq_dec (Z.of_nat c) (Z.of_nat (cl r))) as [F|_]; [ exfalso; lia |].
    destruct (Z.eq_dec 0 0); [| easy ]. rewrite !the_of, number_at.
    match goal with |- within_bound _ (_ * ?s) _ => match s with ?a + _ * _ =>
      replace s with (a - 0) by ring end end. exact T.
Qed.
End LossBounds.
