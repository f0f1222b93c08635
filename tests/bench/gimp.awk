# The table of the measurements within GIMP. Reads the figures of gimp.c; repeats: timed calls a figure
# where there was time for all.
function cell(m, lo, hi, n) {
  if (n < repeats) few = 1
  return sprintf("%.0f (%.0f to %.0f)%s", m, lo, hi, n < repeats ? "*" : "")
}
{
  layer = $2 "x" $3 "\t" $4
  if (!(layer in seen)) { seen[layer] = 1; layers[++n] = layer }
  if ($1 == "tiles") { tiles[layer] = $7; floor_cell[layer] = cell($7, $8, $9, $10) }
  else if ($1 == "tiles-traffic") traffic[layer] = cell($7, $8, $9, $10)
  else if ($1 == "plug-in-gauss") { gauss[layer, $5] = $7; gauss_cell[layer, $5] = cell($7, $8, $9, $10) }
  else if ($1 == "blur") { row[layer, ++rows[layer]] = $5 "\t" $6 "\t" $7 "\t" cell($7, $8, $9, $10) }
}
END {
  form = "%-10s %-6s %6s %-6s %-24s %-24s %8s %8s\n"
  printf "\n" form, "size", "format", "sigma", "device", "blur", "plug-in-gauss", "faster", "to tiles"
  for (i = 1; i <= n; i++)
    for (r = 1; r <= rows[layers[i]]; r++) {
      split(row[layers[i], r], f, "\t")
      split(layers[i], l, "\t")
      g = gauss[layers[i], f[1]]
      t = tiles[layers[i]]
      printf form, l[1], l[2], f[1], f[2], f[4], gauss_cell[layers[i], f[1]], \
        g ? sprintf("%.2f", g / f[3]) : "-", t ? sprintf("%.2f", f[3] / t) : "-"
    }
  printf "\n%-10s %-6s %-24s %-24s\n", "size", "format", "tiles, whole call", "traffic alone"
  for (i = 1; i <= n; i++) {
    split(layers[i], l, "\t")
    printf "%-10s %-6s %-24s %-24s\n", l[1], l[2], floor_cell[layers[i]], traffic[layers[i]]
  }
  print "\nfaster: plug-in-gauss / blur. to tiles: blur / the same call with a copy for the blur."
  if (few) print "*: fewer repetitions, as the time was up."
}
