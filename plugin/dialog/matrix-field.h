/* A matrix as text, to be typed or pasted. What is read of it counts at once. For the main
 * thread. */
#ifndef MATRIX_FIELD_H
#define MATRIX_FIELD_H

#include "filter-matrix.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

typedef struct MatrixField MatrixField;

/* Called when the text was changed by the user's hand. matrix: what was read of it, which is the
 * field's; NULL: it cannot be read. */
typedef void (*MatrixFieldChangedFunc) (gpointer data, const FilterMatrix *matrix);

/* largest: rows and columns that can be. tooltip: translated. */
MatrixField *matrix_field_new (int largest, const char *tooltip, MatrixFieldChangedFunc changed,
                               gpointer data);
void matrix_field_free (MatrixField *field); /* after its widget; NULL is legal */

GtkWidget *matrix_field_get_widget (const MatrixField *field);
void matrix_field_grab_focus (MatrixField *field);

/* Why the text cannot be read; NULL: it can. */
const char *matrix_field_get_problem (const MatrixField *field);

/* Writes it anew. */
void matrix_field_set (MatrixField *field, const FilterMatrix *matrix);

G_END_DECLS

#endif
