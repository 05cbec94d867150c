import { operations } from '@memory-read/contract/operations';
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
  /** The command that creates a key. */
  createKeyCommand: string;
  /** A memory for the example of the detail endpoint. */
  memoryId?: string | undefined;
  /** A memory that will be processed soon; with `--demo` only. */
  processingMemoryId?: string | undefined;
  /** The command to type, if it is not `memory-read`. */
  command?: string | undefined;
  /** Location of the memories. */
  place: string;
}

/** Returns the first line of standard output for programs, as JSON. */
export function formatReadyLine({ baseUrl, metricsUrl, apiKey, processingMemoryId }: ReadyMessage): string {
  return JSON.stringify({ event: 'ready', baseUrl, metricsUrl, apiKey, processingMemoryId });
}

/** Returns the banner for terminals: the URLs, and the next commands. */
export function formatReadyBanner(message: ReadyMessage): string {
  const { baseUrl, localUrl, metricsUrl, apiKey, place } = message;
  return [
    style(['bold', 'green'], `Memory Read API on ${baseUrl}`),
    '',
    ...(localUrl === baseUrl ? [] : [`  Listening on    ${localUrl}`]),
    `  API reference   ${style('cyan', `${baseUrl}/docs`)}`,
    `  OpenAPI         ${baseUrl}/openapi.json`,
    ...(metricsUrl === undefined ? [] : [`  Metrics         ${metricsUrl}`]),
    `  Memories in     ${visibleLine(place)}`,
    ...(apiKey === undefined ? nextStepsWithoutKey(message) : nextSteps(message, apiKey)),
    '',
    ...(apiKey === undefined ? [] : [...readFromTerminal(message, apiKey), '']),
    style('dim', 'Press Ctrl+C to stop.'),
  ].join('\n');
}

function nextStepsWithoutKey(message: ReadyMessage): string[] {
  return ['', style('bold', 'Make a key'), `  ${message.createKeyCommand}`];
}

function readFromTerminal(message: ReadyMessage, apiKey: string): string[] {
  const { baseUrl, memoryId, processingMemoryId, command = 'memory-read' } = message;
  return [
    style('bold', 'From another terminal'),
    `  export MEMORY_API_URL=${baseUrl} MEMORY_API_KEY=${apiKey}`,
    `  ${command} list`,
    ...(memoryId === undefined ? [] : [`  ${command} get ${shellQuoted(memoryId)}`]),
    ...(processingMemoryId === undefined ? [] : [`  ${command} wait ${shellQuoted(processingMemoryId)}`]),
  ];
}

function nextSteps({ baseUrl, memoryId }: ReadyMessage, apiKey: string): string[] {
  const curl = `  curl -H 'Authorization: Bearer ${apiKey}' ${baseUrl}${operations.listMemories.path}`;
  return [
    `  API key         ${style('yellow', apiKey)} (for 24 hours)`,
    '',
    style('bold', 'List the memories, read one'),
    curl,
    ...(memoryId === undefined ? [] : [`${curl}/${encodeURIComponent(memoryId)}`]),
    '',
    style('bold', 'From code, with @memory-read/client'),
    `  const client = new MemoryClient({ baseUrl: '${baseUrl}', apiKey: '${apiKey}' });`,
    '  const memories = await client.listMemories();',
  ];
}

/** Returns the command to type for `memory-read` when it was started through npm or npx. */
export function commandName({ npm_lifecycle_event: script }: Readonly<Record<string, string | undefined>>): string {
  if (script === undefined) return 'memory-read';
  return script === 'npx' ? 'npx @memory-read/cli' : 'npm run --silent memory-read --';
}
