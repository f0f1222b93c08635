/* A module of GTK's, which GTK_MODULES loads into the plug-in: F11 has it look at the check buttons
 * and the sliders of the window that has the keyboard. It puts a line for each into the file
 * "switches" of the folder CUDA_BLUR_TEST_FOLDER: its label; "on" or "disabled"; for a button
 * "alike" if the label has the same colour ticked and not, or "unlike"; the tooltip. */
#include <gdk/gdkkeysyms.h>
#include <gtk/gtk.h>

#include "mailbox.h"

/* Called by GTK. */
G_MODULE_EXPORT void gtk_module_init (gint *argc, gchar ***argv);

static void
describe (GtkWidget *control, const char *label, const char *colour, GString *lines)
{
  g_autofree char *tooltip = gtk_widget_get_tooltip_text (control);

  g_string_append_printf (lines, "%s: %s%s: %s\n", label,
                          gtk_widget_is_sensitive (control) ? "on" : "disabled", colour, tooltip);
}

static void
describe_button (GtkWidget *button, GString *lines)
{
  GtkWidget *label = gtk_bin_get_child (GTK_BIN (button));
  const GtkStyle *style = gtk_widget_get_style (label);
  gboolean alike = gdk_color_equal (&style->fg[GTK_STATE_ACTIVE], &style->fg[GTK_STATE_NORMAL]);

  describe (button, gtk_label_get_text (GTK_LABEL (label)), alike ? ", alike" : ", unlike", lines);
}

static void
walk (GtkWidget *widget, gpointer data)
{
  const char *name = atk_object_get_name (gtk_widget_get_accessible (widget));

  if (GTK_IS_CHECK_BUTTON (widget))
    describe_button (widget, data);
  else if (GTK_IS_SPIN_BUTTON (widget) && name)
    describe (widget, name, "", data);
  else if (GTK_IS_CONTAINER (widget))
    gtk_container_forall (GTK_CONTAINER (widget), walk, data);
}

static gint
take_key (GtkWidget *widget, GdkEventKey *event, gpointer unused)
{
  const char *folder = g_getenv ("CUDA_BLUR_TEST_FOLDER");
  g_autoptr (GString) lines = g_string_new (NULL);

  if (! folder || event->keyval != GDK_KEY_F11)
    return FALSE;
  if (event->type == GDK_KEY_PRESS)
    {
      walk (gtk_widget_get_toplevel (widget), lines);
      mailbox_put (folder, "switches", lines->str);
    }
  return TRUE;
}

void
gtk_module_init (gint *argc, gchar ***argv)
{
  gtk_key_snooper_install (take_key, NULL);
}
