#include "allocation.h"

#include <errno.h>
#include <stddef.h>

static _Thread_local int64_t left = -1;
static _Thread_local int failed;

void allocation_fail(int64_t n)
{
  left = n;
  failed = 0;
}

int allocation_failed(void) { return failed; }

static int fails(void)
{
  if (left < 0 || left-- > 0)
    return 0;
  failed = 1;
  return 1;
}

/* The linker's --wrap (Makefile) sends the program's calls here. */
void *__real_malloc(size_t bytes);
void *__real_calloc(size_t n, size_t each);
void *__real_realloc(void *p, size_t bytes);
int __real_posix_memalign(void **p, size_t align, size_t bytes);
char *__real_strdup(const char *s);
void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t n, size_t each);
void *__wrap_realloc(void *p, size_t bytes);
int __wrap_posix_memalign(void **p, size_t align, size_t bytes);
char *__wrap_strdup(const char *s);

void *__wrap_malloc(size_t bytes) { return fails() ? NULL : __real_malloc(bytes); }
void *__wrap_calloc(size_t n, size_t each) { return fails() ? NULL : __real_calloc(n, each); }
void *__wrap_realloc(void *p, size_t bytes) { return fails() ? NULL : __real_realloc(p, bytes); }
int __wrap_posix_memalign(void **p, size_t align, size_t bytes)
{
  return fails() ? ENOMEM : __real_posix_memalign(p, align, bytes);
}
char *__wrap_strdup(const char *s) { return fails() ? NULL : __real_strdup(s); }
