import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { MemoryClient } from '@memory-read/client';
import { buildOpenApiDocument } from '@memory-read/contract/openapi';
import { isInstalled } from '@memory-read/test-kit/is-installed';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import { root } from '@memory-read/test-kit/repository';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ServeProcess, startServe } from '../server/serving/start-serve.ts';

const directory = makeFolder(afterAll);
let server: ServeProcess;
let page: string;
let memoryId: string;

beforeAll(async () => {
  server = await startServe(['--db', join(directory, 'memories.sqlite'), '--media-dir', directory, '--demo']);
  page = await (await fetch(`${server.baseUrl}/docs`)).text();
  const client = new MemoryClient({ baseUrl: server.baseUrl, apiKey: server.apiKey });
  memoryId = (await client.listMemories())[0]?.id ?? '';
});
afterAll(() => server?.close());

/** The command that runs a sample as a reader would. */
const commands = {
  curl: (code: string) => ['sh', '-c', code.replace('curl ', 'curl --silent --show-error --fail ')],
  typescript: (code: string) => [process.execPath, '--input-type=module-typescript', '--eval', code],
  python: (code: string) => ['python3', '-c', code],
};
const samples = Object.values(buildOpenApiDocument({ serverUrl: '' }).paths).flatMap(({ get }) =>
  (['curl', 'typescript', 'python'] as const).map((language) => ({ operation: get, language })),
);

for (const { operation, language } of samples) {
  const program = { curl: 'curl', typescript: process.execPath, python: 'python3' }[language];
  test.runIf(isInstalled(program))(
    `the sample of ${operation.operationId} in ${language} prints a memory`,
    async () => {
      const example = operation.parameters?.[0]?.example;
      const code = sampleOf(operation.operationId, language).replace(example ?? memoryId, memoryId);
      const [command = '', ...args] = commands[language](code);
      const { stdout, stderr } = await promisify(execFile)(command, args, {
        cwd: join(root, 'packages', 'system-tests'),
        env: { PATH: process.env.PATH, MEMORY_API_KEY: server.apiKey },
      });
      expect(stdout).toContain(memoryId);
      expect(stderr).toBe('');
    },
  );
}

/** Returns the code of a sample as the page shows it. */
function sampleOf(operationId: string, language: string): string {
  const section = page.slice(page.indexOf(`aria-labelledby="${operationId}"`));
  const [, code = ''] = new RegExp(`data-language="${language}">.*?<code>(.*?)</code>`, 's').exec(section) ?? [];
  return code.replace(/&#(\d+);/g, (_, number) => String.fromCharCode(Number(number)));
}
