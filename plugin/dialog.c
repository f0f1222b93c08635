#include "dialog.h"

#include <glib/gi18n-lib.h>
#include <libgimp/gimp.h>
#include <libgimp/gimpui.h>
#include <string.h>

#define ROLE         "cuda-blur"

#define SCALE_WIDTH  160   /* pixels */
#define SPIN_WIDTH   7     /* characters */
#define STATUS_WIDTH 48    /* characters */
#define READ_SLICE   10000 /* microseconds that the interface may stand still for */

typedef struct _Preview Preview;

/* One view to render: made on the main thread, filled on the renderer's, drawn on the main one. */
typedef struct {
  Preview *preview;
  int serial;
  RenderPlan plan; /* its region is the view */
  int x, y;        /* of the view in the drawable */
  guint8 *pixels;  /* in the drawable's format */
  BlurReport report;
  GError *error;
} Job;

/* The view is rendered on a thread of its own, from a copy of the drawable in this process, which
 * the main thread (libgimp's only one) fills tile by tile as the renderer asks for pixels. The
 * newest job wins: it takes the place of the one that waits and cancels the one that runs. */
struct _Preview {
  GtkWidget *widget;
  GtkWidget *status;
  const RenderTarget *target;
  const Babl *babl; /* the drawable's format */
  GeglBuffer *drawable;
  GeglBuffer *copy;
  BlurEngine *engine; /* the renderer's while it runs */
  GThread *renderer;
  int newest;         /* serial, atomic */

  GMutex lock; /* guards what follows */
  GCond changed;
  Job *next;       /* to be rendered, or NULL */
  Job *done;       /* to be drawn, or NULL */
  guint draw_idle; /* sources of the main loop, or 0 */
  guint load_idle;
  BlurRect wanted;  /* pixels that the renderer waits for, in the drawable */
  gboolean *loaded; /* for each tile whether copy has it */
  gboolean quit;
};

typedef struct {
  RenderSettings settings;
  RenderTarget target;
  Preview preview;
  GtkObject *kernel_size;
  GtkWidget *kernel_spin;
} Dialog;

/* The copy of the drawable. */

static int
get_tiles_across (const RenderTarget *target)
{
  return (target->width + (int) gimp_tile_width () - 1) / (int) gimp_tile_width ();
}

static int
get_tiles_down (const RenderTarget *target)
{
  return (target->height + (int) gimp_tile_height () - 1) / (int) gimp_tile_height ();
}

/* The number of a tile of rect that the copy does not have yet, or -1. rect may reach out of the
 * drawable, where there is nothing to load. Called with the lock held. */
static int
find_missing (const Preview *preview, const BlurRect *rect)
{
  const RenderTarget *target = preview->target;
  int tile_width = (int) gimp_tile_width ();
  int tile_height = (int) gimp_tile_height ();
  int across = get_tiles_across (target);
  int x0 = MAX (rect->x, 0) / tile_width;
  int y0 = MAX (rect->y, 0) / tile_height;
  int x1 = MIN (rect->x + rect->width, target->width);
  int y1 = MIN (rect->y + rect->height, target->height);
  int x, y;

  for (y = y0; y * tile_height < y1; y++)
    for (x = x0; x * tile_width < x1; x++)
      if (! preview->loaded[y * across + x])
        return y * across + x;
  return -1;
}

static void
load_tile (Preview *preview, int tile)
{
  int across = get_tiles_across (preview->target);
  GeglRectangle rect = { tile % across * (int) gimp_tile_width (),
                         tile / across * (int) gimp_tile_height (),
                         (int) gimp_tile_width (), (int) gimp_tile_height () };

  gegl_rectangle_intersect (&rect, &rect, gegl_buffer_get_extent (preview->drawable));
  gegl_buffer_copy (preview->drawable, &rect, GEGL_ABYSS_NONE, preview->copy, &rect);
}

/* On the main loop, as long as something is missing. */
static gboolean
load_slice (gpointer data)
{
  Preview *preview = data;
  gint64 start = g_get_monotonic_time ();
  gboolean valid = gimp_item_is_valid (preview->target->drawable); /* the image may have been closed */
  int tile;

  g_mutex_lock (&preview->lock);
  while ((tile = find_missing (preview, &preview->wanted)) >= 0 &&
         g_get_monotonic_time () - start < READ_SLICE)
    {
      g_mutex_unlock (&preview->lock);
      if (valid)
        load_tile (preview, tile);
      g_mutex_lock (&preview->lock);
      preview->loaded[tile] = TRUE;
    }
  if (tile < 0)
    preview->load_idle = 0;
  g_cond_broadcast (&preview->changed);
  g_mutex_unlock (&preview->lock);
  return tile >= 0;
}

/* The renderer. */

static gboolean
is_current (const Job *job)
{
  return g_atomic_int_get (&job->preview->newest) == job->serial;
}

/* Waits until the main thread has loaded rect. FALSE if the job is outdated before that. */
static gboolean
wait_for_pixels (Job *job, const BlurRect *rect)
{
  Preview *preview = job->preview;
  gboolean missing = TRUE;

  g_mutex_lock (&preview->lock);
  while (is_current (job) && (missing = find_missing (preview, rect) >= 0))
    {
      preview->wanted = *rect;
      if (preview->load_idle == 0)
        preview->load_idle = g_idle_add (load_slice, preview);
      g_cond_wait (&preview->changed, &preview->lock);
    }
  g_mutex_unlock (&preview->lock);
  return ! missing;
}

static gboolean
read_copy (gpointer data, const BlurRect *rect, gpointer pixels, gsize stride, GError **error)
{
  Job *job = data;
  BlurRect source = { rect->x - job->plan.grow_x, rect->y - job->plan.grow_y, rect->width,
                      rect->height };

  if (! wait_for_pixels (job, &source))
    {
      g_set_error_literal (error, BLUR_ERROR, BLUR_ERROR_CANCELLED, "outdated");
      return FALSE;
    }
  gegl_buffer_get (job->preview->copy,
                   GEGL_RECTANGLE (source.x, source.y, source.width, source.height), 1.0,
                   job->preview->babl, pixels, (int) stride, GEGL_ABYSS_NONE);
  return TRUE;
}

static gboolean
write_view (gpointer data, const BlurRect *rect, gconstpointer pixels, gsize stride,
            GError **error)
{
  Job *job = data;
  const BlurRect *view = &job->plan.image.region;
  gsize size = blur_format_size (&job->plan.image.format);
  int row;

  for (row = 0; row < rect->height; row++)
    memcpy (job->pixels +
              ((gsize) (rect->y + row - view->y) * view->width + (rect->x - view->x)) * size,
            (const guint8 *) pixels + row * stride, rect->width * size);
  return TRUE;
}

static gboolean
check_progress (gpointer data, double fraction)
{
  return is_current (data);
}

static void
job_free (Job *job)
{
  if (! job)
    return;
  g_clear_error (&job->error);
  g_free (job->pixels);
  g_free (job);
}

static gboolean draw_done (gpointer data);

/* Takes the job. */
static void
hand_over (Job *job)
{
  Preview *preview = job->preview;

  g_mutex_lock (&preview->lock);
  job_free (preview->done);
  preview->done = job;
  if (preview->draw_idle == 0)
    preview->draw_idle = g_idle_add (draw_done, preview);
  g_mutex_unlock (&preview->lock);
}

static Job *
wait_for_job (Preview *preview)
{
  Job *job;

  g_mutex_lock (&preview->lock);
  while (! preview->next && ! preview->quit)
    g_cond_wait (&preview->changed, &preview->lock);
  job = preview->quit ? NULL : g_steal_pointer (&preview->next);
  g_mutex_unlock (&preview->lock);
  return job;
}

static gpointer
render_jobs (gpointer data)
{
  Preview *preview = data;
  Job *job;

  while ((job = wait_for_job (preview)))
    {
      BlurImage image = job->plan.image;

      image.read = read_copy;
      image.write = write_view;
      image.progress = check_progress;
      image.data = job;
      blur_engine_run (preview->engine, &job->plan.params, &image, &job->report, &job->error);
      hand_over (job);
    }
  return NULL;
}

/* The preview on the main thread. */

static void
show_status (Preview *preview, const Job *job)
{
  g_autofree char *text = NULL;

  if (job->error)
    text = g_strdup (job->error->message);
  else if (*job->report.fallback)
    text = g_strdup_printf (_("%s, %.1f ms (%s)"), job->report.device_name,
                            job->report.milliseconds, job->report.fallback);
  else
    text = g_strdup_printf (_("%s, %.1f ms"), job->report.device_name, job->report.milliseconds);
  gtk_label_set_text (GTK_LABEL (preview->status), text);
}

static gboolean
is_in_view (Preview *preview, const Job *job)
{
  const BlurRect *view = &job->plan.image.region;
  int x, y, width, height;

  gimp_preview_get_position (GIMP_PREVIEW (preview->widget), &x, &y);
  gimp_preview_get_size (GIMP_PREVIEW (preview->widget), &width, &height);
  return gimp_preview_get_update (GIMP_PREVIEW (preview->widget)) && x == job->x && y == job->y &&
         width == view->width && height == view->height;
}

/* The selection over the view, 8 bits a pixel, or NULL where it does not limit the blur. */
static guint8 *
get_selection (const RenderTarget *target, const Job *job)
{
  const BlurRect *view = &job->plan.image.region;
  gint32 image = gimp_item_get_image (target->drawable);
  gint32 selection = gimp_image_get_selection (image);
  GeglBuffer *buffer;
  guint8 *pixels;
  int x = 0;
  int y = 0;

  /* An image that was closed meanwhile has no selection. */
  if (image == -1 || selection == target->drawable || gimp_selection_is_empty (image))
    return NULL;
  gimp_drawable_offsets (target->drawable, &x, &y);
  pixels = g_malloc_n (view->width, view->height);
  buffer = gimp_drawable_get_buffer (selection);
  gegl_buffer_get (buffer, GEGL_RECTANGLE (x + job->x, y + job->y, view->width, view->height), 1.0,
                   babl_format ("Y u8"), pixels, GEGL_AUTO_ROWSTRIDE, GEGL_ABYSS_NONE);
  g_object_unref (buffer);
  return pixels;
}

/* As gimp_preview_draw_buffer does, except for linear precisions, whose samples that one takes for
 * gamma-encoded ones. */
static void
draw_view (Preview *preview, const Job *job)
{
  static const char *const formats[] = { "Y' u8", "Y'A u8", "R'G'B' u8", "R'G'B'A u8" };
  static const GimpImageType types[] = { GIMP_GRAY_IMAGE, GIMP_GRAYA_IMAGE, GIMP_RGB_IMAGE,
                                         GIMP_RGBA_IMAGE };
  GimpPreviewArea *area =
    GIMP_PREVIEW_AREA (gimp_preview_get_area (GIMP_PREVIEW (preview->widget)));
  const BlurRect *view = &job->plan.image.region;
  int channels = job->plan.image.format.channels;
  const Babl *format = babl_format (formats[channels - 1]);
  GimpImageType type = types[channels - 1];
  gsize size = (gsize) view->width * view->height;
  g_autofree guint8 *before = g_malloc_n (size, channels);
  g_autofree guint8 *after = g_malloc_n (size, channels);
  g_autofree guint8 *selection = get_selection (preview->target, job);
  int stride = view->width * channels;

  babl_process (babl_fish (preview->babl, format), job->pixels, after, (long) size);
  if (! selection)
    {
      gimp_preview_area_draw (area, 0, 0, view->width, view->height, type, after, stride);
      return;
    }
  gegl_buffer_get (preview->copy, GEGL_RECTANGLE (job->x, job->y, view->width, view->height), 1.0,
                   format, before, stride, GEGL_ABYSS_NONE);
  gimp_preview_area_mask (area, 0, 0, view->width, view->height, type, before, stride, after,
                          stride, selection, view->width);
}

/* On the main loop, once for each job handed over. */
static gboolean
draw_done (gpointer data)
{
  Preview *preview = data;
  Job *job;

  g_mutex_lock (&preview->lock);
  job = g_steal_pointer (&preview->done);
  preview->draw_idle = 0;
  g_mutex_unlock (&preview->lock);
  if (! g_error_matches (job->error, BLUR_ERROR, BLUR_ERROR_CANCELLED))
    show_status (preview, job);
  if (! job->error && is_in_view (preview, job))
    draw_view (preview, job);
  job_free (job);
  return FALSE;
}

/* Takes the job, which may be NULL: to render nothing. */
static void
set_job (Preview *preview, Job *job)
{
  g_mutex_lock (&preview->lock);
  g_atomic_int_inc (&preview->newest);
  if (job)
    job->serial = g_atomic_int_get (&preview->newest);
  job_free (preview->next);
  preview->next = job;
  g_cond_broadcast (&preview->changed);
  g_mutex_unlock (&preview->lock);
}

static void
preview_update (Dialog *dialog)
{
  Preview *preview = &dialog->preview;
  Job *job;
  BlurRect *view;

  if (! gimp_preview_get_update (GIMP_PREVIEW (preview->widget)))
    {
      set_job (preview, NULL);
      return;
    }
  job = g_new0 (Job, 1);
  job->preview = preview;
  render_plan_init (&job->plan, &dialog->target, &dialog->settings);
  view = &job->plan.image.region;
  gimp_preview_get_position (GIMP_PREVIEW (preview->widget), &job->x, &job->y);
  gimp_preview_get_size (GIMP_PREVIEW (preview->widget), &view->width, &view->height);
  view->x = job->x + job->plan.grow_x;
  view->y = job->y + job->plan.grow_y;
  job->pixels = g_malloc_n ((gsize) view->width * view->height,
                            blur_format_size (&dialog->target.format));
  set_job (preview, job);
}

static void
preview_start (Preview *preview, BlurEngine *engine, const RenderTarget *target)
{
  preview->target = target;
  preview->engine = engine;
  preview->babl = gimp_drawable_get_format (target->drawable);
  preview->drawable = gimp_drawable_get_buffer (target->drawable);
  preview->copy = gegl_buffer_new (GEGL_RECTANGLE (0, 0, target->width, target->height),
                                   preview->babl);
  preview->loaded = g_new0 (gboolean, (gsize) get_tiles_across (target) * get_tiles_down (target));
  g_mutex_init (&preview->lock);
  g_cond_init (&preview->changed);
  preview->renderer = g_thread_new ("preview", render_jobs, preview);
}

static void
preview_stop (Preview *preview)
{
  set_job (preview, NULL);
  g_mutex_lock (&preview->lock);
  preview->quit = TRUE;
  g_cond_broadcast (&preview->changed);
  g_mutex_unlock (&preview->lock);
  g_thread_join (preview->renderer);
  if (preview->draw_idle)
    g_source_remove (preview->draw_idle);
  if (preview->load_idle)
    g_source_remove (preview->load_idle);
  job_free (preview->done);
  g_mutex_clear (&preview->lock);
  g_cond_clear (&preview->changed);
  g_free (preview->loaded);
  g_object_unref (preview->copy);
  g_object_unref (preview->drawable);
}

/* The parameters. */

static void
add_sigma (Dialog *dialog, GtkTable *table, int row, const char *label, double *sigma,
           const char *tooltip)
{
  GtkObject *entry = gimp_scale_entry_new (table, 0, row, label, SCALE_WIDTH, SPIN_WIDTH, *sigma,
                                           0.0, BLUR_SIGMA_MAX, 0.1, 1.0, 2, TRUE, 0.0, 0.0,
                                           tooltip, NULL);

  gimp_scale_entry_set_logarithmic (entry, TRUE);
  g_signal_connect (entry, "value-changed", G_CALLBACK (gimp_double_adjustment_update), sigma);
  g_signal_connect_swapped (entry, "value-changed", G_CALLBACK (preview_update), dialog);
}

/* An even size typed in becomes the odd one above it. */
static void
change_kernel_size (GtkAdjustment *adjustment, Dialog *dialog)
{
  int size = (int) gtk_adjustment_get_value (adjustment);

  if (size % 2 == 0)
    {
      gtk_adjustment_set_value (adjustment, size + 1);
      return;
    }
  dialog->settings.params.kernel_size = size;
  preview_update (dialog);
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

static void
change_automatic (GtkToggleButton *button, Dialog *dialog)
{
  GtkAdjustment *adjustment = GTK_ADJUSTMENT (dialog->kernel_size);
  gboolean automatic = gtk_toggle_button_get_active (button);

  gtk_widget_set_sensitive (dialog->kernel_spin, ! automatic);
  if (! automatic)
    gtk_adjustment_set_value (adjustment, get_needed_size (&dialog->settings));
  dialog->settings.params.kernel_size =
    automatic ? 0 : (int) gtk_adjustment_get_value (adjustment);
  preview_update (dialog);
}

static void
add_kernel_size (Dialog *dialog, GtkTable *table, int row)
{
  int size = dialog->settings.params.kernel_size;
  GtkWidget *box = gtk_hbox_new (FALSE, 6);
  GtkWidget *automatic = gtk_check_button_new_with_mnemonic (_("A_utomatic"));

  dialog->kernel_size = gtk_adjustment_new (size ? size : get_needed_size (&dialog->settings), 1,
                                            BLUR_KERNEL_SIZE_MAX, 2, 10, 0);
  dialog->kernel_spin = gimp_spin_button_new (GTK_ADJUSTMENT (dialog->kernel_size), 1.0, 0);
  gtk_spin_button_set_numeric (GTK_SPIN_BUTTON (dialog->kernel_spin), TRUE);
  gtk_entry_set_width_chars (GTK_ENTRY (dialog->kernel_spin), SPIN_WIDTH);
  gtk_widget_set_sensitive (dialog->kernel_spin, size != 0);
  gimp_help_set_help_data (dialog->kernel_spin,
                           _("Taps of the kernel on each axis, an odd number: the Gaussian is cut "
                             "to that many pixels"), NULL);
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (automatic), size == 0);
  gimp_help_set_help_data (automatic, _("As many taps as sigma needs"), NULL);
  gtk_box_pack_start (GTK_BOX (box), dialog->kernel_spin, FALSE, FALSE, 0);
  gtk_box_pack_start (GTK_BOX (box), automatic, FALSE, FALSE, 0);
  gtk_widget_show_all (box);
  gtk_label_set_mnemonic_widget (
    GTK_LABEL (gimp_table_attach_aligned (table, 0, row, _("_Kernel size:"), 0.0, 0.5, box, 2,
                                          FALSE)), dialog->kernel_spin);
  g_signal_connect (dialog->kernel_size, "value-changed", G_CALLBACK (change_kernel_size), dialog);
  g_signal_connect (automatic, "toggled", G_CALLBACK (change_automatic), dialog);
}

/* Takes the combo box. */
static void
add_choice (Dialog *dialog, GtkTable *table, int row, const char *label, GtkWidget *combo,
            gpointer value, const char *tooltip)
{
  int *choice = value; /* an enumeration of the engine's */

  gimp_table_attach_aligned (table, 0, row, label, 0.0, 0.5, combo, 2, FALSE);
  gimp_help_set_help_data (combo, tooltip, NULL);
  gimp_int_combo_box_connect (GIMP_INT_COMBO_BOX (combo), *choice,
                              G_CALLBACK (gimp_int_combo_box_get_active), choice);
  g_signal_connect_swapped (combo, "changed", G_CALLBACK (preview_update), dialog);
}

static void
add_choices (Dialog *dialog, GtkTable *table, int row)
{
  BlurParams *params = &dialog->settings.params;
  GtkWidget *combo;

  combo = gimp_int_combo_box_new (_("Clamp"), BLUR_ABYSS_CLAMP, _("None"), BLUR_ABYSS_NONE,
                                  _("Black"), BLUR_ABYSS_BLACK, _("White"), BLUR_ABYSS_WHITE,
                                  NULL);
  add_choice (dialog, table, row, _("A_byss policy:"), combo, &params->abyss,
              _("What lies beyond the edge: the nearest pixel, nothing, black or white"));

  combo = gimp_int_combo_box_new (_("Linear"), BLUR_LIGHT_LINEAR, _("Perceptual"),
                                  BLUR_LIGHT_PERCEPTUAL, NULL);
  add_choice (dialog, table, row + 1, _("_Light:"), combo, &params->light,
              _("Linear averages light, as a lens does; perceptual averages the values of sRGB"));
  gtk_widget_set_sensitive (combo, ! dialog->target.coverage);

  combo = gimp_int_combo_box_new (_("Automatic"), BLUR_DEVICE_AUTO, _("GPU only"), BLUR_DEVICE_GPU,
                                  _("CPU"), BLUR_DEVICE_CPU, NULL);
  add_choice (dialog, table, row + 2, _("_Device:"), combo, &params->device,
              _("Automatic takes what is done sooner: the GPU or, for few pixels or where there "
                "is none, the CPU; the pixels are the same"));
}

static GtkWidget *
make_grow (Dialog *dialog)
{
  GtkWidget *button = gtk_check_button_new_with_mnemonic (_("_Grow layer"));

  gimp_help_set_help_data (button,
                           _("Enlarge the layer so that its soft edge is not cut: for layers with "
                             "alpha, without a selection"), NULL);
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (button), dialog->settings.grow);
  gtk_widget_set_sensitive (button, render_target_can_grow (&dialog->target));
  g_signal_connect (button, "toggled", G_CALLBACK (gimp_toggle_button_update),
                    &dialog->settings.grow);
  g_signal_connect_swapped (button, "toggled", G_CALLBACK (preview_update), dialog);
  return button;
}

static GtkWidget *
make_parameters (Dialog *dialog)
{
  GtkWidget *box = gtk_vbox_new (FALSE, 6);
  GtkWidget *table = gtk_table_new (6, 3, FALSE);
  BlurParams *params = &dialog->settings.params;

  gtk_table_set_row_spacings (GTK_TABLE (table), 6);
  gtk_table_set_col_spacings (GTK_TABLE (table), 6);
  add_sigma (dialog, GTK_TABLE (table), 0, _("Sigma _X:"), &params->sigma_x,
             _("Horizontal standard deviation in pixels; 0 leaves this axis alone"));
  add_sigma (dialog, GTK_TABLE (table), 1, _("Sigma _Y:"), &params->sigma_y,
             _("Vertical standard deviation in pixels; 0 leaves this axis alone"));
  add_kernel_size (dialog, GTK_TABLE (table), 2);
  add_choices (dialog, GTK_TABLE (table), 3);
  gtk_box_pack_start (GTK_BOX (box), table, FALSE, FALSE, 0);
  gtk_box_pack_start (GTK_BOX (box), make_grow (dialog), FALSE, FALSE, 0);
  return box;
}

/* The window. */

static GtkWidget *
make_status (void)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_misc_set_alignment (GTK_MISC (label), 0.0, 0.0);
  gtk_label_set_line_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_width_chars (GTK_LABEL (label), STATUS_WIDTH);
  gimp_label_set_attributes (GTK_LABEL (label), PANGO_ATTR_STYLE, PANGO_STYLE_ITALIC, -1);
  return label;
}

static GtkWidget *
make_window (Dialog *dialog)
{
  GtkWidget *window = gimp_dialog_new (_("Gaussian Blur (CUDA)"), ROLE, NULL, 0, NULL, NULL,
                                       _("_Cancel"), GTK_RESPONSE_CANCEL,
                                       _("_OK"), GTK_RESPONSE_OK, NULL);
  GtkWidget *box = gtk_vbox_new (FALSE, 12);
  GtkWidget *content = gtk_dialog_get_content_area (GTK_DIALOG (window));

  gtk_dialog_set_alternative_button_order (GTK_DIALOG (window), GTK_RESPONSE_OK,
                                           GTK_RESPONSE_CANCEL, -1);
  gtk_dialog_set_default_response (GTK_DIALOG (window), GTK_RESPONSE_OK);
  gimp_window_set_transient (GTK_WINDOW (window));
  gtk_container_set_border_width (GTK_CONTAINER (box), 12);
  gtk_box_pack_start (GTK_BOX (content), box, TRUE, TRUE, 0);
  dialog->preview.widget = gimp_drawable_preview_new_from_drawable_id (dialog->target.drawable);
  dialog->preview.status = make_status ();
  gtk_box_pack_start (GTK_BOX (box), dialog->preview.widget, TRUE, TRUE, 0);
  gtk_box_pack_start (GTK_BOX (box), make_parameters (dialog), FALSE, FALSE, 0);
  gtk_box_pack_start (GTK_BOX (box), dialog->preview.status, FALSE, FALSE, 0);
  gtk_widget_show_all (box);
  g_signal_connect_swapped (dialog->preview.widget, "invalidated", G_CALLBACK (preview_update),
                            dialog);
  return window;
}

/* gimp_ui_init ends the process where there is no display, so one is opened first. */
static gboolean
open_display (GError **error)
{
  g_autofree char *name = gimp_display_name () ? g_strdup (gimp_display_name ())
                                               : g_strdup (g_getenv ("DISPLAY"));
  GdkDisplay *display;
  int argc = 0;
  char **argv = NULL;

  gdk_parse_args (&argc, &argv);
  display = name && *name ? gdk_display_open (name) : NULL;
  if (! display)
    {
      g_set_error (error, RENDER_ERROR, RENDER_ERROR_REFUSED,
                   _("run-mode is 0 (interactive), which needs a display, but there is none; "
                     "without one it must be 1 (non-interactive) or 2 (with last values)"));
      return FALSE;
    }
  gdk_display_close (display);
  gimp_ui_init (ROLE, TRUE);
  g_setenv ("GEGL_PATH", "", TRUE); /* no operations: the preview is for buffers alone */
  gegl_init (NULL, NULL);
  return TRUE;
}

gboolean
dialog_run (BlurEngine *engine, gint32 drawable, RenderSettings *settings, GError **error)
{
  Dialog dialog = { .settings = *settings };
  GtkWidget *window;
  gboolean apply;

  if (! open_display (error) || ! render_target_init (&dialog.target, drawable, error))
    return FALSE;
  preview_start (&dialog.preview, engine, &dialog.target);
  window = make_window (&dialog);
  gtk_widget_show (window);
  apply = gimp_dialog_run (GIMP_DIALOG (window)) == GTK_RESPONSE_OK;
  preview_stop (&dialog.preview);
  gtk_widget_destroy (window);
  if (apply)
    *settings = dialog.settings;
  return apply;
}
