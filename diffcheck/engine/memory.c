/* One run of a problem on a back end: every tensor and the workspace stand in one block, apart
 * from each other by red zones; what it held before and may not change is then looked for. */
#include <stdbool.h>

#include "rows.h"
#include "types.h"
#include "worker.h"

/* Around a tensor; at both ends of the block, where beyond it nothing is watched. */
enum { ZONE = 512, EDGE = 8192, ALIGN = 256 };

/* Words that stand in red zones and in poisoned memory, by dc_way.poison: a NaN, then a number,
 * so that a kernel that reads them gives a result that is wrong, then another one; the halves of a word are the
 * same in any type of 16 bits. As an index both are out of range. */
static const uint32_t zone_word[2] = {0x7fc57fc5u, 0x4c5a4c5au};
static const uint32_t poison_word[2] = {0x7fc17fc1u, 0x4b7a4b7au};

static const char *const fault_names[DC_N_FAULTS] = {
    "none",       "bound", "bits",     "kind",      "red-zone",   "input-changed", "stale",
    "other-data", "order", "in-place", "adjoint",   "difference", "back-ends",     "launch",
    "no-variant", "crash", "hang",     "no-worker", "no-room"};
const char *dc_fault_name(dc_fault f) { return f < DC_N_FAULTS ? fault_names[f] : "?"; }

struct dc_memory {
  const pm_backend *b;
  dc_worker *worker; /* that has the block, or NULL: it is here */
  dc_block block;
  pm_exec ex;
  char *before, *after; /* images of the block on the host */
  size_t cap;           /* of both, where they are not the worker's */
  char ran[DC_NAME];    /* a variant that is in no row */
  dc_order asked;       /* of a worker last, for a workspace: */
  size_t workspace;     /* this one */
};

dc_memory *dc_memory_new(const pm_backend *b) { return dc_memory_apart(b, NULL); }

dc_memory *dc_memory_apart(const pm_backend *b, dc_worker *w)
{
  dc_memory *m = calloc(1, sizeof *m);
  if (m)
    *m = (dc_memory){.b = b, .worker = w, .block = {.b = b}};
  return m;
}

void dc_memory_foreign(dc_memory *m, const dc_foreign *f) { m->block.foreign = f; }

void dc_memory_free(dc_memory *m)
{
  if (!m)
    return;
  dc_block_free(&m->block);
  if (!m->worker) {
    free(m->before);
    free(m->after);
  }
  free(m);
}

size_t dc_workspace(const pm_backend *b, const dc_case *c, const char *variant)
{
  int64_t size[DC_DIMS + DC_ATTRS];
  char name[128];
  dc_kernel_size(c, size);
  snprintf(name, sizeof name, variant && *variant ? "%s:%s" : "%s", c->op->name, variant);
  return b->workspace(name, size);
}

static dc_layout lay_out(const dc_case *c, size_t workspace)
{
  const dc_op *op = c->op;
  dc_layout l = {.n = op->n_in + op->n_out + 1};
  size_t at = EDGE;
  for (int i = 0; i < l.n; i++) {
    int work = i == l.n - 1;
    size_t each = work ? 1 : dc_type_size(dc_type_of(c, i));
    l.t[i].at = at + (!work && (c->misaligned >> i & 1) ? each : 0);
    l.t[i].bytes = work ? workspace : (size_t)dc_rows_placed(c, i) * each;
    at = (l.t[i].at + l.t[i].bytes + ZONE + ALIGN - 1) / ALIGN * ALIGN;
  }
  l.bytes = at + EDGE;
  return l;
}

/* The workspace of the order's case, which a worker is asked for once a case and variant. */
static dc_fault find_workspace(dc_memory *m, const dc_case *c, dc_order *o, dc_error *why)
{
  dc_answer a;
  if (m->block.foreign) {
    o->l = lay_out(c, m->block.foreign->workspace(m->block.foreign, c));
    return DC_NO_FAULT;
  }
  if (!m->worker) {
    o->l = lay_out(c, dc_workspace(m->b, c, o->variant));
    return DC_NO_FAULT;
  }
  if (m->asked.op != o->op || memcmp(m->asked.size, o->size, sizeof o->size) != 0 ||
      memcmp(m->asked.attr, o->attr, sizeof o->attr) != 0 ||
      strcmp(m->asked.variant, o->variant) != 0) {
    m->asked = *o;
    m->asked.wish = DC_WISH_WORKSPACE;
    dc_fault f = dc_worker_run(m->worker, m->b, &m->asked, dc_patience(c), &a, why);
    if (f != DC_NO_FAULT) {
      m->asked.op = NULL;
      return f;
    }
    m->workspace = a.bytes;
  }
  o->l = lay_out(c, m->workspace);
  return DC_NO_FAULT;
}

/* Grows the images; 0, or -1 when there is no memory. */
static int reserve(dc_memory *m, size_t bytes)
{
  if (m->worker)
    return dc_worker_images(m->worker, bytes, &m->before, &m->after);
  if (bytes > m->cap) {
    free(m->before);
    free(m->after);
    m->before = malloc(bytes);
    m->after = malloc(bytes);
    m->cap = m->before && m->after ? bytes : 0;
  }
  return m->cap ? 0 : -1;
}

static void words(char *at, size_t bytes, uint32_t word)
{
  size_t n = bytes / sizeof word;
  for (size_t i = 0; i < n; i++)
    memcpy(at + i * sizeof word, &word, sizeof word);
  memcpy(at + n * sizeof word, &word, bytes % sizeof word);
}

static const void *held(const dc_problem *p, int t)
{
  return p->f[t] ? (const void *)p->f[t] : (const void *)p->ix[t];
}

/* What stands between the rows of a tensor of that type, by dc_way.poison: a signalling NaN, then a number. */
static void gap_element(dc_type type, unsigned poison, char element[sizeof(uint64_t)])
{
  const uint64_t none = type == DC_TYPE_F64    ? 0x7ff4a5a5a5a5a5a5u
                        : type == DC_TYPE_F16  ? 0x7da5u
                        : type == DC_TYPE_BF16 ? 0x7fa5u
                                               : 0x7fa5a5a5u;
  const uint64_t number = zone_word[1] | (uint64_t)zone_word[1] << 32;
  memcpy(element, poison & 1 ? &number : &none, sizeof number);
}

/* One of the case's own values, its tensor or NULL, into memory that has it with a gap, or poison. */
static void fill_tensor(const dc_problem *p, int t, char *at, unsigned poison, bool zeroed)
{
  const dc_rows rows = dc_rows_of(&p->c, t, p->c.gap[t]);
  const dc_type type = dc_type_of(&p->c, t);
  const size_t size = dc_type_size(type), own = p->f[t] ? sizeof(float) : sizeof(int64_t);
  const char *values = held(p, t);
  char between[sizeof(uint64_t)];
  gap_element(type, poison, between);
  for (int64_t r = 0; r < rows.rows; r++) {
    char *row = at + (size_t)(r * rows.step) * size;
    if (zeroed)
      memset(row, 0, (size_t)rows.cols * size);
    else if (values)
      dc_type_store(type, values + (size_t)(r * rows.cols) * own, rows.cols, row);
    else
      words(row, (size_t)rows.cols * size, poison_word[poison & 1]);
    for (int64_t k = rows.cols; k < rows.step && r + 1 < rows.rows; k++)
      memcpy(row + (size_t)k * size, between, size);
  }
}

/* What the block holds before the run. */
static void fill(dc_memory *m, const dc_problem *p, const dc_layout *l, unsigned poison)
{
  size_t end = 0;
  for (int i = 0; i < l->n; i++) {
    char *at = m->before + l->t[i].at;
    size_t bytes = l->t[i].bytes;
    words(m->before + end, l->t[i].at - end, zone_word[poison & 1]);
    const bool zeroed = m->block.foreign && (m->block.foreign->zeroed >> i & 1);
    if (i < l->n - 1)
      fill_tensor(p, i, at, poison, zeroed && !p->c.accumulate);
    else if (zeroed)
      memset(at, 0, bytes);
    else
      words(at, bytes, poison_word[poison & 1]);
    end = l->t[i].at + bytes;
  }
  words(m->before + end, l->bytes - end, zone_word[poison & 1]);
}

/* The first byte of a red zone, n of them, that is not the word which fills it; n: all are. What was there
 * before is not asked of memory that the kernel's process can reach. */
static size_t first_written(const char *zone, size_t n, unsigned poison)
{
  const char *word = (const char *)&zone_word[poison & 1];
  size_t i = 0;
  while (i < n && zone[i] == word[i % sizeof zone_word[0]])
    i++;
  return i;
}

/* The first of n elements of input t, from number `first` on, that is not as it was, by what this process alone knows;
 * -1: all are. */
static int64_t first_changed(const dc_problem *p, int t, int64_t first, int64_t n, const char *now)
{
  enum { STEP = 512 };
  const dc_type type = dc_type_of(&p->c, t);
  const size_t size = dc_type_size(type), own = p->f[t] ? sizeof(float) : sizeof(int64_t);
  char was[STEP * sizeof(double)];
  for (int64_t i = 0; i < n; i += STEP) {
    const int64_t some = n - i < STEP ? n - i : STEP;
    dc_type_store(type, (const char *)held(p, t) + (size_t)(first + i) * own, some, was);
    const bool same = memcmp(was, now + (size_t)i * size, (size_t)some * size) == 0;
    for (int64_t k = 0; !same && k < some; k++)
      if (memcmp(was + (size_t)k * size, now + (size_t)(i + k) * size, size) != 0)
        return first + i + k;
  }
  return -1;
}

/* Tensor t, row by row: the gaps, and where it is an input that may not change its elements. */
static dc_fault compare_rows(const dc_problem *p, int t, bool fixed, unsigned poison,
                             const char *now, dc_error *why)
{
  const dc_rows rows = dc_rows_of(&p->c, t, p->c.gap[t]);
  const dc_type type = dc_type_of(&p->c, t);
  const size_t size = dc_type_size(type);
  char between[sizeof(uint64_t)];
  gap_element(type, poison, between);
  for (int64_t r = 0; r < rows.rows; r++) {
    const char *row = now + (size_t)(r * rows.step) * size;
    const int64_t changed = fixed ? first_changed(p, t, r * rows.cols, rows.cols, row) : -1;
    if (changed >= 0) {
      dc_fail(why, DC_OK, "input %s was changed at element %lld", p->c.op->tensor[t].name,
              (long long)changed);
      return DC_INPUT_CHANGED;
    }
    for (int64_t k = rows.cols; k < rows.step && r + 1 < rows.rows; k++)
      if (memcmp(row + (size_t)k * size, between, size) != 0) {
        dc_fail(why, DC_OK,
                "written between the rows of %s: %lld past the last element of row %lld",
                p->c.op->tensor[t].name, (long long)(k - rows.cols), (long long)r);
        return DC_RED_ZONE;
      }
  }
  return DC_NO_FAULT;
}

/* The output whose place is input t's, in an in-place run or because the kernel says so, or -1. */
static int replacing(const dc_memory *m, const dc_op *op, const dc_way *way, int t)
{
  for (int o = 0; m->block.foreign && o < op->n_out; o++)
    if (m->block.foreign->place[o] == t)
      return o;
  for (int o = 0; way->in_place && o < op->n_out; o++)
    if (op->glue->replaces[o] == t + 1)
      return o;
  return -1;
}

/* Whether what input t holds may have changed. */
static int may_change(const dc_memory *m, const dc_op *op, const dc_way *way, int t)
{
  return replacing(m, op, way, t) >= 0 || (m->block.foreign && (m->block.foreign->inout >> t & 1));
}

/* Red zones and inputs against what they held, by what this process alone knows. */
static dc_fault compare(const dc_memory *m, const dc_problem *p, const dc_way *way,
                        const dc_layout *l, dc_error *why)
{
  const dc_op *op = p->c.op;
  size_t end = 0;
  for (int i = 0; i <= l->n; i++) {
    size_t to = i < l->n ? l->t[i].at : l->bytes;
    size_t at = end + first_written(m->after + end, to - end, way->poison);
    if (at < to) {
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
    const bool fixed = i < op->n_in && !may_change(m, op, way, i);
    const dc_fault f = i < l->n - 1
                           ? compare_rows(p, i, fixed, way->poison, m->after + l->t[i].at, why)
                           : DC_NO_FAULT;
    if (f != DC_NO_FAULT)
      return f;
  }
  return DC_NO_FAULT;
}

/* The row's own name, which stays where it is. */
static const char *name_of(dc_memory *m, const dc_op *op, const char *variant)
{
  for (int i = 0; i < m->b->n_kernels; i++)
    if (strcmp(m->b->kernels[i].op, op->name) == 0 &&
        strcmp(m->b->kernels[i].variant, variant) == 0)
      return m->b->kernels[i].variant;
  snprintf(m->ran, sizeof m->ran, "%s", variant);
  return m->ran;
}

/* What a worker did not live to say, or what it said. */
static dc_fault fault_of(dc_memory *m, const dc_order *o, dc_fault f, const dc_answer *a,
                         const char **ran, dc_error *why)
{
  static const char *const doing[DC_N_STEPS] = {[DC_STEP_UPLOAD] = "upload",
                                                [DC_STEP_LAUNCH] = "launch",
                                                [DC_STEP_RUN] = "run",
                                                [DC_STEP_DOWNLOAD] = "download"};
  const char *name = a->ran[0] ? a->ran : o->variant;
  *ran = f == DC_NO_FAULT && (a->step == DC_STEP_UNSUITED || a->step == DC_STEP_ALLOC ||
                              a->step == DC_STEP_UPLOAD)
             ? NULL
             : name_of(m, o->op, *name || f != DC_NO_FAULT ? name : "?");
  if (f != DC_NO_FAULT || a->step == DC_STEP_DONE || a->step == DC_STEP_UNSUITED)
    return f;
  if (m->block.foreign && strstr(a->error, DC_UNKNOWN)) { /* no fault of the kernel's */
    dc_fail(why, DC_INVALID, "%s: %s", *ran ? *ran : "kernel", strstr(a->error, DC_UNKNOWN));
    return DC_NO_WORKER;
  }
  if (a->step == DC_STEP_ALLOC)
    dc_fail(why, DC_NO_MEMORY, "no memory on %s for %zu bytes", m->b->name, o->l.bytes);
  if (a->step == DC_STEP_ALLOC && m->block.foreign && !m->worker)
    return DC_NO_ROOM;
  if (a->step != DC_STEP_ALLOC)
    dc_fail(why, DC_OK, "%s: %s", doing[a->step], a->error);
  return DC_LAUNCH;
}

/* An output, of the type that it has, from where it lies with that gap. */
static void load_tensor(const dc_problem *p, int t, int gap, const char *from, char *to)
{
  const dc_rows rows = dc_rows_of(&p->c, t, gap);
  const dc_type type = dc_type_of(&p->c, t);
  const size_t own = type == DC_TYPE_F64 ? sizeof(double) : sizeof(float);
  for (int64_t r = 0; r < rows.rows; r++)
    dc_type_load(type, from + (size_t)(r * rows.step) * dc_type_size(type), rows.cols,
                 to + (size_t)(r * rows.cols) * own);
}

dc_fault dc_execute(dc_memory *m, const dc_problem *p, const dc_way *way, float *const *out,
                    const char **ran, dc_error *why)
{
  const dc_op *op = p->c.op;
  dc_order order = {.op = op,
                    .accumulate = p->c.accumulate,
                    .stream = way->stream,
                    .watched = way->watched,
                    .misaligned = p->c.misaligned,
                    .schedule = way->schedule};
  const dc_layout *l = &order.l;
  dc_answer a = {.step = DC_STEP_ALLOC};
  dc_fault f = DC_NO_FAULT;
  memcpy(order.size, p->c.size, sizeof order.size);
  memcpy(order.attr, p->c.attr, sizeof order.attr);
  snprintf(order.variant, sizeof order.variant, "%s", way->variant ? way->variant : "");
  for (int t = 0; t < op->n_in + op->n_out; t++)
    order.place[t] = t;
  memcpy(order.gap, p->c.gap, sizeof order.gap);
  for (int t = 0; t < op->n_in; t++)
    if (replacing(m, op, way, t) >= 0) {
      const int its = op->n_in + replacing(m, op, way, t);
      order.place[its] = t;
      order.gap[its] = p->c.gap[t];
    }
  *ran = NULL;
  f = find_workspace(m, &p->c, &order, why);
  if (f == DC_NO_FAULT && reserve(m, l->bytes) == 0) {
    fill(m, p, l, way->poison);
    if (m->worker)
      f = dc_worker_run(m->worker, m->b, &order, dc_patience(&p->c), &a, why);
    else
      dc_block_run(&m->block, &order, m->before, m->after, &m->ex, &a);
  }
  f = fault_of(m, &order, f, &a, ran, why);
  if (f == DC_NO_FAULT && !*ran &&
      m->block.foreign) { /* who may run is no matter of the kernel's */
    dc_fail(why, DC_OK,
            "the kernel's process says that it is unsuited to a case which it must take");
    *ran = name_of(m, op, order.variant);
    f = DC_LAUNCH;
  }
  if (f != DC_NO_FAULT || !*ran)
    return f;
  for (int o = 0; o < op->n_out; o++) {
    const int t = op->n_in + o;
    load_tensor(p, t, order.gap[t], m->after + l->t[order.place[t]].at,
                dc_type_of(&p->c, t) == DC_TYPE_F64 ? (char *)way->wide[o] : (char *)out[o]);
  }
  return compare(m, p, way, l, why);
}

/* Nothing stands at these addresses: the simulator rests. */
int dc_suits(const dc_case *c, const char *variant)
{
  enum { BASE = 1 << 20 };
  const dc_layout l = lay_out(c, dc_workspace(&pm_sim, c, variant));
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
