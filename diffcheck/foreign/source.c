#include "source.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../engine/engine.h"
#include "description.h"
#include "words.h"

extern char **environ;

/* ---- the shape of a launch ---- */

/* Cuts text at the commas that stand in no brackets; returns how many parts, at most `most`, or -1. */
static int parts(char *text, char *part[], int most)
{
  int n = 0, deep = 0;
  part[n++] = text;
  for (; *text; text++) {
    deep += *text == '(' ? 1 : *text == ')' ? -1 : 0;
    if (*text != ',' || deep != 0)
      continue;
    if (n == most)
      return -1;
    *text = 0;
    part[n++] = text + 1;
  }
  for (int i = 0; i < n; i++)
    part[i] = words_trimmed(part[i]);
  return n;
}

/* F, or dim3(F, F, F). */
static dc_status dims(const char *argument, char *text, const char *out[3], dc_error *err)
{
  char *part[3];
  size_t n = strlen(text);
  out[0] = out[1] = out[2] = "1";
  if (strncmp(text, "dim3", 4) != 0) {
    out[0] = text;
    return DC_OK;
  }
  char *open = text + 4 + strspn(text + 4, " \t");
  if (*open != '(' || text[n - 1] != ')')
    return dc_fail(err, DC_INVALID, "%s: '%.60s': must be dim3(X, Y, Z)", argument, text);
  text[n - 1] = 0;
  int k = parts(open + 1, part, 3);
  if (k < 1)
    return dc_fail(err, DC_INVALID, "%s: dim3 has three dimensions at most", argument);
  for (int i = 0; i < k; i++)
    out[i] = part[i];
  return DC_OK;
}

dc_status source_shape_read(const char *argument, const char *launch, const dc_op *op,
                            source_shape *out, char *plain, dc_error *err)
{
  static const char RULE[] = "must be NAME<<<BLOCKS, THREADS, SHARED BYTES>>>(ARGUMENT, ...)";
  formula_scope s;
  dc_error why = {""};
  char *part[4];
  if (strlen(launch) >= CALL_TEXT)
    return dc_fail(err, DC_INVALID, "%s: is longer than %d characters", argument, CALL_TEXT - 1);
  strcpy(out->text, launch);
  char *open = strstr(out->text, "<<<"), *close = open ? strstr(open, ">>>") : NULL;
  if (!close || open == out->text)
    return dc_fail(err, DC_INVALID, "%s: '%.60s': %s", argument, launch, RULE);
  *open = *close = 0;
  snprintf(plain, CALL_TEXT, "%s%s", out->text, close + 3);
  int n = parts(open + 3, part, 4);
  if (n < 2)
    return dc_fail(err, DC_INVALID, "%s: '%.60s': %s", argument, launch, RULE);
  if (dims(argument, part[0], out->grid, err) || dims(argument, part[1], out->block, err))
    return DC_INVALID;
  out->shared = n > 2 ? part[2] : "0";
  call_scope(op, NULL, 0, &s);
  const char *const all[7] = {out->grid[0],  out->grid[1],  out->grid[2], out->block[0],
                              out->block[1], out->block[2], out->shared};
  for (int i = 0; i < 7; i++)
    if (formula_check(all[i], &s, &why))
      return dc_fail(err, DC_INVALID, "%s: %.280s", argument, why.text);
  return DC_OK;
}

dc_status source_shape_at(const source_shape *s, const formula_scope *scope, source_launch *out,
                          dc_error *err)
{
  int64_t v;
  dc_status status = DC_OK;
  for (int i = 0; i < 6 && !status; i++) {
    status = formula_value(i < 3 ? s->grid[i] : s->block[i - 3], scope, &v, err);
    if (!status && (v < 1 || v > INT_MAX))
      status = dc_fail(err, DC_TOO_BIG, "a launch of %lld blocks or threads is none", (long long)v);
    if (!status)
      (i < 3 ? out->grid : out->block)[i % 3] = (unsigned)v;
  }
  if (!status)
    status = formula_value(s->shared, scope, &v, err);
  if (!status && (v < 0 || v > INT_MAX))
    status = dc_fail(err, DC_TOO_BIG, "%lld bytes of shared memory are none", (long long)v);
  if (!status)
    out->shared = (uint64_t)v;
  return status;
}

dc_status source_fits(const call *c, const char *types, dc_error *err)
{
  static const char *const NAMES[] = {"a pointer", "i32", "i64", "u32", "u64", "f32", "f64"};
  static const char LETTERS[] = "piluUfd";
  const char by_type[CALL_TYPES] = {'i', 'l', 'u', 'U', 'f', 'd'};
  const int n = (int)strlen(types);
  if (n != c->n)
    return dc_fail(err, DC_INVALID, "launch: %d arguments are given, and %.100s takes %d", c->n,
                   c->symbol, n);
  for (int i = 0; i < n; i++) {
    const char has = c->arg[i].kind == CALL_NUMBER ? by_type[c->arg[i].type] : 'p';
    const char *wants = strchr(LETTERS, types[i]);
    if (has != types[i])
      return dc_fail(err, DC_INVALID, "launch: argument %d of %.100s is %s, and it takes %s", i + 1,
                     c->symbol, NAMES[strchr(LETTERS, has) - LETTERS],
                     wants ? NAMES[wants - LETTERS] : "a type that cannot be passed here");
  }
  return DC_OK;
}

/* ---- the text that is compiled ---- */

static bool word_at(const char *text, size_t at, const char *word)
{
  size_t n = strlen(word);
  return strncmp(text + at, word, n) == 0 &&
         (at == 0 || (!isalnum((unsigned char)text[at - 1]) && text[at - 1] != '_')) &&
         !isalnum((unsigned char)text[at + n]) && text[at + n] != '_';
}

/* Behind a comment or a string that begins there; `at` itself where there is none. */
static size_t behind(const char *text, size_t at)
{
  const char *end;
  if (text[at] == '/' && text[at + 1] == '/')
    return at + strcspn(text + at, "\n");
  if (text[at] == '/' && text[at + 1] == '*') {
    end = strstr(text + at + 2, "*/");
    return end ? (size_t)(end - text) + 2 : strlen(text);
  }
  if (text[at] != '"' && text[at] != '\'')
    return at;
  /* 1'000 has a quote that begins nothing */
  if (text[at] == '\'' && at > 0 && isalnum((unsigned char)text[at - 1]))
    return at + 1;
  for (size_t i = at + 1; text[i] && text[i] != '\n'; i++)
    if (text[i] == '\\' && text[i + 1])
      i++;
    else if (text[i] == text[at])
      return i + 1;
  return at + 1;
}

static size_t skip_blanks(const char *text, size_t at) { return at + strspn(text + at, " \t\r\n"); }

/* The declarator of `extern __shared__ T s[];`, from T to the ; at `end`: as T *const s, the launch's one block
 * of memory, which all such arrays are. False: it is something else. */
static bool rewrite_array(const char *text, size_t at, size_t end, FILE *out)
{
  const char *open = memchr(text + at, '[', end - at), *close;
  size_t name_end, name;
  if (!open || !(close = memchr(open, ']', (size_t)(text + end - open))))
    return false;
  for (const char *p = open + 1; p < close; p++)
    if (!isspace((unsigned char)*p))
      return false;
  for (name_end = (size_t)(open - text);
       name_end > at && isspace((unsigned char)text[name_end - 1]);)
    name_end--;
  for (name = name_end;
       name > at && (isalnum((unsigned char)text[name - 1]) || text[name - 1] == '_');)
    name--;
  if (name == name_end || name == at)
    return false;
  fprintf(out, "%.*s(*const %.*s)%.*s = pm_plain_::any_array()", (int)(name - at), text + at,
          (int)(name_end - name), text + name, (int)(text + end - close - 1), close + 1);
  return true;
}

/* The source, with dynamic shared memory as the simulator has it. Lines stay where they are. */
static void rewrite(const char *text, FILE *out)
{
  for (size_t at = 0; text[at];) {
    size_t next = behind(text, at), word;
    if (next == at && word_at(text, at, "extern") &&
        (word = skip_blanks(text, at + 6), word_at(text, word, "__shared__"))) {
      size_t from = word + 10, end = from + strcspn(text + from, ";");
      if (rewrite_array(text, from, end, out))
        next = end;
    }
    if (next == at) {
      fputc(text[at], out);
      next = at + 1;
    } else if (next > at && text[at] != 'e')
      fwrite(text + at, 1, next - at, out);
    at = next;
  }
}

static dc_status write_unit(const char *source, const char *kernel, int gpu, const char *unit,
                            dc_error *err)
{
  size_t n;
  char *text;
  dc_status s = words_file(source, "source", 16 << 20, &text, &n, err);
  if (!s && memchr(text, 0, n)) {
    s = dc_fail(err, DC_INVALID, "%.200s: has a byte 0: it must be source", source);
    free(text);
  }
  if (s)
    return s;
  FILE *f = fopen(unit, "wxe");
  if (f) {
    fprintf(f, "#include \"%s\"\n#line 1 \"", gpu ? "plain_gpu.h" : "plain.h");
    for (const char *p = source; *p; p++)
      fprintf(f, *p == '"' || *p == '\\' ? "\\%c" : "%c", *p);
    fputs("\"\n", f);
    if (gpu)
      fputs(text, f);
    else
      rewrite(text, f);
    fprintf(f, "\n#line 1 \"launch\"\nPM_PLAIN_KERNEL(%s)\n", kernel);
  }
  free(text);
  if (!f || fclose(f) != 0)
    return dc_fail(err, DC_NO_MEMORY, "%.200s: %s", unit, strerror(errno));
  return DC_OK;
}

/* ---- compiling ---- */

/* The program's exit status, or -1; what it says goes to the file `said`. */
static int run(char *const *argv, const char *said)
{
  static char words[] = "LC_ALL=C";
  posix_spawn_file_actions_t files;
  pid_t pid;
  int status = -1, n = 0;
  while (environ[n])
    n++;
  char **env = malloc((size_t)(n + 2) * sizeof *env);
  if (!env || posix_spawn_file_actions_init(&files)) {
    free(env);
    return -1;
  }
  env[0] = words;
  int k = 1;
  for (int i = 0; i < n; i++)
    if (strncmp(environ[i], "LC_ALL=", 7) != 0)
      env[k++] = environ[i];
  env[k] = NULL;
  posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&files, 1, said, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&files, 1, 2);
  if (posix_spawnp(&pid, argv[0], &files, NULL, argv, env) == 0)
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
      ;
  posix_spawn_file_actions_destroy(&files);
  free(env);
  return status != -1 && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* The number of its line, in FILE:LINE:COLUMN: error: .. or FILE(LINE): error: ..; 0: none. */
static int line_of(const char *line, const char *error)
{
  int colons = 0;
  const char *p = error;
  if (error - line > 3 && strncmp(error - 3, "): ", 3) == 0) {
    for (p = error - 3; p > line && isdigit((unsigned char)p[-1]);)
      p--;
    return p > line && p[-1] == '(' ? atoi(p) : 0;
  }
  while (p > line && colons < 3)
    colons += *--p == ':';
  return colons == 3 ? atoi(p + 1) : 0;
}

/* The compiler's errors, as many as there is room for, without its warnings and pictures. */
static dc_status complain(const char *source, const char *said, int gpu, dc_error *err)
{
  char line[600], list[DC_TEXT] = "";
  const char *name = strrchr(source, '/') ? strrchr(source, '/') + 1 : source;
  FILE *f = fopen(said, "re");
  int n = 0;
  while (f && fgets(line, sizeof line, f) && n < 4) {
    char *error = strstr(line, "error: "), *hash = strstr(line, "#error ");
    char *device = gpu ? strstr(line, "ptxas ") : NULL; /* ptxas error   : .. */
    if (!error && device && (device = strstr(device, " : ")))
      error = device - 4;
    if (!error)
      continue;
    error[strcspn(error, "\n")] = 0;
    const int number = line_of(line, error);
    const char *words = hash ? hash + 7 : error + 7;
    size_t used = strlen(list);
    if (number > 0 && !hash)
      snprintf(list + used, sizeof list - used, "%sline %d: %.90s", n ? "; " : "", number, words);
    else
      snprintf(list + used, sizeof list - used, "%s%.90s", n ? "; " : "", words);
    n++;
  }
  if (f)
    fclose(f);
  return dc_fail(err, DC_INVALID, "%.60s: %s: %.220s", name,
                 gpu ? "does not compile" : "is no plain CUDA that the simulator knows",
                 *list ? list : "the compiler gave no reason");
}

/* ---- files that are there while the program runs ---- */

enum { FILES = 4 * (DESCRIPTION_KERNELS + 1) };
static char folder[128], *file[FILES];
static volatile sig_atomic_t n_files;

void source_abandon(void)
{
  for (int i = 0; i < n_files; i++)
    unlink(file[i]);
  if (folder[0])
    rmdir(folder);
}

/* The path of a new one; NULL: an error. It is known to source_abandon before it is there. */
static const char *new_file(const char *name, dc_error *err)
{
  const char *base = getenv("TMPDIR");
  if (!folder[0]) {
    char made[sizeof folder];
    snprintf(made, sizeof made, "%.90s/diffcheck-XXXXXX", base && *base ? base : "/tmp");
    if (!mkdtemp(made)) {
      dc_fail(err, DC_NO_MEMORY, "%s: %s", made, strerror(errno));
      return NULL;
    }
    memcpy(folder, made, sizeof folder);
    atexit(source_abandon);
  }
  if (n_files == FILES ||
      asprintf(&file[n_files], "%s/%d.%s", folder, (int)n_files / 4, name) < 0) {
    dc_fail(err, DC_NO_MEMORY, "no memory for more sources");
    return NULL;
  }
  return file[n_files++];
}

#define WORD(text) ((char *)(uintptr_t)(text)) /* that posix_spawn reads */
enum { WORDS = 64 };

/* The words of a command: the compiler's, with options of its own behind it, then `more` up to a NULL. */
static void command(char *compiler, const char *const more[], char *argv[WORDS])
{
  int n = 0;
  for (char *at = NULL, *w = strtok_r(compiler, " \t", &at); w && n < WORDS / 2;
       w = strtok_r(NULL, " \t", &at))
    argv[n++] = w;
  for (int i = 0; more[i] && n < WORDS - 1; i++)
    argv[n++] = WORD(more[i]);
  argv[n] = NULL;
}

/* nvcc where the shell finds it, else where its installer lays it. */
static const char *nvcc(void)
{
  static const char USUAL[] = "/usr/local/cuda/bin/nvcc";
  char at[PATH_MAX];
  for (const char *p = getenv("PATH"); p && *p; p += strcspn(p, ":"), p += *p == ':') {
    snprintf(at, sizeof at, "%.*s/nvcc", (int)strcspn(p, ":"), p);
    if (access(at, X_OK) == 0)
      return "nvcc";
  }
  return access(USUAL, X_OK) == 0 ? USUAL : "nvcc";
}

const char *source_headers(char *path)
{
  const char *named = getenv("PM_HEADERS");
  ssize_t n = readlink("/proc/self/exe", path, PATH_MAX - 1);
  path[n > 0 ? n : 0] = 0;
  for (int up = 0; up < 4 && !(named && *named); up++) { /* build/asan/diffcheck has more */
    char header[PATH_MAX + 24];
    char *slash = strrchr(path, '/');
    if (!slash)
      break;
    *slash = 0;
    snprintf(header, sizeof header, "%s/cuda/sim/plain.h", path);
    if (access(header, R_OK) == 0)
      return path;
  }
  return named && *named ? named : "..";
}

dc_status source_build(const char *source, const char *kernel, const char *headers, int gpu,
                       char library[DC_TEXT], dc_error *err)
{
  char sim[PATH_MAX], shim[PATH_MAX + 16], own[PATH_MAX], check[PATH_MAX + 16], compiler[PATH_MAX];
  char *argv[WORDS];
  const char *variable = gpu ? "PM_NVCC" : "PM_CXX", *named = getenv(variable);
  snprintf(compiler, sizeof compiler, "%s", named && *named ? named : gpu ? nvcc() : "g++");
  library[0] = 0;
  snprintf(sim, sizeof sim, "%.4000s/cuda/sim", headers);
  snprintf(shim, sizeof shim, "%s/plain", sim);
  snprintf(check, sizeof check, "%s/plain.h", sim);
  if (access(check, R_OK) != 0)
    return dc_fail(err, DC_INVALID,
                   "--source: there is no %.150s; PM_HEADERS names the checkout that has it",
                   check);
  const char *unit = new_file(gpu ? "cu" : "cpp", err), *object = unit ? new_file("o", err) : NULL;
  const char *said = object ? new_file("said", err) : NULL;
  const char *built = said ? new_file("so", err) : NULL;
  if (!built)
    return DC_NO_MEMORY;
  snprintf(own, sizeof own, "%.4000s", source);
  char *slash = strrchr(own, '/');
  snprintf(slash ? slash + (slash == own) : own, 2, "%s", slash ? "" : ".");
  const char *const for_gpu[] = {"-O3", "-std=c++17", "-arch=sm_90", "-Xcompiler", "-fPIC",
                                 "-I",  own,          "-I",          sim,          "-shared",
                                 "-o",  built,        unit,          NULL};
  const char *const for_sim[] = {"-std=c++17",
                                 "-x",
                                 "c++",
                                 "-O1",
                                 "-g1",
                                 "-fPIC",
                                 "-w",
                                 "-ffp-contract=off",
                                 "-fno-strict-aliasing",
                                 "-fsanitize=thread",
                                 "-D_GNU_SOURCE",
                                 "-DPM_SIM",
                                 "-DPM_RACE",
                                 "-iquote",
                                 own,
                                 "-I",
                                 sim,
                                 "-I",
                                 shim,
                                 "-c",
                                 "-o",
                                 object,
                                 unit,
                                 NULL};
  const char *const link[] = {"-shared", "-o", built, object, NULL};
  char again[PATH_MAX];
  strcpy(again, compiler);
  dc_status s = write_unit(source, kernel, gpu, unit, err);
  if (!s) {
    command(compiler, gpu ? for_gpu : for_sim, argv);
    int rc = argv[0] ? run(argv, said) : -1;
    if (rc == 0 && !gpu) {
      command(again, link, argv);
      rc = run(argv, said);
    }
    if (rc == -1 || rc == 127)
      s = dc_fail(err, DC_INVALID,
                  "--source: %.60s cannot be run: it compiles the kernel; %s names another "
                  "compiler",
                  compiler, variable);
    else if (rc != 0)
      s = complain(source, said, gpu, err);
  }
  if (!s)
    snprintf(library, DC_TEXT, "%s", built);
  return s;
}
