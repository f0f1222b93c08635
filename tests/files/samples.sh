# shellcheck shell=sh
# Sourced by the tests of image files. Makes the folder $samples of files of all kinds, as
# samples/ says, and those that it is made of. EXR_SAMPLES is exr-samples.c, or empty if OpenEXR is
# too old for the program.

make_samples() { # SOURCE_FOLDER PROGRAM EXR_SAMPLES
  samples=kinds
  mkdir $samples
  convert -size 121x83 -seed 7 plasma:tomato-navy -strip -density 72x96 -units PixelsPerInch \
    -quality 88 rgb.jpg
  convert rgb.jpg -colorspace Gray grey.jpg
  convert rgb.jpg -resize 40x small.jpg
  convert -size 1500x1 plasma:red-blue -strip line.jpg
  printf '1\0rgb.jpg\0written.jpg\0' | "$2" M 1 9000000 \
    plug-in-cuda-gaussian-blur sigma-x=0 sigma-y=0 >/dev/null || return 1
  convert rgb.jpg -quality 80 rgb.webp
  python3 -B "$1/tests/files/samples" $samples rgb.jpg grey.jpg small.jpg line.jpg written.jpg \
    rgb.webp || return 1
  convert rgb.jpg -interlace JPEG -sampling-factor 4:2:0 -quality 60 $samples/progressive.jpg
  convert rgb.jpg -sampling-factor 1x2 $samples/subsampled.jpg
  convert rgb.jpg -density 118x79 -units PixelsPerCentimeter $samples/density.jpg
  convert rgb.jpg -density 2x1 -units Undefined $samples/aspect.jpg
  convert rgb.jpg -density 300x1 -units Undefined $samples/aspect300.jpg
  convert rgb.jpg -colorspace CMYK $samples/gimp-cmyk.jpg
  convert -size 1x1 xc:red $samples/one.jpg
  convert -size 1500x1 plasma:red-blue $samples/line.png
  convert $samples/palette4.png -interlace PNG $samples/interlaced.png
  cp $samples/rgb8.png $samples/gimp-png-in-fact.jpg
  for how in LZW Zip RLE; do convert rgb.jpg -compress $how $samples/tiff-$how.tif; done
  convert rgb.jpg -compress LZW -define tiff:predictor=2 -depth 16 $samples/tiff-predictor.tif
  convert rgb.jpg -define tiff:endian=msb -depth 16 $samples/tiff-endian.tif
  convert rgb.jpg -compress JPEG $samples/gimp-tiff-jpeg.tif
  convert rgb.jpg -define tiff:tile-geometry=64x64 $samples/gimp-tiff-tiles.tif
  convert rgb.jpg -interlace Plane $samples/gimp-tiff-planes.tif
  convert rgb.jpg -colors 16 -type Palette $samples/gimp-tiff-palette.tif
  convert rgb.jpg -monochrome -depth 1 $samples/gimp-tiff-bits.tif
  cp rgb.webp $samples/webp-simple.webp
  convert rgb.jpg -define webp:lossless=true $samples/webp-lossless.webp
  convert -size 1x1 xc:red $samples/webp-one.webp
  for name in rgba8 hidden8; do
    convert $samples/$name.png $samples/webp-$name.webp
    convert $samples/$name.png -define webp:lossless=true $samples/webp-$name-lossless.webp
  done
  if [ -n "$3" ]; then "$3" $samples; else rm $samples/*.exr; fi
}
