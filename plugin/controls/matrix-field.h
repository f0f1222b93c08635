/* A matrix as text, to type or paste. Each change takes effect as soon as the text can be read. For
 * the main thread. */
#pragma once

#include "filter-matrix.h"

#include <gtk/gtk.h>

typedef struct MatrixField MatrixField;

/* Called when the user has changed the text. matrix is valid during the call only; it is NULL if
 * the text cannot be read. */
typedef void (*MatrixFieldChangedFunc) (gpointer data, const FilterMatrix *matrix);

/* Creates a field. largest limits the rows and the columns. tooltip is translated. Never returns
 * NULL. */
MatrixField *matrix_field_new (int largest, const char *tooltip, MatrixFieldChangedFunc changed,
                               gpointer data);
void matrix_field_free (MatrixField *field); /* free it after its widget; NULL is legal */

GtkWidget *matrix_field_get_widget (const MatrixField *field);
void matrix_field_grab_focus (MatrixField *field);

/* Returns the reason why the text cannot be read, translated, or NULL if it can. Owned by field. */
const char *matrix_field_get_problem (const MatrixField *field);

/* Shows matrix as text, without calling changed. */
void matrix_field_set (MatrixField *field, const FilterMatrix *matrix);
