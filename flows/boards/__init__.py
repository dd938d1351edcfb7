"""What the dashboard shows of a run, beside its logs: how far it is, what it cost, what came of it.

Boards only show. One that cannot be shown, because the server is away, harms no run.
"""

from flows.boards.costs import CostBoard
from flows.boards.page import run_page
from flows.boards.release import show_release
from flows.boards.report import link_report
from flows.boards.run import RunBoard

__all__ = ["CostBoard", "RunBoard", "link_report", "run_page", "show_release"]
