/* A launch of a kernel that is not ours: what diffcheck (diffcheck/foreign) hands to the library that it made
 * of a .cu, on the simulator (sim/plain.h) or on a GPU (sim/plain_gpu.h). Such a library has
 *   pm_plain_types()   a letter a parameter, as below
 *   pm_plain_launch()  NULL, or in words why nothing was launched */
#ifndef PM_PLAIN_LAUNCH_H
#define PM_PLAIN_LAUNCH_H
#include <stdint.h>

typedef struct pm_plain_call {
  unsigned grid[3], block[3];
  uint64_t shared;   /* bytes of dynamic shared memory */
  int watched;       /* sim: with a check for races */
  void *stream;      /* a GPU's */
  void *const *args; /* where each argument's value is */
} pm_plain_call;

#ifdef __cplusplus
#include <type_traits>
namespace pm_plain_ {
/* A kernel's parameters: p pointer, i u of 4 bytes, l U of 8, f float, d double, s anything else. */
template <class T> constexpr char letter()
{
  return std::is_pointer<T>::value                    ? 'p'
         : std::is_same<T, float>::value              ? 'f'
         : std::is_same<T, double>::value             ? 'd'
         : !std::is_integral<T>::value                ? 's'
         : sizeof(T) == 4 && std::is_signed<T>::value ? 'i'
         : sizeof(T) == 4                             ? 'u'
         : sizeof(T) == 8 && std::is_signed<T>::value ? 'l'
         : sizeof(T) == 8                             ? 'U'
                                                      : 's';
}
} // namespace pm_plain_
#endif
#endif
