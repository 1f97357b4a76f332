#include "huge.h"

#include <stdio.h>
#include <string.h>

#include "../engine/engine.h"
#include "cli.h"

#define GIB 0x1p30
#define MEANT ((size_t)4 << 30) /* the limit of a case where --max-bytes says nothing */

/* What the host has for a case: what is free, or what is left of this group's share. */
static double host_free(void)
{
  double free = 0, most = 0, used = 0;
  char line[128];
  FILE *f = fopen("/proc/meminfo", "r");
  while (f && fgets(line, sizeof line, f))
    if (sscanf(line, "MemAvailable: %lf kB", &free) == 1)
      free *= 1024;
  if (f)
    fclose(f);
  f = fopen("/sys/fs/cgroup/memory.max", "r");
  FILE *g = fopen("/sys/fs/cgroup/memory.current", "r");
  if (f && g && fscanf(f, "%lf", &most) == 1 && fscanf(g, "%lf", &used) == 1 && most - used < free)
    free = most - used;
  if (f)
    fclose(f);
  if (g)
    fclose(g);
  return free;
}

/* Of the case's bytes those that stand on the device; a back end adds its workspace. */
static double on_device(const pm_backend *b, const dc_case *c)
{
  const dc_op *op = c->op;
  double bytes = (double)dc_workspace(b, c, NULL) + (1 << 20);
  for (int t = 0; t < op->n_in + op->n_out; t++)
    bytes +=
        (op->tensor[t].dtype == DC_I64 ? 8.0 : 4.0) * (double)dc_count(op, t, c->size, c->attr);
  return bytes;
}

static int is_past(const dc_case *c)
{
  for (int t = 0; t < c->op->n_in + c->op->n_out; t++)
    if (dc_count(c->op, t, c->size, c->attr) > (int64_t)1 << 31)
      return 1;
  return 0;
}

/* Why the op's huge case cannot run, or NULL. */
static const char *refusal(session *s, const dc_op *op, double host, size_t *most, char text[200])
{
  const pm_backend *b = s->found.list[0];
  dc_options o = s->options;
  dc_error err = {""};
  dc_case c;
  size_t bytes;
  dc_fixed_init(&o.fixed);
  if (s->variant)
    snprintf(o.fixed.variant, sizeof o.fixed.variant, "%s", s->variant);
  sets_fix(&s->set, op, SETS_DRAW | SETS_VARIANT, &o.fixed, NULL, &err); /* taken before */
  dc_case_aim(&c, op, &o, o.first + o.cases - 1);
  if (!is_past(&c)) {
    snprintf(text, 200, "--set leaves no tensor of more than 2^31 elements");
    return text;
  }
  if (dc_case_bytes(&c, &bytes, &err)) {
    snprintf(text, 200, "%.190s", err.text);
    return text;
  }
  double device = on_device(b, &c), rest = (double)bytes - device;
  void *room = rest <= host ? b->alloc((size_t)device) : NULL;
  if (room)
    b->free(room);
  *most = bytes > *most ? bytes : *most;
  if (s->options.limit_bytes != MEANT && bytes > s->options.limit_bytes)
    snprintf(text, 200, "takes %.0f GiB, --max-bytes allows %.0f", (double)bytes / GIB,
             (double)s->options.limit_bytes / GIB);
  else if (rest > host)
    snprintf(text, 200, "takes %.0f GiB of the host, %.0f are free", rest / GIB, host / GIB);
  else if (!room)
    snprintf(text, 200, "takes %.0f GiB of the GPU, which has not as much", device / GIB);
  else
    return NULL;
  return text;
}

int huge_check(session *s)
{
  char text[200], list[1200] = "";
  double host = host_free();
  size_t most = s->options.limit_bytes;
  int bad = 0;
  if (s->n_input)
    return cli_error("--huge: --input gives the sizes: there is no case to draw");
  if (s->found.n != 1 || strcmp(s->found.list[0]->name, "sim") == 0)
    return cli_error("--huge: 2^31 elements would take the simulator hours: it takes a GPU, and "
                     "--backend cuda");
  for (int i = 0; i < s->n_ops; i++) {
    const char *why = refusal(s, s->op[i], host, &most, text);
    size_t n = strlen(list);
    if (why && n < sizeof list)
      snprintf(list + n, sizeof list - n, "%s%s %s", n ? "; " : "", s->op[i]->name, why);
    bad += why != NULL;
  }
  if (bad)
    return cli_error("--huge: %d of %d ops cannot have a case of more than 2^31 elements here: %s",
                     bad, s->n_ops, list);
  s->options.limit_bytes = most;
  return EXIT_PASS;
}
