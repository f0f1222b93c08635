/* The control of a matrix: ready matrices, operations and files, and below them the matrix as cells
 * or as text. Each change takes effect as soon as it can be read. For the main thread. */
#pragma once

#include "filter.h"

#include <gtk/gtk.h>

typedef struct MatrixEntry MatrixEntry;

/* Called when the user has changed the matrix or its text. */
typedef void (*MatrixChangedFunc) (gpointer data);

MatrixEntry *matrix_entry_new (const FilterProperty *property, const FilterMatrix *matrix,
                               MatrixChangedFunc changed, gpointer data);
void matrix_entry_free (MatrixEntry *entry); /* free it after its widget; NULL is legal */

GtkWidget *matrix_entry_get_widget (const MatrixEntry *entry);

/* Moves the keyboard focus to the middle cell or to the text. */
void matrix_entry_grab_focus (MatrixEntry *entry);

/* Returns the reason why the text cannot be read, translated, or NULL if it can. Owned by entry. */
const char *matrix_entry_get_problem (const MatrixEntry *entry);

/* Returns the matrix that was read last. Owned by entry. */
const FilterMatrix *matrix_entry_get (const MatrixEntry *entry);

/* Shows matrix, in cells and as text, without calling changed. */
void matrix_entry_set (MatrixEntry *entry, const FilterMatrix *matrix);

/* Shows text in the line below the matrix. */
void matrix_entry_set_message (MatrixEntry *entry, const char *text);
