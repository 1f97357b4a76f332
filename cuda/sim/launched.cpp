#include "launched.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

#include "requires.h"

namespace pm_sim_ {

num bdim_, gsize_, blocks_, slots_, turn_cells_, stage_cells_;

namespace {

enum { KEPT = 32, EXTENTS = 64, ROWS = 1024 };
const char *kept[KEPT + 1]; /* names of kernels, to the next call of pm_sim_launched, of which */
const char *given[KEPT + 1];
int n_kept;
unsigned calls = 1;   /* there were so many; */
unsigned noted[ROWS]; /* and how many when a kernel of requires_rows was launched last */
bytes extents[EXTENTS];
int n_extents;

const requires_row *row_of(const char *name)
{
  for (int i = 0; i < n_requires; i++)
    if (!strcmp(requires_rows[i].kernel, name))
      return &requires_rows[i];
  return NULL;
}

/* A number in decimal, or an end of the range as that. */
void show(num n, char *text, size_t room)
{
  const long long most = 0x7fffffffffffffff;
  const char *beyond = n > most ? "> " : n < -most ? "< " : "";
  if (*beyond)
    n = n > most ? most : -most;
  snprintf(text, room, "%s%lld", beyond, (long long)n.v);
}

/* Whether the arguments are those of the kernel that the contract is of. */
bool of_its_kind(const kernel_call &call)
{
  const requires_row &row = *call.kernel->row;
  size_t structs = 0;
  if ((size_t)call.n_args != strlen(row.signature) || call.kernel->n_constants != row.n_constants)
    return false;
  for (int i = 0; i < call.n_args; i++) {
    if (call.args[i].kind != row.signature[i])
      return false;
    structs += call.args[i].kind == 's' ? call.args[i].bytes : 0;
  }
  return structs == row.structs;
}

} // namespace

kernel_name::kernel_name(const char *pretty) : name(), constant(), n_constants(0)
{
  const char *at = strstr(pretty, "F = ");
  at = at ? at + 4 : pretty;
  for (at += *at == '('; *at == '&' || *at == ':';) at++;
  size_t n = 0;
  while (isalnum((unsigned char)*at) || *at == '_') {
    if (n + 1 < sizeof name)
      name[n++] = *at;
    at++;
  }
  if (*at == '<')
    do {
      char *end;
      constant[n_constants] = strtoll(at + 1, &end, 10);
      n_constants += end > at + 1;
      at = end;
    } while (*at == ',' && n_constants < CONSTANTS);
  row = row_of(name);
}

void note_launch(const kernel_call &call)
{
  const requires_row *row = call.kernel->row;
  unsigned none = 0,
           *seen = row && row - requires_rows < ROWS ? &noted[row - requires_rows] : &none;
  if (*seen == calls)
    return;
  *seen = calls;
  for (int i = 0; i < n_kept; i++)
    if (!strcmp(kept[i], call.kernel->name))
      return;
  if (n_kept < KEPT)
    kept[n_kept++] = call.kernel->name;
}

bool has(bytes b)
{
  if (b.from == b.to)
    return true;
  for (int i = 0; i < n_extents; i++)
    if (extents[i].from <= b.from && b.to <= extents[i].to)
      return true;
  return n_extents == 0 && b.from > 0;
}

bool launched::fail(const char *text, const char *names, std::initializer_list<num> values) const
{
  size_t at = (size_t)snprintf(words, room, "%s: requires %s", call.kernel->name, text);
  const char *mark = ": ";
  for (num v : values) {
    char value[32];
    while (*names == ',' || *names == ' ') names++;
    int n = (int)strcspn(names, ",");
    show(v, value, sizeof value);
    if (at < room)
      at += (size_t)snprintf(words + at, room - at, "%s%.*s=%s", mark, n, names, value);
    names += n;
    mark = " ";
  }
  return false;
}

bool fulfils(const kernel_call &call, const launch_shape &shape, char *words, size_t room)
{
  const kernel_name &k = *call.kernel;
  if (!k.row || !k.row->signature)
    return true;
  if (!of_its_kind(call)) {
    char signature[64] = "";
    for (int i = 0; i < call.n_args && i < 63; i++) signature[i] = call.args[i].kind;
    snprintf(words, room,
             "%s: launched with (%s) and %d constants; its contract in cuda/sim/requires.cpp is of "
             "(%s) and %d: run proofs/tools/requires.py --write",
             k.name, signature, k.n_constants, k.row->signature, k.row->n_constants);
    return false;
  }
  bdim_ = shape.block;
  blocks_ = shape.grid;
  gsize_ = bdim_ * blocks_;
  slots_ = turn_cells_ = num((unsigned long)shape.dynamic / 16);
  stage_cells_ = num((unsigned long)shape.dynamic / 4);
  return k.row->check(launched{call, words, room});
}

} // namespace pm_sim_

extern "C" {

const char *const *pm_sim_launched(void)
{
  using namespace pm_sim_;
  memcpy(given, kept, sizeof *kept * (size_t)n_kept);
  given[n_kept] = NULL;
  n_kept = 0;
  calls++;
  return given;
}

void pm_sim_extent(const void *at, size_t n)
{
  using namespace pm_sim_;
  num first = (unsigned long)(uintptr_t)at;
  if (!at)
    n_extents = 0;
  else if (n_extents < EXTENTS)
    extents[n_extents++] = bytes{first, first + num((unsigned long)n)};
}
}
