"""Tasks and events as the cases see them, whatever the SDK calls them."""

from dataclasses import dataclass, field


@dataclass
class Task:
    id: str
    context_id: str
    state: str
    said: str
    artifacts: list[str]


@dataclass
class Event:
    kind: str
    id: str = ''
    state: str = ''
    text: str = ''


def joined(texts):
    return ''.join(text or '' for text in texts)
