import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInMemoryStore } from '@memory-read/server';
import { root } from '@memory-read/test-kit/repository';
import { answersOf } from '../answers-of.ts';
import { allCases } from '../cases/all-cases.ts';
import { startServerHost } from '../hosts/start-server-host.ts';
import type { Answer } from '../normal-answer.ts';

export const goldenPath = 'packages/integration-tests/src/parity/golden/answers.json';

/** Reads the golden responses by the titles of their requests. */
export function readGolden(): Map<string, Answer> {
  const rows: { answer: Answer; requests: string[] }[] = JSON.parse(readFileSync(join(root, goldenPath), 'utf8'));
  return new Map(rows.flatMap(({ answer, requests }) => requests.map((title) => [title, answer])));
}

/** Returns the golden file for the current server over the in-memory store. */
export async function writeGolden(): Promise<string> {
  const host = await startServerHost('server over the in-memory store', createInMemoryStore());
  const answers = await answersOf(host);
  await host.close();
  const rows = Map.groupBy(allCases, ({ title }) => JSON.stringify(answers.get(title)));
  // Each request has its own line, so that a diff shows its previous response.
  const texts = Array.from(rows, ([answer, requests]) => {
    const titles = requests.map(({ title }) => JSON.stringify(title));
    return `{"answer":${answer},"requests":[\n  ${titles.join(',\n  ')}\n]}`;
  });
  return `[\n${texts.join(',\n')}\n]\n`;
}
