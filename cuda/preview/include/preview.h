/* A preview: an image kept at hand, on the GPU too, and views of what a filter makes of it at any
 * scale.
 *
 * A view shows what fx_engine_run gives, scaled down: the filter runs at the image's full
 * resolution; its result is mixed with the image under the mask, given back the channels that are
 * kept, and then reduced. A pixel of the view is the average over the area of the image that it
 * covers, in premultiplied alpha and in linear light; where the scale is 1 or more it is the one
 * pixel of the image that its centre lies in.
 *
 * The GPU keeps the image and reads it from host memory once. The CPU may render a draft first,
 * from a smaller copy of the image, with everything scaled to it, where the view itself would take
 * long.
 *
 * Device: with FX_DEVICE_AUTO the GPU where it is open and has its programs, however few the pixels
 * are. Else the CPU, while the engine gets the GPU ready on the side, for which no view waits.
 * Where that has failed, until another try succeeds, or the GPU fails midway, the CPU too.
 * FX_DEVICE_GPU waits for the GPU. An engine's GPU holds one image: two previews that take turns
 * upload theirs each time.
 *
 * Threads: as the engine, which a preview uses while it renders; the other functions may not run at
 * the same time. */
#ifndef FX_PREVIEW_H
#define FX_PREVIEW_H

#include "engine.h"
#include "view.h"

FX_BEGIN_API

typedef struct FxPreview FxPreview;

/* format: of the image as it is stored. coverage: it is a mask or a channel, one channel that light
 * does not touch: it is processed as linear, shown as its format says. pixels: height rows of width
 * pixels, without padding, in host memory, the caller's, which must outlive the preview; so must
 * engine. Never NULL, and costs next to nothing; free it with fx_preview_free. */
FxPreview *fx_preview_new (FxEngine *engine, const FxFormat *format, gboolean coverage, int width,
                           int height, gconstpointer pixels);

/* Gives back everything, device memory included, for which it waits for a GPU that is being made
 * ready. NULL is legal. */
void fx_preview_free (FxPreview *preview);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FxPreview, fx_preview_free)

/* The format that plans for the image are to be made for. */
const FxFormat *fx_preview_get_format (const FxPreview *preview);

/* Says that rows y to y + rows - 1 of the pixels have changed; what of them lies beyond the image
 * is passed over. Rows are read when a view first needs them: nothing need be said before that. */
void fx_preview_change (FxPreview *preview, int y, int rows);

/* The share of each pixel that the result gets, 0 none of it to 255 all: height rows of width
 * bytes, the caller's, which must stay until another is set, and to be set again when they change.
 * NULL, as at first: all of every pixel. What an image is enlarged by is all the result's. */
void fx_preview_set_mask (FxPreview *preview, const guint8 *mask);

/* The channels of which every sample stays as it is stored: bit c for channel c. 0, as at first:
 * none. What an image is enlarged by has zeros there. */
void fx_preview_set_kept (FxPreview *preview, guint channels);

typedef struct {
  FxReport report;
  /* To be asked for again, without a draft, when the hand rests: it would be nearer to the truth
   * then, or come from the GPU, which is being made ready. */
  gboolean draft;
} FxViewReport;

/* Renders a view of what plan, of fx_preview_get_format and for coverage in linear light, makes of
 * the image; of a plan that is identity, of the image itself. rgba: rect.width * rect.height pixels
 * of 4 bytes, straight alpha, through the curve of the image's format. progress: as in FxImage, or
 * NULL. report may be NULL; it is filled on TRUE only. On FALSE rgba is undefined and error is set,
 * as by fx_engine_run. */
gboolean fx_preview_render (FxPreview *preview, FxPlan *plan, FxDevice device, const FxView *view,
                            guint8 *rgba, FxProgressFunc progress, gpointer data,
                            FxViewReport *report, GError **error);

FX_END_API

#endif
