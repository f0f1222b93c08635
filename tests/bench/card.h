/* The GPU, for the peers that the engine is compared with: memory, modules, time on the device. The
 * engine itself does not use this. */
#pragma once

#include <cuda.h>
#include <cuda_runtime_api.h>
#include <glib.h>

typedef struct {
  char name[96];
  int arch;         /* compute capability, 90 for 9.0 */
  int driver_major; /* of the driver's CUDA */
  cudaStream_t stream;
} Card;

/* Opens the current CUDA device; NULL with error if there is none. Free it with card_close. */
Card *card_open (GError **error);
void card_close (Card *card); /* NULL is legal */
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Card, card_close)

/* TRUE for cudaSuccess, else FALSE with error. what: the verb phrase of "CUDA failed to ...". */
gboolean card_check (cudaError_t result, const char *what, GError **error);

/* size bytes of device memory, filled from data (NULL: with zeros). NULL with error; free it with
 * cudaFree. */
gpointer card_new (gsize size, gconstpointer data, GError **error);

/* Copies size bytes from the device, after all that was started on card's stream. */
gboolean card_download (Card *card, gconstpointer from, gpointer to, gsize size, GError **error);

/* Starts one run on card's stream. */
typedef gboolean (*CardFunc) (gpointer data, Card *card, GError **error);

/* Times runs on the device: two to warm up, then up to n. milliseconds: room for n. done: how many
 * there are, fewer than n (but at least 3, if n is) if they would take more than 3 s together. */
gboolean card_time (Card *card, CardFunc run, gpointer data, double *milliseconds, int n, int *done,
                    GError **error);

/* Loads a CUBIN, or PTX, which the driver compiles, into the current context: that of the card that
 * was opened. Unload it with card_unload. */
gboolean card_load (GBytes *code, CUmodule *module, GError **error);
void card_unload (CUmodule module);

/* A kernel of module, by its name. */
gboolean card_get_kernel (CUmodule module, const char *name, CUfunction *kernel, GError **error);

/* Starts a kernel on card's stream: x * y blocks of side * side threads. */
gboolean card_launch (Card *card, CUfunction kernel, unsigned x, unsigned y, unsigned side,
                      void **args, GError **error);
