# Makes and examines plain PPM pictures (P3): awk -v what=... -f picture.awk FILE...
#
# noise: writes one of 61x47, with a white bar in it.
# box: writes one of that size with a white box of 20x15 at 20, 14.
# gauss: writes FILE blurred by the sampled Gaussian, edges repeated; x, y: the deviations.
# light: writes FILE with the light of its values, by sRGB's curve.
# differ: prints the largest difference of a sample between two FILEs of one size.

function read(file, samples, line, n, i, words) {
  n = 0
  while ((getline line <file) > 0) {
    sub(/#.*/, "", line)
    for (i = split(line, words, " "); i > 0; i--)
      samples[n + i - 1] = words[i]
    n += split(line, words, " ")
  }
  close(file)
  return n
}

function limit(i, n) { return i < 0 ? 0 : i >= n ? n - 1 : i }

# Along one axis: n samples at a time, step apart; lines of them begin at first.
function blur_line(from, to, first, step, n, sigma, radius, i, k, sum, weight, weights) {
  for (i = 0; i < n; i++) {
    sum = weights = 0
    for (k = -radius; k <= radius; k++) {
      weight = sigma > 0 ? exp(-k * k / (2 * sigma * sigma)) : k == 0
      sum += weight * from[first + limit(i + k, n) * step]
      weights += weight
    }
    to[first + i * step] = sum / weights
  }
}

function blur(samples, width, height, x, y, between, i, c) {
  for (c = 0; c < 3; c++)
    for (i = 0; i < height; i++)
      blur_line(samples, between, 4 + c + i * width * 3, 3, width, x, int(6 * x) + 1)
  for (c = 0; c < 3; c++)
    for (i = 0; i < width; i++)
      blur_line(between, samples, 4 + c + i * 3, width * 3, height, y, int(6 * y) + 1)
}

function write_noise(seed, i, bar) {
  print "P3\n61 47\n255"
  seed = 1
  for (i = 0; i < 61 * 47 * 3; i++) {
    seed = (seed * 16807) % 2147483647
    bar = int(i / 3) % 61
    print (bar > 28 && bar < 36) ? 255 : int(seed / 8388608)
  }
}

function write(samples, n, i) {
  print "P3\n" samples[1], samples[2] "\n255"
  for (i = 4; i < n; i++)
    print int(samples[i] + 0.5)
}

function get_light(value) {
  value /= 255
  return 255 * (value <= 0.04045 ? value / 12.92 : exp(2.4 * log((value + 0.055) / 1.055)))
}

function write_box(i, x, y) {
  print "P3\n61 47\n255"
  for (i = 0; i < 61 * 47 * 3; i++) {
    x = int(i / 3) % 61 - 20
    y = int(i / 3 / 61) - 14
    print (x >= 0 && x < 20 && y >= 0 && y < 15) ? 255 : 0
  }
}

BEGIN {
  if (what == "noise")
    write_noise()
  else if (what == "box")
    write_box()
  else if (what == "gauss") {
    n = read(ARGV[1], a)
    blur(a, a[1], a[2], x, y)
    write(a, n)
  } else if (what == "light") {
    n = read(ARGV[1], a)
    for (i = 4; i < n; i++)
      a[i] = get_light(a[i])
    write(a, n)
  } else {
    n = read(ARGV[1], a)
    if (n != read(ARGV[2], b) || a[1] != b[1] || a[2] != b[2] || n < 5) {
      print 999
      exit
    }
    for (i = 4; i < n; i++) {
      d = a[i] > b[i] ? a[i] - b[i] : b[i] - a[i]
      if (d > most)
        most = d
    }
    print most + 0
  }
}
