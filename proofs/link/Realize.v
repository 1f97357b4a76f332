(* How the equations that define the functions of spec/ are proven of Coq's definitions. *)
Require Import Reals Lra Psatz ZArith Lia.
From Coquelicot Require Import Coquelicot.
From Theory Require Import Sums Max.
Open Scope R_scope.

(* how many of b 0 .. b (n-1) are y *)
Fixpoint equals (n : nat) (y : R) (b : nat -> R) : nat :=
  match n with O => O | S k => if Req_EM_T (b k) y then S (equals k y b) else equals k y b end.

(* a recursion that counts n down to 0 is a sum over k < n *)
Ltac counted :=
  match goal with
  | |- context [Z.to_nat ?n] => is_var n; split; intro;
      [ replace (Z.to_nat n) with O by lia; reflexivity
      | replace (Z.to_nat n) with (S (Z.to_nat (-1 + n))) by lia; cbn [bsum equals nat_rect];
        rewrite ?Z2Nat.id by lia ]
  end.

Ltac by_cases := repeat
  match goal with
  | |- context [Rlt_dec ?a ?b] => destruct (Rlt_dec a b)
  | |- context [Rle_dec ?a ?b] => destruct (Rle_dec a b)
  | |- context [Req_EM_T ?a ?b] => destruct (Req_EM_T a b)
  | |- context [Z_le_dec ?a ?b] => destruct (Z_le_dec a b)
  | |- context [Z_lt_dec ?a ?b] => destruct (Z_lt_dec a b)
  | |- context [Z.eq_dec ?a ?b] => destruct (Z.eq_dec a b)
  end.

Ltac settle := try reflexivity; try congruence; try lra; try lia; try (exfalso; lra); try solve [ repeat first [ lra | progress f_equal ] ];
  try solve [ rewrite Rplus_comm; repeat first [ lra | progress f_equal ] ].
Ltac settle_all := intros; by_cases; settle; repeat split; intros; settle.

Ltac realize f := cbv zeta; intros; unfold f; try change (Z.opp 1) with (-1)%Z; try counted; settle_all.

(* a recursion that counts n down to 0, at a number below n that the text says as 1 + (n - 1) *)
Ltac down_from n := try change (Z.opp 1) with (-1)%Z; split; intro;
  [ replace (Z.to_nat n) with O by lia; reflexivity
  | replace (Z.to_nat n) with (S (Z.to_nat (-1 + n))) by lia; cbn [nat_rect bsum]; rewrite ?Z2Nat.id by lia;
    replace (1 + (-1 + n))%Z with n by lia; try reflexivity ].
