#include "parameters.h"

#include <glib/gi18n-lib.h>
#include <libgimp/gimp.h>
#include <libgimp/gimpui.h>
#include <math.h>

#define SLIDER_WIDTH 150 /* pixels */
#define SPIN_WIDTH   8   /* characters */
#define SLIDER_BEND  0.1 /* pixels of sigma: there the sliders turn from linear to logarithmic */
#define SLIDER_STEPS 1000.0
#define DIGITS       2 /* of sigma in pixels */

enum { SIGMA_X, SIGMA_Y, SIGMAS };

struct Parameters {
  const RenderTarget *target;
  RenderSettings settings;
  ParametersChangedFunc changed;
  gpointer data;
  gboolean quiet; /* the controls are being set */
  GtkWidget *widget;
  GtkSizeGroup *labels;
  GtkWidget *sigmas; /* a GimpSizeEntry */
  GtkAdjustment *sliders[SIGMAS];
  GtkAdjustment *kernel_size;
  GtkWidget *kernel_spin, *automatic;
  GtkWidget *abyss, *light, *device, *grow;
};

static void
tell (Parameters *parameters)
{
  if (! parameters->quiet)
    parameters->changed (parameters->data);
}

/* Sigma. */

static double
slider_from_sigma (double sigma)
{
  return SLIDER_STEPS * log1p (sigma / SLIDER_BEND) / log1p (BLUR_SIGMA_MAX / SLIDER_BEND);
}

/* Rounded to what the eye tells apart: three digits, and not finer than the entry shows. */
static double
sigma_from_slider (double value)
{
  double sigma = SLIDER_BEND * expm1 (value / SLIDER_STEPS * log1p (BLUR_SIGMA_MAX / SLIDER_BEND));
  double step = pow (10.0, MAX (-DIGITS, floor (log10 (MAX (sigma, 1.0))) - 2.0));

  return CLAMP (floor (sigma / step + 0.5) * step, 0.0, BLUR_SIGMA_MAX);
}

/* What "automatic" stands for, as a size to start from. */
static int
get_needed_size (const RenderSettings *settings)
{
  BlurParams params = settings->params;
  int x, y;

  params.kernel_size = 0;
  blur_params_get_growth (&params, &x, &y);
  return CLAMP (2 * MAX (x, y) + 1, 3, BLUR_KERNEL_SIZE_MAX);
}

static gboolean
is_automatic (const Parameters *parameters)
{
  return gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (parameters->automatic));
}

static void
update_slider (Parameters *parameters, int which, double sigma)
{
  GtkAdjustment *slider = parameters->sliders[which];

  if (sigma_from_slider (gtk_adjustment_get_value (slider)) != sigma)
    gtk_adjustment_set_value (slider, slider_from_sigma (sigma));
}

/* By hand, by a slider or through the chain. */
static void
change_sigmas (GtkWidget *entry, Parameters *parameters)
{
  BlurParams *params = &parameters->settings.params;
  double x = gimp_size_entry_get_refval (GIMP_SIZE_ENTRY (entry), SIGMA_X);
  double y = gimp_size_entry_get_refval (GIMP_SIZE_ENTRY (entry), SIGMA_Y);
  gboolean same = x == params->sigma_x && y == params->sigma_y;

  params->sigma_x = x;
  params->sigma_y = y;
  update_slider (parameters, SIGMA_X, x);
  update_slider (parameters, SIGMA_Y, y);
  if (is_automatic (parameters))
    gtk_adjustment_set_value (parameters->kernel_size, get_needed_size (&parameters->settings));
  if (! same)
    tell (parameters);
}

/* The entry's own chain follows what is typed in, but not what is set. */
static void
set_sigma (Parameters *parameters, int which, double sigma)
{
  GimpSizeEntry *sigmas = GIMP_SIZE_ENTRY (parameters->sigmas);

  parameters->quiet = TRUE;
  gimp_size_entry_set_refval (sigmas, which, sigma);
  if (gimp_chain_button_get_active (GIMP_COORDINATES_CHAINBUTTON (sigmas)))
    gimp_size_entry_set_refval (sigmas, which == SIGMA_X ? SIGMA_Y : SIGMA_X, sigma);
  parameters->quiet = FALSE;
  tell (parameters);
}

static void
move_slider (GtkAdjustment *slider, Parameters *parameters)
{
  const BlurParams *params = &parameters->settings.params;
  int which = slider == parameters->sliders[SIGMA_X] ? SIGMA_X : SIGMA_Y;
  double sigma = which == SIGMA_X ? params->sigma_x : params->sigma_y;
  double wanted = sigma_from_slider (gtk_adjustment_get_value (slider));

  /* A slider that follows the entry is where it is to be, though it may lie between two steps. */
  if (fabs (gtk_adjustment_get_value (slider) - slider_from_sigma (sigma)) > 1e-6 &&
      wanted != sigma)
    set_sigma (parameters, which, wanted);
}

/* Makes room in the entry's table: label, slider, entry, chain, unit. */
static void
arrange (GtkWidget *child, gpointer data)
{
  Parameters *parameters = data;
  GtkContainer *table = GTK_CONTAINER (parameters->sigmas);
  guint left, right;

  gtk_container_child_get (table, child, "left-attach", &left, "right-attach", &right, NULL);
  if (left == 0)
    gtk_size_group_add_widget (parameters->labels, child);
  else
    gtk_container_child_set (table, child, "right-attach", right + 1, "left-attach", left + 1,
                             NULL);
}

static void
add_slider (Parameters *parameters, int which, double sigma, const char *tooltip)
{
  GtkObject *adjustment = gtk_adjustment_new (slider_from_sigma (sigma), 0.0, SLIDER_STEPS, 5.0,
                                              50.0, 0.0);
  GtkWidget *slider = gtk_hscale_new (GTK_ADJUSTMENT (adjustment));

  parameters->sliders[which] = GTK_ADJUSTMENT (adjustment);
  gtk_scale_set_draw_value (GTK_SCALE (slider), FALSE);
  gtk_widget_set_size_request (slider, SLIDER_WIDTH, -1);
  gimp_help_set_help_data (slider, tooltip, NULL);
  gtk_table_attach (GTK_TABLE (parameters->sigmas), slider, 1, 2, which, which + 1,
                    GTK_EXPAND | GTK_FILL, GTK_FILL, 0, 0);
  g_signal_connect (adjustment, "value-changed", G_CALLBACK (move_slider), parameters);
}

/* GIMP's own pair of sizes, and a slider for each. */
static GtkWidget *
make_sigmas (Parameters *parameters)
{
  const BlurParams *params = &parameters->settings.params;
  gint32 image = gimp_item_get_image (parameters->target->drawable);
  double x_resolution, y_resolution;
  GtkWidget *entry;

  gimp_image_get_resolution (image, &x_resolution, &y_resolution);
  entry = gimp_coordinates_new (GIMP_UNIT_PIXEL, "%a", TRUE, FALSE, SPIN_WIDTH,
                                GIMP_SIZE_ENTRY_UPDATE_SIZE, params->sigma_x == params->sigma_y,
                                FALSE, _("Sigma _X:"), params->sigma_x, x_resolution, 0.0,
                                BLUR_SIGMA_MAX, 0.0, 0.0, _("Sigma _Y:"), params->sigma_y,
                                y_resolution, 0.0, BLUR_SIGMA_MAX, 0.0, 0.0);
  parameters->sigmas = entry;
  gimp_size_entry_set_refval_digits (GIMP_SIZE_ENTRY (entry), SIGMA_X, DIGITS);
  gimp_size_entry_set_refval_digits (GIMP_SIZE_ENTRY (entry), SIGMA_Y, DIGITS);
  gtk_table_resize (GTK_TABLE (entry), 3, 5);
  gtk_container_foreach (GTK_CONTAINER (entry), arrange, parameters);
  gtk_table_set_col_spacings (GTK_TABLE (entry), 6);
  gtk_table_set_row_spacings (GTK_TABLE (entry), 6);
  add_slider (parameters, SIGMA_X, params->sigma_x,
              _("Horizontal standard deviation; 0 leaves this axis alone"));
  add_slider (parameters, SIGMA_Y, params->sigma_y,
              _("Vertical standard deviation; 0 leaves this axis alone"));
  g_signal_connect (entry, "value-changed", G_CALLBACK (change_sigmas), parameters);
  g_signal_connect (entry, "refval-changed", G_CALLBACK (change_sigmas), parameters);
  return entry;
}

/* Kernel size. */

/* An even size typed in becomes the odd one above it. */
static void
change_kernel_size (GtkAdjustment *adjustment, Parameters *parameters)
{
  int size = (int) gtk_adjustment_get_value (adjustment);

  if (size % 2 == 0)
    {
      gtk_adjustment_set_value (adjustment, size + 1);
      return;
    }
  if (is_automatic (parameters))
    return;
  parameters->settings.params.kernel_size = size;
  tell (parameters);
}

static void
change_automatic (GtkToggleButton *button, Parameters *parameters)
{
  gboolean automatic = gtk_toggle_button_get_active (button);

  gtk_widget_set_sensitive (parameters->kernel_spin, ! automatic);
  parameters->settings.params.kernel_size = automatic ? 0
                                                      : (int) gtk_adjustment_get_value (
                                                          parameters->kernel_size);
  tell (parameters);
}

static GtkWidget *
make_kernel_size (Parameters *parameters)
{
  int size = parameters->settings.params.kernel_size;
  GtkWidget *box = gtk_hbox_new (FALSE, 6);
  GtkWidget *spin, *automatic = gtk_check_button_new_with_mnemonic (_("A_utomatic"));

  parameters->kernel_size = GTK_ADJUSTMENT (
    gtk_adjustment_new (size ? size : get_needed_size (&parameters->settings), 1,
                        BLUR_KERNEL_SIZE_MAX, 2, 10, 0));
  spin = gimp_spin_button_new (parameters->kernel_size, 1.0, 0);
  gtk_spin_button_set_numeric (GTK_SPIN_BUTTON (spin), TRUE);
  gtk_entry_set_width_chars (GTK_ENTRY (spin), SPIN_WIDTH);
  gtk_widget_set_sensitive (spin, size != 0);
  gimp_help_set_help_data (spin,
                           _("Taps of the kernel on each axis, an odd number: the Gaussian is "
                             "cut to that many pixels"),
                           NULL);
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (automatic), size == 0);
  gimp_help_set_help_data (automatic, _("As many taps as sigma needs"), NULL);
  gtk_box_pack_start (GTK_BOX (box), spin, FALSE, FALSE, 0);
  gtk_box_pack_start (GTK_BOX (box), automatic, FALSE, FALSE, 0);
  parameters->kernel_spin = spin;
  parameters->automatic = automatic;
  g_signal_connect (parameters->kernel_size, "value-changed", G_CALLBACK (change_kernel_size),
                    parameters);
  g_signal_connect (automatic, "toggled", G_CALLBACK (change_automatic), parameters);
  return box;
}

/* Choices. */

static void
change_choices (Parameters *parameters)
{
  BlurParams *params = &parameters->settings.params;
  int abyss, light, device;

  gimp_int_combo_box_get_active (GIMP_INT_COMBO_BOX (parameters->abyss), &abyss);
  gimp_int_combo_box_get_active (GIMP_INT_COMBO_BOX (parameters->light), &light);
  gimp_int_combo_box_get_active (GIMP_INT_COMBO_BOX (parameters->device), &device);
  params->abyss = (FxAbyss) abyss;
  params->light = (FxLight) light;
  params->device = (FxDevice) device;
  tell (parameters);
}

static void
change_grow (GtkToggleButton *button, Parameters *parameters)
{
  parameters->settings.grow = gtk_toggle_button_get_active (button);
  tell (parameters);
}

static void
make_choices (Parameters *parameters)
{
  parameters->abyss = gimp_int_combo_box_new (_("Clamp"), FX_ABYSS_CLAMP, _("None"), FX_ABYSS_NONE,
                                              _("Black"), FX_ABYSS_BLACK, _("White"),
                                              FX_ABYSS_WHITE, NULL);
  gimp_help_set_help_data (
    parameters->abyss, _("What lies beyond the edge: the nearest pixel, nothing, black or white"),
    NULL);
  parameters->light = gimp_int_combo_box_new (_("Linear"), FX_LIGHT_LINEAR, _("Perceptual"),
                                              FX_LIGHT_PERCEPTUAL, NULL);
  gimp_help_set_help_data (
    parameters->light,
    _("Linear averages light, as a lens does; perceptual averages the values "
      "of sRGB"),
    NULL);
  gtk_widget_set_sensitive (parameters->light, ! parameters->target->coverage);
  parameters->device = gimp_int_combo_box_new (_("Automatic"), FX_DEVICE_AUTO, _("GPU only"),
                                               FX_DEVICE_GPU, _("CPU"), FX_DEVICE_CPU, NULL);
  gimp_help_set_help_data (
    parameters->device,
    _("Automatic takes what is done sooner: the GPU or, for few pixels or where "
      "there is none, the CPU; the pixels are the same"),
    NULL);
}

static void
make_grow (Parameters *parameters)
{
  parameters->grow = gtk_check_button_new_with_mnemonic (_("_Grow layer"));
  gimp_help_set_help_data (parameters->grow,
                           _("Enlarge the layer so that its soft edge is not cut: for layers with "
                             "alpha, without a selection"),
                           NULL);
  gtk_widget_set_sensitive (parameters->grow, render_target_can_grow (parameters->target));
  g_signal_connect (parameters->grow, "toggled", G_CALLBACK (change_grow), parameters);
}

static void
connect_choices (Parameters *parameters)
{
  g_signal_connect_swapped (parameters->abyss, "changed", G_CALLBACK (change_choices), parameters);
  g_signal_connect_swapped (parameters->light, "changed", G_CALLBACK (change_choices), parameters);
  g_signal_connect_swapped (parameters->device, "changed", G_CALLBACK (change_choices), parameters);
}

/* All of them. */

static void
attach (const Parameters *parameters, GtkWidget *table, int row, const char *label,
        GtkWidget *widget, GtkWidget *target)
{
  GtkWidget *made = gimp_table_attach_aligned (GTK_TABLE (table), 0, row, label, 0.0, 0.5, widget,
                                               1, FALSE);

  gtk_size_group_add_widget (parameters->labels, made);
  gtk_label_set_mnemonic_widget (GTK_LABEL (made), target);
}

static GtkWidget *
make_table (Parameters *parameters)
{
  GtkWidget *table = gtk_table_new (4, 2, FALSE);
  GtkWidget *kernel_size = make_kernel_size (parameters);

  gtk_table_set_row_spacings (GTK_TABLE (table), 6);
  gtk_table_set_col_spacings (GTK_TABLE (table), 6);
  make_choices (parameters);
  attach (parameters, table, 0, _("_Kernel size:"), kernel_size, parameters->kernel_spin);
  attach (parameters, table, 1, _("A_byss policy:"), parameters->abyss, parameters->abyss);
  attach (parameters, table, 2, _("_Light:"), parameters->light, parameters->light);
  attach (parameters, table, 3, _("_Device:"), parameters->device, parameters->device);
  return table;
}

static void
set_controls (Parameters *parameters, const RenderSettings *settings)
{
  const BlurParams *params = &settings->params;
  GimpSizeEntry *sigmas = GIMP_SIZE_ENTRY (parameters->sigmas);
  GimpChainButton *chain = GIMP_COORDINATES_CHAINBUTTON (sigmas);

  if (params->sigma_x != params->sigma_y)
    gimp_chain_button_set_active (chain, FALSE);
  gimp_size_entry_set_refval (sigmas, SIGMA_X, params->sigma_x);
  gimp_size_entry_set_refval (sigmas, SIGMA_Y, params->sigma_y);
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (parameters->automatic),
                                params->kernel_size == 0);
  if (params->kernel_size)
    gtk_adjustment_set_value (parameters->kernel_size, params->kernel_size);
  gimp_int_combo_box_set_active (GIMP_INT_COMBO_BOX (parameters->abyss), params->abyss);
  gimp_int_combo_box_set_active (GIMP_INT_COMBO_BOX (parameters->light), params->light);
  gimp_int_combo_box_set_active (GIMP_INT_COMBO_BOX (parameters->device), params->device);
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (parameters->grow), settings->grow);
}

void
parameters_set (Parameters *parameters, const RenderSettings *settings)
{
  parameters->quiet = TRUE;
  set_controls (parameters, settings);
  parameters->settings = *settings; /* to the bit, where a control rounds */
  parameters->quiet = FALSE;
  tell (parameters);
}

Parameters *
parameters_new (const RenderTarget *target, const RenderSettings *settings,
                ParametersChangedFunc changed, gpointer data)
{
  Parameters *parameters = g_new0 (Parameters, 1);
  GtkWidget *table;

  parameters->target = target;
  parameters->settings = *settings;
  parameters->changed = changed;
  parameters->data = data;
  parameters->quiet = TRUE;
  parameters->widget = gtk_vbox_new (FALSE, 6);
  parameters->labels = gtk_size_group_new (GTK_SIZE_GROUP_HORIZONTAL);
  table = make_table (parameters);
  gtk_box_pack_start (GTK_BOX (parameters->widget), make_sigmas (parameters), FALSE, FALSE, 0);
  gtk_box_pack_start (GTK_BOX (parameters->widget), table, FALSE, FALSE, 0);
  make_grow (parameters);
  gtk_box_pack_start (GTK_BOX (parameters->widget), parameters->grow, FALSE, FALSE, 0);
  set_controls (parameters, settings);
  connect_choices (parameters);
  parameters->settings = *settings;
  parameters->quiet = FALSE;
  gtk_widget_show_all (parameters->widget);
  return parameters;
}

void
parameters_free (Parameters *parameters)
{
  if (parameters)
    g_object_unref (parameters->labels);
  g_free (parameters);
}

GtkWidget *
parameters_get_widget (const Parameters *parameters)
{
  return parameters->widget;
}

void
parameters_grab_focus (Parameters *parameters)
{
  gimp_size_entry_grab_focus (GIMP_SIZE_ENTRY (parameters->sigmas));
}

const RenderSettings *
parameters_get (const Parameters *parameters)
{
  return &parameters->settings;
}
