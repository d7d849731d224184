"""The commands. What they do is imported when one of them runs, so that help is there at once."""

import sys
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated

import typer

from mcassay.cli.status import INTERNAL, INTERRUPTED, USAGE
from mcassay.cli.streams import open_streams, say

app = typer.Typer(
    name="mcassay",
    help="Find out whether an MCMC sampler is right, how sure that is, and which update is wrong.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    epilog="Exit status: 0 every check passed or was skipped, 1 a FAIL, 2 wrong usage or bad input, 3 UNCLEAR, "
    "4 an ERROR in your code.",
)

Source = Annotated[str, typer.Argument(metavar="FILE.py:NAME", help="A Subject, a list of them, or a function that returns one.")]
Workers = Annotated[
    int | None,
    typer.Option(metavar="N", help="How many processes to run in; the outcome does not depend on it.  [default: one a core]"),
]
Format = Annotated[
    str | None, typer.Option("--format", metavar="FORMAT", help="rich, plain or json; without it rich on a terminal, else plain.")
]
Reports = Annotated[list[Path], typer.Argument(metavar="REPORT.json...", help="Files that --json wrote.")]


def run_app(arguments: Sequence[str]) -> int:
    """Run a command; bad input is told in words, and only a bug of ours gives a traceback."""
    open_streams()
    try:
        app(args=list(arguments), prog_name="mcassay")
    except SystemExit as left:
        return left.code if isinstance(left.code, int) else int(left.code is not None)
    except Exception:
        sys.stderr.write(
            f"{traceback.format_exc()}mcassay: this is a bug of mcassay itself; please report it with the lines above\n"
        )
        return INTERNAL
    return 0


def _worded(command: Callable[[], int]) -> None:
    """Run the body of a command and leave with its status; bad input leaves with a message."""
    from mcassay.errors import InputError

    try:
        status = command()
    except InputError as error:
        sys.stderr.write(f"mcassay: {error}\n")
        status = USAGE
    except KeyboardInterrupt:
        sys.stderr.write("mcassay: interrupted before anything was found\n")
        status = INTERRUPTED
    raise typer.Exit(status)


@app.command()
def run(
    source: Source,
    budget: Annotated[
        str, typer.Option(metavar="BUDGET", help="quick, ci, nightly, a number of sweeps, or a time such as 30s, 5min, 2h.")
    ] = "ci",
    alpha: Annotated[
        str, typer.Option(metavar="ALPHA", help="The bound on the probability of a false alarm, over all checks.")
    ] = "1e-6",
    tolerance: Annotated[str, typer.Option(metavar="GAP", help="How large a P-P gap a PASS has to rule out.")] = "0.02",
    seed: Annotated[str | None, typer.Option(metavar="SEED", help="The seed of a report, to get the same outcome again.")] = None,
    check: Annotated[list[str] | None, typer.Option(metavar="NAME", help="Run this check only; may be repeated.")] = None,
    skip: Annotated[list[str] | None, typer.Option(metavar="NAME", help="Leave this check out; may be repeated.")] = None,
    workers: Workers = None,
    json: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the report to this file; several subjects give a list of reports.")
    ] = None,
    html: Annotated[Path | None, typer.Option(metavar="FILE", help="Write a page over all subjects to this file.")] = None,
    form: Format = None,
) -> None:
    """Assay a subject, or several; the exit status is that of the worst."""

    def body() -> int:
        from mcassay.cli.options import chosen_format, outputs, settings
        from mcassay.cli.run import Outputs, run

        given = settings(budget, alpha, tolerance, seed, check or (), skip or (), workers)
        shown = chosen_format(form, terminal=sys.stdout.isatty())
        return run(source, given, Outputs(shown, *outputs(json, html)))

    _worded(body)


@app.command()
def replay(
    reports: Reports,
    check: Annotated[str | None, typer.Option(metavar="NAME", help="Run this check only.")] = None,
    workers: Workers = None,
    form: Format = None,
) -> None:
    """Run the assay of a report again.

    The exit status is 0 where the outcome is the same, and 1 where it is not.
    """

    def body() -> int:
        from mcassay.cli.files import read_reports
        from mcassay.cli.options import chosen_format, processes
        from mcassay.cli.replay import replay
        from mcassay.errors import InputError

        shown = chosen_format(form, terminal=sys.stdout.isatty())
        if shown == "json":
            raise InputError("--format: a replay is shown as rich or plain; mcassay run writes JSON")
        return replay(read_reports(reports), check, processes(workers), shown)

    _worded(body)


@app.command()
def report(
    reports: Reports,
    html: Annotated[Path | None, typer.Option(metavar="FILE", help="Write one page over all reports to this file.")] = None,
    form: Format = None,
) -> None:
    """Show reports again, or make one page over many."""

    def body() -> int:
        from mcassay.cli.files import read_reports
        from mcassay.cli.options import chosen_format, output
        from mcassay.cli.show import show_all, write_html

        page = output("--html", html)
        found = read_reports(reports)
        if page is None:
            show_all(found, chosen_format(form, terminal=sys.stdout.isatty()))
        else:
            write_html(found, page)
        return 0

    _worded(body)


@app.command()
def new(
    style: Annotated[str | None, typer.Argument(metavar="STYLE", help="gibbs, kernel, blackjax, numpyro, pymc or emcee.")] = None,
    path: Annotated[Path, typer.Option("--output", metavar="FILE.py", help="The file to write.")] = Path("test_sampler.py"),
    force: Annotated[bool, typer.Option("--force", help="Write over a file that exists.")] = False,
) -> None:
    """Write a test file to start from."""

    def body() -> int:
        from mcassay.cli.new import styles, write_starter
        from mcassay.errors import InputError

        picked = style
        if picked is None and sys.stdin.isatty():
            say(f"Which style of sampler?\n{styles()}\n")
            picked = typer.prompt("style", default="gibbs")
        if picked is None:
            raise InputError(f"new: which style of sampler? mcassay new STYLE, with STYLE one of\n{styles()}")
        say(write_starter(picked, path, force=force))
        return 0

    _worded(body)


@app.command()
def checks() -> None:
    """List the checks: what each requires, and what its failure means."""

    def body() -> int:
        from mcassay.cli.catalogue import catalogue

        say(catalogue())
        return 0

    _worded(body)


@app.command()
def faults(
    source: Source,
    budget: Annotated[str, typer.Option(metavar="BUDGET", help="What the assay of a mutant may take: as for run.")] = "quick",
    operators: Annotated[
        str | None, typer.Option(metavar="NAMES", help="Operators or families of them, with commas between; without it all.")
    ] = None,
    check: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="Run this check only; exact and statistical stand for all of a kind.")
    ] = None,
    seed: Annotated[
        str | None, typer.Option(metavar="SEED", help="The seed of a report, to get the same outcomes again.")
    ] = None,
    most: Annotated[int | None, typer.Option(metavar="N", help="Make at most so many mistakes, drawn at random.")] = None,
    time_limit: Annotated[
        float | None, typer.Option(metavar="SECONDS", help="How many seconds of the processor a mutant may take.")
    ] = None,
    journal: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Keep every outcome in this file, and go on from it.")
    ] = None,
    workers: Workers = None,
    json: Annotated[Path | None, typer.Option(metavar="FILE", help="Write what became of every mistake to this file.")] = None,
    html: Annotated[Path | None, typer.Option(metavar="FILE", help="Write a page to this file.")] = None,
    form: Format = None,
) -> None:
    """Make mistakes on purpose, and tell which ones the checks catch.

    They are made in the source of the sampler, one at a time, and nothing on disk is changed. The exit status is 0 where every
    mistake is caught, equivalent or raises, and 1 where one survives.
    """

    def body() -> int:
        from mcassay.cli.faults import Asked, faults
        from mcassay.cli.options import chosen_format, outputs, processes, read_seed, read_sweeps_or_time
        from mcassay.cli.run import Outputs

        asked = Asked(
            read_sweeps_or_time("--budget", budget),
            None if operators is None else tuple(name.strip() for name in operators.split(",") if name.strip()),
            tuple(check) if check else None,
            None if seed is None else read_seed("--seed", seed),
            processes(workers),
            most,
            time_limit,
            journal,
        )
        shown = chosen_format(form, terminal=sys.stdout.isatty())
        return faults(source, asked, Outputs(shown, *outputs(json, html)))

    _worded(body)


@app.command()
def schema(
    of: Annotated[str, typer.Argument(metavar="[report|faults]", help="What run writes, or what faults writes.")] = "report",
) -> None:
    """Print the JSON Schema of what --json writes."""

    def body() -> int:
        from importlib import resources

        from mcassay.errors import InputError

        if of not in ("report", "faults"):
            raise InputError(f'schema: there is none of "{of}"; write report or faults')
        say((resources.files(f"mcassay.{of}") / "schema.json").read_text(encoding="utf-8"))
        return 0

    _worded(body)


@app.command()
def demo() -> None:
    """Tell the paper's story: a bug of two percent, and who finds it."""

    def body() -> int:
        from mcassay.demo import main

        return main()

    _worded(body)


def _version(value: bool) -> None:
    if value:
        from importlib.metadata import version

        say(f"mcassay {version('mcassay')}\n")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and leave.")
    ] = False,
) -> None:
    """Find out whether an MCMC sampler is right, how sure that is, and which update is wrong."""
