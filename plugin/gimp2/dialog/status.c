#include "status.h"

#include <libgimp/gimp.h>
#include <libgimp/gimpui.h>

#define TWO_LINES "\n"

/* Requests the label's width: GTK 2 wraps a label at its requested width, not at its actual one. */
static void
wrap (GtkWidget *box, const GtkAllocation *room, GtkWidget *label)
{
  gtk_widget_set_size_request (label, room->width, -1);
}

GtkWidget *
hint_new (const char *text)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_misc_set_alignment (GTK_MISC (label), 0.0, 0.0);
  gtk_label_set_line_wrap (GTK_LABEL (label), TRUE);
  gimp_label_set_attributes (GTK_LABEL (label), PANGO_ATTR_STYLE, PANGO_STYLE_ITALIC, -1);
  return label;
}

/* The box has its own window, which clips a long text, and requests one pixel, whatever its label
 * requests. An empty label of two lines next to it determines the height, in any font. */
GtkWidget *
status_new (GtkWidget **row)
{
  GtkWidget *label = hint_new (NULL), *box = gtk_event_box_new ();

  *row = gtk_hbox_new (FALSE, 0);
  gtk_widget_set_size_request (box, 1, 1);
  gtk_container_add (GTK_CONTAINER (box), label);
  g_signal_connect (box, "size-allocate", G_CALLBACK (wrap), label);
  gtk_box_pack_start (GTK_BOX (*row), box, TRUE, TRUE, 0);
  gtk_box_pack_start (GTK_BOX (*row), gtk_label_new (TWO_LINES), FALSE, FALSE, 0);
  return label;
}

void
status_set (GtkWidget *label, const char *text)
{
  gtk_label_set_text (GTK_LABEL (label), text);
  gtk_widget_set_tooltip_text (label, text);
}
