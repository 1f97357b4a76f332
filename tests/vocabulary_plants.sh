#!/bin/bash
# vocabulary_plants.sh [--today N]: builds the vocabulary's test for the simulator with each fault of
# tests/vocabulary_plants, or the Nth part of them that is today's turn; the primitive's line must not be ok.
# vocabulary_plants.sh --build DIR: builds those of the GPU there, with nvcc;
# vocabulary_plants.sh --run DIR: runs them, where the GPU is.
set -u
cd "$(dirname "$0")/.."
export LC_ALL=C
failed=0 tried=0 number=0 part=1 how=sim dir=
case ${1:-} in
--today) part=${2:?--today N: which part of all} ;;
--build | --run) how=${1#--} dir=${2:?$1 DIR} ;;
esac
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

bad() {
  echo "vocabulary: $*"
  failed=$((failed + 1))
}

# judge PROGRAM LINE WHAT: the fault must show in the primitive's line. A hang is one too.
judge() {
  local said rc
  tried=$((tried + 1))
  said=$(timeout 60 "$1" "$2" 2>&1)
  rc=$?
  case $rc in
  1)
    grep -v '^vocabulary' <<<"$said" | grep -q ' ok$' && bad "$2 $3: another line is ok: $said"
    ;;
  124 | 13[0-9]) ;;
  *) bad "$2 $3: passed: exit $rc: $(tail -1 <<<"$said")" ;;
  esac
}

if [ $how = run ]; then
  while IFS='|' read -r name line what; do judge "$dir/$name" "$line" "$what"; done <"$dir/list"
else
  cp -r cuda spec tests "$work"
  [ $how = sim ] && { make -s --no-print-directory build/vocabulary_sim || exit 2; }
  [ $how = build ] && mkdir -p "$dir" && : >"$dir/list"
  flags=$(make -s --no-print-directory vocabulary_flags)
  while IFS='|' read -r machines line file what script; do
    machines=${machines// /} file=cuda/${file// /} script=${script# }
    line=$(sed 's/^ *//; s/ *$//' <<<"$line") what=$(sed 's/^ *//; s/ *$//' <<<"$what")
    number=$((number + 1))
    sed -e "$script" "$file" >"$work/$file"
    if cmp -s "$file" "$work/$file"; then
      bad "$line $what: the fault no longer applies to $file"
    elif [ $how = sim ] && [ "$machines" != gpu ] && [ $((number % part)) = $((10#$(date +%j) % part)) ]; then
      if (cd "$work" && g++ -x c++ ${flags/-Werror/} -c -o vocabulary.o tests/vocabulary.cu) >"$work/log" 2>&1 &&
        make -s --no-print-directory "VOCABULARY_SIM=$work/vocabulary.o" "$work/vocabulary_sim" >>"$work/log" 2>&1; then
        judge "$work/vocabulary_sim" "$line" "$what"
      else
        bad "$line $what: does not build: $(grep -m1 -i error "$work/log")"
      fi
      rm -f "$work/vocabulary_sim"
    elif [ $how = build ] && [ "$machines" != sim ]; then
      (cd "$work" && nvcc -gencode arch=compute_90a,code=sm_90a --fmad=false -O3 -std=c++17 -I. -w -o vocabulary \
        tests/vocabulary.cu) \
        >"$work/log" 2>&1 || bad "$line $what: does not build: $(grep -m1 -i error "$work/log")"
      tried=$((tried + 1))
      mv "$work/vocabulary" "$dir/$number" && echo "$number|$line|$what" >>"$dir/list"
    fi
    cp "$file" "$work/$file"
  done < <(grep -v '^#' tests/vocabulary_plants)
fi
[ $how = build ] && echo "vocabulary: $tried faults built for the GPU" ||
  echo "vocabulary: $((tried - failed)) of $tried faults shown"
[ $failed = 0 ] && [ $tried -gt 0 ]
