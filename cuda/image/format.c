#include "format.h"

#include "error.h"

#include <glib/gi18n-lib.h>

gsize
fx_sample_size (FxSample sample)
{
  switch (sample)
    {
    case FX_SAMPLE_U8:
      return 1;
    case FX_SAMPLE_U16:
    case FX_SAMPLE_HALF:
      return 2;
    case FX_SAMPLE_U32:
    case FX_SAMPLE_FLOAT:
      return 4;
    case FX_SAMPLE_DOUBLE:
      return 8;
    }
  g_return_val_if_reached (0);
}

gsize
fx_format_size (const FxFormat *format)
{
  return fx_sample_size (format->sample) * format->channels;
}

gboolean
fx_format_check (const FxFormat *format, GError **error)
{
  if (format->channels >= 1 && format->channels <= FX_CHANNELS_MAX && (int) format->sample >= 0 &&
      format->sample <= FX_SAMPLE_DOUBLE)
    return TRUE;
  g_set_error (error, FX_ERROR, FX_ERROR_ARGUMENT,
               _("format is %d channels of sample type %d, but must be 1 to 4 of type 0 to %d"),
               format->channels, (int) format->sample, FX_SAMPLE_DOUBLE);
  return FALSE;
}
