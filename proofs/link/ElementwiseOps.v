(* The VJPs of spec/elementwise.h are those of its forward formulas, on every tensor of n elements.
   Excluded are the points without a derivative; there the value is shown to be a subgradient. *)
Require Import Reals Lra Psatz.
From Coquelicot Require Import Coquelicot.
From Theory Require Import Sums Vjp Pointwise Scalar Meaning.
Open Scope R_scope.

Ltac spec := cbv [L_rmul L_rdiv L_of_plus L_of_neg L_of_times L_of_times_da L_of_times_db L_of_scaled
  L_of_quotient L_of_quotient_da L_of_axpy_da L_of_sqrt L_of_reciprocal L_of_first L_Minus L_QuotientDb
  L_Axpy L_SqrtVjp L_Rsqrt L_RsqrtVjp L_ReciprocalVjp] in *.
Definition everywhere (a : R) : Prop := True.
Definition everywhere2 (a b : R) : Prop := True.
(* an op of one tensor whose VJP is stated over the input a, or over the output y = f a *)
Definition vjp_of_a (D : R -> Prop) (f : R -> R) (v : R -> R -> R) : Prop :=
  forall n, is_vjp 1 (sz1 n) n (fun x => forall k, (k < n)%nat -> D (x 0%nat k))
    (fun x i => f (x 0%nat i)) (fun x dy _ j => v (x 0%nat j) (dy j)).
Definition vjp_of_y (D : R -> Prop) (f : R -> R) (v : R -> R -> R) : Prop := vjp_of_a D f (fun a => v (f a)).
Definition vjp_of_ab (D : R -> R -> Prop) (f : R -> R -> R) (va vb : R -> R -> R -> R) : Prop :=
  forall n, is_vjp 2 (sz1 n) n (fun x => forall k, (k < n)%nat -> D (x 0%nat k) (x 1%nat k))
    (fun x i => f (x 0%nat i) (x 1%nat i))
    (fun x dy a j => match a with O => va (x 0%nat j) (x 1%nat j) (dy j)
                                | _ => vb (x 0%nat j) (x 1%nat j) (dy j) end).
Lemma by_derivative (D : R -> Prop) (f : R -> R) (v : R -> R -> R) : (forall a, D a -> is_derive f a (v a 1)) -> (forall a g, v a g = g * v a 1) ->
  vjp_of_a D f v.
Proof. intros H L n. exact (map1_is_vjp n D f v H L). Qed.
Lemma by_derivatives (D : R -> R -> Prop) (f : R -> R -> R) (va vb : R -> R -> R -> R) :
  (forall a b, D a b -> derives2 f a b (va a b 1) (vb a b 1)) ->
  (forall a b g, va a b g = g * va a b 1) -> (forall a b g, vb a b g = g * vb a b 1) ->
  vjp_of_ab D f va vb.
Proof. intros H La Lb n. exact (map2_is_vjp n D f va vb H La Lb). Qed.
Ltac op1 := unfold vjp_of_y; apply by_derivative; [ intros a Ha | intros a g ].
Ltac op2 := apply by_derivatives; [ intros a b Hab p q t0 p' q' Ep Eq Hp Hq | intros a b g | intros a b g ].

Theorem add_vjp_correct : vjp_of_ab everywhere2 L_of_plus (fun _ _ g => g) (fun _ _ g => g).
Proof. op2; spec; try ring. eapply D_eq. apply D_plus; eassumption. ring. Qed.
Theorem sub_vjp_correct :
  vjp_of_ab everywhere2 L_Minus (fun _ _ g => L_of_first g) (fun _ _ g => L_of_neg g).
Proof.
  op2; spec; try ring.
  apply (is_derive_ext (fun t => p t - q t)); [ intro t; over_reals; ring |].
  eapply D_eq. apply D_minus; eassumption. ring.
Qed.
Theorem mul_vjp_correct : vjp_of_ab everywhere2 L_of_times L_of_times_da L_of_times_db.
Proof. op2; spec; try ring. eapply D_eq. apply D_mult; eassumption. subst. ring. Qed.
Theorem div_vjp_correct : vjp_of_ab (fun _ b => b <> 0) L_of_quotient L_of_quotient_da L_QuotientDb.
Proof.
  op2; spec; try (unfold Rdiv; ring). eapply D_eq. apply D_div; try eassumption; now subst.
  subst. field. auto.
Qed.
Theorem scale_vjp_correct c : vjp_of_a everywhere (fun a => L_of_scaled a c) (fun _ g => L_of_scaled g c).
Proof. op1; spec; try ring. eapply D_eq. apply D_mult; [ apply D_cst | apply D_id ]. cbv beta. ring. Qed.
Theorem axpy_vjp_correct c : vjp_of_ab everywhere2 (fun a b => L_Axpy a b c)
  (fun _ _ g => L_of_axpy_da g c) (fun _ _ g => L_of_scaled g c).
Proof.
  op2; spec; try ring. eapply D_eq. apply D_plus; [ eassumption | apply D_mult; [ apply D_cst | eassumption ] ].
  cbv beta. ring.
Qed.
Theorem neg_vjp_correct : vjp_of_a everywhere L_of_neg (fun _ g => L_of_neg g).
Proof. op1; spec; try ring. eapply D_eq. apply (D_neg (fun y => y)), D_id. ring. Qed.

Theorem sqrt_vjp_correct : vjp_of_y (fun a => 0 < a) L_of_sqrt L_SqrtVjp.
Proof. op1; spec; try (unfold Rdiv; ring). eapply D_eq. now apply sqrt_correct. reflexivity. Qed.
Theorem rsqrt_vjp_correct : vjp_of_y (fun a => 0 < a) L_Rsqrt L_RsqrtVjp.
Proof.
  op1; spec; try (unfold Rdiv; ring). eapply D_eq. now apply rsqrt_correct.
  generalize (sqrt_lt_R0 _ Ha) (sqrt_sqrt a (Rlt_le _ _ Ha)); intros P Q.
  replace (- (1 / 2) * (1 / sqrt a) / a) with (- (1 / 2) * (1 / sqrt a) / (sqrt a * sqrt a)) by now rewrite Q.
  field. lra.
Qed.
Theorem reciprocal_vjp_correct : vjp_of_y (fun a => a <> 0) L_of_reciprocal L_ReciprocalVjp.
Proof. op1; spec; try (unfold Rdiv; ring). eapply D_eq. now apply recip_correct. field. auto. Qed.

Ltac decide_all := repeat match goal with
  | |- context [Rlt_dec ?a ?b] => destruct (Rlt_dec a b)
  | |- context [Rle_dec ?a ?b] => destruct (Rle_dec a b) end.
Ltac near H := generalize H; apply filter_imp; intros.

Theorem abs_vjp_correct : vjp_of_a (fun a => a <> 0) L_Abs L_AbsVjp.
Proof.
  op1; [| unfold L_AbsVjp; decide_all; lra ]. destruct (Rdichotomy a 0 Ha) as [H|H].
  - apply (derive_near _ (fun y => - y)).
    + near (below_is_open a 0 H). unfold L_Abs. decide_all; lra.
    + eapply D_eq. apply (D_neg (fun y => y)), D_id. unfold L_AbsVjp. decide_all; lra.
  - apply (derive_near _ (fun y => y)).
    + near (above_is_open a 0 H). unfold L_Abs. decide_all; lra.
    + eapply D_eq. apply D_id. unfold L_AbsVjp. decide_all; lra.
Qed.
Theorem abs_vjp_at_0 b : L_Abs b >= L_Abs 0 + L_AbsVjp 0 1 * (b - 0).
Proof. unfold L_Abs, L_AbsVjp. decide_all; lra. Qed.
Theorem relu_vjp_correct : vjp_of_a (fun a => a <> 0) L_Relu L_ReluVjp.
Proof.
  op1; [| unfold L_ReluVjp; decide_all; lra ]. destruct (Rdichotomy a 0 Ha) as [H|H].
  - apply (derive_near _ (fun _ => 0)).
    + near (below_is_open a 0 H). unfold L_Relu. decide_all; lra.
    + eapply D_eq. apply D_cst. unfold L_ReluVjp. decide_all; lra.
  - apply (derive_near _ (fun y => y)).
    + near (above_is_open a 0 H). unfold L_Relu. decide_all; lra.
    + eapply D_eq. apply D_id. unfold L_ReluVjp. decide_all; lra.
Qed.
Theorem relu_vjp_at_0 b : L_Relu b >= L_Relu 0 + L_ReluVjp 0 1 * (b - 0).
Proof. unfold L_Relu, L_ReluVjp. decide_all; lra. Qed.
Theorem clamp_vjp_correct lo hi : lo < hi -> vjp_of_a (fun a => a <> lo /\ a <> hi)
  (fun a => L_Clamp a lo hi) (fun a g => L_ClampVjp a g lo hi).
Proof.
  intro Hlh. op1; [| unfold L_ClampVjp; decide_all; lra ]. destruct Ha as [Hl Hh].
  destruct (Rdichotomy a lo Hl) as [H|H]; [| destruct (Rdichotomy a hi Hh) as [K|K] ].
  - apply (derive_near _ (fun _ => lo)).
    + near (below_is_open a lo H). unfold L_Clamp. decide_all; lra.
    + eapply D_eq. apply D_cst. unfold L_ClampVjp. decide_all; lra.
  - apply (derive_near _ (fun y => y)).
    + near (filter_and _ _ (above_is_open a lo H) (below_is_open a hi K)). unfold L_Clamp. decide_all; lra.
    + eapply D_eq. apply D_id. unfold L_ClampVjp. decide_all; lra.
  - apply (derive_near _ (fun _ => hi)).
    + near (above_is_open a hi K). unfold L_Clamp. decide_all; lra.
    + eapply D_eq. apply D_cst. unfold L_ClampVjp. decide_all; lra.
Qed.
(* At lo and at hi it takes the slope of the side within. *)
Theorem clamp_vjp_at_ends lo hi h : lo < hi -> 0 <= h <= hi - lo ->
  L_Clamp (lo + h) lo hi = L_Clamp lo lo hi + L_ClampVjp lo 1 lo hi * h /\
  L_Clamp (hi - h) lo hi = L_Clamp hi lo hi - L_ClampVjp hi 1 lo hi * h.
Proof. intros. unfold L_Clamp, L_ClampVjp. split; decide_all; lra. Qed.

Theorem maximum_vjp_correct : vjp_of_ab (fun a b => a <> b) L_Maximum L_IfLarger L_IfSmaller.
Proof.
  op2; [| unfold L_IfLarger; decide_all; lra | unfold L_IfSmaller; decide_all; lra ].
  destruct (Rdichotomy a b Hab) as [H|H]; subst.
  - apply (derive_near _ q).
    + near (curve_below p q t0 p' q' Hp Hq H). unfold L_Maximum. decide_all; lra.
    + eapply D_eq. eassumption. unfold L_IfLarger, L_IfSmaller. decide_all; lra.
  - apply (derive_near _ p).
    + near (curve_below q p t0 q' p' Hq Hp H). unfold L_Maximum. decide_all; lra.
    + eapply D_eq. eassumption. unfold L_IfLarger, L_IfSmaller. decide_all; lra.
Qed.
Theorem maximum_vjp_at_ties a p q :
  L_Maximum p q >= L_Maximum a a + L_IfLarger a a 1 * (p - a) + L_IfSmaller a a 1 * (q - a).
Proof. unfold L_Maximum, L_IfLarger, L_IfSmaller. decide_all; lra. Qed.
Theorem minimum_vjp_correct : vjp_of_ab (fun a b => a <> b) L_Minimum L_IfSmaller L_IfLarger.
Proof.
  op2; [| unfold L_IfSmaller; decide_all; lra | unfold L_IfLarger; decide_all; lra ].
  destruct (Rdichotomy a b Hab) as [H|H]; subst.
  - apply (derive_near _ p).
    + near (curve_below p q t0 p' q' Hp Hq H). unfold L_Minimum. decide_all; lra.
    + eapply D_eq. eassumption. unfold L_IfLarger, L_IfSmaller. decide_all; lra.
  - apply (derive_near _ q).
    + near (curve_below q p t0 q' p' Hq Hp H). unfold L_Minimum. decide_all; lra.
    + eapply D_eq. eassumption. unfold L_IfLarger, L_IfSmaller. decide_all; lra.
Qed.
Theorem minimum_vjp_at_ties a p q :
  L_Minimum p q <= L_Minimum a a + L_IfSmaller a a 1 * (p - a) + L_IfLarger a a 1 * (q - a).
Proof. unfold L_Minimum, L_IfLarger, L_IfSmaller. decide_all; lra. Qed.
