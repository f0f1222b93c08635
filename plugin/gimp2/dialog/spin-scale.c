#include "spin-scale.h"

#include "buttons.h"

#include <gdk/gdkkeysyms.h>
#include <glib/gi18n-lib.h>
#include <libgimp/gimp.h>
#include <libgimp/gimpui.h>
#include <math.h>
#include <string.h>

#define LENGTH     240    /* in pixels, at least */
#define INDENT     2      /* in pixels, from the edge to the label */
#define WIDE_COLON 0xff1a /* of Chinese and Japanese */
#define FRAME      0.35   /* opacity */
#define DIGITS     3 /* of a value that the bar sets, which is as much as the eye can tell apart */

typedef struct {
  GtkSpinButton parent;
  const FilterProperty *property;
  char *label;       /* Pango's markup, with a mnemonic */
  GtkWindow *window; /* where key leads to the widget, or NULL */
  guint key;
  gboolean dragging;
} SpinScale;

typedef GtkSpinButtonClass SpinScaleClass;

static GType spin_scale_get_type (void);
static SpinScale *spin_scale_cast (gpointer widget);

G_DEFINE_TYPE (SpinScale, spin_scale, GTK_TYPE_SPIN_BUTTON)

static SpinScale *
spin_scale_cast (gpointer widget)
{
  return G_TYPE_CHECK_INSTANCE_CAST (widget, spin_scale_get_type (), SpinScale);
}

static gboolean
is_mirrored (GtkWidget *widget)
{
  return gtk_widget_get_direction (widget) == GTK_TEXT_DIR_RTL;
}

/* The bar. */

/* Returns the part of the range that the bar has, and sets first to the value at its beginning. */
static double
get_span (const SpinScale *scale, double lower, double upper, double *first)
{
  double start = scale->property->slider.start, end = scale->property->slider.end;

  *first = lower + (upper - lower) * start;
  return (upper - lower) * ((end > 0.0 ? end : 1.0) - start);
}

/* May be above 1. */
static double
fraction_from_value (const SpinScale *scale, double value, double lower, double upper)
{
  double bend = scale->property->slider.bend, first, span, share;

  if (upper <= lower)
    return 0.0;
  span = get_span (scale, lower, upper, &first);
  share = MAX (value - first, 0.0) / span;
  return bend > 0.0 ? log1p (share / bend) / log1p (1.0 / bend) : share;
}

static double
value_from_fraction (const SpinScale *scale, double fraction, double lower, double upper)
{
  double bend = scale->property->slider.bend;
  double share = bend > 0.0 ? bend * expm1 (fraction * log1p (1.0 / bend)) : fraction;
  double first, span = get_span (scale, lower, upper, &first);

  return first + span * share;
}

static void
update_bar (SpinScale *scale)
{
  GtkSpinButton *spin = GTK_SPIN_BUTTON (scale);
  double lower, upper;

  gtk_spin_button_get_range (spin, &lower, &upper);
  gtk_entry_set_progress_fraction (GTK_ENTRY (scale),
                                   fraction_from_value (scale, gtk_spin_button_get_value (spin),
                                                        lower, upper));
}

/* Rounds to some digits, but not finer than what is written. */
static double
round_value (const SpinScale *scale, double value)
{
  double finest = -(double) gtk_spin_button_get_digits ((GtkSpinButton *) scale);
  double step = pow (10.0, MAX (finest, floor (log10 (MAX (fabs (value), 1e-9))) - (DIGITS - 1)));

  return floor (value / step + 0.5) * step;
}

/* Between 0 and the least other value, the nearer one is taken. */
static double
skip_gap (const SpinScale *scale, double value)
{
  double least = scale->property->least;

  if (value <= 0.0 || value >= least)
    return value;
  return value < 0.5 * least ? 0.0 : least;
}

/* x is that of the pointer in the text's window. */
static void
set_from_pointer (SpinScale *scale, double x)
{
  GdkWindow *text = gtk_entry_get_text_window (GTK_ENTRY (scale));
  double fraction = CLAMP (x / MAX (gdk_window_get_width (text) - 1, 1), 0.0, 1.0), lower, upper;
  double value;

  if (is_mirrored (GTK_WIDGET (scale)))
    fraction = 1.0 - fraction;
  gtk_spin_button_get_range (GTK_SPIN_BUTTON (scale), &lower, &upper);
  value = round_value (scale, value_from_fraction (scale, fraction, lower, upper));
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (scale), skip_gap (scale, value));
}

/* The pointer. */

static gboolean
is_over_number (SpinScale *scale, double x)
{
  GtkEntry *entry = GTK_ENTRY (scale);
  int left, window, width;

  gtk_entry_get_layout_offsets (entry, &left, NULL);
  gdk_window_get_position (gtk_entry_get_text_window (entry), &window, NULL);
  pango_layout_get_pixel_size (gtk_entry_get_layout (entry), &width, NULL);
  return x >= left - window && x < left - window + width;
}

static gboolean
spin_scale_press (GtkWidget *widget, GdkEventButton *event)
{
  SpinScale *scale = spin_scale_cast (widget);

  if (event->window != gtk_entry_get_text_window (GTK_ENTRY (widget)) || event->button != 1 ||
      is_over_number (scale, event->x))
    return GTK_WIDGET_CLASS (spin_scale_parent_class)->button_press_event (widget, event);
  gtk_widget_grab_focus (widget);
  scale->dragging = TRUE;
  gtk_widget_set_has_tooltip (widget, FALSE); /* it would hide the slider below */
  set_from_pointer (scale, event->x);
  return TRUE;
}

static gboolean
spin_scale_release (GtkWidget *widget, GdkEventButton *event)
{
  SpinScale *scale = spin_scale_cast (widget);

  if (! scale->dragging || event->button != 1)
    return GTK_WIDGET_CLASS (spin_scale_parent_class)->button_release_event (widget, event);
  scale->dragging = FALSE;
  return TRUE;
}

/* After a drag, the tooltip stays away until the pointer does. */
static gboolean
spin_scale_leave (GtkWidget *widget, GdkEventCrossing *event)
{
  if (! spin_scale_cast (widget)->dragging)
    gtk_widget_set_has_tooltip (widget, TRUE);
  return GTK_WIDGET_CLASS (spin_scale_parent_class)->leave_notify_event (widget, event);
}

static void
set_cursor (GdkWindow *window, GdkCursorType type)
{
  GdkCursor *cursor = gdk_cursor_new_for_display (gdk_window_get_display (window), type);

  gdk_window_set_cursor (window, cursor);
  gdk_cursor_unref (cursor);
}

static gboolean
spin_scale_move (GtkWidget *widget, GdkEventMotion *event)
{
  SpinScale *scale = spin_scale_cast (widget);
  gboolean editing = event->state & (GDK_BUTTON1_MASK | GDK_BUTTON2_MASK | GDK_BUTTON3_MASK);

  gdk_event_request_motions (event);
  if (! (event->state & GDK_BUTTON1_MASK))
    scale->dragging = FALSE; /* the release went to a window with a grab */
  if (scale->dragging)
    {
      set_from_pointer (scale, event->x);
      return TRUE;
    }
  if (! editing && event->window == gtk_entry_get_text_window (GTK_ENTRY (widget)))
    set_cursor (event->window,
                is_over_number (scale, event->x) ? GDK_XTERM : GDK_SB_H_DOUBLE_ARROW);
  return GTK_WIDGET_CLASS (spin_scale_parent_class)->motion_notify_event (widget, event);
}

/* The label. */

/* Underlines the key only while the window shows its mnemonics. */
static PangoLayout *
make_layout (SpinScale *scale)
{
  PangoLayout *layout = gtk_widget_create_pango_layout (GTK_WIDGET (scale), NULL);

  pango_layout_set_markup_with_accel (layout, scale->label, -1, '_', NULL);
  if (! scale->window || ! gtk_window_get_mnemonics_visible (scale->window))
    pango_layout_set_attributes (layout, NULL);
  return layout;
}

/* Draws what lies from the column from to the column to, with the top left at x, y. */
static void
draw_part (cairo_t *cr, PangoLayout *layout, const GdkColor *color, double x, double y, double from,
           double to)
{
  cairo_save (cr);
  cairo_rectangle (cr, from, 0.0, to - from, 32767.0);
  cairo_clip (cr);
  gdk_cairo_set_source_color (cr, color);
  cairo_move_to (cr, x, y);
  pango_cairo_show_layout (cr, layout);
  cairo_restore (cr);
}

/* On the bar in the bar's colour of text. */
static void
draw_label (SpinScale *scale, cairo_t *cr, double width)
{
  GtkWidget *widget = GTK_WIDGET (scale);
  GtkStyle *style = gtk_widget_get_style (widget);
  const GdkColor *plain = &style->text[gtk_widget_get_state (widget)];
  const GdkColor *on_bar = gtk_widget_is_sensitive (widget) ? &style->fg[GTK_STATE_SELECTED]
                                                            : plain;
  double end = floor (width * gtk_entry_get_progress_fraction (GTK_ENTRY (scale)) + 0.5);
  gboolean mirrored = is_mirrored (widget);
  PangoLayout *layout = make_layout (scale);
  int top, window, length;
  double x;

  gtk_entry_get_layout_offsets (GTK_ENTRY (scale), NULL, &top);
  gdk_window_get_position (gtk_entry_get_text_window (GTK_ENTRY (scale)), NULL, &window);
  pango_layout_get_pixel_size (layout, &length, NULL);
  x = mirrored ? width - INDENT - length : INDENT;
  if (mirrored)
    end = width - end;
  draw_part (cr, layout, mirrored ? plain : on_bar, x, top - window, 0.0, end);
  draw_part (cr, layout, mirrored ? on_bar : plain, x, top - window, end, width);
  g_object_unref (layout);
}

/* Draws a frame around the two windows: open where they meet. */
static void
draw_frame (GtkWidget *widget, cairo_t *cr, gboolean text, int width, int height)
{
  const GdkColor *color = &gtk_widget_get_style (widget)->text[GTK_STATE_NORMAL];
  gboolean open_left = text == is_mirrored (widget);

  cairo_set_line_width (cr, 1.0);
  cairo_set_source_rgba (cr, color->red / 65535.0, color->green / 65535.0, color->blue / 65535.0,
                         FRAME);
  cairo_rectangle (cr, open_left ? -0.5 : 0.5, 0.5, width, height - 1.0);
  cairo_stroke (cr);
}

static gboolean
spin_scale_expose (GtkWidget *widget, GdkEventExpose *event)
{
  int width = gdk_window_get_width (event->window), height = gdk_window_get_height (event->window);
  gboolean text = event->window == gtk_entry_get_text_window (GTK_ENTRY (widget));
  cairo_t *cr;

  GTK_WIDGET_CLASS (spin_scale_parent_class)->expose_event (widget, event);
  cr = gdk_cairo_create (event->window);
  gdk_cairo_region (cr, event->region);
  cairo_clip (cr);
  if (text)
    draw_label (spin_scale_cast (widget), cr, width);
  draw_frame (widget, cr, text, width, height);
  cairo_destroy (cr);
  return FALSE;
}

static void
spin_scale_request (GtkWidget *widget, GtkRequisition *size)
{
  PangoLayout *layout = make_layout (spin_scale_cast (widget));
  int width;

  GTK_WIDGET_CLASS (spin_scale_parent_class)->size_request (widget, size);
  pango_layout_get_pixel_size (layout, &width, NULL);
  size->width = MAX (size->width + width + 2 * INDENT, LENGTH);
  g_object_unref (layout);
}

/* Keys. */

static void
leave_window (SpinScale *scale)
{
  if (! scale->window)
    return;
  gtk_window_remove_mnemonic (scale->window, scale->key, GTK_WIDGET (scale));
  g_signal_handlers_disconnect_by_data (scale->window, scale);
  scale->window = NULL;
}

static void
spin_scale_change_window (GtkWidget *widget, GtkWidget *previous)
{
  SpinScale *scale = spin_scale_cast (widget);
  GtkWidget *window = gtk_widget_get_toplevel (widget);

  leave_window (scale);
  if (! GTK_IS_WINDOW (window) || scale->key == GDK_KEY_VoidSymbol)
    return;
  scale->window = GTK_WINDOW (window);
  gtk_window_add_mnemonic (scale->window, scale->key, widget);
  g_signal_connect_swapped (window, "notify::mnemonics-visible", G_CALLBACK (gtk_widget_queue_draw),
                            scale);
}

static void
spin_scale_dispose (GObject *object)
{
  leave_window (spin_scale_cast (object));
  G_OBJECT_CLASS (spin_scale_parent_class)->dispose (object);
}

static void
spin_scale_finalize (GObject *object)
{
  g_free (spin_scale_cast (object)->label);
  G_OBJECT_CLASS (spin_scale_parent_class)->finalize (object);
}

/* Beginning. */

static void
spin_scale_class_init (SpinScaleClass *class)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = spin_scale_dispose;
  G_OBJECT_CLASS (class)->finalize = spin_scale_finalize;
  widget->button_press_event = spin_scale_press;
  widget->button_release_event = spin_scale_release;
  widget->motion_notify_event = spin_scale_move;
  widget->leave_notify_event = spin_scale_leave;
  widget->expose_event = spin_scale_expose;
  widget->size_request = spin_scale_request;
  widget->hierarchy_changed = spin_scale_change_window;
}

static void
spin_scale_init (SpinScale *scale)
{
  gtk_widget_add_events (GTK_WIDGET (scale), GDK_POINTER_MOTION_MASK | GDK_LEAVE_NOTIFY_MASK);
  gtk_entry_set_alignment (GTK_ENTRY (scale), 1.0);
  gtk_entry_set_has_frame (GTK_ENTRY (scale), FALSE);
  gtk_spin_button_set_numeric (GTK_SPIN_BUTTON (scale), TRUE);
  entry_keep_legible (GTK_WIDGET (scale));
}

/* Cuts off the colon at the end, and the space that some languages have before it. */
static void
cut_colon (char *text)
{
  const char *end = text + strlen (text), *last;

  while ((last = g_utf8_find_prev_char (text, end)) &&
         (*last == ':' || g_utf8_get_char (last) == WIDE_COLON ||
          g_unichar_isspace (g_utf8_get_char (last))))
    end = last;
  text[end - text] = '\0';
}

/* Sets the label, its key and the name for assistive technology. */
static void
set_label (SpinScale *scale, const char *label)
{
  g_autofree char *text = g_strdup (label), *plain = NULL;
  gunichar accel = 0;

  cut_colon (text);
  scale->label = g_markup_escape_text (text, -1);
  pango_parse_markup (scale->label, -1, '_', NULL, &plain, &accel, NULL);
  scale->key = accel ? gdk_keyval_to_lower (gdk_unicode_to_keyval (accel)) : GDK_KEY_VoidSymbol;
  atk_object_set_name (gtk_widget_get_accessible (GTK_WIDGET (scale)), plain);
}

GtkWidget *
spin_scale_new (const FilterProperty *property)
{
  GtkObject *adjustment = gtk_adjustment_new (0.0, 0.0, 1.0, 1.0, 10.0, 0.0);
  SpinScale *scale = g_object_new (spin_scale_get_type (), "adjustment", adjustment, "climb-rate",
                                   1.0, NULL);

  scale->property = property;
  set_label (scale, _ (property->label));
  gimp_help_set_help_data (GTK_WIDGET (scale), _ (property->tooltip), NULL);
  g_signal_connect_swapped (adjustment, "value-changed", G_CALLBACK (update_bar), scale);
  g_signal_connect_swapped (adjustment, "changed", G_CALLBACK (update_bar), scale);
  update_bar (scale);
  return GTK_WIDGET (scale);
}
