/* The device under test, for programs that test one: NAME --device=cpu|gpu, followed by the options
 * of GLib's tests. They exit with 77 if there is no GPU to test. */
#pragma once

#include "blur.h"
#include "engine.h"
#include "test.h"

/* Returns FX_DEVICE_GPU or FX_DEVICE_CPU. */
FxDevice tested_device (void);

/* Returns an engine that all tests share, so that the GPU is opened only once. */
FxEngine *tested_engine (void);

/* The main function of such a program. */
int tested_main (int argc, char **argv);
