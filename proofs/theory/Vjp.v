(* What a vector-Jacobian product is: is_vjp. Its reading in partial derivatives, and the rules of
   differentiation along a curve from which every op is derived. *)
Require Import Reals Lra Psatz Arith Lia FunctionalExtensionality.
From Coquelicot Require Import Coquelicot.
From Theory Require Import Sums.
Open Scope R_scope.

(* --------------------------------------------------------- the VJP relation
   An op has na arguments, argument a being a vector of size sz a, and a
   result of size m.  V x dy a k is the gradient it sends to element k of
   argument a.  The definition says: along EVERY curve g through x (all
   arguments moving at once) the result is differentiable, and
       < dy , d/dt F(g(t)) >  =  < V x dy , g'(t0) >     for every dy,
   i.e. V x is the transpose of the Jacobian.  Quantifying over curves gives
   Hadamard (= Frechet, finite dimension) differentiability, not just partials. *)
Definition args := nat -> nat -> R.
Definition is_vjp (na : nat) (sz : nat -> nat) (m : nat) (P : args -> Prop)
   (F : args -> nat -> R) (V : args -> (nat -> R) -> nat -> nat -> R) : Prop :=
  forall (g : R -> args) (g' : args) (t0 : R), P (g t0) ->
   (forall a k, (a < na)%nat -> (k < sz a)%nat -> is_derive (fun t => g t a k) t0 (g' a k)) ->
   exists D : nat -> R,
    (forall i, (i < m)%nat -> is_derive (fun t => F (g t) i) t0 (D i)) /\
    (forall dy, bsum m (fun i => dy i * D i)
              = bsum na (fun a => bsum (sz a) (fun k => V (g t0) dy a k * g' a k))).

(* ... which gives the textbook partial-derivative reading: *)
Definition upd (x : args) (a k : nat) (t : R) : args :=
  fun b l => if andb (Nat.eqb b a) (Nat.eqb l k) then t else x b l.
Lemma upd_same x a k : upd x a k (x a k) = x.
Proof.
  apply functional_extensionality; intro b; apply functional_extensionality; intro l; unfold upd.
  destruct (Nat.eqb_spec b a); destruct (Nat.eqb_spec l k); simpl; congruence.
Qed.
Theorem vjp_partials na sz m P F V x : is_vjp na sz m P F V -> P x ->
  forall a k, (a < na)%nat -> (k < sz a)%nat ->
  exists J, (forall i, (i < m)%nat -> is_derive (fun t => F (upd x a k t) i) (x a k) (J i)) /\
   forall dy, V x dy a k = bsum m (fun i => dy i * J i).
Proof.
  intros H HP a k Ha Hk.
  destruct (H (fun t => upd x a k t)
     (fun b l => if andb (Nat.eqb b a) (Nat.eqb l k) then 1 else 0) (x a k)) as [D [H1 H2]].
  - now rewrite upd_same.
  - intros b l _ _. unfold upd. destruct (andb _ _). apply (is_derive_id (x a k)). apply (is_derive_const (x b l)).
  - exists D; split; [ exact H1 |]. intro dy. rewrite H2, upd_same.
    rewrite (bsum_ext na _ (fun b => (if Nat.eqb b a then 1 else 0) * V x dy b k)).
    now rewrite (bsum_one na a (fun b => V x dy b k)).
    intros b Hb. destruct (Nat.eqb_spec b a) as [->|E]; simpl.
    + rewrite (bsum_ext (sz a) _ (fun l => (if Nat.eqb l k then 1 else 0) * V x dy a l)).
      rewrite (bsum_one _ k (fun l => V x dy a l)) by easy. ring. intros; ring.
    + rewrite (bsum_ext _ _ (fun _ => 0)), bsum_0. ring. intros; ring.
Qed.

(* Coquelicot states equations in its own types *)
Ltac over_reals := match goal with |- ?l = ?r => change (@eq R l r) end.
Ltac sum1 := simpl; rewrite Rplus_0_l.
Lemma D_exp (f : R -> R) (t0 l : R) : is_derive f t0 l -> is_derive (fun t => exp (f t)) t0 (l * exp (f t0)).
Proof. intro H. apply (is_derive_comp exp f); [ apply is_derive_exp | exact H ]. Qed.
Lemma D_mult (f g : R -> R) (t0 l k : R) : is_derive f t0 l -> is_derive g t0 k ->
  is_derive (fun t => f t * g t) t0 (l * g t0 + f t0 * k).
Proof. intros H K. apply (is_derive_mult f g t0 l k H K). intros; apply Rmult_comm. Qed.
Lemma D_div (f g : R -> R) (t0 l k : R) : is_derive f t0 l -> is_derive g t0 k -> g t0 <> 0 ->
  is_derive (fun t => f t / g t) t0 ((l * g t0 - f t0 * k) / (g t0 * g t0)).
Proof. intros H K N. generalize (is_derive_div f g t0 l k H K N).
  replace (g t0 ^ 2) with (g t0 * g t0) by ring. now auto. Qed.
Lemma D_plus (f g : R -> R) (t0 l k : R) : is_derive f t0 l -> is_derive g t0 k -> is_derive (fun t => f t + g t) t0 (l + k).
Proof. apply (is_derive_plus f g). Qed.
Lemma D_minus (f g : R -> R) (t0 l k : R) : is_derive f t0 l -> is_derive g t0 k -> is_derive (fun t => f t - g t) t0 (l - k).
Proof. apply (is_derive_minus f g). Qed.
Lemma D_neg (f : R -> R) (t0 l : R) : is_derive f t0 l -> is_derive (fun t => - f t) t0 (- l).
Proof. apply (is_derive_opp f). Qed.
Lemma D_id (t0 : R) : is_derive (fun t : R => t) t0 1.
Proof. apply (is_derive_id t0). Qed.
Lemma D_ln (f : R -> R) (t0 l : R) : is_derive f t0 l -> 0 < f t0 -> is_derive (fun t => ln (f t)) t0 (l / f t0).
Proof. intros H P. apply (is_derive_comp ln f). apply is_derive_Reals. now apply derivable_pt_lim_ln. exact H. Qed.
Lemma D_sqrt (f : R -> R) (t0 l : R) : is_derive f t0 l -> 0 < f t0 -> is_derive (fun t => sqrt (f t)) t0 (l / (2 * sqrt (f t0))).
Proof. intros H P. apply (is_derive_comp sqrt f). apply is_derive_Reals. now apply derivable_pt_lim_sqrt. exact H. Qed.
Lemma D_eq (f : R -> R) (t0 l k : R) : is_derive f t0 l -> l = k -> is_derive f t0 k.
Proof. now intros H <-. Qed.
Lemma D_cst c t0 : is_derive (fun _ : R => c) t0 0.
Proof. apply (is_derive_const c). Qed.

Definition sz1 (n : nat) : nat -> nat := fun _ => n. (* arguments of n elements each *)

(* only the sizes of the arguments and of the result that are in use matter *)
Lemma is_vjp_sz na sz sz' m m' P F V : (forall a, (a < na)%nat -> sz' a = sz a) -> m' = m ->
  is_vjp na sz m P F V -> is_vjp na sz' m' P F V.
Proof.
  intros E -> H g g' t0 HP Hg. destruct (H g g' t0 HP) as [D [H1 H2]].
  { intros a k Ha Hk. apply Hg; [ easy | now rewrite E ]. }
  exists D; split; [ exact H1 |]. intro dy. rewrite H2. apply bsum_ext; intros a Ha. now rewrite E.
Qed.

(* an op and a gradient may be written otherwise *)
Lemma is_vjp_ext na sz m (P : args -> Prop) (F F' : args -> nat -> R)
  (V V' : args -> (nat -> R) -> nat -> nat -> R) :
  (forall x i, (i < m)%nat -> F x i = F' x i) ->
  (forall x dy a k, P x -> (a < na)%nat -> (k < sz a)%nat -> V x dy a k = V' x dy a k) ->
  is_vjp na sz m P F V -> is_vjp na sz m P F' V'.
Proof.
  intros EF EV H g g' t0 HP Hg. destruct (H g g' t0 HP Hg) as [D [H1 H2]]. exists D; split.
  - intros i Hi. apply (is_derive_ext (fun t => F (g t) i)); [ intro t; now apply EF | now apply H1 ].
  - intro dy. rewrite H2. apply bsum_ext; intros a Ha. apply bsum_ext; intros k Hk. now rewrite EV.
Qed.
