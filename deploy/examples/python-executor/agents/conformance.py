"""Does what `tidemark conformance` asks for: see docs/reference/executor-protocol.md."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from executor.agent import (
    Json,
    Outputs,
    Turn,
    artifact,
    auth_required,
    completed,
    failed,
    input_required,
    rejected,
    text,
    text_of,
    working,
)


async def complete(turn: Turn) -> Outputs:
    yield working("working on it")
    yield artifact("result", [text("done")], last_chunk=True)
    yield completed("done")


async def echo(turn: Turn) -> Outputs:
    yield artifact("echo", turn.message["parts"], last_chunk=True)
    yield completed()


async def ask(turn: Turn) -> Outputs:
    yield input_required("What else?")


async def authorize(turn: Turn) -> Outputs:
    if turn.authorization is None:
        yield auth_required("May I?")
    elif turn.authorization["decision"] == "granted":
        yield completed("granted")
    else:
        yield rejected("denied")


async def ticks(turn: Turn, count: int = 10, every_ms: int = 100) -> Outputs:
    done = len(turn.artifacts["ticks"]["parts"]) if "ticks" in turn.artifacts else 0
    for tick in range(done + 1, count + 1):
        await turn.sleep(every_ms / 1000)
        yield artifact("ticks", [text(f"tick {tick}")], append=True)
    yield completed()


async def wait(turn: Turn) -> Outputs:
    async for message in turn.messages:
        yield input_required(f"heard {text_of(message)}")
        return


async def deaf(turn: Turn, for_ms: int = 500) -> Outputs:
    await turn.sleep(for_ms / 1000)
    yield input_required("What else?")


async def stubborn(turn: Turn) -> Outputs:
    yield working("nothing stops me")
    await asyncio.Event().wait()


async def fail(turn: Turn) -> Outputs:
    yield failed("I could not")


async def reject(turn: Turn) -> Outputs:
    yield rejected("I would not")


async def break_(turn: Turn) -> Outputs:
    raise RuntimeError("something broke")
    yield  # makes it a generator


BEHAVIOURS: dict[str, Callable[..., Outputs]] = {
    **{behaviour.__name__: behaviour for behaviour in (complete, echo, ask, authorize, ticks, wait, deaf)},
    **{"stubborn": stubborn, "fail": fail, "reject": reject, "break": break_},
}


class Conformance:
    """Does what the text of the newest message says."""

    profile: Json = {
        "id": "conformance",
        "name": "Conformance",
        "description": "Does exactly what it is told, so that its executor can be judged",
        "version": "1.0.0",
        "defaultInputModes": ["*/*"],
        "defaultOutputModes": ["*/*"],
        "skills": [{"id": "obey", "name": "Obey", "description": ", ".join(BEHAVIOURS), "tags": ["test"]}],
    }

    async def run(self, turn: Turn) -> Outputs:
        name, *numbers = text_of(turn.message).split(" ")
        behaviour = BEHAVIOURS.get(name)
        if behaviour is None:
            yield rejected(f"There is no behaviour {name}")
            return
        async for output in behaviour(turn, *map(int, numbers)):
            yield output


agent = Conformance()
