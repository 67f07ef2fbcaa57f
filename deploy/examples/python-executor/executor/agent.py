"""What an agent author sees: a profile, and an async generator over outputs."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from dataclasses import dataclass, field
from typing import Any, Protocol

Json = dict[str, Any]
Outputs = AsyncGenerator[Json, None]
"""What an agent yields. It ends with completed, failed, rejected, input_required or auth_required."""


class Stopped(Exception):
    """The turn is to end: the task is canceled or over, or the executor stops. An agent lets it pass."""


class Messages:
    """What the user says while the turn runs. A message counts as seen once the agent has taken it."""

    def __init__(self, seen: int) -> None:
        self.seen = seen
        self._waiting: deque[tuple[int, Json]] = deque()
        self._news = asyncio.Event()
        self._is_stopped = False

    def hear(self, version: int, message: Json) -> None:
        self._waiting.append((version, message))
        self._news.set()

    def stop(self) -> None:
        self._is_stopped = True
        self._news.set()

    def __aiter__(self) -> AsyncIterator[Json]:
        return self

    async def __anext__(self) -> Json:
        while not self._waiting:
            if self._is_stopped:
                raise Stopped
            self._news.clear()
            await self._news.wait()
        self.seen, message = self._waiting.popleft()
        return message


@dataclass
class Turn:
    """One run of an agent on one task."""

    message: Json
    """The user's newest message when the turn started."""
    history: list[Json]
    artifacts: dict[str, Json]
    """What the task has produced so far, by id."""
    attempt: int
    """1, or more where an earlier try failed or its executor died."""
    messages: Messages
    authorization: Json | None = None
    """What was decided about the auth-required that the last turn ended with."""
    stopping: asyncio.Event = field(default_factory=asyncio.Event)

    async def sleep(self, seconds: float) -> None:
        """Raises Stopped where the turn is to end meanwhile."""
        try:
            await asyncio.wait_for(self.stopping.wait(), seconds)
        except asyncio.TimeoutError:
            return
        raise Stopped


class Agent(Protocol):
    """What a module with an agent exports as `agent`."""

    profile: Json
    run: Callable[[Turn], Outputs]


def text(value: str) -> Json:
    return {"text": value}


def working(words: str | None = None) -> Json:
    """Progress; the turn goes on."""
    return {"type": "working", **_saying(words)}


def artifact(name: str, parts: list[Json], *, append: bool = False, last_chunk: bool = False) -> Json:
    """A result, or a chunk of one."""
    made = {"artifactId": name, "name": name, "parts": parts}
    return {"type": "artifact", "artifact": made, "append": append, "lastChunk": last_chunk}


def completed(words: str | None = None) -> Json:
    return {"type": "completed", **_saying(words)}


def failed(words: str) -> Json:
    """I couldn't."""
    return {"type": "failed", **_saying(words)}


def rejected(words: str) -> Json:
    """I won't."""
    return {"type": "rejected", **_saying(words)}


def input_required(words: str) -> Json:
    """The user has to say something; the turn ends, and a new one begins with the answer."""
    return {"type": "input-required", **_saying(words)}


def auth_required(words: str) -> Json:
    """Something has to be granted elsewhere."""
    return {"type": "auth-required", **_saying(words)}


def text_of(message: Json) -> str:
    return "".join(part.get("text", "") for part in message["parts"])


def _saying(words: str | None) -> Json:
    return {} if words is None else {"says": words}
