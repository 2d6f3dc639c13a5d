"""Windows: the version of the program's files, and the installer by Inno Setup (packaging/windows)."""

from __future__ import annotations

import re
from pathlib import Path

from slipstream_bundle.places import PACKAGING, TITLE, Work, version
from slipstream_bundle.run import need, run

LEGAL = "Apache License 2.0"


def version_numbers(text: str) -> tuple[int, int, int, int]:
    """Four numbers for Windows: of 1.2.3, and of 1.2.3rc4 the same without what follows."""
    found = re.match(r"(\d+)\.(\d+)(?:\.(\d+))?", text)
    if found is None:
        raise ValueError(f"{text!r} is no version")
    return int(found[1]), int(found[2]), int(found[3] or 0), 0


def version_resource() -> str:
    """What PyInstaller puts into the properties of the .exe files."""
    numbers, text = version_numbers(version()), version()
    strings = {
        "CompanyName": TITLE,
        "FileDescription": TITLE,
        "FileVersion": text,
        "InternalName": "slipstream",
        "LegalCopyright": LEGAL,
        "OriginalFilename": "Slipstream.exe",
        "ProductName": TITLE,
        "ProductVersion": text,
    }
    listed = ", ".join(f"StringStruct({name!r}, {value!r})" for name, value in strings.items())
    return (
        f"VSVersionInfo(ffi=FixedFileInfo(filevers={numbers}, prodvers={numbers}, mask=0x3f, flags=0x0, "
        "OS=0x40004, fileType=0x1, subtype=0x0, date=(0, 0)), "
        f"kids=[StringFileInfo([StringTable('040904B0', [{listed}])]), "
        "VarFileInfo([VarStruct('Translation', [1033, 1200])])])\n"
    )


def installer(work: Work) -> Path:
    """Compile packaging/windows/slipstream.iss; needs ISCC on the path. Returns the installer."""
    compiler = need("ISCC", "Install Inno Setup 6 and put its folder on the path.")
    work.out.mkdir(parents=True, exist_ok=True)
    defined = {
        "Version": version(),
        "FileVersion": ".".join(map(str, version_numbers(version()))),
        "Bundle": str(work.bundle),
        "Prepared": str(work.prepared),
        "Out": str(work.out),
        "OutName": f"Slipstream-{version()}{work.suffix}-windows-x86_64-setup",
    }
    options = [f"/D{name}={value}" for name, value in defined.items()]
    run([compiler, *options, PACKAGING / "windows" / "slipstream.iss"])
    return work.out / f"{defined['OutName']}.exe"
