import { expect } from 'vitest';
import { answersOf } from './answers-of.ts';
import { allCases } from './cases/all-cases.ts';
import { readGolden } from './golden/golden-answers.ts';
import type { ParityHost } from './hosts/parity-host.ts';

/** Sends all cases to the host, and expects the golden responses of those that it can be sent. */
export async function expectParity(host: ParityHost): Promise<void> {
  const answers = await answersOf(host);
  const golden = readGolden();
  console.log(`${host.name}: ${answers.size} of ${allCases.length} requests answered`);
  // Compared as text, because the order of fields counts.
  const differ = [...answers].filter(([title, answer]) => JSON.stringify(answer) !== JSON.stringify(golden.get(title)));
  expect(
    differ.map(([title, answer]) => ({ title, ...answer })),
    `${host.name}: if this is right by the specification, run npm run generate`,
  ).toEqual(differ.map(([title]) => ({ title, ...golden.get(title) })));
  expect(answers.size).toBeGreaterThan(0.9 * allCases.length);
  expect([...golden.keys()].sort(), 'the golden file has each request once').toEqual(
    allCases.map(({ title }) => title).sort(),
  );
}
