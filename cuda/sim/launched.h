/* What a launch tells the simulator of its kernel, through the LAUNCH macros: its name, the
 * constants of its instance, its arguments. With them it is asked for what the kernel's contract
 * requires (requires.h, requires.cpp), and the name is kept for whoever asks which kernels a
 * launcher started. */
#ifndef PM_SIM_LAUNCHED_H
#define PM_SIM_LAUNCHED_H
#include <stddef.h>
#include <stdint.h>

extern "C" {
/* Names of the kernels that were launched since the last call, each once, as they came; NULL ends
 * them. What a resting simulator (rest.h) did not run is among them. */
const char *const *pm_sim_launched(void);

/* A tensor, or the workspace: while there are any, all that a contract has a kernel read or write
 * must lie within one. NULL: no more of them. */
void pm_sim_extent(const void *at, size_t bytes);
}

namespace pm_sim_ {
struct requires_row;

struct argument {
  const void *at;
  size_t bytes;
  char kind; /* p pointer, i int, l int64_t, u uint64_t, f float, d double, s struct */
};

template <class T> struct kind_of {
  enum : char { letter = 's' };
};
template <class T> struct kind_of<T *> {
  enum : char { letter = 'p' };
};
#define KIND_(T, c)               \
  template <> struct kind_of<T> { \
    enum : char { letter = c };   \
  }
KIND_(int, 'i');
KIND_(long, 'l');
KIND_(long long, 'l');
KIND_(unsigned long, 'u');
KIND_(float, 'f');
KIND_(double, 'd');
#undef KIND_

enum { CONSTANTS = 8, NAME = 48 };

/* A kernel as the compiler names it: ".. F = softmax_regs<1, 4, 1, 0>]". */
struct kernel_name {
  explicit kernel_name(const char *pretty);
  char name[NAME];
  int64_t constant[CONSTANTS];
  int n_constants;
  const requires_row *row; /* of requires.cpp; NULL: it knows no such kernel */
};

struct kernel_call {
  const kernel_name *kernel;
  const argument *args;
  int n_args;
};

/* The launch's grid, and how its kernel came. */
struct launch_shape {
  unsigned grid, block, in_cluster;
  size_t dynamic;
  int how;
};

/* Keeps the name of what is launched. */
void note_launch(const kernel_call &call);
/* Whether the launch fulfils what its kernel's contract requires; else `words` says what not. */
bool fulfils(const kernel_call &call, const launch_shape &shape, char *words, size_t room);

} // namespace pm_sim_
#endif
