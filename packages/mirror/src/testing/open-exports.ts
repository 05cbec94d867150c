import { existsSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { MemoryRecord } from '@memory-read/contract';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import { onTestFinished } from 'vitest';
import { type ExportFilesOptions, type ExportProgress, type Mirror, openMirror } from '../index.ts';
import { audio, openAccount, saidRecord } from './open-account.ts';
import { readFolder } from './read-folder.ts';

/** Media of a record with all kinds. */
export const allMedia: MemoryRecord['media'] = {
  ...audio,
  video: { object_key: 'mem_1/talk.mp4', content_type: 'video/mp4' },
  preview_image: { object_key: 'mem_1/talk.png', content_type: 'image/png' },
};

/** A mirror of an account, and a folder for its exports, which does not exist yet. */
export async function openExports() {
  const base = realpathSync(makeFolder());
  const account = await openAccount();
  const folder = join(base, 'talks');
  let mirror: Mirror = await openMirror({ folder: join(base, 'mirror') });
  onTestFinished(() => mirror.close());
  const pathOf = (name: string) => join(folder, name);
  return {
    base,
    account,
    folder,
    get mirror() {
      return mirror;
    },
    async reopen() {
      await mirror.close();
      mirror = await openMirror({ folder: join(base, 'mirror') });
    },
    /** Puts records into the account, and syncs the mirror. */
    async keep(...records: MemoryRecord[]) {
      await account.put(...records);
      return mirror.sync(account.clientOf('https://api.example.com'), { media: true, recheck: 100 });
    },
    /** Exports, and returns the report and the events that concern files. */
    async run(options: Partial<ExportFilesOptions> = {}, to = folder) {
      const events: ExportProgress[] = [];
      const report = await mirror.exportFiles(to, {
        ...(options.media === undefined && { formats: ['srt'] }),
        timeZone: 'UTC',
        onProgress: (event) => events.push(event),
        ...options,
      });
      const files = events.filter(({ type }) => type !== 'planned' && type !== 'memory');
      return { report, events, files };
    },
    /** Names of the files of the folder, without its mark. */
    names: (of = folder) =>
      existsSync(of)
        ? [...readFolder(of).keys()]
            .map((path) => path.slice(of.length + 1))
            .filter((name) => name !== '.memory-read-export')
            .sort()
        : [],
    pathOf,
    read: (name: string) => readFileSync(pathOf(name), 'utf8'),
    edit: (name: string, text: string) => writeFileSync(pathOf(name), text),
  };
}

/** A memory that is said in one text, as a record. */
export function talk(overrides: Partial<MemoryRecord> & { text?: string } = {}): MemoryRecord {
  const { text = 'Good morning.', ...record } = overrides;
  return saidRecord(record.id ?? 'mem_1', [text], { name: 'Stand-up', started_at: '2026-08-20T10:00:00Z', ...record });
}
