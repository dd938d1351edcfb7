"""What a report is made of: what systems said, what judges and auditors made of it, the choices."""

from voxmem.reporting.gather import Gathered, gathered
from voxmem.reporting.wanted import Wanted, everything
from voxmem.reporting.write import report_key, write_report

__all__ = ["Gathered", "Wanted", "everything", "gathered", "report_key", "write_report"]
