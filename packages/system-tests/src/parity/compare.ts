import type { Asked } from './ask.ts';
import { readGolden, toGoldenLine } from './golden.ts';
import type { ParityGroup } from './parity-case.ts';

/** What was answered otherwise than the golden file has it, and what it has: two values whose difference shows both. */
export function differences(group: ParityGroup, { answers, refused }: Asked): { found: unknown[]; golden: unknown[] } {
  const golden = new Map(readGolden(group).map((line) => [line.title, line]));
  const notSent = new Set([...refused.values()].flat());
  const [found, expected]: [unknown[], unknown[]] = [[], []];
  for (const parityCase of group.cases) {
    const answer = answers.get(parityCase.title);
    const line = golden.get(parityCase.title);
    golden.delete(parityCase.title);
    if (notSent.has(parityCase.title)) continue;
    const actual = answer && JSON.parse(JSON.stringify(toGoldenLine(parityCase, answer)));
    if (JSON.stringify(actual) === JSON.stringify(line)) continue;
    found.push(actual);
    expected.push(line);
  }
  // What nobody asks any more.
  expected.push(...golden.values());
  return { found, golden: expected };
}
