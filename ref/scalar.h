/* The element type of spec/ as ref/ reads it. */
#ifndef REF_SCALAR_H
#define REF_SCALAR_H
typedef double scalar;
#endif
