#include "canvas.h"

#include "apply-grow.h"
#include "error.h"
#include "rectangle.h"
#include "tiles.h"
#include "undo-freeze.h"

#include <glib/gi18n-lib.h>
#include <libgimp/gimp.h>
#include <string.h>

/* In microseconds. After a flush GIMP redraws what has changed, and accepts no tiles until that is
 * done: for 70 to 150 ms with 24 megapixels on two cores. */
#define FLUSH_INTERVAL 300000

struct Canvas {
  ApplyTarget user;  /* the user's layer */
  ApplyTarget shown; /* the temporary layer */
  gint32 image;
  gboolean clean; /* the image has had no unsaved changes since the canvas was created */
  gboolean lost;
  FxRect extent; /* the temporary layer in the user's layer: that, and a transparent border */
  Tiles *tiles;  /* of the temporary layer; may be NULL */
  guint8 *tile;  /* buffer for one tile */

  guint8 *pixels; /* of the result; NULL: all is written */
  FxRect result;  /* their place in the user's layer */
  FxRect changed; /* the part of them that changed, in the user's layer */
  FxRect differs; /* the part that may differ from the user's layer */

  int next, left; /* the next tile to write, counted row by row, and how many are left */
  FxRect unseen;  /* written, but GIMP has not been told of it */
  gint64 flushed; /* when displays were last flushed */
};

/* Refusals. */

static gboolean
is_visible (gint32 item)
{
  while (item != -1 && gimp_item_get_visible (item))
    item = gimp_item_get_parent (item);
  return item == -1;
}

const char *
canvas_get_refusal (const ApplyTarget *target)
{
  gint32 drawable = target->drawable;

  if (gimp_item_is_layer_mask (drawable))
    return _ ("The canvas can show a preview of a layer, but not of a layer mask");
  if (! gimp_item_is_layer (drawable))
    return _ ("The canvas can show a preview of a layer, but not of a channel");
  if (gimp_layer_is_floating_sel (drawable))
    return _ ("The canvas cannot show a preview of a floating selection: anchor it first");
  if (gimp_image_get_floating_sel (gimp_item_get_image (drawable)) != -1)
    return _ ("The canvas cannot show a preview beside a floating selection: anchor it first");
  if (gimp_layer_get_mask (drawable) != -1 && gimp_layer_get_show_mask (drawable))
    return _ ("The canvas cannot show a preview of a layer whose mask is shown instead");
  if (! gimp_item_get_visible (drawable))
    return _ ("The canvas cannot show a preview of a layer that is not visible");
  if (! is_visible (drawable))
    return _ ("The canvas cannot show a preview of a layer in a group that is not visible");
  return NULL;
}

/* The temporary layer. */

/* While the copy is not in the image, these changes are neither undo steps nor counted. */
static gint32
make_copy (gint32 layer, const FilterDescription *filter)
{
  g_autofree char *name = gimp_item_get_name (layer);
  g_autofree char *title = g_strdup_printf (_ ("%s preview of %s"), _ (filter->title), name);
  gint32 copy = gimp_layer_copy (layer); /* last: its message is used if it fails */

  if (copy != -1)
    gimp_item_set_name (copy, title);
  return copy;
}

/* Inserts the copy above the user's layer, which it replaces. GIMP makes it the active layer. */
static gboolean
put_in_place (Canvas *canvas, GError **error)
{
  gint32 image = canvas->image, layer = canvas->user.drawable;
  gint32 active_channel = gimp_image_get_active_channel (image);
  gint32 active_layer = gimp_image_get_active_layer (image);
  gint32 parent = gimp_item_get_parent (layer);
  int position = gimp_image_get_item_position (image, layer);
  gboolean done;

  undo_freeze (canvas->image, &canvas->clean);
  done = gimp_image_insert_layer (image, canvas->shown.drawable, parent, position);
  if (done)
    gimp_item_set_visible (layer, FALSE);
  else
    apply_fail_gimp (error);
  undo_thaw (canvas->image, canvas->clean);
  if (active_channel != -1)
    gimp_image_set_active_channel (image, active_channel);
  else if (active_layer != -1)
    gimp_image_set_active_layer (image, active_layer);
  return done;
}

/* If the temporary layer is the active one, GIMP activates the layer below it. */
static void
take_away (Canvas *canvas)
{
  gint32 user = canvas->user.drawable, shown = canvas->shown.drawable;
  gboolean has_user = gimp_item_is_valid (user), has_shown = gimp_item_is_valid (shown);

  if (! has_user && ! has_shown)
    return;
  undo_freeze (canvas->image, &canvas->clean);
  if (has_user)
    gimp_item_set_visible (user, TRUE);
  if (has_shown)
    gimp_image_remove_layer (canvas->image, shown);
  undo_thaw (canvas->image, canvas->clean);
}

/* Checks that the layer can be written: GIMP ends a process that writes to a layer that it must not
 * write to. */
static gboolean
check_shown (Canvas *canvas, GError **error)
{
  ApplyTarget now;

  canvas->lost = canvas->lost || ! apply_target_init (&now, canvas->shown.drawable, NULL) ||
                 now.width != canvas->shown.width || now.height != canvas->shown.height ||
                 strcmp (now.encoding, canvas->shown.encoding) != 0;
  return ! canvas->lost ||
         fx_set_error (error, APPLY_ERROR, APPLY_ERROR_REFUSED,
                       _ ("The layer of the preview on the canvas was removed or changed"));
}

Canvas *
canvas_new (const ApplyTarget *target, const FilterDescription *filter, GError **error)
{
  Canvas *canvas = g_new0 (Canvas, 1);
  gint32 copy = make_copy (target->drawable, filter);

  canvas->user = *target;
  canvas->shown = *target;
  canvas->shown.drawable = copy;
  canvas->image = gimp_item_get_image (target->drawable);
  canvas->extent = (FxRect) { 0, 0, target->width, target->height };
  canvas->clean = TRUE;
  if (copy == -1)
    apply_fail_gimp (error);
  else if (put_in_place (canvas, error))
    {
      canvas->tile = g_malloc_n (gimp_tile_width () * gimp_tile_height (),
                                 fx_format_size (&target->format));
      gimp_displays_flush ();
      canvas->flushed = g_get_monotonic_time ();
      return canvas;
    }
  else
    gimp_item_delete (copy);
  g_free (canvas);
  return NULL;
}

void
canvas_free (Canvas *canvas)
{
  if (! canvas)
    return;
  g_clear_pointer (&canvas->tiles, tiles_close);
  if (gimp_image_is_valid (canvas->image))
    take_away (canvas);
  g_free (canvas->tile);
  g_free (canvas->pixels);
  g_free (canvas);
}

gboolean
canvas_is_lost (const Canvas *canvas)
{
  return canvas->lost;
}

/* Growing. */

static gboolean
enlarge (Canvas *canvas, const FxRect *extent, GError **error)
{
  gint32 layer = canvas->shown.drawable;
  FxRect old = rect_move (&canvas->extent, -extent->x, -extent->y);
  gboolean done;

  g_clear_pointer (&canvas->tiles, tiles_close);
  undo_freeze (canvas->image, &canvas->clean);
  done = gimp_layer_resize (layer, extent->width, extent->height, old.x, old.y) ||
         apply_fail_gimp (error);
  if (done)
    {
      canvas->extent = *extent;
      canvas->next = 0;
      canvas->shown.width = extent->width;
      canvas->shown.height = extent->height;
      done = apply_grow_whiten (&canvas->shown, &old, error);
    }
  undo_thaw (canvas->image, canvas->clean);
  return done;
}

/* Limits rect, in the user's layer, to the mask of a group around it. A group grows with its
 * layers, and its mask with it, but then the mask's undo steps no longer fit. GIMP fills that
 * mask's new border with black, so nothing beyond the mask would be visible anyway, unless the mask
 * is disabled. */
static void
limit_to_masked_group (const Canvas *canvas, FxRect *rect)
{
  gint32 layer = canvas->shown.drawable, group = gimp_item_get_parent (layer);
  FxRect mask;
  int x, y;

  while (group != -1 && gimp_layer_get_mask (group) == -1)
    group = gimp_item_get_parent (group);
  if (group == -1)
    return;
  gimp_drawable_offsets (layer, &x, &y);
  gimp_drawable_offsets (group, &mask.x, &mask.y);
  mask.x += canvas->extent.x - x;
  mask.y += canvas->extent.y - y;
  mask.width = gimp_drawable_width (group);
  mask.height = gimp_drawable_height (group);
  *rect = rect_intersect (rect, &mask);
}

/* Growing by whole tiles happens rarely while a slider is dragged, and does not move GIMP's
 * tiles. */
static int
round_up (int growth, int size, guint tile)
{
  int rounded = (growth + (int) tile - 1) / (int) tile * (int) tile;

  return size + 2 * rounded <= GIMP_MAX_IMAGE_SIZE ? rounded : growth;
}

/* Makes room for job's image. Never shrinks the layer: a border without pixels is invisible. If the
 * user has made a selection since the job began, the layer no longer grows, and the next job will
 * not ask for that. */
static gboolean
canvas_make_room (Canvas *canvas, const ApplyJob *job, GError **error)
{
  int width = canvas->user.width, height = canvas->user.height;
  int x = round_up (job->grow_x, width, gimp_tile_width ());
  int y = round_up (job->grow_y, height, gimp_tile_height ());
  FxRect extent = { -x, -y, width + 2 * x, height + 2 * y };

  if (! apply_job_check_size (job, error))
    return FALSE;
  if (apply_job_grows (job) && ! apply_target_can_grow (&canvas->user))
    return TRUE;
  if (apply_job_grows (job))
    limit_to_masked_group (canvas, &extent);
  extent = rect_unite (&extent, &canvas->extent);
  if (extent.width == canvas->extent.width && extent.height == canvas->extent.height)
    return TRUE;
  return enlarge (canvas, &extent, error);
}

/* The tiles to write. */

static int
count_columns (const Canvas *canvas)
{
  return (canvas->shown.width - 1) / (int) gimp_tile_width () + 1;
}

static int
count_tiles (const Canvas *canvas)
{
  return count_columns (canvas) * ((canvas->shown.height - 1) / (int) gimp_tile_height () + 1);
}

/* Returns the place of the next tile in the temporary layer. */
static FxRect
get_tile (const Canvas *canvas)
{
  const FxRect whole = { 0, 0, canvas->shown.width, canvas->shown.height };
  int width = (int) gimp_tile_width (), height = (int) gimp_tile_height ();
  int columns = count_columns (canvas);
  const FxRect tile = { canvas->next % columns * width, canvas->next / columns * height, width,
                        height };

  return rect_intersect (&tile, &whole);
}

/* Tells GIMP of what was written. */
static void
update_unseen (Canvas *canvas)
{
  const FxRect unseen = canvas->unseen;

  canvas->unseen = (FxRect) { 0 };
  if (! rect_is_empty (&unseen))
    gimp_drawable_update (canvas->shown.drawable, unseen.x, unseen.y, unseen.width, unseen.height);
}

/* Moves to the next tile; from the last one, to the first one. */
static void
step (Canvas *canvas)
{
  canvas->left--;
  canvas->next = (canvas->next + 1) % count_tiles (canvas);
  if (canvas->next == 0)
    update_unseen (canvas);
}

/* Skips tiles that do not differ from the new result. */
static void
skip_tiles (Canvas *canvas)
{
  const FxRect stale = rect_move (&canvas->differs, -canvas->extent.x, -canvas->extent.y);

  for (; canvas->left > 0; step (canvas))
    {
      FxRect tile = get_tile (canvas), part = rect_intersect (&tile, &stale);

      if (! rect_is_empty (&part))
        return;
    }
}

/* Results. */

gboolean
canvas_set (Canvas *canvas, const ApplyJob *job, guint8 *pixels, const FxRect *changed,
            GError **error)
{
  g_free (canvas->pixels);
  canvas->pixels = pixels;
  if (canvas->left == 0)
    canvas->next = 0;
  canvas->left = 0;
  if (! check_shown (canvas, error))
    return FALSE;
  update_unseen (canvas);
  if (! canvas_make_room (canvas, job, error))
    return FALSE;
  canvas->result = (FxRect) { -job->grow_x, -job->grow_y, job->image.width, job->image.height };
  canvas->changed = rect_move (changed, -job->grow_x, -job->grow_y);
  canvas->differs = rect_unite (&canvas->differs, &canvas->changed);
  canvas->left = count_tiles (canvas);
  skip_tiles (canvas);
  return TRUE;
}

static void
write_tile (Canvas *canvas)
{
  const FxRect result = rect_move (&canvas->result, -canvas->extent.x, -canvas->extent.y);
  FxRect tile = get_tile (canvas), part = rect_intersect (&tile, &result);
  gsize size = fx_format_size (&canvas->user.format), stride = tile.width * size;

  memset (canvas->tile, 0, tile.height * stride);
  copy_rows (canvas->tile + (part.y - tile.y) * stride + (part.x - tile.x) * size, stride,
             canvas->pixels +
               ((gsize) (part.y - result.y) * result.width + part.x - result.x) * size,
             result.width * size, part.width * size, part.height);
  tiles_put (canvas->tiles, &tile, canvas->tile, stride);
  canvas->unseen = rect_unite (&canvas->unseen, &tile);
  step (canvas);
  skip_tiles (canvas);
}

/* The user can remove the layer between any two tiles, so that is checked before each. Other
 * reasons for which GIMP would end this process are checked once. Returns FALSE if the layer is
 * lost. */
static gboolean
write_tiles (Canvas *canvas, gint64 until)
{
  if (! check_shown (canvas, NULL))
    return FALSE;
  if (! canvas->tiles)
    canvas->tiles = tiles_open (&canvas->shown, FALSE);
  do
    {
      write_tile (canvas);
      canvas->lost = ! gimp_item_is_valid (canvas->shown.drawable);
    }
  while (! canvas->lost && canvas->left > 0 && g_get_monotonic_time () < until);
  return ! canvas->lost;
}

gboolean
canvas_write (Canvas *canvas, gint64 until)
{
  if (canvas->left == 0 || ! write_tiles (canvas, until))
    return FALSE;
  if (canvas->left == 0)
    {
      canvas->differs = canvas->changed;
      g_clear_pointer (&canvas->pixels, g_free);
    }
  if (canvas->left == 0 || g_get_monotonic_time () - canvas->flushed >= FLUSH_INTERVAL)
    {
      update_unseen (canvas);
      gimp_displays_flush ();
      canvas->flushed = g_get_monotonic_time ();
    }
  return canvas->left > 0;
}
