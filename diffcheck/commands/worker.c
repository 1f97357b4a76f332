/* diffcheck worker NAME: no command for people. run and replay start it, and it launches the kernels of a
 * back end for them until they are gone (engine/worker.c). */
#include <string.h>

#include "backends.h"
#include "cli.h"
#include "kernels.h"

int command_worker(int argc, char **argv)
{
  if (argc == 4 && strcmp(argv[1], "kernel") == 0) {
    int status = kernels_serve(argv[2], argv[3]);
    return status < 0 ? cli_error("worker: run and replay start it") : status;
  }
  dc_error why = {""};
  const pm_backend *b = NULL;
  if (argc == 2 && strcmp(argv[1], "sim") == 0)
    b = &pm_sim;
  else if (argc == 2 && strcmp(argv[1], "cuda") == 0)
    b = backends_cuda(&why);
  int status = argc == 2 && (b || why.text[0]) ? dc_serve(b, why.text) : -1;
  return status < 0 ? cli_error("worker: run and replay start it, with sim or cuda after it")
                    : status;
}
