/* The kernels of rope and rope_vjp: y, (batch, seq, heads, 2 half), is x turned, or turned back. A
 * line is a batch and a head. The thread (p,s,i) has step s, the pair, or the four pairs, of number
 * i and every line k with k mod parts == p. */
#ifndef PM_ROPE_TURNED_H
#define PM_ROPE_TURNED_H
#include "../lang/kernel.h"
#include "../math/turn.h"
#include "../../spec/rope.h"

/* lines: batch * heads; parts: threads that share those of a step */
typedef struct rope_sizes {
  idx lines, parts, seq, heads, half;
} rope_sizes;

/* base^(-i/half), where log2_base is the logarithm of the base */
DEV double power_of(double log2_base, idx half, idx i)
{
  return pm_exp2_wide(-((double)i / (double)half * log2_base));
}

/* The angle at position p, on the way back its negative. */
DEV double angle_of(int back, idx p, double f)
{
  double t = (double)p * f;
  return back ? -t : t;
}

/* Cosine and sine at position p of pair i, or where the table has its frequency f. */
DEV pm_turn turn_at(int back, int table, double log2_base, idx p, idx half, idx i, float f)
{
  return pm_turn_wide(angle_of(back, p, table ? (double)f : power_of(log2_base, half, i)));
}

DEV float first_f(float a, float b, float c, float s) { return a * c - b * s; }
DEV float second_f(float a, float b, float c, float s) { return b * c + a * s; }

/* Where the row of line k at step s begins. */
DEV idx place_of(rope_sizes z, idx k, idx s)
{
  return ((k / z.heads * z.seq + s) * z.heads + k % z.heads) * (2 * z.half);
}

DEV void turn_one(idx e, idx half, int adds, pm_turn t, const float *RESTRICT x, float *RESTRICT y)
{
  float a = LDG(x + e), b = LDG(x + (e + half));
  float u = first_f(a, b, t.c, t.s), v = second_f(a, b, t.c, t.s);
  STG(y + e, adds ? LDG(y + e) + u : u);
  STG(y + (e + half), adds ? LDG(y + (e + half)) + v : v);
}

DEV void turn_four(idx e, idx half, int adds, float4 c, float4 s, const float *RESTRICT x,
                   float *RESTRICT y)
{
  float4 a = LD4(x + e), b = LD4(x + (e + half)), u, v;
  u.x = first_f(a.x, b.x, c.x, s.x), v.x = second_f(a.x, b.x, c.x, s.x);
  u.y = first_f(a.y, b.y, c.y, s.y), v.y = second_f(a.y, b.y, c.y, s.y);
  u.z = first_f(a.z, b.z, c.z, s.z), v.z = second_f(a.z, b.z, c.z, s.z);
  u.w = first_f(a.w, b.w, c.w, s.w), v.w = second_f(a.w, b.w, c.w, s.w);
  ST4(y + e, adds ? plus4(LD4(y + e), u) : u);
  ST4(y + (e + half), adds ? plus4(LD4(y + (e + half)), v) : v);
}

DEV void turn_pair(rope_sizes z, idx part, idx step, idx i, int adds, int back, int table,
                   double log2_base, idx first, const float *RESTRICT inv_freq,
                   const float *RESTRICT x, float *RESTRICT y)
{
  pm_turn t =
      turn_at(back, table, log2_base, first + step, z.half, i, table ? LDG(inv_freq + i) : 0.0f);
  for (idx k = part; k < z.lines; k += z.parts)
    turn_one(place_of(z, k, step) + i, z.half, adds, t, x, y);
}

DEV void turn_quad(rope_sizes z, idx part, idx step, idx q, int adds, int back, int table,
                   double log2_base, idx first, const float *RESTRICT inv_freq,
                   const float *RESTRICT x, float *RESTRICT y)
{
  float4 f = {0, 0, 0, 0}, c, s;
  idx i = 4 * q, p = first + step;
  pm_turn t;
  if (table)
    f = LD4(inv_freq + i);
  t = turn_at(back, table, log2_base, p, z.half, i, f.x);
  c.x = t.c, s.x = t.s;
  t = turn_at(back, table, log2_base, p, z.half, i + 1, f.y);
  c.y = t.c, s.y = t.s;
  t = turn_at(back, table, log2_base, p, z.half, i + 2, f.z);
  c.z = t.c, s.z = t.s;
  t = turn_at(back, table, log2_base, p, z.half, i + 3, f.w);
  c.w = t.c, s.w = t.s;
  UNROLL_BY(2)
  for (idx k = part; k < z.lines; k += z.parts)
    turn_four(place_of(z, k, step) + i, z.half, adds, c, s, x, y);
}

KERNEL void rope_scalar(rope_sizes z, int adds, int back, int table, double log2_base, idx first,
                        const float *RESTRICT inv_freq, const float *RESTRICT x, float *RESTRICT y)
{
  GROWS(r, z.parts * z.seq, z.half) {
    GCOLS(i, z.half)
      turn_pair(z, r / z.seq, r % z.seq, i, adds, back, table, log2_base, first, inv_freq, x, y);
  }
}

KERNEL void rope_vec4(rope_sizes z, idx Q, int adds, int back, int table, double log2_base,
                      idx first, const float *RESTRICT inv_freq, const float *RESTRICT x,
                      float *RESTRICT y)
{
  GROWS(r, z.parts * z.seq, Q) {
    GCOLS(q, Q)
      turn_quad(z, r / z.seq, r % z.seq, q, adds, back, table, log2_base, first, inv_freq, x, y);
  }
}
#endif
