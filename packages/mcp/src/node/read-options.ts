import { closeSync, openSync, readSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { isLoopback } from '@memory-read/contract/base-url';
import { findTimeZone, systemTimeZone } from '@memory-read/contract/date-time';
import { isOrigin } from '../http/guard.ts';
import { UsageError } from './usage-error.ts';

/** Options of the command line. */
export interface ProgramOptions {
  http: boolean;
  port: number | undefined;
  host: string | undefined;
  token: string | undefined;
  allowedHosts: string[];
  allowedOrigins: string[];
  transcriptRequests: number | undefined;
  memoryUrl: string | undefined;
  /** IANA name. */
  timeZone: string;
  /** Folder of a mirror, which is read instead of the API. */
  mirror: string | undefined;
  baseUrl: string | undefined;
  apiKey: string | undefined;
}

type Environment = Record<string, string | undefined>;

const known = {
  http: { type: 'boolean' },
  port: { type: 'string' },
  host: { type: 'string' },
  token: { type: 'string' },
  'allowed-host': { type: 'string', multiple: true },
  'allowed-origin': { type: 'string', multiple: true },
  'base-url': { type: 'string' },
  'api-key': { type: 'string' },
  'transcript-requests': { type: 'string' },
  'memory-url': { type: 'string' },
  'time-zone': { type: 'string' },
  mirror: { type: 'string' },
} as const;

const httpOptions = ['port', 'host', 'token', 'allowed-host', 'allowed-origin'] as const;

/**
 * Reads the options of the command line and the environment.
 *
 * @throws UsageError The message does not contain the value of an option, which could be a secret.
 */
export function readOptions(args: readonly string[], environment: Environment): ProgramOptions {
  const { values } = parse(args);
  const isOfApi = (['base-url', 'api-key', 'transcript-requests'] as const).find((name) => values[name] !== undefined);
  if (values.mirror !== undefined && isOfApi !== undefined)
    throw failure(`--${isOfApi} and --mirror exclude each other`, 'Leave one out: a mirror needs no API');
  const misplaced = httpOptions.find((name) => values[name] !== undefined);
  if (!values.http && misplaced !== undefined)
    throw failure(`--${misplaced} needs --http`, `Add --http, or leave --${misplaced} out`);
  const { 'api-key': apiKey = environment.MEMORY_API_KEY ? 'env:MEMORY_API_KEY' : undefined, token } = values;
  const { mirror } = values;
  const options: ProgramOptions = {
    http: values.http === true,
    port: readNumber('--port', values.port, { min: 0, max: 65_535 }),
    host: values.host,
    token: token === undefined ? undefined : readSecret('--token', token, environment),
    allowedHosts: values['allowed-host'] ?? [],
    allowedOrigins: values['allowed-origin'] ?? [],
    transcriptRequests: readNumber('--transcript-requests', values['transcript-requests'], { min: 1, max: 1_000 }),
    memoryUrl: values['memory-url'],
    timeZone: readTimeZone(values['time-zone']),
    mirror,
    baseUrl: values['base-url'] ?? (environment.MEMORY_API_URL || undefined),
    apiKey: apiKey === undefined || mirror !== undefined ? undefined : readSecret('--api-key', apiKey, environment),
  };
  if (options.memoryUrl?.includes('{id}') === false)
    throw failure('--memory-url has no {id}', 'Add it to the template');
  if (!options.allowedOrigins.every(isOrigin))
    throw failure('a value of --allowed-origin is not an origin', 'Pass an origin such as https://app.example.com');
  const isProtected = options.token !== undefined && options.allowedHosts.length > 0;
  if (options.host !== undefined && !isLoopback(options.host) && !isProtected)
    throw failure('--host is not a loopback address', 'Pass --token and --allowed-host');
  if (mirror !== undefined) return options;
  if (options.baseUrl === undefined)
    throw failure(
      '--base-url is missing',
      values.http
        ? 'Pass the root of the API, or set MEMORY_API_URL. With --http, there is no saved login'
        : 'Pass the root of the API, set MEMORY_API_URL, or run memory-read mcp, which uses the saved login',
    );
  // A tool could only say that responses are invalid.
  if (/\/v1\/*$/.test(options.baseUrl)) {
    const source = values['base-url'] === undefined ? 'MEMORY_API_URL' : '--base-url';
    throw failure(`${source} ends with /v1`, 'Pass the root of the API, without /v1');
  }
  if (options.apiKey === undefined) {
    throw failure('--api-key is missing', 'Pass env:NAME or file:PATH, or set MEMORY_API_KEY');
  }
  return options;
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: known, strict: true, allowPositionals: false });
  } catch {
    throw failure('an option is unknown, or lacks its value', 'Run memory-read-mcp --help for the options');
  }
}

function readNumber(
  option: string,
  text: string | undefined,
  { min, max }: { min: number; max: number },
): number | undefined {
  if (text === undefined) return undefined;
  const number = /^\d{1,6}$/.test(text) ? Number(text) : Number.NaN;
  if (number >= min && number <= max) return number;
  throw failure(`${option} is invalid`, `Use a whole number from ${min} to ${max}`);
}

function readTimeZone(name: string | undefined): string {
  if (name === undefined) return systemTimeZone();
  if (findTimeZone(name) !== undefined) return name;
  throw failure('--time-zone is not a time zone', 'Pass a name of the IANA database, such as Europe/Berlin');
}

function readSecret(option: string, source: string, environment: Environment): string {
  const [, kind, name = ''] = /^(env|file):(.+)$/s.exec(source) ?? [];
  if (kind === undefined) throw failure(`${option} is not the source of a secret`, 'Pass env:NAME or file:PATH');
  const secret = kind === 'env' ? environment[name] : readFile(option, name);
  if (!secret) {
    const place = kind === 'env' ? 'environment variable' : 'file';
    throw failure(`the ${place} of ${option} is empty or missing`, 'Put the secret into it');
  }
  if (/^\$\{.*\}$/.test(secret))
    throw failure(
      `the secret of ${option} is still the name of a variable`,
      'Set the variable that the client replaces',
    );
  if (/^[\x21-\x7e]+$/.test(secret)) return secret;
  throw failure(`the secret of ${option} has a character that is not visible ASCII`, 'Copy it again');
}

function readFile(option: string, path: string): string {
  const buffer = Buffer.alloc(longestSecret + 1);
  let size = 0;
  try {
    const file = openSync(path, 'r');
    try {
      for (let read = 1; read > 0 && size < buffer.length; size += read)
        read = readSync(file, buffer, { offset: size });
    } finally {
      closeSync(file);
    }
  } catch {
    throw failure(`the file of ${option} cannot be read`, 'Check its path and permissions');
  }
  if (size < buffer.length) return buffer.toString('utf8', 0, size).trim();
  throw failure(`the file of ${option} is longer than any secret`, 'Pass the file that holds the secret alone');
}

/** In bytes: servers accept no longer header. */
const longestSecret = 16_384;

function failure(what: string, todo: string): UsageError {
  return new UsageError(`Failed to start memory-read-mcp: ${what}. ${todo}.`);
}
