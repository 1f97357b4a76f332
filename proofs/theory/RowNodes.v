(* Formulas of ref/ over the nodes of sums and norms: a mean, a row of layer_norm or rms_norm,
 exp of a
   shifted element and what softmax makes of it. *)
From Flocq Require Import Core.
Require Import Reals Lra Psatz List ZArith Lia.
From Theory Require Import Sums Round Nodes NodesOfFunctions FloatSum SumNodes MeanSquare NormNodes.
Import ListNotations.
Open Scope R_scope.

(* ref/softmax.h *)
Definition p_shifted_exp ar d : err_pair :=
  if Req_EM_T d 0 then ErrPair 1 0
  else if Rlt_dec d (-2000) then ErrPair (exp d) ((2 * k_exp ar + 2) * a_eta ar)
  else p_exp ar (ErrPair d (a_alpha ar * (a_u ar * Rabs d + a_eta ar))).
Definition e_softmax ar d value error : R :=
  p_e (p_quo ar (p_shifted_exp ar d) (p_sum ar value value error (a_h ar)) 2).

Section RowNodes.
Variables (e_min prec : Z) (ar : arithmetic).
Hypothesis declared : declares e_min prec ar.

(* a mean of terms without errors, by one division by n, which is a number *)
Theorem mean_bounds h n (x : nat -> R) s a y : height_of ar h (a_h ar) ->
  summed e_min prec ar h true 0 (map (fun i => (x i, 0)) (seq 0 n)) s a ->
  of1 (fun z c => c = fl e_min prec ar (z / INR n)) s y ->
  stands (p_quo ar (p_sum ar (bsum n x) (bsum n (fun i => Rabs (x i))) 0 (a_h ar))
    (ErrPair (INR n) 0) 1) (bsum n x / INR n) y.
Proof.
  intros H S Y.
  apply (p_quo_stands e_min prec ar declared _ _ _ _ s (Some (INR n)) 1 y); auto.
  - lra.
  - exact (few_1 e_min prec ar declared).
  - now apply (plain_sum_stands e_min prec ar declared h n x a).
  - apply exact_stands.
  - intros z c Z C. injection C as <-. left. now apply Y.
Qed.

(* A row of layer_norm, or a channel of batch_norm. eps and x are numbers,
 the two sums have trees of
   heights that are declared, the mean is a number of the format. *)
Section LayerNorm.
Variables (n h h' : nat) (x : nat -> R) (eps : R) (gamma beta : R).
Variables (mean_sum cnt mean : flnum) (dev : nat -> flnum).
Variables (square_total cnt' quo shifted root scaled y : flnum) (i : nat) (size' : R).
Hypothesis some_n : (0 < n)%nat.
Hypothesis numbers : forall j, in_format e_min prec (x j).
Hypothesis eps_above : 0 < eps.
Hypothesis eps_number : in_format e_min prec eps.
Hypothesis moderate_n : moderate e_min prec ar n.
Hypothesis few_roundings : (a_h ar + 6) * a_u ar <= / 2.
Hypothesis few_root : few ar (2 * k_rsqrt ar + 1).
Hypothesis mean_height : height_of ar h (a_h ar).
Hypothesis square_height : INR h' <= a_h ar.
Hypothesis mean_summed :
  summed e_min prec ar h true 0 (map (fun j => (x j, 0)) (seq 0 n)) mean_sum size'.
Hypothesis mean_divisor : divisor_of e_min prec ar n cnt.
Hypothesis mean_divided : of2 (divs e_min prec ar 2) mean_sum cnt mean.
Hypothesis mean_number : forall c, mean = Some c -> in_format e_min prec c.
Hypothesis centered : forall j, of1 (fun c z => z = fl e_min prec ar (x j - c)) mean (dev j).
Hypothesis rest : rooted e_min prec ar n h' eps dev square_total cnt' quo shifted root.
Let m : R := bsum n x / INR n.
Let row_v : R := square_sum n x m / INR n.
Let center : err_pair :=
  p_center ar 1 (bsum n x) (bsum n (fun j => Rabs (x j))) (Z.of_nat n).
Let row_rstd : err_pair := p_rstd ar row_v (p_e center) eps (Z.of_nat n) (a_h ar + 5).

Theorem layer_mean_bounds : stands center m mean.
Proof. exact (p_center_stands e_min prec ar declared h n x size' mean_sum cnt mean mean_height
  mean_summed mean_divisor mean_divided). Qed.
Theorem layer_rstd_bounds : stands row_rstd (inv_root row_v eps) root.
Proof.
  apply (p_rstd_stands e_min prec ar declared n h' x (p_e center) eps (a_h ar + 5) mean dev
    square_total cnt' quo shifted root); auto.
  - replace (a_h ar + 5 + 1) with (a_h ar + 6) by ring. exact few_roundings.
  - lra.
  - intro L. destruct (layer_mean_bounds L) as [_ [c [C K]]]. exists c. auto.
Qed.
Theorem layer_norm_bounds : of3 (muls3 e_min prec ar) (dev i) root (Some gamma) scaled ->
  of2 (adds e_min prec ar) scaled (Some beta) y ->
  stands (p_normed ar 1 (x i) center row_rstd gamma beta)
    ((x i - m) * inv_root row_v eps * gamma + beta) y.
Proof.
  intros P Y. apply (p_normed_stands e_min prec ar declared 1 (x i)
    center m mean row_rstd (inv_root row_v eps)
    root gamma beta (dev i) scaled y); auto.
  - exact layer_mean_bounds.
  - exact layer_rstd_bounds.
  - unfold deviation. destruct (Z.eq_dec 1 0); [ discriminate |].
    intros a b A B. injection A as <-. exact (centered i b B).
Qed.
End LayerNorm.

(* A row of rms_norm. *)
Section RmsNorm.
Variables (n h : nat) (x : nat -> R) (eps : R) (gamma : R).
Variables (square_total cnt quo shifted root y : flnum) (i : nat).
Hypothesis some_n : (0 < n)%nat.
Hypothesis numbers : forall j, in_format e_min prec (x j).
Hypothesis finite : forall j, Rabs (x j) <= a_big ar.
Hypothesis eps_above : 0 < eps.
Hypothesis eps_number : in_format e_min prec eps.
Hypothesis moderate_n : moderate e_min prec ar n.
Hypothesis few_roundings : (a_h ar + 4) * a_u ar <= / 2.
Hypothesis few_root : few ar (2 * k_rsqrt ar + 1).
Hypothesis square_height : INR h <= a_h ar.
Hypothesis rest :
  rooted e_min prec ar n h eps (fun j => Some (x j)) square_total cnt quo shifted root.
Let row_v : R := square_sum n x 0 / INR n.
Let row_rstd : err_pair := p_rstd ar row_v 0 eps (Z.of_nat n) (a_h ar + 3).

Theorem rms_rstd_bounds : stands row_rstd (inv_root row_v eps) root.
Proof.
  apply (p_rstd_uncentered_stands e_min prec ar declared n h x 0 eps (a_h ar + 3)
    (fun j => Some (x j)) square_total cnt quo shifted root); auto.
  - replace (a_h ar + 3 + 1) with (a_h ar + 4) by ring. exact few_roundings.
  - lra.
Qed.
Theorem rms_norm_bounds : of3 (muls3 e_min prec ar) (Some (x i)) root (Some gamma) y ->
  stands (p_normed ar 0 (x i) (ErrPair 0 0) row_rstd gamma 0) (x i * inv_root row_v eps * gamma) y.
Proof.
  intro Y. replace (x i * inv_root row_v eps * gamma)
    with ((x i - center_of 0 0) * inv_root row_v eps * gamma + (if Z.eq_dec 0 0 then 0 else 0))
    by (unfold center_of; destruct (Z.eq_dec 0 0); [ ring | easy ]).
  apply (p_normed_stands e_min prec ar declared 0 (x i) (ErrPair 0 0) 0 (Some 0)
    row_rstd (inv_root row_v eps)
    root gamma 0 (Some (x i)) y y); auto.
  - apply exact_stands.
  - exact rms_rstd_bounds.
  - unfold deviation. now destruct (Z.eq_dec 0 0).
  - now destruct (Z.eq_dec 0 0).
Qed.
End RmsNorm.

(* ---- exp(d), d = x - m rounded, and its argument alpha u off in all ---- *)
Theorem p_shifted_exp_stands d c : few ar (2 * k_exp ar + 1) -> 0 <= k_exp ar -> 0 <= a_alpha ar ->
  a_alpha ar * a_u ar <= / 4 -> a_alpha ar * a_eta ar <= 1 ->
  (1 + p_gam (a_u ar) (2 * k_exp ar + 1)) * exp (-1000) <= a_eta ar -> 1 + (2 * k_exp ar + 2)
    * a_eta ar <= a_big ar ->
  (if Req_EM_T d 0 then c = Some 1 else exists z,
    Rabs (z - d) <= a_alpha ar * (a_u ar * Rabs d + a_eta ar) /\
    in_ulps e_min prec ar (k_exp ar) (exp z) c) ->
  stands (p_shifted_exp ar d) (exp d) c.
Proof.
  intros F K A0 A1 A2 TINY BIG C. unfold p_shifted_exp. destruct (Req_EM_T d 0) as [->|Z].
  - subst. rewrite exp_0. apply exact_stands.
  - destruct C as [z [ZD C]]. destruct (Rlt_dec d (-2000)) as [L|L].
    + intros _. cbn [p_v p_e]. split; [ easy |].
      assert (B : z <= -1000).
      { assert (H := Rle_abs (z - d)). rewrite (Rabs_left1 d) in ZD by lra.
        assert (a_alpha ar * a_u ar * - d <= / 4 * - d) by (apply Rmult_le_compat_r; lra). lra. }
      assert (E1 : exp z <= exp (-1000)) by now apply exp_rises.
      assert (E2 : exp d <= exp (-1000)) by (apply exp_rises; lra).
      assert (P1 := exp_pos z). assert (P2 := exp_pos d). assert (P3 := exp_pos (-1000)).
      assert (EP := a_eta_pos e_min prec ar declared).
      assert (G := p_gam_pos e_min prec ar declared (2 * k_exp ar + 1)).
      assert (M := ulps_made e_min prec ar declared (k_exp ar) (exp z) c F C).
      unfold made in M. rewrite (Rabs_pos_eq (exp z)) in M by lra.
      assert (GE : p_gam (a_u ar) (2 * k_exp ar + 1) * exp z <=
        p_gam (a_u ar) (2 * k_exp ar + 1) * exp (-1000)) by (apply Rmult_le_compat_l; lra).
      destruct M as [y [-> Y]]; [ lra |]. exists y. split; [ easy |].
      assert (Q : Rabs (y - exp d) <= Rabs (y - exp z) + Rabs (exp z - exp d)) by apply split_abs.
      assert (Rabs (exp z - exp d) <= exp (-1000)) by (apply Rabs_le; lra). lra.
    + apply (p_exp_stands e_min prec ar declared _ _ (Some z)); auto.
      * intros _. cbn [p_v p_e]. split; [ easy |]. now exists z.
      * intros t T. injection T as <-. exact C.
Qed.
Theorem e_softmax_bounds h l f k s a d c cnum y : height_of ar h (a_h ar) ->
  stands (p_shifted_exp ar d) (exp d) c -> summed e_min prec ar h f k l s a ->
  (forall t, In t l -> 0 <= fst t) -> of2 (divs e_min prec ar 2) c s y -> cnum = sum_values l ->
  let e := e_softmax ar d cnum (errors l) in
  e < vacuous -> exists z, y = Some z /\ Rabs (z - exp d / cnum) <= e.
Proof.
  intros H C S P Y -> e L.
  assert (E : sizes l = sum_values l).
  { clear - P. unfold sizes, sum_values. induction l; simpl; [ easy |]. rewrite IHl, Rabs_pos_eq;
      auto.
    apply P. now left. intros t T. apply P. now right. }
  assert (T := p_sum_stands e_min prec ar declared h (a_h ar) f k l s a H S). rewrite E in T.
  assert (Q := p_quo_stands e_min prec ar declared _ _ _ _ c s 2 y ltac:(lra)
    (few_2 e_min prec ar declared) C T Y). destruct (Q L) as [_ Z]. exact Z.
Qed.
End RowNodes.
