"""A task that an executor works on: folded, followed, and written with its expected position."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from uuid import uuid4

from nats.aio.client import Client
from nats.aio.msg import Msg

from .agent import Json
from .log import Conflict, Corrupt, Log, Ref, Unavailable, decode
from .task import Task, time_after


class LiveTask:
    """Every event is folded once, in order, whether it is our own, comes live, or is read from the log."""

    def __init__(self, log: Log, ref: Ref, actor: str) -> None:
        self.ref = ref
        self.task = Task()
        self.on_event: Callable[[Json], None] = lambda event: None
        self._log = log
        self._actor = {"kind": "executor", "id": actor}
        self._sequence = 0
        self._lock = asyncio.Lock()

    async def execute(self, decide: Callable[[Task], Json | None], trace: str | None) -> Json | None:
        """Decide, append, and again where another writer was faster (R8). One call stores at most one event."""
        event_id = str(uuid4())
        async with self._lock:
            while (payload := decide(self.task)) is not None:
                event = self._envelope(event_id, payload, trace)
                try:
                    self._sequence = await self._log.append(self.ref, event, self._sequence)
                    self.task.apply(event)
                    return event
                except Conflict:
                    await self._catch_up()
        return None

    async def catch_up(self) -> None:
        """What came live may have been lost: the log knows (R12)."""
        async with self._lock:
            await self._catch_up()

    async def hear(self, msg: Msg) -> None:
        try:
            event = decode(msg.data)
            async with self._lock:
                if event["version"] <= self.task.version:
                    return
                if event["version"] > self.task.version + 1:
                    await self._catch_up()
                else:
                    self._fold(int((msg.headers or {})["Nats-Sequence"]), event)
        except (Corrupt, Unavailable, KeyError):
            return  # the next look at the log makes good for it

    async def _catch_up(self) -> None:
        for stored in await self._log.after(self.ref, self.task.version, self._sequence):
            self._fold(stored.sequence, stored.event)

    def _fold(self, sequence: int, event: Json) -> None:
        self.task.apply(event)
        self._sequence = sequence
        self.on_event(event)

    def _envelope(self, event_id: str, payload: Json, trace: str | None) -> Json:
        said = {name: value for name, value in payload.items() if name != "says"}
        if "says" in payload:
            said["message"] = {"messageId": str(uuid4()), "role": "agent", "parts": [{"text": payload["says"]}]}
        return {
            "v": 1,
            "id": event_id,
            "version": self.task.version + 1,
            "at": time_after(self.task),
            "actor": self._actor,
            **({"trace": trace} if trace else {}),
            **said,
        }


@asynccontextmanager
async def follow(client: Client, ref: Ref, actor: str) -> AsyncIterator[LiveTask]:
    """Subscribes first, so that nothing falls between the log and the first live event."""
    live = LiveTask(Log(client), ref, actor)
    subscription = await client.subscribe(ref.live, cb=live.hear)
    try:
        await live.catch_up()
        if live.task.version == 0 or live.task.state == "":
            raise Corrupt("there is no such task")
        yield live
    finally:
        await subscription.unsubscribe()
