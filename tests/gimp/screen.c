/* What the tests in a window ask of the X server:
 *
 *   grab X Y WIDTH HEIGHT  prints that part of the screen, 3 bytes a pixel
 *   measure WINDOW         prints its width and height, and the least ones that, by its own word,
 *                          show all that is in it
 *   close WINDOW           asks it to close, as a window manager does for its close button
 *
 * Exit status 1: there is no such part or window. */
#include <X11/Xlib.h>
#include <X11/Xutil.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int
is_within (Display *display, const int rect[4])
{
  int screen = DefaultScreen (display);

  return rect[2] > 0 && rect[3] > 0 && rect[0] >= 0 && rect[1] >= 0 &&
         rect[0] + rect[2] <= DisplayWidth (display, screen) &&
         rect[1] + rect[3] <= DisplayHeight (display, screen);
}

static int
grab (Display *display, const int rect[4])
{
  XImage *image;

  if (! is_within (display, rect))
    return 1;
  image = XGetImage (display, DefaultRootWindow (display), rect[0], rect[1], (unsigned) rect[2],
                     (unsigned) rect[3], AllPlanes, ZPixmap);
  if (! image || image->red_mask != 0xff0000 || image->green_mask != 0xff00 ||
      image->blue_mask != 0xff)
    return 1;
  for (int y = 0; y < rect[3]; y++)
    for (int x = 0; x < rect[2]; x++)
      {
        unsigned long colour = XGetPixel (image, x, y);

        putchar (colour >> 16 & 255);
        putchar (colour >> 8 & 255);
        putchar (colour & 255);
      }
  XDestroyImage (image);
  return 0;
}

static int
measure (Display *display, Window window)
{
  XWindowAttributes attributes;
  XSizeHints hints = { 0 };
  long supplied;

  if (! XGetWindowAttributes (display, window, &attributes) ||
      ! XGetWMNormalHints (display, window, &hints, &supplied) || ! (hints.flags & PMinSize))
    return 1;
  printf ("%d %d %d %d\n", attributes.width, attributes.height, hints.min_width, hints.min_height);
  return 0;
}

static int
close_window (Display *display, Window window)
{
  XEvent event = { .xclient = { .type = ClientMessage, .window = window, .format = 32 } };

  event.xclient.message_type = XInternAtom (display, "WM_PROTOCOLS", False);
  event.xclient.data.l[0] = (long) XInternAtom (display, "WM_DELETE_WINDOW", False);
  event.xclient.data.l[1] = CurrentTime;
  return ! XSendEvent (display, window, False, NoEventMask, &event);
}

int
main (int argc, char **argv)
{
  Display *display = XOpenDisplay (NULL);
  int numbers[4] = { 0 }, status = 2;

  for (int i = 0; i < 4 && i + 2 < argc; i++)
    numbers[i] = atoi (argv[i + 2]);
  if (! display || argc < 3)
    return 2;
  if (strcmp (argv[1], "grab") == 0)
    status = grab (display, numbers);
  else if (strcmp (argv[1], "measure") == 0)
    status = measure (display, strtoul (argv[2], NULL, 0));
  else if (strcmp (argv[1], "close") == 0)
    status = close_window (display, strtoul (argv[2], NULL, 0));
  XCloseDisplay (display); /* after what is sent has gone out */
  return status;
}
