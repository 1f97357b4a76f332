/* What the commands share: their entry points, errors at the command line, argument parsing. */
#ifndef DIFFCHECK_CLI_H
#define DIFFCHECK_CLI_H
#include <stdbool.h>
#include <stdint.h>

enum { EXIT_PASS = 0, EXIT_FAIL = 1, EXIT_ERROR = 2 }; /* 2: the harness or its use, no verdict */

/* argv[0] is "diffcheck COMMAND", for messages. Each returns the exit status. */
int command_list(int argc, char **argv);
int command_run(int argc, char **argv);
int command_replay(int argc, char **argv);
int command_eval(int argc, char **argv);
int command_judge(int argc, char **argv);
int command_explain(int argc, char **argv);
int command_new(int argc, char **argv);
int command_bench(int argc, char **argv);
int command_merge(int argc, char **argv);
int command_worker(int argc, char **argv);

/* "PROGRAM: ..." and a newline on stderr; returns EXIT_ERROR. */
__attribute__((format(printf, 1, 2))) int cli_error(const char *format, ...);
/* The same, and ends the program with that status. */
__attribute__((format(printf, 1, 2))) _Noreturn void cli_refuse(const char *format, ...);
/* The same for what is no error. In all three a control character is shown, not sent. */
__attribute__((format(printf, 1, 2))) void cli_note(const char *format, ...);

/* The error of a value that is not in a list of words, "text, tap or jsonl". */
int cli_choice(const char *argument, const char *value, const char *list);

/* The whole of `text` as a number within [least, most]; an error names `argument` and says so. A
 * trailing K, M or G multiplies by 2^10, 2^20, 2^30. */
bool cli_int(const char *argument, const char *text, int64_t least, int64_t most, int64_t *out);

/* Whether to colour: a terminal, and neither NO_COLOR nor TERM=dumb in the environment. */
bool cli_colour(int fd);
#endif
