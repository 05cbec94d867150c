import { expect } from 'vitest';
import { askAll, describeAsked } from './ask.ts';
import { cases } from './cases/groups.ts';
import { readGolden } from './golden.ts';
import type { ParityHost } from './hosts/parity-host.ts';

/** Sends all cases to the host, prints those that could not be sent, and expects the golden responses. */
export async function expectParity(host: ParityHost): Promise<void> {
  const asked = await askAll(host, cases);
  console.log(describeAsked(host, asked));
  const golden = readGolden();
  const notSent = new Set([...asked.refused.values()].flat());
  const titles = new Set([...golden.keys(), ...asked.answers.keys()]);
  // Compared as text, because the order of fields counts.
  const differ = [...titles].filter((title) => {
    const isEqual = JSON.stringify(asked.answers.get(title)) === JSON.stringify(golden.get(title));
    return !isEqual && !notSent.has(title);
  });
  const of = (answers: typeof golden) => differ.map((title) => ({ title, ...answers.get(title) }));
  expect(of(asked.answers), `${host.name}: if this is right by the specification, run npm run generate`).toEqual(
    of(golden),
  );
  expect(asked.answers.size, 'most of the requests can be sent').toBeGreaterThan(0.9 * cases.length);
}
