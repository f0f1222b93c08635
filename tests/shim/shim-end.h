/* The functions that the shim calls in a compiled program. This is included after the program's
 * source. */

#define SHIM_SHARED_MAX 232448

thread_local uint3 threadIdx, blockIdx;
thread_local float4 shared[SHIM_SHARED_MAX / sizeof (float4)];
extern "C" {
void (*shim_sync) (void);

/* Returns the dynamic shared memory of the calling thread, and sets size to its maximum size in
 * bytes. */
void *
shim_get_shared (size_t *size)
{
  *size = sizeof shared;
  return shared;
}
}

/* Return whether the address in an argument is aligned for its type, so that a device could read
 * it. */
template <typename T>
static bool
shim_check (const T &)
{
  return true;
}

template <typename T>
static bool
shim_check (T *const &place)
{
  return (size_t) place % alignof (T) == 0;
}

/* In programs without pixels, which have no type. */
static inline bool
shim_check (const void *const &)
{
  return true;
}

static inline bool
shim_check (void *const &)
{
  return true;
}

static inline bool
shim_check (const FxSource &source)
{
  return shim_check (source.pixels);
}

static inline bool
shim_check (const FxGrid &grid)
{
  return shim_check (grid.cells);
}

#ifdef FX_REDUCE_ARGS_H
static inline bool
shim_check (const FxResult &result)
{
  return shim_check (result.pixels);
}
#endif

template <typename... Args, size_t... I>
static bool
shim_check (void (*) (Args...), void **args, std::index_sequence<I...>)
{
  const bool fine[] = { shim_check (*(Args *) args[I])... };

  return std::all_of (fine, fine + sizeof...(I), [] (bool one) { return one; });
}

template <typename... Args>
static bool
shim_check (void (*kernel) (Args...), void **args)
{
  return shim_check (kernel, args, std::index_sequence_for<Args...> ());
}

/* Calls the kernel with the arguments that args point to. */
template <typename... Args, size_t... I>
static void
shim_call (void (*kernel) (Args...), void **args, std::index_sequence<I...>)
{
  kernel (*(Args *) args[I]...);
}

template <typename... Args>
static void
shim_call (void (*kernel) (Args...), void **args)
{
  shim_call (kernel, args, std::index_sequence_for<Args...> ());
}

extern "C" int
shim_is_aligned (void **args)
{
  return shim_check (kernel, args);
}

extern "C" void
shim_run (void **args)
{
  shim_call (kernel, args);
}

extern "C" void
shim_set_place (unsigned thread, unsigned x, unsigned y)
{
  threadIdx = { thread, 0, 0 };
  blockIdx = { x, y, 0 };
}
