#!/bin/sh
# Installs Slipstream for you alone, without administrator rights: sh install.sh
# Run again to upgrade. Conversations, settings and models are elsewhere and stay as they are.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
data=${XDG_DATA_HOME:-$HOME/.local/share}
bin=$HOME/.local/bin
program=$HOME/.local/opt/slipstream

if [ "$(uname -s)-$(uname -m)" != "Linux-@MACHINE@" ]; then
    echo "This is Slipstream for Linux on @MACHINE@; this machine is $(uname -s) on $(uname -m)." >&2
    exit 1
fi

mkdir -p "$data" "$bin" "$HOME/.local/opt"
# The new version is complete before the old one goes.
rm -rf "$program.new" "$program.old"
cp -R "$here/slipstream" "$program.new"
if [ -e "$program" ]; then mv "$program" "$program.old"; fi
mv "$program.new" "$program"
rm -rf "$program.old"
cp "$here/uninstall.sh" "$program/uninstall.sh"
ln -sf "$program/slipstream" "$bin/slipstream"

(cd "$here/share" && find . -type f) | while read -r file; do
    mkdir -p "$data/$(dirname "$file")"
    cp "$here/share/$file" "$data/$file"
done
# A desktop does not always look into ~/.local/bin.
sed -i "s|^Exec=slipstream |Exec=\"$program/slipstream\" |; s|^TryExec=.*|TryExec=$program/slipstream|" \
    "$data/applications/slipstream.desktop"

for update in "update-desktop-database $data/applications" "update-mime-database $data/mime" \
    "gtk-update-icon-cache -q -t -f $data/icons/hicolor"; do
    if command -v "${update%% *}" >/dev/null 2>&1; then $update >/dev/null 2>&1 || true; fi
done

echo "Slipstream @VERSION@ is installed in $program."
echo "Start it from the menu, or with: $bin/slipstream"
echo "To remove it: sh $program/uninstall.sh"
