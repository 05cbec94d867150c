import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MemoryClient } from '@memory-read/client';
import { edgeCases } from '@memory-read/fixtures';
import openapiTS, { astToString } from 'openapi-typescript';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { root } from '../../repository.ts';
import { createGeneratedClient, getWithGenerated, listWithGenerated } from './generated-client.ts';
import { runTool } from './run-tool.ts';
import { type EdgeCaseServer, startEdgeCaseServer } from './start-edge-case-server.ts';

const document = fileURLToPath(import.meta.resolve('@memory-read/contract/openapi.json'));
const sources = join(root, 'packages', 'system-tests', 'src');
const generated = join('docs', 'examples', 'memory-read-api.d.ts');
const consumer = join('tools', 'openapi', 'generated-client.ts');

let folder: string;
let server: EdgeCaseServer;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'generated-'));
  server = await startEdgeCaseServer();
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

test('the types that openapi-typescript makes of the document are those that the examples use', async () => {
  const output = join(folder, 'current.d.ts');
  const { exitCode } = await runTool('openapi-typescript', [document, '--output', output], { cwd: folder });
  expect(exitCode).toBe(0);
  expect(
    await readFile(output, 'utf8'),
    'They are out of date. Run `npm run pnpm -- --filter @memory-read/system-tests run generated-types` and commit them.',
  ).toBe(await readFile(join(sources, generated), 'utf8'));
});

test('a client of openapi-fetch lists every edge case, and reads each', async () => {
  const ours = new MemoryClient({ baseUrl: server.url, apiKey: server.apiKey });
  const client = createGeneratedClient(server.url, server.apiKey);
  expect(await listWithGenerated(client)).toEqual(await ours.listMemories());
  for (const { id } of Object.values(edgeCases)) {
    expect(await getWithGenerated(client, id)).toEqual({ outcome: 'read', memory: await ours.getMemory(id) });
  }
});

test('a client of openapi-fetch gets the errors as the document has them', async () => {
  const stranger = createGeneratedClient(server.url, 'wrong-key');
  const client = createGeneratedClient(server.url, server.apiKey);
  await expect(listWithGenerated(stranger)).rejects.toThrow('Invalid API key');
  expect(await getWithGenerated(stranger, 'mem_1')).toEqual({ outcome: 'refused', detail: 'Invalid API key' });
  expect(await getWithGenerated(client, 'mem_1')).toEqual({ outcome: 'not found', detail: 'Memory not found' });
  expect(await getWithGenerated(client, '\0')).toEqual({ outcome: 'malformed', detail: 'Malformed memory id' });
});

test('the transcript of a listed memory is there, though the types of openapi-fetch hide it', async () => {
  const { data = [] } = await createGeneratedClient(server.url, server.apiKey).GET('/v1/memories');
  // @ts-expect-error When this is an error no more, the guide has to say so.
  expect(data[0]?.transcript).toBeNull();
});

const drifts: Record<string, (document: string) => string> = {
  current: (text) => text,
  transcriptIsNeverNull: (text) => dropNull(text, 'Transcript'),
  summaryIsNeverNull: (text) => dropNull(text, 'Summary'),
  audioIsNeverNull: (text) => text.replace(/("audio_url": \{\s*"type": )\[[^\]]+\]/, '$1"string"'),
  listHasTranscripts: (text) => text.replace('"type": "null"', '"$ref": "#/components/schemas/Transcript"'),
  nameIsOptional: (text) => text.replace(/"name",\s*"started_at"/, '"started_at"'),
  durationIsText: (text) => text.replace('"type": "integer"', '"type": "string"'),
  detailIsRenamed: (text) => text.replaceAll('"detail"', '"message"'),
  malformedIsUnknown: (text) => text.replace('"422":', '"423":'),
};

test('a client of a document that drifted from ours does not compile', async () => {
  await symlink(join(sources, '..', 'node_modules'), join(folder, 'node_modules'));
  for (const [name, change] of Object.entries(drifts)) await writeProject(name, change);
  await writeFile(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
  const extended = join(root, 'tsconfig.base.json');
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ extends: extended, include: ['*/tools/openapi'] }));
  const { output } = await runTool('typescript', ['-p', folder, '--pretty', 'false'], { cwd: folder });
  const broken = output.matchAll(/^(\w+)\/tools\/openapi\/generated-client\.ts\(/gm);
  const names = new Set(Array.from(broken, ([, name]) => name));
  expect(Object.keys(drifts).filter((name) => !names.has(name))).toEqual(['current']);
});

async function writeProject(name: string, change: (document: string) => string): Promise<void> {
  const text = await readFile(document, 'utf8');
  expect(change(text) !== text, `${name} changes the document`).toBe(name !== 'current');
  await cp(join(sources, consumer), join(folder, name, consumer));
  await mkdir(join(folder, name, dirname(generated)), { recursive: true });
  await writeFile(join(folder, name, generated), astToString(await openapiTS(change(text))));
}

/** The document in which a component and its uses are always objects. */
function dropNull(text: string, component: string): string {
  const document = JSON.parse(text);
  const { [component]: schema, Memory: memory } = document.components.schemas;
  schema.type = 'object';
  memory.properties[component.toLowerCase()].type = 'object';
  return JSON.stringify(document);
}
