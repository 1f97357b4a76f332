(* The pools of spec/pool.h and spec/pool_smooth.h, over all lines: x is (lines, cells), y (lines, outs), by
   the windows w. *)
Require Import Reals Lra Psatz ZArith Lia Arith.
From Coquelicot Require Import Coquelicot.
From Theory Require Import Sums Vjp Pool PoolSmooth Rows Layout Meaning Memory LossOps ReduceOps NormOps WindowOps.
Open Scope R_scope.

(* lines that do not meet: the VJP of each is that of them all *)
Lemma lines_are_vjp lines nin nout P F V : is_vjp 1 (sz1 nin) nout P F V ->
  is_vjp 1 (sz1 (lines * nin)) (lines * nout)
    (fun x => forall l, (l < lines)%nat -> P (row (sz1 nin) (fun _ => false) x l))
    (fun x q => F (row (sz1 nin) (fun _ => false) x (q / nout)) (q mod nout)%nat)
    (fun x dy a k => V (row (sz1 nin) (fun _ => false) x (k / nin)) (dyrow nout dy (k / nin)) a (k mod nin)%nat).
Proof. exact (rows_is_vjp lines 1 nout (sz1 nin) (fun _ => false) P F V). Qed.
Lemma line_at x a r n k : row (sz1 n) (fun _ => false) x r a k = memory x (W_shift (row_ptr a r n) (Z.of_nat k)).
Proof. now rewrite at_row. Qed.
Lemma back_at dy r n k : dyrow n dy r k = memory (fun _ => dy) (W_shift (row_ptr 0 r n) (Z.of_nat k)).
Proof. now rewrite at_row. Qed.

Lemma pool_sum_is (M : W_addr -> R) (f : nat -> R) p w t : P_Placed w ->
  (forall k, M (W_shift p (Z.of_nat k)) = f k) ->
  L_PoolSum M 0 p w (Z.of_nat t) (W_window'taps w) =
  bsum (taps_of w) (fun u => if_ (reads w t u) (f (read_from w t u))).
Proof.
  intros W H. unfold L_PoolSum, taps_of. apply bsum_ext; intros u _. rewrite cell_read.
  destruct (reads w t u) eqn:E; [| reflexivity ]. rewrite (cell_is w t u E), H. reflexivity.
Qed.
Lemma pool_back_is (M : W_addr -> R) (f : nat -> R) p w j : (forall k, M (W_shift p (Z.of_nat k)) = f k) ->
  L_PoolBack M 0 1 p p w (Z.of_nat j) (W_window'outs w) =
  bsum (outs_of w) (fun t => bsum (taps_of w) (fun u => if_ (reads w t u && Nat.eqb j (read_from w t u)) (f t))).
Proof.
  intro H. unfold L_PoolBack, L_PoolBackOf, outs_of, taps_of. apply bsum_ext; intros t _.
  apply bsum_ext; intros u _. rewrite cell_meets, H. reflexivity.
Qed.
Theorem avg_pool_vjp_correct lines w : P_Placed w ->
  is_vjp 1 (sz1 (lines * cells_of w)) (lines * outs_of w) (fun _ => True)
    (fun x q => L_rdiv (L_PoolSum (memory x) 0 (row_ptr 0 (q / outs_of w) (cells_of w)) w
       (Z.of_nat (q mod outs_of w)) (W_window'taps w)) (W_real_of_int (W_window'taps w)))
    (fun _ dy _ k => let g := row_ptr 0 (k / cells_of w) (outs_of w) in
       L_rdiv (L_PoolBack (memory (fun _ => dy)) 0 1 g g w (Z.of_nat (k mod cells_of w)) (W_window'outs w))
         (W_real_of_int (W_window'taps w))).
Proof.
  intro W. destruct (placed_counts w W) as [_ [_ [T _]]].
  eapply is_vjp_ext; [ | | exact (is_vjp_within _ _ _ _ (fun _ => True) _ _ (fun _ _ _ _ => I)
    (lines_are_vjp lines _ _ _ _ _ (avg_pool_is_vjp (cells_of w) (outs_of w) (taps_of w) (reads w) (read_from w)
      (fun t u => read_below w t u W)))) ].
  - intros x q Hq. unfold avg_pool, L_rdiv. rewrite T, count_is, <- T. f_equal. symmetry.
    apply pool_sum_is; [ exact W |]. intro k. now rewrite line_at.
  - intros x dy a k _ _ Hk. cbv zeta. unfold avg_pool_vjp, L_rdiv. rewrite T, count_is.
    rewrite (pool_back_is _ (dyrow (outs_of w) dy (k / cells_of w))) by (intro i; now rewrite back_at).
    unfold Rdiv. rewrite <- bsum_scal_r. apply bsum_ext; intros t _. rewrite <- bsum_scal_r.
    apply bsum_ext; intros u _. unfold if_. destruct (_ && _)%bool; ring.
Qed.

(* max pooling: the tap that is taken, of equals the first *)
Definition tap_taken (w : W_window) (f : nat -> R) t : Z :=
  match taken_from (taps_of w) (reads w) (read_from w) f t with Some u => Z.of_nat u | None => (-1)%Z end.
Lemma max_tap_is (M : W_addr -> R) (f : nat -> R) p w t : (forall k, M (W_shift p (Z.of_nat k)) = f k) ->
  L_MaxTap M p w (Z.of_nat t) (W_window'taps w) = tap_taken w f t.
Proof.
  intro H. unfold L_MaxTap, tap_taken, taken_from. fold (taps_of w). induction (taps_of w) as [|n IHn]; [
      reflexivity |].
  cbn [nat_rect winner]. rewrite IHn. clear IHn. assert (W := winner_is (reads w t) (fun u => f (read_from w t u)) n).
  destruct (reads w t n) eqn:E.
  - rewrite (cell_is w t n E). destruct (Z_le_dec _ _); [| lia ].
    destruct (winner _ _ n) as [b|]; [| destruct (Z_lt_dec (-1) 0); [ reflexivity | lia ] ].
    destruct W as [_ [B _]]. destruct (Z_lt_dec _ 0); [ lia |]. rewrite (cell_is w t b B), !H.
    destruct (Rlt_dec _ _); reflexivity.
  - assert (C := no_cell_is w t n E). destruct (Z_le_dec _ _); [ lia |]. now destruct (winner _ _ n).
Qed.
(* the first largest is a cell where there is one *)
Lemma taken_is w f t : (exists u, (u < taps_of w)%nat /\ reads w t u = true) ->
  exists u, taken_from (taps_of w) (reads w) (read_from w) f t = Some u /\ (u < taps_of w)%nat /\ reads w t u = true.
Proof.
  intros [u [Hu Ru]]. assert (W := winner_is (reads w t) (fun u => f (read_from w t u)) (taps_of w)).
  unfold taken_from. destruct (winner _ _ _) as [b|]; [ exists b; tauto |]. rewrite W in Ru by exact Hu. discriminate.
Qed.
Lemma max_back_is (M : W_addr -> R) (f dy : nat -> R) p p' w j :
  (forall t, (t < outs_of w)%nat -> M (W_shift p (Z.of_nat t)) = W_real_of_int (tap_taken w f t)) ->
  (forall t, M (W_shift p' (Z.of_nat t)) = dy t) ->
  L_PoolBack M 0 0 p p' w (Z.of_nat j) (W_window'outs w) =
  bsum (outs_of w) (fun t => match taken_from (taps_of w) (reads w) (read_from w) f t with
    | Some u => if_ (Nat.eqb j (read_from w t u)) (dy t) | None => 0 end).
Proof.
  intros Ht Hg. unfold L_PoolBack, L_PoolBackOf. fold (taps_of w) (outs_of w). apply bsum_ext; intros t Lt.
  rewrite Ht, Hg by exact Lt. unfold tap_taken, taken_from.
  assert (W := winner_is (reads w t) (fun u => f (read_from w t u)) (taps_of w)). destruct (winner _ _ _) as [b|].
  - destruct W as [Hb [Rb _]].
    rewrite (bsum_ext (taps_of w) _ (fun u => (if Nat.eqb u b then 1 else 0) * if_ (Nat.eqb j (read_from w t u))
        (dy t))).
    + now rewrite (bsum_one (taps_of w) b (fun u => if_ (Nat.eqb j (read_from w t u)) (dy t))).
    + intros u Hu. rewrite cell_meets. unfold W_real_of_int, L_PoolTerm. destruct (Z.eq_dec 0 0) as [_|N]; [| now
        contradiction N ].
      destruct (Nat.eqb_spec u b) as [->|N].
      * destruct (Req_EM_T _ _) as [_|N]; [| now contradiction N ]. rewrite Rb. unfold if_. cbn [andb].
        destruct (Nat.eqb j _); ring.
      * destruct (Req_EM_T _ _) as [E|_]; [ apply eq_IZR in E; lia |]. destruct (_ && _)%bool; ring.
  - rewrite (bsum_ext (taps_of w) _ (fun _ => 0)), bsum_0; auto. intros u Hu. rewrite cell_meets, W by exact Hu.
      reflexivity.
Qed.
Definition taps_taken (w : W_window) (x : args) (q : nat) : Z := L_MaxTap (memory x)
  (row_ptr 0 (q / outs_of w) (cells_of w)) w (Z.of_nat (q mod outs_of w)) (W_window'taps w).
Lemma is_vjp_somewhere na sz m (P : args -> Prop) F V : ((exists x, P x) -> is_vjp na sz m P F V) ->
  is_vjp na sz m P F V.
Proof. intros H g g' t0 HP. exact (H (ex_intro _ (g t0) HP) g g' t0 HP). Qed.
Theorem max_pool_vjp_correct lines w : P_Placed w ->
  is_vjp 1 (sz1 (lines * cells_of w)) (lines * outs_of w)
    (fun x => forall l t, (l < lines)%nat -> (t < outs_of w)%nat -> exists c,
       stands_once (reads w t) (fun u => x 0%nat (l * cells_of w + read_from w t u)%nat) (taps_of w) c)
    (fun x q => memory x (W_shift (row_ptr 0 (q / outs_of w) (cells_of w))
       (L_Cell w (Z.of_nat (q mod outs_of w)) (taps_taken w x q))))
    (fun x dy _ k => L_PoolBack (memory (tensors2 (fun q => W_real_of_int (taps_taken w x q)) dy)) 0 0
       (row_ptr 0 (k / cells_of w) (outs_of w)) (row_ptr 1 (k / cells_of w) (outs_of w)) w
       (Z.of_nat (k mod cells_of w)) (W_window'outs w)).
Proof.
  intro W. destruct lines as [|lines].
  { intros g g' t0 _ _. exists (fun _ => 0). split; [ intros i Hi; cbn in Hi; lia |]. intro dy. cbn. ring. }
  apply is_vjp_somewhere. intros [x0 HP].
  assert (Some_cell : forall t, (t < outs_of w)%nat -> exists u, (u < taps_of w)%nat /\ reads w t u = true).
  { intros t Ht. destruct (HP 0%nat t ltac:(lia) Ht) as [c [Hc [Rc _]]]. now exists c. }
  assert (Tap : forall x l t, L_MaxTap (memory x) (row_ptr 0 l (cells_of w)) w (Z.of_nat t) (W_window'taps w) =
    tap_taken w (row (sz1 (cells_of w)) (fun _ => false) x l 0%nat) t).
  { intros x l t. apply max_tap_is. intro k. now rewrite line_at. }
  clear x0 HP. eapply is_vjp_ext; [ | | eapply is_vjp_within; [| exact (lines_are_vjp (S lines) _ _ _ _ _
    (max_pool_is_vjp (cells_of w) (outs_of w) (taps_of w) (reads w) (read_from w) (fun t u => read_below w t u W))) ];
    intros x H l Hl t; exact (H l t Hl) ].
  - intros x q Hq. cbv beta. unfold taps_taken. rewrite Tap. unfold max_pool, tap_taken.
    assert (Ht : (q mod outs_of w < outs_of w)%nat) by (apply Nat.mod_upper_bound; nia).
    destruct (taken_is w (row (sz1 (cells_of w)) (fun _ => false) x (q / outs_of w) 0%nat) _ (Some_cell _ Ht))
      as [u [-> [Hu Ru]]].
    rewrite (cell_is w _ u Ru). apply line_at.
  - intros x dy a k _ _ Hk. cbv beta. unfold max_pool_vjp. symmetry. apply max_back_is.
    + intros t Ht. rewrite at_row. cbn [tensors2]. unfold taps_taken. rewrite Tap.
      now rewrite (dm_div _ _ t Ht), (dm_mod _ _ t Ht).
    + intro t. now rewrite at_row.
Qed.
(* among equals: with the gradient that the first gets, a tangent nowhere goes above the maximum *)
Theorem max_pool_vjp_at_ties w t (x z : args) : P_Placed w ->
  let tap v := L_MaxTap (memory v) (ptr 0) w (Z.of_nat t) (W_window'taps w) in
  let y v := memory v (W_shift (ptr 0) (L_Cell w (Z.of_nat t) (tap v))) in
  (0 <= tap x)%Z -> let c := Z.to_nat (L_Cell w (Z.of_nat t) (tap x)) in
  y z >= y x + (z 0%nat c - x 0%nat c).
Proof.
  intros W tap y. unfold y, tap. rewrite !(max_tap_is _ (x 0%nat)), (max_tap_is _ (z 0%nat)) by (intros; apply
      mem_at).
  intro H. cbv zeta. assert (S := max_pool_subgradient (taps_of w) (reads w) (read_from w) x z t). revert H S.
  unfold max_pool. unfold tap_taken at 1. destruct (taken_from _ _ _ (x 0%nat) t) as [u|] eqn:E; [| intro; lia ].
  intros _ S. specialize (S u eq_refl). unfold tap_taken. rewrite E.
  assert (X := winner_is (reads w t) (fun u => x 0%nat (read_from w t u)) (taps_of w)).
  unfold taken_from in E. rewrite E in X. destruct X as [Hu [Ru _]].
  destruct (taken_is w (z 0%nat) t (ex_intro _ u (conj Hu Ru))) as [b [Eb [Hb Rb]]]. rewrite Eb in *.
  rewrite (cell_is w t u Ru), (cell_is w t b Rb), !mem_at, Nat2Z.id. exact S.
Qed.

(* smooth max pooling *)
Lemma tap_value_is (M : W_addr -> R) (f : nat -> R) p w t u : (forall k, M (W_shift p (Z.of_nat k)) = f k) ->
  L_TapValue M p w (Z.of_nat t) (Z.of_nat u) = tap_value (reads w) (read_from w) f t u.
Proof.
  intro H. unfold L_TapValue, tap_value. rewrite cell_read. destruct (reads w t u) eqn:E; [| reflexivity ].
  now rewrite (cell_is w t u E), H.
Qed.
Lemma smooth_pool_is (M : W_addr -> R) (x : args) p w t beta : P_Placed w -> beta <> 0 ->
  (forall k, M (W_shift p (Z.of_nat k)) = x 0%nat k) -> L_SmoothPool M beta p w (Z.of_nat t) =
  smooth_max_pool (taps_of w) (reads w) (read_from w) beta x t.
Proof.
  intros W B H. destruct (placed_counts w W) as [_ [_ [_ T]]]. unfold L_SmoothPool, L_rdiv. cbv zeta.
  rewrite <- (smooth_pivot (taps_of w) (reads w) (read_from w) beta B T x t (L_SmoothPivot M beta p w (Z.of_nat t)
    (W_window'taps w))).
  do 3 f_equal. unfold L_SmoothSum, smooth_sum, L_smooth_exp. apply bsum_ext; intros u _.
  now rewrite (tap_value_is M (x 0%nat)).
Qed.
Theorem smooth_max_pool_vjp_correct lines w beta : P_Placed w -> beta <> 0 ->
  let y x q := L_SmoothPool (memory x) beta (row_ptr 0 (q / outs_of w) (cells_of w)) w
    (Z.of_nat (q mod outs_of w)) in
  is_vjp 1 (sz1 (lines * cells_of w)) (lines * outs_of w) (fun _ => True) y
    (fun x dy _ k => let l := (k / cells_of w)%nat in
       L_SmoothBack (memory (tensors3 (x 0%nat) (y x) dy)) beta (row_ptr 0 l (cells_of w))
         (row_ptr 1 l (outs_of w)) (row_ptr 2 l (outs_of w)) w (Z.of_nat (k mod cells_of w)) (W_window'outs w)).
Proof.
  intros W B y. destruct (placed_counts w W) as [_ [_ [_ T]]].
  assert (Y : forall x l t, L_SmoothPool (memory x) beta (row_ptr 0 l (cells_of w)) w (Z.of_nat t) =
    smooth_max_pool (taps_of w) (reads w) (read_from w) beta (row (sz1 (cells_of w)) (fun _ => false) x l) t).
  { intros x l t. apply smooth_pool_is; [ exact W | exact B |]. intro k. now rewrite line_at. }
  eapply is_vjp_ext; [ | | exact (is_vjp_within _ _ _ _ (fun _ => True) _ _ (fun _ _ _ _ => I)
    (lines_are_vjp lines _ _ _ _ _ (smooth_max_pool_is_vjp (cells_of w) (outs_of w) (taps_of w) (reads w)
        (read_from w)
      beta (fun t u => read_below w t u W) B T))) ].
  - intros x q _. symmetry. apply Y.
  - intros x dy a k _ Ha Hk. cbv zeta. unfold smooth_max_pool_vjp, L_SmoothBack, L_SmoothBackOf.
    fold (outs_of w) (taps_of w). apply bsum_ext; intros t Ht. apply bsum_ext; intros u _.
    rewrite cell_meets, !at_row. cbn [tensors3]. unfold y. rewrite (dm_div _ _ t Ht), (dm_mod _ _ t Ht), Y.
    reflexivity.
Qed.
