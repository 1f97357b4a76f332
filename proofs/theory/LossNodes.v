(* The bounds of ref/loss.h are bounds: the mean squared error and its gradients; the cross entropy
   of the rows of a matrix, in one tree along a row and another across the rows, and its
   gradient. *)
Require Import Reals Lra Psatz List ZArith Lia.
From Theory Require Import Sums Max Softmax Loss Round Nodes NodesOfFunctions FloatSum SumNodes
  MeanSquare NormNodes RowNodes PairSums SoftmaxNodes.
Import ListNotations.
Open Scope R_scope.

(* ---------------------------------------------------------------- the nodes, as in ref/loss.h *)
Definition p_number ar n : err_pair := if Rle_dec (n * a_u ar) 1 then ErrPair n 0 else p_const ar n.
Definition p_square ar a t : err_pair :=
  p_mul ar (p_sub ar (ErrPair a 0) (ErrPair t 0)) (p_sub ar (ErrPair a 0) (ErrPair t 0)).
Definition p_mean ar value error h n : err_pair :=
  p_quo ar (p_sum ar value value error h) (p_number ar n) 2.
Definition p_mse_vjp ar a t g n : err_pair :=
  p_mul3 ar (p_quo ar (ErrPair 2 0) (p_number ar n) 1) (ErrPair g 0)
    (p_sub ar (ErrPair a 0) (ErrPair t 0)).
Definition e_mse_vjp ar a t g n : R := p_e (p_mse_vjp ar a t g n).
Definition p_row_loss ar xt m value error : err_pair :=
  p_sub ar (p_log ar (p_sum ar value value error (a_h ar)))
    (p_sub ar (ErrPair xt 0) (ErrPair m 0)).
Definition p_row_gradient ar p (hit : Z) g rows : err_pair :=
  p_mul3 ar (if Z.eq_dec hit 0 then p else p_sub ar p (ErrPair 1 0)) (ErrPair g 0)
    (p_quo ar (ErrPair 1 0) (p_number ar rows) 1).
Definition e_row_gradient ar p hit g rows : R := p_e (p_row_gradient ar p hit g rows).
(* of the row x, of class t *)
Definition row_loss_pair ar n (x : nat -> R) (t : nat) : err_pair :=
  let m := row_max (pred n) x in
  p_row_loss ar (x t) m (exp_value ar n every x m) (exp_error ar n every x m).
Definition row_gradient_pair ar n (x : nat -> R) (t : nat) g rows (c : nat) : err_pair :=
  let m := row_max (pred n) x in
  p_row_gradient ar
    (p_probability ar (x c - m) (exp_value ar n every x m) (exp_error ar n every x m))
    (if Nat.eqb c t then 1 else 0) g rows.

Section LossNodes.
Variables (e_min prec : Z) (ar : arithmetic).
Hypothesis declared : declares e_min prec ar.

(* a count as a divisor: exact, or rounded where it has more digits than the arithmetic *)
Definition is_count (n : nat) (c : flnum) : Prop :=
  c = Some (INR n) \/ divisor_of e_min prec ar n c.
Lemma p_number_stands n c : is_count n c -> stands (p_number ar (INR n)) (INR n) c.
Proof.
  assert (E : p_number ar (INR n) = p_count ar (Z.of_nat n)).
  { unfold p_number, p_count. now rewrite <- INR_IZR_INZ. }
  intros [->|D]; [| rewrite E; now apply (p_count_stands e_min prec ar declared) ].
  intro L. assert (K := stands_pos _ _ _ (p_count_stands e_min prec ar declared n _ eq_refl)).
  rewrite <- E in K. split.
  - unfold p_number. now destruct (Rle_dec (INR n * a_u ar) 1).
  - exists (INR n). split; [ easy |]. unfold Rminus. now rewrite Rplus_opp_r, Rabs_R0.
Qed.
(* the mean of numbers that stand for pairs whose values are not negative *)
Lemma p_mean_stands H n (p : nat -> err_pair) (r : nat -> R) c s cnt y :
  (forall i, (i < n)%nat -> 0 <= p_v (p i)) ->
  (forall i, (i < n)%nat -> in_stands e_min prec (p i) (r i) (c i)) ->
  added_up e_min prec ar H (seq 0 n) c s -> is_count n cnt -> of2 (divs e_min prec ar 2) s cnt y ->
  stands (p_mean ar (bsum n (fun i => p_v (p i))) (bsum n (fun i => p_e (p i))) H (INR n))
    (bsum n r / INR n) y.
Proof.
  intros P C S K Y.
  apply (p_quo_stands e_min prec ar declared _ _ _ _ s cnt 2 y); auto.
  - lra.
  - exact (few_2 e_min prec ar declared).
  - rewrite <- !sum_over_all.
    apply (positive_pairs_summed e_min prec ar declared H (seq 0 n) p r c); auto;
      intros i I; apply in_seq in I; [ apply P | apply C ]; lia.
  - now apply p_number_stands.
Qed.

(* ---------------------------------------------------------------- mean squared error *)
Lemma difference_stands a t dev : dev = fl e_min prec ar (a - t) ->
  stands (p_sub ar (ErrPair a 0) (ErrPair t 0)) (a - t) dev.
Proof.
  intro D. apply (p_sub_stands e_min prec ar declared _ _ _ _ (Some a) (Some t));
    try apply exact_stands. intros x y X Y. injection X as <-. injection Y as <-. exact D.
Qed.
Definition squared (d : flnum) : flnum := option_map (fun z => z * z) d.
(* the squares rounded before they are added, or not *)
Theorem mse_bounds n (a t : nat -> R) dev s cnt y :
  (forall i, (i < n)%nat -> dev i = fl e_min prec ar (a i - t i)) ->
  products_added e_min prec ar (a_h ar) (seq 0 n) (fun i => squared (dev i)) s ->
  is_count n cnt -> of2 (divs e_min prec ar 2) s cnt y ->
  stands (p_mean ar (bsum n (fun i => p_v (p_square ar (a i) (t i))))
    (bsum n (fun i => p_e (p_square ar (a i) (t i)))) (a_h ar) (INR n)) (mse n a t 0) y.
Proof.
  intros D S K Y. unfold mse. rewrite Rmult_comm.
  apply (p_quo_stands e_min prec ar declared _ _ _ _ s cnt 2 y); auto.
  - lra.
  - exact (few_2 e_min prec ar declared).
  - rewrite <- !sum_over_all.
    assert (T := product_pairs_summed e_min prec ar declared (a_h ar) (seq 0 n)
      (fun i => p_sub ar (ErrPair (a i) 0) (ErrPair (t i) 0))
      (fun i => p_sub ar (ErrPair (a i) 0) (ErrPair (t i) 0))
      (fun i => a i - t i) (fun i => a i - t i) dev dev (fun i => squared (dev i)) s).
    cbv beta zeta in T. rewrite (sum_over_ext _ (fun i => Rabs (p_v _))
      (fun i => p_v (p_square ar (a i) (t i)))) in T.
    + apply T; auto; intros i I; apply in_seq in I; try (apply difference_stands, D; lia).
      intros u v U V. rewrite U in V. injection V as ->. rewrite U. reflexivity.
    + intros i _. unfold p_square, p_mul, p_sub, p_rnd. cbn [p_v]. apply Rabs_pos_eq, Rle_0_sqr.
  - now apply p_number_stands.
Qed.
(* 2/n, g and a - t in any association *)
Theorem mse_vjp_bounds n a t g cnt two dev y : is_count n cnt ->
  of2 (divs e_min prec ar 1) (Some 2) cnt two -> dev = fl e_min prec ar (a - t) ->
  of3 (muls3 e_min prec ar) two (Some g) dev y ->
  stands (p_mse_vjp ar a t g (INR n)) (2 / INR n * g * (a - t)) y.
Proof.
  intros K W D Y. apply (p_mul3_stands e_min prec ar declared _ _ _ _ _ _ two (Some g) dev); auto.
  - apply (p_quo_stands e_min prec ar declared _ _ _ _ (Some 2) cnt); auto using exact_stands.
    + lra.
    + exact (few_1 e_min prec ar declared).
    + now apply p_number_stands.
  - apply exact_stands.
  - now apply difference_stands.
Qed.
(* both gradients, that of t with a and t exchanged *)
Theorem mse_gradients n (x : nat -> nat -> R) dy j : let a := x 0%nat j in let t := x 1%nat j in
  mse_vjp n x dy 0 j = 2 / INR n * dy 0%nat * (a - t) /\
  mse_vjp n x dy 1 j = 2 / INR n * dy 0%nat * (t - a).
Proof. intros a t. unfold a, t, mse_vjp. split; ring. Qed.

(* ---------------------------------------------------------------- cross entropy *)

(* what a program computes of a row: exponentials, their sum *)
Definition row_exps n (x : nat -> R) (c : nat -> flnum) (total : flnum) : Prop :=
  (forall i, (i < n)%nat -> shifted_exp_of e_min prec ar (x i - row_max (pred n) x) (c i)) /\
  (forall i, (i < n)%nat -> a_number e_min prec (c i)) /\
  added_up e_min prec ar (a_h ar) (seq 0 n) c total.
(* its loss: log of the sum, less x t - m *)
Definition row_loss_of n (x : nat -> R) (t : nat) (y : flnum) : Prop := exists c total lg off,
  row_exps n x c total /\ of1 (fun s => in_ulps e_min prec ar (k_log ar) (ln s)) total lg /\
  off = fl e_min prec ar (x t - row_max (pred n) x) /\ of2 (subs e_min prec ar) lg off y /\
  a_number e_min prec y.

Hypothesis suits : exp_suits ar.
Hypothesis few_log : few ar (2 * k_log ar + 1).

Lemma row_loss_stands n x t y : (0 < n)%nat -> row_loss_of n x t y ->
  stands (row_loss_pair ar n x t) (cross_entropy n t x 0) y.
Proof.
  intros N [c [total [lg [off [[E [F A]] [L [O [Y _]]]]]]]]. unfold cross_entropy.
  rewrite <- (log_softmax_stable_eq n (row_max (pred n) x) x t N).
  replace (- (x t - row_max (pred n) x - ln (bsum n (fun k => exp (x k - row_max (pred n) x)))))
    with (ln (bsum n (fun k => exp (x k - row_max (pred n) x))) - (x t - row_max (pred n) x))
    by ring.
  apply (p_sub_stands e_min prec ar declared _ _ _ _ lg off); auto.
  - apply (row_log_stands e_min prec ar declared n every x (row_max (pred n) x) c total); auto.
    now apply all_added_up.
  - now apply difference_stands.
Qed.
(* the row's largest element makes the sum 1 or more, so that nothing cancels *)
Lemma row_loss_positive n x t : (t < n)%nat -> 0 <= p_v (row_loss_pair ar n x t).
Proof.
  intro T. unfold row_loss_pair, p_row_loss, p_sub, p_rnd. cbn [p_v].
  set (m := row_max (pred n) x). assert (M : x t <= m) by (apply row_max_ge; lia).
  assert (V : 1 <= exp_value ar n every x m).
  { destruct (row_max_is (pred n) x) as [i [I Q]]. fold m in Q. unfold exp_value.
    rewrite <- sum_over_all.
    assert (W := sum_over_term (seq 0 n)
      (fun i => if_ (every i) (p_v (p_shifted_exp ar (x i - m)))) i).
    cbv beta in W. eapply Rle_trans; [| apply W ].
    - rewrite Q. unfold Rminus. rewrite Rplus_opp_r. unfold if_, every, p_shifted_exp.
      destruct (Req_EM_T 0 0); [ cbn; lra | easy ].
    - intros j _. apply (p_shifted_exp_positive ar).
    - apply in_seq. lia. }
  unfold p_log. cbn [p_v p_sum].
  assert (0 <= ln (exp_value ar n every x m)).
  { rewrite <- ln_1. apply ln_rises; lra. }
  destruct (Rlt_dec _ vacuous); [| cbn; lra ]. destruct (Rlt_dec 0 _); cbn; lra.
Qed.
(* the mean over the rows, row r of class c r *)
Theorem cross_entropy_bounds nr n (c : nat -> nat) (x : nat -> R) (loss : nat -> flnum) s cnt y :
  (forall r, (r < nr)%nat -> (c r < n)%nat) ->
  (forall r, (r < nr)%nat -> row_loss_of n (fun k => x (r * n + k)%nat) (c r) (loss r)) ->
  added_up e_min prec ar (a_h2 ar) (seq 0 nr) loss s -> is_count nr cnt ->
  of2 (divs e_min prec ar 2) s cnt y ->
  let p := fun r => row_loss_pair ar n (fun k => x (r * n + k)%nat) (c r) in
  stands
    (p_mean ar (bsum nr (fun r => p_v (p r))) (bsum nr (fun r => p_e (p r))) (a_h2 ar) (INR nr))
    (mean_cross_entropy nr n c x 0) y.
Proof.
  intros C L S K Y p. unfold mean_cross_entropy.
  apply (p_mean_stands (a_h2 ar) nr p _ loss s cnt); auto.
  - intros r R. apply row_loss_positive. auto.
  - intros r R. split.
    + apply row_loss_stands; auto. specialize (C r R). lia.
    + destruct (L r R) as [? [? [? [? [_ [_ [_ [_ F]]]]]]]]. exact F.
Qed.

(* element c of the row's gradient: its softmax, less 1 at the class, times g and 1/rows in any
   association *)
Definition row_gradient_of n (x : nat -> R) (t nr : nat) g (c : nat) (y : flnum) : Prop :=
  exists e total q p cnt each, row_exps n x e total /\ of2 (divs e_min prec ar 2) (e c) total q /\
    (if Nat.eqb c t then of2 (subs e_min prec ar) q (Some 1) p else p = q) /\
    is_count nr cnt /\ of2 (divs e_min prec ar 1) (Some 1) cnt each /\
    of3 (muls3 e_min prec ar) p (Some g) each y.
Theorem cross_entropy_vjp_bounds nr n (cl : nat -> nat) (x dy : nat -> R) r c y : (r < nr)%nat ->
  (c < n)%nat ->
  row_gradient_of n (fun k => x (r * n + k)%nat) (cl r) nr (dy 0%nat) c y ->
  stands (row_gradient_pair ar n (fun k => x (r * n + k)%nat) (cl r) (dy 0%nat) (INR nr) c)
    (mean_cross_entropy_vjp nr n cl x dy (r * n + c)) y.
Proof.
  intros R C [e [total [q [p [cnt [each [[E [F A]] [Q [P [K [W Y]]]]]]]]]]].
  unfold mean_cross_entropy_vjp. rewrite (dm_div r n c C), (dm_mod r n c C).
  set (xr := fun k => x (r * n + k)%nat) in *.
  replace (dy 0%nat / INR nr * (softmax n xr c - (if Nat.eqb c (cl r) then 1 else 0)))
    with ((softmax n xr c - (if Nat.eqb c (cl r) then 1 else 0)) * dy 0%nat * (1 / INR nr))
    by (unfold Rdiv; ring).
  assert (T := softmax_bounds e_min prec ar declared n xr (row_max (pred n) xr) e total suits E F A
    c q C Q).
  unfold row_gradient_pair, p_row_gradient. cbv zeta.
  apply (p_mul3_stands e_min prec ar declared _ _ _ _ _ _ p (Some (dy 0%nat)) each); auto.
  - destruct (Nat.eqb c (cl r)); cbn [Z.eq_dec].
    + destruct (Z.eq_dec 1 0); [ easy |].
      apply (p_sub_stands e_min prec ar declared _ _ _ _ q (Some 1)); auto using exact_stands.
    + destruct (Z.eq_dec 0 0); [| easy ]. subst. now rewrite Rminus_0_r.
  - apply exact_stands.
  - apply (p_quo_stands e_min prec ar declared _ _ _ _ (Some 1) cnt); auto using exact_stands.
    + lra.
    + exact (few_1 e_min prec ar declared).
    + now apply p_number_stands.
Qed.
(* for g = 1 a product with g is none *)
Theorem product_with_1 p each y :
  (forall z, p = Some z -> in_format e_min prec z /\ Rabs z <= a_big ar) ->
  of2 (muls e_min prec ar) p each y -> of3 (muls3 e_min prec ar) p (Some 1) each y.
Proof.
  intros P M a b c A B C. injection B as <-. left. intros s S. destruct (P a A) as [F L].
  rewrite Rmult_1_r in S. unfold fl in S. rewrite (rnd_exact e_min prec a F) in S.
  destruct (Rle_dec (Rabs a) (a_big ar)); [| easy ]. injection S as <-. now apply M.
Qed.
End LossNodes.
