/* The blur as it is first written: a thread a pixel, every tap of the whole SIZE x SIZE kernel read
 * from global memory, integer weights. naive.c puts SIZE, TOTAL and WEIGHTS before this. */

__constant__ int weights[SIZE * SIZE] = { WEIGHTS };

extern "C" __global__ void
naive (const unsigned char *in, unsigned char *out, int width, int height)
{
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  int sum[3] = { 0, 0, 0 };

  if (x >= width || y >= height)
    return;
  for (int v = 0; v < SIZE; v++)
    for (int u = 0; u < SIZE; u++)
      {
        const int from_x = min (max (x + u - SIZE / 2, 0), width - 1);
        const int from_y = min (max (y + v - SIZE / 2, 0), height - 1);
        const unsigned char *pixel = in + 3 * (from_y * width + from_x);

        for (int c = 0; c < 3; c++)
          sum[c] += weights[v * SIZE + u] * pixel[c];
      }
  for (int c = 0; c < 3; c++)
    out[3 * (y * width + x) + c] = (sum[c] + TOTAL / 2) / TOTAL;
}
