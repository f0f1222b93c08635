/* The take-over: gegl:gaussian-blur is cuda:gaussian-blur, for all that use it. */
#ifndef TAKE_OVER_H
#define TAKE_OVER_H

#include <glib.h>

G_BEGIN_DECLS

/* Where it is wanted, makes each new node of gegl:gaussian-blur a graph of cuda:gaussian-blur: same
 * name, same properties, same sizes. Its property "filter" does nothing then. It is wanted where
 * CUDA_BLUR_TAKE_OVER is yes; where that is unset or empty, and the file cuda-blur-take-over lies
 * beside this module. A new node is GEGL's own again as soon as the file is gone, and where there
 * is no cuda:gaussian-blur. Where it is not wanted, nothing of GEGL's is touched.
 *
 * Call it in the class_init of an operation of this module. That runs under GEGL's lock, before any
 * node can be made, and when all modules are known in whatever order they were loaded.
 * gegl_module_register does not: a class that is taken there needs that lock, and GType's besides,
 * which another thread takes in the other order.
 *
 * The module must stay in the process once it is loaded (-z nodelete), for GEGL's class points into
 * it.
 *
 * May be called again. FALSE: it is not done, and nothing is touched, since the variable says
 * neither yes nor no, or GEGL is not as it is known to be. Not to be called in two threads at once,
 * which class_init is not. */
gboolean gegl_take_over_begin (GError **error);

G_END_DECLS

#endif
