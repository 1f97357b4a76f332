// Names as C++ has them, for test_kernels.
#include <stdint.h>

namespace mine {
void negate(float *y, const float *x, int64_t n)
{
  for (int64_t i = 0; i < n; i++)
    y[i] = -x[i];
}
void twice(float *y, const float *x, int64_t n)
{
  for (int64_t i = 0; i < n; i++)
    y[i] = -x[i];
}
void twice(float *y, const float *x, int n)
{
  for (int i = 0; i < n; i++)
    y[i] = x[i];
}
template <class T> void instance(T *y, const T *x, int64_t n)
{
  for (int64_t i = 0; i < n; i++)
    y[i] = -x[i];
}
template void instance<float>(float *, const float *, int64_t);
} // namespace mine
