import { join } from 'node:path';
import { isInstalled } from '@memory-read/test-kit/is-installed';
import { root } from '@memory-read/test-kit/repository';

/** A client that follows the protocol of the judge. */
export interface JudgedClient {
  name: string;
  /** Links to its source, and what it is made of. */
  what: string;
  command: readonly string[];
  isMissing?: boolean | undefined;
  /** The profile that it passes, but for its known failures. */
  rules: 'safe' | 'reference';
  knownFailures?: readonly string[] | undefined;
}

const sources = 'packages/integration-tests/src/judge';

/** A client in plain fetch. */
export const naiveClient = join(root, sources, 'naive-client.mjs');

/** The file with the client of this project, which runs on Node, Bun and Deno. */
export const ownClient = join(root, 'docs/code/judge-client.node.ts');

/** Scenarios mostly wait, and a busy machine needs more than a second for an attempt. */
export const patience = { concurrency: 8, attemptTimeout: 2_000 };

const node = process.execPath;
const python = 'python3';

export const judgedClients: readonly JudgedClient[] = [
  {
    name: '@memory-read/client',
    what: `[the client](code/judge-client.node.ts) of this project, on Node ${process.versions.node}`,
    command: [node, '--conditions=@memory-read/source', ownClient],
    rules: 'reference',
  },
  {
    name: 'plain fetch',
    what: `[a careful use](../${sources}/naive-client.mjs) of \`fetch\`, without retries`,
    command: [node, naiveClient],
    rules: 'safe',
  },
  {
    name: 'openapi-fetch',
    what: `[a client](../${sources}/generated-client.ts) that openapi-typescript generates from the OpenAPI document`,
    command: [node, join(root, sources, 'generated-client.ts')],
    rules: 'safe',
    knownFailures: ['other-shape'],
  },
  {
    name: 'urllib',
    what: '[the client in Python](code/python/judge_client.py) of the guide',
    command: [python, join(root, 'docs/code/python/judge_client.py')],
    isMissing: !isInstalled(python),
    rules: 'safe',
  },
];
