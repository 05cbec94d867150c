import { existsSync, readFileSync, statSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fold, isAnyPart } from '@memory-read/client/search';
import { yieldToEventLoop } from '@memory-read/contract/event-loop';
import { stampOf } from '../files/digest-file.ts';
import { filesIn, LARGEST_DOCUMENT } from '../purge/find-moved-files.ts';

/**
 * Returns the files of the folder of a mirror that contain one of these names, or have it in their path: pages, captions and notes
 * beside them. Paths are relative to the folder, with `/`. Files that have one of the `others` stamps at its path are
 * left out.
 */
export async function findNamedFiles(
  folder: string,
  names: readonly string[],
  others: ReadonlyMap<string, string>,
): Promise<string[]> {
  const tests = names.map(nameTest);
  const hasName = (text: string) => tests.some((test) => test(text));
  const found: string[] = [];
  for (const file of candidates(folder)) {
    await yieldToEventLoop();
    const path = relative(folder, file).split(sep).join('/');
    if (others.get(path) === stampOf(file)) continue;
    if (hasName(path) || hasName(textOf(file))) found.push(path);
  }
  return found;
}

function* candidates(folder: string): Generator<string> {
  if (existsSync(join(folder, 'index.html'))) yield join(folder, 'index.html');
  for (const part of ['pages', 'index', 'media']) {
    for (const file of filesIn(join(folder, part))) {
      // Recordings are large, and contain no name that the mirror wrote.
      if (part !== 'media' || file.endsWith('.vtt')) yield file;
    }
  }
}

/** Returns the text of a file; an empty one if it is large or cannot be read. */
function textOf(file: string): string {
  try {
    return statSync(file).size > LARGEST_DOCUMENT ? '' : readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

/** Returns whether a text contains the words of a name next to each other, also in links and HTML. */
function nameTest(name: string): (text: string) => boolean {
  const words = fold(name).trim();
  if (words === '') return (text) => text.includes(name);
  // A run of a script without spaces can continue on both sides.
  const [start, end] = [words, [...words].at(-1) ?? ''].map((part) => (isAnyPart(part) ? '' : ' '));
  return (text) => fold(withoutEscapes(text)).includes(`${start}${words}${end}`);
}

function withoutEscapes(text: string): string {
  return text.replace(/&#?\w+;/g, ' ').replace(/(?:%[0-9a-f]{2})+/gi, (bytes) => {
    return Buffer.from(bytes.replaceAll('%', ''), 'hex').toString();
  });
}
