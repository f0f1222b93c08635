#include "matrix-entry.h"

#include "matrix-text.h"

#include <glib/gi18n-lib.h>
#include <libgimp/gimp.h>
#include <libgimp/gimpui.h>

#define HEIGHT     140    /* pixels of the field, at least */
#define LINE_WIDTH 46     /* characters */
#define LINES      "\n\n" /* that what it says may take */

struct MatrixEntry {
  int largest; /* of rows and of columns */
  FilterMatrix *matrix;
  GError *problem;
  MatrixChangedFunc changed;
  gpointer data;
  gboolean quiet; /* the text is being set */
  GtkWidget *widget, *view, *line;
  GtkTextBuffer *buffer; /* the view's */
};

static void
change (MatrixEntry *entry)
{
  g_autofree char *text = NULL;
  FilterMatrix *matrix;
  GtkTextIter start, end;

  if (entry->quiet)
    return;
  gtk_text_buffer_get_bounds (entry->buffer, &start, &end);
  text = gtk_text_buffer_get_text (entry->buffer, &start, &end, FALSE);
  g_clear_error (&entry->problem);
  matrix = matrix_text_parse (text, -1, entry->largest, &entry->problem);
  if (matrix)
    {
      filter_matrix_free (entry->matrix);
      entry->matrix = matrix;
    }
  entry->changed (entry->data);
}

/* Tab leads to the next control: between numbers a blank does. */
static GtkWidget *
make_view (MatrixEntry *entry, const FilterProperty *property)
{
  PangoFontDescription *font = pango_font_description_from_string ("monospace");
  GtkWidget *view = gtk_text_view_new ();

  gtk_text_view_set_accepts_tab (GTK_TEXT_VIEW (view), FALSE);
  gtk_text_view_set_left_margin (GTK_TEXT_VIEW (view), 3);
  gtk_text_view_set_right_margin (GTK_TEXT_VIEW (view), 3);
  gtk_widget_modify_font (view, font);
  pango_font_description_free (font);
  gimp_help_set_help_data (view, _ (property->tooltip), NULL);
  entry->view = view;
  entry->buffer = gtk_text_view_get_buffer (GTK_TEXT_VIEW (view));
  g_signal_connect_swapped (entry->buffer, "changed", G_CALLBACK (change), entry);
  return view;
}

static GtkWidget *
make_field (MatrixEntry *entry, const FilterProperty *property)
{
  GtkWidget *window = gtk_scrolled_window_new (NULL, NULL);

  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (window), GTK_POLICY_AUTOMATIC,
                                  GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_shadow_type (GTK_SCROLLED_WINDOW (window), GTK_SHADOW_IN);
  gtk_widget_set_size_request (window, -1, HEIGHT);
  gtk_container_add (GTK_CONTAINER (window), make_view (entry, property));
  return window;
}

static GtkWidget *
make_label (const MatrixEntry *entry, const char *text)
{
  GtkWidget *label = gtk_label_new_with_mnemonic (text);

  gtk_misc_set_alignment (GTK_MISC (label), 0.0, 0.5);
  gtk_label_set_mnemonic_widget (GTK_LABEL (label), entry->view);
  return label;
}

/* As high as it ever is, so that the window keeps its size under a typing hand. */
static GtkWidget *
make_line (void)
{
  GtkWidget *line = gtk_label_new (LINES);
  GtkRequisition size;

  gtk_misc_set_alignment (GTK_MISC (line), 0.0, 0.0);
  gtk_widget_size_request (line, &size);
  gtk_widget_set_size_request (line, -1, size.height);
  gtk_label_set_line_wrap (GTK_LABEL (line), TRUE);
  gtk_label_set_width_chars (GTK_LABEL (line), LINE_WIDTH);
  return line;
}

MatrixEntry *
matrix_entry_new (const FilterProperty *property, const FilterMatrix *matrix,
                  MatrixChangedFunc changed, gpointer data)
{
  MatrixEntry *entry = g_new0 (MatrixEntry, 1);
  GtkWidget *field = make_field (entry, property);

  entry->largest = (int) property->maximum;
  entry->changed = changed;
  entry->data = data;
  entry->widget = gtk_vbox_new (FALSE, 3);
  entry->line = make_line ();
  gtk_box_pack_start (GTK_BOX (entry->widget), make_label (entry, _ (property->label)), FALSE,
                      FALSE, 0);
  gtk_box_pack_start (GTK_BOX (entry->widget), field, TRUE, TRUE, 0);
  gtk_box_pack_start (GTK_BOX (entry->widget), entry->line, FALSE, FALSE, 0);
  matrix_entry_set (entry, matrix);
  return entry;
}

void
matrix_entry_free (MatrixEntry *entry)
{
  if (! entry)
    return;
  filter_matrix_free (entry->matrix);
  g_clear_error (&entry->problem);
  g_free (entry);
}

GtkWidget *
matrix_entry_get_widget (const MatrixEntry *entry)
{
  return entry->widget;
}

void
matrix_entry_grab_focus (MatrixEntry *entry)
{
  gtk_widget_grab_focus (entry->view);
}

const char *
matrix_entry_get_problem (const MatrixEntry *entry)
{
  return entry->problem ? entry->problem->message : NULL;
}

const FilterMatrix *
matrix_entry_get (const MatrixEntry *entry)
{
  return entry->matrix;
}

void
matrix_entry_set (MatrixEntry *entry, const FilterMatrix *matrix)
{
  g_autofree char *text = matrix_text_print (matrix);

  filter_matrix_free (entry->matrix);
  entry->matrix = filter_matrix_copy (matrix);
  g_clear_error (&entry->problem);
  entry->quiet = TRUE;
  gtk_text_buffer_set_text (entry->buffer, text, -1);
  entry->quiet = FALSE;
}

void
matrix_entry_tell (MatrixEntry *entry, const char *text)
{
  gtk_label_set_text (GTK_LABEL (entry->line), text);
}
