/* diffcheck bench: time of the kernels against what the machine could do at best, and PyTorch. */
#include "bench.h"

#include <argp.h>
#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <time.h>

#include "backends.h"
#include "cli.h"
#include "../engine/engine.h"
#include "../report/progress.h"
#include "options.h"
#include "../files/output.h"
#include "../files/replay.h"
#include "../files/text.h"

enum { KEY_BACKEND = 256, KEY_VARIANTS, KEY_REPS, KEY_NO_PEERS, KEY_COMPILE, KEY_FORCE, KEY_SET };
enum { ROWS = 1024, BLOCK = (4 << 20) + 77, COPY = 1 << 30 };

static const struct argp_option OPTIONS[] = {
    {"backend", KEY_BACKEND, "NAME", 0, "cuda (default) or sim", 0},
    {"all-variants", KEY_VARIANTS, NULL, 0,
     "every variant that can run, not only the one the launcher picks", 0},
    {"set", KEY_SET, "KEY=VALUE,...", 0,
     "these sizes in place of the usual ones; another --set adds to it", 0},
    {"reps", KEY_REPS, "N", 0, "runs that the median is taken of (default 30)", 0},
    {"no-peers", KEY_NO_PEERS, NULL, 0, "do not time PyTorch", 0},
    {"compile", KEY_COMPILE, NULL, 0, "time torch.compile as well", 0},
    {"force", KEY_FORCE, NULL, 0, "time the simulator all the same, at small sizes", 0},
    {"output", 'o', "FILE", 0, "write the figures there too, as JSON", 0},
    {NULL, 0, NULL, 0, NULL, 0}};

static const char DOC[] =
    "Times each OP (all of them when none is named) on random inputs: the median of 30 runs, "
    "caches flushed before each. floor is the time for the bytes that must move, at the copy rate "
    "measured in the same run, or for the operations at the float32 rate of cuBLAS, whichever is "
    "larger; copy is a plain copy that moves as many bytes, launch and all, or a plain read where "
    "an "
    "op writes next to nothing; launch is a kernel that does nothing. PyTorch is timed "
    "beside it where python3 can import torch.\v"
    "Examples:\n"
    "  diffcheck bench\n"
    "  diffcheck bench softmax softmax_vjp --all-variants\n"
    "  diffcheck bench matmul --set m=512,k=512,n=512 --no-peers -o matmul.json";

typedef struct bench {
  const char *backend, *output, *command;
  sets set;
  const char *op[256];
  int n_ops, reps;
  bool variants, no_peers, compile, force;
  const pm_backend *b;
  double copy_GBs, f32_TFs, launch_us; /* NaN: not measured */
  bench_peers peers;
  bench_row row[ROWS];
  int n;
  float *block; /* random values on the host */
} bench;

/* ---- what an op cannot do without ---- */

static void cost(bench_row *r)
{
  const dc_op *op = r->c.op;
  const int64_t *size = r->c.size;
  double written = 0;
  r->bytes = r->flops = 0;
  for (int t = 0; t < op->n_in + op->n_out; t++) {
    double n = (double)dc_count(op, t, size, r->c.attr);
    /* Of the gathered table only the rows asked for, of a tensor only the part cut out or kept. */
    if (strncmp(op->name, "gather", 6) == 0 && !op->is_vjp && t == 0)
      n = fmin(n, (double)dc_count(op, op->n_in, size, r->c.attr));
    if (strcmp(op->name, "slice") == 0 && t == 0)
      n = (double)dc_count(op, 1, size, r->c.attr);
    if (strcmp(op->name, "write_rows") == 0 && t == 0)
      n -= (double)dc_count(op, 1, size, r->c.attr);
    n *= op->tensor[t].dtype == DC_I64 ? 8 : 4;
    r->bytes += n;
    written += t < op->n_in ? 0 : n;
  }
  r->reads = written < r->bytes / 50;
  if (strcmp(op->forward, "matmul") == 0)
    r->flops = 2.0 * (double)size[0] * (double)size[1] * (double)size[2] * op->n_out;
  if (strcmp(op->forward, "linear") == 0)
    r->flops = 2.0 * (double)size[0] * (double)size[1] * (double)size[2] * (op->is_vjp ? 2 : 1);
  if (strcmp(op->forward, "ffn") == 0)
    r->flops = 2.0 * (double)size[0] * (double)size[2] * ((double)size[1] + (double)size[3]) *
               (op->is_vjp ? 2 : 1);
  if (strcmp(op->forward, "bmm") == 0)
    r->flops =
        2.0 * (double)size[0] * (double)size[1] * (double)size[2] * (double)size[3] * op->n_out;
}

static double floor_us(const bench *x, const bench_row *r)
{
  double us = r->bytes / x->copy_GBs / 1e3;
  if (r->flops > 0) {
    if (isnan(x->f32_TFs))
      return NAN;
    us = fmax(us, r->flops / x->f32_TFs / 1e6);
  }
  return us;
}

/* ---- timing ---- */

typedef struct job {
  const pm_backend *b;
  const dc_op *op;
  pm_exec ex;
  dc_args args;
} job;

static pm_status launch(void *arg)
{
  job *j = arg;
  return j->op->glue->launch(j->b, &j->ex, &j->args);
}

static bool fill(bench *x, const bench_row *r, int t, void *device)
{
  const dc_op *op = r->c.op;
  int64_t n = dc_count(op, t, r->c.size, r->c.attr);
  dc_rng rng;
  if (op->tensor[t].dtype == DC_I64) {
    int64_t *index = malloc((size_t)(n + 1) * sizeof *index);
    dc_rng_seed(&rng, 7, 7);
    if (index)
      dc_fill_indices(&rng, DC_IX_RANDOM, r->c.size[op->glue->index_dim], n, index);
    bool good = index && x->b->upload(device, index, (size_t)n * sizeof *index) == PM_OK;
    free(index);
    return good;
  }
  float *block = malloc(BLOCK * sizeof *block);
  bool good = block;
  if (good) {
    memcpy(block, x->block, BLOCK * sizeof *block);
    dc_confine(op->glue->domain[t], BLOCK, block);
  }
  for (int64_t i = 0; i < n && good; i += BLOCK) {
    size_t m = (size_t)(n - i < BLOCK ? n - i : BLOCK);
    good = x->b->upload((float *)device + i, block, m * sizeof(float)) == PM_OK;
  }
  free(block);
  return good;
}

/* False when the variant is not for this case: then there is nothing to tell. */
static bool time_row(bench *x, bench_row *r, const char *variant, job *j)
{
  r->us = r->eager_us = r->compiled_us = NAN;
  cost(r);
  j->ex.variant = variant;
  j->ex.ran = NULL;
  pm_status status = launch(j);
  if (status == PM_UNSUITED && variant)
    return false;
  if (status == PM_OK)
    status = x->b->sync();
  snprintf(r->variant, sizeof r->variant, "%s", j->ex.ran ? j->ex.ran : variant ? variant : "");
  if (status == PM_OK)
    r->us = 1e3 * x->b->time(launch, j, x->reps);
  else
    snprintf(r->why, sizeof r->why, "%.200s", x->b->error());
  return true;
}

static bench_row *new_row(bench *x, const dc_case *c, bool first)
{
  if (x->n == ROWS)
    return NULL;
  bench_row *r = &x->row[x->n++];
  *r = (bench_row){.c = *c, .first = first};
  return r;
}

/* One case: the launcher's choice, then the other variants where they are wanted. */
/* Of the one that runs unasked, or the most of all variants. */
static size_t work_bytes(const bench *x, const dc_case *c)
{
  size_t most = dc_workspace(x->b, c, NULL);
  for (int k = 0; x->variants && k < x->b->n_kernels; k++)
    if (strcmp(x->b->kernels[k].op, c->op->name) == 0) {
      const size_t bytes = dc_workspace(x->b, c, x->b->kernels[k].variant);
      most = bytes > most ? bytes : most;
    }
  return most;
}

static int time_case(bench *x, const dc_case *c)
{
  const dc_op *op = c->op;
  job j = {.b = x->b, .op = op, .args = {.size = c->size, .attr = c->attr}};
  bench_row *r = new_row(x, c, true);
  dc_error err = {""};
  int status = EXIT_PASS;
  if (!r)
    return cli_error("bench: more than %d rows", ROWS);
  if (dc_case_check(c, 0, &err))
    return cli_error("%s", err.text);
  j.ex.stream = x->b->stream(0);
  j.ex.work_bytes = work_bytes(x, c);
  j.ex.work = j.ex.work_bytes ? x->b->alloc(j.ex.work_bytes) : NULL;
  bool room = !j.ex.work_bytes || j.ex.work;
  for (int t = 0; room && t < op->n_in + op->n_out; t++) {
    int64_t n = dc_count(op, t, c->size, c->attr);
    j.args.t[t] = x->b->alloc((size_t)(n + 1) * (op->tensor[t].dtype == DC_I64 ? 8 : 4));
    room = j.args.t[t] && (t >= op->n_in || fill(x, r, t, j.args.t[t]));
  }
  if (!room) {
    char text[REPLAY_TEXT];
    status = cli_error("bench: no device memory for %s", replay_write(c, text));
  } else {
    time_row(x, r, NULL, &j);
    for (int k = 0; x->variants && k < x->b->n_kernels; k++) {
      const pm_kernel *row = &x->b->kernels[k];
      if (strcmp(row->op, op->name) != 0 || strcmp(row->variant, r->variant) == 0)
        continue;
      bench_row *other = new_row(x, c, false);
      if (other && !time_row(x, other, row->variant, &j))
        x->n--;
    }
  }
  for (int t = 0; t < op->n_in + op->n_out; t++)
    if (j.args.t[t])
      x->b->free(j.args.t[t]);
  if (j.ex.work)
    x->b->free(j.ex.work);
  return status;
}

typedef struct copying {
  const pm_backend *b;
  void *to, *from;
  size_t bytes;
} copying;

static pm_status copy(void *arg)
{
  copying *c = arg;
  return c->b->copy_bytes(c->to, c->from, c->bytes);
}

/* Milliseconds of a copy that moves so many bytes, half of them each way, or all one way where they
 * are only read; NaN where it cannot be had. */
static double copy_ms(const bench *x, size_t bytes, bool reads)
{
  copying c = {.b = x->b, .bytes = reads ? bytes : bytes / 2};
  double ms = NAN;
  if (!x->b->copy_bytes)
    return NAN;
  c.to = reads ? NULL : x->b->alloc(c.bytes);
  c.from = x->b->alloc(c.bytes);
  if ((reads || c.to) && c.from)
    ms = x->b->time(copy, &c, x->reps);
  if (c.to)
    x->b->free(c.to);
  if (c.from)
    x->b->free(c.from);
  return ms;
}

/* GB/s read and written together. */
static double copy_rate(const bench *x)
{
  size_t bytes = 2 * (size_t)(x->force ? COPY >> 8 : COPY);
  return (double)bytes / (copy_ms(x, bytes, false) * 1e6);
}

/* What a copy takes at the size of each case: near a launch's own time the rate says little. */
static void time_copies(bench *x)
{
  for (int i = 0; i < x->n; i++) {
    bench_row *r = &x->row[i];
    if (r->flops > 0)
      r->copy_us = NAN;
    else if (i > 0 && dc_case_same(&x->row[i - 1].c, &r->c))
      r->copy_us = x->row[i - 1].copy_us;
    else
      r->copy_us = r->bytes > 0 ? copy_ms(x, (size_t)r->bytes, r->reads) * 1e3 : NAN;
  }
}

/* ---- which cases ---- */

static bool wanted(const bench *x, const char *op)
{
  for (int i = 0; i < x->n_ops; i++)
    if (strcmp(x->op[i], op) == 0)
      return true;
  return x->n_ops == 0;
}

/* Sizes that the simulator gets through. */
static void shrink(dc_case *c)
{
  for (int d = 0; d < c->op->n_dims; d++) {
    int64_t most = c->op->n_dims == 1 ? 1 << 16 : 128;
    if (c->size[d] > most)
      c->size[d] = most;
  }
}

static int time_all(bench *x, progress *p)
{
  dc_error err = {""};
  dc_case c;
  char line[REPLAY_TEXT];
  for (int i = 0, at = 0; i < dc_n_ops();) {
    const dc_op *op = dc_op_at(i);
    if (!wanted(x, op->name) || !bench_size(op, at++, line)) {
      i++;
      at = 0;
      continue;
    }
    if (replay_read(line, &c, NULL, &err))
      return cli_error("bench: %s", err.text);
    if (x->set.n) {
      dc_fixed f;
      dc_error note = {""};
      int taken = 0;
      for (int k = 0; k < x->n; k++)
        taken |= x->row[k].c.op == c.op;
      if (taken)
        continue;
      dc_fixed_init(&f);
      if (sets_fix(&x->set, c.op, 0, &f, &note, &err))
        return cli_error("%s", err.text);
      sets_note(&note);
      for (int d = 0; d < c.op->n_dims; d++)
        if (f.size[d] >= 0)
          c.size[d] = f.size[d];
      for (int a = 0; a < c.op->n_attrs; a++)
        if (!isnan(f.attr[a]))
          c.attr[a] = f.attr[a];
    } else if (x->force) {
      shrink(&c);
      if (x->n && dc_case_same(&x->row[x->n - 1].c, &c))
        continue;
    }
    char text[REPLAY_TEXT];
    progress_say(p, "bench: %s", replay_write(&c, text));
    if (time_case(x, &c))
      return EXIT_ERROR;
    progress_clear(p);
  }
  return EXIT_PASS;
}

/* ---- what comes out ---- */

static void figure(double v, int width)
{
  if (isnan(v))
    printf("%*s", width, "-");
  else
    printf(v < 100 ? "%*.2f" : "%*.0f", width, v);
}

/* Dims, and attributes that are not at their defaults. */
static void size_text(const dc_case *c, char *text, size_t room)
{
  dc_case plain;
  size_t n = 0;
  dc_case_init(&plain, c->op);
  for (int d = 0; d < c->op->n_dims; d++)
    n += (size_t)snprintf(text + n, room - n, "%s%s=%" PRId64, n ? " " : "", c->op->dim[d],
                          c->size[d]);
  for (int a = 0; a < c->op->n_attrs; a++)
    if (c->attr[a] != plain.attr[a])
      n += (size_t)snprintf(text + n, room - n, " %s=%g", c->op->attr[a], c->attr[a]);
}

static void print_table(const bench *x)
{
  bool peers = x->peers.torch[0], compiled = peers && x->compile;
  printf("device    %s\n", x->b->device());
  printf("copy      %.0f GB/s read and written\n", x->copy_GBs);
  if (!isnan(x->launch_us))
    printf("launch    %.2f us of a kernel that does nothing\n", x->launch_us);
  if (!isnan(x->f32_TFs))
    printf("float32   %.1f TFLOP/s (cuBLAS, 8192^3)\n", x->f32_TFs);
  if (peers)
    printf("PyTorch   %s, TF32 off\n", x->peers.torch);
  printf("\n%-25s%-32s%-14s%10s%10s%8s", "op", "size", "variant", "us", "floor us", "/floor");
  printf("%10s%8s", "copy us", "/copy");
  if (peers)
    printf("%12s%10s", "PyTorch us", "/PyTorch");
  if (compiled)
    printf("%14s", "compiled us");
  puts("");
  for (int i = 0; i < x->n; i++) {
    const bench_row *r = &x->row[i];
    char size[REPLAY_TEXT];
    double least = floor_us(x, r);
    size_text(&r->c, size, sizeof size);
    printf("%-25s%-32.31s%-14.13s", r->c.op->name, size, r->variant);
    figure(r->us, 10);
    figure(least, 10);
    figure(r->us / least, 8);
    figure(r->copy_us, 10);
    figure(r->us / r->copy_us, 8);
    if (peers) {
      figure(r->eager_us, 12);
      figure(r->us / r->eager_us, 10);
    }
    if (compiled)
      figure(r->compiled_us, 14);
    if (isnan(r->us))
      printf("  %s", r->why);
    puts("");
  }
  for (int i = 0; i < x->n; i++)
    if (x->row[i].peer_why[0]) {
      char size[REPLAY_TEXT];
      size_text(&x->row[i].c, size, sizeof size);
      printf("%s was not timed on %s %s: %s\n",
             isnan(x->row[i].eager_us) ? "PyTorch" : "torch.compile", x->row[i].c.op->name, size,
             x->row[i].peer_why);
    }
}

static json_t *real(double v) { return isfinite(v) ? json_real(v) : json_null(); }

static json_t *row_json(const bench *x, const bench_row *r)
{
  return json_pack("{s:s, s:o, s:s, s:o, s:o, s:o, s:o, s:f, s:f, s:o, s:o}", "op", r->c.op->name,
                   "size", bench_size_json(&r->c), "variant", r->variant, "us", real(r->us),
                   "floor_us", real(floor_us(x, r)), "over_floor", real(r->us / floor_us(x, r)),
                   "copy_us", real(r->copy_us), "bytes", r->bytes, "flops", r->flops, "torch_us",
                   real(r->eager_us), "torch_compile_us", real(r->compiled_us));
}

/* The commit of the checkout the command is run in, $PM_COMMIT where it has no history, or "". */
static void commit(char text[64])
{
  const char *named = getenv("PM_COMMIT");
  if (named) {
    snprintf(text, 64, "%s", named);
    return;
  }
  FILE *f = popen("git describe --always --dirty 2>/dev/null", "r");
  text[0] = 0;
  if (!f)
    return;
  if (fgets(text, 64, f))
    text[strcspn(text, "\n")] = 0;
  pclose(f);
}

static int write_json(const bench *x)
{
  char version[64], date[32];
  time_t now = time(NULL);
  struct tm utc;
  json_t *rows = json_array();
  commit(version);
  strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
  for (int i = 0; i < x->n; i++)
    json_array_append_new(rows, row_json(x, &x->row[i]));
  json_t *all =
      json_pack("{s:s, s:s, s:s, s:s, s:s, s:i, s:o, s:o, s:o, s:s, s:o}", "date", date, "device",
                x->b->device(), "backend", x->b->name, "commit", version, "command", x->command,
                "reps", x->reps, "copy_GBs", real(x->copy_GBs), "launch_us", real(x->launch_us),
                "f32_TFs", real(x->f32_TFs), "torch", x->peers.torch, "rows", rows);
  char why[OUTPUT_MESSAGE] = "no memory";
  FILE *f = all ? output_open(x->output, why) : NULL;
  bool good = f && json_dumpf(all, f, JSON_INDENT(1) | JSON_REAL_PRECISION(6)) == 0;
  json_decref(all);
  if (f && !good)
    output_drop();
  if (!good || !output_commit(why))
    return cli_error("-o %s", why);
  return EXIT_PASS;
}

/* ---- the command ---- */

static error_t parse(int key, char *arg, struct argp_state *state)
{
  bench *x = state->input;
  int64_t n;
  switch (key) {
  case KEY_BACKEND:
    x->backend = arg;
    return 0;
  case KEY_VARIANTS:
    x->variants = true;
    return 0;
  case KEY_SET:
    sets_add(&x->set, arg);
    return 0;
  case KEY_REPS:
    if (!cli_int("--reps", arg, 1, 100000, &n))
      exit(EXIT_ERROR);
    x->reps = (int)n;
    return 0;
  case KEY_NO_PEERS:
    x->no_peers = true;
    return 0;
  case KEY_COMPILE:
    x->compile = true;
    return 0;
  case KEY_FORCE:
    x->force = true;
    return 0;
  case 'o':
    x->output = arg;
    return 0;
  case ARGP_KEY_ARG:
    if (!dc_op_find(arg))
      exit(unknown_op(arg));
    if (x->n_ops < 256)
      x->op[x->n_ops++] = arg;
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

static int prepare(bench *x)
{
  char unwritable[OUTPUT_MESSAGE];
  backends found;
  dc_error err = {""};
  dc_rng rng;
  bool sim = strcmp(x->backend, "sim") == 0;
  if (!sim && strcmp(x->backend, "cuda") != 0)
    return cli_choice("--backend", x->backend, "cuda or sim");
  if (sim && !x->force)
    return cli_error("--backend sim: the simulator's times say nothing about a GPU; --force "
                     "prints them all the same");
  if (!sim && x->force)
    return cli_error("--force: only --backend sim has to be forced");
  if (x->compile && (x->no_peers || sim))
    return cli_error("--compile: %s: torch.compile is timed beside PyTorch",
                     sim ? "the simulator has no peers" : "--no-peers leaves PyTorch out");
  if (x->output && strcmp(x->output, "-") == 0)
    return cli_error("-o '-': the table goes to standard output: give a file for the JSON");
  if (x->output && !output_check(x->output, unwritable))
    return cli_error("-o %s", unwritable);
  for (int i = 0; i < dc_n_ops(); i++) {
    dc_fixed f;
    dc_fixed_init(&f);
    if (wanted(x, dc_op_at(i)->name) && sets_fix(&x->set, dc_op_at(i), 0, &f, NULL, &err))
      return cli_error("%s", err.text);
  }
  x->force = sim; /* small sizes are for the simulator alone */
  if (backends_open(x->backend, &found, &err))
    return cli_error("%s", err.text);
  x->b = found.list[0];
  x->block = malloc(BLOCK * sizeof *x->block);
  if (!x->block)
    return cli_error("no memory for the inputs");
  dc_rng_seed(&rng, 1, 1);
  dc_fill_values(&rng, DC_UNIFORM, BLOCK, x->block);
  return EXIT_PASS;
}

const struct argp bench_argp = {OPTIONS, parse, "[OP...]", DOC, NULL, NULL, NULL};

int command_bench(int argc, char **argv)
{
  static bench x = {.backend = "cuda", .reps = 30, .f32_TFs = NAN, .launch_us = NAN};
  char why[DC_TEXT] = "", command[1024] = "";
  progress p;
  for (int i = 0; i < argc && strlen(command) + strlen(argv[i]) + 2 < sizeof command; i++)
    sprintf(command + strlen(command), "%s%s", i ? " " : "", argv[i]);
  options_parse(&bench_argp, argc, argv, &x);
  x.command = command;
  if (prepare(&x))
    return EXIT_ERROR;
  progress_start(&p, false);
  if (x.force)
    puts("simulator: these times say nothing about a GPU\n");
  x.copy_GBs = copy_rate(&x);
  if (!x.force)
    x.launch_us = copy_ms(&x, 0, true) * 1e3;
  int status = time_all(&x, &p);
  if (!status)
    time_copies(&x);
  if (!status && !x.no_peers && !x.force) {
    progress_say(&p, "bench: PyTorch");
    if (bench_ask_peers(x.row, x.n, x.compile, &x.peers, why))
      x.f32_TFs = x.peers.f32_TFs;
    else
      cli_note("PyTorch was not timed: %s", why);
    progress_clear(&p);
  }
  if (!status)
    print_table(&x);
  if (!status && x.output)
    status = write_json(&x);
  free(x.block);
  return status;
}
