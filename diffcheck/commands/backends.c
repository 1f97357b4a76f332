#include "backends.h"

#include <dlfcn.h>
#include <libgen.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "../engine/engine.h"
#include "../files/text.h"

#define LIBRARY "libpm_cuda.so"

/* The file that this text is part of: the program, or a shared library in it. */
static bool own_path(char self[PATH_MAX])
{
  static const char here[] = LIBRARY;
  Dl_info own, program;
  bool known = dladdr(here, &own) && dladdr((void *)getauxval(AT_ENTRY), &program);
  if (known && own.dli_fbase != program.dli_fbase)
    return realpath(own.dli_fname, self) != NULL;
  ssize_t n = readlink("/proc/self/exe", self, PATH_MAX - 1);
  self[n > 0 ? n : 0] = '\0';
  return n > 0;
}

/* $PM_CUDA_LIB, or LIBRARY beside the program or the shared library. */
static void library_path(char path[PATH_MAX])
{
  char self[PATH_MAX] = "";
  const char *named = getenv("PM_CUDA_LIB");
  if (named && *named)
    snprintf(path, PATH_MAX, "%s", named);
  else if (!own_path(self) || snprintf(path, PATH_MAX, "%s/%s", dirname(self), LIBRARY) >= PATH_MAX)
    snprintf(path, PATH_MAX, "%s", LIBRARY);
}

const pm_backend *backends_cuda(dc_error *why_not)
{
  static const pm_backend *found;
  char path[PATH_MAX];
  if (found)
    return found;
  library_path(path);
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (library)
    found = dlsym(library, "pm_cuda");
  if (!found && access(path, F_OK) != 0)
    snprintf(why_not->text, sizeof why_not->text, "there is no %.200s (nvcc builds it)", path);
  else if (!found)
    snprintf(why_not->text, sizeof why_not->text, "%.200s", dlerror());
  return found;
}

/* Adds b, initialised: in this process, or where `seconds` is positive in a worker's. */
static dc_status add(backends *to, const pm_backend *b, double seconds, dc_error *err)
{
  static char *const argv[][4] = {{"diffcheck", "worker", "sim"}, {"diffcheck", "worker", "cuda"}};
  const int cuda = b != &pm_sim;
  const dc_worker_how how = {.path = "/proc/self/exe",
                             .argv = argv[cuda],
                             .begin = 60,
                             .seconds = BACKENDS_SLOWNESS * seconds,
                             .lasting = cuda};
  dc_worker *w = NULL;
  if (seconds > 0) {
    dc_status s = (w = dc_worker_new(&how, err)) == NULL
                      ? DC_NO_MEMORY
                      : dc_worker_begin(w, to->device[to->n], err);
    if (s) {
      dc_worker_free(w);
      return s;
    }
  } else if (b->init() != PM_OK)
    return dc_fail(err, DC_NO_DEVICE, "%.200s", b->error());
  else
    snprintf(to->device[to->n], sizeof to->device[0], "%s", b->device());
  to->worker[to->n] = w;
  to->list[to->n++] = b;
  return DC_OK;
}

static dc_status open_all(const char *choice, double seconds, backends *out, dc_error *err)
{
  int every = choice && strcmp(choice, "all") == 0;
  int sim = !choice || every || strcmp(choice, "sim") == 0;
  int cuda = !choice || every || strcmp(choice, "cuda") == 0;
  const pm_backend *gpu = NULL;
  dc_error why = {""};
  if (!sim && !cuda) {
    char hint[TEXT_HINT];
    return dc_fail(err, DC_INVALID, "--backend '%.40s': must be sim, cuda or all%s", choice,
                   text_hint(choice, "sim, cuda or all", hint));
  }
  if (sim && add(out, &pm_sim, seconds, &why))
    return dc_fail(err, DC_NO_DEVICE, "back end sim: %.180s", why.text);
  if (cuda)
    gpu = backends_cuda(&why);
  if (gpu && !add(out, gpu, seconds, &why))
    return DC_OK;
  if (cuda && choice)
    return dc_fail(err, DC_NO_DEVICE, "--backend %s: no GPU to run on: %.180s", choice, why.text);
  snprintf(out->why_no_cuda, sizeof out->why_no_cuda, "%s", why.text);
  return DC_OK;
}

static dc_status open_or_none(const char *choice, double seconds, backends *out, dc_error *err)
{
  memset(out, 0, sizeof *out);
  dc_status s = open_all(choice, seconds, out, err);
  if (s)
    backends_close(out, NULL);
  return s;
}

dc_status backends_open(const char *choice, backends *out, dc_error *err)
{
  return open_or_none(choice, 0, out, err);
}

dc_status backends_apart(const char *choice, double seconds, backends *out, dc_error *err)
{
  return open_or_none(choice, seconds, out, err);
}

dc_status backends_close(backends *b, dc_error *err)
{
  dc_status s = DC_OK;
  for (int i = 0; i < b->n; i++) {
    dc_status one = b->worker[i] ? dc_worker_end(b->worker[i], s ? NULL : err) : DC_OK;
    s = s ? s : one;
    dc_worker_free(b->worker[i]);
  }
  b->n = 0;
  return s;
}
