/* libcuda.so.1 for a machine without a GPU: a driver that answers only when the test allows it, and
 * then finds no GPU. It is the driver of every program that loads it. */
#pragma once

/* Waits until it is asked. */
void slow_driver_wait (void);

void slow_driver_let_go (void);
