(* Composition: the pair of an expression, evaluated node by node, is a bound for every number that
   a
   kernel may compute for the expression. `may_be e c`: c is what rounding to nearest, in the
   kernel's
   arithmetic, may make of e, with a product of three in any association, a product and a sum fused
   or not, a quotient as one or (w = 2) as a product with a rounded inverse, and each elementary
   function any number within its units in the last place. *)
Require Import Reals Lra Psatz ZArith Lia.
From Theory Require Import Scalar Round Nodes NodesOfFunctions.
Open Scope R_scope.

Inductive elementary :=
  F_exp | F_expm1 | F_log | F_log1p | F_tanh | F_erf | F_sigmoid | F_softplus | F_sin | F_cos |
  F_sqrt | F_root.
Inductive expression :=
  | E_given (i : nat)   (* an input, or what another part of the kernel computed *)
  | E_exactly (r : R)   (* a constant that needs no rounding *)
  | E_const (r : R)     (* one that is rounded *)
  | E_neg (a : expression) | E_add (a b : expression) | E_sub (a b : expression) | E_mul (a b :
    expression) | E_mul3 (a b c
    : expression)
  | E_quo (w : R) (a b : expression) | E_apply (f : elementary) (a : expression).

Definition real_of (f : elementary) : R -> R :=
  match f with
  | F_exp => exp | F_expm1 => expm1 | F_log => ln | F_log1p => log1p | F_tanh => tanh | F_erf => erf
  | F_sigmoid => sigmoid | F_softplus => softplus | F_sin => sin | F_cos => cos
  | F_sqrt => sqrt | F_root => sqrt
  end.
Definition ulps_of (ar : arithmetic) (f : elementary) : R :=
  match f with
  | F_exp => k_exp ar | F_expm1 => k_expm1 ar | F_log => k_log ar | F_log1p => k_log1p ar
  | F_tanh => k_tanh ar | F_erf => k_erf ar | F_sigmoid => k_sigmoid ar
  | F_softplus => k_softplus ar | F_sin => k_sin ar | F_cos => k_cos ar
  | F_sqrt => 0 | F_root => 0
  end.
Definition node_of (ar : arithmetic) (f : elementary) : err_pair -> err_pair :=
  match f with
  | F_exp => p_exp ar | F_expm1 => p_expm1 ar | F_log => p_log ar | F_log1p => p_log1p ar
  | F_tanh => p_tanh ar | F_erf => p_erf ar | F_sigmoid => p_sigmoid ar
  | F_softplus => p_softplus ar | F_sin => p_sin ar | F_cos => p_cos ar
  | F_sqrt => p_sqrt ar | F_root => p_root ar
  end.

Fixpoint real_value (env : nat -> R) (e : expression) : R :=
  match e with
  | E_given i => env i
  | E_exactly r => r
  | E_const r => r
  | E_neg a => - real_value env a
  | E_add a b => real_value env a + real_value env b
  | E_sub a b => real_value env a - real_value env b
  | E_mul a b => real_value env a * real_value env b
  | E_mul3 a b c => real_value env a * real_value env b * real_value env c
  | E_quo _ a b => real_value env a / real_value env b
  | E_apply f a => real_of f (real_value env a)
  end.
Fixpoint pair_of_expression (ar : arithmetic) (env : nat -> err_pair) (e : expression) : err_pair :=
  match e with
  | E_given i => env i
  | E_exactly r => ErrPair r 0
  | E_const r => p_const ar r
  | E_neg a => p_neg (pair_of_expression ar env a)
  | E_add a b => p_add ar (pair_of_expression ar env a) (pair_of_expression ar env b)
  | E_sub a b => p_sub ar (pair_of_expression ar env a) (pair_of_expression ar env b)
  | E_mul a b => p_mul ar (pair_of_expression ar env a) (pair_of_expression ar env b)
  | E_mul3 a b c => p_mul3 ar (pair_of_expression ar env a) (pair_of_expression ar env b)
    (pair_of_expression ar env c)
  | E_quo w a b => p_quo ar (pair_of_expression ar env a) (pair_of_expression ar env b) w
  | E_apply f a => node_of ar f (pair_of_expression ar env a)
  end.

Section Composition.
Variables (e_min prec : Z) (ar : arithmetic).
Hypothesis declared : declares e_min prec ar.
(* what the kernel's function makes of x *)
Definition calls (f : elementary) (x : R) (c : flnum) : Prop :=
  match f with
  | F_tanh => tanh_of e_min prec ar x c
  | F_root => 0 <= x /\ in_ulps e_min prec ar 0 (sqrt x) c
  | _ => in_ulps e_min prec ar (ulps_of ar f) (real_of f x) c
  end.

Inductive may_be (env : nat -> flnum) : expression -> flnum -> Prop :=
  | may_given i : may_be env (E_given i) (env i)
  | may_exactly r : may_be env (E_exactly r) (Some r)
  | may_const r : may_be env (E_const r) (fl e_min prec ar r)
  | may_neg a x : may_be env a x -> may_be env (E_neg a) (option_map Ropp x)
  | may_add a b x y c : may_be env a x -> may_be env b y -> of2 (adds e_min prec ar) x y c ->
      may_be env (E_add a b) c
  | may_sub a b x y c : may_be env a x -> may_be env b y -> of2 (subs e_min prec ar) x y c ->
      may_be env (E_sub a b) c
  | may_mul a b x y c : may_be env a x -> may_be env b y -> of2 (muls e_min prec ar) x y c ->
      may_be env (E_mul a b) c
  | may_mul3 a b d x y z c : may_be env a x -> may_be env b y -> may_be env d z ->
      of3 (muls3 e_min prec ar) x y z c -> may_be env (E_mul3 a b d) c
  | may_quo w a b x y c : 1 <= w -> few ar w -> may_be env a x -> may_be env b y ->
      of2 (divs e_min prec ar w) x y c -> may_be env (E_quo w a b) c
  | may_apply f a x c : few ar (2 * ulps_of ar f + 1) -> may_be env a x -> of1 (calls f) x c ->
      may_be env (E_apply f a) c
  (* a b + d, d + a b, a b - d, d - a b in one rounding *)
  | may_fuse_left a b d x y z c : may_be env a x -> may_be env b y -> may_be env d z ->
      of3 (fuses e_min prec ar) x y z c -> may_be env (E_add (E_mul a b) d) c
  | may_fuse_right a b d x y z c : may_be env a x -> may_be env b y -> may_be env d z ->
      of3 (fuses e_min prec ar) x y z c -> may_be env (E_add d (E_mul a b)) c
  | may_fuse_minus a b d x y z c : may_be env a x -> may_be env b y -> may_be env d z ->
      of3 (fun x y z => fuses e_min prec ar x y (- z)) x y z c -> may_be env (E_sub (E_mul a b) d) c
  | may_fuse_from a b d x y z c : may_be env a x -> may_be env b y -> may_be env d z ->
      of3 (fun x y z => fuses e_min prec ar (- x) y z) x y z c -> may_be env (E_sub d (E_mul a b))
        c.

Lemma p_add_comm p q : p_add ar p q = p_add ar q p.
Proof. unfold p_add. now rewrite (Rplus_comm (p_v p)), (Rplus_comm (p_e p)). Qed.
Lemma p_mul_neg p q : p_mul ar (p_neg p) q = p_neg (p_mul ar p q).
Proof.
  unfold p_mul, p_neg, p_rnd, p_cross. cbn [p_v p_e].
  now rewrite Ropp_mult_distr_l_reverse, !Rabs_Ropp.
Qed.
Lemma of3_neg_right f x y z c : of3 (fun x y z => f x y (- z)) x y z c ->
  of3 f x y (option_map Ropp z) c.
Proof.
  intros H s t r X Y. destruct z as [z|]; simpl; intro Z; [| easy ]. injection Z as <-. now apply H.
Qed.
Lemma of3_neg_left f x y z c : of3 (fun x y z => f (- x) y z) x y z c ->
  of3 f (option_map Ropp x) y z c.
Proof.
  intros H s t r. destruct x as [x|]; simpl; intros X Y Z; [| easy ]. injection X as <-.
    now apply H.
Qed.
Lemma apply_stands f p r x c : few ar (2 * ulps_of ar f + 1) -> stands p r x ->
  of1 (calls f) x c -> stands (node_of ar f p) (real_of f r) c.
Proof.
  intros K P H. destruct f; simpl in *.
  - now apply (p_exp_stands e_min prec ar declared p r x).
  - now apply (p_expm1_stands e_min prec ar declared p r x).
  - now apply (p_log_stands e_min prec ar declared p r x).
  - now apply (p_log1p_stands e_min prec ar declared p r x).
  - now apply (p_tanh_stands e_min prec ar declared p r x).
  - now apply (p_erf_stands e_min prec ar declared p r x).
  - now apply (p_sigmoid_stands e_min prec ar declared p r x).
  - now apply (p_softplus_stands e_min prec ar declared p r x).
  - now apply (p_sin_stands e_min prec ar declared p r x).
  - now apply (p_cos_stands e_min prec ar declared p r x).
  - now apply (p_sqrt_stands e_min prec ar declared p r x).
  - apply (p_root_stands e_min prec ar declared p r x); auto; intros y Y; apply (H y Y).
Qed.

Theorem composition env pairs numbers e c : (forall i, stands (pairs i) (env i) (numbers i)) ->
  may_be numbers e c -> stands (pair_of_expression ar pairs e) (real_value env e) c.
Proof.
  intros G M. induction M; cbn [pair_of_expression real_value].
  - apply G.
  - apply exact_stands.
  - now apply p_const_stands.
  - now apply p_neg_stands.
  - now apply (p_add_stands e_min prec ar declared _ _ _ _ x y).
  - now apply (p_sub_stands e_min prec ar declared _ _ _ _ x y).
  - now apply (p_mul_stands e_min prec ar declared _ _ _ _ x y).
  - now apply (p_mul3_stands e_min prec ar declared _ _ _ _ _ _ x y z).
  - now apply (p_quo_stands e_min prec ar declared _ _ _ _ x y).
  - now apply (apply_stands f _ _ x).
  - now apply (p_fused_stands e_min prec ar declared _ _ _ _ _ _ x y z).
  - rewrite p_add_comm, Rplus_comm. now apply (p_fused_stands e_min prec ar declared _ _ _ _ _ _ x
    y z).
  - apply (p_fused_stands e_min prec ar declared _ _ (p_neg (pair_of_expression ar pairs d)) _ _ _
    x y
      (option_map Ropp z)); auto using p_neg_stands, of3_neg_right.
  - change (p_sub ar (pair_of_expression ar pairs d) (p_mul ar (pair_of_expression ar pairs a)
    (pair_of_expression ar pairs b)))
      with (p_add ar (pair_of_expression ar pairs d) (p_neg (p_mul ar (pair_of_expression ar pairs
        a) (pair_of_expression ar pairs
        b)))).
    rewrite <- p_mul_neg, p_add_comm.
    replace (real_value env d - real_value env a * real_value env b) with (- real_value env a *
      real_value env b + real_value env d) by ring.
    apply (p_fused_stands e_min prec ar declared _ _ _ _ _ _ (option_map Ropp x) y z);
      auto using p_neg_stands, of3_neg_left.
Qed.
End Composition.
