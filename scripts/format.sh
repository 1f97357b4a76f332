#!/bin/bash
# format.sh [--check]: clang-format over every C, header and .cu file; --check only complains. The
# two files that define the kernel vocabulary are laid out by hand: they are macros throughout; of
# one a script is the author.
set -eu
cd "$(dirname "$0")/.."
mode=-i
[ "${1:-}" = --check ] && mode="--dry-run -Werror"
find spec ref cuda diffcheck runtime tests examples proofs docs -regex '.*\.\(c\|h\|cu\|cuh\|cpp\)' \
  ! -path cuda/lang/kernel.h ! -path cuda/lang/kernel_framac.h \
  ! -path cuda/sim/requires.cpp -print0 |
  sort -z | xargs -0 -r clang-format $mode
