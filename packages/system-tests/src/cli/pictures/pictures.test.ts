import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { MemoryRecord } from '@memory-read/contract';
import { listen } from '@memory-read/test-kit/listen';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import { root } from '@memory-read/test-kit/repository';
import { expect, test } from 'vitest';
import { renderScreen } from '../render-screen.ts';
import { runCommand, runInTerminal } from '../run-command.ts';
import { recordWithAudio, startMediaAccount } from '../start-media-account.ts';
import { pictureRecords } from './picture-account.ts';

const TZ = 'Europe/Berlin';
const ctrlC = '\x03';

test.each([
  ['list', 0, ['list']],
  // The beginning of an id.
  ['get', 0, ['get', 'mem_01M81E']],
  ['digest', 0, ['digest', '--since', '2026-11-15T09:00', '--until', '2026-11-22T12:00']],
  ['mistake', 2, ['mirorr']],
])('%s', async (name, code, args) => {
  const { env } = await startPictureAccount();
  await expectPicture(name, (columns) => showCommand(args, { columns, env, code }));
});

test('nothing is configured', () =>
  expectPicture('nothing-configured', (columns) => showCommand(['list'], { columns, code: 2 })));

test('login', async () => {
  const { env } = await startPictureAccount();
  const { MEMORY_API_URL: url = '', MEMORY_API_KEY: key = '' } = env;
  await expectPicture('login', async (columns) => {
    const home = makeFolder();
    const show = async (answer: string, code: number) => {
      const command = runInTerminal(['login'], { columns, env: { HOME: home } });
      await command.until('Server: ');
      command.type(`${url}\r`);
      await command.until('API key (not shown): ');
      command.type(`${answer}\r`);
      expect(await command.ended).toBe(code);
      return `$ memory-read login\n${await renderScreen(hideVolatile(command.shown(), home), columns)}`;
    };
    return `${await show('mrk_mistyped', 3)}\n${await show(key, 0)}`;
  });
});

test('a slow server, then an outage', () =>
  expectPicture('outage', async (columns) => {
    const server = await listen(() => {});
    const command = runInTerminal(['list'], {
      columns,
      env: { MEMORY_API_URL: server.url, MEMORY_API_KEY: 'mrk_hush' },
    });
    const screen = () => renderScreen(hideVolatile(command.shown()), columns);
    // On narrow terminals, the seconds are cut off.
    await command.until('Waiting for');
    const waiting = await screen();
    await server[Symbol.asyncDispose]();
    expect(await command.ended).toBe(1);
    return `$ memory-read list\n${waiting}\n\n… later …\n\n${await screen()}`;
  }));

test('the first `npm start`', async () => {
  const stub = join(makeFolder(), 'install.mjs');
  const progress = pathToFileURL(join(root, 'scripts', 'show-install-progress.mjs'));
  writeFileSync(
    stub,
    `let now = 0;
    let tick;
    Date.now = () => now;
    globalThis.setInterval = (update) => void (tick = update);
    const { showInstallProgress } = await import('${progress}');
    const progress = showInstallProgress(new URL('install.log', import.meta.url));
    progress.add('Progress: resolved 25, reused 14, downloaded 0, added 0');
    now = 12_000;
    tick();
    now = 21_000;
    progress.end(0);`,
  );
  await expectPicture('npm-start', async (columns) => {
    const cwd = makeFolder();
    const env = { TZ, npm_lifecycle_event: 'start' };
    const shell = `"$1" '${stub}' && exec "$@"`;
    const command = runInTerminal(['serve', '--demo', '--port', '0'], { columns, cwd, env, shell });
    await command.until('Press Ctrl+C to stop.');
    const screen = await renderScreen(hideVolatile(command.shown(), cwd), columns);
    command.type(ctrlC);
    expect(await command.ended).toBe(130);
    return `$ npm start\n${screen}`;
  });
});

test('mirror, on the way and at the end', async () => {
  await expectPicture('mirror', async (columns) => {
    const account = await startMediaAccount(20_000);
    const video = { object_key: '3.webm', content_type: 'video/webm' };
    await account.put(recordWithAudio(1), recordWithAudio(2), recordWithAudio(3, { media: { video } }));
    const last = Promise.withResolvers<void>();
    account.onRequest = (path) =>
      path.endsWith('3.webm') ? new Response('', { status: 503, headers: { 'retry-after': '999' } }) : undefined;
    account.onMedia = async (response) => {
      if (account.requests.filter((path) => path.endsWith('.wav')).length === 2) await last.promise;
      return response;
    };
    const command = runInTerminal(['mirror', '--concurrency', '1'], { columns, cwd: makeFolder(), env: account.env });
    const screen = async () =>
      // Rate and time differ from run to run, but whether they are drawn depends only on the width.
      (await renderScreen(command.shown(), columns)).replace(/(\d kB), .*$/m, '$1, …');
    await command.until('1 of 3 memories, 1 file');
    const onTheWay = await screen();
    last.resolve();
    expect(await command.ended).toBe(1);
    return `$ memory-read mirror\n${onTheWay}\n\n… later …\n\n${await screen()}`;
  });
});

test('search', async () => {
  const { env } = await startPictureAccount();
  const cwd = makeFolder();
  expect(await runCommand(['mirror'], { env, cwd })).toMatchObject({ code: 0 });
  await expectPicture('search', async (columns) =>
    [
      await showCommand(['search', 'submarine'], { columns, cwd, env: {} }),
      await showCommand(['search', 'submarnie'], { columns, cwd, env: {} }),
    ].join('\n\n'),
  );
});

test('name', async () => {
  const account = await startPictureAccount();
  const words = 'The pump is fixed, and the hull was painted twice. Who takes the keys on Monday morning?';
  const said = (speaker: string, second: number, text: string) => {
    const at = (seconds: number) => new Date(Date.UTC(2026, 10, 16, 8, 0, seconds)).toISOString();
    return { speaker, start_at: at(second), end_at: at(second + 7), text };
  };
  const segments = [said('Speaker 1', 5, 'We talk about the submarine.'), said('Speaker 2', 65, words)];
  const [planning] = pictureRecords.filter(({ name }) => name === 'Weekly planning');
  await account.put({ ...(planning as MemoryRecord), transcript: { segments } });
  const id = planning?.id ?? '';
  await expectPicture('name', async (columns) => {
    const cwd = makeFolder();
    expect(await runCommand(['mirror'], { env: account.env, cwd })).toMatchObject({ code: 0 });
    const shown: string[] = [];
    for (const args of [
      ['name', id],
      ['name', id, 'speaker 2', 'Ada Augusta King, Countess of Lovelace', '--me'],
      ['name', id, 'Speaker 3', 'Bob'],
      ['name', id],
      ['search', 'submarine', '--speaker', 'Speaker 1'],
      ['people', 'list'],
    ])
      shown.push(await showCommand(args, { columns, cwd, code: args.includes('Bob') ? 4 : 0 }));
    return shown.join('\n\n');
  });
});

test('get with words that several memories have', async () => {
  const { env } = await startPictureAccount();
  await expectPicture('choose', async (columns) => {
    const command = runInTerminal(['get', 'team plans'], { columns, env: { TZ, MEMORY_READ_PAGER: '', ...env } });
    await command.until('Which one? [1-2] ');
    command.type('2\r');
    expect(await command.ended).toBe(0);
    return `$ memory-read get "team plans"\n${await renderScreen(hideVolatile(command.shown()), columns)}`;
  });
});

interface Shown {
  columns: number;
  env?: Record<string, string>;
  cwd?: string;
  /** Expected exit code. Default: 0. */
  code?: number;
}

/** Returns the line that a person types, and what the terminal shows after it. */
async function showCommand(args: string[], { columns, env = {}, cwd, code = 0 }: Shown): Promise<string> {
  const command = runInTerminal(args, { columns, cwd, env: { TZ, MEMORY_READ_PAGER: '', ...env } });
  expect(await command.ended).toBe(code);
  const line = args.map((arg) => (arg.includes(' ') ? JSON.stringify(arg) : arg)).join(' ');
  return `$ memory-read ${line}\n${await renderScreen(hideVolatile(command.shown()), columns)}`;
}

/** Compares the screens of two widths with the file of the picture. */
async function expectPicture(name: string, show: (columns: number) => Promise<string>): Promise<void> {
  const screens = await Promise.all(
    [40, 80].map(async (columns) => `${`── ${columns} columns `.padEnd(columns, '─')}\n${await show(columns)}\n`),
  );
  await expect(screens.join('\n')).toMatchFileSnapshot(`${name}.txt`);
}

async function startPictureAccount() {
  const account = await startMediaAccount(1_000);
  await account.put(...pictureRecords);
  return account;
}

/** Replaces texts that differ from run to run with texts of the same width, so that lines wrap in the same way. */
function hideVolatile(output: string, home = 'no home'): string {
  return output
    .replaceAll(home, '/home/ada')
    .replaceAll(/… \d+ s/g, '… 1 s')
    .replaceAll(/127\.0\.0\.1:\d{5}/g, '127.0.0.1:54321')
    .replaceAll(/mem_demo_\w{8}/g, 'mem_demo_12345678')
    .replaceAll(/mrk_[\w-]{43}/g, `mrk_${'k'.repeat(43)}`);
}
