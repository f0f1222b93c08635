/* The fast Fourier transform of lines in registers, which are exchanged through shared memory
 * (Stockham's order: Van Loan, Computational Frameworks for the Fast Fourier Transform, 1.7).
 *
 * N / FFT_EACH threads, T in number, transform a line of N values. Thread t holds values t, t + T,
 * t + 2 T and so on, before and after. The inverse transform is the same one with real and
 * imaginary parts swapped. */

typedef FFT_REAL real_t;

struct Line {
  real_t *memory; /* shared memory for the line, of which each value is stride numbers apart */
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

/* The sine and the cosine of 0 to pi / 2, by their series. */
__device__ static constexpr double
get_sine (double angle)
{
  double term = angle, sum = angle;

  for (int n = 1; n < 12; n++)
    sum += term *= -angle * angle / (2 * n * (2 * n + 1));
  return sum;
}

__device__ static constexpr double
get_cosine (double angle)
{
  double term = 1.0, sum = 1.0;

  for (int n = 1; n < 12; n++)
    sum += term *= -angle * angle / (2 * n * (2 * n - 1));
  return sum;
}

/* exp (-2 pi i k / SIZE) */
template <int SIZE> struct Roots {
  real_t re[SIZE] = {}, im[SIZE] = {};

  __device__ constexpr Roots ()
  {
    const double quarter = 1.57079632679489661923;

    for (int k = 0; k < SIZE; k++)
      {
        const int turns = 4 * k / SIZE; /* quarters */
        const double rest = quarter * (4 * k % SIZE) / SIZE;
        const double cosine = get_cosine (rest), sine = get_sine (rest);

        re[k] = static_cast<real_t> (turns == 0   ? cosine
                                    : turns == 1 ? -sine
                                    : turns == 2 ? -cosine
                                                 : sine);
        im[k] = static_cast<real_t> (turns == 0   ? -sine
                                    : turns == 1 ? -cosine
                                    : turns == 2 ? sine
                                                 : cosine);
      }
  }
};

/* Multiplies a by exp (-2 pi i k / SIZE); k is 0 to SIZE - 1, and a constant once loops are
 * unrolled. */
template <int SIZE>
__device__ static inline ConvolveComplex
rotate (ConvolveComplex a, int k)
{
  constexpr Roots<SIZE> roots;
  const real_t root = static_cast<real_t> (0.70710678118654752440);

  if (k == 0)
    return a;
  if (4 * k == SIZE)
    return { a.im, -a.re };
  if (8 * k == SIZE)
    return { (a.re + a.im) * root, (a.im - a.re) * root };
  if (8 * k == 3 * SIZE)
    return { (a.im - a.re) * root, -(a.re + a.im) * root };
  return a * ConvolveComplex { roots.re[k], roots.im[k] };
}

/* Transforms a prime number of values. Those of an odd number are combined in pairs around the
 * first: their sums with the cosines, their differences with the sines. */
template <int SIZE>
__device__ static inline void
transform_prime (ConvolveComplex (&v)[SIZE])
{
  constexpr Roots<SIZE> roots;
  constexpr int PAIRS = (SIZE - 1) / 2;
  ConvolveComplex sums[PAIRS], differences[PAIRS];
  const ConvolveComplex first = v[0];

#pragma unroll
  for (int m = 0; m < PAIRS; m++)
    {
      sums[m] = v[m + 1] + v[SIZE - 1 - m];
      differences[m] = v[m + 1] - v[SIZE - 1 - m];
      v[0] = v[0] + sums[m];
    }
#pragma unroll
  for (int k = 1; k <= PAIRS; k++)
    {
      ConvolveComplex even = first, odd = {};

#pragma unroll
      for (int m = 0; m < PAIRS; m++)
        {
          const real_t cosine = roots.re[k * (m + 1) % SIZE], sine = roots.im[k * (m + 1) % SIZE];

          even.re += cosine * sums[m].re;
          even.im += cosine * sums[m].im;
          odd.re -= sine * differences[m].im;
          odd.im += sine * differences[m].re;
        }
      v[k] = even + odd;
      v[SIZE - k] = even - odd;
    }
}

template <>
__device__ inline void
transform_prime<2> (ConvolveComplex (&v)[2])
{
  const ConvolveComplex even = v[0], odd = v[1];

  v[0] = even + odd;
  v[1] = even - odd;
}

__device__ static constexpr int
get_smallest_factor (int n)
{
  int factor = 2;

  while (n % factor != 0)
    factor++;
  return factor;
}

/* Transforms SIZE values that are STRIDE apart: every FIRST-th of them, and then those results of
 * the same number. */
template <int SIZE, int STRIDE> struct Small {
  __device__ static inline void
  transform (ConvolveComplex *v)
  {
    constexpr int FIRST = get_smallest_factor (SIZE), REST = SIZE / FIRST;
    ConvolveComplex results[SIZE];

#pragma unroll
    for (int p = 0; p < FIRST; p++)
      Small<REST, STRIDE * FIRST>::transform (v + p * STRIDE);
#pragma unroll
    for (int k = 0; k < REST; k++)
      {
        ConvolveComplex values[FIRST];

#pragma unroll
        for (int p = 0; p < FIRST; p++)
          values[p] = rotate<SIZE> (v[(k * FIRST + p) * STRIDE], p * k);
        transform_prime (values);
#pragma unroll
        for (int q = 0; q < FIRST; q++)
          results[k + q * REST] = values[q];
      }
#pragma unroll
    for (int k = 0; k < SIZE; k++)
      v[k * STRIDE] = results[k];
  }
};

template <int STRIDE> struct Small<1, STRIDE> {
  __device__ static inline void
  transform (ConvolveComplex *)
  {
  }
};

__device__ static inline real_t *
find_value (const Line &line, int i)
{
  return line.memory + (i + i / 16) * line.stride;
}

/* A stage of a transform of N values, which has transforms of SIZE values each. REST is the product
 * of its size and those of the later stages. Thread t does transforms t, t + T and so on: value r
 * of its transform b is in place b + r * ROUNDS. In the last round, some threads may have none. */
template <int N, int REST> struct Stage {
  static constexpr int SIZE = FFT_SIZE (REST), DONE = N / REST, COUNT = N / SIZE;
  static constexpr int T = N / FFT_EACH, ROUNDS = (COUNT + T - 1) / T, VALUES = SIZE * ROUNDS;

  __device__ static inline bool
  has (int j)
  {
    return COUNT % T == 0 || j < COUNT;
  }

  __device__ static inline void
  transform (const Line &line, const ConvolveComplex *factors, ConvolveComplex (&v)[VALUES])
  {
#pragma unroll
    for (int b = 0; b < ROUNDS; b++)
      {
        const int j = line.t + b * T;

        if (! has (j))
          continue;
#pragma unroll
        for (int r = 1; r < SIZE && DONE > 1; r++)
          v[b + r * ROUNDS] = v[b + r * ROUNDS] * factors[r * DONE + j % DONE];
        Small<SIZE, ROUNDS>::transform (v + b);
      }
  }

  /* Writes one part of the results to shared memory, in their order. */
  __device__ static inline void
  write (const Line &line, real_t ConvolveComplex::*part, const ConvolveComplex (&v)[VALUES])
  {
#pragma unroll
    for (int b = 0; b < ROUNDS; b++)
      {
        const int j = line.t + b * T, place = j / DONE * DONE * SIZE + j % DONE;

#pragma unroll
        for (int r = 0; r < SIZE; r++)
          if (has (j))
            *find_value (line, place + r * DONE) = v[b + r * ROUNDS].*part;
      }
  }

  /* Reads one part of the stage's values. */
  __device__ static inline void
  read (const Line &line, real_t ConvolveComplex::*part, ConvolveComplex (&v)[VALUES])
  {
#pragma unroll
    for (int b = 0; b < ROUNDS; b++)
      {
        const int j = line.t + b * T;

#pragma unroll
        for (int r = 0; r < SIZE; r++)
          if (has (j))
            v[b + r * ROUNDS].*part = *find_value (line, j + r * COUNT);
      }
  }
};

/* The stages of a transform of N values, from the one on at which the sizes of this and the later
 * stages have the product REST. */
template <int N, int REST> struct Stages {
  using This = Stage<N, REST>;
  using Next = Stage<N, REST / This::SIZE>;

  /* Moves one part of the values from this stage to the next one. */
  __device__ static inline void
  exchange (const Line &line, real_t ConvolveComplex::*part,
            const ConvolveComplex (&v)[This::VALUES], ConvolveComplex (&next)[Next::VALUES])
  {
    This::write (line, part, v);
    __syncthreads ();
    Next::read (line, part, next);
    __syncthreads ();
  }

  __device__ static inline void
  transform (const Line &line, const ConvolveComplex *factors, ConvolveComplex (&v)[This::VALUES],
             ConvolveComplex (&result)[FFT_EACH])
  {
    ConvolveComplex next[Next::VALUES];

    This::transform (line, factors, v);
    exchange (line, &ConvolveComplex::re, v, next);
    exchange (line, &ConvolveComplex::im, v, next);
    Stages<N, REST / This::SIZE>::transform (
      line, This::DONE > 1 ? factors + This::SIZE * This::DONE : factors, next, result);
  }
};

/* All lengths end with a stage of FFT_EACH values. */
template <int N> struct Stages<N, FFT_EACH> {
  __device__ static inline void
  transform (const Line &line, const ConvolveComplex *factors, ConvolveComplex (&v)[FFT_EACH],
             ConvolveComplex (&result)[FFT_EACH])
  {
    Stage<N, FFT_EACH>::transform (line, factors, v);
#pragma unroll
    for (int m = 0; m < FFT_EACH; m++)
      result[m] = v[m];
  }
};

/* Transforms lines of N values. All threads of the block must call this. */
template <int N>
__device__ static inline void
transform (const Line &line, const ConvolveComplex *factors, ConvolveComplex (&v)[FFT_EACH])
{
  Stages<N, N>::transform (line, factors, v, v);
}
