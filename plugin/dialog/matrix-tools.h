/* What makes a matrix: a list of ready ones with their numbers, a menu of operations, and files.
 * For the main thread. */
#ifndef MATRIX_TOOLS_H
#define MATRIX_TOOLS_H

#include "filter-matrix.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

typedef struct MatrixTools MatrixTools;

/* The matrix as it is, which is the caller's. */
typedef const FilterMatrix *(*MatrixToolsGetFunc) (gpointer data);

/* Called with what the user has chosen to have in its place. */
typedef void (*MatrixToolsSetFunc) (gpointer data, const FilterMatrix *matrix);

/* label: the list's, translated, with a mnemonic. largest: rows and columns that a file's matrix
 * can have. */
MatrixTools *matrix_tools_new (const char *label, int largest, MatrixToolsGetFunc get,
                               MatrixToolsSetFunc set, gpointer data);
void matrix_tools_free (MatrixTools *tools); /* after its widget; NULL is legal */

GtkWidget *matrix_tools_get_widget (const MatrixTools *tools);

/* Shows which one of the list the matrix is, if any. */
void matrix_tools_show (MatrixTools *tools, const FilterMatrix *matrix);

G_END_DECLS

#endif
