(* The matrix product and its VJP: dA = dC B^T, dB = A^T dC. *)
Require Import Reals Lra Psatz Arith Lia FunctionalExtensionality.
From Coquelicot Require Import Coquelicot.
From Theory Require Import Sums Vjp.
Open Scope R_scope.

(* -------------------------------------------------------------------- matmul
   A : M x K, B : K x N, C : M x N, all row-major. *)
Definition matmul (K N : nat) (x : args) (q : nat) : R :=
  bsum K (fun k => x 0%nat (q / N * K + k)%nat * x 1%nat (k * N + q mod N)%nat).
Definition matmul_vjp (M K N : nat) (x : args) (dy : nat -> R) (a q : nat) : R :=
  match a with
  | O => bsum N (fun j => dy (q / K * N + j)%nat * x 1%nat (q mod K * N + j)%nat)   (* dC B^T *)
  | _ => bsum M (fun i => x 0%nat (i * K + q / N)%nat * dy (i * N + q mod N)%nat)     (* A^T dC *)
  end.
Definition matmul_sz (M K N : nat) (a : nat) : nat := match a with O => (M * K)%nat | _ => (K * N)%nat end.
Theorem matmul_is_vjp M K N : (0 < N)%nat ->
  is_vjp 2 (matmul_sz M K N) (M * N) (fun _ => True) (matmul K N) (matmul_vjp M K N).
Proof.
  intros HN g g' t0 _ Hg. set (A := g t0 0%nat). set (B := g t0 1%nat). set (A' := g' 0%nat). set (B' := g' 1%nat).
  exists (fun q => bsum K (fun k => A' (q / N * K + k)%nat * B (k * N + q mod N)%nat + A (q / N * K + k)%nat * B' (k * N + q mod N)%nat)). split.
  - intros q Hq. apply (bsum_derive K (fun t k => g t 0%nat (q / N * K + k)%nat * g t 1%nat (k * N + q mod N)%nat)
      (fun k => A' (q / N * K + k)%nat * B (k * N + q mod N)%nat + A (q / N * K + k)%nat * B' (k * N + q mod N)%nat)).
    intros k Hk. assert (q / N < M)%nat by (apply Nat.div_lt_upper_bound; lia).
    assert (q mod N < N)%nat by (apply Nat.mod_upper_bound; lia).
    apply D_mult; apply Hg; auto; simpl; nia.
  - intro dy. simpl. rewrite Rplus_0_l, !bsum_flat. fold A B A' B'.
    rewrite (bsum_ext M _ (fun i => bsum N (fun j => bsum K (fun k =>
       dy (i * N + j)%nat * (A' (i * K + k)%nat * B (k * N + j)%nat)))
      + bsum N (fun j => bsum K (fun k => dy (i * N + j)%nat * (A (i * K + k)%nat * B' (k * N + j)%nat))))).
    2: { intros i Hi. rewrite <- bsum_plus. apply bsum_ext; intros j Hj.
         rewrite (dm_div i N j Hj), (dm_mod i N j Hj), <- bsum_plus, <- bsum_scal. apply bsum_ext; intros; ring. }
    rewrite bsum_plus. f_equal.
    + apply bsum_ext; intros i Hi. rewrite bsum_swap. apply bsum_ext; intros k Hk.
      rewrite (dm_div i K k Hk), (dm_mod i K k Hk), <- bsum_scal_r. apply bsum_ext; intros; ring.
    + rewrite (bsum_ext M _ (fun i => bsum K (fun k => bsum N (fun j => dy (i * N + j)%nat * (A (i * K + k)%nat * B' (k * N + j)%nat))))) by (intros; apply bsum_swap).
      rewrite bsum_swap. apply bsum_ext; intros k Hk. rewrite bsum_swap. apply bsum_ext; intros j Hj.
      rewrite (dm_div k N j Hj), (dm_mod k N j Hj), <- bsum_scal_r. apply bsum_ext; intros; ring.
Qed.
