#include "place.h"

#include <libgimp/gimp.h>
#include <libgimp/gimpui.h>

#define GAP 8 /* in pixels, between two windows: for the frame that a window manager adds */

static char *
make_name (const char *key)
{
  return g_strdup_printf ("%s-window", key);
}

/* Returns the parasite's text, or NULL if it has none; free it. */
static char *
place_get_text (const GimpParasite *parasite)
{
#if GIMP_MAJOR_VERSION >= 3
  guint32 size;
  const char *text = gimp_parasite_get_data (parasite, &size);
#else
  gsize size = (gsize) gimp_parasite_data_size (parasite);
  const char *text = gimp_parasite_data (parasite);
#endif

  return size > 0 ? g_strndup (text, size) : NULL;
}

/* Keeping. */

void
place_keep (GtkWindow *window, const char *key)
{
  g_autofree char *name = make_name (key), *text = NULL;
  GimpParasite *parasite;
  int x, y, width, height;

  gtk_window_get_position (window, &x, &y);
  gtk_window_get_size (window, &width, &height);
  text = g_strdup_printf ("%d %d %d %d", x, y, width, height);
  parasite = gimp_parasite_new (name, GIMP_PARASITE_PERSISTENT, (guint32) strlen (text) + 1, text);
  gimp_attach_parasite (parasite);
  gimp_parasite_free (parasite);
}

/* Reads a number that a window may have, and sets text to what follows it. */
static gboolean
read_number (const char **text, int *number)
{
  char *end;
  gint64 value = g_ascii_strtoll (*text, &end, 10);

  if (end == *text || value < -G_MAXINT16 || value > G_MAXINT16)
    return FALSE;
  *number = (int) value;
  *text = end;
  return TRUE;
}

/* Reads what place_keep wrote. Returns FALSE if there is nothing, or nothing that makes sense. */
static gboolean
read_place (const char *key, GdkRectangle *place)
{
  g_autofree char *name = make_name (key), *text = NULL;
  GimpParasite *parasite = gimp_get_parasite (name);
  const char *next;

  if (! parasite)
    return FALSE;
  text = place_get_text (parasite);
  gimp_parasite_free (parasite);
  next = text;
  return next && read_number (&next, &place->x) && read_number (&next, &place->y) &&
         read_number (&next, &place->width) && read_number (&next, &place->height) &&
         place->width > 0 && place->height > 0;
}

/* Placing. */

static void
get_monitor (GtkWindow *window, int x, int y, GdkRectangle *monitor)
{
  GdkScreen *screen = gtk_window_get_screen (window);

  gdk_screen_get_monitor_geometry (screen, gdk_screen_get_monitor_at_point (screen, x, y), monitor);
}

/* Makes place a part of monitor, by as little as possible. */
static void
fit (GdkRectangle *place, const GdkRectangle *monitor)
{
  place->width = MIN (place->width, monitor->width);
  place->height = MIN (place->height, monitor->height);
  place->x = CLAMP (place->x, monitor->x, monitor->x + monitor->width - place->width);
  place->y = CLAMP (place->y, monitor->y, monitor->y + monitor->height - place->height);
}

#if GIMP_MAJOR_VERSION < 3
static gboolean
find_image (GdkRectangle *image)
{
  gint32 display = gimp_default_display ();
  GdkWindow *window = gimp_display_is_valid (display) ? gimp_ui_get_display_window (display) : NULL;

  if (! window)
    return FALSE;
  gdk_window_get_frame_extents (window, image);
  g_object_unref (window);
  return TRUE;
}

/* Finds room at the right of the image or else at its left, on the monitor that has most of it. */
static gboolean
find_room (GtkWindow *window, GdkRectangle *place)
{
  GtkRequisition least;
  GdkRectangle image, monitor;
  int left, right, room;

  if (! find_image (&image))
    return FALSE;
  get_monitor (window, image.x + image.width / 2, image.y + image.height / 2, &monitor);
  gtk_widget_size_request (GTK_WIDGET (window), &least);
  gtk_window_get_default_size (window, &place->width, NULL);
  left = image.x - monitor.x - GAP;
  right = monitor.x + monitor.width - image.x - image.width - GAP;
  room = right >= least.width ? right : left;
  if (room < least.width)
    return FALSE;
  place->width = MIN (MAX (place->width, least.width), room);
  place->height = least.height;
  place->x = room == right ? image.x + image.width + GAP : image.x - GAP - place->width;
  place->y = image.y;
  fit (place, &monitor);
  return TRUE;
}
#else
/* GIMP 3 does not say where the image's window is. */
static gboolean
find_room (GtkWindow *window, GdkRectangle *place)
{
  return FALSE;
}
#endif

void
place_restore (GtkWindow *window, const char *key)
{
  GdkRectangle place, monitor;

  if (read_place (key, &place))
    {
      get_monitor (window, place.x + place.width / 2, place.y + place.height / 2, &monitor);
      fit (&place, &monitor);
      gtk_window_set_default_size (window, place.width, place.height);
    }
  else if (find_room (window, &place))
    gtk_window_set_default_size (window, place.width, -1);
  else
    return;
  gtk_window_move (window, place.x, place.y);
}
