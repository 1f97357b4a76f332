#!/bin/bash
# get_digits.sh [FILE]: fetches the 1797 handwritten digits that scikit-learn ships (from the UCI
# repository, by E. Alpaydin and C. Kaynak), out of its package on PyPI, into FILE (build/digits.csv).
set -euo pipefail
cd "$(dirname "$0")/../.."
to=${1:-build/digits.csv}
sum=6ebb3d2fee246a4e99363262ddf8a00a3c41bee6014c373ed9d9216ba7f651b8
same() { [ -f "$1" ] && sha256sum "$1" | grep -q "^$sum "; }
same "$to" && exit 0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# any build of that version has the same file
python3 -m pip download -q --disable-pip-version-check --no-deps --only-binary=:all: \
  --python-version 3.11 --platform manylinux2014_x86_64 -d "$work" scikit-learn==1.5.2 || {
  echo "get_digits.sh: scikit-learn could not be fetched from PyPI" >&2
  exit 2
}
python3 - "$work" <<'END'
import glob, gzip, sys, zipfile
wheel, = glob.glob(sys.argv[1] + "/*.whl")
data = zipfile.ZipFile(wheel).read("sklearn/datasets/data/digits.csv.gz")
open(sys.argv[1] + "/digits.csv", "wb").write(gzip.decompress(data))
END
same "$work/digits.csv" || { echo "get_digits.sh: the package holds other digits than expected" >&2; exit 2; }
mkdir -p "$(dirname "$to")"
mv "$work/digits.csv" "$to"
echo "get_digits.sh: 1797 digits in $to"
