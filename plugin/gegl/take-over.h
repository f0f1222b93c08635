/* The take-over: our operations in the place of GEGL's, for all their users, if the user has
 * switched that on (take-over-switch.h). */
#pragma once

#include "instance.h"

/* Has new nodes of GEGL's operations compute by ours, with the same names, properties and sizes, as
 * far as ours takes their place (TakeOver) and the user wants it now. A new node is GEGL's own
 * again as soon as the user does not want it any more.
 *
 * Call this in the class_init of ours, whose properties are installed. It runs under GEGL's lock,
 * before any node can be made, and when all modules are known, in whatever order they were loaded.
 * That does not hold in gegl_module_register: taking a class there needs GEGL's lock and GType's,
 * which another thread takes in the opposite order.
 *
 * The module must stay in the process once it is loaded (-z nodelete), because GEGL's classes point
 * into it.
 *
 * May be called again, but not on two threads at once; class_init never is. Shows a message, and
 * leaves GEGL's class as it is, if the switch cannot be read, or if GEGL is not one that this code
 * knows. */
void take_over_begin (OperationClass *ours);
