import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { MemoryClient } from '@memory-read/client';
import { edgeCases } from '@memory-read/fixtures';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { root } from '../../repository.ts';
import { runTool } from './run-tool.ts';
import { startEdgeCaseServer } from './start-edge-case-server.ts';

const document = fileURLToPath(import.meta.resolve('@memory-read/contract/openapi.json'));

const consumer = `
import type { ListedMemory, Memory } from '@memory-read/contract';
import { getMemory, listMemories } from './client';
import { client } from './client/client.gen';
import type { GetMemoryErrors, ListedMemory as TheirListedMemory, Memory as TheirMemory } from './client';

export const toOurs = {
  memory: (theirs: TheirMemory): Memory => theirs,
  listed: (theirs: TheirListedMemory): ListedMemory => theirs,
};
export const toTheirs = {
  memory: (ours: Memory): TheirMemory => ours,
  listed: (ours: ListedMemory): TheirListedMemory => ours,
};
export const statuses = { 401: 'refused', 404: 'not found', 422: 'malformed', 500: 'failed' } satisfies Record<keyof GetMemoryErrors, string>;

export function configure(baseUrl: string, auth: string): void {
  client.setConfig({ baseUrl, auth });
}

export async function list(): Promise<ListedMemory[]> {
  const { data, error } = await listMemories();
  if (data === undefined) throw new Error(error?.detail);
  return data;
}

export async function get(memoryId: string): Promise<Memory | string> {
  const { data, error } = await getMemory({ path: { memory_id: memoryId } });
  return data === undefined ? (error?.detail ?? 'nothing') : data;
}
`;

interface Consumer {
  configure(baseUrl: string, apiKey: string): void;
  list(): Promise<unknown[]>;
  get(memoryId: string): Promise<unknown>;
}

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hey-api-'));
  await symlink(join(root, 'packages', 'system-tests', 'node_modules'), join(folder, 'node_modules'));
  await writeFile(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
  await writeFile(join(folder, 'consumer.ts'), consumer);
  const words = ['--input', document, '--output', join(folder, 'client')];
  expect((await runTool('@hey-api/openapi-ts', words, { cwd: folder })).exitCode).toBe(0);
});
afterAll(() => rm(folder, { recursive: true }));

test('what @hey-api/openapi-ts generates compiles, and its types are ours', async () => {
  // What it writes beside the types, whatever the document, does not compile with exactOptionalPropertyTypes.
  const compilerOptions = { module: 'esnext', moduleResolution: 'bundler', exactOptionalPropertyTypes: false };
  const project = { extends: join(root, 'tsconfig.base.json'), compilerOptions, include: ['consumer.ts'] };
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(project));
  const { output } = await runTool('typescript', ['-p', folder, '--pretty', 'false'], { cwd: folder });
  expect(output).toBe('');
});

test('a client of @hey-api/openapi-ts lists every edge case, reads each, and gets the errors', async () => {
  const server = await startEdgeCaseServer();
  try {
    const ours = new MemoryClient({ baseUrl: server.url, apiKey: server.apiKey });
    const { configure, list, get } = await load();
    configure(server.url, server.apiKey);
    expect(await list()).toEqual(await ours.listMemories());
    for (const { id } of Object.values(edgeCases)) expect(await get(id)).toEqual(await ours.getMemory(id));
    expect(await get('mem_1')).toBe('Memory not found');
    expect(await get('\0')).toBe('Malformed memory id');
    configure(server.url, 'wrong-key');
    await expect(list()).rejects.toThrow('Invalid API key');
  } finally {
    await server.close();
  }
});

async function load(): Promise<Consumer> {
  const outfile = join(folder, 'consumer.js');
  await build({ entryPoints: [join(folder, 'consumer.ts')], bundle: true, format: 'esm', platform: 'node', outfile });
  return import(pathToFileURL(outfile).href);
}
