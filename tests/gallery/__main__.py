"""`python -m tests.gallery DIR [NAME ...]`: a picture of every state, in both themes and two sizes.

`--scale 2` draws as on a screen of twice the density, `--zoom 2` with text of twice the size, `--language de`
in German. `--everything` makes all of these, each in a folder of its own.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QApplication

from app.ui import language
from app.ui.theme import Theme
from tests.gallery.scenes import PICTURES, Picture
from tests.gallery.stage import Stage

SCREEN = {"name": "gallery", "x": 0, "y": 0, "width": 2048, "height": 1280, "dpr": 1}
SIZES = (QSize(1280, 800), QSize(1920, 1080))
NARROW = (QSize(960, 640),)
MODES = ("light", "dark")
VARIANTS = {
    "plain": (),
    "scale-2": ("--scale", "2"),
    "zoom-2": ("--zoom", "2"),
    "german": ("--language", "de"),
}


def take(picture: Picture, folder: Path, zoom: float = 1.0) -> list[Path]:
    """All pictures of one state; returns their paths."""
    Theme.current().set_mode("light")
    made: list[Path] = []
    with tempfile.TemporaryDirectory(prefix="slipstream-gallery-") as temporary:
        script = picture.script() if picture.script is not None else None
        stage = Stage(Path(temporary), picture.scene(), with_pair=picture.with_pair, script=script)
        try:
            Theme.current().set_zoom(zoom)
            picture.prepare(stage)
            for size in NARROW if picture.narrow else SIZES:
                stage.resize(size)
                for mode in MODES:
                    Theme.current().set_mode(mode)
                    stage.settle()
                    if picture.above is not None:
                        picture.above(stage)
                        stage.settle()
                    path = folder / f"{picture.name}-{size.width()}x{size.height()}-{mode}.png"
                    if not stage.picture().save(str(path)):
                        raise OSError(f"cannot write {path}")
                    made.append(path)
                    stage.close_popups()
        finally:
            stage.close()
            # The garbage holds Qt objects: it is collected here, and not in the next window's threads.
            del stage
            gc.collect()
    return made


def offscreen_application() -> QApplication:
    """An application on a screen that has room for the largest window and what opens above it."""
    with tempfile.TemporaryDirectory(prefix="slipstream-gallery-") as folder:
        config = Path(folder) / "screen.json"
        config.write_text(json.dumps({"screens": [{**SCREEN, "logicalDpi": 96, "logicalBaseDpi": 96}]}))
        os.environ["QT_QPA_PLATFORM"] = f"offscreen:configfile={config}"
        return QApplication([sys.argv[0]])


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.gallery", description=__doc__)
    parser.add_argument("folder", type=Path, help="where the pictures go")
    parser.add_argument("--scale", default="1", help="device pixels in one of the window's")
    parser.add_argument("--zoom", type=float, default=1.0, help="size of the text, 0.8 to 2")
    parser.add_argument("--language", default="en", choices=sorted(language.NAMES))
    parser.add_argument("--everything", action="store_true", help="all of these, one after another")
    parser.add_argument("names", nargs="*", help="only states whose name contains one of these")
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    if arguments.everything:
        return max(
            subprocess.call(
                [
                    sys.executable,
                    "-m",
                    "tests.gallery",
                    str(arguments.folder / name),
                    *options,
                    *arguments.names,
                ]
            )
            for name, options in VARIANTS.items()
        )
    os.environ["QT_SCALE_FACTOR"] = arguments.scale
    app = offscreen_application()
    language.install(arguments.language)
    chosen = [p for p in PICTURES if not arguments.names or any(n in p.name for n in arguments.names)]
    if not chosen:
        parser.error(f"no state has such a name; there are {', '.join(p.name for p in PICTURES)}")
    for picture in chosen:
        for path in take(picture, arguments.folder, arguments.zoom):
            print(path)
    app.processEvents()
    return 0


if __name__ == "__main__":
    sys.exit(main())
