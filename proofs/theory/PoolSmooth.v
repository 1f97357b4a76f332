(* Smooth max pooling, ln(sum of exp(beta v)) / beta over the values v of a window, padding being 0:
   its VJP, and that a pivot does not change it. Which elements a window reads is left open. *)
Require Import Reals Lra Psatz Arith Lia.
From Coquelicot Require Import Coquelicot.
From Theory Require Import Sums Vjp Linear.
Open Scope R_scope.

Section SmoothPool.
Variables (nin nout K : nat) (inside : nat -> nat -> bool) (source_of : nat -> nat -> nat) (beta : R).
Hypothesis source_below : forall t u, inside t u = true -> (source_of t u < nin)%nat.
Hypothesis sharp : beta <> 0.
Hypothesis some_tap : (0 < K)%nat.

Definition tap_value (x : nat -> R) t u : R := if_ (inside t u) (x (source_of t u)).
Definition smooth_sum (x : nat -> R) t p : R :=
  bsum K (fun u => exp (beta * (tap_value x t u - p))).
Definition smooth_max_pool (x : args) t : R := ln (smooth_sum (x 0%nat) t 0) / beta.
Definition smooth_max_pool_vjp (x : args) (dy : nat -> R) (_ j : nat) : R :=
  bsum nout (fun t => bsum K (fun u =>
    if_ (inside t u && Nat.eqb j (source_of t u))
      (dy t * exp (beta * (x 0%nat j - smooth_max_pool x t))))).

Lemma smooth_sum_pos x t p : 0 < smooth_sum x t p.
Proof. apply bsum_pos; [ exact some_tap |]. intros. apply exp_pos. Qed.
Theorem smooth_pivot x t p : p + ln (smooth_sum (x 0%nat) t p) / beta = smooth_max_pool x t.
Proof.
  unfold smooth_max_pool. assert (E : smooth_sum (x 0%nat) t 0 = exp (beta * p) * smooth_sum (x 0%nat) t p).
  { unfold smooth_sum. rewrite <- bsum_scal. apply bsum_ext; intros u _. rewrite <- exp_plus. f_equal. ring. }
  rewrite E, ln_mult, ln_exp by (apply exp_pos || apply smooth_sum_pos). now field.
Qed.
(* a tap's weight: its part in the sum *)
Lemma smooth_weight x t v :
  exp (beta * v) / smooth_sum (x 0%nat) t 0 = exp (beta * (v - smooth_max_pool x t)).
Proof.
  unfold smooth_max_pool. replace (beta * (v - ln (smooth_sum (x 0%nat) t 0) / beta))
    with (beta * v + - ln (smooth_sum (x 0%nat) t 0)) by now field.
  rewrite exp_plus, exp_Ropp, exp_ln by apply smooth_sum_pos. reflexivity.
Qed.
Theorem smooth_max_pool_is_vjp :
  is_vjp 1 (sz1 nin) nout (fun _ => True) smooth_max_pool smooth_max_pool_vjp.
Proof.
  intros g g' t0 _ Hg.
  exists (fun t => bsum K (fun u => if_ (inside t u)
    (g' 0%nat (source_of t u) * exp (beta * (g t0 0%nat (source_of t u) - smooth_max_pool (g t0) t))))). split.
  - intros t Ht. unfold smooth_max_pool at 1. eapply D_eq.
    + apply D_div; [ apply D_ln | apply D_cst | exact sharp ].
      * apply (bsum_derive K (fun s u => exp (beta * (tap_value (g s 0%nat) t u - 0)))
          (fun u => beta * if_ (inside t u) (g' 0%nat (source_of t u)) * exp (beta * (tap_value (g t0 0%nat) t u -
              0)))).
        intros u Hu. apply (D_exp (fun s => beta * (tap_value (g s 0%nat) t u - 0))).
        unfold tap_value. destruct (inside t u) eqn:E; cbn [if_].
        -- eapply D_eq; [ apply D_mult; [ apply D_cst |
             apply D_minus; [ apply Hg; [ lia | now apply source_below ] | apply D_cst ] ] | cbv beta; over_reals;
                 ring ].
        -- eapply D_eq; [ apply D_cst | over_reals; ring ].
      * apply smooth_sum_pos.
    + cbv beta. fold (smooth_sum (g t0 0%nat) t 0).
      set (S := smooth_sum (g t0 0%nat) t 0). assert (P : 0 < S) by apply smooth_sum_pos.
      match goal with |- (bsum _ ?f / S * beta - ?l * 0) / _ = _ =>
        transitivity (bsum K (fun u => / (S * beta) * f u)) end.
      * rewrite bsum_scal. field; split; (exact sharp || lra).
      * apply bsum_ext; intros u Hu. unfold tap_value. destruct (inside t u); cbn [if_]; [| ring ].
        rewrite <- smooth_weight. fold S. rewrite Rminus_0_r. field; split; (exact sharp || lra).
  - intro dy. cbn [bsum]. rewrite Rplus_0_l. unfold sz1, smooth_max_pool_vjp.
    set (wt := fun t j => dy t * exp (beta * (g t0 0%nat j - smooth_max_pool (g t0) t)) * g' 0%nat j).
    rewrite (bsum_ext nin _ (fun j => bsum nout (fun t => bsum K (fun u =>
      if_ (inside t u && Nat.eqb j (source_of t u)) 1 * wt t j)))).
    + rewrite bsum_swap. apply bsum_ext; intros t Ht. rewrite bsum_swap, <- bsum_scal.
      apply bsum_ext; intros u Hu.
      rewrite (bsum_pick nin (inside t u) (source_of t u) (wt t)) by (now apply source_below).
      unfold wt. destruct (inside t u); cbn [if_]; ring.
    + intros j Hj. rewrite <- bsum_scal_r. apply bsum_ext; intros t Ht. rewrite <- bsum_scal_r.
      apply bsum_ext; intros u Hu. unfold wt. rewrite (if_mult _ (dy t * _)). ring.
Qed.
End SmoothPool.
