#!/bin/sh
# Removes what install.sh put there. Conversations, settings and models stay.
set -eu

data=${XDG_DATA_HOME:-$HOME/.local/share}
config=${XDG_CONFIG_HOME:-$HOME/.config}

rm -rf "$HOME/.local/opt/slipstream"
if [ -L "$HOME/.local/bin/slipstream" ]; then rm -f "$HOME/.local/bin/slipstream"; fi
rm -f "$data/applications/slipstream.desktop" "$data/mime/packages/slipstream.xml" \
    "$data/metainfo/@APP_ID@.metainfo.xml"
find "$data/icons/hicolor" -name 'slipstream.png' -o -name 'slipstream.svg' 2>/dev/null | while read -r file; do
    rm -f "$file"
done
for update in "update-desktop-database $data/applications" "update-mime-database $data/mime"; do
    if command -v "${update%% *}" >/dev/null 2>&1; then $update >/dev/null 2>&1 || true; fi
done

echo "Slipstream is removed. What is yours is still there:"
echo "  conversations and models: $data/Slipstream"
echo "  settings:                 $config/Slipstream"
echo "  logs:                     ${XDG_STATE_HOME:-$HOME/.local/state}/Slipstream"
