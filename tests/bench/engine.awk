# The tables of the measurements of the engine. Reads the figures of bench-device, bench-cpu and
# peers.py: what, width, height, format, sigma, device, median, minimum, maximum, count.

BEGIN { FS = "\t" }

function number(v,   form) {
  if (v == 0) return "0"
  form = v >= 1000 ? "%.0f" : v >= 100 ? "%.1f" : v >= 10 ? "%.2f" : v >= 0.1 ? "%.3f" : "%.4f"
  return sprintf(form, v)
}

function ratio(a, b) { return a && b ? sprintf("%.2f", a / b) : "-" }

function title(text) { print "\n" text "\n" }

# A median and its range.
function cell(key) {
  if (!(key in median)) return "-"
  return number(median[key]) " (" number(low[key]) " to " number(high[key]) ")"
}

function plain(key) { return key in median ? number(median[key]) : "-" }

# Keeps x in the list of that name, once, in the order of its coming.
function note(list, x) {
  if ((list, x) in known) return
  known[list, x] = 1
  item[list, ++count[list]] = x
}

# Sorts a list of numbers; they are few.
function sort(list,   i, j, t) {
  for (i = 2; i <= count[list]; i++)
    for (j = i; j > 1 && item[list, j] + 0 < item[list, j - 1] + 0; j--) {
      t = item[list, j]; item[list, j] = item[list, j - 1]; item[list, j - 1] = t
    }
}

$1 ~ /^gigapixel/ {
  note("gigapixel", $5)
  median[$1, $5] = $7
  next
}

# Stores a figure under the key of its table.
{
  key = $1 SUBSEP $4 SUBSEP $5 SUBSEP $6
  if ($4 == "rgb-u8" && $1 !~ /-error-/) {
    key = $1 SUBSEP $2 "x" $3 SUBSEP $5
    note("sizes", $2 "x" $3 SUBSEP $5)
  } else if ($1 ~ /-error-/)
    note("error " $4, $5)
  else if ($1 ~ /^(compile|load|launch|cache)-/)
    note("programs", $4)
  else {
    note($6 " " $4, $5)
    size = $2 "x" $3
  }
  if ($1 ~ /^(compile|load|launch|cache)-/) key = $1 SUBSEP $4
  median[key] = $7; low[key] = $8; high[key] = $9
}

# ---- the engine on the GPU, over sigma

# A median without its range, which widens the largest spread of those that are shown so.
function bare(who, format, s,   key, wide) {
  key = who SUBSEP format SUBSEP s SUBSEP "gpu"
  if (!(key in median)) return "-"
  wide = median[key] ? 100 * (high[key] - low[key]) / median[key] : 0
  if (wide > widest) { widest = wide; widest_of = who ", sigma " s }
  return number(median[key])
}

function sweep(format, light,   i, s, key, best, p, k, form) {
  if (!count["gpu " format]) return
  widest = 0
  sort("gpu " format)
  title(size " RGBA, " light ": milliseconds on the device, data resident")
  printf "copy from device to device: %s\n\n", cell("copy" SUBSEP format SUBSEP 0 SUBSEP "gpu")
  form = "%6s  %-26s %9s %11s %9s %9s %11s %8s %10s\n"
  printf form, "sigma", "blur", "generic", "specialised", "NPP", "CuPy",
    "torchvision", "to copy", "best peer"
  for (i = 1; i <= count["gpu " format]; i++) {
    s = item["gpu " format, i]
    if (s == 0) continue
    key = SUBSEP format SUBSEP s SUBSEP "gpu"
    best = 0
    split("npp cupy torchvision", p, " ")
    for (k = 1; k <= 3; k++)
      if ((p[k] key) in median && (!best || median[p[k] key] < best))
        best = median[p[k] key]
    printf form, s, cell("blur" key), bare("blur-generic", format, s), \
      bare("blur-specialised", format, s), bare("npp", format, s), bare("cupy", format, s), \
      bare("torchvision", format, s), \
      ratio(median["blur" key], median["copy" SUBSEP format SUBSEP 0 SUBSEP "gpu"]), \
      ratio(best, median["blur" key])
  }
  if (widest)
    printf "\nThe others' range is at most %.0f%% of the median (%s).\n", widest, widest_of
}

# ---- on the CPU

function cpu(   i, s, key, form, list) {
  list = "cpu u8"
  if (!count[list]) return
  sort(list)
  title(size " RGBA, 8-bit: milliseconds on the CPU, from memory into memory")
  form = "%6s  %-26s %-26s %-26s %8s %8s\n"
  printf form, "sigma", "blur", "GEGL", "OpenCV", "to GEGL", "to OpenCV"
  for (i = 1; i <= count[list]; i++) {
    s = item[list, i]
    key = SUBSEP "u8" SUBSEP s SUBSEP "cpu"
    printf form, s, cell("blur" key), cell("gegl" key), cell("opencv" key), \
      ratio(median["gegl" key], median["blur" key]), ratio(median["opencv" key], median["blur" key])
  }
  key = SUBSEP "cpu"
  if (("blur" SUBSEP "u8" SUBSEP 200 key) in median && ("blur" SUBSEP "u8" SUBSEP 8 key) in median)
    printf "\nblur, time at sigma 200 / time at sigma 8: %s\n", \
      ratio(median["blur" SUBSEP "u8" SUBSEP 200 key], median["blur" SUBSEP "u8" SUBSEP 8 key])
}

# ---- errors

function error(who, device, suffix,   format) {
  format = suffix == "float" ? "float" : "u8"
  if (who == "opencv") format = "rgb-" format
  return who "-error-" suffix SUBSEP format SUBSEP s SUBSEP device
}

function errors_of(name, who, device,   i, any, e) {
  for (i = 1; i <= count["error u8"] || i <= count["error rgb-u8"]; i++) {
    s = count["error u8"] ? item["error u8", i] : item["error rgb-u8", i]
    e = error(who, device, "levels")
    if (!(e in median)) continue
    printf "%-10s %6s %8d %8s %11.4f %12.2g\n", name, s, median[e], \
      error(who, device, "opaque") in median ? median[error(who, device, "opaque")] : "-", \
      median[error(who, device, "exact")], median[error(who, device, "float")]
  }
}

function errors() {
  if (!count["error u8"] && !count["error rgb-u8"]) return
  title("Error against a convolution in double precision, in the same light")
  printf "%-10s %6s %8s %8s %11s %12s\n", "", "sigma", "levels", "opaque", "exact, %", "float"
  errors_of("blur, CPU", "blur", "cpu")
  errors_of("blur, GPU", "blur", "gpu")
  errors_of("GEGL", "gegl", "cpu")
  errors_of("OpenCV", "opencv", "cpu")
  print "\nlevels: the largest, of 255, where alpha is at least 8/255. " \
    "opaque: the same where it is 255."
  print "exact: samples that the reference rounds to. " \
    "float: the largest before rounding, white is 1."
  print "OpenCV: without alpha, against the reference in its own light, the stored samples'."
}

# ---- run-time compiling

function sizes(   i, z, form, part) {
  if (!count["sizes"]) return
  title("RGB 8-bit, 7x7 taps at sigma 1.5, 61x61 at sigma 10: milliseconds")
  form = "%-10s %6s %10s %10s %10s %10s %10s %8s %8s %10s\n"
  printf form, "size", "sigma", "CPU", "PTX", "CUBIN", "blur",
    "linear", "CPU/blur", "PTX/blur", "CUBIN/blur"
  for (i = 1; i <= count["sizes"]; i++) {
    split(item["sizes", i], part, SUBSEP)
    z = SUBSEP item["sizes", i]
    printf form, part[1], part[2], plain("naive-cpu" z), plain("naive-ptx" z), \
      plain("naive-cubin" z), plain("blur" z), plain("blur-linear" z), \
      ratio(median["naive-cpu" z], median["blur" z]), \
      ratio(median["naive-ptx" z], median["blur" z]), \
      ratio(median["naive-cubin" z], median["blur" z])
  }
  print "\nCPU: a plain loop in C, one thread. PTX, CUBIN: the naive kernel, one thread a pixel."
  print "blur: the engine on samples as stored, as the naive ones; linear: in linear light."
}

# Two parts of a start, where both are known.
function sum(a, b) { return a in median && b in median ? number(median[a] + median[b]) : "-" }

function microseconds(key) { return key in median ? sprintf("%.2f", 1000 * median[key]) : "-" }

function programs(   i, p, form) {
  if (!count["programs"]) return
  title("Cold start of a program: milliseconds, NVRTC loaded already")
  form = "%-15s %9s %9s %9s %9s %9s %9s %9s %9s %9s\n"
  printf form, "", "PTX", "", "", "CUBIN", "", "", "cache", "", "launch"
  printf form, "program", "compile", "load", "both", "compile", "load", "both", "read",
    "and load", "us"
  for (i = 1; i <= count["programs"]; i++) {
    p = SUBSEP item["programs", i]
    printf form, item["programs", i], plain("compile-ptx" p), plain("load-ptx" p), \
      sum("compile-ptx" p, "load-ptx" p), plain("compile-cubin" p), plain("load-cubin" p), \
      sum("compile-cubin" p, "load-cubin" p), plain("cache-read" p), \
      sum("cache-read" p, "load-cubin" p), microseconds("launch-cubin" p)
  }
}

# ---- a picture larger than memory

function gigapixel(   i, s) {
  if (!count["gigapixel"]) return
  title("32768x32768 RGBA, 8-bit, streamed from a generator: milliseconds in all")
  printf "%6s %12s %12s %8s\n", "sigma", "no limit", "2G", "ratio"
  for (i = 1; i <= count["gigapixel"]; i++) {
    s = item["gigapixel", i]
    if (s > 0)
      printf "%6s %12s %12s %8s\n", s, number(median["gigapixel", s]), \
        number(median["gigapixel-2G", s]), ratio(median["gigapixel-2G", s], median["gigapixel", s])
  }
  printf "\n2G: CUDA_BLUR_MEMORY_LIMIT. Host memory at the most: %s MB.\n", \
    number(median["gigapixel-host-MB", 0])
}

END {
  sweep("float", "float in linear light")
  sweep("u8", "8-bit by way of linear light")
  gigapixel()
  cpu()
  errors()
  sizes()
  programs()
  print "\nIn brackets: minimum to maximum. to copy: our time / the copy's. " \
    "best peer: the fastest peer's"
  print "time / ours; to GEGL, to OpenCV likewise. " \
    "Peers blur samples as stored; GEGL in linear light."
}
