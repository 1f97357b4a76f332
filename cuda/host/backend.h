/* What both back ends' tables share: the families' rows in one array, and the two lookups. */
#ifndef PM_HOST_BACKEND_H
#define PM_HOST_BACKEND_H
#include <string.h>
#include <vector>

#include "check.h"
#include "table.h"

#define PM_DECLARE(op, args) extern "C" pm_status LAUNCHER(op) args;
PM_LAUNCHERS(PM_DECLARE)
#undef PM_DECLARE

/* The families' rows, in one array that lives as long as the program. */
static std::vector<pm_kernel> pm_rows;

static const pm_kernel *pm_gather_rows()
{
#define PM_COPY(f)                                         \
  pm_rows.insert(pm_rows.end(), LAUNCHER(family_##f).rows, \
                 LAUNCHER(family_##f).rows + LAUNCHER(family_##f).n);
  PM_FAMILIES(PM_COPY)
#undef PM_COPY
  return pm_rows.data();
}

extern "C" size_t LAUNCHER(matmul_fast_work)(const char *op, const int64_t *size);

/* `op` asks for what any variant wants that runs unasked, `op:variant` for what that one does: they differ
 * for the matrix products that run by name only. */
static size_t pm_find_workspace(const char *op, const int64_t *size)
{
  const char *colon = strchr(op, ':');
  char name[64];
  size_t length = colon ? (size_t)(colon - op) : strlen(op);
  if (length >= sizeof name)
    return 0;
  memcpy(name, op, length);
  name[length] = 0;
  if (colon && !strcmp(colon, ":fast"))
    return LAUNCHER(matmul_fast_work)(name, size);
#define PM_ASK(f)                                       \
  for (int i = 0; i < LAUNCHER(family_##f).n; i++)      \
    if (!strcmp(LAUNCHER(family_##f).rows[i].op, name)) \
      return LAUNCHER(family_##f).workspace ? LAUNCHER(family_##f).workspace(name, size) : 0;
  PM_FAMILIES(PM_ASK)
#undef PM_ASK
  return 0;
}

/* The member initialisers of the launchers, in the order of launch.h. */
#define PM_LAUNCHER_NAME(op, args) LAUNCHER(op),
#endif
