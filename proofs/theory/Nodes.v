(* The nodes of the error pairs, as spec/pair.h has them, are bounds. A pair (v, e) is computed
   beside
   a real value r and a number c of a kernel, and `stands` says: where e < vacuous, v is r, c is
   finite and |c - r| <= e. One theorem a node: if the pairs of the operands stand for the kernel's
   operands, the pair of the result stands for what the kernel makes of them.
   A number is a real number or None, an infinity or NaN; what a kernel makes of None is anything.
   fl rounds to nearest even with subnormals and gives None beyond the largest number. *)
Require Import Reals Lra Psatz ZArith Lia.
From Theory Require Import Round.
Open Scope R_scope.

Record err_pair := ErrPair { p_v : R; p_e : R }.
Record arithmetic := Arithmetic { a_u : R; a_eta : R; a_big : R;
  k_exp : R; k_expm1 : R; k_log : R; k_log1p : R; k_tanh : R; k_erf : R; k_sigmoid : R;
  k_softplus : R; k_sin : R; k_cos : R; k_rsqrt : R; a_alpha : R; a_h : R; a_h2 : R }.
(* 1e300, as a numeral *)
Definition vacuous : R := IZR ltac:(let v := eval vm_compute in (10 ^ 300)%Z in exact v).
Definition flnum := option R.

(* ---------------------------------------------------------------- the nodes, as in spec/pair.h *)
Definition p_gam (u m : R) : R :=
  if Rle_dec m 0 then 0 else if Rlt_dec (m * u) 1 then gam u m else vacuous.
Definition p_range (ar : arithmetic) (m e : R) : R :=
  if Rle_dec (m + e) (a_big ar) then if Rlt_dec e vacuous then e else vacuous else vacuous.
Definition p_rnd ar v e0 w : err_pair :=
  ErrPair v (p_range ar (Rabs v) (e0 + p_gam (a_u ar) w * (Rabs v + e0) + w * a_eta ar)).
Definition p_const ar c : err_pair := p_rnd ar c 0 1.
Definition p_neg a : err_pair := ErrPair (- p_v a) (p_e a).
Definition p_add ar a b : err_pair := p_rnd ar (p_v a + p_v b) (p_e a + p_e b) 1.
Definition p_sub ar a b : err_pair := p_rnd ar (p_v a - p_v b) (p_e a + p_e b) 1.
Definition p_cross (a b : err_pair) : R :=
  if Rlt_dec (p_e a) vacuous then if Rlt_dec (p_e b) vacuous
    then Rabs (p_v a) * p_e b + Rabs (p_v b) * p_e a + p_e a * p_e b else vacuous else vacuous.
Definition p_mul ar a b : err_pair := p_rnd ar (p_v a * p_v b) (p_cross a b) 1.
Definition p_mag (a : err_pair) : R := Rabs (p_v a) + p_e a.
Definition p_widen ar a x : err_pair := ErrPair (p_v a) (p_range ar (Rabs (p_v a)) (p_e a + x)).
Definition p_mul3 ar a b c : err_pair :=
  let v := p_v a * p_v b * p_v c in
  if Rle_dec (p_mag a * p_mag b) (a_big ar) then if Rle_dec (p_mag a * p_mag c) (a_big ar) then
  if Rle_dec (p_mag b * p_mag c) (a_big ar) then
    p_widen ar (p_rnd ar v (p_cross (ErrPair (p_v a * p_v b) (p_cross a b)) c) 2)
      (a_eta ar * (p_mag a + p_mag b + p_mag c))
  else ErrPair v vacuous else ErrPair v vacuous else ErrPair v vacuous.
Definition p_divides ar a b w : bool :=
  if Rlt_dec (p_e a) vacuous then if Rlt_dec (p_e b) vacuous then
  if Req_EM_T (p_v b) 0 then false else if Rlt_dec 0 (Rabs (p_v b) - p_e b) then
    if Rlt_dec w 2 then true
    else if Rle_dec 1 (a_big ar * (Rabs (p_v b) - p_e b)) then true else false
  else false else false else false.
Definition p_ratio ar a b w : err_pair :=
  p_rnd ar (p_v a / p_v b) ((p_e a + Rabs (p_v a / p_v b) * p_e b) / (Rabs (p_v b) - p_e b)) w.
Definition p_quo ar a b w : err_pair :=
  if p_divides ar a b w
  then p_widen ar (p_ratio ar a b w) (if Rlt_dec w 2 then 0 else a_eta ar * p_mag a)
  else ErrPair 0 vacuous.

(* ---------------------------------------------------------------- what a kernel computes *)
Section Kernel.
Variables (e_min prec : Z) (ar : arithmetic).
(* ar is an arithmetic of this format, or a coarser one *)
Definition declares : Prop := (0 < prec)%Z /\ unit_of prec <= a_u ar /\ a_u ar <= / 4 /\
  eta_of e_min <= a_eta ar /\ in_format e_min prec (a_big ar) /\ 1 <= a_big ar.
Definition fl (x : R) : flnum :=
  if Rle_dec (Rabs (rnd e_min prec x)) (a_big ar) then Some (rnd e_min prec x) else None.
Definition of1 (f : R -> flnum -> Prop) (a c : flnum) : Prop := forall x, a = Some x -> f x c.
Definition of2 (f : R -> R -> flnum -> Prop) (a b c : flnum) : Prop :=
  forall x y, a = Some x -> b = Some y -> f x y c.
Definition of3 (f : R -> R -> R -> flnum -> Prop) (a b d c : flnum) : Prop :=
  forall x y z, a = Some x -> b = Some y -> d = Some z -> f x y z c.
Definition adds x y (c : flnum) : Prop := c = fl (x + y).
Definition subs x y (c : flnum) : Prop := c = fl (x - y).
Definition muls x y (c : flnum) : Prop := c = fl (x * y).
Definition fuses x y z (c : flnum) : Prop := c = fl (x * y + z).
Definition mul_then x y z (c : flnum) : Prop := forall t, fl (x * y) = Some t -> c = fl (t * z).
Definition muls3 x y z (c : flnum) : Prop := mul_then x y z c \/ mul_then x z y c \/ mul_then y z x
  c.
(* divided, or where w >= 2 multiplied by the rounded inverse *)
Definition divs w x y (c : flnum) : Prop :=
  c = fl (x / y) \/ 2 <= w /\ forall t, fl (1 / y) = Some t -> c = fl (x * t).
(* a function within k units in the last place of f, finite where its error lets it *)
Definition in_ulps k f (c : flnum) : Prop :=
  Rabs f + (2 * k + 1) * (a_u ar * Rabs f + a_eta ar) <= a_big ar ->
  exists y, c = Some y /\ within_ulps e_min prec k f y.
Definition few (w : R) : Prop := 0 <= w /\ w * a_u ar < 1.

(* v is the real value r, and c a number within e of it *)
Definition stands (p : err_pair) (r : R) (c : flnum) : Prop :=
  p_e p < vacuous -> p_v p = r /\ exists y, c = Some y /\ Rabs (y - r) <= p_e p.
(* c is x after w roundings *)
Definition made w x (c : flnum) : Prop :=
  Rabs x + (p_gam (a_u ar) w * Rabs x + w * a_eta ar) <= a_big ar ->
  exists y, c = Some y /\ Rabs (y - x) <= p_gam (a_u ar) w * Rabs x + w * a_eta ar.

Hypothesis declared : declares.
Let Hprec : (0 < prec)%Z := proj1 declared.

Lemma vacuous_pos : 0 < vacuous.
Proof. unfold vacuous. apply IZR_lt. reflexivity. Qed.
Lemma u_pos : 0 < a_u ar.
Proof. generalize declared; intros [_ [H _]]. generalize (unit_pos prec). lra. Qed.
Lemma u_small : a_u ar <= / 4.
Proof. exact (proj1 (proj2 (proj2 declared))). Qed.
Lemma a_eta_pos : 0 < a_eta ar.
Proof. generalize declared; intros [_ [_ [_ [H _]]]]. generalize (eta_pos e_min). lra. Qed.
Lemma big_format : in_format e_min prec (a_big ar).
Proof. exact (proj1 (proj2 (proj2 (proj2 (proj2 declared))))). Qed.

Lemma p_gam_pos w : 0 <= p_gam (a_u ar) w.
Proof.
  unfold p_gam. generalize u_pos vacuous_pos; intros U V.
  destruct (Rle_dec w 0); [ lra |]. destruct (Rlt_dec (w * a_u ar) 1); [| lra ].
  apply gam_pos; lra.
Qed.
Lemma p_gam_is w : 0 < w -> w * a_u ar < 1 -> p_gam (a_u ar) w = gam (a_u ar) w.
Proof.
  intros W H. unfold p_gam. destruct (Rle_dec w 0); [ lra |].
  destruct (Rlt_dec (w * a_u ar) 1); [ easy | lra ].
Qed.
Lemma range_below m e : p_range ar m e < vacuous ->
  p_range ar m e = e /\ m + e <= a_big ar /\ e < vacuous.
Proof.
  unfold p_range. destruct (Rle_dec (m + e) (a_big ar)); [| lra ].
  destruct (Rlt_dec e vacuous); [| lra ]. auto.
Qed.
Lemma range_pos m e : 0 <= e -> 0 <= p_range ar m e.
Proof.
  intro E. generalize vacuous_pos. unfold p_range. destruct (Rle_dec (m + e) (a_big ar)); [| lra ].
  destruct (Rlt_dec e vacuous); lra.
Qed.
Lemma range_le m e : e <= p_range ar m e \/ vacuous <= p_range ar m e.
Proof.
  unfold p_range. destruct (Rle_dec (m + e) (a_big ar)); [| lra ].
  destruct (Rlt_dec e vacuous); lra.
Qed.
Lemma stands_pos p r c : stands p r c -> 0 <= p_e p.
Proof.
  intro H. destruct (Rlt_dec (p_e p) vacuous) as [L|L].
  - destruct (H L) as [_ [y [_ Y]]]. generalize (Rabs_pos (y - r)). lra.
  - generalize vacuous_pos. lra.
Qed.
Lemma vacuous_stands v r c : stands (ErrPair v vacuous) r c.
Proof. intro H. simpl in H. lra. Qed.

Lemma fl_finite x m : in_format e_min prec m -> m <= a_big ar -> Rabs x <= m ->
  fl x = Some (rnd e_min prec x).
Proof.
  intros F M H. unfold fl. destruct (Rle_dec (Rabs (rnd e_min prec x)) (a_big ar)) as [|N];
    [ easy |].
  elim N. generalize (rnd_le e_min prec Hprec m x F H). lra.
Qed.
Lemma rnd_err_in_A x : Rabs (rnd e_min prec x - x) <= a_u ar * Rabs x + a_eta ar.
Proof.
  generalize declared; intros [_ [U [_ [E _]]]]. generalize (rnd_err e_min prec Hprec x). intro H.
  assert (unit_of prec * Rabs x <= a_u ar * Rabs x) by (apply Rmult_le_compat_r;
    [ apply Rabs_pos | easy ]).
  lra.
Qed.
Lemma rnd_cases_in_A x : Rabs (rnd e_min prec x - x) <= a_u ar * Rabs x \/
  Rabs (rnd e_min prec x - x) <= a_eta ar.
Proof.
  generalize declared; intros [_ [U [_ [E _]]]]. destruct (rnd_cases e_min prec Hprec x) as [H|H];
    [ left | right; lra ].
  assert (unit_of prec * Rabs x <= a_u ar * Rabs x) by (apply Rmult_le_compat_r;
    [ apply Rabs_pos | easy ]).
  lra.
Qed.
Lemma abs_within x y : Rabs x <= Rabs y + Rabs (x - y).
Proof. generalize (Rabs_triang y (x - y)). replace (y + (x - y)) with x by ring. easy. Qed.
Lemma fl_close x e : Rabs (rnd e_min prec x - x) <= e -> Rabs x + e <= a_big ar ->
  fl x = Some (rnd e_min prec x).
Proof.
  intros H K. unfold fl. destruct (Rle_dec (Rabs (rnd e_min prec x)) (a_big ar)) as [|N]; [ easy |].
  elim N. generalize (abs_within (rnd e_min prec x) x). lra.
Qed.

(* one IEEE operation is one rounding, a function within k units 2k + 1 of them *)
Lemma few_1 : few 1.
Proof. split; generalize u_small; lra. Qed.
Lemma few_2 : few 2.
Proof. split; generalize u_small; lra. Qed.
Lemma u_le_gam w : 1 <= w -> few w -> a_u ar <= p_gam (a_u ar) w.
Proof.
  intros W [_ F]. rewrite p_gam_is by lra. generalize u_pos; intro U.
  generalize (gam_ge (a_u ar) (Rlt_le _ _ U) w). assert (a_u ar <= w * a_u ar) by nra. lra.
Qed.
Lemma fl_made w x : 1 <= w -> few w -> made w x (fl x).
Proof.
  intros W F H. assert (G := u_le_gam w W F). generalize (Rabs_pos x) a_eta_pos; intros X E.
  assert (K : Rabs (rnd e_min prec x - x) <= p_gam (a_u ar) w * Rabs x + w * a_eta ar).
  { eapply Rle_trans; [ apply rnd_err_in_A |]. apply Rplus_le_compat.
    - now apply Rmult_le_compat_r.
    - nra. }
  exists (rnd e_min prec x). split; [| easy ]. eapply fl_close; eauto.
Qed.
Lemma ulps_made k x c : few (2 * k + 1) -> in_ulps k x c -> made (2 * k + 1) x c.
Proof.
  intros F H R. generalize u_pos a_eta_pos (Rabs_pos x); intros U E X.
  assert (G : (2 * k + 1) * (a_u ar * Rabs x + a_eta ar) <=
    p_gam (a_u ar) (2 * k + 1) * Rabs x + (2 * k + 1) * a_eta ar).
  { destruct F as [F0 F]. rewrite Rmult_plus_distr_l, <- Rmult_assoc. apply Rplus_le_compat_r.
    apply Rmult_le_compat_r; [ easy |]. destruct (Req_dec (2 * k + 1) 0) as [Z|Z].
    - rewrite Z, Rmult_0_l. apply p_gam_pos.
    - rewrite p_gam_is by lra. apply gam_ge; lra. }
  destruct H as [y [C Y]]; [ lra |]. exists y. split; [ easy |].
  eapply Rle_trans; [ apply (within_ulps_err e_min prec Hprec k x y (proj1 F) Y) |].
  eapply Rle_trans; [| exact G ]. apply Rmult_le_compat_l; [ apply F |].
  generalize declared; intros [_ [V [_ [W _]]]].
  assert (unit_of prec * Rabs x <= a_u ar * Rabs x) by now apply Rmult_le_compat_r. lra.
Qed.

(* ---------------------------------------------------------------- p_rnd carries an error *)
Theorem p_rnd_stands v e0 w r c : 0 <= w ->
  (e0 < vacuous -> v = r /\ exists x, Rabs (x - r) <= e0 /\ made w x c) -> stands (p_rnd ar v e0 w)
    r c.
Proof.
  intros W H L. unfold p_rnd in *. cbn [p_v p_e] in *.
  destruct (range_below _ _ L) as [-> [B V]]. generalize (p_gam_pos w) a_eta_pos (Rabs_pos v);
    intros G E P.
  assert (We : 0 <= w * a_eta ar) by (apply Rmult_le_pos; lra).
  assert (e0 < vacuous) as Q.
  { destruct (Rlt_dec e0 vacuous) as [|N]; [ easy |].
    assert (0 <= p_gam (a_u ar) w * (Rabs v + e0))
      by (apply Rmult_le_pos; generalize vacuous_pos; lra). lra. }
  destruct (H Q) as [-> [x [X M]]]. split; [ easy |].
  assert (T := abs_within x r).
  assert (K : p_gam (a_u ar) w * Rabs x <= p_gam (a_u ar) w * (Rabs r + e0))
    by (apply Rmult_le_compat_l; lra).
  destruct M as [y [C Y]]; [ lra |]. exists y. split; [ easy |].
  generalize (Rabs_triang (y - x) (x - r)). replace (y - x + (x - r)) with (y - r) by ring. lra.
Qed.
Theorem p_const_stands r : stands (p_const ar r) r (fl r).
Proof.
  apply p_rnd_stands; [ lra |]. intros _. split; [ easy |]. exists r. split.
  - unfold Rminus. rewrite Rplus_opp_r, Rabs_R0. lra.
  - apply fl_made; [ lra | apply few_1 ].
Qed.
Theorem exact_stands r : stands (ErrPair r 0) r (Some r).
Proof.
  intros _. split; [ easy |]. exists r. split; [ easy |]. simpl. unfold Rminus.
  rewrite Rplus_opp_r, Rabs_R0. lra.
Qed.
Theorem p_neg_stands p r a : stands p r a -> stands (p_neg p) (- r) (option_map Ropp a).
Proof.
  intros H L. destruct (H L) as [V [y [-> Y]]]. simpl. split; [ now rewrite V |].
  exists (- y). split; [ easy |]. replace (- y - - r) with (- (y - r)) by ring.
    now rewrite Rabs_Ropp.
Qed.
Theorem p_widen_stands p r c x : 0 <= x -> stands p r c -> stands (p_widen ar p x) r c.
Proof.
  intros X H L. unfold p_widen in *. cbn [p_v p_e] in *. destruct (range_below _ _ L) as [-> [B V]].
  destruct H as [-> [y [C Y]]]; [ lra |]. split; [ easy |]. exists y. split; [ easy | lra ].
Qed.

Section Two.
Variables (p q : err_pair) (r s : R) (a b : flnum).
Hypothesis Hp : stands p r a.
Hypothesis Hq : stands q s b.

Theorem p_add_stands c : of2 adds a b c -> stands (p_add ar p q) (r + s) c.
Proof.
  intro H. apply p_rnd_stands; [ lra |]. intro L.
  generalize (stands_pos _ _ _ Hp) (stands_pos _ _ _ Hq); intros P0 Q0.
  destruct Hp as [-> [x [-> X]]]; [ lra |]. destruct Hq as [-> [y [-> Y]]]; [ lra |].
  split; [ easy |]. exists (x + y). split.
  - replace (x + y - (r + s)) with ((x - r) + (y - s)) by ring.
    generalize (Rabs_triang (x - r) (y - s)). lra.
  - rewrite (H x y) by easy. apply fl_made; [ lra | apply few_1 ].
Qed.
Theorem p_sub_stands c : of2 subs a b c -> stands (p_sub ar p q) (r - s) c.
Proof.
  intro H. apply p_rnd_stands; [ lra |]. intro L.
  generalize (stands_pos _ _ _ Hp) (stands_pos _ _ _ Hq); intros P0 Q0.
  destruct Hp as [-> [x [-> X]]]; [ lra |]. destruct Hq as [-> [y [-> Y]]]; [ lra |].
  split; [ easy |]. exists (x - y). split.
  - replace (x - y - (r - s)) with ((x - r) + - (y - s)) by ring.
    generalize (Rabs_triang (x - r) (- (y - s))). rewrite Rabs_Ropp. lra.
  - rewrite (H x y) by easy. apply fl_made; [ lra | apply few_1 ].
Qed.
Lemma p_cross_bounds : p_cross p q < vacuous -> p_v p = r /\ p_v q = s /\ exists x y,
  a = Some x /\ b = Some y /\ Rabs (x - r) <= p_e p /\ Rabs (y - s) <= p_e q /\
  Rabs (x * y - r * s) <= p_cross p q.
Proof.
  unfold p_cross. destruct (Rlt_dec (p_e p) vacuous) as [L|]; [| lra ].
  destruct (Rlt_dec (p_e q) vacuous) as [M|]; [| lra ]. intros _.
  destruct (Hp L) as [-> [x [-> X]]]. destruct (Hq M) as [-> [y [-> Y]]].
  repeat split; [ exists x, y; repeat split; try easy ].
  replace (x * y - r * s) with (r * (y - s) + s * (x - r) + (x - r) * (y - s)) by ring.
  eapply Rle_trans; [ apply Rabs_triang |]. apply Rplus_le_compat.
  - eapply Rle_trans; [ apply Rabs_triang |]. rewrite !Rabs_mult.
    apply Rplus_le_compat; apply Rmult_le_compat_l; auto using Rabs_pos.
  - rewrite Rabs_mult. apply Rmult_le_compat; auto using Rabs_pos.
Qed.
Theorem p_mul_stands c : of2 muls a b c -> stands (p_mul ar p q) (r * s) c.
Proof.
  intro H. apply p_rnd_stands; [ lra |]. intro L.
  destruct (p_cross_bounds L) as [-> [-> [x [y [Hx [Hy [_ [_ K]]]]]]]]. split; [ easy |].
  exists (x * y). split; [ easy |]. rewrite (H x y) by easy. apply fl_made; [ lra | apply few_1 ].
Qed.
Lemma p_cross_pos : 0 <= p_cross p q.
Proof.
  unfold p_cross. generalize vacuous_pos (stands_pos _ _ _ Hp) (stands_pos _ _ _ Hq);
    intros V P0 Q0.
  destruct (Rlt_dec (p_e p) vacuous); [| lra ]. destruct (Rlt_dec (p_e q) vacuous); [| lra ].
  assert (T := Rmult_le_pos _ _ P0 Q0).
  assert (T1 := Rmult_le_pos _ _ (Rabs_pos (p_v p)) Q0).
  assert (T2 := Rmult_le_pos _ _ (Rabs_pos (p_v q)) P0). lra.
Qed.
End Two.
(* a product that is not rounded before it is added: the pair is that of product and sum *)
Theorem p_fused_stands p q t r s z a b d c : stands p r a -> stands q s b -> stands t z d ->
  of3 fuses a b d c -> stands (p_add ar (p_mul ar p q) t) (r * s + z) c.
Proof.
  intros P Q T H. apply p_rnd_stands; [ lra |]. intro L.
  assert (T0 := stands_pos _ _ _ T). unfold p_mul, p_rnd in *. cbn [p_v p_e] in *.
  assert (C0 := p_cross_pos p q r s a b P Q).
  set (e1 := p_cross p q + p_gam (a_u ar) 1 * (Rabs (p_v p * p_v q) + p_cross p q) + 1 * a_eta ar)
    in *.
  assert (E1 : p_cross p q <= e1).
  { unfold e1. generalize a_eta_pos; intro.
    assert (0 <= p_gam (a_u ar) 1 * (Rabs (p_v p * p_v q) + p_cross p q)).
    { apply Rmult_le_pos; [ apply p_gam_pos |]. generalize (Rabs_pos (p_v p * p_v q)). lra. } lra. }
  assert (L1 : p_range ar (Rabs (p_v p * p_v q)) e1 < vacuous) by lra.
  destruct (range_below _ _ L1) as [R1 [_ V1]]. rewrite R1 in *.
  destruct (p_cross_bounds p q r s a b P Q) as [-> [-> [x [y [Hx [Hy [_ [_ K]]]]]]]]; [ lra |].
  assert (V2 : p_e t < vacuous).
  { lra. }
  destruct (T V2) as [-> [w [Hd W]]]. split; [ easy |]. exists (x * y + w). split.
  - replace (x * y + w - (r * s + z)) with ((x * y - r * s) + (w - z)) by ring.
    generalize (Rabs_triang (x * y - r * s) (w - z)). lra.
  - rewrite (H x y w) by easy. apply fl_made; [ lra | apply few_1 ].
Qed.

(* ---------------------------------------------------------------- products of three, quotients *)
(* x is rounded, then multiplied by z: where x underflows the error is eta |z|, and no relative one
   *)
Lemma rounded_twice x z : Rabs (rnd e_min prec (rnd e_min prec x * z) - x * z) <=
  p_gam (a_u ar) 2 * Rabs (x * z) + a_eta ar * Rabs z + a_eta ar.
Proof.
  set (t := rnd e_min prec x). generalize u_pos u_small a_eta_pos (Rabs_pos z) (Rabs_pos x);
    intros U S E Z X.
  assert (XZ : 0 <= Rabs x * Rabs z) by now apply Rmult_le_pos.
  assert (G : 2 * a_u ar + a_u ar * a_u ar <= p_gam (a_u ar) 2).
  { rewrite p_gam_is by lra. generalize (pow_gam (a_u ar) (Rlt_le _ _ U) 2). simpl. intro H.
    replace (1 + 1) with 2 in H by ring. lra. }
  assert (Y := rnd_err_in_A (t * z)). rewrite !Rabs_mult in *.
  generalize (Rabs_triang (rnd e_min prec (t * z) - t * z) ((t - x) * z)).
  replace (rnd e_min prec (t * z) - t * z + (t - x) * z) with (rnd e_min prec (t * z) - x * z) by
    ring.
  rewrite Rabs_mult. intro T.
  destruct (rnd_cases_in_A x) as [C|C]; fold t in C.
  - assert (Rabs t <= (1 + a_u ar) * Rabs x) by (generalize (abs_within t x); lra).
    assert (Rabs t * Rabs z <= (1 + a_u ar) * Rabs x * Rabs z) by now apply Rmult_le_compat_r.
    assert (Rabs (t - x) * Rabs z <= a_u ar * Rabs x * Rabs z) by now apply Rmult_le_compat_r.
    assert (0 <= a_eta ar * Rabs z) by (apply Rmult_le_pos; lra).
    assert (a_u ar * (Rabs t * Rabs z) <= a_u ar * ((1 + a_u ar) * Rabs x * Rabs z))
      by (apply Rmult_le_compat_l; lra).
    assert ((2 * a_u ar + a_u ar * a_u ar) * (Rabs x * Rabs z) <= p_gam (a_u ar) 2 * (Rabs x * Rabs
      z))
      by now apply Rmult_le_compat_r. lra.
  - assert (H := rnd_twice e_min prec Hprec x). fold t in H.
    assert (Rabs t * Rabs z <= 2 * Rabs x * Rabs z) by now apply Rmult_le_compat_r.
    assert (Rabs (t - x) * Rabs z <= a_eta ar * Rabs z) by now apply Rmult_le_compat_r.
    assert (a_u ar * (Rabs t * Rabs z) <= a_u ar * (2 * Rabs x * Rabs z)) by (apply
      Rmult_le_compat_l; lra).
    assert (2 * a_u ar * (Rabs x * Rabs z) <= p_gam (a_u ar) 2 * (Rabs x * Rabs z))
      by (apply Rmult_le_compat_r; nra). lra.
Qed.
(* what p_rnd and then p_widen leave of such a product *)
Lemma widened_stands v e0 w m r c : few w -> 0 <= m -> (e0 < vacuous -> v = r /\ exists x,
    Rabs (x - r) <= e0 /\ (Rabs x + (p_gam (a_u ar) w * Rabs x + w * a_eta ar + m) <= a_big ar ->
    exists y, c = Some y /\ Rabs (y - x) <= p_gam (a_u ar) w * Rabs x + w * a_eta ar + m)) ->
  stands (p_widen ar (p_rnd ar v e0 w) m) r c.
Proof.
  intros [W _] M H L. unfold p_widen, p_rnd in *. cbn [p_v p_e] in *.
  destruct (range_below _ _ L) as [-> [B V]].
  assert (L1 : p_range ar (Rabs v) (e0 + p_gam (a_u ar) w * (Rabs v + e0) + w * a_eta ar) <
    vacuous) by lra.
  destruct (range_below _ _ L1) as [R1 [_ V1]]. rewrite R1 in *.
  generalize (p_gam_pos w) a_eta_pos (Rabs_pos v); intros G E P.
  assert (We : 0 <= w * a_eta ar) by (apply Rmult_le_pos; lra).
  assert (e0 < vacuous) as Q.
  { destruct (Rlt_dec e0 vacuous) as [|N]; [ easy |].
    assert (0 <= p_gam (a_u ar) w * (Rabs v + e0))
      by (apply Rmult_le_pos; generalize vacuous_pos; lra). lra. }
  destruct (H Q) as [-> [x [X K]]]. split; [ easy |]. assert (T := abs_within x r).
  assert (p_gam (a_u ar) w * Rabs x <= p_gam (a_u ar) w * (Rabs r + e0)) by (apply
    Rmult_le_compat_l; lra).
  destruct K as [y [C Y]]; [ lra |]. exists y. split; [ easy |].
  generalize (Rabs_triang (y - x) (x - r)). replace (y - x + (x - r)) with (y - r) by ring. lra.
Qed.
Lemma mag_bounds p r a x : p_v p = r -> Rabs (x - r) <= p_e p -> a = Some x -> Rabs x <= p_mag p.
Proof. intros <- X _. unfold p_mag. generalize (abs_within x (p_v p)). lra. Qed.
Lemma mul_then_bounds x y z m1 m2 m c : Rabs x <= m1 -> Rabs y <= m2 -> m1 * m2 <= a_big ar ->
  Rabs z <= m -> mul_then x y z c ->
  Rabs (x * y * z) + (p_gam (a_u ar) 2 * Rabs (x * y * z) + 2 * a_eta ar + a_eta ar * m) <= a_big
    ar ->
  exists t, c = Some t /\
    Rabs (t - x * y * z) <= p_gam (a_u ar) 2 * Rabs (x * y * z) + 2 * a_eta ar + a_eta ar * m.
Proof.
  intros X Y B Z H R. generalize a_eta_pos; intro E.
  assert (XY : Rabs (x * y) <= a_big ar).
  { rewrite Rabs_mult. eapply Rle_trans; [| exact B ]. apply Rmult_le_compat; auto using Rabs_pos. }
  specialize (H _ (fl_finite _ _ big_format (Rle_refl _) XY)).
  assert (K := rounded_twice (x * y) z).
  assert (a_eta ar * Rabs z <= a_eta ar * m) by (apply Rmult_le_compat_l; lra).
  exists (rnd e_min prec (rnd e_min prec (x * y) * z)). split; [| lra ]. rewrite H. unfold fl.
  destruct (Rle_dec (Rabs (rnd e_min prec (rnd e_min prec (x * y) * z))) (a_big ar)) as [|N];
    [ easy |].
  elim N. generalize (abs_within (rnd e_min prec (rnd e_min prec (x * y) * z)) (x * y * z)). lra.
Qed.
Theorem p_mul3_stands p q t r s z a b d c : stands p r a -> stands q s b -> stands t z d ->
  of3 muls3 a b d c -> stands (p_mul3 ar p q t) (r * s * z) c.
Proof.
  intros P Q T H. unfold p_mul3. cbv zeta.
  destruct (Rle_dec (p_mag p * p_mag q) (a_big ar)) as [B1|]; [| apply vacuous_stands ].
  destruct (Rle_dec (p_mag p * p_mag t) (a_big ar)) as [B2|]; [| apply vacuous_stands ].
  destruct (Rle_dec (p_mag q * p_mag t) (a_big ar)) as [B3|]; [| apply vacuous_stands ].
  generalize a_eta_pos; intro E.
  assert (Mp : 0 <= p_mag p) by (generalize (stands_pos _ _ _ P) (Rabs_pos (p_v p)); unfold p_mag;
    lra).
  assert (Mq : 0 <= p_mag q) by (generalize (stands_pos _ _ _ Q) (Rabs_pos (p_v q)); unfold p_mag;
    lra).
  assert (Mt : 0 <= p_mag t) by (generalize (stands_pos _ _ _ T) (Rabs_pos (p_v t)); unfold p_mag;
    lra).
  apply widened_stands; [ apply few_2 | apply Rmult_le_pos; lra |]. intro L.
  set (pq := ErrPair (p_v p * p_v q) (p_cross p q)) in *.
  assert (PQ : stands pq (r * s) (match a, b with Some x, Some y => Some (x * y) | _, _ => None
    end)).
  { intro M. unfold pq in *. cbn [p_v p_e] in *.
    destruct (p_cross_bounds p q r s a b P Q M) as [-> [-> [x [y [-> [-> [_ [_ K]]]]]]]].
    split; [ easy |]. now exists (x * y). }
  destruct (p_cross_bounds pq t (r * s) z _ d PQ T L) as [V [W [xy [w [Hxy [Hd [_ [Ew K]]]]]]]].
  assert (M : p_cross p q < vacuous).
  { unfold p_cross at 1 in L. cbn [p_e pq] in L. destruct (Rlt_dec (p_cross p q) vacuous);
    [ easy | lra ]. }
  destruct (p_cross_bounds p q r s a b P Q M) as [Vp [Vq [x [y [-> [-> [Ex [Ey _]]]]]]]].
  injection Hxy as <-. split. { cbn in V. now rewrite V, W. }
  exists (x * y * w). split; [ easy |].
  assert (X := mag_bounds p r _ x Vp Ex eq_refl). assert (Y := mag_bounds q s _ y Vq Ey eq_refl).
  assert (Z := mag_bounds t z _ w W Ew eq_refl). specialize (H x y w eq_refl eq_refl Hd).
  intro R. destruct H as [H|[H|H]].
  - apply (mul_then_bounds x y w (p_mag p) (p_mag q)); auto. lra.
  - replace (x * y * w) with (x * w * y) in * by ring.
    apply (mul_then_bounds x w y (p_mag p) (p_mag t)); auto. lra.
  - replace (x * y * w) with (y * w * x) in * by ring.
    apply (mul_then_bounds y w x (p_mag q) (p_mag t)); auto. lra.
Qed.
Theorem p_quo_stands p q r s a b w c : 1 <= w -> few w -> stands p r a -> stands q s b ->
  of2 (divs w) a b c -> stands (p_quo ar p q w) (r / s) c.
Proof.
  intros W F P Q H. generalize a_eta_pos; intro E. unfold p_quo.
  destruct (p_divides ar p q w) eqn:V; [| apply vacuous_stands ]. revert V. unfold p_divides.
  destruct (Rlt_dec (p_e p) vacuous) as [Lp|]; [| easy ].
  destruct (Rlt_dec (p_e q) vacuous) as [Lq|]; [| easy ].
  destruct (Req_EM_T (p_v q) 0) as [|N]; [ easy |].
  destruct (Rlt_dec 0 (Rabs (p_v q) - p_e q)) as [G|]; [| easy ]. intro V.
  assert (P0 := stands_pos _ _ _ P). assert (M : 0 <= p_mag p) by (unfold p_mag;
    generalize (Rabs_pos (p_v p)); lra).
  destruct (P Lp) as [Vp [x [-> X]]]. destruct (Q Lq) as [Vq [y [-> Y]]].
  specialize (H x y eq_refl eq_refl). assert (Mx := mag_bounds p r _ x Vp X eq_refl).
  unfold p_mag, p_ratio in *. rewrite Vp, Vq in *.
  assert (Ya : Rabs s - p_e q <= Rabs y) by (generalize (abs_within s y); rewrite Rabs_minus_sym;
    lra).
  assert (Y0 : y <> 0) by (intro Z; rewrite Z, Rabs_R0 in Ya; lra).
  assert (K : Rabs (x / y - r / s) <= (p_e p + Rabs (r / s) * p_e q) / (Rabs s - p_e q)).
  { replace (x / y - r / s) with (((x - r) - r / s * (y - s)) / y) by (field; now split).
    unfold Rdiv at 1. rewrite Rabs_mult. unfold Rdiv at 2. apply Rmult_le_compat;
      auto using Rabs_pos.
    - eapply Rle_trans; [ apply Rabs_triang |]. rewrite Rabs_Ropp, Rabs_mult.
      apply Rplus_le_compat; [ easy |].
      now apply Rmult_le_compat_l; [ apply Rabs_pos |].
    - rewrite Rabs_inv. now apply Rinv_le_contravar. }
  assert (One : c = fl (x / y) -> forall m, 0 <= m ->
    Rabs (x / y) + (p_gam (a_u ar) w * Rabs (x / y) + w * a_eta ar + m) <= a_big ar ->
    exists t, c = Some t /\ Rabs (t - x / y) <= p_gam (a_u ar) w * Rabs (x / y) + w * a_eta ar + m).
  { intros -> m Hm R. destruct (fl_made w (x / y) W F) as [t [C T]]; [ lra |].
    exists t. split; [ easy | lra ]. }
  destruct (Rlt_dec w 2) as [S|S].
  - apply widened_stands; [ easy | lra |]. intros _. split; [ easy |]. exists (x / y). split;
    [ easy |].
    destruct H as [H|[H _]]; [ apply One; auto; lra | lra ].
  - destruct (Rle_dec 1 (a_big ar * (Rabs s - p_e q))) as [B|]; [| easy ].
    apply widened_stands; [ easy | now apply Rmult_le_pos; lra |].
    intros _. split; [ easy |]. exists (x / y). split; [ easy |].
    destruct H as [H|[_ H]]; [ apply One; auto; now apply Rmult_le_pos; lra |]. intro R.
    assert (I : Rabs (1 / y) <= a_big ar).
    { unfold Rdiv. rewrite Rmult_1_l, Rabs_inv. apply (Rmult_le_reg_r (Rabs y)); [ lra |].
      rewrite Rinv_l by lra. eapply Rle_trans; [ exact B |]. apply Rmult_le_compat_l; [| easy ].
      generalize declared; intros [_ [_ [_ [_ [_ D1]]]]]. lra. }
    specialize (H _ (fl_finite _ _ big_format (Rle_refl _) I)). rewrite Rmult_comm in H.
    assert (T := rounded_twice (1 / y) x). replace (1 / y * x) with (x / y) in T by (now field).
    assert (a_eta ar * Rabs x <= a_eta ar * (Rabs r + p_e p)) by (apply Rmult_le_compat_l; lra).
    assert (p_gam (a_u ar) 2 * Rabs (x / y) <= p_gam (a_u ar) w * Rabs (x / y)).
    { apply Rmult_le_compat_r; [ apply Rabs_pos |]. destruct F as [_ F]. generalize u_small u_pos;
      intros US UP.
      rewrite !p_gam_is by lra. apply gam_mono; lra. }
    assert (a_eta ar <= w * a_eta ar) by nra.
    exists (rnd e_min prec (rnd e_min prec (1 / y) * x)). split; [| lra ]. rewrite H. unfold fl.
    destruct (Rle_dec (Rabs (rnd e_min prec (rnd e_min prec (1 / y) * x))) (a_big ar)) as [|O];
      [ easy |].
    elim O. generalize (abs_within (rnd e_min prec (rnd e_min prec (1 / y) * x)) (x / y)). lra.
Qed.
End Kernel.
