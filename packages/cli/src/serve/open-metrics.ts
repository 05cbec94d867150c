import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import type { PlainResponse } from '@memory-read/server';
import { type RequestEndEvent, type RunningServer, type ServeOptions, serve } from '@memory-read/server/node';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Storage } from '../storage/storage.ts';
import { CommandError, exitCodes } from '../terminal/command-error.ts';
import { versionOfPackage } from '../version-of-package.ts';
import { localUrlOf } from './on-free-port.ts';
import { addPostgresMetrics } from './postgres-metrics.ts';
import { jsonResponse, methodNotAllowed } from './responses.ts';
import { shareCheck } from './share-check.ts';
import { withTimeout } from './with-timeout.ts';

/** The metrics of `serve` for Prometheus, on a separate port. */
export interface Metrics {
  /** URL of the metrics on this machine. */
  url: string;
  /** Counts a request whose response has ended. */
  count(operation: string | null, event: RequestEndEvent): void;
  /** Counts the open connections of this port from now on. */
  countConnections(port: number): void;
  close(): Promise<void>;
}

type MetricsOptions = Pick<ServeOptions, 'hostname' | 'port' | 'onError'>;

/** Shorter than the timeout of a scrape. */
const readinessTimeoutMs = 2_000;

/** Seconds. Reads of one memory take milliseconds; a long list can take many seconds. */
const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/**
 * Serves `/metrics` and nothing else. The values of labels come from fixed sets, whatever callers send.
 *
 * @throws CommandError if it cannot listen, for example on a port in use.
 */
export async function openMetrics(
  storage: Pick<Storage, 'checkReadiness' | 'connections' | 'replicas'>,
  options: MetricsOptions,
): Promise<Metrics> {
  const { checkReadiness } = storage;
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const requests = new Counter({
    name: 'memory_read_requests_total',
    help: 'Requests whose responses have ended.',
    labelNames: ['operation', 'status', 'outcome'],
    registers,
  });
  const durations = new Histogram({
    name: 'memory_read_request_duration_seconds',
    help: 'Time from the headers of a request to the end of its response.',
    labelNames: ['operation', 'status'],
    buckets,
    registers,
  });
  const connections = new Gauge({ name: 'memory_read_connections', help: 'Open connections of callers.', registers });
  addPostgresMetrics(storage, registers);
  new Gauge({
    name: 'memory_read_build_info',
    help: 'Version of the software.',
    labelNames: ['version'],
    registers,
  }).set({ version: versionOfPackage() }, 1);
  const check = shareCheck(checkReadiness);
  new Gauge({
    name: 'memory_read_ready',
    help: '1 if requests can be answered, as /readyz checks it; otherwise 0.',
    registers,
    async collect() {
      this.set(
        await withTimeout(check(), readinessTimeoutMs).then(
          () => 1,
          () => 0,
        ),
      );
    },
  });

  const server = await listen({ ...options, fetch: (request) => respond(request, registry) });
  let countedPort: number | undefined;
  const countConnection = (message: unknown) => {
    const { socket } = message as { socket: Socket };
    if (socket.localPort !== countedPort) return;
    connections.inc();
    socket.once('close', () => connections.dec());
  };
  return {
    url: `${localUrlOf(server)}/metrics`,
    count(operation, { status, outcome, elapsed }) {
      const labels = { operation: operation ?? 'none', status: status ?? 'none' };
      requests.inc({ ...labels, outcome });
      durations.observe(labels, elapsed / 1_000);
    },
    countConnections(port) {
      countedPort = port;
      subscribe('net.server.socket', countConnection);
    },
    async close() {
      unsubscribe('net.server.socket', countConnection);
      await server.close();
    },
  };
}

async function respond(request: Request, registry: Registry): Promise<PlainResponse> {
  if (new URL(request.url).pathname !== '/metrics') return jsonResponse(404, { detail: 'Not Found' });
  if (request.method !== 'GET' && request.method !== 'HEAD') return methodNotAllowed();
  const headers = { 'content-type': registry.contentType, 'cache-control': 'no-store' };
  return { status: 200, headers, body: await registry.metrics() };
}

async function listen(options: ServeOptions): Promise<RunningServer> {
  try {
    return await serve({ ...options, maxConnections: 100, closeTimeout: 1_000 });
  } catch (error) {
    const { message = String(error) } = Object(error);
    throw new CommandError(
      exitCodes.failed,
      message.replace('Failed to start the server:', 'Failed to serve the metrics:'),
    );
  }
}
