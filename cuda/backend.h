/* What both back ends' tables share: the families' rows in one array, and the two lookups. */
#ifndef PM_BACKEND_H
#define PM_BACKEND_H
#include <string.h>

#include "check.h"
#include "table.h"

#define PM_DECLARE(op, args) extern "C" pm_status LAUNCHER(op) args;
PM_LAUNCHERS(PM_DECLARE)
#undef PM_DECLARE

enum { PM_MAX_ROWS = 128 };

static pm_kernel pm_rows[PM_MAX_ROWS];
static int pm_n_rows;

static int pm_gather_rows()
{
#define PM_COPY(f)                                                            \
  for (int i = 0; i < LAUNCHER(family_##f).n && pm_n_rows < PM_MAX_ROWS; i++) \
    pm_rows[pm_n_rows++] = LAUNCHER(family_##f).rows[i];
  pm_n_rows = 0;
  PM_FAMILIES(PM_COPY)
#undef PM_COPY
  return pm_n_rows;
}

static size_t pm_find_workspace(const char *op, const int64_t *size)
{
#define PM_ASK(f)                                     \
  for (int i = 0; i < LAUNCHER(family_##f).n; i++)    \
    if (!strcmp(LAUNCHER(family_##f).rows[i].op, op)) \
      return LAUNCHER(family_##f).workspace ? LAUNCHER(family_##f).workspace(op, size) : 0;
  PM_FAMILIES(PM_ASK)
#undef PM_ASK
  return 0;
}

/* The member initialisers of the launchers, in the order of launch.h. */
#define PM_LAUNCHER_NAME(op, args) LAUNCHER(op),
#endif
