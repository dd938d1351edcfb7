"""YAML that people write, read strictly: a key that is there twice is a slip, not a choice."""

from __future__ import annotations

from typing import Any

import yaml

_MERGE = "tag:yaml.org,2002:merge"


def load_yaml(text: str) -> Any:
    """What a text of YAML or JSON says.

    Raises:
        ValueError: It cannot be read, or a mapping has a key twice: the line, and why. Nothing else
            of the text is repeated, which may hold what is secret.
    """
    try:
        return yaml.load(text, _Strict)
    except yaml.MarkedYAMLError as error:
        why = error.problem or error.context or "it is no YAML"
        mark = error.problem_mark or error.context_mark
        raise ValueError(f"line {mark.line + 1}: {why}" if mark else why) from None
    except yaml.YAMLError as error:
        raise ValueError(" ".join(str(error).split())) from None
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


class _Strict(yaml.SafeLoader):  # type: ignore[misc]
    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> Any:
        seen = set()
        for key, _ in node.value:
            if not isinstance(key, yaml.ScalarNode) or key.tag == _MERGE:
                continue  # what is merged in may be written again: that is what it is for
            name = self.construct_object(key)
            if name in seen:
                raise yaml.constructor.ConstructorError(
                    problem=f"the key {name!r} is there twice", problem_mark=key.start_mark
                )
            seen.add(name)
        return super().construct_mapping(node, deep)
