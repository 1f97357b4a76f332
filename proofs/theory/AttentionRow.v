(* The bounds of ref/attention.h are bounds, of one query: scores that are off, their maximum, exp of what is shifted by
   it, the sum over the open keys, each key's weight, and the sum of the values times these. *)
Require Import Reals Lra Psatz List ZArith Lia.
From Theory Require Import Sums Softmax Round Nodes NodesOfFunctions FloatSum SumNodes NormNodes PairSums.
Import ListNotations.
Open Scope R_scope.

(* ---------------------------------------------------------------- the nodes, as in ref/ *)
Definition p_key_exp ar s peak peak_off : err_pair :=
  p_exp ar (ErrPair (p_v s - peak)
    (p_e s + peak_off + a_alpha ar * (a_u ar * (Rabs (p_v s - peak) + p_e s + peak_off) + a_eta ar))).
Definition e_key_term ar v e n h : R :=
  p_range ar (n * (Rabs v + e + p_gam (a_u ar) h * (Rabs v + e))) (e + p_gam (a_u ar) h * (Rabs v + e)).
Definition e_key_part ar w x n h : R :=
  p_range ar (2 * n * p_mag x) (e_key_term ar (p_v (p_mul ar w x)) (p_e (p_mul ar w x)) n h).
Definition p_key_weight ar s peak peak_off value error : err_pair :=
  p_quo ar (p_key_exp ar s peak peak_off) (p_sum ar value value error (a_h ar)) 2.
Definition p_lse ar h peak peak_off value error : err_pair :=
  p_add ar (ErrPair peak peak_off) (p_log ar (p_sum ar value value error h)).

(* ---------------------------------------------------------------- the maximum *)
(* The largest of row_numbers that are off by peak_off at most is off by no more. *)
Theorem largest_moves (o : nat -> Prop) (s x : nat -> R) peak peak_seen peak_off i k : o i -> o k ->
  s i = peak -> (forall j, o j -> s j <= peak) -> x k = peak_seen -> (forall j, o j -> x j <= peak_seen) ->
  (forall j, o j -> Rabs (x j - s j) <= peak_off) -> Rabs (peak_seen - peak) <= peak_off.
Proof.
  intros Oi Ok Si Ms Xk Mx D. assert (A := D i Oi). assert (B := D k Ok).
  assert (C := Mx i Oi). assert (E := Ms k Ok).
  unfold Rabs in *. destruct (Rcase_abs _); destruct (Rcase_abs _); destruct (Rcase_abs _); lra.
Qed.

Section AttentionRow.
Variables (e_min prec : Z) (ar : arithmetic).
Hypothesis declared : declares e_min prec ar.
Let gamma_above := p_gam_pos e_min prec ar declared.

(* what a kernel makes of exp(x - peak_seen): of an argument off by no more than the declared weight of a rounding *)
Definition key_exp_of (x peak_seen : R) (c : flnum) : Prop :=
  exists z, Rabs (z - (x - peak_seen)) <= a_alpha ar * (a_u ar * Rabs (x - peak_seen) + a_eta ar) /\
    in_ulps e_min prec ar (k_exp ar) (exp z) c.
Lemma key_exp_stands s r sc peak peak_off peak_seen c : few ar (2 * k_exp ar + 1) -> 0 <= a_alpha ar -> stands s r sc ->
  Rabs (peak_seen - peak) <= peak_off -> of1 (fun x => key_exp_of x peak_seen) sc c ->
  stands (p_key_exp ar s peak peak_off) (exp (r - peak)) c.
Proof.
  intros F A S M C. unfold p_key_exp.
  set (E := p_e s + peak_off + a_alpha ar * (a_u ar * (Rabs (p_v s - peak) + p_e s + peak_off) + a_eta ar)).
  assert (U := u_pos e_min prec ar declared). assert (Eta := a_eta_pos e_min prec ar declared).
  assert (M0 : 0 <= peak_off) by (eapply Rle_trans; [ apply Rabs_pos | exact M ]).
  assert (S0 := stands_pos s r sc S). assert (P0 := Rabs_pos (p_v s - peak)).
  assert (W0 : 0 <= a_u ar * (Rabs (p_v s - peak) + p_e s + peak_off)) by (apply Rmult_le_pos; lra).
  assert (W1 : 0 <= a_alpha ar * (a_u ar * (Rabs (p_v s - peak) + p_e s + peak_off) + a_eta ar))
    by (apply Rmult_le_pos; lra).
  destruct (Rlt_dec E vacuous) as [L|L].
  2:{ unfold p_exp. cbn [p_e]. destruct (Rlt_dec E vacuous); [ easy | apply vacuous_stands ]. }
  destruct (S ltac:(unfold E in L; lra)) as [V [x [-> X]]]. destruct (C x eq_refl) as [z [Z Y]].
  apply (p_exp_stands e_min prec ar declared _ (r - peak) (Some z)); [ exact F | |
    intros t T; injection T as <-; exact Y ].
  intros _. cbn [p_v p_e]. rewrite V. split; [ easy |]. exists z. split; [ easy |].
  assert (T : Rabs ((x - r) - (peak_seen - peak)) <= Rabs (x - r) + Rabs (peak_seen - peak)).
  { unfold Rminus at 1. eapply Rle_trans; [ apply Rabs_triang | rewrite Rabs_Ropp; lra ]. }
  assert (D : Rabs (x - peak_seen) <= Rabs (p_v s - peak) + p_e s + peak_off).
  { rewrite V. replace (x - peak_seen) with ((r - peak) + ((x - r) - (peak_seen - peak))) by ring.
    eapply Rle_trans; [ apply Rabs_triang | lra ]. }
  assert (D2 : a_alpha ar * (a_u ar * Rabs (x - peak_seen) + a_eta ar) <=
    a_alpha ar * (a_u ar * (Rabs (p_v s - peak) + p_e s + peak_off) + a_eta ar)).
  { apply Rmult_le_compat_l; [ easy |]. apply Rplus_le_compat_r, Rmult_le_compat_l; lra. }
  replace (z - (r - peak)) with ((z - (x - peak_seen)) + ((x - r) - (peak_seen - peak))) by ring.
  eapply Rle_trans; [ apply Rabs_triang | unfold E; lra ].
Qed.
Lemma key_exp_positive s peak peak_off : 0 <= p_v (p_key_exp ar s peak peak_off).
Proof.
  unfold p_key_exp, p_exp. cbn [p_v p_e]. generalize (exp_pos (p_v s - peak)).
  destruct (Rlt_dec _ vacuous); cbn; lra.
Qed.

(* ---------------------------------------------------------------- a sum's bound, term by term *)
Lemma sum_over_most l f b : (forall i, In i l -> f i <= b) -> sum_over l f <= INR (length l) * b.
Proof.
  induction l as [|i l IH]; intro H; [ simpl; lra |]. cbn [sum_over length]. rewrite S_INR.
  generalize (H i (or_introl eq_refl)) (IH (fun j J => H j (or_intror J))). lra.
Qed.
Lemma sum_over_plus l f g : sum_over l (fun i => f i + g i) = sum_over l f + sum_over l g.
Proof. induction l; simpl; [ ring | rewrite IHl; ring ]. Qed.
Lemma sum_over_scaled l c f : sum_over l (fun i => c * f i) = c * sum_over l f.
Proof. induction l; simpl; [ ring | rewrite IHl; ring ]. Qed.
Lemma key_term_pos v e n h : 0 <= e -> 0 <= e_key_term ar v e n h.
Proof.
  intro P. apply range_pos. assert (G := gamma_above h). generalize (Rabs_pos v). intros.
  assert (0 <= p_gam (a_u ar) h * (Rabs v + e)) by (apply Rmult_le_pos; lra). lra.
Qed.
Lemma terms_are_sum l (p : nat -> err_pair) n h : (forall i, In i l -> 0 <= p_e (p i)) -> INR (length l) <= n ->
  let terms := sum_over l (fun i => e_key_term ar (p_v (p i)) (p_e (p i)) n h) in
  terms < vacuous ->
  p_e (p_sum ar (sum_over l (fun i => p_v (p i))) (sum_over l (fun i => Rabs (p_v (p i))))
    (sum_over l (fun i => p_e (p i))) h) = terms.
Proof.
  intros P N terms L. assert (G := gamma_above h).
  set (own := fun i => p_e (p i) + p_gam (a_u ar) h * (Rabs (p_v (p i)) + p_e (p i))).
  assert (T : forall i, In i l -> e_key_term ar (p_v (p i)) (p_e (p i)) n h = own i /\
    n * (Rabs (p_v (p i)) + own i) <= a_big ar).
  { intros i I. assert (B := sum_over_term l (fun i => e_key_term ar (p_v (p i)) (p_e (p i)) n h) i
      (fun j J => key_term_pos _ _ n h (P j J)) I). cbv beta in B. fold terms in B.
    unfold e_key_term in *. destruct (range_below _ _ _ (Rle_lt_trans _ _ _ B L)) as [-> [R _]].
    split; [ easy |]. unfold own. assert (0 <= p_gam (a_u ar) h * (Rabs (p_v (p i)) + p_e (p i))).
    { apply Rmult_le_pos; [ easy |]. generalize (P i I) (Rabs_pos (p_v (p i))). lra. }
    generalize (P i I). lra. }
  assert (E : terms = sum_over l own) by (apply sum_over_ext; intros i I; apply T; easy).
  assert (O : forall i, In i l -> 0 <= own i).
  { intros i I. unfold own. generalize (P i I) (Rabs_pos (p_v (p i))). intros.
    assert (0 <= p_gam (a_u ar) h * (Rabs (p_v (p i)) + p_e (p i))) by (apply Rmult_le_pos; lra). lra. }
  assert (S : sum_over l own = sum_over l (fun i => p_e (p i)) + p_gam (a_u ar) h *
    (sum_over l (fun i => Rabs (p_v (p i))) + sum_over l (fun i => p_e (p i)))).
  { unfold own. now rewrite sum_over_plus, sum_over_scaled, sum_over_plus. }
  assert (B : sum_over l (fun i => Rabs (p_v (p i)) + own i) <= a_big ar).
  { assert (Some_or_none : l = [] \/ exists i0, In i0 l)
      by (destruct l as [|i0 r]; [ auto | right; exists i0; simpl; auto ]).
    destruct Some_or_none as [Z0|[i0 I0]].
    - rewrite Z0. simpl. generalize (proj2 (proj2 (proj2 (proj2 (proj2 declared))))). lra.
    - assert (N0 : 0 < n).
      { assert (0 < INR (length l)) by (apply lt_0_INR; destruct l; [ destruct I0 | simpl; lia ]). lra. }
      eapply Rle_trans; [ apply (sum_over_most l _ (a_big ar / n)) |].
      + intros i I. destruct (T i I) as [_ R]. apply (Rmult_le_reg_l n); [ easy |]. field_simplify; lra.
      + assert (Q : 0 <= a_big ar / n).
        { apply Rmult_le_pos; [| now apply Rlt_le, Rinv_0_lt_compat ].
          destruct (T i0 I0) as [_ R].
          eapply Rle_trans; [| exact R ]. apply Rmult_le_pos; [ lra |].
          generalize (O i0 I0) (Rabs_pos (p_v (p i0))). lra. }
        replace (a_big ar) with (n * (a_big ar / n)) at 2 by (field; lra).
        now apply Rmult_le_compat_r. }
  rewrite sum_over_plus in B. rewrite E in *. rewrite S in *. unfold p_sum. cbn [p_e]. unfold p_range.
  destruct (Rle_dec _ (a_big ar)) as [|K]; [| elim K; lra ].
  destruct (Rlt_dec _ vacuous) as [|K]; [ easy | elim K; lra ].
Qed.

Lemma chosen_few (o : nat -> bool) n : INR (length (chosen o n)) <= INR n.
Proof.
  apply le_INR. unfold chosen. rewrite <- (seq_length n 0) at 2.
  induction (seq 0 n) as [|i l IH]; simpl; [ lia | destruct (o i); simpl; lia ].
Qed.

(* numbers that stand for pairs, summed; the bound in one number, of which each term has its part *)
Lemma key_parts_stand n most (o : nat -> bool) (p : nat -> err_pair) (r size : nat -> R) c h y : INR n <= most ->
  (forall i, (i < n)%nat -> o i = true -> in_stands e_min prec (p i) (r i) (c i)) ->
  added_up e_min prec ar h (chosen o n) c y ->
  stands (ErrPair (bsum n (fun i => if_ (o i) (r i)))
    (bsum n (fun i => if_ (o i) (p_range ar (size i) (e_key_term ar (p_v (p i)) (p_e (p i)) most h)))))
    (bsum n (fun i => if_ (o i) (r i))) y.
Proof.
  intros Most C A L. cbn [p_v p_e] in *. split; [ easy |].
  assert (K : forall i, In i (chosen o n) -> in_stands e_min prec (p i) (r i) (c i)).
  { intros i I. unfold chosen in I. apply filter_In in I. destruct I as [I O]. apply in_seq in I.
    apply C; [ lia | easy ]. }
  assert (P : forall i, In i (chosen o n) -> 0 <= p_e (p i)) by (intros i I; exact (stands_pos _ _ _ (proj1 (K i I)))).
  set (term_of := fun i => e_key_term ar (p_v (p i)) (p_e (p i)) most h) in *.
  assert (T0 : forall i, In i (chosen o n) -> 0 <= term_of i) by (intros i I; apply key_term_pos, P, I).
  set (part := fun i => p_range ar (size i) (term_of i)).
  assert (Q : forall i, In i (chosen o n) -> 0 <= part i) by (intros i I; apply range_pos, T0, I).
  assert (E0 : sum_over (chosen o n) part = bsum n (fun i => if_ (o i) (part i))) by apply sum_over_chosen.
  assert (E : sum_over (chosen o n) part = sum_over (chosen o n) term_of).
  { apply sum_over_ext. intros i I. assert (B := sum_over_term (chosen o n) part i Q I). rewrite E0 in B.
    assert (V := Rle_lt_trans _ _ _ B L). unfold part in *. now destruct (range_below _ _ _ V) as [-> _]. }
  assert (L2 : sum_over (chosen o n) term_of < vacuous) by (rewrite <- E, E0; exact L).
  assert (S := pairs_summed e_min prec ar declared h (chosen o n) p r c y K A).
  unfold stands in S. rewrite (terms_are_sum (chosen o n) p most h P (Rle_trans _ _ _ (chosen_few o n) Most) L2) in S.
  destruct (S L2) as [_ [z [-> Z]]]. exists z. split; [ easy |].
  rewrite <- sum_over_chosen. apply (Rle_trans _ _ _ Z), Req_le. fold term_of. rewrite <- E, E0. reflexivity.
Qed.

(* ---------------------------------------------------------------- a row *)
Section Row.
Variables (n : nat) (o : nat -> bool) (s : nat -> R) (ps : nat -> err_pair) (sc : nat -> flnum)
  (peak peak_off peak_seen : R) (c : nat -> flnum).
Hypothesis row_few_exp : few ar (2 * k_exp ar + 1).
Hypothesis row_some_weight : 0 <= a_alpha ar.
(* row_scores, and the largest of those that are open (largest_moves) *)
Hypothesis row_scores : forall i, (i < n)%nat -> o i = true -> stands (ps i) (s i) (sc i).
Hypothesis row_top : Rabs (peak_seen - peak) <= peak_off.
Hypothesis query_exps : forall i, (i < n)%nat -> o i = true -> of1 (fun x => key_exp_of x peak_seen) (sc i) (c i).
Hypothesis row_numbers : forall i, (i < n)%nat -> o i = true -> a_number e_min prec (c i).
Let query_value : R := bsum n (fun i => if_ (o i) (p_v (p_key_exp ar (ps i) peak peak_off))).
Let query_error : R := bsum n (fun i => if_ (o i) (p_e (p_key_exp ar (ps i) peak peak_off))).
Let query_mass : R := bsum n (fun i => if_ (o i) (exp (s i - peak))).

Lemma key_exp_in_row i : (i < n)%nat -> o i = true ->
  stands (p_key_exp ar (ps i) peak peak_off) (exp (s i - peak)) (c i).
Proof.
  intros I O. apply (key_exp_stands (ps i) (s i) (sc i) peak peak_off peak_seen); auto.
Qed.
Lemma mass_stands h exps_sum : added_up e_min prec ar h (chosen o n) c exps_sum ->
  stands (p_sum ar query_value query_value query_error h) query_mass exps_sum.
Proof.
  intro A. unfold query_value, query_error, query_mass. rewrite <- !sum_over_chosen.
  apply (positive_pairs_summed e_min prec ar declared h (chosen o n) (fun i => p_key_exp ar (ps i) peak peak_off)
    (fun i => exp (s i - peak)) c); auto.
  - intros i _. apply key_exp_positive.
  - intros i I. unfold chosen in I. apply filter_In in I. destruct I as [I O]. apply in_seq in I.
    split; [ apply key_exp_in_row | apply row_numbers ]; auto; lia.
Qed.

(* the logarithm of the row's query_mass *)
Theorem attention_lse_bounds h exps_sum lg y : few ar (2 * k_log ar + 1) ->
  added_up e_min prec ar h (chosen o n) c exps_sum ->
  of1 (fun t => in_ulps e_min prec ar (k_log ar) (ln t)) exps_sum lg ->
  of2 (adds e_min prec ar) (Some peak_seen) lg y ->
  stands (p_lse ar h peak peak_off query_value query_error) (peak + ln query_mass) y.
Proof.
  intros F A L Y. unfold p_lse. apply (p_add_stands e_min prec ar declared _ _ _ _ (Some peak_seen) lg); auto.
  - intros _. cbn [p_v p_e]. split; [ easy |]. now exists peak_seen.
  - apply (p_log_stands e_min prec ar declared _ _ exps_sum); auto. now apply mass_stands.
Qed.

(* each open key's weight, its product with a value, and the sum of these *)
Variables (v : nat -> R) (pv : nat -> err_pair) (vc w weighted : nat -> flnum) (exps_sum y : flnum).
Hypothesis row_columns : forall i, (i < n)%nat -> o i = true -> stands (pv i) (v i) (vc i).
Hypothesis row_summed_up : added_up e_min prec ar (a_h ar) (chosen o n) c exps_sum.
Hypothesis row_weights : forall i, (i < n)%nat -> o i = true -> of2 (divs e_min prec ar 2) (c i) exps_sum (w i).
Hypothesis row_products : forall i, (i < n)%nat -> o i = true -> of2 (muls e_min prec ar) (w i) (vc i) (weighted i).
Hypothesis row_parts : forall i, (i < n)%nat -> o i = true -> a_number e_min prec (weighted i).
Hypothesis row_attended_up : added_up e_min prec ar (a_h ar) (chosen o n) weighted y.
Let query_attended : R := bsum n (fun i => if_ (o i) (exp (s i - peak) / query_mass * v i)).

Lemma key_weight_stands i : (i < n)%nat -> o i = true ->
  stands (p_key_weight ar (ps i) peak peak_off query_value query_error) (exp (s i - peak) / query_mass) (w i).
Proof.
  intros I O. unfold p_key_weight. apply (p_quo_stands e_min prec ar declared _ _ _ _ (c i) exps_sum 2 (w i)); auto.
  - lra.
  - exact (few_2 e_min prec ar declared).
  - now apply key_exp_in_row.
  - now apply mass_stands.
Qed.
Theorem attention_row_bounds :
  stands (ErrPair query_attended (bsum n (fun i => if_ (o i)
    (e_key_part ar (p_key_weight ar (ps i) peak peak_off query_value query_error) (pv i) (INR n)
      (a_h ar))))) query_attended y.
Proof.
  unfold query_attended, e_key_part. apply (key_parts_stand n (INR n) o (fun i => p_mul ar
    (p_key_weight ar (ps i) peak peak_off query_value query_error) (pv i))
    (fun i => exp (s i - peak) / query_mass * v i)
    (fun i => 2 * INR n * p_mag (pv i)) weighted (a_h ar) y); [ apply Rle_refl | | exact row_attended_up ].
  intros i I O. split; [| now apply row_parts ].
  apply (p_mul_stands e_min prec ar declared _ _ _ _ (w i) (vc i)); auto. now apply key_weight_stands.
Qed.
End Row.

(* ---------------------------------------------------------------- the gradient *)
(* a probability from the saved logarithm, which perhaps is turned into base 2 *)
Definition p_prob s lse : err_pair := p_key_exp ar s lse (p_e (p_rnd ar lse 0 3)).
Theorem prob_stands s r sc lse seen c : few ar (2 * k_exp ar + 1) -> 0 <= a_alpha ar -> stands s r sc ->
  Rabs (seen - lse) <= p_e (p_rnd ar lse 0 3) -> of1 (fun x => key_exp_of x seen) sc c ->
  stands (p_prob s lse) (exp (r - lse)) c.
Proof. intros F A S M C. exact (key_exp_stands s r sc lse _ seen c F A S M C). Qed.
(* the cotangent of a score, without the scale: a probability times the difference of two dot products *)
Theorem score_pull_stands p a b r u v cp ca cb d c : stands p r cp -> stands a u ca -> stands b v cb ->
  of2 (subs e_min prec ar) ca cb d -> of2 (muls e_min prec ar) cp d c ->
  stands (p_mul ar p (p_sub ar a b)) (r * (u - v)) c.
Proof.
  intros P A B D C. apply (p_mul_stands e_min prec ar declared _ _ _ _ cp d); auto.
  now apply (p_sub_stands e_min prec ar declared _ _ _ _ ca cb).
Qed.
(* dq, of all keys, or dk, of all queries that read a key: the open ones' sum of scale times cotangent times x *)
Theorem pulled_row_bounds n most (o : nat -> bool) scale sn (pw : nat -> err_pair) (w x : nat -> R)
  (wc c : nat -> flnum) h y :
  INR n <= most -> stands (p_rnd ar scale 0 2) scale sn ->
  (forall i, (i < n)%nat -> o i = true -> stands (pw i) (w i) (wc i)) ->
  (forall i, (i < n)%nat -> o i = true -> of3 (muls3 e_min prec ar) sn (wc i) (Some (x i)) (c i)) ->
  (forall i, (i < n)%nat -> o i = true -> a_number e_min prec (c i)) ->
  added_up e_min prec ar h (chosen o n) c y ->
  let p := fun i => p_mul3 ar (p_rnd ar scale 0 2) (pw i) (ErrPair (x i) 0) in
  stands (ErrPair (bsum n (fun i => if_ (o i) (scale * w i * x i)))
    (bsum n (fun i => if_ (o i) (p_range ar (2 * most * Rabs (x i))
      (e_key_term ar (p_v (p i)) (p_e (p i)) most h)))))
    (bsum n (fun i => if_ (o i) (scale * w i * x i))) y.
Proof.
  intros Most S W C N A p. apply (key_parts_stand n most o p (fun i => scale * w i * x i)
    (fun i => 2 * most * Rabs (x i)) c h y); [ exact Most | | exact A ].
  intros i I O. split; [| now apply N ].
  apply (p_mul3_stands e_min prec ar declared _ _ _ _ _ _ sn (wc i) (Some (x i)));
    [ exact S | now apply W | apply exact_stands | now apply C ].
Qed.
(* dv: probabilities times g, which may be off *)
Theorem pulled_values_bounds n (o : nat -> bool) (pw pg : nat -> err_pair) (w g : nat -> R)
  (wc gc c : nat -> flnum) h y :
  (forall i, (i < n)%nat -> o i = true -> stands (pw i) (w i) (wc i)) ->
  (forall i, (i < n)%nat -> o i = true -> stands (pg i) (g i) (gc i)) ->
  (forall i, (i < n)%nat -> o i = true -> of2 (muls e_min prec ar) (wc i) (gc i) (c i)) ->
  (forall i, (i < n)%nat -> o i = true -> a_number e_min prec (c i)) ->
  added_up e_min prec ar h (chosen o n) c y ->
  stands (ErrPair (bsum n (fun i => if_ (o i) (w i * g i)))
    (bsum n (fun i => if_ (o i) (e_key_part ar (pw i) (pg i) (INR n) h))))
    (bsum n (fun i => if_ (o i) (w i * g i))) y.
Proof.
  intros W G C N A. unfold e_key_part. apply (key_parts_stand n (INR n) o (fun i => p_mul ar (pw i) (pg i))
    (fun i => w i * g i) (fun i => 2 * INR n * p_mag (pg i)) c h y); [ apply Rle_refl | | exact A ].
  intros i I O. split; [| now apply N ].
  apply (p_mul_stands e_min prec ar declared _ _ _ _ (wc i) (gc i)); auto.
Qed.
End AttentionRow.
