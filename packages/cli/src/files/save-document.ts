import { constants, openSync, readFileSync, realpathSync, statSync, writeFileSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { setTimeout } from 'node:timers/promises';
import { explainFileError, fileError, systemCodeOf } from './file-error.ts';
import { writeWholeFile } from './write-whole-file.ts';

interface SaveOptions {
  /** Permissions of the file. Default: those of the system. */
  mode?: number | undefined;
  /** Returns whether the text replaces a file with this content. Default: it replaces none. */
  replaces?: ((content: string) => boolean) | undefined;
}

/**
 * Writes a text to a new file atomically. A path that is not a regular file, such as a pipe, is written to directly.
 *
 * @throws CommandError if a file with other content exists; the reason of the signal if it aborts.
 */
export async function saveDocument(
  path: string,
  text: string,
  signal: AbortSignal,
  { mode, replaces = () => false }: SaveOptions = {},
): Promise<void> {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    if (found === undefined) writeWholeFile(path, text, undefined, mode);
    else if (found.isFIFO()) await writeToPipe(path, text, signal);
    else if (!found.isFile()) writeFileSync(path, text);
    else {
      const content = readFileSync(path, 'utf8');
      if (content === text) return;
      if (!replaces(content)) throw fileError(path, occupied, { action: 'save' });
      writeWholeFile(realpathSync(path), text, undefined, mode);
    }
  } catch (error) {
    signal.throwIfAborted();
    throw explainFileError(path, error);
  }
}

const occupied = 'the file exists with other content. Remove it, or pass another path.';

/** A write that blocks would keep the signals from ending the command. */
async function writeToPipe(path: string, text: string, signal: AbortSignal): Promise<void> {
  const { Socket } = await import('node:net');
  const pipe = new Socket({ fd: await openWhenRead(path, signal), readable: false, writable: true });
  await pipeline([text], pipe, { signal });
}

async function openWhenRead(path: string, signal: AbortSignal): Promise<number> {
  for (;;) {
    try {
      return openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
    } catch (error) {
      // The pipe has no reader yet.
      if (systemCodeOf(error) !== 'ENXIO') throw error;
    }
    await setTimeout(50, undefined, { signal });
  }
}
