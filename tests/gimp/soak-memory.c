#include "soak-memory.h"

#include <malloc.h>
#include <stdlib.h>
#include <unistd.h>

#include "processes.h"
#include "watch.h"

/* kB from the start to the end. GEGL, babl and allocators keep some of what large images have
 * taken: less than one of the largest. */
#define RESIDENT_GROWTH_MAX (32 << 10)
#define GIMP_GROWTH_MAX     (256 << 10)
#define GIMP_GROWTH_A_CALL  16 /* it keeps some 7 of each image made and deleted */
#define OWN_GROWTH_MAX      (256 << 10)

/* The first line that a command prints, as a number; -1 where there is no such command. */
static int
ask (const char *command)
{
  g_autofree char *text = NULL;

  if (! g_spawn_command_line_sync (command, &text, NULL, NULL, NULL) || ! g_ascii_isdigit (*text))
    return -1;
  return atoi (text);
}

static int
get_device_memory (void)
{
  static const char *const programs[] = { "nvidia-smi", "/usr/local/nvidia/bin/nvidia-smi" };
  int memory = -1;

  for (guint i = 0; memory < 0 && i < G_N_ELEMENTS (programs); i++)
    {
      g_autofree char *command = g_strconcat (
        programs[i], " --id=0 --query-gpu=memory.used --format=csv,noheader,nounits", NULL);

      memory = ask (command);
    }
  return memory;
}

SoakMemory
soak_memory_get (void)
{
  malloc_trim (0); /* what this process itself could give back does not count */
  return (SoakMemory) { .resident = process_get_use (need_resident ()).memory,
                        .gimp = process_get_use (getppid ()).memory,
                        .own = process_get_use (getpid ()).memory,
                        .device = get_device_memory () };
}

char *
soak_memory_describe (const SoakMemory *memory)
{
  g_autofree char *device = memory->device < 0 ? g_strdup ("no GPU")
                                               : g_strdup_printf ("GPU %d MB", memory->device);

  return g_strdup_printf ("resident process %d kB, GIMP %d kB, operations' process %d kB, %s",
                          memory->resident, memory->gimp, memory->own, device);
}

static char *
growth_problem (const char *who, int start, int end, int most)
{
  if (end <= start + most)
    return NULL;
  return g_strdup_printf ("%s has grown from %d to %d kB, by more than %d", who, start, end, most);
}

char *
soak_memory_problem (const SoakMemory *start, const SoakMemory *end, int calls)
{
  char *problem = growth_problem ("the resident process", start->resident, end->resident,
                                  RESIDENT_GROWTH_MAX);

  if (! problem)
    problem = growth_problem ("GIMP", start->gimp, end->gimp,
                              GIMP_GROWTH_MAX + calls * GIMP_GROWTH_A_CALL);
  if (! problem)
    problem = growth_problem ("the operations' process", start->own, end->own, OWN_GROWTH_MAX);
  return problem;
}
