(* The VJPs of spec/gather.h: picking rows by index and adding rows by index are each other's, an index
   out of range included. Scat and ScatVec are ScatSum with 0 in the first place. *)
Require Import Reals Lra Psatz ZArith Lia Arith.
From Coquelicot Require Import Coquelicot.
From Theory Require Import Sums Vjp Linear Realize Meaning Memory LossOps ReduceOps.
Open Scope R_scope.

Section Gather.
Variables (ids : W_addr -> Z) (p : W_addr) (nr n k : nat). (* indices; rows of x, columns, how many indices *)
Definition index_of (i : nat) : Z := ids (W_shift p (Z.of_nat i)).
Definition in_range (i : nat) : bool := andb (Z.leb 0 (index_of i)) (Z.ltb (index_of i) (Z.of_nat nr)).
(* element q of the picked rows, (k, n), is element from q of x, (rows, n) *)
Definition taken (q : nat) : bool := in_range (q / n).
Definition from (q : nat) : nat := (Z.to_nat (index_of (q / n)) * n + q mod n)%nat.

Lemma in_range_is i : in_range i = true -> (0 <= index_of i < Z.of_nat nr)%Z.
Proof.
  unfold in_range. intro H. apply Bool.andb_true_iff in H. destruct H as [H1 H2].
  apply Z.leb_le in H1. apply Z.ltb_lt in H2. lia.
Qed.
Lemma out_of_range i : in_range i = false -> ~ (0 <= index_of i < Z.of_nat nr)%Z.
Proof.
  unfold in_range. intros H [H1 H2]. apply Z.leb_le in H1. apply Z.ltb_lt in H2. rewrite H1, H2 in H. discriminate.
Qed.
Lemma from_below q : (q < k * n)%nat -> taken q = true -> (from q < nr * n)%nat.
Proof.
  intros Hq Ht. apply in_range_is in Ht. unfold from. assert (n <> 0)%nat by nia.
  assert (q mod n < n)%nat by now apply Nat.mod_upper_bound.
  assert (Z.to_nat (index_of (q / n)) < nr)%nat by lia. nia.
Qed.
Lemma gather_is x a q : (q < k * n)%nat ->
  L_Gather (memory x) ids (ptr a) p (Z.of_nat nr) (Z.of_nat n) (Z.of_nat (q / n)) (Z.of_nat (q mod n)) =
  if_ (taken q) (x a (from q)).
Proof.
  intros Hq. unfold L_Gather. fold (index_of (q / n)). unfold taken, from.
  destruct (in_range (q / n)) eqn:E.
  - apply in_range_is in E. destruct (Z_le_dec 0 _); [| lia ]. destruct (Z_lt_dec _ _); [| lia ]. simpl if_.
    replace (L_ix (index_of (q / n)) (Z.of_nat n) (Z.of_nat (q mod n)))
      with (Z.of_nat (Z.to_nat (index_of (q / n)) * n + q mod n)) by (unfold L_ix; lia).
    now rewrite mem_at.
  - apply out_of_range in E. destruct (Z_le_dec 0 _); [| reflexivity ]. destruct (Z_lt_dec _ _); [ lia | reflexivity ].
Qed.
(* what all picked elements send back to element j *)
Lemma sent_back (dy : nat -> R) j : (j < nr * n)%nat ->
  bsum (k * n) (fun q => if_ (taken q && Nat.eqb j (from q)) (dy q)) =
  bsum k (fun i => if Z.eq_dec (index_of i) (Z.of_nat (j / n)) then dy (i * n + j mod n)%nat else 0).
Proof.
  intro Hj. assert (Hn : (n <> 0)%nat) by nia. set (r := (j / n)%nat). set (c := (j mod n)%nat).
  assert (Hr : (r < nr)%nat) by (apply Nat.div_lt_upper_bound; nia).
  assert (Hc : (c < n)%nat) by now apply Nat.mod_upper_bound.
  assert (Ej : j = (r * n + c)%nat) by (unfold r, c; rewrite (Nat.mul_comm (j / n)); now apply Nat.div_mod).
  rewrite bsum_flat. apply bsum_ext; intros i Hi. unfold taken, from.
  rewrite (bsum_ext n _ (fun c' => if_ (Nat.eqb c' c) (if Z.eq_dec (index_of i) (Z.of_nat r) then dy (i * n + c)%nat else 0))).
  now rewrite bsum_only.
  intros c' Hc'. rewrite (dm_div i n c' Hc'), (dm_mod i n c' Hc'). rewrite Ej.
  destruct (in_range i) eqn:E; simpl.
  - apply in_range_is in E.
    destruct (Nat.eqb_spec (r * n + c) (Z.to_nat (index_of i) * n + c')) as [D|D]; simpl.
    + assert (Er : r = Z.to_nat (index_of i)).
      { rewrite <- (dm_div r n c Hc), D. now apply dm_div. }
      assert (Ec : c' = c).
      { rewrite <- (dm_mod r n c Hc), D. symmetry. now apply dm_mod. }
      rewrite Ec, Nat.eqb_refl. simpl. destruct (Z.eq_dec _ _); [ reflexivity | lia ].
    + destruct (Nat.eqb_spec c' c) as [Ec|Ec]; [| reflexivity ]. simpl.
      destruct (Z.eq_dec (index_of i) (Z.of_nat r)) as [G|G]; [| reflexivity ]. exfalso. apply D. rewrite G, Nat2Z.id, Ec. reflexivity.
  - apply out_of_range in E. destruct (Nat.eqb c' c); [| reflexivity ]. simpl.
    destruct (Z.eq_dec (index_of i) (Z.of_nat r)) as [G|G]; [| reflexivity ]. exfalso. apply E. lia.
Qed.
Lemma scat_is x a j : L_ScatSum (memory x) ids 0 p (ptr a) (Z.of_nat n) (Z.of_nat (j / n)) (Z.of_nat (j mod n)) (Z.of_nat k) =
  bsum k (fun i => if Z.eq_dec (index_of i) (Z.of_nat (j / n)) then x a (i * n + j mod n)%nat else 0).
Proof.
  unfold L_ScatSum. rewrite Nat2Z.id. apply bsum_ext; intros i _. fold (index_of i).
  destruct (Z.eq_dec (index_of i) _); [| reflexivity ]. unfold L_ScatTerm. destruct (Z.eq_dec 0 0) as [_|E]; [| now contradiction E ].
  replace (L_ix (Z.of_nat i) (Z.of_nat n) (Z.of_nat (j mod n))) with (Z.of_nat (i * n + j mod n)) by (unfold L_ix; lia).
  now rewrite mem_at.
Qed.

Theorem gather_rows_vjp_correct :
  is_vjp 1 (sz1 (nr * n)) (k * n) (fun _ => True)
    (fun x q => L_Gather (memory x) ids (ptr 0) p (Z.of_nat nr) (Z.of_nat n) (Z.of_nat (q / n)) (Z.of_nat (q mod n)))
    (fun _ dy _ j => L_ScatSum (memory (fun _ => dy)) ids 0 p (ptr 0) (Z.of_nat n) (Z.of_nat (j / n)) (Z.of_nat (j mod n)) (Z.of_nat k)).
Proof.
  eapply is_vjp_ext; [ | | exact (pick_is_vjp (nr * n) (k * n) taken from from_below) ].
  - intros x q Hq. now rewrite gather_is.
  - intros x dy a j _ _ Hj. rewrite scat_is. unfold pick_vjp. now apply sent_back.
Qed.
Theorem scatter_add_rows_vjp_correct :
  is_vjp 2 (scattered_sz (nr * n) (k * n)) (nr * n) (fun _ => True)
    (fun x j => x 0%nat j + L_ScatSum (memory x) ids 0 p (ptr 1) (Z.of_nat n) (Z.of_nat (j / n)) (Z.of_nat (j mod n)) (Z.of_nat k))
    (fun _ dy a q => match a with O => dy q
       | _ => L_Gather (memory (fun _ => dy)) ids (ptr 0) p (Z.of_nat nr) (Z.of_nat n) (Z.of_nat (q / n)) (Z.of_nat (q mod n)) end).
Proof.
  eapply is_vjp_ext; [ | | exact (scatter_add_is_vjp (nr * n) (k * n) taken from from_below) ].
  - intros x j Hj. rewrite scat_is. unfold scattered. f_equal. rewrite <- (sent_back (x 1%nat)) by assumption.
    apply bsum_ext; intros q _. now rewrite (Nat.eqb_sym j).
  - intros x dy a q _ Ha Hq. unfold scattered_vjp. destruct a as [|a]; [ reflexivity |].
    destruct a; [| lia ]. simpl in Hq. now rewrite gather_is.
Qed.
End Gather.

(* One column: vectors. *)
Lemma pick_one M ids x p n i : L_Pick M ids x p n i = L_Gather M ids x p n 1 i 0.
Proof.
  unfold L_Pick, L_Gather, L_ix. rewrite Z.mul_1_r, Z.add_0_r. reflexivity.
Qed.
Lemma one_column q : (q / 1 = q /\ q mod 1 = 0)%nat.
Proof. split; [ apply Nat.div_1_r | apply Nat.mod_1_r ]. Qed.
Theorem gather_vjp_correct ids p nr k :
  is_vjp 1 (sz1 nr) k (fun _ => True)
    (fun x q => L_Pick (memory x) ids (ptr 0) p (Z.of_nat nr) (Z.of_nat q))
    (fun _ dy _ j => L_ScatSum (memory (fun _ => dy)) ids 0 p (ptr 0) 1 (Z.of_nat j) 0 (Z.of_nat k)).
Proof.
  apply (is_vjp_sz 1 (sz1 (nr * 1)) _ (k * 1)); [ intros; unfold sz1; lia | lia |].
  eapply is_vjp_ext; [ | | exact (gather_rows_vjp_correct ids p nr 1 k) ].
  - intros x q _. cbv beta. rewrite pick_one. destruct (one_column q) as [-> ->]. reflexivity.
  - intros x dy a j _ _ _. cbv beta. destruct (one_column j) as [-> ->]. reflexivity.
Qed.
Theorem scatter_add_vjp_correct ids p nr k :
  is_vjp 2 (scattered_sz nr k) nr (fun _ => True)
    (fun x j => x 0%nat j + L_ScatSum (memory x) ids 0 p (ptr 1) 1 (Z.of_nat j) 0 (Z.of_nat k))
    (fun _ dy a q => match a with O => dy q | _ => L_Pick (memory (fun _ => dy)) ids (ptr 0) p (Z.of_nat nr) (Z.of_nat q) end).
Proof.
  apply (is_vjp_sz 2 (scattered_sz (nr * 1) (k * 1)) _ (nr * 1)); [ intros [|a] _; simpl; lia | lia |].
  eapply is_vjp_ext; [ | | exact (scatter_add_rows_vjp_correct ids p nr 1 k) ].
  - intros x j _. cbv beta. destruct (one_column j) as [-> ->]. reflexivity.
  - intros x dy a q _ _ _. cbv beta. destruct a; [ reflexivity |]. rewrite pick_one. destruct (one_column q) as [-> ->]. reflexivity.
Qed.
(* One index: a row, or a number. *)
Lemma put_one x ids p a n r c : (c < n)%nat -> L_ScatSum (memory x) ids 0 p (ptr a) (Z.of_nat n) r (Z.of_nat c) 1 = L_Put ids p r (x a c).
Proof.
  intro Hc. unfold L_ScatSum, L_Put, L_ScatTerm, L_ix. change (Z.to_nat 1) with 1%nat. cbn [bsum]. rewrite Rplus_0_l.
  change (Z.of_nat 0) with 0%Z. destruct (Z.eq_dec (ids (W_shift p 0)) r); [| reflexivity ].
  destruct (Z.eq_dec 0 0) as [_|E]; [| now contradiction E ]. rewrite Z.mul_0_l, Z.add_0_l. apply mem_at.
Qed.
Theorem gather_row_vjp_correct ids p nr n :
  is_vjp 1 (sz1 (nr * n)) n (fun _ => True)
    (fun x c => L_Gather (memory x) ids (ptr 0) p (Z.of_nat nr) (Z.of_nat n) 0 (Z.of_nat c))
    (fun _ dy _ j => L_Put ids p (Z.of_nat (j / n)) (dy (j mod n)%nat)).
Proof.
  apply (is_vjp_sz 1 (sz1 (nr * n)) _ (1 * n)); [ auto | lia |].
  eapply is_vjp_ext; [ | | exact (gather_rows_vjp_correct ids p nr n 1) ].
  - intros x c Hc. cbv beta. rewrite Nat.div_small, Nat.mod_small by lia. reflexivity.
  - intros x dy a j _ _ Hj. unfold sz1 in Hj. cbv beta. change (Z.of_nat 1) with 1%Z. rewrite put_one; [ reflexivity |].
    apply Nat.mod_upper_bound. nia.
Qed.
Theorem scatter_add_row_vjp_correct ids p nr n :
  is_vjp 2 (scattered_sz (nr * n) n) (nr * n) (fun _ => True)
    (fun x j => x 0%nat j + L_Put ids p (Z.of_nat (j / n)) (x 1%nat (j mod n)%nat))
    (fun _ dy a c => match a with O => dy c
       | _ => L_Gather (memory (fun _ => dy)) ids (ptr 0) p (Z.of_nat nr) (Z.of_nat n) 0 (Z.of_nat c) end).
Proof.
  apply (is_vjp_sz 2 (scattered_sz (nr * n) (1 * n)) _ (nr * n)); [ intros [|a] _; simpl; lia | reflexivity |].
  eapply is_vjp_ext; [ | | exact (scatter_add_rows_vjp_correct ids p nr n 1) ].
  - intros x j Hj. cbv beta. change (Z.of_nat 1) with 1%Z. rewrite put_one; [ reflexivity |].
    apply Nat.mod_upper_bound. nia.
  - intros x dy a c _ _ Hc. cbv beta. destruct a; [ reflexivity |]. simpl in Hc.
    rewrite Nat.div_small, Nat.mod_small by lia. reflexivity.
Qed.
Theorem gather_scalar_vjp_correct ids p nr :
  is_vjp 1 (sz1 nr) 1 (fun _ => True)
    (fun x _ => L_Pick (memory x) ids (ptr 0) p (Z.of_nat nr) 0)
    (fun _ dy _ j => L_Put ids p (Z.of_nat j) (dy 0%nat)).
Proof.
  eapply is_vjp_ext; [ | | exact (gather_vjp_correct ids p nr 1) ].
  - intros x i Hi. cbv beta. replace i with 0%nat by lia. reflexivity.
  - intros x dy a j _ _ _. cbv beta. change (Z.of_nat 1) with 1%Z. change 1%Z with (Z.of_nat 1) at 1.
    change 0%Z with (Z.of_nat 0) at 2. exact (put_one (fun _ => dy) ids p 0 1 (Z.of_nat j) 0 (Nat.lt_0_succ 0)).
Qed.
Theorem scatter_add_scalar_vjp_correct ids p nr :
  is_vjp 2 (scattered_sz nr 1) nr (fun _ => True)
    (fun x j => x 0%nat j + L_Put ids p (Z.of_nat j) (x 1%nat 0%nat))
    (fun _ dy a q => match a with O => dy q | _ => L_Pick (memory (fun _ => dy)) ids (ptr 0) p (Z.of_nat nr) 0 end).
Proof.
  eapply is_vjp_ext; [ | | exact (scatter_add_vjp_correct ids p nr 1) ].
  - intros x j _. cbv beta. f_equal. exact (put_one x ids p 1 1 (Z.of_nat j) 0 (Nat.lt_0_succ 0)).
  - intros x dy a q _ _ Hq. cbv beta. destruct a; [ reflexivity |]. simpl in Hq. replace q with 0%nat by lia. reflexivity.
Qed.
