/* A module of GTK's, which GTK_MODULES loads into the plug-in: F12 has it look at all labels of the
 * window that has the keyboard, and of the menus of its buttons. What is wrong with them, or "ok",
 * it puts into the file "labels" of the folder CUDA_BLUR_TEST_FOLDER. */
#include <gdk/gdkkeysyms.h>
#include <gtk/gtk.h>

#include "mailbox.h"

/* Called by GTK. */
G_MODULE_EXPORT void gtk_module_init (gint *argc, gchar ***argv);

/* A window, or a menu in it. */
typedef struct {
  GHashTable *keys;  /* of mnemonics: the text of the label */
  GString *problems; /* a sentence each */
} Labels;

static void walk (GtkWidget *widget, gpointer data);

/* Returns whether the label has less room than its text needs. */
static gboolean
is_cut (GtkLabel *label)
{
  PangoLayout *layout = gtk_label_get_layout (label);
  GtkAllocation allocation;
  int width, height, x, y;

  gtk_widget_get_allocation (GTK_WIDGET (label), &allocation);
  gtk_misc_get_padding (GTK_MISC (label), &x, &y);
  pango_layout_get_pixel_size (layout, &width, &height);
  return pango_layout_is_ellipsized (layout) || width + 2 * x > allocation.width ||
         height + 2 * y > allocation.height;
}

/* GTK gives a widget the room that it asks for even if its container has less. */
static gboolean
is_outside (GtkWidget *widget, GtkWidget *container)
{
  GtkAllocation own, room;
  int x, y;

  gtk_widget_get_allocation (widget, &own);
  gtk_widget_get_allocation (container, &room);
  gtk_widget_translate_coordinates (widget, container, 0, 0, &x, &y);
  return x < 0 || y < 0 || x + own.width > room.width || y + own.height > room.height;
}

/* The contents of a scrolled window may lie outside, and so may widgets that only reserve
 * height. */
static gboolean
is_clipped (GtkLabel *label)
{
  GtkWidget *widget = GTK_WIDGET (label), *container = gtk_widget_get_parent (widget);
  int width;

  pango_layout_get_pixel_size (gtk_label_get_layout (label), &width, NULL);
  if (width == 0)
    return FALSE;
  while (container && ! GTK_IS_VIEWPORT (container) && ! is_outside (widget, container))
    container = gtk_widget_get_parent (container);
  return is_cut (label) || (container && ! GTK_IS_VIEWPORT (container));
}

static void
check_key (Labels *labels, GtkLabel *label)
{
  guint key = gdk_keyval_to_lower (gtk_label_get_mnemonic_keyval (label));
  const char *other = g_hash_table_lookup (labels->keys, GUINT_TO_POINTER (key));

  if (key == GDK_KEY_VoidSymbol)
    return;
  if (other)
    g_string_append_printf (labels->problems, "%s leads to '%s' and to '%s'. ",
                            gdk_keyval_name (key), other, gtk_label_get_text (label));
  g_hash_table_insert (labels->keys, GUINT_TO_POINTER (key), (gpointer) gtk_label_get_text (label));
}

static void
check_label (Labels *labels, GtkLabel *label)
{
  const char *text = gtk_label_get_text (label);

  if (pango_layout_get_unknown_glyphs_count (gtk_label_get_layout (label)) > 0)
    g_string_append_printf (labels->problems, "'%s' has letters without a glyph. ", text);
  if (gtk_widget_is_drawable (GTK_WIDGET (label)) && is_clipped (label))
    g_string_append_printf (labels->problems, "'%s' is clipped. ", text);
  check_key (labels, label);
}

/* Keys in a menu are its own. */
static void
check_menus (const Labels *labels, GtkWidget *widget)
{
  GList *menu;

  for (menu = gtk_menu_get_for_attach_widget (widget); menu; menu = menu->next)
    {
      g_autoptr (GHashTable) keys = g_hash_table_new (NULL, NULL);
      Labels own = { keys, labels->problems };

      walk (menu->data, &own);
    }
}

static void
walk (GtkWidget *widget, gpointer data)
{
  if (GTK_IS_LABEL (widget))
    check_label (data, GTK_LABEL (widget));
  check_menus (data, widget);
  if (GTK_IS_CONTAINER (widget))
    gtk_container_forall (GTK_CONTAINER (widget), walk, data);
}

static void
check_window (GtkWidget *window, const char *folder)
{
  g_autoptr (GHashTable) keys = g_hash_table_new (NULL, NULL);
  g_autoptr (GString) problems = g_string_new (NULL);
  Labels labels = { keys, problems };

  walk (window, &labels);
  if (g_hash_table_size (keys) == 0)
    g_string_append (problems, "No label has a key. ");
  mailbox_put (folder, "labels", problems->len > 0 ? problems->str : "ok");
}

static gint
take_key (GtkWidget *widget, GdkEventKey *event, gpointer unused)
{
  const char *folder = g_getenv ("CUDA_BLUR_TEST_FOLDER");

  if (! folder || event->keyval != GDK_KEY_F12)
    return FALSE;
  if (event->type == GDK_KEY_PRESS)
    check_window (gtk_widget_get_toplevel (widget), folder);
  return TRUE;
}

void
gtk_module_init (gint *argc, gchar ***argv)
{
  gtk_key_snooper_install (take_key, NULL);
}
