#!/bin/bash
# diffcheck.sh [BUILD]: every op on the simulator and, where there is one, on the GPU.
set -u
cd "$(dirname "$0")/.."
build=${1:-build}
cases=${CASES:-300}
echo "simulator: $cases cases an op (CASES=N for more)"
"$build/diffcheck" run --backend sim --cases "$cases" || exit
if [ ! -e /dev/nvidiactl ]; then
  echo "no GPU on this machine: the kernels ran on the simulator, which gives the GPU's bits"
elif [ ! -e "$build/libpm_cuda.so" ]; then
  echo "a GPU, but no nvcc to build the kernels for it: they ran on the simulator only"
else
  echo "GPU: $cases cases an op"
  "$build/diffcheck" run --backend cuda --cases "$cases"
fi
