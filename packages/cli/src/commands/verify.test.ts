import { writeFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { listen } from '@memory-read/test-kit/listen';
import { expect, onTestFinished, test } from 'vitest';
import { type CliResult, runCli, startCli, startDemo, temporaryDirectory } from '../testing/run-cli.ts';

test('ends with 0 for a server that follows every rule, and prints the JSON report in one line', async () => {
  const { env, baseUrl } = await startDemo();
  const args = ['verify', '--media', '--rules', 'reference'];
  const { code, stdout, stderr } = await runCli(args, { env });
  const report = JSON.parse(stdout);
  expect(report.results.filter(({ status }: { status: string }) => status === 'failed')).toEqual([]);
  expect(report).toMatchObject({ baseUrl, passed: true, access: 'granted', profile: 'reference' });
  expect(stdout.trimEnd()).not.toContain('\n');
  expect([code, stderr]).toEqual([0, '']);
});

test('reads keys from variables and files, and prints the report in the requested format', async () => {
  const { baseUrl, apiKey } = await startDemo();
  const file = join(temporaryDirectory(), 'key');
  writeFileSync(file, `${apiKey}\n`);
  const more = ['--inactive-api-key', 'env:OLD_KEY', '--empty-account-api-key', `file:${file}`];
  const { code, stdout } = await runCli(
    ['verify', '--base-url', baseUrl, '--api-key', `file:${file}`, ...more, '--report', 'pretty'],
    { env: { OLD_KEY: 'mrk_old' } },
  );
  expect(stdout).toMatch(/^passed +5\.4 inactive /m);
  // The demo account has memories, so the rule for an account without memories fails.
  expect(stdout).toMatch(/^FAILED +4\.1\.4 /m);
  expect(stdout).not.toContain(apiKey);
  // The report names options of the command only.
  const plain = await verify(baseUrl, apiKey, '--report', 'pretty');
  expect(plain.stdout).toContain('with --empty-account-api-key, --inactive-api-key, --media, --other-api-key.');
  expect(stdout + plain.stdout).not.toMatch(/\b(?:apiKey|\w+ApiKey)\b/);
  expect(code).toBe(1);
});

test('ends with 3 if the server rejects the key', async () => {
  const { baseUrl } = await startDemo();
  const { code, stdout, stderr } = await verify(baseUrl, 'mrk_hush');
  expect(stderr).toBe(
    `Failed to verify ${JSON.stringify(baseUrl)}: the server refuses the key. Run memory-read login, or check --api-key or MEMORY_API_KEY.\n`,
  );
  expect(JSON.parse(stdout)).toMatchObject({ passed: false, access: 'refused' });
  expect(code).toBe(3);
  expect(stdout + stderr).not.toContain('hush');
});

test('ends with 1 if the server breaks rules, and lists them in the JUnit report', async () => {
  const baseUrl = await startOther('[{}]');
  const { code, stdout, stderr } = await verify(baseUrl, 'mrk_hush', '--report', 'junit');
  expect(stdout).toMatch(/name="2\.1 Every memory has all twelve fields[^>]*><failure/);
  expect(stderr).toMatch(/^Failed to verify "http:\S+: it breaks \d+ of \d+ rules\. See the report\.\n$/);
  expect(code).toBe(1);
});

test('says if only decisions of the reference server are broken', async () => {
  const { baseUrl, apiKey } = await startDemo();
  const proxy = await start(async ({ method = 'GET', headers, url }, response) => {
    const { authorization, 'x-api-key': key } = headers;
    const sent = { ...(authorization && { authorization }), ...(key && { 'x-api-key': String(key) }) };
    const answer = await fetch(baseUrl + url, { method, headers: sent });
    response.writeHead(answer.status, { 'content-type': 'application/json' });
    response.end(Buffer.from(await answer.arrayBuffer()));
  });
  const { code, stderr } = await verify(proxy, apiKey, '--rules', 'reference');
  expect(stderr).toMatch(/: it breaks \d+ of \d+ rules, but none of the specification\. See the report\.\n$/);
  expect(code).toBe(1);
});

test('ends with 1 for a server that never responds, after three request timeouts, and says why', async () => {
  const { baseUrl } = await startSilent();
  const { code, stdout, stderr } = await verify(baseUrl, 'mrk_hush', '--timeout', '1s');
  expect(stderr).toBe(
    `Failed to verify ${JSON.stringify(baseUrl)}: no request got a response: no complete response arrived in time. Check --base-url and that the server runs. For a slow server, increase --timeout.\n`,
  );
  expect(JSON.parse(stdout)).toMatchObject({ passed: false, access: 'none', requests: 3 });
  expect(code).toBe(1);
});

test.each([
  ['<html>', '', 'neither a list nor a memory could be read. See the report.\n'],
  [
    '<html>',
    '/v1/',
    'neither a list nor a memory could be read. Pass --base-url with the root of the API, without /v1.\n',
  ],
  [undefined, '', 'Check --base-url and that the server runs'],
])('ends with 1 for a server of other pages, or none (%j%s)', async (body, path, advice) => {
  const { code, stderr } = await verify(body ? (await startOther(body)) + path : 'http://127.0.0.1:9', 'mrk_hush');
  expect(stderr).toContain(advice);
  if (!body) expect(stderr).toMatch(/no request got a response: the connection failed/);
  expect(code).toBe(1);
});

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('%s ends the command at once with %i, while a server stalls', async (signal, code) => {
  const { baseUrl, asked } = await startSilent();
  const { interrupt, result } = startCli(['verify', '--base-url', baseUrl], { env: { MEMORY_API_KEY: 'mrk_hush' } });
  await asked;
  interrupt(signal);
  expect(await result).toEqual({ code, stdout: '', stderr: `Interrupted by ${signal}.\n` });
});

function verify(baseUrl: string, key: string, ...args: string[]): Promise<CliResult> {
  return runCli(['verify', '--base-url', baseUrl, ...args], { env: { MEMORY_API_KEY: key } });
}

/** A server that accepts every request and never responds. */
async function startSilent(): Promise<{ baseUrl: string; asked: Promise<unknown> }> {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { baseUrl: await start(() => resolve()), asked: promise };
}

/** A server that responds to every request with the same text. */
function startOther(body: string): Promise<string> {
  return start((_request, response) => response.setHeader('content-type', 'application/json').end(body));
}

async function start(answer: RequestListener): Promise<string> {
  const server = await listen(answer);
  onTestFinished(() => server[Symbol.asyncDispose]());
  return server.url;
}
