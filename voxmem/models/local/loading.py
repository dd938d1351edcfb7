"""A model and its processor out of a folder or from the hub, through the native classes."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from voxmem.errors import InputError, MissingExtra, UsageError
from voxmem.models.entry import ModelEntry
from voxmem.models.local.clips import LOCAL_MODELS
from voxmem.models.local.families import family_of
from voxmem.models.local.family import Family
from voxmem.models.local.loaded import Loaded
from voxmem.models.local.settings import LocalSettings

Read = TypeVar("Read")

AUTO_CLASSES = ("AutoModelForMultimodalLM", "AutoModelForSeq2SeqLM", "AutoModelForCausalLM")
"""Tried in this order: no one of them knows every model."""


def load(entry: ModelEntry, settings: LocalSettings) -> Loaded:
    """The model of an entry, in memory.

    Raises:
        MissingExtra: A package is not installed: torch, transformers, or one that the processor of
            this family imports.
        UsageError: The folder or hub repository does not exist, or the family is not known.
        InputError: The folder lacks files or weights, or they are damaged.
    """
    torch, transformers = _libraries(entry)
    source = {"pretrained_model_name_or_path": entry.model, "revision": entry.revision}
    config = _read(entry, "the config", lambda: transformers.AutoConfig.from_pretrained(**source))
    family = family_of(entry.family, config.model_type, item=entry.name)
    processor = _read(
        entry, "the processor", lambda: transformers.AutoProcessor.from_pretrained(**source)
    )
    _ensure_template(processor, entry)
    kind = model_class(transformers, family, config, item=entry.name)
    options: dict[str, Any] = {"dtype": settings.dtype, "output_loading_info": True}
    if settings.attention:
        options["attn_implementation"] = settings.attention
    model, report = _read(entry, "the weights", lambda: kind.from_pretrained(**source, **options))
    _check_complete(entry, report)
    longest = (entry.clips.longest_seconds, family.longest_seconds(processor))
    return Loaded(
        name=entry.name,
        model=model.eval().to(_device(torch, settings.device, item=entry.name)),
        processor=processor,
        family=family,
        context=entry.context or _positions(model.config),
        tokens_per_second=entry.tokens_per_second or family.tokens_per_second,
        longest_seconds=min((limit for limit in longest if limit), default=None),
    )


def model_class(transformers: Any, family: Family, config: Any, *, item: str) -> Any:
    """The class that a config is loaded with: its family's, an Auto class, or its architecture's.

    Raises:
        UsageError: The installed transformers has none.
    """
    if family.model_class is not None:
        return getattr(transformers, family.model_class)
    for name in AUTO_CLASSES:
        auto = getattr(transformers, name)
        if type(config) in auto._model_mapping:
            return auto
    for name in config.architectures or ():
        if hasattr(transformers, name):
            return getattr(transformers, name)
    raise UsageError(
        f"the installed transformers has no class for the type {config.model_type!r}",
        item=item,
        stage="models",
        remedy="serve the model (backend openai), or run it by the backend worker",
    )


def _ensure_template(processor: Any, entry: ModelEntry) -> None:
    # Some processors lose it when a folder is read, since their constructors do not take it.
    processor.chat_template = processor.chat_template or processor.tokenizer.chat_template
    if not processor.chat_template:
        raise InputError(
            f"the checkpoint {entry.model!r} has no chat template",
            item=entry.name,
            stage="models",
            remedy="add the model's chat_template.jinja to its folder",
        )


def _libraries(entry: ModelEntry) -> tuple[Any, Any]:
    try:
        import torch
        import transformers
    except ImportError as error:
        raise MissingExtra(
            f"the package {error.name or 'transformers'} is not installed",
            item=entry.name,
            stage="models",
            remedy=LOCAL_MODELS,
        ) from None
    return torch, transformers


def _read(entry: ModelEntry, what: str, read: Callable[[], Read]) -> Read:
    """What ``read`` returns.

    Raises:
        MissingExtra: It needs a package that is not installed.
        UsageError: There is no such folder or repository.
        InputError: What is there cannot be used.
    """
    from safetensors import SafetensorError

    try:
        return read()
    except ImportError as error:
        raise _missing(entry, what, str(error)) from None
    except (OSError, ValueError, RuntimeError, SafetensorError) as error:
        said = " ".join(str(error).split())[:300]
        if isinstance(error, OSError) and not Path(entry.model).is_dir():
            raise UsageError(
                f"{what} of {entry.model!r} cannot be had: {said}",
                item=entry.name,
                stage="models",
                remedy="give an existing folder, or a hub repository that can be reached",
            ) from None
        raise InputError(
            f"{what} in {entry.model!r} cannot be used: {said}",
            item=entry.name,
            stage="models",
            remedy="copy or download the checkpoint again",
        ) from None


def _missing(entry: ModelEntry, what: str, said: str) -> MissingExtra:
    named = re.search(r"torchvision|torchaudio|librosa|PIL|Pillow", said, re.IGNORECASE)
    package = {"pil": "pillow"}.get(named[0].lower(), named[0].lower()) if named else None
    return MissingExtra(
        f"{what} needs the package {package}"
        if package
        else f"{what} needs a package that is not installed: {' '.join(said.split())[:300]}",
        item=entry.name,
        stage="models",
        remedy=f"pip install {package}, in the build that fits the installed torch"
        if package
        else LOCAL_MODELS,
    )


def _check_complete(entry: ModelEntry, report: Mapping[str, Any]) -> None:
    # What a checkpoint lacks is filled with random numbers, and a warning.
    lacking = sorted(report["missing_keys"]) + sorted(map(str, report["mismatched_keys"]))
    if lacking:
        raise InputError(
            f"the weights in {entry.model!r} are not complete: {len(lacking)} are missing or of "
            f"another shape, the first is {lacking[0]}",
            item=entry.name,
            stage="models",
            remedy="copy or download the checkpoint again",
        )


def _device(torch: Any, wanted: str, *, item: str) -> str:
    if wanted == "auto":
        return "cuda" if torch.cuda.is_available() else "cpu"
    here = {"cuda": torch.cuda.is_available, "mps": torch.backends.mps.is_available}
    if not here.get(wanted.split(":", maxsplit=1)[0], lambda: True)():
        raise UsageError(
            f"there is no device {wanted} for the installed torch",
            item=item,
            stage="models",
            remedy="set settings.device to cpu, or install a torch for this machine's GPU",
        )
    return wanted


def _positions(config: Any) -> int | None:
    positions = getattr(config.get_text_config(), "max_position_embeddings", None)
    return int(positions) if positions else None
