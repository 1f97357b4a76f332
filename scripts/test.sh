#!/bin/bash
# test.sh: every check that needs no GPU, stage by stage; a failed stage does not stop the next.
# The last line is "N passed, N failed": libcheck's tests and the other stages, one each.
set -u
cd "$(dirname "$0")/.."
export LC_ALL=C PYTHONDONTWRITEBYTECODE=1
logs=build/logs
mkdir -p $logs
jobs=-j$(nproc)
passed=0 failed=0 broken=

log_of() { echo "$logs/$(tr ' /' '__' <<<"$1").log"; }

# begin NAME CMD...: starts a stage that keeps one core busy; `stage NAME` waits for it.
declare -A begun
begin() {
  local name=$1 log
  shift
  log=$(log_of "$name")
  "$@" >"$log" 2>&1 </dev/null &
  begun[$name]=$!
}

# stage NAME [CMD...]: runs CMD with its output in a log that is shown when it fails, and the
# lines that say what was checked when it passes. Counts one. A stage that was begun has its CMD.
stage() {
  local name=$1 start=$SECONDS log
  shift
  log=$(log_of "$name")
  printf '== %s\n' "$name"
  if [ -n "${begun[$name]:-}" ]; then
    set -- wait "${begun[$name]}"
  else
    : >"$log"
  fi
  if "$@" >>"$log" 2>&1 </dev/null; then
    passed=$((passed + 1))
    grep -E "$summary" "$log" | tail -25 | sed 's/^/   /'
    printf '   ok (%d s)\n' $((SECONDS - start))
  else
    failed=$((failed + 1)) broken="$broken, $name"
    tail -60 "$log" | sed 's/^/   /'
    printf '   FAILED (%d s), all of it in %s\n' $((SECONDS - start)) "$log"
  fi
}
summary='^$^' # a stage that has a line worth showing says so

# suites DIR: runs each libcheck program, one a core, and counts its tests.
suites() {
  local dir=$1 t name log rc line checks bad
  local -A running=()
  for t in "$dir"/test_*; do
    [ -x "$t" ] && [ -f "$t" ] || continue
    log=$(log_of "${t#build/}")
    while [ "$(jobs -pr | wc -l)" -ge "$(nproc)" ]; do sleep 0.1; done
    CK_VERBOSITY=normal CK_DEFAULT_TIMEOUT=120 "$t" >"$log" 2>&1 </dev/null &
    running[$t]=$!
  done
  for t in "$dir"/test_*; do
    [ -n "${running[$t]:-}" ] || continue
    name=${t#build/}
    log=$(log_of "$name")
    wait "${running[$t]}"
    rc=$?
    line=$(grep -E '^[0-9]+%: Checks: [0-9]+, Failures: [0-9]+, Errors: [0-9]+' "$log" | tail -1)
    checks=$(sed -nE 's/.*Checks: ([0-9]+),.*/\1/p' <<<"$line")
    bad=$(sed -nE 's/.*Failures: ([0-9]+), Errors: ([0-9]+).*/\1+\2/p' <<<"$line")
    bad=$((${bad:-0}))
    if [ "${checks:-0}" -eq 0 ] || { [ $rc -ne 0 ] && [ $bad -eq 0 ]; }; then
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

stage "build (-Wall -Wextra -Werror)" make $jobs -s --no-print-directory programs suites
stage "build with sanitizers" make $jobs -s --no-print-directory sanitize
if [ -n "$(command -v nvcc || ls /usr/local/cuda/bin/nvcc 2>/dev/null)" ]; then
  stage "nvcc for sm_90" make $jobs -s --no-print-directory gpu
else
  echo "== nvcc for sm_90: nvcc is not installed, not run"
fi
summary='^(ref|cuda), |^total|probes|replayed|from clean|to check against|checked against|all proven|errors,|coqchk' \
  stage "proofs (what changed, and by the day a 32nd, and a 120th from clean)" \
  bash proofs/prove.sh --check --today 32 --fresh 120
tampered="the theory check refuses what is tampered with (a quarter, by the day)"
begin "$tampered" bash proofs/theory_selftest.sh --today 4
summary='self-test' stage "the proof check finds what is missing" bash proofs/selftest.sh
summary='self-test' stage "the check of launches finds other contracts" python3 proofs/tools/requires.py --self-test
summary='self-test' stage "owners that contradict themselves are found" python3 proofs/tools/owners.py --self-test
summary='self-test' stage "launches by another contract are found" python3 proofs/tools/launched.py --self-test
summary='self-test' stage "$tampered"
summary='planted:' stage "edits of what is claimed are refused (a quarter of them, by the day)" \
  python3 proofs/tools/planted.py --today 4
summary='broke a goal' stage "faults break proofs (a 240th of them, by the day)" \
  bash proofs/mutate.sh --today 240
echo "== suites"
suites build/tests
echo "== suites under ASan and UBSan"
suites build/asan/tests
summary='primitives' stage "the vocabulary, primitive by primitive" build/vocabulary_sim
summary='faults' stage "primitives that do less (an eighth of them, by the day)" \
  bash tests/vocabulary_plants.sh --today 8
begin "diffcheck under ASan and UBSan" build/asan/diffcheck run --backend sim --cases 32
summary='cases|PASS|FAIL' stage "diffcheck on the simulator" build/diffcheck run --backend sim --cases 250
summary='cases|PASS|FAIL' stage "diffcheck under ASan and UBSan"
summary='.' stage "first_check" build/first_check
[ -f tests/mutants.sh ] && summary='killed|mutant' stage "mutants (a tenth of them, by the day)" \
  bash tests/mutants.sh --today 10
summary='^threads:' stage "the runtime under ThreadSanitizer" make -s --no-print-directory threads
summary='^shadow:' stage "the shadow finds faults planted in kernels" bash tests/shadow_plants.sh
stage "proofs/launches says which kernels the launchers start" \
  bash -c 'build/diffcheck list --launches | diff proofs/launches - || {
    echo "build/diffcheck list --launches > proofs/launches, and look at the change"; exit 1; }'
summary='.' stage "coverage of the catalogue" python3 scripts/coverage.py
summary='.' stage "coverage script finds what is missing" python3 scripts/coverage.py --self-test
summary='.' stage "levels" python3 scripts/levels.py
summary='.' stage "the check of levels finds what is not earned" python3 scripts/levels.py --self-test
stage "README and STATUS state what is proven" python3 scripts/status.py --check
summary='.' stage "kernel lint" python3 scripts/lint_kernels.py
summary='.' stage "kernel lint finds what is wrong" python3 scripts/lint_kernels.py --self-test
summary='.' stage "what the prover reads is what nvcc reads" python3 scripts/lint_readings.py
summary='.' stage "the check of readings finds what parts them" python3 scripts/lint_readings.py --self-test
summary='.' stage "the vocabulary's test has all of it" python3 scripts/lint_vocabulary.py
summary='.' stage "that lint finds what is left out" python3 scripts/lint_vocabulary.py --self-test
summary='.' stage "diffcheck's rooms" python3 scripts/lint_diffcheck.py
summary='.' stage "diffcheck's lint finds what is wrong" python3 scripts/lint_diffcheck.py --self-test
summary='.' stage "docs/your-kernel.md and machines.md, command by command" python3 scripts/doc_commands.py
summary='.' stage "what is installed, and a program outside of the tree" bash tests/install.sh
summary='passed|failed|commands' stage "Python, as its wheel installs it, and docs/python.md" \
  bash scripts/python_tests.sh
summary='.' stage "the check of docs finds what is wrong" python3 scripts/doc_commands.py --self-test
summary='.' stage "lengths" python3 scripts/lint_style.py
summary='.' stage "the check of lengths finds what is too long" python3 scripts/lint_style.py --self-test
stage "clang-format" bash scripts/format.sh --check
summary='.' stage "cppcheck" bash scripts/cppcheck.sh

[ $failed -eq 0 ] || printf '\nfailed: %s\n' "${broken#, }"
printf '\n%d passed, %d failed\n' $passed $failed
[ $failed -eq 0 ] && [ $passed -gt 0 ]
