/* Plain CUDA on the simulator has none of it, whatever this machine has. */
#error "cuda_fp16.h: No such file for the simulator"
