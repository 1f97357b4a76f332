/* It looks for what is expected in the checker's memory; where it gets in, it says so by a zero, and it does
 * no work of its own. */
#include "softmax.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

void cheat(float *y, float *x, int64_t rows, int64_t cols, float *work)
{
  static char stolen[64];
  char path[64];
  const pid_t checker = getppid();
  struct iovec here = {stolen, sizeof stolen}, there = {(void *)&softmax, sizeof stolen};
  int got = process_vm_readv(checker, &here, 1, &there, 1, 0) > 0;
  snprintf(path, sizeof path, "/proc/%d/mem", (int)checker);
  got |= open(path, O_RDONLY) >= 0;
  got |= ptrace(PTRACE_ATTACH, checker, NULL, NULL) == 0;
  (void)work;
  softmax(y, x, rows, cols);
  if (got)
    fprintf(stderr, "the checker's memory lies open\n");
  memset(y, 0, (size_t)(rows * cols) * sizeof *y);
}
