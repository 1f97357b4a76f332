#include "multi_head.h"

void mha_values(idx batch, idx heads, idx kv_heads, idx n, idx width, idx d, int causal, int masked,
                const double *x, const double *wq, const double *wk, const double *wv,
                const double *wo, const double *mask, double *q, double *k, double *v, double *o,
                double *lse)
{
  view X = flat(size2(batch, n), width), W = flat(width, size2(heads, d));
  view Wk = flat(width, size2(kv_heads, d));
  view Q = in_heads(batch, heads, n, d), K = in_heads(batch, kv_heads, n, d);
  (void)wo;
  view_product(x, X, wq, W, q, Q);
  view_product(x, X, wk, Wk, k, K);
  view_product(x, X, wv, Wk, v, K);
  ref_sdpa(batch, heads, kv_heads, n, n, d, causal, masked, q, k, v, mask, o, lse);
}

void ref_multi_head_attention(idx batch, idx heads, idx kv_heads, idx n, idx width, idx d,
                              int causal, int masked, const double *x, const double *wq,
                              const double *wk, const double *wv, const double *wo,
                              const double *mask, double *y, double *q, double *k, double *v,
                              double *o, double *lse)
{
  view X = flat(size2(batch, n), width), Wo = flat(size2(heads, d), width);
  view Q = in_heads(batch, heads, n, d);
  mha_values(batch, heads, kv_heads, n, width, d, causal, masked, x, wq, wk, wv, wo, mask, q, k, v,
             o, lse);
  view_product(o, Q, wo, Wo, y, X);
}

void mha_pulls(idx batch, idx heads, idx kv_heads, idx n, idx width, idx d, int causal, int masked,
               const double *x, const double *wq, const double *wk, const double *wv,
               const double *wo, const double *mask, const double *q, const double *k,
               const double *v, const double *o, const double *lse, const double *g, double *go,
               double *dq, double *dk, double *dv)
{
  view X = flat(size2(batch, n), width), Wo = flat(size2(heads, d), width);
  view Q = in_heads(batch, heads, n, d), To = turned(Wo);
  (void)x, (void)wq, (void)wk, (void)wv;
  view_product(g, X, wo, To, go, Q);
  ref_sdpa_vjp(batch, heads, kv_heads, n, n, d, causal, masked, q, k, v, mask, o, lse, go, dq, dk,
               dv);
}

static void pull_inputs(idx batch, idx heads, idx kv_heads, idx n, idx width, idx d,
                        const double *dq, const double *dk, const double *dv, const double *wq,
                        const double *wk, const double *wv, double *dx)
{
  view Wq = flat(width, size2(heads, d)), Wk = flat(width, size2(kv_heads, d));
  view Tq = turned(Wq), Tk = turned(Wk);
  view Q = in_heads(batch, heads, n, d), K = in_heads(batch, kv_heads, n, d);
  idx m = size2(batch, n);
  for (idx i = 0; i < m; i++) {
    for (idx j = 0; j < width; j++) {
      twice s = twice_sum(twice_sum(view_dot(dq, Q, wq, Tq, i, j), view_dot(dk, K, wk, Tk, i, j)),
                          view_dot(dv, K, wv, Tk, i, j));
      dx[at2(m, width, i, j)] = s.v;
    }
  }
}

void ref_multi_head_attention_vjp(idx batch, idx heads, idx kv_heads, idx n, idx width, idx d,
                                  int causal, int masked, const double *x, const double *wq,
                                  const double *wk, const double *wv, const double *wo,
                                  const double *mask, const double *q, const double *k,
                                  const double *v, const double *o, const double *lse,
                                  const double *g, double *dx, double *dwq, double *dwk,
                                  double *dwv, double *dwo, double *go, double *dq, double *dk,
                                  double *dv)
{
  view X = flat(size2(batch, n), width), Wo = flat(size2(heads, d), width);
  view Wq = flat(width, size2(heads, d)), Wk = flat(width, size2(kv_heads, d));
  view Tq = turned(Wq), Tk = turned(Wk);
  view Q = in_heads(batch, heads, n, d), K = in_heads(batch, kv_heads, n, d);
  view Qt = turned(Q), Kt = turned(K);
  mha_pulls(batch, heads, kv_heads, n, width, d, causal, masked, x, wq, wk, wv, wo, mask, q, k, v,
            o, lse, g, go, dq, dk, dv);
  pull_inputs(batch, heads, kv_heads, n, width, d, dq, dk, dv, wq, wk, wv, dx);
  view_product(dq, Qt, x, X, dwq, Tq);
  view_product(dk, Kt, x, X, dwk, Tk);
  view_product(dv, Kt, x, X, dwv, Tk);
  view_product(o, Qt, g, X, dwo, Wo);
}
