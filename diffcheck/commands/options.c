#include "options.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "../engine/rows.h"
#include "../engine/types.h"
#include "../files/replay.h"
#include "../files/text.h"

static const struct {
  const char *name;
  const struct argp *argp;
  const char *again; /* options that may be given again: one more of it adds */
} COMMANDS[] = {{"list", &list_argp, ""},
                {"run", &run_argp, " set input "},
                {"replay", &replay_argp, " input "},
                {"eval", &eval_argp, " set output "},
                {"judge", &judge_argp, " set got "},
                {"explain", &explain_argp, " set "},
                {"new", &new_argp, ""},
                {"bench", &bench_argp, " set "},
                {"merge", &merge_argp, ""}};
enum { N_COMMANDS = sizeof COMMANDS / sizeof COMMANDS[0], OPTIONS = 64 };

/* ---- -h, --help, --usage, --version ---- */

enum { KEY_USAGE = 1024 };

static const struct argp_option COMMON_OPTIONS[] = {
    {"help", 'h', NULL, 0, "this text", -1},
    {"usage", KEY_USAGE, NULL, 0, "the options alone", -1},
    {"version", 'V', NULL, 0, "the program's version", -1},
    {NULL, 0, NULL, 0, NULL, 0}};

static error_t parse_common(int key, char *arg, struct argp_state *state)
{
  (void)arg;
  switch (key) {
  case 'h':
    argp_state_help(state, stdout, ARGP_HELP_STD_HELP);
    return 0;
  case KEY_USAGE:
    argp_state_help(state, stdout, ARGP_HELP_USAGE | ARGP_HELP_EXIT_OK);
    return 0;
  case 'V':
    puts(argp_program_version);
    exit(EXIT_PASS);
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

static const struct argp COMMON = {COMMON_OPTIONS, parse_common, NULL, NULL, NULL, NULL, NULL};

/* ---- every option, before argp sees it ---- */

typedef struct {
  const struct argp_option *option[OPTIONS];
  int n;
} known;

static void collect(const struct argp *argp, known *out)
{
  for (const struct argp_option *o = argp->options; o && (o->name || o->key); o++)
    if (out->n < OPTIONS)
      out->option[out->n++] = o;
  for (const struct argp_child *c = argp->children; c && c->argp; c++)
    collect(c->argp, out);
}

/* Of that name, or the only one that begins so; -1: none, -2: several. */
static int find_long(const known *k, const char *name, size_t length)
{
  int found = -1;
  for (int i = 0; i < k->n; i++) {
    if (strncmp(k->option[i]->name, name, length) != 0)
      continue;
    if (!k->option[i]->name[length])
      return i;
    found = found == -1 ? i : -2;
  }
  return found;
}

static int find_short(const known *k, char letter)
{
  for (int i = 0; i < k->n; i++)
    if (k->option[i]->key == letter)
      return i;
  return -1;
}

/* Who else takes an option that `argp` does not, or what was meant. */
_Noreturn static void refuse(const struct argp *argp, const known *mine, const char *option)
{
  char who[120] = "", list[600] = "", hint[TEXT_HINT];
  const char *self = "diffcheck", *word = option + strspn(option, "-");
  int n = 0;
  for (int c = 0; c < N_COMMANDS; c++) {
    known k = {.n = 0};
    collect(COMMANDS[c].argp, &k);
    if (COMMANDS[c].argp == argp)
      self = COMMANDS[c].name;
    else if (option[1] == '-' ? find_long(&k, word, strlen(word)) >= 0 : find_short(&k, *word) >= 0)
      snprintf(who + strlen(who), sizeof who - strlen(who), "%s%s", n++ ? ", " : "",
               COMMANDS[c].name);
  }
  if (n)
    cli_refuse("option '%s': %s does not take it; taken by: %s", option, self, who);
  for (int i = 0; i < mine->n; i++)
    snprintf(list + strlen(list), sizeof list - strlen(list), " --%s", mine->option[i]->name);
  text_hint(option, list, hint);
  cli_refuse("option '%s': unrecognized%s%s --help lists the options of %s", option, hint,
             *hint ? "" : ";", self);
}

static void check(const struct argp *argp, const known *k, const char *again, int argc, char **argv,
                  bool in_order)
{
  bool given[OPTIONS] = {false};
  for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
    const char *word = argv[i];
    if (word[0] != '-' || !word[1]) {
      if (in_order)
        return;
      continue;
    }
    bool whole = word[1] == '-';
    size_t length = strcspn(word, "=");
    for (const char *p = word + 1; *p; p++) {
      char name[120], spaced[40];
      snprintf(name, sizeof name, whole ? "%.*s" : "-%.*s", whole ? (int)length : 1,
               whole ? word : p);
      int o = whole ? find_long(k, word + 2, length - 2) : find_short(k, *p);
      if (o == -2)
        cli_refuse("option '%s': begins more than one option; --help lists them", name);
      if (o < 0) {
        refuse(argp, k, name);
        return;
      }
      const struct argp_option *x = k->option[o];
      const char *value = whole ? (word[length] ? word + length + 1 : NULL) : p[1] ? p + 1 : NULL;
      if (!x->arg && whole && value)
        cli_refuse("option '%s': '%s': takes no value", name, value);
      if (x->arg && !value && !(x->flags & OPTION_ARG_OPTIONAL) && ++i >= argc)
        cli_refuse("option '%s': its value is missing: %s", name, x->arg);
      snprintf(spaced, sizeof spaced, " %s ", x->name);
      if (x->arg && given[o] && !strstr(again, spaced))
        cli_refuse("option '%s': '%s': is given twice", name, value ? value : argv[i]);
      given[o] = true;
      if (whole || x->arg)
        break;
    }
  }
}

void options_parse(const struct argp *argp, int argc, char **argv, void *input)
{
  struct argp_child child[3] = {{NULL, 0, NULL, 0}};
  struct argp all = *argp;
  const char *again = "";
  known k = {.n = 0};
  bool in_order = true; /* diffcheck itself: what follows the command is the command's */
  int n = 0;
  if (argp->children)
    child[n++] = argp->children[0];
  child[n] = (struct argp_child){&COMMON, 0, NULL, 0};
  all.children = child;
  for (int c = 0; c < N_COMMANDS; c++)
    if (COMMANDS[c].argp == argp) {
      again = COMMANDS[c].again;
      in_order = false;
    }
  collect(&all, &k);
  check(argp, &k, again, argc, argv, in_order);
  /* argp's own options are left out: one of them makes the program wait for a debugger. */
  argp_parse(&all, argc, argv, ARGP_NO_HELP | (in_order ? ARGP_IN_ORDER : 0), NULL, input);
}

/* ---- --set ---- */

void sets_add(sets *s, const char *text)
{
  const int room = sizeof s->text / sizeof s->text[0];
  if (s->n == room)
    cli_refuse("--set '%s': is given more than %d times; one takes several, with commas", text,
               room);
  s->text[s->n++] = text;
}

static dc_status passed_over(dc_error *err, const char *key, const char *why)
{
  snprintf(err->text, sizeof err->text, "--set: %s: %s", key, why);
  return DC_INVALID;
}

dc_status sets_fix(const sets *s, const dc_op *op, int taken, dc_fixed *f, dc_error *note,
                   dc_error *err)
{
  static const char DRAWS[] = "says how to draw, and nothing is drawn here: run takes it";
  static const char VIEW[] =
      "says how tensors from files are meant: eval and judge take it, and run "
      "with --input";
  dc_status status = DC_OK;
  for (int i = 0; i < s->n && !status; i++)
    status = replay_fix("--set", s->text[i], op, f, note, err);
  if (status)
    return status;
  if (!(taken & SETS_DRAW)) {
    const struct {
      const char *key;
      int value;
    } DRAWN[] = {{"values", f->values},
                 {"cotangent", f->cotangent},
                 {"indices", f->indices},
                 {"accumulate", f->accumulate},
                 {"misaligned", f->misaligned},
                 {"types", dc_types_said(f->type) - 1},
                 {"strided", f->strided ? 0 : -1},
                 {"gap", dc_gaps_said(f->gap) - 1}};
    for (size_t i = 0; i < sizeof DRAWN / sizeof DRAWN[0]; i++)
      if (DRAWN[i].value >= 0)
        return passed_over(err, DRAWN[i].key, DRAWS);
  }
  if (!(taken & SETS_VARIANT) && f->variant[0])
    return passed_over(err, "variant",
                       "no one variant is asked for here: run takes it, and eval "
                       "with --backend sim or cuda");
  if (!(taken & SETS_VIEW) &&
      (f->view.axis != INT64_MIN || f->view.n_axes >= 0 || f->view.n_to >= 0))
    return passed_over(err,
                       f->view.axis != INT64_MIN ? "axis"
                       : f->view.n_axes >= 0     ? "axes"
                                                 : "shape",
                       VIEW);
  return DC_OK;
}

void sets_note(const dc_error *note)
{
  static dc_error told;
  if (!note->text[0] || strcmp(note->text, told.text) == 0)
    return;
  cli_note("%s", note->text);
  told = *note;
}

void note_rounded(const inputs *in, const dc_op *op, char *const *file, int n)
{
  for (int t = 0; t < op->n_in; t++)
    if (in->rounded >> t & 1)
      cli_note("%s: float64 values of %s were rounded to float32, as a kernel reads them",
               file[n == 1 ? 0 : t], op->tensor[t].name);
}

int files_given(const char *command, char *const *file, int n)
{
  for (int t = 0; t < n; t++)
    if (strcmp(file[t], "-") == 0)
      return cli_error("FILE '-': %s draws nothing: every input comes from a file", command);
  return EXIT_PASS;
}

int files_case(const dc_op *op, char *const *file, int n, bool exact, int64_t max_bytes,
               dc_fixed *f, inputs *in, dc_case *c)
{
  char message[FILE_MESSAGE];
  dc_error err = {""};
  if (inputs_read(op, file, n, INPUTS_ALL | (exact ? INPUTS_EXACT : 0), max_bytes, f, in, message))
    return cli_error("%s", message);
  note_rounded(in, op, file, n);
  int open = dc_case_fixed(c, op, f);
  if (open >= 0)
    return cli_error("%s: no input determines it: give it by --set %s=N", op->dim[open],
                     op->dim[open]);
  memcpy(c->given, f->given, sizeof c->given);
  memcpy(c->variant, f->variant, sizeof c->variant);
  return dc_case_check(c, (size_t)max_bytes, &err) ? cli_error("%s", err.text) : EXIT_PASS;
}

int known_variant(const char *argument, const char *variant, const dc_op *op, const backends *b)
{
  char list[300] = "", hint[TEXT_HINT];
  for (int i = 0; i < b->n; i++)
    for (int k = 0; k < b->list[i]->n_kernels; k++) {
      const pm_kernel *row = &b->list[i]->kernels[k];
      if (strcmp(row->op, op->name) != 0)
        continue;
      if (strcmp(row->variant, variant) == 0)
        return EXIT_PASS;
      if (i == 0)
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", *list ? ", " : "",
                 row->variant);
    }
  return cli_error("%s '%s': must be a variant of %s: %s%s", argument, variant, op->name, list,
                   text_hint(variant, list, hint));
}

int unknown_op(const char *name)
{
  return cli_error("%s", text_unknown(name, (char[TEXT_UNKNOWN]){0}));
}
