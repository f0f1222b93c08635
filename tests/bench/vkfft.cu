/* VkFFT's built-in convolution of RGBA floats, for peers.py: a library that it loads.
 *
 *   nvcc -O2 -shared -Xcompiler -fPIC -o libbench-vkfft.so tests/bench/vkfft.cu -lnvrtc -lcuda
 *
 * That needs Debian's libvkfft-dev, or any folder with its one header (-I). The build of the
 * project does not know this file. VkFFT's Python package, pyvkfft, cannot take its place: it has
 * the transforms, but neither VkFFT's convolution nor its zero padding, by which it is the fastest
 * of the others.
 *
 * Functions return 0 if they fail. vkfft_get_error says why. */
#define VKFFT_BACKEND 1 /* CUDA */
#include <vkFFT.h>

#include <stdexcept>
#include <string>

#define CHANNELS 4

/* The picture, and room for a result, on the device. */
static struct {
  int width, height;
  float4 *source, *result;
} picture;

static std::string failure;

static void
check (const char *what, int code)
{
  if (code != 0)
    throw std::runtime_error (std::string (what) + ": " + std::to_string (code));
}

#define TRY(call) check (#call, static_cast<int> (call))

/* Pixels to planes and back. A row of a plane has room for the spectrum: x + 2 floats. */

struct Planes {
  float *floats;
  int x, y; /* of the transforms */
  int pitch;
  size_t plane;
  int reach; /* pixels at the edges that are repeated before the first one, and beyond the last */
};

static __device__ void
put (const Planes &planes, int x, int y, float4 pixel)
{
  float *to = planes.floats + static_cast<size_t> (y) * planes.pitch + x;

  to[0] = pixel.x;
  to[planes.plane] = pixel.y;
  to[2 * planes.plane] = pixel.z;
  to[3 * planes.plane] = pixel.w;
}

static __global__ void
pack (const float4 *pixels, int width, int height, Planes planes)
{
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;

  if (x < width && y < height)
    put (planes, x, y, pixels[y * width + x]);
}

/* The same, with the pixels at the edges repeated. Those before the first one are at the end. */
static __global__ void
pack_clamped (const float4 *pixels, int width, int height, Planes planes)
{
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  const int from_x = x >= planes.x - planes.reach ? 0 : min (x, width - 1);
  const int from_y = y >= planes.y - planes.reach ? 0 : min (y, height - 1);

  if (x < planes.x && y < planes.y)
    put (planes, x, y, pixels[from_y * width + from_x]);
}

static __global__ void
unpack (Planes planes, float4 *pixels, int width, int height)
{
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  const float *from = planes.floats + static_cast<size_t> (y) * planes.pitch + x;

  if (x < width && y < height)
    pixels[y * width + x] = make_float4 (from[0], from[planes.plane], from[2 * planes.plane],
                                         from[3 * planes.plane]);
}

static const dim3 threads (32, 8);

static dim3
get_blocks (int width, int height)
{
  return dim3 ((width + threads.x - 1) / threads.x, (height + threads.y - 1) / threads.y);
}

/* One matrix. */

struct Plan {
  Planes planes;
  bool padding; /* VkFFT's own, so that nothing beyond the picture is read */
  uint64_t bytes;
  void *kernel, *buffer; /* CHANNELS planes each */
  CUdevice device;
  VkFFTApplication app;
};

static VkFFTConfiguration
configure (Plan *plan)
{
  VkFFTConfiguration configuration = {};

  configuration.FFTdim = 2;
  configuration.size[0] = plan->planes.x;
  configuration.size[1] = plan->planes.y;
  configuration.size[2] = 1;
  configuration.performR2C = 1;
  configuration.normalize = 1;
  configuration.coordinateFeatures = CHANNELS;
  configuration.device = &plan->device;
  configuration.bufferSize = &plan->bytes;
  return configuration;
}

/* Makes the spectrum of the matrix, once for each channel. */
static void
transform_matrix (Plan *plan, const float *matrix)
{
  const Planes &planes = plan->planes;
  VkFFTConfiguration configuration = configure (plan);
  VkFFTApplication spectrum = {};
  VkFFTLaunchParams launch = {};

  for (int c = 0; c < CHANNELS; c++)
    TRY (cudaMemcpy2D (static_cast<float *> (plan->kernel) + c * planes.plane,
                       planes.pitch * sizeof (float), matrix, planes.x * sizeof (float),
                       planes.x * sizeof (float), planes.y, cudaMemcpyHostToDevice));
  configuration.kernelConvolution = 1;
  configuration.buffer = &plan->kernel;
  TRY (initializeVkFFT (&spectrum, configuration));
  launch.buffer = &plan->kernel;
  TRY (VkFFTAppend (&spectrum, -1, &launch));
  TRY (cudaDeviceSynchronize ());
  deleteVkFFT (&spectrum);
}

static void
init_plan (Plan *plan, const float *matrix)
{
  VkFFTConfiguration configuration;

  plan->bytes = CHANNELS * plan->planes.plane * sizeof (float);
  TRY (cuDeviceGet (&plan->device, 0));
  TRY (cudaMalloc (&plan->kernel, plan->bytes));
  TRY (cudaMalloc (&plan->buffer, plan->bytes));
  plan->planes.floats = static_cast<float *> (plan->buffer);
  TRY (cudaMemset (plan->kernel, 0, plan->bytes));
  transform_matrix (plan, matrix);
  configuration = configure (plan);
  configuration.performConvolution = 1;
  configuration.kernel = &plan->kernel;
  configuration.kernelSize = &plan->bytes;
  configuration.buffer = &plan->buffer;
  configuration.performZeropadding[0] = configuration.performZeropadding[1] = plan->padding;
  configuration.fft_zeropad_left[0] = picture.width;
  configuration.fft_zeropad_right[0] = plan->planes.x;
  configuration.fft_zeropad_left[1] = picture.height;
  configuration.fft_zeropad_right[1] = plan->planes.y;
  TRY (initializeVkFFT (&plan->app, configuration));
}

static void
clear_plan (Plan *plan)
{
  deleteVkFFT (&plan->app);
  cudaFree (plan->kernel);
  cudaFree (plan->buffer);
}

/* Records three of the events: before the transforms, after them, and at the end. */
static void
run (Plan *plan, cudaEvent_t *events)
{
  const Planes &planes = plan->planes;
  const int width = picture.width, height = picture.height;
  VkFFTLaunchParams launch = {};

  launch.buffer = &plan->buffer;
  launch.kernel = &plan->kernel;
  if (planes.reach > 0)
    pack_clamped<<<get_blocks (planes.x, planes.y), threads>>> (picture.source, width, height,
                                                                planes);
  else
    {
      if (! plan->padding)
        TRY (cudaMemsetAsync (plan->buffer, 0, plan->bytes));
      pack<<<get_blocks (width, height), threads>>> (picture.source, width, height, planes);
    }
  TRY (cudaEventRecord (events[0]));
  TRY (VkFFTAppend (&plan->app, -1, &launch));
  TRY (cudaEventRecord (events[1]));
  unpack<<<get_blocks (width, height), threads>>> (planes, picture.result, width, height);
  TRY (cudaEventRecord (events[2]));
  TRY (cudaGetLastError ());
}

static void
time_runs (Plan *plan, int runs, float *all, float *transforms)
{
  cudaEvent_t events[4];

  for (cudaEvent_t &event : events)
    TRY (cudaEventCreate (&event));
  for (int i = 0; i < runs; i++)
    {
      TRY (cudaEventRecord (events[0]));
      run (plan, events + 1);
      TRY (cudaEventSynchronize (events[3]));
      TRY (cudaEventElapsedTime (&all[i], events[0], events[3]));
      TRY (cudaEventElapsedTime (&transforms[i], events[1], events[2]));
    }
  for (cudaEvent_t event : events)
    TRY (cudaEventDestroy (event));
}

template <typename Work>
static int
attempt (Work work)
{
  try
    {
      work ();
      return 1;
    }
  catch (const std::exception &error)
    {
      failure = error.what ();
      return 0;
    }
}

extern "C" const char *
vkfft_get_error (void)
{
  return failure.c_str ();
}

extern "C" int
vkfft_get_version (void)
{
  return VkFFTGetVersion ();
}

/* Loads a picture of width * height RGBA floats. */
extern "C" int
vkfft_load (const float *pixels, int width, int height)
{
  return attempt ([=] {
    const size_t bytes = static_cast<size_t> (width) * height * sizeof (float4);

    TRY (cudaFree (picture.source));
    TRY (cudaFree (picture.result));
    picture = { width, height, nullptr, nullptr };
    TRY (cudaMalloc (&picture.source, bytes));
    TRY (cudaMalloc (&picture.result, bytes));
    TRY (cudaMemcpy (picture.source, pixels, bytes, cudaMemcpyHostToDevice));
  });
}

/* Convolves the picture with a matrix, which is laid out around the origin of a plane of x by y
 * floats. reach: as in Planes, or 0 for black beyond the edges. result: the picture's size. times:
 * runs milliseconds of everything, then those of the transforms alone. */
extern "C" int
vkfft_measure (const float *matrix, int x, int y, int reach, int padding, float *result, int runs,
               float *times)
{
  Plan plan = {};
  int done;

  plan.planes = { nullptr, x, y, x + 2, static_cast<size_t> (x + 2) * y, reach };
  plan.padding = padding;
  done = attempt ([&] {
    const size_t bytes = static_cast<size_t> (picture.width) * picture.height * sizeof (float4);

    init_plan (&plan, matrix);
    TRY (cudaMemset (picture.result, 0xff, bytes)); /* NaN */
    time_runs (&plan, runs, times, times + runs);
    TRY (cudaMemcpy (result, picture.result, bytes, cudaMemcpyDeviceToHost));
  });
  clear_plan (&plan);
  return done;
}
