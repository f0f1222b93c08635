/* A time as people read it. */
#pragma once

#include "api.h"

FX_BEGIN_API

/* Returns a translated text with two digits or more, such as "5.2 ms", "340 ms", "3.2 s" or "12 s".
 * Free it with g_free. */
char *fx_print_duration (double milliseconds);

FX_END_API
