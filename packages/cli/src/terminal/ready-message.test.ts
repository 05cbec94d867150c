import { expect, test } from 'vitest';
import { TestProcess } from '../testing/test-process.ts';
import { commandName, formatReadyBanner, formatReadyLine } from './ready-message.ts';

const process = new TestProcess();
const message = {
  baseUrl: 'http://127.0.0.1:8787',
  localUrl: 'http://127.0.0.1:8787',
  place: 'memory',
  createKeyCommand: 'create a key',
};

test('prints one line of JSON for programs, with the key only for a demo', () => {
  expect(formatReadyLine({ ...message, apiKey: 'mrk_1', processingMemoryId: 'mem_2' })).toBe(
    '{"event":"ready","baseUrl":"http://127.0.0.1:8787","apiKey":"mrk_1","processingMemoryId":"mem_2"}',
  );
  expect(formatReadyLine(message)).toBe('{"event":"ready","baseUrl":"http://127.0.0.1:8787"}');
  // Behind a proxy, the line also has the address on which it listens.
  const { baseUrl: localUrl } = message;
  const behind = { event: 'ready', baseUrl: 'https://api.test', localUrl };
  expect(formatReadyLine({ ...message, baseUrl: behind.baseUrl })).toBe(JSON.stringify(behind));
});

test('prints commands to paste', () => {
  const banner = formatReadyBanner(process, { ...message, apiKey: 'mrk_1', processingMemoryId: 'mem 2' });
  expect(banner).toBe(`Memory Read API on http://127.0.0.1:8787

  Reference   http://127.0.0.1:8787/docs
  API key     mrk_1   (new at each start, valid for 24 hours)
  Data        memory

Try it in another terminal:
  export MEMORY_API_URL=http://127.0.0.1:8787 MEMORY_API_KEY=mrk_1
  memory-read list
  memory-read wait 'mem 2'
  curl -H "Authorization: Bearer $MEMORY_API_KEY" $MEMORY_API_URL/v1/memories

Press Ctrl+C to stop.`);
});

test.each([
  [{}, 'memory-read'],
  [{ npm_lifecycle_event: 'npx' }, 'npx @memory-read/cli'],
  [{ npm_lifecycle_event: 'start' }, 'npm run -s memory-read --'],
])('with %j, says to type %s', (env, command) => {
  expect(commandName(env)).toBe(command);
  expect(formatReadyBanner(process, { ...message, apiKey: 'mrk_1', command: commandName(env) })).toContain(
    `\n  ${command} list\n`,
  );
});

test('without a demo, says how to create a key', () => {
  expect(formatReadyBanner(process, message)).toContain('Create a key:\n  create a key\n');
});

test('behind a proxy, also names the address on which it listens', () => {
  expect(formatReadyBanner(process, message)).not.toContain('Listening');
  expect(formatReadyBanner(process, { ...message, localUrl: 'http://127.0.0.1:9000' })).toMatch(
    /Listening +http:\/\/127\.0\.0\.1:9000\n/,
  );
});
