/* gpt: trains a small GPT on text, saves and loads it, and has it write; on any back end of the runtime. */
#include <argp.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpt.h"

/* ---- errors ---- */

static const char *no_room_for;
static int apart;

int gpt_refuse(const char *format, ...)
{
  va_list args;
  va_start(args, format);
  fflush(stdout);
  fputs("gpt: ", stderr);
  vfprintf(stderr, format, args);
  fputc('\n', stderr);
  va_end(args);
  return 2;
}

pmr_status gpt_no_memory(const char *what)
{
  no_room_for = what;
  return PMR_NO_MEMORY;
}

pmr_status gpt_apart(void)
{
  apart = 1;
  return PMR_DIVERGED;
}

int gpt_status(pmr_status s)
{
  if (!s)
    return 0;
  if (s == PMR_DIVERGED && apart)
    return 1;
  if (s == PMR_NO_MEMORY && no_room_for)
    return gpt_refuse("no memory for %s", no_room_for);
  gpt_refuse("%s", pmr_error());
  return s == PMR_DIVERGED ? 1 : 2;
}

/* ---- options ---- */

enum { TEXTS = 64 };

typedef struct settings {
  shape k;
  training train;
  writing write;
  const char *backend, *load, *save, *shaped; /* shaped: an option that says what a file would */
  const char *text[TEXTS];
  int texts;
  int64_t heads;
} settings;

enum {
  BACKEND = 256,
  TEXT,
  STEPS,
  BATCH,
  RATE,
  DECAY,
  EVERY,
  SEED,
  CURVE,
  COMPARE,
  LAYERS_,
  WIDTH,
  HEADS,
  KV_HEADS,
  HIDDEN,
  CONTEXT,
  POSITIONS,
  NORM,
  MLP,
  LOAD,
  SAVE,
  PROMPT,
  TOKENS,
  TEMPERATURE,
  NO_CACHE
};

static const struct argp_option OPTIONS[] = {
    {NULL, 0, NULL, 0, "Where it computes, and what it reads:", 1},
    {"backend", BACKEND, "NAME", 0, "ref, sim, cuda or shadow; else what PROOFMARK_BACKEND says",
     0},
    {"text", TEXT, "FILE", 0, "may be given again; else licences that Debian has", 0},
    {"load", LOAD, "FILE", 0, "a model, in place of a new one (safetensors)", 0},
    {"save", SAVE, "FILE", 0, "the model, when all steps are done", 0},
    {NULL, 0, NULL, 0, "The shape of a new model:", 2},
    {"layers", LAYERS_, "N", 0, "2", 0},
    {"width", WIDTH, "N", 0, "32: of the stream", 0},
    {"heads", HEADS, "N", 0, "4; of a loaded file that does not say it", 0},
    {"kv-heads", KV_HEADS, "N", 0, "of keys and values, which heads share; as --heads", 0},
    {"hidden", HIDDEN, "N", 0, "of the MLP; 4 width, with swiglu 8/3 width", 0},
    {"context", CONTEXT, "N", 0, "32: tokens, which are bytes", 0},
    {"positions", POSITIONS, "KIND", 0, "learned or rope; learned", 0},
    {"norm", NORM, "KIND", 0, "layer or rms; layer", 0},
    {"mlp", MLP, "KIND", 0, "gelu or swiglu; gelu", 0},
    {NULL, 0, NULL, 0, "Training:", 3},
    {"steps", STEPS, "N", 0, "100, or with --load 0", 0},
    {"batch", BATCH, "N", 0, "4: rows of the context's length in a step", 0},
    {"rate", RATE, "X", 0, "0.003, of AdamW", 0},
    {"decay", DECAY, "X", 0, "0.1, of matrices", 0},
    {"every", EVERY, "N", 0, "10: steps between two lines", 0},
    {"seed", SEED, "N", 0, "1: of the first weights, the batches and what is drawn", 0},
    {"curve", CURVE, "FILE", 0, "the losses, as an SVG image", 0},
    {"compare", COMPARE, NULL, 0,
     "each step's loss on the reference too, and how far rounding may bring the two apart, to "
     "first order",
     0},
    {NULL, 0, NULL, 0, "Text made:", 4},
    {"prompt", PROMPT, "TEXT", 0, "what it goes on from", 0},
    {"tokens", TOKENS, "N", 0, "32: how far", 0},
    {"temperature", TEMPERATURE, "X", 0, "0.8; 0: the most likely byte each time", 0},
    {"no-cache", NO_CACHE, NULL, 0, "all of the text anew for each token", 0},
    {0}};

static int64_t whole(struct argp_state *state, const char *name, const char *arg, int64_t least,
                     int64_t most)
{
  char *end;
  errno = 0;
  const long long v = strtoll(arg, &end, 10);
  if (end == arg || *end || errno || v < least || v > most)
    argp_error(state, "--%s %s: must be a whole number from %" PRId64 " to %" PRId64, name, arg,
               least, most);
  return v;
}

static double real(struct argp_state *state, const char *name, const char *arg, double most)
{
  char *end;
  const double v = strtod(arg, &end);
  if (end == arg || *end || !(v >= 0 && v <= most))
    argp_error(state, "--%s %s: must be from 0 to %g", name, arg, most);
  return v;
}

static int either(struct argp_state *state, const char *name, const char *arg, const char *first,
                  const char *second)
{
  const int is_second = strcmp(arg, second) == 0;
  if (!is_second && strcmp(arg, first) != 0)
    argp_error(state, "--%s %s: must be %s or %s", name, arg, first, second);
  return is_second;
}

static int parse_shape(int key, const char *arg, struct argp_state *state, settings *o)
{
  const char *name;
  switch (key) {
  case LAYERS_:
    o->k.layers = whole(state, name = "layers", arg, 1, MOST_LAYERS);
    break;
  case WIDTH:
    o->k.width = whole(state, name = "width", arg, 1, GPT_MOST);
    break;
  case KV_HEADS:
    o->k.kv_heads = whole(state, name = "kv-heads", arg, 1, GPT_MOST);
    break;
  case HIDDEN:
    o->k.hidden = whole(state, name = "hidden", arg, 1, GPT_MOST);
    break;
  case POSITIONS:
    o->k.positions = either(state, name = "positions", arg, "learned", "rope");
    break;
  case NORM:
    o->k.norm = either(state, name = "norm", arg, "layer", "rms");
    break;
  case MLP:
    o->k.mlp = either(state, name = "mlp", arg, "gelu", "swiglu");
    break;
  default:
    return 0;
  }
  o->shaped = name;
  return 1;
}

static int parse_training(int key, char *arg, struct argp_state *state, settings *o)
{
  switch (key) {
  case STEPS:
    o->train.steps = whole(state, "steps", arg, 0, 100000000);
    return 1;
  case BATCH:
    o->train.batch = whole(state, "batch", arg, 1, 4096);
    return 1;
  case RATE:
    o->train.rate = real(state, "rate", arg, 1);
    return 1;
  case DECAY:
    o->train.decay = real(state, "decay", arg, 1);
    return 1;
  case EVERY:
    o->train.every = whole(state, "every", arg, 1, 100000000);
    return 1;
  case SEED:
    o->train.seed = o->write.seed = whole(state, "seed", arg, 0, 1000000);
    return 1;
  case CURVE:
    o->train.curve = arg;
    return 1;
  case COMPARE:
    o->train.compare = 1;
    return 1;
  default:
    return 0;
  }
}

static void check(settings *o, struct argp_state *state)
{
  if (o->load && o->shaped)
    argp_error(state, "--%s: %s says that", o->shaped, o->load);
  if (!o->load && o->heads == 0)
    o->heads = 4;
  if (!o->load && o->k.context == 0)
    o->k.context = GPT_CONTEXT;
  if (!o->load && o->k.kv_heads == 0)
    o->k.kv_heads = o->heads;
  if (o->k.hidden == 0) /* about as many weights as with GELU: three matrices, not two */
    o->k.hidden = o->k.mlp == SWIGLU ? (o->k.width * 8 / 3 + 7) / 8 * 8 : 4 * o->k.width;
  if (o->train.steps < 0)
    o->train.steps = o->load ? 0 : 100;
  if (o->train.steps == 0 && o->train.curve)
    argp_error(state, "--curve: there is no step to draw: give --steps");
  o->k.heads = o->heads;
  o->k.vocab = BYTES;
  if (o->train.steps == 0 && o->train.compare)
    argp_error(state, "--compare: there is no step to compare: give --steps");
  const char *why = o->load ? NULL : gpt_shape_wrong(&o->k);
  if (why)
    argp_error(state, "%s", why);
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
  settings *o = state->input;
  if (parse_shape(key, arg, state, o) || parse_training(key, arg, state, o))
    return 0;
  switch (key) {
  case BACKEND:
    o->backend = arg;
    return 0;
  case TEXT:
    if (o->texts == TEXTS)
      argp_error(state, "--text: at most %d files", (int)TEXTS);
    else
      o->text[o->texts++] = arg;
    return 0;
  case HEADS:
    o->heads = whole(state, "heads", arg, 1, GPT_MOST);
    return 0;
  case CONTEXT:
    o->k.context = whole(state, "context", arg, 1, TOKENS_MOST);
    return 0;
  case LOAD:
    o->load = arg;
    return 0;
  case SAVE:
    o->save = arg;
    return 0;
  case PROMPT:
    if (!*arg)
      argp_error(state, "--prompt: must have a byte");
    o->write.prompt = arg;
    return 0;
  case TOKENS:
    o->write.tokens = whole(state, "tokens", arg, 1, TOKENS_MOST);
    return 0;
  case TEMPERATURE:
    o->write.temperature = real(state, "temperature", arg, 1000);
    return 0;
  case NO_CACHE:
    o->write.cached = 0;
    return 0;
  case ARGP_KEY_ARG:
    argp_error(state, "%s: nothing is expected there", arg);
    return 0;
  case ARGP_KEY_END:
    check(o, state);
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

/* ---- the program ---- */

static void tell_shadow(pmr_context c)
{
  pmr_shadow_report r;
  if (pmr_shadow_about(c, &r))
    return;
  printf("shadow: %" PRId64 " of %" PRId64 " steps looked at, %" PRId64
         " outside of their bounds\n",
         r.looked_at, r.steps, r.diverged);
  if (r.diverged)
    printf("  first: step %" PRId64 ", %s (%s), called at %s:%d\n  %s[%" PRId64
           "] is %.9g, must be %.9g, give or take %.3g\n  %s\n",
           r.first.step, r.first.op, r.first.variant, r.first.file, r.first.line, r.first.tensor,
           r.first.element, r.first.value, r.first.want, r.first.bound, r.first.replay);
}

static void tell_model(const gpt *g, const char *name, const char *device)
{
  int64_t n = 0;
  for (int i = 0; i < g->n; i++)
    if (g->w[i].rank)
      n += g->w[i].size[0] * (g->w[i].rank == 2 ? g->w[i].size[1] : 1);
  printf("gpt: %" PRId64 " weights, %" PRId64 " layers of %" PRId64 " heads (%" PRId64
         " of keys), width %" PRId64 ", context %" PRId64 ", %s, %s, %s; back end %s (%s)\n",
         n, g->k.layers, g->k.heads, g->k.kv_heads, g->k.width, g->k.context,
         g->k.positions == ROPE ? "rope" : "learned positions",
         g->k.norm == RMS_NORM ? "rms norm" : "layer norm", g->k.mlp == SWIGLU ? "swiglu" : "gelu",
         name, device);
}

static int work(gpt *g, const settings *o)
{
  static const char *const licences[] = {
      "/usr/share/common-licenses/GPL-2", "/usr/share/common-licenses/GPL-3",
      "/usr/share/common-licenses/LGPL-2.1", "/usr/share/common-licenses/GFDL-1.3",
      "/usr/share/common-licenses/Apache-2.0"};
  text t = {.byte = NULL};
  int status = 0;
  if (o->train.steps)
    status = o->texts ? text_read(o->text, o->texts, &t)
                      : text_read(licences, sizeof licences / sizeof *licences, &t);
  if (!status && o->train.steps)
    status = gpt_train(g, &t, &o->train);
  free(t.byte);
  if (!status && o->save)
    status = gpt_save(g, o->save);
  if (!status && o->write.prompt)
    status = gpt_write(g, &o->write);
  return status;
}

static int run(const settings *o)
{
  gpt g = {.w = NULL};
  pmr_context c;
  const char *name, *device;
  if (pmr_open(o->backend, &c))
    return gpt_refuse("%s", pmr_error());
  int status = gpt_status(pmr_backend(c, &name, &device));
  if (!status && o->load)
    status = gpt_load(&g, c, o->load, o->heads, o->k.context);
  else if (!status) {
    pmr_status s = gpt_plan(&g, c, &o->k);
    status = gpt_status(s ? s : gpt_begin(&g, o->train.seed));
  }
  if (!status) {
    tell_model(&g, name, device);
    status = work(&g, o);
  }
  tell_shadow(c);
  gpt_free(&g);
  pmr_close(c);
  return status;
}

int main(int argc, char **argv)
{
  static const struct argp how = {
      OPTIONS,
      parse,
      "",
      "Trains a small GPT on text, byte by byte, on any back end.\v"
      "Examples:\n"
      "  gpt --steps 300 --curve loss.svg --save model.safetensors\n"
      "  gpt --load model.safetensors --prompt 'You may' --tokens 40\n"
      "  gpt --load model.safetensors --steps 100 --save model.safetensors\n"
      "  gpt --positions rope --norm rms --mlp swiglu --kv-heads 2\n"
      "  gpt --backend shadow --steps 2 --layers 1 --width 16\n"
      "  gpt --backend sim --compare --steps 3\n"
      "Exit status: 0; 1 where the shadow found a step wrong, or --compare a loss; 2 for anything "
      "else that went wrong.",
      NULL,
      NULL,
      NULL};
  settings o = {
      .k = {.layers = 2, .width = 32},
      .train = {.batch = 4, .steps = -1, .every = 10, .seed = 1, .rate = 0.003, .decay = 0.1},
      .write = {.tokens = 32, .seed = 1, .temperature = 0.8, .cached = 1}};
  argp_err_exit_status = 2;
  argp_parse(&how, argc, argv, 0, NULL, &o);
  return run(&o);
}
