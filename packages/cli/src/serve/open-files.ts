import { closeSync, openSync } from 'node:fs';
// What a test passes as its process cannot have another limit than the process itself.
import { report } from 'node:process';

/** Open files of a server besides its connections. */
const otherFiles = 200;

/** Returns a warning if the process cannot open as many files as it may need. */
export function openFilesWarning(maxConnections: number, limit = openFileLimit()): string | undefined {
  const needed = maxConnections + otherFiles;
  if (limit === undefined || limit >= needed) return undefined;
  return `This process can open ${limit} files, but ${maxConnections} connections need about ${needed}. Raise ulimit -n or LimitNOFILE, or lower --max-connections.`;
}

/**
 * Returns how many files the process can open; undefined if that is not limited. Node has raised the limit as far as it
 * may.
 */
function openFileLimit(): number | undefined {
  const { userLimits }: Limits = report.getReport();
  const limit = userLimits?.open_files?.soft;
  return typeof limit === 'number' ? limit : undefined;
}

/** A part of the report of Node. Windows has no limits, and an endless one is a text. */
interface Limits {
  userLimits?: { open_files?: { soft?: number | string } };
}

const checkMs = 1_000;
const pauseMs = 60_000;

/**
 * Reports while no file can be opened, at most once a minute. Returns a function that ends this.
 *
 * libuv closes the connections that it cannot accept without telling Node, so a file is opened every second.
 */
export function watchOpenFiles(onExhausted: (message: string) => void, openFile = openAnyFile): () => void {
  let reportedAt = Number.NEGATIVE_INFINITY;
  const watching = setInterval(() => {
    const message = exhaustionOf(openFile());
    if (message === undefined || performance.now() - reportedAt < pauseMs) return;
    reportedAt = performance.now();
    onExhausted(message);
  }, checkMs).unref();
  return () => clearInterval(watching);
}

/** Returns the error if the file cannot be opened. */
function openAnyFile(): unknown {
  try {
    closeSync(openSync('/dev/null', 'r'));
    return undefined;
  } catch (error) {
    return error;
  }
}

const exhaustions: Record<string, string> = {
  EMFILE:
    'this process has opened as many files as it may (EMFILE). Raise ulimit -n or LimitNOFILE, or lower --max-connections.',
  ENFILE: 'this machine has opened as many files as it may (ENFILE). Raise fs.file-max, or stop other programs.',
};

/** Returns a message for the error if it is caused by too many open files. */
export function exhaustionOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const { code = '', cause } = error as NodeJS.ErrnoException;
  const reason = exhaustions[code];
  return reason === undefined ? exhaustionOf(cause) : `Failed to open a file or a connection: ${reason}`;
}
