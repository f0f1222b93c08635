/* A preview: an image in memory, also resident on the GPU, and views of the filtered image at any
 * scale.
 *
 * A view shows the result of fx_engine_run, scaled down. The filter runs at the image's full
 * resolution; its result is mixed with the image under the mask, the locked channels are restored,
 * and the result is then reduced. Each view pixel is the average over the image area that it
 * covers, in premultiplied alpha and linear light. At scales of 1 or more it is the single image
 * pixel that contains its centre.
 *
 * The image is uploaded to the GPU once; later views upload only the rows that have changed. If
 * rendering a view would take long, on the CPU or on an automatically chosen GPU, and the view
 * accepts a draft, the CPU renders one from a smaller copy of the image, with the plan scaled
 * accordingly.
 *
 * Device: FX_DEVICE_AUTO uses the GPU if it is open and has its programs loaded, however small the
 * view is. Otherwise the CPU renders the view, and the engine warms the GPU up in the background;
 * no view waits for that. The CPU is also used if the warm-up has failed, until a retry succeeds,
 * and if the GPU fails midway. FX_DEVICE_GPU waits for the GPU. An engine's GPU stores one image,
 * so if two previews alternate, each uploads its image every time.
 *
 * Threads: a preview serves one thread at a time, and uses its engine while it renders. */
#pragma once

#include "engine.h"

FX_BEGIN_API

/* The part of the image to render. Column i of the scaled image covers the image's columns from i /
 * scale to (i + 1) / scale, and rows likewise. */
typedef struct {
  double scale; /* view pixels per image pixel, 1/1024 to 1024 */
  FxRect rect;  /* up to 16384 x 16384 pixels of the scaled image, whose 0, 0 is that of the image
                   before it is extended; pixels outside the extended image are transparent */
  int grow_x, grow_y; /* pixels of zeros that extend the image on each side, 0 or more, to
                         FX_SIZE_MAX in all; if any do,
                         the plan's abyss must be FX_ABYSS_NONE */
  gboolean draft; /* accept a draft if the view would take too long for a user who drags a slider. A
                     draft aims at 0.1 s, and takes longer after a change */
} FxView;

typedef struct FxPreview FxPreview;

/* Creates a preview. format is the image's storage format. coverage marks a mask or a channel: a
 * single channel to which light does not apply. It is processed as linear and displayed according
 * to format. width and height are 1 to FX_SIZE_MAX. pixels is height rows of width pixels without
 * padding in host memory. The caller owns
 * pixels and engine, and both must outlive the preview. The call is cheap. Returns NULL if memory
 * runs out; free the preview with fx_preview_free. */
FxPreview *fx_preview_new (FxEngine *engine, const FxFormat *format, gboolean coverage, int width,
                           int height, gconstpointer pixels);

/* Frees the preview and its device memory. May wait for a warm-up of the GPU. NULL is legal. */
void fx_preview_free (FxPreview *preview);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FxPreview, fx_preview_free)

/* Returns the format for which the preview's plans must be made. preview owns it. */
const FxFormat *fx_preview_get_format (const FxPreview *preview);

/* Marks rows y to y + rows - 1 of the pixels as changed. Rows outside of the image are ignored. The
 * preview reads a row when a view first needs it; changes before that need no call. */
void fx_preview_change (FxPreview *preview, int y, int rows);

/* Sets the mask: the share of the result in each pixel, 0 (none) to 255 (all), as height rows of
 * width bytes. The caller owns mask, which must remain valid until another one is set. Set it again
 * when its contents change. NULL, the default: 255 everywhere. In the margin that extends an image,
 * the mask counts as 255. */
void fx_preview_set_mask (FxPreview *preview, const guint8 *mask);

/* Sets the channels that keep their stored samples: bit c for channel c. The default is 0. In the
 * margin that extends an image these channels are 0. */
void fx_preview_set_locked (FxPreview *preview, guint channels);

typedef struct {
  FxReport report;
  /* When the user pauses, render again without a draft: that view will be more exact, or come from
   * the GPU, which is warming up. */
  gboolean draft;
} FxViewReport;

/* Renders a view of the image filtered by plan, or of the image itself if plan is an identity plan.
 * plan must be made for fx_preview_get_format, and for coverage without a conversion of light. rgba
 * receives rect.width * rect.height pixels of 4 bytes without padding, straight alpha, encoded with
 * the curve of the image's format. progress may be NULL and is called as in FxImage. report may be
 * NULL; it is filled only on TRUE. On failure, returns FALSE with error set as by fx_engine_run;
 * the contents of rgba are then undefined. */
gboolean fx_preview_render (FxPreview *preview, FxPlan *plan, FxDevice device, const FxView *view,
                            guint8 *rgba, FxProgressFunc progress, gpointer data,
                            FxViewReport *report, GError **error);

FX_END_API
