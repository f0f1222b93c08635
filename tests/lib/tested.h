/* The device under test, for the executables that test one: NAME --device=cpu|gpu, then the options
 * of GLib's tests. They exit 77 where there is no GPU to test. */
#ifndef TESTED_H
#define TESTED_H

#include "blur.h"
#include "engine.h"

G_BEGIN_DECLS

/* FX_DEVICE_GPU or FX_DEVICE_CPU. */
FxDevice tested_device (void);

/* An engine that all tests share, so that the GPU is opened once. */
FxEngine *tested_engine (void);

/* Whether the GPU can be used, also where the CPU is tested. */
gboolean tested_has_gpu (void);

/* The main function. add: adds the tests, which may depend on the device. Prints the fingerprint of
 * their results at the end. */
int tested_main (int argc, char **argv, void (*add) (void));

G_END_DECLS

#endif
