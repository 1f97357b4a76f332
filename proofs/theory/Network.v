(* A network as one tape, its gradient by the reverse sweep: linear, gelu, a residual sum, cross
   entropy. *)
Require Import Reals Lra Psatz Arith List Lia FunctionalExtensionality.
From Coquelicot Require Import Coquelicot.
Import ListNotations.
From Theory Require Import Sums Vjp Pointwise Matmul Softmax Loss Scalar Tape.
Open Scope R_scope.

(* tape: 0 = X (1 x K), 1 = W (K x N) | 2 = X W, 3 = gelu(2), 4 = 3 + 2 (residual: 2 used twice), 5 = cross_entropy(4) *)
Definition net K N c : list tape_op :=
  [ lift 2 (fun a => match a with 0 => 0 | 1 => 1 | _ => 0 end)%nat (matmul K N) (matmul_vjp 1 K N);
    lift 1 (fun _ => 2%nat) (map1 gelu) (map1_vjp gelu_d);
    lift 2 (fun a => match a with 0 => 3 | 1 => 2 | _ => 3 end)%nat (fun x i => x 0%nat i + x 1%nat i) add_vjp;
    lift 1 (fun _ => 4%nat) (fun x => cross_entropy N c (x 0%nat)) (fun x dy _ => cross_entropy_vjp N c (x 0%nat) dy) ].
Definition net_sz K N v : nat := match v with 0 => 1 * K | 1 => K * N | 5 => 1 | _ => N end%nat.
Lemma net_ok K N c : (c < N)%nat ->
  tape_ok (net_sz K N) 2 (net K N c) [ (fun _ => True); (fun e => forall k, (k < N)%nat -> True); (fun _ => True); (fun _ => True) ].
Proof.
  intro Hc. assert (HN : (0 < N)%nat) by lia.
  refine (conj _ (conj _ (conj _ (conj _ I)))).
  - apply (lift_ok (net_sz K N) 2 2 _ N (fun _ => True)); try lia; auto.
    + intros [|[|a]] Ha; simpl; lia.
    + intros [|[|a]] Ha; simpl; lia.
    + apply (is_vjp_sz 2 (matmul_sz 1 K N) _ (1 * N)); [ intros [|[|a]] Ha; simpl; lia | lia | now apply matmul_is_vjp ].
  - apply (lift_ok (net_sz K N) 3 1 _ N (fun e => forall k, (k < N)%nat -> True)); try lia; auto.
    apply (unary_is_vjp N (fun _ => True) gelu gelu_d). intros; apply gelu_correct.
  - apply (lift_ok (net_sz K N) 4 2 _ N (fun _ => True)); try lia; auto.
    + intros [|[|a]] Ha; simpl; lia.
    + intros [|[|a]] Ha; simpl; lia.
    + apply (is_vjp_sz 2 (sz1 N) _ N); [ intros [|[|a]] Ha; simpl; unfold sz1; lia | lia | apply add_is_vjp ].
  - apply (lift_ok (net_sz K N) 5 1 _ 1 (fun _ => True)); try lia; auto.
    apply (cross_entropy_is_vjp N c Hc).
Qed.
Theorem net_gradient K N c (x : values) : (c < N)%nat -> forall v k, (v < 2)%nat -> (k < net_sz K N v)%nat ->
  is_derive (fun t => run 2 (net K N c) (upd x v k t) 5%nat 0%nat) (x v k)
    (rev_sweep 2 (net K N c) (run 2 (net K N c) x) (fun u _ => if Nat.eqb u 5 then 1 else 0) v k).
Proof.
  intros Hc v k Hv Hk.
  apply (tape_gradient (net_sz K N) (net K N c) 2 _ x (net_ok K N c Hc)); auto.
  - simpl. auto.
Qed.
