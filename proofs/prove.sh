#!/bin/bash
# prove.sh: proves the reference and the kernel text, and prints a table function by function.
# prove.sh --help tells the options.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
WHY3CONFIG=$("$root/proofs/why3.sh")
export WHY3CONFIG PYTHONDONTWRITEBYTECODE=1
exec python3 "$root/proofs/prove.py" "$@"
