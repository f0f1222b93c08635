/* The folders in which to search for NVRTC. */
#pragma once

#include <glib.h>

/* A Flatpak sees the files of its host here. It has no NVRTC itself. */
#define FX_HOST "/run/host"

/* Returns the folders to search, best first: those of the system and of the toolkit; those of the
 * user, which setup.sh, pip and Conda fill; those of a host. The empty name means the loader's own
 * search. A privileged process gets none of the user's folders, because its caller could choose
 * them. host is a folder with the files of a host, and need not exist. Free the result with
 * g_strfreev. */
char **fx_nvrtc_folders (const char *host);
