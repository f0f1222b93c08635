/* The plug-in: registers with GIMP, and runs in its three run modes. */
#include "apply.h"
#include "apply-target.h"
#include "dialog.h"
#include "filters.h"
#include "procedure.h"
#include "resident.h"
#include "translations.h"
#include "trial.h"
#include "undo-freeze.h"

#include <glib/gi18n-lib.h>
#include <gmodule.h>
#include <libgimp/gimp.h>
#include <locale.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* TRUE during a call in this process; libgimp does not tell quit. */
static gboolean working;

/* Returns the path of name in this binary's folder, or in the root folder if the system does not
 * name the binary. Free it. */
static char *
get_beside (const char *name)
{
  g_autofree char *binary = g_file_read_link ("/proc/self/exe", NULL);
  g_autofree char *folder = g_path_get_dirname (binary ? binary : "/");

  return g_build_filename (folder, name, NULL);
}

/* Translations. */

static void
init_translations (void)
{
  setlocale (LC_ALL, "");
  fx_translations_bind ();
  textdomain (GETTEXT_PACKAGE);
}

/* Registration. */

/* GIMP looks in this folder for LANGUAGE/gimp-help.xml, and there for the page of a help ID. If it
 * does not find the pages, it shows the domain's name. */
static void
register_help (void)
{
  g_autofree char *folder = get_beside ("help");
  g_autofree char *uri = g_filename_to_uri (folder, NULL, NULL);

  gimp_plugin_help_register (filters[0]->title, uri);
}

static void
install (const FilterDescription *filter)
{
  g_autofree GimpParamDef *args = procedure_get_args (filter);

  gimp_install_procedure (filter->procedure, filter->blurb, filter->help, FILTERS_AUTHORS,
                          FILTERS_LICENSE, FILTERS_YEAR, filter->menu_label, FILTERS_TYPES,
                          GIMP_PLUGIN, procedure_count_args (filter), 0, args, NULL);
  gimp_plugin_menu_register (filter->procedure, filter->menu_path);
}

static void
query (void)
{
  g_autofree char *locale_dir = fx_translations_get_folder ();

  gimp_plugin_domain_register (GETTEXT_PACKAGE, locale_dir);
  register_help ();
  for (int i = 0; filters[i]; i++)
    install (filters[i]);
  resident_install ();
}

/* Running. */

/* In this process, which serves one call. */
static gboolean
apply_here (gint32 drawable, gint32 map, FilterSettings *settings, GError **error)
{
  gint64 start = g_get_monotonic_time ();
  g_autoptr (FxEngine) engine = fx_engine_new ();

  return apply_filter (engine, drawable, map, settings, start, error);
}

/* Loads the dialog, and returns its function. Returns NULL with error on failure. */
static gpointer
load_dialog (GError **error)
{
  g_autofree char *path = get_beside (DIALOG_MODULE);
  GModule *module = g_module_open (path, G_MODULE_BIND_LAZY | G_MODULE_BIND_LOCAL);
  gpointer symbol = NULL;

  if (module && g_module_symbol (module, "dialog_run", &symbol))
    return symbol;
  g_set_error (error, APPLY_ERROR, APPLY_ERROR_FILE, _ ("The dialog cannot be loaded: %s"),
               g_module_error ());
  return NULL;
}

/* Returns FALSE without an error if the user cancelled. */
static gboolean
apply_interactively (gint32 drawable, gint32 map, FilterSettings *settings, GError **error)
{
  g_autoptr (FxEngine) engine = fx_engine_new ();
  typeof (dialog_run) *run_dialog = load_dialog (error);
  gint64 start;
  gboolean done;

  fx_engine_enable_warm_up (engine);
  if (! run_dialog || ! run_dialog (engine, drawable, &map, settings, error))
    return FALSE;
  start = g_get_monotonic_time ();
  procedure_keep (settings, map); /* so that they need not be entered again after a failure */
  done = apply_filter (engine, drawable, map, settings, start, error);
  gimp_displays_flush (); /* before the engine is freed, which may have to wait for a compiler */
  return done;
}

static gboolean
main_apply (GimpRunMode mode, gint32 drawable, gint32 map, FilterSettings *settings, GError **error)
{
  gboolean forwarded, done;

  if (mode == GIMP_RUN_INTERACTIVE)
    return apply_interactively (drawable, map, settings, error);
  done = resident_forward (drawable, map, settings, &forwarded, error);
  return forwarded ? done : apply_here (drawable, map, settings, error);
}

/* libgimp ends the process with exit() on these signals, without calling quit. */
static void
leave_signals_alone (void)
{
  static const int signals[] = { SIGHUP, SIGINT, SIGQUIT, SIGTERM };

  for (gsize i = 0; i < G_N_ELEMENTS (signals); i++)
    signal (signals[i], SIG_DFL);
}

/* Has libgimp convert colours for the display by lcms2. babl, which it prefers, takes seconds to
 * prepare for that, and misses some colours by far. Must be called before there are threads. */
static void
avoid_babl (void)
{
  g_setenv ("GIMP_COLOR_TRANSFORM_DISABLE_BABL", "1", TRUE);
}

static void
main_run (const gchar *name, gint n_params, const GimpParam *param, gint *n_return_vals,
          GimpParam **return_vals)
{
  static GimpParam values[2];
  static GError *error; /* must live as long as values: until the process ends */
  GimpRunMode mode = n_params > 0 ? param[PROCEDURE_ARG_RUN_MODE].data.d_int32
                                  : GIMP_RUN_NONINTERACTIVE;
  g_autoptr (FilterSettings) settings = NULL;
  gint32 drawable, map;
  gboolean done;

  leave_signals_alone ();
  avoid_babl ();
  init_translations ();
  if (strcmp (name, RESIDENT_EXTENSION) == 0)
    resident_serve ();
  working = TRUE;
  settings = procedure_parse (filters_find (name), n_params, param, &drawable, &map, &error);
  if (settings)
    undo_repair (gimp_item_get_image (drawable));
  done = settings && main_apply (mode, drawable, map, settings, &error);
  if (mode != GIMP_RUN_NONINTERACTIVE)
    gimp_displays_flush ();
  *n_return_vals = procedure_return (done, error, values);
  *return_vals = values;
  working = FALSE;
}

/* Called when the process ends, perhaps because GIMP does. An engine may still have threads in CUDA
 * or NVRTC, which would crash when exit() unloads these, so it is freed first. That is not possible
 * during a call; then nobody waits for the result any more. */
static void
quit (void)
{
  if (working || ! resident_end ())
    _exit (EXIT_FAILURE);
}

const GimpPlugInInfo PLUG_IN_INFO = { NULL, quit, query, main_run };

/* setup.sh asks for the devices, if there is no command to ask. */
int
main (int argc, char **argv)
{
  if (argc != 2 || strcmp (argv[1], "--devices") != 0)
    return gimp_main (&PLUG_IN_INFO, argc, argv);
  trial_print_devices ();
  return EXIT_SUCCESS;
}
