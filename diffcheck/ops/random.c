/* Random numbers: no input, every bit the same everywhere. */
#include "../../ref/random.h"
#include "glue.h"

#define POLICY_SAME "every bit counts; the elements depend on seed, offset and position alone."
#define SEED_AND_OFFSET (uint64_t) INTEGER(0), (uint64_t)INTEGER(1)

REFERENCE(rand_uniform) { ref_rand_uniform(N(0), SEED_AND_OFFSET, y[0]); }
LAUNCH(rand_uniform) { return b->rand_uniform(ex, N(0), SEED_AND_OFFSET, OUT(0)); }
const dc_glue dc_glue_rand_uniform = {FUNCTIONS(rand_uniform), NO_SUM, .policy = POLICY_SAME,
                                      .attr = {DC_ATTR_INTEGER, DC_ATTR_INTEGER}};

REFERENCE(rand_normal) { ref_rand_normal(N(0), SEED_AND_OFFSET, y[0]); }
BOUND(rand_normal) { bound_rand_normal(N(0), SEED_AND_OFFSET, A, e[0]); }
LAUNCH(rand_normal) { return b->rand_normal(ex, N(0), SEED_AND_OFFSET, OUT(0)); }
const dc_glue dc_glue_rand_normal = {FUNCTIONS(rand_normal), .bound = rand_normal_bound, NO_SUM,
                                     .policy = "the elements depend on seed, offset and position "
                                               "alone; the sign of zero is free.",
                                     .attr = {DC_ATTR_INTEGER, DC_ATTR_INTEGER}};

/* p is what the kernel is given: an f32. */
REFERENCE(bernoulli) { ref_bernoulli(N(0), SEED_AND_OFFSET, (float)REAL(2), y[0]); }
LAUNCH(bernoulli) { return b->bernoulli(ex, N(0), SEED_AND_OFFSET, (float)REAL(2), OUT(0)); }
const dc_glue dc_glue_bernoulli = {
    FUNCTIONS(bernoulli),        NO_SUM,
    .policy = POLICY_SAME,       .attr = {DC_ATTR_INTEGER, DC_ATTR_INTEGER, DC_ATTR_REAL},
    .attr_default = {0, 0, 0.5}, .attr_least = {0, 0, 0},
    .attr_most = {0, 0, 1}};
