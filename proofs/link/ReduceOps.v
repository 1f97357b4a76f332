(* The VJPs of spec/reduce.h and spec/bias.h: sums and means of a whole tensor or along an axis, the
   sum of rows and a bias, the maximum of a line. *)
Require Import Reals Lra Psatz ZArith Lia Arith.
From Coquelicot Require Import Coquelicot.
From Theory Require Import Sums Vjp Linear Max Realize Meaning Memory LossOps.
Open Scope R_scope.

Lemma sum_is x a n : L_Sum (memory x) (ptr a) (Z.of_nat n) = bsum n (x a).
Proof. unfold L_Sum. now rewrite Nat2Z.id, vector_at. Qed.
(* c times the sums of the elements that go to each output *)
Lemma scaled_groups n m t c : (forall k, (k < n)%nat -> (t k < m)%nat) ->
  is_vjp 1 (sz1 n) m (fun _ => True) (fun x i => gathered n t x i * c) (fun _ dy _ k => dy (t k) * c).
Proof.
  intros Ht g g' t0 HP Hg. destruct (sum_groups_is_vjp n m t Ht g g' t0 HP Hg) as [D [H1 H2]].
  exists (fun i => D i * c). split.
  - intros i Hi. eapply D_eq. apply D_mult; [ now apply H1 | apply D_cst ]. cbv beta. ring.
  - intro dy. rewrite (bsum_ext m _ (fun i => (dy i * c) * D i)) by (intros; ring).
    rewrite (H2 (fun i => dy i * c)). reflexivity.
Qed.

Theorem sum_vjp_correct n :
  is_vjp 1 (sz1 n) 1 (fun _ => True) (fun x _ => L_Sum (memory x) (ptr 0) (Z.of_nat n)) (fun _ dy _ _ => dy 0%nat).
Proof.
  eapply is_vjp_ext; [ | | exact (scaled_groups n 1 (fun _ => 0%nat) 1 ltac:(auto)) ].
  - intros x i Hi. rewrite sum_is. unfold gathered. replace i with 0%nat by lia. now rewrite Rmult_1_r.
  - intros. cbv beta. ring.
Qed.
Theorem mean_vjp_correct n :
  is_vjp 1 (sz1 n) 1 (fun _ => True)
    (fun x _ => L_rdiv (L_Sum (memory x) (ptr 0) (Z.of_nat n)) (W_real_of_int (Z.of_nat n)))
    (fun _ dy _ _ => L_rdiv (dy 0%nat) (W_real_of_int (Z.of_nat n))).
Proof.
  eapply is_vjp_ext; [ | | exact (scaled_groups n 1 (fun _ => 0%nat) (/ INR n) ltac:(auto)) ].
  - intros x i Hi. unfold L_rdiv. rewrite sum_is, count_is. unfold gathered. replace i with 0%nat by lia. reflexivity.
  - intros. unfold L_rdiv. now rewrite count_is.
Qed.

(* Element p of x, (outer, n, inner), is on line (o,i) with o = p / (n inner), i = p mod inner. *)
Definition line_of (n inner p : nat) : nat := (p / (n * inner) * inner + p mod inner)%nat.
Lemma along_is n inner o j i : L_along (Z.of_nat n) (Z.of_nat inner) (Z.of_nat o) (Z.of_nat j) (Z.of_nat i) =
  Z.of_nat ((o * n + j) * inner + i).
Proof. unfold L_along, L_ix. lia. Qed.
Lemma line_of_along n inner o j i : (j < n)%nat -> (i < inner)%nat ->
  line_of n inner ((o * n + j) * inner + i) = (o * inner + i)%nat.
Proof.
  intros Hj Hi. unfold line_of. rewrite (dm_mod (o * n + j) inner i Hi).
  replace ((o * n + j) * inner + i)%nat with (o * (n * inner) + (j * inner + i))%nat by ring.
  rewrite dm_div by nia. reflexivity.
Qed.
Lemma axis_sum_is x n inner o i : L_AxisSum (memory x) (ptr 0) (Z.of_nat n) (Z.of_nat inner) (Z.of_nat o) (Z.of_nat i)
  (Z.of_nat n) = bsum n (fun j => x 0%nat ((o * n + j) * inner + i)%nat).
Proof.
  unfold L_AxisSum. rewrite Nat2Z.id. apply bsum_ext; intros j _. now rewrite along_is, mem_at.
Qed.
Lemma bsum_only n c (v : R) : (c < n)%nat -> bsum n (fun k => if_ (Nat.eqb k c) v) = v.
Proof.
  intro H. transitivity (bsum n (fun k => (if Nat.eqb k c then 1 else 0) * v));
    [| exact (bsum_one n c (fun _ => v) H) ]. apply bsum_ext; intros k _.
  destruct (Nat.eqb k c); simpl; ring.
Qed.
Lemma axis_groups outer n inner x q : (q < outer * inner)%nat ->
  gathered (outer * n * inner) (line_of n inner) x q =
  bsum n (fun j => x 0%nat ((q / inner * n + j) * inner + q mod inner)%nat).
Proof.
  intro Hq. assert (inner <> 0)%nat by nia. set (o := (q / inner)%nat). set (i := (q mod inner)%nat).
  assert (Ho : (o < outer)%nat) by (apply Nat.div_lt_upper_bound; nia).
  assert (Hi : (i < inner)%nat) by now apply Nat.mod_upper_bound.
  assert (Eq : q = (o * inner + i)%nat) by (unfold o, i; rewrite (Nat.mul_comm (q / inner)); now apply Nat.div_mod).
  unfold gathered. rewrite bsum_flat, bsum_flat.
  rewrite (bsum_ext outer _ (fun o' => if_ (Nat.eqb o' o) (bsum n (fun j => x 0%nat ((o * n + j) * inner + i)%nat)))).
  now rewrite bsum_only.
  intros o' Ho'. destruct (Nat.eqb_spec o' o) as [->|E]; simpl.
  - apply bsum_ext; intros j Hj.
    rewrite (bsum_ext inner _ (fun i' => if_ (Nat.eqb i' i) (x 0%nat ((o * n + j) * inner + i)%nat))).
    now rewrite bsum_only.
    intros i' Hi'. rewrite line_of_along by assumption. rewrite Eq.
    destruct (Nat.eqb_spec i' i) as [->|D]; [ now rewrite Nat.eqb_refl |].
    destruct (Nat.eqb_spec (o * inner + i') (o * inner + i)); [ lia | reflexivity ].
  - rewrite (bsum_ext n _ (fun _ => 0)), bsum_0; auto. intros j Hj.
    rewrite (bsum_ext inner _ (fun _ => 0)), bsum_0; auto. intros i' Hi'.
    rewrite line_of_along by assumption. rewrite Eq.
    destruct (Nat.eqb_spec (o' * inner + i') (o * inner + i)) as [D|]; [ exfalso; apply E; nia | reflexivity ].
Qed.
Lemma line_below outer n inner k : (k < outer * n * inner)%nat -> (line_of n inner k < outer * inner)%nat.
Proof.
  intro H. unfold line_of. assert (n <> 0 /\ inner <> 0)%nat as [Hn Hi] by nia.
  assert (k / (n * inner) < outer)%nat by (apply Nat.div_lt_upper_bound; nia).
  assert (k mod inner < inner)%nat by now apply Nat.mod_upper_bound. nia.
Qed.
Theorem sum_axis_vjp_correct outer n inner :
  is_vjp 1 (sz1 (outer * n * inner)) (outer * inner) (fun _ => True)
    (fun x q => L_AxisSum (memory x) (ptr 0) (Z.of_nat n) (Z.of_nat inner) (Z.of_nat (q / inner))
                  (Z.of_nat (q mod inner)) (Z.of_nat n))
    (fun _ dy _ p => dy (line_of n inner p)).
Proof.
  eapply is_vjp_ext; [ | | exact (scaled_groups (outer * n * inner) (outer * inner) (line_of n inner) 1
    (line_below outer n inner)) ].
  - intros x q Hq. rewrite axis_sum_is. rewrite (axis_groups outer) by assumption. ring.
  - intros. cbv beta. ring.
Qed.
Theorem mean_axis_vjp_correct outer n inner :
  is_vjp 1 (sz1 (outer * n * inner)) (outer * inner) (fun _ => True)
    (fun x q => L_rdiv (L_AxisSum (memory x) (ptr 0) (Z.of_nat n) (Z.of_nat inner) (Z.of_nat (q / inner))
                  (Z.of_nat (q mod inner)) (Z.of_nat n)) (W_real_of_int (Z.of_nat n)))
    (fun _ dy _ p => L_rdiv (dy (line_of n inner p)) (W_real_of_int (Z.of_nat n))).
Proof.
  eapply is_vjp_ext; [ | | exact (scaled_groups (outer * n * inner) (outer * inner) (line_of n inner) (/ INR n)
    (line_below outer n inner)) ].
  - intros x q Hq. unfold L_rdiv. rewrite axis_sum_is, count_is. now rewrite (axis_groups outer) by assumption.
  - intros. unfold L_rdiv. now rewrite count_is.
Qed.

Lemma equals_is n y x : INR (equals n y x) = ties n y x.
Proof.
  unfold ties. induction n; [ reflexivity |]. cbn [equals bsum]. unfold is_value at 2.
  destruct (Req_EM_T (x n) y); rewrite ?S_INR, IHn; ring.
Qed.
(* A line of its own: outer and inner are 1. *)
Theorem max_axis_vjp_correct n c : (c <= n)%nat ->
  is_vjp 1 (sz1 (S n)) 1 (fun x => forall i, (i <= n)%nat -> i <> c -> x 0%nat i < x 0%nat c)
    (fun x _ => L_AxisMax (memory x) (ptr 0) (Z.of_nat (S n)) 1 0 0 (Z.of_nat (S n)))
    (fun x dy _ k => let y := L_AxisMax (memory x) (ptr 0) (Z.of_nat (S n)) 1 0 0 (Z.of_nat (S n)) in
       L_TieShare (x 0%nat k) y (dy 0%nat) (L_Ties (memory x) (ptr 0) y (Z.of_nat (S n)) 1 0 0 (Z.of_nat (S n)))).
Proof.
  intro Hc.
  assert (L : forall x, (fun j => memory x (W_shift (ptr 0) (L_along (Z.of_nat (S n)) 1 0 (Z.of_nat j) 0))) = x 0%nat).
  { intro x. apply FunctionalExtensionality.functional_extensionality; intro j.
    change 1%Z with (Z.of_nat 1). change 0%Z with (Z.of_nat 0). rewrite along_is, mem_at. f_equal. lia. }
  assert (E : forall x, L_AxisMax (memory x) (ptr 0) (Z.of_nat (S n)) 1 0 0 (Z.of_nat (S n)) = row_max n (x 0%nat)).
  { intro x. unfold L_AxisMax. rewrite L. f_equal. lia. }
  eapply is_vjp_ext; [ | | exact (max_is_vjp n c Hc) ].
  - intros x i _. now rewrite E.
  - intros x dy a k _ _ _. cbv zeta. rewrite E. unfold L_TieShare, L_Ties, L_rdiv, max_vjp. rewrite L, Nat2Z.id.
    rewrite count_is, equals_is. now destruct (Req_EM_T _ _).
Qed.

(* y = x + b, b along every row: dx = dy, db the sum of dy's rows *)
Theorem add_bias_vjp_correct nr n : (0 < n)%nat ->
  is_vjp 2 (fun a => match a with O => nr * n | _ => n end)%nat (nr * n) (fun _ => True)
    (fun x q => L_of_plus (x 0%nat q) (x 1%nat (q mod n)%nat))
    (fun _ dy a k => match a with O => dy k
       | _ => L_ColSum (memory (fun _ => dy)) (ptr 0) (Z.of_nat n) (Z.of_nat k) (Z.of_nat nr) end).
Proof.
  intros Hn g g' t0 _ Hg. exists (fun q => g' 0%nat q + g' 1%nat (q mod n)%nat). split.
  - intros q Hq. apply D_plus; apply Hg; auto. apply Nat.mod_upper_bound. lia.
  - intro dy. cbn [bsum]. rewrite Rplus_0_l.
    rewrite (bsum_ext (nr * n) _ (fun q => dy q * g' 0%nat q + dy q * g' 1%nat (q mod n)%nat)) by (intros; ring).
    rewrite bsum_plus. f_equal. rewrite bsum_flat, bsum_swap. apply bsum_ext; intros k Hk.
    unfold L_ColSum. rewrite Nat2Z.id, <- bsum_scal_r. apply bsum_ext; intros r _.
    rewrite (dm_mod r n k Hk). f_equal. unfold L_ix.
    replace (Z.of_nat r * Z.of_nat n + Z.of_nat k)%Z with (Z.of_nat (r * n + k)) by lia. now rewrite mem_at.
Qed.
