(* The reverse sweep over a tape in static single assignment form, gradients accumulated, computes
   the VJP of the composed function: the chain rule of any network. *)
Require Import Reals Lra Psatz Arith List Lia FunctionalExtensionality.
From Coquelicot Require Import Coquelicot.
Import ListNotations.
From Theory Require Import Sums Vjp.
Open Scope R_scope.

(* Values and adjoints: variable id -> element -> R.  sz v = size of variable v. *)
Definition values := nat -> nat -> R.
Definition set_var (e : values) (v : nat) (y : nat -> R) : values :=
  fun u => if Nat.eqb u v then y else e u.

(* An tape_op reads variables with id < its own id and writes that id. *)
Record tape_op := TapeOp {
  fwd : values -> nat -> R;                       (* value of the result         *)
  bwd : values -> (nat -> R) -> nat -> nat -> R    (* values, dy, operand id, elem   *)
}.

Fixpoint run (p : nat) (tape : list tape_op) (e : values) : values :=
  match tape with [] => e | o :: r => run (S p) r (set_var e p (fwd o e)) end.

(* reverse sweep: gradients accumulate (+=) in a; e is the FINAL environment *)
Definition accum (p : nat) (o : tape_op) (e a : values) : values :=
  fun v k => if Nat.ltb v p then a v k + bwd o e (a p) v k else a v k.
Fixpoint rev_sweep (p : nat) (tape : list tape_op) (e a : values) : values :=
  match tape with [] => a | o :: r => accum p o e (rev_sweep (S p) r e a) end.

Definition agree (p : nat) (e f : values) := forall v, (v < p)%nat -> forall k, e v k = f v k.

(* SSA discipline of one tape_op + correctness of its own VJP (domain P) *)
Record op_ok (sz : nat -> nat) (p : nat) (o : tape_op) (P : values -> Prop) : Prop := {
  fwd_ssa : forall e f, agree p e f -> forall i, fwd o e i = fwd o f i;
  bwd_ssa : forall e f, agree p e f -> forall dy v k, bwd o e dy v k = bwd o f dy v k;
  dom_ssa : forall e f, agree p e f -> P e -> P f;
  op_vjp  : is_vjp p sz (sz p) P (fwd o) (bwd o) }.

Fixpoint tape_ok (sz : nat -> nat) (p : nat) (tape : list tape_op) (Ps : list (values -> Prop)) : Prop :=
  match tape, Ps with
  | [], [] => True
  | o :: r, P :: Ps => op_ok sz p o P /\ tape_ok sz (S p) r Ps
  | _, _ => False
  end.
(* every tape_op is evaluated inside its domain (log of positive, relu off the kink ...) *)
Fixpoint in_dom (Ps : list (values -> Prop)) (e : values) : Prop :=
  match Ps with [] => True | P :: r => P e /\ in_dom r e end.

Definition dot (sz : nat -> nat) (p : nat) (a b : values) : R :=
  bsum p (fun v => bsum (sz v) (fun k => a v k * b v k)).

Lemma run_below p tape e v k : (v < p)%nat -> run p tape e v k = e v k.
Proof.
  revert p e; induction tape as [|o r IH]; simpl; intros p e H; [ easy |].
  rewrite IH by lia. unfold set_var. destruct (Nat.eqb_spec v p); [ lia | easy ].
Qed.
Lemma sweep_ge p tape e a v k : (p + length tape <= v)%nat -> rev_sweep p tape e a v k = a v k.
Proof.
  revert p; induction tape as [|o r IH]; simpl; intros p H; [ easy |].
  unfold accum. destruct (Nat.ltb_spec v p); [ lia |]. apply IH; lia.
Qed.

(* MAIN: along any curve of the inputs, every variable of the final environment
   is differentiable, and <seed, d(final values)> = <reverse sweep's gradients, d(inputs)>. *)
Theorem reverse_sweep_correct sz : forall tape p Ps (g : R -> values) (g' : values) t0,
  tape_ok sz p tape Ps ->
  in_dom Ps (run p tape (g t0)) ->
  (forall v k, (v < p)%nat -> (k < sz v)%nat -> is_derive (fun t => g t v k) t0 (g' v k)) ->
  exists d' : values,
    agree p d' g' /\
    (forall v k, (v < p + length tape)%nat -> (k < sz v)%nat ->
        is_derive (fun t => run p tape (g t) v k) t0 (d' v k)) /\
    forall seed, dot sz (p + length tape) seed d'
               = dot sz p (rev_sweep p tape (run p tape (g t0)) seed) g'.
Proof.
  induction tape as [|o r IH]; intros p Ps g g' t0 Hok Hdom Hg.
  - exists g'. simpl. rewrite Nat.add_0_r. split; [ intros v Hv k; reflexivity | split; [ exact Hg | reflexivity ] ].
  - destruct Ps as [|P Ps]; [ easy |]. destruct Hok as [Ho Hr]. simpl in Hdom. destruct Hdom as [HP Hdom].
    set (e := run (S p) r (set_var (g t0) p (fwd o (g t0)))) in *.
    assert (Hag : agree p e (g t0)).
    { intros v Hv k. unfold e. rewrite run_below by lia. unfold set_var. destruct (Nat.eqb_spec v p); [ lia | easy ]. }
    destruct (op_vjp _ _ _ _ Ho g g' t0) as [D [HD Hadj]].
    { apply (dom_ssa _ _ _ _ Ho e); assumption. } { exact Hg. }
    set (h := fun t => set_var (g t) p (fwd o (g t))).
    set (h' := set_var g' p D).
    destruct (IH (S p) Ps h h' t0 Hr Hdom) as [d' [E [F G]]].
    { intros v k Hv Hk. unfold h, h', set_var. destruct (Nat.eqb_spec v p) as [->|Hn].
      now apply HD. apply Hg; [ lia | easy ]. }
    exists d'. split; [| split ].
    + intros v Hv k. rewrite E by lia. unfold h', set_var. destruct (Nat.eqb_spec v p); [ lia | easy ].
    + simpl. intros v k Hv Hk. apply F; [ lia | easy ].
    + intro seed. simpl length. replace (p + S (length r))%nat with (S p + length r)%nat by lia.
      rewrite G. change (run (S p) r (h t0)) with e. simpl run. fold e.
      set (a := rev_sweep (S p) r e seed). simpl rev_sweep. fold a.
      unfold dot. simpl bsum.
      assert (Ep : bsum (sz p) (fun k => a p k * h' p k)
                 = bsum p (fun v => bsum (sz v) (fun k => bwd o (g t0) (a p) v k * g' v k))).
      { rewrite <- (Hadj (a p)). apply bsum_ext; intros i Hi. unfold h', set_var. now rewrite Nat.eqb_refl. }
      rewrite Ep, <- bsum_plus. apply bsum_ext; intros v Hv. rewrite <- bsum_plus. apply bsum_ext; intros k Hk.
      unfold h', set_var, accum. destruct (Nat.eqb_spec v p); [ lia |]. destruct (Nat.ltb_spec v p); [| lia ].
      rewrite (bwd_ssa _ _ _ _ Ho e (g t0) Hag). ring.
Qed.

(* lifting a plain tape_op (na operands at ids w 0 .. w (na-1), possibly REPEATED) into the tape *)
Definition gather (w : nat -> nat) (e : values) : args := fun a k => e (w a) k.
Definition lift (na : nat) (w : nat -> nat) (F : args -> nat -> R) (V : args -> (nat -> R) -> nat -> nat -> R) : tape_op :=
  TapeOp (fun e => F (gather w e))
     (fun e dy v k => bsum na (fun a => (if Nat.eqb v (w a) then 1 else 0) * V (gather w e) dy a k)).

Theorem lift_is_vjp sz p na w m P F V :
  (forall a, (a < na)%nat -> (w a < p)%nat) ->
  is_vjp na (fun a => sz (w a)) m P F V ->
  is_vjp p sz m (fun e => P (gather w e)) (fwd (lift na w F V)) (bwd (lift na w F V)).
Proof.
  intros Hw H g g' t0 HP Hg.
  destruct (H (fun t => gather w (g t)) (gather w g') t0 HP) as [D [HD Hadj]].
  { intros a k Ha Hk. apply Hg; auto. }
  exists D; split; [ exact HD |]. intro dy. rewrite Hadj. simpl.
  transitivity (bsum p (fun v => bsum na (fun a => (if Nat.eqb v (w a) then 1 else 0) *
      bsum (sz v) (fun k => V (gather w (g t0)) dy a k * g' v k)))).
  - rewrite bsum_swap. apply bsum_ext; intros a Ha.
    rewrite (bsum_one p (w a) (fun v => bsum (sz v) (fun k => V (gather w (g t0)) dy a k * g' v k))) by auto. reflexivity.
  - apply bsum_ext; intros v Hv.
    rewrite (bsum_ext (sz v) _ (fun k => bsum na (fun a => (if Nat.eqb v (w a) then 1 else 0) * V (gather w (g t0)) dy a k * g' v k))) by (intros; now rewrite <- bsum_scal_r).
    rewrite bsum_swap. apply bsum_ext; intros a Ha. rewrite <- bsum_scal. apply bsum_ext; intros; ring.
Qed.

(* gradient of a scalar loss = variable (last) : seed = e_last; textbook partials *)
Corollary tape_gradient sz tape p Ps x : tape_ok sz p tape Ps -> in_dom Ps (run p tape x) ->
  forall out v k, (p <= out < p + length tape)%nat -> sz out = 1%nat -> (v < p)%nat -> (k < sz v)%nat ->
  is_derive (fun t => run p tape (upd x v k t) out 0%nat) (x v k)
    (rev_sweep p tape (run p tape x) (fun u _ => if Nat.eqb u out then 1 else 0) v k).
Proof.
  intros Hok Hdom out v k Ho Hsz Hv Hk.
  destruct (reverse_sweep_correct sz tape p Ps (upd x v k)
     (fun b l => if andb (Nat.eqb b v) (Nat.eqb l k) then 1 else 0) (x v k) Hok) as [d' [_ [F G]]].
  - now rewrite upd_same.
  - intros b l _ _. unfold upd. destruct (andb _ _). apply (is_derive_id (x v k)). apply (is_derive_const (x b l)).
  - specialize (G (fun u _ => if Nat.eqb u out then 1 else 0)). rewrite upd_same in G.
    set (A := rev_sweep _ _ _ _) in *.
    assert (E : d' out 0%nat = A v k).
    { transitivity (dot sz (p + length tape) (fun u _ => if Nat.eqb u out then 1 else 0) d').
      - unfold dot. rewrite (bsum_ext _ _ (fun u => (if Nat.eqb u out then 1 else 0) * bsum (sz u) (fun k => d' u k))) by (intros; now rewrite <- bsum_scal).
        rewrite (bsum_one _ out (fun u => bsum (sz u) (fun k => d' u k))) by lia. rewrite Hsz; simpl; ring.
      - rewrite G. unfold dot.
        rewrite (bsum_ext p _ (fun b => (if Nat.eqb b v then 1 else 0) * A b k)).
        now rewrite (bsum_one p v (fun b => A b k)).
        intros b Hb. destruct (Nat.eqb_spec b v) as [->|N]; simpl.
        + rewrite (bsum_ext (sz v) _ (fun l => (if Nat.eqb l k then 1 else 0) * A v l)) by (intros; ring).
          rewrite (bsum_one _ k (fun l => A v l)) by easy. ring.
        + rewrite (bsum_ext _ _ (fun _ => 0)), bsum_0 by (intros; ring). ring. }
    rewrite <- E. apply F; lia.
Qed.

(* SSA obligations hold by construction for lifted ops *)
Lemma lift_ok sz p na w m P F V : sz p = m ->
  (forall a, (a < na)%nat -> (w a < p)%nat) -> (forall a, (na <= a)%nat -> w a = w 0%nat) -> (0 < na)%nat ->
  is_vjp na (fun a => sz (w a)) m P F V ->
  op_ok sz p (lift na w F V) (fun e => P (gather w e)).
Proof.
  intros E Hw Hw2 Hna H.
  assert (G : forall e f, agree p e f -> gather w e = gather w f).
  { intros e f A. apply FunctionalExtensionality.functional_extensionality; intro a.
    apply FunctionalExtensionality.functional_extensionality; intro k. unfold gather. apply A.
    destruct (le_lt_dec na a) as [L|L]; [ rewrite Hw2 by easy; apply Hw; easy | apply Hw; easy ]. }
  constructor.
  - intros e f A i. simpl. now rewrite (G e f A).
  - intros e f A dy v k. simpl. now rewrite (G e f A).
  - intros e f A. now rewrite (G e f A).
  - rewrite E. now apply lift_is_vjp.
Qed.
