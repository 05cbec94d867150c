import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { MemoryClient } from '@memory-read/client';
import { type Mirror, openMirror } from '@memory-read/mirror';
import { launchChromium } from '@memory-read/system-tests/runtimes/browser/launch-chromium';
import { exactly, type Finding, type Means, type Row } from '../measurement/row.ts';
import { runRounds } from '../measurement/run-rounds.ts';
import { pairedDifference, spreadOf } from '../measurement/statistics.ts';
import { time } from '../measurement/time.ts';
import { spokenAccount, usualWords } from '../memories/spoken-memories.ts';

const purges = 3;

export const mirrorSync: Row = {
  id: 'mirror-sync',
  title: 'Mirror: a sync, a purge and the pages',
  method:
    'The same segments are in many memories and in few. The server is a function of the same process. The requests alone are measured with the same concurrency, and their time is subtracted. Each memory is one transaction, which is synced to the disk. A purge includes the removal of all freed bytes. Chromium opens `index.html` from the disk. The time ends when it shows the first memories.',
  async measure(means) {
    const { mirroredSegments } = means.sizes;
    const findings = [
      ...(await measureMirror(means, mirroredSegments / 50)),
      ...(await measureMirror(means, Math.max(1, mirroredSegments / 5_000))),
    ];
    return {
      findings,
      notes: [`${mirroredSegments.toLocaleString('en')} segments.`],
      explanation:
        'An unchanged sync parses the stored list data of each memory. The versions take a third of the database, the texts of the turns another third, and the index the rest.',
    };
  },
};

async function measureMirror({ folder, sizes }: Means, memories: number): Promise<Finding[]> {
  const { bytes, client: connect } = spokenAccount(sizes.mirroredSegments, memories);
  const own = join(folder, `sync-${memories}`);
  mkdirSync(own);
  const client = connect();
  const requests = await time(() => readAll(client));
  let mirror = await openMirror({ folder: own });
  const first = await time(() => mirror.sync(client));
  await mirror.close();
  const size = statSync(join(own, 'mirror.sqlite')).size;
  mirror = await openMirror({ folder: own });
  const { sync, list } = await runRounds(sizes.longRounds, {
    sync: () => time(() => mirror.sync(client)),
    list: () => time(() => client.listMemories()),
  });
  const pages = await time(() => mirror.writePages({ timeZone: 'UTC' }));
  const { opened, found } = await openPages(own, sizes.longRounds);
  const purged = await purgeSome(mirror);
  await mirror.close();
  const of = `${memories.toLocaleString('en')} ${memories === 1 ? 'memory' : 'memories'}`;
  return [
    {
      what: `${of}: first sync, beyond the requests`,
      value: exactly((first - requests) / 1_000),
      unit: 's',
      goal: { atMost: 30 },
    },
    {
      what: `${of}: unchanged sync, beyond the request`,
      value: pairedDifference(sync, list),
      unit: 'ms',
      goal: { atMost: 100 },
    },
    { what: `${of}: database, against their JSON`, value: exactly(size / bytes), unit: '×', goal: { atMost: 3.5 } },
    {
      what: `${of}: purge of one`,
      value: spreadOf(purged.map((each) => each / 1_000)),
      unit: 's',
      goal: { atMost: 3 },
    },
    { what: `${of}: all pages and \`index.html\``, value: exactly(pages / 1_000), unit: 's' },
    { what: `${of}: opening \`index.html\``, value: spreadOf(opened), unit: 'ms', goal: { atMost: 1_000 } },
    { what: `${of}: first hits of a search in \`index.html\``, value: spreadOf(found), unit: 'ms' },
  ];
}

/** Reads all details, four at a time as a sync does. */
async function readAll(client: MemoryClient): Promise<void> {
  const listed = await client.listMemories();
  let next = 0;
  const reader = async () => {
    while (next < listed.length) await client.getMemory(listed[next++]?.id ?? '');
  };
  await Promise.all([reader(), reader(), reader(), reader()]);
}

async function openPages(folder: string, rounds: number): Promise<{ opened: number[]; found: number[] }> {
  const chromium = await launchChromium();
  const opened: number[] = [];
  const found: number[] = [];
  try {
    for (let round = 0; round < rounds; round += 1) {
      const page = await chromium.browser.newPage();
      const url = pathToFileURL(join(folder, 'index.html')).href;
      opened.push(
        await time(async () => {
          await page.goto(url, { timeout: 120_000 });
          await page.locator('.row').first().waitFor();
        }),
      );
      found.push(
        await time(async () => {
          await page.goto(`${url}#/search/${usualWords[0]}`);
          await page.locator('.hit').first().waitFor({ timeout: 120_000 });
        }),
      );
      await page.close();
    }
  } finally {
    await chromium.close();
  }
  return { opened, found };
}

async function purgeSome(mirror: Mirror): Promise<number[]> {
  const { memories } = await mirror.listMemories({ limit: purges });
  const times: number[] = [];
  for (const { memory } of memories) times.push(await time(() => mirror.purge(memory.id)));
  return times;
}
