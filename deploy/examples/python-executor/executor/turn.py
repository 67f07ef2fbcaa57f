"""One turn, to its settled event."""

from __future__ import annotations

import asyncio
from contextlib import aclosing

from .agent import Agent, Json, Messages, Turn
from .live_task import LiveTask
from .log import Unavailable
from .task import TERMINAL, Superseded, Task, cancel, report

SETTLED = {"completed", "failed", "rejected", "input-required", "auth-required"}


class HandedOver(Exception):
    """The executor stops; another one takes the work over."""


class RunningTurn:
    def __init__(self, live: LiveTask, agent: Agent, trace: str | None, grace_s: float) -> None:
        assert live.task.turn
        self._live = live
        self._agent = agent
        self._trace = trace
        self._grace_s = grace_s
        self._number = live.task.turn.number
        self._messages = Messages(live.task.turn.seen)
        self._why_stopped: str | None = None
        self._turn = Turn(
            message=[said for said in live.task.history if said["role"] == "user"][-1],
            history=list(live.task.history),
            artifacts=dict(live.task.artifacts),
            attempt=live.task.turn.attempt,
            messages=self._messages,
            authorization=live.task.authorization,
        )

    async def run(self) -> None:
        """Raises HandedOver at a shutdown; returns when the turn has settled, or counts no more."""
        self._running = asyncio.create_task(self._run_agent())
        self._live.on_event = self._hear
        try:
            await asyncio.wait([self._running])
            await self._settle()
        except Superseded:
            return
        finally:
            self._live.on_event = lambda event: None
            self._running.cancel()

    def stop(self, why: str) -> None:
        """`canceled` leaves the agent a grace period; `superseded` and `shutdown` do not."""
        if self._why_stopped == "superseded" or self._why_stopped == why:
            return
        self._why_stopped = why
        self._turn.stopping.set()
        self._messages.stop()
        delay_s = self._grace_s if why == "canceled" else 0
        asyncio.get_running_loop().call_later(delay_s, self._running.cancel)

    def _hear(self, event: Json) -> None:
        if event["type"] == "message":
            self._messages.hear(event["version"], event["message"])
        elif event["type"] == "cancel-requested":
            self.stop("canceled")
        elif event["type"] in TERMINAL or event.get("turn", self._number) > self._number:
            self.stop("superseded")

    async def _run_agent(self) -> Json:
        """What the agent ends with; all that it says before is stored on the way."""
        async with aclosing(self._agent.run(self._turn)) as outputs:
            async for output in outputs:
                if output["type"] in SETTLED:
                    return output
                await self._say(output)
        return {"type": "failed", "cause": "error", "says": "agent ended without a result"}

    async def _settle(self) -> None:
        error = None if self._running.cancelled() else self._running.exception()
        if isinstance(error, (Superseded, Unavailable)):
            raise error
        if not self._running.cancelled() and error is None:
            await self._say(self._running.result())
        elif self._why_stopped == "shutdown":
            await self._say({"type": "working", "handedOver": True})
            raise HandedOver
        elif self._why_stopped == "canceled":
            await self._live.execute(cancel, self._trace)
        elif self._why_stopped is None:
            await self._say({"type": "failed", "cause": "error", "says": str(error) or type(error).__name__})

    async def _say(self, output: Json) -> None:
        def decide(task: Task) -> Json:
            return report(task, self._number, self._messages.seen, output)

        await self._live.execute(decide, self._trace)
