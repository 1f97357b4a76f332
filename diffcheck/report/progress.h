/* One line on stderr that says how far a long command is: redrawn on a terminal, else a line now
 * and then once it has taken a while. */
#ifndef DIFFCHECK_PROGRESS_H
#define DIFFCHECK_PROGRESS_H
#include <stdbool.h>

typedef struct progress {
  bool terminal, drawn, quiet;
  double start, last; /* by dc_now */
} progress;

void progress_start(progress *p, bool quiet);
/* Rate-limited: cheap to call often. */
__attribute__((format(printf, 2, 3))) void progress_say(progress *p, const char *format, ...);
void progress_clear(progress *p); /* before other output to the same terminal */
int progress_width(int fd);       /* columns of a terminal, or of COLUMNS, else 100 */
#endif
