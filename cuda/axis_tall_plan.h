/* How axis_tall.h reduces (outer, n, inner), inner a multiple of 4: its launches, one or two. */
#ifndef PM_AXIS_TALL_PLAN_H
#define PM_AXIS_TALL_PLAN_H
#include "axis_tall.h"
#include "colsum.h"

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

/* One chunk where the most teams keep the machine full, or there are few rows; else, at the first
 * level, as many as do so with the fewest teams. Then as many teams as keep it full, of 16 rows or
 * more; and twice as many where a second wave of blocks would leave most of it idle. */
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
  vectors *= l.chunks;
  while (l.teams < TALL_TEAMS && l.chunk >= 32 * l.teams && vectors < TALL_THREADS / l.teams)
    l.teams *= 2;
  if (l.teams < TALL_TEAMS && l.chunk >= 32 * l.teams && vectors > TALL_WAVE / l.teams &&
      vectors < 2 * TALL_WAVE / l.teams)
    l.teams *= 2;
  return l;
}

/* Additions above an element: along its lane and then over the teams, the first to 0 each time. */
static inline double tall_level_height(const tall_level *l)
{
  return (double)(divide_up(l->chunk, l->teams) - 1 + l->teams - 1);
}

static inline double tall_height(idx outer, idx n, idx inner)
{
  tall_level l;
  double height;
  if (outer == 0 || !tall_suits(n, inner))
    return 0;
  l = tall_level_of(outer, n, inner, 1);
  height = tall_level_height(&l);
  if (l.chunks > 1) {
    l = tall_level_of(outer, l.chunks, inner, 0);
    height += tall_level_height(&l);
  }
  return height;
}

/* What the first level leaves, where there is a second. */
static inline size_t tall_workspace(idx outer, idx n, idx inner)
{
  tall_level l;
  if (outer == 0 || !tall_suits(n, inner))
    return 0;
  l = tall_level_of(outer, n, inner, 1);
  return l.chunks == 1 ? 0 : (size_t)(outer * l.chunks * inner) * sizeof(float);
}

template <int Which>
static void tall_level_launch(pm_check *c, const pm_exec *ex, const tall_level *l, idx outer,
                              idx inner, idx all, const float *x, float *out)
{
  unsigned blocks = pm_blocks(c, outer * l->chunks * l->across, 1);
  int block = l->lanes * l->teams;
  if (!blocks)
    return;
#define TALL(TEAMS)                                                                          \
  LAUNCH_AFTER((axis_tall<Which, TEAMS>), blocks, block, ex->stream, outer, l->n, inner / 4, \
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
  tall_level l = tall_level_of(outer, n, inner, 1);
  float *part = (float *)ex->work;
  if (l.chunks == 1) {
    tall_level_launch<Which>(c, ex, &l, outer, inner, n, x, out);
    return;
  }
  tall_level_launch<Which>(c, ex, &l, outer, inner, -1, x, part);
  l = tall_level_of(outer, l.chunks, inner, 0);
  if (c->status == PM_OK)
    tall_level_launch<Which>(c, ex, &l, outer, inner, n, part, out);
}
#endif
