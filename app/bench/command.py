"""The command line of the benchmark: `slipstream bench` and `python -m app.bench`.

Arguments are checked here with the standard library alone; the engine is imported when they are right.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from app.core import locations
from app.core.bench import DEFAULT_PROMPT, FROM_FILE, USERS_PROMPT
from app.core.errors import Cancelled, EnvironmentProblem
from app.core.speculation import SpeculativeType

if TYPE_CHECKING:
    from app.bench.plan import BenchPlan
    from app.bench.result import BenchResult
    from app.core.bench import BenchProgress

AUTO = "auto"
PROMPT_SETS = ("builtin", "copy-edit", "long-prose")
# With automatic length, for drafters whose file sets no limit.
LONGEST_AUTOMATIC = 16

DESCRIPTION = (
    "Measure speculative against ordinary decoding on this machine: paired, interleaved runs on one loaded "
    "pair, the same text in both modes, and a speedup that says how sure it is."
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Everything `run_bench` reads from its namespace."""
    pair = parser.add_argument_group("pair")
    pair.add_argument(
        "--algorithm",
        metavar="NAME[,NAME]",
        type=_algorithm,
        default=AUTO,
        help="auto (what the sidecar's header says), dflash, dspark, dflash2, mtp, eagle3, draft, ngram-k, "
        "ngram-k4v, ngram-simple, ngram-mod, ngram-cache; default: auto",
    )
    pair.add_argument("--model", metavar="FILE", help="target GGUF (default: the default pair)")
    pair.add_argument("--draft-model", metavar="FILE", help="sidecar GGUF trained for the target")

    work = parser.add_argument_group("workload")
    prompts = work.add_mutually_exclusive_group()
    prompts.add_argument("--prompt", metavar="TEXT", help="one prompt (default: a long-form one)")
    prompts.add_argument(
        "--prompt-file",
        metavar="FILE",
        help='one prompt per line, or JSON lines with "prompt" and optionally "category"',
    )
    prompts.add_argument(
        "--prompt-set", choices=PROMPT_SETS, help="builtin: 24 short prompts in 8 categories"
    )
    work.add_argument("--max-tokens", metavar="N", type=_whole(1), default=512, help="per run; default: 512")
    work.add_argument("--runs", metavar="N", type=_whole(1), default=3, help="pairs per prompt; default: 3")
    work.add_argument("--warmup-tokens", metavar="N", type=_whole(0), default=128, help="default: 128")
    work.add_argument("--temperature", metavar="X", type=_real(0, 100), default=0.0, help="default: 0")
    work.add_argument("--seed", metavar="N", type=_whole(0, 2**32 - 1), default=42, help="default: 42")
    work.add_argument("--ignore-eos", action="store_true", help="go on past the end of a reply")

    engine = parser.add_argument_group("engine")
    engine.add_argument("--n-ctx", metavar="N", type=_whole(64), default=4096, help="default: 4096")
    engine.add_argument("--n-batch", metavar="N", type=_whole(1), default=512, help="default: 512")
    engine.add_argument("--n-ubatch", metavar="N", type=_whole(1), default=512, help="default: 512")
    engine.add_argument("--threads", metavar="N", type=_whole(0), default=0, help="default: one per core")
    engine.add_argument("--cpu", action="store_true", help="no layer of the target on a GPU")
    engine.add_argument("--draft-cpu", action="store_true", help="no layer of the draft on a GPU")

    draft = parser.add_argument_group("drafting")
    draft.add_argument(
        "--draft-tokens",
        metavar="N",
        type=_draft_tokens,
        default=7,
        help="tokens per draft, or auto to let the engine choose each round's; default: 7",
    )
    draft.add_argument("--draft-n-min", metavar="N", type=_whole(0), default=0, help="default: 0")
    draft.add_argument("--draft-p-min", metavar="P", type=_real(0, 1), default=0.0, help="default: 0")
    draft.add_argument("--no-backend-sampling", action="store_true", help="sample drafts on the host")
    draft.add_argument(
        "--sweep",
        metavar="N,N,...",
        nargs="?",
        type=_lengths,
        const=(),
        help="measure these draft lengths instead (1-7 works too; without a list: all) and recommend one",
    )
    draft.add_argument("--sweep-p-min", metavar="P,P,...", type=_p_mins, help="with --sweep: each of these")

    output = parser.add_argument_group("output")
    output.add_argument("--json", metavar="FILE", help="write everything, with every recorded round")
    output.add_argument("--report", metavar="FILE", help="write a Markdown report to hand on")
    output.add_argument(
        "--tau",
        action="store_true",
        help="print the mean accepted length of every prompt, also without what follows a loop",
    )
    output.add_argument("--recount", metavar="FILE", help="check a file written by --json and exit")
    output.add_argument("--verbose", action="store_true", help="log what was loaded")


def run_bench(args: argparse.Namespace) -> int:
    """Exit codes: 0 done, 1 stopped or (recount) figures differ, 2 an error during the runs.

    Raises EnvironmentProblem, to be shown as one line with exit code 2, when nothing could be measured.
    """
    _say_what_cannot_be_encoded()
    if args.recount:
        return _recount(Path(args.recount))
    plan = plan_from_arguments(args)
    outputs = [Path(name) for name in (args.json, args.report) if name]
    for path in outputs:
        _check_writable(path)

    from app.bench import printed, record, report, runner

    progress = _Progress()
    try:
        with _stop_on_interrupt() as cancel:
            result = runner.run(plan, progress, cancel)
    except Cancelled:
        progress.clear()
        print("Stopped before anything was measured.", file=sys.stderr)
        return 1
    progress.clear()
    print(printed.printed(result, per_prompt=args.tau))
    if args.json:
        _write(record.write_json, result, Path(args.json))
    if args.report:
        _write(report.write_report, result, Path(args.report))
    return 2 if result.errors else 1 if result.cancelled else 0


def plan_from_arguments(args: argparse.Namespace) -> BenchPlan:
    """The plan asked for; EnvironmentProblem names what does not go together. Imports nothing heavy."""
    from app.bench import prompt_sets
    from app.bench.plan import BenchPlan
    from app.bench.prompts import BenchPrompt, read_prompts

    if args.prompt is not None:
        prompts: tuple[BenchPrompt, ...] = (BenchPrompt(args.prompt),)
        workload = USERS_PROMPT
    elif args.prompt_file:
        path = Path(args.prompt_file)
        prompts, workload = read_prompts(path), f"{FROM_FILE}{path.name}"
    elif args.prompt_set:
        prompts, workload = prompt_sets.SETS[args.prompt_set], f"{args.prompt_set} set"
    else:
        prompts, workload = (prompt_sets.DEFAULT,), DEFAULT_PROMPT
    if args.sweep_p_min is not None and args.sweep is None:
        raise EnvironmentProblem("--sweep-p-min needs --sweep.", code="arguments")
    model, draft, types = choose_pair(args.model, args.draft_model, args.algorithm)
    automatic = args.draft_tokens == AUTO
    p_mins = args.sweep_p_min if args.sweep_p_min is not None else (args.draft_p_min,)
    try:
        return BenchPlan(
            model_path=model,
            draft_path=draft,
            spec_types=types,
            variant="dflash2" if args.algorithm == "dflash2" else AUTO,
            prompts=prompts,
            workload=workload,
            max_tokens=args.max_tokens,
            runs=args.runs,
            warmup_tokens=args.warmup_tokens,
            n_ctx=args.n_ctx,
            n_batch=args.n_batch,
            n_ubatch=args.n_ubatch,
            n_threads=args.threads,
            n_gpu_layers=0 if args.cpu else "all",
            draft_n_gpu_layers=0 if args.draft_cpu else "all",
            draft_n_max=LONGEST_AUTOMATIC if automatic else args.draft_tokens,
            draft_n_min=args.draft_n_min,
            draft_p_min=args.draft_p_min,
            automatic_length=automatic,
            backend_sampling=not args.no_backend_sampling,
            temperature=args.temperature,
            seed=args.seed,
            ignore_eos=args.ignore_eos,
            sweep=args.sweep is not None,
            lengths=args.sweep or (),
            p_mins=p_mins,
            hash_files=bool(args.json or args.report),
            verbose=args.verbose,
        )
    except ValueError as error:
        raise EnvironmentProblem(f"The arguments do not go together: {error}.", code="arguments") from None


def choose_pair(
    model: str | None, draft: str | None, algorithm: str
) -> tuple[str, str, tuple[SpeculativeType, ...]]:
    """Target, sidecar (empty when none is needed) and algorithms; the default pair's where none is given."""
    asked = () if algorithm == AUTO else tuple(SpeculativeType.from_str(n) for n in algorithm.split(","))
    needs_file = not asked or any(t.is_draft() and not t.is_mtp() for t in asked)
    if model is None:
        target = locations.default_target()
        if target is None:
            raise EnvironmentProblem(
                "The default target is not installed.",
                remedy="Give one with --model, put the default pair into the models folder, "
                "or run packaging/bootstrap.py, which fetches it.",
                code="no-model",
            )
        model = str(target)
        if draft is None and needs_file:
            draft = _default_sidecar(algorithm)
    if draft is None and needs_file:
        raise EnvironmentProblem(
            "There is nothing to compare: no sidecar was given.",
            remedy="Give one with --draft-model, or an algorithm that needs none, such as ngram-k.",
            code="no-sidecar",
        )
    for what, path in (("target", model), ("sidecar", draft)):
        if path is not None and not os.path.isfile(path):
            raise EnvironmentProblem(f"The {what} file {path} does not exist.", code="missing-file")
    if not asked:
        from app.gguf.kinds import sidecar_type

        asked = (sidecar_type(str(draft)),)
    return model, draft or "", asked


def _default_sidecar(algorithm: str) -> str | None:
    """The sidecar shipped for the default target that fits the algorithm, else the best one."""
    best = locations.default_draft()
    if best is None:
        return None
    named = [n for n in locations.DEFAULT_SIDECARS if n.endswith(f"-{algorithm}.gguf")]
    fitting = [best.with_name(n) for n in named if best.with_name(n).is_file()]
    return str(fitting[0] if fitting else best)


# --- Types of arguments -----------------------------------------------------------------------------


def _whole(low: int, high: int | None = None) -> Callable[[str], int]:
    def parse(text: str) -> int:
        try:
            value = int(text)
        except ValueError:
            raise argparse.ArgumentTypeError(f"{text!r} is not a whole number") from None
        if value < low or (high is not None and value > high):
            bounds = f"at least {low}" if high is None else f"between {low} and {high}"
            raise argparse.ArgumentTypeError(f"must be {bounds}, not {text}")
        return value

    return parse


def _real(low: float, high: float) -> Callable[[str], float]:
    def parse(text: str) -> float:
        try:
            value = float(text)
        except ValueError:
            raise argparse.ArgumentTypeError(f"{text!r} is not a number") from None
        if not low <= value <= high:
            raise argparse.ArgumentTypeError(f"must be between {low:g} and {high:g}, not {text}")
        return value

    return parse


def _algorithm(text: str) -> str:
    names = [name.strip().lower() for name in text.split(",")]
    if names == [AUTO]:
        return AUTO
    for name in names:
        try:
            kind = SpeculativeType.from_str(name)
        except ValueError as error:
            raise argparse.ArgumentTypeError(str(error)) from None
        if kind.is_none():
            raise argparse.ArgumentTypeError("ordinary decoding is always measured; name what to compare")
    return ",".join(names)


def _draft_tokens(text: str) -> int | str:
    return AUTO if text.strip().lower() == AUTO else _whole(1)(text)


def _lengths(text: str) -> tuple[int, ...]:
    """`1,2,4`, `1-7`, or both mixed; `all` for every length."""
    if text.strip().lower() == "all":
        return ()
    found: list[int] = []
    for part in text.split(","):
        first, dash, last = part.partition("-")
        low, high = _whole(1, 1024)(first), _whole(1, 1024)(last if dash else first)
        if high < low:
            raise argparse.ArgumentTypeError(f"{part!r} goes backwards")
        found += range(low, high + 1)
    return tuple(dict.fromkeys(found))


def _p_mins(text: str) -> tuple[float, ...]:
    return tuple(dict.fromkeys(_real(0, 1)(part) for part in text.split(",")))


# --- Output -----------------------------------------------------------------------------------------


def _recount(path: Path) -> int:
    from app.bench import recount

    compared, wrong = recount.differences(recount.read_document(path))
    for line in wrong:
        print(line)
    print(f"{compared - len(wrong)} of {compared} figures equal the recount from the recorded rounds.")
    return 1 if wrong else 0


def _check_writable(path: Path) -> None:
    """Before minutes of measuring, not after."""
    folder = path.absolute().parent
    if not folder.is_dir():
        raise EnvironmentProblem(f"The folder {folder} does not exist.", code="output")
    if path.is_dir() or not os.access(path if path.exists() else folder, os.W_OK):
        raise EnvironmentProblem(f"{path} cannot be written.", code="output")


def _write(write: Callable[[BenchResult, Path], None], result: BenchResult, path: Path) -> None:
    try:
        write(result, path)
    except OSError as error:
        raise EnvironmentProblem(
            f"{path} could not be written.", error.strerror or "", code="output"
        ) from None
    print(f"written: {path}", file=sys.stderr)


def _say_what_cannot_be_encoded() -> None:
    """A terminal without Unicode gets question marks instead of an error."""
    reconfigure = getattr(sys.stdout, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(errors="replace")


class _Progress:
    """One line on a terminal's standard error; nothing anywhere else."""

    def __init__(self) -> None:
        self._shown = sys.stderr.isatty()
        self._width = 0

    def __call__(self, progress: BenchProgress) -> None:
        if not self._shown:
            return
        rate = f", {progress.tokens_per_second:.1f} tok/s" if progress.tokens_per_second else ""
        mode = f", {progress.mode}" if progress.mode else ""
        line = f"[{progress.fraction:4.0%}] {progress.stage}{mode}{rate}"
        print(f"\r{line.ljust(self._width)}", end="", file=sys.stderr, flush=True)
        self._width = len(line)

    def clear(self) -> None:
        if self._width:
            print(f"\r{' ' * self._width}\r", end="", file=sys.stderr, flush=True)


@contextmanager
def _stop_on_interrupt() -> Iterator[threading.Event]:
    """Within, the first Ctrl+C ends the run in order; a second one ends the program."""
    cancel = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield cancel
        return
    previous = signal.getsignal(signal.SIGINT)

    def stop(*_: object) -> None:
        cancel.set()
        signal.signal(signal.SIGINT, previous)

    signal.signal(signal.SIGINT, stop)
    try:
        yield cancel
    finally:
        signal.signal(signal.SIGINT, previous)
