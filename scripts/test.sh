#!/bin/bash
# test.sh: every check that needs no GPU, stage by stage; a failed stage does not stop the next.
# The last line is "N passed, N failed": libcheck's tests and the other stages, one each.
set -u
cd "$(dirname "$0")/.."
export LC_ALL=C PYTHONDONTWRITEBYTECODE=1
logs=build/logs
mkdir -p $logs
jobs=-j$(nproc)
passed=0 failed=0 broken= open=0 # open: stages that have begun and not ended

log_of() { echo "$logs/$(tr ' /' '__' <<<"$1").log"; }

# ended NAME SECONDS PASSED: counts one, and shows the lines of its log that match $summary, or
# the end of it when the stage failed.
ended() {
  local log
  open=$((open - 1))
  log=$(log_of "$1")
  printf '== %s\n' "$1"
  if "$3"; then
    passed=$((passed + 1))
    grep -E "$summary" "$log" | tail -25 | sed 's/^/   /'
    printf '   ok (%d s)\n' "$2"
  else
    failed=$((failed + 1)) broken="$broken, $1"
    tail -60 "$log" | sed 's/^/   /'
    printf '   FAILED (%d s), all of it in %s\n' "$2" "$log"
  fi
}

# stage NAME CMD...: runs what keeps all cores busy.
stage() {
  local name=$1 start=$SECONDS good=true
  open=$((open + 1))
  shift
  "$@" >"$(log_of "$name")" 2>&1 </dev/null || good=false
  ended "$name" $((SECONDS - start)) $good
}

# lane NAME CMD...: runs what keeps one core busy, as many at a time as there are cores, and says
# how it ended when a later one needs its core. `drain` waits for all.
declare -A lane_name=() lane_start=() lane_summary=()
lane() {
  local name=$1
  open=$((open + 1))
  shift
  [ ${#lane_name[@]} -lt "$(nproc)" ] || next_lane
  "$@" >"$(log_of "$name")" 2>&1 </dev/null &
  lane_name[$!]=$name lane_start[$!]=$SECONDS lane_summary[$!]=$summary
}
next_lane() {
  local pid good=true summary
  wait -n -p pid "${!lane_name[@]}" || good=false
  summary=${lane_summary[$pid]}
  ended "${lane_name[$pid]}" $((SECONDS - lane_start[$pid])) $good
  unset "lane_name[$pid]"
}
drain() { while [ ${#lane_name[@]} -gt 0 ]; do next_lane; done; }
summary='^$^' # a stage that has a line worth showing says so

# suites DIR: runs each libcheck program, one a core, and counts its tests. Each leaves its exit status
# in a file: the suites fork so often that numbers of processes come again, and the shell forgets the
# status of a child of its own whose number it meets again.
suites() {
  local dir=$1 cores running=0 t name log rc line checks bad
  cores=$(nproc)
  for t in "$dir"/test_*; do
    [ -x "$t" ] && [ -f "$t" ] || continue
    log=$(log_of "${t#build/}")
    rm -f "$log.status"
    if [ $running -ge "$cores" ]; then wait -n; else running=$((running + 1)); fi
    {
      CK_VERBOSITY=normal CK_DEFAULT_TIMEOUT=120 "$t" >"$log" 2>&1 </dev/null
      echo $? >"$log.status"
    } &
  done
  wait
  for t in "$dir"/test_*; do
    [ -x "$t" ] && [ -f "$t" ] || continue
    name=${t#build/}
    log=$(log_of "$name")
    rc=$(cat "$log.status" || echo 1)
    line=$(grep -E '^[0-9]+%: Checks: [0-9]+, Failures: [0-9]+, Errors: [0-9]+' "$log" | tail -1)
    checks=$(sed -nE 's/.*Checks: ([0-9]+),.*/\1/p' <<<"$line")
    bad=$(sed -nE 's/.*Failures: ([0-9]+), Errors: ([0-9]+).*/\1+\2/p' <<<"$line")
    bad=$((${bad:-0}))
    if [ "${checks:-0}" -eq 0 ] || { [ "$rc" -ne 0 ] && [ $bad -eq 0 ]; }; then
      failed=$((failed + 1)) broken="$broken, $name"
      tail -40 "$log"
      echo "   $name: exit $rc, ${checks:-0} tests: FAILED"
      continue
    fi
    passed=$((passed + checks - bad)) failed=$((failed + bad))
    echo "$name: $line"
    [ $bad -eq 0 ] || { broken="$broken, $name"; grep -E ':[FE]:' "$log" | sed 's/^/   /'; }
  done
}

stage "build (-Wall -Wextra -Werror)" make $jobs -s --no-print-directory programs suites library
stage "build with sanitizers" make $jobs -s --no-print-directory sanitize
if [ -n "$(command -v nvcc || ls /usr/local/cuda/bin/nvcc 2>/dev/null)" ]; then
  stage "nvcc for sm_90" make $jobs -s --no-print-directory gpu
else
  echo "== nvcc for sm_90: nvcc is not installed, not run"
fi
summary='^(ref|cuda), |^total|probes|replayed|believed|from clean|to check against|checked|all proven|errors,|coqchk' \
  stage "proofs (what changed, and by the day a 32nd, and a 120th from clean)" \
  bash proofs/prove.sh --check --today 32 --fresh 120 --most 5000
# What uses all cores by itself.
summary='broke a goal' stage "faults break proofs (a 300th of them, by the day)" \
  bash proofs/mutate.sh --today 300
echo "== suites"
suites build/tests
echo "== suites under ASan and UBSan"
suites build/asan/tests
summary='killed|mutant' stage "mutants (a 24th of them, by the day)" bash tests/mutants.sh --today 24
summary='.' stage "cppcheck" bash scripts/cppcheck.sh
summary='^threads:' stage "the runtime under ThreadSanitizer" make -s --no-print-directory threads
summary='^shadow:' stage "the shadow finds faults planted in kernels" bash tests/shadow_plants.sh

# What uses one, the longest first.
summary='cases|PASS|FAIL' lane "diffcheck on the simulator" build/diffcheck run --backend sim --cases 100
summary='cases|PASS|FAIL' lane "diffcheck under ASan and UBSan" build/asan/diffcheck run --backend sim --cases 16
summary='passed|failed|commands' lane "Python, as its wheel installs it, and docs/python.md" \
  bash scripts/python_tests.sh
summary='self-test' lane "the theory check refuses what is tampered with (a sixth, by the day)" \
  bash proofs/theory_selftest.sh --today 6
summary='self-test' lane "the proof check finds what is missing" bash proofs/selftest.sh
summary='planted:' lane "edits of what is claimed are refused (a quarter of them, by the day)" \
  python3 proofs/tools/planted.py --today 4
summary='self-test' lane "the check of launches finds other contracts" python3 proofs/tools/requires.py --self-test
summary='self-test' lane "owners that contradict themselves are found" python3 proofs/tools/owners.py --self-test
summary='self-test' lane "launches by another contract are found" python3 proofs/tools/launched.py --self-test
summary='.' lane "coverage script finds what is missing" python3 scripts/coverage.py --self-test
summary='.' lane "the check of levels finds what is not earned" python3 scripts/levels.py --self-test
summary='.' lane "the check of readings finds what parts them" python3 scripts/lint_readings.py --self-test
summary='.' lane "docs/your-kernel.md, machines.md and gpt.md, command by command" python3 scripts/doc_commands.py
summary='.' lane "what is installed, and a program outside of the tree" bash tests/install.sh
summary='faults' lane "primitives that do less (an eighth of them, by the day)" \
  bash tests/vocabulary_plants.sh --today 8
summary='primitives' lane "the vocabulary, primitive by primitive" build/vocabulary_sim
summary='.' lane "first_check" build/first_check
# Its figures are not held to what they are to be: the machine is busy.
summary='.' lane "what the runtime costs beside its kernels" bash -c 'for b in ref sim; do
  PROOFMARK_BACKEND=$b build/overhead 500 2 || [ $? = 1 ] || exit 2; done'
lane "proofs/launches says which kernels the launchers start" \
  bash -c 'build/diffcheck list --launches | diff proofs/launches - || {
    echo "build/diffcheck list --launches > proofs/launches, and look at the change"; exit 1; }'
summary='.' lane "coverage of the catalogue" python3 scripts/coverage.py
summary='.' lane "levels" python3 scripts/levels.py
lane "README and STATUS state what is proven" python3 scripts/status.py --check
summary='.' lane "kernel lint" python3 scripts/lint_kernels.py
summary='.' lane "kernel lint finds what is wrong" python3 scripts/lint_kernels.py --self-test
summary='.' lane "what the prover reads is what nvcc reads" python3 scripts/lint_readings.py
summary='.' lane "the vocabulary's test has all of it" python3 scripts/lint_vocabulary.py
summary='.' lane "that lint finds what is left out" python3 scripts/lint_vocabulary.py --self-test
summary='.' lane "diffcheck's rooms" python3 scripts/lint_diffcheck.py
summary='.' lane "diffcheck's lint finds what is wrong" python3 scripts/lint_diffcheck.py --self-test
summary='.' lane "the check of docs finds what is wrong" python3 scripts/doc_commands.py --self-test
summary='.' lane "lengths" python3 scripts/lint_style.py
summary='.' lane "the check of lengths finds what is too long" python3 scripts/lint_style.py --self-test
lane "clang-format" bash scripts/format.sh --check
drain

[ $open -eq 0 ] || printf '\n%d stages have not ended\n' $open
[ $failed -eq 0 ] || printf '\nfailed: %s\n' "${broken#, }"
printf '\n%d passed, %d failed\n' $passed $failed
[ $failed -eq 0 ] && [ $open -eq 0 ] && [ $passed -gt 0 ]
