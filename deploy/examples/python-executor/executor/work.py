"""Work items of the durable consumer, each to its acknowledgement."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass, field
from functools import partial

import nats.errors
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.js.client import JetStreamContext

from .agent import Agent, Json
from .live_task import LiveTask, follow
from .log import Corrupt, Ref, Unavailable, decode
from .setup import Settings, ensure_consumer, pull_from
from .task import TurnRunning, start_turn
from .turn import HandedOver, RunningTurn

logger = logging.getLogger("executor")

WAIT_S = 5.0
PAUSE_S = 0.25
BUSY_S = 0.5
MAX_BACKOFF_S = 30.0


@dataclass
class Worker:
    """Pulls work and runs turns until it is stopped."""

    client: Client
    agent: Agent
    settings: Settings
    _turns: set[RunningTurn] = field(default_factory=set)
    _items: dict[tuple[Ref, int], asyncio.Future[None]] = field(default_factory=dict)
    _jobs: set[asyncio.Task[None]] = field(default_factory=set)

    async def run(self, stop: asyncio.Event) -> None:
        pulling = asyncio.create_task(self._pull())
        await stop.wait()
        pulling.cancel()
        await asyncio.wait([pulling])
        for turn in self._turns:
            turn.stop("shutdown")
        if self._jobs:
            await asyncio.wait(self._jobs, timeout=self.settings.stop_s)

    async def _pull(self) -> None:
        while True:
            try:
                async with pull_from(self.client, self.settings.agent) as subscription:
                    while True:
                        await self._take_one(subscription)
            except nats.errors.Error as error:
                logger.warning("cannot pull: %s", error)
            await asyncio.sleep(PAUSE_S)
            await ensure_consumer(self.client, self.settings)

    async def _take_one(self, subscription: JetStreamContext.PullSubscription) -> None:
        if len(self._jobs) >= self.settings.concurrency:
            await asyncio.wait(self._jobs, return_when=asyncio.FIRST_COMPLETED)
        try:
            [msg] = await subscription.fetch(1, timeout=WAIT_S)
        except nats.errors.TimeoutError:
            return
        job = asyncio.create_task(self._work(msg))
        self._jobs.add(job)
        job.add_done_callback(self._jobs.discard)

    async def _work(self, msg: Msg) -> None:
        """Acknowledged when it is done (R17); kept alive meanwhile (R18)."""
        alive = asyncio.create_task(self._keep_alive(msg))
        try:
            await self._settle(msg)
        except nats.errors.Error as error:
            logger.warning("a work item could not be settled: %s", error)
        finally:
            alive.cancel()

    async def _settle(self, msg: Msg) -> None:
        try:
            await self._take(Ref.of(msg.subject), decode(msg.data))
            await msg.ack()
        except Corrupt as error:
            logger.error("gave up %s: %s", msg.subject, error)
            await msg.term()
        except HandedOver:
            await msg.nak()
        except TurnRunning:
            await msg.nak(BUSY_S)
        except Exception:
            logger.exception("a work item will be tried again")
            await msg.nak(min(0.1 * 2**msg.metadata.num_delivered, MAX_BACKOFF_S))

    async def _keep_alive(self, msg: Msg) -> None:
        while True:
            await asyncio.sleep(self.settings.ack_wait_s / 3)
            try:
                await msg.in_progress()
            except nats.errors.Error as error:
                logger.warning("a work item could not be kept alive: %s", error)

    async def _take(self, ref: Ref, event: Json) -> None:
        """An item that comes again while its turn runs here joins that turn."""
        item = (ref, event["version"])
        running = self._items.get(item)
        if running is None:
            running = asyncio.ensure_future(self._run(ref, event))
            self._items[item] = running
            running.add_done_callback(lambda _: self._items.pop(item, None))
        await asyncio.shield(running)

    async def _run(self, ref: Ref, event: Json) -> None:
        trace = event.get("trace")
        start = partial(start_turn, trigger=event["version"], max_attempts=self.settings.max_attempts)
        if any(other == ref for other, version in self._items if version != event["version"]):
            raise TurnRunning
        async with follow(self.client, ref, self.settings.executor_id) as live:
            started = await live.execute(start, trace)
            if started is None or started["type"] != "working":
                return
            turn = RunningTurn(live, self.agent, trace, self.settings.cancel_grace_s)
            self._turns.add(turn)
            repairing = asyncio.create_task(self._repair(live))
            try:
                await turn.run()
            finally:
                self._turns.discard(turn)
                repairing.cancel()

    async def _repair(self, live: LiveTask) -> None:
        """Live events are delivered at most once: now and then the log is asked."""
        while True:
            await asyncio.sleep(self.settings.ack_wait_s / 3)
            try:
                await live.catch_up()
            except Unavailable:
                continue
