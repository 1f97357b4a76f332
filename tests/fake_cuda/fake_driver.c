/* As much of the CUDA driver's interface as diffcheck/foreign/module.c calls, on the host, for test_bare. A
 * module is a file of text, a symbol a line, of kernels that are known here: they take (float *y, const float
 * *x, int n), one element a thread. */
#include <stdio.h>
#include <string.h>

enum { OK = 0, INVALID_VALUE = 1, INVALID_IMAGE = 200, KERNELS = 4, NAME = 80, MOST = 227 << 10 };
typedef struct kernel {
  char symbol[NAME];
  unsigned shared;
} kernel;
static kernel all[KERNELS];
static unsigned n_all;

int cuModuleLoad(void **module, const char *path);
int cuModuleGetFunctionCount(unsigned *n, void *module);
int cuModuleEnumerateFunctions(void **list, unsigned n, void *module);
int cuFuncGetName(const char **name, const kernel *f);
int cuFuncGetParamInfo(const kernel *f, size_t i, size_t *offset, size_t *bytes);
int cuFuncSetAttribute(kernel *f, int attribute, int value);
int cuLaunchKernel(const kernel *f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                   unsigned bz, unsigned shared, void *stream, void **args, void **extra);
int cuGetErrorString(int e, const char **words);

int cuModuleLoad(void **module, const char *path)
{
  FILE *f = fopen(path, "re");
  *module = all;
  n_all = 0;
  while (f && n_all < KERNELS && fgets(all[n_all].symbol, NAME, f)) {
    all[n_all].symbol[strcspn(all[n_all].symbol, "\n")] = 0;
    all[n_all].shared = 48 << 10;
    n_all++;
  }
  if (f)
    fclose(f);
  return n_all > 0 && strcmp(all[0].symbol, "damaged") != 0 ? OK : INVALID_IMAGE;
}

int cuModuleGetFunctionCount(unsigned *n, void *module)
{
  (void)module;
  *n = n_all;
  return OK;
}

int cuModuleEnumerateFunctions(void **list, unsigned n, void *module)
{
  (void)module;
  for (unsigned i = 0; i < n; i++)
    list[i] = &all[i];
  return OK;
}

int cuFuncGetName(const char **name, const kernel *f)
{
  *name = f->symbol;
  return OK;
}

int cuFuncGetParamInfo(const kernel *f, size_t i, size_t *offset, size_t *bytes)
{
  (void)f;
  *offset = 8 * i;
  *bytes = i < 2 ? 8 : 4;
  return i < 3 ? OK : INVALID_VALUE;
}

int cuFuncSetAttribute(kernel *f, int attribute, int value)
{
  if (attribute != 8 || value > MOST)
    return INVALID_VALUE;
  f->shared = (unsigned)value;
  return OK;
}

int cuLaunchKernel(const kernel *f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                   unsigned bz, unsigned shared, void *stream, void **args, void **extra)
{
  float *y = *(float **)args[0];
  const float *x = *(float **)args[1];
  const int n = *(int *)args[2];
  (void)stream, (void)extra;
  if (bx * by * bz > 1024 || shared > f->shared)
    return INVALID_VALUE;
  for (unsigned i = 0; i < gx * gy * gz * bx * by * bz && i < (unsigned)n; i++)
    y[i] = strstr(f->symbol, "twice") ? -2 * x[i] : -x[i];
  return OK;
}

int cuGetErrorString(int e, const char **words)
{
  *words = e == INVALID_IMAGE   ? "device kernel image is invalid"
           : e == INVALID_VALUE ? "invalid argument"
                                : NULL;
  return *words ? OK : INVALID_VALUE;
}
