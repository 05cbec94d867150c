import { Agent, get, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { startServer } from './start-server.test-support.ts';

const hello = () => new Response('hello');

test.each([
  [undefined, 65],
  [70_000, 70],
  [2_000, 2],
  [2 ** 31 - 1, 2_147_482],
])('a keepAliveTimeout of %s lets an idle connection live, and Keep-Alive names %i s', async (time, seconds) => {
  const { port } = await startServer(hello, { keepAliveTimeout: time });
  const agent = new Agent({ keepAlive: true });
  onTestFinished(() => agent.destroy());
  const warnings: Error[] = [];
  const onWarning = (warning: Error) => void warnings.push(warning);
  process.on('warning', onWarning);
  onTestFinished(() => void process.off('warning', onWarning));
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get({ port, host: '127.0.0.1', agent }, resolve).on('error', reject);
  });
  expect(response.headers).toMatchObject({ connection: 'keep-alive', 'keep-alive': `timeout=${seconds}` });
  const { socket } = response.resume();
  await setTimeout(20);
  expect([socket.destroyed, warnings]).toEqual([false, []]);
});

test('an idle connection that outlives requestTimeout takes the next request', async () => {
  const { port } = await startServer(hello, { requestTimeout: 50, keepAliveTimeout: 60_000 });
  const socket = connect(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  for (const wait of [200, 0]) {
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    expect(await readOnce(socket)).toMatch(/^HTTP\/1\.1 200 /);
    await setTimeout(wait);
  }
});

function readOnce(socket: Socket): Promise<string> {
  return new Promise((resolve) => socket.once('data', (chunk) => resolve(`${chunk}`)));
}
