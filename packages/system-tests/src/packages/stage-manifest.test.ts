import { expect, test } from 'vitest';
import { stageManifest } from './stage-manifest.ts';

const manifest = {
  name: '@memory-read/client',
  scripts: { build: 'tsup' },
  files: ['dist'],
  exports: { '.': { '@memory-read/source': './src/index.ts', default: './dist/index.js' }, './a.json': './a.json' },
};

test('a staged manifest has neither scripts nor the condition for sources', () => {
  const staged = stageManifest(manifest, 'client', {});
  expect(staged.exports).toEqual({ '.': { default: './dist/index.js' }, './a.json': './a.json' });
  expect(Object.keys(staged)).toEqual(['name', 'files', 'exports']);
});

test('names the repository in the manifest that a workflow packs, as provenance requires', () => {
  const environment = { GITHUB_SERVER_URL: 'https://git.example', GITHUB_REPOSITORY: 'ada/memories' };
  expect(stageManifest(manifest, 'client', environment).repository).toEqual({
    type: 'git',
    url: 'git+https://git.example/ada/memories.git',
    directory: 'packages/client',
  });
});
