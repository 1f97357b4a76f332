/* A kernel that is not ours, from its description to something that the engine runs. */
#ifndef DIFFCHECK_FOREIGN_H
#define DIFFCHECK_FOREIGN_H
#include "call.h"
#include "description.h"

typedef struct foreign foreign;

/* Of what the description says; no library is opened. On an error *out is NULL. */
dc_status foreign_new(const description *d, foreign **out, dc_error *err);
void foreign_free(foreign *f);
const dc_foreign *foreign_kernel(const foreign *f);
const description *foreign_description(const foreign *f);
const call *foreign_call(const foreign *f);
struct source_shape;
const struct source_shape *foreign_shape(const foreign *f); /* of one that has a source */
/* Whether its library has the function, as far as the file says: nothing of it runs. */
dc_status foreign_look(const foreign *f, dc_error *err);

/* Of one that has a source: compiles it, with the headers of that checkout; another does nothing. Where that
 * library is, "" where there is none; and, in another process, the one that was built. */
dc_status foreign_build(foreign *f, const char *headers, dc_error *err);
const char *foreign_built(const foreign *f);
void foreign_use(foreign *f, const char *built);

/* In a process that calls kernels itself, several of them, of memory that is `device`'s, which is initialised, or where
 * that is NULL the host's: loads the library, and then foreign_kernel's launch may be called, by one thread at a time.
 * What that found wrong when it gives PM_BAD_ARGUMENT, or "". */
dc_status foreign_load(foreign *f, const pm_backend *device, dc_error *err);
const char *foreign_trouble(void);

/* In the process that is to run it: from then on its back end has memory, which is `device`'s where its
 * pointers are a device's and else is NULL, and init loads the library, whose own beginnings run then.
 * One kernel a process. */
void foreign_arm(foreign *f, const pm_backend *device);
#endif
