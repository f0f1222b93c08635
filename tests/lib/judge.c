#include "judge.h"

#include <string.h>

#define DOMAIN "cuda-blur" /* of the engine and the plug-in */

/* Prints a warning. GLib's own handler would print a TAP line that ends all tests, even if the
 * current test allows the warning. */
static void
print (const char *domain, GLogLevelFlags level, const char *message, gpointer data)
{
  g_printerr ("%s-WARNING **: %s\n", domain, message);
}

void
judge_start (void)
{
  g_setenv ("CUDA_BLUR_WARN", "1", TRUE);
  g_log_set_handler (DOMAIN, G_LOG_LEVEL_WARNING | G_LOG_FLAG_FATAL, print, NULL);
}

static gboolean
is_fatal (const char *domain, GLogLevelFlags level, const char *message, gpointer data)
{
  return g_strcmp0 (domain, DOMAIN) != 0 || ! strstr (message, "so another one does its work: ");
}

/* GLib resets the handler before the next test. */
void
judge_allow_failures (void)
{
  g_test_log_set_fatal_handler (is_fatal, NULL);
}
