import {
  AgentCard,
  ListTasksResponse,
  Message as SdkMessage,
  SendMessageRequest,
  StreamResponse,
  Task,
} from '@a2a-js/sdk';
import {
  type Artifact,
  Grown,
  type JsonObject,
  type Message,
  type Part,
  type Task as DomainTask,
} from '@tidemark/domain';
import fc from 'fast-check';
import { toAgentCard } from './agent-card';
import { parseAgentProfile } from './agent-profile';
import { parseEnvelope, success } from './envelope';
import { InvalidParamsError, ProtocolError } from './errors';
import { toListTasksResponse, toTaskFrame } from './responses';
import { parseSendMessage } from './send-message';
import type { LinkTo } from './wire-part';
import { toWireMessage, toWireTask } from './wire-task';

const linkTo: LinkTo = ({ agent, taskId }, sha256) => `https://a.test/${agent}/${taskId}/${sha256}`;

const json = fc
  .jsonValue({ maxDepth: 3 })
  .map((value) => JSON.parse(JSON.stringify(value)) as JsonObject)
  .filter((value) => !JSON.stringify(value).includes('__proto__'));
const object = json.map((value): JsonObject => ({ value }));

const word = fc.string({ minLength: 1, maxLength: 20 });
const words = fc.array(word, { minLength: 1, maxLength: 3 });
const text = fc.string({ unit: 'binary' });
const base64 = fc.uint8Array().map((bytes) => Buffer.from(bytes).toString('base64'));

const content = fc.oneof(
  fc.record({ text }),
  fc.record({ raw: base64 }),
  fc.record({ url: fc.webUrl() }),
  fc.record({ data: json }),
);

const about = fc.record({ metadata: object, filename: word, mediaType: word }, { requiredKeys: [] });
const part: fc.Arbitrary<Part> = fc.tuple(content, about).map(([what, rest]) => ({ ...what, ...rest }));
const parts = fc.array(part, { minLength: 1, maxLength: 4 });

/** As the log may have it. */
const stored = fc.record({
  sha256: fc.stringMatching(/^[0-9a-f]{64}$/),
  sizeBytes: fc.nat(),
  content: fc.constantFrom('raw', 'text', 'data'),
});
const storedPart: fc.Arbitrary<Part> = fc.tuple(stored, about).map(([what, rest]) => ({ stored: what, ...rest }));
const logged = fc.array(fc.oneof(part, storedPart), { minLength: 1, maxLength: 4 });

const messageFrom = (role: Message['role']): fc.Arbitrary<Message> =>
  fc.record(
    {
      ...{ messageId: word, role: fc.constant(role), parts },
      ...{ metadata: object, extensions: words, referenceTaskIds: words },
    },
    { requiredKeys: ['messageId', 'role', 'parts'], noNullPrototype: true },
  );

const artifact: fc.Arbitrary<Artifact> = fc.record(
  {
    ...{ artifactId: word, parts: logged.map((items) => Grown.of(items)) },
    ...{ name: word, description: word, metadata: object, extensions: words },
  },
  { requiredKeys: ['artifactId', 'parts'] },
);

const time = fc
  .date({ min: new Date('2020-01-01'), max: new Date('2040-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString());

const task: fc.Arbitrary<DomainTask> = fc
  .record({
    taskId: fc.uuid(),
    contextId: word,
    history: fc.array(fc.oneof(messageFrom('user'), messageFrom('agent')), { minLength: 1, maxLength: 4 }),
    artifacts: fc.array(artifact, { maxLength: 3 }),
    state: fc.constantFrom('submitted', 'working', 'input-required', 'completed', 'failed', 'canceled', 'rejected'),
    at: time,
    message: fc.option(messageFrom('agent'), { nil: undefined }),
  })
  .map(({ state, at, message, history, ...rest }) => ({
    ...{
      tenant: 'acme',
      agent: 'echo',
      owner: 'ann',
      createdAt: at,
      lastMessage: 1,
      cancelRequested: false,
      version: 1,
    },
    ...rest,
    status: { state, at, ...(message && { message }) },
    history: Grown.of(message ? [...history, message] : history),
  }));

const throughJson = (value: unknown) => JSON.parse(JSON.stringify(value)) as object;
const hasNullData = (value: unknown) => JSON.stringify(value).includes('"data":null');
const PLACE = { contextId: 'c-1', taskId: 't-1' };

describe('a message', () => {
  it('is the same after it was written, sent and parsed', () => {
    fc.assert(
      fc.property(messageFrom('user'), fc.integer({ min: 0, max: 9 }), (message, historyLength) => {
        const params = { message: toWireMessage(message, PLACE), configuration: { historyLength } };
        const body = JSON.stringify({ jsonrpc: '2.0', id: 'x', method: 'SendMessage', params });
        const request = parseSendMessage(parseEnvelope(Buffer.from(body)).params);
        const configuration = { historyLength, returnImmediately: false };
        expect(request).toStrictEqual({ message, ...PLACE, configuration });
      }),
    );
  });

  it('is the same when the published SDK sends it', () => {
    fc.assert(
      fc.property(messageFrom('user'), (message) => {
        fc.pre(!hasNullData(message));
        const sent = { tenant: '', message: SdkMessage.fromJSON(toWireMessage(message, PLACE)) };
        const params = SendMessageRequest.toJSON({ ...sent, configuration: undefined, metadata: undefined });
        expect(parseSendMessage(throughJson(params)).message).toStrictEqual(message);
      }),
    );
  });
});

describe('the published SDK', () => {
  it('reads a task and loses nothing of it', () => {
    fc.assert(
      fc.property(task, (given) => {
        fc.pre(!hasNullData(given));
        const wire = throughJson(toWireTask(given, { linkTo }));
        expect(Task.toJSON(Task.fromJSON(wire))).toEqual(wire);
      }),
    );
  });

  it('reads a frame and loses nothing of it', () => {
    fc.assert(
      fc.property(task, fc.nat(), (given, sequence) => {
        fc.pre(!hasNullData(given));
        const frame = throughJson(toTaskFrame({ task: given, position: { version: 1, sequence } }, { linkTo }));
        expect(StreamResponse.toJSON(StreamResponse.fromJSON(frame))).toEqual(frame);
      }),
    );
  });

  it('reads a list and loses nothing of it', () => {
    fc.assert(
      fc.property(fc.array(task, { minLength: 1, maxLength: 3 }), (tasks) => {
        const page = { tasks, totalSize: tasks.length, nextPageToken: 'p' };
        const list = throughJson(toListTasksResponse(page, { pageSize: 50, includeArtifacts: false }, linkTo));
        fc.pre(!hasNullData(list));
        expect(ListTasksResponse.toJSON(ListTasksResponse.fromJSON(list))).toEqual(list);
      }),
    );
  });

  it('reads an agent card and loses nothing of it', () => {
    const profile = parseAgentProfile({
      ...{ id: 'echo', name: 'Echo', description: 'Says it again', version: '1.2.3' },
      ...{ provider: { organization: 'Acme', url: 'https://acme.test' }, documentationUrl: 'https://acme.test/docs' },
      ...{ defaultInputModes: ['text/plain'], defaultOutputModes: ['text/plain'] },
      skills: [{ id: 'echo', name: 'Echo', description: 'd', tags: ['demo'], examples: ['hi'], inputModes: ['a/b'] }],
      extensions: [{ uri: 'urn:example:tone:v1', description: 'd', required: true, params: { tones: ['warm', 2] } }],
      extended: { description: 'More' },
    });
    const place = { publicUrl: 'https://gw.test', path: '/agents/echo', grpcAddress: 'gw.test:443', hasPush: true };
    const card = throughJson(toAgentCard(profile, { ...place, security: SECURITY }));
    expect(AgentCard.toJSON(AgentCard.fromJSON(card))).toEqual(card);
  });
});

const SECURITY = {
  securitySchemes: {
    bearer: { httpAuthSecurityScheme: { description: 'A token', scheme: 'Bearer', bearerFormat: 'JWT' } },
    oidc: { openIdConnectSecurityScheme: { openIdConnectUrl: 'https://id.test/.well-known/openid-configuration' } },
  },
  securityRequirements: [{ schemes: { oidc: { list: ['openid'] } } }],
};

describe('any input', () => {
  it('is parsed or refused with fields that are wrong, never anything else', () => {
    const messages = fc.record({ message: fc.object(), configuration: fc.jsonValue() }, { requiredKeys: [] });
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), messages), (params) => {
        try {
          parseSendMessage(params);
        } catch (error) {
          if (!(error instanceof InvalidParamsError)) throw error;
          for (const { description } of error.violations) expect(description).toMatch(/^(must|is required and must) /);
        }
      }),
    );
  });

  it('as a body is parsed or refused in the words of JSON-RPC', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.json(),
          json.map((id) => JSON.stringify(success(null, id))),
        ),
        (body) => {
          try {
            parseEnvelope(Buffer.from(body));
          } catch (error) {
            expect(error).toBeInstanceOf(ProtocolError);
          }
        },
      ),
    );
  });
});
