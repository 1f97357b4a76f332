(* rope of spec/rope.h: its VJP turns back. A row has 2 half elements; those of a pair, c and c + half, are
   turned by one angle. *)
Require Import Reals Lra Psatz ZArith Lia Arith.
From Coquelicot Require Import Coquelicot.
From Theory Require Import Sums Vjp Linear Layout Rotation Meaning Memory.
Open Scope R_scope.

Section Rope.
Variables (rows rope_half : nat) (table : Z) (rope_base : R) (rope_first rope_seq heads : Z) (freq : nat -> R).
(* the two elements of a pair: which is the other, and on which side an element is *)
Definition rope_mate (q : nat) : nat :=
  if Nat.ltb (q mod (2 * rope_half)) rope_half then (q + rope_half)%nat else (q - rope_half)%nat.
Definition rope_side (q : nat) : R := if Nat.ltb (q mod (2 * rope_half)) rope_half then -1 else 1.
Definition rope_pair (q : nat) : nat :=
  if Nat.ltb (q mod (2 * rope_half)) rope_half then (q mod (2 * rope_half))%nat else (q mod (2 * rope_half) - rope_half)%nat.
Definition rope_turn (q : nat) : R :=
  IZR (rope_first + L_RopeStep (Z.of_nat (q / (2 * rope_half))) heads rope_seq) *
  (if Z.eq_dec table 0 then L_RopePower rope_base (2 * Z.of_nat rope_half) (Z.of_nat (rope_pair q))
   else freq (rope_pair q)).
Definition rope_at (back : Z) (u : nat -> R) (q : nat) : R :=
  L_Rope (memory (tensors2 u freq)) back table rope_base rope_first (ptr 0) (ptr 1) rope_seq heads
    (Z.of_nat (2 * rope_half)) (Z.of_nat (q / (2 * rope_half))) (Z.of_nat (q mod (2 * rope_half))).

Lemma rope_place q : (q < rows * (2 * rope_half))%nat -> exists r c,
  (r < rows)%nat /\ (c < 2 * rope_half)%nat /\ q = (r * (2 * rope_half) + c)%nat /\
  (q / (2 * rope_half))%nat = r /\ (q mod (2 * rope_half))%nat = c.
Proof. exact (flat_index rows (2 * rope_half) q). Qed.
Lemma rope_mate_place q : (q < rows * (2 * rope_half))%nat ->
  (rope_mate q < rows * (2 * rope_half))%nat /\ (rope_mate q / (2 * rope_half))%nat = (q / (2 * rope_half))%nat /\
  (rope_mate q mod (2 * rope_half))%nat = (if Nat.ltb (q mod (2 * rope_half)) rope_half
    then q mod (2 * rope_half) + rope_half else q mod (2 * rope_half) - rope_half)%nat.
Proof.
  intro Hq. destruct (rope_place q Hq) as [r [c [Hr [Hc [E [Er Ec]]]]]]. unfold rope_mate. rewrite Er, Ec.
  destruct (Nat.ltb_spec c rope_half) as [L|L].
  - replace (q + rope_half)%nat with (r * (2 * rope_half) + (c + rope_half))%nat by lia.
    rewrite dm_div, dm_mod by lia. repeat split. nia.
  - replace (q - rope_half)%nat with (r * (2 * rope_half) + (c - rope_half))%nat by lia.
    rewrite dm_div, dm_mod by lia. repeat split. nia.
Qed.
Lemma rope_at_is back u q : (q < rows * (2 * rope_half))%nat -> rope_at back u q =
  cos (if Z.eq_dec back 0 then rope_turn q else - rope_turn q) * u q +
  rope_side q * sin (if Z.eq_dec back 0 then rope_turn q else - rope_turn q) * u (rope_mate q).
Proof.
  intro Hq. destruct (rope_place q Hq) as [r [c [Hr [Hc [E [Er Ec]]]]]].
  unfold rope_at, rope_side, rope_turn, rope_mate, rope_pair, L_Rope, L_RopeRow. rewrite Er, Ec.
  replace (Z.quot (Z.of_nat (2 * rope_half)) 2) with (Z.of_nat rope_half)
    by (rewrite Nat2Z.inj_mul, Z.mul_comm, Z.quot_mul by lia; reflexivity).
  assert (X : forall k, (k < 2 * rope_half)%nat -> memory (tensors2 u freq)
    (W_shift (W_shift (ptr 0) (L_ix (Z.of_nat r) (Z.of_nat (2 * rope_half)) 0)) (Z.of_nat k)) =
    u (r * (2 * rope_half) + k)%nat).
  { intros k _. transitivity (u (Z.to_nat (Z.of_nat r * Z.of_nat (2 * rope_half) + 0 + Z.of_nat k))).
    - unfold memory, ptr, W_shift, L_ix, tensors2. cbn [W_base W_offset Z.of_nat Z.to_nat].
      now rewrite Z.add_0_l.
    - f_equal. rewrite <- (Nat2Z.id (r * (2 * rope_half) + k)). f_equal.
      rewrite Nat2Z.inj_add, (Nat2Z.inj_mul r). ring. }
  assert (F : forall k, L_RopeFreq (memory (tensors2 u freq)) table (ptr 1) rope_base (2 * Z.of_nat rope_half)
      (Z.of_nat k) =
    if Z.eq_dec table 0 then L_RopePower rope_base (2 * Z.of_nat rope_half) (Z.of_nat k) else freq k).
  { intro k. unfold L_RopeFreq. destruct (Z.eq_dec table 0); [ reflexivity | exact (mem_at (tensors2 u freq) 1%nat k) ]. }
  destruct (Nat.ltb_spec c rope_half) as [L|L].
  - destruct (Z_lt_dec _ _) as [A|A]; [| lia ].
    replace (Z.of_nat c + Z.of_nat rope_half)%Z with (Z.of_nat (c + rope_half)) by lia.
    rewrite !X, F by lia. unfold L_RopeFirst, L_RopeAngle.
    replace (q + rope_half)%nat with (r * (2 * rope_half) + (c + rope_half))%nat by lia. rewrite <- E.
    destruct (Z.eq_dec back 0); ring.
  - destruct (Z_lt_dec _ _) as [A|A]; [ lia |].
    replace (Z.of_nat c + -1 * Z.of_nat rope_half)%Z with (Z.of_nat (c - rope_half)) by lia.
    rewrite !X, F by lia. unfold L_RopeSecond, L_RopeAngle.
    replace (q - rope_half)%nat with (r * (2 * rope_half) + (c - rope_half))%nat by lia. rewrite <- E.
    destruct (Z.eq_dec back 0); ring.
Qed.
End Rope.

Theorem rope_vjp_correct rows half table base first seq heads freq :
  is_vjp 1 (sz1 (rows * (2 * half))) (rows * (2 * half)) (fun _ => True)
    (fun x q => L_Rope (memory (tensors2 (x 0%nat) freq)) 0 table base first (ptr 0) (ptr 1) seq heads
       (Z.of_nat (2 * half)) (Z.of_nat (q / (2 * half))) (Z.of_nat (q mod (2 * half))))
    (fun _ dy _ q => L_Rope (memory (tensors2 dy freq)) 1 table base first (ptr 0) (ptr 1) seq heads
       (Z.of_nat (2 * half)) (Z.of_nat (q / (2 * half))) (Z.of_nat (q mod (2 * half)))).
Proof.
  set (n := (rows * (2 * half))%nat).
  eapply is_vjp_ext; [ | | apply (rotated_is_vjp n (rope_mate half)
    (rope_turn half table base first seq heads freq) (rope_side half)) ].
  - intros x q Hq. symmetry. exact (rope_at_is rows half table base first seq heads freq 0 (x 0%nat) q Hq).
  - intros x dy a q _ _ Hq. symmetry. exact (rope_at_is rows half table base first seq heads freq 1 dy q Hq).
  - intros q Hq. apply (rope_mate_place rows half q Hq).
  - intros q Hq. destruct (rope_mate_place rows half q Hq) as [Hm [_ M]].
    destruct (rope_place rows half q Hq) as [r [c [Hr [Hc [E [Er Ec]]]]]]. unfold rope_mate at 1.
    rewrite M, Ec. unfold rope_mate. rewrite Ec. destruct (Nat.ltb_spec c half) as [L|L].
    + destruct (Nat.ltb_spec (c + half) half); lia.
    + destruct (Nat.ltb_spec (c - half) half); lia.
  - intros q Hq. destruct (rope_mate_place rows half q Hq) as [Hm [D M]].
    destruct (rope_place rows half q Hq) as [r [c [Hr [Hc [E [Er Ec]]]]]].
    unfold rope_turn, rope_pair. rewrite D, M, Ec. destruct (Nat.ltb_spec c half) as [L|L].
    + destruct (Nat.ltb_spec (c + half) half); [ lia |]. now replace (c + half - half)%nat with c by lia.
    + destruct (Nat.ltb_spec (c - half) half); [ reflexivity | lia ].
  - intros q Hq. destruct (rope_mate_place rows half q Hq) as [Hm [D M]].
    destruct (rope_place rows half q Hq) as [r [c [Hr [Hc [E [Er Ec]]]]]].
    unfold rope_side. rewrite M, Ec. destruct (Nat.ltb_spec c half) as [L|L].
    + destruct (Nat.ltb_spec (c + half) half); [ lia | lra ].
    + destruct (Nat.ltb_spec (c - half) half); [ lra | lia ].
Qed.
