/* The fake back end as libpm_cuda.so, for test_workers and test_runtime_device: with the fault whose number PM_FAKE
 * has. */
#include "../fake_backend.c"

static int live;
static pm_stream *make(void)
{
  if (fault[0] == FAKE_NO_STREAM)
    return NULL;
  live++;
  return calloc(1, sizeof(pm_stream));
}
static void drop(pm_stream *s)
{
  live -= s != NULL;
  free(s);
}
static pm_status wait_for(pm_stream *s) { return s->at || live < 1 ? PM_DEVICE : sync_0(); }
static pm_status up(pm_stream *s, void *to, const void *from, size_t bytes)
{
  return s->at ? PM_DEVICE : upload_0(to, from, bytes);
}
static pm_status down(pm_stream *s, void *to, const void *from, size_t bytes)
{
  return s->at ? PM_DEVICE : download_0(to, from, bytes);
}
static const pm_streams streams = {make, drop, wait_for, up, down};

static const pm_backend watcher = MEMBERS(0, "cuda", shuffle_watched, NULL, NULL);
const pm_backend pm_cuda = MEMBERS(0, "cuda", shuffle, &watcher, &streams);

__attribute__((constructor)) static void choose(void)
{
  const char *number = getenv("PM_FAKE");
  fault[0] = number ? (fake_fault)atoi(number) : FAKE_HONEST;
}
