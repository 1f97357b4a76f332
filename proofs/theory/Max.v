(* The largest element of a row. Where it stands once, its VJP is the derivative; where it stands more
   than once there is none, and the share of each is a subgradient: the mean of the gradients of the
   elements that are the largest. *)
Require Import Reals Lra Psatz Arith Lia FunctionalExtensionality.
From Coquelicot Require Import Coquelicot.
From Theory Require Import Sums Vjp.
Open Scope R_scope.

Fixpoint row_max (n : nat) (x : nat -> R) : R := (* of x 0 .. x n *)
  match n with O => x O | S k => Rmax (row_max k x) (x n) end.
Lemma row_max_ge n x i : (i <= n)%nat -> x i <= row_max n x.
Proof.
  induction n; simpl; intro H; [ replace i with O by lia; lra |].
  destruct (Nat.eq_dec i (S n)) as [->|E]; [ apply Rmax_r |].
  apply Rle_trans with (row_max n x); [ apply IHn; lia | apply Rmax_l ].
Qed.
Lemma row_max_is n x : exists i, (i <= n)%nat /\ row_max n x = x i.
Proof.
  induction n; simpl; [ now exists O |]. destruct IHn as [i [Hi E]].
  unfold Rmax. destruct (Rle_dec (row_max n x) (x (S n))); [ exists (S n) | exists i ]; split; auto.
Qed.
Lemma row_max_unique n x c : (c <= n)%nat -> (forall i, (i <= n)%nat -> x i <= x c) -> row_max n x = x c.
Proof.
  intros Hc H. apply Rle_antisym; [| now apply row_max_ge ].
  destruct (row_max_is n x) as [i [Hi ->]]. now apply H.
Qed.

(* how many of x 0 .. x (n-1) are y *)
Definition is_value (y v : R) : R := if Req_EM_T v y then 1 else 0.
Definition ties n (y : R) (x : nat -> R) : R := bsum n (fun k => is_value y (x k)).
Definition max_vjp n (x : nat -> R) (y dy : R) (k : nat) : R :=
  (if Req_EM_T (x k) y then dy else 0) / ties n y x.

Theorem max_is_vjp n c : (c <= n)%nat ->
  is_vjp 1 (sz1 (S n)) 1 (fun x => forall i, (i <= n)%nat -> i <> c -> x 0%nat i < x 0%nat c)
    (fun x _ => row_max n (x 0%nat)) (fun x dy _ k => max_vjp (S n) (x 0%nat) (row_max n (x 0%nat)) (dy 0%nat) k).
Proof.
  intros Hc g g' t0 HP Hg. set (x := g t0 0%nat) in *.
  assert (Hx : row_max n x = x c).
  { apply row_max_unique; auto. intros i Hi. destruct (Nat.eq_dec i c) as [->|E]; [ lra | left; now apply HP ]. }
  assert (Hq : forall k, (k <= n)%nat -> is_value (x c) (x k) = if Nat.eqb k c then 1 else 0).
  { intros k Hk. unfold is_value. destruct (Req_EM_T (x k) (x c)) as [E|E], (Nat.eqb_spec k c) as [D|D]; auto.
    specialize (HP k Hk D); lra. now subst. }
  assert (Ht : ties (S n) (x c) x = 1).
  { unfold ties. rewrite (bsum_ext _ _ (fun k => (if Nat.eqb k c then 1 else 0) * 1)), bsum_one; auto; [ lia |].
    intros i Hi. rewrite Hq by lia. ring. }
  exists (fun _ => g' 0%nat c). split.
  - intros _ _. apply (is_derive_ext_loc (fun t => g t 0%nat c)); [| apply Hg; unfold sz1; auto; lia ].
    assert (L : forall m, (m <= n)%nat -> locally t0 (fun t => forall i, (i <= m)%nat -> g t 0%nat i <= g t 0%nat c)).
    { assert (One : forall i, (i <= n)%nat -> locally t0 (fun t => g t 0%nat i <= g t 0%nat c)).
      { intros i Hi. destruct (Nat.eq_dec i c) as [->|E]; [ apply filter_forall; intro; lra |].
        assert (Hd : is_derive (fun t => g t 0%nat c - g t 0%nat i) t0 (g' 0%nat c - g' 0%nat i))
          by (apply D_minus; apply Hg; unfold sz1; auto; lia).
        assert (C : continuous (fun t => g t 0%nat c - g t 0%nat i) t0)
          by (apply (ex_derive_continuous (fun t => g t 0%nat c - g t 0%nat i)); eexists; exact Hd).
        assert (P0 : 0 < g t0 0%nat c - g t0 0%nat i) by (specialize (HP i Hi E); unfold x in HP; lra).
        specialize (C _ (open_gt 0 _ P0)). unfold filtermap in C. revert C. apply filter_imp. intros t Ht'. lra. }
      induction m; intro Hm.
      - generalize (One 0%nat (Nat.le_0_l n)). apply filter_imp. intros t H i Hi. now replace i with O by lia.
      - assert (B := IHm ltac:(lia)). generalize (filter_and _ _ B (One (S m) Hm)). apply filter_imp.
        intros t [H1 H2] i Hi. destruct (Nat.eq_dec i (S m)) as [->|E]; auto. apply H1; lia. }
    generalize (L n (le_n n)). apply filter_imp. intros t H. symmetry. now apply row_max_unique.
  - intro dy. change (0 + dy 0%nat * g' 0%nat c = 0 + bsum (S n) (fun k =>
      max_vjp (S n) x (row_max n x) (dy 0%nat) k * g' 0%nat k)). rewrite !Rplus_0_l, Hx.
    rewrite (bsum_ext _ _ (fun k => (if Nat.eqb k c then 1 else 0) * (dy 0%nat * g' 0%nat k))).
    + rewrite (bsum_one (S n) c (fun k => dy 0%nat * g' 0%nat k)) by lia. reflexivity.
    + intros k Hk. unfold max_vjp. rewrite Ht. assert (Q := Hq k ltac:(lia)). unfold is_value in Q.
      destruct (Req_EM_T (x k) (x c)), (Nat.eqb k c); try lra; field.
Qed.

(* With ties the shares are a subgradient: nowhere does the tangent go above the maximum. *)
Theorem max_vjp_subgradient n x z : row_max n z >=
  row_max n x + bsum (S n) (fun k => max_vjp (S n) x (row_max n x) 1 k * (z k - x k)).
Proof.
  set (y := row_max n x). destruct (row_max_is n x) as [c [Hc Ec]]. fold y in Ec.
  assert (Hw : forall k, 0 <= is_value y (x k)) by (intro; unfold is_value; destruct (Req_EM_T _ _); lra).
  assert (Ht : 0 < ties (S n) y x).
  { unfold ties. apply Rlt_le_trans with 1; [ lra |].
    rewrite <- (bsum_one (S n) c (fun _ => 1)) by lia.
    assert (B : forall m, bsum m (fun j => (if Nat.eqb j c then 1 else 0) * 1) <= bsum m (fun k => is_value y (x k))).
    { induction m; simpl; [ lra |]. assert (Q := Hw m).
      destruct (Nat.eqb_spec m c) as [->|]; [| lra ].
      unfold is_value in *. destruct (Req_EM_T (x c) y); [ lra | congruence ]. }
    apply B. }
  set (T := ties (S n) y x) in *.
  assert (B : bsum (S n) (fun k => is_value y (x k) * (z k - x k)) <= T * (row_max n z - y)).
  { unfold T, ties. rewrite <- bsum_scal_r.
    assert (M : forall m, (m <= S n)%nat -> bsum m (fun k => is_value y (x k) * (z k - x k)) <=
       bsum m (fun k => is_value y (x k) * (row_max n z - y))).
    { induction m; intro Hm; [ simpl; lra |]. simpl bsum. specialize (IHm ltac:(lia)).
      assert (Q := row_max_ge n z m ltac:(lia)). unfold is_value at 2 4. destruct (Req_EM_T (x m) y); lra. }
    apply M; lia. }
  rewrite (bsum_ext _ _ (fun k => / T * (is_value y (x k) * (z k - x k)))).
  - rewrite bsum_scal. apply Rle_ge.
    assert (/ T * bsum (S n) (fun k => is_value y (x k) * (z k - x k)) <= / T * (T * (row_max n z - y)))
      by (apply Rmult_le_compat_l; [ left; now apply Rinv_0_lt_compat | exact B ]).
    rewrite <- Rmult_assoc, Rinv_l, Rmult_1_l in H by lra. lra.
  - intros k Hk. unfold max_vjp, is_value. fold T. destruct (Req_EM_T (x k) y); field; lra.
Qed.
