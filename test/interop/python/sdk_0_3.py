"""The published client for Python, of A2A 0.3, as agents use it that were never brought up to 1.0."""

import grpc
import httpx
from a2a.client import ClientConfig, ClientFactory
from a2a.client.card_resolver import A2ACardResolver
from a2a.client.errors import A2AClientHTTPError, A2AClientJSONRPCError
from a2a.types import Message, Part, Role, TaskIdParams, TaskQueryParams, TextPart
from seen import Event, Task, joined

TIMEOUT_SECONDS = 30
RPC_REFUSALS = {-32001: 'not found', -32002: 'not cancelable'}


async def connect(url, binding, version):
    http = httpx.AsyncClient(timeout=TIMEOUT_SECONDS)
    card = await A2ACardResolver(http, url).get_agent_card()
    return Sdk(client_of(card, binding, http, streaming=False), client_of(card, binding, http, streaming=True))


def client_of(card, binding, http, *, streaming):
    config = ClientConfig(
        streaming=streaming,
        httpx_client=http,
        supported_transports=[binding],
        grpc_channel_factory=grpc.aio.insecure_channel,
    )
    return ClientFactory(config).create(card)


class Sdk:
    """One client waits for a whole task, the other one for each event."""

    def __init__(self, asking, streaming):
        self.asking = asking
        self.streaming = streaming

    async def send(self, message_id, task_id=None):
        answers = [answer async for answer in self.asking.send_message(message_of(message_id, task_id))]
        task, _ = answers[-1]
        return to_task(task)

    async def stream(self, message_id):
        async for task, update in self.streaming.send_message(message_of(message_id)):
            yield to_event(task, update)

    async def subscribe(self, task_id):
        async for task, update in self.streaming.resubscribe(TaskIdParams(id=task_id)):
            yield to_event(task, update)

    async def get(self, task_id):
        return to_task(await self.asking.get_task(TaskQueryParams(id=task_id)))

    async def cancel(self, task_id):
        return to_task(await self.asking.cancel_task(TaskIdParams(id=task_id)))

    def refusal_in(self, error):
        """This SDK has no errors of its own for what is refused, so the binding's tell."""
        if isinstance(error, A2AClientJSONRPCError):
            return RPC_REFUSALS.get(error.error.code, repr(error))
        if isinstance(error, A2AClientHTTPError) and 400 <= error.status_code < 500:
            return 'not found' if error.status_code == 404 else 'not cancelable'
        if isinstance(error, grpc.aio.AioRpcError):
            codes = {grpc.StatusCode.NOT_FOUND: 'not found', grpc.StatusCode.FAILED_PRECONDITION: 'not cancelable'}
            return codes.get(error.code(), repr(error))
        return repr(error)


def message_of(message_id, task_id=None):
    parts = [Part(root=TextPart(text='interoperate'))]
    return Message(message_id=message_id, task_id=task_id, role=Role.user, parts=parts)


def to_task(task):
    return Task(
        id=task.id,
        context_id=task.context_id,
        state=task.status.state.value,
        said=text_of(task.status.message.parts) if task.status.message else '',
        artifacts=[text_of(artifact.parts) for artifact in task.artifacts or []],
    )


def to_event(task, update):
    if update is None:
        return Event('task', id=task.id, state=task.status.state.value)
    if update.kind == 'status-update':
        return Event('status', id=task.id, state=update.status.state.value)
    return Event('artifact', id=task.id, text=text_of(update.artifact.parts))


def text_of(parts):
    return joined(getattr(part.root, 'text', '') for part in parts)
