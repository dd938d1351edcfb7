"""What a report is made of: what systems said, what judges and auditors made of it, the choices."""

from voxmem.reporting.gather import Gathered, gathered
from voxmem.reporting.publish import mirror, publish_report
from voxmem.reporting.wanted import Wanted, everything
from voxmem.reporting.write import content_key, report_key, write_report

__all__ = [
    "Gathered",
    "Wanted",
    "content_key",
    "everything",
    "gathered",
    "mirror",
    "publish_report",
    "report_key",
    "write_report",
]
