/* The take-over: replaces gegl:gaussian-blur by cuda:gaussian-blur for all its users. */
#ifndef GAUSSIAN_BLUR_TAKE_OVER_H
#define GAUSSIAN_BLUR_TAKE_OVER_H

#include <glib.h>

G_BEGIN_DECLS

/* Turns each new node of gegl:gaussian-blur into a graph of cuda:gaussian-blur, with the same name,
 * properties and sizes; its property "filter" then has no effect. This is done if
 * CUDA_BLUR_TAKE_OVER is "yes", or if it is unset or empty and the file cuda-blur-take-over is
 * beside this module; otherwise GEGL is not changed. A new node is GEGL's own again as soon as the
 * file is gone, or if there is no cuda:gaussian-blur.
 *
 * Call this in the class_init of an operation of this module. It runs under GEGL's lock, before any
 * node can be made, and when all modules are known, in whatever order they were loaded. That does
 * not hold in gegl_module_register: taking the class there needs GEGL's lock and GType's, which
 * another thread takes in the opposite order.
 *
 * The module must stay in the process once it is loaded (-z nodelete), because GEGL's class points
 * into it.
 *
 * May be called again, but not on two threads at once; class_init never is. Returns FALSE with
 * FX_ERROR_ARGUMENT, and changes nothing, if the variable is neither yes nor no, or if GEGL is not
 * one that this code knows. */
gboolean gegl_take_over_begin (GError **error);

G_END_DECLS

#endif
