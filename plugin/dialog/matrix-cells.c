#include "matrix-cells.h"

#include "matrix-operations.h"
#include "matrix-text.h"

#include <gdk/gdkkeysyms.h>
#include <glib/gi18n-lib.h>
#include <libgimp/gimp.h>
#include <libgimp/gimpui.h>
#include <string.h>

#define CELL_WIDTH 7 /* characters */
#define SPIN_WIDTH 3
#define SIDE       MATRIX_CELLS_MAX

typedef struct {
  MatrixCells *cells;
  int row, column;
  GtkWidget *entry; /* NULL until it is needed */
} Cell;

struct MatrixCells {
  FilterMatrix *matrix;
  MatrixCellsChangedFunc changed;
  gpointer data;
  gboolean quiet; /* what is shown is being set */
  GtkWidget *widget, *size, *window, *note;
  GtkWidget *table;       /* in the window */
  GtkAdjustment *side[2]; /* rows, columns */
  Cell cell[SIDE][SIDE];

  /* Of the cell that has the keyboard. */
  double before;    /* its value when it got it */
  gboolean touched; /* something was typed since */
  gboolean editing; /* arrows move within its text */
  guint reading;    /* source of the main loop that reads its text, or 0 */
};

/* Values. */

static double
get_value (const Cell *cell)
{
  const FilterMatrix *matrix = cell->cells->matrix;

  return matrix->values[cell->row * matrix->columns + cell->column];
}

/* Takes the matrix. */
static void
tell (MatrixCells *cells, FilterMatrix *matrix)
{
  filter_matrix_free (cells->matrix);
  cells->matrix = matrix;
  cells->changed (cells->data, cells->matrix);
}

static void
set_value (const Cell *cell, double value)
{
  const FilterMatrix *matrix = cell->cells->matrix;
  g_autofree double *values = g_memdup2 (matrix->values, (gsize) matrix->n_values * sizeof value);

  if (value == get_value (cell))
    return;
  values[cell->row * matrix->columns + cell->column] = value;
  tell (cell->cells, filter_matrix_new (matrix->rows, matrix->columns, matrix->n_values, values));
}

/* A number with a decimal point or comma, or nothing, which is 0. */
static gboolean
read_value (const Cell *cell, double *value)
{
  g_autofree char *text = g_strstrip (g_strdup (gtk_entry_get_text (GTK_ENTRY (cell->entry))));
  g_autoptr (FilterMatrix) matrix = NULL;

  g_strdelimit (text, ",", '.');
  matrix = matrix_text_parse (*text ? text : "0", -1, 1, NULL);
  if (matrix)
    *value = matrix->values[0];
  return matrix != NULL;
}

/* Text. */

/* With as many digits as there is room for. */
static char *
print_short (double value)
{
  char buffer[G_ASCII_DTOSTR_BUF_SIZE], format[8];
  int digits = CELL_WIDTH;

  do
    {
      g_snprintf (format, sizeof format, "%%.%dg", digits);
      g_ascii_formatd (buffer, sizeof buffer, format, value);
    }
  while (strlen (buffer) > CELL_WIDTH && --digits > 0);
  return g_strdup (buffer);
}

static char *
print_value (double value, gboolean editing)
{
  const FilterMatrix matrix = { 1, 1, 1, &value };

  return editing ? matrix_text_print (&matrix) : print_short (value);
}

static void
show_value (const Cell *cell)
{
  MatrixCells *cells = cell->cells;
  gboolean editing = cells->editing && gtk_widget_has_focus (cell->entry);
  g_autofree char *text = print_value (get_value (cell), editing);

  cells->quiet = TRUE;
  if (strcmp (text, gtk_entry_get_text (GTK_ENTRY (cell->entry))) != 0)
    gtk_entry_set_text (GTK_ENTRY (cell->entry), text);
  cells->quiet = FALSE;
}

static void
select_all (const Cell *cell)
{
  gtk_editable_select_region (GTK_EDITABLE (cell->entry), 0, -1);
}

static void
stop_reading (MatrixCells *cells)
{
  if (cells->reading)
    g_source_remove (cells->reading);
  cells->reading = 0;
}

static gboolean
read_text (gpointer data)
{
  const Cell *cell = data;
  double value;

  cell->cells->reading = 0;
  if (read_value (cell, &value))
    set_value (cell, value);
  return G_SOURCE_REMOVE;
}

/* One key may change the text twice: what was selected goes first, and leaves nothing, which would
 * count as 0. So it is read after the key, but before the next one. */
static void
change (GtkEditable *editable, Cell *cell)
{
  MatrixCells *cells = cell->cells;

  if (cells->quiet)
    return;
  cells->touched = TRUE;
  if (! cells->reading)
    cells->reading = g_idle_add_full (G_PRIORITY_HIGH, read_text, cell, NULL);
}

static void
begin_editing (const Cell *cell)
{
  cell->cells->editing = TRUE;
  if (! cell->cells->touched)
    show_value (cell);
  gtk_editable_set_position (GTK_EDITABLE (cell->entry), -1);
}

/* FALSE: there is nothing to take back. */
static gboolean
take_back (const Cell *cell)
{
  MatrixCells *cells = cell->cells;
  gboolean changed = cells->touched || cells->editing;

  stop_reading (cells);
  cells->touched = cells->editing = FALSE;
  set_value (cell, cells->before);
  show_value (cell);
  select_all (cell);
  return changed;
}

/* Moving. */

static gboolean
enter (GtkWidget *entry, GdkEvent *event, Cell *cell)
{
  cell->cells->before = get_value (cell);
  cell->cells->touched = cell->cells->editing = FALSE;
  select_all (cell);
  return FALSE;
}

/* What cannot be read becomes what counted last. */
static gboolean
leave (GtkWidget *entry, GdkEvent *event, Cell *cell)
{
  if (cell->cells->reading)
    {
      stop_reading (cell->cells);
      read_text (cell);
    }
  cell->cells->touched = cell->cells->editing = FALSE;
  if (cell->row < cell->cells->matrix->rows && cell->column < cell->cells->matrix->columns)
    show_value (cell);
  gtk_editable_select_region (GTK_EDITABLE (entry), 0, 0);
  return FALSE;
}

/* Where it is there already, what was typed counts all the same. */
static gboolean
move_to (MatrixCells *cells, int row, int column)
{
  const FilterMatrix *matrix = cells->matrix;
  Cell *cell = &cells
                  ->cell[CLAMP (row, 0, matrix->rows - 1)][CLAMP (column, 0, matrix->columns - 1)];

  if (gtk_widget_has_focus (cell->entry))
    {
      leave (cell->entry, NULL, cell);
      enter (cell->entry, NULL, cell);
    }
  else
    gtk_widget_grab_focus (cell->entry);
  return TRUE;
}

/* FALSE beyond the first and the last cell: Tab then leads out of the table. */
static gboolean
move_by (const Cell *cell, int step)
{
  const FilterMatrix *matrix = cell->cells->matrix;
  int i = cell->row * matrix->columns + cell->column + step;

  return i >= 0 && i < matrix->n_values &&
         move_to (cell->cells, i / matrix->columns, i % matrix->columns);
}

/* Keys that move within the text where that is edited. */
static gboolean
press_arrow (const Cell *cell, const GdkEventKey *event)
{
  gboolean far = (event->state & GDK_CONTROL_MASK) != 0;
  int row = cell->row, column = cell->column;

  switch (event->keyval)
    {
    case GDK_KEY_Left:
    case GDK_KEY_KP_Left:
      return move_to (cell->cells, row, far ? 0 : column - 1);
    case GDK_KEY_Right:
    case GDK_KEY_KP_Right:
      return move_to (cell->cells, row, far ? SIDE : column + 1);
    case GDK_KEY_Home:
    case GDK_KEY_KP_Home:
      return move_to (cell->cells, far ? 0 : row, 0);
    case GDK_KEY_End:
    case GDK_KEY_KP_End:
      return move_to (cell->cells, far ? SIDE : row, SIDE);
    default:
      return FALSE;
    }
}

static gboolean
press (GtkWidget *entry, GdkEventKey *event, Cell *cell)
{
  int up = event->state & GDK_SHIFT_MASK ? -1 : 1;

  if (event->state & GDK_MOD1_MASK)
    return FALSE;
  switch (event->keyval)
    {
    case GDK_KEY_Up:
    case GDK_KEY_KP_Up:
      return move_to (cell->cells, cell->row - 1, cell->column);
    case GDK_KEY_Down:
    case GDK_KEY_KP_Down:
      return move_to (cell->cells, cell->row + 1, cell->column);
    case GDK_KEY_Return:
    case GDK_KEY_KP_Enter:
    case GDK_KEY_ISO_Enter:
      return move_to (cell->cells, cell->row + up, cell->column);
    case GDK_KEY_Tab:
    case GDK_KEY_KP_Tab:
    case GDK_KEY_ISO_Left_Tab:
      return ! (event->state & GDK_CONTROL_MASK) && move_by (cell, up);
    case GDK_KEY_F2:
      begin_editing (cell);
      return TRUE;
    case GDK_KEY_Escape:
      return take_back (cell);
    default:
      return ! cell->cells->editing && press_arrow (cell, event);
    }
}

/* The first press leads to the cell, the second one edits. */
static gboolean
click (GtkWidget *entry, GdkEventButton *event, Cell *cell)
{
  if (event->button != 1)
    return FALSE;
  if (! gtk_widget_has_focus (entry))
    {
      gtk_widget_grab_focus (entry);
      return TRUE;
    }
  if (! cell->cells->editing)
    begin_editing (cell);
  return FALSE;
}

/* The table. */

static void
make_cell (Cell *cell)
{
  GtkWidget *entry = gtk_entry_new ();
  guint row = (guint) cell->row, column = (guint) cell->column;
  g_autofree char *name = g_strdup_printf (_("Row %d, column %d"), cell->row + 1, cell->column + 1);

  cell->entry = entry;
  gtk_entry_set_width_chars (GTK_ENTRY (entry), CELL_WIDTH);
  gtk_entry_set_alignment (GTK_ENTRY (entry), 1.0);
  atk_object_set_name (gtk_widget_get_accessible (entry), name);
  gtk_table_attach (GTK_TABLE (cell->cells->table), entry, column, column + 1, row, row + 1,
                    GTK_FILL, GTK_FILL, 0, 0);
  g_signal_connect (entry, "changed", G_CALLBACK (change), cell);
  g_signal_connect (entry, "focus-in-event", G_CALLBACK (enter), cell);
  g_signal_connect (entry, "focus-out-event", G_CALLBACK (leave), cell);
  g_signal_connect (entry, "key-press-event", G_CALLBACK (press), cell);
  g_signal_connect (entry, "button-press-event", G_CALLBACK (click), cell);
}

static void
show_cell (Cell *cell)
{
  const FilterMatrix *matrix = cell->cells->matrix;
  gboolean needed = cell->row < matrix->rows && cell->column < matrix->columns;

  if (needed && ! cell->entry)
    make_cell (cell);
  if (cell->entry)
    gtk_widget_set_visible (cell->entry, needed);
  if (needed)
    show_value (cell);
}

static gboolean
is_too_large (const FilterMatrix *matrix)
{
  return matrix->rows > SIDE || matrix->columns > SIDE;
}

static void
show_note (MatrixCells *cells)
{
  g_autofree char *text = g_strdup_printf (_("Matrices of up to %d x %d have cells; this one is "
                                             "%d x %d. Change it as text"),
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

/* Only while they are seen: there may be many. */
static void
show (MatrixCells *cells)
{
  gboolean too_large = is_too_large (cells->matrix);
  int i;

  if (! gtk_widget_get_mapped (cells->widget))
    return;
  gtk_widget_set_visible (cells->window, ! too_large);
  gtk_widget_set_visible (cells->note, too_large);
  gtk_widget_set_sensitive (cells->size, ! too_large);
  if (too_large)
    {
      show_note (cells);
      return;
    }
  show_size (cells);
  for (i = 0; i < SIDE * SIDE; i++)
    show_cell (&cells->cell[i / SIDE][i % SIDE]);
}

/* Even numbers become the odd ones above them. */
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
  tell (cells, matrix_resize (cells->matrix, (int) gtk_adjustment_get_value (cells->side[0]),
                              (int) gtk_adjustment_get_value (cells->side[1])));
  show (cells);
}

static GtkWidget *
make_spin (MatrixCells *cells, int which, const char *tooltip)
{
  GtkObject *adjustment = gtk_adjustment_new (1.0, 1.0, SIDE, 2.0, 4.0, 0.0);
  GtkWidget *spin = gimp_spin_button_new (GTK_ADJUSTMENT (adjustment), 2.0, 0);

  cells->side[which] = GTK_ADJUSTMENT (adjustment);
  gtk_spin_button_set_numeric (GTK_SPIN_BUTTON (spin), TRUE);
  gtk_entry_set_width_chars (GTK_ENTRY (spin), SPIN_WIDTH);
  gimp_help_set_help_data (spin, tooltip, NULL);
  g_signal_connect (adjustment, "value-changed", G_CALLBACK (change_size), cells);
  return spin;
}

static GtkWidget *
make_size (MatrixCells *cells)
{
  GtkWidget *box = gtk_hbox_new (FALSE, 6);
  GtkWidget *label = gtk_label_new_with_mnemonic (_("Si_ze:"));
  GtkWidget *rows = make_spin (cells, 0, _("Number of rows, which is odd"));

  gtk_label_set_mnemonic_widget (GTK_LABEL (label), rows);
  gtk_box_pack_start (GTK_BOX (box), label, FALSE, FALSE, 0);
  gtk_box_pack_start (GTK_BOX (box), rows, FALSE, FALSE, 0);
  gtk_box_pack_start (GTK_BOX (box), gtk_label_new ("x"), FALSE, FALSE, 0);
  gtk_box_pack_start (GTK_BOX (box), make_spin (cells, 1, _("Number of columns, which is odd")),
                      FALSE, FALSE, 0);
  cells->size = box;
  return box;
}

/* It scrolls to the cell that has the keyboard. */
static GtkWidget *
make_window (MatrixCells *cells)
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
                           _("Arrows, Tab and Return move, what is typed replaces, F2 edits, "
                             "Escape takes back"),
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
matrix_cells_new (MatrixCellsChangedFunc changed, gpointer data)
{
  static const double zero;
  MatrixCells *cells = g_new0 (MatrixCells, 1);
  int i;

  cells->matrix = filter_matrix_new (1, 1, 1, &zero);
  cells->changed = changed;
  cells->data = data;
  for (i = 0; i < SIDE * SIDE; i++)
    cells->cell[i / SIDE][i % SIDE] = (Cell) { cells, i / SIDE, i % SIDE };
  cells->widget = gtk_vbox_new (FALSE, 6);
  gtk_container_set_border_width (GTK_CONTAINER (cells->widget), 6);
  gtk_box_pack_start (GTK_BOX (cells->widget), make_size (cells), FALSE, FALSE, 0);
  gtk_box_pack_start (GTK_BOX (cells->widget), make_window (cells), TRUE, TRUE, 0);
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
  stop_reading (cells);
  filter_matrix_free (cells->matrix);
  g_free (cells);
}

GtkWidget *
matrix_cells_get_widget (const MatrixCells *cells)
{
  return cells->widget;
}

gboolean
matrix_cells_grab_focus (MatrixCells *cells)
{
  return gtk_widget_get_mapped (cells->widget) && ! is_too_large (cells->matrix) &&
         move_to (cells, cells->matrix->rows / 2, cells->matrix->columns / 2);
}

void
matrix_cells_set (MatrixCells *cells, const FilterMatrix *matrix)
{
  FilterMatrix *copy = filter_matrix_copy (matrix);

  stop_reading (cells);
  filter_matrix_free (cells->matrix);
  cells->matrix = copy;
  show (cells);
}
