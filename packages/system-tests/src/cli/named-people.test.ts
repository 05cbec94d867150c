import { globSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import { sampleRecord } from '@memory-read/test-kit/sample-memory';
import { expect, test } from 'vitest';
import { jsonLines, runCommand } from './run-command.ts';
import { startMediaAccount } from './start-media-account.ts';

const lines = [
  'Ada, do you still own a wrench?',
  'I own three of them.',
  'I promise you pancakes.',
  'I will be there.',
];

/** A record in which these labels say the four lines. Its name differs, because a list has no transcript that could. */
function spokenBy(...labels: string[]) {
  const at = (seconds: number) => new Date(Date.UTC(2026, 2, 1, 8, 0, seconds)).toISOString();
  const segments = lines.map((text, index) => ({
    ...{ speaker: labels[index % labels.length] ?? '', text },
    ...{ start_at: at(5 * index), end_at: at(5 * index + 4) },
  }));
  const name = `Spoken by ${labels.join(' and ')}`;
  return sampleRecord({ id: 'mem_1', name, started_at: at(0), ended_at: at(60), transcript: { segments }, media: {} });
}

test('names follow what was said through two processings, move to a second mirror, and are forgotten', async () => {
  const account = await startMediaAccount(100);
  await account.put(spokenBy('Speaker 1', 'Speaker 2'));
  const cwd = makeFolder();
  const runAs = async (code: number, ...args: string[]) => {
    const result = await runCommand(args, { cwd, env: account.env });
    expect(result, args.join(' ')).toMatchObject({ code });
    return result;
  };
  const events = async (...args: string[]) => jsonLines((await runAs(0, ...args)).stdout);
  const heard = async (person: string, ...args: string[]) => {
    const { stdout } = await runAs(0, 'search', '--speaker', person, ...args);
    return (stdout === '' ? [] : jsonLines(stdout)[0].matches).map(
      ({ speaker, text }: Record<string, string>) => `${speaker}: ${text}`,
    );
  };
  await runAs(0, 'mirror');
  // Two processes lose nothing.
  await Promise.all([events('name', 'mem_1', 'Speaker 2', 'Ada'), events('name', 'mem_1', 'Speaker 1', 'Tom', '--me')]);
  expect(await heard('ada')).toEqual([`Speaker 2: ${lines[1]}`, `Speaker 2: ${lines[3]}`]);

  await account.put(spokenBy('Speaker 7', 'Speaker 1'));
  expect((await events('mirror')).at(-1)).toMatchObject({ changed: 1, doubtfulNames: 0 });
  expect(await heard('ada')).toEqual([`Speaker 1: ${lines[1]}`, `Speaker 1: ${lines[3]}`]);
  expect((await runAs(0, 'export', 'mem_1', '--format', 'text', '--mirror', 'memories')).stdout).toMatch(
    /^Tom: Ada, do/m,
  );

  await account.put(spokenBy('Speaker 1'));
  const doubts = (await events('mirror')).filter(({ event }) => event === 'doubtful');
  expect(doubts.map(({ speaker, person }) => `${speaker}: ${person}`).sort()).toEqual([
    'Speaker 1: Tom',
    'Speaker 2: Ada',
  ]);
  expect(await heard('ada')).toEqual([]);

  await account.put(spokenBy('A', 'B'));
  await runAs(0, 'mirror');
  expect(await heard('ada')).toEqual([`B: ${lines[1]}`, `B: ${lines[3]}`]);
  await runAs(0, 'people', 'rename', 'Ada', 'Ada Lovelace');
  await runAs(0, 'people', 'export', '--output', 'people.jsonl');
  await runAs(0, 'mirror', 'second');
  expect(await events('people', 'import', 'people.jsonl', '--mirror', 'second')).toMatchObject([{ changed: 2 }]);
  expect(await heard('lovelace', '--mirror', 'second')).toEqual([`B: ${lines[1]}`, `B: ${lines[3]}`]);

  expect(await events('people', 'forget', 'ada lovelace')).toEqual([{ event: 'forgotten', leftFiles: [] }]);
  expect(await heard('ada')).toEqual([]);
  const files = globSync('memories/**', { cwd }).filter((path) => statSync(join(cwd, path)).isFile());
  expect(files.filter((path) => readFileSync(join(cwd, path)).includes('Lovelace'))).toEqual([]);
  writeFileSync(join(cwd, 'people.jsonl'), '<<<<<<< HEAD\n');
  expect((await runAs(1, 'people', 'import', 'people.jsonl')).stderr).toMatch(
    /^Failed to import the names: line 1 is not JSON/,
  );
});
