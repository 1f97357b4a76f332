(* spectral_conv1d: n points in `width` columns; each column's first bins, complex numbers, are mixed by a
   matrix W of such, a mode, and go back to points. Its VJP mixes the cotangent's bins by W's conjugate,
   transposed. Of the transforms no more is used than that they are linear: `ahead`, and T back, each with a
   real part (0) and an imaginary one (1). *)
Require Import Reals Lra Psatz Arith Lia.
From Coquelicot Require Import Coquelicot.
From Theory Require Import Sums Vjp.
Open Scope R_scope.

Section SpectralConv.
Variables (n width modes : nat) (ahead T : nat -> nat -> nat -> R).
(* arguments: 0 = points, (n, width); 1 and 2 = W, (modes, width, width), its real and imaginary parts *)
Definition spectral_sz (a : nat) : nat :=
  match a with O => (n * width)%nat | _ => (modes * width * width)%nat end.
Definition bin (p : nat) (x : nat -> R) k i := bsum n (fun j => x (j * width + i)%nat * ahead p k j).
Definition weight_of (w : nat -> R) k i o := w ((k * width + i) * width + o)%nat.
(* the cotangent's bins, as the way back gives them *)
Definition spectral_pulled (p : nat) (dy : nat -> R) k o := bsum n (fun j => dy (j * width + o)%nat * T p k j).

(* one of the four products of which a product of complex numbers consists *)
Definition one_product a p t (x : args) q := bsum modes (fun k => bsum width (fun i =>
  weight_of (x a) k i (q mod width) * bin p (x 0%nat) k i * T t k (q / width)%nat)).
Definition one_product_vjp a p t (x : args) (dy : nat -> R) (b q : nat) : R :=
  if Nat.eqb b 0 then bsum modes (fun k =>
    bsum width (fun o => weight_of (x a) k (q mod width) o * spectral_pulled t dy k o) * ahead p k (q / width)%nat)
  else if Nat.eqb b a then
    bin p (x 0%nat) (q / width / width)%nat (q / width mod width)%nat *
    spectral_pulled t dy (q / width / width)%nat (q mod width)%nat
  else 0.
Lemma sums_turned (J O K I : nat) (h : nat -> nat -> nat -> nat -> R) :
  bsum J (fun j => bsum O (fun o => bsum K (fun k => bsum I (fun i => h j o k i)))) =
  bsum K (fun k => bsum I (fun i => bsum O (fun o => bsum J (fun j => h j o k i)))).
Proof.
  rewrite (bsum_ext J _ (fun j => bsum K (fun k => bsum O (fun o => bsum I (fun i => h j o k i)))))
    by (intros; apply bsum_swap).
  rewrite bsum_swap. apply bsum_ext; intros k _.
  rewrite (bsum_ext J _ (fun j => bsum I (fun i => bsum O (fun o => h j o k i))))
    by (intros; apply bsum_swap).
  rewrite bsum_swap. apply bsum_ext; intros i _. apply bsum_swap.
Qed.
Lemma spectral_pulled_sum t (f : nat -> nat -> nat -> R) (dy : nat -> R) :
  bsum (n * width) (fun q => dy q * bsum modes (fun k => bsum width (fun i =>
    f k i (q mod width)%nat * T t k (q / width)%nat))) =
  bsum modes (fun k => bsum width (fun i => bsum width (fun o => f k i o * spectral_pulled t dy k o))).
Proof.
  rewrite bsum_flat.
  rewrite (bsum_ext n _ (fun j => bsum width (fun o => bsum modes (fun k => bsum width (fun i =>
    f k i o * (dy (j * width + o)%nat * T t k j)))))).
  - rewrite sums_turned. apply bsum_ext; intros k _. apply bsum_ext; intros i _.
    apply bsum_ext; intros o _. unfold spectral_pulled. now rewrite <- bsum_scal.
  - intros j _. apply bsum_ext; intros o Ho. rewrite (dm_div j width o Ho), (dm_mod j width o Ho).
    rewrite <- bsum_scal. apply bsum_ext; intros k _. rewrite <- bsum_scal.
    apply bsum_ext; intros; ring.
Qed.
Lemma product_is_vjp a p t : a = 1%nat \/ a = 2%nat ->
  is_vjp 3 spectral_sz (n * width) (fun _ => True) (one_product a p t) (one_product_vjp a p t).
Proof.
  intros Ha g g' t0 _ Hg.
  set (D := fun k i o => weight_of (g' a) k i o * bin p (g t0 0%nat) k i +
    weight_of (g t0 a) k i o * bin p (g' 0%nat) k i).
  exists (fun q => bsum modes (fun k => bsum width (fun i => D k i (q mod width)%nat *
    T t k (q / width)%nat))). split.
  - intros q Hq. assert (W : (width <> 0)%nat) by (intro E; rewrite E, Nat.mul_0_r in Hq; lia).
    assert (Ho := Nat.mod_upper_bound q width W).
    apply (bsum_derive modes (fun u k => bsum width (fun i => weight_of (g u a) k i (q mod width) *
      bin p (g u 0%nat) k i * T t k (q / width)%nat))).
    intros k Hk. apply (bsum_derive width (fun u i => weight_of (g u a) k i (q mod width) *
      bin p (g u 0%nat) k i * T t k (q / width)%nat)).
    intros i Hi. eapply D_eq.
    + apply D_mult; [| apply D_cst ]. apply D_mult.
      * unfold weight_of. apply (Hg a); [ lia |]. destruct Ha as [-> | ->]; cbn [spectral_sz]; nia.
      * unfold bin. apply (bsum_derive n (fun u j => g u 0%nat (j * width + i)%nat * ahead p k j)
          (fun j => g' 0%nat (j * width + i)%nat * ahead p k j)).
        intros j Hj. eapply D_eq.
        { apply D_mult; [ apply (Hg 0%nat); [ lia | cbn [spectral_sz]; nia ] | apply D_cst ]. }
        cbv beta. ring.
    + unfold D, weight_of, bin. cbv beta. ring.
  - intro dy. rewrite (spectral_pulled_sum t D dy). unfold D.
    rewrite (bsum_ext modes _ (fun k => bsum width (fun i => bsum width (fun o =>
        weight_of (g' a) k i o * (bin p (g t0 0%nat) k i * spectral_pulled t dy k o))) +
      bsum width (fun i => bsum width (fun o =>
        weight_of (g t0 a) k i o * spectral_pulled t dy k o * bin p (g' 0%nat) k i)))).
    2: { intros k _. rewrite <- bsum_plus. apply bsum_ext; intros i _. rewrite <- bsum_plus.
         apply bsum_ext; intros; ring. }
    rewrite bsum_plus, Rplus_comm.
    assert (Left : bsum modes (fun k => bsum width (fun i => bsum width (fun o =>
        weight_of (g t0 a) k i o * spectral_pulled t dy k o * bin p (g' 0%nat) k i))) =
      bsum (n * width) (fun q => one_product_vjp a p t (g t0) dy 0 q * g' 0%nat q)).
    { symmetry. rewrite bsum_flat. unfold one_product_vjp. cbn [Nat.eqb].
      rewrite (bsum_ext n _ (fun j => bsum width (fun i => bsum modes (fun k =>
        bsum width (fun o => weight_of (g t0 a) k i o * spectral_pulled t dy k o) * ahead p k j *
        g' 0%nat (j * width + i)%nat)))).
      2: { intros j _. apply bsum_ext; intros i Hi. rewrite (dm_div j width i Hi),
             (dm_mod j width i Hi). symmetry. apply bsum_scal_r. }
      rewrite (bsum_ext n _ (fun j => bsum modes (fun k => bsum width (fun i =>
        bsum width (fun o => weight_of (g t0 a) k i o * spectral_pulled t dy k o) * ahead p k j *
        g' 0%nat (j * width + i)%nat)))) by (intros; apply bsum_swap).
      rewrite bsum_swap. apply bsum_ext; intros k _. rewrite bsum_swap. apply bsum_ext; intros i _.
      rewrite bsum_scal_r. unfold bin. rewrite <- bsum_scal. apply bsum_ext; intros; ring. }
    assert (Right : bsum modes (fun k => bsum width (fun i => bsum width (fun o =>
        weight_of (g' a) k i o * (bin p (g t0 0%nat) k i * spectral_pulled t dy k o)))) =
      bsum (modes * width * width) (fun q => one_product_vjp a p t (g t0) dy a q * g' a q)).
    { symmetry. rewrite bsum_flat, bsum_flat. apply bsum_ext; intros k _. apply bsum_ext; intros i Hi.
      apply bsum_ext; intros o Ho. unfold one_product_vjp, weight_of.
      rewrite (dm_div (k * width + i) width o Ho), (dm_mod (k * width + i) width o Ho),
        (dm_div k width i Hi), (dm_mod k width i Hi).
      destruct Ha as [-> | ->]; cbn [Nat.eqb]; ring. }
    rewrite Left, Right. cbn [bsum spectral_sz].
    destruct Ha as [-> | ->].
    + rewrite (bsum_ext (modes * width * width) (fun k => one_product_vjp 1 p t (g t0) dy 2 k * _)
        (fun _ => 0)), bsum_0 by (intros; unfold one_product_vjp; cbn [Nat.eqb]; ring). ring.
    + rewrite (bsum_ext (modes * width * width) (fun k => one_product_vjp 2 p t (g t0) dy 1 k * _)
        (fun _ => 0)), bsum_0 by (intros; unfold one_product_vjp; cbn [Nat.eqb]; ring). ring.
Qed.
Lemma is_vjp_sum na sz m F G V U c : is_vjp na sz m (fun _ => True) F V ->
  is_vjp na sz m (fun _ => True) G U ->
  is_vjp na sz m (fun _ => True) (fun x q => F x q + c * G x q)
    (fun x dy a k => V x dy a k + c * U x dy a k).
Proof.
  intros HF HG g g' t0 _ Hg. destruct (HF g g' t0 I Hg) as [D [D1 D2]],
    (HG g g' t0 I Hg) as [E [E1 E2]].
  exists (fun q => D q + c * E q). split.
  - intros q Hq. apply D_plus; [ auto |]. eapply D_eq.
    + apply D_mult; [ apply D_cst | apply E1; exact Hq ].
    + cbv beta. ring.
  - intro dy. rewrite (bsum_ext m _ (fun i => dy i * D i + c * (dy i * E i))) by (intros; ring).
    rewrite bsum_plus, bsum_scal, D2, E2, <- bsum_scal, <- bsum_plus. apply bsum_ext; intros a _.
    rewrite <- bsum_scal, <- bsum_plus. apply bsum_ext; intros; ring.
Qed.

(* (re, im) of W times the bin, then back *)
Definition spectral_conv (x : args) q := bsum modes (fun k => bsum width (fun i =>
  (weight_of (x 1%nat) k i (q mod width) * bin 0 (x 0%nat) k i -
   weight_of (x 2%nat) k i (q mod width) * bin 1 (x 0%nat) k i) * T 0 k (q / width)%nat +
  (weight_of (x 1%nat) k i (q mod width) * bin 1 (x 0%nat) k i +
   weight_of (x 2%nat) k i (q mod width) * bin 0 (x 0%nat) k i) * T 1 k (q / width)%nat)).
Definition spectral_conv_vjp (x : args) (dy : nat -> R) (b q : nat) : R :=
  let k := (q / width / width)%nat in let i := (q / width mod width)%nat in
  let o := (q mod width)%nat in
  match b with
  | O => bsum modes (fun k =>
      bsum width (fun o => weight_of (x 1%nat) k (q mod width) o * spectral_pulled 0 dy k o +
        weight_of (x 2%nat) k (q mod width) o * spectral_pulled 1 dy k o) * ahead 0 k (q / width)%nat +
      bsum width (fun o => weight_of (x 1%nat) k (q mod width) o * spectral_pulled 1 dy k o -
        weight_of (x 2%nat) k (q mod width) o * spectral_pulled 0 dy k o) * ahead 1 k (q / width)%nat)
  | S O => bin 0 (x 0%nat) k i * spectral_pulled 0 dy k o + bin 1 (x 0%nat) k i * spectral_pulled 1 dy k o
  | _ => bin 0 (x 0%nat) k i * spectral_pulled 1 dy k o - bin 1 (x 0%nat) k i * spectral_pulled 0 dy k o
  end.
Theorem spectral_conv_is_vjp :
  is_vjp 3 spectral_sz (n * width) (fun _ => True) spectral_conv spectral_conv_vjp.
Proof.
  eapply is_vjp_ext; [ | | exact (is_vjp_sum _ _ _ _ _ _ _ 1
    (is_vjp_sum _ _ _ _ _ _ _ 1
      (is_vjp_sum _ _ _ _ _ _ _ (-1) (product_is_vjp 1 0 0 (or_introl eq_refl))
        (product_is_vjp 2 1 0 (or_intror eq_refl)))
      (product_is_vjp 1 1 1 (or_introl eq_refl)))
    (product_is_vjp 2 0 1 (or_intror eq_refl))) ].
  - intros x q _. unfold spectral_conv, one_product.
    rewrite <- !bsum_scal, <- !bsum_plus. apply bsum_ext; intros k _.
    rewrite <- !bsum_scal, <- !bsum_plus. apply bsum_ext; intros i _. ring.
  - intros x dy a q _ Ha _. unfold spectral_conv_vjp, one_product_vjp.
    destruct a as [|[|[|a]]]; [| | | lia ]; cbn [Nat.eqb]; try ring.
    rewrite <- !bsum_scal, <- !bsum_plus. apply bsum_ext; intros k _.
    rewrite bsum_plus, bsum_minus. ring.
Qed.
End SpectralConv.
