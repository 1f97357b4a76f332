#!/bin/bash
# gpu_check.sh OUTDIR [CASES]: everything that needs a GPU, with what lies in build/ (diffcheck and
# libpm_cuda.so and vocabulary; sweep_math where it was built). No compiler and no packages are needed there, but
# for `others`, which needs nvcc.
#   OUTDIR/about.txt       date, commit, device, driver, the commands
#   OUTDIR/checks.jsonl    every op on simulator and GPU: bounds, and bits of one against the other
#   OUTDIR/kept.txt        tensors so large that the L2 is told what to keep (cuda/lang/cache_hints.h)
#   OUTDIR/sanitizer.txt   compute-sanitizer: memcheck, racecheck, initcheck, synccheck
#   OUTDIR/bench.txt, .json   time against floor and PyTorch
#   OUTDIR/vocabulary.txt  each primitive of cuda/lang with warps held up (tests/vocabulary.cu), and the
#                          faults of tests/vocabulary_plants where build/vocabulary_plants has them
#   OUTDIR/math.txt        the elementary functions over all 2^32 arguments on the GPU
#   OUTDIR/others.txt      kernels of a library that is not ours (tests/gpu): the right one passes, wrong ones do not
#   OUTDIR/runtime.txt     examples/digits on the simulator, the GPU and in the shadow (needs build/digits and its data)
#   OUTDIR/graph.txt       sessions as graphs, and contexts' streams: tests/test_runtime_graph.c and _streams.c on a
#                          GPU (on request; needs the suites)
#   OUTDIR/overhead.txt    what tape and shadow cost (examples/overhead), held to 5 us a call and twice the time (on
#                          request)
#   OUTDIR/gpt.txt        examples/gpt likewise, and a training step's time beside PyTorch (on request; needs build/gpt)
#   OUTDIR/torch.txt       PyTorch's own kernels and its autograd, through the Python package (on request)
#   OUTDIR/huge.txt        a case of each op past 2^31 elements (on request)
# Exit status 0 when all of it passed. GPU_CHECK="run sanitize vocabulary others runtime graph overhead gpt math
# bench torch huge" selects parts;
# GPU_OPS="softmax layer_norm" selects the ops of the first two, GPU_HUGE="permute slice" those of the
# last, each some minutes and 50 to 130 GB of the host: a machine may not have the time or the room for all.
# PM_COMMIT names the commit where the tree came without its history.
set -u
out=${1:?usage: gpu_check.sh OUTDIR [CASES]}
cases=${2:-200}
parts=${GPU_CHECK:-run sanitize vocabulary others runtime math bench}
cd "$(dirname "$0")/.."
mkdir -p "$out"
run=build/diffcheck
jobs=$(($(nproc) / 2 > 8 ? 8 : ($(nproc) + 1) / 2))
failed=
wants() { [[ " $parts " == *" $1 "* ]]; }
note() { printf '%s\n' "$*" | tee -a "$out/about.txt"; }

: >"$out/about.txt"
note "date    $(date -u +%Y-%m-%dT%H:%MZ)"
note "commit  ${PM_COMMIT:-$(git rev-parse --short HEAD 2>/dev/null || echo unknown)}"
note "device  $(nvidia-smi --query-gpu=name,driver_version --format=csv,noheader | head -1)"
note "parts   $parts"

ops=${GPU_OPS:-$(sed -n 's/^OP(\([a-z0-9_]*\),.*/\1/p' spec/ops.def)}
[ -z "${GPU_OPS:-}" ] || note "ops     $ops"

if wants run; then
  note "command diffcheck run OP --backend all --cases $cases, for each op"
  mkdir -p "$out/parts"
  printf '%s\n' $ops | xargs -P "$jobs" -I{} sh -c \
    "$run run {} --backend all --cases $cases -q --format jsonl -o $out/parts/{}.jsonl \
     >$out/parts/{}.txt 2>&1 && echo '{} pass' || { echo '{} FAIL'; cat $out/parts/{}.txt; exit 1; }" ||
    failed="$failed run"
  for op in $ops; do cat "$out/parts/$op.jsonl"; done >"$out/checks.jsonl" 2>/dev/null
  rm -rf "$out/parts"
fi

# Instances that no small tensor comes to.
kept=$(grep -xE 'layer_norm|rms_norm|(|log_|masked_)softmax_vjp' <<<"$(printf '%s\n' $ops)")
if wants run && [ -n "$kept" ]; then
  note "command diffcheck run OP --backend cuda --cases 2 --set rows=8192,cols=4096 --variant regs"
  printf '%s\n' $kept | xargs -P "$jobs" -I{} sh -c \
    "$run run {} --backend cuda --cases 2 --set rows=8192,cols=4096 --variant regs -q 2>&1 |
     grep '^{} '" >"$out/kept.txt"
  [ "$(grep -c ' pass ' "$out/kept.txt")" = "$(wc -w <<<$kept)" ] || failed="$failed kept"
  cat "$out/kept.txt"
fi

if wants sanitize; then
  note "command compute-sanitizer --tool TOOL diffcheck run OP --backend cuda --in-process --cases 6 --large=0"
  for tool in memcheck racecheck initcheck synccheck; do
    printf '%s\n' $ops | xargs -P "$jobs" -I{} sh -c \
      "log=\$(compute-sanitizer --tool $tool --error-exitcode 9 $run run {} --backend cuda \
         --in-process --cases 6 --large=0 -q 2>&1) && echo '$tool {} clean' ||
         { echo '$tool {} FAIL'; echo \"\$log\" | tail -40; exit 1; }"
    [ $? = 0 ] || echo "$tool FAIL"
  done >"$out/sanitizer.txt" 2>&1
  grep -q FAIL "$out/sanitizer.txt" && failed="$failed sanitize"
  grep -c clean "$out/sanitizer.txt" | sed 's/$/ sanitizer runs clean/'
fi

if wants vocabulary; then
  note "command vocabulary"
  build/vocabulary >"$out/vocabulary.txt" 2>&1 || failed="$failed vocabulary"
  if [ -f build/vocabulary_plants/list ]; then
    bash tests/vocabulary_plants.sh --run build/vocabulary_plants >>"$out/vocabulary.txt" 2>&1 ||
      failed="$failed vocabulary_plants"
  fi
  cat "$out/vocabulary.txt"
fi

# Of tests/gpu/softmax.cu 0 is right, and the others are what its head says.
if wants others; then
  note "command diffcheck run softmax --on cuda --kernel LIBRARY --call CALL, for each fault of tests/gpu/softmax.cu"
  note "command .. --source FILE --launch LAUNCH, for three of them"
  for fault in 0 1 2 3 4 5; do
    lib=build/others_$fault.so
    nvcc -O3 -arch=sm_90 -Xcompiler -fPIC -shared -cudart shared -DFAULT=$fault -o $lib tests/gpu/softmax.cu &&
      $run run softmax --on cuda --kernel ./$lib --cases 60 --where 'rows > 0 && rows < 65536' \
        --call 'launch_softmax(y, x, i32 rows, i32 cols, stream)' >build/others.txt 2>&1
    rc=$?
    echo "fault $fault: exit $rc: $(grep -m 1 -E '^FAIL|^softmax/given .* pass ' build/others.txt | cut -c 1-160)"
    [ $rc = $((fault > 0)) ] || echo "fault $fault: not as it must be"
  done >"$out/others.txt" 2>&1
  # and bare: from source, and compiled
  for fault in 0 2 4; do
    for kind in cu ptx cubin fatbin; do
      file=build/bare_$fault.$kind
      if [ $kind = cu ]; then
        { echo "#define FAULT $fault"; cat tests/gpu/softmax.cu; } >$file
      else
        nvcc -O3 -arch=sm_90 -DFAULT=$fault -$kind -o $file tests/gpu/softmax.cu
      fi
      $run run softmax --on cuda --source $file --cases 60 --where 'rows > 0 && rows < 65536' \
        --launch 'softmax<<<rows, 128>>>(y, x, i32 cols)' >build/others.txt 2>&1
      rc=$?
      line=$(grep -m 1 -E '^FAIL|^softmax/given .* pass ' build/others.txt | cut -c 1-140)
      echo "bare .$kind, fault $fault: exit $rc: $line"
      [ $rc = $((fault > 0)) ] || echo "bare .$kind, fault $fault: not as it must be"
    done
  done >>"$out/others.txt" 2>&1
  grep -q "not as it must be" "$out/others.txt" && failed="$failed others"
  cat "$out/others.txt"
fi

# The same words on both, so the same losses to four digits; and no step of the GPU's outside of its bounds.
if wants runtime && [ -x build/digits ] && [ -f build/digits.csv ]; then
  note "command PROOFMARK_BACKEND=sim, cuda, shadow:cuda digits build/digits.csv"
  for on in sim cuda shadow:cuda; do
    echo "== $on"
    PROOFMARK_BACKEND=$on build/digits build/digits.csv 2>&1 || echo "exit $?"
  done >"$out/runtime.txt"
  [ "$(grep -c '^epoch 8' "$out/runtime.txt")" = 3 ] && [ "$(grep '^epoch' "$out/runtime.txt" | sort | uniq -c |
    awk '$1 != 3' | wc -l)" = 0 ] && grep -q ' 0 outside of their bounds' "$out/runtime.txt" || failed="$failed runtime"
  cat "$out/runtime.txt"
fi

# It must come to the GPU, which it passes over where there is none.
if wants graph && [ -x build/tests/test_runtime_graph ]; then
  note "command test_runtime_graph, test_runtime_streams, with PM_CUDA_LIB"
  for suite in graph streams; do
    PM_CUDA_LIB=$PWD/build/libpm_cuda.so PM_TEST_GPU=1 CK_VERBOSITY=verbose build/tests/test_runtime_$suite 2>&1 ||
      echo "exit $?"
  done >"$out/graph.txt"
  [ "$(grep -c '^100%' "$out/graph.txt")" = 2 ] && ! grep -q '^exit' "$out/graph.txt" || failed="$failed graph"
  cat "$out/graph.txt"
fi

if wants overhead && [ -x build/overhead ]; then
  note "command PROOFMARK_BACKEND=ref, cuda overhead"
  PROOFMARK_BACKEND=ref build/overhead >"$out/overhead.txt" 2>&1 &&
    PROOFMARK_BACKEND=cuda build/overhead >>"$out/overhead.txt" 2>&1 || failed="$failed overhead"
  cat "$out/overhead.txt"
fi

# The same bits on both, so the same losses; no step outside of its bounds; and the time of a step beside PyTorch's.
if wants gpt && [ -x build/gpt ]; then
  note "command gpt --backend sim, cuda, shadow:cuda"
  note "command gpt --backend cuda of GPT-2's shape beside scripts/gpt_torch.py"
  words="--text README.md --text docs/runtime.md"
  for on in sim cuda shadow:cuda; do
    echo "== $on"
    build/gpt --backend $on $words --steps 12 --every 1 --curve "$out/gpt_${on/:/_}.svg" 2>&1 || echo "exit $?"
  done >"$out/gpt.txt"
  alike=$(sed -n 's/^\(step [0-9]*: loss [0-9.]*\).*/\1/p' "$out/gpt.txt" | sort | uniq -c | awk '$1 == 3' | wc -l)
  [ "$alike" = 12 ] &&
    grep -q ' 0 outside of their bounds' "$out/gpt.txt" || failed="$failed gpt"
  for graph in 1 0; do # weights and moments, as a graph and step by step; and the time of small steps
    echo "== cuda, PROOFMARK_GRAPH=$graph"
    PROOFMARK_GRAPH=$graph build/gpt --backend cuda $words --steps 400 --every 200 \
      --save "$out/graph$graph.safetensors" 2>&1
  done >>"$out/gpt.txt"
  cmp "$out"/graph[01].safetensors && grep -q 'a step one launch' "$out/gpt.txt" || failed="$failed gpt_graph"
  rm -f "$out"/graph[01].safetensors
  shape=${GPT_SHAPE:-12 12 768 1024 4}
  set -- $shape
  {
    for graph in 1 0; do
      echo "== layers, heads, width, context, batch: $shape; PROOFMARK_GRAPH=$graph"
      PROOFMARK_GRAPH=$graph build/gpt --backend cuda $words --text docs/STATUS.md --layers $1 --heads $2 --width $3 \
        --context $4 --batch $5 --steps 8 --every 1 2>&1
    done
    python3 scripts/gpt_torch.py $shape 2>&1 | grep -v Warning
  } >>"$out/gpt.txt"
  cat "$out/gpt.txt"
fi

if wants math && [ -x build/sweep_math ]; then
  build/sweep_math >"$out/math.txt" || failed="$failed math"
  cat "$out/math.txt"
fi

if wants bench; then
  note "command diffcheck bench --all-variants --compile"
  $run bench --all-variants --compile -o "$out/bench.json" >"$out/bench.txt" || failed="$failed bench"
  grep -q "^PyTorch was not timed" "$out/bench.txt" && failed="$failed peers"
  cat "$out/bench.txt"
fi

# The package finds its libraries beside it, or where these say.
if wants torch; then
  export PYTHONPATH=python PROOFMARK_LIBRARY=${PROOFMARK_LIBRARY:-build/libdiffcheck.so}
  compiled="gelu softmax log_softmax layer_norm mse_loss sum_axis add_bias tanh"
  for words in "torch_check.py -n 60" "torch_check.py -n 12 --compile $compiled" "triton_check.py -n 200"; do
    note "command $words"
    python3 scripts/$words >"$out/part.txt" 2>"$out/torch_said.txt" || failed="$failed ${words%% *}"
    cat "$out/part.txt"
    echo
  done >"$out/torch.txt"
  rm "$out/part.txt"
  grep -e 'not as it must' -e '^Triton' -A4 "$out/torch.txt"
fi

# More than 2^31 elements. Without GPU_HUGE an op of each kind of kernel that counts them.
huge=${GPU_HUGE:-relu add_bias sum_axis gather_rows broadcast_to rand_uniform permute slice}

if wants huge; then
  note "command diffcheck run OP --backend cuda --cases 1 --large=0 --huge, for each of $huge"
  for op in $huge; do
    begin=$SECONDS
    line=$($run run "$op" --backend cuda --cases 1 --large=0 --huge -q --timeout 120 2>&1 |
      grep -E "^$op |^diffcheck") || line="$op FAIL"
    echo "$line, $((SECONDS - begin)) s"
  done >"$out/huge.txt"
  [ "$(grep -c ' pass ' "$out/huge.txt")" = "$(wc -w <<<"$huge")" ] || failed="$failed huge"
  cat "$out/huge.txt"
fi

sed -i "s#$out/##g" "$out"/*.json* 2>/dev/null # the commands in there name no machine's folders

note "result ${failed:- passed}"
[ -z "$failed" ]
