/* Kernels with and without data races (racing.cpp), on 64 threads a block; p has 64 floats a block and is
 * memory of a back end's. */
#ifndef PM_TESTS_RACING_H
#define PM_TESTS_RACING_H
#ifdef __cplusplus
extern "C" {
#endif

void racing_run(const char *name, unsigned blocks, float *p);
void racing_run_early(const char *name, unsigned blocks, float *p); /* by LAUNCH_AFTER */
/* Waits for all of it; words for the first race, or NULL. */
const char *racing_end(void);

#ifdef __cplusplus
}
#endif
#endif
