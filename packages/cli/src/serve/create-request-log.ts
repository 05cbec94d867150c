import { inspect } from 'node:util';
import type { CliProcess, CommandContext } from '../terminal/cli-process.ts';
import { explainsItself } from '../terminal/explain-failure.ts';
import { redact } from '../terminal/mask-keys.ts';
import { style } from '../terminal/style.ts';
import { visibleLine, visibleText } from '../terminal/visible-text.ts';
import type { LogFormat } from './log-format.ts';
import type { EndedRequest } from './observe-requests.ts';
import { exhaustionOf } from './open-files.ts';

export interface RequestLogOptions extends CommandContext {
  format: LogFormat;
  writeLine: (line: string) => void;
  now: () => Date;
}

export interface FailedRequest {
  requestId?: string | undefined;
  operation?: string | null | undefined;
}

/** Logs requests and their failures, without keys and queries of URLs. */
export interface RequestLog {
  /** Undefined if requests are not logged. */
  onEnd: ((request: EndedRequest) => void) | undefined;
  onError(error: unknown, request?: FailedRequest): void;
  /** Logs what happens to the server itself. The text is for a log that is not JSON; without one, only JSON is written. */
  note(event: ServerEvent, fields: object, text?: string): void;
}

/** What can happen to the server itself, and its level, unless the fields have another one. */
const serverEvents = {
  started: 'info',
  stopping: 'info',
  'connection-lost': 'warn',
  replica: 'warn',
  primary: 'warn',
  'low-file-limit': 'warn',
  'not-ignored': 'warn',
  'out-of-files': 'error',
} as const;
type ServerEvent = keyof typeof serverEvents;

/** Failures are logged in every format, so that a 500 can be explained. */
export function createRequestLog({ process, format, writeLine, now }: RequestLogOptions): RequestLog {
  const writeJson = (fields: object) => writeLine(JSON.stringify({ time: now().toISOString(), ...fields }));
  const clock = () => style(process, 'dim', now().toISOString().slice('YYYY-MM-DDT'.length, -1), process.stderr);
  const writeText = (text: string) => writeLine(format === 'pretty' ? `${clock()} ${text}` : text);
  const onEnd = {
    json: (request: EndedRequest) => writeJson(toFields(request)),
    pretty: (request: EndedRequest) => writeText(toText(process, request)),
    none: undefined,
  }[format];
  return {
    onEnd,
    onError(error, { requestId, operation = null } = {}) {
      // A probe repeats its failure each second, so its stack is left out.
      const hasStack = operation !== 'readyz' && !explainsItself(error);
      const text = exhaustionOf(error) ?? (hasStack ? inspect(error) : messagesOf(error));
      const description = visibleText(redact(process, text));
      if (format === 'json') writeJson({ level: 'error', event: 'failure', requestId, operation, error: description });
      else writeText(`Failed to answer request ${requestId ?? 'unknown'}${suffixOf(operation)}: ${description}`);
    },
    note(event, fields, text) {
      if (format === 'json') writeJson({ level: serverEvents[event], event, ...fields });
      else if (text !== undefined) writeText(text);
    },
  };
}

/** Returns the message of an error and those of its causes. */
function messagesOf(error: unknown): string {
  const { message, cause } = Object(error);
  if (typeof message !== 'string') return inspect(error);
  return typeof cause?.message === 'string' ? `${message} Cause: ${messagesOf(cause)}` : message;
}

function toFields({ elapsed, outcome, status, ...request }: EndedRequest): object {
  const { requestId, clientAddress, userId, keyId, reason, method, operation, path, bytesSent } = request;
  const isFailure = outcome === 'failed' || (status ?? 0) >= 500;
  return {
    level: isFailure ? 'error' : 'info',
    event: 'request',
    requestId,
    clientAddress,
    userId,
    keyId,
    ...(reason !== null && { reason }),
    method,
    operation,
    path,
    status,
    outcome,
    elapsedMs: roundTo(elapsed, 3),
    bytesSent,
  };
}

function toText(process: CliProcess, request: EndedRequest): string {
  const { requestId, clientAddress, userId, reason, method, path, status, outcome, elapsed } = request;
  const styled = (format: 'dim' | 'red' | 'cyan', text: string) => style(process, format, text, process.stderr);
  const colour = outcome === 'failed' || (status ?? 500) >= 500 ? 'red' : 'cyan';
  const result = styled(colour, outcome === 'finished' ? `${status}` : `${status ?? '---'} ${outcome}`);
  const details = [reason, `${roundTo(elapsed, 1)} ms`, requestId, clientAddress, userId && visibleLine(userId)];
  const dimmed = styled('dim', details.filter((detail) => detail !== null).join(' '));
  return `${result} ${method ?? 'unreadable request'} ${path ?? ''} ${dimmed}`;
}

function suffixOf(operation: string | null): string {
  return operation ? ` (${operation})` : '';
}

function roundTo(number: number, digits: number): number {
  const unit = 10 ** digits;
  return Math.round(number * unit) / unit;
}
