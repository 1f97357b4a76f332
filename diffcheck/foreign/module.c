#include "module.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../engine/engine.h"
#include "symbols.h"

int module_is(const char *path)
{
  static const char *const ENDS[] = {".ptx", ".cubin", ".fatbin"};
  const size_t n = strlen(path);
  for (int i = 0; i < 3; i++)
    if (n > strlen(ENDS[i]) && strcmp(path + n - strlen(ENDS[i]), ENDS[i]) == 0)
      return 1;
  return 0;
}

/* As cuda.h has them, which need not be there to build this. */
typedef void *function;
enum { SHARED_ATTRIBUTE = 8, SHARED_DEFAULT = 48 << 10 };
#define DRIVER(X)                                                                                 \
  X(cuModuleLoad, (void **module, const char *path))                                              \
  X(cuModuleGetFunctionCount, (unsigned *n, void *module))                                        \
  X(cuModuleEnumerateFunctions, (function * all, unsigned n, void *module))                       \
  X(cuFuncGetName, (const char **name, function f))                                               \
  X(cuFuncGetParamInfo, (function f, size_t i, size_t * offset, size_t * bytes))                  \
  X(cuFuncSetAttribute, (function f, int attribute, int value))                                   \
  X(cuLaunchKernel, (function f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, \
                     unsigned bz, unsigned shared, void *stream, void **args, void **extra))      \
  X(cuGetErrorString, (int e, const char **words))
static struct {
#define MEMBER(name, parameters) int(*name) parameters;
  DRIVER(MEMBER)
#undef MEMBER
} cu;

static dc_status open_driver(dc_error *err)
{
  static const struct {
    const char *name;
    void *to;
  } ALL[] = {
#define ROW(name, parameters) {#name, &cu.name},
      DRIVER(ROW)
#undef ROW
  };
  const char *named = getenv("PM_CUDA_DRIVER");
  const char *path = named && *named ? named : "libcuda.so.1";
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return dc_fail(err, DC_NO_DEVICE, "%.100s: cannot be loaded: it is the driver's", path);
  for (size_t i = 0; i < sizeof ALL / sizeof ALL[0]; i++) {
    void *at = dlsym(library, ALL[i].name);
    if (!at)
      return dc_fail(err, DC_NO_DEVICE, "%.100s: has no %s: a driver of CUDA 12.4 or newer has",
                     path, ALL[i].name);
    memcpy(ALL[i].to, &at, sizeof at);
  }
  return DC_OK;
}

static const char *words_of(int e)
{
  const char *words = NULL;
  cu.cuGetErrorString(e, &words);
  return words ? words : "an error that the driver has no words for";
}

/* The kernel by its name; a template's instances are told apart by what stands in <>. */
static dc_status find(const char *path, void *module, const char *name, function *kernel,
                      dc_error *err)
{
  unsigned n = 0;
  char shown[160], list[200] = "";
  int e = cu.cuModuleGetFunctionCount(&n, module);
  function *all = e ? NULL : calloc(n + 1, sizeof *all);
  if (!e && !all)
    return dc_fail(err, DC_NO_MEMORY, "%.200s: no memory for its kernels", path);
  if (!e)
    e = cu.cuModuleEnumerateFunctions(all, n, module);
  *kernel = NULL;
  for (unsigned i = 0; i < n && !e && !*kernel; i++) {
    const char *symbol;
    const size_t used = strlen(list);
    e = cu.cuFuncGetName(&symbol, all[i]);
    if (e)
      break;
    if (symbols_goes_by(symbol, name, shown, sizeof shown))
      *kernel = all[i];
    snprintf(list + used, sizeof list - used, "%s%.100s", used ? ", " : "", shown);
  }
  free(all);
  if (e)
    return dc_fail(err, DC_INVALID, "%.150s: its kernels are not told: %.100s", path, words_of(e));
  if (!*kernel)
    return dc_fail(err, DC_INVALID, "%.80s: has no kernel '%.60s'%s%.150s", path, name,
                   *list ? "; has " : ", nor any other", list);
  return DC_OK;
}

/* Parameters have a size there and no type. */
static dc_status fits(function kernel, const call *c, dc_error *err)
{
  static const unsigned char BYTES[CALL_TYPES] = {4, 8, 4, 8, 4, 8};
  size_t offset, bytes;
  int n = 0;
  for (; cu.cuFuncGetParamInfo(kernel, (size_t)n, &offset, &bytes) == 0 && n < c->n; n++) {
    const size_t has = c->arg[n].kind == CALL_NUMBER ? BYTES[c->arg[n].type] : sizeof(void *);
    if (has != bytes)
      return dc_fail(err, DC_INVALID,
                     "launch: argument %d of %.100s has %zu bytes, and it takes %zu", n + 1,
                     c->symbol, has, bytes);
  }
  if (n < c->n || cu.cuFuncGetParamInfo(kernel, (size_t)n, &offset, &bytes) == 0)
    return dc_fail(err, DC_INVALID, "launch: %d arguments are given, and %.100s takes %s", c->n,
                   c->symbol, n < c->n ? "fewer" : "more");
  return DC_OK;
}

dc_status module_load(const char *path, const call *c, void **kernel, dc_error *err)
{
  void *module = NULL;
  dc_status s = open_driver(err);
  if (s)
    return s;
  const int e = cu.cuModuleLoad(&module, path);
  if (e)
    return dc_fail(err, DC_INVALID, "%.180s: cannot be loaded: %.110s", path, words_of(e));
  s = find(path, module, c->symbol, kernel, err);
  return s ? s : fits(*kernel, c, err);
}

dc_status module_launch(void *kernel, const source_launch *l, dc_error *err)
{
  const char *what = "the launch";
  int e = 0;
  if (l->shared > SHARED_DEFAULT) {
    what = "shared memory";
    e = cu.cuFuncSetAttribute(kernel, SHARED_ATTRIBUTE, (int)l->shared);
  }
  if (!e)
    e = cu.cuLaunchKernel(kernel, l->grid[0], l->grid[1], l->grid[2], l->block[0], l->block[1],
                          l->block[2], (unsigned)l->shared, l->stream, (void **)(uintptr_t)l->args,
                          NULL);
  if (e)
    return dc_fail(
        err, DC_INVALID, "%s: %.150s (%u threads a block, %llu bytes of dynamic shared memory)",
        what, words_of(e), l->block[0] * l->block[1] * l->block[2], (unsigned long long)l->shared);
  return DC_OK;
}
