"""The stream TASK_EVENTS: append with an expected position, and read."""

from __future__ import annotations

import asyncio
import base64
import json
import time
from dataclasses import dataclass

import nats.errors
from nats.aio.client import Client
from nats.aio.msg import Msg

from .agent import Json

STREAM = "TASK_EVENTS"
CONFLICTS = {10071, 10164}
PATIENCE_S = 300
PAUSE_S = 0.1
TIMEOUT_S = 2.0
BATCH = 64
OVERHEAD_BYTES = 4_096
"""Room that subject and headers take of a message."""


class Conflict(Exception):
    """Another event of the task was stored first."""


class Corrupt(Exception):
    """What is no event, or a task whose first events are not there. Nothing can be done about it."""


class TooLarge(Exception):
    """The event does not fit into one message of the broker. Nothing was stored."""


class Unavailable(Exception):
    """The broker did not answer; what was asked for may have happened."""


@dataclass(frozen=True)
class Ref:
    tenant: str
    agent: str
    task_id: str

    @property
    def events(self) -> str:
        """Also the filter of every append: byte for byte the same for all writers (R5)."""
        return f"task.{self.tenant}.{self.agent}.{self.task_id}.>"

    @property
    def live(self) -> str:
        return f"live.{self.tenant}.{self.agent}.{self.task_id}.>"

    def subject(self, kind: str) -> str:
        return f"task.{self.tenant}.{self.agent}.{self.task_id}.{kind}"

    @staticmethod
    def of(subject: str) -> Ref:
        tokens = subject.split(".")
        if len(tokens) != 5:
            raise Corrupt(f"{subject} is not the subject of a task")
        return Ref(*tokens[1:4])


@dataclass(frozen=True)
class Stored:
    sequence: int
    event: Json


def decode(data: bytes) -> Json:
    """Whoever may publish may have published anything."""
    try:
        event = json.loads(data)
    except ValueError as error:
        raise Corrupt("not JSON") from error
    wanted = {"v": int, "version": int, "id": str, "type": str, "at": str}
    if not isinstance(event, dict) or not all(isinstance(event.get(name), kind) for name, kind in wanted.items()):
        raise Corrupt("not an event of format 1")
    return event


class Log:
    def __init__(self, client: Client) -> None:
        self._client = client

    async def append(self, ref: Ref, event: Json, expected: int) -> int:
        """Stores the event if the task's last one is at `expected`; its sequence. Of an unknown outcome the log knows."""
        deadline = time.monotonic() + PATIENCE_S
        while True:
            try:
                return await self._append_once(ref, event, expected)
            except (Conflict, Unavailable) as error:
                is_known, following = await self._following(ref, expected)
                if following and following.event["id"] == event["id"]:
                    return following.sequence
                if is_known and following:
                    raise Conflict from error
                if time.monotonic() > deadline:
                    raise
            await asyncio.sleep(PAUSE_S)

    async def after(self, ref: Ref, version: int, sequence: int) -> list[Stored]:
        """The events that follow, in order, up to the newest one."""
        head = await self._from_leader({"last_by_subj": ref.events})
        found: list[Stored] = []
        while head and version < head.event["version"]:
            count = min(BATCH, head.event["version"] - version)
            batch = await self._direct({"seq": sequence + 1, "next_by_subj": ref.events, "batch": count})
            for stored in batch:
                version += 1
                if stored.event["version"] != version:
                    raise Corrupt(f"event {version} of the task is not there")
                sequence = stored.sequence
                found.append(stored)
            if not batch:  # the replica that answered is behind
                await asyncio.sleep(PAUSE_S)
        return found

    async def _append_once(self, ref: Ref, event: Json, expected: int) -> int:
        headers = {
            "Nats-Expected-Last-Subject-Sequence": str(expected),
            "Nats-Expected-Last-Subject-Sequence-Subject": ref.events,
        }
        data = json.dumps(event, ensure_ascii=False).encode()
        limit = self._client.max_payload - OVERHEAD_BYTES
        if len(data) > limit:
            raise TooLarge(f"The event has {len(data)} bytes; the limit is {limit}")
        answer = json.loads((await self._request(ref.subject(event["type"]), data, headers)).data)
        error = answer.get("error")
        if error is None:
            return int(answer["seq"])
        if error["err_code"] in CONFLICTS:
            raise Conflict
        if error["code"] == 503:
            raise Unavailable(error["description"])
        raise RuntimeError(f"The log refused an event: {error['description']}")

    async def _following(self, ref: Ref, sequence: int) -> tuple[bool, Stored | None]:
        try:
            return True, await self._from_leader({"seq": sequence + 1, "next_by_subj": ref.events})
        except Unavailable:
            return False, None

    async def _from_leader(self, query: Json) -> Stored | None:
        answer = json.loads((await self._request(f"$JS.API.STREAM.MSG.GET.{STREAM}", json.dumps(query).encode())).data)
        if "message" in answer:
            return Stored(answer["message"]["seq"], decode(base64.b64decode(answer["message"]["data"])))
        if answer.get("error", {}).get("code") == 404:
            return None
        raise Unavailable(str(answer.get("error")))

    async def _direct(self, query: Json) -> list[Stored]:
        inbox = self._client.new_inbox()
        subscription = await self._client.subscribe(inbox)
        found: list[Stored] = []
        try:
            await self._client.publish(f"$JS.API.DIRECT.GET.{STREAM}", json.dumps(query).encode(), inbox)
            while True:
                msg = await subscription.next_msg(TIMEOUT_S)
                headers = msg.headers or {}
                if "Status" in headers:
                    return found
                found.append(Stored(int(headers["Nats-Sequence"]), decode(msg.data)))
        except nats.errors.Error as error:
            raise Unavailable(str(error)) from error
        finally:
            await subscription.unsubscribe()

    async def _request(self, subject: str, data: bytes, headers: dict[str, str] | None = None) -> Msg:
        try:
            return await self._client.request(subject, data, TIMEOUT_S, headers=headers)
        except nats.errors.Error as error:
            raise Unavailable(str(error) or type(error).__name__) from error
