/* Plain CUDA on the simulator has none of it, whatever this machine has. */
#error "curand_kernel.h: No such file for the simulator"
