import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startMockServer } from '@memory-read/msw/server';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import { root } from '@memory-read/test-kit/repository';
import { parse } from 'smol-toml';
import { afterAll, expect, test } from 'vitest';
import { openStdioAssistant } from './open-assistant.ts';

/** A server in the configuration of a client. */
interface Server {
  command: string;
  args: string[];
  env: Record<string, string>;
  env_vars?: string[];
}

interface Configuration {
  mcpServers?: { memories: Server };
  servers?: { memories: Server };
  mcp_servers?: { memories: Server };
  inputs?: { id: string; password: boolean }[];
}

const folder = join(root, 'docs/code/assistants');
const guide = readFileSync(join(root, 'docs/guides/assistants.md'), 'utf8');
const program = join(root, 'packages/mcp/dist/main.js');
const mock = await startMockServer({ memories: [] });
afterAll(() => mock.close());
const account = { MEMORY_API_URL: mock.baseUrl, MEMORY_API_KEY: mock.apiKey };
const home = makeFolder(afterAll);
const keyFile = join(home, 'memory-read.key');
writeFileSync(keyFile, `${account.MEMORY_API_KEY}\n`, { mode: 0o600 });

test('finds a configuration for each of five clients in the guide', () => {
  expect(readdirSync(folder)).toEqual([
    'claude-code.json',
    'claude-desktop.json',
    'codex.toml',
    'cursor.json',
    'vscode.json',
  ]);
});

test.each(readdirSync(folder))('starts the program with %s, and finds a memory', async (file) => {
  const text = readFileSync(join(folder, file), 'utf8');
  expect(guide).toContain(`\`\`\`${file.split('.')[1]}\n${text}\`\`\`\n`);
  const configuration = (file.endsWith('.toml') ? parse(text) : JSON.parse(text)) as Configuration;
  const server = (configuration.mcpServers ?? configuration.servers ?? configuration.mcp_servers)?.memories;
  const { command, args, env, env_vars = [] } = server as Server;
  // The registry does not have this version yet.
  expect([command, ...args.slice(0, 2)]).toEqual(['npx', '-y', '@memory-read/mcp']);

  mock.reset();
  mock.memories.add({ name: 'The teal door' });
  const forwarded = env_vars.map((name) => [name, account[name as keyof typeof account]]);
  await using assistant = await openStdioAssistant({
    command: process.execPath,
    args: [program, ...args.slice(2).map((argument) => argument.replace(/^file:\/.+/, `file:${keyFile}`))],
    env: { ...replaceReferences(env, configuration), ...Object.fromEntries(forwarded) },
    cwd: home,
  });
  expect((await assistant.call('search', { query: 'teal' })).results).toMatchObject([{ title: 'The teal door' }]);
});

/** Replaces variables like the clients: variables of the environment, and an input that the user types once. */
function replaceReferences(env: Record<string, string>, { inputs = [] }: Configuration): Record<string, string> {
  const replaced = Object.entries(env).map(([name, value]) => {
    if (name === 'MEMORY_API_URL') return [name, account.MEMORY_API_URL];
    const [, input] = /^\$\{input:(.+)\}$/.exec(value) ?? [];
    if (input !== undefined) expect(inputs).toMatchObject([{ id: input, password: true }]);
    else expect(value).toMatch(/^\$\{(env:)?MEMORY_API_KEY\}$/);
    return [name, account.MEMORY_API_KEY];
  });
  return Object.fromEntries(replaced);
}
