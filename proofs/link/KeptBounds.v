(* The bounds of sums over those elements that an index or a window picks, in WP's words, are bounds of any
   program that adds what is picked, and of the rest whatever it likes as zeros, in any order by a tree within
   the declared height. *)
Require Import Reals Lra Psatz List ZArith Lia.
From Theory Require Import Sums Round Nodes FloatSum SumNodes Meaning PairMeaning PairOps BoundOps SumBounds.
Open Scope R_scope.

(* the terms f i of those i < n that are kept *)
Definition kept_terms (n : nat) (keep : nat -> bool) (f : nat -> R) : list term :=
  map (fun i => (f i, 0)) (filter keep (seq 0 n)).
Lemma total_of_kept g n keep f : (forall i, (i < n)%nat -> keep i = false -> g (f i, 0) = 0) ->
  total_of g (kept_terms n keep f) = bsum n (fun i => g (f i, 0)).
Proof.
  unfold kept_terms. induction n; intro H; [ easy |].
  rewrite seq_S, filter_app, map_app, total_app, IHn by auto. cbn [bsum filter Nat.add].
  assert (N := H n (Nat.lt_succ_diag_r n)). destruct (keep n); simpl; [ ring | rewrite N by reflexivity; ring ].
Qed.

Section KeptBounds.
Variables (e_min prec : Z) (ar : W_arith).
Hypothesis declared : declares e_min prec (the_arith ar).
(* c is what some tree of height H adds some of the numbers f 0 .. f (n-1) up to; what it leaves out is 0 *)
Definition picks_up (H : R) (n : nat) (f : nat -> R) (c : flnum) : Prop :=
  exists keep h k a b, (forall i, (i < n)%nat -> keep i = false -> f i = 0) /\ height_of (the_arith ar) h H /\
    summed e_min prec (the_arith ar) h b k (kept_terms n keep f) c a.
Lemma picks_up_bounds H n f c : picks_up H n f c ->
  bounds (L_p_sum ar (bsum n f) (bsum n (fun i => Rabs (f i))) 0 H) (bsum n f) c.
Proof.
  intros [keep [h [k [a [b [Z [Hh S]]]]]]]. unfold bounds, L_p_sum. rewrite the_of.
  assert (T := p_sum_stands e_min prec (the_arith ar) declared h H b k _ c a Hh S).
  unfold sum_values, sizes, errors in T. rewrite !total_of_kept in T.
  - cbn [fst snd] in T. now rewrite bsum_0 in T.
  - intros i Hi E. cbn [fst snd]. reflexivity.
  - intros i Hi E. cbn [fst snd]. now rewrite (Z i Hi E), Rabs_R0.
  - intros i Hi E. cbn [fst]. now apply Z.
Qed.
(* the error of a sum is that of its terms' sizes alone *)
Lemma picks_up_within H n f c sv : picks_up H n f c ->
  within_bound (W_pair'e (L_p_sum ar sv (bsum n (fun i => Rabs (f i))) 0 H)) (bsum n f) c.
Proof.
  intros P L. assert (E : p_e (the_pair (L_p_sum ar sv (bsum n (fun i => Rabs (f i))) 0 H)) =
    p_e (the_pair (L_p_sum ar (bsum n f) (bsum n (fun i => Rabs (f i))) 0 H)))
    by (unfold L_p_sum; rewrite !the_of; reflexivity).
  change (W_pair'e ?p) with (p_e (the_pair p)) in *. rewrite E in *.
  exact (stands_within _ _ _ (picks_up_bounds H n f c P) L).
Qed.

(* what tap u of output t reads *)
Definition tap_term (M : W_addr -> R) (x : W_addr) (w : W_window) (t : Z) (u : nat) : R :=
  if Z_lt_dec (L_Cell w t (Z.of_nat u)) 0 then 0 else M (W_shift x (L_Cell w t (Z.of_nat u))).
Lemma pool_sums M x w t n :
  L_PoolSum M 0 x w t n = bsum (Z.to_nat n) (tap_term M x w t) /\
  L_PoolSum M 1 x w t n = bsum (Z.to_nat n) (fun u => Rabs (tap_term M x w t u)).
Proof.
  unfold L_PoolSum, L_PoolTerm, tap_term. destruct (Z.eq_dec 0 0) as [_|N]; [| now contradiction N ].
  destruct (Z.eq_dec 1 0) as [N|_]; [ discriminate N |]. split; [ reflexivity |].
  apply bsum_ext; intros u _. destruct (Z_lt_dec _ 0); [ now rewrite Rabs_R0 | reflexivity ].
Qed.
Theorem avg_pool_bound M x w t taps s c :
  picks_up (W_arith'h ar) (Z.to_nat taps) (tap_term M x w t) s ->
  of1 (fun v => divs e_min prec (the_arith ar) 1 v (IZR taps)) s c ->
  within_bound (W_pair'e (L_p_quo ar (L_p_sum ar (L_PoolSum M 0 x w t taps) (L_PoolSum M 1 x w t taps) 0
    (W_arith'h ar)) (L_p_make (IZR taps) 0) 1)) (L_PoolSum M 0 x w t taps / IZR taps) c.
Proof.
  intro S. destruct (pool_sums M x w t taps) as [-> ->].
  apply (quotient_within e_min prec ar declared). now apply picks_up_bounds.
Qed.
(* the i-th of all outputs and taps: what it gives to cell j *)
Definition back_term (M : W_addr -> R) (tap g : W_addr) (w : W_window) (j : Z) (i : nat) : R :=
  let t := Z.of_nat (i / Z.to_nat (W_window'taps w)) in let u := Z.of_nat (i mod Z.to_nat (W_window'taps w)) in
  if Z.eq_dec (L_Cell w t u) j then if Req_EM_T (M (W_shift tap t)) (W_real_of_int u) then M (W_shift g t) else 0
  else 0.
Theorem max_pool_vjp_bound M tap g w j outs c :
  picks_up (W_arith'h ar) (Z.to_nat outs * Z.to_nat (W_window'taps w)) (back_term M tap g w j) c ->
  within_bound (W_pair'e (L_p_sum ar (L_PoolBack M 1 0 tap g w j outs) (L_PoolBack M 1 0 tap g w j outs) 0
    (W_arith'h ar))) (L_PoolBack M 0 0 tap g w j outs) c.
Proof.
  intro S. assert (B : forall abs, L_PoolBack M abs 0 tap g w j outs = bsum (Z.to_nat outs * Z.to_nat
      (W_window'taps w))
    (fun i => L_PoolTerm abs (back_term M tap g w j i))).
  { intro abs. unfold L_PoolBack, L_PoolBackOf. rewrite bsum_flat. apply bsum_ext; intros t _. apply bsum_ext;
      intros u Hu.
    unfold back_term. cbv zeta. rewrite (dm_div _ _ u Hu), (dm_mod _ _ u Hu).
    destruct (Z.eq_dec 0 0) as [_|N]; [| now contradiction N ]. unfold L_PoolTerm.
    destruct (Z.eq_dec _ j), (Z.eq_dec abs 0); try destruct (Req_EM_T _ _); rewrite ?Rabs_R0; reflexivity. }
  rewrite !B. unfold L_PoolTerm. destruct (Z.eq_dec 0 0) as [_|N]; [| now contradiction N ].
  destruct (Z.eq_dec 1 0) as [N|_]; [ discriminate N |]. apply (picks_up_within _ _ _ _ _ S).
Qed.
(* what element k of the broadcast tensor gives to j *)
Definition spread_term (M : W_addr -> R) (I : W_addr -> Z) (xs : W_addr) (m : Z) (s : W_addr) (n : Z) (g : W_addr)
    (j : Z) (k : nat) : R :=
  if Z.eq_dec (L_BroadcastFrom I xs m s n (Z.of_nat k) m) j then M (W_shift g (Z.of_nat k)) else 0.
Theorem broadcast_to_vjp_bound M I xs m s n g j count c :
  picks_up (W_arith'h ar) (Z.to_nat count) (spread_term M I xs m s n g j) c ->
  within_bound (W_pair'e (L_p_sum ar (L_BroadcastSum M I 1 xs m s n g j count)
    (L_BroadcastSum M I 1 xs m s n g j count) 0 (W_arith'h ar))) (L_BroadcastSum M I 0 xs m s n g j count) c.
Proof.
  intro S. assert (B : forall abs, L_BroadcastSum M I abs xs m s n g j count = bsum (Z.to_nat count)
    (fun k => L_BroadcastTerm abs (spread_term M I xs m s n g j k))).
  { intro abs. unfold L_BroadcastSum. apply bsum_ext; intros k _. unfold spread_term, L_BroadcastTerm.
    destruct (Z.eq_dec _ j), (Z.eq_dec abs 0); rewrite ?Rabs_R0; reflexivity. }
  rewrite !B. unfold L_BroadcastTerm. destruct (Z.eq_dec 0 0) as [_|N]; [| now contradiction N ].
  destruct (Z.eq_dec 1 0) as [N|_]; [ discriminate N |]. apply (picks_up_within _ _ _ _ _ S).
Qed.
End KeptBounds.
