/* The VJP of mse_loss, element by element: g is one element, c is 2 / n. */
#ifndef PM_LOSS_MSE_VJP_H
#define PM_LOSS_MSE_VJP_H
#include "../lang/kernel.h"
#include "../../spec/loss.h"

/*@ assigns \nothing; ensures \result == MseDa(g,a,t,c); */
DEV float mse_da_f(float g, float a, float t, float c) { return c * g * (a - t); }

/*@ assigns \nothing; ensures \result == MseDt(g,a,t,c); */
DEV float mse_dt_f(float g, float a, float t, float c) { return c * g * (t - a); }

#define MAP_NAME mse_loss_vjp_map
#define MAP_INPUTS 3
#define MAP_ONE
#define MAP_PARAMS 1
#define MAP_F0 mse_da_f
#define MAP_L0 MseDa
#define MAP_F1 mse_dt_f
#define MAP_L1 MseDt
#define MAP_ADDS
#include "../map/map.h"
#endif
