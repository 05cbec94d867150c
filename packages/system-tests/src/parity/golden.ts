import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../repository.ts';
import type { Answer } from './normal-answer.ts';
import type { ParityCase, ParityGroup } from './parity-case.ts';

/** A line of a golden file: what was asked, and what is to come back. */
export type GoldenLine = { title: string; request: string; sent?: object } & Answer;

export const goldenFolder = join(root, 'packages', 'system-tests', 'src', 'parity', 'golden');

export const goldenAdvice =
  'An answer is another one than in packages/system-tests/src/parity/golden. If that is right by the specification, run node --conditions=@memory-read/source packages/system-tests/src/parity/write-golden.ts and review its diff.';

/** The lines of a group. */
export function readGolden({ name }: ParityGroup): GoldenLine[] {
  const lines = readFileSync(join(goldenFolder, `${name}.jsonl`), 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line));
}

export function writeGolden({ name }: ParityGroup, lines: readonly GoldenLine[]): void {
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  writeFileSync(join(goldenFolder, `${name}.jsonl`), text);
}

export function toGoldenLine(parityCase: ParityCase, answer: Answer): GoldenLine {
  const { title, method, path, headers, body, replace, afterSeconds } = parityCase;
  const sent = {
    ...(headers?.length && { headers: headers.map((pair) => pair.join(': ')) }),
    ...(body !== undefined && { body }),
    ...(replace && { replace }),
    ...(afterSeconds !== undefined && { afterSeconds }),
  };
  return { title, request: `${method} ${path}`, ...(Object.keys(sent).length > 0 && { sent }), ...answer };
}
