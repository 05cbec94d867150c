import { once } from 'node:events';
import { findMirror } from '../mirror/find-mirror.ts';
import { withMirror } from '../mirror/with-mirror.ts';
import type { ConnectionOptions } from '../options/connection-options.ts';
import type { MirrorOption } from '../options/mirror-option.ts';
import { connect } from '../options/open-client.ts';
import { readConnection } from '../options/read-connection.ts';
import type { CliProcess } from '../terminal/cli-process.ts';
import { CommandError, exitCodes } from '../terminal/command-error.ts';
import { abortOnInterruption } from '../terminal/interrupted-error.ts';
import { note } from '../terminal/note.ts';
import { rootAdvice } from '../terminal/root-advice.ts';
import { timeZoneOf } from '../times/time-zone-of.ts';

export interface ToolsOptions extends ConnectionOptions, MirrorOption {
  /** Name of the IANA database. Default: the time zone of the process. */
  timeZone?: string | undefined;
}

/** Serves the tools for assistants over standard input and output, until the input ends. */
export async function runTools({ mirror, ...options }: ToolsOptions): Promise<void> {
  const { process } = options;
  const timeZone = timeZoneOf(process, options.timeZone);
  const signal = abortOnInterruption(process);
  if (mirror === undefined) {
    const connection = await readConnection(options);
    checkRoot(process, connection.baseUrl);
    const { createLiveSource, serveMcpStdio } = await loadTools();
    const source = createLiveSource(await connect(connection));
    await untilInputEnds(process, () => serveMcpStdio({ source, timeZone }), signal);
  } else {
    const folder = findMirror(process, mirror);
    const { createMirrorSource, serveMcpStdio } = await loadTools();
    await withMirror({ folder, readOnly: true }, (opened) =>
      untilInputEnds(process, () => serveMcpStdio({ source: createMirrorSource(opened), timeZone }), signal),
    );
  }
  // A request that is still in flight would keep the process alive.
  process.exit();
}

/** A tool could only say that responses are invalid. */
function checkRoot(process: CliProcess, baseUrl: string): void {
  if (!baseUrl.endsWith('/v1')) return;
  throw new CommandError(exitCodes.usage, `Failed to use the base URL: it ends with /v1. ${rootAdvice(process)}`);
}

async function untilInputEnds(
  process: CliProcess,
  serve: () => { close(): Promise<void> },
  signal: AbortSignal,
): Promise<void> {
  const ended = Promise.race(['end', 'close'].map((event) => once(process.stdin, event, { signal })));
  if (process.stdin.isTTY) note('An assistant starts this command. Press Ctrl+C to stop.', { process });
  const server = serve();
  try {
    await ended;
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    await server.close();
  }
}

/** Returns the functions of the optional package. */
async function loadTools() {
  try {
    const [{ createLiveSource, createMirrorSource }, { serveMcpStdio }] = await Promise.all([
      import('@memory-read/mcp'),
      import('@memory-read/mcp/node'),
    ]);
    return { createLiveSource, createMirrorSource, serveMcpStdio };
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw cause;
    const problem =
      '@memory-read/mcp is not installed. Install it in the same way as @memory-read/cli: with npm install, npm install --global, or npx -p @memory-read/cli -p @memory-read/mcp memory-read mcp.';
    throw new CommandError(exitCodes.usage, `Failed to start the tools: ${problem}`, { cause });
  }
}
