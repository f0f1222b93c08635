#include "screen.h"

#include <X11/Xlib.h>
#include <X11/Xutil.h>

static gboolean
is_within (Display *display, const FxRect *rect)
{
  int screen = DefaultScreen (display);

  return rect->width > 0 && rect->height > 0 && rect->x >= 0 && rect->y >= 0 &&
         rect->x + rect->width <= DisplayWidth (display, screen) &&
         rect->y + rect->height <= DisplayHeight (display, screen);
}

static guint8 *
convert (XImage *image)
{
  guint8 *pixels = g_malloc_n ((gsize) image->width * image->height, 3), *pixel = pixels;

  for (int y = 0; y < image->height; y++)
    for (int x = 0; x < image->width; x++, pixel += 3)
      {
        unsigned long colour = XGetPixel (image, x, y);

        pixel[0] = colour >> 16 & 255;
        pixel[1] = colour >> 8 & 255;
        pixel[2] = colour & 255;
      }
  return pixels;
}

guint8 *
screen_grab (const FxRect *rect)
{
  Display *display = XOpenDisplay (NULL);
  guint8 *pixels = NULL;
  XImage *image = NULL;

  if (display && is_within (display, rect))
    image = XGetImage (display, DefaultRootWindow (display), rect->x, rect->y, rect->width,
                       rect->height, AllPlanes, ZPixmap);
  if (image && image->red_mask == 0xff0000 && image->green_mask == 0xff00 &&
      image->blue_mask == 0xff)
    pixels = convert (image);
  if (image)
    XDestroyImage (image);
  if (display)
    XCloseDisplay (display);
  return pixels;
}

gboolean
screen_measure_window (gulong window, ScreenWindow *size)
{
  Display *display = XOpenDisplay (NULL);
  XWindowAttributes attributes;
  XSizeHints hints = { 0 };
  long supplied;
  gboolean found;

  if (! display)
    return FALSE;
  found = XGetWindowAttributes (display, window, &attributes) &&
          XGetWMNormalHints (display, window, &hints, &supplied) && hints.flags & PMinSize;
  if (found)
    *size = (ScreenWindow) { attributes.width, attributes.height, hints.min_width,
                             hints.min_height };
  XCloseDisplay (display);
  return found;
}

gboolean
screen_close_window (gulong window)
{
  Display *display = XOpenDisplay (NULL);
  XEvent event = { .xclient = { .type = ClientMessage, .window = window, .format = 32 } };

  if (! display)
    return FALSE;
  event.xclient.message_type = XInternAtom (display, "WM_PROTOCOLS", False);
  event.xclient.data.l[0] = XInternAtom (display, "WM_DELETE_WINDOW", False);
  event.xclient.data.l[1] = CurrentTime;
  XSendEvent (display, window, False, NoEventMask, &event);
  XCloseDisplay (display); /* after what is sent has gone out */
  return TRUE;
}
