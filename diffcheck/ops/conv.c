/* conv, conv_transpose and their VJPs. */
#include "../../ref/conv.h"
#include "glue.h"

/* in and out: channels of a group, of what the op reads and writes. */
enum { BATCH, GROUPS, CHANNELS_IN, CHANNELS_OUT, SIZE };
#include "windows.h"

enum { OUTPUT_PAD = DILATION + RANK }; /* attributes of a transposed one */

/* The sides of a transposed one are those of its adjoint: it reads outputs and writes cells, whose
 * sizes are -1 where there can be none. */
static conv_shape shape_of(const int64_t *size, const double *attr, int transposed)
{
  conv_shape c = {.w = window_of(size, attr), .batch = size[BATCH], .groups = size[GROUPS]};
  window *w = &c.w;
  for (int e = 0; e < RANK && transposed; e++) {
    w->out[e] = size[SIZE + e];
    w->size[e] = window_spread(w->out[e], w->kernel[e], w->stride[e], w->pad[e], w->dilation[e],
                               (idx)attr[OUTPUT_PAD + e]);
  }
  if (transposed) {
    w->cells = product(w->size, RANK);
    w->outs = product(w->out, RANK);
  }
  c.in = size[transposed ? CHANNELS_OUT : CHANNELS_IN];
  c.out = size[transposed ? CHANNELS_IN : CHANNELS_OUT];
  return c;
}

static int is_transposed(const dc_op *op) { return strncmp(op->name, "conv_t", 6) == 0; }

/* Counts of what is written and read must be sizes, those of parts too where another is 0. */
static const char *refuse_channels(const int64_t *size, window w)
{
  if (size[GROUPS] < 1)
    return dc_why("groups is %lld, must be at least 1", (long long)size[GROUPS]);
  const int64_t b = size[BATCH], g = size[GROUPS], i = size[CHANNELS_IN], o = size[CHANNELS_OUT];
  const int64_t counts[][4] = {{b, g, i, w.cells}, {b, g, i, w.outs}, {b, g, o, w.cells},
                               {b, g, o, w.outs},  {g, i, o, w.taps}, {g, o, i, w.taps}};
  for (int t = 0; t < 6; t++)
    for (int from = 0; from < 4; from++)
      for (int n = 1; from + n <= 4; n++)
        if (product(counts[t] + from, n) < 0)
          return dc_why("the elements of a tensor, or of a part of one, are 2^60 or more");
  if (product((int64_t[]){i, w.taps}, 2) < 0 || product((int64_t[]){b, w.outs}, 2) < 0 ||
      product((int64_t[]){b, w.cells}, 2) < 0)
    return dc_why("a sum has 2^60 terms or more");
  return NULL;
}

static const char *conv_refused(const int64_t *size, const double *attr)
{
  const char *why = refuse_window(size, attr);
  return why ? why : refuse_channels(size, window_of(size, attr));
}

static const char *conv_transpose_refused(const int64_t *size, const double *attr)
{
  const char *why = refuse_window(size, attr);
  if (why)
    return why;
  conv_shape c = shape_of(size, attr, 1);
  for (int e = 0; e < RANK; e++) {
    double o = attr[OUTPUT_PAD + e], s = attr[STRIDE + e], d = attr[DILATION + e];
    if (e >= (int)attr[AXES] && o != 0)
      return dc_why("o%d is %g, must be 0: rank is %d", e, o, (int)attr[AXES]);
    if (o >= fmax(s, d))
      return dc_why("o%d is %g, must be below s%d = %g or d%d = %g", e, o, e, s, e, d);
    if (c.w.size[e] < 0)
      return dc_why("the output has no element along axis %d, or 2^60 or more: n%d = %lld, k%d = "
                    "%lld, s%d = %g, p%d = %g, d%d = %g, o%d = %g",
                    e, e, (long long)c.w.out[e], e, (long long)c.w.kernel[e], e, s, e,
                    attr[PAD + e], e, d, e, o);
  }
  if (c.w.cells < 0)
    return dc_why("the elements of a line of the output are 2^60 or more");
  return refuse_channels(size, c.w);
}

/* first, second and a[0], .., a[rank-1]: of more axes than a tensor has the first of them stand in one */
static int conv_axes(int64_t first, int64_t second, int rank, const int64_t *a, int64_t *shape)
{
  int64_t all[2 + RANK] = {first, second};
  int joined = rank + 2 > RANK ? rank + 2 - RANK : 0;
  memcpy(all + 2, a, (size_t)rank * sizeof *a);
  shape[0] = product(all, 1 + joined);
  memcpy(shape + 1, all + 1 + joined, (size_t)(1 + rank - joined) * sizeof *shape);
  return 2 + rank - joined;
}

static int conv_tensor(char of, int transposed, const int64_t *size, const double *attr,
                       int64_t *shape)
{
  conv_shape c = shape_of(size, attr, transposed);
  int rank = (int)c.w.rank, cells = (of == 'x') != transposed;
  if (of == 'b') {
    shape[0] = size[GROUPS] * size[CHANNELS_OUT];
    return 1;
  }
  if (of == 'w')
    return conv_axes(c.groups * c.out, c.in, rank, c.w.kernel, shape);
  return conv_axes(c.batch, c.groups * (cells ? c.in : c.out), rank, cells ? c.w.size : c.w.out,
                   shape);
}

/* Of x, w, b, y, g and their gradients: the last letter says which. */
static int conv_shapes(const dc_op *op, int tensor, const int64_t *size, const double *attr,
                       int64_t *shape)
{
  const char *name = op->tensor[tensor].name;
  return conv_tensor(name[strlen(name) - 1], is_transposed(op), size, attr, shape);
}

/* The product of n sizes, a 0 as 1: what is beside it is as large. */
static int64_t work_of(const int64_t *size, int n)
{
  int64_t all = 1;
  for (int i = 0; i < n; i++)
    all *= size[i] ? size[i] : 1;
  return all;
}

/* As a product of matrices has use of, about the edges of tiles; axes are short beside them. */
static void draw_many_channels(dc_rng *r, int rank, int64_t *size)
{
  static const int64_t many[] = {15, 16, 16, 17, 17, 24, 33, 63, 64, 65};
  int64_t cells = 1, most = dc_rng_below(r, 2) ? 40 : 140;
  size[CHANNELS_IN] = many[dc_rng_below(r, 6)];
  size[CHANNELS_OUT] = many[dc_rng_below(r, 10)];
  size[BATCH] = 1 + dc_rng_below(r, 2);
  size[GROUPS] = 1 + dc_rng_below(r, 2);
  for (int e = 0; e < rank; e++) {
    int64_t *n = &size[SIZE + e];
    if (*n * cells > most)
      *n = most / cells > 1 ? most / cells : 1;
    cells *= *n ? *n : 1;
  }
}

/* One of the four leading sizes is drawn with those of the axes, the others are small beside it. */
static void draw_conv(dc_rng *r, dc_extent want, int64_t *size, double *attr)
{
  enum { USUAL = 1 << 17 };
  int rank = draw_axes_number(r), lead = (int)dc_rng_below(r, 4);
  if (want.kind == DC_PAST) /* what both x and y have */
    lead = lead % 2 ? GROUPS : BATCH;
  int64_t own[1 + RANK], work, taps;
  dc_draw_sizes(r, want, 1 + rank, own);
  for (int e = 0; e < rank; e++)
    size[SIZE + e] = own[1 + e];
  const int64_t others = want.kind == DC_USUAL && work_of(own, 1 + rank) < 1 << 20 ? 3 : 1;
  for (int i = BATCH; i <= CHANNELS_OUT; i++)
    size[i] = i == lead ? own[0] : 1 + dc_rng_below(r, others);
  if (size[GROUPS] == 0)
    size[GROUPS] = 1;
  if (want.kind == DC_USUAL && dc_rng_below(r, 6) == 0)
    draw_many_channels(r, rank, size);
  work = work_of(size, SIZE + rank);
  taps = work < USUAL / 2 ? USUAL / work : work < 4 * USUAL ? 4 : 2;
  draw_axes(r, want, rank,
            want.kind == DC_USUAL && taps > 64 ? 64
            : taps < 16                        ? taps
                                               : 16,
            size, attr);
  for (int e = 0; e < rank && want.kind == DC_USUAL; e++) /* padding knows no limit */
    if (dc_rng_below(r, 12) == 0)
      attr[PAD + e] += (double)dc_rng_below(r, 4);
}

/* Of what x and y were drawn for a convolution, the transposed one that reads y: what its windows do not
 * reach of x is output padding, now and then a stride more where it may be. */
static void draw_conv_transpose(dc_rng *r, dc_extent want, int64_t *size, double *attr)
{
  draw_conv(r, want, size, attr);
  window w = window_of(size, attr);
  for (int e = 0; e < RANK; e++) {
    int64_t m = w.out[e], s = w.stride[e], o = 0;
    if (m > 0)
      o = w.size[e] - window_spread(m, w.kernel[e], s, w.pad[e], w.dilation[e], 0);
    if (m > 0 && o < s && o + s < w.dilation[e] && dc_rng_below(r, 2))
      o += s;
    size[SIZE + e] = m;
    attr[OUTPUT_PAD + e] =
        e < (int)attr[AXES] && o < fmax((double)s, (double)w.dilation[e]) ? (double)o : 0;
  }
}

/* Channels of a group, of what is read or written: all of them are so many. */
static const char *of_a_group(const char *name, int64_t all, int64_t groups, int64_t *each)
{
  if (groups < 1 || all % groups != 0)
    return dc_why("%s is %lld, must be a multiple of the groups, %lld", name, (long long)all,
                  (long long)groups);
  *each = all / groups;
  return NULL;
}

/* Of files: the sizes that x and w say; of more axes than a tensor has all must be said. */
static const char *conv_sizes(const dc_view *v, int transposed, int64_t *size, double *attr)
{
  const int joined = attr[AXES] > RANK - 2;
  int rank = joined ? (int)attr[AXES] : v->rank[0] - 2;
  if (rank < 1)
    return dc_why("x has rank %d: must be at least 3, batch, channels and the axes of the windows",
                  v->rank[0]);
  if (v->rank[1] != v->rank[0])
    return dc_why("w has rank %d: must be that of x, %d", v->rank[1], v->rank[0]);
  for (int i = 0; i < SIZE + 2 * RANK && joined; i++)
    if ((i < SIZE || (i - SIZE) % RANK < rank) && size[i] < 0)
      return dc_why("of %d axes the first stand in one: give batch, groups, in, out, n0 .. and "
                    "k0 .. by --set",
                    rank);
  const int64_t channels = v->shape[0][1], kernels = v->shape[1][0], each = v->shape[1][1];
  const char *why = NULL;
  if (!joined) {
    size[BATCH] = v->shape[0][0];
    if (size[GROUPS] < 0)
      size[GROUPS] = transposed || each < 1 ? 1 : channels / each;
    why = of_a_group("the channels of x", channels, size[GROUPS], &size[CHANNELS_IN]);
    if (!why && transposed)
      size[CHANNELS_OUT] = each;
    else if (!why)
      why = of_a_group("w's first size", kernels, size[GROUPS], &size[CHANNELS_OUT]);
  }
  if (why)
    return why;
  attr[AXES] = rank;
  for (int e = 0; e < RANK; e++) {
    static const double usual[] = {1, 0, 1, 0};
    if (e >= rank)
      size[SIZE + e] = size[KERNEL + e] = 1;
    else if (!joined)
      size[SIZE + e] = v->shape[0][2 + e], size[KERNEL + e] = v->shape[1][2 + e];
    for (int i = 0; i < (transposed ? 4 : 3); i++)
      if (isnan(attr[STRIDE + i * RANK + e]))
        attr[STRIDE + i * RANK + e] = usual[i];
  }
  return NULL;
}

/* That tensor `t` has the shape that the sizes say. */
static const char *agrees(const dc_view *v, int t, const char *name, char of, int transposed,
                          const int64_t *size, const double *attr)
{
  int64_t shape[RANK];
  int rank = conv_tensor(of, transposed, size, attr, shape);
  if (rank != v->rank[t])
    return dc_why("%s has rank %d, must be %d", name, v->rank[t], rank);
  for (int i = 0; i < rank; i++)
    if (shape[i] != v->shape[t][i])
      return dc_why("%s has %lld along axis %d, must be %lld", name, (long long)v->shape[t][i], i,
                    (long long)shape[i]);
  return NULL;
}

static const char *conv_viewed(dc_view *v, int transposed, int back, int64_t *size, double *attr)
{
  const char *why = conv_sizes(v, transposed, size, attr);
  if (why)
    return why;
  if (back && v->rank[2] != v->rank[0])
    return dc_why("g has rank %d: must be that of x, %d", v->rank[2], v->rank[0]);
  why = (transposed ? conv_transpose_refused : conv_refused)(size, attr);
  if (!why)
    why = agrees(v, 0, "x", 'x', transposed, size, attr);
  if (!why)
    why = agrees(v, 1, "w", 'w', transposed, size, attr);
  if (!why)
    why = agrees(v, 2, back ? "g" : "b", back ? 'g' : 'b', transposed, size, attr);
  for (int i = 0; !why && i < (back ? 3 : 1); i++)
    v->rank[3 + i] = conv_tensor((back ? "xwb" : "y")[i], transposed, size, attr, v->shape[3 + i]);
  return why;
}

#define LISTS                           \
  WINDOW_LISTS(stride, c->attr, STRIDE) \
  WINDOW_LISTS(pad, c->attr, PAD)       \
  WINDOW_LISTS(dilation, c->attr, DILATION)
#define CONV_ARGS                                                                           \
  N(BATCH), N(GROUPS), N(CHANNELS_IN), N(CHANNELS_OUT), (int)INTEGER(AXES), c->size + SIZE, \
      c->size + KERNEL, stride, pad, dilation
#define conv_LISTS LISTS
#define conv_ARGS CONV_ARGS
#define conv_transpose_LISTS LISTS WINDOW_LISTS(output_pad, c->attr, OUTPUT_PAD)
#define conv_transpose_ARGS CONV_ARGS, output_pad
#define CONV_GLUE(op)                                                             \
  .uses = DC_FACTORS, .linear = 2, NO_SUM, op##_ATTRIBUTES, .shape = conv_shapes, \
  .draw = draw_##op, .check = op##_refused
#define conv_ATTRIBUTES WINDOW_ATTRIBUTES
#define conv_transpose_ATTRIBUTES \
  .simpler = simpler_transpose,   \
  WINDOW_ATTRIBUTES_AND(EIGHT(DC_ATTR_INTEGER), EIGHT(0), EIGHT(0), EIGHT(DC_WHOLE - 1))
#define LAYOUT_X "(batch, groups in, n0, ..), of more than 8 axes the first in one"
#define conv_LAYOUT_Y "(batch, groups out, windows along each axis ..), likewise"
#define conv_LAYOUT_W "(groups out, in, k0, ..), likewise"
#define conv_transpose_LAYOUT_Y \
  "(batch, groups out, (n0-1) s0 - 2 p0 + d0 (k0-1) + 1 + o0, ..), likewise"
#define conv_transpose_LAYOUT_W "(groups in, out, k0, ..), likewise"
#define LAYOUT_B "(groups out)"

static int simpler_transpose(int k, int64_t *size, double *attr)
{
  return without_axis(k, 4, size, attr);
}

/* An op and its VJP. transposed: 0 or 1. */
#define CONV_OPS(op, transposed)                                                                \
  REFERENCE(op) { ref_##op(shape_of(c->size, c->attr, transposed), X(0), X(1), X(2), y[0]); }   \
  BOUND(op) { bound_##op(shape_of(c->size, c->attr, transposed), X(0), X(1), X(2), A, e[0]); }  \
  LAUNCH(op) { op##_LISTS return b->op(ex, op##_ARGS, IN(0), IN(1), IN(2), OUT(3)); }           \
  /* b is a term as well */                                                                     \
  TERMS(op) { return size[CHANNELS_IN] * product(size + KERNEL, RANK) + 1; }                    \
  static const char *op##_view(dc_view *v, int64_t *size, double *attr)                         \
  {                                                                                             \
    return conv_viewed(v, transposed, 0, size, attr);                                           \
  }                                                                                             \
  REFERENCE(op##_vjp)                                                                           \
  {                                                                                             \
    ref_##op##_vjp(shape_of(c->size, c->attr, transposed), X(0), X(1), X(2), y[0], y[1], y[2]); \
  }                                                                                             \
  BOUND(op##_vjp)                                                                               \
  {                                                                                             \
    bound_##op##_vjp(shape_of(c->size, c->attr, transposed), X(0), X(1), X(2), A, e[0], e[1],   \
                     e[2]);                                                                     \
  }                                                                                             \
  LAUNCH(op##_vjp)                                                                              \
  {                                                                                             \
    op##_LISTS return b->op##_vjp(ex, c->accumulate, op##_ARGS, IN(0), IN(1), IN(2), OUT(3),    \
                                  OUT(4), OUT(5));                                              \
  }                                                                                             \
  TERMS(op##_vjp)                                                                               \
  {                                                                                             \
    window w = shape_of(size, attr, transposed).w;                                              \
    return output == 0   ? size[CHANNELS_OUT] * w.taps                                          \
           : output == 1 ? size[BATCH] * w.outs                                                 \
                         : size[BATCH] * (transposed ? w.cells : w.outs);                       \
  }                                                                                             \
  static const char *op##_vjp_view(dc_view *v, int64_t *size, double *attr)                     \
  {                                                                                             \
    return conv_viewed(v, transposed, 1, size, attr);                                           \
  }
CONV_OPS(conv, 0)
CONV_OPS(conv_transpose, 1)

#define GLUE(op) BOUNDED(op), CONV_GLUE(op), .added = 1 + 2, .terms = op##_terms, .view = op##_view
#define GLUE_BACK(op) \
  BOUNDED(op##_vjp), CONV_GLUE(op), .terms = op##_vjp_terms, .view = op##_vjp_view
#define LAYOUTS(op)                                  \
  {                                                  \
    LAYOUT_X, op##_LAYOUT_W, LAYOUT_B, op##_LAYOUT_Y \
  }
#define LAYOUTS_BACK(op)                                                      \
  {                                                                           \
    LAYOUT_X, op##_LAYOUT_W, op##_LAYOUT_Y, LAYOUT_X, op##_LAYOUT_W, LAYOUT_B \
  }
const dc_glue dc_glue_conv = {GLUE(conv), .layout = LAYOUTS(conv)};
const dc_glue dc_glue_conv_vjp = {GLUE_BACK(conv), .layout = LAYOUTS_BACK(conv)};
const dc_glue dc_glue_conv_transpose = {GLUE(conv_transpose), .layout = LAYOUTS(conv_transpose)};
const dc_glue dc_glue_conv_transpose_vjp = {GLUE_BACK(conv_transpose),
                                            .layout = LAYOUTS_BACK(conv_transpose)};
