import { join } from 'node:path';
import type { MemoryClient } from '@memory-read/client';
import type { Memory } from '@memory-read/contract';
import { openMirror } from '@memory-read/mirror';
import { amount, type Finding, ratio } from '../measurement/finding.ts';
import type { Means, Row } from '../measurement/row.ts';
import { runRounds } from '../measurement/run-rounds.ts';
import { time } from '../measurement/time.ts';
import { accountOf, spokenAccount } from '../memories/spoken-memories.ts';

export const mirrorNaming: Row = {
  id: 'mirror-naming',
  title: 'Mirror: naming a speaker',
  method:
    'A naming is compared with the sync that writes the same memory without names, less its requests. Each naming replaces the name of a speaker who says a third of the memory.',
  async measure(means) {
    const findings = [
      ...(await measureNaming(means, Math.min(5_000, means.sizes.mirroredSegments))),
      ...(await measureNaming(means, 50)),
    ];
    return { findings };
  },
};

async function measureNaming({ folder, sizes }: Means, segments: number): Promise<Finding[]> {
  const [memory, other] = spokenAccount(2 * segments, 2).memories as [Memory, Memory];
  const accounts = [memory, withWordsOf(memory, other)].map((version) => accountOf([version]).client());
  const connect = (round: number) => accounts[round % 2] as MemoryClient;
  const open = (name: string) => openMirror({ folder: join(folder, `${name}-${segments}`) });
  const [named, written] = [await open('named'), await open('written')];
  for (const mirror of [named, written]) await mirror.sync(connect(0));
  let names = 0;
  let writes = 0;
  const { naming, write } = await runRounds(sizes.rounds, {
    naming: () => time(() => named.people.name(memory.id, 'Speaker 1', names++ % 2 === 0 ? 'Ada' : 'Grace')),
    write: async () => {
      writes += 1;
      const client = connect(writes);
      const requests = await time(async () => {
        await client.listMemories();
        await client.getMemory(memory.id);
      });
      return (await time(() => written.sync(client))) - requests;
    },
  });
  const versions = await written.history(memory.id);
  if (versions.length !== writes + 1) throw new Error('Failed to measure: a sync wrote no version.');
  for (const mirror of [named, written]) await mirror.close();
  const what = `${segments.toLocaleString('en')} segments`;
  return [
    amount(`A memory of ${what}`, 'ms', naming, { atMost: 1_500 }),
    ratio(`A memory of ${what}, against its write in a sync`, naming, write, { atMost: 2 }),
  ];
}

/** Returns a memory that was processed again: each text differs. A list shows it by the name. */
function withWordsOf(memory: Memory, other: Memory): Memory {
  const texts = other.transcript?.segments.map(({ text }) => text) ?? [];
  const segments =
    memory.transcript?.segments.map((segment, index) => ({ ...segment, text: texts[index] ?? '' })) ?? [];
  return { ...memory, name: other.name, transcript: { segments } };
}
