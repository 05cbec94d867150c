import { cpSync } from 'node:fs';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type Mirror, openMirror } from '../index.ts';
import { audio, openAccount, saidRecord, type TestAccount } from '../testing/open-account.ts';

let account: TestAccount;
const whole = makeFolder(afterAll);

const client = () => account.clientOf('https://api.example.com');
const records = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => {
    const number = index + from;
    return saidRecord(`mem_${number}`, [`Zebra ${number}.`], number < 10 ? { media: audio } : {});
  });

beforeAll(async () => {
  account = await openAccount();
  await account.put(...records(0, 60));
  const mirror = await openMirror({ folder: whole });
  await mirror.sync(client(), { media: true });
  await mirror.writePages({ timeZone: 'UTC' });
  await mirror.close();
});

const report = { memories: 60, versions: 60, media: 10, damaged: [] };

test.each<[string, (mirror: Mirror, other: Mirror) => Promise<unknown>, object]>([
  ['another check', (mirror) => mirror.check(), report],
  ['a purge', (mirror) => mirror.purge('mem_59'), { purged: true }],
  ['a purge of a recording', (mirror) => mirror.purge('mem_5'), { purged: true }],
  ['a purge by another process', (_mirror, other) => other.purge('mem_5').catch(({ code }) => ({ code })), {}],
  ['a repair', (mirror) => mirror.repair(client()), { repaired: 0, lost: [] }],
  ['a sync', (mirror) => mirror.sync(client()), { added: 40, failed: [] }],
  ['a sync by another process', (_mirror, other) => other.sync(client()), { added: 40, failed: [] }],
])('a check beside %s finds no damage, and both end', async (name, beside, expected) => {
  const folder = makeFolder();
  cpSync(whole, folder, { recursive: true, preserveTimestamps: true });
  const mirrors = await Promise.all([openMirror({ folder }), openMirror({ folder })]);
  onTestFinished(async () => {
    for (const each of mirrors) await each.close();
  });
  const added = records(300, 340);
  if (name.includes('sync')) {
    await account.put(...added);
    onTestFinished(async () => {
      for (const { id } of added) await account.remove(id);
    });
  }
  const [mirror, other] = mirrors;
  for (const order of ['check first', 'check last']) {
    const works = [() => mirror.check(), () => beside(mirror, other)];
    if (order === 'check last') works.reverse();
    const results = (await Promise.all(works.map((work) => work()))) as [unknown, unknown];
    const [checked, ended] = order === 'check first' ? results : results.reverse();
    expect(checked).toMatchObject({ damaged: [] });
    if (order === 'check first') expect(ended).toMatchObject(expected);
  }
});
