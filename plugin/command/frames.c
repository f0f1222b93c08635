#include "frames.h"

#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>
#include <vips/vips.h>

int
frames_count_png (const char *path)
{
  FILE *file = g_fopen (path, "rb");
  guint32 chunk[3]; /* its length, its type, and what follows: of an acTL, the number of frames */
  int frames = 1;

  if (file && fseek (file, 8, SEEK_SET) == 0)
    while (fread (chunk, sizeof chunk, 1, file) == 1 && memcmp (&chunk[1], "IDAT", 4) != 0 &&
           fseek (file, (long) GUINT32_FROM_BE (chunk[0]), SEEK_CUR) == 0)
      if (memcmp (&chunk[1], "acTL", 4) == 0)
        frames = (int) MIN (GUINT32_FROM_BE (chunk[2]), G_MAXINT);
  if (file)
    fclose (file);
  return frames;
}

/* JPEG XL: ISO/IEC 18181-1, annex D. Fields have any number of bits, lowest bits first. */

static guint
take (guint64 *bits, guint n)
{
  guint value = (guint) (*bits & ((1U << n) - 1));

  *bits >>= n;
  return value;
}

static void
skip_size (guint64 *bits)
{
  static const guint8 lengths[] = { 9, 13, 18, 30 };
  gboolean small = take (bits, 1) == 1;

  take (bits, small ? 5 : lengths[take (bits, 2)]);
  if (take (bits, 3) == 0) /* the width is no ratio of the height */
    take (bits, small ? 5 : lengths[take (bits, 2)]);
}

static gboolean
is_animation (guint64 bits)
{
  skip_size (&bits);
  if (take (&bits, 2) != 2) /* all is as usual, or there are no more fields */
    return FALSE;
  take (&bits, 3); /* the orientation */
  if (take (&bits, 1) == 1)
    skip_size (&bits);
  return take (&bits, 2) == 2; /* no preview, which is never written, but an animation */
}

gboolean
frames_is_lost_jxl (const char *path)
{
  static const char box[] = "\0\0\0\14JXL ", start[] = "\xff\x0a";
  FILE *file = g_fopen (path, "rb");
  char head[4096] = "";
  const char *end = head + (file ? fread (head, 1, sizeof head, file) : 0), *code = head;
  guint64 bits;

  if (file)
    fclose (file);
  if (memcmp (head, box, 8) == 0)
    code = memmem (head, end - head, "jxlc", 4) ?: memmem (head, end - head, "jxlp", 4);
  else if (memcmp (head, start, 2) != 0)
    return FALSE;
  code = code ? memmem (code, end - code, start, 2) : NULL;
  if (! code || end - code < 10 || vips_version (0) * 100 + vips_version (1) >= 816)
    return FALSE;
  memcpy (&bits, code + 2, sizeof bits);
  return is_animation (GUINT64_FROM_LE (bits));
}
