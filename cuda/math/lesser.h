/* The lesser of two numbers, for where a row or a part of it ends. */
#ifndef PM_MATH_LESSER_H
#define PM_MATH_LESSER_H
//@ logic integer lesser(integer a, integer b) = a < b ? a : b;
#endif
