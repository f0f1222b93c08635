#include "job.h"

#include "kind.h"
#include "metadata.h"
#include "profile.h"
#include "trace.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>

/* Files. */

static FILE *
open_file (const char *path, const char *mode, GError **error)
{
  FILE *file = g_fopen (path, mode);

  if (! file)
    picture_decline (error, "%s: %s", path, g_strerror (errno));
  return file;
}

/* GIMP's side of loading; turns the picture as GIMP does. */
static gboolean
complete (Shared *shared, Picture *picture, const char *path, GError **error)
{
  int orientation;
  gboolean done;

  g_mutex_lock (&shared->gimp_lock);
  done = profile_take (picture, error) && metadata_load (picture, path, &orientation, error) &&
         picture_turn (picture, orientation, error) && metadata_take (picture, error);
  if (done)
    profile_complete (picture);
  picture->has_thumbnail = done && metadata_want_thumbnail (picture);
  g_mutex_unlock (&shared->gimp_lock);
  if (picture->has_thumbnail && picture->format.sample != FX_SAMPLE_U8)
    return picture_decline (error, "It has a thumbnail, and 16 bits");
  return done;
}

/* What is too large is so for GIMP too, whatever else it is declined for. */
static void
refuse_if_large (const Picture *picture, GError **error)
{
  GError *larger = NULL;

  if (! g_error_matches (*error, PICTURE_ERROR, PICTURE_ERROR_DECLINED) ||
      picture_check_size (picture, &larger))
    return;
  g_error_free (*error);
  *error = larger;
}

/* later: what it will be written as. */
static Picture *
load (Shared *shared, const char *path, const Kind *later, JobReport *report, GError **error)
{
  const Kind *kind = kind_find (path);
  int codec_bytes = MAX (kind->codec_bytes, later->codec_bytes);
  gint64 start = g_get_monotonic_time ();
  FILE *file = open_file (path, "rb", error);
  g_autoptr (Picture) picture = picture_new (shared->budget, codec_bytes);
  gboolean done;

  if (! file)
    return NULL;
  done = kind->read (picture, file, error);
  fclose (file);
  report->frames = picture->frames;
  if (! done)
    refuse_if_large (picture, error);
  if (! done || ! complete (shared, picture, path, error))
    return NULL;
  fx_trace ("load", start, picture_get_size (picture), "%dx%d", picture->width, picture->height);
  return g_steal_pointer (&picture);
}

/* In place of an error that is set. */
static gboolean
fail_to_write (GError **error, const char *reason)
{
  g_clear_error (error);
  g_set_error_literal (error, PICTURE_ERROR, PICTURE_ERROR_UNWRITTEN, reason);
  return FALSE;
}

static gboolean
write_file (const Kind *kind, const Picture *picture, const char *path, GError **error)
{
  FILE *file = open_file (path, "wb", error);
  gboolean done, cut;
  int number;

  if (! file)
    return FALSE;
  done = kind->write (picture, file, error);
  number = errno;
  cut = ferror (file) != 0;
  if (fclose (file) != 0 && ! cut)
    {
      number = errno;
      cut = TRUE;
    }
  return cut ? fail_to_write (error, g_strerror (number)) : done;
}

/* Exiv2 does not notice where a file finds no room: its end is missing then. */

typedef struct {
  guint8 bytes[12];
} Tail;

static gboolean
read_tail (const char *path, Tail *tail)
{
  FILE *file = g_fopen (path, "rb");
  gboolean done = file && fseek (file, -(long) sizeof tail->bytes, SEEK_END) == 0 &&
                  fread (tail->bytes, sizeof tail->bytes, 1, file) == 1;

  if (file)
    fclose (file);
  return done;
}

static gboolean
is_whole (const Kind *kind, const char *path, const Tail *before)
{
  FILE *file;
  gboolean whole;
  Tail after;

  if (! kind->is_whole)
    return read_tail (path, &after) && memcmp (before, &after, sizeof after) == 0;
  file = g_fopen (path, "rb");
  whole = file && kind->is_whole (file);
  if (file)
    fclose (file);
  return whole;
}

static gboolean
add_metadata (Shared *shared, Picture *picture, const Thumbnail *thumbnail, const char *path,
              const Kind *kind, GError **error)
{
  Tail before;
  gboolean done;

  if (! read_tail (path, &before))
    return fail_to_write (error, "it cannot be read again");
  g_mutex_lock (&shared->gimp_lock);
  done = metadata_save (picture, thumbnail, path, kind->mime_type, error);
  g_mutex_unlock (&shared->gimp_lock);
  if (! is_whole (kind, path, &before))
    return fail_to_write (error, "it came out cut short");
  return done;
}

static gboolean
save (Shared *shared, Picture *picture, const char *path, GError **error)
{
  const Kind *kind = kind_find (path);
  gint64 start = g_get_monotonic_time ();
  g_auto (Thumbnail) thumbnail = { 0 };
  gboolean done;

  if (picture->has_thumbnail && ! thumbnail_make (&thumbnail, picture, error))
    return FALSE;
  done = write_file (kind, picture, path, error) &&
         add_metadata (shared, picture, picture->has_thumbnail ? &thumbnail : NULL, path, kind,
                       error);
  fx_trace ("save", start, picture_get_size (picture), "%dx%d", picture->width, picture->height);
  return done;
}

/* The filter. */

typedef struct {
  const Picture *picture;
  guint8 *result;
} Work;

static void
copy_rows (guint8 *to, gsize to_stride, const guint8 *from, gsize from_stride, gsize bytes, int n)
{
  int y;

  for (y = 0; y < n; y++)
    memcpy (to + y * to_stride, from + y * from_stride, bytes);
}

static gsize
get_offset (const Picture *picture, const FxRect *rect)
{
  return rect->y * picture_get_stride (picture) + rect->x * fx_format_size (&picture->format);
}

static gboolean
read_rect (gpointer data, const FxRect *rect, gpointer pixels, gsize stride, GError **error)
{
  const Picture *picture = ((Work *) data)->picture;

  copy_rows (pixels, stride, picture->pixels + get_offset (picture, rect),
             picture_get_stride (picture), rect->width * fx_format_size (&picture->format),
             rect->height);
  return TRUE;
}

static gboolean
write_rect (gpointer data, const FxRect *rect, gconstpointer pixels, gsize stride, GError **error)
{
  const Work *work = data;
  const Picture *picture = work->picture;

  copy_rows (work->result + get_offset (picture, rect), picture_get_stride (picture), pixels,
             stride, rect->width * fx_format_size (&picture->format), rect->height);
  return TRUE;
}

static gboolean
run_engine (Shared *shared, FxPlan *plan, Work *work, FxReport *report, GError **error)
{
  const Picture *picture = work->picture;
  const FxImage image = { .format = picture->format,
                          .width = picture->width,
                          .height = picture->height,
                          .region = { .width = picture->width, .height = picture->height },
                          .read = read_rect,
                          .write = write_rect,
                          .data = work };
  FxDevice device = filter_settings_get_device (shared->settings);
  gboolean done;

  g_mutex_lock (&shared->engine_lock);
  done = fx_engine_run (shared->engine, plan, device, &image, report, error);
  g_mutex_unlock (&shared->engine_lock);
  return done;
}

static gboolean
filter (Shared *shared, Picture *picture, JobReport *report, GError **error)
{
  const FilterDescription *described = filter_settings_get_filter (shared->settings);
  g_autoptr (FxPlan) plan = described->make_plan (shared->settings, &picture->format, FALSE);
  Work work = { .picture = picture };

  report->filtered = ! plan->identity;
  if (plan->identity)
    return TRUE;
  work.result = g_try_malloc (picture_get_size (picture));
  if (! work.result)
    return picture_decline (error, "There is not enough memory");
  if (! run_engine (shared, plan, &work, &report->report, error))
    {
      g_free (work.result);
      return FALSE;
    }
  g_free (picture->pixels);
  picture->pixels = work.result;
  return TRUE;
}

gboolean
job_run (Shared *shared, const char *input, const char *output, JobReport *report, GError **error)
{
  const Kind *kind = kind_find (output);
  g_autoptr (Picture) picture = NULL;

  if (! kind_find (input) || ! kind)
    return picture_decline (error, "Its format is not known");
  picture = load (shared, input, kind, report, error);
  if (! picture || ! kind_can_write (kind, picture, error))
    return FALSE;
  report->width = picture->width;
  report->height = picture->height;
  report->format = picture->format;
  report->bytes = picture_get_size (picture);
  return filter (shared, picture, report, error) && kind_fit_alpha (kind, picture, error) &&
         save (shared, picture, output, error);
}
