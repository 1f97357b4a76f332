(* Batch norm. A channel is normalized like a row of layer norm, with one weight and one bias;
  then all
   channels, which lie in a tensor (n, channels, size). *)
Require Import Reals Lra Psatz Arith Lia.
From Coquelicot Require Import Coquelicot.
From Theory Require Import Sums Vjp Norm Rows Layout.
Open Scope R_scope.

(* a channel of N elements; arguments: 0 = x, 1 = weight, 2 = bias, of one element each *)
Definition channel_norm N eps (a : args) i : R := xhat N eps (a 0%nat)
  i * a 1%nat 0%nat + a 2%nat 0%nat.
Definition channel_norm_vjp N eps (a : args) (dy : nat -> R) (arg j : nat) : R :=
  let x := a 0%nat in
  match arg with
  | 0%nat => rstd N eps x * (dy j - bsum N dy / INR N
        - xhat N eps x j * (bsum N (fun k => dy k * xhat N eps x k) / INR N)) * a 1%nat 0%nat
  | 1%nat => bsum N (fun k => dy k * xhat N eps x k)
  | _ => bsum N dy
  end.
Definition channel_sz N (a : nat) : nat := match a with O => N | _ => 1%nat end.
Theorem channel_norm_is_vjp N eps : (0 < N)%nat -> 0 < eps ->
  is_vjp 3 (channel_sz N) N (fun _ => True) (channel_norm N eps) (channel_norm_vjp N eps).
Proof.
  intros Hn He g g' t0 _ Hg.
  (* layer norm with the weight and the bias repeated *)
  destruct (layer_norm_is_vjp N eps Hn He
    (fun t a k => match a with O => g t 0%nat k | _ => g t a 0%nat end)
    (fun a k => match a with O => g' 0%nat k | _ => g' a 0%nat end) t0 I) as [D [H1 H2]].
  { intros [|a] k Ha Hk; [ now apply (Hg 0%nat) |]. apply (Hg (S a) 0%nat); [ assumption | simpl;
    lia ]. }
  exists D. split; [ exact H1 |]. intro dy. rewrite H2. cbn [bsum]. unfold sz1, channel_sz.
    cbn [bsum].
  set (x := g t0 0%nat). set (w := g t0 1%nat 0%nat).
  rewrite !Rplus_0_l. f_equal; [ f_equal |].
  - apply bsum_ext; intros j Hj. f_equal. unfold layer_norm_vjp, channel_norm_vjp. fold x w.
    change (fun k : nat => x k) with x.
    rewrite (bsum_scal_r N w dy), (bsum_ext N (fun k => dy k * w * _)
      (fun k => dy k * xhat N eps x k * w))
      by (intros; ring). rewrite bsum_scal_r. unfold Rdiv. ring.
  - unfold layer_norm_vjp, channel_norm_vjp. fold x. change (fun k : nat => x k) with x.
      now rewrite bsum_scal_r.
  - unfold layer_norm_vjp, channel_norm_vjp. now rewrite bsum_scal_r.
Qed.

(* Element k of channel c of (n, channels, size), and which element of its channel is at q. *)
Definition in_channel (channels size c k : nat) : nat := ((k / size * channels + c)
  * size + k mod size)%nat.
Definition channel_of (channels size q : nat) : nat := ((q / size) mod channels)%nat.
Definition of_channel (channels size q : nat) : nat := (q / size / channels * size + q mod
  size)%nat.
Lemma of_in_channel n channels size c k : (c < channels)%nat -> (k < n * size)%nat ->
  (in_channel channels size c k < n * channels * size)%nat /\
  channel_of channels size (in_channel channels size c k) = c /\
  of_channel channels size (in_channel channels size c k) = k.
Proof.
  intros Hc Hk. destruct (flat_index n size k Hk) as [i [s [Hi [Hs [Ek [Ei Es]]]]]].
  unfold channel_of, of_channel, in_channel. rewrite Ei, Es.
  rewrite (dm_div (i * channels + c) size s Hs), (dm_mod (i * channels + c) size s Hs),
    (dm_mod i channels c Hc), (dm_div i channels c Hc). repeat split; auto. nia.
Qed.
Lemma in_of_channel n channels size q : (q < n * channels * size)%nat ->
  (channel_of channels size q < channels)%nat /\ (of_channel channels size q < n * size)%nat /\
  in_channel channels size (channel_of channels size q) (of_channel channels size q) = q.
Proof.
  intro Hq. destruct (flat_index (n * channels) size q Hq) as [r [s [Hr [Hs [Eq [Er Es]]]]]].
  destruct (flat_index n channels r Hr) as [i [c [Hi [Hc [Er' [Ei Ec]]]]]].
  unfold channel_of, of_channel, in_channel. rewrite Er, Es, Ei, Ec.
  rewrite (dm_div i size s Hs), (dm_mod i size s Hs). repeat split; auto; [ nia | now subst ].
Qed.

(* the tensor seen channel by channel *)
Definition by_channel n channels size q := (channel_of channels size q * (n * size)
  + of_channel channels size q)%nat.
Definition to_tensor n channels size k := in_channel channels size (k / (n * size))
  (k mod (n * size)).
Lemma by_channel_one_to_one n channels size :
  one_to_one (n * channels * size) (channels * (n * size)) (by_channel n channels size)
    (to_tensor n channels size).
Proof.
  split; intros q Hq.
  - destruct (in_of_channel n channels size q Hq) as [A [B C]]. unfold by_channel, to_tensor.
    rewrite dm_div, dm_mod by assumption. split; [ nia | exact C ].
  - destruct (flat_index channels (n * size) q Hq) as [c [k [Hc [Hk [Eq [Ec Ek]]]]]].
    destruct (of_in_channel n channels size c k Hc Hk) as [A [B C]]. unfold by_channel, to_tensor.
    rewrite Ec, Ek, B, C. split; [ exact A | now symmetry ].
Qed.
(* arguments: 0 = x, of shape (n, channels, size), 1 = weight, 2 = bias, of a number a channel *)
Definition batch_sz n channels size (a : nat) : nat := match a with O => (n * channels * size)%nat
  | _ => channels end.
Definition channel_of_args channels size (x : args) c : args :=
  fun a k => match a with O => x 0%nat (in_channel channels size c k) | _ => x a c end.
Definition batch_norm n channels size eps (x : args) q : R :=
  let c := channel_of channels size q in
  channel_norm (n * size) eps (channel_of_args channels size x c) (of_channel channels size q).
Definition batch_norm_vjp n channels size eps (x : args) (dy : nat -> R) a k : R :=
  let c := match a with O => channel_of channels size k | _ => k end in
  channel_norm_vjp (n * size) eps (channel_of_args channels size x c)
    (fun i => dy (in_channel channels size c i)) a
    (match a with O => of_channel channels size k | _ => 0%nat end).
(* only the elements below N of a channel, and the first of its weight and bias, take part *)
Lemma channel_ext N eps (x y : args) dy ey a j : (0 < N)%nat ->
  (forall k, (k < N)%nat -> x 0%nat k = y 0%nat k) -> (forall b,
    (0 < b < 3)%nat -> x b 0%nat = y b 0%nat) ->
  (forall k, (k < N)%nat -> dy k = ey k) -> (a < 3)%nat -> (j < channel_sz N a)%nat ->
  ((j < N)%nat -> channel_norm N eps x j = channel_norm N eps y j) /\
  channel_norm_vjp N eps x dy a j = channel_norm_vjp N eps y ey a j.
Proof.
  intros Hn Hx Hw Hd Ha Hj.
  assert (Em : mean N (x 0%nat) = mean N (y 0%nat)) by (unfold mean; f_equal; now apply bsum_ext).
  assert (Er : rstd N eps (x 0%nat) = rstd N eps (y 0%nat)).
  { unfold rstd, variance. rewrite Em. do 4 f_equal. apply bsum_ext; intros. now rewrite Hx. }
  assert (Eh : forall k, (k < N)%nat -> xhat N eps (x 0%nat) k = xhat N eps (y 0%nat) k)
    by (intros; unfold xhat; now rewrite Em, Er, Hx).
  assert (Es : bsum N (fun k => dy k * xhat N eps (x 0%nat) k)
    = bsum N (fun k => ey k * xhat N eps (y 0%nat) k))
    by (apply bsum_ext; intros; now rewrite Hd, Eh).
  assert (Ed : bsum N dy = bsum N ey) by now apply bsum_ext.
  split.
  - intro H. unfold channel_norm. now rewrite Eh, !Hw by lia.
  - unfold channel_norm_vjp. destruct a as [|[|a]]; [| exact Es | exact Ed ].
    simpl in Hj. now rewrite Er, Es, Ed, Eh, Hd, Hw by lia.
Qed.
Theorem batch_norm_is_vjp n channels size eps : (0 < n * size)%nat -> 0 < eps ->
  is_vjp 3 (batch_sz n channels size) (n * channels * size) (fun _ => True)
    (batch_norm n channels size eps) (batch_norm_vjp n channels size eps).
Proof.
  intros Hn He. set (N := (n * size)%nat).
  assert (B := by_channel_one_to_one n channels size).
  assert (H := laid_out_is_vjp 3 (rows_sz channels (channel_sz N) (fun _ => false))
    (batch_sz n channels size) (channels * N) (n * channels * size) _ _ _
    (fun a => match a with O => by_channel n channels size | _ => fun k => k end)
    (fun a => match a with O => to_tensor n channels size | _ => fun k => k end)
    (by_channel n channels size) (to_tensor n channels size)
    ltac:(intros [|a] Ha; [ exact B | unfold rows_sz, channel_sz; simpl; rewrite Nat.mul_1_r;
      apply one_to_one_id ])
    B (rows_is_vjp channels 3 N (channel_sz N) (fun _ => false) (fun _ => True)
      _ _ (channel_norm_is_vjp N eps Hn He))).
  apply (is_vjp_within _ _ _ _ (fun _ => True)) in H; [| auto ].
  assert (In : forall c k, (k < N)%nat -> to_tensor n channels size (c * N + k)
    = in_channel channels size c k).
  { intros c k Hk. unfold to_tensor. fold N. now rewrite dm_div, dm_mod by assumption. }
  assert (At : forall q, (q < n * channels * size)%nat ->
    (by_channel n channels size q / N = channel_of channels size q /\
     by_channel n channels size q mod N = of_channel channels size q)%nat).
  { intros q Hq. destruct (in_of_channel n channels size q Hq) as [_ [Hk _]]. unfold by_channel.
    fold N in Hk |- *.
    now rewrite dm_div, dm_mod by assumption. }
  eapply is_vjp_ext; [ | | exact H ]; clear H.
  - intros x q Hq. unfold rows_fwd, batch_norm. destruct (At q Hq) as [-> ->]. fold N.
    destruct (in_of_channel n channels size q Hq) as [_ [Hk _]]. fold N in Hk.
    refine (proj1 (channel_ext N eps _ _ (fun _ => 0) (fun _ => 0) 0 _ Hn _ _ _ _ _) Hk); auto;
      try exact Hk.
    + intros k Hk'. unfold row, laid_out, channel_of_args, channel_sz. now rewrite In.
    + intros [|b] Hb; [ lia |]. unfold row, laid_out, channel_of_args, channel_sz. f_equal. lia.
  - intros x dy a k _ Ha Hk. unfold rows_vjp, batch_norm_vjp.
    assert (E : forall c, (c < channels)%nat -> forall j, (j < channel_sz N a)%nat ->
      channel_norm_vjp N eps (row (channel_sz N) (fun _ => false)
        (laid_out (fun a0 => match a0 with O => to_tensor n channels size | _ => fun k0 => k0 end)
        x) c)
        (dyrow N (fun i => dy (to_tensor n channels size i)) c) a j =
      channel_norm_vjp N eps (channel_of_args channels size x c)
        (fun i => dy (in_channel channels size c i)) a j).
    { intros c Hc j Hj. refine (proj2 (channel_ext N eps _ _ _ _ a j Hn _ _ _ Ha Hj)).
      + intros i Hi. unfold row, laid_out, channel_of_args, channel_sz. now rewrite In.
      + intros [|b] Hb; [ lia |]. unfold row, laid_out, channel_of_args, channel_sz. f_equal. lia.
      + intros i Hi. unfold dyrow. now rewrite In. }
    destruct a as [|a]; simpl channel_sz at 1 2 3.
    + simpl in Hk. destruct (in_of_channel n channels size k Hk) as [Hc [Hj _]].
      change (channel_sz N 0) with N. destruct (At k Hk) as [-> ->]. now apply E.
    + change (channel_sz N (S a)) with 1%nat. rewrite Nat.div_1_r, Nat.mod_1_r. simpl in Hk.
      apply E; [ exact Hk | simpl; lia ].
Qed.
