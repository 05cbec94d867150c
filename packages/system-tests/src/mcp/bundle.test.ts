import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, sep } from 'node:path';
import { getMcpConfigForManifest, hasRequiredConfigMissing, unpackExtension } from '@anthropic-ai/mcpb';
import { startMockServer } from '@memory-read/msw/server';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import { root } from '@memory-read/test-kit/repository';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openStdioAssistant } from './open-assistant.ts';

const source = join(root, 'packages/mcp');
const bundle = join(source, 'bundle/memory-read.mcpb');
const folder = makeFolder(afterAll);
// With a space, because folders of users can have one in their names.
const unpacked = join(folder, 'an extension');
const mock = await startMockServer({ memories: [] });
afterAll(() => mock.close());
const env = { MEMORY_API_URL: mock.baseUrl, MEMORY_API_KEY: mock.apiKey };
let manifest: Parameters<typeof getMcpConfigForManifest>[0]['manifest'];

beforeAll(async () => {
  execFileSync(process.execPath, ['--run', 'bundle'], { cwd: source, stdio: ['ignore', 'ignore', 'inherit'] });
  expect(await unpackExtension({ mcpbPath: bundle, outputDir: unpacked, silent: true })).toBe(true);
  manifest = JSON.parse(readFileSync(join(unpacked, 'manifest.json'), 'utf8'));
});

test('starts from the unpacked bundle as its manifest describes, and serves the tools of the manifest', async () => {
  mock.reset();
  const started_at = '2026-01-01T10:00:00.000Z';
  const said = { speaker: 'Ada', start_at: started_at, end_at: started_at, text: 'We ship the teal door.' };
  mock.memories.add({ started_at, transcript: { segments: [said] } });
  await using assistant = await openStdioAssistant(await configured());
  const { tools } = await assistant.client.listTools();
  expect(tools.map(({ name, description }) => ({ name, description }))).toEqual(manifest.tools);
  const { results } = await assistant.call('search', { query: 'teal' });
  expect((await assistant.call('verify_quote', { receipt: results[0].receipt })).status).toBe('valid');
});

test('requires the address and the key in the bundle, and hides the key', () => {
  expect(manifest.user_config).toMatchObject({ base_url: { type: 'string' }, api_key: { sensitive: true } });
  expect(manifest.user_config?.base_url).not.toHaveProperty('default');
  expect(hasRequiredConfigMissing({ manifest, userConfig: { base_url: env.MEMORY_API_URL } })).toBe(true);
  expect(manifest.version).toBe(JSON.parse(readFileSync(join(source, 'package.json'), 'utf8')).version);
});

test('the bundle has at most 400 kB, its licenses, and no key, signed URL or path of this machine', () => {
  const { size } = statSync(bundle);
  console.log(`Bundle: ${size} bytes, at most 400000`);
  expect(size).toBeLessThanOrEqual(400_000);
  expect(readdirSync(unpacked).toSorted()).toEqual(['LICENSE', 'LICENSES.txt', 'manifest.json', 'memory-read-mcp.mjs']);
  const secret = /mrk_[\w-]{16,}|[?&](signature|X-Amz-Signature)=\w|Bearer [\w-]{16,}/;
  for (const name of readdirSync(unpacked)) {
    const text = readFileSync(join(unpacked, name), 'utf8');
    expect(secret.exec(text)?.[0], name).toBeUndefined();
    for (const path of [root, folder, process.env.HOME ?? root])
      expect(text.includes(`${path}${sep}`), name).toBe(false);
  }
});

/** Returns the command that a client starts, with the variables of the manifest replaced. */
async function configured() {
  const config = await getMcpConfigForManifest({
    manifest,
    extensionPath: unpacked,
    systemDirs: {},
    userConfig: { base_url: env.MEMORY_API_URL, api_key: env.MEMORY_API_KEY },
    pathSeparator: sep,
  });
  expect(config?.command).toBe('node');
  return { command: process.execPath, args: config?.args ?? [], env: config?.env ?? {}, cwd: folder };
}
