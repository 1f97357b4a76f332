/* Text made: one token after another, with the keys and values of those before kept, or without. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpt.h"

/* The most likely byte, or where the temperature is not 0 one that is drawn. Tokens from 256 on are no
 * bytes: a vocabulary that has such is not drawn from there. */
static int choose(const float *logit, double temperature, uint64_t word)
{
  double share[BYTES], sum = 0;
  int best = 0;
  for (int i = 1; i < BYTES; i++)
    if (logit[i] > logit[best])
      best = i;
  if (temperature == 0)
    return best;
  for (int i = 0; i < BYTES; i++)
    sum += share[i] = exp(((double)logit[i] - (double)logit[best]) / temperature);
  double at = ldexp((double)(word >> 11), -53) * sum;
  for (int i = 0; i < BYTES; i++)
    if ((at -= share[i]) < 0)
      return i;
  return best;
}

static void show(int byte)
{
  if (byte == '\n' || byte == '\t' || (byte >= 32 && byte < 127))
    putchar(byte);
  else
    printf("\\x%02x", (unsigned)byte);
  fflush(stdout);
}

/* What comes after tokens 0 .. n - 1: the last row of (rows, vocab). */
static pmr_status last_row(const gpt *g, pmr_tensor logits, int64_t rows, float *out)
{
  pmr_tensor row = NULL;
  pmr_status s = pmr_rows(logits, rows - 1, 1, &row);
  s = s ? s : pmr_to_host(row, PMR_F32, out, g->k.vocab);
  if (row)
    pmr_release(row);
  return s;
}

/* The token at n - 1, after those that the cache has. */
static pmr_status next_cached(gpt *g, cache *past, const int64_t *token, int64_t n, float *logit)
{
  pass p = {.batch = 1, .seq = 1, .past = past};
  pmr_tensor logits = NULL;
  const int64_t one = 1, at = n - 1;
  pmr_status s = pmr_from_host(g->c, PMR_I64, 1, &one, &token[at], &p.token);
  s = s ? s : pmr_from_host(g->c, PMR_I64, 1, &one, &at, &p.place);
  s = s ? s : gpt_forward(g, &p, &logits);
  s = s ? s : last_row(g, logits, 1, logit);
  pmr_tensor all[] = {p.token, p.place, logits};
  for (int i = 0; i < 3; i++)
    if (all[i])
      pmr_release(all[i]);
  return s;
}

static pmr_status next_of_all(gpt *g, const int64_t *token, int64_t n, float *logit)
{
  pass p = {.batch = 1, .seq = n};
  pmr_tensor logits = NULL;
  pmr_status s = pmr_from_host(g->c, PMR_I64, 1, &n, token, &p.token);
  s = s ? s : gpt_places(g, 1, n, &p.place);
  s = s ? s : gpt_mask(g, n, &p.mask);
  s = s ? s : gpt_forward(g, &p, &logits);
  s = s ? s : last_row(g, logits, n, logit);
  pmr_tensor all[] = {p.token, p.place, p.mask, logits};
  for (int i = 0; i < 4; i++)
    if (all[i])
      pmr_release(all[i]);
  return s;
}

static pmr_status tokens(gpt *g, const writing *o, int64_t *token, int64_t n, float *logit)
{
  cache past = {.room = 0};
  const int64_t end = n + o->tokens;
  pmr_status s = o->cached ? cache_open(g, end, &past) : PMR_OK;
  for (int64_t i = 1; o->cached && i < n && !s; i++) /* the prompt, but for its last byte */
    s = next_cached(g, &past, token, i, logit);
  for (; n < end && !s; n++) {
    s = o->cached ? next_cached(g, &past, token, n, logit) : next_of_all(g, token, n, logit);
    if (s)
      break;
    token[n] = choose(logit, o->temperature, gpt_random(o->seed, n));
    show((int)token[n]);
  }
  cache_close(&past);
  return s;
}

int gpt_write(gpt *g, const writing *o)
{
  const int64_t n = (int64_t)strlen(o->prompt), end = n + o->tokens;
  if (g->k.positions == LEARNED && end > g->k.context)
    return gpt_refuse("--prompt has %" PRId64 " bytes, and %" PRId64
                      " more are asked for: the model has learned %" PRId64
                      " positions; fewer --tokens, or a model of --positions rope",
                      n, o->tokens, g->k.context);
  int64_t *token = malloc((size_t)end * sizeof *token);
  float *logit = malloc((size_t)g->k.vocab * sizeof *logit);
  pmr_status s = token && logit ? pmr_no_grad(g->c, 1) : gpt_no_memory("text");
  for (int64_t i = 0; i < n && !s; i++) {
    token[i] = (unsigned char)o->prompt[i];
    show((int)token[i]);
  }
  s = s ? s : tokens(g, o, token, n, logit);
  if (!s)
    putchar('\n');
  free(token);
  free(logit);
  pmr_status off = pmr_no_grad(g->c, 0);
  return gpt_status(s ? s : off);
}
