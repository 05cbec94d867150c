import { existsSync } from 'node:fs';
import { apiKeyAuthenticator } from '@memory-read/server';
import { serve } from '@memory-read/server/node';
import { type Command, Option } from 'commander';
import { finishRecordings } from '../demo/finish-recordings.ts';
import { prepareDemo } from '../demo/prepare-demo.ts';
import { gitAdvice } from '../files/git-advice.ts';
import { parseCount } from '../options/parse-count.ts';
import { parseDuration } from '../options/parse-duration.ts';
import { preferSmallHeap } from '../prefer-small-heap.ts';
import {
  type Backend,
  type BackendOptions,
  createInMemoryBackend,
  defaultMediaDirectory,
  openBackend,
} from '../serve/backend.ts';
import { createService, type Respond } from '../serve/create-service.ts';
import { type LogFormat, logFormats, parseLogFormat } from '../serve/log-format.ts';
import { observeRequests, type RequestObservation } from '../serve/observe-requests.ts';
import { localUrlOf, onFreePort } from '../serve/on-free-port.ts';
import { openFilesWarning, watchOpenFiles } from '../serve/open-files.ts';
import type { Metrics } from '../serve/open-metrics.ts';
import { openServeLog, type ServeLog } from '../serve/open-serve-log.ts';
import { createOperationOf } from '../serve/operation-of.ts';
import { addPostgresOptions, assertPostgresOptions } from '../serve/postgres-options.ts';
import { addS3MediaOptions } from '../serve/s3-media-options.ts';
import { parseHost, parseNetworks, parsePort, parsePublicUrl } from '../serve/serve-arguments.ts';
import { createKeyCommand } from '../storage/create-key-command.ts';
import { addStorageOptions } from '../storage/storage-options.ts';
import type { CliProcess } from '../terminal/cli-process.ts';
import { usageError } from '../terminal/command-error.ts';
import { isInterruptedError } from '../terminal/interrupted-error.ts';
import { commandName, formatReadyBanner, formatReadyLine, printReady } from '../terminal/ready-message.ts';
import { aborted, runUntilInterrupted } from '../terminal/run-until-interrupted.ts';
import { versionOfPackage } from '../version-of-package.ts';

interface ServeOptions extends BackendOptions {
  inMemory?: boolean | undefined;
  host: string;
  port?: number | undefined;
  publicUrl?: string | undefined;
  maxConnections: number;
  keepAliveTimeout?: number | undefined;
  trustProxy?: string[] | undefined;
  metricsPort?: number | undefined;
  log?: LogFormat | undefined;
}

export function define(command: Command, process: CliProcess): void {
  addStorageOptions(command, process)
    .option('--media-dir <directory>', 'folder with the media files', defaultMediaDirectory)
    .option('--media-secrets <source>', 'env:NAME or file:PATH with [{"id", "secret"}] to sign media URLs with');
  addS3MediaOptions(command);
  addPostgresOptions(command, process)
    .addOption(
      new Option('--create', 'create the SQLite file if it does not exist').conflicts(['postgres', 'inMemory']),
    )
    .option('--demo', 'serve the memories of a demo account, and print a new key that expires after 24 hours')
    .addOption(
      new Option('--in-memory', 'keep everything in memory (implies --demo)')
        .implies({ demo: true })
        .conflicts(['db', 'postgres', 'mediaDir']),
    )
    .option('--host <address>', 'address to listen on', parseHost, '127.0.0.1')
    .option('--port <number>', 'port to listen on (default: 8787 or the next free one)', (text) => parsePort(text))
    .option(
      '--max-connections <number>',
      'open connections; a new one replaces an idle one',
      parseCount('--max-connections', 999_999),
      1_000,
    )
    .option(
      '--keep-alive-timeout <duration>',
      'time until an idle connection is closed; longer than that of the proxy (default: 65s)',
      parseDuration('--keep-alive-timeout'),
    )
    .option('--public-url <url>', 'URL for clients (default: the address that it listens on)', parsePublicUrl)
    .option(
      '--trust-proxy <networks>',
      'addresses and networks of proxies, whose X-Forwarded-For counts in the log',
      parseNetworks,
    )
    .option('--metrics-port <number>', 'port that serves /metrics for Prometheus; 0 uses a free port', (text) =>
      parsePort(text, '--metrics-port'),
    )
    .addOption(
      new Option('--log <format>', 'requests on standard error (default: pretty on a terminal, else json)')
        .choices(logFormats)
        .argParser(parseLogFormat),
    )
    .addHelpText('after', help)
    .action(runServe);
}

const help = `
Without --media-secrets, a secret is created once and stored beside the SQLite
file. --postgres needs them, unless the media are in S3.
With --s3-endpoint, --s3-region and --s3-bucket, media URLs point there for an
hour. The credentials are AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and, for
temporary ones, AWS_SESSION_TOKEN.
Without --demo, the directories must exist, and without --create also the SQLite
file. Without --public-url, media URLs have the address that the server listens
on, or 127.0.0.1 for --host 0.0.0.0. A proxy can remove the path of --public-url
or leave it: both work.

Requests are logged on standard error, for people on a terminal, else as lines
of JSON. If standard output is not a terminal, its first line is
{"event":"ready","baseUrl":…}, with --public-url also localUrl, the address that
it listens on, and with --metrics-port also metricsUrl. That port needs no key:
keep it away from callers.
SIGTERM and Ctrl+C let responses finish. The exit codes are 0 and 130.

Examples:
  memory-read serve --demo
  memory-read serve --create --db memories.sqlite --media-dir media --port 8080
  memory-read serve --postgres file:database-url --media-secrets file:media.json
  memory-read serve --public-url https://api.example.com --media-dir media`;

async function runServe(options: ServeOptions): Promise<void> {
  preferSmallHeap();
  await runUntilInterrupted(options.process, (interruption) => serveUntil(interruption, options));
}

async function serveUntil(interruption: AbortSignal, options: ServeOptions): Promise<void> {
  const { host: hostname, port, metricsPort } = options;
  if (metricsPort !== undefined && metricsPort !== 0 && metricsPort === port) {
    throw usageError('--metrics-port: it is also the value of --port. Pass another port.');
  }
  assertPostgresOptions(options);
  const log = openServeLog(options.process, options.log);
  const warning = openFilesWarning(options.maxConnections);
  if (warning !== undefined) log.note('low-file-limit', { message: warning }, warning);
  const endWatch = watchOpenFiles((message) => log.note('out-of-files', { message }, message));
  let backend: Backend | undefined;
  let metrics: Metrics | undefined;
  let requests: RequestObservation | undefined;
  try {
    const isNewFile = options.postgres === undefined && !existsSync(options.db);
    backend = options.inMemory
      ? createInMemoryBackend(options)
      : await openBackend({ ...options, onNote: log.note }, interruption);
    const advice = options.demo && !options.inMemory && isNewFile ? gitAdvice(options.process, options.db) : undefined;
    if (advice !== undefined) log.note('not-ignored', { message: advice }, advice);
    if (metricsPort !== undefined) {
      const { openMetrics } = await import('../serve/open-metrics.ts');
      metrics = await openMetrics(backend.storage, { hostname, port: metricsPort, onError: log.onError });
    }
    requests = observeRequests({ operationOf: createOperationOf(options.publicUrl), log: log.onEnd, metrics });
    await serveBackend(backend, { ...options, interruption, log, metrics, requests });
  } finally {
    await metrics?.close();
    await backend?.storage.close();
    await requests?.settle();
    endWatch();
    await log.drain();
  }
}

interface ServeContext extends Omit<ServeOptions, 'log'> {
  interruption: AbortSignal;
  log: ServeLog;
  metrics: Metrics | undefined;
  requests: RequestObservation;
}

async function serveBackend(backend: Backend, context: ServeContext): Promise<void> {
  const { interruption, log, metrics, requests, ...options } = context;
  let respond: Respond;
  const server = await onFreePort(options.port, 8787, (port) =>
    serve({
      // Signed URLs contain the port, so the service is created when the port is known. No request can arrive earlier.
      fetch(request) {
        const response = respond(request);
        requests.onFetch?.(request, response);
        return response;
      },
      hostname: options.host,
      port,
      maxConnections: options.maxConnections,
      keepAliveTimeout: options.keepAliveTimeout,
      onError: log.onError,
      onEnd: requests.onEnd,
      trustedProxies: options.trustProxy,
    }),
  );
  metrics?.countConnections(server.port);
  try {
    const localUrl = localUrlOf(server);
    const baseUrl = options.publicUrl ?? localUrl;
    respond = createBackendService(backend, baseUrl, context);
    const demo = options.demo ? await prepareDemo(backend.storage, new Date()) : undefined;
    if (demo) {
      const { userId, processingIds: memoryIds } = demo;
      finishRecordings({ storage: backend.storage, userId, memoryIds, signal: interruption, onError: log.onError });
    }
    const command = commandName(options.process.env);
    const message = {
      baseUrl,
      localUrl,
      metricsUrl: metrics?.url,
      place: backend.place,
      command,
      createKeyCommand: createKeyCommand(options, command),
      apiKey: demo?.apiKey,
      processingMemoryId: demo?.processingIds[0],
    };
    await printReady(options.process, formatReadyLine(message), formatReadyBanner(options.process, message));
    log.note('started', { version: versionOfPackage(), baseUrl, localUrl });
    await aborted(interruption);
    log.note('stopping', {
      signal: isInterruptedError(interruption.reason) ? interruption.reason.signal : null,
    });
  } finally {
    await server.close();
  }
}

function createBackendService(
  { storage, media }: Backend,
  publicUrl: string,
  { log, requests }: ServeContext,
): Respond {
  return createService({
    publicUrl,
    store: storage,
    authenticate: apiKeyAuthenticator(storage),
    mediaSigner: media.createSigner(publicUrl),
    mediaHost: media.host,
    checkReadiness: storage.checkReadiness,
    onRequest: requests.onRequest,
    onRefuse: requests.onRefuse,
    onError: log.onError,
  });
}
