(* Attention between projections: q = x wq, k = x wk, v = x wv, o of these, y = o wo. Whatever o is made by, its
   VJP gives that of the whole. *)
Require Import Reals Lra Psatz Arith Lia FunctionalExtensionality.
From Coquelicot Require Import Coquelicot.
From Theory Require Import Sums Vjp Matmul Attention.
Open Scope R_scope.

Definition two_of (a b : nat -> R) : args := fun i => match i with O => a | _ => b end.

Section Projected.
(* rows; columns of x, of the queries, of the keys *)
Variables rows width of_queries of_keys : nat.
Definition cols_of (c : nat) : nat := match c with O => of_queries | _ => of_keys end.
Definition parts_sz (c : nat) : nat := (rows * cols_of c)%nat.
Variable P : args -> Prop.
Variable inside : args -> nat -> R.
Variable inside_vjp : args -> (nat -> R) -> nat -> nat -> R.
Hypothesis H_inside : is_vjp 3 parts_sz (rows * of_queries) P inside inside_vjp.

(* arguments: x, wq, wk, wv, wo *)
Definition projections (a : args) : args := fun c => matmul width (cols_of c) (two_of (a 0%nat) (a (S c))).
Definition projected (a : args) : nat -> R := matmul of_queries width (two_of (inside (projections a)) (a 4%nat)).
Definition projected_sz (a : nat) : nat :=
  match a with O => rows * width | 1 => width * of_queries | 2 | 3 => width * of_keys | _ => of_queries * width end%nat.
Definition pulled_part (a : args) (dy : nat -> R) (c : nat) : nat -> nat -> R :=
  matmul_vjp rows width (cols_of c) (two_of (a 0%nat) (a (S c)))
    (inside_vjp (projections a) (matmul_vjp rows of_queries width (two_of (inside (projections a)) (a 4%nat)) dy 0) c).
Definition projected_vjp (a : args) (dy : nat -> R) (b k : nat) : R :=
  match b with
  | O => pulled_part a dy 0 0 k + pulled_part a dy 1 0 k + pulled_part a dy 2 0 k
  | 4%nat => matmul_vjp rows of_queries width (two_of (inside (projections a)) (a 4%nat)) dy 1 k
  | S c => pulled_part a dy c 1 k
  end.

Theorem projected_is_vjp : (0 < width)%nat -> (0 < of_queries)%nat -> (0 < of_keys)%nat ->
  is_vjp 5 projected_sz (rows * width) (fun a => P (projections a)) projected projected_vjp.
Proof.
  intros Hw Hh Hk g g' t0 HP Hg.
  assert (C : forall c, (c < 3)%nat -> exists D : nat -> R,
    (forall i, (i < parts_sz c)%nat -> is_derive (fun t => projections (g t) c i) t0 (D i)) /\
    (forall dy, bsum (parts_sz c) (fun i => dy i * D i) =
       bsum (rows * width) (fun k => matmul_vjp rows width (cols_of c) (two_of (g t0 0%nat) (g t0 (S c))) dy 0 k
                                     * g' 0%nat k) +
       bsum (width * cols_of c) (fun k => matmul_vjp rows width (cols_of c)
                                     (two_of (g t0 0%nat) (g t0 (S c))) dy 1 k * g' (S c) k))).
  { intros c Hc. assert (Hn : (0 < cols_of c)%nat) by (destruct c; simpl; assumption).
    destruct (matmul_is_vjp rows width (cols_of c) Hn (fun t => two_of (g t 0%nat) (g t (S c)))
      (two_of (g' 0%nat) (g' (S c))) t0 I) as [D [HD HV]].
    - intros [|[|a]] k Ha Hk0; simpl in *; try lia; apply Hg; try lia; simpl; auto.
      destruct c as [|[|[|c]]]; simpl in *; auto; lia.
    - exists D. split; [ exact HD |]. intro dy. unfold parts_sz. rewrite HV. simpl. ring. }
  destruct (C 0%nat ltac:(lia)) as [Dq [Hq Vq]]. destruct (C 1%nat ltac:(lia)) as [Dk [Hdk Vk]].
  destruct (C 2%nat ltac:(lia)) as [Dv [Hv Vv]]. clear C.
  destruct (H_inside (fun t => projections (g t)) (fun c => match c with O => Dq | 1%nat => Dk | _ => Dv end) t0 HP)
    as [Do [Ho Vo]].
  { intros [|[|[|c]]] k Hc Hk0; try lia; [ apply Hq | apply Hdk | apply Hv ]; exact Hk0. }
  destruct (matmul_is_vjp rows of_queries width Hw (fun t => two_of (inside (projections (g t))) (g t 4%nat))
    (two_of Do (g' 4%nat)) t0 I) as [D [HD HV]].
  { intros [|[|a]] k Ha Hk0; simpl in *; try lia; [ now apply Ho | apply Hg; [ lia | exact Hk0 ]]. }
  exists D. split; [ exact HD |]. intro dy.
  assert (B2 : forall f : nat -> R, bsum 2 f = f 0%nat + f 1%nat) by (intro; simpl; ring).
  assert (B3 : forall f : nat -> R, bsum 3 f = f 0%nat + f 1%nat + f 2%nat) by (intro; simpl; ring).
  assert (B5 : forall f : nat -> R, bsum 5 f = f 0%nat + f 1%nat + f 2%nat + f 3%nat + f 4%nat)
    by (intro; simpl; ring).
  set (go := matmul_vjp rows of_queries width (two_of (inside (projections (g t0))) (g t0 4%nat)) dy 0).
  assert (E : bsum (rows * of_queries) (fun k => go k * Do k) =
    bsum (rows * width) (fun k => (pulled_part (g t0) dy 0 0 k + pulled_part (g t0) dy 1 0 k
                                   + pulled_part (g t0) dy 2 0 k) * g' 0%nat k) +
    bsum (width * of_queries) (fun k => pulled_part (g t0) dy 0 1 k * g' 1%nat k) +
    bsum (width * of_keys) (fun k => pulled_part (g t0) dy 1 1 k * g' 2%nat k) +
    bsum (width * of_keys) (fun k => pulled_part (g t0) dy 2 1 k * g' 3%nat k)).
  { rewrite Vo, B3. cbv beta iota. rewrite Vq, Vk, Vv. unfold pulled_part. fold go. cbn [cols_of].
    rewrite (bsum_ext (rows * width) (fun k => (_ + _ + _) * g' 0%nat k)
      (fun k => matmul_vjp rows width of_queries (two_of (g t0 0%nat) (g t0 1%nat)) (inside_vjp (projections (g t0)) go 0%nat) 0 k
          * g' 0%nat k
        + matmul_vjp rows width of_keys (two_of (g t0 0%nat) (g t0 2%nat)) (inside_vjp (projections (g t0)) go 1%nat) 0 k
          * g' 0%nat k
        + matmul_vjp rows width of_keys (two_of (g t0 0%nat) (g t0 3%nat)) (inside_vjp (projections (g t0)) go 2%nat) 0 k
          * g' 0%nat k)) by (intros; ring).
    rewrite !bsum_plus. ring. }
  transitivity (bsum (rows * of_queries) (fun k => go k * Do k) +
    bsum (of_queries * width) (fun k => projected_vjp (g t0) dy 4 k * g' 4%nat k)).
  { rewrite HV, B2. reflexivity. }
  rewrite E, B5. cbn [projected_sz projected_vjp]. ring.
Qed.
End Projected.

(* One head: its q, k and v are the projections themselves. Query i sees the keys that o i says. *)
Corollary one_head_is_vjp queries width d : (0 < width)%nat -> (0 < d)%nat -> forall scale o,
  is_vjp 5 (projected_sz queries width d d) (queries * width) (fun _ => True)
    (projected width d d (rows_out queries d d scale o))
    (projected_vjp queries width d d (rows_out queries d d scale o) (rows_out_vjp queries queries d d scale o)).
Proof.
  intros Hw Hd scale o. apply (projected_is_vjp queries width d d (fun _ => True)); auto.
  eapply is_vjp_sz; [ | | exact (rows_of_queries_is_vjp queries queries d d scale o) ];
    [ intros [|[|[|a]]] Ha; reflexivity || lia | reflexivity ].
Qed.
