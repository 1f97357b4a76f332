/* diffcheck new OP: a description and a kernel to start from. */
#include <argp.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../engine/engine.h"
#include "../files/text.h"
#include "cli.h"
#include "options.h"

typedef struct wish {
  const char *op, *folder;
} wish;

enum { KEY_FOLDER = 512, PATH = 1024 };

static const struct argp_option NEW_OPTIONS[] = {
    {"folder", KEY_FOLDER, "FOLDER", 0, "where to write them (default: here)", 0},
    {NULL, 0, NULL, 0, NULL, 0}};

static const char NEW_DOC[] = "Writes OP.kernel, which says how a kernel of OP is called, and "
                              "OP.c, a kernel to begin with: it "
                              "compiles, is called rightly, and computes nothing yet. Files that "
                              "are there stay as they are.\v"
                              "Examples:\n"
                              "  diffcheck new softmax\n"
                              "  cc -O2 -shared -fPIC -o libsoftmax.so softmax.c -lm\n"
                              "  diffcheck run --kernels softmax.kernel\n"
                              "\n"
                              "Exit status: 0 both are written, 2 neither is.";

static error_t parse(int key, char *arg, struct argp_state *state)
{
  wish *w = state->input;
  switch (key) {
  case KEY_FOLDER:
    w->folder = arg;
    return 0;
  case ARGP_KEY_ARG:
    if (w->op)
      cli_refuse("'%s': new takes one OP", arg);
    w->op = arg;
    return 0;
  case ARGP_KEY_NO_ARGS:
    cli_refuse("OP is missing: `diffcheck list` names them");
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

const struct argp new_argp = {NEW_OPTIONS, parse, "OP", NEW_DOC, NULL, NULL, NULL};

/* Outputs, then inputs, sizes, attributes: each as `said` does it. */
static void arguments(FILE *f, const dc_op *op, int in_c)
{
  const char *comma = "";
  for (int i = 0; i < op->n_in + op->n_out; i++, comma = ", ") {
    int t = i < op->n_out ? op->n_in + i : i - op->n_out;
    if (in_c)
      fprintf(f, "%s%s%s *%s", comma, t < op->n_in ? "const " : "",
              op->tensor[t].dtype == DC_I64 ? "int64_t" : "float", op->tensor[t].name);
    else
      fprintf(f, "%s%s", comma, op->tensor[t].name);
  }
  for (int d = 0; d < op->n_dims; d++)
    fprintf(f, "%s%s %s", comma, in_c ? "int64_t" : "i64", op->dim[d]);
  for (int a = 0; a < op->n_attrs; a++)
    fprintf(f, "%s%s %s", comma,
            dc_attr_is_integer(op, a) ? in_c ? "int64_t" : "i64"
            : in_c                    ? "float"
                                      : "f32",
            op->attr[a]);
  if (op->is_vjp)
    fprintf(f, "%s%s accumulate", comma, in_c ? "int" : "i32");
}

static void write_description(FILE *f, const dc_op *op)
{
  fprintf(f, "# A kernel of %s: %s.\n# docs/your-kernel.md says what else a description may say.\n",
          op->name, op->meaning);
  fprintf(f, "kernel: mine\nop: %s\nlibrary: lib%s.so\ncall: %s_mine(", op->name, op->name,
          op->name);
  arguments(f, op, 0);
  fputs(")\n", f);
}

static void write_kernel(FILE *f, const dc_op *op)
{
  char shape[TEXT_SIGNATURE];
  fprintf(f, "/* %s: %s\n *\n", op->name, op->meaning);
  for (int t = 0; t < op->n_in + op->n_out; t++)
    fprintf(f, " *   %-8s %s %s\n", op->tensor[t].name, t < op->n_in ? "in, " : "out,",
            text_shape(op, t, shape));
  if (op->is_vjp)
    fputs(" *   accumulate: 1 adds to the outputs, 0 writes them\n", f);
  fprintf(f, " *\n * cc -O2 -shared -fPIC -o lib%s.so %s.c -lm\n */\n", op->name, op->name);
  fprintf(f, "#include <math.h>\n#include <stdint.h>\n\nvoid %s_mine(", op->name);
  arguments(f, op, 1);
  fputs(")\n{\n  /* your code */\n}\n", f);
}

/* A new file; an error where there is one already. */
static int write_new(const char *path, const dc_op *op, void (*write)(FILE *f, const dc_op *op))
{
  int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (fd < 0)
    return cli_error("%s: %s", path,
                     errno == EEXIST ? "is there already, and stays as it is" : strerror(errno));
  FILE *f = fdopen(fd, "w");
  if (f)
    write(f, op);
  else
    close(fd);
  if (f && fclose(f) == 0)
    return EXIT_PASS;
  int status = cli_error("%s: cannot be written: %s", path, strerror(errno));
  unlink(path);
  return status;
}

int command_new(int argc, char **argv)
{
  wish w = {.folder = ""};
  char description[PATH], kernel[PATH];
  options_parse(&new_argp, argc, argv, &w);
  const dc_op *op = dc_op_find(w.op);
  if (!op)
    return unknown_op(w.op);
  const char *slash = *w.folder ? "/" : "";
  if (snprintf(description, PATH, "%s%s%s.kernel", w.folder, slash, op->name) >= PATH)
    return cli_error("--folder '%.40s..': is too long", w.folder);
  snprintf(kernel, PATH, "%s%s%s.c", w.folder, slash, op->name);
  if (write_new(description, op, write_description))
    return EXIT_ERROR;
  if (write_new(kernel, op, write_kernel)) {
    unlink(description);
    return EXIT_ERROR;
  }
  printf("%s\n%s\n", description, kernel);
  return EXIT_PASS;
}
