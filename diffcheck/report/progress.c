#include "progress.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "../engine/clock.h"

#define REDRAW 0.1 /* seconds between two drawings on a terminal */
#define PATIENCE 2 /* seconds before a line anywhere else */
#define SPARSE 10  /* seconds between those lines */

void progress_start(progress *p, bool quiet)
{
  const char *term = getenv("TERM");
  p->terminal = isatty(2) && !(term && strcmp(term, "dumb") == 0);
  p->drawn = false;
  p->quiet = quiet;
  p->start = dc_now();
  p->last = p->terminal ? 0 : p->start + PATIENCE - SPARSE;
}

void progress_say(progress *p, const char *format, ...)
{
  char text[400];
  va_list args;
  double now = dc_now();
  if (p->quiet || now - p->last < (p->terminal ? REDRAW : SPARSE))
    return;
  p->last = now;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  if (p->terminal) {
    /* One column short, so that no terminal wraps the line. */
    fprintf(stderr, "\r%.*s\033[K", progress_width(2) - 1, text);
    p->drawn = true;
  } else
    fprintf(stderr, "%s\n", text);
  fflush(stderr);
}

void progress_clear(progress *p)
{
  if (!p->drawn)
    return;
  fputs("\r\033[K", stderr);
  fflush(stderr);
  p->drawn = false;
  p->last = 0;
}

int progress_width(int fd)
{
  struct winsize w;
  const char *columns = getenv("COLUMNS");
  if (isatty(fd) && ioctl(fd, TIOCGWINSZ, &w) == 0 && w.ws_col > 0)
    return w.ws_col < 20 ? 20 : w.ws_col;
  int n = columns ? atoi(columns) : 0;
  return n >= 20 && n < 10000 ? n : 100;
}
