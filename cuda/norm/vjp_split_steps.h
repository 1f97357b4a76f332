/* The steps (row/split_steps.h) by which a thread takes a stretch of columns where norms are
 * split: of four elements where vec, of one else, which is a vector's first. */
#ifndef PM_NORM_VJP_SPLIT_STEPS_H
#define PM_NORM_VJP_SPLIT_STEPS_H
#include "../lang/kernel.h"
#include "../row/split_steps.h"

/*@ // elements of a step, which begins at c of n; one that is read; a tensor of which steps are
    predicate step_at(integer vec, integer c, integer n) =
      0 <= c && c + StepAt(vec,1) <= n && (vec != 0 ==> c % 4 == 0);
    predicate step_in{L}(float *x, integer vec) =
      \valid_read(x + (0 .. StepAt(vec,1)-1)) && perm_r(x,StepAt(vec,1)) &&
      (vec != 0 ==> aligned16(x));
    predicate steps_in{L}(float *x, integer n, integer vec) =
      reads(x,n) && (vec != 0 ==> aligned16(x)); */

/* Its elements: four, or one and zeros. */
/*@ requires step_in(x,vec);
    assigns \nothing; */
DEV float4 step_load(int vec, const float *RESTRICT x)
{
  float4 v = {0.0f, 0.0f, 0.0f, 0.0f};
  if (vec)
    return LD4(x);
  v.x = LDG(x);
  return v;
}

/*@ assigns \nothing;
    ensures \result.x == a.x * b.x && \result.y == a.y * b.y;
    ensures \result.z == a.z * b.z && \result.w == a.w * b.w; */
DEV float4 step_times(float4 a, float4 b)
{
  float4 c = {a.x * b.x, a.y * b.y, a.z * b.z, a.w * b.w};
  return c;
}

/*@ assigns \nothing;
    ensures \result.x == (x.x - m) * r && \result.y == (x.y - m) * r;
    ensures \result.z == (x.z - m) * r && \result.w == (x.w - m) * r; */
DEV float4 step_hat(float4 x, float m, float r)
{
  float4 hat = {(x.x - m) * r, (x.y - m) * r, (x.z - m) * r, (x.w - m) * r};
  return hat;
}

/*@ assigns \nothing;
    ensures \result == (vec != 0 ? v.x + v.y + v.z + v.w : v.x); */
DEV float step_sum(int vec, float4 v) { return vec ? (v.x + v.y) + (v.z + v.w) : v.x; }

/*@ predicate step_mine{L}(float *to, integer vec) =
      \valid(to + (0 .. StepAt(vec,1)-1)) && perm(to,StepAt(vec,1));
    predicate step_out{L}(float *to, integer vec) =
      step_mine(to,vec) && (vec != 0 ==> aligned16(to)); */
/* A step's v, or added to what was there. */
/*@ requires step_out(to,vec);
    assigns to[0 .. StepAt(vec,1)-1]; */
DEV void step_put(int vec, int adds, float4 v, float *RESTRICT to)
{
  //@ assert perm: perm_r(to,StepAt(vec,1)) && perm_w(to,StepAt(vec,1));
  if (vec)
    ST4(to, adds ? plus4(LD4(to), v) : v);
  else
    STG(to, adds ? LDG(to) + v.x : v.x);
}
#endif
