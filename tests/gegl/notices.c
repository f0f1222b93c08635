#include "notices.h"

static void
count (int *told)
{
  ++*told;
}

void
notices_count (GeglNode *node, const char *property, int *told)
{
  g_autofree char *signal = g_strconcat ("notify::", property, NULL);

  g_signal_connect_swapped (node, signal, G_CALLBACK (count), told);
}

void
notices_check_step (GeglNode *node, const char *property, int set, int kept)
{
  int value, told = 0;

  gegl_node_set (node, property, set, NULL);
  gegl_node_get (node, property, &value, NULL);
  g_assert_cmpint (value, ==, kept);
  notices_count (node, property, &told);
  while (g_main_context_iteration (NULL, FALSE))
    continue;
  g_signal_handlers_disconnect_by_data (node, &told);
  g_assert_cmpint (told, ==, set != kept);
}
