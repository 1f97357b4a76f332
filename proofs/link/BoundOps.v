(* The error bounds of ref/ that are formulas of error pairs, in WP's words, are bounds: for each
   op,
   every number that a kernel may compute for the op's formula (theory/Compose) is within the bound
   of the op's value, as spec/ has it. *)
Require Import Reals Lra Psatz ZArith Lia.
From Theory Require Import Scalar Round Nodes NodesOfFunctions Logistic Compose GeluNodes Meaning
  ElementwiseOps ActivationOps PairMeaning PairOps.
Open Scope R_scope.

(* where the bound e is not vacuous, c is finite and within e of the value r *)
Definition within_bound (e r : R) (c : flnum) : Prop :=
  e < vacuous -> exists y, c = Some y /\ Rabs (y - r) <= e.
Lemma stands_within p r c : stands p r c -> within_bound (p_e p) r c.
Proof. intros H L. exact (proj2 (H L)). Qed.

Section Bounds.
Variables (e_min prec : Z) (ar : W_arith).
Hypothesis declared : declares e_min prec (the_arith ar).
(* what a kernel may compute for an expression, of which it has the parts xs already *)
Definition may (xs : nat -> flnum) (e : expression) (c : flnum) : Prop :=
  may_be e_min prec (the_arith ar) xs e c.
Definition none (i : nat) : flnum := None.
Lemma may_within pairs env xs e c : (forall i, stands (pairs i) (env i) (xs i)) -> may xs e c ->
  within_bound (p_e (pair_of_expression (the_arith ar) pairs e)) (real_value env e) c.
Proof. intros P H. eapply stands_within, (composition e_min prec (the_arith ar) declared); eauto.
  Qed.
(* what is lost where a partial product underflows widens the pair *)
Lemma may_widened pairs env xs e c x : (forall i, stands (pairs i) (env i) (xs i)) -> 0 <= x ->
  may xs e c ->
  within_bound (p_e (p_widen (the_arith ar) (pair_of_expression (the_arith ar) pairs e) x))
    (real_value env e) c.
Proof.
  intros P X H. apply stands_within, p_widen_stands; [ exact X |].
  eapply (composition e_min prec (the_arith ar) declared); eauto.
Qed.
Lemma p_widen_neg p x : p_e (p_widen (the_arith ar) (p_neg p) x) = p_e (p_widen (the_arith ar) p x).
Proof. unfold p_widen, p_neg. cbn [p_v p_e]. now rewrite Rabs_Ropp. Qed.
Lemma nothing_given i : stands (ErrPair 0 vacuous) 0 (none i).
Proof. apply vacuous_stands. Qed.
Ltac unfold_bounds := cbv [L_e_axpy L_e_div_vjp L_e_rsqrt_vjp L_e_reciprocal_vjp L_e_sigmoid_vjp
  L_e_softplus_vjp L_e_silu L_e_safe_log L_e_safe_log_vjp L_e_silu_vjp L_p_safe L_p_silu_turn
  L_e_sgd_step L_p_first_moment L_p_second_moment L_p_adam_move L_p_adam_root L_p_root L_p_decayed
  L_e_adam_step L_p_widen L_p_add L_p_sub L_p_mul L_p_mul3 L_p_quo L_p_log L_p_rnd L_p_logistic L_p_logistic_rest
  L_p_make]; rewrite ?the_of.
Ltac meant := cbv [L_Axpy L_QuotientDb L_RsqrtVjp L_ReciprocalVjp L_SigmoidVjp L_SoftplusVjp L_Silu
  L_SiluVjp L_SiluD L_SafeLog L_SafeLogVjp L_SgdStep L_AdamStep L_AdamwStep L_AdamMove L_AdamRoot
  L_Decayed L_FirstMoment L_SecondMoment L_rmul L_rdiv];
  change L_Sigmoid with sigmoid; change L_Softplus with softplus.
Lemma minus_is a b : a + - (1) * b = a - b.
Proof. ring. Qed.
(* the bound is the expression's pair, and the op's value the expression's, but for their writing *)
Ltac same_text H := unfold_bounds;
  match type of H with within_bound _ ?r _ => match goal with |- within_bound ?e ?s ?c =>
    replace s with r; [ exact H | meant; rewrite ?minus_is; cbn; unfold Rdiv;
      repeat (ring || f_equal) ] end end.
Ltac by_text G := let H := fresh in
  intro H; apply (may_within _ _ _ _ _ G) in H; same_text H.

(* ---------------------------------------------------------------- elementwise *)
Definition axpy_text a b c := E_add (E_exactly a) (E_mul (E_exactly c) (E_exactly b)).
Theorem axpy_bound a b c y : may none (axpy_text a b c) y ->
  within_bound (L_e_axpy ar a b c) (L_Axpy a b c) y.
Proof. by_text nothing_given. Qed.
Definition div_vjp_text a b g := E_neg (E_mul (E_quo 1 (E_exactly g) (E_exactly b))
  (E_quo 1 (E_exactly a) (E_exactly b))).
Theorem div_vjp_bound a b g y : may none (div_vjp_text a b g) y ->
  within_bound (L_e_div_vjp ar a b g) (L_QuotientDb a b g) y.
Proof. by_text nothing_given. Qed.
Definition rsqrt_vjp_text y g := E_neg (E_mul (E_mul (E_mul (E_mul (E_exactly (1 / 2)) (E_exactly
  g))
  (E_exactly y)) (E_exactly y)) (E_exactly y)).
Theorem rsqrt_vjp_bound y g c : may none (rsqrt_vjp_text y g) c ->
  within_bound (L_e_rsqrt_vjp ar y g) (L_RsqrtVjp y g) c.
Proof.
  intro H. set (x := W_arith'eta ar * (8 * (1 + Rabs g) * (1 + Rabs y) * (1 + Rabs y))).
  assert (P : 0 <= x).
  { unfold x. generalize (Rabs_pos g) (Rabs_pos y); intros G Y. apply Rmult_le_pos.
    - apply Rlt_le, (a_eta_pos e_min prec (the_arith ar) declared).
    - repeat apply Rmult_le_pos; lra. }
  apply (may_widened _ _ _ _ _ x nothing_given P) in H. unfold rsqrt_vjp_text in H.
  cbn [pair_of_expression] in H. rewrite p_widen_neg in H. same_text H.
Qed.
Definition reciprocal_vjp_text y g := E_neg (E_mul3 (E_exactly g) (E_exactly y) (E_exactly y)).
Theorem reciprocal_vjp_bound y g c : may none (reciprocal_vjp_text y g) c ->
  within_bound (L_e_reciprocal_vjp ar y g) (L_ReciprocalVjp y g) c.
Proof. by_text nothing_given. Qed.

(* ---------------------------------------------------------------- functions of class U *)
Lemma ulps_within k v c : few (the_arith ar) (2 * k + 1) -> in_ulps e_min prec (the_arith ar) k v c
  ->
  stands (p_rnd (the_arith ar) v 0 (2 * k + 1)) v c.
Proof.
  intros F H. apply (p_rnd_stands e_min prec (the_arith ar) declared); [ apply F |]. intros _.
  split; [ easy |]. exists v. split; [ unfold Rminus; rewrite Rplus_opp_r, Rabs_R0; lra |].
  now apply (ulps_made e_min prec (the_arith ar) declared).
Qed.
(* exp, log, tanh, softplus *)
Theorem ulps_bound k v c : few (the_arith ar) (2 * k + 1) -> in_ulps e_min prec (the_arith ar) k v
  c ->
  within_bound (L_e_ulps ar v k) v c.
Proof. intros F H. exact (stands_within _ _ _ (ulps_within k v c F H)). Qed.
Theorem rsqrt_bound a c : few (the_arith ar) (2 * W_arith'k_rsqrt ar + 1) ->
  in_ulps e_min prec (the_arith ar) (W_arith'k_rsqrt ar) (L_Rsqrt a) c ->
  within_bound (L_e_rsqrt ar a) (L_Rsqrt a) c.
Proof. intros F H. exact (stands_within _ _ _ (ulps_within _ (1 / sqrt a) c F H)). Qed.

(* ---------------------------------------------------------------- with a sigmoid *)
Section Sigmoids.
Hypothesis format : ordinary e_min prec (the_arith ar).
Hypothesis k_exp_pos : 0 <= W_arith'k_exp ar.
Hypothesis k_exp_small : (2 * W_arith'k_exp ar + 1) * W_arith'u ar <= / 4.
Hypothesis k_sigmoid_pos : 0 <= 2 * W_arith'k_sigmoid ar + 1.
Hypothesis k_sigmoid_small :
  few (the_arith ar) (Rmax (2 * W_arith'k_sigmoid ar + 1) (2 * W_arith'k_exp ar + 3)).
Definition is_sigmoid (a : R) (s : flnum) : Prop := logistic_of e_min prec (the_arith ar) a s.
Lemma sigmoid_stands a s : is_sigmoid a s -> stands (p_logistic (the_arith ar) a) (sigmoid a) s.
Proof. now apply (p_logistic_stands e_min prec (the_arith ar) declared). Qed.
Theorem sigmoid_bound a c : is_sigmoid a c -> within_bound (L_e_sigmoid ar a) (L_Sigmoid a) c.
Proof. intro H. exact (stands_within _ _ _ (sigmoid_stands a c H)). Qed.

Definition silu_text a := E_mul (E_exactly a) (E_given 0).
Theorem silu_bound a s c : is_sigmoid a s -> may (fun _ => s) (silu_text a) c ->
  within_bound (L_e_silu ar a) (L_Silu a) c.
Proof. intro S. by_text (fun i : nat => sigmoid_stands a s S). Qed.
Definition softplus_vjp_text g := E_mul (E_given 0) (E_exactly g).
Theorem softplus_vjp_bound a g s c : is_sigmoid a s -> may (fun _ => s) (softplus_vjp_text g) c ->
  within_bound (L_e_softplus_vjp ar a g) (L_SoftplusVjp a g) c.
Proof. intro S. by_text (fun i : nat => sigmoid_stands a s S). Qed.

(* s (1 + a (1 - s)) g: parts are s and r = 1 - s, exactly 0 where s is computed as 1 *)
Definition both_parts (x y : flnum) (i : nat) : flnum := match i with O => x | _ => y end.
Definition silu_vjp_text a g := E_mul3 (E_given 0)
  (E_add (E_exactly 1) (E_mul (E_exactly a) (E_given 1))) (E_exactly g).
Theorem silu_vjp_bound a g s r c : is_sigmoid a s ->
  (20 <= a -> exp (- a) <= / 4 * W_arith'u ar -> s = Some 1) ->
  of1 (fun y => subs e_min prec (the_arith ar) 1 y) s r ->
  may (both_parts s r) (silu_vjp_text a g) c -> within_bound (L_e_silu_vjp ar a g) (L_SiluVjp a g)
    c.
Proof.
  intros S One Rest.
  assert (G : forall i, stands
    (match i with O => p_logistic (the_arith ar) a | _ => p_logistic_rest (the_arith ar) a end)
    (match i with O => sigmoid a | _ => 1 - sigmoid a end) (both_parts s r i)).
  { intros [|i]; [ now apply sigmoid_stands |].
    apply (p_logistic_rest_stands e_min prec (the_arith ar) a s); auto. now apply sigmoid_stands. }
  by_text G.
Qed.
End Sigmoids.
Definition sigmoid_vjp_text y g :=
  E_mul3 (E_exactly y) (E_sub (E_exactly 1) (E_exactly y)) (E_exactly g).
Theorem sigmoid_vjp_bound y g c : may none (sigmoid_vjp_text y g) c ->
  within_bound (L_e_sigmoid_vjp ar y g) (L_SigmoidVjp y g) c.
Proof. by_text nothing_given. Qed.

(* ln (s + eps), s a computed softplus *)
Definition is_softplus (a : R) (s : flnum) : Prop := few (the_arith ar) (2 * W_arith'k_softplus ar
  + 1) /\
  in_ulps e_min prec (the_arith ar) (W_arith'k_softplus ar) (softplus a) s.
Definition safe_log_text eps := E_apply F_log (E_add (E_given 0) (E_exactly eps)).
Theorem safe_log_bound a eps s c : is_softplus a s -> may (fun _ => s) (safe_log_text eps) c ->
  within_bound (L_e_safe_log ar a eps) (L_SafeLog a eps) c.
Proof.
  intros [F S]. by_text (fun i : nat => ulps_within _ _ _ F S).
Qed.

(* s g / (t + eps), s a computed sigmoid and t a computed softplus, in any association *)
Definition safe_log_vjp_text g eps := E_mul3 (E_given 0) (E_exactly g)
  (E_quo 1 (E_exactly 1) (E_add (E_given 1) (E_exactly eps))).
Theorem safe_log_vjp_bound a g eps s t c :
  stands (p_logistic (the_arith ar) a) (sigmoid a) s -> is_softplus a t ->
  may (fun i => match i with O => s | _ => t end) (safe_log_vjp_text g eps) c ->
  within_bound (L_e_safe_log_vjp ar a g eps) (L_SafeLogVjp a g eps) c.
Proof.
  intros S [F T].
  assert (G : forall i, stands (match i with O => p_logistic (the_arith ar) a
      | _ => p_rnd (the_arith ar) (softplus a) 0 (2 * W_arith'k_softplus ar + 1) end)
    (match i with O => sigmoid a | _ => softplus a end) (match i with O => s | _ => t end)).
  { intros [|i]; [ easy | now apply ulps_within ]. }
  replace (L_SafeLogVjp a g eps) with (sigmoid a * g * (1 / (softplus a + eps)))
    by (meant; rewrite (Rplus_comm eps); unfold Rdiv; ring).
  by_text G.
Qed.

(* (1 - y^2) g, y^2 rounded or not *)
Inductive less_square (y : R) : flnum -> Prop :=
  | apart c : of1 (subs e_min prec (the_arith ar) 1) (fl e_min prec (the_arith ar) (y * y)) c ->
      less_square y c
  | fused : less_square y (fl e_min prec (the_arith ar) (1 - y * y)).
Lemma less_square_stands y c : less_square y c ->
  stands (the_pair (L_p_one_less_square ar y)) (1 - y * y) c.
Proof.
  intro H. cbv [L_p_one_less_square L_p_sub L_p_rnd L_p_make]. rewrite !the_of.
  set (sq := p_rnd (the_arith ar) (y * y) 0 2). set (q := p_sub (the_arith ar) (ErrPair 1 0) sq).
  assert (Q : stands sq (y * y) (fl e_min prec (the_arith ar) (y * y))).
  { apply (p_rnd_stands e_min prec (the_arith ar) declared); [ lra |]. intros _. split; [ easy |].
    exists (y * y). split; [ unfold Rminus; rewrite Rplus_opp_r, Rabs_R0; lra |].
    apply (fl_made e_min prec (the_arith ar) declared); [ lra | now apply (few_2 e_min prec) ]. }
  assert (K : stands q (1 - y * y) c).
  { destruct H as [c H|].
    - apply (p_sub_stands e_min prec (the_arith ar) declared _ _ _ _ (Some 1)
        (fl e_min prec (the_arith ar) (y * y))); [ apply exact_stands | easy |].
      intros x z X Z. injection X as <-. now apply H.
    - apply (p_rnd_stands e_min prec (the_arith ar) declared); [ lra |]. intros _. split; [ easy |].
      exists (1 - y * y). split.
      + unfold Rminus at 1. rewrite Rplus_opp_r, Rabs_R0. cbn [p_e]. rewrite Rplus_0_l.
        exact (stands_pos _ _ _ Q).
      + apply (fl_made e_min prec (the_arith ar) declared); [ lra | now apply (few_1 e_min prec) ].
        }
  apply (p_rnd_stands e_min prec (the_arith ar) declared); [ lra |]. intro L.
  destruct (K L) as [V [x [-> X]]]. split; [ easy |]. exists x. split; [ easy |]. intros _.
  exists x. split; [ easy |]. unfold Rminus. rewrite Rplus_opp_r, Rabs_R0.
  generalize (a_eta_pos e_min prec (the_arith ar) declared); intro E.
  assert (0 <= p_gam (a_u (the_arith ar)) 2 * Rabs x); [| lra ].
  apply Rmult_le_pos; [ apply (p_gam_pos e_min prec (the_arith ar) declared) | apply Rabs_pos ].
Qed.
Theorem tanh_vjp_bound y g q c : less_square y q ->
  of1 (fun x => muls e_min prec (the_arith ar) x g) q c ->
  within_bound (L_e_tanh_vjp ar y g) (L_TanhVjp y g) c.
Proof.
  intros H M.
  replace (L_TanhVjp y g) with ((1 - y * y) * g) by (cbv [L_TanhVjp L_rmul]; ring).
  apply (stands_within (the_pair (L_p_widen ar (L_p_mul ar (L_p_one_less_square ar y)
    (L_p_make g 0)) (W_arith'eta ar * (2 + 2 * Rabs y))))).
  apply node_widen.
  - apply Rmult_le_pos; [| generalize (Rabs_pos y); lra ].
    apply Rlt_le, (a_eta_pos e_min prec (the_arith ar) declared).
  - apply (node_mul e_min prec ar declared _ _ _ _ q (Some g)).
    + now apply less_square_stands.
    + apply exact_stands.
    + intros x z X Z. injection Z as <-. now apply M.
Qed.

(* ---------------------------------------------------------------- gelu *)
Section OfGelu.
Hypothesis format : suits_gelu prec (the_arith ar).
Hypothesis k_exp_pos : 0 <= W_arith'k_exp ar.
Lemma gelu_in_is a : W_tanh (L_GeluIn a) = tanh (gelu_arg a).
Proof.
  rewrite tanh_is. f_equal. unfold L_GeluIn, gelu_arg, gelu_scale, gelu_cubic. ring.
Qed.
Lemma gelu_is a : L_Gelu a = gelu_at a.
Proof. unfold L_Gelu, gelu_at. rewrite gelu_in_is. lra. Qed.
(* a/2 (1 + t), t a computed tanh of the argument, from |a| = 20 on 1 or -1 *)
Theorem gelu_bound a t c : is_gelu_tanh e_min prec (the_arith ar) a t ->
  may (fun _ => t) (gelu_text a) c -> within_bound (L_e_gelu ar a) (L_Gelu a) c.
Proof.
  intros T H. rewrite gelu_is.
  exact (stands_within _ _ _ (gelu_bounds e_min prec _ declared format k_exp_pos a t c T H)).
Qed.
(* a/(1 + exp(-2 x)), x the computed argument, where no exp can overflow *)
Theorem gelu_by_exp_bound a x c : Rabs a < 20 -> is_gelu_arg e_min prec (the_arith ar) a x ->
  W_pair'e (L_p_gelu_sigmoid ar a) < vacuous ->
  may (fun _ => option_map (Rmult (-2)) x) (gelu_sigmoid_text a) c ->
  within_bound (L_e_gelu ar a) (L_Gelu a) c.
Proof.
  intros N X V H. rewrite gelu_is. exact (stands_within _ _ _
    (gelu_sigmoid_bounds e_min prec _ declared format k_exp_pos a x c N X V H)).
Qed.
(* (1/2 (1 + t) + r) g: r is h = a/2, d = 1 - t^2 and the argument's slope s multiplied, but 0 where
   d is, also where s is infinite *)
Theorem gelu_vjp_bound a g t d s h r c : in_format e_min prec 1 ->
  is_gelu_tanh e_min prec (the_arith ar) a t -> less_own_square e_min prec (the_arith ar) t d ->
  may none (gelu_slope_text a) s -> may none (E_mul (E_exactly (1 / 2)) (E_exactly a)) h ->
  is_gelu_rise e_min prec (the_arith ar) h d s r -> may (both_parts t r) (gelu_vjp_text g) c ->
  within_bound (L_e_gelu_vjp ar a g) (L_GeluVjp a g) c.
Proof.
  intros One T D S H R C. replace (L_GeluVjp a g) with (gelu_d_at a * g).
  - unfold L_e_gelu_vjp, L_p_mul, L_p_gelu_d, L_p_make. rewrite !the_of.
    exact (stands_within _ _ _
      (gelu_vjp_bounds e_min prec _ declared format a g t d s h r c One T D S H R C)).
  - unfold L_GeluVjp, L_GeluD, L_rmul, gelu_d_at, gelu_rise, gelu_scale, gelu_cubic.
    rewrite gelu_in_is. lra.
Qed.
End OfGelu.

(* ---------------------------------------------------------------- optimizers *)
Definition sgd_text p g lr := E_sub (E_exactly p) (E_mul (E_exactly lr) (E_exactly g)).
Theorem sgd_step_bound p g lr c : may none (sgd_text p g lr) c ->
  within_bound (L_e_sgd_step ar p g lr) (L_SgdStep p g lr) c.
Proof. by_text nothing_given. Qed.
Definition first_text m g beta := E_add (E_mul (E_exactly beta) (E_exactly m))
  (E_mul (E_sub (E_exactly 1) (E_exactly beta)) (E_exactly g)).
Definition second_text v g beta := E_add (E_mul (E_exactly beta) (E_exactly v))
  (E_mul (E_sub (E_exactly 1) (E_exactly beta)) (E_mul (E_exactly g) (E_exactly g))).
Definition decayed_text p lr decay := E_mul (E_exactly p)
  (E_sub (E_exactly 1) (E_mul (E_exactly lr) (E_exactly decay))).
Definition adam_text p g m v lr beta1 beta2 eps c1 c2 := E_sub p (E_mul (E_exactly lr)
  (E_quo 1 (E_mul (E_exactly c1) (first_text m g beta1))
    (E_add (E_apply F_root (E_mul (E_exactly c2) (second_text v g beta2))) (E_exactly eps)))).
Theorem first_moment_bound m g beta c : may none (first_text m g beta) c ->
  within_bound (W_pair'e (L_p_first_moment ar m g beta)) (L_FirstMoment m g beta) c.
Proof. by_text nothing_given. Qed.
Theorem second_moment_bound v g beta c : may none (second_text v g beta) c ->
  within_bound (W_pair'e (L_p_second_moment ar v g beta)) (L_SecondMoment v g beta) c.
Proof. by_text nothing_given. Qed.
Lemma adam_lost_pos m root lr c1 : 0 <= L_p_adam_lost ar m root lr c1.
Proof.
  unfold L_p_adam_lost. destruct (Rlt_dec (W_pair'e root) vacuous); [| lra ].
  destruct (Rlt_dec 0 (W_pair'v root - W_pair'e root)) as [D|]; [| lra ].
  assert (Q : 0 <= L_rdiv (1 + Rabs (L_p_mag m)) (W_pair'v root - W_pair'e root)).
  { unfold L_rdiv, Rdiv. apply Rmult_le_pos; [ generalize (Rabs_pos (L_p_mag m)); lra |].
    now apply Rlt_le, Rinv_0_lt_compat. }
  generalize (Rabs_pos lr) (Rabs_pos c1); intros L C. apply Rmult_le_pos.
  - apply Rlt_le, (a_eta_pos e_min prec (the_arith ar) declared).
  - repeat apply Rmult_le_pos; lra.
Qed.
Ltac by_widened_step := let H := fresh in intro H; cbv [L_e_adam_step];
  match goal with |- context [L_p_adam_lost ?a ?m ?r ?l ?k] =>
    let P := fresh in assert (P : 0 <= L_p_adam_lost a m r l k) by apply adam_lost_pos;
    revert P; generalize (L_p_adam_lost a m r l k) end;
  let x := fresh in let P := fresh in intros x P;
  apply (may_widened _ _ _ _ _ x nothing_given P) in H; same_text H.
Theorem adam_step_bound p g m v lr beta1 beta2 eps c1 c2 c :
  may none (adam_text (E_exactly p) g m v lr beta1 beta2 eps c1 c2) c ->
  within_bound (L_e_adam_step ar (L_p_make p 0) g m v lr beta1 beta2 eps c1 c2)
    (L_AdamStep p g m v lr beta1 beta2 eps c1 c2) c.
Proof. by_widened_step. Qed.
Theorem adamw_step_bound p g m v lr beta1 beta2 eps decay c1 c2 c :
  may none (adam_text (decayed_text p lr decay) g m v lr beta1 beta2 eps c1 c2) c ->
  within_bound (L_e_adam_step ar (L_p_decayed ar p lr decay) g m v lr beta1 beta2 eps c1 c2)
    (L_AdamwStep p g m v lr beta1 beta2 eps decay c1 c2) c.
Proof. by_widened_step. Qed.
End Bounds.
