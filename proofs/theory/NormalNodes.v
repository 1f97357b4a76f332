(* The bound of rand_normal (ref/random.h) is a bound: Box and Muller's product of a distance from
   the origin, sqrt(-2 ln u), and the sine or cosine of an angle of at most pi/4. *)
Require Import Reals Lra Psatz ZArith Lia.
From Flocq Require Import Core.
From Theory Require Import Round Nodes NodesOfFunctions Compose.
Open Scope R_scope.

(* ---------------------------------------------------------------- as in spec/random.h *)
Definition radius (u : R) : R := sqrt (-2 * ln u).
Definition quarter_turned (k : Z) (x : R) : R :=
  if Z.eq_dec (k mod 4) 0 then sin x else if Z.eq_dec (k mod 4) 1 then cos x
  else if Z.eq_dec (k mod 4) 2 then - sin x else - cos x.
(* ---------------------------------------------------------------- the nodes, as in ref/random.h *)
Definition p_twice_log ar u : err_pair :=
  ErrPair (-2 * p_v (p_log ar (ErrPair u 0))) (2 * p_e (p_log ar (ErrPair u 0))).
Definition p_radius ar u : err_pair :=
  if Rlt_dec u 1 then p_sqrt ar (p_twice_log ar u) else ErrPair 0 0.
Definition p_turned ar (k : Z) x : err_pair :=
  if Z.eq_dec (k mod 2) 0 then p_sin ar (p_rnd ar x 0 2) else p_cos ar (p_rnd ar x 0 2).
Definition p_normal ar u k x : err_pair := p_mul ar (p_radius ar u) (p_turned ar k x).
Definition e_normal_of ar u k x : R := p_e (p_normal ar u k x).

Section NormalNodes.
Variables (e_min prec : Z) (ar : arithmetic).
Hypothesis declared : declares e_min prec ar.
Hypothesis few_log : few ar (2 * k_log ar + 1).
Hypothesis few_sin : few ar (2 * k_sin ar + 1).
Hypothesis few_cos : few ar (2 * k_cos ar + 1).

(* a product with -2 is not rounded *)
Lemma minus_twice_exact l : in_format e_min prec l -> 2 * Rabs l <= a_big ar ->
  fl e_min prec ar (-2 * l) = Some (-2 * l).
Proof.
  intros F B. unfold fl. rewrite (rnd_exact e_min prec (-2 * l)).
  - assert (E : Rabs (-2 * l) = 2 * Rabs l) by (rewrite Rabs_mult, (Rabs_left1 (-2)) by lra; lra).
    rewrite E. destruct (Rle_dec (2 * Rabs l) (a_big ar)); [ easy | contradiction ].
  - assert (P : Prec_gt_0 prec) by exact (proj1 declared).
    destruct (FLT_format_generic radix2 e_min prec l F) as [[m e] E M N]. cbn in M, N.
    apply generic_format_FLT. apply (FLT_spec _ _ _ _ (Float radix2 (- m) (e + 1))).
    + rewrite E. unfold F2R. cbn [Fnum Fexp]. rewrite bpow_up, opp_IZR. ring.
    + cbn [Fnum]. now rewrite Z.abs_opp.
    + cbn [Fexp]. lia.
Qed.

(* the distance: the logarithm, doubled, and the root of that; 0 of u = 1, where ln is exactly 0 *)
Definition radius_of (u : R) (r : flnum) : Prop :=
  if Rlt_dec u 1 then exists lg twice, in_ulps e_min prec ar (k_log ar) (ln u) lg /\
    twice = option_map (fun l => -2 * l) lg /\
    of1 (fun t => in_ulps e_min prec ar 0 (sqrt t)) twice r
  else r = Some 0.
Lemma p_radius_stands u r : 0 < u <= 1 -> radius_of u r -> stands (p_radius ar u) (radius u) r.
Proof.
  intros U H. unfold radius_of, p_radius, radius in *. destruct (Rlt_dec u 1) as [L|L].
  - destruct H as [lg [twice [G [T S]]]].
    assert (Q : stands (p_log ar (ErrPair u 0)) (ln u) lg).
    { apply (p_log_stands e_min prec ar declared _ _ (Some u)); auto using exact_stands.
      intros z Z. injection Z as <-. exact G. }
    apply (p_sqrt_stands e_min prec ar declared _ _ twice); auto. intro V.
    unfold p_twice_log in *. cbn [p_v p_e] in *. assert (P := stands_pos _ _ _ Q).
    destruct Q as [-> [z [-> Z]]]; [ lra |]. split; [ easy |]. subst. exists (-2 * z).
    split; [ easy |]. replace (-2 * z - -2 * ln u) with (-2 * (z - ln u)) by ring.
    rewrite Rabs_mult, (Rabs_left1 (-2)) by lra. lra.
  - replace u with 1 by lra. rewrite ln_1, Rmult_0_r, sqrt_0, H. apply exact_stands.
Qed.
(* the angle x, a product with a rounded constant; its sine or cosine, and the sign *)
Definition turned_of (k : Z) (x : R) (t : flnum) : Prop := exists angle s, made ar 2 x angle /\
  of1 (fun y => if Z.eq_dec (k mod 2) 0 then in_ulps e_min prec ar (k_sin ar) (sin y)
    else in_ulps e_min prec ar (k_cos ar) (cos y)) angle s /\
  t = if Z_lt_dec (k mod 4) 2 then s else option_map Ropp s.
Lemma angle_stands x c : made ar 2 x c -> stands (p_rnd ar x 0 2) x c.
Proof.
  intro M. apply (p_rnd_stands e_min prec ar declared); [ lra |]. intros _. split; [ easy |].
  exists x. split; [| exact M ]. unfold Rminus. rewrite Rplus_opp_r, Rabs_R0. lra.
Qed.
Lemma p_turned_stands k x t : turned_of k x t ->
  stands (if Z_lt_dec (k mod 4) 2 then p_turned ar k x else p_neg (p_turned ar k x)) (quarter_turned
    k x) t.
Proof.
  intros [angle [s [M [S ->]]]]. assert (A := angle_stands x angle M).
  assert (B := Z.mod_pos_bound k 4 ltac:(lia)). assert (D := Z.div_mod k 4 ltac:(lia)).
  assert (E : (k mod 2 = (k mod 4) mod 2)%Z).
  { rewrite D at 1. replace (4 * (k / 4))%Z with (2 * (k / 4) * 2)%Z by ring.
    rewrite Z.add_comm. now rewrite Z.mod_add by lia. }
  assert (K : stands (p_turned ar k x) (if Z.eq_dec (k mod 2) 0 then sin x else cos x) s).
  { unfold p_turned. destruct (Z.eq_dec (k mod 2) 0).
    - now apply (p_sin_stands e_min prec ar declared _ _ angle).
    - now apply (p_cos_stands e_min prec ar declared _ _ angle). }
  assert (C : (k mod 4 = 0 \/ k mod 4 = 1 \/ k mod 4 = 2 \/ k mod 4 = 3)%Z) by lia.
  unfold quarter_turned. destruct C as [C|[C|[C|C]]]; rewrite C in *; cbn in E; rewrite E in K;
    cbn in K |- *; auto; now apply p_neg_stands.
Qed.
Theorem rand_normal_bounds u k x r t c : 0 < u <= 1 -> radius_of u r -> turned_of k x t ->
  of2 (muls e_min prec ar) r t c ->
  let v := radius u * quarter_turned k x in stands (ErrPair v (e_normal_of ar u k x)) v c.
Proof.
  intros U R0 T C v. assert (A := p_radius_stands u r U R0). assert (B := p_turned_stands k x t T).
  assert (S := p_mul_stands e_min prec ar declared _ _ _ _ r t A B c C).
  intro L. cbn [p_v p_e] in *. split; [ easy |]. revert S. destruct (Z_lt_dec (k mod 4) 2); intro S.
  - exact (proj2 (S L)).
  - assert (E : p_e (p_mul ar (p_radius ar u) (p_neg (p_turned ar k x))) = e_normal_of ar u k x).
    { unfold e_normal_of, p_normal, p_mul, p_neg, p_rnd, p_cross. cbn [p_v p_e].
      now rewrite Ropp_mult_distr_r_reverse, !Rabs_Ropp. }
    destruct S as [_ S]; [ now rewrite E |]. now rewrite E in S.
Qed.
End NormalNodes.
