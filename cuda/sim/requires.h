/* The words of requires.cpp: ACSL's terms, evaluated for the launch at hand. Integers are those of
 * mathematics as far as a size goes: beyond 128 bits they stay at the end of the range. A
 * quantifier over more than 2 SOME numbers asks the first and the last SOME of them; one that says
 * no range, the first SOME. */
#ifndef PM_SIM_REQUIRES_H
#define PM_SIM_REQUIRES_H
#include <initializer_list>
#include <string.h>

#include "launched.h"

namespace pm_sim_ {

typedef __int128 wide_int;
typedef long double real;
enum { SOME = 512 };

struct num {
  wide_int v;
  constexpr num() : v(0) {}
  constexpr num(int a) : v(a) {}
  constexpr num(unsigned a) : v(a) {}
  constexpr num(long a) : v(a) {}
  constexpr num(long long a) : v(a) {}
  constexpr num(unsigned long a) : v(a) {}
  static num of(wide_int a)
  {
    num n;
    n.v = a;
    return n;
  }
};
const wide_int MOST_ = (wide_int)(~(unsigned __int128)0 >> 1);
static inline num operator+(num a, num b)
{
  wide_int c;
  return num::of(!__builtin_add_overflow(a.v, b.v, &c) ? c : b.v > 0 ? MOST_ : -MOST_);
}
static inline num operator-(num a) { return num::of(-a.v); }
static inline num operator-(num a, num b) { return a + -b; }
static inline num operator*(num a, num b)
{
  wide_int c;
  if (a.v == (int64_t)a.v && b.v == (int64_t)b.v)
    return num::of(a.v * b.v);
  return num::of(!__builtin_mul_overflow(a.v, b.v, &c) ? c
                 : (a.v > 0) == (b.v > 0)              ? MOST_
                                                       : -MOST_);
}
/* Of a quotient by 0 nothing is known: contracts have none. */
static inline num operator/(num a, num b) { return num::of(b.v ? a.v / b.v : MOST_); }
static inline num operator%(num a, num b) { return num::of(b.v ? a.v % b.v : MOST_); }
static inline num operator<<(num a, num b)
{
  num c = a;
  for (int i = 0; i < 127 && i < b.v; i++) c = c * 2;
  return c;
}
static inline bool operator<(num a, num b) { return a.v < b.v; }
static inline bool operator<=(num a, num b) { return a.v <= b.v; }
static inline bool operator>(num a, num b) { return a.v > b.v; }
static inline bool operator>=(num a, num b) { return a.v >= b.v; }
static inline bool operator==(num a, num b) { return a.v == b.v; }
static inline bool operator!=(num a, num b) { return a.v != b.v; }
static inline real real_of(num a) { return (real)a.v; }
static inline size_t at(num k) { return (size_t)k.v; } /* of an array of the launch's arguments */

/* An address and the bytes of what stands there: a launch may be given any. */
struct ptr {
  num at;
  int each;
  ptr(num at_ = 0, int each_ = 1) : at(at_), each(each_) {}
};
static inline ptr operator+(ptr p, num k) { return ptr(p.at + k * p.each, p.each); }
static inline ptr operator-(ptr p, num k) { return p + -k; }
static inline bool operator==(ptr a, ptr b) { return a.at == b.at; }
static inline bool operator!=(ptr a, ptr b) { return a.at != b.at; }
static inline bool aligned16(ptr p) { return p.at % 16 == 0; }

struct bytes {
  num from, to;
};
/* p + (low .. high); none where high < low. */
static inline bytes span(ptr p, num low, num high)
{
  return bytes{(p + low).at, (p + (high < low ? low : high + 1)).at};
}
static inline bool apart(bytes a, bytes b)
{
  return a.from == a.to || b.from == b.to || a.to <= b.from || b.to <= a.from;
}
/* Nothing, or memory that the kernel may use, as far as the simulator knows it. */
bool has(bytes b);

template <class F> static inline bool for_all(num low, num high, F holds)
{
  bool all = true;
  for (num k = low; k < high && all; k = k + 1) {
    all = holds(k);
    if (k == low + SOME && k < high - SOME)
      k = high - SOME;
  }
  return all;
}
template <class F> static inline bool for_some(F holds) { return for_all(0, SOME, holds); }

/* The launch at hand: threads of a block and of the grid, blocks, cells of its dynamic memory. */
extern num bdim_, gsize_, blocks_, slots_, turn_cells_, stage_cells_;

struct launched {
  const kernel_call &call;
  char *words;
  size_t room;
  num constant(int i) const { return num((long)call.kernel->constant[i]); }
  template <class T> T get(int i) const
  {
    T v;
    memcpy(&v, call.args[i].at, sizeof v);
    return v;
  }
  ptr pointer(int i, int each) const { return ptr((unsigned long)get<uintptr_t>(i), each); }
  /* Words for a requirement that is not met, with the values that it speaks of: false. */
  bool fail(const char *text, const char *names, std::initializer_list<num> values) const;
};

struct requires_row {
  const char *kernel;
  const char *signature; /* a letter an argument, as argument.kind; NULL: it has no contract */
  int n_constants;
  size_t structs; /* bytes of all that are structs */
  bool (*check)(const launched &l);
};
extern const requires_row requires_rows[];
extern const int n_requires;

#define REQUIRES(holds, text, ...) \
  if (!(holds))                    \
    return l.fail(text, #__VA_ARGS__, {__VA_ARGS__});

} // namespace pm_sim_
#endif
