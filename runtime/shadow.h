/* The shadow: a step of a device once more on the reference, from the same inputs. */
#ifndef PM_RUNTIME_SHADOW_H
#define PM_RUNTIME_SHADOW_H
#include "kernels.h"

/* Whether the step of that number is looked at. */
bool shadow_wants(const shadow *w, const dc_op *op, uint64_t number);
/* Takes the inputs to the host before the step: one of them may be written in place. */
pmr_status shadow_before(context *c, const step *s, void *before[DC_TENSORS]);
/* Judges the outputs; ran: the kernel that gave them. */
pmr_status shadow_after(context *c, const step *s, const other *its, const char *ran,
                        void *const *before);
#endif
