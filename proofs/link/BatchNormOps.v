(* batch_norm of spec/batch_norm.h over a tensor (n, channels, size),
  whose size is called extent here.
   The gradients are stated there over the mean and the rstd that the forward op gave: with these
     they
   are the gradients of the whole op, which takes mean and rstd from x. *)
Require Import Reals Lra Psatz ZArith Lia Arith.
From Coquelicot Require Import Coquelicot.
From Theory Require Import Sums Vjp Norm Layout BatchNorm Meaning Memory LossOps.
Open Scope R_scope.

Section BatchNorm.
Variables (n channels extent : nat) (eps : R).
Definition zn := Z.of_nat n.
Definition zchannels := Z.of_nat channels.
Definition zsize := Z.of_nat extent.
(* a channel's elements *)
Definition channel (x : args) (a c : nat) : nat -> R := fun k => x a (in_channel channels extent c
  k).

Lemma row_of_channel i c : L_Row (Z.of_nat i) zchannels (Z.of_nat c)
  zsize = Z.of_nat ((i * channels + c) * extent).
Proof. unfold L_Row, L_ix, zchannels, zsize. lia. Qed.
Lemma elements_are : W_real_of_int (L_ix zn zsize 0) = INR (n * extent).
Proof. rewrite <- count_is. f_equal. unfold L_ix, zn, zsize. lia. Qed.
(* a sum over the rows of a channel is one over its elements *)
Lemma over_rows f c : bsum n (fun i => bsum extent (fun s => f ((i * channels + c)
  * extent + s)%nat)) =
  bsum (n * extent) (fun k => f (in_channel channels extent c k)).
Proof.
  rewrite bsum_flat. apply bsum_ext; intros i _. apply bsum_ext; intros s Hs. unfold in_channel.
  now rewrite (dm_div i extent s Hs), (dm_mod i extent s Hs).
Qed.
Lemma chan_sum_is x a c : L_ChanSum (memory x) (ptr a) zchannels zsize (Z.of_nat c)
  zn = bsum (n * extent) (channel x a c).
Proof.
  unfold channel. rewrite <- (over_rows (x a)). unfold L_ChanSum, zn. rewrite Nat2Z.id.
    apply bsum_ext; intros i _.
  unfold L_Sum, zsize. rewrite Nat2Z.id. apply bsum_ext; intros s _. fold zsize.
    now rewrite row_of_channel, row_at.
Qed.
Lemma chan_dev_is x c m : L_ChanDev (memory x) (ptr 0) m zchannels zsize (Z.of_nat c) zn =
  bsum (n * extent) (fun k => (channel x 0 c k - m) * (channel x 0 c k - m)).
Proof.
  unfold channel. rewrite <- (over_rows (fun q => (x 0%nat q - m) * (x 0%nat q - m))).
  unfold L_ChanDev, zn. rewrite Nat2Z.id. apply bsum_ext; intros i _.
  unfold L_SqDev, zsize. rewrite Nat2Z.id. apply bsum_ext; intros s _. fold zsize.
    now rewrite row_of_channel, row_at.
Qed.
Lemma chan_hat_is x a c m r : L_ChanHat (memory x) (ptr a) (ptr 0) m r zchannels zsize (Z.of_nat c)
  zn =
  bsum (n * extent) (fun k => channel x a c k * ((channel x 0 c k - m) * r)).
Proof.
  unfold channel. rewrite <- (over_rows (fun q => x a q * ((x 0%nat q - m) * r))).
  unfold L_ChanHat, zn. rewrite Nat2Z.id. apply bsum_ext; intros i _.
  unfold L_RowHat, zsize. rewrite Nat2Z.id. apply bsum_ext; intros s _. fold zsize.
  unfold L_Hat, L_rmul. rewrite row_of_channel, !row_at. ring.
Qed.
Lemma chan_mean_is x c : L_ChanMean (memory x) (ptr 0) zchannels zsize (Z.of_nat c)
  zn = mean (n * extent) (channel x 0 c).
Proof. unfold L_ChanMean, L_rdiv, mean. now rewrite chan_sum_is, elements_are. Qed.
Lemma chan_rstd_is x c : L_ChanRstd (memory x) (ptr 0) zchannels zsize (Z.of_nat c) zn eps =
  rstd (n * extent) eps (channel x 0 c).
Proof.
  unfold L_ChanRstd, L_InvRoot, L_ChanVar, L_rdiv, rstd, variance. rewrite chan_dev_is,
    chan_mean_is, elements_are.
  f_equal. f_equal. ring.
Qed.

(* what the VJP is given: x, gamma; then g, mean and rstd *)
Definition batch_tensors (x : args) (dy : nat -> R) : args := fun a => match a with
  | 3%nat => dy
  | 4%nat => fun c => L_ChanMean (memory x) (ptr 0) zchannels zsize (Z.of_nat c) zn
  | 5%nat => fun c => L_ChanRstd (memory x) (ptr 0) zchannels zsize (Z.of_nat c) zn eps
  | _ => x a end.
Definition dgamma (x : args) (dy : nat -> R) (c : nat) : R :=
  L_ChanHat (memory (batch_tensors x dy)) (ptr 3) (ptr 0) (batch_tensors x dy 4%nat c)
    (batch_tensors x dy 5%nat c) zchannels zsize (Z.of_nat c) zn.
Definition dbeta (x : args) (dy : nat -> R) (c : nat) : R :=
  L_ChanSum (memory (batch_tensors x dy)) (ptr 3) zchannels zsize (Z.of_nat c) zn.
Theorem batch_norm_vjp_correct : (0 < n * extent)%nat -> 0 < eps ->
  is_vjp 3 (batch_sz n channels extent) (n * channels * extent) (fun _ => True)
    (fun x q => let c := channel_of channels extent q in
       L_Shifted (x 0%nat q) (L_ChanMean (memory x) (ptr 0) zchannels zsize (Z.of_nat c) zn)
         (L_ChanRstd (memory x) (ptr 0) zchannels zsize (Z.of_nat c) zn eps)
         (x 1%nat c) (x 2%nat c))
    (fun x dy a k => match a with
       | O => let c := channel_of channels extent k in
           L_BatchDx (dy k) (x 0%nat k) (batch_tensors x dy 4%nat c) (batch_tensors x dy 5%nat c)
             (x 1%nat c) (dgamma x dy c) (dbeta x dy c) (W_real_of_int (L_ix zn zsize 0))
       | 1%nat => dgamma x dy k
       | _ => dbeta x dy k end).
Proof.
  intros Hn He. eapply is_vjp_ext; [ | | exact (batch_norm_is_vjp n channels extent eps Hn He) ].
  - intros x q Hq. cbv zeta. destruct (in_of_channel n channels extent q Hq) as [_ [_ E]].
    unfold batch_norm, channel_norm, L_Shifted, L_Hat, L_rmul. rewrite chan_mean_is, chan_rstd_is.
    unfold xhat, channel_of_args. rewrite E. fold (channel x 0 (channel_of channels extent q)).
    change (fun k => x 0%nat (in_channel channels extent (channel_of channels extent q) k))
      with (channel x 0 (channel_of channels extent q)). ring.
  - intros x dy a k _ Ha Hk. cbv zeta. unfold batch_norm_vjp, dgamma, dbeta.
    set (c := match a with O => channel_of channels extent k | _ => k end).
    assert (M : batch_tensors x dy 4%nat c = mean (n * extent) (channel x 0 c))
      by apply chan_mean_is.
    assert (Sd : batch_tensors x dy 5%nat c = rstd (n * extent) eps (channel x 0 c))
      by apply chan_rstd_is.
    assert (G : L_ChanHat (memory (batch_tensors x dy)) (ptr 3) (ptr 0)
      (batch_tensors x dy 4%nat c) (batch_tensors x dy 5%nat c)
        zchannels zsize (Z.of_nat c) zn =
      bsum (n * extent) (fun i => dy (in_channel channels extent c i) * xhat (n * extent)
        eps (channel x 0 c) i)).
    { rewrite chan_hat_is, M, Sd. reflexivity. }
    assert (B : L_ChanSum (memory (batch_tensors x dy)) (ptr 3) zchannels zsize (Z.of_nat c) zn =
      bsum (n * extent) (fun i => dy (in_channel channels extent c i))) by (rewrite chan_sum_is;
        reflexivity).
    unfold channel_norm_vjp. destruct a as [|[|a]]; cbv zeta.
    + subst c. rewrite G, B, M, Sd, elements_are. unfold L_BatchDx, L_NormDx, L_Hat, L_rmul, L_rdiv.
      destruct (in_of_channel n channels extent k Hk) as [_ [_ E]]. unfold channel_of_args.
      change (fun k0 => x 0%nat (in_channel channels extent (channel_of channels extent k) k0))
        with (channel x 0 (channel_of channels extent k)).
      set (v := channel x 0 (channel_of channels extent k)).
      assert (X : xhat (n * extent) eps v (of_channel channels extent k)
        = (x 0%nat k - mean (n * extent) v) * rstd (n * extent) eps v).
      { unfold xhat. unfold v at 1. unfold channel. now rewrite E. }
      rewrite X, E. ring.
    + symmetry. exact G.
    + symmetry. exact B.
Qed.
End BatchNorm.
