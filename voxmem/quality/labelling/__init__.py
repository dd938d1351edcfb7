"""People label things: the rows they leave, their page and their sheet, how far they agree.

What is labelled is a :class:`~voxmem.quality.labelling.task.Task`: clips, verdicts, errors. A row
is never changed. Whoever thinks again makes another, and the latest of each annotator counts, as
long as the thing is still what was labelled.
"""
