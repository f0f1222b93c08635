/* The fast Fourier transform of lines in registers, which are exchanged through shared memory
 * (Stockham's order: Van Loan, Computational Frameworks for the Fast Fourier Transform, 1.7).
 *
 * N / FFT_EACH threads, T in number, transform a line of N values. Thread t holds values t, t + T,
 * t + 2 T and so on, before and after. The inverse transform is the same one with real and
 * imaginary parts swapped. */

struct Line {
  float *room; /* shared memory for the line, of which each value is stride floats apart */
  int stride;
  int t; /* the thread's number among those of the line */
};

__device__ static inline ConvolveComplex
operator+ (ConvolveComplex a, ConvolveComplex b)
{
  return { a.re + b.re, a.im + b.im };
}

__device__ static inline ConvolveComplex
operator- (ConvolveComplex a, ConvolveComplex b)
{
  return { a.re - b.re, a.im - b.im };
}

__device__ static inline ConvolveComplex
operator* (ConvolveComplex a, ConvolveComplex b)
{
  return { a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re };
}

__device__ static inline ConvolveComplex
swap (ConvolveComplex a)
{
  return { a.im, a.re };
}

/* Multiplies a by exp (-2 pi i k / 16); k is 0 to 7, and a constant once loops are unrolled. */
__device__ static inline ConvolveComplex
turn (ConvolveComplex a, int k)
{
  const float cosine = 0.923879532511286756f, sine = 0.382683432365089772f; /* of pi / 8 */
  const float root = 0.707106781186547524f;

  switch (k)
    {
    case 0:
      return a;
    case 1:
      return a * ConvolveComplex { cosine, -sine };
    case 2:
      return { (a.re + a.im) * root, (a.im - a.re) * root };
    case 3:
      return a * ConvolveComplex { sine, -cosine };
    case 4:
      return { a.im, -a.re };
    case 5:
      return a * ConvolveComplex { -sine, -cosine };
    case 6:
      return { (a.im - a.re) * root, -(a.re + a.im) * root };
    default:
      return a * ConvolveComplex { -cosine, -sine };
    }
}

/* Transforms SIZE values that are STRIDE apart, from those with even and with odd numbers. */
template <int SIZE, int STRIDE> struct Small {
  __device__ static inline void
  transform (ConvolveComplex *v)
  {
    ConvolveComplex sums[SIZE];

    Small<SIZE / 2, STRIDE * 2>::transform (v);
    Small<SIZE / 2, STRIDE * 2>::transform (v + STRIDE);
#pragma unroll
    for (int k = 0; k < SIZE / 2; k++)
      {
        const ConvolveComplex even = v[2 * k * STRIDE];
        const ConvolveComplex odd = turn (v[(2 * k + 1) * STRIDE], k * (16 / SIZE));

        sums[k] = even + odd;
        sums[k + SIZE / 2] = even - odd;
      }
#pragma unroll
    for (int k = 0; k < SIZE; k++)
      v[k * STRIDE] = sums[k];
  }
};

template <int STRIDE> struct Small<1, STRIDE> {
  __device__ static inline void
  transform (ConvolveComplex *)
  {
  }
};

__device__ static inline float *
find_value (const Line &line, int i)
{
  return line.room + (i + i / 16) * line.stride;
}

/* Moves one part of the values: value m of thread t was the result number find_place (m), and
 * becomes number t + T m. */
template <int T, typename Place>
__device__ static inline void
exchange (const Line &line, float ConvolveComplex::*part, Place find_place,
          ConvolveComplex (&v)[FFT_EACH])
{
#pragma unroll
  for (int m = 0; m < FFT_EACH; m++)
    *find_value (line, find_place (m)) = v[m].*part;
  __syncthreads ();
#pragma unroll
  for (int m = 0; m < FFT_EACH; m++)
    v[m].*part = *find_value (line, line.t + T * m);
  __syncthreads ();
}

/* The stages of a transform of N values from the one on that has 2^REST values left. */
template <int N, int REST> struct Stages {
  __device__ static inline void
  transform (const Line &line, const ConvolveComplex *factors, ConvolveComplex (&v)[FFT_EACH])
  {
    constexpr int SIZE = 1 << FFT_BITS (REST), DONE = N >> REST;
    constexpr int T = N / FFT_EACH, TIMES = FFT_EACH / SIZE;

#pragma unroll
    for (int b = 0; b < TIMES; b++)
      {
        const int k = (line.t + b * T) % DONE;

#pragma unroll
        for (int r = 1; r < SIZE && DONE > 1; r++)
          v[b + r * TIMES] = v[b + r * TIMES] * factors[r * DONE + k];
        Small<SIZE, TIMES>::transform (v + b);
      }
    if (REST == FFT_BITS (REST))
      return;

    const auto find_place = [&] (int m)
    {
      const int j = line.t + m % TIMES * T;

      return j / DONE * DONE * SIZE + j % DONE + m / TIMES * DONE;
    };

    exchange<T> (line, &ConvolveComplex::re, find_place, v);
    exchange<T> (line, &ConvolveComplex::im, find_place, v);
    Stages<N, REST - FFT_BITS (REST)>::transform (
      line, DONE > 1 ? factors + SIZE * DONE : factors, v);
  }
};

template <int N> struct Stages<N, 0> {
  __device__ static inline void
  transform (const Line &, const ConvolveComplex *, ConvolveComplex (&)[FFT_EACH])
  {
  }
};

__device__ static constexpr int
get_logarithm (int n)
{
  return n > 1 ? 1 + get_logarithm (n / 2) : 0;
}

/* Transforms lines of N values. All threads of the block must call this. */
template <int N>
__device__ static inline void
transform (const Line &line, const ConvolveComplex *factors, ConvolveComplex (&v)[FFT_EACH])
{
  Stages<N, get_logarithm (N)>::transform (line, factors, v);
}
