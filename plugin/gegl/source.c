#include "source.h"

#define HEIGHT_MAX (1 << 24) /* in rows; an infinite plane is not kept resident */

void
source_change (Source *source, const GeglRectangle *changed)
{
  gegl_rectangle_bounding_box (&source->changed, &source->changed, changed);
}

static gboolean
is_the_same (const Source *source, GeglBuffer *input, const GeglRectangle *frame,
             const Babl *format)
{
  return source->input && source->format == format &&
         gegl_rectangle_equal (&source->frame, frame) &&
         gegl_buffer_share_storage (source->input, input);
}

FxResidentSource *
source_lend (Source *source, GeglBuffer *input, const GeglRectangle *frame, const Babl *format)
{
  const GeglRectangle changed = source->changed;

  if (source->lent || frame->height > HEIGHT_MAX)
    return NULL;
  if (! source->resident || ! is_the_same (source, input, frame, format))
    {
      source_clear (source);
      source->resident = fx_resident_source_new (frame->height);
      source->format = format;
      source->frame = *frame;
    }
  else if (! gegl_rectangle_is_empty (&changed))
    fx_resident_source_change (source->resident, changed.y - frame->y, changed.height);
  source->changed = (GeglRectangle) { 0, 0, 0, 0 };
  if (! source->resident)
    return NULL;
  g_set_object (&source->input, input);
  source->lent = TRUE;
  return source->resident;
}

void
source_take_back (Source *source, FxResidentSource *resident, int y)
{
  if (! resident)
    return;
  source->lent = FALSE;
  y = CLAMP (y - source->frame.y, 0, source->frame.height - 1);
  if (! fx_resident_source_has (resident, y, 1))
    source_clear (source); /* do not hold the input's memory without need */
}

void
source_clear (Source *source)
{
  g_clear_pointer (&source->resident, fx_resident_source_free);
  g_clear_object (&source->input);
}
