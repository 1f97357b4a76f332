/* A small GPT on the runtime: its shape, its weights, and what its parts say to each other. */
#ifndef GPT_H
#define GPT_H
#include <stddef.h>
#include <stdint.h>

#include "runtime/proofmark.h"

enum { LEARNED, ROPE };
enum { LAYER_NORM, RMS_NORM };
enum { GELU, SWIGLU };

enum {
  MOST_LAYERS = 96,
  BYTES = 256,
  NAME = 64,
  TOKENS_MOST = 1 << 20,
  GPT_MOST = 1 << 20,
  GPT_CONTEXT = 32
};

typedef struct shape {
  int64_t layers, heads, kv_heads, width, hidden, context, vocab;
  int positions, norm, mlp;
} shape;

/* Weights are as Conv1D of GPT-2 has them: a matrix is (in, out), y = x w + b. */
typedef struct weight {
  char name[NAME]; /* as GPT-2's files have it; rank 0: this shape of model has no such weight */
  int rank;
  int64_t size[2];
  double deviation; /* of the normal numbers that it begins with; 0: all are `begin` */
  float begin;
  pmr_tensor p, m, v; /* and AdamW's moments */
} weight;

/* Places of weights: two, then those of each layer, then two. */
enum { WTE, WPE, LAYERS };
enum {
  LN1_W,
  LN1_B,
  ATTN_W, /* (width, heads + 2 kv_heads heads): queries, keys, values */
  ATTN_B,
  PROJ_W,
  PROJ_B,
  LN2_W,
  LN2_B,
  FC_W, /* (width, hidden); of SwiGLU (width, 2 hidden): the gate, and what it gates */
  FC_B,
  DOWN_W,
  DOWN_B,
  PER_LAYER
};

typedef struct gpt {
  pmr_context c;
  shape k;
  weight *w;
  int n;
  int64_t step; /* how often AdamW has moved the weights */
} gpt;

/* ---- errors ---- */

/* Words on stderr, behind "gpt: "; 2, which is the exit status. */
__attribute__((format(printf, 1, 2))) int gpt_refuse(const char *format, ...);
/* What a status of the runtime is to the program: 0, or with its words on stderr 1 where the shadow has found
 * a step wrong and 2 otherwise. */
int gpt_status(pmr_status s);
/* PMR_NO_MEMORY, of the program itself: gpt_status then says for what. */
pmr_status gpt_no_memory(const char *what);
/* PMR_DIVERGED, of which the program has said what there is to say. */
pmr_status gpt_apart(void);

/* ---- calls whose results go together (model.c) ---- */

typedef struct scope {
  pmr_context c;
  pmr_status s; /* of the first call that failed: those after it do nothing */
  int n;
  pmr_tensor t[64];
} scope;

pmr_tensor scope_call(const char *file, int line, scope *f, const char *op, const pmr_tensor *in,
                      int n_in, const pmr_attr *attrs);
#define CALL(...) scope_call(__FILE__, __LINE__, __VA_ARGS__)
pmr_tensor scope_view(const char *file, int line, scope *f, pmr_tensor t, int rank,
                      const int64_t *size);
#define VIEW(f, t, ...)                                                       \
  scope_view(__FILE__, __LINE__, f, t,                                        \
             (int)(sizeof((const int64_t[]){__VA_ARGS__}) / sizeof(int64_t)), \
             (const int64_t[]){__VA_ARGS__})
/* What the scope has so far is released, but for out, which is the caller's (NULL: nothing is). */
pmr_status scope_end(scope *f, pmr_tensor result, pmr_tensor *out);

/* ---- the model (model.c) ---- */

/* What is wrong with a shape; NULL: nothing. Lasts until the next call. */
const char *gpt_shape_wrong(const shape *k);
/* The places, names and sizes of the weights, and none of their memory. */
pmr_status gpt_plan(gpt *g, pmr_context c, const shape *k);
int gpt_layer(int64_t layer, int which);
/* Every weight as it begins, from the stream of that seed, and moments 0. */
pmr_status gpt_begin(gpt *g, int64_t seed);
void gpt_free(gpt *g);

/* Keys and values of the tokens so far: of each layer (1, kv_heads, room, width / heads). */
typedef struct cache {
  int64_t room, len;
  pmr_tensor k[MOST_LAYERS], v[MOST_LAYERS];
} cache;
pmr_status cache_open(gpt *g, int64_t room, cache *out);
void cache_close(cache *k);

typedef struct pass {
  int64_t batch, seq;
  pmr_tensor token, place; /* i64 (batch seq): what stands there, and where; place: LEARNED alone */
  pmr_tensor mask; /* (seq, seq): sdpa has one; being causal it looks at none. NULL: with a cache */
  cache *past;     /* batch = seq = 1: the token that comes next; NULL: all at once */
} pass;
/* (batch seq, vocab). */
pmr_status gpt_forward(const gpt *g, const pass *p, pmr_tensor *logits);
/* Of a pass, what comes next at each place being known. */
pmr_status gpt_loss(const gpt *g, const pass *p, pmr_tensor next, pmr_tensor *loss);
/* For a pass. */
pmr_status gpt_mask(const gpt *g, int64_t seq, pmr_tensor *out);
/* 0 .. seq - 1, batch times. */
pmr_status gpt_places(const gpt *g, int64_t batch, int64_t seq, pmr_tensor *out);

/* ---- text, training (train.c) ---- */

typedef struct text {
  uint8_t *byte;
  int64_t n, learned; /* bytes, and how many of them are learned from: the rest is kept back */
} text;
/* The files one after another. 0, or refused. */
int text_read(const char *const *path, int n, text *out);

typedef struct training {
  int64_t batch, steps, every, seed;
  double rate, decay;
  const char *curve; /* NULL: none */
  int compare;       /* each step's loss on the reference as well */
} training;
int gpt_train(gpt *g, const text *t, const training *o);

/* ---- the same loss on the reference (compare.c) ---- */

typedef struct twin {
  gpt g; /* on the reference, with the device's weights */
  const char *device;
  pass p;
  pmr_tensor next;
  double most; /* of the first-order bound that a step has been apart */
  int64_t steps;
} twin;
pmr_status twin_open(const gpt *g, int64_t batch, twin *out);
void twin_close(twin *w);
/* The weights as they are now, before a step; then the step's loss on the device against that of the reference, from
 * the same (batch context) tokens: says how far they are apart, and how far they may be, to first order.
 * PMR_DIVERGED where they are further. */
pmr_status twin_take(twin *w, const gpt *g);
pmr_status twin_compare(twin *w, const int64_t *token, const int64_t *next, int64_t step,
                        double loss);

/* ---- files (checkpoint.c) ---- */

int gpt_save(gpt *g, const char *path);
/* heads 0: the file must say it. context 0: what the file says, or else GPT_CONTEXT; another can be had where
 * positions are not learned. */
int gpt_load(gpt *g, pmr_context c, const char *path, int64_t heads, int64_t context);

/* ---- text made (generate.c) ---- */

typedef struct writing {
  const char *prompt;
  int64_t tokens, seed;
  double temperature;
  int cached; /* 0: all of the text goes through the model for each token */
} writing;
int gpt_write(gpt *g, const writing *o);

/* Words of a stream, by place: the same on every machine, in any order. */
uint64_t gpt_random(int64_t seed, int64_t place);
#endif
