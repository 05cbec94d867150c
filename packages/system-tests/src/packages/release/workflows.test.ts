import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { root } from '../../repository.ts';

interface Workflow {
  permissions: Record<string, string>;
  jobs: Record<string, { 'timeout-minutes': number; steps: { uses?: string; run?: string }[] }>;
}

const folder = join(root, '.github', 'workflows');
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const workflows = readdirSync(folder).map((file) => {
  const workflow: Workflow = parse(readFileSync(join(folder, file), 'utf8'));
  return { file, workflow, steps: Object.values(workflow.jobs).flatMap(({ steps }) => steps) };
});

test('there are a workflow for every change and one for releases', () => {
  expect(workflows.map(({ file }) => file)).toEqual(['ci.yml', 'release.yml']);
});

test.each(workflows)('$file runs nothing but scripts of this repository that exist', ({ steps }) => {
  const commands = steps.flatMap(({ run = [] }) => run);
  expect(commands.length).toBeGreaterThan(0);
  for (const command of commands) {
    const [, name = ''] = /^npm (?:run )?([\w:]+)(?: -- [\w: -]+)?$/.exec(command) ?? [];
    expect(Object.keys(scripts), command).toContain(name);
  }
});

test.each(workflows)('$file uses actions by their major tags, and of one owner', ({ steps }) => {
  const actions = steps.flatMap(({ uses = [] }) => uses);
  expect(actions.filter((action) => !/^actions\/[\w-]+@v\d+$/.test(action))).toEqual([]);
});

test.each(workflows)('every job of $file ends by itself', ({ workflow }) => {
  for (const job of Object.values(workflow.jobs)) expect(job['timeout-minutes']).toBeGreaterThan(0);
});

test('only the release may write, and asks npm for trust in place of a token', () => {
  const permissions = Object.fromEntries(workflows.map(({ file, workflow }) => [file, workflow.permissions]));
  expect(permissions).toEqual({
    'ci.yml': { contents: 'read' },
    'release.yml': { contents: 'write', 'id-token': 'write' },
  });
  expect(readFileSync(join(folder, 'release.yml'), 'utf8')).not.toMatch(/secrets\.|TOKEN/);
});

test('the flags and the script that the release is given exist', () => {
  const command = readFileSync(join(folder, 'release.yml'), 'utf8').match(/npm run release.*/)?.[0] ?? '';
  const program = readFileSync(join(root, 'packages/system-tests/src/packages/release/main.ts'), 'utf8');
  for (const [flag] of command.matchAll(/--[a-z-]+/g)) expect(program).toContain(flag);
  expect(Object.keys(scripts)).toContain(/--checks (\S+)/.exec(command)?.[1]);
});
