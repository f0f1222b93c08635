#define _DEFAULT_SOURCE /* for MAP_NORESERVE */

#include "fibers.h"

#include <sys/mman.h>
#include <ucontext.h>

#if defined __SANITIZE_THREAD__
#include <sanitizer/tsan_interface.h>
#endif
#if defined __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#else
#define ASAN_UNPOISON_MEMORY_REGION(place, size)            ((void) (place), (void) (size))
#define __sanitizer_start_switch_fiber(save, bottom, size)  ((void) (save))
#define __sanitizer_finish_switch_fiber(save, bottom, size) ((void) (save))
#endif
#if ! defined __SANITIZE_THREAD__
#define __tsan_get_current_fiber()           NULL
#define __tsan_create_fiber(flags)           NULL
#define __tsan_destroy_fiber(fiber)          ((void) (fiber))
#define __tsan_switch_to_fiber(fiber, flags) ((void) (fiber))
#endif

#define STACK ((gsize) 256 << 10)

/* The place where a fiber continues: the state that __builtin_setjmp saves. */
typedef void *Place[5];

typedef struct {
  Place place;
  char *stack;
  void *known; /* for ThreadSanitizer */
  gboolean started, ended;
} Fiber;

struct Fibers {
  Fiber *fibers;
  int n;
  char *stacks; /* of all fibers */
  Fiber *current;
  Place scheduler;
  const void *scheduler_stack; /* for AddressSanitizer */
  gsize scheduler_size;
  void *scheduler_known; /* for ThreadSanitizer */
  void (*body) (gpointer data);
  gpointer data;
};

static __thread Fibers *running;

/* Maps the stacks instead of allocating them. If malloc fills new memory, as in meson's tests, that
 * would take longer than most launches. */
Fibers *
fibers_new (int n)
{
  Fibers *fibers = g_new0 (Fibers, 1);

  fibers->fibers = g_new0 (Fiber, n);
  fibers->n = n;
  fibers->stacks = mmap (NULL, n * STACK, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  g_assert (fibers->stacks != MAP_FAILED);
  ASAN_UNPOISON_MEMORY_REGION (fibers->stacks, n * STACK); /* other memory may have been there */
  for (int i = 0; i < n; i++)
    {
      fibers->fibers[i].stack = fibers->stacks + i * STACK;
      fibers->fibers[i].known = __tsan_create_fiber (0);
    }
  return fibers;
}

void
fibers_free (Fibers *fibers)
{
  for (int i = 0; i < fibers->n; i++)
    __tsan_destroy_fiber (fibers->fibers[i].known);
  munmap (fibers->stacks, fibers->n * STACK);
  g_free (fibers->fibers);
  g_free (fibers);
}

/* Neither function may be inlined: a jump to a __builtin_setjmp in the same function does not
 * work. */
#define JUMPS __attribute__ ((noinline, no_sanitize_address, no_sanitize_thread))

static void JUMPS
go (Place to)
{
  __builtin_longjmp (to, 1);
}

/* Switches the registers only. swapcontext would also call the kernel twice for the signal mask;
 * and before a jump that it intercepts, AddressSanitizer discards its knowledge of the stack. */
static void JUMPS
change (Place from, Place to)
{
  if (__builtin_setjmp (from) == 0)
    go (to);
}

/* Returns to the scheduler, until it resumes the fiber. fake_stack is NULL if the fiber's stack is
 * no longer needed. */
static void
leave (Fibers *fibers, void **fake_stack)
{
  __sanitizer_start_switch_fiber (fake_stack, fibers->scheduler_stack, fibers->scheduler_size);
  __tsan_switch_to_fiber (fibers->scheduler_known, 0);
  change (fibers->current->place, fibers->scheduler);
  __sanitizer_finish_switch_fiber (fake_stack ? *fake_stack : NULL, &fibers->scheduler_stack,
                                   &fibers->scheduler_size);
}

/* The main function of a fiber, which runs one body after the other. */
static void
live (void)
{
  Fibers *fibers = running;

  __sanitizer_finish_switch_fiber (NULL, &fibers->scheduler_stack, &fibers->scheduler_size);
  for (;;)
    {
      fibers->body (fibers->data);
      fibers->current->ended = TRUE;
      leave (fibers, NULL);
    }
}

void
fibers_wait (void)
{
  void *fake_stack = NULL;

  leave (running, &fake_stack);
}

static void JUMPS
start (Fiber *fiber, Place from)
{
  ucontext_t context;

  getcontext (&context);
  context.uc_stack.ss_sp = fiber->stack;
  context.uc_stack.ss_size = STACK;
  makecontext (&context, live, 0);
  fiber->started = TRUE;
  if (__builtin_setjmp (from) == 0)
    setcontext (&context);
}

static void
resume (Fibers *fibers, Fiber *fiber)
{
  void *fake_stack = NULL;

  fibers->current = fiber;
  __sanitizer_start_switch_fiber (&fake_stack, fiber->stack, STACK);
  __tsan_switch_to_fiber (fiber->known, 0);
  if (fiber->started)
    change (fibers->scheduler, fiber->place);
  else
    start (fiber, fibers->scheduler);
  __sanitizer_finish_switch_fiber (fake_stack, NULL, NULL);
}

void
fibers_run (Fibers *fibers, int n, void (*enter) (gpointer data, int i),
            void (*body) (gpointer data), gpointer data)
{
  gboolean forwards = TRUE;
  int ended = 0, i;

  g_assert (n <= fibers->n);
  running = fibers;
  fibers->scheduler_known = __tsan_get_current_fiber ();
  fibers->body = body;
  fibers->data = data;
  for (i = 0; i < n; i++)
    fibers->fibers[i].ended = FALSE;
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
