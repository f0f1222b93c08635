/* Linked into the dialog: it sees two monitors side by side on the screen of Xvfb, which has but
 * one. */
#include <gdk/gdk.h>

/* The linker names them so. */
gint __wrap_gdk_screen_get_monitor_at_point (GdkScreen *screen, gint x, gint y);
void __wrap_gdk_screen_get_monitor_geometry (GdkScreen *screen, gint monitor, GdkRectangle *place);

static const GdkRectangle monitors[] = { { 0, 0, 1900, 1000 }, { 1900, 0, 1000, 800 } };

gint
__wrap_gdk_screen_get_monitor_at_point (GdkScreen *screen, gint x, gint y)
{
  return x >= monitors[1].x;
}

void
__wrap_gdk_screen_get_monitor_geometry (GdkScreen *screen, gint monitor, GdkRectangle *place)
{
  *place = monitors[monitor];
}
