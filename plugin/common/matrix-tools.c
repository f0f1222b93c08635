#include "matrix-tools.h"

#include "buttons.h"
#include "error.h"
#include "file-dialog.h"
#include "matrix-file.h"
#include "matrix-operations.h"
#include "ready-matrices.h"

#include <glib/gi18n-lib.h>
#include <libgimp/gimp.h>
#include <libgimp/gimpui.h>

#define SPIN_WIDTH 6 /* in characters */
#define FILE_ROLE  "cuda-matrix-file"

/* A control for one of a ready matrix's numbers. */
typedef struct {
  GtkWidget *box, *label, *spin;
  GtkAdjustment *adjustment;
} Number;

struct MatrixTools {
  int largest;
  MatrixToolsGetFunc get;
  MatrixToolsSetFunc set;
  gpointer data;
  gboolean quiet;   /* the list or its numbers are being set by the program */
  gboolean setting; /* the tools are setting the matrix */
  GtkWidget *widget, *combo, *menu;
  Number numbers[READY_NUMBERS_MAX];
  char *path; /* the file chosen last, or NULL */
};

/* Ready matrices. */

/* Returns NULL if none is selected. */
static const ReadyMatrix *
matrix_tools_get_ready (const MatrixTools *tools)
{
  int i = gtk_combo_box_get_active (GTK_COMBO_BOX (tools->combo));

  return i >= 0 ? &ready_matrices[i] : NULL;
}

/* NULL: there was no memory for the matrix. */
static void
matrix_tools_take (MatrixTools *tools, const FilterMatrix *matrix)
{
  g_autoptr (GError) error = NULL;

  if (matrix)
    {
      tools->set (tools->data, matrix);
      return;
    }
  fx_set_no_memory (&error);
  gimp_message (error->message);
}

static void
apply_ready (MatrixTools *tools)
{
  const ReadyMatrix *ready = matrix_tools_get_ready (tools);
  double numbers[READY_NUMBERS_MAX];
  g_autoptr (FilterMatrix) matrix = NULL;
  int i;

  if (tools->quiet || ! ready)
    return;
  for (i = 0; i < READY_NUMBERS_MAX; i++)
    numbers[i] = gtk_adjustment_get_value (tools->numbers[i].adjustment);
  matrix = ready_matrix_make (ready, numbers);
  tools->setting = TRUE;
  matrix_tools_take (tools, matrix);
  tools->setting = FALSE;
}

static void
show_number (const Number *number, const ReadyNumber *ready)
{
  gboolean needed = ready && ready->label;

  gtk_widget_set_visible (number->box, needed);
  if (! needed)
    return;
  gtk_label_set_text (GTK_LABEL (number->label), _ (ready->label));
  gtk_adjustment_configure (number->adjustment, ready->initial, ready->minimum, ready->maximum,
                            ready->step, 5 * ready->step, 0.0);
  gtk_spin_button_set_digits (GTK_SPIN_BUTTON (number->spin), ready->digits);
}

static void
show_numbers (MatrixTools *tools)
{
  const ReadyMatrix *ready = matrix_tools_get_ready (tools);
  gboolean quiet = tools->quiet;
  int i;

  tools->quiet = TRUE;
  for (i = 0; i < READY_NUMBERS_MAX; i++)
    show_number (&tools->numbers[i], ready ? &ready->numbers[i] : NULL);
  tools->quiet = quiet;
}

static void
matrix_tools_choose (MatrixTools *tools)
{
  show_numbers (tools);
  apply_ready (tools);
}

static void
matrix_tools_make_number (MatrixTools *tools, Number *number)
{
  number->adjustment = GTK_ADJUSTMENT (gtk_adjustment_new (0.0, 0.0, 1.0, 1.0, 1.0, 0.0));
  number->spin = gimp_spin_button_new (number->adjustment, 1.0, 0);
  number->label = gtk_label_new (NULL);
  number->box = gtk_hbox_new (FALSE, 6);
  gtk_spin_button_set_numeric (GTK_SPIN_BUTTON (number->spin), TRUE);
  gtk_entry_set_width_chars (GTK_ENTRY (number->spin), SPIN_WIDTH);
  gtk_label_set_mnemonic_widget (GTK_LABEL (number->label), number->spin);
  gtk_box_pack_start (GTK_BOX (number->box), number->label, FALSE, FALSE, 0);
  gtk_box_pack_start (GTK_BOX (number->box), number->spin, FALSE, FALSE, 0);
  gtk_widget_show_all (number->box);
  gtk_widget_set_no_show_all (number->box, TRUE);
  g_signal_connect_swapped (number->adjustment, "value-changed", G_CALLBACK (apply_ready), tools);
}

static void
add_numbers (MatrixTools *tools, GtkWidget *row)
{
  int i;

  for (i = 0; i < READY_NUMBERS_MAX; i++)
    {
      matrix_tools_make_number (tools, &tools->numbers[i]);
      gtk_box_pack_start (GTK_BOX (row), tools->numbers[i].box, FALSE, FALSE, 0);
    }
}

/* GIMP 3's own list of numbers chooses any row if none is to be chosen. The rows are those of
 * ready_matrices. */
static GtkWidget *
matrix_tools_make_combo (MatrixTools *tools)
{
  int i;

  tools->combo = gtk_combo_box_text_new ();
  for (i = 0; ready_matrices[i].name; i++)
    gtk_combo_box_text_append_text (GTK_COMBO_BOX_TEXT (tools->combo), _ (ready_matrices[i].label));
  gimp_help_set_help_data (tools->combo, _ ("A ready matrix in place of this one"), NULL);
  g_signal_connect_swapped (tools->combo, "changed", G_CALLBACK (matrix_tools_choose), tools);
  return tools->combo;
}

/* Operations. */

typedef struct {
  const char *label, *tooltip; /* translated */
  FilterMatrix *(*make) (const FilterMatrix *matrix);
} Operation;

static const Operation operations[] = {
  { N_ ("_Transpose"), N_ ("Rows become columns"), matrix_transpose },
  { N_ ("_Rotate by 90 Degrees"), N_ ("Turn the matrix clockwise"), matrix_rotate },
  { N_ ("Mirror _Horizontally"), N_ ("Left becomes right"), matrix_mirror_horizontally },
  { N_ ("Mirror _Vertically"), N_ ("Top becomes bottom"), matrix_mirror_vertically },
  { N_ ("_Normalize"), N_ ("Divide by the sum of the values, or of their magnitudes if that is 0"),
    matrix_normalize },
  { N_ ("_Invert"), N_ ("Keep what the matrix removes from the image: for a blur, the fine detail"),
    matrix_invert },
};

static void
operate (GtkWidget *item, MatrixTools *tools)
{
  const Operation *operation = g_object_get_data (G_OBJECT (item), "operation");
  g_autoptr (FilterMatrix) matrix = operation->make (tools->get (tools->data));

  matrix_tools_take (tools, matrix);
}

static void
matrix_tools_make_menu (MatrixTools *tools, GtkWidget *button)
{
  gsize i;

  tools->menu = gtk_menu_new ();
  gtk_menu_attach_to_widget (GTK_MENU (tools->menu), button, NULL);
  for (i = 0; i < G_N_ELEMENTS (operations); i++)
    {
      GtkWidget *item = gtk_menu_item_new_with_mnemonic (_ (operations[i].label));

      g_object_set_data (G_OBJECT (item), "operation", (gpointer) &operations[i]);
      gimp_help_set_help_data (item, _ (operations[i].tooltip), NULL);
      g_signal_connect (item, "activate", G_CALLBACK (operate), tools);
      gtk_menu_shell_append (GTK_MENU_SHELL (tools->menu), item);
      gtk_widget_show (item);
    }
}

static void
matrix_tools_show_menu (MatrixTools *tools)
{
  menu_popup_below (GTK_MENU (tools->menu));
  gtk_menu_shell_select_first (GTK_MENU_SHELL (tools->menu), FALSE);
}

/* Files. */

static void
matrix_tools_load (MatrixTools *tools)
{
  g_autoptr (FilterMatrix) matrix = NULL;
  g_autoptr (GError) error = NULL;

  if (! file_dialog_run (tools->widget, GTK_FILE_CHOOSER_ACTION_OPEN, _ ("Load Matrix"),
                         _ ("_Open"), FILE_ROLE, &tools->path))
    return;
  matrix = matrix_file_load (tools->path, tools->largest, &error);
  if (matrix)
    tools->set (tools->data, matrix);
  else
    gimp_message (error->message);
}

static void
matrix_tools_save (MatrixTools *tools)
{
  g_autoptr (GError) error = NULL;

  if (file_dialog_run (tools->widget, GTK_FILE_CHOOSER_ACTION_SAVE, _ ("Save Matrix"), _ ("_Save"),
                       FILE_ROLE, &tools->path) &&
      ! matrix_file_save (tools->path, tools->get (tools->data), &error))
    gimp_message (error->message);
}

/* Layout. */

static GtkWidget *
connect_button (MatrixTools *tools, GtkWidget *button, void (*click) (MatrixTools *tools))
{
  g_signal_connect_swapped (button, "clicked", G_CALLBACK (click), tools);
  return button;
}

static GtkWidget *
make_buttons (MatrixTools *tools)
{
  GtkWidget *row = gtk_hbox_new (FALSE, 0);
  GtkWidget *adjust = gtk_button_new_with_mnemonic (_ ("Ad_just"));
  GtkWidget *open = icon_button_new (GIMP_ICON_DOCUMENT_OPEN, _ ("Load the matrix from a file"));
  GtkWidget *keep = icon_button_new (GIMP_ICON_DOCUMENT_SAVE, _ ("Save the matrix to a file"));

  gimp_help_set_help_data (adjust, _ ("Turn, mirror, normalize or invert the matrix"), NULL);
  gtk_box_pack_start (GTK_BOX (row), connect_button (tools, adjust, matrix_tools_show_menu), FALSE,
                      FALSE, 0);
  gtk_box_pack_start (GTK_BOX (row), connect_button (tools, open, matrix_tools_load), FALSE, FALSE,
                      0);
  gtk_box_pack_start (GTK_BOX (row), connect_button (tools, keep, matrix_tools_save), FALSE, FALSE,
                      0);
  matrix_tools_make_menu (tools, adjust);
  return row;
}

static GtkWidget *
matrix_tools_make_choice (MatrixTools *tools, const char *text)
{
  GtkWidget *row = gtk_hbox_new (FALSE, 6), *label = gtk_label_new_with_mnemonic (text);

  gtk_box_pack_start (GTK_BOX (row), label, FALSE, FALSE, 0);
  gtk_box_pack_start (GTK_BOX (row), matrix_tools_make_combo (tools), TRUE, TRUE, 0);
  gtk_label_set_mnemonic_widget (GTK_LABEL (label), tools->combo);
  return row;
}

/* Makes the row as high and wide as it can become, so that the window keeps its size. */
static GtkWidget *
matrix_tools_make_row (MatrixTools *tools)
{
  GtkWidget *row = gtk_hbox_new (FALSE, 12);
  GtkRequisition size;

  add_numbers (tools, row);
  gtk_box_pack_end (GTK_BOX (row), make_buttons (tools), FALSE, FALSE, 0);
  gtk_widget_show_all (row);
  gtk_widget_size_request (row, &size);
  gtk_widget_set_size_request (row, size.width, size.height);
  show_numbers (tools);
  return row;
}

MatrixTools *
matrix_tools_new (const char *label, int largest, MatrixToolsGetFunc get, MatrixToolsSetFunc set,
                  gpointer data)
{
  MatrixTools *tools = g_new0 (MatrixTools, 1);

  tools->largest = largest;
  tools->get = get;
  tools->set = set;
  tools->data = data;
  tools->widget = gtk_vbox_new (FALSE, 6);
  gtk_box_pack_start (GTK_BOX (tools->widget), matrix_tools_make_choice (tools, label), FALSE,
                      FALSE, 0);
  gtk_box_pack_start (GTK_BOX (tools->widget), matrix_tools_make_row (tools), FALSE, FALSE, 0);
  return tools;
}

void
matrix_tools_free (MatrixTools *tools)
{
  if (! tools)
    return;
  g_free (tools->path);
  g_free (tools);
}

GtkWidget *
matrix_tools_get_widget (const MatrixTools *tools)
{
  return tools->widget;
}

/* Finds a ready matrix without numbers. Returns -1 if there is none. */
static int
find_ready (const FilterMatrix *matrix)
{
  int i;

  for (i = 0; ready_matrices[i].name; i++)
    if (ready_matrices[i].fixed && filter_matrix_equal (ready_matrices[i].fixed, matrix))
      return i;
  return -1;
}

void
matrix_tools_show (MatrixTools *tools, const FilterMatrix *matrix)
{
  if (tools->setting)
    return;
  tools->quiet = TRUE;
  gtk_combo_box_set_active (GTK_COMBO_BOX (tools->combo), find_ready (matrix));
  tools->quiet = FALSE;
}
