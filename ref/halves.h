/* 1 - sigmoid and the halves of tanh in forms that do not cancel, and what gelu and silu's gradient
 * lose to rounding (lost.h). */
#ifndef REF_HALVES_H
#define REF_HALVES_H
#include "ref.h"

/* (halves.c) */
/*@ terminates \true; assigns \nothing; ensures \result == 1.0 - Sigmoid(x); */
double r_sigmoid_rest(double x);
/*@ terminates \true; assigns \nothing; ensures \result == 0.5 * (1.0 + \tanh(x)); */
double r_tanh_rise(double x);
/*@ terminates \true; assigns \nothing; ensures \result == 0.5 * (1.0 - \tanh(x)); */
double r_tanh_rest(double x);

/* What r_sigmoid(x) lost, where |x| is at most 50 (elementary.c). */
/*@ terminates \true; assigns \nothing; ensures is_zero(\result); */
double r_sigmoid_lost(double x);
/* What two constants lost as they were read (math.c). */
/*@ terminates \true; assigns \nothing; ensures is_zero(\result); */
double r_gelu_scale_lost(void);
/*@ terminates \true; assigns \nothing; ensures is_zero(\result); */
double r_gelu_cubic_lost(void);
#endif
