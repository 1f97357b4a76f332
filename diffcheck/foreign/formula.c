#include "formula.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "../engine/engine.h"

enum { DEEP = 64, WORD = 24 };

typedef struct reader {
  const char *text, *at;
  const formula_scope *scope;
  bool valued; /* else only its form is asked for */
  int unused;  /* inside what && and || pass over: it needs no value */
  int deep;
  dc_status status;
  dc_error *err;
} reader;

/* The first thing that is wrong is what is told. */
__attribute__((format(printf, 3, 4))) static int64_t wrong(reader *r, dc_status status,
                                                           const char *format, ...)
{
  char why[160];
  va_list args;
  va_start(args, format);
  vsnprintf(why, sizeof why, format, args);
  va_end(args);
  if (r->status == DC_OK)
    r->status = dc_fail(r->err, status, "'%.120s': %s", r->text, why);
  return 0;
}

static void no_value(reader *r, const char *why)
{
  if (r->valued && !r->unused)
    wrong(r, DC_TOO_BIG, "%s", why);
}

static void blanks(reader *r) { r->at += strspn(r->at, " \t"); }

/* Takes that sign where it stands; one that goes on is another sign. */
static bool sign(reader *r, const char *s)
{
  size_t n = strlen(s);
  blanks(r);
  if (strncmp(r->at, s, n) != 0 || (n == 1 && strchr("<>!", *s) && r->at[1] == '='))
    return false;
  r->at += n;
  return true;
}

static int64_t either(reader *r);

static int64_t number(reader *r)
{
  int64_t v = 0;
  bool fits = true;
  for (; isdigit((unsigned char)*r->at); r->at++)
    fits =
        fits && !__builtin_mul_overflow(v, 10, &v) && !__builtin_add_overflow(v, *r->at - '0', &v);
  if (!fits)
    return wrong(r, DC_INVALID, "a number in it is beyond 64 bits");
  if (isalpha((unsigned char)*r->at) || *r->at == '_' || *r->at == '.')
    return wrong(r, DC_INVALID, "'%.20s' follows a number; numbers are whole ones", r->at);
  return v;
}

static int64_t least_or_most(reader *r, bool least)
{
  int64_t a = either(r), b = sign(r, ",") ? either(r) : wrong(r, DC_INVALID, "',' is missing");
  if (!sign(r, ")"))
    return wrong(r, DC_INVALID, "')' is missing");
  return (a < b) == least ? a : b;
}

/* The length of the name at text, 0: there is none: "cols", "x.stride". */
static size_t name_at(const char *text)
{
  size_t n = 0;
  while (isalnum((unsigned char)text[n]) || text[n] == '_' ||
         (n && text[n] == '.' && isalpha((unsigned char)text[n + 1])))
    n++;
  return n;
}

static int64_t name(reader *r)
{
  char word[WORD];
  const size_t n = name_at(r->at);
  snprintf(word, sizeof word, "%.*s", (int)(n < WORD ? n : WORD - 1), r->at);
  r->at += n;
  if (strcmp(word, "min") == 0 || strcmp(word, "max") == 0)
    return sign(r, "(") ? least_or_most(r, word[1] == 'i')
                        : wrong(r, DC_INVALID, "'(' is missing after %s", word);
  for (int i = 0; i < r->scope->n; i++)
    if (n < WORD && strcmp(word, r->scope->name[i]) == 0)
      return r->scope->value[i];
  char list[DC_TEXT] = "";
  for (int i = 0; i < r->scope->n; i++)
    snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", i ? ", " : "",
             r->scope->name[i]);
  return wrong(r, DC_INVALID, "%s is unknown; known: %.90s", word, list);
}

static int64_t primary(reader *r)
{
  int64_t v;
  blanks(r);
  if (++r->deep > DEEP)
    return wrong(r, DC_INVALID, "is nested more than %d deep", DEEP);
  if (sign(r, "(")) {
    v = either(r);
    if (!sign(r, ")"))
      return wrong(r, DC_INVALID, "')' is missing");
  } else if (sign(r, "-")) {
    v = primary(r);
    if (__builtin_sub_overflow(0, v, &v))
      no_value(r, "overflows 64 bits");
  } else if (sign(r, "!"))
    v = !primary(r);
  else if (isdigit((unsigned char)*r->at))
    v = number(r);
  else if (isalpha((unsigned char)*r->at) || *r->at == '_')
    v = name(r);
  else
    return *r->at ? wrong(r, DC_INVALID, "'%.20s' is no name and no number", r->at)
                  : wrong(r, DC_INVALID, "a name or a number is missing at its end");
  r->deep--;
  return v;
}

static int64_t product(reader *r)
{
  int64_t v = primary(r);
  while (r->status == DC_OK) {
    bool by = sign(r, "*"), over = !by && sign(r, "/"), rest = !by && !over && sign(r, "%");
    if (!by && !over && !rest)
      break;
    int64_t w = primary(r);
    if (by && __builtin_mul_overflow(v, w, &v))
      no_value(r, "overflows 64 bits");
    else if (!by && w == 0) {
      no_value(r, "divides by 0");
      v = 0;
    } else if (!by && w == -1 && v == INT64_MIN)
      no_value(r, "overflows 64 bits");
    else if (!by)
      v = over ? v / w : v % w;
  }
  return v;
}

static int64_t sum(reader *r)
{
  int64_t v = product(r);
  while (r->status == DC_OK) {
    bool plus = sign(r, "+");
    if (!plus && !sign(r, "-"))
      break;
    int64_t w = product(r);
    if (plus ? __builtin_add_overflow(v, w, &v) : __builtin_sub_overflow(v, w, &v))
      no_value(r, "overflows 64 bits");
  }
  return v;
}

static int64_t comparison(reader *r)
{
  int64_t v = sum(r);
  while (r->status == DC_OK) {
    if (sign(r, "<="))
      v = v <= sum(r);
    else if (sign(r, ">="))
      v = v >= sum(r);
    else if (sign(r, "=="))
      v = v == sum(r);
    else if (sign(r, "!="))
      v = v != sum(r);
    else if (sign(r, "<"))
      v = v < sum(r);
    else if (sign(r, ">"))
      v = v > sum(r);
    else
      break;
  }
  return v;
}

static int64_t both(reader *r)
{
  int64_t v = comparison(r);
  while (r->status == DC_OK && sign(r, "&&")) {
    const int unused = v == 0;
    r->unused += unused;
    int64_t w = comparison(r);
    r->unused -= unused;
    v = v && w;
  }
  return v;
}

static int64_t either(reader *r)
{
  int64_t v = both(r);
  while (r->status == DC_OK && sign(r, "||")) {
    const int unused = v != 0;
    r->unused += unused;
    int64_t w = both(r);
    r->unused -= unused;
    v = v || w;
  }
  return v;
}

static dc_status evaluate(const char *text, const formula_scope *s, bool valued, int64_t *value,
                          dc_error *err)
{
  reader r = {.text = text, .at = text, .scope = s, .valued = valued, .err = err};
  int64_t v = either(&r);
  blanks(&r);
  if (r.status == DC_OK && *r.at)
    wrong(&r, DC_INVALID, "'%.20s' follows what ends before it", r.at);
  if (r.status == DC_OK)
    *value = v;
  return r.status;
}

dc_status formula_value(const char *text, const formula_scope *s, int64_t *value, dc_error *err)
{
  int64_t any;
  dc_status form = evaluate(text, s, false, &any, err); /* all of it, before what it is worth */
  return form ? form : evaluate(text, s, true, value, err);
}

dc_status formula_check(const char *text, const formula_scope *s, dc_error *err)
{
  int64_t value;
  return evaluate(text, s, false, &value, err);
}

int formula_names(const char *text, const char *name)
{
  for (size_t n; *text; text += n ? n : 1) {
    n = name_at(text);
    if (n == strlen(name) && strncmp(text, name, n) == 0)
      return 1;
  }
  return 0;
}
