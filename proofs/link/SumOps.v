(* The nodes of sums, of the norms' statistics and of products by index, in WP's words, are bounds:
   p_sum and p_dot of spec/pair.h, those of ref/norm_pair.h, e_scaled_dot of ref/matmul.h, e_scat of
   ref/gather.h. `summed` says what additions a kernel may do (theory/FloatSum). *)
Require Import Reals Lra Psatz List ZArith Lia.
From Theory Require Import Sums Round Nodes FloatSum SumNodes MeanSquare NormNodes.
From Theory Require Import Meaning ActivationOps PairMeaning PairOps.
Open Scope R_scope.

Section SumOps.
Variables (e_min prec : Z) (wa : W_arith).
Hypothesis declared : declares e_min prec (the_arith wa).

(* a sum by a tree of height h, of terms that carry errors *)
Theorem node_sum h H f k l s a : height_of (the_arith wa) h H ->
  summed e_min prec (the_arith wa) h f k l s a ->
  bounds (L_p_sum wa (sum_values l) (sizes l) (errors l) H) (sum_values l) s.
Proof. unfold bounds, L_p_sum. rewrite the_of. eapply p_sum_stands; eauto. Qed.
(* a sum of products, each rounded or fused *)
Theorem node_dot h H f k l s a : height_of (the_arith wa) h H ->
  summed e_min prec (the_arith wa) h f k (products (the_arith wa) l) s a ->
  let v := sum_values (products (the_arith wa) l) in
  bounds (L_p_dot wa v (sizes (products (the_arith wa) l)) (INR (length l)) H) v s.
Proof. unfold bounds, L_p_dot. rewrite the_of. intros. eapply p_dot_stands; eauto. Qed.
(* alpha times that: an element of a matrix product *)
Theorem node_scaled_dot h H f k l s a alpha c n : height_of (the_arith wa) h H ->
  n = Z.of_nat (length l) ->
  summed e_min prec (the_arith wa) h f k (products (the_arith wa) l) s a ->
  (if Req_EM_T alpha 1 then c = s
   else of2 (muls e_min prec (the_arith wa)) (Some alpha) s c) ->
  let v := sum_values (products (the_arith wa) l) in
  let e := L_e_scaled_dot wa alpha v (sizes (products (the_arith wa) l)) n H in
  e < vacuous -> exists x, c = Some x /\ Rabs (x - alpha * v) <= e.
Proof. unfold L_e_scaled_dot. intros. eapply e_scaled_dot_bounds; eauto. Qed.
(* the sum of the terms that an index sends to an element; the others are zeros *)
Theorem node_scat t (v : nat -> R) (c : nat -> flnum) blank x :
  (forall i, exists y, c i = Some y /\ in_format e_min prec y /\ y = v i) ->
  (forall i, blank i = true -> v i = 0) -> comes_to e_min prec (the_arith wa) c t x ->
  height_of (the_arith wa) (tree_height t) (W_arith'h wa) ->
  let l := map (fun i => (v i, 0)) (left_over blank t) in
  let e := L_e_scat wa (sizes l) (Z.of_nat (length l)) in
  e < vacuous -> exists y, x = Some y /\ Rabs (y - sum_values l) <= e.
Proof. unfold L_e_scat. intros. eapply e_scat_bounds; eauto. Qed.

(* ---- the norms ---- *)

Theorem node_count n c : divisor_of e_min prec (the_arith wa) n c ->
  bounds (L_p_count wa (Z.of_nat n)) (INR n) c.
Proof. unfold bounds, L_p_count. rewrite the_of. now apply p_count_stands. Qed.
Theorem node_center h n (x : nat -> R) a s c y :
  height_of (the_arith wa) h (W_arith'h wa) ->
  summed e_min prec (the_arith wa) h true 0 (map (fun i => (x i, 0)) (seq 0 n)) s a ->
  divisor_of e_min prec (the_arith wa) n c -> of2 (divs e_min prec (the_arith wa) 2) s c y ->
  bounds (L_p_center wa 1 (bsum n x) (bsum n (fun i => Rabs (x i))) (Z.of_nat n))
    (bsum n x / INR n) y.
Proof. unfold bounds, L_p_center. rewrite the_of. intros. eapply p_center_stands; eauto. Qed.
(* 1 / sqrt(variance + eps), about a mean that is a number within d of the row's *)
Theorem node_rstd n h (x : nat -> R) d eps w mean dev sum cnt quo shifted root : (0 < n)%nat ->
  (forall i, in_format e_min prec (x i)) -> 0 < eps -> in_format e_min prec eps ->
  moderate e_min prec (the_arith wa) n -> (w + 1) * W_arith'u wa <= / 2 ->
  few (the_arith wa) (2 * W_arith'k_rsqrt wa + 1) ->
  rooted e_min prec (the_arith wa) n h eps dev sum cnt quo shifted root -> INR h + 5 <= w ->
  (d < vacuous -> exists c, mean = Some c /\ in_format e_min prec c /\
    Rabs (c - bsum n x / INR n) <= d) ->
  (forall i, of1 (fun c y => y = fl e_min prec (the_arith wa) (x i - c)) mean (dev i)) ->
  let v := square_sum n x (bsum n x / INR n) / INR n in
  bounds (L_p_rstd wa v d eps (Z.of_nat n) w) (L_InvRoot v eps) root.
Proof.
  intros. unfold bounds, L_p_rstd, L_InvRoot, L_rdiv. rewrite the_of, Rplus_comm.
  exact (p_rstd_stands e_min prec (the_arith wa) declared n h x d eps w mean dev sum cnt quo shifted
    root H H0 H1 H2 H3 H4 H5 H6 H7 H8 H9).
Qed.
(* about 0: the root mean square *)
Theorem node_rstd_uncentered n h (x : nat -> R) eps w dev sum cnt quo shifted root : (0 < n)%nat ->
  (forall i, in_format e_min prec (x i)) -> 0 < eps -> in_format e_min prec eps ->
  moderate e_min prec (the_arith wa) n -> (w + 1) * W_arith'u wa <= / 2 ->
  few (the_arith wa) (2 * W_arith'k_rsqrt wa + 1) ->
  rooted e_min prec (the_arith wa) n h eps dev sum cnt quo shifted root -> INR h + 3 <= w ->
  (forall i, dev i = Some (x i)) -> (forall i, Rabs (x i) <= W_arith'big wa) ->
  let v := square_sum n x 0 / INR n in
  bounds (L_p_rstd wa v 0 eps (Z.of_nat n) w) (L_InvRoot v eps) root.
Proof.
  intros. unfold bounds, L_p_rstd, L_InvRoot, L_rdiv. rewrite the_of, Rplus_comm.
  exact (p_rstd_uncentered_stands e_min prec (the_arith wa) declared n h x 0 eps w dev sum cnt quo
    shifted root H H0 H1 H2 H3 H4 H5 H6 H7 eq_refl H8 H9).
Qed.
(* a normalized element: the three factors in any association, then beta *)
Theorem node_normed centered x pm m cm pr r cr gamma beta dev prod c :
  bounds pm m cm -> bounds pr r cr -> deviation e_min prec (the_arith wa) centered x cm dev ->
  of3 (muls3 e_min prec (the_arith wa)) dev cr (Some gamma) prod ->
  (if Z.eq_dec centered 0 then c = prod
   else of2 (adds e_min prec (the_arith wa)) prod (Some beta) c) ->
  bounds (L_p_normed wa centered x pm pr gamma beta)
    ((x - center_of centered m) * r * gamma + (if Z.eq_dec centered 0 then 0 else beta)) c.
Proof. unfold bounds, L_p_normed. rewrite the_of. intros. eapply p_normed_stands; eauto. Qed.
(* terms of the gradients' sums, over the mean and the rstd that the forward op gave *)
Theorem node_pulled_hat centered g gamma x m r pulled dev c :
  of2 (muls e_min prec (the_arith wa)) (Some g) (Some gamma) pulled ->
  deviation e_min prec (the_arith wa) centered x (Some m) dev ->
  of3 (muls3 e_min prec (the_arith wa)) pulled dev (Some r) c ->
  bounds (L_p_pulled_hat wa centered g gamma x m r)
    (g * gamma * (x - center_of centered m) * r) c.
Proof. unfold bounds, L_p_pulled_hat. rewrite the_of. intros. eapply p_pulled_hat_stands; eauto.
Qed.
Theorem node_hat centered g x m r dev c :
  deviation e_min prec (the_arith wa) centered x (Some m) dev ->
  of3 (muls3 e_min prec (the_arith wa)) (Some g) dev (Some r) c ->
  bounds (L_p_hat wa centered g x m r) (g * (x - center_of centered m) * r) c.
Proof. unfold bounds, L_p_hat. rewrite the_of. intros. eapply p_hat_stands; eauto. Qed.
(* their means *)
Theorem node_mean_pulled h l n f k s a c y : height_of (the_arith wa) h (W_arith'h wa) ->
  length l = n -> summed e_min prec (the_arith wa) h f k (products (the_arith wa) l) s a ->
  divisor_of e_min prec (the_arith wa) n c -> of2 (divs e_min prec (the_arith wa) 2) s c y ->
  let v := sum_values (products (the_arith wa) l) in
  bounds (L_p_mean_pulled wa 1 v (sizes (products (the_arith wa) l)) (Z.of_nat n)) (v / INR n) y.
Proof. unfold bounds, L_p_mean_pulled. rewrite the_of. intros. eapply p_mean_pulled_stands; eauto.
Qed.
Theorem node_mean_hat h l n f k s a c y : height_of (the_arith wa) h (W_arith'h wa) ->
  summed e_min prec (the_arith wa) h f k l s a -> divisor_of e_min prec (the_arith wa) n c ->
  of2 (divs e_min prec (the_arith wa) 2) s c y ->
  bounds (L_p_mean_hat wa (sum_values l) (sizes l) (errors l) (Z.of_nat n))
    (sum_values l / INR n) y.
Proof. unfold bounds, L_p_mean_hat. rewrite the_of. intros. eapply p_mean_hat_stands; eauto. Qed.
(* the gradient: r times a sum of three numbers, in any order of addition *)
Theorem node_spread pa pb pc a b c ca cb cc f s m r y :
  in_stands e_min prec (the_pair pa) a ca -> in_stands e_min prec (the_pair pb) b cb ->
  in_stands e_min prec (the_pair pc) c cc ->
  summed e_min prec (the_arith wa) 3 f 0 ((W_pair'v pa, W_pair'e pa) ::
    (W_pair'v pb, W_pair'e pb) :: (W_pair'v pc, W_pair'e pc) :: nil) s m ->
  of2 (muls e_min prec (the_arith wa)) s (Some r) y ->
  bounds (L_p_spread wa pa pb pc r) ((a + b + c) * r) y.
Proof.
  unfold bounds, L_p_spread. rewrite the_of. intros.
  exact (p_spread_stands e_min prec (the_arith wa) declared (the_pair pa) (the_pair pb)
    (the_pair pc)
    a b c ca cb cc f s m r y H H0 H1 H2 H3).
Qed.
End SumOps.
