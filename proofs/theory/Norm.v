(* Layer norm and RMS norm of a row, x, weight and bias moving at once. *)
Require Import Reals Lra Psatz Arith List Lia FunctionalExtensionality.
From Coquelicot Require Import Coquelicot.
From Theory Require Import Sums Vjp.
Open Scope R_scope.

Definition mean n (x : nat -> R) : R := bsum n x / INR n.
Definition variance n (x : nat -> R) : R := bsum n (fun k => (x k - mean n x) * (x k - mean n x)) / INR n.
Definition rstd n eps (x : nat -> R) : R := 1 / sqrt (variance n x + eps).
Definition xhat n eps (x : nat -> R) i : R := (x i - mean n x) * rstd n eps x.
(* arguments: 0 = x, 1 = weight, 2 = bias *)
Definition layer_norm n eps (a : args) i : R := xhat n eps (a 0%nat) i * a 1%nat i + a 2%nat i.
Definition layer_norm_vjp n eps (a : args) (dy : nat -> R) (arg j : nat) : R :=
  let x := a 0%nat in let w := a 1%nat in
  match arg with
  | 0%nat => rstd n eps x *
        (dy j * w j
         - bsum n (fun k => dy k * w k) / INR n
         - xhat n eps x j * (bsum n (fun k => dy k * w k * xhat n eps x k) / INR n))
  | 1%nat => dy j * xhat n eps x j
  | _ => dy j
  end.

Lemma variance_nonneg n x : (0 < n)%nat -> 0 <= variance n x.
Proof.
  intro Hn. apply lt_0_INR in Hn. unfold variance, Rdiv.
  apply Rmult_le_pos; [ apply bsum_nonneg; intro; apply Rle_0_sqr | left; now apply Rinv_0_lt_compat ].
Qed.
Lemma centered n x : (0 < n)%nat -> bsum n (fun k => x k - mean n x) = 0.
Proof.
  intro Hn. apply lt_0_INR in Hn. rewrite bsum_minus, bsum_const. unfold mean. field. lra.
Qed.

Section D.
Variables (n : nat) (eps : R).
Hypothesis (Hn : (0 < n)%nat) (He : 0 < eps).
Variables (g : R -> nat -> R) (g' : nat -> R) (t0 : R).
Hypothesis Hg : forall k, (k < n)%nat -> is_derive (fun t => g t k) t0 (g' k).
Let x := g t0.
Let Nn : INR n <> 0. Proof. generalize (lt_0_INR _ Hn); lra. Qed.

Lemma D_mean : is_derive (fun t => mean n (g t)) t0 (mean n g').
Proof.
  eapply D_eq. apply D_div. apply (bsum_derive n g g' t0 Hg). apply D_cst. exact Nn.
  cbv beta. unfold mean. field. exact Nn.
Qed.
Lemma D_variance : is_derive (fun t => variance n (g t)) t0 (2 * bsum n (fun k => (x k - mean n x) * g' k) / INR n).
Proof.
  eapply D_eq. apply D_div. 
  apply (bsum_derive n (fun t k => (g t k - mean n (g t)) * (g t k - mean n (g t)))
    (fun k => 2 * ((x k - mean n x) * g' k) - (2 * mean n g') * (x k - mean n x))).
  intros k Hk. eapply D_eq. apply D_mult; (apply D_minus; [ exact (Hg k Hk) | exact D_mean ]). cbv beta. fold x. ring.
  apply D_cst. exact Nn.
  cbv beta. rewrite bsum_minus, !bsum_scal, centered by exact Hn. field. exact Nn.
Qed.
Lemma D_rstd : is_derive (fun t => rstd n eps (g t)) t0
   (- (rstd n eps x * rstd n eps x * (bsum n (fun k => xhat n eps x k * g' k) / INR n))).
Proof.
  assert (Hv : 0 < variance n x + eps) by (generalize (variance_nonneg n x Hn); lra).
  assert (Hs := sqrt_lt_R0 _ Hv).
  eapply D_eq. apply D_div. apply D_cst. apply D_sqrt. apply D_plus. apply D_variance. apply D_cst. exact Hv.
  change (sqrt (variance n x + eps) <> 0); lra.
  cbv beta. fold x.
  rewrite (bsum_ext n (fun k => xhat n eps x k * g' k) (fun k => rstd n eps x * ((x k - mean n x) * g' k)))
    by (intros; unfold xhat; ring).
  rewrite bsum_scal. unfold rstd. 
  set (s := sqrt (variance n x + eps)) in *. field. split; [ lra | exact Nn ].
Qed.
Lemma D_xhat i : (i < n)%nat -> is_derive (fun t => xhat n eps (g t) i) t0
   (rstd n eps x * (g' i - mean n g' - xhat n eps x i * (bsum n (fun k => xhat n eps x k * g' k) / INR n))).
Proof.
  intro Hi. eapply D_eq. apply D_mult. apply D_minus; [ now apply Hg | apply D_mean ]. apply D_rstd.
  cbv beta. fold x. set (S' := bsum n (fun k => xhat n eps x k * g' k) / INR n). unfold xhat. ring.
Qed.
End D.

Theorem layer_norm_is_vjp n eps : (0 < n)%nat -> 0 < eps ->
  is_vjp 3 (sz1 n) n (fun _ => True) (layer_norm n eps) (layer_norm_vjp n eps).
Proof.
  intros Hn He g g' t0 _ Hg. set (x := g t0 0%nat). set (w := g t0 1%nat).
  set (xh := xhat n eps x). set (r := rstd n eps x). set (x' := g' 0%nat).
  set (S' := bsum n (fun k => xh k * x' k) / INR n).
  exists (fun i => r * (x' i - mean n x' - xh i * S') * w i + xh i * g' 1%nat i + g' 2%nat i). split.
  - intros i Hi. unfold layer_norm.
    apply (D_plus (fun t => xhat n eps (g t 0%nat) i * g t 1%nat i) (fun t => g t 2%nat i)); [| apply Hg; auto ].
    apply (D_mult (fun t => xhat n eps (g t 0%nat) i) (fun t => g t 1%nat i)); [| apply Hg; auto ].
    apply (D_xhat n eps Hn He (fun t => g t 0%nat)); [ intros k Hk; apply Hg; auto | exact Hi ].
  - intro dy. simpl. rewrite Rplus_0_l. unfold sz1, layer_norm_vjp. fold x w r xh.
    rewrite <- !bsum_plus.
    set (G := bsum n (fun k => dy k * w k) / INR n).
    set (H := bsum n (fun k => dy k * w k * xh k) / INR n).
    assert (N0 : INR n <> 0) by (generalize (lt_0_INR _ Hn); lra).
    transitivity (bsum n (fun i => dy i * w i * (r * x' i) + dy i * xh i * g' 1%nat i + dy i * g' 2%nat i)
       - r * mean n x' * (INR n * G) - r * S' * (INR n * H)).
    + replace (INR n * G) with (bsum n (fun k => dy k * w k)) by (unfold G; field; exact N0).
      replace (INR n * H) with (bsum n (fun k => dy k * w k * xh k)) by (unfold H; field; exact N0).
      rewrite <- !bsum_scal, <- !bsum_minus. apply bsum_ext; intros; ring.
    + replace (r * mean n x' * (INR n * G)) with (r * G * bsum n x') by (unfold mean; field; exact N0).
      replace (r * S' * (INR n * H)) with (r * H * bsum n (fun k => xh k * x' k)) by (unfold S'; field; exact N0).
      rewrite <- !bsum_scal, <- !bsum_minus. apply bsum_ext; intros; fold x'; ring.
Qed.

(* ------------------------------------------------------------------ RMS norm *)
Definition ms n (x : nat -> R) : R := bsum n (fun k => x k * x k) / INR n.
Definition rrms n eps (x : nat -> R) : R := 1 / sqrt (ms n x + eps).
Definition rms_norm n eps (a : args) i : R := a 0%nat i * rrms n eps (a 0%nat) * a 1%nat i.
Definition rms_norm_vjp n eps (a : args) (dy : nat -> R) (arg j : nat) : R :=
  let x := a 0%nat in let w := a 1%nat in let r := rrms n eps x in
  match arg with
  | 0%nat => r * (dy j * w j - x j * (r * r) * (bsum n (fun k => dy k * w k * x k) / INR n))
  | _ => dy j * (x j * r)
  end.
Theorem rms_norm_is_vjp n eps : (0 < n)%nat -> 0 < eps ->
  is_vjp 2 (sz1 n) n (fun _ => True) (rms_norm n eps) (rms_norm_vjp n eps).
Proof.
  intros Hn He g g' t0 _ Hg. set (x := g t0 0%nat). set (w := g t0 1%nat).
  set (r := rrms n eps x). set (x' := g' 0%nat).
  assert (N0 : 0 < INR n) by (generalize (lt_0_INR _ Hn); lra).
  assert (Hm : 0 < ms n x + eps).
  { assert (0 <= ms n x). apply Rmult_le_pos; [ apply bsum_nonneg; intro; apply Rle_0_sqr | left; now apply Rinv_0_lt_compat ]. lra. }
  assert (Hs := sqrt_lt_R0 _ Hm).
  set (S' := bsum n (fun k => x k * x' k) / INR n).
  assert (Dr : is_derive (fun t => rrms n eps (g t 0%nat)) t0 (- (r * r * r * S'))).
  { eapply D_eq. apply D_div. apply D_cst. apply D_sqrt. apply D_plus. apply D_div.
    apply (bsum_derive n (fun t k => g t 0%nat k * g t 0%nat k) (fun k => 2 * (x k * x' k))).
    intros k Hk. eapply D_eq. apply D_mult; apply Hg; auto. cbv beta. fold x x'. ring.
    apply D_cst. lra. apply D_cst. exact Hm. change (sqrt (ms n x + eps) <> 0); lra.
    cbv beta. fold x. rewrite bsum_scal. unfold r, rrms, S'. 
    change (bsum n (fun k => x k * x k) / INR n) with (ms n x).
    set (s := sqrt (ms n x + eps)) in *. field. split; lra. }
  exists (fun i => (x' i * r - x i * (r * r * r * S')) * w i + x i * r * g' 1%nat i). split.
  - intros i Hi. eapply D_eq. apply D_mult. apply D_mult. apply Hg; auto. exact Dr. apply Hg; auto.
    cbv beta. fold x w r x'. ring.
  - intro dy. simpl. rewrite Rplus_0_l. unfold sz1, rms_norm_vjp. fold x w r.
    rewrite <- !bsum_plus.
    set (H := bsum n (fun k => dy k * w k * x k) / INR n).
    transitivity (bsum n (fun i => dy i * w i * (r * x' i) + dy i * (x i * r) * g' 1%nat i) - r * r * r * S' * (INR n * H)).
    + replace (INR n * H) with (bsum n (fun k => dy k * w k * x k)) by (unfold H; field; lra).
      rewrite <- !bsum_scal, <- !bsum_minus. apply bsum_ext; intros; ring.
    + replace (r * r * r * S' * (INR n * H)) with (r * r * r * H * bsum n (fun k => x k * x' k)) by (unfold S'; field; lra).
      rewrite <- !bsum_scal, <- !bsum_minus. apply bsum_ext; intros; fold x'; ring.
Qed.
