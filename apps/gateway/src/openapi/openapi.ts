import { EXTENSIONS_HEADER, PROTOCOL_VERSION } from '@tidemark/protocol';
import { type Route, ROUTES } from '../rest/routes';
import { components, jsonOf, parameterOf, responseOf, SERVICE_PARAMETERS } from './components';
import { DESCRIBED } from './operations';
import { type Fields, membersOf, schemaOf } from './schemas';

/** The OpenAPI document of HTTP+JSON: what `ROUTES` has, in the words of the schemas. */
export const openApi = (publicUrl: string): Fields => ({
  openapi: '3.1.0',
  info: {
    title: 'Tidemark',
    version: PROTOCOL_VERSION,
    description: 'The HTTP+JSON binding of A2A. Paths are below the URL of an agent, as its agent card says.',
    license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
  },
  servers: serversAt(publicUrl.replace(/\/+$/, '')),
  security: [{}, { bearer: [] }, { apiKey: [] }],
  paths: paths(),
  components: components(),
});

const serversAt = (url: string): Fields[] => [
  { url, description: 'The default agent' },
  {
    url: `${url}/agents/{agent}`,
    description: 'Any agent',
    variables: { agent: { default: 'trip-planner', description: 'Id of the agent' } },
  },
  {
    url: `${url}/{tenant}`,
    description: 'The agent of a tenant',
    variables: { tenant: { default: 'default', description: 'The `tenant` of the agent card' } },
  },
];

function paths(): Fields {
  return Object.fromEntries(Array.from(new Set(ROUTES.map(({ path }) => path)), (path) => [`/${path}`, itemAt(path)]));
}

function itemAt(path: string): Fields {
  const routes = ROUTES.filter((route) => route.path === path);
  return {
    parameters: [...namesIn(path).map(pathParameter), ...SERVICE_PARAMETERS],
    ...Object.fromEntries(routes.map((route) => [route.verb.toLowerCase(), operation(route)])),
  };
}

const namesIn = (path: string): string[] => Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = '']) => name);

const pathParameter = (name: string): Fields => ({
  ...{ name, in: 'path', required: true },
  schema: { type: 'string', minLength: 1, maxLength: 256 },
});

function operation(route: Route): Fields {
  const { summary, description, headers = [] } = DESCRIBED[route.method];
  const body = bodyOf(route);
  return {
    operationId: isSecond(route) ? `${route.method}By${route.verb}` : route.method,
    summary,
    ...(description && { description }),
    parameters: [...headers.map(parameterOf), ...queryOf(route)],
    ...(body && { requestBody: body }),
    responses: responsesOf(route),
  };
}

/** An operation that has two verbs needs two names. */
const isSecond = ({ method, verb }: Route): boolean => ROUTES.find((route) => route.method === method)?.verb !== verb;

function queryOf({ method, verb, path }: Route): Fields[] {
  const { members } = DESCRIBED[method];
  if (verb === 'POST' || !members) return [];
  const inQuery = Object.entries(membersOf(members, [...namesIn(path), 'tenant']));
  return inQuery.map(([name, schema]) => ({ name, in: 'query', schema }));
}

function bodyOf({ method, verb, path }: Route): Fields | undefined {
  const { body, members } = DESCRIBED[method];
  if (verb !== 'POST') return undefined;
  if (body) return { required: true, content: jsonOf(schemaOf(body)) };
  const properties = members ? membersOf(members, namesIn(path)) : {};
  return { required: false, content: jsonOf({ type: ['object', 'null'], properties }) };
}

function responsesOf({ method, verb }: Route): Fields {
  const refused = verb === 'POST' ? { 413: responseOf('TooLarge') } : {};
  return {
    200: resultOf(method),
    ...(method === 'SubscribeToTask' && verb === 'GET' && { 204: OVER }),
    400: responseOf('Invalid'),
    401: responseOf('Unauthenticated'),
    404: responseOf('NotFound'),
    ...refused,
    default: responseOf('Error'),
  };
}

const OVER: Fields = {
  description:
    'The task is over, and `last-event-id` is the id of its last event: an EventSource does not come again. ' +
    'By POST, or with the cursor in the query, the answer is a stream of one event.',
};

function resultOf(method: Route['method']): Fields {
  const { result, isStream } = DESCRIBED[method];
  const headers = { [EXTENSIONS_HEADER]: ECHO };
  if (!result) return { description: 'Done', headers, content: jsonOf({ type: 'object', maxProperties: 0 }) };
  if (!isStream) return { description: `The ${result}`, headers, content: jsonOf(schemaOf(result)) };
  const description =
    'Server-Sent Events. The data of each is one of these, its id is its position. ' +
    'What goes wrong on the way is an event `error`, whose data is an Error, and the last one.';
  return { description, headers, content: { 'text/event-stream': { schema: schemaOf(result) } } };
}

const ECHO = { description: 'The extensions that are active', schema: { type: 'string' } };
