/* Error bounds of attention over several heads. */
#include "multi_head.h"

void bound_multi_head_attention(idx batch, idx heads, idx kv_heads, idx n, idx width, idx d,
                                int causal, int masked, const double *x, const double *wq,
                                const double *wk, const double *wv, const double *wo,
                                const double *mask, arith A, double *e_y, double *e_q, double *e_k,
                                double *e_v, double *e_o, double *e_lse, double *q, double *k,
                                double *v, double *o, double *lse)
{
  view X = flat(size2(batch, n), width), Wo = flat(size2(heads, d), width);
  view Wq = flat(width, size2(heads, d)), Wk = flat(width, size2(kv_heads, d));
  view Q = in_heads(batch, heads, n, d), K = in_heads(batch, kv_heads, n, d);
  mha_values(batch, heads, kv_heads, n, width, d, causal, masked, x, wq, wk, wv, wo, mask, q, k, v,
             o, lse);
  view_errors(A, 0, x, x, X, wq, Wq, e_q, Q);
  view_errors(A, 0, x, x, X, wk, Wk, e_k, K);
  view_errors(A, 0, x, x, X, wv, Wk, e_v, K);
  pair_sdpa(batch, heads, kv_heads, n, n, d, causal, masked, q, k, v, 1, e_q, e_k, e_v, mask, A,
            e_o, e_lse);
  view_errors(A, 1, o, e_o, Q, wo, Wo, e_y, X);
}

static void bound_inputs(arith A, idx batch, idx heads, idx kv_heads, idx n, idx width, idx d,
                         const double *dq, const double *dk, const double *dv, const double *e_dq,
                         const double *e_dk, const double *e_dv, const double *wq, const double *wk,
                         const double *wv, double *e_dx)
{
  view Wq = flat(width, size2(heads, d)), Wk = flat(width, size2(kv_heads, d));
  view Tq = turned(Wq), Tk = turned(Wk);
  view Q = in_heads(batch, heads, n, d), K = in_heads(batch, kv_heads, n, d);
  idx m = size2(batch, n), terms = view_cols(Q) + view_cols(K) + view_cols(K);
  for (idx i = 0; i < m; i++) {
    for (idx j = 0; j < width; j++) {
      dots a = view_dots(1, dq, e_dq, Q, wq, Tq, i, j);
      dots b = view_dots(1, dk, e_dk, K, wk, Tk, i, j);
      dots c = view_dots(1, dv, e_dv, K, wv, Tk, i, j);
      e_dx[at2(m, width, i, j)] = view_dot_error(A, a.dot + b.dot + c.dot, a.abs + b.abs + c.abs,
                                                 a.more + b.more + c.more, terms);
    }
  }
}

void bound_multi_head_attention_vjp(idx batch, idx heads, idx kv_heads, idx n, idx width, idx d,
                                    int causal, int masked, const double *x, const double *wq,
                                    const double *wk, const double *wv, const double *wo,
                                    const double *mask, const double *q, const double *k,
                                    const double *v, const double *o, const double *lse,
                                    const double *g, arith A, double *e_dx, double *e_dwq,
                                    double *e_dwk, double *e_dwv, double *e_dwo, double *go,
                                    double *dq, double *dk, double *dv, double *e_go, double *e_dq,
                                    double *e_dk, double *e_dv)
{
  view X = flat(size2(batch, n), width), Wo = flat(size2(heads, d), width), To = turned(Wo);
  view Wq = flat(width, size2(heads, d)), Wk = flat(width, size2(kv_heads, d));
  view Tq = turned(Wq), Tk = turned(Wk);
  view Q = in_heads(batch, heads, n, d), K = in_heads(batch, kv_heads, n, d);
  view Qt = turned(Q), Kt = turned(K);
  mha_pulls(batch, heads, kv_heads, n, width, d, causal, masked, x, wq, wk, wv, wo, mask, q, k, v,
            o, lse, g, go, dq, dk, dv);
  view_errors(A, 0, g, g, X, wo, To, e_go, Q);
  pair_sdpa_vjp(batch, heads, kv_heads, n, n, d, causal, masked, q, k, v, mask, o, lse, go, 1, e_go,
                A, e_dq, e_dk, e_dv);
  bound_inputs(A, batch, heads, kv_heads, n, width, d, dq, dk, dv, e_dq, e_dk, e_dv, wq, wk, wv,
               e_dx);
  view_errors(A, 1, dq, e_dq, Qt, x, X, e_dwq, Tq);
  view_errors(A, 1, dk, e_dk, Kt, x, X, e_dwk, Tk);
  view_errors(A, 1, dv, e_dv, Kt, x, X, e_dwv, Tk);
  view_errors(A, 0, o, o, Qt, g, X, e_dwo, Wo);
}
