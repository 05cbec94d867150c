import {
  type CallEvent,
  isMemoryApiError,
  MemoryClient,
  type MemoryClientHooks,
  responseInfo,
} from '@memory-read/client';
import { type FaultCase, faultCases } from '../fault-cases.ts';
import type { CaseResult, DriverInput } from './driver-input.ts';

/** The results, and everything that a caller of the client could have logged on the way. */
export interface CaseRun {
  readonly results: readonly CaseResult[];
  readonly logged: readonly (readonly [title: string, value: unknown])[];
}

/** Runs all cases at once. */
export async function runCases(input: DriverInput): Promise<CaseRun> {
  // Waits between attempts are random; the client looks chance up when it needs it.
  Math.random = () => 0.001;
  const logged: [string, unknown][] = [];
  const results = await Promise.all(
    faultCases.map((faultCase) =>
      runCase(faultCase, input, (what, value) => logged.push([`${faultCase.fault}: ${what}`, value])),
    ),
  );
  return { results, logged };
}

type Log = (what: string, value: unknown) => void;

async function runCase(faultCase: FaultCase, input: DriverInput, log: Log): Promise<CaseResult> {
  const { fault, timeout, totalTimeout, readsOne } = faultCase;
  const controller = new AbortController();
  const reason = { why: 'the caller said so' };
  let last: CallEvent | undefined;
  const observe = (name: string, event: CallEvent) => {
    last = event;
    log(name, event);
    if (name !== faultCase.abortAt) return;
    // The server answers this once the request of the fault is there.
    void fetch(`${input.origin}/arrived/${fault}`).then(() => controller.abort(reason));
  };
  const { apiKey } = input;
  const hooks = observeAll(observe);
  const client = new MemoryClient({ baseUrl: baseUrlOf(fault, input), apiKey, timeout, totalTimeout, hooks });
  log('client', client);
  const { signal } = controller;
  try {
    const value = await (readsOne ? client.getMemory('mem_1', { signal }) : client.listMemories({ signal }));
    return { fault, outcome: 'value', attempts: responseInfo(value)?.attempts };
  } catch (error) {
    log('error', error);
    if (error === reason) return { fault, outcome: 'own reason', attempts: last?.attempt };
    return { fault, ...describe(error) };
  }
}

function observeAll(observe: (name: string, event: CallEvent) => void): MemoryClientHooks {
  const names = ['onRequest', 'onResponse', 'onRetry', 'onEnd'];
  return Object.fromEntries(names.map((name) => [name, (event: CallEvent) => observe(name, event)]));
}

function baseUrlOf(fault: string, { origin, refused, untrusted }: DriverInput): string {
  if (fault === 'refused') return refused;
  return fault === 'untrusted' ? untrusted : `${origin}/${fault}`;
}

function describe(error: unknown): Omit<CaseResult, 'fault'> {
  if (!isMemoryApiError(error)) return { outcome: `a strange ${String(error)}`, attempts: undefined };
  const { reason, limit, status } = error as { reason?: unknown; limit?: unknown; status?: unknown };
  const outcome = [error.code, reason ?? limit ?? status].filter((part) => part !== undefined).join(' ');
  return { outcome, attempts: error.request?.attempts, cause: causesOf(error) };
}

function causesOf(error: unknown): string | undefined {
  if (!(error instanceof Error && error.cause instanceof Error)) return undefined;
  const { code, message } = error.cause as Error & { code?: string };
  return [`${code ?? 'no code'}: ${message}`, causesOf(error.cause)].filter(Boolean).join(' < ');
}
