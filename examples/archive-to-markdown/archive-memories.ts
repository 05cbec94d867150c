import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import {
  isMemoryApiError,
  type MediaKind,
  type Memory,
  type MemoryClient,
  type WaitOptions,
} from '@memory-read/client';
import { saveMedia } from '@memory-read/client/node';
import { toVtt } from '@memory-read/client/transcript';
import { renderMemory } from './render-memory.ts';

/** Result of one run. */
export interface ArchiveReport {
  archived: number;
  /** Memories that failed or were not processed in time. The next run retries them. */
  left: { memoryId: string; reason: string }[];
}

/** Writes every memory of the account to a folder of its own as soon as it is processed. */
export async function archiveMemories(
  client: MemoryClient,
  folder: string,
  options: WaitOptions = {},
): Promise<ArchiveReport> {
  await mkdir(folder, { recursive: true });
  const report: ArchiveReport = { archived: 0, left: [] };
  const memories = await client.listMemories();
  const ids = memories.map(({ id }) => id);
  for await (const outcome of client.waitForMemories(ids, options)) {
    try {
      if (outcome.status !== 'processed') throw outcome.error;
      await archiveMemory(client, outcome.memory, await findFolder(folder, outcome.memory));
      report.archived += 1;
    } catch (error) {
      // Another error, such as a full disk, would affect the other memories too.
      if (!isMemoryApiError(error)) throw error;
      const memoryId = outcome.status === 'processed' ? outcome.memory.id : outcome.memoryId;
      report.left.push({ memoryId, reason: error.message });
    }
  }
  return report;
}

async function archiveMemory(client: MemoryClient, memory: Memory, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const media: string[] = [];
  for (const kind of ['audio', 'video', 'preview_image'] as const) {
    const file = mediaFile(memory, kind);
    if (file === undefined) continue;
    // A file with this name is complete: an incomplete download has another name, and is resumed.
    if (!existsSync(join(folder, file))) await saveMedia(client, memory.id, kind, join(folder, file));
    media.push(file);
  }
  await writeFile(join(folder, 'captions.vtt'), toVtt(memory));
  await writeFile(join(folder, 'README.md'), renderMemory(memory, media));
}

/** Returns the folder of an earlier run, even if the memory was renamed, or a new one. */
async function findFolder(archive: string, { id, name, started_at }: Memory): Promise<string> {
  // Ids and names are not safe in paths: they may be long, contain slashes or differ only in case.
  const mark = createHash('sha256').update(id).digest('hex').slice(0, 16);
  const known = (await readdir(archive)).find((folder) => folder.endsWith(`-${mark}`));
  const words = `${started_at.slice(0, 10)} ${name}`.match(/[\p{L}\p{N}]+/gu) ?? [];
  return join(archive, known ?? `${[...words.join('-')].slice(0, 50).join('')}-${mark}`);
}

function mediaFile(memory: Memory, kind: MediaKind): string | undefined {
  const url = memory[`${kind}_url`];
  if (url === null) return undefined;
  const [extension = ''] = /^\.[a-z0-9]{1,5}$/i.exec(extname(URL.parse(url)?.pathname ?? '')) ?? [];
  return `${kind}${extension}`;
}
