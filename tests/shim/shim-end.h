/* What the shim looks for in a compiled program; included after the program's source. */

#define SHIM_SHARED_MAX 232448

thread_local uint3 threadIdx, blockIdx;
thread_local float4 shared[SHIM_SHARED_MAX / sizeof (float4)];
extern "C" {
void (*shim_sync) (void);

/* Where a thread's dynamic shared memory is, and how much there can be. */
void *
shim_get_shared (size_t *size)
{
  *size = sizeof shared;
  return shared;
}
}

/* Calls the kernel with what args point to. */
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
