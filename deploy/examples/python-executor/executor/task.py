"""What the events of a task fold into, as far as an executor has to know, and the rules about turns. Pure."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone

from .agent import Json

TERMINAL = {"completed", "failed", "canceled", "rejected"}
INTERRUPTED = {"input-required", "auth-required"}


class TurnRunning(Exception):
    """Another turn runs on the task: the work has to wait."""


class Superseded(Exception):
    """Another turn runs, or the task is over: this turn may say nothing any more."""


@dataclass
class CurrentTurn:
    number: int
    attempt: int
    trigger: int
    seen: int
    is_handed_over: bool = False


@dataclass
class Task:
    version: int = 0
    state: str = ""
    at: str = ""
    history: list[Json] = field(default_factory=list)
    artifacts: dict[str, Json] = field(default_factory=dict)
    turn: CurrentTurn | None = None
    last_message: int = 0
    is_cancel_requested: bool = False
    authorization: Json | None = None

    def apply(self, event: Json) -> None:
        """An event of a kind that is not known here counts as a version, and that is all."""
        self.version = event["version"]
        match event["type"]:
            case "submitted" | "message" | "auth-decided" as kind:
                self._take_on(kind, event)
            case "working":
                self._work(event)
            case "artifact":
                self._produce(event)
            case "cancel-requested":
                self.is_cancel_requested = True
            case state if state in TERMINAL | INTERRUPTED:
                self._settle(event)

    def _take_on(self, kind: str, event: Json) -> None:
        self.last_message = event["version"]
        if kind == "auth-decided":
            self.authorization = event
        else:
            self.history.append(event["message"])
        if kind == "submitted" or self.state in INTERRUPTED:
            self.state, self.at = "submitted", event["at"]

    def _work(self, event: Json) -> None:
        if "trigger" in event:
            attempt = 1
            if self.state == "working" and self.turn:
                attempt = self.turn.attempt + (0 if self.turn.is_handed_over else 1)
            self.turn = CurrentTurn(event["turn"], attempt, event["trigger"], event["version"] - 1)
        elif self.turn and event.get("handedOver"):
            self.turn.is_handed_over = True
        self._set_status(event)

    def _produce(self, event: Json) -> None:
        made = event["artifact"]
        known = self.artifacts.get(made["artifactId"])
        parts = [*known["parts"], *made["parts"]] if known and event.get("append") else made["parts"]
        self.artifacts[made["artifactId"]] = {**made, "parts": parts}

    def _settle(self, event: Json) -> None:
        if event["type"] in INTERRUPTED:
            self.authorization = None
        if self.turn and "seen" in event:
            self.turn.seen = event["seen"]
        self._set_status(event)

    def _set_status(self, event: Json) -> None:
        self.state, self.at = event["type"], event["at"]
        if "message" in event:
            self.history.append(event["message"])


def start_turn(task: Task, trigger: int, max_attempts: int) -> Json | None:
    """What the work item of the event with this version leads to (R3, R15, R19, R21, R23); None for nothing."""
    if task.state in TERMINAL:
        return None
    running = task.turn if task.state == "working" else None
    if running and running.trigger != trigger:
        if trigger <= running.seen:
            return None
        raise TurnRunning
    if not running and task.last_message <= (task.turn.seen if task.turn else 0):
        return None
    if task.is_cancel_requested:
        return {"type": "canceled"}
    if running and running.attempt >= max_attempts and not running.is_handed_over:
        words = f"Gave up after {running.attempt} attempts"
        return {"type": "failed", "cause": "attempts", "turn": running.number, "seen": running.seen, "says": words}
    return {"type": "working", "turn": task.turn.number + 1 if task.turn else 1, "trigger": trigger}


def report(task: Task, turn: int, seen: int, output: Json) -> Json:
    """What an agent says, as the log takes it. The fence (R22): only the current turn may speak."""
    if task.state != "working" or not task.turn or task.turn.number != turn:
        raise Superseded
    if output["type"] in ("working", "artifact"):
        return {**output, "turn": turn}
    return {**output, "turn": turn, "seen": max(seen, task.turn.seen)}


def cancel(task: Task) -> Json:
    if task.state in TERMINAL:
        raise Superseded
    return {"type": "canceled"}


def time_after(task: Task) -> str:
    """Now, and later than the last status whatever the clocks of other writers say."""
    now = _iso(datetime.now(timezone.utc))
    if now > task.at:
        return now
    return _iso(datetime.fromisoformat(task.at.replace("Z", "+00:00")) + timedelta(milliseconds=1))


def _iso(moment: datetime) -> str:
    return moment.strftime("%Y-%m-%dT%H:%M:%S.") + f"{moment.microsecond // 1000:03d}Z"
