import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInMemoryStore } from '@memory-read/server';
import { root } from '@memory-read/test-kit/repository';
import { askAll } from './ask.ts';
import { cases } from './cases/groups.ts';
import { startServerHost } from './hosts/start-server-host.ts';
import type { Answer } from './normal-answer.ts';

/** A response, and the titles of all requests that must get it. */
interface GoldenRow {
  answer: Answer;
  requests: string[];
}

export const goldenPath = 'packages/integration-tests/src/parity/golden/answers.json';

/** Reads the golden responses by the titles of their requests. */
export function readGolden(): Map<string, Answer> {
  const rows: GoldenRow[] = JSON.parse(readFileSync(join(root, goldenPath), 'utf8'));
  return new Map(rows.flatMap(({ answer, requests }) => requests.map((title) => [title, answer])));
}

/** Returns the golden file for the current server over the in-memory store. */
export async function writeGolden(): Promise<string> {
  const host = await startServerHost('server over the in-memory store', createInMemoryStore());
  const { answers, refused } = await askAll(host, cases);
  await host.close();
  if (refused.size > 0) throw new Error(`Failed to write the golden answers: ${[...refused.keys()].join(', ')}.`);
  const rows = Map.groupBy(cases, ({ title }) => JSON.stringify(answers.get(title)));
  // Each request has its own line, so that a diff shows its previous response.
  const texts = Array.from(rows, ([answer, requests]) => {
    const titles = requests.map(({ title }) => JSON.stringify(title));
    return `{"answer":${answer},"requests":[\n  ${titles.join(',\n  ')}\n]}`;
  });
  return `[\n${texts.join(',\n')}\n]\n`;
}
