#include "symbols.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../engine/engine.h"

/* Of the C++ runtime that is linked in. */
char *__cxa_demangle(const char *mangled, char *out, size_t *n, int *status);

#if defined(__x86_64__)
enum { MACHINE = EM_X86_64 };
#elif defined(__aarch64__)
enum { MACHINE = EM_AARCH64 };
#else
#error "which machine's libraries does this program load?"
#endif
enum { NEAR = 6 };
static const size_t MOST = (size_t)1 << 30; /* bytes of a table */

typedef struct table {
  Elf64_Sym *sym;
  char *names;
  size_t n, bytes; /* symbols; bytes of names, the last of them 0 */
} table;

/* n bytes of the file from there on, and a 0 behind them; NULL: it has not as many, or errno is ENOMEM. */
static void *piece(int fd, off_t size, uint64_t at, uint64_t n)
{
  if (at > (uint64_t)size || n > (uint64_t)size - at || n > MOST)
    return NULL;
  char *p = malloc(n + 1);
  size_t got = 0;
  if (!p)
    errno = ENOMEM;
  ssize_t one = 1;
  while (p && got < n && one > 0)
    if ((one = pread(fd, p + got, n - got, (off_t)(at + got))) > 0)
      got += (size_t)one;
  if (p && got < n) {
    free(p);
    return NULL;
  }
  if (p)
    p[n] = 0;
  return p;
}

static void drop(table *t)
{
  free(t->sym);
  free(t->names);
  *t = (table){.n = 0};
}

/* The dynamic symbols and their names; false: the file makes no sense. */
static bool read_table(int fd, off_t size, const Elf64_Ehdr *h, table *t)
{
  bool good = false;
  if (h->e_shentsize != sizeof(Elf64_Shdr) || h->e_shnum == 0)
    return false;
  Elf64_Shdr *s = piece(fd, size, h->e_shoff, (uint64_t)h->e_shnum * sizeof *s);
  for (int i = 0; s && i < h->e_shnum && !good; i++) {
    if (s[i].sh_type != SHT_DYNSYM)
      continue;
    if (s[i].sh_link >= h->e_shnum || s[i].sh_entsize != sizeof(Elf64_Sym))
      break;
    const Elf64_Shdr *names = &s[s[i].sh_link];
    t->sym = piece(fd, size, s[i].sh_offset, s[i].sh_size);
    t->names = piece(fd, size, names->sh_offset, names->sh_size);
    t->n = s[i].sh_size / sizeof(Elf64_Sym);
    t->bytes = names->sh_size;
    good = t->sym && t->names;
  }
  free(s);
  if (!good)
    drop(t);
  return good;
}

static const char *function(const table *t, size_t i)
{
  const int type = ELF64_ST_TYPE(t->sym[i].st_info);
  if ((type != STT_FUNC && type != STT_GNU_IFUNC) || t->sym[i].st_shndx == SHN_UNDEF ||
      t->sym[i].st_name >= t->bytes)
    return NULL;
  return t->names + t->sym[i].st_name;
}

/* "void ns::f<float>(float*, int)" to "ns::f<float>", in place. */
static char *bare(char *demangled)
{
  int deep = 0;
  char *end = demangled + strlen(demangled), *open = end, *start = demangled;
  char *close = strrchr(demangled, ')');
  for (char *p = close; p && p >= demangled; p--) {
    deep += *p == ')' ? 1 : *p == '(' ? -1 : 0;
    if (deep == 0) {
      open = p;
      break;
    }
  }
  *open = 0;
  deep = 0;
  for (char *p = demangled; *p; p++) {
    deep += *p == '<' || *p == '(' ? 1 : *p == '>' || *p == ')' ? -1 : 0;
    if (*p == ' ' && deep == 0)
      start = p + 1;
  }
  return start;
}

int symbols_goes_by(const char *symbol, const char *name, char *shown, size_t room)
{
  int status = -1;
  char *demangled =
      strncmp(symbol, "_Z", 2) == 0 ? __cxa_demangle(symbol, NULL, NULL, &status) : NULL;
  bool same = strcmp(symbol, name) == 0;
  snprintf(shown, room, "%.150s", demangled ? demangled : symbol);
  if (demangled && !same)
    same = strcmp(bare(demangled), name) == 0;
  free(demangled);
  return same;
}

/* Some of what the library has: those that hold the name, or its beginning, first. */
static void candidates(const table *t, const char *name, char *list, size_t room)
{
  char shown[160], part[8];
  int n = 0;
  const char *last = strrchr(name, ':');
  snprintf(part, sizeof part, "%.4s", last ? last + 1 : name);
  for (int pass = 0; pass < 2; pass++)
    for (size_t i = 0; i < t->n && n < NEAR; i++) {
      const char *symbol = function(t, i);
      if (!symbol || *symbol == 0 || (strstr(symbol, part) != NULL) != (pass == 0))
        continue;
      symbols_goes_by(symbol, "", shown, sizeof shown);
      size_t used = strlen(list);
      if (used + strlen(shown) + 3 < room)
        sprintf(list + used, "%s%s", n++ ? ", " : "", shown);
    }
}

static dc_status find(const table *t, const char *path, const char *name, char symbol[SYMBOLS_NAME],
                      dc_error *err)
{
  char shown[160], list[DC_TEXT - 120] = "";
  int found = 0;
  for (size_t i = 0; i < t->n; i++) {
    const char *s = function(t, i);
    if (!s || !symbols_goes_by(s, name, shown, sizeof shown) || strlen(s) >= SYMBOLS_NAME)
      continue;
    if (found && strcmp(symbol, s) == 0)
      continue;
    if (strcmp(s, name) == 0) { /* as it stands there */
      strcpy(symbol, s);
      return DC_OK;
    }
    strcpy(symbol, s);
    snprintf(list + strlen(list), sizeof list - strlen(list), "%s%.60s is %.40s", found ? ", " : "",
             shown, s);
    found++;
  }
  if (found == 1)
    return DC_OK;
  if (found)
    return dc_fail(err, DC_INVALID, "%.60s: has %d functions %.30s; name one by its symbol: %s",
                   path, found, name, list);
  candidates(t, name, list, sizeof list);
  return dc_fail(err, DC_INVALID, "%.60s: has no function '%.40s'%s%s", path, name,
                 *list ? "; has " : ", nor any other", list);
}

static dc_status read_file(int fd, const char *path, table *t, dc_error *err)
{
  struct stat st;
  if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode))
    return dc_fail(err, DC_INVALID, "%.200s: must be a shared library", path);
  errno = 0;
  Elf64_Ehdr *h = piece(fd, st.st_size, 0, sizeof *h);
  dc_status s = DC_OK;
  if (!h || memcmp(h->e_ident, ELFMAG, SELFMAG) != 0 || h->e_ident[EI_CLASS] != ELFCLASS64 ||
      h->e_type != ET_DYN)
    s = dc_fail(err, DC_INVALID, "%.200s: is no shared library (cc -shared -fPIC makes one)", path);
  else if (h->e_machine != MACHINE || h->e_ident[EI_DATA] != ELFDATA2LSB)
    s = dc_fail(err, DC_INVALID, "%.200s: is for another machine than this one (ELF machine %d)",
                path, h->e_machine);
  else if (!read_table(fd, st.st_size, h, t))
    s = dc_fail(err, DC_INVALID,
                "%.200s: its table of symbols cannot be read: it is damaged, or "
                "stripped of its section headers",
                path);
  if (s && errno == ENOMEM)
    s = dc_fail(err, DC_NO_MEMORY, "%.200s: no memory for its symbols", path);
  free(h);
  return s;
}

dc_status symbols_find(const char *path, const char *name, char symbol[SYMBOLS_NAME], dc_error *err)
{
  table t = {.n = 0};
  int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0)
    return dc_fail(err, DC_INVALID, "%.200s: %s", path, strerror(errno));
  dc_status s = read_file(fd, path, &t, err);
  close(fd);
  if (!s)
    s = find(&t, path, name, symbol, err);
  drop(&t);
  return s;
}
