/* Waits until a window's client has dealt with all events that it was sent before: a ping WINDOW.
 *
 * A client answers a _NET_WM_PING of the window manager's, whose part is played here, when it comes
 * to it. Exit status 0: it has, or the window is not to be seen any more; 1: it has not within a
 * minute. */
#include <X11/Xlib.h>
#include <poll.h>
#include <stdlib.h>

#define LIMIT 60000 /* milliseconds from one event to the next */

static int
ignore (Display *display, XErrorEvent *error)
{
  return 0;
}

static int
is_seen (Display *display, Window window)
{
  XWindowAttributes attributes;

  return XGetWindowAttributes (display, window, &attributes) && attributes.map_state == IsViewable;
}

static void
ping (Display *display, Window window)
{
  XEvent event = { .xclient = { .type = ClientMessage, .window = window, .format = 32 } };

  event.xclient.message_type = XInternAtom (display, "WM_PROTOCOLS", False);
  event.xclient.data.l[0] = (long) XInternAtom (display, "_NET_WM_PING", False);
  event.xclient.data.l[1] = CurrentTime;
  event.xclient.data.l[2] = (long) window;
  XSendEvent (display, window, False, NoEventMask, &event);
}

/* The answer, or the window's end. */
static int
is_awaited (Display *display, const XEvent *event, Window window)
{
  const XClientMessageEvent *message = &event->xclient;

  if (event->type == UnmapNotify)
    return event->xunmap.window == window;
  if (event->type == DestroyNotify)
    return event->xdestroywindow.window == window;
  return event->type == ClientMessage && (Window) message->data.l[2] == window &&
         (Atom) message->data.l[0] == XInternAtom (display, "_NET_WM_PING", False);
}

/* Whether the awaited event came. */
static int
wait_for (Display *display, Window window)
{
  struct pollfd file = { ConnectionNumber (display), POLLIN, 0 };
  XEvent event;

  do
    while (XPending (display))
      {
        XNextEvent (display, &event);
        if (is_awaited (display, &event, window))
          return 1;
      }
  while (poll (&file, 1, LIMIT) > 0);
  return 0;
}

int
main (int argc, char **argv)
{
  Window window = argc > 1 ? strtoul (argv[1], NULL, 0) : None;
  Display *display = XOpenDisplay (NULL);

  if (! display || window == None)
    return 2;
  XSetErrorHandler (ignore);
  XSelectInput (display, DefaultRootWindow (display), SubstructureNotifyMask);
  if (! is_seen (display, window))
    return 0;
  ping (display, window);
  return ! wait_for (display, window);
}
