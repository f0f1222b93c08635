/* What the header of an image file says of its pixels, and which of that libvips loads rightly. */
#pragma once

#include <glib.h>

/* The columns of the table in header.c, each with one of its words. */
typedef enum {
  HEADER_COLOUR,
  HEADER_SAMPLE,
  HEADER_ALPHA,
  HEADER_PACKING,
  HEADER_LAYOUT,
  N_HEADERS,
} HeaderColumn;

/* What to do with a file of a kind that is not supported. */
#define HEADER_ADVICE "; convert it to gray or RGB of 8 or 16 bits, with GIMP for example"

/* Returns whether the table has a row for the loader that has these words. If it has none, sets
 * error to IMAGE_ERROR_KIND. The loader is named as libvips does, without VipsForeignLoad and what
 * comes after the format. Any thread may call this. */
gboolean header_check (const char *loader, const char *const words[N_HEADERS], GError **error);
