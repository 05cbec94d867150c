import { styleText } from 'node:util';

/** What `serve` tells once it listens. */
export interface ReadyMessage {
  /** For clients. */
  baseUrl: string;
  /** Where it listens; another one than the base URL behind a proxy. */
  localUrl: string;
  /** With `--demo` only. */
  apiKey?: string | undefined;
  /** A memory to try the detail endpoint with. */
  memoryId?: string | undefined;
  /** Where the memories are kept. */
  place: string;
}

/** For programs: one line of JSON, the first on standard output. */
export function formatReadyLine({ baseUrl, apiKey }: ReadyMessage): string {
  return JSON.stringify({ event: 'ready', baseUrl, apiKey });
}

/** For people: what runs where, and what to type next. */
export function formatReadyBanner(message: ReadyMessage): string {
  const { baseUrl, localUrl, apiKey, place } = message;
  return [
    styleText(['bold', 'green'], `Memory Read API on ${baseUrl}`),
    '',
    ...(localUrl === baseUrl ? [] : [`  Listening on    ${localUrl}`]),
    `  API reference   ${styleText('cyan', `${baseUrl}/docs`)}`,
    `  OpenAPI         ${baseUrl}/openapi.json`,
    `  Memories in     ${place}`,
    ...(apiKey === undefined ? nextStepsWithoutKey : nextSteps(message, apiKey)),
    '',
    styleText('dim', 'Ctrl+C ends the server.'),
  ].join('\n');
}

const nextStepsWithoutKey = ['', styleText('bold', 'Make a key'), '  memory-read keys create --account USER_ID'];

function nextSteps({ baseUrl, memoryId }: ReadyMessage, apiKey: string): string[] {
  const curl = `  curl -H 'Authorization: Bearer ${apiKey}' ${baseUrl}/v1/memories`;
  return [
    `  API key         ${styleText('yellow', apiKey)}`,
    '',
    styleText('bold', 'List the memories, read one'),
    curl,
    ...(memoryId === undefined ? [] : [`${curl}/${encodeURIComponent(memoryId)}`]),
    '',
    styleText('bold', 'From code, with @memory-read/client'),
    `  const client = new MemoryClient({ baseUrl: '${baseUrl}', apiKey: '${apiKey}' });`,
    '  const memories = await client.listMemories();',
  ];
}
