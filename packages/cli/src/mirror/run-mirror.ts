import type { MediaKind } from '@memory-read/client';
import type { SyncOptions } from '@memory-read/mirror';
import type { ConnectionOptions } from '../options/connection-options.ts';
import { openClient } from '../options/open-client.ts';
import type { OutputOptions } from '../terminal/output-options.ts';
import { commandOn, findIndex } from './find-mirror.ts';
import { runWithReport } from './run-with-report.ts';
import { withMirrorOfRun } from './with-mirror.ts';

export interface MirrorRun
  extends Pick<SyncOptions, 'missing' | 'allowEmpty' | 'recheck' | 'adopt' | 'concurrency'>,
    ConnectionOptions,
    OutputOptions {
  folder: string;
  media: readonly MediaKind[];
  since?: Date | undefined;
  until?: Date | undefined;
  /** Whether to write Markdown pages and `index.html`. */
  pages: boolean;
  dryRun: boolean;
}

/** Syncs a mirror, writes its pages, and prints the result. */
export async function runMirror({ folder, pages, ...run }: MirrorRun): Promise<void> {
  const { media, missing, allowEmpty, recheck, adopt, concurrency, since, until, dryRun } = run;
  const ending = () => {
    const index = findIndex(folder);
    return {
      json: { index },
      text: index && !dryRun ? `\nOpen it: ${commandOn(run.process, folder, 'open')}` : '',
    };
  };
  await runWithReport({ ...run, folder, event: 'mirrored', ending }, async (report, signal) => {
    const client = await openClient(run);
    const onProgress: SyncOptions['onProgress'] = (event) => report.follow(event);
    const sync = { media, missing, allowEmpty, recheck, adopt, concurrency, since, until, dryRun, onProgress, signal };
    await withMirrorOfRun({ ...run, folder }, report, async (mirror) => {
      report.end(await mirror.sync(client, sync));
      if (pages && !dryRun) report.endPages(await mirror.writePages({ signal }));
      report.warnOfLog();
    });
  });
}
