/* How tall.h reduces (outer, n, inner), inner a multiple of 4: its launches, one or two. */
#ifndef PM_REDUCE_TALL_PLAN_H
#define PM_REDUCE_TALL_PLAN_H
#include "tall.h"
#include "../sum/columns.h"

enum {
  TALL_LANES = 32,        /* of a team, at most */
  TALL_TEAMS = 32,        /* of a block, at most */
  TALL_LEAST = 8,         /* of a block, at least */
  TALL_ROWS = 256,        /* of a chunk, at least, where there is more than one */
  TALL_CHUNKS = 512,      /* of a line, at most */
  TALL_THREADS = 1 << 17, /* that keep the machine full */
  TALL_WAVE = 132 * 1536  /* that it runs at a time */
};

typedef struct tall_level {
  idx n, chunk, chunks, across;
  int lanes, teams;
} tall_level;

static inline int tall_suits(idx n, idx inner) { return n > 32 && inner >= 32 && inner % 4 == 0; }

/* Whether teams for that many vectors leave the machine idle: there are too few threads, or a
 * second wave of blocks that most of it has no part in. */
static inline int tall_idles(idx vectors, int teams)
{
  return vectors < TALL_THREADS / teams ||
         (vectors > TALL_WAVE / teams && vectors < 2 * TALL_WAVE / teams);
}

/* One chunk where the most teams keep the machine full, or there are few rows; else, at the first
 * level, as many as do so with the fewest teams. Then as many teams, of 16 rows or more, as keep it
 * full. */
static inline tall_level tall_level_of(idx outer, idx n, idx inner, int first)
{
  idx width = inner / 4, vectors = outer * width;
  tall_level l = {n, n, 1, divide_up(width, TALL_LANES), 0, TALL_LEAST};
  l.lanes = (int)(divide_up(divide_up(width, l.across), 4) * 4);
  if (first && vectors < TALL_THREADS / TALL_TEAMS && n > 32 * TALL_TEAMS) {
    idx wanted = divide_up(TALL_THREADS / TALL_LEAST, vectors);
    l.chunk = divide_up(n, wanted < TALL_CHUNKS ? wanted : (idx)TALL_CHUNKS);
    l.chunk = l.chunk < TALL_ROWS ? (idx)TALL_ROWS : l.chunk;
    l.chunks = colsum_chunks(n, l.chunk);
  }
  while (l.teams < TALL_TEAMS && l.chunk >= 32 * l.teams && tall_idles(vectors * l.chunks, l.teams))
    l.teams *= 2;
  return l;
}

/* The levels, of which the second joins the chunks of the first: how many. */
static inline int tall_levels(idx outer, idx n, idx inner, tall_level l[2])
{
  if (outer == 0 || !tall_suits(n, inner))
    return 0;
  l[0] = tall_level_of(outer, n, inner, 1);
  if (l[0].chunks == 1)
    return 1;
  l[1] = tall_level_of(outer, l[0].chunks, inner, 0);
  return 2;
}

/* Additions above an element: along its lane and then over the teams, the first to 0 each time. */
static inline double tall_height(idx outer, idx n, idx inner)
{
  tall_level l[2];
  double height = 0;
  for (int i = tall_levels(outer, n, inner, l) - 1; i >= 0; i--)
    height += (double)(divide_up(l[i].chunk, l[i].teams) - 1 + l[i].teams - 1);
  return height;
}

/* What the first level leaves, where there is a second. */
static inline size_t tall_workspace(idx outer, idx n, idx inner)
{
  tall_level l[2];
  return tall_levels(outer, n, inner, l) < 2
             ? 0
             : (size_t)(outer * l[0].chunks * inner) * sizeof(float);
}

template <int Which>
static void tall_level_launch(pm_check *c, const pm_exec *ex, const tall_level *l, idx outer,
                              idx inner, idx all, const float *x, float *out)
{
  unsigned blocks = pm_blocks(c, outer * l->chunks * l->across, 1);
  int block = l->lanes * l->teams;
  if (!blocks)
    return;
#define TALL(TEAMS)                                                                            \
  LAUNCH_AFTER((reduce_tall<Which, TEAMS>), blocks, block, ex->stream, outer, l->n, inner / 4, \
               l->chunk, l->chunks, l->lanes, l->across, all, x, out)
  if (l->teams == 8)
    TALL(8);
  else if (l->teams == 16)
    TALL(16);
  else
    TALL(32);
#undef TALL
}

/* out, (outer, inner), of x; no size is 0. work: tall_workspace bytes. */
template <int Which>
static void tall_launch(pm_check *c, const pm_exec *ex, idx outer, idx n, idx inner, const float *x,
                        float *out)
{
  tall_level l[2];
  int levels = tall_levels(outer, n, inner, l);
  for (int i = 0; i < levels && c->status == PM_OK; i++) {
    int last = i == levels - 1;
    float *to = last ? out : (float *)ex->work;
    tall_level_launch<Which>(c, ex, &l[i], outer, inner, last ? n : -1, x, to);
    x = to;
  }
}
#endif
