(* Convolution (cross-correlation) and its transpose, by groups and over a batch: each is the VJP of the
   other. Which elements a window reads is left open. A bias. *)
Require Import Reals Lra Psatz Arith Lia.
From Coquelicot Require Import Coquelicot.
From Theory Require Import Sums Vjp Linear Rows Layout.
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

(* groups of channels, each with its kernels, and a batch of images with the same weights:
   x (batch, groups, ci, nx), w (groups, co, ci, K), y (batch, groups, co, ny) *)
Section Groups.
Variables (batch groups ci co nx ny K : nat) (inside : nat -> nat -> bool) (source_of : nat -> nat -> nat).
Hypothesis source_below : forall t u, inside t u = true -> (source_of t u < nx)%nat.
Definition weights_shared (a : nat) : bool := match a with O => false | _ => true end.
Definition each (_ : nat) : bool := false.
Definition images_sz : nat -> nat := rows_sz batch (rows_sz groups (image_sz ci co nx K) each) weights_shared.
Definition results_sz : nat -> nat := rows_sz batch (rows_sz groups (result_sz ci co ny K) each) weights_shared.
Definition conv_all : args -> nat -> R :=
  rows_fwd (groups * (co * ny)) (rows_sz groups (image_sz ci co nx K) each) weights_shared
    (rows_fwd (co * ny) (image_sz ci co nx K) each (conv ci nx ny K inside source_of)).
Definition conv_all_vjp : args -> (nat -> R) -> nat -> nat -> R :=
  rows_vjp batch (groups * (co * ny)) (rows_sz groups (image_sz ci co nx K) each) weights_shared
    (rows_vjp groups (co * ny) (image_sz ci co nx K) each (fun x dy a => match a with
       | O => conv_transpose ci co nx ny K inside source_of (both_of dy (x 1%nat))
       | _ => meet ci nx ny K inside source_of (x 0%nat) dy end)).
Definition conv_transpose_all : args -> nat -> R :=
  rows_fwd (groups * (ci * nx)) (rows_sz groups (result_sz ci co ny K) each) weights_shared
    (rows_fwd (ci * nx) (result_sz ci co ny K) each (conv_transpose ci co nx ny K inside source_of)).
Definition conv_transpose_all_vjp : args -> (nat -> R) -> nat -> nat -> R :=
  rows_vjp batch (groups * (ci * nx)) (rows_sz groups (result_sz ci co ny K) each) weights_shared
    (rows_vjp groups (ci * nx) (result_sz ci co ny K) each (fun x dy a => match a with
       | O => conv ci nx ny K inside source_of (both_of dy (x 1%nat))
       | _ => meet ci nx ny K inside source_of dy (x 0%nat) end)).
Lemma conv_all_is_vjp :
  is_vjp 2 images_sz (batch * (groups * (co * ny))) (fun _ => True) conv_all conv_all_vjp.
Proof.
  assert (A := rows_is_vjp groups 2 (co * ny) (image_sz ci co nx K) each (fun _ => True) _ _
    (conv_is_vjp ci co nx ny K inside source_of (fun t u _ _ => source_below t u))).
  assert (B := rows_is_vjp batch 2 _ _ weights_shared _ _ _ A).
  apply (is_vjp_within _ _ _ _ (fun _ => True)) in B; [ exact B | auto ].
Qed.
Lemma conv_transpose_all_is_vjp :
  is_vjp 2 results_sz (batch * (groups * (ci * nx))) (fun _ => True) conv_transpose_all conv_transpose_all_vjp.
Proof.
  assert (A := rows_is_vjp groups 2 (ci * nx) (result_sz ci co ny K) each (fun _ => True) _ _
    (conv_transpose_is_vjp ci co nx ny K inside source_of (fun t u _ _ => source_below t u))).
  assert (B := rows_is_vjp batch 2 _ _ weights_shared _ _ _ A).
  apply (is_vjp_within _ _ _ _ (fun _ => True)) in B; [ exact B | auto ].
Qed.
(* with a bias for each channel of the output *)
Definition bias_place (c n q : nat) : nat := ((q / n) mod (groups * c))%nat.
Theorem conv_bias_is_vjp :
  is_vjp 3 (biased_sz 2 (groups * co) images_sz) (batch * (groups * (co * ny))) (fun _ => True)
    (biased 2 (bias_place co ny) conv_all)
    (biased_vjp 2 (batch * (groups * (co * ny))) (bias_place co ny) conv_all_vjp).
Proof.
  apply biased_is_vjp; [| exact conv_all_is_vjp ]. intros i Hi. apply Nat.mod_upper_bound. nia.
Qed.
Theorem conv_transpose_bias_is_vjp :
  is_vjp 3 (biased_sz 2 (groups * ci) results_sz) (batch * (groups * (ci * nx))) (fun _ => True)
    (biased 2 (bias_place ci nx) conv_transpose_all)
    (biased_vjp 2 (batch * (groups * (ci * nx))) (bias_place ci nx) conv_transpose_all_vjp).
Proof.
  apply biased_is_vjp; [| exact conv_transpose_all_is_vjp ]. intros i Hi. apply Nat.mod_upper_bound. nia.
Qed.

(* The same by image n, group g, channels o and c, element t or v and tap u. *)
Lemma conv_all_at x n g o t : (g < groups)%nat -> (o < co)%nat -> (t < ny)%nat ->
  conv_all x (((n * groups + g) * co + o) * ny + t) = bsum ci (fun c => bsum K (fun u => if_ (inside t u)
    (x 0%nat (((n * groups + g) * ci + c) * nx + source_of t u)%nat * x 1%nat (((g * co + o) * ci + c) * K +
        u)%nat))).
Proof.
  intros Hg Ho Ht. unfold conv_all, rows_fwd.
  replace (((n * groups + g) * co + o) * ny + t)%nat with (n * (groups * (co * ny)) + (g * (co * ny) + (o * ny +
      t)))%nat
    by ring.
  assert (A : (o * ny + t < co * ny)%nat) by nia. assert (B : (g * (co * ny) + (o * ny + t) < groups * (co *
      ny))%nat) by nia.
  rewrite (dm_div n _ _ B), (dm_mod n _ _ B), (dm_div g _ _ A), (dm_mod g _ _ A). unfold conv.
  rewrite (dm_div o ny t Ht), (dm_mod o ny t Ht). apply bsum_ext; intros c _. apply bsum_ext; intros u _.
  unfold row, rows_sz, each, weights_shared, image_sz. f_equal. f_equal; f_equal; ring.
Qed.
Lemma conv_transpose_all_at x n g c v : (g < groups)%nat -> (c < ci)%nat -> (v < nx)%nat ->
  conv_transpose_all x (((n * groups + g) * ci + c) * nx + v) = bsum co (fun o => bsum ny (fun t => bsum K (fun u =>
    if_ (inside t u && Nat.eqb v (source_of t u))
    (x 0%nat (((n * groups + g) * co + o) * ny + t)%nat * x 1%nat (((g * co + o) * ci + c) * K + u)%nat)))).
Proof.
  intros Hg Hc Hv. unfold conv_transpose_all, rows_fwd.
  replace (((n * groups + g) * ci + c) * nx + v)%nat with (n * (groups * (ci * nx)) + (g * (ci * nx) + (c * nx +
      v)))%nat
    by ring.
  assert (A : (c * nx + v < ci * nx)%nat) by nia. assert (B : (g * (ci * nx) + (c * nx + v) < groups * (ci *
      nx))%nat) by nia.
  rewrite (dm_div n _ _ B), (dm_mod n _ _ B), (dm_div g _ _ A), (dm_mod g _ _ A). unfold conv_transpose.
  rewrite (dm_div c nx v Hv), (dm_mod c nx v Hv). apply bsum_ext; intros o _. apply bsum_ext; intros t _.
  apply bsum_ext; intros u _.
  unfold row, rows_sz, each, weights_shared, result_sz. f_equal. f_equal; f_equal; ring.
Qed.
(* the gradients: of an image what conv_transpose makes of the cotangent, of a result what conv does, and of the
   weights how the two meet *)
Lemma conv_all_vjp_at x dy k : (k < batch * (groups * (ci * nx)))%nat ->
  conv_all_vjp x dy 0 k = conv_transpose_all (both_of dy (x 1%nat)) k.
Proof.
  intro Hk. unfold conv_all_vjp, conv_transpose_all, rows_fwd, rows_vjp, rows_sz, weights_shared, each, image_sz.
  unfold conv_transpose, row, dyrow, both_of, result_sz. cbv beta iota.
  apply bsum_ext; intros o _. apply bsum_ext; intros t _. apply bsum_ext; intros u _. reflexivity.
Qed.
Lemma conv_transpose_all_vjp_at x dy k : (k < batch * (groups * (co * ny)))%nat ->
  conv_transpose_all_vjp x dy 0 k = conv_all (both_of dy (x 1%nat)) k.
Proof.
  intro Hk. unfold conv_transpose_all_vjp, conv_all, rows_fwd, rows_vjp, rows_sz, weights_shared, each, image_sz.
  unfold conv, row, dyrow, both_of, result_sz. cbv beta iota.
  apply bsum_ext; intros o _. apply bsum_ext; intros u _. reflexivity.
Qed.
Definition meet_all (x y : nat -> R) g o c u : R := bsum batch (fun n => bsum ny (fun t => if_ (inside t u)
  (y (((n * groups + g) * co + o) * ny + t)%nat * x (((n * groups + g) * ci + c) * nx + source_of t u)%nat))).
Lemma conv_all_weights x dy g o c u : (g < groups)%nat -> (o < co)%nat -> (c < ci)%nat -> (u < K)%nat ->
  conv_all_vjp x dy 1 (((g * co + o) * ci + c) * K + u) = meet_all (x 0%nat) dy g o c u.
Proof.
  intros Hg Ho Hc Hu. unfold conv_all_vjp, meet_all, rows_vjp at 1. cbn [weights_shared]. apply bsum_ext; intros n _.
  unfold rows_vjp, each, image_sz, meet.
  replace (((g * co + o) * ci + c) * K + u)%nat with (g * (co * ci * K) + ((o * ci + c) * K + u))%nat by ring.
  assert (A : (o * ci + c < co * ci)%nat) by nia. assert (B : ((o * ci + c) * K + u < co * ci * K)%nat) by nia.
  rewrite (dm_div g _ _ B), (dm_mod g _ _ B), (dm_div _ K u Hu), (dm_mod _ K u Hu), (dm_div o ci c Hc), (dm_mod o
      ci c Hc).
  apply bsum_ext; intros t _. unfold row, dyrow, rows_sz, weights_shared. f_equal. f_equal; f_equal; ring.
Qed.
Lemma conv_transpose_all_weights x dy g o c u : (g < groups)%nat -> (o < co)%nat -> (c < ci)%nat -> (u < K)%nat ->
  conv_transpose_all_vjp x dy 1 (((g * co + o) * ci + c) * K + u) = meet_all dy (x 0%nat) g o c u.
Proof.
  intros Hg Ho Hc Hu. unfold conv_transpose_all_vjp, meet_all, rows_vjp at 1. cbn [weights_shared].
  apply bsum_ext; intros n _. unfold rows_vjp, each, result_sz, meet.
  replace (((g * co + o) * ci + c) * K + u)%nat with (g * (co * ci * K) + ((o * ci + c) * K + u))%nat by ring.
  assert (A : (o * ci + c < co * ci)%nat) by nia. assert (B : ((o * ci + c) * K + u < co * ci * K)%nat) by nia.
  rewrite (dm_div g _ _ B), (dm_mod g _ _ B), (dm_div _ K u Hu), (dm_mod _ K u Hu), (dm_div o ci c Hc), (dm_mod o
      ci c Hc).
  apply bsum_ext; intros t _. unfold row, dyrow, rows_sz, weights_shared. f_equal. f_equal; f_equal; ring.
Qed.
(* the gradient of a bias: over its channel in each image *)
Lemma channel_sum c n (dy : nat -> R) a : (a < groups * c)%nat ->
  gathered (batch * (groups * (c * n))) (bias_place c n) (fun _ => dy) a =
  bsum batch (fun b => bsum n (fun t => dy ((b * (groups * c) + a) * n + t)%nat)).
Proof.
  intro Ha. unfold gathered, bias_place. replace (batch * (groups * (c * n)))%nat with (batch * (groups * c) *
      n)%nat by ring.
  rewrite bsum_flat, bsum_flat. apply bsum_ext; intros b _.
  rewrite <- (bsum_one (groups * c) a (fun i => bsum n (fun t => dy ((b * (groups * c) + i) * n + t)%nat)) Ha).
  apply bsum_ext; intros i Hi. rewrite <- bsum_scal. apply bsum_ext; intros t Ht.
  rewrite (dm_div _ n t Ht), (dm_mod b _ i Hi). destruct (Nat.eqb i a); simpl; ring.
Qed.
End Groups.
