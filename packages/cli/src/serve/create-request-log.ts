import { inspect } from 'node:util';
import type { RequestEndEvent } from '@memory-read/server/node';
import { redact } from '../terminal/redact.ts';
import { style } from '../terminal/style.ts';
import { visibleText } from '../terminal/visible-text.ts';
import type { LogFormat } from './log-format.ts';

/** Options of {@link createRequestLog}. */
export interface RequestLogOptions {
  format: LogFormat;
  writeLine: (line: string) => void;
  now: () => Date;
  /** Returns the operation of a path. */
  operationOf: (path: string) => string | null;
}

/** The request that failed. */
export interface FailedRequest {
  requestId?: string | undefined;
  operation?: string | null | undefined;
}

/** Logs requests and their failures, without keys and queries of URLs. */
export interface RequestLog {
  /** Undefined if requests are not logged. */
  onEnd: ((event: RequestEndEvent) => void) | undefined;
  onError(error: unknown, request?: FailedRequest): void;
}

/** Failures are logged in every format, so that a 500 can be explained. */
export function createRequestLog({ format, writeLine, now, operationOf }: RequestLogOptions): RequestLog {
  const writeJson = (fields: object) => writeLine(JSON.stringify({ time: now().toISOString(), ...fields }));
  const onEnd = {
    json: (event: RequestEndEvent) => writeJson(toFields(event, event.path === null ? null : operationOf(event.path))),
    pretty: (event: RequestEndEvent) => writeLine(toText(event, now())),
    none: undefined,
  }[format];
  return {
    onEnd,
    onError(error, { requestId, operation = null } = {}) {
      const description = visibleText(redact(inspect(error)));
      if (format === 'json') writeJson({ level: 'error', event: 'failure', requestId, operation, error: description });
      else writeLine(`Failed to answer request ${requestId ?? 'unknown'}${suffixOf(operation)}: ${description}`);
    },
  };
}

function toFields({ elapsed, outcome, status, ...event }: RequestEndEvent, operation: string | null): object {
  const { requestId, method, path, bytesSent } = event;
  const isFailure = outcome === 'failed' || (status ?? 0) >= 500;
  return {
    level: isFailure ? 'error' : 'info',
    event: 'request',
    requestId,
    method,
    operation,
    path,
    status,
    outcome,
    elapsedMs: roundTo(elapsed, 3),
    bytesSent,
  };
}

function toText(event: RequestEndEvent, time: Date): string {
  const { requestId, method, path, status, outcome, elapsed } = event;
  const clock = style('dim', time.toISOString().slice('YYYY-MM-DDT'.length, -1), process.stderr);
  const colour = outcome === 'failed' || (status ?? 500) >= 500 ? 'red' : 'cyan';
  const result = style(colour, outcome === 'finished' ? `${status}` : `${status ?? '---'} ${outcome}`, process.stderr);
  const duration = `${roundTo(elapsed, 1)} ms`;
  return `${clock} ${result} ${method ?? 'unreadable request'} ${path ?? ''} ${style('dim', `${duration} ${requestId ?? ''}`, process.stderr)}`;
}

function suffixOf(operation: string | null): string {
  return operation ? ` (${operation})` : '';
}

function roundTo(number: number, digits: number): number {
  return Number(number.toFixed(digits));
}
