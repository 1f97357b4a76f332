(* The bounds of the VJPs of rows are bounds: of softmax, log_softmax and masked_softmax over the
   saved output y, of layer_norm, rms_norm and batch_norm over the saved mean and 1/deviation. What
   is saved is given to the op: numbers without an error of their own. *)
Require Import Reals Lra Psatz List ZArith Lia.
From Theory Require Import Sums Scalar Round Nodes NodesOfFunctions FloatSum SumNodes MeanSquare
  NormNodes PairSums Compose.
Import ListNotations.
Open Scope R_scope.

(* ---------------------------------------------------------------- the nodes, as in ref/ *)
(* softmax's: the larger of y (g - s) and y g - y s *)
Definition p_softmax_vjp_left ar y g dot abs n : err_pair :=
  p_mul ar (ErrPair y 0) (p_sub ar (ErrPair g 0) (p_dot ar dot abs n (a_h ar))).
Definition p_softmax_vjp_right ar y g dot abs n : err_pair :=
  p_sub ar (p_mul ar (ErrPair y 0) (ErrPair g 0))
    (p_mul ar (ErrPair y 0) (p_dot ar dot abs n (a_h ar))).
Definition e_softmax_vjp ar y g dot abs n : R :=
  Rmax (p_e (p_softmax_vjp_left ar y g dot abs n)) (p_e (p_softmax_vjp_right ar y g dot abs n)).
Definition p_log_softmax_vjp ar y g total abs : err_pair :=
  p_sub ar (ErrPair g 0) (p_mul ar (p_exp ar (ErrPair y 0)) (p_sum ar total abs 0 (a_h ar))).
Definition e_log_softmax_vjp ar y g total abs : R := p_e (p_log_softmax_vjp ar y g total abs).
(* batch_norm's, as in ref/batch_norm.h *)
Definition p_gamma_lost ar g off r a b : R :=
  a_eta ar * (4 * (1 + Rabs r + Rabs g + Rabs (p_mag a) + Rabs (off * r * p_mag b))).
Definition p_batch_dx ar g x m r gamma sum_hats sum_g (n : Z) : err_pair :=
  p_widen ar (p_mul ar (p_norm_dx ar 1 g 1 x m r (p_quo ar sum_g (p_count ar n) 2)
    (p_quo ar sum_hats (p_count ar n) 2)) (ErrPair gamma 0))
    (p_gamma_lost ar g (x - m) r (p_quo ar sum_g (p_count ar n) 2)
      (p_quo ar sum_hats (p_count ar n) 2)).

Section RowVjpNodes.
Variables (e_min prec : Z) (ar : arithmetic).
Hypothesis declared : declares e_min prec ar.

(* a dot product of rows: products rounded or fused, in a tree within the declared height *)
Definition dot_of n (a b : nat -> R) (s : flnum) : Prop :=
  adds_to e_min prec ar (a_h ar) (products ar (map (fun i => a i * b i) (seq 0 n))) s.
Lemma p_dot_row_stands n a b s : dot_of n a b s ->
  stands (p_dot ar (bsum n (fun i => a i * b i)) (bsum n (fun i => Rabs (a i * b i))) (INR n)
    (a_h ar)) (bsum n (fun i => a i * b i)) s.
Proof.
  intro S. assert (T := adds_to_stands e_min prec ar declared _ _ _ S). unfold p_dot.
  set (l := map (fun i => a i * b i) (seq 0 n)) in *.
  assert (E1 : sum_values (products ar l) = bsum n (fun i => a i * b i)).
  { unfold sum_values, products, l. rewrite map_map. now apply sum_of_list. }
  assert (E2 : sizes (products ar l) = bsum n (fun i => Rabs (a i * b i))).
  { unfold sizes, products, l. rewrite map_map. now apply sum_of_list. }
  rewrite products_errors, E1, E2 in T. unfold l in T. now rewrite map_length, seq_length in T.
Qed.
(* a sum of numbers that are given *)
Theorem given_sum_bounds H n (a : nat -> R) s :
  adds_to e_min prec ar H (map (fun i => (a i, 0)) (seq 0 n)) s ->
  stands (p_sum ar (bsum n a) (bsum n (fun i => Rabs (a i))) 0 H) (bsum n a) s.
Proof.
  intro S. assert (T := adds_to_stands e_min prec ar declared _ _ _ S).
  unfold sum_values, sizes, errors in T. rewrite !total_over, !sum_over_all in T.
  cbn [fst snd] in T. now rewrite bsum_0 in T.
Qed.

(* ---------------------------------------------------------------- softmax *)
Definition vjp_left y g := E_mul (E_exactly y) (E_sub (E_exactly g) (E_given 0)).
Definition vjp_right y g :=
  E_sub (E_mul (E_exactly y) (E_exactly g)) (E_mul (E_exactly y) (E_given 0)).
(* y (g - s), or y g - y s, fused or not *)
Definition softmax_vjp_of y g (s c : flnum) : Prop :=
  may_be e_min prec ar (fun _ => s) (vjp_left y g) c \/
  may_be e_min prec ar (fun _ => s) (vjp_right y g) c.
Theorem softmax_vjp_bounds n (y g : nat -> R) i s c : dot_of n g y s ->
  softmax_vjp_of (y i) (g i) s c ->
  let v := y i * (g i - bsum n (fun k => g k * y k)) in
  stands (ErrPair v (e_softmax_vjp ar (y i) (g i) (bsum n (fun k => g k * y k))
    (bsum n (fun k => Rabs (g k * y k))) (INR n))) v c.
Proof.
  intros S C v L. cbn [p_v p_e] in *. split; [ easy |]. assert (D := p_dot_row_stands n g y s S).
  set (d := bsum n (fun k => g k * y k)) in *. set (pd := p_dot _ _ _ _ _) in D.
  unfold e_softmax_vjp in *. set (abs := bsum n (fun k => Rabs (g k * y k))) in *.
  assert (M1 := Rmax_l (p_e (p_softmax_vjp_left ar (y i) (g i) d abs (INR n)))
    (p_e (p_softmax_vjp_right ar (y i) (g i) d abs (INR n)))).
  assert (M2 := Rmax_r (p_e (p_softmax_vjp_left ar (y i) (g i) d abs (INR n)))
    (p_e (p_softmax_vjp_right ar (y i) (g i) d abs (INR n)))).
  destruct C as [C|C]; apply (composition e_min prec ar declared (fun _ => d) (fun _ => pd) _ _ _
    (fun _ => D)) in C; destruct C as [_ [z [-> Z]]];
    try (eapply Rle_lt_trans; [| exact L ]; assumption); exists z; (split; [ easy |]);
    cbn [real_value vjp_left vjp_right] in Z; unfold v.
  - eapply Rle_trans; [ exact Z | exact M1 ].
  - replace (y i * (g i - d)) with (y i * g i - y i * d) by ring.
    eapply Rle_trans; [ exact Z | exact M2 ].
Qed.
(* where y is 0 the cotangent is 0, and g does not count: the dot product is over the others, and
   zeros may stand in these places *)
Definition live (y v : R) : R := if Req_EM_T y 0 then 0 else v.
Lemma live_product g y : live y (g * y) = g * y.
Proof. unfold live. destruct (Req_EM_T y 0) as [->|]; ring. Qed.
Theorem masked_softmax_vjp_bounds n (y g : nat -> R) i s c : dot_of n g y s ->
  (if Req_EM_T (y i) 0 then c = Some 0 else softmax_vjp_of (y i) (g i) s c) ->
  let v := live (y i) (y i * (g i - bsum n (fun k => live (y k) (g k * y k)))) in
  stands (ErrPair v (live (y i) (e_softmax_vjp ar (y i) (g i)
    (bsum n (fun k => live (y k) (g k * y k))) (bsum n (fun k => live (y k) (Rabs (g k * y k))))
    (INR n)))) v c.
Proof.
  intros S C v.
  assert (E1 : bsum n (fun k => live (y k) (g k * y k)) = bsum n (fun k => g k * y k))
    by (apply bsum_ext; intros; apply live_product).
  assert (E2 : bsum n (fun k => live (y k) (Rabs (g k * y k))) = bsum n (fun k => Rabs (g k * y
    k))).
  { apply bsum_ext. intros k _. unfold live. destruct (Req_EM_T (y k) 0) as [Z|]; [| easy ].
    now rewrite Z, Rmult_0_r, Rabs_R0. }
  unfold v. rewrite E1, E2. unfold live. destruct (Req_EM_T (y i) 0) as [Z|Z].
  - subst c. apply exact_stands.
  - now apply (softmax_vjp_bounds n y g i s c).
Qed.
(* g - exp(y) times the sum of g, fused or not *)
Definition log_vjp y g := E_sub (E_exactly g) (E_mul (E_apply F_exp (E_exactly y)) (E_given 0)).
Theorem log_softmax_vjp_bounds n (y g : nat -> R) i s c :
  adds_to e_min prec ar (a_h ar) (map (fun k => (g k, 0)) (seq 0 n)) s ->
  may_be e_min prec ar (fun _ => s) (log_vjp (y i) (g i)) c ->
  stands (p_log_softmax_vjp ar (y i) (g i) (bsum n g) (bsum n (fun k => Rabs (g k))))
    (g i - exp (y i) * bsum n g) c.
Proof.
  intros S C. exact (composition e_min prec ar declared (fun _ => bsum n g) _ _ _ _
    (fun _ => given_sum_bounds (a_h ar) n g s S) C).
Qed.

(* ---------------------------------------------------------------- norms *)
(* a + b + c in an order of additions *)
Definition three_added (a b c s : flnum) : Prop := forall u d v e w f,
  carries e_min prec u d a -> carries e_min prec v e b -> carries e_min prec w f c ->
  exists k m, summed e_min prec ar 3 k 0 ((u, d) :: (v, e) :: (w, f) :: nil) s m.
Lemma left_to_right a b c t s : of2 (adds e_min prec ar) a b t -> of2 (adds e_min prec ar) t c s ->
  three_added a b c s.
Proof.
  intros T S u d v e w f A B C. exists true, (size_of s).
  apply summed_higher with (h := 2%nat); [ lia |].
  change ((u, d) :: (v, e) :: (w, f) :: nil) with (((u, d) :: (v, e) :: nil) ++ ((w, f) :: nil)).
  apply (summed_add e_min prec ar 1 1 0 0 _ _ t c s (size_of t) (size_of c)); auto.
  - change ((u, d) :: (v, e) :: nil) with (((u, d) :: nil) ++ ((v, e) :: nil)).
    apply (summed_add e_min prec ar 0 0 0 0 _ _ a b t (size_of a) (size_of b)); auto;
      now apply s_number.
  - now apply s_number.
Qed.
Definition negated (c : flnum) : flnum := option_map Ropp c.
Lemma negated_stands p r c : stands p r c -> a_number e_min prec c ->
  in_stands e_min prec (p_neg p) (- r) (negated c).
Proof.
  intros S F. split; [ now apply p_neg_stands |]. intros y. destruct c as [z|]; simpl; [| easy ].
  intro Y. injection Y as <-. now apply format_opp, F.
Qed.

(* the gradient of x, given the means ma of g gamma and mh of g gamma xhat *)
Definition norm_dx (centered : Z) g gamma x m r ma mh : R :=
  (g * gamma + - ma + - ((x - center_of centered m) * r * mh)) * r.
Definition norm_dx_of (centered : Z) g gamma x m r (ma mh c : flnum) : Prop :=
  exists pulled dev back s,
    of2 (muls e_min prec ar) (Some g) (Some gamma) pulled /\ a_number e_min prec pulled /\
    deviation e_min prec ar centered x (Some m) dev /\
    of3 (muls3 e_min prec ar) dev (Some r) mh back /\ a_number e_min prec back /\
    three_added pulled (negated ma) (negated back) s /\ of2 (muls e_min prec ar) s (Some r) c.
Lemma p_norm_dx_stands centered g gamma x m r pa a ca ph h ch c : stands pa a ca ->
  a_number e_min prec ca ->
  stands ph h ch -> norm_dx_of centered g gamma x m r ca ch c ->
  stands (p_norm_dx ar centered g gamma x m r pa ph) (norm_dx centered g gamma x m r a h) c.
Proof.
  intros A Na Hh [pulled [dev [back [s [P [Np [D [B [Nb [S C]]]]]]]]]].
  assert (P1 : in_stands e_min prec (p_mul ar (ErrPair g 0) (ErrPair gamma 0)) (g * gamma) pulled).
  { split; [| exact Np ].
    apply (p_mul_stands e_min prec ar declared _ _ _ _ (Some g) (Some gamma));
      auto using exact_stands. }
  assert (P2 := negated_stands pa a ca A Na).
  assert (P3 : stands (p_mul3 ar (p_off ar centered x (ErrPair m 0)) (ErrPair r 0) ph)
    ((x - center_of centered m) * r * h) back).
  { apply (p_mul3_stands e_min prec ar declared _ _ _ _ _ _ dev (Some r) ch);
    auto using exact_stands.
    apply (p_off_stands e_min prec ar declared centered x (ErrPair m 0) m (Some m)); auto using
      exact_stands. }
  assert (P4 := negated_stands _ _ _ P3 Nb).
  destruct (S _ _ _ _ _ _ (stands_carries e_min prec _ _ _ P1) (stands_carries e_min prec _ _ _ P2)
    (stands_carries e_min prec _ _ _ P4)) as [f [q K]].
  exact (p_spread_stands e_min prec ar declared _ _ _ _ _ _ _ _ _ f s q r c P1 P2 P4 K C).
Qed.

(* A row of layer_norm_vjp (centered) or rms_norm_vjp; ones may stand for gamma. *)
Section NormVjp.
Variables (centered : Z) (n : nat) (x gamma g : nat -> R) (m r : R).
Variables (pulled dev hat : nat -> flnum) (pulled_sum hat_sum cnt mean_pulled mean_hat : flnum).
Hypothesis pulls : forall i, of2 (muls e_min prec ar) (Some (g i)) (Some (gamma i)) (pulled i).
Hypothesis devs : forall i, deviation e_min prec ar centered (x i) (Some m) (dev i).
Hypothesis hats : forall i, of3 (muls3 e_min prec ar) (pulled i) (dev i) (Some r) (hat i).
Hypothesis hat_numbers : forall i, a_number e_min prec (hat i).
Hypothesis hats_added : added_up e_min prec ar (a_h ar) (seq 0 n) hat hat_sum.
Hypothesis divisor : divisor_of e_min prec ar n cnt.
Hypothesis hat_divided : of2 (divs e_min prec ar 2) hat_sum cnt mean_hat.
Hypothesis pulled_mean : if Z.eq_dec centered 0 then mean_pulled = Some 0
  else dot_of n g gamma pulled_sum /\ of2 (divs e_min prec ar 2) pulled_sum cnt mean_pulled.
Hypothesis mean_number : a_number e_min prec mean_pulled.
Let pair_of (i : nat) : err_pair := p_pulled_hat ar centered (g i) (gamma i) (x i) m r.
Let real_mean : R :=
  if Z.eq_dec centered 0 then 0 else bsum n (fun i => g i * gamma i) / INR n.
Let real_hat : R := bsum n (fun i => g i * gamma i * (x i - center_of centered m) * r) / INR n.
Let hat_pair : err_pair := p_mean_hat ar (bsum n (fun i => p_v (pair_of i)))
  (bsum n (fun i => Rabs (p_v (pair_of i)))) (bsum n (fun i => p_e (pair_of i))) (Z.of_nat n).
Let pulled_pair : err_pair := p_mean_pulled ar centered (bsum n (fun i => g i * gamma i))
  (bsum n (fun i => Rabs (g i * gamma i))) (Z.of_nat n).

Lemma mean_hat_stands : stands hat_pair real_hat mean_hat.
Proof.
  apply (p_quo_stands e_min prec ar declared _ _ _ _ hat_sum cnt 2 mean_hat); auto.
  - lra.
  - exact (few_2 e_min prec ar declared).
  - rewrite <- !sum_over_all.
    apply (pairs_summed e_min prec ar declared (a_h ar) (seq 0 n) pair_of _ hat); auto.
    intros i _. split; [| apply hat_numbers ].
    apply (p_pulled_hat_stands e_min prec ar declared centered _ _ _ _ _ (pulled i) (dev i)); auto.
  - now apply (p_count_stands e_min prec ar declared).
Qed.
Lemma mean_pulled_stands : stands pulled_pair real_mean mean_pulled.
Proof.
  unfold pulled_pair, real_mean, p_mean_pulled. revert pulled_mean.
  destruct (Z.eq_dec centered 0); [ intros ->; apply exact_stands |]. intros [D Q].
  apply (p_quo_stands e_min prec ar declared _ _ _ _ pulled_sum cnt 2 mean_pulled); auto.
  - lra.
  - exact (few_2 e_min prec ar declared).
  - rewrite <- INR_IZR_INZ. now apply p_dot_row_stands.
  - now apply (p_count_stands e_min prec ar declared).
Qed.
Theorem norm_vjp_bounds c y :
  norm_dx_of centered (g c) (gamma c) (x c) m r mean_pulled mean_hat y ->
  stands (p_norm_dx ar centered (g c) (gamma c) (x c) m r pulled_pair hat_pair)
    (norm_dx centered (g c) (gamma c) (x c) m r real_mean real_hat) y.
Proof.
  apply p_norm_dx_stands; auto using mean_pulled_stands, mean_hat_stands.
Qed.
End NormVjp.

(* A sum of g xhat: over the rows, in a tree of height h2, or over a channel. *)
Section Dgamma.
Variables (centered : Z) (H : R) (n : nat) (x g m r : nat -> R) (s : flnum).
Variables dev hat : nat -> flnum.
Hypothesis devs : forall i, deviation e_min prec ar centered (x i) (Some (m i)) (dev i).
Hypothesis hats : forall i, of3 (muls3 e_min prec ar) (Some (g i)) (dev i) (Some (r i)) (hat i).
Hypothesis hat_numbers : forall i, a_number e_min prec (hat i).
Hypothesis hats_added : added_up e_min prec ar H (seq 0 n) hat s.
Let pair_of (i : nat) : err_pair := p_hat ar centered (g i) (x i) (m i) (r i).
Theorem dgamma_bounds : stands (p_sum ar (bsum n (fun i => p_v (pair_of i)))
    (bsum n (fun i => Rabs (p_v (pair_of i)))) (bsum n (fun i => p_e (pair_of i))) H)
  (bsum n (fun i => g i * (x i - center_of centered (m i)) * r i)) s.
Proof.
  rewrite <- !sum_over_all.
  apply (pairs_summed e_min prec ar declared H (seq 0 n) pair_of _ hat); auto.
  intros i _. split; [| apply hat_numbers ].
  apply (p_hat_stands e_min prec ar declared centered _ _ _ _ (dev i)); auto.
Qed.
End Dgamma.

(* A channel of batch_norm_vjp, of n elements: the two sums are sum_hats and sum_g. *)
Section BatchVjp.
Variables (n : nat) (x g : nat -> R) (m r gamma : R) (dev hat : nat -> flnum).
Variables (sum_hats sum_g cnt mean_g mean_hat : flnum).
Hypothesis devs : forall i, deviation e_min prec ar 1 (x i) (Some m) (dev i).
Hypothesis hats : forall i, of3 (muls3 e_min prec ar) (Some (g i)) (dev i) (Some r) (hat i).
Hypothesis hat_numbers : forall i, a_number e_min prec (hat i).
Hypothesis hats_added : added_up e_min prec ar (a_h ar) (seq 0 n) hat sum_hats.
Hypothesis g_added : adds_to e_min prec ar (a_h ar) (map (fun i => (g i, 0)) (seq 0 n)) sum_g.
Hypothesis divisor : divisor_of e_min prec ar n cnt.
Hypothesis g_divided : of2 (divs e_min prec ar 2) sum_g cnt mean_g.
Hypothesis hat_divided : of2 (divs e_min prec ar 2) sum_hats cnt mean_hat.
Hypothesis mean_number : a_number e_min prec mean_g.
Let pair_of (i : nat) : err_pair := p_hat ar 1 (g i) (x i) m r.
Let dgamma_pair : err_pair := p_sum ar (bsum n (fun i => p_v (pair_of i)))
  (bsum n (fun i => Rabs (p_v (pair_of i)))) (bsum n (fun i => p_e (pair_of i))) (a_h ar).
Let dbeta_pair : err_pair := p_sum ar (bsum n g) (bsum n (fun i => Rabs (g i))) 0 (a_h ar).
Let real_hat : R := bsum n (fun i => g i * (x i - m) * r).

Theorem batch_dgamma_bounds : stands dgamma_pair real_hat sum_hats.
Proof. exact (dgamma_bounds 1 (a_h ar) n x g (fun _ => m) (fun _ => r) sum_hats dev hat devs hats
  hat_numbers hats_added). Qed.
Theorem batch_dbeta_bounds : stands dbeta_pair (bsum n g) sum_g.
Proof. now apply given_sum_bounds. Qed.
Lemma divided_stands p v s y : stands p v s -> of2 (divs e_min prec ar 2) s cnt y ->
  stands (p_quo ar p (p_count ar (Z.of_nat n)) 2) (v / INR n) y.
Proof.
  intros P Y. apply (p_quo_stands e_min prec ar declared _ _ _ _ s cnt 2 y); auto.
  - lra.
  - exact (few_2 e_min prec ar declared).
  - now apply (p_count_stands e_min prec ar declared).
Qed.
Theorem batch_dx_bounds c t y : norm_dx_of 1 (g c) 1 (x c) m r mean_g mean_hat t ->
  of2 (muls e_min prec ar) t (Some gamma) y ->
  stands (p_batch_dx ar (g c) (x c) m r gamma dgamma_pair dbeta_pair (Z.of_nat n))
    (gamma * r * (g c - bsum n g / INR n - (x c - m) * r * (real_hat / INR n))) y.
Proof.
  intros T Y.
  replace (gamma * r * (g c - bsum n g / INR n - (x c - m) * r * (real_hat / INR n)))
    with (norm_dx 1 (g c) 1 (x c) m r (bsum n g / INR n) (real_hat / INR n) * gamma)
    by (unfold norm_dx, center_of; destruct (Z.eq_dec 1 0); [ easy | ring ]).
  apply p_widen_stands.
  { unfold p_gamma_lost. apply Rmult_le_pos; [ apply Rlt_le, (a_eta_pos e_min prec ar declared) |].
    match goal with |- 0 <= 4 * (1 + Rabs ?a + Rabs ?b + Rabs ?d + Rabs ?e) =>
      generalize (Rabs_pos a) (Rabs_pos b) (Rabs_pos d) (Rabs_pos e) end. lra. }
  apply (p_mul_stands e_min prec ar declared _ _ _ _ t (Some gamma)); auto using exact_stands.
  apply (p_norm_dx_stands 1 _ _ _ _ _ _ _ mean_g _ _ mean_hat); auto;
    eapply divided_stands; eauto using batch_dgamma_bounds, batch_dbeta_bounds.
Qed.
End BatchVjp.
End RowVjpNodes.
