# The tables of the measurements within GIMP, each line with its target. Reads the figures of
# gimp.c.

# ---- numbers

function sort_values(n,   i, j, x) { # s[1] to s[n]
  for (i = 2; i <= n; i++) {
    x = s[i]
    for (j = i - 1; j >= 1 && s[j] > x; j--) s[j + 1] = s[j]
    s[j + 1] = x
  }
}
function middle(n) {
  sort_values(n)
  return n ? (s[int((n + 1) / 2)] + s[int(n / 2) + 1]) / 2 : 0
}
# Returns the median of the values first to last.
function median_of(key, first, last,   i, n) {
  for (i = first; i <= last; i++) s[++n] = value[key, i]
  return middle(n)
}
function median(key) { return median_of(key, 1, count[key]) }
# The median of the quotients, or differences, of what was measured side by side.
function pairs(a, b, minus,   i, n) {
  n = count[a] < count[b] ? count[a] : count[b]
  for (i = 1; i <= n; i++)
    s[i] = minus ? value[a, i] - value[b, i] : value[a, i] / value[b, i]
  return middle(n)
}

function ms(x) { return sprintf(x < 99.95 ? "%.1f" : "%.0f", x) }
function cell(key,   m) {
  if (!count[key]) return "-"
  m = median(key)
  return count[key] == 1 ? ms(m) : ms(m) " (" ms(s[1]) " to " ms(s[count[key]]) ")"
}
function met(yes) { return yes ? "yes" : "**no**" }
function name(layer) {
  return substr(layer, 1, index(layer, " ") - 1) (layer ~ / u8$/ ? " 8-bit" : " float")
}
function at(part, what, layer, sigma, device) {
  return part SUBSEP what SUBSEP layer SUBSEP sigma SUBSEP device
}

{
  layer = $3 "x" $4 " " $5
  key = at($1, $2, layer, $6, $7)
  value[key, ++count[key]] = $10
  if ($8 != "-") took[key, $8]++
  if (!(($1, layer) in layer_seen)) {
    layer_seen[$1, layer] = 1
    layers[$1, ++n_layers[$1]] = layer
  }
  if (!(($1, $6) in sigma_seen)) {
    sigma_seen[$1, $6] = 1
    sigmas[$1, ++n_sigmas[$1]] = $6
  }
}

# ---- warm calls

# Of all sigmas of a layer.
function copy_median(part, copy, layer,   i, j, k, n) {
  for (i = 1; i <= n_sigmas[part]; i++) {
    k = at(part, copy, layer, sigmas[part, i], "-")
    for (j = 1; j <= count[k]; j++) s[++n] = value[k, j]
  }
  return middle(n)
}
function faster_copy(part, layer) {
  return copy_median(part, "raw", layer) <= copy_median(part, "gegl", layer) ? "raw" : "gegl"
}

function warm_line(layer, sigma, device, copy,   blur, ratio) {
  blur = at("warm", "blur", layer, sigma, device)
  if (!count[blur]) return
  ratio = pairs(blur, at("warm", copy, layer, sigma, "-"))
  printf "| %s | %s | %s | %s | %s | %s | %s | %.2f | %s |\n", name(layer), sigma, device,
    cell(blur), cell(at("warm", "raw", layer, sigma, "-")),
    cell(at("warm", "gegl", layer, sigma, "-")),
    cell(at("warm", "gauss", layer, sigma, "-")), ratio, met(ratio <= 1.15)
}

function print_warm(   l, i, d, copy) {
  print "\nWarm calls, milliseconds: median (range). " \
    "Tiles: the same call with a copy in place of the blur, by"
  print "raw tiles and by GEGL buffers. To tiles: the blur over the faster of them, " \
    "call by call. Target: at"
  print "most 1.15. Undo is on."
  print "\n| layer | sigma | device | blur | raw tiles | GEGL tiles | " \
    "`plug-in-gauss` | to tiles | met |"
  print "| --- | --- | --- | --- | --- | --- | --- | --- | --- |"
  for (l = 1; l <= n_layers["warm"]; l++) {
    copy = faster_copy("warm", layers["warm", l])
    for (i = 1; i <= n_sigmas["warm"]; i++)
      for (d = 1; d <= 3; d++)
        warm_line(layers["warm", l], sigmas["warm", i], devices[d], copy)
  }
}

# The median over sigma 2, 10, 50 and 100, as far as they were measured.
function gauss_line(layer, device,   i, n, blur, gauss, speeds, list, total, target) {
  for (i = 1; i <= 4; i++) {
    blur = at("warm", "blur", layer, gauss_sigmas[i], device)
    gauss = at("warm", "gauss", layer, gauss_sigmas[i], "-")
    if (!count[blur] || !count[gauss]) continue
    speeds[++n] = pairs(gauss, blur)
    list = list (n > 1 ? ", " : "") sprintf("%.2f", speeds[n])
  }
  if (!n) return
  for (i = 1; i <= n; i++) s[i] = speeds[i]
  total = middle(n)
  target = gauss_target[layer]
  printf "| %s | %s | %s | %.2f | %s | %s |\n", name(layer), device, list, total,
    (target ? target : "-"), (target ? met(total >= target) : "-")
}

function print_gauss(   l, d) {
  split("2 10 50 100", gauss_sigmas, " ")
  gauss_target["1920x1080 u8"] = 1.4
  gauss_target["3840x2160 u8"] = 2.3
  gauss_target["6000x4000 u8"] = 2.2
  gauss_target["3840x2160 float"] = 1.5
  print "\nTimes faster than `plug-in-gauss`, call by call, at sigma 2, 10, 50 and 100."
  print "\n| layer | device | at each sigma | median | at least | met |"
  print "| --- | --- | --- | --- | --- | --- |"
  for (l = 1; l <= n_layers["warm"]; l++)
    for (d = 1; d <= 3; d++)
      gauss_line(layers["warm", l], devices[d])
}

# ---- first calls

function first_line(layer, sigma, device,   full, empty, gauss, more) {
  full = at("first", "blur", layer, sigma, device)
  empty = at("first-empty", "blur", layer, sigma, device)
  gauss = at("first", "gauss", layer, sigma, "-")
  if (!count[full]) return
  more = pairs(empty, full, 1)
  printf "| %s | %s | %s | %s | %.0f | %s | %s | %s |\n", sigma, device, cell(full), cell(empty),
    more, cell(gauss), met(median(full) < median(gauss)), met(more <= 200)
}

function print_first(   i, d) {
  print "\nThe first call in a fresh GIMP, 3840x2160 8-bit, milliseconds: median (range). " \
    "Targets: with a full"
  print "cache faster than GIMP's own first `plug-in-gauss`; with an empty one at most 200 more."
  print "\n| sigma | device | full cache | empty cache | more | `plug-in-gauss` | " \
    "faster | at most 200 more |"
  print "| --- | --- | --- | --- | --- | --- | --- | --- |"
  for (i = 1; i <= n_sigmas["first"]; i++)
    for (d = 1; d <= 3; d++)
      first_line("3840x2160 u8", sigmas["first", i], devices[d])
}

# ---- small layers

# Returns whether the choice is the faster device; a tenth is within the noise.
function chose(cpu, gpu, auto,   c, g, own) {
  if (!count[gpu]) return "-"
  c = median(cpu)
  g = median(gpu)
  own = took[auto, "gpu"] > took[auto, "cpu"] + 0 ? g : c
  return met(own <= 1.1 * (g < c ? g : c))
}
function used(auto) {
  if (took[auto, "gpu"] && took[auto, "cpu"]) return "both"
  return took[auto, "gpu"] ? "GPU" : took[auto, "cpu"] ? "CPU" : "?"
}

function small_line(layer, sigma,   cpu, gpu, auto) {
  cpu = at("small", "blur", layer, sigma, "cpu")
  gpu = at("small", "blur", layer, sigma, "gpu")
  auto = at("small", "blur", layer, sigma, "auto")
  if (!count[auto]) return
  printf "| %s | %s | %s | %s | %s | %s | %s | %s |\n", name(layer), sigma, cell(cpu), cell(gpu),
    cell(auto), used(auto), chose(cpu, gpu, auto),
    (layer ~ /^64x64 / ? met(median(auto) <= 25) : "-")
}

function print_small(   l, i) {
  print "\nSmall layers, warm, milliseconds a call: median (range). " \
    "Targets: auto takes the faster device; at"
  print "most 25 at 64x64."
  print "\n| layer | sigma | CPU | GPU | auto | auto takes | the faster | at most 25 |"
  print "| --- | --- | --- | --- | --- | --- | --- | --- |"
  for (l = 1; l <= n_layers["small"]; l++)
    for (i = 1; i <= n_sigmas["small"]; i++)
      small_line(layers["small", l], sigmas["small", i])
}

# The CPU's time and the GPU's; the one that auto takes in bold.
function engine_cell(cpu, gpu, auto,   c, g) {
  c = sprintf("%.3g", median(cpu))
  g = count[gpu] ? sprintf("%.3g", median(gpu)) : "-"
  return used(auto) == "GPU" ? c " / **" g "**" : "**" c "** / " g
}

function engine_line(format, sigma,   l, layer, cpu, gpu, auto, verdict) {
  printf "| %s | %s |", (format == "u8" ? "8-bit" : format), sigma
  for (l = 1; l <= n_layers["engine"]; l++) {
    layer = layers["engine", l]
    cpu = at("engine", "blur", layer, sigma, "cpu")
    gpu = at("engine", "blur", layer, sigma, "gpu")
    auto = at("engine", "blur", layer, sigma, "auto")
    if (substr(layer, index(layer, " ") + 1) != format) continue
    printf " %s |", (count[auto] ? engine_cell(cpu, gpu, auto) : "-")
    if (!verdict || chose(cpu, gpu, auto) != met(1)) verdict = chose(cpu, gpu, auto)
  }
  printf " %s |\n", verdict
}

function print_engine(   l, i, bar) {
  print "\nThe engine alone, squares from memory into memory, warm, median " \
    "milliseconds: CPU / GPU, what auto"
  print "takes in bold. Target: always the faster."
  printf "\n| | sigma |"
  for (l = 1; l <= n_layers["engine"]; l++)
    if (layers["engine", l] ~ / u8$/) {
      printf " %s |", substr(layers["engine", l], 1, index(layers["engine", l], "x") - 1)
      bar = bar " --- |"
    }
  print " the faster |\n| --- | --- |" bar " --- |"
  for (i = 1; i <= n_sigmas["engine"]; i++) engine_line("u8", sigmas["engine", i])
  for (i = 1; i <= n_sigmas["engine"]; i++) engine_line("float", sigmas["engine", i])
}

# ---- many calls

function memory(key, unit) {
  if (!count[key] || value[key, 1] <= 0) return "- | -"
  return sprintf("%.1f | %.1f", value[key, 1] / unit, value[key, count[key]] / unit)
}
function grows(key, most) {
  return count[key] && value[key, 1] > 0 && value[key, count[key]] - value[key, 1] > most
}

function many_line(layer, device,   blur, host, gpu, n, m, first, last, known) {
  blur = at("many", "blur", layer, 8, device)
  host = at("many", "host-memory", layer, 8, device)
  gpu = at("many", "gpu-memory", layer, 8, device)
  if (!(n = count[blur])) return
  m = n >= 200 ? 100 : int((n + 4) / 5)
  first = median_of(blur, 1, m)
  last = median_of(blur, n - m + 1, n)
  known = count[host] && value[host, 1] > 0
  printf "| %s | %s | %d | %s | %s | %s | %s | %s | %s |\n", name(layer), device, n,
    memory(host, 1024), memory(gpu, 1), ms(first), ms(last),
    (known ? met(!grows(host, 1024) && !grows(gpu, 2)) : "-"),
    met(last <= 1.1 * first)
}

function print_many(   l, d) {
  print "\nMany warm calls in one session, sigma 8. " \
    "Memory in MiB, of the resident process and of the whole GPU,"
  print "after 20 calls and at the end; no growth: at most 1 and 2. " \
    "Milliseconds, the medians of the first and"
  print "the last 100 calls (of 50 calls: 10); as fast: at most 1.1 times."
  print "\n| layer | device | calls | host, 20 | host, end | GPU, 20 | GPU, end | " \
    "first | last | no growth | as fast |"
  print "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |"
  for (l = 1; l <= n_layers["many"]; l++)
    for (d = 1; d <= 3; d++)
      many_line(layers["many", l], devices[d])
}

# ---- the start

function print_start(   with, without, more) {
  with = at("start", "with", "3840x2160 u8", 8, "-")
  without = at("start", "without", "3840x2160 u8", 8, "-")
  more = pairs(with, without, 1)
  print "\nStart and end of GIMP, milliseconds: median (range). Target: at most 20 more."
  print "\n| with the plug-in | without | more | met |\n| --- | --- | --- | --- |"
  printf "| %s | %s | %.0f | %s |\n", cell(with), cell(without), more, met(more <= 20)
}

END {
  split("auto gpu cpu", devices, " ")
  if (n_layers["warm"]) { print_warm(); print_gauss() }
  if (n_layers["first"]) print_first()
  if (n_layers["small"]) print_small()
  if (n_layers["engine"]) print_engine()
  if (n_layers["many"]) print_many()
  if (n_layers["start"]) print_start()
}
