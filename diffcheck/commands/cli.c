#include "cli.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../files/text.h"

static void say(const char *format, va_list args)
{
  char *text = NULL;
  fflush(stdout);
  fprintf(stderr, "%s: ", program_invocation_short_name);
  if (vasprintf(&text, format, args) < 0)
    text = NULL;
  text_visible(stderr, text ? text : format);
  fputc('\n', stderr);
  free(text);
}

int cli_error(const char *format, ...)
{
  va_list args;
  va_start(args, format);
  say(format, args);
  va_end(args);
  return EXIT_ERROR;
}

void cli_refuse(const char *format, ...)
{
  va_list args;
  va_start(args, format);
  say(format, args);
  va_end(args);
  exit(EXIT_ERROR);
}

void cli_note(const char *format, ...)
{
  va_list args;
  va_start(args, format);
  say(format, args);
  va_end(args);
}

int cli_choice(const char *argument, const char *value, const char *list)
{
  char hint[TEXT_HINT];
  return cli_error("%s '%s': must be %s%s", argument, value, list, text_hint(value, list, hint));
}

bool cli_int(const char *argument, const char *text, int64_t least, int64_t most, int64_t *out)
{
  static const char UNITS[] = "KMG";
  char *end;
  errno = 0;
  intmax_t value = strtoimax(text, &end, 10);
  const char *unit = *end ? strchr(UNITS, *end) : NULL;
  bool good = end != text && errno == 0 && text[strspn(text, " \t\n")] == text[0];
  if (good && unit) {
    good = !__builtin_mul_overflow(value, (intmax_t)1 << 10 * (unit - UNITS + 1), &value);
    end++;
  }
  if (!good || *end || value < least || value > most) {
    cli_error("%s: '%s': must be a whole number from %" PRId64 " to %" PRId64, argument, text,
              least, most);
    return false;
  }
  *out = value;
  return true;
}

bool cli_colour(int fd)
{
  const char *no = getenv("NO_COLOR"), *term = getenv("TERM");
  return isatty(fd) && !(no && *no) && !(term && strcmp(term, "dumb") == 0);
}
