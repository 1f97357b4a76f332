/* What was proven of the sources this program was built from (proofs/results/, embedded). */
#ifndef DIFFCHECK_PROOFS_H
#define DIFFCHECK_PROOFS_H

typedef struct proof_count {
  int proven, goals; /* goals 0: nothing recorded */
} proof_count;

proof_count proofs_of(const char *function);
/* Functions and lemmas of every file of the family, "ref" (spec/ and ref/) or "cuda". */
proof_count proofs_in(const char *reading, const char *family);
/* What Coq proves of an op. table: "ops", that a VJP is the gradient of its forward op, or "bounds",
 * that its error bound is one; what: "level", "theorems", "files" or "note". Empty where nothing is
 * recorded. */
const char *proofs_theorem(const char *table, const char *op, const char *what);

/* The newest run on a GPU (docs/results); verdict NULL where the op was not in it. */
typedef struct proof_run {
  const char *verdict, *device, *date, *commit;
  int cases, compared; /* runs whose bits were compared with the simulator's */
  double ratio;        /* largest error over its bound */
} proof_run;

proof_run proofs_measured(const char *op);
#endif
