#include "backends.h"

#include <dlfcn.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../files/text.h"

#define LIBRARY "libpm_cuda.so"

/* $PM_CUDA_LIB, or LIBRARY beside the executable. */
static void library_path(char path[PATH_MAX])
{
  char self[PATH_MAX] = "";
  const char *named = getenv("PM_CUDA_LIB");
  ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
  if (named && *named)
    snprintf(path, PATH_MAX, "%s", named);
  else if (n <= 0 || snprintf(path, PATH_MAX, "%s/%s", dirname(self), LIBRARY) >= PATH_MAX)
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

static dc_status open_cuda(const pm_backend **out, dc_error *err)
{
  const pm_backend *b = backends_cuda(err);
  if (!b)
    return DC_NO_DEVICE;
  if (b->init() != PM_OK) {
    snprintf(err->text, sizeof err->text, "%.200s", b->error());
    return DC_NO_DEVICE;
  }
  *out = b;
  return DC_OK;
}

dc_status backends_open(const char *choice, backends *out, dc_error *err)
{
  int every = choice && strcmp(choice, "all") == 0;
  int sim = !choice || every || strcmp(choice, "sim") == 0;
  int cuda = !choice || every || strcmp(choice, "cuda") == 0;
  dc_error why = {""};
  memset(out, 0, sizeof *out);
  if (!sim && !cuda) {
    char hint[TEXT_HINT];
    snprintf(err->text, sizeof err->text, "--backend '%.40s': must be sim, cuda or all%s", choice,
             text_hint(choice, "sim, cuda or all", hint));
    return DC_INVALID;
  }
  if (sim) {
    if (pm_sim.init() != PM_OK) {
      snprintf(err->text, sizeof err->text, "back end sim: %.180s", pm_sim.error());
      return DC_NO_DEVICE;
    }
    out->list[out->n++] = &pm_sim;
  }
  if (cuda && open_cuda(&out->list[out->n], &why) == DC_OK)
    out->n++;
  else if (cuda && choice) {
    snprintf(err->text, sizeof err->text, "--backend %s: no GPU to run on: %.180s", choice,
             why.text);
    return DC_NO_DEVICE;
  } else if (cuda)
    snprintf(out->why_no_cuda, sizeof out->why_no_cuda, "%s", why.text);
  return DC_OK;
}
