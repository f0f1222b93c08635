# Medians of value[KEY, 1] to value[KEY, count[KEY]], in milliseconds, and how they compare.

function median(key,   i, j, x, n) {
  n = count[key]
  for (i = 1; i <= n; i++) {
    x = value[key, i]
    for (j = i - 1; j >= 1 && s[j] > x; j--) s[j + 1] = s[j]
    s[j + 1] = x
  }
  return n ? (s[int((n + 1) / 2)] + s[int(n / 2) + 1]) / 2 : 0
}
function ms(x) { return x ? sprintf(x < 99.95 ? "%.1f" : "%.0f", x) : "-" }
function ratio(a, b) { return a && b ? sprintf("%.1f", a / b) : "-" }
