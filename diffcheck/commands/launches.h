#ifndef DIFFCHECK_LAUNCHES_H
#define DIFFCHECK_LAUNCHES_H

/* A line a variant: op, variant, the kernels that its launcher starts; proofs/launches is that. */
void list_launches(void);

#endif
