/* What the suites share: a folder of their own, files, programs run to their end. */
#ifndef TESTS_HELPERS_H
#define TESTS_HELPERS_H
#include <check.h>
#include <stdarg.h>
#include <stddef.h>

#include "../diffcheck/engine/diffcheck.h"
#include "../diffcheck/files/npy.h"

/* Runs the suite; the exit status of main. */
int aid_main(Suite *s);

/* The path of `name` in this process's own folder, which is removed at its exit. Owned by the
 * aid, one of 32 buffers. */
const char *aid_path(const char *name);
void aid_write(const char *path, const void *bytes, size_t n);
/* The whole file, NUL-terminated; *n its length where n is not NULL. Free it. */
char *aid_read(const char *path, size_t *n);

/* Runs a program of the build folder ("diffcheck") or of PATH (where it holds no such file) with
 * the arguments after it, a NULL last. *out: what it wrote to stdout, *err: to stderr; free both,
 * or pass NULL. The exit status, or 1000 + the signal. */
int aid_run(char **out, char **err, const char *program, ...);
int aid_vrun(char **out, char **err, const char *program, va_list args);

/* The path of a program of the build folder. */
char *aid_program(char *path, size_t size, const char *program);

/* Runs a command of the shell, wants this exit status, returns what it wrote to stdout, or where the status
 * is not 0 to stderr (free it). */
__attribute__((format(printf, 2, 3))) char *aid_shell(int status, const char *format, ...);

/* A Python that has NumPy. */
const char *aid_numpy(void);

/* diffcheck used wrongly: exit 2, nothing on stdout, and words on stderr that hold both parts. */
void aid_refused(const char *part, const char *and, ...);
#define REFUSED(part, and, ...) aid_refused(part, and, __VA_ARGS__, NULL)
/* Runs diffcheck, wants this exit status, returns what it wrote to stdout (free it). */
char *aid_output(int status, ...);
#define OUTPUT(status, ...) aid_output(status, __VA_ARGS__, NULL)

/* A .npy file of that name (aid_path), and one read back (npy_free it). */
const char *aid_tensor(const char *name, npy_type type, int rank, const int64_t *shape,
                       const void *data);
npy aid_load(const char *path);

#define ck_assert_text(text, part) \
  ck_assert_msg(strstr(text, part) != NULL, "\"%s\" lacks \"%s\"", text, part)
/* dc_run of that op, which is no error. */
dc_result aid_result(const char *op, const dc_options *o);
#endif
