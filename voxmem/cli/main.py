"""The app, and how it ends: every error of ours is one line and an exit code."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from types import FrameType
from typing import Annotated, NoReturn

import typer

from voxmem import __version__, interruption
from voxmem.cli.builds import build, demo
from voxmem.cli.cluster import bootstrap, server
from voxmem.cli.doctor import doctor
from voxmem.cli.evaluations import attribute, evaluate, judge, report
from voxmem.cli.reevaluate import reevaluate
from voxmem.cli.register import register
from voxmem.commands import audit, models, sounds, voices
from voxmem.commands.arms import arms
from voxmem.commands.calibrate import calibrate
from voxmem.commands.compare import compare
from voxmem.commands.deliveries import deliveries
from voxmem.commands.gc import gc
from voxmem.commands.layouts import export_app, import_app
from voxmem.commands.quote import quote
from voxmem.commands.routes import routes
from voxmem.commands.screen import screen
from voxmem.commands.verify import verify
from voxmem.errors import UsageError, VoxmemError

INTERRUPTED = 130
"""The exit code after Ctrl-C or a request to end, as shells have it."""

app = typer.Typer(
    name="voxmem",
    help="Build and run benchmarks of what audio language models remember of what they heard.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
)

for command in (demo, build, evaluate, judge, attribute, report):
    app.command()(command)
app.command()(server)
app.command()(bootstrap)
app.command()(doctor)
app.command()(verify)
app.command()(gc)
app.command()(reevaluate)
app.command()(routes)
app.command()(quote)
app.command()(compare)
app.command()(screen)
app.command("arms")(arms)
app.command("deliveries")(deliveries)
app.command()(calibrate)
app.add_typer(export_app, name="export")
app.add_typer(import_app, name="import")
models.app.command()(register)
app.add_typer(models.app, name="models")
app.add_typer(voices.app, name="voices")
app.add_typer(sounds.app, name="sounds")
app.add_typer(audit.app, name="audit")


def _version(value: bool) -> None:
    if value:
        typer.echo(f"voxmem {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
    verbose: Annotated[
        bool, typer.Option("--verbose", help="Show what the workflow engine logs.")
    ] = False,
) -> None:
    # Read by Prefect and Dask when they are imported; errors are reported by this command instead.
    os.environ.setdefault("PREFECT_LOGGING_LEVEL", "INFO" if verbose else "CRITICAL")
    os.environ.setdefault("DASK_LOGGING__DISTRIBUTED", "info" if verbose else "error")


def _interrupt(number: int, frame: FrameType | None) -> NoReturn:
    """The first signal ends what runs in good order, the second one at once: nothing is lost."""
    for each in (signal.SIGINT, signal.SIGTERM):
        signal.signal(each, lambda *_: os._exit(INTERRUPTED))
    interruption.request()
    with contextlib.suppress(OSError):
        os.write(2, b"voxmem: finishing what has begun; once more ends it at once\n")
    raise KeyboardInterrupt


def _unwritable(error: OSError) -> int:
    what = f"use {error.filename}" if error.filename else "write the result"
    with contextlib.suppress(OSError):
        print(f"voxmem: cannot {what}: {error.strerror or error}", file=sys.stderr)
    # What is still buffered cannot be written either: without this, Python tries again at its end.
    with contextlib.suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 1


def main() -> NoReturn:
    """The entry point: every error of ours is one line and an exit code."""
    signal.signal(signal.SIGTERM, _interrupt)
    signal.signal(signal.SIGINT, _interrupt)
    try:
        code = app(standalone_mode=False) or 0  # so called, it returns what a command exits with
    except (typer.Abort, KeyboardInterrupt):
        code = INTERRUPTED
    except VoxmemError as error:
        typer.echo(f"voxmem: {error}", err=True)
        sys.exit(error.exit_code)
    except OSError as error:  # a full disk or closed pipe where results are printed
        sys.exit(_unwritable(error))
    except Exception as error:  # click's own usage errors know how to show themselves
        show = getattr(error, "show", None)
        if show is None:
            raise
        show()
        sys.exit(getattr(error, "exit_code", UsageError.exit_code))
    if code == INTERRUPTED:
        typer.echo("voxmem: interrupted; what is done is kept, the same command goes on", err=True)
    sys.exit(code)
