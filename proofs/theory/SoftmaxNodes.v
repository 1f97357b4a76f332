(* The bounds of ref/softmax.h are bounds, of a row: its maximum, by comparisons; exp of what is
   shifted by it; their sum, in a tree within the declared height; the quotient, or the difference
   with the logarithm. Under a mask the sum is over the open elements. *)
Require Import Reals Lra Psatz List Permutation ZArith Lia.
From Flocq Require Import Core.
From Theory Require Import Sums Max Softmax Round Nodes NodesOfFunctions FloatSum SumNodes NormNodes
  RowNodes PairSums.
Import ListNotations.
Open Scope R_scope.

(* ---------------------------------------------------------------- the nodes, as in ref/ *)
Definition p_probability ar d value error : err_pair :=
  p_quo ar (p_shifted_exp ar d) (p_sum ar value value error (a_h ar)) 2.
Definition p_log_softmax ar x m value error : err_pair :=
  p_sub ar (p_sub ar (ErrPair x 0) (ErrPair m 0)) (p_log ar (p_sum ar value value error (a_h ar))).
Definition e_log_softmax ar x m value error : R := p_e (p_log_softmax ar x m value error).
(* sums over the open i < n *)
Definition exp_value ar n (o : nat -> bool) (x : nat -> R) m : R :=
  bsum n (fun i => if_ (o i) (p_v (p_shifted_exp ar (x i - m)))).
Definition exp_error ar n (o : nat -> bool) (x : nat -> R) m : R :=
  bsum n (fun i => if_ (o i) (p_e (p_shifted_exp ar (x i - m)))).
Definition every (_ : nat) : bool := true.

(* ---------------------------------------------------------------- the maximum *)
(* a tree of comparisons, as sums have trees of additions *)
Inductive peaks_at (c : nat -> flnum) : sum_tree -> flnum -> Prop :=
| peak_term i : peaks_at c (Term i) (c i)
| peak_both l r x y z : peaks_at c l x -> peaks_at c r y ->
    of2 (fun a b t => t = Some (Rmax a b)) x y z ->
    peaks_at c (Added l r) z.
Lemma peak_is_largest x t c : peaks_at (fun i => Some (x i)) t c ->
  exists i, In i (leaves t) /\ c = Some (x i) /\ forall j, In j (leaves t) -> x j <= x i.
Proof.
  intro H. remember (fun i => Some (x i)) as k eqn:K. induction H; subst.
  - exists i. simpl. repeat split; auto. intros j [->|[]]. lra.
  - destruct IHpeaks_at1 as [i [I [-> P]]]; auto. destruct IHpeaks_at2 as [j [J [-> Q]]]; auto.
    rewrite (H1 _ _ eq_refl eq_refl). cbn [leaves]. unfold Rmax.
    destruct (Rle_dec (x i) (x j)); [ exists j | exists i ];
      (split; [ apply in_or_app; auto | split; [ easy |] ]); intros k K;
      apply in_app_or in K; destruct K as [K|K];
      try (specialize (P k K)); try (specialize (Q k K)); lra.
Qed.
Theorem maximum_exact n x t c : peaks_at (fun i => Some (x i)) t c ->
  Permutation (leaves t) (seq 0 (S n)) -> c = Some (row_max n x).
Proof.
  intros H P. destruct (peak_is_largest x t c H) as [i [I [-> Q]]]. f_equal.
  assert (A : forall j, In j (leaves t) <-> (j <= n)%nat).
  { intro j. split; intro J.
    - apply (Permutation_in j P), in_seq in J. lia.
    - apply (Permutation_in j (Permutation_sym P)), in_seq. lia. }
  symmetry. apply row_max_unique; [ now apply A |]. intros j J. now apply Q, A.
Qed.

Section SoftmaxNodes.
Variables (e_min prec : Z) (ar : arithmetic).
Hypothesis declared : declares e_min prec ar.

(* what the bound of exp takes for granted of an arithmetic *)
Definition exp_suits : Prop := few ar (2 * k_exp ar + 1) /\ 0 <= k_exp ar /\ 0 <= a_alpha ar /\
  a_alpha ar * a_u ar <= / 4 /\ a_alpha ar * a_eta ar <= 1 /\
  (1 + p_gam (a_u ar) (2 * k_exp ar + 1)) * exp (-1000) <= a_eta ar /\
  1 + (2 * k_exp ar + 2) * a_eta ar <= a_big ar.
(* what a kernel makes of exp d: exactly 1 of 0, else exp of an argument that is off by no more than
   the declared weight of a rounding *)
Definition shifted_exp_of (d : R) (c : flnum) : Prop :=
  if Req_EM_T d 0 then c = Some 1
  else exists z, Rabs (z - d) <= a_alpha ar * (a_u ar * Rabs d + a_eta ar) /\
    in_ulps e_min prec ar (k_exp ar) (exp z) c.

(* exp(x - m), the difference rounded once; where it overflows, exp gives 0 *)
Theorem shifted_exp_plain x m c : 1 <= a_alpha ar -> 0 <= k_exp ar -> x <= m ->
  2000 <= a_big ar -> exp (-1000) <= eta_of e_min -> (x = m -> c = Some 1) ->
  of1 (fun z => in_ulps e_min prec ar (k_exp ar) (exp z)) (fl e_min prec ar (x - m)) c ->
  (fl e_min prec ar (x - m) = None -> c = Some 0) -> shifted_exp_of (x - m) c.
Proof.
  intros A K XM B T One C Z. unfold shifted_exp_of. destruct (Req_EM_T (x - m) 0) as [D|D].
  - apply One. lra.
  - generalize (u_pos e_min prec ar declared) (a_eta_pos e_min prec ar declared)
      (Rabs_pos (x - m)); intros U E P.
    assert (W : 0 <= a_u ar * Rabs (x - m)) by (apply Rmult_le_pos; lra).
    assert (W2 : a_u ar * Rabs (x - m) + a_eta ar <=
      a_alpha ar * (a_u ar * Rabs (x - m) + a_eta ar)).
    { rewrite <- Rmult_1_l at 1. apply Rmult_le_compat_r; lra. }
    unfold fl in C, Z. destruct (Rle_dec (Rabs (rnd e_min prec (x - m))) (a_big ar)) as [F|F].
    + exists (rnd e_min prec (x - m)). split; [| now apply C ].
      generalize (rnd_err_in_A e_min prec ar declared (x - m)). lra.
    + exists (x - m). split.
      { unfold Rminus at 1. rewrite Rplus_opp_r, Rabs_R0. lra. }
      intros _. exists 0. split; [ now apply Z |]. unfold within_ulps, ulp_of.
      generalize (rnd_twice e_min prec (proj1 declared) (x - m)).
      rewrite (Rabs_left1 (x - m)) by lra.
      intro R2. assert (L : exp (x - m) <= exp (-1000)) by (apply exp_rises; lra).
      assert (X := exp_pos (x - m)). rewrite Rabs_minus_sym, Rabs_pos_eq by lra.
      assert (G : ulp radix2 (FLT_exp e_min prec) (exp (x - m)) = bpow radix2 e_min).
      { apply (ulp_FLT_small radix2 e_min prec (prec_gt_0_ := proj1 declared)).
        rewrite Rabs_pos_eq by lra. eapply Rle_lt_trans; [ exact (Rle_trans _ _ _ L T) |].
        apply bpow_lt. generalize (proj1 declared). lia. }
      rewrite G.
      unfold eta_of in T. rewrite bpow_down in T. generalize (bpow_gt_0 radix2 e_min); intro G0.
      assert (/ 2 * bpow radix2 e_min <= (k_exp ar + / 2) * bpow radix2 e_min); [| lra ].
      apply Rmult_le_compat_r; lra.
Qed.
Lemma p_shifted_exp_positive d : 0 <= p_v (p_shifted_exp ar d).
Proof.
  unfold p_shifted_exp, p_exp. generalize (exp_pos d); intro P.
  destruct (Req_EM_T d 0); [ cbn; lra |]. destruct (Rlt_dec d (-2000)); [ cbn; lra |].
  destruct (Rlt_dec _ vacuous); cbn; lra.
Qed.

(* ---------------------------------------------------------------- a row *)
Section Row.
Variables (n : nat) (o : nat -> bool) (x : nat -> R) (m : R) (c : nat -> flnum) (exps_sum : flnum).
Hypothesis suits : exp_suits.
Hypothesis exps : forall i, (i < n)%nat -> o i = true -> shifted_exp_of (x i - m) (c i).
Hypothesis numbers : forall i, (i < n)%nat -> o i = true -> a_number e_min prec (c i).
Hypothesis summed_up : added_up e_min prec ar (a_h ar) (chosen o n) c exps_sum.
Let row_value : R := exp_value ar n o x m.
Let row_error : R := exp_error ar n o x m.

Lemma row_exp i : (i < n)%nat -> o i = true ->
  stands (p_shifted_exp ar (x i - m)) (exp (x i - m)) (c i).
Proof.
  intros I O. destruct suits as [S1 [S2 [S3 [S4 [S5 [S6 S7]]]]]].
  apply (p_shifted_exp_stands e_min prec ar declared); auto. now apply exps.
Qed.
Lemma row_total_stands : stands (p_sum ar row_value row_value row_error (a_h ar))
  (bsum n (fun i => if_ (o i) (exp (x i - m)))) exps_sum.
Proof.
  unfold row_value, row_error, exp_value, exp_error. rewrite <- !sum_over_chosen.
  apply (positive_pairs_summed e_min prec ar declared (a_h ar) (chosen o n)
    (fun i => p_shifted_exp ar (x i - m)) (fun i => exp (x i - m)) c); auto.
  - intros i _. apply p_shifted_exp_positive.
  - intros i I. unfold chosen in I. apply filter_In in I. destruct I as [I O]. apply in_seq in I.
    split; [ apply row_exp | apply numbers ]; auto; lia.
Qed.
Lemma row_log_stands lg : few ar (2 * k_log ar + 1) ->
  of1 (fun t => in_ulps e_min prec ar (k_log ar) (ln t)) exps_sum lg ->
  stands (p_log ar (p_sum ar row_value row_value row_error (a_h ar)))
    (ln (bsum n (fun i => if_ (o i) (exp (x i - m))))) lg.
Proof.
  intros F L. apply (p_log_stands e_min prec ar declared _ _ exps_sum); auto.
  exact row_total_stands.
Qed.
(* a quotient by the sum, or a product with its rounded inverse; a blocked element is exactly 0 *)
Theorem masked_softmax_bounds i y : (i < n)%nat ->
  (if o i then of2 (divs e_min prec ar 2) (c i) exps_sum y else y = Some 0) ->
  stands (if o i then p_probability ar (x i - m) row_value row_error else ErrPair 0 0)
    (masked_softmax n o x i) y.
Proof.
  intros I Y. rewrite <- (masked_softmax_stable_eq n o m x i I). destruct (o i) eqn:O.
  - apply (p_quo_stands e_min prec ar declared _ _ _ _ (c i) exps_sum 2 y); auto.
    + lra.
    + exact (few_2 e_min prec ar declared).
    + now apply row_exp.
    + exact row_total_stands.
  - subst. apply exact_stands.
Qed.
End Row.

(* without a mask *)
Section WholeRow.
Variables (n : nat) (x : nat -> R) (m : R) (c : nat -> flnum) (exps_sum : flnum).
Hypothesis some_n : (0 < n)%nat.
Hypothesis suits : exp_suits.
Hypothesis exps : forall i, (i < n)%nat -> shifted_exp_of (x i - m) (c i).
Hypothesis numbers : forall i, (i < n)%nat -> a_number e_min prec (c i).
Hypothesis summed_up : added_up e_min prec ar (a_h ar) (seq 0 n) c exps_sum.
Let row_value : R := exp_value ar n every x m.
Let row_error : R := exp_error ar n every x m.

Lemma all_added_up : added_up e_min prec ar (a_h ar) (chosen every n) c exps_sum.
Proof.
  assert (E : forall l, filter every l = l) by (induction l as [|i l IH]; simpl; congruence).
  unfold chosen. now rewrite E.
Qed.
Lemma whole_total_stands : stands (p_sum ar row_value row_value row_error (a_h ar))
  (bsum n (fun i => exp (x i - m))) exps_sum.
Proof. apply (row_total_stands n every x m c exps_sum); auto using all_added_up. Qed.
Theorem softmax_bounds i y : (i < n)%nat -> of2 (divs e_min prec ar 2) (c i) exps_sum y ->
  stands (p_probability ar (x i - m) row_value row_error) (softmax n x i) y.
Proof.
  intros I Y. apply (masked_softmax_bounds n every x m c exps_sum) with (i := i);
    auto using all_added_up.
Qed.
(* x - m and the logarithm apart, as the bound has it *)
Theorem log_softmax_bounds i dev lg y : few ar (2 * k_log ar + 1) ->
  dev = fl e_min prec ar (x i - m) ->
  of1 (fun t => in_ulps e_min prec ar (k_log ar) (ln t)) exps_sum lg ->
  of2 (subs e_min prec ar) dev lg y ->
  stands (p_log_softmax ar (x i) m row_value row_error) (log_softmax n x i) y.
Proof.
  intros F D L Y. rewrite <- (log_softmax_stable_eq n m x i some_n).
  apply (p_sub_stands e_min prec ar declared _ _ _ _ dev lg); auto.
  - apply (p_sub_stands e_min prec ar declared _ _ _ _ (Some (x i)) (Some m));
      try apply exact_stands.
    intros a b A B. injection A as <-. injection B as <-. exact D.
  - apply (row_log_stands n every x m c exps_sum); auto using all_added_up.
Qed.
End WholeRow.
End SoftmaxNodes.
