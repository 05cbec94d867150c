import { edgeCases } from '@memory-read/fixtures';
import type { ParityCase } from '../parity-case.ts';

const path = (id: string) => `/v1/memories/${encodeURIComponent(id)}`;
const key = (name: string) => [['Authorization', `Bearer ${name}`]] as const;

export const memoryCases: readonly ParityCase[] = [
  ...Object.entries(edgeCases).map(([name, { id }]) => ({
    ...{ title: `the edge case ${name}`, method: 'GET', path: path(id), headers: key('key-of-gallery') },
  })),
  ...['processing', 'longTranscript', 'noMedia', 'idWithSlash'].map((name) => ({
    ...{ title: `HEAD of the edge case ${name}`, method: 'HEAD', headers: key('key-of-gallery') },
    path: path(edgeCases[name as keyof typeof edgeCases].id),
  })),
  ...['gallery', 'one', 'none'].flatMap((account) =>
    ['GET', 'HEAD'].map((method) => ({
      ...{ title: `${method} the list of the account ${account}`, method, path: '/v1/memories' },
      headers: key(`key-of-${account}`),
    })),
  ),
  ...['processing', 'silent', 'longTranscript', 'noMedia', 'emptyName'].flatMap((name) =>
    ['one', 'none'].map((account) => ({
      ...{ title: `the edge case ${name}, of another account than ${account}`, method: 'GET' },
      ...{ path: path(edgeCases[name as keyof typeof edgeCases].id), headers: key(`key-of-${account}`) },
    })),
  ),
  ...['gallery', 'none'].map((account) => ({
    ...{ title: `the only memory of another account than ${account}`, method: 'GET', path: path('mem_of_one') },
    headers: key(`key-of-${account}`),
  })),
];
