import type { ParityCase } from '../parity-case.ts';

const methods = ['HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'QUERY', 'LINK'];

const targets = [
  ['the list', '/v1/memories'],
  ['a memory', '/v1/memories/mem_of_one'],
  ['an unknown memory', '/v1/memories/unknown'],
  ['a malformed id', '/v1/memories/%zz'],
  ['an unknown path', '/v1/unknown'],
  ['the root', '/'],
] as const;

const key = [['X-API-Key', 'key-of-one']] as const;

const bodies: ParityCase[] = ['POST', 'PUT', 'PATCH', 'DELETE'].flatMap((method) =>
  [
    ['the list', '/v1/memories'],
    ['a memory', '/v1/memories/mem_of_one'],
  ].map(([target, path = '']) => ({
    ...{ title: `${method} ${target} with a body`, method, path, body: '{"name":"changed"}' },
    headers: [...key, ['Content-Type', 'application/json']] as const,
  })),
);

export const methodCases: readonly ParityCase[] = [
  ...targets.flatMap(([target, path]) =>
    methods.flatMap((method) => [
      { title: `${method} ${target}`, method, path, headers: key },
      { title: `${method} ${target} without a key`, method, path },
    ]),
  ),
  ...bodies,
  ...targets.slice(0, 4).map(([target, path]) => {
    const headers = [...key, ['X-HTTP-Method-Override', 'DELETE']] as const;
    return { title: `GET ${target}, overridden as DELETE`, method: 'GET', path, headers };
  }),
  ...['/v1/memories', '/v1/memories/mem_of_one'].map((path) => {
    const headers = [...key, ['Content-Type', 'application/json']] as const;
    return { title: `GET ${path} with a body`, method: 'GET', path, headers, body: '{"limit":1}' };
  }),
];
