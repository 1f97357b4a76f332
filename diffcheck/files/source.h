/* Bytes that come one after another: of a file, or of a part of one, as it lies or inflated. Whatever
 * the file holds, a read returns fewer bytes than asked for, and says why, or it is right. */
#ifndef DIFFCHECK_SOURCE_H
#define DIFFCHECK_SOURCE_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define FILE_MESSAGE 1024 /* room that a message about a file needs */

/* Formats a message; returns false. */
__attribute__((format(printf, 2, 3))) bool file_fail(char *message, const char *format, ...);
/* Puts "what: " before a message; returns false. */
bool file_in(const char *what, char *message);

enum { SOURCE_HEAD = 16 };

typedef struct byte_source {
  FILE *file;   /* not owned; at the place that is read next */
  int64_t left; /* bytes still to come; -1: up to the file's end */
  unsigned char
      head[SOURCE_HEAD]; /* of a whole file: its first bytes, read before it was known what it is */
  size_t n_head, at_head;
  struct inflation *inflation; /* NULL: as it lies */
  uint32_t crc, want_crc;
  bool checked;    /* want_crc is the CRC-32 of what comes */
  char error[160]; /* why a read fell short; "": the bytes end there */
} byte_source;

/* A whole file, from where it stands; its first bytes may have been read already. */
void source_file(byte_source *s, FILE *f, const unsigned char *head, size_t n_head);
/* `size` bytes of it from `offset`. False: message. */
bool source_part(byte_source *s, FILE *f, int64_t offset, int64_t size, char *message);
/* A zip member: `packed` bytes at `offset`, deflated or stored, that are `size` bytes of this CRC. */
bool source_member(byte_source *s, FILE *f, int64_t offset, int64_t packed, int64_t size,
                   bool deflated, uint32_t crc, char *message);
void source_close(byte_source *s);

/* As fread: fewer than n bytes where they end, or where `error` says what is wrong. */
size_t source_read(byte_source *s, void *to, size_t n);
/* Whether bytes follow. */
bool source_more(byte_source *s);
/* "what: ends after 3 of 8 bytes", or what is wrong; returns false. */
bool source_short(const byte_source *s, char *message, const char *what, size_t got, size_t want);
#endif
