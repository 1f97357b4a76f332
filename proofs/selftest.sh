#!/bin/bash
# selftest.sh: the prover's own test. In a small tree of its own, everything that could let an
# unproven claim pass must make prove.sh fail with a message that names it.
set -uo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0 cases=0
unset PROOFMARK_BASE

tree() { # a fresh tree in $t, in which everything is proven
  t=$work/tree
  rm -rf "$t"
  mkdir -p "$t/spec" "$t/ref" "$t/proofs"
  cp -r "$root"/proofs/{why3.sh,cvc5.drv,prove.sh,mutate.sh,tools} "$t/proofs/"
  cat > "$t/proofs/units" <<'EOF'
ref/*       functions  cvc4  2
*           lemmas     cvc4  2
ref/math.c  trusted
EOF
  cat > "$t/spec/toy.h" <<'EOF'
/*@ axiomatic Twice {
      logic integer twice(integer n) reads \nothing;
      axiom twice_def: \forall integer n; twice(n) == 2 * n;
    }
    lemma twice_pos: \forall integer n; 0 < n ==> n < twice(n);
    logic integer count(integer n) = n <= 0 ? 0 : count(n-1) + 1;
*/
EOF
  cat > "$t/ref/ref.h" <<'EOF'
/*@ assigns \nothing; ensures \result > 0.0; */
double ref_exp(double x);
EOF
  cat > "$t/ref/math.c" <<'EOF'
#include "ref.h"
double ref_exp(double x) { return x < 0.0 ? 1.0 : 2.0; }
EOF
  cat > "$t/ref/toy.c" <<'EOF'
#include "../spec/toy.h"
#include "ref.h"
/*@ requires 0 <= n <= 1000; assigns \nothing; ensures \result == twice(n); */
static int ref_twice(int n) { return n + n; }
/*@ requires 0 < n <= 1000; assigns \nothing; ensures \result > n; */
int ref_more(int n) { return ref_twice(n); }
EOF
  cat > "$t/proofs/mutants" <<'EOF'
ref/toy.c | ref_twice | n + n => n - n
ref/toy.c | ref_more | ref_twice(n) => ref_twice(1)
EOF
  cat > "$t/SOUNDNESS.md" <<'EOF'
## Axioms
| `twice_def` | definition |
## Trusted contracts
| `ref_exp` | the C library |
EOF
}

refuse() { # what, pattern of the message, command
  cases=$((cases + 1))
  if out=$(cd "$t" && eval "${3:-proofs/prove.sh}" 2>&1); then
    echo "selftest: $1: passed, must fail"
    failed=$((failed + 1))
  elif ! grep -qE "$2" <<< "$out"; then
    echo "selftest: $1: failed without the message: $2"
    sed 's/^/   /' <<< "$out" | tail -5
    failed=$((failed + 1))
  fi
}

tree
cases=$((cases + 3))
changed='proofs/prove.sh --check --changed'
(cd "$t" && proofs/prove.sh && proofs/prove.sh --check) > "$work/log" 2>&1 ||
  { echo "selftest: the sound tree fails"; tail -8 "$work/log"; failed=$((failed + 1)); }
(cd "$t" && $changed) > "$work/log" 2>&1 && grep -q '^0 of' "$work/log" ||
  { echo "selftest: what is recorded is proven again"; tail -8 "$work/log"; failed=$((failed + 1)); }
(cd "$t" && proofs/mutate.sh) > "$work/log" 2>&1 ||
  { echo "selftest: mutants survive in the sound tree"; tail -8 "$work/log"
    failed=$((failed + 1)); }

cases=$((cases + 2))
stale="$(printf 'a%.0s' {1..32}) { \"prover\": \"CVC4:1.8\", \"verdict\": \"timeout\", \"time\": 2.0 }"
sort "$t/proofs/cache.txt" > "$work/answers"
echo "$stale" >> "$t/proofs/cache.txt"
(cd "$t" && proofs/prove.sh --changed) > "$work/log" 2>&1 && grep -q '^aaaa' "$t/proofs/cache.txt" ||
  { echo "selftest: answers are lost that a replay of a part had no use for"; failed=$((failed + 1)); }
(cd "$t" && proofs/prove.sh) > "$work/log" 2>&1 && sort "$t/proofs/cache.txt" | cmp -s - "$work/answers" ||
  { echo "selftest: a full replay keeps other answers than those that it asked for"
    sort "$t/proofs/cache.txt" | diff - "$work/answers"; failed=$((failed + 1)); }

cases=$((cases + 3))
python3 "$root/proofs/tools/shards.py" > "$work/log" 2>&1 || { cat "$work/log"; failed=$((failed + 1)); }
(cd "$t" && for i in 1 2 3; do proofs/prove.sh --shard $i/3 || exit 1; done &&
  proofs/prove.sh --check --merge build/shards/{3,1,2}-of-3.json) > "$work/log" 2>&1 &&
  grep -q '^all proven' "$work/log" ||
  { echo "selftest: three shards do not make a run"; tail -8 "$work/log"; failed=$((failed + 1)); }
# what a shard proved is its file's to say, and the cache's that comes with it
cp -r "$t" "$work/merged"
(cd "$work/merged" && rm -r proofs/{results,recorded.txt,cache.txt} build/prove/cache &&
  proofs/prove.sh --merge build/shards/*.json && diff -r proofs/results "$t/proofs/results" &&
  diff proofs/recorded.txt "$t/proofs/recorded.txt" && sort proofs/cache.txt | diff - "$work/answers") \
  > "$work/log" 2>&1 ||
  { echo "selftest: what a merge writes is not what a run does"; tail -8 "$work/log"; failed=$((failed + 1)); }

cp -r "$t" "$work/sound"
fault() { rm -rf "$t"; cp -r "$work/sound" "$t"; }

fault; sed -i '3d' "$t/ref/toy.c"
refuse "a removed contract" 'ref_twice has no contract'
fault; sed -i 's/ensures \\result == twice(n);//' "$t/ref/toy.c"
refuse "a contract that ensures nothing" 'ref_twice ensures nothing'
fault; sed -i '/twice_def/d' "$t/SOUNDNESS.md"
refuse "an unlisted axiom" 'axiom twice_def is not listed'
fault; sed -i '/ref_exp/d' "$t/SOUNDNESS.md"; echo '| `other` | |' >> "$t/SOUNDNESS.md"
refuse "an unlisted trusted contract" 'contract of ref_exp is trusted'
fault; sed -i 's/n < twice(n);/n > twice(n);/' "$t/spec/toy.h"
refuse "a lemma that does not hold" 'lemma twice_pos'
fault; sed -i -e '3i/*@ lemma more: \\forall integer n; n < n + 1; */' \
  -e 's/return n + n;/\n\/\/@ assert more: n <= 1000;\n&/' "$t/ref/toy.c"
refuse "an assertion with the name of a lemma" 'ref_twice has the name of a lemma'
fault; sed -i 's/ n < twice/ twice(n) > n + 1 || n < twice/; s/lemma twice/admit lemma twice/' \
  "$t/spec/toy.h"
refuse "an admitted lemma" 'axiom twice_pos is not listed'
fault; sed -i 's/return n + n;/\/\/@ admit n == 3;\n return 6;/' "$t/ref/toy.c"
refuse "an admit in code" 'admitted'
fault; sed -i 's/ensures \\result > n/admit ensures \\result > n/' "$t/ref/toy.c"
refuse "an admitted ensures" 'ref_more.* admit'
fault; sed -i 's/ensures \\result > n/ensures 1e3 > 1.0 \&\& \\result > n/' "$t/ref/toy.c"
refuse "a constant that WP misreads" 'misreads the constant 1e3'
fault; sed -i 's/return n + n;/return n;/' "$t/ref/toy.c"
refuse "a wrong function" 'function ref_twice has 1 unproven'
refuse "a wrong function where the right one is recorded" 'ref_twice has 1 unproven' "$changed"
(cd "$t" && proofs/prove.sh) > "$work/log" 2>&1 # its answers, and a forged one among them
sed -i 's/"verdict": "[a-z]*"/"verdict": "valid"/' "$t/proofs/cache.txt"
rm -rf "$t/build/prove/cache"
cases=$((cases + 1))
if ! (cd "$t" && proofs/prove.sh --check) > "$work/log" 2>&1 && grep -q 'has 1 unproven' "$work/log"; then
  echo "selftest: the forged answer was not taken, so the next case shows nothing"
  failed=$((failed + 1))
fi
refuse "a forged answer where the provers are asked again" 'ref_twice has 1 unproven' \
  'proofs/prove.sh --check --today 1 --fresh 1'

# ---- shards
merge='proofs/prove.sh --merge build/shards/*.json'
fault; rm "$t/build/shards/2-of-3.json"
refuse "a shard that is not there" 'shard 2/3 is missing' "$merge"
fault; cp "$t/build/shards/2-of-3.json" "$t/build/shards/4.json"
refuse "a shard given twice" 'is shard 2/3, as' "$merge"
fault; echo '{}' > "$t/build/shards/2-of-3.json"
refuse "a file that is no shard" 'is no shard of a proof run' "$merge"
fault; sed -i 's/return n + n;/return n + n + 0;/' "$t/ref/toy.c"
refuse "a text that no shard has proven" 'proved another text of it' "$merge"
fault; sed -i 's/return n + n;/return n;/' "$t/ref/toy.c"
refuse "a shard whose proof fails" 'ref_twice has 1 unproven' \
  'for i in 1 2 3; do proofs/prove.sh --shard $i/3; done; '"$merge"
refuse "a shard that cannot be" 'must be I/N' 'proofs/prove.sh --shard 4/3'
refuse "a shard of some units" 'proves all units' 'proofs/prove.sh --shard 1/3 ref/toy.c'

commit() { # all of $t; its first parent is what it is checked against
  (cd "$t" && git init -q . && git add proofs spec ref SOUNDNESS.md &&
    git -c user.name=selftest -c user.email=selftest@localhost commit -q --allow-empty -m "$1")
}
forge() { # records as proven whatever $t holds
  (cd "$t" && WHY3CONFIG=$(proofs/why3.sh) PYTHONPATH=proofs/tools python3 -c '
import framac, prove, recorded, task
plan = prove.Plan(prove.read_table(), framac.Pool(2))
recorded.write(recorded.proven(task.of(plan, plan.probes()), lambda job: True, set()))')
}
broken='s/return n + n;/return n;/'
fault; sed -i "$broken" "$t/ref/toy.c"; forge
cases=$((cases + 1))
if ! (cd "$t" && $changed) > "$work/log" 2>&1; then
  echo "selftest: the forged record was not taken, so the next cases show nothing"
  failed=$((failed + 1))
fi
fault; commit sound; sed -i "$broken" "$t/ref/toy.c"; forge
refuse "a forged record that is not committed" 'ref_twice has 1 unproven' "$changed"
commit forged
refuse "a forged record in a commit" 'ref_twice has 1 unproven' "$changed"
refuse "a forged record in a branch" 'ref_twice has 1 unproven' \
  "git update-ref refs/remotes/origin/main HEAD^ && git checkout -q -b side && $changed"
(cd "$t" && proofs/prove.sh) > "$work/log" 2>&1
sed -i 's/"verdict": "[a-z]*"/"verdict": "valid"/' "$t/proofs/cache.txt"
rm -rf "$t/build/prove"
commit "forged answers"
refuse "a forged answer in a commit" 'ref_twice has 1 unproven' 'git branch -qD side; proofs/prove.sh --check'
fault; sed -i 's/^[0-9a-f]*\( functions ref_toy\)/0123\1/' "$t/proofs/recorded.txt"
cp "$work/sound/proofs/recorded.txt" "$work/records"; cp "$t/proofs/recorded.txt" "$work/forged"
cp "$work/records" "$t/proofs/recorded.txt"; commit sound; cp "$work/forged" "$t/proofs/recorded.txt"
refuse "a record of a text that is not there" 'ref_toy.* is neither the base' "$changed"

fault; sed '/ref_more/d; /ref_twice(n); }/d; /n <= 1000; assigns .nothing; ensures .result > n/d' \
  "$t/ref/toy.c" > "$t/ref/other.h"; sed -i 's/return n + n;/return n;/' "$t/ref/toy.c"
refuse "a wrong function with the name of one that the file does not see" 'ref_twice has 1 unproven'
fault; echo 'ref/toy.c functions cvc4 2 fct=ref_twice' >> "$t/proofs/units"
refuse "a function that is never scheduled" 'ref_more is in no unit'
fault; printf 'ref/toy.c functions cvc4 %d\n' 1 2 >> "$t/proofs/units"
refuse "two rows that speak of the same file" 'ref/toy.c has two rows of kind functions'
fault; echo 'ref/toy.c functions cvc4 2 -wp-skip-fct ref_more' >> "$t/proofs/units"
refuse "a skipped function" 'wp-skip-fct is not allowed'
fault; sed -i 's/requires 0 < n <= 1000/requires 0 < n <= -1/' "$t/ref/toy.c"
refuse "a contradictory contract" 'smoke test.*ref_more'
# an op, of which a call must meet what its reference requires
fault
echo 'OP(move, toy, move, "E", "x:f(n) y:f(k)", "z:f()", "n k", "", "z = x[0]")' > "$t/spec/ops.def"
echo 'ref/* witnesses cvc4 2' >> "$t/proofs/units"
cat > "$t/proofs/statements" <<'EOF'
[requires]
ref_move: 1 <= n <= 1000 # so that no product overflows
ref_move: 1 <= k <= 1000 # likewise
ref_move: n * n != 2 * k * k # what no witness may contradict
EOF
cat > "$t/ref/move.h" <<'EOF'
/*@ requires 1 <= n <= 1000 && 1 <= k <= 1000 && n * n != 2 * k * k;
    requires \valid_read(x + (0 .. n-1)) && \valid_read(y + (0 .. k-1)) && \valid(z);
    assigns *z;
    ensures *z == \old(x[0]); */
void ref_move(int n, int k, const double *x, const double *y, double *z);
EOF
printf '#include "move.h"\nvoid ref_move(int n, int k, const double *x, const double *y, double *z)\n{ *z = x[0]; }\n' \
  > "$t/ref/move.c"
cases=$((cases + 1))
(cd "$t" && proofs/prove.sh && proofs/prove.sh --check --changed) > "$work/log" 2>&1 && grep -q '^0 of' "$work/log" ||
  { echo "selftest: a witness is refused, or not recorded"; tail -8 "$work/log"; failed=$((failed + 1)); }
cp -r "$t" "$work/witnessed"
contradict() { rm -rf "$t"; cp -r "$work/witnessed" "$t"; }
contradict; sed -i 's/n \* n !=/n * n ==/' "$t/ref/move.h" # the root of 2 is irrational: too hard for a smoke test
refuse "a contradiction that no smoke test finds" 'move.h: ref_move has no witness: .* unproven'
grep -q ': smoke test ' <<< "$out" && echo "selftest: a smoke test found it, so that case shows nothing" &&
  failed=$((failed + 1))
contradict; sed -i 's/move, toy, move/shift, toy, shift/' "$t/spec/ops.def"
refuse "an op without a reference" 'the op shift has no witness: no header of ref/ declares ref_shift'
contradict; rm "$t/spec/ops.def"
refuse "a reference without an op" 'move.h: ref_move has no witness: it is of no op'
contradict; sed -i '/witnesses/d' "$t/proofs/units"
refuse "witnesses that no row of units has" 'no row of kind witnesses for ref/move.h'
fault; sed -i 's/axiom twice_def.*/&\n axiom twice_odd: \\forall integer n; twice(n) == n;/' \
  "$t/spec/toy.h"; sed -i 's/^| `twice_def.*/&\n| `twice_odd` | |/' "$t/SOUNDNESS.md"
refuse "contradictory axioms" 'probe_(false|terms) is proven'
fault; sed -i 's/count(n-1)/count(n+1)/' "$t/spec/toy.h"
refuse "a recursion without end" 'recursive definition count'
fault; sed -i 's/n <= 0 ? 0 : count(n-1) + 1/n <= 0 ? count(n-1) + 1 : 0/' "$t/spec/toy.h"
refuse "a recursion in the branch that should end it" 'recursive definition count'
fault; sed -i 's/axiom twice_def.*/&\n axiom least: \\forall integer n; 0 <= twice(n);/' "$t/spec/toy.h"
sed -i 's/^| `twice_def.*/&\n| `least` | |/' "$t/SOUNDNESS.md"
refuse "a false axiom" 'the axiom least defines nothing'
cases=$((cases + 2))
python3 "$root/proofs/tools/definitions.py" --self-test ||
  { echo "selftest: recursions and axioms without a model"; failed=$((failed + 1)); }
WHY3CONFIG=$("$root/proofs/why3.sh") python3 "$root/proofs/tools/probes.py" --self-test 4 ||
  { echo "selftest: axioms without a model, the day's quarter"; failed=$((failed + 1)); }
fault; sed -i 's/#include "ref.h"/&\nvoid other(int n);/; s/{ return ref_twice/{ other(n); &/;
               s/other(n); { /other(n); /' "$t/ref/toy.c"
refuse "a call without a contract" 'calls other'
fault; sed -i 's/{ return ref_twice(n); }/{ while (1) ; return 1; }/' "$t/ref/toy.c"
refuse "a function that does not end" 'ref_more'
fault; sed -i 's/"proven": /"proven": 1/' "$t"/proofs/results/ref_toy.c.json
refuse "results that differ" 'ref_toy.c.json differs' 'proofs/prove.sh --check'
refuse "results that differ from what is recorded" 'ref_toy.c.json differs' "$changed"
fault; sed -i '$d' "$t/proofs/mutants"
refuse "a function without a mutant" 'no mutant of the function ref_more' 'proofs/mutate.sh'
fault; sed -i 's/n - n/n + n/' "$t/proofs/mutants"
refuse "a mutant that changes nothing" 'changes nothing' 'proofs/mutate.sh'
fault; sed -i 's/=> ref_twice(1)/=> ref_twice(n) + 1/' "$t/proofs/mutants"
refuse "a mutant that survives" 'survived' 'proofs/mutate.sh'
fault; sed -i 's/ref_more | ref_twice(n)/ref_more | ref_thrice(n)/' "$t/proofs/mutants"
refuse "a mutant whose text is gone" "has no 'ref_thrice" 'proofs/mutate.sh'

echo "prover's self-test: $((cases - failed)) of $cases faults named"
exit $((failed > 0))
