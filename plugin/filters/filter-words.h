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

/* Sets what a preset sets, and nothing else. preset must be one of the settings' filter. Returns
 * FALSE with error, and changes nothing, if the preset's words are wrong, or if the settings would
 * not pass filter_settings_check. */
gboolean filter_settings_set_preset (FilterSettings *settings, const FilterPreset *preset,
                                     GError **error);

/* Returns all values as a text with a word on each line, to be stored until GIMP ends; free it.
 * Returns NULL if memory for a matrix runs out. */
char *filter_settings_to_text (const FilterSettings *settings);

/* Reads settings back from length bytes of text, which need not end with 0; free them. Another
 * version may have written the text: properties that no line names have their initial values.
 * Returns NULL with FX_ERROR_ARGUMENT if a line is wrong or cut off, and with FX_ERROR_MEMORY if
 * memory runs out. */
FilterSettings *filter_settings_from_text (const FilterDescription *filter, const char *text,
                                           gsize length, GError **error);
