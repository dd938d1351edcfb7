"""A planner that asks a language model: it fills in content and wording, the forms stay exact."""

from voxmem.plan.language_model.planner import LanguageModelPlanner

__all__ = ["LanguageModelPlanner"]
