/* diffcheck run, and diffcheck replay. */
#include <errno.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cli.h"
#include "../engine/rows.h"
#include "../engine/types.h"
#include "huge.h"
#include "../files/replay.h"
#include "options.h"
#include "session.h"

enum {
  KEY_CASES = 512,
  KEY_SEED,
  KEY_LARGE,
  KEY_SET,
  KEY_SECONDS,
  KEY_FAILURES,
  KEY_HUGE,
  KEY_SHARD,
  KEY_SCRIPT
};

static const struct argp_option RUN_OPTIONS[] = {
    {"cases", KEY_CASES, "N", 0, "cases of each op (default 200; with --input 16)", 0},
    {"seed", KEY_SEED, "S", 0,
     "the cases to draw (default 1): the same seed gives the same cases; random: another one "
     "each time",
     0},
    {"large", KEY_LARGE, "N", OPTION_ARG_OPTIONAL,
     "make one case in N a large one (default 100; N left out: 10; 0: none, nor the one in eight "
     "that is long along one dim)",
     0},
    {"huge", KEY_HUGE, NULL, 0,
     "after these, one case of each op with more than 2^31 elements: on a GPU alone (--backend "
     "cuda), with the memory for it",
     0},
    {"set", KEY_SET, "KEY=VALUE,...", 0,
     "fix sizes and attributes of the op (rows=3,cols=33), or values=, cotangent=, indices=, "
     "accumulate=, misaligned=, gap=; another --set adds to it",
     0},
    {"seconds", KEY_SECONDS, "T", 0, "draw no more cases of an op after T seconds", 0},
    {"shard", KEY_SHARD, "I/N", 0,
     "only the I-th of N parts of the cases: N runs that have the same other options draw together "
     "what one would; `diffcheck merge` makes one report of theirs",
     0},
    {"max-failures", KEY_FAILURES, "N", 0, "leave an op after N failing cases (default 1)", 0},
    {NULL, 0, NULL, 0, NULL, 0}};

static const char RUN_DOC[] =
    "Draws cases of each OP (all of them when none is named; patterns like 'softmax*' work), runs "
    "them on every back end and checks each output element against the reference.\v"
    "Examples:\n"
    "  diffcheck run --cases 1000\n"
    "  diffcheck run softmax softmax_vjp --set cols=50257 --cases 20\n"
    "  diffcheck run gelu --input activations.npy\n"
    "  diffcheck run matmul --set ta=1,values=wide --format jsonl -o report.jsonl\n"
    "  diffcheck run --backend cuda --format junit -o report.xml\n"
    "  diffcheck run softmax --kernel ./libmine.so --call 'forward(y, x, i32 rows, i32 cols)'\n"
    "  diffcheck run softmax --kernel ./libmine.so --call 'half(bf16 y, bf16 x, i32 rows, i32 "
    "cols)'\n"
    "  diffcheck run --kernels my_kernels\n"
    "  diffcheck run --cases 100000 --shard 3/40 --format jsonl -o part3.jsonl\n"
    "\n"
    "err/bound is the largest error of any element over what the declared arithmetic allows: up "
    "to 1 passes. \"exact\": bits are compared. Vacuous elements have a bound too wide to tell a "
    "right value from a wrong one; they count as unchecked. Each variant of a kernel has cases of "
    "its own, 2 in 32; those that no case ran are named at the end. Kernels run in a process of "
    "their own: one that crashes or does not end has failed, and the next goes on.\n"
    "One case in eight is long along one dim: past the 65535 that a grid's dimensions count, a "
    "model's width (768 to 128256), an odd one of 513 to 1023, a sum of many blocks. Values are "
    "uniform, offset, tail, wide, subnormal, zeros, ties, equal, special (NaN and infinities), "
    "integers, kinks, huge (finite, to FLT_MAX) or minus_inf.\n"
    "A kernel of your own takes the place of ours by --kernel, --source or --kernels: every case "
    "runs on it alone, and once more on other data at the same addresses, judged by --arith cuda "
    "unless more is declared (docs/your-kernel.md).\n"
    "Exit status: 0 every op passed, 1 one did not, 2 wrong use or a fault of the harness, 130 "
    "Ctrl-C.";

static const char REPLAY_DOC[] =
    "Checks the one case that LINE describes: an op, its sizes and key=value fields, as a failing "
    "run prints them.\v"
    "Examples:\n"
    "  diffcheck replay 'softmax rows=3 cols=33 values=ties seed=17'\n"
    "  diffcheck replay 'gelu n=5 seed=1' --input activations.npy --backend sim\n"
    "  diffcheck replay 'softmax rows=1 cols=2 seed=5' --kernel ./libmine.so --call 'f(y, x, i32 "
    "cols)' --script fault.py\n"
    "  gdb --args diffcheck replay --in-process 'softmax rows=3 cols=33 seed=17'\n"
    "\n"
    "Exit status: 0 the case passed, 1 it failed, 2 wrong use or a fault of the harness, 130 "
    "Ctrl-C.";

static int add_ops(session *s, const char *pattern)
{
  int before = s->n_ops, matched = 0;
  for (int i = 0; i < dc_n_ops(); i++) {
    const dc_op *op = dc_op_at(i);
    if (fnmatch(pattern, op->name, 0) != 0)
      continue;
    int known = 0;
    matched++;
    for (int k = 0; k < before; k++)
      known |= s->op[k] == op;
    if (!known && s->n_ops < SESSION_OPS)
      s->op[s->n_ops++] = op;
  }
  return matched ? EXIT_PASS : unknown_op(pattern);
}

static bool read_seed(const char *text, uint64_t *seed)
{
  char *end;
  if (strcmp(text, "random") == 0) {
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    *seed = (uint64_t)t.tv_sec * 1000000007u ^ (uint64_t)t.tv_nsec;
    return true;
  }
  errno = 0;
  *seed = strtoull(text, &end, 10);
  if (*text >= '0' && *text <= '9' && *end == 0 && errno == 0)
    return true;
  cli_error("--seed: '%s': must be a whole number from 0 to 2^64-1, or random", text);
  return false;
}

static void read_shard(session *s, const char *text)
{
  int end = 0;
  if (strlen(text) > 20 || sscanf(text, "%7d/%7d%n", &s->shard, &s->shards, &end) != 2 ||
      text[end] || s->shard < 1 || s->shard > s->shards)
    cli_refuse("--shard '%.40s': must be I/N, as 2/8, with I from 1 to N", text);
}

/* The cases of this shard: a stretch of those that one run has, so that each is in one of them. */
static int take_shard(session *s)
{
  const int64_t all = s->options.cases, each = all / s->shards, more = all % s->shards;
  const int64_t before = s->shard - 1;
  if (s->seed_random)
    return cli_error("--seed random: with --shard each run would draw others: say a number");
  if (each == 0)
    return cli_error("--shard %d/%d: there are %" PRId64 " cases: at most one shard a case",
                     s->shard, s->shards, all);
  s->all_cases = all;
  s->options.first = before * each + (before < more ? before : more);
  s->options.cases = each + (before < more);
  return EXIT_PASS;
}

static error_t parse_run(int key, char *arg, struct argp_state *state)
{
  session *s = state->input;
  int64_t n;
  char *end;
  switch (key) {
  case ARGP_KEY_INIT:
    state->child_inputs[0] = s;
    return 0;
  case KEY_CASES:
    if (!cli_int("--cases", arg, 1, (int64_t)1 << 40, &s->options.cases))
      exit(EXIT_ERROR);
    s->cases_given = true;
    return 0;
  case KEY_SEED:
    if (!read_seed(arg, &s->options.seed))
      exit(EXIT_ERROR);
    s->seed_random = strcmp(arg, "random") == 0;
    return 0;
  case KEY_LARGE:
    n = 10;
    if (arg && !cli_int("--large", arg, 0, 1000000000, &n))
      exit(EXIT_ERROR);
    s->options.large = (int)n;
    return 0;
  case KEY_HUGE:
    s->huge = 1;
    return 0;
  case KEY_SHARD:
    read_shard(s, arg);
    return 0;
  case KEY_SET:
    sets_add(&s->set, arg);
    return 0;
  case KEY_SECONDS:
    s->options.seconds = strtod(arg, &end);
    if (end == arg || *end || !(s->options.seconds > 0 && s->options.seconds < 1e9))
      cli_refuse("--seconds: '%s': must be a positive number of seconds", arg);
    return 0;
  case KEY_FAILURES:
    if (!cli_int("--max-failures", arg, 1, 1000000, &n))
      exit(EXIT_ERROR);
    s->options.max_failures = (int)n;
    return 0;
  case ARGP_KEY_ARG:
    if (add_ops(s, arg))
      exit(EXIT_ERROR);
    return 0;
  case ARGP_KEY_END:
    return s->n_ops || s->kernels.given || !add_ops(s, "*") ? 0 : EINVAL;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

static const struct argp_child CHILDREN[] = {{&session_argp, 0, NULL, 0}, {NULL, 0, NULL, 0}};
const struct argp run_argp = {RUN_OPTIONS, parse_run, "[OP...]", RUN_DOC, CHILDREN, NULL, NULL};

int command_run(int argc, char **argv)
{
  session s;
  session_init(&s);
  options_parse(&run_argp, argc, argv, &s);
  if (s.n_input && !s.cases_given)
    s.options.cases = 16;
  s.options.cases += s.huge;
  int status = s.shards ? take_shard(&s) : EXIT_PASS;
  s.options.huge = s.huge && s.shard == s.shards;
  if (!status)
    status = session_open(&s, argc, argv);
  if (!status && s.options.huge)
    status = huge_check(&s);
  if (!status)
    status = session_check(&s, NULL);
  session_close(&s);
  return status;
}

struct replay {
  session s;
  const char *line;
};

static error_t parse_replay(int key, char *arg, struct argp_state *state)
{
  struct replay *r = state->input;
  switch (key) {
  case ARGP_KEY_INIT:
    state->child_inputs[0] = &r->s;
    return 0;
  case ARGP_KEY_ARG:
    if (r->line)
      cli_refuse("'%s': the case must be one argument: quote it", arg);
    r->line = arg;
    return 0;
  case KEY_SCRIPT:
    r->s.script = arg;
    return 0;
  case ARGP_KEY_NO_ARGS:
    cli_refuse("LINE is missing: the text that a failure prints after `diffcheck replay`");
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

static const struct argp_option REPLAY_OPTIONS[] = {
    {"script", KEY_SCRIPT, "FILE", 0,
     "of a kernel of your own that fails: the case as a program which shows it without diffcheck: "
     "FILE.py of --kernel, FILE.cu of --source",
     0},
    {NULL, 0, NULL, 0, NULL, 0}};

const struct argp replay_argp = {REPLAY_OPTIONS, parse_replay, "LINE", REPLAY_DOC,
                                 CHILDREN,       NULL,         NULL};

/* The one kernel, not ours, that the line is of. */
static int choose_kernel(session *s, dc_case *c)
{
  if (session_kernels(s, &c->op, 1, s->kernels.from ? c->variant : ""))
    return EXIT_ERROR;
  if (s->n_ops > 1)
    return cli_error("replay: %d kernels are described of %s: variant=NAME in the line says which",
                     s->n_ops, c->op->name);
  snprintf(c->variant, sizeof c->variant, "%s", foreign_description(s->kernels.list[0].f)->kernel);
  return EXIT_PASS;
}

int command_replay(int argc, char **argv)
{
  struct replay r = {.line = NULL};
  dc_error err = {""}, note = {""};
  dc_case c;
  session_init(&r.s);
  options_parse(&replay_argp, argc, argv, &r);
  if (replay_read(r.line, &c, &note, &err))
    return cli_error("%s", err.text);
  sets_note(&note);
  if (dc_case_check(&c, r.s.options.limit_bytes, &err))
    return cli_error("%s", err.text);
  r.s.op[0] = c.op;
  r.s.n_ops = 1;
  if (r.s.kernels.given && choose_kernel(&r.s, &c)) {
    session_close(&r.s);
    return EXIT_ERROR;
  }
  const dc_foreign *mine = r.s.kernels.n ? foreign_kernel(r.s.kernels.list[0].f) : NULL;
  if (dc_types_take(c.op, mine, c.type, &err) || dc_gaps_take(c.op, mine, 0, c.gap, &err)) {
    session_close(&r.s);
    return cli_error("%s", err.text);
  }
  r.s.options.cases = 1;
  r.s.options.seed = c.seed;
  /* The shapes of the user's tensors must be those of the line. */
  memcpy(r.s.options.fixed.size, c.size, sizeof c.size);
  memcpy(r.s.options.fixed.attr, c.attr, sizeof c.attr);
  r.s.sizes_fixed = true;
  if (!r.s.variant && c.variant[0] && !r.s.kernels.given)
    r.s.variant = c.variant;
  int status = session_open(&r.s, argc, argv);
  memcpy(c.given, r.s.options.fixed.given, sizeof c.given);
  if (r.s.variant && r.s.variant != c.variant)
    snprintf(c.variant, sizeof c.variant, "%s", r.s.variant);
  if (!status)
    status = session_check(&r.s, &c);
  session_close(&r.s);
  return status;
}
