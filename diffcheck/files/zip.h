/* Zip archives as numpy.savez writes them: stored or deflated members, zip64 or not, one disk, no
 * encryption. What the central directory says is checked before any member is read: every range lies
 * within the file, none overlaps another, no name stands there twice. */
#ifndef DIFFCHECK_ZIP_H
#define DIFFCHECK_ZIP_H
#include "source.h"

#define ZIP_DIRECTORY (1 << 24) /* largest central directory read, bytes */

typedef struct zip_member {
  char *name;
  bool deflated;
  uint32_t crc;
  int64_t packed, size; /* bytes in the file, and of the member itself */
  int64_t local, data;  /* where its local header and its bytes begin */
} zip_member;

typedef struct zip {
  zip_member *member;
  int n;
} zip;

/* False: message, which does not name the file; nothing is held. f must be a regular file. */
bool zip_open(FILE *f, zip *out, char *message);
void zip_close(zip *z);
#endif
