/* How far apart a channel's rows may be for a way over them (walk.h). */
#ifndef PM_BATCH_NORM_WALK_PITCH_H
#define PM_BATCH_NORM_WALK_PITCH_H
#define WALK_PITCH 0x1fffffffffff /* elements */
#endif
