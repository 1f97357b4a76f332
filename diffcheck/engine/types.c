#include "types.h"

#include "arith.h"
#include "engine.h"

static const struct {
  const char *name;
  size_t size;
  int64_t format;
} TYPES[DC_N_TYPES] = {[DC_AS_LISTED] = {"", 0, PM_F32},      [DC_TYPE_F32] = {"f32", 4, PM_F32},
                       [DC_TYPE_F64] = {"f64", 8, PM_F32},    [DC_TYPE_F16] = {"f16", 2, PM_F16},
                       [DC_TYPE_BF16] = {"bf16", 2, PM_BF16}, [DC_TYPE_I64] = {"i64", 8, PM_F32},
                       [DC_TYPE_I32] = {"i32", 4, PM_F32},    [DC_TYPE_U8] = {"u8", 1, PM_F32},
                       [DC_TYPE_BOOL] = {"bool", 1, PM_F32}};

const char *dc_type_name(dc_type type) { return TYPES[type].name; }
size_t dc_type_size(dc_type type) { return TYPES[type].size; }
int64_t dc_type_format(dc_type type) { return TYPES[type].format; }

int dc_type_find(const char *name)
{
  for (int i = 1; i < DC_N_TYPES; i++)
    if (strcmp(TYPES[i].name, name) == 0)
      return i;
  return -1;
}

unsigned char dc_type_kept(dc_type type)
{
  return type == DC_TYPE_F32 || type == DC_TYPE_I64 ? DC_AS_LISTED : (unsigned char)type;
}

int dc_types_said(const unsigned char type[DC_TENSORS])
{
  int any = 0;
  for (int t = 0; t < DC_TENSORS; t++)
    any |= type[t] != DC_AS_LISTED;
  return any;
}

dc_type dc_type_of(const dc_case *c, int t)
{
  if (c->type[t] != DC_AS_LISTED)
    return (dc_type)c->type[t];
  return c->op->tensor[t].dtype == DC_I64 ? DC_TYPE_I64 : DC_TYPE_F32;
}

const char *dc_type_refuses(const dc_op *op, int t, dc_type type)
{
  const int mask = t < op->n_in && op->glue->domain[t] == DC_MASK;
  if (type == DC_AS_LISTED)
    return NULL;
  if (op->tensor[t].dtype == DC_I64)
    return type == DC_TYPE_I64 || type == DC_TYPE_I32 ? NULL : "holds indices, must be i64 or i32";
  if (type == DC_TYPE_I64 || type == DC_TYPE_I32 ||
      (!mask && (type == DC_TYPE_U8 || type == DC_TYPE_BOOL)))
    return mask ? "is a mask, must be bool, u8, f32, f16, bf16 or f64"
                : "holds numbers, must be f32, f16, bf16 or f64";
  return NULL;
}

dc_status dc_types_check(const dc_case *c, dc_error *err)
{
  for (int t = 0; t < c->op->n_in + c->op->n_out; t++) {
    if (c->type[t] >= DC_N_TYPES)
      return dc_fail(err, DC_INVALID, "%s: %s is of type %d, of which there is none", c->op->name,
                     c->op->tensor[t].name, c->type[t]);
    const char *why = dc_type_refuses(c->op, t, (dc_type)c->type[t]);
    if (why)
      return dc_fail(err, DC_INVALID, "%s: %s cannot be %s: it %s", c->op->name,
                     c->op->tensor[t].name, dc_type_name((dc_type)c->type[t]), why);
  }
  return DC_OK;
}

dc_status dc_types_take(const dc_op *op, const dc_foreign *kernel, unsigned char type[DC_TENSORS],
                        dc_error *err)
{
  dc_case said = {.op = op}, has = {.op = op};
  memcpy(said.type, type, sizeof said.type);
  if (kernel)
    memcpy(has.type, kernel->type, sizeof has.type);
  for (int t = 0; dc_types_said(type) && t < DC_TENSORS; t++)
    if (said.type[t] != has.type[t])
      return dc_fail(err, DC_INVALID, "types: %s of the case is %s, and the kernel's is %s",
                     op->tensor[t].name, dc_type_name(dc_type_of(&said, t)),
                     dc_type_name(dc_type_of(&has, t)));
  memcpy(type, has.type, sizeof has.type);
  return DC_OK;
}

/* ---- halves ---- */

static uint32_t bits_of(float x)
{
  uint32_t w;
  memcpy(&w, &x, sizeof w);
  return w;
}

static float of_bits(uint32_t w)
{
  float x;
  memcpy(&x, &w, sizeof x);
  return x;
}

uint16_t dc_half_of(double x)
{
  uint32_t w = bits_of((float)x), sign = w >> 16 & 0x8000;
  if (isnan(x))
    return (uint16_t)(sign | 0x7e00 | (w >> 13 & 0x1ff));
  float y = fabsf(dc_format_round(PM_F16, x));
  if (isinf(y))
    return (uint16_t)(sign | 0x7c00);
  if (y < 0x1p-14f)
    return (uint16_t)(sign | (uint32_t)(y * 0x1p24f));
  return (uint16_t)(sign | ((bits_of(y) >> 13) - (112u << 10)));
}

uint16_t dc_brain_of(double x)
{
  if (isnan(x))
    return (uint16_t)(bits_of((float)x) >> 16 | 0x40);
  return (uint16_t)(bits_of(dc_format_round(PM_BF16, x)) >> 16);
}

/* A NaN keeps its bits, and what is subnormal there is normal here. */
float dc_of_half(uint16_t h)
{
  uint32_t sign = (uint32_t)(h & 0x8000) << 16, exponent = h >> 10 & 31, fraction = h & 1023;
  if (exponent == 0)
    return copysignf((float)fraction * 0x1p-24f, of_bits(sign));
  return of_bits(sign | (exponent == 31 ? 255 : exponent + 112) << 23 | fraction << 13);
}

float dc_of_brain(uint16_t h) { return of_bits((uint32_t)h << 16); }

/* ---- values that a type has ---- */

static float fitted_number(dc_type type, float x)
{
  const int64_t format = dc_type_format(type);
  const double big = dc_format_big(format);
  int at, end;
  double y = (double)x;
  if (!isfinite(x) || x == 0)
    return x;
  if (type == DC_TYPE_F16 && fabs(y) < FLT_MIN)
    y = ldexp(y, 112); /* both formats' smallest normal numbers */
  if (fabs(y) > big) {
    frexp(big, &end);
    y = copysign(fmin(big, fabs(ldexp(frexp(y, &at), end))), y);
  }
  return dc_format_round(format, y);
}

static float fitted_mask(dc_type type, float x)
{
  if (x == 0)
    return 0;
  return type == DC_TYPE_BOOL ? 1 : (float)(1 + (bits_of(x) * 0x9e3779b9u >> 16) % 255);
}

static int64_t fitted_index(int64_t v)
{
  return v > INT32_MAX ? INT32_MAX : v < INT32_MIN ? INT32_MIN : v;
}

void dc_type_fit(dc_type type, void *values, int64_t n)
{
  float *f = values;
  int64_t *ix = values;
  for (int64_t i = 0; i < n; i++)
    switch (type) {
    case DC_TYPE_F16:
    case DC_TYPE_BF16:
      f[i] = fitted_number(type, f[i]);
      break;
    case DC_TYPE_U8:
    case DC_TYPE_BOOL:
      f[i] = fitted_mask(type, f[i]);
      break;
    case DC_TYPE_I32:
      ix[i] = fitted_index(ix[i]);
      break;
    default:
      return;
    }
}

int64_t dc_type_misfit(dc_type type, const void *values, int64_t n)
{
  const float *f = values;
  const int64_t *ix = values;
  if (dc_type_kept(type) == DC_AS_LISTED || type == DC_TYPE_F64)
    return -1;
  for (int64_t i = 0; i < n; i++) {
    const int holds =
        type == DC_TYPE_F16 || type == DC_TYPE_BF16
            ? isnan(f[i]) || dc_format_round(dc_type_format(type), (double)f[i]) == f[i]
        : type == DC_TYPE_U8   ? f[i] >= 0 && f[i] <= 255 && f[i] == floorf(f[i])
        : type == DC_TYPE_BOOL ? f[i] == 0 || f[i] == 1
                               : ix[i] == fitted_index(ix[i]);
    if (!holds)
      return i;
  }
  return -1;
}

/* ---- as kernels have them ---- */

void dc_type_store(dc_type type, const void *values, int64_t n, void *to)
{
  const float *f = values;
  const int64_t *ix = values;
  char *at = to; /* which may begin anywhere */
  for (int64_t i = 0; i < n; i++, at += TYPES[type].size) {
    double wide;
    uint16_t half;
    int32_t narrow;
    switch (type) {
    case DC_TYPE_F64:
      wide = (double)f[i];
      memcpy(at, &wide, sizeof wide);
      break;
    case DC_TYPE_F16:
    case DC_TYPE_BF16:
      half = type == DC_TYPE_F16 ? dc_half_of((double)f[i]) : dc_brain_of((double)f[i]);
      memcpy(at, &half, sizeof half);
      break;
    case DC_TYPE_I32:
      narrow = (int32_t)fitted_index(ix[i]);
      memcpy(at, &narrow, sizeof narrow);
      break;
    case DC_TYPE_U8:
    case DC_TYPE_BOOL:
      *at = (char)(unsigned char)f[i];
      break;
    default:
      memcpy(to, values, (size_t)n * TYPES[type].size);
      return;
    }
  }
}

void dc_type_load(dc_type type, const void *from, int64_t n, void *values)
{
  const char *at = from;
  float *f = values;
  if (type != DC_TYPE_F16 && type != DC_TYPE_BF16) { /* no op has a mask, or indices, as output */
    if (n)
      memcpy(values, from, (size_t)n * TYPES[type].size);
    return;
  }
  for (int64_t i = 0; i < n; i++, at += sizeof(uint16_t)) {
    uint16_t half;
    memcpy(&half, at, sizeof half);
    f[i] = type == DC_TYPE_F16 ? dc_of_half(half) : dc_of_brain(half);
  }
}
