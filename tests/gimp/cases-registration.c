#include "cases.h"
#include "convolution.h"

/* The registration */

static const char *
type_name (GimpPDBArgType type)
{
  const char *name = NULL;

  gimp_enum_get_value (GIMP_TYPE_PDB_ARG_TYPE, type, &name, NULL, NULL, NULL);
  return name ? name : "none";
}

static char *
signature_problem (const char *procedure, const char *promised)
{
  g_autoptr (GString) found = g_string_new (NULL);
  gchar *texts[5];
  GimpPDBProcType type;
  gint n_args, n_values;
  GimpParamDef *args, *values;

  if (! gimp_procedural_db_proc_info (procedure, &texts[0], &texts[1], &texts[2], &texts[3],
                                      &texts[4], &type, &n_args, &n_values, &args, &values))
    return g_strdup_printf ("%s is not registered", procedure);
  for (int i = 0; i < n_args; i++)
    {
      const char *kind = type_name (args[i].type);
      const char *last = strrchr (kind, '_');

      g_string_append_printf (found, "%s:", args[i].name);
      g_string_append (found, last ? last + 1 : kind);
      g_string_append_c (found, ' ');
    }
  g_string_append_printf (found, "-> %d (%d)", n_values, type);
  if (g_ascii_strcasecmp (found->str, promised) == 0)
    return NULL;
  return g_strdup_printf ("found %s, promised %s", found->str, promised);
}

static char *
menu_problem (const char *procedure, const char *promised)
{
  gint n_values;
  GimpParam *values = gimp_run_procedure ("gimp-plugins-query", &n_values, GIMP_PDB_STRING, "",
                                          GIMP_PDB_END);
  char *problem = g_strdup ("no menu entry");

  /* Six arrays, each after its length: menu paths the first, types the fourth, names the last. */
  for (int i = 0; n_values == 13 && i < values[11].data.d_int32; i++)
    {
      const char *path = values[2].data.d_stringarray[i];
      const char *types = values[8].data.d_stringarray[i];

      if (strcmp (values[12].data.d_stringarray[i], procedure) != 0)
        continue;
      g_clear_pointer (&problem, g_free);
      if (strcmp (path, promised) != 0 || strcmp (types, "RGB*, GRAY*") != 0)
        problem = g_strdup_printf ("at %s for %s", path, types);
    }
  gimp_destroy_params (values, n_values);
  return problem;
}

void
cases_registration (void)
{
  report (signature_problem (PROCEDURE,
                             "run-mode:INT32 image:IMAGE drawable:DRAWABLE sigma-x:FLOAT "
                             "sigma-y:FLOAT kernel-size:INT32 abyss:INT32 light:INT32 "
                             "grow:INT32 device:INT32 -> 0 (1)"),
          "the procedure has the promised signature");
  report (menu_problem (PROCEDURE, "<Image>/Filters/Blur/Gaussian Blur (CUDA)..."),
          "the menu entry is Filters > Blur > Gaussian Blur (CUDA)...");
  report (signature_problem (CONVOLVE,
                             "run-mode:INT32 image:IMAGE drawable:DRAWABLE rows:INT32 "
                             "columns:INT32 num-values:INT32 values:FLOATARRAY divisor:FLOAT "
                             "offset:FLOAT channels:INT32 alpha-weighting:INT32 abyss:INT32 "
                             "light:INT32 device:INT32 -> 0 (1)"),
          "the convolution has the promised signature");
  report (menu_problem (CONVOLVE, "<Image>/Filters/Generic/Convolution Matrix (CUDA)..."),
          "its menu entry is Filters > Generic > Convolution Matrix (CUDA)...");
}
