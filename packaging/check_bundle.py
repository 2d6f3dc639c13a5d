"""Checks a frozen program as strangers will run it: `python packaging/check_bundle.py BUNDLE --models DIR`.

Sizes, libraries, then `slipstream smoke` offscreen and, where Xvfb is installed, in a real window. With
`--root DIR` everything is run inside another system's root folder (made by debootstrap; needs root).
README.md says what is checked and what came out.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from slipstream_bundle import checking, elf
from slipstream_bundle.freeze import folder_bytes, megabytes
from slipstream_bundle.places import version

MOST_UNPACKED, MOST_PACKED = 220e6, 90e6
DISPLAY = ":97"


def main() -> int:
    """0 when nothing is wrong."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("bundle", type=Path, help="the one-folder bundle")
    parser.add_argument(
        "--models", type=Path, required=True, help="folder with the default pair's .gguf files"
    )
    parser.add_argument(
        "--archive", type=Path, action="append", default=[], help="its packed form, for the size"
    )
    parser.add_argument("--root", type=Path, help="run inside this root folder")
    parser.add_argument("--keep", type=Path, metavar="DIR", help="keep the pictures of the window here")
    args = parser.parse_args()
    problems = [] if args.root else [*sizes(args.bundle, args.archive), *libraries(args.bundle)]
    base = args.root / "var" / "tmp" if args.root else None
    with tempfile.TemporaryDirectory(prefix="slipstream-check-", dir=base) as folder:
        stage = checking.Stage(Path(folder), args.root)
        try:
            checking.prepare(stage, args.bundle, sorted(args.models.glob("*.gguf")))
            problems += runs(stage, args.root is None)
            if args.keep:
                args.keep.mkdir(parents=True, exist_ok=True)
                for picture in stage.marker.parent.glob("*.png"):
                    shutil.copyfile(picture, args.keep / picture.name)
        finally:
            checking.release(stage)
    for problem in problems:
        print(f"WRONG: {problem}")
    print("all is as it must be" if not problems else f"{len(problems)} things are wrong")
    return 1 if problems else 0


def sizes(bundle: Path, archives: list[Path]) -> list[str]:
    unpacked = folder_bytes(bundle)
    print(f"unpacked: {megabytes(unpacked)} MB")
    wrong = [f"the bundle is larger than {MOST_UNPACKED / 1e6:.0f} MB"] if unpacked > MOST_UNPACKED else []
    if list(bundle.rglob("*.gguf")):
        wrong.append("there are models in the bundle")
    for archive in archives:
        packed = archive.stat().st_size
        print(f"packed: {archive.name} {megabytes(packed)} MB")
        if packed > MOST_PACKED:
            wrong.append(f"{archive.name} is larger than {MOST_PACKED / 1e6:.0f} MB")
    return wrong


def libraries(bundle: Path) -> list[str]:
    """What readelf and ldd say; nothing on other systems than Linux."""
    if not sys.platform.startswith("linux"):
        return []
    report = elf.check(bundle, bundle / "_internal")
    newest = ", ".join(
        f"{name}_{'.'.join(map(str, number))}" for name, number in sorted(report.newest.items())
    )
    print(f"libraries: {report.looked_at} files, newest symbols asked for: {newest}")
    return [*report.too_new, *report.not_found] or ([] if report.looked_at else ["there are no libraries"])


def runs(stage: checking.Stage, own_system: bool) -> list[str]:
    said = checking.run(stage, ["--version"], {}).stdout.strip()
    print(f"version: {said}")
    wrong = [] if said == f"Slipstream {version()}" else [f"it says that it is {said!r}"]
    wrong += _judge(checking.smoke(stage, "offscreen", {"QT_QPA_PLATFORM": "offscreen"}))
    if not sys.platform.startswith("linux"):
        return [*wrong, *_judge(checking.smoke(stage, "window", {}))]
    if own_system and shutil.which("Xvfb"):
        server = subprocess.Popen(
            ["Xvfb", DISPLAY, "-screen", "0", "1400x900x24", "-nolisten", "tcp"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            time.sleep(2)
            wrong += _judge(checking.smoke(stage, "window", {"DISPLAY": DISPLAY}))
        finally:
            server.terminate()
            server.wait()
    elif own_system:
        print("no Xvfb: not run in a real window")
    return wrong


def _judge(seen: checking.Seen) -> list[str]:
    speeds = [reply.get("tokens_per_second") or 0 for reply in seen.report.get("replies", [])]
    print(
        f"{seen.name}: {'ok' if not seen.problems else 'WRONG'}, {seen.seconds:.1f} s, "
        f"{seen.report.get('backend', '')}, tok/s {', '.join(f'{speed:.0f}' for speed in speeds)}"
    )
    return [f"{seen.name}: {problem}" for problem in seen.problems]


if __name__ == "__main__":
    sys.exit(main())
