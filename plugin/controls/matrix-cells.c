#include "matrix-cells.h"

#include "error.h"
#include "matrix-cell.h"
#include "matrix-operations.h"

#include <glib/gi18n-lib.h>
#include <libgimp/gimp.h>
#include <libgimp/gimpui.h>

#define SPIN_WIDTH 3
#define SIDE       MATRIX_CELLS_MAX

struct MatrixCells {
  FilterMatrix *matrix;
  MatrixCellsChangedFunc changed;
  gpointer data;
  gboolean quiet; /* the size is being set by the program */
  GtkWidget *widget, *size, *window, *note;
  GtkWidget *table;             /* within the window */
  GtkAdjustment *side[2];       /* rows, columns */
  MatrixCell *cell[SIDE][SIDE]; /* NULL until needed */
};

static void show (MatrixCells *cells);

/* The table's functions, which the cells call. */

static gboolean
has_cell (const MatrixCells *cells, int row, int column)
{
  return row < cells->matrix->rows && column < cells->matrix->columns;
}

static double
matrix_cells_get_value (gpointer data, int row, int column)
{
  const MatrixCells *cells = data;

  return has_cell (cells, row, column)
           ? cells->matrix->values[row * cells->matrix->columns + column]
           : 0.0;
}

/* Takes ownership of matrix. NULL: there was no memory for it. */
static void
matrix_cells_notify (MatrixCells *cells, FilterMatrix *matrix)
{
  g_autoptr (GError) error = NULL;

  if (! matrix)
    {
      fx_set_no_memory (&error);
      gimp_message (error->message);
      return;
    }
  filter_matrix_free (cells->matrix);
  cells->matrix = matrix;
  cells->changed (cells->data, cells->matrix);
}

static void
matrix_cells_set_value (gpointer data, int row, int column, double value)
{
  MatrixCells *cells = data;
  const FilterMatrix one = { 1, 1, 1, &value };

  if (has_cell (cells, row, column))
    matrix_cells_notify (cells, matrix_paste (cells->matrix, &one, row, column, SIDE));
}

static void
matrix_cells_move_to (gpointer data, int row, int column)
{
  MatrixCells *cells = data;
  const FilterMatrix *matrix = cells->matrix;
  int i = CLAMP (row, 0, matrix->rows - 1), j = CLAMP (column, 0, matrix->columns - 1);

  matrix_cell_grab_focus (cells->cell[i][j]);
}

/* If this returns FALSE, Tab leaves the table. */
static gboolean
move_by (gpointer data, int row, int column, int step)
{
  const FilterMatrix *matrix = ((MatrixCells *) data)->matrix;
  int i = row * matrix->columns + column + step;

  if (i < 0 || i >= matrix->n_values)
    return FALSE;
  matrix_cells_move_to (data, i / matrix->columns, i % matrix->columns);
  return TRUE;
}

static void
matrix_cells_paste (gpointer data, int row, int column, const FilterMatrix *block)
{
  MatrixCells *cells = data;

  matrix_cells_notify (cells, matrix_paste (cells->matrix, block, row, column, SIDE));
  show (cells);
  matrix_cells_move_to (cells, row, column);
}

static const MatrixCellTable cell_table = { matrix_cells_get_value, matrix_cells_set_value,
                                            matrix_cells_move_to, move_by, matrix_cells_paste };

/* The table. */

static void
make_cell (MatrixCells *cells, int row, int column)
{
  guint left = (guint) column, top = (guint) row;
  g_autofree char *name = g_strdup_printf (_ ("Row %d, column %d"), row + 1, column + 1);
  MatrixCell *cell = matrix_cell_new (&cell_table, cells, row, column, name);

  cells->cell[row][column] = cell;
  gtk_table_attach (GTK_TABLE (cells->table), matrix_cell_get_widget (cell), left, left + 1, top,
                    top + 1, GTK_FILL, GTK_FILL, 0, 0);
}

static void
show_cell (MatrixCells *cells, int row, int column)
{
  gboolean needed = has_cell (cells, row, column);

  if (needed && ! cells->cell[row][column])
    make_cell (cells, row, column);
  if (! cells->cell[row][column])
    return;
  gtk_widget_set_visible (matrix_cell_get_widget (cells->cell[row][column]), needed);
  if (needed)
    matrix_cell_show (cells->cell[row][column]);
}

static gboolean
is_too_large (const FilterMatrix *matrix)
{
  return matrix->rows > SIDE || matrix->columns > SIDE;
}

static void
show_note (MatrixCells *cells)
{
  g_autofree char *text = g_strdup_printf (
    _ ("Matrices of up to %d x %d can be edited in cells; this one is %d x %d. Edit it as text"),
    SIDE, SIDE, cells->matrix->rows, cells->matrix->columns);

  gtk_label_set_text (GTK_LABEL (cells->note), text);
}

static void
show_size (MatrixCells *cells)
{
  cells->quiet = TRUE;
  gtk_adjustment_set_value (cells->side[0], cells->matrix->rows);
  gtk_adjustment_set_value (cells->side[1], cells->matrix->columns);
  cells->quiet = FALSE;
}

#if GTK_CHECK_VERSION(3, 22, 0)
/* Makes room for all columns, as far as the monitor has it. */
static void
widen (const MatrixCells *cells)
{
  GtkScrolledWindow *scrolled = GTK_SCROLLED_WINDOW (cells->window);
  GtkWidget *top = gtk_widget_get_toplevel (cells->window);
  GdkWindow *window = gtk_widget_get_window (top);
  GdkRectangle area;
  int width, whole;

  gdk_monitor_get_workarea (gdk_display_get_monitor_at_window (gdk_window_get_display (window),
                                                               window),
                            &area);
  gtk_widget_get_preferred_width (cells->table, NULL, &width);
  gtk_scrolled_window_set_min_content_width (scrolled, width);
  gtk_widget_get_preferred_width (top, &whole, NULL);
  if (whole > area.width)
    gtk_scrolled_window_set_min_content_width (scrolled, MAX (width - (whole - area.width), 1));
}
#else
/* GTK 2 has no width for what scrolls. */
static void
widen (const MatrixCells *cells)
{
}
#endif

/* Updates the cells only while they are visible: there may be many. */
static void
show (MatrixCells *cells)
{
  gboolean too_large = is_too_large (cells->matrix);

  show_size (cells);
  if (! gtk_widget_get_mapped (cells->widget))
    return;
  gtk_widget_set_visible (cells->window, ! too_large);
  gtk_widget_set_visible (cells->note, too_large);
  if (too_large)
    {
      show_note (cells);
      return;
    }
  for (int i = 0; i < SIDE * SIDE; i++)
    show_cell (cells, i / SIDE, i % SIDE);
  widen (cells);
}

/* An even number becomes the odd one above it. */
static void
change_size (GtkAdjustment *adjustment, MatrixCells *cells)
{
  int value = (int) gtk_adjustment_get_value (adjustment);

  if (cells->quiet)
    return;
  if (value % 2 == 0)
    {
      gtk_adjustment_set_value (adjustment, value + 1);
      return;
    }
  matrix_cells_notify (cells, matrix_resize (cells->matrix,
                                             (int) gtk_adjustment_get_value (cells->side[0]),
                                             (int) gtk_adjustment_get_value (cells->side[1])));
  show (cells);
}

static GtkWidget *
matrix_cells_make_spin (MatrixCells *cells, int which, int largest, const char *tooltip)
{
  GtkAdjustment *adjustment = GTK_ADJUSTMENT (
    gtk_adjustment_new (1.0, 1.0, largest, 2.0, 4.0, 0.0));
  GtkWidget *spin = gimp_spin_button_new (adjustment, 2.0, 0);

  cells->side[which] = adjustment;
  gtk_spin_button_set_numeric (GTK_SPIN_BUTTON (spin), TRUE);
  gtk_entry_set_width_chars (GTK_ENTRY (spin), SPIN_WIDTH);
  gimp_help_set_help_data (spin, tooltip, NULL);
  g_signal_connect (adjustment, "value-changed", G_CALLBACK (change_size), cells);
  return spin;
}

static void
make_size (MatrixCells *cells, int largest)
{
  GtkWidget *box = gtk_hbox_new (FALSE, 6);
  GtkWidget *label = gtk_label_new_with_mnemonic (_ ("Si_ze:"));
  GtkWidget *rows = matrix_cells_make_spin (cells, 0, largest, _ ("Rows: an odd number"));
  GtkWidget *columns = matrix_cells_make_spin (cells, 1, largest, _ ("Columns: an odd number"));

  gtk_label_set_mnemonic_widget (GTK_LABEL (label), rows);
  gtk_box_pack_start (GTK_BOX (box), label, FALSE, FALSE, 0);
  gtk_box_pack_start (GTK_BOX (box), rows, FALSE, FALSE, 0);
  gtk_box_pack_start (GTK_BOX (box), gtk_label_new ("x"), FALSE, FALSE, 0);
  gtk_box_pack_start (GTK_BOX (box), columns, FALSE, FALSE, 0);
  gtk_widget_show_all (box);
  cells->size = box;
}

/* Scrolls to the cell with the focus. */
static GtkWidget *
matrix_cells_make_window (MatrixCells *cells)
{
  GtkWidget *window = gtk_scrolled_window_new (NULL, NULL);
  GtkScrolledWindow *scrolled = GTK_SCROLLED_WINDOW (window);
  GtkContainer *table;

  cells->table = gtk_table_new (SIDE, SIDE, FALSE);
  table = GTK_CONTAINER (cells->table);
  gtk_scrolled_window_set_policy (scrolled, GTK_POLICY_AUTOMATIC, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_add_with_viewport (scrolled, cells->table);
  gtk_viewport_set_shadow_type (GTK_VIEWPORT (gtk_bin_get_child (GTK_BIN (window))),
                                GTK_SHADOW_NONE);
  gtk_container_set_focus_hadjustment (table, gtk_scrolled_window_get_hadjustment (scrolled));
  gtk_container_set_focus_vadjustment (table, gtk_scrolled_window_get_vadjustment (scrolled));
  gimp_help_set_help_data (cells->table,
                           _ ("Arrows, Tab and Return move between cells, typing replaces a value, "
                              "F2 edits it, Escape undoes the edit"),
                           NULL);
  cells->window = window;
  return window;
}

static GtkWidget *
make_note (MatrixCells *cells)
{
  cells->note = gtk_label_new (NULL);
  gtk_label_set_line_wrap (GTK_LABEL (cells->note), TRUE);
  gtk_widget_set_no_show_all (cells->note, TRUE);
  return cells->note;
}

MatrixCells *
matrix_cells_new (int largest, MatrixCellsChangedFunc changed, gpointer data)
{
  static const double zero;
  static const FilterMatrix initial = { 1, 1, 1, &zero };
  MatrixCells *cells = g_new0 (MatrixCells, 1);

  cells->matrix = filter_matrix_ref (&initial);
  cells->changed = changed;
  cells->data = data;
  cells->widget = gtk_vbox_new (FALSE, 6);
  gtk_container_set_border_width (GTK_CONTAINER (cells->widget), 6);
  make_size (cells, largest);
  gtk_box_pack_start (GTK_BOX (cells->widget), matrix_cells_make_window (cells), TRUE, TRUE, 0);
  gtk_box_pack_start (GTK_BOX (cells->widget), make_note (cells), TRUE, TRUE, 0);
  g_signal_connect_data (cells->widget, "map", G_CALLBACK (show), cells, NULL,
                         G_CONNECT_SWAPPED | G_CONNECT_AFTER);
  return cells;
}

void
matrix_cells_free (MatrixCells *cells)
{
  if (! cells)
    return;
  for (int i = 0; i < SIDE * SIDE; i++)
    matrix_cell_free (cells->cell[i / SIDE][i % SIDE]);
  filter_matrix_free (cells->matrix);
  g_free (cells);
}

GtkWidget *
matrix_cells_get_widget (const MatrixCells *cells)
{
  return cells->widget;
}

GtkWidget *
matrix_cells_get_size_widget (const MatrixCells *cells)
{
  return cells->size;
}

gboolean
matrix_cells_grab_focus (MatrixCells *cells)
{
  if (! gtk_widget_get_mapped (cells->widget) || is_too_large (cells->matrix))
    return FALSE;
  matrix_cells_move_to (cells, cells->matrix->rows / 2, cells->matrix->columns / 2);
  return TRUE;
}

void
matrix_cells_set (MatrixCells *cells, const FilterMatrix *matrix)
{
  FilterMatrix *last = cells->matrix;

  for (int i = 0; i < SIDE * SIDE; i++)
    if (cells->cell[i / SIDE][i % SIDE])
      matrix_cell_stop_reading (cells->cell[i / SIDE][i % SIDE]);
  cells->matrix = filter_matrix_ref (matrix);
  filter_matrix_free (last);
  show (cells);
}
