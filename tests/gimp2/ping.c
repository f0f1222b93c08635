/* Plays the window manager's part: ping WINDOW [PROTOCOL]
 *
 * A client answers a _NET_WM_PING when it has dealt with all events that it was sent before. It is
 * sent that, or a message of the protocol, such as WM_DELETE_WINDOW. Exit status 0: it has
 * answered, or the window is not to be seen any more; 1: neither within a minute. */
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
tell (Display *display, Window window, const char *protocol)
{
  XEvent event = { .xclient = { .type = ClientMessage, .window = window, .format = 32 } };

  event.xclient.message_type = XInternAtom (display, "WM_PROTOCOLS", False);
  event.xclient.data.l[0] = (long) XInternAtom (display, protocol, False);
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
  tell (display, window, argc > 2 ? argv[2] : "_NET_WM_PING");
  return ! wait_for (display, window);
}
