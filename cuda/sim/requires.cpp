/* Written by proofs/tools/requires.py: each kernel's requires, as Frama-C reads them, in C++.
 * launched.cpp asks check_KERNEL of each launch; `make prove` compares this text with the contracts.
 *
 * 189 kernels; 140 of them have a contract, of 1315 conjuncts in 4557 parts: 3800 are checked, 757 listed.
 *
 * A conjunct stands here as the parts that its predicates have. What is listed and not checked is so
 * for one of these reasons:
 *   21: no number that is known stands for it
 *   713: permission, of the prover's discipline alone
 *   19: values of tensors over the reals, which an earlier launch left or the case has
 *   4: what the blocks of a cluster will tell each other */
#include "requires.h"

namespace pm_sim_ {
namespace {

struct adam {
  float lr;
  float beta1;
  float beta2;
  float eps;
  float decay;
  float c1;
  float c2;
};

struct share_plan {
  int in_cluster;
  int share;
  int kept;
  int block;
};

struct philox_keys {
  uint32_t x[10];
  uint32_t y[10];
};

struct axis {
  int64_t size;
  int64_t below;
  int64_t period;
};

struct grid {
  axis a;
  axis b;
  axis c;
  axis d;
};

struct slice_chunks {
  int64_t each;
  int64_t chunks;
  int chunk;
};

struct walk {
  int n;
  int64_t size[8];
  int64_t step[8];
};

struct vjp_cut {
  int groups;
  int lanes;
  int warps;
  int reach;
  int parts;
};

struct part {
  int there;
  int64_t pitch;
  int64_t shift;
};

struct frame {
  int64_t width;
  int64_t lo;
  int64_t hi;
  part in;
  part around;
};

bool apart(ptr x, num m, ptr y, num n);
num ix(num i, num n, num j);
num batch_all(num n, num channels, num size);
ptr draw_at(ptr y, num g, num s);
num PhiloxKey(num k, num w, num r);
num cells2(grid p);
num cells3(grid p);
num cells(grid p);
num mul(num j, num b);
num TeamOf(num log);
num wide(num W, num q);
bool group(num lanes, num groups);
num if_there(num there, num n);
num both_halves(num centered, num chunks);
num quo(num k, num n);
num Rest(walk w, num k, num m);
num rem(num k, num n);
num Walk(walk w, num k, num m);

bool apart(ptr x, num m, ptr y, num n)
{
  return (apart(span(x, 0, (m - 1)), span(y, 0, (n - 1))));
}

num ix(num i, num n, num j)
{
  return ((i * n) + j);
}

num batch_all(num n, num channels, num size)
{
  return ix(ix(n, channels, 0), size, 0);
}

ptr draw_at(ptr y, num g, num s)
{
  return (y + ((4 * g) - s));
}

num PhiloxKey(num k, num w, num r)
{
  return ((r <= 0) ? k : ((PhiloxKey(k, w, (r - 1)) + w) % 0x100000000));
}

num cells2(grid p)
{
  return ix(num(p.a.size), num(p.b.size), 0);
}

num cells3(grid p)
{
  return ix(cells2(p), num(p.c.size), 0);
}

num cells(grid p)
{
  return ix(cells3(p), num(p.d.size), 0);
}

num mul(num j, num b)
{
  return (j * b);
}

num TeamOf(num log)
{
  return ((log <= 0) ? 1 : ((log == 1) ? 2 : ((log == 2) ? 4 : ((log == 3) ? 8 : ((log == 4) ? 16 : 32)))));
}

num wide(num W, num q)
{
  return ((W == 4) ? (4 * q) : q);
}

bool group(num lanes, num groups)
{
  return (((((((lanes == 1) && (groups == 32)) || ((lanes == 2) && (groups == 16))) || ((lanes == 4) && (groups == 8))) || ((lanes == 8) && (groups == 4))) || ((lanes == 16) && (groups == 2))) || ((lanes == 32) && (groups == 1)));
}

num if_there(num there, num n)
{
  return ((there == 0) ? 0 : n);
}

num both_halves(num centered, num chunks)
{
  return ((centered == 0) ? chunks : (2 * chunks));
}

num quo(num k, num n)
{
  return (k / n);
}

num Rest(walk w, num k, num m)
{
  return ((m <= 0) ? k : quo(Rest(w, k, (m - 1)), num(w.size[at((num(w.n) - m))])));
}

num rem(num k, num n)
{
  return (k % n);
}

num Walk(walk w, num k, num m)
{
  return ((m <= 0) ? 0 : (Walk(w, k, (m - 1)) + ix(rem(Rest(w, k, (m - 1)), num(w.size[at((num(w.n) - m))])), num(w.step[at((num(w.n) - m))]), 0)));
}

bool check_abs_map(const launched &l)
{
  const num n = l.get<int64_t>(0);
  const num V = l.get<int64_t>(1);
  const ptr x0 = l.pointer(5, 4);
  const ptr x1 = l.pointer(6, 4);
  const ptr x2 = l.pointer(7, 4);
  const ptr y0 = l.pointer(8, 4);
  /* not checked, permission, of the prover's discipline alone:
   *   MAP_EACH == MAP_EACH ==> perm_r(x0, n)
   *   MAP_EACH == MAP_SAME ==> perm_r(x0, 1)
   *   MAP_NONE == MAP_EACH ==> perm_r(x1, n)
   *   MAP_NONE == MAP_SAME ==> perm_r(x1, 1)
   *   MAP_NONE == MAP_EACH ==> perm_r(x2, n)
   *   MAP_NONE == MAP_SAME ==> perm_r(x2, 1)
   *   \forall integer k; 0 <= k < n ==> owner(y0 + k, map_thread2(k, V), -1) */
  REQUIRES((0 <= (8 * V) && (8 * V) <= n && n <= 0x0fffffffffffffff),
           "map_size(n, V, 8): 0 <= 8 * V <= n <= 0x0fffffffffffffff", n, V)
  REQUIRES(((n - ((8 - 1) * V)) <= gsize_ && gsize_ < 0x1000000000000000),
           "n - (8 - 1) * V <= gsize_ < 0x1000000000000000", n, V, gsize_)
  REQUIRES((0 <= 1 && 1 <= 2),
           "reads_kind(x0, K0, n): MAP_NONE <= MAP_EACH <= MAP_SAME")
  REQUIRES((!(1 == 1) || (0 <= n && n <= 0x0fffffffffffffff)),
           "reads_kind(x0, K0, n): MAP_EACH == MAP_EACH ==> 0 <= n <= 0x0fffffffffffffff", n)
  REQUIRES((!(1 == 1) || has(span(x0, 0, (n - 1)))),
           "reads_kind(x0, K0, n): MAP_EACH == MAP_EACH ==> \\valid_read(x0 + (0 .. n - 1))", n)
  REQUIRES((!(1 == 2) || (0 <= 1 && 1 <= 0x0fffffffffffffff)),
           "reads_kind(x0, K0, n): MAP_EACH == MAP_SAME ==> 0 <= 1 <= 0x0fffffffffffffff")
  REQUIRES((!(1 == 2) || has(span(x0, 0, (1 - 1)))),
           "reads_kind(x0, K0, n): MAP_EACH == MAP_SAME ==> \\valid_read(x0 + (0 .. 1 - 1))")
  REQUIRES((0 <= 0 && 0 <= 2),
           "reads_kind(x1, K1, n): MAP_NONE <= MAP_NONE <= MAP_SAME")
  REQUIRES((!(0 == 1) || (0 <= n && n <= 0x0fffffffffffffff)),
           "reads_kind(x1, K1, n): MAP_NONE == MAP_EACH ==> 0 <= n <= 0x0fffffffffffffff", n)
  REQUIRES((!(0 == 1) || has(span(x1, 0, (n - 1)))),
           "reads_kind(x1, K1, n): MAP_NONE == MAP_EACH ==> \\valid_read(x1 + (0 .. n - 1))", n)
  REQUIRES((!(0 == 2) || (0 <= 1 && 1 <= 0x0fffffffffffffff)),
           "reads_kind(x1, K1, n): MAP_NONE == MAP_SAME ==> 0 <= 1 <= 0x0fffffffffffffff")
  REQUIRES((!(0 == 2) || has(span(x1, 0, (1 - 1)))),
           "reads_kind(x1, K1, n): MAP_NONE == MAP_SAME ==> \\valid_read(x1 + (0 .. 1 - 1))")
  REQUIRES((!(0 == 1) || has(span(x2, 0, (n - 1)))),
           "reads_kind(x2, K2, n): MAP_NONE == MAP_EACH ==> \\valid_read(x2 + (0 .. n - 1))", n)
  REQUIRES((!(0 == 2) || has(span(x2, 0, (1 - 1)))),
           "reads_kind(x2, K2, n): MAP_NONE == MAP_SAME ==> \\valid_read(x2 + (0 .. 1 - 1))")
  REQUIRES((0 <= n && n <= 0x0fffffffffffffff),
           "own_map2(y0, V, n): 0 <= n <= 0x0fffffffffffffff", n)
  REQUIRES(has(span(y0, 0, (n - 1))),
           "own_map2(y0, V, n): \\valid(y0 + (0 .. n - 1))", n)
  REQUIRES((!(1 == 1) || (apart(span(x0, 0, (n - 1)), span(y0, 0, (n - 1))))),
           "map_apart(K0, x0, y0, n): MAP_EACH == MAP_EACH ==> \\separated(x0 + (0 .. n - 1), y0 + (0 .. n - 1))", n)
  REQUIRES((!(1 == 2) || (apart(span(x0, 0, (1 - 1)), span(y0, 0, (n - 1))))),
           "map_apart(K0, x0, y0, n): MAP_EACH == MAP_SAME ==> \\separated(x0 + (0 .. 1 - 1), y0 + (0 .. n - 1))", n)
  REQUIRES((!(0 == 1) || (apart(span(x1, 0, (n - 1)), span(y0, 0, (n - 1))))),
           "map_apart(K1, x1, y0, n): MAP_NONE == MAP_EACH ==> \\separated(x1 + (0 .. n - 1), y0 + (0 .. n - 1))", n)
  REQUIRES((!(0 == 2) || (apart(span(x1, 0, (1 - 1)), span(y0, 0, (n - 1))))),
           "map_apart(K1, x1, y0, n): MAP_NONE == MAP_SAME ==> \\separated(x1 + (0 .. 1 - 1), y0 + (0 .. n - 1))", n)
  REQUIRES((!(0 == 1) || (apart(span(x2, 0, (n - 1)), span(y0, 0, (n - 1))))),
           "map_apart(K2, x2, y0, n): MAP_NONE == MAP_EACH ==> \\separated(x2 + (0 .. n - 1), y0 + (0 .. n - 1))", n)
  REQUIRES((!(0 == 2) || (apart(span(x2, 0, (1 - 1)), span(y0, 0, (n - 1))))),
           "map_apart(K2, x2, y0, n): MAP_NONE == MAP_SAME ==> \\separated(x2 + (0 .. 1 - 1), y0 + (0 .. n - 1))", n)
  REQUIRES((!(0 < V) || (!(1 == 1) || aligned16(x0))),
           "0 < V ==> map_aligned(K0, x0) && map_aligned(K1, x1) && map_aligned(K2, x2) && aligned16(y0): 0 < V ==> MAP_EACH == MAP_EACH ==> aligned16(x0)", V)
  REQUIRES((!(0 < V) || (!(0 == 1) || aligned16(x1))),
           "0 < V ==> map_aligned(K0, x0) && map_aligned(K1, x1) && map_aligned(K2, x2) && aligned16(y0): 0 < V ==> MAP_NONE == MAP_EACH ==> aligned16(x1)", V)
  REQUIRES((!(0 < V) || (!(0 == 1) || aligned16(x2))),
           "0 < V ==> map_aligned(K0, x0) && map_aligned(K1, x1) && map_aligned(K2, x2) && aligned16(y0): 0 < V ==> MAP_NONE == MAP_EACH ==> aligned16(x2)", V)
  REQUIRES((!(0 < V) || aligned16(y0)),
           "0 < V ==> map_aligned(K0, x0) && map_aligned(K1, x1) && map_aligned(K2, x2) && aligned16(y0): 0 < V ==> aligned16(y0)", V)
  return true;
}

bool check_abs_vjp_map(const launched &l)
{
  const num n = l.get<int64_t>(0);
  const num V = l.get<int64_t>(1);
  const ptr x0 = l.pointer(5, 4);
  const ptr x1 = l.pointer(6, 4);
  const ptr x2 = l.pointer(7, 4);
  const ptr y0 = l.pointer(8, 4);
  /* not checked, permission, of the prover's discipline alone:
   *   MAP_EACH == MAP_EACH ==> perm_r(x0, n)
   *   MAP_EACH == MAP_SAME ==> perm_r(x0, 1)
   *   MAP_EACH == MAP_EACH ==> perm_r(x1, n)
   *   MAP_EACH == MAP_SAME ==> perm_r(x1, 1)
   *   MAP_NONE == MAP_EACH ==> perm_r(x2, n)
   *   MAP_NONE == MAP_SAME ==> perm_r(x2, 1)
   *   \forall integer k; 0 <= k < n ==> owner(y0 + k, map_thread2(k, V), -1) */
  REQUIRES((0 <= (8 * V) && (8 * V) <= n && n <= 0x0fffffffffffffff),
           "map_size(n, V, 8): 0 <= 8 * V <= n <= 0x0fffffffffffffff", n, V)
  REQUIRES(((n - ((8 - 1) * V)) <= gsize_ && gsize_ < 0x1000000000000000),
           "n - (8 - 1) * V <= gsize_ < 0x1000000000000000", n, V, gsize_)
  REQUIRES((0 <= 1 && 1 <= 2),
           "reads_kind(x0, K0, n): MAP_NONE <= MAP_EACH <= MAP_SAME")
  REQUIRES((!(1 == 1) || (0 <= n && n <= 0x0fffffffffffffff)),
           "reads_kind(x0, K0, n): MAP_EACH == MAP_EACH ==> 0 <= n <= 0x0fffffffffffffff", n)
  REQUIRES((!(1 == 1) || has(span(x0, 0, (n - 1)))),
           "reads_kind(x0, K0, n): MAP_EACH == MAP_EACH ==> \\valid_read(x0 + (0 .. n - 1))", n)
  REQUIRES((!(1 == 2) || (0 <= 1 && 1 <= 0x0fffffffffffffff)),
           "reads_kind(x0, K0, n): MAP_EACH == MAP_SAME ==> 0 <= 1 <= 0x0fffffffffffffff")
  REQUIRES((!(1 == 2) || has(span(x0, 0, (1 - 1)))),
           "reads_kind(x0, K0, n): MAP_EACH == MAP_SAME ==> \\valid_read(x0 + (0 .. 1 - 1))")
  REQUIRES((!(1 == 1) || has(span(x1, 0, (n - 1)))),
           "reads_kind(x1, K1, n): MAP_EACH == MAP_EACH ==> \\valid_read(x1 + (0 .. n - 1))", n)
  REQUIRES((!(1 == 2) || has(span(x1, 0, (1 - 1)))),
           "reads_kind(x1, K1, n): MAP_EACH == MAP_SAME ==> \\valid_read(x1 + (0 .. 1 - 1))")
  REQUIRES((0 <= 0 && 0 <= 2),
           "reads_kind(x2, K2, n): MAP_NONE <= MAP_NONE <= MAP_SAME")
  REQUIRES((!(0 == 1) || (0 <= n && n <= 0x0fffffffffffffff)),
           "reads_kind(x2, K2, n): MAP_NONE == MAP_EACH ==> 0 <= n <= 0x0fffffffffffffff", n)
  REQUIRES((!(0 == 1) || has(span(x2, 0, (n - 1)))),
           "reads_kind(x2, K2, n): MAP_NONE == MAP_EACH ==> \\valid_read(x2 + (0 .. n - 1))", n)
  REQUIRES((!(0 == 2) || (0 <= 1 && 1 <= 0x0fffffffffffffff)),
           "reads_kind(x2, K2, n): MAP_NONE == MAP_SAME ==> 0 <= 1 <= 0x0fffffffffffffff")
  REQUIRES((!(0 == 2) || has(span(x2, 0, (1 - 1)))),
           "reads_kind(x2, K2, n): MAP_NONE == MAP_SAME ==> \\valid_read(x2 + (0 .. 1 - 1))")
  REQUIRES((0 <= n && n <= 0x0fffffffffffffff),
           "own_map2(y0, V, n): 0 <= n <= 0x0fffffffffffffff", n)
  REQUIRES(has(span(y0, 0, (n - 1))),
           "own_map2(y0, V, n): \\valid(y0 + (0 .. n - 1))", n)
  REQUIRES((!(1 == 1) || (apart(span(x0, 0, (n - 1)), span(y0, 0, (n - 1))))),
           "map_apart(K0, x0, y0, n): MAP_EACH == MAP_EACH ==> \\separated(x0 + (0 .. n - 1), y0 + (0 .. n - 1))", n)
  REQUIRES((!(1 == 2) || (apart(span(x0, 0, (1 - 1)), span(y0, 0, (n - 1))))),
           "map_apart(K0, x0, y0, n): MAP_EACH == MAP_SAME ==> \\separated(x0 + (0 .. 1 - 1), y0 + (0 .. n - 1))", n)
  REQUIRES((!(1 == 1) || (apart(span(x1, 0, (n - 1)), span(y0, 0, (n - 1))))),
           "map_apart(K1, x1, y0, n): MAP_EACH == MAP_EACH ==> \\separated(x1 + (0 .. n - 1), y0 + (0 .. n - 1))", n)
  REQUIRES((!(1 == 2) || (apart(span(x1, 0, (1 - 1)), span(y0, 0, (n - 1))))),
           "map_apart(K1, x1, y0, n): MAP_EACH == MAP_SAME ==> \\separated(x1 + (0 .. 1 - 1), y0 + (0 .. n - 1))", n)
  REQUIRES((!(0 == 1) || (apart(span(x2, 0, (n - 1)), span(y0, 0, (n - 1))))),
           "map_apart(K2, x2, y0, n): MAP_NONE == MAP_EACH ==> \\separated(x2 + (0 .. n - 1), y0 + (0 .. n - 1))", n)
  REQUIRES((!(0 == 2) || (apart(span(x2, 0, (1 - 1)), span(y0, 0, (n - 1))))),
           "map_apart(K2, x2, y0, n): MAP_NONE == MAP_SAME ==> \\separated(x2 + (0 .. 1 - 1), y0 + (0 .. n - 1))", n)
  REQUIRES((!(0 < V) || (!(1 == 1) || aligned16(x0))),
           "0 < V ==> map_aligned(K0, x0) && map_aligned(K1, x1) && map_aligned(K2, x2) && aligned16(y0): 0 < V ==> MAP_EACH == MAP_EACH ==> aligned16(x0)", V)
  REQUIRES((!(0 < V) || (!(1 == 1) || aligned16(x1))),
           "0 < V ==> map_aligned(K0, x0) && map_aligned(K1, x1) && map_aligned(K2, x2) && aligned16(y0): 0 < V ==> MAP_EACH == MAP_EACH ==> aligned16(x1)", V)
  REQUIRES((!(0 < V) || (!(0 == 1) || aligned16(x2))),
           "0 < V ==> map_aligned(K0, x0) && map_aligned(K1, x1) && map_aligned(K2, x2) && aligned16(y0): 0 < V ==> MAP_NONE == MAP_EACH ==> aligned16(x2)", V)
  REQUIRES((!(0 < V) || aligned16(y0)),
           "0 < V ==> map_aligned(K0, x0) && map_aligned(K1, x1) && map_aligned(K2, x2) && aligned16(y0): 0 < V ==> aligned16(y0)", V)
  return true;
}

bool check_adam_kernel(const launched &l)
{
  const num n = l.get<int64_t>(0);
  const num V = l.get<int64_t>(1);
  const ptr p = l.pointer(3, 4);
  const ptr g = l.pointer(4, 4);
  const ptr m = l.pointer(5, 4);
  const ptr v = l.pointer(6, 4);
  const ptr q = l.pointer(7, 4);
  const ptr r = l.pointer(8, 4);
  const ptr s = l.pointer(9, 4);
  /* not checked, permission, of the prover's discipline alone:
   *   perm_r(p, n)
   *   perm_r(g, n)
   *   perm_r(m, n)
   *   perm_r(v, n)
   *   perm(q, n)
   *   perm(r, n)
   *   perm(s, n) */
  REQUIRES((0 <= (4 * V) && (4 * V) <= n && n <= 0x0fffffffffffffff),
           "step_size(n, V): 0 <= 4 * V <= n <= 0x0fffffffffffffff", n, V)
  REQUIRES(((n - (3 * V)) <= gsize_ && gsize_ < 0x1000000000000000),
           "n - 3 * V <= gsize_ < 0x1000000000000000", n, V, gsize_)
  REQUIRES((0 <= n && n <= 0x0fffffffffffffff),
           "reads(p, n): 0 <= n <= 0x0fffffffffffffff", n)
  REQUIRES(has(span(p, 0, (n - 1))),
           "reads(p, n): \\valid_read(p + (0 .. n - 1))", n)
  REQUIRES(has(span(g, 0, (n - 1))),
           "reads(g, n): \\valid_read(g + (0 .. n - 1))", n)
  REQUIRES(has(span(m, 0, (n - 1))),
           "reads(m, n): \\valid_read(m + (0 .. n - 1))", n)
  REQUIRES(has(span(v, 0, (n - 1))),
           "reads(v, n): \\valid_read(v + (0 .. n - 1))", n)
  REQUIRES(((p == q) || apart(p, n, q, n)),
           "step_place(p, q, n): p == q || apart(p, n, q, n)", n)
  REQUIRES(((m == r) || apart(m, n, r, n)),
           "step_place(m, r, n): m == r || apart(m, n, r, n)", n)
  REQUIRES(((v == s) || apart(v, n, s, n)),
           "step_place(v, s, n): v == s || apart(v, n, s, n)", n)
  REQUIRES((apart(span(g, 0, (n - 1)), span(q, 0, (n - 1)))),
           "apart(g, n, q, n): \\separated(g + (0 .. n - 1), q + (0 .. n - 1))", n)
  REQUIRES((apart(span(m, 0, (n - 1)), span(q, 0, (n - 1)))),
           "apart(m, n, q, n): \\separated(m + (0 .. n - 1), q + (0 .. n - 1))", n)
  REQUIRES((apart(span(v, 0, (n - 1)), span(q, 0, (n - 1)))),
           "apart(v, n, q, n): \\separated(v + (0 .. n - 1), q + (0 .. n - 1))", n)
  REQUIRES((apart(span(g, 0, (n - 1)), span(r, 0, (n - 1)))),
           "apart(g, n, r, n): \\separated(g + (0 .. n - 1), r + (0 .. n - 1))", n)
  REQUIRES((apart(span(p, 0, (n - 1)), span(r, 0, (n - 1)))),
           "apart(p, n, r, n): \\separated(p + (0 .. n - 1), r + (0 .. n - 1))", n)
  REQUIRES((apart(span(v, 0, (n - 1)), span(r, 0, (n - 1)))),
           "apart(v, n, r, n): \\separated(v + (0 .. n - 1), r + (0 .. n - 1))", n)
  REQUIRES((apart(span(g, 0, (n - 1)), span(s, 0, (n - 1)))),
           "apart(g, n, s, n): \\separated(g + (0 .. n - 1), s + (0 .. n - 1))", n)
  REQUIRES((apart(span(p, 0, (n - 1)), span(s, 0, (n - 1)))),
           "apart(p, n, s, n): \\separated(p + (0 .. n - 1), s + (0 .. n - 1))", n)
  REQUIRES((apart(span(m, 0, (n - 1)), span(s, 0, (n - 1)))),
           "apart(m, n, s, n): \\separated(m + (0 .. n - 1), s + (0 .. n - 1))", n)
  REQUIRES((apart(span(q, 0, (n - 1)), span(r, 0, (n - 1)))),
           "apart(q, n, r, n): \\separated(q + (0 .. n - 1), r + (0 .. n - 1))", n)
  REQUIRES((apart(span(q, 0, (n - 1)), span(s, 0, (n - 1)))),
           "apart(q, n, s, n): \\separated(q + (0 .. n - 1), s + (0 .. n - 1))", n)
  REQUIRES((apart(span(r, 0, (n - 1)), span(s, 0, (n - 1)))),
           "apart(r, n, s, n): \\separated(r + (0 .. n - 1), s + (0 .. n - 1))", n)
  REQUIRES((!(0 < V) || aligned16(p)),
           "0 < V ==> aligned16(p) && aligned16(g) && aligned16(m) && aligned16(v) && aligned16(q) && aligned16(r) && aligned16(s): 0 < V ==> aligned16(p)", V)
  REQUIRES((!(0 < V) || aligned16(g)),
           "0 < V ==> aligned16(p) && aligned16(g) && aligned16(m) && aligned16(v) && aligned16(q) && aligned16(r) && aligned16(s): 0 < V ==> aligned16(g)", V)
  REQUIRES((!(0 < V) || aligned16(m)),
           "0 < V ==> aligned16(p) && aligned16(g) && aligned16(m) && aligned16(v) && aligned16(q) && aligned16(r) && aligned16(s): 0 < V ==> aligned16(m)", V)
  REQUIRES((!(0 < V) || aligned16(v)),
           "0 < V ==> aligned16(p) && aligned16(g) && aligned16(m) && aligned16(v) && aligned16(q) && aligned16(r) && aligned16(s): 0 < V ==> aligned16(v)", V)
  REQUIRES((!(0 < V) || aligned16(q)),
           "0 < V ==> aligned16(p) && aligned16(g) && aligned16(m) && aligned16(v) && aligned16(q) && aligned16(r) && aligned16(s): 0 < V ==> aligned16(q)", V)
  REQUIRES((!(0 < V) || aligned16(r)),
           "0 < V ==> aligned16(p) && aligned16(g) && aligned16(m) && aligned16(v) && aligned16(q) && aligned16(r) && aligned16(s): 0 < V ==> aligned16(r)", V)
  REQUIRES((!(0 < V) || aligned16(s)),
           "0 < V ==> aligned16(p) && aligned16(g) && aligned16(m) && aligned16(v) && aligned16(q) && aligned16(r) && aligned16(s): 0 < V ==> aligned16(s)", V)
  REQUIRES(has(span(q, 0, (n - 1))),
           "writes(q, n): \\valid(q + (0 .. n - 1))", n)
  REQUIRES(has(span(r, 0, (n - 1))),
           "writes(r, n): \\valid(r + (0 .. n - 1))", n)
  REQUIRES(has(span(s, 0, (n - 1))),
           "writes(s, n): \\valid(s + (0 .. n - 1))", n)
  return true;
}

bool check_add_bias_scalar(const launched &l)
{
  const num rows = l.get<int64_t>(0);
  const num cols = l.get<int64_t>(1);
  const ptr x = l.pointer(2, 4);
  const ptr b = l.pointer(3, 4);
  const ptr y = l.pointer(4, 4);
  /* not checked, permission, of the prover's discipline alone:
   *   perm_r(x, ix(rows, cols, 0))
   *   perm_r(b, cols)
   *   \forall integer k; 0 <= k < ix(rows, cols, 0) ==> owner(y + k, k, -1) */
  REQUIRES((0 <= rows),
           "bias_size(y, x, b, rows, cols): 0 <= rows", rows)
  REQUIRES((0 < cols && cols <= 0x0fffffffffffffff),
           "bias_size(y, x, b, rows, cols): 0 < cols <= 0x0fffffffffffffff", cols)
  REQUIRES((0 <= ix(rows, cols, 0) && ix(rows, cols, 0) <= 0x0fffffffffffffff),
           "bias_size(y, x, b, rows, cols): 0 <= ix(rows, cols, 0) <= 0x0fffffffffffffff", rows, cols)
  REQUIRES(has(span(x, 0, (ix(rows, cols, 0) - 1))),
           "bias_size(y, x, b, rows, cols): \\valid_read(x + (0 .. ix(rows, cols, 0) - 1))", rows, cols)
  REQUIRES((0 <= cols && cols <= 0x0fffffffffffffff),
           "bias_size(y, x, b, rows, cols): 0 <= cols <= 0x0fffffffffffffff", cols)
  REQUIRES(has(span(b, 0, (cols - 1))),
           "bias_size(y, x, b, rows, cols): \\valid_read(b + (0 .. cols - 1))", cols)
  REQUIRES(has(span(y, 0, (ix(rows, cols, 0) - 1))),
           "bias_size(y, x, b, rows, cols): \\valid(y + (0 .. ix(rows, cols, 0) - 1))", rows, cols)
  REQUIRES((apart(span(x, 0, (ix(rows, cols, 0) - 1)), span(y, 0, (ix(rows, cols, 0) - 1)))),
           "bias_size(y, x, b, rows, cols): \\separated(x + (0 .. ix(rows, cols, 0) - 1), y + (0 .. ix(rows, cols, 0) - 1))", rows, cols)
  REQUIRES((apart(span(b, 0, (cols - 1)), span(y, 0, (ix(rows, cols, 0) - 1)))),
           "bias_size(y, x, b, rows, cols): \\separated(b + (0 .. cols - 1), y + (0 .. ix(rows, cols, 0) - 1))", rows, cols)
  REQUIRES((ix(rows, cols, 0) <= gsize_),
           "ix(rows, cols, 0) <= gsize_", rows, cols, gsize_)
  return true;
}

bool check_add_bias_vec4(const launched &l)
{
  const num rows = l.get<int64_t>(0);
  const num V = l.get<int64_t>(1);
  const ptr x = l.pointer(2, 4);
  const ptr b = l.pointer(3, 4);
  const ptr y = l.pointer(4, 4);
  /* not checked, permission, of the prover's discipline alone:
   *   perm_r(x, ix(rows, 4 * V, 0))
   *   perm_r(b, 4 * V)
   *   \forall integer k; 0 <= k < ix(rows, 4 * V, 0) ==> owner(y + k, k / 4, -1) */
  REQUIRES((0 <= rows),
           "bias_size(y, x, b, rows, 4 * V): 0 <= rows", rows)
  REQUIRES((0 < (4 * V) && (4 * V) <= 0x0fffffffffffffff),
           "bias_size(y, x, b, rows, 4 * V): 0 < 4 * V <= 0x0fffffffffffffff", V)
  REQUIRES((0 <= ix(rows, (4 * V), 0) && ix(rows, (4 * V), 0) <= 0x0fffffffffffffff),
           "bias_size(y, x, b, rows, 4 * V): 0 <= ix(rows, 4 * V, 0) <= 0x0fffffffffffffff", rows, V)
  REQUIRES(has(span(x, 0, (ix(rows, (4 * V), 0) - 1))),
           "bias_size(y, x, b, rows, 4 * V): \\valid_read(x + (0 .. ix(rows, 4 * V, 0) - 1))", rows, V)
  REQUIRES((0 <= (4 * V) && (4 * V) <= 0x0fffffffffffffff),
           "bias_size(y, x, b, rows, 4 * V): 0 <= 4 * V <= 0x0fffffffffffffff", V)
  REQUIRES(has(span(b, 0, ((4 * V) - 1))),
           "bias_size(y, x, b, rows, 4 * V): \\valid_read(b + (0 .. 4 * V - 1))", V)
  REQUIRES(has(span(y, 0, (ix(rows, (4 * V), 0) - 1))),
           "bias_size(y, x, b, rows, 4 * V): \\valid(y + (0 .. ix(rows, 4 * V, 0) - 1))", rows, V)
  REQUIRES((apart(span(x, 0, (ix(rows, (4 * V), 0) - 1)), span(y, 0, (ix(rows, (4 * V), 0) - 1)))),
           "bias_size(y, x, b, rows, 4 * V): \\separated(x + (0 .. ix(rows, 4 * V, 0) - 1), y + (0 .. ix(rows, 4 * V, 0) - 1))", rows, V)
  REQUIRES((apart(span(b, 0, ((4 * V) - 1)), span(y, 0, (ix(rows, (4 * V), 0) - 1)))),
           "bias_size(y, x, b, rows, 4 * V): \\separated(b + (0 .. 4 * V - 1), y + (0 .. ix(rows, 4 * V, 0) - 1))", rows, V)
  REQUIRES(aligned16(x),
           "aligned16(x)")
  REQUIRES(aligned16(b),
           "aligned16(b)")
  REQUIRES(aligned16(y),
           "aligned16(y)")
  REQUIRES((ix(rows, V, 0) <= gsize_),
           "ix(rows, V, 0) <= gsize_", rows, V, gsize_)
  return true;
}

bool check_add_bias_vjp_scalar(const launched &l)
{
  const num rows = l.get<int64_t>(0);
  const num cols = l.get<int64_t>(1);
  const num chunk = l.get<int64_t>(2);
  const num chunks = l.get<int64_t>(3);
  const ptr x = l.pointer(5, 4);
  const ptr copy = l.pointer(6, 4);
  const ptr out = l.pointer(7, 4);
  /* not checked, permission, of the prover's discipline alone:
   *   perm_r(x, ix(rows, cols, 0))
   *   \forall integer k; 0 <= k < ix(rows, cols, 0) ==> owner(copy + k, run_thread(k, cols, chunk), -1)
   *   \forall integer k; 0 <= k < ix(chunks, cols, 0) ==> owner(out + k, k, -1) */
  REQUIRES((0 <= rows),
           "bias_sums_size(x, copy, out, rows, cols, chunk, chunks): 0 <= rows", rows)
  REQUIRES((0 < chunk && chunk <= 0x0fffffffffffffff),
           "bias_sums_size(x, copy, out, rows, cols, chunk, chunks): 0 < chunk <= 0x0fffffffffffffff", chunk)
  REQUIRES((0 < chunks),
           "bias_sums_size(x, copy, out, rows, cols, chunk, chunks): 0 < chunks", chunks)
  REQUIRES((ix((chunks - 1), chunk, 0) <= rows && rows <= ix(chunks, chunk, 0)),
           "bias_sums_size(x, copy, out, rows, cols, chunk, chunks): ix(chunks - 1, chunk, 0) <= rows <= ix(chunks, chunk, 0)", rows, chunk, chunks)
  REQUIRES((rows <= 0x0fffffffffffffff),
           "bias_sums_size(x, copy, out, rows, cols, chunk, chunks): rows <= 0x0fffffffffffffff", rows)
  REQUIRES((chunks <= 0x0fffffffffffffff),
           "bias_sums_size(x, copy, out, rows, cols, chunk, chunks): chunks <= 0x0fffffffffffffff", chunks)
  REQUIRES((0 < cols && cols <= 0x0fffffffffffffff),
           "bias_sums_size(x, copy, out, rows, cols, chunk, chunks): 0 < cols <= 0x0fffffffffffffff", cols)
  REQUIRES((0 <= ix(rows, cols, 0) && ix(rows, cols, 0) <= 0x0fffffffffffffff),
           "bias_sums_size(x, copy, out, rows, cols, chunk, chunks): 0 <= ix(rows, cols, 0) <= 0x0fffffffffffffff", rows, cols)
  REQUIRES(has(span(x, 0, (ix(rows, cols, 0) - 1))),
           "bias_sums_size(x, copy, out, rows, cols, chunk, chunks): \\valid_read(x + (0 .. ix(rows, cols, 0) - 1))", rows, cols)
  REQUIRES(has(span(copy, 0, (ix(rows, cols, 0) - 1))),
           "bias_sums_size(x, copy, out, rows, cols, chunk, chunks): \\valid(copy + (0 .. ix(rows, cols, 0) - 1))", rows, cols)
  REQUIRES((0 <= ix(chunks, cols, 0) && ix(chunks, cols, 0) <= 0x0fffffffffffffff),
           "bias_sums_size(x, copy, out, rows, cols, chunk, chunks): 0 <= ix(chunks, cols, 0) <= 0x0fffffffffffffff", cols, chunks)
  REQUIRES(has(span(out, 0, (ix(chunks, cols, 0) - 1))),
           "bias_sums_size(x, copy, out, rows, cols, chunk, chunks): \\valid(out + (0 .. ix(chunks, cols, 0) - 1))", cols, chunks)
  REQUIRES((apart(span(x, 0, (ix(rows, cols, 0) - 1)), span(copy, 0, (ix(rows, cols, 0) - 1)))),
           "bias_sums_size(x, copy, out, rows, cols, chunk, chunks): \\separated(x + (0 .. ix(rows, cols, 0) - 1), copy + (0 .. ix(rows, cols, 0) - 1))", rows, cols)
  REQUIRES((apart(span(x, 0, (ix(rows, cols, 0) - 1)), span(out, 0, (ix(chunks, cols, 0) - 1)))),
           "bias_sums_size(x, copy, out, rows, cols, chunk, chunks): \\separated(x + (0 .. ix(rows, cols, 0) - 1), out + (0 .. ix(chunks, cols, 0) - 1))", rows, cols, chunks)
  REQUIRES((apart(span(copy, 0, (ix(rows, cols, 0) - 1)), span(out, 0, (ix(chunks, cols, 0) - 1)))),
           "bias_sums_size(x, copy, out, rows, cols, chunk, chunks): \\separated(copy + (0 .. ix(rows, cols, 0) - 1), out + (0 .. ix(chunks, cols, 0) - 1))", rows, cols, chunks)
  REQUIRES((ix(chunks, cols, 0) <= gsize_),
           "ix(chunks, cols, 0) <= gsize_", cols, chunks, gsize_)
  return true;
}

bool check_add_bias_vjp_vec4(const launched &l)
{
  const num rows = l.get<int64_t>(0);
  const num V = l.get<int64_t>(1);
  const num chunk = l.get<int64_t>(2);
  const num chunks = l.get<int64_t>(3);
  const ptr x = l.pointer(5, 4);
  const ptr copy = l.pointer(6, 4);
  const ptr out = l.pointer(7, 4);
  /* not checked, permission, of the prover's discipline alone:
   *   perm_r(x, ix(rows, 4 * V, 0))
   *   \forall integer k; 0 <= k < ix(rows, 4 * V, 0) ==> owner(copy + k, strip_thread(k, V, chunk), -1)
   *   \forall integer k; 0 <= k < ix(chunks, 4 * V, 0) ==> owner(out + k, k / 4, -1) */
  REQUIRES((0 <= rows),
           "bias_sums_size(x, copy, out, rows, 4 * V, chunk, chunks): 0 <= rows", rows)
  REQUIRES((0 < chunk && chunk <= 0x0fffffffffffffff),
           "bias_sums_size(x, copy, out, rows, 4 * V, chunk, chunks): 0 < chunk <= 0x0fffffffffffffff", chunk)
  REQUIRES((0 < chunks),
           "bias_sums_size(x, copy, out, rows, 4 * V, chunk, chunks): 0 < chunks", chunks)
  REQUIRES((ix((chunks - 1), chunk, 0) <= rows && rows <= ix(chunks, chunk, 0)),
           "bias_sums_size(x, copy, out, rows, 4 * V, chunk, chunks): ix(chunks - 1, chunk, 0) <= rows <= ix(chunks, chunk, 0)", rows, chunk, chunks)
  REQUIRES((rows <= 0x0fffffffffffffff),
           "bias_sums_size(x, copy, out, rows, 4 * V, chunk, chunks): rows <= 0x0fffffffffffffff", rows)
  REQUIRES((chunks <= 0x0fffffffffffffff),
           "bias_sums_size(x, copy, out, rows, 4 * V, chunk, chunks): chunks <= 0x0fffffffffffffff", chunks)
  REQUIRES((0 < (4 * V) && (4 * V) <= 0x0fffffffffffffff),
           "bias_sums_size(x, copy, out, rows, 4 * V, chunk, chunks): 0 < 4 * V <= 0x0fffffffffffffff", V)
  REQUIRES((0 <= ix(rows, (4 * V), 0) && ix(rows, (4 * V), 0) <= 0x0fffffffffffffff),
           "bias_sums_size(x, copy, out, rows, 4 * V, chunk, chunks): 0 <= ix(rows, 4 * V, 0) <= 0x0fffffffffffffff", rows, V)
  REQUIRES(has(span(x, 0, (ix(rows, (4 * V), 0) - 1))),
           "bias_sums_size(x, copy, out, rows, 4 * V, chunk, chunks): \\valid_read(x + (0 .. ix(rows, 4 * V, 0) - 1))", rows, V)
  REQUIRES(has(span(copy, 0, (ix(rows, (4 * V), 0) - 1))),
           "bias_sums_size(x, copy, out, rows, 4 * V, chunk, chunks): \\valid(copy + (0 .. ix(rows, 4 * V, 0) - 1))", rows, V)
  REQUIRES((0 <= ix(chunks, (4 * V), 0) && ix(chunks, (4 * V), 0) <= 0x0fffffffffffffff),
           "bias_sums_size(x, copy, out, rows, 4 * V, chunk, chunks): 0 <= ix(chunks, 4 * V, 0) <= 0x0fffffffffffffff", V, chunks)
  REQUIRES(has(span(out, 0, (ix(chunks, (4 * V), 0) - 1))),
           "bias_sums_size(x, copy, out, rows, 4 * V, chunk, chunks): \\valid(out + (0 .. ix(chunks, 4 * V, 0) - 1))", V, chunks)
  REQUIRES((apart(span(x, 0, (ix(rows, (4 * V), 0) - 1)), span(copy, 0, (ix(rows, (4 * V), 0) - 1)))),
           "bias_sums_size(x, copy, out, rows, 4 * V, chunk, chunks): \\separated(x + (0 .. ix(rows, 4 * V, 0) - 1), copy + (0 .. ix(rows, 4 * V, 0) - 1))", rows, V)
  REQUIRES((apart(span(x, 0, (ix(rows, (4 * V), 0) - 1)), span(out, 0, (ix(chunks, (4 * V), 0) - 1)))),
           "bias_sums_size(x, copy, out, rows, 4 * V, chunk, chunks): \\separated(x + (0 .. ix(rows, 4 * V, 0) - 1), out + (0 .. ix(chunks, 4 * V, 0) - 1))", rows, V, chunks)
  REQUIRES((apart(span(copy, 0, (ix(rows, (4 * V), 0) - 1)), span(out, 0, (ix(chunks, (4 * V), 0) - 1)))),
           "bias_sums_size(x, copy, out, rows, 4 * V, chunk, chunks): \\separated(copy + (0 .. ix(rows, 4 * V, 0) - 1), out + (0 .. ix(chunks, 4 * V, 0) - 1))", rows, V, chunks)
  REQUIRES(aligned16(x),
           "aligned16(x)")
  REQUIRES(aligned16(copy),
           "aligned16(copy)")
  REQUIRES(aligned16(out),
           "aligned16(out)")
  REQUIRES((ix(chunks, V, 0) <= gsize_),
           "ix(chunks, V, 0) <= gsize_", V, chunks, gsize_)
  return true;
}

bool check_add_vjp_map(const launched &l)
{
  const num n = l.get<int64_t>(0);
  const num V = l.get<int64_t>(1);
  const ptr x0 = l.pointer(5, 4);
  const ptr x1 = l.pointer(6, 4);
  const ptr x2 = l.pointer(7, 4);
  const ptr y0 = l.pointer(8, 4);
  const ptr y1 = l.pointer(9, 4);
  /* not checked, permission, of the prover's discipline alone:
   *   MAP_EACH == MAP_EACH ==> perm_r(x0, n)
   *   MAP_EACH == MAP_SAME ==> perm_r(x0, 1)
   *   MAP_NONE == MAP_EACH ==> perm_r(x1, n)
   *   MAP_NONE == MAP_SAME ==> perm_r(x1, 1)
   *   MAP_NONE == MAP_EACH ==> perm_r(x2, n)
   *   MAP_NONE == MAP_SAME ==> perm_r(x2, 1)
   *   \forall integer k; 0 <= k < n ==> owner(y0 + k, map_thread(k, V), -1)
   *   \forall integer k; 0 <= k < n ==> owner(y1 + k, map_thread(k, V), -1) */
  REQUIRES((0 <= (4 * V) && (4 * V) <= n && n <= 0x0fffffffffffffff),
           "map_size(n, V, 4): 0 <= 4 * V <= n <= 0x0fffffffffffffff", n, V)
  REQUIRES(((n - ((4 - 1) * V)) <= gsize_ && gsize_ < 0x1000000000000000),
           "n - (4 - 1) * V <= gsize_ < 0x1000000000000000", n, V, gsize_)
  REQUIRES((0 <= 1 && 1 <= 2),
           "reads_kind(x0, K0, n): MAP_NONE <= MAP_EACH <= MAP_SAME")
  REQUIRES((!(1 == 1) || (0 <= n && n <= 0x0fffffffffffffff)),
           "reads_kind(x0, K0, n): MAP_EACH == MAP_EACH ==> 0 <= n <= 0x0fffffffffffffff", n)
  REQUIRES((!(1 == 1) || has(span(x0, 0, (n - 1)))),
           "reads_kind(x0, K0, n): MAP_EACH == MAP_EACH ==> \\valid_read(x0 + (0 .. n - 1))", n)
  REQUIRES((!(1 == 2) || (0 <= 1 && 1 <= 0x0fffffffffffffff)),
           "reads_kind(x0, K0, n): MAP_EACH == MAP_SAME ==> 0 <= 1 <= 0x0fffffffffffffff")
  REQUIRES((!(1 == 2) || has(span(x0, 0, (1 - 1)))),
           "reads_kind(x0, K0, n): MAP_EACH == MAP_SAME ==> \\valid_read(x0 + (0 .. 1 - 1))")
  REQUIRES((0 <= 0 && 0 <= 2),
           "reads_kind(x1, K1, n): MAP_NONE <= MAP_NONE <= MAP_SAME")
  REQUIRES((!(0 == 1) || (0 <= n && n <= 0x0fffffffffffffff)),
           "reads_kind(x1, K1, n): MAP_NONE == MAP_EACH ==> 0 <= n <= 0x0fffffffffffffff", n)
  REQUIRES((!(0 == 1) || has(span(x1, 0, (n - 1)))),
           "reads_kind(x1, K1, n): MAP_NONE == MAP_EACH ==> \\valid_read(x1 + (0 .. n - 1))", n)
  REQUIRES((!(0 == 2) || (0 <= 1 && 1 <= 0x0fffffffffffffff)),
           "reads_kind(x1, K1, n): MAP_NONE == MAP_SAME ==> 0 <= 1 <= 0x0fffffffffffffff")
  REQUIRES((!(0 == 2) || has(span(x1, 0, (1 - 1)))),
           "reads_kind(x1, K1, n): MAP_NONE == MAP_SAME ==> \\valid_read(x1 + (0 .. 1 - 1))")
  REQUIRES((!(0 == 1) || has(span(x2, 0, (n - 1)))),
           "reads_kind(x2, K2, n): MAP_NONE == MAP_EACH ==> \\valid_read(x2 + (0 .. n - 1))", n)
  REQUIRES((!(0 == 2) || has(span(x2, 0, (1 - 1)))),
           "reads_kind(x2, K2, n): MAP_NONE == MAP_SAME ==> \\valid_read(x2 + (0 .. 1 - 1))")
  REQUIRES((0 <= n && n <= 0x0fffffffffffffff),
           "own_map(y0, V, n): 0 <= n <= 0x0fffffffffffffff", n)
  REQUIRES(has(span(y0, 0, (n - 1))),
           "own_map(y0, V, n): \\valid(y0 + (0 .. n - 1))", n)
  REQUIRES(has(span(y1, 0, (n - 1))),
           "own_map(y1, V, n): \\valid(y1 + (0 .. n - 1))", n)
  REQUIRES((!(1 == 1) || (apart(span(x0, 0, (n - 1)), span(y0, 0, (n - 1))))),
           "map_apart(K0, x0, y0, n): MAP_EACH == MAP_EACH ==> \\separated(x0 + (0 .. n - 1), y0 + (0 .. n - 1))", n)
  REQUIRES((!(1 == 2) || (apart(span(x0, 0, (1 - 1)), span(y0, 0, (n - 1))))),
           "map_apart(K0, x0, y0, n): MAP_EACH == MAP_SAME ==> \\separated(x0 + (0 .. 1 - 1), y0 + (0 .. n - 1))", n)
  REQUIRES((!(0 == 1) || (apart(span(x1, 0, (n - 1)), span(y0, 0, (n - 1))))),
           "map_apart(K1, x1, y0, n): MAP_NONE == MAP_EACH ==> \\separated(x1 + (0 .. n - 1), y0 + (0 .. n - 1))", n)
  REQUIRES((!(0 == 2) || (apart(span(x1, 0, (1 - 1)), span(y0, 0, (n - 1))))),
           "map_apart(K1, x1, y0, n): MAP_NONE == MAP_SAME ==> \\separated(x1 + (0 .. 1 - 1), y0 + (0 .. n - 1))", n)
  REQUIRES((!(0 == 1) || (apart(span(x2, 0, (n - 1)), span(y0, 0, (n - 1))))),
           "map_apart(K2, x2, y0, n): MAP_NONE == MAP_EACH ==> \\separated(x2 + (0 .. n - 1), y0 + (0 .. n - 1))", n)
  REQUIRES((!(0 == 2) || (apart(span(x2, 0, (1 - 1)), span(y0, 0, (n - 1))))),
           "map_apart(K2, x2, y0, n): MAP_NONE == MAP_SAME ==> \\separated(x2 + (0 .. 1 - 1), y0 + (0 .. n - 1))", n)
  REQUIRES((!(1 == 1) || (apart(span(x0, 0, (n - 1)), span(y1, 0, (n - 1))))),
           "map_apart(K0, x0, y1, n): MAP_EACH == MAP_EACH ==> \\separated(x0 + (0 .. n - 1), y1 + (0 .. n - 1))", n)
  REQUIRES((!(1 == 2) || (apart(span(x0, 0, (1 - 1)), span(y1, 0, (n - 1))))),
           "map_apart(K0, x0, y1, n): MAP_EACH == MAP_SAME ==> \\separated(x0 + (0 .. 1 - 1), y1 + (0 .. n - 1))", n)
  REQUIRES((!(0 == 1) || (apart(span(x1, 0, (n - 1)), span(y1, 0, (n - 1))))),
           "map_apart(K1, x1, y1, n): MAP_NONE == MAP_EACH ==> \\separated(x1 + (0 .. n - 1), y1 + (0 .. n - 1))", n)
  REQUIRES((!(0 == 2) || (apart(span(x1, 0, (1 - 1)), span(y1, 0, (n - 1))))),
           "map_apart(K1, x1, y1, n): MAP_NONE == MAP_SAME ==> \\separated(x1 + (0 .. 1 - 1), y1 + (0 .. n - 1))", n)
  REQUIRES((!(0 == 1) || (apart(span(x2, 0, (n - 1)), span(y1, 0, (n - 1))))),
           "map_apart(K2, x2, y1, n): MAP_NONE == MAP_EACH ==> \\separated(x2 + (0 .. n - 1), y1 + (0 .. n - 1))", n)
  REQUIRES((!(0 == 2) || (apart(span(x2, 0, (1 - 1)), span(y1, 0, (n - 1))))),
           "map_apart(K2, x2, y1, n): MAP_NONE == MAP_SAME ==> \\separated(x2 + (0 .. 1 - 1), y1 + (0 .. n - 1))", n)
  REQUIRES((apart(span(y0, 0, (n - 1)), span(y1, 0, (n - 1)))),
           "apart(y0, n, y1, n): \\separated(y0 + (0 .. n - 1), y1 + (0 .. n - 1))", n)
  REQUIRES((!(0 < V) || (!(1 == 1) || aligned16(x0))),
           "0 < V ==> map_aligned(K0, x0) && map_aligned(K1, x1) && map_aligned(K2, x2) && aligned16(y0) && aligned16(y1): 0 < V ==> MAP_EACH == MAP_EACH ==> aligned16(x0)", V)
  REQUIRES((!(0 < V) || (!(0 == 1) || aligned16(x1))),
           "0 < V ==> map_aligned(K0, x0) && map_aligned(K1, x1) && map_aligned(K2, x2) && aligned16(y0) && aligned16(y1): 0 < V ==> MAP_NONE == MAP_EACH ==> aligned16(x1)", V)
  REQUIRES((!(0 < V) || (!(0 == 1) || aligned16(x2))),
           "0 < V ==> map_aligned(K0, x0) && map_aligned(K1, x1) && map_aligned(K2, x2) && aligned16(y0) && aligned16(y1): 0 < V ==> MAP_NONE == MAP_EACH ==> aligned16(x2)", V)
  REQUIRES((!(0 < V) || aligned16(y0)),
           "0 < V ==> map_aligned(K0, x0) && map_aligned(K1, x1) && map_aligned(K2, x2) && aligned16(y0) && aligned16(y1): 0 < V ==> aligned16(y0)", V)
  REQUIRES((!(0 < V) || aligned16(y1)),
           "0 < V ==> map_aligned(K0, x0) && map_aligned(K1, x1) && map_aligned(K2, x2) && aligned16(y0) && aligned16(y1): 0 < V ==> aligned16(y1)", V)
  return true;
}

bool check_batch_norm_cluster(const launched &l)
{
  const num VEC = l.constant(0);
  const num DEPTH = l.constant(1);
  const num ALL = l.constant(2);
  const share_plan p = l.get<share_plan>(0);
  const num clusters = l.get<int64_t>(1);
  const num n = l.get<int64_t>(2);
  const num channels = l.get<int64_t>(3);
  const num size = l.get<int64_t>(4);
  const num V = l.get<int64_t>(5);
  const ptr x = l.pointer(7, 4);
  const ptr gamma = l.pointer(8, 4);
  const ptr beta = l.pointer(9, 4);
  const ptr y = l.pointer(10, 4);
  const ptr mean = l.pointer(11, 4);
  const ptr rstd = l.pointer(12, 4);
  /* not checked, permission, of the prover's discipline alone:
   *   perm_r(x, batch_all(n, channels, size))
   *   perm_r(gamma, channels)
   *   perm_r(beta, channels)
   *   perm(y, batch_all(n, channels, size))
   *   perm(mean, channels)
   *   perm(rstd, channels) */
  /* not checked, what the blocks of a cluster will tell each other:
   *   turns_say(clusters, x, n, channels, size, V, p.share) */
  REQUIRES((32 <= bdim_ && bdim_ <= 1024),
           "share_call(p, n, channels, size, V): 32 <= bdim_ <= 1024", bdim_)
  REQUIRES(((bdim_ % 32) == 0),
           "share_call(p, n, channels, size, V): bdim_ % 32 == 0", bdim_)
  REQUIRES((0 < n),
           "share_call(p, n, channels, size, V): 0 < n", n)
  REQUIRES((0 <= channels),
           "share_call(p, n, channels, size, V): 0 <= channels", channels)
  REQUIRES((0 < size),
           "share_call(p, n, channels, size, V): 0 < size", size)
  REQUIRES((((4 * V) - 4) < size && size <= (4 * V)),
           "share_call(p, n, channels, size, V): 4 * V - 4 < size <= 4 * V", size, V)
  REQUIRES((ix(n, channels, 0) <= 0x0fffffffffffffff),
           "share_call(p, n, channels, size, V): ix(n, channels, 0) <= 0x0fffffffffffffff", n, channels)
  REQUIRES((ix(n, size, 0) <= 0x0fffffffffffffff),
           "share_call(p, n, channels, size, V): ix(n, size, 0) <= 0x0fffffffffffffff", n, size)
  REQUIRES((ix(n, V, 0) <= 0x0fffffffffffffff),
           "share_call(p, n, channels, size, V): ix(n, V, 0) <= 0x0fffffffffffffff", n, V)
  REQUIRES((batch_all(n, channels, size) <= 0x0fffffffffffffff),
           "share_call(p, n, channels, size, V): batch_all(n, channels, size) <= 0x0fffffffffffffff", n, channels, size)
  REQUIRES((ix(n, V, 0) <= 0x1fffffff),
           "share_call(p, n, channels, size, V): ix(n, V, 0) <= CHANNEL_VECTORS", n, V)
  REQUIRES((1 < num(p.in_cluster) && num(p.in_cluster) <= 8),
           "share_call(p, n, channels, size, V): 1 < p.in_cluster <= CLUSTER_MOST")
  REQUIRES((0 < num(p.share) && num(p.share) <= 0x1fffffff),
           "share_call(p, n, channels, size, V): 0 < p.share <= CHANNEL_VECTORS")
  REQUIRES((0 <= num(p.kept) && num(p.kept) <= 14144),
           "share_call(p, n, channels, size, V): 0 <= p.kept <= SHARED_VEC4S")
  REQUIRES((ix(n, V, 0) <= ix(num(p.in_cluster), num(p.share), 0) && ix(num(p.in_cluster), num(p.share), 0) <= 0x0fffffffffffffff),
           "share_call(p, n, channels, size, V): ix(n, V, 0) <= ix(p.in_cluster, p.share, 0) <= 0x0fffffffffffffff", n, V)
  REQUIRES((ix(channels, size, 0) <= 0x1fffffffffff),
           "ix(channels, size, 0) <= 0x1fffffffffff", channels, size)
  REQUIRES((!(ALL != 0) || (num(p.share) <= num(p.kept))),
           "ALL != 0 ==> p.share <= p.kept", ALL)
  REQUIRES((0 < clusters && clusters <= channels && channels <= 0x3fffffff),
           "0 < clusters <= channels <= 0x3fffffff", clusters, channels)
  REQUIRES((ix(clusters, num(p.in_cluster), 0) <= blocks_),
           "ix(clusters, p.in_cluster, 0) <= blocks_", clusters, blocks_)
  REQUIRES((1 <= DEPTH && DEPTH <= 2),
           "1 <= DEPTH <= RING_MOST", DEPTH)
  REQUIRES((ix(DEPTH, num(p.kept), 0) <= turn_cells_ && turn_cells_ <= 14144),
           "ix(DEPTH, p.kept, 0) <= turn_cells_ <= SHARED_VEC4S", DEPTH, turn_cells_)
  REQUIRES((0 <= batch_all(n, channels, size) && batch_all(n, channels, size) <= 0x0fffffffffffffff),
           "batch_tensor(x, n, channels, size, V, VEC): 0 <= batch_all(n, channels, size) <= 0x0fffffffffffffff", n, channels, size)
  REQUIRES(has(span(x, 0, (batch_all(n, channels, size) - 1))),
           "batch_tensor(x, n, channels, size, V, VEC): \\valid_read(x + (0 .. batch_all(n, channels, size) - 1))", n, channels, size)
  REQUIRES((!(VEC != 0) || aligned16(x)),
           "batch_tensor(x, n, channels, size, V, VEC): VEC != 0 ==> aligned16(x)", VEC)
  REQUIRES((!(VEC != 0) || (size == (4 * V))),
           "batch_tensor(x, n, channels, size, V, VEC): VEC != 0 ==> size == 4 * V", VEC, size, V)
  REQUIRES((0 <= channels && channels <= 0x0fffffffffffffff),
           "reads(gamma, channels): 0 <= channels <= 0x0fffffffffffffff", channels)
  REQUIRES(has(span(gamma, 0, (channels - 1))),
           "reads(gamma, channels): \\valid_read(gamma + (0 .. channels - 1))", channels)
  REQUIRES(has(span(beta, 0, (channels - 1))),
           "reads(beta, channels): \\valid_read(beta + (0 .. channels - 1))", channels)
  REQUIRES(has(span(y, 0, (batch_all(n, channels, size) - 1))),
           "writes(y, batch_all(n, channels, size)): \\valid(y + (0 .. batch_all(n, channels, size) - 1))", n, channels, size)
  REQUIRES((!(VEC != 0) || aligned16(y)),
           "VEC != 0 ==> aligned16(y)", VEC)
  REQUIRES(has(span(mean, 0, (channels - 1))),
           "writes(mean, channels): \\valid(mean + (0 .. channels - 1))", channels)
  REQUIRES(has(span(rstd, 0, (channels - 1))),
           "writes(rstd, channels): \\valid(rstd + (0 .. channels - 1))", channels)
  REQUIRES((apart(span(x, 0, (batch_all(n, channels, size) - 1)), span(y, 0, (batch_all(n, channels, size) - 1)))),
           "chans_apart(x, gamma, beta, y, mean, rstd, batch_all(n, channels, size), channels): \\separated(x + (0 .. batch_all(n, channels, size) - 1), y + (0 .. batch_all(n, channels, size) - 1))", n, channels, size)
  REQUIRES((apart(span(x, 0, (batch_all(n, channels, size) - 1)), span(mean, 0, (channels - 1)))),
           "chans_apart(x, gamma, beta, y, mean, rstd, batch_all(n, channels, size), channels): \\separated(x + (0 .. batch_all(n, channels, size) - 1), mean + (0 .. channels - 1))", n, channels, size)
  REQUIRES((apart(span(x, 0, (batch_all(n, channels, size) - 1)), span(rstd, 0, (channels - 1)))),
           "chans_apart(x, gamma, beta, y, mean, rstd, batch_all(n, channels, size), channels): \\separated(x + (0 .. batch_all(n, channels, size) - 1), rstd + (0 .. channels - 1))", n, channels, size)
  REQUIRES((apart(span(gamma, 0, (channels - 1)), span(y, 0, (batch_all(n, channels, size) - 1)))),
           "chans_apart(x, gamma, beta, y, mean, rstd, batch_all(n, channels, size), channels): \\separated(gamma + (0 .. channels - 1), y + (0 .. batch_all(n, channels, size) - 1))", n, channels, size)
  REQUIRES((apart(span(gamma, 0, (channels - 1)), span(mean, 0, (channels - 1)))),
           "chans_apart(x, gamma, beta, y, mean, rstd, batch_all(n, channels, size), channels): \\separated(gamma + (0 .. channels - 1), mean + (0 .. channels - 1))", channels)
  REQUIRES((apart(span(gamma, 0, (channels - 1)), span(rstd, 0, (channels - 1)))),
           "chans_apart(x, gamma, beta, y, mean, rstd, batch_all(n, channels, size), channels): \\separated(gamma + (0 .. channels - 1), rstd + (0 .. channels - 1))", channels)
  REQUIRES((apart(span(beta, 0, (channels - 1)), span(y, 0, (batch_all(n, channels, size) - 1)))),
           "chans_apart(x, gamma, beta, y, mean, rstd, batch_all(n, channels, size), channels): \\separated(beta + (0 .. channels - 1), y + (0 .. batch_all(n, channels, size) - 1))", n, channels, size)
  REQUIRES((apart(span(beta, 0, (channels - 1)), span(mean, 0, (channels - 1)))),
           "chans_apart(x, gamma, beta, y, mean, rstd, batch_all(n, channels, size), channels): \\separated(beta + (0 .. channels - 1), mean + (0 .. channels - 1))", channels)
  REQUIRES((apart(span(beta, 0, (channels - 1)), span(rstd, 0, (channels - 1)))),
           "chans_apart(x, gamma, beta, y, mean, rstd, batch_all(n, channels, size), channels): \\separated(beta + (0 .. channels - 1), rstd + (0 .. channels - 1))", channels)
  REQUIRES((apart(span(y, 0, (batch_all(n, channels, size) - 1)), span(mean, 0, (channels - 1)))),
           "chans_apart(x, gamma, beta, y, mean, rstd, batch_all(n, channels, size), channels): \\separated(y + (0 .. batch_all(n, channels, size) - 1), mean + (0 .. channels - 1))", n, channels, size)
  REQUIRES((apart(span(y, 0, (batch_all(n, channels, size) - 1)), span(rstd, 0, (channels - 1)))),
           "chans_apart(x, gamma, beta, y, mean, rstd, batch_all(n, channels, size), channels): \\separated(y + (0 .. batch_all(n, channels, size) - 1), rstd + (0 .. channels - 1))", n, channels, size)
  REQUIRES((apart(span(mean, 0, (channels - 1)), span(rstd, 0, (channels - 1)))),
           "chans_apart(x, gamma, beta, y, mean, rstd, batch_all(n, channels, size), channels): \\separated(mean + (0 .. channels - 1), rstd + (0 .. channels - 1))", channels)
  return true;
}

bool check_batch_norm_parts_out(const launched &l)
{
  const num VEC = l.constant(0);
  const num n = l.get<int64_t>(0);
  const num channels = l.get<int64_t>(1);
  const num size = l.get<int64_t>(2);
  const num V = l.get<int64_t>(3);
  const num chunk = l.get<int64_t>(4);
  const num parts = l.get<int64_t>(5);
  const ptr x = l.pointer(7, 4);
  const ptr gamma = l.pointer(8, 4);
  const ptr beta = l.pointer(9, 4);
  const ptr sums = l.pointer(10, 4);
  const ptr squares = l.pointer(11, 4);
  const ptr y = l.pointer(12, 4);
  const ptr mean = l.pointer(13, 4);
  const ptr rstd = l.pointer(14, 4);
  /* not checked, permission, of the prover's discipline alone:
   *   perm_r(x, batch_all(n, channels, size))
   *   perm_r(gamma, channels)
   *   perm_r(beta, channels)
   *   perm_r(sums, ix(channels, parts, 0))
   *   perm_r(squares, ix(channels, parts, 0))
   *   perm(y, batch_all(n, channels, size))
   *   perm(mean, channels)
   *   perm(rstd, channels) */
  /* not checked, values of tensors over the reals, which an earlier launch left or the case has:
   *   chan_totals(0, x, sums, n, channels, size, parts, channels)
   *   chan_totals(1, x, squares, n, channels, size, parts, channels) */
  REQUIRES((32 <= bdim_ && bdim_ <= 1024),
           "block: 32 <= bdim_ <= 1024", bdim_)
  REQUIRES(((bdim_ % 32) == 0),
           "block: bdim_ % 32 == 0", bdim_)
  REQUIRES((0 < n),
           "batch_sizes(n, channels, size, V): 0 < n", n)
  REQUIRES((0 <= channels),
           "batch_sizes(n, channels, size, V): 0 <= channels", channels)
  REQUIRES((0 < size),
           "batch_sizes(n, channels, size, V): 0 < size", size)
  REQUIRES((((4 * V) - 4) < size && size <= (4 * V)),
           "batch_sizes(n, channels, size, V): 4 * V - 4 < size <= 4 * V", size, V)
  REQUIRES((ix(n, channels, 0) <= 0x0fffffffffffffff),
           "batch_sizes(n, channels, size, V): ix(n, channels, 0) <= 0x0fffffffffffffff", n, channels)
  REQUIRES((ix(n, size, 0) <= 0x0fffffffffffffff),
           "batch_sizes(n, channels, size, V): ix(n, size, 0) <= 0x0fffffffffffffff", n, size)
  REQUIRES((ix(n, V, 0) <= 0x0fffffffffffffff),
           "batch_sizes(n, channels, size, V): ix(n, V, 0) <= 0x0fffffffffffffff", n, V)
  REQUIRES((batch_all(n, channels, size) <= 0x0fffffffffffffff),
           "batch_sizes(n, channels, size, V): batch_all(n, channels, size) <= 0x0fffffffffffffff", n, channels, size)
  REQUIRES((0 < chunk && chunk <= 0x0fffffffffffffff),
           "parts_ok(n, V, chunk, parts): 0 < chunk <= 0x0fffffffffffffff", chunk)
  REQUIRES((0 < parts),
           "parts_ok(n, V, chunk, parts): 0 < parts", parts)
  REQUIRES((0 < ix(n, V, 0)),
           "parts_ok(n, V, chunk, parts): 0 < ix(n, V, 0)", n, V)
  REQUIRES((0 <= ix((parts - 1), chunk, 0) && ix((parts - 1), chunk, 0) < ix(n, V, 0) && ix(n, V, 0) <= ix(parts, chunk, 0)),
           "parts_ok(n, V, chunk, parts): 0 <= ix(parts - 1, chunk, 0) < ix(n, V, 0) <= ix(parts, chunk, 0)", n, V, chunk, parts)
  REQUIRES((ix(channels, parts, 0) <= blocks_),
           "ix(channels, parts, 0) <= blocks_", channels, parts, blocks_)
  REQUIRES((0 <= batch_all(n, channels, size) && batch_all(n, channels, size) <= 0x0fffffffffffffff),
           "batch_tensor(x, n, channels, size, V, VEC): 0 <= batch_all(n, channels, size) <= 0x0fffffffffffffff", n, channels, size)
  REQUIRES(has(span(x, 0, (batch_all(n, channels, size) - 1))),
           "batch_tensor(x, n, channels, size, V, VEC): \\valid_read(x + (0 .. batch_all(n, channels, size) - 1))", n, channels, size)
  REQUIRES((!(VEC != 0) || aligned16(x)),
           "batch_tensor(x, n, channels, size, V, VEC): VEC != 0 ==> aligned16(x)", VEC)
  REQUIRES((!(VEC != 0) || (size == (4 * V))),
           "batch_tensor(x, n, channels, size, V, VEC): VEC != 0 ==> size == 4 * V", VEC, size, V)
  REQUIRES((0 <= channels && channels <= 0x0fffffffffffffff),
           "reads(gamma, channels): 0 <= channels <= 0x0fffffffffffffff", channels)
  REQUIRES(has(span(gamma, 0, (channels - 1))),
           "reads(gamma, channels): \\valid_read(gamma + (0 .. channels - 1))", channels)
  REQUIRES(has(span(beta, 0, (channels - 1))),
           "reads(beta, channels): \\valid_read(beta + (0 .. channels - 1))", channels)
  REQUIRES((0 <= ix(channels, parts, 0) && ix(channels, parts, 0) <= 0x0fffffffffffffff),
           "reads(sums, ix(channels, parts, 0)): 0 <= ix(channels, parts, 0) <= 0x0fffffffffffffff", channels, parts)
  REQUIRES(has(span(sums, 0, (ix(channels, parts, 0) - 1))),
           "reads(sums, ix(channels, parts, 0)): \\valid_read(sums + (0 .. ix(channels, parts, 0) - 1))", channels, parts)
  REQUIRES(has(span(squares, 0, (ix(channels, parts, 0) - 1))),
           "reads(squares, ix(channels, parts, 0)): \\valid_read(squares + (0 .. ix(channels, parts, 0) - 1))", channels, parts)
  REQUIRES(has(span(y, 0, (batch_all(n, channels, size) - 1))),
           "writes(y, batch_all(n, channels, size)): \\valid(y + (0 .. batch_all(n, channels, size) - 1))", n, channels, size)
  REQUIRES(has(span(mean, 0, (channels - 1))),
           "writes(mean, channels): \\valid(mean + (0 .. channels - 1))", channels)
  REQUIRES(has(span(rstd, 0, (channels - 1))),
           "writes(rstd, channels): \\valid(rstd + (0 .. channels - 1))", channels)
  REQUIRES((!(VEC != 0) || aligned16(y)),
           "VEC != 0 ==> aligned16(y)", VEC)
  REQUIRES((apart(span(x, 0, (batch_all(n, channels, size) - 1)), span(y, 0, (batch_all(n, channels, size) - 1)))),
           "batch_ins(x, gamma, beta, sums, squares, y, mean, rstd, n, channels, size, parts): \\separated(x + (0 .. batch_all(n, channels, size) - 1), y + (0 .. batch_all(n, channels, size) - 1))", n, channels, size)
  REQUIRES((apart(span(x, 0, (batch_all(n, channels, size) - 1)), span(mean, 0, (channels - 1)))),
           "batch_ins(x, gamma, beta, sums, squares, y, mean, rstd, n, channels, size, parts): \\separated(x + (0 .. batch_all(n, channels, size) - 1), mean + (0 .. channels - 1))", n, channels, size)
  REQUIRES((apart(span(x, 0, (batch_all(n, channels, size) - 1)), span(rstd, 0, (channels - 1)))),
           "batch_ins(x, gamma, beta, sums, squares, y, mean, rstd, n, channels, size, parts): \\separated(x + (0 .. batch_all(n, channels, size) - 1), rstd + (0 .. channels - 1))", n, channels, size)
  REQUIRES((apart(span(gamma, 0, (channels - 1)), span(y, 0, (batch_all(n, channels, size) - 1)))),
           "batch_ins(x, gamma, beta, sums, squares, y, mean, rstd, n, channels, size, parts): \\separated(gamma + (0 .. channels - 1), y + (0 .. batch_all(n, channels, size) - 1))", n, channels, size)
  REQUIRES((apart(span(gamma, 0, (channels - 1)), span(mean, 0, (channels - 1)))),
           "batch_ins(x, gamma, beta, sums, squares, y, mean, rstd, n, channels, size, parts): \\separated(gamma + (0 .. channels - 1), mean + (0 .. channels - 1))", channels)
  REQUIRES((apart(span(gamma, 0, (channels - 1)), span(rstd, 0, (channels - 1)))),
           "batch_ins(x, gamma, beta, sums, squares, y, mean, rstd, n, channels, size, parts): \\separated(gamma + (0 .. channels - 1), rstd + (0 .. channels - 1))", channels)
  REQUIRES((apart(span(beta, 0, (channels - 1)), span(y, 0, (batch_all(n, channels, size) - 1)))),
           "batch_ins(x, gamma, beta, sums, squares, y, mean, rstd, n, channels, size, parts): \\separated(beta + (0 .. channels - 1), y + (0 .. batch_all(n, channels, size) - 1))", n, channels, size)
  REQUIRES((apart(span(beta, 0, (channels - 1)), span(mean, 0, (channels - 1)))),
           "batch_ins(x, gamma, beta, sums, squares, y, mean, rstd, n, channels, size, parts): \\separated(beta + (0 .. channels - 1), mean + (0 .. channels - 1))", channels)
  REQUIRES((apart(span(beta, 0, (channels - 1)), span(rstd, 0, (channels - 1)))),
           "batch_ins(x, gamma, beta, sums, squares, y, mean, rstd, n, channels, size, parts): \\separated(beta + (0 .. channels - 1), rstd + (0 .. channels - 1))", channels)
  REQUIRES((apart(span(sums, 0, (ix(channels, parts, 0) - 1)), span(y, 0, (batch_all(n, channels, size) - 1)))),
           "batch_ins(x, gamma, beta, sums, squares, y, mean, rstd, n, channels, size, parts): \\separated(sums + (0 .. ix(channels, parts, 0) - 1), y + (0 .. batch_all(n, channels, size) - 1))", n, channels, size, parts)
  REQUIRES((apart(span(sums, 0, (ix(channels, parts, 0) - 1)), span(mean, 0, (channels - 1)))),
           "batch_ins(x, gamma, beta, sums, squares, y, mean, rstd, n, channels, size, parts): \\separated(sums + (0 .. ix(channels, parts, 0) - 1), mean + (0 .. channels - 1))", channels, parts)
  REQUIRES((apart(span(sums, 0, (ix(channels, parts, 0) - 1)), span(rstd, 0, (channels - 1)))),
           "batch_ins(x, gamma, beta, sums, squares, y, mean, rstd, n, channels, size, parts): \\separated(sums + (0 .. ix(channels, parts, 0) - 1), rstd + (0 .. channels - 1))", channels, parts)
  REQUIRES((apart(span(squares, 0, (ix(channels, parts, 0) - 1)), span(y, 0, (batch_all(n, channels, size) - 1)))),
           "batch_ins(x, gamma, beta, sums, squares, y, mean, rstd, n, channels, size, parts): \\separated(squares + (0 .. ix(channels, parts, 0) - 1), y + (0 .. batch_all(n, channels, size) - 1))", n, channels, size, parts)
  REQUIRES((apart(span(squares, 0, (ix(channels, parts, 0) - 1)), span(mean, 0, (channels - 1)))),
           "batch_ins(x, gamma, beta, sums, squares, y, mean, rstd, n, channels, size, parts): \\separated(squares + (0 .. ix(channels, parts, 0) - 1), mean + (0 .. channels - 1))", channels, parts)
  REQUIRES((apart(span(squares, 0, (ix(channels, parts, 0) - 1)), span(rstd, 0, (channels - 1)))),
           "batch_ins(x, gamma, beta, sums, squares, y, mean, rstd, n, channels, size, parts): \\separated(squares + (0 .. ix(channels, parts, 0) - 1), rstd + (0 .. channels - 1))", channels, parts)
  REQUIRES((apart(span(y, 0, (batch_all(n, channels, size) - 1)), span(mean, 0, (channels - 1)))),
           "batch_outs(y, mean, rstd, batch_all(n, channels, size), channels): \\separated(y + (0 .. batch_all(n, channels, size) - 1), mean + (0 .. channels - 1))", n, channels, size)
  REQUIRES((apart(span(y, 0, (batch_all(n, channels, size) - 1)), span(rstd, 0, (channels - 1)))),
           "batch_outs(y, mean, rstd, batch_all(n, channels, size), channels): \\separated(y + (0 .. batch_all(n, channels, size) - 1), rstd + (0 .. channels - 1))", n, channels, size)
  REQUIRES((apart(span(mean, 0, (channels - 1)), span(rstd, 0, (channels - 1)))),
           "batch_outs(y, mean, rstd, batch_all(n, channels, size), channels): \\separated(mean + (0 .. channels - 1), rstd + (0 .. channels - 1))", channels)
  return true;
}

bool check_batch_norm_parts_sums(const launched &l)
{
  const num SQUARES = l.constant(0);
  const num VEC = l.constant(1);
  const num n = l.get<int64_t>(0);
  const num channels = l.get<int64_t>(1);
  const num size = l.get<int64_t>(2);
  const num V = l.get<int64_t>(3);
  const num chunk = l.get<int64_t>(4);
  const num parts = l.get<int64_t>(5);
  const ptr x = l.pointer(6, 4);
  const ptr sums = l.pointer(7, 4);
  const ptr out = l.pointer(8, 4);
  /* not checked, permission, of the prover's discipline alone:
   *   perm_r(x, batch_all(n, channels, size))
   *   perm(out, ix(channels, parts, 0))
   *   SQUARES != 0 ==> perm_r(sums, ix(channels, parts, 0)) */
  /* not checked, values of tensors over the reals, which an earlier launch left or the case has:
   *   SQUARES != 0 ==> chan_totals(0, x, sums, n, channels, size, parts, channels) */
  REQUIRES((32 <= bdim_ && bdim_ <= 1024),
           "block: 32 <= bdim_ <= 1024", bdim_)
  REQUIRES(((bdim_ % 32) == 0),
           "block: bdim_ % 32 == 0", bdim_)
  REQUIRES((0 < n),
           "batch_sizes(n, channels, size, V): 0 < n", n)
  REQUIRES((0 <= channels),
           "batch_sizes(n, channels, size, V): 0 <= channels", channels)
  REQUIRES((0 < size),
           "batch_sizes(n, channels, size, V): 0 < size", size)
  REQUIRES((((4 * V) - 4) < size && size <= (4 * V)),
           "batch_sizes(n, channels, size, V): 4 * V - 4 < size <= 4 * V", size, V)
  REQUIRES((ix(n, channels, 0) <= 0x0fffffffffffffff),
           "batch_sizes(n, channels, size, V): ix(n, channels, 0) <= 0x0fffffffffffffff", n, channels)
  REQUIRES((ix(n, size, 0) <= 0x0fffffffffffffff),
           "batch_sizes(n, channels, size, V): ix(n, size, 0) <= 0x0fffffffffffffff", n, size)
  REQUIRES((ix(n, V, 0) <= 0x0fffffffffffffff),
           "batch_sizes(n, channels, size, V): ix(n, V, 0) <= 0x0fffffffffffffff", n, V)
  REQUIRES((batch_all(n, channels, size) <= 0x0fffffffffffffff),
           "batch_sizes(n, channels, size, V): batch_all(n, channels, size) <= 0x0fffffffffffffff", n, channels, size)
  REQUIRES((0 < chunk && chunk <= 0x0fffffffffffffff),
           "parts_ok(n, V, chunk, parts): 0 < chunk <= 0x0fffffffffffffff", chunk)
  REQUIRES((0 < parts),
           "parts_ok(n, V, chunk, parts): 0 < parts", parts)
  REQUIRES((0 < ix(n, V, 0)),
           "parts_ok(n, V, chunk, parts): 0 < ix(n, V, 0)", n, V)
  REQUIRES((0 <= ix((parts - 1), chunk, 0) && ix((parts - 1), chunk, 0) < ix(n, V, 0) && ix(n, V, 0) <= ix(parts, chunk, 0)),
           "parts_ok(n, V, chunk, parts): 0 <= ix(parts - 1, chunk, 0) < ix(n, V, 0) <= ix(parts, chunk, 0)", n, V, chunk, parts)
  REQUIRES((ix(channels, parts, 0) <= blocks_),
           "ix(channels, parts, 0) <= blocks_", channels, parts, blocks_)
  REQUIRES((0 <= batch_all(n, channels, size) && batch_all(n, channels, size) <= 0x0fffffffffffffff),
           "batch_tensor(x, n, channels, size, V, VEC): 0 <= batch_all(n, channels, size) <= 0x0fffffffffffffff", n, channels, size)
  REQUIRES(has(span(x, 0, (batch_all(n, channels, size) - 1))),
           "batch_tensor(x, n, channels, size, V, VEC): \\valid_read(x + (0 .. batch_all(n, channels, size) - 1))", n, channels, size)
  REQUIRES((!(VEC != 0) || aligned16(x)),
           "batch_tensor(x, n, channels, size, V, VEC): VEC != 0 ==> aligned16(x)", VEC)
  REQUIRES((!(VEC != 0) || (size == (4 * V))),
           "batch_tensor(x, n, channels, size, V, VEC): VEC != 0 ==> size == 4 * V", VEC, size, V)
  REQUIRES((0 <= ix(channels, parts, 0) && ix(channels, parts, 0) <= 0x0fffffffffffffff),
           "writes(out, ix(channels, parts, 0)): 0 <= ix(channels, parts, 0) <= 0x0fffffffffffffff", channels, parts)
  REQUIRES(has(span(out, 0, (ix(channels, parts, 0) - 1))),
           "writes(out, ix(channels, parts, 0)): \\valid(out + (0 .. ix(channels, parts, 0) - 1))", channels, parts)
  REQUIRES((apart(span(x, 0, (batch_all(n, channels, size) - 1)), span(out, 0, (ix(channels, parts, 0) - 1)))),
           "apart(x, batch_all(n, channels, size), out, ix(channels, parts, 0)): \\separated(x + (0 .. batch_all(n, channels, size) - 1), out + (0 .. ix(channels, parts, 0) - 1))", n, channels, size, parts)
  REQUIRES((!(SQUARES != 0) || (0 <= ix(channels, parts, 0) && ix(channels, parts, 0) <= 0x0fffffffffffffff)),
           "SQUARES != 0 ==> reads(sums, ix(channels, parts, 0)) && apart(sums, ix(channels, parts, 0), out, ix(channels, parts, 0)) && chan_totals(0, x, sums, n, channels, size, parts, channels): SQUARES != 0 ==> 0 <= ix(channels, parts, 0) <= 0x0fffffffffffffff", SQUARES, channels, parts)
  REQUIRES((!(SQUARES != 0) || has(span(sums, 0, (ix(channels, parts, 0) - 1)))),
           "SQUARES != 0 ==> reads(sums, ix(channels, parts, 0)) && apart(sums, ix(channels, parts, 0), out, ix(channels, parts, 0)) && chan_totals(0, x, sums, n, channels, size, parts, channels): SQUARES != 0 ==> \\valid_read(sums + (0 .. ix(channels, parts, 0) - 1))", SQUARES, channels, parts)
  REQUIRES((!(SQUARES != 0) || (apart(span(sums, 0, (ix(channels, parts, 0) - 1)), span(out, 0, (ix(channels, parts, 0) - 1))))),
           "SQUARES != 0 ==> reads(sums, ix(channels, parts, 0)) && apart(sums, ix(channels, parts, 0), out, ix(channels, parts, 0)) && chan_totals(0, x, sums, n, channels, size, parts, channels): SQUARES != 0 ==> \\separated(sums + (0 .. ix(channels, parts, 0) - 1), out + (0 .. ix(channels, parts, 0) - 1))", SQUARES, channels, parts)
  return true;
}

bool check_batch_norm_vjp_cluster(const launched &l)
{
  const num VEC = l.constant(0);
  const share_plan p = l.get<share_plan>(0);
  const num n = l.get<int64_t>(2);
  const num channels = l.get<int64_t>(3);
  const num size = l.get<int64_t>(4);
  const num V = l.get<int64_t>(5);
  const ptr x = l.pointer(6, 4);
  const ptr gamma = l.pointer(7, 4);
  const ptr mean = l.pointer(8, 4);
  const ptr rstd = l.pointer(9, 4);
  const ptr g = l.pointer(10, 4);
  const ptr dx = l.pointer(11, 4);
  const ptr dgamma = l.pointer(12, 4);
  const ptr dbeta = l.pointer(13, 4);
  /* not checked, permission, of the prover's discipline alone:
   *   perm_r(x, batch_all(n, channels, size))
   *   perm_r(g, batch_all(n, channels, size))
   *   perm_r(gamma, channels)
   *   perm_r(mean, channels)
   *   perm_r(rstd, channels)
   *   perm(dx, batch_all(n, channels, size))
   *   perm(dgamma, channels)
   *   perm(dbeta, channels) */
  REQUIRES((32 <= bdim_ && bdim_ <= 1024),
           "share_call(p, n, channels, size, V): 32 <= bdim_ <= 1024", bdim_)
  REQUIRES(((bdim_ % 32) == 0),
           "share_call(p, n, channels, size, V): bdim_ % 32 == 0", bdim_)
  REQUIRES((0 < n),
           "share_call(p, n, channels, size, V): 0 < n", n)
  REQUIRES((0 <= channels),
           "share_call(p, n, channels, size, V): 0 <= channels", channels)
  REQUIRES((0 < size),
           "share_call(p, n, channels, size, V): 0 < size", size)
  REQUIRES((((4 * V) - 4) < size && size <= (4 * V)),
           "share_call(p, n, channels, size, V): 4 * V - 4 < size <= 4 * V", size, V)
  REQUIRES((ix(n, channels, 0) <= 0x0fffffffffffffff),
           "share_call(p, n, channels, size, V): ix(n, channels, 0) <= 0x0fffffffffffffff", n, channels)
  REQUIRES((ix(n, size, 0) <= 0x0fffffffffffffff),
           "share_call(p, n, channels, size, V): ix(n, size, 0) <= 0x0fffffffffffffff", n, size)
  REQUIRES((ix(n, V, 0) <= 0x0fffffffffffffff),
           "share_call(p, n, channels, size, V): ix(n, V, 0) <= 0x0fffffffffffffff", n, V)
  REQUIRES((batch_all(n, channels, size) <= 0x0fffffffffffffff),
           "share_call(p, n, channels, size, V): batch_all(n, channels, size) <= 0x0fffffffffffffff", n, channels, size)
  REQUIRES((ix(n, V, 0) <= 0x1fffffff),
           "share_call(p, n, channels, size, V): ix(n, V, 0) <= CHANNEL_VECTORS", n, V)
  REQUIRES((1 < num(p.in_cluster) && num(p.in_cluster) <= 8),
           "share_call(p, n, channels, size, V): 1 < p.in_cluster <= CLUSTER_MOST")
  REQUIRES((0 < num(p.share) && num(p.share) <= 0x1fffffff),
           "share_call(p, n, channels, size, V): 0 < p.share <= CHANNEL_VECTORS")
  REQUIRES((0 <= num(p.kept) && num(p.kept) <= 14144),
           "share_call(p, n, channels, size, V): 0 <= p.kept <= SHARED_VEC4S")
  REQUIRES((ix(n, V, 0) <= ix(num(p.in_cluster), num(p.share), 0) && ix(num(p.in_cluster), num(p.share), 0) <= 0x0fffffffffffffff),
           "share_call(p, n, channels, size, V): ix(n, V, 0) <= ix(p.in_cluster, p.share, 0) <= 0x0fffffffffffffff", n, V)
  REQUIRES((ix(channels, num(p.in_cluster), 0) <= blocks_),
           "ix(channels, p.in_cluster, 0) <= blocks_", channels, blocks_)
  REQUIRES((ix(channels, size, 0) <= 0x1fffffffffff),
           "ix(channels, size, 0) <= 0x1fffffffffff", channels, size)
  REQUIRES((0 <= batch_all(n, channels, size) && batch_all(n, channels, size) <= 0x0fffffffffffffff),
           "batch_tensor(x, n, channels, size, V, VEC): 0 <= batch_all(n, channels, size) <= 0x0fffffffffffffff", n, channels, size)
  REQUIRES(has(span(x, 0, (batch_all(n, channels, size) - 1))),
           "batch_tensor(x, n, channels, size, V, VEC): \\valid_read(x + (0 .. batch_all(n, channels, size) - 1))", n, channels, size)
  REQUIRES((!(VEC != 0) || aligned16(x)),
           "batch_tensor(x, n, channels, size, V, VEC): VEC != 0 ==> aligned16(x)", VEC)
  REQUIRES((!(VEC != 0) || (size == (4 * V))),
           "batch_tensor(x, n, channels, size, V, VEC): VEC != 0 ==> size == 4 * V", VEC, size, V)
  REQUIRES(has(span(g, 0, (batch_all(n, channels, size) - 1))),
           "batch_tensor(g, n, channels, size, V, VEC): \\valid_read(g + (0 .. batch_all(n, channels, size) - 1))", n, channels, size)
  REQUIRES((!(VEC != 0) || aligned16(g)),
           "batch_tensor(g, n, channels, size, V, VEC): VEC != 0 ==> aligned16(g)", VEC)
  REQUIRES((0 <= channels && channels <= 0x0fffffffffffffff),
           "reads(gamma, channels): 0 <= channels <= 0x0fffffffffffffff", channels)
  REQUIRES(has(span(gamma, 0, (channels - 1))),
           "reads(gamma, channels): \\valid_read(gamma + (0 .. channels - 1))", channels)
  REQUIRES(has(span(mean, 0, (channels - 1))),
           "reads(mean, channels): \\valid_read(mean + (0 .. channels - 1))", channels)
  REQUIRES(has(span(rstd, 0, (channels - 1))),
           "reads(rstd, channels): \\valid_read(rstd + (0 .. channels - 1))", channels)
  REQUIRES(has(span(dx, 0, (batch_all(n, channels, size) - 1))),
           "writes(dx, batch_all(n, channels, size)): \\valid(dx + (0 .. batch_all(n, channels, size) - 1))", n, channels, size)
  REQUIRES((!(VEC != 0) || aligned16(dx)),
           "VEC != 0 ==> aligned16(dx)", VEC)
  REQUIRES(has(span(dgamma, 0, (channels - 1))),
           "writes(dgamma, channels): \\valid(dgamma + (0 .. channels - 1))", channels)
  REQUIRES(has(span(dbeta, 0, (channels - 1))),
           "writes(dbeta, channels): \\valid(dbeta + (0 .. channels - 1))", channels)
  REQUIRES((apart(span(x, 0, (batch_all(n, channels, size) - 1)), span(dx, 0, (batch_all(n, channels, size) - 1)))),
           "apart(x, batch_all(n, channels, size), dx, batch_all(n, channels, size)): \\separated(x + (0 .. batch_all(n, channels, size) - 1), dx + (0 .. batch_all(n, channels, size) - 1))", n, channels, size)
  REQUIRES((apart(span(g, 0, (batch_all(n, channels, size) - 1)), span(dx, 0, (batch_all(n, channels, size) - 1)))),
           "apart(g, batch_all(n, channels, size), dx, batch_all(n, channels, size)): \\separated(g + (0 .. batch_all(n, channels, size) - 1), dx + (0 .. batch_all(n, channels, size) - 1))", n, channels, size)
  return true;
}

bool check_batch_norm_vjp_parts_out(const launched &l)
{
  const num VEC = l.constant(0);
  const num n = l.get<int64_t>(1);
  const num channels = l.get<int64_t>(2);
  const num size = l.get<int64_t>(3);
  const num V = l.get<int64_t>(4);
  const num chunk = l.get<int64_t>(5);
  const num parts = l.get<int64_t>(6);
  const ptr x = l.pointer(7, 4);
  const ptr gamma = l.pointer(8, 4);
  const ptr mean = l.pointer(9, 4);
  const ptr rstd = l.pointer(10, 4);
  const ptr g = l.pointer(11, 4);
  const ptr of_g = l.pointer(12, 4);
  const ptr of_hat = l.pointer(13, 4);
  const ptr dx = l.pointer(14, 4);
  const ptr dgamma = l.pointer(15, 4);
  const ptr dbeta = l.pointer(16, 4);
  /* not checked, permission, of the prover's discipline alone:
   *   perm_r(x, batch_all(n, channels, size))
   *   perm_r(g, batch_all(n, channels, size))
   *   perm_r(mean, channels)
   *   perm_r(rstd, channels)
   *   perm_r(gamma, channels)
   *   perm_r(of_g, ix(channels, parts, 0))
   *   perm_r(of_hat, ix(channels, parts, 0))
   *   perm(dx, batch_all(n, channels, size))
   *   perm(dgamma, channels)
   *   perm(dbeta, channels) */
  REQUIRES((32 <= bdim_ && bdim_ <= 1024),
           "block: 32 <= bdim_ <= 1024", bdim_)
  REQUIRES(((bdim_ % 32) == 0),
           "block: bdim_ % 32 == 0", bdim_)
  REQUIRES((0 < n),
           "batch_sizes(n, channels, size, V): 0 < n", n)
  REQUIRES((0 <= channels),
           "batch_sizes(n, channels, size, V): 0 <= channels", channels)
  REQUIRES((0 < size),
           "batch_sizes(n, channels, size, V): 0 < size", size)
  REQUIRES((((4 * V) - 4) < size && size <= (4 * V)),
           "batch_sizes(n, channels, size, V): 4 * V - 4 < size <= 4 * V", size, V)
  REQUIRES((ix(n, channels, 0) <= 0x0fffffffffffffff),
           "batch_sizes(n, channels, size, V): ix(n, channels, 0) <= 0x0fffffffffffffff", n, channels)
  REQUIRES((ix(n, size, 0) <= 0x0fffffffffffffff),
           "batch_sizes(n, channels, size, V): ix(n, size, 0) <= 0x0fffffffffffffff", n, size)
  REQUIRES((ix(n, V, 0) <= 0x0fffffffffffffff),
           "batch_sizes(n, channels, size, V): ix(n, V, 0) <= 0x0fffffffffffffff", n, V)
  REQUIRES((batch_all(n, channels, size) <= 0x0fffffffffffffff),
           "batch_sizes(n, channels, size, V): batch_all(n, channels, size) <= 0x0fffffffffffffff", n, channels, size)
  REQUIRES((0 < chunk && chunk <= 0x0fffffffffffffff),
           "parts_ok(n, V, chunk, parts): 0 < chunk <= 0x0fffffffffffffff", chunk)
  REQUIRES((0 < parts),
           "parts_ok(n, V, chunk, parts): 0 < parts", parts)
  REQUIRES((0 < ix(n, V, 0)),
           "parts_ok(n, V, chunk, parts): 0 < ix(n, V, 0)", n, V)
  REQUIRES((0 <= ix((parts - 1), chunk, 0) && ix((parts - 1), chunk, 0) < ix(n, V, 0) && ix(n, V, 0) <= ix(parts, chunk, 0)),
           "parts_ok(n, V, chunk, parts): 0 <= ix(parts - 1, chunk, 0) < ix(n, V, 0) <= ix(parts, chunk, 0)", n, V, chunk, parts)
  REQUIRES((ix(channels, parts, 0) <= blocks_),
           "ix(channels, parts, 0) <= blocks_", channels, parts, blocks_)
  REQUIRES((0 <= batch_all(n, channels, size) && batch_all(n, channels, size) <= 0x0fffffffffffffff),
           "batch_vjp_in(x, mean, rstd, g, n, channels, size, V, VEC): 0 <= batch_all(n, channels, size) <= 0x0fffffffffffffff", n, channels, size)
  REQUIRES(has(span(x, 0, (batch_all(n, channels, size) - 1))),
           "batch_vjp_in(x, mean, rstd, g, n, channels, size, V, VEC): \\valid_read(x + (0 .. batch_all(n, channels, size) - 1))", n, channels, size)
  REQUIRES((!(VEC != 0) || aligned16(x)),
           "batch_vjp_in(x, mean, rstd, g, n, channels, size, V, VEC): VEC != 0 ==> aligned16(x)", VEC)
  REQUIRES((!(VEC != 0) || (size == (4 * V))),
           "batch_vjp_in(x, mean, rstd, g, n, channels, size, V, VEC): VEC != 0 ==> size == 4 * V", VEC, size, V)
  REQUIRES(has(span(g, 0, (batch_all(n, channels, size) - 1))),
           "batch_vjp_in(x, mean, rstd, g, n, channels, size, V, VEC): \\valid_read(g + (0 .. batch_all(n, channels, size) - 1))", n, channels, size)
  REQUIRES((!(VEC != 0) || aligned16(g)),
           "batch_vjp_in(x, mean, rstd, g, n, channels, size, V, VEC): VEC != 0 ==> aligned16(g)", VEC)
  REQUIRES((0 <= channels && channels <= 0x0fffffffffffffff),
           "batch_vjp_in(x, mean, rstd, g, n, channels, size, V, VEC): 0 <= channels <= 0x0fffffffffffffff", channels)
  REQUIRES(has(span(mean, 0, (channels - 1))),
           "batch_vjp_in(x, mean, rstd, g, n, channels, size, V, VEC): \\valid_read(mean + (0 .. channels - 1))", channels)
  REQUIRES(has(span(rstd, 0, (channels - 1))),
           "batch_vjp_in(x, mean, rstd, g, n, channels, size, V, VEC): \\valid_read(rstd + (0 .. channels - 1))", channels)
  REQUIRES(has(span(gamma, 0, (channels - 1))),
           "reads(gamma, channels): \\valid_read(gamma + (0 .. channels - 1))", channels)
  REQUIRES((0 <= ix(channels, parts, 0) && ix(channels, parts, 0) <= 0x0fffffffffffffff),
           "reads(of_g, ix(channels, parts, 0)): 0 <= ix(channels, parts, 0) <= 0x0fffffffffffffff", channels, parts)
  REQUIRES(has(span(of_g, 0, (ix(channels, parts, 0) - 1))),
           "reads(of_g, ix(channels, parts, 0)): \\valid_read(of_g + (0 .. ix(channels, parts, 0) - 1))", channels, parts)
  REQUIRES(has(span(of_hat, 0, (ix(channels, parts, 0) - 1))),
           "reads(of_hat, ix(channels, parts, 0)): \\valid_read(of_hat + (0 .. ix(channels, parts, 0) - 1))", channels, parts)
  REQUIRES(has(span(dx, 0, (batch_all(n, channels, size) - 1))),
           "writes(dx, batch_all(n, channels, size)): \\valid(dx + (0 .. batch_all(n, channels, size) - 1))", n, channels, size)
  REQUIRES((!(VEC != 0) || aligned16(dx)),
           "VEC != 0 ==> aligned16(dx)", VEC)
  REQUIRES(has(span(dgamma, 0, (channels - 1))),
           "writes(dgamma, channels): \\valid(dgamma + (0 .. channels - 1))", channels)
  REQUIRES(has(span(dbeta, 0, (channels - 1))),
           "writes(dbeta, channels): \\valid(dbeta + (0 .. channels - 1))", channels)
  REQUIRES((apart(span(x, 0, (batch_all(n, channels, size) - 1)), span(dx, 0, (batch_all(n, channels, size) - 1)))),
           "batch_vjp_apart(x, mean, rstd, g, dx, batch_all(n, channels, size), channels, batch_all(n, channels, size)): \\separated(x + (0 .. batch_all(n, channels, size) - 1), dx + (0 .. batch_all(n, channels, size) - 1))", n, channels, size)
  REQUIRES((apart(span(g, 0, (batch_all(n, channels, size) - 1)), span(dx, 0, (batch_all(n, channels, size) - 1)))),
           "batch_vjp_apart(x, mean, rstd, g, dx, batch_all(n, channels, size), channels, batch_all(n, channels, size)): \\separated(g + (0 .. batch_all(n, channels, size) - 1), dx + (0 .. batch_all(n, channels, size) - 1))", n, channels, size)
  REQUIRES((apart(span(mean, 0, (channels - 1)), span(dx, 0, (batch_all(n, channels, size) - 1)))),
           "batch_vjp_apart(x, mean, rstd, g, dx, batch_all(n, channels, size), channels, batch_all(n, channels, size)): \\separated(mean + (0 .. channels - 1), dx + (0 .. batch_all(n, channels, size) - 1))", n, channels, size)
  REQUIRES((apart(span(rstd, 0, (channels - 1)), span(dx, 0, (batch_all(n, channels, size) - 1)))),
           "batch_vjp_apart(x, mean, rstd, g, dx, batch_all(n, channels, size), channels, batch_all(n, channels, size)): \\separated(rstd + (0 .. channels - 1), dx + (0 .. batch_all(n, channels, size) - 1))", n, channels, size)
  REQUIRES((apart(span(x, 0, (batch_all(n, channels, size) - 1)), span(dgamma, 0, (channels - 1)))),
           "batch_vjp_apart(x, mean, rstd, g, dgamma, batch_all(n, channels, size), channels, channels): \\separated(x + (0 .. batch_all(n, channels, size) - 1), dgamma + (0 .. channels - 1))", n, channels, size)
  REQUIRES((apart(span(g, 0, (batch_all(n, channels, size) - 1)), span(dgamma, 0, (channels - 1)))),
           "batch_vjp_apart(x, mean, rstd, g, dgamma, batch_all(n, channels, size), channels, channels): \\separated(g + (0 .. batch_all(n, channels, size) - 1), dgamma + (0 .. channels - 1))", n, channels, size)
  REQUIRES((apart(span(mean, 0, (channels - 1)), span(dgamma, 0, (channels - 1)))),
           "batch_vjp_apart(x, mean, rstd, g, dgamma, batch_all(n, channels, size), channels, channels): \\separated(mean + (0 .. channels - 1), dgamma + (0 .. channels - 1))", channels)
  REQUIRES((apart(span(rstd, 0, (channels - 1)), span(dgamma, 0, (channels - 1)))),
           "batch_vjp_apart(x, mean, rstd, g, dgamma, batch_all(n, channels, size), channels, channels): \\separated(rstd + (0 .. channels - 1), dgamma + (0 .. channels - 1))", channels)
  REQUIRES((apart(span(x, 0, (batch_all(n, channels, size) - 1)), span(dbeta, 0, (channels - 1)))),
           "batch_vjp_apart(x, mean, rstd, g, dbeta, batch_all(n, channels, size), channels, channels): \\separated(x + (0 .. batch_all(n, channels, size) - 1), dbeta + (0 .. channels - 1))", n, channels, size)
  REQUIRES((apart(span(g, 0, (batch_all(n, channels, size) - 1)), span(dbeta, 0, (channels - 1)))),
           "batch_vjp_apart(x, mean, rstd, g, dbeta, batch_all(n, channels, size), channels, channels): \\separated(g + (0 .. batch_all(n, channels, size) - 1), dbeta + (0 .. channels - 1))", n, channels, size)
  REQUIRES((apart(span(mean, 0, (channels - 1)), span(dbeta, 0, (channels - 1)))),
           "batch_vjp_apart(x, mean, rstd, g, dbeta, batch_all(n, channels, size), channels, channels): \\separated(mean + (0 .. channels - 1), dbeta + (0 .. channels - 1))", channels)
  REQUIRES((apart(span(rstd, 0, (channels - 1)), span(dbeta, 0, (channels - 1)))),
           "batch_vjp_apart(x, mean, rstd, g, dbeta, batch_all(n, channels, size), channels, channels): \\separated(rstd + (0 .. channels - 1), dbeta + (0 .. channels - 1))", channels)
  REQUIRES((apart(span(dgamma, 0, (channels - 1)), span(dbeta, 0, (channels - 1)))),
           "apart(dgamma, channels, dbeta, channels): \\separated(dgamma + (0 .. channels - 1), dbeta + (0 .. channels - 1))", channels)
  return true;
}

bool check_batch_norm_vjp_parts_sums(const launched &l)
{
  const num VEC = l.constant(0);
  const num n = l.get<int64_t>(0);
  const num channels = l.get<int64_t>(1);
  const num size = l.get<int64_t>(2);
  const num V = l.get<int64_t>(3);
  const num chunk = l.get<int64_t>(4);
  const num parts = l.get<int64_t>(5);
  const ptr x = l.pointer(6, 4);
  const ptr mean = l.pointer(7, 4);
  const ptr rstd = l.pointer(8, 4);
  const ptr g = l.pointer(9, 4);
  const ptr of_g = l.pointer(10, 4);
  const ptr of_hat = l.pointer(11, 4);
  /* not checked, permission, of the prover's discipline alone:
   *   perm_r(x, batch_all(n, channels, size))
   *   perm_r(g, batch_all(n, channels, size))
   *   perm_r(mean, channels)
   *   perm_r(rstd, channels)
   *   perm(of_g, ix(channels, parts, 0))
   *   perm(of_hat, ix(channels, parts, 0)) */
  REQUIRES((32 <= bdim_ && bdim_ <= 1024),
           "block: 32 <= bdim_ <= 1024", bdim_)
  REQUIRES(((bdim_ % 32) == 0),
           "block: bdim_ % 32 == 0", bdim_)
  REQUIRES((0 < n),
           "batch_sizes(n, channels, size, V): 0 < n", n)
  REQUIRES((0 <= channels),
           "batch_sizes(n, channels, size, V): 0 <= channels", channels)
  REQUIRES((0 < size),
           "batch_sizes(n, channels, size, V): 0 < size", size)
  REQUIRES((((4 * V) - 4) < size && size <= (4 * V)),
           "batch_sizes(n, channels, size, V): 4 * V - 4 < size <= 4 * V", size, V)
  REQUIRES((ix(n, channels, 0) <= 0x0fffffffffffffff),
           "batch_sizes(n, channels, size, V): ix(n, channels, 0) <= 0x0fffffffffffffff", n, channels)
  REQUIRES((ix(n, size, 0) <= 0x0fffffffffffffff),
           "batch_sizes(n, channels, size, V): ix(n, size, 0) <= 0x0fffffffffffffff", n, size)
  REQUIRES((ix(n, V, 0) <= 0x0fffffffffffffff),
           "batch_sizes(n, channels, size, V): ix(n, V, 0) <= 0x0fffffffffffffff", n, V)
  REQUIRES((batch_all(n, channels, size) <= 0x0fffffffffffffff),
           "batch_sizes(n, channels, size, V): batch_all(n, channels, size) <= 0x0fffffffffffffff", n, channels, size)
  REQUIRES((0 < chunk && chunk <= 0x0fffffffffffffff),
           "parts_ok(n, V, chunk, parts): 0 < chunk <= 0x0fffffffffffffff", chunk)
  REQUIRES((0 < parts),
           "parts_ok(n, V, chunk, parts): 0 < parts", parts)
  REQUIRES((0 < ix(n, V, 0)),
           "parts_ok(n, V, chunk, parts): 0 < ix(n, V, 0)", n, V)
  REQUIRES((0 <= ix((parts - 1), chunk, 0) && ix((parts - 1), chunk, 0) < ix(n, V, 0) && ix(n, V, 0) <= ix(parts, chunk, 0)),
           "parts_ok(n, V, chunk, parts): 0 <= ix(parts - 1, chunk, 0) < ix(n, V, 0) <= ix(parts, chunk, 0)", n, V, chunk, parts)
  REQUIRES((ix(channels, parts, 0) <= blocks_),
           "ix(channels, parts, 0) <= blocks_", channels, parts, blocks_)
  REQUIRES((0 <= batch_all(n, channels, size) && batch_all(n, channels, size) <= 0x0fffffffffffffff),
           "batch_vjp_in(x, mean, rstd, g, n, channels, size, V, VEC): 0 <= batch_all(n, channels, size) <= 0x0fffffffffffffff", n, channels, size)
  REQUIRES(has(span(x, 0, (batch_all(n, channels, size) - 1))),
           "batch_vjp_in(x, mean, rstd, g, n, channels, size, V, VEC): \\valid_read(x + (0 .. batch_all(n, channels, size) - 1))", n, channels, size)
  REQUIRES((!(VEC != 0) || aligned16(x)),
           "batch_vjp_in(x, mean, rstd, g, n, channels, size, V, VEC): VEC != 0 ==> aligned16(x)", VEC)
  REQUIRES((!(VEC != 0) || (size == (4 * V))),
           "batch_vjp_in(x, mean, rstd, g, n, channels, size, V, VEC): VEC != 0 ==> size == 4 * V", VEC, size, V)
  REQUIRES(has(span(g, 0, (batch_all(n, channels, size) - 1))),
           "batch_vjp_in(x, mean, rstd, g, n, channels, size, V, VEC): \\valid_read(g + (0 .. batch_all(n, channels, size) - 1))", n, channels, size)
  REQUIRES((!(VEC != 0) || aligned16(g)),
           "batch_vjp_in(x, mean, rstd, g, n, channels, size, V, VEC): VEC != 0 ==> aligned16(g)", VEC)
  REQUIRES((0 <= channels && channels <= 0x0fffffffffffffff),
           "batch_vjp_in(x, mean, rstd, g, n, channels, size, V, VEC): 0 <= channels <= 0x0fffffffffffffff", channels)
  REQUIRES(has(span(mean, 0, (channels - 1))),
           "batch_vjp_in(x, mean, rstd, g, n, channels, size, V, VEC): \\valid_read(mean + (0 .. channels - 1))", channels)
  REQUIRES(has(span(rstd, 0, (channels - 1))),
           "batch_vjp_in(x, mean, rstd, g, n, channels, size, V, VEC): \\valid_read(rstd + (0 .. channels - 1))", channels)
  REQUIRES((0 <= ix(channels, parts, 0) && ix(channels, parts, 0) <= 0x0fffffffffffffff),
           "writes(of_g, ix(channels, parts, 0)): 0 <= ix(channels, parts, 0) <= 0x0fffffffffffffff", channels, parts)
  REQUIRES(has(span(of_g, 0, (ix(channels, parts, 0) - 1))),
           "writes(of_g, ix(channels, parts, 0)): \\valid(of_g + (0 .. ix(channels, parts, 0) - 1))", channels, parts)
  REQUIRES(has(span(of_hat, 0, (ix(channels, parts, 0) - 1))),
           "writes(of_hat, ix(channels, parts, 0)): \\valid(of_hat + (0 .. ix(channels, parts, 0) - 1))", channels, parts)
  REQUIRES((apart(span(of_g, 0, (ix(channels, parts, 0) - 1)), span(of_hat, 0, (ix(channels, parts, 0) - 1)))),
           "apart(of_g, ix(channels, parts, 0), of_hat, ix(channels, parts, 0)): \\separated(of_g + (0 .. ix(channels, parts, 0) - 1), of_hat + (0 .. ix(channels, parts, 0) - 1))", channels, parts)
  REQUIRES((apart(span(x, 0, (batch_all(n, channels, size) - 1)), span(of_g, 0, (ix(channels, parts, 0) - 1)))),
           "batch_vjp_apart(x, mean, rstd, g, of_g, batch_all(n, channels, size), channels, ix(channels, parts, 0)): \\separated(x + (0 .. batch_all(n, channels, size) - 1), of_g + (0 .. ix(channels, parts, 0) - 1))", n, channels, size, parts)
  REQUIRES((apart(span(g, 0, (batch_all(n, channels, size) - 1)), span(of_g, 0, (ix(channels, parts, 0) - 1)))),
           "batch_vjp_apart(x, mean, rstd, g, of_g, batch_all(n, channels, size), channels, ix(channels, parts, 0)): \\separated(g + (0 .. batch_all(n, channels, size) - 1), of_g + (0 .. ix(channels, parts, 0) - 1))", n, channels, size, parts)
  REQUIRES((apart(span(mean, 0, (channels - 1)), span(of_g, 0, (ix(channels, parts, 0) - 1)))),
           "batch_vjp_apart(x, mean, rstd, g, of_g, batch_all(n, channels, size), channels, ix(channels, parts, 0)): \\separated(mean + (0 .. channels - 1), of_g + (0 .. ix(channels, parts, 0) - 1))", channels, parts)
  REQUIRES((apart(span(rstd, 0, (channels - 1)), span(of_g, 0, (ix(channels, parts, 0) - 1)))),
           "batch_vjp_apart(x, mean, rstd, g, of_g, batch_all(n, channels, size), channels, ix(channels, parts, 0)): \\separated(rstd + (0 .. channels - 1), of_g + (0 .. ix(channels, parts, 0) - 1))", channels, parts)
  REQUIRES((apart(span(x, 0, (batch_all(n, channels, size) - 1)), span(of_hat, 0, (ix(channels, parts, 0) - 1)))),
           "batch_vjp_apart(x, mean, rstd, g, of_hat, batch_all(n, channels, size), channels, ix(channels, parts, 0)): \\separated(x + (0 .. batch_all(n, channels, size) - 1), of_hat + (0 .. ix(channels, parts, 0) - 1))", n, channels, size, parts)
  REQUIRES((apart(span(g, 0, (batch_all(n, channels, size) - 1)), span(of_hat, 0, (ix(channels, parts, 0) - 1)))),
           "batch_vjp_apart(x, mean, rstd, g, of_hat, batch_all(n, channels, size), channels, ix(channels, parts, 0)): \\separated(g + (0 .. batch_all(n, channels, size) - 1), of_hat + (0 .. ix(channels, parts, 0) - 1))", n, channels, size, parts)
  REQUIRES((apart(span(mean, 0, (channels - 1)), span(of_hat, 0, (ix(channels, parts, 0) - 1)))),
           "batch_vjp_apart(x, mean, rstd, g, of_hat, batch_all(n, channels, size), channels, ix(channels, parts, 0)): \\separated(mean + (0 .. channels - 1), of_hat + (0 .. ix(channels, parts, 0) - 1))", channels, parts)
  REQUIRES((apart(span(rstd, 0, (channels - 1)), span(of_hat, 0, (ix(channels, parts, 0) - 1)))),
           "batch_vjp_apart(x, mean, rstd, g, of_hat, batch_all(n, channels, size), channels, ix(channels, parts, 0)): \\separated(rstd + (0 .. channels - 1), of_hat + (0 .. ix(channels, parts, 0) - 1))", channels, parts)
  return true;
}

bool check_bernoulli_draw(const launched &l)
{
  const num n = l.get<int64_t>(0);
  const num first = l.get<int64_t>(1);
  const num s = l.get<int>(2);
  const num wide = l.get<int>(3);
  const num seed = l.get<uint64_t>(4);
  const philox_keys keys = l.get<philox_keys>(5);
  const ptr y = l.pointer(7, 4);
  /* not checked, permission, of the prover's discipline alone:
   *   perm(y, n) */
  REQUIRES((0 <= n && n <= 0x0fffffffffffffff),
           "draw_size(n, first, s): 0 <= n <= 0x0fffffffffffffff", n)
  REQUIRES((0 <= first && first <= 0x3fffffffffffffff),
           "draw_size(n, first, s): 0 <= first <= 0x3fffffffffffffff", first)
  REQUIRES((0 <= s && s < 4),
           "draw_size(n, first, s): 0 <= s < 4", s)
  REQUIRES(((n + s) <= (4 * gsize_)),
           "n + s <= 4 * gsize_", n, s, gsize_)
  REQUIRES((gsize_ < 0x1000000000000000),
           "gsize_ < 0x1000000000000000", gsize_)
  REQUIRES(has(span(y, 0, (n - 1))),
           "writes(y, n): \\valid(y + (0 .. n - 1))", n)
  REQUIRES((!(wide != 0) || for_some([&](num g) { return aligned16(draw_at(y, g, s)); })),
           "wide != 0 ==> draw_aligned(y, s): wide != 0 ==> (\\forall integer g; aligned16(draw_at(y, g, s)))", s, wide)
  REQUIRES(for_all(0, 10, [&](num r) { return ((num(keys.x[at(r)]) == PhiloxKey((seed % 0x100000000), 0x9e3779b9, r)) && (num(keys.y[at(r)]) == PhiloxKey((seed / 0x100000000), 0xbb67ae85, r))); }),
           "SeedKeys(keys, seed): \\forall integer r; 0 <= r < 10 ==> keys.x[r] == PhiloxKey(seed % 0x100000000, 0x9e3779b9, r) && keys.y[r] == PhiloxKey(seed / 0x100000000, 0xbb67ae85, r)", seed)
  return true;
}

bool check_broadcast_to_scalar(const launched &l)
{
  const grid p = l.get<grid>(0);
  const num sources = l.get<int64_t>(1);
  const num each = l.get<int64_t>(2);
  const num rows = l.get<int64_t>(3);
  const num cols = l.get<int64_t>(4);
  const ptr x = l.pointer(5, 4);
  const ptr y = l.pointer(6, 4);
  /* not checked, permission, of the prover's discipline alone:
   *   perm_r(x, ix(sources, each, 0))
   *   perm(y, ix(rows, cols, 0)) */
  REQUIRES((0 < num(p.a.size)),
           "spread_size(y, x, p, sources, each, rows, cols): 0 < p.a.size")
  REQUIRES((0 < num(p.a.below)),
           "spread_size(y, x, p, sources, each, rows, cols): 0 < p.a.below")
  REQUIRES((num(p.a.period) == ix(num(p.a.size), num(p.a.below), 0)),
           "spread_size(y, x, p, sources, each, rows, cols): p.a.period == ix(p.a.size, p.a.below, 0)")
  REQUIRES((num(p.a.period) <= 0x0fffffffffffffff),
           "spread_size(y, x, p, sources, each, rows, cols): p.a.period <= 0x0fffffffffffffff")
  REQUIRES((0 < num(p.b.size)),
           "spread_size(y, x, p, sources, each, rows, cols): 0 < p.b.size")
  REQUIRES((0 < num(p.b.below)),
           "spread_size(y, x, p, sources, each, rows, cols): 0 < p.b.below")
  REQUIRES((num(p.b.period) == ix(num(p.b.size), num(p.b.below), 0)),
           "spread_size(y, x, p, sources, each, rows, cols): p.b.period == ix(p.b.size, p.b.below, 0)")
  REQUIRES((num(p.b.period) <= 0x0fffffffffffffff),
           "spread_size(y, x, p, sources, each, rows, cols): p.b.period <= 0x0fffffffffffffff")
  REQUIRES((0 < num(p.c.size)),
           "spread_size(y, x, p, sources, each, rows, cols): 0 < p.c.size")
  REQUIRES((0 < num(p.c.below)),
           "spread_size(y, x, p, sources, each, rows, cols): 0 < p.c.below")
  REQUIRES((num(p.c.period) == ix(num(p.c.size), num(p.c.below), 0)),
           "spread_size(y, x, p, sources, each, rows, cols): p.c.period == ix(p.c.size, p.c.below, 0)")
  REQUIRES((num(p.c.period) <= 0x0fffffffffffffff),
           "spread_size(y, x, p, sources, each, rows, cols): p.c.period <= 0x0fffffffffffffff")
  REQUIRES((0 < num(p.d.size)),
           "spread_size(y, x, p, sources, each, rows, cols): 0 < p.d.size")
  REQUIRES((0 < num(p.d.below)),
           "spread_size(y, x, p, sources, each, rows, cols): 0 < p.d.below")
  REQUIRES((num(p.d.period) == ix(num(p.d.size), num(p.d.below), 0)),
           "spread_size(y, x, p, sources, each, rows, cols): p.d.period == ix(p.d.size, p.d.below, 0)")
  REQUIRES((num(p.d.period) <= 0x0fffffffffffffff),
           "spread_size(y, x, p, sources, each, rows, cols): p.d.period <= 0x0fffffffffffffff")
  REQUIRES((cells(p) <= 0x0fffffffffffffff),
           "spread_size(y, x, p, sources, each, rows, cols): cells(p) <= 0x0fffffffffffffff")
  REQUIRES((sources == cells(p)),
           "spread_size(y, x, p, sources, each, rows, cols): sources == cells(p)", sources)
  REQUIRES((0 <= rows),
           "spread_size(y, x, p, sources, each, rows, cols): 0 <= rows", rows)
  REQUIRES((0 < cols && cols <= 0x0fffffffffffffff),
           "spread_size(y, x, p, sources, each, rows, cols): 0 < cols <= 0x0fffffffffffffff", cols)
  REQUIRES(((each == 1) || (each == cols)),
           "spread_size(y, x, p, sources, each, rows, cols): each == 1 || each == cols", each, cols)
  REQUIRES((0 <= ix(sources, each, 0) && ix(sources, each, 0) <= 0x0fffffffffffffff),
           "spread_size(y, x, p, sources, each, rows, cols): 0 <= ix(sources, each, 0) <= 0x0fffffffffffffff", sources, each)
  REQUIRES(has(span(x, 0, (ix(sources, each, 0) - 1))),
           "spread_size(y, x, p, sources, each, rows, cols): \\valid_read(x + (0 .. ix(sources, each, 0) - 1))", sources, each)
  REQUIRES((0 <= ix(rows, cols, 0) && ix(rows, cols, 0) <= 0x0fffffffffffffff),
           "spread_size(y, x, p, sources, each, rows, cols): 0 <= ix(rows, cols, 0) <= 0x0fffffffffffffff", rows, cols)
  REQUIRES(has(span(y, 0, (ix(rows, cols, 0) - 1))),
           "spread_size(y, x, p, sources, each, rows, cols): \\valid(y + (0 .. ix(rows, cols, 0) - 1))", rows, cols)
  REQUIRES((apart(span(x, 0, (ix(sources, each, 0) - 1)), span(y, 0, (ix(rows, cols, 0) - 1)))),
           "spread_size(y, x, p, sources, each, rows, cols): \\separated(x + (0 .. ix(sources, each, 0) - 1), y + (0 .. ix(rows, cols, 0) - 1))", sources, each, rows, cols)
  REQUIRES((ix(rows, cols, 0) <= gsize_),
           "ix(rows, cols, 0) <= gsize_", rows, cols, gsize_)
  return true;
}

bool check_broadcast_to_vec4(const launched &l)
{
  const grid p = l.get<grid>(0);
  const num sources = l.get<int64_t>(1);
  const num each = l.get<int64_t>(2);
  const num rows = l.get<int64_t>(3);
  const num T = l.get<int64_t>(4);
  const num V = l.get<int64_t>(5);
  const ptr x = l.pointer(6, 4);
  const ptr y = l.pointer(7, 4);
  /* not checked, permission, of the prover's discipline alone:
   *   perm_r(x, ix(sources, each, 0))
   *   perm(y, ix(rows, 4 * V, 0)) */
  REQUIRES((0 < num(p.a.size)),
           "spread_size(y, x, p, sources, each, rows, 4 * V): 0 < p.a.size")
  REQUIRES((0 < num(p.a.below)),
           "spread_size(y, x, p, sources, each, rows, 4 * V): 0 < p.a.below")
  REQUIRES((num(p.a.period) == ix(num(p.a.size), num(p.a.below), 0)),
           "spread_size(y, x, p, sources, each, rows, 4 * V): p.a.period == ix(p.a.size, p.a.below, 0)")
  REQUIRES((num(p.a.period) <= 0x0fffffffffffffff),
           "spread_size(y, x, p, sources, each, rows, 4 * V): p.a.period <= 0x0fffffffffffffff")
  REQUIRES((0 < num(p.b.size)),
           "spread_size(y, x, p, sources, each, rows, 4 * V): 0 < p.b.size")
  REQUIRES((0 < num(p.b.below)),
           "spread_size(y, x, p, sources, each, rows, 4 * V): 0 < p.b.below")
  REQUIRES((num(p.b.period) == ix(num(p.b.size), num(p.b.below), 0)),
           "spread_size(y, x, p, sources, each, rows, 4 * V): p.b.period == ix(p.b.size, p.b.below, 0)")
  REQUIRES((num(p.b.period) <= 0x0fffffffffffffff),
           "spread_size(y, x, p, sources, each, rows, 4 * V): p.b.period <= 0x0fffffffffffffff")
  REQUIRES((0 < num(p.c.size)),
           "spread_size(y, x, p, sources, each, rows, 4 * V): 0 < p.c.size")
  REQUIRES((0 < num(p.c.below)),
           "spread_size(y, x, p, sources, each, rows, 4 * V): 0 < p.c.below")
  REQUIRES((num(p.c.period) == ix(num(p.c.size), num(p.c.below), 0)),
           "spread_size(y, x, p, sources, each, rows, 4 * V): p.c.period == ix(p.c.size, p.c.below, 0)")
  REQUIRES((num(p.c.period) <= 0x0fffffffffffffff),
           "spread_size(y, x, p, sources, each, rows, 4 * V): p.c.period <= 0x0fffffffffffffff")
  REQUIRES((0 < num(p.d.size)),
           "spread_size(y, x, p, sources, each, rows, 4 * V): 0 < p.d.size")
  REQUIRES((0 < num(p.d.below)),
           "spread_size(y, x, p, sources, each, rows, 4 * V): 0 < p.d.below")
  REQUIRES((num(p.d.period) == ix(num(p.d.size), num(p.d.below), 0)),
           "spread_size(y, x, p, sources, each, rows, 4 * V): p.d.period == ix(p.d.size, p.d.below, 0)")
  REQUIRES((num(p.d.period) <= 0x0fffffffffffffff),
           "spread_size(y, x, p, sources, each, rows, 4 * V): p.d.period <= 0x0fffffffffffffff")
  REQUIRES((cells(p) <= 0x0fffffffffffffff),
           "spread_size(y, x, p, sources, each, rows, 4 * V): cells(p) <= 0x0fffffffffffffff")
  REQUIRES((sources == cells(p)),
           "spread_size(y, x, p, sources, each, rows, 4 * V): sources == cells(p)", sources)
  REQUIRES((0 <= rows),
           "spread_size(y, x, p, sources, each, rows, 4 * V): 0 <= rows", rows)
  REQUIRES((0 < (4 * V) && (4 * V) <= 0x0fffffffffffffff),
           "spread_size(y, x, p, sources, each, rows, 4 * V): 0 < 4 * V <= 0x0fffffffffffffff", V)
  REQUIRES(((each == 1) || (each == (4 * V))),
           "spread_size(y, x, p, sources, each, rows, 4 * V): each == 1 || each == 4 * V", each, V)
  REQUIRES((0 <= ix(sources, each, 0) && ix(sources, each, 0) <= 0x0fffffffffffffff),
           "spread_size(y, x, p, sources, each, rows, 4 * V): 0 <= ix(sources, each, 0) <= 0x0fffffffffffffff", sources, each)
  REQUIRES(has(span(x, 0, (ix(sources, each, 0) - 1))),
           "spread_size(y, x, p, sources, each, rows, 4 * V): \\valid_read(x + (0 .. ix(sources, each, 0) - 1))", sources, each)
  REQUIRES((0 <= ix(rows, (4 * V), 0) && ix(rows, (4 * V), 0) <= 0x0fffffffffffffff),
           "spread_size(y, x, p, sources, each, rows, 4 * V): 0 <= ix(rows, 4 * V, 0) <= 0x0fffffffffffffff", rows, V)
  REQUIRES(has(span(y, 0, (ix(rows, (4 * V), 0) - 1))),
           "spread_size(y, x, p, sources, each, rows, 4 * V): \\valid(y + (0 .. ix(rows, 4 * V, 0) - 1))", rows, V)
  REQUIRES((apart(span(x, 0, (ix(sources, each, 0) - 1)), span(y, 0, (ix(rows, (4 * V), 0) - 1)))),
           "spread_size(y, x, p, sources, each, rows, 4 * V): \\separated(x + (0 .. ix(sources, each, 0) - 1), y + (0 .. ix(rows, 4 * V, 0) - 1))", sources, each, rows, V)
  REQUIRES(aligned16(y),
           "aligned16(y)")
  REQUIRES((!(each != 1) || aligned16(x)),
           "each != 1 ==> aligned16(x)", each)
  REQUIRES((0 < T && T <= V && V <= (4 * T)),
           "0 < T <= V <= 4 * T", T, V)
  REQUIRES((ix(rows, T, 0) <= gsize_),
           "ix(rows, T, 0) <= gsize_", rows, T, gsize_)
  return true;
}

bool check_column_join(const launched &l)
{
  const num teams = l.get<int>(0);
  const num width = l.get<int>(1);
  const num strips = l.get<int64_t>(2);
  const num halves = l.get<int>(3);
  const num n = l.get<int>(6);
  const num cols = l.get<int64_t>(7);
  const ptr sums = l.pointer(8, 4);
  const ptr dgamma = l.pointer(9, 4);
  const ptr dbeta = l.pointer(10, 4);
  /* not checked, permission, of the prover's discipline alone:
   *   perm_r(sums, ix(halves * n, cols, 0))
   *   perm(dgamma, cols)
   *   halves == 2 ==> perm(dbeta, cols) */
  REQUIRES((32 <= bdim_ && bdim_ <= 1024),
           "sums_fit(teams, width): 32 <= bdim_ <= 1024", bdim_)
  REQUIRES(((bdim_ % 32) == 0),
           "sums_fit(teams, width): bdim_ % 32 == 0", bdim_)
  REQUIRES((bdim_ <= 512),
           "sums_fit(teams, width): bdim_ <= SUMS_BLOCK", bdim_)
  REQUIRES((0 < teams),
           "sums_fit(teams, width): 0 < teams", teams)
  REQUIRES(((width == 16) || (width == 32)),
           "sums_fit(teams, width): width == 16 || width == 32", width)
  REQUIRES((ix(teams, width, 0) == bdim_),
           "sums_fit(teams, width): ix(teams, width, 0) == bdim_", teams, width, bdim_)
  REQUIRES((0 < strips),
           "0 < strips", strips)
  REQUIRES((ix(halves, strips, 0) <= blocks_),
           "ix(halves, strips, 0) <= blocks_", strips, halves, blocks_)
  REQUIRES(((halves == 1) || (halves == 2)),
           "halves == 1 || halves == 2", halves)
  REQUIRES((ix(strips, width, 0) <= 0x0fffffffffffffff),
           "ix(strips, width, 0) <= 0x0fffffffffffffff", width, strips)
  REQUIRES((0 <= n && n <= (1 << 24)),
           "0 <= n <= SUMS_ROWS", n)
  REQUIRES((0 < cols),
           "0 < cols", cols)
  REQUIRES((0 <= ix((halves * n), cols, 0) && ix((halves * n), cols, 0) <= 0x0fffffffffffffff),
           "reads(sums, ix(halves * n, cols, 0)): 0 <= ix(halves * n, cols, 0) <= 0x0fffffffffffffff", halves, n, cols)
  REQUIRES(has(span(sums, 0, (ix((halves * n), cols, 0) - 1))),
           "reads(sums, ix(halves * n, cols, 0)): \\valid_read(sums + (0 .. ix(halves * n, cols, 0) - 1))", halves, n, cols)
  REQUIRES((0 <= cols && cols <= 0x0fffffffffffffff),
           "writes(dgamma, cols): 0 <= cols <= 0x0fffffffffffffff", cols)
  REQUIRES(has(span(dgamma, 0, (cols - 1))),
           "writes(dgamma, cols): \\valid(dgamma + (0 .. cols - 1))", cols)
  REQUIRES((apart(span(sums, 0, (ix((halves * n), cols, 0) - 1)), span(dgamma, 0, (cols - 1)))),
           "apart(sums, ix(halves * n, cols, 0), dgamma, cols): \\separated(sums + (0 .. ix(halves * n, cols, 0) - 1), dgamma + (0 .. cols - 1))", halves, n, cols)
  REQUIRES((!(halves == 2) || (0 <= cols && cols <= 0x0fffffffffffffff)),
           "halves == 2 ==> writes(dbeta, cols) && apart(sums, ix(halves * n, cols, 0), dbeta, cols) && apart(dgamma, cols, dbeta, cols): halves == 2 ==> 0 <= cols <= 0x0fffffffffffffff", halves, cols)
  REQUIRES((!(halves == 2) || has(span(dbeta, 0, (cols - 1)))),
           "halves == 2 ==> writes(dbeta, cols) && apart(sums, ix(halves * n, cols, 0), dbeta, cols) && apart(dgamma, cols, dbeta, cols): halves == 2 ==> \\valid(dbeta + (0 .. cols - 1))", halves, cols)
  REQUIRES((!(halves == 2) || (apart(span(sums, 0, (ix((halves * n), cols, 0) - 1)), span(dbeta, 0, (cols - 1))))),
           "halves == 2 ==> writes(dbeta, cols) && apart(sums, ix(halves * n, cols, 0), dbeta, cols) && apart(dgamma, cols, dbeta, cols): halves == 2 ==> \\separated(sums + (0 .. ix(halves * n, cols, 0) - 1), dbeta + (0 .. cols - 1))", halves, n, cols)
  REQUIRES((!(halves == 2) || (apart(span(dgamma, 0, (cols - 1)), span(dbeta, 0, (cols - 1))))),
           "halves == 2 ==> writes(dbeta, cols) && apart(sums, ix(halves * n, cols, 0), dbeta, cols) && apart(dgamma, cols, dbeta, cols): halves == 2 ==> \\separated(dgamma + (0 .. cols - 1), dbeta + (0 .. cols - 1))", halves, cols)
  return true;
}

bool check_column_sums_scalar(const launched &l)
{
  const num outer = l.get<int64_t>(0);
  const num rows = l.get<int64_t>(1);
  const num cols = l.get<int64_t>(2);
  const num chunk = l.get<int64_t>(3);
  const num chunks = l.get<int64_t>(4);
  const ptr x = l.pointer(6, 4);
  const ptr out = l.pointer(7, 4);
  /* not checked, permission, of the prover's discipline alone:
   *   perm_r(x, ix(ix(outer, rows, 0), cols, 0))
   *   \forall integer k; 0 <= k < ix(ix(outer, chunks, 0), cols, 0) ==> owner(out + k, k, -1) */
  REQUIRES((0 < outer),
           "colsum_size(x, out, outer, rows, cols, chunk, chunks): 0 < outer", outer)
  REQUIRES((0 <= rows),
           "colsum_size(x, out, outer, rows, cols, chunk, chunks): 0 <= rows", rows)
  REQUIRES((0 < chunk && chunk <= 0x0fffffffffffffff),
           "colsum_size(x, out, outer, rows, cols, chunk, chunks): 0 < chunk <= 0x0fffffffffffffff", chunk)
  REQUIRES((0 < chunks),
           "colsum_size(x, out, outer, rows, cols, chunk, chunks): 0 < chunks", chunks)
  REQUIRES((ix((chunks - 1), chunk, 0) <= rows && rows <= ix(chunks, chunk, 0)),
           "colsum_size(x, out, outer, rows, cols, chunk, chunks): ix(chunks - 1, chunk, 0) <= rows <= ix(chunks, chunk, 0)", rows, chunk, chunks)
  REQUIRES((0 < cols && cols <= 0x0fffffffffffffff),
           "colsum_size(x, out, outer, rows, cols, chunk, chunks): 0 < cols <= 0x0fffffffffffffff", cols)
  REQUIRES((ix(outer, rows, 0) <= 0x0fffffffffffffff),
           "colsum_size(x, out, outer, rows, cols, chunk, chunks): ix(outer, rows, 0) <= 0x0fffffffffffffff", outer, rows)
  REQUIRES((ix(outer, chunks, 0) <= 0x0fffffffffffffff),
           "colsum_size(x, out, outer, rows, cols, chunk, chunks): ix(outer, chunks, 0) <= 0x0fffffffffffffff", outer, chunks)
  REQUIRES((0 <= ix(ix(outer, rows, 0), cols, 0) && ix(ix(outer, rows, 0), cols, 0) <= 0x0fffffffffffffff),
           "colsum_size(x, out, outer, rows, cols, chunk, chunks): 0 <= ix(ix(outer, rows, 0), cols, 0) <= 0x0fffffffffffffff", outer, rows, cols)
  REQUIRES(has(span(x, 0, (ix(ix(outer, rows, 0), cols, 0) - 1))),
           "colsum_size(x, out, outer, rows, cols, chunk, chunks): \\valid_read(x + (0 .. ix(ix(outer, rows, 0), cols, 0) - 1))", outer, rows, cols)
  REQUIRES((0 <= ix(ix(outer, chunks, 0), cols, 0) && ix(ix(outer, chunks, 0), cols, 0) <= 0x0fffffffffffffff),
           "colsum_size(x, out, outer, rows, cols, chunk, chunks): 0 <= ix(ix(outer, chunks, 0), cols, 0) <= 0x0fffffffffffffff", outer, cols, chunks)
  REQUIRES(has(span(out, 0, (ix(ix(outer, chunks, 0), cols, 0) - 1))),
           "colsum_size(x, out, outer, rows, cols, chunk, chunks): \\valid(out + (0 .. ix(ix(outer, chunks, 0), cols, 0) - 1))", outer, cols, chunks)
  REQUIRES((apart(span(x, 0, (ix(ix(outer, rows, 0), cols, 0) - 1)), span(out, 0, (ix(ix(outer, chunks, 0), cols, 0) - 1)))),
           "colsum_size(x, out, outer, rows, cols, chunk, chunks): \\separated(x + (0 .. ix(ix(outer, rows, 0), cols, 0) - 1), out + (0 .. ix(ix(outer, chunks, 0), cols, 0) - 1))", outer, rows, cols, chunks)
  REQUIRES((ix(ix(outer, chunks, 0), cols, 0) <= gsize_),
           "ix(ix(outer, chunks, 0), cols, 0) <= gsize_", outer, cols, chunks, gsize_)
  return true;
}

bool check_column_sums_vec4(const launched &l)
{
  const num outer = l.get<int64_t>(0);
  const num rows = l.get<int64_t>(1);
  const num V = l.get<int64_t>(2);
  const num chunk = l.get<int64_t>(3);
  const num chunks = l.get<int64_t>(4);
  const ptr x = l.pointer(6, 4);
  const ptr out = l.pointer(7, 4);
  /* not checked, permission, of the prover's discipline alone:
   *   perm_r(x, ix(ix(outer, rows, 0), 4 * V, 0))
   *   \forall integer k; 0 <= k < ix(ix(outer, chunks, 0), 4 * V, 0) ==> owner(out + k, k / 4, -1) */
  REQUIRES((0 < outer),
           "colsum_size(x, out, outer, rows, 4 * V, chunk, chunks): 0 < outer", outer)
  REQUIRES((0 <= rows),
           "colsum_size(x, out, outer, rows, 4 * V, chunk, chunks): 0 <= rows", rows)
  REQUIRES((0 < chunk && chunk <= 0x0fffffffffffffff),
           "colsum_size(x, out, outer, rows, 4 * V, chunk, chunks): 0 < chunk <= 0x0fffffffffffffff", chunk)
  REQUIRES((0 < chunks),
           "colsum_size(x, out, outer, rows, 4 * V, chunk, chunks): 0 < chunks", chunks)
  REQUIRES((ix((chunks - 1), chunk, 0) <= rows && rows <= ix(chunks, chunk, 0)),
           "colsum_size(x, out, outer, rows, 4 * V, chunk, chunks): ix(chunks - 1, chunk, 0) <= rows <= ix(chunks, chunk, 0)", rows, chunk, chunks)
  REQUIRES((0 < (4 * V) && (4 * V) <= 0x0fffffffffffffff),
           "colsum_size(x, out, outer, rows, 4 * V, chunk, chunks): 0 < 4 * V <= 0x0fffffffffffffff", V)
  REQUIRES((ix(outer, rows, 0) <= 0x0fffffffffffffff),
           "colsum_size(x, out, outer, rows, 4 * V, chunk, chunks): ix(outer, rows, 0) <= 0x0fffffffffffffff", outer, rows)
  REQUIRES((ix(outer, chunks, 0) <= 0x0fffffffffffffff),
           "colsum_size(x, out, outer, rows, 4 * V, chunk, chunks): ix(outer, chunks, 0) <= 0x0fffffffffffffff", outer, chunks)
  REQUIRES((0 <= ix(ix(outer, rows, 0), (4 * V), 0) && ix(ix(outer, rows, 0), (4 * V), 0) <= 0x0fffffffffffffff),
           "colsum_size(x, out, outer, rows, 4 * V, chunk, chunks): 0 <= ix(ix(outer, rows, 0), 4 * V, 0) <= 0x0fffffffffffffff", outer, rows, V)
  REQUIRES(has(span(x, 0, (ix(ix(outer, rows, 0), (4 * V), 0) - 1))),
           "colsum_size(x, out, outer, rows, 4 * V, chunk, chunks): \\valid_read(x + (0 .. ix(ix(outer, rows, 0), 4 * V, 0) - 1))", outer, rows, V)
  REQUIRES((0 <= ix(ix(outer, chunks, 0), (4 * V), 0) && ix(ix(outer, chunks, 0), (4 * V), 0) <= 0x0fffffffffffffff),
           "colsum_size(x, out, outer, rows, 4 * V, chunk, chunks): 0 <= ix(ix(outer, chunks, 0), 4 * V, 0) <= 0x0fffffffffffffff", outer, V, chunks)
  REQUIRES(has(span(out, 0, (ix(ix(outer, chunks, 0), (4 * V), 0) - 1))),
           "colsum_size(x, out, outer, rows, 4 * V, chunk, chunks): \\valid(out + (0 .. ix(ix(outer, chunks, 0), 4 * V, 0) - 1))", outer, V, chunks)
  REQUIRES((apart(span(x, 0, (ix(ix(outer, rows, 0), (4 * V), 0) - 1)), span(out, 0, (ix(ix(outer, chunks, 0), (4 * V), 0) - 1)))),
           "colsum_size(x, out, outer, rows, 4 * V, chunk, chunks): \\separated(x + (0 .. ix(ix(outer, rows, 0), 4 * V, 0) - 1), out + (0 .. ix(ix(outer, chunks, 0), 4 * V, 0) - 1))", outer, rows, V, chunks)
  REQUIRES(aligned16(x),
           "aligned16(x)")
  REQUIRES(aligned16(out),
           "aligned16(out)")
  REQUIRES((ix(ix(outer, chunks, 0), V, 0) <= gsize_),
           "ix(ix(outer, chunks, 0), V, 0) <= gsize_", outer, V, chunks, gsize_)
  return true;
}

bool check_cross_entropy_grad_cluster(const launched &l)
{
  const num VEC = l.constant(0);
  const num rows = l.get<int64_t>(0);
  const num cols = l.get<int64_t>(1);
  const num slice = l.get<int64_t>(2);
  const num flags = l.get<int>(3);
  const ptr x = l.pointer(6, 4);
  const ptr target = l.pointer(7, 8);
  const ptr bad = l.pointer(8, 4);
  const ptr g = l.pointer(9, 4);
  const ptr part = l.pointer(10, 4);
  const ptr dx = l.pointer(11, 4);
  /* not checked, no number that is known stands for it:
   *   Lowest < OnceLeast */
  /* not checked, permission, of the prover's discipline alone:
   *   perm_r(x, ix(rows, cols, 0))
   *   perm(dx, ix(rows, cols, 0))
   *   perm_r(bad, flags)
   *   part != \null ==> perm(part, rows)
   *   g != \null ==> R(g) */
  /* not checked, values of tensors over the reals, which an earlier launch left or the case has:
   *   \forall integer i; 0 <= i < ix(rows, cols, 0) ==> OnceLeast <= *(x + i)
   *   clear(bad, flags) ==> (\forall integer r; 0 <= r < rows ==> row_says(r, x + ix(r, cols, 0), cols, slice)) */
  REQUIRES((0 < cols && cols <= 0x0fffffffffffffff),
           "row_split(cols, slice, CLUSTER_MOST): 0 < cols <= 0x0fffffffffffffff", cols)
  REQUIRES((0 < slice && slice <= 0x0fffffffffffffff),
           "row_split(cols, slice, CLUSTER_MOST): 0 < slice <= 0x0fffffffffffffff", slice)
  REQUIRES(((slice % 4) == 0 && 0 < 8 && 8 <= 1024),
           "row_split(cols, slice, CLUSTER_MOST): slice % 4 == 0 < CLUSTER_MOST <= 1024", slice)
  REQUIRES((ix((8 - 1), slice, 0) < cols && cols <= ix(8, slice, 0) && ix(8, slice, 0) <= 0x0fffffffffffffff),
           "row_split(cols, slice, CLUSTER_MOST): ix(CLUSTER_MOST - 1, slice, 0) < cols <= ix(CLUSTER_MOST, slice, 0) <= 0x0fffffffffffffff", cols, slice)
  REQUIRES((32 <= bdim_ && bdim_ <= 1024),
           "row_fits(8, slice): 32 <= bdim_ <= 1024", bdim_)
  REQUIRES(((bdim_ % 32) == 0),
           "row_fits(8, slice): bdim_ % 32 == 0", bdim_)
  REQUIRES((0 < 8 && 8 <= 8),
           "row_fits(8, slice): 0 < 8 <= 8")
  REQUIRES((0 < slice && slice <= (4 * mul(8, bdim_))),
           "row_fits(8, slice): 0 < slice <= 4 * mul(8, bdim_)", slice, bdim_)
  REQUIRES((slice <= ((4 * 8) * 1024)),
           "row_fits(8, slice): slice <= 4 * 8 * 1024", slice)
  REQUIRES((ix(rows, 8, 0) <= blocks_),
           "ix(rows, CLUSTER_MOST, 0) <= blocks_", rows, blocks_)
  REQUIRES((0 <= rows && rows <= 0x0fffffffffffffff),
           "grad_tensors(x, target, bad, flags, part, dx, rows, cols, VEC): 0 <= rows <= 0x0fffffffffffffff", rows)
  REQUIRES((0 <= ix(rows, cols, 0) && ix(rows, cols, 0) <= 0x0fffffffffffffff),
           "grad_tensors(x, target, bad, flags, part, dx, rows, cols, VEC): 0 <= ix(rows, cols, 0) <= 0x0fffffffffffffff", rows, cols)
  REQUIRES(has(span(x, 0, (ix(rows, cols, 0) - 1))),
           "grad_tensors(x, target, bad, flags, part, dx, rows, cols, VEC): \\valid_read(x + (0 .. ix(rows, cols, 0) - 1))", rows, cols)
  REQUIRES(has(span(dx, 0, (ix(rows, cols, 0) - 1))),
           "grad_tensors(x, target, bad, flags, part, dx, rows, cols, VEC): \\valid(dx + (0 .. ix(rows, cols, 0) - 1))", rows, cols)
  REQUIRES((ix(rows, cols, 0) <= 0x0fffffffffffffff),
           "grad_tensors(x, target, bad, flags, part, dx, rows, cols, VEC): ix(rows, cols, 0) <= 0x0fffffffffffffff", rows, cols)
  REQUIRES(has(span(target, 0, (rows - 1))),
           "grad_tensors(x, target, bad, flags, part, dx, rows, cols, VEC): \\valid_read(target + (0 .. rows - 1))", rows)
  REQUIRES((apart(span(x, 0, (ix(rows, cols, 0) - 1)), span(dx, 0, (ix(rows, cols, 0) - 1)))),
           "grad_tensors(x, target, bad, flags, part, dx, rows, cols, VEC): \\separated(x + (0 .. ix(rows, cols, 0) - 1), dx + (0 .. ix(rows, cols, 0) - 1))", rows, cols)
  REQUIRES((0 <= flags && flags <= 0x7fffff00),
           "grad_tensors(x, target, bad, flags, part, dx, rows, cols, VEC): 0 <= flags <= 0x7fffff00", flags)
  REQUIRES(has(span(bad, 0, (flags - 1))),
           "grad_tensors(x, target, bad, flags, part, dx, rows, cols, VEC): \\valid_read(bad + (0 .. flags - 1))", flags)
  REQUIRES((apart(span(bad, 0, (flags - 1)), span(dx, 0, (ix(rows, cols, 0) - 1)))),
           "grad_tensors(x, target, bad, flags, part, dx, rows, cols, VEC): \\separated(bad + (0 .. flags - 1), dx + (0 .. ix(rows, cols, 0) - 1))", rows, cols, flags)
  REQUIRES((!(VEC != 0) || ((cols % 4) == 0)),
           "grad_tensors(x, target, bad, flags, part, dx, rows, cols, VEC): VEC != 0 ==> cols % 4 == 0", VEC, cols)
  REQUIRES((!(VEC != 0) || aligned16(x)),
           "grad_tensors(x, target, bad, flags, part, dx, rows, cols, VEC): VEC != 0 ==> aligned16(x)", VEC)
  REQUIRES((!(VEC != 0) || aligned16(dx)),
           "grad_tensors(x, target, bad, flags, part, dx, rows, cols, VEC): VEC != 0 ==> aligned16(dx)", VEC)
  REQUIRES((!(part != ptr()) || (0 <= rows && rows <= 0x0fffffffffffffff)),
           "grad_tensors(x, target, bad, flags, part, dx, rows, cols, VEC): part != \\null ==> 0 <= rows <= 0x0fffffffffffffff", rows)
  REQUIRES((!(part != ptr()) || has(span(part, 0, (rows - 1)))),
           "grad_tensors(x, target, bad, flags, part, dx, rows, cols, VEC): part != \\null ==> \\valid(part + (0 .. rows - 1))", rows)
  REQUIRES((!(part != ptr()) || (apart(span(x, 0, (ix(rows, cols, 0) - 1)), span(part, 0, (rows - 1))))),
           "grad_tensors(x, target, bad, flags, part, dx, rows, cols, VEC): part != \\null ==> \\separated(x + (0 .. ix(rows, cols, 0) - 1), part + (0 .. rows - 1))", rows, cols)
  REQUIRES((!(part != ptr()) || (apart(span(dx, 0, (ix(rows, cols, 0) - 1)), span(part, 0, (rows - 1))))),
           "grad_tensors(x, target, bad, flags, part, dx, rows, cols, VEC): part != \\null ==> \\separated(dx + (0 .. ix(rows, cols, 0) - 1), part + (0 .. rows - 1))", rows, cols)
  REQUIRES((!(part != ptr()) || (apart(span(bad, 0, (flags - 1)), span(part, 0, (rows - 1))))),
           "grad_tensors(x, target, bad, flags, part, dx, rows, cols, VEC): part != \\null ==> \\separated(bad + (0 .. flags - 1), part + (0 .. rows - 1))", rows, flags)
  REQUIRES((apart(span(target, 0, (rows - 1)), span(dx, 0, (ix(rows, cols, 0) - 1)))),
           "\\separated(target + (0 .. rows - 1), dx + (0 .. ix(rows, cols, 0) - 1))", rows, cols)
  REQUIRES((!(part != ptr()) || (apart(span(target, 0, (rows - 1)), span(part, 0, (rows - 1))))),
           "part != \\null ==> \\separated(target + (0 .. rows - 1), part + (0 .. rows - 1))", rows)
  REQUIRES((!(g != ptr()) || has(span(g, 0, 0))),
           "g != \\null ==> \\valid_read(g) && R(g) && \\separated(g, dx + (0 .. ix(rows, cols, 0) - 1)): g != \\null ==> \\valid_read(g)")
  REQUIRES((!(g != ptr()) || (apart(span(g, 0, 0), span(dx, 0, (ix(rows, cols, 0) - 1))))),
           "g != \\null ==> \\valid_read(g) && R(g) && \\separated(g, dx + (0 .. ix(rows, cols, 0) - 1)): g != \\null ==> \\separated(g, dx + (0 .. ix(rows, cols, 0) - 1))", rows, cols)
  REQUIRES((!((part != ptr()) && (g != ptr())) || (apart(span(g, 0, 0), span(part, 0, (rows - 1))))),
           "part != \\null && g != \\null ==> \\separated(g, part + (0 .. rows - 1))", rows)
  return true;
}

bool check_cross_entropy_grad_regs(const launched &l)
{
  const num K = l.constant(0);
  const num VEC = l.constant(1);
  const num rows = l.get<int64_t>(0);
  const num cols = l.get<int>(1);
  const num flags = l.get<int>(2);
  const ptr x = l.pointer(5, 4);
  const ptr target = l.pointer(6, 8);
  const ptr bad = l.pointer(7, 4);
  const ptr g = l.pointer(8, 4);
  const ptr part = l.pointer(9, 4);
  const ptr dx = l.pointer(10, 4);
  /* not checked, no number that is known stands for it:
   *   above_lowest(x, ix(rows, cols, 0)) */
  /* not checked, permission, of the prover's discipline alone:
   *   perm_r(x, ix(rows, cols, 0))
   *   perm_r(bad, flags)
   *   perm(dx, ix(rows, cols, 0))
   *   part != \null ==> perm(part, rows)
   *   g != \null ==> R(g) */
  REQUIRES((32 <= bdim_ && bdim_ <= 1024),
           "row_fits(K, cols): 32 <= bdim_ <= 1024", bdim_)
  REQUIRES(((bdim_ % 32) == 0),
           "row_fits(K, cols): bdim_ % 32 == 0", bdim_)
  REQUIRES((0 < K && K <= 8),
           "row_fits(K, cols): 0 < K <= 8", K)
  REQUIRES((0 < cols && cols <= (4 * mul(K, bdim_))),
           "row_fits(K, cols): 0 < cols <= 4 * mul(K, bdim_)", K, cols, bdim_)
  REQUIRES((cols <= ((4 * 8) * 1024)),
           "row_fits(K, cols): cols <= 4 * 8 * 1024", cols)
  REQUIRES((ix(rows, 1, 0) <= blocks_),
           "ix(rows, 1, 0) <= blocks_", rows, blocks_)
  REQUIRES((0 <= rows && rows <= 0x0fffffffffffffff),
           "grad_tensors(x, target, bad, flags, dx, rows, cols, VEC): 0 <= rows <= 0x0fffffffffffffff", rows)
  REQUIRES((0 <= ix(rows, cols, 0) && ix(rows, cols, 0) <= 0x0fffffffffffffff),
           "grad_tensors(x, target, bad, flags, dx, rows, cols, VEC): 0 <= ix(rows, cols, 0) <= 0x0fffffffffffffff", rows, cols)
  REQUIRES(has(span(x, 0, (ix(rows, cols, 0) - 1))),
           "grad_tensors(x, target, bad, flags, dx, rows, cols, VEC): \\valid_read(x + (0 .. ix(rows, cols, 0) - 1))", rows, cols)
  REQUIRES(has(span(target, 0, (rows - 1))),
           "grad_tensors(x, target, bad, flags, dx, rows, cols, VEC): \\valid_read(target + (0 .. rows - 1))", rows)
  REQUIRES((0 <= flags && flags <= 0x7fffff00),
           "grad_tensors(x, target, bad, flags, dx, rows, cols, VEC): 0 <= flags <= 0x7fffff00", flags)
  REQUIRES(has(span(bad, 0, (flags - 1))),
           "grad_tensors(x, target, bad, flags, dx, rows, cols, VEC): \\valid_read(bad + (0 .. flags - 1))", flags)
  REQUIRES(has(span(dx, 0, (ix(rows, cols, 0) - 1))),
           "grad_tensors(x, target, bad, flags, dx, rows, cols, VEC): \\valid(dx + (0 .. ix(rows, cols, 0) - 1))", rows, cols)
  REQUIRES((apart(span(x, 0, (ix(rows, cols, 0) - 1)), span(dx, 0, (ix(rows, cols, 0) - 1)))),
           "grad_tensors(x, target, bad, flags, dx, rows, cols, VEC): \\separated(x + (0 .. ix(rows, cols, 0) - 1), dx + (0 .. ix(rows, cols, 0) - 1))", rows, cols)
  REQUIRES((apart(span(bad, 0, (flags - 1)), span(dx, 0, (ix(rows, cols, 0) - 1)))),
           "grad_tensors(x, target, bad, flags, dx, rows, cols, VEC): \\separated(bad + (0 .. flags - 1), dx + (0 .. ix(rows, cols, 0) - 1))", rows, cols, flags)
  REQUIRES((!(VEC != 0) || ((cols % 4) == 0)),
           "grad_tensors(x, target, bad, flags, dx, rows, cols, VEC): VEC != 0 ==> cols % 4 == 0", VEC, cols)
  REQUIRES((!(VEC != 0) || aligned16(x)),
           "grad_tensors(x, target, bad, flags, dx, rows, cols, VEC): VEC != 0 ==> aligned16(x)", VEC)
  REQUIRES((!(VEC != 0) || aligned16(dx)),
           "grad_tensors(x, target, bad, flags, dx, rows, cols, VEC): VEC != 0 ==> aligned16(dx)", VEC)
  REQUIRES((!(part != ptr()) || (0 <= rows && rows <= 0x0fffffffffffffff)),
           "grad_parts(part, x, bad, flags, dx, rows, cols): part != \\null ==> 0 <= rows <= 0x0fffffffffffffff", rows)
  REQUIRES((!(part != ptr()) || has(span(part, 0, (rows - 1)))),
           "grad_parts(part, x, bad, flags, dx, rows, cols): part != \\null ==> \\valid(part + (0 .. rows - 1))", rows)
  REQUIRES((!(part != ptr()) || (apart(span(x, 0, (ix(rows, cols, 0) - 1)), span(part, 0, (rows - 1))))),
           "grad_parts(part, x, bad, flags, dx, rows, cols): part != \\null ==> \\separated(x + (0 .. ix(rows, cols, 0) - 1), part + (0 .. rows - 1))", rows, cols)
  REQUIRES((!(part != ptr()) || (apart(span(bad, 0, (flags - 1)), span(part, 0, (rows - 1))))),
           "grad_parts(part, x, bad, flags, dx, rows, cols): part != \\null ==> \\separated(bad + (0 .. flags - 1), part + (0 .. rows - 1))", rows, flags)
  REQUIRES((!(part != ptr()) || (apart(span(dx, 0, (ix(rows, cols, 0) - 1)), span(part, 0, (rows - 1))))),
           "grad_parts(part, x, bad, flags, dx, rows, cols): part != \\null ==> \\separated(dx + (0 .. ix(rows, cols, 0) - 1), part + (0 .. rows - 1))", rows, cols)
  REQUIRES((apart(span(target, 0, (rows - 1)), span(dx, 0, (ix(rows, cols, 0) - 1)))),
           "\\separated(target + (0 .. rows - 1), dx + (0 .. ix(rows, cols, 0) - 1))", rows, cols)
  REQUIRES((!(part != ptr()) || (apart(span(target, 0, (rows - 1)), span(part, 0, (rows - 1))))),
           "part != \\null ==> \\separated(target + (0 .. rows - 1), part + (0 .. rows - 1))", rows)
  REQUIRES((!(g != ptr()) || has(span(g, 0, 0))),
           "g != \\null ==> \\valid_read(g) && R(g) && \\separated(g, dx + (0 .. ix(rows, cols, 0) - 1)): g != \\null ==> \\valid_read(g)")
  REQUIRES((!(g != ptr()) || (apart(span(g, 0, 0), span(dx, 0, (ix(rows, cols, 0) - 1))))),
           "g != \\null ==> \\valid_read(g) && R(g) && \\separated(g, dx + (0 .. ix(rows, cols, 0) - 1)): g != \\null ==> \\separated(g, dx + (0 .. ix(rows, cols, 0) - 1))", rows, cols)
  REQUIRES((!((part != ptr()) && (g != ptr())) || (apart(span(g, 0, 0), span(part, 0, (rows - 1))))),
           "part != \\null && g != \\null ==> \\separated(g, part + (0 .. rows - 1))", rows)
  return true;
}

bool check_cross_entropy_grad_shared(const launched &l)
{
  const num VEC = l.constant(0);
  const num blocks = l.get<int64_t>(0);
  const num rows = l.get<int64_t>(1);
  const num n = l.get<int>(2);
  const num flags = l.get<int>(3);
  const ptr x = l.pointer(6, 4);
  const ptr target = l.pointer(7, 8);
  const ptr bad = l.pointer(8, 4);
  const ptr g = l.pointer(9, 4);
  const ptr part = l.pointer(10, 4);
  const ptr dx = l.pointer(11, 4);
  /* not checked, no number that is known stands for it:
   *   above_lowest(x, ix(rows, n, 0)) */
  /* not checked, permission, of the prover's discipline alone:
   *   perm_r(x, ix(rows, n, 0))
   *   perm_r(dx, ix(rows, n, 0))
   *   perm(dx, ix(rows, n, 0))
   *   part != \null ==> perm(part, rows)
   *   perm_r(bad, flags)
   *   g != \null ==> R(g) */
  REQUIRES((32 <= bdim_ && bdim_ <= 1024),
           "slots_fit(n): 32 <= bdim_ <= 1024", bdim_)
  REQUIRES(((bdim_ % 32) == 0),
           "slots_fit(n): bdim_ % 32 == 0", bdim_)
  REQUIRES((0 < n && n <= 57856),
           "slots_fit(n): 0 < n <= 57856", n)
  REQUIRES(((n + 31) <= (4 * slots_)),
           "slots_fit(n): n + 31 <= 4 * slots_", n, slots_)
  REQUIRES((slots_ <= 14472),
           "slots_fit(n): slots_ <= 14472", slots_)
  REQUIRES((0 < blocks && blocks <= 0x0fffffffffffffff),
           "0 < blocks <= 0x0fffffffffffffff", blocks)
  REQUIRES((ix(blocks, 1, 0) <= blocks_),
           "ix(blocks, 1, 0) <= blocks_", blocks, blocks_)
  REQUIRES((0 <= rows && rows <= 0x0fffffffffffffff),
           "loss_tensors(x, target, part, dx, rows, n, VEC): 0 <= rows <= 0x0fffffffffffffff", rows)
  REQUIRES((0 <= ix(rows, n, 0) && ix(rows, n, 0) <= 0x0fffffffffffffff),
           "loss_tensors(x, target, part, dx, rows, n, VEC): 0 <= ix(rows, n, 0) <= 0x0fffffffffffffff", rows, n)
  REQUIRES(has(span(x, 0, (ix(rows, n, 0) - 1))),
           "loss_tensors(x, target, part, dx, rows, n, VEC): \\valid_read(x + (0 .. ix(rows, n, 0) - 1))", rows, n)
  REQUIRES((!(VEC != 0) || aligned16(x)),
           "loss_tensors(x, target, part, dx, rows, n, VEC): VEC != 0 ==> aligned16(x)", VEC)
  REQUIRES(has(span(dx, 0, (ix(rows, n, 0) - 1))),
           "loss_tensors(x, target, part, dx, rows, n, VEC): \\valid_read(dx + (0 .. ix(rows, n, 0) - 1))", rows, n)
  REQUIRES((!(VEC != 0) || aligned16(dx)),
           "loss_tensors(x, target, part, dx, rows, n, VEC): VEC != 0 ==> aligned16(dx)", VEC)
  REQUIRES(has(span(target, 0, (rows - 1))),
           "loss_tensors(x, target, part, dx, rows, n, VEC): \\valid_read(target + (0 .. rows - 1))", rows)
  REQUIRES((apart(span(x, 0, (ix(rows, n, 0) - 1)), span(dx, 0, (ix(rows, n, 0) - 1)))),
           "loss_tensors(x, target, part, dx, rows, n, VEC): \\separated(x + (0 .. ix(rows, n, 0) - 1), dx + (0 .. ix(rows, n, 0) - 1))", rows, n)
  REQUIRES((!(part != ptr()) || (0 <= rows && rows <= 0x0fffffffffffffff)),
           "loss_tensors(x, target, part, dx, rows, n, VEC): part != \\null ==> 0 <= rows <= 0x0fffffffffffffff", rows)
  REQUIRES((!(part != ptr()) || has(span(part, 0, (rows - 1)))),
           "loss_tensors(x, target, part, dx, rows, n, VEC): part != \\null ==> \\valid(part + (0 .. rows - 1))", rows)
  REQUIRES((!(part != ptr()) || (apart(span(x, 0, (ix(rows, n, 0) - 1)), span(part, 0, (rows - 1))))),
           "loss_tensors(x, target, part, dx, rows, n, VEC): part != \\null ==> \\separated(x + (0 .. ix(rows, n, 0) - 1), part + (0 .. rows - 1))", rows, n)
  REQUIRES((0 <= flags && flags <= 0x7fffff00),
           "flags_in(bad, flags): 0 <= flags <= 0x7fffff00", flags)
  REQUIRES(has(span(bad, 0, (flags - 1))),
           "flags_in(bad, flags): \\valid_read(bad + (0 .. flags - 1))", flags)
  REQUIRES((!(g != ptr()) || has(span(g, 0, 0))),
           "g != \\null ==> \\valid_read(g) && R(g) && \\separated(g, dx + (0 .. ix(rows, n, 0) - 1)): g != \\null ==> \\valid_read(g)")
  REQUIRES((!(g != ptr()) || (apart(span(g, 0, 0), span(dx, 0, (ix(rows, n, 0) - 1))))),
           "g != \\null ==> \\valid_read(g) && R(g) && \\separated(g, dx + (0 .. ix(rows, n, 0) - 1)): g != \\null ==> \\separated(g, dx + (0 .. ix(rows, n, 0) - 1))", rows, n)
  REQUIRES((apart(span(bad, 0, (flags - 1)), span(dx, 0, (ix(rows, n, 0) - 1)))),
           "apart(bad, flags, dx, ix(rows, n, 0)): \\separated(bad + (0 .. flags - 1), dx + (0 .. ix(rows, n, 0) - 1))", rows, n, flags)
  REQUIRES((apart(span(target, 0, (rows - 1)), span(dx, 0, (ix(rows, n, 0) - 1)))),
           "\\separated(target + (0 .. rows - 1), dx + (0 .. ix(rows, n, 0) - 1))", rows, n)
  REQUIRES((!(part != ptr()) || (apart(span(bad, 0, (flags - 1)), span(part, 0, (rows - 1))))),
           "part != \\null ==> apart(x, ix(rows, n, 0), part, rows) && apart(bad, flags, part, rows) && apart(dx, ix(rows, n, 0), part, rows) && \\separated(target + (0 .. rows - 1), part + (0 .. rows - 1)): part != \\null ==> \\separated(bad + (0 .. flags - 1), part + (0 .. rows - 1))", rows, flags)
  REQUIRES((!(part != ptr()) || (apart(span(dx, 0, (ix(rows, n, 0) - 1)), span(part, 0, (rows - 1))))),
           "part != \\null ==> apart(x, ix(rows, n, 0), part, rows) && apart(bad, flags, part, rows) && apart(dx, ix(rows, n, 0), part, rows) && \\separated(target + (0 .. rows - 1), part + (0 .. rows - 1)): part != \\null ==> \\separated(dx + (0 .. ix(rows, n, 0) - 1), part + (0 .. rows - 1))", rows, n)
  REQUIRES((!(part != ptr()) || (apart(span(target, 0, (rows - 1)), span(part, 0, (rows - 1))))),
           "part != \\null ==> apart(x, ix(rows, n, 0), part, rows) && apart(bad, flags, part, rows) && apart(dx, ix(rows, n, 0), part, rows) && \\separated(target + (0 .. rows - 1), part + (0 .. rows - 1)): part != \\null ==> \\separated(target + (0 .. rows - 1), part + (0 .. rows - 1))", rows)
  REQUIRES((!((part != ptr()) && (g != ptr())) || (apart(span(g, 0, 0), span(part, 0, (rows - 1))))),
           "part != \\null && g != \\null ==> \\separated(g, part + (0 .. rows - 1))", rows)
  return true;
}

bool check_cross_entropy_grad_split_out(const launched &l)
{
  const num VEC = l.constant(0);
  const num rows = l.get<int64_t>(0);
  const num cols = l.get<int64_t>(1);
  const num chunk = l.get<int64_t>(2);
  const num pieces = l.get<int>(3);
  const num flags = l.get<int>(4);
  const ptr x = l.pointer(7, 4);
  const ptr target = l.pointer(8, 8);
  const ptr bad = l.pointer(9, 4);
  const ptr g = l.pointer(10, 4);
  const ptr tops = l.pointer(11, 4);
  const ptr sums = l.pointer(12, 4);
  const ptr part = l.pointer(13, 4);
  const ptr dx = l.pointer(14, 4);
  /* not checked, no number that is known stands for it:
   *   Lowest < OnceLeast
   *   all_pieces(tops, sums, x, cols, chunk, pieces, rows) */
  /* not checked, permission, of the prover's discipline alone:
   *   perm_r(x, ix(rows, cols, 0))
   *   perm_r(tops, ix(rows, pieces, 0))
   *   perm_r(sums, ix(rows, pieces, 0))
   *   perm(dx, ix(rows, cols, 0))
   *   perm_r(bad, flags)
   *   part != \null ==> perm(part, rows)
   *   g != \null ==> R(g) */
  /* not checked, values of tensors over the reals, which an earlier launch left or the case has:
   *   \forall integer i; 0 <= i < ix(rows, cols, 0) ==> OnceLeast <= *(x + i) */
  REQUIRES((32 <= bdim_ && bdim_ <= 1024),
           "block: 32 <= bdim_ <= 1024", bdim_)
  REQUIRES(((bdim_ % 32) == 0),
           "block: bdim_ % 32 == 0", bdim_)
  REQUIRES((0 < cols && cols <= 0x0fffffffffffffff),
           "row_split(cols, chunk, pieces): 0 < cols <= 0x0fffffffffffffff", cols)
  REQUIRES((0 < chunk && chunk <= 0x0fffffffffffffff),
           "row_split(cols, chunk, pieces): 0 < chunk <= 0x0fffffffffffffff", chunk)
  REQUIRES(((chunk % 4) == 0 && 0 < pieces && pieces <= 1024),
           "row_split(cols, chunk, pieces): chunk % 4 == 0 < pieces <= 1024", chunk, pieces)
  REQUIRES((ix((pieces - 1), chunk, 0) < cols && cols <= ix(pieces, chunk, 0) && ix(pieces, chunk, 0) <= 0x0fffffffffffffff),
           "row_split(cols, chunk, pieces): ix(pieces - 1, chunk, 0) < cols <= ix(pieces, chunk, 0) <= 0x0fffffffffffffff", cols, chunk, pieces)
  REQUIRES((ix(rows, pieces, 0) <= blocks_),
           "ix(rows, pieces, 0) <= blocks_", rows, pieces, blocks_)
  REQUIRES((0 <= rows && rows <= 0x0fffffffffffffff),
           "join_tensors(x, tops, sums, target, rows, cols, pieces): 0 <= rows <= 0x0fffffffffffffff", rows)
  REQUIRES((ix(rows, cols, 0) <= 0x0fffffffffffffff),
           "join_tensors(x, tops, sums, target, rows, cols, pieces): ix(rows, cols, 0) <= 0x0fffffffffffffff", rows, cols)
  REQUIRES((0 <= ix(rows, cols, 0) && ix(rows, cols, 0) <= 0x0fffffffffffffff),
           "join_tensors(x, tops, sums, target, rows, cols, pieces): 0 <= ix(rows, cols, 0) <= 0x0fffffffffffffff", rows, cols)
  REQUIRES(has(span(x, 0, (ix(rows, cols, 0) - 1))),
           "join_tensors(x, tops, sums, target, rows, cols, pieces): \\valid_read(x + (0 .. ix(rows, cols, 0) - 1))", rows, cols)
  REQUIRES((0 <= ix(rows, pieces, 0) && ix(rows, pieces, 0) <= 0x0fffffffffffffff),
           "join_tensors(x, tops, sums, target, rows, cols, pieces): 0 <= ix(rows, pieces, 0) <= 0x0fffffffffffffff", rows, pieces)
  REQUIRES(has(span(tops, 0, (ix(rows, pieces, 0) - 1))),
           "join_tensors(x, tops, sums, target, rows, cols, pieces): \\valid_read(tops + (0 .. ix(rows, pieces, 0) - 1))", rows, pieces)
  REQUIRES(has(span(sums, 0, (ix(rows, pieces, 0) - 1))),
           "join_tensors(x, tops, sums, target, rows, cols, pieces): \\valid_read(sums + (0 .. ix(rows, pieces, 0) - 1))", rows, pieces)
  REQUIRES(has(span(target, 0, (rows - 1))),
           "join_tensors(x, tops, sums, target, rows, cols, pieces): \\valid_read(target + (0 .. rows - 1))", rows)
  REQUIRES(has(span(dx, 0, (ix(rows, cols, 0) - 1))),
           "spread_tensors(x, bad, flags, dx, tops, sums, rows, cols, pieces, VEC): \\valid(dx + (0 .. ix(rows, cols, 0) - 1))", rows, cols)
  REQUIRES((apart(span(x, 0, (ix(rows, cols, 0) - 1)), span(dx, 0, (ix(rows, cols, 0) - 1)))),
           "spread_tensors(x, bad, flags, dx, tops, sums, rows, cols, pieces, VEC): \\separated(x + (0 .. ix(rows, cols, 0) - 1), dx + (0 .. ix(rows, cols, 0) - 1))", rows, cols)
  REQUIRES((apart(span(tops, 0, (ix(rows, pieces, 0) - 1)), span(dx, 0, (ix(rows, cols, 0) - 1)))),
           "spread_tensors(x, bad, flags, dx, tops, sums, rows, cols, pieces, VEC): \\separated(tops + (0 .. ix(rows, pieces, 0) - 1), dx + (0 .. ix(rows, cols, 0) - 1))", rows, cols, pieces)
  REQUIRES((0 <= flags && flags <= 0x7fffff00),
           "spread_tensors(x, bad, flags, dx, tops, sums, rows, cols, pieces, VEC): 0 <= flags <= 0x7fffff00", flags)
  REQUIRES(has(span(bad, 0, (flags - 1))),
           "spread_tensors(x, bad, flags, dx, tops, sums, rows, cols, pieces, VEC): \\valid_read(bad + (0 .. flags - 1))", flags)
  REQUIRES((apart(span(sums, 0, (ix(rows, pieces, 0) - 1)), span(dx, 0, (ix(rows, cols, 0) - 1)))),
           "spread_tensors(x, bad, flags, dx, tops, sums, rows, cols, pieces, VEC): \\separated(sums + (0 .. ix(rows, pieces, 0) - 1), dx + (0 .. ix(rows, cols, 0) - 1))", rows, cols, pieces)
  REQUIRES((apart(span(bad, 0, (flags - 1)), span(dx, 0, (ix(rows, cols, 0) - 1)))),
           "spread_tensors(x, bad, flags, dx, tops, sums, rows, cols, pieces, VEC): \\separated(bad + (0 .. flags - 1), dx + (0 .. ix(rows, cols, 0) - 1))", rows, cols, flags)
  REQUIRES((!(VEC != 0) || ((cols % 4) == 0)),
           "spread_tensors(x, bad, flags, dx, tops, sums, rows, cols, pieces, VEC): VEC != 0 ==> cols % 4 == 0", VEC, cols)
  REQUIRES((!(VEC != 0) || aligned16(x)),
           "spread_tensors(x, bad, flags, dx, tops, sums, rows, cols, pieces, VEC): VEC != 0 ==> aligned16(x)", VEC)
  REQUIRES((!(VEC != 0) || aligned16(dx)),
           "spread_tensors(x, bad, flags, dx, tops, sums, rows, cols, pieces, VEC): VEC != 0 ==> aligned16(dx)", VEC)
  REQUIRES((!(part != ptr()) || (0 <= rows && rows <= 0x0fffffffffffffff)),
           "spread_parts(part, x, bad, flags, dx, tops, sums, rows, cols, pieces): part != \\null ==> 0 <= rows <= 0x0fffffffffffffff", rows)
  REQUIRES((!(part != ptr()) || has(span(part, 0, (rows - 1)))),
           "spread_parts(part, x, bad, flags, dx, tops, sums, rows, cols, pieces): part != \\null ==> \\valid(part + (0 .. rows - 1))", rows)
  REQUIRES((!(part != ptr()) || (apart(span(x, 0, (ix(rows, cols, 0) - 1)), span(part, 0, (rows - 1))))),
           "spread_parts(part, x, bad, flags, dx, tops, sums, rows, cols, pieces): part != \\null ==> \\separated(x + (0 .. ix(rows, cols, 0) - 1), part + (0 .. rows - 1))", rows, cols)
  REQUIRES((!(part != ptr()) || (apart(span(dx, 0, (ix(rows, cols, 0) - 1)), span(part, 0, (rows - 1))))),
           "spread_parts(part, x, bad, flags, dx, tops, sums, rows, cols, pieces): part != \\null ==> \\separated(dx + (0 .. ix(rows, cols, 0) - 1), part + (0 .. rows - 1))", rows, cols)
  REQUIRES((!(part != ptr()) || (apart(span(tops, 0, (ix(rows, pieces, 0) - 1)), span(part, 0, (rows - 1))))),
           "spread_parts(part, x, bad, flags, dx, tops, sums, rows, cols, pieces): part != \\null ==> \\separated(tops + (0 .. ix(rows, pieces, 0) - 1), part + (0 .. rows - 1))", rows, pieces)
  REQUIRES((!(part != ptr()) || (apart(span(sums, 0, (ix(rows, pieces, 0) - 1)), span(part, 0, (rows - 1))))),
           "spread_parts(part, x, bad, flags, dx, tops, sums, rows, cols, pieces): part != \\null ==> \\separated(sums + (0 .. ix(rows, pieces, 0) - 1), part + (0 .. rows - 1))", rows, pieces)
  REQUIRES((!(part != ptr()) || (apart(span(bad, 0, (flags - 1)), span(part, 0, (rows - 1))))),
           "spread_parts(part, x, bad, flags, dx, tops, sums, rows, cols, pieces): part != \\null ==> \\separated(bad + (0 .. flags - 1), part + (0 .. rows - 1))", rows, flags)
  REQUIRES((apart(span(target, 0, (rows - 1)), span(dx, 0, (ix(rows, cols, 0) - 1)))),
           "\\separated(target + (0 .. rows - 1), dx + (0 .. ix(rows, cols, 0) - 1))", rows, cols)
  REQUIRES((!(part != ptr()) || (apart(span(target, 0, (rows - 1)), span(part, 0, (rows - 1))))),
           "part != \\null ==> \\separated(target + (0 .. rows - 1), part + (0 .. rows - 1))", rows)
  REQUIRES((!(g != ptr()) || has(span(g, 0, 0))),
           "g != \\null ==> \\valid_read(g) && R(g) && \\separated(g, dx + (0 .. ix(rows, cols, 0) - 1)): g != \\null ==> \\valid_read(g)")
  REQUIRES((!(g != ptr()) || (apart(span(g, 0, 0), span(dx, 0, (ix(rows, cols, 0) - 1))))),
           "g != \\null ==> \\valid_read(g) && R(g) && \\separated(g, dx + (0 .. ix(rows, cols, 0) - 1)): g != \\null ==> \\separated(g, dx + (0 .. ix(rows, cols, 0) - 1))", rows, cols)
  REQUIRES((!((part != ptr()) && (g != ptr())) || (apart(span(g, 0, 0), span(part, 0, (rows - 1))))),
           "part != \\null && g != \\null ==> \\separated(g, part + (0 .. rows - 1))", rows)
  return true;
}

bool check_cross_entropy_grad_warp(const launched &l)
{
  const num K = l.constant(0);
  const num VEC = l.constant(1);
  const num log_lanes = l.get<int>(0);
  const num rows = l.get<int64_t>(1);
  const num blocks = l.get<int64_t>(2);
  const num cols = l.get<int>(3);
  const num flags = l.get<int>(4);
  const ptr x = l.pointer(7, 4);
  const ptr target = l.pointer(8, 8);
  const ptr bad = l.pointer(9, 4);
  const ptr g = l.pointer(10, 4);
  const ptr part = l.pointer(11, 4);
  const ptr dx = l.pointer(12, 4);
  /* not checked, no number that is known stands for it:
   *   above_lowest(x, ix(rows, cols, 0)) */
  /* not checked, permission, of the prover's discipline alone:
   *   perm_r(x, ix(rows, cols, 0))
   *   perm_r(bad, flags)
   *   perm(dx, ix(rows, cols, 0))
   *   g != \null ==> R(g)
   *   part != \null ==> perm(part, blocks) */
  REQUIRES((32 <= bdim_ && bdim_ <= 1024),
           "block: 32 <= bdim_ <= 1024", bdim_)
  REQUIRES(((bdim_ % 32) == 0),
           "block: bdim_ % 32 == 0", bdim_)
  REQUIRES((0 <= log_lanes && log_lanes <= 5),
           "0 <= log_lanes <= 5", log_lanes)
  REQUIRES((0 < TeamOf(log_lanes) && TeamOf(log_lanes) <= 1024),
           "team_fits(K, TeamOf(log_lanes), cols): 0 < TeamOf(log_lanes) <= 1024", log_lanes)
  REQUIRES((0 < K && K <= 8),
           "team_fits(K, TeamOf(log_lanes), cols): 0 < K <= 8", K)
  REQUIRES((0 <= cols && cols <= (4 * mul(K, TeamOf(log_lanes)))),
           "team_fits(K, TeamOf(log_lanes), cols): 0 <= cols <= 4 * mul(K, TeamOf(log_lanes))", K, log_lanes, cols)
  REQUIRES((cols <= ((4 * 8) * 1024)),
           "team_fits(K, TeamOf(log_lanes), cols): cols <= 4 * 8 * 1024", cols)
  REQUIRES((0 < cols),
           "0 < cols", cols)
  REQUIRES((0 <= rows && rows <= 0x0fffffffffffffff),
           "loss_of_rows(x, target, rows, cols): 0 <= rows <= 0x0fffffffffffffff", rows)
  REQUIRES((0 <= ix(rows, cols, 0) && ix(rows, cols, 0) <= 0x0fffffffffffffff),
           "loss_of_rows(x, target, rows, cols): 0 <= ix(rows, cols, 0) <= 0x0fffffffffffffff", rows, cols)
  REQUIRES(has(span(x, 0, (ix(rows, cols, 0) - 1))),
           "loss_of_rows(x, target, rows, cols): \\valid_read(x + (0 .. ix(rows, cols, 0) - 1))", rows, cols)
  REQUIRES(has(span(target, 0, (rows - 1))),
           "loss_of_rows(x, target, rows, cols): \\valid_read(target + (0 .. rows - 1))", rows)
  REQUIRES((0 <= flags && flags <= 0x7fffff00),
           "grad_of_rows(x, bad, flags, dx, rows, cols): 0 <= flags <= 0x7fffff00", flags)
  REQUIRES(has(span(bad, 0, (flags - 1))),
           "grad_of_rows(x, bad, flags, dx, rows, cols): \\valid_read(bad + (0 .. flags - 1))", flags)
  REQUIRES(has(span(dx, 0, (ix(rows, cols, 0) - 1))),
           "grad_of_rows(x, bad, flags, dx, rows, cols): \\valid(dx + (0 .. ix(rows, cols, 0) - 1))", rows, cols)
  REQUIRES((apart(span(bad, 0, (flags - 1)), span(dx, 0, (ix(rows, cols, 0) - 1)))),
           "grad_of_rows(x, bad, flags, dx, rows, cols): \\separated(bad + (0 .. flags - 1), dx + (0 .. ix(rows, cols, 0) - 1))", rows, cols, flags)
  REQUIRES((apart(span(x, 0, (ix(rows, cols, 0) - 1)), span(dx, 0, (ix(rows, cols, 0) - 1)))),
           "grad_of_rows(x, bad, flags, dx, rows, cols): \\separated(x + (0 .. ix(rows, cols, 0) - 1), dx + (0 .. ix(rows, cols, 0) - 1))", rows, cols)
  REQUIRES((rows <= ix(blocks, (bdim_ / TeamOf(log_lanes)), 0) && ix(blocks, (bdim_ / TeamOf(log_lanes)), 0) <= 0x0fffffffffffffff),
           "rows <= ix(blocks, bdim_ / TeamOf(log_lanes), 0) <= 0x0fffffffffffffff", log_lanes, rows, blocks, bdim_)
  REQUIRES((0 <= blocks),
           "0 <= blocks", blocks)
  REQUIRES((ix(blocks, 1, 0) <= blocks_),
           "ix(blocks, 1, 0) <= blocks_", blocks, blocks_)
  REQUIRES((apart(span(target, 0, (rows - 1)), span(dx, 0, (ix(rows, cols, 0) - 1)))),
           "\\separated(target + (0 .. rows - 1), dx + (0 .. ix(rows, cols, 0) - 1))", rows, cols)
  REQUIRES((!(g != ptr()) || has(span(g, 0, 0))),
           "g != \\null ==> \\valid_read(g) && R(g) && \\separated(g, dx + (0 .. ix(rows, cols, 0) - 1)): g != \\null ==> \\valid_read(g)")
  REQUIRES((!(g != ptr()) || (apart(span(g, 0, 0), span(dx, 0, (ix(rows, cols, 0) - 1))))),
           "g != \\null ==> \\valid_read(g) && R(g) && \\separated(g, dx + (0 .. ix(rows, cols, 0) - 1)): g != \\null ==> \\separated(g, dx + (0 .. ix(rows, cols, 0) - 1))", rows, cols)
  REQUIRES((!(part != ptr()) || (0 <= blocks && blocks <= 0x0fffffffffffffff)),
           "part != \\null ==> writes(part, blocks) && apart(x, ix(rows, cols, 0), part, blocks) && apart(bad, flags, part, blocks) && apart(dx, ix(rows, cols, 0), part, blocks) && \\separated(target + (0 .. rows - 1), part + (0 .. blocks - 1)): part != \\null ==> 0 <= blocks <= 0x0fffffffffffffff", blocks)
  REQUIRES((!(part != ptr()) || has(span(part, 0, (blocks - 1)))),
           "part != \\null ==> writes(part, blocks) && apart(x, ix(rows, cols, 0), part, blocks) && apart(bad, flags, part, blocks) && apart(dx, ix(rows, cols, 0), part, blocks) && \\separated(target + (0 .. rows - 1), part + (0 .. blocks - 1)): part != \\null ==> \\valid(part + (0 .. blocks - 1))", blocks)
  REQUIRES((!(part != ptr()) || (apart(span(x, 0, (ix(rows, cols, 0) - 1)), span(part, 0, (blocks - 1))))),
           "part != \\null ==> writes(part, blocks) && apart(x, ix(rows, cols, 0), part, blocks) && apart(bad, flags, part, blocks) && apart(dx, ix(rows, cols, 0), part, blocks) && \\separated(target + (0 .. rows - 1), part + (0 .. blocks - 1)): part != \\null ==> \\separated(x + (0 .. ix(rows, cols, 0) - 1), part + (0 .. blocks - 1))", rows, blocks, cols)
  REQUIRES((!(part != ptr()) || (apart(span(bad, 0, (flags - 1)), span(part, 0, (blocks - 1))))),
           "part != \\null ==> writes(part, blocks) && apart(x, ix(rows, cols, 0), part, blocks) && apart(bad, flags, part, blocks) && apart(dx, ix(rows, cols, 0), part, blocks) && \\separated(target + (0 .. rows - 1), part + (0 .. blocks - 1)): part != \\null ==> \\separated(bad + (0 .. flags - 1), part + (0 .. blocks - 1))", blocks, flags)
  REQUIRES((!(part != ptr()) || (apart(span(dx, 0, (ix(rows, cols, 0) - 1)), span(part, 0, (blocks - 1))))),
           "part != \\null ==> writes(part, blocks) && apart(x, ix(rows, cols, 0), part, blocks) && apart(bad, flags, part, blocks) && apart(dx, ix(rows, cols, 0), part, blocks) && \\separated(target + (0 .. rows - 1), part + (0 .. blocks - 1)): part != \\null ==> \\separated(dx + (0 .. ix(rows, cols, 0) - 1), part + (0 .. blocks - 1))", rows, blocks, cols)
  REQUIRES((!(part != ptr()) || (apart(span(target, 0, (rows - 1)), span(part, 0, (blocks - 1))))),
           "part != \\null ==> writes(part, blocks) && apart(x, ix(rows, cols, 0), part, blocks) && apart(bad, flags, part, blocks) && apart(dx, ix(rows, cols, 0), part, blocks) && \\separated(target + (0 .. rows - 1), part + (0 .. blocks - 1)): part != \\null ==> \\separated(target + (0 .. rows - 1), part + (0 .. blocks - 1))", rows, blocks)
  REQUIRES((!((part != ptr()) && (g != ptr())) || (apart(span(g, 0, 0), span(part, 0, (blocks - 1))))),
           "part != \\null && g != \\null ==> \\separated(g, part + (0 .. blocks - 1))", blocks)
  REQUIRES((!(VEC != 0) || ((cols % 4) == 0)),
           "VEC != 0 ==> cols % 4 == 0 && aligned16(x) && aligned16(dx): VEC != 0 ==> cols % 4 == 0", VEC, cols)
  REQUIRES((!(VEC != 0) || aligned16(x)),
           "VEC != 0 ==> cols % 4 == 0 && aligned16(x) && aligned16(dx): VEC != 0 ==> aligned16(x)", VEC)
  REQUIRES((!(VEC != 0) || aligned16(dx)),
           "VEC != 0 ==> cols % 4 == 0 && aligned16(x) && aligned16(dx): VEC != 0 ==> aligned16(dx)", VEC)
  return true;
}

bool check_cross_entropy_mean(const launched &l)
{
  const num n = l.get<int64_t>(0);
  const num V = l.get<int64_t>(1);
  const num chunk = l.get<int64_t>(2);
  const num blocks = l.get<int64_t>(3);
  const ptr x = l.pointer(6, 4);
  const ptr out = l.pointer(7, 4);
  const ptr status = l.pointer(8, 4);
  /* not checked, permission, of the prover's discipline alone:
   *   perm_r(x, n)
   *   perm(out, blocks) */
  REQUIRES((32 <= bdim_ && bdim_ <= 1024),
           "block: 32 <= bdim_ <= 1024", bdim_)
  REQUIRES(((bdim_ % 32) == 0),
           "block: bdim_ % 32 == 0", bdim_)
  REQUIRES((0 < chunk),
           "0 < chunk", chunk)
  REQUIRES((0 < blocks),
           "0 < blocks", blocks)
  REQUIRES((0 <= n && n <= 0x0fffffffffffffff),
           "sum_reads(x, n, V, 1): 0 <= n <= 0x0fffffffffffffff", n)
  REQUIRES(has(span(x, 0, (n - 1))),
           "sum_reads(x, n, V, 1): \\valid_read(x + (0 .. n - 1))", n)
  REQUIRES((0 <= (4 * V) && (4 * V) <= n),
           "sum_reads(x, n, V, 1): 0 <= 4 * V <= n", n, V)
  REQUIRES((!(1 != 0) || aligned16(x)),
           "sum_reads(x, n, V, 1): 1 != 0 ==> aligned16(x)")
  REQUIRES((0 <= blocks && blocks <= 0x0fffffffffffffff),
           "writes(out, blocks): 0 <= blocks <= 0x0fffffffffffffff", blocks)
  REQUIRES(has(span(out, 0, (blocks - 1))),
           "writes(out, blocks): \\valid(out + (0 .. blocks - 1))", blocks)
  REQUIRES((apart(span(x, 0, (n - 1)), span(out, 0, (blocks - 1)))),
           "apart(x, n, out, blocks): \\separated(x + (0 .. n - 1), out + (0 .. blocks - 1))", n, blocks)
  REQUIRES((ix(blocks, chunk, 0) <= 0x0fffffffffffffff),
           "ix(blocks, chunk, 0) <= 0x0fffffffffffffff", chunk, blocks)
  REQUIRES((ix(blocks, 1, 0) <= blocks_),
           "ix(blocks, 1, 0) <= blocks_", blocks, blocks_)
  REQUIRES((ix((blocks - 1), chunk, 0) <= V && V <= ix(blocks, chunk, 0)),
           "ix(blocks - 1, chunk, 0) <= V <= ix(blocks, chunk, 0)", V, chunk, blocks)
  REQUIRES((!(status != ptr()) || has(span(status, 0, 0))),
           "status != \\null ==> \\valid(status) && \\separated(status, out + (0 .. blocks - 1)) && \\separated(status, x + (0 .. n - 1)): status != \\null ==> \\valid(status)")
  REQUIRES((!(status != ptr()) || (apart(span(status, 0, 0), span(out, 0, (blocks - 1))))),
           "status != \\null ==> \\valid(status) && \\separated(status, out + (0 .. blocks - 1)) && \\separated(status, x + (0 .. n - 1)): status != \\null ==> \\separated(status, out + (0 .. blocks - 1))", blocks)
  REQUIRES((!(status != ptr()) || (apart(span(status, 0, 0), span(x, 0, (n - 1))))),
           "status != \\null ==> \\valid(status) && \\separated(status, out + (0 .. blocks - 1)) && \\separated(status, x + (0 .. n - 1)): status != \\null ==> \\separated(status, x + (0 .. n - 1))", n)
  return true;
}

bool check_cross_entropy_online(const launched &l)
{
  const num VEC = l.constant(0);
  const num rows = l.get<int64_t>(0);
  const num cols = l.get<int64_t>(1);
  const num blocks = l.get<int64_t>(2);
  const num share = l.get<int64_t>(3);
  const num more = l.get<int64_t>(4);
  const ptr x = l.pointer(5, 4);
  const ptr target = l.pointer(6, 8);
  const ptr part = l.pointer(7, 4);
  /* not checked, no number that is known stands for it:
   *   Lowest < OnceLeast */
  /* not checked, permission, of the prover's discipline alone:
   *   perm_r(x, ix(rows, cols, 0))
   *   perm(part, rows) */
  /* not checked, values of tensors over the reals, which an earlier launch left or the case has:
   *   \forall integer i; 0 <= i < ix(rows, cols, 0) ==> OnceLeast <= *(x + i) */
  REQUIRES((32 <= bdim_ && bdim_ <= 1024),
           "block: 32 <= bdim_ <= 1024", bdim_)
  REQUIRES(((bdim_ % 32) == 0),
           "block: bdim_ % 32 == 0", bdim_)
  REQUIRES((0 < cols && cols <= 0x0fffffffffffffff),
           "once_tensors(x, part, rows, cols, VEC): 0 < cols <= 0x0fffffffffffffff", cols)
  REQUIRES((0 <= ix(rows, cols, 0) && ix(rows, cols, 0) <= 0x0fffffffffffffff),
           "once_tensors(x, part, rows, cols, VEC): 0 <= ix(rows, cols, 0) <= 0x0fffffffffffffff", rows, cols)
  REQUIRES(has(span(x, 0, (ix(rows, cols, 0) - 1))),
           "once_tensors(x, part, rows, cols, VEC): \\valid_read(x + (0 .. ix(rows, cols, 0) - 1))", rows, cols)
  REQUIRES((0 <= rows && rows <= 0x0fffffffffffffff),
           "once_tensors(x, part, rows, cols, VEC): 0 <= rows <= 0x0fffffffffffffff", rows)
  REQUIRES(has(span(part, 0, (rows - 1))),
           "once_tensors(x, part, rows, cols, VEC): \\valid(part + (0 .. rows - 1))", rows)
  REQUIRES((apart(span(x, 0, (ix(rows, cols, 0) - 1)), span(part, 0, (rows - 1)))),
           "once_tensors(x, part, rows, cols, VEC): \\separated(x + (0 .. ix(rows, cols, 0) - 1), part + (0 .. rows - 1))", rows, cols)
  REQUIRES((!(VEC != 0) || aligned16(x)),
           "once_tensors(x, part, rows, cols, VEC): VEC != 0 ==> aligned16(x)", VEC)
  REQUIRES(has(span(target, 0, (rows - 1))),
           "\\valid_read(target + (0 .. rows - 1))", rows)
  REQUIRES((0 < blocks && blocks <= 0x0fffffffffffffff),
           "0 < blocks <= 0x0fffffffffffffff", blocks)
  REQUIRES((ix(blocks, 1, 0) <= blocks_),
           "ix(blocks, 1, 0) <= blocks_", blocks, blocks_)
  REQUIRES((0 <= share),
           "dealt(rows, blocks, share, more): 0 <= share", share)
  REQUIRES((0 <= more && more <= blocks),
           "dealt(rows, blocks, share, more): 0 <= more <= blocks", blocks, more)
  REQUIRES((rows == (ix(blocks, share, 0) + more)),
           "dealt(rows, blocks, share, more): rows == ix(blocks, share, 0) + more", rows, blocks, share, more)
  REQUIRES((rows <= 0x0fffffffffffffff),
           "dealt(rows, blocks, share, more): rows <= 0x0fffffffffffffff", rows)
  REQUIRES((apart(span(target, 0, (rows - 1)), span(part, 0, (rows - 1)))),
           "\\separated(target + (0 .. rows - 1), part + (0 .. rows - 1))", rows)
  return true;
}

bool check_cross_entropy_regs(const launched &l)
{
  const num K = l.constant(0);
  const num VEC = l.constant(1);
  const num rows = l.get<int64_t>(0);
  const num cols = l.get<int>(1);
  const ptr x = l.pointer(2, 4);
  const ptr target = l.pointer(3, 8);
  const ptr part = l.pointer(4, 4);
  /* not checked, no number that is known stands for it:
   *   above_lowest(x, ix(rows, cols, 0)) */
  /* not checked, permission, of the prover's discipline alone:
   *   perm_r(x, ix(rows, cols, 0))
   *   perm(part, rows) */
  REQUIRES((32 <= bdim_ && bdim_ <= 1024),
           "row_fits(K, cols): 32 <= bdim_ <= 1024", bdim_)
  REQUIRES(((bdim_ % 32) == 0),
           "row_fits(K, cols): bdim_ % 32 == 0", bdim_)
  REQUIRES((0 < K && K <= 8),
           "row_fits(K, cols): 0 < K <= 8", K)
  REQUIRES((0 < cols && cols <= (4 * mul(K, bdim_))),
           "row_fits(K, cols): 0 < cols <= 4 * mul(K, bdim_)", K, cols, bdim_)
  REQUIRES((cols <= ((4 * 8) * 1024)),
           "row_fits(K, cols): cols <= 4 * 8 * 1024", cols)
  REQUIRES((0 <= rows && rows <= 0x0fffffffffffffff),
           "0 <= rows <= 0x0fffffffffffffff", rows)
  REQUIRES((ix(rows, 1, 0) <= blocks_),
           "ix(rows, 1, 0) <= blocks_", rows, blocks_)
  REQUIRES((0 <= ix(rows, cols, 0) && ix(rows, cols, 0) <= 0x0fffffffffffffff),
           "reads(x, ix(rows, cols, 0)): 0 <= ix(rows, cols, 0) <= 0x0fffffffffffffff", rows, cols)
  REQUIRES(has(span(x, 0, (ix(rows, cols, 0) - 1))),
           "reads(x, ix(rows, cols, 0)): \\valid_read(x + (0 .. ix(rows, cols, 0) - 1))", rows, cols)
  REQUIRES(has(span(part, 0, (rows - 1))),
           "writes(part, rows): \\valid(part + (0 .. rows - 1))", rows)
  REQUIRES(has(span(target, 0, (rows - 1))),
           "\\valid_read(target + (0 .. rows - 1))", rows)
  REQUIRES((apart(span(x, 0, (ix(rows, cols, 0) - 1)), span(part, 0, (rows - 1)))),
           "apart(x, ix(rows, cols, 0), part, rows): \\separated(x + (0 .. ix(rows, cols, 0) - 1), part + (0 .. rows - 1))", rows, cols)
  REQUIRES((apart(span(target, 0, (rows - 1)), span(part, 0, (rows - 1)))),
           "\\separated(target + (0 .. rows - 1), part + (0 .. rows - 1))", rows)
  REQUIRES((!(VEC != 0) || ((cols % 4) == 0)),
           "VEC != 0 ==> cols % 4 == 0 && aligned16(x): VEC != 0 ==> cols % 4 == 0", VEC, cols)
  REQUIRES((!(VEC != 0) || aligned16(x)),
           "VEC != 0 ==> cols % 4 == 0 && aligned16(x): VEC != 0 ==> aligned16(x)", VEC)
  return true;
}

bool check_cross_entropy_split_out(const launched &l)
{
  const num rows = l.get<int64_t>(0);
  const num cols = l.get<int64_t>(1);
  const num pieces = l.get<int>(2);
  const ptr x = l.pointer(3, 4);
  const ptr target = l.pointer(4, 8);
  const ptr tops = l.pointer(5, 4);
  const ptr sums = l.pointer(6, 4);
  const ptr part = l.pointer(7, 4);
  const num chunk = ((((cols + (4 * pieces)) - 1) / (4 * pieces)) * 4);
  /* not checked, no number that is known stands for it:
   *   Lowest < OnceLeast
   *   all_pieces(tops, sums, x, cols, chunk, pieces, rows) */
  /* not checked, permission, of the prover's discipline alone:
   *   perm_r(x, ix(rows, cols, 0))
   *   perm_r(tops, ix(rows, pieces, 0))
   *   perm_r(sums, ix(rows, pieces, 0))
   *   perm(part, rows) */
  /* not checked, values of tensors over the reals, which an earlier launch left or the case has:
   *   \forall integer i; 0 <= i < ix(rows, cols, 0) ==> OnceLeast <= *(x + i) */
  REQUIRES((32 <= bdim_ && bdim_ <= 1024),
           "block: 32 <= bdim_ <= 1024", bdim_)
  REQUIRES(((bdim_ % 32) == 0),
           "block: bdim_ % 32 == 0", bdim_)
  REQUIRES((0 < cols && cols <= 0x0fffffffffffffff),
           "row_split(cols, chunk, pieces): 0 < cols <= 0x0fffffffffffffff", cols)
  REQUIRES((0 < chunk && chunk <= 0x0fffffffffffffff),
           "row_split(cols, chunk, pieces): 0 < chunk <= 0x0fffffffffffffff", chunk)
  REQUIRES(((chunk % 4) == 0 && 0 < pieces && pieces <= 1024),
           "row_split(cols, chunk, pieces): chunk % 4 == 0 < pieces <= 1024", pieces, chunk)
  REQUIRES((ix((pieces - 1), chunk, 0) < cols && cols <= ix(pieces, chunk, 0) && ix(pieces, chunk, 0) <= 0x0fffffffffffffff),
           "row_split(cols, chunk, pieces): ix(pieces - 1, chunk, 0) < cols <= ix(pieces, chunk, 0) <= 0x0fffffffffffffff", cols, pieces, chunk)
  REQUIRES((ix(rows, 1, 0) <= blocks_),
           "ix(rows, 1, 0) <= blocks_", rows, blocks_)
  REQUIRES((0 <= rows && rows <= 0x0fffffffffffffff),
           "join_tensors(x, tops, sums, target, rows, cols, pieces): 0 <= rows <= 0x0fffffffffffffff", rows)
  REQUIRES((ix(rows, cols, 0) <= 0x0fffffffffffffff),
           "join_tensors(x, tops, sums, target, rows, cols, pieces): ix(rows, cols, 0) <= 0x0fffffffffffffff", rows, cols)
  REQUIRES((0 <= ix(rows, cols, 0) && ix(rows, cols, 0) <= 0x0fffffffffffffff),
           "join_tensors(x, tops, sums, target, rows, cols, pieces): 0 <= ix(rows, cols, 0) <= 0x0fffffffffffffff", rows, cols)
  REQUIRES(has(span(x, 0, (ix(rows, cols, 0) - 1))),
           "join_tensors(x, tops, sums, target, rows, cols, pieces): \\valid_read(x + (0 .. ix(rows, cols, 0) - 1))", rows, cols)
  REQUIRES((0 <= ix(rows, pieces, 0) && ix(rows, pieces, 0) <= 0x0fffffffffffffff),
           "join_tensors(x, tops, sums, target, rows, cols, pieces): 0 <= ix(rows, pieces, 0) <= 0x0fffffffffffffff", rows, pieces)
  REQUIRES(has(span(tops, 0, (ix(rows, pieces, 0) - 1))),
           "join_tensors(x, tops, sums, target, rows, cols, pieces): \\valid_read(tops + (0 .. ix(rows, pieces, 0) - 1))", rows, pieces)
  REQUIRES(has(span(sums, 0, (ix(rows, pieces, 0) - 1))),
           "join_tensors(x, tops, sums, target, rows, cols, pieces): \\valid_read(sums + (0 .. ix(rows, pieces, 0) - 1))", rows, pieces)
  REQUIRES(has(span(target, 0, (rows - 1))),
           "join_tensors(x, tops, sums, target, rows, cols, pieces): \\valid_read(target + (0 .. rows - 1))", rows)
  REQUIRES(has(span(part, 0, (rows - 1))),
           "writes(part, rows): \\valid(part + (0 .. rows - 1))", rows)
  REQUIRES((apart(span(x, 0, (ix(rows, cols, 0) - 1)), span(part, 0, (rows - 1)))),
           "apart(x, ix(rows, cols, 0), part, rows): \\separated(x + (0 .. ix(rows, cols, 0) - 1), part + (0 .. rows - 1))", rows, cols)
  REQUIRES((apart(span(tops, 0, (ix(rows, pieces, 0) - 1)), span(part, 0, (rows - 1)))),
           "apart(tops, ix(rows, pieces, 0), part, rows): \\separated(tops + (0 .. ix(rows, pieces, 0) - 1), part + (0 .. rows - 1))", rows, pieces)
  REQUIRES((apart(span(sums, 0, (ix(rows, pieces, 0) - 1)), span(part, 0, (rows - 1)))),
           "apart(sums, ix(rows, pieces, 0), part, rows): \\separated(sums + (0 .. ix(rows, pieces, 0) - 1), part + (0 .. rows - 1))", rows, pieces)
  REQUIRES((apart(span(target, 0, (rows - 1)), span(part, 0, (rows - 1)))),
           "\\separated(target + (0 .. rows - 1), part + (0 .. rows - 1))", rows)
  return true;
}

bool check_cross_entropy_targets(const launched &l)
{
  const num rows = l.get<int64_t>(0);
  const num cols = l.get<int64_t>(1);
  const num each = l.get<int64_t>(2);
  const num blocks = l.get<int64_t>(3);
  const ptr target = l.pointer(4, 8);
  const ptr bad = l.pointer(5, 4);
  const ptr status = l.pointer(6, 4);
  /* not checked, permission, of the prover's discipline alone:
   *   perm(bad, blocks) */
  REQUIRES((32 <= bdim_ && bdim_ <= 1024),
           "block: 32 <= bdim_ <= 1024", bdim_)
  REQUIRES(((bdim_ % 32) == 0),
           "block: bdim_ % 32 == 0", bdim_)
  REQUIRES((0 < each),
           "0 < each", each)
  REQUIRES((0 < cols),
           "0 < cols", cols)
  REQUIRES((0 <= rows),
           "0 <= rows", rows)
  REQUIRES((0 < blocks),
           "0 < blocks", blocks)
  REQUIRES((0 <= blocks && blocks <= 0x0fffffffffffffff),
           "writes(bad, blocks): 0 <= blocks <= 0x0fffffffffffffff", blocks)
  REQUIRES(has(span(bad, 0, (blocks - 1))),
           "writes(bad, blocks): \\valid(bad + (0 .. blocks - 1))", blocks)
  REQUIRES((ix(blocks, each, 0) <= 0x0fffffffffffffff),
           "ix(blocks, each, 0) <= 0x0fffffffffffffff", each, blocks)
  REQUIRES((ix(blocks, 1, 0) <= blocks_),
           "ix(blocks, 1, 0) <= blocks_", blocks, blocks_)
  REQUIRES((ix((blocks - 1), each, 0) <= rows && rows <= ix(blocks, each, 0)),
           "ix(blocks - 1, each, 0) <= rows <= ix(blocks, each, 0)", rows, each, blocks)
  REQUIRES(has(span(target, 0, (rows - 1))),
           "\\valid_read(target + (0 .. rows - 1))", rows)
  REQUIRES((apart(span(target, 0, (rows - 1)), span(bad, 0, (blocks - 1)))),
           "\\separated(target + (0 .. rows - 1), bad + (0 .. blocks - 1))", rows, blocks)
  REQUIRES((!(status != ptr()) || has(span(status, 0, 0))),
           "status != \\null ==> \\valid(status) && \\separated(status, bad + (0 .. blocks - 1)) && \\separated(status, target + (0 .. rows - 1)): status != \\null ==> \\valid(status)")
  REQUIRES((!(status != ptr()) || (apart(span(status, 0, 0), span(bad, 0, (blocks - 1))))),
           "status != \\null ==> \\valid(status) && \\separated(status, bad + (0 .. blocks - 1)) && \\separated(status, target + (0 .. rows - 1)): status != \\null ==> \\separated(status, bad + (0 .. blocks - 1))", blocks)
  REQUIRES((!(status != ptr()) || (apart(span(status, 0, 0), span(target, 0, (rows - 1))))),
           "status != \\null ==> \\valid(status) && \\separated(status, bad + (0 .. blocks - 1)) && \\separated(status, target + (0 .. rows - 1)): status != \\null ==> \\separated(status, target + (0 .. rows - 1))", rows)
  return true;
}

bool check_cross_entropy_warp(const launched &l)
{
  const num K = l.constant(0);
  const num VEC = l.constant(1);
  const num log_lanes = l.get<int>(0);
  const num rows = l.get<int64_t>(1);
  const num blocks = l.get<int64_t>(2);
  const num cols = l.get<int>(3);
  const ptr x = l.pointer(4, 4);
  const ptr target = l.pointer(5, 8);
  const ptr part = l.pointer(6, 4);
  /* not checked, no number that is known stands for it:
   *   above_lowest(x, ix(rows, cols, 0)) */
  /* not checked, permission, of the prover's discipline alone:
   *   perm_r(x, ix(rows, cols, 0))
   *   perm(part, blocks) */
  REQUIRES((32 <= bdim_ && bdim_ <= 1024),
           "block: 32 <= bdim_ <= 1024", bdim_)
  REQUIRES(((bdim_ % 32) == 0),
           "block: bdim_ % 32 == 0", bdim_)
  REQUIRES((0 <= log_lanes && log_lanes <= 5),
           "0 <= log_lanes <= 5", log_lanes)
  REQUIRES((0 < TeamOf(log_lanes) && TeamOf(log_lanes) <= 1024),
           "team_fits(K, TeamOf(log_lanes), cols): 0 < TeamOf(log_lanes) <= 1024", log_lanes)
  REQUIRES((0 < K && K <= 8),
           "team_fits(K, TeamOf(log_lanes), cols): 0 < K <= 8", K)
  REQUIRES((0 <= cols && cols <= (4 * mul(K, TeamOf(log_lanes)))),
           "team_fits(K, TeamOf(log_lanes), cols): 0 <= cols <= 4 * mul(K, TeamOf(log_lanes))", K, log_lanes, cols)
  REQUIRES((cols <= ((4 * 8) * 1024)),
           "team_fits(K, TeamOf(log_lanes), cols): cols <= 4 * 8 * 1024", cols)
  REQUIRES((0 < cols),
           "0 < cols", cols)
  REQUIRES((0 <= rows && rows <= 0x0fffffffffffffff),
           "loss_of_rows(x, target, rows, cols): 0 <= rows <= 0x0fffffffffffffff", rows)
  REQUIRES((0 <= ix(rows, cols, 0) && ix(rows, cols, 0) <= 0x0fffffffffffffff),
           "loss_of_rows(x, target, rows, cols): 0 <= ix(rows, cols, 0) <= 0x0fffffffffffffff", rows, cols)
  REQUIRES(has(span(x, 0, (ix(rows, cols, 0) - 1))),
           "loss_of_rows(x, target, rows, cols): \\valid_read(x + (0 .. ix(rows, cols, 0) - 1))", rows, cols)
  REQUIRES(has(span(target, 0, (rows - 1))),
           "loss_of_rows(x, target, rows, cols): \\valid_read(target + (0 .. rows - 1))", rows)
  REQUIRES((0 <= blocks && blocks <= 0x0fffffffffffffff),
           "writes(part, blocks): 0 <= blocks <= 0x0fffffffffffffff", blocks)
  REQUIRES(has(span(part, 0, (blocks - 1))),
           "writes(part, blocks): \\valid(part + (0 .. blocks - 1))", blocks)
  REQUIRES((ix(blocks, 1, 0) <= blocks_),
           "ix(blocks, 1, 0) <= blocks_", blocks, blocks_)
  REQUIRES((rows <= ix(blocks, (bdim_ / TeamOf(log_lanes)), 0) && ix(blocks, (bdim_ / TeamOf(log_lanes)), 0) <= 0x0fffffffffffffff),
           "rows <= ix(blocks, bdim_ / TeamOf(log_lanes), 0) <= 0x0fffffffffffffff", log_lanes, rows, blocks, bdim_)
  REQUIRES((apart(span(x, 0, (ix(rows, cols, 0) - 1)), span(part, 0, (blocks - 1)))),
           "apart(x, ix(rows, cols, 0), part, blocks): \\separated(x + (0 .. ix(rows, cols, 0) - 1), part + (0 .. blocks - 1))", rows, blocks, cols)
  REQUIRES((apart(span(target, 0, (rows - 1)), span(part, 0, (blocks - 1)))),
           "\\separated(target + (0 .. rows - 1), part + (0 .. blocks - 1))", rows, blocks)
  REQUIRES((!(VEC != 0) || ((cols % 4) == 0)),
           "VEC != 0 ==> cols % 4 == 0 && aligned16(x): VEC != 0 ==> cols % 4 == 0", VEC, cols)
  REQUIRES((!(VEC != 0) || aligned16(x)),
           "VEC != 0 ==> cols % 4 == 0 && aligned16(x): VEC != 0 ==> aligned16(x)", VEC)
  return true;
}

bool check_div_vjp_map(const launched &l)
{
  const num n = l.get<int64_t>(0);
  const num V = l.get<int64_t>(1);
  const ptr x0 = l.pointer(5, 4);
  const ptr x1 = l.pointer(6, 4);
  const ptr x2 = l.pointer(7, 4);
  const ptr y0 = l.pointer(8, 4);
  const ptr y1 = l.pointer(9, 4);
  /* not checked, permission, of the prover's discipline alone:
   *   MAP_EACH == MAP_EACH ==> perm_r(x0, n)
   *   MAP_EACH == MAP_SAME ==> perm_r(x0, 1)
   *   MAP_EACH == MAP_EACH ==> perm_r(x1, n)
   *   MAP_EACH == MAP_SAME ==> perm_r(x1, 1)
   *   MAP_EACH == MAP_EACH ==> perm_r(x2, n)
   *   MAP_EACH == MAP_SAME ==> perm_r(x2, 1)
   *   \forall integer k; 0 <= k < n ==> owner(y0 + k, map_thread(k, V), -1)
   *   \forall integer k; 0 <= k < n ==> owner(y1 + k, map_thread(k, V), -1) */
  REQUIRES((0 <= (4 * V) && (4 * V) <= n && n <= 0x0fffffffffffffff),
           "map_size(n, V, 4): 0 <= 4 * V <= n <= 0x0fffffffffffffff", n, V)
  REQUIRES(((n - ((4 - 1) * V)) <= gsize_ && gsize_ < 0x1000000000000000),
           "n - (4 - 1) * V <= gsize_ < 0x1000000000000000", n, V, gsize_)
  REQUIRES((0 <= 1 && 1 <= 2),
           "reads_kind(x0, K0, n): MAP_NONE <= MAP_EACH <= MAP_SAME")
  REQUIRES((!(1 == 1) || (0 <= n && n <= 0x0fffffffffffffff)),
           "reads_kind(x0, K0, n): MAP_EACH == MAP_EACH ==> 0 <= n <= 0x0fffffffffffffff", n)
  REQUIRES((!(1 == 1) || has(span(x0, 0, (n - 1)))),
           "reads_kind(x0, K0, n): MAP_EACH == MAP_EACH ==> \\valid_read(x0 + (0 .. n - 1))", n)
  REQUIRES((!(1 == 2) || (0 <= 1 && 1 <= 0x0fffffffffffffff)),
           "reads_kind(x0, K0, n): MAP_EACH == MAP_SAME ==> 0 <= 1 <= 0x0fffffffffffffff")
  REQUIRES((!(1 == 2) || has(span(x0, 0, (1 - 1)))),
           "reads_kind(x0, K0, n): MAP_EACH == MAP_SAME ==> \\valid_read(x0 + (0 .. 1 - 1))")
  REQUIRES((!(1 == 1) || has(span(x1, 0, (n - 1)))),
           "reads_kind(x1, K1, n): MAP_EACH == MAP_EACH ==> \\valid_read(x1 + (0 .. n - 1))", n)
  REQUIRES((!(1 == 2) || has(span(x1, 0, (1 - 1)))),
           "reads_kind(x1, K1, n): MAP_EACH == MAP_SAME ==> \\valid_read(x1 + (0 .. 1 - 1))")
  REQUIRES((!(1 == 1) || has(span(x2, 0, (n - 1)))),
           "reads_kind(x2, K2, n): MAP_EACH == MAP_EACH ==> \\valid_read(x2 + (0 .. n - 1))", n)
  REQUIRES((!(1 == 2) || has(span(x2, 0, (1 - 1)))),
           "reads_kind(x2, K2, n): MAP_EACH == MAP_SAME ==> \\valid_read(x2 + (0 .. 1 - 1))")
  REQUIRES((0 <= n && n <= 0x0fffffffffffffff),
           "own_map(y0, V, n): 0 <= n <= 0x0fffffffffffffff", n)
  REQUIRES(has(span(y0, 0, (n - 1))),
           "own_map(y0, V, n): \\valid(y0 + (0 .. n - 1))", n)
  REQUIRES(has(span(y1, 0, (n - 1))),
           "own_map(y1, V, n): \\valid(y1 + (0 .. n - 1))", n)
  REQUIRES((!(1 == 1) || (apart(span(x0, 0, (n - 1)), span(y0, 0, (n - 1))))),
           "map_apart(K0, x0, y0, n): MAP_EACH == MAP_EACH ==> \\separated(x0 + (0 .. n - 1), y0 + (0 .. n - 1))", n)
  REQUIRES((!(1 == 2) || (apart(span(x0, 0, (1 - 1)), span(y0, 0, (n - 1))))),
           "map_apart(K0, x0, y0, n): MAP_EACH == MAP_SAME ==> \\separated(x0 + (0 .. 1 - 1), y0 + (0 .. n - 1))", n)
  REQUIRES((!(1 == 1) || (apart(span(x1, 0, (n - 1)), span(y0, 0, (n - 1))))),
           "map_apart(K1, x1, y0, n): MAP_EACH == MAP_EACH ==> \\separated(x1 + (0 .. n - 1), y0 + (0 .. n - 1))", n)
  REQUIRES((!(1 == 2) || (apart(span(x1, 0, (1 - 1)), span(y0, 0, (n - 1))))),
           "map_apart(K1, x1, y0, n): MAP_EACH == MAP_SAME ==> \\separated(x1 + (0 .. 1 - 1), y0 + (0 .. n - 1))", n)
  REQUIRES((!(1 == 1) || (apart(span(x2, 0, (n - 1)), span(y0, 0, (n - 1))))),
           "map_apart(K2, x2, y0, n): MAP_EACH == MAP_EACH ==> \\separated(x2 + (0 .. n - 1), y0 + (0 .. n - 1))", n)
  REQUIRES((!(1 == 2) || (apart(span(x2, 0, (1 - 1)), span(y0, 0, (n - 1))))),
           "map_apart(K2, x2, y0, n): MAP_EACH == MAP_SAME ==> \\separated(x2 + (0 .. 1 - 1), y0 + (0 .. n - 1))", n)
  REQUIRES((!(1 == 1) || (apart(span(x0, 0, (n - 1)), span(y1, 0, (n - 1))))),
           "map_apart(K0, x0, y1, n): MAP_EACH == MAP_EACH ==> \\separated(x0 + (0 .. n - 1), y1 + (0 .. n - 1))", n)
  REQUIRES((!(1 == 2) || (apart(span(x0, 0, (1 - 1)), span(y1, 0, (n - 1))))),
           "map_apart(K0, x0, y1, n): MAP_EACH == MAP_SAME ==> \\separated(x0 + (0 .. 1 - 1), y1 + (0 .. n - 1))", n)
  REQUIRES((!(1 == 1) || (apart(span(x1, 0, (n - 1)), span(y1, 0, (n - 1))))),
           "map_apart(K1, x1, y1, n): MAP_EACH == MAP_EACH ==> \\separated(x1 + (0 .. n - 1), y1 + (0 .. n - 1))", n)
  REQUIRES((!(1 == 2) || (apart(span(x1, 0, (1 - 1)), span(y1, 0, (n - 1))))),
           "map_apart(K1, x1, y1, n): MAP_EACH == MAP_SAME ==> \\separated(x1 + (0 .. 1 - 1), y1 + (0 .. n - 1))", n)
  REQUIRES((!(1 == 1) || (apart(span(x2, 0, (n - 1)), span(y1, 0, (n - 1))))),
           "map_apart(K2, x2, y1, n): MAP_EACH == MAP_EACH ==> \\separated(x2 + (0 .. n - 1), y1 + (0 .. n - 1))", n)
  REQUIRES((!(1 == 2) || (apart(span(x2, 0, (1 - 1)), span(y1, 0, (n - 1))))),
           "map_apart(K2, x2, y1, n): MAP_EACH == MAP_SAME ==> \\separated(x2 + (0 .. 1 - 1), y1 + (0 .. n - 1))", n)
  REQUIRES((apart(span(y0, 0, (n - 1)), span(y1, 0, (n - 1)))),
           "apart(y0, n, y1, n): \\separated(y0 + (0 .. n - 1), y1 + (0 .. n - 1))", n)
  REQUIRES((!(0 < V) || (!(1 == 1) || aligned16(x0))),
           "0 < V ==> map_aligned(K0, x0) && map_aligned(K1, x1) && map_aligned(K2, x2) && aligned16(y0) && aligned16(y1): 0 < V ==> MAP_EACH == MAP_EACH ==> aligned16(x0)", V)
  REQUIRES((!(0 < V) || (!(1 == 1) || aligned16(x1))),
           "0 < V ==> map_aligned(K0, x0) && map_aligned(K1, x1) && map_aligned(K2, x2) && aligned16(y0) && aligned16(y1): 0 < V ==> MAP_EACH == MAP_EACH ==> aligned16(x1)", V)
  REQUIRES((!(0 < V) || (!(1 == 1) || aligned16(x2))),
           "0 < V ==> map_aligned(K0, x0) && map_aligned(K1, x1) && map_aligned(K2, x2) && aligned16(y0) && aligned16(y1): 0 < V ==> MAP_EACH == MAP_EACH ==> aligned16(x2)", V)
  REQUIRES((!(0 < V) || aligned16(y0)),
           "0 < V ==> map_aligned(K0, x0) && map_aligned(K1, x1) && map_aligned(K2, x2) && aligned16(y0) && aligned16(y1): 0 < V ==> aligned16(y0)", V)
  REQUIRES((!(0 < V) || aligned16(y1)),
           "0 < V ==> map_aligned(K0, x0) && map_aligned(K1, x1) && map_aligned(K2, x2) && aligned16(y0) && aligned16(y1): 0 < V ==> aligned16(y1)", V)
  return true;
}

bool check_fill_map(const launched &l)
{
  const num n = l.get<int64_t>(0);
  const num V = l.get<int64_t>(1);
  const ptr x0 = l.pointer(5, 4);
  const ptr x1 = l.pointer(6, 4);
  const ptr x2 = l.pointer(7, 4);
  const ptr y0 = l.pointer(8, 4);
  /* not checked, permission, of the prover's discipline alone:
   *   MAP_NONE == MAP_EACH ==> perm_r(x0, n)
   *   MAP_NONE == MAP_SAME ==> perm_r(x0, 1)
   *   MAP_NONE == MAP_EACH ==> perm_r(x1, n)
   *   MAP_NONE == MAP_SAME ==> perm_r(x1, 1)
   *   MAP_NONE == MAP_EACH ==> perm_r(x2, n)
   *   MAP_NONE == MAP_SAME ==> perm_r(x2, 1)
   *   \forall integer k; 0 <= k < n ==> owner(y0 + k, map_thread2(k, V), -1) */
  REQUIRES((0 <= (8 * V) && (8 * V) <= n && n <= 0x0fffffffffffffff),
           "map_size(n, V, 8): 0 <= 8 * V <= n <= 0x0fffffffffffffff", n, V)
  REQUIRES(((n - ((8 - 1) * V)) <= gsize_ && gsize_ < 0x1000000000000000),
           "n - (8 - 1) * V <= gsize_ < 0x1000000000000000", n, V, gsize_)
  REQUIRES((0 <= 0 && 0 <= 2),
           "reads_kind(x0, K0, n): MAP_NONE <= MAP_NONE <= MAP_SAME")
  REQUIRES((!(0 == 1) || (0 <= n && n <= 0x0fffffffffffffff)),
           "reads_kind(x0, K0, n): MAP_NONE == MAP_EACH ==> 0 <= n <= 0x0fffffffffffffff", n)
  REQUIRES((!(0 == 1) || has(span(x0, 0, (n - 1)))),
           "reads_kind(x0, K0, n): MAP_NONE == MAP_EACH ==> \\valid_read(x0 + (0 .. n - 1))", n)
  REQUIRES((!(0 == 2) || (0 <= 1 && 1 <= 0x0fffffffffffffff)),
           "reads_kind(x0, K0, n): MAP_NONE == MAP_SAME ==> 0 <= 1 <= 0x0fffffffffffffff")
  REQUIRES((!(0 == 2) || has(span(x0, 0, (1 - 1)))),
           "reads_kind(x0, K0, n): MAP_NONE == MAP_SAME ==> \\valid_read(x0 + (0 .. 1 - 1))")
  REQUIRES((!(0 == 1) || has(span(x1, 0, (n - 1)))),
           "reads_kind(x1, K1, n): MAP_NONE == MAP_EACH ==> \\valid_read(x1 + (0 .. n - 1))", n)
  REQUIRES((!(0 == 2) || has(span(x1, 0, (1 - 1)))),
           "reads_kind(x1, K1, n): MAP_NONE == MAP_SAME ==> \\valid_read(x1 + (0 .. 1 - 1))")
  REQUIRES((!(0 == 1) || has(span(x2, 0, (n - 1)))),
           "reads_kind(x2, K2, n): MAP_NONE == MAP_EACH ==> \\valid_read(x2 + (0 .. n - 1))", n)
  REQUIRES((!(0 == 2) || has(span(x2, 0, (1 - 1)))),
           "reads_kind(x2, K2, n): MAP_NONE == MAP_SAME ==> \\valid_read(x2 + (0 .. 1 - 1))")
  REQUIRES((0 <= n && n <= 0x0fffffffffffffff),
           "own_map2(y0, V, n): 0 <= n <= 0x0fffffffffffffff", n)
  REQUIRES(has(span(y0, 0, (n - 1))),
           "own_map2(y0, V, n): \\valid(y0 + (0 .. n - 1))", n)
  REQUIRES((!(0 == 1) || (apart(span(x0, 0, (n - 1)), span(y0, 0, (n - 1))))),
           "map_apart(K0, x0, y0, n): MAP_NONE == MAP_EACH ==> \\separated(x0 + (0 .. n - 1), y0 + (0 .. n - 1))", n)
  REQUIRES((!(0 == 2) || (apart(span(x0, 0, (1 - 1)), span(y0, 0, (n - 1))))),
           "map_apart(K0, x0, y0, n): MAP_NONE == MAP_SAME ==> \\separated(x0 + (0 .. 1 - 1), y0 + (0 .. n - 1))", n)
  REQUIRES((!(0 == 1) || (apart(span(x1, 0, (n - 1)), span(y0, 0, (n - 1))))),
           "map_apart(K1, x1, y0, n): MAP_NONE == MAP_EACH ==> \\separated(x1 + (0 .. n - 1), y0 + (0 .. n - 1))", n)
  REQUIRES((!(0 == 2) || (apart(span(x1, 0, (1 - 1)), span(y0, 0, (n - 1))))),
           "map_apart(K1, x1, y0, n): MAP_NONE == MAP_SAME ==> \\separated(x1 + (0 .. 1 - 1), y0 + (0 .. n - 1))", n)
  REQUIRES((!(0 == 1) || (apart(span(x2, 0, (n - 1)), span(y0, 0, (n - 1))))),
           "map_apart(K2, x2, y0, n): MAP_NONE == MAP_EACH ==> \\separated(x2 + (0 .. n - 1), y0 + (0 .. n - 1))", n)
  REQUIRES((!(0 == 2) || (apart(span(x2, 0, (1 - 1)), span(y0, 0, (n - 1))))),
           "map_apart(K2, x2, y0, n): MAP_NONE == MAP_SAME ==> \\separated(x2 + (0 .. 1 - 1), y0 + (0 .. n - 1))", n)
  REQUIRES((!(0 < V) || (!(0 == 1) || aligned16(x0))),
           "0 < V ==> map_aligned(K0, x0) && map_aligned(K1, x1) && map_aligned(K2, x2) && aligned16(y0): 0 < V ==> MAP_NONE == MAP_EACH ==> aligned16(x0)", V)
  REQUIRES((!(0 < V) || (!(0 == 1) || aligned16(x1))),
           "0 < V ==> map_aligned(K0, x0) && map_aligned(K1, x1) && map_aligned(K2, x2) && aligned16(y0): 0 < V ==> MAP_NONE == MAP_EACH ==> aligned16(x1)", V)
  REQUIRES((!(0 < V) || (!(0 == 1) || aligned16(x2))),
           "0 < V ==> map_aligned(K0, x0) && map_aligned(K1, x1) && map_aligned(K2, x2) && aligned16(y0): 0 < V ==> MAP_NONE == MAP_EACH ==> aligned16(x2)", V)
  REQUIRES((!(0 < V) || aligned16(y0)),
           "0 < V ==> map_aligned(K0, x0) && map_aligned(K1, x1) && map_aligned(K2, x2) && aligned16(y0): 0 < V ==> aligned16(y0)", V)
  return true;
}

bool check_gather_rows_scalar(const launched &l)
{
  const num rows = l.get<int64_t>(0);
  const num cols = l.get<int64_t>(1);
  const num k = l.get<int64_t>(2);
  const ptr x = l.pointer(4, 4);
  const ptr index = l.pointer(5, 8);
  const ptr y = l.pointer(6, 4);
  /* not checked, permission, of the prover's discipline alone:
   *   perm_r(x, ix(rows, cols, 0))
   *   perm(y, ix(k, cols, 0)) */
  REQUIRES((0 <= rows),
           "gather_size(y, x, index, rows, cols, k): 0 <= rows", rows)
  REQUIRES((0 < cols && cols <= 0x0fffffffffffffff),
           "gather_size(y, x, index, rows, cols, k): 0 < cols <= 0x0fffffffffffffff", cols)
  REQUIRES((0 <= ix(rows, cols, 0) && ix(rows, cols, 0) <= 0x0fffffffffffffff),
           "gather_size(y, x, index, rows, cols, k): 0 <= ix(rows, cols, 0) <= 0x0fffffffffffffff", rows, cols)
  REQUIRES(has(span(x, 0, (ix(rows, cols, 0) - 1))),
           "gather_size(y, x, index, rows, cols, k): \\valid_read(x + (0 .. ix(rows, cols, 0) - 1))", rows, cols)
  REQUIRES((0 <= k && k <= 0x0fffffffffffffff),
           "gather_size(y, x, index, rows, cols, k): 0 <= k <= 0x0fffffffffffffff", k)
  REQUIRES((0 <= ix(k, cols, 0) && ix(k, cols, 0) <= 0x0fffffffffffffff),
           "gather_size(y, x, index, rows, cols, k): 0 <= ix(k, cols, 0) <= 0x0fffffffffffffff", cols, k)
  REQUIRES(has(span(y, 0, (ix(k, cols, 0) - 1))),
           "gather_size(y, x, index, rows, cols, k): \\valid(y + (0 .. ix(k, cols, 0) - 1))", cols, k)
  REQUIRES(has(span(index, 0, (k - 1))),
           "gather_size(y, x, index, rows, cols, k): \\valid_read(index + (0 .. k - 1))", k)
  REQUIRES((apart(span(x, 0, (ix(rows, cols, 0) - 1)), span(y, 0, (ix(k, cols, 0) - 1)))),
           "gather_size(y, x, index, rows, cols, k): \\separated(x + (0 .. ix(rows, cols, 0) - 1), y + (0 .. ix(k, cols, 0) - 1))", rows, cols, k)
  REQUIRES((apart(span(index, 0, (k - 1)), span(y, 0, (ix(k, cols, 0) - 1)))),
           "gather_size(y, x, index, rows, cols, k): \\separated(index + (0 .. k - 1), y + (0 .. ix(k, cols, 0) - 1))", cols, k)
  REQUIRES((ix(k, cols, 0) <= gsize_),
           "ix(k, cols, 0) <= gsize_", cols, k, gsize_)
  return true;
}

bool check_gather_rows_vec4(const launched &l)
{
  const num rows = l.get<int64_t>(0);
  const num T = l.get<int64_t>(1);
  const num V = l.get<int64_t>(2);
  const num k = l.get<int64_t>(3);
  const ptr x = l.pointer(5, 4);
  const ptr index = l.pointer(6, 8);
  const ptr y = l.pointer(7, 4);
  /* not checked, permission, of the prover's discipline alone:
   *   perm_r(x, ix(rows, 4 * V, 0))
   *   perm(y, ix(k, 4 * V, 0)) */
  REQUIRES((0 <= rows),
           "gather_size(y, x, index, rows, 4 * V, k): 0 <= rows", rows)
  REQUIRES((0 < (4 * V) && (4 * V) <= 0x0fffffffffffffff),
           "gather_size(y, x, index, rows, 4 * V, k): 0 < 4 * V <= 0x0fffffffffffffff", V)
  REQUIRES((0 <= ix(rows, (4 * V), 0) && ix(rows, (4 * V), 0) <= 0x0fffffffffffffff),
           "gather_size(y, x, index, rows, 4 * V, k): 0 <= ix(rows, 4 * V, 0) <= 0x0fffffffffffffff", rows, V)
  REQUIRES(has(span(x, 0, (ix(rows, (4 * V), 0) - 1))),
           "gather_size(y, x, index, rows, 4 * V, k): \\valid_read(x + (0 .. ix(rows, 4 * V, 0) - 1))", rows, V)
  REQUIRES((0 <= k && k <= 0x0fffffffffffffff),
           "gather_size(y, x, index, rows, 4 * V, k): 0 <= k <= 0x0fffffffffffffff", k)
  REQUIRES((0 <= ix(k, (4 * V), 0) && ix(k, (4 * V), 0) <= 0x0fffffffffffffff),
           "gather_size(y, x, index, rows, 4 * V, k): 0 <= ix(k, 4 * V, 0) <= 0x0fffffffffffffff", V, k)
  REQUIRES(has(span(y, 0, (ix(k, (4 * V), 0) - 1))),
           "gather_size(y, x, index, rows, 4 * V, k): \\valid(y + (0 .. ix(k, 4 * V, 0) - 1))", V, k)
  REQUIRES(has(span(index, 0, (k - 1))),
           "gather_size(y, x, index, rows, 4 * V, k): \\valid_read(index + (0 .. k - 1))", k)
  REQUIRES((apart(span(x, 0, (ix(rows, (4 * V), 0) - 1)), span(y, 0, (ix(k, (4 * V), 0) - 1)))),
           "gather_size(y, x, index, rows, 4 * V, k): \\separated(x + (0 .. ix(rows, 4 * V, 0) - 1), y + (0 .. ix(k, 4 * V, 0) - 1))", rows, V, k)
  REQUIRES((apart(span(index, 0, (k - 1)), span(y, 0, (ix(k, (4 * V), 0) - 1)))),
           "gather_size(y, x, index, rows, 4 * V, k): \\separated(index + (0 .. k - 1), y + (0 .. ix(k, 4 * V, 0) - 1))", V, k)
  REQUIRES(aligned16(x),
           "aligned16(x)")
  REQUIRES(aligned16(y),
           "aligned16(y)")
  REQUIRES((0 < T && T <= V && V <= (4 * T)),
           "0 < T <= V <= 4 * T", T, V)
  REQUIRES((ix(k, T, 0) <= gsize_),
           "ix(k, T, 0) <= gsize_", T, k, gsize_)
  return true;
}

bool check_lse_split_chunks(const launched &l)
{
  const num VEC = l.constant(0);
  const num rows = l.get<int64_t>(0);
  const num cols = l.get<int64_t>(1);
  const num chunk = l.get<int64_t>(2);
  const num pieces = l.get<int>(3);
  const ptr x = l.pointer(4, 4);
  const ptr tops = l.pointer(5, 4);
  const ptr sums = l.pointer(6, 4);
  /* not checked, no number that is known stands for it:
   *   Lowest < OnceLeast */
  /* not checked, permission, of the prover's discipline alone:
   *   perm_r(x, ix(rows, cols, 0))
   *   perm(tops, ix(rows, pieces, 0))
   *   perm(sums, ix(rows, pieces, 0)) */
  /* not checked, values of tensors over the reals, which an earlier launch left or the case has:
   *   \forall integer i; 0 <= i < ix(rows, cols, 0) ==> OnceLeast <= *(x + i) */
  REQUIRES((32 <= bdim_ && bdim_ <= 1024),
           "block: 32 <= bdim_ <= 1024", bdim_)
  REQUIRES(((bdim_ % 32) == 0),
           "block: bdim_ % 32 == 0", bdim_)
  REQUIRES((0 < cols && cols <= 0x0fffffffffffffff),
           "row_split(cols, chunk, pieces): 0 < cols <= 0x0fffffffffffffff", cols)
  REQUIRES((0 < chunk && chunk <= 0x0fffffffffffffff),
           "row_split(cols, chunk, pieces): 0 < chunk <= 0x0fffffffffffffff", chunk)
  REQUIRES(((chunk % 4) == 0 && 0 < pieces && pieces <= 1024),
           "row_split(cols, chunk, pieces): chunk % 4 == 0 < pieces <= 1024", chunk, pieces)
  REQUIRES((ix((pieces - 1), chunk, 0) < cols && cols <= ix(pieces, chunk, 0) && ix(pieces, chunk, 0) <= 0x0fffffffffffffff),
           "row_split(cols, chunk, pieces): ix(pieces - 1, chunk, 0) < cols <= ix(pieces, chunk, 0) <= 0x0fffffffffffffff", cols, chunk, pieces)
  REQUIRES((ix(rows, pieces, 0) <= blocks_),
           "ix(rows, pieces, 0) <= blocks_", rows, pieces, blocks_)
  REQUIRES((0 <= rows && rows <= 0x0fffffffffffffff),
           "piece_tensors(x, tops, sums, rows, cols, pieces, VEC): 0 <= rows <= 0x0fffffffffffffff", rows)
  REQUIRES((0 <= ix(rows, cols, 0) && ix(rows, cols, 0) <= 0x0fffffffffffffff),
           "piece_tensors(x, tops, sums, rows, cols, pieces, VEC): 0 <= ix(rows, cols, 0) <= 0x0fffffffffffffff", rows, cols)
  REQUIRES(has(span(x, 0, (ix(rows, cols, 0) - 1))),
           "piece_tensors(x, tops, sums, rows, cols, pieces, VEC): \\valid_read(x + (0 .. ix(rows, cols, 0) - 1))", rows, cols)
  REQUIRES((0 <= ix(rows, pieces, 0) && ix(rows, pieces, 0) <= 0x0fffffffffffffff),
           "piece_tensors(x, tops, sums, rows, cols, pieces, VEC): 0 <= ix(rows, pieces, 0) <= 0x0fffffffffffffff", rows, pieces)
  REQUIRES(has(span(tops, 0, (ix(rows, pieces, 0) - 1))),
           "piece_tensors(x, tops, sums, rows, cols, pieces, VEC): \\valid(tops + (0 .. ix(rows, pieces, 0) - 1))", rows, pieces)
  REQUIRES(has(span(sums, 0, (ix(rows, pieces, 0) - 1))),
           "piece_tensors(x, tops, sums, rows, cols, pieces, VEC): \\valid(sums + (0 .. ix(rows, pieces, 0) - 1))", rows, pieces)
  REQUIRES((apart(span(tops, 0, (ix(rows, pieces, 0) - 1)), span(sums, 0, (ix(rows, pieces, 0) - 1)))),
           "piece_tensors(x, tops, sums, rows, cols, pieces, VEC): \\separated(tops + (0 .. ix(rows, pieces, 0) - 1), sums + (0 .. ix(rows, pieces, 0) - 1))", rows, pieces)
  REQUIRES((apart(span(x, 0, (ix(rows, cols, 0) - 1)), span(tops, 0, (ix(rows, pieces, 0) - 1)))),
           "piece_tensors(x, tops, sums, rows, cols, pieces, VEC): \\separated(x + (0 .. ix(rows, cols, 0) - 1), tops + (0 .. ix(rows, pieces, 0) - 1))", rows, cols, pieces)
  REQUIRES((apart(span(x, 0, (ix(rows, cols, 0) - 1)), span(sums, 0, (ix(rows, pieces, 0) - 1)))),
           "piece_tensors(x, tops, sums, rows, cols, pieces, VEC): \\separated(x + (0 .. ix(rows, cols, 0) - 1), sums + (0 .. ix(rows, pieces, 0) - 1))", rows, cols, pieces)
  REQUIRES((!(VEC != 0) || ((cols % 4) == 0)),
           "piece_tensors(x, tops, sums, rows, cols, pieces, VEC): VEC != 0 ==> cols % 4 == 0", VEC, cols)
  REQUIRES((!(VEC != 0) || aligned16(x)),
           "piece_tensors(x, tops, sums, rows, cols, pieces, VEC): VEC != 0 ==> aligned16(x)", VEC)
  return true;
}

bool check_masked_softmax_cluster(const launched &l)
{
  const num VEC = l.constant(0);
  const num rows = l.get<int64_t>(0);
  const num cols = l.get<int64_t>(1);
  const num slice = l.get<int64_t>(2);
  const ptr x = l.pointer(3, 4);
  const ptr b = l.pointer(4, 4);
  const ptr y = l.pointer(5, 4);
  /* not checked, no number that is known stands for it:
   *   Lowest < OnceLeast */
  /* not checked, permission, of the prover's discipline alone:
   *   perm_r(x, ix(rows, cols, 0))
   *   perm_r(b, ix(rows, cols, 0))
   *   perm(y, ix(rows, cols, 0)) */
  /* not checked, values of tensors over the reals, which an earlier launch left or the case has:
   *   \forall integer i; 0 <= i < ix(rows, cols, 0) ==> OnceLeast <= *(x + i) */
  /* not checked, what the blocks of a cluster will tell each other:
   *   \forall integer r; 0 <= r < rows ==> row_says_open(r, x + ix(r, cols, 0), b + ix(r, cols, 0), cols, slice) */
  REQUIRES((0 < cols && cols <= 0x0fffffffffffffff),
           "row_split(cols, slice, CLUSTER_MOST): 0 < cols <= 0x0fffffffffffffff", cols)
  REQUIRES((0 < slice && slice <= 0x0fffffffffffffff),
           "row_split(cols, slice, CLUSTER_MOST): 0 < slice <= 0x0fffffffffffffff", slice)
  REQUIRES(((slice % 4) == 0 && 0 < 8 && 8 <= 1024),
           "row_split(cols, slice, CLUSTER_MOST): slice % 4 == 0 < CLUSTER_MOST <= 1024", slice)
  REQUIRES((ix((8 - 1), slice, 0) < cols && cols <= ix(8, slice, 0) && ix(8, slice, 0) <= 0x0fffffffffffffff),
           "row_split(cols, slice, CLUSTER_MOST): ix(CLUSTER_MOST - 1, slice, 0) < cols <= ix(CLUSTER_MOST, slice, 0) <= 0x0fffffffffffffff", cols, slice)
  REQUIRES((32 <= bdim_ && bdim_ <= 1024),
           "row_fits(8, slice): 32 <= bdim_ <= 1024", bdim_)
  REQUIRES(((bdim_ % 32) == 0),
           "row_fits(8, slice): bdim_ % 32 == 0", bdim_)
  REQUIRES((0 < 8 && 8 <= 8),
           "row_fits(8, slice): 0 < 8 <= 8")
  REQUIRES((0 < slice && slice <= (4 * mul(8, bdim_))),
           "row_fits(8, slice): 0 < slice <= 4 * mul(8, bdim_)", slice, bdim_)
  REQUIRES((slice <= ((4 * 8) * 1024)),
           "row_fits(8, slice): slice <= 4 * 8 * 1024", slice)
  REQUIRES((ix(rows, 8, 0) <= blocks_),
           "ix(rows, CLUSTER_MOST, 0) <= blocks_", rows, blocks_)
  REQUIRES((0 <= rows && rows <= 0x0fffffffffffffff),
           "cluster_in(x, b, y, rows, cols, VEC): 0 <= rows <= 0x0fffffffffffffff", rows)
  REQUIRES((0 <= ix(rows, cols, 0) && ix(rows, cols, 0) <= 0x0fffffffffffffff),
           "cluster_in(x, b, y, rows, cols, VEC): 0 <= ix(rows, cols, 0) <= 0x0fffffffffffffff", rows, cols)
  REQUIRES(has(span(x, 0, (ix(rows, cols, 0) - 1))),
           "cluster_in(x, b, y, rows, cols, VEC): \\valid_read(x + (0 .. ix(rows, cols, 0) - 1))", rows, cols)
  REQUIRES(has(span(b, 0, (ix(rows, cols, 0) - 1))),
           "cluster_in(x, b, y, rows, cols, VEC): \\valid_read(b + (0 .. ix(rows, cols, 0) - 1))", rows, cols)
  REQUIRES(has(span(y, 0, (ix(rows, cols, 0) - 1))),
           "cluster_in(x, b, y, rows, cols, VEC): \\valid(y + (0 .. ix(rows, cols, 0) - 1))", rows, cols)
  REQUIRES((apart(span(x, 0, (ix(rows, cols, 0) - 1)), span(y, 0, (ix(rows, cols, 0) - 1)))),
           "cluster_in(x, b, y, rows, cols, VEC): \\separated(x + (0 .. ix(rows, cols, 0) - 1), y + (0 .. ix(rows, cols, 0) - 1))", rows, cols)
  REQUIRES((apart(span(b, 0, (ix(rows, cols, 0) - 1)), span(y, 0, (ix(rows, cols, 0) - 1)))),
           "cluster_in(x, b, y, rows, cols, VEC): \\separated(b + (0 .. ix(rows, cols, 0) - 1), y + (0 .. ix(rows, cols, 0) - 1))", rows, cols)
  REQUIRES((ix(rows, cols, 0) <= 0x0fffffffffffffff),
           "cluster_in(x, b, y, rows, cols, VEC): ix(rows, cols, 0) <= 0x0fffffffffffffff", rows, cols)
  REQUIRES((!(VEC != 0) || ((cols % 4) == 0)),
           "cluster_in(x, b, y, rows, cols, VEC): VEC != 0 ==> cols % 4 == 0", VEC, cols)
  REQUIRES((!(VEC != 0) || aligned16(x)),
           "cluster_in(x, b, y, rows, cols, VEC): VEC != 0 ==> aligned16(x)", VEC)
  REQUIRES((!(VEC != 0) || aligned16(b)),
           "cluster_in(x, b, y, rows, cols, VEC): VEC != 0 ==> aligned16(b)", VEC)
  REQUIRES((!(VEC != 0) || aligned16(y)),
           "cluster_in(x, b, y, rows, cols, VEC): VEC != 0 ==> aligned16(y)", VEC)
  return true;
}

bool check_masked_softmax_regs(const launched &l)
{
  const num K = l.constant(0);
  const num VEC = l.constant(1);
  const num WHOLE = l.constant(2);
  const num rows = l.get<int64_t>(0);
  const num cols = l.get<int>(1);
  const ptr x = l.pointer(2, 4);
  const ptr b = l.pointer(3, 4);
  const ptr y = l.pointer(4, 4);
  /* not checked, permission, of the prover's discipline alone:
   *   perm_r(x, ix(rows, cols, 0))
   *   perm_r(b, ix(rows, cols, 0))
   *   perm(y, ix(rows, cols, 0)) */
  /* not checked, values of tensors over the reals, which an earlier launch left or the case has:
   *   no_mark(x, ix(rows, cols, 0)) */
  REQUIRES((32 <= bdim_ && bdim_ <= 1024),
           "block: 32 <= bdim_ <= 1024", bdim_)
  REQUIRES(((bdim_ % 32) == 0),
           "block: bdim_ % 32 == 0", bdim_)
  REQUIRES((0 < bdim_ && bdim_ <= 1024),
           "team_fits(K, bdim_, cols): 0 < bdim_ <= 1024", bdim_)
  REQUIRES((0 < K && K <= 8),
           "team_fits(K, bdim_, cols): 0 < K <= 8", K)
  REQUIRES((0 <= cols && cols <= (4 * mul(K, bdim_))),
           "team_fits(K, bdim_, cols): 0 <= cols <= 4 * mul(K, bdim_)", K, cols, bdim_)
  REQUIRES((cols <= ((4 * 8) * 1024)),
           "team_fits(K, bdim_, cols): cols <= 4 * 8 * 1024", cols)
  REQUIRES((0 < cols),
           "0 < cols", cols)
  REQUIRES((0 <= rows && rows <= 0x0fffffffffffffff),
           "0 <= rows <= 0x0fffffffffffffff", rows)
  REQUIRES((ix(rows, 1, 0) <= blocks_),
           "ix(rows, 1, 0) <= blocks_", rows, blocks_)
  REQUIRES((0 <= ix(rows, cols, 0) && ix(rows, cols, 0) <= 0x0fffffffffffffff),
           "masked_tensors(x, b, y, rows, cols, VEC): 0 <= ix(rows, cols, 0) <= 0x0fffffffffffffff", rows, cols)
  REQUIRES(has(span(x, 0, (ix(rows, cols, 0) - 1))),
           "masked_tensors(x, b, y, rows, cols, VEC): \\valid_read(x + (0 .. ix(rows, cols, 0) - 1))", rows, cols)
  REQUIRES(has(span(b, 0, (ix(rows, cols, 0) - 1))),
           "masked_tensors(x, b, y, rows, cols, VEC): \\valid_read(b + (0 .. ix(rows, cols, 0) - 1))", rows, cols)
  REQUIRES(has(span(y, 0, (ix(rows, cols, 0) - 1))),
           "masked_tensors(x, b, y, rows, cols, VEC): \\valid(y + (0 .. ix(rows, cols, 0) - 1))", rows, cols)
  REQUIRES((apart(span(x, 0, (ix(rows, cols, 0) - 1)), span(y, 0, (ix(rows, cols, 0) - 1)))),
           "masked_tensors(x, b, y, rows, cols, VEC): \\separated(x + (0 .. ix(rows, cols, 0) - 1), y + (0 .. ix(rows, cols, 0) - 1))", rows, cols)
  REQUIRES((apart(span(b, 0, (ix(rows, cols, 0) - 1)), span(y, 0, (ix(rows, cols, 0) - 1)))),
           "masked_tensors(x, b, y, rows, cols, VEC): \\separated(b + (0 .. ix(rows, cols, 0) - 1), y + (0 .. ix(rows, cols, 0) - 1))", rows, cols)
  REQUIRES((!(VEC != 0) || ((cols % 4) == 0)),
           "masked_tensors(x, b, y, rows, cols, VEC): VEC != 0 ==> cols % 4 == 0", VEC, cols)
  REQUIRES((!(VEC != 0) || aligned16(x)),
           "masked_tensors(x, b, y, rows, cols, VEC): VEC != 0 ==> aligned16(x)", VEC)
  REQUIRES((!(VEC != 0) || aligned16(b)),
           "masked_tensors(x, b, y, rows, cols, VEC): VEC != 0 ==> aligned16(b)", VEC)
  REQUIRES((!(VEC != 0) || aligned16(y)),
           "masked_tensors(x, b, y, rows, cols, VEC): VEC != 0 ==> aligned16(y)", VEC)
  REQUIRES(((WHOLE == 0) || ((((((WHOLE == 64) || (WHOLE == 128)) || (WHOLE == 256)) || (WHOLE == 512)) && (bdim_ == WHOLE)) && (cols == ((4 * K) * WHOLE)))),
           "whole_row(WHOLE, K, cols): WHOLE == 0 || (WHOLE == 64 || WHOLE == 128 || WHOLE == 256 || WHOLE == 512) && bdim_ == WHOLE && cols == 4 * K * WHOLE", K, WHOLE, cols, bdim_)
  return true;
}

bool check_masked_softmax_shared(const launched &l)
{
  const num VEC = l.constant(0);
  const num blocks = l.get<int64_t>(0);
  const num rows = l.get<int64_t>(1);
  const num n = l.get<int>(2);
  const ptr x = l.pointer(3, 4);
  const ptr b = l.pointer(4, 4);
  const ptr y = l.pointer(5, 4);
  /* not checked, no number that is known stands for it:
   *   above_lowest(x, ix(rows, n, 0)) */
  /* not checked, permission, of the prover's discipline alone:
   *   perm_r(x, ix(rows, n, 0))
   *   perm_r(b, ix(rows, n, 0))
   *   perm(y, ix(rows, n, 0)) */
  /* not checked, values of tensors over the reals, which an earlier launch left or the case has:
   *   no_mark(x, ix(rows, n, 0)) */
  REQUIRES((32 <= bdim_ && bdim_ <= 1024),
           "slots_fit(n): 32 <= bdim_ <= 1024", bdim_)
  REQUIRES(((bdim_ % 32) == 0),
           "slots_fit(n): bdim_ % 32 == 0", bdim_)
  REQUIRES((0 < n && n <= 57856),
           "slots_fit(n): 0 < n <= 57856", n)
  REQUIRES(((n + 31) <= (4 * slots_)),
           "slots_fit(n): n + 31 <= 4 * slots_", n, slots_)
  REQUIRES((slots_ <= 14472),
           "slots_fit(n): slots_ <= 14472", slots_)
  REQUIRES((slots_ <= mul(16, bdim_)),
           "bits_fit: slots_ <= mul(16, bdim_)", bdim_, slots_)
  REQUIRES((0 < blocks && blocks <= 0x0fffffffffffffff),
           "0 < blocks <= 0x0fffffffffffffff", blocks)
  REQUIRES((ix(blocks, 1, 0) <= blocks_),
           "ix(blocks, 1, 0) <= blocks_", blocks, blocks_)
  REQUIRES((0 <= rows && rows <= 0x0fffffffffffffff),
           "open_tensors(x, b, y, rows, n, VEC): 0 <= rows <= 0x0fffffffffffffff", rows)
  REQUIRES((0 <= ix(rows, n, 0) && ix(rows, n, 0) <= 0x0fffffffffffffff),
           "open_tensors(x, b, y, rows, n, VEC): 0 <= ix(rows, n, 0) <= 0x0fffffffffffffff", rows, n)
  REQUIRES(has(span(x, 0, (ix(rows, n, 0) - 1))),
           "open_tensors(x, b, y, rows, n, VEC): \\valid_read(x + (0 .. ix(rows, n, 0) - 1))", rows, n)
  REQUIRES((!(VEC != 0) || aligned16(x)),
           "open_tensors(x, b, y, rows, n, VEC): VEC != 0 ==> aligned16(x)", VEC)
  REQUIRES(has(span(b, 0, (ix(rows, n, 0) - 1))),
           "open_tensors(x, b, y, rows, n, VEC): \\valid_read(b + (0 .. ix(rows, n, 0) - 1))", rows, n)
  REQUIRES((!(VEC != 0) || aligned16(b)),
           "open_tensors(x, b, y, rows, n, VEC): VEC != 0 ==> aligned16(b)", VEC)
  REQUIRES(has(span(y, 0, (ix(rows, n, 0) - 1))),
           "open_tensors(x, b, y, rows, n, VEC): \\valid(y + (0 .. ix(rows, n, 0) - 1))", rows, n)
  REQUIRES((!(VEC != 0) || aligned16(y)),
           "open_tensors(x, b, y, rows, n, VEC): VEC != 0 ==> aligned16(y)", VEC)
  REQUIRES((apart(span(x, 0, (ix(rows, n, 0) - 1)), span(y, 0, (ix(rows, n, 0) - 1)))),
           "open_tensors(x, b, y, rows, n, VEC): \\separated(x + (0 .. ix(rows, n, 0) - 1), y + (0 .. ix(rows, n, 0) - 1))", rows, n)
  REQUIRES((apart(span(b, 0, (ix(rows, n, 0) - 1)), span(y, 0, (ix(rows, n, 0) - 1)))),
           "open_tensors(x, b, y, rows, n, VEC): \\separated(b + (0 .. ix(rows, n, 0) - 1), y + (0 .. ix(rows, n, 0) - 1))", rows, n)
  return true;
}

bool check_masked_softmax_split_chunks(const launched &l)
{
  const num VEC = l.constant(0);
  const num rows = l.get<int64_t>(0);
  const num cols = l.get<int64_t>(1);
  const num chunk = l.get<int64_t>(2);
  const num pieces = l.get<int>(3);
  const ptr x = l.pointer(4, 4);
  const ptr b = l.pointer(5, 4);
  const ptr tops = l.pointer(6, 4);
  const ptr sums = l.pointer(7, 4);
  /* not checked, no number that is known stands for it:
   *   Lowest < OnceLeast */
  /* not checked, permission, of the prover's discipline alone:
   *   perm_r(x, ix(rows, cols, 0))
   *   perm_r(b, ix(rows, cols, 0))
   *   perm(tops, ix(rows, pieces, 0))
   *   perm(sums, ix(rows, pieces, 0)) */
  /* not checked, values of tensors over the reals, which an earlier launch left or the case has:
   *   \forall integer i; 0 <= i < ix(rows, cols, 0) ==> OnceLeast <= *(x + i) */
  REQUIRES((32 <= bdim_ && bdim_ <= 1024),
           "block: 32 <= bdim_ <= 1024", bdim_)
  REQUIRES(((bdim_ % 32) == 0),
           "block: bdim_ % 32 == 0", bdim_)
  REQUIRES((0 < cols && cols <= 0x0fffffffffffffff),
           "row_split(cols, chunk, pieces): 0 < cols <= 0x0fffffffffffffff", cols)
  REQUIRES((0 < chunk && chunk <= 0x0fffffffffffffff),
           "row_split(cols, chunk, pieces): 0 < chunk <= 0x0fffffffffffffff", chunk)
  REQUIRES(((chunk % 4) == 0 && 0 < pieces && pieces <= 1024),
           "row_split(cols, chunk, pieces): chunk % 4 == 0 < pieces <= 1024", chunk, pieces)
  REQUIRES((ix((pieces - 1), chunk, 0) < cols && cols <= ix(pieces, chunk, 0) && ix(pieces, chunk, 0) <= 0x0fffffffffffffff),
           "row_split(cols, chunk, pieces): ix(pieces - 1, chunk, 0) < cols <= ix(pieces, chunk, 0) <= 0x0fffffffffffffff", cols, chunk, pieces)
  REQUIRES((ix(rows, pieces, 0) <= blocks_),
           "ix(rows, pieces, 0) <= blocks_", rows, pieces, blocks_)
  REQUIRES((0 <= rows && rows <= 0x0fffffffffffffff),
           "open_tensors(x, b, tops, sums, rows, cols, pieces, VEC): 0 <= rows <= 0x0fffffffffffffff", rows)
  REQUIRES((ix(rows, cols, 0) <= 0x0fffffffffffffff),
           "open_tensors(x, b, tops, sums, rows, cols, pieces, VEC): ix(rows, cols, 0) <= 0x0fffffffffffffff", rows, cols)
  REQUIRES((0 <= ix(rows, cols, 0) && ix(rows, cols, 0) <= 0x0fffffffffffffff),
           "open_tensors(x, b, tops, sums, rows, cols, pieces, VEC): 0 <= ix(rows, cols, 0) <= 0x0fffffffffffffff", rows, cols)
  REQUIRES(has(span(x, 0, (ix(rows, cols, 0) - 1))),
           "open_tensors(x, b, tops, sums, rows, cols, pieces, VEC): \\valid_read(x + (0 .. ix(rows, cols, 0) - 1))", rows, cols)
  REQUIRES(has(span(b, 0, (ix(rows, cols, 0) - 1))),
           "open_tensors(x, b, tops, sums, rows, cols, pieces, VEC): \\valid_read(b + (0 .. ix(rows, cols, 0) - 1))", rows, cols)
  REQUIRES((!(0 != 0) || ((ix(rows, cols, 0) % 4) == 0)),
           "open_tensors(x, b, tops, sums, rows, cols, pieces, VEC): 0 != 0 ==> ix(rows, cols, 0) % 4 == 0", rows, cols)
  REQUIRES((!(0 != 0) || aligned16(x)),
           "open_tensors(x, b, tops, sums, rows, cols, pieces, VEC): 0 != 0 ==> aligned16(x)")
  REQUIRES((!(0 != 0) || aligned16(b)),
           "open_tensors(x, b, tops, sums, rows, cols, pieces, VEC): 0 != 0 ==> aligned16(b)")
  REQUIRES((0 <= ix(rows, pieces, 0) && ix(rows, pieces, 0) <= 0x0fffffffffffffff),
           "open_tensors(x, b, tops, sums, rows, cols, pieces, VEC): 0 <= ix(rows, pieces, 0) <= 0x0fffffffffffffff", rows, pieces)
  REQUIRES(has(span(tops, 0, (ix(rows, pieces, 0) - 1))),
           "open_tensors(x, b, tops, sums, rows, cols, pieces, VEC): \\valid(tops + (0 .. ix(rows, pieces, 0) - 1))", rows, pieces)
  REQUIRES(has(span(sums, 0, (ix(rows, pieces, 0) - 1))),
           "open_tensors(x, b, tops, sums, rows, cols, pieces, VEC): \\valid(sums + (0 .. ix(rows, pieces, 0) - 1))", rows, pieces)
  REQUIRES((apart(span(tops, 0, (ix(rows, pieces, 0) - 1)), span(sums, 0, (ix(rows, pieces, 0) - 1)))),
           "open_tensors(x, b, tops, sums, rows, cols, pieces, VEC): \\separated(tops + (0 .. ix(rows, pieces, 0) - 1), sums + (0 .. ix(rows, pieces, 0) - 1))", rows, pieces)
  REQUIRES((apart(span(x, 0, (ix(rows, cols, 0) - 1)), span(tops, 0, (ix(rows, pieces, 0) - 1)))),
           "open_tensors(x, b, tops, sums, rows, cols, pieces, VEC): \\separated(x + (0 .. ix(rows, cols, 0) - 1), tops + (0 .. ix(rows, pieces, 0) - 1))", rows, cols, pieces)
  REQUIRES((apart(span(x, 0, (ix(rows, cols, 0) - 1)), span(sums, 0, (ix(rows, pieces, 0) - 1)))),
           "open_tensors(x, b, tops, sums, rows, cols, pieces, VEC): \\separated(x + (0 .. ix(rows, cols, 0) - 1), sums + (0 .. ix(rows, pieces, 0) - 1))", rows, cols, pieces)
  REQUIRES((apart(span(b, 0, (ix(rows, cols, 0) - 1)), span(tops, 0, (ix(rows, pieces, 0) - 1)))),
           "open_tensors(x, b, tops, sums, rows, cols, pieces, VEC): \\separated(b + (0 .. ix(rows, cols, 0) - 1), tops + (0 .. ix(rows, pieces, 0) - 1))", rows, cols, pieces)
  REQUIRES((apart(span(b, 0, (ix(rows, cols, 0) - 1)), span(sums, 0, (ix(rows, pieces, 0) - 1)))),
           "open_tensors(x, b, tops, sums, rows, cols, pieces, VEC): \\separated(b + (0 .. ix(rows, cols, 0) - 1), sums + (0 .. ix(rows, pieces, 0) - 1))", rows, cols, pieces)
  REQUIRES((!(VEC != 0) || ((cols % 4) == 0)),
           "open_tensors(x, b, tops, sums, rows, cols, pieces, VEC): VEC != 0 ==> cols % 4 == 0", VEC, cols)
  REQUIRES((!(VEC != 0) || aligned16(x)),
           "open_tensors(x, b, tops, sums, rows, cols, pieces, VEC): VEC != 0 ==> aligned16(x)", VEC)
  REQUIRES((!(VEC != 0) || aligned16(b)),
           "open_tensors(x, b, tops, sums, rows, cols, pieces, VEC): VEC != 0 ==> aligned16(b)", VEC)
  return true;
}

bool check_masked_softmax_split_out(const launched &l)
{
  const num VEC = l.constant(0);
  const num rows = l.get<int64_t>(0);
  const num cols = l.get<int64_t>(1);
  const num chunk = l.get<int64_t>(2);
  const num pieces = l.get<int>(3);
  const ptr x = l.pointer(4, 4);
  const ptr b = l.pointer(5, 4);
  const ptr tops = l.pointer(6, 4);
  const ptr sums = l.pointer(7, 4);
  const ptr y = l.pointer(8, 4);
  /* not checked, no number that is known stands for it:
   *   all_open(tops, sums, x, b, cols, chunk, pieces, rows) */
  /* not checked, permission, of the prover's discipline alone:
   *   perm_r(x, ix(rows, cols, 0))
   *   perm_r(b, ix(rows, cols, 0))
   *   perm(y, ix(rows, cols, 0))
   *   perm_r(tops, ix(rows, pieces, 0))
   *   perm_r(sums, ix(rows, pieces, 0)) */
  REQUIRES((32 <= bdim_ && bdim_ <= 1024),
           "block: 32 <= bdim_ <= 1024", bdim_)
  REQUIRES(((bdim_ % 32) == 0),
           "block: bdim_ % 32 == 0", bdim_)
  REQUIRES((0 < cols && cols <= 0x0fffffffffffffff),
           "row_split(cols, chunk, pieces): 0 < cols <= 0x0fffffffffffffff", cols)
  REQUIRES((0 < chunk && chunk <= 0x0fffffffffffffff),
           "row_split(cols, chunk, pieces): 0 < chunk <= 0x0fffffffffffffff", chunk)
  REQUIRES(((chunk % 4) == 0 && 0 < pieces && pieces <= 1024),
           "row_split(cols, chunk, pieces): chunk % 4 == 0 < pieces <= 1024", chunk, pieces)
  REQUIRES((ix((pieces - 1), chunk, 0) < cols && cols <= ix(pieces, chunk, 0) && ix(pieces, chunk, 0) <= 0x0fffffffffffffff),
           "row_split(cols, chunk, pieces): ix(pieces - 1, chunk, 0) < cols <= ix(pieces, chunk, 0) <= 0x0fffffffffffffff", cols, chunk, pieces)
  REQUIRES((0 <= rows && rows <= 0x0fffffffffffffff),
           "masked_in(x, b, y, tops, sums, rows, cols, pieces, VEC): 0 <= rows <= 0x0fffffffffffffff", rows)
  REQUIRES((ix(rows, pieces, 0) <= blocks_),
           "masked_in(x, b, y, tops, sums, rows, cols, pieces, VEC): ix(rows, pieces, 0) <= blocks_", rows, pieces, blocks_)
  REQUIRES((0 <= ix(rows, cols, 0) && ix(rows, cols, 0) <= 0x0fffffffffffffff),
           "masked_in(x, b, y, tops, sums, rows, cols, pieces, VEC): 0 <= ix(rows, cols, 0) <= 0x0fffffffffffffff", rows, cols)
  REQUIRES(has(span(x, 0, (ix(rows, cols, 0) - 1))),
           "masked_in(x, b, y, tops, sums, rows, cols, pieces, VEC): \\valid_read(x + (0 .. ix(rows, cols, 0) - 1))", rows, cols)
  REQUIRES(has(span(b, 0, (ix(rows, cols, 0) - 1))),
           "masked_in(x, b, y, tops, sums, rows, cols, pieces, VEC): \\valid_read(b + (0 .. ix(rows, cols, 0) - 1))", rows, cols)
  REQUIRES(has(span(y, 0, (ix(rows, cols, 0) - 1))),
           "masked_in(x, b, y, tops, sums, rows, cols, pieces, VEC): \\valid(y + (0 .. ix(rows, cols, 0) - 1))", rows, cols)
  REQUIRES((apart(span(x, 0, (ix(rows, cols, 0) - 1)), span(y, 0, (ix(rows, cols, 0) - 1)))),
           "masked_in(x, b, y, tops, sums, rows, cols, pieces, VEC): \\separated(x + (0 .. ix(rows, cols, 0) - 1), y + (0 .. ix(rows, cols, 0) - 1))", rows, cols)
  REQUIRES((apart(span(b, 0, (ix(rows, cols, 0) - 1)), span(y, 0, (ix(rows, cols, 0) - 1)))),
           "masked_in(x, b, y, tops, sums, rows, cols, pieces, VEC): \\separated(b + (0 .. ix(rows, cols, 0) - 1), y + (0 .. ix(rows, cols, 0) - 1))", rows, cols)
  REQUIRES((ix(rows, cols, 0) <= 0x0fffffffffffffff),
           "masked_in(x, b, y, tops, sums, rows, cols, pieces, VEC): ix(rows, cols, 0) <= 0x0fffffffffffffff", rows, cols)
  REQUIRES((!(VEC != 0) || ((cols % 4) == 0)),
           "masked_in(x, b, y, tops, sums, rows, cols, pieces, VEC): VEC != 0 ==> cols % 4 == 0", VEC, cols)
  REQUIRES((!(VEC != 0) || aligned16(x)),
           "masked_in(x, b, y, tops, sums, rows, cols, pieces, VEC): VEC != 0 ==> aligned16(x)", VEC)
  REQUIRES((!(VEC != 0) || aligned16(b)),
           "masked_in(x, b, y, tops, sums, rows, cols, pieces, VEC): VEC != 0 ==> aligned16(b)", VEC)
  REQUIRES((!(VEC != 0) || aligned16(y)),
           "masked_in(x, b, y, tops, sums, rows, cols, pieces, VEC): VEC != 0 ==> aligned16(y)", VEC)
  REQUIRES((0 <= ix(rows, pieces, 0) && ix(rows, pieces, 0) <= 0x0fffffffffffffff),
           "masked_in(x, b, y, tops, sums, rows, cols, pieces, VEC): 0 <= ix(rows, pieces, 0) <= 0x0fffffffffffffff", rows, pieces)
  REQUIRES(has(span(tops, 0, (ix(rows, pieces, 0) - 1))),
           "masked_in(x, b, y, tops, sums, rows, cols, pieces, VEC): \\valid_read(tops + (0 .. ix(rows, pieces, 0) - 1))", rows, pieces)
  REQUIRES(has(span(sums, 0, (ix(rows, pieces, 0) - 1))),
           "masked_in(x, b, y, tops, sums, rows, cols, pieces, VEC): \\valid_read(sums + (0 .. ix(rows, pieces, 0) - 1))", rows, pieces)
  REQUIRES((apart(span(tops, 0, (ix(rows, pieces, 0) - 1)), span(y, 0, (ix(rows, cols, 0) - 1)))),
           "masked_in(x, b, y, tops, sums, rows, cols, pieces, VEC): \\separated(tops + (0 .. ix(rows, pieces, 0) - 1), y + (0 .. ix(rows, cols, 0) - 1))", rows, cols, pieces)
  REQUIRES((apart(span(sums, 0, (ix(rows, pieces, 0) - 1)), span(y, 0, (ix(rows, cols, 0) - 1)))),
           "masked_in(x, b, y, tops, sums, rows, cols, pieces, VEC): \\separated(sums + (0 .. ix(rows, pieces, 0) - 1), y + (0 .. ix(rows, cols, 0) - 1))", rows, cols, pieces)
  return true;
}

bool check_masked_softmax_warp(const launched &l)
{
  const num K = l.constant(0);
  const num VEC = l.constant(1);
  const num log_lanes = l.get<int>(0);
  const num rows = l.get<int64_t>(1);
  const num cols = l.get<int>(2);
  const ptr x = l.pointer(3, 4);
  const ptr b = l.pointer(4, 4);
  const ptr y = l.pointer(5, 4);
  /* not checked, permission, of the prover's discipline alone:
   *   perm_r(x, ix(rows, cols, 0))
   *   perm_r(b, ix(rows, cols, 0))
   *   perm(y, ix(rows, cols, 0)) */
  /* not checked, values of tensors over the reals, which an earlier launch left or the case has:
   *   no_mark(x, ix(rows, cols, 0)) */
  REQUIRES((32 <= bdim_ && bdim_ <= 1024),
           "block: 32 <= bdim_ <= 1024", bdim_)
  REQUIRES(((bdim_ % 32) == 0),
           "block: bdim_ % 32 == 0", bdim_)
  REQUIRES((0 <= log_lanes && log_lanes <= 5),
           "0 <= log_lanes <= 5", log_lanes)
  REQUIRES((0 < TeamOf(log_lanes) && TeamOf(log_lanes) <= 1024),
           "team_fits(K, TeamOf(log_lanes), cols): 0 < TeamOf(log_lanes) <= 1024", log_lanes)
  REQUIRES((0 < K && K <= 8),
           "team_fits(K, TeamOf(log_lanes), cols): 0 < K <= 8", K)
  REQUIRES((0 <= cols && cols <= (4 * mul(K, TeamOf(log_lanes)))),
           "team_fits(K, TeamOf(log_lanes), cols): 0 <= cols <= 4 * mul(K, TeamOf(log_lanes))", K, log_lanes, cols)
  REQUIRES((cols <= ((4 * 8) * 1024)),
           "team_fits(K, TeamOf(log_lanes), cols): cols <= 4 * 8 * 1024", cols)
  REQUIRES((0 < cols),
           "0 < cols", cols)
  REQUIRES((0 <= rows && rows <= 0x0fffffffffffffff),
           "0 <= rows <= 0x0fffffffffffffff", rows)
  REQUIRES((rows <= ix(blocks_, (bdim_ / TeamOf(log_lanes)), 0)),
           "rows <= ix(blocks_, bdim_ / TeamOf(log_lanes), 0)", log_lanes, rows, bdim_, blocks_)
  REQUIRES((0 <= ix(rows, cols, 0) && ix(rows, cols, 0) <= 0x0fffffffffffffff),
           "masked_tensors(x, b, y, rows, cols, VEC): 0 <= ix(rows, cols, 0) <= 0x0fffffffffffffff", rows, cols)
  REQUIRES(has(span(x, 0, (ix(rows, cols, 0) - 1))),
           "masked_tensors(x, b, y, rows, cols, VEC): \\valid_read(x + (0 .. ix(rows, cols, 0) - 1))", rows, cols)
  REQUIRES(has(span(b, 0, (ix(rows, cols, 0) - 1))),
           "masked_tensors(x, b, y, rows, cols, VEC): \\valid_read(b + (0 .. ix(rows, cols, 0) - 1))", rows, cols)
  REQUIRES(has(span(y, 0, (ix(rows, cols, 0) - 1))),
           "masked_tensors(x, b, y, rows, cols, VEC): \\valid(y + (0 .. ix(rows, cols, 0) - 1))", rows, cols)
  REQUIRES((apart(span(x, 0, (ix(rows, cols, 0) - 1)), span(y, 0, (ix(rows, cols, 0) - 1)))),
           "masked_tensors(x, b, y, rows, cols, VEC): \\separated(x + (0 .. ix(rows, cols, 0) - 1), y + (0 .. ix(rows, cols, 0) - 1))", rows, cols)
  REQUIRES((apart(span(b, 0, (ix(rows, cols, 0) - 1)), span(y, 0, (ix(rows, cols, 0) - 1)))),
           "masked_tensors(x, b, y, rows, cols, VEC): \\separated(b + (0 .. ix(rows, cols, 0) - 1), y + (0 .. ix(rows, cols, 0) - 1))", rows, cols)
  REQUIRES((!(VEC != 0) || ((cols % 4) == 0)),
           "masked_tensors(x, b, y, rows, cols, VEC): VEC != 0 ==> cols % 4 == 0", VEC, cols)
  REQUIRES((!(VEC != 0) || aligned16(x)),
           "masked_tensors(x, b, y, rows, cols, VEC): VEC != 0 ==> aligned16(x)", VEC)
  REQUIRES((!(VEC != 0) || aligned16(b)),
           "masked_tensors(x, b, y, rows, cols, VEC): VEC != 0 ==> aligned16(b)", VEC)
  REQUIRES((!(VEC != 0) || aligned16(y)),
           "masked_tensors(x, b, y, rows, cols, VEC): VEC != 0 ==> aligned16(y)", VEC)
  return true;
}

bool check_matmul_plain(const launched &l)
{
  const num batch = l.get<int64_t>(0);
  const num m = l.get<int64_t>(1);
  const num k = l.get<int64_t>(2);
  const num n = l.get<int64_t>(3);
  const num tall = l.get<int64_t>(4);
  const num wide = l.get<int64_t>(5);
  const num blocks = l.get<int64_t>(6);
  const ptr a = l.pointer(11, 4);
  const ptr b = l.pointer(12, 4);
  const ptr c = l.pointer(13, 4);
  /* not checked, permission, of the prover's discipline alone:
   *   perm_r(a, ix(batch, ix(m, k, 0), 0))
   *   perm_r(b, ix(batch, ix(k, n, 0), 0))
   *   \forall integer r, integer j; 0 <= r < ix(batch, m, 0) ==> 0 <= j < n ==> owner(c + (ix(r, n, 0) + j), plain_home(quo(r, m), rem(r, m), j, tall, wide), ix(rem(rem(r, m), 16), 16, rem(j, 16))) */
  REQUIRES((0 <= batch && batch <= 0x0fffffffffffffff),
           "0 <= batch <= 0x0fffffffffffffff", batch)
  REQUIRES((0 < m),
           "0 < m", m)
  REQUIRES((0 <= k),
           "0 <= k", k)
  REQUIRES((0 < n),
           "0 < n", n)
  REQUIRES((bdim_ == 256),
           "bdim_ == 256", bdim_)
  REQUIRES((0 <= m && m <= 0x0fffffffffffffff),
           "plain_size(m, k): 0 <= m <= 0x0fffffffffffffff", m)
  REQUIRES((0 <= k && k <= 0x0fffffffffffffff),
           "plain_size(m, k): 0 <= k <= 0x0fffffffffffffff", k)
  REQUIRES((0 <= ix(m, k, 0) && ix(m, k, 0) <= 0x0fffffffffffffff),
           "plain_size(m, k): 0 <= ix(m, k, 0) <= 0x0fffffffffffffff", m, k)
  REQUIRES((0 <= n && n <= 0x0fffffffffffffff),
           "plain_size(k, n): 0 <= n <= 0x0fffffffffffffff", n)
  REQUIRES((0 <= ix(k, n, 0) && ix(k, n, 0) <= 0x0fffffffffffffff),
           "plain_size(k, n): 0 <= ix(k, n, 0) <= 0x0fffffffffffffff", k, n)
  REQUIRES((0 <= ix(m, n, 0) && ix(m, n, 0) <= 0x0fffffffffffffff),
           "plain_size(m, n): 0 <= ix(m, n, 0) <= 0x0fffffffffffffff", m, n)
  REQUIRES((0 <= ix(batch, ix(m, k, 0), 0) && ix(batch, ix(m, k, 0), 0) <= 0x0fffffffffffffff),
           "reads(a, ix(batch, ix(m, k, 0), 0)): 0 <= ix(batch, ix(m, k, 0), 0) <= 0x0fffffffffffffff", batch, m, k)
  REQUIRES(has(span(a, 0, (ix(batch, ix(m, k, 0), 0) - 1))),
           "reads(a, ix(batch, ix(m, k, 0), 0)): \\valid_read(a + (0 .. ix(batch, ix(m, k, 0), 0) - 1))", batch, m, k)
  REQUIRES((0 <= ix(batch, ix(k, n, 0), 0) && ix(batch, ix(k, n, 0), 0) <= 0x0fffffffffffffff),
           "reads(b, ix(batch, ix(k, n, 0), 0)): 0 <= ix(batch, ix(k, n, 0), 0) <= 0x0fffffffffffffff", batch, k, n)
  REQUIRES(has(span(b, 0, (ix(batch, ix(k, n, 0), 0) - 1))),
           "reads(b, ix(batch, ix(k, n, 0), 0)): \\valid_read(b + (0 .. ix(batch, ix(k, n, 0), 0) - 1))", batch, k, n)
  REQUIRES((0 <= ix(ix(batch, m, 0), n, 0) && ix(ix(batch, m, 0), n, 0) <= 0x0fffffffffffffff),
           "own_tiles(c, ix(batch, m, 0), n, m, tall, wide): 0 <= ix(ix(batch, m, 0), n, 0) <= 0x0fffffffffffffff", batch, m, n)
  REQUIRES(has(span(c, 0, (ix(ix(batch, m, 0), n, 0) - 1))),
           "own_tiles(c, ix(batch, m, 0), n, m, tall, wide): \\valid(c + (0 .. ix(ix(batch, m, 0), n, 0) - 1))", batch, m, n)
  REQUIRES((apart(span(a, 0, (ix(batch, ix(m, k, 0), 0) - 1)), span(c, 0, (ix(batch, ix(m, n, 0), 0) - 1)))),
           "apart(a, ix(batch, ix(m, k, 0), 0), c, ix(batch, ix(m, n, 0), 0)): \\separated(a + (0 .. ix(batch, ix(m, k, 0), 0) - 1), c + (0 .. ix(batch, ix(m, n, 0), 0) - 1))", batch, m, k, n)
  REQUIRES((apart(span(b, 0, (ix(batch, ix(k, n, 0), 0) - 1)), span(c, 0, (ix(batch, ix(m, n, 0), 0) - 1)))),
           "apart(b, ix(batch, ix(k, n, 0), 0), c, ix(batch, ix(m, n, 0), 0)): \\separated(b + (0 .. ix(batch, ix(k, n, 0), 0) - 1), c + (0 .. ix(batch, ix(m, n, 0), 0) - 1))", batch, m, k, n)
  REQUIRES((0 < tall),
           "0 < tall", tall)
  REQUIRES(((16 * (tall - 1)) < m && m <= (16 * tall)),
           "16 * (tall - 1) < m <= 16 * tall", m, tall)
  REQUIRES((0 < wide),
           "0 < wide", wide)
  REQUIRES(((16 * (wide - 1)) < n && n <= (16 * wide)),
           "16 * (wide - 1) < n <= 16 * wide", n, wide)
  REQUIRES((0 <= blocks && blocks == ix(ix(batch, tall, 0), wide, 0)),
           "0 <= blocks == ix(ix(batch, tall, 0), wide, 0)", batch, tall, wide, blocks)
  REQUIRES((blocks <= blocks_),
           "blocks <= blocks_", blocks, blocks_)
  return true;
}

bool check_max_axis_count_cols(const launched &l)
{
  const num PARTS = l.constant(0);
  const num W = l.constant(1);
  const num outer = l.get<int64_t>(0);
  const num n = l.get<int64_t>(1);
  const num width = l.get<int64_t>(2);
  const num chunk = l.get<int64_t>(3);
  const num chunks = l.get<int64_t>(4);
  const ptr x = l.pointer(5, 4);
  const ptr y = l.pointer(6, 4);
  const ptr part = l.pointer(7, 8);
  const ptr out = l.pointer(8, 8);
  /* not checked, permission, of the prover's discipline alone:
   *   PARTS == 0 ==> perm_r(x, wide(W, ix(ix(outer, n, 0), width, 0)))
   *   PARTS == 0 ==> perm_r(y, wide(W, ix(outer, width, 0)))
   *   \forall integer k; 0 <= k < wide(W, ix(ix(outer, chunks, 0), width, 0)) ==> CW(out + k) */
  REQUIRES(((W == 1) || (W == 4)),
           "count_sizes(W, outer, n, width, chunk, chunks): W == 1 || W == 4", W)
  REQUIRES((0 < width && width <= 0x0fffffffffffffff),
           "count_sizes(W, outer, n, width, chunk, chunks): 0 < width <= 0x0fffffffffffffff", width)
  REQUIRES((0 <= outer && outer <= 0x0fffffffffffffff),
           "count_sizes(W, outer, n, width, chunk, chunks): 0 <= outer <= 0x0fffffffffffffff", outer)
  REQUIRES((0 <= n && n <= 0x0fffffffffffffff),
           "count_sizes(W, outer, n, width, chunk, chunks): 0 <= n <= 0x0fffffffffffffff", n)
  REQUIRES((0 < chunks && chunks <= 0x0fffffffffffffff),
           "count_sizes(W, outer, n, width, chunk, chunks): 0 < chunks <= 0x0fffffffffffffff", chunks)
  REQUIRES((0 <= chunk && chunk <= 0x0fffffffffffffff),
           "count_sizes(W, outer, n, width, chunk, chunks): 0 <= chunk <= 0x0fffffffffffffff", chunk)
  REQUIRES((ix(outer, n, 0) <= 0x0fffffffffffffff),
           "count_sizes(W, outer, n, width, chunk, chunks): ix(outer, n, 0) <= 0x0fffffffffffffff", outer, n)
  REQUIRES((ix((chunks - 1), chunk, 0) <= n && n <= ix(chunks, chunk, 0) && ix(chunks, chunk, 0) <= 0x0fffffffffffffff),
           "count_sizes(W, outer, n, width, chunk, chunks): ix(chunks - 1, chunk, 0) <= n <= ix(chunks, chunk, 0) <= 0x0fffffffffffffff", n, chunk, chunks)
  REQUIRES((ix(outer, chunks, 0) <= 0x0fffffffffffffff),
           "count_sizes(W, outer, n, width, chunk, chunks): ix(outer, chunks, 0) <= 0x0fffffffffffffff", outer, chunks)
  REQUIRES((ix(ix(outer, n, 0), width, 0) <= 0x0fffffffffffffff),
           "count_sizes(W, outer, n, width, chunk, chunks): ix(ix(outer, n, 0), width, 0) <= 0x0fffffffffffffff", outer, n, width)
  REQUIRES((ix(ix(outer, chunks, 0), width, 0) <= 0x0fffffffffffffff),
           "count_sizes(W, outer, n, width, chunk, chunks): ix(ix(outer, chunks, 0), width, 0) <= 0x0fffffffffffffff", outer, width, chunks)
  REQUIRES((wide(W, ix(ix(outer, n, 0), width, 0)) <= 0x0fffffffffffffff),
           "count_sizes(W, outer, n, width, chunk, chunks): wide(W, ix(ix(outer, n, 0), width, 0)) <= 0x0fffffffffffffff", W, outer, n, width)
  REQUIRES((wide(W, ix(outer, width, 0)) <= 0x0fffffffffffffff),
           "count_sizes(W, outer, n, width, chunk, chunks): wide(W, ix(outer, width, 0)) <= 0x0fffffffffffffff", W, outer, width)
  REQUIRES((wide(W, ix(ix(outer, chunks, 0), width, 0)) <= 0x0fffffffffffffff),
           "count_sizes(W, outer, n, width, chunk, chunks): wide(W, ix(ix(outer, chunks, 0), width, 0)) <= 0x0fffffffffffffff", W, outer, width, chunks)
  REQUIRES((!(PARTS != 0) || (W == 1)),
           "cols_in(PARTS, W, x, y, part, outer, n, width): PARTS != 0 ==> W == 1", PARTS, W)
  REQUIRES((!(PARTS != 0) || (0 <= ix(ix(outer, n, 0), width, 0) && ix(ix(outer, n, 0), width, 0) <= 0x0fffffffffffffff)),
           "cols_in(PARTS, W, x, y, part, outer, n, width): PARTS != 0 ==> 0 <= ix(ix(outer, n, 0), width, 0) <= 0x0fffffffffffffff", PARTS, outer, n, width)
  REQUIRES((!(PARTS != 0) || has(span(part, 0, (ix(ix(outer, n, 0), width, 0) - 1)))),
           "cols_in(PARTS, W, x, y, part, outer, n, width): PARTS != 0 ==> \\valid_read(part + (0 .. ix(ix(outer, n, 0), width, 0) - 1))", PARTS, outer, n, width)
  REQUIRES((!(PARTS == 0) || (0 <= wide(W, ix(ix(outer, n, 0), width, 0)) && wide(W, ix(ix(outer, n, 0), width, 0)) <= 0x0fffffffffffffff)),
           "cols_in(PARTS, W, x, y, part, outer, n, width): PARTS == 0 ==> 0 <= wide(W, ix(ix(outer, n, 0), width, 0)) <= 0x0fffffffffffffff", PARTS, W, outer, n, width)
  REQUIRES((!(PARTS == 0) || has(span(x, 0, (wide(W, ix(ix(outer, n, 0), width, 0)) - 1)))),
           "cols_in(PARTS, W, x, y, part, outer, n, width): PARTS == 0 ==> \\valid_read(x + (0 .. wide(W, ix(ix(outer, n, 0), width, 0)) - 1))", PARTS, W, outer, n, width)
  REQUIRES((!(PARTS == 0) || (0 <= wide(W, ix(outer, width, 0)) && wide(W, ix(outer, width, 0)) <= 0x0fffffffffffffff)),
           "cols_in(PARTS, W, x, y, part, outer, n, width): PARTS == 0 ==> 0 <= wide(W, ix(outer, width, 0)) <= 0x0fffffffffffffff", PARTS, W, outer, width)
  REQUIRES((!(PARTS == 0) || has(span(y, 0, (wide(W, ix(outer, width, 0)) - 1)))),
           "cols_in(PARTS, W, x, y, part, outer, n, width): PARTS == 0 ==> \\valid_read(y + (0 .. wide(W, ix(outer, width, 0)) - 1))", PARTS, W, outer, width)
  REQUIRES((!(PARTS == 0) || (!(W == 4) || aligned16(x))),
           "cols_in(PARTS, W, x, y, part, outer, n, width): PARTS == 0 ==> W == 4 ==> aligned16(x)", PARTS, W)
  REQUIRES((ix(ix(outer, chunks, 0), width, 0) <= gsize_),
           "ix(ix(outer, chunks, 0), width, 0) <= gsize_", outer, width, chunks, gsize_)
  REQUIRES((0 <= wide(W, ix(ix(outer, chunks, 0), width, 0)) && wide(W, ix(ix(outer, chunks, 0), width, 0)) <= 0x0fffffffffffffff),
           "counts_out(out, wide(W, ix(ix(outer, chunks, 0), width, 0))): 0 <= wide(W, ix(ix(outer, chunks, 0), width, 0)) <= 0x0fffffffffffffff", W, outer, width, chunks)
  REQUIRES(has(span(out, 0, (wide(W, ix(ix(outer, chunks, 0), width, 0)) - 1))),
           "counts_out(out, wide(W, ix(ix(outer, chunks, 0), width, 0))): \\valid(out + (0 .. wide(W, ix(ix(outer, chunks, 0), width, 0)) - 1))", W, outer, width, chunks)
  REQUIRES((!(PARTS != 0) || (apart(span(part, 0, (wide(W, ix(ix(outer, n, 0), width, 0)) - 1)), span(out, 0, (wide(W, ix(ix(outer, chunks, 0), width, 0)) - 1))))),
           "counts_apart(PARTS, x, y, part, out, wide(W, ix(ix(outer, n, 0), width, 0)), wide(W, ix(outer, width, 0)), wide(W, ix(ix(outer, chunks, 0), width, 0))): PARTS != 0 ==> \\separated(part + (0 .. wide(W, ix(ix(outer, n, 0), width, 0)) - 1), out + (0 .. wide(W, ix(ix(outer, chunks, 0), width, 0)) - 1))", PARTS, W, outer, n, width, chunks)
  REQUIRES((!(PARTS == 0) || (apart(span(x, 0, (wide(W, ix(ix(outer, n, 0), width, 0)) - 1)), span(out, 0, (wide(W, ix(ix(outer, chunks, 0), width, 0)) - 1))))),
           "counts_apart(PARTS, x, y, part, out, wide(W, ix(ix(outer, n, 0), width, 0)), wide(W, ix(outer, width, 0)), wide(W, ix(ix(outer, chunks, 0), width, 0))): PARTS == 0 ==> \\separated(x + (0 .. wide(W, ix(ix(outer, n, 0), width, 0)) - 1), out + (0 .. wide(W, ix(ix(outer, chunks, 0), width, 0)) - 1))", PARTS, W, outer, n, width, chunks)
  REQUIRES((!(PARTS == 0) || (apart(span(y, 0, (wide(W, ix(outer, width, 0)) - 1)), span(out, 0, (wide(W, ix(ix(outer, chunks, 0), width, 0)) - 1))))),
           "counts_apart(PARTS, x, y, part, out, wide(W, ix(ix(outer, n, 0), width, 0)), wide(W, ix(outer, width, 0)), wide(W, ix(ix(outer, chunks, 0), width, 0))): PARTS == 0 ==> \\separated(y + (0 .. wide(W, ix(outer, width, 0)) - 1), out + (0 .. wide(W, ix(ix(outer, chunks, 0), width, 0)) - 1))", PARTS, W, outer, width, chunks)
  return true;
}

bool check_max_axis_count_groups(const launched &l)
{
  const num PARTS = l.constant(0);
  const num VEC = l.constant(1);
  const num lanes = l.get<int>(0);
  const num groups = l.get<int>(1);
  const num blocks = l.get<int64_t>(2);
  const num outer = l.get<int64_t>(3);
  const num n = l.get<int64_t>(4);
  const num inner = l.get<int64_t>(5);
  const num chunk = l.get<int64_t>(6);
  const num chunks = l.get<int64_t>(7);
  const ptr x = l.pointer(8, 4);
  const ptr y = l.pointer(9, 4);
  const ptr part = l.pointer(10, 8);
  const ptr out = l.pointer(11, 8);
  /* not checked, permission, of the prover's discipline alone:
   *   PARTS == 0 ==> perm_r(x, ix(ix(outer, n, 0), inner, 0))
   *   PARTS == 0 ==> perm_r(y, ix(outer, inner, 0))
   *   \forall integer k; 0 <= k < ix(ix(outer, chunks, 0), inner, 0) ==> CW(out + k) */
  REQUIRES((0 <= outer && outer <= 0x0fffffffffffffff),
           "level(outer, n, inner, chunk, chunks): 0 <= outer <= 0x0fffffffffffffff", outer)
  REQUIRES((0 <= n && n <= 0x0fffffffffffffff),
           "level(outer, n, inner, chunk, chunks): 0 <= n <= 0x0fffffffffffffff", n)
  REQUIRES((0 < inner && inner <= 0x0fffffffffffffff),
           "level(outer, n, inner, chunk, chunks): 0 < inner <= 0x0fffffffffffffff", inner)
  REQUIRES((0 < chunks && chunks <= 0x0fffffffffffffff),
           "level(outer, n, inner, chunk, chunks): 0 < chunks <= 0x0fffffffffffffff", chunks)
  REQUIRES((0 <= chunk && chunk <= 0x0fffffffffffffff),
           "level(outer, n, inner, chunk, chunks): 0 <= chunk <= 0x0fffffffffffffff", chunk)
  REQUIRES((ix(outer, n, 0) <= 0x0fffffffffffffff),
           "level(outer, n, inner, chunk, chunks): ix(outer, n, 0) <= 0x0fffffffffffffff", outer, n)
  REQUIRES((ix((chunks - 1), chunk, 0) <= n && n <= ix(chunks, chunk, 0) && ix(chunks, chunk, 0) <= 0x0fffffffffffffff),
           "level(outer, n, inner, chunk, chunks): ix(chunks - 1, chunk, 0) <= n <= ix(chunks, chunk, 0) <= 0x0fffffffffffffff", n, chunk, chunks)
  REQUIRES((ix(outer, chunks, 0) <= 0x0fffffffffffffff),
           "level(outer, n, inner, chunk, chunks): ix(outer, chunks, 0) <= 0x0fffffffffffffff", outer, chunks)
  REQUIRES((inner <= lanes),
           "inner <= (long)lanes", lanes, inner)
  REQUIRES((((((((lanes == 1) && (groups == 32)) || ((lanes == 2) && (groups == 16))) || ((lanes == 4) && (groups == 8))) || ((lanes == 8) && (groups == 4))) || ((lanes == 16) && (groups == 2))) || ((lanes == 32) && (groups == 1))),
           "group(lanes, groups): lanes == 1 && groups == 32 || lanes == 2 && groups == 16 || lanes == 4 && groups == 8 || lanes == 8 && groups == 4 || lanes == 16 && groups == 2 || lanes == 32 && groups == 1", lanes, groups)
  REQUIRES((32 <= bdim_ && bdim_ <= 1024),
           "block: 32 <= bdim_ <= 1024", bdim_)
  REQUIRES(((bdim_ % 32) == 0),
           "block: bdim_ % 32 == 0", bdim_)
  REQUIRES((0 <= blocks && blocks <= 0x7fffffff),
           "0 <= blocks <= 0x7fffffff", blocks)
  REQUIRES((ix(blocks, 1, 0) <= blocks_),
           "ix(blocks, 1, 0) <= blocks_", blocks, blocks_)
  REQUIRES((!(PARTS != 0) || (0 <= ix(ix(outer, n, 0), inner, 0) && ix(ix(outer, n, 0), inner, 0) <= 0x0fffffffffffffff)),
           "counts_in(PARTS, VEC, x, y, part, outer, n, inner): PARTS != 0 ==> 0 <= ix(ix(outer, n, 0), inner, 0) <= 0x0fffffffffffffff", PARTS, outer, n, inner)
  REQUIRES((!(PARTS != 0) || has(span(part, 0, (ix(ix(outer, n, 0), inner, 0) - 1)))),
           "counts_in(PARTS, VEC, x, y, part, outer, n, inner): PARTS != 0 ==> \\valid_read(part + (0 .. ix(ix(outer, n, 0), inner, 0) - 1))", PARTS, outer, n, inner)
  REQUIRES((!(PARTS == 0) || (0 <= ix(ix(outer, n, 0), inner, 0) && ix(ix(outer, n, 0), inner, 0) <= 0x0fffffffffffffff)),
           "counts_in(PARTS, VEC, x, y, part, outer, n, inner): PARTS == 0 ==> 0 <= ix(ix(outer, n, 0), inner, 0) <= 0x0fffffffffffffff", PARTS, outer, n, inner)
  REQUIRES((!(PARTS == 0) || has(span(x, 0, (ix(ix(outer, n, 0), inner, 0) - 1)))),
           "counts_in(PARTS, VEC, x, y, part, outer, n, inner): PARTS == 0 ==> \\valid_read(x + (0 .. ix(ix(outer, n, 0), inner, 0) - 1))", PARTS, outer, n, inner)
  REQUIRES((!(PARTS == 0) || (0 <= ix(outer, inner, 0) && ix(outer, inner, 0) <= 0x0fffffffffffffff)),
           "counts_in(PARTS, VEC, x, y, part, outer, n, inner): PARTS == 0 ==> 0 <= ix(outer, inner, 0) <= 0x0fffffffffffffff", PARTS, outer, inner)
  REQUIRES((!(PARTS == 0) || has(span(y, 0, (ix(outer, inner, 0) - 1)))),
           "counts_in(PARTS, VEC, x, y, part, outer, n, inner): PARTS == 0 ==> \\valid_read(y + (0 .. ix(outer, inner, 0) - 1))", PARTS, outer, inner)
  REQUIRES((!(VEC != 0) || (PARTS == 0)),
           "counts_in(PARTS, VEC, x, y, part, outer, n, inner): VEC != 0 ==> PARTS == 0", PARTS, VEC)
  REQUIRES((!(VEC != 0) || (inner == 1)),
           "counts_in(PARTS, VEC, x, y, part, outer, n, inner): VEC != 0 ==> inner == 1", VEC, inner)
  REQUIRES((!(VEC != 0) || aligned16(x)),
           "counts_in(PARTS, VEC, x, y, part, outer, n, inner): VEC != 0 ==> aligned16(x)", VEC)
  REQUIRES((ix(ix(outer, n, 0), inner, 0) <= 0x0fffffffffffffff),
           "ix(ix(outer, n, 0), inner, 0) <= 0x0fffffffffffffff", outer, n, inner)
  REQUIRES((0 <= ix(ix(outer, chunks, 0), inner, 0) && ix(ix(outer, chunks, 0), inner, 0) <= 0x0fffffffffffffff),
           "counts_out(out, ix(ix(outer, chunks, 0), inner, 0)): 0 <= ix(ix(outer, chunks, 0), inner, 0) <= 0x0fffffffffffffff", outer, inner, chunks)
  REQUIRES(has(span(out, 0, (ix(ix(outer, chunks, 0), inner, 0) - 1))),
           "counts_out(out, ix(ix(outer, chunks, 0), inner, 0)): \\valid(out + (0 .. ix(ix(outer, chunks, 0), inner, 0) - 1))", outer, inner, chunks)
  REQUIRES((!(PARTS != 0) || (apart(span(part, 0, (ix(ix(outer, n, 0), inner, 0) - 1)), span(out, 0, (ix(ix(outer, chunks, 0), inner, 0) - 1))))),
           "counts_apart(PARTS, x, y, part, out, ix(ix(outer, n, 0), inner, 0), ix(outer, inner, 0), ix(ix(outer, chunks, 0), inner, 0)): PARTS != 0 ==> \\separated(part + (0 .. ix(ix(outer, n, 0), inner, 0) - 1), out + (0 .. ix(ix(outer, chunks, 0), inner, 0) - 1))", PARTS, outer, n, inner, chunks)
  REQUIRES((!(PARTS == 0) || (apart(span(x, 0, (ix(ix(outer, n, 0), inner, 0) - 1)), span(out, 0, (ix(ix(outer, chunks, 0), inner, 0) - 1))))),
           "counts_apart(PARTS, x, y, part, out, ix(ix(outer, n, 0), inner, 0), ix(outer, inner, 0), ix(ix(outer, chunks, 0), inner, 0)): PARTS == 0 ==> \\separated(x + (0 .. ix(ix(outer, n, 0), inner, 0) - 1), out + (0 .. ix(ix(outer, chunks, 0), inner, 0) - 1))", PARTS, outer, n, inner, chunks)
  REQUIRES((!(PARTS == 0) || (apart(span(y, 0, (ix(outer, inner, 0) - 1)), span(out, 0, (ix(ix(outer, chunks, 0), inner, 0) - 1))))),
           "counts_apart(PARTS, x, y, part, out, ix(ix(outer, n, 0), inner, 0), ix(outer, inner, 0), ix(ix(outer, chunks, 0), inner, 0)): PARTS == 0 ==> \\separated(y + (0 .. ix(outer, inner, 0) - 1), out + (0 .. ix(ix(outer, chunks, 0), inner, 0) - 1))", PARTS, outer, inner, chunks)
  return true;
}

bool check_max_axis_vjp_rows(const launched &l)
{
  const num W = l.constant(0);
  const num lanes = l.get<int>(0);
  const num groups = l.get<int>(1);
  const num blocks = l.get<int64_t>(2);
  const num rows = l.get<int64_t>(3);
  const num n = l.get<int>(4);
  const ptr x = l.pointer(6, 4);
  const ptr y = l.pointer(7, 4);
  const ptr g = l.pointer(8, 4);
  const ptr dx = l.pointer(9, 4);
  /* not checked, permission, of the prover's discipline alone:
   *   perm_r(y, rows)
   *   perm_r(g, rows)
   *   perm_r(x, ix(rows, n, 0))
   *   perm(dx, ix(rows, n, 0)) */
  REQUIRES((32 <= bdim_ && bdim_ <= 1024),
           "ties_sizes(rows, n, lanes, groups, W): 32 <= bdim_ <= 1024", bdim_)
  REQUIRES(((bdim_ % 32) == 0),
           "ties_sizes(rows, n, lanes, groups, W): bdim_ % 32 == 0", bdim_)
  REQUIRES((0 <= rows && rows <= 0x0fffffffffffffff),
           "ties_sizes(rows, n, lanes, groups, W): 0 <= rows <= 0x0fffffffffffffff", rows)
  REQUIRES((0 < n && n <= (1 << 16)),
           "ties_sizes(rows, n, lanes, groups, W): 0 < n <= TIES_ROW", n)
  REQUIRES((ix(rows, n, 0) <= 0x0fffffffffffffff),
           "ties_sizes(rows, n, lanes, groups, W): ix(rows, n, 0) <= 0x0fffffffffffffff", rows, n)
  REQUIRES((group(lanes, groups) || (32 < lanes && lanes == bdim_)),
           "ties_sizes(rows, n, lanes, groups, W): group(lanes, groups) || 32 < lanes == bdim_", lanes, groups, bdim_)
  REQUIRES(((W == 1) || (W == 4)),
           "ties_sizes(rows, n, lanes, groups, W): W == 1 || W == 4", W)
  REQUIRES((!(W == 4) || ((n % 4) == 0)),
           "ties_sizes(rows, n, lanes, groups, W): W == 4 ==> n % 4 == 0", W, n)
  REQUIRES((0 <= blocks && blocks <= 0x7fffffff),
           "0 <= blocks <= 0x7fffffff", blocks)
  REQUIRES((ix(blocks, 1, 0) <= blocks_),
           "ix(blocks, 1, 0) <= blocks_", blocks, blocks_)
  REQUIRES(has(span(y, 0, (rows - 1))),
           "reads(y, rows): \\valid_read(y + (0 .. rows - 1))", rows)
  REQUIRES(has(span(g, 0, (rows - 1))),
           "reads(g, rows): \\valid_read(g + (0 .. rows - 1))", rows)
  REQUIRES((0 <= ix(rows, n, 0) && ix(rows, n, 0) <= 0x0fffffffffffffff),
           "ties_reads(x, n, rows, W): 0 <= ix(rows, n, 0) <= 0x0fffffffffffffff", rows, n)
  REQUIRES(has(span(x, 0, (ix(rows, n, 0) - 1))),
           "ties_reads(x, n, rows, W): \\valid_read(x + (0 .. ix(rows, n, 0) - 1))", rows, n)
  REQUIRES((!(W == 4) || aligned16(x)),
           "ties_reads(x, n, rows, W): W == 4 ==> aligned16(x)", W)
  REQUIRES(has(span(dx, 0, (ix(rows, n, 0) - 1))),
           "ties_writes(dx, n, rows, W): \\valid(dx + (0 .. ix(rows, n, 0) - 1))", rows, n)
  REQUIRES((!(W == 4) || aligned16(dx)),
           "ties_writes(dx, n, rows, W): W == 4 ==> aligned16(dx)", W)
  REQUIRES((apart(span(x, 0, (ix(rows, n, 0) - 1)), span(dx, 0, (ix(rows, n, 0) - 1)))),
           "apart(x, ix(rows, n, 0), dx, ix(rows, n, 0)): \\separated(x + (0 .. ix(rows, n, 0) - 1), dx + (0 .. ix(rows, n, 0) - 1))", rows, n)
  REQUIRES((apart(span(y, 0, (rows - 1)), span(dx, 0, (ix(rows, n, 0) - 1)))),
           "apart(y, rows, dx, ix(rows, n, 0)): \\separated(y + (0 .. rows - 1), dx + (0 .. ix(rows, n, 0) - 1))", rows, n)
  REQUIRES((apart(span(g, 0, (rows - 1)), span(dx, 0, (ix(rows, n, 0) - 1)))),
           "apart(g, rows, dx, ix(rows, n, 0)): \\separated(g + (0 .. rows - 1), dx + (0 .. ix(rows, n, 0) - 1))", rows, n)
  return true;
}

bool check_mean_block(const launched &l)
{
  const num n = l.get<int64_t>(0);
  const num V = l.get<int64_t>(1);
  const num aligned = l.get<int>(2);
  const ptr x = l.pointer(4, 4);
  const ptr out = l.pointer(5, 4);
  /* not checked, permission, of the prover's discipline alone:
   *   perm_r(x, n)
   *   \forall integer k; 0 <= k < 1 ==> owner(out + k, k, 0) */
  REQUIRES((32 <= bdim_ && bdim_ <= 1024),
           "block: 32 <= bdim_ <= 1024", bdim_)
  REQUIRES(((bdim_ % 32) == 0),
           "block: bdim_ % 32 == 0", bdim_)
  REQUIRES((0 <= n && n <= 0x0fffffffffffffff),
           "sum_reads(x, n, V, aligned): 0 <= n <= 0x0fffffffffffffff", n)
  REQUIRES(has(span(x, 0, (n - 1))),
           "sum_reads(x, n, V, aligned): \\valid_read(x + (0 .. n - 1))", n)
  REQUIRES((0 <= (4 * V) && (4 * V) <= n),
           "sum_reads(x, n, V, aligned): 0 <= 4 * V <= n", n, V)
  REQUIRES((!(aligned != 0) || aligned16(x)),
           "sum_reads(x, n, V, aligned): aligned != 0 ==> aligned16(x)", aligned)
  REQUIRES((0 <= 1 && 1 <= 0x0fffffffffffffff),
           "own_firsts(out, 1): 0 <= 1 <= 0x0fffffffffffffff")
  REQUIRES(has(span(out, 0, (1 - 1))),
           "own_firsts(out, 1): \\valid(out + (0 .. 1 - 1))")
  REQUIRES((apart(span(x, 0, (n - 1)), span(out, 0, (1 - 1)))),
           "apart(x, n, out, 1): \\separated(x + (0 .. n - 1), out + (0 .. 1 - 1))", n)
  REQUIRES((blocks_ == 1),
           "blocks_ == 1", blocks_)
  return true;
}

bool check_mean_vjp_map(const launched &l)
{
  const num n = l.get<int64_t>(0);
  const num V = l.get<int64_t>(1);
  const ptr x0 = l.pointer(5, 4);
  const ptr x1 = l.pointer(6, 4);
  const ptr x2 = l.pointer(7, 4);
  const ptr y0 = l.pointer(8, 4);
  /* not checked, permission, of the prover's discipline alone:
   *   MAP_SAME == MAP_EACH ==> perm_r(x0, n)
   *   MAP_SAME == MAP_SAME ==> perm_r(x0, 1)
   *   MAP_NONE == MAP_EACH ==> perm_r(x1, n)
   *   MAP_NONE == MAP_SAME ==> perm_r(x1, 1)
   *   MAP_NONE == MAP_EACH ==> perm_r(x2, n)
   *   MAP_NONE == MAP_SAME ==> perm_r(x2, 1)
   *   \forall integer k; 0 <= k < n ==> owner(y0 + k, map_thread2(k, V), -1) */
  REQUIRES((0 <= (8 * V) && (8 * V) <= n && n <= 0x0fffffffffffffff),
           "map_size(n, V, 8): 0 <= 8 * V <= n <= 0x0fffffffffffffff", n, V)
  REQUIRES(((n - ((8 - 1) * V)) <= gsize_ && gsize_ < 0x1000000000000000),
           "n - (8 - 1) * V <= gsize_ < 0x1000000000000000", n, V, gsize_)
  REQUIRES((0 <= 2 && 2 <= 2),
           "reads_kind(x0, K0, n): MAP_NONE <= MAP_SAME <= MAP_SAME")
  REQUIRES((!(2 == 1) || (0 <= n && n <= 0x0fffffffffffffff)),
           "reads_kind(x0, K0, n): MAP_SAME == MAP_EACH ==> 0 <= n <= 0x0fffffffffffffff", n)
  REQUIRES((!(2 == 1) || has(span(x0, 0, (n - 1)))),
           "reads_kind(x0, K0, n): MAP_SAME == MAP_EACH ==> \\valid_read(x0 + (0 .. n - 1))", n)
  REQUIRES((!(2 == 2) || (0 <= 1 && 1 <= 0x0fffffffffffffff)),
           "reads_kind(x0, K0, n): MAP_SAME == MAP_SAME ==> 0 <= 1 <= 0x0fffffffffffffff")
  REQUIRES((!(2 == 2) || has(span(x0, 0, (1 - 1)))),
           "reads_kind(x0, K0, n): MAP_SAME == MAP_SAME ==> \\valid_read(x0 + (0 .. 1 - 1))")
  REQUIRES((0 <= 0 && 0 <= 2),
           "reads_kind(x1, K1, n): MAP_NONE <= MAP_NONE <= MAP_SAME")
  REQUIRES((!(0 == 1) || (0 <= n && n <= 0x0fffffffffffffff)),
           "reads_kind(x1, K1, n): MAP_NONE == MAP_EACH ==> 0 <= n <= 0x0fffffffffffffff", n)
  REQUIRES((!(0 == 1) || has(span(x1, 0, (n - 1)))),
           "reads_kind(x1, K1, n): MAP_NONE == MAP_EACH ==> \\valid_read(x1 + (0 .. n - 1))", n)
  REQUIRES((!(0 == 2) || (0 <= 1 && 1 <= 0x0fffffffffffffff)),
           "reads_kind(x1, K1, n): MAP_NONE == MAP_SAME ==> 0 <= 1 <= 0x0fffffffffffffff")
  REQUIRES((!(0 == 2) || has(span(x1, 0, (1 - 1)))),
           "reads_kind(x1, K1, n): MAP_NONE == MAP_SAME ==> \\valid_read(x1 + (0 .. 1 - 1))")
  REQUIRES((!(0 == 1) || has(span(x2, 0, (n - 1)))),
           "reads_kind(x2, K2, n): MAP_NONE == MAP_EACH ==> \\valid_read(x2 + (0 .. n - 1))", n)
  REQUIRES((!(0 == 2) || has(span(x2, 0, (1 - 1)))),
           "reads_kind(x2, K2, n): MAP_NONE == MAP_SAME ==> \\valid_read(x2 + (0 .. 1 - 1))")
  REQUIRES((0 <= n && n <= 0x0fffffffffffffff),
           "own_map2(y0, V, n): 0 <= n <= 0x0fffffffffffffff", n)
  REQUIRES(has(span(y0, 0, (n - 1))),
           "own_map2(y0, V, n): \\valid(y0 + (0 .. n - 1))", n)
  REQUIRES((!(2 == 1) || (apart(span(x0, 0, (n - 1)), span(y0, 0, (n - 1))))),
           "map_apart(K0, x0, y0, n): MAP_SAME == MAP_EACH ==> \\separated(x0 + (0 .. n - 1), y0 + (0 .. n - 1))", n)
  REQUIRES((!(2 == 2) || (apart(span(x0, 0, (1 - 1)), span(y0, 0, (n - 1))))),
           "map_apart(K0, x0, y0, n): MAP_SAME == MAP_SAME ==> \\separated(x0 + (0 .. 1 - 1), y0 + (0 .. n - 1))", n)
  REQUIRES((!(0 == 1) || (apart(span(x1, 0, (n - 1)), span(y0, 0, (n - 1))))),
           "map_apart(K1, x1, y0, n): MAP_NONE == MAP_EACH ==> \\separated(x1 + (0 .. n - 1), y0 + (0 .. n - 1))", n)
  REQUIRES((!(0 == 2) || (apart(span(x1, 0, (1 - 1)), span(y0, 0, (n - 1))))),
           "map_apart(K1, x1, y0, n): MAP_NONE == MAP_SAME ==> \\separated(x1 + (0 .. 1 - 1), y0 + (0 .. n - 1))", n)
  REQUIRES((!(0 == 1) || (apart(span(x2, 0, (n - 1)), span(y0, 0, (n - 1))))),
           "map_apart(K2, x2, y0, n): MAP_NONE == MAP_EACH ==> \\separated(x2 + (0 .. n - 1), y0 + (0 .. n - 1))", n)
  REQUIRES((!(0 == 2) || (apart(span(x2, 0, (1 - 1)), span(y0, 0, (n - 1))))),
           "map_apart(K2, x2, y0, n): MAP_NONE == MAP_SAME ==> \\separated(x2 + (0 .. 1 - 1), y0 + (0 .. n - 1))", n)
  REQUIRES((!(0 < V) || (!(2 == 1) || aligned16(x0))),
           "0 < V ==> map_aligned(K0, x0) && map_aligned(K1, x1) && map_aligned(K2, x2) && aligned16(y0): 0 < V ==> MAP_SAME == MAP_EACH ==> aligned16(x0)", V)
  REQUIRES((!(0 < V) || (!(0 == 1) || aligned16(x1))),
           "0 < V ==> map_aligned(K0, x0) && map_aligned(K1, x1) && map_aligned(K2, x2) && aligned16(y0): 0 < V ==> MAP_NONE == MAP_EACH ==> aligned16(x1)", V)
  REQUIRES((!(0 < V) || (!(0 == 1) || aligned16(x2))),
           "0 < V ==> map_aligned(K0, x0) && map_aligned(K1, x1) && map_aligned(K2, x2) && aligned16(y0): 0 < V ==> MAP_NONE == MAP_EACH ==> aligned16(x2)", V)
  REQUIRES((!(0 < V) || aligned16(y0)),
           "0 < V ==> map_aligned(K0, x0) && map_aligned(K1, x1) && map_aligned(K2, x2) && aligned16(y0): 0 < V ==> aligned16(y0)", V)
  return true;
}

bool check_mse_loss_blocks(const launched &l)
{
  const num n = l.get<int64_t>(0);
  const num V = l.get<int64_t>(1);
  const num chunk = l.get<int64_t>(2);
  const num blocks = l.get<int64_t>(3);
  const num aligned = l.get<int>(4);
  const ptr a = l.pointer(5, 4);
  const ptr t = l.pointer(6, 4);
  const ptr out = l.pointer(7, 4);
  /* not checked, permission, of the prover's discipline alone:
   *   \forall integer k; 0 <= k < blocks ==> owner(out + k, k, 0)
   *   perm_r(a, n)
   *   perm_r(t, n) */
  REQUIRES((32 <= bdim_ && bdim_ <= 1024),
           "block: 32 <= bdim_ <= 1024", bdim_)
  REQUIRES(((bdim_ % 32) == 0),
           "block: bdim_ % 32 == 0", bdim_)
  REQUIRES((0 < chunk),
           "0 < chunk", chunk)
  REQUIRES((0 < blocks),
           "0 < blocks", blocks)
  REQUIRES((0 <= blocks && blocks <= 0x0fffffffffffffff),
           "own_firsts(out, blocks): 0 <= blocks <= 0x0fffffffffffffff", blocks)
  REQUIRES(has(span(out, 0, (blocks - 1))),
           "own_firsts(out, blocks): \\valid(out + (0 .. blocks - 1))", blocks)
  REQUIRES((0 <= n && n <= 0x0fffffffffffffff),
           "sum_reads(a, n, V, aligned): 0 <= n <= 0x0fffffffffffffff", n)
  REQUIRES(has(span(a, 0, (n - 1))),
           "sum_reads(a, n, V, aligned): \\valid_read(a + (0 .. n - 1))", n)
  REQUIRES((0 <= (4 * V) && (4 * V) <= n),
           "sum_reads(a, n, V, aligned): 0 <= 4 * V <= n", n, V)
  REQUIRES((!(aligned != 0) || aligned16(a)),
           "sum_reads(a, n, V, aligned): aligned != 0 ==> aligned16(a)", aligned)
  REQUIRES(has(span(t, 0, (n - 1))),
           "sum_reads(t, n, V, aligned): \\valid_read(t + (0 .. n - 1))", n)
  REQUIRES((!(aligned != 0) || aligned16(t)),
           "sum_reads(t, n, V, aligned): aligned != 0 ==> aligned16(t)", aligned)
  REQUIRES((apart(span(a, 0, (n - 1)), span(out, 0, (blocks - 1)))),
           "apart(a, n, out, blocks): \\separated(a + (0 .. n - 1), out + (0 .. blocks - 1))", n, blocks)
  REQUIRES((apart(span(t, 0, (n - 1)), span(out, 0, (blocks - 1)))),
           "apart(t, n, out, blocks): \\separated(t + (0 .. n - 1), out + (0 .. blocks - 1))", n, blocks)
  REQUIRES((ix(blocks, chunk, 0) <= 0x0fffffffffffffff),
           "ix(blocks, chunk, 0) <= 0x0fffffffffffffff", chunk, blocks)
  REQUIRES((ix(blocks, 1, 0) <= blocks_),
           "ix(blocks, 1, 0) <= blocks_", blocks, blocks_)
  REQUIRES((ix((blocks - 1), chunk, 0) <= V && V <= ix(blocks, chunk, 0)),
           "ix(blocks - 1, chunk, 0) <= V <= ix(blocks, chunk, 0)", V, chunk, blocks)
  return true;
}

bool check_mse_loss_mean(const launched &l)
{
  const num n = l.get<int64_t>(0);
  const num V = l.get<int64_t>(1);
  const num aligned = l.get<int>(2);
  const ptr a = l.pointer(4, 4);
  const ptr t = l.pointer(5, 4);
  const ptr out = l.pointer(6, 4);
  /* not checked, permission, of the prover's discipline alone:
   *   perm_r(a, n)
   *   perm_r(t, n)
   *   \forall integer k; 0 <= k < 1 ==> owner(out + k, k, 0) */
  REQUIRES((32 <= bdim_ && bdim_ <= 1024),
           "block: 32 <= bdim_ <= 1024", bdim_)
  REQUIRES(((bdim_ % 32) == 0),
           "block: bdim_ % 32 == 0", bdim_)
  REQUIRES((0 <= n && n <= 0x0fffffffffffffff),
           "sum_reads(a, n, V, aligned): 0 <= n <= 0x0fffffffffffffff", n)
  REQUIRES(has(span(a, 0, (n - 1))),
           "sum_reads(a, n, V, aligned): \\valid_read(a + (0 .. n - 1))", n)
  REQUIRES((0 <= (4 * V) && (4 * V) <= n),
           "sum_reads(a, n, V, aligned): 0 <= 4 * V <= n", n, V)
  REQUIRES((!(aligned != 0) || aligned16(a)),
           "sum_reads(a, n, V, aligned): aligned != 0 ==> aligned16(a)", aligned)
  REQUIRES(has(span(t, 0, (n - 1))),
           "sum_reads(t, n, V, aligned): \\valid_read(t + (0 .. n - 1))", n)
  REQUIRES((!(aligned != 0) || aligned16(t)),
           "sum_reads(t, n, V, aligned): aligned != 0 ==> aligned16(t)", aligned)
  REQUIRES((0 <= 1 && 1 <= 0x0fffffffffffffff),
           "own_firsts(out, 1): 0 <= 1 <= 0x0fffffffffffffff")
  REQUIRES(has(span(out, 0, (1 - 1))),
           "own_firsts(out, 1): \\valid(out + (0 .. 1 - 1))")
  REQUIRES((apart(span(a, 0, (n - 1)), span(out, 0, (1 - 1)))),
           "apart(a, n, out, 1): \\separated(a + (0 .. n - 1), out + (0 .. 1 - 1))", n)
  REQUIRES((apart(span(t, 0, (n - 1)), span(out, 0, (1 - 1)))),
           "apart(t, n, out, 1): \\separated(t + (0 .. n - 1), out + (0 .. 1 - 1))", n)
  REQUIRES((blocks_ == 1),
           "blocks_ == 1", blocks_)
  return true;
}

bool check_mse_loss_vjp_map(const launched &l)
{
  const num n = l.get<int64_t>(0);
  const num V = l.get<int64_t>(1);
  const ptr x0 = l.pointer(5, 4);
  const ptr x1 = l.pointer(6, 4);
  const ptr x2 = l.pointer(7, 4);
  const ptr y0 = l.pointer(8, 4);
  const ptr y1 = l.pointer(9, 4);
  /* not checked, permission, of the prover's discipline alone:
   *   MAP_SAME == MAP_EACH ==> perm_r(x0, n)
   *   MAP_SAME == MAP_SAME ==> perm_r(x0, 1)
   *   MAP_EACH == MAP_EACH ==> perm_r(x1, n)
   *   MAP_EACH == MAP_SAME ==> perm_r(x1, 1)
   *   MAP_EACH == MAP_EACH ==> perm_r(x2, n)
   *   MAP_EACH == MAP_SAME ==> perm_r(x2, 1)
   *   \forall integer k; 0 <= k < n ==> owner(y0 + k, map_thread(k, V), -1)
   *   \forall integer k; 0 <= k < n ==> owner(y1 + k, map_thread(k, V), -1) */
  REQUIRES((0 <= (4 * V) && (4 * V) <= n && n <= 0x0fffffffffffffff),
           "map_size(n, V, 4): 0 <= 4 * V <= n <= 0x0fffffffffffffff", n, V)
  REQUIRES(((n - ((4 - 1) * V)) <= gsize_ && gsize_ < 0x1000000000000000),
           "n - (4 - 1) * V <= gsize_ < 0x1000000000000000", n, V, gsize_)
  REQUIRES((0 <= 2 && 2 <= 2),
           "reads_kind(x0, K0, n): MAP_NONE <= MAP_SAME <= MAP_SAME")
  REQUIRES((!(2 == 1) || (0 <= n && n <= 0x0fffffffffffffff)),
           "reads_kind(x0, K0, n): MAP_SAME == MAP_EACH ==> 0 <= n <= 0x0fffffffffffffff", n)
  REQUIRES((!(2 == 1) || has(span(x0, 0, (n - 1)))),
           "reads_kind(x0, K0, n): MAP_SAME == MAP_EACH ==> \\valid_read(x0 + (0 .. n - 1))", n)
  REQUIRES((!(2 == 2) || (0 <= 1 && 1 <= 0x0fffffffffffffff)),
           "reads_kind(x0, K0, n): MAP_SAME == MAP_SAME ==> 0 <= 1 <= 0x0fffffffffffffff")
  REQUIRES((!(2 == 2) || has(span(x0, 0, (1 - 1)))),
           "reads_kind(x0, K0, n): MAP_SAME == MAP_SAME ==> \\valid_read(x0 + (0 .. 1 - 1))")
  REQUIRES((0 <= 1 && 1 <= 2),
           "reads_kind(x1, K1, n): MAP_NONE <= MAP_EACH <= MAP_SAME")
  REQUIRES((!(1 == 1) || (0 <= n && n <= 0x0fffffffffffffff)),
           "reads_kind(x1, K1, n): MAP_EACH == MAP_EACH ==> 0 <= n <= 0x0fffffffffffffff", n)
  REQUIRES((!(1 == 1) || has(span(x1, 0, (n - 1)))),
           "reads_kind(x1, K1, n): MAP_EACH == MAP_EACH ==> \\valid_read(x1 + (0 .. n - 1))", n)
  REQUIRES((!(1 == 2) || (0 <= 1 && 1 <= 0x0fffffffffffffff)),
           "reads_kind(x1, K1, n): MAP_EACH == MAP_SAME ==> 0 <= 1 <= 0x0fffffffffffffff")
  REQUIRES((!(1 == 2) || has(span(x1, 0, (1 - 1)))),
           "reads_kind(x1, K1, n): MAP_EACH == MAP_SAME ==> \\valid_read(x1 + (0 .. 1 - 1))")
  REQUIRES((!(1 == 1) || has(span(x2, 0, (n - 1)))),
           "reads_kind(x2, K2, n): MAP_EACH == MAP_EACH ==> \\valid_read(x2 + (0 .. n - 1))", n)
  REQUIRES((!(1 == 2) || has(span(x2, 0, (1 - 1)))),
           "reads_kind(x2, K2, n): MAP_EACH == MAP_SAME ==> \\valid_read(x2 + (0 .. 1 - 1))")
  REQUIRES((0 <= n && n <= 0x0fffffffffffffff),
           "own_map(y0, V, n): 0 <= n <= 0x0fffffffffffffff", n)
  REQUIRES(has(span(y0, 0, (n - 1))),
           "own_map(y0, V, n): \\valid(y0 + (0 .. n - 1))", n)
  REQUIRES(has(span(y1, 0, (n - 1))),
           "own_map(y1, V, n): \\valid(y1 + (0 .. n - 1))", n)
  REQUIRES((!(2 == 1) || (apart(span(x0, 0, (n - 1)), span(y0, 0, (n - 1))))),
           "map_apart(K0, x0, y0, n): MAP_SAME == MAP_EACH ==> \\separated(x0 + (0 .. n - 1), y0 + (0 .. n - 1))", n)
  REQUIRES((!(2 == 2) || (apart(span(x0, 0, (1 - 1)), span(y0, 0, (n - 1))))),
           "map_apart(K0, x0, y0, n): MAP_SAME == MAP_SAME ==> \\separated(x0 + (0 .. 1 - 1), y0 + (0 .. n - 1))", n)
  REQUIRES((!(1 == 1) || (apart(span(x1, 0, (n - 1)), span(y0, 0, (n - 1))))),
           "map_apart(K1, x1, y0, n): MAP_EACH == MAP_EACH ==> \\separated(x1 + (0 .. n - 1), y0 + (0 .. n - 1))", n)
  REQUIRES((!(1 == 2) || (apart(span(x1, 0, (1 - 1)), span(y0, 0, (n - 1))))),
           "map_apart(K1, x1, y0, n): MAP_EACH == MAP_SAME ==> \\separated(x1 + (0 .. 1 - 1), y0 + (0 .. n - 1))", n)
  REQUIRES((!(1 == 1) || (apart(span(x2, 0, (n - 1)), span(y0, 0, (n - 1))))),
           "map_apart(K2, x2, y0, n): MAP_EACH == MAP_EACH ==> \\separated(x2 + (0 .. n - 1), y0 + (0 .. n - 1))", n)
  REQUIRES((!(1 == 2) || (apart(span(x2, 0, (1 - 1)), span(y0, 0, (n - 1))))),
           "map_apart(K2, x2, y0, n): MAP_EACH == MAP_SAME ==> \\separated(x2 + (0 .. 1 - 1), y0 + (0 .. n - 1))", n)
  REQUIRES((!(2 == 1) || (apart(span(x0, 0, (n - 1)), span(y1, 0, (n - 1))))),
           "map_apart(K0, x0, y1, n): MAP_SAME == MAP_EACH ==> \\separated(x0 + (0 .. n - 1), y1 + (0 .. n - 1))", n)
  REQUIRES((!(2 == 2) || (apart(span(x0, 0, (1 - 1)), span(y1, 0, (n - 1))))),
           "map_apart(K0, x0, y1, n): MAP_SAME == MAP_SAME ==> \\separated(x0 + (0 .. 1 - 1), y1 + (0 .. n - 1))", n)
  REQUIRES((!(1 == 1) || (apart(span(x1, 0, (n - 1)), span(y1, 0, (n - 1))))),
           "map_apart(K1, x1, y1, n): MAP_EACH == MAP_EACH ==> \\separated(x1 + (0 .. n - 1), y1 + (0 .. n - 1))", n)
  REQUIRES((!(1 == 2) || (apart(span(x1, 0, (1 - 1)), span(y1, 0, (n - 1))))),
           "map_apart(K1, x1, y1, n): MAP_EACH == MAP_SAME ==> \\separated(x1 + (0 .. 1 - 1), y1 + (0 .. n - 1))", n)
  REQUIRES((!(1 == 1) || (apart(span(x2, 0, (n - 1)), span(y1, 0, (n - 1))))),
           "map_apart(K2, x2, y1, n): MAP_EACH == MAP_EACH ==> \\separated(x2 + (0 .. n - 1), y1 + (0 .. n - 1))", n)
  REQUIRES((!(1 == 2) || (apart(span(x2, 0, (1 - 1)), span(y1, 0, (n - 1))))),
           "map_apart(K2, x2, y1, n): MAP_EACH == MAP_SAME ==> \\separated(x2 + (0 .. 1 - 1), y1 + (0 .. n - 1))", n)
  REQUIRES((apart(span(y0, 0, (n - 1)), span(y1, 0, (n - 1)))),
           "apart(y0, n, y1, n): \\separated(y0 + (0 .. n - 1), y1 + (0 .. n - 1))", n)
  REQUIRES((!(0 < V) || (!(2 == 1) || aligned16(x0))),
           "0 < V ==> map_aligned(K0, x0) && map_aligned(K1, x1) && map_aligned(K2, x2) && aligned16(y0) && aligned16(y1): 0 < V ==> MAP_SAME == MAP_EACH ==> aligned16(x0)", V)
  REQUIRES((!(0 < V) || (!(1 == 1) || aligned16(x1))),
           "0 < V ==> map_aligned(K0, x0) && map_aligned(K1, x1) && map_aligned(K2, x2) && aligned16(y0) && aligned16(y1): 0 < V ==> MAP_EACH == MAP_EACH ==> aligned16(x1)", V)
  REQUIRES((!(0 < V) || (!(1 == 1) || aligned16(x2))),
           "0 < V ==> map_aligned(K0, x0) && map_aligned(K1, x1) && map_aligned(K2, x2) && aligned16(y0) && aligned16(y1): 0 < V ==> MAP_EACH == MAP_EACH ==> aligned16(x2)", V)
  REQUIRES((!(0 < V) || aligned16(y0)),
           "0 < V ==> map_aligned(K0, x0) && map_aligned(K1, x1) && map_aligned(K2, x2) && aligned16(y0) && aligned16(y1): 0 < V ==> aligned16(y0)", V)
  REQUIRES((!(0 < V) || aligned16(y1)),
           "0 < V ==> map_aligned(K0, x0) && map_aligned(K1, x1) && map_aligned(K2, x2) && aligned16(y0) && aligned16(y1): 0 < V ==> aligned16(y1)", V)
  return true;
}

bool check_norm_cluster(const launched &l)
{
  const num CENTERED = l.constant(0);
  const num EACH = l.constant(1);
  const num BLOCK = l.constant(2);
  const num clusters = l.get<int64_t>(0);
  const num affine = l.get<int>(1);
  const num rows = l.get<int64_t>(2);
  const num cols = l.get<int>(3);
  const num width = l.get<int>(4);
  const ptr x = l.pointer(6, 4);
  const ptr gamma = l.pointer(7, 4);
  const ptr beta = l.pointer(8, 4);
  const ptr y = l.pointer(9, 4);
  const ptr mean = l.pointer(10, 4);
  const ptr rstd = l.pointer(11, 4);
  /* not checked, permission, of the prover's discipline alone:
   *   perm(y, ix(rows, cols, 0))
   *   perm(rstd, rows)
   *   perm(mean, if_there(CENTERED, rows))
   *   perm_r(x, ix(rows, cols, 0))
   *   perm_r(gamma, if_there(affine, cols))
   *   perm_r(beta, if_there(CENTERED, cols)) */
  /* not checked, values of tensors over the reals, which an earlier launch left or the case has:
   *   grid_says(clusters, CENTERED, x, rows, cols, width) */
  REQUIRES((32 <= bdim_ && bdim_ <= 1024),
           "block: 32 <= bdim_ <= 1024", bdim_)
  REQUIRES(((bdim_ % 32) == 0),
           "block: bdim_ % 32 == 0", bdim_)
  REQUIRES((BLOCK == bdim_),
           "BLOCK == bdim_", BLOCK, bdim_)
  REQUIRES((0 < EACH && EACH <= 13),
           "0 < EACH <= SLICE_EACH", EACH)
  REQUIRES((0 < width && width <= 6656),
           "0 < width <= SLICE_WIDTH", width)
  REQUIRES((0 < clusters && clusters <= (1 << 30)),
           "0 < clusters <= (long)SLICE_ROWS", clusters)
  REQUIRES((ix(clusters, 8, 0) <= blocks_),
           "ix(clusters, ROW_CLUSTER, 0) <= blocks_", clusters, blocks_)
  REQUIRES((((2 * 3) * (((width + 9) / 4) * 4)) <= stage_cells_),
           "2 * STAGE_COUNT * ((width + 9) / 4 * 4) <= stage_cells_", width, stage_cells_)
  REQUIRES(aligned16(x),
           "aligned16(x)")
  REQUIRES((width <= mul(EACH, BLOCK)),
           "width <= mul(EACH, BLOCK)", EACH, BLOCK, width)
  REQUIRES((cols <= mul(8, width)),
           "cols <= mul(ROW_CLUSTER, width)", cols, width)
  REQUIRES((0 <= rows && rows <= (1 << 30)),
           "slice_outs(CENTERED, rows, cols, y, mean, rstd): 0 <= rows <= SLICE_ROWS", rows)
  REQUIRES((0 < cols && cols <= (8 * 6656)),
           "slice_outs(CENTERED, rows, cols, y, mean, rstd): 0 < cols <= ROW_CLUSTER * SLICE_WIDTH", cols)
  REQUIRES((0 <= ix(rows, cols, 0) && ix(rows, cols, 0) <= 0x0fffffffffffffff),
           "slice_outs(CENTERED, rows, cols, y, mean, rstd): 0 <= ix(rows, cols, 0) <= 0x0fffffffffffffff", rows, cols)
  REQUIRES(has(span(y, 0, (ix(rows, cols, 0) - 1))),
           "slice_outs(CENTERED, rows, cols, y, mean, rstd): \\valid(y + (0 .. ix(rows, cols, 0) - 1))", rows, cols)
  REQUIRES((0 <= rows && rows <= 0x0fffffffffffffff),
           "slice_outs(CENTERED, rows, cols, y, mean, rstd): 0 <= rows <= 0x0fffffffffffffff", rows)
  REQUIRES(has(span(rstd, 0, (rows - 1))),
           "slice_outs(CENTERED, rows, cols, y, mean, rstd): \\valid(rstd + (0 .. rows - 1))", rows)
  REQUIRES((0 <= if_there(CENTERED, rows) && if_there(CENTERED, rows) <= 0x0fffffffffffffff),
           "slice_outs(CENTERED, rows, cols, y, mean, rstd): 0 <= if_there(CENTERED, rows) <= 0x0fffffffffffffff", CENTERED, rows)
  REQUIRES(has(span(mean, 0, (if_there(CENTERED, rows) - 1))),
           "slice_outs(CENTERED, rows, cols, y, mean, rstd): \\valid(mean + (0 .. if_there(CENTERED, rows) - 1))", CENTERED, rows)
  REQUIRES(has(span(x, 0, (ix(rows, cols, 0) - 1))),
           "reads(x, ix(rows, cols, 0)): \\valid_read(x + (0 .. ix(rows, cols, 0) - 1))", rows, cols)
  REQUIRES((0 <= if_there(affine, cols) && if_there(affine, cols) <= 0x0fffffffffffffff),
           "reads(gamma, if_there(affine, cols)): 0 <= if_there(affine, cols) <= 0x0fffffffffffffff", affine, cols)
  REQUIRES(has(span(gamma, 0, (if_there(affine, cols) - 1))),
           "reads(gamma, if_there(affine, cols)): \\valid_read(gamma + (0 .. if_there(affine, cols) - 1))", affine, cols)
  REQUIRES((0 <= if_there(CENTERED, cols) && if_there(CENTERED, cols) <= 0x0fffffffffffffff),
           "reads(beta, if_there(CENTERED, cols)): 0 <= if_there(CENTERED, cols) <= 0x0fffffffffffffff", CENTERED, cols)
  REQUIRES(has(span(beta, 0, (if_there(CENTERED, cols) - 1))),
           "reads(beta, if_there(CENTERED, cols)): \\valid_read(beta + (0 .. if_there(CENTERED, cols) - 1))", CENTERED, cols)
  REQUIRES((apart(span(x, 0, (ix(rows, cols, 0) - 1)), span(y, 0, (ix(rows, cols, 0) - 1)))),
           "slice_apart(CENTERED, affine, rows, cols, x, gamma, beta, y, mean, rstd): \\separated(x + (0 .. ix(rows, cols, 0) - 1), y + (0 .. ix(rows, cols, 0) - 1))", rows, cols)
  REQUIRES((apart(span(gamma, 0, (if_there(affine, cols) - 1)), span(y, 0, (ix(rows, cols, 0) - 1)))),
           "slice_apart(CENTERED, affine, rows, cols, x, gamma, beta, y, mean, rstd): \\separated(gamma + (0 .. if_there(affine, cols) - 1), y + (0 .. ix(rows, cols, 0) - 1))", affine, rows, cols)
  REQUIRES((apart(span(beta, 0, (if_there(CENTERED, cols) - 1)), span(y, 0, (ix(rows, cols, 0) - 1)))),
           "slice_apart(CENTERED, affine, rows, cols, x, gamma, beta, y, mean, rstd): \\separated(beta + (0 .. if_there(CENTERED, cols) - 1), y + (0 .. ix(rows, cols, 0) - 1))", CENTERED, rows, cols)
  REQUIRES((apart(span(x, 0, (ix(rows, cols, 0) - 1)), span(rstd, 0, (rows - 1)))),
           "slice_apart(CENTERED, affine, rows, cols, x, gamma, beta, y, mean, rstd): \\separated(x + (0 .. ix(rows, cols, 0) - 1), rstd + (0 .. rows - 1))", rows, cols)
  REQUIRES((apart(span(gamma, 0, (if_there(affine, cols) - 1)), span(rstd, 0, (rows - 1)))),
           "slice_apart(CENTERED, affine, rows, cols, x, gamma, beta, y, mean, rstd): \\separated(gamma + (0 .. if_there(affine, cols) - 1), rstd + (0 .. rows - 1))", affine, rows, cols)
  REQUIRES((apart(span(beta, 0, (if_there(CENTERED, cols) - 1)), span(rstd, 0, (rows - 1)))),
           "slice_apart(CENTERED, affine, rows, cols, x, gamma, beta, y, mean, rstd): \\separated(beta + (0 .. if_there(CENTERED, cols) - 1), rstd + (0 .. rows - 1))", CENTERED, rows, cols)
  REQUIRES((apart(span(x, 0, (ix(rows, cols, 0) - 1)), span(mean, 0, (if_there(CENTERED, rows) - 1)))),
           "slice_apart(CENTERED, affine, rows, cols, x, gamma, beta, y, mean, rstd): \\separated(x + (0 .. ix(rows, cols, 0) - 1), mean + (0 .. if_there(CENTERED, rows) - 1))", CENTERED, rows, cols)
  REQUIRES((apart(span(gamma, 0, (if_there(affine, cols) - 1)), span(mean, 0, (if_there(CENTERED, rows) - 1)))),
           "slice_apart(CENTERED, affine, rows, cols, x, gamma, beta, y, mean, rstd): \\separated(gamma + (0 .. if_there(affine, cols) - 1), mean + (0 .. if_there(CENTERED, rows) - 1))", CENTERED, affine, rows, cols)
  REQUIRES((apart(span(beta, 0, (if_there(CENTERED, cols) - 1)), span(mean, 0, (if_there(CENTERED, rows) - 1)))),
           "slice_apart(CENTERED, affine, rows, cols, x, gamma, beta, y, mean, rstd): \\separated(beta + (0 .. if_there(CENTERED, cols) - 1), mean + (0 .. if_there(CENTERED, rows) - 1))", CENTERED, rows, cols)
  REQUIRES((apart(span(y, 0, (ix(rows, cols, 0) - 1)), span(rstd, 0, (rows - 1)))),
           "slice_apart(CENTERED, affine, rows, cols, x, gamma, beta, y, mean, rstd): \\separated(y + (0 .. ix(rows, cols, 0) - 1), rstd + (0 .. rows - 1))", rows, cols)
  REQUIRES((apart(span(y, 0, (ix(rows, cols, 0) - 1)), span(mean, 0, (if_there(CENTERED, rows) - 1)))),
           "slice_apart(CENTERED, affine, rows, cols, x, gamma, beta, y, mean, rstd): \\separated(y + (0 .. ix(rows, cols, 0) - 1), mean + (0 .. if_there(CENTERED, rows) - 1))", CENTERED, rows, cols)
  REQUIRES((apart(span(rstd, 0, (rows - 1)), span(mean, 0, (if_there(CENTERED, rows) - 1)))),
           "slice_apart(CENTERED, affine, rows, cols, x, gamma, beta, y, mean, rstd): \\separated(rstd + (0 .. rows - 1), mean + (0 .. if_there(CENTERED, rows) - 1))", CENTERED, rows)
  return true;
}

bool check_norm_regs(const launched &l)
{
  const num CENTERED = l.constant(0);
  const num K = l.constant(1);
  const num VEC = l.constant(2);
  const num WHOLE = l.constant(3);
  const num affine = l.get<int>(0);
  const num rows = l.get<int64_t>(1);
  const num cols = l.get<int>(2);
  const ptr x = l.pointer(4, 4);
  const ptr gamma = l.pointer(5, 4);
  const ptr beta = l.pointer(6, 4);
  const ptr y = l.pointer(7, 4);
  const ptr mean = l.pointer(8, 4);
  const ptr rstd = l.pointer(9, 4);
  /* not checked, permission, of the prover's discipline alone:
   *   perm_r(x, ix(rows, cols, 0))
   *   perm(y, ix(rows, cols, 0))
   *   perm_r(gamma, if_there(affine, cols))
   *   perm_r(beta, if_there(CENTERED, cols))
   *   perm(mean, if_there(CENTERED, rows))
   *   perm(rstd, rows) */
  REQUIRES((32 <= bdim_ && bdim_ <= 1024),
           "block: 32 <= bdim_ <= 1024", bdim_)
  REQUIRES(((bdim_ % 32) == 0),
           "block: bdim_ % 32 == 0", bdim_)
  REQUIRES((0 < bdim_ && bdim_ <= 1024),
           "team_fits(K, bdim_, cols): 0 < bdim_ <= 1024", bdim_)
  REQUIRES((0 < K && K <= 8),
           "team_fits(K, bdim_, cols): 0 < K <= 8", K)
  REQUIRES((0 <= cols && cols <= (4 * mul(K, bdim_))),
           "team_fits(K, bdim_, cols): 0 <= cols <= 4 * mul(K, bdim_)", K, cols, bdim_)
  REQUIRES((cols <= ((4 * 8) * 1024)),
           "team_fits(K, bdim_, cols): cols <= 4 * 8 * 1024", cols)
  REQUIRES((0 < cols),
           "0 < cols", cols)
  REQUIRES(((WHOLE == 0) || ((((((WHOLE == 64) || (WHOLE == 128)) || (WHOLE == 256)) || (WHOLE == 512)) && (bdim_ == WHOLE)) && (cols == ((4 * K) * WHOLE)))),
           "whole_row(WHOLE, K, cols): WHOLE == 0 || (WHOLE == 64 || WHOLE == 128 || WHOLE == 256 || WHOLE == 512) && bdim_ == WHOLE && cols == 4 * K * WHOLE", K, WHOLE, cols, bdim_)
  REQUIRES((0 <= rows && rows <= 0x0fffffffffffffff),
           "0 <= rows <= 0x0fffffffffffffff", rows)
  REQUIRES((ix(rows, 1, 0) <= blocks_),
           "ix(rows, 1, 0) <= blocks_", rows, blocks_)
  REQUIRES((0 <= ix(rows, cols, 0) && ix(rows, cols, 0) <= 0x0fffffffffffffff),
           "norm_all(CENTERED, affine, VEC, rows, cols, x, gamma, beta, y, mean, rstd): 0 <= ix(rows, cols, 0) <= 0x0fffffffffffffff", rows, cols)
  REQUIRES(has(span(x, 0, (ix(rows, cols, 0) - 1))),
           "norm_all(CENTERED, affine, VEC, rows, cols, x, gamma, beta, y, mean, rstd): \\valid_read(x + (0 .. ix(rows, cols, 0) - 1))", rows, cols)
  REQUIRES(has(span(y, 0, (ix(rows, cols, 0) - 1))),
           "norm_all(CENTERED, affine, VEC, rows, cols, x, gamma, beta, y, mean, rstd): \\valid(y + (0 .. ix(rows, cols, 0) - 1))", rows, cols)
  REQUIRES((0 <= if_there(affine, cols) && if_there(affine, cols) <= 0x0fffffffffffffff),
           "norm_all(CENTERED, affine, VEC, rows, cols, x, gamma, beta, y, mean, rstd): 0 <= if_there(affine, cols) <= 0x0fffffffffffffff", affine, cols)
  REQUIRES(has(span(gamma, 0, (if_there(affine, cols) - 1))),
           "norm_all(CENTERED, affine, VEC, rows, cols, x, gamma, beta, y, mean, rstd): \\valid_read(gamma + (0 .. if_there(affine, cols) - 1))", affine, cols)
  REQUIRES((0 <= if_there(CENTERED, cols) && if_there(CENTERED, cols) <= 0x0fffffffffffffff),
           "norm_all(CENTERED, affine, VEC, rows, cols, x, gamma, beta, y, mean, rstd): 0 <= if_there(CENTERED, cols) <= 0x0fffffffffffffff", CENTERED, cols)
  REQUIRES(has(span(beta, 0, (if_there(CENTERED, cols) - 1))),
           "norm_all(CENTERED, affine, VEC, rows, cols, x, gamma, beta, y, mean, rstd): \\valid_read(beta + (0 .. if_there(CENTERED, cols) - 1))", CENTERED, cols)
  REQUIRES((!(VEC != 0) || ((cols % 4) == 0)),
           "norm_all(CENTERED, affine, VEC, rows, cols, x, gamma, beta, y, mean, rstd): VEC != 0 ==> cols % 4 == 0", VEC, cols)
  REQUIRES((!(VEC != 0) || aligned16(x)),
           "norm_all(CENTERED, affine, VEC, rows, cols, x, gamma, beta, y, mean, rstd): VEC != 0 ==> aligned16(x)", VEC)
  REQUIRES((!(VEC != 0) || aligned16(y)),
           "norm_all(CENTERED, affine, VEC, rows, cols, x, gamma, beta, y, mean, rstd): VEC != 0 ==> aligned16(y)", VEC)
  REQUIRES((!(VEC != 0) || (!(affine != 0) || aligned16(gamma))),
           "norm_all(CENTERED, affine, VEC, rows, cols, x, gamma, beta, y, mean, rstd): VEC != 0 ==> affine != 0 ==> aligned16(gamma)", VEC, affine)
  REQUIRES((!(VEC != 0) || (!(CENTERED != 0) || aligned16(beta))),
           "norm_all(CENTERED, affine, VEC, rows, cols, x, gamma, beta, y, mean, rstd): VEC != 0 ==> CENTERED != 0 ==> aligned16(beta)", CENTERED, VEC)
  REQUIRES((apart(span(x, 0, (ix(rows, cols, 0) - 1)), span(y, 0, (ix(rows, cols, 0) - 1)))),
           "norm_all(CENTERED, affine, VEC, rows, cols, x, gamma, beta, y, mean, rstd): \\separated(x + (0 .. ix(rows, cols, 0) - 1), y + (0 .. ix(rows, cols, 0) - 1))", rows, cols)
  REQUIRES((apart(span(gamma, 0, (if_there(affine, cols) - 1)), span(y, 0, (ix(rows, cols, 0) - 1)))),
           "norm_all(CENTERED, affine, VEC, rows, cols, x, gamma, beta, y, mean, rstd): \\separated(gamma + (0 .. if_there(affine, cols) - 1), y + (0 .. ix(rows, cols, 0) - 1))", affine, rows, cols)
  REQUIRES((apart(span(beta, 0, (if_there(CENTERED, cols) - 1)), span(y, 0, (ix(rows, cols, 0) - 1)))),
           "norm_all(CENTERED, affine, VEC, rows, cols, x, gamma, beta, y, mean, rstd): \\separated(beta + (0 .. if_there(CENTERED, cols) - 1), y + (0 .. ix(rows, cols, 0) - 1))", CENTERED, rows, cols)
  REQUIRES((0 <= if_there(CENTERED, rows) && if_there(CENTERED, rows) <= 0x0fffffffffffffff),
           "norm_all(CENTERED, affine, VEC, rows, cols, x, gamma, beta, y, mean, rstd): 0 <= if_there(CENTERED, rows) <= 0x0fffffffffffffff", CENTERED, rows)
  REQUIRES(has(span(mean, 0, (if_there(CENTERED, rows) - 1))),
           "norm_all(CENTERED, affine, VEC, rows, cols, x, gamma, beta, y, mean, rstd): \\valid(mean + (0 .. if_there(CENTERED, rows) - 1))", CENTERED, rows)
  REQUIRES(has(span(rstd, 0, (rows - 1))),
           "norm_all(CENTERED, affine, VEC, rows, cols, x, gamma, beta, y, mean, rstd): \\valid(rstd + (0 .. rows - 1))", rows)
  REQUIRES((apart(span(x, 0, (ix(rows, cols, 0) - 1)), span(rstd, 0, (rows - 1)))),
           "norm_all(CENTERED, affine, VEC, rows, cols, x, gamma, beta, y, mean, rstd): \\separated(x + (0 .. ix(rows, cols, 0) - 1), rstd + (0 .. rows - 1))", rows, cols)
  REQUIRES((apart(span(gamma, 0, (if_there(affine, cols) - 1)), span(rstd, 0, (rows - 1)))),
           "norm_all(CENTERED, affine, VEC, rows, cols, x, gamma, beta, y, mean, rstd): \\separated(gamma + (0 .. if_there(affine, cols) - 1), rstd + (0 .. rows - 1))", affine, rows, cols)
  REQUIRES((apart(span(beta, 0, (if_there(CENTERED, cols) - 1)), span(rstd, 0, (rows - 1)))),
           "norm_all(CENTERED, affine, VEC, rows, cols, x, gamma, beta, y, mean, rstd): \\separated(beta + (0 .. if_there(CENTERED, cols) - 1), rstd + (0 .. rows - 1))", CENTERED, rows, cols)
  REQUIRES((apart(span(x, 0, (ix(rows, cols, 0) - 1)), span(mean, 0, (if_there(CENTERED, rows) - 1)))),
           "norm_all(CENTERED, affine, VEC, rows, cols, x, gamma, beta, y, mean, rstd): \\separated(x + (0 .. ix(rows, cols, 0) - 1), mean + (0 .. if_there(CENTERED, rows) - 1))", CENTERED, rows, cols)
  REQUIRES((apart(span(gamma, 0, (if_there(affine, cols) - 1)), span(mean, 0, (if_there(CENTERED, rows) - 1)))),
           "norm_all(CENTERED, affine, VEC, rows, cols, x, gamma, beta, y, mean, rstd): \\separated(gamma + (0 .. if_there(affine, cols) - 1), mean + (0 .. if_there(CENTERED, rows) - 1))", CENTERED, affine, rows, cols)
  REQUIRES((apart(span(beta, 0, (if_there(CENTERED, cols) - 1)), span(mean, 0, (if_there(CENTERED, rows) - 1)))),
           "norm_all(CENTERED, affine, VEC, rows, cols, x, gamma, beta, y, mean, rstd): \\separated(beta + (0 .. if_there(CENTERED, cols) - 1), mean + (0 .. if_there(CENTERED, rows) - 1))", CENTERED, rows, cols)
  REQUIRES((apart(span(y, 0, (ix(rows, cols, 0) - 1)), span(rstd, 0, (rows - 1)))),
           "norm_all(CENTERED, affine, VEC, rows, cols, x, gamma, beta, y, mean, rstd): \\separated(y + (0 .. ix(rows, cols, 0) - 1), rstd + (0 .. rows - 1))", rows, cols)
  REQUIRES((apart(span(y, 0, (ix(rows, cols, 0) - 1)), span(mean, 0, (if_there(CENTERED, rows) - 1)))),
           "norm_all(CENTERED, affine, VEC, rows, cols, x, gamma, beta, y, mean, rstd): \\separated(y + (0 .. ix(rows, cols, 0) - 1), mean + (0 .. if_there(CENTERED, rows) - 1))", CENTERED, rows, cols)
  REQUIRES((apart(span(rstd, 0, (rows - 1)), span(mean, 0, (if_there(CENTERED, rows) - 1)))),
           "norm_all(CENTERED, affine, VEC, rows, cols, x, gamma, beta, y, mean, rstd): \\separated(rstd + (0 .. rows - 1), mean + (0 .. if_there(CENTERED, rows) - 1))", CENTERED, rows)
  return true;
}

bool check_norm_split_chunks(const launched &l)
{
  const num VEC = l.constant(1);
  const num rows = l.get<int64_t>(0);
  const num cols = l.get<int64_t>(1);
  const num chunk = l.get<int64_t>(2);
  const num pieces = l.get<int64_t>(3);
  const ptr x = l.pointer(4, 4);
  const ptr cs = l.pointer(5, 4);
  const ptr es = l.pointer(6, 4);
  const ptr qs = l.pointer(7, 4);
  /* not checked, permission, of the prover's discipline alone:
   *   perm_r(x, ix(rows, cols, 0))
   *   perm(cs, ix(rows, pieces, 0))
   *   perm(es, ix(rows, pieces, 0))
   *   perm(qs, ix(rows, pieces, 0)) */
  REQUIRES((32 <= bdim_ && bdim_ <= 1024),
           "block: 32 <= bdim_ <= 1024", bdim_)
  REQUIRES(((bdim_ % 32) == 0),
           "block: bdim_ % 32 == 0", bdim_)
  REQUIRES((ix(rows, pieces, 0) <= blocks_),
           "ix(rows, pieces, 0) <= blocks_", rows, pieces, blocks_)
  REQUIRES((0 < rows),
           "piece_tensors(x, cs, es, qs, rows, cols, chunk, pieces, VEC): 0 < rows", rows)
  REQUIRES((0 < cols && cols <= 0x0fffffffffffffff),
           "piece_tensors(x, cs, es, qs, rows, cols, chunk, pieces, VEC): 0 < cols <= 0x0fffffffffffffff", cols)
  REQUIRES((0 < chunk && chunk <= 0x0fffffffffffffff),
           "piece_tensors(x, cs, es, qs, rows, cols, chunk, pieces, VEC): 0 < chunk <= 0x0fffffffffffffff", chunk)
  REQUIRES(((chunk % 4) == 0 && 0 < pieces && pieces <= 1024),
           "piece_tensors(x, cs, es, qs, rows, cols, chunk, pieces, VEC): chunk % 4 == 0 < pieces <= 1024", chunk, pieces)
  REQUIRES((ix((pieces - 1), chunk, 0) < cols && cols <= ix(pieces, chunk, 0) && ix(pieces, chunk, 0) <= 0x0fffffffffffffff),
           "piece_tensors(x, cs, es, qs, rows, cols, chunk, pieces, VEC): ix(pieces - 1, chunk, 0) < cols <= ix(pieces, chunk, 0) <= 0x0fffffffffffffff", cols, chunk, pieces)
  REQUIRES((0 <= ix(rows, cols, 0) && ix(rows, cols, 0) <= 0x0fffffffffffffff),
           "piece_tensors(x, cs, es, qs, rows, cols, chunk, pieces, VEC): 0 <= ix(rows, cols, 0) <= 0x0fffffffffffffff", rows, cols)
  REQUIRES(has(span(x, 0, (ix(rows, cols, 0) - 1))),
           "piece_tensors(x, cs, es, qs, rows, cols, chunk, pieces, VEC): \\valid_read(x + (0 .. ix(rows, cols, 0) - 1))", rows, cols)
  REQUIRES((0 <= ix(rows, pieces, 0) && ix(rows, pieces, 0) <= 0x0fffffffffffffff),
           "piece_tensors(x, cs, es, qs, rows, cols, chunk, pieces, VEC): 0 <= ix(rows, pieces, 0) <= 0x0fffffffffffffff", rows, pieces)
  REQUIRES(has(span(cs, 0, (ix(rows, pieces, 0) - 1))),
           "piece_tensors(x, cs, es, qs, rows, cols, chunk, pieces, VEC): \\valid(cs + (0 .. ix(rows, pieces, 0) - 1))", rows, pieces)
  REQUIRES(has(span(es, 0, (ix(rows, pieces, 0) - 1))),
           "piece_tensors(x, cs, es, qs, rows, cols, chunk, pieces, VEC): \\valid(es + (0 .. ix(rows, pieces, 0) - 1))", rows, pieces)
  REQUIRES(has(span(qs, 0, (ix(rows, pieces, 0) - 1))),
           "piece_tensors(x, cs, es, qs, rows, cols, chunk, pieces, VEC): \\valid(qs + (0 .. ix(rows, pieces, 0) - 1))", rows, pieces)
  REQUIRES((apart(span(x, 0, (ix(rows, cols, 0) - 1)), span(cs, 0, (ix(rows, pieces, 0) - 1)))),
           "piece_tensors(x, cs, es, qs, rows, cols, chunk, pieces, VEC): \\separated(x + (0 .. ix(rows, cols, 0) - 1), cs + (0 .. ix(rows, pieces, 0) - 1))", rows, cols, pieces)
  REQUIRES((apart(span(x, 0, (ix(rows, cols, 0) - 1)), span(es, 0, (ix(rows, pieces, 0) - 1)))),
           "piece_tensors(x, cs, es, qs, rows, cols, chunk, pieces, VEC): \\separated(x + (0 .. ix(rows, cols, 0) - 1), es + (0 .. ix(rows, pieces, 0) - 1))", rows, cols, pieces)
  REQUIRES((apart(span(x, 0, (ix(rows, cols, 0) - 1)), span(qs, 0, (ix(rows, pieces, 0) - 1)))),
           "piece_tensors(x, cs, es, qs, rows, cols, chunk, pieces, VEC): \\separated(x + (0 .. ix(rows, cols, 0) - 1), qs + (0 .. ix(rows, pieces, 0) - 1))", rows, cols, pieces)
  REQUIRES((apart(span(cs, 0, (ix(rows, pieces, 0) - 1)), span(es, 0, (ix(rows, pieces, 0) - 1)))),
           "piece_tensors(x, cs, es, qs, rows, cols, chunk, pieces, VEC): \\separated(cs + (0 .. ix(rows, pieces, 0) - 1), es + (0 .. ix(rows, pieces, 0) - 1))", rows, pieces)
  REQUIRES((apart(span(cs, 0, (ix(rows, pieces, 0) - 1)), span(qs, 0, (ix(rows, pieces, 0) - 1)))),
           "piece_tensors(x, cs, es, qs, rows, cols, chunk, pieces, VEC): \\separated(cs + (0 .. ix(rows, pieces, 0) - 1), qs + (0 .. ix(rows, pieces, 0) - 1))", rows, pieces)
  REQUIRES((apart(span(es, 0, (ix(rows, pieces, 0) - 1)), span(qs, 0, (ix(rows, pieces, 0) - 1)))),
           "piece_tensors(x, cs, es, qs, rows, cols, chunk, pieces, VEC): \\separated(es + (0 .. ix(rows, pieces, 0) - 1), qs + (0 .. ix(rows, pieces, 0) - 1))", rows, pieces)
  REQUIRES((!(VEC != 0) || ((cols % 4) == 0)),
           "piece_tensors(x, cs, es, qs, rows, cols, chunk, pieces, VEC): VEC != 0 ==> cols % 4 == 0", VEC, cols)
  REQUIRES((!(VEC != 0) || aligned16(x)),
           "piece_tensors(x, cs, es, qs, rows, cols, chunk, pieces, VEC): VEC != 0 ==> aligned16(x)", VEC)
  return true;
}

bool check_norm_split_out(const launched &l)
{
  const num CENTERED = l.constant(0);
  const num VEC = l.constant(1);
  const num affine = l.get<int>(0);
  const num rows = l.get<int64_t>(1);
  const num cols = l.get<int64_t>(2);
  const num chunk = l.get<int64_t>(3);
  const num pieces = l.get<int64_t>(4);
  const ptr x = l.pointer(6, 4);
  const ptr gamma = l.pointer(7, 4);
  const ptr beta = l.pointer(8, 4);
  const ptr cs = l.pointer(9, 4);
  const ptr es = l.pointer(10, 4);
  const ptr qs = l.pointer(11, 4);
  const ptr y = l.pointer(12, 4);
  const ptr mean = l.pointer(13, 4);
  const ptr rstd = l.pointer(14, 4);
  /* not checked, permission, of the prover's discipline alone:
   *   perm_r(cs, ix(rows, pieces, 0))
   *   perm_r(es, ix(rows, pieces, 0))
   *   perm_r(qs, ix(rows, pieces, 0))
   *   perm_r(x, ix(rows, cols, 0))
   *   perm(y, ix(rows, cols, 0))
   *   perm_r(gamma, if_there(affine, cols))
   *   perm_r(beta, if_there(CENTERED, cols))
   *   perm(mean, if_there(CENTERED, rows))
   *   perm(rstd, rows) */
  /* not checked, values of tensors over the reals, which an earlier launch left or the case has:
   *   all_moments(CENTERED, cs, es, qs, x, cols, chunk, pieces, rows) */
  REQUIRES((32 <= bdim_ && bdim_ <= 1024),
           "block: 32 <= bdim_ <= 1024", bdim_)
  REQUIRES(((bdim_ % 32) == 0),
           "block: bdim_ % 32 == 0", bdim_)
  REQUIRES((ix(rows, pieces, 0) <= blocks_),
           "ix(rows, pieces, 0) <= blocks_", rows, pieces, blocks_)
  REQUIRES((0 < rows && rows <= 0x0fffffffffffffff),
           "0 < rows <= 0x0fffffffffffffff", rows)
  REQUIRES((0 < cols && cols <= 0x0fffffffffffffff),
           "left_in(cs, es, qs, rows, cols, chunk, pieces): 0 < cols <= 0x0fffffffffffffff", cols)
  REQUIRES((0 < chunk && chunk <= 0x0fffffffffffffff),
           "left_in(cs, es, qs, rows, cols, chunk, pieces): 0 < chunk <= 0x0fffffffffffffff", chunk)
  REQUIRES(((chunk % 4) == 0 && 0 < pieces && pieces <= 1024),
           "left_in(cs, es, qs, rows, cols, chunk, pieces): chunk % 4 == 0 < pieces <= 1024", chunk, pieces)
  REQUIRES((ix((pieces - 1), chunk, 0) < cols && cols <= ix(pieces, chunk, 0) && ix(pieces, chunk, 0) <= 0x0fffffffffffffff),
           "left_in(cs, es, qs, rows, cols, chunk, pieces): ix(pieces - 1, chunk, 0) < cols <= ix(pieces, chunk, 0) <= 0x0fffffffffffffff", cols, chunk, pieces)
  REQUIRES((ix(rows, cols, 0) <= 0x0fffffffffffffff),
           "left_in(cs, es, qs, rows, cols, chunk, pieces): ix(rows, cols, 0) <= 0x0fffffffffffffff", rows, cols)
  REQUIRES((ix(rows, pieces, 0) <= 0x0fffffffffffffff),
           "left_in(cs, es, qs, rows, cols, chunk, pieces): ix(rows, pieces, 0) <= 0x0fffffffffffffff", rows, pieces)
  REQUIRES((0 <= ix(rows, pieces, 0) && ix(rows, pieces, 0) <= 0x0fffffffffffffff),
           "left_in(cs, es, qs, rows, cols, chunk, pieces): 0 <= ix(rows, pieces, 0) <= 0x0fffffffffffffff", rows, pieces)
  REQUIRES(has(span(cs, 0, (ix(rows, pieces, 0) - 1))),
           "left_in(cs, es, qs, rows, cols, chunk, pieces): \\valid_read(cs + (0 .. ix(rows, pieces, 0) - 1))", rows, pieces)
  REQUIRES(has(span(es, 0, (ix(rows, pieces, 0) - 1))),
           "left_in(cs, es, qs, rows, cols, chunk, pieces): \\valid_read(es + (0 .. ix(rows, pieces, 0) - 1))", rows, pieces)
  REQUIRES(has(span(qs, 0, (ix(rows, pieces, 0) - 1))),
           "left_in(cs, es, qs, rows, cols, chunk, pieces): \\valid_read(qs + (0 .. ix(rows, pieces, 0) - 1))", rows, pieces)
  REQUIRES((0 <= ix(rows, cols, 0) && ix(rows, cols, 0) <= 0x0fffffffffffffff),
           "norm_tensors(CENTERED, affine, VEC, rows, cols, x, gamma, beta, y): 0 <= ix(rows, cols, 0) <= 0x0fffffffffffffff", rows, cols)
  REQUIRES(has(span(x, 0, (ix(rows, cols, 0) - 1))),
           "norm_tensors(CENTERED, affine, VEC, rows, cols, x, gamma, beta, y): \\valid_read(x + (0 .. ix(rows, cols, 0) - 1))", rows, cols)
  REQUIRES(has(span(y, 0, (ix(rows, cols, 0) - 1))),
           "norm_tensors(CENTERED, affine, VEC, rows, cols, x, gamma, beta, y): \\valid(y + (0 .. ix(rows, cols, 0) - 1))", rows, cols)
  REQUIRES((0 <= if_there(affine, cols) && if_there(affine, cols) <= 0x0fffffffffffffff),
           "norm_tensors(CENTERED, affine, VEC, rows, cols, x, gamma, beta, y): 0 <= if_there(affine, cols) <= 0x0fffffffffffffff", affine, cols)
  REQUIRES(has(span(gamma, 0, (if_there(affine, cols) - 1))),
           "norm_tensors(CENTERED, affine, VEC, rows, cols, x, gamma, beta, y): \\valid_read(gamma + (0 .. if_there(affine, cols) - 1))", affine, cols)
  REQUIRES((0 <= if_there(CENTERED, cols) && if_there(CENTERED, cols) <= 0x0fffffffffffffff),
           "norm_tensors(CENTERED, affine, VEC, rows, cols, x, gamma, beta, y): 0 <= if_there(CENTERED, cols) <= 0x0fffffffffffffff", CENTERED, cols)
  REQUIRES(has(span(beta, 0, (if_there(CENTERED, cols) - 1))),
           "norm_tensors(CENTERED, affine, VEC, rows, cols, x, gamma, beta, y): \\valid_read(beta + (0 .. if_there(CENTERED, cols) - 1))", CENTERED, cols)
  REQUIRES((!(VEC != 0) || ((cols % 4) == 0)),
           "norm_tensors(CENTERED, affine, VEC, rows, cols, x, gamma, beta, y): VEC != 0 ==> cols % 4 == 0", VEC, cols)
  REQUIRES((!(VEC != 0) || aligned16(x)),
           "norm_tensors(CENTERED, affine, VEC, rows, cols, x, gamma, beta, y): VEC != 0 ==> aligned16(x)", VEC)
  REQUIRES((!(VEC != 0) || aligned16(y)),
           "norm_tensors(CENTERED, affine, VEC, rows, cols, x, gamma, beta, y): VEC != 0 ==> aligned16(y)", VEC)
  REQUIRES((!(VEC != 0) || (!(affine != 0) || aligned16(gamma))),
           "norm_tensors(CENTERED, affine, VEC, rows, cols, x, gamma, beta, y): VEC != 0 ==> affine != 0 ==> aligned16(gamma)", VEC, affine)
  REQUIRES((!(VEC != 0) || (!(CENTERED != 0) || aligned16(beta))),
           "norm_tensors(CENTERED, affine, VEC, rows, cols, x, gamma, beta, y): VEC != 0 ==> CENTERED != 0 ==> aligned16(beta)", CENTERED, VEC)
  REQUIRES((apart(span(x, 0, (ix(rows, cols, 0) - 1)), span(y, 0, (ix(rows, cols, 0) - 1)))),
           "norm_apart(CENTERED, affine, rows, cols, x, gamma, beta, y): \\separated(x + (0 .. ix(rows, cols, 0) - 1), y + (0 .. ix(rows, cols, 0) - 1))", rows, cols)
  REQUIRES((apart(span(gamma, 0, (if_there(affine, cols) - 1)), span(y, 0, (ix(rows, cols, 0) - 1)))),
           "norm_apart(CENTERED, affine, rows, cols, x, gamma, beta, y): \\separated(gamma + (0 .. if_there(affine, cols) - 1), y + (0 .. ix(rows, cols, 0) - 1))", affine, rows, cols)
  REQUIRES((apart(span(beta, 0, (if_there(CENTERED, cols) - 1)), span(y, 0, (ix(rows, cols, 0) - 1)))),
           "norm_apart(CENTERED, affine, rows, cols, x, gamma, beta, y): \\separated(beta + (0 .. if_there(CENTERED, cols) - 1), y + (0 .. ix(rows, cols, 0) - 1))", CENTERED, rows, cols)
  REQUIRES((0 <= if_there(CENTERED, rows) && if_there(CENTERED, rows) <= 0x0fffffffffffffff),
           "writes(mean, if_there(CENTERED, rows)): 0 <= if_there(CENTERED, rows) <= 0x0fffffffffffffff", CENTERED, rows)
  REQUIRES(has(span(mean, 0, (if_there(CENTERED, rows) - 1))),
           "writes(mean, if_there(CENTERED, rows)): \\valid(mean + (0 .. if_there(CENTERED, rows) - 1))", CENTERED, rows)
  REQUIRES((0 <= rows && rows <= 0x0fffffffffffffff),
           "writes(rstd, rows): 0 <= rows <= 0x0fffffffffffffff", rows)
  REQUIRES(has(span(rstd, 0, (rows - 1))),
           "writes(rstd, rows): \\valid(rstd + (0 .. rows - 1))", rows)
  REQUIRES((apart(span(rstd, 0, (rows - 1)), span(mean, 0, (if_there(CENTERED, rows) - 1)))),
           "apart(rstd, rows, mean, if_there(CENTERED, rows)): \\separated(rstd + (0 .. rows - 1), mean + (0 .. if_there(CENTERED, rows) - 1))", CENTERED, rows)
  REQUIRES((apart(span(x, 0, (ix(rows, cols, 0) - 1)), span(rstd, 0, (rows - 1)))),
           "stats_io(CENTERED, affine, rows, cols, pieces, x, gamma, beta, y, cs, es, qs, rstd, rows): \\separated(x + (0 .. ix(rows, cols, 0) - 1), rstd + (0 .. rows - 1))", rows, cols)
  REQUIRES((apart(span(gamma, 0, (if_there(affine, cols) - 1)), span(rstd, 0, (rows - 1)))),
           "stats_io(CENTERED, affine, rows, cols, pieces, x, gamma, beta, y, cs, es, qs, rstd, rows): \\separated(gamma + (0 .. if_there(affine, cols) - 1), rstd + (0 .. rows - 1))", affine, rows, cols)
  REQUIRES((apart(span(beta, 0, (if_there(CENTERED, cols) - 1)), span(rstd, 0, (rows - 1)))),
           "stats_io(CENTERED, affine, rows, cols, pieces, x, gamma, beta, y, cs, es, qs, rstd, rows): \\separated(beta + (0 .. if_there(CENTERED, cols) - 1), rstd + (0 .. rows - 1))", CENTERED, rows, cols)
  REQUIRES((apart(span(y, 0, (ix(rows, cols, 0) - 1)), span(rstd, 0, (rows - 1)))),
           "stats_io(CENTERED, affine, rows, cols, pieces, x, gamma, beta, y, cs, es, qs, rstd, rows): \\separated(y + (0 .. ix(rows, cols, 0) - 1), rstd + (0 .. rows - 1))", rows, cols)
  REQUIRES((apart(span(cs, 0, (ix(rows, pieces, 0) - 1)), span(rstd, 0, (rows - 1)))),
           "stats_io(CENTERED, affine, rows, cols, pieces, x, gamma, beta, y, cs, es, qs, rstd, rows): \\separated(cs + (0 .. ix(rows, pieces, 0) - 1), rstd + (0 .. rows - 1))", rows, pieces)
  REQUIRES((apart(span(es, 0, (ix(rows, pieces, 0) - 1)), span(rstd, 0, (rows - 1)))),
           "stats_io(CENTERED, affine, rows, cols, pieces, x, gamma, beta, y, cs, es, qs, rstd, rows): \\separated(es + (0 .. ix(rows, pieces, 0) - 1), rstd + (0 .. rows - 1))", rows, pieces)
  REQUIRES((apart(span(qs, 0, (ix(rows, pieces, 0) - 1)), span(rstd, 0, (rows - 1)))),
           "stats_io(CENTERED, affine, rows, cols, pieces, x, gamma, beta, y, cs, es, qs, rstd, rows): \\separated(qs + (0 .. ix(rows, pieces, 0) - 1), rstd + (0 .. rows - 1))", rows, pieces)
  REQUIRES((apart(span(x, 0, (ix(rows, cols, 0) - 1)), span(mean, 0, (if_there(CENTERED, rows) - 1)))),
           "stats_io(CENTERED, affine, rows, cols, pieces, x, gamma, beta, y, cs, es, qs, mean, if_there(CENTERED, rows)): \\separated(x + (0 .. ix(rows, cols, 0) - 1), mean + (0 .. if_there(CENTERED, rows) - 1))", CENTERED, rows, cols)
  REQUIRES((apart(span(gamma, 0, (if_there(affine, cols) - 1)), span(mean, 0, (if_there(CENTERED, rows) - 1)))),
           "stats_io(CENTERED, affine, rows, cols, pieces, x, gamma, beta, y, cs, es, qs, mean, if_there(CENTERED, rows)): \\separated(gamma + (0 .. if_there(affine, cols) - 1), mean + (0 .. if_there(CENTERED, rows) - 1))", CENTERED, affine, rows, cols)
  REQUIRES((apart(span(beta, 0, (if_there(CENTERED, cols) - 1)), span(mean, 0, (if_there(CENTERED, rows) - 1)))),
           "stats_io(CENTERED, affine, rows, cols, pieces, x, gamma, beta, y, cs, es, qs, mean, if_there(CENTERED, rows)): \\separated(beta + (0 .. if_there(CENTERED, cols) - 1), mean + (0 .. if_there(CENTERED, rows) - 1))", CENTERED, rows, cols)
  REQUIRES((apart(span(y, 0, (ix(rows, cols, 0) - 1)), span(mean, 0, (if_there(CENTERED, rows) - 1)))),
           "stats_io(CENTERED, affine, rows, cols, pieces, x, gamma, beta, y, cs, es, qs, mean, if_there(CENTERED, rows)): \\separated(y + (0 .. ix(rows, cols, 0) - 1), mean + (0 .. if_there(CENTERED, rows) - 1))", CENTERED, rows, cols)
  REQUIRES((apart(span(cs, 0, (ix(rows, pieces, 0) - 1)), span(mean, 0, (if_there(CENTERED, rows) - 1)))),
           "stats_io(CENTERED, affine, rows, cols, pieces, x, gamma, beta, y, cs, es, qs, mean, if_there(CENTERED, rows)): \\separated(cs + (0 .. ix(rows, pieces, 0) - 1), mean + (0 .. if_there(CENTERED, rows) - 1))", CENTERED, rows, pieces)
  REQUIRES((apart(span(es, 0, (ix(rows, pieces, 0) - 1)), span(mean, 0, (if_there(CENTERED, rows) - 1)))),
           "stats_io(CENTERED, affine, rows, cols, pieces, x, gamma, beta, y, cs, es, qs, mean, if_there(CENTERED, rows)): \\separated(es + (0 .. ix(rows, pieces, 0) - 1), mean + (0 .. if_there(CENTERED, rows) - 1))", CENTERED, rows, pieces)
  REQUIRES((apart(span(qs, 0, (ix(rows, pieces, 0) - 1)), span(mean, 0, (if_there(CENTERED, rows) - 1)))),
           "stats_io(CENTERED, affine, rows, cols, pieces, x, gamma, beta, y, cs, es, qs, mean, if_there(CENTERED, rows)): \\separated(qs + (0 .. ix(rows, pieces, 0) - 1), mean + (0 .. if_there(CENTERED, rows) - 1))", CENTERED, rows, pieces)
  REQUIRES((apart(span(cs, 0, (ix(rows, pieces, 0) - 1)), span(y, 0, (ix(rows, cols, 0) - 1)))),
           "spread_apart(CENTERED, rows, cols, pieces, y, cs, es, qs, mean, rstd): \\separated(cs + (0 .. ix(rows, pieces, 0) - 1), y + (0 .. ix(rows, cols, 0) - 1))", rows, cols, pieces)
  REQUIRES((apart(span(es, 0, (ix(rows, pieces, 0) - 1)), span(y, 0, (ix(rows, cols, 0) - 1)))),
           "spread_apart(CENTERED, rows, cols, pieces, y, cs, es, qs, mean, rstd): \\separated(es + (0 .. ix(rows, pieces, 0) - 1), y + (0 .. ix(rows, cols, 0) - 1))", rows, cols, pieces)
  REQUIRES((apart(span(qs, 0, (ix(rows, pieces, 0) - 1)), span(y, 0, (ix(rows, cols, 0) - 1)))),
           "spread_apart(CENTERED, rows, cols, pieces, y, cs, es, qs, mean, rstd): \\separated(qs + (0 .. ix(rows, pieces, 0) - 1), y + (0 .. ix(rows, cols, 0) - 1))", rows, cols, pieces)
  REQUIRES((!(CENTERED != 0) || (apart(span(y, 0, (ix(rows, cols, 0) - 1)), span(mean, 0, (rows - 1))))),
           "spread_apart(CENTERED, rows, cols, pieces, y, cs, es, qs, mean, rstd): CENTERED != 0 ==> \\separated(y + (0 .. ix(rows, cols, 0) - 1), mean + (0 .. rows - 1))", CENTERED, rows, cols)
  return true;
}

bool check_norm_stream(const launched &l)
{
  const num CENTERED = l.constant(0);
  const num affine = l.get<int>(0);
  const num rows = l.get<int64_t>(1);
  const num cols = l.get<int64_t>(2);
  const ptr x = l.pointer(4, 4);
  const ptr gamma = l.pointer(5, 4);
  const ptr beta = l.pointer(6, 4);
  const ptr y = l.pointer(7, 4);
  const ptr mean = l.pointer(8, 4);
  const ptr rstd = l.pointer(9, 4);
  /* not checked, permission, of the prover's discipline alone:
   *   perm_r(x, ix(rows, cols, 0))
   *   perm(y, ix(rows, cols, 0))
   *   perm_r(gamma, if_there(affine, cols))
   *   perm_r(beta, if_there(CENTERED, cols))
   *   perm(mean, if_there(CENTERED, rows))
   *   perm(rstd, rows) */
  REQUIRES((32 <= bdim_ && bdim_ <= 1024),
           "block: 32 <= bdim_ <= 1024", bdim_)
  REQUIRES(((bdim_ % 32) == 0),
           "block: bdim_ % 32 == 0", bdim_)
  REQUIRES((0 < cols),
           "0 < cols", cols)
  REQUIRES((0 <= rows && rows <= 0x0fffffffffffffff),
           "0 <= rows <= 0x0fffffffffffffff", rows)
  REQUIRES((ix(rows, 1, 0) <= blocks_),
           "ix(rows, 1, 0) <= blocks_", rows, blocks_)
  REQUIRES((0 <= ix(rows, cols, 0) && ix(rows, cols, 0) <= 0x0fffffffffffffff),
           "norm_tensors(CENTERED, affine, 0, rows, cols, x, gamma, beta, y): 0 <= ix(rows, cols, 0) <= 0x0fffffffffffffff", rows, cols)
  REQUIRES(has(span(x, 0, (ix(rows, cols, 0) - 1))),
           "norm_tensors(CENTERED, affine, 0, rows, cols, x, gamma, beta, y): \\valid_read(x + (0 .. ix(rows, cols, 0) - 1))", rows, cols)
  REQUIRES(has(span(y, 0, (ix(rows, cols, 0) - 1))),
           "norm_tensors(CENTERED, affine, 0, rows, cols, x, gamma, beta, y): \\valid(y + (0 .. ix(rows, cols, 0) - 1))", rows, cols)
  REQUIRES((0 <= if_there(affine, cols) && if_there(affine, cols) <= 0x0fffffffffffffff),
           "norm_tensors(CENTERED, affine, 0, rows, cols, x, gamma, beta, y): 0 <= if_there(affine, cols) <= 0x0fffffffffffffff", affine, cols)
  REQUIRES(has(span(gamma, 0, (if_there(affine, cols) - 1))),
           "norm_tensors(CENTERED, affine, 0, rows, cols, x, gamma, beta, y): \\valid_read(gamma + (0 .. if_there(affine, cols) - 1))", affine, cols)
  REQUIRES((0 <= if_there(CENTERED, cols) && if_there(CENTERED, cols) <= 0x0fffffffffffffff),
           "norm_tensors(CENTERED, affine, 0, rows, cols, x, gamma, beta, y): 0 <= if_there(CENTERED, cols) <= 0x0fffffffffffffff", CENTERED, cols)
  REQUIRES(has(span(beta, 0, (if_there(CENTERED, cols) - 1))),
           "norm_tensors(CENTERED, affine, 0, rows, cols, x, gamma, beta, y): \\valid_read(beta + (0 .. if_there(CENTERED, cols) - 1))", CENTERED, cols)
  REQUIRES((!(0 != 0) || ((cols % 4) == 0)),
           "norm_tensors(CENTERED, affine, 0, rows, cols, x, gamma, beta, y): 0 != 0 ==> cols % 4 == 0", cols)
  REQUIRES((!(0 != 0) || aligned16(x)),
           "norm_tensors(CENTERED, affine, 0, rows, cols, x, gamma, beta, y): 0 != 0 ==> aligned16(x)")
  REQUIRES((!(0 != 0) || aligned16(y)),
           "norm_tensors(CENTERED, affine, 0, rows, cols, x, gamma, beta, y): 0 != 0 ==> aligned16(y)")
  REQUIRES((!(0 != 0) || (!(affine != 0) || aligned16(gamma))),
           "norm_tensors(CENTERED, affine, 0, rows, cols, x, gamma, beta, y): 0 != 0 ==> affine != 0 ==> aligned16(gamma)", affine)
  REQUIRES((!(0 != 0) || (!(CENTERED != 0) || aligned16(beta))),
           "norm_tensors(CENTERED, affine, 0, rows, cols, x, gamma, beta, y): 0 != 0 ==> CENTERED != 0 ==> aligned16(beta)", CENTERED)
  REQUIRES((apart(span(x, 0, (ix(rows, cols, 0) - 1)), span(y, 0, (ix(rows, cols, 0) - 1)))),
           "norm_apart(CENTERED, affine, rows, cols, x, gamma, beta, y): \\separated(x + (0 .. ix(rows, cols, 0) - 1), y + (0 .. ix(rows, cols, 0) - 1))", rows, cols)
  REQUIRES((apart(span(gamma, 0, (if_there(affine, cols) - 1)), span(y, 0, (ix(rows, cols, 0) - 1)))),
           "norm_apart(CENTERED, affine, rows, cols, x, gamma, beta, y): \\separated(gamma + (0 .. if_there(affine, cols) - 1), y + (0 .. ix(rows, cols, 0) - 1))", affine, rows, cols)
  REQUIRES((apart(span(beta, 0, (if_there(CENTERED, cols) - 1)), span(y, 0, (ix(rows, cols, 0) - 1)))),
           "norm_apart(CENTERED, affine, rows, cols, x, gamma, beta, y): \\separated(beta + (0 .. if_there(CENTERED, cols) - 1), y + (0 .. ix(rows, cols, 0) - 1))", CENTERED, rows, cols)
  REQUIRES((0 <= if_there(CENTERED, rows) && if_there(CENTERED, rows) <= 0x0fffffffffffffff),
           "writes(mean, if_there(CENTERED, rows)): 0 <= if_there(CENTERED, rows) <= 0x0fffffffffffffff", CENTERED, rows)
  REQUIRES(has(span(mean, 0, (if_there(CENTERED, rows) - 1))),
           "writes(mean, if_there(CENTERED, rows)): \\valid(mean + (0 .. if_there(CENTERED, rows) - 1))", CENTERED, rows)
  REQUIRES(has(span(rstd, 0, (rows - 1))),
           "writes(rstd, rows): \\valid(rstd + (0 .. rows - 1))", rows)
  REQUIRES((apart(span(x, 0, (ix(rows, cols, 0) - 1)), span(rstd, 0, (rows - 1)))),
           "stats_apart(CENTERED, affine, rows, cols, x, gamma, beta, rstd, rows): \\separated(x + (0 .. ix(rows, cols, 0) - 1), rstd + (0 .. rows - 1))", rows, cols)
  REQUIRES((apart(span(gamma, 0, (if_there(affine, cols) - 1)), span(rstd, 0, (rows - 1)))),
           "stats_apart(CENTERED, affine, rows, cols, x, gamma, beta, rstd, rows): \\separated(gamma + (0 .. if_there(affine, cols) - 1), rstd + (0 .. rows - 1))", affine, rows, cols)
  REQUIRES((apart(span(beta, 0, (if_there(CENTERED, cols) - 1)), span(rstd, 0, (rows - 1)))),
           "stats_apart(CENTERED, affine, rows, cols, x, gamma, beta, rstd, rows): \\separated(beta + (0 .. if_there(CENTERED, cols) - 1), rstd + (0 .. rows - 1))", CENTERED, rows, cols)
  REQUIRES((apart(span(x, 0, (ix(rows, cols, 0) - 1)), span(mean, 0, (if_there(CENTERED, rows) - 1)))),
           "stats_apart(CENTERED, affine, rows, cols, x, gamma, beta, mean, if_there(CENTERED, rows)): \\separated(x + (0 .. ix(rows, cols, 0) - 1), mean + (0 .. if_there(CENTERED, rows) - 1))", CENTERED, rows, cols)
  REQUIRES((apart(span(gamma, 0, (if_there(affine, cols) - 1)), span(mean, 0, (if_there(CENTERED, rows) - 1)))),
           "stats_apart(CENTERED, affine, rows, cols, x, gamma, beta, mean, if_there(CENTERED, rows)): \\separated(gamma + (0 .. if_there(affine, cols) - 1), mean + (0 .. if_there(CENTERED, rows) - 1))", CENTERED, affine, rows, cols)
  REQUIRES((apart(span(beta, 0, (if_there(CENTERED, cols) - 1)), span(mean, 0, (if_there(CENTERED, rows) - 1)))),
           "stats_apart(CENTERED, affine, rows, cols, x, gamma, beta, mean, if_there(CENTERED, rows)): \\separated(beta + (0 .. if_there(CENTERED, cols) - 1), mean + (0 .. if_there(CENTERED, rows) - 1))", CENTERED, rows, cols)
  REQUIRES((apart(span(y, 0, (ix(rows, cols, 0) - 1)), span(rstd, 0, (rows - 1)))),
           "apart(y, ix(rows, cols, 0), rstd, rows): \\separated(y + (0 .. ix(rows, cols, 0) - 1), rstd + (0 .. rows - 1))", rows, cols)
  REQUIRES((apart(span(y, 0, (ix(rows, cols, 0) - 1)), span(mean, 0, (if_there(CENTERED, rows) - 1)))),
           "apart(y, ix(rows, cols, 0), mean, if_there(CENTERED, rows)): \\separated(y + (0 .. ix(rows, cols, 0) - 1), mean + (0 .. if_there(CENTERED, rows) - 1))", CENTERED, rows, cols)
  REQUIRES((apart(span(rstd, 0, (rows - 1)), span(mean, 0, (if_there(CENTERED, rows) - 1)))),
           "apart(rstd, rows, mean, if_there(CENTERED, rows)): \\separated(rstd + (0 .. rows - 1), mean + (0 .. if_there(CENTERED, rows) - 1))", CENTERED, rows)
  return true;
}

bool check_norm_vjp_cluster(const launched &l)
{
  const num CENTERED = l.constant(0);
  const num EACH = l.constant(1);
  const num BLOCK = l.constant(2);
  const num clusters = l.get<int64_t>(0);
  const slice_chunks c = l.get<slice_chunks>(1);
  const num affine = l.get<int>(2);
  const num rows = l.get<int64_t>(3);
  const num cols = l.get<int>(4);
  const num width = l.get<int>(5);
  const ptr x = l.pointer(6, 4);
  const ptr gamma = l.pointer(7, 4);
  const ptr mean = l.pointer(8, 4);
  const ptr rstd = l.pointer(9, 4);
  const ptr g = l.pointer(10, 4);
  const ptr dx = l.pointer(11, 4);
  const ptr sums = l.pointer(12, 4);
  /* not checked, permission, of the prover's discipline alone:
   *   perm_r(x, ix(rows, cols, 0))
   *   perm_r(g, ix(rows, cols, 0))
   *   perm(dx, ix(rows, cols, 0))
   *   perm(sums, ix(both_halves(CENTERED, c.chunks), cols, 0))
   *   perm_r(rstd, rows)
   *   CENTERED != 0 ==> perm_r(mean, rows)
   *   affine != 0 ==> perm_r(gamma, cols) */
  REQUIRES((32 <= bdim_ && bdim_ <= 1024),
           "block: 32 <= bdim_ <= 1024", bdim_)
  REQUIRES(((bdim_ % 32) == 0),
           "block: bdim_ % 32 == 0", bdim_)
  REQUIRES((BLOCK == bdim_),
           "BLOCK == bdim_", BLOCK, bdim_)
  REQUIRES((0 < EACH && EACH <= 13),
           "0 < EACH <= SLICE_EACH", EACH)
  REQUIRES((0 < width && width <= 6656),
           "0 < width <= SLICE_WIDTH", width)
  REQUIRES((0 < num(c.each) && num(c.each) <= (1 << 30)),
           "both_chunks(c, rows, clusters): 0 < c.each <= (long)SLICE_ROWS")
  REQUIRES((0 < num(c.chunk) && num(c.chunk) <= (1 << 30)),
           "both_chunks(c, rows, clusters): 0 < c.chunk <= SLICE_ROWS")
  REQUIRES((0 < clusters && clusters <= (1 << 30)),
           "both_chunks(c, rows, clusters): 0 < clusters <= SLICE_ROWS", clusters)
  REQUIRES((0 <= rows && rows <= ix(num(c.chunks), num(c.chunk), 0)),
           "both_chunks(c, rows, clusters): 0 <= rows <= ix(c.chunks, c.chunk, 0)", rows)
  REQUIRES((ix(clusters, num(c.each), 0) <= (1 << 30)),
           "both_chunks(c, rows, clusters): ix(clusters, c.each, 0) <= SLICE_ROWS", clusters)
  REQUIRES((ix(ix(clusters, num(c.each), 0), num(c.chunk), 0) <= 0x0fffffffffffffff),
           "both_chunks(c, rows, clusters): ix(ix(clusters, c.each, 0), c.chunk, 0) <= 0x0fffffffffffffff", clusters)
  REQUIRES((ix(clusters, 8, 0) <= blocks_),
           "ix(clusters, ROW_CLUSTER, 0) <= blocks_", clusters, blocks_)
  REQUIRES((((2 * 3) * (((width + 9) / 4) * 4)) <= stage_cells_),
           "2 * STAGE_COUNT * ((width + 9) / 4 * 4) <= stage_cells_", width, stage_cells_)
  REQUIRES((0 <= rows && rows <= (1 << 30)),
           "both_rows(rows, cols, x, g, dx): 0 <= rows <= SLICE_ROWS", rows)
  REQUIRES((0 < cols && cols <= (8 * 6656)),
           "both_rows(rows, cols, x, g, dx): 0 < cols <= ROW_CLUSTER * SLICE_WIDTH", cols)
  REQUIRES((0 <= ix(rows, cols, 0) && ix(rows, cols, 0) <= 0x0fffffffffffffff),
           "both_rows(rows, cols, x, g, dx): 0 <= ix(rows, cols, 0) <= 0x0fffffffffffffff", rows, cols)
  REQUIRES(has(span(x, 0, (ix(rows, cols, 0) - 1))),
           "both_rows(rows, cols, x, g, dx): \\valid_read(x + (0 .. ix(rows, cols, 0) - 1))", rows, cols)
  REQUIRES(has(span(g, 0, (ix(rows, cols, 0) - 1))),
           "both_rows(rows, cols, x, g, dx): \\valid_read(g + (0 .. ix(rows, cols, 0) - 1))", rows, cols)
  REQUIRES(has(span(dx, 0, (ix(rows, cols, 0) - 1))),
           "both_rows(rows, cols, x, g, dx): \\valid(dx + (0 .. ix(rows, cols, 0) - 1))", rows, cols)
  REQUIRES(aligned16(x),
           "both_rows(rows, cols, x, g, dx): aligned16(x)")
  REQUIRES(aligned16(g),
           "both_rows(rows, cols, x, g, dx): aligned16(g)")
  REQUIRES((0 <= num(c.chunks) && num(c.chunks) <= ((1 << 30) / 2)),
           "both_sums(CENTERED, c.chunks, cols, sums): 0 <= c.chunks <= SLICE_ROWS / 2")
  REQUIRES((0 <= ix(both_halves(CENTERED, num(c.chunks)), cols, 0) && ix(both_halves(CENTERED, num(c.chunks)), cols, 0) <= 0x0fffffffffffffff),
           "both_sums(CENTERED, c.chunks, cols, sums): 0 <= ix(both_halves(CENTERED, c.chunks), cols, 0) <= 0x0fffffffffffffff", CENTERED, cols)
  REQUIRES(has(span(sums, 0, (ix(both_halves(CENTERED, num(c.chunks)), cols, 0) - 1))),
           "both_sums(CENTERED, c.chunks, cols, sums): \\valid(sums + (0 .. ix(both_halves(CENTERED, c.chunks), cols, 0) - 1))", CENTERED, cols)
  REQUIRES((0 <= rows && rows <= 0x0fffffffffffffff),
           "reads(rstd, rows): 0 <= rows <= 0x0fffffffffffffff", rows)
  REQUIRES(has(span(rstd, 0, (rows - 1))),
           "reads(rstd, rows): \\valid_read(rstd + (0 .. rows - 1))", rows)
  REQUIRES((!(CENTERED != 0) || (0 <= rows && rows <= 0x0fffffffffffffff)),
           "CENTERED != 0 ==> reads(mean, rows): CENTERED != 0 ==> 0 <= rows <= 0x0fffffffffffffff", CENTERED, rows)
  REQUIRES((!(CENTERED != 0) || has(span(mean, 0, (rows - 1)))),
           "CENTERED != 0 ==> reads(mean, rows): CENTERED != 0 ==> \\valid_read(mean + (0 .. rows - 1))", CENTERED, rows)
  REQUIRES((!(affine != 0) || (0 <= cols && cols <= 0x0fffffffffffffff)),
           "affine != 0 ==> reads(gamma, cols): affine != 0 ==> 0 <= cols <= 0x0fffffffffffffff", affine, cols)
  REQUIRES((!(affine != 0) || has(span(gamma, 0, (cols - 1)))),
           "affine != 0 ==> reads(gamma, cols): affine != 0 ==> \\valid_read(gamma + (0 .. cols - 1))", affine, cols)
  REQUIRES((apart(span(x, 0, (ix(rows, cols, 0) - 1)), span(dx, 0, (ix(rows, cols, 0) - 1)))),
           "both_apart(CENTERED, affine, rows, cols, x, gamma, mean, rstd, g, dx, ix(rows, cols, 0)): \\separated(x + (0 .. ix(rows, cols, 0) - 1), dx + (0 .. ix(rows, cols, 0) - 1))", rows, cols)
  REQUIRES((apart(span(g, 0, (ix(rows, cols, 0) - 1)), span(dx, 0, (ix(rows, cols, 0) - 1)))),
           "both_apart(CENTERED, affine, rows, cols, x, gamma, mean, rstd, g, dx, ix(rows, cols, 0)): \\separated(g + (0 .. ix(rows, cols, 0) - 1), dx + (0 .. ix(rows, cols, 0) - 1))", rows, cols)
  REQUIRES((apart(span(rstd, 0, (rows - 1)), span(dx, 0, (ix(rows, cols, 0) - 1)))),
           "both_apart(CENTERED, affine, rows, cols, x, gamma, mean, rstd, g, dx, ix(rows, cols, 0)): \\separated(rstd + (0 .. rows - 1), dx + (0 .. ix(rows, cols, 0) - 1))", rows, cols)
  REQUIRES((!(affine != 0) || (apart(span(gamma, 0, (cols - 1)), span(dx, 0, (ix(rows, cols, 0) - 1))))),
           "both_apart(CENTERED, affine, rows, cols, x, gamma, mean, rstd, g, dx, ix(rows, cols, 0)): affine != 0 ==> \\separated(gamma + (0 .. cols - 1), dx + (0 .. ix(rows, cols, 0) - 1))", affine, rows, cols)
  REQUIRES((!(CENTERED != 0) || (apart(span(mean, 0, (rows - 1)), span(dx, 0, (ix(rows, cols, 0) - 1))))),
           "both_apart(CENTERED, affine, rows, cols, x, gamma, mean, rstd, g, dx, ix(rows, cols, 0)): CENTERED != 0 ==> \\separated(mean + (0 .. rows - 1), dx + (0 .. ix(rows, cols, 0) - 1))", CENTERED, rows, cols)
  REQUIRES((apart(span(x, 0, (ix(rows, cols, 0) - 1)), span(sums, 0, (ix(both_halves(CENTERED, num(c.chunks)), cols, 0) - 1)))),
           "both_apart(CENTERED, affine, rows, cols, x, gamma, mean, rstd, g, sums, ix(both_halves(CENTERED, c.chunks), cols, 0)): \\separated(x + (0 .. ix(rows, cols, 0) - 1), sums + (0 .. ix(both_halves(CENTERED, c.chunks), cols, 0) - 1))", CENTERED, rows, cols)
  REQUIRES((apart(span(g, 0, (ix(rows, cols, 0) - 1)), span(sums, 0, (ix(both_halves(CENTERED, num(c.chunks)), cols, 0) - 1)))),
           "both_apart(CENTERED, affine, rows, cols, x, gamma, mean, rstd, g, sums, ix(both_halves(CENTERED, c.chunks), cols, 0)): \\separated(g + (0 .. ix(rows, cols, 0) - 1), sums + (0 .. ix(both_halves(CENTERED, c.chunks), cols, 0) - 1))", CENTERED, rows, cols)
  REQUIRES((apart(span(rstd, 0, (rows - 1)), span(sums, 0, (ix(both_halves(CENTERED, num(c.chunks)), cols, 0) - 1)))),
           "both_apart(CENTERED, affine, rows, cols, x, gamma, mean, rstd, g, sums, ix(both_halves(CENTERED, c.chunks), cols, 0)): \\separated(rstd + (0 .. rows - 1), sums + (0 .. ix(both_halves(CENTERED, c.chunks), cols, 0) - 1))", CENTERED, rows, cols)
  REQUIRES((!(affine != 0) || (apart(span(gamma, 0, (cols - 1)), span(sums, 0, (ix(both_halves(CENTERED, num(c.chunks)), cols, 0) - 1))))),
           "both_apart(CENTERED, affine, rows, cols, x, gamma, mean, rstd, g, sums, ix(both_halves(CENTERED, c.chunks), cols, 0)): affine != 0 ==> \\separated(gamma + (0 .. cols - 1), sums + (0 .. ix(both_halves(CENTERED, c.chunks), cols, 0) - 1))", CENTERED, affine, cols)
  REQUIRES((!(CENTERED != 0) || (apart(span(mean, 0, (rows - 1)), span(sums, 0, (ix(both_halves(CENTERED, num(c.chunks)), cols, 0) - 1))))),
           "both_apart(CENTERED, affine, rows, cols, x, gamma, mean, rstd, g, sums, ix(both_halves(CENTERED, c.chunks), cols, 0)): CENTERED != 0 ==> \\separated(mean + (0 .. rows - 1), sums + (0 .. ix(both_halves(CENTERED, c.chunks), cols, 0) - 1))", CENTERED, rows, cols)
  REQUIRES((apart(span(dx, 0, (ix(rows, cols, 0) - 1)), span(sums, 0, (ix(both_halves(CENTERED, num(c.chunks)), cols, 0) - 1)))),
           "apart(dx, ix(rows, cols, 0), sums, ix(both_halves(CENTERED, c.chunks), cols, 0)): \\separated(dx + (0 .. ix(rows, cols, 0) - 1), sums + (0 .. ix(both_halves(CENTERED, c.chunks), cols, 0) - 1))", CENTERED, rows, cols)
  return true;
}

bool check_norm_vjp_parts(const launched &l)
{
  const num CENTERED = l.constant(0);
  const num affine = l.get<int>(0);
  const num tiles = l.get<int64_t>(1);
  const num rows = l.get<int64_t>(2);
  const num cols = l.get<int64_t>(3);
  const num parts = l.get<int64_t>(4);
  const ptr x = l.pointer(5, 4);
  const ptr gamma = l.pointer(6, 4);
  const ptr mean = l.pointer(7, 4);
  const ptr rstd = l.pointer(8, 4);
  const ptr g = l.pointer(9, 4);
  const ptr out = l.pointer(10, 4);
  /* not checked, permission, of the prover's discipline alone:
   *   perm_r(x, ix(rows, cols, 0))
   *   perm_r(g, ix(rows, cols, 0))
   *   perm_r(rstd, rows)
   *   perm_r(gamma, if_there(affine, cols))
   *   perm_r(mean, if_there(CENTERED, rows))
   *   perm(out, 2 * ix(rows, parts, 0)) */
  REQUIRES((32 <= bdim_ && bdim_ <= 1024),
           "block: 32 <= bdim_ <= 1024", bdim_)
  REQUIRES(((bdim_ % 32) == 0),
           "block: bdim_ % 32 == 0", bdim_)
  REQUIRES((bdim_ == 256),
           "bdim_ == STRIP_BLOCK", bdim_)
  REQUIRES((0 < rows),
           "0 < rows", rows)
  REQUIRES((0 < cols),
           "0 < cols", cols)
  REQUIRES((0 < parts),
           "0 < parts", parts)
  REQUIRES((ix(tiles, parts, 0) <= blocks_),
           "ix(tiles, parts, 0) <= blocks_", tiles, parts, blocks_)
  REQUIRES(((2 * (tiles - 1)) < rows && rows <= (2 * tiles)),
           "PART_ROWS * (tiles - 1) < rows <= PART_ROWS * tiles", tiles, rows)
  REQUIRES((ix(parts, 2048, 0) <= 0x0fffffffffffffff),
           "ix(parts, PART_COLS, 0) <= 0x0fffffffffffffff", parts)
  REQUIRES((ix(rows, parts, 0) <= 0x0fffffffffffffff),
           "ix(rows, parts, 0) <= 0x0fffffffffffffff", rows, parts)
  REQUIRES((0 <= ix(rows, cols, 0) && ix(rows, cols, 0) <= 0x0fffffffffffffff),
           "strip_in(x, gamma, mean, rstd, g, CENTERED, affine, rows, cols): 0 <= ix(rows, cols, 0) <= 0x0fffffffffffffff", rows, cols)
  REQUIRES(has(span(x, 0, (ix(rows, cols, 0) - 1))),
           "strip_in(x, gamma, mean, rstd, g, CENTERED, affine, rows, cols): \\valid_read(x + (0 .. ix(rows, cols, 0) - 1))", rows, cols)
  REQUIRES(has(span(g, 0, (ix(rows, cols, 0) - 1))),
           "strip_in(x, gamma, mean, rstd, g, CENTERED, affine, rows, cols): \\valid_read(g + (0 .. ix(rows, cols, 0) - 1))", rows, cols)
  REQUIRES((0 <= rows && rows <= 0x0fffffffffffffff),
           "strip_in(x, gamma, mean, rstd, g, CENTERED, affine, rows, cols): 0 <= rows <= 0x0fffffffffffffff", rows)
  REQUIRES(has(span(rstd, 0, (rows - 1))),
           "strip_in(x, gamma, mean, rstd, g, CENTERED, affine, rows, cols): \\valid_read(rstd + (0 .. rows - 1))", rows)
  REQUIRES((0 <= if_there(affine, cols) && if_there(affine, cols) <= 0x0fffffffffffffff),
           "strip_in(x, gamma, mean, rstd, g, CENTERED, affine, rows, cols): 0 <= if_there(affine, cols) <= 0x0fffffffffffffff", affine, cols)
  REQUIRES(has(span(gamma, 0, (if_there(affine, cols) - 1))),
           "strip_in(x, gamma, mean, rstd, g, CENTERED, affine, rows, cols): \\valid_read(gamma + (0 .. if_there(affine, cols) - 1))", affine, cols)
  REQUIRES((0 <= if_there(CENTERED, rows) && if_there(CENTERED, rows) <= 0x0fffffffffffffff),
           "strip_in(x, gamma, mean, rstd, g, CENTERED, affine, rows, cols): 0 <= if_there(CENTERED, rows) <= 0x0fffffffffffffff", CENTERED, rows)
  REQUIRES(has(span(mean, 0, (if_there(CENTERED, rows) - 1))),
           "strip_in(x, gamma, mean, rstd, g, CENTERED, affine, rows, cols): \\valid_read(mean + (0 .. if_there(CENTERED, rows) - 1))", CENTERED, rows)
  REQUIRES((0 <= (2 * ix(rows, parts, 0)) && (2 * ix(rows, parts, 0)) <= 0x0fffffffffffffff),
           "writes(out, 2 * ix(rows, parts, 0)): 0 <= 2 * ix(rows, parts, 0) <= 0x0fffffffffffffff", rows, parts)
  REQUIRES(has(span(out, 0, ((2 * ix(rows, parts, 0)) - 1))),
           "writes(out, 2 * ix(rows, parts, 0)): \\valid(out + (0 .. 2 * ix(rows, parts, 0) - 1))", rows, parts)
  return true;
}

bool check_norm_vjp_split_chunks(const launched &l)
{
  const num CENTERED = l.constant(0);
  const num VEC = l.constant(1);
  const num affine = l.get<int>(0);
  const num rows = l.get<int64_t>(1);
  const num cols = l.get<int64_t>(2);
  const num chunk = l.get<int64_t>(3);
  const num pieces = l.get<int64_t>(4);
  const ptr x = l.pointer(5, 4);
  const ptr gamma = l.pointer(6, 4);
  const ptr mean = l.pointer(7, 4);
  const ptr rstd = l.pointer(8, 4);
  const ptr g = l.pointer(9, 4);
  const ptr part = l.pointer(10, 4);
  /* not checked, permission, of the prover's discipline alone:
   *   perm_r(x, ix(rows, cols, 0))
   *   perm_r(g, ix(rows, cols, 0))
   *   perm_r(rstd, rows)
   *   affine != 0 ==> perm_r(gamma, cols)
   *   perm_r(mean, if_there(CENTERED, rows))
   *   perm(part, 2 * ix(rows, pieces, 0)) */
  REQUIRES((32 <= bdim_ && bdim_ <= 1024),
           "block: 32 <= bdim_ <= 1024", bdim_)
  REQUIRES(((bdim_ % 32) == 0),
           "block: bdim_ % 32 == 0", bdim_)
  REQUIRES((0 < rows),
           "0 < rows", rows)
  REQUIRES((0 < cols && cols <= 0x0fffffffffffffff),
           "row_split(cols, chunk, pieces): 0 < cols <= 0x0fffffffffffffff", cols)
  REQUIRES((0 < chunk && chunk <= 0x0fffffffffffffff),
           "row_split(cols, chunk, pieces): 0 < chunk <= 0x0fffffffffffffff", chunk)
  REQUIRES(((chunk % 4) == 0 && 0 < pieces && pieces <= 1024),
           "row_split(cols, chunk, pieces): chunk % 4 == 0 < pieces <= 1024", chunk, pieces)
  REQUIRES((ix((pieces - 1), chunk, 0) < cols && cols <= ix(pieces, chunk, 0) && ix(pieces, chunk, 0) <= 0x0fffffffffffffff),
           "row_split(cols, chunk, pieces): ix(pieces - 1, chunk, 0) < cols <= ix(pieces, chunk, 0) <= 0x0fffffffffffffff", cols, chunk, pieces)
  REQUIRES((ix(rows, cols, 0) <= 0x0fffffffffffffff),
           "ix(rows, cols, 0) <= 0x0fffffffffffffff", rows, cols)
  REQUIRES((ix(rows, pieces, 0) <= blocks_),
           "ix(rows, pieces, 0) <= blocks_", rows, pieces, blocks_)
  REQUIRES((ix(rows, pieces, 0) <= 0x0fffffffffffffff),
           "ix(rows, pieces, 0) <= 0x0fffffffffffffff", rows, pieces)
  REQUIRES((0 <= ix(rows, cols, 0) && ix(rows, cols, 0) <= 0x0fffffffffffffff),
           "pull_rows_in(x, gamma, mean, rstd, g, CENTERED, affine, rows, cols, VEC): 0 <= ix(rows, cols, 0) <= 0x0fffffffffffffff", rows, cols)
  REQUIRES(has(span(x, 0, (ix(rows, cols, 0) - 1))),
           "pull_rows_in(x, gamma, mean, rstd, g, CENTERED, affine, rows, cols, VEC): \\valid_read(x + (0 .. ix(rows, cols, 0) - 1))", rows, cols)
  REQUIRES((!(VEC != 0) || aligned16(x)),
           "pull_rows_in(x, gamma, mean, rstd, g, CENTERED, affine, rows, cols, VEC): VEC != 0 ==> aligned16(x)", VEC)
  REQUIRES(has(span(g, 0, (ix(rows, cols, 0) - 1))),
           "pull_rows_in(x, gamma, mean, rstd, g, CENTERED, affine, rows, cols, VEC): \\valid_read(g + (0 .. ix(rows, cols, 0) - 1))", rows, cols)
  REQUIRES((!(VEC != 0) || aligned16(g)),
           "pull_rows_in(x, gamma, mean, rstd, g, CENTERED, affine, rows, cols, VEC): VEC != 0 ==> aligned16(g)", VEC)
  REQUIRES((0 <= rows && rows <= 0x0fffffffffffffff),
           "pull_rows_in(x, gamma, mean, rstd, g, CENTERED, affine, rows, cols, VEC): 0 <= rows <= 0x0fffffffffffffff", rows)
  REQUIRES(has(span(rstd, 0, (rows - 1))),
           "pull_rows_in(x, gamma, mean, rstd, g, CENTERED, affine, rows, cols, VEC): \\valid_read(rstd + (0 .. rows - 1))", rows)
  REQUIRES((!(affine != 0) || (0 <= cols && cols <= 0x0fffffffffffffff)),
           "pull_rows_in(x, gamma, mean, rstd, g, CENTERED, affine, rows, cols, VEC): affine != 0 ==> 0 <= cols <= 0x0fffffffffffffff", affine, cols)
  REQUIRES((!(affine != 0) || has(span(gamma, 0, (cols - 1)))),
           "pull_rows_in(x, gamma, mean, rstd, g, CENTERED, affine, rows, cols, VEC): affine != 0 ==> \\valid_read(gamma + (0 .. cols - 1))", affine, cols)
  REQUIRES((!(affine != 0) || (!(VEC != 0) || aligned16(gamma))),
           "pull_rows_in(x, gamma, mean, rstd, g, CENTERED, affine, rows, cols, VEC): affine != 0 ==> VEC != 0 ==> aligned16(gamma)", VEC, affine)
  REQUIRES((0 <= if_there(CENTERED, rows) && if_there(CENTERED, rows) <= 0x0fffffffffffffff),
           "pull_rows_in(x, gamma, mean, rstd, g, CENTERED, affine, rows, cols, VEC): 0 <= if_there(CENTERED, rows) <= 0x0fffffffffffffff", CENTERED, rows)
  REQUIRES(has(span(mean, 0, (if_there(CENTERED, rows) - 1))),
           "pull_rows_in(x, gamma, mean, rstd, g, CENTERED, affine, rows, cols, VEC): \\valid_read(mean + (0 .. if_there(CENTERED, rows) - 1))", CENTERED, rows)
  REQUIRES((!(VEC != 0) || ((cols % 4) == 0)),
           "pull_rows_in(x, gamma, mean, rstd, g, CENTERED, affine, rows, cols, VEC): VEC != 0 ==> cols % 4 == 0", VEC, cols)
  REQUIRES((0 <= (2 * ix(rows, pieces, 0)) && (2 * ix(rows, pieces, 0)) <= 0x0fffffffffffffff),
           "writes(part, 2 * ix(rows, pieces, 0)): 0 <= 2 * ix(rows, pieces, 0) <= 0x0fffffffffffffff", rows, pieces)
  REQUIRES(has(span(part, 0, ((2 * ix(rows, pieces, 0)) - 1))),
           "writes(part, 2 * ix(rows, pieces, 0)): \\valid(part + (0 .. 2 * ix(rows, pieces, 0) - 1))", rows, pieces)
  return true;
}

bool check_norm_vjp_split_out(const launched &l)
{
  const num CENTERED = l.constant(0);
  const num VEC = l.constant(1);
  const num affine = l.get<int>(0);
  const num blocks = l.get<int64_t>(2);
  const num stretch = l.get<int64_t>(3);
  const num rows = l.get<int64_t>(4);
  const num cols = l.get<int64_t>(5);
  const num pieces = l.get<int64_t>(6);
  const ptr x = l.pointer(7, 4);
  const ptr gamma = l.pointer(8, 4);
  const ptr mean = l.pointer(9, 4);
  const ptr rstd = l.pointer(10, 4);
  const ptr g = l.pointer(11, 4);
  const ptr part = l.pointer(12, 4);
  const ptr dx = l.pointer(13, 4);
  const ptr dgamma = l.pointer(14, 4);
  const ptr dbeta = l.pointer(15, 4);
  /* not checked, permission, of the prover's discipline alone:
   *   perm_r(part, 2 * ix(rows, pieces, 0))
   *   perm_r(rstd, rows)
   *   perm_r(mean, if_there(CENTERED, rows))
   *   perm_r(x, ix(rows, cols, 0))
   *   perm_r(g, ix(rows, cols, 0))
   *   affine != 0 ==> perm_r(gamma, cols)
   *   perm(dx, ix(rows, cols, 0))
   *   perm(dgamma, cols)
   *   CENTERED != 0 ==> perm(dbeta, cols) */
  REQUIRES((32 <= bdim_ && bdim_ <= 1024),
           "block: 32 <= bdim_ <= 1024", bdim_)
  REQUIRES(((bdim_ % 32) == 0),
           "block: bdim_ % 32 == 0", bdim_)
  REQUIRES((0 <= blocks),
           "0 <= blocks", blocks)
  REQUIRES((0 < stretch),
           "0 < stretch", stretch)
  REQUIRES((ix(blocks, stretch, 0) <= 0x0fffffffffffffff),
           "ix(blocks, stretch, 0) <= 0x0fffffffffffffff", blocks, stretch)
  REQUIRES((ix(blocks, 1, 0) <= blocks_),
           "ix(blocks, 1, 0) <= blocks_", blocks, blocks_)
  REQUIRES((0 < rows && rows <= 64),
           "known_in(mean, rstd, part, CENTERED, rows, cols, pieces): 0 < rows <= VJP_SPLIT_ROWS", rows)
  REQUIRES((0 < cols),
           "known_in(mean, rstd, part, CENTERED, rows, cols, pieces): 0 < cols", cols)
  REQUIRES((0 < pieces),
           "known_in(mean, rstd, part, CENTERED, rows, cols, pieces): 0 < pieces", pieces)
  REQUIRES((ix(rows, pieces, 0) <= 0x0fffffffffffffff),
           "known_in(mean, rstd, part, CENTERED, rows, cols, pieces): ix(rows, pieces, 0) <= 0x0fffffffffffffff", rows, pieces)
  REQUIRES((0 <= (2 * ix(rows, pieces, 0)) && (2 * ix(rows, pieces, 0)) <= 0x0fffffffffffffff),
           "known_in(mean, rstd, part, CENTERED, rows, cols, pieces): 0 <= 2 * ix(rows, pieces, 0) <= 0x0fffffffffffffff", rows, pieces)
  REQUIRES(has(span(part, 0, ((2 * ix(rows, pieces, 0)) - 1))),
           "known_in(mean, rstd, part, CENTERED, rows, cols, pieces): \\valid_read(part + (0 .. 2 * ix(rows, pieces, 0) - 1))", rows, pieces)
  REQUIRES((0 <= rows && rows <= 0x0fffffffffffffff),
           "known_in(mean, rstd, part, CENTERED, rows, cols, pieces): 0 <= rows <= 0x0fffffffffffffff", rows)
  REQUIRES(has(span(rstd, 0, (rows - 1))),
           "known_in(mean, rstd, part, CENTERED, rows, cols, pieces): \\valid_read(rstd + (0 .. rows - 1))", rows)
  REQUIRES((0 <= if_there(CENTERED, rows) && if_there(CENTERED, rows) <= 0x0fffffffffffffff),
           "known_in(mean, rstd, part, CENTERED, rows, cols, pieces): 0 <= if_there(CENTERED, rows) <= 0x0fffffffffffffff", CENTERED, rows)
  REQUIRES(has(span(mean, 0, (if_there(CENTERED, rows) - 1))),
           "known_in(mean, rstd, part, CENTERED, rows, cols, pieces): \\valid_read(mean + (0 .. if_there(CENTERED, rows) - 1))", CENTERED, rows)
  REQUIRES((cols <= 0x0fffffffffffffff),
           "cols <= 0x0fffffffffffffff", cols)
  REQUIRES((!(VEC != 0) || ((cols % 4) == 0)),
           "VEC != 0 ==> cols % 4 == 0", VEC, cols)
  REQUIRES((ix(rows, cols, 0) <= 0x0fffffffffffffff),
           "ix(rows, cols, 0) <= 0x0fffffffffffffff", rows, cols)
  REQUIRES((0 <= ix(rows, cols, 0) && ix(rows, cols, 0) <= 0x0fffffffffffffff),
           "spread_from(x, gamma, g, affine, VEC, rows, cols): 0 <= ix(rows, cols, 0) <= 0x0fffffffffffffff", rows, cols)
  REQUIRES(has(span(x, 0, (ix(rows, cols, 0) - 1))),
           "spread_from(x, gamma, g, affine, VEC, rows, cols): \\valid_read(x + (0 .. ix(rows, cols, 0) - 1))", rows, cols)
  REQUIRES((!(VEC != 0) || aligned16(x)),
           "spread_from(x, gamma, g, affine, VEC, rows, cols): VEC != 0 ==> aligned16(x)", VEC)
  REQUIRES(has(span(g, 0, (ix(rows, cols, 0) - 1))),
           "spread_from(x, gamma, g, affine, VEC, rows, cols): \\valid_read(g + (0 .. ix(rows, cols, 0) - 1))", rows, cols)
  REQUIRES((!(VEC != 0) || aligned16(g)),
           "spread_from(x, gamma, g, affine, VEC, rows, cols): VEC != 0 ==> aligned16(g)", VEC)
  REQUIRES((!(affine != 0) || (0 <= cols && cols <= 0x0fffffffffffffff)),
           "spread_from(x, gamma, g, affine, VEC, rows, cols): affine != 0 ==> 0 <= cols <= 0x0fffffffffffffff", affine, cols)
  REQUIRES((!(affine != 0) || has(span(gamma, 0, (cols - 1)))),
           "spread_from(x, gamma, g, affine, VEC, rows, cols): affine != 0 ==> \\valid_read(gamma + (0 .. cols - 1))", affine, cols)
  REQUIRES((!(affine != 0) || (!(VEC != 0) || aligned16(gamma))),
           "spread_from(x, gamma, g, affine, VEC, rows, cols): affine != 0 ==> VEC != 0 ==> aligned16(gamma)", VEC, affine)
  REQUIRES(has(span(dx, 0, (ix(rows, cols, 0) - 1))),
           "spread_to(dx, dgamma, dbeta, CENTERED, VEC, rows, cols): \\valid(dx + (0 .. ix(rows, cols, 0) - 1))", rows, cols)
  REQUIRES((0 <= cols && cols <= 0x0fffffffffffffff),
           "spread_to(dx, dgamma, dbeta, CENTERED, VEC, rows, cols): 0 <= cols <= 0x0fffffffffffffff", cols)
  REQUIRES(has(span(dgamma, 0, (cols - 1))),
           "spread_to(dx, dgamma, dbeta, CENTERED, VEC, rows, cols): \\valid(dgamma + (0 .. cols - 1))", cols)
  REQUIRES((!(CENTERED != 0) || (0 <= cols && cols <= 0x0fffffffffffffff)),
           "spread_to(dx, dgamma, dbeta, CENTERED, VEC, rows, cols): CENTERED != 0 ==> 0 <= cols <= 0x0fffffffffffffff", CENTERED, cols)
  REQUIRES((!(CENTERED != 0) || has(span(dbeta, 0, (cols - 1)))),
           "spread_to(dx, dgamma, dbeta, CENTERED, VEC, rows, cols): CENTERED != 0 ==> \\valid(dbeta + (0 .. cols - 1))", CENTERED, cols)
  REQUIRES((!(VEC != 0) || aligned16(dx)),
           "spread_to(dx, dgamma, dbeta, CENTERED, VEC, rows, cols): VEC != 0 ==> aligned16(dx)", VEC)
  REQUIRES((!(VEC != 0) || aligned16(dgamma)),
           "spread_to(dx, dgamma, dbeta, CENTERED, VEC, rows, cols): VEC != 0 ==> aligned16(dgamma)", VEC)
  REQUIRES((!(VEC != 0) || (!(CENTERED != 0) || aligned16(dbeta))),
           "spread_to(dx, dgamma, dbeta, CENTERED, VEC, rows, cols): VEC != 0 ==> CENTERED != 0 ==> aligned16(dbeta)", CENTERED, VEC)
  return true;
}

bool check_norm_vjp_strips(const launched &l)
{
  const num CENTERED = l.constant(0);
  const num affine = l.get<int>(0);
  const num rows = l.get<int64_t>(2);
  const num cols = l.get<int64_t>(3);
  const num chunk = l.get<int64_t>(4);
  const num chunks = l.get<int64_t>(5);
  const num strips = l.get<int64_t>(6);
  const num parts = l.get<int64_t>(7);
  const ptr x = l.pointer(8, 4);
  const ptr gamma = l.pointer(9, 4);
  const ptr mean = l.pointer(10, 4);
  const ptr rstd = l.pointer(11, 4);
  const ptr g = l.pointer(12, 4);
  const ptr part = l.pointer(13, 4);
  const ptr dx = l.pointer(14, 4);
  const ptr sums = l.pointer(15, 4);
  const num halves = ((CENTERED != 0) ? 2 : 1);
  /* not checked, permission, of the prover's discipline alone:
   *   perm_r(x, ix(rows, cols, 0))
   *   perm_r(g, ix(rows, cols, 0))
   *   perm_r(rstd, rows)
   *   perm_r(\null, if_there(0, cols))
   *   perm_r(mean, if_there(CENTERED, rows))
   *   perm(dx, ix(rows, cols, 0))
   *   perm_r(gamma, if_there(affine, cols))
   *   perm_r(part, 2 * ix(rows, parts, 0))
   *   perm(sums, ix(halves * chunks, cols, 0)) */
  REQUIRES((32 <= bdim_ && bdim_ <= 1024),
           "strip_block: 32 <= bdim_ <= 1024", bdim_)
  REQUIRES(((bdim_ % 32) == 0),
           "strip_block: bdim_ % 32 == 0", bdim_)
  REQUIRES((bdim_ == 1024),
           "strip_block: bdim_ == TEAMS_BLOCK", bdim_)
  REQUIRES((0 < cols),
           "0 < cols", cols)
  REQUIRES((0 < chunk),
           "0 < chunk", chunk)
  REQUIRES((0 < parts),
           "0 < parts", parts)
  REQUIRES((0 < strips),
           "0 < strips", strips)
  REQUIRES((0 <= chunks),
           "0 <= chunks", chunks)
  REQUIRES((chunks <= 0x0fffffffffffffff),
           "chunks <= 0x0fffffffffffffff", chunks)
  REQUIRES((ix(chunks, chunk, 0) <= 0x0fffffffffffffff),
           "ix(chunks, chunk, 0) <= 0x0fffffffffffffff", chunk, chunks)
  REQUIRES((0 <= rows && rows <= 0x0fffffffffffffff),
           "0 <= rows <= 0x0fffffffffffffff", rows)
  REQUIRES((ix(strips, 256, 0) <= 0x0fffffffffffffff),
           "ix(strips, STRIP_BLOCK, 0) <= 0x0fffffffffffffff", strips)
  REQUIRES((ix(chunks, strips, 0) <= blocks_),
           "ix(chunks, strips, 0) <= blocks_", chunks, strips, blocks_)
  REQUIRES((0 <= ix(rows, cols, 0) && ix(rows, cols, 0) <= 0x0fffffffffffffff),
           "strip_tensors(x, mean, rstd, g, dx, CENTERED, rows, cols): 0 <= ix(rows, cols, 0) <= 0x0fffffffffffffff", rows, cols)
  REQUIRES(has(span(x, 0, (ix(rows, cols, 0) - 1))),
           "strip_tensors(x, mean, rstd, g, dx, CENTERED, rows, cols): \\valid_read(x + (0 .. ix(rows, cols, 0) - 1))", rows, cols)
  REQUIRES(has(span(g, 0, (ix(rows, cols, 0) - 1))),
           "strip_tensors(x, mean, rstd, g, dx, CENTERED, rows, cols): \\valid_read(g + (0 .. ix(rows, cols, 0) - 1))", rows, cols)
  REQUIRES(has(span(rstd, 0, (rows - 1))),
           "strip_tensors(x, mean, rstd, g, dx, CENTERED, rows, cols): \\valid_read(rstd + (0 .. rows - 1))", rows)
  REQUIRES((0 <= if_there(0, cols) && if_there(0, cols) <= 0x0fffffffffffffff),
           "strip_tensors(x, mean, rstd, g, dx, CENTERED, rows, cols): 0 <= if_there(0, cols) <= 0x0fffffffffffffff", cols)
  REQUIRES(has(span(ptr(), 0, (if_there(0, cols) - 1))),
           "strip_tensors(x, mean, rstd, g, dx, CENTERED, rows, cols): \\valid_read(\\null + (0 .. if_there(0, cols) - 1))", cols)
  REQUIRES((0 <= if_there(CENTERED, rows) && if_there(CENTERED, rows) <= 0x0fffffffffffffff),
           "strip_tensors(x, mean, rstd, g, dx, CENTERED, rows, cols): 0 <= if_there(CENTERED, rows) <= 0x0fffffffffffffff", CENTERED, rows)
  REQUIRES(has(span(mean, 0, (if_there(CENTERED, rows) - 1))),
           "strip_tensors(x, mean, rstd, g, dx, CENTERED, rows, cols): \\valid_read(mean + (0 .. if_there(CENTERED, rows) - 1))", CENTERED, rows)
  REQUIRES(has(span(dx, 0, (ix(rows, cols, 0) - 1))),
           "strip_tensors(x, mean, rstd, g, dx, CENTERED, rows, cols): \\valid(dx + (0 .. ix(rows, cols, 0) - 1))", rows, cols)
  REQUIRES((0 <= if_there(affine, cols) && if_there(affine, cols) <= 0x0fffffffffffffff),
           "reads(gamma, if_there(affine, cols)): 0 <= if_there(affine, cols) <= 0x0fffffffffffffff", affine, cols)
  REQUIRES(has(span(gamma, 0, (if_there(affine, cols) - 1))),
           "reads(gamma, if_there(affine, cols)): \\valid_read(gamma + (0 .. if_there(affine, cols) - 1))", affine, cols)
  REQUIRES((ix(rows, parts, 0) <= 0x0fffffffffffffff),
           "ix(rows, parts, 0) <= 0x0fffffffffffffff", rows, parts)
  REQUIRES((0 <= (2 * ix(rows, parts, 0)) && (2 * ix(rows, parts, 0)) <= 0x0fffffffffffffff),
           "reads(part, 2 * ix(rows, parts, 0)): 0 <= 2 * ix(rows, parts, 0) <= 0x0fffffffffffffff", rows, parts)
  REQUIRES(has(span(part, 0, ((2 * ix(rows, parts, 0)) - 1))),
           "reads(part, 2 * ix(rows, parts, 0)): \\valid_read(part + (0 .. 2 * ix(rows, parts, 0) - 1))", rows, parts)
  REQUIRES((halves == ((CENTERED != 0) ? 2 : 1)),
           "halves == (CENTERED != 0 ? 2 : 1)", CENTERED, halves)
  REQUIRES((0 <= ix((halves * chunks), cols, 0) && ix((halves * chunks), cols, 0) <= 0x0fffffffffffffff),
           "writes(sums, ix(halves * chunks, cols, 0)): 0 <= ix(halves * chunks, cols, 0) <= 0x0fffffffffffffff", cols, chunks, halves)
  REQUIRES(has(span(sums, 0, (ix((halves * chunks), cols, 0) - 1))),
           "writes(sums, ix(halves * chunks, cols, 0)): \\valid(sums + (0 .. ix(halves * chunks, cols, 0) - 1))", cols, chunks, halves)
  return true;
}

bool check_norm_warp(const launched &l)
{
  const num CENTERED = l.constant(0);
  const num K = l.constant(1);
  const num VEC = l.constant(2);
  const num log_lanes = l.get<int>(0);
  const num affine = l.get<int>(1);
  const num rows = l.get<int64_t>(2);
  const num cols = l.get<int>(3);
  const ptr x = l.pointer(5, 4);
  const ptr gamma = l.pointer(6, 4);
  const ptr beta = l.pointer(7, 4);
  const ptr y = l.pointer(8, 4);
  const ptr mean = l.pointer(9, 4);
  const ptr rstd = l.pointer(10, 4);
  /* not checked, permission, of the prover's discipline alone:
   *   perm_r(x, ix(rows, cols, 0))
   *   perm(y, ix(rows, cols, 0))
   *   perm_r(gamma, if_there(affine, cols))
   *   perm_r(beta, if_there(CENTERED, cols))
   *   perm(mean, if_there(CENTERED, rows))
   *   perm(rstd, rows) */
  REQUIRES((32 <= bdim_ && bdim_ <= 1024),
           "block: 32 <= bdim_ <= 1024", bdim_)
  REQUIRES(((bdim_ % 32) == 0),
           "block: bdim_ % 32 == 0", bdim_)
  REQUIRES((0 <= log_lanes && log_lanes <= 5),
           "0 <= log_lanes <= 5", log_lanes)
  REQUIRES((0 < TeamOf(log_lanes) && TeamOf(log_lanes) <= 1024),
           "team_fits(K, TeamOf(log_lanes), cols): 0 < TeamOf(log_lanes) <= 1024", log_lanes)
  REQUIRES((0 < K && K <= 8),
           "team_fits(K, TeamOf(log_lanes), cols): 0 < K <= 8", K)
  REQUIRES((0 <= cols && cols <= (4 * mul(K, TeamOf(log_lanes)))),
           "team_fits(K, TeamOf(log_lanes), cols): 0 <= cols <= 4 * mul(K, TeamOf(log_lanes))", K, log_lanes, cols)
  REQUIRES((cols <= ((4 * 8) * 1024)),
           "team_fits(K, TeamOf(log_lanes), cols): cols <= 4 * 8 * 1024", cols)
  REQUIRES((0 < cols),
           "0 < cols", cols)
  REQUIRES((0 <= rows && rows <= 0x0fffffffffffffff),
           "0 <= rows <= 0x0fffffffffffffff", rows)
  REQUIRES((rows <= ix(blocks_, (bdim_ / TeamOf(log_lanes)), 0)),
           "rows <= ix(blocks_, bdim_ / TeamOf(log_lanes), 0)", log_lanes, rows, bdim_, blocks_)
  REQUIRES((0 <= ix(rows, cols, 0) && ix(rows, cols, 0) <= 0x0fffffffffffffff),
           "norm_all(CENTERED, affine, VEC, rows, cols, x, gamma, beta, y, mean, rstd): 0 <= ix(rows, cols, 0) <= 0x0fffffffffffffff", rows, cols)
  REQUIRES(has(span(x, 0, (ix(rows, cols, 0) - 1))),
           "norm_all(CENTERED, affine, VEC, rows, cols, x, gamma, beta, y, mean, rstd): \\valid_read(x + (0 .. ix(rows, cols, 0) - 1))", rows, cols)
  REQUIRES(has(span(y, 0, (ix(rows, cols, 0) - 1))),
           "norm_all(CENTERED, affine, VEC, rows, cols, x, gamma, beta, y, mean, rstd): \\valid(y + (0 .. ix(rows, cols, 0) - 1))", rows, cols)
  REQUIRES((0 <= if_there(affine, cols) && if_there(affine, cols) <= 0x0fffffffffffffff),
           "norm_all(CENTERED, affine, VEC, rows, cols, x, gamma, beta, y, mean, rstd): 0 <= if_there(affine, cols) <= 0x0fffffffffffffff", affine, cols)
  REQUIRES(has(span(gamma, 0, (if_there(affine, cols) - 1))),
           "norm_all(CENTERED, affine, VEC, rows, cols, x, gamma, beta, y, mean, rstd): \\valid_read(gamma + (0 .. if_there(affine, cols) - 1))", affine, cols)
  REQUIRES((0 <= if_there(CENTERED, cols) && if_there(CENTERED, cols) <= 0x0fffffffffffffff),
           "norm_all(CENTERED, affine, VEC, rows, cols, x, gamma, beta, y, mean, rstd): 0 <= if_there(CENTERED, cols) <= 0x0fffffffffffffff", CENTERED, cols)
  REQUIRES(has(span(beta, 0, (if_there(CENTERED, cols) - 1))),
           "norm_all(CENTERED, affine, VEC, rows, cols, x, gamma, beta, y, mean, rstd): \\valid_read(beta + (0 .. if_there(CENTERED, cols) - 1))", CENTERED, cols)
  REQUIRES((!(VEC != 0) || ((cols % 4) == 0)),
           "norm_all(CENTERED, affine, VEC, rows, cols, x, gamma, beta, y, mean, rstd): VEC != 0 ==> cols % 4 == 0", VEC, cols)
  REQUIRES((!(VEC != 0) || aligned16(x)),
           "norm_all(CENTERED, affine, VEC, rows, cols, x, gamma, beta, y, mean, rstd): VEC != 0 ==> aligned16(x)", VEC)
  REQUIRES((!(VEC != 0) || aligned16(y)),
           "norm_all(CENTERED, affine, VEC, rows, cols, x, gamma, beta, y, mean, rstd): VEC != 0 ==> aligned16(y)", VEC)
  REQUIRES((!(VEC != 0) || (!(affine != 0) || aligned16(gamma))),
           "norm_all(CENTERED, affine, VEC, rows, cols, x, gamma, beta, y, mean, rstd): VEC != 0 ==> affine != 0 ==> aligned16(gamma)", VEC, affine)
  REQUIRES((!(VEC != 0) || (!(CENTERED != 0) || aligned16(beta))),
           "norm_all(CENTERED, affine, VEC, rows, cols, x, gamma, beta, y, mean, rstd): VEC != 0 ==> CENTERED != 0 ==> aligned16(beta)", CENTERED, VEC)
  REQUIRES((apart(span(x, 0, (ix(rows, cols, 0) - 1)), span(y, 0, (ix(rows, cols, 0) - 1)))),
           "norm_all(CENTERED, affine, VEC, rows, cols, x, gamma, beta, y, mean, rstd): \\separated(x + (0 .. ix(rows, cols, 0) - 1), y + (0 .. ix(rows, cols, 0) - 1))", rows, cols)
  REQUIRES((apart(span(gamma, 0, (if_there(affine, cols) - 1)), span(y, 0, (ix(rows, cols, 0) - 1)))),
           "norm_all(CENTERED, affine, VEC, rows, cols, x, gamma, beta, y, mean, rstd): \\separated(gamma + (0 .. if_there(affine, cols) - 1), y + (0 .. ix(rows, cols, 0) - 1))", affine, rows, cols)
  REQUIRES((apart(span(beta, 0, (if_there(CENTERED, cols) - 1)), span(y, 0, (ix(rows, cols, 0) - 1)))),
           "norm_all(CENTERED, affine, VEC, rows, cols, x, gamma, beta, y, mean, rstd): \\separated(beta + (0 .. if_there(CENTERED, cols) - 1), y + (0 .. ix(rows, cols, 0) - 1))", CENTERED, rows, cols)
  REQUIRES((0 <= if_there(CENTERED, rows) && if_there(CENTERED, rows) <= 0x0fffffffffffffff),
           "norm_all(CENTERED, affine, VEC, rows, cols, x, gamma, beta, y, mean, rstd): 0 <= if_there(CENTERED, rows) <= 0x0fffffffffffffff", CENTERED, rows)
  REQUIRES(has(span(mean, 0, (if_there(CENTERED, rows) - 1))),
           "norm_all(CENTERED, affine, VEC, rows, cols, x, gamma, beta, y, mean, rstd): \\valid(mean + (0 .. if_there(CENTERED, rows) - 1))", CENTERED, rows)
  REQUIRES(has(span(rstd, 0, (rows - 1))),
           "norm_all(CENTERED, affine, VEC, rows, cols, x, gamma, beta, y, mean, rstd): \\valid(rstd + (0 .. rows - 1))", rows)
  REQUIRES((apart(span(x, 0, (ix(rows, cols, 0) - 1)), span(rstd, 0, (rows - 1)))),
           "norm_all(CENTERED, affine, VEC, rows, cols, x, gamma, beta, y, mean, rstd): \\separated(x + (0 .. ix(rows, cols, 0) - 1), rstd + (0 .. rows - 1))", rows, cols)
  REQUIRES((apart(span(gamma, 0, (if_there(affine, cols) - 1)), span(rstd, 0, (rows - 1)))),
           "norm_all(CENTERED, affine, VEC, rows, cols, x, gamma, beta, y, mean, rstd): \\separated(gamma + (0 .. if_there(affine, cols) - 1), rstd + (0 .. rows - 1))", affine, rows, cols)
  REQUIRES((apart(span(beta, 0, (if_there(CENTERED, cols) - 1)), span(rstd, 0, (rows - 1)))),
           "norm_all(CENTERED, affine, VEC, rows, cols, x, gamma, beta, y, mean, rstd): \\separated(beta + (0 .. if_there(CENTERED, cols) - 1), rstd + (0 .. rows - 1))", CENTERED, rows, cols)
  REQUIRES((apart(span(x, 0, (ix(rows, cols, 0) - 1)), span(mean, 0, (if_there(CENTERED, rows) - 1)))),
           "norm_all(CENTERED, affine, VEC, rows, cols, x, gamma, beta, y, mean, rstd): \\separated(x + (0 .. ix(rows, cols, 0) - 1), mean + (0 .. if_there(CENTERED, rows) - 1))", CENTERED, rows, cols)
  REQUIRES((apart(span(gamma, 0, (if_there(affine, cols) - 1)), span(mean, 0, (if_there(CENTERED, rows) - 1)))),
           "norm_all(CENTERED, affine, VEC, rows, cols, x, gamma, beta, y, mean, rstd): \\separated(gamma + (0 .. if_there(affine, cols) - 1), mean + (0 .. if_there(CENTERED, rows) - 1))", CENTERED, affine, rows, cols)
  REQUIRES((apart(span(beta, 0, (if_there(CENTERED, cols) - 1)), span(mean, 0, (if_there(CENTERED, rows) - 1)))),
           "norm_all(CENTERED, affine, VEC, rows, cols, x, gamma, beta, y, mean, rstd): \\separated(beta + (0 .. if_there(CENTERED, cols) - 1), mean + (0 .. if_there(CENTERED, rows) - 1))", CENTERED, rows, cols)
  REQUIRES((apart(span(y, 0, (ix(rows, cols, 0) - 1)), span(rstd, 0, (rows - 1)))),
           "norm_all(CENTERED, affine, VEC, rows, cols, x, gamma, beta, y, mean, rstd): \\separated(y + (0 .. ix(rows, cols, 0) - 1), rstd + (0 .. rows - 1))", rows, cols)
  REQUIRES((apart(span(y, 0, (ix(rows, cols, 0) - 1)), span(mean, 0, (if_there(CENTERED, rows) - 1)))),
           "norm_all(CENTERED, affine, VEC, rows, cols, x, gamma, beta, y, mean, rstd): \\separated(y + (0 .. ix(rows, cols, 0) - 1), mean + (0 .. if_there(CENTERED, rows) - 1))", CENTERED, rows, cols)
  REQUIRES((apart(span(rstd, 0, (rows - 1)), span(mean, 0, (if_there(CENTERED, rows) - 1)))),
           "norm_all(CENTERED, affine, VEC, rows, cols, x, gamma, beta, y, mean, rstd): \\separated(rstd + (0 .. rows - 1), mean + (0 .. if_there(CENTERED, rows) - 1))", CENTERED, rows)
  return true;
}

bool check_permute_walk_scalar(const launched &l)
{
  const walk w = l.get<walk>(0);
  const num rows = l.get<int64_t>(1);
  const num len = l.get<int64_t>(2);
  const ptr x = l.pointer(4, 4);
  const ptr y = l.pointer(5, 4);
  const num m = ((rows <= 0) ? 0 : (Walk(w, (rows - 1), num(w.n)) + len));
  /* not checked, permission, of the prover's discipline alone:
   *   perm_r(x, 1 * m)
   *   perm(y, ix(rows, len, 0)) */
  REQUIRES((0 <= num(w.n) && num(w.n) <= 8),
           "walk_size(y, x, w, rows, len, 1, m): 0 <= w.n <= 8")
  REQUIRES(for_all(0, num(w.n), [&](num d) { return ((0 < num(w.size[at(d)])) && (0 <= num(w.step[at(d)]))); }),
           "walk_size(y, x, w, rows, len, 1, m): \\forall integer d; 0 <= d < w.n ==> 0 < w.size[d] && 0 <= w.step[d]")
  REQUIRES((0 <= rows),
           "walk_size(y, x, w, rows, len, 1, m): 0 <= rows", rows)
  REQUIRES((0 < len && len <= 0x0fffffffffffffff),
           "walk_size(y, x, w, rows, len, 1, m): 0 < len <= 0x0fffffffffffffff", len)
  REQUIRES((0 <= (1 * m) && (1 * m) <= 0x0fffffffffffffff),
           "walk_size(y, x, w, rows, len, 1, m): 0 <= 1 * m <= 0x0fffffffffffffff", m)
  REQUIRES(has(span(x, 0, ((1 * m) - 1))),
           "walk_size(y, x, w, rows, len, 1, m): \\valid_read(x + (0 .. 1 * m - 1))", m)
  REQUIRES((0 <= (1 * ix(rows, len, 0)) && (1 * ix(rows, len, 0)) <= 0x0fffffffffffffff),
           "walk_size(y, x, w, rows, len, 1, m): 0 <= 1 * ix(rows, len, 0) <= 0x0fffffffffffffff", rows, len)
  REQUIRES(has(span(y, 0, ((1 * ix(rows, len, 0)) - 1))),
           "walk_size(y, x, w, rows, len, 1, m): \\valid(y + (0 .. 1 * ix(rows, len, 0) - 1))", rows, len)
  REQUIRES((apart(span(x, 0, ((1 * m) - 1)), span(y, 0, ((1 * ix(rows, len, 0)) - 1)))),
           "walk_size(y, x, w, rows, len, 1, m): \\separated(x + (0 .. 1 * m - 1), y + (0 .. 1 * ix(rows, len, 0) - 1))", rows, len, m)
  REQUIRES(for_all(0, rows, [&](num i) { return ((Walk(w, i, num(w.n)) + len) <= m); }),
           "walk_size(y, x, w, rows, len, 1, m): \\forall integer i; 0 <= i < rows ==> Walk(w, i, w.n) + len <= m", rows, len, m)
  REQUIRES((ix(rows, len, 0) <= gsize_),
           "ix(rows, len, 0) <= gsize_", rows, len, gsize_)
  return true;
}

bool check_permute_walk_vec4(const launched &l)
{
  const walk w = l.get<walk>(0);
  const num rows = l.get<int64_t>(1);
  const num len = l.get<int64_t>(2);
  const ptr x = l.pointer(4, 4);
  const ptr y = l.pointer(5, 4);
  const num m = ((rows <= 0) ? 0 : (Walk(w, (rows - 1), num(w.n)) + len));
  /* not checked, permission, of the prover's discipline alone:
   *   perm_r(x, 4 * m)
   *   perm(y, 4 * ix(rows, len, 0)) */
  REQUIRES((0 <= num(w.n) && num(w.n) <= 8),
           "walk_size(y, x, w, rows, len, 4, m): 0 <= w.n <= 8")
  REQUIRES(for_all(0, num(w.n), [&](num d) { return ((0 < num(w.size[at(d)])) && (0 <= num(w.step[at(d)]))); }),
           "walk_size(y, x, w, rows, len, 4, m): \\forall integer d; 0 <= d < w.n ==> 0 < w.size[d] && 0 <= w.step[d]")
  REQUIRES((0 <= rows),
           "walk_size(y, x, w, rows, len, 4, m): 0 <= rows", rows)
  REQUIRES((0 < len && len <= 0x0fffffffffffffff),
           "walk_size(y, x, w, rows, len, 4, m): 0 < len <= 0x0fffffffffffffff", len)
  REQUIRES((0 <= (4 * m) && (4 * m) <= 0x0fffffffffffffff),
           "walk_size(y, x, w, rows, len, 4, m): 0 <= 4 * m <= 0x0fffffffffffffff", m)
  REQUIRES(has(span(x, 0, ((4 * m) - 1))),
           "walk_size(y, x, w, rows, len, 4, m): \\valid_read(x + (0 .. 4 * m - 1))", m)
  REQUIRES((0 <= (4 * ix(rows, len, 0)) && (4 * ix(rows, len, 0)) <= 0x0fffffffffffffff),
           "walk_size(y, x, w, rows, len, 4, m): 0 <= 4 * ix(rows, len, 0) <= 0x0fffffffffffffff", rows, len)
  REQUIRES(has(span(y, 0, ((4 * ix(rows, len, 0)) - 1))),
           "walk_size(y, x, w, rows, len, 4, m): \\valid(y + (0 .. 4 * ix(rows, len, 0) - 1))", rows, len)
  REQUIRES((apart(span(x, 0, ((4 * m) - 1)), span(y, 0, ((4 * ix(rows, len, 0)) - 1)))),
           "walk_size(y, x, w, rows, len, 4, m): \\separated(x + (0 .. 4 * m - 1), y + (0 .. 4 * ix(rows, len, 0) - 1))", rows, len, m)
  REQUIRES(for_all(0, rows, [&](num i) { return ((Walk(w, i, num(w.n)) + len) <= m); }),
           "walk_size(y, x, w, rows, len, 4, m): \\forall integer i; 0 <= i < rows ==> Walk(w, i, w.n) + len <= m", rows, len, m)
  REQUIRES(aligned16(x),
           "aligned16(x)")
  REQUIRES(aligned16(y),
           "aligned16(y)")
  REQUIRES((ix(rows, len, 0) <= gsize_),
           "ix(rows, len, 0) <= gsize_", rows, len, gsize_)
  return true;
}

bool check_reduce_cols(const launched &l)
{
  const num W = l.constant(1);
  const num outer = l.get<int64_t>(0);
  const num n = l.get<int64_t>(1);
  const num width = l.get<int64_t>(2);
  const num chunk = l.get<int64_t>(3);
  const num chunks = l.get<int64_t>(4);
  const ptr x = l.pointer(6, 4);
  const ptr out = l.pointer(7, 4);
  /* not checked, permission, of the prover's discipline alone:
   *   perm_r(x, ix(ix(outer, n, 0), W * width, 0))
   *   perm(out, ix(ix(outer, chunks, 0), W * width, 0)) */
  REQUIRES(((W == 1) || (W == 4)),
           "W == 1 || W == 4", W)
  REQUIRES((0 < width && width <= 0x0fffffffffffffff),
           "0 < width <= 0x0fffffffffffffff", width)
  REQUIRES((0 <= outer && outer <= 0x0fffffffffffffff),
           "level(outer, n, W * width, chunk, chunks): 0 <= outer <= 0x0fffffffffffffff", outer)
  REQUIRES((0 <= n && n <= 0x0fffffffffffffff),
           "level(outer, n, W * width, chunk, chunks): 0 <= n <= 0x0fffffffffffffff", n)
  REQUIRES((0 < (W * width) && (W * width) <= 0x0fffffffffffffff),
           "level(outer, n, W * width, chunk, chunks): 0 < W * width <= 0x0fffffffffffffff", W, width)
  REQUIRES((0 < chunks && chunks <= 0x0fffffffffffffff),
           "level(outer, n, W * width, chunk, chunks): 0 < chunks <= 0x0fffffffffffffff", chunks)
  REQUIRES((0 <= chunk && chunk <= 0x0fffffffffffffff),
           "level(outer, n, W * width, chunk, chunks): 0 <= chunk <= 0x0fffffffffffffff", chunk)
  REQUIRES((ix(outer, n, 0) <= 0x0fffffffffffffff),
           "level(outer, n, W * width, chunk, chunks): ix(outer, n, 0) <= 0x0fffffffffffffff", outer, n)
  REQUIRES((ix((chunks - 1), chunk, 0) <= n && n <= ix(chunks, chunk, 0) && ix(chunks, chunk, 0) <= 0x0fffffffffffffff),
           "level(outer, n, W * width, chunk, chunks): ix(chunks - 1, chunk, 0) <= n <= ix(chunks, chunk, 0) <= 0x0fffffffffffffff", n, chunk, chunks)
  REQUIRES((ix(outer, chunks, 0) <= 0x0fffffffffffffff),
           "level(outer, n, W * width, chunk, chunks): ix(outer, chunks, 0) <= 0x0fffffffffffffff", outer, chunks)
  REQUIRES((0 <= ix(ix(outer, n, 0), (W * width), 0) && ix(ix(outer, n, 0), (W * width), 0) <= 0x0fffffffffffffff),
           "level_io(outer, n, W * width, chunks, x, out): 0 <= ix(ix(outer, n, 0), W * width, 0) <= 0x0fffffffffffffff", W, outer, n, width)
  REQUIRES(has(span(x, 0, (ix(ix(outer, n, 0), (W * width), 0) - 1))),
           "level_io(outer, n, W * width, chunks, x, out): \\valid_read(x + (0 .. ix(ix(outer, n, 0), W * width, 0) - 1))", W, outer, n, width)
  REQUIRES((0 <= ix(ix(outer, chunks, 0), (W * width), 0) && ix(ix(outer, chunks, 0), (W * width), 0) <= 0x0fffffffffffffff),
           "level_io(outer, n, W * width, chunks, x, out): 0 <= ix(ix(outer, chunks, 0), W * width, 0) <= 0x0fffffffffffffff", W, outer, width, chunks)
  REQUIRES(has(span(out, 0, (ix(ix(outer, chunks, 0), (W * width), 0) - 1))),
           "level_io(outer, n, W * width, chunks, x, out): \\valid(out + (0 .. ix(ix(outer, chunks, 0), W * width, 0) - 1))", W, outer, width, chunks)
  REQUIRES((apart(span(x, 0, (ix(ix(outer, n, 0), (W * width), 0) - 1)), span(out, 0, (ix(ix(outer, chunks, 0), (W * width), 0) - 1)))),
           "level_io(outer, n, W * width, chunks, x, out): \\separated(x + (0 .. ix(ix(outer, n, 0), W * width, 0) - 1), out + (0 .. ix(ix(outer, chunks, 0), W * width, 0) - 1))", W, outer, n, width, chunks)
  REQUIRES((ix(ix(outer, chunks, 0), width, 0) <= gsize_),
           "ix(ix(outer, chunks, 0), width, 0) <= gsize_", outer, width, chunks, gsize_)
  REQUIRES((!(W == 4) || aligned16(x)),
           "W == 4 ==> aligned16(x) && aligned16(out): W == 4 ==> aligned16(x)", W)
  REQUIRES((!(W == 4) || aligned16(out)),
           "W == 4 ==> aligned16(x) && aligned16(out): W == 4 ==> aligned16(out)", W)
  return true;
}

bool check_reduce_narrow(const launched &l)
{
  const num blocks = l.get<int64_t>(0);
  const num outer = l.get<int64_t>(1);
  const num n = l.get<int64_t>(2);
  const num inner = l.get<int64_t>(3);
  const num chunk = l.get<int64_t>(4);
  const num chunks = l.get<int64_t>(5);
  const ptr x = l.pointer(7, 4);
  const ptr out = l.pointer(8, 4);
  /* not checked, permission, of the prover's discipline alone:
   *   perm_r(x, ix(ix(outer, n, 0), inner, 0))
   *   perm(out, ix(ix(outer, chunks, 0), inner, 0)) */
  REQUIRES((0 <= outer && outer <= 0x0fffffffffffffff),
           "level(outer, n, inner, chunk, chunks): 0 <= outer <= 0x0fffffffffffffff", outer)
  REQUIRES((0 <= n && n <= 0x0fffffffffffffff),
           "level(outer, n, inner, chunk, chunks): 0 <= n <= 0x0fffffffffffffff", n)
  REQUIRES((0 < inner && inner <= 0x0fffffffffffffff),
           "level(outer, n, inner, chunk, chunks): 0 < inner <= 0x0fffffffffffffff", inner)
  REQUIRES((0 < chunks && chunks <= 0x0fffffffffffffff),
           "level(outer, n, inner, chunk, chunks): 0 < chunks <= 0x0fffffffffffffff", chunks)
  REQUIRES((0 <= chunk && chunk <= 0x0fffffffffffffff),
           "level(outer, n, inner, chunk, chunks): 0 <= chunk <= 0x0fffffffffffffff", chunk)
  REQUIRES((ix(outer, n, 0) <= 0x0fffffffffffffff),
           "level(outer, n, inner, chunk, chunks): ix(outer, n, 0) <= 0x0fffffffffffffff", outer, n)
  REQUIRES((ix((chunks - 1), chunk, 0) <= n && n <= ix(chunks, chunk, 0) && ix(chunks, chunk, 0) <= 0x0fffffffffffffff),
           "level(outer, n, inner, chunk, chunks): ix(chunks - 1, chunk, 0) <= n <= ix(chunks, chunk, 0) <= 0x0fffffffffffffff", n, chunk, chunks)
  REQUIRES((ix(outer, chunks, 0) <= 0x0fffffffffffffff),
           "level(outer, n, inner, chunk, chunks): ix(outer, chunks, 0) <= 0x0fffffffffffffff", outer, chunks)
  REQUIRES((inner < 32),
           "inner < 32", inner)
  REQUIRES((0 <= blocks && blocks <= 0x7fffffff),
           "0 <= blocks <= 0x7fffffff", blocks)
  REQUIRES((32 <= bdim_ && bdim_ <= 1024),
           "block: 32 <= bdim_ <= 1024", bdim_)
  REQUIRES(((bdim_ % 32) == 0),
           "block: bdim_ % 32 == 0", bdim_)
  REQUIRES((0 <= ix(ix(outer, n, 0), inner, 0) && ix(ix(outer, n, 0), inner, 0) <= 0x0fffffffffffffff),
           "level_io(outer, n, inner, chunks, x, out): 0 <= ix(ix(outer, n, 0), inner, 0) <= 0x0fffffffffffffff", outer, n, inner)
  REQUIRES(has(span(x, 0, (ix(ix(outer, n, 0), inner, 0) - 1))),
           "level_io(outer, n, inner, chunks, x, out): \\valid_read(x + (0 .. ix(ix(outer, n, 0), inner, 0) - 1))", outer, n, inner)
  REQUIRES((0 <= ix(ix(outer, chunks, 0), inner, 0) && ix(ix(outer, chunks, 0), inner, 0) <= 0x0fffffffffffffff),
           "level_io(outer, n, inner, chunks, x, out): 0 <= ix(ix(outer, chunks, 0), inner, 0) <= 0x0fffffffffffffff", outer, inner, chunks)
  REQUIRES(has(span(out, 0, (ix(ix(outer, chunks, 0), inner, 0) - 1))),
           "level_io(outer, n, inner, chunks, x, out): \\valid(out + (0 .. ix(ix(outer, chunks, 0), inner, 0) - 1))", outer, inner, chunks)
  REQUIRES((apart(span(x, 0, (ix(ix(outer, n, 0), inner, 0) - 1)), span(out, 0, (ix(ix(outer, chunks, 0), inner, 0) - 1)))),
           "level_io(outer, n, inner, chunks, x, out): \\separated(x + (0 .. ix(ix(outer, n, 0), inner, 0) - 1), out + (0 .. ix(ix(outer, chunks, 0), inner, 0) - 1))", outer, n, inner, chunks)
  REQUIRES((ix(blocks, 1, 0) <= blocks_),
           "ix(blocks, 1, 0) <= blocks_", blocks, blocks_)
  REQUIRES((ix(ix(outer, chunks, 0), 32, 0) <= ix(blocks, bdim_, 0)),
           "ix(ix(outer, chunks, 0), 32, 0) <= ix(blocks, bdim_, 0)", blocks, outer, chunks, bdim_)
  return true;
}

bool check_reduce_rows(const launched &l)
{
  const num VEC = l.constant(1);
  const num lanes = l.get<int>(0);
  const num groups = l.get<int>(1);
  const num blocks = l.get<int64_t>(2);
  const num outer = l.get<int64_t>(3);
  const num n = l.get<int64_t>(4);
  const num chunk = l.get<int64_t>(5);
  const num chunks = l.get<int64_t>(6);
  const ptr x = l.pointer(8, 4);
  const ptr out = l.pointer(9, 4);
  /* not checked, permission, of the prover's discipline alone:
   *   perm_r(x, ix(outer, n, 0))
   *   perm(out, ix(outer, chunks, 0)) */
  REQUIRES((0 <= outer && outer <= 0x0fffffffffffffff),
           "level(outer, n, 1, chunk, chunks): 0 <= outer <= 0x0fffffffffffffff", outer)
  REQUIRES((0 <= n && n <= 0x0fffffffffffffff),
           "level(outer, n, 1, chunk, chunks): 0 <= n <= 0x0fffffffffffffff", n)
  REQUIRES((0 < 1 && 1 <= 0x0fffffffffffffff),
           "level(outer, n, 1, chunk, chunks): 0 < 1 <= 0x0fffffffffffffff")
  REQUIRES((0 < chunks && chunks <= 0x0fffffffffffffff),
           "level(outer, n, 1, chunk, chunks): 0 < chunks <= 0x0fffffffffffffff", chunks)
  REQUIRES((0 <= chunk && chunk <= 0x0fffffffffffffff),
           "level(outer, n, 1, chunk, chunks): 0 <= chunk <= 0x0fffffffffffffff", chunk)
  REQUIRES((ix(outer, n, 0) <= 0x0fffffffffffffff),
           "level(outer, n, 1, chunk, chunks): ix(outer, n, 0) <= 0x0fffffffffffffff", outer, n)
  REQUIRES((ix((chunks - 1), chunk, 0) <= n && n <= ix(chunks, chunk, 0) && ix(chunks, chunk, 0) <= 0x0fffffffffffffff),
           "level(outer, n, 1, chunk, chunks): ix(chunks - 1, chunk, 0) <= n <= ix(chunks, chunk, 0) <= 0x0fffffffffffffff", n, chunk, chunks)
  REQUIRES((ix(outer, chunks, 0) <= 0x0fffffffffffffff),
           "level(outer, n, 1, chunk, chunks): ix(outer, chunks, 0) <= 0x0fffffffffffffff", outer, chunks)
  REQUIRES((0 <= blocks && blocks <= 0x7fffffff),
           "0 <= blocks <= 0x7fffffff", blocks)
  REQUIRES((32 <= bdim_ && bdim_ <= 1024),
           "block: 32 <= bdim_ <= 1024", bdim_)
  REQUIRES(((bdim_ % 32) == 0),
           "block: bdim_ % 32 == 0", bdim_)
  REQUIRES((ix(blocks, 1, 0) <= blocks_),
           "ix(blocks, 1, 0) <= blocks_", blocks, blocks_)
  REQUIRES((((((((lanes == 1) && (groups == 32)) || ((lanes == 2) && (groups == 16))) || ((lanes == 4) && (groups == 8))) || ((lanes == 8) && (groups == 4))) || ((lanes == 16) && (groups == 2))) || ((lanes == 32) && (groups == 1))),
           "group(lanes, groups): lanes == 1 && groups == 32 || lanes == 2 && groups == 16 || lanes == 4 && groups == 8 || lanes == 8 && groups == 4 || lanes == 16 && groups == 2 || lanes == 32 && groups == 1", lanes, groups)
  REQUIRES((ix(ix(outer, chunks, 0), lanes, 0) <= ix(blocks, bdim_, 0)),
           "ix(ix(outer, chunks, 0), lanes, 0) <= ix(blocks, bdim_, 0)", lanes, blocks, outer, chunks, bdim_)
  REQUIRES((0 <= ix(outer, n, 0) && ix(outer, n, 0) <= 0x0fffffffffffffff),
           "reads(x, ix(outer, n, 0)): 0 <= ix(outer, n, 0) <= 0x0fffffffffffffff", outer, n)
  REQUIRES(has(span(x, 0, (ix(outer, n, 0) - 1))),
           "reads(x, ix(outer, n, 0)): \\valid_read(x + (0 .. ix(outer, n, 0) - 1))", outer, n)
  REQUIRES((!(VEC != 0) || aligned16(x)),
           "VEC != 0 ==> aligned16(x)", VEC)
  REQUIRES((0 <= ix(outer, chunks, 0) && ix(outer, chunks, 0) <= 0x0fffffffffffffff),
           "writes(out, ix(outer, chunks, 0)): 0 <= ix(outer, chunks, 0) <= 0x0fffffffffffffff", outer, chunks)
  REQUIRES(has(span(out, 0, (ix(outer, chunks, 0) - 1))),
           "writes(out, ix(outer, chunks, 0)): \\valid(out + (0 .. ix(outer, chunks, 0) - 1))", outer, chunks)
  REQUIRES((apart(span(x, 0, (ix(outer, n, 0) - 1)), span(out, 0, (ix(outer, chunks, 0) - 1)))),
           "apart(x, ix(outer, n, 0), out, ix(outer, chunks, 0)): \\separated(x + (0 .. ix(outer, n, 0) - 1), out + (0 .. ix(outer, chunks, 0) - 1))", outer, n, chunks)
  return true;
}

bool check_reduce_rows_full(const launched &l)
{
  const num lanes = l.get<int>(0);
  const num groups = l.get<int>(1);
  const num blocks = l.get<int64_t>(2);
  const num rows = l.get<int64_t>(3);
  const num V = l.get<int>(4);
  const ptr x = l.pointer(6, 4);
  const ptr out = l.pointer(7, 4);
  /* not checked, permission, of the prover's discipline alone:
   *   perm_r(x, ix(rows, 4 * V, 0))
   *   perm(out, rows) */
  REQUIRES((0 <= rows && rows <= 0x0fffffffffffffff),
           "0 <= rows <= 0x0fffffffffffffff", rows)
  REQUIRES((0 < V && V <= ((1 << 30) / 4)),
           "0 < V <= ROWS_WHOLE / 4", V)
  REQUIRES((0 <= blocks && blocks <= 0x7fffffff),
           "0 <= blocks <= 0x7fffffff", blocks)
  REQUIRES((32 <= bdim_ && bdim_ <= 1024),
           "block: 32 <= bdim_ <= 1024", bdim_)
  REQUIRES(((bdim_ % 32) == 0),
           "block: bdim_ % 32 == 0", bdim_)
  REQUIRES((ix(blocks, 1, 0) <= blocks_),
           "ix(blocks, 1, 0) <= blocks_", blocks, blocks_)
  REQUIRES((((((((lanes == 1) && (groups == 32)) || ((lanes == 2) && (groups == 16))) || ((lanes == 4) && (groups == 8))) || ((lanes == 8) && (groups == 4))) || ((lanes == 16) && (groups == 2))) || ((lanes == 32) && (groups == 1))),
           "group(lanes, groups): lanes == 1 && groups == 32 || lanes == 2 && groups == 16 || lanes == 4 && groups == 8 || lanes == 8 && groups == 4 || lanes == 16 && groups == 2 || lanes == 32 && groups == 1", lanes, groups)
  REQUIRES((ix(rows, lanes, 0) <= ix(blocks, bdim_, 0)),
           "ix(rows, lanes, 0) <= ix(blocks, bdim_, 0)", lanes, blocks, rows, bdim_)
  REQUIRES((0 <= ix(rows, (4 * V), 0) && ix(rows, (4 * V), 0) <= 0x0fffffffffffffff),
           "reads(x, ix(rows, 4 * V, 0)): 0 <= ix(rows, 4 * V, 0) <= 0x0fffffffffffffff", rows, V)
  REQUIRES(has(span(x, 0, (ix(rows, (4 * V), 0) - 1))),
           "reads(x, ix(rows, 4 * V, 0)): \\valid_read(x + (0 .. ix(rows, 4 * V, 0) - 1))", rows, V)
  REQUIRES(aligned16(x),
           "aligned16(x)")
  REQUIRES(has(span(out, 0, (rows - 1))),
           "writes(out, rows): \\valid(out + (0 .. rows - 1))", rows)
  REQUIRES((apart(span(x, 0, (ix(rows, (4 * V), 0) - 1)), span(out, 0, (rows - 1)))),
           "apart(x, ix(rows, 4 * V, 0), out, rows): \\separated(x + (0 .. ix(rows, 4 * V, 0) - 1), out + (0 .. rows - 1))", rows, V)
  return true;
}

bool check_reduce_tall(const launched &l)
{
  const num TEAMS = l.constant(1);
  const num outer = l.get<int64_t>(0);
  const num n = l.get<int64_t>(1);
  const num width = l.get<int64_t>(2);
  const num chunk = l.get<int64_t>(3);
  const num chunks = l.get<int64_t>(4);
  const num lanes = l.get<int>(5);
  const num across = l.get<int64_t>(6);
  const ptr x = l.pointer(8, 4);
  const ptr out = l.pointer(9, 4);
  /* not checked, permission, of the prover's discipline alone:
   *   perm_r(x, ix(ix(outer, n, 0), 4 * width, 0))
   *   perm(out, ix(ix(outer, chunks, 0), 4 * width, 0)) */
  REQUIRES((0 < width && width <= 0x0fffffffffffffff),
           "0 < width <= 0x0fffffffffffffff", width)
  REQUIRES((0 <= outer && outer <= 0x0fffffffffffffff),
           "level(outer, n, 4 * width, chunk, chunks): 0 <= outer <= 0x0fffffffffffffff", outer)
  REQUIRES((0 <= n && n <= 0x0fffffffffffffff),
           "level(outer, n, 4 * width, chunk, chunks): 0 <= n <= 0x0fffffffffffffff", n)
  REQUIRES((0 < (4 * width) && (4 * width) <= 0x0fffffffffffffff),
           "level(outer, n, 4 * width, chunk, chunks): 0 < 4 * width <= 0x0fffffffffffffff", width)
  REQUIRES((0 < chunks && chunks <= 0x0fffffffffffffff),
           "level(outer, n, 4 * width, chunk, chunks): 0 < chunks <= 0x0fffffffffffffff", chunks)
  REQUIRES((0 <= chunk && chunk <= 0x0fffffffffffffff),
           "level(outer, n, 4 * width, chunk, chunks): 0 <= chunk <= 0x0fffffffffffffff", chunk)
  REQUIRES((ix(outer, n, 0) <= 0x0fffffffffffffff),
           "level(outer, n, 4 * width, chunk, chunks): ix(outer, n, 0) <= 0x0fffffffffffffff", outer, n)
  REQUIRES((ix((chunks - 1), chunk, 0) <= n && n <= ix(chunks, chunk, 0) && ix(chunks, chunk, 0) <= 0x0fffffffffffffff),
           "level(outer, n, 4 * width, chunk, chunks): ix(chunks - 1, chunk, 0) <= n <= ix(chunks, chunk, 0) <= 0x0fffffffffffffff", n, chunk, chunks)
  REQUIRES((ix(outer, chunks, 0) <= 0x0fffffffffffffff),
           "level(outer, n, 4 * width, chunk, chunks): ix(outer, chunks, 0) <= 0x0fffffffffffffff", outer, chunks)
  REQUIRES((0 <= ix(ix(outer, n, 0), (4 * width), 0) && ix(ix(outer, n, 0), (4 * width), 0) <= 0x0fffffffffffffff),
           "level_io(outer, n, 4 * width, chunks, x, out): 0 <= ix(ix(outer, n, 0), 4 * width, 0) <= 0x0fffffffffffffff", outer, n, width)
  REQUIRES(has(span(x, 0, (ix(ix(outer, n, 0), (4 * width), 0) - 1))),
           "level_io(outer, n, 4 * width, chunks, x, out): \\valid_read(x + (0 .. ix(ix(outer, n, 0), 4 * width, 0) - 1))", outer, n, width)
  REQUIRES((0 <= ix(ix(outer, chunks, 0), (4 * width), 0) && ix(ix(outer, chunks, 0), (4 * width), 0) <= 0x0fffffffffffffff),
           "level_io(outer, n, 4 * width, chunks, x, out): 0 <= ix(ix(outer, chunks, 0), 4 * width, 0) <= 0x0fffffffffffffff", outer, width, chunks)
  REQUIRES(has(span(out, 0, (ix(ix(outer, chunks, 0), (4 * width), 0) - 1))),
           "level_io(outer, n, 4 * width, chunks, x, out): \\valid(out + (0 .. ix(ix(outer, chunks, 0), 4 * width, 0) - 1))", outer, width, chunks)
  REQUIRES((apart(span(x, 0, (ix(ix(outer, n, 0), (4 * width), 0) - 1)), span(out, 0, (ix(ix(outer, chunks, 0), (4 * width), 0) - 1)))),
           "level_io(outer, n, 4 * width, chunks, x, out): \\separated(x + (0 .. ix(ix(outer, n, 0), 4 * width, 0) - 1), out + (0 .. ix(ix(outer, chunks, 0), 4 * width, 0) - 1))", outer, n, width, chunks)
  REQUIRES(aligned16(x),
           "aligned16(x)")
  REQUIRES(aligned16(out),
           "aligned16(out)")
  REQUIRES((0 < across),
           "0 < across", across)
  REQUIRES((ix((across - 1), lanes, 0) < width && width <= ix(across, lanes, 0) && ix(across, lanes, 0) <= 0x0fffffffffffffff),
           "ix(across - 1, lanes, 0) < width <= ix(across, lanes, 0) <= 0x0fffffffffffffff", width, lanes, across)
  REQUIRES((ix(ix(outer, chunks, 0), across, 0) <= blocks_),
           "ix(ix(outer, chunks, 0), across, 0) <= blocks_", outer, chunks, across, blocks_)
  REQUIRES((0 < TEAMS && TEAMS <= 1024),
           "0 < TEAMS <= 1024", TEAMS)
  REQUIRES((0 < lanes && lanes <= 1024),
           "0 < lanes <= 1024", lanes)
  REQUIRES((ix(TEAMS, lanes, 0) == bdim_),
           "ix(TEAMS, lanes, 0) == bdim_", TEAMS, lanes, bdim_)
  REQUIRES((32 <= bdim_ && bdim_ <= 1024),
           "block: 32 <= bdim_ <= 1024", bdim_)
  REQUIRES(((bdim_ % 32) == 0),
           "block: bdim_ % 32 == 0", bdim_)
  return true;
}

bool check_reduce_vjp_cols(const launched &l)
{
  const num WHICH = l.constant(0);
  const num W = l.constant(1);
  const num outer = l.get<int64_t>(0);
  const num n = l.get<int64_t>(1);
  const num width = l.get<int64_t>(2);
  const num chunk = l.get<int64_t>(3);
  const num chunks = l.get<int64_t>(4);
  const ptr x = l.pointer(6, 4);
  const ptr y = l.pointer(7, 4);
  const ptr ties = l.pointer(8, 8);
  const ptr g = l.pointer(9, 4);
  const ptr dx = l.pointer(10, 4);
  /* not checked, permission, of the prover's discipline alone:
   *   perm_r(g, wide(W, ix(outer, width, 0)))
   *   WHICH == AXIS_MAX ==> perm_r(y, wide(W, ix(outer, width, 0)))
   *   WHICH == AXIS_MAX ==> perm_r(x, wide(W, ix(ix(outer, n, 0), width, 0)))
   *   perm(dx, wide(W, ix(ix(outer, n, 0), width, 0))) */
  REQUIRES((0 <= outer && outer <= 0x0fffffffffffffff),
           "spread_sizes(outer, n, chunk, chunks): 0 <= outer <= 0x0fffffffffffffff", outer)
  REQUIRES((0 <= n && n <= 0x0fffffffffffffff),
           "spread_sizes(outer, n, chunk, chunks): 0 <= n <= 0x0fffffffffffffff", n)
  REQUIRES((0 < 1 && 1 <= 0x0fffffffffffffff),
           "spread_sizes(outer, n, chunk, chunks): 0 < 1 <= 0x0fffffffffffffff")
  REQUIRES((0 < chunks && chunks <= 0x0fffffffffffffff),
           "spread_sizes(outer, n, chunk, chunks): 0 < chunks <= 0x0fffffffffffffff", chunks)
  REQUIRES((0 <= chunk && chunk <= 0x0fffffffffffffff),
           "spread_sizes(outer, n, chunk, chunks): 0 <= chunk <= 0x0fffffffffffffff", chunk)
  REQUIRES((ix(outer, n, 0) <= 0x0fffffffffffffff),
           "spread_sizes(outer, n, chunk, chunks): ix(outer, n, 0) <= 0x0fffffffffffffff", outer, n)
  REQUIRES((ix((chunks - 1), chunk, 0) <= n && n <= ix(chunks, chunk, 0) && ix(chunks, chunk, 0) <= 0x0fffffffffffffff),
           "spread_sizes(outer, n, chunk, chunks): ix(chunks - 1, chunk, 0) <= n <= ix(chunks, chunk, 0) <= 0x0fffffffffffffff", n, chunk, chunks)
  REQUIRES((ix(outer, chunks, 0) <= 0x0fffffffffffffff),
           "spread_sizes(outer, n, chunk, chunks): ix(outer, chunks, 0) <= 0x0fffffffffffffff", outer, chunks)
  REQUIRES((ix((chunks - 1), chunk, 0) < n),
           "spread_sizes(outer, n, chunk, chunks): ix(chunks - 1, chunk, 0) < n", n, chunk, chunks)
  REQUIRES((chunk <= 1024),
           "spread_sizes(outer, n, chunk, chunks): chunk <= SPREAD_ROW", chunk)
  REQUIRES((0 < width && width <= 0x0fffffffffffffff),
           "0 < width <= 0x0fffffffffffffff", width)
  REQUIRES(((W == 1) || (W == 4)),
           "spread_in(WHICH, W, x, y, ties, g, dx, wide(W, ix(outer, width, 0)), wide(W, ix(ix(outer, n, 0), width, 0))): W == 1 || W == 4", W)
  REQUIRES((!(W == 4) || aligned16(dx)),
           "spread_in(WHICH, W, x, y, ties, g, dx, wide(W, ix(outer, width, 0)), wide(W, ix(ix(outer, n, 0), width, 0))): W == 4 ==> aligned16(dx)", W)
  REQUIRES((wide(W, ix(outer, width, 0)) <= 0x0fffffffffffffff),
           "spread_in(WHICH, W, x, y, ties, g, dx, wide(W, ix(outer, width, 0)), wide(W, ix(ix(outer, n, 0), width, 0))): wide(W, ix(outer, width, 0)) <= 0x0fffffffffffffff", W, outer, width)
  REQUIRES(has(span(g, 0, (wide(W, ix(outer, width, 0)) - 1))),
           "spread_in(WHICH, W, x, y, ties, g, dx, wide(W, ix(outer, width, 0)), wide(W, ix(ix(outer, n, 0), width, 0))): \\valid_read(g + (0 .. wide(W, ix(outer, width, 0)) - 1))", W, outer, width)
  REQUIRES(has(span(dx, 0, (wide(W, ix(ix(outer, n, 0), width, 0)) - 1))),
           "spread_in(WHICH, W, x, y, ties, g, dx, wide(W, ix(outer, width, 0)), wide(W, ix(ix(outer, n, 0), width, 0))): \\valid(dx + (0 .. wide(W, ix(ix(outer, n, 0), width, 0)) - 1))", W, outer, n, width)
  REQUIRES((!(WHICH == 2) || has(span(ties, 0, (wide(W, ix(outer, width, 0)) - 1)))),
           "spread_in(WHICH, W, x, y, ties, g, dx, wide(W, ix(outer, width, 0)), wide(W, ix(ix(outer, n, 0), width, 0))): WHICH == AXIS_MAX ==> \\valid_read(ties + (0 .. wide(W, ix(outer, width, 0)) - 1))", WHICH, W, outer, width)
  REQUIRES((!(WHICH == 2) || (0 <= wide(W, ix(outer, width, 0)) && wide(W, ix(outer, width, 0)) <= 0x0fffffffffffffff)),
           "spread_in(WHICH, W, x, y, ties, g, dx, wide(W, ix(outer, width, 0)), wide(W, ix(ix(outer, n, 0), width, 0))): WHICH == AXIS_MAX ==> 0 <= wide(W, ix(outer, width, 0)) <= 0x0fffffffffffffff", WHICH, W, outer, width)
  REQUIRES((!(WHICH == 2) || has(span(y, 0, (wide(W, ix(outer, width, 0)) - 1)))),
           "spread_in(WHICH, W, x, y, ties, g, dx, wide(W, ix(outer, width, 0)), wide(W, ix(ix(outer, n, 0), width, 0))): WHICH == AXIS_MAX ==> \\valid_read(y + (0 .. wide(W, ix(outer, width, 0)) - 1))", WHICH, W, outer, width)
  REQUIRES((!(WHICH == 2) || (0 <= wide(W, ix(ix(outer, n, 0), width, 0)) && wide(W, ix(ix(outer, n, 0), width, 0)) <= 0x0fffffffffffffff)),
           "spread_in(WHICH, W, x, y, ties, g, dx, wide(W, ix(outer, width, 0)), wide(W, ix(ix(outer, n, 0), width, 0))): WHICH == AXIS_MAX ==> 0 <= wide(W, ix(ix(outer, n, 0), width, 0)) <= 0x0fffffffffffffff", WHICH, W, outer, n, width)
  REQUIRES((!(WHICH == 2) || has(span(x, 0, (wide(W, ix(ix(outer, n, 0), width, 0)) - 1)))),
           "spread_in(WHICH, W, x, y, ties, g, dx, wide(W, ix(outer, width, 0)), wide(W, ix(ix(outer, n, 0), width, 0))): WHICH == AXIS_MAX ==> \\valid_read(x + (0 .. wide(W, ix(ix(outer, n, 0), width, 0)) - 1))", WHICH, W, outer, n, width)
  REQUIRES((!(WHICH == 2) || (!(W == 4) || aligned16(x))),
           "spread_in(WHICH, W, x, y, ties, g, dx, wide(W, ix(outer, width, 0)), wide(W, ix(ix(outer, n, 0), width, 0))): WHICH == AXIS_MAX ==> W == 4 ==> aligned16(x)", WHICH, W)
  REQUIRES((wide(W, ix(ix(outer, n, 0), width, 0)) <= 0x0fffffffffffffff),
           "wide(W, ix(ix(outer, n, 0), width, 0)) <= 0x0fffffffffffffff", W, outer, n, width)
  REQUIRES((ix(ix(outer, chunks, 0), width, 0) <= gsize_),
           "ix(ix(outer, chunks, 0), width, 0) <= gsize_", outer, width, chunks, gsize_)
  REQUIRES((apart(span(g, 0, (wide(W, ix(outer, width, 0)) - 1)), span(dx, 0, (wide(W, ix(ix(outer, n, 0), width, 0)) - 1)))),
           "spread_apart(WHICH, x, y, g, dx, wide(W, ix(outer, width, 0)), wide(W, ix(ix(outer, n, 0), width, 0))): \\separated(g + (0 .. wide(W, ix(outer, width, 0)) - 1), dx + (0 .. wide(W, ix(ix(outer, n, 0), width, 0)) - 1))", W, outer, n, width)
  REQUIRES((!(WHICH == 2) || (apart(span(x, 0, (wide(W, ix(ix(outer, n, 0), width, 0)) - 1)), span(dx, 0, (wide(W, ix(ix(outer, n, 0), width, 0)) - 1))))),
           "spread_apart(WHICH, x, y, g, dx, wide(W, ix(outer, width, 0)), wide(W, ix(ix(outer, n, 0), width, 0))): WHICH == AXIS_MAX ==> \\separated(x + (0 .. wide(W, ix(ix(outer, n, 0), width, 0)) - 1), dx + (0 .. wide(W, ix(ix(outer, n, 0), width, 0)) - 1))", WHICH, W, outer, n, width)
  REQUIRES((!(WHICH == 2) || (apart(span(y, 0, (wide(W, ix(outer, width, 0)) - 1)), span(dx, 0, (wide(W, ix(ix(outer, n, 0), width, 0)) - 1))))),
           "spread_apart(WHICH, x, y, g, dx, wide(W, ix(outer, width, 0)), wide(W, ix(ix(outer, n, 0), width, 0))): WHICH == AXIS_MAX ==> \\separated(y + (0 .. wide(W, ix(outer, width, 0)) - 1), dx + (0 .. wide(W, ix(ix(outer, n, 0), width, 0)) - 1))", WHICH, W, outer, n, width)
  return true;
}

bool check_reduce_vjp_rows(const launched &l)
{
  const num WHICH = l.constant(0);
  const num W = l.constant(1);
  const num lanes = l.get<int>(0);
  const num groups = l.get<int>(1);
  const num outer = l.get<int64_t>(2);
  const num n = l.get<int64_t>(3);
  const num chunk = l.get<int64_t>(4);
  const num chunks = l.get<int64_t>(5);
  const ptr x = l.pointer(7, 4);
  const ptr y = l.pointer(8, 4);
  const ptr ties = l.pointer(9, 8);
  const ptr g = l.pointer(10, 4);
  const ptr dx = l.pointer(11, 4);
  /* not checked, permission, of the prover's discipline alone:
   *   perm_r(g, outer)
   *   WHICH == AXIS_MAX ==> perm_r(y, outer)
   *   WHICH == AXIS_MAX ==> perm_r(x, ix(outer, n, 0))
   *   perm(dx, ix(outer, n, 0)) */
  REQUIRES((0 <= outer && outer <= 0x0fffffffffffffff),
           "spread_sizes(outer, n, chunk, chunks): 0 <= outer <= 0x0fffffffffffffff", outer)
  REQUIRES((0 <= n && n <= 0x0fffffffffffffff),
           "spread_sizes(outer, n, chunk, chunks): 0 <= n <= 0x0fffffffffffffff", n)
  REQUIRES((0 < 1 && 1 <= 0x0fffffffffffffff),
           "spread_sizes(outer, n, chunk, chunks): 0 < 1 <= 0x0fffffffffffffff")
  REQUIRES((0 < chunks && chunks <= 0x0fffffffffffffff),
           "spread_sizes(outer, n, chunk, chunks): 0 < chunks <= 0x0fffffffffffffff", chunks)
  REQUIRES((0 <= chunk && chunk <= 0x0fffffffffffffff),
           "spread_sizes(outer, n, chunk, chunks): 0 <= chunk <= 0x0fffffffffffffff", chunk)
  REQUIRES((ix(outer, n, 0) <= 0x0fffffffffffffff),
           "spread_sizes(outer, n, chunk, chunks): ix(outer, n, 0) <= 0x0fffffffffffffff", outer, n)
  REQUIRES((ix((chunks - 1), chunk, 0) <= n && n <= ix(chunks, chunk, 0) && ix(chunks, chunk, 0) <= 0x0fffffffffffffff),
           "spread_sizes(outer, n, chunk, chunks): ix(chunks - 1, chunk, 0) <= n <= ix(chunks, chunk, 0) <= 0x0fffffffffffffff", n, chunk, chunks)
  REQUIRES((ix(outer, chunks, 0) <= 0x0fffffffffffffff),
           "spread_sizes(outer, n, chunk, chunks): ix(outer, chunks, 0) <= 0x0fffffffffffffff", outer, chunks)
  REQUIRES((ix((chunks - 1), chunk, 0) < n),
           "spread_sizes(outer, n, chunk, chunks): ix(chunks - 1, chunk, 0) < n", n, chunk, chunks)
  REQUIRES((chunk <= 1024),
           "spread_sizes(outer, n, chunk, chunks): chunk <= SPREAD_ROW", chunk)
  REQUIRES((((((((lanes == 1) && (groups == 32)) || ((lanes == 2) && (groups == 16))) || ((lanes == 4) && (groups == 8))) || ((lanes == 8) && (groups == 4))) || ((lanes == 16) && (groups == 2))) || ((lanes == 32) && (groups == 1))),
           "group(lanes, groups): lanes == 1 && groups == 32 || lanes == 2 && groups == 16 || lanes == 4 && groups == 8 || lanes == 8 && groups == 4 || lanes == 16 && groups == 2 || lanes == 32 && groups == 1", lanes, groups)
  REQUIRES((gsize_ <= 0x7fffffffffff),
           "gsize_ <= THREADS", gsize_)
  REQUIRES(((W == 1) || (W == 4)),
           "spread_in(WHICH, W, x, y, ties, g, dx, outer, ix(outer, n, 0)): W == 1 || W == 4", W)
  REQUIRES((!(W == 4) || aligned16(dx)),
           "spread_in(WHICH, W, x, y, ties, g, dx, outer, ix(outer, n, 0)): W == 4 ==> aligned16(dx)", W)
  REQUIRES((outer <= 0x0fffffffffffffff),
           "spread_in(WHICH, W, x, y, ties, g, dx, outer, ix(outer, n, 0)): outer <= 0x0fffffffffffffff", outer)
  REQUIRES(has(span(g, 0, (outer - 1))),
           "spread_in(WHICH, W, x, y, ties, g, dx, outer, ix(outer, n, 0)): \\valid_read(g + (0 .. outer - 1))", outer)
  REQUIRES(has(span(dx, 0, (ix(outer, n, 0) - 1))),
           "spread_in(WHICH, W, x, y, ties, g, dx, outer, ix(outer, n, 0)): \\valid(dx + (0 .. ix(outer, n, 0) - 1))", outer, n)
  REQUIRES((!(WHICH == 2) || has(span(ties, 0, (outer - 1)))),
           "spread_in(WHICH, W, x, y, ties, g, dx, outer, ix(outer, n, 0)): WHICH == AXIS_MAX ==> \\valid_read(ties + (0 .. outer - 1))", WHICH, outer)
  REQUIRES((!(WHICH == 2) || (0 <= outer && outer <= 0x0fffffffffffffff)),
           "spread_in(WHICH, W, x, y, ties, g, dx, outer, ix(outer, n, 0)): WHICH == AXIS_MAX ==> 0 <= outer <= 0x0fffffffffffffff", WHICH, outer)
  REQUIRES((!(WHICH == 2) || has(span(y, 0, (outer - 1)))),
           "spread_in(WHICH, W, x, y, ties, g, dx, outer, ix(outer, n, 0)): WHICH == AXIS_MAX ==> \\valid_read(y + (0 .. outer - 1))", WHICH, outer)
  REQUIRES((!(WHICH == 2) || (0 <= ix(outer, n, 0) && ix(outer, n, 0) <= 0x0fffffffffffffff)),
           "spread_in(WHICH, W, x, y, ties, g, dx, outer, ix(outer, n, 0)): WHICH == AXIS_MAX ==> 0 <= ix(outer, n, 0) <= 0x0fffffffffffffff", WHICH, outer, n)
  REQUIRES((!(WHICH == 2) || has(span(x, 0, (ix(outer, n, 0) - 1)))),
           "spread_in(WHICH, W, x, y, ties, g, dx, outer, ix(outer, n, 0)): WHICH == AXIS_MAX ==> \\valid_read(x + (0 .. ix(outer, n, 0) - 1))", WHICH, outer, n)
  REQUIRES((!(WHICH == 2) || (!(W == 4) || aligned16(x))),
           "spread_in(WHICH, W, x, y, ties, g, dx, outer, ix(outer, n, 0)): WHICH == AXIS_MAX ==> W == 4 ==> aligned16(x)", WHICH, W)
  REQUIRES((apart(span(g, 0, (outer - 1)), span(dx, 0, (ix(outer, n, 0) - 1)))),
           "spread_apart(WHICH, x, y, g, dx, outer, ix(outer, n, 0)): \\separated(g + (0 .. outer - 1), dx + (0 .. ix(outer, n, 0) - 1))", outer, n)
  REQUIRES((!(WHICH == 2) || (apart(span(x, 0, (ix(outer, n, 0) - 1)), span(dx, 0, (ix(outer, n, 0) - 1))))),
           "spread_apart(WHICH, x, y, g, dx, outer, ix(outer, n, 0)): WHICH == AXIS_MAX ==> \\separated(x + (0 .. ix(outer, n, 0) - 1), dx + (0 .. ix(outer, n, 0) - 1))", WHICH, outer, n)
  REQUIRES((!(WHICH == 2) || (apart(span(y, 0, (outer - 1)), span(dx, 0, (ix(outer, n, 0) - 1))))),
           "spread_apart(WHICH, x, y, g, dx, outer, ix(outer, n, 0)): WHICH == AXIS_MAX ==> \\separated(y + (0 .. outer - 1), dx + (0 .. ix(outer, n, 0) - 1))", WHICH, outer, n)
  return true;
}

bool check_scatter_add_row(const launched &l)
{
  const num rows = l.get<int64_t>(0);
  const num cols = l.get<int64_t>(1);
  const ptr index = l.pointer(3, 8);
  const ptr u = l.pointer(4, 4);
  const ptr y = l.pointer(5, 4);
  /* not checked, permission, of the prover's discipline alone:
   *   perm(y, ix(rows, cols, 0))
   *   perm_r(u, cols) */
  REQUIRES((0 <= rows && rows <= 0x0fffffffffffffff),
           "rows_out(y, cols, rows): 0 <= rows <= 0x0fffffffffffffff", rows)
  REQUIRES((0 < cols && cols <= 0x0fffffffffffffff),
           "rows_out(y, cols, rows): 0 < cols <= 0x0fffffffffffffff", cols)
  REQUIRES((0 <= ix(rows, cols, 0) && ix(rows, cols, 0) <= 0x0fffffffffffffff),
           "rows_out(y, cols, rows): 0 <= ix(rows, cols, 0) <= 0x0fffffffffffffff", rows, cols)
  REQUIRES(has(span(y, 0, (ix(rows, cols, 0) - 1))),
           "rows_out(y, cols, rows): \\valid(y + (0 .. ix(rows, cols, 0) - 1))", rows, cols)
  REQUIRES((0 <= cols && cols <= 0x0fffffffffffffff),
           "reads(u, cols): 0 <= cols <= 0x0fffffffffffffff", cols)
  REQUIRES(has(span(u, 0, (cols - 1))),
           "reads(u, cols): \\valid_read(u + (0 .. cols - 1))", cols)
  REQUIRES(has(span(index, 0, 0)),
           "\\valid_read(index)")
  REQUIRES((apart(span(index, 0, 0), span(y, 0, (ix(rows, cols, 0) - 1)))),
           "\\separated(index, y + (0 .. ix(rows, cols, 0) - 1))", rows, cols)
  REQUIRES((apart(span(u, 0, (cols - 1)), span(y, 0, (ix(rows, cols, 0) - 1)))),
           "apart(u, cols, y, ix(rows, cols, 0)): \\separated(u + (0 .. cols - 1), y + (0 .. ix(rows, cols, 0) - 1))", rows, cols)
  REQUIRES((cols <= gsize_),
           "cols <= gsize_", cols, gsize_)
  return true;
}

bool check_sgd_kernel(const launched &l)
{
  const num n = l.get<int64_t>(0);
  const num V = l.get<int64_t>(1);
  const ptr p = l.pointer(3, 4);
  const ptr g = l.pointer(4, 4);
  const ptr q = l.pointer(5, 4);
  /* not checked, permission, of the prover's discipline alone:
   *   perm_r(p, n)
   *   perm_r(g, n)
   *   perm(q, n) */
  REQUIRES((0 <= (4 * V) && (4 * V) <= n && n <= 0x0fffffffffffffff),
           "step_size(n, V): 0 <= 4 * V <= n <= 0x0fffffffffffffff", n, V)
  REQUIRES(((n - (3 * V)) <= gsize_ && gsize_ < 0x1000000000000000),
           "n - 3 * V <= gsize_ < 0x1000000000000000", n, V, gsize_)
  REQUIRES((0 <= n && n <= 0x0fffffffffffffff),
           "reads(p, n): 0 <= n <= 0x0fffffffffffffff", n)
  REQUIRES(has(span(p, 0, (n - 1))),
           "reads(p, n): \\valid_read(p + (0 .. n - 1))", n)
  REQUIRES(has(span(g, 0, (n - 1))),
           "reads(g, n): \\valid_read(g + (0 .. n - 1))", n)
  REQUIRES(((p == q) || apart(p, n, q, n)),
           "step_place(p, q, n): p == q || apart(p, n, q, n)", n)
  REQUIRES((apart(span(g, 0, (n - 1)), span(q, 0, (n - 1)))),
           "apart(g, n, q, n): \\separated(g + (0 .. n - 1), q + (0 .. n - 1))", n)
  REQUIRES((!(0 < V) || aligned16(p)),
           "0 < V ==> aligned16(p) && aligned16(g) && aligned16(q): 0 < V ==> aligned16(p)", V)
  REQUIRES((!(0 < V) || aligned16(g)),
           "0 < V ==> aligned16(p) && aligned16(g) && aligned16(q): 0 < V ==> aligned16(g)", V)
  REQUIRES((!(0 < V) || aligned16(q)),
           "0 < V ==> aligned16(p) && aligned16(g) && aligned16(q): 0 < V ==> aligned16(q)", V)
  REQUIRES(has(span(q, 0, (n - 1))),
           "writes(q, n): \\valid(q + (0 .. n - 1))", n)
  return true;
}

bool check_softmax_cluster(const launched &l)
{
  const num VEC = l.constant(1);
  const num rows = l.get<int64_t>(0);
  const num cols = l.get<int64_t>(1);
  const num slice = l.get<int64_t>(2);
  const ptr x = l.pointer(3, 4);
  const ptr y = l.pointer(4, 4);
  /* not checked, no number that is known stands for it:
   *   Lowest < OnceLeast */
  /* not checked, permission, of the prover's discipline alone:
   *   perm_r(x, ix(rows, cols, 0))
   *   perm(y, ix(rows, cols, 0)) */
  /* not checked, values of tensors over the reals, which an earlier launch left or the case has:
   *   \forall integer i; 0 <= i < ix(rows, cols, 0) ==> OnceLeast <= *(x + i) */
  /* not checked, what the blocks of a cluster will tell each other:
   *   \forall integer r; 0 <= r < rows ==> row_says(r, x + ix(r, cols, 0), cols, slice) */
  REQUIRES((0 < cols && cols <= 0x0fffffffffffffff),
           "row_split(cols, slice, CLUSTER_MOST): 0 < cols <= 0x0fffffffffffffff", cols)
  REQUIRES((0 < slice && slice <= 0x0fffffffffffffff),
           "row_split(cols, slice, CLUSTER_MOST): 0 < slice <= 0x0fffffffffffffff", slice)
  REQUIRES(((slice % 4) == 0 && 0 < 8 && 8 <= 1024),
           "row_split(cols, slice, CLUSTER_MOST): slice % 4 == 0 < CLUSTER_MOST <= 1024", slice)
  REQUIRES((ix((8 - 1), slice, 0) < cols && cols <= ix(8, slice, 0) && ix(8, slice, 0) <= 0x0fffffffffffffff),
           "row_split(cols, slice, CLUSTER_MOST): ix(CLUSTER_MOST - 1, slice, 0) < cols <= ix(CLUSTER_MOST, slice, 0) <= 0x0fffffffffffffff", cols, slice)
  REQUIRES((32 <= bdim_ && bdim_ <= 1024),
           "row_fits(8, slice): 32 <= bdim_ <= 1024", bdim_)
  REQUIRES(((bdim_ % 32) == 0),
           "row_fits(8, slice): bdim_ % 32 == 0", bdim_)
  REQUIRES((0 < 8 && 8 <= 8),
           "row_fits(8, slice): 0 < 8 <= 8")
  REQUIRES((0 < slice && slice <= (4 * mul(8, bdim_))),
           "row_fits(8, slice): 0 < slice <= 4 * mul(8, bdim_)", slice, bdim_)
  REQUIRES((slice <= ((4 * 8) * 1024)),
           "row_fits(8, slice): slice <= 4 * 8 * 1024", slice)
  REQUIRES((0 <= rows && rows <= 0x0fffffffffffffff),
           "0 <= rows <= 0x0fffffffffffffff", rows)
  REQUIRES((ix(rows, 8, 0) <= blocks_),
           "ix(rows, CLUSTER_MOST, 0) <= blocks_", rows, blocks_)
  REQUIRES((0 <= ix(rows, cols, 0) && ix(rows, cols, 0) <= 0x0fffffffffffffff),
           "reads(x, ix(rows, cols, 0)): 0 <= ix(rows, cols, 0) <= 0x0fffffffffffffff", rows, cols)
  REQUIRES(has(span(x, 0, (ix(rows, cols, 0) - 1))),
           "reads(x, ix(rows, cols, 0)): \\valid_read(x + (0 .. ix(rows, cols, 0) - 1))", rows, cols)
  REQUIRES(has(span(y, 0, (ix(rows, cols, 0) - 1))),
           "writes(y, ix(rows, cols, 0)): \\valid(y + (0 .. ix(rows, cols, 0) - 1))", rows, cols)
  REQUIRES((apart(span(x, 0, (ix(rows, cols, 0) - 1)), span(y, 0, (ix(rows, cols, 0) - 1)))),
           "apart(x, ix(rows, cols, 0), y, ix(rows, cols, 0)): \\separated(x + (0 .. ix(rows, cols, 0) - 1), y + (0 .. ix(rows, cols, 0) - 1))", rows, cols)
  REQUIRES((!(VEC != 0) || ((cols % 4) == 0)),
           "VEC != 0 ==> cols % 4 == 0 && aligned16(x) && aligned16(y): VEC != 0 ==> cols % 4 == 0", VEC, cols)
  REQUIRES((!(VEC != 0) || aligned16(x)),
           "VEC != 0 ==> cols % 4 == 0 && aligned16(x) && aligned16(y): VEC != 0 ==> aligned16(x)", VEC)
  REQUIRES((!(VEC != 0) || aligned16(y)),
           "VEC != 0 ==> cols % 4 == 0 && aligned16(x) && aligned16(y): VEC != 0 ==> aligned16(y)", VEC)
  return true;
}

bool check_softmax_regs(const launched &l)
{
  const num K = l.constant(1);
  const num VEC = l.constant(2);
  const num WHOLE = l.constant(3);
  const num rows = l.get<int64_t>(0);
  const num cols = l.get<int>(1);
  const ptr x = l.pointer(2, 4);
  const ptr y = l.pointer(3, 4);
  /* not checked, permission, of the prover's discipline alone:
   *   perm_r(x, ix(rows, cols, 0))
   *   \forall integer r, integer c; 0 <= r < rows ==> 0 <= c < cols ==> owner(y + (ix(r, cols, 0) + c), r, dealt(c, bdim_)) */
  REQUIRES((32 <= bdim_ && bdim_ <= 1024),
           "row_fits(K, cols): 32 <= bdim_ <= 1024", bdim_)
  REQUIRES(((bdim_ % 32) == 0),
           "row_fits(K, cols): bdim_ % 32 == 0", bdim_)
  REQUIRES((0 < K && K <= 8),
           "row_fits(K, cols): 0 < K <= 8", K)
  REQUIRES((0 < cols && cols <= (4 * mul(K, bdim_))),
           "row_fits(K, cols): 0 < cols <= 4 * mul(K, bdim_)", K, cols, bdim_)
  REQUIRES((cols <= ((4 * 8) * 1024)),
           "row_fits(K, cols): cols <= 4 * 8 * 1024", cols)
  REQUIRES((0 <= rows && rows <= 0x0fffffffffffffff),
           "0 <= rows <= 0x0fffffffffffffff", rows)
  REQUIRES((ix(rows, 1, 0) <= blocks_),
           "ix(rows, 1, 0) <= blocks_", rows, blocks_)
  REQUIRES((0 <= ix(rows, cols, 0) && ix(rows, cols, 0) <= 0x0fffffffffffffff),
           "reads(x, ix(rows, cols, 0)): 0 <= ix(rows, cols, 0) <= 0x0fffffffffffffff", rows, cols)
  REQUIRES(has(span(x, 0, (ix(rows, cols, 0) - 1))),
           "reads(x, ix(rows, cols, 0)): \\valid_read(x + (0 .. ix(rows, cols, 0) - 1))", rows, cols)
  REQUIRES(has(span(y, 0, (ix(rows, cols, 0) - 1))),
           "own_rows(y, rows, cols): \\valid(y + (0 .. ix(rows, cols, 0) - 1))", rows, cols)
  REQUIRES((apart(span(x, 0, (ix(rows, cols, 0) - 1)), span(y, 0, (ix(rows, cols, 0) - 1)))),
           "apart(x, ix(rows, cols, 0), y, ix(rows, cols, 0)): \\separated(x + (0 .. ix(rows, cols, 0) - 1), y + (0 .. ix(rows, cols, 0) - 1))", rows, cols)
  REQUIRES((!(VEC != 0) || ((cols % 4) == 0)),
           "VEC != 0 ==> cols % 4 == 0 && aligned16(x) && aligned16(y): VEC != 0 ==> cols % 4 == 0", VEC, cols)
  REQUIRES((!(VEC != 0) || aligned16(x)),
           "VEC != 0 ==> cols % 4 == 0 && aligned16(x) && aligned16(y): VEC != 0 ==> aligned16(x)", VEC)
  REQUIRES((!(VEC != 0) || aligned16(y)),
           "VEC != 0 ==> cols % 4 == 0 && aligned16(x) && aligned16(y): VEC != 0 ==> aligned16(y)", VEC)
  REQUIRES(((WHOLE == 0) || ((((((WHOLE == 64) || (WHOLE == 128)) || (WHOLE == 256)) || (WHOLE == 512)) && (bdim_ == WHOLE)) && (cols == ((4 * K) * WHOLE)))),
           "whole_row(WHOLE, K, cols): WHOLE == 0 || (WHOLE == 64 || WHOLE == 128 || WHOLE == 256 || WHOLE == 512) && bdim_ == WHOLE && cols == 4 * K * WHOLE", K, WHOLE, cols, bdim_)
  return true;
}

bool check_softmax_shared(const launched &l)
{
  const num VEC = l.constant(1);
  const num blocks = l.get<int64_t>(0);
  const num rows = l.get<int64_t>(1);
  const num n = l.get<int>(2);
  const ptr x = l.pointer(3, 4);
  const ptr y = l.pointer(4, 4);
  /* not checked, no number that is known stands for it:
   *   above_lowest(x, ix(rows, n, 0)) */
  /* not checked, permission, of the prover's discipline alone:
   *   perm_r(x, ix(rows, n, 0))
   *   perm(y, ix(rows, n, 0)) */
  REQUIRES((32 <= bdim_ && bdim_ <= 1024),
           "slots_fit(n): 32 <= bdim_ <= 1024", bdim_)
  REQUIRES(((bdim_ % 32) == 0),
           "slots_fit(n): bdim_ % 32 == 0", bdim_)
  REQUIRES((0 < n && n <= 57856),
           "slots_fit(n): 0 < n <= 57856", n)
  REQUIRES(((n + 31) <= (4 * slots_)),
           "slots_fit(n): n + 31 <= 4 * slots_", n, slots_)
  REQUIRES((slots_ <= 14472),
           "slots_fit(n): slots_ <= 14472", slots_)
  REQUIRES((0 < blocks && blocks <= 0x0fffffffffffffff),
           "0 < blocks <= 0x0fffffffffffffff", blocks)
  REQUIRES((ix(blocks, 1, 0) <= blocks_),
           "ix(blocks, 1, 0) <= blocks_", blocks, blocks_)
  REQUIRES((0 <= rows && rows <= 0x0fffffffffffffff),
           "soft_tensors(x, y, rows, n, VEC): 0 <= rows <= 0x0fffffffffffffff", rows)
  REQUIRES((0 <= ix(rows, n, 0) && ix(rows, n, 0) <= 0x0fffffffffffffff),
           "soft_tensors(x, y, rows, n, VEC): 0 <= ix(rows, n, 0) <= 0x0fffffffffffffff", rows, n)
  REQUIRES(has(span(x, 0, (ix(rows, n, 0) - 1))),
           "soft_tensors(x, y, rows, n, VEC): \\valid_read(x + (0 .. ix(rows, n, 0) - 1))", rows, n)
  REQUIRES((!(VEC != 0) || aligned16(x)),
           "soft_tensors(x, y, rows, n, VEC): VEC != 0 ==> aligned16(x)", VEC)
  REQUIRES(has(span(y, 0, (ix(rows, n, 0) - 1))),
           "soft_tensors(x, y, rows, n, VEC): \\valid(y + (0 .. ix(rows, n, 0) - 1))", rows, n)
  REQUIRES((!(VEC != 0) || aligned16(y)),
           "soft_tensors(x, y, rows, n, VEC): VEC != 0 ==> aligned16(y)", VEC)
  REQUIRES((apart(span(x, 0, (ix(rows, n, 0) - 1)), span(y, 0, (ix(rows, n, 0) - 1)))),
           "soft_tensors(x, y, rows, n, VEC): \\separated(x + (0 .. ix(rows, n, 0) - 1), y + (0 .. ix(rows, n, 0) - 1))", rows, n)
  return true;
}

bool check_softmax_split_out(const launched &l)
{
  const num VEC = l.constant(1);
  const num rows = l.get<int64_t>(0);
  const num cols = l.get<int64_t>(1);
  const num chunk = l.get<int64_t>(2);
  const num pieces = l.get<int>(3);
  const ptr x = l.pointer(4, 4);
  const ptr tops = l.pointer(5, 4);
  const ptr sums = l.pointer(6, 4);
  const ptr y = l.pointer(7, 4);
  /* not checked, no number that is known stands for it:
   *   Lowest < OnceLeast
   *   all_pieces(tops, sums, x, cols, chunk, pieces, rows) */
  /* not checked, permission, of the prover's discipline alone:
   *   perm_r(x, ix(rows, cols, 0))
   *   perm(y, ix(rows, cols, 0))
   *   perm_r(x, ix(rows, cols, 0))
   *   perm_r(tops, ix(rows, pieces, 0))
   *   perm_r(sums, ix(rows, pieces, 0)) */
  /* not checked, values of tensors over the reals, which an earlier launch left or the case has:
   *   \forall integer i; 0 <= i < ix(rows, cols, 0) ==> OnceLeast <= *(x + i) */
  REQUIRES((32 <= bdim_ && bdim_ <= 1024),
           "block: 32 <= bdim_ <= 1024", bdim_)
  REQUIRES(((bdim_ % 32) == 0),
           "block: bdim_ % 32 == 0", bdim_)
  REQUIRES((0 < cols && cols <= 0x0fffffffffffffff),
           "row_split(cols, chunk, pieces): 0 < cols <= 0x0fffffffffffffff", cols)
  REQUIRES((0 < chunk && chunk <= 0x0fffffffffffffff),
           "row_split(cols, chunk, pieces): 0 < chunk <= 0x0fffffffffffffff", chunk)
  REQUIRES(((chunk % 4) == 0 && 0 < pieces && pieces <= 1024),
           "row_split(cols, chunk, pieces): chunk % 4 == 0 < pieces <= 1024", chunk, pieces)
  REQUIRES((ix((pieces - 1), chunk, 0) < cols && cols <= ix(pieces, chunk, 0) && ix(pieces, chunk, 0) <= 0x0fffffffffffffff),
           "row_split(cols, chunk, pieces): ix(pieces - 1, chunk, 0) < cols <= ix(pieces, chunk, 0) <= 0x0fffffffffffffff", cols, chunk, pieces)
  REQUIRES((0 <= rows && rows <= 0x0fffffffffffffff),
           "spread_tensors(x, y, tops, sums, rows, cols, pieces, VEC): 0 <= rows <= 0x0fffffffffffffff", rows)
  REQUIRES((ix(rows, pieces, 0) <= blocks_),
           "spread_tensors(x, y, tops, sums, rows, cols, pieces, VEC): ix(rows, pieces, 0) <= blocks_", rows, pieces, blocks_)
  REQUIRES((0 <= ix(rows, cols, 0) && ix(rows, cols, 0) <= 0x0fffffffffffffff),
           "spread_tensors(x, y, tops, sums, rows, cols, pieces, VEC): 0 <= ix(rows, cols, 0) <= 0x0fffffffffffffff", rows, cols)
  REQUIRES(has(span(x, 0, (ix(rows, cols, 0) - 1))),
           "spread_tensors(x, y, tops, sums, rows, cols, pieces, VEC): \\valid_read(x + (0 .. ix(rows, cols, 0) - 1))", rows, cols)
  REQUIRES(has(span(y, 0, (ix(rows, cols, 0) - 1))),
           "spread_tensors(x, y, tops, sums, rows, cols, pieces, VEC): \\valid(y + (0 .. ix(rows, cols, 0) - 1))", rows, cols)
  REQUIRES((apart(span(x, 0, (ix(rows, cols, 0) - 1)), span(y, 0, (ix(rows, cols, 0) - 1)))),
           "spread_tensors(x, y, tops, sums, rows, cols, pieces, VEC): \\separated(x + (0 .. ix(rows, cols, 0) - 1), y + (0 .. ix(rows, cols, 0) - 1))", rows, cols)
  REQUIRES((ix(rows, cols, 0) <= 0x0fffffffffffffff),
           "spread_tensors(x, y, tops, sums, rows, cols, pieces, VEC): ix(rows, cols, 0) <= 0x0fffffffffffffff", rows, cols)
  REQUIRES((!(VEC != 0) || ((cols % 4) == 0)),
           "spread_tensors(x, y, tops, sums, rows, cols, pieces, VEC): VEC != 0 ==> cols % 4 == 0", VEC, cols)
  REQUIRES((!(VEC != 0) || aligned16(x)),
           "spread_tensors(x, y, tops, sums, rows, cols, pieces, VEC): VEC != 0 ==> aligned16(x)", VEC)
  REQUIRES((!(VEC != 0) || aligned16(y)),
           "spread_tensors(x, y, tops, sums, rows, cols, pieces, VEC): VEC != 0 ==> aligned16(y)", VEC)
  REQUIRES((0 <= ix(rows, pieces, 0) && ix(rows, pieces, 0) <= 0x0fffffffffffffff),
           "spread_tensors(x, y, tops, sums, rows, cols, pieces, VEC): 0 <= ix(rows, pieces, 0) <= 0x0fffffffffffffff", rows, pieces)
  REQUIRES(has(span(tops, 0, (ix(rows, pieces, 0) - 1))),
           "spread_tensors(x, y, tops, sums, rows, cols, pieces, VEC): \\valid_read(tops + (0 .. ix(rows, pieces, 0) - 1))", rows, pieces)
  REQUIRES(has(span(sums, 0, (ix(rows, pieces, 0) - 1))),
           "spread_tensors(x, y, tops, sums, rows, cols, pieces, VEC): \\valid_read(sums + (0 .. ix(rows, pieces, 0) - 1))", rows, pieces)
  REQUIRES((apart(span(tops, 0, (ix(rows, pieces, 0) - 1)), span(y, 0, (ix(rows, cols, 0) - 1)))),
           "spread_tensors(x, y, tops, sums, rows, cols, pieces, VEC): \\separated(tops + (0 .. ix(rows, pieces, 0) - 1), y + (0 .. ix(rows, cols, 0) - 1))", rows, cols, pieces)
  REQUIRES((apart(span(sums, 0, (ix(rows, pieces, 0) - 1)), span(y, 0, (ix(rows, cols, 0) - 1)))),
           "spread_tensors(x, y, tops, sums, rows, cols, pieces, VEC): \\separated(sums + (0 .. ix(rows, pieces, 0) - 1), y + (0 .. ix(rows, cols, 0) - 1))", rows, cols, pieces)
  return true;
}

bool check_softmax_vjp_cluster(const launched &l)
{
  const num K = l.constant(1);
  const num VEC = l.constant(2);
  const num rows = l.get<int64_t>(1);
  const num cols = l.get<int64_t>(2);
  const num slice = l.get<int64_t>(3);
  const ptr y = l.pointer(4, 4);
  const ptr g = l.pointer(5, 4);
  const ptr dx = l.pointer(6, 4);
  /* not checked, permission, of the prover's discipline alone:
   *   perm_r(y, ix(rows, cols, 0))
   *   perm_r(g, ix(rows, cols, 0))
   *   perm(dx, ix(rows, cols, 0)) */
  /* not checked, what the blocks of a cluster will tell each other:
   *   \forall integer r; 0 <= r < rows ==> pull_says(r, OP, y + ix(r, cols, 0), g + ix(r, cols, 0), cols, slice) */
  REQUIRES((32 <= bdim_ && bdim_ <= 1024),
           "block: 32 <= bdim_ <= 1024", bdim_)
  REQUIRES(((bdim_ % 32) == 0),
           "block: bdim_ % 32 == 0", bdim_)
  REQUIRES((0 < cols && cols <= 0x0fffffffffffffff),
           "row_split(cols, slice, CLUSTER_MOST): 0 < cols <= 0x0fffffffffffffff", cols)
  REQUIRES((0 < slice && slice <= 0x0fffffffffffffff),
           "row_split(cols, slice, CLUSTER_MOST): 0 < slice <= 0x0fffffffffffffff", slice)
  REQUIRES(((slice % 4) == 0 && 0 < 8 && 8 <= 1024),
           "row_split(cols, slice, CLUSTER_MOST): slice % 4 == 0 < CLUSTER_MOST <= 1024", slice)
  REQUIRES((ix((8 - 1), slice, 0) < cols && cols <= ix(8, slice, 0) && ix(8, slice, 0) <= 0x0fffffffffffffff),
           "row_split(cols, slice, CLUSTER_MOST): ix(CLUSTER_MOST - 1, slice, 0) < cols <= ix(CLUSTER_MOST, slice, 0) <= 0x0fffffffffffffff", cols, slice)
  REQUIRES((0 < bdim_ && bdim_ <= 1024),
           "team_fits(K, bdim_, slice): 0 < bdim_ <= 1024", bdim_)
  REQUIRES((0 < K && K <= 8),
           "team_fits(K, bdim_, slice): 0 < K <= 8", K)
  REQUIRES((0 <= slice && slice <= (4 * mul(K, bdim_))),
           "team_fits(K, bdim_, slice): 0 <= slice <= 4 * mul(K, bdim_)", K, slice, bdim_)
  REQUIRES((slice <= ((4 * 8) * 1024)),
           "team_fits(K, bdim_, slice): slice <= 4 * 8 * 1024", slice)
  REQUIRES((0 <= rows && rows <= 0x0fffffffffffffff),
           "0 <= rows <= 0x0fffffffffffffff", rows)
  REQUIRES((ix(rows, 8, 0) <= blocks_),
           "ix(rows, CLUSTER_MOST, 0) <= blocks_", rows, blocks_)
  REQUIRES((ix(rows, cols, 0) <= 0x0fffffffffffffff),
           "ix(rows, cols, 0) <= 0x0fffffffffffffff", rows, cols)
  REQUIRES((0 <= ix(rows, cols, 0) && ix(rows, cols, 0) <= 0x0fffffffffffffff),
           "pull_tensors(y, g, dx, rows, cols, VEC): 0 <= ix(rows, cols, 0) <= 0x0fffffffffffffff", rows, cols)
  REQUIRES(has(span(y, 0, (ix(rows, cols, 0) - 1))),
           "pull_tensors(y, g, dx, rows, cols, VEC): \\valid_read(y + (0 .. ix(rows, cols, 0) - 1))", rows, cols)
  REQUIRES(has(span(g, 0, (ix(rows, cols, 0) - 1))),
           "pull_tensors(y, g, dx, rows, cols, VEC): \\valid_read(g + (0 .. ix(rows, cols, 0) - 1))", rows, cols)
  REQUIRES(has(span(dx, 0, (ix(rows, cols, 0) - 1))),
           "pull_tensors(y, g, dx, rows, cols, VEC): \\valid(dx + (0 .. ix(rows, cols, 0) - 1))", rows, cols)
  REQUIRES((apart(span(y, 0, (ix(rows, cols, 0) - 1)), span(dx, 0, (ix(rows, cols, 0) - 1)))),
           "pull_tensors(y, g, dx, rows, cols, VEC): \\separated(y + (0 .. ix(rows, cols, 0) - 1), dx + (0 .. ix(rows, cols, 0) - 1))", rows, cols)
  REQUIRES((apart(span(g, 0, (ix(rows, cols, 0) - 1)), span(dx, 0, (ix(rows, cols, 0) - 1)))),
           "pull_tensors(y, g, dx, rows, cols, VEC): \\separated(g + (0 .. ix(rows, cols, 0) - 1), dx + (0 .. ix(rows, cols, 0) - 1))", rows, cols)
  REQUIRES((!(VEC != 0) || ((cols % 4) == 0)),
           "pull_tensors(y, g, dx, rows, cols, VEC): VEC != 0 ==> cols % 4 == 0", VEC, cols)
  REQUIRES((!(VEC != 0) || aligned16(y)),
           "pull_tensors(y, g, dx, rows, cols, VEC): VEC != 0 ==> aligned16(y)", VEC)
  REQUIRES((!(VEC != 0) || aligned16(g)),
           "pull_tensors(y, g, dx, rows, cols, VEC): VEC != 0 ==> aligned16(g)", VEC)
  REQUIRES((!(VEC != 0) || aligned16(dx)),
           "pull_tensors(y, g, dx, rows, cols, VEC): VEC != 0 ==> aligned16(dx)", VEC)
  return true;
}

bool check_softmax_vjp_regs(const launched &l)
{
  const num K = l.constant(1);
  const num VEC = l.constant(2);
  const num rows = l.get<int64_t>(1);
  const num cols = l.get<int>(2);
  const ptr y = l.pointer(3, 4);
  const ptr g = l.pointer(4, 4);
  const ptr dx = l.pointer(5, 4);
  /* not checked, permission, of the prover's discipline alone:
   *   perm_r(y, ix(rows, cols, 0))
   *   perm_r(g, ix(rows, cols, 0))
   *   perm(dx, ix(rows, cols, 0)) */
  REQUIRES((32 <= bdim_ && bdim_ <= 1024),
           "block: 32 <= bdim_ <= 1024", bdim_)
  REQUIRES(((bdim_ % 32) == 0),
           "block: bdim_ % 32 == 0", bdim_)
  REQUIRES((0 < bdim_ && bdim_ <= 1024),
           "team_fits(K, bdim_, cols): 0 < bdim_ <= 1024", bdim_)
  REQUIRES((0 < K && K <= 8),
           "team_fits(K, bdim_, cols): 0 < K <= 8", K)
  REQUIRES((0 <= cols && cols <= (4 * mul(K, bdim_))),
           "team_fits(K, bdim_, cols): 0 <= cols <= 4 * mul(K, bdim_)", K, cols, bdim_)
  REQUIRES((cols <= ((4 * 8) * 1024)),
           "team_fits(K, bdim_, cols): cols <= 4 * 8 * 1024", cols)
  REQUIRES((0 < cols),
           "0 < cols", cols)
  REQUIRES((0 <= rows && rows <= 0x0fffffffffffffff),
           "0 <= rows <= 0x0fffffffffffffff", rows)
  REQUIRES((ix(rows, 1, 0) <= blocks_),
           "ix(rows, 1, 0) <= blocks_", rows, blocks_)
  REQUIRES((0 <= ix(rows, cols, 0) && ix(rows, cols, 0) <= 0x0fffffffffffffff),
           "pull_tensors(y, g, dx, rows, cols, VEC): 0 <= ix(rows, cols, 0) <= 0x0fffffffffffffff", rows, cols)
  REQUIRES(has(span(y, 0, (ix(rows, cols, 0) - 1))),
           "pull_tensors(y, g, dx, rows, cols, VEC): \\valid_read(y + (0 .. ix(rows, cols, 0) - 1))", rows, cols)
  REQUIRES(has(span(g, 0, (ix(rows, cols, 0) - 1))),
           "pull_tensors(y, g, dx, rows, cols, VEC): \\valid_read(g + (0 .. ix(rows, cols, 0) - 1))", rows, cols)
  REQUIRES(has(span(dx, 0, (ix(rows, cols, 0) - 1))),
           "pull_tensors(y, g, dx, rows, cols, VEC): \\valid(dx + (0 .. ix(rows, cols, 0) - 1))", rows, cols)
  REQUIRES((apart(span(y, 0, (ix(rows, cols, 0) - 1)), span(dx, 0, (ix(rows, cols, 0) - 1)))),
           "pull_tensors(y, g, dx, rows, cols, VEC): \\separated(y + (0 .. ix(rows, cols, 0) - 1), dx + (0 .. ix(rows, cols, 0) - 1))", rows, cols)
  REQUIRES((apart(span(g, 0, (ix(rows, cols, 0) - 1)), span(dx, 0, (ix(rows, cols, 0) - 1)))),
           "pull_tensors(y, g, dx, rows, cols, VEC): \\separated(g + (0 .. ix(rows, cols, 0) - 1), dx + (0 .. ix(rows, cols, 0) - 1))", rows, cols)
  REQUIRES((!(VEC != 0) || ((cols % 4) == 0)),
           "pull_tensors(y, g, dx, rows, cols, VEC): VEC != 0 ==> cols % 4 == 0", VEC, cols)
  REQUIRES((!(VEC != 0) || aligned16(y)),
           "pull_tensors(y, g, dx, rows, cols, VEC): VEC != 0 ==> aligned16(y)", VEC)
  REQUIRES((!(VEC != 0) || aligned16(g)),
           "pull_tensors(y, g, dx, rows, cols, VEC): VEC != 0 ==> aligned16(g)", VEC)
  REQUIRES((!(VEC != 0) || aligned16(dx)),
           "pull_tensors(y, g, dx, rows, cols, VEC): VEC != 0 ==> aligned16(dx)", VEC)
  return true;
}

bool check_softmax_vjp_shared(const launched &l)
{
  const num VEC = l.constant(1);
  const num blocks = l.get<int64_t>(1);
  const num rows = l.get<int64_t>(2);
  const num cols = l.get<int>(3);
  const ptr y = l.pointer(4, 4);
  const ptr g = l.pointer(5, 4);
  const ptr dx = l.pointer(6, 4);
  /* not checked, permission, of the prover's discipline alone:
   *   perm_r(y, ix(rows, cols, 0))
   *   perm_r(g, ix(rows, cols, 0))
   *   perm_r(dx, ix(rows, cols, 0))
   *   perm(dx, ix(rows, cols, 0)) */
  REQUIRES((32 <= bdim_ && bdim_ <= 1024),
           "slots_fit(cols): 32 <= bdim_ <= 1024", bdim_)
  REQUIRES(((bdim_ % 32) == 0),
           "slots_fit(cols): bdim_ % 32 == 0", bdim_)
  REQUIRES((0 < cols && cols <= 57856),
           "slots_fit(cols): 0 < cols <= 57856", cols)
  REQUIRES(((cols + 31) <= (4 * slots_)),
           "slots_fit(cols): cols + 31 <= 4 * slots_", cols, slots_)
  REQUIRES((slots_ <= 14472),
           "slots_fit(cols): slots_ <= 14472", slots_)
  REQUIRES((0 < blocks && blocks <= 0x0fffffffffffffff),
           "0 < blocks <= 0x0fffffffffffffff", blocks)
  REQUIRES((ix(blocks, 1, 0) <= blocks_),
           "ix(blocks, 1, 0) <= blocks_", blocks, blocks_)
  REQUIRES((0 <= rows && rows <= 0x0fffffffffffffff),
           "slot_reads(y, rows, cols, VEC): 0 <= rows <= 0x0fffffffffffffff", rows)
  REQUIRES((0 <= ix(rows, cols, 0) && ix(rows, cols, 0) <= 0x0fffffffffffffff),
           "slot_reads(y, rows, cols, VEC): 0 <= ix(rows, cols, 0) <= 0x0fffffffffffffff", rows, cols)
  REQUIRES(has(span(y, 0, (ix(rows, cols, 0) - 1))),
           "slot_reads(y, rows, cols, VEC): \\valid_read(y + (0 .. ix(rows, cols, 0) - 1))", rows, cols)
  REQUIRES((!(VEC != 0) || aligned16(y)),
           "slot_reads(y, rows, cols, VEC): VEC != 0 ==> aligned16(y)", VEC)
  REQUIRES(has(span(g, 0, (ix(rows, cols, 0) - 1))),
           "slot_reads(g, rows, cols, VEC): \\valid_read(g + (0 .. ix(rows, cols, 0) - 1))", rows, cols)
  REQUIRES((!(VEC != 0) || aligned16(g)),
           "slot_reads(g, rows, cols, VEC): VEC != 0 ==> aligned16(g)", VEC)
  REQUIRES(has(span(dx, 0, (ix(rows, cols, 0) - 1))),
           "slot_reads(dx, rows, cols, VEC): \\valid_read(dx + (0 .. ix(rows, cols, 0) - 1))", rows, cols)
  REQUIRES((!(VEC != 0) || aligned16(dx)),
           "slot_reads(dx, rows, cols, VEC): VEC != 0 ==> aligned16(dx)", VEC)
  REQUIRES((apart(span(y, 0, (ix(rows, cols, 0) - 1)), span(dx, 0, (ix(rows, cols, 0) - 1)))),
           "apart(y, ix(rows, cols, 0), dx, ix(rows, cols, 0)): \\separated(y + (0 .. ix(rows, cols, 0) - 1), dx + (0 .. ix(rows, cols, 0) - 1))", rows, cols)
  REQUIRES((apart(span(g, 0, (ix(rows, cols, 0) - 1)), span(dx, 0, (ix(rows, cols, 0) - 1)))),
           "apart(g, ix(rows, cols, 0), dx, ix(rows, cols, 0)): \\separated(g + (0 .. ix(rows, cols, 0) - 1), dx + (0 .. ix(rows, cols, 0) - 1))", rows, cols)
  return true;
}

bool check_softmax_vjp_split_chunks(const launched &l)
{
  const num VEC = l.constant(1);
  const num rows = l.get<int64_t>(0);
  const num cols = l.get<int64_t>(1);
  const num chunk = l.get<int64_t>(2);
  const num pieces = l.get<int64_t>(3);
  const ptr y = l.pointer(4, 4);
  const ptr g = l.pointer(5, 4);
  const ptr part = l.pointer(6, 4);
  /* not checked, permission, of the prover's discipline alone:
   *   perm_r(y, ix(rows, cols, 0))
   *   perm_r(g, ix(rows, cols, 0))
   *   perm_r(part, ix(rows, pieces, 0))
   *   perm(part, ix(rows, pieces, 0)) */
  REQUIRES((32 <= bdim_ && bdim_ <= 1024),
           "block: 32 <= bdim_ <= 1024", bdim_)
  REQUIRES(((bdim_ % 32) == 0),
           "block: bdim_ % 32 == 0", bdim_)
  REQUIRES((0 < rows),
           "0 < rows", rows)
  REQUIRES((0 <= rows),
           "pull_split(y, g, part, rows, cols, chunk, pieces, VEC): 0 <= rows", rows)
  REQUIRES((0 < cols && cols <= 0x0fffffffffffffff),
           "pull_split(y, g, part, rows, cols, chunk, pieces, VEC): 0 < cols <= 0x0fffffffffffffff", cols)
  REQUIRES((0 < chunk && chunk <= 0x0fffffffffffffff),
           "pull_split(y, g, part, rows, cols, chunk, pieces, VEC): 0 < chunk <= 0x0fffffffffffffff", chunk)
  REQUIRES(((chunk % 4) == 0 && 0 < pieces && pieces <= 1024),
           "pull_split(y, g, part, rows, cols, chunk, pieces, VEC): chunk % 4 == 0 < pieces <= 1024", chunk, pieces)
  REQUIRES((ix((pieces - 1), chunk, 0) < cols && cols <= ix(pieces, chunk, 0) && ix(pieces, chunk, 0) <= 0x0fffffffffffffff),
           "pull_split(y, g, part, rows, cols, chunk, pieces, VEC): ix(pieces - 1, chunk, 0) < cols <= ix(pieces, chunk, 0) <= 0x0fffffffffffffff", cols, chunk, pieces)
  REQUIRES((0 <= ix(rows, cols, 0) && ix(rows, cols, 0) <= 0x0fffffffffffffff),
           "pull_split(y, g, part, rows, cols, chunk, pieces, VEC): 0 <= ix(rows, cols, 0) <= 0x0fffffffffffffff", rows, cols)
  REQUIRES(has(span(y, 0, (ix(rows, cols, 0) - 1))),
           "pull_split(y, g, part, rows, cols, chunk, pieces, VEC): \\valid_read(y + (0 .. ix(rows, cols, 0) - 1))", rows, cols)
  REQUIRES(has(span(g, 0, (ix(rows, cols, 0) - 1))),
           "pull_split(y, g, part, rows, cols, chunk, pieces, VEC): \\valid_read(g + (0 .. ix(rows, cols, 0) - 1))", rows, cols)
  REQUIRES((0 <= ix(rows, pieces, 0) && ix(rows, pieces, 0) <= 0x0fffffffffffffff),
           "pull_split(y, g, part, rows, cols, chunk, pieces, VEC): 0 <= ix(rows, pieces, 0) <= 0x0fffffffffffffff", rows, pieces)
  REQUIRES(has(span(part, 0, (ix(rows, pieces, 0) - 1))),
           "pull_split(y, g, part, rows, cols, chunk, pieces, VEC): \\valid_read(part + (0 .. ix(rows, pieces, 0) - 1))", rows, pieces)
  REQUIRES((!(VEC != 0) || ((cols % 4) == 0)),
           "pull_split(y, g, part, rows, cols, chunk, pieces, VEC): VEC != 0 ==> cols % 4 == 0", VEC, cols)
  REQUIRES((!(VEC != 0) || aligned16(y)),
           "pull_split(y, g, part, rows, cols, chunk, pieces, VEC): VEC != 0 ==> aligned16(y)", VEC)
  REQUIRES((!(VEC != 0) || aligned16(g)),
           "pull_split(y, g, part, rows, cols, chunk, pieces, VEC): VEC != 0 ==> aligned16(g)", VEC)
  REQUIRES((ix(rows, pieces, 0) <= blocks_),
           "ix(rows, pieces, 0) <= blocks_", rows, pieces, blocks_)
  REQUIRES((apart(span(y, 0, (ix(rows, cols, 0) - 1)), span(part, 0, (ix(rows, pieces, 0) - 1)))),
           "apart(y, ix(rows, cols, 0), part, ix(rows, pieces, 0)): \\separated(y + (0 .. ix(rows, cols, 0) - 1), part + (0 .. ix(rows, pieces, 0) - 1))", rows, cols, pieces)
  REQUIRES((apart(span(g, 0, (ix(rows, cols, 0) - 1)), span(part, 0, (ix(rows, pieces, 0) - 1)))),
           "apart(g, ix(rows, cols, 0), part, ix(rows, pieces, 0)): \\separated(g + (0 .. ix(rows, cols, 0) - 1), part + (0 .. ix(rows, pieces, 0) - 1))", rows, cols, pieces)
  return true;
}

bool check_softmax_vjp_split_out(const launched &l)
{
  const num VEC = l.constant(1);
  const num rows = l.get<int64_t>(1);
  const num cols = l.get<int64_t>(2);
  const num chunk = l.get<int64_t>(3);
  const num pieces = l.get<int64_t>(4);
  const ptr part = l.pointer(5, 4);
  const ptr y = l.pointer(6, 4);
  const ptr g = l.pointer(7, 4);
  const ptr dx = l.pointer(8, 4);
  /* not checked, permission, of the prover's discipline alone:
   *   perm_r(y, ix(rows, cols, 0))
   *   perm_r(g, ix(rows, cols, 0))
   *   perm_r(part, ix(rows, pieces, 0))
   *   perm_r(y, ix(rows, cols, 0))
   *   perm_r(g, ix(rows, cols, 0))
   *   perm(dx, ix(rows, cols, 0)) */
  /* not checked, values of tensors over the reals, which an earlier launch left or the case has:
   *   pieces_rows(part, OP, y, g, cols, chunk, pieces, rows) */
  REQUIRES((32 <= bdim_ && bdim_ <= 1024),
           "block: 32 <= bdim_ <= 1024", bdim_)
  REQUIRES(((bdim_ % 32) == 0),
           "block: bdim_ % 32 == 0", bdim_)
  REQUIRES((0 < rows),
           "0 < rows", rows)
  REQUIRES((0 <= rows),
           "spread_in(y, g, dx, part, rows, cols, chunk, pieces, VEC): 0 <= rows", rows)
  REQUIRES((0 < cols && cols <= 0x0fffffffffffffff),
           "spread_in(y, g, dx, part, rows, cols, chunk, pieces, VEC): 0 < cols <= 0x0fffffffffffffff", cols)
  REQUIRES((0 < chunk && chunk <= 0x0fffffffffffffff),
           "spread_in(y, g, dx, part, rows, cols, chunk, pieces, VEC): 0 < chunk <= 0x0fffffffffffffff", chunk)
  REQUIRES(((chunk % 4) == 0 && 0 < pieces && pieces <= 1024),
           "spread_in(y, g, dx, part, rows, cols, chunk, pieces, VEC): chunk % 4 == 0 < pieces <= 1024", chunk, pieces)
  REQUIRES((ix((pieces - 1), chunk, 0) < cols && cols <= ix(pieces, chunk, 0) && ix(pieces, chunk, 0) <= 0x0fffffffffffffff),
           "spread_in(y, g, dx, part, rows, cols, chunk, pieces, VEC): ix(pieces - 1, chunk, 0) < cols <= ix(pieces, chunk, 0) <= 0x0fffffffffffffff", cols, chunk, pieces)
  REQUIRES((0 <= ix(rows, cols, 0) && ix(rows, cols, 0) <= 0x0fffffffffffffff),
           "spread_in(y, g, dx, part, rows, cols, chunk, pieces, VEC): 0 <= ix(rows, cols, 0) <= 0x0fffffffffffffff", rows, cols)
  REQUIRES(has(span(y, 0, (ix(rows, cols, 0) - 1))),
           "spread_in(y, g, dx, part, rows, cols, chunk, pieces, VEC): \\valid_read(y + (0 .. ix(rows, cols, 0) - 1))", rows, cols)
  REQUIRES(has(span(g, 0, (ix(rows, cols, 0) - 1))),
           "spread_in(y, g, dx, part, rows, cols, chunk, pieces, VEC): \\valid_read(g + (0 .. ix(rows, cols, 0) - 1))", rows, cols)
  REQUIRES((0 <= ix(rows, pieces, 0) && ix(rows, pieces, 0) <= 0x0fffffffffffffff),
           "spread_in(y, g, dx, part, rows, cols, chunk, pieces, VEC): 0 <= ix(rows, pieces, 0) <= 0x0fffffffffffffff", rows, pieces)
  REQUIRES(has(span(part, 0, (ix(rows, pieces, 0) - 1))),
           "spread_in(y, g, dx, part, rows, cols, chunk, pieces, VEC): \\valid_read(part + (0 .. ix(rows, pieces, 0) - 1))", rows, pieces)
  REQUIRES((!(VEC != 0) || ((cols % 4) == 0)),
           "spread_in(y, g, dx, part, rows, cols, chunk, pieces, VEC): VEC != 0 ==> cols % 4 == 0", VEC, cols)
  REQUIRES((!(VEC != 0) || aligned16(y)),
           "spread_in(y, g, dx, part, rows, cols, chunk, pieces, VEC): VEC != 0 ==> aligned16(y)", VEC)
  REQUIRES((!(VEC != 0) || aligned16(g)),
           "spread_in(y, g, dx, part, rows, cols, chunk, pieces, VEC): VEC != 0 ==> aligned16(g)", VEC)
  REQUIRES(has(span(dx, 0, (ix(rows, cols, 0) - 1))),
           "spread_in(y, g, dx, part, rows, cols, chunk, pieces, VEC): \\valid(dx + (0 .. ix(rows, cols, 0) - 1))", rows, cols)
  REQUIRES((apart(span(y, 0, (ix(rows, cols, 0) - 1)), span(dx, 0, (ix(rows, cols, 0) - 1)))),
           "spread_in(y, g, dx, part, rows, cols, chunk, pieces, VEC): \\separated(y + (0 .. ix(rows, cols, 0) - 1), dx + (0 .. ix(rows, cols, 0) - 1))", rows, cols)
  REQUIRES((apart(span(g, 0, (ix(rows, cols, 0) - 1)), span(dx, 0, (ix(rows, cols, 0) - 1)))),
           "spread_in(y, g, dx, part, rows, cols, chunk, pieces, VEC): \\separated(g + (0 .. ix(rows, cols, 0) - 1), dx + (0 .. ix(rows, cols, 0) - 1))", rows, cols)
  REQUIRES((!(VEC != 0) || aligned16(dx)),
           "spread_in(y, g, dx, part, rows, cols, chunk, pieces, VEC): VEC != 0 ==> aligned16(dx)", VEC)
  REQUIRES((apart(span(part, 0, (ix(rows, pieces, 0) - 1)), span(dx, 0, (ix(rows, cols, 0) - 1)))),
           "spread_in(y, g, dx, part, rows, cols, chunk, pieces, VEC): \\separated(part + (0 .. ix(rows, pieces, 0) - 1), dx + (0 .. ix(rows, cols, 0) - 1))", rows, cols, pieces)
  REQUIRES((ix(rows, pieces, 0) <= blocks_),
           "ix(rows, pieces, 0) <= blocks_", rows, pieces, blocks_)
  return true;
}

bool check_softmax_vjp_warp(const launched &l)
{
  const num K = l.constant(1);
  const num VEC = l.constant(2);
  const num log_lanes = l.get<int>(0);
  const num rows = l.get<int64_t>(2);
  const num cols = l.get<int>(3);
  const ptr y = l.pointer(4, 4);
  const ptr g = l.pointer(5, 4);
  const ptr dx = l.pointer(6, 4);
  /* not checked, permission, of the prover's discipline alone:
   *   perm_r(y, ix(rows, cols, 0))
   *   perm_r(g, ix(rows, cols, 0))
   *   perm(dx, ix(rows, cols, 0)) */
  REQUIRES((32 <= bdim_ && bdim_ <= 1024),
           "block: 32 <= bdim_ <= 1024", bdim_)
  REQUIRES(((bdim_ % 32) == 0),
           "block: bdim_ % 32 == 0", bdim_)
  REQUIRES((0 <= log_lanes && log_lanes <= 5),
           "0 <= log_lanes <= 5", log_lanes)
  REQUIRES((0 < TeamOf(log_lanes) && TeamOf(log_lanes) <= 1024),
           "team_fits(K, TeamOf(log_lanes), cols): 0 < TeamOf(log_lanes) <= 1024", log_lanes)
  REQUIRES((0 < K && K <= 8),
           "team_fits(K, TeamOf(log_lanes), cols): 0 < K <= 8", K)
  REQUIRES((0 <= cols && cols <= (4 * mul(K, TeamOf(log_lanes)))),
           "team_fits(K, TeamOf(log_lanes), cols): 0 <= cols <= 4 * mul(K, TeamOf(log_lanes))", K, log_lanes, cols)
  REQUIRES((cols <= ((4 * 8) * 1024)),
           "team_fits(K, TeamOf(log_lanes), cols): cols <= 4 * 8 * 1024", cols)
  REQUIRES((0 < cols),
           "0 < cols", cols)
  REQUIRES((0 <= rows && rows <= 0x0fffffffffffffff),
           "0 <= rows <= 0x0fffffffffffffff", rows)
  REQUIRES((rows <= ix(blocks_, (bdim_ / TeamOf(log_lanes)), 0)),
           "rows <= ix(blocks_, bdim_ / TeamOf(log_lanes), 0)", log_lanes, rows, bdim_, blocks_)
  REQUIRES((0 <= ix(rows, cols, 0) && ix(rows, cols, 0) <= 0x0fffffffffffffff),
           "pull_tensors(y, g, dx, rows, cols, VEC): 0 <= ix(rows, cols, 0) <= 0x0fffffffffffffff", rows, cols)
  REQUIRES(has(span(y, 0, (ix(rows, cols, 0) - 1))),
           "pull_tensors(y, g, dx, rows, cols, VEC): \\valid_read(y + (0 .. ix(rows, cols, 0) - 1))", rows, cols)
  REQUIRES(has(span(g, 0, (ix(rows, cols, 0) - 1))),
           "pull_tensors(y, g, dx, rows, cols, VEC): \\valid_read(g + (0 .. ix(rows, cols, 0) - 1))", rows, cols)
  REQUIRES(has(span(dx, 0, (ix(rows, cols, 0) - 1))),
           "pull_tensors(y, g, dx, rows, cols, VEC): \\valid(dx + (0 .. ix(rows, cols, 0) - 1))", rows, cols)
  REQUIRES((apart(span(y, 0, (ix(rows, cols, 0) - 1)), span(dx, 0, (ix(rows, cols, 0) - 1)))),
           "pull_tensors(y, g, dx, rows, cols, VEC): \\separated(y + (0 .. ix(rows, cols, 0) - 1), dx + (0 .. ix(rows, cols, 0) - 1))", rows, cols)
  REQUIRES((apart(span(g, 0, (ix(rows, cols, 0) - 1)), span(dx, 0, (ix(rows, cols, 0) - 1)))),
           "pull_tensors(y, g, dx, rows, cols, VEC): \\separated(g + (0 .. ix(rows, cols, 0) - 1), dx + (0 .. ix(rows, cols, 0) - 1))", rows, cols)
  REQUIRES((!(VEC != 0) || ((cols % 4) == 0)),
           "pull_tensors(y, g, dx, rows, cols, VEC): VEC != 0 ==> cols % 4 == 0", VEC, cols)
  REQUIRES((!(VEC != 0) || aligned16(y)),
           "pull_tensors(y, g, dx, rows, cols, VEC): VEC != 0 ==> aligned16(y)", VEC)
  REQUIRES((!(VEC != 0) || aligned16(g)),
           "pull_tensors(y, g, dx, rows, cols, VEC): VEC != 0 ==> aligned16(g)", VEC)
  REQUIRES((!(VEC != 0) || aligned16(dx)),
           "pull_tensors(y, g, dx, rows, cols, VEC): VEC != 0 ==> aligned16(dx)", VEC)
  return true;
}

bool check_softmax_warp(const launched &l)
{
  const num K = l.constant(1);
  const num VEC = l.constant(2);
  const num log_lanes = l.get<int>(0);
  const num rows = l.get<int64_t>(1);
  const num cols = l.get<int>(2);
  const ptr x = l.pointer(3, 4);
  const ptr y = l.pointer(4, 4);
  /* not checked, no number that is known stands for it:
   *   above_lowest(x, ix(rows, cols, 0)) */
  /* not checked, permission, of the prover's discipline alone:
   *   perm_r(x, ix(rows, cols, 0))
   *   \forall integer r, integer c; 0 <= r < rows ==> 0 <= c < cols ==> owner(y + (ix(r, cols, 0) + c), team_block(r, TeamOf(log_lanes)), team_first(r, TeamOf(log_lanes)) + dealt(c, TeamOf(log_lanes))) */
  REQUIRES((32 <= bdim_ && bdim_ <= 1024),
           "block: 32 <= bdim_ <= 1024", bdim_)
  REQUIRES(((bdim_ % 32) == 0),
           "block: bdim_ % 32 == 0", bdim_)
  REQUIRES((0 <= log_lanes && log_lanes <= 5),
           "0 <= log_lanes <= 5", log_lanes)
  REQUIRES((0 < TeamOf(log_lanes) && TeamOf(log_lanes) <= 1024),
           "team_fits(K, TeamOf(log_lanes), cols): 0 < TeamOf(log_lanes) <= 1024", log_lanes)
  REQUIRES((0 < K && K <= 8),
           "team_fits(K, TeamOf(log_lanes), cols): 0 < K <= 8", K)
  REQUIRES((0 <= cols && cols <= (4 * mul(K, TeamOf(log_lanes)))),
           "team_fits(K, TeamOf(log_lanes), cols): 0 <= cols <= 4 * mul(K, TeamOf(log_lanes))", K, log_lanes, cols)
  REQUIRES((cols <= ((4 * 8) * 1024)),
           "team_fits(K, TeamOf(log_lanes), cols): cols <= 4 * 8 * 1024", cols)
  REQUIRES((0 < cols),
           "0 < cols", cols)
  REQUIRES((0 <= rows && rows <= 0x0fffffffffffffff),
           "0 <= rows <= 0x0fffffffffffffff", rows)
  REQUIRES((rows <= ix(blocks_, (bdim_ / TeamOf(log_lanes)), 0)),
           "rows <= ix(blocks_, bdim_ / TeamOf(log_lanes), 0)", log_lanes, rows, bdim_, blocks_)
  REQUIRES((0 <= ix(rows, cols, 0) && ix(rows, cols, 0) <= 0x0fffffffffffffff),
           "soft_tensors(x, y, rows, cols, VEC): 0 <= ix(rows, cols, 0) <= 0x0fffffffffffffff", rows, cols)
  REQUIRES(has(span(x, 0, (ix(rows, cols, 0) - 1))),
           "soft_tensors(x, y, rows, cols, VEC): \\valid_read(x + (0 .. ix(rows, cols, 0) - 1))", rows, cols)
  REQUIRES(has(span(y, 0, (ix(rows, cols, 0) - 1))),
           "soft_tensors(x, y, rows, cols, VEC): \\valid(y + (0 .. ix(rows, cols, 0) - 1))", rows, cols)
  REQUIRES((apart(span(x, 0, (ix(rows, cols, 0) - 1)), span(y, 0, (ix(rows, cols, 0) - 1)))),
           "soft_tensors(x, y, rows, cols, VEC): \\separated(x + (0 .. ix(rows, cols, 0) - 1), y + (0 .. ix(rows, cols, 0) - 1))", rows, cols)
  REQUIRES((!(VEC != 0) || ((cols % 4) == 0)),
           "soft_tensors(x, y, rows, cols, VEC): VEC != 0 ==> cols % 4 == 0", VEC, cols)
  REQUIRES((!(VEC != 0) || aligned16(x)),
           "soft_tensors(x, y, rows, cols, VEC): VEC != 0 ==> aligned16(x)", VEC)
  REQUIRES((!(VEC != 0) || aligned16(y)),
           "soft_tensors(x, y, rows, cols, VEC): VEC != 0 ==> aligned16(y)", VEC)
  return true;
}

bool check_sum_blocks(const launched &l)
{
  const num n = l.get<int64_t>(0);
  const num V = l.get<int64_t>(1);
  const num chunk = l.get<int64_t>(2);
  const num blocks = l.get<int64_t>(3);
  const num aligned = l.get<int>(4);
  const ptr x = l.pointer(5, 4);
  const ptr out = l.pointer(6, 4);
  /* not checked, permission, of the prover's discipline alone:
   *   perm_r(x, n)
   *   \forall integer k; 0 <= k < blocks ==> owner(out + k, k, 0) */
  REQUIRES((32 <= bdim_ && bdim_ <= 1024),
           "block: 32 <= bdim_ <= 1024", bdim_)
  REQUIRES(((bdim_ % 32) == 0),
           "block: bdim_ % 32 == 0", bdim_)
  REQUIRES((0 < chunk),
           "0 < chunk", chunk)
  REQUIRES((0 < blocks),
           "0 < blocks", blocks)
  REQUIRES((0 <= n && n <= 0x0fffffffffffffff),
           "sum_reads(x, n, V, aligned): 0 <= n <= 0x0fffffffffffffff", n)
  REQUIRES(has(span(x, 0, (n - 1))),
           "sum_reads(x, n, V, aligned): \\valid_read(x + (0 .. n - 1))", n)
  REQUIRES((0 <= (4 * V) && (4 * V) <= n),
           "sum_reads(x, n, V, aligned): 0 <= 4 * V <= n", n, V)
  REQUIRES((!(aligned != 0) || aligned16(x)),
           "sum_reads(x, n, V, aligned): aligned != 0 ==> aligned16(x)", aligned)
  REQUIRES((0 <= blocks && blocks <= 0x0fffffffffffffff),
           "own_firsts(out, blocks): 0 <= blocks <= 0x0fffffffffffffff", blocks)
  REQUIRES(has(span(out, 0, (blocks - 1))),
           "own_firsts(out, blocks): \\valid(out + (0 .. blocks - 1))", blocks)
  REQUIRES((apart(span(x, 0, (n - 1)), span(out, 0, (blocks - 1)))),
           "apart(x, n, out, blocks): \\separated(x + (0 .. n - 1), out + (0 .. blocks - 1))", n, blocks)
  REQUIRES((ix(blocks, chunk, 0) <= 0x0fffffffffffffff),
           "ix(blocks, chunk, 0) <= 0x0fffffffffffffff", chunk, blocks)
  REQUIRES((ix(blocks, 1, 0) <= blocks_),
           "ix(blocks, 1, 0) <= blocks_", blocks, blocks_)
  REQUIRES((ix((blocks - 1), chunk, 0) <= V && V <= ix(blocks, chunk, 0)),
           "ix(blocks - 1, chunk, 0) <= V <= ix(blocks, chunk, 0)", V, chunk, blocks)
  return true;
}

bool check_transpose_tile(const launched &l)
{
  const num planes = l.get<int64_t>(0);
  const num plane = l.get<int64_t>(1);
  const num per = l.get<int64_t>(2);
  const num rows = l.get<int64_t>(3);
  const num cols = l.get<int64_t>(4);
  const num down = l.get<int64_t>(5);
  const num across = l.get<int64_t>(6);
  const ptr x = l.pointer(8, 4);
  const ptr y = l.pointer(9, 4);
  /* not checked, permission, of the prover's discipline alone:
   *   perm_r(x, ix(planes, plane, 0))
   *   perm(y, ix(planes, plane, 0)) */
  REQUIRES((0 < rows && rows <= 0x0fffffffffffffff),
           "planes_size(y, x, planes, plane, rows, cols): 0 < rows <= 0x0fffffffffffffff", rows)
  REQUIRES((0 < cols && cols <= 0x0fffffffffffffff),
           "planes_size(y, x, planes, plane, rows, cols): 0 < cols <= 0x0fffffffffffffff", cols)
  REQUIRES((0 <= planes),
           "planes_size(y, x, planes, plane, rows, cols): 0 <= planes", planes)
  REQUIRES((plane == ix(rows, cols, 0)),
           "planes_size(y, x, planes, plane, rows, cols): plane == ix(rows, cols, 0)", plane, rows, cols)
  REQUIRES((plane == ix(cols, rows, 0)),
           "planes_size(y, x, planes, plane, rows, cols): plane == ix(cols, rows, 0)", plane, rows, cols)
  REQUIRES((0 <= ix(planes, plane, 0) && ix(planes, plane, 0) <= 0x0fffffffffffffff),
           "planes_size(y, x, planes, plane, rows, cols): 0 <= ix(planes, plane, 0) <= 0x0fffffffffffffff", planes, plane)
  REQUIRES(has(span(x, 0, (ix(planes, plane, 0) - 1))),
           "planes_size(y, x, planes, plane, rows, cols): \\valid_read(x + (0 .. ix(planes, plane, 0) - 1))", planes, plane)
  REQUIRES(has(span(y, 0, (ix(planes, plane, 0) - 1))),
           "planes_size(y, x, planes, plane, rows, cols): \\valid(y + (0 .. ix(planes, plane, 0) - 1))", planes, plane)
  REQUIRES((apart(span(x, 0, (ix(planes, plane, 0) - 1)), span(y, 0, (ix(planes, plane, 0) - 1)))),
           "planes_size(y, x, planes, plane, rows, cols): \\separated(x + (0 .. ix(planes, plane, 0) - 1), y + (0 .. ix(planes, plane, 0) - 1))", planes, plane)
  REQUIRES((0 < down),
           "0 < down", down)
  REQUIRES((rows <= (32 * down) && (32 * down) <= ((rows + 32) - 1)),
           "rows <= 32 * down <= rows + 32 - 1", rows, down)
  REQUIRES((0 < across),
           "0 < across", across)
  REQUIRES((cols <= (32 * across) && (32 * across) <= ((cols + 32) - 1)),
           "cols <= 32 * across <= cols + 32 - 1", cols, across)
  REQUIRES((0 < per),
           "0 < per", per)
  REQUIRES((ix(down, across, 0) <= per),
           "ix(down, across, 0) <= per", per, down, across)
  REQUIRES((ix(planes, per, 0) <= blocks_),
           "ix(planes, per, 0) <= blocks_", planes, per, blocks_)
  return true;
}

bool check_transpose_vec4(const launched &l)
{
  const num planes = l.get<int64_t>(0);
  const num plane = l.get<int64_t>(1);
  const num per = l.get<int64_t>(2);
  const num R = l.get<int64_t>(3);
  const num C = l.get<int64_t>(4);
  const ptr x = l.pointer(6, 4);
  const ptr y = l.pointer(7, 4);
  /* not checked, permission, of the prover's discipline alone:
   *   perm_r(x, ix(planes, plane, 0))
   *   perm(y, ix(planes, plane, 0)) */
  REQUIRES((0 < (4 * R) && (4 * R) <= 0x0fffffffffffffff),
           "planes_size(y, x, planes, plane, 4 * R, 4 * C): 0 < 4 * R <= 0x0fffffffffffffff", R)
  REQUIRES((0 < (4 * C) && (4 * C) <= 0x0fffffffffffffff),
           "planes_size(y, x, planes, plane, 4 * R, 4 * C): 0 < 4 * C <= 0x0fffffffffffffff", C)
  REQUIRES((0 <= planes),
           "planes_size(y, x, planes, plane, 4 * R, 4 * C): 0 <= planes", planes)
  REQUIRES((plane == ix((4 * R), (4 * C), 0)),
           "planes_size(y, x, planes, plane, 4 * R, 4 * C): plane == ix(4 * R, 4 * C, 0)", plane, R, C)
  REQUIRES((plane == ix((4 * C), (4 * R), 0)),
           "planes_size(y, x, planes, plane, 4 * R, 4 * C): plane == ix(4 * C, 4 * R, 0)", plane, R, C)
  REQUIRES((0 <= ix(planes, plane, 0) && ix(planes, plane, 0) <= 0x0fffffffffffffff),
           "planes_size(y, x, planes, plane, 4 * R, 4 * C): 0 <= ix(planes, plane, 0) <= 0x0fffffffffffffff", planes, plane)
  REQUIRES(has(span(x, 0, (ix(planes, plane, 0) - 1))),
           "planes_size(y, x, planes, plane, 4 * R, 4 * C): \\valid_read(x + (0 .. ix(planes, plane, 0) - 1))", planes, plane)
  REQUIRES(has(span(y, 0, (ix(planes, plane, 0) - 1))),
           "planes_size(y, x, planes, plane, 4 * R, 4 * C): \\valid(y + (0 .. ix(planes, plane, 0) - 1))", planes, plane)
  REQUIRES((apart(span(x, 0, (ix(planes, plane, 0) - 1)), span(y, 0, (ix(planes, plane, 0) - 1)))),
           "planes_size(y, x, planes, plane, 4 * R, 4 * C): \\separated(x + (0 .. ix(planes, plane, 0) - 1), y + (0 .. ix(planes, plane, 0) - 1))", planes, plane)
  REQUIRES(aligned16(x),
           "aligned16(x)")
  REQUIRES(aligned16(y),
           "aligned16(y)")
  REQUIRES((0 < per),
           "0 < per", per)
  REQUIRES((ix(planes, per, 0) <= blocks_),
           "ix(planes, per, 0) <= blocks_", planes, per, blocks_)
  REQUIRES((bdim_ == (32 * 8)),
           "bdim_ == 32 * 8", bdim_)
  REQUIRES((ix((((R + 32) - 1) / 32), (((C + 8) - 1) / 8), 0) <= per),
           "ix((R + 32 - 1) / 32, (C + 8 - 1) / 8, 0) <= per", per, R, C)
  return true;
}

bool check_vjp_regs(const launched &l)
{
  const num K = l.constant(0);
  const num NARROW = l.constant(1);
  const num CENTERED = l.constant(2);
  const num VEC = l.constant(3);
  const vjp_cut c = l.get<vjp_cut>(0);
  const num blocks = l.get<int64_t>(1);
  const num affine = l.get<int>(2);
  const num rows = l.get<int64_t>(4);
  const num n = l.get<int>(5);
  const ptr x = l.pointer(6, 4);
  const ptr gamma = l.pointer(7, 4);
  const ptr mean = l.pointer(8, 4);
  const ptr rstd = l.pointer(9, 4);
  const ptr g = l.pointer(10, 4);
  const ptr dx = l.pointer(11, 4);
  const ptr sums = l.pointer(12, 4);
  const num halves = ((CENTERED != 0) ? 2 : 1);
  /* not checked, permission, of the prover's discipline alone:
   *   perm_r(x, ix(rows, n, 0))
   *   perm_r(g, ix(rows, n, 0))
   *   perm_r(rstd, rows)
   *   CENTERED != 0 ==> perm_r(mean, rows)
   *   perm(dx, ix(rows, n, 0))
   *   affine != 0 ==> perm_r(gamma, n)
   *   perm(sums, ix(halves * blocks, n, 0)) */
  REQUIRES((32 <= bdim_ && bdim_ <= 1024),
           "vjp_fits(K, c, n): 32 <= bdim_ <= 1024", bdim_)
  REQUIRES(((bdim_ % 32) == 0),
           "vjp_fits(K, c, n): bdim_ % 32 == 0", bdim_)
  REQUIRES((bdim_ <= 512),
           "vjp_fits(K, c, n): bdim_ <= VJP_BLOCK", bdim_)
  REQUIRES((0 < K && K <= 4),
           "vjp_fits(K, c, n): 0 < K <= 4", K)
  REQUIRES((0 < num(c.groups) && num(c.groups) <= 512),
           "vjp_fits(K, c, n): 0 < c.groups <= VJP_BLOCK")
  REQUIRES((0 < num(c.lanes) && num(c.lanes) <= 512),
           "vjp_fits(K, c, n): 0 < c.lanes <= VJP_BLOCK")
  REQUIRES((0 < num(c.warps) && num(c.warps) <= 32),
           "vjp_fits(K, c, n): 0 < c.warps <= 32")
  REQUIRES((ix(num(c.groups), num(c.lanes), 0) == bdim_),
           "vjp_fits(K, c, n): ix(c.groups, c.lanes, 0) == bdim_", bdim_)
  REQUIRES(((((((num(c.reach) == 1) || (num(c.reach) == 2)) || (num(c.reach) == 4)) || (num(c.reach) == 8)) || (num(c.reach) == 16)) || (num(c.reach) == 32)),
           "vjp_fits(K, c, n): c.reach == 1 || c.reach == 2 || c.reach == 4 || c.reach == 8 || c.reach == 16 || c.reach == 32")
  REQUIRES((0 < n && n <= (4 * mul(K, num(c.lanes)))),
           "vjp_fits(K, c, n): 0 < n <= 4 * mul(K, c.lanes)", K, n)
  REQUIRES((n <= ((4 * 8) * 1024)),
           "vjp_fits(K, c, n): n <= 4 * 8 * 1024", n)
  REQUIRES((0 < blocks),
           "0 < blocks", blocks)
  REQUIRES((ix(blocks, 1, 0) <= blocks_),
           "ix(blocks, 1, 0) <= blocks_", blocks, blocks_)
  REQUIRES((0 <= rows && rows <= 0x0fffffffffffffff),
           "0 <= rows <= 0x0fffffffffffffff", rows)
  REQUIRES((ix(blocks, num(c.groups), 0) <= 0x0fffffffffffffff),
           "ix(blocks, c.groups, 0) <= 0x0fffffffffffffff", blocks)
  REQUIRES((halves == ((CENTERED != 0) ? 2 : 1)),
           "halves == (CENTERED != 0 ? 2 : 1)", CENTERED, halves)
  REQUIRES((0 <= ix(rows, n, 0) && ix(rows, n, 0) <= 0x0fffffffffffffff),
           "vjp_in(x, mean, rstd, g, CENTERED, rows, n, VEC): 0 <= ix(rows, n, 0) <= 0x0fffffffffffffff", rows, n)
  REQUIRES(has(span(x, 0, (ix(rows, n, 0) - 1))),
           "vjp_in(x, mean, rstd, g, CENTERED, rows, n, VEC): \\valid_read(x + (0 .. ix(rows, n, 0) - 1))", rows, n)
  REQUIRES((!(VEC != 0) || aligned16(x)),
           "vjp_in(x, mean, rstd, g, CENTERED, rows, n, VEC): VEC != 0 ==> aligned16(x)", VEC)
  REQUIRES((!(VEC != 0) || ((n % 4) == 0)),
           "vjp_in(x, mean, rstd, g, CENTERED, rows, n, VEC): VEC != 0 ==> n % 4 == 0", VEC, n)
  REQUIRES(has(span(g, 0, (ix(rows, n, 0) - 1))),
           "vjp_in(x, mean, rstd, g, CENTERED, rows, n, VEC): \\valid_read(g + (0 .. ix(rows, n, 0) - 1))", rows, n)
  REQUIRES((!(VEC != 0) || aligned16(g)),
           "vjp_in(x, mean, rstd, g, CENTERED, rows, n, VEC): VEC != 0 ==> aligned16(g)", VEC)
  REQUIRES(has(span(rstd, 0, (rows - 1))),
           "vjp_in(x, mean, rstd, g, CENTERED, rows, n, VEC): \\valid_read(rstd + (0 .. rows - 1))", rows)
  REQUIRES((!(CENTERED != 0) || (0 <= rows && rows <= 0x0fffffffffffffff)),
           "vjp_in(x, mean, rstd, g, CENTERED, rows, n, VEC): CENTERED != 0 ==> 0 <= rows <= 0x0fffffffffffffff", CENTERED, rows)
  REQUIRES((!(CENTERED != 0) || has(span(mean, 0, (rows - 1)))),
           "vjp_in(x, mean, rstd, g, CENTERED, rows, n, VEC): CENTERED != 0 ==> \\valid_read(mean + (0 .. rows - 1))", CENTERED, rows)
  REQUIRES(has(span(dx, 0, (ix(rows, n, 0) - 1))),
           "vjp_to(dx, rows, n, VEC): \\valid(dx + (0 .. ix(rows, n, 0) - 1))", rows, n)
  REQUIRES((!(VEC != 0) || aligned16(dx)),
           "vjp_to(dx, rows, n, VEC): VEC != 0 ==> aligned16(dx)", VEC)
  REQUIRES((!(affine != 0) || has(span(gamma, 0, (n - 1)))),
           "affine != 0 ==> row_in(gamma, n, VEC): affine != 0 ==> \\valid_read(gamma + (0 .. n - 1))", affine, n)
  REQUIRES((!(affine != 0) || (!(VEC != 0) || aligned16(gamma))),
           "affine != 0 ==> row_in(gamma, n, VEC): affine != 0 ==> VEC != 0 ==> aligned16(gamma)", VEC, affine)
  REQUIRES((!(affine != 0) || (!(VEC != 0) || ((n % 4) == 0))),
           "affine != 0 ==> row_in(gamma, n, VEC): affine != 0 ==> VEC != 0 ==> n % 4 == 0", VEC, affine, n)
  REQUIRES((!(NARROW != 0) || ((((((num(c.lanes) == 1) || (num(c.lanes) == 2)) || (num(c.lanes) == 4)) || (num(c.lanes) == 8)) || (num(c.lanes) == 16)) || (num(c.lanes) == 32))),
           "vjp_groups(NARROW, c): NARROW != 0 ==> c.lanes == 1 || c.lanes == 2 || c.lanes == 4 || c.lanes == 8 || c.lanes == 16 || c.lanes == 32", NARROW)
  REQUIRES((!!(NARROW != 0) || (0 < num(c.warps))),
           "vjp_groups(NARROW, c): !(NARROW != 0) ==> 0 < c.warps", NARROW)
  REQUIRES((!!(NARROW != 0) || (ix(num(c.groups), num(c.warps), 0) <= 32)),
           "vjp_groups(NARROW, c): !(NARROW != 0) ==> ix(c.groups, c.warps, 0) <= 32", NARROW)
  REQUIRES((!!(NARROW != 0) || ((((((num(c.reach) == 1) || (num(c.reach) == 2)) || (num(c.reach) == 4)) || (num(c.reach) == 8)) || (num(c.reach) == 16)) || (num(c.reach) == 32))),
           "vjp_groups(NARROW, c): !(NARROW != 0) ==> c.reach == 1 || c.reach == 2 || c.reach == 4 || c.reach == 8 || c.reach == 16 || c.reach == 32", NARROW)
  REQUIRES((!(NARROW != 0) || (0 < num(c.parts) && num(c.parts) <= 512)),
           "vjp_parts(NARROW, K, c): NARROW != 0 ==> 0 < c.parts <= VJP_BLOCK", NARROW)
  REQUIRES((!(NARROW != 0) || (ix(num(c.parts), K, 0) <= num(c.groups))),
           "vjp_parts(NARROW, K, c): NARROW != 0 ==> ix(c.parts, K, 0) <= c.groups", K, NARROW)
  REQUIRES((0 <= ix((halves * blocks), n, 0) && ix((halves * blocks), n, 0) <= 0x0fffffffffffffff),
           "vjp_to(sums, halves * blocks, n, VEC): 0 <= ix(halves * blocks, n, 0) <= 0x0fffffffffffffff", blocks, n, halves)
  REQUIRES(has(span(sums, 0, (ix((halves * blocks), n, 0) - 1))),
           "vjp_to(sums, halves * blocks, n, VEC): \\valid(sums + (0 .. ix(halves * blocks, n, 0) - 1))", blocks, n, halves)
  REQUIRES((!(VEC != 0) || aligned16(sums)),
           "vjp_to(sums, halves * blocks, n, VEC): VEC != 0 ==> aligned16(sums)", VEC)
  REQUIRES(((halves * blocks) <= 0x0fffffffffffffff),
           "halves * blocks <= 0x0fffffffffffffff", blocks, halves)
  REQUIRES((apart(span(x, 0, (ix(rows, n, 0) - 1)), span(dx, 0, (ix(rows, n, 0) - 1)))),
           "vjp_apart(x, gamma, mean, rstd, g, dx, CENTERED, affine, rows, n, ix(rows, n, 0)): \\separated(x + (0 .. ix(rows, n, 0) - 1), dx + (0 .. ix(rows, n, 0) - 1))", rows, n)
  REQUIRES((apart(span(g, 0, (ix(rows, n, 0) - 1)), span(dx, 0, (ix(rows, n, 0) - 1)))),
           "vjp_apart(x, gamma, mean, rstd, g, dx, CENTERED, affine, rows, n, ix(rows, n, 0)): \\separated(g + (0 .. ix(rows, n, 0) - 1), dx + (0 .. ix(rows, n, 0) - 1))", rows, n)
  REQUIRES((apart(span(rstd, 0, (rows - 1)), span(dx, 0, (ix(rows, n, 0) - 1)))),
           "vjp_apart(x, gamma, mean, rstd, g, dx, CENTERED, affine, rows, n, ix(rows, n, 0)): \\separated(rstd + (0 .. rows - 1), dx + (0 .. ix(rows, n, 0) - 1))", rows, n)
  REQUIRES((!(affine != 0) || (apart(span(gamma, 0, (n - 1)), span(dx, 0, (ix(rows, n, 0) - 1))))),
           "vjp_apart(x, gamma, mean, rstd, g, dx, CENTERED, affine, rows, n, ix(rows, n, 0)): affine != 0 ==> \\separated(gamma + (0 .. n - 1), dx + (0 .. ix(rows, n, 0) - 1))", affine, rows, n)
  REQUIRES((!(CENTERED != 0) || (apart(span(mean, 0, (rows - 1)), span(dx, 0, (ix(rows, n, 0) - 1))))),
           "vjp_apart(x, gamma, mean, rstd, g, dx, CENTERED, affine, rows, n, ix(rows, n, 0)): CENTERED != 0 ==> \\separated(mean + (0 .. rows - 1), dx + (0 .. ix(rows, n, 0) - 1))", CENTERED, rows, n)
  REQUIRES((apart(span(x, 0, (ix(rows, n, 0) - 1)), span(sums, 0, (ix((halves * blocks), n, 0) - 1)))),
           "vjp_apart(x, gamma, mean, rstd, g, sums, CENTERED, affine, rows, n, ix(halves * blocks, n, 0)): \\separated(x + (0 .. ix(rows, n, 0) - 1), sums + (0 .. ix(halves * blocks, n, 0) - 1))", blocks, rows, n, halves)
  REQUIRES((apart(span(g, 0, (ix(rows, n, 0) - 1)), span(sums, 0, (ix((halves * blocks), n, 0) - 1)))),
           "vjp_apart(x, gamma, mean, rstd, g, sums, CENTERED, affine, rows, n, ix(halves * blocks, n, 0)): \\separated(g + (0 .. ix(rows, n, 0) - 1), sums + (0 .. ix(halves * blocks, n, 0) - 1))", blocks, rows, n, halves)
  REQUIRES((apart(span(rstd, 0, (rows - 1)), span(sums, 0, (ix((halves * blocks), n, 0) - 1)))),
           "vjp_apart(x, gamma, mean, rstd, g, sums, CENTERED, affine, rows, n, ix(halves * blocks, n, 0)): \\separated(rstd + (0 .. rows - 1), sums + (0 .. ix(halves * blocks, n, 0) - 1))", blocks, rows, n, halves)
  REQUIRES((!(affine != 0) || (apart(span(gamma, 0, (n - 1)), span(sums, 0, (ix((halves * blocks), n, 0) - 1))))),
           "vjp_apart(x, gamma, mean, rstd, g, sums, CENTERED, affine, rows, n, ix(halves * blocks, n, 0)): affine != 0 ==> \\separated(gamma + (0 .. n - 1), sums + (0 .. ix(halves * blocks, n, 0) - 1))", blocks, affine, n, halves)
  REQUIRES((!(CENTERED != 0) || (apart(span(mean, 0, (rows - 1)), span(sums, 0, (ix((halves * blocks), n, 0) - 1))))),
           "vjp_apart(x, gamma, mean, rstd, g, sums, CENTERED, affine, rows, n, ix(halves * blocks, n, 0)): CENTERED != 0 ==> \\separated(mean + (0 .. rows - 1), sums + (0 .. ix(halves * blocks, n, 0) - 1))", CENTERED, blocks, rows, n, halves)
  REQUIRES((apart(span(dx, 0, (ix(rows, n, 0) - 1)), span(sums, 0, (ix((halves * blocks), n, 0) - 1)))),
           "apart(dx, ix(rows, n, 0), sums, ix(halves * blocks, n, 0)): \\separated(dx + (0 .. ix(rows, n, 0) - 1), sums + (0 .. ix(halves * blocks, n, 0) - 1))", blocks, rows, n, halves)
  return true;
}

bool check_window_scalar(const launched &l)
{
  const num outer = l.get<int64_t>(0);
  const frame f = l.get<frame>(1);
  const ptr x = l.pointer(3, 4);
  const ptr z = l.pointer(4, 4);
  const ptr y = l.pointer(5, 4);
  /* not checked, permission, of the prover's discipline alone:
   *   f.in.there != 0 ==> perm_r(x, ix(outer, 1 * f.in.pitch, 0))
   *   f.around.there != 0 ==> perm_r(z, ix(outer, 1 * f.around.pitch, 0))
   *   perm(y, ix(outer, f.width, 0)) */
  REQUIRES((0 <= outer),
           "window_size(x, z, y, outer, f.width, 1 * f.lo, 1 * f.hi, f.in.there, 1 * f.in.pitch, 1 * f.in.shift, f.around.there, 1 * f.around.pitch, 1 * f.around.shift): 0 <= outer", outer)
  REQUIRES((0 < num(f.width) && num(f.width) <= 0x0fffffffffffffff),
           "window_size(x, z, y, outer, f.width, 1 * f.lo, 1 * f.hi, f.in.there, 1 * f.in.pitch, 1 * f.in.shift, f.around.there, 1 * f.around.pitch, 1 * f.around.shift): 0 < f.width <= 0x0fffffffffffffff")
  REQUIRES((0 <= (1 * num(f.lo)) && (1 * num(f.lo)) <= (1 * num(f.hi)) && (1 * num(f.hi)) <= num(f.width)),
           "window_size(x, z, y, outer, f.width, 1 * f.lo, 1 * f.hi, f.in.there, 1 * f.in.pitch, 1 * f.in.shift, f.around.there, 1 * f.around.pitch, 1 * f.around.shift): 0 <= 1 * f.lo <= 1 * f.hi <= f.width")
  REQUIRES((0 <= ix(outer, num(f.width), 0) && ix(outer, num(f.width), 0) <= 0x0fffffffffffffff),
           "window_size(x, z, y, outer, f.width, 1 * f.lo, 1 * f.hi, f.in.there, 1 * f.in.pitch, 1 * f.in.shift, f.around.there, 1 * f.around.pitch, 1 * f.around.shift): 0 <= ix(outer, f.width, 0) <= 0x0fffffffffffffff", outer)
  REQUIRES(has(span(y, 0, (ix(outer, num(f.width), 0) - 1))),
           "window_size(x, z, y, outer, f.width, 1 * f.lo, 1 * f.hi, f.in.there, 1 * f.in.pitch, 1 * f.in.shift, f.around.there, 1 * f.around.pitch, 1 * f.around.shift): \\valid(y + (0 .. ix(outer, f.width, 0) - 1))", outer)
  REQUIRES((!(num(f.in.there) != 0) || (0 <= (1 * num(f.in.pitch)) && (1 * num(f.in.pitch)) <= 0x0fffffffffffffff)),
           "window_size(x, z, y, outer, f.width, 1 * f.lo, 1 * f.hi, f.in.there, 1 * f.in.pitch, 1 * f.in.shift, f.around.there, 1 * f.around.pitch, 1 * f.around.shift): f.in.there != 0 ==> 0 <= 1 * f.in.pitch <= 0x0fffffffffffffff")
  REQUIRES((!(num(f.in.there) != 0) || (0 <= ix(outer, (1 * num(f.in.pitch)), 0) && ix(outer, (1 * num(f.in.pitch)), 0) <= 0x0fffffffffffffff)),
           "window_size(x, z, y, outer, f.width, 1 * f.lo, 1 * f.hi, f.in.there, 1 * f.in.pitch, 1 * f.in.shift, f.around.there, 1 * f.around.pitch, 1 * f.around.shift): f.in.there != 0 ==> 0 <= ix(outer, 1 * f.in.pitch, 0) <= 0x0fffffffffffffff", outer)
  REQUIRES((!(num(f.in.there) != 0) || has(span(x, 0, (ix(outer, (1 * num(f.in.pitch)), 0) - 1)))),
           "window_size(x, z, y, outer, f.width, 1 * f.lo, 1 * f.hi, f.in.there, 1 * f.in.pitch, 1 * f.in.shift, f.around.there, 1 * f.around.pitch, 1 * f.around.shift): f.in.there != 0 ==> \\valid_read(x + (0 .. ix(outer, 1 * f.in.pitch, 0) - 1))", outer)
  REQUIRES((!(num(f.in.there) != 0) || (apart(span(x, 0, (ix(outer, (1 * num(f.in.pitch)), 0) - 1)), span(y, 0, (ix(outer, num(f.width), 0) - 1))))),
           "window_size(x, z, y, outer, f.width, 1 * f.lo, 1 * f.hi, f.in.there, 1 * f.in.pitch, 1 * f.in.shift, f.around.there, 1 * f.around.pitch, 1 * f.around.shift): f.in.there != 0 ==> \\separated(x + (0 .. ix(outer, 1 * f.in.pitch, 0) - 1), y + (0 .. ix(outer, f.width, 0) - 1))", outer)
  REQUIRES((!(num(f.around.there) != 0) || (0 <= (1 * num(f.around.pitch)) && (1 * num(f.around.pitch)) <= 0x0fffffffffffffff)),
           "window_size(x, z, y, outer, f.width, 1 * f.lo, 1 * f.hi, f.in.there, 1 * f.in.pitch, 1 * f.in.shift, f.around.there, 1 * f.around.pitch, 1 * f.around.shift): f.around.there != 0 ==> 0 <= 1 * f.around.pitch <= 0x0fffffffffffffff")
  REQUIRES((!(num(f.around.there) != 0) || (0 <= ix(outer, (1 * num(f.around.pitch)), 0) && ix(outer, (1 * num(f.around.pitch)), 0) <= 0x0fffffffffffffff)),
           "window_size(x, z, y, outer, f.width, 1 * f.lo, 1 * f.hi, f.in.there, 1 * f.in.pitch, 1 * f.in.shift, f.around.there, 1 * f.around.pitch, 1 * f.around.shift): f.around.there != 0 ==> 0 <= ix(outer, 1 * f.around.pitch, 0) <= 0x0fffffffffffffff", outer)
  REQUIRES((!(num(f.around.there) != 0) || has(span(z, 0, (ix(outer, (1 * num(f.around.pitch)), 0) - 1)))),
           "window_size(x, z, y, outer, f.width, 1 * f.lo, 1 * f.hi, f.in.there, 1 * f.in.pitch, 1 * f.in.shift, f.around.there, 1 * f.around.pitch, 1 * f.around.shift): f.around.there != 0 ==> \\valid_read(z + (0 .. ix(outer, 1 * f.around.pitch, 0) - 1))", outer)
  REQUIRES((!(num(f.around.there) != 0) || (apart(span(z, 0, (ix(outer, (1 * num(f.around.pitch)), 0) - 1)), span(y, 0, (ix(outer, num(f.width), 0) - 1))))),
           "window_size(x, z, y, outer, f.width, 1 * f.lo, 1 * f.hi, f.in.there, 1 * f.in.pitch, 1 * f.in.shift, f.around.there, 1 * f.around.pitch, 1 * f.around.shift): f.around.there != 0 ==> \\separated(z + (0 .. ix(outer, 1 * f.around.pitch, 0) - 1), y + (0 .. ix(outer, f.width, 0) - 1))", outer)
  REQUIRES((!(num(f.in.there) != 0) || (0 <= ((1 * num(f.lo)) + (1 * num(f.in.shift))))),
           "window_size(x, z, y, outer, f.width, 1 * f.lo, 1 * f.hi, f.in.there, 1 * f.in.pitch, 1 * f.in.shift, f.around.there, 1 * f.around.pitch, 1 * f.around.shift): f.in.there != 0 ==> 0 <= 1 * f.lo + 1 * f.in.shift")
  REQUIRES((!(num(f.in.there) != 0) || (((1 * num(f.hi)) + (1 * num(f.in.shift))) <= (1 * num(f.in.pitch)))),
           "window_size(x, z, y, outer, f.width, 1 * f.lo, 1 * f.hi, f.in.there, 1 * f.in.pitch, 1 * f.in.shift, f.around.there, 1 * f.around.pitch, 1 * f.around.shift): f.in.there != 0 ==> 1 * f.hi + 1 * f.in.shift <= 1 * f.in.pitch")
  REQUIRES((!(num(f.around.there) != 0) || (-0x0fffffffffffffff <= (1 * num(f.around.shift)) && (1 * num(f.around.shift)) <= 0x0fffffffffffffff)),
           "window_size(x, z, y, outer, f.width, 1 * f.lo, 1 * f.hi, f.in.there, 1 * f.in.pitch, 1 * f.in.shift, f.around.there, 1 * f.around.pitch, 1 * f.around.shift): f.around.there != 0 ==> -0x0fffffffffffffff <= 1 * f.around.shift <= 0x0fffffffffffffff")
  REQUIRES((!(num(f.around.there) != 0) || (!(0 < (1 * num(f.lo))) || (0 <= (1 * num(f.around.shift))))),
           "window_size(x, z, y, outer, f.width, 1 * f.lo, 1 * f.hi, f.in.there, 1 * f.in.pitch, 1 * f.in.shift, f.around.there, 1 * f.around.pitch, 1 * f.around.shift): f.around.there != 0 ==> 0 < 1 * f.lo ==> 0 <= 1 * f.around.shift")
  REQUIRES((!(num(f.around.there) != 0) || (!(0 < (1 * num(f.lo))) || (((1 * num(f.lo)) + (1 * num(f.around.shift))) <= (1 * num(f.around.pitch))))),
           "window_size(x, z, y, outer, f.width, 1 * f.lo, 1 * f.hi, f.in.there, 1 * f.in.pitch, 1 * f.in.shift, f.around.there, 1 * f.around.pitch, 1 * f.around.shift): f.around.there != 0 ==> 0 < 1 * f.lo ==> 1 * f.lo + 1 * f.around.shift <= 1 * f.around.pitch")
  REQUIRES((!(num(f.around.there) != 0) || (!((1 * num(f.hi)) < num(f.width)) || (0 <= ((1 * num(f.hi)) + (1 * num(f.around.shift)))))),
           "window_size(x, z, y, outer, f.width, 1 * f.lo, 1 * f.hi, f.in.there, 1 * f.in.pitch, 1 * f.in.shift, f.around.there, 1 * f.around.pitch, 1 * f.around.shift): f.around.there != 0 ==> 1 * f.hi < f.width ==> 0 <= 1 * f.hi + 1 * f.around.shift")
  REQUIRES((!(num(f.around.there) != 0) || (!((1 * num(f.hi)) < num(f.width)) || ((num(f.width) + (1 * num(f.around.shift))) <= (1 * num(f.around.pitch))))),
           "window_size(x, z, y, outer, f.width, 1 * f.lo, 1 * f.hi, f.in.there, 1 * f.in.pitch, 1 * f.in.shift, f.around.there, 1 * f.around.pitch, 1 * f.around.shift): f.around.there != 0 ==> 1 * f.hi < f.width ==> f.width + 1 * f.around.shift <= 1 * f.around.pitch")
  REQUIRES((ix(outer, num(f.width), 0) <= gsize_),
           "ix(outer, f.width, 0) <= gsize_", outer, gsize_)
  return true;
}

bool check_window_vec4(const launched &l)
{
  const num outer = l.get<int64_t>(0);
  const frame f = l.get<frame>(1);
  const ptr x = l.pointer(3, 4);
  const ptr z = l.pointer(4, 4);
  const ptr y = l.pointer(5, 4);
  /* not checked, permission, of the prover's discipline alone:
   *   f.in.there != 0 ==> perm_r(x, ix(outer, 4 * f.in.pitch, 0))
   *   f.around.there != 0 ==> perm_r(z, ix(outer, 4 * f.around.pitch, 0))
   *   perm(y, ix(outer, 4 * f.width, 0)) */
  REQUIRES((0 <= outer),
           "window_size(x, z, y, outer, 4 * f.width, 4 * f.lo, 4 * f.hi, f.in.there, 4 * f.in.pitch, 4 * f.in.shift, f.around.there, 4 * f.around.pitch, 4 * f.around.shift): 0 <= outer", outer)
  REQUIRES((0 < (4 * num(f.width)) && (4 * num(f.width)) <= 0x0fffffffffffffff),
           "window_size(x, z, y, outer, 4 * f.width, 4 * f.lo, 4 * f.hi, f.in.there, 4 * f.in.pitch, 4 * f.in.shift, f.around.there, 4 * f.around.pitch, 4 * f.around.shift): 0 < 4 * f.width <= 0x0fffffffffffffff")
  REQUIRES((0 <= (4 * num(f.lo)) && (4 * num(f.lo)) <= (4 * num(f.hi)) && (4 * num(f.hi)) <= (4 * num(f.width))),
           "window_size(x, z, y, outer, 4 * f.width, 4 * f.lo, 4 * f.hi, f.in.there, 4 * f.in.pitch, 4 * f.in.shift, f.around.there, 4 * f.around.pitch, 4 * f.around.shift): 0 <= 4 * f.lo <= 4 * f.hi <= 4 * f.width")
  REQUIRES((0 <= ix(outer, (4 * num(f.width)), 0) && ix(outer, (4 * num(f.width)), 0) <= 0x0fffffffffffffff),
           "window_size(x, z, y, outer, 4 * f.width, 4 * f.lo, 4 * f.hi, f.in.there, 4 * f.in.pitch, 4 * f.in.shift, f.around.there, 4 * f.around.pitch, 4 * f.around.shift): 0 <= ix(outer, 4 * f.width, 0) <= 0x0fffffffffffffff", outer)
  REQUIRES(has(span(y, 0, (ix(outer, (4 * num(f.width)), 0) - 1))),
           "window_size(x, z, y, outer, 4 * f.width, 4 * f.lo, 4 * f.hi, f.in.there, 4 * f.in.pitch, 4 * f.in.shift, f.around.there, 4 * f.around.pitch, 4 * f.around.shift): \\valid(y + (0 .. ix(outer, 4 * f.width, 0) - 1))", outer)
  REQUIRES((!(num(f.in.there) != 0) || (0 <= (4 * num(f.in.pitch)) && (4 * num(f.in.pitch)) <= 0x0fffffffffffffff)),
           "window_size(x, z, y, outer, 4 * f.width, 4 * f.lo, 4 * f.hi, f.in.there, 4 * f.in.pitch, 4 * f.in.shift, f.around.there, 4 * f.around.pitch, 4 * f.around.shift): f.in.there != 0 ==> 0 <= 4 * f.in.pitch <= 0x0fffffffffffffff")
  REQUIRES((!(num(f.in.there) != 0) || (0 <= ix(outer, (4 * num(f.in.pitch)), 0) && ix(outer, (4 * num(f.in.pitch)), 0) <= 0x0fffffffffffffff)),
           "window_size(x, z, y, outer, 4 * f.width, 4 * f.lo, 4 * f.hi, f.in.there, 4 * f.in.pitch, 4 * f.in.shift, f.around.there, 4 * f.around.pitch, 4 * f.around.shift): f.in.there != 0 ==> 0 <= ix(outer, 4 * f.in.pitch, 0) <= 0x0fffffffffffffff", outer)
  REQUIRES((!(num(f.in.there) != 0) || has(span(x, 0, (ix(outer, (4 * num(f.in.pitch)), 0) - 1)))),
           "window_size(x, z, y, outer, 4 * f.width, 4 * f.lo, 4 * f.hi, f.in.there, 4 * f.in.pitch, 4 * f.in.shift, f.around.there, 4 * f.around.pitch, 4 * f.around.shift): f.in.there != 0 ==> \\valid_read(x + (0 .. ix(outer, 4 * f.in.pitch, 0) - 1))", outer)
  REQUIRES((!(num(f.in.there) != 0) || (apart(span(x, 0, (ix(outer, (4 * num(f.in.pitch)), 0) - 1)), span(y, 0, (ix(outer, (4 * num(f.width)), 0) - 1))))),
           "window_size(x, z, y, outer, 4 * f.width, 4 * f.lo, 4 * f.hi, f.in.there, 4 * f.in.pitch, 4 * f.in.shift, f.around.there, 4 * f.around.pitch, 4 * f.around.shift): f.in.there != 0 ==> \\separated(x + (0 .. ix(outer, 4 * f.in.pitch, 0) - 1), y + (0 .. ix(outer, 4 * f.width, 0) - 1))", outer)
  REQUIRES((!(num(f.around.there) != 0) || (0 <= (4 * num(f.around.pitch)) && (4 * num(f.around.pitch)) <= 0x0fffffffffffffff)),
           "window_size(x, z, y, outer, 4 * f.width, 4 * f.lo, 4 * f.hi, f.in.there, 4 * f.in.pitch, 4 * f.in.shift, f.around.there, 4 * f.around.pitch, 4 * f.around.shift): f.around.there != 0 ==> 0 <= 4 * f.around.pitch <= 0x0fffffffffffffff")
  REQUIRES((!(num(f.around.there) != 0) || (0 <= ix(outer, (4 * num(f.around.pitch)), 0) && ix(outer, (4 * num(f.around.pitch)), 0) <= 0x0fffffffffffffff)),
           "window_size(x, z, y, outer, 4 * f.width, 4 * f.lo, 4 * f.hi, f.in.there, 4 * f.in.pitch, 4 * f.in.shift, f.around.there, 4 * f.around.pitch, 4 * f.around.shift): f.around.there != 0 ==> 0 <= ix(outer, 4 * f.around.pitch, 0) <= 0x0fffffffffffffff", outer)
  REQUIRES((!(num(f.around.there) != 0) || has(span(z, 0, (ix(outer, (4 * num(f.around.pitch)), 0) - 1)))),
           "window_size(x, z, y, outer, 4 * f.width, 4 * f.lo, 4 * f.hi, f.in.there, 4 * f.in.pitch, 4 * f.in.shift, f.around.there, 4 * f.around.pitch, 4 * f.around.shift): f.around.there != 0 ==> \\valid_read(z + (0 .. ix(outer, 4 * f.around.pitch, 0) - 1))", outer)
  REQUIRES((!(num(f.around.there) != 0) || (apart(span(z, 0, (ix(outer, (4 * num(f.around.pitch)), 0) - 1)), span(y, 0, (ix(outer, (4 * num(f.width)), 0) - 1))))),
           "window_size(x, z, y, outer, 4 * f.width, 4 * f.lo, 4 * f.hi, f.in.there, 4 * f.in.pitch, 4 * f.in.shift, f.around.there, 4 * f.around.pitch, 4 * f.around.shift): f.around.there != 0 ==> \\separated(z + (0 .. ix(outer, 4 * f.around.pitch, 0) - 1), y + (0 .. ix(outer, 4 * f.width, 0) - 1))", outer)
  REQUIRES((!(num(f.in.there) != 0) || (0 <= ((4 * num(f.lo)) + (4 * num(f.in.shift))))),
           "window_size(x, z, y, outer, 4 * f.width, 4 * f.lo, 4 * f.hi, f.in.there, 4 * f.in.pitch, 4 * f.in.shift, f.around.there, 4 * f.around.pitch, 4 * f.around.shift): f.in.there != 0 ==> 0 <= 4 * f.lo + 4 * f.in.shift")
  REQUIRES((!(num(f.in.there) != 0) || (((4 * num(f.hi)) + (4 * num(f.in.shift))) <= (4 * num(f.in.pitch)))),
           "window_size(x, z, y, outer, 4 * f.width, 4 * f.lo, 4 * f.hi, f.in.there, 4 * f.in.pitch, 4 * f.in.shift, f.around.there, 4 * f.around.pitch, 4 * f.around.shift): f.in.there != 0 ==> 4 * f.hi + 4 * f.in.shift <= 4 * f.in.pitch")
  REQUIRES((!(num(f.around.there) != 0) || (-0x0fffffffffffffff <= (4 * num(f.around.shift)) && (4 * num(f.around.shift)) <= 0x0fffffffffffffff)),
           "window_size(x, z, y, outer, 4 * f.width, 4 * f.lo, 4 * f.hi, f.in.there, 4 * f.in.pitch, 4 * f.in.shift, f.around.there, 4 * f.around.pitch, 4 * f.around.shift): f.around.there != 0 ==> -0x0fffffffffffffff <= 4 * f.around.shift <= 0x0fffffffffffffff")
  REQUIRES((!(num(f.around.there) != 0) || (!(0 < (4 * num(f.lo))) || (0 <= (4 * num(f.around.shift))))),
           "window_size(x, z, y, outer, 4 * f.width, 4 * f.lo, 4 * f.hi, f.in.there, 4 * f.in.pitch, 4 * f.in.shift, f.around.there, 4 * f.around.pitch, 4 * f.around.shift): f.around.there != 0 ==> 0 < 4 * f.lo ==> 0 <= 4 * f.around.shift")
  REQUIRES((!(num(f.around.there) != 0) || (!(0 < (4 * num(f.lo))) || (((4 * num(f.lo)) + (4 * num(f.around.shift))) <= (4 * num(f.around.pitch))))),
           "window_size(x, z, y, outer, 4 * f.width, 4 * f.lo, 4 * f.hi, f.in.there, 4 * f.in.pitch, 4 * f.in.shift, f.around.there, 4 * f.around.pitch, 4 * f.around.shift): f.around.there != 0 ==> 0 < 4 * f.lo ==> 4 * f.lo + 4 * f.around.shift <= 4 * f.around.pitch")
  REQUIRES((!(num(f.around.there) != 0) || (!((4 * num(f.hi)) < (4 * num(f.width))) || (0 <= ((4 * num(f.hi)) + (4 * num(f.around.shift)))))),
           "window_size(x, z, y, outer, 4 * f.width, 4 * f.lo, 4 * f.hi, f.in.there, 4 * f.in.pitch, 4 * f.in.shift, f.around.there, 4 * f.around.pitch, 4 * f.around.shift): f.around.there != 0 ==> 4 * f.hi < 4 * f.width ==> 0 <= 4 * f.hi + 4 * f.around.shift")
  REQUIRES((!(num(f.around.there) != 0) || (!((4 * num(f.hi)) < (4 * num(f.width))) || (((4 * num(f.width)) + (4 * num(f.around.shift))) <= (4 * num(f.around.pitch))))),
           "window_size(x, z, y, outer, 4 * f.width, 4 * f.lo, 4 * f.hi, f.in.there, 4 * f.in.pitch, 4 * f.in.shift, f.around.there, 4 * f.around.pitch, 4 * f.around.shift): f.around.there != 0 ==> 4 * f.hi < 4 * f.width ==> 4 * f.width + 4 * f.around.shift <= 4 * f.around.pitch")
  REQUIRES((!(num(f.in.there) != 0) || aligned16(x)),
           "f.in.there != 0 ==> aligned16(x)")
  REQUIRES((!(num(f.around.there) != 0) || aligned16(z)),
           "f.around.there != 0 ==> aligned16(z)")
  REQUIRES(aligned16(y),
           "aligned16(y)")
  REQUIRES((ix(outer, num(f.width), 0) <= gsize_),
           "ix(outer, f.width, 0) <= gsize_", outer, gsize_)
  return true;
}

} // namespace

const requires_row requires_rows[] = {
    {"abs_map", "lliffppppp", 0, 0, check_abs_map},
    {"abs_vjp_map", "lliffppppp", 0, 0, check_abs_vjp_map},
    {"adam_kernel", "llsppppppp", 0, sizeof(adam), check_adam_kernel},
    {"add_bias_scalar", "llppp", 0, 0, check_add_bias_scalar},
    {"add_bias_vec4", "llppp", 0, 0, check_add_bias_vec4},
    {"add_bias_vjp_scalar", "llllippp", 1, 0, check_add_bias_vjp_scalar},
    {"add_bias_vjp_tiles", NULL, 0, 0, NULL},
    {"add_bias_vjp_vec4", "llllippp", 1, 0, check_add_bias_vjp_vec4},
    {"add_map", "lliffppppp", 0, 0, check_abs_vjp_map},
    {"add_vjp_map", "lliffppppp", 0, 0, check_add_vjp_map},
    {"axis_sum_narrow", NULL, 0, 0, NULL},
    {"axpy_map", "lliffppppp", 0, 0, check_abs_vjp_map},
    {"axpy_vjp_map", "lliffppppp", 0, 0, check_add_vjp_map},
    {"batch_norm_cluster", "slllllfpppppp", 3, sizeof(share_plan), check_batch_norm_cluster},
    {"batch_norm_parts_out", "llllllfpppppppp", 1, 0, check_batch_norm_parts_out},
    {"batch_norm_parts_sums", "llllllppp", 2, 0, check_batch_norm_parts_sums},
    {"batch_norm_vjp_cluster", "sillllpppppppp", 1, sizeof(share_plan), check_batch_norm_vjp_cluster},
    {"batch_norm_vjp_parts_out", "illllllpppppppppp", 1, 0, check_batch_norm_vjp_parts_out},
    {"batch_norm_vjp_parts_sums", "llllllpppppp", 1, 0, check_batch_norm_vjp_parts_sums},
    {"bernoulli_draw", "lliiusfp", 0, sizeof(philox_keys), check_bernoulli_draw},
    {"broadcast_to_scalar", "sllllpp", 0, sizeof(grid), check_broadcast_to_scalar},
    {"broadcast_to_vec4", "slllllpp", 0, sizeof(grid), check_broadcast_to_vec4},
    {"bucket_count", NULL, 0, 0, NULL},
    {"bucket_heavy", NULL, 0, 0, NULL},
    {"bucket_place", NULL, 0, 0, NULL},
    {"bucket_sum", NULL, 0, 0, NULL},
    {"clamp_map", "lliffppppp", 0, 0, check_abs_map},
    {"clamp_vjp_map", "lliffppppp", 0, 0, check_abs_vjp_map},
    {"column_join", "iiliiiilppp", 0, 0, check_column_join},
    {"column_sums_scalar", "lllllipp", 0, 0, check_column_sums_scalar},
    {"column_sums_vec4", "lllllipp", 0, 0, check_column_sums_vec4},
    {"conv_direct", NULL, 0, 0, NULL},
    {"conv_tile", NULL, 0, 0, NULL},
    {"conv_weights", NULL, 0, 0, NULL},
    {"copy_map", "lliffppppp", 0, 0, check_abs_map},
    {"copy_vjp_map", "lliffppppp", 0, 0, check_abs_map},
    {"cross_entropy_grad_cluster", "llliifpppppp", 3, 0, check_cross_entropy_grad_cluster},
    {"cross_entropy_grad_regs", "liiifpppppp", 2, 0, check_cross_entropy_grad_regs},
    {"cross_entropy_grad_shared", "lliiifpppppp", 1, 0, check_cross_entropy_grad_shared},
    {"cross_entropy_grad_split_out", "llliiifpppppppp", 1, 0, check_cross_entropy_grad_split_out},
    {"cross_entropy_grad_warp", "illiiifpppppp", 2, 0, check_cross_entropy_grad_warp},
    {"cross_entropy_mean", "llllfippp", 0, 0, check_cross_entropy_mean},
    {"cross_entropy_online", "lllllppp", 1, 0, check_cross_entropy_online},
    {"cross_entropy_regs", "lippp", 2, 0, check_cross_entropy_regs},
    {"cross_entropy_split_out", "llippppp", 0, 0, check_cross_entropy_split_out},
    {"cross_entropy_targets", "llllppp", 0, 0, check_cross_entropy_targets},
    {"cross_entropy_warp", "illippp", 2, 0, check_cross_entropy_warp},
    {"decode_join", NULL, 0, 0, NULL},
    {"decode_scalar", NULL, 0, 0, NULL},
    {"decode_vec4", NULL, 0, 0, NULL},
    {"div_map", "lliffppppp", 0, 0, check_abs_vjp_map},
    {"div_vjp_map", "lliffppppp", 0, 0, check_div_vjp_map},
    {"exp_map", "lliffppppp", 0, 0, check_abs_map},
    {"exp_vjp_map", "lliffppppp", 0, 0, check_abs_vjp_map},
    {"fill_map", "lliffppppp", 0, 0, check_fill_map},
    {"gather_rows_scalar", "lllippp", 0, 0, check_gather_rows_scalar},
    {"gather_rows_vec4", "llllippp", 0, 0, check_gather_rows_vec4},
    {"gelu_map", "lliffppppp", 0, 0, check_abs_map},
    {"gelu_vjp_map", "lliffppppp", 0, 0, check_abs_vjp_map},
    {"log_map", "lliffppppp", 0, 0, check_abs_map},
    {"log_vjp_map", "lliffppppp", 0, 0, check_abs_vjp_map},
    {"lse_split_chunks", "lllippp", 1, 0, check_lse_split_chunks},
    {"masked_softmax_cluster", "lllppp", 3, 0, check_masked_softmax_cluster},
    {"masked_softmax_regs", "lippp", 3, 0, check_masked_softmax_regs},
    {"masked_softmax_shared", "llippp", 1, 0, check_masked_softmax_shared},
    {"masked_softmax_split_chunks", "lllipppp", 1, 0, check_masked_softmax_split_chunks},
    {"masked_softmax_split_out", "lllippppp", 1, 0, check_masked_softmax_split_out},
    {"masked_softmax_warp", "ilippp", 2, 0, check_masked_softmax_warp},
    {"matmul_fast", NULL, 0, 0, NULL},
    {"matmul_plain", "llllllliiifppp", 0, 0, check_matmul_plain},
    {"matmul_split", NULL, 0, 0, NULL},
    {"matmul_tile", NULL, 0, 0, NULL},
    {"matmul_tile128", NULL, 0, 0, NULL},
    {"matmul_vector", NULL, 0, 0, NULL},
    {"max_axis_count_cols", "lllllpppp", 2, 0, check_max_axis_count_cols},
    {"max_axis_count_groups", "iillllllpppp", 2, 0, check_max_axis_count_groups},
    {"max_axis_vjp_rows", "iilliipppp", 1, 0, check_max_axis_vjp_rows},
    {"maximum_map", "lliffppppp", 0, 0, check_abs_vjp_map},
    {"maximum_vjp_map", "lliffppppp", 0, 0, check_div_vjp_map},
    {"mean_block", "llidpp", 0, 0, check_mean_block},
    {"mean_vjp_map", "lliffppppp", 0, 0, check_mean_vjp_map},
    {"minimum_map", "lliffppppp", 0, 0, check_abs_vjp_map},
    {"minimum_vjp_map", "lliffppppp", 0, 0, check_div_vjp_map},
    {"mse_loss_blocks", "llllippp", 0, 0, check_mse_loss_blocks},
    {"mse_loss_mean", "llidppp", 0, 0, check_mse_loss_mean},
    {"mse_loss_vjp_map", "lliffppppp", 0, 0, check_mse_loss_vjp_map},
    {"mul_map", "lliffppppp", 0, 0, check_abs_vjp_map},
    {"mul_vjp_map", "lliffppppp", 0, 0, check_div_vjp_map},
    {"neg_map", "lliffppppp", 0, 0, check_abs_map},
    {"neg_vjp_map", "lliffppppp", 0, 0, check_abs_map},
    {"norm_cluster", "liliifpppppp", 3, 0, check_norm_cluster},
    {"norm_regs", "ilifpppppp", 4, 0, check_norm_regs},
    {"norm_split_chunks", "llllpppp", 2, 0, check_norm_split_chunks},
    {"norm_split_out", "illllfppppppppp", 2, 0, check_norm_split_out},
    {"norm_stream", "illfpppppp", 1, 0, check_norm_stream},
    {"norm_vjp_cluster", "lsiliippppppp", 4, sizeof(slice_chunks), check_norm_vjp_cluster},
    {"norm_vjp_parts", "illllpppppp", 1, 0, check_norm_vjp_parts},
    {"norm_vjp_split_chunks", "illllpppppp", 2, 0, check_norm_vjp_split_chunks},
    {"norm_vjp_split_out", "iilllllppppppppp", 2, 0, check_norm_vjp_split_out},
    {"norm_vjp_strips", "iillllllpppppppp", 1, 0, check_norm_vjp_strips},
    {"norm_warp", "iilifpppppp", 3, 0, check_norm_warp},
    {"normal_draw", "lliiusfp", 0, sizeof(philox_keys), check_bernoulli_draw},
    {"permute_map", "lliffppppp", 0, 0, check_abs_map},
    {"permute_squares", NULL, 0, 0, NULL},
    {"permute_walk_scalar", "sllipp", 0, sizeof(walk), check_permute_walk_scalar},
    {"permute_walk_vec4", "sllipp", 0, sizeof(walk), check_permute_walk_vec4},
    {"pool_max", NULL, 0, 0, NULL},
    {"pool_max_back", NULL, 0, 0, NULL},
    {"pool_mean", NULL, 0, 0, NULL},
    {"pool_smooth", NULL, 0, 0, NULL},
    {"pool_smooth_back", NULL, 0, 0, NULL},
    {"reciprocal_map", "lliffppppp", 0, 0, check_abs_map},
    {"reciprocal_vjp_map", "lliffppppp", 0, 0, check_abs_vjp_map},
    {"reduce_cols", "llllllpp", 2, 0, check_reduce_cols},
    {"reduce_narrow", "lllllllpp", 1, 0, check_reduce_narrow},
    {"reduce_rows", "iillllllpp", 2, 0, check_reduce_rows},
    {"reduce_rows_full", "iillilpp", 1, 0, check_reduce_rows_full},
    {"reduce_tall", "lllllillpp", 2, 0, check_reduce_tall},
    {"reduce_vjp_cols", "lllllippppp", 2, 0, check_reduce_vjp_cols},
    {"reduce_vjp_rows", "iillllippppp", 2, 0, check_reduce_vjp_rows},
    {"relu_map", "lliffppppp", 0, 0, check_abs_map},
    {"relu_vjp_map", "lliffppppp", 0, 0, check_abs_vjp_map},
    {"rope_scalar", NULL, 0, 0, NULL},
    {"rope_vec4", NULL, 0, 0, NULL},
    {"rsqrt_map", "lliffppppp", 0, 0, check_abs_map},
    {"rsqrt_vjp_map", "lliffppppp", 0, 0, check_abs_vjp_map},
    {"safe_log_map", "lliffppppp", 0, 0, check_abs_map},
    {"safe_log_vjp_map", "lliffppppp", 0, 0, check_abs_vjp_map},
    {"scale_map", "lliffppppp", 0, 0, check_abs_map},
    {"scale_vjp_map", "lliffppppp", 0, 0, check_abs_map},
    {"scatter_add_row", "llippp", 0, 0, check_scatter_add_row},
    {"scatter_clear", NULL, 0, 0, NULL},
    {"scatter_link", NULL, 0, 0, NULL},
    {"scatter_sum", NULL, 0, 0, NULL},
    {"scatter_sum_thin", NULL, 0, 0, NULL},
    {"sdpa_delta", NULL, 0, 0, NULL},
    {"sdpa_group_sum", NULL, 0, 0, NULL},
    {"sdpa_rows", NULL, 0, 0, NULL},
    {"sdpa_vjp_rows", NULL, 0, 0, NULL},
    {"sgd_kernel", "llfppp", 0, 0, check_sgd_kernel},
    {"sigmoid_map", "lliffppppp", 0, 0, check_abs_map},
    {"sigmoid_vjp_map", "lliffppppp", 0, 0, check_abs_vjp_map},
    {"silu_map", "lliffppppp", 0, 0, check_abs_map},
    {"silu_vjp_map", "lliffppppp", 0, 0, check_abs_vjp_map},
    {"softmax_cluster", "lllpp", 4, 0, check_softmax_cluster},
    {"softmax_regs", "lipp", 4, 0, check_softmax_regs},
    {"softmax_shared", "llipp", 2, 0, check_softmax_shared},
    {"softmax_split_out", "lllipppp", 2, 0, check_softmax_split_out},
    {"softmax_vjp_cluster", "illlppp", 5, 0, check_softmax_vjp_cluster},
    {"softmax_vjp_regs", "ilippp", 3, 0, check_softmax_vjp_regs},
    {"softmax_vjp_shared", "illippp", 2, 0, check_softmax_vjp_shared},
    {"softmax_vjp_split_chunks", "llllppp", 2, 0, check_softmax_vjp_split_chunks},
    {"softmax_vjp_split_out", "illllpppp", 2, 0, check_softmax_vjp_split_out},
    {"softmax_vjp_warp", "iilippp", 3, 0, check_softmax_vjp_warp},
    {"softmax_warp", "ilipp", 3, 0, check_softmax_warp},
    {"softplus_map", "lliffppppp", 0, 0, check_abs_map},
    {"softplus_vjp_map", "lliffppppp", 0, 0, check_abs_vjp_map},
    {"spectral_add_splits", NULL, 0, 0, NULL},
    {"spectral_ahead", NULL, 0, 0, NULL},
    {"spectral_ahead_columns", NULL, 0, 0, NULL},
    {"spectral_back", NULL, 0, 0, NULL},
    {"spectral_back_columns", NULL, 0, 0, NULL},
    {"spectral_fft_ahead", NULL, 0, 0, NULL},
    {"spectral_fft_back", NULL, 0, 0, NULL},
    {"spectral_fft_between", NULL, 0, 0, NULL},
    {"spectral_fft_first", NULL, 0, 0, NULL},
    {"spectral_fft_from_bins", NULL, 0, 0, NULL},
    {"spectral_fft_last", NULL, 0, 0, NULL},
    {"spectral_fft_to_bins", NULL, 0, 0, NULL},
    {"spectral_fft_turns", NULL, 0, 0, NULL},
    {"spectral_mix", NULL, 0, 0, NULL},
    {"spectral_mix_weights", NULL, 0, 0, NULL},
    {"spectral_wave", NULL, 0, 0, NULL},
    {"sqrt_map", "lliffppppp", 0, 0, check_abs_map},
    {"sqrt_vjp_map", "lliffppppp", 0, 0, check_abs_vjp_map},
    {"sub_map", "lliffppppp", 0, 0, check_abs_vjp_map},
    {"sub_vjp_map", "lliffppppp", 0, 0, check_add_vjp_map},
    {"sum_blocks", "llllipp", 0, 0, check_sum_blocks},
    {"sum_vjp_map", "lliffppppp", 0, 0, check_mean_vjp_map},
    {"table_copy_map", "lliffppppp", 0, 0, check_abs_map},
    {"table_fill_map", "lliffppppp", 0, 0, check_fill_map},
    {"tanh_map", "lliffppppp", 0, 0, check_abs_map},
    {"tanh_vjp_map", "lliffppppp", 0, 0, check_abs_vjp_map},
    {"transpose_tile", "lllllllipp", 0, 0, check_transpose_tile},
    {"transpose_vec4", "lllllipp", 0, 0, check_transpose_vec4},
    {"uniform_draw", "lliiusfp", 0, sizeof(philox_keys), check_bernoulli_draw},
    {"vjp_regs", "sliilippppppp", 4, sizeof(vjp_cut), check_vjp_regs},
    {"window_scalar", "lsippp", 0, sizeof(frame), check_window_scalar},
    {"window_vec4", "lsippp", 0, sizeof(frame), check_window_vec4},
};
const int n_requires = 189;

} // namespace pm_sim_
