/* The devices that can filter. */
#pragma once

/* Prints a line for each device: its name, or the reason why it cannot be used. */
void devices_print (void);
