/* Plain CUDA on the simulator has none of it, whatever this machine has. */
#error "cooperative_groups.h: No such file for the simulator"
