#include "target.h"
#include "error.h"

#include <glib/gi18n-lib.h>

/* The last NVRTC that compiles for GPUs before Turing. No driver that is new enough supports GPUs
 * before Maxwell. */
#define LAST_FOR_OLD "12.9"

gboolean
fx_target_choose (const int *archs, int n, const char *version, int arch, gboolean want_ptx,
                  FxTarget *target, GError **error)
{
  int best = 0;

  for (int i = 0; i < n; i++)
    if (archs[i] <= arch)
      best = archs[i];
  if (best == 0)
    return fx_fail (
      error, FX_ERROR_UNAVAILABLE,
      _ ("The GPU has compute capability %d.%d, but NVRTC %s compiles for %d.%d and later: "
         "install NVRTC %s or older"),
      arch / 10, arch % 10, version, archs[0] / 10, archs[0] % 10, LAST_FOR_OLD);
  /* A CUBIN also runs on later devices, but only on those of the same major version. */
  *target = (FxTarget) { .arch = best, .ptx = want_ptx || best / 10 != arch / 10 };
  return TRUE;
}

char **
fx_target_get_options (const FxTarget *target)
{
  g_autofree char *arch = g_strdup_printf ("--gpu-architecture=%s_%d",
                                           target->ptx ? "compute" : "sm", target->arch);
  const char *const options[] = { arch, "--std=c++14", "--ftz=true", NULL };

  return g_strdupv ((char **) options);
}
