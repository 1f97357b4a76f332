(* Ops of a row or a line, over the whole tensor: softmax and its kin over the rows of a matrix, the
   maximum along an axis of (outer, n, inner), and rms_norm without gamma. *)
Require Import Reals Lra Psatz ZArith Lia Arith FunctionalExtensionality.
From Coquelicot Require Import Coquelicot.
From Theory Require Import Sums Vjp Max Norm Rows Layout Realize Meaning Memory LossOps SoftmaxOps
  ReduceOps NormOps.
Open Scope R_scope.

(* A row's function sees the elements behind its pointers and nothing else. *)
Ltac elements H := repeat first [ apply H | reflexivity | progress f_equal
  | apply functional_extensionality; intro ].
Lemma softmax_sees (M M' : W_addr -> R) p p' n i :
  (forall k : nat, M (W_shift p (Z.of_nat k)) = M' (W_shift p' (Z.of_nat k))) ->
  L_Softmax M p n (Z.of_nat i) = L_Softmax M' p' n (Z.of_nat i) /\
  L_LogSoftmax M p n (Z.of_nat i) = L_LogSoftmax M' p' n (Z.of_nat i).
Proof.
  intro H. unfold L_Softmax, L_LogSoftmax, L_SumExp, L_RowMax. split; elements H.
Qed.
Lemma masked_softmax_sees (M M' : W_addr -> R) p p' q q' n i :
  (forall k : nat, M (W_shift p (Z.of_nat k)) = M' (W_shift p' (Z.of_nat k)) /\
     M (W_shift q (Z.of_nat k)) = M' (W_shift q' (Z.of_nat k))) ->
  L_MaskedSoftmax M p q n (Z.of_nat i) = L_MaskedSoftmax M' p' q' n (Z.of_nat i).
Proof. intro H. unfold L_MaskedSoftmax, L_OpenSumExp, L_OpenMax, L_Opens. elements H. Qed.
Lemma softmax_vjps_see (M M' : W_addr -> R) p p' q q' n i : (i < n)%nat ->
  (forall k : nat, (k < n)%nat -> M (W_shift p (Z.of_nat k)) = M' (W_shift p' (Z.of_nat k))) ->
  (forall k : nat, M (W_shift q (Z.of_nat k)) = M' (W_shift q' (Z.of_nat k))) ->
  L_SoftmaxVjp M p q (Z.of_nat n) (Z.of_nat i) = L_SoftmaxVjp M' p' q' (Z.of_nat n) (Z.of_nat i) /\
  L_LogSoftmaxVjp M p q (Z.of_nat n) (Z.of_nat i) = L_LogSoftmaxVjp M' p' q' (Z.of_nat n)
    (Z.of_nat i) /\
  L_MaskedSoftmaxVjp M p q (Z.of_nat n) (Z.of_nat i) = L_MaskedSoftmaxVjp M' p' q' (Z.of_nat n)
    (Z.of_nat i).
Proof.
  intros Hi Hp Hq.
  assert (E1 : L_RowDot M q p (Z.of_nat n) = L_RowDot M' q' p' (Z.of_nat n))
    by (unfold L_RowDot; rewrite Nat2Z.id; apply bsum_ext; intros; now rewrite Hp, Hq).
  assert (E2 : L_Sum M q (Z.of_nat n) = L_Sum M' q' (Z.of_nat n))
    by (unfold L_Sum; apply bsum_ext; intros; apply Hq).
  assert (E3 : L_LiveDot M q p (Z.of_nat n) = L_LiveDot M' q' p' (Z.of_nat n))
    by (unfold L_LiveDot; rewrite Nat2Z.id; apply bsum_ext; intros; now rewrite Hp, Hq).
  unfold L_SoftmaxVjp, L_LogSoftmaxVjp, L_MaskedSoftmaxVjp. now rewrite E1, E2, E3, Hp, Hq.
Qed.

(* rows of a matrix, one argument and one result, of n elements a row *)
Lemma matrix_is_vjp nr n F V : is_vjp 1 (sz1 n) n (fun _ => True) F V ->
  is_vjp 1 (sz1 (nr * n)) (nr * n) (fun _ => True)
    (fun x q => F (row (sz1 n) (fun _ => false) x (q / n)) (q mod n)%nat)
    (fun x dy a k => V (row (sz1 n) (fun _ => false) x (k / n)) (dyrow n dy (k / n))
      a (k mod n)%nat).
Proof.
  intro H. apply (is_vjp_within _ _ _ _ (fun _ => True)) with (2 := rows_is_vjp nr 1 n (sz1 n)
    (fun _ => false) (fun _ => True) F V H).
  auto.
Qed.
Ltac row_by_row n Hn matrix :=
  intros y; eapply is_vjp_ext; [ | | exact matrix ];
  [ intros x q _; apply softmax_sees; intro k; now rewrite mem_at, at_row
  | intros x dy a k _ _ _; cbv beta; apply softmax_vjps_see;
    [ apply Nat.mod_upper_bound; lia
    | intros j Hj; rewrite mem_at, at_row; unfold tensors2, y;
      rewrite (dm_div _ n j Hj), (dm_mod _ n j Hj);
      apply softmax_sees; intro i; now rewrite mem_at, at_row
    | intros j; now rewrite mem_at, at_row ] ].
Theorem softmax_rows_vjp_correct nr n : (0 < n)%nat ->
  let y x q := L_Softmax (memory x) (row_ptr 0 (q / n) n) (Z.of_nat n) (Z.of_nat (q mod n)) in
  is_vjp 1 (sz1 (nr * n)) (nr * n) (fun _ => True) y
    (fun x dy _ k => L_SoftmaxVjp (memory (tensors2 (y x) dy)) (row_ptr 0 (k / n) n)
      (row_ptr 1 (k / n) n)
       (Z.of_nat n) (Z.of_nat (k mod n))).
Proof. intro Hn. row_by_row n Hn (matrix_is_vjp nr n _ _ (softmax_vjp_correct n Hn)). Qed.
Theorem log_softmax_rows_vjp_correct nr n : (0 < n)%nat ->
  let y x q := L_LogSoftmax (memory x) (row_ptr 0 (q / n) n) (Z.of_nat n) (Z.of_nat (q mod n)) in
  is_vjp 1 (sz1 (nr * n)) (nr * n) (fun _ => True) y
    (fun x dy _ k => L_LogSoftmaxVjp (memory (tensors2 (y x) dy)) (row_ptr 0 (k / n) n)
      (row_ptr 1 (k / n) n)
       (Z.of_nat n) (Z.of_nat (k mod n))).
Proof. intro Hn. row_by_row n Hn (matrix_is_vjp nr n _ _ (log_softmax_vjp_correct n Hn)). Qed.

(* The maximum along an axis. Line (o,i) of (outer, n, inner) as row o inner + i of a matrix. *)
Definition by_line (n inner p : nat) : nat := (line_of n inner p * n + (p / inner) mod n)%nat.
Definition from_line (n inner q : nat) : nat :=
  ((q / n / inner * n + q mod n) * inner + (q / n) mod inner)%nat.
Lemma by_line_one_to_one outer n inner :
  one_to_one (outer * n * inner) (outer * inner * n) (by_line n inner) (from_line n inner).
Proof.
  split; intros q Hq.
  - destruct (flat_index (outer * n) inner q Hq) as [l [i [Hl [Hi [-> _]]]]].
    destruct (flat_index outer n l Hl) as [o [j [Ho [Hj [-> _]]]]]. unfold by_line, from_line.
    rewrite line_of_along by assumption. rewrite (dm_div _ inner i Hi), (dm_mod o n j Hj),
      (dm_div _ n j Hj),
      (dm_mod _ n j Hj), (dm_div o inner i Hi), (dm_mod o inner i Hi).
    split; [| reflexivity ]. assert (o * inner + i < outer * inner)%nat by nia. nia.
  - destruct (flat_index (outer * inner) n q Hq) as [l [j [Hl [Hj [-> _]]]]].
    destruct (flat_index outer inner l Hl) as [o [i [Ho [Hi [-> _]]]]]. unfold by_line, from_line.
    rewrite (dm_div _ n j Hj), (dm_mod _ n j Hj), (dm_div o inner i Hi), (dm_mod o inner i Hi).
    rewrite line_of_along by assumption. rewrite (dm_div _ inner i Hi), (dm_mod o n j Hj).
    split; [| reflexivity ]. assert (o * n + j < outer * n)%nat by nia. nia.
Qed.
Definition line (n inner : nat) (x : args) (l j : nat) : R := x 0%nat ((l / inner * n + j)
  * inner + l mod inner)%nat.
Lemma line_elements n inner x l : (fun j : nat => memory x (W_shift (ptr 0) (L_along (Z.of_nat n)
  (Z.of_nat inner)
  (Z.of_nat (l / inner)) (Z.of_nat j) (Z.of_nat (l mod inner))))) = line n inner x l.
Proof. apply functional_extensionality; intro j. now rewrite along_is, mem_at. Qed.
Theorem max_axis_lines_vjp_correct outer n inner :
  let y x l := L_AxisMax (memory x) (ptr 0) (Z.of_nat n) (Z.of_nat inner) (Z.of_nat (l / inner))
    (Z.of_nat (l mod inner)) (Z.of_nat n) in
  is_vjp 1 (sz1 (outer * n * inner)) (outer * inner)
    (fun x => forall l, (l < outer * inner)%nat -> exists c, (c < n)%nat /\
       forall j, (j < n)%nat -> j <> c -> line n inner x l j < line n inner x l c)
    y
    (fun x dy _ p => let l := line_of n inner p in
       L_TieShare (x 0%nat p) (y x l) (dy l) (L_Ties (memory x) (ptr 0) (y x l) (Z.of_nat n)
         (Z.of_nat inner)
         (Z.of_nat (l / inner)) (Z.of_nat (l mod inner)) (Z.of_nat n))).
Proof.
  intro y. destruct (Nat.eq_dec n 0) as [->|N].
  { intros g g' t0 H _. destruct (Nat.eq_dec (outer * inner) 0) as [E|E].
    - rewrite E. exists (fun _ => 0). split; [ intros; lia |]. intro dy. unfold sz1.
        rewrite Nat.mul_0_r. simpl. ring.
    - destruct (H 0%nat ltac:(lia)) as [c [Hc _]]. lia. }
  set (m := (n - 1)%nat). assert (Em : n = S m) by (unfold m; lia).
  assert (One : is_vjp 1 (sz1 n) 1 (fun x => exists c, (c < n)%nat /\ forall j,
    (j < n)%nat -> j <> c -> x 0%nat j < x 0%nat c)
    (fun x _ => row_max m (x 0%nat)) (fun x dy _ k => max_vjp n (x 0%nat) (row_max m (x 0%nat))
      (dy 0%nat) k)).
  { intros g g' t0 [c [Hc HP]]. rewrite Em. apply (max_is_vjp m c ltac:(lia) g g' t0).
    intros i Hi. apply HP. lia. }
  assert (H := laid_out_is_vjp 1 (rows_sz (outer * inner) (sz1 n) (fun _ => false))
    (sz1 (outer * n * inner))
    (outer * inner * 1) (outer * inner) _ _ _ (fun _ => by_line n inner)
      (fun _ => from_line n inner) (fun q => q) (fun q => q)
    (fun _ _ => by_line_one_to_one outer n inner) ltac:(rewrite Nat.mul_1_r; apply one_to_one_id)
    (rows_is_vjp (outer * inner) 1 1 (sz1 n) (fun _ => false) _ _ _ One)).
  assert (Row : forall x l k, (k < n)%nat -> row (sz1 n) (fun _ => false)
    (laid_out (fun _ => from_line n inner) x) l 0%nat k = line n inner x l k).
  { intros x l k Hk. unfold row, laid_out, line, from_line, sz1. now rewrite (dm_div l n k Hk),
    (dm_mod l n k Hk). }
  assert (Max : forall f h : nat -> R, (forall k, (k < n)%nat -> f k = h k)
    -> row_max m f = row_max m h).
  { assert (G : forall i f h, (forall k, (k <= i)%nat -> f k = h k) -> row_max i f = row_max i h).
    { induction i; intros f h E; simpl; [ apply E; lia |]. rewrite (IHi f h), E by (intros;
      try apply E; lia). reflexivity. }
    intros f h E. apply G. intros k Hk. apply E. lia. }
  assert (Y : forall x l, y x l = row_max m (line n inner x l)).
  { intros x l. unfold y, L_AxisMax. rewrite line_elements. f_equal. lia. }
  apply (is_vjp_within 1 (sz1 (outer * n * inner)) (outer * inner) _ (fun x => forall l,
    (l < outer * inner)%nat ->
    exists c, (c < n)%nat /\ forall j, (j < n)%nat -> j <> c -> line n inner x l j < line n inner x
      l c)) in H.
  2: { intros x P l Hl. destruct (P l Hl) as [c [Hc Hj]]. exists c. split; [ exact Hc |].
    intros j Hn D. rewrite !Row by assumption. now apply Hj. }
  eapply is_vjp_ext; [ | | exact H ]; clear H.
  - intros x l Hl. unfold rows_fwd. rewrite Nat.div_1_r, Y. apply Max. apply Row.
  - intros x dy a p _ Ha Hp. cbv zeta. unfold rows_vjp, sz1 at 1 3 5. cbv beta.
    destruct (by_line_one_to_one outer n inner) as [B _]. destruct (B p Hp) as [B1 B2].
    assert (Hj : ((p / inner) mod n < n)%nat) by now apply Nat.mod_upper_bound.
    unfold by_line in *. rewrite (dm_div _ n _ Hj), (dm_mod _ n _ Hj). set (l := line_of n inner p)
      in *.
    set (j := ((p / inner) mod n)%nat) in *. unfold dyrow. rewrite Nat.mul_1_r, Nat.add_0_r.
    unfold max_vjp, L_TieShare, L_Ties, L_rdiv. rewrite line_elements, Nat2Z.id, count_is,
      equals_is, Y.
    assert (E : line n inner x l j = x 0%nat p).
    { rewrite <- B2. unfold line, from_line. now rewrite (dm_div _ n j Hj), (dm_mod _ n j Hj). }
    rewrite Row, E by exact Hj. rewrite (Max _ (line n inner x l)) by apply Row.
    unfold ties. rewrite (bsum_ext n _ (fun k => is_value (row_max m (line n inner x l))
      (line n inner x l k)))
      by (intros; now rewrite Row). rewrite ?(dm_div l n j Hj).
    now destruct (Req_EM_T _ _).
Qed.

(* masked_softmax: a mask for each row *)
Theorem masked_softmax_rows_vjp_correct nr n b : (0 < n)%nat ->
  let y x q := L_MaskedSoftmax (memory (tensors2 (x 0%nat) b)) (row_ptr 0 (q / n) n)
    (row_ptr 1 (q / n) n)
    (Z.of_nat n) (Z.of_nat (q mod n)) in
  is_vjp 1 (sz1 (nr * n)) (nr * n) (fun _ => True) y
    (fun x dy _ k => L_MaskedSoftmaxVjp (memory (tensors2 (y x) dy)) (row_ptr 0 (k / n) n)
      (row_ptr 1 (k / n) n)
       (Z.of_nat n) (Z.of_nat (k mod n))).
Proof.
  intros Hn y g g' t0 _ Hg.
  (* row r has its own mask, so its own op: the rows are put together by hand *)
  set (mask := fun r k => b (r * n + k)%nat).
  destruct (finite_choice (nat -> R) (fun _ => 0) nr (fun r D =>
    (forall i, (i < n)%nat -> is_derive (fun t => y (g t) (r * n + i)%nat) t0 (D i)) /\
    (forall dy, bsum n (fun i => dy i * D i) = bsum n (fun k => L_MaskedSoftmaxVjp
       (memory (tensors2 (fun i => y (g t0) (r * n + i)%nat) dy)) (ptr 0) (ptr 1) (Z.of_nat n)
         (Z.of_nat k) * g' 0%nat (r * n + k)%nat)))) as [D HD].
  { intros r Hr.
    assert (Y : forall x i, (i < n)%nat -> L_MaskedSoftmax (memory (tensors2 (fun k => x 0%nat (r *
      n + k)%nat) (mask r)))
        (ptr 0) (ptr 1) (Z.of_nat n) (Z.of_nat i) = y x (r * n + i)%nat).
    { intros x i Hi. unfold y. rewrite (dm_div r n i Hi), (dm_mod r n i Hi).
      apply masked_softmax_sees.
      intro k. now rewrite !mem_at, !at_row. }
    destruct (masked_softmax_vjp_correct n (mask r) (fun t _ k => g t 0%nat (r * n + k)%nat)
      (fun _ k => g' 0%nat (r * n + k)%nat) t0 I) as [D [H1 H2]].
    { intros a k _ Hk. apply (Hg 0%nat); unfold sz1 in *; nia. }
    exists D. split.
    - intros i Hi. apply (is_derive_ext (fun t => L_MaskedSoftmax (memory (tensors2 (fun k => g t
        0%nat (r * n + k)%nat) (mask r)))
        (ptr 0) (ptr 1) (Z.of_nat n) (Z.of_nat i))); [ intro t; now apply Y | now apply H1 ].
    - intro dy. rewrite H2. cbn [bsum]. rewrite Rplus_0_l. unfold sz1. apply bsum_ext; intros k Hk.
        f_equal.
      apply (softmax_vjps_see _ _ (ptr 0) (ptr 0) (ptr 1) (ptr 1) n k Hk); intros j; [ intro Hj |];
        rewrite !mem_at; [| reflexivity ].
      unfold tensors2 at 1 3. now apply Y. }
  exists (fun q => D (q / n)%nat (q mod n)%nat). split.
  - intros q Hq. destruct (flat_index nr n q Hq) as [r [i [Hr [Hi [E [-> ->]]]]]]. rewrite E.
      now apply (HD r Hr).
  - intro dy. rewrite bsum_flat. cbn [bsum]. rewrite Rplus_0_l. unfold sz1. rewrite bsum_flat.
    apply bsum_ext; intros r Hr. destruct (HD r Hr) as [_ H].
    rewrite (bsum_ext n _ (fun i => (fun i => dy (r * n + i)%nat) i * D r i)).
    2: { intros i Hi. now rewrite (dm_div r n i Hi), (dm_mod r n i Hi). }
    rewrite H. apply bsum_ext; intros k Hk. f_equal. rewrite (dm_div r n k Hk), (dm_mod r n k Hk).
    apply (softmax_vjps_see _ _ (ptr 0) _ (ptr 1) _ n k Hk); intros j; [ intro Hj |];
      rewrite mem_at, at_row; reflexivity.
Qed.

(* An op one of whose arguments, the last, is given. *)
Definition with_last (na : nat) (w : nat -> R) (x : args) : args := fun a => if Nat.eqb a na then w
  else x a.
Lemma last_given_is_vjp na sz m P F V w : is_vjp (S na) sz m P F V ->
  is_vjp na sz m (fun x => P (with_last na w x)) (fun x => F (with_last na w x))
    (fun x => V (with_last na w x)).
Proof.
  intros H g g' t0 HP Hg. destruct (H (fun t => with_last na w (g t)) (with_last na (fun _ => 0)
    g') t0 HP) as [D [H1 H2]].
  { intros a k Ha Hk. unfold with_last. destruct (Nat.eqb_spec a na); [ apply D_cst | apply Hg;
    auto; lia ]. }
  exists D. split; [ exact H1 |]. intro dy. rewrite H2. cbn [bsum].
  rewrite (bsum_ext (sz na) _ (fun _ => 0)), bsum_0.
  - rewrite Rplus_0_r. apply bsum_ext; intros a Ha. apply bsum_ext; intros k Hk.
      unfold with_last at 2.
    destruct (Nat.eqb_spec a na); [ lia | reflexivity ].
  - intros k _. unfold with_last at 2. rewrite Nat.eqb_refl. ring.
Qed.
(* affine = 0: ones stand for gamma *)
Theorem rms_norm_plain_vjp_correct nr n eps : (0 < n)%nat -> 0 < eps ->
  is_vjp 1 (sz1 (nr * n)) (nr * n) (fun _ => True)
    (fun x q => L_Normed (memory x) 0 0 (row_ptr 0 (q / n) n) (ptr 1) (ptr 1) (Z.of_nat n)
      eps (Z.of_nat (q mod n)))
    (fun x dy _ k => L_NormVjp (memory (rms_tensors n eps x dy)) 0 0 (row_ptr 0 (k / n) n) (ptr 1) 0
       (rms_tensors n eps x dy 5%nat (k / n)%nat) (row_ptr 3 (k / n) n) (Z.of_nat n)
         (Z.of_nat (k mod n))).
Proof.
  intros Hn He. apply (is_vjp_sz 1 (rows_sz nr (sz1 n) ln_shared) _ (nr * n));
    [ intros [|a] Ha; [ reflexivity | lia ] | reflexivity |].
  eapply is_vjp_ext; [ | | exact (last_given_is_vjp 1 _ _ _ _ _ (fun _ => 1)
    (rms_norm_vjp_correct nr n eps Hn He)) ].
  - intros x q _. cbv beta. unfold L_Normed, L_rmul, L_Hat, L_rmul, L_Center, L_Either.
    destruct (Z.eq_dec 0 0) as [_|E]; [| now contradiction E ]. destruct (Z.eq_dec 1 0) as [E|_];
      [ discriminate |].
    rewrite !rms_rstd_is, !at_row, !mem_at. reflexivity.
  - intros x dy [|a] k _ Ha _; [| lia ]. cbv beta zeta. cbn [rms_tensors]. rewrite !rms_rstd_is.
    set (X := with_last 1 (fun _ => 1) x). change (row_vec X 0 (k / n) n) with (row_vec x 0 (k / n)
      n).
    assert (Pull : forall i, L_Pulled (memory (rms_tensors n eps X dy)) (row_ptr 3 (k / n) n)
      (ptr 1) 1 (Z.of_nat i) =
      L_Pulled (memory (rms_tensors n eps x dy)) (row_ptr 3 (k / n) n) (ptr 1) 0 (Z.of_nat i)).
    { intro i. unfold L_Pulled, L_rmul, L_Either. destruct (Z.eq_dec 0 0) as [_|E];
      [| now contradiction E ].
      destruct (Z.eq_dec 1 0) as [E|_]; [ discriminate |]. now rewrite !at_row, mem_at. }
    unfold L_NormVjp, L_MeanHat, L_SumHat, L_MeanPulled. destruct (Z.eq_dec 0 0) as [_|E];
      [| now contradiction E ].
    rewrite Pull, !at_row.
    rewrite (bsum_ext (Z.to_nat (Z.of_nat n)) _ (fun i => L_Pulled (memory (rms_tensors n eps x
      dy)) (row_ptr 3 (k / n) n) (ptr 1) 0 (Z.of_nat i) *
      L_Hat (memory (rms_tensors n eps x dy) (W_shift (row_ptr 0 (k / n) n) (Z.of_nat i)))
        0 (rrms n eps (row_vec x 0 (k / n) n))))
      by (intros i _; now rewrite Pull, !at_row).
    reflexivity.
Qed.
