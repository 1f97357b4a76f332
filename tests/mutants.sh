#!/bin/bash
# mutants.sh [N... | --today N]: every fault of tests/mutants (or those numbered, or the Nth part of
# them that is today's turn) is built into a simulator of its own, outside of the tree; diffcheck
# must say FAIL, and the line that it prints must replay to the same. A crash or a hang counts as
# caught, but says so. A fault of ref/ is a bound that is too wide: test_growth must name the op.
# Exit 1 when a mutant survives, or when a fault can no longer be seeded: of those, too, whose turn it
# is not.
set -u
cd "$(dirname "$0")/.."
root=$PWD
export LC_ALL=C NO_COLOR=1
table=tests/mutants
cases=${MUTANT_CASES:-400}

# fault NUMBER: that row of the table to op, file, what and script.
fault() {
  IFS='|' read -r op file what script <<<"$(grep -v '^#' $table | sed -n "${1}p")"
  op=${op// /} file=${file// /} what=$(sed "s/^ *//; s/ *$//" <<<"$what") script=${script# }
}

# one NUMBER: prints "status|number|op|what|how it was caught".
one() {
  local number=$1 op file what script tree out rc kind line
  fault "$number"
  tree=$work/$number
  mkdir -p "$tree/build" "$tree/proofs"
  cp -a Makefile spec ref cuda diffcheck runtime "$tree"
  cp -a build/obj build/flags build/proof_results.h "$tree/build"
  # a fault may leave a variable unused: warnings are no errors here, and no reason to rebuild
  sed -i 's/-Werror//g' "$tree/build/flags"
  touch -r build/flags "$tree/build/flags"
  sed -i -e "$script" "$tree/$file" || { echo "error|$number|$op|$what|sed failed"; return; }
  if cmp -s "$file" "$tree/$file"; then
    echo "error|$number|$op|$what|the fault no longer applies to $file"
    return
  fi
  local program=diffcheck
  if [[ $file == ref/* ]]; then
    program=tests/test_growth
    cp -a tests docs "$tree"
  fi
  if ! make -C "$tree" -s --no-print-directory WERROR= "build/$program" >"$tree/log" 2>&1; then
    echo "error|$number|$op|$what|does not build: $(grep -m1 error "$tree/log")"
    return
  fi
  if [[ $file == ref/* ]]; then
    kind=$(cd "$tree" && "build/$program" 2>&1 | grep -m1 "^$op .*: the bound grew")
    [ -n "$kind" ] && out=killed || out=survived
    echo "$out|$number|$op|$what|(test_growth)|$kind"
    rm -rf "$tree"
    return
  fi
  out=$tree/out
  timeout 60 "$tree/build/diffcheck" run "$op" --backend sim --cases "$cases" --large=0 -q \
    --timeout 5 >"$out" 2>&1 </dev/null
  rc=$?
  case $rc in
  0) echo "survived|$number|$op|$what|" ;;
  1)
    line=$(sed -nE "s/.*replay '(.*)'.*/\1/p" "$out" | head -1)
    kind=$(grep -m1 '^FAIL' "$out" | sed 's/^FAIL //')
    "$tree/build/diffcheck" replay --backend sim --timeout 5 "$line" >/dev/null 2>&1
    if [ $? -eq 1 ] && [ -n "$line" ]; then
      echo "killed|$number|$op|$what|$line|$kind"
    else
      echo "error|$number|$op|$what|the replay line does not fail: $line"
    fi
    ;;
  124) echo "killed|$number|$op|$what|(hang)|" ;;
  13[0-9]) echo "killed|$number|$op|$what|(crash, signal $((rc - 128)))|" ;;
  *) echo "error|$number|$op|$what|exit $rc: $(tail -1 "$out")" ;;
  esac
  rm -rf "$tree"
}

if [ "${1:-}" = --one ]; then
  work=$2
  one "$3"
  exit 0
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
make -s --no-print-directory build/diffcheck || exit 2
total=$(grep -vc '^#' $table)
numbers=("$@")
if [ "${1:-}" = --today ]; then
  part=${2:?--today N: which part of all}
  mapfile -t numbers < <(seq $((10#$(date +%j) % part + 1)) "$part" "$total")
fi
[ $# -gt 0 ] || mapfile -t numbers < <(seq "$total")
{
  printf '%s\n' "${numbers[@]}" |
    xargs -P "$(nproc)" -I{} bash "$root/tests/mutants.sh" --one "$work" {}
  # those whose turn it is not must at least find their text
  comm -23 <(seq "$total" | sort) <(printf '%s\n' "${numbers[@]}" | sort) | while read -r n; do
    fault "$n"
    sed -e "$script" "$file" | cmp -s "$file" - &&
      echo "error|$n|$op|$what|the fault no longer applies to $file"
  done
} >"$work/results"
sort -t'|' -k2n "$work/results" | awk -F'|' '
  { printf "%-9s %-21s %-36s %s\n", $1, $3, $4, $5; n[$1]++; if ($6 != "") print "          " $6 }
  END {
    printf "%d of %d mutants killed", n["killed"], NR
    if (n["survived"]) printf ", %d survived", n["survived"]
    if (n["error"]) printf ", %d in error", n["error"]
    print ""
    exit n["killed"] == NR && NR > 0 ? 0 : 1
  }'
