"""The report: a static site that opens from a folder, with no server and no network.

Pages are plain HTML; what is large (one script a question, the clips) is loaded when it is opened.
"""

from voxmem.analyze.report.write import write_report

__all__ = ["write_report"]
