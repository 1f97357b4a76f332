(* transpose2d, permute, swap_adjacent and broadcast_to of spec/shape.h and spec/broadcast.h: where
  an
   element comes from and where it went are inverse to one another, for tensors of any rank. *)
Require Import Reals Lra Psatz ZArith Lia Arith.
From Coquelicot Require Import Coquelicot.
From Theory Require Import Sums Vjp Linear Rows Layout Radix Meaning Memory.
Open Scope R_scope.

(* Whatever meets the two contracts: y, (cols, rows), the transpose of x, and dx that of g. *)
Theorem transpose2d_vjp_correct rows cols (F : args -> nat -> R) (V : (nat -> R) -> nat -> R) :
  (forall x, P_Transposed (memory (fun _ => F x)) (memory x) (ptr 0) (ptr 0) (Z.of_nat rows)
    (Z.of_nat cols)) ->
  (forall g, P_Transposed (memory (fun _ => V g)) (memory (fun _ => g)) (ptr 0) (ptr 0)
    (Z.of_nat cols) (Z.of_nat rows)) ->
  is_vjp 1 (sz1 (rows * cols)) (cols * rows) (fun _ => True) F (fun _ dy _ => V dy).
Proof.
  intros HF HV. eapply is_vjp_ext; [ | | exact (moved_is_vjp (rows * cols) (cols * rows)
    (turned cols rows) (turned rows cols)
    (turned_one_to_one cols rows)) ].
  - intros x q Hq. destruct (flat_index cols rows q Hq) as [c [r [Hc [Hr [-> _]]]]].
      rewrite turned_at by exact Hr.
    assert (H := HF x (Z.of_nat r) (Z.of_nat c) ltac:(lia) ltac:(lia) ltac:(lia) ltac:(lia)).
      unfold L_ix in H.
    rewrite <- !Nat2Z.inj_mul, <- !Nat2Z.inj_add, !mem_at in H. now symmetry.
  - intros x dy a q _ _ Hq. destruct (flat_index rows cols q Hq) as [r [c [Hr [Hc [-> _]]]]].
      rewrite turned_at by exact Hc.
    assert (H := HV dy (Z.of_nat c) (Z.of_nat r) ltac:(lia) ltac:(lia) ltac:(lia) ltac:(lia)).
      unfold L_ix in H.
    rewrite <- !Nat2Z.inj_mul, <- !Nat2Z.inj_add, !mem_at in H. now symmetry.
Qed.

(* the memory of integers has f 0 .. f (n-1) at p *)
Definition holds (ints : W_addr -> Z) (p : W_addr) (f : nat -> nat) (n : nat) : Prop :=
  forall d, (d < n)%nat -> ints (W_shift p (Z.of_nat d)) = Z.of_nat (f d).
Lemma quo_is k n : L_quo (Z.of_nat k) (Z.of_nat n) = Z.of_nat (k / n).
Proof.
  unfold L_quo. destruct n; [ now destruct k |]. rewrite Z.quot_div_nonneg by lia.
    now rewrite Nat2Z.inj_div.
Qed.
Lemma rem_is k n : (n <> 0)%nat -> L_rem (Z.of_nat k) (Z.of_nat n) = Z.of_nat (k mod n).
Proof. intro H. unfold L_rem. rewrite Z.rem_mod_nonneg by lia. now rewrite Nat2Z.inj_mod. Qed.
Lemma ix_is i n j : L_ix (Z.of_nat i) (Z.of_nat n) (Z.of_nat j) = Z.of_nat (i * n + j).
Proof. unfold L_ix. lia. Qed.
Lemma ix_times i n : L_ix (Z.of_nat i) (Z.of_nat n) 0 = Z.of_nat (i * n).
Proof. unfold L_ix. lia. Qed.

Lemma count_of ints s f n : holds ints s f n -> L_Count ints s (Z.of_nat n)
  = Z.of_nat (dims_count f n).
Proof.
  intro H. unfold L_Count. rewrite Nat2Z.id. induction n; [ reflexivity |].
    cbn [nat_rect dims_count].
  rewrite IHn by (intros d Hd; apply H; lia). rewrite H by lia. apply ix_times.
Qed.
Lemma digit_of ints s f n k d : holds ints s f n -> (k < dims_count f n)%nat -> (d < n)%nat ->
  L_Digit ints s (Z.of_nat n) (Z.of_nat k) (Z.of_nat d) = Z.of_nat (dims_index f n k d).
Proof.
  unfold L_Digit. rewrite Nat2Z.id. revert k. induction n; intros k H Hk Hd; [ lia |].
  cbn [nat_rect dims_index]. simpl in Hk. assert (f n <> 0)%nat by nia. rewrite H by lia.
  destruct (Z.eq_dec _ _) as [E|E], (Nat.eqb_spec d n) as [D|D]; try (exfalso; lia).
  - now apply rem_is.
  - rewrite quo_is. apply IHn; [ intros e He; apply H; lia | now apply dims_below | lia ].
Qed.

Section Permute.
Variables (ints : W_addr -> Z) (s axes : W_addr) (dims ax : nat -> nat) (n : nat).
Hypothesis shape_is : holds ints s dims n.
Hypothesis axes_are : holds ints axes ax n.
Hypothesis axes_below : forall e, (e < n)%nat -> (ax e < n)%nat.
Hypothesis axes_all : forall d, (d < n)%nat -> exists e, (e < n)%nat /\ ax e = d.
Hypothesis axes_differ : forall d e, (d < n)%nat -> (e < n)%nat -> ax d = ax e -> d = e.
Definition permuted_shape (e : nat) : nat := dims (ax e).

Lemma count_permuted_of : L_CountPermuted ints s axes (Z.of_nat n)
  = Z.of_nat (dims_count permuted_shape n).
Proof.
  unfold L_CountPermuted. rewrite Nat2Z.id.
  assert (H : forall m, (m <= n)%nat -> nat_rect (fun _ => Z)
    1%Z (fun e c => L_ix c (ints (W_shift s (ints (W_shift axes (Z.of_nat e))))) 0) m
    = Z.of_nat (dims_count permuted_shape m)).
  { induction m; intro Hm; [ reflexivity |]. cbn [nat_rect dims_count]. rewrite IHm by lia.
    rewrite axes_are, shape_is by (try apply axes_below; lia). apply ix_times. }
  now apply H.
Qed.
Lemma digit_permuted_of k e : (k < dims_count permuted_shape n)%nat -> (e < n)%nat ->
  L_DigitPermuted ints s axes (Z.of_nat n) (Z.of_nat k) (Z.of_nat (ax e))
    = Z.of_nat (dims_index permuted_shape n k e).
Proof.
  unfold L_DigitPermuted. rewrite Nat2Z.id.
  assert (H : forall m k, (m <= n)%nat -> (k < dims_count permuted_shape m)%nat -> (e < m)%nat ->
    nat_rect (fun _ => Z -> Z) (fun _ => 0%Z) (fun i index j => if Z.eq_dec (ints (W_shift axes
      (Z.of_nat i))) (Z.of_nat (ax e))
      then L_rem j (ints (W_shift s (ints (W_shift axes (Z.of_nat i)))))
      else index (L_quo j (ints (W_shift s (ints (W_shift axes (Z.of_nat i))))))) m (Z.of_nat k)
    = Z.of_nat (dims_index permuted_shape m k e)).
  { induction m; intros j Hm Hj He; [ lia |]. cbn [nat_rect dims_index]. simpl in Hj.
    assert (permuted_shape m <> 0)%nat by nia.
    rewrite axes_are, shape_is by (try apply axes_below; lia). change (dims (ax m))
      with (permuted_shape m).
    destruct (Z.eq_dec _ _) as [E|E], (Nat.eqb_spec e m) as [D|D].
    - now apply rem_is.
    - exfalso. apply D. symmetry. apply axes_differ; lia.
    - exfalso. apply E. now rewrite D.
    - rewrite quo_is. apply IHm; [ lia | now apply dims_below | lia ]. }
  intros Hk He. now apply H.
Qed.

Definition permuted_to (j : nat) : nat := dims_at permuted_shape n (fun e => dims_index dims n j
  (ax e)).
Definition permuted_from (inv : nat -> nat) (k : nat) : nat := dims_at dims n (fun d => dims_index
  permuted_shape n k (inv d)).
Lemma permuted_to_of j : (j < dims_count dims n)%nat ->
  L_PermutedTo ints s axes (Z.of_nat n) (Z.of_nat j) (Z.of_nat n) = Z.of_nat (permuted_to j).
Proof.
  intro Hj. unfold L_PermutedTo, permuted_to. rewrite Nat2Z.id.
  assert (H : forall m, (m <= n)%nat -> nat_rect (fun _ => Z)
    0%Z (fun d p => L_ix p (ints (W_shift s (ints (W_shift axes (Z.of_nat d)))))
      (L_Digit ints s (Z.of_nat n) (Z.of_nat j) (ints (W_shift axes (Z.of_nat d))))) m
    = Z.of_nat (dims_at permuted_shape m (fun e => dims_index dims n j (ax e)))).
  { induction m; intro Hm; [ reflexivity |]. cbn [nat_rect dims_at]. rewrite IHm by lia.
    rewrite axes_are, shape_is by (try apply axes_below; lia).
    rewrite (digit_of ints s dims) by (try apply axes_below; try assumption; lia). apply ix_is. }
  now apply H.
Qed.
Lemma permuted_from_of inv k : (forall d, (d < n)%nat -> (inv d < n)%nat /\ ax (inv d) = d) ->
  (k < dims_count permuted_shape n)%nat ->
  L_PermutedFrom ints s axes (Z.of_nat n) (Z.of_nat k) (Z.of_nat n)
    = Z.of_nat (permuted_from inv k).
Proof.
  intros Hinv Hk. unfold L_PermutedFrom, permuted_from. rewrite Nat2Z.id.
  assert (H : forall m, (m <= n)%nat -> nat_rect (fun _ => Z)
    0%Z (fun e p => L_ix p (ints (W_shift s (Z.of_nat e)))
      (L_DigitPermuted ints s axes (Z.of_nat n) (Z.of_nat k) (Z.of_nat e))) m
    = Z.of_nat (dims_at dims m (fun d => dims_index permuted_shape n k (inv d)))).
  { induction m; intro Hm; [ reflexivity |]. cbn [nat_rect dims_at]. rewrite IHm by lia.
    rewrite shape_is by lia.
    assert (G : L_DigitPermuted ints s axes (Z.of_nat n) (Z.of_nat k) (Z.of_nat m) =
        Z.of_nat (dims_index permuted_shape n k (inv m))).
    { destruct (Hinv m ltac:(lia)) as [A B]. rewrite <- B at 1. now apply digit_permuted_of. }
    rewrite G. apply ix_is. }
  now apply H.
Qed.
Lemma permuted_one_to_one inv : (forall d, (d < n)%nat -> (inv d < n)%nat /\ ax (inv d) = d) ->
  one_to_one (dims_count permuted_shape n) (dims_count dims n) (permuted_from inv) permuted_to.
Proof.
  intro Hinv. split.
  - intros k Hk.
    assert (B : forall d, (d < n)%nat -> (dims_index permuted_shape n k (inv d) < dims d)%nat).
    { intros d Hd. destruct (Hinv d Hd) as [A E].
      replace (dims d) with (permuted_shape (inv d)) by (unfold permuted_shape; now rewrite E).
        now apply dims_index_below. }
    split; [ now apply dims_at_below |]. unfold permuted_to, permuted_from.
    transitivity (dims_at permuted_shape n (dims_index permuted_shape n k));
      [| now apply dims_at_index ]. apply dims_at_ext. intros e He. split; auto.
    rewrite dims_index_at by (auto; now apply axes_below). f_equal. destruct (Hinv (ax e)
      (axes_below e He)).
    now apply axes_differ.
  - intros j Hj.
    assert (B : forall e, (e < n)%nat -> (dims_index dims n j (ax e) < permuted_shape e)%nat)
      by (intros e He; unfold permuted_shape; apply dims_index_below; auto).
    split; [ now apply dims_at_below |]. unfold permuted_to, permuted_from.
    transitivity (dims_at dims n (dims_index dims n j)); [| now apply dims_at_index ].
      apply dims_at_ext. intros d Hd. split; auto.
    destruct (Hinv d Hd) as [A E]. rewrite dims_index_at by auto. now rewrite E.
Qed.
Lemma axes_inverse : exists inv : nat -> nat, forall d, (d < n)%nat -> (inv d < n)%nat /\ ax (inv
  d) = d.
Proof. exact (finite_choice nat 0%nat n (fun d e => (e < n)%nat /\ ax e = d) axes_all). Qed.

Theorem permute_counts : L_CountPermuted ints s axes (Z.of_nat n) = L_Count ints s (Z.of_nat n).
Proof.
  rewrite count_permuted_of, (count_of ints s dims) by exact shape_is. f_equal.
    destruct axes_inverse as [inv H].
  exact (one_to_one_counts _ _ _ _ (permuted_one_to_one inv H)).
Qed.
Theorem permute_vjp_correct :
  let count := Z.to_nat (L_Count ints s (Z.of_nat n)) in
  is_vjp 1 (sz1 count) count (fun _ => True)
    (fun x k => memory x (W_shift (ptr 0) (L_PermutedFrom ints s axes (Z.of_nat n) (Z.of_nat k)
      (Z.of_nat n))))
    (fun _ dy _ j => memory (fun _ => dy) (W_shift (ptr 0) (L_PermutedTo ints s axes (Z.of_nat n)
      (Z.of_nat j) (Z.of_nat n)))).
Proof.
  intro count. unfold count. rewrite <- permute_counts at 2. rewrite count_permuted_of,
    (count_of ints s dims) by exact shape_is.
  rewrite !Nat2Z.id. destruct axes_inverse as [inv H].
  eapply is_vjp_ext; [ | | exact (moved_is_vjp _ _ _ _ (permuted_one_to_one inv H)) ].
  - intros x k Hk. now rewrite (permuted_from_of inv), mem_at.
  - intros x dy a j _ _ Hj. unfold sz1 in Hj. now rewrite permuted_to_of, mem_at.
Qed.
End Permute.

(* repeated along the dims that x, of m dims, has not or has with size 1; y has n *)
Theorem broadcast_to_vjp_correct ints xs f m s h n :
  holds ints xs f m -> holds ints s h n -> (m <= n)%nat ->
  (forall d, (d < m)%nat -> f d = 1%nat \/ f d = h (d + n - m)%nat) ->
  is_vjp 1 (sz1 (Z.to_nat (L_Count ints xs (Z.of_nat m)))) (Z.to_nat (L_Count ints s (Z.of_nat n)))
    (fun _ => True)
    (fun x k => memory x (W_shift (ptr 0) (L_BroadcastFrom ints xs (Z.of_nat m) s (Z.of_nat n)
      (Z.of_nat k) (Z.of_nat m))))
    (fun _ dy _ j => L_BroadcastSum (memory (fun _ => dy)) ints 0 xs (Z.of_nat m) s (Z.of_nat n)
      (ptr 0) (Z.of_nat j)
       (L_Count ints s (Z.of_nat n))).
Proof.
  intros Hf Hh Hmn Hd. rewrite (count_of ints xs f m Hf), (count_of ints s h n Hh), !Nat2Z.id.
  set (from := fun k => dims_at f m (fun d => if Nat.eqb (f d)
    1 then 0%nat else dims_index h n k (d + n - m))).
  assert (From : forall k, (k < dims_count h n)%nat ->
    L_BroadcastFrom ints xs (Z.of_nat m) s (Z.of_nat n) (Z.of_nat k) (Z.of_nat m)
      = Z.of_nat (from k)).
  { intros k Hk. unfold L_BroadcastFrom, from. rewrite Nat2Z.id.
    assert (H : forall i, (i <= m)%nat -> nat_rect (fun _ => Z)
      0%Z (fun e p => L_ix p (ints (W_shift xs (Z.of_nat e)))
        (if Z.eq_dec (ints (W_shift xs (Z.of_nat e))) 1 then 0%Z
         else L_Digit ints s (Z.of_nat n) (Z.of_nat k) (Z.of_nat e + Z.of_nat n + -1 * Z.of_nat
           m))) i
      = Z.of_nat (dims_at f i (fun d => if Nat.eqb (f d) 1 then 0%nat else dims_index h n k (d + n
        - m)))).
    { induction i; intro Hi; [ reflexivity |]. cbn [nat_rect dims_at]. rewrite IHi by lia.
      rewrite Hf by lia.
      destruct (Z.eq_dec _ _) as [E|E], (Nat.eqb_spec (f i) 1) as [D|D]; try (exfalso; lia).
      - rewrite ix_times. f_equal. lia.
      - replace (Z.of_nat i + Z.of_nat n + -1 * Z.of_nat m)%Z with (Z.of_nat (i + n - m)) by lia.
        rewrite (digit_of ints s h) by (auto; lia). apply ix_is. }
    now apply H. }
  assert (Below : forall k, (k < dims_count h n)%nat -> (from k < dims_count f m)%nat).
  { intros k Hk. apply dims_at_below. intros d Hm. destruct (Nat.eqb_spec (f d) 1) as [E|E];
    [ lia |].
    destruct (Hd d Hm) as [G|G]; [ contradiction |]. rewrite G. apply dims_index_below;
      [ exact Hk | lia ]. }
  eapply is_vjp_ext; [ | | exact (pick_is_vjp (dims_count f m) (dims_count h n) (fun _ => true)
    from (fun k Hk _ => Below k Hk)) ].
  - intros x k Hk. unfold pick. now rewrite From, mem_at.
  - intros x dy a j _ _ Hj. unfold pick_vjp, L_BroadcastSum. rewrite Nat2Z.id. apply bsum_ext.
      intros k Hk.
    rewrite From, mem_at by exact Hk. unfold L_BroadcastTerm. destruct (Z.eq_dec 0 0) as [_|E];
      [| now contradiction E ].
    destruct (Z.eq_dec _ _) as [E|E], (Nat.eqb_spec j (from k)) as [D|D]; try reflexivity; exfalso;
      lia.
Qed.

(* (.., b, a, ..) to (.., a, b, ..), where `inner` elements stand behind each pair of indices *)
Definition swapped (a b inner k : nat) : nat :=
  (((k / inner / a / b * a + (k / inner) mod a) * b + (k / inner / a) mod b)
    * inner + k mod inner)%nat.
Lemma swapped_at a b inner o i j r : (i < a)%nat -> (j < b)%nat -> (r < inner)%nat ->
  swapped a b inner (((o * b + j) * a + i) * inner + r) = (((o * a + i) * b + j) * inner + r)%nat.
Proof.
  intros Hi Hj Hr. unfold swapped. rewrite (dm_div _ inner r Hr), (dm_mod _ inner r Hr),
    (dm_div _ a i Hi), (dm_mod _ a i Hi),
    (dm_div o b j Hj), (dm_mod o b j Hj). reflexivity.
Qed.
Lemma swapped_one_to_one outer a b inner :
  one_to_one (outer * a * b * inner) (outer * a * b * inner) (swapped a b inner)
    (swapped b a inner).
Proof.
  assert (H : forall p q, forall k, (k < outer * p * q * inner)%nat ->
    (swapped p q inner k < outer * p * q * inner)%nat /\ swapped q p inner (swapped p q inner k)
      = k).
  { intros p q k Hk. replace (outer * p * q * inner)%nat with (outer * q * p * inner)%nat in Hk by
    ring.
    destruct (flat_index (outer * q * p) inner k Hk) as [l [r [Hl [Hr [-> _]]]]].
    destruct (flat_index (outer * q) p l Hl) as [o [i [Ho [Hi [-> _]]]]].
    destruct (flat_index outer q o Ho) as [u [j [Hu [Hj [-> _]]]]].
    rewrite swapped_at, swapped_at by assumption. split; [| reflexivity ].
    assert ((u * p + i) < outer * p)%nat by nia. assert ((u * p + i)
      * q + j < outer * p * q)%nat by nia. nia. }
  split; intros k Hk; [ now apply H |]. replace (outer * a * b * inner)%nat with (outer * b * a *
    inner)%nat in * by ring.
  now apply H.
Qed.
Lemma swapped_of a b inner k : (a <> 0)%nat -> (b <> 0)%nat -> (inner <> 0)%nat ->
  L_SwappedFrom (Z.of_nat a) (Z.of_nat b) (Z.of_nat inner) (Z.of_nat k)
    = Z.of_nat (swapped a b inner k).
Proof. intros Ha Hb Hi. unfold L_SwappedFrom, swapped. cbv zeta. now rewrite !quo_is, !rem_is,
  !ix_is. Qed.

Theorem swap_adjacent_vjp_correct ints s f n depth : holds ints s f n ->
  let count := Z.to_nat (L_Count ints s (Z.of_nat n)) in
  is_vjp 1 (sz1 count) count (fun _ => True)
    (fun x k => memory x (W_shift (ptr 0) (L_AdjacentFrom ints s (Z.of_nat n)
      depth 0 (Z.of_nat k))))
    (fun _ dy _ j => memory (fun _ => dy) (W_shift (ptr 0) (L_AdjacentFrom ints s (Z.of_nat n)
      depth 1 (Z.of_nat j)))).
Proof.
  intro Hf. rewrite (count_of ints s f n Hf), Nat2Z.id. intro count. unfold count. clear count.
    unfold L_AdjacentFrom.
  destruct (Z_lt_dec depth 0) as [N|N].
  { eapply is_vjp_ext; [ | | exact (moved_is_vjp _ _ _ _ (one_to_one_id (dims_count f n))) ];
    intros; now rewrite mem_at. }
  destruct (Z_le_dec (Z.of_nat n) (1 + depth)) as [M|M].
  { eapply is_vjp_ext; [ | | exact (moved_is_vjp _ _ _ _ (one_to_one_id (dims_count f n))) ];
    intros; now rewrite mem_at. }
  destruct (Z.eq_dec 0 0) as [_|E]; [| now contradiction E ]. destruct (Z.eq_dec 1 0) as [E|_];
    [ discriminate |].
  set (d := Z.to_nat depth). assert (Ed : depth = Z.of_nat d) by lia. rewrite Ed.
  replace (1 + Z.of_nat d)%Z with (Z.of_nat (S d)) by lia. rewrite !Hf by lia.
  assert (I : exists inner, L_Inner ints s (2 + Z.of_nat d) (Z.of_nat n) = Z.of_nat inner /\
    dims_count f n = (dims_count f d * f d * f (S d) * inner)%nat).
  { unfold L_Inner. replace (Z.to_nat (Z.of_nat n - (2 + Z.of_nat d)))
    with (n - S (S d))%nat by lia.
    assert (H : forall j, (S (S d) + j <= n)%nat -> exists inner,
      nat_rect (fun _ => Z) 1%Z (fun i c => L_ix c (ints (W_shift s (2 + Z.of_nat d + Z.of_nat
        i)%Z)) 0) j = Z.of_nat inner /\
      dims_count f (S (S d) + j) = (dims_count f d * f d * f (S d) * inner)%nat).
    { induction j; intro Hj; [ exists 1%nat; rewrite Nat.add_0_r; simpl; lia |].
      destruct IHj as [inner [A B]]; [ lia |].
      exists (inner * f (S (S d) + j))%nat. cbn [nat_rect]. rewrite A.
      replace (2 + Z.of_nat d + Z.of_nat j)%Z with (Z.of_nat (S (S d) + j)) by lia.
        rewrite Hf by lia.
      split; [ apply ix_times |]. rewrite Nat.add_succ_r. cbn [dims_count]. rewrite B. ring. }
    destruct (H (n - S (S d))%nat ltac:(lia)) as [inner [A B]]. exists inner. split; [ exact A |].
    rewrite <- B. f_equal. lia. }
  destruct I as [inner [-> ->]].
  eapply is_vjp_ext; [ | | exact (moved_is_vjp _ _ _ _ (swapped_one_to_one (dims_count f d) (f d)
    (f (S d)) inner)) ].
  - intros x k Hk. now rewrite swapped_of, mem_at by nia.
  - intros x dy a k _ _ Hk. unfold sz1 in Hk. now rewrite swapped_of, mem_at by nia.
Qed.
