/* What every test of the engine, of previews and of operations fails for, whatever it tests: a
 * device that fails, so that another has to do its work. The pixels are right all the same, and
 * only a warning (CUDA_BLUR_WARN) says that the GPU was to have made them; in GLib's tests each
 * warning ends the program, with its text. ../gimp/checks.sh looks for it in what GIMP prints. */
#ifndef JUDGE_H
#define JUDGE_H

#include <glib.h>

G_BEGIN_DECLS

/* For a program of tests, at its beginning. */
void judge_start (void);

/* For a test that makes a device fail: it may, until that test ends. */
void judge_allow_failures (void);

G_END_DECLS

#endif
