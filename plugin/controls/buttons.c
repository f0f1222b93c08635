#include "buttons.h"

#include <libgimp/gimp.h>
#include <libgimp/gimpui.h>

#if ! GTK_CHECK_VERSION(3, 0, 0)
#define PALE 0.65 /* opacity of what is disabled */

/* GIMP's dark theme writes the label of a ticked button in the colour of what is disabled. */
static void
keep_color (GtkWidget *label, GtkStyle *previous, gpointer unused)
{
  const GtkStyle *style = gtk_widget_get_style (label);

  if (! gdk_color_equal (&style->fg[GTK_STATE_ACTIVE], &style->fg[GTK_STATE_NORMAL]))
    gtk_widget_modify_fg (label, GTK_STATE_ACTIVE, &style->fg[GTK_STATE_NORMAL]);
}

/* GTK 2 lays the label of a disabled button on a white copy of itself, and GIMP's dark theme gives
 * it the usual colour, so that it is the brightest one there. Draws it paler than the others. */
static gboolean
draw_disabled (GtkWidget *label, GdkEventExpose *event, gpointer unused)
{
  const GdkColor *color = &gtk_widget_get_style (label)->fg[GTK_STATE_NORMAL];
  cairo_t *cr;
  int x, y;

  if (gtk_widget_get_state (label) != GTK_STATE_INSENSITIVE)
    return FALSE;
  cr = gdk_cairo_create (event->window);
  gdk_cairo_region (cr, event->region);
  cairo_clip (cr);
  cairo_set_source_rgba (cr, color->red / 65535.0, color->green / 65535.0, color->blue / 65535.0,
                         PALE);
  gtk_label_get_layout_offsets (GTK_LABEL (label), &x, &y);
  cairo_move_to (cr, x, y);
  pango_cairo_show_layout (cr, gtk_label_get_layout (GTK_LABEL (label)));
  cairo_destroy (cr);
  return TRUE;
}

static void
correct_label (GtkWidget *label)
{
  g_signal_connect (label, "style-set", G_CALLBACK (keep_color), NULL);
  g_signal_connect (label, "expose-event", G_CALLBACK (draw_disabled), NULL);
}

static guint16
mix (guint16 text, guint16 base)
{
  return (guint16) (PALE * text + (1.0 - PALE) * base);
}

/* GIMP's dark theme makes disabled text hardly legible, and its light theme does not make it paler.
 * Modifying the style calls this function again. */
static void
use_pale_color (GtkWidget *entry, GtkStyle *previous, gpointer unused)
{
  const GtkStyle *style = gtk_widget_get_style (entry);
  const GdkColor *text = &style->text[GTK_STATE_NORMAL];
  const GdkColor *base = &style->base[GTK_STATE_INSENSITIVE];
  const GdkColor pale = { .red = mix (text->red, base->red),
                          .green = mix (text->green, base->green),
                          .blue = mix (text->blue, base->blue) };

  if (! gdk_color_equal (&style->text[GTK_STATE_INSENSITIVE], &pale))
    gtk_widget_modify_text (entry, GTK_STATE_INSENSITIVE, &pale);
}
#endif

void
entry_keep_legible (GtkWidget *entry)
{
#if ! GTK_CHECK_VERSION(3, 0, 0)
  g_signal_connect (entry, "style-set", G_CALLBACK (use_pale_color), NULL);
#endif
}

GtkWidget *
check_button_new (const char *label, const char *tooltip)
{
  GtkWidget *button = gtk_check_button_new_with_mnemonic (label);

  gimp_help_set_help_data (button, tooltip, NULL);
#if ! GTK_CHECK_VERSION(3, 0, 0)
  correct_label (gtk_bin_get_child (GTK_BIN (button)));
#endif
  return button;
}

GtkWidget *
icon_button_new (const char *icon, const char *tooltip, GCallback click, gpointer data)
{
  GtkWidget *button = gtk_button_new ();

  gtk_button_set_relief (GTK_BUTTON (button), GTK_RELIEF_NONE);
  gtk_container_add (GTK_CONTAINER (button),
                     gtk_image_new_from_icon_name (icon, GTK_ICON_SIZE_MENU));
  gimp_help_set_help_data (button, tooltip, NULL);
  atk_object_set_name (gtk_widget_get_accessible (button), tooltip);
  g_signal_connect_swapped (button, "clicked", click, data);
  return button;
}

#if GTK_CHECK_VERSION(3, 22, 0)
/* GTK 3 warns if no event opens a menu; a button that its mnemonic presses has none. */
static GdkEvent *
make_event (GtkWidget *widget)
{
  GdkSeat *seat = gdk_display_get_default_seat (gtk_widget_get_display (widget));
  GdkEvent *event = gdk_event_new (GDK_BUTTON_PRESS);

  event->button.window = g_object_ref (gtk_widget_get_window (widget));
  gdk_event_set_device (event, gdk_seat_get_pointer (seat));
  return event;
}

static void
popup (GtkMenu *menu, GtkWidget *widget)
{
  GdkEvent *event = gtk_get_current_event ();

  if (! event)
    event = make_event (widget);
  gtk_menu_popup_at_widget (menu, widget, GDK_GRAVITY_SOUTH_WEST, GDK_GRAVITY_NORTH_WEST, event);
  gdk_event_free (event);
}
#else
static void
place (GtkMenu *menu, int *x, int *y, gboolean *push_in, gpointer data)
{
  GtkAllocation allocation;

  gtk_widget_get_allocation (data, &allocation);
  gdk_window_get_origin (gtk_widget_get_window (data), x, y);
  *x += allocation.x;
  *y += allocation.y + allocation.height;
  *push_in = TRUE;
}

static void
popup (GtkMenu *menu, GtkWidget *widget)
{
  gtk_menu_popup (menu, NULL, NULL, place, widget, 0, gtk_get_current_event_time ());
}
#endif

void
menu_popup_below (GtkMenu *menu)
{
  popup (menu, gtk_menu_get_attach_widget (menu));
}
