/* How large an open file is. */
#ifndef FILE_SIZE_H
#define FILE_SIZE_H

#include <glib.h>
#include <stdio.h>
#include <sys/stat.h>

G_BEGIN_DECLS

/* Bytes; 0 where it is not known. What is not flushed does not count. */
static inline guint64
file_get_size (FILE *file)
{
  struct stat status;

  return fstat (fileno (file), &status) == 0 ? (guint64) status.st_size : 0;
}

G_END_DECLS

#endif
