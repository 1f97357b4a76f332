(* Ops that move and add elements. Whatever is a sum of inputs picked by position has for a VJP the
   same sums the other way round: gather and scatter_add, broadcast and sum, permute, slice, concat. *)
Require Import Reals Lra Psatz Arith Lia FunctionalExtensionality.
From Coquelicot Require Import Coquelicot.
From Theory Require Import Sums Vjp.
Open Scope R_scope.

(* y_i = c_i + sum over the arguments a and their elements k of A a i k x_a_k *)
Definition affine na (sz : nat -> nat) (A : nat -> nat -> nat -> R) (c : nat -> R) (x : args) i :=
  bsum na (fun a => bsum (sz a) (fun k => A a i k * x a k)) + c i.
Definition transposed m (A : nat -> nat -> nat -> R) (_ : args) (dy : nat -> R) a k :=
  bsum m (fun i => A a i k * dy i).
Theorem affine_is_vjp na sz m A c :
  is_vjp na sz m (fun _ => True) (affine na sz A c) (transposed m A).
Proof.
  intros g g' t0 _ Hg. exists (fun i => bsum na (fun a => bsum (sz a) (fun k => A a i k * g' a k))). split.
  - intros i _. eapply D_eq. apply D_plus; [| apply D_cst ].
    apply (bsum_derive na (fun t a => bsum (sz a) (fun k => A a i k * g t a k))). intros a Ha.
    apply (bsum_derive (sz a) (fun t k => A a i k * g t a k)). intros k Hk.
    eapply D_eq. apply D_mult; [ apply D_cst | apply Hg; assumption ].
    instantiate (1 := fun k => A a i k * g' a k). cbv beta. ring. cbv beta. ring.
  - intro dy. unfold transposed.
    rewrite (bsum_ext m _ (fun i => bsum na (fun a => bsum (sz a) (fun k => A a i k * dy i * g' a k)))).
    2: { intros i Hi. rewrite <- bsum_scal. apply bsum_ext; intros a Ha. rewrite <- bsum_scal.
         apply bsum_ext; intros; ring. }
    rewrite bsum_swap. apply bsum_ext; intros a Ha. rewrite bsum_swap. apply bsum_ext; intros k Hk.
    now rewrite <- bsum_scal_r.
Qed.

Lemma bsum_pick n (ok : bool) s (x : nat -> R) : (ok = true -> s < n)%nat ->
  bsum n (fun k => if_ (ok && Nat.eqb k s) 1 * x k) = if_ ok (x s).
Proof.
  intro H. destruct ok; simpl.
  - rewrite <- (bsum_one n s x) by auto. apply bsum_ext; intros k _. destruct (Nat.eqb k s); reflexivity.
  - rewrite (bsum_ext n _ (fun _ => 0)), bsum_0; intros; auto; ring.
Qed.

(* y_i = x_(s i) where ok i, else 0; its VJP adds up what was taken from j. gather, gather_rows,
   broadcast_to, slice, permute, transpose2d. *)
Definition pick (ok : nat -> bool) (s : nat -> nat) (x : args) i := if_ (ok i) (x 0%nat (s i)).
Definition pick_vjp m ok s (_ : args) (dy : nat -> R) (_ j : nat) :=
  bsum m (fun i => if_ (ok i && Nat.eqb j (s i)) (dy i)).
Theorem pick_is_vjp n m ok s : (forall i, (i < m)%nat -> ok i = true -> (s i < n)%nat) ->
  is_vjp 1 (sz1 n) m (fun _ => True) (pick ok s) (pick_vjp m ok s).
Proof.
  intro Hs. apply (is_vjp_ext 1 (sz1 n) m _ (affine 1 (sz1 n) (fun _ i k => if_ (ok i && Nat.eqb k (s i)) 1)
    (fun _ => 0)) _ (transposed m (fun _ i k => if_ (ok i && Nat.eqb k (s i)) 1))).
  - intros x i Hi. unfold affine, sz1, pick. simpl. rewrite (bsum_pick n (ok i) (s i)) by auto. ring.
  - intros x dy a k _ _ _. unfold transposed, pick_vjp. apply bsum_ext; intros. now rewrite <- if_mult.
  - apply affine_is_vjp.
Qed.

(* Where every element is taken once, by a map s with the inverse r, the VJP takes them back. *)
Lemma permuted_back n (s r : nat -> nat) (dy : nat -> R) j : (j < n)%nat ->
  (forall i, (i < n)%nat -> r (s i) = i) -> (forall k, (k < n)%nat -> (r k < n)%nat /\ s (r k) = k) ->
  bsum n (fun i => if_ (true && Nat.eqb j (s i)) (dy i)) = dy (r j).
Proof.
  intros Hj H1 H2. rewrite <- (bsum_one n (r j) dy) by (now apply H2). apply bsum_ext; intros i Hi. simpl.
  destruct (Nat.eqb_spec j (s i)) as [E|E], (Nat.eqb_spec i (r j)) as [D|D]; simpl; try ring; exfalso.
  - apply D. now rewrite E, H1.
  - apply E. rewrite D. symmetry. now apply H2.
Qed.
Theorem permute_is_vjp n s r :
  (forall i, (i < n)%nat -> r (s i) = i) -> (forall k, (k < n)%nat -> (r k < n)%nat /\ s (r k) = k) ->
  (forall i, (i < n)%nat -> (s i < n)%nat) ->
  is_vjp 1 (sz1 n) n (fun _ => True) (fun x i => x 0%nat (s i)) (fun _ dy _ j => dy (r j)).
Proof.
  intros H1 H2 H3. apply (is_vjp_ext 1 (sz1 n) n _ (pick (fun _ => true) s) _ (pick_vjp n (fun _ => true) s)).
  - reflexivity.
  - intros x dy a k _ _ Hk. unfold pick_vjp. now apply permuted_back.
  - apply pick_is_vjp; auto.
Qed.

(* y_i = the sum of the x_k that go to i; sum, sum_axis: the VJP hands each its dy. *)
Definition gathered n (t : nat -> nat) (x : args) i := bsum n (fun k => if_ (Nat.eqb (t k) i) (x 0%nat k)).
Theorem sum_groups_is_vjp n m t : (forall k, (k < n)%nat -> (t k < m)%nat) ->
  is_vjp 1 (sz1 n) m (fun _ => True) (gathered n t) (fun _ dy _ k => dy (t k)).
Proof.
  intro Ht. apply (is_vjp_ext 1 (sz1 n) m _ (affine 1 (sz1 n) (fun _ i k => if_ (Nat.eqb (t k) i) 1) (fun _ => 0))
    _ (transposed m (fun _ i k => if_ (Nat.eqb (t k) i) 1))).
  - intros x i Hi. unfold affine, sz1, gathered. simpl. rewrite Rplus_0_l, Rplus_0_r.
    apply bsum_ext; intros. now rewrite <- if_mult.
  - intros x dy a k _ _ Hk. unfold transposed. rewrite <- (bsum_one m (t k) dy) by auto.
    apply bsum_ext; intros i Hi. rewrite Nat.eqb_sym. now destruct (Nat.eqb i (t k)).
  - apply affine_is_vjp.
Qed.

(* y = x, and u_k added to y_(t k) where ok k; scatter_add and its kin: dx = dy, du_k = dy_(t k). *)
Definition scattered k (ok : nat -> bool) (t : nat -> nat) (x : args) j :=
  x 0%nat j + bsum k (fun i => if_ (ok i && Nat.eqb (t i) j) (x 1%nat i)).
Definition scattered_vjp (ok : nat -> bool) (t : nat -> nat) (_ : args) (dy : nat -> R) (a i : nat) :=
  match a with O => dy i | _ => if_ (ok i) (dy (t i)) end.
Definition scattered_sz (n k a : nat) := match a with O => n | _ => k end.
Theorem scatter_add_is_vjp n k ok t : (forall i, (i < k)%nat -> ok i = true -> (t i < n)%nat) ->
  is_vjp 2 (scattered_sz n k) n (fun _ => True) (scattered k ok t) (scattered_vjp ok t).
Proof.
  intro Ht. set (A := fun a i j => match a with O => if_ (Nat.eqb j i) 1 | _ => if_ (ok j && Nat.eqb (t j) i) 1 end).
  apply (is_vjp_ext 2 _ n _ (affine 2 (scattered_sz n k) A (fun _ => 0)) _ (transposed n A)).
  - intros x i Hi. unfold affine, scattered, A. simpl. rewrite (bsum_ext n _ (fun j => if_ (true && Nat.eqb j i) 1 * x 0%nat j)) by reflexivity.
    rewrite (bsum_pick n true i) by auto. simpl. rewrite Rplus_0_l, Rplus_0_r. f_equal.
    apply bsum_ext; intros. now rewrite <- if_mult.
  - intros x dy a j _ Ha Hj. unfold transposed, scattered_vjp, A. destruct a as [|a].
    + change (dy j) with (if_ true (dy j)). rewrite <- (bsum_pick n true j dy) by auto. apply bsum_ext; intros i _. simpl. now rewrite Nat.eqb_sym.
    + destruct a; [| lia ]. simpl in Hj. rewrite <- (bsum_pick n (ok j) (t j) dy) by auto.
      apply bsum_ext; intros i _. now rewrite (Nat.eqb_sym i).
  - apply affine_is_vjp.
Qed.

(* y_i = a_(s i) where c i, else b_(r i); concat and write_rows. Each element of a and of b gets what
   was made of it. *)
Definition either (c : nat -> bool) (s r : nat -> nat) (x : args) i := if c i then x 0%nat (s i) else x 1%nat (r i).
Definition either_vjp m c s r (_ : args) (dy : nat -> R) (a j : nat) :=
  match a with
  | O => bsum m (fun i => if_ (c i && Nat.eqb j (s i)) (dy i))
  | _ => bsum m (fun i => if_ (negb (c i) && Nat.eqb j (r i)) (dy i))
  end.
Theorem either_is_vjp na nb m c s r :
  (forall i, (i < m)%nat -> c i = true -> (s i < na)%nat) ->
  (forall i, (i < m)%nat -> c i = false -> (r i < nb)%nat) ->
  is_vjp 2 (scattered_sz na nb) m (fun _ => True) (either c s r) (either_vjp m c s r).
Proof.
  intros Hs Hr. set (A := fun a i j => match a with O => if_ (c i && Nat.eqb j (s i)) 1
                                         | _ => if_ (negb (c i) && Nat.eqb j (r i)) 1 end).
  apply (is_vjp_ext 2 _ m _ (affine 2 (scattered_sz na nb) A (fun _ => 0)) _ (transposed m A)).
  - intros x i Hi. unfold affine, either, A. simpl.
    rewrite (bsum_pick na (c i) (s i) (x 0%nat)), (bsum_pick nb (negb (c i)) (r i) (x 1%nat)).
    destruct (c i); simpl; ring.
    intro E. apply Hr; auto. now destruct (c i). auto.
  - intros x dy a j _ Ha _. unfold transposed, either_vjp, A. destruct a; apply bsum_ext; intros; now rewrite <- if_mult.
  - apply affine_is_vjp.
Qed.
