/* ffn and its VJP. */
#include "../../ref/ffn.h"
#include "glue.h"

REFERENCE(ffn) { ref_ffn(N(0), N(1), N(2), N(3), X(0), X(1), X(2), y[0], y[1], y[2]); }
BOUND(ffn) { bound_ffn(N(0), N(1), N(2), N(3), X(0), X(1), X(2), A, e[0], e[1], e[2]); }
LAUNCH(ffn)
{
  return b->ffn(ex, N(0), N(1), N(2), N(3), IN(0), IN(1), IN(2), OUT(3), OUT(4), OUT(5));
}
TERMS(ffn) { return output == 0 ? size[2] : size[1]; }
const dc_glue dc_glue_ffn = {LOOSE(ffn), .uses = DC_FACTORS, .terms = ffn_terms,
                             .reduced = {{1, 1}, {0, 1}, {0, -1}}};

REFERENCE(ffn_vjp)
{
  ref_ffn_vjp(N(0), N(1), N(2), N(3), X(0), X(1), X(2), X(3), X(4), X(5), y[0], y[1], y[2]);
}
BOUND(ffn_vjp)
{
  bound_ffn_vjp(N(0), N(1), N(2), N(3), X(0), X(1), X(2), X(3), X(4), X(5), A, e[0], e[1], e[2]);
}
LAUNCH(ffn_vjp)
{
  return b->ffn_vjp(ex, c->accumulate, N(0), N(1), N(2), N(3), IN(0), IN(1), IN(2), IN(3), IN(4),
                    IN(5), OUT(6), OUT(7), OUT(8));
}
/* The sum behind du is one of dh's as well. */
TERMS(ffn_vjp)
{
  int64_t widest = size[2] > size[3] ? size[2] : size[3];
  return output == 0 ? widest : size[0];
}
/* u and a are set to what the forward op gives. */
static void ffn_kept(const int64_t *size, float *const *f)
{
  for (int64_t r = 0; r < size[0]; r++)
    for (int64_t q = 0; q < size[2]; q++) {
      double u = 0, a;
      for (int64_t i = 0; i < size[1]; i++)
        u += (double)f[0][r * size[1] + i] * f[1][i * size[2] + q];
      ref_gelu(1, &u, &a);
      f[3][r * size[2] + q] = (float)u;
      f[4][r * size[2] + q] = (float)a;
    }
}
const dc_glue dc_glue_ffn_vjp = {LOOSE(ffn_vjp), .uses = DC_FACTORS, .terms = ffn_vjp_terms,
                                 .reduced = {{1, 1}, {5, 0}, {5, 0}}, .adjust = ffn_kept};
