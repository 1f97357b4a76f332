(* Attention, softmax(Q K^T factor) V, as what it is composed of, and its gradients;
  and the VJPs of ops
   one after another, from which they follow. *)
Require Import Reals Lra Psatz Arith Lia.
From Coquelicot Require Import Coquelicot.
From Theory Require Import Sums Vjp Matmul Softmax Rows Layout.
Open Scope R_scope.

(* G after F *)
Lemma after_is_vjp na sz m m' P F V Q G W : is_vjp na sz m P F V -> is_vjp 1 (sz1 m) m' Q G W ->
  is_vjp na sz m' (fun x => P x /\ Q (fun _ => F x)) (fun x => G (fun _ => F x))
    (fun x dy => V x (W (fun _ => F x) dy 0%nat)).
Proof.
  intros H K g g' t0 [HP HQ] Hg. destruct (H g g' t0 HP Hg) as [D [H1 H2]].
  destruct (K (fun t _ => F (g t)) (fun _ => D) t0 HQ) as [E [K1 K2]]; [ intros a k _ Hk;
    now apply H1 |].
  exists E. split; [ exact K1 |]. intro dy. rewrite K2. cbn [bsum]. rewrite Rplus_0_l. unfold sz1.
    apply H2.
Qed.
(* G of the result of F and of an argument more *)
Definition one_more (na l : nat) (sz : nat -> nat) (a : nat)
  : nat := if Nat.eqb a na then l else sz a.
Definition first_and (na : nat) (F : args -> nat -> R) (x : args) : args :=
  fun a => match a with O => F x | _ => x na end.
Lemma after_first_is_vjp na sz l m m' P F V sz2 Q G W : sz2 0%nat = m -> sz2 1%nat = l ->
  is_vjp na sz m P F V -> is_vjp 2 sz2 m' Q G W ->
  is_vjp (S na) (one_more na l sz) m' (fun x => P x /\ Q (first_and na F x))
    (fun x => G (first_and na F x))
    (fun x dy a => if Nat.eqb a na then W (first_and na F x) dy 1%nat else V x (W (first_and na F x)
      dy 0%nat) a).
Proof.
  intros E0 E1 H K g g' t0 [HP HQ] Hg. destruct (H g g' t0 HP) as [D [H1 H2]].
  { intros a k Ha Hk. apply Hg; [ lia |]. unfold one_more. destruct (Nat.eqb_spec a na);
    [ lia | exact Hk ]. }
  destruct (K (fun t => first_and na F (g t)) (fun a => match a with O => D | _ => g' na end) t0 HQ)
    as [E [K1 K2]].
  { intros [|a] k Ha Hk; unfold first_and.
    - apply H1. now rewrite <- E0.
    - apply Hg; [ lia |]. unfold one_more. rewrite Nat.eqb_refl. replace (S a)
        with 1%nat in Hk by lia. now rewrite E1 in Hk. }
  exists E. split; [ exact K1 |]. intro dy. rewrite K2. cbn [bsum]. rewrite Rplus_0_l, E0, E1.
    f_equal.
  - rewrite (H2 (W (first_and na F (g t0)) dy 0%nat)). apply bsum_ext; intros a Ha. unfold one_more.
    destruct (Nat.eqb_spec a na); [ lia | reflexivity ].
  - unfold one_more. rewrite Nat.eqb_refl. reflexivity.
Qed.

(* Q: (queries, d), K: (keys, d), V: (keys, e); arguments 0, 1, 2.
  Row i of the scores: one for each row of K. *)
Section Attention.
Variables (queries keys d e : nat) (factor : R).
Definition score (x : args) i j : R := factor * bsum d (fun c => x 0%nat (i * d + c)%nat * x 1%nat
  (j * d + c)%nat).
Definition attends (x : args) i j : R := softmax keys (score x i) j.
Definition attention (x : args) q : R :=
  bsum keys (fun j => attends x (q / e) j * x 2%nat (j * e + q mod e)%nat).
(* what reaches the weight that row i gives to row j, and their score *)
Definition to_weight (x : args) (dy : nat -> R) i j : R :=
  bsum e (fun c => dy (i * e + c)%nat * x 2%nat (j * e + c)%nat).
Definition to_score (x : args) (dy : nat -> R) i j : R :=
  attends x i j * (to_weight x dy i j - bsum keys (fun l => to_weight x dy i l * attends x i l)).
Definition attention_vjp (x : args) (dy : nat -> R) a k : R :=
  match a with
  | O => factor * bsum keys (fun j => to_score x dy (k / d) j * x 1%nat (j * d + k mod d)%nat)
  | 1%nat => factor * bsum queries (fun i => to_score x dy i (k / d)
      * x 0%nat (i * d + k mod d)%nat)
  | _ => bsum queries (fun i => attends x i (k / e) * dy (i * e + k mod e)%nat)
  end.
Definition attention_sz (a : nat) : nat :=
  match a with O => (queries * d)%nat | 1%nat => (keys * d)%nat | _ => (keys * e)%nat end.
Definition qk_sz (a : nat) : nat := match a with O => (queries * d)%nat | _ => (keys * d)%nat end.

Lemma scores_are_vjp : (0 < keys)%nat ->
  is_vjp 2 qk_sz (queries * keys) (fun _ => True) (fun x q => score x (q / keys) (q mod keys))
    (fun x dy a k => match a with
       | O => factor * bsum keys (fun j => dy (k / d * keys + j)%nat * x 1%nat (j * d + k mod
           d)%nat)
       | _ => factor * bsum queries (fun i => dy (i * keys + k / d)%nat * x 0%nat (i * d + k mod
           d)%nat) end).
Proof.
  intro Hs.
  assert (H := laid_out_is_vjp 2 (matmul_sz queries d keys) qk_sz (queries * keys) (queries * keys)
    _ _ _
    (fun a => match a with O => fun q => q | _ => turned keys d end)
      (fun a => match a with O => fun q => q | _ => turned d keys end)
    (fun q => q) (fun q => q)
    ltac:(intros [|a] Ha; [ apply one_to_one_id | apply turned_one_to_one ])
      (one_to_one_id (queries * keys))
    (scaled_is_vjp _ _ _ _ _ _ factor (matmul_is_vjp queries d keys Hs))).
  eapply is_vjp_ext; [ | | exact H ]; clear H.
  - intros x q Hq. unfold matmul, score, laid_out. f_equal. apply bsum_ext; intros c Hc.
    rewrite turned_at; [ reflexivity |]. apply Nat.mod_upper_bound. lia.
  - intros x dy a k _ Ha Hk. unfold matmul_vjp, laid_out. destruct a as [|[|a]]; [| | lia ];
      cbn [qk_sz] in Hk.
    + destruct (flat_index queries d k Hk) as [i [c [Hi [Hc [-> [-> ->]]]]]]. rewrite <- bsum_scal.
        apply bsum_ext; intros j Hj.
      rewrite turned_at by exact Hj. ring.
    + destruct (flat_index keys d k Hk) as [j [c [Hj [Hc [-> [-> ->]]]]]].
        rewrite turned_at by exact Hc.
      rewrite (dm_div c keys j Hj), (dm_mod c keys j Hj), <- bsum_scal. apply bsum_ext;
        intros i Hi. ring.
Qed.
Lemma softmax_ext (x y : nat -> R) j : (forall k, (k < keys)%nat -> x k = y k)
  -> (j < keys)%nat -> softmax keys x j = softmax keys y j.
Proof. intros E Hj. unfold softmax, sumexp. rewrite E by exact Hj. f_equal. apply bsum_ext; intros.
  now rewrite E. Qed.
Theorem attention_is_vjp : (0 < keys)%nat -> (0 < e)%nat ->
  is_vjp 3 attention_sz (queries * e) (fun _ => True) attention attention_vjp.
Proof.
  intros Hs He.
  assert (A := after_is_vjp _ _ _ _ _ _ _ _ _ _ (scores_are_vjp Hs)
    (is_vjp_within _ _ _ _ (fun _ => True) _ _ (fun _ _ _ _ => I)
      (rows_is_vjp queries 1 keys (sz1 keys) (fun _ => false) (fun _ => True)
      _ _ (softmax_is_vjp keys Hs)))).
  assert (B := after_first_is_vjp 2 _ (keys * e) _ _ _ _ _ (matmul_sz queries keys e)
    _ _ _ eq_refl eq_refl A (matmul_is_vjp queries keys e He)).
  clear A. apply (is_vjp_within _ _ _ _ (fun _ => True)) in B; [| tauto ].
  apply (is_vjp_sz 3 _ attention_sz (queries * e) (queries * e)) in B; [ | intros [|[|[|a]]] Ha;
    try reflexivity; lia | reflexivity ].
  assert (W : forall (x : args) i j, (i < queries)%nat -> (j < keys)%nat ->
    rows_fwd keys (sz1 keys) (fun _ => false) (fun x0 k => softmax keys (x0 0%nat) k)
      (fun _ q => score x (q / keys) (q mod keys)) (i * keys + j)%nat
    = attends x i j).
  { intros x i j Hi Hj. unfold rows_fwd. rewrite (dm_div i keys j Hj), (dm_mod i keys j Hj).
    unfold attends, row, sz1.
    apply softmax_ext; [| exact Hj ]. intros k Hk. now rewrite (dm_div i keys k Hk),
      (dm_mod i keys k Hk). }
  eapply is_vjp_ext; [ | | exact B ]; clear B.
  - intros x q Hq. destruct (flat_index queries e q Hq) as [i [c [Hi [Hc [_ [Ei Ec]]]]]].
      unfold matmul, attention, first_and.
    rewrite Ei, Ec. apply bsum_ext; intros j Hj. now rewrite W.
  - intros x dy a k _ Ha Hk. cbv beta.
    set (X := first_and 2 _ x).
    assert (S : forall i j, (i < queries)%nat -> (j < keys)%nat ->
      rows_vjp queries keys (sz1 keys) (fun _ => false) (fun x1 dy1 _ => softmax_vjp keys (x1
        0%nat) dy1)
        (fun _ q => score x (q / keys) (q mod keys)) (matmul_vjp queries keys e X dy 0)
          0 (i * keys + j) = to_score x dy i j).
    { intros i j Hi Hj. unfold rows_vjp. change (sz1 keys 0) with keys.
      rewrite (dm_div i keys j Hj), (dm_mod i keys j Hj).
      assert (E : forall k, (k < keys)%nat -> softmax keys (row (sz1 keys) (fun _ => false)
        (fun _ q => score x (q / keys) (q mod keys)) i 0%nat) k
        = attends x i k).
      { intros l Hl. unfold attends. apply softmax_ext; [| exact Hl ]. intros q Hq. unfold row, sz1.
        now rewrite (dm_div i keys q Hq), (dm_mod i keys q Hq). }
      assert (T : forall k, (k < keys)%nat -> dyrow keys (matmul_vjp queries keys e X dy 0)
        i k = to_weight x dy i k).
      { intros l Hl. unfold dyrow, matmul_vjp. now rewrite (dm_div i keys l Hl),
        (dm_mod i keys l Hl). }
      unfold softmax_vjp, to_score. rewrite E, T by exact Hj. f_equal. f_equal. apply bsum_ext;
        intros l Hl. now rewrite E, T. }
    destruct a as [|[|[|a]]]; [| | | lia ]; cbn [Nat.eqb attention_vjp attention_sz] in *.
    + f_equal. apply bsum_ext; intros j Hj. rewrite S; [ reflexivity | | exact Hj ].
      apply Nat.div_lt_upper_bound; nia.
    + f_equal. apply bsum_ext; intros i Hi. rewrite S; [ reflexivity | exact Hi |].
      apply Nat.div_lt_upper_bound; nia.
    + unfold matmul_vjp. apply bsum_ext; intros i Hi. f_equal. apply W; [ exact Hi |].
      apply Nat.div_lt_upper_bound; nia.
Qed.
End Attention.
(* heads, one after another: (heads, t, d), (heads, s, d), (heads, s, e) *)
Corollary heads_is_vjp heads t s d e scale : (0 < s)%nat -> (0 < e)%nat ->
  is_vjp 3 (rows_sz heads (attention_sz t s d e) (fun _ => false)) (heads * (t * e)) (fun _ => True)
    (rows_fwd (t * e) (attention_sz t s d e) (fun _ => false) (attention s d e scale))
    (rows_vjp heads (t * e) (attention_sz t s d e) (fun _ => false) (attention_vjp t s d e scale)).
Proof.
  intros Hs He. apply (is_vjp_within _ _ _ (fun x => forall r, (r < heads)%nat -> True)); [ auto |].
  apply (rows_is_vjp heads 3 (t * e) _ _ (fun _ => True)). now apply attention_is_vjp.
Qed.
