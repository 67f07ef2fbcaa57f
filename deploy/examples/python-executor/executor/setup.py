"""Settings, the announcement, and the durable consumer."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from uuid import uuid4

import nats.errors
import nats.js.errors
from nats.aio.client import Client
from nats.js.api import AckPolicy, ConsumerConfig, DeliverPolicy, KeyValueConfig
from nats.js.client import JetStreamContext

from .agent import Agent
from .log import STREAM

logger = logging.getLogger("executor")

BUCKET = "AGENTS"
PAUSE_S = 0.5


@dataclass(frozen=True)
class Settings:
    nats_url: str
    executor_id: str
    agent: str
    ack_wait_s: float
    cancel_grace_s: float
    max_attempts: int
    concurrency: int
    stop_s: float = 10.0

    @staticmethod
    def of(agent: Agent) -> Settings:
        return Settings(
            nats_url=os.environ.get("NATS_URL") or "nats://127.0.0.1:4222",
            executor_id=os.environ.get("EXECUTOR_ID") or f"{socket.gethostname()}-{uuid4().hex[:8]}",
            agent=agent.profile["id"],
            ack_wait_s=_number("ACK_WAIT_MS", 30_000) / 1000,
            cancel_grace_s=_number("CANCEL_GRACE_MS", 5_000) / 1000,
            max_attempts=_number("MAX_ATTEMPTS", 5),
            concurrency=_number("CONCURRENCY", 64),
        )


def _number(name: str, default: int) -> int:
    text = os.environ.get(name) or str(default)
    if not text.isdigit():
        raise SystemExit(f"{name}: must be a whole number, and is {text!r}")
    return int(text)


async def announce(client: Client, agent: Agent) -> None:
    """R1"""
    js = client.jetstream()
    try:
        bucket = await js.key_value(BUCKET)
    except nats.js.errors.NotFoundError:
        bucket = await js.create_key_value(KeyValueConfig(bucket=BUCKET, history=1))
    await bucket.put(agent.profile["id"], json.dumps(agent.profile).encode())


async def ensure_consumer(client: Client, settings: Settings) -> None:
    """R2. Where the log is not there yet, it waits for the one that makes it."""
    config = ConsumerConfig(
        durable_name=f"executor-{settings.agent}",
        filter_subjects=[f"task.*.{settings.agent}.*.{kind}" for kind in ("submitted", "message", "auth-decided")],
        ack_policy=AckPolicy.EXPLICIT,
        deliver_policy=DeliverPolicy.ALL,
        ack_wait=settings.ack_wait_s,
        max_deliver=-1,
        max_ack_pending=65_536,
    )
    while True:
        try:
            await client.jetstream().add_consumer(STREAM, config)
            return
        except nats.errors.Error as error:
            logger.warning("there is no consumer yet: %s", error)
        await asyncio.sleep(PAUSE_S)


@asynccontextmanager
async def pull_from(client: Client, agent: str) -> AsyncIterator[JetStreamContext.PullSubscription]:
    """Nothing is sent to it any more once it is left, so that no work waits for somebody who has gone."""
    js = client.jetstream()
    subscription = await js.pull_subscribe_bind(consumer=f"executor-{agent}", stream=STREAM)
    try:
        yield subscription
    finally:
        await subscription.unsubscribe()
