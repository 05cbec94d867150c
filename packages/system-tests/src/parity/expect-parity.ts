import { expect } from 'vitest';
import { askAll, describeAsked } from './ask.ts';
import { groups } from './cases/groups.ts';
import { differences } from './compare.ts';
import { goldenAdvice } from './golden.ts';
import type { ParityHost } from './hosts/parity-host.ts';

/** Asks the host everything, prints what could not be sent to it, and expects the answers of the golden files. */
export async function expectParity(host: ParityHost): Promise<void> {
  const asked = await askAll(
    host,
    groups.flatMap(({ cases }) => cases),
  );
  console.log(describeAsked(host, asked));
  const all = groups.map((group) => differences(group, asked));
  const about = `${host.name}: ${goldenAdvice}`;
  expect(
    all.flatMap(({ found }) => found),
    about,
  ).toEqual(all.flatMap(({ golden }) => golden));
  const count = groups.reduce((sum, { cases }) => sum + cases.length, 0);
  expect(asked.answers.size, 'most of the requests can be sent').toBeGreaterThan(0.9 * count);
}
