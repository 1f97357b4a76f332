#!/bin/bash
# cppcheck.sh: static analysis of the C code (kernel text is C++ through macros that only the
# compilers read: the sanitizer build and the proofs cover that).
set -eu
cd "$(dirname "$0")/.."
mapfile -t files < <(find ref diffcheck runtime tests examples -name '*.c' ! -path 'tests/mutants/*' | sort)
[ ${#files[@]} -gt 0 ] || { echo "cppcheck.sh: found no file to check" >&2; exit 1; }
mkdir -p build/cppcheck
make -s --no-print-directory build/proof_results.h
cppcheck -q -j "$(nproc)" --std=c11 --language=c --enable=warning,performance,portability \
  --cppcheck-build-dir=build/cppcheck --inline-suppr --error-exitcode=1 -I . -I build \
  --library=gnu --library=scripts/cppcheck.cfg --suppress=missingIncludeSystem \
  -U __FRAMAC__ --suppress=varFuncNullUB "${files[@]}"
echo "cppcheck: ${#files[@]} files"
