/* Plain CUDA on the simulator has none of it, whatever this machine has. */
#error "mma.h: No such file for the simulator"
