"""Measures a frozen program against the source, run by the environment that it was frozen from.

`python packaging/measure_bundle.py --models DIR [starts] [memory] [speed]`; the native library is the same.
Starts need Xvfb and xdotool, cold ones root. Runs are interleaved; measure on a quiet machine.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from slipstream_bundle.places import ROOT, Work, default_work

DISPLAY = ":96"
PROMPT = "Tell a short story about a lighthouse keeper who finds a letter."
Commands = dict[str, list[str]]


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("what", nargs="*", default=["starts", "memory", "speed"])
    parser.add_argument(
        "--models", type=Path, required=True, help="folder with the default pair's .gguf files"
    )
    parser.add_argument("--work", type=Path, default=None)
    parser.add_argument("--backend", default="cpu")
    parser.add_argument("--runs", type=int, default=3)
    args = parser.parse_args()
    work = Work((args.work or default_work()).absolute(), args.backend)
    commands = {"frozen": [str(work.bundle / "slipstream")], "source": [str(work.python), "-m", "app"]}
    with tempfile.TemporaryDirectory(prefix="slipstream-measure-") as folder:
        home = Path(folder)
        (home / "models").mkdir()
        for path in args.models.glob("*.gguf"):
            (home / "models" / path.name).symlink_to(path.resolve())
        for what in args.what:
            {"starts": starts, "memory": memory, "speed": speed}[what](commands, home, args.runs)
    return 0


def environment(home: Path, **more: str) -> dict[str, str]:
    own = {"SLIPSTREAM_HOME": str(home), "HOME": str(home), "LANG": "C.UTF-8", "QT_QPA_PLATFORM": "offscreen"}
    return {"PATH": os.environ["PATH"], **own, **more}


def starts(commands: Commands, home: Path, runs: int) -> None:
    """Seconds from the command to a visible window: after the disk cache was dropped, and again at once."""
    server = subprocess.Popen(["Xvfb", DISPLAY, "-screen", "0", "1400x900x24", "-nolisten", "tcp"])
    try:
        time.sleep(2)
        for name, command in commands.items():
            cold, warm = [], []
            for _ in range(runs):
                _drop_caches()
                cold.append(_start(command, home))
                warm.append(_start(command, home))
            print(f"start, {name}: cold {_shown(cold)} s, warm {_shown(warm)} s", flush=True)
    finally:
        server.terminate()
        server.wait()


def _start(command: list[str], home: Path) -> float:
    variables = environment(home, DISPLAY=DISPLAY, QT_QPA_PLATFORM="xcb")
    look = ["xdotool", "search", "--onlyvisible", "--name", "^Slipstream"]
    began = time.monotonic()
    process = subprocess.Popen(command, env=variables, cwd=ROOT, stderr=subprocess.DEVNULL)
    try:
        while time.monotonic() - began < 60:
            if subprocess.run(look, env=variables, capture_output=True).stdout.strip():
                return time.monotonic() - began
            time.sleep(0.01)
        raise SystemExit("no window within 60 s")
    finally:
        process.terminate()
        process.wait()


def _drop_caches() -> None:
    os.sync()
    Path("/proc/sys/vm/drop_caches").write_text("3")


def memory(commands: Commands, home: Path, runs: int) -> None:
    """Most memory (resident, MB) of a smoke run: window, pair, two replies."""
    most: dict[str, list[float]] = {name: [] for name in commands}
    for _ in range(runs):
        for name, command in commands.items():
            process = subprocess.Popen(
                [*command, "smoke", "--json"], env=environment(home), cwd=ROOT, stdout=subprocess.DEVNULL
            )
            _, _, usage = os.wait4(process.pid, 0)
            most[name].append(usage.ru_maxrss / 1024)
    for name, found in most.items():
        print(f"memory, {name}: {_shown(found)} MB", flush=True)
    ratio = statistics.median(most["frozen"]) / statistics.median(most["source"])
    print(f"memory, frozen over source: {ratio:.3f}", flush=True)


def speed(commands: Commands, home: Path, runs: int) -> None:
    """Tokens per second of ordinary greedy replies of 128 tokens; pairs of runs, first in turns."""
    options = ["--json", "--temperature", "0", "--max-tokens", "128", "--ignore-eos", "--no-speculation"]
    found: dict[str, list[float]] = {name: [] for name in commands}
    for i in range(runs):
        for name in sorted(commands, reverse=bool(i % 2)):
            done = subprocess.run(
                [*commands[name], "chat", "-p", PROMPT, *options],
                env=environment(home), cwd=ROOT, capture_output=True, text=True,
            )  # fmt: skip
            if done.returncode:
                raise SystemExit(done.stderr)
            found[name].append(float(json.loads(done.stdout)["stats"]["generation_tokens_per_second"]))
    for name, rates in found.items():
        print(f"speed, {name}: {_shown(rates)} tok/s", flush=True)
    ratios = [a / b for a, b in zip(found["frozen"], found["source"], strict=True)]
    print(f"speed, frozen over source, by pairs: {_shown(ratios, 3)}", flush=True)


def _shown(values: list[float], digits: int = 2) -> str:
    listed = ", ".join(f"{value:.{digits}f}" for value in values)
    return f"{statistics.median(values):.{digits}f} ({listed})"


if __name__ == "__main__":
    if shutil.which("xdotool") is None:
        print("no xdotool: starts cannot be measured", file=sys.stderr)
    sys.exit(main())
