#include "serve-picture.h"

#include <stdio.h>

#include "picture.h"
#include "screen.h"

#define DIVIDER 1 /* pixels on each side of the divider's middle that it takes */

static PictureChecks
get_checks (void)
{
  PictureChecks checks = { .size = 4 << gimp_check_size () };

  gimp_checks_get_shades (gimp_check_type (), &checks.light, &checks.dark);
  return checks;
}

/* Puts the columns left of the divider from before into after, and what is under it from actual. */
static void
put_divider (guint8 *after, const guint8 *before, const guint8 *actual, int width, int height,
             int divider)
{
  for (int i = 0; i < width * height; i++)
    {
      int x = i % width;

      if (x >= divider - DIVIDER && x <= divider + DIVIDER)
        memcpy (after + 3 * i, actual + 3 * i, 3);
      else if (x < divider)
        memcpy (after + 3 * i, before + 3 * i, 3);
    }
}

/* A part of the screen, and what it is to show. */
typedef struct {
  FxRect place; /* on the screen */
  PictureView view;
  int divider; /* a column of the screen; left of it, the layer as it is */
} Sight;

static gboolean
parse_sight (const char *text, Sight *sight)
{
  FxRect *place = &sight->place, *rect = &sight->view.rect;
  int n = sscanf (text ? text : "", "%d %d %d %d %d %d %lf %d", &place->x, &place->y, &place->width,
                  &place->height, &rect->x, &rect->y, &sight->view.scale, &sight->divider);

  rect->width = place->width;
  rect->height = place->height;
  if (n == 7)
    sight->divider = place->x - DIVIDER - 1;
  return n >= 7;
}

static guint8 *
render (const ServeImage *image, const Sight *sight, gboolean blurred)
{
  BlurParams params = subject_params (image->subject.drawable, &image->args);
  g_autofree double *mask = blurred ? serve_image_get_selection (image) : NULL;
  PictureLayer layer = { image->original, blurred ? &params : NULL, .mask = mask,
                         .kept = image->kept };
  PictureChecks checks = get_checks ();

  serve_image_get_growth (image, &layer.grow_x, &layer.grow_y);
  if (layer.grow_x > 0 || layer.grow_y > 0)
    params.abyss = FX_ABYSS_NONE;
  return picture_render (&layer, &sight->view, &checks);
}

char *
serve_picture_check (ServeImage *image, const char *where)
{
  g_autofree guint8 *actual = NULL, *after = NULL, *before = NULL;
  const FxRect *place;
  char *problem;
  Sight sight;

  if (! parse_sight (where, &sight))
    return g_strdup ("which picture?");
  place = &sight.place;
  actual = screen_grab (place);
  after = render (image, &sight, TRUE);
  before = render (image, &sight, FALSE);
  if (! actual || ! after || ! before)
    return g_strdup ("there is no such picture");
  put_divider (after, before, actual, place->width, place->height, sight.divider - place->x);
  problem = picture_compare (actual, after, place->width, place->height);
  return problem ? problem : g_strdup ("ok");
}

/* A part of the layer that nothing but the layer looks like, off its edge, on which GIMP draws. */
static const FxRect mark = { 20, 20, 32, 8 };

/* Returns whether the screen, of that width, has the mark at that place. */
static gboolean
is_mark (const guint8 *screen, int width, int x, int y, const guint8 *marked)
{
  for (int row = 0; row < mark.height; row++)
    if (memcmp (screen + 3 * ((gsize) (y + row) * width + x), marked + 3 * row * mark.width,
                3 * mark.width) != 0)
      return FALSE;
  return TRUE;
}

char *
serve_picture_find (ServeImage *image, const char *where)
{
  const Sight sight = { .place = mark, .view = { .rect = mark, .scale = 1.0 } };
  g_autofree guint8 *marked = render (image, &sight, FALSE), *screen = NULL;
  FxRect area = { 0, 0, 0, 0 };

  if (! where || sscanf (where, "%d %d", &area.width, &area.height) != 2)
    return g_strdup ("how large is the screen?");
  screen = screen_grab (&area);
  if (screen && marked)
    for (int y = 0; y <= area.height - mark.height; y++)
      for (int x = 0; x <= area.width - mark.width; x++)
        if (is_mark (screen, area.width, x, y, marked))
          return g_strdup_printf ("at %d %d", x - mark.x, y - mark.y);
  return g_strdup ("the layer is not to be seen");
}

/* The levels there, and how many they are; NULL: there is no such place. */
static guint8 *
grab (const char *where, gsize *count)
{
  FxRect rect;

  if (! where || sscanf (where, "%d %d %d %d", &rect.x, &rect.y, &rect.width, &rect.height) != 4)
    return NULL;
  *count = (gsize) rect.width * rect.height * 3;
  return screen_grab (&rect);
}

char *
serve_picture_sum (ServeImage *image, const char *where)
{
  gsize count;
  g_autofree guint8 *levels = grab (where, &count);

  if (! levels)
    return g_strdup ("no such part of the screen");
  return g_compute_checksum_for_data (G_CHECKSUM_MD5, levels, count);
}

char *
serve_picture_colour (ServeImage *image, const char *where)
{
  gsize count;
  g_autofree guint8 *levels = grab (where, &count);
  double sums[3] = { 0.0 };

  if (! levels)
    return g_strdup ("no such part of the screen");
  for (gsize i = 0; i < count; i++)
    sums[i % 3] += levels[i];
  return g_strdup_printf ("%.0f %.0f %.0f", 3.0 * sums[0] / count, 3.0 * sums[1] / count,
                          3.0 * sums[2] / count);
}

char *
serve_picture_brightness (ServeImage *image, const char *where)
{
  gsize count;
  g_autofree guint8 *levels = grab (where, &count);
  double sum = 0.0;

  if (! levels)
    return g_strdup ("no such part of the screen");
  for (gsize i = 0; i < count; i++)
    sum += levels[i];
  return g_strdup_printf ("%.0f", sum / count);
}
