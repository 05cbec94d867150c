import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { yieldToEventLoop } from '@memory-read/contract/event-loop';
import { digestFile } from '../files/digest-file.ts';
import type { FileRow } from '../files/file-rows.ts';
import { shortHash } from '../history/stored-memories.ts';

/** Bytes of the largest document that is searched for an id. */
const LARGEST_DOCUMENT = 64 * 1024 * 1024;

/** What a file of a purged memory has: the id in its text, or the bytes that were written. */
export interface SoughtFiles {
  /** Digits of the SHA-256 of the ids, as `shortHash` returns them. */
  ids: ReadonlySet<string>;
  rows: readonly FileRow[];
  /** Paths of files of other memories, relative to the folder. */
  others: ReadonlySet<string>;
}

/** Returns the files that the owner of a folder moved or copied: their paths, relative to `root`, with `/`. */
export async function findMovedFiles(
  root: string,
  part: string,
  { ids, rows, others }: SoughtFiles,
): Promise<string[]> {
  const digests = new Map(rows.map(({ stamp, written }) => [stamp.split(' ')[0] ?? '', written]));
  const found: string[] = [];
  for (const path of filesIn(join(root, part))) {
    await yieldToEventLoop();
    const name = relative(root, path).split(sep).join('/');
    if (others.has(name)) continue;
    const size = lstatSync(path, { throwIfNoEntry: false })?.size ?? 0;
    const id = size > LARGEST_DOCUMENT ? undefined : idIn(path);
    const written = digests.get(String(size));
    const isSought = id === undefined ? false : ids.has(shortHash(id));
    if (isSought || (written != null && (await digestFile(path))?.sha256 === written)) found.push(name);
  }
  return found;
}

/** Returns the regular files of a folder. Links are not followed. */
export function* filesIn(folder: string): Generator<string> {
  let entries: ReturnType<typeof list>;
  try {
    entries = list(folder);
  } catch {
    // A folder that is missing or cannot be read has no files of ours.
    return;
  }
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesIn(path);
    else if (entry.isFile()) yield path;
  }
}

function list(folder: string) {
  return readdirSync(folder, { withFileTypes: true });
}

/** Returns the id in the front matter of a page, or of a memory as JSON. */
function idIn(path: string): string | undefined {
  if (!/\.(md|json)$/i.test(path)) return undefined;
  try {
    const text = readFileSync(path, 'utf8');
    const json = path.endsWith('.md') ? `{"id":${/^---\n.*?\nid: (".*?")\n/s.exec(text)?.[1]}}` : text;
    const { id } = JSON.parse(json) as { id?: unknown };
    return typeof id === 'string' ? id : undefined;
  } catch {
    // The owner wrote something else into it.
    return undefined;
  }
}
