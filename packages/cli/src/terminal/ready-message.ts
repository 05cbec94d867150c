import { operations } from '@memory-read/contract/operations';
import type { CliProcess } from './cli-process.ts';
import { fitToTerminal } from './fit-to-terminal.ts';
import { print } from './print.ts';
import { isForPeople } from './print-result.ts';
import { shellQuoted } from './shell-quoted.ts';
import { style } from './style.ts';
import { visibleLine } from './visible-text.ts';

/** Values that `serve` prints when it accepts requests. */
export interface ReadyMessage {
  /** Base URL for clients. */
  baseUrl: string;
  /** URL that the server listens on. Behind a proxy it differs from the base URL. */
  localUrl: string;
  /** URL of the metrics; with `--metrics-port` only. */
  metricsUrl?: string | undefined;
  /** API key of the demo account; with `--demo` only. */
  apiKey?: string | undefined;
  createKeyCommand: string;
  /** A memory that will be processed soon; with `--demo` only. */
  processingMemoryId?: string | undefined;
  /** The command to type, if it is not `memory-read`. */
  command?: string | undefined;
  /** Location of the memories. */
  place: string;
}

/** Returns the first line of standard output for programs, as JSON. */
export function formatReadyLine({ baseUrl, localUrl, metricsUrl, apiKey, processingMemoryId }: ReadyMessage): string {
  const listening = localUrl === baseUrl ? undefined : { localUrl };
  return JSON.stringify({ event: 'ready', baseUrl, ...listening, metricsUrl, apiKey, processingMemoryId });
}

/** Returns the banner for terminals: the URLs, and the next commands. */
export function formatReadyBanner(process: CliProcess, message: ReadyMessage): string {
  const { baseUrl, localUrl, metricsUrl, apiKey, place } = message;
  const facts = {
    Listening: localUrl === baseUrl ? undefined : localUrl,
    Reference: style(process, 'cyan', `${baseUrl}/docs`),
    Metrics: metricsUrl,
    'API key': apiKey && `${style(process, 'yellow', apiKey)}   (new at each start, valid for 24 hours)`,
    Data: visibleLine(place),
  };
  const next = apiKey === undefined ? createAKey(process, message) : tryIt(process, message, apiKey);
  return formatBanner(process, { title: `Memory Read API on ${baseUrl}`, facts, next });
}

/** What a mock prints when it accepts requests. */
export interface MockReadyMessage {
  baseUrl: string;
  mediaUrl: string;
  controlUrl: string;
  /** Whether the caller chose the key of the default space. */
  hasOwnKey: boolean;
}

/** Returns the banner of a mock. It has no key, because the screen may be shared. */
export function formatMockBanner(process: CliProcess, message: MockReadyMessage): string {
  const { baseUrl, mediaUrl: Media, controlUrl: Control, hasOwnKey } = message;
  const next = hasOwnKey
    ? ['The API key is that of --api-key.']
    : [style(process, 'bold', 'Read the API key:'), `  curl ${Control}/spaces/default`];
  return formatBanner(process, { title: `Memory Read mock on ${baseUrl}`, facts: { Media, Control }, next });
}

/** Prints the ready line, or the banner on a terminal. */
export async function printReady(process: CliProcess, line: string, banner: string): Promise<void> {
  await print(process, `${isForPeople({ process }) ? banner : line}\n`);
}

interface Banner {
  title: string;
  /** Values by their labels. */
  facts: Readonly<Record<string, string | undefined>>;
  /** Lines of what to do next. */
  next: readonly string[];
}

function formatBanner(process: CliProcess, { title, facts, next }: Banner): string {
  const lines = Object.entries(facts).flatMap(([label, value]) =>
    value === undefined ? [] : [`  ${label.padEnd(11)} ${value}`],
  );
  const head = [style(process, ['bold', 'green'], title), '', ...lines].join('\n');
  // A command that is wrapped could not be pasted.
  return [fitToTerminal(head, process.stdout), '', ...next, '', style(process, 'dim', 'Press Ctrl+C to stop.')].join(
    '\n',
  );
}

function createAKey(process: CliProcess, { createKeyCommand }: ReadyMessage): string[] {
  return [style(process, 'bold', 'Create a key:'), `  ${createKeyCommand}`];
}

function tryIt(
  process: CliProcess,
  { baseUrl, processingMemoryId, command = 'memory-read' }: ReadyMessage,
  apiKey: string,
): string[] {
  return [
    style(process, 'bold', 'Try it in another terminal:'),
    `  export MEMORY_API_URL=${baseUrl} MEMORY_API_KEY=${apiKey}`,
    `  ${command} list`,
    ...(processingMemoryId === undefined ? [] : [`  ${command} wait ${shellQuoted(processingMemoryId)}`]),
    `  curl -H "Authorization: Bearer $MEMORY_API_KEY" $MEMORY_API_URL${operations.listMemories.path}`,
  ];
}

/** Returns the command to type for `memory-read` when it was started through npm or npx. */
export function commandName({ npm_lifecycle_event: script }: Readonly<Record<string, string | undefined>>): string {
  if (script === undefined) return 'memory-read';
  return script === 'npx' ? 'npx @memory-read/cli' : 'npm run -s memory-read --';
}
