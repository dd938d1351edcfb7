"""Why a wrong answer is wrong (VoxMem, Appendix E): a record by an auditor, a class by rules."""
