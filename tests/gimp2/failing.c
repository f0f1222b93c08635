/* Linked into a plug-in whose GPU is the stand-in (../shim): each automatic run asks for it, for it
 * costs nothing, and it fails at the first launch. */
#include "fault.h"

__attribute__ ((constructor)) static void
fail (void)
{
  fault_order ("cuLaunchKernel", 0, FAULT_ALWAYS);
}
