#include "kernels.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../engine/engine.h"
#include "../foreign/source.h"
#include "../report/report.h"
#include "cli.h"

enum { KEY_KERNELS = 1400, KEY_FIRST = 1401 };

/* Options that are keys of a description, by name. */
static const struct argp_option OPTIONS[] = {
    {"kernel", KEY_FIRST, "LIBRARY", 0,
     "check a function of this shared library in place of our kernels; --call says how it is "
     "called",
     0},
    {"call", KEY_FIRST + 1, "CALL", 0,
     "NAME(ARGUMENT, ...): tensors by their names in the catalogue, of another type than float32 "
     "and int64 with it before (bf16 Y, f16 X, f64 X, i32 IDX, u8 MASK, bool MASK), i32 ROWS, "
     "f32 EPS, f32 1e-5, stream, work(BYTES), zeroed DX, inout X; formulas over the sizes",
     0},
    {"source", KEY_FIRST + 2, "FILE", 0,
     "check a kernel of this .cu: in plain CUDA on the simulator, or any with --on cuda, where it "
     "may be a .ptx, .cubin or .fatbin as well; --launch says how it is launched",
     0},
    {"launch", KEY_FIRST + 3, "LAUNCH", 0, "NAME<<<BLOCKS, THREADS, SHARED BYTES>>>(ARGUMENT, ...)",
     0},
    {"on", KEY_FIRST + 4, "WHERE", 0,
     "cpu or cuda: whose memory the pointers are of (default: cpu)", 0},
    {"where", KEY_FIRST + 5, "CONDITION", 0,
     "the cases that the kernel takes, as 'cols % 4 == 0 && aligned'", 0},
    {"unordered", KEY_FIRST + 6, NULL, 0,
     "its bits may change from run to run, as of a sum by atomics", 0},
    {"kernels", KEY_KERNELS, "FILE", 0,
     "check the kernels that this .kernel file describes, or every such file of a folder", 0},
    {NULL, 0, NULL, 0, NULL, 0}};

/* By option: the key of a description. */
static const char *const KEYS[] = {"library", "call",  "source",   "launch",
                                   "on",      "where", "unordered"};

static char *value_of(description *d, const char *key, size_t *room)
{
  for (int i = 0; description_key(i); i++)
    if (strcmp(description_key(i), key) == 0)
      return description_value(d, i, room);
  return NULL;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
  kernels *k = state->input;
  size_t room = 0;
  if (key == KEY_KERNELS) {
    k->from = arg;
    k->given++;
    return 0;
  }
  int i = key - KEY_FIRST;
  if (i < 0 || i >= (int)(sizeof KEYS / sizeof KEYS[0]))
    return ARGP_ERR_UNKNOWN;
  char *value = value_of(&k->typed, KEYS[i], &room);
  const char *to = arg ? arg : "yes";
  if (!*to)
    cli_refuse("--%s '': its value is missing", OPTIONS[i].name);
  if (strpbrk(to, "\n\r"))
    cli_refuse("--%s '%.40s': must be one line", OPTIONS[i].name, to);
  if (strlen(to) >= room)
    cli_refuse("--%s '%.40s..': is longer than %zu characters", OPTIONS[i].name, to, room - 1);
  strcpy(value, to);
  k->given++;
  return 0;
}

const struct argp kernels_argp = {OPTIONS, parse, NULL, NULL, NULL, NULL, NULL};

/* ---- reading ---- */

static int by_name(const struct dirent **a, const struct dirent **b)
{
  return strcmp((*a)->d_name, (*b)->d_name);
}

static int is_description(const struct dirent *e)
{
  static const char END[] = ".kernel";
  size_t n = strlen(e->d_name);
  return e->d_name[0] != '.' && n >= sizeof END && strcmp(e->d_name + n - sizeof END + 1, END) == 0;
}

static dc_status read_folder(const char *path, description **list, int *n, dc_error *err)
{
  struct dirent **entry;
  char file[2 * DESCRIPTION_PATH];
  dc_status s = DC_OK;
  int found = scandir(path, &entry, is_description, by_name);
  if (found < 0)
    return dc_fail(err, DC_INVALID, "--kernels '%.200s': %s", path, strerror(errno));
  for (int i = 0; i < found; i++) {
    snprintf(file, sizeof file, "%.1000s/%s", path, entry[i]->d_name);
    if (!s)
      s = description_load(file, list, n, err);
    free(entry[i]);
  }
  free(entry);
  return !s && found == 0
             ? dc_fail(err, DC_INVALID, "--kernels '%.200s': has no file *.kernel", path)
             : s;
}

static dc_status read_all(kernels *k, const dc_op *const *op, int n_ops, description **list, int *n,
                          dc_error *err)
{
  struct stat st;
  if (k->from && k->given > 1)
    return dc_fail(err, DC_INVALID, "--kernels: what its files say is not said again by options");
  if (k->from)
    return stat(k->from, &st) == 0 && S_ISDIR(st.st_mode) ? read_folder(k->from, list, n, err)
                                                          : description_load(k->from, list, n, err);
  if (n_ops != 1)
    return dc_fail(err, DC_INVALID, "--%s: %d ops are named: name the one that the kernel is of",
                   k->typed.source[0] ? "source" : "kernel", n_ops);
  snprintf(k->typed.kernel, sizeof k->typed.kernel, "given");
  snprintf(k->typed.op, sizeof k->typed.op, "%s", op[0]->name);
  char text[DESCRIPTION_TEXT];
  description_write(&k->typed, text);
  return description_read("options", NULL, text, strlen(text), list, n, err);
}

static bool wanted(const description *d, const dc_op *const *op, int n_ops, const char *name)
{
  bool found = n_ops == 0;
  for (int i = 0; i < n_ops; i++)
    found |= strcmp(op[i]->name, d->op) == 0;
  return found && (!*name || strcmp(name, d->kernel) == 0);
}

static dc_status add(kernels *k, const description *d, dc_error *err)
{
  dc_error why = {""};
  char path[PATH_MAX];
  kernel *x = &k->list[k->n];
  *x = (kernel){.f = NULL};
  dc_status status = foreign_new(d, &x->f, &why);
  if (!status)
    k->n++;
  if (status || foreign_look(x->f, &why))
    return dc_fail(err, DC_INVALID, "%s%.31s%s%.250s", k->from ? "kernel " : "",
                   k->from ? d->kernel : "", k->from ? ": " : "", why.text);
  if (foreign_build(x->f, source_headers(path), &why))
    return dc_fail(err, DC_INVALID, "%.300s", why.text);
  description_write(d, x->text);
  x->argv[4] = (char *)(uintptr_t)foreign_built(x->f);
  x->argv[0] = "diffcheck";
  x->argv[1] = "worker";
  x->argv[2] = "kernel";
  x->argv[3] = x->text;
  return DC_OK;
}

dc_status kernels_read(kernels *k, const dc_op *const *op, int n_ops, const char *name,
                       dc_error *err)
{
  description *list = NULL;
  int n = 0;
  dc_status s = read_all(k, op, n_ops, &list, &n, err);
  if (!s && !(k->list = calloc((size_t)n, sizeof *k->list)))
    s = dc_fail(err, DC_NO_MEMORY, "no memory for %d kernels", n);
  for (int i = 0; i < n && !s; i++)
    if (wanted(&list[i], op, n_ops, name))
      s = add(k, &list[i], err);
  if (!s && k->n == 0)
    s = dc_fail(err, DC_INVALID, "--kernels '%.100s': has no kernel %.31s%s%.31s", k->from, name,
                *name && n_ops ? " " : "", n_ops ? "of the ops that are named" : "");
  free(list);
  return s;
}

/* ---- running ---- */

/* What is expected is in this process's memory: other processes are not to read it. */
static void close_memory(void)
{
#if !defined(__SANITIZE_ADDRESS__) /* whose own check for leaks looks in from outside */
  prctl(PR_SET_DUMPABLE, 0);
#endif
}

static const pm_backend *device_of(const foreign *f, dc_error *why)
{
  return strcmp(foreign_kernel(f)->b->name, "cuda") == 0 ? backends_cuda(why) : NULL;
}

static dc_status start_here(kernel *k, dc_error *err)
{
  const pm_backend *device = device_of(k->f, err);
  if (!device && strcmp(foreign_kernel(k->f)->b->name, "cuda") == 0)
    return DC_NO_DEVICE;
  foreign_arm(k->f, device);
  const pm_backend *b = foreign_kernel(k->f)->b;
  if (b->init() != PM_OK)
    return dc_fail(err, DC_NO_DEVICE, "%.300s", b->error());
  snprintf(k->found.device[0], sizeof k->found.device[0], "%s", b->device());
  return DC_OK;
}

dc_status kernels_start(kernel *k, double seconds, dc_error *err)
{
  const dc_worker_how how = {.path = "/proc/self/exe",
                             .argv = k->argv,
                             .begin = 60,
                             .seconds = BACKENDS_SLOWNESS * seconds};
  dc_status s;
  k->found = (backends){.list = {foreign_kernel(k->f)->b}};
  if (seconds > 0) {
    close_memory();
    dc_worker *w = dc_worker_new(&how, err);
    s = w ? dc_worker_begin(w, k->found.device[0], err) : DC_NO_MEMORY;
    if (s)
      dc_worker_free(w);
    else
      k->found.worker[0] = w;
  } else
    s = start_here(k, err);
  k->found.n = s == DC_OK;
  return s;
}

int kernels_serve(const char *text, const char *built)
{
  description *list = NULL;
  int n = 0;
  dc_error why = {""};
  foreign *f = NULL;
  if (!description_read("worker", NULL, text, strlen(text), &list, &n, &why) && n == 1)
    foreign_new(&list[0], &f, &why);
  if (f)
    foreign_use(f, built);
  free(list);
  const pm_backend *device = f ? device_of(f, &why) : NULL;
  const bool runs = f && (device || !why.text[0]);
  if (runs)
    foreign_arm(f, device);
  int status = dc_serve_foreign(runs ? foreign_kernel(f) : NULL, why.text);
  foreign_free(f);
  return status;
}

char *kernels_typed(const kernels *k)
{
  char *text = NULL, quoted[4 * DESCRIPTION_LINE + 8];
  size_t size = 0, room;
  description d = k->typed;
  FILE *f = open_memstream(&text, &size);
  if (f && k->from && report_quote(k->from, quoted, sizeof quoted))
    fprintf(f, " --kernels %s", quoted);
  for (int i = 0; f && !k->from && i < (int)(sizeof KEYS / sizeof KEYS[0]); i++) {
    const char *value = value_of(&d, KEYS[i], &room);
    if (*value && !OPTIONS[i].arg)
      fprintf(f, " --%s", OPTIONS[i].name);
    else if (*value && report_quote(value, quoted, sizeof quoted))
      fprintf(f, " --%s %s", OPTIONS[i].name, quoted);
  }
  if (!f || fclose(f) != 0)
    return NULL;
  return text;
}

void kernels_free(kernels *k)
{
  for (int i = 0; i < k->n; i++) {
    backends_close(&k->list[i].found, NULL);
    foreign_free(k->list[i].f);
  }
  free(k->list);
  k->list = NULL;
  k->n = 0;
}
