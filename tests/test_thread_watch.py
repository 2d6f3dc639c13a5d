"""The fixture that watches for leaked threads does fail, and does not fail for nothing."""

from __future__ import annotations

import pytest

pytest_plugins = ["pytester"]

LEAK = """
import threading
from tests.conftest import no_leaked_threads

gate = threading.Event()

def test_leaks():
    threading.Thread(target=gate.wait, daemon=True).start()

def test_joins():
    thread = threading.Thread(target=lambda: None)
    thread.start()

def test_lets_go():
    gate.set()
"""


def test_a_leaked_thread_fails_its_test(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(LEAK)
    result = pytester.runpytest("-p", "no:cacheprovider")
    result.assert_outcomes(passed=3, errors=1)
    result.stdout.fnmatch_lines(["*ERROR at teardown of test_leaks*", "*threads left running*"])
