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

#define FILE_ROLE "cuda-matrix-file"

struct MatrixTools {
  int largest;
  MatrixToolsGetFunc get;
  MatrixToolsSetFunc set;
  gpointer data;
  gboolean quiet; /* the list is being set by the program */
  GtkWidget *widget, *combo, *menu;
  char *path; /* the file chosen last, or NULL */
};

/* Ready matrices. */

static void
matrix_tools_choose (MatrixTools *tools)
{
  int i = gtk_combo_box_get_active (GTK_COMBO_BOX (tools->combo));

  if (! tools->quiet && i >= 0)
    tools->set (tools->data, ready_matrices[i].matrix);
}

/* GIMP 3's own list of numbers chooses any row if none is to be chosen. The rows are those of
 * ready_matrices. */
static GtkWidget *
matrix_tools_make_combo (MatrixTools *tools)
{
  tools->combo = gtk_combo_box_text_new ();
  for (int i = 0; ready_matrices[i].label; i++)
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
  { N_ ("_Rotate by 90 Degrees"), N_ ("Turn the matrix clockwise"), matrix_rotate },
  { N_ ("Mirror _Horizontally"), N_ ("Left becomes right"), matrix_mirror_horizontally },
  { N_ ("Mirror _Vertically"), N_ ("Top becomes bottom"), matrix_mirror_vertically },
};

static void
operate (GtkWidget *item, MatrixTools *tools)
{
  const Operation *operation = g_object_get_data (G_OBJECT (item), "operation");
  g_autoptr (FilterMatrix) matrix = operation->make (tools->get (tools->data));
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
matrix_tools_make_menu (MatrixTools *tools, GtkWidget *button)
{
  tools->menu = gtk_menu_new ();
  gtk_menu_attach_to_widget (GTK_MENU (tools->menu), button, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (operations); i++)
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

static void
add_buttons (MatrixTools *tools)
{
  GtkBox *row = GTK_BOX (tools->widget);
  GtkWidget *adjust = gtk_button_new_with_mnemonic (_ ("Ad_just"));
  GtkWidget *open = icon_button_new (GIMP_ICON_DOCUMENT_OPEN, _ ("Load the matrix from a file"),
                                     G_CALLBACK (matrix_tools_load), tools);
  GtkWidget *keep = icon_button_new (GIMP_ICON_DOCUMENT_SAVE, _ ("Save the matrix to a file"),
                                     G_CALLBACK (matrix_tools_save), tools);

  gimp_help_set_help_data (adjust, _ ("Turn or mirror the matrix"), NULL);
  g_signal_connect_swapped (adjust, "clicked", G_CALLBACK (matrix_tools_show_menu), tools);
  gtk_box_pack_start (row, adjust, FALSE, FALSE, 0);
  gtk_box_pack_start (row, open, FALSE, FALSE, 0);
  gtk_box_pack_start (row, keep, FALSE, FALSE, 0);
  matrix_tools_make_menu (tools, adjust);
}

static void
add_choice (MatrixTools *tools, const char *text)
{
  GtkWidget *label = gtk_label_new_with_mnemonic (text);

  gtk_box_pack_start (GTK_BOX (tools->widget), label, FALSE, FALSE, 0);
  gtk_box_pack_start (GTK_BOX (tools->widget), matrix_tools_make_combo (tools), TRUE, TRUE, 0);
  gtk_label_set_mnemonic_widget (GTK_LABEL (label), tools->combo);
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
  tools->widget = gtk_hbox_new (FALSE, 6);
  add_choice (tools, label);
  add_buttons (tools);
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

/* Returns -1 if it is none of the ready ones. */
static int
find_ready (const FilterMatrix *matrix)
{
  for (int i = 0; ready_matrices[i].label; i++)
    if (filter_matrix_equal (ready_matrices[i].matrix, matrix))
      return i;
  return -1;
}

void
matrix_tools_show (MatrixTools *tools, const FilterMatrix *matrix)
{
  tools->quiet = TRUE;
  gtk_combo_box_set_active (GTK_COMBO_BOX (tools->combo), find_ready (matrix));
  tools->quiet = FALSE;
}
