import { addAbortSignal } from 'node:stream';
import type { PeopleImport } from '@memory-read/mirror';
import { systemCodeOf } from '../files/file-error.ts';
import { openInput } from '../files/open-input.ts';
import { saveDocument } from '../files/save-document.ts';
import { outputPath } from '../output/output-path.ts';
import { CommandError, exitCodes } from '../terminal/command-error.ts';
import { abortOnInterruption } from '../terminal/interrupted-error.ts';
import { note } from '../terminal/note.ts';
import { print } from '../terminal/print.ts';
import { quantity } from '../terminal/quantity.ts';
import { visibleText } from '../terminal/visible-text.ts';
import { changePeople, type PeopleRun } from './run-people.ts';
import { readMirror } from './with-mirror.ts';

const fileName = 'people.jsonl';

/** Prints the names of a mirror as a file, or saves them. */
export async function exportPeople({ output, ...options }: PeopleRun & { output?: string }): Promise<void> {
  const { process } = options;
  const signal = abortOnInterruption(process);
  const text = await readMirror(options, async (mirror) => {
    const lines: string[] = [];
    for await (const line of mirror.people.export()) {
      signal.throwIfAborted();
      lines.push(line);
    }
    return lines.join('');
  });
  if (output === undefined || output === '-') {
    await print(process, process.stdout.isTTY ? visibleText(text) : text, signal);
    return;
  }
  const path = await outputPath(output, () => fileName);
  await saveDocument(path, text, signal, { mode: 0o600, replaces: isPeopleFile });
  if (process.stderr.isTTY) note(`Saved ${path}.`, options);
}

/** A new export replaces an earlier one, as in a repository. It does not replace one that `import` rejects, such as one with conflict marks. */
function isPeopleFile(text: string): boolean {
  const [header, ...lines] = text
    .replace(/^\uFEFF/, '')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map(fieldsOf);
  const isHeader = header?.format === 'memory-read people' && header.version === 1;
  return isHeader && lines.every((fields) => fields?.me !== undefined || fields?.memory !== undefined);
}

/** Returns the fields of a line of JSON; undefined if it is not JSON. */
function fieldsOf(line: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** Imports a file of names, or standard input. */
export async function importPeople(file: string, options: PeopleRun): Promise<void> {
  const signal = abortOnInterruption(options.process);
  const stream = file === '-' ? options.process.stdin : await openFile(file);
  addAbortSignal(signal, stream);
  try {
    await changePeople(options, async ({ people }) => {
      const counts = await people.import(textOf(stream, file));
      return { json: { event: 'imported', ...counts }, text: describe(counts) };
    });
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    stream.destroy();
  }
}

async function openFile(file: string) {
  try {
    return (await openInput(file)).stream;
  } catch (cause) {
    throw unreadable(file, cause);
  }
}

function unreadable(file: string, cause: unknown): unknown {
  const code = systemCodeOf(cause);
  if (code === undefined) return cause;
  const problem = `${JSON.stringify(file)} cannot be read (${code}). Pass a file of people export.`;
  return new CommandError(exitCodes.failed, `Failed to import the names: ${problem}`, { cause });
}

async function* textOf(chunks: AsyncIterable<Uint8Array>, file: string): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    for await (const chunk of chunks) yield decoder.decode(chunk, { stream: true });
    yield decoder.decode();
  } catch (cause) {
    if (Object(cause).code !== 'ERR_ENCODING_INVALID_ENCODED_DATA') throw unreadable(file, cause);
    const problem = 'the file is not valid UTF-8. Save it as UTF-8. Nothing was imported.';
    throw new CommandError(exitCodes.failed, `Failed to import the names: ${problem}`, { cause });
  }
}

function describe({ changed, unchanged, skipped, waiting, doubtful }: PeopleImport): string {
  const parts = [`${quantity(changed, 'line', 'lines')} imported`];
  if (unchanged > 0) {
    const reason = 'because the mirror has the same decision or a newer one';
    parts.push(`${quantity(unchanged, 'line', 'lines')} left out, ${reason}`);
  }
  if (skipped > 0) parts.push(`${quantity(skipped, 'line', 'lines')} of purged memories skipped`);
  if (waiting > 0) parts.push(quantity(waiting, 'line waits for its memory', 'lines wait for their memories'));
  if (doubtful > 0) {
    parts.push(`${quantity(doubtful, 'name is', 'names are')} doubtful: see memory-read people list --doubtful`);
  }
  return `${parts.join('; ')}.`;
}
