"""The Debian package, made of a bundle of small files and read with Debian's own tool."""

from __future__ import annotations

import subprocess

from slipstream_bundle import deb, places

from tests.packaging.test_installing import make_bundle, work

__all__ = ["work"]


def test_the_debian_package(work: places.Work) -> None:
    make_bundle(work, "packaged", "library.so")
    package = deb.build(work)
    listing = subprocess.run(
        ["dpkg-deb", "--contents", str(package)], capture_output=True, text=True, check=True
    ).stdout
    rows = {line.split()[5]: line.split()[:2] for line in listing.splitlines()}
    assert rows["./usr/lib/slipstream/slipstream"] == ["-rwxr-xr-x", "root/root"]
    assert rows["./usr/lib/slipstream/_internal/library.so"] == ["-rw-r--r--", "root/root"]
    assert "./usr/bin/slipstream -> ../lib/slipstream/slipstream" in listing
    assert "./usr/share/applications/slipstream.desktop" in rows
    assert "./usr/share/mime/packages/slipstream.xml" in rows
    field = ["dpkg-deb", "--field", str(package), "Version"]
    assert subprocess.run(field, capture_output=True, text=True).stdout.strip() == places.version()
