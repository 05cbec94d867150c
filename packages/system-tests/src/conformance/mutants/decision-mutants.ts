import type { RawAnswer, RawRequest } from '../raw-server/change.ts';
import { answering, type Mutant } from './mutant.ts';

const always = () => true;
const isUnauthorized = ({ status }: RawAnswer) => status === 401;
const isHead = (_answer: RawAnswer, { method }: RawRequest) => method === 'HEAD';
const isOptions = (_answer: RawAnswer, { method }: RawRequest) => method === 'OPTIONS';
const pathIs = (path: string) => (_answer: RawAnswer, request: RawRequest) => request.path === path;
const header = (name: string, value: string) => (answer: RawAnswer) => ({
  headers: { ...answer.headers, [name]: value },
});
const notFound = { status: 404, body: { detail: 'Memory not found' } };

/** What the reference server decided: servers that keep the specification and decide otherwise. */
export const decisionMutants: readonly Mutant[] = [
  {
    name: 'media without a valid signature are not found',
    red: ['media-url-expiry'],
    change: answering(({ status }, { path }) => path.startsWith('/media/') && status === 403, { status: 404 }),
  },
  {
    name: 'date-times have no milliseconds',
    red: ['stored-text-and-dates'],
    change: { memory: (memory) => ({ ...memory, started_at: String(memory.started_at).replace('.000', '') }) },
  },
  {
    name: 'date-times have an offset',
    red: ['stored-text-and-dates'],
    change: { memory: (memory) => ({ ...memory, ended_at: String(memory.ended_at).replace('Z', '+00:00') }) },
  },
  {
    name: 'a malformed id is an unknown one',
    red: ['ids-and-paths'],
    change: answering(({ status }) => status === 422, notFound),
  },
  {
    name: 'ids may have any length',
    red: ['ids-and-paths'],
    change: answering((_answer, { path }) => path.length > 250, notFound),
  },
  {
    name: 'a 422 has a list of details',
    red: ['ids-and-paths'],
    change: answering(({ status }) => status === 422, { body: { detail: [] } }),
  },
  {
    name: 'an unknown path needs a key',
    red: ['order-of-checks'],
    change: answering((_answer, { path, headers }) => path === '/v1/nothing' && headers.authorization === undefined, {
      status: 401,
      body: { detail: 'Missing API key' },
    }),
  },
  {
    name: 'a malformed id comes before the key',
    red: ['order-of-checks'],
    change: answering((_answer, { path, headers }) => path.includes('%zz') && headers.authorization === undefined, {
      status: 422,
      body: { detail: 'Malformed memory id' },
    }),
  },
  { name: 'HEAD is a 405', red: ['requests-that-only-look head'], change: answering(isHead, { status: 405 }) },
  {
    name: 'OPTIONS is a 204',
    red: ['requests-that-only-look options'],
    change: answering(isOptions, { status: 204, body: '' }),
  },
  {
    name: 'a 405 allows nothing',
    red: ['requests-that-only-look options'],
    change: answering(isOptions, header('allow', '')),
  },
  {
    name: 'a query is refused',
    red: ['requests-that-only-look query'],
    change: answering((_answer, { query }) => query.has('limit'), {
      status: 422,
      body: { detail: 'Unknown parameter' },
    }),
  },
  {
    name: 'a slash at the end is ignored',
    red: ['requests-that-only-look slash'],
    change: answering(pathIs('/v1/memories/'), { status: 200, body: [] }),
  },
  {
    name: 'ids of one time ascend',
    red: ['ordering'],
    change: {
      list: (memories) =>
        memories.toSorted((one, other) =>
          one.started_at === other.started_at && String(one.id) < String(other.id) ? -1 : 0,
        ),
    },
  },
  {
    name: 'the list has a Link to a next page',
    red: ['paging'],
    change: answering((_answer, { isList }) => isList, header('link', '</v1/memories?page=2>; rel="next"')),
  },
  { name: 'the first of two keys counts', red: ['api-keys two'], change: { keys: (keys) => keys.slice(0, 1) } },
  {
    name: 'two keys are too many, also when they are equal',
    red: ['api-keys two'],
    change: answering(
      (_answer, { headers }) => headers.authorization !== undefined && headers['x-api-key'] !== undefined,
      { status: 401, body: { detail: 'Invalid API key' } },
    ),
  },
  {
    name: 'an empty Bearer is a wrong key',
    red: ['api-keys empty'],
    change: answering((_answer, { headers }) => headers.authorization === 'Bearer', {
      body: { detail: 'Invalid API key' },
    }),
  },
  {
    name: 'Basic is a wrong key',
    red: ['api-keys empty'],
    change: answering((_answer, { headers }) => String(headers.authorization).startsWith('Basic'), {
      body: { detail: 'Invalid API key' },
    }),
  },
  {
    name: 'Bearer must be written like that',
    red: ['api-keys case'],
    change: answering((_answer, { headers }) => String(headers.authorization).startsWith('bEARER'), {
      status: 401,
      body: { detail: 'Invalid API key' },
    }),
  },
  {
    name: 'responses have no request id',
    red: ['response-headers-and-caching request-id', 'response-headers-and-caching trace'],
    change: answering(always, header('x-request-id', '')),
  },
  ...['text/json', 'text/plain', 'text/html', 'application/vnd.memories+json', ''].map((type) => ({
    name: `JSON calls itself ${JSON.stringify(type)}`,
    red: ['response-headers-and-caching content-type'],
    change: answering((_answer, { path }) => !path.startsWith('/media/'), header('content-type', type)),
  })),
  {
    name: 'only errors say nosniff',
    red: ['response-headers-and-caching nosniff'],
    change: answering(({ status }) => status === 200, header('x-content-type-options', 'sniff')),
  },
  {
    name: 'a 404 may be kept',
    red: ['response-headers-and-caching cache'],
    change: answering(({ status }) => status === 404, header('cache-control', 'max-age=60')),
  },
  {
    name: 'every response has a request id of its own',
    red: ['response-headers-and-caching trace'],
    change: answering(always, header('x-request-id', 'req_7')),
  },
  {
    name: 'a 401 asks for Basic',
    red: ['response-headers-and-caching bearer'],
    change: answering(isUnauthorized, header('www-authenticate', 'Basic')),
  },
];
