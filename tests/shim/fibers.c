#define _DEFAULT_SOURCE /* MAP_NORESERVE */

#include "fibers.h"

#include <sys/mman.h>
#include <ucontext.h>

#if defined __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#else
#define ASAN_UNPOISON_MEMORY_REGION(place, size)            ((void) (place), (void) (size))
#define __sanitizer_start_switch_fiber(save, bottom, size)  ((void) (save))
#define __sanitizer_finish_switch_fiber(save, bottom, size) ((void) (save))
#endif

#define STACK ((gsize) 256 << 10)

typedef struct {
  ucontext_t context;
  char *stack;
  gboolean ended;
} Fiber;

struct Fibers {
  Fiber *fibers;
  int n;
  char *stacks; /* of all */
  Fiber *current;
  ucontext_t scheduler;
  const void *scheduler_stack; /* AddressSanitizer's */
  gsize scheduler_size;
  void (*body) (gpointer data);
  gpointer data;
};

static __thread Fibers *running;

/* The stacks are mapped, not allocated: where malloc fills what it gives, as meson's tests have it, that
 * would cost more than what most launches do. */
Fibers *
fibers_new (int n)
{
  Fibers *fibers = g_new0 (Fibers, 1);
  int i;

  fibers->fibers = g_new0 (Fiber, n);
  fibers->n = n;
  fibers->stacks = mmap (NULL, n * STACK, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  g_assert (fibers->stacks != MAP_FAILED);
  ASAN_UNPOISON_MEMORY_REGION (fibers->stacks, n * STACK); /* another's may have been there */
  for (i = 0; i < n; i++)
    fibers->fibers[i].stack = fibers->stacks + i * STACK;
  return fibers;
}

void
fibers_free (Fibers *fibers)
{
  munmap (fibers->stacks, fibers->n * STACK);
  g_free (fibers->fibers);
  g_free (fibers);
}

/* Back to the scheduler; fake_stack: NULL for good. */
static void
leave (Fibers *fibers, void **fake_stack)
{
  __sanitizer_start_switch_fiber (fake_stack, fibers->scheduler_stack, fibers->scheduler_size);
  swapcontext (&fibers->current->context, &fibers->scheduler);
}

static void
start (void)
{
  Fibers *fibers = running;

  __sanitizer_finish_switch_fiber (NULL, &fibers->scheduler_stack, &fibers->scheduler_size);
  fibers->body (fibers->data);
  fibers->current->ended = TRUE;
  leave (fibers, NULL);
}

void
fibers_wait (void)
{
  Fibers *fibers = running;
  void *fake_stack = NULL;

  leave (fibers, &fake_stack);
  __sanitizer_finish_switch_fiber (fake_stack, &fibers->scheduler_stack, &fibers->scheduler_size);
}

static void
resume (Fibers *fibers, Fiber *fiber)
{
  void *fake_stack = NULL;

  fibers->current = fiber;
  __sanitizer_start_switch_fiber (&fake_stack, fiber->stack, STACK);
  swapcontext (&fibers->scheduler, &fiber->context);
  __sanitizer_finish_switch_fiber (fake_stack, NULL, NULL);
}

static void
prepare (Fiber *fiber)
{
  fiber->ended = FALSE;
  getcontext (&fiber->context);
  fiber->context.uc_stack.ss_sp = fiber->stack;
  fiber->context.uc_stack.ss_size = STACK;
  makecontext (&fiber->context, start, 0);
}

void
fibers_run (Fibers *fibers, int n, void (*enter) (gpointer data, int i),
            void (*body) (gpointer data), gpointer data)
{
  gboolean forwards = TRUE;
  int ended = 0, i;

  g_assert (n <= fibers->n);
  running = fibers;
  fibers->body = body;
  fibers->data = data;
  for (i = 0; i < n; i++)
    prepare (&fibers->fibers[i]);
  for (; ended == 0; forwards = ! forwards)
    {
      for (i = 0; i < n; i++)
        {
          int at = forwards ? i : n - 1 - i;

          enter (data, at);
          resume (fibers, &fibers->fibers[at]);
          ended += fibers->fibers[at].ended;
        }
      if (ended != 0 && ended != n)
        g_error ("%d of %d threads ended while the others wait at a barrier", ended, n);
    }
  running = NULL;
}
