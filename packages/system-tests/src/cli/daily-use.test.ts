import { makeFolder } from '@memory-read/test-kit/make-folder';
import { sampleRecord } from '@memory-read/test-kit/sample-memory';
import { expect, test } from 'vitest';
import { runCommand, runInTerminal } from './run-command.ts';
import { startMediaAccount } from './start-media-account.ts';

const plain = { NO_COLOR: '1', MEMORY_READ_PAGER: '' };
const title = '3 memories have these words:\n';
const ask = 'Which one? [1-3] ';

async function startHouse() {
  const account = await startMediaAccount(1_000);
  const names = ['Plumber', 'Insurer', 'Neighbour'];
  await account.put(
    ...names.map((name, index) => {
      const started_at = `2026-11-0${index + 1}T08:00:00Z`;
      const said = Array.from({ length: 60 }, (_, second) => ({
        speaker: `Speaker ${second % 2}`,
        start_at: new Date(Date.parse(started_at) + second * 1000).toISOString(),
        end_at: new Date(Date.parse(started_at) + (second + 1) * 1000).toISOString(),
        text: second === 41 + index ? 'It is a burst pipe.' : 'Rain.',
      }));
      const ended_at = `2026-11-0${index + 1}T08:01:00Z`;
      const media = { audio: { object_key: '1.wav', content_type: 'audio/wav' } };
      return sampleRecord({
        id: `mem_${name}`,
        name,
        started_at,
        ended_at,
        media,
        summary: null,
        transcript: { segments: said },
      });
    }),
  );
  const cwd = makeFolder();
  return { account, cwd, env: { ...account.env, ...plain } };
}

test.each([
  ['get', /\nInsurer\nID +mem_Insurer\n[\s\S]*\nFound +0:42 Speaker 0: It is a burst pipe\.\n[\s\S]*\nTranscript\n/],
  ['download audio', /Saved \S+\/2026-11-02 Insurer \w+\.wav \(/],
])('`%s "burst pipe"` asks which memory, again after a wrong answer', async (line, printed) => {
  const { env, cwd } = await startHouse();
  const [name = '', ...more] = line.split(' ');
  const command = runInTerminal([name, 'burst pipe', ...more], { env, cwd, columns: 100 });
  await command.until(ask);
  expect(command.shown()).toContain(title);
  expect(command.shown()).toMatch(/\n {2}1 {2}2026-11-03 08:00 {2}Neighbour {2}0:43 Speaker 1: It is a burst pipe\.\n/);
  for (const wrong of ['', '4', 'Insurer']) command.type(`${wrong}\r`);
  command.type('2\r');
  expect(await command.ended).toBe(0);
  expect(command.shown().split(ask)).toHaveLength(5);
  expect(command.shown()).toContain('\nUsing mem_Insurer: Insurer.\n');
  expect(command.shown()).toMatch(printed);
});

test.each([
  ['mem_', '3 ids begin with it:\n', '3', 'Using mem_Plumber.\n'],
  ['burst rain', title, '1', 'Using mem_Neighbour: Neighbour.\n'],
])('`get %s` asks which one', async (text, heading, answer, note) => {
  const { env } = await startHouse();
  const command = runInTerminal(['get', text], { env });
  await command.until(ask);
  command.type(`${answer}\r`);
  expect(await command.ended).toBe(0);
  expect(command.shown()).toContain(heading);
  expect(command.shown()).toContain(note);
});

test('the pager begins at the place that was found', async () => {
  const { env } = await startHouse();
  const MEMORY_READ_PAGER = 'sed -n "$(echo $LESS | tr -cd 0-9)p"';
  const command = runInTerminal(['get', 'burst plumber'], { env: { ...env, MEMORY_READ_PAGER } });
  expect(await command.ended).toBe(0);
  expect(command.shown()).toBe('Using mem_Plumber: Plumber.\n0:41  Speaker 1\n');
});

test('`get latest`, `digest` and `export` are readable on a terminal, and Markdown or JSON elsewhere', async () => {
  const { env, cwd } = await startHouse();
  const show = async (...args: string[]) => {
    const command = runInTerminal(args, { env, cwd });
    expect(await command.ended).toBe(0);
    return command.shown();
  };
  const using = 'Using mem_Neighbour: Neighbour.\n';
  expect(await show('get', 'latest')).toMatch(/^Using mem_Neighbour: Neighbour\.\nNeighbour\nID +mem_Neighbour\n/);
  expect(await runCommand(['get', 'latest'], { env, cwd })).toMatchObject({
    stdout: expect.stringMatching(/^\{"id":"mem_Neighbour"/),
    stderr: using,
  });
  expect(await show('digest', '--since', '2026-11')).toMatch(
    /^Memories\nFrom 2026-11-01 00:00 \(UTC\): 3 memories, [\s\S]*\n\nSunday, 1 November 2026\n\n08:00 {2}Plumber \(\d/,
  );
  expect((await runCommand(['digest', '--since', '2026-11'], { env, cwd })).stdout).toMatch(/^# Memories\n\nFrom /);
  expect(await show('export', 'latest')).toMatch(/\.\nSpeaker 0: Rain\.\n/);
  expect(await show('export', 'latest', '--output', 'talk.srt')).toBe(`${using}Saved talk.srt.\n`);
});
