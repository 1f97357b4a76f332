(* sdpa of spec/attention.h and its VJP, over all heads: a query head reads the KV head of its group, and sees of
   its keys those that neither causal nor the mask blocks. The gradients are stated in spec/attention_vjp.h over
   the y and the lse that the forward op gave: with these they are those of the whole op. *)
Require Import Reals Lra Psatz ZArith Lia Arith Bool.
From Coquelicot Require Import Coquelicot.
From Theory Require Import Sums Vjp Softmax Rows Layout Attention Meaning Memory LossOps NormOps FfnOps.
Open Scope R_scope.

(* query i, aligned with key i + nk - nq, sees key j *)
Definition open_key (causal masked : Z) (b : nat -> R) (nq nk i j : nat) : bool :=
  negb (negb (Z.eqb causal 0) && (i + nk <? j + nq)%nat) &&
  (Z.eqb masked 0 || if Req_EM_T (b (i * nk + j)%nat) 0 then true else false).
Lemma blocked_is (M : W_addr -> R) causal masked p b nq nk i j : (forall k, M (W_shift p (Z.of_nat k)) = b k) ->
  (if Req_EM_T (L_Blocked M causal masked p (Z.of_nat nq) (Z.of_nat nk) (Z.of_nat i) (Z.of_nat j)) 0
   then true else false) = open_key causal masked b nq nk i j.
Proof.
  intro H. unfold L_Blocked, open_key. rewrite ix_nat, H.
  destruct (Z.eqb_spec causal 0), (Z.eqb_spec masked 0), (Nat.ltb_spec (i + nk) (j + nq)),
    (Z.eq_dec causal 0), (Z.eq_dec masked 0), (Z_lt_dec (Z.of_nat i + Z.of_nat nk) (Z.of_nat j + Z.of_nat nq));
    try contradiction; try lia; cbn [negb andb orb]; try reflexivity;
    destruct (Req_EM_T _ 0); (reflexivity || lra).
Qed.
Lemma if_open_is (M : W_addr -> R) causal masked p b nq nk i j v : (forall k, M (W_shift p (Z.of_nat k)) = b k) ->
  L_if_open (L_Blocked M causal masked p (Z.of_nat nq) (Z.of_nat nk) (Z.of_nat i) (Z.of_nat j)) v =
  if_ (open_key causal masked b nq nk i j) v.
Proof.
  intro H. rewrite <- (blocked_is M causal masked p b nq nk i j H). unfold L_if_open.
  destruct (Req_EM_T _ 0); reflexivity.
Qed.
Lemma shift_on p a k : W_shift (W_shift p (Z.of_nat a)) (Z.of_nat k) = W_shift p (Z.of_nat (a + k)).
Proof. unfold W_shift. cbn [W_base W_offset]. f_equal. lia. Qed.

(* One query: q and x 0, k and x 1, v and x 2 are the same. *)
Section OneQuery.
Variables (M : W_addr -> R) (causal masked : Z) (pb q k v : W_addr) (b : nat -> R) (nq nk d i : nat) (x : args).
Hypothesis Hb : forall c, M (W_shift pb (Z.of_nat c)) = b c.
Hypothesis Hq : forall c, M (W_shift q (Z.of_nat c)) = x 0%nat c.
Hypothesis Hk : forall c, M (W_shift k (Z.of_nat c)) = x 1%nat c.
Hypothesis Hv : forall c, M (W_shift v (Z.of_nat c)) = x 2%nat c.
Definition seen_score : nat -> R := query_score d (L_attn_scale (Z.of_nat d)) x.
Definition seen_top : R := L_RowTop M causal masked pb (Z.of_nat nq) (Z.of_nat nk) (Z.of_nat i) q k (Z.of_nat d).
Definition seen_mass : R := L_RowMass M causal masked pb (Z.of_nat nq) (Z.of_nat nk) (Z.of_nat i) q k (Z.of_nat d).
Definition seen_chance : nat -> R :=
  chance nk d (L_attn_scale (Z.of_nat d)) (open_key causal masked b nq nk i) x.
Definition seen_out : nat -> R :=
  query_out nk d d (L_attn_scale (Z.of_nat d)) (open_key causal masked b nq nk i) x.

Lemma score_is j : L_Score M q k (Z.of_nat d) (Z.of_nat j) = seen_score j.
Proof.
  unfold L_Score, L_rmul, L_RowDot, seen_score, query_score. rewrite Nat2Z.id. f_equal. apply bsum_ext; intros c _.
  now rewrite ix_row, shift_on, Hq, Hk.
Qed.
Lemma row_mass_is : seen_mass =
  bsum nk (fun j => if_ (open_key causal masked b nq nk i j) (exp (seen_score j - seen_top))).
Proof.
  unfold seen_mass, L_RowMass, L_ScoreSum. rewrite Nat2Z.id. apply bsum_ext; intros j _.
  rewrite score_is, <- (blocked_is M causal masked pb b nq nk i j Hb). fold seen_top. unfold L_open_exp.
  destruct (Req_EM_T _ 0); reflexivity.
Qed.
Lemma attended_row_is c :
  L_AttendedRow M causal masked pb (Z.of_nat nq) (Z.of_nat nk) (Z.of_nat i) q k v (Z.of_nat d) (Z.of_nat c) =
  seen_out c.
Proof.
  unfold L_AttendedRow, L_Attended. fold seen_top seen_mass. rewrite Nat2Z.id. unfold seen_out, query_out.
  apply bsum_ext; intros j Hj. unfold L_ValuePart. rewrite (if_open_is M causal masked pb b nq nk i j _ Hb).
  unfold L_KeyWeight, L_rdiv, L_rmul, chance. fold seen_score.
  rewrite <- (masked_softmax_stable_eq nk _ seen_top seen_score j Hj), <- row_mass_is, score_is, ix_nat, Hv.
  destruct (open_key _ _ _ _ _ _ _); cbn [if_]; [| ring ]. do 3 f_equal. ring.
Qed.
(* the logarithm that is kept *)
Lemma kept_is j : (j < nk)%nat -> open_key causal masked b nq nk i j = true ->
  seen_top + ln seen_mass = ln (open_sumexp nk (open_key causal masked b nq nk i) seen_score).
Proof.
  intros Hj O. assert (P := open_sumexp_pos nk _ seen_score j Hj O).
  replace seen_mass with (exp (- seen_top) * open_sumexp nk (open_key causal masked b nq nk i) seen_score).
  - rewrite ln_mult, ln_exp by (exact P || apply exp_pos). ring.
  - rewrite row_mass_is. unfold open_sumexp. rewrite <- bsum_scal. apply bsum_ext; intros k' _.
    destruct (open_key _ _ _ _ _ _ k'); cbn [if_]; [| ring ]. rewrite <- exp_plus. f_equal. ring.
Qed.
Lemma kept_chance_is j : (j < nk)%nat -> open_key causal masked b nq nk i j = true ->
  exp (seen_score j - (seen_top + ln seen_mass)) = seen_chance j.
Proof.
  intros Hj O. rewrite (kept_is j Hj O). unfold seen_chance, chance, masked_softmax. fold seen_score. rewrite O.
  unfold Rminus. now rewrite exp_plus, exp_Ropp, exp_ln by exact (open_sumexp_pos nk _ seen_score j Hj O).
Qed.

(* y, lse and g of this query *)
Variables (y g : W_addr) (l : R) (dy : nat -> R).
Hypothesis Hy : forall c, (c < d)%nat -> M (W_shift y (Z.of_nat c)) = seen_out c.
Hypothesis Hg : forall c, (c < d)%nat -> M (W_shift g (Z.of_nat c)) = dy c.
Hypothesis Hl : forall j, (j < nk)%nat -> open_key causal masked b nq nk i j = true ->
  exp (seen_score j - l) = seen_chance j.
Definition seen_vjp : nat -> nat -> R :=
  query_vjp nk d d (L_attn_scale (Z.of_nat d)) (open_key causal masked b nq nk i) x dy.
Lemma prob_is j : (j < nk)%nat -> open_key causal masked b nq nk i j = true ->
  L_Prob M q k l (Z.of_nat d) (Z.of_nat j) = seen_chance j.
Proof.
  intros Hj O. rewrite <- (Hl j Hj O). unfold L_Prob. rewrite score_is. f_equal. ring.
Qed.
Lemma blocked_chance j : open_key causal masked b nq nk i j = false -> seen_chance j = 0.
Proof. intro O. unfold seen_chance, chance, masked_softmax. now rewrite O. Qed.
Lemma score_pull_is j f : (j < nk)%nat ->
  if_ (open_key causal masked b nq nk i j) (L_rmul (L_ScorePull M q k v y l g (Z.of_nat d) (Z.of_nat j)) f) =
  L_attn_scale (Z.of_nat d) *
  (score_pulled nk d d (L_attn_scale (Z.of_nat d)) (open_key causal masked b nq nk i) x dy j * f).
Proof.
  intro Hj. unfold score_pulled. fold seen_chance seen_out. destruct (open_key _ _ _ _ _ _ j) eqn:O; cbn [if_].
  - unfold L_ScorePull, L_Pull, L_rmul. rewrite (prob_is j Hj O). unfold L_RowDot. rewrite Nat2Z.id.
    rewrite (bsum_ext d _ (fun c => dy c * x 2%nat (j * d + c)%nat)).
    2: { intros c Hc. now rewrite ix_row, shift_on, Hv, Hg. }
    rewrite (bsum_ext d (fun c => M (W_shift g _) * M (W_shift y _)) (fun c => dy c * seen_out c)).
    2: { intros c Hc. now rewrite Hy, Hg. }
    ring.
  - rewrite (blocked_chance j O). ring.
Qed.
Lemma pull_q_is c : L_PullQ M causal masked pb (Z.of_nat nq) (Z.of_nat nk) (Z.of_nat i) q k v y l g (Z.of_nat d)
    (Z.of_nat c) (Z.of_nat nk) = seen_vjp 0 c.
Proof.
  unfold L_PullQ, seen_vjp, query_vjp. rewrite Nat2Z.id, <- bsum_scal. apply bsum_ext; intros j Hj.
  unfold L_PartQ. rewrite (if_open_is M causal masked pb b nq nk i j _ Hb), ix_nat, Hk. now apply score_pull_is.
Qed.
Lemma part_k_is j c : (j < nk)%nat -> (c < d)%nat ->
  if_ (open_key causal masked b nq nk i j)
    (L_rmul (L_ScorePull M q k v y l g (Z.of_nat d) (Z.of_nat j)) (x 0%nat c)) = seen_vjp 1 (j * d + c).
Proof.
  intros Hj Hc. rewrite score_pull_is by exact Hj. unfold seen_vjp, query_vjp.
  now rewrite (dm_div j d c Hc), (dm_mod j d c Hc).
Qed.
Lemma part_v_is j c : (j < nk)%nat -> (c < d)%nat ->
  if_ (open_key causal masked b nq nk i j) (L_rmul (L_Prob M q k l (Z.of_nat d) (Z.of_nat j)) (dy c)) =
  seen_vjp 2 (j * d + c).
Proof.
  intros Hj Hc. unfold seen_vjp, query_vjp. rewrite (dm_div j d c Hc), (dm_mod j d c Hc). fold seen_chance.
  destruct (open_key _ _ _ _ _ _ j) eqn:O; cbn [if_].
  - unfold L_rmul. now rewrite (prob_is j Hj O).
  - rewrite (blocked_chance j O). ring.
Qed.
End OneQuery.

(* Head z of tensor a, of rows of d each; the KV head of query head z; which query of its head element p is of. *)
Definition head_ptr (a : nat) (z rows : Z) (d : nat) : W_addr :=
  W_shift (ptr a) (L_ix z (L_ix rows (Z.of_nat d) 0) 0).
Definition kv_ptr (a heads kv_heads z nk d : nat) : W_addr :=
  head_ptr a (L_kv_of (Z.of_nat z) (L_group_of (Z.of_nat heads) (Z.of_nat kv_heads))) (Z.of_nat nk) d.
(* what sdpa is given: q, k, v and the mask; and what it gives, y and lse *)
Definition sdpa_inputs (b : nat -> R) (x : args) : args := fun a => match a with 3%nat => b | _ => x a end.
Definition sdpa_y (heads kv_heads nq nk d : nat) (causal masked : Z) (b : nat -> R) (x : args) (p : nat) : R :=
  let z := (p / (nq * d))%nat in
  L_Sdpa (memory (sdpa_inputs b x)) causal masked (ptr 3) (Z.of_nat nq) (Z.of_nat nk)
    (head_ptr 0 (Z.of_nat z) (Z.of_nat nq) d) (kv_ptr 1 heads kv_heads z nk d) (kv_ptr 2 heads kv_heads z nk d)
    (Z.of_nat d) (Z.of_nat (p mod (nq * d) / d)) (Z.of_nat ((p mod (nq * d)) mod d)).
Definition sdpa_lse (heads kv_heads nq nk d : nat) (causal masked : Z) (b : nat -> R) (x : args) (r : nat) : R :=
  let z := (r / nq)%nat in
  L_SdpaLse (memory (sdpa_inputs b x)) causal masked (ptr 3) (Z.of_nat nq) (Z.of_nat nk)
    (head_ptr 0 (Z.of_nat z) (Z.of_nat nq) d) (kv_ptr 1 heads kv_heads z nk d) (Z.of_nat d) (Z.of_nat (r mod nq)).
(* what the VJP is given: q, k, v and the mask; then y, lse and g *)
Definition sdpa_tensors (heads kv_heads nq nk d : nat) (causal masked : Z) (b : nat -> R) (x : args)
  (dy : nat -> R) : args := fun a =>
  match a with
  | 4%nat => sdpa_y heads kv_heads nq nk d causal masked b x
  | 5%nat => sdpa_lse heads kv_heads nq nk d causal masked b x
  | 6%nat => dy
  | _ => sdpa_inputs b x a end.
Definition sdpa_sz (batch heads kv_heads nq nk d a : nat) : nat :=
  match a with O => (batch * heads * (nq * d))%nat | _ => (batch * kv_heads * (nk * d))%nat end.

(* row t of KV head z: query t mod nq of query head z group + t / nq *)
Lemma row_place nq group z t s c : (t < group * nq)%nat -> (t / nq < group)%nat /\ (t mod nq < nq)%nat /\
  (z * (group * nq * s) + (t * s + c) = (z * group + t / nq) * (nq * s) + (t mod nq * s + c))%nat.
Proof.
  intro Ht. assert (N : nq <> 0%nat) by lia. split; [ apply Nat.div_lt_upper_bound; lia |].
  split; [ now apply Nat.mod_upper_bound |]. rewrite (Nat.div_mod t nq N) at 1. ring.
Qed.
Lemma place_in_row nq q s c : (c < s)%nat -> (q < nq)%nat -> forall z,
  ((z * (nq * s) + (q * s + c)) / (nq * s) = z /\ (z * (nq * s) + (q * s + c)) mod (nq * s) / s = q /\
   ((z * (nq * s) + (q * s + c)) mod (nq * s)) mod s = c)%nat.
Proof.
  intros Hc Hq z. assert (L : (q * s + c < nq * s)%nat) by nia.
  rewrite (dm_div z _ _ L), (dm_mod z _ _ L), (dm_div q s c Hc), (dm_mod q s c Hc). auto.
Qed.

(* Of one head, the softmax of the open scores, and the logarithm of the sum of their exponentials: as it is
   written, though it is computed with a shift by the largest. *)
Definition written_score (d : nat) (x : args) (i j : nat) : R :=
  / sqrt (INR d) * bsum d (fun c => x 0%nat (i * d + c)%nat * x 1%nat (j * d + c)%nat).
Definition one_query (d i : nat) (x : args) : args := fun a => match a with
  | O => fun c => x 0%nat (i * d + c)%nat | _ => x a end.
Lemma written_score_is d x i j : (0 < d)%nat ->
  query_score d (L_attn_scale (Z.of_nat d)) (one_query d i x) j = written_score d x i j.
Proof.
  intro Hd. unfold query_score, written_score, L_attn_scale, L_rdiv. destruct (Z_le_dec _ 0); [ lia |].
  rewrite count_is. unfold Rdiv. rewrite Rmult_1_l. reflexivity.
Qed.
Theorem sdpa_is_textbook causal masked b nq nk d x i c : (0 < d)%nat ->
  let opens := open_key causal masked b nq nk i in
  L_Sdpa (memory (sdpa_inputs b x)) causal masked (ptr 3) (Z.of_nat nq) (Z.of_nat nk) (ptr 0) (ptr 1) (ptr 2)
    (Z.of_nat d) (Z.of_nat i) (Z.of_nat c) =
  bsum nk (fun j => if_ (opens j) (exp (written_score d x i j) /
    bsum nk (fun l => if_ (opens l) (exp (written_score d x i l)))) * x 2%nat (j * d + c)%nat).
Proof.
  intros Hd opens. unfold L_Sdpa. rewrite (attended_row_is _ causal masked _ _ _ _ b nq nk d i (one_query d i x)).
  - unfold seen_out, query_out. apply bsum_ext; intros j _. f_equal. unfold chance, masked_softmax, open_sumexp.
    rewrite written_score_is by exact Hd. f_equal. f_equal. apply bsum_ext; intros l _.
    now rewrite written_score_is by exact Hd.
  - intro k. now rewrite mem_at.
  - intro k. rewrite ix_row, shift_on, mem_at. reflexivity.
  - intro k. now rewrite mem_at.
  - intro k. now rewrite mem_at.
Qed.
Theorem sdpa_lse_is_textbook causal masked b nq nk d x i j : (0 < d)%nat ->
  (j < nk)%nat -> open_key causal masked b nq nk i j = true ->
  L_SdpaLse (memory (sdpa_inputs b x)) causal masked (ptr 3) (Z.of_nat nq) (Z.of_nat nk) (ptr 0) (ptr 1)
    (Z.of_nat d) (Z.of_nat i) =
  ln (bsum nk (fun l => if_ (open_key causal masked b nq nk i l) (exp (written_score d x i l)))).
Proof.
  intros Hd Hj O. unfold L_SdpaLse. cbv zeta.
  eapply eq_trans; [ apply (kept_is _ causal masked _ _ _ b nq nk d i (one_query d i x)) with (j := j) |].
  - intro k. now rewrite mem_at.
  - intro k. rewrite ix_row, shift_on, mem_at. reflexivity.
  - intro k. now rewrite mem_at.
  - exact Hj.
  - exact O.
  - f_equal. unfold open_sumexp, seen_score. apply bsum_ext; intros l _. now rewrite written_score_is.
Qed.

Section Heads.
Variables (batch heads kv_heads nq nk d group : nat) (causal masked : Z) (b : nat -> R).
Hypothesis Hgroup : L_group_of (Z.of_nat heads) (Z.of_nat kv_heads) = Z.of_nat group.
Definition kv_row (x : args) z t : args :=
  of_row nk d d (row (group_sz (group * nq) nk d d) (fun _ => false) x z) t.
Lemma q_of_row x z t c : kv_row x z t 0%nat c = x 0%nat (z * (group * nq * d) + (t * d + c))%nat.
Proof. reflexivity. Qed.
Lemma kv_of_row x z t a c : (0 < a)%nat -> (a < 3)%nat -> kv_row x z t a c = x a (z * (nk * d) + c)%nat.
Proof. intros H H3. destruct a as [|[|[|a]]]; [ lia | | | lia ]; reflexivity. Qed.
Lemma head_at (x : args) a z rows n k : memory x (W_shift (head_ptr a (Z.of_nat z) (Z.of_nat rows) n) (Z.of_nat k)) =
  x a (z * (rows * n) + k)%nat.
Proof. unfold head_ptr. now rewrite ix_row, ix_row, shift_on, mem_at. Qed.
Lemma kv_is z h : (h < group)%nat ->
  L_kv_of (Z.of_nat (z * group + h)) (L_group_of (Z.of_nat heads) (Z.of_nat kv_heads)) = Z.of_nat z.
Proof.
  intro Hh. rewrite Hgroup. unfold L_kv_of. destruct (Z_le_dec _ 0); [ lia |].
  rewrite Z.quot_div_nonneg by lia. rewrite <- Nat2Z.inj_div. f_equal. now apply dm_div.
Qed.
Definition row_scale : R := L_attn_scale (Z.of_nat d).
Definition row_opens (t : nat) : nat -> bool := open_key causal masked b nq nk (t mod nq).
Lemma sdpa_y_is x z t c : (t < group * nq)%nat -> (c < d)%nat ->
  sdpa_y heads kv_heads nq nk d causal masked b x (z * (group * nq * d) + (t * d + c)) =
  query_out nk d d row_scale (row_opens t) (kv_row x z t) c.
Proof.
  intros Ht Hc. destruct (row_place nq group z t d c Ht) as [Hh [Hi ->]].
  destruct (place_in_row nq (t mod nq) d c Hc Hi (z * group + t / nq)) as [E1 [E2 E3]].
  unfold sdpa_y. cbv zeta. rewrite E1, E2, E3. unfold kv_ptr. rewrite kv_is by exact Hh. unfold L_Sdpa.
  rewrite (attended_row_is _ causal masked _ _ _ _ b nq nk d (t mod nq) (kv_row x z t)); [ reflexivity | | | | ].
  - intro k. now rewrite mem_at.
  - intro k. rewrite ix_row, shift_on, head_at, q_of_row. cbn [sdpa_inputs]. f_equal.
    destruct (row_place nq group z t d k Ht) as [_ [_ ->]]. lia.
  - intro k. rewrite head_at, kv_of_row by lia. reflexivity.
  - intro k. rewrite head_at, kv_of_row by lia. reflexivity.
Qed.
Lemma sdpa_lse_is x z t j : (t < group * nq)%nat -> (j < nk)%nat -> row_opens t j = true ->
  exp (query_score d row_scale (kv_row x z t) j -
    sdpa_lse heads kv_heads nq nk d causal masked b x (z * (group * nq) + t)) =
  chance nk d row_scale (row_opens t) (kv_row x z t) j.
Proof.
  intros Ht Hj O. destruct (row_place nq group z t 1 0 Ht) as [Hh [Hi E]].
  replace (z * (group * nq) + t)%nat with ((z * group + t / nq) * nq + t mod nq)%nat by lia.
  unfold sdpa_lse. cbv zeta. rewrite (dm_div _ nq _ Hi), (dm_mod _ nq _ Hi). unfold kv_ptr.
  rewrite kv_is by exact Hh. unfold L_SdpaLse. cbv zeta.
  apply (kept_chance_is _ causal masked _ _ _ b nq nk d (t mod nq) (kv_row x z t)); [ | | | exact Hj | exact O ].
  - intro k. now rewrite mem_at.
  - intro k. rewrite ix_row, shift_on, head_at, q_of_row. cbn [sdpa_inputs]. f_equal.
    destruct (row_place nq group z t d k Ht) as [_ [_ ->]]. lia.
  - intro k. rewrite head_at, kv_of_row by lia. reflexivity.
Qed.

(* what the VJP sees of row t of KV head z *)
Section Given.
Variables (x : args) (dy : nat -> R) (z r : nat).
Hypothesis Ht : (r < group * nq)%nat.
Definition seen_memory : W_addr -> R := memory (sdpa_tensors heads kv_heads nq nk d causal masked b x dy).
Definition row_dy (c : nat) : R := dy (z * (group * nq * d) + (r * d + c))%nat.
Definition row_lse : R := sdpa_lse heads kv_heads nq nk d causal masked b x (z * (group * nq) + r).
(* by its KV head, as dk and dv have it *)
Lemma row_in_group a n : W_shift (head_ptr a (Z.of_nat z) (L_ix (Z.of_nat group) (Z.of_nat nq) 0) d)
  (L_ix (Z.of_nat r) (Z.of_nat d) (Z.of_nat n)) = W_shift (ptr a) (Z.of_nat (z * (group * nq * d) + (r * d + n))).
Proof.
  unfold head_ptr. rewrite !ix_row, ix_nat, shift_on. reflexivity.
Qed.
Lemma row_begins a : W_shift (head_ptr a (Z.of_nat z) (L_ix (Z.of_nat group) (Z.of_nat nq) 0) d)
  (L_ix (Z.of_nat r) (Z.of_nat d) 0) = W_shift (ptr a) (Z.of_nat (z * (group * nq * d) + r * d)).
Proof. generalize (row_in_group a 0). rewrite Nat.add_0_r. exact (fun E => E). Qed.
(* and by its query head, as dq has it *)
Lemma row_in_head a : W_shift (head_ptr a (Z.of_nat (z * group + r / nq)) (Z.of_nat nq) d)
  (L_ix (Z.of_nat (r mod nq)) (Z.of_nat d) 0) = W_shift (ptr a) (Z.of_nat (z * (group * nq * d) + r * d)).
Proof.
  unfold head_ptr. rewrite !ix_row, shift_on. do 2 f_equal. destruct (row_place nq group z r d 0 Ht) as [_ [_ E]]. lia.
Qed.
Lemma given_at a c : (a < 3)%nat -> seen_memory (W_shift (ptr a) (Z.of_nat c)) = x a c.
Proof. intro Ha. unfold seen_memory. rewrite mem_at. destruct a as [|[|[|a]]]; [ reflexivity .. | lia ]. Qed.
Lemma given_y c : (c < d)%nat ->
  seen_memory (W_shift (W_shift (ptr 4) (Z.of_nat (z * (group * nq * d) + r * d))) (Z.of_nat c)) =
  query_out nk d d row_scale (row_opens r) (kv_row x z r) c.
Proof.
  intro Hc. unfold seen_memory. rewrite shift_on, mem_at. cbn [sdpa_tensors]. rewrite <- sdpa_y_is by assumption.
  f_equal. lia.
Qed.
Lemma given_g c : (c < d)%nat ->
  seen_memory (W_shift (W_shift (ptr 6) (Z.of_nat (z * (group * nq * d) + r * d))) (Z.of_nat c)) = row_dy c.
Proof.
  intro Hc. unfold seen_memory. rewrite shift_on, mem_at. cbn [sdpa_tensors]. unfold row_dy. f_equal. lia.
Qed.
Lemma given_mask c : seen_memory (W_shift (ptr 3) (Z.of_nat c)) = b c.
Proof. unfold seen_memory. now rewrite mem_at. Qed.
Lemma given_q c : seen_memory (W_shift (W_shift (ptr 0) (Z.of_nat (z * (group * nq * d) + r * d))) (Z.of_nat c)) =
  kv_row x z r 0%nat c.
Proof. rewrite shift_on, given_at by lia. rewrite q_of_row. f_equal. lia. Qed.
Lemma given_kv a c : (0 < a)%nat -> (a < 3)%nat ->
  seen_memory (W_shift (head_ptr a (Z.of_nat z) (Z.of_nat nk) d) (Z.of_nat c)) = kv_row x z r a c.
Proof. intros H H3. unfold head_ptr. rewrite !ix_row, shift_on, given_at by exact H3. now rewrite kv_of_row. Qed.
Definition row_vjp : nat -> nat -> R := query_vjp nk d d row_scale (row_opens r) (kv_row x z r) row_dy.
Lemma given_pull_q c :
  L_SdpaVjpQ seen_memory causal masked (ptr 3) (Z.of_nat nq) (Z.of_nat nk)
    (head_ptr 0 (Z.of_nat (z * group + r / nq)) (Z.of_nat nq) d) (kv_ptr 1 heads kv_heads (z * group + r / nq) nk d)
    (kv_ptr 2 heads kv_heads (z * group + r / nq) nk d) (head_ptr 4 (Z.of_nat (z * group + r / nq)) (Z.of_nat nq) d)
    (W_shift (ptr 5) (L_ix (Z.of_nat (z * group + r / nq)) (Z.of_nat nq) 0))
    (head_ptr 6 (Z.of_nat (z * group + r / nq)) (Z.of_nat nq) d) (Z.of_nat d) (Z.of_nat (r mod nq)) (Z.of_nat c) =
  row_vjp 0 c.
Proof.
  destruct (row_place nq group z r 1 0 Ht) as [Hh [Hi E]]. unfold L_SdpaVjpQ. cbv zeta. unfold kv_ptr.
  rewrite kv_is by exact Hh. rewrite !row_in_head, ix_row.
  replace (seen_memory (W_shift (W_shift (ptr 5) (Z.of_nat ((z * group + r / nq) * nq))) (Z.of_nat (r mod nq))))
    with row_lse.
  2: { unfold seen_memory. rewrite shift_on, mem_at. cbn [sdpa_tensors]. unfold row_lse. f_equal. lia. }
  apply (pull_q_is seen_memory causal masked (ptr 3) _ _ _ b nq nk d (r mod nq) (kv_row x z r) given_mask given_q
    (fun c => given_kv 1 c ltac:(lia) ltac:(lia)) (fun c => given_kv 2 c ltac:(lia) ltac:(lia)) _ _ row_lse row_dy
    given_y given_g).
  intros j Hj O. now apply sdpa_lse_is.
Qed.
Lemma query_is : L_query_of (Z.of_nat r) (Z.of_nat nq) = Z.of_nat (r mod nq).
Proof. unfold L_query_of. rewrite Z.rem_mod_nonneg by lia. now rewrite Nat2Z.inj_mod. Qed.
Lemma given_lse : seen_memory (W_shift (W_shift (ptr 5) (L_ix (Z.of_nat z) (L_ix (Z.of_nat group) (Z.of_nat nq) 0) 0))
  (Z.of_nat r)) = row_lse.
Proof. unfold seen_memory. rewrite !ix_row, shift_on, mem_at. reflexivity. Qed.
Lemma given_part_k j c : (j < nk)%nat -> (c < d)%nat ->
  L_PartK seen_memory causal masked (ptr 3) (Z.of_nat nq) (Z.of_nat nk)
    (head_ptr 0 (Z.of_nat z) (L_ix (Z.of_nat group) (Z.of_nat nq) 0) d) (head_ptr 1 (Z.of_nat z) (Z.of_nat nk) d)
    (head_ptr 2 (Z.of_nat z) (Z.of_nat nk) d) (head_ptr 4 (Z.of_nat z) (L_ix (Z.of_nat group) (Z.of_nat nq) 0) d)
    (W_shift (ptr 5) (L_ix (Z.of_nat z) (L_ix (Z.of_nat group) (Z.of_nat nq) 0) 0))
    (head_ptr 6 (Z.of_nat z) (L_ix (Z.of_nat group) (Z.of_nat nq) 0) d) (Z.of_nat d) (Z.of_nat j) (Z.of_nat c)
    (Z.of_nat r) = row_vjp 1 (j * d + c).
Proof.
  intros Hj Hc. unfold L_PartK. cbv zeta. rewrite !row_begins, !row_in_group, given_lse, query_is.
  rewrite (if_open_is seen_memory causal masked (ptr 3) b nq nk (r mod nq) j _ given_mask).
  rewrite given_at by lia. rewrite <- q_of_row.
  apply (part_k_is seen_memory causal masked _ _ _ b nq nk d (r mod nq) (kv_row x z r) given_q
    (fun c => given_kv 1 c ltac:(lia) ltac:(lia)) (fun c => given_kv 2 c ltac:(lia) ltac:(lia)) _ _ row_lse row_dy
    given_y given_g); [| exact Hj | exact Hc ].
  intros i Hi O. now apply sdpa_lse_is.
Qed.
Lemma given_part_v j c : (j < nk)%nat -> (c < d)%nat ->
  L_PartV seen_memory causal masked (ptr 3) (Z.of_nat nq) (Z.of_nat nk)
    (head_ptr 0 (Z.of_nat z) (L_ix (Z.of_nat group) (Z.of_nat nq) 0) d) (head_ptr 1 (Z.of_nat z) (Z.of_nat nk) d)
    (W_shift (ptr 5) (L_ix (Z.of_nat z) (L_ix (Z.of_nat group) (Z.of_nat nq) 0) 0))
    (head_ptr 6 (Z.of_nat z) (L_ix (Z.of_nat group) (Z.of_nat nq) 0) d) (Z.of_nat d) (Z.of_nat j) (Z.of_nat c)
    (Z.of_nat r) = row_vjp 2 (j * d + c).
Proof.
  intros Hj Hc. unfold L_PartV. rewrite row_begins, row_in_group, given_lse, query_is.
  rewrite (if_open_is seen_memory causal masked (ptr 3) b nq nk (r mod nq) j _ given_mask).
  replace (seen_memory (W_shift (ptr 6) (Z.of_nat (z * (group * nq * d) + (r * d + c))))) with (row_dy c)
    by (unfold seen_memory; now rewrite mem_at).
  apply (part_v_is seen_memory causal masked _ _ b nq nk d (r mod nq) (kv_row x z r) given_q
    (fun c => given_kv 1 c ltac:(lia) ltac:(lia)) row_lse row_dy); [| exact Hj | exact Hc ].
  intros i Hi O. now apply sdpa_lse_is.
Qed.
End Given.
End Heads.

Theorem sdpa_vjp_correct batch heads kv_heads nq nk d causal masked b :
  let group := L_group_of (Z.of_nat heads) (Z.of_nat kv_heads) in
  Z.of_nat heads = L_ix (Z.of_nat kv_heads) group 0 ->
  is_vjp 3 (sdpa_sz batch heads kv_heads nq nk d) (batch * heads * (nq * d)) (fun _ => True)
    (sdpa_y heads kv_heads nq nk d causal masked b)
    (fun x dy a p => let M := memory (sdpa_tensors heads kv_heads nq nk d causal masked b x dy) in
       let rows := L_ix group (Z.of_nat nq) 0 in
       match a with
       | O => let z := (p / (nq * d))%nat in
           L_SdpaVjpQ M causal masked (ptr 3) (Z.of_nat nq) (Z.of_nat nk) (head_ptr 0 (Z.of_nat z) (Z.of_nat nq) d)
             (kv_ptr 1 heads kv_heads z nk d) (kv_ptr 2 heads kv_heads z nk d)
             (head_ptr 4 (Z.of_nat z) (Z.of_nat nq) d) (W_shift (ptr 5) (L_ix (Z.of_nat z) (Z.of_nat nq) 0))
             (head_ptr 6 (Z.of_nat z) (Z.of_nat nq) d) (Z.of_nat d) (Z.of_nat (p mod (nq * d) / d))
             (Z.of_nat ((p mod (nq * d)) mod d))
       | S O => let z := Z.of_nat (p / (nk * d)) in
           L_PullK M causal masked (ptr 3) (Z.of_nat nq) (Z.of_nat nk) (head_ptr 0 z rows d)
             (head_ptr 1 z (Z.of_nat nk) d) (head_ptr 2 z (Z.of_nat nk) d) (head_ptr 4 z rows d)
             (W_shift (ptr 5) (L_ix z rows 0)) (head_ptr 6 z rows d) (Z.of_nat d) (Z.of_nat (p mod (nk * d) / d))
             (Z.of_nat ((p mod (nk * d)) mod d)) rows
       | _ => let z := Z.of_nat (p / (nk * d)) in
           L_PullV M causal masked (ptr 3) (Z.of_nat nq) (Z.of_nat nk) (head_ptr 0 z rows d)
             (head_ptr 1 z (Z.of_nat nk) d) (W_shift (ptr 5) (L_ix z rows 0)) (head_ptr 6 z rows d) (Z.of_nat d)
             (Z.of_nat (p mod (nk * d) / d)) (Z.of_nat ((p mod (nk * d)) mod d)) rows
       end).
Proof.
  intros gz Hheads.
  assert (G0 : (0 <= gz)%Z).
  { unfold gz, L_group_of. destruct (Z_le_dec _ 0); [ lia |]. apply Z.quot_pos; lia. }
  set (group := Z.to_nat gz). assert (Hgroup : L_group_of (Z.of_nat heads) (Z.of_nat kv_heads) = Z.of_nat group)
    by (unfold group; rewrite Z2Nat.id by exact G0; reflexivity).
  clearbody group. unfold gz in *. clear gz G0. rewrite Hgroup in *. unfold L_ix in Hheads at 1.
  assert (Eh : (batch * heads * (nq * d) = batch * kv_heads * (group * nq * d))%nat) by nia. clear Hheads.
  rewrite Eh.
  assert (K := is_vjp_sz 3 (rows_sz (batch * kv_heads) (group_sz (group * nq) nk d d) (fun _ => false))
    (sdpa_sz batch heads kv_heads nq nk d) _ _ _ _ _
    ltac:(intros [|[|[|a]]] Ha; [ exact Eh | reflexivity | reflexivity | lia ]) eq_refl
    (grouped_is_vjp (batch * kv_heads) (group * nq) nk d d (row_scale d) (row_opens nq nk causal masked b))).
  eapply is_vjp_ext; [ | | exact K ]; clear K.
  - intros x p Hp. destruct (flat_index _ _ p Hp) as [z [r [Hz [Hr [-> [E1 E2]]]]]].
    destruct (flat_index _ _ r Hr) as [t [c [Ht [Hc [-> [E3 E4]]]]]].
    rewrite (sdpa_y_is heads kv_heads nq nk d group causal masked b Hgroup x z t c Ht Hc).
    unfold rows_fwd. rewrite E1, E2. unfold rows_out. now rewrite E3, E4.
  - intros x dy a p _ Ha Hp. cbv zeta. unfold rows_vjp. cbv beta iota.
    destruct a as [|[|[|a]]]; [| | | lia ]; cbn [sdpa_sz] in Hp.
    + rewrite Eh in Hp. destruct (flat_index _ _ p Hp) as [z [r [Hz [Hr [-> [E1 E2]]]]]].
      destruct (flat_index _ _ r Hr) as [t [c [Ht [Hc [-> [E3 E4]]]]]].
      change (group_sz (group * nq) nk d d 0) with (group * nq * d)%nat. rewrite E1, E2.
      unfold rows_out_vjp. cbn [keys_shared]. rewrite E3, E4.
      destruct (row_place nq group z t d c Ht) as [Hh [Hi E]].
      destruct (place_in_row nq (t mod nq) d c Hc Hi (z * group + t / nq)) as [P1 [P2 P3]].
      rewrite E, P1, P2, P3. symmetry.
      exact (given_pull_q heads kv_heads nq nk d group causal masked b Hgroup x dy z t Ht c).
    + destruct (flat_index _ _ p Hp) as [z [r [Hz [Hr [-> [E1 E2]]]]]].
      destruct (flat_index _ _ r Hr) as [j [c [Hj [Hc [-> [E3 E4]]]]]].
      change (group_sz (group * nq) nk d d 1) with (nk * d)%nat. rewrite E1, E2, E3, E4.
      unfold rows_out_vjp. cbn [keys_shared]. unfold L_PullK.
      replace (Z.to_nat (L_ix (Z.of_nat group) (Z.of_nat nq) 0)) with (group * nq)%nat
        by (rewrite ix_row, Nat2Z.id; reflexivity).
      apply bsum_ext; intros t Ht. symmetry.
      exact (given_part_k heads kv_heads nq nk d group causal masked b Hgroup x dy z t Ht j c Hj Hc).
    + destruct (flat_index _ _ p Hp) as [z [r [Hz [Hr [-> [E1 E2]]]]]].
      destruct (flat_index _ _ r Hr) as [j [c [Hj [Hc [-> [E3 E4]]]]]].
      change (group_sz (group * nq) nk d d 2) with (nk * d)%nat. rewrite E1, E2, E3, E4.
      unfold rows_out_vjp. cbn [keys_shared]. unfold L_PullV.
      replace (Z.to_nat (L_ix (Z.of_nat group) (Z.of_nat nq) 0)) with (group * nq)%nat
        by (rewrite ix_row, Nat2Z.id; reflexivity).
      apply bsum_ext; intros t Ht. symmetry.
      exact (given_part_v heads kv_heads nq nk d group causal masked b Hgroup x dy z t Ht j c Hj Hc).
Qed.
