"""The program's icon in all sizes, from the one drawing in `resources/app`: PNG, .ico and .icns.

The containers are written here, since both are a header before PNG files. Drawn by Qt, offscreen.
"""

from __future__ import annotations

import os
import struct
import subprocess
from pathlib import Path

from slipstream_bundle.places import ROOT
from slipstream_bundle.problem import BuildProblem

DRAWING = ROOT / "resources" / "app" / "slipstream.svg"
SIZES = (16, 22, 24, 32, 48, 64, 96, 128, 256, 512, 1024)
_ICO = (16, 24, 32, 48, 64, 128, 256)
# Type in the .icns file -> side in pixels.
_ICNS = {
    b"icp4": 16, b"icp5": 32, b"icp6": 64, b"ic07": 128, b"ic08": 256, b"ic09": 512, b"ic10": 1024,
    b"ic11": 32, b"ic12": 64, b"ic13": 256, b"ic14": 512,
}  # fmt: skip
_DRAW = """\
import sys
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QImage, QPainter
from PySide6.QtSvg import QSvgRenderer
app = QGuiApplication(["icons"])
drawing = QSvgRenderer(sys.argv[1])
for side in map(int, sys.argv[3:]):
    image = QImage(side, side, QImage.Format.Format_ARGB32)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    drawing.render(painter)
    painter.end()
    if not image.save(f"{sys.argv[2]}/{side}.png"):
        sys.exit(f"cannot write to {sys.argv[2]}")
"""


def draw(python: Path, folder: Path) -> None:
    """Write SIDE.png for every size, slipstream.ico and slipstream.icns; `python` has PySide6."""
    folder.mkdir(parents=True, exist_ok=True)
    done = subprocess.run(
        [str(python), "-c", _DRAW, str(DRAWING), str(folder), *map(str, SIZES)],
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
        capture_output=True,
        text=True,
    )
    if done.returncode:
        raise BuildProblem("The icons could not be drawn.", done.stderr.strip())
    pngs = {side: (folder / f"{side}.png").read_bytes() for side in SIZES}
    (folder / "slipstream.ico").write_bytes(ico({side: pngs[side] for side in _ICO}))
    (folder / "slipstream.icns").write_bytes(icns(pngs))


def ico(pngs: dict[int, bytes]) -> bytes:
    """An .ico file of PNG images, by side in pixels (at most 256)."""
    header = struct.pack("<HHH", 0, 1, len(pngs))
    offset = len(header) + 16 * len(pngs)
    entries, images = b"", b""
    for side, png in sorted(pngs.items()):
        # A side of 256 is written as 0.
        entries += struct.pack("<BBBBHHII", side % 256, side % 256, 0, 0, 1, 32, len(png), offset)
        offset += len(png)
        images += png
    return header + entries + images


def icns(pngs: dict[int, bytes]) -> bytes:
    """An .icns file of PNG images, by side in pixels."""
    body = b"".join(
        kind + struct.pack(">I", 8 + len(pngs[side])) + pngs[side] for kind, side in _ICNS.items()
    )
    return b"icns" + struct.pack(">I", 8 + len(body)) + body
