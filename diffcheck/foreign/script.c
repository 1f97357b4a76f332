#include "script.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "../engine/engine.h"
#include "../engine/rows.h"
#include "../engine/types.h"
#include "module.h"
#include "script_texts.h"
#include "source.h"
#include "symbols.h"
#include "words.h"

typedef struct script {
  const description *d;
  const call *c;
  const dc_failure *x;
  const dc_op *op;
  dc_problem p;
  double *want[DC_OUTPUTS], *bound[DC_OUTPUTS];
  formula_scope scope;
  bool python;
  FILE *out;
} script;

const char *script_ending(const foreign *f)
{
  return foreign_description(f)->source[0] ? ".cu" : ".py";
}

/* ---- what both languages have ---- */

/* A line of a comment, whatever the text has in it. */
static void comment(const script *s, const char *text, const char *after)
{
  fputs(s->python ? "# " : "// ", s->out);
  for (; *text; text++)
    fputc((unsigned char)*text >= ' ' && (unsigned char)*text < 127 ? *text : '?', s->out);
  fprintf(s->out, "%s\n", after);
}

/* Inside of quotes. */
static void quoted(const script *s, const char *text)
{
  for (; *text; text++)
    if (*text == '"' || *text == '\\')
      fprintf(s->out, "\\%c", *text);
    else if ((unsigned char)*text >= ' ' && (unsigned char)*text < 127)
      fputc(*text, s->out);
    else
      fprintf(s->out, s->python ? "\\x%02x" : "\\%03o", (unsigned char)*text);
}

/* A number that reads back as it is, of that many digits. */
static void number(const script *s, double v, int digits)
{
  char text[40];
  snprintf(text, sizeof text, "%.*g", digits, v);
  if (isnan(v))
    fputs(s->python ? "nan" : "NAN", s->out);
  else if (isinf(v))
    fprintf(s->out, "%s%s", v < 0 ? "-" : "", s->python ? "inf" : "INFINITY");
  else /* -0 and 1 are numbers of another type in C */
    fprintf(s->out, "%s%s", text, strpbrk(text, ".e") ? "" : ".0");
}

/* How the two languages have each type. Bits: what has no literals there. */
static const struct {
  const char *python, *c;
  bool python_bits, c_bits;
} TYPES[DC_N_TYPES] = {[DC_TYPE_F32] = {"np.float32", "float", false, false},
                       [DC_TYPE_F64] = {"np.float64", "double", false, false},
                       [DC_TYPE_F16] = {"np.float16", "unsigned short", false, true},
                       [DC_TYPE_BF16] = {"np.uint16", "unsigned short", true, true},
                       [DC_TYPE_I64] = {"np.int64", "long long", false, false},
                       [DC_TYPE_I32] = {"np.int32", "int", false, false},
                       [DC_TYPE_U8] = {"np.uint8", "unsigned char", false, false},
                       [DC_TYPE_BOOL] = {"np.bool_", "unsigned char", false, false}};

static const char *type_name(const script *s, dc_type type)
{
  return s->python ? TYPES[type].python : TYPES[type].c;
}

/* One of a tensor's numbers, as the engine holds them. */
static void element(const script *s, dc_type type, const void *values, int64_t i)
{
  if (type == DC_TYPE_I64 || type == DC_TYPE_I32) {
    const int64_t v = ((const int64_t *)values)[i];
    if (v == INT64_MIN) /* C has no such literal */
      fputs("-9223372036854775807 - 1", s->out);
    else
      fprintf(s->out, "%" PRId64, v);
    return;
  }
  const double v = (double)((const float *)values)[i];
  if (s->python ? TYPES[type].python_bits : TYPES[type].c_bits)
    fprintf(s->out, "0x%04x", type == DC_TYPE_F16 ? dc_half_of(v) : dc_brain_of(v));
  else if (type == DC_TYPE_U8 || type == DC_TYPE_BOOL)
    fprintf(s->out, "%.0f", v);
  else
    number(s, v, type == DC_TYPE_F64 ? 17 : 9);
}

/* The numbers of a tensor, or, there being none of that type, doubles: lines of eight. */
static void list(const script *s, dc_type type, const void *values, int64_t n)
{
  for (int64_t i = 0; i < n; i++) {
    fputs(i % 8 ? " " : "\n    ", s->out);
    if (type == DC_AS_LISTED)
      number(s, ((const double *)values)[i], 17);
    else
      element(s, type, values, i);
    fputs(i + 1 < n ? "," : "", s->out);
  }
}

static const char *name_of(const script *s, int t) { return s->op->tensor[t].name; }

/* Whether output o is a place of its own. */
static bool own_place(const script *s, int t)
{
  return t < s->op->n_in || s->c->place[t - s->op->n_in] < 0;
}

static dc_type type_of(const script *s, int t) { return dc_type_of(&s->p.c, t); }

static const void *values_of(const script *s, int t)
{
  return s->op->tensor[t].dtype == DC_F32 ? (const void *)s->p.f[t] : (const void *)s->p.ix[t];
}

static bool zeroed(const script *s, int t) { return s->c->zeroed >> t & 1; }

static bool past(const script *s, int t) { return s->p.c.misaligned >> t & 1; }

/* How it lies; what is empty is dense. */
static dc_rows rows_of(const script *s, int t)
{
  return dc_rows_of(&s->p.c, t, s->p.count[t] ? s->p.c.gap[t] : 0);
}

static int64_t value_of(const script *s, const char *formula)
{
  int64_t v = 0;
  return formula_value(formula, &s->scope, &v, NULL) ? 0 : v;
}

/* An array of a tensor's numbers; of DC_AS_LISTED doubles, what is right of output o, or how near to it it must be. */
static void array(const script *s, const char *before, int t, dc_type type, const void *values,
                  int64_t n)
{
  const char *name = type_name(s, type == DC_AS_LISTED ? DC_TYPE_F64 : type);
  if (s->python) {
    fprintf(s->out, "%s_%s = np.array([", before, name_of(s, t));
    list(s, type, values, n);
    fprintf(s->out, "], %s)\n", name);
    return;
  }
  fprintf(s->out, "const %s %s_%s[] = {", name, before, name_of(s, t));
  list(s, type, values, n);
  fputs(n ? "};\n" : "0};\n", s->out);
}

static void head(const script *s, const char *replay)
{
  comment(s, s->op->name,
          ": one call of a kernel, and what is right. Found by diffcheck, which this");
  comment(s, "does not need. Exit status: 1 the fault is there, 0 it is not, 2 nothing was run.",
          "");
  comment(s, replay, "   (shows it again)");
}

/* ---- Python ---- */

static void python_tensor(const script *s, int t)
{
  const int64_t n = s->p.count[t];
  const char *type = type_name(s, type_of(s, t));
  fprintf(s->out, "the_%s = place(", name_of(s, t));
  if (values_of(s, t)) {
    fputs("[", s->out);
    list(s, type_of(s, t), values_of(s, t), n);
    fputs("]", s->out);
  } else
    fprintf(s->out, "%s(%" PRId64 ", %s)", zeroed(s, t) ? "np.zeros" : "poison", n, type);
  fprintf(s->out, ", %s, %d", type, past(s, t));
  if (rows_of(s, t).rows != 1)
    fprintf(s->out, ", %" PRId64 ", %d", rows_of(s, t).rows, s->p.c.gap[t]);
  fputs(")\n", s->out);
}

static void python_number(const script *s, const call_arg *a)
{
  static const char *const C[] = {"int32", "int64", "uint32", "uint64", "float", "double"};
  call_value v = {.p = NULL};
  call_number(a, &s->scope, s->p.c.attr, &v, NULL);
  fprintf(s->out, "ctypes.c_%s(", C[a->type]);
  switch (a->type) {
  case CALL_I32:
    fprintf(s->out, "%" PRId32, v.i32);
    break;
  case CALL_U32:
    fprintf(s->out, "%" PRIu32, v.u32);
    break;
  case CALL_U64:
    fprintf(s->out, "%" PRIu64, v.u64);
    break;
  case CALL_F32:
    number(s, (double)v.f32, 9);
    break;
  case CALL_F64:
    number(s, v.f64, 17);
    break;
  default:
    fprintf(s->out, "%" PRId64, v.i64);
  }
  fputs(")", s->out);
}

static void python_call(const script *s, const char *path, const char *symbol)
{
  fputs("library = ctypes.CDLL(sys.argv[1] if len(sys.argv) > 1 else os.fsdecode(b\"", s->out);
  quoted(s, path);
  fputs("\"))\nkernel = getattr(library, os.fsdecode(b\"", s->out);
  quoted(s, symbol);
  fputs("\"))\nkernel.restype = None\nkernel(", s->out);
  for (int i = 0; i < s->c->n; i++) {
    const call_arg *a = &s->c->arg[i];
    fputs(i ? ",\n       " : "", s->out);
    if (a->kind == CALL_TENSOR)
      fprintf(s->out, "ctypes.c_void_p(the_%s.ctypes.data)", name_of(s, a->tensor));
    else if (a->kind == CALL_WORK)
      fputs("ctypes.c_void_p(work.ctypes.data)", s->out);
    else if (a->kind == CALL_NUMBER)
      python_number(s, a);
    else
      fputs("ctypes.c_void_p(None)", s->out);
  }
  fputs(")\n", s->out);
}

/* The tensor that output o stands in. */
static int stands_in(const script *s, int o)
{
  return own_place(s, s->op->n_in + o) ? s->op->n_in + o : s->c->place[o];
}

static dc_status python(const script *s, const char *replay, dc_error *err)
{
  char symbol[SYMBOLS_NAME], path[PATH_MAX];
  const dc_op *op = s->op;
  if (!realpath(s->d->library, path))
    return dc_fail(err, DC_INVALID, "%.200s: no such file", s->d->library);
  dc_status status = symbols_find(path, s->c->symbol, symbol, err);
  if (status)
    return status;
  head(s, replay);
  fputs(PYTHON_BEGIN, s->out);
  for (int t = 0; t < op->n_in + op->n_out; t++)
    if (own_place(s, t))
      python_tensor(s, t);
  for (int o = 0; o < op->n_out; o++) {
    array(s, "want", op->n_in + o, DC_AS_LISTED, s->want[o], s->p.count[op->n_in + o]);
    array(s, "bound", op->n_in + o, DC_AS_LISTED, s->bound[o], s->p.count[op->n_in + o]);
  }
  if (s->c->work >= 0)
    fprintf(s->out, "work = %s(%" PRId64 ", np.float32)\n",
            zeroed(s, op->n_in + op->n_out) ? "np.zeros" : "poison",
            value_of(s, s->c->arg[s->c->work].formula) / 4 + 1);
  python_call(s, path, symbol);
  fputs("\nresults = (", s->out);
  bool wide = false;
  for (int o = 0; o < op->n_out; o++) {
    wide |= type_of(s, op->n_in + o) == DC_TYPE_F64;
    const char *name = name_of(s, op->n_in + o);
    fprintf(s->out, "%s(\"%s\", wide(the_%s, %s), want_%s, bound_%s),", o ? "\n           " : "",
            name, name_of(s, stands_in(s, o)),
            type_of(s, op->n_in + o) == DC_TYPE_BF16 ? "True" : "False", name, name);
  }
  fprintf(s->out, ")\ndigits = %d", wide ? 17 : 9);
  fputs("\nwrong = 0\nfor name, got, want, bound in results:\n", s->out);
  fputs(PYTHON_END, s->out);
  return DC_OK;
}

/* ---- CUDA ---- */

static void cuda_tensor(const script *s, int t)
{
  const int64_t n = s->p.count[t];
  const int size = (int)dc_type_size(type_of(s, t));
  fprintf(s->out, "  void *the_%s = shown::", name_of(s, t));
  if (values_of(s, t))
    fprintf(s->out, "place(shown::in_%s, %" PRId64 ", %d", name_of(s, t), n * size,
            past(s, t) * size);
  else
    fprintf(s->out, "poison(%" PRId64 ", %d, %s", n * size, past(s, t) * size,
            zeroed(s, t) ? "0" : "0x7fc17fc1u");
  fprintf(s->out, ", %" PRId64 ", %d);\n", rows_of(s, t).rows, s->p.c.gap[t] * size);
}

static void cuda_number(const script *s, const call_arg *a, int i)
{
  static const char *const C[] = {"int",   "long long", "unsigned", "unsigned long long",
                                  "float", "double"};
  call_value v = {.p = NULL};
  call_number(a, &s->scope, s->p.c.attr, &v, NULL);
  fprintf(s->out, "  %s a%d = ", C[a->type], i);
  switch (a->type) {
  case CALL_I32:
    fprintf(s->out, "%" PRId32, v.i32);
    break;
  case CALL_U32:
    fprintf(s->out, "%" PRIu32 "u", v.u32);
    break;
  case CALL_U64:
    fprintf(s->out, "%" PRIu64 "ull", v.u64);
    break;
  case CALL_F32:
    number(s, (double)v.f32, 9);
    break;
  case CALL_F64:
    number(s, v.f64, 17);
    break;
  default:
    fprintf(s->out, "%" PRId64 "ll", v.i64);
  }
  fputs(";\n", s->out);
}

static void cuda_launch(const script *s, const source_launch *l)
{
  for (int i = 0; i < s->c->n; i++)
    if (s->c->arg[i].kind == CALL_NUMBER)
      cuda_number(s, &s->c->arg[i], i);
  fputs("  void *none = nullptr;\n  (void)none;\n  void *arguments[] = {", s->out);
  for (int i = 0; i < s->c->n; i++) {
    const call_arg *a = &s->c->arg[i];
    fputs(i ? ", " : "", s->out);
    if (a->kind == CALL_TENSOR)
      fprintf(s->out, "&the_%s", name_of(s, a->tensor));
    else if (a->kind == CALL_NUMBER)
      fprintf(s->out, "&a%d", i);
    else
      fputs(a->kind == CALL_WORK ? "&work" : "&none", s->out);
  }
  fputs(s->c->n ? "};\n" : "nullptr};\n", s->out);
  if (l->shared > 48 * 1024)
    fprintf(s->out,
            "  shown::must(cudaFuncSetAttribute(&%s, cudaFuncAttributeMaxDynamicSharedMemorySize, "
            "%" PRIu64 "), 1);\n",
            s->c->symbol, l->shared);
  fprintf(s->out,
          "  shown::must(cudaLaunchKernel(&%s, dim3(%u, %u, %u), dim3(%u, %u, %u), arguments, "
          "%" PRIu64 ", 0), 1);\n  shown::must(cudaDeviceSynchronize(), 1);\n",
          s->c->symbol, l->grid[0], l->grid[1], l->grid[2], l->block[0], l->block[1], l->block[2],
          l->shared);
}

static dc_status cuda(const script *s, const source_shape *shape, const char *replay, dc_error *err)
{
  const dc_op *op = s->op;
  source_launch l = {.watched = 0};
  size_t n;
  dc_status status = source_shape_at(shape, &s->scope, &l, err);
  char *text;
  status = status ? status : words_file(s->d->source, "source", 1 << 24, &text, &n, err);
  if (status)
    return status;
  head(s, replay);
  comment(s, "nvcc -o shown THIS.cu && ./shown",
          "   (-I FOLDER where the source includes its own)");
  fputs("#include <cuda_runtime.h>\n#line 1 \"", s->out);
  quoted(s, s->d->source);
  fprintf(s->out, "\"\n%s\n%s", text, CUDA_BEGIN);
  free(text);
  for (int t = 0; t < op->n_in + op->n_out; t++)
    if (own_place(s, t) && values_of(s, t))
      array(s, "in", t, type_of(s, t), values_of(s, t), s->p.count[t]);
  for (int o = 0; o < op->n_out; o++) {
    array(s, "want", op->n_in + o, DC_AS_LISTED, s->want[o], s->p.count[op->n_in + o]);
    array(s, "bound", op->n_in + o, DC_AS_LISTED, s->bound[o], s->p.count[op->n_in + o]);
  }
  fputs(CUDA_MIDDLE, s->out);
  for (int t = 0; t < op->n_in + op->n_out; t++)
    if (own_place(s, t))
      cuda_tensor(s, t);
  if (s->c->work >= 0)
    fprintf(s->out, "  void *work = shown::poison(%" PRId64 ", 0, %s);\n",
            value_of(s, s->c->arg[s->c->work].formula),
            zeroed(s, op->n_in + op->n_out) ? "0" : "0x7fc17fc1u");
  cuda_launch(s, &l);
  fputs("  int wrong = 0;\n", s->out);
  for (int o = 0; o < op->n_out; o++) {
    const char *name = name_of(s, op->n_in + o);
    const int its = stands_in(s, o), size = (int)dc_type_size(type_of(s, its));
    fprintf(s->out,
            "  wrong += shown::judge<%s>(\"%s\", the_%s, shown::want_%s, shown::bound_%s, %" PRId64
            ", %s, %" PRId64 ", %d);\n",
            type_name(s, type_of(s, its)), name, name_of(s, its), name, name, s->p.count[its],
            type_of(s, its) == DC_TYPE_BF16 ? "true" : "false", rows_of(s, its).rows,
            s->p.c.gap[its] * size);
  }
  fputs("  return wrong ? 1 : 0;\n}\n", s->out);
  return DC_OK;
}

/* ---- what there is to show ---- */

/* By the rule of the program: whether the element that diffcheck found wrong is wrong there too. */
static bool shows(const script *s)
{
  const dc_worst *w = &s->x->worst;
  if (w->output < 0)
    return s->x->fault == DC_CRASH;
  const double want = s->want[w->output][w->index], e = s->bound[w->output][w->index];
  return !(w->got == want || (isnan(w->got) && isnan(want)) || isinf(e) ||
           (isfinite(want) && fabs(w->got - want) <= e));
}

static dc_status prepare(script *s, const pm_arith *declared, dc_error *err)
{
  int64_t n = 0;
  const dc_fault fault = s->x->fault;
  if (fault != DC_BOUND_EXCEEDED && fault != DC_BITS_DIFFER && fault != DC_KIND_DIFFERS &&
      fault != DC_CRASH)
    return dc_fail(err, DC_INVALID, "the fault is '%s', which one call does not show",
                   dc_fault_name(fault));
  if (s->python && strcmp(s->d->on, "cuda") == 0)
    return dc_fail(err, DC_INVALID,
                   "the kernel's pointers are a GPU's: a program in Python has the "
                   "host's alone");
  if (module_is(s->d->source))
    return dc_fail(err, DC_INVALID, "the kernel is compiled: a program in CUDA needs its source");
  if (s->x->c.accumulate)
    return dc_fail(err, DC_INVALID,
                   "the case adds to its outputs, of which a number and a bound do "
                   "not say all: one with accumulate=0 is needed");
  for (int t = 0; t < s->op->n_in + s->op->n_out; t++) {
    const int64_t m = dc_count(s->op, t, s->x->c.size, s->x->c.attr);
    n = m < 0 || n > SCRIPT_ELEMENTS ? SCRIPT_ELEMENTS + 1
                                     : n + (m < SCRIPT_ELEMENTS ? m : SCRIPT_ELEMENTS);
  }
  if (n > SCRIPT_ELEMENTS)
    return dc_fail(err, DC_INVALID, "the case has more than %d elements: let it be made small",
                   SCRIPT_ELEMENTS);
  dc_status status = dc_problem_make(&s->p, &s->x->c, err);
  if (status)
    return status;
  for (int o = 0; o < s->op->n_out && !status; o++) {
    const size_t count = (size_t)s->p.count[s->op->n_in + o] + 1;
    s->want[o] = calloc(count, sizeof(double));
    s->bound[o] = calloc(count, sizeof(double));
    if (!s->want[o] || !s->bound[o])
      status = dc_fail(err, DC_NO_MEMORY, "no memory for the program");
  }
  if (!status)
    status = dc_allow(&s->p, declared, s->want, s->bound, err);
  call_scope(s->op, &s->x->c, 0, &s->scope);
  if (!status && !shows(s))
    status = dc_fail(err, DC_INVALID, "what is wrong is not seen by numbers and a bound alone");
  return status;
}

dc_status script_write(const foreign *f, const dc_failure *x, const pm_arith *declared,
                       const char *replay, FILE *out, dc_error *err)
{
  script s = {.d = foreign_description(f), .c = foreign_call(f), .x = x, .op = x->c.op, .out = out};
  s.python = !s.d->source[0];
  dc_status status = prepare(&s, declared, err);
  if (!status)
    status = s.python ? python(&s, replay, err) : cuda(&s, foreign_shape(f), replay, err);
  for (int o = 0; o < DC_OUTPUTS; o++) {
    free(s.want[o]);
    free(s.bound[o]);
  }
  dc_problem_free(&s.p);
  return status;
}
