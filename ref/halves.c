/* 1 - sigmoid and the halves of tanh, by a sigmoid. */
#include "halves.h"
#include "logistic.h"

double r_sigmoid_rest(double x)
{
  //@ assert is_sum(0.0,x,-x);
  return r_sigmoid(-x);
}

double r_tanh_rise(double x)
{
  //@ assert is_sum(0.0,x,-x) && is_sum(2.0 * x,x,x);
  return r_sigmoid(2.0 * x);
}

double r_tanh_rest(double x)
{
  //@ assert is_sum(0.0,x,-x) && is_sum(2.0 * x,x,x);
  return r_sigmoid_rest(2.0 * x);
}
