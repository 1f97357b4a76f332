(* Attention, in which a query sees some of the keys, as under a causal mask or another: a softmax of the scores of
   those weighs their values, and where it sees none there are zeros. Of one query first; then of rows of queries
   that read the same keys and values, as the heads of a group do; then of several such groups. *)
Require Import Reals Lra Psatz Arith Lia.
From Coquelicot Require Import Coquelicot.
From Theory Require Import Sums Vjp Softmax Rows Layout.
Open Scope R_scope.

(* One query, q (d), over k (keys, d) and v (keys, e); arguments 0, 1, 2. *)
Section Query.
Variables (keys d e : nat) (factor : R) (o : nat -> bool).
Definition query_score (x : args) j : R := factor * bsum d (fun c => x 0%nat c * x 1%nat (j * d + c)%nat).
Definition chance (x : args) j : R := masked_softmax keys o (query_score x) j.
Definition query_out (x : args) c : R := bsum keys (fun j => chance x j * x 2%nat (j * e + c)%nat).
(* what reaches the score of key j *)
Definition score_pulled (x : args) (dy : nat -> R) j : R :=
  chance x j * (bsum e (fun c => dy c * x 2%nat (j * e + c)%nat) - bsum e (fun c => dy c * query_out x c)).
Definition query_vjp (x : args) (dy : nat -> R) a k : R :=
  match a with
  | O => factor * bsum keys (fun j => score_pulled x dy j * x 1%nat (j * d + k)%nat)
  | 1%nat => factor * (score_pulled x dy (k / d) * x 0%nat (k mod d)%nat)
  | _ => chance x (k / e) * dy (k mod e)%nat
  end.
Definition query_sz (a : nat) : nat := match a with O => d | 1%nat => (keys * d)%nat | _ => (keys * e)%nat end.
Theorem query_is_vjp : is_vjp 3 query_sz e (fun _ => True) query_out query_vjp.
Proof.
  intros g g' t0 _ Hg.
  set (s' := fun j => factor * bsum d (fun c => g' 0%nat c * g t0 1%nat (j * d + c)%nat
    + g t0 0%nat c * g' 1%nat (j * d + c)%nat)).
  assert (Ds : forall j, (j < keys)%nat -> is_derive (fun t => query_score (g t) j) t0 (s' j)).
  { intros j Hj. unfold query_score. eapply D_eq.
    - apply D_mult; [ apply D_cst |].
      apply (bsum_derive d (fun t c => g t 0%nat c * g t 1%nat (j * d + c)%nat)). intros c Hc.
      apply D_mult; apply Hg; cbn; (lia || nia).
    - cbv beta. unfold s'. ring. }
  destruct (masked_softmax_is_vjp keys o (fun t _ => query_score (g t)) (fun _ => s') t0 I) as [p' [Dp Ap]].
  { intros a j _ Hj. now apply Ds. }
  set (x := g t0) in *.
  exists (fun c => bsum keys (fun j => p' j * x 2%nat (j * e + c)%nat + chance x j * g' 2%nat (j * e + c)%nat)).
  split.
  - intros c Hc. apply (bsum_derive keys (fun t j => chance (g t) j * g t 2%nat (j * e + c)%nat)). intros j Hj.
    apply D_mult; [ now apply Dp | apply Hg; cbn; (lia || nia) ].
  - intro dy. set (w := fun j => bsum e (fun c => dy c * x 2%nat (j * e + c)%nat)).
    assert (W : bsum keys (fun j => w j * chance x j) = bsum e (fun c => dy c * query_out x c)).
    { unfold w, query_out. rewrite (bsum_ext keys _ (fun j => bsum e (fun c =>
        dy c * (chance x j * x 2%nat (j * e + c)%nat)))).
      - rewrite bsum_swap. apply bsum_ext; intros c _. apply bsum_scal.
      - intros j _. rewrite <- bsum_scal_r. apply bsum_ext; intros; ring. }
    transitivity (bsum keys (fun j => w j * p' j)
      + bsum keys (fun j => bsum e (fun c => chance x j * dy c * g' 2%nat (j * e + c)%nat))).
    { rewrite (bsum_ext e _ (fun c => bsum keys (fun j =>
        dy c * x 2%nat (j * e + c)%nat * p' j + chance x j * dy c * g' 2%nat (j * e + c)%nat))).
      - rewrite bsum_swap, <- bsum_plus. apply bsum_ext; intros j _. unfold w.
        now rewrite bsum_plus, bsum_scal_r.
      - intros c _. rewrite <- bsum_scal. apply bsum_ext; intros; ring. }
    rewrite (Ap w). cbn [bsum]. rewrite !Rplus_0_l. unfold sz1, query_sz. f_equal.
    + transitivity (bsum keys (fun j => bsum d (fun c => factor * (score_pulled x dy j * x 1%nat (j * d + c)%nat)
        * g' 0%nat c)) + bsum keys (fun j => bsum d (fun c => factor * (score_pulled x dy j * x 0%nat c)
        * g' 1%nat (j * d + c)%nat))).
      { rewrite <- bsum_plus. apply bsum_ext; intros j _. unfold s', masked_softmax_vjp.
        change (masked_softmax keys o (query_score x)) with (chance x). rewrite W.
        change (chance x j * (w j - bsum e (fun c => dy c * query_out x c))) with (score_pulled x dy j).
        rewrite <- bsum_plus, <- Rmult_assoc, <- bsum_scal. apply bsum_ext; intros c _. ring. }
      cbn [query_vjp]. f_equal.
      * rewrite bsum_swap. apply bsum_ext; intros c _. rewrite bsum_scal_r. now rewrite bsum_scal.
      * rewrite bsum_flat. apply bsum_ext; intros j _. apply bsum_ext; intros c Hc.
        now rewrite (dm_div j d c Hc), (dm_mod j d c Hc).
    + cbn [query_vjp]. rewrite bsum_flat. apply bsum_ext; intros j _. apply bsum_ext; intros c Hc.
      now rewrite (dm_div j e c Hc), (dm_mod j e c Hc).
Qed.
End Query.

(* Rows of queries over the same keys and values: q (rows, d); row t sees the keys that o t says. *)
Definition keys_shared (a : nat) : bool := match a with O => false | _ => true end.
Section Groups.
Variables (groups rows keys d e : nat) (factor : R) (o : nat -> nat -> bool).
Definition of_row (x : args) t : args := row (query_sz keys d e) keys_shared x t.
Definition rows_out (x : args) q : R := query_out keys d e factor (o (q / e)%nat) (of_row x (q / e)) (q mod e).
(* dq of a row by itself; dk and dv summed over the rows *)
Definition rows_out_vjp (x : args) (dy : nat -> R) a k : R :=
  if keys_shared a then bsum rows (fun t => query_vjp keys d e factor (o t) (of_row x t) (dyrow e dy t) a k)
  else query_vjp keys d e factor (o (k / d)%nat) (of_row x (k / d)) (dyrow e dy (k / d)) a (k mod d).
Definition group_sz (a : nat) : nat := rows_sz rows (query_sz keys d e) keys_shared a.
Theorem rows_of_queries_is_vjp : is_vjp 3 group_sz (rows * e) (fun _ => True) rows_out rows_out_vjp.
Proof.
  apply (is_vjp_within _ _ _ (fun x => forall r, (r < rows)%nat -> True)); [ auto |].
  eapply is_vjp_ext; [ | | exact (each_row_is_vjp rows 3 e (query_sz keys d e) keys_shared (fun _ _ => True)
    (fun t => query_out keys d e factor (o t)) (fun t => query_vjp keys d e factor (o t))
    (fun t _ => query_is_vjp keys d e factor (o t))) ].
  - reflexivity.
  - intros x dy a k _ Ha Hk. destruct a as [|a]; reflexivity.
Qed.
(* groups of such rows, each with keys and values of its own, one after another *)
Corollary grouped_is_vjp :
  is_vjp 3 (rows_sz groups group_sz (fun _ => false)) (groups * (rows * e)) (fun _ => True)
    (rows_fwd (rows * e) group_sz (fun _ => false) rows_out)
    (rows_vjp groups (rows * e) group_sz (fun _ => false) rows_out_vjp).
Proof.
  apply (is_vjp_within _ _ _ (fun x => forall r, (r < groups)%nat -> True)); [ auto |].
  apply (rows_is_vjp groups 3 (rows * e) _ _ (fun _ => True)). exact rows_of_queries_is_vjp.
Qed.
End Groups.
