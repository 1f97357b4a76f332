(* ffn of spec/ffn.h: two products with gelu between. The gradient is stated there over u and a that
   the forward op gave: with these it is that of the whole op. *)
Require Import Reals Lra Psatz ZArith Lia Arith.
From Coquelicot Require Import Coquelicot.
From Theory Require Import Sums Vjp Matmul Rows Layout Meaning Memory ElementwiseOps ActivationOps MatmulOps.
Open Scope R_scope.

Lemma gelu_derives a : is_derive L_Gelu a (L_GeluD a).
Proof.
  destruct (gelu_vjp_correct 1%nat (fun t _ _ => t) (fun _ _ => 1) a) as [D [H A]].
  - now intros.
  - intros. apply (is_derive_id a).
  - specialize (A (fun _ => 1)). unfold sz1, L_GeluVjp, L_rmul in A. cbn [bsum] in A.
    replace (L_GeluD a) with (D 0%nat) by lra. apply (H 0%nat). lia.
Qed.
Lemma ix_nat i n j : L_ix (Z.of_nat i) (Z.of_nat n) (Z.of_nat j) = Z.of_nat (i * n + j).
Proof. unfold L_ix. lia. Qed.

Definition ffn_sz (rows fan_in hid out a : nat) : nat :=
  match a with O => rows * fan_in | S O => fan_in * hid | _ => hid * out end.
Definition ffn_u (rows fan_in hid : nat) (x : args) : nat -> R := fun k =>
  L_MatMul (memory x) 0 0 1 (ptr 0) (ptr 1) (Z.of_nat rows) (Z.of_nat fan_in) (Z.of_nat hid)
    (Z.of_nat (k / hid)) (Z.of_nat (k mod hid)).
Definition ffn_du (rows fan_in hid out : nat) (x : args) (dy : nat -> R) : nat -> R := fun k =>
  L_MatMulVjpA (memory (tensors2 dy (x 2%nat))) 0 1 (ptr 0) (ptr 1) (Z.of_nat rows) (Z.of_nat hid)
    (Z.of_nat out) (Z.of_nat (k / hid)) (Z.of_nat (k mod hid)) *
  L_GeluD (ffn_u rows fan_in hid x k).
(* what the VJP is given: h, w1, w2; then u, a and g *)
Definition ffn_tensors (rows fan_in hid : nat) (x : args) (dy : nat -> R) : args := fun a =>
  match a with
  | 3%nat => ffn_u rows fan_in hid x
  | 4%nat => fun k => L_FfnHidden (memory x) (ptr 0) (ptr 1) (Z.of_nat rows) (Z.of_nat fan_in)
      (Z.of_nat hid) (Z.of_nat (k / hid)) (Z.of_nat (k mod hid))
  | 5%nat => dy
  | _ => x a end.

Lemma ffn_is rows fan_in hid out x r o :
  L_Ffn (memory x) (ptr 0) (ptr 1) (ptr 2) (Z.of_nat rows) (Z.of_nat fan_in) (Z.of_nat hid)
    (Z.of_nat out) (Z.of_nat r) (Z.of_nat o) =
  L_MatMul (memory (tensors2 (fun k => L_Gelu (ffn_u rows fan_in hid x k)) (x 2%nat))) 0 0 1 (ptr 0)
    (ptr 1) (Z.of_nat rows) (Z.of_nat hid) (Z.of_nat out) (Z.of_nat r) (Z.of_nat o).
Proof.
  unfold L_Ffn, L_FfnSum, L_MatMul at 1, L_MatDot, L_rmul. rewrite Rmult_1_l, Nat2Z.id.
  apply bsum_ext; intros q Hq. change (L_ixt 0 ?m ?n ?i ?j) with (L_ix i n j). rewrite !ix_nat, !mem_at.
  unfold L_FfnHidden, tensors2, ffn_u. now rewrite (dm_div r hid q Hq), (dm_mod r hid q Hq).
Qed.
Lemma ffn_du_is rows fan_in hid out x dy r q : (r < rows)%nat -> (q < hid)%nat ->
  L_FfnDu (memory (ffn_tensors rows fan_in hid x dy)) (ptr 2) (ptr 3) (ptr 5) (Z.of_nat rows)
    (Z.of_nat hid) (Z.of_nat out) (Z.of_nat r) (Z.of_nat q) =
  ffn_du rows fan_in hid out x dy (r * hid + q).
Proof.
  intros Hr Hq. unfold L_FfnDu, L_GeluVjp, L_rmul, ffn_du, L_MatMulVjpA.
  rewrite ix_nat, mem_at, (dm_div r hid q Hq), (dm_mod r hid q Hq). reflexivity.
Qed.
Lemma ffn_dh_is rows fan_in hid out x dy r i : (r < rows)%nat ->
  L_FfnDh (memory (ffn_tensors rows fan_in hid x dy)) (ptr 1) (ptr 2) (ptr 3) (ptr 5)
    (Z.of_nat rows) (Z.of_nat fan_in) (Z.of_nat hid) (Z.of_nat out) (Z.of_nat r) (Z.of_nat i) =
  L_MatMulVjpA (memory (tensors2 (ffn_du rows fan_in hid out x dy) (x 1%nat))) 0 1 (ptr 0) (ptr 1)
    (Z.of_nat rows) (Z.of_nat fan_in) (Z.of_nat hid) (Z.of_nat r) (Z.of_nat i).
Proof.
  intro Hr. unfold L_FfnDh, L_FfnBack, L_MatMulVjpA, L_MatMul, L_MatDot, L_rmul.
  rewrite Rmult_1_l, Nat2Z.id. apply bsum_ext; intros q Hq. change (L_FfnDuT ?M 0) with (L_FfnDu M).
  rewrite (ffn_du_is _ _ _ _ _ _ _ _ Hr Hq). change (L_ixt 0 ?m ?n ?i ?j) with (L_ix i n j).
  change (L_FfnInner 0 (Z.of_nat rows) (Z.of_nat hid)) with (Z.of_nat hid).
  change (L_ixt (L_flip 0) (Z.of_nat hid) (Z.of_nat fan_in) (Z.of_nat q) (Z.of_nat i))
    with (L_ix (Z.of_nat i) (Z.of_nat hid) (Z.of_nat q)).
  now rewrite !ix_nat, !mem_at.
Qed.
Lemma ffn_dw1_is rows fan_in hid out x dy i q : (q < hid)%nat ->
  L_FfnDw1 (memory (ffn_tensors rows fan_in hid x dy)) (ptr 0) (ptr 2) (ptr 3) (ptr 5)
    (Z.of_nat rows) (Z.of_nat fan_in) (Z.of_nat hid) (Z.of_nat out) (Z.of_nat i) (Z.of_nat q) =
  L_MatMulVjpB (memory (tensors2 (x 0%nat) (ffn_du rows fan_in hid out x dy))) 0 1 (ptr 0) (ptr 1)
    (Z.of_nat rows) (Z.of_nat fan_in) (Z.of_nat hid) (Z.of_nat i) (Z.of_nat q).
Proof.
  intro Hq. unfold L_FfnDw1, L_FfnBack, L_MatMulVjpB, L_MatMul, L_MatDot, L_rmul.
  rewrite Rmult_1_l, Nat2Z.id. apply bsum_ext; intros r Hr.
  change (L_FfnDuT ?M 1 ?a ?b ?c ?d ?e ?f ?i ?p) with (L_FfnDu M a b c d e f p i).
  rewrite (ffn_du_is _ _ _ _ _ _ _ _ Hr Hq). change (L_ixt 0 ?m ?n ?i ?j) with (L_ix i n j).
  change (L_FfnInner 1 (Z.of_nat rows) (Z.of_nat hid)) with (Z.of_nat rows).
  change (L_ixt (L_flip 1) (Z.of_nat rows) (Z.of_nat fan_in) (Z.of_nat r) (Z.of_nat i))
    with (L_ix (Z.of_nat r) (Z.of_nat fan_in) (Z.of_nat i)).
  change (L_ixt (L_flip 0) (Z.of_nat fan_in) (Z.of_nat rows) (Z.of_nat i) (Z.of_nat r))
    with (L_ix (Z.of_nat r) (Z.of_nat fan_in) (Z.of_nat i)).
  rewrite !ix_nat, !mem_at. apply Rmult_comm.
Qed.

Theorem ffn_vjp_correct rows fan_in hid out :
  is_vjp 3 (ffn_sz rows fan_in hid out) (rows * out) (fun _ => True)
    (fun x q => L_Ffn (memory x) (ptr 0) (ptr 1) (ptr 2) (Z.of_nat rows) (Z.of_nat fan_in)
      (Z.of_nat hid) (Z.of_nat out) (Z.of_nat (q / out)) (Z.of_nat (q mod out)))
    (fun x dy a q => let M := memory (ffn_tensors rows fan_in hid x dy) in match a with
       | O => L_FfnDh M (ptr 1) (ptr 2) (ptr 3) (ptr 5) (Z.of_nat rows) (Z.of_nat fan_in)
           (Z.of_nat hid) (Z.of_nat out) (Z.of_nat (q / fan_in)) (Z.of_nat (q mod fan_in))
       | S O => L_FfnDw1 M (ptr 0) (ptr 2) (ptr 3) (ptr 5) (Z.of_nat rows) (Z.of_nat fan_in)
           (Z.of_nat hid) (Z.of_nat out) (Z.of_nat (q / hid)) (Z.of_nat (q mod hid))
       | _ => L_MatMulVjpB M 0 1 (ptr 4) (ptr 5) (Z.of_nat rows) (Z.of_nat hid) (Z.of_nat out)
           (Z.of_nat (q / out)) (Z.of_nat (q mod out))
       end).
Proof.
  intros g g' t0 _ Hg.
  destruct (matmul_vjp_correct rows fan_in hid 0 0 1 g g' t0 I) as [u' [Du Au]].
  { intros [|[|a]] k Ha Hk; [| | lia ]; apply Hg; try lia; exact Hk. }
  set (u := fun t => ffn_u rows fan_in hid (g t)).
  assert (Da : forall k, (k < rows * hid)%nat ->
    is_derive (fun t => L_Gelu (u t k)) t0 (u' k * L_GeluD (u t0 k))).
  { intros k Hk. apply (is_derive_comp L_Gelu (fun t => u t k)); [ apply gelu_derives |].
    exact (Du k Hk). }
  destruct (matmul_vjp_correct rows hid out 0 0 1
    (fun t => tensors2 (fun k => L_Gelu (u t k)) (g t 2%nat))
    (tensors2 (fun k => u' k * L_GeluD (u t0 k)) (g' 2%nat)) t0 I) as [y' [Dy Ay]].
  { intros [|[|a]] k Ha Hk; [ now apply Da | apply (Hg 2%nat k); [ lia | exact Hk ] | lia ]. }
  exists y'. split.
  - intros q Hq. eapply is_derive_ext; [| exact (Dy q Hq) ]. intro t. symmetry. apply ffn_is.
  - intro dy. rewrite (Ay dy). specialize (Au (ffn_du rows fan_in hid out (g t0) dy)).
    cbn [bsum matmul_sz ffn_sz tensors2] in *. rewrite !Rplus_0_l in *. f_equal.
    + transitivity (bsum (rows * hid) (fun k => ffn_du rows fan_in hid out (g t0) dy k * u' k)).
      { apply bsum_ext; intros k Hk. unfold ffn_du. change (row_at_place 0 rows hid k) with (k / hid)%nat.
        change (col_at_place 0 rows hid k) with (k mod hid)%nat. unfold u. ring. }
      rewrite Au. f_equal; apply bsum_ext; intros k Hk; f_equal; cbv zeta.
      * destruct (flat_index rows fan_in k Hk) as [r [i [Hr [Hi [-> [Er Ei]]]]]].
        change (row_at_place 0 rows fan_in (r * fan_in + i)) with ((r * fan_in + i) / fan_in)%nat.
        change (col_at_place 0 rows fan_in (r * fan_in + i)) with ((r * fan_in + i) mod fan_in)%nat.
        rewrite Er, Ei. symmetry. now apply ffn_dh_is.
      * destruct (flat_index fan_in hid k Hk) as [i [q [Hi [Hq [-> [Ei Eq]]]]]].
        change (row_at_place 0 fan_in hid (i * hid + q)) with ((i * hid + q) / hid)%nat.
        change (col_at_place 0 fan_in hid (i * hid + q)) with ((i * hid + q) mod hid)%nat.
        rewrite Ei, Eq. symmetry. now apply ffn_dw1_is.
Qed.
