(* Average pooling, and max pooling: its VJP where the largest element of each window stands once; among
   equals the first in the order of the window has the whole gradient, a subgradient. Which elements a
   window reads is left open. *)
Require Import Reals Lra Psatz Arith Lia.
From Coquelicot Require Import Coquelicot.
From Theory Require Import Sums Vjp Linear.
Open Scope R_scope.

(* One window: its cells u < n with ok u, of which v holds the values. The first of the largest. *)
Fixpoint winner (ok : nat -> bool) (v : nat -> R) (n : nat) : option nat :=
  match n with
  | O => None
  | S u => match winner ok v u with
           | None => if ok u then Some u else None
           | Some b => if ok u then if Rlt_dec (v b) (v u) then Some u else Some b else Some b
           end
  end.
Lemma winner_is ok v n : match winner ok v n with
  | None => forall u, (u < n)%nat -> ok u = false
  | Some b => (b < n)%nat /\ ok b = true /\ (forall u, (u < n)%nat -> ok u = true -> v u <= v b) /\
      (forall u, (u < b)%nat -> ok u = true -> v u < v b) end.
Proof.
  induction n; simpl; [ intros; lia |]. destruct (winner ok v n) as [b|].
  - destruct IHn as [A [B [C D]]]. destruct (ok n) eqn:E; [ destruct (Rlt_dec (v b) (v n))
      as [L|L] |].
    + repeat split; auto.
      * intros u Hu O. destruct (Nat.eq_dec u n) as [->|N]; [ lra |]. specialize (C u ltac:(lia)
          O). lra.
      * intros u Hu O. specialize (C u ltac:(lia) O). lra.
    + repeat split; auto; try lia. intros u Hu O. destruct (Nat.eq_dec u n) as [->|N];
        [ lra | apply C; auto; lia ].
    + repeat split; auto; try lia. intros u Hu O. destruct (Nat.eq_dec u n) as [->|N];
        [ congruence | apply C; auto; lia ].
  - destruct (ok n) eqn:E.
    + repeat split; auto.
      * intros u Hu O. destruct (Nat.eq_dec u n) as [->|N]; [ lra |]. rewrite IHn in O by lia.
          discriminate.
      * intros u Hu O. rewrite IHn in O by lia. discriminate.
    + intros u Hu. destruct (Nat.eq_dec u n) as [->|N]; [ exact E | apply IHn; lia ].
Qed.
(* c is larger than all the others *)
Definition stands_once (ok : nat -> bool) (v : nat -> R) n c : Prop :=
  (c < n)%nat /\ ok c = true /\ forall u, (u < n)%nat -> ok u = true -> u <> c -> v u < v c.
Lemma winner_once ok v n c : stands_once ok v n c -> winner ok v n = Some c.
Proof.
  intros [Hc [Oc H]]. assert (W := winner_is ok v n). destruct (winner ok v n) as [b|].
  - destruct W as [A [B [C _]]]. f_equal. destruct (Nat.eq_dec b c) as [E|E]; [ exact E |].
    specialize (H b A B E). specialize (C c Hc Oc). lra.
  - rewrite W in Oc by exact Hc. discriminate.
Qed.

(* Tap u of the K of a window, at t of the nout outputs, reads the element `source_of t u` of nin, or
   padding. *)
Section Pools.
Variables (nin nout K : nat) (inside : nat -> nat -> bool) (source_of : nat -> nat -> nat).
Hypothesis source_below : forall t u, inside t u = true -> (source_of t u < nin)%nat.

(* the mean over a window, padding counted as zeros, channel by channel *)
Definition avg_pool (x : args) t : R :=
  bsum K (fun u => if_ (inside t u) (x 0%nat (source_of t u))) / INR K.
Definition avg_pool_vjp (_ : args) (dy : nat -> R) (_ j : nat) : R :=
  bsum nout (fun t => bsum K (fun u => if_ (inside t u && Nat.eqb j (source_of t u))
    (dy t / INR K))).
Theorem avg_pool_is_vjp : is_vjp 1 (sz1 nin) nout (fun _ => True) avg_pool avg_pool_vjp.
Proof.
  eapply is_vjp_ext; [ | | exact (affine_is_vjp 1 (sz1 nin) nout
    (fun _ t j => bsum K (fun u => if_ (inside t u && Nat.eqb j (source_of t u)) 1) / INR K)
      (fun _ => 0)) ].
  - intros x t Ht. unfold affine, avg_pool, sz1. cbn [bsum]. rewrite Rplus_0_l, Rplus_0_r.
      unfold Rdiv.
    rewrite <- bsum_scal_r.
    rewrite (bsum_ext nin _ (fun j => bsum K (fun u => if_ (inside t u && Nat.eqb j (source_of
      t u)) 1 * (x 0%nat j * / INR K)))).
    + rewrite bsum_swap. apply bsum_ext; intros u Hu.
      rewrite (bsum_pick nin (inside t u) (source_of t u) (fun j => x 0%nat j * / INR K))
        by (now apply source_below).
      destruct (inside t u); simpl; ring.
    + intros j Hj. rewrite bsum_scal_r. ring.
  - intros x dy a j _ _ Hj. unfold transposed, avg_pool_vjp. apply bsum_ext; intros t Ht.
      unfold Rdiv.
    rewrite Rmult_assoc, <- bsum_scal_r. apply bsum_ext; intros u Hu. destruct (_ && _)%bool;
      simpl; ring.
Qed.

Definition taken_from (x : nat -> R) t : option nat :=
  winner (inside t) (fun u => x (source_of t u)) K.
(* padding takes no part; a window of nothing but padding, which pad <= kernel / 2 excludes,
  gives 0 *)
Definition max_pool (x : args) t : R := match taken_from (x 0%nat)
  t with Some u => x 0%nat (source_of t u) | None => 0 end.
Definition max_pool_vjp (x : args) (dy : nat -> R) (_ j : nat) : R :=
  bsum nout (fun t =>
    match taken_from (x 0%nat) t with Some u => if_ (Nat.eqb j (source_of t u)) (dy t)
      | None => 0 end).
Theorem max_pool_is_vjp :
  is_vjp 1 (sz1 nin) nout
    (fun x => forall t, (t < nout)%nat ->
       exists c, stands_once (inside t) (fun u => x 0%nat (source_of t u)) K c)
    max_pool max_pool_vjp.
Proof.
  intros g g' t0 HP Hg.
  exists (fun t => match taken_from (g t0 0%nat) t with Some u => g' 0%nat (source_of t u)
    | None => 0 end). split.
  - intros t Ht. destruct (HP t Ht) as [c H]. unfold taken_from at 1.
      rewrite (winner_once _ _ _ c H).
    destruct H as [Hc [Oc H]].
    assert (In : forall u, inside t u = true -> (source_of t u < nin)%nat) by (intros u Hu;
      now apply source_below).
    apply (is_derive_ext_loc (fun s => g s 0%nat (source_of t c))); [| apply Hg;
      [ lia | now apply In ] ].
    assert (L : forall n, (n <= K)%nat -> locally t0 (fun s => forall u,
      (u < n)%nat ->
      inside t u = true -> u <> c -> g s 0%nat (source_of t u) < g s 0%nat (source_of t c))).
    { induction n; intro Hn; [ apply filter_forall; intros; lia |].
      assert (One : locally t0 (fun s => inside t n = true -> n <> c -> g s 0%nat (source_of t n)
        < g s 0%nat (source_of t c))).
      { destruct (inside t n) eqn:O; [| apply filter_forall; intros; discriminate ].
        destruct (Nat.eq_dec n c) as [->|N]; [ apply filter_forall; intros; congruence |].
        assert (Hd : is_derive (fun s => g s 0%nat (source_of t c) - g s 0%nat (source_of t n)) t0
          (g' 0%nat (source_of t c) - g' 0%nat (source_of t n)))
          by (apply D_minus; apply Hg; try lia; now apply In).
        assert (C : continuous (fun s => g s 0%nat (source_of t c) - g s 0%nat (source_of t n)) t0)
          by (apply (ex_derive_continuous (fun s => g s 0%nat (source_of t c)
            - g s 0%nat (source_of t n))); eexists; exact Hd).
        assert (P0 : 0 < g t0 0%nat (source_of t c) - g t0 0%nat (source_of t n))
          by (specialize (H n ltac:(lia) O N); lra).
        specialize (C _ (open_gt 0 _ P0)). unfold filtermap in C. revert C. apply filter_imp.
          intros s Hs _ _. lra. }
      assert (Below := IHn ltac:(lia)). generalize (filter_and _ _ Below One). apply filter_imp.
        intros s [A B] u Hu O N.
      destruct (Nat.eq_dec u n) as [->|D]; [ now apply B | apply A; auto; lia ]. }
    generalize (L _ (le_n _)). apply filter_imp. intros s Hs. unfold max_pool, taken_from.
    rewrite (winner_once _ _ _ c); [ reflexivity |]. split; [ exact Hc | split;
      [ exact Oc | exact Hs ] ].
  - intro dy. cbn [bsum]. rewrite Rplus_0_l. unfold sz1, max_pool_vjp.
    rewrite (bsum_ext nin _ (fun j => bsum nout (fun t => match taken_from (g t0 0%nat) t with
      | Some u => if_ (true && Nat.eqb j (source_of t u)) 1 * (dy t * g' 0%nat j) | None => 0 end))).
    + rewrite bsum_swap. apply bsum_ext; intros t Ht. destruct (HP t Ht) as [c H].
        unfold taken_from.
      rewrite (winner_once _ _ _ c H). destruct H as [_ [Oc _]].
      rewrite (bsum_pick nin true (source_of t c) (fun j => dy t * g' 0%nat j)); [ reflexivity |].
      intros _. now apply source_below.
    + intros j Hj. rewrite <- bsum_scal_r. apply bsum_ext; intros t Ht. destruct (taken_from _ t);
        [| ring ].
      simpl. rewrite (if_mult _ (dy t)). ring.
Qed.
(* Among equals: nowhere does the tangent of the chosen gradient go above the maximum. *)
Theorem max_pool_subgradient (x z : args) t u : taken_from (x 0%nat) t = Some u ->
  max_pool z t >= max_pool x t + (z 0%nat (source_of t u) - x 0%nat (source_of t u)).
Proof.
  intro H. assert (W := winner_is (inside t) (fun u => x 0%nat (source_of t u)) K).
  unfold max_pool. rewrite H. unfold taken_from in H. rewrite H in W. destruct W as [A [B _]].
  assert (Z := winner_is (inside t) (fun u => z 0%nat (source_of t u)) K).
  unfold taken_from. destruct (winner (inside t) (fun u => z 0%nat (source_of t u)) K) as [b|].
  - destruct Z as [_ [_ [C _]]]. specialize (C u A B). cbv beta in C. lra.
  - rewrite Z in B by exact A. discriminate.
Qed.
End Pools.
