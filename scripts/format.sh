#!/bin/bash
# format.sh [--check]: clang-format over every C, header and .cu file; --check only complains.
set -eu
cd "$(dirname "$0")/.."
mode=-i
[ "${1:-}" = --check ] && mode="--dry-run -Werror"
find spec ref cuda diffcheck tests examples proofs -regex '.*\.\(c\|h\|cu\|cuh\|cpp\)' -print0 |
  sort -z | xargs -0 -r clang-format $mode
