/* The plug-in of GIMP 3: registers a procedure for each filter, and runs it in its three run modes.
 * The procedures are for scripts, and open the designer. */
#include "arguments.h"
#include "designer.h"
#include "effect.h"
#include "filters.h"
#include "translations.h"
#include "trial.h"
#include "undo-freeze.h"

#include <glib/gi18n-lib.h>
#include <libgimp/gimpui.h>
#include <stdlib.h>
#include <string.h>

#define TYPE_CUDA_BLUR (cuda_blur_get_type ())
G_DECLARE_FINAL_TYPE (CudaBlur, cuda_blur, CUDA, BLUR, GimpPlugIn)

struct _CudaBlur {
  GimpPlugIn parent;
};

G_DEFINE_FINAL_TYPE (CudaBlur, cuda_blur, GIMP_TYPE_PLUG_IN)

/* Running. */

/* The designer itself does what the user chose. Returns FALSE without an error if the user
 * cancelled. */
static gboolean
run_designer (GimpImage *image, GimpDrawable **drawables, GimpProcedureConfig *config,
              const FilterDescription *filter, GError **error)
{
  g_autoptr (FilterSettings) settings = arguments_get (config, filter, error);
  gboolean as_effect = TRUE; /* what GIMP's own filters begin with */

  if (! settings || ! designer_run (filter, image, drawables, settings, &as_effect, error))
    return FALSE;
  arguments_set (config, settings);
  g_object_set (config, ARGUMENTS_AS_EFFECT, as_effect, NULL);
  return TRUE;
}

/* Returns FALSE if the user cancelled. */
static gboolean
show_dialog (GimpProcedure *procedure, GimpProcedureConfig *config, const FilterDescription *filter)
{
  g_autoptr (GList) names = arguments_list_shown (filter);
  GtkWidget *dialog;
  gboolean confirmed;

  gimp_ui_init (filter->name);
  dialog = gimp_procedure_dialog_new (procedure, config, _ (filter->title));
  gimp_procedure_dialog_fill_list (GIMP_PROCEDURE_DIALOG (dialog), names);
  confirmed = gimp_procedure_dialog_run (GIMP_PROCEDURE_DIALOG (dialog));
  gtk_widget_destroy (dialog);
  return confirmed;
}

static GimpPDBStatusType
get_return_status (const GError *error)
{
  if (! error)
    return GIMP_PDB_SUCCESS;
  return g_error_matches (error, FX_ERROR, FX_ERROR_ARGUMENT) ? GIMP_PDB_CALLING_ERROR
                                                              : GIMP_PDB_EXECUTION_ERROR;
}

static gboolean
run_filter (GimpImage *image, GimpDrawable **drawables, GimpProcedureConfig *config,
            const FilterDescription *filter, GError **error)
{
  g_autoptr (FilterSettings) settings = arguments_get (config, filter, error);
  g_autoptr (GimpDrawable) map = NULL;
  gboolean as_effect = FALSE;

  if (filter->map.label)
    g_object_get (config, ARGUMENTS_MAP, &map, NULL);
  else
    g_object_get (config, ARGUMENTS_AS_EFFECT, &as_effect, NULL);
  return settings && effect_apply (image, drawables, map, settings, as_effect, error);
}

static GimpValueArray *
run_procedure (GimpProcedure *procedure, GimpRunMode mode, GimpImage *image,
               GimpDrawable **drawables, GimpProcedureConfig *config, gpointer data)
{
  const FilterDescription *filter = data;
  GError *error = NULL;
  gboolean done;

  /* GIMP's message for a call that fails is part of our own error. */
  gimp_plug_in_set_pdb_error_handler (gimp_get_plug_in (), GIMP_PDB_ERROR_HANDLER_PLUGIN);
  undo_repair (image);
  if (mode == GIMP_RUN_INTERACTIVE && drawables[0] && filter_find_matrix (filter) >= 0)
    done = run_designer (image, drawables, config, filter, &error);
  else
    done = (mode != GIMP_RUN_INTERACTIVE || show_dialog (procedure, config, filter)) &&
           run_filter (image, drawables, config, filter, &error);
  if (! done && ! error)
    return gimp_procedure_new_return_values (procedure, GIMP_PDB_CANCEL, NULL);
  return gimp_procedure_new_return_values (procedure, get_return_status (error), error);
}

/* Registration. */

/* The pages lie beside the program. GIMP shows those of a procedure's name. */
static void
set_help (GimpPlugIn *plug_in)
{
  g_autofree char *folder = g_path_get_dirname (gimp_get_progname ());
  g_autoptr (GFile) help = g_file_new_build_filename (folder, "help", NULL);

  gimp_plug_in_set_help_domain (plug_in, filters[0]->title, help);
}

static GList *
query_procedures (GimpPlugIn *plug_in)
{
  GList *names = NULL;

  set_help (plug_in);
  for (int i = 0; filters[i]; i++)
    names = g_list_append (names, g_strdup (filters[i]->procedure));
  return names;
}

/* GIMP's search finds a procedure that has a label beside the operation of that name, in whose
 * dialog a matrix is a line of text: the designer alone gets a label, and another one. */
static void
set_menu (GimpProcedure *procedure, const FilterDescription *filter)
{
  if (filter_find_matrix (filter) < 0)
    return;
  gimp_procedure_set_menu_label (procedure, _ ("Matri_x Designer (CUDA)..."));
  gimp_procedure_add_menu_path (procedure, filter->menu_path);
}

static GimpProcedure *
create_procedure (GimpPlugIn *plug_in, const gchar *name)
{
  const FilterDescription *filter = filters_find (name);
  GimpProcedure *procedure = gimp_image_procedure_new (plug_in, name, GIMP_PDB_PROC_TYPE_PLUGIN,
                                                       run_procedure, (gpointer) filter, NULL);

  gimp_procedure_set_image_types (procedure, FILTERS_TYPES ", INDEXED*"); /* for an effect */
  gimp_procedure_set_sensitivity_mask (procedure, GIMP_PROCEDURE_SENSITIVE_DRAWABLE |
                                                    GIMP_PROCEDURE_SENSITIVE_DRAWABLES);
  gimp_procedure_set_documentation (procedure, _ (filter->blurb), filter->help, name);
  gimp_procedure_set_attribution (procedure, FILTERS_AUTHORS, FILTERS_LICENSE, FILTERS_YEAR);
  set_menu (procedure, filter);
  arguments_add (procedure, filter);
  return procedure;
}

/* The translations lie where the operations look for them, too; GIMP would look beside the plug-in
 * alone. */
static gboolean
set_i18n (GimpPlugIn *plug_in, const gchar *name, gchar **domain, gchar **folder)
{
  fx_translations_bind ();
  return FALSE;
}

static void
cuda_blur_class_init (CudaBlurClass *class)
{
  GimpPlugInClass *plug_in_class = GIMP_PLUG_IN_CLASS (class);

  plug_in_class->query_procedures = query_procedures;
  plug_in_class->create_procedure = create_procedure;
  plug_in_class->set_i18n = set_i18n;
}

static void
cuda_blur_init (CudaBlur *cuda_blur)
{
}

/* setup.sh asks for the devices, if there is no command to ask. */
int
main (int argc, char **argv)
{
  if (argc != 2 || strcmp (argv[1], "--devices") != 0)
    return gimp_main (TYPE_CUDA_BLUR, argc, argv);
  trial_print_devices ();
  return EXIT_SUCCESS;
}
