(* A row op applied to every row of a matrix: arguments flagged as shared (weights) are the same for
   every row, and their gradients are summed over the rows. *)
Require Import Reals Lra Psatz Arith List Lia FunctionalExtensionality.
From Coquelicot Require Import Coquelicot.
From Theory Require Import Sums Vjp Norm.
Open Scope R_scope.

Lemma finite_choice (A : Type) (d : A) nr (Q : nat -> A -> Prop) :
  (forall r, (r < nr)%nat -> exists a, Q r a) -> exists f : nat -> A, forall r, (r < nr)%nat -> Q r (f r).
Proof.
  induction nr as [|nr IH]; intro H. exists (fun _ => d); intros; lia.
  destruct IH as [f Hf]; [ intros; apply H; lia |]. destruct (H nr) as [a Ha]; [ lia |].
  exists (fun r => if Nat.eqb r nr then a else f r). intros r Hr.
  destruct (Nat.eqb_spec r nr) as [->|N]; [ easy | apply Hf; lia ].
Qed.
Section Rows.
Variables (nr m : nat) (sz : nat -> nat) (sh : nat -> bool)
  (rowF : args -> nat -> R) (rowV : args -> (nat -> R) -> nat -> nat -> R).
Definition row (x : args) r : args := fun a k => if sh a then x a k else x a (r * sz a + k)%nat.
Definition rows_fwd (x : args) q := rowF (row x (q / m)) (q mod m).
Definition dyrow (dy : nat -> R) r i := dy (r * m + i)%nat.
Definition rows_vjp (x : args) dy a k :=
  if sh a then bsum nr (fun r => rowV (row x r) (dyrow dy r) a k)
  else rowV (row x (k / sz a)) (dyrow dy (k / sz a)) a (k mod sz a).
Definition rows_sz a := if sh a then sz a else (nr * sz a)%nat.
End Rows.
(* an op that may differ from row to row, as by a mask *)
Theorem each_row_is_vjp nr na m sz sh (P : nat -> args -> Prop) (F : nat -> args -> nat -> R)
  (V : nat -> args -> (nat -> R) -> nat -> nat -> R) :
  (forall r, (r < nr)%nat -> is_vjp na sz m (P r) (F r) (V r)) ->
  is_vjp na (rows_sz nr sz sh) (nr * m) (fun x => forall r, (r < nr)%nat -> P r (row sz sh x r))
    (fun x q => F (q / m)%nat (row sz sh x (q / m)) (q mod m)%nat)
    (fun x dy a k => if sh a then bsum nr (fun r => V r (row sz sh x r) (dyrow m dy r) a k)
      else V (k / sz a)%nat (row sz sh x (k / sz a)) (dyrow m dy (k / sz a)) a (k mod sz a)%nat).
Proof.
  intros H g g' t0 HP Hg.
  destruct (finite_choice (nat -> R) (fun _ => 0) nr (fun r D =>
     (forall i, (i < m)%nat -> is_derive (fun t => F r (row sz sh (g t) r) i) t0 (D i)) /\
     (forall dy, bsum m (fun i => dy i * D i)
        = bsum na (fun a => bsum (sz a) (fun k =>
            V r (row sz sh (g t0) r) dy a k * row sz sh g' r a k))))) as [D HD].
  { intros r Hr. apply (H r Hr (fun t => row sz sh (g t) r) (row sz sh g' r) t0 (HP r Hr)).
    intros a k Ha Hk. unfold row. generalize (Hg a). unfold rows_sz. destruct (sh a); intro G; apply G; auto. nia. }
  exists (fun q => D (q / m)%nat (q mod m)%nat). split.
  - intros q Hq. assert (m <> 0)%nat by lia. apply HD. apply Nat.div_lt_upper_bound; lia. now apply Nat.mod_upper_bound.
  - intro dy. rewrite bsum_flat.
    rewrite (bsum_ext nr _ (fun r => bsum na (fun a => bsum (sz a) (fun k =>
      V r (row sz sh (g t0) r) (dyrow m dy r) a k * row sz sh g' r a k)))).
    2: { intros r Hr. rewrite <- (proj2 (HD r Hr) (dyrow m dy r)). apply bsum_ext; intros i Hi.
         now rewrite (dm_div r m i Hi), (dm_mod r m i Hi). }
    rewrite bsum_swap. apply bsum_ext; intros a Ha. unfold rows_sz, row at 2. destruct (sh a).
    + rewrite bsum_swap. apply bsum_ext; intros k Hk. now rewrite <- bsum_scal_r.
    + rewrite bsum_flat. apply bsum_ext; intros r Hr. apply bsum_ext; intros k Hk.
      now rewrite (dm_div r (sz a) k Hk), (dm_mod r (sz a) k Hk).
Qed.
(* the same op for every row *)
Theorem rows_is_vjp nr na m sz sh P rowF rowV : is_vjp na sz m P rowF rowV ->
  is_vjp na (rows_sz nr sz sh) (nr * m) (fun x => forall r, (r < nr)%nat -> P (row sz sh x r)) (rows_fwd m sz sh rowF)
    (rows_vjp nr m sz sh rowV).
Proof. intro H. exact (each_row_is_vjp nr na m sz sh (fun _ => P) (fun _ => rowF) (fun _ => rowV) (fun _ _ => H)). Qed.
(* batched layer norm: x [nr x n], weight [n], bias [n]; dw, db summed over rows *)
Definition ln_shared (a : nat) : bool := match a with O => false | _ => true end.
Corollary batched_layer_norm nr n eps : (0 < n)%nat -> 0 < eps ->
  is_vjp 3 (rows_sz nr (sz1 n) ln_shared) (nr * n) (fun x => forall r, (r < nr)%nat -> True)
    (rows_fwd n (sz1 n) ln_shared (layer_norm n eps)) (rows_vjp nr n (sz1 n) ln_shared (layer_norm_vjp n eps)).
Proof. intros Hn He. apply (rows_is_vjp nr 3 n (sz1 n) ln_shared (fun _ => True)). now apply layer_norm_is_vjp. Qed.
