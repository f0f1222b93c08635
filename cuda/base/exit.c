#include "exit.h"

#include <stdlib.h>

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
