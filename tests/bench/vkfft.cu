/* vkfft [REPEATS]: what VkFFT's built-in convolution takes for the dense matrices of
 * convolve-peers.py, data resident, by the device's own clock. 3840x2160 RGBA, floats.
 *
 *   nvcc -O2 -o vkfft tests/bench/vkfft.cu -lnvrtc -lcuda
 *
 * That needs Debian's libvkfft-dev, or any folder with its one header (-I). The build of the
 * project does not know this file.
 *
 * Prints a figure a line, as bench.h has them: "vkfft-transforms" is VkFFT's own work on four
 * planes that are laid out for it already, "vkfft" also that of the kernels here, which make planes
 * of the RGBA pixels and pixels of the planes. Beyond the edges there is black, so that half the
 * matrix is room enough on each axis; "vkfft-clamp" repeats the pixels at the edges, as this
 * project's default does. The matrix's spectrum is ready in both. Of the
 * lengths that are tried, those that were the fastest are printed. A comment names each. Each
 * result is compared with sums in double precision at some pixels. */
#define VKFFT_BACKEND 1 /* CUDA */
#include <vkFFT.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define WIDTH    3840
#define HEIGHT   2160
#define CHANNELS 4
#define WARM_UPS 2
#define CHECKED  64 /* pixels of a result */

static const int sizes[] = { 21, 31, 63, 127, 255, 511, 1023 };

struct Lengths {
  int x, y; /* of the transforms */
};

struct Times {
  std::vector<float> all, transforms;
};

static void
stop (const char *what, int code)
{
  fprintf (stderr, "vkfft: %s: %d\n", what, code);
  exit (1);
}

#define TRY(call)                               \
  do                                            \
    {                                           \
      const int code = static_cast<int> (call); \
                                                \
      if (code != 0)                            \
        stop (#call, code);                     \
    }                                           \
  while (0)

/* Pixels to planes and back. A row of a plane has room for the spectrum: x + 2 floats. What lies
 * beyond the picture is not read (VkFFT's zero padding). */

static __global__ void
pack (const float4 *pixels, float *planes, int pitch, size_t plane)
{
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  const float4 pixel = pixels[y * WIDTH + x];
  float *to = planes + static_cast<size_t> (y) * pitch + x;

  to[0] = pixel.x;
  to[plane] = pixel.y;
  to[2 * plane] = pixel.z;
  to[3 * plane] = pixel.w;
}

/* The same, with the pixels at the edges repeated beyond them, in planes of x by y. Those before
 * the first one are at the end. */
static __global__ void
pack_clamped (const float4 *pixels, float *planes, int pitch, size_t plane, Lengths n, int reach)
{
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  const int from_x = x >= n.x - reach ? 0 : min (x, WIDTH - 1);
  const int from_y = y >= n.y - reach ? 0 : min (y, HEIGHT - 1);

  if (x >= n.x || y >= n.y)
    return;

  const float4 pixel = pixels[from_y * WIDTH + from_x];
  float *to = planes + static_cast<size_t> (y) * pitch + x;

  to[0] = pixel.x;
  to[plane] = pixel.y;
  to[2 * plane] = pixel.z;
  to[3 * plane] = pixel.w;
}

static __global__ void
unpack (const float *planes, float4 *pixels, int pitch, size_t plane)
{
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  const float *from = planes + static_cast<size_t> (y) * pitch + x;

  pixels[y * WIDTH + x] = make_float4 (from[0], from[plane], from[2 * plane], from[3 * plane]);
}

static const dim3 threads (32, 8), blocks (WIDTH / 32, HEIGHT / 8);

/* Random numbers below 1, the same each time. */
static float
draw (unsigned *state)
{
  *state = *state * 1664525u + 1013904223u;
  return (*state >> 8) / 16777216.0f;
}

static std::vector<float>
make_matrix (int size)
{
  std::vector<float> matrix (size * size);
  unsigned state = size;

  for (float &value : matrix)
    value = draw (&state) - 0.25f;
  return matrix;
}

static std::vector<float>
make_picture ()
{
  std::vector<float> picture (static_cast<size_t> (WIDTH) * HEIGHT * CHANNELS);
  unsigned state = 1;

  for (float &value : picture)
    value = draw (&state);
  return picture;
}

/* Lengths */

/* Even, of the factors 2, 3, 5 and 7, and a multiple of 16. */
static int
find_short_length (int least)
{
  for (int n = (least + 15) / 16 * 16;; n += 16)
    {
      int rest = n;

      for (int factor : { 2, 3, 5, 7 })
        while (rest % factor == 0)
          rest /= factor;
      if (rest == 1)
        return n;
    }
}

/* A power of two, or that times 3, 5 or 9. */
static int
find_plain_length (int least)
{
  int best = 1 << 30;

  for (int factor : { 1, 3, 5, 9 })
    {
      int n = 64 * factor;

      while (n < least)
        n *= 2;
      best = std::min (best, n);
    }
  return best;
}

/* One size of matrix */

/* Four times the matrix around the origin, turned so that it is not flipped. */
static std::vector<float>
lay_out_matrix (const std::vector<float> &matrix, int size, Lengths n)
{
  const size_t pitch = n.x + 2, plane = pitch * n.y;
  std::vector<float> planes (CHANNELS * plane, 0.0f);

  for (int c = 0; c < CHANNELS; c++)
    for (int j = 0; j < size; j++)
      for (int i = 0; i < size; i++)
        {
          const int x = (size / 2 - i + n.x) % n.x, y = (size / 2 - j + n.y) % n.y;

          planes[c * plane + y * pitch + x] = matrix[j * size + i];
        }
  return planes;
}

static double
define (const std::vector<float> &picture, const std::vector<float> &matrix, int size, bool clamp,
        int x, int y, int channel)
{
  double sum = 0.0;

  for (int j = 0; j < size; j++)
    for (int i = 0; i < size; i++)
      {
        int from_x = x + i - size / 2, from_y = y + j - size / 2;

        if (clamp)
          {
            from_x = std::min (std::max (from_x, 0), WIDTH - 1);
            from_y = std::min (std::max (from_y, 0), HEIGHT - 1);
          }
        if (from_x >= 0 && from_x < WIDTH && from_y >= 0 && from_y < HEIGHT)
          sum += static_cast<double> (matrix[j * size + i]) *
                 picture[(static_cast<size_t> (from_y) * WIDTH + from_x) * CHANNELS + channel];
      }
  return sum;
}

/* The largest error, in parts of the sum of the matrix's magnitudes. */
static double
find_error (const std::vector<float> &picture, const std::vector<float> &result,
            const std::vector<float> &matrix, int size, bool clamp)
{
  unsigned state = 7;
  double most = 0.0, sum = 0.0;

  for (float value : matrix)
    sum += std::fabs (value);
  for (int k = 0; k < CHECKED; k++)
    {
      /* The corners, too. */
      const int x = k < 4 ? k % 2 * (WIDTH - 1) : static_cast<int> (draw (&state) * WIDTH);
      const int y = k < 4 ? k / 2 * (HEIGHT - 1) : static_cast<int> (draw (&state) * HEIGHT);
      const double wanted = define (picture, matrix, size, clamp, x, y, k % CHANNELS);
      const double got = result[(static_cast<size_t> (y) * WIDTH + x) * CHANNELS + k % CHANNELS];

      most = std::isfinite (got) ? std::max (most, std::fabs (got - wanted) / sum) : HUGE_VAL;
      if (most == HUGE_VAL)
        break;
    }
  return most;
}

struct Plan {
  Lengths n;
  bool padding;   /* VkFFT's own, so that nothing beyond the picture is read */
  int clamp;      /* pixels repeated before the first one; 0: black beyond the edges */
  size_t plane;   /* floats */
  uint64_t bytes; /* of four planes */
  void *kernel, *planes;
  VkFFTApplication app;
};

static VkFFTConfiguration
configure (Plan *plan, CUdevice *device)
{
  VkFFTConfiguration configuration = {};

  configuration.FFTdim = 2;
  configuration.size[0] = plan->n.x;
  configuration.size[1] = plan->n.y;
  configuration.size[2] = 1;
  configuration.performR2C = 1;
  configuration.normalize = 1;
  configuration.coordinateFeatures = CHANNELS;
  configuration.device = device;
  configuration.bufferSize = &plan->bytes;
  return configuration;
}

/* The spectrum of the matrix, and the transforms that use it. */
static Plan
make_plan (Lengths n, bool padding, bool clamp, const std::vector<float> &matrix, int size,
           CUdevice *device)
{
  Plan plan = {};
  VkFFTConfiguration configuration;
  VkFFTApplication spectrum = {};
  VkFFTLaunchParams launch = {};

  plan.n = n;
  plan.padding = padding;
  plan.clamp = clamp ? size / 2 : 0;
  plan.plane = static_cast<size_t> (n.x + 2) * n.y;
  plan.bytes = CHANNELS * plan.plane * sizeof (float);
  TRY (cudaMalloc (&plan.kernel, plan.bytes));
  TRY (cudaMalloc (&plan.planes, plan.bytes));
  TRY (cudaMemcpy (plan.kernel, lay_out_matrix (matrix, size, n).data (), plan.bytes,
                   cudaMemcpyHostToDevice));
  configuration = configure (&plan, device);
  configuration.kernelConvolution = 1;
  configuration.buffer = &plan.kernel;
  TRY (initializeVkFFT (&spectrum, configuration));
  launch.buffer = &plan.kernel;
  TRY (VkFFTAppend (&spectrum, -1, &launch));
  TRY (cudaDeviceSynchronize ());
  deleteVkFFT (&spectrum);

  configuration = configure (&plan, device);
  configuration.performConvolution = 1;
  configuration.kernel = &plan.kernel;
  configuration.kernelSize = &plan.bytes;
  configuration.buffer = &plan.planes;
  configuration.performZeropadding[0] = configuration.performZeropadding[1] = padding;
  configuration.fft_zeropad_left[0] = WIDTH;
  configuration.fft_zeropad_right[0] = n.x;
  configuration.fft_zeropad_left[1] = HEIGHT;
  configuration.fft_zeropad_right[1] = n.y;
  TRY (initializeVkFFT (&plan.app, configuration));
  return plan;
}

static void
free_plan (Plan *plan)
{
  deleteVkFFT (&plan->app);
  TRY (cudaFree (plan->kernel));
  TRY (cudaFree (plan->planes));
}

static Times
measure (Plan *plan, const float4 *source, float4 *result, int repeats)
{
  cudaEvent_t events[4];
  VkFFTLaunchParams launch = {};
  float *planes = static_cast<float *> (plan->planes);
  Times times;

  launch.buffer = &plan->planes;
  launch.kernel = &plan->kernel;
  for (cudaEvent_t &event : events)
    TRY (cudaEventCreate (&event));
  for (int i = 0; i < WARM_UPS + repeats; i++)
    {
      float all, transforms;

      TRY (cudaEventRecord (events[0]));
      if (! plan->padding && ! plan->clamp)
        TRY (cudaMemsetAsync (planes, 0, plan->bytes));
      if (plan->clamp)
        pack_clamped<<<dim3 ((plan->n.x + 31) / 32, (plan->n.y + 7) / 8), threads>>> (
          source, planes, plan->n.x + 2, plan->plane, plan->n, plan->clamp);
      else
        pack<<<blocks, threads>>> (source, planes, plan->n.x + 2, plan->plane);
      TRY (cudaEventRecord (events[1]));
      TRY (VkFFTAppend (&plan->app, -1, &launch));
      TRY (cudaEventRecord (events[2]));
      unpack<<<blocks, threads>>> (planes, result, plan->n.x + 2, plan->plane);
      TRY (cudaEventRecord (events[3]));
      TRY (cudaEventSynchronize (events[3]));
      TRY (cudaGetLastError ());
      TRY (cudaEventElapsedTime (&all, events[0], events[3]));
      TRY (cudaEventElapsedTime (&transforms, events[1], events[2]));
      if (i < WARM_UPS)
        continue;
      times.all.push_back (all);
      times.transforms.push_back (transforms);
    }
  for (cudaEvent_t event : events)
    TRY (cudaEventDestroy (event));
  std::sort (times.all.begin (), times.all.end ());
  std::sort (times.transforms.begin (), times.transforms.end ());
  return times;
}

static float
get_median (const std::vector<float> &values)
{
  return values[values.size () / 2];
}

static void
print_figure (const char *what, int size, const std::vector<float> &values)
{
  printf ("%s\t%d\t%d\tfloat\t%d\tgpu\t%g\t%g\t%g\t%zu\n", what, WIDTH, HEIGHT, size,
          get_median (values), values.front (), values.back (), values.size ());
  fflush (stdout);
}

/* Times one plan. Returns none if its result is wrong. */
static Times
measure_plan (Plan *plan, int size, const std::vector<float> &matrix,
              const std::vector<float> &picture, const float4 *source, float4 *result, int repeats)
{
  std::vector<float> got (picture.size ());
  const size_t bytes = got.size () * sizeof (float);
  Times times;
  double error;

  TRY (cudaMemset (result, 0xff, bytes)); /* NaN */
  times = measure (plan, source, result, repeats);
  TRY (cudaMemcpy (got.data (), result, bytes, cudaMemcpyDeviceToHost));
  error = find_error (picture, got, matrix, size, plan->clamp > 0);
  printf ("# vkfft %d: %dx%d%s, %g ms, error %.2g%s\n", size, plan->n.x, plan->n.y,
          plan->clamp     ? ", clamped"
          : plan->padding ? ""
                          : " without zero padding",
          get_median (times.all), error, error < 1e-5 ? "" : ": WRONG");
  return error < 1e-5 ? times : Times ();
}

static void
measure_size (int size, bool clamp, const std::vector<float> &picture, const float4 *source,
              float4 *result, int repeats, CUdevice *device)
{
  const std::vector<float> matrix = make_matrix (size);
  const int margin = clamp ? size - 1 : size / 2, x = WIDTH + margin, y = HEIGHT + margin;
  Times best;

  for (Lengths n : { Lengths { find_short_length (x), find_short_length (y) },
                     Lengths { find_plain_length (x), find_plain_length (y) } })
    for (bool padding : { true, false })
      {
        if (padding && clamp)
          continue;
        Plan plan = make_plan (n, padding, clamp, matrix, size, device);
        Times times = measure_plan (&plan, size, matrix, picture, source, result, repeats);

        free_plan (&plan);
        if (times.all.empty ())
          continue;
        if (best.all.empty () || get_median (times.all) < get_median (best.all))
          best = times;
        break; /* padding saves time wherever it is right */
      }
  if (best.all.empty ())
    return;
  print_figure (clamp ? "vkfft-clamp" : "vkfft", size, best.all);
  print_figure (clamp ? "vkfft-clamp-transforms" : "vkfft-transforms", size, best.transforms);
}

int
main (int argc, char **argv)
{
  const int repeats = argc > 1 ? atoi (argv[1]) : 9;
  const std::vector<float> picture = make_picture ();
  const size_t bytes = picture.size () * sizeof (float);
  float4 *source, *result;
  cudaDeviceProp about;
  CUdevice device;

  TRY (cudaSetDevice (0));
  TRY (cudaFree (nullptr)); /* makes the context */
  TRY (cuDeviceGet (&device, 0));
  TRY (cudaGetDeviceProperties (&about, 0));
  printf ("# VkFFT %d, %s\n", VkFFTGetVersion (), about.name);
  TRY (cudaMalloc (&source, bytes));
  TRY (cudaMalloc (&result, bytes));
  TRY (cudaMemcpy (source, picture.data (), bytes, cudaMemcpyHostToDevice));
  for (int size : sizes)
    for (bool clamp : { false, true })
      measure_size (size, clamp, picture, source, result, repeats, &device);
  return 0;
}
