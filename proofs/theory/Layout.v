(* Elements that move. A sum over a range that is numbered otherwise, the VJP of an op that moves
   elements, and the VJP of an op whose tensors are laid out in memory in another order. *)
Require Import Reals Lra Psatz Arith Lia.
From Coquelicot Require Import Coquelicot.
From Theory Require Import Sums Vjp Linear.
Open Scope R_scope.

(* the numbers below n and those below m, one to one *)
Definition one_to_one (n m : nat) (to back : nat -> nat) : Prop :=
  (forall i, (i < n)%nat -> (to i < m)%nat /\ back (to i) = i) /\
  (forall j, (j < m)%nat -> (back j < n)%nat /\ to (back j) = j).
Lemma one_to_one_back n m to back : one_to_one n m to back -> one_to_one m n back to.
Proof. now intros [H1 H2]. Qed.
Lemma one_to_one_id n : one_to_one n n (fun i => i) (fun i => i).
Proof. split; auto. Qed.
Lemma bsum_one_to_one n m to back f : one_to_one n m to back -> bsum n (fun i => f (to i))
  = bsum m f.
Proof.
  intros [H1 H2].
  transitivity (bsum n (fun i => bsum m (fun j => (if Nat.eqb j (to i) then 1 else 0) * f j))).
  - apply bsum_ext; intros i Hi. symmetry. apply (bsum_one m (to i) f). now apply H1.
  - rewrite bsum_swap. apply bsum_ext; intros j Hj.
    transitivity (bsum n (fun i => (if Nat.eqb i (back j) then 1 else 0) * f j));
      [| apply (bsum_one n (back j) (fun _ => f j)); now apply H2 ].
    apply bsum_ext; intros i Hi. f_equal.
    destruct (Nat.eqb_spec j (to i)) as [E|E], (Nat.eqb_spec i (back j)) as [D|D]; auto; exfalso.
    + apply D. rewrite E. symmetry. now apply H1.
    + apply E. rewrite D. symmetry. now apply H2.
Qed.
Lemma one_to_one_counts n m to back : one_to_one n m to back -> n = m.
Proof.
  intro H. apply INR_eq. rewrite <- (Rmult_1_r (INR n)), <- (Rmult_1_r (INR m)), <- !bsum_const.
  exact (bsum_one_to_one n m to back (fun _ => 1) H).
Qed.

(* y_i = x_(s i) where ok i, else 0, nothing taken twice: r takes back what was taken. *)
Lemma picked_back m (ok back : nat -> bool) (s r : nat -> nat) (dy : nat -> R) j :
  (forall i, (i < m)%nat -> ok i = true -> back (s i) = true /\ r (s i) = i) ->
  (back j = true -> (r j < m)%nat /\ ok (r j) = true /\ s (r j) = j) ->
  bsum m (fun i => if_ (ok i && Nat.eqb j (s i)) (dy i)) = if_ (back j) (dy (r j)).
Proof.
  intros H1 H2. destruct (back j) eqn:E; simpl.
  - destruct (H2 eq_refl) as [A [B C]]. rewrite <- (bsum_one m (r j) dy A). apply bsum_ext;
      intros i Hi.
    destruct (ok i) eqn:O; simpl.
    + destruct (Nat.eqb_spec j (s i)) as [D|D], (Nat.eqb_spec i (r j)) as [F|F]; simpl; try ring;
        exfalso.
      * apply F. destruct (H1 i Hi O) as [_ G]. now rewrite D, G.
      * apply D. now rewrite F, C.
    + destruct (Nat.eqb_spec i (r j)) as [F|F]; [ exfalso; rewrite F, B in O; discriminate | ring ].
  - rewrite (bsum_ext m _ (fun _ => 0)), bsum_0; auto. intros i Hi. destruct (ok i) eqn:O;
      [| reflexivity ].
    simpl. destruct (Nat.eqb_spec j (s i)) as [D|D]; [| reflexivity ].
    destruct (H1 i Hi O) as [G _]. rewrite <- D in G. congruence.
Qed.
Theorem cut_is_vjp n m ok back s r :
  (forall i, (i < m)%nat -> ok i = true -> (s i < n)%nat /\ back (s i) = true /\ r (s i) = i) ->
  (forall j, (j < n)%nat -> back j = true -> (r j < m)%nat /\ ok (r j) = true /\ s (r j) = j) ->
  is_vjp 1 (sz1 n) m (fun _ => True) (fun x i => if_ (ok i) (x 0%nat (s i)))
    (fun _ dy _ j => if_ (back j) (dy (r j))).
Proof.
  intros H1 H2. apply (is_vjp_ext 1 (sz1 n) m _ (pick ok s) _ (pick_vjp m ok s)).
  - reflexivity.
  - intros x dy a j _ _ Hj. apply picked_back; [ intros i Hi Ho; now apply H1 | now apply H2 ].
  - apply pick_is_vjp. intros i Hi Ho. now apply H1.
Qed.
Theorem moved_is_vjp n m s r : one_to_one m n s r ->
  is_vjp 1 (sz1 n) m (fun _ => True) (fun x i => x 0%nat (s i)) (fun _ dy _ j => dy (r j)).
Proof.
  intros [H1 H2]. apply (cut_is_vjp n m (fun _ => true) (fun _ => true) s r).
  - intros i Hi _. destruct (H1 i Hi). auto.
  - intros j Hj _. destruct (H2 j Hj). auto.
Qed.
(* y_i = a_(s i) where c i, else b_(r i), nothing taken twice *)
Theorem joined_is_vjp na nb m c ba bb s s' r r' :
  (forall i, (i < m)%nat -> c i = true -> (s i < na)%nat /\ ba (s i) = true /\ s' (s i) = i) ->
  (forall i, (i < m)%nat -> c i = false -> (r i < nb)%nat /\ bb (r i) = true /\ r' (r i) = i) ->
  (forall j, (j < na)%nat -> ba j = true -> (s' j < m)%nat /\ c (s' j) = true /\ s (s' j) = j) ->
  (forall j, (j < nb)%nat -> bb j = true -> (r' j < m)%nat /\ c (r' j) = false /\ r (r' j) = j) ->
  is_vjp 2 (scattered_sz na nb) m (fun _ => True)
    (fun x i => if c i then x 0%nat (s i) else x 1%nat (r i))
    (fun _ dy a j => match a with O => if_ (ba j) (dy (s' j)) | _ => if_ (bb j) (dy (r' j)) end).
Proof.
  intros H1 H2 H3 H4.
  apply (is_vjp_ext 2 (scattered_sz na nb) m _ (either c s r) _ (either_vjp m c s r)).
  - reflexivity.
  - intros x dy a j _ Ha Hj. unfold either_vjp. destruct a as [|[|a]]; [| | lia ]; simpl in Hj.
    + apply picked_back; [ intros i Hi Hc; now apply H1 | now apply H3 ].
    + apply (picked_back m (fun i => negb (c i))).
      * intros i Hi Hc. apply H2; auto. now destruct (c i).
      * intro Hb. destruct (H4 j Hj Hb) as [A [B C]]. rewrite B. auto.
  - apply either_is_vjp; intros i Hi Hc; [ now apply H1 | now apply H2 ].
Qed.

(* An op that finds element k of argument a at r a k of its tensor, and puts element so q of its
   result at q. *)
Definition laid_out (r : nat -> nat -> nat) (x : args) : args := fun a k => x a (r a k).
Theorem laid_out_is_vjp na sz sz' m m' P F V (s r : nat -> nat -> nat) (so ro : nat -> nat) :
  (forall a, (a < na)%nat -> one_to_one (sz' a) (sz a) (s a) (r a)) -> one_to_one m' m so ro ->
  is_vjp na sz m P F V ->
  is_vjp na sz' m' (fun x => P (laid_out r x)) (fun x q => F (laid_out r x) (so q))
    (fun x dy a k => V (laid_out r x) (fun i => dy (ro i)) a (s a k)).
Proof.
  intros Ha Ho H g g' t0 HP Hg.
  destruct (H (fun t => laid_out r (g t)) (laid_out r g') t0 HP) as [D [H1 H2]].
  { intros a k Na Nk. apply (Hg a (r a k)); auto. now apply (Ha a Na). }
  exists (fun q => D (so q)). split.
  - intros i Hi. apply H1. now apply Ho.
  - intro dy. rewrite (bsum_ext m' _ (fun q => (fun i => dy (ro i) * D i) (so q))).
    2: { intros q Hq. cbv beta. destruct Ho as [Ho _]. now rewrite (proj2 (Ho q Hq)). }
    rewrite (bsum_one_to_one m' m so ro (fun i => dy (ro i) * D i) Ho), (H2 (fun i => dy (ro i))).
    apply bsum_ext; intros a Na.
    rewrite <- (bsum_one_to_one (sz' a) (sz a) (s a) (r a) _ (Ha a Na)).
    apply bsum_ext; intros k Nk. unfold laid_out at 2. destruct (Ha a Na) as [Hs _].
    now rewrite (proj2 (Hs k Nk)).
Qed.

(* on part of its domain *)
Lemma is_vjp_within na sz m (P P' : args -> Prop) F V : (forall x, P' x -> P x) ->
  is_vjp na sz m P F V -> is_vjp na sz m P' F V.
Proof. intros H G g g' t0 HP. apply G. now apply H. Qed.

(* c times an op *)
Lemma scaled_is_vjp na sz m P F V c : is_vjp na sz m P F V ->
  is_vjp na sz m P (fun x i => c * F x i) (fun x dy => V x (fun i => c * dy i)).
Proof.
  intros H g g' t0 HP Hg. destruct (H g g' t0 HP Hg) as [D [H1 H2]]. exists (fun i => c * D i).
    split.
  - intros i Hi. eapply D_eq. apply D_mult; [ apply D_cst | now apply H1 ]. cbv beta. ring.
  - intro dy. rewrite <- (H2 (fun i => c * dy i)). apply bsum_ext; intros; ring.
Qed.

(* The transpose of an (m, n) matrix: where its element at q = i n + j is in the (n, m) one. *)
Definition turned (m n q : nat) : nat := ((q mod n) * m + q / n)%nat.
Lemma turned_at m n i j : (j < n)%nat -> turned m n (i * n + j) = (j * m + i)%nat.
Proof. intro H. unfold turned. now rewrite (dm_div i n j H), (dm_mod i n j H). Qed.
Lemma flat_index m n q : (q < m * n)%nat ->
  exists i j, (i < m)%nat /\ (j < n)%nat /\ q = (i * n + j)%nat /\ (q / n = i)%nat /\ (q mod n =
    j)%nat.
Proof.
  intro H. assert (Hn : (n <> 0)%nat) by nia. exists (q / n)%nat, (q mod n)%nat.
  split; [ apply Nat.div_lt_upper_bound; nia |]. split; [ now apply Nat.mod_upper_bound |].
  split; auto. rewrite (Nat.mul_comm (q / n)). now apply Nat.div_mod.
Qed.
Lemma turned_one_to_one m n : one_to_one (m * n) (n * m) (turned m n) (turned n m).
Proof.
  split; intros q Hq.
  - destruct (flat_index m n q Hq) as [i [j [Hi [Hj [-> _]]]]]. rewrite turned_at,
      turned_at by assumption.
    split; [ nia | reflexivity ].
  - destruct (flat_index n m q Hq) as [i [j [Hi [Hj [-> _]]]]]. rewrite turned_at,
      turned_at by assumption.
    split; [ nia | reflexivity ].
Qed.
