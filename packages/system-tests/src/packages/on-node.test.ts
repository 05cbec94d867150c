import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { findNode24, findOldestNode, findOldestSearchingNode } from '../runtimes/find-runtime.ts';
import { createConsumer } from './create-consumer.ts';

const consumer = createConsumer();
const newest = { version: process.versions.node, path: process.execPath };
const oldest = findOldestNode();
const searching = [newest, findNode24(), findOldestSearchingNode()];
const refusal =
  /^unsupported_runtime: Failed to open the mirror: SQLite of this runtime has no full-text search \(FTS5\)\. Use Node 22\.16 or newer\.$/;

/** How calls end whose signal is aborted after a time. In Node 22.13, one abort is lost, as docs/guides/runtimes.md says. */
const ends = (ofKeptSignal: string) =>
  new RegExp(
    [
      '^a timeout: TimeoutError',
      `a kept signal of a timeout and another: ${ofKeptSignal}`,
      'a signal of a kept timeout and another: TimeoutError',
      'a signal of two controllers: AbortError',
      'requests of a conformance run: 3',
      'kept signals: 2$',
    ].join('\n'),
  );

const programs = [
  { program: 'node.mjs', says: /^esm works$/m, nodes: [newest, findNode24(), oldest] },
  { program: 'node.cjs', says: /^cjs works$/m, nodes: [newest, findNode24(), oldest] },
  { program: 'store-suites.mjs', says: /^[1-9]\d+ cases passed$/m, nodes: [findNode24(), oldest] },
  { program: 'mirror.mjs', says: /^the mirror works$/m, nodes: searching },
  { program: 'mirror.mjs', says: refusal, nodes: [oldest] },
  { program: 'signals.mjs', says: ends('TimeoutError'), nodes: [newest, findNode24(), findOldestSearchingNode()] },
  { program: 'signals.mjs', says: ends('RequestTimeoutError'), nodes: [oldest] },
  { program: 'mcp.mjs', says: /^the tools work$/m, nodes: searching },
];

for (const { program, says, nodes } of programs) {
  for (const { version, path } of nodes) {
    test.runIf(path)(`a project with the packed packages passes ${program} on Node v${version}`, async () => {
      const script = `console.log(process.version); await import('./${program}');`;
      const options = { cwd: consumer.folder };
      const { stdout } = await promisify(execFile)(path ?? '', ['--input-type=module', '--eval', script], options);
      const [used, ...lines] = stdout.trim().split('\n');
      expect(used).toBe(`v${version}`);
      expect(lines.join('\n')).toMatch(says);
    });
  }
}

test('the packed mock works with the oldest MSW that it allows, and without MSW through mock.fetch', async () => {
  const other = createConsumer();
  const run = async (program: string) =>
    (await promisify(execFile)(process.execPath, [program], { cwd: other.folder })).stdout;
  other.replaceMsw('msw-2');
  expect(await run('node.mjs')).toContain('esm works');
  other.replaceMsw();
  expect(await run('mock-fetch.mjs')).toContain('mock.fetch works');
});
