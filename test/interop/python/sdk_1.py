"""The published client for Python, of A2A 1.0; it speaks 0.3 as well."""

import grpc
import httpx
from a2a.client import ClientConfig, ClientFactory
from a2a.client.card_resolver import A2ACardResolver
from a2a.types import a2a_pb2 as a2a
from a2a.utils.errors import MethodNotFoundError, TaskNotCancelableError, TaskNotFoundError
from seen import Event, Task, joined

TIMEOUT_SECONDS = 30


async def connect(url, binding, version):
    http = httpx.AsyncClient(timeout=TIMEOUT_SECONDS, headers={'A2A-Version': version})
    card = await A2ACardResolver(http, url).get_agent_card()
    wanted = [i for i in card.supported_interfaces if i.protocol_binding == binding and i.protocol_version.startswith(version)]
    del card.supported_interfaces[:]
    card.supported_interfaces.extend(wanted)
    return Sdk(client_of(card, binding, http, streaming=False), client_of(card, binding, http, streaming=True))


def client_of(card, binding, http, *, streaming):
    config = ClientConfig(
        streaming=streaming,
        httpx_client=http,
        supported_protocol_bindings=[binding],
        grpc_channel_factory=grpc.aio.insecure_channel,
    )
    return ClientFactory(config).create(card)


class Sdk:
    """One client waits for a whole task, the other one for each event."""

    def __init__(self, asking, streaming):
        self.asking = asking
        self.streaming = streaming

    async def send(self, message_id, task_id=''):
        responses = [response async for response in self.asking.send_message(request_of(message_id, task_id))]
        return to_task(responses[-1].task)

    async def stream(self, message_id):
        async for response in self.streaming.send_message(request_of(message_id)):
            yield to_event(response)

    async def subscribe(self, task_id):
        async for response in self.streaming.subscribe(a2a.SubscribeToTaskRequest(id=task_id)):
            yield to_event(response)

    async def get(self, task_id):
        return to_task(await self.asking.get_task(a2a.GetTaskRequest(id=task_id)))

    async def list(self, context_id):
        response = await self.asking.list_tasks(a2a.ListTasksRequest(context_id=context_id))
        return [to_task(task) for task in response.tasks]

    async def cancel(self, task_id):
        return to_task(await self.asking.cancel_task(a2a.CancelTaskRequest(id=task_id)))

    def refusal_in(self, error):
        """In 0.3 this SDK knows the errors of Python servers only; of others it tells the status, in REST 404 as another."""
        if isinstance(error, (TaskNotFoundError, MethodNotFoundError)) or 'NOT_FOUND' in str(error):
            return 'not found'
        refusals = ('HTTP Error 400', 'FAILED_PRECONDITION')
        is_refused = isinstance(error, TaskNotCancelableError) or any(words in str(error) for words in refusals)
        return 'not cancelable' if is_refused else repr(error)


def request_of(message_id, task_id=''):
    message = a2a.Message(
        message_id=message_id, task_id=task_id, role=a2a.Role.ROLE_USER, parts=[a2a.Part(text='interoperate')]
    )
    return a2a.SendMessageRequest(message=message)


def to_task(task):
    return Task(
        id=task.id,
        context_id=task.context_id,
        state=state_of(task.status),
        said=joined(part.text for part in task.status.message.parts),
        artifacts=[joined(part.text for part in artifact.parts) for artifact in task.artifacts],
    )


def to_event(response):
    kind = response.WhichOneof('payload')
    if kind == 'task':
        return Event('task', id=response.task.id, state=state_of(response.task.status))
    if kind == 'status_update':
        return Event('status', id=response.status_update.task_id, state=state_of(response.status_update.status))
    update = response.artifact_update
    return Event('artifact', id=update.task_id, text=joined(part.text for part in update.artifact.parts))


def state_of(status):
    return a2a.TaskState.Name(status.state).removeprefix('TASK_STATE_').lower().replace('_', '-')
