# The table of core.sh: medians in milliseconds, and how they compare.

BEGIN { FS = "\t" }
$2 == "warm-up" { next }
{
  row = $2 FS $3 FS $4 FS $5
  if (!(row in seen)) {
    seen[row] = ++rows
    name[rows] = row
  }
  # The first call of a row in each GIMP is warm in nothing.
  if ($2 == "warm" && $1 FS row != last) { last = $1 FS row; next }
  last = $1 FS row
  value[$1 FS row, ++count[$1 FS row]] = $6
}
END {
  print "| | layer | sigma | GIMP's own | operation | times faster | by reference | times that | " \
    "as a copy | times that | CPU alone | times faster |"
  print "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |"
  for (i = 1; i <= rows; i++) {
    split(name[i], f, FS)
    gimp = median("gimp" FS name[i])
    ours = median("ours" FS name[i])
    floor = median("floor" FS name[i])
    copies = median("copies" FS name[i])
    cpu = median("cpu" FS name[i])
    printf "| %s | %s %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s |\n", f[1], f[2],
      f[3] == "u8" ? "8-bit" : f[3], f[4], ms(gimp), ms(ours), ratio(gimp, ours), ms(floor),
      ratio(ours, floor), ms(copies), ratio(ours, copies), ms(cpu), ratio(gimp, cpu)
  }
}
