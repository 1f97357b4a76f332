(* Of a linked theorem an instance, witness_THEOREM: all that the theorem asks holds together, or it
   would say nothing. It is applied to numbers, sizes and tensors, none empty, and to a proof of each
   hypothesis; what says is_vjp also to a curve, which stays at a point of its domain. That there is one
   of each theorem, and that it has no hypothesis left, is checked by proofs/tools/witnessed.py. *)
Require Import Reals Lra Psatz ZArith Lia Arith.
From Coquelicot Require Import Coquelicot.
From Theory Require Import Sums Vjp Meaning Memory ElementwiseOps ActivationOps SoftmaxOps RowOps ReduceOps
  NormOps LossOps MoveOps MatmulOps LinearOps FfnOps GatherOps SliceOps BatchNormOps RopeOps
  FourierOps AttentionOps.
Open Scope R_scope.

(* the curve that stays at x *)
Definition still (x : args) : R -> args := fun _ => x.
Definition no_change : args := fun _ _ => 0.
Lemma at_rest (x : args) na sz : forall a k, (a < na)%nat -> (k < sz a)%nat ->
  is_derive (fun t => still x t a k) 0 (no_change a k).
Proof. intros a k _ _. exact (D_cst (x a k) 0). Qed.
(* elements that are positive, and of the first tensor others than of the second *)
Definition two_values : args := fun a _ => match a with O => 2 | _ => 1 end.
Ltac in_domain := cbv beta iota delta [still two_values everywhere everywhere2]; intros;
  repeat split; try (intro; lra); try lra; exact I.

Definition witness_add_vjp_correct :=
  add_vjp_correct 2%nat (still two_values) no_change 0 ltac:(in_domain) (at_rest two_values _ _).
Definition witness_sub_vjp_correct :=
  sub_vjp_correct 2%nat (still two_values) no_change 0 ltac:(in_domain) (at_rest two_values _ _).
Definition witness_mul_vjp_correct :=
  mul_vjp_correct 2%nat (still two_values) no_change 0 ltac:(in_domain) (at_rest two_values _ _).
Definition witness_div_vjp_correct :=
  div_vjp_correct 2%nat (still two_values) no_change 0 ltac:(in_domain) (at_rest two_values _ _).
Definition witness_scale_vjp_correct :=
  scale_vjp_correct 3 2%nat (still two_values) no_change 0 ltac:(in_domain) (at_rest two_values _ _).
Definition witness_axpy_vjp_correct :=
  axpy_vjp_correct 3 2%nat (still two_values) no_change 0 ltac:(in_domain) (at_rest two_values _ _).
Definition witness_neg_vjp_correct :=
  neg_vjp_correct 2%nat (still two_values) no_change 0 ltac:(in_domain) (at_rest two_values _ _).
Definition witness_abs_vjp_correct :=
  abs_vjp_correct 2%nat (still two_values) no_change 0 ltac:(in_domain) (at_rest two_values _ _).
Definition witness_sqrt_vjp_correct :=
  sqrt_vjp_correct 2%nat (still two_values) no_change 0 ltac:(in_domain) (at_rest two_values _ _).
Definition witness_rsqrt_vjp_correct :=
  rsqrt_vjp_correct 2%nat (still two_values) no_change 0 ltac:(in_domain) (at_rest two_values _ _).
Definition witness_reciprocal_vjp_correct :=
  reciprocal_vjp_correct 2%nat (still two_values) no_change 0 ltac:(in_domain) (at_rest two_values _ _).
Definition witness_clamp_vjp_correct :=
  clamp_vjp_correct 0 1 ltac:(lra) 2%nat (still two_values) no_change 0 ltac:(in_domain) (at_rest two_values _ _).
Definition witness_maximum_vjp_correct :=
  maximum_vjp_correct 2%nat (still two_values) no_change 0 ltac:(in_domain) (at_rest two_values _ _).
Definition witness_minimum_vjp_correct :=
  minimum_vjp_correct 2%nat (still two_values) no_change 0 ltac:(in_domain) (at_rest two_values _ _).
Definition witness_relu_vjp_correct :=
  relu_vjp_correct 2%nat (still two_values) no_change 0 ltac:(in_domain) (at_rest two_values _ _).
Definition witness_exp_vjp_correct :=
  exp_vjp_correct 2%nat (still two_values) no_change 0 ltac:(in_domain) (at_rest two_values _ _).
Definition witness_log_vjp_correct :=
  log_vjp_correct 2%nat (still two_values) no_change 0 ltac:(in_domain) (at_rest two_values _ _).
Definition witness_sigmoid_vjp_correct :=
  sigmoid_vjp_correct 2%nat (still two_values) no_change 0 ltac:(in_domain) (at_rest two_values _ _).
Definition witness_tanh_vjp_correct :=
  tanh_vjp_correct 2%nat (still two_values) no_change 0 ltac:(in_domain) (at_rest two_values _ _).
Definition witness_softplus_vjp_correct :=
  softplus_vjp_correct 2%nat (still two_values) no_change 0 ltac:(in_domain) (at_rest two_values _ _).
Definition witness_silu_vjp_correct :=
  silu_vjp_correct 2%nat (still two_values) no_change 0 ltac:(in_domain) (at_rest two_values _ _).
Definition witness_gelu_vjp_correct :=
  gelu_vjp_correct 2%nat (still two_values) no_change 0 ltac:(in_domain) (at_rest two_values _ _).
Definition witness_safe_log_vjp_correct :=
  safe_log_vjp_correct 1 ltac:(lra) 2%nat (still two_values) no_change 0 ltac:(in_domain) (at_rest two_values _ _).
Definition witness_abs_vjp_at_0 := abs_vjp_at_0 1.
Definition witness_relu_vjp_at_0 := relu_vjp_at_0 1.
Definition witness_clamp_vjp_at_ends := clamp_vjp_at_ends 0 1 1 ltac:(lra) ltac:(lra).
Definition witness_maximum_vjp_at_ties := maximum_vjp_at_ties 1 2 3.
Definition witness_minimum_vjp_at_ties := minimum_vjp_at_ties 1 2 3.

Definition witness_softmax_rows_vjp_correct :=
  softmax_rows_vjp_correct 2 3 ltac:(lia) (still two_values) no_change 0 I (at_rest two_values _ _).
Definition witness_log_softmax_rows_vjp_correct :=
  log_softmax_rows_vjp_correct 2 3 ltac:(lia) (still two_values) no_change 0 I (at_rest two_values _ _).
Definition witness_masked_softmax_rows_vjp_correct :=
  masked_softmax_rows_vjp_correct 2 3 (fun _ => 0) ltac:(lia) (still two_values) no_change 0 I (at_rest two_values _ _).
Definition witness_softmax_is_textbook := softmax_is_textbook two_values 3 1 ltac:(lia).
Definition witness_log_softmax_is_textbook := log_softmax_is_textbook two_values 3 1 ltac:(lia).
Definition witness_masked_softmax_is_textbook :=
  masked_softmax_is_textbook (two_values 0%nat) (fun _ => 0) 3 1 ltac:(lia).
Definition witness_add_bias_vjp_correct :=
  add_bias_vjp_correct 2 3 ltac:(lia) (still two_values) no_change 0 I (at_rest two_values _ _).
Definition witness_sum_vjp_correct :=
  sum_vjp_correct 3 (still two_values) no_change 0 I (at_rest two_values _ _).
Definition witness_mean_vjp_correct :=
  mean_vjp_correct 3 (still two_values) no_change 0 I (at_rest two_values _ _).
Definition witness_sum_axis_vjp_correct :=
  sum_axis_vjp_correct 2 3 2 (still two_values) no_change 0 I (at_rest two_values _ _).
Definition witness_mean_axis_vjp_correct :=
  mean_axis_vjp_correct 2 3 2 (still two_values) no_change 0 I (at_rest two_values _ _).
(* lines of two elements, the second the larger *)
Definition rising : args := fun _ k => INR k.
Lemma rising_lines : forall l, (l < 2 * 2)%nat -> exists c, (c < 2)%nat /\
  forall j, (j < 2)%nat -> j <> c -> line 2 2 rising l j < line 2 2 rising l c.
Proof.
  intros l Hl. exists 1%nat. split; [ lia |]. intros j Hj N. replace j with 0%nat by lia.
  unfold line, rising. apply lt_INR.
  do 4 (destruct l; [ cbn; lia |]). lia.
Qed.
Definition witness_max_axis_lines_vjp_correct :=
  max_axis_lines_vjp_correct 2 2 2 (still rising) no_change 0 rising_lines (at_rest rising _ _).
Definition witness_layer_norm_vjp_correct :=
  layer_norm_vjp_correct 2 3 1 ltac:(lia) ltac:(lra) (still two_values) no_change 0 I (at_rest two_values _ _).
Definition witness_rms_norm_vjp_correct :=
  rms_norm_vjp_correct 2 3 1 ltac:(lia) ltac:(lra) (still two_values) no_change 0 I (at_rest two_values _ _).
Definition witness_rms_norm_plain_vjp_correct :=
  rms_norm_plain_vjp_correct 2 3 1 ltac:(lia) ltac:(lra) (still two_values) no_change 0 I (at_rest two_values _ _).
Definition witness_batch_norm_vjp_correct :=
  batch_norm_vjp_correct 2 2 3 1 ltac:(lia) ltac:(lra) (still two_values) no_change 0 I (at_rest two_values _ _).
Definition witness_mse_loss_vjp_correct :=
  mse_loss_vjp_correct 3 (still two_values) no_change 0 I (at_rest two_values _ _).
Definition witness_cross_entropy_vjp_correct :=
  cross_entropy_vjp_correct 2 3 (fun _ => 1%Z) (ptr 0) (fun _ => 1%nat) (fun _ _ => eq_refl)
  (fun _ _ => ltac:(cbv beta; lia)) (still two_values) no_change 0 I (at_rest two_values _ _).

(* of a (2, 3) matrix *)
Definition transposing (x : nat -> R) (q : nat) : R := x ((q mod 2) * 3 + q / 2)%nat.
Definition transposing_back (x : nat -> R) (q : nat) : R := x ((q mod 3) * 2 + q / 3)%nat.
Lemma turn_transposes x : P_Transposed (memory (fun _ => transposing (x 0%nat))) (memory x) (ptr 0) (ptr 0) 2 3.
Proof.
  intros i j Hj0 Hj Hi0 Hi. assert (I : i = 0%Z \/ i = 1%Z) by lia.
  assert (J : j = 0%Z \/ j = 1%Z \/ j = 2%Z) by lia.
  destruct I as [-> | ->], J as [-> | [-> | ->]]; reflexivity.
Qed.
Lemma turn_back_transposes g :
  P_Transposed (memory (fun _ => transposing_back g)) (memory (fun _ => g)) (ptr 0) (ptr 0) 3 2.
Proof.
  intros i j Hj0 Hj Hi0 Hi. assert (I : i = 0%Z \/ i = 1%Z \/ i = 2%Z) by lia.
  assert (J : j = 0%Z \/ j = 1%Z) by lia.
  destruct I as [-> | [-> | ->]], J as [-> | ->]; reflexivity.
Qed.
Definition witness_transpose2d_vjp_correct :=
  transpose2d_vjp_correct 2 3 (fun x => transposing (x 0%nat)) transposing_back turn_transposes turn_back_transposes
    (still two_values) no_change 0 I (at_rest two_values _ _).

(* shapes and axes: at the base 0 the dims 2, 3, at 1 the axes 1, 0, at 2 the dims 1, 3 *)
Definition shape_memory : W_addr -> Z := fun p => match W_base p with
  | 0%Z => 2 + W_offset p | 1%Z => 1 - W_offset p | _ => 1 + 2 * W_offset p end%Z.
Definition two_three (d : nat) : nat := (2 + d)%nat.
Definition swapped_axes (e : nat) : nat := (1 - e)%nat.
Definition narrow_dims (d : nat) : nat := (1 + 2 * d)%nat.
Ltac below_two := intros d H; do 2 (destruct d; [ try reflexivity |]); lia.
Lemma two_three_hold : holds shape_memory (ptr 0) two_three 2.
Proof. below_two. Qed.
Lemma axes_hold : holds shape_memory (ptr 1) swapped_axes 2.
Proof. below_two. Qed.
Lemma narrow_hold : holds shape_memory (ptr 2) narrow_dims 2.
Proof. below_two. Qed.
Lemma axes_in_range : forall e, (e < 2)%nat -> (swapped_axes e < 2)%nat.
Proof. unfold swapped_axes. lia. Qed.
Lemma each_axis : forall d, (d < 2)%nat -> exists e, (e < 2)%nat /\ swapped_axes e = d.
Proof. intros d H. exists (1 - d)%nat. unfold swapped_axes. lia. Qed.
Lemma axes_apart : forall d e, (d < 2)%nat -> (e < 2)%nat -> swapped_axes d = swapped_axes e -> d = e.
Proof. unfold swapped_axes. lia. Qed.
Lemma narrow_spreads : forall d, (d < 2)%nat -> narrow_dims d = 1%nat \/ narrow_dims d = two_three (d + 2 - 2).
Proof. intros d H. unfold narrow_dims, two_three. do 2 (destruct d; [ lia |]). lia. Qed.
Definition witness_permute_vjp_correct :=
  permute_vjp_correct shape_memory (ptr 0) (ptr 1) two_three swapped_axes 2
  two_three_hold axes_hold axes_in_range each_axis axes_apart (still two_values) no_change 0 I (at_rest two_values _ _).
Definition witness_permute_counts := permute_counts shape_memory (ptr 0) (ptr 1) two_three swapped_axes 2
  two_three_hold axes_hold axes_in_range each_axis axes_apart.
Definition witness_swap_adjacent_vjp_correct :=
  swap_adjacent_vjp_correct shape_memory (ptr 0) two_three 2 0 two_three_hold
  (still two_values) no_change 0 I (at_rest two_values _ _).
Definition witness_broadcast_to_vjp_correct :=
  broadcast_to_vjp_correct shape_memory (ptr 2) narrow_dims 2 (ptr 0) two_three 2 narrow_hold two_three_hold ltac:(lia)
  narrow_spreads (still two_values) no_change 0 I (at_rest two_values _ _).
Definition witness_matmul_vjp_correct :=
  matmul_vjp_correct 2 3 2 0 1 1 (still two_values) no_change 0 I (at_rest two_values _ _).
Definition witness_place_is := place_is 1 2 3 4 ltac:(lia).
Definition witness_bmm_vjp_correct :=
  bmm_vjp_correct 2 2 3 2 0 1 1 (still two_values) no_change 0 I (at_rest two_values _ _).
Definition witness_place_in_batch_is := place_in_batch_is 1 2 3 10 2 ltac:(lia).
Definition witness_linear_vjp_correct :=
  linear_vjp_correct 2 3 2 (still two_values) no_change 0 I (at_rest two_values _ _).
Definition witness_ffn_vjp_correct :=
  ffn_vjp_correct 2 3 2 2 (still two_values) no_change 0 I (at_rest two_values _ _).
Definition offsets : W_addr -> Z := fun p => W_offset p.
Definition witness_gather_rows_vjp_correct :=
  gather_rows_vjp_correct offsets (ptr 0) 3 2 2 (still two_values) no_change 0 I (at_rest two_values _ _).
Definition witness_scatter_add_rows_vjp_correct :=
  scatter_add_rows_vjp_correct offsets (ptr 0) 3 2 2 (still two_values) no_change 0 I (at_rest two_values _ _).
Definition witness_gather_row_vjp_correct :=
  gather_row_vjp_correct offsets (ptr 0) 3 2 (still two_values) no_change 0 I (at_rest two_values _ _).
Definition witness_scatter_add_row_vjp_correct :=
  scatter_add_row_vjp_correct offsets (ptr 0) 3 2 (still two_values) no_change 0 I (at_rest two_values _ _).
Definition witness_gather_vjp_correct :=
  gather_vjp_correct offsets (ptr 0) 3 2 (still two_values) no_change 0 I (at_rest two_values _ _).
Definition witness_scatter_add_vjp_correct :=
  scatter_add_vjp_correct offsets (ptr 0) 3 2 (still two_values) no_change 0 I (at_rest two_values _ _).
Definition witness_gather_scalar_vjp_correct :=
  gather_scalar_vjp_correct offsets (ptr 0) 3 (still two_values) no_change 0 I (at_rest two_values _ _).
Definition witness_scatter_add_scalar_vjp_correct :=
  scatter_add_scalar_vjp_correct offsets (ptr 0) 3 (still two_values) no_change 0 I (at_rest two_values _ _).
Definition witness_concat_vjp_correct :=
  concat_vjp_correct 2 1 2 3 (still two_values) no_change 0 I (at_rest two_values _ _).
Definition witness_slice_vjp_correct :=
  slice_vjp_correct 2 3 2 2 1 ltac:(lia) (still two_values) no_change 0 I (at_rest two_values _ _).
Definition witness_write_rows_vjp_correct :=
  write_rows_vjp_correct 3 2 2 1 ltac:(lia) (still two_values) no_change 0 I (at_rest two_values _ _).
Definition witness_copy_vjp_correct :=
  copy_vjp_correct 3 (still two_values) no_change 0 I (at_rest two_values _ _).
Definition witness_rope_vjp_correct :=
  rope_vjp_correct 3 2 0 10000 5 2 1 (fun _ => 1) (still two_values) no_change 0 I (at_rest two_values _ _).
Definition witness_rfft_vjp_correct :=
  rfft_vjp_correct 2 5 (still two_values) no_change 0 I (at_rest two_values _ _).
Definition witness_irfft_vjp_correct :=
  irfft_vjp_correct 2 4 (still two_values) no_change 0 I (at_rest two_values _ _).
Definition witness_spectral_conv1d_vjp_correct :=
  spectral_conv1d_vjp_correct 5 2 3 (still two_values) no_change 0 I (at_rest two_values _ _).
(* two examples, of two heads to a KV head each; causal, and under a mask that blocks keys as well *)
Definition some_blocked (k : nat) : R := if Nat.eqb k 1 then 1 else 0.
Definition witness_sdpa_vjp_correct :=
  sdpa_vjp_correct 2 4 2 2 3 2 1 1 some_blocked eq_refl (still two_values) no_change 0 I (at_rest two_values _ _).
Definition witness_sdpa_is_textbook := sdpa_is_textbook 1 1 some_blocked 2 3 2 two_values 0 1 ltac:(lia).
Lemma first_open : open_key 1 1 some_blocked 2 3 0 0 = true.
Proof. unfold open_key. cbn. destruct (Req_EM_T _ 0) as [|N]; [ reflexivity | now contradiction N ]. Qed.
Definition witness_sdpa_lse_is_textbook :=
  sdpa_lse_is_textbook 1 1 some_blocked 2 3 2 two_values 0 0 ltac:(lia) ltac:(lia) first_open.
