/* Makes every test of the engine, of previews and of operations fail if a device fails
 * unexpectedly. The pixels are right even then, because another device takes over; only a warning
 * (CUDA_BLUR_WARN) shows that the GPU should have computed them. In GLib's tests, each warning ends
 * the program and prints its text. ../gimp2/session.py looks for the warning in GIMP's output. */
#pragma once

#include <glib.h>

/* Call this at the start of a test program. */
void judge_start (void);

/* Allows devices to fail until the current test ends. */
void judge_allow_failures (void);
