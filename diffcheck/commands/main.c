/* diffcheck: the command line. Each command lives in a file of its own. */
#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../files/text.h"
#include "cli.h"
#include "interrupt.h"
#include "options.h"
#include "../report/report.h"

static const struct command {
  const char *name;
  int (*run)(int argc, char **argv);
} COMMANDS[] = {{"list", command_list}, {"run", command_run},     {"replay", command_replay},
                {"eval", command_eval}, {"judge", command_judge}, {"explain", command_explain},
                {"new", command_new},   {"bench", command_bench}, {"merge", command_merge}};
#define N_COMMANDS ((int)(sizeof COMMANDS / sizeof COMMANDS[0]))

const char *argp_program_version = "diffcheck (Proofmark) " REPORT_VERSION;

static const char DOC[] =
    "Checks kernels of tensor operations and their gradients against a proven reference, element "
    "by element, within an error bound computed from the inputs.\v"
    "Commands:\n"
    "  list [OP...]    the operations, and the kernels behind them\n"
    "  run [OP...]     check operations on randomized and hostile cases\n"
    "  replay LINE     one case again, from the line that a failure printed\n"
    "  eval OP FILE... an operation on your own tensors, from files\n"
    "  judge OP FILE... someone's outputs, from files\n"
    "  explain OP      what an operation means, its error bound, what is proven\n"
    "  new OP          a kernel of your own to start from\n"
    "  merge REPORT... one report of the shards of a run\n"
    "  bench [OP...]   time of the kernels against the floor and PyTorch\n"
    "\n"
    "Examples:\n"
    "  diffcheck run                       every operation, on every back end\n"
    "  diffcheck run softmax --cases 1000  one operation, longer\n"
    "  diffcheck run softmax --kernel ./libmine.so --call 'forward(y, x, i32 rows, i32 cols)'\n"
    "  diffcheck explain matmul_vjp\n"
    "  diffcheck COMMAND --help\n"
    "\n"
    "Exit status: 0 passed, 1 a check failed, 2 wrong use or a fault, 130 Ctrl-C.";

static error_t parse(int key, char *arg, struct argp_state *state)
{
  static const char NAMES[] = "list, run, replay, eval, judge, explain, new, bench or merge";
  char hint[TEXT_HINT];
  switch (key) {
  case ARGP_KEY_ARG:
    cli_refuse("command '%s': must be %s%s", arg, NAMES, text_hint(arg, NAMES, hint));
  case ARGP_KEY_NO_ARGS:
    argp_state_help(state, stderr,
                    ARGP_HELP_USAGE | ARGP_HELP_LONG | ARGP_HELP_DOC | ARGP_HELP_EXIT_ERR);
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

int main(int argc, char **argv)
{
  static const struct argp argp = {NULL, parse, "COMMAND [ARGUMENT...]", DOC, NULL, NULL, NULL};
  char name[32];
  argp_err_exit_status = EXIT_ERROR;
  if (argc > 1 && strcmp(argv[1], "worker") == 0) /* signals are its checker's business */
    return command_worker(argc - 1, argv + 1);
  interrupt_watch();
  for (int i = 0; argc > 1 && i < N_COMMANDS; i++)
    if (strcmp(argv[1], COMMANDS[i].name) == 0) {
      snprintf(name, sizeof name, "diffcheck %s", COMMANDS[i].name);
      argv[1] = name;
      int status = COMMANDS[i].run(argc - 1, argv + 1);
      if (fflush(stdout) != 0 || ferror(stdout))
        return cli_error("standard output: cannot be written to the end");
      return status;
    }
  options_parse(&argp, argc, argv, NULL);
  return EXIT_ERROR;
}
