#!/bin/bash
# theory_selftest.sh: tampers with a copy of proofs/theory; theory.py must refuse each copy with a
# message that names the place.
set -uo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0 cases=0
export PYTHONDONTWRITEBYTECODE=1

mkdir -p "$work/sound/proofs" "$work/sound/build"
cp -r "$root/proofs/theory" "$root/proofs/theory.py" "$work/sound/proofs/"
[ -d "$root/build/theory" ] && cp -r "$root/build/theory" "$work/sound/build/"
python3 "$work/sound/proofs/theory.py" > "$work/log" 2>&1 ||
  { echo "selftest: the sound theory fails"; tail -5 "$work/log"; exit 1; }

t=$work/tree
fault() { # FILE SED: a fresh copy in $t, changed by the sed script
  rm -rf "$t"
  cp -rp "$work/sound" "$t"
  sed -i "$2" "$t/proofs/theory/$1"
  ! cmp -s "$t/proofs/theory/$1" "$work/sound/proofs/theory/$1" ||
    { echo "selftest: the fault for $1 changes nothing: $2"; failed=$((failed + 1)); }
}
refuse() { # what, pattern of the message
  cases=$((cases + 1))
  if out=$(python3 "$t/proofs/theory.py" 2>&1); then
    echo "selftest: $1: passed, must be refused"
    failed=$((failed + 1))
  elif ! grep -qE "$2" <<< "$out"; then
    echo "selftest: $1: refused without the message: $2"
    sed 's/^/   /' <<< "$out" | tail -5
    failed=$((failed + 1))
  fi
}

fault Scalar.v 's/3 \* 0.044715/2 * 0.044715/'
refuse "a changed constant" 'Scalar.v:[0-9]+: in gelu_correct'
fault Softmax.v '/^Definition softmax_vjp/,/\.$/s/(dy i - bsum n (fun k => dy k \* softmax n x k))/dy i/'
refuse "a dropped term" 'Softmax.v:[0-9]+: in softmax_is_vjp'
fault Norm.v '/^Definition layer_norm_vjp/,/end\.$/s/- bsum n (fun k => dy k \* w k) \/ INR n//'
refuse "a dropped sum of a norm's gradient" 'Norm.v:[0-9]+: in layer_norm_is_vjp'
fault Tape.v 's/a v k + bwd o e (a p) v k/bwd o e (a p) v k/'
refuse "gradients that are not accumulated" 'Tape.v:[0-9]+: in reverse_sweep_correct'
fault Tape.v '/^Theorem reverse_sweep_correct/,/^Qed/s/^Qed\./Admitted./'
refuse "an admitted theorem" 'Tape.v:[0-9]+: Admitted is refused, in reverse_sweep_correct'
fault Sums.v '$a Axiom everything : forall P : Prop, P.'
refuse "an inconsistent axiom" 'Sums.v:[0-9]+: Axiom is refused'
fault Sums.v '$a Hypothesis everything : forall P : Prop, P.'
refuse "an axiom by another name" 'Sums.v:[0-9]+: outside a section this is an axiom'
fault Scalar.v '/^Lemma gelu_correct/i Definition is_derive (f : R -> R) (x d : R) : Prop := True.'
refuse "a shadowed name" 'Scalar.v: the name is_derive stands in Coq.s library'
fault Sums.v '$a Definition ln (x : R) : R := 0.'
refuse "a name of the library" 'Sums.v: the name ln stands in Coq.s library'
fault Loss.v '$a Definition softmax (n : nat) (x : nat -> R) (i : nat) : R := 0.'
refuse "a name of another file" '(Loss|Softmax).v: softmax stands in .* too'
fault Sums.v '$a Local Notation "x + y" := (Rminus x y) : R_scope.'
refuse "an operator that means another" 'Sums.v:[0-9]+: Notation is refused'
fault Sums.v '$a Unset Guard Checking.'
refuse "a weakened kernel" 'Sums.v:[0-9]+: Unset is refused'
fault axioms '/classic$/d'
refuse "an axiom that is not listed" 'axiom Coq.Logic.Classical_Prop.classic is used and not listed'

echo "theory's self-test: $((cases - failed)) of $cases faults named"
exit $((failed > 0))
