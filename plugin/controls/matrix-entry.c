#include "matrix-entry.h"

#include "matrix-cells.h"
#include "matrix-field.h"
#include "matrix-tools.h"

#include <glib/gi18n-lib.h>

#define HEIGHT     170  /* of the pages, in pixels, at least */
#define LINE_WIDTH 46   /* in characters */
#define LINES      "\n" /* room for the line's text, at least */

enum { PAGE_CELLS, PAGE_TEXT };

struct MatrixEntry {
  FilterMatrix *matrix;
  MatrixChangedFunc changed;
  gpointer data;
  MatrixTools *tools;
  MatrixCells *cells;
  MatrixField *field;
  GtkWidget *widget, *pages, *line;
};

/* Shows matrix in all parts but the one that it comes from; NULL: the matrix stays. */
static void
matrix_entry_show (MatrixEntry *entry, const FilterMatrix *matrix, gconstpointer from)
{
  FilterMatrix *last = entry->matrix;

  if (matrix)
    {
      entry->matrix = filter_matrix_ref (matrix);
      filter_matrix_free (last);
    }
  if (from != entry->field)
    matrix_field_set (entry->field, entry->matrix);
  if (from != entry->cells)
    matrix_cells_set (entry->cells, entry->matrix);
  matrix_tools_show (entry->tools, entry->matrix);
}

static void
change_field (gpointer data, const FilterMatrix *matrix)
{
  MatrixEntry *entry = data;

  matrix_entry_show (entry, matrix, entry->field);
  entry->changed (entry->data);
}

static void
change_cells (gpointer data, const FilterMatrix *matrix)
{
  MatrixEntry *entry = data;

  matrix_entry_show (entry, matrix, entry->cells);
  entry->changed (entry->data);
}

static const FilterMatrix *
get_matrix (gpointer data)
{
  return matrix_entry_get (data);
}

static void
matrix_entry_set_matrix (gpointer data, const FilterMatrix *matrix)
{
  MatrixEntry *entry = data;

  matrix_entry_set (entry, matrix);
  entry->changed (entry->data);
}

/* Pages. */

static void
show_page (MatrixEntry *entry, int page)
{
  gtk_notebook_set_current_page (GTK_NOTEBOOK (entry->pages), page);
  matrix_entry_grab_focus (entry);
}

static gboolean
show_cells (GtkWidget *tab, gboolean cycles, MatrixEntry *entry)
{
  show_page (entry, PAGE_CELLS);
  return TRUE;
}

static gboolean
show_text (GtkWidget *tab, gboolean cycles, MatrixEntry *entry)
{
  show_page (entry, PAGE_TEXT);
  return TRUE;
}

/* Adds a page. Its mnemonic moves the focus into the page; the notebook's own handler would leave
 * it at the tab. */
static void
add_page (MatrixEntry *entry, GtkWidget *page, const char *label,
          gboolean (*show) (GtkWidget *tab, gboolean cycles, MatrixEntry *entry))
{
  GtkWidget *tab = gtk_label_new_with_mnemonic (label);

  g_signal_connect (tab, "mnemonic-activate", G_CALLBACK (show), entry);
  gtk_notebook_append_page (GTK_NOTEBOOK (entry->pages), page, tab);
}

static GtkWidget *
make_pages (MatrixEntry *entry)
{
  entry->pages = gtk_notebook_new ();
  gtk_widget_set_size_request (entry->pages, -1, HEIGHT);
  add_page (entry, matrix_cells_get_widget (entry->cells), _ ("I_n Cells"), show_cells);
  add_page (entry, matrix_field_get_widget (entry->field), _ ("As Te_xt"), show_text);
  gtk_notebook_set_action_widget (GTK_NOTEBOOK (entry->pages),
                                  matrix_cells_get_size_widget (entry->cells), GTK_PACK_END);
  return entry->pages;
}

static GtkWidget *
make_line (void)
{
  GtkWidget *line = gtk_label_new (NULL);

  gtk_misc_set_alignment (GTK_MISC (line), 0.0, 0.0);
  gtk_label_set_line_wrap (GTK_LABEL (line), TRUE);
  gtk_label_set_width_chars (GTK_LABEL (line), LINE_WIDTH);
  return line;
}

/* An empty label beside the line reserves its usual height, so that the window does not change its
 * size while the user types. */
static GtkWidget *
matrix_entry_make_room (GtkWidget *line)
{
  GtkWidget *row = gtk_hbox_new (FALSE, 0);

  gtk_box_pack_start (GTK_BOX (row), line, TRUE, TRUE, 0);
  gtk_box_pack_start (GTK_BOX (row), gtk_label_new (LINES), FALSE, FALSE, 0);
  return row;
}

static void
matrix_entry_arrange (MatrixEntry *entry)
{
  GtkBox *box;

  entry->widget = gtk_vbox_new (FALSE, 6);
  entry->line = make_line ();
  box = GTK_BOX (entry->widget);
  gtk_box_pack_start (box, matrix_tools_get_widget (entry->tools), FALSE, FALSE, 0);
  gtk_box_pack_start (box, make_pages (entry), TRUE, TRUE, 0);
  gtk_box_pack_start (box, matrix_entry_make_room (entry->line), FALSE, FALSE, 0);
}

MatrixEntry *
matrix_entry_new (const FilterProperty *property, const FilterMatrix *matrix,
                  MatrixChangedFunc changed, gpointer data)
{
  MatrixEntry *entry = g_new0 (MatrixEntry, 1);
  int largest = (int) property->maximum;

  entry->changed = changed;
  entry->data = data;
  entry->tools = matrix_tools_new (_ (property->label), largest, get_matrix,
                                   matrix_entry_set_matrix, entry);
  entry->cells = matrix_cells_new (largest, change_cells, entry);
  entry->field = matrix_field_new (largest, _ (property->tooltip), change_field, entry);
  matrix_entry_arrange (entry);
  matrix_entry_set (entry, matrix);
  return entry;
}

void
matrix_entry_free (MatrixEntry *entry)
{
  if (! entry)
    return;
  matrix_tools_free (entry->tools);
  matrix_cells_free (entry->cells);
  matrix_field_free (entry->field);
  filter_matrix_free (entry->matrix);
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
  if (gtk_notebook_get_current_page (GTK_NOTEBOOK (entry->pages)) == PAGE_TEXT)
    matrix_field_grab_focus (entry->field);
  else if (! matrix_cells_grab_focus (entry->cells))
    gtk_widget_grab_focus (entry->pages);
}

const char *
matrix_entry_get_problem (const MatrixEntry *entry)
{
  return matrix_field_get_problem (entry->field);
}

const FilterMatrix *
matrix_entry_get (const MatrixEntry *entry)
{
  return entry->matrix;
}

void
matrix_entry_set (MatrixEntry *entry, const FilterMatrix *matrix)
{
  matrix_entry_show (entry, matrix, NULL);
}

void
matrix_entry_set_message (MatrixEntry *entry, const char *text)
{
  gtk_label_set_text (GTK_LABEL (entry->line), text);
}
