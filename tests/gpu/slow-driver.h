/* libcuda.so.1 for a machine without a GPU: a driver that is asked and does not answer before it is
 * let go; then it finds no GPU. Who has it loaded has it as the driver. */
#pragma once

/* Waits until it is asked. */
void slow_driver_wait (void);

void slow_driver_let_go (void);
