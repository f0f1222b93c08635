/* Settings as words of a command line. */
#ifndef FILTER_WORDS_H
#define FILTER_WORDS_H

#include "filter.h"

G_BEGIN_DECLS

/* words: NAME=VALUE each, n of them; what they do not name has its initial value. A number has a
 * decimal point in every locale, a choice and a switch go by their names, and a matrix is a text as
 * matrix-text.h reads it. The settings have passed the check. NULL with FX_ERROR_ARGUMENT: one
 * sentence, of which what the words alone say is not translated. Free them with
 * filter_settings_free. */
FilterSettings *filter_settings_from_words (const Filter *filter, char *const *words, int n,
                                            GError **error);

G_END_DECLS

#endif
