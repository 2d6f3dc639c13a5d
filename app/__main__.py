"""The command line: `slipstream` opens the window; `chat` and `bench` run without Qt."""

from __future__ import annotations

import argparse
import io
import sys
from collections.abc import Sequence
from typing import NoReturn

from app import __version__
from app.bench.command import DESCRIPTION, add_arguments, run_bench
from app.core import locations
from app.core.errors import Cancelled, EnvironmentProblem
from app.sampling_arguments import add_sampling_arguments
from app.storage.paths import app_paths

INTERRUPTED = 130  # what shells report for a program ended by Ctrl+C


class Parser(argparse.ArgumentParser):
    """Says what is wrong in one line and exits with 2."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {message}\n")


def number(low: float, high: float = float("inf"), kind: type = int):  # type: ignore[no-untyped-def]
    """An argparse type: a number within bounds, refused by name."""

    def parse(text: str) -> float:
        try:
            value: float = kind(text)
        except ValueError:
            raise argparse.ArgumentTypeError(f"{text!r} is not a number") from None
        if not low <= value <= high:
            bounds = f"at least {low}" if high == float("inf") else f"between {low} and {high}"
            raise argparse.ArgumentTypeError(f"must be {bounds}, not {text}")
        return value

    return parse


def draft_tokens(text: str) -> float | str:
    """An argparse type: a fixed length, or "auto"."""
    return "auto" if text.strip().lower() == "auto" else float(number(1)(text))


def build_parser() -> argparse.ArgumentParser:
    """Arguments are checked here, before anything heavy is imported."""
    parser = Parser(
        prog="slipstream",
        description="Chat with a local model and see what speculative decoding does on this machine.",
    )
    parser.add_argument("--version", action="version", version=f"Slipstream {__version__}")
    commands = parser.add_subparsers(dest="command", parser_class=Parser, metavar="command")

    window = commands.add_parser("window", help="open the window (the default)")
    window.add_argument("files", nargs="*", metavar="FILE", help="GGUF files to load: a target, a sidecar")

    chat = commands.add_parser("chat", help="chat in the terminal, or answer one prompt with -p")
    chat.add_argument("--model", metavar="T", help="target GGUF (default: the default pair)")
    chat.add_argument("--draft-model", metavar="D", help="sidecar GGUF trained for the target")
    chat.add_argument(
        "--algorithm", metavar="NAME[,NAME]", default="auto", help="default: what the sidecar's header says"
    )
    chat.add_argument(
        "--draft-tokens",
        metavar="N",
        type=draft_tokens,
        default=7,
        help="draft length: a number, or auto (7)",
    )
    chat.add_argument(
        "--draft-p-min", metavar="P", type=number(0, 1, float), default=0.0, help="least probability (0)"
    )
    chat.add_argument("--n-ctx", metavar="N", type=number(64), default=8192, help="context in tokens (8192)")
    chat.add_argument("--threads", metavar="N", type=number(0, 512), default=0, help="0: one per core")
    chat.add_argument("-p", "--prompt", metavar="TEXT", help="answer this and exit")
    chat.add_argument("--system", metavar="TEXT", default="", help="system prompt")
    chat.add_argument(
        "--max-tokens", metavar="N", type=number(1), default=512, help="length of a reply (512)"
    )
    chat.add_argument(
        "--temperature", metavar="X", type=number(0, 100, float), default=0.8, help="0 is greedy (0.8)"
    )
    chat.add_argument("--seed", metavar="N", type=number(0, 2**32 - 1), help="default: a fresh one")
    chat.add_argument("--stop", metavar="TEXT", action="append", default=[], help="may be given repeatedly")
    chat.add_argument("--no-speculation", action="store_true", help="ordinary decoding")
    chat.add_argument("--ignore-eos", action="store_true", help="go on past the end of the reply")
    chat.add_argument("--json", action="store_true", help="print one JSON object (needs -p)")
    chat.add_argument("--verbose", action="store_true", help="log what was loaded")
    add_sampling_arguments(chat, number)

    bench = commands.add_parser(
        "bench", help="measure speculative against ordinary decoding", description=DESCRIPTION
    )
    add_arguments(bench)

    smoke = commands.add_parser("smoke", help="open the window, chat once with and once without speculation")
    smoke.add_argument("--screenshot", metavar="FILE", help="save a picture of the window")
    smoke.add_argument("--json", action="store_true", help="print what was seen as JSON only")
    return parser


def with_window(argv: Sequence[str]) -> list[str]:
    """`slipstream model.gguf`, as a file manager starts it, means the window."""
    is_file = bool(argv) and argv[0].lower().endswith(".gguf")
    return ["window", *argv] if is_file else list(argv)


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit code."""
    _say_what_can_be_said()
    parser = build_parser()
    args = parser.parse_args(with_window(sys.argv[1:] if argv is None else argv))
    try:
        locations.add_model_folder(app_paths().models)
        if args.command == "chat":
            from app.chat_command import run_chat

            return run_chat(args)
        if args.command == "bench":
            return run_bench(args)
        if args.command == "smoke":
            from app.compose import run_smoke

            return run_smoke(args.screenshot, args.json)
        from app.compose import run_window

        return run_window(getattr(args, "files", ()))
    except EnvironmentProblem as problem:
        print(f"slipstream: {' '.join(str(problem).split())}", file=sys.stderr)
        return 2
    except (Cancelled, KeyboardInterrupt):
        print(file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        # Whoever read the output is gone; nothing is left to say.
        return 0


def _say_what_can_be_said() -> None:
    """A terminal or pipe that cannot encode a character gets a stand-in, not a traceback."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


if __name__ == "__main__":
    sys.exit(main())
