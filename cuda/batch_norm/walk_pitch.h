/* The largest stride between a channel's rows that iteration (walk.h) takes. */
#ifndef PM_BATCH_NORM_WALK_PITCH_H
#define PM_BATCH_NORM_WALK_PITCH_H
#define WALK_PITCH 0x1fffffffffff /* elements */
#endif
