import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { MemoryClient } from '@memory-read/client';
import { openMirror } from '@memory-read/mirror';
import { launchChromium } from '@memory-read/system-tests/runtimes/browser/launch-chromium';
import { amount, difference, type Finding } from '../measurement/finding.ts';
import type { Means, Row } from '../measurement/row.ts';
import { runRounds } from '../measurement/run-rounds.ts';
import { time } from '../measurement/time.ts';
import { spokenAccount, usualWords } from '../memories/spoken-memories.ts';

const purges = 3;

export const mirrorSync: Row = {
  id: 'mirror-sync',
  title: 'Mirror: a sync, a purge, the pages and an export',
  method:
    'The same segments are in many memories and in few. The time of the requests is subtracted. A purge removes all freed bytes. An export writes one Markdown file for each memory. Chromium opens `index.html` from the disk, until it shows the first memories or hits.',
  async measure(means) {
    const { mirroredSegments } = means.sizes;
    const findings = [
      ...(await measureMirror(means, mirroredSegments / 50)),
      ...(await measureMirror(means, Math.max(1, mirroredSegments / 5_000))),
    ];
    return {
      findings,
      notes: [`${mirroredSegments.toLocaleString('en')} segments.`],
      explanation: 'An unchanged sync parses the stored list data of each memory.',
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
  const talks = join(folder, `exports-${memories}`);
  const exported = await time(() => mirror.exportFiles(talks, { formats: ['markdown'], timeZone: 'UTC' }));
  const { opened, found } = await openPages(own, sizes.longRounds);
  const purged: number[] = [];
  const newest = await mirror.listMemories({ limit: purges });
  for (const { memory } of newest.memories) purged.push(await time(() => mirror.purge(memory.id)));
  await mirror.close();
  const of = `${memories.toLocaleString('en')} ${memories === 1 ? 'memory' : 'memories'}`;
  return [
    amount(`${of}: first sync, beyond the requests`, 's', (first - requests) / 1_000, { atMost: 30 }),
    difference(`${of}: unchanged sync, beyond the request`, sync, list, { atMost: 100 }),
    amount(`${of}: database, against their JSON`, '×', size / bytes, { atMost: 3.5 }),
    amount(
      `${of}: purge of one`,
      's',
      purged.map((milliseconds) => milliseconds / 1_000),
      { atMost: 3 },
    ),
    amount(`${of}: first export, against the first pages`, '×', exported / pages, { atMost: 1.5 }),
    amount(`${of}: opening \`index.html\``, 'ms', opened, { atMost: 1_000 }),
    amount(`${of}: first hits in \`index.html\``, 'ms', found, { atMost: 1_000 }),
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

async function openPages(folder: string, rounds: number): Promise<Record<'opened' | 'found', number[]>> {
  const chromium = await launchChromium();
  const url = pathToFileURL(join(folder, 'index.html')).href;
  const opened: number[] = [];
  const found: number[] = [];
  try {
    for (let round = 0; round < rounds; round += 1) {
      const page = await chromium.browser.newPage();
      const timeUntil = (address: string, shown: string) =>
        time(async () => {
          await page.goto(address, { timeout: 120_000 });
          await page.locator(shown).first().waitFor({ timeout: 120_000 });
        });
      opened.push(await timeUntil(url, '.row'));
      found.push(await timeUntil(`${url}#/search/${usualWords[0]}`, '.hit'));
      await page.close();
    }
  } finally {
    await chromium.close();
  }
  return { opened, found };
}
