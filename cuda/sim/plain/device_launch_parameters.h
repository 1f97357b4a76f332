/* Plain CUDA on the simulator. */
#include "../plain.h"
