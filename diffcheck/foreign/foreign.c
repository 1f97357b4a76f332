#include "foreign.h"

#include <dlfcn.h>
#include <ffi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../engine/engine.h"
#include "../engine/host.h"
#include "module.h"
#include "source.h"
#include "symbols.h"
#include "words.h"

struct foreign {
  dc_foreign f;
  pm_backend b;
  pm_kernel row;
  description d;
  call c;
  source_shape shape;  /* of what has a source */
  char built[DC_TEXT]; /* its library; "": none yet */
  /* once it is armed and its back end initialised */
  const pm_backend *device; /* whose memory it is; NULL: the host's */
  void (*function)(void);
  void *module;       /* its kernel, where it is compiled for a GPU */
  pm_backend watched; /* the simulator's, that sees races */
  ffi_cif cif;
  ffi_type *types[CALL_ARGS];
};

static foreign *armed; /* a back end's functions are told of no kernel */
static dc_error trouble;

const dc_foreign *foreign_kernel(const foreign *f) { return &f->f; }
const description *foreign_description(const foreign *f) { return &f->d; }
const call *foreign_call(const foreign *f) { return &f->c; }
const source_shape *foreign_shape(const foreign *f) { return &f->shape; }
void foreign_free(foreign *f) { free(f); }

/* ---- what the description alone says of a case ---- */

static int suits(const dc_foreign *f, const dc_case *c)
{
  const foreign *x = f->self;
  formula_scope s;
  call_value v;
  int64_t value = 1;
  if (f->accumulate >= 0 && c->accumulate != f->accumulate)
    return 0;
  call_scope(f->op, c, 1, &s);
  if (x->d.where[0] && (formula_value(x->d.where, &s, &value, NULL) || value == 0))
    return 0;
  s.n--; /* aligned */
  source_launch shape;
  const int index = dc_index_tensor(f->op); /* of 32 bits none is out of range else */
  if (index >= 0 && f->type[index] == DC_TYPE_I32 && c->size[f->op->glue->index_dim] > INT32_MAX)
    return 0;
  if (x->d.source[0] && source_shape_at(&x->shape, &s, &shape, NULL))
    return 0;
  for (int i = 0; i < x->c.n; i++) {
    const call_arg *a = &x->c.arg[i];
    if (a->kind == CALL_NUMBER && call_number(a, &s, c->attr, &v, NULL))
      return 0;
    if (a->kind == CALL_WORK && (formula_value(a->formula, &s, &value, NULL) || value < 0))
      return 0;
  }
  return 1;
}

static size_t workspace(const dc_foreign *f, const dc_case *c)
{
  const foreign *x = f->self;
  formula_scope s;
  int64_t bytes = 0;
  call_scope(f->op, c, 0, &s);
  if (x->c.work < 0 || formula_value(x->c.arg[x->c.work].formula, &s, &bytes, NULL) || bytes < 0)
    return 0;
  return (size_t)bytes;
}

/* ---- the call ---- */

static pm_status run(const foreign *x, const pm_backend *b, const formula_scope *s, void *stream,
                     void **at)
{
  source_launch l = {.watched = b != x->f.b, .stream = stream, .args = at};
  if (!x->d.source[0]) {
    ffi_call((ffi_cif *)&x->cif, x->function, NULL, at);
    return PM_OK;
  }
  if (source_shape_at(&x->shape, s, &l, &trouble))
    return PM_BAD_ARGUMENT;
  if (module_is(x->d.source))
    return module_launch(x->module, &l, &trouble) ? PM_BAD_ARGUMENT : PM_OK;
  const char *words = ((const char *(*)(const source_launch *))x->function)(&l);
  if (words)
    dc_fail(&trouble, DC_INVALID, "%.300s", words);
  return words ? PM_BAD_ARGUMENT : PM_OK;
}

static pm_status launch(const dc_foreign *f, const pm_backend *b, pm_exec *ex, const dc_args *args)
{
  const foreign *x = f->self;
  dc_case c = {.op = f->op, .accumulate = args->accumulate};
  formula_scope s;
  call_value value[CALL_ARGS];
  void *at[CALL_ARGS];
  memcpy(c.size, args->size, sizeof c.size);
  memcpy(c.attr, args->attr, sizeof c.attr);
  memcpy(c.gap, args->gap, sizeof c.gap);
  call_scope(f->op, &c, 0, &s);
  ex->ran = x->row.variant;
  trouble.text[0] = 0;
  for (int i = 0; i < x->c.n; i++) {
    const call_arg *a = &x->c.arg[i];
    at[i] = &value[i];
    value[i] = (call_value){.p = NULL};
    if (a->kind == CALL_TENSOR)
      value[i].p = args->t[a->tensor];
    else if (a->kind == CALL_WORK)
      value[i].p = ex->work;
    else if (a->kind == CALL_STREAM)
      value[i].p = ex->stream;
    else if (a->kind == CALL_NUMBER && call_number(a, &s, args->attr, &value[i], &trouble))
      return PM_BAD_ARGUMENT;
  }
  return run(x, b, &s, ex->stream, at);
}

/* ---- loading ---- */

static ffi_type *type_of(const call_arg *a)
{
  static ffi_type *const BY_TYPE[CALL_TYPES] = {&ffi_type_sint32, &ffi_type_sint64,
                                                &ffi_type_uint32, &ffi_type_uint64,
                                                &ffi_type_float,  &ffi_type_double};
  return a->kind == CALL_NUMBER ? BY_TYPE[a->type] : &ffi_type_pointer;
}

static dc_status load(foreign *x, dc_error *err)
{
  const bool plain = x->d.source[0] != 0;
  if (module_is(x->d.source))
    return module_load(x->d.source, &x->c, &x->module, err);
  const char *name = plain ? x->built : x->d.library;
  char symbol[SYMBOLS_NAME] = "pm_plain_launch", *path = realpath(name, NULL);
  dc_status s = DC_OK;
  if (!path)
    s = dc_fail(err, DC_INVALID, "%.200s: no such file", name);
  else if (!plain)
    s = symbols_find(path, x->c.symbol, symbol, err);
  if (s) {
    free(path);
    return s;
  }
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  free(path);
  *(void **)&x->function = library ? dlsym(library, symbol) : NULL;
  if (!x->function) {
    const char *words = dlerror(), *missing = words ? strstr(words, "undefined symbol: ") : NULL;
    if (plain && missing && !x->device)
      return dc_fail(
          err, DC_INVALID,
          "%.100s: %.80s: the simulator has no such function; and dynamic shared memory must "
          "be declared in that file itself",
          x->d.source, missing);
    return dc_fail(err, DC_INVALID, "%.200s: cannot be loaded: %.110s", name, words ? words : "?");
  }
  if (plain) {
    const char *(*types)(void);
    *(void **)&types = dlsym(library, "pm_plain_types");
    return types ? source_fits(&x->c, types(), err)
                 : dc_fail(err, DC_INVALID, "%.200s: has no pm_plain_types", name);
  }
  for (int i = 0; i < x->c.n; i++)
    x->types[i] = type_of(&x->c.arg[i]);
  if (ffi_prep_cif(&x->cif, FFI_DEFAULT_ABI, (unsigned)x->c.n, &ffi_type_void, x->types) == FFI_OK)
    return DC_OK;
  return dc_fail(err, DC_INVALID, "libffi cannot make this call");
}

static pm_status init(void)
{
  pm_status s = armed->device ? armed->device->init() : PM_OK;
  if (s != PM_OK) {
    dc_fail(&trouble, DC_NO_DEVICE, "%.300s", armed->device->error());
    return s;
  }
  return load(armed, &trouble) ? PM_BAD_ARGUMENT : PM_OK;
}

static const char *error(void)
{
  if (!trouble.text[0] && armed->device)
    return armed->device->error();
  if (!trouble.text[0] && armed->d.source[0])
    return pm_sim.error();
  return trouble.text;
}

static const char *device(void)
{
  static char text[DC_TEXT];
  snprintf(text, sizeof text, "%.150s of %.100s%s%.60s", armed->c.symbol,
           armed->d.source[0] ? armed->d.source : armed->d.library, armed->device ? ", on " : "",
           armed->device ? armed->device->device() : "");
  return text;
}

dc_status foreign_load(foreign *f, const pm_backend *on, dc_error *err)
{
  f->device = on;
  return load(f, err);
}

const char *foreign_trouble(void) { return trouble.text; }

void foreign_arm(foreign *f, const pm_backend *on)
{
  const char *name = f->b.name;
  armed = f;
  f->device = on;
  f->b = on ? *on : f->d.source[0] ? pm_sim : host_memory;
  f->b.name = name;
  f->b.kernels = &f->row;
  f->b.n_kernels = 1;
  f->b.init = init;
  f->b.error = error;
  f->b.device = device;
  f->b.watched = NULL;
  if (f->d.source[0] && !on) {
    f->watched = f->b;
    f->b.watched = &f->watched;
  }
}

/* ---- from the description ---- */

static void declare(const int64_t *size, pm_arith *out)
{
  (void)size, (void)out; /* --arith, or its profile, says what there is to say */
}

static bool on_gpu(const foreign *x) { return strcmp(x->d.on, "cuda") == 0; }

static dc_status make(foreign *x, dc_error *err)
{
  formula_scope s;
  dc_error why = {""};
  const dc_op *op = dc_op_find(x->d.op);
  char launch_call[CALL_TEXT];
  dc_status status = DC_OK;
  if (x->d.source[0])
    status = source_shape_read("launch", x->d.launch, op, &x->shape, launch_call, err);
  if (!status)
    status = x->d.source[0] ? call_read("launch", launch_call, op, &x->c, err)
                            : call_read("call", x->d.call, op, &x->c, err);
  if (status)
    return status;
  call_scope(op, NULL, 1, &s);
  if (x->d.where[0] && formula_check(x->d.where, &s, &why))
    return dc_fail(err, DC_INVALID, "where: %.300s", why.text);
  x->row = (pm_kernel){.op = op->name,
                       .variant = x->d.kernel,
                       .when = x->d.where[0] ? x->d.where : "any",
                       .level = PM_CHECKED,
                       .declare = declare};
  x->b = (pm_backend){.name = x->d.source[0] && !on_gpu(x) ? "sim"
                              : x->d.on[0]                 ? x->d.on
                                                           : "cpu",
                      .kernels = &x->row,
                      .n_kernels = 1};
  x->f = (dc_foreign){.op = op,
                      .b = &x->b,
                      .inout = x->c.inout,
                      .zeroed = x->c.zeroed,
                      .strided = x->c.strided,
                      .accumulate = x->c.accumulate,
                      .unordered = strcmp(x->d.unordered, "yes") == 0,
                      .self = x,
                      .suits = suits,
                      .workspace = workspace,
                      .launch = launch};
  memcpy(x->f.place, x->c.place, sizeof x->f.place);
  memcpy(x->f.type, x->c.type, sizeof x->f.type);
  return DC_OK;
}

dc_status foreign_new(const description *d, foreign **out, dc_error *err)
{
  foreign *x = calloc(1, sizeof *x);
  *out = NULL;
  if (!x)
    return dc_fail(err, DC_NO_MEMORY, "%s: no memory for it", d->kernel);
  x->d = *d;
  dc_status s = description_check("kernel", &x->d, err);
  s = s ? s : make(x, err);
  if (s)
    free(x);
  else
    *out = x;
  return s;
}

const char *foreign_built(const foreign *f) { return f->built; }

void foreign_use(foreign *f, const char *built)
{
  snprintf(f->built, sizeof f->built, "%s", built);
}

dc_status foreign_build(foreign *f, const char *headers, dc_error *err)
{
  if (!f->d.source[0] || module_is(f->d.source))
    return DC_OK;
  return source_build(f->d.source, f->c.symbol, headers, on_gpu(f), f->built, err);
}

dc_status foreign_look(const foreign *f, dc_error *err)
{
  size_t n;
  if (module_is(f->d.source)) { /* what is in it is for the driver to say */
    char *bytes;
    dc_status s = words_file(f->d.source, "compiled for a GPU", 256 << 20, &bytes, &n, err);
    free(bytes);
    return s;
  }
  if (f->d.source[0])
    return DC_OK;
  char symbol[SYMBOLS_NAME];
  return symbols_find(f->d.library, f->c.symbol, symbol, err);
}
