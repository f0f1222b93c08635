/* Times as people read them. */
#include "duration.h"
#include "test.h"

TEST (test_durations, "/duration/digits")
{
  static const struct {
    double milliseconds;
    const char *text;
  } cases[] = {
    { 0.0, "0.0 ms" },   { 0.26, "0.3 ms" },  { 9.94, "9.9 ms" },  { 9.96, "10 ms" },
    { 499.6, "500 ms" }, { 999.4, "999 ms" }, { 999.6, "1.0 s" },  { 3210.0, "3.2 s" },
    { 9949.0, "9.9 s" }, { 9951.0, "10 s" },  { 12345.0, "12 s" }, { 3.6e6, "3600 s" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *text = fx_print_duration (cases[i].milliseconds);

      g_assert_cmpstr (text, ==, cases[i].text);
    }
}

int
main (int argc, char **argv)
{
  seed_test_init (&argc, &argv);
  return g_test_run ();
}
