/* The devices that can filter. */
#ifndef DEVICES_H
#define DEVICES_H

/* Prints a line for each device: its name, or the reason why it cannot be used. */
void devices_print (void);

#endif
