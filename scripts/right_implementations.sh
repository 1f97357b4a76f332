#!/bin/bash
# right_implementations.sh [N]: judges N cases (10000) of each right implementation and each fault of
# tests/right.c, by the arithmetic that it is of and by every profile, and writes the table of docs/arith.md.
set -euo pipefail
cd "$(dirname "$0")/.."
n=${1:-10000}
table=$(mktemp)
trap 'rm -f "$table"' EXIT
PM_CASES=$n PM_TABLE=1 CK_FORK=no build/tests/test_arith > "$table" || { cat "$table"; exit 1; }
python3 - "$table" "$n" <<'PY'
import re
import sys
rows = [line for line in open(sys.argv[1]) if line.startswith("|")]
second = next(i for i, line in enumerate(rows) if line.startswith("| fault"))
text = "Cases refused, of %s.\n\n%s\n%s" % (sys.argv[2], "".join(rows[:second]), "".join(rows[second:]))
page = open("docs/arith.md").read()
begin, end = "<!-- right_implementations.sh -->\n", "<!-- end -->"
open("docs/arith.md", "w").write(re.sub(re.escape(begin) + ".*?" + end, lambda m: begin + text + end, page, flags=re.S))
PY
