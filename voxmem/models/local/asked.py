"""A model in memory, asked one item at a time."""

from __future__ import annotations

import asyncio
import hashlib
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from voxmem.errors import InputError
from voxmem.models.entry import ModelEntry
from voxmem.models.inspection import Inspection
from voxmem.models.local.decoding import generate, next_logits
from voxmem.models.local.encoder import TOLERANCE, EncodedClips
from voxmem.models.local.loaded import Loaded
from voxmem.models.local.prefix import Prefix, marks_of
from voxmem.models.local.prompt import Layout, Prompt, check_layout, fill, lay_out
from voxmem.models.outcome import Completion, Reply, of_completion
from voxmem.models.told import Told
from voxmem.records import Call, Outcome, Usage

Done = TypeVar("Done")


class AskedLocal:
    """A loaded model, ready to be asked.

    Args:
        entry: What is known of it.
        loaded: The model.
        kept: Where encoded clips are kept.
        worker: The one thread that the model runs in, so that the event loop stays free.
        reuse_prefix: Whether what a prompt has in common with the last one is computed once.
    """

    def __init__(
        self,
        entry: ModelEntry,
        loaded: Loaded,
        kept: EncodedClips,
        worker: ThreadPoolExecutor,
        *,
        reuse_prefix: bool,
    ) -> None:
        self._entry = entry
        self._loaded = loaded
        self._kept = kept
        self._worker = worker
        config = loaded.model.config
        self._switch = loaded.family.positions_switch(config)
        self._reuse_prefix = reuse_prefix
        self._closed = threading.Event()
        self._prefix = Prefix(config.get_text_config(decoder=True), self._switch)

    async def answer(self, told: Told) -> Reply:
        """See :meth:`voxmem.models.registry.Asked.answer`."""
        return await self._run(lambda: self._answer(told))

    async def inspect(self, told: Told) -> Inspection:
        """See :meth:`voxmem.models.inspection.Inspectable.inspect`."""
        return await self._run(lambda: self._inspect(told))

    def close(self) -> None:
        """Ends the answer that is being written, which nobody waits for any more."""
        self._closed.set()

    async def _run(self, work: Callable[[], Done]) -> Done:
        return await asyncio.get_running_loop().run_in_executor(self._worker, work)

    def _answer(self, told: Told) -> Reply:
        started = time.perf_counter()
        layout = lay_out(self._loaded, told, self._entry.delivery)
        check_layout(layout, name=self._entry.name)
        try:
            reply = self._refused(layout) or self._asked(fill(self._loaded, layout, self._kept))
        except InputError as error:
            reply = Reply(outcome="error", error=str(error))
        except (RuntimeError, ValueError, IndexError) as error:  # the model, or its memory
            self._prefix.drop()
            said = " ".join(str(error).split())[:500]
            reply = Reply(outcome="error", error=f"{type(error).__name__}: {said}")
        call = Call(
            delivery=self._entry.delivery,
            seconds=time.perf_counter() - started,
            notes=layout.notes,
        )
        return reply.model_copy(update={"call": call})

    def _refused(self, layout: Layout) -> Reply | None:
        """Why an item cannot be asked, as far as that is known before anything is heard."""
        pieces, most = len(layout.every_piece), self._entry.clips.most
        if most is not None and pieces > most:
            return _refusal("unsupported", f"{pieces} clips, and the model takes {most} at most")
        if not layout.rendering.replies_kept:
            return _refusal("error", "the chat template loses or changes a text of the item")
        expected = sum(
            piece.seconds * self._loaded.tokens_per_second - TOLERANCE
            for piece in layout.every_piece
        )
        return self._overflow(int(expected), "audio tokens alone")

    def _overflow(self, tokens: int, what: str) -> Reply | None:
        context, answer = self._loaded.context, self._entry.decoding.max_output_tokens
        if context is None or tokens + answer <= context:
            return None
        return _refusal(
            "context_overflow",
            f"{tokens} {what} and {answer} for the answer are more than {context}",
        )

    def _asked(self, prompt: Prompt) -> Reply:
        usage = Usage(input_tokens=prompt.length, audio_tokens=len(prompt.places))
        if overflow := self._overflow(prompt.length, "tokens"):
            return overflow.model_copy(update={"usage": usage})
        ends = self._loaded.ends
        new, reused = self._generated(prompt)
        ended = bool(new) and new[-1] in ends
        completion = Completion(
            text=self._loaded.processor.tokenizer.decode(new, skip_special_tokens=True),
            finish_reason="stop" if ended else "length",
            usage=usage.model_copy(update={"output_tokens": len(new), "cached_tokens": reused}),
        )
        return Reply(
            outcome=of_completion(completion),
            text=completion.text if completion.text.strip() else None,
            finish_reason=completion.finish_reason,
            usage=completion.usage,
        )

    def _generated(self, prompt: Prompt) -> tuple[list[int], int]:
        """The new tokens, and how many of the prompt's were computed for the last one."""
        cache, reused = None, 0
        if self._reuse_prefix:
            marks = marks_of(prompt.inputs["input_ids"][0], prompt.places, prompt.encoded)
            cache, reused = self._prefix.take(marks)
        new, cache = self._drawn(prompt, cache)
        if self._reuse_prefix:
            self._prefix.keep(marks, cache)
        return new, reused

    def _drawn(self, prompt: Prompt, cache: Any) -> tuple[list[int], Any]:
        decoding = self._entry.decoding
        most = decoding.max_output_tokens
        first = most
        if self._switch is not None and prompt.length <= self._switch:
            # Positions change within the answer, and transformers forgets the prompt there.
            first = min(most, self._switch - prompt.length + 1)
        stopped = self._closed.is_set
        new, cache = generate(
            self._loaded, prompt, decoding, most=first, cache=cache, stopped=stopped
        )
        if first == most or new[-1] in self._loaded.ends:
            return new, cache
        longer = prompt.continued(new)
        more, cache = generate(self._loaded, longer, decoding, most=most - first, stopped=stopped)
        return new + more, cache

    def _inspect(self, told: Told) -> Inspection:
        layout = lay_out(self._loaded, told, self._entry.delivery)
        prompt = fill(self._loaded, layout, self._kept)
        logits = None
        if not self._overflow(prompt.length, "tokens"):
            scores = next_logits(self._loaded, prompt)
            logits = hashlib.sha256(scores.numpy().tobytes()).hexdigest()
        clips = told.conversation.clips
        return Inspection(
            system_texts=layout.rendering.system_texts,
            replies_kept=layout.rendering.replies_kept,
            alternates=layout.rendering.alternates,
            clips=layout.rendering.clips,
            audio_tokens=prompt.tokens_of_clips,
            expected_tokens=tuple(
                round(clip.seconds * self._loaded.tokens_per_second) for clip in clips
            ),
            input_tokens=prompt.length,
            context=self._loaded.context,
            logits=logits,
        )


def _refusal(outcome: Outcome, why: str) -> Reply:
    return Reply(outcome=outcome, error=why)
