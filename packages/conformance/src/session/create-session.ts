import type { Settings } from '../conformance-options.ts';
import type { ConformanceReport } from '../conformance-report.ts';
import { mediaFields } from '../reading/media-fields.ts';
import { isObject } from '../reading/memory-value.ts';
import { type Answer, toAnswer } from './answer.ts';
import { type ApiRequest, describeRequest, headersOf } from './api-request.ts';
import { madeUpKeys } from './made-up-keys.ts';
import { readText } from './read-text.ts';
import { createRedaction } from './redact.ts';
import { SkippedError, UnansweredError } from './unanswered.ts';

/** Sends the requests of one run in sequence, and caches the responses. */
export interface Session {
  /**
   * Sends a request. The same request is sent only once.
   *
   * A 500 is retried once, as section 7.2 allows.
   *
   * @throws UnansweredError if no response arrives.
   * @throws SkippedError if the response does not concern the rules: the server limits the rate, or the run was
   * aborted.
   */
  send(request: ApiRequest): Promise<Answer>;
  /**
   * Requests the first byte of a media URL without a key, and returns the status. `what` describes the URL, without its query.
   *
   * @throws As `send` does.
   */
  requestMedia(url: string, what: string): Promise<number>;
  /** Returns the number of requests that were sent. */
  requestCount(): number;
  /** Returns whether the run has the key: some cannot be derived from `apiKey`. */
  hasKey(name: string): boolean;
  /** Returns whether anything could be read with `apiKey`. */
  access(): ConformanceReport['access'];
  /** Removes secrets from a text of the server. */
  redact(text: string): string;
  /** Removes secrets from a request: a server may have used them as ids. */
  redactRequest(text: string): string;
}

const maxBodyBytes = 256 * 1024 * 1024;
/** Maximum number of consecutive failures of one host. */
const maxConsecutiveFailures = 3;
const maxRequests = 59;
/** Consecutive retries that failed: a server that always fails is not retried further. */
const maxFailedRetries = 2;

export function createSession(settings: Settings): Session {
  const keys: Record<string, string> = { ...madeUpKeys(settings.keys), ...settings.keys };
  const { redact, redactRequest, learnSigned } = createRedaction(Object.values(keys));
  const answers = new Map<string, Promise<Answer>>();
  const mediaStatuses = new Map<string, Promise<number>>();
  const failuresByHost = new Map<string, number>();
  const deadline = AbortSignal.timeout(settings.totalTimeout);
  let requestCount = 0;
  let failedRetries = 0;
  let access: ConformanceReport['access'] = 'none';

  async function exchange<Value>(
    { sent, host }: RequestTarget,
    work: (signal: AbortSignal) => Promise<Value>,
  ): Promise<Value> {
    settings.signal?.throwIfAborted();
    const failures = failuresByHost.get(host) ?? 0;
    if (failures >= maxConsecutiveFailures)
      throw new SkippedError(`${maxConsecutiveFailures} requests in a row got no response`);
    if (requestCount >= maxRequests) throw new SkippedError(`the run reached its limit of ${maxRequests} requests`);
    if (deadline.aborted) throw new SkippedError('the run reached its time limit');
    requestCount += 1;
    const signals = [AbortSignal.timeout(settings.timeout), deadline, settings.signal];
    const signal = AbortSignal.any(signals.filter((each) => each !== undefined));
    try {
      const value = await orAborted(signal, () => work(signal));
      failuresByHost.delete(host);
      return value;
    } catch (error) {
      settings.signal?.throwIfAborted();
      failuresByHost.set(host, failures + 1);
      const { name, message } = Object(error);
      if (name === 'TooMuchError') {
        throw new SkippedError(`${sent}: ${message}, which is more than a run reads`);
      }
      throw new UnansweredError(sent, signal.aborted ? 'no complete response arrived in time' : reasonOf(error));
    }
  }

  async function sendOnce(request: ApiRequest): Promise<Answer> {
    const sent = describeRequest(request);
    const entries = Object.entries(headersOf(request)).map(([name, value]) => [name, fillIn(value, keys)] as const);
    const headers = { Accept: 'application/json', ...Object.fromEntries(entries) };
    const answer = await exchange({ sent, host: settings.baseUrl }, async (signal) => {
      const init = { method: request.method ?? 'GET', headers, redirect: 'manual', signal } as const;
      const { fetch } = settings;
      const response = await fetch(settings.baseUrl + request.target, init);
      const whole = toAnswer(sent, response, await readText(response, maxBodyBytes), redact);
      signedUrlsOf(whole.json).forEach(learnSigned);
      return request.onlyIds ? { ...whole, json: pickIds(whole.json) } : whole;
    });
    if (request.key === 'apiKey') access = accessAfter(access, answer);
    if (answer.status === 429) throw new SkippedError(`${sent}: ${rateLimited}`);
    return answer;
  }

  async function requestMediaOnce(url: string, what: string): Promise<number> {
    const sent = `GET ${what}`;
    const { host, username, password } = new URL(url);
    if (username || password)
      throw new SkippedError(`${sent}: fetch does not accept a URL with a user name or a password`);
    const status = await exchange({ sent, host }, async (signal) => {
      const { fetch } = settings;
      const response = await fetch(url, { headers: { Range: 'bytes=0-0' }, redirect: 'manual', signal });
      response.body?.cancel().catch(() => {});
      return response.status;
    });
    if (status === 429) throw new SkippedError(`${sent}: ${rateLimited}`);
    return status;
  }

  async function retryOnce<Value>(make: () => Promise<Value>, hasFailed: (value: Value) => boolean): Promise<Value> {
    const first = await make();
    if (!hasFailed(first) || failedRetries >= maxFailedRetries || requestCount >= maxRequests) return first;
    const second = await make();
    failedRetries = hasFailed(second) ? failedRetries + 1 : 0;
    return second;
  }

  return {
    redact,
    redactRequest,
    requestCount: () => requestCount,
    hasKey: (name) => Object.hasOwn(keys, name),
    access: () => access,
    send(request) {
      const name = `${describeRequest(request)}${request.again ?? ''}`;
      return cached(answers, name, () =>
        retryOnce(
          () => sendOnce(request),
          ({ status }) => status === 500,
        ),
      );
    },
    requestMedia: (url, what) =>
      cached(mediaStatuses, url, () =>
        retryOnce(
          () => requestMediaOnce(url, what),
          (status) => status >= 500,
        ),
      ),
  };
}

/** A request and its host, for evidence. */
interface RequestTarget {
  sent: string;
  host: string;
}

const rateLimited = 'the server limits the rate of requests (429)';

function cached<Value>(known: Map<string, Value>, name: string, make: () => Value): Value {
  const value = known.get(name) ?? make();
  known.set(name, value);
  return value;
}

/** Returns the signed URLs of a memory, or of the first memories of a list. */
function signedUrlsOf(json: unknown): string[] {
  const memories = (Array.isArray(json) ? json.slice(0, 20) : [json]).filter(isObject);
  return memories
    .flatMap((memory) => mediaFields.map((field) => memory[field]))
    .filter((url) => typeof url === 'string');
}

function pickIds(json: unknown): unknown {
  if (!Array.isArray(json)) return json;
  return json.map((memory) => ({ id: memory?.id, user_id: memory?.user_id, started_at: memory?.started_at }));
}

function accessAfter(access: ConformanceReport['access'], { status, json }: Answer): ConformanceReport['access'] {
  if (access === 'granted' || (status === 200 && typeof json === 'object' && json !== null)) return 'granted';
  return status === 401 ? 'refused' : access;
}

function fillIn(value: string, keys: Record<string, string>): string {
  return value.replace(/\{(\w+)\}/g, (name, key) => keys[key] ?? name);
}

/** Rejects when the signal aborts, because the caller's `fetch` may ignore the signal. */
function orAborted<Value>(signal: AbortSignal, work: () => Promise<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    if (signal.aborted) abort();
    work()
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', abort));
  });
}

function reasonOf(error: unknown): string {
  const { cause } = error as { cause?: { code?: unknown } };
  return typeof cause?.code === 'string' ? `the connection failed (${cause.code})` : 'the connection failed';
}
