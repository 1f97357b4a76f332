/* The fake back end as libpm_cuda.so, for test_workers: with the fault whose number PM_FAKE has. */
#include "../fake_backend.c"

static const pm_backend watcher = MEMBERS(0, "cuda", shuffle_watched, NULL);
const pm_backend pm_cuda = MEMBERS(0, "cuda", shuffle, &watcher);

__attribute__((constructor)) static void choose(void)
{
  const char *number = getenv("PM_FAKE");
  fault[0] = number ? (fake_fault)atoi(number) : FAKE_HONEST;
}
