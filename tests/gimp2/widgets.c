/* A module of GTK's, which GTK_MODULES loads into GIMP and into the plug-in. A key has it do
 * something in the window that has the keyboard, and put what it finds into a file of the folder
 * CUDA_BLUR_TEST_FOLDER:
 *
 *   F9   "chosen"    Chooses, in a combo box, the entry that the model knows as
 *                    CUDA_BLUR_TEST_OPERATION, and gives the box the focus: "ok", or what is wrong.
 *   F11  "switches"  Looks at the check buttons, the sliders and the pictures. A line for each: its
 *                    label; "on" or "disabled"; "alike" or "unlike"; the tooltip, or "none". Alike
 *                    are the colours of a button's label when it is ticked and not, and those of a
 *                    slider's number when it is disabled and not, the one as a pale shade.
 *   F12  "labels"    Looks at all labels, also of the menus of its buttons: "ok", or what is wrong.
 *
 * Each new text of a visible label is added to the file "texts", as a line. */
#include <gdk/gdkkeysyms.h>
#include <gtk/gtk.h>
#include <stdio.h>

/* Called by GTK. */
G_MODULE_EXPORT void gtk_module_init (gint *argc, gchar ***argv);

/* Choosing */

/* The entry to look for, and its place. */
typedef struct {
  const char *name;
  GtkComboBox *box; /* NULL until it is found */
  GtkTreeIter iter;
} Entry;

static gboolean
is_at (GtkTreeModel *model, GtkTreeIter *iter, const char *name)
{
  for (int column = 0; column < gtk_tree_model_get_n_columns (model); column++)
    if (gtk_tree_model_get_column_type (model, column) == G_TYPE_STRING)
      {
        g_autofree char *text = NULL;

        gtk_tree_model_get (model, iter, column, &text, -1);
        if (g_strcmp0 (text, name) == 0)
          return TRUE;
      }
  return FALSE;
}

static void
look_in (Entry *entry, GtkComboBox *box)
{
  GtkTreeModel *model = gtk_combo_box_get_model (box);
  GtkTreeIter iter;

  for (gboolean more = model && gtk_tree_model_get_iter_first (model, &iter); more && ! entry->box;
       more = gtk_tree_model_iter_next (model, &iter))
    if (is_at (model, &iter, entry->name))
      {
        entry->box = box;
        entry->iter = iter;
      }
}

static void
find_entry (GtkWidget *widget, gpointer data)
{
  if (GTK_IS_COMBO_BOX (widget))
    look_in (data, GTK_COMBO_BOX (widget));
  else if (GTK_IS_CONTAINER (widget))
    gtk_container_forall (GTK_CONTAINER (widget), find_entry, data);
}

static void
choose (GtkWidget *window, gpointer found)
{
  Entry entry = { .name = g_getenv ("CUDA_BLUR_TEST_OPERATION") };

  find_entry (window, &entry);
  if (entry.box)
    {
      gtk_combo_box_set_active_iter (entry.box, &entry.iter);
      gtk_widget_grab_focus (GTK_WIDGET (entry.box));
    }
  g_string_append (found, entry.box ? "ok" : "it is not in the list");
}

/* Switches */

static void
describe (GtkWidget *control, const char *label, gboolean alike, GString *lines)
{
  g_autofree char *tooltip = gtk_widget_get_tooltip_text (control);

  g_string_append_printf (lines, "%s: %s, %s: %s\n", label,
                          gtk_widget_is_sensitive (control) ? "on" : "disabled",
                          alike ? "alike" : "unlike",
                          gtk_widget_get_has_tooltip (control) ? tooltip : "none");
}

static void
describe_button (GtkWidget *button, GString *lines)
{
  GtkWidget *label = gtk_bin_get_child (GTK_BIN (button));
  const GtkStyle *style = gtk_widget_get_style (label);

  describe (button, gtk_label_get_text (GTK_LABEL (label)),
            gdk_color_equal (&style->fg[GTK_STATE_ACTIVE], &style->fg[GTK_STATE_NORMAL]), lines);
}

static double
get_level (const GdkColor *color)
{
  return (double) color->red + color->green + color->blue;
}

/* Returns whether a disabled number is paler than one that is not, and can be read. */
static gboolean
is_pale (const GtkStyle *style)
{
  double base = get_level (&style->base[GTK_STATE_INSENSITIVE]);
  double share = (get_level (&style->text[GTK_STATE_INSENSITIVE]) - base) /
                 (get_level (&style->text[GTK_STATE_NORMAL]) - base);

  return share > 0.5 && share < 0.8;
}

static void
look_at_switches (GtkWidget *widget, gpointer data)
{
  const char *name = atk_object_get_name (gtk_widget_get_accessible (widget));

  if (GTK_IS_CHECK_BUTTON (widget))
    describe_button (widget, data);
  else if (GTK_IS_SPIN_BUTTON (widget))
    describe (widget, name ? name : "a number", is_pale (gtk_widget_get_style (widget)), data);
  else if (GTK_IS_DRAWING_AREA (widget))
    describe (widget, "a picture", TRUE, data);
  else if (GTK_IS_CONTAINER (widget))
    gtk_container_forall (GTK_CONTAINER (widget), look_at_switches, data);
}

/* Labels */

/* A window, or a menu in it. */
typedef struct {
  GHashTable *keys;  /* of mnemonics: the text of the label */
  GString *problems; /* a sentence each */
} Labels;

static void check_all (GtkWidget *widget, gpointer data);

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

      check_all (menu->data, &own);
    }
}

static void
check_all (GtkWidget *widget, gpointer data)
{
  if (GTK_IS_LABEL (widget))
    check_label (data, GTK_LABEL (widget));
  check_menus (data, widget);
  if (GTK_IS_CONTAINER (widget))
    gtk_container_forall (GTK_CONTAINER (widget), check_all, data);
}

static void
look_at_labels (GtkWidget *window, gpointer found)
{
  GString *problems = found;
  g_autoptr (GHashTable) keys = g_hash_table_new (NULL, NULL);
  Labels labels = { keys, problems };

  check_all (window, &labels);
  if (g_hash_table_size (keys) == 0)
    g_string_append (problems, "No label has a key. ");
  if (problems->len == 0)
    g_string_append (problems, "ok");
}

/* Keys */

static const struct {
  guint key;
  const char *file;
  GtkCallback look; /* its data is a GString */
} looks[] = {
  { GDK_KEY_F9, "chosen", choose },
  { GDK_KEY_F11, "switches", look_at_switches },
  { GDK_KEY_F12, "labels", look_at_labels },
};

static gint
take_key (GtkWidget *widget, GdkEventKey *event, gpointer unused)
{
  const char *folder = g_getenv ("CUDA_BLUR_TEST_FOLDER");
  g_autoptr (GString) found = g_string_new (NULL);
  guint i = 0;

  while (i < G_N_ELEMENTS (looks) && looks[i].key != event->keyval)
    i++;
  if (! folder || i == G_N_ELEMENTS (looks))
    return FALSE;
  if (event->type == GDK_KEY_PRESS)
    {
      g_autofree char *path = g_build_filename (folder, looks[i].file, NULL);

      looks[i].look (gtk_widget_get_toplevel (widget), found);
      g_file_set_contents (path, found->str, -1, NULL); /* renames */
    }
  return TRUE;
}

/* Texts */

static void
note_text (GtkLabel *label, GParamSpec *param, gpointer unused)
{
  const char *folder = g_getenv ("CUDA_BLUR_TEST_FOLDER");
  g_autofree char *path = g_build_filename (folder ? folder : "", "texts", NULL);
  FILE *file = folder ? fopen (path, "a") : NULL;

  if (! file)
    return;
  fprintf (file, "%s\n", gtk_label_get_text (label));
  fclose (file);
}

/* There are no hooks for changes of properties. */
static gboolean
note_texts (GSignalInvocationHint *hint, guint n, const GValue *values, gpointer unused)
{
  gpointer widget = g_value_get_object (&values[0]);

  if (GTK_IS_LABEL (widget) && ! g_object_get_data (widget, "noted"))
    {
      g_object_set_data (widget, "noted", widget);
      g_signal_connect (widget, "notify::label", G_CALLBACK (note_text), NULL);
    }
  return TRUE;
}

void
gtk_module_init (gint *argc, gchar ***argv)
{
  g_type_class_unref (g_type_class_ref (GTK_TYPE_WIDGET)); /* which makes its signals */
  g_signal_add_emission_hook (g_signal_lookup ("map", GTK_TYPE_WIDGET), 0, note_texts, NULL, NULL);
  gtk_key_snooper_install (take_key, NULL);
}
