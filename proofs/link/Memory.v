(* The memory of WP's functions, holding the tensors that an op is given: tensor a, element k, at the
   pointer ptr a, offset k. *)
Require Import Reals Lra Psatz ZArith Lia Arith FunctionalExtensionality.
From Coquelicot Require Import Coquelicot.
From Theory Require Import Sums Vjp Meaning.
Open Scope R_scope.

Definition memory (x : args) : W_addr -> R := fun p => x (Z.to_nat (W_base p)) (Z.to_nat (W_offset p)).
Definition ptr (a : nat) : W_addr := W_addr'mk (Z.of_nat a) 0.
Definition tensors2 (u v : nat -> R) : args := fun a => match a with O => u | _ => v end.
Definition tensors3 (u v w : nat -> R) : args := fun a => match a with O => u | 1%nat => v | _ => w end.
Lemma mem_at x a k : memory x (W_shift (ptr a) (Z.of_nat k)) = x a k.
Proof. unfold memory, ptr, W_shift. simpl. now rewrite !Nat2Z.id. Qed.
Lemma vector_at x a : (fun k : nat => memory x (W_shift (ptr a) (Z.of_nat k))) = x a.
Proof. apply functional_extensionality; intro k. apply mem_at. Qed.
