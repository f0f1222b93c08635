#!/bin/sh
# Tests the names of files: odd ones, links, and results that replace their files.
# Speaks TAP. Usage: sh tests/command/test-names.sh SOURCE_FOLDER PROGRAM PRELOAD
# shellcheck source-path=SCRIPTDIR
. "$1/tests/command/common.sh"

# shellcheck disable=SC2016 # as it is
odd='a "photo" '\''of'\'' $HOME `x` \n (1) üñ 写真; & |.jpg'
newline='two
lines.jpg'
latin=$(printf 'caf\351.jpg')
mkdir odd
for name in "$odd" "$newline" "$latin" -in.jpg; do cp photo.jpg "odd/$name"; done
(cd odd && "$program" -o "-out $odd/" -- "$odd" "$newline" "$latin" -in.jpg \
  >"$top/out" 2>"$top/err" </dev/null)
status=$?
[ "$status" -eq 0 ] && [ ! -s "$top/err" ] && edge "odd/-out $odd/$odd" &&
  edge "odd/-out $odd/$newline" && edge "odd/-out $odd/-in.jpg" && [ -s "odd/-out $odd/$latin" ]
ok $? 'quotes, a line break, bytes that are not UTF-8, a leading dash'
mkdir far
echo old >real.png
ln -s ../real.png far/link.png
blur "$top/w/photo.jpg" "$top/w/far/link.png" 2
made 'link.png: .*' && [ -L far/link.png ] && edge real.png
ok $? 'absolute paths, and through a link'
ln -s far/blob far/new.png
blur photo.jpg far/new.png 2
failed 'far/new.png: is a link that leads nowhere' && [ -L far/new.png ]
ok $? 'but not through a link to a file that is not there'
mkdir far/far
echo old >far/far/blob
blur photo.jpg far/new.png 2
made 'new.png: .*' && [ -L far/new.png ] && same far/far/blob real.png && is %m far/far/blob PNG
ok $? 'a link with an extension: in the format of its own name'
echo old >far/far/blob.tif
ln -s far/blob.tif far/new
blur photo.jpg far/new 2
made 'new: .*' && [ -L far/new ] && is %m far/far/blob.tif TIFF
ok $? 'a link without an extension: in the format of what it leads to'
cp photo.jpg self.jpg
chmod 640 self.jpg
touch -d 2001-02-03 self.jpg
ln -s self.jpg same.jpg
ln self.jpg twin.jpg
for name in self.jpg ./self.jpg same.jpg twin.jpg; do
  blur self.jpg $name 2
  refused "an input as output: $name" \
    'self.jpg: would be replaced by its own result, which takes --overwrite'
done
blur --overwrite --keep-date self.jpg self.jpg 2
made 'self.jpg: .*' && edge self.jpg && [ "$(stat -c %a self.jpg)" = 640 ] &&
  [ "$(stat -c %Y self.jpg)" = "$(stat -c %Y twin.jpg)" ] && ! same self.jpg twin.jpg
ok $? 'but with --overwrite: it keeps its mode, and its date with --keep-date'
touch -d 2001-02-03 self.jpg
blur --overwrite self.jpg self.jpg 2
made 'self.jpg: .*' && [ "$(stat -c %Y self.jpg)" -gt "$(stat -c %Y twin.jpg)" ]
ok $? 'else its date is that of the change'
cp photo.jpg 'photo[1].jpg [copy]'
blur 'photo[1].jpg [copy]' brackets.png 2
made 'brackets.png: .*' && edge brackets.png
ok $? 'a name that ends in brackets'
red=$(printf '\033[31mred\302\233\n.jpg')
blur "$red" x.png
failed '\?\[31mred\?\?.jpg: no such file'
ok $? 'a name that would colour the terminal'
cp photo.jpg "$red"
blur "$red" "$red" --overwrite 2
made '\?\[31mred\?\?.jpg: .*'
ok $? 'in the summary, too'

finish_command
