#include "matrix-cell.h"

#include "matrix-text.h"

#include <gdk/gdkkeysyms.h>
#include <locale.h>
#include <string.h>

#define WIDTH    7  /* in characters */
#define BLOCK    63 /* largest number of rows and columns to paste */
#define FAR_AWAY G_MAXINT

struct MatrixCell {
  const MatrixCellTable *table;
  gpointer data; /* the table's */
  int row, column;
  GtkWidget *entry;
  gboolean quiet;   /* the text is being set by the program */
  double before;    /* the value when the cell got the focus */
  gboolean touched; /* the user has typed something since then */
  gboolean editing; /* arrow keys move within the text */
  guint reading;    /* the main loop's source that reads the text, or 0 */
};

static double
matrix_cell_get_value (const MatrixCell *cell)
{
  return cell->table->get (cell->data, cell->row, cell->column);
}

static void
matrix_cell_set_value (const MatrixCell *cell, double value)
{
  if (value != matrix_cell_get_value (cell))
    cell->table->set (cell->data, cell->row, cell->column, value);
}

/* Text. */

/* Parses a number with a decimal point or comma, or nothing, which is 0. */
static gboolean
matrix_cell_parse_value (const char *given, double *value)
{
  g_autofree char *text = g_strdelimit (g_strstrip (g_strdup (given)), ",", '.');
  g_autoptr (FilterMatrix) matrix = matrix_text_parse (*text ? text : "0", -1, 1, NULL);

  if (matrix)
    *value = matrix->values[0];
  return matrix != NULL;
}

/* Prints as many digits as fit. */
static char *
print_short (double value)
{
  char buffer[G_ASCII_DTOSTR_BUF_SIZE], format[8];
  int digits = WIDTH;

  do
    {
      g_snprintf (format, sizeof format, "%%.%dg", digits);
      g_ascii_formatd (buffer, sizeof buffer, format, value);
    }
  while (strlen (buffer) > WIDTH && --digits > 0);
  return g_strdup (buffer);
}

/* Prints a decimal comma if the locale has one, as the numbers beside the matrix have. */
static char *
print_value (double value, gboolean whole)
{
  const FilterMatrix matrix = { 1, 1, 1, &value };
  char *text = whole ? matrix_text_print (&matrix) : print_short (value);

  if (strcmp (localeconv ()->decimal_point, ",") == 0)
    g_strdelimit (text, ".", ',');
  return text;
}

void
matrix_cell_show (MatrixCell *cell)
{
  gboolean whole = cell->editing && gtk_widget_has_focus (cell->entry);
  g_autofree char *text = print_value (matrix_cell_get_value (cell), whole);

  cell->quiet = TRUE;
  if (strcmp (text, gtk_entry_get_text (GTK_ENTRY (cell->entry))) != 0)
    gtk_entry_set_text (GTK_ENTRY (cell->entry), text);
  cell->quiet = FALSE;
}

/* Reading. */

static gboolean
read_text (gpointer data)
{
  MatrixCell *cell = data;
  double value;

  cell->reading = 0;
  if (matrix_cell_parse_value (gtk_entry_get_text (GTK_ENTRY (cell->entry)), &value))
    matrix_cell_set_value (cell, value);
  return G_SOURCE_REMOVE;
}

/* One key may change the text twice: it first deletes the selected text, which leaves an empty text
 * that would count as 0. So the text is read after the key, but before the next one. */
static void
matrix_cell_change (GtkEditable *editable, MatrixCell *cell)
{
  if (cell->quiet)
    return;
  cell->touched = TRUE;
  if (! cell->reading)
    cell->reading = g_idle_add_full (G_PRIORITY_HIGH, read_text, cell, NULL);
}

void
matrix_cell_stop_reading (MatrixCell *cell)
{
  g_clear_handle_id (&cell->reading, g_source_remove);
}

/* Editing. */

static void
select_all (const MatrixCell *cell)
{
  gtk_editable_select_region (GTK_EDITABLE (cell->entry), 0, -1);
}

static void
begin_editing (MatrixCell *cell)
{
  cell->editing = TRUE;
  if (! cell->touched)
    matrix_cell_show (cell);
  gtk_editable_set_position (GTK_EDITABLE (cell->entry), -1);
}

/* Returns FALSE if there is nothing to restore. */
static gboolean
take_back (MatrixCell *cell)
{
  gboolean changed = cell->touched || cell->editing;

  matrix_cell_stop_reading (cell);
  cell->touched = cell->editing = FALSE;
  matrix_cell_set_value (cell, cell->before);
  matrix_cell_show (cell);
  select_all (cell);
  return changed;
}

static gboolean
enter (GtkWidget *entry, GdkEvent *event, MatrixCell *cell)
{
  cell->before = matrix_cell_get_value (cell);
  cell->touched = cell->editing = FALSE;
  select_all (cell);
  return FALSE;
}

/* Text that cannot be read is replaced by the last value. */
static gboolean
leave (GtkWidget *entry, GdkEvent *event, MatrixCell *cell)
{
  if (cell->reading)
    {
      matrix_cell_stop_reading (cell);
      read_text (cell);
    }
  cell->touched = cell->editing = FALSE;
  matrix_cell_show (cell);
  gtk_editable_select_region (GTK_EDITABLE (entry), 0, 0);
  return FALSE;
}

void
matrix_cell_grab_focus (MatrixCell *cell)
{
  if (! gtk_widget_has_focus (cell->entry))
    {
      gtk_widget_grab_focus (cell->entry);
      return;
    }
  leave (cell->entry, NULL, cell);
  enter (cell->entry, NULL, cell);
}

/* Keys. */

static gboolean
matrix_cell_move_to (const MatrixCell *cell, int row, int column)
{
  cell->table->move_to (cell->data, row, column);
  return TRUE;
}

/* Handles keys that, during editing, move within the text. */
static gboolean
press_arrow (const MatrixCell *cell, const GdkEventKey *event)
{
  gboolean far = (event->state & GDK_CONTROL_MASK) != 0;
  int row = cell->row, column = cell->column;

  switch (event->keyval)
    {
    case GDK_KEY_Left:
    case GDK_KEY_KP_Left:
      return matrix_cell_move_to (cell, row, far ? 0 : column - 1);
    case GDK_KEY_Right:
    case GDK_KEY_KP_Right:
      return matrix_cell_move_to (cell, row, far ? FAR_AWAY : column + 1);
    case GDK_KEY_Home:
    case GDK_KEY_KP_Home:
      return matrix_cell_move_to (cell, far ? 0 : row, 0);
    case GDK_KEY_End:
    case GDK_KEY_KP_End:
      return matrix_cell_move_to (cell, far ? FAR_AWAY : row, FAR_AWAY);
    default:
      return FALSE;
    }
}

static gboolean
matrix_cell_press (GtkWidget *entry, GdkEventKey *event, MatrixCell *cell)
{
  int step = event->state & GDK_SHIFT_MASK ? -1 : 1, row = cell->row, column = cell->column;

  if (event->state & GDK_MOD1_MASK)
    return FALSE;
  switch (event->keyval)
    {
    case GDK_KEY_Up:
    case GDK_KEY_KP_Up:
      return matrix_cell_move_to (cell, row - 1, column);
    case GDK_KEY_Down:
    case GDK_KEY_KP_Down:
      return matrix_cell_move_to (cell, row + 1, column);
    case GDK_KEY_Return:
    case GDK_KEY_KP_Enter:
    case GDK_KEY_ISO_Enter:
      return matrix_cell_move_to (cell, row + step, column);
    case GDK_KEY_Tab:
    case GDK_KEY_KP_Tab:
    case GDK_KEY_ISO_Left_Tab:
      return ! (event->state & GDK_CONTROL_MASK) &&
             cell->table->move_by (cell->data, row, column, step);
    case GDK_KEY_F2:
      begin_editing (cell);
      return TRUE;
    case GDK_KEY_Escape:
      return take_back (cell);
    default:
      return ! cell->editing && press_arrow (cell, event);
    }
}

/* The first click moves to the cell, the second one edits it. */
static gboolean
click (GtkWidget *entry, GdkEventButton *event, MatrixCell *cell)
{
  if (event->button != 1)
    return FALSE;
  if (! gtk_widget_has_focus (entry))
    {
      gtk_widget_grab_focus (entry);
      return TRUE;
    }
  if (! cell->editing)
    begin_editing (cell);
  return FALSE;
}

/* Pasting. */

static void
paste_text (const MatrixCell *cell, const char *given)
{
  g_autofree char *text = g_strstrip (g_strdup (given));
  GtkEditable *editable = GTK_EDITABLE (cell->entry);
  int position;

  gtk_editable_delete_selection (editable);
  position = gtk_editable_get_position (editable);
  gtk_editable_insert_text (editable, text, -1, &position);
  gtk_editable_set_position (editable, position);
}

/* Pastes a block of numbers, or text if it is a single number or no block. */
static void
paste_block (const MatrixCell *cell, const char *text)
{
  g_autoptr (FilterMatrix) block = NULL;
  double value;

  if (! matrix_cell_parse_value (text, &value))
    block = matrix_text_parse_block (text, -1, BLOCK, NULL);
  if (block)
    cell->table->paste (cell->data, cell->row, cell->column, block);
  else
    paste_text (cell, text);
}

/* By now the focus may be elsewhere, and the cell freed. */
static void
take_clipboard (GtkClipboard *clipboard, const char *text, gpointer entry)
{
  const MatrixCell *cell = g_object_get_data (entry, "cell");

  if (cell && text && gtk_widget_has_focus (entry))
    paste_block (cell, text);
  g_object_unref (entry);
}

/* Replaces the entry's own handler. */
static void
matrix_cell_paste (GtkWidget *entry, MatrixCell *cell)
{
  g_signal_stop_emission_by_name (entry, "paste-clipboard");
  gtk_clipboard_request_text (gtk_widget_get_clipboard (entry, GDK_SELECTION_CLIPBOARD),
                              take_clipboard, g_object_ref (entry));
}

/* The cell. */

MatrixCell *
matrix_cell_new (const MatrixCellTable *table, gpointer data, int row, int column, const char *name)
{
  MatrixCell *cell = g_new0 (MatrixCell, 1);
  GtkWidget *entry = gtk_entry_new ();

  *cell = (MatrixCell) { table, data, row, column, g_object_ref_sink (entry) };
  g_object_set_data (G_OBJECT (entry), "cell", cell);
  gtk_entry_set_width_chars (GTK_ENTRY (entry), WIDTH);
  gtk_entry_set_alignment (GTK_ENTRY (entry), 1.0);
  atk_object_set_name (gtk_widget_get_accessible (entry), name);
  g_signal_connect (entry, "changed", G_CALLBACK (matrix_cell_change), cell);
  g_signal_connect (entry, "focus-in-event", G_CALLBACK (enter), cell);
  g_signal_connect (entry, "focus-out-event", G_CALLBACK (leave), cell);
  g_signal_connect (entry, "key-press-event", G_CALLBACK (matrix_cell_press), cell);
  g_signal_connect (entry, "button-press-event", G_CALLBACK (click), cell);
  g_signal_connect (entry, "paste-clipboard", G_CALLBACK (matrix_cell_paste), cell);
  return cell;
}

void
matrix_cell_free (MatrixCell *cell)
{
  if (! cell)
    return;
  matrix_cell_stop_reading (cell);
  g_object_set_data (G_OBJECT (cell->entry), "cell", NULL);
  g_object_unref (cell->entry);
  g_free (cell);
}

GtkWidget *
matrix_cell_get_widget (const MatrixCell *cell)
{
  return cell->entry;
}
