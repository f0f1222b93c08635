/* What Python cannot do by itself with the dialog's parts (dialog_parts.py). */
#include "apply-job.h"

/* Other code takes these from the library by name. */
extern const gsize target_size, job_size;
extern gboolean memory_is_full;

const gsize target_size = sizeof (ApplyTarget), job_size = sizeof (ApplyJob);

gboolean memory_is_full;

/* The linker puts this in place of the call. */
gpointer __wrap_g_try_malloc0_n (gsize n, gsize size);
gpointer __real_g_try_malloc0_n (gsize n, gsize size);

gpointer
__wrap_g_try_malloc0_n (gsize n, gsize size)
{
  return memory_is_full ? NULL : __real_g_try_malloc0_n (n, size);
}
