(* layer_norm and rms_norm of spec/norm.h over the rows of a matrix. The gradients are stated there over
   the mean and the rstd that the forward op gave: with these they are the gradients of the whole op,
   which takes mean and rstd from x. *)
Require Import Reals Lra Psatz ZArith Lia Arith.
From Coquelicot Require Import Coquelicot.
From Theory Require Import Sums Vjp Norm Rows Meaning Memory LossOps.
Open Scope R_scope.

Definition row_ptr (a r n : nat) : W_addr := W_shift (ptr a) (L_ix (Z.of_nat r) (Z.of_nat n) 0).
Lemma at_row x a r n k : memory x (W_shift (row_ptr a r n) (Z.of_nat k)) = x a (r * n + k)%nat.
Proof. unfold row_ptr. now rewrite ix_row, row_at. Qed.
Definition row_vec (x : args) (a r n : nat) : nat -> R := fun k => x a (r * n + k)%nat.

Lemma mean_is x r n : L_Mean (memory x) (row_ptr 0 r n) (Z.of_nat n) = mean n (row_vec x 0 r n).
Proof.
  unfold L_Mean, L_rdiv, L_Sum, mean. rewrite count_is, Nat2Z.id. f_equal. apply bsum_ext; intros.
  now rewrite at_row.
Qed.
Lemma layer_rstd_is x r n eps : L_Rstd (memory x) (row_ptr 0 r n) 1 (Z.of_nat n) eps = rstd n eps (row_vec x 0 r n).
Proof.
  unfold L_Rstd, L_InvRoot, L_MeanSq, L_rdiv, L_SqDev, L_Center, rstd, variance. cbv zeta.
  destruct (Z.eq_dec 1 0) as [E|_]; [ discriminate |]. rewrite mean_is, count_is, Nat2Z.id.
  rewrite (bsum_ext n _ (fun k => (row_vec x 0 r n k - mean n (row_vec x 0 r n)) * (row_vec x 0 r n k - mean n (row_vec x 0 r n))))
    by (intros; now rewrite at_row).
  f_equal. f_equal. ring.
Qed.
Lemma rms_rstd_is x r n eps : L_Rstd (memory x) (row_ptr 0 r n) 0 (Z.of_nat n) eps = rrms n eps (row_vec x 0 r n).
Proof.
  unfold L_Rstd, L_InvRoot, L_MeanSq, L_rdiv, L_SqDev, L_Center, rrms, ms. cbv zeta.
  destruct (Z.eq_dec 0 0) as [_|E]; [| now contradiction E ]. rewrite count_is, Nat2Z.id.
  rewrite (bsum_ext n _ (fun k => row_vec x 0 r n k * row_vec x 0 r n k))
    by (intros; rewrite at_row; unfold row_vec; ring).
  f_equal. f_equal. ring.
Qed.
Lemma pulled_at x a b r n k : L_Pulled (memory x) (row_ptr a r n) (ptr b) 1 (Z.of_nat k) = row_vec x a r n k * x b k.
Proof.
  unfold L_Pulled, L_rmul, L_Either. destruct (Z.eq_dec 1 0) as [E|_]; [ discriminate |].
  now rewrite at_row, mem_at.
Qed.

(* what the VJP is given: x, gamma, beta; then g, mean and rstd *)
Definition layer_tensors n eps (x : args) (dy : nat -> R) : args := fun a => match a with
  | 3%nat => dy
  | 4%nat => fun r => L_Mean (memory x) (row_ptr 0 r n) (Z.of_nat n)
  | 5%nat => fun r => L_Rstd (memory x) (row_ptr 0 r n) 1 (Z.of_nat n) eps
  | _ => x a end.
Theorem layer_norm_vjp_correct nr n eps : (0 < n)%nat -> 0 < eps ->
  is_vjp 3 (rows_sz nr (sz1 n) ln_shared) (nr * n) (fun _ => True)
    (fun x q => L_Normed (memory x) 1 1 (row_ptr 0 (q / n) n) (ptr 1) (ptr 2) (Z.of_nat n) eps (Z.of_nat (q mod n)))
    (fun x dy a k => let M := memory (layer_tensors n eps x dy) in match a with
       | O => L_NormVjp M 1 1 (row_ptr 0 (k / n) n) (ptr 1) (layer_tensors n eps x dy 4%nat (k / n)%nat)
                (layer_tensors n eps x dy 5%nat (k / n)%nat) (row_ptr 3 (k / n) n) (Z.of_nat n) (Z.of_nat (k mod n))
       | 1%nat => L_NormDgamma M 1 (ptr 0) (ptr 4) (ptr 5) (ptr 3) (Z.of_nat n) (Z.of_nat k) (Z.of_nat nr)
       | _ => L_ColSum M (ptr 3) (Z.of_nat n) (Z.of_nat k) (Z.of_nat nr) end).
Proof.
  intros Hn He.
  assert (H := batched_layer_norm nr n eps Hn He).
  assert (H' : is_vjp 3 (rows_sz nr (sz1 n) ln_shared) (nr * n) (fun _ => True)
    (rows_fwd n (sz1 n) ln_shared (layer_norm n eps)) (rows_vjp nr n (sz1 n) ln_shared (layer_norm_vjp n eps)))
    by (intros g g' t0 _; apply H; auto).
  clear H. eapply is_vjp_ext; [ | | exact H' ]; clear H'.
  - intros x q Hq. unfold rows_fwd, row, ln_shared, sz1, layer_norm, xhat. change (fun k => x 0%nat _) with (row_vec x 0 (q / n) n).
    unfold L_Normed, L_rmul, L_Hat, L_rmul, L_Center, L_Either.
    destruct (Z.eq_dec 1 0) as [E|_]; [ discriminate |].
    rewrite mean_is, layer_rstd_is, at_row, !mem_at. change (x 0%nat (q / n * n + q mod n)%nat) with (row_vec x 0 (q / n) n (q mod n)%nat). ring.
  - intros x dy a k _ Ha Hk. cbv zeta. unfold rows_vjp, dyrow. destruct a as [|[|a]]; cbn [ln_shared].
    + set (r := (k / sz1 n 0)%nat). change (k / n)%nat with r. set (j := (k mod sz1 n 0)%nat). change (k mod n)%nat with j.
      unfold layer_norm_vjp, row. cbn [ln_shared]. cbn [layer_tensors]. rewrite mean_is, layer_rstd_is.
      change (fun k0 => x 0%nat (r * sz1 n 0 + k0)%nat) with (row_vec x 0 r n). set (v := row_vec x 0 r n).
      unfold L_NormVjp, L_NormDx, L_rmul, L_MeanPulled, L_MeanHat, L_SumHat, L_SumPulled, L_rdiv, L_Hat, L_rmul.
      destruct (Z.eq_dec 1 0) as [E|_]; [ discriminate |]. rewrite count_is, Nat2Z.id, pulled_at, at_row.
      rewrite (bsum_ext n (fun k0 => L_Pulled _ _ _ _ _) (fun k0 => dy (r * n + k0)%nat * x 1%nat k0))
        by (intros; now rewrite pulled_at).
      rewrite (bsum_ext n (fun k0 => L_Pulled _ _ _ _ _ * _) (fun k0 => dy (r * n + k0)%nat * x 1%nat k0 * xhat n eps v k0))
        by (intros i _; rewrite pulled_at, at_row; unfold xhat, row_vec; cbn [layer_tensors];
            change (x 0%nat (r * n + i)%nat) with (v i); ring).
      unfold xhat, row_vec. cbn [layer_tensors]. change (x 0%nat (r * n + j)%nat) with (v j). ring.
    + unfold L_NormDgamma, L_Hat, L_rmul, L_Either. destruct (Z.eq_dec 1 0) as [E|_]; [ discriminate |].
      rewrite Nat2Z.id. apply bsum_ext; intros r Hr. unfold layer_norm_vjp, row. cbn [ln_shared].
      replace (L_ix (Z.of_nat r) (Z.of_nat n) (Z.of_nat k)) with (Z.of_nat (r * n + k)) by (unfold L_ix; lia).
      rewrite !mem_at. cbn [layer_tensors]. rewrite mean_is, layer_rstd_is.
      unfold xhat. change (sz1 n 0) with n. change (fun k1 => x 0%nat (r * n + k1)%nat) with (row_vec x 0 r n). ring.
    + unfold L_ColSum. rewrite Nat2Z.id. apply bsum_ext; intros r Hr. unfold layer_norm_vjp.
      replace (L_ix (Z.of_nat r) (Z.of_nat n) (Z.of_nat k)) with (Z.of_nat (r * n + k)) by (unfold L_ix; lia).
      now rewrite mem_at.
Qed.

Definition rms_tensors n eps (x : args) (dy : nat -> R) : args := fun a => match a with
  | 3%nat => dy
  | 5%nat => fun r => L_Rstd (memory x) (row_ptr 0 r n) 0 (Z.of_nat n) eps
  | _ => x a end.
(* affine = 1: with gamma *)
Theorem rms_norm_vjp_correct nr n eps : (0 < n)%nat -> 0 < eps ->
  is_vjp 2 (rows_sz nr (sz1 n) ln_shared) (nr * n) (fun _ => True)
    (fun x q => L_Normed (memory x) 0 1 (row_ptr 0 (q / n) n) (ptr 1) (ptr 1) (Z.of_nat n) eps (Z.of_nat (q mod n)))
    (fun x dy a k => let M := memory (rms_tensors n eps x dy) in match a with
       | O => L_NormVjp M 0 1 (row_ptr 0 (k / n) n) (ptr 1) 0 (rms_tensors n eps x dy 5%nat (k / n)%nat)
                (row_ptr 3 (k / n) n) (Z.of_nat n) (Z.of_nat (k mod n))
       | _ => L_NormDgamma M 0 (ptr 0) (ptr 5) (ptr 5) (ptr 3) (Z.of_nat n) (Z.of_nat k) (Z.of_nat nr) end).
Proof.
  intros Hn He.
  assert (H := rows_is_vjp nr 2 n (sz1 n) ln_shared (fun _ => True) _ _ (rms_norm_is_vjp n eps Hn He)).
  assert (H' : is_vjp 2 (rows_sz nr (sz1 n) ln_shared) (nr * n) (fun _ => True)
    (rows_fwd n (sz1 n) ln_shared (rms_norm n eps)) (rows_vjp nr n (sz1 n) ln_shared (rms_norm_vjp n eps)))
    by (intros g g' t0 _; apply H; auto).
  clear H. eapply is_vjp_ext; [ | | exact H' ]; clear H'.
  - intros x q Hq. unfold rows_fwd, row, ln_shared, sz1, rms_norm. change (fun k => x 0%nat _) with (row_vec x 0 (q / n) n).
    unfold L_Normed, L_rmul, L_Hat, L_rmul, L_Center, L_Either.
    destruct (Z.eq_dec 0 0) as [_|E]; [| now contradiction E ]. destruct (Z.eq_dec 1 0) as [E|_]; [ discriminate |].
    rewrite rms_rstd_is, at_row, !mem_at. change (x 0%nat (q / n * n + q mod n)%nat) with (row_vec x 0 (q / n) n (q mod n)%nat). ring.
  - intros x dy a k _ Ha Hk. cbv zeta. unfold rows_vjp, dyrow. destruct a as [|a]; cbn [ln_shared].
    + set (r := (k / sz1 n 0)%nat). change (k / n)%nat with r. set (j := (k mod sz1 n 0)%nat). change (k mod n)%nat with j.
      unfold rms_norm_vjp, row. cbn [ln_shared]. cbn [rms_tensors]. rewrite rms_rstd_is. cbv zeta.
      change (fun k0 => x 0%nat (r * sz1 n 0 + k0)%nat) with (row_vec x 0 r n). set (v := row_vec x 0 r n).
      unfold L_NormVjp, L_NormDx, L_rmul, L_MeanPulled, L_MeanHat, L_SumHat, L_rdiv, L_Hat, L_rmul.
      destruct (Z.eq_dec 0 0) as [_|E]; [| now contradiction E ]. rewrite count_is, Nat2Z.id, pulled_at, at_row.
      rewrite (bsum_ext n (fun k0 => L_Pulled _ _ _ _ _ * _) (fun k0 => rrms n eps v * (dy (r * n + k0)%nat * x 1%nat k0 * v k0)))
        by (intros i _; rewrite pulled_at, at_row; unfold row_vec; cbn [rms_tensors];
            change (x 0%nat (r * n + i)%nat) with (v i); ring).
      rewrite bsum_scal. unfold row_vec. cbn [rms_tensors]. change (sz1 n 0) with n.
      change (x 0%nat (r * n + j)%nat) with (v j).
      change (bsum n (fun i => dy (r * n + i)%nat * x 1%nat i * x 0%nat (r * n + i)%nat))
        with (bsum n (fun i => dy (r * n + i)%nat * x 1%nat i * v i)). unfold Rdiv. ring.
    + unfold L_NormDgamma, L_Hat, L_rmul, L_Either. destruct (Z.eq_dec 0 0) as [_|E]; [| now contradiction E ].
      rewrite Nat2Z.id. apply bsum_ext; intros r Hr. unfold rms_norm_vjp, row. cbn [ln_shared]. cbv zeta.
      replace (L_ix (Z.of_nat r) (Z.of_nat n) (Z.of_nat k)) with (Z.of_nat (r * n + k)) by (unfold L_ix; lia).
      rewrite !mem_at. cbn [rms_tensors]. rewrite rms_rstd_is.
      change (sz1 n 0) with n. change (fun k1 => x 0%nat (r * n + k1)%nat) with (row_vec x 0 r n). ring.
Qed.
