#include "convert.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../engine/types.h"

/* Room for the elements in another type; NULL after a message. */
static void *room(const npy *a, npy_type type, char *message)
{
  void *to = malloc(a->count ? (size_t)a->count * npy_size(type) : 1);
  if (!to)
    file_fail(message, "data: no memory for %" PRId64 " elements as %s", a->count, npy_name(type));
  return to;
}

static void become(npy *a, npy_type type, void *data)
{
  free(a->data);
  a->data = data;
  a->type = type;
}

bool npy_widen(npy *a, char *message)
{
  if (a->type != NPY_F2 && a->type != NPY_BF)
    return true;
  float *to = room(a, NPY_F4, message);
  for (int64_t i = 0; to && i < a->count; i++) {
    uint16_t h = ((const uint16_t *)a->data)[i];
    to[i] = a->type == NPY_F2 ? dc_of_half(h) : dc_of_brain(h);
  }
  if (to)
    become(a, NPY_F4, to);
  return to != NULL;
}

int64_t npy_no_float(const npy *a)
{
  const double *x = a->data;
  for (int64_t i = 0; i < a->count; i++)
    if (!isnan(x[i]) && (double)(float)x[i] != x[i])
      return i;
  return -1;
}

bool npy_narrow(npy *a)
{
  bool rounded = false;
  /* element i of the narrower type never reaches past element i of the wider */
  for (int64_t i = 0; i < a->count; i++) {
    double wide;
    memcpy(&wide, (char *)a->data + 8 * i, 8);
    float narrow = (float)wide;
    rounded |= !isnan(wide) && (double)narrow != wide;
    memcpy((char *)a->data + 4 * i, &narrow, 4);
  }
  a->type = NPY_F4;
  return rounded;
}

static int64_t integer(const npy *a, int64_t i)
{
  switch (a->type) {
  case NPY_I1:
    return ((const int8_t *)a->data)[i];
  case NPY_I2:
    return ((const int16_t *)a->data)[i];
  case NPY_I4:
    return ((const int32_t *)a->data)[i];
  case NPY_U2:
    return ((const uint16_t *)a->data)[i];
  case NPY_U4:
    return ((const uint32_t *)a->data)[i];
  case NPY_I8:
  case NPY_U8: /* as int64 has its bits: negative from 2^63 on */
    return ((const int64_t *)a->data)[i];
  default:
    return ((const uint8_t *)a->data)[i];
  }
}

bool npy_integers(npy *a, char *message)
{
  for (int64_t i = 0; a->type == NPY_U8 && i < a->count; i++)
    if (integer(a, i) < 0)
      return file_fail(message, "element %" PRId64 " is %" PRIu64 ": must be below 2^63", i,
                       (uint64_t)integer(a, i));
  if (a->type == NPY_I8 || a->type == NPY_U8) {
    a->type = NPY_I8;
    return true;
  }
  int64_t *to = room(a, NPY_I8, message);
  for (int64_t i = 0; to && i < a->count; i++)
    to[i] = integer(a, i);
  if (to)
    become(a, NPY_I8, to);
  return to != NULL;
}

bool npy_mask(npy *a, char *message)
{
  float *to = room(a, NPY_F4, message);
  for (int64_t i = 0; to && i < a->count; i++) {
    int64_t v = integer(a, i);
    if (a->type == NPY_B1 && v > 1) {
      free(to);
      return file_fail(message, "element %" PRId64 " is %" PRId64 ": a bool must be 0 or 1", i, v);
    }
    to[i] = v != 0;
  }
  if (to)
    become(a, NPY_F4, to);
  return to != NULL;
}
