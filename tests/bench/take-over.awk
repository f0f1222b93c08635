# The table of take-over.sh.

BEGIN { FS = "\t" }
$2 == "warm-up" { next }
{
  row = $2 FS $3 FS $5
  if (!(row in seen)) {
    seen[row] = ++rows
    name[rows] = row
  }
  value[$1 FS row, ++count[$1 FS row]] = $6
}
END {
  print "| | layer | sigma | GIMP's own | take-over | times faster | CPU alone | times faster |"
  print "| --- | --- | --- | --- | --- | --- | --- | --- |"
  for (i = 1; i <= rows; i++) {
    split(name[i], f, FS)
    gimp = median("gimp" FS name[i])
    ours = median("ours" FS name[i])
    cpu = median("cpu" FS name[i])
    printf "| %s | %s 8-bit | %s | %s | %s | %s | %s | %s |\n", f[1], f[2], f[3], ms(gimp),
      ms(ours), ratio(gimp, ours), ms(cpu), ratio(gimp, cpu)
  }
}
