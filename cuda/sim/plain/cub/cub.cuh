/* Plain CUDA on the simulator has none of it, whatever this machine has. */
#error "cub/cub.cuh: No such file for the simulator"
