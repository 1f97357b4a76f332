(* The bounds of matmul and bmm and of their VJPs, in WP's words, are bounds of any program that adds up the
   products, each rounded or fused, in any order by a tree within the declared height, and where alpha is not 1
   multiplies the sum by it. *)
Require Import Reals Lra Psatz List ZArith Lia.
From Theory Require Import Sums Round Nodes FloatSum SumNodes Meaning PairMeaning PairOps BoundOps SumOps LinearBounds.
Open Scope R_scope.

Section MatmulBounds.
Variables (e_min prec : Z) (ar : W_arith).
Hypothesis declared : declares e_min prec (the_arith ar).
(* c is alpha times what some tree of height H adds the products f 0 .. f (n-1) up to *)
Definition scaled_dot (H alpha : R) (n : nat) (f : nat -> R) (c : flnum) : Prop :=
  exists s h k fused a, height_of (the_arith ar) h H /\
    summed e_min prec (the_arith ar) h fused k (products (the_arith ar) (map f (seq 0 n))) s a /\
    if Req_EM_T alpha 1 then c = s else of2 (muls e_min prec (the_arith ar)) (Some alpha) s c.
(* the products of element (i,j) of A B *)
Definition mat_products (M : W_addr -> R) ta tb a b m k n i j (q : nat) : R :=
  M (W_shift a (L_ixt ta m k i (Z.of_nat q))) * M (W_shift b (L_ixt tb k n (Z.of_nat q) j)).
Definition mat_made (M : W_addr -> R) (H : R) ta tb alpha a b m k n i j (c : flnum) : Prop :=
  (0 <= k)%Z /\ scaled_dot H alpha (Z.to_nat k) (mat_products M ta tb a b m k n i j) c.

Lemma made_within M H ta tb alpha a b m k n i j c : mat_made M H ta tb alpha a b m k n i j c ->
  within_bound (L_MatMulBound M ar H ta tb alpha a b m k n i j) (L_MatMul M ta tb alpha a b m k n i j) c.
Proof.
  intros [N [s [h [d [fused [x [Hh [S C]]]]]]]].
  assert (T := node_scaled_dot e_min prec ar declared h H fused d (map (mat_products M ta tb a b m k n i j)
    (seq 0 (Z.to_nat k))) s x alpha c k Hh). rewrite map_length, seq_length in T.
  specialize (T ltac:(lia) S C). cbv zeta in T. unfold sum_values, sizes in T. rewrite !total_of_products in T.
  exact T.
Qed.
Theorem matmul_bound M ta tb alpha a b m k n i j c :
  mat_made M (W_arith'h ar) ta tb alpha a b m k n i j c ->
  within_bound (L_MatMulBound M ar (W_arith'h ar) ta tb alpha a b m k n i j)
    (L_MatMul M ta tb alpha a b m k n i j) c.
Proof. apply made_within. Qed.
Theorem matmul_vjp_a_bound M tb alpha g b m k n i p c :
  mat_made M (W_arith'h ar) 0 (L_flip tb) alpha g b m n k i p c ->
  within_bound (L_MatMulBound M ar (W_arith'h ar) 0 (L_flip tb) alpha g b m n k i p)
    (L_MatMulVjpA M tb alpha g b m k n i p) c.
Proof. apply made_within. Qed.
Theorem matmul_vjp_b_bound M ta alpha a g m k n p j c :
  mat_made M (W_arith'h2 ar) (L_flip ta) 0 alpha a g k m n p j c ->
  within_bound (L_MatMulBound M ar (W_arith'h2 ar) (L_flip ta) 0 alpha a g k m n p j)
    (L_MatMulVjpB M ta alpha a g m k n p j) c.
Proof. apply made_within. Qed.
(* of matrix z of a batch *)
Definition nth_made (M : W_addr -> R) (H : R) ta tb alpha a b m k n z i j (c : flnum) : Prop :=
  mat_made M H ta tb alpha (W_shift a (L_Nth z m k)) (W_shift b (L_Nth z k n)) m k n i j c.
Theorem bmm_bound M ta tb alpha a b m k n z i j c :
  nth_made M (W_arith'h ar) ta tb alpha a b m k n z i j c ->
  within_bound (L_BatMulBound M ar (W_arith'h ar) ta tb alpha a b m k n z i j)
    (L_BatMul M ta tb alpha a b m k n z i j) c.
Proof. apply made_within. Qed.
Theorem bmm_vjp_a_bound M tb alpha g b m k n z i p c :
  nth_made M (W_arith'h ar) 0 (L_flip tb) alpha g b m n k z i p c ->
  within_bound (L_BatMulBound M ar (W_arith'h ar) 0 (L_flip tb) alpha g b m n k z i p)
    (L_BatMulVjpA M tb alpha g b m k n z i p) c.
Proof. apply made_within. Qed.
Theorem bmm_vjp_b_bound M ta alpha a g m k n z p j c :
  nth_made M (W_arith'h2 ar) (L_flip ta) 0 alpha a g k m n z p j c ->
  within_bound (L_BatMulBound M ar (W_arith'h2 ar) (L_flip ta) 0 alpha a g k m n z p j)
    (L_BatMulVjpB M ta alpha a g m k n z p j) c.
Proof. apply made_within. Qed.
End MatmulBounds.
