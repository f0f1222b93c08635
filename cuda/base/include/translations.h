/* The location of the messages' translations. */
#pragma once

#include "api.h"

FX_BEGIN_API

/* Returns the folder "locale" beside the library or program that contains the engine, if it exists:
 * an installation into a user's profile has no other. Otherwise returns the folder under the
 * install prefix. Free the result with g_free. */
char *fx_translations_get_folder (void);

/* Binds the engine's gettext domain to that folder, once per process. Every engine calls this; it
 * may be called from any thread. The program's own domain and locale are not changed. */
void fx_translations_bind (void);

FX_END_API
