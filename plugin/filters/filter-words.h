/* Settings as words, of a command line or in a text. */
#pragma once

#include "filter.h"

/* Reads settings from n words, each NAME=VALUE. Properties that no word names have their initial
 * values. A number has a decimal point in every locale; a choice or a switch is given by its name;
 * a matrix is a text as in matrix-text.h. The settings have passed filter_settings_check; free them
 * with filter_settings_free. Returns NULL with FX_ERROR_ARGUMENT, one sentence, on failure;
 * messages about a single word's form are not translated. */
FilterSettings *filter_settings_from_words (const FilterDescription *filter, char *const *words,
                                            int n, GError **error);

/* Sets what words say, separated by blanks, such as those of a preset, and nothing else. Returns
 * FALSE with error, and changes nothing, if the words are wrong, or if the settings would not pass
 * filter_settings_check. */
gboolean filter_settings_set_words (FilterSettings *settings, const char *words, GError **error);

/* Returns all values as length bytes, to be stored until GIMP ends; free them. They are a text with
 * a word on each line; a matrix follows as it is in memory, because a text of a million values
 * takes a second. Returns NULL if memory for a matrix runs out. */
char *filter_settings_to_bytes (const FilterSettings *settings, gsize *length);

/* Reads settings back; free them. Another version may have written them: properties that no line
 * names have their initial values, and a matrix may be a line of the text. Returns NULL with
 * FX_ERROR_ARGUMENT if a line is wrong, or if something is cut off, and with FX_ERROR_MEMORY if
 * memory runs out. */
FilterSettings *filter_settings_from_bytes (const FilterDescription *filter, const char *bytes,
                                            gsize length, GError **error);
