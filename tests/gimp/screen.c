/* What the tests in a window ask of the X server:
 *
 *   measure WINDOW  prints its width and height, and the least ones that, by its own word, show all
 *                   that is in it
 *   close WINDOW    asks it to close, as a window manager does for its close button
 *
 * Exit status 1: there is no such window. */
#include <X11/Xlib.h>
#include <X11/Xutil.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
  Window window = argc > 2 ? strtoul (argv[2], NULL, 0) : None;
  Display *display = XOpenDisplay (NULL);
  int status = 2;

  if (! display || window == None)
    return 2;
  if (strcmp (argv[1], "measure") == 0)
    status = measure (display, window);
  else if (strcmp (argv[1], "close") == 0)
    status = close_window (display, window);
  XCloseDisplay (display); /* after what is sent has gone out */
  return status;
}
