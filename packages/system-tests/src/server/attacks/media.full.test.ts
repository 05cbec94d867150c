import { renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startTwoAccounts, type TwoAccounts } from './start-two-accounts.ts';

const forgeries: Record<string, (url: string) => string> = {
  'the object of another account': (url) => url.replace('eve/own', 'ada/talk'),
  'a parent folder': (url) => url.replace('eve/own.wav', 'eve/../ada/talk.wav'),
  'an encoded parent folder': (url) => url.replace('eve/own.wav', 'eve%2f..%2fada%2ftalk.wav'),
  'a parent folder with encoded dots': (url) => url.replace('eve/own.wav', 'eve/%2e%2e/ada/talk.wav'),
  'an encoded slash': (url) => url.replace('eve/', 'eve%2F'),
  'a doubled slash': (url) => url.replace('eve/', 'eve//'),
  'a backslash': (url) => url.replace('eve/', 'eve%5c'),
  'a NUL at the end': (url) => url.replace('.wav', '.wav%00'),
  'a NUL and another end': (url) => url.replace('.wav', '.wav%00.txt'),
  'an absolute path': (url) => url.replace('eve/own.wav', '/etc/passwd'),
  'an encoded absolute path': (url) => url.replace('eve/own.wav', '%2fetc%2fpasswd'),
  'another case': (url) => url.replace('own', 'OWN'),
  'an encoded letter': (url) => url.replace('own', '%6fwn'),
  'a double encoding': (url) => url.replace('own', '%256fwn'),
  'a later expiry': (url) => url.replace(/expires=(\d+)/, (_, time) => `expires=${Number(time) + 1}`),
  'an earlier expiry': (url) => url.replace(/expires=(\d+)/, (_, time) => `expires=${Number(time) - 1}`),
  'an expiry in the exponent form': (url) => url.replace(/expires=\d+/, 'expires=9e9'),
  'a negative expiry': (url) => url.replace('expires=', 'expires=-'),
  'no expiry': (url) => url.replace(/expires=\d+&/, ''),
  'an expiry twice, the forged one first': (url) => url.replace('expires=', 'expires=9999999999&expires='),
  'an expiry twice, the forged one last': (url) => `${url}&expires=9999999999`,
  'another type': (url) => url.replace('audio%2Fwav', 'text%2Fhtml'),
  'a type with a line break': (url) => url.replace('audio%2Fwav', 'audio%2Fwav%0d%0aX:y'),
  'no type': (url) => url.replace(/type=[^&]+&/, ''),
  'another secret': (url) => url.replace(/key=[^&]+/, 'key=other'),
  'the secret of every object': (url) => url.replace(/key=[^&]+/, 'key=__proto__'),
  'no secret': (url) => url.replace(/key=[^&]+&/, ''),
  'no signature': (url) => url.replace(/&signature=.+/, ''),
  'an empty signature': (url) => url.replace(/signature=.+/, 'signature='),
  'a signature of zeros': (url) => url.replace(/signature=.+/, `signature=${'A'.repeat(43)}`),
  'half a signature': (url) => url.slice(0, -20),
  'a longer signature': (url) => `${url}AA`,
  'a padded signature': (url) => `${url}=`,
  'a signature in base64 with other letters': (url) => `${url.slice(0, -1)}%2B`,
  'the signature of a list': (url) => url.replace('signature=', 'signature[]='),
  'another order': (url) => url.replace(/(expires=\d+)&(type=[^&]+)/, '$2&$1'),
};

test(`${Object.keys(forgeries).length} forged URLs of a recording are all rejected`, async () => {
  const world = await startTwoAccounts();
  const url = await urlOfEve(world);
  expect((await fetch(url)).status).toBe(200);
  for (const [name, forge] of Object.entries(forgeries)) {
    expect(forge(url), name).not.toBe(url);
    const { status } = await fetch(forge(url));
    expect(status, name).toBe(403);
  }
});

test('no link and no swap leads a signed URL out of the media folder', async () => {
  const world = await startTwoAccounts();
  const url = await urlOfEve(world);
  const file = join(world.media, 'eve/own.wav');
  const attempts: Record<string, () => void> = {
    'a link to the database': () => symlinkSync(world.db, file),
    'a link to a system file': () => symlinkSync('/etc/passwd', file),
    'a relative link': () => symlinkSync('../../memories.sqlite', file),
    'a link to the process': () => symlinkSync('/proc/self/environ', file),
  };
  for (const [name, attempt] of Object.entries(attempts)) {
    rmSync(file, { force: true });
    attempt();
    const answer = await fetch(url);
    expect([answer.status, await answer.json()], name).toEqual([404, { detail: 'Media not found' }]);
  }
  rmSync(join(world.media, 'eve'), { recursive: true });
  writeFileSync(join(world.media, '..', 'own.wav'), 'outside');
  symlinkSync('..', join(world.media, 'eve'));
  expect((await fetch(url)).status, 'a folder that is a link').toBe(404);
});

test('a file that is swapped for a link during thousands of reads is never followed', async () => {
  const world = await startTwoAccounts();
  const url = await urlOfEve(world);
  const file = join(world.media, 'eve/own.wav');
  const secret = join(world.media, '..', 'secret.txt');
  writeFileSync(secret, 'SECRET'.repeat(200));
  const own = Buffer.alloc(1_000, 7);
  const swap = (make: (path: string) => void) => {
    const beside = `${file}.next`;
    rmSync(beside, { force: true });
    make(beside);
    renameSync(beside, file);
  };
  let isReading = true;
  const swaps = (async () => {
    let count = 0;
    while (isReading) {
      swap((path) => (count % 2 === 0 ? symlinkSync(secret, path) : writeFileSync(path, own)));
      count += 1;
      await new Promise((resolve) => setImmediate(resolve));
    }
    return count;
  })();
  const statuses = new Set<number | string>();
  const read = async () => {
    for (let round = 0; round < 250; round += 1) {
      const body = await fetch(url).then(
        async (answer) => `${answer.status} ${await answer.text().catch(() => 'cut off')}`,
        () => 'cut off',
      );
      expect(body).not.toContain('SECRET');
      statuses.add(body.slice(0, 3));
    }
  };
  await Promise.all([read(), read(), read(), read()]);
  isReading = false;
  expect(await swaps).toBeGreaterThan(100);
  expect(statuses).toContain('200');
  expect(statuses).toContain('404');
});

async function urlOfEve({ get, keys }: TwoAccounts): Promise<string> {
  return (await (await get(keys.eve, '/v1/memories/mem_of_eve')).json()).audio_url;
}
