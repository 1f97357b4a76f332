(* Rotary positions: elements q and mate q of a vector are turned by one angle, turn_of q; w q is -1 for the first
   of the two and 1 for the second. The VJP turns back. And how far an angle is off that a kernel makes. *)
Require Import Reals Lra Psatz Arith Lia.
From Coquelicot Require Import Coquelicot.
From Theory Require Import Sums Vjp Linear.
Open Scope R_scope.

Section Rotated.
Variables (n : nat) (mate : nat -> nat) (turn_of w : nat -> R).
Hypothesis mate_in : forall q, (q < n)%nat -> (mate q < n)%nat.
Hypothesis mate_back : forall q, (q < n)%nat -> mate (mate q) = q.
Hypothesis mate_angle : forall q, (q < n)%nat -> turn_of (mate q) = turn_of q.
Hypothesis mate_other : forall q, (q < n)%nat -> w (mate q) = - w q.
Definition rotated (x : args) (q : nat) : R := cos (turn_of q) * x 0%nat q + w q * sin (turn_of q) * x 0%nat (mate q).
Definition rotated_back (_ : args) (dy : nat -> R) (_ k : nat) : R :=
  cos (- turn_of k) * dy k + w k * sin (- turn_of k) * dy (mate k).
Definition turn_matrix (_ q k : nat) : R :=
  if_ (true && Nat.eqb k q) 1 * cos (turn_of q) + if_ (true && Nat.eqb k (mate q)) 1 * (w q * sin (turn_of q)).
Theorem rotated_is_vjp : is_vjp 1 (sz1 n) n (fun _ => True) rotated rotated_back.
Proof.
  apply (is_vjp_ext 1 (sz1 n) n _ (affine 1 (sz1 n) turn_matrix (fun _ => 0)) _ (transposed n turn_matrix)).
  - intros x q Hq. unfold affine, sz1, rotated. simpl bsum. rewrite Rplus_0_l, Rplus_0_r.
    rewrite (bsum_ext n _ (fun k => cos (turn_of q) * (if_ (true && Nat.eqb k q) 1 * x 0%nat k) +
      w q * sin (turn_of q) * (if_ (true && Nat.eqb k (mate q)) 1 * x 0%nat k))).
    2: { intros k _. unfold turn_matrix. ring. }
    rewrite bsum_plus, !bsum_scal, (bsum_pick n true q), (bsum_pick n true (mate q)) by auto. reflexivity.
  - intros x dy a k _ Ha Hk. unfold transposed, rotated_back, sz1 in *.
    rewrite (bsum_ext n _ (fun q => if_ (true && Nat.eqb q k) 1 * (cos (turn_of q) * dy q) +
      if_ (true && Nat.eqb q (mate k)) 1 * (w q * sin (turn_of q) * dy q))).
    2: { intros q Hq. unfold turn_matrix. rewrite (Nat.eqb_sym k q).
      replace (Nat.eqb k (mate q)) with (Nat.eqb q (mate k)); [ ring |].
      destruct (Nat.eqb_spec q (mate k)) as [E|E], (Nat.eqb_spec k (mate q)) as [D|D]; try reflexivity; exfalso.
      - apply D. now rewrite E, mate_back.
      - apply E. now rewrite D, mate_back. }
    rewrite bsum_plus, (bsum_pick n true k (fun q => cos (turn_of q) * dy q)),
      (bsum_pick n true (mate k) (fun q => w q * sin (turn_of q) * dy q)) by auto.
    simpl if_. rewrite cos_neg, sin_neg, mate_angle, mate_other by exact Hk. ring.
  - apply affine_is_vjp.
Qed.
End Rotated.

(* An angle p e^-l, in an arithmetic of unit roundoff v: the exponent is off by 8 v of itself, the power
   by 4 v, the product by v. *)
Theorem rope_angle_off v p l lc fc c : 0 < v <= / 1024 -> 8 * v * Rabs l <= / 9 ->
  Rabs (lc - - l) <= 8 * v * Rabs l -> Rabs (fc - exp lc) <= 4 * v * exp lc ->
  Rabs (c - p * fc) <= v * Rabs (p * fc) ->
  Rabs (c - p * exp (- l)) <= 16 * v * Rabs (p * exp (- l)) * (1 + Rabs l).
Proof.
  intros [V0 V1] L8 HL HF HC. set (E := exp (- l)) in *. assert (E0 : 0 < E) by apply exp_pos.
  set (d := 8 * v * Rabs l) in *. assert (D0 : 0 <= d).
  { unfold d. generalize (Rabs_pos l); intro. nra. }
  assert (X : Rabs (exp lc - E) <= E * (9 / 8 * d)).
  { replace lc with (- l + (lc - - l)) by ring. rewrite exp_plus. fold E. set (z := lc - - l) in *.
    replace (E * exp z - E) with (E * (exp z - 1)) by ring. rewrite Rabs_mult, (Rabs_right E) by lra.
    apply Rmult_le_compat_l; [ lra |].
    assert (Z : - d <= z <= d) by (apply Rabs_le_between; exact HL).
    assert (Lo : 1 + z <= exp z) by (destruct (Req_dec z 0) as [->|N];
      [ rewrite exp_0; lra | left; now apply exp_ineq1 ]).
    assert (Lo' : 1 - z <= exp (- z)) by (destruct (Req_dec z 0) as [->|N];
      [ rewrite Ropp_0, exp_0; lra | left; apply exp_ineq1; lra ]).
    assert (P : exp z * exp (- z) = 1) by (rewrite <- exp_plus, Rplus_opp_r; apply exp_0).
    assert (P0 := exp_pos z). assert (Up : exp z * (1 - z) <= 1) by (rewrite <- P; nra).
    apply Rabs_le. split; [ lra |]. assert (exp z - 1 <= z / (1 - z)).
    { apply Rmult_le_reg_r with (1 - z); [ lra |]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. nra. }
    assert (z / (1 - z) <= 9 / 8 * d); [| lra ].
    apply Rmult_le_reg_r with (1 - z); [ lra |]. unfold Rdiv at 1. rewrite Rmult_assoc, Rinv_l by lra.
    assert (Y : 9 / 8 * d * (1 - d) <= 9 / 8 * d * (1 - z)) by (apply Rmult_le_compat_l; lra).
    assert (d * d <= d * / 9) by (apply Rmult_le_compat_l; lra). lra. }
  assert (G : exp lc <= E * (1 + 9 / 8 * d)) by (apply Rabs_le_between in X; lra).
  assert (G0 := exp_pos lc).
  assert (F : Rabs (fc - E) <= E * (9 / 8 * d + 4 * v * (1 + 9 / 8 * d))).
  { replace (fc - E) with ((fc - exp lc) + (exp lc - E)) by ring.
    eapply Rle_trans; [ apply Rabs_triang |].
    assert (4 * v * exp lc <= 4 * v * (E * (1 + 9 / 8 * d))) by (apply Rmult_le_compat_l; lra). lra. }
  set (f := 9 / 8 * d + 4 * v * (1 + 9 / 8 * d)) in *.
  assert (Q : Rabs (p * fc) <= Rabs (p * E) * (1 + f)).
  { rewrite !Rabs_mult, (Rabs_right E) by lra. rewrite Rmult_assoc.
    apply Rmult_le_compat_l; [ apply Rabs_pos |].
    replace fc with (E + (fc - E)) by ring. eapply Rle_trans; [ apply Rabs_triang |].
    rewrite (Rabs_right E) by lra. lra. }
  assert (S : Rabs (p * fc - p * E) <= Rabs (p * E) * f).
  { rewrite <- Rmult_minus_distr_l, !Rabs_mult, (Rabs_right E) by lra. rewrite Rmult_assoc.
    apply Rmult_le_compat_l; [ apply Rabs_pos | exact F ]. }
  assert (Q0 := Rabs_pos (p * E)).
  replace (c - p * E) with ((c - p * fc) + (p * fc - p * E)) by ring.
  eapply Rle_trans; [ apply Rabs_triang |].
  assert (T : v * (1 + f) + f <= 16 * v * (1 + Rabs l)).
  { unfold f. replace (16 * v * (1 + Rabs l)) with (16 * v + 2 * d) by (unfold d; ring).
    assert (VD : v * d <= d / 1024) by (apply Rmult_le_compat_r with (r := d) in V1; lra).
    assert (v * v <= v / 1024) by (apply Rmult_le_compat_l with (r := v) in V1; lra).
    assert (0 <= v * d) by (apply Rmult_le_pos; lra).
    assert (v * (v * d) <= 1 * (v * d)) by (apply Rmult_le_compat_r; lra). lra. }
  apply Rle_trans with (Rabs (p * E) * (v * (1 + f) + f)).
  { assert (v * Rabs (p * fc) <= v * (Rabs (p * E) * (1 + f))) by (apply Rmult_le_compat_l; lra). lra. }
  replace (16 * v * Rabs (p * E) * (1 + Rabs l)) with (Rabs (p * E) * (16 * v * (1 + Rabs l))) by ring.
  now apply Rmult_le_compat_l.
Qed.
