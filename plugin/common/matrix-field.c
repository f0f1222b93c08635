#include "matrix-field.h"

#include "matrix-text.h"

#include <glib/gi18n-lib.h>
#include <libgimp/gimp.h>
#include <libgimp/gimpui.h>

struct MatrixField {
  int largest;
  GError *problem;
  MatrixFieldChangedFunc changed;
  gpointer data;
  gboolean quiet; /* the text is being set by the program */
  GtkWidget *widget, *view;
  GtkTextBuffer *buffer; /* of the view */
};

/* More values than people read. A text of a million values would freeze the dialog. */
#define SHOWN_MAX (63 * 63)

static void
matrix_field_set_text (MatrixField *field, const char *text)
{
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
  g_clear_error (&field->problem);
  matrix = matrix_text_parse (text, -1, field->largest, &field->problem);
  if (matrix && matrix->n_values > SHOWN_MAX)
    show_size (field, matrix);
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
  g_autofree char *text = NULL;

  g_clear_error (&field->problem);
  if (matrix->n_values > SHOWN_MAX)
    {
      show_size (field, matrix);
      return;
    }
  text = matrix_text_print (matrix);
  matrix_field_set_text (field, text);
}
