/* Asking a launcher of the simulator which variant would run, or whether one can, without
 * running it: while the simulator rests, launches do nothing, whatever the addresses they are
 * given. What a launcher checks and picks before it is as ever. */
#ifndef PM_SIM_REST_H
#define PM_SIM_REST_H
#ifdef __cplusplus
extern "C" {
#endif

void pm_sim_rest(int rests);

#ifdef __cplusplus
}
#endif
#endif
