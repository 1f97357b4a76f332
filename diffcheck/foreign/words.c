#include "words.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../engine/engine.h"

char *words_trimmed(char *text)
{
  static const char BLANKS[] = " \t\r\n";
  char *end = text + strlen(text);
  text += strspn(text, BLANKS);
  while (end > text && strchr(BLANKS, end[-1]))
    *--end = 0;
  return text;
}

dc_status words_file(const char *path, const char *what, size_t most, char **text, size_t *n,
                     dc_error *err)
{
  struct stat st;
  int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  dc_status s = DC_OK;
  ssize_t got = 1;
  *text = NULL;
  *n = 0;
  if (fd < 0)
    return dc_fail(err, DC_INVALID, "%.200s: %s", path, strerror(errno));
  if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode))
    s = dc_fail(err, DC_INVALID, "%.200s: must be a file of %s", path, what);
  else if (st.st_size > (off_t)most)
    s = dc_fail(err, DC_INVALID, "%.200s: has %lld bytes, more than %zu", path,
                (long long)st.st_size, most);
  else if (!(*text = malloc(most + 1)))
    s = dc_fail(err, DC_NO_MEMORY, "%.200s: no memory for it", path);
  while (!s && got > 0 && *n < most)
    if ((got = read(fd, *text + *n, most - *n)) > 0)
      *n += (size_t)got;
  if (got < 0) {
    s = dc_fail(err, DC_INVALID, "%.200s: %s", path, strerror(errno));
    free(*text);
    *text = NULL;
  }
  close(fd);
  if (*text)
    (*text)[*n] = 0;
  return s;
}
