import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { missingNamespaces, printModules, startFirstProcess } from '@memory-read/test-kit/first-process';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import { expect, onTestFinished, test } from 'vitest';
import { ownEnvironment } from './testing/run-cli.ts';

const missing = missingNamespaces();

const main = fileURLToPath(new URL('./main.ts', import.meta.url));
const node = [process.execPath, '--conditions=@memory-read/source'];

/** Commands that would not end by themselves. */
const commands = [
  ['serve', '--in-memory', '--port', '0', '--log', 'none'],
  ['mock', '--port', '0', '--control-port', '0'],
  ['watch'],
  ['mirror', 'copy'],
  ['mcp'],
  ['finish', 'mem_1', '-', '--account', 'ada'],
];

/** Modules that Node loads after the first statement, at the beginning and at the end of the start of `serve`. */
const moments = ['/cli/src/program.ts', '/commander/', '/commands/serve.ts', '/server/src/index.ts'];

test
  .skipIf(missing)
  .each([
    ...commands.map((args) => ({ args, moment: moments[0], signal: 'SIGTERM', code: 143 }) as const),
    ...moments.slice(1).map((moment) => ({ args: commands[0], moment, signal: 'SIGTERM', code: 143 }) as const),
    { args: commands[0], moment: moments[0], signal: 'SIGINT', code: 130 } as const,
    { args: commands[0], moment: moments[0], signal: 'SIGHUP', code: 129 } as const,
  ])('as the first process, $args ends with $code on $signal while it loads $moment', async (row) => {
  const { args = [], moment = '', signal, code } = row;
  const running = startFirstProcess([...node, printModules, main, ...args], await surroundings());
  let loaded = '';
  await new Promise<void>((resolve) => {
    running.child.stderr.on('data', (chunk) => {
      loaded += chunk;
      if (loaded.includes(moment)) resolve();
    });
  });
  running.kill(signal);
  // A server may have begun to listen for signals by now, and then ends with 0.
  expect([code, ...(/serve|mock/.test(String(args[0])) && signal === 'SIGTERM' ? [0] : [])]).toContain(
    await running.ended,
  );
});

test.skipIf(missing)('as the first process, serve answers requests and then ends with 0 on SIGTERM', async () => {
  const running = startFirstProcess([...node, main, ...(commands[0] ?? [])], await surroundings());
  const [ready] = await once(running.child.stdout, 'data');
  expect((await fetch(`${JSON.parse(ready).baseUrl}/healthz`)).status).toBe(200);
  running.kill('SIGTERM');
  expect(await running.ended).toBe(0);
});

test.each([0, 50, 150, 250])('serve ends on a SIGTERM after %i ms', async (delay) => {
  const [command = '', ...args] = [...node, main, ...(commands[0] ?? [])];
  const child = spawn(command, args, await surroundings());
  onTestFinished(() => void child.kill('SIGKILL'));
  const closed = once(
    child.on('spawn', () => setTimeout(() => child.kill(), delay)),
    'close',
  );
  const [code, signal] = await closed;
  // Node itself ends before its first module runs.
  expect([143, 0, 'SIGTERM']).toContain(code ?? signal);
});

/** A folder, and an environment with a server that accepts connections and sends nothing. */
async function surroundings() {
  const server = createServer((socket) => void socket.on('error', () => {})).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const connection = { MEMORY_API_URL: `http://127.0.0.1:${port}`, MEMORY_API_KEY: 'mrk_test' };
  return { cwd: makeFolder(), env: { ...process.env, NODE_OPTIONS: '', ...ownEnvironment(), ...connection } };
}
