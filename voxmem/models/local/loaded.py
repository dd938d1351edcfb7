"""A model in memory, and the prompts that its own processor makes for it."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from jinja2 import TemplateError

from voxmem.errors import UsageError
from voxmem.models.local.chat import Chat, flattened
from voxmem.models.local.family import Family

if TYPE_CHECKING:
    import numpy as np
    import torch
    from numpy.typing import NDArray


@dataclass
class Loaded:
    """A model that is ready, with everything that prompts are made with."""

    name: str
    """Of the entry, for messages."""
    model: Any
    processor: Any
    family: Family
    context: int | None
    tokens_per_second: float
    longest_seconds: float | None
    _expansions: list[str] | None = field(default=None, init=False)
    _replacement: str = field(default="", init=False)

    def __post_init__(self) -> None:
        # What it checks is checked by us (:func:`voxmem.models.local.prompt.fill`). Some processors
        # insist on one clip a text, others count a placeholder that a user wrote as a clip.
        self.processor.validate_inputs = _unchecked
        self._process_audio = self.processor._process_audio
        self.processor._process_audio = self._expand_or_process
        self._sanitizes = self._can_sanitize()

    @property
    def rate(self) -> int:
        """Samples per second that the model hears."""
        extractor = getattr(self.processor, "feature_extractor", None)
        return int((extractor or self.processor.audio_processor).sampling_rate)

    @property
    def placeholder(self) -> str:
        """Of one piece of audio, in a rendered prompt; and of one audio token, in an expanded."""
        return str(self.processor.audio_token)

    @property
    def audio_token(self) -> int:
        """Its id."""
        return int(self.processor.tokenizer.convert_tokens_to_ids(self.placeholder))

    @property
    def ends(self) -> frozenset[int]:
        """The tokens that end an answer."""
        config = self.model.generation_config.eos_token_id
        listed = config if isinstance(config, list) else [config]
        return frozenset(
            token for token in (*listed, self.processor.tokenizer.eos_token_id) if token is not None
        )

    def features(self, samples: NDArray[np.float32]) -> tuple[dict[str, Any], str]:
        """One piece of audio as the encoder takes it, and what replaces its placeholder."""
        self._expansions = None
        made = self.processor(
            text=[self.placeholder],
            audio=[samples],
            audio_kwargs={"sampling_rate": self.rate, **self.family.audio_options(len(samples))},
            return_tensors="pt",
        )
        return {name: self._moved(tensor) for name, tensor in made.items()}, self._replacement

    def render(self, chat: Chat) -> str:
        """The prompt as the template makes it, a placeholder for each piece of audio.

        Raises:
            UsageError: The template refuses the conversation.
        """
        try:
            rendered: str = self.processor.apply_chat_template(chat, **self._template())
        except TemplateError as error:
            raise UsageError(
                f"the chat template refuses a conversation: {error}",
                item=self.name,
                stage="evaluate",
                remedy="set delivery to folded if it takes no system text",
            ) from None
        return rendered

    def tokens(self, chat: Chat, expansions: Sequence[str]) -> dict[str, torch.Tensor]:
        """The prompt as token ids, with what belongs to them, each a batch of one.

        Args:
            chat: The conversation.
            expansions: What replaces the placeholder of each piece, in order.
        """
        self._expansions = list(expansions)
        sanitize = {"sanitize_control_tokens": True} if self._sanitizes else {}
        made = self.processor.apply_chat_template(
            [dict(message) for message in chat],
            tokenize=True,
            return_dict=True,
            return_tensors="pt",
            processor_kwargs={"text_kwargs": {"padding": True}},
            **self._template(),
            **sanitize,
        )
        return {name: self._moved(tensor) for name, tensor in made.items()}

    def _template(self) -> dict[str, Any]:
        if self.family.content == "parts":
            return {"add_generation_prompt": True}
        template = flattened(self.processor.chat_template, self.placeholder)
        return {"add_generation_prompt": True, "chat_template": template}

    def _expand_or_process(self, audio: Any, **kwargs: Any) -> tuple[Any, list[str]]:
        # A prompt is made of pieces that were processed before: they are not processed again.
        if self._expansions is not None:
            return {}, self._expansions
        features, replacements = self._process_audio(audio, **kwargs)
        self._replacement = replacements[0]
        return features, replacements

    def _moved(self, tensor: Any) -> Any:
        floats = tensor.is_floating_point()
        return tensor.to(self.model.device, self.model.dtype if floats else None)

    def _can_sanitize(self) -> bool:
        """Whether control tokens in texts can be told from those of the template."""
        if "sanitize_control_tokens" not in _parameters(self.processor):
            return False
        self._sanitizes = True
        try:
            self.tokens([{"role": "user", "content": [{"type": "text", "text": "a"}]}], [])
        except NotImplementedError:  # its tokenizer adds tokens of its own
            return False
        return True


def _unchecked(**inputs: Any) -> None:
    """Takes the place of a processor's own checks."""


def _parameters(processor: Any) -> set[str]:
    # Some processors pass everything on to the class that they extend.
    return {
        name
        for kind in type(processor).__mro__
        if "apply_chat_template" in vars(kind)
        for name in inspect.signature(vars(kind)["apply_chat_template"]).parameters
    }
