/* Where the messages' translations are. */
#ifndef FX_TRANSLATIONS_H
#define FX_TRANSLATIONS_H

#include "api.h"

FX_BEGIN_API

/* The folder "locale" beside the library or the program that the engine is part of, where there is
 * one: an installation into a user's profile has no other. Else the prefix's. Free it. */
char *fx_translations_get_folder (void);

/* Binds the engine's domain to that folder, once; every engine does so. The program's own domain
 * and locale are left alone. */
void fx_translations_bind (void);

FX_END_API

#endif
