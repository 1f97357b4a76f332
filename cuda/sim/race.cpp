#include "race.h"

#include <backtrace.h>
#include <map>
#include <memory>
#include <stdio.h>
#include <string.h>
#include <string>
#include <unordered_map>
#include <vector>

#include "sim.h"

namespace pm_sim_ {

bool race_watch;
race_clock *race_thread;

} // namespace pm_sim_

namespace {
using namespace pm_sim_;

enum { WORD = 4, PAGE_WORDS = 256, READERS = 4 };

/* An access to some bytes of a word of memory, the last of its kind. */
struct access {
  uint32_t launch, block, thread, barriers, warps, arrived, sent;
  uint8_t bytes; /* which, a bit each; 0: there was none */
  bool atomic;
  const void *pc;
};

struct word {
  uint32_t epoch; /* of the memory it is part of, when it was last touched */
  bool remote;    /* a cell of the cluster's exchange */
  access written;
  access read[READERS]; /* of as many threads, warps and blocks as there is room for */
};

struct page {
  word words[PAGE_WORDS];
};

struct range {
  const char *end;
  bool shared; /* memory of a block */
};

std::map<const char *, range> ranges; /* by their first bytes */
std::unordered_map<uintptr_t, std::unique_ptr<page>> pages;
uintptr_t last_number; /* the page that was asked for last */
page *last;
uint32_t epoch = 1, shared_epoch = 1;
uint32_t launches, done; /* begun so far; and of these, that were over when the current one began */
unsigned cluster_blocks;

const range *range_of(const char *p)
{
  auto at = ranges.upper_bound(p);
  if (at == ranges.begin())
    return NULL;
  --at;
  return p < at->second.end ? &at->second : NULL;
}

word *word_at(uintptr_t address)
{
  uintptr_t number = address / (WORD * PAGE_WORDS);
  if (!last || number != last_number) {
    std::unique_ptr<page> &at = pages[number];
    if (!at)
      at.reset(new page());
    last = at.get(), last_number = number;
  }
  return &last->words[address / WORD % PAGE_WORDS];
}

/* With nothing of what was before this epoch of its memory. */
word *word_of(uintptr_t address, uint32_t since)
{
  word *w = word_at(address);
  if (w->epoch != since) {
    memset(w, 0, sizeof *w);
    w->epoch = since;
  }
  return w;
}

bool same_cluster(uint32_t a, uint32_t b) { return a / cluster_blocks == b / cluster_blocks; }

/* Whether an access comes before what the running thread does now. */
bool before(const access &a, const word *w)
{
  const race_clock *now = race_thread;
  if (a.launch != now->launch)
    return a.launch <= (now->awaited ? now->launch - 1 : done);
  if (a.block == now->block && (a.thread == now->thread || now->barriers > a.barriers ||
                                (a.thread / 32 == now->thread / 32 && now->warps > a.warps)))
    return true;
  if (!same_cluster(a.block, now->block))
    return false;
  return now->waited > a.arrived || (w->remote && now->got > a.sent);
}

access current(uint8_t bytes, bool atomic, const void *pc)
{
  const race_clock *t = race_thread;
  return access{t->launch,  t->block, t->thread, t->barriers, t->warps,
                t->arrived, t->sent,  bytes,     atomic,      pc};
}

/* Reads are kept so that a write by anybody meets one that it does not come after: two of a warp's
 * threads, another warp, another block. */
void keep_read(word *w, const access &a)
{
  for (access &r : w->read)
    if (!r.bytes || (r.launch == a.launch && r.block == a.block && r.thread == a.thread)) {
      r = a;
      return;
    }
  for (access &r : w->read)
    if (before(r, w)) { /* whoever comes after this one comes after that one too */
      r = a;
      return;
    }
  int blocks = 0, warps = 0;
  for (const access &r : w->read) {
    blocks += r.block != a.block;
    warps += r.block == a.block && r.thread / 32 != a.thread / 32;
  }
  if (!blocks || !warps)
    w->read[READERS - 1] = a;
}

struct place {
  std::string file;
  int line;
};

/* cuda/norm/../lang/kernel.h is cuda/lang/kernel.h. */
std::string shortened(std::string file)
{
  for (size_t up; (up = file.find("/../")) != std::string::npos && up > 0;) {
    size_t slash = file.rfind('/', up - 1), from = slash == std::string::npos ? 0 : slash + 1;
    file.erase(from, up + 4 - from);
  }
  return file;
}

/* Of the functions that were inlined there, the innermost that is no word of the language's. */
int found(void *data, uintptr_t, const char *file, int line, const char *)
{
  place *p = static_cast<place *>(data);
  if (!file)
    return 0;
  *p = place{shortened(file), line};
  return p->file.find("cuda/lang/") == std::string::npos &&
         p->file.find("cuda/sim/") == std::string::npos;
}

void lost(void *, const char *, int) {}

void say(const access &a, const char *what, char *text, size_t room)
{
  static backtrace_state *state = backtrace_create_state(NULL, 0, lost, NULL);
  place p = {"?", 0};
  if (state)
    backtrace_pcinfo(state, reinterpret_cast<uintptr_t>(a.pc) - 1, found, lost, &p);
  snprintf(text, room, "thread %u of block %u %s at %s:%d", a.thread, a.block, what, p.file.c_str(),
           p.line);
}

void report(const access &old, bool old_writes, const access &now, bool writes, const range *of,
            const char *first, const char *p)
{
  char one[160], other[160], where[80];
  say(old, old_writes ? "wrote" : "read", one, sizeof one);
  say(now, writes ? "writes" : "reads", other, sizeof other);
  if (of->shared)
    snprintf(where, sizeof where, "shared memory");
  else
    snprintf(where, sizeof where, "byte %td of a tensor or workspace of %td", p - first,
             of->end - first);
  char words[480];
  snprintf(words, sizeof words, "race in %s: %s; %s; %s", where, one, other,
           old.launch != now.launch             ? "of a launch that it has not waited for"
           : old.block != now.block             ? "nothing orders blocks of a launch"
           : old.thread / 32 != now.thread / 32 ? "with no barrier between"
                                                : "with nothing that orders lanes between");
  race_found(words);
}

} // namespace

namespace pm_sim_ {

void race_launch(unsigned in_cluster, bool early)
{
  cluster_blocks = in_cluster;
  if (!early)
    done = launches;
  launches++;
}

uint32_t race_launches(void) { return launches; }

void race_shared(void) { shared_epoch++; }

void race_done(void)
{
  done = launches;
  if (!++epoch)
    epoch = 1;
}

void race_own_as(void *p, size_t bytes, bool shared)
{
  ranges[static_cast<char *>(p)] = range{static_cast<char *>(p) + bytes, shared};
}

void race_own(void *p, size_t bytes)
{
  if (p && bytes)
    race_own_as(p, bytes, false);
}

void race_disown(void *p)
{
  auto at = ranges.find(static_cast<char *>(p));
  if (at == ranges.end())
    return;
  /* who gets the memory next has nothing to do with what was there */
  const uintptr_t page_bytes = WORD * PAGE_WORDS;
  for (uintptr_t a = reinterpret_cast<uintptr_t>(at->first) / page_bytes;
       a <= (reinterpret_cast<uintptr_t>(at->second.end) - 1) / page_bytes; a++)
    pages.erase(a);
  last = NULL;
  race_done();
  ranges.erase(at);
}

void race_exchanged(const void *p)
{
  for (int i = 0; i < 8; i += WORD)
    word_of(reinterpret_cast<uintptr_t>(p) + (uintptr_t)i, shared_epoch)->remote = true;
}

void race_access(const void *address, size_t n, bool write, bool atomic, const void *pc)
{
  const char *p = static_cast<const char *>(address);
  const range *of = range_of(p);
  if (!of || !race_thread)
    return;
  const char *first = std::prev(ranges.upper_bound(p))->first;
  const uint32_t since = of->shared ? shared_epoch : epoch;
  for (size_t i = 0; i < n;) {
    uintptr_t at = reinterpret_cast<uintptr_t>(p + i);
    unsigned from = at % WORD, some = (unsigned)(n - i < WORD - from ? n - i : WORD - from);
    uint8_t bytes = (uint8_t)(((1u << some) - 1) << from);
    word *w = word_of(at, since);
    access now = current(bytes, atomic, pc);
    if (w->written.bytes & bytes && !(atomic && w->written.atomic) && !before(w->written, w))
      return report(w->written, true, now, write, of, first, p + i);
    if (write) {
      for (const access &r : w->read)
        if (r.bytes & bytes && !(atomic && r.atomic) && !before(r, w))
          return report(r, false, now, true, of, first, p + i);
      w->written = now;
    } else
      keep_read(w, now);
    i += some;
  }
}

} // namespace pm_sim_

/* What -fsanitize=thread calls. */
#define PC_ __builtin_return_address(0)
#define SEEN(p, n, write)                   \
  do                                        \
    if (race_watch)                         \
      race_access(p, n, write, false, PC_); \
  while (0)
extern "C" {
void __tsan_init(void) {}
void __tsan_func_entry(void *) {}
void __tsan_func_exit(void) {}
char __tsan_atomic8_load(const volatile char *p, int) { return *p; } /* of a static's guard */
void __tsan_read_range(void *p, size_t n) { SEEN(p, n, false); }
void __tsan_write_range(void *p, size_t n) { SEEN(p, n, true); }
#define OF_SIZE(n)                                              \
  void __tsan_read##n(void *p) { SEEN(p, n, false); }           \
  void __tsan_write##n(void *p) { SEEN(p, n, true); }           \
  void __tsan_unaligned_read##n(void *p) { SEEN(p, n, false); } \
  void __tsan_unaligned_write##n(void *p) { SEEN(p, n, true); }
OF_SIZE(1)
OF_SIZE(2)
OF_SIZE(4)
OF_SIZE(8)
OF_SIZE(16)
}
