#!/bin/bash
# manuals.sh DIFFCHECK DIR PAGE...: writes manual pages, man1/diffcheck-run.1 of what `diffcheck run --help` says
# (help2man), man3/proofmark.3 of the runtime's header.
set -euo pipefail
cd "$(dirname "$0")/.."
[ $# -gt 2 ] || { sed -n '2,3s/^# //p' "$0" >&2; exit 2; }
PATH=$(cd "$(dirname "$1")" && pwd):$PATH
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || date +%s)}
to=$2
shift 2
version=$(diffcheck --version)

summary() { # of a command, from the list of them
  diffcheck --help | sed -n "s/^  $1 .*\(  \|\.\.\. \)\([a-z].*\)/\2/p"
}

header() {
  cat <<EOF
.TH PROOFMARK 3 "$(date -u -d "@$SOURCE_DATE_EPOCH" +%F)" "${version#* }" "Library calls"
.SH NAME
proofmark \- tensor ops on a proven reference, on a simulator of their CUDA kernels, or on a GPU
.SH SYNOPSIS
.nf
.B #include <proofmark.h>
.sp
.B cc program.c \$(pkg-config \-\-cflags \-\-libs proofmark)
.fi
.SH THE HEADER
.nf
EOF
  sed -e 's/\\/\\e/g; s/-/\\-/g; s/^[.'"'"']/\\\&&/' runtime/proofmark.h
  printf '.fi\n.SH SEE ALSO\n.BR diffcheck (1)\n'
}

for page; do
  mkdir -p "$to/$(dirname "$page")"
  name=$(basename "$page" .1)
  case $page in
    man3/proofmark.3) header ;;
    man1/diffcheck.1)
      help2man -N -n 'checks kernels of tensor ops against a proven reference' diffcheck ;;
    man1/diffcheck-*.1) help2man -N -n "$(summary "${name#*-}")" "diffcheck ${name#*-}" ;;
    *) echo "manuals.sh: $page: there is no such page" >&2; exit 2 ;;
  esac >"$to/$page"
done
