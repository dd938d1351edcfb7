"""Re-evaluation: what a release, its models and the store say is to be done next.

A reconciler: it holds no state but its attempts, starts nothing itself, and may look as often as it
likes. The same look twice says the same.
"""

from voxmem.reevaluation.attempts import Attempts, RunState, StateOf
from voxmem.reevaluation.goal import Goal
from voxmem.reevaluation.plan import plan
from voxmem.reevaluation.records import Plan, Standing, Step

__all__ = ["Attempts", "Goal", "Plan", "RunState", "Standing", "StateOf", "Step", "plan"]
