"""python -m executor <module>: hosts the agent of a module until a signal comes."""

from __future__ import annotations

import asyncio
import importlib
import logging
import signal
import sys

import nats

from .agent import Agent
from .setup import Settings, announce, ensure_consumer
from .work import Worker


async def main(agent: Agent) -> None:
    settings = Settings.of(agent)
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    client = await nats.connect(
        settings.nats_url,
        name=f"executor-{settings.agent}",
        max_reconnect_attempts=-1,
        reconnect_time_wait=0.25,
    )
    try:
        await ensure_consumer(client, settings)
        await announce(client, agent)
        logging.info("%s hosts %s", settings.executor_id, settings.agent)
        await Worker(client, agent, settings).run(stop)
        await client.flush()
    finally:
        await client.close()


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit("python -m executor <module>, for example agents.greeter")
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s")
    asyncio.run(main(importlib.import_module(sys.argv[1]).agent))
