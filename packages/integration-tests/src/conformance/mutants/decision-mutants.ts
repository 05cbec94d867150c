import type { RawAnswer, RawRequest } from '../raw-server/change.ts';
import { answering, breaking, type Mutant, saying, withHeader } from './mutant.ts';

const always = () => true;
const has = (expected: number) => (answer: RawAnswer) => answer.status === expected;
const asks = (expected: string) => (_answer: RawAnswer, request: RawRequest) => request.method === expected;
const sends = (pattern: RegExp) => (_answer: RawAnswer, request: RawRequest) =>
  pattern.test(String(request.headers.authorization));
const isKeyless = ({ headers }: RawRequest) => headers.authorization === undefined;
const notFound = saying(404, 'Memory not found');
const invalid = saying(401, 'Invalid API key');

/** Decisions of the reference server: these servers follow the specification, but decide otherwise. */
export const decisionMutants: readonly Mutant[] = [
  ...breaking(['media-url-expiry'], {
    'media without a valid signature are not found': answering(
      ({ status }, { path }) => path.startsWith('/media/') && status === 403,
      { status: 404 },
    ),
  }),
  ...breaking(['stored-text-and-dates'], {
    'date-times have no milliseconds': {
      memory: (memory) => ({ ...memory, started_at: String(memory.started_at).replace('.000', '') }),
    },
    'date-times have an offset': {
      memory: (memory) => ({ ...memory, ended_at: String(memory.ended_at).replace('Z', '+00:00') }),
    },
  }),
  ...breaking(['ids-and-paths'], {
    'a malformed id is an unknown one': answering(has(422), notFound),
    'ids may have any length': answering((_answer, { path }) => path.length > 250, notFound),
    'a 422 has a list of details': answering(has(422), { body: { detail: [] } }),
  }),
  ...breaking(['order-of-checks'], {
    'an unknown path needs a key': answering(
      (_answer, request) => request.path === '/v1/nothing' && isKeyless(request),
      saying(401, 'Missing API key'),
    ),
    'a malformed id comes before the key': answering(
      (_answer, request) => request.path.includes('%zz') && isKeyless(request),
      saying(422, 'Malformed memory id'),
    ),
  }),
  ...breaking(['requests-that-only-look head'], { 'HEAD is a 405': answering(asks('HEAD'), { status: 405 }) }),
  ...breaking(['requests-that-only-look options'], {
    'OPTIONS is a 204': answering(asks('OPTIONS'), { status: 204, body: '' }),
    'a 405 allows nothing': answering(asks('OPTIONS'), withHeader('allow', '')),
  }),
  ...breaking(['requests-that-only-look query'], {
    'a query is refused': answering((_answer, { query }) => query.has('limit'), saying(422, 'Unknown parameter')),
  }),
  ...breaking(['requests-that-only-look slash'], {
    'a slash at the end is ignored': answering((_answer, { path }) => path === '/v1/memories/', {
      status: 200,
      body: [],
    }),
  }),
  ...breaking(['ordering'], {
    'ids of one time ascend': {
      list: (memories) =>
        memories.toSorted((one, other) =>
          one.started_at === other.started_at && String(one.id) < String(other.id) ? -1 : 0,
        ),
    },
  }),
  ...breaking(['paging'], {
    'the list has a Link to a next page': answering(
      (_answer, { isList }) => isList,
      withHeader('link', '</v1/memories?page=2>; rel="next"'),
    ),
  }),
  ...breaking(['api-keys two'], {
    'the first of two keys counts': { keys: (keys) => keys.slice(0, 1) },
    'two keys are too many, also when they are equal': answering(
      (_answer, request) => !isKeyless(request) && request.headers['x-api-key'] !== undefined,
      invalid,
    ),
  }),
  ...breaking(['api-keys empty'], {
    'an empty Bearer is a wrong key': answering(sends(/^Bearer$/), invalid),
    'Basic is a wrong key': answering(sends(/^Basic/), invalid),
  }),
  ...breaking(['api-keys case'], { 'Bearer must be written like that': answering(sends(/^bEARER/), invalid) }),
  ...breaking(['response-headers-and-caching request-id', 'response-headers-and-caching trace'], {
    'responses have no request id': answering(always, withHeader('x-request-id', '')),
  }),
  ...['text/json', 'text/plain', 'text/html', 'application/vnd.memories+json', ''].flatMap((type) =>
    breaking(['response-headers-and-caching content-type'], {
      [`JSON calls itself ${JSON.stringify(type)}`]: answering(
        (_answer, { path }) => !path.startsWith('/media/'),
        withHeader('content-type', type),
      ),
    }),
  ),
  ...breaking(['response-headers-and-caching nosniff'], {
    'only errors say nosniff': answering(has(200), withHeader('x-content-type-options', 'sniff')),
  }),
  ...breaking(['response-headers-and-caching cache'], {
    'a 404 may be kept': answering(has(404), withHeader('cache-control', 'max-age=60')),
  }),
  ...breaking(['response-headers-and-caching trace'], {
    'every response has a request id of its own': answering(always, withHeader('x-request-id', 'req_7')),
  }),
  ...breaking(['response-headers-and-caching bearer'], {
    'a 401 asks for Basic': answering(has(401), withHeader('www-authenticate', 'Basic')),
  }),
];
