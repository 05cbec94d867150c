import type { ParityCase } from '../parity-case.ts';

const paths = [
  ...['/', '', '//', '/v1', '/v1/', '/v1//', '/v2/memories', '/v1/memorie', '/v1/memoriess', '/v1/Memories'],
  ...['/V1/memories', '/v1/memories/', '/v1/memories//', '/v1//memories', '//v1/memories', '/v1/memories//mem_of_one'],
  ...['/v1/memories/mem_of_one/', '/v1/memories/mem_of_one//', '/v1/memories/mem_of_one/audio', '/v1/memories/a/b/c'],
  ...['/memories', '/memories/mem_of_one', '/api/v1/memories', '/v1/v1/memories', '/v1/memories.json'],
  ...['/v1/memories;limit=1', '/v1/memories,', '/v1/memories%20', '/v1/memories%2F', '/v1/memories%2Fmem_of_one'],
  ...['/v1%2Fmemories', '/%76%31/memories', '/v1/%6Demories', '/v1/memories%00', '/v1/memories%3F', '/v1/memories%zz'],
  ...['/v1/./memories', '/v1/memories/.', '/v1/memories/..', '/v1/memories/../memories', '/v1/x/../memories'],
  ...['/v1/memories/%2e', '/v1/memories/%2e%2e', '/v1/memories/%2E%2e/memories', '/v1/memories/x/%2e%2e/mem_of_one'],
  ...['/../v1/memories', '/..//v1/memories', '/v1/memories/./mem_of_one', '/v1\\memories', '/v1/memories\\mem_of_one'],
  ...['/v1/users', '/v1/memories/*', '/v1/*', '/*', '/v1/memories/{memory_id}', '/v1/:memory_id', '/v1/memories/:id'],
  ...['/docs', '/openapi.json', '/healthz', '/favicon.ico', '/robots.txt', '/.env', '/.well-known/security.txt'],
  ...['/media', '/media?x=1', '/mediax/a.wav', '/v1/media/a.wav'],
  `/${'deep/'.repeat(400)}memories`,
];

const queries = [
  ...['?', '?limit=1', '?limit=0&offset=5', '?page=2&per_page=1', '?cursor=abc', '?user_id=user_one', '?%zz', '?%00'],
  ...['?=', '?a&a&a', '?__proto__=1', '?id[]=1&id[]=2', '?q=caf%C3%A9', '?/v1/memories', '?#', '#part', '?a=1#part'],
  `?${'long=1&'.repeat(500)}`,
];

const headers = [['X-API-Key', 'key-of-one']] as const;
const shown = (path: string) => (path.length > 80 ? `${path.slice(0, 30)}… of ${path.length} characters` : path);

export const pathCases: readonly ParityCase[] = [
  ...paths.map((path) => ({ title: `the path ${shown(path) || 'of no characters'}`, method: 'GET', path, headers })),
  ...['/v1/unknown', '/v1/memories/', '/media', '/v2/memories/%zz'].map((path) => ({
    ...{ title: `the path ${path} without a key`, method: 'GET', path },
  })),
  ...['/v1/memories', '/v1/memories/mem_of_one', '/v1/memories/unknown'].flatMap((path) =>
    queries.map((query) => ({
      ...{ title: `the query ${shown(query)} of ${path}`, method: 'GET', path: path + query, headers },
    })),
  ),
];
