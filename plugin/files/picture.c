#include "picture.h"

#include <string.h>

#define RESOLUTION_DEFAULT 300.0 /* of GIMP's template for new images */

G_DEFINE_QUARK (files - picture, picture_error)

/* What a library says of a file may have the file's own bytes in it. */
static void
clear_controls (char *line)
{
  for (; *line; line++)
    if (g_ascii_iscntrl (*line))
      *line = '?';
}

static gboolean G_GNUC_PRINTF (3, 0)
  fail (GError **error, PictureError code, const char *format, va_list args)
{
  g_autofree char *words = g_strdup_vprintf (format, args);
  g_autofree char *line = g_utf8_make_valid (words, -1);

  clear_controls (line);
  g_set_error_literal (error, PICTURE_ERROR, (int) code, line);
  return FALSE;
}

gboolean
picture_decline (GError **error, const char *format, ...)
{
  va_list args;

  va_start (args, format);
  fail (error, PICTURE_ERROR_DECLINED, format, args);
  va_end (args);
  return FALSE;
}

gboolean
picture_refuse (GError **error, const char *format, ...)
{
  va_list args;

  va_start (args, format);
  fail (error, PICTURE_ERROR_REFUSED, format, args);
  va_end (args);
  return FALSE;
}

gboolean
picture_fail_to_read (const Picture *picture, const char *library, const char *words,
                      GError **error)
{
  if (picture->pixels)
    return picture_refuse (error, "the file is damaged: %s: %s", library, words);
  picture_decline (error, "%s: %s", library, words);
  if (error)
    (*error)->code = PICTURE_ERROR_UNREADABLE;
  return FALSE;
}

Picture *
picture_new (Budget *budget, int codec_bytes)
{
  Picture *picture = g_new0 (Picture, 1);

  picture->xres = picture->yres = RESOLUTION_DEFAULT;
  picture->budget = budget;
  picture->codec_bytes = codec_bytes;
  return picture;
}

void
picture_free (Picture *picture)
{
  if (! picture)
    return;
  g_free (picture->pixels);
  g_free (picture->comment);
  g_free (picture->profile_name);
  g_free (picture->layer);
  g_clear_pointer (&picture->icc, g_bytes_unref);
  g_clear_object (&picture->profile);
  g_clear_object (&picture->metadata);
  budget_give_back (picture->budget, picture->taken);
  g_free (picture);
}

gsize
picture_get_stride (const Picture *picture)
{
  return picture->width * fx_format_size (&picture->format);
}

gsize
picture_get_size (const Picture *picture)
{
  return picture->height * picture_get_stride (picture);
}

/* Of samples that are not known there is one byte a pixel at the least. */
static guint64
get_need (const Picture *picture)
{
  guint64 pixels = (guint64) picture->width * picture->height;

  return pixels * (2 * MAX (fx_format_size (&picture->format), 1) + picture->codec_bytes);
}

gboolean
picture_check_size (const Picture *picture, GError **error)
{
  if (MAX (picture->width, picture->height) > GIMP_MAX_IMAGE_SIZE)
    return picture_refuse (error, "%d x %d pixels: GIMP has %d a side at most", picture->width,
                           picture->height, GIMP_MAX_IMAGE_SIZE);
  return budget_has (picture->budget, get_need (picture)) ||
         picture_refuse (error, "%d x %d pixels are too many for the memory that is free",
                         picture->width, picture->height);
}

gboolean
picture_allocate (Picture *picture, GError **error)
{
  if (! picture_check_size (picture, error))
    return FALSE;
  picture->taken = get_need (picture);
  budget_take (picture->budget, picture->taken);
  picture->pixels = g_try_malloc (picture_get_size (picture));
  return picture->pixels || picture_decline (error, "There is not enough memory");
}

gboolean
picture_drop_alpha (Picture *picture)
{
  gsize channels = (gsize) picture->format.channels, size = picture_get_size (picture), at;

  for (at = channels - 1; at < size; at += channels)
    if (picture->pixels[at] != 255)
      return FALSE;
  for (at = 0; at * channels < size; at++)
    memmove (picture->pixels + at * (channels - 1), picture->pixels + at * channels, channels - 1);
  picture->format.channels--;
  return TRUE;
}

void
picture_set_resolution (Picture *picture, double xres, double yres)
{
  if (xres < GIMP_MIN_RESOLUTION || xres > GIMP_MAX_RESOLUTION || yres < GIMP_MIN_RESOLUTION ||
      yres > GIMP_MAX_RESOLUTION)
    return;
  picture->xres = xres;
  picture->yres = yres;
}

/* Turning: pixel x, y goes to start + x across + y down, in pixels. */
typedef struct {
  gssize start, across, down;
} Way;

static Way
get_way (int orientation, gssize width, gssize height)
{
  switch (orientation)
    {
    case 2: /* mirrored */
      return (Way) { width - 1, -1, width };
    case 3: /* upside down */
      return (Way) { width * height - 1, -1, -width };
    case 4: /* mirrored upside down */
      return (Way) { width * (height - 1), 1, -width };
    case 5: /* along the diagonal */
      return (Way) { 0, height, 1 };
    case 6: /* to be turned right */
      return (Way) { height - 1, height, -1 };
    case 7: /* along the other diagonal */
      return (Way) { width * height - 1, -height, -1 };
    default: /* 8: to be turned left */
      return (Way) { height * (width - 1), -height, 1 };
    }
}

/* size: bytes of a pixel, which the compiler is to know. */
static inline __attribute__ ((always_inline)) void
turn_sized (const Picture *picture, Way way, guint8 *to, gssize size)
{
  const guint8 *from = picture->pixels;
  gssize x, y;

  for (y = 0; y < picture->height; y++)
    for (x = 0; x < picture->width; x++, from += size)
      memcpy (to + (way.start + x * way.across + y * way.down) * size, from, size);
}

static void
turn_pixels (const Picture *picture, Way way, guint8 *to)
{
  switch (fx_format_size (&picture->format))
    {
    case 1:
      turn_sized (picture, way, to, 1);
      break;
    case 2:
      turn_sized (picture, way, to, 2);
      break;
    case 3:
      turn_sized (picture, way, to, 3);
      break;
    case 4:
      turn_sized (picture, way, to, 4);
      break;
    case 6:
      turn_sized (picture, way, to, 6);
      break;
    default:
      turn_sized (picture, way, to, 8);
    }
}

static void
swap_axes (Picture *picture)
{
  int width = picture->width;
  double xres = picture->xres;

  picture->width = picture->height;
  picture->height = width;
  picture->xres = picture->yres;
  picture->yres = xres;
}

gboolean
picture_turn (Picture *picture, int orientation, GError **error)
{
  guint8 *turned;

  if (orientation < 2 || orientation > 8)
    return TRUE;
  turned = g_try_malloc (picture_get_size (picture));
  if (! turned)
    return picture_decline (error, "There is not enough memory");
  turn_pixels (picture, get_way (orientation, picture->width, picture->height), turned);
  g_free (picture->pixels);
  picture->pixels = turned;
  if (orientation > 4)
    swap_axes (picture);
  return TRUE;
}
