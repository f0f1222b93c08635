/* Frees the engines before the process ends. Their threads may be in the NVIDIA driver or in NVRTC.
 * When exit calls the handlers of these libraries, what such a thread uses goes away, and the
 * process crashes or hangs. exit calls handlers in the reverse order of their registration. These
 * libraries register theirs when they are loaded, and NVRTC some more in its first compilation,
 * which a thread does at any time. But before any handler, exit destroys what belongs to its
 * thread. */
#pragma once

#include "api.h"

FX_BEGIN_API

/* Has exit call handler, more than once. Call this before the first engine opens a GPU. */
void fx_exit_set_handler (void (*handler) (void));

/* Has exit call the handler before all others if it is called by this thread, which must be the
 * main one: for another, and with musl as the C library, this does nothing. Call it after
 * fx_exit_set_handler, as often as you like. */
void fx_exit_note_thread (void);

/* For an exit by another thread: has it call the handler, if there is one, before those that are
 * there by now. Call this when a library with handlers has been loaded. */
void fx_exit_renew_handler (void);

FX_END_API
