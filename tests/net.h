/* A network that learns, for the suites of sessions: linear, gelu, linear, cross_entropy, and AdamW, whose
 * corrections are others in each step. */
#ifndef TESTS_NET_H
#define TESTS_NET_H
#include "runtime.h"

enum { NET_WEIGHTS = 4 };

typedef struct net {
  pmr_context c;
  int t; /* the step, from 1 on */
  pmr_tensor x, y, loss, w[NET_WEIGHTS], m[NET_WEIGHTS], v[NET_WEIGHTS];
} net;

void net_begin(net *k, pmr_context c);
/* One step, as a program computes it. */
void net_learn(net *k);
/* One step of the session that net_learn was written down as. */
void net_again(net *k, pmr_session s);
/* The batch of that number. */
void net_give(net *k, int number);
/* Their losses, and weights and moments too, are the same bits. */
void net_same_loss(const net *a, const net *b);
void net_same(const net *a, const net *b);
/* Closes its context, in which nothing else is left. */
void net_end(net *k);
#endif
