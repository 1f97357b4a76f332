#!/bin/bash
# install.sh: `make install` into an empty folder, a program outside of the tree with the shared library that lies there
# (test_runtime_program has the archive), the manuals, what a shell completes; `make uninstall` leaves nothing.
set -euo pipefail
cd "$(dirname "$0")/.."
build=${B:-build}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0
check() { # WHAT COMMAND...
  local what=$1
  shift
  if "$@" >"$work/log" 2>&1; then
    passed=$((passed + 1))
  else
    echo "install.sh: $what: FAIL" >&2
    tail -20 "$work/log" >&2
    exit 1
  fi
}
says() { # WORDS COMMAND...
  local words=$1
  shift
  "$@" >"$work/said" 2>&1 && grep -qF -- "$words" "$work/said" || { cat "$work/said"; return 1; }
}
completes() { # WORD... , last the one that must be offered
  (
    # shellcheck disable=SC1091
    source "$prefix/share/bash-completion/completions/diffcheck"
    compopt() { :; }
    COMP_WORDS=("${@:1:$#-1}") COMP_CWORD=$(($# - 2))
    _diffcheck
    printf '%s\n' "${COMPREPLY[@]}" | grep -qx -- "${!#}"
  )
}

prefix=$work/usr
check "make install" make -s --no-print-directory "B=$build" "PREFIX=$prefix" install
export PATH=$prefix/bin:$PATH PKG_CONFIG_PATH=$prefix/lib/pkgconfig
cd "$work"
sed -n '/^```c$/,/^```$/p' "$OLDPWD/docs/runtime.md" | sed '1d;$d' >first.c

check "a program with the shared library" sh -c 'cc first.c $(pkg-config --cflags --libs proofmark) -o shared'
export LD_LIBRARY_PATH=$prefix/lib
check "it needs the shared library" says "libproofmark.so.$(pkg-config --modversion proofmark | cut -d. -f1)" \
  readelf -d shared
for backend in ref sim shadow:sim; do
  check "it runs on $backend" says 'y = 3.00 x + -1.00' env PROOFMARK_BACKEND=$backend ./shared
done
own='^(pmr_[a-z_]*@@PROOFMARK_0|PROOFMARK_0)$'
check "no symbol but pmr_ is seen" sh -c \
  "! nm -D --defined-only '$prefix/lib/libproofmark.so' | awk '{print \$3}' | grep -vE '$own'"
check "all of the header is there" sh -c \
  "cc -E '$prefix/include/proofmark.h' | grep -oE '\\bpmr_[a-z_]+\\(' | tr -d '(' | sort -u >declared
   nm -D --defined-only '$prefix/lib/libproofmark.so' | grep -oE 'pmr_[a-z_]+' | sort -u >seen
   [ -s declared ] && [ -z \"\$(comm -23 declared seen)\" ]"
check "the program that is installed" says 'relu ' diffcheck run relu --cases 3 -q
check "the manual of diffcheck run" says '--arith' man -l "$prefix/share/man/man1/diffcheck-run.1"
check "the manual of the runtime" says 'pmr_backward' man -l "$prefix/share/man/man3/proofmark.3"
check "commands are completed" completes diffcheck ex explain
check "ops are completed" completes diffcheck run soft softmax_vjp
check "options are completed" completes diffcheck run --ar --arith
check "values are completed" completes diffcheck run --format = j junit
cd "$OLDPWD"
check "make uninstall" make -s --no-print-directory "B=$build" "PREFIX=$prefix" uninstall
check "nothing is left" sh -c "[ -z \"\$(find '$prefix' ! -type d)\" ]"
echo "install.sh: $passed checks passed"
