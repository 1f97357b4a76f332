(* The bounds of softmax's rows, of their VJPs and of the losses, in WP's words, are bounds of any
   program that theory/SoftmaxNodes, RowVjpNodes and LossNodes speak of. *)
Require Import Reals Lra Psatz List ZArith Lia FunctionalExtensionality.
From Theory Require Import Sums Max Softmax Loss Round Nodes NodesOfFunctions FloatSum SumNodes
  NormNodes RowNodes PairSums SoftmaxNodes LossNodes RowVjpNodes Compose Meaning ActivationOps
  SoftmaxOps LossOps PairMeaning PairOps BoundOps.
Open Scope R_scope.

(* the elements from p on *)
Definition entries_at (M : W_addr -> R) (p : W_addr) (k : nat) : R := M (W_shift p (Z.of_nat k)).
Lemma max_at M x n : (0 < n)%nat ->
  L_RowMax M x (Z.of_nat n) = row_max (pred n) (entries_at M x).
Proof.
  intro N. unfold L_RowMax. replace (Z.to_nat (Z.of_nat n - 1)) with (pred n) by lia. reflexivity.
Qed.
Lemma sum_exp_at M x m n : L_SumExp M x m (Z.of_nat n) = bsum n (fun k =>
  exp (entries_at M x k - m)).
Proof. unfold L_SumExp. now rewrite Nat2Z.id. Qed.
Lemma shifted_at M x m k : -1 * m + M (W_shift x (Z.of_nat k)) = entries_at M x k - m.
Proof. unfold entries_at. ring. Qed.

Section RowBounds.
Variables (e_min prec : Z) (ar : W_arith).
Hypothesis declared : declares e_min prec (the_arith ar).
Hypothesis suits : exp_suits (the_arith ar).
Hypothesis few_log : few (the_arith ar) (2 * W_arith'k_log ar + 1).

Lemma exp_value_at M x m n :
  L_ExpValue M ar x m (Z.of_nat n) = exp_value (the_arith ar) n every (entries_at M x) m.
Proof.
  unfold L_ExpValue, exp_value. rewrite Nat2Z.id. apply bsum_ext. intros i _.
  now rewrite shifted_at.
Qed.
Lemma exp_error_at M x m n :
  L_ExpError M ar x m (Z.of_nat n) = exp_error (the_arith ar) n every (entries_at M x) m.
Proof.
  unfold L_ExpError, exp_error. rewrite Nat2Z.id. apply bsum_ext. intros i _.
  now rewrite shifted_at.
Qed.

(* ---------------------------------------------------------------- softmax *)
Theorem softmax_bound M x n c e total y : (c < n)%nat ->
  row_exps e_min prec (the_arith ar) n (entries_at M x) e total ->
  of2 (divs e_min prec (the_arith ar) 2) (e c) total y ->
  within_bound (L_SoftmaxBound M ar x (Z.of_nat n) (Z.of_nat c))
    (L_Softmax M x (Z.of_nat n) (Z.of_nat c)) y.
Proof.
  intros C [E [F S]] Y. unfold L_SoftmaxBound, L_Softmax, L_e_softmax, L_rdiv. cbv zeta.
  rewrite exp_value_at, exp_error_at, shifted_at, sum_exp_at, max_at by lia.
  unfold L_p_quo, L_p_sum, L_p_shifted_exp. rewrite !the_of.
  assert (T := softmax_bounds e_min prec _ declared n (entries_at M x) _ e total suits E F S c y C
    Y).
  rewrite <- (softmax_stable_eq n (row_max (pred n) (entries_at M x))) in T by lia.
  exact (stands_within _ _ _ T).
Qed.
Theorem log_softmax_bound M x n c e total dev lg y : (c < n)%nat ->
  row_exps e_min prec (the_arith ar) n (entries_at M x) e total ->
  dev = fl e_min prec (the_arith ar) (entries_at M x c - row_max (pred n) (entries_at M x)) ->
  of1 (fun t => in_ulps e_min prec (the_arith ar) (W_arith'k_log ar) (ln t)) total lg ->
  of2 (subs e_min prec (the_arith ar)) dev lg y ->
  within_bound (L_LogSoftmaxBound M ar x (Z.of_nat n) (Z.of_nat c))
    (L_LogSoftmax M x (Z.of_nat n) (Z.of_nat c)) y.
Proof.
  intros C [E [F S]] D L Y. unfold L_LogSoftmaxBound, L_LogSoftmax, L_e_log_softmax. cbv zeta.
  rewrite exp_value_at, exp_error_at, sum_exp_at, max_at by lia.
  unfold L_p_sub, L_p_log, L_p_sum. rewrite !the_of.
  assert (N : (0 < n)%nat) by lia.
  assert (T := log_softmax_bounds e_min prec _ declared n (entries_at M x) _ e total N suits E F S c
    dev lg y few_log D L Y).
  rewrite <- (log_softmax_stable_eq n (row_max (pred n) (entries_at M x))) in T by lia.
  set (m := row_max (pred n) (entries_at M x)) in *.
  match goal with |- within_bound _ ?r _ => replace r
    with (entries_at M x c - m - ln (bsum n (fun k => exp (entries_at M x k - m))))
    by (unfold entries_at; ring) end.
  exact (stands_within _ _ _ T).
Qed.
(* under a mask, the maximum of the open elements being computed without an error *)
Theorem masked_softmax_bound M x b n c e total y : (c < n)%nat ->
  let o := opened (entries_at M b) in let m := L_OpenMax M x b (Z.of_nat n) in
  (forall i, (i < n)%nat -> o i = true ->
    shifted_exp_of e_min prec (the_arith ar) (entries_at M x i - m) (e i)) ->
  (forall i, (i < n)%nat -> o i = true -> a_number e_min prec (e i)) ->
  added_up e_min prec (the_arith ar) (W_arith'h ar) (chosen o n) e total ->
  (if o c then of2 (divs e_min prec (the_arith ar) 2) (e c) total y else y = Some 0) ->
  within_bound (L_MaskedSoftmaxBound M ar x b (Z.of_nat n) (Z.of_nat c))
    (L_MaskedSoftmax M x b (Z.of_nat n) (Z.of_nat c)) y.
Proof.
  intros C o m E F S Y.
  assert (T := masked_softmax_bounds e_min prec _ declared n o (entries_at M x) m e total suits E F
    S c
    y C Y).
  rewrite <- (masked_softmax_stable_eq n o m (entries_at M x) c C) in T.
  unfold L_MaskedSoftmaxBound, L_OpenBound, L_MaskedSoftmax, L_e_softmax, L_rdiv. cbv zeta.
  fold m. rewrite shifted_at.
  assert (V : L_OpenValue M ar x b m (Z.of_nat n) = exp_value (the_arith ar) n o (entries_at M x)
    m).
  { unfold L_OpenValue, exp_value. rewrite Nat2Z.id. apply bsum_ext. intros i _.
    unfold L_v_open_exp, o, opened, if_, entries_at. destruct (Req_EM_T _ 0); [| easy ].
    rewrite (Rplus_comm (M _)), shifted_at. reflexivity. }
  assert (W : L_OpenError M ar x b m (Z.of_nat n) = exp_error (the_arith ar) n o (entries_at M x)
    m).
  { unfold L_OpenError, exp_error. rewrite Nat2Z.id. apply bsum_ext. intros i _.
    unfold L_e_open_exp, o, opened, if_, entries_at. destruct (Req_EM_T _ 0); [| easy ].
    rewrite (Rplus_comm (M _)), shifted_at. reflexivity. }
  assert (Q : L_OpenSumExp M x b m (Z.of_nat n) =
    bsum n (fun i => if_ (o i) (exp (entries_at M x i - m)))).
  { unfold L_OpenSumExp. rewrite Nat2Z.id. apply bsum_ext. intros i _.
    unfold L_open_exp, o, opened, if_, entries_at. now destruct (Req_EM_T _ 0). }
  rewrite V, W, Q. unfold L_p_quo, L_p_sum, L_p_shifted_exp. rewrite !the_of.
  apply stands_within in T. revert T. unfold o at 1 4, opened, L_if_open, entries_at.
  destruct (Req_EM_T _ 0); exact (fun H => H).
Qed.

(* ---------------------------------------------------------------- the VJPs *)
Lemma e_softmax_vjp_at y g d a n : L_e_softmax_vjp ar y g d a (Z.of_nat n) =
  e_softmax_vjp (the_arith ar) y g d a (INR n).
Proof.
  unfold L_e_softmax_vjp, e_softmax_vjp. rewrite Rmax_comm, INR_IZR_INZ.
  unfold L_p_sub, L_p_mul, L_p_dot. now rewrite !the_of.
Qed.
Theorem softmax_vjp_bound M y g n i s c :
  dot_of e_min prec (the_arith ar) n (entries_at M g) (entries_at M y) s ->
  softmax_vjp_of e_min prec (the_arith ar) (entries_at M y i) (entries_at M g i) s c ->
  within_bound (L_SoftmaxVjpBound M ar y g (Z.of_nat n) (Z.of_nat i))
    (L_SoftmaxVjp M y g (Z.of_nat n) (Z.of_nat i)) c.
Proof.
  intros S C.
  assert (T := softmax_vjp_bounds e_min prec _ declared n (entries_at M y) (entries_at M g) i s c S
    C).
  cbv zeta in T. apply stands_within in T.
  unfold L_SoftmaxVjpBound, L_SoftmaxVjp, L_RowDot, L_RowAbs, L_rmul.
  rewrite e_softmax_vjp_at, Nat2Z.id.
  match goal with |- within_bound _ (_ * ?s) _ => match s with _ * ?d + ?a =>
    replace s with (a - d) by ring end end.
  exact T.
Qed.
Theorem masked_softmax_vjp_bound M y g n i s c :
  dot_of e_min prec (the_arith ar) n (entries_at M g) (entries_at M y) s ->
  (if Req_EM_T (entries_at M y i) 0 then c = Some 0
   else softmax_vjp_of e_min prec (the_arith ar) (entries_at M y i) (entries_at M g i) s c) ->
  within_bound (L_MaskedSoftmaxVjpBound M ar y g (Z.of_nat n) (Z.of_nat i))
    (L_MaskedSoftmaxVjp M y g (Z.of_nat n) (Z.of_nat i)) c.
Proof.
  intros S C. assert (T := masked_softmax_vjp_bounds e_min prec _ declared n (entries_at M y)
    (entries_at M g) i s c S C).
  cbv zeta in T. apply stands_within in T.
  unfold L_MaskedSoftmaxVjpBound, L_MaskedSoftmaxVjp, L_LiveDot, L_LiveAbs, L_rmul. cbv zeta.
  rewrite e_softmax_vjp_at, Nat2Z.id.
  match goal with |- within_bound _ (L_if_live _ (_ * ?s)) _ => match s with _ * ?d + ?a =>
    replace s with (a - d) by ring end end.
  exact T.
Qed.
Theorem log_softmax_vjp_bound M y g n i s c :
  adds_to e_min prec (the_arith ar) (W_arith'h ar)
    (map (fun k => (entries_at M g k, 0)) (seq 0 n)) s ->
  may_be e_min prec (the_arith ar) (fun _ => s) (log_vjp (entries_at M y i) (entries_at M g i)) c ->
  within_bound (L_LogSoftmaxVjpBound M ar y g (Z.of_nat n) (Z.of_nat i))
    (L_LogSoftmaxVjp M y g (Z.of_nat n) (Z.of_nat i)) c.
Proof.
  intros S C. assert (T := log_softmax_vjp_bounds e_min prec _ declared n (entries_at M y)
    (entries_at M g)
    i s c S C).
  apply stands_within in T.
  unfold L_LogSoftmaxVjpBound, L_LogSoftmaxVjp, L_e_log_softmax_vjp, L_Sum, L_RowSumAbs, L_rmul.
  unfold L_p_sub, L_p_mul, L_p_exp, L_p_sum. rewrite !the_of, Nat2Z.id.
  match goal with |- within_bound _ ?s _ => match s with _ * ?d + ?a =>
    replace s with (a - d) by ring end end.
  exact T.
Qed.

(* ---------------------------------------------------------------- losses *)
Lemma number_at n : the_pair (L_p_number ar n) = p_number (the_arith ar) n.
Proof.
  unfold L_p_number, p_number. cbn [the_arith a_u].
  destruct (Rle_dec (n * W_arith'u ar) 1); [ easy | apply the_of ].
Qed.
Lemma square_at a t : L_p_square ar a t = of_pair (p_square (the_arith ar) a t).
Proof. unfold L_p_square, p_square, L_p_mul, L_p_sub. now rewrite !the_of. Qed.
Theorem mse_loss_bound M a t n dev s cnt y :
  (forall i, (i < n)%nat -> dev i = fl e_min prec (the_arith ar) (entries_at M a i - entries_at M t
    i)) ->
  products_added e_min prec (the_arith ar) (W_arith'h ar) (seq 0 n) (fun i => squared (dev i)) s ->
  is_count e_min prec (the_arith ar) n cnt ->
  of2 (divs e_min prec (the_arith ar) 2) s cnt y ->
  within_bound (L_MseBound M ar a t (Z.of_nat n)) (L_Mse M a t (Z.of_nat n)) y.
Proof.
  intros D S K Y.
  assert (T := mse_bounds e_min prec _ declared n (entries_at M a) (entries_at M t) dev s cnt y D S
    K Y).
  unfold L_MseBound, L_Mse, L_p_mean, L_SquareValue, L_SquareError, L_SquareSum, L_rdiv.
  rewrite !count_is, !Nat2Z.id. unfold L_p_quo, L_p_sum. rewrite !the_of, number_at.
  unfold mse in T. rewrite Rmult_comm in T.
  rewrite (bsum_ext n (fun k => W_pair'v _)
    (fun i => p_v (p_square (the_arith ar) (entries_at M a i) (entries_at M t i))))
    by (intros i _; now rewrite square_at).
  rewrite (bsum_ext n (fun k => W_pair'e _)
    (fun i => p_e (p_square (the_arith ar) (entries_at M a i) (entries_at M t i))))
    by (intros i _; now rewrite square_at).
  exact (stands_within _ _ _ T).
Qed.
(* of a; that of t is the same with a and t exchanged *)
Theorem mse_loss_vjp_bound n a t g cnt two dev y : is_count e_min prec (the_arith ar) n cnt ->
  of2 (divs e_min prec (the_arith ar) 1) (Some 2) cnt two ->
  dev = fl e_min prec (the_arith ar) (a - t) ->
  of3 (muls3 e_min prec (the_arith ar)) two (Some g) dev y ->
  within_bound (L_e_mse_vjp ar a t g (W_real_of_int (Z.of_nat n)))
    (L_MseDa g a t (L_rdiv 2 (W_real_of_int (Z.of_nat n)))) y /\
  within_bound (L_e_mse_vjp ar a t g (W_real_of_int (Z.of_nat n)))
    (L_MseDt g t a (L_rdiv 2 (W_real_of_int (Z.of_nat n)))) y.
Proof.
  intros K W D Y. assert (T := mse_vjp_bounds e_min prec _ declared n a t g cnt two dev y K W D Y).
  apply stands_within in T. unfold L_e_mse_vjp, L_MseDa, L_MseDt, L_rmul, L_rdiv.
  rewrite count_is. unfold L_p_mul3, L_p_quo, L_p_sub. rewrite !the_of, number_at.
  split; match goal with |- within_bound _ (_ * ?s) _ => replace s with (a - t) by ring end;
    exact T.
Qed.
End RowBounds.
