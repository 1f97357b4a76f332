#include "interrupt.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#include "cli.h"
#include "../files/output.h"
#include "../foreign/source.h"

static volatile sig_atomic_t patient, pending, line, colour;

static void put(int fd, const char *text)
{
  if (write(fd, text, strlen(text)) < 0)
    return; /* there is nobody left to tell */
}

static void end(int signal)
{
  output_abandon();
  source_abandon();
  if (colour)
    put(1, "\033[0m");
  if (line)
    put(2, "\r\033[K");
  put(2, "diffcheck: interrupted\n");
  _exit(128 + signal);
}

static void on_signal(int signal)
{
  static const struct itimerval soon = {.it_value = {.tv_usec = 500000}};
  if (pending)
    end(pending);
  if (!patient)
    end(signal);
  pending = signal;
  setitimer(ITIMER_REAL, &soon, NULL);
}

static void on_alarm(int signal) { end(pending ? pending : signal); }

void interrupt_watch(void)
{
  static const int ENDS[] = {SIGINT, SIGTERM, SIGHUP};
  struct sigaction act = {.sa_flags = SA_RESTART}, old;
  const char *term = getenv("TERM");
  line = isatty(2) && !(term && strcmp(term, "dumb") == 0);
  colour = cli_colour(1);
  sigfillset(&act.sa_mask);
  act.sa_handler = on_signal;
  for (size_t i = 0; i < sizeof ENDS / sizeof ENDS[0]; i++)
    if (sigaction(ENDS[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN) /* as nohup sets it */
      sigaction(ENDS[i], &act, NULL);
  act.sa_handler = on_alarm;
  sigaction(SIGALRM, &act, NULL);
}

void interrupt_wait(void) { patient = 1; }

int interrupted(void) { return pending ? 128 + pending : 0; }
