(* The gradients of spec/loss.h are those of its losses. *)
Require Import Reals Lra Psatz ZArith Lia Arith.
From Coquelicot Require Import Coquelicot.
From Theory Require Import Sums Vjp Softmax Loss Meaning Memory SoftmaxOps.
Open Scope R_scope.

Lemma count_is n : W_real_of_int (Z.of_nat n) = INR n.
Proof. unfold W_real_of_int. now rewrite INR_IZR_INZ. Qed.
Theorem mse_loss_vjp_correct n :
  is_vjp 2 (sz1 n) 1 (fun _ => True)
    (fun x _ => L_Mse (memory x) (ptr 0) (ptr 1) (Z.of_nat n))
    (fun x dy a j => match a with
       | O => L_MseDa (dy 0%nat) (x 0%nat j) (x 1%nat j) (L_rdiv 2 (W_real_of_int (Z.of_nat n)))
       | _ => L_MseDt (dy 0%nat) (x 0%nat j) (x 1%nat j) (L_rdiv 2 (W_real_of_int (Z.of_nat n))) end).
Proof.
  eapply is_vjp_ext; [ | | exact (mse_is_vjp n) ].
  - intros x i _. unfold L_Mse, L_rdiv, L_SquareSum, mse. rewrite count_is, Nat2Z.id.
    rewrite (bsum_ext n (fun k => (memory x _ - _) * _) (fun k => (x 0%nat k - x 1%nat k) * (x 0%nat k - x 1%nat k)))
      by (intros; now rewrite !mem_at).
    unfold Rdiv. ring.
  - intros x dy a k _ _ _. unfold mse_vjp, L_MseDa, L_MseDt, L_rmul, L_rdiv. rewrite count_is.
    destruct a; unfold Rdiv; ring.
Qed.

(* the rows' classes are read from a memory of integers *)
Definition classes (I : W_addr -> Z) (p : W_addr) (c : nat -> nat) (nr : nat) : Prop :=
  forall r, (r < nr)%nat -> I (W_shift p (Z.of_nat r)) = Z.of_nat (c r).
(* row r of x, where row r begins *)
Definition row_of (n : nat) (x : args) (r : nat) : args := fun a k => x a (r * n + k)%nat.
Lemma ix_row r n : L_ix (Z.of_nat r) (Z.of_nat n) 0 = Z.of_nat (r * n).
Proof. unfold L_ix. lia. Qed.
Lemma row_at x a s k : memory x (W_shift (W_shift (ptr a) (Z.of_nat s)) (Z.of_nat k)) = x a (s + k)%nat.
Proof. unfold memory, ptr, W_shift. simpl. rewrite !Nat2Z.id. f_equal. lia. Qed.
Lemma row_max_at x a s n : L_RowMax (memory x) (W_shift (ptr a) (Z.of_nat s)) n =
  L_RowMax (memory (fun b k => x b (s + k)%nat)) (ptr a) n.
Proof.
  unfold L_RowMax. f_equal. apply FunctionalExtensionality.functional_extensionality; intro k.
  now rewrite row_at, mem_at.
Qed.
Lemma softmax_at x a s n i : L_Softmax (memory x) (W_shift (ptr a) (Z.of_nat s)) n (Z.of_nat i) =
  L_Softmax (memory (fun b k => x b (s + k)%nat)) (ptr a) n (Z.of_nat i).
Proof.
  unfold L_Softmax, L_SumExp. cbv zeta. rewrite row_max_at, row_at, mem_at. f_equal.
  apply bsum_ext; intros. now rewrite row_at, mem_at.
Qed.
Lemma row_loss_is x s n t : (0 < n)%nat ->
  L_RowLoss (memory x) (W_shift (ptr 0) (Z.of_nat s)) (Z.of_nat n) (Z.of_nat t) =
  cross_entropy n t (fun k => x 0%nat (s + k)%nat) 0%nat.
Proof.
  intro Hn. unfold L_RowLoss, L_SumExp, cross_entropy. cbv zeta. set (m := L_RowMax _ _ _).
  rewrite <- (log_softmax_stable_eq n m) by assumption. rewrite Nat2Z.id, row_at.
  rewrite (bsum_ext n (fun k => exp (memory x _ - m)) (fun k => exp (x 0%nat (s + k)%nat - m)))
    by (intros; now rewrite row_at).
  ring.
Qed.
Theorem cross_entropy_vjp_correct nr n I p c : classes I p c nr -> (forall r, (r < nr)%nat -> (c r < n)%nat) ->
  is_vjp 1 (sz1 (nr * n)) 1 (fun _ => True)
    (fun x _ => L_CrossEntropy (memory x) I (ptr 0) p (Z.of_nat nr) (Z.of_nat n))
    (fun x dy _ q => L_RowGradient (memory x) (W_shift (ptr 0) (L_ix (Z.of_nat (q / n)) (Z.of_nat n) 0)) (Z.of_nat n)
       (I (W_shift p (Z.of_nat (q / n)))) (L_rdiv (dy 0%nat) (W_real_of_int (Z.of_nat nr))) (Z.of_nat (q mod n))).
Proof.
  intros HI Hc. eapply is_vjp_ext; [ | | exact (mean_cross_entropy_is_vjp nr n c Hc) ].
  - intros x i _. unfold L_CrossEntropy, L_rdiv, L_LossSum, mean_cross_entropy. rewrite count_is, Nat2Z.id.
    f_equal. apply bsum_ext; intros r Hr. rewrite HI, ix_row, row_loss_is; auto. specialize (Hc r Hr). lia.
  - intros x dy a q _ _ Hq. unfold sz1 in Hq. unfold mean_cross_entropy_vjp, L_RowGradient, L_rmul, L_rdiv.
    assert (n <> 0)%nat by nia. assert (q / n < nr)%nat by (apply Nat.div_lt_upper_bound; nia).
    rewrite HI, count_is, ix_row, softmax_at, softmax_is_textbook by (auto; lia).
    unfold softmax, sumexp. unfold L_OneHot. f_equal.
    destruct (Z.eq_dec _ _) as [E|E], (Nat.eqb_spec (q mod n) (c (q / n)%nat)) as [D|D]; try ring; exfalso; lia.
Qed.
