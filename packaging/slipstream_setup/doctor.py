"""`bootstrap.py doctor`: what set-up sees on this machine, without changing anything."""

from __future__ import annotations

import platform
import shutil
import sys

from slipstream_setup import build_tools, engine, pythons, stamp, system_packages
from slipstream_setup.environment import Environment


def report(env: Environment) -> int:
    """Print a page to read or to attach to a report; 0 when `run` would start at once."""
    display = system_packages.display_kind()
    print(f"system            {platform.platform()} ({platform.machine()}), {engine.cores()} cores")
    print(f"disk              {shutil.disk_usage(env.root).free / 1e9:.1f} GB free")
    running = pythons.ask([sys.executable])
    verdict = "does not start again" if running is None else running.objection() or "suitable"
    print(f"Python            {platform.python_version()} at {sys.executable}: {verdict}")
    objection = env.objection()
    print(f"environment       {env.folder}: {objection or 'works, Python ' + env.version()}")
    if not objection:
        build = engine.probe(env)
        print(f"native library    {build.objection or f'{build.version}, usable, {build.path}'}")
    lacking = build_tools.missing()
    print(f"compilers         {'missing: ' + ', '.join(lacking) if lacking else 'work'}")
    needed, optional = system_packages.missing_for_qt(display)
    print(f"Qt's libraries    {'missing: ' + ', '.join(needed) if needed else 'present'}")
    if optional:
        print(f"                  missing for other displays: {', '.join(optional)}")
    if sys.platform.startswith("linux"):
        print(f"display           {display or 'none'}")
    ready = stamp.is_current(env, development=False, display=display)
    print(f"set-up            {'complete' if ready else 'to be done at the next run'}")
    print(f"log of set-up     {env.log}")
    return 0 if ready else 1
