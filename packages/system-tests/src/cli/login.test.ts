import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import { expect, test } from 'vitest';
import { runInTerminal, type TerminalCommand } from './run-command.ts';
import { listed, startAccount } from './start-account.ts';

const key = 'mrk_hush';
const askKey = 'API key (not shown): ';
const ctrlC = '\x03';

test.each([
  ['xterm-256color', stripVTControlCharacters],
  // A dumb terminal gets no escapes.
  ['dumb', (text: string) => text],
])('reads the server and the key, and never shows the key, on the terminal %s', async (TERM, plain) => {
  const { url, home, configuration } = await prepare();
  const command = runInTerminal(['login'], { env: { ...home, TERM }, columns: 200 });
  await command.until('Server: ');
  command.type(`${url}\r`);
  await command.until(askKey);
  command.type(key);
  command.type('\r');
  expect(await command.ended).toBe(0);
  expect(plain(command.shown()).replaceAll('\r', '')).toBe(
    `Server: ${url}\n${askKey}\nLogged in to ${url} as user_1, 1 memory. Saved in ${configuration} for you alone.\n`,
  );
  expect(JSON.parse(readFileSync(configuration, 'utf8'))).toEqual({ baseUrl: url, apiKey: key });
});

test.each([
  ['\r', '\r'],
  ['\n', '\n'],
  ['\r\n', '\r\n'],
  ['\r\n', '\r'],
])('accepts both lines pasted at once with %j and %j', async (first, last) => {
  const { url, home, configuration } = await prepare();
  const command = runInTerminal(['login'], { env: home, columns: 200 });
  await command.until('Server: ');
  command.type(`  ${url}/${first} ${key} ${last}`);
  expect(await command.ended).toBe(0);
  expect(command.shown()).not.toContain('hush');
  expect(JSON.parse(readFileSync(configuration, 'utf8'))).toEqual({ baseUrl: url, apiKey: key });
});

test('uses the last server or MEMORY_API_URL for an empty line, and accepts a long key', async () => {
  const { account, url, home, configuration } = await prepare();
  const longKey = 'k'.repeat(8_000);
  account.accepted = [longKey];
  for (const env of [{ ...home, MEMORY_API_URL: url }, home]) {
    const command = runInTerminal(['login'], { env, columns: 200 });
    await command.until(`Server [${url}]: `);
    command.type('\r');
    await command.until(askKey);
    command.type(`${longKey}\r`);
    expect(await command.ended).toBe(0);
    expect(JSON.parse(readFileSync(configuration, 'utf8'))).toEqual({ baseUrl: url, apiKey: longKey });
  }
});

test.each([
  ['a refused key', (url: string) => `${url}\rmrk_other-hush\r`, 3, 'refuses the key. Check the key in the account'],
  ['a wrong server', () => `api.test\r${key}\r`, 2, 'Failed to use the base URL: it does not begin with https://'],
  ['no server', () => `\r${key}\r`, 2, 'no server was given'],
  ['the end of the input', () => '\x04', 2, 'the input has ended'],
  ['Ctrl+C at the server', () => ctrlC, 130, 'Interrupted by SIGINT.'],
  ['Ctrl+C in the middle of a key', (url: string) => `${url}\rmrk_hu${ctrlC}`, 130, 'Interrupted by SIGINT.'],
])(
  'saves nothing and shows neither the key nor a suggested password after %s',
  async (_title, typed, code, message) => {
    const { url, home, configuration } = await prepare();
    const env = { ...home, MEMORY_API_URL: 'https://ada:hush@api.test' };
    const command = runInTerminal(['login'], { env, columns: 200 });
    await command.until('Server: ');
    command.type(typed(url));
    expect(await command.ended).toBe(code);
    expect(command.shown()).toContain(message);
    expect(command.shown()).not.toMatch(/hu\b|hush/);
    expect(existsSync(configuration)).toBe(false);
  },
);

test.each([
  ['Ctrl+C', (shell: TerminalCommand) => shell.type(ctrlC)],
  ['the end of the input', (shell: TerminalCommand) => shell.type('\x04')],
])('restores the echo of the terminal after %s', async (_title, end) => {
  const { home } = await prepare();
  const script = `"$@"; echo "ended $?"; stty -a; read -r line; echo "read $line"`;
  const shell = runInTerminal(['login'], { env: home, columns: 200, shell: script });
  await shell.until('Server: ');
  shell.type('https://api.test\r');
  await shell.until(askKey);
  end(shell);
  await shell.until('ended ');
  await shell.until(' echoe ');
  expect(shell.shown()).toMatch(/[^-]icanon/);
  expect(shell.shown()).toMatch(/[^-]echo /);
  shell.type('visible\r');
  expect(await shell.ended).toBe(0);
  expect(shell.shown()).toMatch(/visible\nread visible\n/);
});

test('ends the test of a key at once on Ctrl+C, and saves nothing', async () => {
  const { account, url, home, configuration } = await prepare();
  account.isSilent = true;
  const asked = new Promise<void>((resolve) => (account.onRequest = resolve));
  const command = runInTerminal(['login', '--base-url', url], { env: home });
  await command.until(askKey);
  command.type(`${key}\r`);
  await asked;
  command.type(ctrlC);
  expect(await command.ended).toBe(130);
  expect(existsSync(configuration)).toBe(false);
});

/** A server, the home folder of a user without a configuration, and the path of the configuration. */
async function prepare() {
  const account = await startAccount([listed({ user_id: 'user_1' })]);
  account.accepted = [key];
  const folder = makeFolder();
  const configuration = join(folder, '.config', 'memory-read', 'config.json');
  return { account, url: account.env.MEMORY_API_URL ?? '', home: { HOME: folder, NO_COLOR: '1' }, configuration };
}
