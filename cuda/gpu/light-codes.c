#include "light-codes.h"

#include "error.h"

#include <math.h>

/* Curves that are kept although no plan uses them: a slider makes plan after plan. */
#define KEPT 4

typedef struct {
  FxTrc trc;
  int users; /* plans */
  float lights[FX_LIGHT_CODES];
} Codes;

static GMutex mutex;
static GQueue all = G_QUEUE_INIT; /* of Codes, the most recently asked for first */

static Codes *
codes_new (const FxTrc *trc, GError **error)
{
  Codes *codes = g_try_new (Codes, 1);
  int i;

  if (! codes)
    {
      fx_set_no_memory (error);
      return NULL;
    }
  codes->trc = *trc;
  codes->users = 0;
  codes->lights[0] = -HUGE_VALF;
  for (i = 1; i <= FX_LIGHT_CODES_MAX; i++) /* some curves fall where their two parts meet */
    codes->lights[i] = MAX (codes->lights[i - 1],
                            (float) fx_trc_get_light (trc, (i - 0.5) / FX_LIGHT_CODES_WHITE));
  codes->lights[i] = HUGE_VALF;
  return codes;
}

/* Frees those that no plan uses, except for the first KEPT ones. Call this under the lock. */
static void
trim (void)
{
  GList *link = g_queue_peek_nth_link (&all, KEPT), *next;

  for (; link; link = next)
    {
      Codes *codes = link->data;

      next = link->next;
      if (codes->users > 0)
        continue;
      g_free (codes);
      g_queue_delete_link (&all, link);
    }
}

const float *
fx_light_codes_get (const FxTrc *trc, GError **error)
{
  Codes *codes = NULL;
  GList *link;

  g_mutex_lock (&mutex);
  for (link = all.head; link && ! fx_trc_equal (&((Codes *) link->data)->trc, trc);)
    link = link->next;
  if (link)
    {
      codes = link->data;
      g_queue_delete_link (&all, link);
    }
  else
    codes = codes_new (trc, error);
  if (codes)
    {
      codes->users++;
      g_queue_push_head (&all, codes);
      trim ();
    }
  g_mutex_unlock (&mutex);
  return codes ? codes->lights : NULL;
}

void
fx_light_codes_free (const float *lights)
{
  GList *link;

  g_mutex_lock (&mutex);
  for (link = all.head; link && ((Codes *) link->data)->lights != lights;)
    link = link->next;
  if (link)
    ((Codes *) link->data)->users--;
  trim ();
  g_mutex_unlock (&mutex);
}

/* Linear light in single precision, 32-bit integers as a kernel decodes them. */
static void
decode_lights (const FxFormat *format, const void *pixels, int n, float *const *lights)
{
  FxCodec codec = fx_codec_new (format, FX_LIGHT_LINEAR);

  codec.alpha = FX_ALPHA_STRAIGHT;
  fx_codec_decode (&codec, pixels, n, lights);
  for (int i = 0; i < n * format->channels && format->sample == FX_SAMPLE_U32; i++)
    lights[i % format->channels][i / format->channels] = (float) ((const guint32 *) pixels)[i] *
                                                         (1.0f / 4294967295.0f);
}

void
fx_light_codes_decode (const float *lights, const FxFormat *format, const void *pixels, int n,
                       float *const *planes)
{
  float room[FX_CHANNELS_MAX][FX_LIGHT_CODES_PIECE];
  float *const decoded[] = { room[0], room[1], room[2], room[3] };
  FxCodec codec = fx_codec_new (format, FX_LIGHT_PERCEPTUAL);

  codec.alpha = FX_ALPHA_STRAIGHT;
  fx_codec_decode (&codec, pixels, n, planes);
  decode_lights (format, pixels, n, decoded);
  for (int c = 0; c < format->channels - fx_format_has_alpha (format); c++)
    for (int i = 0; i < n; i++)
      planes[c][i] = (float) fx_light_codes_find (lights, room[c][i], planes[c][i]);
}
