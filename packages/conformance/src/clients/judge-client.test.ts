import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, test, vi } from 'vitest';
import { clientScenarios, judgeClient } from './index.ts';
import type { JudgeOptions } from './judge-options.ts';

/** A client in a few lines, with changes by a test. */
const client = (changes: Record<string, string> = {}) => {
  const script = Object.entries(changes).reduce((text, [from, to]) => {
    expect(text).toContain(from);
    return text.replace(from, () => to);
  }, source);
  return [process.execPath, '-e', `(async () => {${script}})()`];
};
const source = `
const { MEMORY_API_URL: url, MEMORY_API_KEY: key, MEMORY_JUDGE_OPERATION: operation, ...rest } = process.env;
const signal = AbortSignal.timeout(Number(rest.MEMORY_JUDGE_TIMEOUT_MS));
const path = operation === 'list' ? '' : '/' + encodeURIComponent(rest.MEMORY_JUDGE_MEMORY_ID);
try {
  const response = await fetch(url + '/v1/memories' + path, { headers: { authorization: 'Bearer ' + key }, signal });
  if (!response.ok) throw new Error('status ' + response.status);
  const data = await response.json();
  if (operation === 'download') {
    const file = await fetch(data.audio_url);
    require('node:fs').writeFileSync(rest.MEMORY_JUDGE_OUTPUT, Buffer.from(await file.arrayBuffer()));
  }
  console.log(JSON.stringify(operation === 'list' ? { ok: true, memories: data } : { ok: true, memory: { id: data.id } }));
} catch (error) {
  console.log(JSON.stringify({ ok: false, error: error.message }));
  process.exitCode = 1;
}`;

async function judgeOne(scenario: string, changes: Record<string, string> = {}, options: Partial<JudgeOptions> = {}) {
  const { results } = await judgeClient({ command: client(changes), rules: 'reference', only: [scenario], ...options });
  expect(results).toHaveLength(1);
  return results[0] ?? expect.fail();
}

test('a right client passes', async () => {
  const only = ['list', 'get', '404', 'body-cut', 'download'];
  const { passed, results } = await judgeClient({ command: client(), only });
  expect(results.map(({ scenario, status }) => [scenario, status])).toEqual(only.map((id) => [id, 'passed']));
  expect(passed).toBe(true);
});

test('the environment says what to do', async () => {
  vi.stubEnv('MEMORY_PROFILE', 'caller');
  vi.stubEnv('HTTPS_PROXY', 'http://127.0.0.1:9');
  const print = `const { env } = process; console.log(JSON.stringify({ skip: JSON.stringify(Object.fromEntries(
    Object.entries(env).filter(([name]) => /^MEMORY_|PROXY|^OWN$/.test(name) && name !== 'MEMORY_API_KEY'))) }))`;
  const command = [process.execPath, '-e', print];
  const options = {
    command,
    only: ['media-403'],
    attemptTimeout: 1_234,
    env: { OWN: '1', MEMORY_JUDGE_KIND: 'video' },
  };
  const { passed, results } = await judgeClient(options);
  const environment = JSON.parse(results[0]?.reason ?? '');
  expect(environment).toEqual({
    MEMORY_API_URL: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
    MEMORY_JUDGE_SCENARIO: 'media-403',
    MEMORY_JUDGE_OPERATION: 'download',
    MEMORY_JUDGE_MEMORY_ID: 'mem_a',
    MEMORY_JUDGE_KIND: 'audio',
    MEMORY_JUDGE_OUTPUT: expect.stringMatching(/media-403.output$/),
    MEMORY_JUDGE_TIMEOUT_MS: '1234',
    OWN: '1',
  });
  // Skipped only, so not passed.
  expect(passed).toBe(false);
  expect(results[0]?.status).toBe('skipped');
  expect(existsSync(dirname(dirname(environment.MEMORY_JUDGE_OUTPUT)))).toBe(false);
});

test('the evidence has what the command reported, and what arrived, without secrets', async () => {
  const leak = "console.error('Bearer ' + key); throw new Error('no data for ' + key + ' at ' + url + '?a=secret'); //";
  const { reason, evidence } = await judgeOne('list', { 'const data': `${leak} const data` });
  expect(reason).toMatch(/^the command reported: no data for \[redacted\] at http:\S+\?\[redacted\]$/);
  expect(evidence).toEqual({
    expected: 'the data of the server',
    observed: 'the output contains the key',
    wire: [expect.stringMatching(/^\d+ ms: GET \/v1\/memories, 200$/)],
  });
});

test('the reason is the last line of the command if it is not a result', async () => {
  const { reason } = await judgeOne('list', { 'JSON.stringify(': 'String(' });
  expect(reason).toBe('the command printed: [object Object]');
});

test('the evidence has the first requests, and the number of the others', async () => {
  const { evidence } = await judgeOne('redirect-loop', { 'process.exitCode = 1;': '' }, { attemptTimeout: 10_000 });
  expect(evidence?.wire).toHaveLength(21);
  expect(evidence?.wire.at(-1)).toBe('and 1 more');
});

test('results have the order of the table, whatever the order of the ends', async () => {
  const slow = {
    'try {': "if (rest.MEMORY_JUDGE_SCENARIO === 'list') await new Promise((done) => setTimeout(done, 200)); try {",
  };
  const only = ['404', '401', 'get', 'list', 'get'];
  const { results, passed } = await judgeClient({ command: client(slow), only, concurrency: 8 });
  expect(results.map(({ scenario }) => scenario)).toEqual(['list', 'get', '401', '404']);
  expect(passed).toBe(true);
});

test('a known failure does not fail the run, and one that passes does', async () => {
  const options = { command: client(), only: ['list', 'redirect-loop', 'media-403'] };
  const known = await judgeClient({ ...options, knownFailures: ['media-403', 'drip'] });
  expect(known.results.map(({ status }) => status)).toEqual(['passed', 'passed', 'known']);
  expect(known.passed).toBe(true);
  const fixed = await judgeClient({ ...options, knownFailures: ['list', 'media-403'] });
  expect(fixed.results[0]).toMatchObject({
    status: 'failed',
    reason: expect.stringContaining('remove it from the list'),
  });
  expect(fixed.passed).toBe(false);
});

test('an abort ends the commands, and rejects with its reason', async () => {
  const controller = new AbortController();
  const judged = judgeClient({
    command: [process.execPath, '-e', 'setInterval(() => {}, 1e3)'],
    signal: controller.signal,
  });
  const reason = new Error('enough');
  setTimeout(() => controller.abort(reason), 200);
  await expect(judged).rejects.toBe(reason);
});

test.each<[object | null, string]>([
  [null, 'the options argument is not an object. Pass an object.'],
  [{ command: [] }, 'command is empty. Pass a program and its arguments.'],
  [{ command: [''] }, 'command is empty. Pass a program and its arguments.'],
  [{ command: 'node' }, 'command is empty. Pass a program and its arguments.'],
  [{ only: [] }, "only selects no scenario of the profile safe. Pass other ids, or rules: 'reference'."],
  [{ only: ['drip'] }, "only selects no scenario of the profile safe. Pass other ids, or rules: 'reference'."],
  [{ only: ['lists'] }, 'only contains "lists", which does not exist. Pass an id or a section of clientScenarios.'],
  [{ only: 'list' }, 'only is not a list of texts. Pass an array of ids.'],
  [
    { knownFailures: ['media'] },
    'knownFailures contains "media", which does not exist. Pass an id of clientScenarios.',
  ],
  [{ rules: 'strict' }, "rules is not supported. Pass 'safe' or 'reference'."],
  [
    { timeout: 0 },
    'timeout is 0, which is not a whole number from 1 to 2,147,483,647. Pass such a number, or leave it out.',
  ],
  [
    { concurrency: 1.5 },
    'concurrency is 1.5, which is not a whole number from 1 to 2,147,483,647. Pass such a number, or leave it out.',
  ],
])('rejects %j', async (options, reason) => {
  const judged = judgeClient((options && { command: client(), ...options }) as JudgeOptions);
  await expect(judged).rejects.toThrow(new TypeError(`Failed to judge a client: ${reason}`));
});

test('there are 62 scenarios with different ids, none of which is a section', () => {
  const ids = clientScenarios.map(({ id }) => id);
  expect(new Set(ids).size).toBe(62);
  expect(clientScenarios.filter(({ profile }) => profile === 'safe')).toHaveLength(50);
  expect(clientScenarios.filter(({ section }) => ids.includes(section))).toEqual([]);
});
