import { EXTENSIONS_HEADER, LIMITS, VERSION_HEADER, VERSION_QUERY } from '@tidemark/protocol';
import { A2A_TYPE, JSON_TYPE } from '../http/media-types';
import { documentSchemas, type Fields, schemaOf } from './schemas';

export const parameterOf = (name: string): Fields => ({ $ref: `#/components/parameters/${name}` });
export const responseOf = (name: string): Fields => ({ $ref: `#/components/responses/${name}` });

/** A JSON body, under both of its media types. */
export const jsonOf = (schema: Fields): Fields => ({ [A2A_TYPE]: { schema }, [JSON_TYPE]: { schema } });

const POSITION = { type: 'string', pattern: String.raw`^\d+-\d+$`, examples: ['7-1042'] };

/** Parameters of every operation. */
export const SERVICE_PARAMETERS = ['VersionHeader', 'VersionQuery', 'Extensions'].map(parameterOf);

const parameters = {
  VersionHeader: {
    ...{ name: VERSION_HEADER, in: 'header', schema: { type: 'string', examples: ['1.0'] } },
    description: 'Version of A2A that the client speaks; 1.0 where it is not said',
  },
  VersionQuery: {
    ...{ name: VERSION_QUERY, in: 'query', schema: { type: 'string' } },
    description: 'The same, for clients that cannot set headers',
  },
  Extensions: {
    ...{ name: EXTENSIONS_HEADER, in: 'header', schema: { type: 'string' } },
    description: 'URIs of the extensions that the client wants, with commas between them',
  },
  IdempotencyKey: {
    ...{ name: 'idempotency-key', in: 'header' },
    schema: { type: 'string', maxLength: LIMITS.idempotencyKeyLength },
    description: 'The same key makes one task, however often the message is sent',
  },
  LastEventIdHeader: {
    ...{ name: 'last-event-id', in: 'header', schema: POSITION },
    description: "Cursor: the id of the last event that was seen. A browser's EventSource sends it by itself",
  },
  LastEventIdQuery: {
    ...{ name: 'lastEventId', in: 'query', schema: POSITION },
    description: 'The same, for the first request of an EventSource; the header wins',
  },
};

const error = (description: string): Fields => ({ description, content: jsonOf(schemaOf('Error')) });

const responses = {
  Invalid: error('The request, or the state of the task, does not allow it: `details` says why'),
  Unauthenticated: error('The caller is not known'),
  NotFound: error("There is no such task, or it is not the caller's, or there is no such path"),
  TooLarge: error('The body is too large'),
  Error: error('Any other error'),
};

const securitySchemes = {
  bearer: { type: 'http', scheme: 'bearer', description: 'As the agent card says' },
  apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'As the agent card says' },
};

export const components = (): Fields => ({ schemas: documentSchemas(), parameters, responses, securitySchemes });
