/* Plain CUDA on the simulator has none of it, whatever this machine has. */
#error "cuda_fp8.h: No such file for the simulator"
