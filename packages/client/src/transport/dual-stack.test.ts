import dns from 'node:dns';
import { getDefaultAutoSelectFamilyAttemptTimeout, setDefaultAutoSelectFamilyAttemptTimeout } from 'node:net';
import { inspect } from 'node:util';
import { createContext, runInContext } from 'node:vm';
import { freePort } from '@memory-read/test-kit/free-port';
import { afterEach, expect, test, vi } from 'vitest';
import type { ConnectionError } from '../errors/errors.ts';
import { MemoryClient } from '../index.ts';
import { rejection } from '../testing/rejection.ts';

const attemptTimeout = getDefaultAutoSelectFamilyAttemptTimeout();
afterEach(() => {
  vi.restoreAllMocks();
  setDefaultAutoSelectFamilyAttemptTimeout(attemptTimeout);
});

/** Gives every host these addresses. `fetch` of Node looks them up with `dns.lookup`. */
function resolveTo(...addresses: readonly string[]) {
  const found = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  const lookup = (_host: string, _options: unknown, done: (error: null, all: typeof found) => void) =>
    done(null, found);
  vi.spyOn(dns, 'lookup').mockImplementation(lookup as unknown as typeof dns.lookup);
  setDefaultAutoSelectFamilyAttemptTimeout(50);
}

async function failureOf(fetch?: typeof globalThis.fetch, port = 8080): Promise<ConnectionError> {
  const baseUrl = `https://dual.example.com:${port}`;
  const client = new MemoryClient({ baseUrl, apiKey: 'KEYSECRET_1', retries: 0, ...(fetch && { fetch }) });
  return (await rejection(client.listMemories())) as ConnectionError;
}

/** Returns the error of a call whose `fetch` fails with this cause. */
const failureWith = (cause: unknown) => failureOf(() => Promise.reject(new TypeError('fetch failed', { cause })));
const part = (code: string | undefined, message = `connect ${code} 192.0.2.1:443`) =>
  Object.assign(new Error(message), code === undefined ? {} : { code });
/** As `node:net` creates it: without a message, and with the code of its first part. */
const whole = (...parts: readonly (Error & { code?: string | undefined })[]) =>
  Object.assign(new AggregateError(parts), { code: parts[0]?.code });
interface Copy {
  readonly code?: string;
  readonly message?: string;
  readonly errors?: readonly Copy[];
  readonly cause?: unknown;
}
const partsOf = ({ errors, cause }: Copy): readonly Copy[] => errors ?? partsOf(cause as Copy);

// Where a machine has IPv6, the documentation address hangs; elsewhere it has no route.
test.each([
  ['IPv6 hangs or has no route, and IPv4 refuses', ['2001:db8::1', '127.0.0.1']],
  ['IPv6 refuses or has no address, and IPv4 refuses', ['::1', '127.0.0.1']],
])('on real connections where %s, the error names the refusal and keeps both parts', async (_title, addresses) => {
  const port = await freePort();
  resolveTo(...addresses);
  const error = await failureOf(undefined, port);
  expect(error).toMatchObject({ code: 'connection', reason: 'unreachable', faultCode: 'ECONNREFUSED' });
  expect(error.message).toMatch(/^Failed to list memories: the connection to \S+ failed \(ECONNREFUSED\)\. Check /);
  expect(partsOf(error).map(({ message }) => message)).toEqual(
    addresses.map((address) => expect.stringMatching(new RegExp(`^connect E[A-Z]+ ${address}:${port}`))),
  );
});

test.each([
  [['ETIMEDOUT', 'ECONNREFUSED'], 'ECONNREFUSED'],
  [['EHOSTUNREACH', 'ECONNREFUSED'], 'ECONNREFUSED'],
  [['ENETUNREACH', 'EADDRNOTAVAIL', 'ECONNREFUSED'], 'ECONNREFUSED'],
  [['ECONNRESET', 'ECONNREFUSED'], 'ECONNREFUSED'],
  [['ENETUNREACH', 'ETIMEDOUT'], 'ETIMEDOUT'],
  [['ETIMEDOUT', 'ECONNRESET'], 'ECONNRESET'],
  [['ETIMEDOUT', 'EACCES'], 'EACCES'],
  [['ETIMEDOUT', 'EUNHEARDOF'], 'EUNHEARDOF'],
  [['EUNHEARDOF', 'ECONNREFUSED'], 'ECONNREFUSED'],
  [['UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_SOCKET'], 'UND_ERR_SOCKET'],
  [[undefined, 'ENETUNREACH'], 'ENETUNREACH'],
  [['ECONNREFUSED', 'CERT_HAS_EXPIRED'], 'CERT_HAS_EXPIRED'],
  [['ETIMEDOUT', 'DEPTH_ZERO_SELF_SIGNED_CERT', 'ECONNREFUSED'], 'DEPTH_ZERO_SELF_SIGNED_CERT'],
] as const)('of the parts %j, %s is the one to act on', async (codes, expected) => {
  const error = await failureWith(whole(...codes.map((code) => part(code))));
  expect(error.faultCode).toBe(expected);
  expect(error.message).toContain(`(${expected})`);
  expect(error.reason).toBe(expected.includes('CERT') ? 'certificate' : 'unreachable');
  expect(partsOf(error).map(({ code }) => code)).toEqual(codes);
});

test.each<[string, unknown]>([
  ['within a part', whole(part('ETIMEDOUT'), new Error('x', { cause: part('ECONNREFUSED') }))],
  ['within the parts of a part', whole(part('ETIMEDOUT'), whole(part('ENETUNREACH'), part('ECONNREFUSED')))],
  ['in parts without a code of the whole', new AggregateError([part('ETIMEDOUT'), part('ECONNREFUSED')])],
  ['beside values that are no errors', new AggregateError([null, 'x', part('ECONNREFUSED')])],
  [
    'in another realm',
    runInContext(
      "const part = (code) => Object.assign(new Error(code), { code }); new AggregateError([part('ETIMEDOUT'), part('ECONNREFUSED')])",
      createContext(),
    ),
  ],
  ['in a plain record', { errors: [{ code: 'ETIMEDOUT' }, { code: 'ECONNREFUSED' }] }],
])('finds the code %s', async (_title, cause) => {
  expect(await failureWith(cause)).toMatchObject({ faultCode: 'ECONNREFUSED' });
});

test.each([
  ['a part', [part('UND_ERR_CONNECT_TIMEOUT'), part('ENETUNREACH')], 'connectTimeout of the undici Agent'],
  ['the tunnel of a part', [part('ETIMEDOUT'), part(undefined, 'Proxy response (407)')], 'Check the proxy'],
  [
    'the permission of a part',
    [part('ETIMEDOUT'), part(undefined, 'run with --allow-net')],
    'Run Deno with --allow-net',
  ],
])('the advice fits %s', async (_title, parts, advice) => {
  expect((await failureWith(whole(...parts))).message).toContain(advice);
});

test('no part shows a secret, and their number and depth are bounded', async () => {
  const secretive = Object.assign(part('ECONNREFUSED', 'GET https://x.test/?sig=URLSECRET with KEYSECRET_1'), {
    request: { headers: { authorization: 'KEYSECRET_1' } },
  });
  const cyclic = whole(...Array.from({ length: 100 }, () => secretive));
  cyclic.errors[1] = cyclic;
  const error = await failureWith(cyclic);
  const shown = inspect(error, { depth: Number.POSITIVE_INFINITY, showHidden: true }) + JSON.stringify(error);
  expect(shown).toContain('GET https://x.test/?[redacted]');
  expect(shown).not.toContain('SECRET');
  expect(partsOf(error)).toHaveLength(8);
  expect(shown.length).toBeLessThan(30_000);
  expect(partsOf(JSON.parse(JSON.stringify(error)))[0]).toMatchObject({ name: 'Error', code: 'ECONNREFUSED' });
});

test.each<[string, unknown, string]>([
  ['parts, not of the timeout that sums them up', whole(part('ETIMEDOUT'), part('EACCES')), 'EACCES'],
  ['outermost error, without parts', part('ECONNREFUSED'), 'UND_ERR_CONNECT_TIMEOUT'],
])('the code is that of the %s', async (_title, inner, faultCode) => {
  const cause = Object.assign(new Error('Connect Timeout Error', { cause: inner }), {
    code: 'UND_ERR_CONNECT_TIMEOUT',
  });
  const error = await failureWith(cause);
  expect(error).toMatchObject({ faultCode, message: expect.stringContaining(`(${faultCode}). Check `) });
});
