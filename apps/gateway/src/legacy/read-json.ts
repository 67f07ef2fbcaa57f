import { Message, type Part, StreamResponse, Task } from '@a2a-js/sdk';

// The JSON of 1.0 as the SDK has it. Its reader takes `data: null` for a part without content, which it then cannot
// write; every part of ours has a content, so one that was read without is that one.

export function readTask(json: unknown): Task {
  const task = Task.fromJSON(json);
  partsIn(task).forEach(fill);
  return task;
}

export function readMessage(json: unknown): Message {
  const message = Message.fromJSON(json);
  message.parts.forEach(fill);
  return message;
}

export function readStreamResponse(json: unknown): StreamResponse {
  const response = StreamResponse.fromJSON(json);
  for (const part of partsOf(response.payload)) fill(part);
  return response;
}

function partsOf(payload: StreamResponse['payload']): Part[] {
  if (!payload) return [];
  const { $case, value } = payload;
  if ($case === 'task') return partsIn(value);
  if ($case === 'message') return value.parts;
  const holder = $case === 'artifactUpdate' ? value.artifact : value.status?.message;
  return holder?.parts ?? [];
}

function partsIn({ history, artifacts, status }: Task): Part[] {
  return [...history, ...artifacts, ...(status?.message ? [status.message] : [])].flatMap(({ parts }) => parts);
}

function fill(part: Part): void {
  part.content ??= { $case: 'data', value: null };
}
