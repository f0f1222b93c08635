#!/bin/sh
# Tests what the command makes of image files: formats, depth, pixels, metadata, large ones.
# Speaks TAP. Usage: sh tests/command/test-files.sh SOURCE_FOLDER PROGRAM PRELOAD
# shellcheck source-path=SCRIPTDIR
. "$1/tests/command/common.sh"

# ---- formats

convert -size 61x43 -seed 7 plasma:tomato-navy -depth 8 rgb.png
convert rgb.png -alpha set -channel a -fx i/w +channel rgba.png
convert rgba.png -colorspace Gray -define png:color-type=4 greya.png
convert rgb.png -colorspace Gray -define png:color-type=0 grey.png
convert -size 61x43 -seed 7 plasma:tomato-navy -depth 16 -define png:color-type=2 deep.png
convert deep.png -alpha set -channel a -fx i/w +channel -define png:color-type=6 deepa.png
for kind in rgb rgba grey greya; do
  blur $kind.png $kind.out.png 2
  made "$kind.out.png: 61x43, sigma 2, $DONE" &&
    is '%z %[png:IHDR.color-type-orig]' $kind.out.png \
      "8 $(identify -format '%[png:IHDR.color-type-orig]' $kind.png)"
  ok $? "PNG keeps its kind: $kind"
done
blur deepa.png deepa.out.png 2
made "deepa.out.png: .*" && is '%z %[png:IHDR.color-type-orig]' deepa.out.png '16 6'
ok $? 'and its 16 bits'
for format in jpg png tif webp jxl avif; do
  case $format in
    jxl | avif) "$program" rgb.png try.$format 2>/dev/null >&2 || continue ;;
  esac
  blur rgb.png made.$format 2
  made "made.$format: .*" && blur made.$format back.png 0
  made 'back.png: [0-9x]+, sigma 0, nothing to change; .*' &&
    convert rgb.png -gaussian-blur 0x0 a.ppm
  ok $? "written and read: $format"
done
formats='JPEG, PNG, TIFF, WebP, HEIC, AVIF or JPEG XL file'
for format in gif ppm pfm jp2 hdr bmp ico exr xcf.gz xcf psd; do
  printf 'gimp' | convert rgb.png $format:- 2>/dev/null >other.$format || cp rgb.png other.$format
  case $format in
    exr | xcf*) ;;
    *)
      blur other.$format old.png
      refused "to read $format" "other.$format: is not a $formats; GIMP opens many others, .*PNG"
      ;;
  esac
  blur rgb.png new.$format
  failed "new.$format: cannot be written: its extension is not that of a $formats"
  ok $? "refused: to write $format"
done
mkdir layered
cp rgb.png layered
cp other.psd layered/a.psd
printf 'gimp xcf v011\0' >layered/b.xcf
printf 'gimp xcf v011\0' >layered/c.png
blur -o unlayered layered
[ "$status" -eq 0 ] && has unlayered 1 && grep -q '; 3 skipped$' "$top/out" &&
  [ "$(grep -c 'layered/.*: skipped: i' "$top/err")" = 3 ] &&
  grep -q 'layered/c.png: skipped: is not a .*; GIMP opens many others, such as XCF and PSD' \
    "$top/err"
ok $? 'files with layers in a folder are skipped, each with a line'
case $(head -c 12 made.jpg | od -An -tx1 | tr -d ' \n') in ffd8ff*) ;; *) false ;; esac
ok $? 'in the format of the name'
blur rgba.png flat.jpg 1
made 'flat.jpg: .*' && near flat.jpg 0 20 r 255 && near flat.jpg 0 20 b 255
ok $? 'transparency becomes white in a JPEG'
PYTHONPATH=$source_folder/tests/command python3 -B - <<'END'
import struct
from files import longs, shorts, tiff, write
half, full = 2 ** 31, 2 ** 32 - 1
for name, n, kind in ("gray", 1, 1), ("rgb", 3, 2):
    write(f"{name}32.tif", tiff((8, 8, struct.pack(f"<{n + 1}I", *n * [0], half) * 64, {
        0x102: shorts(*(n + 1) * [32]), 0x106: longs(kind), 0x115: longs(n + 1),
        0x152: shorts(2)})))
END
for kind in gray rgb; do
  blur ${kind}32.tif flat.jpg 1
  made 'flat.jpg: .*' && near flat.jpg 4 4 r 127
  ok $? "and of 32-bit integers: $kind"
done
convert photo.jpg -colorspace CMYK cmyk.jpg
blur cmyk.jpg cmyk.out.jpg 2
made 'cmyk.out.jpg: .*' && is %[colorspace] cmyk.out.jpg sRGB &&
  [ "$(level cmyk.out.jpg 10 40 g)" -lt 70 ] && [ "$(level cmyk.out.jpg 110 40 g)" -gt 245 ]
ok $? 'CMYK becomes sRGB'
convert photo.jpg -colors 16 PNG8:palette.png
blur palette.png palette.out.png 2
made 'palette.out.png: .*' && edge palette.out.png
ok $? 'a palette becomes RGB'
cp rgb.png 'named.jpg'
blur named.jpg named.png 2
made 'named.png: .*' && same named.png rgb.out.png
ok $? 'the format is that of the bytes, not of the name'

# ---- pixels, by the definition

is_blurred() { # SOURCE RESULT SIGMA LEVELS
  convert "$1" source.ppm && convert "$2" result.ppm &&
    $python -B "$source_folder/tests/command/blurred.py" source.ppm result.ppm "$3" "$4"
}
for depth in 8 16; do
  for sigma in 0.7 3 12; do
    convert -size 61x43 -seed 7 plasma:tomato-navy -depth $depth -define png:color-type=2 source.png
    blur source.png result.png $sigma
    made 'result.png: .*' && is_blurred source.png result.png $sigma $((depth / 8))
    ok $? "the sampled Gaussian: $depth bits, sigma $sigma"
  done
done
convert -size 61x43 -seed 7 plasma:tomato-navy -depth 16 source.tif
blur source.tif result.tif 3
is_blurred source.tif result.tif 3 2
ok $? 'in a TIFF of 16 bits'
convert source.tif -define quantum:format=floating-point -depth 32 float.tif
blur float.tif float.out.tif 3
made 'float.out.tif: .*' &&
  is '%[quantum:format] %[tiff:photometric]' float.out.tif 'floating-point RGB' &&
  convert float.out.tif -depth 16 float.png && is_blurred source.tif float.png 3 2
ok $? 'floats stay floats'

# ---- what a file says

convert rgb.png -strip -density 118x79 -units PixelsPerCentimeter rgb.jpg
add_tags rgb.jpg
for format in jpg png tif webp; do
  blur rgb.jpg tagged.$format 2
  made 'tagged.*' && list_tags tagged.$format >tags &&
    grep -q '^Exif.Image.Artist |Ada|' tags && grep -q '^Exif.Photo.UserComment.*note' tags &&
    grep -q '^Xmp.dc.creator |Ada' tags && { [ $format = webp ] || grep -q '^Iptc.*Paris' tags; } &&
    grep -q '^Exif.GPSInfo.GPSLatitude .*48/1' tags && ! grep -q '^Exif.Image.Software.*GIMP' tags
  ok $? "EXIF, XMP and IPTC are kept: $format"
  [ $format = webp ] || is '%[fx:round(resolution.x)] %[fx:round(resolution.y)]' tagged.$format \
    "$(identify -format '%[fx:round(resolution.x)] %[fx:round(resolution.y)]' rgb.jpg)"
  ok $? "so is the resolution: $format"
done
turn rgb.jpg
blur rgb.jpg turned.jpg 0
made 'turned.jpg: 43x61, .*' && list_tags turned.jpg >tags &&
  ! grep -q '^Exif.Image.Orientation .*6' tags && ! grep -q '^Exif.Thumbnail' tags
ok $? 'a turned photo stands upright, and says so'
python3 -B "$source_folder/tests/command/colour.py" profile profile.icc
convert rgb.png -profile profile.icc profile.png
blur profile.png profile.tif 2
blur profile.tif profile.out.png 0
convert profile.out.png icc:got.icc 2>/dev/null && cmp -s got.icc profile.icc
ok $? 'the colour profile is kept, byte by byte'

# ---- an image that is wider than libvips' tiles

PYTHONPATH=$source_folder/tests/command python3 -B - <<'END'
import files, zlib
row = b"\0" + bytes(i % 1000 // 4 for i in range(1000001))
files.write("wide.png", files.png(1000001, 3, zlib.compress(3 * row, 1), kind=0))
END
blur wide.png wide.tif 2
made 'wide.tif: 1000001x3, .*' && PYTHONPATH=$source_folder/tests/command python3 -B - <<'END'
import files
data = files.read("wide.tif")
first = files.read_tags(data)[273][0]
row = data[first:first + 1000001]
assert len(set(row)) > 99 and row[999500:-9] == row[499500:499992]
END
ok $? 'the same pixels on both sides of a tile'

# ---- an image that flows through

PYTHONPATH=$source_folder/tests/command python3 -B - <<'END'
import files, zlib
w = 12000
row = b"\0" + (bytes(range(256)) * (w * 3 // 256 + 1))[:w * 3]
for name, h in ("large.png", w), ("low.png", 200):
    packer = zlib.compressobj(1)
    packed = b"".join(packer.compress(row) for _ in range(h)) + packer.flush()
    files.write(name, files.png(w, h, packed))
END
cat >"$top/peak.py" <<'END'
import resource, subprocess, sys
code = subprocess.run(sys.argv[1:]).returncode
peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024
print("# peak", peak, "MB", file=sys.stderr)
sys.exit(code)
END
most=420
[ -z "${ASAN_OPTIONS:-}" ] || most=800 # its quarantine
python3 "$top/peak.py" "$program" large.png large.tif 20 >"$top/out" 2>"$top/err" &&
  peak=$(sed -n 's/^# peak \([0-9]*\) MB/\1/p' "$top/err") && [ "$peak" -lt $most ] &&
  [ "$(stat -c %s large.tif)" -gt 432000000 ]
ok $? "432 MB of pixels take ${peak:-?} MB"
blur low.png low.tif 20 && PYTHONPATH=$source_folder/tests/command python3 -B - <<'END'
import files, mmap
def rows(path, numbers):
    with open(path, "rb") as file:
        data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    first = files.read_tags(data)[273][0]
    return (data[first + 36000 * y:first + 36000 * (y + 1)] for y in numbers)
one = next(rows("low.tif", [100]))
assert len(set(one)) > 9
assert all(row == one for row in rows("large.tif", range(0, 12000, 97)))
END
ok $? 'with the pixels of a small one, whose rows are the same'

finish_command
