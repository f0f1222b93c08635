/* ICC profiles, as GIMP takes them. Calls of one at a time: libgimpcolor knows no threads. */
#ifndef PROFILE_H
#define PROFILE_H

#include "picture.h"

G_BEGIN_DECLS

/* Takes the profile that the picture's file has. FALSE where GIMP would not, or would take the
 * samples for linear light. */
gboolean profile_take (Picture *picture, GError **error);

/* Gives the picture the profile that GIMP writes with it. */
void profile_complete (Picture *picture);

G_END_DECLS

#endif
