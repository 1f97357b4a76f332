/* One run of a problem on a back end: every tensor and the workspace stand in one block, apart
 * from each other by red zones; the whole block is compared with what it held before. */
#include "engine.h"

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#define ZONE_CLOSE(p, n) ASAN_POISON_MEMORY_REGION(p, n)
#define ZONE_OPEN(p, n) ASAN_UNPOISON_MEMORY_REGION(p, n)
#else
#define ZONE_CLOSE(p, n) ((void)(p), (void)(n))
#define ZONE_OPEN(p, n) ((void)(p), (void)(n))
#endif

/* Around a tensor; at both ends of the block, where beyond it nothing is watched. */
enum { ZONE = 512, EDGE = 8192, ALIGN = 256 };

/* Words that stand in red zones and in poisoned memory, by dc_way.poison: a NaN, then a number,
 * so that a kernel that reads them gives a result that is wrong, then another one. As an index
 * both are out of range. */
static const uint32_t zone_word[2] = {0x7fc5a5a5u, 0x4c5a5a5au};
static const uint32_t poison_word[2] = {0x7fc1b2c3u, 0x4b7a1234u};

static const char *const fault_names[DC_N_FAULTS] = {
    "none",  "bound",    "bits",    "kind",       "red-zone",  "input-changed", "stale",
    "order", "in-place", "adjoint", "difference", "back-ends", "launch",        "no-variant"};
const char *dc_fault_name(dc_fault f) { return f < DC_N_FAULTS ? fault_names[f] : "?"; }

struct dc_memory {
  const pm_backend *b;
  char *device;
  size_t device_cap;
  char *before, *after; /* images of the block on the host */
  size_t host_cap;
};

typedef struct span {
  size_t at, bytes;
} span;

typedef struct layout {
  span t[DC_TENSORS + 1]; /* tensors, then the workspace */
  int n;
  size_t bytes;
} layout;

dc_memory *dc_memory_new(const pm_backend *b)
{
  dc_memory *m = calloc(1, sizeof *m);
  if (m)
    m->b = b;
  return m;
}

void dc_memory_free(dc_memory *m)
{
  if (!m)
    return;
  if (m->device)
    m->b->free(m->device);
  free(m->before);
  free(m->after);
  free(m);
}

static layout lay_out(const pm_backend *b, const dc_case *c)
{
  const dc_op *op = c->op;
  int64_t size[DC_DIMS + DC_ATTRS];
  layout l = {.n = op->n_in + op->n_out + 1};
  size_t at = EDGE;
  dc_kernel_size(c, size);
  for (int i = 0; i < l.n; i++) {
    int work = i == l.n - 1;
    size_t each = !work && op->tensor[i].dtype == DC_I64 ? 8 : 4;
    l.t[i].at = at + (!work && (c->misaligned >> i & 1) ? each : 0);
    l.t[i].bytes =
        work ? b->workspace(op->name, size) : (size_t)dc_count(op, i, c->size, c->attr) * each;
    at = (l.t[i].at + l.t[i].bytes + ZONE + ALIGN - 1) / ALIGN * ALIGN;
  }
  l.bytes = at + EDGE;
  return l;
}

/* Grows the block and its images; 0, or -1 when there is no memory. */
static int reserve(dc_memory *m, size_t bytes)
{
  if (bytes > m->device_cap) {
    if (m->device)
      m->b->free(m->device);
    m->device = m->b->alloc(bytes);
    m->device_cap = m->device ? bytes : 0;
  }
  if (bytes > m->host_cap) {
    free(m->before);
    free(m->after);
    m->before = malloc(bytes);
    m->after = malloc(bytes);
    m->host_cap = m->before && m->after ? bytes : 0;
  }
  return m->device_cap && m->host_cap ? 0 : -1;
}

static void words(char *at, size_t bytes, uint32_t word)
{
  size_t n = bytes / sizeof word;
  for (size_t i = 0; i < n; i++)
    memcpy(at + i * sizeof word, &word, sizeof word);
  memcpy(at + n * sizeof word, &word, bytes % sizeof word);
}

/* What the block holds before the run. */
static void fill(dc_memory *m, const dc_problem *p, const layout *l, unsigned poison)
{
  const dc_op *op = p->c.op;
  size_t end = 0;
  for (int i = 0; i < l->n; i++) {
    char *at = m->before + l->t[i].at;
    size_t bytes = l->t[i].bytes;
    words(m->before + end, l->t[i].at - end, zone_word[poison & 1]);
    if (i < op->n_in + op->n_out && (p->f[i] || p->ix[i]))
      memcpy(at, p->f[i] ? (void *)p->f[i] : (void *)p->ix[i], bytes);
    else
      words(at, bytes, poison_word[poison & 1]);
    end = l->t[i].at + bytes;
  }
  words(m->before + end, l->bytes - end, zone_word[poison & 1]);
}

/* On the simulator: what is outside of every tensor no kernel's contract may speak of, and under
 * AddressSanitizer a red zone that is so much as read is reported. */
static void zones(const dc_memory *m, const layout *l, int closed)
{
  size_t end = 0;
  if (m->b->extent)
    m->b->extent(NULL, 0);
  for (int i = 0; m->b->extent && closed && i < l->n; i++)
    m->b->extent(m->device + l->t[i].at, l->t[i].bytes);
  if (strcmp(m->b->name, "sim") != 0)
    return;
  for (int i = 0; i <= l->n; i++) {
    size_t to = i < l->n ? l->t[i].at : l->bytes;
    if (closed)
      ZONE_CLOSE(m->device + end, to - end);
    else
      ZONE_OPEN(m->device + end, to - end);
    if (i < l->n)
      end = l->t[i].at + l->t[i].bytes;
  }
}

static size_t first_change(const dc_memory *m, size_t from, size_t to)
{
  while (from < to && m->before[from] == m->after[from])
    from++;
  return from;
}

/* The output whose place is input t's in an in-place run, or -1. */
static int replacing(const dc_op *op, const dc_way *way, int t)
{
  for (int o = 0; way->in_place && o < op->n_out; o++)
    if (op->glue->replaces[o] == t + 1)
      return o;
  return -1;
}

/* Red zones and inputs against what they held. */
static dc_fault compare(const dc_memory *m, const dc_problem *p, const dc_way *way, const layout *l,
                        dc_error *why)
{
  const dc_op *op = p->c.op;
  size_t end = 0;
  for (int i = 0; i <= l->n; i++) {
    size_t to = i < l->n ? l->t[i].at : l->bytes;
    if (memcmp(m->before + end, m->after + end, to - end) != 0) {
      size_t at = first_change(m, end, to);
      int below = i == 0 || (i < l->n && to - at <= ZONE / 4 && at - end > ZONE / 4);
      int t = below ? i : i - 1;
      dc_fail(why, DC_OK, "written outside of every tensor: byte %zu %s %s",
              below ? to - at : at - end, below ? "before the start of" : "past the end of",
              t < l->n - 1 ? op->tensor[t].name : "the workspace");
      return DC_RED_ZONE;
    }
    if (i == l->n)
      break;
    end = l->t[i].at + l->t[i].bytes;
    if (i < op->n_in && replacing(op, way, i) < 0 &&
        memcmp(m->before + l->t[i].at, m->after + l->t[i].at, l->t[i].bytes)) {
      size_t at = first_change(m, l->t[i].at, end) - l->t[i].at;
      dc_fail(why, DC_OK, "input %s was changed at element %zu", op->tensor[i].name,
              at / (op->tensor[i].dtype == DC_I64 ? 8 : 4));
      return DC_INPUT_CHANGED;
    }
  }
  return DC_NO_FAULT;
}

static dc_fault device_fault(const dc_memory *m, const char *doing, dc_error *why)
{
  dc_fail(why, DC_OK, "%s: %s", doing, m->b->error());
  return DC_LAUNCH;
}

dc_fault dc_execute(dc_memory *m, const dc_problem *p, const dc_way *way, float *const *out,
                    const char **ran, dc_error *why)
{
  const dc_op *op = p->c.op;
  const pm_backend *b = way->watched && m->b->watched ? m->b->watched : m->b;
  layout l = lay_out(m->b, &p->c);
  *ran = NULL;
  if (reserve(m, l.bytes)) {
    dc_fail(why, DC_NO_MEMORY, "no memory on %s for %zu bytes", m->b->name, l.bytes);
    return DC_LAUNCH;
  }
  fill(m, p, &l, way->poison);
  if (m->b->upload(m->device, m->before, l.bytes) != PM_OK)
    return device_fault(m, "upload", why);

  pm_exec ex = {.stream = m->b->stream(way->stream),
                .work = m->device + l.t[l.n - 1].at,
                .work_bytes = l.t[l.n - 1].bytes,
                .variant = way->variant};
  dc_args a = {.size = p->c.size, .attr = p->c.attr, .accumulate = p->c.accumulate};
  for (int t = 0; t < op->n_in + op->n_out; t++)
    a.t[t] = m->device + l.t[t].at;
  for (int t = 0; t < op->n_in; t++)
    if (replacing(op, way, t) >= 0)
      a.t[op->n_in + replacing(op, way, t)] = a.t[t];
  b->shuffle(way->schedule);
  zones(m, &l, 1);
  pm_status s = op->glue->launch(b, &ex, &a);
  pm_status done = b->sync();
  zones(m, &l, 0);
  if (s == PM_UNSUITED)
    return DC_NO_FAULT;
  *ran = ex.ran ? ex.ran : way->variant ? way->variant : "?";
  if (s != PM_OK)
    return device_fault(m, "launch", why);
  if (done != PM_OK)
    return device_fault(m, "run", why);
  if (m->b->download(m->after, m->device, l.bytes) != PM_OK)
    return device_fault(m, "download", why);
  for (int o = 0; o < op->n_out; o++) {
    int in = way->in_place ? op->glue->replaces[o] - 1 : -1;
    memcpy(out[o], m->after + l.t[in < 0 ? op->n_in + o : in].at, l.t[op->n_in + o].bytes);
  }
  return compare(m, p, way, &l, why);
}

/* Nothing stands at these addresses: the simulator rests. */
int dc_suits(const dc_case *c, const char *variant)
{
  enum { BASE = 1 << 20 };
  const layout l = lay_out(&pm_sim, c);
  pm_exec ex = {.work = (void *)(BASE + l.t[l.n - 1].at),
                .work_bytes = l.t[l.n - 1].bytes,
                .variant = variant};
  dc_args a = {.size = c->size, .attr = c->attr, .accumulate = c->accumulate};
  for (int t = 0; t < l.n - 1; t++)
    a.t[t] = (void *)(BASE + l.t[t].at);
  pm_sim.rest(1);
  pm_status s = c->op->glue->launch(&pm_sim, &ex, &a);
  pm_sim.rest(0);
  return s == PM_OK;
}
