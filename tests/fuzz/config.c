/* The environment's values for memory, devices and times: the input is the value of each variable
 * in turn, and is accepted exactly if config.h says so, with the meaning given there. */
#include "fuzz.h"

#include "config.h"
#include "threads.h"

#include <stdio.h>
#include <stdlib.h>

#define LONGEST 64

static const char *const names[] = { "CUDA_BLUR_MEMORY_LIMIT", "CUDA_BLUR_DEVICE",
                                     "CUDA_BLUR_IDLE_SECONDS", "OMP_NUM_THREADS" };
static char variables[G_N_ELEMENTS (names)][LONGEST * 2];

/* In place: setenv keeps every value there ever was. */
static void
set_variables (const char *const *values)
{
  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    {
      snprintf (variables[i], sizeof variables[i], "%s=%s", names[i], values[i]);
      putenv (variables[i]);
    }
}

/* Digits, then maybe a unit, that make 1 to G_MAXSIZE; 0: they do not. */
static gsize
get_limit (const char *text)
{
  gsize digits = strspn (text, "0123456789"), i;
  unsigned __int128 number = 0;
  const char *unit = text[digits] ? strchr ("KMGkmg", text[digits]) : "";

  if (digits == 0 || ! unit || (text[digits] && text[digits + 1]))
    return 0;
  for (i = 0; i < digits && number <= G_MAXSIZE; i++)
    number = number * 10 + (unsigned) (text[i] - '0');
  if (*unit && number <= G_MAXSIZE)
    number <<= 10 * (strchr ("KMG", g_ascii_toupper (*unit)) - "KMG" + 1);
  return number <= G_MAXSIZE ? (gsize) number : 0;
}

static void
check_limit (const char *text)
{
  g_auto (FxConfig) config = { 0 };
  g_autoptr (GError) error = NULL;
  gboolean taken;

  set_variables ((const char *const[]) { text, "", "", "" });
  taken = fx_config_init (&config, FX_DEVICE_AUTO, &error);
  g_assert_true (taken == ! error);
  if (! *text)
    g_assert_true (taken && config.memory_limit == G_MAXSIZE);
  else if (taken)
    g_assert_cmpuint (config.memory_limit, ==, get_limit (text));
  else
    g_assert_cmpuint (get_limit (text), ==, 0);
}

static void
check_device (const char *text)
{
  g_auto (FxConfig) config = { 0 };
  g_autoptr (GError) error = NULL;

  set_variables ((const char *const[]) { "", text, "", "" });
  if (fx_config_init (&config, FX_DEVICE_AUTO, &error))
    g_assert_true (config.device <= FX_DEVICE_CPU && ! error);
  else
    g_assert_nonnull (error);
}

static void
check_numbers (const char *text)
{
  set_variables ((const char *const[]) { "", "", text, text });
  g_assert_cmpint (fx_config_get_idle_seconds (), >, 0);
  g_assert_cmpint (fx_config_get_idle_seconds (), <=, G_MAXINT / 1000); /* as milliseconds, too */
  g_assert_cmpint (fx_threads_get_default (), >=, 1);
}

int
LLVMFuzzerTestOneInput (const guint8 *data, size_t size)
{
  char text[LONGEST + 1] = "";

  memcpy (text, data, MIN (size, LONGEST));
  check_limit (text);
  check_device (text);
  check_numbers (text);
  return 0;
}
