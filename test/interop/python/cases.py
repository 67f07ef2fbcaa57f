"""What a client of any binding and any version has to be able to do. The clients in the other languages have the same.

Run as a program it prints a line of JSON for each case: python cases.py SDK URL BINDING VERSION [CASE...]
"""

import asyncio
import importlib
import json
import sys
import uuid


def id_for(wish):
    """The agent does what the beginning of an id says; the rest makes it the id of one message."""
    return f'{wish}-{uuid.uuid4()}'


async def send(sdk):
    task = await sdk.send(id_for('tck-complete-task'))
    expect((task.state, task.said), ('completed', 'Hello from TCK'))


async def stream(sdk):
    events = [event async for event in sdk.stream(id_for('tck-stream-001'))]
    expect(events[0].kind, 'task')
    expect([event.text for event in events if event.kind == 'artifact'], ['Stream hello from TCK'])
    expect(events[-1].state, 'completed')


async def get(sdk):
    sent = await sdk.send(id_for('tck-complete-task'))
    found = await sdk.get(sent.id)
    expect((found.id, found.context_id, found.state), (sent.id, sent.context_id, 'completed'))


async def list_(sdk):
    sent = await sdk.send(id_for('tck-complete-task'))
    expect([task.id for task in await sdk.list(sent.context_id)], [sent.id])


async def cancel(sdk):
    sent = await sdk.send(id_for('tck-input-required'))
    expect((await sdk.cancel(sent.id)).state, 'canceled')
    expect((await sdk.get(sent.id)).state, 'canceled')


async def conversation(sdk):
    asked = await sdk.send(id_for('tck-input-required'))
    expect(asked.state, 'input-required')
    done = await sdk.send(id_for('tck-complete-task'), asked.id)
    expect((done.id, done.state), (asked.id, 'completed'))


async def artifacts(sdk):
    sent = await sdk.send(id_for('tck-stream-artifact-chunked'))
    expect(sent.artifacts, ['chunk-1 chunk-2'])
    expect((await sdk.get(sent.id)).artifacts, sent.artifacts)


async def errors(sdk):
    expect(await refusal_of(sdk, sdk.get(str(uuid.uuid4()))), 'not found')
    sent = await sdk.send(id_for('tck-complete-task'))
    expect(await refusal_of(sdk, sdk.cancel(sent.id)), 'not cancelable')


async def resubscribe(sdk):
    started = sdk.stream(id_for('test-resubscribe-message-id'))
    first = await anext(started)
    await started.aclose()
    events = [event async for event in sdk.subscribe(first.id)]
    expect((events[0].kind, events[0].id), ('task', first.id))
    expect(events[-1].state, 'completed')


CASES = {
    'send': send,
    'stream': stream,
    'get': get,
    'list': list_,
    'cancel': cancel,
    'conversation': conversation,
    'artifacts': artifacts,
    'errors': errors,
    'resubscribe': resubscribe,
}


def expect(got, wanted):
    if got != wanted:
        raise AssertionError(f'got {got}, wanted {wanted}')


async def refusal_of(sdk, call):
    try:
        await call
    except Exception as error:  # noqa: BLE001 - which one it is, is what is asked
        return sdk.refusal_in(error)
    return 'nothing was refused'


async def main(sdk_name, url, binding, version, *names):
    sdk = await importlib.import_module(sdk_name).connect(url, binding, version)
    for name in names:
        try:
            await CASES[name](sdk)
            result = {'case': name, 'passed': True}
        except Exception as error:  # noqa: BLE001 - one case must not keep the next from running
            result = {'case': name, 'passed': False, 'detail': f'{type(error).__name__}: {error}'}
        print(json.dumps(result), flush=True)


if __name__ == '__main__':
    asyncio.run(main(*sys.argv[1:]))
