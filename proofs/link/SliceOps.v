(* concat, slice and write_rows of spec/slice.h, and copy. A tensor (outer, n, inner)
  has outer rows of
   n inner elements each: element c of row o is at o (n inner) + c. *)
Require Import Reals Lra Psatz ZArith Lia Arith.
From Coquelicot Require Import Coquelicot.
From Theory Require Import Sums Vjp Linear Layout Meaning Memory.
Open Scope R_scope.

Lemma mem_is x a z k : z = Z.of_nat k -> memory x (W_shift (ptr a) z) = x a k.
Proof. intros ->. apply mem_at. Qed.
Ltac at_index := apply mem_is; unfold L_ix; lia.
Ltac row_and_column q o c Ho Hc Ek Er Ec := (* q is element c of row o *)
  match goal with H : (q < ?m * ?w)%nat |- _ =>
    destruct (flat_index m w q H) as [o [c [Ho [Hc [Ek [Er Ec]]]]]] end.

Theorem slice_vjp_correct outer n inner len start : (start + len <= n)%nat ->
  is_vjp 1 (sz1 (outer * (n * inner))) (outer * (len * inner)) (fun _ => True)
    (fun x q => L_Slice (memory x) (ptr 0) (Z.of_nat n) (Z.of_nat inner) (Z.of_nat start)
       (Z.of_nat (q / (len * inner))) (Z.of_nat (q mod (len * inner))))
    (fun _ dy _ k => L_Pad (memory (fun _ => dy)) (ptr 0) (Z.of_nat inner) (Z.of_nat len)
      (Z.of_nat start)
       (Z.of_nat (k / (n * inner))) (Z.of_nat (k mod (n * inner)))).
Proof.
  intro Hs.
  set (inside := fun k => andb (Nat.leb (start * inner) (k mod (n * inner)))
    (Nat.ltb (k mod (n * inner)) ((start + len) * inner))).
  set (s := fun q => (q / (len * inner) * (n * inner) + (start * inner + q mod (len * inner)))%nat).
  set (r := fun k => (k / (n * inner) * (len * inner) + (k mod (n * inner) - start * inner))%nat).
  assert (In : forall k, inside k = true <-> (start * inner <= k mod (n * inner) < (start + len)
    * inner)%nat).
  { intro k. unfold inside. rewrite Bool.andb_true_iff, Nat.leb_le, Nat.ltb_lt. reflexivity. }
  eapply is_vjp_ext; [ | | apply (cut_is_vjp (outer * (n * inner)) (outer * (len * inner))
    (fun _ => true) inside s r) ].
  - intros x q Hq. unfold L_Slice, s. simpl if_. symmetry. at_index.
  - intros x dy a k _ _ Hk. cbv beta. unfold L_Pad. destruct (inside k) eqn:E; simpl if_.
    + apply In in E. destruct (Z_le_dec _ _) as [A|A]; [| unfold L_ix in A; lia ].
      destruct (Z_lt_dec _ _) as [B|B]; [| unfold L_ix in B; lia ]. unfold r. symmetry. at_index.
    + assert (N : ~ (start * inner <= k mod (n * inner) < (start + len) * inner)%nat)
        by (intro G; apply In in G; congruence).
      destruct (Z_le_dec _ _) as [A|A]; [| reflexivity ]. destruct (Z_lt_dec _ _) as [B|B];
        [| reflexivity ].
      exfalso. apply N. unfold L_ix in A, B. nia.
  - intros q Hq _. row_and_column q o c Ho Hc Ek Er Ec. unfold s. rewrite Er, Ec.
    assert (B : (start * inner + c < n * inner)%nat) by nia.
    split; [ nia |]. split.
    + apply In. rewrite dm_mod by exact B. nia.
    + unfold r. rewrite dm_div, dm_mod by exact B. rewrite Ek. f_equal. lia.
  - intros k Hk E. apply In in E. row_and_column k o c Ho Hc Ek Er Ec. unfold r. rewrite Er,
      Ec in *.
    assert (B : (c - start * inner < len * inner)%nat) by nia.
    split; [ nia |]. split; [ reflexivity |]. unfold s. rewrite dm_div, dm_mod by exact B.
      rewrite Ek. f_equal. lia.
Qed.

Theorem concat_vjp_correct outer na nb inner :
  is_vjp 2 (scattered_sz (outer * (na * inner)) (outer * (nb * inner))) (outer * ((na + nb)
    * inner)) (fun _ => True)
    (fun x q => L_Concat (memory x) (ptr 0) (ptr 1) (Z.of_nat na) (Z.of_nat nb) (Z.of_nat inner)
       (Z.of_nat (q / ((na + nb) * inner))) (Z.of_nat (q mod ((na + nb) * inner))))
    (fun _ dy a k => match a with
       | O => L_Slice (memory (fun _ => dy)) (ptr 0) (Z.of_nat (na + nb)) (Z.of_nat inner) 0
                (Z.of_nat (k / (na * inner))) (Z.of_nat (k mod (na * inner)))
       | _ => L_Slice (memory (fun _ => dy)) (ptr 0) (Z.of_nat (na + nb)) (Z.of_nat inner)
           (Z.of_nat na)
                (Z.of_nat (k / (nb * inner))) (Z.of_nat (k mod (nb * inner))) end).
Proof.
  set (w := ((na + nb) * inner)%nat). set (wa := (na * inner)%nat). set (wb := (nb * inner)%nat).
  assert (W : w = (wa + wb)%nat) by (unfold w, wa, wb; ring).
  eapply is_vjp_ext; [ | | apply (joined_is_vjp (outer * wa) (outer * wb) (outer * w)
    (fun q => Nat.ltb (q mod w) wa) (fun _ => true) (fun _ => true)
    (fun q => (q / w * wa + q mod w)%nat) (fun k => (k / wa * w + k mod wa)%nat)
    (fun q => (q / w * wb + (q mod w - wa))%nat) (fun k => (k / wb * w + (wa + k mod wb))%nat)) ].
  - intros x q Hq. unfold L_Concat. destruct (Nat.ltb_spec (q mod w) wa) as [A|A].
    + destruct (Z_lt_dec _ _) as [B|B]; [| unfold L_ix in B; lia ]. symmetry. at_index.
    + destruct (Z_lt_dec _ _) as [B|B]; [ unfold L_ix in B; lia |]. symmetry. at_index.
  - intros x dy a k _ _ _. cbv beta. destruct a; simpl if_; unfold L_Slice; symmetry; at_index.
  - intros q Hq E. apply Nat.ltb_lt in E. row_and_column q o c Ho Hc Ek Er Ec. rewrite Er, Ec in *.
    rewrite dm_div, dm_mod by exact E. repeat split; auto. nia.
  - intros q Hq E. apply Nat.ltb_ge in E. row_and_column q o c Ho Hc Ek Er Ec. rewrite Er, Ec in *.
    rewrite dm_div, dm_mod by lia. repeat split; [ nia | rewrite Ek; f_equal; lia ].
  - intros k Hk _. row_and_column k o c Ho Hc Ek Er Ec. rewrite Er, Ec in *.
    rewrite dm_div, dm_mod by lia. repeat split; [ nia | now apply Nat.ltb_lt | now symmetry ].
  - intros k Hk _. row_and_column k o c Ho Hc Ek Er Ec. rewrite Er, Ec in *.
    rewrite dm_div, dm_mod by lia. repeat split; [ nia | apply Nat.ltb_ge; lia | rewrite Ek;
      f_equal; lia ].
Qed.

Theorem write_rows_vjp_correct rows cols k start : (start + k <= rows)%nat ->
  is_vjp 2 (scattered_sz (rows * cols) (k * cols)) (rows * cols) (fun _ => True)
    (fun x q => L_WriteRows (memory x) (ptr 0) (ptr 1) (Z.of_nat cols) (Z.of_nat k) (Z.of_nat start)
       (Z.of_nat (q / cols)) (Z.of_nat (q mod cols)))
    (fun _ dy a j => match a with
       | O => L_ZeroRows (memory (fun _ => dy)) (ptr 0) (Z.of_nat cols) (Z.of_nat k)
           (Z.of_nat start)
                (Z.of_nat (j / cols)) (Z.of_nat (j mod cols))
       | _ => memory (fun _ => dy) (W_shift (ptr 0) (L_ix (Z.of_nat (start + j / cols))
           (Z.of_nat cols) (Z.of_nat (j mod cols))))
       end).
Proof.
  intro Hs.
  set (old := fun q => negb (andb (Nat.leb start (q / cols)) (Nat.ltb (q / cols) (k + start)))).
  assert (In : forall q, old q = true <-> ~ (start <= q / cols < k + start)%nat).
  { intro q. unfold old. rewrite Bool.negb_true_iff, Bool.andb_false_iff, Nat.leb_gt, Nat.ltb_ge.
    lia. }
  assert (Out : forall q, old q = false <-> (start <= q / cols < k + start)%nat).
  { intro q. unfold old. rewrite Bool.negb_false_iff, Bool.andb_true_iff, Nat.leb_le, Nat.ltb_lt.
    reflexivity. }
  eapply is_vjp_ext; [ | | apply (joined_is_vjp (rows * cols) (k * cols) (rows * cols)
    old old (fun _ => true)
    (fun q => q) (fun q => q) (fun q => ((q / cols - start) * cols + q mod cols)%nat)
    (fun j => ((start + j / cols) * cols + j mod cols)%nat)) ].
  - intros x q Hq. row_and_column q i c Hi Hc Ek Er Ec. unfold L_WriteRows. rewrite ?Er, ?Ec.
      destruct (old q) eqn:E.
    + apply In in E. rewrite Er in E. rewrite Ek at 1. destruct (Z_le_dec _ _) as [A|A];
        [| symmetry; at_index ].
      destruct (Z_lt_dec _ _) as [B|B]; [ lia | symmetry; at_index ].
    + apply Out in E. rewrite Er in E. destruct (Z_le_dec _ _) as [A|A]; [| lia ].
      destruct (Z_lt_dec _ _) as [B|B]; [| lia ].
      cbv beta. rewrite ?Er, ?Ec. symmetry. apply mem_is. unfold L_ix.
      rewrite Nat2Z.inj_add, Nat2Z.inj_mul, Nat2Z.inj_sub by lia. ring.
  - intros x dy a j _ Ha Hj. cbv beta. destruct a as [|[|a]]; [| | lia ]; simpl in Hj.
    + row_and_column j i c Hi Hc Ek Er Ec. unfold L_ZeroRows. rewrite ?Er, ?Ec. destruct (old j)
        eqn:E; simpl if_.
      * apply In in E. rewrite Er in E. rewrite Ek at 1. destruct (Z_le_dec _ _) as [A|A];
          [| symmetry; at_index ].
        destruct (Z_lt_dec _ _) as [B|B]; [ lia | symmetry; at_index ].
      * apply Out in E. rewrite Er in E. destruct (Z_le_dec _ _) as [A|A]; [| lia ].
        destruct (Z_lt_dec _ _) as [B|B]; [ reflexivity | lia ].
    + simpl if_. symmetry. at_index.
  - auto.
  - intros q Hq E. apply Out in E. row_and_column q i c Hi Hc Ek Er Ec. rewrite Er, Ec in *.
    rewrite dm_div, dm_mod by exact Hc. repeat split; [ nia |]. rewrite Ek. f_equal. f_equal. lia.
  - auto.
  - intros j Hj _. row_and_column j i c Hi Hc Ek Er Ec. rewrite Er, Ec in *. split; [ nia |]. split.
    + apply Out. rewrite dm_div by exact Hc. lia.
    + rewrite dm_div, dm_mod by exact Hc. rewrite Ek. f_equal. f_equal. lia.
Qed.

(* copy, whose contracts in ref/ name no function: y[i] is x[i], and dx[i] is g[i] *)
Theorem copy_vjp_correct n :
  is_vjp 1 (sz1 n) n (fun _ => True) (fun x i => x 0%nat i) (fun _ dy _ i => dy i).
Proof. exact (moved_is_vjp n n _ _ (one_to_one_id n)). Qed.
