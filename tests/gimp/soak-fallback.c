#include "soak-fallback.h"

#include "watch.h"

#define TRACE   "cuda-blur: fallback "
#define BEFORE  " bytes  " /* the reason, in that line */
#define WARNING "cuda-blur-WARNING"

struct SoakFallbacks {
  GHashTable *reasons; /* from a reason to how often it was given */
  int count;
};

SoakFallbacks *
soak_fallbacks_new (void)
{
  SoakFallbacks *fallbacks = g_new0 (SoakFallbacks, 1);

  fallbacks->reasons = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  return fallbacks;
}

void
soak_fallbacks_free (SoakFallbacks *fallbacks)
{
  g_hash_table_unref (fallbacks->reasons);
  g_free (fallbacks);
}

/* The automatic device is free to. */
static gboolean
is_choice (const char *reason)
{
  return g_str_equal (reason, "The CPU is faster for this") ||
         g_str_equal (reason, "The CPU finishes before the GPU would be ready");
}

static void
add (SoakFallbacks *fallbacks, const char *reason)
{
  int count = GPOINTER_TO_INT (g_hash_table_lookup (fallbacks->reasons, reason));

  g_hash_table_insert (fallbacks->reasons, g_strdup (reason), GINT_TO_POINTER (count + 1));
  fallbacks->count++;
}

char *
soak_fallbacks_take (SoakFallbacks *fallbacks, gboolean allowed)
{
  g_autofree char *text = read_log ();
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  const char *wrong = NULL;

  for (int i = 0; lines[i]; i++)
    {
      const char *line = strstr (lines[i], TRACE), *reason = line ? strstr (line, BEFORE) : NULL;

      if (reason)
        add (fallbacks, reason + strlen (BEFORE));
      if (reason && ! is_choice (reason + strlen (BEFORE)) && subject_on_gpu (FX_DEVICE_GPU))
        wrong = reason + strlen (BEFORE);
      else if (! wrong && strstr (lines[i], WARNING))
        wrong = lines[i];
    }
  return wrong && ! allowed ? g_strdup_printf ("not by the GPU: %s", wrong) : NULL;
}

void
soak_fallbacks_note (const SoakFallbacks *fallbacks)
{
  g_autoptr (GList) reasons = g_hash_table_get_keys (fallbacks->reasons);

  reasons = g_list_sort (reasons, (GCompareFunc) strcmp);
  note ("soak: %d times it was the CPU that might have been the GPU", fallbacks->count);
  for (GList *each = reasons; each; each = each->next)
    note ("soak: %d times: %s",
          GPOINTER_TO_INT (g_hash_table_lookup (fallbacks->reasons, each->data)),
          (const char *) each->data);
}
