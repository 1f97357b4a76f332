(* Convolution (cross-correlation) and its transpose, in any number of dimensions, with stride,
  padding
   and dilation, by groups and over a batch: each is the VJP of the other. A bias. *)
Require Import Reals Lra Psatz Arith Lia.
From Coquelicot Require Import Coquelicot.
From Theory Require Import Sums Vjp Linear Radix Rows Layout.
Open Scope R_scope.

(* One image of ci channels, nin elements each, to co channels of nout. Tap u of the K of a kernel,
  at t of
   the output, meets the element `source_of t u` of the image, or padding. Weights: (co, ci, K). *)
Section Taps.
Variables (ci co nin nout K : nat) (inside : nat -> nat -> bool) (source_of : nat -> nat -> nat).
Hypothesis source_below : forall t u, (t < nout)%nat -> (u < K)%nat -> inside t u = true ->
  (source_of t u < nin)%nat.

(* arguments: 0 = the image, (ci, nin), 1 = the weights *)
Definition conv (x : args) q : R :=
  bsum ci (fun c => bsum K (fun u => if_ (inside (q mod nout) u)
    (x 0%nat (c * nin + source_of (q mod nout) u)%nat * x 1%nat ((q / nout * ci + c)
      * K + u)%nat))).
(* arguments: 0 = (co, nout), 1 = the same weights; each element spreads its kernel over (ci, nin)
  *)
Definition conv_transpose (x : args) j : R :=
  bsum co (fun o => bsum nout (fun t => bsum K (fun u => if_ (inside t u && Nat.eqb (j mod nin)
    (source_of t u))
    (x 0%nat (o * nout + t)%nat * x 1%nat ((o * ci + j / nin) * K + u)%nat)))).
(* how an image x and a output y meet in the weight at l = (o, c, u) *)
Definition meet (x y : nat -> R) l : R :=
  bsum nout (fun t => if_ (inside t (l mod K))
    (y ((l / K / ci) * nout + t)%nat * x ((l / K) mod ci * nin + source_of t (l mod K))%nat)).
Definition image_sz (a : nat) : nat := match a with O => (ci * nin)%nat | _ => (co * ci * K)%nat
  end.
Definition result_sz (a : nat) : nat := match a with O => (co * nout)%nat | _ => (co * ci * K)%nat
  end.
Definition both_of (u v : nat -> R) : args := fun a => match a with O => u | _ => v end.

(* <y, conv (x, w)>, tap by tap *)
Definition taps (x w y : nat -> R) : R :=
  bsum co (fun o => bsum nout (fun t => bsum ci (fun c => bsum K (fun u => if_ (inside t u)
    (y (o * nout + t)%nat * x (c * nin + source_of t u)%nat * w ((o * ci + c) * K + u)%nat))))).
Lemma if_times (c : bool) v a : if_ c v * a = if_ c (v * a).
Proof. destruct c; simpl; ring. Qed.
Lemma times_if (c : bool) v a : a * if_ c v = if_ c (a * v).
Proof. destruct c; simpl; ring. Qed.
Lemma by_conv x w y : bsum (co * nout) (fun q => y q * conv (both_of x w) q) = taps x w y.
Proof.
  unfold taps. rewrite bsum_flat. apply bsum_ext; intros o Ho. apply bsum_ext; intros t Ht.
    unfold conv.
  rewrite (dm_div o nout t Ht), (dm_mod o nout t Ht), <- bsum_scal. apply bsum_ext; intros c Hc.
    rewrite <- bsum_scal.
  apply bsum_ext; intros u Hu. rewrite times_if. f_equal. simpl. ring.
Qed.
Lemma by_transpose x w y : bsum (ci * nin) (fun j => conv_transpose (both_of y w) j * x j)
  = taps x w y.
Proof.
  rewrite bsum_flat.
  rewrite (bsum_ext ci _ (fun c => bsum co (fun o => bsum nout (fun t => bsum K (fun u => if_
    (inside t u)
    (y (o * nout + t)%nat * x (c * nin + source_of t u)%nat * w ((o * ci + c) * K + u)%nat)))))).
  - unfold taps. rewrite bsum_swap. apply bsum_ext; intros o Ho. rewrite bsum_swap. reflexivity.
  - intros c Hc. unfold conv_transpose.
    rewrite (bsum_ext nin _ (fun v => bsum co (fun o => bsum nout (fun t => bsum K (fun u =>
      if_ (inside t u && Nat.eqb v (source_of t u)) 1 * (y (o * nout + t)%nat * w ((o * ci + c)
        * K + u)%nat * x (c * nin + v)%nat)))))).
    + rewrite bsum_swap. apply bsum_ext; intros o Ho. rewrite bsum_swap. apply bsum_ext;
        intros t Ht.
      rewrite bsum_swap. apply bsum_ext; intros u Hu.
      rewrite (bsum_pick nin (inside t u) (source_of t u)
        (fun v => y (o * nout + t)%nat * w ((o * ci + c) * K + u)%nat * x (c * nin + v)%nat))
          by auto.
      f_equal. ring.
    + intros v Hv. rewrite (dm_div c nin v Hv), (dm_mod c nin v Hv), <- bsum_scal_r.
        apply bsum_ext; intros o Ho.
      rewrite <- bsum_scal_r. apply bsum_ext; intros t Ht. rewrite <- bsum_scal_r. apply bsum_ext;
        intros u Hu.
      simpl. rewrite (if_mult _ (y _ * _)). ring.
Qed.
Lemma by_weight x w y : bsum (co * ci * K) (fun l => meet x y l * w l) = taps x w y.
Proof.
  rewrite bsum_flat, bsum_flat. unfold taps. apply bsum_ext; intros o Ho.
  rewrite (bsum_swap nout ci). apply bsum_ext; intros c Hc. rewrite (bsum_swap nout K).
    apply bsum_ext; intros u Hu.
  unfold meet. rewrite (dm_div _ K u Hu), (dm_mod _ K u Hu), (dm_div o ci c Hc),
    (dm_mod o ci c Hc), <- bsum_scal_r.
  apply bsum_ext; intros t Ht. now rewrite if_times.
Qed.
Theorem conv_adjoint x w y :
  bsum (co * nout) (fun q => y q * conv (both_of x w) q) = bsum (ci * nin)
    (fun j => conv_transpose (both_of y w) j * x j).
Proof. now rewrite by_conv, by_transpose. Qed.

Lemma taps_two x w : both_of x w = fun a => match a with O => x | _ => w end.
Proof. reflexivity. Qed.
Lemma if_derive (c : bool) (f : R -> R) t0 l : (c = true -> is_derive f t0 l)
  -> is_derive (fun t => if_ c (f t)) t0 (if_ c l).
Proof. destruct c; simpl; intro H; [ now apply H | apply D_cst ]. Qed.
Theorem conv_is_vjp : is_vjp 2 image_sz (co * nout) (fun _ => True) conv
  (fun x dy a => match a with O => conv_transpose (both_of dy (x 1%nat)) | _ => meet (x 0%nat)
    dy end).
Proof.
  intros g g' t0 _ Hg. exists (fun q => conv (both_of (g' 0%nat) (g t0 1%nat))
    q + conv (both_of (g t0 0%nat) (g' 1%nat)) q). split.
  - intros q Hq. destruct (flat_index co nout q Hq) as [o [t [Ho [Ht [_ [Eo Et]]]]]]. unfold conv.
      rewrite Eo, Et, <- bsum_plus.
    apply (bsum_derive ci (fun s c => bsum K (fun u => if_ (inside t u)
      (g s 0%nat (c * nin + source_of t u)%nat * g s 1%nat ((o * ci + c) * K + u)%nat)))).
        intros c Hc. rewrite <- bsum_plus.
    apply (bsum_derive K (fun s u => if_ (inside t u)
      (g s 0%nat (c * nin + source_of t u)%nat * g s 1%nat ((o * ci + c) * K + u)%nat))).
        intros u Hu.
    eapply D_eq. apply (if_derive (inside t u) (fun s => g s 0%nat (c * nin + source_of t u)%nat *
      g s 1%nat ((o * ci + c) * K + u)%nat)).
    + intro E. assert (B := source_below t u Ht Hu E). apply D_mult; apply Hg; auto; simpl.
      * nia.
      * assert ((o * ci + c) < co * ci)%nat by nia. nia.
    + destruct (inside t u); simpl; ring.
  - intro dy. rewrite (bsum_ext (co * nout) _ (fun q => dy q * conv (both_of (g' 0%nat)
      (g t0 1%nat)) q + dy q * conv (both_of (g t0 0%nat) (g' 1%nat)) q))
      by (intros; ring). rewrite bsum_plus, !by_conv. cbn [bsum image_sz]. rewrite Rplus_0_l,
        by_transpose, by_weight. reflexivity.
Qed.
Theorem conv_transpose_is_vjp : is_vjp 2 result_sz (ci * nin) (fun _ => True) conv_transpose
  (fun x dy a => match a with O => conv (both_of dy (x 1%nat)) | _ => meet dy (x 0%nat) end).
Proof.
  intros g g' t0 _ Hg.
  exists (fun j => conv_transpose (both_of (g' 0%nat) (g t0 1%nat))
    j + conv_transpose (both_of (g t0 0%nat) (g' 1%nat)) j). split.
  - intros j Hj. destruct (flat_index ci nin j Hj) as [c [v [Hc [Hv [_ [Ec Ev]]]]]].
      unfold conv_transpose. rewrite Ec, Ev, <- bsum_plus.
    apply (bsum_derive co (fun s o => bsum nout (fun t => bsum K (fun u => if_ (inside t u &&
      Nat.eqb v (source_of t u))
      (g s 0%nat (o * nout + t)%nat * g s 1%nat ((o * ci + c) * K + u)%nat))))). intros o Ho.
        rewrite <- bsum_plus.
    apply (bsum_derive nout (fun s t => bsum K (fun u => if_ (inside t u && Nat.eqb v (source_of t
      u))
      (g s 0%nat (o * nout + t)%nat * g s 1%nat ((o * ci + c) * K + u)%nat)))). intros t Ht.
        rewrite <- bsum_plus.
    apply (bsum_derive K (fun s u => if_ (inside t u && Nat.eqb v (source_of t u))
      (g s 0%nat (o * nout + t)%nat * g s 1%nat ((o * ci + c) * K + u)%nat))). intros u Hu.
    eapply D_eq. apply (if_derive _ (fun s => g s 0%nat (o * nout + t)%nat * g s 1%nat ((o * ci +
      c) * K + u)%nat)).
    + intros _. apply D_mult; apply Hg; auto; simpl.
      * nia.
      * assert ((o * ci + c) < co * ci)%nat by nia. nia.
    + destruct (_ && _)%bool; simpl; ring.
  - intro dy. rewrite (bsum_ext (ci * nin) _ (fun j => conv_transpose (both_of (g' 0%nat)
      (g t0 1%nat)) j * dy j
      + conv_transpose (both_of (g t0 0%nat) (g' 1%nat)) j * dy j)) by (intros; ring).
    rewrite bsum_plus, !by_transpose. cbn [bsum result_sz].
    rewrite Rplus_0_l, (bsum_ext (co * nout) _ (fun q => g' 0%nat q * conv (both_of dy (g t0
      1%nat)) q)) by (intros; ring).
    rewrite by_conv, by_weight. reflexivity.
Qed.
End Taps.

(* An op plus a bias: one number more, of nb, for each element of the result. *)
Definition biased (na : nat) (ch : nat -> nat) (F : args -> nat -> R) (x : args) i : R :=
  F x i + x na (ch i).
Definition biased_vjp na m (ch : nat -> nat) (V : args -> (nat -> R) -> nat -> nat -> R)
  (x : args) (dy : nat -> R) a k : R :=
  if Nat.eqb a na then gathered m ch (fun _ => dy) k else V x dy a k.
Definition biased_sz (na nb : nat) (sz : nat -> nat) a : nat := if Nat.eqb a na then nb else sz a.
Lemma biased_is_vjp na nb sz m P F V ch : (forall i, (i < m)%nat -> (ch i < nb)%nat) ->
  is_vjp na sz m P F V -> is_vjp (S na) (biased_sz na nb sz) m P (biased na ch F)
    (biased_vjp na m ch V).
Proof.
  intros Hc H g g' t0 HP Hg. destruct (H g g' t0 HP) as [D [H1 H2]].
  { intros a k Ha Hk. apply Hg; [ lia |]. unfold biased_sz. destruct (Nat.eqb_spec a na);
    [ lia | exact Hk ]. }
  exists (fun i => D i + g' na (ch i)). split.
  - intros i Hi. apply D_plus; [ now apply H1 |]. apply Hg; [ lia |]. unfold biased_sz.
      rewrite Nat.eqb_refl. now apply Hc.
  - intro dy. rewrite (bsum_ext m _ (fun i => dy i * D i + dy i * g' na (ch i))) by (intros; ring).
    rewrite bsum_plus, H2. cbn [bsum]. f_equal.
    + apply bsum_ext; intros a Ha. unfold biased_sz, biased_vjp. destruct (Nat.eqb_spec a na);
        [ lia | reflexivity ].
    + unfold biased_sz, biased_vjp, gathered. rewrite Nat.eqb_refl.
      rewrite (bsum_ext nb _ (fun k => bsum m (fun i => (if Nat.eqb k (ch i) then 1 else 0)
        * (dy i * g' na k)))).
      * rewrite bsum_swap. apply bsum_ext; intros i Hi. now rewrite (bsum_one nb (ch i)
          (fun k => dy i * g' na k)) by auto.
      * intros k Hk. rewrite <- bsum_scal_r. apply bsum_ext; intros i Hi. rewrite (Nat.eqb_sym k).
        destruct (Nat.eqb (ch i) k); simpl; ring.
Qed.

(* Where a tap lies, in any number of dimensions: index e of it is t_e stride_e + u_e dilation_e -
  pad_e. *)
Section Windows.
Variables (rank : nat) (image kernel output stride dilation pad : nat -> nat).
Definition reach (t u e : nat) : nat :=
  (dims_index output rank t e * stride e + dims_index kernel rank u e * dilation e)%nat.
Fixpoint in_image (n t u : nat) : bool :=
  match n with O => true | S e => (in_image e t u && (pad e <=? reach t u e)
    && (reach t u e <? pad e + image e))%nat%bool end.
Definition tap_inside (t u : nat) : bool := in_image rank t u.
Definition tap_source (t u : nat) : nat := dims_at image rank (fun e => reach t u e - pad e)%nat.
Lemma tap_source_below t u : tap_inside t u = true -> (tap_source t u < dims_count image rank)%nat.
Proof.
  assert (G : forall n, in_image n t u = true -> forall e, (e < n)%nat -> (reach t u e - pad e <
    image e)%nat).
  { induction n; simpl; intros H e He; [ lia |]. apply andb_prop in H. destruct H as [H H2].
    apply andb_prop in H.
    destruct H as [H H1]. apply Nat.leb_le in H1. apply Nat.ltb_lt in H2.
    destruct (Nat.eq_dec e n) as [->|D]; [ lia | apply IHn; [ exact H | lia ] ]. }
  intro H. apply dims_at_below. now apply G.
Qed.

(* groups of channels, each with its kernels, and a batch of images with the same weights:
   x (batch, groups, ci, image..), w (groups, co, ci, kernel..), y (batch, groups, co, output..) *)
Variables (batch groups ci co : nat).
Definition nx := dims_count image rank.
Definition ny := dims_count output rank.
Definition nk := dims_count kernel rank.
Definition weights_shared (a : nat) : bool := match a with O => false | _ => true end.
Definition each (_ : nat) : bool := false.
Definition conv_nd : args -> nat -> R :=
  rows_fwd (groups * (co * ny)) (rows_sz groups (image_sz ci co nx nk) each) weights_shared
    (rows_fwd (co * ny) (image_sz ci co nx nk) each (conv ci nx ny nk tap_inside tap_source)).
Definition conv_transpose_nd : args -> nat -> R :=
  rows_fwd (groups * (ci * nx)) (rows_sz groups (result_sz ci co ny nk) each) weights_shared
    (rows_fwd (ci * nx) (result_sz ci co ny nk) each (conv_transpose ci co nx ny nk tap_inside
      tap_source)).
Theorem conv_nd_is_vjp :
  is_vjp 2 (rows_sz batch (rows_sz groups (image_sz ci co nx nk) each) weights_shared)
    (batch * (groups * (co * ny)))
    (fun _ => True) conv_nd
    (rows_vjp batch (groups * (co * ny)) (rows_sz groups (image_sz ci co nx nk) each) weights_shared
      (rows_vjp groups (co * ny) (image_sz ci co nx nk) each (fun x dy a => match a with
         | O => conv_transpose ci co nx ny nk tap_inside tap_source (both_of dy (x 1%nat))
         | _ => meet ci nx ny nk tap_inside tap_source (x 0%nat) dy end))).
Proof.
  assert (A := rows_is_vjp groups 2 (co * ny) (image_sz ci co nx nk) each (fun _ => True) _ _
    (conv_is_vjp ci co nx ny nk tap_inside tap_source (fun t u _ _ => tap_source_below t u))).
  assert (B := rows_is_vjp batch 2 _ _ weights_shared _ _ _ A).
  apply (is_vjp_within _ _ _ _ (fun _ => True)) in B; [ exact B | auto ].
Qed.
(* with a bias for each channel of the output *)
Corollary conv_bias_is_vjp : let sz := rows_sz batch (rows_sz groups (image_sz ci co nx nk) each)
  weights_shared in
  let ch q := ((q / ny) mod (groups * co))%nat in
  is_vjp 3 (biased_sz 2 (groups * co) sz) (batch * (groups * (co * ny))) (fun _ => True)
    (biased 2 ch conv_nd)
    (biased_vjp 2 (batch * (groups * (co * ny))) ch
      (rows_vjp batch (groups * (co * ny)) (rows_sz groups (image_sz ci co nx nk) each)
        weights_shared
        (rows_vjp groups (co * ny) (image_sz ci co nx nk) each (fun x dy a => match a with
           | O => conv_transpose ci co nx ny nk tap_inside tap_source (both_of dy (x 1%nat))
           | _ => meet ci nx ny nk tap_inside tap_source (x 0%nat) dy end)))).
Proof.
  intros sz ch. apply biased_is_vjp; [| exact conv_nd_is_vjp ]. intros i Hi.
    apply Nat.mod_upper_bound. nia.
Qed.
Theorem conv_transpose_nd_is_vjp :
  is_vjp 2 (rows_sz batch (rows_sz groups (result_sz ci co ny nk) each) weights_shared)
    (batch * (groups * (ci * nx)))
    (fun _ => True) conv_transpose_nd
    (rows_vjp batch (groups * (ci * nx)) (rows_sz groups (result_sz ci co ny nk) each)
      weights_shared
      (rows_vjp groups (ci * nx) (result_sz ci co ny nk) each (fun x dy a => match a with
         | O => conv ci nx ny nk tap_inside tap_source (both_of dy (x 1%nat))
         | _ => meet ci nx ny nk tap_inside tap_source dy (x 0%nat) end))).
Proof.
  assert (A := rows_is_vjp groups 2 (ci * nx) (result_sz ci co ny nk) each (fun _ => True) _ _
    (conv_transpose_is_vjp ci co nx ny nk tap_inside tap_source (fun t u _ _ => tap_source_below t
      u))).
  assert (B := rows_is_vjp batch 2 _ _ weights_shared _ _ _ A).
  apply (is_vjp_within _ _ _ _ (fun _ => True)) in B; [ exact B | auto ].
Qed.
End Windows.
