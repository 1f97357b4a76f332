(* The transforms of spec/spectral.h, over all rows, and spectral_conv1d. They are linear, whatever numbers
   Wave gives for cosines and sines: of these no more is used. *)
Require Import Reals Lra Psatz ZArith Lia Arith.
From Coquelicot Require Import Coquelicot.
From Theory Require Import Sums Vjp Linear SpectralConv Rows Layout Meaning Memory LossOps ReduceOps NormOps.
Open Scope R_scope.

Definition bins_of (n : nat) : nat := (1 + n / 2)%nat.
(* of a row of n points: of each bin the real and the imaginary part *)
Definition spectrum_of (n : nat) : nat := Z.to_nat (L_Spectrum (Z.of_nat n)).
(* what point j gives to a part of bin k *)
Definition wave_to (n : nat) (part : Z) (k j : nat) : R :=
  let m := L_Phase (Z.of_nat n) (Z.of_nat k) (Z.of_nat j) in
  if Z.eq_dec part 0 then L_Wave 0 (Z.of_nat n) m
  else if L_EdgeBin (Z.of_nat n) (Z.of_nat k) then 0 else - L_Wave 1 (Z.of_nat n) m.
Definition weight_at (n k : nat) : R := L_BinWeight (Z.of_nat n) (Z.of_nat k).

Lemma bins_are n : L_Bins (Z.of_nat n) = Z.of_nat (bins_of n).
Proof.
  unfold L_Bins, bins_of. rewrite Z.quot_div_nonneg by lia. change 2%Z with (Z.of_nat 2).
  rewrite <- Nat2Z.inj_div. lia.
Qed.
Lemma spectrum_is n : spectrum_of n = (bins_of n * 2)%nat.
Proof. unfold spectrum_of, L_Spectrum. rewrite bins_are. unfold L_ix. lia. Qed.
Lemma phase_turned n s p : L_Phase n s p = L_Phase n p s.
Proof. unfold L_Phase, L_ix. now rewrite Z.mul_comm. Qed.
Lemma bin_is (M : W_addr -> R) (f : nat -> R) part p step at1 n k :
  (forall j, M (W_shift p (L_ix (Z.of_nat j) step at1)) = f j) ->
  L_Rfft M part p step at1 (Z.of_nat n) (Z.of_nat k) = bsum n (fun j => f j * wave_to n part k j).
Proof.
  intro H. unfold L_Rfft, wave_to, L_WaveSum, L_SizeOf, L_rmul. rewrite Nat2Z.id.
  destruct (Z.eq_dec part 0); [| destruct (L_EdgeBin _ _) ].
  - apply bsum_ext; intros j _. now rewrite H.
  - rewrite (bsum_ext n _ (fun _ => 0)), bsum_0; auto. intros; ring.
  - rewrite <- bsum_scal. apply bsum_ext; intros j _. rewrite H. cbn [Z.eq_dec]. destruct (Z.eq_dec 0 0) as [_|N];
      [ ring | now contradiction N ].
Qed.
Lemma back_term_is fold re im n k j :
  L_BackTerm fold re im (Z.of_nat n) (Z.of_nat k) (L_Phase (Z.of_nat n) (Z.of_nat j) (Z.of_nat k)) =
  (if Z.eq_dec fold 0 then 1 else weight_at n k) * (re * wave_to n 0 k j + im * wave_to n 1 k j).
Proof.
  unfold L_BackTerm, wave_to, weight_at, L_BinWeight, L_rmul. rewrite (phase_turned _ (Z.of_nat j)).
  destruct (Z.eq_dec 0 0) as [_|N]; [| now contradiction N ]. destruct (Z.eq_dec 1 0) as [N|_]; [ discriminate N |].
  destruct (L_EdgeBin _ _), (Z.eq_dec fold 0); ring.
Qed.
Lemma points_back_are (M : W_addr -> R) (f : nat -> R) fold p n j m :
  (forall c, M (W_shift p (Z.of_nat c)) = f c) ->
  L_BackSum M fold p (Z.of_nat n) (Z.of_nat j) (Z.of_nat m) = bsum (m * 2) (fun c =>
    (if Z.eq_dec fold 0 then 1 else weight_at n (c / 2)) * wave_to n (Z.of_nat (c mod 2)) (c / 2) j * f c).
Proof.
  intro H. unfold L_BackSum. rewrite Nat2Z.id, bsum_flat. apply bsum_ext; intros k _. rewrite back_term_is. cbn
      [bsum].
  rewrite (dm_div k 2 0), (dm_mod k 2 0), (dm_div k 2 1), (dm_mod k 2 1) by lia. unfold L_ix.
  replace (Z.of_nat k * 2 + 0)%Z with (Z.of_nat (k * 2 + 0)) by lia.
  replace (Z.of_nat k * 2 + 1)%Z with (Z.of_nat (k * 2 + 1)) by lia. rewrite !H.
  change (Z.of_nat 0) with 0%Z. change (Z.of_nat 1) with 1%Z. ring.
Qed.

(* rows of one tensor to rows of another *)
Lemma mapped_rows nr n m F V : is_vjp 1 (sz1 n) m (fun _ => True) F V ->
  is_vjp 1 (sz1 (nr * n)) (nr * m) (fun _ => True)
    (fun x q => F (row (sz1 n) (fun _ => false) x (q / m)) (q mod m)%nat)
    (fun x dy a k => V (row (sz1 n) (fun _ => false) x (k / n)) (dyrow m dy (k / n)) a (k mod n)%nat).
Proof.
  intro H. apply (is_vjp_within _ _ _ _ (fun _ => True)) with (2 := rows_is_vjp nr 1 m (sz1 n) (fun _ => false)
    (fun _ => True) F V H). auto.
Qed.
(* a row of points to its spectrum, and back: matrices, and they transposed *)
Definition ahead_row (n : nat) (scale : nat -> R) (x : args) (c : nat) : R :=
  scale (c / 2)%nat * bsum n (fun j => x 0%nat j * wave_to n (Z.of_nat (c mod 2)) (c / 2) j).
Definition back_row (n : nat) (scale : nat -> R) (z : args) (j : nat) : R :=
  bsum (spectrum_of n) (fun c => scale (c / 2)%nat * wave_to n (Z.of_nat (c mod 2)) (c / 2) j * z 0%nat c).
Lemma ahead_row_is_vjp n scale : is_vjp 1 (sz1 n) (spectrum_of n) (fun _ => True) (ahead_row n scale)
  (fun _ dy _ => back_row n scale (fun _ => dy)).
Proof.
  eapply is_vjp_ext; [ | | exact (affine_is_vjp 1 (sz1 n) (spectrum_of n) (fun _ c j =>
    scale (c / 2)%nat * wave_to n (Z.of_nat (c mod 2)) (c / 2) j) (fun _ => 0)) ].
  - intros x c _. unfold affine, ahead_row, sz1. cbn [bsum]. rewrite Rplus_0_l, Rplus_0_r, <- bsum_scal.
    apply bsum_ext; intros; ring.
  - reflexivity.
Qed.
Lemma back_row_is_vjp n scale : is_vjp 1 (sz1 (spectrum_of n)) n (fun _ => True) (back_row n scale)
  (fun _ dy _ => ahead_row n scale (fun _ => dy)).
Proof.
  eapply is_vjp_ext; [ | | exact (affine_is_vjp 1 (sz1 (spectrum_of n)) n (fun _ j c =>
    scale (c / 2)%nat * wave_to n (Z.of_nat (c mod 2)) (c / 2) j) (fun _ => 0)) ].
  - intros x j _. unfold affine, back_row, sz1. cbn [bsum]. rewrite Rplus_0_l, Rplus_0_r. reflexivity.
  - intros x dy a c _ _ _. unfold transposed, ahead_row. rewrite <- bsum_scal. apply bsum_ext; intros; ring.
Qed.
Lemma ahead_row_of x r n c :
  L_Rfft (memory x) (Z.of_nat (c mod 2)) (row_ptr 0 r n) 1 0 (Z.of_nat n) (Z.of_nat (c / 2)) =
  ahead_row n (fun _ => 1) (row (sz1 n) (fun _ => false) x r) c.
Proof.
  unfold ahead_row. rewrite Rmult_1_l. apply bin_is. intro j. unfold L_ix.
  replace (Z.of_nat j * 1 + 0)%Z with (Z.of_nat j) by ring. now rewrite at_row.
Qed.
Lemma back_row_of x r n j fold :
  L_BackSum (memory x) fold (row_ptr 0 r (spectrum_of n)) (Z.of_nat n) (Z.of_nat j) (L_Bins (Z.of_nat n)) =
  back_row n (fun k => if Z.eq_dec fold 0 then 1 else weight_at n k)
    (row (sz1 (spectrum_of n)) (fun _ => false) x r) j.
Proof.
  rewrite bins_are. unfold back_row. rewrite (spectrum_is n) at 2. apply points_back_are. intro c. now rewrite at_row.
Qed.

Theorem rfft_vjp_correct rows n :
  is_vjp 1 (sz1 (rows * n)) (rows * spectrum_of n) (fun _ => True)
    (fun x q => let c := (q mod spectrum_of n)%nat in
       L_Rfft (memory x) (Z.of_nat (c mod 2)) (row_ptr 0 (q / spectrum_of n) n) 1 0 (Z.of_nat n) (Z.of_nat (c / 2)))
    (fun _ dy _ k => L_RfftVjp (memory (fun _ => dy)) (row_ptr 0 (k / n) (spectrum_of n)) (Z.of_nat n)
       (Z.of_nat (k mod n))).
Proof.
  eapply is_vjp_ext; [ | | exact (mapped_rows rows _ _ _ _ (ahead_row_is_vjp n (fun _ => 1))) ].
  - intros x q _. cbv zeta. now rewrite ahead_row_of.
  - intros x dy a k _ _ _. cbv beta. unfold L_RfftVjp. now rewrite back_row_of.
Qed.
Theorem irfft_vjp_correct rows n :
  is_vjp 1 (sz1 (rows * spectrum_of n)) (rows * n) (fun _ => True)
    (fun z q => L_Irfft (memory z) (row_ptr 0 (q / n) (spectrum_of n)) (Z.of_nat n) (Z.of_nat (q mod n)))
    (fun _ dy _ k => let c := (k mod spectrum_of n)%nat in
       L_IrfftVjp (memory (fun _ => dy)) (Z.of_nat (c mod 2)) (row_ptr 0 (k / spectrum_of n) n) 1 0 (Z.of_nat n)
         (Z.of_nat (c / 2))).
Proof.
  eapply is_vjp_ext; [ | | exact (mapped_rows rows _ _ _ _ (back_row_is_vjp n (fun k => weight_at n k / INR n))) ].
  - intros x q _. cbv beta. unfold L_Irfft, L_rdiv. rewrite back_row_of, count_is. unfold back_row, Rdiv.
    rewrite <- bsum_scal_r. apply bsum_ext; intros c _. destruct (Z.eq_dec 1 0); [ discriminate | ring ].
  - intros x dy a k _ _ _. cbv zeta. unfold L_IrfftVjp, L_rdiv, L_rmul. rewrite ahead_row_of, count_is.
    unfold ahead_row. fold (weight_at n ((k mod spectrum_of n) / 2)). cbv beta. unfold dyrow, row, sz1, Rdiv. cbv
        beta iota. ring.
Qed.

(* spectral_conv1d: ahead as rfft, of each column, and back as irfft, of the first modes *)
Definition wave_back (n : nat) (part k j : nat) : R := weight_at n k * wave_to n (Z.of_nat part) k j / INR n.
Definition wave_ahead (n : nat) (part k j : nat) : R := wave_to n (Z.of_nat part) k j.
Lemma column_ahead (M : W_addr -> R) (f : nat -> R) p part n width k i :
  (forall j, M (W_shift p (Z.of_nat j)) = f j) ->
  L_Column M 0 (Z.of_nat part) p (Z.of_nat n) (Z.of_nat width) (Z.of_nat k) (Z.of_nat i) =
  bin n width (wave_ahead n) part f k i.
Proof.
  intro H. unfold L_Column. destruct (Z.eq_dec 0 0) as [_|N]; [| now contradiction N ].
  apply (bin_is M (fun j => f (j * width + i)%nat)). intro j. rewrite <- H. do 2 f_equal. unfold L_ix. lia.
Qed.
Lemma column_back (M : W_addr -> R) (f : nat -> R) p part n width k o :
  (forall j, M (W_shift p (Z.of_nat j)) = f j) ->
  L_Column M 1 (Z.of_nat part) p (Z.of_nat n) (Z.of_nat width) (Z.of_nat k) (Z.of_nat o) =
  spectral_pulled n width (wave_back n) part f k o.
Proof.
  intro H. unfold L_Column. destruct (Z.eq_dec 1 0) as [N|_]; [ discriminate N |]. unfold L_IrfftVjp, L_rdiv, L_rmul.
  rewrite (bin_is M (fun j => f (j * width + o)%nat)), count_is.
  2: { intro j. rewrite <- H. do 2 f_equal. unfold L_ix. lia. }
  fold (weight_at n k). unfold spectral_pulled, wave_back, Rdiv. rewrite Rmult_comm, <- Rmult_assoc, <- bsum_scal.
  apply bsum_ext; intros; ring.
Qed.
Lemma weight_place (M : W_addr -> R) (f : nat -> R) p width k i o : (forall j, M (W_shift p (Z.of_nat j)) = f j) ->
  M (W_shift p (L_WeightAt_1_ (Z.of_nat width) (Z.of_nat k) (Z.of_nat i) (Z.of_nat o))) = weight_of width f k i o.
Proof. intro H. unfold L_WeightAt_1_, weight_of. now rewrite along_is, H. Qed.
Lemma filtered_is (M : W_addr -> R) back p p1 p2 n width j o modes (re im : nat -> R) :
  (forall k, (k < modes)%nat ->
     L_Mixed M back 0 p p1 p2 (Z.of_nat n) (Z.of_nat width) (Z.of_nat k) (Z.of_nat o) (Z.of_nat width) = re k /\
     L_Mixed M back 1 p p1 p2 (Z.of_nat n) (Z.of_nat width) (Z.of_nat k) (Z.of_nat o) (Z.of_nat width) = im k) ->
  L_Filtered M back p p1 p2 (Z.of_nat n) (Z.of_nat width) (Z.of_nat j) (Z.of_nat o) (Z.of_nat modes) =
  bsum modes (fun k => (if Z.eq_dec back 0 then weight_at n k else 1) *
    (re k * wave_to n 0 k j + im k * wave_to n 1 k j)).
Proof.
  intro H. unfold L_Filtered. rewrite Nat2Z.id. apply bsum_ext; intros k Hk. destruct (H k Hk) as [-> ->].
  rewrite back_term_is. destruct (Z.eq_dec back 0) as [_|_]; [ destruct (Z.eq_dec 1 0) as [N|_]; [ discriminate N |]
    | destruct (Z.eq_dec 0 0) as [_|N]; [| now contradiction N ] ]; reflexivity.
Qed.
Ltac decided := repeat match goal with
  | |- context [Z.eq_dec 0 0] => destruct (Z.eq_dec 0 0) as [_|]; [| congruence ]
  | |- context [Z.eq_dec 1 0] => destruct (Z.eq_dec 1 0) as [|_]; [ discriminate |] end.
Lemma mixed_ahead x n width k o :
  let w := weight_of width in let b p i := bin n width (wave_ahead n) p (x 0%nat) k i in
  let m part := L_Mixed (memory x) 0 part (ptr 0) (ptr 1) (ptr 2) (Z.of_nat n) (Z.of_nat width) (Z.of_nat k)
    (Z.of_nat o) (Z.of_nat width) in
  m 0%Z = bsum width (fun i => w (x 1%nat) k i o * b 0%nat i - w (x 2%nat) k i o * b 1%nat i) /\
  m 1%Z = bsum width (fun i => w (x 1%nat) k i o * b 1%nat i + w (x 2%nat) k i o * b 0%nat i).
Proof.
  cbv zeta. unfold L_Mixed, L_MixedTerm, L_MixedAt, L_ComplexProduct, L_rmul. rewrite Nat2Z.id. decided.
  assert (A0 := fun i => column_ahead (memory x) (x 0%nat) (ptr 0) 0 n width k i (mem_at _ 0)).
  assert (A1 := fun i => column_ahead (memory x) (x 0%nat) (ptr 0) 1 n width k i (mem_at _ 0)).
  change (Z.of_nat 0) with 0%Z in *. change (Z.of_nat 1) with 1%Z in *.
  split; apply bsum_ext; intros i _; cbv zeta; rewrite A0, A1;
    now rewrite (weight_place _ (x 1%nat)), (weight_place _ (x 2%nat)) by (intro; apply mem_at).
Qed.
Lemma mixed_back w1 w2 dy n width k i :
  let w := weight_of width in let b p o := spectral_pulled n width (wave_back n) p dy k o in
  let m part := L_Mixed (memory (tensors3 dy w1 w2)) 1 part (ptr 0) (ptr 1) (ptr 2) (Z.of_nat n) (Z.of_nat width)
    (Z.of_nat k) (Z.of_nat i) (Z.of_nat width) in
  m 0%Z = bsum width (fun o => w w1 k i o * b 0%nat o + w w2 k i o * b 1%nat o) /\
  m 1%Z = bsum width (fun o => w w1 k i o * b 1%nat o - w w2 k i o * b 0%nat o).
Proof.
  cbv zeta. unfold L_Mixed, L_MixedTerm, L_MixedAt, L_ComplexProduct, L_rmul. rewrite Nat2Z.id. decided.
  assert (B0 := fun o => column_back (memory (tensors3 dy w1 w2)) dy (ptr 0) 0 n width k o (mem_at _ 0)).
  assert (B1 := fun o => column_back (memory (tensors3 dy w1 w2)) dy (ptr 0) 1 n width k o (mem_at _ 0)).
  change (Z.of_nat 0) with 0%Z in *. change (Z.of_nat 1) with 1%Z in *.
  split; apply bsum_ext; intros o _; cbv zeta; rewrite B0, B1;
    now rewrite (weight_place _ w1), (weight_place _ w2) by (intro; apply mem_at).
Qed.
Theorem spectral_conv1d_vjp_correct n width modes :
  is_vjp 3 (spectral_sz n width modes) (n * width) (fun _ => True)
    (fun x q => L_SpectralConv (memory x) (ptr 0) (ptr 1) (ptr 2) (Z.of_nat n) (Z.of_nat width) (Z.of_nat modes)
       (Z.of_nat (q / width)) (Z.of_nat (q mod width)))
    (fun x dy a q => let k := Z.of_nat (q / width / width) in let i := Z.of_nat (q / width mod width) in
       let o := Z.of_nat (q mod width) in match a with
       | O => L_Filtered (memory (tensors3 dy (x 1%nat) (x 2%nat))) 1 (ptr 0) (ptr 1) (ptr 2) (Z.of_nat n)
           (Z.of_nat width) (Z.of_nat (q / width)) (Z.of_nat (q mod width)) (Z.of_nat modes)
       | S O => L_SpectralDw (memory (tensors2 (x 0%nat) dy)) 0 (ptr 0) (ptr 1) (Z.of_nat n) (Z.of_nat width) k i o
       | _ => L_SpectralDw (memory (tensors2 (x 0%nat) dy)) 1 (ptr 0) (ptr 1) (Z.of_nat n) (Z.of_nat width) k i o
       end).
Proof.
  eapply is_vjp_ext; [ | | exact (spectral_conv_is_vjp n width modes (wave_ahead n) (wave_back n)) ].
  - intros x q _. unfold L_SpectralConv, L_rdiv. rewrite count_is.
    erewrite filtered_is by (intros k _; apply mixed_ahead).
    unfold spectral_conv, Rdiv. rewrite <- bsum_scal_r. apply bsum_ext; intros k _. decided.
    rewrite bsum_plus, !bsum_scal_r. unfold wave_back, Rdiv.
    change (Z.of_nat 0) with 0%Z. change (Z.of_nat 1) with 1%Z. ring.
  - intros x dy a q _ Ha _. cbv zeta. unfold spectral_conv_vjp.
    set (M := memory (tensors2 (x 0%nat) dy)). set (k := (q / width / width)%nat).
    set (i := (q / width mod width)%nat). set (o := (q mod width)%nat).
    assert (A0 := column_ahead M (x 0%nat) (ptr 0) 0 n width k i (mem_at _ 0)).
    assert (A1 := column_ahead M (x 0%nat) (ptr 0) 1 n width k i (mem_at _ 0)).
    assert (B0 := column_back M dy (ptr 1) 0 n width k o (mem_at _ 1)).
    assert (B1 := column_back M dy (ptr 1) 1 n width k o (mem_at _ 1)).
    change (Z.of_nat 0) with 0%Z in *. change (Z.of_nat 1) with 1%Z in *. destruct a as [|[|[|a]]]; [| | | lia ].
    + erewrite filtered_is by (intros c _; apply mixed_back). decided.
      apply bsum_ext; intros c _. unfold wave_ahead. change (Z.of_nat 0) with 0%Z. change (Z.of_nat 1) with 1%Z. ring.
    + unfold L_SpectralDw, L_ComplexProduct, L_rmul. decided. now rewrite A0, A1, B0, B1.
    + unfold L_SpectralDw, L_ComplexProduct, L_rmul. decided. now rewrite A0, A1, B0, B1.
Qed.
