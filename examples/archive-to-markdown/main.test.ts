import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMemories } from '@memory-read/fixtures';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type MemoryService, startMemoryService } from './start-memory-service.ts';

const records = createMemories({ count: 3, seed: 7, now: '2026-01-01T00:00:00Z' });
let service: MemoryService;
let folder: string;

beforeEach(async () => {
  service = await startMemoryService();
  folder = mkdtempSync(join(tmpdir(), 'archive-'));
  await service.put(...records.map((record) => ({ ...record, is_processing: false })));
});
afterEach(async () => {
  await service.close();
  rmSync(folder, { recursive: true });
});

test('the job says what it wrote, and ends well', async () => {
  expect(await run(service.apiKey)).toEqual({ code: 0, stdout: `3 memories are in ${folder}\n`, stderr: '' });
  expect(readdirSync(folder)).toHaveLength(3);
});

test('the job says what is left, and ends with 1', async () => {
  service.faults.push(['/media/', 'missing'], ['/media/', 'missing']);
  const { code, stdout, stderr } = await run(service.apiKey);
  expect([code, stdout]).toEqual([1, `2 memories are in ${folder}\n`]);
  expect(stderr).toMatch(/^mem_\w+ is left for the next run\. Failed to download the audio .+\n$/);
});

test('a key that is not accepted is told in a line, which does not hold it', async () => {
  const { code, stdout, stderr } = await run('KEYSECRET_of_another');
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(/^Failed to list memories: .+\n$/);
  expect(stderr).not.toContain('SECRET');
});

function run(apiKey: string): Promise<{ code: unknown; stdout: string; stderr: string }> {
  const args = ['--conditions=@memory-read/source', 'main.ts', folder];
  const env = { PATH: process.env.PATH, MEMORY_API_URL: service.url, MEMORY_API_KEY: apiKey };
  return new Promise((resolve) =>
    execFile(process.execPath, args, { cwd: import.meta.dirname, env }, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, stdout, stderr }),
    ),
  );
}
