#include "soak-memory.h"

#include <malloc.h>

#include "processes.h"
#include "watch.h"

/* kB from the start to the end. GEGL, babl and allocators keep some of what large images have
 * taken: less than one of the largest. */
#define RESIDENT_GROWTH_MAX (32 << 10)
#define GIMP_GROWTH_MAX     (256 << 10)
#define GIMP_GROWTH_SQUARE  0.00075 /* for the square of the images made and deleted */
#define OWN_GROWTH_MAX      (256 << 10)
#define TABLE_MAX           (256 << 10)

/* The first line that a command prints, as a number; -1 if there is no such command. */
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

/* The memory that GIMP 2.10 loses with that many images. When the soak's images were made and
 * deleted without a single call, its memory went from 60 MB to 130 after 10,000 images, to 316
 * after 20,000, to 615 after 30,000, to 1,013 after 40,000 and to 1,827 after 55,000: 0.0006 to
 * 0.0007 kB times their square. */
static int
get_images_growth (int images)
{
  return (int) (GIMP_GROWTH_SQUARE * images * images);
}

/* GIMP and this process write into one log, and babl writes there (BABL_LUT_INFO) which conversion
 * it meets so often that it makes a table of all colours for it: by its own measurement of the
 * machine, so that one run has a table and another has none. After five minutes without use it
 * frees the table. */
static int
count_tables (void)
{
  g_autofree char *path = g_build_filename (get_folder (), "log", NULL), *text = NULL;
  int count = 0;
  const char *at;

  if (! g_file_get_contents (path, &text, NULL, NULL))
    return 0;
  for (at = text; (at = strstr (at, "generating LUT for ")); at++)
    count++;
  return count;
}

SoakMemory
soak_memory_get (void)
{
  malloc_trim (0); /* what this process itself could give back does not count */
  return (SoakMemory) { .resident = process_get_use (need_resident ()).memory,
                        .gimp = process_get_use (getppid ()).memory,
                        .own = process_get_use (getpid ()).memory,
                        .device = get_device_memory (),
                        .tables = count_tables () };
}

char *
soak_memory_describe (const SoakMemory *memory)
{
  g_autofree char *device = memory->device < 0 ? g_strdup ("no GPU")
                                               : g_strdup_printf ("GPU %d MB", memory->device);

  return g_strdup_printf ("resident process %d kB, GIMP %d kB, operations' process %d kB, %s, "
                          "babl's tables %d",
                          memory->resident, memory->gimp, memory->own, device, memory->tables);
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
  int tables = (end->tables - start->tables) * TABLE_MAX;
  char *problem = growth_problem ("the resident process", start->resident, end->resident,
                                  RESIDENT_GROWTH_MAX);

  problem = problem
              ?: growth_problem ("GIMP", start->gimp, end->gimp,
                                 GIMP_GROWTH_MAX + get_images_growth (calls) + tables);
  problem = problem
              ?: growth_problem ("the operations' process", start->own, end->own,
                                 OWN_GROWTH_MAX + tables);
  return problem;
}
