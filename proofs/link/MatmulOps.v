(* matmul of spec/matmul.h in its four forms: A, (m, k), lies plain or transposed, as ta says, B,
  (k, n),
   as tb says, and dA and dB lie as A and B do. *)
Require Import Reals Lra Psatz ZArith Lia Arith.
From Coquelicot Require Import Coquelicot.
From Theory Require Import Sums Vjp Matmul Rows Layout Meaning Memory.
Open Scope R_scope.

(* the row and the column of the element at q of an (m, n) matrix that is stored as t says *)
Definition row_at_place (t : Z) (m n q : nat) : nat := if Z.eq_dec t 0 then (q / n)%nat else (q mod
  m)%nat.
Definition col_at_place (t : Z) (m n q : nat) : nat := if Z.eq_dec t 0 then (q mod n)%nat else (q /
  m)%nat.
(* from the storage to the plain matrix, and back *)
Definition to_plain t m n q := if Z.eq_dec t 0 then q else turned n m q.
Definition to_stored t m n q := if Z.eq_dec t 0 then q else turned m n q.
Lemma stored_one_to_one t m n : one_to_one (m * n) (m * n) (to_plain t m n) (to_stored t m n).
Proof.
  unfold to_plain, to_stored. destruct (Z.eq_dec t 0); [ apply one_to_one_id |].
  assert (H := turned_one_to_one n m). now rewrite (Nat.mul_comm n m) in H.
Qed.
Lemma ixt_is t m n i j : (i < m)%nat -> (j < n)%nat ->
  L_ixt t (Z.of_nat m) (Z.of_nat n) (Z.of_nat i) (Z.of_nat j)
    = Z.of_nat (to_stored t m n (i * n + j)).
Proof.
  intros Hi Hj. unfold L_ixt, to_stored, L_ix. destruct (Z.eq_dec t 0); [ lia |].
    rewrite turned_at by assumption. lia.
Qed.
Lemma place_at t m n q : (q < m * n)%nat -> L_ixt t (Z.of_nat m) (Z.of_nat n)
  (Z.of_nat (row_at_place t m n q))
  (Z.of_nat (col_at_place t m n q)) = Z.of_nat q.
Proof.
  intro Hq. unfold row_at_place, col_at_place, L_ixt, L_ix. destruct (Z.eq_dec t 0).
  - destruct (flat_index m n q Hq) as [i [j [_ [_ [E [-> ->]]]]]]. lia.
  - rewrite Nat.mul_comm in Hq. destruct (flat_index n m q Hq) as [i [j [_ [_ [E [-> ->]]]]]]. lia.
Qed.
(* ixt, at the row and the column of q, is q *)
Theorem place_is t m n q : (q < m * n)%nat -> L_ixt t (Z.of_nat m) (Z.of_nat n)
  (Z.of_nat (row_at_place t m n q))
  (Z.of_nat (col_at_place t m n q)) = Z.of_nat q.
Proof.
  intro Hq. now apply place_at.
Qed.
Lemma plain_at t m n q : (q < m * n)%nat -> exists i j, (i < m)%nat /\ (j < n)%nat /\
  to_plain t m n q = (i * n + j)%nat /\ row_at_place t m n q = i /\ col_at_place t m n q = j.
Proof.
  intro Hq. unfold to_plain, row_at_place, col_at_place. destruct (Z.eq_dec t 0).
  - destruct (flat_index m n q Hq) as [i [j [Hi [Hj [E [Ei Ej]]]]]]. exists i, j. auto.
  - rewrite Nat.mul_comm in Hq. destruct (flat_index n m q Hq) as [j [i [Hj [Hi [E [Ej Ei]]]]]].
      exists i, j.
    repeat split; auto. rewrite E. now apply turned_at.
Qed.
(* A[i,q] B[q,j] over q, whatever two tensors these are *)
Lemma mat_dot_is (M : W_addr -> R) (f h : nat -> R) ta tb p p' m k n i j :
  (forall q, M (W_shift p (Z.of_nat q)) = f q) -> (forall q, M (W_shift p' (Z.of_nat q)) = h q) ->
  (i < m)%nat -> (j < n)%nat ->
  L_MatDot M ta tb p p' (Z.of_nat m) (Z.of_nat k) (Z.of_nat n) (Z.of_nat i) (Z.of_nat j)
    (Z.of_nat k) =
  bsum k (fun q => f (to_stored ta m k (i * k + q)) * h (to_stored tb k n (q * n + j))).
Proof.
  intros Hf Hh Hi Hj. unfold L_MatDot. rewrite Nat2Z.id. apply bsum_ext; intros q Hq.
  now rewrite !ixt_is, Hf, Hh by assumption.
Qed.
Lemma flipped t m n i j : (i < m)%nat -> (j < n)%nat ->
  to_stored (L_flip t) n m (j * m + i) = to_stored t m n (i * n + j).
Proof.
  intros Hi Hj. unfold L_flip, to_stored. destruct (Z.eq_dec t 0).
  - destruct (Z.eq_dec 1 0); [ discriminate |]. now apply turned_at.
  - destruct (Z.eq_dec 0 0) as [_|E]; [| now contradiction E ]. symmetry. now apply turned_at.
Qed.
Lemma plain_place m n q : to_stored 0 m n q = q.
Proof. reflexivity. Qed.

Theorem matmul_vjp_correct m k n ta tb alpha :
  is_vjp 2 (matmul_sz m k n) (m * n) (fun _ => True)
    (fun x q => L_MatMul (memory x) ta tb alpha (ptr 0) (ptr 1) (Z.of_nat m) (Z.of_nat k)
      (Z.of_nat n)
                  (Z.of_nat (q / n)) (Z.of_nat (q mod n)))
    (fun x dy a q => match a with
       | O => L_MatMulVjpA (memory (tensors2 dy (x 1%nat))) tb alpha (ptr 0) (ptr 1) (Z.of_nat m)
           (Z.of_nat k) (Z.of_nat n)
                (Z.of_nat (row_at_place ta m k q)) (Z.of_nat (col_at_place ta m k q))
       | _ => L_MatMulVjpB (memory (tensors2 (x 0%nat) dy)) ta alpha (ptr 0) (ptr 1) (Z.of_nat m)
           (Z.of_nat k) (Z.of_nat n)
                (Z.of_nat (row_at_place tb k n q)) (Z.of_nat (col_at_place tb k n q)) end).
Proof.
  destruct (Nat.eq_dec n 0) as [->|N].
  { intros g g' t0 _ _. exists (fun _ => 0). split; [ intros; lia |]. intro dy.
    cbn [bsum matmul_sz].
    rewrite !Nat.mul_0_r. cbn [bsum]. rewrite (bsum_ext (m * k) _ (fun _ => 0)), bsum_0; [ ring |].
      intros q _.
    unfold L_MatMulVjpA, L_MatMul, L_MatDot, L_rmul. change (Z.to_nat (Z.of_nat 0)) with 0%nat.
      cbn [bsum]. ring. }
  assert (Hn : (0 < n)%nat) by lia.
  assert (H := laid_out_is_vjp 2 (matmul_sz m k n) (matmul_sz m k n) (m * n) (m * n) _ _ _
    (fun a => match a with O => to_plain ta m k | _ => to_plain tb k n end)
    (fun a => match a with O => to_stored ta m k | _ => to_stored tb k n end) (fun q => q)
      (fun q => q)
    ltac:(intros [|a] Ha; apply stored_one_to_one) (one_to_one_id (m * n))
    (scaled_is_vjp _ _ _ _ _ _ alpha (matmul_is_vjp m k n Hn))).
  eapply is_vjp_ext; [ | | exact H ]; clear H.
  - intros x q Hq. destruct (flat_index m n q Hq) as [i [j [Hi [Hj [-> [Ei Ej]]]]]].
    unfold matmul, L_MatMul, L_rmul. rewrite Ei, Ej.
    rewrite (mat_dot_is _ (x 0%nat) (x 1%nat)) by (intros; try apply mem_at; assumption).
      reflexivity.
  - intros x dy a q _ Ha Hq. unfold matmul_vjp. destruct a as [|[|a]]; [| | lia ];
      cbn [matmul_sz] in Hq.
    + destruct (plain_at ta m k q Hq) as [i [p [Hi [Hp [-> [-> ->]]]]]].
      rewrite (dm_div i k p Hp), (dm_mod i k p Hp). unfold L_MatMulVjpA, L_MatMul, L_rmul.
      rewrite (mat_dot_is _ dy (x 1%nat)) by (intros; try (rewrite mem_at; reflexivity);
        assumption).
      rewrite <- bsum_scal. apply bsum_ext; intros j Hj. rewrite plain_place, flipped by assumption.
      unfold laid_out. ring.
    + destruct (plain_at tb k n q Hq) as [p [j [Hp [Hj [-> [-> ->]]]]]].
      rewrite (dm_div p n j Hj), (dm_mod p n j Hj). unfold L_MatMulVjpB, L_MatMul, L_rmul.
      rewrite (mat_dot_is _ (x 0%nat) dy) by (intros; try (rewrite mem_at; reflexivity);
        assumption).
      rewrite <- bsum_scal. apply bsum_ext; intros i Hi. rewrite plain_place, flipped by assumption.
      unfold laid_out. ring.
Qed.

(* A batch: each of its products is one of matrices that lie one behind the other. *)
Lemma nth_at x a z m n q :
  memory x (W_shift (W_shift (ptr a) (L_Nth (Z.of_nat z) (Z.of_nat m) (Z.of_nat n))) (Z.of_nat q))
  = x a (z * (m * n) + q)%nat.
Proof.
  unfold memory, ptr, W_shift, L_Nth, L_ix. simpl. rewrite Nat2Z.id. f_equal.
  rewrite <- (Nat2Z.id (z * (m * n) + q)). f_equal.
  rewrite Nat2Z.inj_add, !Nat2Z.inj_mul. ring.
Qed.
Lemma mat_mul_sees (M M' : W_addr -> R) ta tb alpha p p' r r' m k n i j :
  (forall q, M (W_shift p (Z.of_nat q)) = M' (W_shift r (Z.of_nat q))) ->
  (forall q, M (W_shift p' (Z.of_nat q)) = M' (W_shift r' (Z.of_nat q))) ->
  (i < m)%nat -> (j < n)%nat ->
  L_MatMul M ta tb alpha p p' (Z.of_nat m) (Z.of_nat k) (Z.of_nat n) (Z.of_nat i) (Z.of_nat j) =
  L_MatMul M' ta tb alpha r r' (Z.of_nat m) (Z.of_nat k) (Z.of_nat n) (Z.of_nat i) (Z.of_nat j).
Proof.
  intros Hp Hp' Hi Hj. unfold L_MatMul. f_equal.
  rewrite (mat_dot_is M _ _ ta tb p p' m k n i j Hp Hp' Hi Hj).
  now rewrite (mat_dot_is M' _ _ ta tb r r' m k n i j (fun _ => eq_refl) (fun _ => eq_refl) Hi Hj).
Qed.
Lemma plain_within t m n q : (q < m * n)%nat ->
  (row_at_place t m n q < m)%nat /\ (col_at_place t m n q < n)%nat.
Proof.
  intro Hq. destruct (plain_at t m n q Hq) as [i [j [Hi [Hj [_ [-> ->]]]]]]. now split.
Qed.

Theorem bmm_vjp_correct batch m k n ta tb alpha :
  is_vjp 2 (rows_sz batch (matmul_sz m k n) (fun _ => false)) (batch * (m * n)) (fun _ => True)
    (fun x q => L_BatMul (memory x) ta tb alpha (ptr 0) (ptr 1) (Z.of_nat m) (Z.of_nat k)
      (Z.of_nat n) (Z.of_nat (q / (m * n))) (Z.of_nat (q mod (m * n) / n))
      (Z.of_nat ((q mod (m * n)) mod n)))
    (fun x dy a q => match a with
       | O => L_BatMulVjpA (memory (tensors2 dy (x 1%nat))) tb alpha (ptr 0) (ptr 1) (Z.of_nat m)
           (Z.of_nat k) (Z.of_nat n) (Z.of_nat (q / (m * k)))
                (Z.of_nat (row_at_place ta m k (q mod (m * k))))
                (Z.of_nat (col_at_place ta m k (q mod (m * k))))
       | _ => L_BatMulVjpB (memory (tensors2 (x 0%nat) dy)) ta alpha (ptr 0) (ptr 1) (Z.of_nat m)
           (Z.of_nat k) (Z.of_nat n) (Z.of_nat (q / (k * n)))
                (Z.of_nat (row_at_place tb k n (q mod (k * n))))
                (Z.of_nat (col_at_place tb k n (q mod (k * n)))) end).
Proof.
  assert (H := is_vjp_within _ _ _ _ (fun _ => True) _ _ (fun _ _ _ _ => I)
    (rows_is_vjp batch 2 (m * n) (matmul_sz m k n) (fun _ => false) (fun _ => True) _ _
      (matmul_vjp_correct m k n ta tb alpha))).
  eapply is_vjp_ext; [ | | exact H ]; clear H.
  - intros x q Hq. unfold rows_fwd, L_BatMul.
    assert (Hr : (q mod (m * n) < m * n)%nat) by (apply Nat.mod_upper_bound; lia).
    destruct (flat_index m n _ Hr) as [i [j [Hi [Hj [_ [-> ->]]]]]].
    apply mat_mul_sees; try assumption; intro s; rewrite mem_at, nth_at; reflexivity.
  - intros x dy a q _ Ha Hq. unfold rows_vjp, rows_sz in *.
    destruct a as [|[|a]]; [| | lia ]; cbn [matmul_sz] in *.
    + assert (Hr : (q mod (m * k) < m * k)%nat) by (apply Nat.mod_upper_bound; lia).
      destruct (plain_within ta m k _ Hr) as [Hi Hp].
      unfold L_MatMulVjpA, L_BatMulVjpA, L_BatMul.
      apply mat_mul_sees; try assumption; intro s; rewrite mem_at, nth_at;
        unfold tensors2, dyrow, row; cbn [matmul_sz]; f_equal; lia.
    + assert (Hr : (q mod (k * n) < k * n)%nat) by (apply Nat.mod_upper_bound; lia).
      destruct (plain_within tb k n _ Hr) as [Hp Hj].
      unfold L_MatMulVjpB, L_BatMulVjpB, L_BatMul.
      apply mat_mul_sees; try assumption; intro s; rewrite mem_at, nth_at;
        unfold tensors2, dyrow, row; cbn [matmul_sz]; f_equal; lia.
Qed.
Theorem place_in_batch_is t m n q batch : (q < batch * (m * n))%nat ->
  L_ix (Z.of_nat (q / (m * n))) (L_ix (Z.of_nat m) (Z.of_nat n) 0)
    (L_ixt t (Z.of_nat m) (Z.of_nat n) (Z.of_nat (row_at_place t m n (q mod (m * n))))
      (Z.of_nat (col_at_place t m n (q mod (m * n))))) = Z.of_nat q.
Proof.
  intro Hq. assert (N : (m * n)%nat <> 0%nat) by lia.
  rewrite place_at by (apply Nat.mod_upper_bound; exact N).
  unfold L_ix. rewrite (Nat.div_mod q (m * n) N) at 3. lia.
Qed.
