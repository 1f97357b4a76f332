(* linear of spec/linear.h: the product of matmul with w transposed, and b added to every row. *)
Require Import Reals Lra Psatz ZArith Lia Arith.
From Coquelicot Require Import Coquelicot.
From Theory Require Import Sums Vjp Matmul Meaning Memory MatmulOps.
Open Scope R_scope.

Definition linear_sz (rows fan_in out a : nat) : nat :=
  match a with O => rows * fan_in | S O => out * fan_in | _ => out end.
Theorem linear_vjp_correct rows fan_in out :
  is_vjp 3 (linear_sz rows fan_in out) (rows * out) (fun _ => True)
    (fun x q => L_Linear (memory x) (ptr 0) (ptr 1) (ptr 2) (Z.of_nat rows) (Z.of_nat fan_in)
      (Z.of_nat out) (Z.of_nat (q / out)) (Z.of_nat (q mod out)))
    (fun x dy a q => match a with
       | O => L_MatMulVjpA (memory (tensors2 dy (x 1%nat))) 1 1 (ptr 0) (ptr 1) (Z.of_nat rows)
           (Z.of_nat fan_in) (Z.of_nat out) (Z.of_nat (q / fan_in)) (Z.of_nat (q mod fan_in))
       | S O => L_MatMulVjpB (memory (tensors2 (x 0%nat) dy)) 0 1 (ptr 0) (ptr 1) (Z.of_nat rows)
           (Z.of_nat fan_in) (Z.of_nat out) (Z.of_nat (q mod fan_in)) (Z.of_nat (q / fan_in))
       | _ => L_ColSum (memory (fun _ => dy)) (ptr 0) (Z.of_nat out) (Z.of_nat q) (Z.of_nat rows)
       end).
Proof.
  intros g g' t0 _ Hg.
  destruct (matmul_vjp_correct rows fan_in out 0 1 1 g g' t0 I) as [f' [D A]].
  { intros [|[|a]] k Ha Hk; [| | lia ]; cbn [matmul_sz] in Hk.
    - apply (Hg 0%nat k); [ lia | exact Hk ].
    - apply (Hg 1%nat k); [ lia |]. unfold linear_sz. now rewrite Nat.mul_comm. }
  exists (fun q => f' q + g' 2%nat (q mod out)%nat). split.
  - intros q Hq. unfold L_Linear. apply D_plus; [ exact (D q Hq) |].
    apply (is_derive_ext (fun t => g t 2%nat (q mod out)%nat)); [ intro t; symmetry; apply mem_at |].
    apply Hg; [ lia |]. unfold linear_sz. apply Nat.mod_upper_bound. intro E.
    rewrite E, Nat.mul_0_r in Hq. lia.
  - intro dy. specialize (A dy). cbn [bsum matmul_sz linear_sz] in *.
    rewrite (bsum_ext (rows * out) _ (fun q => dy q * f' q + dy q * g' 2%nat (q mod out)%nat))
      by (intros; ring).
    rewrite bsum_plus, A, (Nat.mul_comm out fan_in). f_equal.
    rewrite bsum_flat, bsum_swap. apply bsum_ext; intros o Ho.
    unfold L_ColSum. rewrite Nat2Z.id, <- bsum_scal_r. apply bsum_ext; intros r _.
    rewrite (dm_mod r out o Ho). f_equal. unfold L_ix.
    replace (Z.of_nat r * Z.of_nat out + Z.of_nat o)%Z with (Z.of_nat (r * out + o)) by lia.
    now rewrite mem_at.
Qed.
