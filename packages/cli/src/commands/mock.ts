import { parseDateTime } from '@memory-read/contract/date-time';
import { type MockServer, startMockServer } from '@memory-read/msw/server';
import type { Command } from 'commander';
import { readKey } from '../options/read-key.ts';
import { onFreePort } from '../serve/on-free-port.ts';
import { parseHost, parsePort, parsePorts } from '../serve/serve-arguments.ts';
import type { CliProcess } from '../terminal/cli-process.ts';
import { CommandError, exitCodes, usageError } from '../terminal/command-error.ts';
import { formatMockBanner, printReady } from '../terminal/ready-message.ts';
import { aborted, runUntilInterrupted } from '../terminal/run-until-interrupted.ts';

interface MockOptions {
  process: CliProcess;
  port?: number | undefined;
  controlPort?: number | undefined;
  mediaPort?: number | undefined;
  host: string;
  controlHost: string;
  publicHost?: string | undefined;
  spacePorts?: readonly [first: number, last: number] | undefined;
  apiKey?: string | undefined;
  seed?: string | number | undefined;
  now?: string | undefined;
}

const port = (option: string) => (text: string) => parsePort(text, option);

export function define(command: Command): void {
  command
    .option('--port <number>', 'port of the API (default: 8790 or the next free one)', port('--port'))
    .option(
      '--control-port <number>',
      'port of the control API (default: 8791 or the next free one)',
      port('--control-port'),
    )
    .option('--media-port <number>', 'port of the media (default: a free one)', port('--media-port'))
    .option('--host <address>', 'address of the API and the media', (text) => parseHost(text), '127.0.0.1')
    .option(
      '--control-host <address>',
      'address of the control API',
      (text) => parseHost(text, '--control-host'),
      '127.0.0.1',
    )
    .option('--public-host <name>', 'name of this machine in URLs (default: the address)')
    .option('--space-ports <first>-<last>', 'ports of further spaces (default: free ones)', parsePorts)
    .option('--api-key <source>', 'env:NAME or file:PATH with the key of the space default (default: a new one)')
    .option('--seed <seed>', 'number or text that decides the generated memories', parseSeed)
    .option('--now <date-time>', 'time at which the clock stands until it is moved', parseNow)
    .addHelpText('after', help)
    .action(runMock);
}

const help = `
Programs and tests in any language control the mock over HTTP: GET /openapi.json
of the control API describes it. It has no key, and refuses requests of pages.
GET /spaces/default of it returns the API key. Nothing is stored.

If standard output is not a terminal, its first line is
{"event":"ready","baseUrl":…,"mediaUrl":…,"controlUrl":…}.
SIGTERM and Ctrl+C end the mock. The exit codes are 0 and 130.

Examples:
  memory-read mock
  memory-read mock --port 0 --control-port 0 --now 2026-03-01T12:00:00Z
  memory-read mock --host 0.0.0.0 --control-host 0.0.0.0 --public-host mock \\
    --media-port 8792 --space-ports 8801-8820 --api-key env:MOCK_API_KEY`;

async function runMock(options: MockOptions): Promise<void> {
  await runUntilInterrupted(options.process, async (interruption) => {
    const server = await start(options);
    try {
      const { baseUrl, mediaUrl, controlUrl } = server;
      const message = { baseUrl, mediaUrl, controlUrl: String(controlUrl), hasOwnKey: options.apiKey !== undefined };
      const line = JSON.stringify({ event: 'ready', baseUrl, mediaUrl, controlUrl });
      await printReady(options.process, line, formatMockBanner(options.process, message));
      await aborted(interruption);
    } finally {
      await server.close();
    }
  });
}

async function start(options: MockOptions): Promise<MockServer> {
  const { process, mediaPort, host: hostname, controlHost, publicHost, spacePorts, seed, now } = options;
  assertDistinct({ '--port': options.port, '--control-port': options.controlPort, '--media-port': mediaPort });
  const apiKey = options.apiKey === undefined ? undefined : await readKey(process, '--api-key', options.apiKey);
  const shared = { hostname, mediaPort, publicHost, spacePorts, apiKey, seed, now };
  try {
    // If the API takes the port of the control API, the inner call moves the API.
    return await onFreePort(options.controlPort, 8791, (controlPort) =>
      onFreePort(options.port, 8790, (port) =>
        startMockServer({ ...shared, port, control: { port: controlPort, hostname: controlHost } }),
      ),
    );
  } catch (error) {
    const { name, message } = Object(error);
    if (/^(?:Type|Range)Error$/.test(name)) throw new CommandError(exitCodes.usage, message);
    throw error;
  }
}

function assertDistinct(ports: Readonly<Record<string, number | undefined>>): void {
  const given = Object.entries(ports).filter(([, value]) => value !== undefined && value !== 0);
  for (const [index, [option, value]] of given.entries()) {
    const [other] = given.slice(0, index).find(([, earlier]) => earlier === value) ?? [];
    if (other !== undefined) throw usageError(`${option}: it is also the value of ${other}. Pass another port.`);
  }
}

/** A number on the command line is the same seed as in code. */
function parseSeed(text: string): string | number {
  return /^-?\d+$/.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : text;
}

function parseNow(text: string): string {
  if (parseDateTime(text) !== undefined) return text;
  throw usageError(`--now: ${JSON.stringify(text)} is not a date-time. Pass one such as 2026-03-01T12:00:00Z.`);
}
