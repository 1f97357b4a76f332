#!/bin/bash
# mutate.sh: seeds the faults of proofs/mutants, one at a time; each must break a goal.
# mutate.sh --help tells the options.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
WHY3CONFIG=$("$root/proofs/why3.sh")
export WHY3CONFIG PYTHONDONTWRITEBYTECODE=1
exec python3 "$root/proofs/tools/mutate.py" "$@"
