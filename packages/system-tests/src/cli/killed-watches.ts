import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import { expect } from 'vitest';
import { startCommandInto } from './run-command.ts';
import { listed, startAccount } from './start-account.ts';

/**
 * Watches an account that gets a memory with each poll, kills the watch at different moments, and resumes it.
 *
 * No change is lost, and a kill repeats the changes of at most one poll.
 */
export async function killWatches(kills: number): Promise<void> {
  const folder = makeFolder();
  const account = await startAccount([]);
  const output = join(folder, 'changes.jsonl');
  const args = ['watch', '--interval', '5ms', '--state', join(folder, 'state.json')];
  for (let kill = 0; kill <= kills; kill += 1) {
    const looks = 5 + (kill % 7);
    const enough = afterLooks(looks, account, kill === kills);
    const watch = startCommandInto(output, args, { env: account.env });
    await enough;
    watch.kill(kill === kills ? 'SIGINT' : 'SIGKILL');
    await once(watch, 'exit');
  }
  const added = wholeLines(readFileSync(output, 'utf8')).filter(({ type }) => type === 'added');
  const printed = added.map(({ memory }) => Number(memory.name));
  const total = account.memories.length;
  expect([...new Set(printed)]).toEqual(Array.from({ length: total }, (_item, index) => index + 1));
  expect(printed.length - total).toBeLessThanOrEqual(kills);
}

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
 * Resolves after this number of polls. The last watch gets two more polls without changes, so that it can print the
 * rest.
 */
function afterLooks(looks: number, account: Awaited<ReturnType<typeof startAccount>>, isLast: boolean): Promise<void> {
  return new Promise((resolve) => {
    let seen = 0;
    account.onRequest = () => {
      seen += 1;
      const number = account.memories.length + 1;
      const isNews = !isLast || seen < looks;
      if (isNews) account.memories = [listed({ id: `mem_${number}`, name: String(number) }), ...account.memories];
      // The pause varies, so that each kill hits another point of the loop.
      if (seen === looks + (isLast ? 2 : 0)) setTimeout(resolve, isLast ? 0 : (looks * 7) % 10);
    };
  });
}
