#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FILES = 32 };

static struct {
  FILE *f;
  bool beside;          /* written to `part`, not to `path` */
  bool over;            /* `path` was there */
  bool placed, swapped; /* swapped: the old file is now the part */
  char path[PATH_MAX], part[PATH_MAX];
} file[FILES];
static volatile sig_atomic_t n_files;

__attribute__((format(printf, 3, 4))) static bool fail(char *message, const char *path,
                                                       const char *format, ...)
{
  va_list args;
  int n = snprintf(message, OUTPUT_MESSAGE, "'%.200s': ", path);
  va_start(args, format);
  vsnprintf(message + n, OUTPUT_MESSAGE - (size_t)n, format, args);
  va_end(args);
  return false;
}

bool output_is_stdout(const char *path) { return strcmp(path, "-") == 0; }

/* The folder of a path; false when the path is too long. */
static bool folder_of(const char *path, char folder[PATH_MAX])
{
  char copy[PATH_MAX];
  if (snprintf(copy, sizeof copy, "%s", path) >= PATH_MAX)
    return false;
  snprintf(folder, PATH_MAX, "%s", dirname(copy));
  return true;
}

bool output_check(const char *path, char *message)
{
  char folder[PATH_MAX];
  struct stat st, link;
  if (output_is_stdout(path))
    return true;
  if (!*path)
    return fail(message, path, "a file needs a name");
  if (strlen(path) + 24 >= PATH_MAX || !folder_of(path, folder))
    return fail(message, path, "the name is longer than %d bytes", PATH_MAX - 24);
  bool there = stat(path, &st) == 0, is_link = lstat(path, &link) == 0 && S_ISLNK(link.st_mode);
  if (there && S_ISDIR(st.st_mode))
    return fail(message, path, "is a folder: a file is written");
  if (there && !S_ISREG(st.st_mode)) /* written through: nothing is replaced */
    return access(path, W_OK) == 0 || fail(message, path, "%s", strerror(errno));
  if (is_link)
    return fail(message, path, "is a symbolic link: a link is not replaced; name what it is for");
  /* The superuser may write anything: the mode says what was meant. */
  if (there && (!(st.st_mode & 0222) || access(path, W_OK) != 0))
    return fail(message, path, "is read-only: such a file is not replaced");
  if (path[strlen(path) - 1] == '/')
    return fail(message, path, "is no file's name");
  if (stat(folder, &st) != 0)
    return fail(message, path, "%s", strerror(errno));
  if (access(folder, W_OK | X_OK) != 0)
    return fail(message, path, "its folder: %s", strerror(errno));
  return true;
}

bool output_same(const char *a, const char *b)
{
  struct stat x, y;
  char folder[2][PATH_MAX], whole[2][PATH_MAX], name[2][PATH_MAX];
  if (strcmp(a, b) == 0)
    return true;
  if (output_is_stdout(a) || output_is_stdout(b))
    return false;
  bool there[2] = {stat(a, &x) == 0, stat(b, &y) == 0};
  if (there[0] && there[1])
    return x.st_dev == y.st_dev && x.st_ino == y.st_ino;
  if (there[0] || there[1])
    return false;
  for (int i = 0; i < 2; i++)
    if (!folder_of(i ? b : a, folder[i]) || !realpath(folder[i], whole[i]))
      return false;
    else
      snprintf(name[i], sizeof name[i], "%s", i ? b : a);
  return strcmp(whole[0], whole[1]) == 0 && strcmp(basename(name[0]), basename(name[1])) == 0;
}

FILE *output_open(const char *path, char *message)
{
  struct stat st;
  int n = n_files;
  if (!output_check(path, message))
    return NULL;
  if (n == FILES) {
    fail(message, path, "more than %d files at once", FILES);
    return NULL;
  }
  memset(&file[n], 0, sizeof file[n]);
  snprintf(file[n].path, sizeof file[n].path, "%s", path);
  file[n].over = !output_is_stdout(path) && stat(path, &st) == 0;
  file[n].beside = !output_is_stdout(path) && (!file[n].over || S_ISREG(st.st_mode));
  if (output_is_stdout(path))
    file[n].f = stdout;
  else if (!file[n].beside)
    file[n].f = fopen(path, "wb");
  else {
    mode_t mask = umask(0);
    umask(mask);
    folder_of(path, file[n].part);
    strcat(file[n].part, "/.diffcheck.XXXXXX");
    n_files = n + 1; /* a signal from here on removes it again */
    int fd = mkstemp(file[n].part);
    if (fd >= 0) {
      fchmod(fd, file[n].over ? st.st_mode & 0777 : 0666 & ~mask);
      file[n].f = fdopen(fd, "wb");
    }
  }
  if (!file[n].f) {
    fail(message, path, "%s", strerror(errno));
    n_files = n;
    return NULL;
  }
  n_files = n + 1;
  return file[n].f;
}

/* Written to its end and closed; standard output stays open. */
static bool finish(int i, char *message)
{
  const char *path = output_is_stdout(file[i].path) ? "standard output" : file[i].path;
  FILE *f = file[i].f;
  errno = 0;
  bool good = fflush(f) == 0 && !ferror(f);
  int error = errno;
  file[i].f = NULL;
  if (f != stdout && fclose(f) != 0 && good) {
    good = false;
    error = errno;
  }
  return good || fail(message, path, "cannot be written to the end%s%s", error ? ": " : "",
                      error ? strerror(error) : "");
}

/* The new file under its name and the old one, if any, under the part's, so that there is a way
 * back. A file system that cannot exchange two names gives none to what was there. */
static bool place(int i)
{
  file[i].swapped = renameat2(AT_FDCWD, file[i].part, AT_FDCWD, file[i].path, RENAME_EXCHANGE) == 0;
  return file[i].swapped || rename(file[i].part, file[i].path) == 0;
}

static void take_back(int i)
{
  if (file[i].swapped)
    renameat2(AT_FDCWD, file[i].path, AT_FDCWD, file[i].part, RENAME_EXCHANGE);
  else if (!file[i].over)
    unlink(file[i].path);
}

bool output_commit(char *message)
{
  int n = n_files;
  bool good = true;
  sigset_t all, before;
  for (int i = 0; i < n; i++)
    good = finish(i, good ? message : (char[OUTPUT_MESSAGE]){0}) && good;
  sigfillset(&all);
  sigprocmask(SIG_BLOCK, &all, &before);
  for (int i = 0; good && i < n; i++)
    if (file[i].beside) {
      good = file[i].placed = place(i);
      if (!good)
        fail(message, file[i].path, "cannot be put in place: %s", strerror(errno));
    }
  for (int i = 0; !good && i < n; i++)
    if (file[i].placed)
      take_back(i);
  output_abandon();
  sigprocmask(SIG_SETMASK, &before, NULL);
  return good;
}

void output_drop(void)
{
  for (int i = 0; i < n_files; i++)
    if (file[i].f && file[i].f != stdout)
      fclose(file[i].f);
  output_abandon();
}

void output_abandon(void)
{
  for (int i = 0; i < n_files; i++)
    if (file[i].beside)
      unlink(file[i].part);
  n_files = 0;
}
