"""What a workflow server is given: pools, deployments, schedules, variables, automations.

It is declared in ``deployments/`` and applied by ``voxmem bootstrap``. What people change on a
server on purpose stays: pauses, schedules, limits, variables, and values added to a form or a
template.
"""
