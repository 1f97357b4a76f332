#!/bin/bash
# setup.sh [build|prove|test|all]: installs what is missing on Debian 12, and nothing else.
# Complete already: no network is touched.
set -eu
build="gcc g++ make libc6-dev libjansson-dev zlib1g-dev libffi-dev"
prove="gcc libc6-dev frama-c-base why3 z3 cvc4 cvc5 python3 gappa sollya coq libcoq-coquelicot libcoq-flocq"
python="python3-numpy python3-pip python3-pytest python3-setuptools python3-wheel"
tests="check clang-format cppcheck help2man man-db parallel pkgconf valgrind $python"
case "${1:-all}" in
  build) want=$build ;;
  prove) want=$prove ;;
  test | all) want="$build $prove $tests" ;;
  *) echo "setup.sh: unknown set '$1'; one of build, prove, test, all" >&2; exit 2 ;;
esac
if ! command -v dpkg-query >/dev/null; then
  echo "setup.sh: not a Debian system; install these yourself: $want" >&2
  exit 0
fi
missing=
for p in $want; do
  [ "$(dpkg-query -W -f '${db:Status-Status}' "$p" 2>/dev/null)" = installed ] || missing="$missing $p"
done
[ -n "$missing" ] || exit 0
missing=$(printf '%s\n' $missing | sort -u | tr '\n' ' ')
echo "setup: installing $missing"
if [ "$(id -u)" = 0 ]; then
  as_root=
elif command -v sudo >/dev/null && sudo -n true 2>/dev/null || { [ -t 0 ] && command -v sudo >/dev/null; }; then
  as_root=sudo
else
  echo "setup.sh: needs root or sudo to install: $missing" >&2
  echo "  as root: apt-get install --no-install-recommends $missing" >&2
  exit 2
fi
log=$(mktemp)
trap 'rm -f "$log"' EXIT
install() {
  $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends \
    $missing </dev/null >"$log" 2>&1
}
# The package lists may be absent or old: refresh them only when the first try fails.
if ! install; then
  $as_root apt-get update </dev/null >"$log" 2>&1 || { tail -5 "$log" >&2; }
  install || { tail -20 "$log" >&2; echo "setup.sh: apt-get could not install: $missing" >&2; exit 2; }
fi
