/* How far apart a channel's rows may be for a way over them (batch_norm_walk.h). */
#ifndef PM_WALK_PITCH_H
#define PM_WALK_PITCH_H
#define WALK_PITCH 0x1fffffffffff /* elements */
#endif
