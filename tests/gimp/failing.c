/* Linked into a plug-in whose GPU is the stand-in (../shim): each automatic run asks for it, for it
 * costs nothing, and it fails at the first launch. */
#include "error.h"
#include "shim-device.h"

__attribute__ ((constructor)) static void
fail (void)
{
  shim_fail (SHIM_LAUNCH, 0, FX_ERROR_DEVICE, TRUE);
}
