import * as fc from 'fast-check';
import type { ParityCase } from './parity-case.ts';
import { accounts, keys } from './world.ts';

const methods = fc.oneof(
  { weight: 8, arbitrary: fc.constant('GET') },
  { weight: 2, arbitrary: fc.constant('HEAD') },
  { weight: 2, arbitrary: fc.constantFrom('POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'QUERY') },
);

const knownIds = Object.values(accounts).flatMap((memories) => memories.map(({ id }) => encodeURIComponent(id)));
const oddities = ['', '.', '..', '%2e%2E', '...', '%', '%zz', '%00', '%7f', '%ff', '%2F', '%5c', '+', ';', '*', 'V1'];
const words = ['v1', 'v1', 'memories', 'memories', 'media', 'mem_of_one', 'x'.repeat(256), 'x'.repeat(257)];
const segment = fc.oneof(
  fc.constantFrom(...oddities, ...words),
  { weight: 3, arbitrary: fc.constantFrom(...knownIds, 'mem_of_one', 'mem_of_one') },
  fc.string({ unit: 'grapheme', maxLength: 12 }).map(encodeURIComponent),
  fc.stringMatching(/^(%[0-9a-fA-F]{2}|[a-z]){1,6}$/),
);
const query = fc.oneof(
  { weight: 4, arbitrary: fc.constant('') },
  { weight: 1, arbitrary: fc.constantFrom('?', '?limit=1', '?%zz', '?/v1/memories', '#part', '?a=1#b?c') },
  { weight: 1, arbitrary: fc.webQueryParameters().map((parameters) => `?${parameters}`) },
);
const malformedIds = ['%', '%zz', '%00', '%7f', '%ff', 'a%c2%85', 'x'.repeat(257)];
const path = fc.oneof(
  { weight: 2, arbitrary: fc.constantFrom(...malformedIds).map((id) => `/v1/memories/${id}`) },
  { weight: 3, arbitrary: fc.constant('/v1/memories') },
  { weight: 6, arbitrary: segment.map((id) => `/v1/memories/${id}`) },
  { weight: 3, arbitrary: fc.array(segment, { minLength: 1, maxLength: 5 }).map((parts) => `/${parts.join('/')}`) },
);

type Header = readonly [name: string, value: string];
const goodKey = fc.constantFrom('key-of-gallery', 'key-of-gallery', 'key-of-one', 'key-of-none');
const key = fc.constantFrom(...Object.keys(keys), 'key-of-nobody', 'KEY-OF-ONE', '');
const schemes = ['Bearer ', 'Bearer ', 'Bearer ', 'bearer\t', 'BEARER  ', 'Bearer', 'Basic ', 'BearerX ', ''];
const authorization = fc.tuple(fc.constantFrom(...schemes), key).map((parts) => parts.join(''));
const headersOf = (values: Record<string, fc.Arbitrary<string>>, requiredKeys: string[] = []) =>
  fc.record(values, { requiredKeys }).map((headers): Header[] => Object.entries(headers));
const credentials = fc.oneof(
  { weight: 3, arbitrary: goodKey.map((value): Header[] => [['X-API-Key', value]]) },
  { weight: 3, arbitrary: goodKey.map((value): Header[] => [['Authorization', `Bearer ${value}`]]) },
  { weight: 6, arbitrary: headersOf({ AUTHORIZATION: authorization, 'x-api-key': key }) },
  { weight: 1, arbitrary: goodKey.map((value): Header[] => Array(2).fill(['X-API-Key', value])) },
);

const range = fc.oneof(
  fc.tuple(fc.nat(20_000), fc.nat(20_000)).map(([start, end]) => `bytes=${start}-${end}`),
  fc.nat(20_000).map((start) => `bytes=${start}-`),
  fc.nat(20_000).map((length) => `bytes=-${length}`),
  fc.constantFrom('bytes=0-0,2-3', 'bytes=-', 'bytes=', 'items=0-3', 'Bytes=1-2', 'bytes=a-b'),
);
const tag = fc.constantFrom('{etag of audio}', 'W/{etag of audio}', '"another"', '*', '"another", {etag of audio}');
const conditions = fc.oneof(
  headersOf({ range }, ['range']),
  headersOf({ range, 'if-range': tag, 'if-match': tag, 'if-none-match': tag }),
);

const others = headersOf({
  accept: fc.constantFrom('text/html', '*/*'),
  'x-request-id': fc.oneof(fc.constantFrom('trace-1', 'two words', 'mrk_abc'), fc.stringMatching(/^[!-~]{1,20}$/)),
  'x-user-id': fc.constant('user_1'),
});

const apiCase = fc
  .tuple(methods, path, query, credentials, conditions, others)
  .map(([method, start, end, ...headers]) => ({ method, path: start + end, headers: headers.flat() }));

const mediaCase = fc.record({
  method: methods,
  path: fc
    .tuple(fc.constant('{audio of otherMediaTypes}'), fc.constantFrom('', '', '', '', '&a=1', '#t=1', '&'))
    .map((parts) => parts.join('')),
  headers: fc.tuple(conditions, others).map((headers) => headers.flat()),
  replace: fc.option(fc.constantFrom(['edge/', './edge/'], ['mp3', 'mp4'], ['type', 'kind']), {
    nil: undefined,
    freq: 1,
  }),
  afterSeconds: fc.constantFrom(undefined, undefined, 3_600, 3_600.5, -60, -61),
});

/** Any request out of the words that the named ones are made of. */
export const randomCase: fc.Arbitrary<ParityCase> = fc
  .oneof({ weight: 3, arbitrary: apiCase }, { weight: 1, arbitrary: mediaCase })
  .map((parityCase) => ({ title: 'a random request', ...parityCase }));
