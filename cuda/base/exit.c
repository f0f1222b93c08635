#define _GNU_SOURCE /* gettid */

#include "exit.h"

#include <stdlib.h>
#include <unistd.h>

/* What C++ compilers call for a destructor of one of the thread's objects, as the Itanium C++ ABI
 * has it. musl has no such function: the pointer is NULL there. */
/* NOLINTBEGIN(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp) */
extern int __cxa_thread_atexit_impl (void (*destructor) (void *), void *object, void *library)
  __attribute__ ((weak));
extern void *__dso_handle;
/* NOLINTEND(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp) */

static void (*exit_handler) (void);

void
fx_exit_set_handler (void (*handler) (void))
{
  exit_handler = handler;
  atexit (handler);
}

void
fx_exit_renew_handler (void)
{
  if (exit_handler)
    atexit (exit_handler);
}

static void
end_main_thread (void *data)
{
  exit_handler ();
}

void
fx_exit_note_thread (void)
{
  static _Thread_local gboolean noted;

  if (noted || ! __cxa_thread_atexit_impl || gettid () != getpid ())
    return;
  noted = __cxa_thread_atexit_impl (end_main_thread, NULL, &__dso_handle) == 0;
}
