import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import { runCounts } from '@memory-read/test-kit/run-counts';
import { expect, test } from 'vitest';
import { startCommandInto } from './run-command.ts';
import { type Account, listed, startAccount } from './start-account.ts';

const kills = runCounts.killedWatches.full;

test('loses no change when a watch is killed many times, and repeats at most one poll per kill', {
  timeout: 180_000,
}, async () => {
  const folder = makeFolder();
  const account = await startAccount([]);
  const output = join(folder, 'changes.jsonl');
  const args = ['watch', '--interval', '5ms', '--state', join(folder, 'state.json')];
  for (let kill = 0; kill <= kills; kill += 1) {
    const enough = afterPolls(5 + (kill % 7), account, kill === kills);
    const watch = startCommandInto(output, args, { env: account.env });
    await enough;
    watch.kill(kill === kills ? 'SIGINT' : 'SIGKILL');
    await once(watch, 'exit');
  }
  const printed = wholeLines(readFileSync(output, 'utf8')).flatMap(({ type, memory }) =>
    type === 'added' ? [Number(memory.name)] : [],
  );
  const total = account.memories.length;
  expect([...new Set(printed)]).toEqual(Array.from({ length: total }, (_item, index) => index + 1));
  expect(printed.length - total).toBeLessThanOrEqual(kills);
});

/** Returns the changes without lines that a kill has cut. */
function wholeLines(text: string) {
  return text
    .trimEnd()
    .split('\n')
    .flatMap((line) => {
      try {
        return [JSON.parse(line)];
      } catch {
        return [];
      }
    });
}

/**
 * Adds a memory with each poll, and resolves after this number of polls. The last watch gets two more polls without
 * changes, so that it can print the rest.
 */
function afterPolls(count: number, account: Account, isLast: boolean): Promise<void> {
  return new Promise((resolve) => {
    let polls = 0;
    account.onRequest = () => {
      polls += 1;
      const number = account.memories.length + 1;
      const isNews = !isLast || polls < count;
      if (isNews) account.memories = [listed({ id: `mem_${number}`, name: String(number) }), ...account.memories];
      // The pause varies, so that each kill hits another point of the loop.
      if (polls === count + (isLast ? 2 : 0)) setTimeout(resolve, isLast ? 0 : (count * 7) % 10);
    };
  });
}
