#include "matrix-field.h"

#include "matrix-text.h"

#include <glib/gi18n-lib.h>
#include <libgimp/gimp.h>
#include <libgimp/gimpui.h>
#include <string.h>

struct MatrixField {
  int largest;
  GError *problem;
  MatrixFieldChangedFunc changed;
  gpointer data;
  gboolean quiet; /* the text is being set by the program */
  GtkWidget *widget, *view;
  GtkTextBuffer *buffer; /* of the view */
  char *stand_in;        /* what it has in place of a large matrix, or NULL */
  guint dropping;        /* a source, or 0 */
};

/* More values than people read. A text of a million values would freeze the dialog. */
#define SHOWN_MAX (63 * 63)

static void
matrix_field_set_text (MatrixField *field, const char *text)
{
  g_clear_pointer (&field->stand_in, g_free);
  field->quiet = TRUE;
  gtk_text_buffer_set_text (field->buffer, text, -1);
  field->quiet = FALSE;
}

/* Says what a matrix is that has too many values to show. */
static void
show_size (MatrixField *field, const FilterMatrix *matrix)
{
  g_autofree char *text = g_strdup_printf (_ ("(%d x %d values, too many to show.\n"
                                              "Paste or load others to replace them.)"),
                                           matrix->rows, matrix->columns);

  matrix_field_set_text (field, text);
  field->stand_in = g_steal_pointer (&text);
}

/* Removes the stand-in from text, if something was typed or pasted beside it. */
static void
drop_stand_in (MatrixField *field, char *text)
{
  char *found = field->stand_in ? strstr (text, field->stand_in) : NULL;
  gsize length;

  if (! found)
    return;
  length = strlen (field->stand_in);
  memmove (found, found + length, strlen (found + length) + 1);
  matrix_field_set_text (field, text);
}

/* Empties the view of a text that is too long to be shown and cannot be read. The line says what is
 * wrong with it. GTK 2 pastes before a selection that it removes afterwards, so this waits. */
static gboolean
drop_unreadable (gpointer data)
{
  MatrixField *field = data;

  field->dropping = 0;
  if (field->problem && gtk_text_buffer_get_char_count (field->buffer) > 32 * SHOWN_MAX)
    matrix_field_set_text (field, "");
  return G_SOURCE_REMOVE;
}

static void
matrix_field_change (MatrixField *field)
{
  g_autoptr (FilterMatrix) matrix = NULL;
  g_autofree char *text = NULL;
  GtkTextIter start, end;

  if (field->quiet)
    return;
  gtk_text_buffer_get_bounds (field->buffer, &start, &end);
  text = gtk_text_buffer_get_text (field->buffer, &start, &end, FALSE);
  drop_stand_in (field, text);
  g_clear_error (&field->problem);
  matrix = matrix_text_parse (text, -1, field->largest, &field->problem);
  if (matrix && matrix->n_values > SHOWN_MAX)
    show_size (field, matrix);
  else if (! matrix && ! field->dropping)
    field->dropping = g_idle_add_full (G_PRIORITY_DEFAULT, drop_unreadable, field, NULL);
  field->changed (field->data, matrix);
}

/* Tab moves to the next control: blanks separate numbers. */
static GtkWidget *
make_view (MatrixField *field, const char *tooltip)
{
  PangoFontDescription *font = pango_font_description_from_string ("monospace");
  GtkWidget *view = gtk_text_view_new ();

  gtk_text_view_set_accepts_tab (GTK_TEXT_VIEW (view), FALSE);
  gtk_text_view_set_left_margin (GTK_TEXT_VIEW (view), 3);
  gtk_text_view_set_right_margin (GTK_TEXT_VIEW (view), 3);
  gtk_widget_modify_font (view, font);
  pango_font_description_free (font);
  gimp_help_set_help_data (view, tooltip, NULL);
  field->view = view;
  field->buffer = gtk_text_view_get_buffer (GTK_TEXT_VIEW (view));
  g_signal_connect_swapped (field->buffer, "changed", G_CALLBACK (matrix_field_change), field);
  return view;
}

MatrixField *
matrix_field_new (int largest, const char *tooltip, MatrixFieldChangedFunc changed, gpointer data)
{
  MatrixField *field = g_new0 (MatrixField, 1);
  GtkWidget *window = gtk_scrolled_window_new (NULL, NULL);

  field->largest = largest;
  field->changed = changed;
  field->data = data;
  field->widget = window;
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (window), GTK_POLICY_AUTOMATIC,
                                  GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_shadow_type (GTK_SCROLLED_WINDOW (window), GTK_SHADOW_IN);
  gtk_container_add (GTK_CONTAINER (window), make_view (field, tooltip));
  return field;
}

void
matrix_field_free (MatrixField *field)
{
  if (! field)
    return;
  g_clear_error (&field->problem);
  g_clear_handle_id (&field->dropping, g_source_remove);
  g_free (field->stand_in);
  g_free (field);
}

GtkWidget *
matrix_field_get_widget (const MatrixField *field)
{
  return field->widget;
}

void
matrix_field_grab_focus (MatrixField *field)
{
  gtk_widget_grab_focus (field->view);
}

const char *
matrix_field_get_problem (const MatrixField *field)
{
  return field->problem ? field->problem->message : NULL;
}

void
matrix_field_set (MatrixField *field, const FilterMatrix *matrix)
{
  g_autofree char *text = matrix->n_values > SHOWN_MAX ? NULL : matrix_text_print (matrix);

  g_clear_error (&field->problem);
  if (text)
    matrix_field_set_text (field, text);
  else
    show_size (field, matrix);
}
