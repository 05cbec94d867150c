import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '@memory-read/test-kit/repository';
import { expect, test } from 'vitest';
import { parse } from 'yaml';

interface Job {
  'timeout-minutes': number;
  permissions?: Record<string, string>;
  environment?: string;
  steps: { uses?: string; run?: string; with?: Record<string, unknown> }[];
}

interface Workflow {
  permissions: Record<string, string>;
  jobs: Record<string, Job>;
}

const folder = join(root, '.github', 'workflows');
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const workflows = readdirSync(folder).map((file) => {
  const text = readFileSync(join(folder, file), 'utf8');
  const workflow: Workflow = parse(text);
  return { file, text, workflow, steps: Object.values(workflow.jobs).flatMap(({ steps }) => steps) };
});
const jobsOfRelease = workflows[1]?.workflow.jobs ?? {};

test('there are a workflow for every change and one for releases', () => {
  expect(workflows.map(({ file }) => file)).toEqual(['ci.yml', 'release.yml']);
});

test.each(workflows)('$file runs nothing but scripts of this repository that exist', ({ workflow }) => {
  // These jobs of the release have no checkout.
  const { publish: _publish, tag: _tag, ...jobs } = workflow.jobs;
  const commands = Object.values(jobs).flatMap(({ steps }) => steps.flatMap(({ run = [] }) => run));
  const scriptsOfRepository = commands.filter((command) => !command.startsWith('echo "sums='));
  expect(scriptsOfRepository.length).toBeGreaterThan(0);
  for (const command of scriptsOfRepository) {
    const [, name = ''] = /^npm (?:run )?([\w:]+)(?: -- [\w: -]+)?$/.exec(command) ?? [];
    expect(Object.keys(scripts), command).toContain(name);
  }
});

test.each(workflows)('$file pins each action of one owner by its commit, and names its version', ({ text }) => {
  const actions = Array.from(text.matchAll(/uses: (.*)/g), ([, action]) => action ?? '');
  expect(actions.length).toBeGreaterThan(0);
  expect(actions.filter((action) => !/^actions\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(action))).toEqual([]);
});

test.each(workflows)('no checkout of $file leaves its token behind', ({ steps }) => {
  const checkouts = steps.filter(({ uses }) => uses?.startsWith('actions/checkout@'));
  expect(checkouts.length).toBeGreaterThan(0);
  for (const checkout of checkouts) expect(checkout.with).toMatchObject({ 'persist-credentials': false });
});

test.each(workflows)('every job of $file ends by itself', ({ workflow }) => {
  for (const job of Object.values(workflow.jobs)) expect(job['timeout-minutes']).toBeGreaterThan(0);
});

test('what runs code may write nowhere, and what may write runs no code of the repository', () => {
  expect(workflows.map(({ workflow }) => workflow.permissions)).toEqual([{ contents: 'read' }, {}]);
  const permissions = Object.entries(jobsOfRelease).map(([name, job]) => [name, job.permissions, job.environment]);
  expect(permissions).toEqual([
    ['pack', { contents: 'read' }, undefined],
    ['publish', { 'id-token': 'write' }, 'npm'],
    ['tag', { contents: 'write' }, undefined],
  ]);
  for (const { steps = [] } of [jobsOfRelease.publish, jobsOfRelease.tag].map((job) => job ?? { steps: [] })) {
    expect(steps.length).toBeGreaterThan(1);
    for (const { uses = '', run = '' } of steps) {
      expect(uses).toMatch(/^$|^actions\/(download-artifact|setup-node)@/);
      expect(run).not.toMatch(/npm (ci|i|install|run|exec|test)|npx|pnpm|git /);
    }
  }
  for (const { text } of workflows) expect(text).not.toMatch(/secrets\.|NPM_TOKEN|NODE_AUTH_TOKEN/);
});

test('the flags and the script that the release is given exist', () => {
  const command = workflows[1]?.text.match(/npm run release.*/)?.[0] ?? '';
  const program = readFileSync(join(root, 'packages/system-tests/src/packages/release/main.ts'), 'utf8');
  for (const [flag] of command.matchAll(/--[a-z]+/g)) expect(program).toContain(flag);
  expect(Object.keys(scripts)).toContain(/--checks (\S+)/.exec(command)?.[1]);
});

test('pnpm and all packages of the lockfile are pinned by their hashes', () => {
  const { packageManager } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  expect(packageManager).toMatch(/^pnpm@\d+\.\d+\.\d+\+sha512\.[0-9a-f]{128}$/);
  const { packages } = parse(readFileSync(join(root, 'pnpm-lock.yaml'), 'utf8'));
  const resolutions = Object.values<{ resolution: object }>(packages).map(({ resolution }) => resolution);
  expect(resolutions.length).toBeGreaterThan(1000);
  for (const resolution of resolutions) expect(resolution).toEqual({ integrity: expect.stringMatching(/^sha512-/) });
});
