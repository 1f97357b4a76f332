#include "helpers.h"

#include <errno.h>
#include <ftw.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PATH = 160 };
static char folder[64];
static pid_t owner;

static int drop(const char *path, const struct stat *st, int type, struct FTW *at)
{
  (void)st, (void)type, (void)at;
  return remove(path);
}

static void clean(void)
{
  if (folder[0] && getpid() == owner)
    nftw(folder, drop, 8, FTW_DEPTH | FTW_PHYS);
}

/* The folder is made before the suite forks, so that the tests share it and the parent removes
 * it. */
int aid_main(Suite *s)
{
  const char *base = getenv("TMPDIR");
  snprintf(folder, sizeof folder, "%.40s/pm_test_XXXXXX", base ? base : "/tmp");
  if (!mkdtemp(folder)) {
    perror(folder);
    return 2;
  }
  owner = getpid();
  atexit(clean);
  SRunner *r = srunner_create(s);
  srunner_run_all(r, CK_ENV);
  int failed = srunner_ntests_failed(r), run = srunner_ntests_run(r);
  srunner_free(r);
  return failed || !run;
}

static char *in_folder(char *path, const char *name)
{
  snprintf(path, PATH, "%s/%d_%s", folder, (int)getpid(), name);
  return path;
}

const char *aid_path(const char *name)
{
  static char path[32][PATH];
  static int next;
  return in_folder(path[next++ % 32], name);
}

void aid_write(const char *path, const void *bytes, size_t n)
{
  FILE *f = fopen(path, "wb");
  ck_assert_ptr_nonnull(f);
  ck_assert_uint_eq(fwrite(bytes, 1, n, f), n);
  ck_assert_int_eq(fclose(f), 0);
}

char *aid_read(const char *path, size_t *n)
{
  FILE *f = fopen(path, "rb");
  ck_assert_msg(f != NULL, "%s: %s", path, strerror(errno));
  size_t used = 0, room = 4096;
  char *text = malloc(room);
  for (size_t got; (got = fread(text + used, 1, room - 1 - used, f)) > 0;) {
    used += got;
    if (used == room - 1) {
      char *more = realloc(text, room *= 2);
      ck_assert_ptr_nonnull(more);
      text = more;
    }
  }
  fclose(f);
  text[used] = 0;
  if (n)
    *n = used;
  return text;
}

/* "build/diffcheck" for a test in build/tests; the name itself where there is no such file. */
char *aid_program(char *path, size_t size, const char *program)
{
  ssize_t n = readlink("/proc/self/exe", path, size - 1);
  ck_assert_int_gt(n, 0);
  path[n] = 0;
  for (int up = 0; up < 2; up++)
    *strrchr(path, '/') = 0;
  size_t used = strlen(path);
  snprintf(path + used, size - used, "/%s", program);
  if (access(path, X_OK) != 0)
    snprintf(path, size, "%s", program);
  return path;
}

int aid_vrun(char **out, char **err, const char *program, va_list args)
{
  char path[4096];
  char *argv[40];
  char files[2][PATH];
  int argc = 1, status;
  aid_program(path, sizeof path, program);
  argv[0] = path;
  while (argc < 40 && (argv[argc] = va_arg(args, char *)) != NULL)
    argc++;
  ck_assert_int_lt(argc, 40);
  in_folder(files[0], "stdout");
  in_folder(files[1], "stderr");
  fflush(NULL);
  pid_t child = fork();
  ck_assert_int_ge(child, 0);
  if (child == 0) {
    if (!freopen("/dev/null", "r", stdin) || !freopen(files[0], "w", stdout) ||
        !freopen(files[1], "w", stderr))
      _exit(126);
    execvp(path, argv);
    _exit(127);
  }
  ck_assert_int_eq(waitpid(child, &status, 0), child);
  char **to[2] = {out, err};
  for (int i = 0; i < 2; i++)
    if (to[i])
      *to[i] = aid_read(files[i], NULL);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

int aid_run(char **out, char **err, const char *program, ...)
{
  va_list args;
  va_start(args, program);
  int status = aid_vrun(out, err, program, args);
  va_end(args);
  return status;
}

void aid_refused(const char *part, const char *and, ...)
{
  char *out = NULL, *err = NULL;
  va_list args;
  va_start(args, and);
  int rc = aid_vrun(&out, &err, "diffcheck", args);
  va_end(args);
  ck_assert_msg(rc == 2, "exit %d, stdout: %s, stderr: %s", rc, out, err);
  ck_assert_text(err, part);
  ck_assert_text(err, and);
  ck_assert_str_eq(out, "");
  free(out);
  free(err);
}

char *aid_output(int status, ...)
{
  char *out = NULL, *err = NULL;
  va_list args;
  va_start(args, status);
  int rc = aid_vrun(&out, &err, "diffcheck", args);
  va_end(args);
  ck_assert_msg(rc == status, "exit %d, stdout: %s, stderr: %s", rc, out, err);
  free(err);
  return out;
}

const char *aid_tensor(const char *name, npy_type type, int rank, const int64_t *shape,
                       const void *data)
{
  char message[NPY_MESSAGE];
  const char *path = aid_path(name);
  ck_assert_msg(npy_write(path, type, rank, shape, data, message), "%s", message);
  return path;
}

npy aid_load(const char *path)
{
  char message[NPY_MESSAGE];
  npy a;
  ck_assert_msg(npy_read(path, 1 << 20, &a, message), "%s", message);
  return a;
}

dc_result aid_result(const char *op, const dc_options *o)
{
  dc_result r;
  dc_error err = {""};
  dc_status s = dc_run(dc_op_find(op), o, &r, &err);
  ck_assert_msg(s == DC_OK, "%s: %s", op, err.text);
  return r;
}

char *aid_shell(int status, const char *format, ...)
{
  char command[8192], *out, *err;
  va_list args;
  va_start(args, format);
  vsnprintf(command, sizeof command, format, args);
  va_end(args);
  int got = aid_run(&out, &err, "sh", "-c", command, NULL);
  ck_assert_msg(got == status, "%s: exit %d: %s%s", command, got, out, err);
  if (status == 0) {
    free(err);
    return out;
  }
  free(out);
  return err;
}

const char *aid_numpy(void)
{
  static const char *const ALL[] = {"python3", "/usr/bin/python3"};
  for (int i = 0; i < 2; i++)
    if (aid_run(NULL, NULL, ALL[i], "-c", "import numpy", NULL) == 0)
      return ALL[i];
  ck_abort_msg("no Python has NumPy: scripts/setup.sh test installs one");
}
