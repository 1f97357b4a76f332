#!/bin/bash
# why3.sh: writes build/why3/why3.conf for this checkout and prints its path.
# It lists CVC4, Z3 (and its noBV variant), cvc5, and cvc5i, which is cvc5 with --quant-ind: the
# prover that finds inductions. Why3 1.5 does not detect cvc5 by itself. cvc4s is for the smoke
# tests: there are thousands, and each takes all the time that it is given, 0.4 s of processor time
# where CVC4's own entry would give it a second of wall time.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
dir=$root/build/why3

missing=()
for tool in frama-c:frama-c-base why3:why3 z3:z3 cvc4:cvc4 cvc5:cvc5 gcc:gcc; do
  command -v "${tool%%:*}" >/dev/null || missing+=("${tool##*:}")
done
if [ ${#missing[@]} -gt 0 ]; then
  echo "why3.sh: not installed: ${missing[*]}. Run:" \
       "apt-get install --no-install-recommends ${missing[*]}" >&2
  exit 2
fi

version() { grep -oE '[0-9]+\.[0-9]+(\.[0-9]+)?' | head -1; }
cvc4_version=$(cvc4 --version 2>/dev/null | grep -E 'CVC4 version' | version)
cvc5_version=$(cvc5 --version 2>/dev/null | grep -E 'cvc5 version' | version)
z3_version=$(z3 --version | version)
datadir=$(why3 --print-datadir)
cvc5=$(command -v cvc5)

mkdir -p "$dir"
# an absolute import, so that what it imports in turn is found beside it
sed "s|cvc4_16.gen|$datadir/drivers/&|" "$root/proofs/cvc5.drv" > "$dir/cvc5.drv.new"
cmp -s "$dir/cvc5.drv.new" "$dir/cvc5.drv" || cp "$dir/cvc5.drv.new" "$dir/cvc5.drv"

# cvc5's own limit (--tlimit) is wall time: on a busy machine it gave up on goals that it proves. Without
# it Why3 limits the processor time, as it does for CVC4.
cvc5_entry() { # shortcut, alternative line, option
  cat <<EOF

[prover]
command = "$cvc5 --stats $3--lang=smt2 %f"
command_steps = "$cvc5 --stats --rlimit=%S $3--lang=smt2 %f"
driver = "$dir/cvc5.drv"
editor = ""
in_place = false
interactive = false
name = "CVC5"
${2}shortcut = "$1"
version = "$cvc5_version"
EOF
}

{
  cat <<EOF
[main]
datadir = "$datadir"
libdir = "$(why3 --print-libdir)"
magic = 14
memlimit = 2000
running_provers_max = 1
timelimit = 5

[partial_prover]
name = "CVC4"
path = "$(command -v cvc4)"
version = "$cvc4_version"

[partial_prover]
name = "Z3"
path = "$(command -v z3)"
version = "$z3_version"

[prover]
command = "$(command -v cvc4) --stats --cpu-time --tlimit=400 --lang=smt2 %f"
driver = "cvc4_17"
editor = ""
in_place = false
interactive = false
name = "CVC4"
alternative = "smoke"
shortcut = "cvc4s"
version = "$cvc4_version"
EOF
  cvc5_entry cvc5 "" ""
  cvc5_entry cvc5i $'alternative = "ind"\n' "--quant-ind "
} > "$dir/why3.conf.new"
# replaced only when it differs: two provings may start at once
cmp -s "$dir/why3.conf.new" "$dir/why3.conf" || cp "$dir/why3.conf.new" "$dir/why3.conf"
echo "$dir/why3.conf"
