/* The control of a matrix: ready ones, operations and files, and below them the matrix as cells or
 * as text. What can be read counts at once. For the main thread. */
#ifndef MATRIX_ENTRY_H
#define MATRIX_ENTRY_H

#include "filter.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

typedef struct MatrixEntry MatrixEntry;

/* Called when the matrix or its text was changed by the user's hand. */
typedef void (*MatrixChangedFunc) (gpointer data);

MatrixEntry *matrix_entry_new (const FilterProperty *property, const FilterMatrix *matrix,
                               MatrixChangedFunc changed, gpointer data);
void matrix_entry_free (MatrixEntry *entry); /* after its widget; NULL is legal */

GtkWidget *matrix_entry_get_widget (const MatrixEntry *entry);

/* Leads to the middle cell, or into the text. */
void matrix_entry_grab_focus (MatrixEntry *entry);

/* Why the text cannot be read; NULL: it can. */
const char *matrix_entry_get_problem (const MatrixEntry *entry);

/* What was read of it last. */
const FilterMatrix *matrix_entry_get (const MatrixEntry *entry);

/* Writes it anew. */
void matrix_entry_set (MatrixEntry *entry, const FilterMatrix *matrix);

/* Shows text in the line below. */
void matrix_entry_tell (MatrixEntry *entry, const char *text);

G_END_DECLS

#endif
