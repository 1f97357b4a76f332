#!/bin/bash
# shadow_plants.sh: seeds faults of tests/mutants in kernels that examples/digits and examples/gpt run, each in
# a copy of the tree, and trains there in the shadow of the reference: the run must stop at that op, called from
# a line of the example that names it or the op that it is the gradient of, and the case that it writes must
# fail when diffcheck of that copy replays it.
set -u
cd "$(dirname "$0")/.."
export LC_ALL=C
root=$PWD
plants=(
  'digits|gelu_vjp|missing term of the gradient'
  'digits|layer_norm_vjp|missing mean of G in the gradient'
  'digits|adamw_step|decays last'
  'gpt|rms_norm_vjp|missing mean of G xhat in the gradient'
  'gpt|gather_rows_vjp|a duplicate overwrites'
)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

bad() {
  echo "shadow: $program, $op, $what: $*"
  failed=$((failed + 1))
}

programs=(build/digits build/gpt build/diffcheck)
make -s --no-print-directory "${programs[@]}" || exit 2
# digits enough, drawn: each is a few strokes of its own, and noise
awk 'BEGIN { s = 7; for (n = 0; n < 200; n++) { d = (n + int(n / 5)) % 10; line = ""
  for (i = 0; i < 64; i++) { s = (s * 16807) % 2147483647; v = s % 4
    if ((i * (d + 1) + d) % 11 < 4) v += 12
    line = line v "," }
  print line d } }' >"$work/digits.csv"
# train PROGRAM: a step or some, in the shadow
train() {
  local how=(--epochs 1 "$work/digits.csv")
  [ "$1" = digits ] || how=(--layers 1 --width 16 --context 16 --batch 2 --norm rms --steps 1)
  PROOFMARK_BACKEND=shadow:sim PROOFMARK_SHADOW="folder=$work" "build/$1" "${how[@]}" >"$work/out" 2>&1
}
for program in digits gpt; do
  train $program || {
    cat "$work/out"
    echo "shadow: $program, without a fault: found one"
    exit 1
  }
done
mkdir -p "$work/tree/build"
cp -a Makefile spec ref cuda diffcheck runtime examples "$work/tree"
cp -a build/obj build/flags build/proof_results.h "$work/tree/build"
mkdir -p "$work/tree/proofs"
sed -i 's/-Werror//g' "$work/tree/build/flags"
touch -r build/flags "$work/tree/build/flags"
cd "$work/tree" || exit 2
for plant in "${plants[@]}"; do
  IFS='|' read -r program op what <<<"$plant"
  IFS='|' read -r _ file _ script <<<"$(grep "^$op |" "$root/tests/mutants" | grep -F "| $what |" | head -1)"
  file=${file// /}
  if [ -z "$file" ]; then bad "tests/mutants has no such fault"; continue; fi
  cp -a "$file" "$work/good"
  sed -i -e "${script# }" "$file"
  if cmp -s "$file" "$work/good"; then bad "no longer applies to $file"; continue; fi
  if ! make -s --no-print-directory WERROR= "${programs[@]}" >"$work/log" 2>&1; then
    bad "does not build: $(grep -m1 error "$work/log")"
  else
    train "$program"
    rc=$?
    said=$(grep -m1 "  first: step [0-9]*, $op " "$work/out")
    read -r source line < <(sed -nE 's/.* called at (examples[^:]*):([0-9]+)$/\1 \2/p' <<<"$said")
    replay=$(sed -n 's/^  diffcheck replay/replay/p' "$work/out")
    if [ $rc -ne 1 ] || [ -z "$said" ]; then
      bad "exit $rc: $(grep -vE '^(epoch|step) ' "$work/out" | tail -3)"
    elif ! sed -n "${line:-0}p" "${source:-/dev/null}" | grep -qi "call(.*\"${op%_vjp}\""; then
      bad "not at the line that calls it: $said"
    else
      eval "build/diffcheck $replay --backend sim" >"$work/replayed" 2>&1
      [ $? -eq 1 ] && grep -q "^FAIL" "$work/replayed" || bad "its case does not fail: $(tail -2 "$work/replayed")"
      echo "shadow: $program, $op, $what:${said#  first:}"
    fi
  fi
  cp -a "$work/good" "$file"
  touch "$file"
done
echo "shadow: ${#plants[@]} faults planted, $((${#plants[@]} - failed)) found"
[ $failed -eq 0 ]
